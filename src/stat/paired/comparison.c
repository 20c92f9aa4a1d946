/* SPDX-License-Identifier: Apache-2.0 */
/* Options, order of the steps, and reading back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/names.h"
#include "base/parallel.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/significant.h"
#include "stat/stat_private.h"

IV_NAMES(iv_pair_test_names, "sign", "wilcoxon", "t", "randomisation", "hall", "mcnemar")

bool iv_pair_test_of_mean(iv_pair_test test)
{
    return test != IV_TEST_SIGN && test != IV_TEST_WILCOXON;
}

size_t iv_couples(iv_compared_pair *out, size_t systems, const size_t *baselines, size_t count)
{
    iv_compared_pair none, *to = out != NULL ? out : &none;
    const size_t step = out != NULL;
    size_t n = 0;

    for (size_t k = 0; k < count; k++) {
        for (size_t a = 0; a < systems; a++) {
            bool done = a == baselines[k];
            for (size_t i = 0; i < k; i++)
                done = done || a == baselines[i];
            if (!done)
                to[step * n++] = (iv_compared_pair){ .a = a, .b = baselines[k] };
        }
    }
    if (out == NULL && count == 0)
        return systems > 0 ? systems * (systems - 1) / 2 : 0;
    for (size_t a = 0; count == 0 && a < systems; a++)
        for (size_t b = a + 1; b < systems; b++)
            to[step * n++] = (iv_compared_pair){ .a = a, .b = b };
    return n;
}

static int check_baselines(const iv_compare_options *o, size_t systems, iv_err *err)
{
    for (size_t k = 0; k < o->baseline_count; k++) {
        if (o->baselines[k] >= systems)
            return iv_fail(err, IV_EARG, "the baseline is none of the systems");
        for (size_t i = 0; i < k; i++)
            if (o->baselines[i] == o->baselines[k])
                return iv_fail(err, IV_EARG, "system %zu is a baseline twice",
                               o->baselines[k] + 1);
    }
    if (o->correction == IV_CORRECT_TUKEY && o->baseline_count > 1 && systems > 2)
        return iv_fail(err, IV_EARG, "Tukey's test is of all pairs or against one baseline, and "
                       "there are %zu", o->baseline_count);
    return IV_OK;
}

/* What no option can be, whatever it is compared with. */
static int check_parts(const iv_compare_options *o, iv_err *err)
{
    return IV_CHECK(o, err,
        IV_LIST_OF(iv_compare_options, tests, test_count, LIST, "test"),
        IV_LIST_OF(iv_compare_options, baselines, baseline_count, LIST, "baseline"),
        IV_CHOICE_OF(iv_compare_options, ties, iv_sign_ties_names, "what to do with ties"),
        IV_CHOICE_OF(iv_compare_options, zeros, iv_zeros_names, "what to do with zeros"),
        IV_CHOICE_OF(iv_compare_options, alternative, iv_alternative_names, "the alternative"),
        IV_CHOICE_OF(iv_compare_options, correction, iv_correction_names, "the correction"),
        IV_CHOICE_OF(iv_compare_options, interval, iv_interval_names, "the interval"),
        IV_CHOICE_OF(iv_compare_options, means, iv_interval_names, "the interval of means"));
}

static int check_options(const iv_compare_options *o, size_t systems, iv_err *err)
{
    if (systems < 2)
        return iv_fail(err, IV_EARG, "fewer than two systems to compare");
    for (size_t k = 0; k < o->test_count; k++)
        if ((int)o->tests[k] < 0 || o->tests[k] >= IV_PAIR_TESTS)
            return iv_fail(err, IV_EARG, "there is no test number %d", (int)o->tests[k]);
        else if (o->tests[k] == IV_TEST_MCNEMAR && !o->binary)
            return iv_fail(err, IV_EARG, "McNemar's test is for scores of 0 and 1, and there are "
                           "others");
    double confidence = o->confidence;
    IV_TRY(iv_check_confidence(&confidence, err));
    if (o->alternative != IV_TWO_SIDED && !(o->confidence > 0.5))
        return iv_fail(err, IV_EARG, "confidence %g, expected above 0.5 for a one-sided "
                       "comparison", o->confidence);
    if (!(o->margin >= 0.0 || o->margin == IV_ZERO) || isinf(o->margin))
        return iv_fail(err, IV_EARG, "a margin of %g, expected 0 or more", o->margin);
    if (!iv_interval_about(o->interval)->differences)
        return iv_fail(err, IV_EARG, "a difference has no %s interval",
                       iv_interval_names()[o->interval]);
    if (o->correction == IV_CORRECT_TUKEY && o->alternative != IV_TWO_SIDED
        && o->baseline_count == 0 && systems > 2)
        return iv_fail(err, IV_EARG, "Tukey's test of all pairs is two-sided: the largest "
                       "difference has no sign" IV_HINT("; use --correct holm, or a --baseline"));
    if (o->correction == IV_CORRECT_TUKEY && o->structure != NULL)
        return iv_fail(err, IV_EARG, "Tukey's test permutes topics one by one, but these are "
                       "clustered");
    return check_baselines(o, systems, err);
}

static int check_values(const double *values, size_t systems, size_t topics, iv_err *err)
{
    for (size_t i = 0; i < systems * topics; i++)
        if (isinf(values[i]))
            return iv_fail(err, IV_EARG, "system %zu has an infinite score on topic %zu",
                           i / topics + 1, i % topics + 1);
    return IV_OK;
}

