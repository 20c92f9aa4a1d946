/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carterette and Smucker (2007): all values of sections 3 to 5 that follow from formulas are
 * exact, or in the normal form where the paper uses it.  Experiments on runs are repeated on the
 * runs that are given, or on a simulated collection.
 */
#include "base/err.h"
#include "base/memory.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

static void put(iv_paper_run *p, const char *table, const char *row, const char *column, double x)
{
    iv_paper_put(p, table, row, column, x, 0.0);
}

/* Section 3: the sign test with 50 topics at level 0.05. */
static void sign_test(iv_paper_run *p)
{
    static const double powers[] = { 0.80, 0.60, 0.95 };
    const double power = iv_sign_power_normal(50, 0.4, 0.05);

    put(p, "Section 3", "n = 50, alpha = 0.05", "critical value",
        (double)iv_sign_critical(50, 0.05));
    put(p, "Section 3", "h = 0.4", "power, normal form", power);
    put(p, "Section 3", "h = 0.4", "chance to miss it", 1.0 - power);
    for (size_t i = 0; i < 3; i++) {
        const double h = iv_sign_effect_normal(50, powers[i], 0.05);
        const char *row = iv_paper_text(p, "power %.2f", powers[i]);
        put(p, "Section 3", row, "h", h);
        put(p, "Section 3", row, "proportion of topics", (1.0 + h) / 2.0);
    }
    put(p, "Section 3", "certainty 0.8", "proportion of wins left",
        (1.0 + iv_uncertain_effect(0.4, 0.8)) / 2.0);
    put(p, "Section 3", "certainty 0.8", "h left", iv_uncertain_effect(0.4, 0.8));
    put(p, "Section 3", "certainty 0.8", "topics instead of 50", iv_uncertain_topics(50, 0.8));
    /* 40 topics with h = 0.4; or 50, of which 10 are won with probability 1/2. */
    put(p, "Section 3", "10 of 50 topics tied, h = 0.4", "power if they are discarded less power "
        "if assigned at random", iv_sign_power(40, 0.4, 0.05, IV_GREATER)
                              - iv_sign_power(50, 0.8 * 0.4, 0.05, IV_GREATER));
}

static void sign_figures(iv_paper_run *p)
{
    static const double nulls[] = { 0.5, 0.7 }, levels[] = { 0.01, 0.05, 0.10 };
    static const int sizes[] = { 25, 50, 100 };

    for (size_t i = 0; i < 2; i++) {
        const char *curve = iv_paper_text(p, "theta %g", nulls[i]);
        for (int64_t k = 0; k <= 50; k++)
            iv_paper_draw(p, "Figure 1", "n = 50", curve, (double)k,
                          exp(iv_binom_log_pmf(k, 50, nulls[i])));
    }
    for (size_t i = 0; i < 3; i++) {
        const char *curve = iv_paper_text(p, "n = %d", sizes[i]);
        for (double h = 0.0; h <= 0.8001; h += 0.02)
            iv_paper_draw(p, "Figure 2", "alpha 0.05", curve, h,
                          iv_sign_power(sizes[i], h, 0.05, IV_GREATER));
    }
    for (size_t i = 0; i < 3; i++) {
        const char *curve = iv_paper_text(p, "alpha %.2f", levels[i]);
        for (int64_t n = 10; n <= 200; n += 5)
            iv_paper_draw(p, "Figure 2", "h = 0.4", curve, (double)n,
                          iv_sign_power(n, 0.4, levels[i], IV_GREATER));
    }
    for (double c = 0.6; c <= 1.0001; c += 0.01)
        iv_paper_draw(p, "Figure 3", "n = 50", "topics", c, iv_uncertain_topics(50, c));
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 1", "Distribution of the number of wins of 50 "
                    "under the null hypothesis and for theta 0.7; 32 wins reject.", "wins",
                    "probability");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 2", "Exact power of the one-sided sign test over "
                    "the effect h, and over the number of topics.", "effect h, or topics", "power");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 3", "Topics that keep the power of 50 certain "
                    "ones.", "certainty", "topics");
}

