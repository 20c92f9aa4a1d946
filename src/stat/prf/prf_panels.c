/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/prf/prf_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = IV_PANEL_TERMS, DEEPEST = 60, MOST_PANELS = 20000 };

/* What a panel may add to the error in mass; and the mass of a panel so small
 * that even at a singularity its error is less. */
static const double panel_error = 2e-15;
static const double small_mass = 1e-11;

static const double nodes[IV_GAUSS_NODES / 2] = {
    0.9894009349916499326, 0.94457502307323257608, 0.86563120238783174388,
    0.75540440835500303390, 0.61787624440264374845, 0.45801677765722738634,
    0.28160355077925891323, 0.095012509837637440185
};
static const double weights[IV_GAUSS_NODES / 2] = {
    0.027152459411754094852, 0.062253523938647892863, 0.095158511682492784810,
    0.12462897125553387205, 0.14959598881657673208, 0.16915651939500253819,
    0.18260341504492358887, 0.18945061045506849629
};

double iv_gauss_node(size_t k)
{
    return k < IV_GAUSS_NODES / 2 ? -nodes[k] : nodes[IV_GAUSS_NODES - 1 - k];
}

double iv_gauss_weight(size_t k)
{
    return k < IV_GAUSS_NODES / 2 ? weights[k] : weights[IV_GAUSS_NODES - 1 - k];
}

/* The work of filling a table. */
typedef struct filler {
    iv_panels *out;
    iv_function g;
    void *user;
    double place[TERMS];         /* Chebyshev's points of the first kind */
    double cosine[TERMS][TERMS]; /* [k][j]: T_k at point j, times 2/TERMS */
    iv_err *err;
} filler;

static void prepare(filler *f)
{
    const double pi = 3.14159265358979323846;

    for (int j = 0; j < TERMS; j++) {
        f->place[j] = cos(pi * (j + 0.5) / TERMS);
        for (int k = 0; k < TERMS; k++)
            f->cosine[k][j] = (k == 0 ? 1.0 : 2.0) / TERMS * cos(pi * k * (j + 0.5) / TERMS);
    }
}

