/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refs: Burdick and Graybill (1992), Confidence Intervals on Variance Components; Brennan
 * (2001), Generalizability Theory; Feldt (1965), Psychometrika 30, for the coefficient's
 * interval; Bodoff and Li (2007), SIGIR, for test collections.
 */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "num/num_private.h"
#include "stat/variance_parts_private.h"

/* A mean square. */
typedef struct square {
    double ms, df;
} square;

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

/* (a - b) / by, with limits at alpha / 2 either side. */
static iv_variance_part difference(square a, square b, double by, double tail)
{
    const double g1 = 1.0 - 1.0 / chi_quantile(1.0 - tail, a.df);
    const double h1 = 1.0 / chi_quantile(tail, a.df) - 1.0;
    const double g2 = 1.0 - 1.0 / chi_quantile(1.0 - tail, b.df);
    const double h2 = 1.0 / chi_quantile(tail, b.df) - 1.0;
    const double fu = f_quantile(1.0 - tail, a.df, b.df), fl = f_quantile(tail, a.df, b.df);
    const double g12 = ((fu - 1.0) * (fu - 1.0) - g1 * g1 * fu * fu - h2 * h2) / fu;
    const double h12 = ((1.0 - fl) * (1.0 - fl) - h1 * h1 * fl * fl - g2 * g2) / fl;
    const double down = g1 * g1 * a.ms * a.ms + h2 * h2 * b.ms * b.ms + g12 * a.ms * b.ms;
    const double up = h1 * h1 * a.ms * a.ms + g2 * g2 * b.ms * b.ms + h12 * a.ms * b.ms;
    const double d = a.ms - b.ms;

    return (iv_variance_part){ .variance = fmax(0.0, d / by),
                               .lower = fmax(0.0, (d - sqrt(fmax(0.0, down))) / by),
                               .upper = fmax(0.0, (d + sqrt(fmax(0.0, up))) / by),
                               .mean_square = a.ms, .df = a.df };
}

static iv_variance_part alone(square a, double tail)
{
    return (iv_variance_part){ .variance = a.ms, .lower = a.ms / chi_quantile(1.0 - tail, a.df),
                               .upper = a.ms / chi_quantile(tail, a.df), .mean_square = a.ms,
                               .df = a.df };
}

/* Means of systems and of items, and the mean of all. */
typedef struct means {
    double *system, *item, *cell, all;
} means;

static void find_means(means *m, const double *x, size_t S, size_t I, size_t R)
{
    for (size_t s = 0; s < S; s++) {
        for (size_t i = 0; i < I; i++) {
            double sum = 0.0;
            for (size_t r = 0; r < R; r++)
                sum += x[(s * I + i) * R + r];
            m->cell[s * I + i] = sum / (double)R;
            m->system[s] += m->cell[s * I + i] / (double)I;
            m->item[i] += m->cell[s * I + i] / (double)S;
        }
    }
    for (size_t s = 0; s < S; s++)
        m->all += m->system[s] / (double)S;
}

/* Mean squares of systems, items, interaction and repeats. */
static void find_squares(square out[4], const means *m, const double *x, size_t S, size_t I,
                         size_t R)
{
    const double s1 = (double)(S - 1), i1 = (double)(I - 1), n = (double)R;
    double sum[4] = { 0.0 };

    for (size_t s = 0; s < S; s++)
        sum[0] += n * (double)I * (m->system[s] - m->all) * (m->system[s] - m->all);
    for (size_t i = 0; i < I; i++)
        sum[1] += n * (double)S * (m->item[i] - m->all) * (m->item[i] - m->all);
    for (size_t k = 0; k < S * I; k++) {
        const double e = m->cell[k] - m->system[k / I] - m->item[k % I] + m->all;
        sum[2] += n * e * e;
        for (size_t r = 0; r < R; r++)
            sum[3] += (x[k * R + r] - m->cell[k]) * (x[k * R + r] - m->cell[k]);
    }
    const double df[] = { s1, i1, s1 * i1, (double)(S * I) * (n - 1.0) };
    for (size_t k = 0; k < 4; k++)
        out[k] = (square){ df[k] > 0.0 ? sum[k] / df[k] : (double)NAN, df[k] };
}

/* What rounding leaves of a mean square that is 0, as of systems that are all the same: taken for
 * a difference it would be a large one beside what rounding leaves of the others. */
static void drop_dust(square *ms, size_t count, const double *x, size_t values)
{
    double most = 0.0;

    for (size_t k = 0; k < values; k++)
        most = fmax(most, fabs(x[k]));
    for (size_t k = 0; k < count; k++)
        if (ms[k].ms < 1e-26 * most * most * (double)values)
            ms[k].ms = 0.0;
}

/* Mean squares of repeats over all items of a system, and of what is then left of them. */
static void find_shared(square out[2], const means *m, const double *x, size_t S, size_t I, size_t R)
{
    const double items = (double)I, df = (double)S * ((double)R - 1.0);
    double between = 0.0, all = 0.0;

    for (size_t k = 0; k < S * R; k++) {
        double mean = 0.0;
        for (size_t i = 0; i < I; i++) {
            const double e = x[(k / R * I + i) * R + k % R] - m->cell[k / R * I + i];
            mean += e / items;
            all += e * e;
        }
        between += items * mean * mean;
    }
    out[0] = (square){ between / df, df };
    out[1] = (square){ fmax(0.0, all - between) / (df * (items - 1.0)), df * (items - 1.0) };
}

