/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How alike two orders of systems are on all topics, from scores on some.
 *
 * Chance shuffles both orders, so the likeness that is seen is lower than the one on
 * all topics where systems are close, and resampling topics shuffles them once more: a
 * bootstrap of tau misses the truth almost always.  Instead the systems' true means are
 * taken for draws from a normal distribution of pairs (a, b) with unknown mean and
 * covariance; those of near-copies for draws around a mean of their family, which is such
 * a draw.  Means over topics have the error covariances of their residuals, topics' own
 * effects taken out.  Gibbs sampling gives pairs of true means, whose orders are compared.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/equal_means.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/interval.h"
#include "intervale/stat/rank.h"
#include "num/cholesky.h"
#include "stat/rank/order_families.h"

/* A symmetric 2 x 2 matrix and a vector. */
typedef struct sym {
    double aa, ab, bb;
} sym;
typedef struct vec {
    double a, b;
} vec;

/* Of a matrix that rounding may have left without a determinant. */
static sym inverse(sym m)
{
    const double aa = m.aa * (1.0 + 1e-12), bb = m.bb * (1.0 + 1e-12), det = aa * bb - m.ab * m.ab;

    return (sym){ bb / det, -m.ab / det, aa / det };
}

static sym plus(sym x, sym y) { return (sym){ x.aa + y.aa, x.ab + y.ab, x.bb + y.bb }; }

static vec times(sym m, vec v) { return (vec){ m.aa * v.a + m.ab * v.b, m.ab * v.a + m.bb * v.b }; }

/* mean + L z, L L' = m. */
static vec normal_pair(iv_stream *s, vec mean, sym m)
{
    const double l = sqrt(fmax(m.aa, 1e-300)), z = iv_draw_normal(s), y = iv_draw_normal(s);
    const double low = m.ab / l;

    return (vec){ mean.a + l * z,
                  mean.b + low * z + sqrt(fmax(m.bb - low * low, 0.0)) * y };
}

/* A draw of the inverse Wishart distribution and its inverse L A A' L', L L' = scale^-1. */
static sym inverse_wishart(sym *precision, iv_stream *s, double df, sym scale)
{
    const sym q = inverse(scale);
    const double l = sqrt(q.aa), low = q.ab / l, right = sqrt(fmax(q.bb - low * low, 1e-300));
    const double x = sqrt(2.0 * iv_draw_gamma(s, 0.5 * df)), y = iv_draw_normal(s);
    const double z = sqrt(2.0 * iv_draw_gamma(s, 0.5 * (df - 1.0)));
    const double t = l * x, u = low * x + right * y, v = right * z, det = t * t * v * v;

    *precision = (sym){ t * t, t * u, u * u + v * v };
    return (sym){ precision->bb / det, -precision->ab / det, precision->aa / det };
}

/* A family so many standard deviations from the middle of all, by either score, does not tell
 * how the others lie: its prior is all but flat. */
static const double cut = 3.0, flat = 1e-9;

typedef struct chain {
    size_t systems, copies; /* copies: the members of families that have several */
    iv_order_families families;
    vec *now, *middle;  /* true means of systems and of families, as drawn */
    double *ease;       /* of families: 1, or flat: what the prior precision is multiplied by */
    size_t near;        /* families with 1 */
    vec centre;         /* of all */
    sym between, within; /* covariances of families' means, and of members around theirs */
    sym p_between, p_within, wide, narrow; /* their inverses; the same of what is seen */
    double *root, *x;   /* of the families, one after the other: of their posterior precisions */
    size_t repeat;      /* so many draws of true means for one of the covariances */
} chain;

static sym scaled(sym m, double by) { return (sym){ by * m.aa, by * m.ab, by * m.bb }; }

static vec sum_of(const iv_order_family *f, const vec *x)
{
    vec sum = { 0 };

    for (size_t i = 0; i < f->count; i++)
        sum = (vec){ sum.a + x[f->members[i]].a, sum.b + x[f->members[i]].b };
    return sum;
}

