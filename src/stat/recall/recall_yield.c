/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A distribution over cells, for supports too large to visit every atom.
 *
 * A sum over atoms a..b-1 of a smooth function is its integral from a-1/2 to
 * b-1/2, but for 1/24 of the change of its slope, which cancels between
 * neighbouring cells.  So cells have edges at half-integers, carry two
 * Gauss-Legendre nodes each, and the mass above any point between edges is a
 * cubic with the right value and slope at both of them.  With cells of 1/12
 * of the local scale (the distance to an end of the support where the density
 * may be singular, at most the standard deviation) each of the three is good
 * to 1e-7.  Where a cell would be narrower than two atoms it is one atom, and
 * exact.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stat/recall/recall_yield.h"
#include "num/num_private.h"

/* Mass that may lie between a singular end and the first cell. */
static const double sliver = 1e-10;

static double curve_density(const iv_curve *c, double k)
{
    if (c->discrete)
        return exp(iv_betabin_log_curve(k - c->r, c->m, c->a, c->b));
    const double m = (double)c->m;
    return exp(iv_beta_log_pdf((k - c->r) / m, c->a, c->b)) / m;
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

static int iv_curve_of(iv_curve *out, const iv_stratum *s, double prior_a, double prior_b,
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
        const double x = first_bits(iv_beta_quantile(c.a < 1.0 ? sliver : 1e-17, c.a, c.b));
        const double z = first_bits(1.0 - iv_beta_isf(c.b < 1.0 ? sliver : 1e-17, c.a, c.b));
        const double y = 1.0 - fmax(z, 1e-13); /* doubles near 1 are no closer */
        c.low = c.r + m * x;
        c.high = c.r + m * y;
        c.low_rest = c.a < 1.0 ? iv_beta_cdf(x, c.a, c.b) : 0.0;
        c.high_rest = c.b < 1.0 ? iv_beta_sf(y, c.a, c.b) : 0.0;
    }
    *out = c;
    return IV_OK;
}

static void iv_cells_free(iv_cells *c)
{
    free(c->memory);
    *c = (iv_cells){ 0 };
}

/* Five arrays of at least `count`, one behind the other. */
static int cells_reserve(iv_cells *c, size_t count, iv_err *err)
{
    if (count > c->capacity) {
        const size_t room = count + count / 2;
        double *memory = malloc(5 * room * sizeof *memory);
        if (memory == NULL)
            return iv_fail(err, IV_ENOMEM, "no memory for %zu cells", count);
        free(c->memory);
        c->memory = memory;
        c->capacity = room;
    }
    c->at = c->memory;
    c->weight = c->at + c->capacity;
    c->edge = c->weight + c->capacity;
    c->above = c->edge + c->capacity;
    c->density = c->above + c->capacity;
    return IV_OK;
}

/* The width of the cell that begins at u. */
static double cell_width(const iv_curve *c, double u, double fine, double widest)
{
    const double from_low = u - c->r, from_high = c->r + (double)c->m - u;
    const double off = fabs(u - c->mean);
    double scale = fmin(fmin(from_low, from_high), c->sd) * fine;

    /* The little mass far out need not be known so well. */
    scale *= off < 3.5 * c->sd ? 1.0 : off < 5.5 * c->sd ? 2.0 : 4.0;
    if (!c->discrete)
        return fmin(fmin(fmax(scale, c->sd * 1e-12), widest), c->high - u);
    scale = fmin(scale, widest);
    /* Near an end the integral is not the sum: 1/24 of the slope is missing. */
    if (scale < 2.0 || fmin(from_low, from_high) * fine < 13.0)
        return 1.0;
    return fmin(floor(scale), c->high + 0.5 - u);
}

static size_t count_cells(const iv_curve *c, double fine, double widest)
{
    const double end = c->discrete ? c->high + 0.5 : c->high;
    size_t count = 0;

    for (double u = c->discrete ? c->low - 0.5 : c->low; u < end;
         u += cell_width(c, u, fine, widest))
        count++;
    return count;
}

static void put_node(iv_cells *c, double at, double weight)
{
    c->at[c->nodes] = at;
    c->weight[c->nodes++] = weight;
}