/* Section 4: the average precision of the list B, A, C with A not relevant. */
static int toy_ranking(iv_paper_run *p, iv_err *err)
{
    static const uint32_t ranks[] = { 2, 1, 3 }, nowhere[] = { 0, 0, 0 };
    static const uint32_t *const both[] = { ranks, nowhere };
    static const double relevant[] = { 0.0, 1.0, 1.0 };
    iv_ap_belief *b = NULL;

    IV_TRY(iv_ap_belief_new(&b, both, 2, relevant, 3, false, err));
    put(p, "Section 4", "list B, A, C", "average precision",
        iv_ap_belief_moments(b, 0, IV_MOMENTS_PLAIN).mean);
    iv_ap_belief_free(b);
    return IV_OK;
}

/* Section 5: what judging costs by the printed models. */
static int costs(iv_paper_run *p, iv_err *err)
{
    iv_cost_model model = { .rows = 0 }, pilot = model;
    const iv_prices prices = { 0.0, 1.0, 0.0 };
    iv_cost_choice least;

    for (int k = 0; k < 3; k++) {
        const char *column = iv_paper_text(p, "gamma %d", k);
        model.g[k] = iv_paper_input(p, "Equation 6", "fit to all pairs", column);
        pilot.g[k] = iv_paper_input(p, "Section 5.2.1", "fit to a pilot", column);
    }
    const double at68 = iv_cost_at(&model, 25.0, 0.68, &prices).cost;
    const double pool = iv_paper_input(p, "Section 5", "pool of depth 100, 25 topics", "judgments");

    IV_TRY(iv_cost_least(&least, &model, 25.0, &prices, IV_COST_LEAST_CERTAINTY, err));
    put(p, "Section 5", "certainty 1", "judgments", iv_cost_at(&model, 25.0, 1.0, &prices).cost);
    put(p, "Section 5", "certainty 0.8", "judgments", iv_cost_at(&model, 25.0, 0.8, &prices).cost);
    put(p, "Section 5", "least cost", "certainty", least.certainty);
    put(p, "Section 5", "least cost, eq. 8", "certainty",
        model.g[1] / (2.0 * model.g[1] - 4.0 * model.g[2]));
    put(p, "Section 5", "certainty 0.68", "judgments", at68);
    put(p, "Section 5", "certainty 0.68", "topics instead of 25", iv_uncertain_topics(25.0, 0.68));
    put(p, "Section 5", "certainty 0.68", "% saved of 4,161", 100.0 * (1.0 - at68 / pool));
    IV_TRY(iv_cost_least(&least, &pilot, 25.0, &prices, IV_COST_LEAST_CERTAINTY, err));
    put(p, "Section 5", "pilot, least cost", "certainty", least.certainty);
    put(p, "Section 5", "pilot, least cost", "topics", least.topics);
    put(p, "Section 5", "pilot, least cost", "judgments", least.judgments);
    put(p, "Section 5", "pool of depth 100, 25 topics", "judgments a topic", pool / 25.0);
    put(p, "Section 5", "certainty 0.68", "judgments a topic",
        at68 / iv_uncertain_topics(25.0, 0.68));
    for (double c = 0.55; c <= 1.0001; c += 0.01) {
        iv_paper_draw(p, "Figure 6", "n = 25", "judgments", c,
                      iv_cost_at(&model, 25.0, c, &prices).cost);
        iv_paper_draw(p, "Figure 6", "n = 25", "topics", c, iv_uncertain_topics(25.0, c));
    }
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 6", "Judgments and topics that keep the power of "
                    "25 certain topics, by the printed model.", "certainty", "number");
    return IV_OK;
}