static sym square(vec x, vec from)
{
    const double a = x.a - from.a, b = x.b - from.b;

    return (sym){ a * a, a * b, b * b };
}

/* A family's mean, given its members'; that of a system by itself is its own. */
static vec draw_middle(const chain *c, const iv_order_family *f, iv_stream *s)
{
    const double k = (double)f->count;
    const vec sum = sum_of(f, c->now);

    if (f->count == 1)
        return sum;
    const sym p = scaled(c->p_between, c->ease[f - c->families.all]);
    const sym cov = inverse(plus(scaled(c->p_within, k), p));
    const vec x = times(c->p_within, sum), y = times(p, c->centre);
    return normal_pair(s, times(cov, (vec){ x.a + y.a, x.b + y.b }), cov);
}

/*
 * The covariances and the mean of all, given the true means.  The prior of families' covariance
 * is its determinant to the power -1/2, between Jeffreys' and a flat one, and -1 for members
 * around families' means, which may be all but equal in order; the mean of all is integrated
 * out.  Where families or copies are few, what is seen stands for some more.
 */
static void draw_covariances(chain *c, iv_stream *s)
{
    const double m = (double)c->near;
    const double degrees = (double)(c->systems - c->families.count);
    vec mean = { 0 };
    double all = 0.0;
    sym spread = { 0 }, around = { 0 };

    for (size_t f = 0; f < c->families.count; f++) {
        mean = (vec){ mean.a + c->ease[f] * c->middle[f].a, mean.b + c->ease[f] * c->middle[f].b };
        all += c->ease[f];
    }
    mean = (vec){ mean.a / all, mean.b / all };
    for (size_t f = 0; f < c->families.count; f++) {
        const iv_order_family *family = &c->families.all[f];
        spread = plus(spread, scaled(square(c->middle[f], mean), c->ease[f]));
        for (size_t i = 0; i < family->count && family->count > 1; i++)
            around = plus(around, square(c->now[family->members[i]], c->middle[f]));
    }
    const double few = fmax(0.0, 5.0 - m), scarce = fmax(0.0, 4.0 - degrees);
    spread = plus(spread, scaled(c->wide, few));
    const double tiny = 1e-9 * (spread.aa + spread.bb) + 1e-300;
    spread = plus(spread, (sym){ tiny, 0.0, tiny });
    c->between = inverse_wishart(&c->p_between, s, m - 3.0 + few, spread);
    c->centre = normal_pair(s, mean, scaled(c->between, 1.0 / all));
    if (c->copies == 0)
        return;
    around = plus(plus(around, scaled(c->narrow, scarce)), (sym){ tiny, 0.0, tiny });
    c->within = inverse_wishart(&c->p_within, s, (double)c->copies - 1.0 + scarce, around);
}

/* The root of a family's posterior precision: its weight, and the prior's precision, which is
 * that of members around their mean but for the direction in which all move together. */
static bool set_root(double *l, const chain *c, const iv_order_family *f, sym whole)
{
    const size_t k = f->count, d = 2 * k;
    const sym each = k > 1 ? c->p_within : whole;
    const sym all = k > 1 ? scaled(plus(whole, scaled(c->p_within, -1.0)), 1.0 / (double)k)
                          : (sym){ 0 };

    for (size_t x = 0; x < k; x++)
        for (size_t y = 0; y <= x; y++) {
            const sym p = x == y ? plus(all, each) : all;
            const size_t at = 2 * x * d + 2 * y;
            l[at] = f->weight[at] + p.aa;
            l[at + 1] = f->weight[at + 1] + p.ab;
            l[at + d] = f->weight[at + d] + p.ab;
            l[at + d + 1] = f->weight[at + d + 1] + p.bb;
        }
    return iv_cholesky(l, d);
}

/* True means of all systems; fresh: with covariances drawn anew.  False where rounding leaves
 * no covariance. */
