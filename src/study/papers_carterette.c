/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carterette and Smucker (2007): all values of sections 3 to 5 that follow from formulas are
 * exact, or in the normal form where the paper uses it.  Experiments on runs are repeated on a
 * simulated collection.
 */
#include "study/study.h"

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
    const iv_cost_model model = { .g = { 4.79, 5.43, 0.71 } }, pilot = { .g = { 5.02, 5.6, 0.91 } };
    const iv_prices prices = { 0.0, 1.0, 0.0 };
    const double at68 = iv_cost_at(&model, 25.0, 0.68, &prices).cost;
    iv_cost_choice least;

    IV_TRY(iv_cost_least(&least, &model, 25.0, &prices, IV_COST_LEAST_CERTAINTY, err));
    put(p, "Section 5", "certainty 1", "judgments", iv_cost_at(&model, 25.0, 1.0, &prices).cost);
    put(p, "Section 5", "certainty 0.8", "judgments", iv_cost_at(&model, 25.0, 0.8, &prices).cost);
    put(p, "Section 5", "least cost", "certainty", least.certainty);
    put(p, "Section 5", "least cost, eq. 8", "certainty",
        model.g[1] / (2.0 * model.g[1] - 4.0 * model.g[2]));
    put(p, "Section 5", "certainty 0.68", "judgments", at68);
    put(p, "Section 5", "certainty 0.68", "topics instead of 25", iv_uncertain_topics(25.0, 0.68));
    put(p, "Section 5", "certainty 0.68", "% saved of 4,161", 100.0 * (1.0 - at68 / 4161.0));
    IV_TRY(iv_cost_least(&least, &pilot, 25.0, &prices, IV_COST_LEAST_CERTAINTY, err));
    put(p, "Section 5", "pilot, least cost", "certainty", least.certainty);
    put(p, "Section 5", "pilot, least cost", "topics", least.topics);
    put(p, "Section 5", "pilot, least cost", "judgments", least.judgments);
    put(p, "Section 5", "pilot, certainty 0.85", "judgments",
        iv_cost_at(&pilot, 25.0, 0.85, &prices).judgments);
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
    iv_score_grid x;

    for (size_t k = 0; k < 9; k++)
        put(p, "Table 2", iv_paper_text(p, "n = %zu, h = %.2f", n[k / 3], h[k % 3]), "predicted",
            iv_sign_power((int64_t)n[k / 3], h[k % 3], 0.05, IV_GREATER));
    if (p->q->exact)
        return IV_OK;
    IV_TRY(iv_paper_robust(&x, p, err));
    for (size_t k = 0; k < 18; k++) {
        const size_t i = k % 9 / 3, j = k % 3;
        const bool upwards = k >= 9;
        size_t pairs;
        double observed;
        if (n[i] > x.topics)
            continue;
        IV_TRY(iv_study_sign_power(&pairs, &observed, &x, n[i], h[j], upwards ? 0.0 : 0.025,
                                   upwards ? 0.05 : 0.025, 0.05, p->work, err));
        if (pairs > 0)
            put(p, "Table 2", iv_paper_text(p, "n = %zu, h = %.2f", n[i], h[j]),
                upwards ? "observed, effects h to h + 0.05" : "observed, effects h +- 0.025",
                observed);
    }
    iv_result_note(p->out, "Table 2: the paper does not say which effects count as h. With h +- "
                   "0.025 "
                   "our observed powers are below the printed ones, with h to h + 0.05 mostly "
                   "above.");
    return IV_OK;
}

/* -------------------------------------------------------- on other runs -- */

static void draw_judging(iv_paper_run *p, const iv_judging_found *f)
{
    double least = INFINITY;

    for (size_t b = 0; b < IV_BINS; b++) {
        const iv_judging_bin *x = &f->bin[IV_BINS_CONFIDENCE][b];
        if (x->points == 0)
            continue;
        const double n = (double)x->points, c = x->at / n, a = (double)x->right / n;
        iv_paper_draw(p, "Figure 4", "pairs", "sign of the difference in MAP", c, a);
        if (x->topics > 0)
            iv_paper_draw(p, "Figure 4", "pairs", "sign on a topic", c,
                          (double)x->topic_right / (double)x->topics);
        least = x->points >= 30 ? fmin(least, a - c) : least;
    }
    iv_paper_put(p, "Figure 4", "confidence from 0.5", "smallest accuracy less confidence",
                 isfinite(least) ? least : 0.0, 1e-9);
    for (size_t i = 0; i < f->rows; i++)
        if (f->row[i].reached > 0 && (f->row[i].topics == 5 || f->row[i].topics % 10 == 0))
            iv_paper_draw(p, "Figure 5", "mean over pairs",
                          iv_paper_text(p, "%zu topics", f->row[i].topics), f->row[i].certainty,
                          f->row[i].judgments);
    for (size_t i = 0; i < 2 * IV_BINS; i++) {
        const bool cheap = i >= IV_BINS;
        const iv_judging_bin *x = &f->bin[cheap ? IV_BINS_CHEAPEST : IV_BINS_CERTAIN][i % IV_BINS];
        if (x->points == 0)
            continue;
        const double h = x->at / (double)x->points, power = (double)x->right / (double)x->points;
        iv_paper_draw(p, "Figure 7", "power", cheap ? "cheapest plan" : "25 certain topics", h,
                      power);
        if (cheap && fabs(h - 0.5) < 0.06)
            iv_paper_put(p, "Figure 7", "192 topics at 68 %, h = 0.5", "power", power, 1e-9);
    }
}

/* Figures 4, 5 and 7 and equation 6 on a simulated collection. */
static int judging(iv_paper_run *p, iv_err *err)
{
    const iv_study_question q = { .quick = p->q->quick };
    iv_study s = { .q = &q, .out = p->out, .work = p->work, .name = "papers" };
    iv_judging_found f = { 0 };
    iv_collection c;

    iv_study_steps(&s, 1);
    p->other_data = true;
    int rc = iv_study_collection(&c, &s, p->q->quick ? 20 : 50, p->q->quick ? 6 : 12, err);
    if (rc == IV_OK)
        rc = iv_judging_experiment(&f, &s.own, &c, p->q->quick ? 10 : 66, 25, p->work, err);
    if (rc == IV_OK) {
        draw_judging(p, &f);
        for (int k = 0; k < 3; k++)
            iv_paper_put(p, "Equation 6", "fit to all pairs", iv_paper_text(p, "gamma %d", k),
                         f.model.g[k], 1e-9);
        iv_paper_put(p, "Equation 6", "fit to all pairs", "R squared", f.model.r2, 1e-9);
        iv_paper_figure(p, IV_CHART_POINTS, "Figure 4", "How often the sign is right, over the "
                        "confidence in it; simulated runs.", "confidence", "accuracy");
        iv_paper_diagonal(p);
        iv_paper_figure(p, IV_CHART_CURVES, "Figure 5", "Judgments that a confidence takes, by the "
                        "number of topics; simulated runs.", "confidence", "judgments");
        iv_paper_figure(p, IV_CHART_CURVES, "Figure 7", "Power over the true effect; simulated "
                        "runs.", "effect h", "power");
    }
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