/* From the mass of each cell to the mass above each edge, all of it made 1. */
static void close_cells(iv_cells *c)
{
    double sum = 0.0;

    for (size_t i = c->edges; i-- > 0;)
        c->above[i] = sum += c->above[i];
    for (size_t i = 0; i < c->edges; i++) {
        c->above[i] /= sum;
        c->density[i] /= sum;
    }
    for (size_t i = 0; i < c->nodes; i++)
        c->weight[i] /= sum;
}

/* Two Gauss-Legendre nodes for the cell at u; returns its mass. */
static double put_cell(iv_cells *c, const iv_curve *curve, double u, double width)
{
    const double middle = u + 0.5 * width, away = width * 0.28867513459481288;
    const double low = 0.5 * width * curve_density(curve, middle - away);
    const double high = 0.5 * width * curve_density(curve, middle + away);

    put_node(c, middle - away, low);
    put_node(c, middle + away, high);
    return low + high;
}

static void fill_cells(iv_cells *c, const iv_curve *curve, double fine, double widest)
{
    const double end = curve->discrete ? curve->high + 0.5 : curve->high;
    double u = curve->discrete ? curve->low - 0.5 : curve->low;
    double rest = curve->low_rest, mass = 0.0;
    bool smooth = true;

    c->nodes = c->edges = 0;
    if (rest > 0.0)
        put_node(c, u, rest);
    while (u < end) {
        const double width = cell_width(curve, u, fine, widest);
        const bool atom = curve->discrete && width == 1.0;
        const bool begins = c->edges == 0;
        c->edge[c->edges] = u;
        c->density[c->edges] = atom && (!smooth || begins) ? 0.0 : curve_density(curve, u);
        if (atom) {
            mass = smooth ? curve_density(curve, u + 0.5)
                          : mass * ratio(curve, u - 0.5 - curve->r);
            put_node(c, u + 0.5, mass);
        } else {
            mass = put_cell(c, curve, u, width);
        }
        smooth = !atom;
        c->above[c->edges++] = mass + rest;
        rest = 0.0;
        u += width;
    }
    rest = curve->high_rest;
    if (rest > 0.0)
        put_node(c, end, rest);
    c->edge[c->edges] = u;
    c->above[c->edges] = rest;
    c->density[c->edges++] = smooth ? curve_density(curve, end) : 0.0;
    close_cells(c);
}

/* All the mass at one point. */
static void fill_point(iv_cells *c, const iv_curve *curve)
{
    const double half = curve->discrete ? 0.5 : 1e-9 * fmax(1.0, curve->r);

    c->nodes = 0;
    c->edges = 2;
    put_node(c, curve->r, 1.0);
    for (size_t i = 0; i < 2; i++) {
        c->edge[i] = curve->r + (i == 0 ? -half : half);
        c->above[i] = i == 0 ? 1.0 : 0.0;
        c->density[i] = 0.0;
    }
}

/*
 * Cells of one curve: atoms while that is fine enough, then cells of a width
 * of `fine` x the local scale, but at most `widest`.
 */
static int iv_cells_of_curve(iv_cells *c, const iv_curve *curve, double fine, double widest,
                             iv_err *err)
{
    const size_t count = curve->m == 0 ? 1 : count_cells(curve, fine, widest);

    IV_TRY(cells_reserve(c, 2 * count + 4, err));
    if (curve->m == 0)
        fill_point(c, curve);
    else
        fill_cells(c, curve, fine, widest);
    return IV_OK;
}

/* Cells of width 1 from atoms. */
static int iv_cells_of_atoms(iv_cells *c, const iv_pmf *pmf, iv_err *err)
{
    double sum = 0.0;

    IV_TRY(cells_reserve(c, pmf->count + 1, err));
    c->nodes = pmf->count;
    c->edges = pmf->count + 1;
    c->edge[pmf->count] = (double)pmf->offset + (double)pmf->count - 0.5;
    c->above[pmf->count] = c->density[pmf->count] = 0.0;
    for (size_t i = pmf->count; i-- > 0;) {
        sum += pmf->p[i];
        c->at[i] = (double)pmf->offset + (double)i;
        c->weight[i] = pmf->p[i];
        c->edge[i] = c->at[i] - 0.5;
        c->above[i] = sum;
        c->density[i] = 0.0;
    }
    return IV_OK;
}