static bool step(chain *c, iv_stream *s, bool fresh)
{
    double *root = c->root;

    if (fresh)
        draw_covariances(c, s);
    for (size_t f = 0; f < c->families.count; f++) {
        const iv_order_family *family = &c->families.all[f];
        const size_t k = family->count, d = 2 * k;
        const sym whole = k == 1 ? scaled(c->p_between, c->ease[f])
                                 : inverse(plus(c->within, scaled(c->between, (double)k / c->ease[f])));
        const vec pull = times(whole, c->centre);
        double *l = root;
        root += d * d;
        if (fresh && !set_root(l, c, family, whole))
            return false;
        for (size_t i = 0; i < d; i++)
            c->x[i] = family->pull[i] + (i % 2 == 0 ? pull.a : pull.b);
        iv_solve_lower(l, c->x, d);
        for (size_t i = 0; i < d; i++)
            c->x[i] += iv_draw_normal(s);
        iv_solve_upper(l, c->x, d);
        for (size_t i = 0; i < k; i++)
            c->now[family->members[i]] = (vec){ c->x[2 * i], c->x[2 * i + 1] };
        c->middle[f] = draw_middle(c, family, s);
    }
    return true;
}

static void take_means(double *means, const double *x, size_t systems, size_t topics)
{
    for (size_t i = 0; i < systems; i++) {
        double sum = 0.0;
        for (size_t t = 0; t < topics; t++)
            sum += x[i * topics + t];
        means[i] = sum / (double)topics;
    }
}

/* The same scores, without their middle, in a unit of their own: orders stay as they are. */
static double *in_own_unit(iv_arena *memory, const double *x, size_t count)
{
    double *y = iv_take(memory, count, sizeof *y), low = x[0], high = x[0];

    for (size_t i = 1; i < count; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    const double half = 0.5 * high - 0.5 * low, middle = 0.5 * high + 0.5 * low;
    for (size_t i = 0; i < count && y != NULL; i++)
        y[i] = half > 0.0 ? (x[i] - middle) / half : 0.0;
    return y;
}

/* Marks families far from the others, if at least five and three quarters of all are not. */
static void set_apart(chain *c, double *room)
{
    const size_t m = c->families.count;

    for (size_t f = 0; f < m; f++)
        c->ease[f] = 1.0;
    for (int side = 0; side < 2; side++) {
        for (size_t f = 0; f < m; f++)
            room[f] = side == 0 ? c->middle[f].a : c->middle[f].b;
        const double middle = iv_quantile(room, m, 0.5);
        for (size_t f = 0; f < m; f++)
            room[f] = fabs((side == 0 ? c->middle[f].a : c->middle[f].b) - middle);
        const double sd = 1.4826 * iv_quantile(room, m, 0.5);
        for (size_t f = 0; f < m; f++)
            if (fabs((side == 0 ? c->middle[f].a : c->middle[f].b) - middle) > cut * sd)
                c->ease[f] = flat;
    }
    for (size_t f = 0; f < m; f++)
        c->near += c->ease[f] == 1.0;
    if (c->near >= IV_ORDERS_LEAST && 4 * c->near >= 3 * m)
        return;
    for (size_t f = 0; f < m; f++)
        c->ease[f] = 1.0;
    c->near = m;
}

/* Where the chain begins: at what is seen. */
static int begin(chain *c, iv_arena *memory, const double *scores_a, const double *scores_b,
                 size_t topics, const iv_work *work, iv_err *err)
{
    const size_t m = c->systems;
    size_t cells = 0;
    vec all = { 0 };
    const double *a = in_own_unit(memory, scores_a, m * topics);
    const double *b = in_own_unit(memory, scores_b, m * topics);
    double *mean_a = iv_take(memory, m, sizeof *mean_a);
    double *mean_b = iv_take(memory, m, sizeof *mean_b);

    IV_TRY(iv_taken(memory, err));
    take_means(mean_a, a, m, topics);
    take_means(mean_b, b, m, topics);
    IV_TRY(iv_find_families(&c->families, memory, a, b, mean_a, mean_b, m, topics, work, err));
    c->now = iv_take(memory, m, sizeof *c->now);
    c->middle = iv_take(memory, m, sizeof *c->middle);
    c->ease = iv_take(memory, m, sizeof *c->ease);
    c->x = iv_take(memory, 2 * c->families.largest, sizeof *c->x);
    for (size_t f = 0; f < c->families.count; f++)
        cells += 4 * c->families.all[f].count * c->families.all[f].count;
    c->root = iv_take(memory, cells, sizeof *c->root);
    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < m; i++) {
        c->now[i] = (vec){ mean_a[i], mean_b[i] };
        all = (vec){ all.a + mean_a[i] / (double)m, all.b + mean_b[i] / (double)m };
    }
    const double degrees = (double)(m - c->families.count);
    for (size_t f = 0; f < c->families.count; f++) {
        const iv_order_family *family = &c->families.all[f];
        const double k = (double)family->count;
        const vec sum = sum_of(family, c->now);
        c->middle[f] = (vec){ sum.a / k, sum.b / k };
        c->copies += family->count > 1 ? family->count : 0;
        for (size_t i = 0; i < family->count; i++) {
            const vec x = c->now[family->members[i]];
            c->wide = plus(c->wide, scaled(square(x, all), 1.0 / (double)(m - 1)));
            c->narrow = plus(c->narrow, scaled(square(x, c->middle[f]), 1.0 / fmax(degrees, 1.0)));
        }
    }
    set_apart(c, mean_a);
    c->repeat = c->families.largest > 3 ? c->families.largest / 3 : 1;
    return IV_OK;
}

