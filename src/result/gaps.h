/* SPDX-License-Identifier: Apache-2.0 */
/* Values of groups of items in an answer: their tables, the sentence and the gate. */
#ifndef IV_RESULT_GAPS_H
#define IV_RESULT_GAPS_H

#include "base/memory.h"
#include "intervale/result/decisions.h"
#include "intervale/result/result_tables.h"
#include "intervale/trec/gold_labels.h"
#include "result/wording.h"
#include "stat/group_gaps.h"

/* A measure of a system in the groups of a column. */
typedef struct iv_gap_family {
    const iv_item_groups *groups;
    const char *system, *measure;
    bool is_rate;              /* at a threshold: people see it beside the headline's measure */
    iv_group_value *of, *rest; /* by group; `rest`: of all items that are in other groups */
    size_t reference;          /* filled in: gaps are to this group; SIZE_MAX: to the rest */
    iv_largest_gap largest;    /* filled in */
} iv_gap_family;

/* What is in groups: of an evaluation. */
typedef struct iv_gaps {
    iv_gap_family *families;
    size_t count, items;
    const bool *positive; /* by item; NULL: items have no such label */
    const char *headline; /* the measure of the sentence and of the gate */
    const char *best;     /* the system of the sentence; NULL: there is one only */
    const iv_gaps_asked *asked;
    double confidence;
    bool all;             /* people see all measures, not only that of the headline */
} iv_gaps;

/* Finds the reference and the largest gaps.  Refuses a reference that no column has. */
IV_MUST_CHECK int iv_gaps_find(const iv_gaps *g, iv_err *err);

/* The claim that no gap in the headline's measure is as large as asked->most; nothing if 0. */
IV_MUST_CHECK int iv_gaps_claim(iv_result *out, iv_wording *w, const iv_gaps *g, iv_err *err);

/* Tables gaps and groups, a chart, messages, and a sentence behind the answer. */
IV_MUST_CHECK int iv_gaps_put(iv_result *out, const iv_gaps *g, iv_err *err);

#endif
