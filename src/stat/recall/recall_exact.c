/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits that hold with their confidence whatever the truth, not on average
 * over truths.
 *
 * What is fully judged is known; what was not sampled may be anything.  One
 * sampled stratum leaves one unknown, and the limits are those of the
 * hypergeometric distribution (Clopper and Pearson's without replacement).  For
 * two and more see below.
 */
#include "base/err.h"
#include "base/memory.h"
#include "num/dist.h"
#include "num/pmf.h"
#include "stat/interval_methods.h"
#include "stat/recall/elusion.h"
#include "stat/recall/recall_limits.h"
#include "stat/recall/recall_methods.h"

#include <math.h>
#include <stdlib.h>

/*
 * Limits that hold whatever the truth, as one problem: the lower limit of a
 * quantity that grows with the number of marked documents of each of some cells.
 *
 * A cell is a sampled stratum, turned so that more marked documents mean more of
 * the quantity: where more relevant ones mean less, those that are not relevant
 * are the marked ones.  That the quantity is at most v is a weighted sum of the
 * marked ones being at most a bound.
 */

typedef struct iv_exact_cell {
    int64_t N, n, x; /* documents, sampled, of those marked; 0 < n < N */
    int side;        /* 1: retrieved, 0: not */
    bool turned;     /* the marked are not relevant */
} iv_exact_cell;

/* Which quantity, and what of it is known without the cells. */
typedef struct iv_exact_problem {
    iv_recall_quantity quantity;
    double beta2;
    bool upper;         /* the limit is an upper one: the quantity is its negative */
    double size[2];     /* documents of each side */
    double known[2];    /* relevant outside the cells, at worst for the limit */
    iv_exact_cell *cell;
    size_t count;
    double alpha;       /* the error that is allowed */
    double than;        /* on which side of it is the limit?  NaN: the limit itself */
} iv_exact_problem;

/* The quantity with so many marked in each cell; negative for an upper limit. */
static double exact_at(const iv_exact_problem *p, const int64_t *marked)
{
    double R[2] = { p->known[0], p->known[1] };

    for (size_t i = 0; i < p->count; i++) {
        const iv_exact_cell *c = &p->cell[i];
        R[c->side] += (double)(c->turned ? c->N - marked[i] : marked[i]);
    }
    const double v = iv_recall_value(p->quantity, p->beta2, p->size[1], p->size[0], R[1], R[0]);
    return p->upper ? -v : v;
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

/*
 * The weights of a marked document of each side, > 0, and the bound: a value of at
 * most v means that their sum over the cells is at most the bound.
 */
static double exact_weights(double weight[2], const iv_exact_problem *p, double v)
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

/* The least number of marked ones that x in the sample does not exclude, looked for from `near`
 * on; below 0: nothing is near. */
static int64_t exact_least(const iv_exact_cell *c, int64_t x, double alpha, int64_t near)
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

static int exact_pair(double *out, const iv_exact_problem *p, iv_err *err);

static int exact_many(double *out, const iv_exact_problem *p, iv_err *err);

static int find_limit(double *out, iv_exact_problem *p, const iv_segments *s, iv_err *err)
{
    double found = 0.0;
    int rc = IV_OK;

    p->count = 0;
    add_side(p, s->retrieved, s->retrieved_count, 1);
    add_side(p, s->unretrieved, s->unretrieved_count, 0);
    if (p->count <= 1) {
        const int64_t marked = p->count == 0
            ? 0 : exact_least(&p->cell[0], p->cell[0].x, p->alpha, -1);
        found = exact_at(p, &marked);
    } else if (p->count == 2) {
        if (p->cell[0].n > p->cell[1].n) { /* the smaller sample is looked up more often */
            const iv_exact_cell other = p->cell[0];
            p->cell[0] = p->cell[1];
            p->cell[1] = other;
        }
        rc = exact_pair(&found, p, err);
    } else {
        rc = exact_many(&found, p, err);
    }
    if (rc == IV_OK)
        *out = p->upper ? -found : found;
    return rc;
}

/* The limits of a quantity, or the side of `than` on which the lower one is. */
static int find_limits(iv_limits *out, const iv_segments *s, iv_exact_problem p, double confidence,
                       bool one_sided, iv_err *err)
{
    const size_t strata = s->retrieved_count + s->unretrieved_count;
    iv_limits found = { 0.0, 1.0 };

    IV_TRY(iv_segments_check(s, err));
    IV_TRY(iv_check_confidence(&confidence, err));
    if (p.quantity == IV_RECALL_RECALL && iv_recall_unfound(out, s))
        return IV_OK; /* there may be none, and then there is no recall to hold */
    /* A rounding of the last digits never passes for evidence. */
    p.alpha = (1.0 - confidence) / (one_sided ? 1.0 : 2.0) * (1.0 - 1e-9);
    p.cell = malloc(strata * sizeof *p.cell);
    if (p.cell == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu strata", strata);
    int rc = find_limit(&found.lower, &p, s, err);
    p.upper = true;
    if (rc == IV_OK && isnan(p.than))
        rc = find_limit(&found.upper, &p, s, err);
    free(p.cell);
    if (rc == IV_OK)
        *out = found;
    return rc;
}

int iv_recall_guaranteed(iv_limits *out, const iv_segments *s,
                         iv_recall_quantity quantity, double beta, double confidence,
                         bool one_sided, iv_err *err)
{
    const iv_exact_problem p = { .quantity = quantity, .beta2 = iv_beta2(beta), .than = NAN };

    return find_limits(out, s, p, confidence, one_sided, err);
}

int iv_recall_guarantees(bool *out, const iv_segments *s, double recall, double confidence,
                         bool one_sided, iv_err *err)
{
    const iv_exact_problem p = { .quantity = IV_RECALL_RECALL, .beta2 = 1.0, .than = recall };
    iv_limits found;

    IV_TRY(find_limits(&found, s, p, confidence, one_sided, err));
    *out = found.lower >= recall;
    return IV_OK;
}

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
        least[x] = exact_least(c, x, o->alpha,
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
    return exact_at(o->p, (int64_t[]){ limit_of(o, 0, x), limit_of(o, 1, y) });
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
        /* Equal but for rounding counts as high. */
        if (order_of(o, x, at) >= o->seen - 1e-12 * fabs(o->seen))
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
    const bool known = K == o->memory_of;

    o->memory_of = -1;
    if (!known)
        IV_TRY(iv_pmf_hyper(&o->first, a->N, K, a->n, TRIM, err));
    o->memory_of = K;
    IV_TRY(iv_pmf_hyper(&o->second, b->N, L, b->n, TRIM, err));
    if (!IV_ROOM(o->above, o->above_capacity, o->second.count + 1))
        return iv_fail(err, IV_ENOMEM, "no memory for %zu atoms", o->second.count);
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
        IV_TRY(probability(&p, o, K, middle, err));
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

    return L > c->N - c->n + c->x ? INFINITY : exact_at(o->p, (int64_t[]){ K, L });
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
        if (fmax(o->seen, r->bound) >= o->p->than || fmax(o->seen, attained) < o->p->than)
            break; /* bounds only rise, to what is attained at most */
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

/* The limit for two cells, and for any number of them. */
static int exact_pair(double *out, const iv_exact_problem *p, iv_err *err)
{
    ordered o = { .p = p, .alpha = -expm1(0.5 * log1p(-p->alpha)), .memory_of = -1,
                  .all_from = INT64_MAX, .none_to = -1 };
    const iv_exact_cell *a = &p->cell[0], *b = &p->cell[1];

    if (a->n > MOST_SAMPLED || b->n > MOST_SAMPLED) {
        *out = exact_at(p, (int64_t[]){ exact_least(a, a->x, o.alpha, -1),
                                           exact_least(b, b->x, o.alpha, -1) });
        return IV_OK;
    }
    iv_arena own = { 0 };
    range *ranges = iv_arena_alloc(&own, (MOST_RANGES + 1) * sizeof *ranges);
    o.least[0] = iv_take(&own, (size_t)a->n + 1, sizeof(int64_t));
    o.least[1] = iv_take(&own, (size_t)b->n + 1, sizeof(int64_t));
    o.from = iv_take(&own, (size_t)a->n + 1, sizeof(int64_t));
    int rc = ranges != NULL && !own.failed ? IV_OK : iv_no_memory(err);
    if (rc == IV_OK) {
        for (int64_t i = 0; i <= a->n; i++)
            o.least[0][i] = o.from[i] = -1;
        for (int64_t i = 0; i <= b->n; i++)
            o.least[1][i] = -1;
        o.seen = order_of(&o, a->x, b->x);
        rc = search(out, &o, ranges, err);
    }
    iv_arena_free(&own);
    free(o.above);
    iv_pmf_free(&o.first);
    iv_pmf_free(&o.second);
    return rc;
}

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
    (void)exact_weights(t->statistic, p, block);
    t->bound = exact_weights(t->weight, p, v);
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

static int exact_many(double *out, const iv_exact_problem *p, iv_err *err)
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

/* ------------------------------------------------------------------ elusion -- */

int iv_elusion_limits(int64_t *least, int64_t *most, const iv_stratum *s, double confidence,
                      bool one_sided, iv_err *err)
{
    IV_TRY(iv_check_confidence(&confidence, err));
    if (!(s->relevant >= 0 && s->relevant <= s->sampled && s->sampled <= s->size
          && s->size >= 1 && s->size <= IV_STRATUM_MAX))
        return iv_fail(err, IV_EARG, "N = %lld, n = %lld, r = %lld, expected 0 <= r <= n <= N and "
                       "N of at least 1", (long long)s->size, (long long)s->sampled,
                       (long long)s->relevant);
    const double alpha = one_sided ? 1.0 - confidence : 0.5 * (1.0 - confidence);
    const iv_exact_cell cell = { .N = s->size, .n = s->sampled };
    const int64_t low = exact_least(&cell, s->relevant, alpha, -1);
    const int64_t not = exact_least(&cell, s->sampled - s->relevant, alpha, -1);
    *least = low;
    *most = s->size - not;
    return IV_OK;
}

double iv_elusion_accepts(const iv_stratum *plan, int64_t relevant)
{
    return iv_hyper_cdf(plan->relevant, plan->size, relevant, plan->sampled);
}

int iv_elusion_size(iv_stratum *out, int64_t population, int64_t accept, double limit,
                    double confidence, iv_err *err)
{
    IV_TRY(iv_check_confidence(&confidence, err));
    if (!(population >= 1 && population <= IV_STRATUM_MAX))
        return iv_fail(err, IV_EARG, "%lld documents, expected at least 1", (long long)population);
    if (!(accept >= 0 && limit > 0.0 && limit <= 1.0))
        return iv_fail(err, IV_EARG, "a limit of %g with %lld accepted, expected above 0 and at "
                       "most 1, and none or more", limit, (long long)accept);
    /* The least number whose share is at the limit: what is below it is below the limit. */
    const int64_t relevant = (int64_t)ceil(limit * (double)population * (1.0 - 1e-14));
    iv_stratum p = { population, population, accept };
    if (relevant <= accept || iv_elusion_accepts(&p, relevant) > 1.0 - confidence)
        return iv_fail(err, IV_ENODATA, "%g of %lld documents are %lld: with %lld relevant ones "
                       "accepted, even judging all of them cannot demonstrate less", limit,
                       (long long)population, (long long)relevant, (long long)accept);
    int64_t low = 0, high = population; /* not enough, and enough */
    while (high - low > 1) {
        p.sampled = low + (high - low) / 2;
        if (iv_elusion_accepts(&p, relevant) > 1.0 - confidence)
            low = p.sampled;
        else
            high = p.sampled;
    }
    *out = (iv_stratum){ population, high, accept };
    return IV_OK;
}
