/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits that hold with their confidence whatever the truth, not on average
 * over truths.
 *
 * What is fully judged is known; what was not sampled may be anything.  One
 * sampled stratum leaves one unknown, and the limits are those of the
 * hypergeometric distribution (Clopper and Pearson's without replacement).  For
 * two see recall_pair.c, for more recall_many.c.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "stat/recall/recall_exact.h"

double iv_exact_value(const iv_exact_problem *p, double R1, double R0)
{
    const double b2 = p->beta2;
    double v = 0.0;

    switch (p->quantity) {
    case IV_RECALL_RECALL: v = R1 + R0 > 0.0 ? R1 / (R1 + R0) : 0.0; break;
    case IV_RECALL_PRECISION: v = R1 / p->size[1]; break;
    case IV_RECALL_F: v = (1.0 + b2) * R1 / (b2 * (R1 + R0) + p->size[1]); break;
    case IV_RECALL_YIELD: v = R1 + R0; break;
    case IV_RECALL_ELUSION: v = R0 / p->size[0]; break;
    }
    return p->upper ? -v : v;
}

double iv_exact_at(const iv_exact_problem *p, const int64_t *marked)
{
    double R[2] = { p->known[0], p->known[1] };

    for (size_t i = 0; i < p->count; i++) {
        const iv_exact_cell *c = &p->cell[i];
        R[c->side] += (double)(c->turned ? c->N - marked[i] : marked[i]);
    }
    return iv_exact_value(p, R[1], R[0]);
}

/* value <= v is slope[1] R1 + slope[0] R0 <= the result, for a lower limit. */
static double line(double slope[2], const iv_exact_problem *p, double v)
{
    slope[1] = slope[0] = 0.0;
    switch (p->quantity) {
    case IV_RECALL_RECALL:
        slope[1] = 1.0 - v;
        slope[0] = -v;
        return 0.0;
    case IV_RECALL_PRECISION:
        slope[1] = 1.0;
        return v * p->size[1];
    case IV_RECALL_F:
        slope[1] = 1.0 + p->beta2 - v * p->beta2;
        slope[0] = -v * p->beta2;
        return v * p->size[1];
    case IV_RECALL_YIELD:
        slope[1] = slope[0] = 1.0;
        return v;
    case IV_RECALL_ELUSION:
        slope[0] = 1.0;
        return v * p->size[0];
    }
    return 0.0;
}

double iv_exact_weights(double weight[2], const iv_exact_problem *p, double v)
{
    double slope[2], bound = line(slope, p, p->upper ? -v : v);

    for (int i = 0; i < 2; i++)
        bound -= slope[i] * p->known[i];
    if (p->upper) { /* the other side of the line */
        bound = -bound;
        slope[0] = -slope[0];
        slope[1] = -slope[1];
    }
    for (size_t i = 0; i < p->count; i++) {
        if (p->cell[i].turned)
            bound -= slope[p->cell[i].side] * (double)p->cell[i].N;
    }
    weight[0] = fabs(slope[0]);
    weight[1] = fabs(slope[1]);
    return bound;
}

int64_t iv_exact_least(const iv_exact_cell *c, int64_t x, double alpha)
{
    return iv_exact_least_near(c, x, alpha, -1);
}

int64_t iv_exact_least_near(const iv_exact_cell *c, int64_t x, double alpha, int64_t near)
{
    int64_t low = x - 1, high = c->N - c->n + x; /* P <= alpha at low, > at high */

    if (x == 0)
        return 0;
    /* Draws with replacement spread more: a start near the limit. */
    const double guess = near >= 0 ? (double)near
        : (double)c->N * iv_beta_quantile(alpha, (double)x, (double)(c->n - x) + 1.0);
    int64_t step = 1, at = (int64_t)fmin(fmax(guess, (double)low + 1.0), (double)high - 1.0);
    while (high - low > 1) {
        if (at <= low || at >= high)
            at = low + (high - low) / 2;
        const bool more = iv_hyper_sf(x - 1, c->N, at, c->n) > alpha;
        if (more)
            high = at;
        else
            low = at;
        at += more ? -step : step;
        step = step < INT64_MAX / 4 ? 2 * step : step;
    }
    return high;
}

/* Does more relevant of the side mean more of the quantity: 1, -1, or 0: neither. */
static int direction(iv_recall_quantity quantity, int side)
{
    if (quantity == IV_RECALL_YIELD)
        return 1;
    if (quantity == IV_RECALL_PRECISION || quantity == IV_RECALL_ELUSION)
        return (quantity == IV_RECALL_PRECISION) == (side == 1);
    return side == 1 ? 1 : -1;
}

/* Adds a side: its cells, and what is known or at worst of its other strata. */
static void add_side(iv_exact_problem *p, const iv_stratum *strata, size_t count, int side)
{
    const int way = direction(p->quantity, side) * (p->upper ? -1 : 1);

    p->size[side] = (double)iv_strata_size(strata, count);
    p->known[side] = 0.0;
    for (size_t i = 0; i < count && way != 0; i++) {
        const iv_stratum *s = &strata[i];
        if (s->sampled == s->size)
            p->known[side] += (double)s->relevant;
        else if (s->sampled == 0)
            p->known[side] += way < 0 ? (double)s->size : 0.0;
        else
            p->cell[p->count++] = (iv_exact_cell){
                s->size, s->sampled, way < 0 ? s->sampled - s->relevant : s->relevant, side,
                way < 0 };
    }
}

static int find_limit(double *out, iv_exact_problem *p, const iv_segments *s, iv_err *err)
{
    double found = 0.0;
    int rc = IV_OK;

    p->count = 0;
    add_side(p, s->retrieved, s->retrieved_count, 1);
    add_side(p, s->unretrieved, s->unretrieved_count, 0);
    if (p->count <= 1) {
        const int64_t marked = p->count == 0
            ? 0 : iv_exact_least(&p->cell[0], p->cell[0].x, p->alpha);
        found = iv_exact_at(p, &marked);
    } else if (p->count == 2) {
        if (p->cell[0].n > p->cell[1].n) { /* the smaller sample is looked up more often */
            const iv_exact_cell other = p->cell[0];
            p->cell[0] = p->cell[1];
            p->cell[1] = other;
        }
        rc = iv_exact_pair(&found, p, err);
    } else {
        rc = iv_exact_many(&found, p, err);
    }
    if (rc == IV_OK)
        *out = p->upper ? -found : found;
    return rc;
}

int iv_recall_guaranteed(iv_recall_interval *out, const iv_segments *s,
                         iv_recall_quantity quantity, double beta, double confidence,
                         bool one_sided, iv_err *err)
{
    static const char *const quantities[] = { "recall", "precision", "f", "yield", "elusion", NULL };

    IV_TRY(iv_check_choice(quantity, quantities, "the quantity", err));
    IV_TRY(iv_check_reals(&beta, 1, "beta", err));
    const size_t strata = s->retrieved_count + s->unretrieved_count;
    /* A rounding of the last digits never passes for evidence. */
    const double alpha = (1.0 - confidence) / (one_sided ? 1.0 : 2.0) * (1.0 - 1e-9);
    iv_exact_problem p = { .quantity = quantity, .beta2 = iv_beta2(beta), .alpha = alpha };
    iv_recall_interval found = { 0.0, 1.0 };
    int rc = iv_segments_check(s, err);

    if (rc == IV_OK && !(confidence > 0.0 && confidence < 1.0))
        rc = iv_fail(err, IV_EARG, "confidence %g, expected 0 < confidence < 1", confidence);
    if (rc < 0)
        return rc;
    if (quantity == IV_RECALL_RECALL && iv_recall_unfound(out, s))
        return IV_OK; /* there may be none, and then there is no recall to hold */
    p.cell = malloc(strata * sizeof *p.cell);
    if (p.cell == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu strata", strata);
    rc = find_limit(&found.lower, &p, s, err);
    p.upper = true;
    if (rc == IV_OK)
        rc = find_limit(&found.upper, &p, s, err);
    free(p.cell);
    if (rc == IV_OK)
        *out = found;
    return rc;
}
