/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of the default intervals of recall: betabin-weighted, on recall,
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

static const iv_recall_options usual = { .method = IV_RECALL_BETABIN_WEIGHTED,
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
    rc = iv_recall_posterior_set(work, &(iv_segments){ &in, &out, 1, 1 }, &usual, err);
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
    rc = iv_recall_posterior_set(work, &(iv_segments){ &in, out, 1, s->strata }, &usual, err);
    if (rc == IV_OK)
        count_limits(t, work, &x);
    return rc;
}

static int run_setting(iv_coverage *c, setting *s, const char *name, size_t replicates,
                       uint32_t number, iv_err *err)
{
    static const char *const quantities[IV_RECALL_QUANTITIES] = {
        "recall, betabin-weighted", "precision, betabin-weighted", "F1, betabin-weighted",
        "yield, betabin-weighted", "elusion, betabin-weighted" };

    return iv_experiment_run(
        c, &(iv_experiment){ IV_COVERAGE_RECALL, s->reviews != NULL ? "review" : "simulated",
                             quantities, IV_RECALL_QUANTITIES, replicates, number << 4,
                             s->strata > 0 ? stratified : plain, s, iv_recall_memory }, err,
        "%s", name);
}

/* Strata sampled at unequal rates, by enumeration: the mean over truths, and the least. */
static int unequal(iv_coverage *c, size_t number, iv_err *err)
{
    static const iv_recall_method methods[] = { IV_RECALL_BETABIN_WEIGHTED, IV_RECALL_EXACT };

    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        iv_recall_coverage found[IV_RECALL_ALL];
        iv_stage stage;
        IV_TRY(iv_recall_unequal_study(found, number, iv_coverage_levels()[k],
                                       iv_work_nth(&stage, &c->stage.work, k,
                                                   IV_COVERAGE_LEVELS), err));
        for (int m = 0; m < 2; m++) {
            const iv_recall_coverage *x = &found[methods[m]];
            if (isnan(x->coverage))
                continue;
            iv_covered *row = iv_coverage_add(
                c, IV_COVERAGE_RECALL, m == 0 ? "recall, betabin-weighted" : "recall, exact",
                "simulated", "unequal rates, %s", iv_recall_unequal_name(number));
            row->nominal = iv_coverage_levels()[k];
            row->coverage = x->coverage;
            row->least = x->coverages.least;
            row->below = x->below;
            row->above = x->above;
            row->width = x->width;
            row->replicates = SIZE_MAX;
        }
    }
    iv_coverage_step_done(c);
    return IV_OK;
}

int iv_coverage_recall(iv_coverage *c, iv_err *err)
{
    static const struct { size_t strata; bool graded; const char *name; } layouts[] = {
        { 8, false, "8 strata" }, { 32, false, "32 strata" }, { 8, true, "8 strata, graded" } };
    setting review = { .reviews = c->o->reviews, .review_count = c->o->review_count };

    size_t designs = 0;

    while (iv_recall_unequal_name(designs) != NULL)
        designs++;
    const size_t first = c->o->quick ? designs - 2 : 0; /* the last are small */
    iv_coverage_steps(c, designs - first + (review.review_count > 0 ? 7 : 6));
    for (uint32_t k = 0; k < 3; k++) {
        setting s = { .scenario = (iv_recall_scenario)k, .seed = iv_work_seed(c->whole) };
        IV_TRY(run_setting(c, &s, iv_recall_scenario_names()[k], 2000, 20 + k, err));
    }
    for (uint32_t k = 0; k < 3; k++) {
        setting s = { .strata = layouts[k].strata, .graded = layouts[k].graded };
        IV_TRY(run_setting(c, &s, layouts[k].name, 400, 23 + k, err));
    }
    for (size_t i = first; i < designs; i++)
        IV_TRY(unequal(c, i, err));
    return review.review_count == 0 ? IV_OK
        : run_setting(c, &review, "samples split at cut-offs", 3000, 26, err);
}
