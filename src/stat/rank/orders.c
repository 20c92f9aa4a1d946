/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How alike two orders of systems are on all topics, from scores on some.
 *
 * Chance shuffles both orders, so the likeness that is seen is lower than the one on
 * all topics where systems are close, and resampling topics shuffles them once more: a
 * bootstrap of tau misses the truth almost always.  Instead the systems' true means are
 * taken for draws from a normal distribution of pairs (a, b) with unknown mean and
 * covariance; each pair of means over topics has the error covariance of its residuals,
 * topics' own effects taken out.  Gibbs sampling gives pairs of true means, whose orders
 * are compared.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/equal_means.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/interval.h"
#include "intervale/stat/rank.h"

/* A symmetric 2 x 2 matrix and a vector. */
typedef struct sym {
    double aa, ab, bb;
} sym;
typedef struct vec {
    double a, b;
} vec;

static sym inverse(sym m)
{
    const double det = m.aa * m.bb - m.ab * m.ab;

    return (sym){ m.bb / det, -m.ab / det, m.aa / det };
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

/* A draw of the inverse Wishart distribution: that of (L A A' L')^-1, L L' = scale^-1. */
static sym inverse_wishart(iv_stream *s, double df, sym scale)
{
    const sym q = inverse(scale);
    const double l = sqrt(q.aa), low = q.ab / l, right = sqrt(fmax(q.bb - low * low, 1e-300));
    const double x = sqrt(2.0 * iv_draw_gamma(s, 0.5 * df)), y = iv_draw_normal(s);
    const double z = sqrt(2.0 * iv_draw_gamma(s, 0.5 * (df - 1.0)));
    const double t = l * x, u = low * x + right * y, v = right * z;

    return inverse((sym){ t * t, t * u, u * u + v * v });
}

typedef struct chain {
    size_t systems;
    vec *seen, *now; /* means over topics; true means, as drawn */
    sym *weight;     /* inverse error covariances of the former */
} chain;

static void step(chain *c, iv_stream *s)
{
    const double m = (double)c->systems;
    vec mean = { 0 };
    sym spread = { 0 };

    for (size_t i = 0; i < c->systems; i++) {
        mean.a += c->now[i].a / m;
        mean.b += c->now[i].b / m;
    }
    for (size_t i = 0; i < c->systems; i++) {
        const double x = c->now[i].a - mean.a, y = c->now[i].b - mean.b;
        spread = plus(spread, (sym){ x * x, x * y, y * y });
    }
    const double tiny = 1e-9 * (spread.aa + spread.bb) + 1e-300;
    spread = plus(spread, (sym){ tiny, 0.0, tiny });
    /* The prior of the covariance is its determinant to the power -1/2, between Jeffreys'
     * and a flat one; the mean is integrated out. */
    const sym prior = inverse_wishart(s, m - 3.0, spread), p = inverse(prior);
    const vec centre = normal_pair(s, mean, (sym){ prior.aa / m, prior.ab / m, prior.bb / m });
    const vec pull = times(p, centre);
    for (size_t i = 0; i < c->systems; i++) {
        const vec own = times(c->weight[i], c->seen[i]);
        const sym cov = inverse(plus(c->weight[i], p));
        c->now[i] = normal_pair(s, times(cov, (vec){ own.a + pull.a, own.b + pull.b }), cov);
    }
}

/* Error covariances of the means: of residuals without the effects of system and topic,
 * half of each system's own, half of all systems' mean. */
static void weigh(chain *c, const double *a, const double *b, size_t topics)
{
    const size_t m = c->systems;
    const double n = (double)topics;
    const double scale = (double)m / (double)(m - 1) / (n * (n - 1.0));
    vec all = { 0 };
    sym mean = { 0 };

    for (size_t i = 0; i < m; i++) {
        all.a += c->seen[i].a / (double)m;
        all.b += c->seen[i].b / (double)m;
        c->weight[i] = (sym){ 0 };
    }
    for (size_t t = 0; t < topics; t++) {
        vec topic = { 0 };
        for (size_t i = 0; i < m; i++) {
            topic.a += a[i * topics + t] / (double)m;
            topic.b += b[i * topics + t] / (double)m;
        }
        for (size_t i = 0; i < m; i++) {
            const double x = a[i * topics + t] - c->seen[i].a - topic.a + all.a;
            const double y = b[i * topics + t] - c->seen[i].b - topic.b + all.b;
            c->weight[i] = plus(c->weight[i], (sym){ x * x, x * y, y * y });
        }
    }
    for (size_t i = 0; i < m; i++)
        mean = plus(mean, (sym){ c->weight[i].aa / (double)m, c->weight[i].ab / (double)m,
                                 c->weight[i].bb / (double)m });
    const double tiny = 1e-9 * (mean.aa + mean.bb) + 1e-18;
    for (size_t i = 0; i < m; i++) {
        const sym v = plus(c->weight[i], mean);
        const double half = 0.5 * scale;
        c->weight[i] = inverse((sym){ half * v.aa + tiny * scale, half * v.ab,
                                      half * v.bb + tiny * scale });
    }
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
    int rc = iv_kendall(&out[0], w->a, w->b, n, err);

    if (rc == IV_ENODATA) {
        out[0] = NAN;
        rc = IV_OK;
    }
    if (rc == IV_OK)
        rc = iv_tau_ap(&out[1], w->a, w->b, n, err);
    if (rc == IV_OK) {
        const iv_ranked_items x = rank_items(w, 0, w->a, n), y = rank_items(w, 1, w->b, n);
        rc = iv_rbo_of(&rbo, &x, &y, n, p, IV_RBO_AVERAGE, err);
    }
    out[2] = rbo.value;
    return rc;
}

enum { BURN_IN = 500, CHAIN = 0x6f726472 };

static int draw_all(double *draws, size_t count, chain *c, room *w, double p,
                    const iv_work *work, iv_err *err)
{
    iv_stream s = iv_stream_start(iv_work_seed(work), CHAIN, 0);
    int rc = IV_OK;

    for (size_t k = 0; k < BURN_IN + count && rc == IV_OK; k++) {
        step(c, &s);
        if (k % 64 == 0)
            rc = iv_check_work(work, (double)k / (double)(BURN_IN + count), err);
        if (k < BURN_IN || rc != IV_OK)
            continue;
        double x[3] = { 0.0 };
        for (size_t i = 0; i < c->systems; i++) {
            w->a[i] = c->now[i].a;
            w->b[i] = c->now[i].b;
        }
        rc = likenesses(x, w, c->systems, p, err);
        for (size_t j = 0; j < 3; j++)
            draws[j * count + k - BURN_IN] = x[j];
    }
    return rc;
}

static iv_order_likeness summary(double value, double *draws, size_t count, double confidence)
{
    return (iv_order_likeness){ value, iv_quantile(draws, count, 0.5),
                                iv_quantile(draws, count, 0.5 * (1.0 - confidence)),
                                iv_quantile(draws, count, 0.5 * (1.0 + confidence)) };
}

static int compare_orders(iv_orders *out, chain *c, room *w, double *draws, const double *a,
                          const double *b, size_t topics, const iv_orders_options *o,
                          const iv_work *work, iv_err *err)
{
    const size_t m = c->systems, count = o->draws == 0 ? 10000 : o->draws;
    const double confidence = o->confidence == 0.0 ? 0.95 : o->confidence;
    double x[3] = { 0.0 };
    iv_order_likeness *all[] = { &out->tau, &out->tau_ap, &out->rbo };

    for (size_t i = 0; i < m; i++) {
        vec sum = { 0 };
        for (size_t t = 0; t < topics; t++) {
            sum.a += a[i * topics + t];
            sum.b += b[i * topics + t];
        }
        w->a[i] = c->seen[i].a = sum.a / (double)topics;
        w->b[i] = c->seen[i].b = sum.b / (double)topics;
        c->now[i] = c->seen[i];
    }
    IV_TRY(iv_tie_means(w->a, m, iv_slack_of(a, m * topics), err));
    IV_TRY(iv_tie_means(w->b, m, iv_slack_of(b, m * topics), err));
    IV_TRY(likenesses(x, w, m, o->persistence, err));
    const bool drawn = m >= IV_ORDERS_LEAST && topics > 1;
    if (drawn) {
        weigh(c, a, b, topics);
        IV_TRY(draw_all(draws, count, c, w, o->persistence, work, err));
    }
    for (size_t j = 0; j < 3; j++)
        *all[j] = drawn ? summary(x[j], draws + j * count, count, confidence)
                        : (iv_order_likeness){ x[j], NAN, NAN, NAN };
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
    if (o.confidence < 0.0 || o.confidence >= 1.0)
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", o.confidence);
    for (size_t i = 0; i < m * topics; i++)
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return iv_fail(err, IV_EARG, "a score is not finite, expected all to be");
    chain c = { m, iv_take(&memory, m, sizeof(vec)), iv_take(&memory, m, sizeof(vec)),
                iv_take(&memory, m, sizeof(sym)) };
    room w = { iv_take(&memory, m, sizeof(double)), iv_take(&memory, m, sizeof(double)),
               { iv_take(&memory, m, sizeof(uint32_t)), iv_take(&memory, m, sizeof(uint32_t)) },
               { iv_take(&memory, m, sizeof(double)), iv_take(&memory, m, sizeof(double)) },
               iv_take(&memory, m, sizeof(ranked)) };
    double *draws = iv_take(&memory, 3 * (o.draws == 0 ? 10000 : o.draws), sizeof *draws);
    int rc = iv_taken(&memory, err);
    if (rc == IV_OK)
        rc = compare_orders(&found, &c, &w, draws, a, b, topics, &o, work, err);
    if (rc == IV_OK)
        *out = found;
    iv_arena_free(&memory);
    return rc;
}
