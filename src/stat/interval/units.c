/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refs: Liang and Zeger (1986), Biometrika 73, 13-22; Bell and McCaffrey (2002), Survey
 * Methodology 28, 169-181, for few clusters; Satterthwaite (1946), Biometrics Bulletin 2;
 * Miller (2024), Adding error bars to evals, arXiv 2411.00640.
 */
#include "stat/interval/units.h"

#include <math.h>
#include <string.h>

#include "intervale/num.h"
#include "stat/interval/bootstrap.h"

/* The sums that a set's degrees of freedom are made of; see degrees(). */
typedef struct moments {
    double variance, plain; /* with and without the correction */
    double trace, own, seen; /* of the matrix; of its diagonal: as it is, as the sums have it */
    double gv, gw, gwv, v; /* sums of g v^2, g w^2, g w v, v; g = 1 / (1 - w) */
    double parts; /* sum of w^2 */
} moments;

/* By unit: sums of w x, w and w^2, of squared residuals, its set. */
struct iv_units {
    double *sum, *weight, *squares, *spread;
    uint32_t *set;
    /* By set: sums, weights and units of it, its mean, its share in the whole, sums of w x^2. */
    double *set_sum, *set_weight, *set_mean, *set_share, *set_count, *set_square;
    moments *moments;
    size_t units, sets;
};

size_t iv_units_most(size_t items, const iv_structure *s)
{
    return s->sampled && s->suite != NULL ? s->suites : s->cluster != NULL ? s->clusters : items;
}

iv_units *iv_units_new(iv_arena *own, size_t items, const iv_structure *s)
{
    const size_t sets = s->suite != NULL ? s->suites : 1;
    const size_t n = iv_units_most(items, s) + 1;
    iv_units *u = iv_take(own, 1, sizeof *u);

    if (u == NULL)
        return NULL;
    double **of_unit[] = { &u->sum, &u->weight, &u->squares, &u->spread };
    double **of_set[] = { &u->set_sum, &u->set_weight, &u->set_mean, &u->set_share,
                          &u->set_count, &u->set_square };
    for (size_t i = 0; i < 4; i++)
        *of_unit[i] = iv_take(own, n, sizeof(double));
    for (size_t i = 0; i < 6; i++)
        *of_set[i] = iv_take(own, sets + 1, sizeof(double));
    u->moments = iv_take(own, sets + 1, sizeof *u->moments);
    u->set = iv_take(own, n, sizeof *u->set);
    u->units = n - 1;
    u->sets = sets;
    return own->failed ? NULL : u;
}

static size_t unit_of(const iv_structure *s, size_t item)
{
    return s->sampled && s->suite != NULL ? s->suite[item]
        : s->cluster != NULL ? s->cluster[item] : item;
}

/* Sums of each unit; of sampled sets, their means then stand for them. */
static void add_up(iv_units *u, const double *x, size_t items, const iv_structure *s)
{
    const bool sampled = s->sampled && s->suite != NULL;

    memset(u->sum, 0, u->units * sizeof *u->sum);
    memset(u->weight, 0, u->units * sizeof *u->weight);
    memset(u->squares, 0, u->units * sizeof *u->squares);
    for (size_t t = 0; t < items; t++) {
        const size_t k = unit_of(s, t);
        const double w = s->weight != NULL ? s->weight[t] : 1.0;
        u->set[k] = s->suite != NULL && !sampled ? s->suite[t] : 0;
        if (isnan(x[t]))
            continue;
        u->sum[k] += w * x[t];
        u->weight[k] += w;
        u->squares[k] += w * w;
    }
    for (size_t k = 0; sampled && k < u->units; k++) {
        const double w = s->suite_weight != NULL ? s->suite_weight[k] : 1.0;
        if (u->weight[k] > 0.0) {
            u->sum[k] *= w / u->weight[k];
            u->weight[k] = w;
            u->squares[k] = w * w;
        }
    }
}

