/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guaranteed lower limit with any number of cells.
 *
 * A truth K is excluded when the statistic T = sum of w N/n X, which estimates the
 * weighted sum of its marked ones, is as high as the one seen with a probability of
 * at most alpha.  By Chernoff's inequality that probability is at most
 * exp(-rate T) prod E exp(rate w N/n X) for any rate > 0.  A value v is excluded
 * when every truth is whose weighted sum is at most the bound of v, and that holds
 * if for some price > 0
 *
 *   sum over cells of max over K of (log E exp(t (X - x)) - price w K)
 *       + price bound  <=  log alpha,     t = rate w N/n:
 *
 * any rate and price prove it, so a poor search for them costs width, never
 * confidence.  It costs nothing where no cell has a hit, and elsewhere less than
 * splitting the error, and its price does not grow with the number of cells.
 *
 * The moments of a hypergeometric X (K marked of N, n drawn) are below those of
 * draws with replacement (Hoeffding 1963), of n draws at K/N and, as marked and
 * drawn may change places, of K draws at n/N; and the same of what is not drawn or
 * not marked; and below a normal's of variance n (1 - (n-1)/N) / 4 (Serfling 1974).
 *
 * The weights depend on v for recall and F.  They are those of the upper end of v's
 * block on a fixed grid, so within a block the statistic is one and the truths to be
 * excluded grow with v: blocks are tried from the lowest up, and the first that is not
 * excluded is halved.
 */
#include <math.h>

#include "stat/recall/recall_exact.h"

enum { GRID = 120, STEPS = 60, HALVINGS = 50 };

/* log(1 + p (exp(t) - 1)) */
static double log_moment(double p, double t)
{
    return t > 30.0 ? t + log(p + (1.0 - p) * exp(-t)) : log1p(p * expm1(t));
}

/* The most of slope K + rest over low <= K <= high. */
static double most_linear(double slope, double rest, double low, double high)
{
    return (slope > 0.0 ? slope * high : slope * low) + rest;
}

/* The most of n log(1 + K/N (exp(t) - 1)) - cost K over low <= K <= high. */
static double most_drawn(double N, double n, double t, double cost, double low, double high)
{
    const double gain = expm1(t), best = cost > 0.0 ? n / cost - N / gain : high;
    const double K = gain > 1e300 ? fmin(fmax(n / cost, low), high)
                                  : fmin(fmax(best, low), high);

    return n * log_moment(K / N, t) - cost * K;
}

/* The same for t < 0 and a cost below 0: what is left undrawn. */
static double most_left(double N, double m, double t, double cost, double low, double high)
{
    const double K = cost < 0.0 ? fmin(fmax(-m / -cost - N / expm1(-t), low), high) : low;

    return m * log_moment(K / N, -t) - cost * K;
}

/* An upper bound of max over K of log E exp(t (X - x)) - cost K. */
static double most_of(const iv_exact_cell *c, double t, double cost)
{
    const double N = (double)c->N, n = (double)c->n, x = (double)c->x, f = n / N;
    const double low = x, high = N - n + x;
    const double drawn = most_drawn(N, n, t, cost, low, high) - t * x;
    const double marked = most_linear(log_moment(f, t) - cost, -t * x, low, high);
    const double others = log_moment(f, -t);
    const double unmarked = most_linear(-others - cost, t * (n - x) + N * others, low, high);
    const double left = most_left(N, N - n, t, cost - t, low, high) - t * x;
    const double normal = most_linear(t * f - cost, t * t / 8.0 * n * (1.0 - (n - 1.0) / N)
                                      - t * x, low, high);

    return fmin(fmin(fmin(drawn, marked), fmin(unmarked, left)), normal);
}

/* Of a value: the weights of the statistic and of the truths, and the bound. */
typedef struct tested {
    const iv_exact_problem *p;
    double statistic[2], weight[2], bound;
    double least; /* of the weighted sum: what was seen is there */
} tested;

static void test_at(tested *t, const iv_exact_problem *p, double v, double block)
{
    t->p = p;
    (void)iv_exact_weights(t->statistic, p, block);
    t->bound = iv_exact_weights(t->weight, p, v);
    t->least = 0.0;
    for (size_t i = 0; i < p->count; i++) { /* less what rounding may have added */
        const iv_exact_cell *c = &p->cell[i];
        t->least += t->weight[c->side] * ((double)c->x - 1e-12 * (double)c->N);
    }
}

/* The logarithm of the bound on the probability; `at`: logs of rate and price. */
static double log_bound(const tested *t, const double at[2])
{
    const double rate = exp(at[0]), price = exp(at[1]);
    double sum = price * t->bound, size = fabs(sum);

    for (size_t i = 0; i < t->p->count; i++) {
        const iv_exact_cell *c = &t->p->cell[i];
        const double each = rate * t->statistic[c->side] * (double)c->N / (double)c->n;
        const double cost = price * t->weight[c->side];
        sum += most_of(c, each, cost);
        size += (cost + each) * (double)c->N;
    }
    /* What cancels may leave a rounding, which is no evidence. */
    sum += 1e-13 * size;
    return isnan(sum) ? INFINITY : sum;
}

/* A point of the search and what it proves. */
typedef struct corner {
    double at[2], value;
} corner;