static int grow(iv_panels *p, iv_err *err)
{
    if (p->count < p->capacity)
        return IV_OK;
    const size_t n = p->capacity == 0 ? 64 : 2 * p->capacity;
    double *edge = realloc(p->edge, (n + 1) * sizeof *edge);
    if (edge != NULL)
        p->edge = edge;
    double *before = realloc(p->before, (n + 1) * sizeof *before);
    if (before != NULL)
        p->before = before;
    void *density = realloc(p->density, n * sizeof *p->density);
    if (density != NULL)
        p->density = density;
    void *mass = realloc(p->mass, n * sizeof *p->mass);
    if (mass != NULL)
        p->mass = mass;
    if (edge == NULL || before == NULL || density == NULL || mass == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    p->capacity = n;
    return IV_OK;
}

/* The series of the integral from -1, times half the panel's width. */
static void integrate(double mass[TERMS + 1], const double series[TERMS], double half)
{
    double at_left = 0.0;

    for (int k = 1; k <= TERMS; k++) {
        const double lower = k == 1 ? 2.0 * series[0] : series[k - 1];
        const double upper = k + 1 < TERMS ? series[k + 1] : 0.0;
        mass[k] = half * (lower - upper) / (2.0 * k);
        at_left += k % 2 == 0 ? mass[k] : -mass[k];
    }
    mass[0] = -at_left;
}

static int append(filler *f, double to, const double series[TERMS])
{
    iv_panels *p = f->out;

    if (p->count >= MOST_PANELS)
        return iv_fail(f->err, IV_ENUM, "a density needs more than %d panels", MOST_PANELS);
    if (grow(p, f->err) < 0)
        return IV_ENOMEM;
    const size_t i = p->count++;
    double sum = 0.0;
    memcpy(p->density[i], series, sizeof p->density[i]);
    integrate(p->mass[i], series, 0.5 * (to - p->edge[i]));
    for (int k = 0; k <= TERMS; k++)
        sum += p->mass[i][k]; /* every T_k is 1 at the right end */
    p->edge[i + 1] = to;
    p->before[i + 1] = p->before[i] + fmax(sum, 0.0);
    return IV_OK;
}

static double largest(const double *x, int from, int to)
{
    double most = 0.0;

    for (int k = from; k < to; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

/*
 * Are the last terms rounding errors?  Those of a smooth function so small fall by more than
 * that from four to the next four, and halving the panel would not make these smaller: counts
 * of 10^12 had thousands of panels.
 */
static bool is_noise(const double series[TERMS], double most)
{
    const double before = largest(series, TERMS - 8, TERMS - 4);

    return before < 1e-7 * most && largest(series, TERMS - 4, TERMS) > 0.2 * before;
}

/* Panels from the last edge to `to`, halving as deep as needed. */
static int cover(filler *f, double to, int depth)
{
    const double from = f->out->edge[f->out->count];
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double value[TERMS], series[TERMS], most = 0.0;

    for (int j = 0; j < TERMS; j++) {
        value[j] = f->g(middle + half * f->place[j], f->user);
        most = fmax(most, value[j]);
        if (!isfinite(value[j]))
            return iv_fail(f->err, IV_ENUM, "a density is not finite");
    }
    for (int k = 0; k < TERMS; k++) {
        series[k] = 0.0;
        for (int j = 0; j < TERMS; j++)
            series[k] += f->cosine[k][j] * value[j];
    }
    const double tail = fmax(fabs(series[TERMS - 1]), fabs(series[TERMS - 2]));
    if (tail * half <= panel_error || most * half <= small_mass || depth >= DEEPEST
        || is_noise(series, most))
        return append(f, to, series);
    const int rc = cover(f, middle, depth + 1);
    return rc < 0 ? rc : cover(f, to, depth + 1);
}

int iv_panels_fill(iv_panels *out, iv_function g, void *user, const double *seeds,
                   size_t count, iv_err *err)
{
    iv_panels p = { 0 };
    filler f = { .out = &p, .g = g, .user = user, .err = err };
    int rc = grow(&p, err);

    if (rc < 0)
        goto done;
    prepare(&f);
    p.edge[0] = seeds[0];
    p.before[0] = 0.0;
    for (size_t i = 1; i < count && rc == IV_OK; i++) {
        if (seeds[i] > p.edge[p.count])
            rc = cover(&f, seeds[i], 0);
    }
    if (rc == IV_OK && !(fabs(p.before[p.count] - 1.0) < 1e-10))
        rc = iv_fail(err, IV_ENUM, "a density has mass %.15g, not 1", p.before[p.count]);
    if (rc < 0)
        goto done;
    *out = p;
    p = (iv_panels){ 0 };
done:
    iv_panels_clear(&p);
    return rc;
}

void iv_panels_clear(iv_panels *p)
{
    free(p->edge);
    free(p->before);
    free(p->density);
    free(p->mass);
    *p = (iv_panels){ 0 };
}

/* The sum of the first `terms` terms of a series at s, by Clenshaw. */
static double series_at(const double *series, int terms, double s)
{
    double ahead = 0.0, next = 0.0;

    for (int k = terms - 1; k > 0; k--) {
        const double here = series[k] + 2.0 * s * next - ahead;
        ahead = next;
        next = here;
    }
    return series[0] + s * next - ahead;
}

/* The last i with sorted[i] <= x, in [0, count). */
static size_t locate(const double *sorted, size_t count, double x)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (sorted[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The panel's own coordinate, in [-1, 1]. */
static double within(const iv_panels *p, size_t i, double at)
{
    const double from = p->edge[i], to = p->edge[i + 1];

    return fmin(1.0, fmax(-1.0, (2.0 * at - from - to) / (to - from)));
}

static bool outside(const iv_panels *p, double at)
{
    return !(at >= p->edge[0] && at <= p->edge[p->count]);
}

double iv_panels_density(const iv_panels *p, double at)
{
    if (outside(p, at))
        return 0.0;
    const size_t i = locate(p->edge, p->count, at);
    return fmax(0.0, series_at(p->density[i], TERMS, within(p, i, at)));
}

double iv_panels_slope(const iv_panels *p, double at)
{
    double slope[TERMS + 2] = { 0.0 };

    if (outside(p, at))
        return 0.0;
    const size_t i = locate(p->edge, p->count, at);
    for (int k = TERMS - 1; k > 0; k--)
        slope[k - 1] = slope[k + 1] + 2.0 * k * p->density[i][k];
    slope[0] *= 0.5;
    return series_at(slope, TERMS, within(p, i, at)) * 2.0 / (p->edge[i + 1] - p->edge[i]);
}

double iv_panels_below(const iv_panels *p, double at)
{
    if (outside(p, at))
        return at > p->edge[0] ? 1.0 : 0.0;
    const size_t i = locate(p->edge, p->count, at);
    const double mass = p->before[i] + series_at(p->mass[i], TERMS + 1, within(p, i, at));
    return fmin(1.0, fmax(0.0, mass));
}

double iv_panels_quantile(const iv_panels *p, double mass)
{
    if (!(mass > 0.0))
        return p->edge[0];
    if (mass >= p->before[p->count])
        return p->edge[p->count];
    const size_t i = locate(p->before, p->count, mass);
    const double half = 0.5 * (p->edge[i + 1] - p->edge[i]);
    const double wanted = mass - p->before[i];
    double low = -1.0, high = 1.0, s = 0.0;
    /* Newton's steps, kept inside a shrinking bracket. */
    for (int step = 0; step < 100 && high - low > 1e-16; step++) {
        const double over = series_at(p->mass[i], TERMS + 1, s) - wanted;
        const double slope = half * series_at(p->density[i], TERMS, s);
        if (over > 0.0)
            high = s;
        else
            low = s;
        double next = s - over / slope;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - s) < 4e-16)
            break;
        s = next;
    }
    return p->edge[i] + half * (1.0 + s);
}