/* Means of the sets and of them all. */
static void find_means(iv_structured *out, iv_units *u, const iv_structure *s)
{
    const bool fixed = s->suite != NULL && !s->sampled;
    const size_t sets = fixed ? u->sets : 1;
    double all = 0.0;

    for (size_t h = 0; h < sets; h++)
        u->set_sum[h] = u->set_weight[h] = u->set_count[h] = 0.0;
    out->units = 0;
    for (size_t k = 0; k < u->units; k++) {
        if (!(u->weight[k] > 0.0))
            continue;
        const uint32_t h = u->set[k];
        out->units++;
        u->set_sum[h] += u->sum[k];
        u->set_weight[h] += u->weight[k];
        u->set_count[h] += 1.0;
    }
    for (size_t h = 0; h < sets; h++) {
        u->set_share[h] = u->set_count[h] == 0.0 ? 0.0
            : fixed && s->suite_weight != NULL ? s->suite_weight[h] : 1.0;
        all += u->set_share[h];
    }
    out->mean = 0.0;
    for (size_t h = 0; h < sets; h++) {
        u->set_mean[h] = u->set_count[h] == 0.0 ? 0.0 : u->set_sum[h] / u->set_weight[h];
        out->mean += u->set_share[h] * u->set_mean[h];
        u->set_share[h] /= all;
    }
    out->mean /= all; /* at last: of ten sets with the mean 1 it is 1 */
}

/* The lowest score; the standard error as if all items were independent and of one set.
 * Returns the largest score, of either sign. */
static double find_apart(iv_structured *out, const double *x, size_t items, const iv_structure *s)
{
    double sum = 0.0, weight = 0.0, squares = 0.0, largest = 0.0;

    out->items = 0;
    out->least = INFINITY;
    for (size_t t = 0; t < items; t++) {
        const double w = isnan(x[t]) ? 0.0 : s->weight != NULL ? s->weight[t] : 1.0;
        out->least = w > 0.0 ? fmin(out->least, x[t]) : out->least;
        largest = w > 0.0 ? fmax(largest, fabs(x[t])) : largest;
        sum += w > 0.0 ? w * x[t] : 0.0;
        weight += w;
        out->items += w > 0.0;
    }
    for (size_t t = 0; t < items; t++) {
        const double w = isnan(x[t]) ? 0.0 : s->weight != NULL ? s->weight[t] : 1.0;
        const double r = w > 0.0 ? w * (x[t] - sum / weight) : 0.0;
        squares += r * r;
    }
    out->se_apart = out->items > 1
        ? sqrt(squares * (double)out->items / (double)(out->items - 1)) / weight : (double)NAN;
    return largest;
}

/* The correlation of residuals within units, from the products of different items. */
static double correlation(iv_units *u, const double *x, size_t items,
                          const iv_structure *s)
{
    double crossed = 0.0, pairs = 0.0, squares = 0.0, weights = 0.0;
    const bool sampled = s->sampled && s->suite != NULL;

    memset(u->spread, 0, u->units * sizeof *u->spread);
    for (size_t t = 0; t < items; t++) {
        if (isnan(x[t]))
            continue;
        const size_t k = unit_of(s, t), h = u->set[k];
        const double w = s->weight != NULL ? s->weight[t] : 1.0;
        const double r = w * (x[t] - u->set_mean[h]);
        u->spread[k] += r * r;
    }
    if (sampled)
        return (double)NAN; /* a set is one value */
    for (size_t k = 0; k < u->units; k++) {
        const double r = u->sum[k] - u->weight[k] * u->set_mean[u->set[k]];
        if (!(u->weight[k] > 0.0))
            continue;
        crossed += r * r - u->spread[k];
        pairs += u->weight[k] * u->weight[k] - u->squares[k];
        squares += u->spread[k];
        weights += u->squares[k];
    }
    return !(squares > 0.0) || !(pairs > 1e-9 * weights) || s->cluster == NULL ? (double)NAN
        : fmin(1.0, fmax(0.0, crossed / pairs / (squares / weights)));
}

/* v of a unit: the variance of its sum, but for a factor. */
static double sum_variance(const iv_units *u, size_t k, double icc)
{
    return u->squares[k] * (1.0 - icc) + u->weight[k] * u->weight[k] * icc;
}

/*
 * Satterthwaite: tr(M)^2 / tr(M^2), M the covariance of the terms of which the variance is
 * the sum of squares: M[c][d] = ([c = d] v_c - w_d v_c - w_c v_d + w_c w_d V) sqrt(g_c g_d).
 * Its squares add up from sums of units, without all pairs of them.
 */
static double degrees(const moments *m)
{
    const double all = 2.0 * m->gv * m->gw + m->gw * m->gw * m->v * m->v + 2.0 * m->gwv * m->gwv
        - 4.0 * m->v * m->gw * m->gwv;

    return m->trace * m->trace / (all - m->seen + m->own);
}

