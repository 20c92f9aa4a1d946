/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The judgments of a review in the order in which they were made: a table with the columns
 * stratum, relevant (a grade; level and above is relevant) and, if blocks were planned, block.
 * Within each stratum the order must be random.
 */
#ifndef IV_ESTIMATE_REVIEW_LOG_H
#define IV_ESTIMATE_REVIEW_LOG_H

#include "stat/sequential/sequential_parts.h"
#include "intervale/trec.h"

typedef struct iv_review_log iv_review_log;

/*
 * Reads a log of the strata of a table of one run, which says how large they are; its n and r
 * must be 0 or those of the log.  Rows of one number of block, one after the other, are a
 * block; without that column a block ends when every stratum that is not finished has a
 * document in it.  IV_EPARSE, with the line, for a stratum that is not in the table, more
 * documents than it has, and a block that leaves one out; IV_EARG for a table of several runs.
 */
IV_MUST_CHECK int iv_review_log_load(iv_review_log **out, const char *path,
                                            const iv_strata_table *table, int64_t level,
                                            const iv_work *work, iv_err *err);
void iv_review_log_free(iv_review_log *l);

/* The table with n and r as the log has them; its file is the log.  Borrowed, its names from
 * the first table. */
const iv_strata_table *iv_review_log_table(const iv_review_log *l);

/*
 * The p-value of "within each stratum the order is random": the smaller of two, doubled; the ranks
 * of relevant documents (Wilcoxon's test, stratified) and the number of their runs (exact,
 * Bonferroni's correction over strata).
 */
double iv_review_log_order(const iv_review_log *l);

/* The blocks that are whole, and how many documents came after them (NULL: not asked).
 * Borrowed. */
const iv_review_blocks *iv_review_log_blocks(int64_t *pending, const iv_review_log *l);

#endif /* IV_ESTIMATE_REVIEW_LOG_H */
