/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carterette and Smucker (2007): the figures of sections 3 to 5 and table 2.
 * All are computed exactly, or in the normal form where the paper uses it.
 */
#include <math.h>

#include "intervale/plan/cost.h"
#include "intervale/stat/incomplete.h"
#include "intervale/stat/sign_power.h"
#include "study/all_study.h"
#include "study/power_study.h"
#include "study/papers_study.h"

static void add(iv_papers *p, const char *cell, double printed, double rounding, double ours,
                const char *reason)
{
    iv_papers_add(p, (iv_published){ .table = IV_CARTERETTE_NUMBERS, .published = printed,
        .rounding = rounding, .ours = ours, .reason = reason }, "%s", cell);
}

/* Section 3: the sign test with 50 topics at level .05. */
static void sign_test(iv_papers *p)
{
    const double power = iv_sign_power_normal(50, 0.4, 0.05);
    const double h80 = iv_sign_effect_normal(50, 0.80, 0.05);
    const double h60 = iv_sign_effect_normal(50, 0.60, 0.05);
    const double h95 = iv_sign_effect_normal(50, 0.95, 0.05);
    static const char *const wrong = "the normal form itself gives .268 and 63.4 %";

    add(p, "3.2: critical value", 32, 0.0, (double)iv_sign_critical(50, 0.05), NULL);
    add(p, "3.2: power at h = .4, normal form", 0.882, 0.0005, power, NULL);
    add(p, "3.2: chance to miss it", 0.12, 0.005, 1.0 - power, NULL);
    add(p, "3.2: h for power .80", 0.35, 0.005, h80, NULL);
    add(p, "3.2: share of topics for power .80", 0.68, 0.005, (1.0 + h80) / 2.0, NULL);
    add(p, "3.2: h for power .60", 0.25, 0.005, h60, wrong);
    add(p, "3.2: share of topics for power .60", 0.625, 0.0005, (1.0 + h60) / 2.0, wrong);
    add(p, "3.2: h for power .95", 0.47, 0.005, h95, NULL);
    add(p, "3.2: share of topics for power .95", 0.735, 0.0005, (1.0 + h95) / 2.0,
        "computed from h rounded to two digits");
    add(p, "3.4: share of wins left at certainty .8", 0.62, 0.005,
        (1.0 + iv_uncertain_effect(0.4, 0.8)) / 2.0, NULL);
    add(p, "3.4: effect left at certainty .8", 0.24, 0.005, iv_uncertain_effect(0.4, 0.8), NULL);
    add(p, "3.4: topics instead of 50 at certainty .8", 138, 0.5, iv_uncertain_topics(50, 0.8),
        "cut off; to keep the power it must be rounded up, to 139");
}

/* Section 4: the average precision of the list B, A, C with A not relevant. */
static int toy_ranking(iv_papers *p, iv_err *err)
{
    static const uint32_t ranks[] = { 2, 1, 3 }, nowhere[] = { 0, 0, 0 };
    static const double relevant[] = { 0.0, 1.0, 1.0 };
    iv_moments found;
    const int rc = iv_ap_difference(&found, ranks, nowhere, relevant, 3, IV_MOMENTS_EXACT, err);

    if (rc == IV_OK)
        add(p, "4: average precision of the list of three", (1.0 + 2.0 / 3.0) / 2.0, 0.0,
            found.mean, NULL);
    return rc;
}

/* Section 5.1: what judging costs by the model fitted to all pairs. */
static int costs(iv_papers *p, iv_err *err)
{
    const iv_cost_model model = { .g = { 4.79, 5.43, 0.71 } };
    const iv_prices prices = { 0.0, 1.0, 0.0 };
    const double at68 = iv_cost_at(&model, 25.0, 0.68, &prices).cost;
    iv_cost_choice least;

    IV_TRY(iv_cost_least(&least, &model, 25.0, &prices, IV_COST_LEAST_CERTAINTY, err));
    add(p, "5.1: judgments at certainty 1", 1180, 5.0,
        iv_cost_at(&model, 25.0, 1.0, &prices).cost, NULL);
    add(p, "5.1: judgments at certainty .8", 914, 0.5,
        iv_cost_at(&model, 25.0, 0.8, &prices).cost, "914 is what certainty .9 costs");
    add(p, "5.1: certainty of least cost", 0.68, 0.005, least.certainty, NULL);
    add(p, "5.1: judgments at certainty .68", 620, 5.0, at68, NULL);
    add(p, "5.1: topics at certainty .68", 192, 0.5, iv_uncertain_topics(25.0, 0.68),
        "cut off; to keep the power it must be rounded up, to 193");
    add(p, "5.1: saved of pools' 4,161 judgments", 0.85, 0.005, 1.0 - at68 / 4161.0, NULL);
    return IV_OK;
}

