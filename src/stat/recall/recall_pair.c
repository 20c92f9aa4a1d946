/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guaranteed lower limit with two cells: Buehler's bound.
 *
 * Samples are put in order by what splitting the error between the two cells
 * gives: the value T at the lower limits of both, each at 1 - sqrt(1 - alpha).
 * The limit is the least value at a truth under which a sample as high as the
 * one seen has a probability above alpha.  Its confidence is guaranteed for any
 * order, and for this one it is never below T: no valid limit in that order is
 * higher.
 *
 * More marked ones in a cell make high samples more probable.  So at each number
 * K of the first cell the truths in question begin at some number of the second,
 * which falls as K grows, and over a range of K the value is not below the one at
 * its first K and the number that belongs to its last.  Ranges are halved until
 * the least of those bounds is within TOLERANCE of a value that is attained; it is
 * the bound that is reported, so what is left of the search errs on the safe side.
 * That holds wherever it ends: of large samples it ends after so much work.
 *
 * Ref: R. J. Buehler (1957), Confidence intervals for the product of two binomial
 * parameters, Journal of the American Statistical Association 52.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stat/recall/recall_exact.h"

/* Larger samples split the error: their limits are as wide as T, and the tables of
 * this file would be large.  MOST_WORK takes some tenths of a second. */
enum { MOST_SAMPLED = 50000, MOST_RANGES = 4096, MOST_WORK = 12000000 };

static const double TOLERANCE = 2e-5, TRIM = 1e-13;

/* What has been computed of the two cells, -1: not yet. */
typedef struct ordered {
    const iv_exact_problem *p;
    double alpha;        /* of each cell, in the order */
    double seen;         /* T of the sample */
    int64_t *least[2];   /* the limit of each cell at each count in its sample */
    int64_t *from;       /* the least count in the second sample that is as high,
                            at each count in the first */
    int64_t all_from, none_to; /* from there on every sample is high, to there none */
    iv_pmf first, second;
    double *above;       /* P(second >= offset + i) */
    size_t above_capacity;
    int64_t memory_of;   /* the number in the first cell that `first` is for */
    int64_t work;        /* done so far, in atoms */
} ordered;

static int64_t limit_of(ordered *o, int cell, int64_t x)
{
    const iv_exact_cell *c = &o->p->cell[cell];
    int64_t *least = o->least[cell];
    const int64_t step = c->N / c->n;

    if (least[x] < 0) { /* a neighbour that is known is a step away */
        least[x] = iv_exact_least_near(c, x, o->alpha,
                                       x > 0 && least[x - 1] >= 0   ? least[x - 1] + step
                                       : x < c->n && least[x + 1] > step ? least[x + 1] - step
                                                                         : -1);
        const int64_t halvings = 1 + (int64_t)log2((double)c->N / (double)c->n);
        o->work += 10 * halvings * halvings; /* as it takes */
    }
    return least[x];
}

static double order_of(ordered *o, int64_t x, int64_t y)
{
    return iv_exact_at(o->p, (int64_t[]){ limit_of(o, 0, x), limit_of(o, 1, y) });
}

/* Equal but for rounding counts as high. */
static bool is_high(ordered *o, int64_t x, int64_t y)
{
    return order_of(o, x, y) >= o->seen - 1e-12 * fabs(o->seen);
}

static int64_t high_from(ordered *o, int64_t x)
{
    int64_t low = -1, high = o->p->cell[1].n + 1; /* high: none is high enough */

    if (o->from[x] >= 0)
        return o->from[x];
    if (x >= o->all_from || x <= o->none_to) /* beyond them nothing changes */
        return x >= o->all_from ? 0 : high;
    if (x > 0 && o->from[x - 1] >= 0)
        high = o->from[x - 1];
    if (x < o->p->cell[0].n && o->from[x + 1] >= 0)
        low = o->from[x + 1] - 1;
    for (int64_t step = 1; high - low > 1; step *= 2) {
        /* Near the neighbour first. */
        const int64_t middle = low + (high - low) / 2, near = high - step;
        const int64_t at = high <= o->p->cell[1].n && near > middle ? near : middle;
        if (is_high(o, x, at))
            high = at;
        else
            low = at;
    }
    if (high == 0)
        o->all_from = x;
    if (high > o->p->cell[1].n)
        o->none_to = x;
    return o->from[x] = high;
}

/* P(a sample as high as the one seen), with so many marked in each cell. */
static int probability(double *out, ordered *o, int64_t K, int64_t L, iv_err *err)
{
    const iv_exact_cell *a = &o->p->cell[0], *b = &o->p->cell[1];
    int rc = IV_OK;

    if (K != o->memory_of)
        rc = iv_pmf_hyper(&o->first, a->N, K, a->n, TRIM, err);
    o->memory_of = rc == IV_OK ? K : -1;
    if (rc == IV_OK)
        rc = iv_pmf_hyper(&o->second, b->N, L, b->n, TRIM, err);
    if (rc == IV_OK && o->second.count + 1 > o->above_capacity) {
        double *above = iv_grow(o->above, &o->above_capacity, o->second.count + 1,
                                sizeof *above);
        if (above == NULL)
            return iv_fail(err, IV_ENOMEM, "no memory for %zu atoms", o->second.count);
        o->above = above;
    }
    if (rc < 0)
        return rc;
    o->work += (int64_t)(o->first.count + o->second.count);
    double sum = 2.0 * TRIM; /* what was left out may be high */
    o->above[o->second.count] = 0.0;
    for (size_t i = o->second.count; i-- > 0;)
        o->above[i] = o->above[i + 1] + o->second.p[i];
    for (size_t i = 0; i < o->first.count && o->work < MOST_WORK; i++) {
        const int64_t from = high_from(o, o->first.offset + (int64_t)i) - o->second.offset;
        const size_t at = from < 0 ? 0 : (size_t)from;
        if (at < o->second.count)
            sum += o->first.p[i] * o->above[at];
    }
    *out = sum;
    return IV_OK;
}

