/* SPDX-License-Identifier: Apache-2.0 */
/* The documents with automatic labels, and which of them have human ones: by which design. */
#ifndef IV_ESTIMATE_LABEL_POPULATION_H
#define IV_ESTIMATE_LABEL_POPULATION_H

#include "base/memory.h"
#include "estimate/difference_estimator.h"
#include "intervale/estimate.h"

/*
 * Lists documents and checks that the sample can be what the design says, or sampling (NULL:
 * another design than STATED).  In memory that own frees.  IV_ENODATA for fewer topics than
 * IV_TWO_PHASE_LEAST and where human labels follow automatic ones, or topics, as chance would not.
 */
IV_MUST_CHECK int iv_label_population_list(iv_label_population *out, iv_arena *own,
                                           const iv_judgments *human, const iv_judgments *labels,
                                           bool scored, iv_human_design design,
                                           const iv_sampling *sampling, iv_err *err);

/* Counts, and nothing else: labelled documents of the topics that have human labels, and of them
 * those with human ones; labels of others; topics of which fewer than half have one. */
iv_label_population iv_label_coverage_of(const iv_judgments *human, const iv_judgments *labels);

#endif /* IV_ESTIMATE_LABEL_POPULATION_H */