static corner corner_at(const tested *t, double rate, double price)
{
    corner c = { { fmin(fmax(rate, -200.0), 200.0), fmin(fmax(price, -200.0), 200.0) }, 0.0 };

    c.value = log_bound(t, c.at);
    return c;
}

static void sort_corners(corner s[3])
{
    for (int i = 1; i < 3; i++) {
        for (int k = i; k > 0 && s[k].value < s[k - 1].value; k--) {
            const corner other = s[k];
            s[k] = s[k - 1];
            s[k - 1] = other;
        }
    }
}

/* Nelder and Mead's search, until the value is low enough; best is start and end. */
static bool excluded(const tested *t, corner *best, double wanted)
{
    if (t->least > t->bound)
        return true; /* no such truth holds the sample */
    corner s[3] = { corner_at(t, best->at[0], best->at[1]),
                    corner_at(t, best->at[0] + 0.5, best->at[1]),
                    corner_at(t, best->at[0], best->at[1] + 0.5) };
    sort_corners(s);
    for (int i = 0; i < STEPS && s[0].value > wanted; i++) {
        const double m0 = 0.5 * (s[0].at[0] + s[1].at[0]), m1 = 0.5 * (s[0].at[1] + s[1].at[1]);
        const double d0 = m0 - s[2].at[0], d1 = m1 - s[2].at[1];
        corner next = corner_at(t, m0 + d0, m1 + d1);
        if (next.value < s[0].value) {
            const corner far = corner_at(t, m0 + 2.0 * d0, m1 + 2.0 * d1);
            next = far.value < next.value ? far : next;
        } else if (!(next.value < s[1].value)) {
            const double by = next.value < s[2].value ? 0.5 : -0.5;
            next = corner_at(t, m0 + by * d0, m1 + by * d1);
        }
        if (next.value < s[2].value) {
            s[2] = next;
        } else {
            for (int k = 1; k < 3; k++)
                s[k] = corner_at(t, 0.5 * (s[0].at[0] + s[k].at[0]),
                                 0.5 * (s[0].at[1] + s[k].at[1]));
        }
        sort_corners(s);
    }
    *best = s[0];
    return s[0].value <= wanted;
}

/* Where a search begins: as if the statistic were normal. */
static corner start_of(const tested *t, double wanted)
{
    double variance = 0.0;

    for (size_t i = 0; i < t->p->count; i++) {
        const iv_exact_cell *c = &t->p->cell[i];
        const double share = ((double)c->x + 0.5) / ((double)c->n + 1.0);
        const double one = t->statistic[c->side] * (double)c->N;
        variance += one * one * share * (1.0 - share) / (double)c->n;
    }
    const double rate = 0.5 * log(-2.0 * wanted / fmax(variance, 1e-300));
    return (corner){ { rate, rate }, 0.0 };
}

/* From the last one, or from the start. */
static bool is_excluded(const iv_exact_problem *p, double v, double block, corner *last)
{
    const double wanted = log(p->alpha);
    corner from = *last;
    tested t;

    test_at(&t, p, v, block);
    if (isfinite(from.value) && excluded(&t, &from, wanted)) {
        *last = isfinite(from.value) ? from : *last;
        return true;
    }
    from = start_of(&t, wanted);
    const bool found = excluded(&t, &from, wanted);
    if (found && t.least <= t.bound)
        *last = from;
    return found;
}

/* The i-th point of the grid: between the least and the largest value there is. */
static double grid_at(const iv_exact_problem *p, int i, double least, double most)
{
    if (p->quantity != IV_RECALL_RECALL && p->quantity != IV_RECALL_F)
        return i == 0 ? least : most;
    const double share = i == 0 ? 0.0 : i == GRID ? 1.0 : 1.0 / (1.0 + exp(-(i - GRID / 2) / 4.0));
    return p->upper ? share - 1.0 : share;
}

int iv_exact_many(double *out, const iv_exact_problem *p, iv_err *err)
{
    const bool one = p->quantity != IV_RECALL_RECALL && p->quantity != IV_RECALL_F;
    const double all = p->quantity == IV_RECALL_YIELD ? p->size[0] + p->size[1] : 1.0;
    const double least = p->upper ? -all : 0.0, most = p->upper ? 0.0 : all;
    corner last = { { 0.0, 0.0 }, INFINITY };
    int block = 1;

    (void)err;
    while (block < (one ? 1 : GRID)
           && is_excluded(p, grid_at(p, block, least, most), grid_at(p, block, least, most), &last))
        block++;
    double low = grid_at(p, block - 1, least, most), high = grid_at(p, block, least, most);
    const double end = high;
    for (int i = 0; i < HALVINGS && high - low > 1e-6 * fabs(low); i++) {
        const double middle = low + 0.5 * (high - low);
        if (is_excluded(p, middle, end, &last))
            low = middle;
        else
            high = middle;
    }
    /* Documents are whole. */
    const double documents = p->quantity == IV_RECALL_YIELD ? 1.0
        : one ? p->size[p->quantity == IV_RECALL_PRECISION] : 0.0;
    *out = one ? ceil(low * documents - 1e-6) / documents : low;
    return IV_OK;
}
