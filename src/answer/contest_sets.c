/* SPDX-License-Identifier: Apache-2.0 */
/* The same comparison within each set of a suite, and over all: one correction for both. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/contest.h"
#include "base/parallel.h"

typedef struct set_pair {
    const char *set, *a, *b, *measure, *mark;
    iv_compared_pair is;
    double p, p_adjusted;
} set_pair;

enum { MEASURES = 1 };

const iv_field iv_contest_sets_fields[] = {
    { "set", IV_AT(set_pair, set), .about = "or all: the mean over sets" },
    { "a", IV_AT(set_pair, a), .about = "a run" },
    { "b", IV_AT(set_pair, b), .about = "another" },
    { "measure", IV_AT(set_pair, measure), .shown = MEASURES, .about = "as it was asked for" },
    { "items", IV_AT(set_pair, is.items), .about = "that both have" },
    { "difference", IV_AT(set_pair, is.found.mean), .digits = 4, .about = "of the means, a - b" },
    { "lower", IV_AT(set_pair, is.lower), .digits = 4, .about = "end of its interval, by itself" },
    { "upper", IV_AT(set_pair, is.upper), .digits = 4, .about = "the other end of it" },
    { "p", IV_AT(set_pair, p), .digits = 4, .about = "of the first test" },
    { "p_adjusted", IV_AT(set_pair, p_adjusted), .digits = 4,
      .about = "for all pairs in all sets and over them, by Holm's method" },
    { "mark", IV_AT(set_pair, mark), .about = "* p < 0.05, ** p < 0.01, *** p < 0.001" },
    { NULL } };

/* Pairs of one measure on one set, or (set = sets) over all. */
static void keep_pairs(set_pair *rows, size_t *count, const iv_contest *c, size_t m,
                       const char *set, const iv_comparison *found)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, found);

    for (size_t i = 0; i < n; i++) {
        const iv_compared_test *t;
        (void)iv_comparison_tests(&t, found, i);
        rows[(*count)++] = (set_pair){ .set = set, .a = c->runs[pairs[i].a],
                                       .b = c->runs[pairs[i].b], .measure = c->measures[m],
                                       .is = pairs[i], .p = t->test.p };
    }
}

/* The scores of a set alone, others missing, with what else hangs together. */
static int compare_set(set_pair *rows, size_t *count, double *values, uint32_t *room,
                       const iv_contest *c, size_t m, size_t set, iv_result *out,
                       const iv_work *work, iv_err *err)
{
    const iv_score_view *v = c->card.v;
    iv_structure s;
    const iv_set_slice in = iv_scorecard_within(&s, room, &c->card, m, set);
    iv_compare_options how = c->asked->how;
    iv_comparison *found = NULL;
    iv_err why = { .code = IV_OK };

    for (size_t r = 0; r < c->run_count; r++) {
        const double *of = iv_contest_values(c, m) + r * c->topic_count + in.from;
        for (size_t t = 0; t < in.count; t++)
            values[r * in.count + t] = v->suite[in.from + t] == set ? of[t] : (double)NAN;
    }
    how.tests = c->how.tests;
    how.test_count = c->how.test_count;
    how.baselines = c->how.baselines;
    how.baseline_count = c->how.baseline_count;
    how.correction = IV_CORRECT_NONE;
    how.resamples = 1; /* ranks in resamples are not asked for */
    how.structure = &s;
    how.means = IV_INTERVAL_AUTO;
    const int rc = iv_compare(&found, values, c->run_count, in.count, &how, work, &why);
    if (rc == IV_ENODATA) {
        iv_result_note(out, "set %s is left out of table set_pairs: some pair has fewer than two of "
                       "its %ss in common", v->suites[set],
                       s.cluster != NULL ? "cluster" : "item");
        return IV_OK;
    }
    if (rc != IV_OK)
        return iv_fail_as(err, &why);
    keep_pairs(rows, count, c, m, v->suites[set], found);
    iv_comparison_free(found);
    return IV_OK;
}

static int adjust(set_pair *rows, size_t count, iv_err *err)
{
    double *p = malloc((count + 1) * sizeof *p);
    int rc = p == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t i = 0; rc == IV_OK && i < count; i++)
        p[i] = rows[i].p;
    if (rc == IV_OK)
        rc = iv_adjust(p, p, count, IV_CORRECT_HOLM, err);
    for (size_t i = 0; rc == IV_OK && i < count; i++) {
        rows[i].p_adjusted = p[i];
        rows[i].mark = iv_contest_mark(p[i]);
    }
    free(p);
    return rc;
}

int iv_contest_sets(const iv_contest *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_compared_pair *pairs;
    const size_t H = c->card.v->suite_count, M = c->measure_count;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    const iv_showing showing = n * H > IV_PAIRS_READ ? IV_LONG : IV_SHOWN;
    set_pair *rows = NULL;
    double *values = NULL;
    uint32_t *room = NULL;
    size_t count = 0;
    int rc = IV_OK;

    if (H < 2 || !iv_result_wants(out, "set_pairs", showing))
        return IV_OK;
    rows = malloc((M * (H + 1) * n + 1) * sizeof *rows);
    values = malloc((c->run_count * c->topic_count + 1) * sizeof *values);
    room = malloc((c->topic_count + 1) * sizeof *room);
    if (rows == NULL || values == NULL || room == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t k = 0; rc == IV_OK && k < M * (H + 1); k++) {
        iv_stage stage;
        const size_t m = k / (H + 1), h = k % (H + 1);
        if (h == 0)
            keep_pairs(rows, &count, c, m, "all", c->found[m]);
        else
            rc = compare_set(rows, &count, values, room, c, m, h - 1, out,
                             iv_work_nth(&stage, work, k, M * (H + 1)), err);
    }
    if (rc == IV_OK)
        rc = adjust(rows, count, err);
    if (rc == IV_OK) {
        (void)iv_result_rows(out, &(iv_rows){ "set_pairs", iv_contest_sets_fields, rows, count, sizeof *rows,
                                              M > 1 ? MEASURES : 0, .showing = showing,
                                              .drawn = { "difference", "lower", "upper", 0.0,
                                                         0.0 } });
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "set_pairs", .title = "Differences by set",
            .caption = "A point is the difference of two systems in a set, or over all, the line "
                       "its interval by itself.",
            .label = "set", .page = "a", .against = "b", .value = "difference", .lower = "lower",
            .upper = "upper" });
    }
    free(rows);
    free(values);
    free(room);
    return rc;
}
