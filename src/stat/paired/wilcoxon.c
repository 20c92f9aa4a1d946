/* SPDX-License-Identifier: Apache-2.0 */
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
#include <stdlib.h>

#include "base/checking.h"
#include "stat/paired/paired_parts.h"
#include "num/num_private.h"
#include "stat/paired_private.h"

typedef struct ranked {
    double size; /* |difference| */
    bool win;
    uint32_t twice_rank;
} ranked;

static int by_size(const void *a, const void *b)
{
    const double x = ((const ranked *)a)->size, y = ((const ranked *)b)->size;

    return (x > y) - (x < y);
}

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

/*
 * P(twice the sum <= seen) and P(>= seen) by convolution; `chance` has room for
 * the largest sum + 1.
 */
static void exact_tails(double *lower, double *upper, const ranked *r, size_t n,
                        size_t seen, double *chance)
{
    size_t largest = 0;

    chance[0] = 1.0;
    for (size_t i = 0; i < n; i++) {
        const size_t step = r[i].twice_rank;
        for (size_t s = largest + 1; s <= largest + step; s++)
            chance[s] = 0.0;
        largest += step;
        for (size_t s = largest + 1; s-- > 0;)
            chance[s] = 0.5 * (chance[s] + (s >= step ? chance[s - step] : 0.0));
    }
    *lower = *upper = 0.0;
    for (size_t s = 0; s <= seen; s++)
        *lower += chance[s];
    for (size_t s = largest + 1; s-- > seen;)
        *upper += chance[s];
    *lower = fmin(*lower, 1.0);
    *upper = fmin(*upper, 1.0);
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
        double lower, upper;
        double *chance = malloc((sum + 1) * sizeof *chance);
        if (chance == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        exact_tails(&lower, &upper, r, n, seen, chance);
        free(chance);
        out->p = iv_tail_p(lower, upper, alternative);
    } else {
        out->p = normal_p(0.5 * (double)seen, 0.25 * (double)sum, 0.5 * sqrt(squares),
                          alternative);
    }
    return IV_OK;
}

int iv_wilcoxon_test(iv_test *out, const double *d, size_t n, iv_zeros zeros,
                     iv_alternative alternative, iv_err *err)
{
    IV_TRY(iv_check_list(d, n, "difference", err));
    IV_TRY(iv_check_choice(zeros, iv_zeros_names(), "what to do with zeros", err));
    IV_TRY(iv_check_choice(alternative, iv_alternative_names(), "the alternative", err));
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
        qsort(r, count, sizeof *r, by_size);
    give_ranks(r, count);
    if (count == none)
        *out = iv_no_test(0, "no topic on which the two differ");
    else
        rc = test_ranked(out, r, count, none, alternative, err);
    free(r);
    return rc;
}