/* ------------------------------------------------------------- likenesses -- */

typedef struct ranked {
    double score;
    uint32_t item;
} ranked;

typedef struct room {
    double *a, *b;
    uint32_t *items[2];
    double *scores[2];
    ranked *order;
} room;

static int by_score(const void *va, const void *vb)
{
    const ranked *x = va, *y = vb;

    return x->score != y->score ? (x->score > y->score ? -1 : 1)
        : (x->item > y->item) - (x->item < y->item);
}

static iv_ranked_items rank_items(room *w, size_t side, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        w->order[i] = (ranked){ values[i], (uint32_t)i };
    qsort(w->order, n, sizeof *w->order, by_score);
    for (size_t i = 0; i < n; i++) {
        w->items[side][i] = w->order[i].item;
        w->scores[side][i] = w->order[i].score;
    }
    return (iv_ranked_items){ w->items[side], w->scores[side], n };
}

/* tau, tau_AP and RBO of the orders of w->a and w->b. */
static int likenesses(double out[3], room *w, size_t n, double p, iv_err *err)
{
    iv_rbo rbo = { 0 };
    int rc = iv_kendall(&out[0], w->a, w->b, n, NULL);

    if (rc == IV_ENODATA) { /* of neither a tau */
        out[0] = out[1] = NAN;
        rc = IV_OK;
    } else if (rc == IV_OK) {
        rc = iv_tau_ap(&out[1], w->a, w->b, n, err);
    }
    if (rc == IV_OK) {
        const iv_ranked_items x = rank_items(w, 0, w->a, n), y = rank_items(w, 1, w->b, n);
        rc = iv_rbo_of(&rbo, &x, &y, n, p, IV_RBO_AVERAGE, err);
    }
    out[2] = rbo.value;
    return rc;
}

enum { BURN_IN = 500, CHAIN = 0x6f726472 };

static int draw_all(bool *drawn, double *draws, size_t count, chain *c, room *w, double p,
                    const iv_work *work, iv_err *err)
{
    const size_t before = BURN_IN > 50 * c->repeat ? BURN_IN : 50 * c->repeat;
    iv_stream s = iv_stream_start(iv_work_seed(work), CHAIN, 0);

    for (size_t k = 0; k < before + count; k++) {
        *drawn = step(c, &s, k % c->repeat == 0);
        if (!*drawn)
            return IV_OK;
        if (k % 64 == 0)
            IV_TRY(iv_check_work(work, (double)k / (double)(before + count), err));
        if (k < before)
            continue;
        double x[3] = { 0.0 };
        for (size_t i = 0; i < c->systems; i++) {
            w->a[i] = c->now[i].a;
            w->b[i] = c->now[i].b;
        }
        IV_TRY(likenesses(x, w, c->systems, p, err));
        for (size_t j = 0; j < 3; j++)
            draws[j * count + k - before] = x[j];
    }
    return IV_OK;
}

