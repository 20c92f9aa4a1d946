/* SPDX-License-Identifier: Apache-2.0 */
/* Reads scores, and makes the tables of their sets, variance parts, design and errors. */
#ifndef IV_SCORES_SCORE_TABLES_H
#define IV_SCORES_SCORE_TABLES_H

#include "base/arguments.h"
#include "base/memory.h"
#include "intervale/result/result_tables.h"
#include "intervale/stat/comparisons.h"
#include "intervale/stat/structured_means.h"
#include "intervale/stat/variance_parts.h"
#include "result/cautions.h"
#include "scores/score_values.h"

/* Are degrees of freedom too few?  Those of equal clusters are whole numbers but for rounding. */
static inline bool iv_few_degrees(double df) { return df < iv_caution_at(IV_FEW_FREEDOMS) - 1e-6; }

/* What is checked of scores that a question asks of. */
#define IV_SCORES_PARTS(T, of)                                           \
    IV_PART_OF(T, of from.files, PATHS, "file of scores"),               \
    IV_PART_OF(T, of from.columns, TEXTS, "name of a column"),           \
    IV_PART_OF(T, of set_weights, TEXTS, "weight of a set"),             \
    IV_PART_OF(T, of lower, TEXTS, "measure of which lower is better"),  \
    IV_CHOICE_OF(T, of sets, iv_sets_names, "what sets are")

/*
 * Reads and lays out, with what there is to say of the files.  measures: none: `all` of them, or
 * else one. *scored starts as zeros; what it takes is kept while the answer is made.
 */
IV_MUST_CHECK int iv_scored_read(iv_scored *scored, const iv_score_input *asked,
                                    const iv_texts *measures, bool all, bool complete,
                                    iv_result *out, const iv_work *work, iv_err *err);

/* Refuses what is for scores of any kind only where there are none; `tables`: scores are there in
 * another form, which may be declared to be binary; `parts`: in files of eval --write-scores. */
IV_MUST_CHECK int iv_scored_absent(const iv_score_input *asked, bool tables, bool parts,
                                   iv_err *err);

/* Names the estimand and warns of few units; common: means are over items that all systems have. */
void iv_scored_tell(const iv_scored *scored, bool common, iv_result *out);

/* Where the items of a set are: from the first of them to the last, with others between. */
typedef struct iv_set_slice {
    size_t from, count;
} iv_set_slice;

/* A set's slice, and how its items hang together; room: for item_count numbers. */
iv_set_slice iv_scored_within(iv_structure *out, uint32_t *room, const iv_scored *scored,
                                 size_t measure, size_t set);

/* IV_EPARSE, with its line, for an item whose scores are in two groups. */
IV_MUST_CHECK int iv_scored_one_group(const iv_scored *scored, iv_err *err);

/* Are the units that vary clusters or sets, not items? */
bool iv_scored_units(const iv_scored *scored);

/* The methods that clusters and repeats add to standard errors. */
void iv_scored_used(const iv_scored *scored, iv_result *out);

/* What a unit is called, "item", "topic", "cluster" or "set". */
const char *iv_scored_unit(const iv_scored *scored);

/* The variance that repeats bring to the difference of a pair, however many items there are: part
 * of its standard error, so a plan counts it, too. */
double iv_scored_shared(const iv_scored *scored, size_t measure, const iv_compared_pair *p);

/* The variance parts of a measure; of 0 repeats where too few items have the same. */
IV_MUST_CHECK int iv_scored_parts(iv_variance_parts *out, const iv_scored *scored, size_t measure,
                                  double confidence, const iv_work *work, iv_err *err);

/* Table variance with its chart; nothing for one system. */
IV_MUST_CHECK int iv_tell_variance(iv_scored *scored, double confidence, iv_result *out,
                                   const iv_work *work, iv_err *err);

/* Tables items and flaky, the items that vary, if there are repeats; of the first measure. */
IV_MUST_CHECK int iv_tell_items(iv_scored *scored, double confidence, iv_result *out, iv_err *err);

/* Table design, if there are repeats: the standard error of a difference for more items and
 * for more repeats, with its curve, and a note which buys more. */
IV_MUST_CHECK int iv_tell_design(const iv_scored *scored, double confidence, iv_result *out,
                                 iv_err *err);

/* Says which measures table sets lacks: a ratio or percentile is over all sets. */
void iv_tell_whole(const iv_scored *scored, iv_result *out);

/* Table sets: each system's mean in each set, if there are sets. */
IV_MUST_CHECK int iv_tell_sets(iv_scored *scored, double confidence, iv_result *out,
                               const iv_work *work, iv_err *err);

/* Table errors: what standard errors are made of, if items hang together. */
IV_MUST_CHECK int iv_tell_errors(iv_scored *scored, iv_result *out, const iv_work *work,
                                 iv_err *err);

#endif
