/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/pilot_training.h"

#include <math.h>
#include <stdlib.h>

#include "num/num_private.h"
#include "stat/stat_private.h"

static double log_judgments(const double g[3], double certainty, double topics)
{
    return g[0] + g[1] * log(certainty) + g[2] * log(topics);
}

static double pearson_dispersion(const double *x, const double *y, size_t rows,
                                 const double g[3])
{
    double sum = 0.0;

    for (size_t i = 0; i < rows; i++) {
        const double mean = exp(g[0] + g[1] * x[3 * i + 1] + g[2] * x[3 * i + 2]);
        sum += (y[i] - mean) * (y[i] - mean) / mean;
    }
    return sum / (double)(rows - 3);
}

int iv_cost_fit(iv_cost_model *out, const double *certainty, const double *topics,
                const double *judgments, size_t rows, iv_err *err)
{
    double *x = malloc((3 * rows + 1) * sizeof *x);
    iv_glm fit;
    int rc = x == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK && rows < 4)
        rc = iv_fail(err, IV_ENODATA, "%zu rows, expected at least four for three "
                     "coefficients", rows);
    for (size_t i = 0; i < rows && rc == IV_OK; i++) {
        x[3 * i] = 1.0;
        x[3 * i + 1] = log(certainty[i]);
        x[3 * i + 2] = log(topics[i]);
    }
    if (rc == IV_OK) {
        rc = iv_poisson_glm(&fit, x, judgments, rows, 3, err);
        if (rc == IV_ENODATA)
            (void)iv_fail(err, rc, "the pilot cannot separate the effects of certainty and "
                                   "topics: both must vary");
    }
    if (rc == IV_OK) {
        iv_cost_model m = { .deviance = fit.deviance, .null_deviance = fit.null_deviance,
                            .rows = rows };
        for (size_t i = 0; i < 3; i++) {
            m.g[i] = fit.coefficient[i];
            for (size_t k = 0; k < 3; k++)
                m.covariance[i][k] = fit.covariance[i][k];
        }
        m.r2 = m.null_deviance > 0.0 ? 1.0 - m.deviance / m.null_deviance : 0.0;
        m.dispersion = pearson_dispersion(x, judgments, rows, m.g);
        *out = m;
    }
    free(x);
    return rc;
}

double iv_cost_judgments(const iv_cost_model *m, double certainty, double topics)
{
    return exp(log_judgments(m->g, certainty, topics));
}

double iv_cost_log_se(const iv_cost_model *m, double certainty, double topics)
{
    const double x[3] = { 1.0, log(certainty), log(topics) };
    double variance = 0.0;

    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++)
            variance += x[i] * m->covariance[i][k] * x[k];
    }
    return sqrt(fmax(variance, 0.0) * fmax(m->dispersion, 1.0));
}

iv_prices iv_prices_known(const iv_prices *given)
{
    iv_prices p = given == NULL ? (iv_prices){ 0 } : *given;

    p.judgment = p.judgment == 0.0 ? 1.0 : p.judgment == IV_ZERO ? 0.0 : p.judgment;
    return p;
}

static iv_cost_choice cost_at(const iv_cost_model *m, double n, double certainty,
                              const iv_prices *prices)
{
    const double topics = iv_uncertain_topics(n, certainty);
    const double judgments = iv_cost_judgments(m, certainty, topics);
    const double paid = fmax(0.0, topics - prices->free_topics);
    const double for_topics = prices->topic > 0.0 ? prices->topic * paid : 0.0;

    return (iv_cost_choice){ certainty, topics, judgments,
                             for_topics + prices->judgment * judgments };
}

iv_cost_choice iv_cost_at(const iv_cost_model *m, double n, double certainty,
                          const iv_prices *prices)
{
    const iv_prices known = iv_prices_known(prices);

    return cost_at(m, n, certainty, &known);
}

static void consider(iv_cost_choice *best, const iv_cost_model *m, double n,
                     const iv_prices *prices, double certainty)
{
    const iv_cost_choice c = cost_at(m, n, certainty, prices);

    if (c.cost < best->cost)
        *best = c;
}

/*
 * The cost may have two valleys, one on each side of the number of free topics:
 * a fine walk, the kink itself, and finer walks around the best step.
 */