static double above_in(const iv_cells *c, size_t i, double s);

/*
 * Leaves out edges between which the cubic tells the others to 1e-9: few are
 * left where the sum is smooth, all where it is not.  They are numbered from `first`, and
 * what is left out begins at a multiple of its length: where roundings trim an end, or decide
 * otherwise, the other edges are as before.
 */
static void thin_out(iv_cells *c, size_t first)
{
    size_t kept = 1;

    for (size_t i = 0; i + 1 < c->edges;) {
        size_t step = 256;
        for (; step > 1; step /= 2) {
            if ((first + i) % step != 0 || i + step >= c->edges)
                continue;
            iv_cells two = { .edges = 2, .edge = (double[]){ c->edge[i], c->edge[i + step] },
                             .above = (double[]){ c->above[i], c->above[i + step] },
                             .density = (double[]){ c->density[i], c->density[i + step] } };
            bool good = true;
            for (size_t k = 1; k < 8 && good; k++) {
                const size_t at = i + (k * step) / 8;
                const double s = (double)(at - i) / (double)step;
                good = fabs(above_in(&two, 0, s) - c->above[at]) <= 1e-9;
            }
            if (good)
                break;
        }
        i += step;
        c->edge[kept] = c->edge[i];
        c->above[kept] = c->above[i];
        c->density[kept++] = c->density[i];
    }
    c->edges = kept;
}

/*
 * Cells from masses at start + i step, which are those of a smooth density but
 * for `spread` too much variance: that is taken back.
 */
static int iv_cells_of_lattice(iv_cells *c, const iv_pmf *pmf, double start, double step,
                               double spread, iv_err *err)
{
    const double back = 0.5 * spread / (step * step);
    double sum = 0.0;

    IV_TRY(cells_reserve(c, pmf->count + 1, err));
    c->nodes = 0;
    c->edges = pmf->count + 1;
    for (size_t i = pmf->count + 1; i-- > 0;) {
        const double before = i > 0 ? pmf->p[i - 1] : 0.0;
        const double here = i < pmf->count ? pmf->p[i] : 0.0;
        sum += here;
        c->edge[i] = start + ((double)pmf->offset + (double)i - 0.5) * step;
        c->above[i] = fmin(1.0, fmax(0.0, sum + back * (here - before)));
        c->density[i] = 0.5 * (before + here) / step;
    }
    thin_out(c, (size_t)pmf->offset);
    return IV_OK;
}

