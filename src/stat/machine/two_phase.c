/* SPDX-License-Identifier: Apache-2.0 */
/* The regression estimator of two-phase sampling, and tests of how units were selected. */
#include "base/err.h"
#include "base/memory.h"
#include "num/dist.h"
#include "num/linear.h"
#include "num/logit.h"
#include "stat/machine/regression_mean.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------- regression estimator -- */

/* The sum of products of deviations. */
static double products(const double *x, const double *y, size_t n)
{
    const double mx = iv_average(x, n), my = iv_average(y, n);
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mx) * (y[i] - my);
    return sum;
}

static int check(const double *human, size_t judged, const double *automatic, size_t units,
                 iv_err *err)
{
    if (judged < IV_TWO_PHASE_LEAST)
        return iv_fail(err, IV_ENODATA, "%zu units with human values, expected %d or more",
                       judged, IV_TWO_PHASE_LEAST);
    if (units < judged)
        return iv_fail(err, IV_EARG, "%zu units, expected %zu or more", units, judged);
    for (size_t i = 0; i < units; i++)
        if (!isfinite(automatic[i]) || (i < judged && !isfinite(human[i])))
            return iv_fail(err, IV_EARG, "unit %zu has a value that is not finite", i);
    return IV_OK;
}

int iv_regression_mean_of(iv_regression_mean *out, const double *human, size_t judged,
                          const double *automatic, size_t units, bool fixed, iv_err *err)
{
    IV_TRY(check(human, judged, automatic, units, err));
    const double n = (double)judged, T = (double)units;
    const double xx = products(human, human, judged);
    const double zz = products(automatic, automatic, judged);
    const double xz = products(human, automatic, judged);
    const double all = iv_average(automatic, units), some = iv_average(automatic, judged);
    const double left = fixed ? 1.0 - n / T : 1.0;
    const double human_se = sqrt(left * xx / (n - 1.0) / n);
    iv_regression_mean m = { .human = iv_average(human, judged), .human_se = human_se,
                             .human_df = n - 1.0,
                             .rho = xx > 0.0 && zz > 0.0 ? xz / sqrt(xx * zz) : (double)NAN };

    m.value = m.human;
    m.se = m.human_se;
    m.df = m.human_df;
    if (zz > 0.0 && units > judged) {
        const double spread = products(automatic, automatic, units) / (T - 1.0);
        m.slope = xz / zz;
        m.df = n - 2.0;
        m.value += m.slope * (all - some);
        const double residual = fmax(0.0, xx - m.slope * xz) / m.df;
        double variance = residual * (1.0 / n - 1.0 / T + (all - some) * (all - some) / zz);
        if (!fixed)
            variance += (m.slope * m.slope * spread + residual) / T;
        m.se = sqrt(variance);
    }
    *out = m;
    return IV_OK;
}

void iv_student_limits(double *lower, double *upper, double value, double se, double df,
                       bool bounded, double confidence)
{
    const double half = iv_t_isf(0.5 * (1.0 - confidence), df) * se;

    *lower = value - half;
    *upper = value + half;
    if (!bounded || !isfinite(half))
        return;
    if (value > 0.0 && value < 1.0)
        iv_logit_wald(lower, upper, value, half);
    *lower = fmin(fmax(*lower, 0.0), 1.0);
    *upper = fmin(fmax(*upper, 0.0), 1.0);
}

/* ---------------------------------------------------------- selection -- */

/* One random sample in 10,000 is refused by chance. */
static const double refused_at = 0.0001;

/* Joins groups until every one has at least 5 sampled and 5 not sampled ones expected, as the
 * chi-squared test needs (Cochran 1954, Biometrics 10): out[g] is the new group.  Returns how many
 * there are. */
static size_t join_groups(size_t *out, const size_t *population, const size_t *sampled,
                          size_t strata, size_t groups)
{
    size_t count = 0;
    double drawn = 0.0, rest = 0.0;

    for (size_t g = 0; g < groups; g++) {
        out[g] = count;
        for (size_t s = 0; s < strata; s++) {
            double n = 0.0, N = 0.0;
            for (size_t k = 0; k < groups; k++) {
                n += (double)sampled[s * groups + k];
                N += (double)population[s * groups + k];
            }
            const double here = N > 0.0 ? (double)population[s * groups + g] * n / N : 0.0;
            drawn += here;
            rest += (double)population[s * groups + g] - here;
        }
        if (drawn >= 5.0 && rest >= 5.0) {
            count++;
            drawn = rest = 0.0;
        }
    }
    for (size_t g = groups; g-- > 0 && count > 0 && out[g] == count;)
        out[g] = count - 1; /* what is left goes with the last */
    return count;
}

/* Adds a stratum's observed less expected counts, and their covariances: hypergeometric. */
static void add_stratum(double *off, double *covariance, const double *N, const double *n,
                        size_t groups)
{
    double all = 0.0, drawn = 0.0;

    for (size_t g = 0; g < groups; g++) {
        all += N[g];
        drawn += n[g];
    }
    if (!(all > 1.0) || !(drawn > 0.0))
        return;
    const double scale = drawn * (all - drawn) / (all * all * (all - 1.0));
    for (size_t a = 0; a < groups; a++) {
        off[a] += n[a] - drawn * N[a] / all;
        for (size_t b = 0; b < groups; b++)
            covariance[a * groups + b] += scale * N[a] * ((a == b ? all : 0.0) - N[b]);
    }
}

/* The quadratic form over all groups but the last, in place of which the others speak. */
static bool quadratic(double *out, double *off, const double *covariance, double *half,
                      size_t groups)
{
    const size_t n = groups - 1;

    for (size_t a = 0; a < n; a++)
        memcpy(half + a * n, covariance + a * groups, n * sizeof *half);
    if (!iv_cholesky(half, n))
        return false;
    iv_solve_lower(half, off, n);
    *out = iv_dot(off, off, n);
    return true;
}

int iv_selection_test_of(double *statistic, double *df, const size_t *population,
                         const size_t *sampled, size_t strata, size_t groups, iv_err *err)
{
    iv_arena own = { 0 };
    size_t *to = iv_take(&own, groups + 1, sizeof *to);
    int rc = iv_taken(&own, err);
    size_t count = 0;

    *statistic = *df = 0.0;
    if (rc == IV_OK)
        count = join_groups(to, population, sampled, strata, groups);
    double *room = iv_take(&own, (count + 3) * (2 * count + 3), sizeof *room);
    rc = rc == IV_OK ? iv_taken(&own, err) : rc;
    if (rc == IV_OK && count > 1) {
        double *off = room, *N = off + count, *n = N + count, *covariance = n + count;
        for (size_t s = 0; s < strata; s++) {
            memset(N, 0, 2 * count * sizeof *N);
            for (size_t g = 0; g < groups; g++) {
                N[to[g]] += (double)population[s * groups + g];
                n[to[g]] += (double)sampled[s * groups + g];
            }
            add_stratum(off, covariance, N, n, count);
        }
        if (quadratic(statistic, off, covariance, covariance + count * count, count))
            *df = (double)count - 1.0;
    }
    iv_arena_free(&own);
    return rc;
}

bool iv_selection_uneven(double statistic, double df)
{
    return df > 0.0 && statistic > iv_chisq_isf(refused_at, df);
}

bool iv_selection_even(double statistic, double df)
{
    return df > 0.0 && statistic < iv_chisq_isf(1.0 - refused_at, df);
}
