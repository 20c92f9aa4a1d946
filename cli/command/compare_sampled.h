/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison of runs whose judgments are a sample. */
#ifndef COMPARE_SAMPLED_H
#define COMPARE_SAMPLED_H

#include "command/compare_input.h"

/*
 * Adds the table 'sampling': of each pair (or each run and the baseline) the
 * standard error of the difference and its two parts, linearised jointly.
 */
IV_MUST_CHECK int compare_sampled_table(cmd_context *c, const compare_input *in,
                                        size_t baseline, iv_err *err);

#endif /* COMPARE_SAMPLED_H */
