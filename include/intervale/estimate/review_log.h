/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The judgments of a review in the order in which they were made: a table with the columns
 * stratum, relevant (a grade; level and above is relevant) and, if blocks were planned, block.
 * Within each stratum the order must be random; that cannot be seen in the file.
 */
#ifndef INTERVALE_ESTIMATE_REVIEW_LOG_H
#define INTERVALE_ESTIMATE_REVIEW_LOG_H

#include "intervale/stat/sequential.h"
#include "intervale/trec/strata.h"

IV_BEGIN_C

typedef struct iv_review_log iv_review_log;

/*
 * Reads a log of the strata of a table of one run, which says how large they are; its n and r
 * must be 0 or those of the log.  Rows of one number of block, one after the other, are a
 * block; without that column a block ends when every stratum that is not finished has a
 * document in it.  IV_EPARSE, with the line, for a stratum that is not in the table, more
 * documents than it has, and a block that leaves one out; IV_EARG for a table of several runs.
 */
IV_API IV_MUST_CHECK int iv_review_log_load(iv_review_log **out, const char *path,
                                            const iv_strata_table *table, int64_t level,
                                            const iv_work *work, iv_err *err);
IV_API void iv_review_log_free(iv_review_log *l);

/* The table with n and r as the log has them; its file is the log.  Borrowed, its names from
 * the first table. */
IV_API const iv_strata_table *iv_review_log_table(const iv_review_log *l);

/* The blocks that are whole, and how many documents came after them (NULL: not asked).
 * Borrowed. */
IV_API const iv_review_blocks *iv_review_log_blocks(int64_t *pending, const iv_review_log *l);

IV_END_C

#endif /* INTERVALE_ESTIMATE_REVIEW_LOG_H */