/* Table 2: predicted powers are exact; observed ones the mean over all samples there are. */
static int table_2(iv_paper_run *p, iv_err *err)
{
    static const size_t n[] = { 25, 50, 100 };
    static const double h[] = { 0.25, 0.35, 0.50 };
    double more = 0.0, cells = 0.0;
    iv_score_grid x;

    for (size_t k = 0; k < 9; k++)
        put(p, "Table 2", iv_paper_text(p, "n = %zu, h = %.2f", n[k / 3], h[k % 3]), "predicted",
            iv_sign_power((int64_t)n[k / 3], h[k % 3], 0.05, IV_GREATER));
    if (p->q->exact)
        return IV_OK;
    IV_TRY(iv_paper_robust(&x, p, err));
    for (size_t k = 0; k < 9; k++) {
        const size_t i = k / 3, j = k % 3;
        const char *row = iv_paper_text(p, "n = %zu, h = %.2f", n[i], h[j]);
        size_t pairs = 0;
        double observed;
        if (2 * n[i] <= x.topics) /* otherwise samples would be nearly the population */
            IV_TRY(iv_study_sign_power(&pairs, &observed, &x, n[i], h[j], 0.025, 0.025, 0.05,
                                       p->work, err));
        if (pairs == 0) {
            iv_paper_cannot(p, "Table 2", row, "observed",
                            "the scores have too few topics, or no pair with such an effect");
            continue;
        }
        put(p, "Table 2", row, "observed", observed);
        more += observed - iv_sign_power((int64_t)n[i], h[j], 0.05, IV_GREATER);
        cells += 1.0;
    }
    if (cells > 0.0)
        put(p, "Table 2", "all cells", "mean of observed less predicted power", more / cells);
    return IV_OK;
}

/* -------------------------------------------------------- on other runs -- */

/* Is the sign right as often as the confidence says? */
static void figure_4(iv_paper_run *p, const iv_judging_found *f)
{
    static const char *const rows[] = { "confidence 0.5 to 0.7", "confidence 0.7 to 0.9",
                                        "confidence 0.9 to 1" };
    static const size_t from[] = { 0, 4, 8, IV_BINS };

    for (size_t r = 0; r < 3; r++) {
        iv_judging_bin sum = { .points = 0 };
        for (size_t b = from[r]; b < from[r + 1]; b++) {
            const iv_judging_bin *x = &f->bin[IV_BINS_CONFIDENCE][b];
            const double n = (double)x->points;
            sum.points += x->points;
            sum.at += x->at;
            sum.right += x->right;
            if (x->points == 0)
                continue;
            iv_paper_draw(p, "Figure 4", "pairs", "sign of the difference in MAP", x->at / n,
                          (double)x->right / n);
            if (x->topics > 0)
                iv_paper_draw(p, "Figure 4", "pairs", "sign on a topic", x->at / n,
                              (double)x->topic_right / (double)x->topics);
        }
        if (sum.points == 0)
            continue;
        const double n = (double)sum.points, c = sum.at / n;
        /* Stages of one pair depend on each other: pairs are counted. */
        iv_paper_put(p, "Figure 4", rows[r], "accuracy less confidence", (double)sum.right / n - c,
                     fmax(sqrt(c * (1.0 - c) / fmin(n, (double)f->pairs)), 1e-9));
    }
}

/* Bins of effects in which a design has at least the power of 25 certain topics, and all. */
static void compare_power(iv_paper_run *p, const iv_judging_found *f, int kind, const char *figure)
{
    double better = 0.0, bins = 0.0;

    for (size_t b = 0; b < IV_BINS; b++) {
        const iv_judging_bin *x = &f->bin[kind][b], *certain = &f->bin[IV_BINS_CERTAIN][b];
        const double n = (double)x->points, m = (double)certain->points;
        if (x->points == 0 || certain->points == 0)
            continue;
        const double power = (double)x->right / n, theirs = (double)certain->right / m;
        iv_paper_draw(p, figure, "power", kind == IV_BINS_CHEAPEST ? "cheapest plan"
                      : "plan by a pilot", x->at / n, power);
        iv_paper_draw(p, figure, "power", "25 certain topics", certain->at / m, theirs);
        bins += 1.0;
        better += power >= theirs;
        if (kind == IV_BINS_CHEAPEST && b == 5)
            iv_paper_put(p, figure, "cheapest plan, h = 0.5", "power", power, 1e-9);
    }
    if (bins > 0.0)
        iv_paper_put(p, figure, "at least the power of 25 certain topics", "% of ranges of h",
                     100.0 * better / bins, 1e-9);
}

