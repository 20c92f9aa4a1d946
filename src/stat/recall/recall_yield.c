/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The posterior of a segment's yield from those of its strata: cells, each with its mass spread
 * evenly.  While there are few atoms every cell is one of them, and exact.  Else cells are
 * as wide as a small part of the local scale (the distance to an end of the support where the
 * density may be singular, at most the standard deviation).  With 1/200 of it probabilities are
 * good to 1e-6, or to 2e-5 where many atoms lie on the line that is asked for.
 *
 * Several strata are added up atom by atom, or on a common lattice, each cell's mass shared by
 * the two nearest points in proportion, which keeps the means.
 */
#include "base/err.h"
#include "base/memory.h"
#include "num/dist.h"
#include "num/pmf.h"
#include "stat/recall/recall_yield.h"

#include <math.h>
#include <stdlib.h>

static double curve_density(const iv_curve *c, double k)
{
    return exp(iv_betabin_log_curve(k - c->r, c->m, c->a, c->b));
}

/* p(k+1) / p(k) of X. */
static double ratio(const iv_curve *c, double k)
{
    const double m = (double)c->m;

    return (m - k) * (k + c->a) / ((k + 1.0) * (m - k - 1.0 + c->b));
}

/* log of about the mass of X beyond k, k on the side of the mode asked for. */
static double log_beyond(const iv_curve *c, double k, bool up)
{
    const double fall = up ? ratio(c, k) : 1.0 / ratio(c, k - 1.0);

    if (!(fall < 1.0))
        return 0.0;
    return iv_betabin_log_curve(k, c->m, c->a, c->b) - log1p(-fall);
}

static double find_end(const iv_curve *c, bool up)
{
    const double m = (double)c->m, wanted = log(1e-17);
    double near = fmin(fmax(rint(c->mean - c->r), 1.0), m - 1.0), far = up ? m : 0.0;

    /* U- and J-shapes rise to their end. */
    if (m < 2.0 || (up ? c->b : c->a) <= 1.0)
        return far;
    if (log_beyond(c, near, up) <= wanted)
        return near; /* all but 1e-17 of the mass is at the other end */
    while (fabs(far - near) > 1.0) {
        const double k = floor(0.5 * (near + far));
        if (log_beyond(c, k, up) <= wanted)
            far = k;
        else
            near = k;
    }
    return far;
}

/*
 * The first bits of x in (0, 1), which are the same everywhere: a quantile so far out is known
 * to half of its digits, and all that is computed over cells would have its last digits.
 */
static double first_bits(double x)
{
    int power;
    const double bits = frexp(x, &power);

    return ldexp(floor(ldexp(bits, 16)), power - 16);
}

static int curve_of(iv_curve *out, const iv_stratum *s, double prior_a, double prior_b,
                    bool discrete, iv_err *err)
{
    iv_curve c = { .discrete = discrete, .m = s->size - s->sampled,
                   .r = (double)s->relevant, .a = prior_a + (double)s->relevant,
                   .b = prior_b + (double)(s->sampled - s->relevant) };
    const double m = (double)c.m, ab = c.a + c.b;

    if (!(prior_a > 0.0 && prior_b > 0.0) && c.m > 0)
        return iv_fail(err, IV_EARG, "prior %g,%g, expected above 0", prior_a, prior_b);
    if (c.m == 0) {
        c.mean = c.low = c.high = c.r;
        *out = c;
        return IV_OK;
    }
    c.mean = c.r + m * (c.a / ab);
    c.sd = sqrt(m * (c.a / ab) * (c.b / ab) * ((discrete ? ab : 0.0) + m) / (ab + 1.0));
    if (discrete) {
        c.low = c.r + find_end(&c, false);
        c.high = c.r + find_end(&c, true);
    } else {
        c.low = c.a < 1.0 ? c.r : c.r + m * first_bits(iv_beta_quantile(1e-17, c.a, c.b));
        c.high = c.r + m;
        if (c.b >= 1.0)
            c.high -= m * first_bits(1.0 - iv_beta_isf(1e-17, c.a, c.b));
    }
    *out = c;
    return IV_OK;
}

