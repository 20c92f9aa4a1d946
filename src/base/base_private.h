/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of base beside what programs do. */
#ifndef IV_BASE_BASE_PRIVATE_H
#define IV_BASE_BASE_PRIVATE_H

#include "intervale/base.h"

/* Hands an error on to the caller: copies it to err (which may be NULL) and returns
 * its code. */
int iv_fail_as(iv_err *err, const iv_err *why);

void iv_result_input(iv_result *r, const char *path, uint64_t bytes);

/* A note on how to read what is shown, or how it was made: pages have it beside the tables. */
void iv_result_legend(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/* A legend of what only people's columns have, such as stars: for text, markdown and latex. */
void iv_result_key(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

bool iv_result_wants_charts(const iv_result *r);

/* Wants the tables of `showing` and those before it in iv_showing, or only the one
 * that is named ("": only the first); and charts or not.  See iv_report_wish(). */
void iv_result_wish(iv_result *r, const char *table, iv_showing showing, bool charts);

/* SIZE_MAX: none */
iv_cell iv_table_cell(const iv_table *t, size_t row, size_t column);

/* Is it what people call a row of totals or means: "Total", "all", "average"? */
bool iv_is_summary_word(iv_str name);

/* The SHA-256 (FIPS 180-4) of len bytes in hexadecimal, terminated.  Returns out.  Takes
 * time linear in len; allocates nothing. */
const char *iv_sha256(char out[IV_SHA256_SIZE], const void *bytes, size_t len);

/* The SHA-256 of the file of that name, borrowed; NULL when it was not read. */
const char *iv_digests_find(const iv_digests *d, const char *path);

/* The digest of bytes that come one after another. */
typedef struct iv_sha256_state {
    uint32_t h[8];
    uint64_t len;
    unsigned char held[64]; /* less than a block */
} iv_sha256_state;
void iv_sha256_begin(iv_sha256_state *s);
void iv_sha256_add(iv_sha256_state *s, const void *bytes, size_t len);
const char *iv_sha256_end(char out[IV_SHA256_SIZE], const iv_sha256_state *s);

/* Adds a file's digest to the list, unless it is there; from any thread. */
IV_MUST_CHECK int iv_digests_put(iv_digests *d, const char *path, const char *sha256, iv_err *err);

/* Which means are equal but for rounding. */

/* Statistics of numbers up to 1 that are this close are equal: the order of
 * adding makes less of a difference. */
#define IV_SLACK 1e-12

/* The same for means of numbers like these, in whatever unit they are.  Passes over NaN. */
double iv_slack_of(const double *x, size_t count);

/* Gives means that are no further than slack below another the value of that one: systems
 * that tie are tied.  IV_ENOMEM only. */
IV_MUST_CHECK int iv_tie_means(double *means, size_t count, double slack, iv_err *err);

/* A difference of means, 0 where it is rounding's. */
static inline double iv_true_difference(double difference, double slack)
{
    return difference > slack || difference < -slack ? difference : 0.0;
}

/*
 * One lock for the few lines that threads of a loop may not run at once.  Nothing that waits, and
 * no function of the caller, belongs between the two calls.  A child of fork() finds it free.
 */

void iv_lock(void);
void iv_unlock(void);

/* UTF-8 one character at a time, for whoever must show bytes to a person. */

/*
 * Decodes the character that begins at s.ptr[at] (at < s.len) into *code and
 * returns how many bytes it takes, or 0 when no valid character begins there
 * (overlong forms and surrogates are not valid); *code is then the byte.
 */
size_t iv_utf8_next(uint32_t *code, iv_str s, size_t at);

/* Would a terminal act on it?  C0, DEL, C1, and the bidirectional overrides. */
bool iv_is_control(uint32_t code);

/* Would a spreadsheet take it for the beginning of a formula, whatever byte separates cells
 * there?  prev: the byte before it, '\0' at the beginning. */
bool iv_starts_formula(char c, char prev);

#endif /* IV_BASE_BASE_PRIVATE_H */
