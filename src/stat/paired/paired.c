/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of one pair of systems: randomisation, sign, Wilcoxon and t; power of the sign test.
 *
 * Ref: Robinson (1982), Saddlepoint approximations for permutation tests, JRSS B
 * 44; Lugannani and Rice (1980), Advances in Applied Probability 12; Daniels (1987), International
 * Statistical Review 55, section 6, for sums on a lattice.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/ties.h"
#include "num/dist.h"
#include "num/plain_math.h"
#include "stat/pair_tests.h"
#include "stat/paired/familywise.h"
#include "stat/paired/flips.h"
#include "stat/paired/pair_p.h"
#include "stat/sign_power.h"

#include <math.h>
#include <stdlib.h>

struct iv_flips {
    double *size;         /* of the differences that are not 0 */
    size_t *cells;        /* the same, in cells */
    double *from, *to;    /* probabilities of sums, by cell */
};

iv_flips *iv_flips_new(iv_arena *own, size_t most)
{
    const size_t cells = most > IV_FLIPS_LATTICE ? most : IV_FLIPS_LATTICE;
    iv_flips *f = iv_take(own, 1, sizeof *f);

    if (f == NULL)
        return NULL;
    f->size = iv_take(own, most + 1, sizeof *f->size);
    f->cells = iv_take(own, most + 1, sizeof *f->cells);
    f->from = iv_take(own, cells + 2, sizeof *f->from);
    f->to = iv_take(own, cells + 2, sizeof *f->to);
    return own->failed ? NULL : f;
}

/* ------------------------------------------------------------ by cells -- */

/* P(a random subset of k sizes in cells adds up to at most `last`); from and to have room for as
 * many cells. */
static double count_subsets(double *from, double *to, const size_t *cells, size_t k, size_t last)
{
    double sum = 0.0;
    size_t low = 0, reach = 0; /* sums below low stay below last, whatever follows: they are in
                                  `sum`; none is larger than reach yet */
    size_t rest = 0;

    for (size_t i = 0; i < k; i++)
        rest += cells[i] <= last ? cells[i] : last + 1;
    from[0] = 1.0;
    for (size_t i = 0; i < k; i++) {
        const size_t step = cells[i];
        const size_t next = reach + step < last ? reach + step : last;
        for (size_t j = reach + 1; j <= next; j++)
            from[j] = 0.0;
        /* Halving is exact, so that probabilities of any size keep their digits. */
        for (size_t j = low; j < low + step && j <= next; j++)
            to[j] = 0.5 * from[j];
        for (size_t j = low + step; j <= next; j++)
            to[j] = 0.5 * (from[j] + from[j - step]);
        double *swap = from;
        from = to;
        to = swap;
        reach = next;
        rest -= step <= last ? step : last + 1;
        while (low <= reach && low + rest <= last)
            sum += from[low++];
    }
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
    return count_subsets(f->from, f->to, f->cells, k, last > 0.0 ? (size_t)last : 0);
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

/* P(S >= s) of k sizes by the saddle point, 0 < s < their sum; room is for k numbers. */
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
        return last < 0.0 ? 0.0 : count_subsets(f->from, f->to, f->cells, k, (size_t)last);
    }
    if (k <= IV_FLIPS_CELLED)
        return fmax(least, on_cells(f, k, c));
    return saddle_tail(f->from, f->size, k, s, 0.0); /* nobody counts cells meanwhile */
}

/* P(S >= sum of d), or of -d when `down`; *exact: counted without rounding. */
static double flips_tail(bool *exact, const double *d, size_t n, bool down, iv_flips *f)
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

/* --------------------------------------------------------- randomisation -- */

/*
 * Fisher's randomisation test for pairs: flips of signs.
 *
 * With few topics all 2^n flips are counted: the sums of either half of the
 * topics are listed in order, and two fingers walk the lists in opposite
 * directions.  With more, flips.h has the tail of their distribution.
 *
 * Ref: Fisher (1935), The Design of Experiments, section 21; Smucker, Allan
 * and Carterette (2007), CIKM, for retrieval.
 */

