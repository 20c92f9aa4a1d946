/* SPDX-License-Identifier: Apache-2.0 */
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
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stat/recall/recall_yield.h"

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
        iv_curve *curves = iv_grow(y->curves, &y->curve_capacity, count, sizeof *curves);
        if (curves == NULL)
            return iv_fail(err, IV_ENOMEM, "no memory for %zu strata", count);
        y->curves = curves;
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
    const int rc = sum_atoms(y, c, err);

    if (rc < 0)
        return rc;
    if (y->atoms.count + 1 > y->above_capacity) {
        double *above = iv_grow(y->above, &y->above_capacity, y->atoms.count + 1,
                                sizeof *above);
        if (above == NULL)
            return iv_fail(err, IV_ENOMEM, "no memory for %zu atoms", y->atoms.count);
        y->above = above;
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
    double *p = iv_grow(out->p, &out->capacity, points, sizeof *p);
    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu points", points);
    out->p = p;
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
