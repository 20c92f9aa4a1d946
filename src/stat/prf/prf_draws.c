/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws of metrics that have no closed form: MCC, and means over categories
 * whose posteriors are independent.
 */
#include <math.h>

#include "base/threads.h"
#include "intervale/num.h"
#include "stat/prf/prf_draws.h"

/* Shapes below this may give gamma draws of 0; their logarithms do not. */
static const double small_shape = 0.1;

static double log_gamma_draw(iv_stream *s, double shape)
{
    const double above = log(iv_draw_gamma(s, shape + 1.0));

    return above + log(iv_draw_uniform_open(s)) / shape;
}

/* Four gamma variables, scaled by a common factor. */
static void draw_cells(double x[4], iv_stream *s, const iv_prf_cells *c)
{
    const double shape[4] = { c->tp, c->fp, c->fn, c->tn };
    const int count = c->tn > 0.0 ? 4 : 3;
    double most = -INFINITY, least = INFINITY;

    x[3] = 0.0;
    for (int i = 0; i < count; i++)
        least = fmin(least, shape[i]);
    for (int i = 0; i < count; i++) {
        x[i] = least >= small_shape ? iv_draw_gamma(s, shape[i]) : log_gamma_draw(s, shape[i]);
        most = fmax(most, x[i]);
    }
    for (int i = 0; i < count && least < small_shape; i++)
        x[i] = exp(x[i] - most);
}

int iv_check_draw_plan(const iv_draw_plan *plan, iv_err *err)
{
    if (plan->draws >= IV_PRF_DRAWS_MIN && plan->draws <= IV_PRF_DRAWS_MAX)
        return IV_OK;
    return iv_fail(err, IV_EARG, "%zu draws, expected %d to %d", plan->draws,
                   (int)IV_PRF_DRAWS_MIN, (int)IV_PRF_DRAWS_MAX);
}

iv_stream iv_draw_block(const iv_draw_plan *plan, size_t block)
{
    return iv_stream_start(plan->seed, IV_FOR_POSTERIOR,
                           ((uint64_t)plan->stream << 32) | (uint64_t)block);
}

double iv_or_coin(double value, iv_stream *s, double chance)
{
    return isnan(value) ? (iv_draw_uniform(s) < chance ? 1.0 : 0.0) : value;
}

/* Fills draws [from, to) of every metric. */
static void fill_block(double *out, size_t from, size_t to, const iv_prf_cells *categories,
                       size_t category_count, const iv_prf_metric *metrics,
                       size_t metric_count, const iv_draw_plan *plan)
{
    iv_stream s = iv_draw_block(plan, from / IV_DRAW_BLOCK);
    double x[4];

    for (size_t i = from; i < to; i++) {
        for (size_t m = 0; m < metric_count; m++)
            out[m * plan->draws + i] = 0.0;
        for (size_t k = 0; k < category_count; k++) {
            draw_cells(x, &s, &categories[k]);
            for (size_t m = 0; m < metric_count; m++) {
                const double v = iv_prf_of_cells(metrics[m], x[0], x[1], x[2], x[3]);
                out[m * plan->draws + i] += iv_or_coin(v, &s, 0.5) / (double)category_count;
            }
        }
    }
}

int iv_prf_draw(double *out, const iv_prf_cells *categories, size_t category_count,
                const iv_prf_metric *metrics, size_t metric_count, const iv_draw_plan *plan,
                iv_err *err)
{
    const int rc = iv_check_draw_plan(plan, err);

    if (rc < 0)
        return rc;
    if (category_count == 0)
        return iv_fail(err, IV_ENODATA, "no categories");
    for (size_t m = 0; m < metric_count; m++) {
        for (size_t k = 0; k < category_count; k++) {
            const iv_prf_cells *c = &categories[k];
            if (!(c->tp > 0.0 && c->fp > 0.0 && c->fn > 0.0 && c->tn >= 0.0))
                return iv_fail(err, IV_EARG, "a cell of the posterior is not above 0");
            if (metrics[m].kind >= IV_PRF_SPECIFICITY && c->tn == 0.0)
                return iv_fail(err, IV_EARG, "the metric needs the number of true negatives");
        }
    }
    const size_t blocks = (plan->draws + IV_DRAW_BLOCK - 1) / IV_DRAW_BLOCK;
#pragma omp parallel for schedule(dynamic) num_threads(iv_threads(plan->threads))
    for (size_t b = 0; b < blocks; b++) {
        const size_t from = b * IV_DRAW_BLOCK, end = from + IV_DRAW_BLOCK;
        fill_block(out, from, end < plan->draws ? end : plan->draws, categories,
                   category_count, metrics, metric_count, plan);
    }
    return IV_OK;
}