/* Figure 7 (a): effects that the test sees, beside (2 lambda - 1) h. */
static void adjusted(iv_paper_run *p, const iv_judging_found *f)
{
    const double shrunk = 2.0 * f->choice.certainty - 1.0;
    double sum = 0.0, n = 0.0;

    for (size_t b = 0; b < IV_BINS; b++) {
        const iv_judging_bin *x = &f->bin[IV_BINS_CHEAPEST][b];
        const double points = (double)x->points;
        if (x->points == 0)
            continue;
        iv_paper_draw(p, "Figure 7", "adjusted effect", "observed", x->at / points,
                      x->adjusted / points);
        iv_paper_draw(p, "Figure 7", "adjusted effect", "predicted", x->at / points,
                      shrunk * x->at / points);
        sum += x->adjusted - shrunk * x->at;
        n += points;
    }
    if (n > 0.0)
        iv_paper_put(p, "Figure 7", "adjusted effect", "mean observed less predicted", sum / n,
                     1e-9);
}

static void simulated(iv_paper_run *p, const char *table, const char *row, const char *column,
                      double x)
{
    iv_paper_put(p, table, row, column, x, 1e-9);
}

/* Section 5.1: what the cheapest plan takes; column data names the plan. */
static void spent(iv_paper_run *p, const iv_judging_found *f)
{
    const iv_judging_spent *s = f->spent, *cheap = &s[IV_SPENT_CHEAPEST];
    const char *table = "Section 5.1", *plan = "cheapest plan", *whole = p->data;
    const char *pool = "pool of depth 100, 25 topics";

    simulated(p, table, "25 certain topics", "mean judgments", s[IV_SPENT_CERTAIN].mean);
    if (cheap->trials == 0)
        return;
    p->data = iv_paper_text(p, "%s: %.0f topics at %.2f", whole, ceil(f->choice.topics - 1e-9),
                            f->choice.certainty);
    simulated(p, "Section 5", pool, "ratio of judgments to the cheapest plan's",
              s[IV_SPENT_POOL].mean / cheap->mean);
    simulated(p, table, plan, "mean judgments", cheap->mean);
    simulated(p, table, plan, "median judgments", cheap->median);
    simulated(p, table, plan, "least judgments", cheap->least);
    simulated(p, table, plan, "most judgments", cheap->most);
    simulated(p, table, pool, "judgments more than the cheapest plan",
              s[IV_SPENT_POOL].mean - cheap->mean);
    simulated(p, table, plan, "% of trials below the model", 100.0 * f->below_plan);
    simulated(p, table, plan, "judgments over those of 25 certain topics",
              cheap->mean / s[IV_SPENT_CERTAIN].mean);
    compare_power(p, f, IV_BINS_CHEAPEST, "Figure 7");
    adjusted(p, f);
    p->data = whole;
}

