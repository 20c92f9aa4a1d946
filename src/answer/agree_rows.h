/* SPDX-License-Identifier: Apache-2.0 */
/* What agree finds of two sets of scores, and how it is told. */
#ifndef IV_ANSWER_AGREE_ROWS_H
#define IV_ANSWER_AGREE_ROWS_H

#include "answer/agree_parts.h"

typedef struct iv_agree_order {
    const char *measure;
    iv_order_likeness x;
} iv_agree_order;

typedef struct iv_agree_system {
    const char *system;
    double a, b;
    size_t rank_a, rank_b;
    int64_t moved;
    iv_reproduced rmse;
} iv_agree_system;

typedef struct iv_agree_pair {
    const char *x, *y, *verdict;
    double a, p_a, b, p_b;
    bool quiet;
} iv_agree_pair;

typedef struct iv_agree_effect {
    const char *system, *baseline;
    double a, b;
    iv_reproduced ratio, change;
} iv_agree_effect;

typedef struct iv_agreeing {
    const iv_agree_question *q;
    iv_arena memory;
    iv_two_scores s;
    double confidence, slack_a, slack_b; /* by which means differ that are equal but for rounding */
    iv_orders orders;
    iv_agree_system *systems;
    iv_agree_pair *pairs;
    size_t pair_count;
    size_t same, flips, lost, fresh, order; /* pairs by verdict */
    iv_agree_effect *effects;
    size_t effect_count, baseline;
} iv_agreeing;

/* The sentence, tables and notes. */
void iv_agree_tell(iv_result *out, iv_agreeing *g);

#endif /* IV_ANSWER_AGREE_ROWS_H */