/* Is every score 0 or 1? */
static bool only_answers(const double *values, size_t count)
{
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        if (!isnan(values[i]) && values[i] != 0.0 && values[i] != 1.0)
            return false;
        known += isnan(values[i]) ? 0 : 1;
    }
    return known > 0;
}

/* The options with their defaults, but for the correction. */
static iv_compare_options fill_in(const iv_compare_options *options, const double *values,
                                  size_t count)
{
    static const iv_pair_test of_reals[] = { IV_TEST_HALL }, of_answers[] = { IV_TEST_MCNEMAR };
    iv_compare_options o = options != NULL ? *options : (iv_compare_options){ 0 };

    o.binary = only_answers(values, count);
    if (o.test_count == 0) {
        o.tests = o.binary ? of_answers : of_reals;
        o.test_count = 1;
    }
    o.confidence = o.confidence == 0.0 ? 0.95 : o.confidence;
    o.resamples = o.resamples > 0 ? o.resamples : IV_RESAMPLES;
    o.permutations = o.permutations > 0 ? o.permutations : IV_PERMUTATIONS;
    return o;
}

static int allocate(iv_comparison *c, iv_err *err)
{
    const size_t tests = c->options.test_count, bases = c->options.baseline_count;

    c->pair_count = iv_couples(NULL, c->systems, c->options.baselines, bases);
    c->kinds = iv_take(&c->own, tests, sizeof *c->kinds);
    c->baselines = iv_take(&c->own, bases, sizeof *c->baselines);
    c->pairs = iv_take(&c->own, c->pair_count, sizeof *c->pairs);
    c->tests = iv_take(&c->own, c->pair_count * tests, sizeof *c->tests);
    c->runs = iv_take(&c->own, c->systems, sizeof *c->runs);
    IV_TRY(iv_taken(&c->own, err));
    memcpy(c->kinds, c->options.tests, tests * sizeof *c->kinds);
    for (size_t k = 0; k < bases; k++)
        c->baselines[k] = c->options.baselines[k];
    c->options.tests = c->kinds;
    c->options.baselines = c->baselines;
    (void)iv_couples(c->pairs, c->systems, c->baselines, bases);
    return IV_OK;
}

/* The steps in their order, each with its share of the progress. */
static int compare_all(iv_comparison *c, const iv_work *work, iv_err *err)
{
    iv_stage stage[4];

    IV_TRY(allocate(c, err));
    if (c->pair_count == 1)
        c->options.correction = IV_CORRECT_NONE;
    else if (c->options.correction == IV_CORRECT_AUTO)
        c->options.correction = IV_CORRECT_HOLM;
    IV_TRY(iv_compare_common(c, err));
    IV_TRY(iv_compare_shared(c, iv_work_part(&stage[0], work, 0.0, 0.1), err));
    IV_TRY(iv_compare_pairs(c, iv_work_part(&stage[1], work, 0.1, 0.2), err));
    IV_TRY(iv_compare_tests(c, iv_work_part(&stage[2], work, 0.2, 0.9), err));
    iv_compare_limits(c);
    IV_TRY(iv_check_work(work, 0.9, err));
    return iv_compare_runs(c, iv_work_part(&stage[3], work, 0.9, 1.0), err);
}

int iv_compare(iv_comparison **out, const double *values, size_t systems, size_t topics,
               const iv_compare_options *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(values, systems * topics, "value", err));
    IV_TRY(check_parts(options, err));
    const iv_compare_options o = fill_in(options, values, systems * topics);

    IV_TRY(check_options(&o, systems, err));
    IV_TRY(check_values(values, systems, topics, err));
    if (o.structure != NULL)
        IV_TRY(iv_structure_check(o.structure, topics, err));
    iv_comparison *c = calloc(1, sizeof *c);
    if (c == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const bool unit = iv_scores_unit(values, systems * topics);
    *c = (iv_comparison){ .options = o, .systems = systems, .topics = topics, .given = values,
                          .unit_scores = unit,
                          .slack = iv_slack_of(values, systems * topics),
                          .margin = o.margin == 0.0 ? (double)NAN : fmax(0.0, o.margin),
                          .unit = o.bounded || (unit && o.means != IV_INTERVAL_T) };
    const int rc = compare_all(c, work, err);
    c->given = NULL;
    c->options.structure = NULL; /* the caller's */
    if (rc < 0) {
        iv_comparison_free(c);
        return rc;
    }
    *out = c;
    return IV_OK;
}

void iv_comparison_free(iv_comparison *c)
{
    if (c == NULL)
        return;
    iv_letters_free(c->letters);
    iv_arena_free(&c->own);
    free(c);
}

size_t iv_comparison_pairs(const iv_compared_pair **out, const iv_comparison *c)
{
    *out = c->pairs;
    return c->pair_count;
}

size_t iv_comparison_tests(const iv_compared_test **out, const iv_comparison *c, size_t pair)
{
    *out = c->tests + pair * c->options.test_count;
    return c->options.test_count;
}

size_t iv_comparison_runs(const iv_compared_run **out, const iv_comparison *c)
{
    *out = c->runs;
    return c->systems;
}

const iv_compare_options *iv_comparison_options(const iv_comparison *c) { return &c->options; }

size_t iv_comparison_shared(const iv_comparison *c) { return c->shared_items; }

size_t iv_comparison_groups(const iv_comparison *c)
{
    return c->letters != NULL ? iv_letters_groups(c->letters) : 0;
}
