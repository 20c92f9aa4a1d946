/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws: of metrics without a closed form, of all systems on the same items together; and what
 * draws say.
 *
 * Systems on the same items have a Dirichlet posterior over the cells gold x answer of system 1 x
 * ... x answer of system S, of two classes each.  Its prior spreads right + wrong over each row of
 * gold: a system alone is right with prior share right / (right + wrong), independently of the
 * others, so each system's confusion matrix has the prior of the paper.  Few cells are drawn one by
 * one; many as a Dirichlet process with this prior as its base: observed cells get gamma weights by
 * their counts, and what the prior adds is broken off stick by stick (Sethuraman 1994) until 1e-12
 * of it is left.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "stat/interval/bootstrap.h"
#include "stat/prf/prf_state.h"
#include "num/num_private.h"

enum { DRAW_BLOCK = 1024, /* draws of one stream */
       FEW_SYSTEMS = 5,   /* 64 cells */
       BATCHES = 20 };

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

static double or_coin(double value, iv_stream *s, double chance)
{
    return isnan(value) ? (iv_draw_uniform(s) < chance ? 1.0 : 0.0) : value;
}

/* ------------------------------------------------------------- the same items -- */

struct iv_prf_joint {
    size_t systems, cells;
    int32_t *label; /* cells x (systems + 1), 0 or 1 */
    double *alpha;  /* of each cell */
    double rest;    /* of the stick, 0: the cells are all there are */
    double right;   /* prior share of being right */
};

static size_t stride(const iv_prf_joint *j)
{
    return j->systems + 1;
}

