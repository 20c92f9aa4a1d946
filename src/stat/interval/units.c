/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Means and intervals of scores in clusters, sets and repeats, and components of their variance.
 *
 * Refs: Liang and Zeger (1986), Biometrika 73, 13-22; Bell and McCaffrey (2002), Survey
 * Methodology 28, 169-181, for few clusters; Imbens and Kolesar (2016), Review of Economics and
 * Statistics 98, 701-712, for the degrees of freedom under the correlation seen; Satterthwaite
 * (1946), Biometrics Bulletin 2, for sets; Miller (2024), Adding error bars to evals, arXiv
 * 2411.00640; Dean and Pagano (2015), Journal of Survey Statistics and Methodology 3, 484-503, for
 * limits by logits and, of 0 and 1, by Wilson's method with the effective sample size.
 */

#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/stat/variance_parts.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/logit.h"
#include "stat/interval/limits.h"
#include "stat/interval/units.h"
#include "stat/interval_methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

iv_units *iv_units_new(iv_arena *own, size_t items, const iv_structure *s)
{
    const size_t sets = s->suite != NULL ? s->suites : 1;
    const size_t n = 1 + (s->sampled && s->suite != NULL ? sets
                          : s->cluster != NULL ? s->clusters : items);
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

/* Sums of each unit; of sampled sets, their means then stand for them.  Returns the largest score,
 * of either sign. */
static double add_up(iv_structured *out, iv_units *u, const double *x, size_t items,
                     const iv_structure *s)
{
    const bool sampled = s->sampled && s->suite != NULL;
    double largest = 0.0;

    out->least = INFINITY;
    memset(u->sum, 0, u->units * sizeof *u->sum);
    memset(u->weight, 0, u->units * sizeof *u->weight);
    memset(u->squares, 0, u->units * sizeof *u->squares);
    for (size_t t = 0; t < items; t++) {
        const size_t k = unit_of(s, t);
        const double w = s->weight != NULL ? s->weight[t] : 1.0;
        u->set[k] = s->suite != NULL && !sampled ? s->suite[t] : 0;
        if (isnan(x[t]))
            continue;
        out->items++;
        out->least = fmin(out->least, x[t]);
        largest = fmax(largest, fabs(x[t]));
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
    return largest;
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

/* The mean square over sets of scores that are all -1, 0 or 1; NaN: there are others. */
static double mean_square(iv_units *u, const double *x, size_t items, size_t sets,
                          const iv_structure *s)
{
    double square = 0.0;

    memset(u->set_square, 0, sets * sizeof *u->set_square);
    for (size_t t = 0; t < items; t++) {
        if (isnan(x[t]))
            continue;
        if ((x[t] != 0.0 && fabs(x[t]) != 1.0) || (s->sampled && s->suite != NULL))
            return (double)NAN;
        u->set_square[u->set[unit_of(s, t)]] += (s->weight != NULL ? s->weight[t] : 1.0)
            * fabs(x[t]);
    }
    for (size_t h = 0; h < sets; h++)
        if (u->set_count[h] > 0.0)
            square += u->set_share[h] * u->set_square[h] / u->set_weight[h];
    return square;
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

/* The skewness of what units add; NaN: fewer than three units, or they add the same. */
static double skewness_of(const iv_structured *m, const iv_units *u)
{
    double squares = 0.0, cubes = 0.0;

    for (size_t k = 0; k < u->units; k++) {
        if (!(u->weight[k] > 0.0))
            continue;
        const size_t h = u->set[k];
        const double d = u->set_share[h] / u->set_weight[h]
            * (u->sum[k] - u->weight[k] * u->set_mean[h]);
        squares += d * d;
        cubes += d * d * d;
    }
    return m->units > 2 && m->se > 0.0 ? sqrt((double)m->units) * cubes / (squares * sqrt(squares))
                                       : (double)NAN;
}

/* Standard errors and degrees of freedom of all sets together; an error below `dust` is none. */
static void add_sets(iv_structured *out, const iv_units *u, size_t sets, double dust)
{
    double variance = 0.0, plain = 0.0; /* as it is; without the correction */
    double squares = 0.0, parts = 0.0, sum = 0.0;

    for (size_t h = 0; h < sets; h++) {
        if (u->set_count[h] == 0.0)
            continue;
        const double by = u->set_share[h] * u->set_share[h], df = degrees(&u->moments[h]);
        const moments *m = &u->moments[h];
        const double v = u->set_count[h] < 2.0 ? (double)NAN : by * m->variance;
        variance += v;
        plain += by * m->plain;
        squares += v * v / df;
        parts += by * m->parts;
        sum += df;
    }
    if (variance < dust * dust)
        variance = plain = 0.0;
    out->worth = 1.0 / parts;
    out->se = sqrt(variance);
    /* 0 of one unit is no error */
    out->se_clustered = isnan(variance) ? (double)NAN : sqrt(plain);
    out->df = isnan(variance) ? (double)NAN
        : variance > 0.0 ? variance * variance / squares : sum;
}

void iv_units_mean(iv_structured *out, double *parts, double *around, const double *x,
                   size_t items, const iv_structure *s, iv_units *u)
{
    const size_t sets = s->suite != NULL && !s->sampled ? u->sets : 1;

    *out = (iv_structured){ 0 };
    const double dust = 1e-14 * add_up(out, u, x, items, s); /* of sums: such an error is none */
    find_means(out, u, s);
    out->icc = correlation(u, x, items, s);
    find_moments(u, sets, isnan(out->icc) ? 0.0 : out->icc, &out->largest);
    add_sets(out, u, sets, dust);
    out->square = mean_square(u, x, items, sets, s);
    if (out->units < 2)
        out->icc = (double)NAN;
    out->skewness = skewness_of(out, u);
    give_parts(parts, around, out, u);
}

/* Adds independent variance to a mean, by Satterthwaite. */
void iv_structured_repeats(iv_structured *m, const iv_structure *s, size_t system)
{
    const double more = s->repeat_variance != NULL ? s->repeat_variance[system] : 0.0;
    const double v = m->se * m->se;

    if (!(more > 0.0))
        return;
    m->df = (v + more) * (v + more) / ((v > 0.0 ? v * v / m->df : 0.0)
                                       + more * more / s->repeat_df[system]);
    m->se = sqrt(v + more);
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
    iv_structured m, apart;
    int rc = iv_structure_check(of, items, err);

    for (size_t t = 0; rc == IV_OK && t < items; t++)
        if (isinf(x[t]))
            rc = iv_fail(err, IV_EARG, "value %zu is infinite", t + 1);
    if (rc != IV_OK)
        return rc;
    iv_structure loose = *of; /* without what makes items vary together */
    loose.cluster = NULL;
    loose.suite = of->sampled ? NULL : of->suite;
    iv_units *u = iv_units_new(&own, items, of), *each = iv_units_new(&own, items, &loose);
    rc = iv_taken(&own, err);
    if (rc == IV_OK && !of->sampled)
        rc = check_clusters(of, items, u, err);
    if (rc == IV_OK) {
        iv_units_mean(&apart, NULL, NULL, x, items, &loose, each);
        iv_units_mean(&m, NULL, NULL, x, items, of, u);
        m.se_apart = apart.se;
        iv_structured_repeats(&m, of, system);
        if (m.items == 0)
            rc = iv_fail(err, IV_ENODATA, "no score to take the mean of");
        else
            *out = m;
    }
    iv_arena_free(&own);
    return rc;
}

double iv_effective_items(const iv_structured *m, double variance)
{
    return variance > 0.0 ? fmin(variance / (m->se * m->se), (double)m->items) : m->worth;
}

int iv_structured_interval(iv_mean_interval *out, const iv_structured *m, bool unit,
                           iv_interval_method method, double confidence, iv_err *err)
{
    const bool binary = m->least >= 0.0 && !isnan(m->square);

    if (method == IV_INTERVAL_AUTO)
        method = binary ? IV_INTERVAL_WILSON : unit ? IV_INTERVAL_LOGIT_T : IV_INTERVAL_T;
    IV_TRY(iv_check_confidence(&confidence, err));
    if (!iv_interval_about(method)->clusters || (method == IV_INTERVAL_WILSON && !binary))
        return iv_fail(err, IV_EARG, "there is no %s interval for clusters, sets and weights",
                       iv_interval_names()[method]);
    *out = (iv_mean_interval){ .n = m->units, .method = method, .mean = m->mean, .se = m->se,
                               .lower = (double)NAN, .upper = (double)NAN,
                               .skewness = m->skewness, .constant = m->se == 0.0 };
    if (method == IV_INTERVAL_NONE || isnan(m->se)
        || (m->se == 0.0 && method != IV_INTERVAL_WILSON)) {
        out->gap = method == IV_INTERVAL_NONE ? IV_GAP_NOT_ASKED
            : isnan(m->se) ? IV_GAP_ONE_VALUE : IV_GAP_CONSTANT;
        return IV_OK;
    }
    const double t = iv_t_isf(0.5 * (1.0 - confidence), m->df), reach = t * m->se, p = m->mean;
    if (method == IV_INTERVAL_WILSON) {
        iv_wilson_limits(&out->lower, &out->upper, p, iv_effective_items(m, p * (1.0 - p)), t);
    } else if (method == IV_INTERVAL_LOGIT_T) {
        iv_logit_wald(&out->lower, &out->upper, p, reach);
    } else {
        out->lower = p - reach;
        out->upper = p + reach;
    }
    return IV_OK;
}

/* ---------------------------------------------------------- bootstrap-t -- */

/*
 * The pairs cluster bootstrap-t: units are drawn with replacement within their set, and quantiles
 * of (m* - m) / se*, se* the CR2 standard error of the resample, make the limits.
 *
 * Ref: Cameron, Gelbach and Miller (2008), Review of Economics and Statistics 90, 414-427; the
 * levels as for independent items.
 */
typedef struct unit_resampling {
    const iv_units *u;
    const size_t *order, *first; /* units by set; where each set begins */
    size_t sets, most;
    double mean, dust, *found;
    uint64_t seed;
} unit_resampling;

static void *unit_counts_new(iv_arena *own, void *user)
{
    return iv_take(own, ((const unit_resampling *)user)->most, sizeof(uint32_t));
}

static int resample_units(void *user, void *memory, size_t b, iv_err *err)
{
    enum { UNITS = 0x756e6974 };
    const unit_resampling *j = user;
    const iv_units *u = j->u;
    uint32_t *counts = memory;
    iv_stream stream = iv_stream_start(j->seed, UNITS, b);
    double mean = 0.0, variance = 0.0;

    (void)err;
    for (size_t h = 0; h < j->sets; h++) {
        const size_t *unit = j->order + j->first[h], n = j->first[h + 1] - j->first[h];
        double sum = 0.0, weight = 0.0, squares = 0.0;
        if (n == 0)
            continue;
        iv_draw_resample(&stream, counts, n);
        for (size_t i = 0; i < n; i++) {
            sum += counts[i] * u->sum[unit[i]];
            weight += counts[i] * u->weight[unit[i]];
        }
        for (size_t i = 0; i < n; i++) {
            const double w = u->weight[unit[i]], r = u->sum[unit[i]] - w * sum / weight;
            if (counts[i] > 0 && w < weight)
                squares += counts[i] * r * r / (1.0 - w / weight);
        }
        mean += u->set_share[h] * sum / weight;
        variance += u->set_share[h] * u->set_share[h] * squares / (weight * weight);
    }
    j->found[b] = sqrt(variance) > j->dust ? (mean - j->mean) / sqrt(variance) : (double)NAN;
    return IV_OK;
}

/* The units that have a score, by set. */
static int order_units(unit_resampling *j, iv_arena *own, iv_err *err)
{
    const iv_units *u = j->u;
    size_t *order = iv_take(own, u->units + 1, sizeof *order), at = 0;
    size_t *first = iv_take(own, j->sets + 1, sizeof *first);

    IV_TRY(iv_taken(own, err));
    for (size_t h = 0; h < j->sets; h++) {
        first[h] = at;
        for (size_t k = 0; k < u->units; k++)
            if (u->weight[k] > 0.0 && u->set[k] == h)
                order[at++] = k;
        j->most = at - first[h] > j->most ? at - first[h] : j->most;
    }
    first[j->sets] = at;
    j->order = order;
    j->first = first;
    return IV_OK;
}

int iv_structured_bootstrap_t(iv_mean_interval *out, const double *x, size_t items,
                              const iv_structure *s, const iv_resampling *options,
                              const iv_work *work, iv_err *err)
{
    const iv_resampling o = iv_resampling_of(options);
    iv_arena own = { 0 };
    iv_structured m;
    iv_mean_interval i;

    IV_TRY(iv_structured_mean(&m, x, items, s, 0, err));
    IV_TRY(iv_structured_interval(&i, &m, false, IV_INTERVAL_T, o.confidence, err));
    iv_units *u = iv_units_new(&own, items, s);
    unit_resampling j = { .u = u, .sets = s->suite != NULL && !s->sampled ? s->suites : 1,
                          .mean = m.mean, .dust = 1e-9 * m.se, .seed = iv_work_seed(work),
                          .found = iv_take(&own, o.resamples, sizeof(double)) };
    int rc = iv_taken(&own, err);
    if (rc == IV_OK && i.gap == IV_GAP_NONE) {
        iv_units_mean(&m, NULL, NULL, x, items, s, u);
        rc = order_units(&j, &own, err);
        if (rc == IV_OK)
            rc = iv_parallel(&(iv_loop){ o.resamples, resample_units, &j, unit_counts_new }, work,
                             err);
        if (rc == IV_OK)
            iv_studentised_limits(&i, j.found, o.resamples, m.units, m.df, o.confidence);
    }
    iv_arena_free(&own);
    if (rc == IV_OK)
        *out = i;
    return rc;
}

/* ------------------------------------------------------- repeat variance -- */

/*
 * What repeats bring to all items together: a seed that makes everything a little worse
 * moves the mean however many items there are.
 *
 * Ref: Hartley, Rao and LaMotte (1978), Biometrics 34, 233-242: MINQUE(0), with items as fixed
 * effects.  y is a score less the mean of its item, T the sums of y by repeat, and C[r][s] =
 * [r = s] (items that have r) - sum of 1 / (repeats of an item) over items that have r and s:
 *
 *     variance of a repeat = (T'T - sum of y^2) / tr(A),   A = C C - C
 *
 * which is (MS_r - MS_e) / items where all items have all repeats.  Its degrees of freedom are
 * Satterthwaite's, tr(A)^2 / tr(A A).
 */

/* Sums by repeat of v[t * by + r] less its mean over the item's repeats; returns the squares. */
static double beside_items(double *out, const double *v, size_t by, const double *x, size_t items,
                           size_t repeats)
{
    double squares = 0.0;

    memset(out, 0, repeats * sizeof *out);
    for (size_t t = 0; t < items; t++, v += by, x += repeats) {
        double sum = 0.0, n = 0.0;
        for (size_t r = 0; r < repeats; r++) {
            sum += isnan(x[r]) ? 0.0 : v[r];
            n += !isnan(x[r]);
        }
        for (size_t r = 0; r < repeats; r++) {
            const double y = isnan(x[r]) ? 0.0 : v[r] - sum / n;
            out[r] += y;
            squares += fabs(y) > 1e-14 * fabs(v[r]) ? y * y : 0.0; /* not of rounding */
        }
    }
    return squares;
}

/* The variance of a repeat; room: for three vectors of repeats. */
static double find_variance(double *df, double *room, const double *x, size_t items,
                            size_t repeats)
{
    double *one = room, *c = room + repeats, *a = c + repeats, trace = 0.0, square = 0.0, all = 0.0;

    for (size_t r = 0; r < repeats; r++) {
        memset(one, 0, repeats * sizeof *one);
        one[r] = 1.0;
        (void)beside_items(c, one, 0, x, items, repeats);
        (void)beside_items(a, c, 0, x, items, repeats);
        trace += a[r] - c[r];
        for (size_t k = 0; k < repeats; k++)
            square += (a[k] - c[k]) * (a[k] - c[k]);
    }
    const double left = beside_items(c, x, repeats, x, items, repeats);
    for (size_t k = 0; k < repeats; k++)
        all += c[k] * c[k];
    const bool any = trace > 0.25; /* at least 1/2 where two items share a repeat and have more */
    *df = any ? trace * trace / square : 0.0;
    return any && left > 0.0 ? (all - left) / trace : 0.0;
}

/* Repeats that two items have: others say nothing of what items share.  `n`: repeats by item. */
static size_t find_used(size_t *used, double *n, const double *x, size_t items, size_t repeats)
{
    size_t count = 0;

    for (size_t r = 0; r < repeats; r++) {
        size_t has = 0;
        for (size_t t = 0; t < items; t++) {
            has += isnan(x[t * repeats + r]) ? 0 : 1;
            n[t] += isnan(x[t * repeats + r]) ? 0.0 : 1.0;
        }
        used[count] = r;
        count += has > 1;
    }
    return count;
}

int iv_repeat_variance(double *variance, double *df, const double *x, size_t items,
                       size_t repeats, const iv_structure *s, iv_err *err)
{
    const iv_structure none = { 0 }, *of = s != NULL ? s : &none;
    iv_arena own = { 0 };
    iv_units *u = iv_units_new(&own, items, of);
    size_t *used = iv_take(&own, repeats + 1, sizeof *used);
    double *n = iv_take(&own, items + 1, sizeof *n), *part = iv_take(&own, items + 1, sizeof *part);
    const size_t count = own.failed ? 0 : find_used(used, n, x, items, repeats);
    double *shared = iv_take(&own, items * count + 1, sizeof *shared), lacks = 0.0;
    double *room = iv_take(&own, 3 * count + 1, sizeof *room);
    const int rc = iv_taken(&own, err);
    size_t rows = 0;

    for (size_t t = 0; rc == IV_OK && t < items; t++) {
        for (size_t k = 0; k < count; k++)
            shared[rows * count + k] = x[t * repeats + used[k]];
        rows += n[t] > 1.0;
    }
    for (size_t k = 0; rc == IV_OK && k < count; k++) {
        iv_structured m;
        for (size_t t = 0; t < items; t++)
            part[t] = n[t] == 0.0 ? (double)NAN : isnan(x[t * repeats + used[k]]) ? 0.0
                : 1.0 / n[t];
        /* The mean has so much of a repeat's variance; its error as estimated has the second. */
        iv_units_mean(&m, NULL, NULL, part, items, of, u);
        lacks += m.mean * m.mean - m.se * m.se;
    }
    if (rc == IV_OK)
        *variance = fmax(0.0, lacks)
            * fmax(0.0, find_variance(df, room, shared, rows, count));
    iv_arena_free(&own);
    return rc;
}

/* -------------------------------------------------------- variance parts -- */

/*
 * Refs: Burdick and Graybill (1992), Confidence Intervals on Variance Components; Brennan
 * (2001), Generalizability Theory; Feldt (1965), Psychometrika 30, for the coefficient's
 * interval; Bodoff and Li (2007), SIGIR, for test collections.
 */

/* P(F <= x) = p with df1 and df2 degrees of freedom, by the beta distribution. */
static double f_quantile(double p, double df1, double df2)
{
    const double b = iv_beta_quantile(p, 0.5 * df1, 0.5 * df2);

    return df2 * b / (df1 * (1.0 - b));
}

/* The same with infinitely many df2: chi-squared over df. */
static double chi_quantile(double p, double df)
{
    return iv_chisq_isf(1.0 - p, df) / df;
}

/* (a - b) / by of mean squares, with limits at alpha / 2 either side. */
static iv_variance_part difference(const iv_variance_part *x, const iv_variance_part *y, double by,
                                   double tail)
{
    const double a = x->mean_square, b = y->mean_square;
    const double g1 = 1.0 - 1.0 / chi_quantile(1.0 - tail, x->df);
    const double h1 = 1.0 / chi_quantile(tail, x->df) - 1.0;
    const double g2 = 1.0 - 1.0 / chi_quantile(1.0 - tail, y->df);
    const double h2 = 1.0 / chi_quantile(tail, y->df) - 1.0;
    const double fu = f_quantile(1.0 - tail, x->df, y->df), fl = f_quantile(tail, x->df, y->df);
    const double g12 = ((fu - 1.0) * (fu - 1.0) - g1 * g1 * fu * fu - h2 * h2) / fu;
    const double h12 = ((1.0 - fl) * (1.0 - fl) - h1 * h1 * fl * fl - g2 * g2) / fl;
    const double down = g1 * g1 * a * a + h2 * h2 * b * b + g12 * a * b;
    const double up = h1 * h1 * a * a + g2 * g2 * b * b + h12 * a * b;
    const double d = a - b;

    return (iv_variance_part){ .variance = fmax(0.0, d / by),
                               .lower = fmax(0.0, (d - sqrt(fmax(0.0, down))) / by),
                               .upper = fmax(0.0, (d + sqrt(fmax(0.0, up))) / by),
                               .mean_square = a, .df = x->df };
}

static iv_variance_part alone(const iv_variance_part *x, double tail)
{
    const double ms = x->mean_square;

    return (iv_variance_part){ .variance = ms, .lower = ms / chi_quantile(1.0 - tail, x->df),
                               .upper = ms / chi_quantile(tail, x->df), .mean_square = ms,
                               .df = x->df };
}

/* Means of systems, of items and of cells, behind each other. */
static void find_cells(double *system, const double *x, size_t S, size_t I, size_t R)
{
    double *item = system + S, *cell = item + I;

    for (size_t s = 0; s < S; s++) {
        for (size_t i = 0; i < I; i++) {
            double sum = 0.0;
            for (size_t r = 0; r < R; r++)
                sum += x[(s * I + i) * R + r];
            cell[s * I + i] = sum / (double)R;
            system[s] += cell[s * I + i] / (double)I;
            item[i] += cell[s * I + i] / (double)S;
        }
    }
}

/* Mean squares of systems, items, interaction and repeats. */
static void find_squares(iv_variance_part out[4], const double *system, const double *x, size_t S,
                         size_t I, size_t R)
{
    const double *item = system + S, *cell = item + I;
    const double s1 = (double)(S - 1), i1 = (double)(I - 1), n = (double)R;
    double sum[4] = { 0.0 }, all = 0.0;

    for (size_t s = 0; s < S; s++)
        all += system[s] / (double)S;
    for (size_t s = 0; s < S; s++)
        sum[0] += n * (double)I * (system[s] - all) * (system[s] - all);
    for (size_t i = 0; i < I; i++)
        sum[1] += n * (double)S * (item[i] - all) * (item[i] - all);
    for (size_t k = 0; k < S * I; k++) {
        const double e = cell[k] - system[k / I] - item[k % I] + all;
        sum[2] += n * e * e;
        for (size_t r = 0; r < R; r++)
            sum[3] += (x[k * R + r] - cell[k]) * (x[k * R + r] - cell[k]);
    }
    const double df[] = { s1, i1, s1 * i1, (double)(S * I) * (n - 1.0) };
    for (size_t k = 0; k < 4; k++)
        out[k] = (iv_variance_part){ .mean_square = df[k] > 0.0 ? sum[k] / df[k] : (double)NAN,
                                     .df = df[k] };
}

/* What rounding leaves of a mean square that is 0, as of systems that are all the same: taken for
 * a difference it would be a large one beside what rounding leaves of the others. */
static void drop_dust(iv_variance_part *ms, size_t count, const double *x, size_t values)
{
    double most = 0.0;

    for (size_t k = 0; k < values; k++)
        most = fmax(most, fabs(x[k]));
    for (size_t k = 0; k < count; k++)
        if (ms[k].mean_square < 1e-26 * most * most * (double)values)
            ms[k].mean_square = 0.0;
}

/* Mean squares of repeats over all items of a system, and of what is then left of them. */
static void find_shared(iv_variance_part out[2], double *room, const double *x, size_t S, size_t I,
                        size_t R, double within)
{
    double variance = 0.0, df = 0.0, of;

    for (size_t s = 0; s < S; s++) {
        variance += find_variance(&of, room, x + s * I * R, I, R) / (double)S;
        df += of;
    }
    out[1] = (iv_variance_part){ .mean_square = fmax(0.0, within - variance),
                                 .df = df * ((double)I - 1.0) };
    out[0] = (iv_variance_part){ .mean_square = out[1].mean_square + (double)I * variance,
                                 .df = df };
}

static void find_parts(iv_variance_parts *out, const iv_variance_part ms[4],
                       const iv_variance_part repeats[2], double tail)
{
    const double S = (double)out->systems, I = (double)out->items, R = (double)out->repeats;
    iv_variance_part *parts[] = { &out->system, &out->item, &out->interaction, &out->repeat };
    const bool repeated = out->repeats > 1;
    double all = 0.0;

    out->system = difference(&ms[0], &ms[2], R * I, tail);
    out->item = difference(&ms[1], &ms[2], R * S, tail);
    out->interaction = repeated ? difference(&ms[2], &ms[3], R, tail) : alone(&ms[2], tail);
    out->repeat = repeated ? alone(&ms[3], tail)
        : (iv_variance_part){ (double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN,
                              0.0 };
    for (size_t k = 0; k < (repeated ? 4U : 3U); k++)
        all += parts[k]->variance;
    for (size_t k = 0; k < (repeated ? 4U : 3U); k++)
        parts[k]->share = all > 0.0 ? parts[k]->variance / all : (double)NAN;
    out->apart = out->repeat.variance;
    if (repeated) {
        out->shared = difference(&repeats[0], &repeats[1], I, tail);
        out->shared.share = (double)NAN;
        out->apart = out->shared.variance > 0.0 ? repeats[1].mean_square : out->repeat.variance;
    }
}

/* No part of scores in [0, 1] is above 1/4. */
static void cap(iv_variance_parts *out, const double *x, size_t values)
{
    iv_variance_part *parts[] = { &out->system, &out->item, &out->interaction, &out->repeat,
                                  &out->shared };
    bool unit = true;

    for (size_t k = 0; k < values && unit; k++)
        unit = x[k] >= 0.0 && x[k] <= 1.0;
    for (size_t k = 0; unit && k < 5; k++)
        if (parts[k]->upper > 0.25)
            parts[k]->upper = 0.25;
}

int iv_variance_of(iv_variance_parts *out, const double *x, size_t systems, size_t items,
                   size_t repeats, double confidence, iv_err *err)
{
    iv_arena own = { 0 };
    iv_variance_part ms[4], shared[2] = { { 0.0 } };

    if (systems < 2 || items < 2 || repeats < 1)
        return iv_fail(err, IV_ENODATA, "%zu systems, %zu items, %zu repeats: expected two systems "
                       "and items at least", systems, items, repeats);
    IV_TRY(iv_check_confidence(&confidence, err));
    for (size_t k = 0; k < systems * items * repeats; k++)
        if (!isfinite(x[k]))
            return iv_fail(err, IV_EARG, "value %zu is not finite", k + 1);
    double *means = iv_take(&own, systems + items + systems * items, sizeof *means);
    double *room = iv_take(&own, 3 * repeats, sizeof *room);
    const int rc = iv_taken(&own, err);
    if (rc == IV_OK) {
        find_cells(means, x, systems, items, repeats);
        find_squares(ms, means, x, systems, items, repeats);
        *out = (iv_variance_parts){ .systems = systems, .items = items, .repeats = repeats };
        if (repeats > 1)
            find_shared(shared, room, x, systems, items, repeats, ms[3].mean_square);
        drop_dust(ms, 4, x, systems * items * repeats);
        drop_dust(shared, 2, x, systems * items * repeats);
        find_parts(out, ms, shared, 0.5 * (1.0 - confidence));
        cap(out, x, systems * items * repeats);
    }
    iv_arena_free(&own);
    return rc;
}

double iv_variance_se(const iv_variance_parts *p, double items, double repeats)
{
    const bool repeated = p->repeats > 1, shared = repeated && p->shared.variance > 0.0;
    const double within = repeated ? p->apart / repeats : 0.0;
    const double crossed = !shared ? p->interaction.variance
        : fmax(0.0, p->interaction.mean_square - p->apart) / (double)p->repeats;

    return sqrt(2.0 * ((crossed + within) / items + (shared ? p->shared.variance / repeats : 0.0)));
}
