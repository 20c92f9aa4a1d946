/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison of runs whose judgments are a sample. */
#ifndef COMPARE_SAMPLED_H
#define COMPARE_SAMPLED_H

#include "command/compare_input.h"
#include "intervale/estimate.h"

/* The estimates that the scores are. */
typedef struct compare_sampled compare_sampled;

/* Are these judgments a sample? */
bool compare_is_sampled(const iv_judgments *j);

/* As compare_runs_read(), from sampled judgments, which it takes over. */
IV_MUST_CHECK int compare_sampled_read(compare_input *in, cmd_context *c,
                                       const compare_source *source, iv_judgments *j,
                                       iv_err *err);
void compare_sampled_free(compare_sampled *s);

/*
 * Adds the table 'sampling': of each pair (or each run and the baseline) the
 * standard error of the difference and its two parts, linearised jointly.
 */
IV_MUST_CHECK int compare_sampled_table(cmd_context *c, const compare_input *in,
                                        size_t baseline, iv_err *err);

#endif /* COMPARE_SAMPLED_H */
