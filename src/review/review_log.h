/* SPDX-License-Identifier: Apache-2.0 */
/* The judgments of a review in the order in which they were made. */
#ifndef IV_REVIEW_REVIEW_LOG_H
#define IV_REVIEW_REVIEW_LOG_H

#include "base/memory.h"
#include "intervale/trec/strata_tables.h"
#include "stat/sequential/anytime.h"

/*
 * The judgments of a review in the order in which they were made: a table with the columns
 * stratum, relevant (a grade; level and above is relevant) and, if blocks were planned, block.
 * Within each stratum the order must be random.
 */

typedef struct iv_review_log {
    iv_arena own;
    iv_strata_table table;   /* with n and r as the log has them; its file is the log, its names
                                are borrowed from the first table */
    iv_review_blocks blocks; /* those that are whole */
    int64_t pending;         /* documents after them */
    /*
     * The p-value of "within each stratum the order is random": the smaller of two, doubled; the
     * ranks of relevant documents (Wilcoxon's test, stratified) and the number of their runs
     * (exact, Bonferroni's correction over strata).
     */
    double order;
} iv_review_log;

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

#endif