/* Section 5.2.1: a pilot's model. */
static int pilot(iv_papers *p, iv_err *err)
{
    static const char *const why = "the plan does not follow from the coefficients that are "
                                   "printed with it";
    const iv_cost_model model = { .g = { 5.02, 5.6, 0.91 } };
    const iv_prices prices = { 0.0, 1.0, 0.0 };
    iv_cost_choice least;

    IV_TRY(iv_cost_least(&least, &model, 25.0, &prices, IV_COST_LEAST_CERTAINTY, err));
    add(p, "5.2.1: certainty of least cost", 0.85, 0.005, least.certainty, why);
    add(p, "5.2.1: topics", 51, 0.5, least.topics, why);
    add(p, "5.2.1: judgments", 1625, 0.5, least.judgments, why);
    add(p, "5.2.1: judgments at that certainty", 1625, 0.5,
        iv_cost_at(&model, 25.0, 0.85, &prices).judgments, why);
    return IV_OK;
}

/* ---------------------------------------------------------------- table 2 -- */

enum { SIZES = 3, EFFECTS = 3 };

static const int64_t sizes[SIZES] = { 25, 50, 100 };
static const double effects[EFFECTS] = { 0.25, 0.35, 0.50 };
static const double predicted[SIZES][EFFECTS] = {
    { .222, .408, .727 }, { .478, .753, .971 }, { .795, .971, 1.000 } };
static const double observed[SIZES][EFFECTS] = {
    { .246, .445, .780 }, { .515, .816, .993 }, { .850, .990, 1.000 } };
static const double observed_se[SIZES][EFFECTS] = {
    { .015, .018, .023 }, { .089, .098, .012 }, { .083, .021, .000 } };

static void predictions(iv_papers *p)
{
    for (size_t i = 0; i < SIZES; i++)
        for (size_t j = 0; j < EFFECTS; j++)
            iv_papers_add(p, (iv_published){ .table = IV_CARTERETTE_2,
                .published = predicted[i][j], .rounding = 0.0005,
                .ours = iv_sign_power(sizes[i], effects[j], 0.05, IV_GREATER),
                .reason = "off by .001 to .004; ours is the exact binomial sum" },
                "n = %d, h = %.2f: predicted", (int)sizes[i], effects[j]);
}

/* Exact too: the mean over all samples of topics there are. */
static int observations(iv_papers *p, const iv_papers_options *o, iv_err *err)
{
    const iv_power_study_options study = {
        .topics = { sizes, SIZES }, .effects = { effects, EFFECTS }, .width = 0.025,
        .alpha = 0.05, .trials = 2, .runs = 2, .permutations = 19 };
    iv_arena own = { 0 };
    iv_score_grid x;
    iv_sign_power_row rows[SIZES * EFFECTS];
    int rc = iv_grid_of(&x, &own, o->robust2004, err);

    for (size_t i = 0; rc == IV_OK && i < x.systems * x.topics; i++)
        if (isnan(x.values[i]))
            rc = iv_fail(err, IV_ENODATA, "the matrix of scores has a gap");
    if (rc == IV_OK)
        rc = iv_study_sign_power(rows, &x, &study, iv_papers_work(p), err);
    for (size_t k = 0; k < SIZES * EFFECTS && rc == IV_OK; k++) {
        const size_t i = k / EFFECTS, j = k % EFFECTS;
        if (rows[k].pairs > 0) /* a printed error of .000 may be half a unit */
            iv_papers_add(p, (iv_published){ .table = IV_CARTERETTE_2,
                .published = observed[i][j], .rounding = 0.0005,
                .published_se = fmax(observed_se[i][j], 0.0005), .ours = rows[k].expected },
                "n = %d, h = %.2f: observed", (int)sizes[i], effects[j]);
        else
            iv_papers_leave_out(p, IV_CARTERETTE_2, "no pair of systems has some of the "
                                "effects: their observed power is left out");
    }
    iv_arena_free(&own);
    return rc;
}

int iv_papers_carterette(iv_papers *p, const iv_papers_options *o, iv_err *err)
{
    if (o->wanted[IV_CARTERETTE_NUMBERS]) {
        sign_test(p);
        IV_TRY(toy_ranking(p, err));
        IV_TRY(costs(p, err));
        IV_TRY(pilot(p, err));
    }
    if (!o->wanted[IV_CARTERETTE_2])
        return IV_OK;
    predictions(p);
    if (o->robust2004 != NULL)
        return observations(p, o, err);
    iv_papers_leave_out(p, IV_CARTERETTE_2, "observed powers need the matrix of TREC 2004's "
                        "Robust track: --robust2004 FILE");
    return IV_OK;
}