static size_t find_cell(const iv_cells *c, double u, size_t hint)
{
    size_t low = 0, high = c->edges - 1;

    /* Most calls come from a walk: look near by first. */
    for (size_t i = 0; i < 8 && hint + 1 < c->edges; i++) {
        if (u < c->edge[hint]) {
            if (hint == 0)
                return 0;
            hint--;
        } else if (u >= c->edge[hint + 1]) {
            hint++;
        } else {
            return hint;
        }
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (u < c->edge[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* A cell between atoms, whose mass lies anywhere in it with equal probability. */
static bool flat(const iv_cells *c, size_t i)
{
    return c->density[i] == 0.0 || c->density[i + 1] == 0.0;
}

/* The mass above s of the way through cell i. */
static double above_in(const iv_cells *c, size_t i, double s)
{
    const double width = c->edge[i + 1] - c->edge[i];
    const double fall = c->above[i] - c->above[i + 1];
    const double d0 = c->density[i] * width, d1 = c->density[i + 1] * width;

    if (flat(c, i))
        return c->above[i] - s * fall;
    return c->above[i] - s * (d0 + s * ((3.0 * fall - 2.0 * d0 - d1)
                                        + s * (d0 + d1 - 2.0 * fall)));
}

double iv_cells_above_in(const iv_cells *c, size_t i, double u)
{
    return above_in(c, i, (u - c->edge[i]) / (c->edge[i + 1] - c->edge[i]));
}

double iv_cells_density(const iv_cells *c, size_t i, double u)
{
    const double width = c->edge[i + 1] - c->edge[i], s = (u - c->edge[i]) / width;
    const double fall = c->above[i] - c->above[i + 1];
    const double d0 = c->density[i] * width, d1 = c->density[i + 1] * width;

    if (flat(c, i))
        return fall / width;
    return (d0 + s * (2.0 * (3.0 * fall - 2.0 * d0 - d1) + s * 3.0 * (d0 + d1 - 2.0 * fall)))
           / width;
}

double iv_cells_above(const iv_cells *c, double u, size_t *hint)
{
    if (u <= c->edge[0])
        return c->above[0];
    if (u >= c->edge[c->edges - 1])
        return c->above[c->edges - 1];
    const size_t i = find_cell(c, u, *hint < c->edges - 1 ? *hint : c->edges - 2);
    *hint = i;
    return above_in(c, i, (u - c->edge[i]) / (c->edge[i + 1] - c->edge[i]));
}

double iv_cells_next_edge(const iv_cells *c, double u, bool up, size_t *hint)
{
    const double first = c->edge[0], last = c->edge[c->edges - 1];

    if (up && u < first)
        return first;
    if (!up && u > last)
        return last;
    if (up ? u >= last : u <= first)
        return up ? INFINITY : -INFINITY;
    size_t i = find_cell(c, u, *hint < c->edges - 1 ? *hint : c->edges - 2);
    *hint = i;
    if (up)
        return c->edge[i + 1];
    return u > c->edge[i] ? c->edge[i] : c->edge[i - 1];
}

double iv_cells_width(const iv_cells *c, double u, bool up, size_t *hint)
{
    if (up ? u < c->edge[0] || u >= c->edge[c->edges - 1]
           : u <= c->edge[0] || u > c->edge[c->edges - 1])
        return INFINITY;
    size_t i = find_cell(c, u, *hint < c->edges - 1 ? *hint : c->edges - 2);
    if (!up && u == c->edge[i])
        i--;
    *hint = i;
    return c->edge[i + 1] - c->edge[i];
}

/*
 * The posterior of a segment's yield from those of its strata: atom by atom,
 * or over cells.  Strata are convolved shortest first, so that the total cost
 * is that of a few convolutions of the final length.
 *
 * When the sum is too long for its atoms, the strata are put on a common
 * lattice, each node's mass shared by the two nearest points in proportion.
 * That keeps the means and adds a known amount to the variance, which is taken
 * back at the end (iv_cells_of_lattice).
 */

const iv_fineness iv_fine = { 1.0 / 12.0, 4096.0, 32768.0, 1e-9 };
const iv_fineness iv_coarse = { 1.0 / 4.0, 64.0, 2048.0, 1e-5 };

void iv_yield_free(iv_yield *y)
{
    iv_pmf_free(&y->atoms);
    free(y->above);
    iv_cells_free(&y->cells);
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
        const int rc = iv_curve_of(c, &strata[i], a[i], b[i], discrete, err);
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

double iv_yield_support(const iv_yield *y) { return y->high - y->low + 1.0; }

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

/* The atoms of the sum, into y->atoms. */
static int sum_atoms(iv_yield *y, iv_convolver *c, iv_err *err)
{
    if (y->curve_count == 1)
        return curve_atoms(&y->atoms, &y->curves[0], err);
    iv_pmf *part = calloc(y->curve_count, sizeof *part);
    int rc = part == NULL ? iv_fail(err, IV_ENOMEM, "no memory for %zu strata",
                                    y->curve_count) : IV_OK;
    for (size_t i = 0; i < y->curve_count && rc == IV_OK; i++)
        rc = curve_atoms(&part[i], &y->curves[i], err);
    if (rc == IV_OK)
        rc = convolve_all(&y->atoms, part, y->curve_count, c, err);
    for (size_t i = 0; part != NULL && i < y->curve_count; i++)
        iv_pmf_free(&part[i]);
    free(part);
    return rc;
}

int iv_yield_by_atoms(iv_yield *y, iv_convolver *c, iv_err *err)
{
    IV_TRY(sum_atoms(y, c, err));
    if (y->atoms.count + 1 > y->above_capacity) {
        if (!IV_ROOM(y->above, y->above_capacity, y->atoms.count + 1))
            return iv_fail(err, IV_ENOMEM, "no memory for %zu atoms", y->atoms.count);
    }
    double sum = 0.0;
    y->above[y->atoms.count] = 0.0;
    for (size_t i = y->atoms.count; i-- > 0;)
        y->above[i] = sum += y->atoms.p[i];
    y->low = (double)y->atoms.offset;
    y->high = y->low + (double)y->atoms.count - 1.0;
    y->form = IV_YIELD_ATOMS;
    return IV_OK;
}

/*
 * One stratum on the lattice low + i step; adds to *spread the variance that
 * sharing brings in.
 */
static int put_on_lattice(iv_pmf *out, double *spread, iv_cells *scratch,
                          const iv_curve *c, double fine, double step, iv_err *err)
{
    const size_t points = (size_t)((c->high - c->low) / step) + 3;
    int rc;

    if (c->m == 0)
        return iv_pmf_binom(out, 0, 0.5, 0.0, err); /* one atom of mass 1 at 0 */
    rc = iv_cells_of_curve(scratch, c, fine, step, err);
    if (rc < 0)
        return rc;
    if (!IV_ROOM(out->p, out->capacity, points))
        return iv_fail(err, IV_ENOMEM, "no memory for %zu points", points);
    out->offset = 0;
    out->count = points;
    out->left_out = 0.0;
    for (size_t i = 0; i < points; i++)
        out->p[i] = 0.0;
    for (size_t i = 0; i < scratch->nodes; i++) {
        const double x = fmax(0.0, (scratch->at[i] - c->low) / step);
        const size_t cell = (size_t)x;
        const double u = x - (double)cell;
        out->p[cell] += (1.0 - u) * scratch->weight[i];
        out->p[cell + 1] += u * scratch->weight[i];
        *spread += scratch->weight[i] * u * (1.0 - u) * step * step;
    }
    iv_pmf_trim(out, 1e-18);
    return IV_OK;
}

static int sum_on_lattice(iv_yield *y, iv_convolver *c, double fine, double step,
                          iv_err *err)
{
    iv_pmf *part = calloc(y->curve_count, sizeof *part);
    iv_cells scratch = { 0 };
    double spread = 0.0;
    int rc = part == NULL ? iv_fail(err, IV_ENOMEM, "no memory for %zu strata",
                                    y->curve_count) : IV_OK;

    for (size_t i = 0; i < y->curve_count && rc == IV_OK; i++)
        rc = put_on_lattice(&part[i], &spread, &scratch, &y->curves[i], fine, step, err);
    if (rc == IV_OK)
        rc = convolve_all(&y->atoms, part, y->curve_count, c, err);
    if (rc == IV_OK)
        rc = iv_cells_of_lattice(&y->cells, &y->atoms, y->low, step, spread, err);
    for (size_t i = 0; part != NULL && i < y->curve_count; i++)
        iv_pmf_free(&part[i]);
    free(part);
    iv_cells_free(&scratch);
    return rc;
}

int iv_yield_by_cells(iv_yield *y, iv_convolver *c, const iv_fineness *f, iv_err *err)
{
    const bool discrete = y->curves[0].discrete;
    const double support = iv_yield_support(y);
    int rc;

    if (discrete && support <= (y->curve_count == 1 ? f->few : f->points)) {
        rc = sum_atoms(y, c, err);
        if (rc == IV_OK)
            rc = iv_cells_of_atoms(&y->cells, &y->atoms, err);
    } else if (y->curve_count == 1) {
        rc = iv_cells_of_curve(&y->cells, &y->curves[0], f->fine, INFINITY, err);
    } else {
        double step = (y->high - y->low) / f->points;
        /* An odd step has its edges between atoms. */
        step = discrete ? 2.0 * ceil(0.5 * step) + 1.0 : step;
        rc = sum_on_lattice(y, c, f->fine, step, err);
    }
    if (rc < 0)
        return rc;
    y->low = y->cells.edge[0] + (discrete ? 0.5 : 0.0);
    y->high = y->cells.edge[y->cells.edges - 1] - (discrete ? 0.5 : 0.0);
    y->form = IV_YIELD_CELLS;
    return IV_OK;
}

void iv_yield_by_beta(iv_yield *y)
{
    y->beta = y->curves[0];
    if (y->sd <= 1e-10 * y->mean) { /* known to more digits than a line is */
        y->beta.m = 0;
        y->beta.r = y->mean;
    }
    y->low = y->beta.r;
    y->high = y->beta.r + (double)y->beta.m;
    y->form = IV_YIELD_BETA;
}