static void search_all(iv_cost_choice *best, const iv_cost_model *m, double n,
                       const iv_prices *prices, double least)
{
    enum { STEPS = 1000, FINER = 20, ROUNDS = 4 };
    double step = (1.0 - least) / STEPS;

    for (int k = 0; k < STEPS; k++)
        consider(best, m, n, prices, least + k * step);
    if (prices->free_topics > n)
        consider(best, m, n, prices, fmax(least, 0.5 + 0.5 * sqrt(n / prices->free_topics)));
    for (int round = 0; round < ROUNDS; round++) {
        const double middle = best->certainty;
        step /= FINER;
        for (int k = -FINER; k <= FINER; k++)
            consider(best, m, n, prices, fmin(1.0, fmax(least, middle + k * step)));
    }
}

int iv_cost_least(iv_cost_choice *out, const iv_cost_model *m, double n,
                  const iv_prices *given, double least, iv_err *err)
{
    const iv_prices known = iv_prices_known(given), *prices = &known;

    if (!(n >= 1.0 && isfinite(n)))
        return iv_fail(err, IV_EARG, "%g topics, expected at least 1", n);
    if (!(prices->topic >= 0.0 && prices->judgment >= 0.0
          && prices->topic + prices->judgment > 0.0 && prices->free_topics >= 0.0))
        return iv_fail(err, IV_EARG, "prices must be at least 0, and a topic or a judgment must "
                                     "cost "
                       "something");
    iv_cost_choice best = cost_at(m, n, 1.0, prices);
    if (prices->topic == 0.0) { /* the derivative has one root */
        const double root = m->g[1] / (2.0 * m->g[1] - 4.0 * m->g[2]);
        consider(&best, m, n, prices, least);
        if (root > least && root < 1.0)
            consider(&best, m, n, prices, root);
    } else {
        search_all(&best, m, n, prices, least);
    }
    *out = best;
    return IV_OK;
}

/* ------------------------------------------------------- errors that cost -- */

/*
 * The total at n topics.  Where alpha is best, a false positive more costs what a false negative
 * less saves: phi(z + a) / phi(z) = C_alpha / C_beta, z = Phi^-1(alpha), a = effect sqrt(n).
 */
static int plan_at(iv_error_plan *out, const iv_cost_model *m, double false_positive,
                   double false_negative, double effect, const iv_prices *prices, double n,
                   iv_err *err)
{
    const double a = effect * sqrt(n);
    const double z = fmin(-(log(false_positive / false_negative) + 0.5 * a * a) / a, 0.0);

    *out = (iv_error_plan){ .topics = n, .alpha = iv_norm_cdf(z), .beta = iv_norm_sf(z + a) };
    IV_TRY(iv_cost_least(&out->choice, m, n, prices, IV_COST_LEAST_CERTAINTY, err));
    out->cost = out->choice.cost + false_positive * out->alpha + false_negative * out->beta;
    return IV_OK;
}

int iv_cost_with_errors(iv_error_plan *out, const iv_cost_model *m, double false_positive,
                        double false_negative, double effect, const iv_prices *prices, iv_err *err)
{
    enum { STEPS = 400 };
    iv_error_plan best = { .cost = (double)INFINITY }, x;
    double step = log(1e5) / STEPS, middle = 0.0;

    if (!(false_positive > 0.0 && false_negative > 0.0 && isfinite(false_positive)
          && isfinite(false_negative)))
        return iv_fail(err, IV_EARG, "errors that cost %g and %g, expected more than 0",
                       false_positive, false_negative);
    if (!(effect > 0.0 && effect < 1.0))
        return iv_fail(err, IV_EARG, "effect %g, expected between 0 and 1", effect);
    for (int pass = 0; pass < 3; pass++) { /* finer around the best */
        const double from = pass == 0 ? 0.0 : fmax(0.0, middle - step);
        const double by = pass == 0 ? step : 2.0 * step / STEPS;
        for (int k = 0; k <= STEPS; k++) {
            IV_TRY(plan_at(&x, m, false_positive, false_negative, effect, prices,
                           exp(from + k * by), err));
            best = x.cost < best.cost ? x : best;
        }
        middle = log(best.topics);
        step = by;
    }
    *out = best;
    return IV_OK;
}
