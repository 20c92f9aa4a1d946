/* SPDX-License-Identifier: Apache-2.0 */
/* Corrections for having made many tests. */
#include <stdlib.h>

#include "base/checking.h"
#include "base/names.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired_private.h"

typedef struct placed {
    double p;
    size_t place;
} placed;

static int by_p(const void *a, const void *b)
{
    const double x = ((const placed *)a)->p, y = ((const placed *)b)->p;

    return (x > y) - (x < y);
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

IV_NAMES(iv_correction_names, "auto", "none", "bonferroni", "holm", "bh", "tukey")

int iv_adjust(double *adjusted, const double *p, size_t m, iv_correction correction,
              iv_err *err)
{
    IV_TRY(iv_check_list(p, m, "p", err));
    IV_TRY(iv_check_choice(correction, iv_correction_names(), "the correction", err));
    placed *sorted;
    size_t tests = 0;

    if (correction == IV_CORRECT_TUKEY || correction == IV_CORRECT_AUTO)
        return iv_fail(err, IV_EARG, correction == IV_CORRECT_AUTO
                       ? "p-values do not say which correction fits"
                       : "Tukey's correction needs the scores, not p-values");
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
    for (size_t i = 0; i < tests; i++)
        adjusted[sorted[i].place] = fmax(adjusted[sorted[i].place], sorted[i].p); /* 3 p / 3 */
    free(sorted);
    return IV_OK;
}
