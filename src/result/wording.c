/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences put together from parts: p-values, percentages, intervals, claims. */
#include "base/listing.h"
#include "result/wording.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

const char *iv_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void iv_say(iv_wording *w, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const int n = vsnprintf(w->at + w->len, sizeof w->at - w->len, fmt, args);
    va_end(args);
    w->len += n > 0 ? (size_t)n : 0;
    if (w->len >= sizeof w->at)
        w->len = sizeof w->at - 1;
}

void iv_say_p(iv_wording *w, double p, const char *why)
{
    if (isnan(p))
        iv_say(w, "no p-value%s%s", why != NULL ? ": " : "", why != NULL ? why : "");
    else if (p < IV_P_LEAST)
        iv_say(w, "p < %.0e", IV_P_LEAST);
    else if (p < 0.0001)
        iv_say(w, "p = %.1e", p);
    else
        iv_say(w, "p = %.*f", p < 0.001 ? 5 : p < 0.1 ? 4 : 2, p);
}

const char *iv_probability(char out[IV_PROBABILITY_SIZE], double p)
{
    if (p > 0.9995)
        (void)snprintf(out, IV_PROBABILITY_SIZE, "more than 0.999");
    else if (p < 0.0005)
        (void)snprintf(out, IV_PROBABILITY_SIZE, "less than 0.001");
    else
        (void)snprintf(out, IV_PROBABILITY_SIZE, "%.3f", p);
    return out;
}

const char *iv_say_equals(char out[IV_EQUALS_SIZE], size_t equal, const char *second)
{
    out[0] = '\0';
    if (equal == 1 && second != NULL)
        (void)snprintf(out, IV_EQUALS_SIZE, " and %.200s", second);
    else if (equal > 0)
        (void)snprintf(out, IV_EQUALS_SIZE, " and %zu other%s", equal, iv_plural(equal));
    return out;
}

const char *iv_span(char out[IV_SPAN_SIZE], double confidence, double lower, double upper)
{
    out[0] = '\0';
    if (isfinite(lower))
        (void)snprintf(out, IV_SPAN_SIZE, " (%.10g %% interval %.3f to %.3f)", 100.0 * confidence,
                       lower, upper);
    return out;
}

/* ------------------------------------------------------ numbers in words -- */

/* Which way a figure is rounded: to the nearest, down or up. */
typedef enum rounding { NEAREST, DOWN, UP } rounding;

static double round_to(int digits, double x, rounding way)
{
    const double unit = pow(10.0, digits), units = x * unit;
    const double whole = way == DOWN ? floor(units + 1e-7)
                         : way == UP ? ceil(units - 1e-7) : rint(units);

    return whole / unit + 0.0; /* of -0: 0 */
}

/* With so many digits, and more as long as it lies beyond `other` (NaN: there is none), or on it,
 * and x does not. */
static const char *figure(char out[IV_FIGURE_SIZE], int digits, double x, double other,
                          rounding way, const char *unit)
{
    enum { MOST = 9 };
    double is = round_to(digits, x, way);

    if (fabs(x - other) < 1e-10) { /* as it was given */
        (void)snprintf(out, IV_FIGURE_SIZE, "%.10g%s", other, unit);
        return out;
    }
    while (digits < MOST && !isnan(other) && !((is - other) * (x - other) > 0.0))
        is = round_to(++digits, x, way);
    (void)snprintf(out, IV_FIGURE_SIZE, "%.*f%s", digits, is, unit);
    return out;
}

static const char *percent(char out[IV_FIGURE_SIZE], double x, double other, rounding way)
{
    const double away = fmin(fabs(x), fabs(1.0 - x)); /* from 0 or 1 */
    int digits = 0;

    if (isnan(x)) {
        (void)snprintf(out, IV_FIGURE_SIZE, "unknown");
        return out;
    }
    const bool whole = fabs(100.0 * x - rint(100.0 * x)) < 1e-9;
    while (digits < 6 && away > 0.0 && !whole
           && 100.0 * away * pow(10.0, digits) < (x < 0.5 ? 9.95 : 0.995))
        digits++;
    return figure(out, digits, 100.0 * x, 100.0 * other, way, " %");
}

const char *iv_percent(char out[IV_FIGURE_SIZE], double x, double other)
{
    return percent(out, x, other, NEAREST);
}

const char *iv_percent_limit(char out[IV_FIGURE_SIZE], double x, double other, bool upper)
{
    return percent(out, x, other, upper ? UP : DOWN);
}

const char *iv_figure(char out[IV_FIGURE_SIZE], int digits, double x, double other)
{
    const double size = fmin(fmax(fabs(x), 0.1), 1e9);

    return figure(out, (int)fmax(0.0, digits - 1 - floor(log10(size))), x, other, NEAREST, "");
}
