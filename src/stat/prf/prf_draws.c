/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws of metrics that have no closed form: MCC, and means over categories
 * whose posteriors are independent.
 */
#include <math.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "stat/prf/prf_state.h"

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

/* The blocks of a plan, at work. */
typedef struct blocks {
    const iv_drawer *drawer;
    size_t draws;
    uint64_t seed;
    uint32_t stream;
} blocks;

static int fill_block(void *user, void *memory, size_t i, iv_err *err)
{
    const blocks *b = user;
    iv_stream s = iv_stream_start(b->seed, IV_FOR_POSTERIOR, ((uint64_t)b->stream << 32) | i);
    const size_t end = (i + 1) * IV_DRAW_BLOCK;

    (void)err;
    b->drawer->fill(b->drawer->user, memory,
                    &(iv_draw_part){ b->draws, i * IV_DRAW_BLOCK, end < b->draws ? end : b->draws,
                                     &s });
    return IV_OK;
}

static void *memory_new(iv_arena *own, void *user)
{
    const blocks *b = user;

    return b->drawer->memory(own, b->drawer->user);
}

int iv_draw_blocks(const iv_drawer *drawer, const iv_draw_plan *plan, const iv_work *work,
                   iv_err *err)
{
    blocks b = { drawer, plan->draws, iv_work_seed(work), plan->stream };
    IV_TRY(iv_prf_check_draws(&b.draws, err));
    return iv_parallel(&(iv_loop){ (b.draws + IV_DRAW_BLOCK - 1) / IV_DRAW_BLOCK, fill_block, &b,
                                   drawer->memory != NULL ? memory_new : NULL }, work, err);
}

double iv_or_coin(double value, iv_stream *s, double chance)
{
    return isnan(value) ? (iv_draw_uniform(s) < chance ? 1.0 : 0.0) : value;
}

/* Independent categories, and what is drawn of them. */
typedef struct averages {
    double *out;
    const iv_prf_cells *categories;
    size_t category_count;
    const iv_prf_metric *metrics;
    size_t metric_count;
} averages;

static void fill_averages(void *user, void *memory, const iv_draw_part *part)
{
    const averages *a = user;
    double x[4];

    (void)memory;
    for (size_t i = part->from; i < part->to; i++) {
        for (size_t m = 0; m < a->metric_count; m++)
            a->out[m * part->draws + i] = 0.0;
        for (size_t k = 0; k < a->category_count; k++) {
            draw_cells(x, part->stream, &a->categories[k]);
            for (size_t m = 0; m < a->metric_count; m++) {
                const double v = iv_prf_of_cells(a->metrics[m], x[0], x[1], x[2], x[3]);
                a->out[m * part->draws + i] += iv_or_coin(v, part->stream, 0.5)
                                               / (double)a->category_count;
            }
        }
    }
}

int iv_prf_draw(double *out, const iv_prf_cells *categories, size_t category_count,
                const iv_prf_metric *metrics, size_t metric_count, const iv_draw_plan *plan,
                const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(categories, category_count, "category", err));
    IV_TRY(iv_check_list(metrics, metric_count, "metric", err));
    averages a = { out, categories, category_count, metrics, metric_count };

    if (category_count == 0)
        return iv_fail(err, IV_ENODATA, "no categories");
    for (size_t m = 0; m < metric_count; m++) {
        IV_TRY(iv_prf_check_kind(metrics[m].kind, err));
        for (size_t k = 0; k < category_count; k++) {
            const iv_prf_cells *c = &categories[k];
            if (!(c->tp > 0.0 && c->fp > 0.0 && c->fn > 0.0 && c->tn >= 0.0))
                return iv_fail(err, IV_EARG, "a cell of the posterior is not above 0");
            if (metrics[m].kind >= IV_PRF_SPECIFICITY && c->tn == 0.0)
                return iv_fail(err, IV_EARG, "the metric needs the number of true negatives");
        }
    }
    return iv_draw_blocks(&(iv_drawer){ fill_averages, &a }, plan, work, err);
}
