/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ref: Robinson (1982), Saddlepoint approximations for permutation tests, JRSS B
 * 44; Lugannani and Rice (1980), Advances in Applied Probability 12; Daniels (1987), International Statistical Review
 * 55, section 6, for sums on a lattice.
 */
#include "stat/paired/flips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/num_parts.h"
#include "stat/paired/significant.h"
#include "num/num_private.h"

struct iv_flips {
    double *size;         /* of the differences that are not 0 */
    size_t *cells;        /* the same, in cells */
    double *from, *to;    /* probabilities of sums, by cell */
};

iv_flips *iv_flips_new(size_t most)
{
    const size_t cells = most > IV_FLIPS_LATTICE ? most : IV_FLIPS_LATTICE;
    iv_flips *f = calloc(1, sizeof *f);

    if (f == NULL)
        return NULL;
    f->size = malloc((most + 1) * sizeof *f->size);
    f->cells = malloc((most + 1) * sizeof *f->cells);
    f->from = malloc((cells + 2) * sizeof *f->from);
    f->to = malloc((cells + 2) * sizeof *f->to);
    if (f->size != NULL && f->cells != NULL && f->from != NULL && f->to != NULL)
        return f;
    iv_flips_free(f);
    return NULL;
}

void iv_flips_free(iv_flips *f)
{
    if (f == NULL)
        return;
    free(f->size);
    free(f->cells);
    free(f->from);
    free(f->to);
    free(f);
}

/* ------------------------------------------------------------ by cells -- */

/* P(a random subset of k sizes in cells adds up to at most `last`). */
static double count_subsets(iv_flips *f, size_t k, size_t last)
{
    double sum = 0.0;
    size_t reach = 0; /* no sum is larger yet */

    f->from[0] = 1.0;
    for (size_t i = 0; i < k; i++) {
        const size_t step = f->cells[i];
        const size_t next = reach + step < last ? reach + step : last;
        for (size_t j = reach + 1; j <= next; j++)
            f->from[j] = 0.0;
        /* Halving is exact, so that probabilities of any size keep their digits. */
        for (size_t j = 0; j < step && j <= next; j++)
            f->to[j] = 0.5 * f->from[j];
        for (size_t j = step; j <= next; j++)
            f->to[j] = 0.5 * (f->from[j] + f->from[j - step]);
        double *swap = f->from;
        f->from = f->to;
        f->to = swap;
        reach = next;
    }
    for (size_t j = 0; j <= reach; j++)
        sum += f->from[j];
    return sum;
}

/* The largest number of which all sizes are multiples, if it is no smaller than
 * `least`; else 0. */
static double common_step(const double *size, size_t k, double least)
{
    const double slack = fmax(1e-6 * least, 1e-10 * size[0]); /* of rounding */
    double step = size[0];

    for (size_t i = 1; i < k && step >= least; i++) {
        double a = size[i];
        while (a > slack && step >= least) {
            const double rest = fmod(step, a);
            step = a;
            a = a - rest < slack ? 0.0 : rest;
        }
    }
    for (size_t i = 0; i < k && step >= least; i++)
        if (fabs(size[i] / step - rint(size[i] / step)) > 1e-6)
            return 0.0;
    return step >= least ? step : 0.0;
}

/* On equal cells from 0 to c: each size goes to the nearest cell, and c moves by what
 * that adds to half of all sizes, so that the middle stays where it is. */
static double on_cells(iv_flips *f, size_t k, double c)
{
    const double cell = c / (double)IV_FLIPS_CELLS;
    double added = 0.0;

    for (size_t i = 0; i < k; i++) {
        const double exact = f->size[i] / cell;
        const double near = exact < 4.0 * IV_FLIPS_CELLS ? rint(exact) : exact;
        f->cells[i] = near < (double)SIZE_MAX / 4.0 ? (size_t)near : SIZE_MAX / 4;
        if (exact <= (double)IV_FLIPS_CELLS)
            added += near - exact;
    }
    const double last = floor((double)IV_FLIPS_CELLS + 0.5 * added + 1e-9);
    return count_subsets(f, k, last > 0.0 ? (size_t)last : 0);
}

/* -------------------------------------------------------- saddle point -- */

/* exp(-2 x |d|) of each. */
static void find_decays(double *out, const double *size, size_t k, double x)
{
    for (size_t i = 0; i < k; i++) {
        const double e = -2.0 * x * size[i];
        out[i] = e > -700.0 ? e : -700.0;
    }
    iv_plain_exp_each(out, k);
}

/* K'(x) and K''(x) of S, x >= 0, where K(x) = sum of log cosh(x |d|). */
static void slopes(double *first, double *second, const double *size, const double *decay,
                   size_t k)
{
    double a = 0.0, b = 0.0;

    for (size_t i = 0; i < k; i++) {
        const double t = (1.0 - decay[i]) / (1.0 + decay[i]);
        a += size[i] * t;
        b += size[i] * size[i] * (1.0 - t * t);
    }
    *first = a;
    *second = b;
}

/*
 * The x with K'(x) = s, 0 < s < the sum of all sizes.  Newton's steps square the error:
 * after one that moves x by less than 1e-6 of it, what is left is far below the
 * approximation's own.
 */