/* Section 5.2: plans by pilots of ten topics, with free topics and with topics that cost 20. */
static void planned(iv_paper_run *p, const iv_judging_found *f)
{
    const char *table = "Section 5.2", *plan = "plan by a pilot", *pilot = "pilot of 10 topics";
    const char *dear = "topics cost 20 judgments";
    const iv_judging_spent *s = f->spent;
    const double taken = s[IV_SPENT_TAKEN].mean;

    if (s[IV_SPENT_TAKEN].trials == 0)
        return;
    simulated(p, table, pilot, "mean judgments", s[IV_SPENT_START].mean);
    simulated(p, table, pilot, "% of trials with 1,000 judgments or fewer", 100.0 * f->small_start);
    simulated(p, table, pilot, "most judgments", s[IV_SPENT_START].most);
    simulated(p, table, plan, "certainty", f->plan.certainty);
    simulated(p, table, plan, "topics", f->plan.topics);
    simulated(p, table, plan, "most topics", f->plan.most_topics);
    simulated(p, table, plan, "predicted judgments", s[IV_SPENT_PREDICTED].mean);
    simulated(p, table, plan, "mean judgments", taken);
    simulated(p, table, plan, "judgments over those of 25 certain topics",
              taken / s[IV_SPENT_CERTAIN].mean);
    simulated(p, table, plan, "judgments over predicted ones", taken / s[IV_SPENT_PREDICTED].mean);
    simulated(p, table, plan, "% of trials with more judgments than predicted",
              100.0 * f->plan.over);
    simulated(p, table, plan, "correlation of predicted and taken", f->pilot_correlation);
    simulated(p, table, dear, "% of trials where judging to certainty is cheapest",
              100.0 * f->certain_cheapest);
    if (s[IV_SPENT_DEAR].trials == 0)
        return;
    simulated(p, table, dear, "most topics", f->dear.most_topics);
    simulated(p, table, dear, "mean topics", f->dear.topics);
    simulated(p, table, dear, "mean certainty", f->dear.certainty);
    simulated(p, table, dear, "mean judgments", s[IV_SPENT_DEAR].mean);
    simulated(p, table, dear, "mean cost", s[IV_SPENT_DEAR].mean + 20.0 * f->dear.topics);
    simulated(p, table, dear, "predicted cost", f->dear.cost);
    simulated(p, table, dear, "% of trials that cost more than predicted", 100.0 * f->dear.over);
}

static void draw_judging(iv_paper_run *p, const iv_judging_found *f)
{
    figure_4(p, f);
    for (size_t i = 0; i < f->rows; i++)
        if (f->row[i].reached > 0 && (f->row[i].topics == 5 || f->row[i].topics % 10 == 0))
            iv_paper_draw(p, "Figure 5", "mean over pairs",
                          iv_paper_text(p, "%zu topics", f->row[i].topics), f->row[i].certainty,
                          f->row[i].judgments);
    compare_power(p, f, IV_BINS_PILOT, "Figure 8");
    spent(p, f);
    planned(p, f);
    for (int k = 0; k < 3; k++)
        iv_paper_put(p, "Equation 6", "fit to all pairs", iv_paper_text(p, "gamma %d", k),
                     f->model.g[k], 1e-9);
    iv_paper_put(p, "Equation 6", "fit to all pairs", "R squared", f->model.r2, 1e-9);
    iv_paper_figure(p, IV_CHART_POINTS, "Figure 4", "How often the sign is right, over the "
                    "confidence in it.", "confidence", "accuracy");
    iv_paper_diagonal(p);
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 5", "Judgments that a confidence takes, by the "
                    "number of topics.", "confidence", "judgments");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 7", "Effects that the test sees, and its power, "
                    "over the true effect.", "effect h", "adjusted effect, or power");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 8", "Power of plans made from a pilot of ten "
                    "topics, over the true effect.", "effect h", "power");
}

/* Figures 4, 5, 7 and 8, equation 6 and section 5, on runs that are given or simulated. */
static int judging(iv_paper_run *p, iv_err *err)
{
    const iv_study_question q = { .quick = p->q->quick, .judgments = p->q->judgments,
                                  .runs = p->q->runs };
    const size_t pairs = p->q->quick ? 10 : q.judgments != NULL ? 500 : 66;
    iv_study s = { .q = &q, .out = p->out, .work = p->work, .name = "papers" };
    iv_judging_found f = { 0 };
    iv_collection c;

    iv_study_steps(&s, 1);
    int rc = iv_study_collection(&c, &s, p->q->quick ? 20 : 50, p->q->quick ? 6 : 12, err);
    p->data = iv_paper_collection(p, &c);
    if (rc == IV_OK)
        rc = iv_judging_experiment(&f, &s.own, &c, pairs, 25, p->work, err);
    if (rc == IV_OK)
        draw_judging(p, &f);
    free(s.row);
    iv_arena_free(&s.own);
    return rc;
}

int iv_paper_carterette(iv_paper_run *p, iv_err *err)
{
    sign_test(p);
    sign_figures(p);
    IV_TRY(toy_ranking(p, err));
    IV_TRY(costs(p, err));
    IV_TRY(table_2(p, err));
    return p->q->exact ? IV_OK : judging(p, err);
}