static int reserve(iv_yield *y, size_t cells, iv_err *err)
{
    if (IV_ROOM(y->edge, y->edge_capacity, cells + 1)
        && IV_ROOM(y->above, y->above_capacity, cells + 1))
        return IV_OK;
    return iv_fail(err, IV_ENOMEM, "no memory for %zu cells", cells);
}

/* The width of the cell of atoms that begins at u. */
static double cell_width(const iv_curve *c, double u, double fine, double widest)
{
    const double from_low = u - c->r, from_high = c->r + (double)c->m - u;
    const double off = fabs(u - c->mean);
    double scale = fmin(fmin(from_low, from_high), c->sd) * fine;

    /* The little mass far out need not be known so well. */
    scale *= off < 3.5 * c->sd ? 1.0 : off < 5.5 * c->sd ? 2.0 : 4.0;
    scale = fmin(scale, widest);
    /* Near an end the integral is not the sum: 1/24 of the slope is missing. */
    if (scale < 3.0 || fmin(from_low, from_high) * fine < 13.0)
        return 1.0;
    /* An odd width has an atom in its middle. */
    return fmin(2.0 * floor(0.5 * (scale + 1.0)) - 1.0, c->high + 0.5 - u);
}

static size_t count_cells(const iv_curve *c, double fine, double widest)
{
    size_t count = 0;

    for (double u = c->low - 0.5; u < c->high + 0.5; u += cell_width(c, u, fine, widest))
        count++;
    return count;
}

/* The mass of the cell at u: an atom, or two Gauss-Legendre nodes of a smooth curve. */
static double cell_mass(const iv_curve *c, double u, double width)
{
    const double middle = u + 0.5 * width, away = width * 0.28867513459481288;

    if (width == 1.0)
        return curve_density(c, middle);
    return 0.5 * width * (curve_density(c, middle - away) + curve_density(c, middle + away));
}

/* From the mass of each cell to the mass above each edge, all of it made 1. */
static void add_up(iv_yield *y)
{
    double sum = 0.0;

    y->above[y->cells] = 0.0;
    for (size_t i = y->cells; i-- > 0;)
        y->above[i] = sum += y->above[i];
    for (size_t i = 0; i < y->cells; i++)
        y->above[i] /= sum;
}

/* x = t t (3 - 2 t) is a square near both ends: equal steps of t suit a density that is singular
 * there. */
static double bend(double t) { return t * t * (3.0 - 2.0 * t); }

static double unbend(double x)
{
    double low = 0.0, high = 1.0;

    for (int i = 0; i < 60; i++) {
        const double t = 0.5 * (low + high);
        if (bend(t) < x)
            low = t;
        else
            high = t;
    }
    return high;
}

static int cells_of_beta(iv_yield *y, const iv_curve *c, double points, double widest, iv_err *err)
{
    const double m = (double)c->m;
    const double from = unbend((c->low - c->r) / m), to = unbend((c->high - c->r) / m);
    const double count = fmax(points, ceil(1.5 * m * (to - from) / widest));

    IV_TRY(reserve(y, (size_t)count, err));
    y->cells = (size_t)count;
    for (size_t i = 0; i <= y->cells; i++) {
        const double x = bend(from + (to - from) * ((double)i / count));
        y->edge[i] = c->r + m * x;
        y->above[i] = i == 0 ? 1.0 : i == y->cells ? 0.0 : iv_beta_sf(x, c->a, c->b);
    }
    return IV_OK;
}

/* Cells of one curve, at most `widest` wide. */
static int cells_of_curve(iv_yield *y, const iv_curve *c, const iv_fineness *f, double widest,
                          iv_err *err)
{
    const double half = c->discrete ? 0.5 : 1e-9 * fmax(1.0, c->r);

    if (c->m > 0 && !c->discrete)
        return cells_of_beta(y, c, f->points, widest, err);
    const size_t count = c->m == 0 ? 1 : count_cells(c, f->fine, widest);
    IV_TRY(reserve(y, count, err));
    y->cells = count;
    y->edge[0] = c->low - half;
    for (size_t i = 0; i < count; i++) {
        const double u = y->edge[i];
        const double width = c->m == 0 ? 2.0 * half : cell_width(c, u, f->fine, widest);
        y->above[i] = c->m == 0 ? 1.0 : cell_mass(c, u, width);
        y->edge[i + 1] = u + width;
    }
    add_up(y);
    return IV_OK;
}

