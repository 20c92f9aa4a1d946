/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_parts.h"

#include <math.h>
#include <stdarg.h>

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
        iv_say(w, "no p-value (%s)", why != NULL ? why : "none");
    else if (p < IV_P_LEAST)
        iv_say(w, "p < %.0e", IV_P_LEAST);
    else if (p < 0.0001)
        iv_say(w, "p = %.1e", p);
    else
        iv_say(w, "p = %.*f", p < 0.001 ? 5 : p < 0.1 ? 4 : 2, p);
}

const char *iv_probability(char out[IV_PROBABILITY_SIZE], double p)
{
    if (p > 0.99995)
        (void)snprintf(out, IV_PROBABILITY_SIZE, "more than 0.9999");
    else if (p < 0.00005)
        (void)snprintf(out, IV_PROBABILITY_SIZE, "less than 0.0001");
    else
        (void)snprintf(out, IV_PROBABILITY_SIZE, "%.4f", p);
    return out;
}

void iv_say_name(iv_wording *w, size_t number, size_t most, iv_str name)
{
    if (number < most)
        iv_say(w, "%s%.*s", number > 0 ? ", " : "", name.len < 40 ? (int)name.len : 40,
               name.ptr);
}

void iv_say_more(iv_wording *w, size_t count, size_t most)
{
    if (count > most)
        iv_say(w, " and %zu more", count - most);
}

void iv_tell_limit(iv_result *out, double error)
{
    if (error > 0.0)
        iv_result_note(out, "bootstrap intervals of so many topics are those of infinitely many "
                       "resamples, by their normal limit corrected for skewness: a probability "
                       "is off by %.2g at most (Berry and Esseen)", error);
}
