/* SPDX-License-Identifier: Apache-2.0 */
/* Corrections for having made many tests. */
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/names.h"
#include "stat/paired/paired_parts.h"

typedef struct placed {
    double p;
    size_t place;
} placed;

static int by_p(const void *a, const void *b)
{
    const double x = ((const placed *)a)->p, y = ((const placed *)b)->p;

    return (x > y) - (x < y);
}

/*
 * If k systems fall into groups that are alike, how many pairs are alike?  Sums of
 * j (j - 1) / 2 over groups of j that make k.  Fills `possible` for 0 ... m.  With
 * more systems than this almost every number is possible, and Holm's is as good.
 */
enum { SYSTEMS_MOST = 200 };

static bool find_possible(bool *possible, size_t k, size_t m)
{
    bool *sets = calloc((k + 1) * (m + 1), sizeof *sets);

    if (sets == NULL)
        return false;
    sets[0] = true;
    for (size_t n = 1; n <= k; n++)
        for (size_t j = 1; j <= n; j++) {
            const bool *from = sets + (n - j) * (m + 1);
            const size_t add = j * (j - 1) / 2, last = (n - j) * (n - j) / 2;
            for (size_t s = 0; s <= last && s + add <= m; s++)
                if (from[s])
                    sets[n * (m + 1) + s + add] = true;
        }
    memcpy(possible, sets + k * (m + 1), (m + 1) * sizeof *possible);
    free(sets);
    return true;
}

/* The largest number of pairs that may be alike when `left` are not yet told apart. */
static int shaffer(placed *sorted, size_t tests, size_t m, iv_err *err)
{
    const size_t k = (size_t)((1.0 + sqrt(1.0 + 8.0 * (double)m)) / 2.0 + 0.5);
    bool *possible = malloc((m + 1) * sizeof *possible);
    double so_far = 0.0;

    if (possible == NULL || (k <= SYSTEMS_MOST && !find_possible(possible, k, m))) {
        free(possible);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    for (size_t i = 0; i < tests; i++) {
        size_t left = tests - i;
        while (k <= SYSTEMS_MOST && left > 1 && !possible[left])
            left--;
        so_far = fmax(so_far, fmin(1.0, sorted[i].p * (double)left));
        sorted[i].p = so_far;
    }
    free(possible);
    return IV_OK;
}

/* Steps through the sorted p-values; adjusted ones never fall along them. */
static void step(placed *sorted, size_t m, iv_correction correction)
{
    const double all = (double)m;

    if (correction == IV_CORRECT_HOLM) {
        double so_far = 0.0;
        for (size_t i = 0; i < m; i++) {
            so_far = fmax(so_far, fmin(1.0, sorted[i].p * (double)(m - i)));
            sorted[i].p = so_far;
        }
    } else if (correction == IV_CORRECT_BH) {
        double so_far = 1.0;
        for (size_t i = m; i-- > 0;) {
            so_far = fmin(so_far, sorted[i].p * all / (double)(i + 1));
            sorted[i].p = so_far;
        }
    } else if (correction == IV_CORRECT_BONFERRONI) {
        for (size_t i = 0; i < m; i++)
            sorted[i].p = fmin(1.0, sorted[i].p * all);
    }
}

IV_NAMES(iv_correction_names, "auto", "none", "bonferroni", "holm", "bh", "tukey", "shaffer")

static bool is_triangular(size_t m)
{
    const size_t k = (size_t)((1.0 + sqrt(1.0 + 8.0 * (double)m)) / 2.0 + 0.5);

    return k * (k - 1) / 2 == m;
}

int iv_adjust(double *adjusted, const double *p, size_t m, iv_correction correction,
              iv_err *err)
{
    IV_TRY(iv_check_list(p, m, "p", err));
    IV_TRY(iv_check_choice(correction, iv_correction_names(), "the correction", err));
    placed *sorted;
    size_t tests = 0;

    if (correction == IV_CORRECT_TUKEY || correction == IV_CORRECT_AUTO)
        return iv_fail(err, IV_EARG, correction == IV_CORRECT_AUTO
                       ? "which correction fits cannot be told from p-values"
                       : "Tukey's correction needs the scores, not p-values");
    if (correction == IV_CORRECT_SHAFFER && !is_triangular(m))
        return iv_fail(err, IV_EARG, "Shaffer's correction is for all pairs of systems, and %zu "
                       "p-values are not as many", m);
    sorted = malloc((m + 1) * sizeof *sorted);
    if (sorted == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < m; i++) {
        if (!isnan(p[i]))
            sorted[tests++] = (placed){ p[i], i };
        adjusted[i] = p[i];
    }
    if (tests > 0)
        qsort(sorted, tests, sizeof *sorted, by_p);
    step(sorted, tests, correction);
    const int rc = correction == IV_CORRECT_SHAFFER ? shaffer(sorted, tests, m, err) : IV_OK;
    for (size_t i = 0; i < tests; i++)
        adjusted[sorted[i].place] = fmax(adjusted[sorted[i].place], sorted[i].p); /* 3 p / 3 */
    free(sorted);
    return rc;
}
