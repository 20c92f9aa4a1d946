/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all questions have in common: what cannot be meant is refused before anything is
 * read, an answer that fails leaves the result as it was, and a progress function that
 * said stop is not asked again.
 */
#ifndef IV_ANSWER_ASKING_H
#define IV_ANSWER_ASKING_H

#include "intervale/estimate.h"

/* A part of a question that a caller can get wrong. */
typedef struct iv_part {
    enum {
        IV_IS_SOURCE,   /* iv_source */
        IV_IS_TEXTS,    /* iv_texts without NULL */
        IV_IS_PATHS,    /* iv_texts without NULL or "" */
        IV_IS_NAMES,    /* iv_texts without NULL or "", each once */
        IV_IS_PATH,     /* const char *, NULL or not "" */
        IV_IS_INTEGERS, /* iv_integers */
        IV_IS_REALS,    /* iv_reals without NaN */
        IV_IS_REAL,     /* double, not NaN */
        IV_IS_CHOICE    /* an enum, as many values as names */
    } kind;
    size_t at; /* in the question */
    const char *what;
    const char *const *(*names)(void);
} iv_part;

#define IV_PART_OF(T, member, is, what) { IV_IS_##is, offsetof(T, member), what, NULL }
#define IV_CHOICE_OF(T, member, names, what) \
    { IV_IS_CHOICE, offsetof(T, member), what, names }

/* The parts of an iv_evaluating. */
#define IV_EVALUATING_PARTS(T, member)                                              \
    IV_PART_OF(T, member.measures, TEXTS, "measure"),                               \
    IV_CHOICE_OF(T, member.measure.dialect, iv_dialect_names, "the dialect"),       \
    IV_CHOICE_OF(T, member.interval, iv_interval_names, "the interval of means"),   \
    IV_CHOICE_OF(T, member.estimator, iv_estimator_names, "the estimator"),         \
    IV_CHOICE_OF(T, member.unjudged, iv_unjudged_names, "what to do with unjudged documents")

typedef struct iv_asking {
    const iv_part *parts;
    size_t count;
    int (*answer)(iv_result *out, const void *question, const iv_work *work, iv_err *err);
    bool keeps; /* what was found of files, also when one of them cannot be read */
} iv_asking;

#define IV_ASKING(parts, ...) &(iv_asking){ parts, sizeof parts / sizeof *parts, __VA_ARGS__ }

IV_MUST_CHECK int iv_ask(iv_result *out, const void *question, const iv_asking *how,
                         const iv_work *work, iv_err *err);

#endif /* IV_ANSWER_ASKING_H */
