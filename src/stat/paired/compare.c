/* SPDX-License-Identifier: Apache-2.0 */
/* Options, order of the steps, and reading back. */
#include <math.h>
#include <stdlib.h>

#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/significant.h"

const char *const *iv_pair_test_names(void)
{
    static const char *const names[] = { "sign", "wilcoxon", "t", "randomisation",
                                         "bootstrap", NULL };

    return names;
}

bool iv_pair_test_of_mean(iv_pair_test test)
{
    return test == IV_TEST_T || test == IV_TEST_RANDOMISATION || test == IV_TEST_BOOTSTRAP;
}

iv_compare_options iv_compare_defaults(void)
{
    return (iv_compare_options){
        .tests = { IV_TEST_RANDOMISATION }, .test_count = 1, .baseline = IV_NO_BASELINE,
        .interval = IV_INTERVAL_T, .margin = (double)NAN, .confidence = 0.95,
        .resamples = 10000, .permutations = 100000, .seed = 1,
    };
}

bool iv_compare_significant(const iv_comparison *c, double p)
{
    return iv_significant(p, 1.0 - c->options.confidence);
}

static int report_step(void *user, double fraction)
{
    const iv_comparison *c = user;
    const iv_progress *p = &c->options.progress;

    p->report(p->user, c->done + c->share * fraction);
    return 0;
}

iv_progress iv_compare_step(iv_comparison *c, double share)
{
    c->done += c->share;
    c->share = share;
    if (c->options.progress.report == NULL)
        return (iv_progress){ NULL, NULL };
    return (iv_progress){ report_step, c };
}

static int check_options(const iv_compare_options *o, size_t systems, iv_err *err)
{
    if (systems < 2)
        return iv_fail(err, IV_EARG, "fewer than two systems to compare");
    if (o->baseline != IV_NO_BASELINE && o->baseline >= systems)
        return iv_fail(err, IV_EARG, "the baseline is none of the systems");
    if (o->test_count < 1 || o->test_count > IV_PAIR_TESTS)
        return iv_fail(err, IV_EARG, "%zu tests, expected 1 to %d", o->test_count,
                       (int)IV_PAIR_TESTS);
    for (size_t k = 0; k < o->test_count; k++)
        if ((int)o->tests[k] < 0 || o->tests[k] >= IV_PAIR_TESTS)
            return iv_fail(err, IV_EARG, "there is no test number %d", (int)o->tests[k]);
    if (!(o->confidence > 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected 0 < confidence < 1",
                       o->confidence);
    if (o->resamples < 1 || o->permutations < 1)
        return iv_fail(err, IV_EARG, "no resamples or no permutations");
    if (o->margin < 0.0 || isinf(o->margin))
        return iv_fail(err, IV_EARG, "a margin of %g, expected 0 or more", o->margin);
    if (o->interval == IV_INTERVAL_LOGIT)
        return iv_fail(err, IV_EARG, "a difference has no logit interval");
    if (o->correction == IV_CORRECT_TUKEY && o->alternative != IV_TWO_SIDED
        && o->baseline == IV_NO_BASELINE && systems > 2)
        return iv_fail(err, IV_EARG, "Tukey's test of all pairs is two-sided: the largest "
                       "difference has no sign");
    return IV_OK;
}

static int check_values(const double *values, size_t systems, size_t topics, iv_err *err)
{
    for (size_t i = 0; i < systems * topics; i++)
        if (isinf(values[i]))
            return iv_fail(err, IV_EARG, "system %zu has an infinite score on topic %zu",
                           i / topics + 1, i % topics + 1);
    return IV_OK;
}

static int allocate(iv_comparison *c, iv_err *err)
{
    const size_t tests = c->options.test_count;

    c->pair_count = c->options.baseline == IV_NO_BASELINE ? iv_pair_count(c->systems)
                                                          : c->systems - 1;
    c->pairs = calloc(c->pair_count, sizeof *c->pairs);
    c->tests = calloc(c->pair_count * tests, sizeof *c->tests);
    c->runs = calloc(c->systems, sizeof *c->runs);
    if (c->pairs == NULL || c->tests == NULL || c->runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t a = 0, p = 0; a < c->systems; a++) {
        if (c->options.baseline == IV_NO_BASELINE) {
            for (size_t b = a + 1; b < c->systems; b++)
                c->pairs[p++] = (iv_compared_pair){ .a = a, .b = b };
        } else if (a != c->options.baseline) {
            c->pairs[p++] = (iv_compared_pair){ .a = a, .b = c->options.baseline };
        }
    }
    return IV_OK;
}

int iv_compare(iv_comparison **out, const double *values, size_t systems, size_t topics,
               const iv_compare_options *options, iv_err *err)
{
    const iv_compare_options o = options != NULL ? *options : iv_compare_defaults();
    int rc = check_options(&o, systems, err);

    if (rc == IV_OK)
        rc = check_values(values, systems, topics, err);
    if (rc < 0)
        return rc;
    iv_comparison *c = calloc(1, sizeof *c);
    if (c == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    c->options = o;
    c->systems = systems;
    c->topics = topics;
    c->values = values;
    c->slack = iv_slack_of(values, systems * topics);
    rc = allocate(c, err);
    if (rc == IV_OK)
        rc = iv_compare_shared(c, err);
    if (rc == IV_OK)
        rc = iv_compare_pairs(c, err);
    if (rc == IV_OK)
        rc = iv_compare_tests(c, err);
    if (rc == IV_OK)
        rc = iv_compare_runs(c, err);
    c->values = NULL;
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
    free(c->pairs);
    free(c->tests);
    free(c->runs);
    iv_letters_free(c->letters);
    free(c->shared_values);
    free(c->boot_means);
    free(c->tukey);
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

size_t iv_comparison_shared(const iv_comparison *c) { return c->shared; }

iv_correction iv_comparison_rank_correction(const iv_comparison *c)
{
    return c->rank_correction;
}

size_t iv_comparison_groups(const iv_comparison *c)
{
    return c->letters != NULL ? iv_letters_groups(c->letters) : 0;
}
