/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and numbers in a sentence: "a, b and 3 more". */
#ifndef IV_BASE_LISTING_H
#define IV_BASE_LISTING_H

#include "intervale/base.h"

/* Start from {0}, or { .most = 3 }. */
typedef struct iv_listing {
    size_t most;  /* that are named; 0: 5 */
    size_t count; /* that were added */
    size_t used;
    char text[1024];
} iv_listing;

/* Adds an item, as it is or in single quotes. */
void iv_list(iv_listing *l, const char *fmt, ...) IV_PRINTF(2, 3);
void iv_list_quoted(iv_listing *l, iv_str s);

/* The list so far, borrowed; "" when it is empty. */
const char *iv_listed(iv_listing *l);

/* A count with separators, "232,000".  Returns out. */
enum { IV_FIGURE_SIZE = 32 };
const char *iv_thousands(char out[IV_FIGURE_SIZE], double count);
#define IV_COUNT(n) iv_thousands((char[IV_FIGURE_SIZE]){ 0 }, (double)(n))

/* Numbers that round to 0 have no sign: "-0.0000" becomes "0.0000". */
void iv_drop_signs(char *text);

#endif
