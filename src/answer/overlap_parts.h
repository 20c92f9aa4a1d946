/* SPDX-License-Identifier: Apache-2.0 */
/* What the answer to overlap computes, and what it tells of it. */
#ifndef IV_ANSWER_OVERLAP_PARTS_H
#define IV_ANSWER_OVERLAP_PARTS_H

#include "answer/answer_parts.h"
#include "base/parallel.h"
#include "intervale/answer/likeness.h"
#include "intervale/estimate/run_overlap.h"

enum { IV_OVERLAP_MEASURES = 7 };

/* So many pairs people read in full; of more, the rank-biased overlap. */
enum { IV_OVERLAP_FEW = 6 };

/* A pair on a topic. */
typedef struct iv_overlap_topic {
    const char *a, *b;
    iv_str topic;
    size_t pair, at_a, at_b;
    iv_overlapping x;
    bool quiet;
} iv_overlap_topic;

/* A measure of a pair over topics. */
typedef struct iv_overlap_mean {
    const char *a, *b;
    char measure[40];
    size_t topics;
    double mean, se, lower, upper;
    iv_interval_method method;
    bool quiet;
} iv_overlap_mean;

/* What would have to be judged. */
typedef struct iv_overlap_judge {
    const char *a, *b;
    size_t top, documents, only_a, only_b, moved, fewest;
} iv_overlap_judge;

typedef struct iv_overlaps {
    const iv_overlap_question *q;
    iv_asking asking;
    iv_arena memory;
    iv_run_input runs;
    char **names;
    size_t pair_count, row_count, left_out, top;
    size_t same;    /* rows: topics that a pair ranks alike */
    unsigned with;  /* columns that people see */
    size_t *a, *b;  /* of the pairs */
    size_t *first;  /* their first row; one more than pairs */
    iv_overlap_topic *rows;
    iv_overlap_mean *means; /* IV_OVERLAP_MEASURES a pair */
    iv_overlap_judge *judge;
} iv_overlaps;

/* Of a pair's means: what follows the lists matters; of deep lists the bounds are the value. */
static inline bool iv_overlap_has_bounds(const iv_overlap_mean *of_pair)
{
    return of_pair[2].mean - of_pair[1].mean >= 5e-5;
}

/* The tables, the sentence, the notes; sorts the rows, the least alike of each pair first. */
void iv_overlap_tell(iv_result *out, iv_overlaps *w, double confidence);

#endif /* IV_ANSWER_OVERLAP_PARTS_H */