static iv_order_likeness summary(double value, double *draws, size_t count, double confidence)
{
    return (iv_order_likeness){ value, iv_quantile(draws, count, 0.5),
                                iv_quantile(draws, count, 0.5 * (1.0 - confidence)),
                                iv_quantile(draws, count, 0.5 * (1.0 + confidence)) };
}

static int compare_orders(iv_orders *out, iv_arena *memory, room *w, double *draws,
                          const double *a, const double *b, size_t m, size_t topics,
                          const iv_orders_options *o, const iv_work *work, iv_err *err)
{
    const size_t count = o->draws == 0 ? 10000 : o->draws;
    const double confidence = o->confidence == 0.0 ? 0.95 : o->confidence;
    double x[3] = { 0.0 };
    iv_order_likeness *all[] = { &out->tau, &out->tau_ap, &out->rbo };
    chain c = { .systems = m };
    bool drawn = m >= IV_ORDERS_LEAST && topics > 1;

    take_means(w->a, a, m, topics);
    take_means(w->b, b, m, topics);
    if (drawn)
        IV_TRY(begin(&c, memory, a, b, topics, work, err));
    IV_TRY(iv_tie_means(w->a, m, iv_slack_of(a, m * topics), err));
    IV_TRY(iv_tie_means(w->b, m, iv_slack_of(b, m * topics), err));
    IV_TRY(likenesses(x, w, m, o->persistence, err));
    drawn = drawn && !isnan(x[0]);
    if (drawn)
        IV_TRY(draw_all(&drawn, draws, count, &c, w, o->persistence, work, err));
    for (size_t j = 0; j < 3; j++)
        *all[j] = drawn ? summary(x[j], draws + j * count, count, confidence)
                        : (iv_order_likeness){ x[j], NAN, NAN, NAN };
    out->families = drawn ? c.families.count : 0;
    out->largest = drawn ? c.families.largest : 0;
    return IV_OK;
}

int iv_orders_agree(iv_orders *out, const double *a, const double *b, size_t systems,
                    size_t topics, const iv_orders_options *options, const iv_work *work,
                    iv_err *err)
{
    IV_TRY(iv_check_list(a, systems * topics, "value", err));
    IV_TRY(iv_check_list(b, systems * topics, "value", err));
    const iv_orders_options o = options != NULL ? *options : (iv_orders_options){ 0 };
    const size_t m = systems;
    iv_arena memory = { 0 };
    iv_orders found = { 0 };

    if (m < 2 || topics == 0)
        return iv_fail(err, IV_EARG, "%zu systems on %zu topics, expected two or more on some", m,
                       topics);
    if (!(o.confidence >= 0.0 && o.confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", o.confidence);
    for (size_t i = 0; i < m * topics; i++)
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return iv_fail(err, IV_EARG, "a score is not finite, expected all to be");
    room w = { iv_take(&memory, m, sizeof(double)), iv_take(&memory, m, sizeof(double)),
               { iv_take(&memory, m, sizeof(uint32_t)), iv_take(&memory, m, sizeof(uint32_t)) },
               { iv_take(&memory, m, sizeof(double)), iv_take(&memory, m, sizeof(double)) },
               iv_take(&memory, m, sizeof(ranked)) };
    double *draws = iv_take(&memory, 3 * (o.draws == 0 ? 10000 : o.draws), sizeof *draws);
    int rc = iv_taken(&memory, err);
    if (rc == IV_OK)
        rc = compare_orders(&found, &memory, &w, draws, a, b, m, topics, &o, work, err);
    if (rc == IV_OK)
        *out = found;
    iv_arena_free(&memory);
    return rc;
}