/* Cells around the points start + i step that hold these masses. */
static int cells_of_points(iv_yield *y, const iv_pmf *p, double start, double step, iv_err *err)
{
    double sum = 0.0;

    IV_TRY(reserve(y, p->count, err));
    y->cells = p->count;
    y->above[p->count] = 0.0;
    for (size_t i = p->count + 1; i-- > 0;) {
        y->edge[i] = start + ((double)p->offset + (double)i - 0.5) * step;
        if (i < p->count)
            y->above[i] = sum += p->p[i];
    }
    return IV_OK;
}

/* A cell that holds u, near the one that did last. */
static size_t find_cell(const iv_yield *y, double u, size_t near)
{
    size_t low = 0, high = y->cells;

    if (near >= y->cells)
        near = y->cells - 1;
    for (int i = 0; i < 8; i++) {
        if (u < y->edge[near])
            near -= near > 0;
        else if (u >= y->edge[near + 1])
            near += near + 1 < y->cells;
        else
            return near;
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (u < y->edge[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

double iv_yield_above(const iv_yield *y, double u, size_t *near)
{
    if (u <= y->edge[0])
        return y->above[0];
    if (u >= y->edge[y->cells])
        return 0.0;
    const size_t i = y->exact ? (size_t)(u - y->edge[0]) : find_cell(y, u, *near);
    const double s = (u - y->edge[i]) / (y->edge[i + 1] - y->edge[i]);
    *near = i;
    return y->above[i] - s * (y->above[i] - y->above[i + 1]);
}

const iv_fineness iv_fine = { IV_RECALL_ATOMS, 1.0 / 200.0, 32768.0, 1e-11 };
const iv_fineness iv_coarse = { 2000.0, 1.0 / 32.0, 2048.0, 1e-5 };

void iv_yield_free(iv_yield *y)
{
    iv_pmf_free(&y->atoms);
    free(y->edge);
    free(y->above);
    free(y->curves);
    *y = (iv_yield){ 0 };
}

int iv_yield_curves(iv_yield *y, const iv_stratum *strata, size_t count, const double *a,
                    const double *b, bool discrete, iv_err *err)
{
    int64_t relevant = 0, sampled = 0;
    double variance = 0.0;

    if (count > y->curve_capacity) {
        if (!IV_ROOM(y->curves, y->curve_capacity, count))
            return iv_fail(err, IV_ENOMEM, "no memory for %zu strata", count);
    }
    y->curve_count = 0;
    y->size = y->mean = y->low = y->high = 0.0;
    for (size_t i = 0; i < count; i++) {
        iv_curve *c = &y->curves[y->curve_count];
        if (strata[i].size == 0)
            continue;
        const int rc = curve_of(c, &strata[i], a[i], b[i], discrete, err);
        if (rc < 0)
            return rc;
        y->curve_count++;
        y->size += (double)strata[i].size;
        y->mean += c->mean;
        variance += c->sd * c->sd;
        y->low += c->low;
        y->high += c->high;
        relevant += strata[i].relevant;
        sampled += strata[i].sampled;
    }
    y->sd = sqrt(variance);
    y->none = relevant == 0;
    y->all = relevant == sampled;
    return IV_OK;
}

/* One stratum's atoms. */
static int curve_atoms(iv_pmf *out, const iv_curve *c, iv_err *err)
{
    const int rc = iv_pmf_betabin(out, c->m, c->a, c->b, 1e-17, err);

    if (rc == IV_OK)
        out->offset += (int64_t)c->r;
    return rc;
}

static size_t shortest(const iv_pmf *p, size_t count, size_t but)
{
    size_t best = but == 0 ? 1 : 0;

    for (size_t i = 0; i < count; i++) {
        if (i != but && p[i].count < p[best].count)
            best = i;
    }
    return best;
}

/* The sum of count distributions, which are used up, into *out. */
static int convolve_all(iv_pmf *out, iv_pmf *part, size_t count, iv_convolver *c,
                        iv_err *err)
{
    int rc = IV_OK;

    while (count > 1 && rc == IV_OK) {
        const size_t i = shortest(part, count, SIZE_MAX);
        const size_t k = shortest(part, count, i);
        iv_pmf sum = { 0 };
        rc = iv_pmf_convolve(&sum, &part[i], &part[k], c, err);
        if (rc < 0)
            break;
        iv_pmf_trim(&sum, 1e-18);
        iv_pmf_free(&part[i]);
        part[i] = sum;
        iv_pmf_free(&part[k]);
        part[k] = part[count - 1];
        part[--count] = (iv_pmf){ 0 };
    }
    if (rc == IV_OK) {
        iv_pmf_free(out);
        *out = part[0];
        part[0] = (iv_pmf){ 0 };
    }
    return rc;
}

/*
 * One stratum on the lattice low + i step, each cell's mass shared by the two nearest points.
 */
static int put_on_lattice(iv_pmf *out, iv_yield *scratch, const iv_curve *c,
                          const iv_fineness *f, double step, iv_err *err)
{
    const size_t points = (size_t)((c->high - c->low) / step) + 3;

    if (c->m == 0)
        return iv_pmf_binom(out, 0, 0.5, 0.0, err); /* one atom of mass 1 at 0 */
    IV_TRY(cells_of_curve(scratch, c, f, step, err));
    if (!IV_ROOM(out->p, out->capacity, points))
        return iv_fail(err, IV_ENOMEM, "no memory for %zu points", points);
    out->offset = 0;
    out->count = points;
    out->left_out = 0.0;
    for (size_t i = 0; i < points; i++)
        out->p[i] = 0.0;
    for (size_t i = 0; i < scratch->cells; i++) {
        const double at = 0.5 * (scratch->edge[i] + scratch->edge[i + 1]);
        const double mass = scratch->above[i] - scratch->above[i + 1];
        const double x = fmax(0.0, (at - c->low) / step);
        const size_t point = (size_t)x;
        const double u = x - (double)point;
        out->p[point] += (1.0 - u) * mass;
        out->p[point + 1] += u * mass;
    }
    iv_pmf_trim(out, 1e-18);
    return IV_OK;
}

/* The sum of the strata, atom by atom where step is 0, else on a lattice, into y->atoms. */
static int sum_strata(iv_yield *y, iv_convolver *c, const iv_fineness *f, double step,
                      iv_err *err)
{
    iv_pmf *part = calloc(y->curve_count, sizeof *part);
    iv_yield scratch = { 0 };
    int rc = part == NULL ? iv_fail(err, IV_ENOMEM, "no memory for %zu strata",
                                    y->curve_count) : IV_OK;

    for (size_t i = 0; i < y->curve_count && rc == IV_OK; i++)
        rc = step > 0.0 ? put_on_lattice(&part[i], &scratch, &y->curves[i], f, step, err)
                        : curve_atoms(&part[i], &y->curves[i], err);
    if (rc == IV_OK)
        rc = convolve_all(&y->atoms, part, y->curve_count, c, err);
    for (size_t i = 0; part != NULL && i < y->curve_count; i++)
        iv_pmf_free(&part[i]);
    free(part);
    iv_yield_free(&scratch);
    return rc;
}

int iv_yield_spread(iv_yield *y, iv_convolver *c, const iv_fineness *f, iv_err *err)
{
    const bool discrete = y->curves[0].discrete;
    double step = (y->high - y->low) / f->points;

    y->exact = discrete && y->high - y->low < f->atoms;
    if (y->exact) {
        IV_TRY(sum_strata(y, c, f, 0.0, err));
        IV_TRY(cells_of_points(y, &y->atoms, 0.0, 1.0, err));
    } else if (y->curve_count == 1) {
        IV_TRY(cells_of_curve(y, &y->curves[0], f, INFINITY, err));
    } else {
        /* An odd step has its edges between atoms. */
        step = discrete ? 2.0 * ceil(0.5 * step) + 1.0 : step;
        IV_TRY(sum_strata(y, c, f, step, err));
        IV_TRY(cells_of_points(y, &y->atoms, y->low, step, err));
    }
    if (discrete) {
        y->low = y->edge[0] + 0.5;
        y->high = y->edge[y->cells] - 0.5;
    }
    return IV_OK;
}
