/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that several answers about scores have. */
#ifndef IV_ANSWER_SCORED_TABLES_H
#define IV_ANSWER_SCORED_TABLES_H

#include "answer/scorecard.h"
#include "intervale/stat/variance_parts.h"

/*
 * The variance parts of a measure, on the items that all systems have with as many repeats
 * as most have.  *items: how many these are.  IV_ENODATA where there are too few.
 */
IV_MUST_CHECK int iv_scorecard_parts(iv_variance_parts *out, const iv_scorecard *card,
                                     size_t measure, double confidence, iv_err *err);

/* Table variance with its chart, and the note on reliability; nothing for one system. */
IV_MUST_CHECK int iv_tell_variance(const iv_scorecard *card, double confidence, iv_result *out,
                                   iv_err *err);

/* Table sets: each system's mean in each set, if there are sets. */
IV_MUST_CHECK int iv_tell_sets(const iv_scorecard *card, double confidence, iv_result *out,
                               iv_err *err);

/* Table errors: what standard errors are made of, if items hang together. */
IV_MUST_CHECK int iv_tell_errors(const iv_scorecard *card, iv_result *out, iv_err *err);

#endif /* IV_ANSWER_SCORED_TABLES_H */
