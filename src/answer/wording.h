/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences put together from parts. */
#ifndef IV_ANSWER_WORDING_H
#define IV_ANSWER_WORDING_H

#include "intervale/base.h"

/* Text that grows up to its end and is cut there; {0} is empty. */
typedef struct iv_wording {
    char at[2400];
    size_t len;
} iv_wording;

void iv_say(iv_wording *w, const char *fmt, ...) IV_PRINTF(2, 3);

/* "p = 0.0123", "p = 1.2e-05", "no p-value (reason)". */
void iv_say_p(iv_wording *w, double p, const char *why);

/* "0.0123"; never 0 or 1, which no sample can tell: "less than 0.0001", "more than
 * 0.9999".  Returns out. */
enum { IV_PROBABILITY_SIZE = 32 };
const char *iv_probability(char out[IV_PROBABILITY_SIZE], double p);

/*
 * "a, b and 3 more": names one after the other, of which the first `most` are
 * said; iv_say_more() says the rest.
 */
void iv_say_name(iv_wording *w, size_t number, size_t most, iv_str name);
void iv_say_more(iv_wording *w, size_t count, size_t most);

#endif /* IV_ANSWER_WORDING_H */