/*
 * The coefficient: MS systems over what it would be if systems were alike is F times what
 * the coefficient makes of it.  Repeats that move all items move the means of systems, too:
 * then that is a sum of mean squares, with Satterthwaite's degrees of freedom.
 */
static void find_g(iv_variance_parts *out, const square ms[4], const square repeats[2], double tail)
{
    const double more = out->repeats > 1 ? fmax(0.0, repeats[0].ms - repeats[1].ms) : 0.0;
    const double below = ms[2].ms + more, f = ms[0].ms / below;
    double df = ms[2].df;

    if (more > 0.0)
        df = below * below / (ms[2].ms * ms[2].ms / ms[2].df
                              + repeats[0].ms * repeats[0].ms / repeats[0].df
                              + repeats[1].ms * repeats[1].ms / repeats[1].df);
    out->g = isnan(f) ? (double)NAN : f > 1.0 ? 1.0 - 1.0 / f : 0.0;
    out->g_lower = isnan(f) ? (double)NAN : fmax(0.0, 1.0 - f_quantile(1.0 - tail, ms[0].df, df) / f);
    out->g_upper = isnan(f) ? (double)NAN : fmax(0.0, 1.0 - f_quantile(tail, ms[0].df, df) / f);
}

/* The systems' variance without what their repeats make of it. */
static double systems_of(const iv_variance_parts *p)
{
    return fmax(0.0, p->system.variance
                     - (p->repeats > 1 ? p->shared.variance / (double)p->repeats : 0.0));
}

static void find_parts(iv_variance_parts *out, const square ms[4], const square repeats[2],
                       double tail)
{
    const double S = (double)out->systems, I = (double)out->items, R = (double)out->repeats;
    iv_variance_part *parts[] = { &out->system, &out->item, &out->interaction, &out->repeat };
    const bool repeated = out->repeats > 1;
    double all = 0.0;

    out->system = difference(ms[0], ms[2], R * I, tail);
    out->item = difference(ms[1], ms[2], R * S, tail);
    out->interaction = repeated ? difference(ms[2], ms[3], R, tail) : alone(ms[2], tail);
    out->repeat = repeated ? alone(ms[3], tail)
        : (iv_variance_part){ (double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN,
                              0.0 };
    for (size_t k = 0; k < (repeated ? 4U : 3U); k++)
        all += parts[k]->variance;
    for (size_t k = 0; k < (repeated ? 4U : 3U); k++)
        parts[k]->share = all > 0.0 ? parts[k]->variance / all : (double)NAN;
    out->apart = out->repeat.variance;
    if (repeated) {
        out->shared = difference(repeats[0], repeats[1], I, tail);
        out->shared.share = (double)NAN;
        out->apart = out->shared.variance > 0.0 ? repeats[1].ms : out->repeat.variance;
    }
    find_g(out, ms, repeats, tail);
    const double se = iv_variance_se(out, I, R), noise = out->item.variance / I + 0.5 * se * se;
    const double systems = systems_of(out);
    out->dependability = systems + noise > 0.0 ? systems / (systems + noise) : (double)NAN;
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
    const double c = confidence == 0.0 ? 0.95 : confidence;
    iv_arena own = { 0 };
    means m = { 0 };
    square ms[4], shared[2] = { { 0.0, 0.0 } };

    if (systems < 2 || items < 2 || repeats < 1)
        return iv_fail(err, IV_ENODATA, "%zu systems, %zu items, %zu repeats: expected two systems "
                       "and items at least", systems, items, repeats);
    if (!(c > 0.0 && c < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected 0 < confidence < 1", confidence);
    for (size_t k = 0; k < systems * items * repeats; k++)
        if (!isfinite(x[k]))
            return iv_fail(err, IV_EARG, "value %zu is not finite", k + 1);
    m.system = iv_take(&own, systems, sizeof *m.system);
    m.item = iv_take(&own, items, sizeof *m.item);
    m.cell = iv_take(&own, systems * items, sizeof *m.cell);
    const int rc = iv_taken(&own, err);
    if (rc == IV_OK) {
        find_means(&m, x, systems, items, repeats);
        find_squares(ms, &m, x, systems, items, repeats);
        *out = (iv_variance_parts){ .systems = systems, .items = items, .repeats = repeats };
        if (repeats > 1)
            find_shared(shared, &m, x, systems, items, repeats);
        drop_dust(ms, 4, x, systems * items * repeats);
        drop_dust(shared, 2, x, systems * items * repeats);
        find_parts(out, ms, shared, 0.5 * (1.0 - c));
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

double iv_variance_g(const iv_variance_parts *p, double items, double repeats)
{
    const double se = iv_variance_se(p, items, repeats), s = systems_of(p);

    return s + se > 0.0 ? s / (s + 0.5 * se * se) : (double)NAN;
}