/* Of all sets. */
static void find_moments(iv_units *u, size_t sets, double icc, double *largest)
{
    memset(u->moments, 0, sets * sizeof *u->moments);
    for (size_t k = 0; k < u->units; k++)
        if (u->weight[k] > 0.0)
            u->moments[u->set[k]].v += sum_variance(u, k, icc);
    for (size_t k = 0; k < u->units; k++) {
        const size_t h = u->set[k];
        moments *m = &u->moments[h];
        if (!(u->weight[k] > 0.0))
            continue;
        const double w = u->weight[k] / u->set_weight[h], g = 1.0 / (1.0 - w);
        const double v = sum_variance(u, k, icc);
        const double r = (u->sum[k] - u->weight[k] * u->set_mean[h]) / u->set_weight[h];
        const double off = -2.0 * w * v + w * w * m->v;
        m->plain += r * r;
        m->variance += r * r * g;
        m->trace += (v + off) * g;
        m->own += (v + off) * (v + off) * g * g;
        m->seen += off * off * g * g;
        m->gv += g * v * v;
        m->gw += g * w * w;
        m->gwv += g * w * v;
        m->parts += w * w;
        *largest = fmax(*largest, w);
    }
}

/* ------------------------------------------------- 0 and 1, set by set -- */

/* The mean square of scores that are all -1, 0 or 1, and what sets borrow from each other. */
typedef struct pool {
    double square;         /* over sets; NaN: there are other scores */
    double mean, variance; /* over all items or over sets: whichever varies more */
} pool;

static pool find_pool(iv_units *u, const double *x, size_t items, size_t sets, double mean,
                      const iv_structure *s)
{
    double sum = 0.0, squares = 0.0, weight = 0.0;
    pool p = { 0.0, mean, 0.0 };

    memset(u->set_square, 0, sets * sizeof *u->set_square);
    for (size_t t = 0; t < items; t++) {
        if (isnan(x[t]))
            continue;
        if ((x[t] != 0.0 && fabs(x[t]) != 1.0) || (s->sampled && s->suite != NULL))
            return (pool){ (double)NAN, 0.0, 0.0 };
        const double w = s->weight != NULL ? s->weight[t] : 1.0;
        u->set_square[u->set[unit_of(s, t)]] += w * fabs(x[t]);
    }
    for (size_t h = 0; h < sets; h++) {
        sum += u->set_sum[h];
        squares += u->set_square[h];
        weight += u->set_weight[h];
        if (u->set_count[h] > 0.0)
            p.square += u->set_share[h] * u->set_square[h] / u->set_weight[h];
    }
    p.variance = p.square - mean * mean > 1e-12 ? p.square - mean * mean : 0.0; /* no dust */
    if (squares / weight - sum / weight * (sum / weight) > p.variance) {
        p.mean = sum / weight;
        p.variance = squares / weight - p.mean * p.mean;
    }
    return p;
}

/*
 * A small set whose scores are all 1, or all but one, seems to vary less than it does.  So each
 * set's variance is that with a few more items, which vary as those of all sets do.  How many
 * was chosen by what intervals hold: doc/methods/suites.md.
 */
enum { BORROWED = 8 };

static double pulled(const iv_units *u, size_t set, const pool *p)
{
    const moments *m = &u->moments[set];
    const double n = u->set_count[set], all = n + BORROWED;
    const double from = u->set_mean[set] - p->mean;
    const double each = m->v / (u->set_weight[set] * u->set_weight[set]); /* if items vary by 1 */
    const double other = p->variance + n / all * from * from;

    return (n * m->variance + BORROWED * other * each) / all;
}

/* What each unit adds, and how far that is from its share of the mean. */
static void give_parts(double *parts, double *around, const iv_structured *m, const iv_units *u)
{
    const double n = (double)m->units;
    size_t at = 0;

    for (size_t k = 0; k < u->units; k++) {
        if (!(u->weight[k] > 0.0))
            continue;
        const size_t h = u->set[k];
        const double by = n * u->set_share[h] / u->set_weight[h];
        if (parts != NULL)
            parts[at] = by * u->sum[k];
        if (around != NULL)
            around[at] = by * (u->sum[k] - u->weight[k] * u->set_mean[h]);
        at++;
    }
}

