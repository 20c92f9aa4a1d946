/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that several answers about scores have. */
#ifndef IV_ANSWER_SCORED_TABLES_H
#define IV_ANSWER_SCORED_TABLES_H

#include "answer/scorecard.h"
#include "intervale/stat/variance_parts.h"

/*
 * The variance parts of a measure, on the items that all systems have with as many repeats
 * as most have.  Without generalisability where items are not what varies.  IV_ENODATA where
 * there are too few.
 */
IV_MUST_CHECK int iv_scorecard_parts(iv_variance_parts *out, const iv_scorecard *card,
                                     size_t measure, double confidence, const iv_work *work,
                                     iv_err *err);

/*
 * By system: the variance that its repeats bring to the mean of the first measure, however
 * many items there are.  NULL where it is not shown that they bring any: a plan that counts
 * what may be chance would say that no number of items is enough.
 */
IV_MUST_CHECK int iv_scorecard_shared(const double **out, const iv_scorecard *card, iv_err *err);

/* Table variance with its chart, and the note on reliability; nothing for one system. */
IV_MUST_CHECK int iv_tell_variance(const iv_scorecard *card, double confidence, iv_result *out,
                                   const iv_work *work, iv_err *err);

/* Table design, if there are repeats: the standard error of a difference for more items and
 * for more repeats, with its curve, and a note which buys more. */
IV_MUST_CHECK int iv_tell_design(const iv_scorecard *card, double confidence, iv_result *out,
                                 iv_err *err);

/* Table sets: each system's mean in each set, if there are sets. */
IV_MUST_CHECK int iv_tell_sets(const iv_scorecard *card, double confidence, iv_result *out,
                               const iv_work *work, iv_err *err);

/* Table errors: what standard errors are made of, if items hang together. */
IV_MUST_CHECK int iv_tell_errors(const iv_scorecard *card, iv_result *out, const iv_work *work,
                                 iv_err *err);

#endif /* IV_ANSWER_SCORED_TABLES_H */
