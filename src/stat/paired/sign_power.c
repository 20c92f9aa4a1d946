/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power of the sign test.
 *
 * Ref: Carterette and Smucker (2007), Hypothesis testing with incomplete
 * relevance judgments, CIKM, sections 3.1 and 3.4.
 */

#include <math.h>

#include "num/num_private.h"
#include "stat/stat_private.h"

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