/* ------------------------------------------------------ all of them -- */

/* Lists all sums of +-d[i], ascending; both arrays have room for 2^n. */
static double *list_sums(double *sums, double *scratch, const double *d, size_t n)
{
    size_t count = 1;

    sums[0] = 0.0;
    for (size_t i = 0; i < n; i++, count *= 2) {
        const double step = fabs(d[i]);
        size_t low = 0, high = 0;
        for (size_t k = 0; k < 2 * count; k++) {
            if (high == count || (low < count && sums[low] - step <= sums[high] + step))
                scratch[k] = sums[low++] - step;
            else
                scratch[k] = sums[high++] + step;
        }
        double *swap = sums;
        sums = scratch;
        scratch = swap;
    }
    return sums;
}

/* How many of x + y (x, y in ascending lists) are at least `bound`? */
static uint64_t count_at_least(const double *x, size_t nx, const double *y, size_t ny,
                               double bound)
{
    uint64_t count = 0;
    size_t from = ny; /* y[from...] reach the bound with the x at hand */

    for (size_t i = 0; i < nx; i++) {
        while (from > 0 && x[i] + y[from - 1] >= bound)
            from--;
        count += ny - from;
    }
    return count;
}

static int exact_flips(iv_test *out, const double *d, size_t n, double sum,
                       iv_alternative alternative, iv_err *err)
{
    const size_t half = n / 2, nx = (size_t)1 << half, ny = (size_t)1 << (n - half);
    double *room = malloc(2 * (nx + ny) * sizeof *room);

    if (room == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const double *x = list_sums(room, room + nx, d, half);
    const double *y = list_sums(room + 2 * nx, room + 2 * nx + ny, d + half, n - half);
    const double all = (double)nx * (double)ny, slack = iv_slack_of(d, n) * (double)n;
    /* The distribution is symmetric: the lower tail is an upper one. */
    const double seen = alternative == IV_LESS ? -sum
        : alternative == IV_GREATER ? sum : fabs(sum);
    const double tail = (double)count_at_least(x, nx, y, ny, seen - slack) / all;
    out->p = alternative != IV_TWO_SIDED ? tail : seen > slack ? 2.0 * tail : 1.0;
    out->exact = true;
    free(room);
    return IV_OK;
}

/* ------------------------------------------------------------ the test -- */

/* More topics: the tail is computed.  See flips.h. */
static void computed_flips(iv_test *out, const double *d, size_t n, double sum,
                           iv_alternative alternative, iv_flips *f)
{
    const bool down = alternative == IV_LESS || (alternative == IV_TWO_SIDED && sum < 0.0);
    const double tail = flips_tail(&out->exact, d, n, down, f);

    out->p = alternative != IV_TWO_SIDED ? tail
        : fabs(sum) > iv_slack_of(d, n) * (double)n ? fmin(1.0, 2.0 * tail) : 1.0;
}

int iv_randomise(iv_test *out, const double *d, size_t n, iv_alternative alternative,
                 iv_flips *f, iv_err *err)
{
    iv_test test = { .used = n };
    double sum = 0.0;
    size_t k = 0; /* a topic of 0 flips to itself */
    int rc = IV_OK;

    if (n == 0) {
        *out = iv_no_test(0, "no topics");
        return IV_OK;
    }
    for (size_t t = 0; t < n; t++) {
        sum += d[t];
        if (d[t] != 0.0)
            f->size[k++] = d[t];
    }
    test.statistic = sum / (double)n;
    if (k <= IV_FLIPS_LISTED)
        rc = exact_flips(&test, f->size, k, sum, alternative, err);
    else
        computed_flips(&test, d, n, sum, alternative, f);
    if (rc == IV_OK)
        *out = test;
    return rc;
}

/* -------------------------------------------------------------- wilcoxon -- */

/*
 * Wilcoxon's signed-rank test.
 *
 * Under the hypothesis each rank carries a plus or a minus with probability
 * one half, whatever the ranks are, so that the distribution of their sum is a
 * product of two-point distributions also when there are ties.  Midranks are
 * multiples of one half: twice the sum is a whole number, and its distribution
 * a convolution over 0 .. n (n + 1).
 *
 * Ref: Wilcoxon (1945), Biometrics Bulletin 1, 80-83; Pratt (1959), JASA 54,
 * 655-667, for zeros.
 */

typedef struct ranked {
    double size; /* |difference|; the first, by which it is sorted */
    bool win;
    uint32_t twice_rank;
} ranked;

/* Gives midranks to what is sorted by size. */
static void give_ranks(ranked *r, size_t n)
{
    for (size_t first = 0; first < n;) {
        size_t last = first;
        while (last + 1 < n && r[last + 1].size == r[first].size)
            last++;
        for (size_t i = first; i <= last; i++)
            r[i].twice_rank = (uint32_t)(first + last + 2);
        first = last + 1;
    }
}

/* The normal form with R's continuity correction of one half. */
static double normal_p(double w, double mean, double sd, iv_alternative alternative)
{
    const double z = w - mean;

    if (alternative == IV_GREATER)
        return iv_norm_sf((z - 0.5) / sd);
    if (alternative == IV_LESS)
        return iv_norm_cdf((z + 0.5) / sd);
    const double towards = z > 0.0 ? 0.5 : z < 0.0 ? -0.5 : 0.0;
    return fmin(1.0, 2.0 * iv_norm_sf(fabs(z - towards) / sd));
}

/*
 * The variance of the sum is a quarter of the sum of squared ranks, which
 * holds the corrections for ties and for zeros that were ranked.  The first `zeros`
 * of all have size 0 and leave.
 */
static int test_ranked(iv_test *out, const ranked *all, size_t count, size_t zeros,
                       iv_alternative alternative, iv_err *err)
{
    const ranked *r = all + zeros;
    const size_t n = count - zeros;
    size_t seen = 0, sum = 0;
    double squares = 0.0;

    for (size_t i = 0; i < n; i++) {
        const double rank = 0.5 * r[i].twice_rank;
        sum += r[i].twice_rank;
        seen += r[i].win ? r[i].twice_rank : 0;
        squares += rank * rank;
    }
    *out = (iv_test){ 0.0, 0.5 * (double)seen, n, n <= IV_WILCOXON_EXACT, NULL };
    if (out->exact) {
        /* Of twice the ranks; the distribution is symmetric.  Halvings of up to 50 are exact. */
        size_t twice[IV_WILCOXON_EXACT];
        double *chance = malloc(2 * (sum + 1) * sizeof *chance);
        if (chance == NULL)
            return iv_no_memory(err);
        double *other = chance + sum + 1;
        for (size_t i = 0; i < n; i++)
            twice[i] = r[i].twice_rank;
        out->p = iv_tail_p(count_subsets(chance, other, twice, n, seen),
                           count_subsets(chance, other, twice, n, sum - seen), alternative);
        free(chance);
    } else {
        out->p = normal_p(0.5 * (double)seen, 0.25 * (double)sum, 0.5 * sqrt(squares),
                          alternative);
    }
    return IV_OK;
}

int iv_wilcoxon_test(iv_test *out, const double *d, size_t n, iv_zeros zeros,
                     iv_alternative alternative, iv_err *err)
{
    ranked *r = malloc((n + 1) * sizeof *r);
    size_t count = 0, none = 0;
    int rc = IV_OK;

    if (r == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++) {
        if (d[i] == 0.0 && zeros == IV_ZEROS_DROP)
            continue;
        none += d[i] == 0.0;
        r[count++] = (ranked){ fabs(d[i]), d[i] > 0.0, 0 };
    }
    if (count > 0)
        qsort(r, count, sizeof *r, iv_ascending);
    give_ranks(r, count);
    if (count == none)
        *out = iv_no_test(0, "no topic on which the two differ");
    else
        rc = test_ranked(out, r, count, none, alternative, err);
    free(r);
    return rc;
}

/* ---------------------------------------------------------------- paired -- */

/* Descriptions and the tests whose distribution has a closed form. */

IV_NAMES(iv_alternative_names, "two-sided", "greater", "less")

IV_NAMES(iv_sign_ties_names, "discard", "split")

IV_NAMES(iv_zeros_names, "drop", "rank")

iv_test iv_no_test(size_t used, const char *why)
{
    return (iv_test){ (double)NAN, (double)NAN, used, false, why };
}

double iv_tail_p(double lower, double upper, iv_alternative alternative)
{
    if (alternative == IV_GREATER)
        return upper;
    if (alternative == IV_LESS)
        return lower;
    return fmin(1.0, 2.0 * fmin(lower, upper));
}

double iv_t_p(double t, double df, iv_alternative alternative)
{
    const double tail = iv_t_sf(alternative == IV_TWO_SIDED ? fabs(t)
                                : alternative == IV_LESS ? -t : t, df);

    return alternative == IV_TWO_SIDED ? fmin(1.0, 2.0 * tail) : tail;
}

iv_differences iv_describe_differences(const double *d, size_t n)
{
    iv_differences out = { .n = n, .sd = (double)NAN, .effect = (double)NAN,
                           .skewness = (double)NAN };
    double sum = 0.0, squares = 0.0, cubes = 0.0;
    bool constant = true;

    for (size_t i = 0; i < n; i++) {
        constant = constant && d[i] == d[0];
        out.wins += d[i] > 0.0;
        out.ties += d[i] == 0.0;
        out.losses += d[i] < 0.0;
        sum += d[i];
    }
    out.mean = sum / (double)n;
    /* n times d over n may differ from d in the last digit: no spread then. */
    if (n > 0 && constant)
        out.mean = d[0];
    for (size_t i = 0; i < n; i++) {
        const double e = d[i] - out.mean;
        squares += e * e;
        cubes += e * e * e;
    }
    if (n > 1) {
        out.sd = sqrt(squares / (double)(n - 1));
        if (out.sd > 0.0) {
            const double s = sqrt(squares / (double)n);
            out.effect = out.mean / out.sd;
            out.skewness = cubes / (double)n / s / s / s;
        }
    }
    return out;
}

iv_test iv_sign_test(const double *d, size_t n, iv_sign_ties ties,
                     iv_alternative alternative)
{
    const iv_differences k = iv_describe_differences(d, n);
    const size_t half = ties == IV_TIES_SPLIT ? k.ties / 2 : 0;
    const int64_t wins = (int64_t)(k.wins + half);
    const int64_t used = (int64_t)(k.wins + k.losses + 2 * half);

    if (used == 0)
        return iv_no_test(0, "no topic on which the two differ");
    const double lower = iv_binom_cdf(wins, used, 0.5);
    const double upper = iv_binom_sf(wins - 1, used, 0.5);
    return (iv_test){ iv_tail_p(lower, upper, alternative), (double)wins, (size_t)used,
                      true, NULL };
}

iv_test iv_t_test(iv_differences k, iv_alternative alternative)
{
    if (k.n < 2)
        return iv_no_test(k.n, "fewer than two topics");
    if (!(k.sd > 0.0))
        return iv_no_test(k.n, "all differences are equal");
    const double df = (double)(k.n - 1);
    const double t = k.mean / (k.sd / sqrt((double)k.n));
    return (iv_test){ iv_t_p(t, df, alternative), t, k.n, true, NULL };
}

size_t iv_pair_count(size_t systems)
{
    return systems * (systems - (systems > 0)) / 2;
}

size_t iv_pair_index(size_t systems, size_t a, size_t b)
{
    return a * (2 * systems - a - 1) / 2 + (b - a - 1);
}

void iv_pair_at(size_t *a, size_t *b, size_t systems, size_t place)
{
    size_t i = 0;

    while (i + 2 < systems && iv_pair_index(systems, i + 1, i + 2) <= place)
        i++;
    *a = i;
    *b = i + 1 + place - iv_pair_index(systems, i, i + 1);
}

/*
 * Ref: Tango (1998), Statistics in Medicine 17, 891-908; Hsueh, Liu and Chen (2001), Biometrics
 * 57, 478-483, for the exact unconditional test.
 */

/*
 * How far the difference seen is above d, by the standard error that it would have then: with the
 * share of losses that is most likely if the difference is d.  Falls as d grows.
 */
static double score(const iv_share_counts *s, double d)
{
    const double n = s->items, b = s->wins, c = s->losses;
    const double y = (2.0 * n - b + c) * d - b - c, w = c * d * (1.0 - d);
    const double lost = (sqrt(fmax(0.0, y * y + 8.0 * n * w)) - y) / (4.0 * n);
    const double variance = n * (2.0 * lost + d * (1.0 - d)), above = b - c - n * d;

    if (fabs(d) < 1.0 && variance > 1e-14)
        return above / sqrt(variance);
    return fabs(above) > 1e-12 * n ? copysign(INFINITY, above) : 0.0;
}

double iv_shares_p(const iv_share_counts *s, double from, iv_alternative side)
{
    const double at = fmin(1.0, fmax(-1.0, from));
    const double z = side == IV_LESS ? -score(s, at) : score(s, at);

    return isinf(s->df) ? iv_norm_sf(z) : iv_t_sf(z, s->df);
}

/*
 * Outcomes of n items whose score above a difference d is `seen` or more, and how probable they
 * are where a share `won` is won and won - d lost.  The score rises with wins and falls with
 * losses: fewest[c] wins are enough beside c losses, n - c + 1 if none are.
 */
static void find_outcomes(int64_t *fewest, int64_t n, double d, double seen)
{
    const double slack = 1e-9;
    int64_t b = 0;

    for (int64_t c = 0; c <= n; c++) {
        iv_share_counts x = { (double)b, (double)c, (double)n, INFINITY };
        while (b <= n - c && score(&x, d) < seen - slack)
            x.wins = (double)++b;
        fewest[c] = b < n - c + 1 ? b : n - c + 1;
    }
}

/* The sum of pmf, whose value at `from` is given, over from, from + step, ... to `to`. */
static double sum_terms(double at, double odds, int64_t n, int64_t from, int64_t to, int step)
{
    double sum = 0.0;

    for (int64_t b = from; at > 1e-18 && (to - b) * step >= 0; b += step) {
        sum += at;
        at *= step > 0 ? odds * (double)(n - b) / (double)(b + 1)
                       : (double)b / (odds * (double)(n - b + 1));
    }
    return sum;
}

static double probability(const int64_t *fewest, int64_t n, double d, double won)
{
    const double least = 1e-15; /* far from what any sum would show */
    const double lost = fmax(least, won - d), rest = fmax(least, 1.0 - won - lost);
    const double share = fmax(least, won) / (fmax(least, won) + rest);
    double sum = 0.0;

    for (int64_t c = 0; c <= n; c++) {
        const int64_t left = n - c, few = fewest[c];
        const double these = iv_binom_log_pmf(c, n, lost);
        if (few > left || these < -35.0)
            continue;
        const int64_t most = (int64_t)((double)(left + 1) * share); /* the likeliest */
        const int64_t from = most < few ? few : most > left ? left : most;
        const double at = exp(these + iv_binom_log_pmf(from, left, share));
        const double odds = share / (1.0 - share);
        sum += sum_terms(at, odds, left, from, left, 1)
             + (from > few ? sum_terms(at, odds, left, from, few, -1) - at : 0.0);
    }
    return sum;
}

/* At x from 0 to 1 of the shares of wins that a difference d leaves, on the scale of angles. */
static double probability_at(const int64_t *fewest, int64_t n, double d, double x)
{
    const double low = fmax(0.0, d), high = 0.5 * (1.0 + d), angle = sin(acos(0.0) * x);

    return probability(fewest, n, d, low + (high - low) * angle * angle);
}

/* The height of the peak between two such points, by golden section. */
static double peak_between(const int64_t *fewest, int64_t n, double d, double from, double to)
{
    enum { ROUNDS = 12 };
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double x = to - golden * (to - from), y = from + golden * (to - from);
    double at_x = probability_at(fewest, n, d, x), at_y = probability_at(fewest, n, d, y);

    for (int round = 0; round < ROUNDS; round++) {
        if (at_x > at_y) {
            to = y;
            y = x;
            at_y = at_x;
            x = to - golden * (to - from);
            at_x = probability_at(fewest, n, d, x);
        } else {
            from = x;
            x = y;
            at_x = at_y;
            y = from + golden * (to - from);
            at_y = probability_at(fewest, n, d, y);
        }
    }
    return fmax(at_x, at_y);
}

/*
 * The largest probability that any share of wins gives such outcomes if the difference is d: an
 * exact test.  Looked for on a grid, finer near the ends, where few items decide, and then
 * between the neighbours of each of its peaks.
 */
static double exact_p(int64_t n, double d, double seen)
{
    enum { GRID = 48 };
    double grid[GRID + 3] = { 0.0 }, best = 0.0; /* 0 beyond either end */
    int64_t fewest[IV_SHARES_EXACT + 1];

    find_outcomes(fewest, n, d, seen);
    for (int k = 0; k <= GRID; k++)
        grid[k + 1] = probability_at(fewest, n, d, (double)k / GRID);
    for (int k = 0; k <= GRID; k++) {
        const double at = grid[k + 1], before = grid[k], behind = grid[k + 2];
        if (at > before && at >= behind)
            best = fmax(fmax(best, at), peak_between(fewest, n, d, fmax(0.0, (k - 1.0) / GRID),
                                                     fmin(1.0, (k + 1.0) / GRID)));
    }
    return fmin(1.0, best);
}

double iv_shares_beyond(const iv_share_counts *s, double from, iv_alternative side)
{
    const double p = iv_shares_p(s, from, side);
    const iv_share_counts turned = { s->losses, s->wins, s->items, s->df };

    if (!isinf(s->df) || s->items > IV_SHARES_EXACT || !(fabs(from) < 1.0))
        return p;
    const iv_share_counts *x = side == IV_LESS ? &turned : s;
    const double d = side == IV_LESS ? -from : from;
    return fmax(p, exact_p((int64_t)s->items, d, score(x, d)));
}

double iv_shares_critical(int64_t n, double d, double level)
{
    enum { HALVINGS = 7 };
    double low = iv_norm_isf(level), step = 0.125, high = low;

    while (n <= IV_SHARES_EXACT && exact_p(n, d, high) >= level) {
        low = high;
        high += step;
        step *= 2.0;
        if (high > 40.0)
            return INFINITY;
    }
    for (int i = 0; i < HALVINGS && high > low; i++) {
        const double middle = 0.5 * (low + high);
        *(exact_p(n, d, middle) < level ? &high : &low) = middle;
    }
    return high;
}

int iv_shares_power(double *out, int64_t n, double from, double critical, double difference,
                    double discordant, iv_err *err)
{
    iv_arena own = { 0 };
    int64_t *fewest = iv_take(&own, (size_t)n + 1, sizeof *fewest);
    const int rc = iv_taken(&own, err);

    if (rc == IV_OK) {
        find_outcomes(fewest, n, from, critical);
        *out = isinf(critical) ? 0.0
            : probability(fewest, n, difference, 0.5 * (discordant + difference));
    }
    iv_arena_free(&own);
    return rc;
}

/* Where the score passes z, between two differences. */
static double passes(const iv_share_counts *s, double z, double low, double high)
{
    enum { HALVINGS = 52 };

    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (score(s, middle) > z)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

void iv_shares_limits(double *lower, double *upper, const iv_share_counts *s, double tail)
{
    const double z = isinf(s->df) ? iv_norm_isf(tail) : iv_t_isf(tail, s->df);
    const double seen = (s->wins - s->losses) / s->items;

    *lower = seen > -1.0 ? passes(s, z, -1.0, seen) : -1.0;
    *upper = seen < 1.0 ? passes(s, -z, seen, 1.0) : 1.0;
}

/*
 * Power of the sign test.
 *
 * Ref: Carterette and Smucker (2007), Hypothesis testing with incomplete
 * relevance judgments, CIKM, sections 3.1 and 3.4.
 */

static bool outside(int64_t n, double alpha)
{
    return n < 1 || n > INT64_C(1) << 53 || !(alpha > 0.0 && alpha < 1.0);
}

int64_t iv_sign_critical(int64_t n, double alpha)
{
    if (outside(n, alpha))
        return -1;
    /* The least k with P(wins > k) <= alpha is one below, or two if equal. */
    int64_t c = iv_binom_isf(alpha, n, 0.5) + 1;
    while (c <= n && !(iv_binom_sf(c - 1, n, 0.5) < alpha))
        c++;
    while (c > 0 && iv_binom_sf(c - 2, n, 0.5) < alpha)
        c--;
    return c;
}

double iv_sign_power(int64_t n, double h, double alpha, iv_alternative alternative)
{
    if (outside(n, alpha) || !(h >= -1.0 && h <= 1.0))
        return (double)NAN;
    const double theta = 0.5 * (1.0 + h);
    const int64_t c = iv_sign_critical(n, alternative == IV_TWO_SIDED ? 0.5 * alpha : alpha);
    const double above = iv_binom_sf(c - 1, n, theta);
    const double below = iv_binom_cdf(n - c, n, theta);
    return alternative == IV_GREATER ? above : alternative == IV_LESS ? below : above + below;
}

double iv_sign_power_normal(int64_t n, double h, double alpha)
{
    if (outside(n, alpha) || !(h >= -1.0 && h <= 1.0))
        return (double)NAN;
    return iv_norm_cdf(iv_norm_quantile(alpha) + h * sqrt((double)n));
}

double iv_sign_effect_normal(int64_t n, double power, double alpha)
{
    if (outside(n, alpha) || !(power > 0.0 && power < 1.0))
        return (double)NAN;
    return (iv_norm_quantile(power) - iv_norm_quantile(alpha)) / sqrt((double)n);
}

static double sharpness(double certainty)
{
    return certainty >= 0.5 && certainty <= 1.0 ? 2.0 * certainty - 1.0 : (double)NAN;
}

double iv_uncertain_effect(double h, double certainty)
{
    return h >= -1.0 && h <= 1.0 ? h * sharpness(certainty) : (double)NAN;
}

double iv_uncertain_topics(double n, double certainty)
{
    const double s = sharpness(certainty);

    return n >= 0.0 ? n / (s * s) : (double)NAN;
}

double iv_sign_power_finite(int64_t n, int64_t wins, int64_t ties, int64_t losses,
                            double alpha)
{
    const int64_t most = INT64_C(1) << 50;
    double power = 0.0;

    if (outside(n, alpha) || wins < 0 || ties < 0 || losses < 0 || wins > most
        || ties > most || losses > most || n > wins + ties + losses)
        return (double)NAN;
    /* Given how many ties were drawn, wins among the rest are hypergeometric. */
    for (int64_t k = 0; k <= ties && k < n; k++) {
        const int64_t used = n - k;
        const double chance = exp(iv_hyper_log_pmf(k, wins + ties + losses, ties, n));
        if (chance > 0.0)
            power += chance * iv_hyper_sf(iv_sign_critical(used, alpha) - 1, wins + losses,
                                          wins, used);
    }
    return power;
}
