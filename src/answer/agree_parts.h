/* SPDX-License-Identifier: Apache-2.0 */
/* Two sets of scores of the same systems on the same topics. */
#ifndef IV_ANSWER_AGREE_PARTS_H
#define IV_ANSWER_AGREE_PARTS_H

#include "base/memory.h"
#include "intervale/answer/likeness.h"

typedef struct iv_two_scores {
    size_t systems, topics;
    const char **names;
    double *a, *b; /* [system * topics + topic], all finite */
    char from_a[200], from_b[200]; /* " (nDCG@10 by qrels)", or empty: files of scores */
    const char *baseline; /* the system that the question names by its file; NULL: none */
} iv_two_scores;

/* Reads both and keeps what both have; notes what is left out. */
IV_MUST_CHECK int iv_two_scores_read(iv_two_scores *out, iv_arena *memory, iv_result *result,
                                     const iv_agree_question *q, const iv_work *work,
                                     iv_err *err);

/* Notes scores that have no bound and differ on few topics: how far others differ nobody knows. */
void iv_tell_few_differ(iv_result *out, const iv_two_scores *s);

/* How orders and verdicts change, in numbers. */
typedef struct iv_verdicts {
    iv_orders orders;
    size_t systems, pairs, flips, lost, fresh;
} iv_verdicts;

/* Reads and compares as an answer does, and tells nothing but what is left out. */
IV_MUST_CHECK int iv_verdicts_of(iv_verdicts *v, iv_result *out, const iv_agree_question *q,
                                 const iv_work *work, iv_err *err);

/* The answer about judges. */
IV_MUST_CHECK int iv_agree_judges(iv_result *out, const iv_agree_question *q,
                                  const iv_work *work, iv_err *err);

#endif /* IV_ANSWER_AGREE_PARTS_H */
