/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a request becomes an answer: what is refused, what is kept, and the shared columns of
 * tables.
 */
#ifndef IV_RESULT_ANSWERING_H
#define IV_RESULT_ANSWERING_H

#include "base/arguments.h"
#include "base/memory.h"
#include "result/result_build.h"

/* Keeps an object until the answer is made: IV_TRY(IV_KEEP(out, judgments, j, err)). */
#define IV_KEEP(out, T, object, err) iv_keep(iv_result_own(out), object, iv_end_##T, err)

/* A table of an array: IV_TABLE(out, "runs", fields, rows, count, .showing = IV_FOLDED). */
#define IV_TABLE(out, table, list, rows, ...)                                      \
    iv_result_rows(out, &(iv_rows){ .name = table, .fields = list, .at = rows,     \
                                    .size = sizeof *(rows), .count = __VA_ARGS__ })

/* The two columns of an interval, members lower and upper of what stands before: `limits.` */
#define IV_LIMITS_NAMED(T, prefix, of, digits_, whom)                 \
    { prefix "lower", IV_AT(T, of lower), .digits = digits_, .audience = whom, \
      .about = "lower limit of the interval" },                      \
    { prefix "upper", IV_AT(T, of upper), .digits = digits_, .audience = whom, \
      .about = "upper limit of the interval" }
#define IV_LIMITS_FOR(T, of, digits_, whom) IV_LIMITS_NAMED(T, "", of, digits_, whom)
#define IV_LIMITS(T, of, digits_) IV_LIMITS_FOR(T, of, digits_, IV_FOR_ALL)

/* Of a difference: people read the limits that allow for all pairs, programs have both kinds. */
#define IV_PAIR_LIMITS(T, of, all, digits_)                                                      \
    { "lower", IV_AT(T, of lower), .digits = digits_, .audience = IV_FOR_PROGRAMS,                 \
      .about = "lower limit for this pair alone (for all pairs: lower_adjusted)" },               \
    { "upper", IV_AT(T, of upper), .digits = digits_, .audience = IV_FOR_PROGRAMS,                 \
      .about = "upper limit for this pair alone (for all pairs: upper_adjusted)" },               \
    { "lower_shown", IV_AT(T, all lower_adjusted), .digits = digits_, .heading = "lower",          \
      .audience = IV_FOR_PEOPLE, .about = "lower limit, simultaneous for all pairs" },            \
    { "upper_shown", IV_AT(T, all upper_adjusted), .digits = digits_, .heading = "upper",          \
      .audience = IV_FOR_PEOPLE, .about = "upper limit, simultaneous for all pairs" }
#define IV_ADJUSTED_LIMITS(T, all, digits_)                                                      \
    { "lower_adjusted", IV_AT(T, all lower_adjusted), .digits = digits_,                           \
      .audience = IV_FOR_PROGRAMS, .about = "lower limit, simultaneous for all pairs" },          \
    { "upper_adjusted", IV_AT(T, all upper_adjusted), .digits = digits_,                           \
      .audience = IV_FOR_PROGRAMS, .about = "upper limit, simultaneous for all pairs" }

/*
 * What all questions have in common: what cannot be meant is refused before anything is
 * read, an answer that fails leaves the result as it was, and a progress function that
 * said stop is not asked again.
 */

typedef struct iv_answering {
    const iv_part *parts;
    size_t count;
    int (*answer)(iv_result *out, const void *question, const iv_work *work, iv_err *err);
    const char *uses; /* methods, when the answer names none itself; NULL: it does, or needs none */
    bool keeps; /* what was found of files, also when one of them cannot be read */
} iv_answering;

#define IV_ANSWERING(parts, ...) \
    &(iv_answering){ parts, sizeof parts / sizeof *parts, __VA_ARGS__ }

/* What tables have above two limits: "95 % interval", or "one-sided 95 % limits". */
void iv_name_limits(iv_result *out, double confidence, bool one_sided);

IV_MUST_CHECK int iv_answer_with(iv_result *out, const void *question, const iv_answering *how,
                         const iv_work *work, iv_err *err);

#endif
