/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement of judges, assessors and rankings: what its answers share. */
#ifndef IV_LABELS_AGREE_H
#define IV_LABELS_AGREE_H

#include "base/memory.h"
#include "intervale/labels.h"
#include "labels/judge.h"

/* How rankings and verdicts change, in numbers. */
typedef struct iv_verdicts {
    iv_orders orders;
    size_t systems, pairs, same, flips, lost, fresh, order; /* the last five: pairs by verdict */
} iv_verdicts;

/* The answers about rankings, judges, and several assessors. */
IV_MUST_CHECK int iv_agree_assessors(iv_result *out, const iv_agree_question *q,
                                     const iv_work *work, iv_err *err);

/* Judges in a table of scores, with labels by people of some or without. */
IV_MUST_CHECK int iv_agree_scores(iv_result *out, const iv_agree_question *q, const iv_work *work,
                                  iv_err *err);

/* A judge as a row of the tables. */
typedef struct iv_judge_summary {
    const char *name;
    iv_judge judge;
    double p_best;    /* that it is worth as much as the first; NaN: it is the first */
    iv_verdicts runs; /* orders of runs; of 0 systems: none */
} iv_judge_summary;

/* The tables judges, confusion, calibration and drift, and their charts. */
void iv_judge_tables(iv_result *out, iv_arena *memory, const iv_judge_summary *judges,
                     size_t count, iv_showing showing);

/* Notes: what only one side has, few items, scores, drift, one label for all. */
void iv_judge_notes(iv_result *out, const iv_judge_summary *judges, size_t count);

/* The file's name without folder and known endings, in memory. */
const char *iv_judge_name(iv_arena *memory, const char *path);

#endif