static uint64_t hash_row(const int32_t *row, size_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15u;

    for (size_t i = 0; i < n; i++) {
        h ^= (uint64_t)(uint32_t)row[i];
        h *= 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

/* Gathers equal rows; cells come in the order of their first item. */
static int gather(iv_prf_joint *j, int32_t *rows, size_t items, iv_err *err)
{
    size_t slots = 16;

    while (slots < 2 * items)
        slots *= 2;
    size_t *table = calloc(slots, sizeof *table); /* index of a cell + 1 */
    j->label = rows;
    j->alpha = calloc(items, sizeof *j->alpha);
    if (table == NULL || j->alpha == NULL) {
        free(table);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    const size_t n = stride(j), bytes = n * sizeof *rows;
    for (size_t i = 0; i < items; i++) {
        size_t at = (size_t)hash_row(rows + i * n, n) & (slots - 1);
        while (table[at] != 0 && memcmp(rows + (table[at] - 1) * n, rows + i * n, bytes) != 0)
            at = (at + 1) & (slots - 1);
        if (table[at] == 0) { /* cells <= i: the row moves down or stays */
            memmove(rows + j->cells * n, rows + i * n, bytes);
            table[at] = ++j->cells;
        }
        j->alpha[table[at] - 1] += 1.0;
    }
    free(table);
    return IV_OK;
}

/* Lists all cells with their prior, so that no stick is left to break. */
static int complete(iv_prf_joint *j, iv_err *err)
{
    const size_t n = stride(j), all = (size_t)1 << n;
    int32_t *label = calloc(all * n, sizeof *label);
    double *alpha = calloc(all, sizeof *alpha);

    if (label == NULL || alpha == NULL) {
        free(label);
        free(alpha);
        return iv_no_memory(err);
    }
    for (size_t c = 0; c < all; c++) {
        alpha[c] = 0.5 * j->rest;
        for (size_t s = 0; s < n; s++) {
            label[c * n + s] = (int32_t)(c >> s & 1);
            if (s > 0)
                alpha[c] *= label[c * n + s] == label[c * n] ? j->right : 1.0 - j->right;
        }
    }
    for (size_t c = 0; c < j->cells; c++) {
        size_t code = 0;
        for (size_t s = 0; s < n; s++)
            code |= (size_t)j->label[c * n + s] << s;
        alpha[code] += j->alpha[c];
    }
    free(j->label);
    free(j->alpha);
    j->label = label;
    j->alpha = alpha;
    j->cells = all;
    j->rest = 0.0;
    return IV_OK;
}

int iv_prf_joint_new(iv_prf_joint **out, const iv_prf_items *items, int32_t klass,
                     const size_t *systems, size_t count, iv_prf_prior prior, iv_err *err)
{
    IV_TRY(iv_check_list(items->labels, items->items, "label", err));
    IV_TRY(iv_prf_check_prior(&prior, err));
    if (systems == NULL)
        count = items->systems;
    if (items->items == 0 || count == 0)
        return iv_fail(err, IV_ENODATA, "no items or no systems");
    iv_prf_joint *j = calloc(1, sizeof *j);
    int32_t *rows = malloc(items->items * (count + 1) * sizeof *rows);
    if (j == NULL || rows == NULL) {
        free(rows);
        free(j);
        return iv_no_memory(err);
    }
    *j = (iv_prf_joint){ .systems = count, .rest = 2.0 * (prior.right + prior.wrong),
                         .right = prior.right / (prior.right + prior.wrong), .label = rows };
    for (size_t i = 0; i < items->items; i++) {
        const int32_t *from = items->labels + i * (items->systems + 1);
        for (size_t s = 0; s <= count; s++)
            rows[i * (count + 1) + s] = from[s == 0 ? 0 : 1 + (systems != NULL ? systems[s - 1]
                                                                               : s - 1)] == klass;
    }
    int rc = gather(j, rows, items->items, err);
    if (rc == IV_OK && count <= FEW_SYSTEMS)
        rc = complete(j, err);
    if (rc == IV_OK)
        *out = j;
    else
        iv_prf_joint_free(j);
    return rc;
}

void iv_prf_joint_free(iv_prf_joint *j)
{
    if (j == NULL)
        return;
    free(j->label);
    free(j->alpha);
    free(j);
}

/* Weights of a system's outcomes. */
typedef struct tally {
    double *tp, *fp, *fn; /* of each system */
    double total;
    int32_t *cell;        /* of a stick's piece */
} tally;

static void add(tally *t, size_t systems, const int32_t *label, double weight)
{
    t->total += weight;
    for (size_t s = 0; s < systems; s++) {
        if (label[1 + s] == label[0])
            t->tp[s] += label[0] ? weight : 0.0;
        else
            *(label[0] ? &t->fn[s] : &t->fp[s]) += weight;
    }
}

static void draw_tally(tally *t, iv_stream *s, const iv_prf_joint *j)
{
    const size_t n = j->systems;

    for (size_t i = 0; i < n; i++)
        t->tp[i] = t->fp[i] = t->fn[i] = 0.0;
    t->total = 0.0;
    for (size_t c = 0; c < j->cells; c++)
        add(t, n, j->label + c * stride(j), iv_draw_gamma(s, j->alpha[c]));
    if (j->rest == 0.0)
        return;
    const double stick = iv_draw_gamma(s, j->rest);
    for (double left = stick; left > 1e-12 * stick;) {
        const double piece = left * iv_draw_beta(s, 1.0, j->rest);
        t->cell[0] = iv_draw_uniform(s) < 0.5;
        for (size_t i = 1; i <= n; i++) /* each system is right by its prior share */
            t->cell[i] = iv_draw_uniform(s) < j->right ? t->cell[0] : !t->cell[0];
        add(t, n, t->cell, piece);
        left -= piece;
    }
}

/* Metrics to draw, of a system's cells or of all systems together. */
typedef struct drawing {
    double *out;
    const iv_prf_cells *cells; /* NULL: */
    const iv_prf_joint *joint;
    const iv_prf_metric *metrics;
    size_t count, draws;
    uint64_t seed;
    uint32_t stream;
} drawing;

static void *tally_new(iv_arena *own, void *user)
{
    const drawing *d = user;
    const size_t n = d->cells != NULL ? 1 : d->joint->systems;
    tally *t = iv_take(own, 1, sizeof *t);

    if (t != NULL)
        *t = (tally){ iv_take(own, n, sizeof(double)), iv_take(own, n, sizeof(double)),
                      iv_take(own, n, sizeof(double)), 0.0, iv_take(own, n + 1, sizeof(int32_t)) };
    return own->failed ? NULL : t;
}

static void draw_alone(const drawing *d, iv_stream *s, size_t i)
{
    double x[4];

    draw_cells(x, s, d->cells);
    for (size_t m = 0; m < d->count; m++)
        d->out[m * d->draws + i] = or_coin(
            iv_prf_of_cells(d->metrics[m], x[0], x[1], x[2], x[3]), s, 0.5);
}

static void draw_together(const drawing *d, tally *t, iv_stream *stream, size_t i)
{
    const size_t n = d->joint->systems;

    draw_tally(t, stream, d->joint);
    for (size_t m = 0; m < d->count * n; m++) {
        const size_t s = m % n;
        const double tn = fmax(0.0, t->total - t->tp[s] - t->fp[s] - t->fn[s]);
        d->out[m * d->draws + i] = or_coin(
            iv_prf_of_cells(d->metrics[m / n], t->tp[s], t->fp[s], t->fn[s], tn), stream,
            d->joint->right);
    }
}

static int draw_block(void *user, void *memory, size_t block, iv_err *err)
{
    const drawing *d = user;
    const size_t end = (block + 1) * DRAW_BLOCK;
    iv_stream s = iv_stream_start(d->seed, IV_FOR_POSTERIOR, ((uint64_t)d->stream << 32) | block);

    (void)err;
    for (size_t i = block * DRAW_BLOCK; i < (end < d->draws ? end : d->draws); i++) {
        if (d->cells != NULL)
            draw_alone(d, &s, i);
        else
            draw_together(d, memory, &s, i);
    }
    return IV_OK;
}

static int draw_all(drawing d, const iv_work *work, iv_err *err)
{
    d.seed = iv_work_seed(work);
    IV_TRY(iv_prf_check_draws(&d.draws, err));
    return iv_parallel(&(iv_loop){ (d.draws + DRAW_BLOCK - 1) / DRAW_BLOCK, draw_block, &d,
                                   tally_new }, work, err);
}

int iv_prf_draw(double *out, const iv_prf_cells *c, const iv_prf_metric *metrics, size_t count,
                size_t draws, uint32_t stream, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(metrics, count, "metric", err));
    if (!(c->tp > 0.0 && c->fp > 0.0 && c->fn > 0.0 && c->tn >= 0.0))
        return iv_fail(err, IV_EARG, "a cell of the posterior is not above 0");
    for (size_t m = 0; m < count; m++) {
        IV_TRY(iv_prf_check_kind(metrics[m].kind, err));
        if (metrics[m].kind >= IV_PRF_SPECIFICITY && c->tn == 0.0)
            return iv_fail(err, IV_EARG, "the metric needs the number of true negatives");
    }
    return draw_all((drawing){ .out = out, .cells = c, .metrics = metrics, .count = count,
                               .draws = draws, .stream = stream }, work, err);
}

int iv_prf_joint_draw(double *out, const iv_prf_joint *j, const iv_prf_metric *metrics,
                      size_t count, size_t draws, uint32_t stream, const iv_work *work,
                      iv_err *err)
{
    return draw_all((drawing){ .out = out, .joint = j, .metrics = metrics, .count = count,
                               .draws = draws, .stream = stream }, work, err);
}

/* --------------------------------------------------------------- what draws say -- */

/* Sorts x.  The mean, and limits with equal tails. */
static iv_interval describe(double *x, size_t n, double confidence)
{
    const double left = 0.5 * (1.0 - confidence);
    double sum = 0.0;

    qsort(x, n, sizeof *x, iv_rising);
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return (iv_interval){ .value = sum / (double)n, .lower = iv_quantile_sorted(x, n, left),
                          .upper = iv_quantile_sorted(x, n, left + confidence) };
}

int iv_summarise_draws(iv_interval *out, iv_interval *error, double *draws, size_t count,
                       double confidence, iv_err *err)
{
    IV_TRY(iv_check_list(draws, count, "draw", err));
    const size_t size = count / BATCHES;
    iv_interval batch[BATCHES], squares = { 0 };

    IV_TRY(iv_check_confidence(&confidence, err));
    if (count < IV_PRF_DRAWS_MIN)
        return iv_fail(err, IV_EARG, "%zu draws, expected %d at least", count,
                       (int)IV_PRF_DRAWS_MIN);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(draws[i]))
            return iv_fail(err, IV_EARG, "draw %zu is not finite", i);
    }
    for (size_t b = 0; b < BATCHES; b++)
        batch[b] = describe(draws + b * size, size, confidence);
    *out = describe(draws, count, confidence);
    for (size_t b = 0; b < BATCHES; b++) {
        squares.value += (batch[b].value - out->value) * (batch[b].value - out->value);
        squares.lower += (batch[b].lower - out->lower) * (batch[b].lower - out->lower);
        squares.upper += (batch[b].upper - out->upper) * (batch[b].upper - out->upper);
    }
    const double scale = 1.0 / ((double)BATCHES * (BATCHES - 1));
    *error = (iv_interval){ .value = sqrt(squares.value * scale),
                            .lower = sqrt(squares.lower * scale),
                            .upper = sqrt(squares.upper * scale) };
    return IV_OK;
}