static double saddle_at(double *decay, double variance, const double *size, size_t k, double s)
{
    double low = 0.0, high = INFINITY, x = s / variance;

    for (int i = 0; i < 200; i++) {
        double first, second;
        find_decays(decay, size, k, x);
        slopes(&first, &second, size, decay, k);
        if (first < s)
            low = x;
        else
            high = x;
        const double newton = x - (first - s) / second, before = x;
        x = newton > low && newton < high ? newton
            : isinf(high)                 ? 2.0 * x
                                          : 0.5 * (low + high);
        if (fabs(x - before) <= 1e-6 * x)
            break;
    }
    return x;
}

/* Sum of log(1 + decay): one logarithm for as many as a product can hold. */
static double sum_logs(const double *decay, size_t k)
{
    enum { FIT = 1000 };
    double sum = 0.0;

    for (size_t i = 0; i < k;) {
        const size_t end = k - i < FIT ? k : i + FIT;
        double product = 1.0;
        for (; i < end; i++)
            product *= 1.0 + decay[i];
        sum += iv_plain_log(product);
    }
    return sum;
}

/* step: of sums that are multiples of it apart, at s half of that below one of them
 * (Daniels' second continuity correction); 0: sums can be anything. */
static double by_saddle(double *decay, const double *size, size_t k, double all,
                        double variance, double s, double step)
{
    double first, second;
    const double x = saddle_at(decay, variance, size, k, s);

    find_decays(decay, size, k, x);
    slopes(&first, &second, size, decay, k);
    const double K = x * all + sum_logs(decay, k) - (double)k * 0.69314718055994530942;
    const double w = sqrt(2.0 * (x * s - K));
    const double u = (step > 0.0 ? sinh(0.5 * step * x) / (0.5 * step) : x) * sqrt(second);
    return iv_norm_sf(w)
        + 0.39894228040143267794 * iv_plain_exp(-0.5 * w * w) * (1.0 / u - 1.0 / w);
}

static double saddle_tail(double *room, const double *size, size_t k, double s, double step)
{
    const double least = iv_least_of_signs(k); /* no flip at all */
    double all = 0.0, second = 0.0;

    for (size_t i = 0; i < k; i++) {
        all += size[i];
        second += size[i] * size[i];
    }
    /* Near the middle the saddle point is 0/0; 1/2 less the density times s. */
    if (s * s < 1e-6 * second)
        return 0.5 - s / sqrt(second) * 0.39894228040143267794;
    return fmin(0.5, fmax(least, by_saddle(room, size, k, all, second, s, step)));
}

double iv_flips_saddle(double *room, const double *size, size_t k, double s)
{
    return saddle_tail(room, size, k, s, 0.0);
}

/* P(S >= the sum that differs from `all` by `last` steps turned down). */
static double stepped_saddle(iv_flips *f, size_t k, double all, double last, double step)
{
    const double s = all - 2.0 * step * last - step; /* half-way to the sum below */
    const double tail = saddle_tail(f->from, f->size, k, fabs(s), 2.0 * step);

    return s >= 0.0 ? tail : 1.0 - tail;
}

/* ------------------------------------------------------------ the tail -- */

/* P(S >= s), or P(S > s), for s >= 0. */
static double upper_tail(bool *exact, size_t k, double all, double s, bool above, iv_flips *f)
{
    const double slack = 1e-12 * all, c = fmax(0.0, 0.5 * (all - s)) + slack;
    const double least = iv_least_of_signs(k); /* no flip at all */
    /* Where nothing can be flipped, s is as large as it can be. */
    const double step = common_step(f->size, k, c / (double)IV_FLIPS_LATTICE + slack);

    if (above && s >= all - slack) { /* nothing lies beyond */
        *exact = true;
        return 0.0;
    }
    *exact = step > 0.0 && c / step < (double)IV_FLIPS_LATTICE;
    if (*exact) {
        bool alike = k > IV_FLIPS_CELLED; /* of many right or wrong answers: a binomial */
        for (size_t i = 0; i < k; i++) {
            f->cells[i] = (size_t)rint(f->size[i] / step);
            alike = alike && f->cells[i] == 1;
        }
        const double last = floor(c / step + 1e-6) - (above ? 1.0 : 0.0);
        if (alike && last >= 0.0)
            return iv_binom_sf((int64_t)k - (int64_t)last - 1, (int64_t)k, 0.5);
        if (last >= 0.0 && (double)k * last > IV_FLIPS_COUNTED) {
            *exact = false;
            return stepped_saddle(f, k, all, last, step);
        }
        return last < 0.0 ? 0.0 : count_subsets(f, k, (size_t)last);
    }
    if (k <= IV_FLIPS_CELLED)
        return fmax(least, on_cells(f, k, c));
    return iv_flips_saddle(f->from, f->size, k, s); /* nobody counts cells meanwhile */
}

size_t iv_flips_moved(const double **out, const double *d, size_t n, iv_flips *f)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (d[i] != 0.0)
            f->size[k++] = d[i];
    *out = f->size;
    return k;
}

double iv_flips_tail(bool *exact, const double *d, size_t n, bool down, iv_flips *f)
{
    double all = 0.0, s = 0.0;
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        s += d[i];
        all += fabs(d[i]);
        if (d[i] != 0.0)
            f->size[k++] = fabs(d[i]);
    }
    s = down ? -s : s;
    *exact = true;
    if (k == 0)
        return 1.0;
    if (s >= -1e-12 * all)
        return upper_tail(exact, k, all, fmax(s, 0.0), false, f);
    return 1.0 - upper_tail(exact, k, all, -s, true, f);
}