/*
 * The least number in the second cell in question at K of the first; one more than
 * there can be: none.  It is looked for in [low, high].
 */
static int begins(int64_t *out, ordered *o, int64_t K, int64_t low, int64_t high, iv_err *err)
{
    double p = 0.0;

    low--; /* not in question; high is, or is one more than there can be */
    while (high - low > 1 && o->work < MOST_WORK) {
        const int64_t middle = low + (high - low) / 2;
        const int rc = probability(&p, o, K, middle, err);
        if (rc < 0)
            return rc;
        if (p > o->p->alpha)
            high = middle;
        else
            low = middle;
    }
    *out = high;
    return IV_OK;
}

/* Numbers of the first cell from a to b, and where the second begins at both. */
typedef struct range {
    int64_t a, b, at_a, at_b;
    double bound; /* no value in question is below it */
} range;

static double value_of(const ordered *o, int64_t K, int64_t L)
{
    const iv_exact_cell *c = &o->p->cell[1];

    return L > c->N - c->n + c->x ? INFINITY : iv_exact_at(o->p, (int64_t[]){ K, L });
}

/* Of two neighbours both values are known. */
static double bound_of(const ordered *o, const range *r)
{
    return r->b - r->a > 1 ? value_of(o, r->a, r->at_b)
                           : fmin(value_of(o, r->a, r->at_a), value_of(o, r->b, r->at_b));
}

/* On the scale of the quantity: a share, or a number of documents. */
static double slack(const ordered *o, double value)
{
    return o->p->quantity == IV_RECALL_YIELD ? TOLERANCE * (1.0 + fabs(value)) : TOLERANCE;
}

static int search(double *out, ordered *o, range *ranges, iv_err *err)
{
    const iv_exact_cell *a = &o->p->cell[0], *b = &o->p->cell[1];
    const int64_t most = b->N - b->n + b->x + 1;
    size_t count = 1, at = 0;
    range *r = &ranges[0];
    int rc;

    *r = (range){ a->x, a->N - a->n + a->x, 0, 0, 0.0 };
    rc = begins(&r->at_b, o, r->b, b->x, most, err);
    if (rc == IV_OK)
        rc = begins(&r->at_a, o, r->a, r->at_b, most, err);
    r->bound = o->work < MOST_WORK ? bound_of(o, r) : -INFINITY;
    double attained = fmin(value_of(o, r->b, r->at_b), value_of(o, r->a, r->at_a));
    while (rc == IV_OK && o->work < MOST_WORK) {
        for (size_t i = at = 0; i < count; i++)
            at = ranges[i].bound < ranges[at].bound ? i : at;
        r = &ranges[at];
        if (r->b - r->a <= 1 || count == MOST_RANGES
            || !(attained - r->bound > slack(o, r->bound)))
            break;
        range left = *r, right = *r;
        left.b = right.a = r->a + (r->b - r->a) / 2;
        rc = begins(&left.at_b, o, left.b, r->at_b, r->at_a, err);
        if (o->work >= MOST_WORK)
            break; /* it was not finished: the range stays as it is */
        right.at_a = left.at_b;
        attained = fmin(attained, value_of(o, left.b, left.at_b));
        left.bound = bound_of(o, &left);
        right.bound = bound_of(o, &right);
        *r = left;
        ranges[count++] = right;
    }
    if (rc == IV_OK) /* the search may stop short of the order's own limit */
        *out = fmax(o->seen, r->bound);
    return rc;
}

static bool make_tables(ordered *o)
{
    const iv_exact_cell *a = &o->p->cell[0], *b = &o->p->cell[1];

    o->least[0] = malloc(((size_t)a->n + 1) * sizeof(int64_t));
    o->least[1] = malloc(((size_t)b->n + 1) * sizeof(int64_t));
    o->from = malloc(((size_t)a->n + 1) * sizeof(int64_t));
    if (o->least[0] == NULL || o->least[1] == NULL || o->from == NULL)
        return false;
    for (int64_t i = 0; i <= a->n; i++)
        o->least[0][i] = o->from[i] = -1;
    for (int64_t i = 0; i <= b->n; i++)
        o->least[1][i] = -1;
    return true;
}

int iv_exact_pair(double *out, const iv_exact_problem *p, iv_err *err)
{
    ordered o = { .p = p, .alpha = -expm1(0.5 * log1p(-p->alpha)), .memory_of = -1,
                  .all_from = INT64_MAX, .none_to = -1 };
    const iv_exact_cell *a = &p->cell[0], *b = &p->cell[1];

    if (a->n > MOST_SAMPLED || b->n > MOST_SAMPLED) {
        *out = iv_exact_at(p, (int64_t[]){ iv_exact_least(a, a->x, o.alpha),
                                           iv_exact_least(b, b->x, o.alpha) });
        return IV_OK;
    }
    range *ranges = malloc((MOST_RANGES + 1) * sizeof *ranges);
    int rc = !make_tables(&o) || ranges == NULL
                 ? iv_fail(err, IV_ENOMEM, "no memory for samples of %lld and %lld documents",
                           (long long)a->n, (long long)b->n) : IV_OK;
    if (rc == IV_OK) {
        o.seen = order_of(&o, a->x, b->x);
        rc = search(out, &o, ranges, err);
    }
    free(ranges);
    free(o.least[0]);
    free(o.least[1]);
    free(o.from);
    free(o.above);
    iv_pmf_free(&o.first);
    iv_pmf_free(&o.second);
    return rc;
}
