/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of the default intervals of recall: betabin-shared, on recall,
 * precision, F1, yield and elusion.  A replicate is a population of its own,
 * from one of Webber's scenarios or from the reviews given in turn, and one
 * sample of it.
 */
#include <math.h>
#include <stdlib.h>

#include "stat/recall/recall_outcomes.h"
#include "study/coverage_parts.h"

typedef struct setting {
    iv_recall_scenario scenario;
    uint64_t seed;
    const iv_recall_population *reviews; /* NULL: the scenario */
    size_t review_count;
    size_t strata; /* of the unretrieved segment; 0: one a segment */
    bool graded;
} setting;

static const iv_recall_options shared = { .method = IV_RECALL_BETABIN_SHARED,
                                          .confidence = 0.95 };

/* The true value of what an interval is about. */
static double truth_of(const iv_recall_population *x, iv_recall_quantity q)
{
    const double R1 = (double)x->R1, R0 = (double)x->R0;
    const double recall = R1 / (R1 + R0), precision = R1 / (double)x->N1;

    switch (q) {
    case IV_RECALL_RECALL: return recall;
    case IV_RECALL_PRECISION: return precision;
    case IV_RECALL_F: return R1 > 0.0 ? 2.0 * recall * precision / (recall + precision) : 0.0;
    case IV_RECALL_YIELD: return R1 + R0;
    case IV_RECALL_ELUSION: break;
    }
    return R0 / (double)x->N0;
}

/* Counts the limits of the posterior in work. */
static void count_limits(iv_tally *t, iv_recall_posterior *work, const iv_recall_population *x)
{
    for (int q = 0; q < IV_RECALL_QUANTITIES; q++) {
        const double truth = truth_of(x, (iv_recall_quantity)q);
        for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
            const iv_recall_interval i = iv_recall_limits(work, (iv_recall_quantity)q, 1.0,
                                                          iv_coverage_levels()[k], false);
            iv_tally_put(&t[q], k, i.lower, i.upper, truth);
        }
    }
}

/* One stratum a segment. */
static int plain(iv_tally *t, void *user, void *work, size_t number, iv_stream *stream,
                 iv_err *err)
{
    const setting *s = user;
    const iv_recall_population x = s->reviews == NULL
        ? iv_recall_realisation(s->scenario, s->seed, number) : s->reviews[number % s->review_count];
    int64_t n1 = x.n1, n0 = x.n0;
    int rc = IV_OK;

    if (x.together) { /* drawn from all, and split at the cut-off */
        n1 = iv_draw_hyper(stream, x.N1 + x.N0, x.N1, x.n1 + x.n0);
        n0 = x.n1 + x.n0 - n1;
    }
    if (n1 == 0 || n0 == 0) { /* recall refuses: nothing sampled on a side */
        for (int q = 0; q < IV_RECALL_QUANTITIES; q++)
            t[q].gaps++;
        return IV_OK;
    }
    const iv_stratum in = { x.N1, n1, iv_draw_hyper(stream, x.N1, x.R1, n1) };
    const iv_stratum out = { x.N0, n0, iv_draw_hyper(stream, x.N0, x.R0, n0) };
    rc = iv_recall_posterior_set(work, &(iv_segments){ &in, &out, 1, 1 }, &shared, err);
    if (rc == IV_OK)
        count_limits(t, work, &x);
    return rc;
}

/*
 * The layouts of iv_recall_layout_study(): 320,000 unretrieved documents in
 * strata of one size, 640 of them relevant, evenly or each stratum with 3/4 of
 * the share of the one before.
 */
static int stratified(iv_tally *t, void *user, void *work, size_t number, iv_stream *stream,
                      iv_err *err)
{
    enum { MOST = 64 };
    const setting *s = user;
    const double falling = s->graded ? 0.75 : 1.0;
    const int64_t S = (int64_t)s->strata;
    iv_recall_population x = { 2560, 1280, 400, 320000, 0, 3200, false };
    iv_stratum in = { x.N1, x.n1, iv_draw_hyper(stream, x.N1, x.R1, x.n1) }, out[MOST];
    double weight = 1.0, sum = 0.0;
    int rc;

    (void)number;
    for (int64_t i = 0; i < S; i++, weight *= falling)
        sum += weight;
    weight = 1.0;
    for (int64_t i = 0; i < S; i++, weight *= falling) {
        const int64_t relevant = (int64_t)rint(640.0 * weight / sum);
        x.R0 += relevant;
        out[i] = (iv_stratum){ x.N0 / S, x.n0 / S, 0 };
        out[i].relevant = iv_draw_hyper(stream, out[i].size, relevant, out[i].sampled);
    }
    rc = iv_recall_posterior_set(work, &(iv_segments){ &in, out, 1, s->strata }, &shared, err);
    if (rc == IV_OK)
        count_limits(t, work, &x);
    return rc;
}

static int run_setting(iv_coverage *c, const iv_coverage_options *o, setting *s, const char *data,
                       const char *name, size_t replicates, uint32_t study, iv_err *err)
{
    static const char *const quantities[IV_RECALL_QUANTITIES] = { "recall", "precision", "F1",
                                                                  "yield", "elusion" };
    const iv_experiment e = { IV_RECALL_QUANTITIES, iv_coverage_size(o, replicates),
                              s->strata > 0 ? stratified : plain, s, iv_recall_memory };
    iv_tally t[IV_RECALL_QUANTITIES];
    const int rc = iv_experiment_run(t, &e, study << 4, c, err);

    for (int q = 0; q < IV_RECALL_QUANTITIES && rc == IV_OK; q++) {
        iv_covered row = { .part = IV_COVERAGE_RECALL };
        (void)snprintf(row.interval, sizeof row.interval, "%s, betabin-shared", quantities[q]);
        (void)snprintf(row.data, sizeof row.data, "%s", data);
        (void)snprintf(row.setting, sizeof row.setting, "%s", name);
        iv_coverage_put(c, row, &t[q]);
    }
    iv_coverage_step_done(c);
    return rc;
}

int iv_coverage_recall(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    static const struct { size_t strata; bool graded; const char *name; } layouts[] = {
        { 8, false, "8 strata" }, { 32, false, "32 strata" }, { 8, true, "8 strata, graded" } };
    int rc = IV_OK;

    iv_coverage_steps(c, o->review_count > 0 ? 7 : 6);
    for (int k = 0; k < 3 && rc == IV_OK; k++) {
        setting s = { .scenario = (iv_recall_scenario)k, .seed = iv_work_seed(iv_coverage_work(c)) };
        rc = run_setting(c, o, &s, "simulated", iv_recall_scenario_names()[k], 2000,
                         20 + (uint32_t)k, err);
    }
    for (int k = 0; k < 3 && rc == IV_OK; k++) {
        setting s = { .strata = layouts[k].strata, .graded = layouts[k].graded };
        rc = run_setting(c, o, &s, "simulated", layouts[k].name, 400, 23 + (uint32_t)k, err);
    }
    if (rc == IV_OK && o->review_count > 0) {
        setting s = { .reviews = o->reviews, .review_count = o->review_count };
        rc = run_setting(c, o, &s, "review", "samples split at cut-offs", 3000, 26, err);
    }
    return rc;
}
