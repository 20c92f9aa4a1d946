/* SPDX-License-Identifier: Apache-2.0 */

#include <math.h>

#include "base/checking.h"
#include "base/equal_means.h"
#include "num/num_private.h"
#include "stat/reproduction_private.h"

static double square_of(double x) { return x * x; }

int iv_reproduced_rmse(iv_reproduced *out, const double *original, const double *again,
                       size_t n, double confidence, iv_err *err)
{
    IV_TRY(iv_check_list(original, n, "value", err));
    IV_TRY(iv_check_list(again, n, "value", err));
    if (confidence != 0.0 && !(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(original[i]) || !isfinite(again[i]))
            return iv_fail(err, IV_EARG, "a score is not finite, expected all to be");
    const double N = (double)n, c = confidence == 0.0 ? 0.95 : confidence;
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++)
        mean += square_of(original[i] - again[i]) / N;
    for (size_t i = 0; i < n; i++)
        squares += square_of(square_of(original[i] - again[i]) - mean);
    *out = (iv_reproduced){ sqrt(mean), (double)NAN, (double)NAN };
    if (n > 1 && squares > 1e-24 * N * mean * mean) { /* else all are as large as each other */
        const double half = iv_t_isf(0.5 * (1.0 - c), N - 1.0) * sqrt(squares / (N - 1.0) / N);
        out->lower = sqrt(fmax(0.0, mean - half));
        out->upper = sqrt(mean + half);
    }
    return IV_OK;
}

void iv_reproduced_effect(iv_reproduced *ratio, iv_reproduced *change, const double *baseline,
                          const double *advanced, const double *baseline_again,
                          const double *advanced_again, size_t n, double confidence)
{
    const double c = confidence == 0.0 ? 0.95 : confidence, N = (double)n;
    const double t = n > 1 ? iv_t_isf(0.5 * (1.0 - c), N - 1.0) : NAN;
    double b = 0.0, a = 0.0, b2 = 0.0, a2 = 0.0, xx = 0.0, xy = 0.0, yy = 0.0, square = 0.0;

    for (size_t i = 0; i < n; i++) {
        b += baseline[i] / N;
        a += advanced[i] / N;
        b2 += baseline_again[i] / N;
        a2 += advanced_again[i] / N;
    }
    const double x = iv_true_difference(a - b, fmax(iv_slack_of(baseline, n),
                                                    iv_slack_of(advanced, n)));
    const double y = iv_true_difference(a2 - b2, fmax(iv_slack_of(baseline_again, n),
                                                      iv_slack_of(advanced_again, n)));
    for (size_t i = 0; i < n; i++) {
        const double dx = advanced[i] - baseline[i] - x;
        const double dy = advanced_again[i] - baseline_again[i] - y;
        /* What the topic moves the difference of the two ratios of means. */
        const double moves = (advanced[i] - a / b * baseline[i]) / b
            - (advanced_again[i] - a2 / b2 * baseline_again[i]) / b2;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
        square += moves * moves;
    }
    const double scale = t * t / (N * (N - 1.0));
    /* Fieller: the ratios r for which y - r x is not significant. */
    const double p = x * x - scale * xx, q = x * y - scale * xy, r = y * y - scale * yy;
    const double root = sqrt(fmax(q * q - p * r, 0.0));
    *ratio = p > 0.0 ? (iv_reproduced){ y / x, (q - root) / p, (q + root) / p }
                     : (iv_reproduced){ x != 0.0 ? y / x : NAN, NAN, NAN };
    const double change_now = a / b - a2 / b2, half = sqrt(scale * square);
    *change = (iv_reproduced){ change_now, change_now - half, change_now + half };
}
