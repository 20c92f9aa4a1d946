/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of judges beside a reference, which several answers have. */
#ifndef IV_ANSWER_JUDGE_TABLES_H
#define IV_ANSWER_JUDGE_TABLES_H

#include "answer/agree_parts.h"
#include "intervale/estimate.h"

/* A judge to be told of. */
typedef struct iv_told_judge {
    const char *name;
    iv_judged_by is;
    double p_best;    /* that it is worth as much as the first; NaN: it is the first */
    iv_verdicts runs; /* orders of runs; of 0 systems: none */
} iv_told_judge;

/* The tables judges, confusion, calibration and drift, and their charts. */
void iv_judge_tables(iv_result *out, iv_arena *memory, const iv_told_judge *judges,
                     size_t count, iv_showing showing);

/* Notes: what only one side has, few items, scores, drift, one label for all. */
void iv_judge_notes(iv_result *out, const iv_told_judge *judges, size_t count);

/* The file's name without folder and known endings, in memory. */
const char *iv_judge_name(iv_arena *memory, const char *path);

#endif /* IV_ANSWER_JUDGE_TABLES_H */