/* What sets add to the variance. */
typedef struct sums {
    double variance, plain, squares; /* as it is; without the correction; for degrees */
    double alike, alike_squares;     /* the same if all items varied alike */
    double parts;                    /* of units: squares of their shares in the whole */
    double most;                     /* degrees of freedom at most: units less sets */
} sums;

static sums add_sets(const iv_units *u, size_t sets, const pool *p)
{
    const bool pull = sets > 1 && !isnan(p->square);
    sums all = { 0.0 };

    for (size_t h = 0; h < sets; h++) {
        if (u->set_count[h] == 0.0)
            continue;
        const double by = u->set_share[h] * u->set_share[h];
        const moments *m = &u->moments[h];
        const double v = u->set_count[h] < 2.0 ? (double)NAN
            : by * (pull ? pulled(u, h, p) : m->variance);
        const double df = degrees(m) + (pull ? BORROWED : 0);
        all.variance += v;
        all.plain += by * m->plain;
        all.squares += v * v / df;
        const double a = by * m->trace / (u->set_weight[h] * u->set_weight[h]);
        all.alike += a;
        all.alike_squares += a * a / df;
        all.parts += by * m->parts;
        all.most += u->set_count[h] - 1.0;
    }
    return all;
}

void iv_units_mean(iv_structured *out, double *parts, double *around, const double *x,
                   size_t items, const iv_structure *s, iv_units *u)
{
    const size_t sets = s->suite != NULL && !s->sampled ? u->sets : 1;

    *out = (iv_structured){ 0 };
    add_up(u, x, items, s);
    find_means(out, u, s);
    out->icc = correlation(u, x, items, s);
    const double dust = 1e-14 * find_apart(out, x, items, s); /* of sums: such an error is none */
    find_moments(u, sets, isnan(out->icc) ? 0.0 : out->icc, &out->largest);
    const pool p = find_pool(u, x, items, sets, out->mean, s);
    sums all = add_sets(u, sets, &p);
    if (all.variance < dust * dust)
        all.variance = all.plain = 0.0;
    out->square = p.square;
    out->worth = 1.0 / all.parts;
    out->se = sqrt(all.variance);
    /* 0 of one unit is no error */
    out->se_clustered = isnan(all.variance) ? (double)NAN : sqrt(all.plain);
    if (out->units < 2)
        out->icc = (double)NAN;
    /* A set of few units whose variance is small by chance would seem to matter little. */
    out->df = isnan(all.variance) ? (double)NAN
        : fmin(all.variance > 0.0 ? fmin(all.variance * all.variance / all.squares, all.most)
                                  : all.most,
               all.alike * all.alike / all.alike_squares);
    give_parts(parts, around, out, u);
}

void iv_structured_add(iv_structured *m, double variance, double df)
{
    const double v = m->se * m->se;

    if (!(variance > 0.0))
        return;
    m->df = (v + variance) * (v + variance) / ((v > 0.0 ? v * v / m->df : 0.0)
                                               + variance * variance / df);
    m->se = sqrt(v + variance);
}

void iv_structured_repeats(iv_structured *m, const iv_structure *s, size_t system)
{
    if (s->repeat_variance != NULL)
        iv_structured_add(m, s->repeat_variance[system], s->repeat_df[system]);
}

int iv_structure_check(const iv_structure *s, size_t items, iv_err *err)
{
    for (size_t t = 0; t < items; t++) {
        if (s->cluster != NULL && s->cluster[t] >= s->clusters)
            return iv_fail(err, IV_EARG, "item %zu is in no cluster", t + 1);
        if (s->suite != NULL && s->suite[t] >= s->suites)
            return iv_fail(err, IV_EARG, "item %zu is in no set", t + 1);
        if (s->weight != NULL && !(s->weight[t] > 0.0 && isfinite(s->weight[t])))
            return iv_fail(err, IV_EARG, "item %zu has the weight %g, expected above 0", t + 1,
                           s->weight[t]);
    }
    for (size_t h = 0; s->suite_weight != NULL && h < s->suites; h++)
        if (!(s->suite_weight[h] > 0.0 && isfinite(s->suite_weight[h])))
            return iv_fail(err, IV_EARG, "set %zu has the weight %g, expected above 0", h + 1,
                           s->suite_weight[h]);
    return IV_OK;
}

