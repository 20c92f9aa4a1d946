/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences put together from parts: p-values, percentages, intervals, claims. */
#ifndef IV_RESULT_WORDING_H
#define IV_RESULT_WORDING_H

#include "base/listing.h"

/* Text that grows up to its end and is cut there; {0} is empty. */
typedef struct iv_wording {
    char at[2400];
    size_t len;
} iv_wording;

void iv_say(iv_wording *w, const char *fmt, ...) IV_PRINTF(2, 3);

/* "p = 0.0123", "p = 1.2e-05", "no p-value: reason". */
#define IV_P_LEAST 1e-16 /* a smaller p is "< 1e-16" */
void iv_say_p(iv_wording *w, double p, const char *why);

/* "0.0123"; never 0 or 1, which no sample can tell: "less than 0.0001", "more than
 * 0.9999".  Returns out. */
enum { IV_PROBABILITY_SIZE = 32 };
const char *iv_probability(char out[IV_PROBABILITY_SIZE], double p);

/* " (95 % interval 0.301 to 0.436)"; "" where there are no limits.  Returns out. */
enum { IV_SPAN_SIZE = 96 };
const char *iv_span(char out[IV_SPAN_SIZE], double confidence, double lower, double upper);

/* "82 %", "0.15 %", "99.97 %"; with more digits where it would otherwise read as `other` (NaN:
 * none), or lie beyond it.  A target is told with itself: with all digits, as it was given. */
const char *iv_percent(char out[IV_FIGURE_SIZE], double x, double other);

/* The same of a limit that holds: a lower one is rounded down, an upper one up. */
const char *iv_percent_limit(char out[IV_FIGURE_SIZE], double x, double other, bool upper);
/* Of what is no percentage, with so many digits behind the point if it is below 1, fewer above. */
const char *iv_figure(char out[IV_FIGURE_SIZE], int digits, double x, double other);

/* " and N others", or the name of the second (NULL: not known), where `equal` others have the value
 * of the best.  Returns out. */
enum { IV_EQUALS_SIZE = 240 };
const char *iv_say_equals(char out[IV_EQUALS_SIZE], size_t equal, const char *second);

/* "" or "s". */
const char *iv_plural(uint64_t n);

#endif