/* A cluster lies in one set. */
static int check_clusters(const iv_structure *s, size_t items, const iv_units *u, iv_err *err)
{
    for (size_t t = 0; s->cluster != NULL && s->suite != NULL && t < items; t++)
        u->set[s->cluster[t]] = s->suite[t];
    for (size_t t = 0; s->cluster != NULL && s->suite != NULL && t < items; t++)
        if (u->set[s->cluster[t]] != s->suite[t])
            return iv_fail(err, IV_EARG, "cluster %zu is in two sets", (size_t)s->cluster[t] + 1);
    return IV_OK;
}

int iv_structured_mean(iv_structured *out, const double *x, size_t items, const iv_structure *s,
                       size_t system, iv_err *err)
{
    const iv_structure none = { 0 }, *of = s != NULL ? s : &none;
    iv_arena own = { 0 };
    iv_structured m;
    int rc = iv_structure_check(of, items, err);

    for (size_t t = 0; rc == IV_OK && t < items; t++)
        if (isinf(x[t]))
            rc = iv_fail(err, IV_EARG, "value %zu is infinite", t + 1);
    if (rc != IV_OK)
        return rc;
    iv_units *u = iv_units_new(&own, items, of);
    rc = iv_taken(&own, err);
    if (rc == IV_OK && !of->sampled)
        rc = check_clusters(of, items, u, err);
    if (rc == IV_OK) {
        iv_units_mean(&m, NULL, NULL, x, items, of, u);
        iv_structured_repeats(&m, of, system);
        if (m.items == 0)
            rc = iv_fail(err, IV_ENODATA, "no score to take the mean of");
        else
            *out = m;
    }
    iv_arena_free(&own);
    return rc;
}

int iv_structured_interval(iv_mean_interval *out, const iv_structured *m, bool unit,
                           iv_interval_method method, double confidence, iv_err *err)
{
    const double c = confidence == 0.0 ? 0.95 : confidence, tail = 0.5 * (1.0 - c);

    if (method == IV_INTERVAL_AUTO)
        method = unit ? IV_INTERVAL_LOGIT_T
            : m->least >= 0.0 && m->se > 0.0 ? IV_INTERVAL_LOG_T : IV_INTERVAL_T;
    if (!(c > 0.0 && c < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected 0 < confidence < 1", confidence);
    if (method != IV_INTERVAL_LOGIT_T && method != IV_INTERVAL_LOG_T && method != IV_INTERVAL_T
        && method != IV_INTERVAL_NONE)
        return iv_fail(err, IV_EARG, "there is no %s interval of items that hang together",
                       iv_interval_names()[method]);
    *out = (iv_mean_interval){ .n = m->units, .method = method, .mean = m->mean, .se = m->se,
                               .lower = (double)NAN, .upper = (double)NAN,
                               .constant = m->se == 0.0 };
    if (method == IV_INTERVAL_NONE || isnan(m->se)) {
        out->gap = method == IV_INTERVAL_NONE ? IV_GAP_NOT_ASKED : IV_GAP_ONE_VALUE;
        return IV_OK;
    }
    if (method == IV_INTERVAL_LOG_T && (m->least < 0.0 || out->constant)) {
        out->gap = m->least < 0.0 ? IV_GAP_NEGATIVE : IV_GAP_CONSTANT;
        return IV_OK;
    }
    const double reach = iv_t_isf(tail, m->df) * m->se;
    const bool inside = m->mean > 0.0 && m->mean < 1.0;
    if (method == IV_INTERVAL_LOGIT_T && out->constant) {
        out->n = (size_t)fmax(1.0, m->worth + 1e-9);
        iv_plain_limits(out, c); /* by the chance to see nothing else */
        out->n = m->units;
    } else if (method == IV_INTERVAL_LOGIT_T && inside) {
        const double at = log(m->mean / (1.0 - m->mean));
        const double wide = reach / (m->mean * (1.0 - m->mean));
        out->lower = 1.0 / (1.0 + exp(wide - at));
        out->upper = 1.0 / (1.0 + exp(-wide - at));
    } else if (method == IV_INTERVAL_LOG_T) { /* some score is above 0, or none would vary */
        out->lower = m->mean * exp(-reach / m->mean);
        out->upper = m->mean * exp(reach / m->mean);
    } else {
        out->lower = m->mean - reach;
        out->upper = m->mean + reach;
    }
    return IV_OK;
}
