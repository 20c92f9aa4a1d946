/* SPDX-License-Identifier: Apache-2.0 */
/* Do estimates call the same differences significant as the truth does? */
#ifndef IV_STUDY_SAMPLING_AGREEMENT_H
#define IV_STUDY_SAMPLING_AGREEMENT_H

#include "study/sampling_study.h"

/*
 * Counts all ordered pairs of runs, a run with itself included, by one-sided
 * Wilcoxon tests at 0.05 on two matrices, runs x topics.
 */
int iv_study_agreement(iv_sampling_agreement *out, const double *truth,
                       const double *sampled, size_t runs, size_t topics, int threads,
                       iv_err *err);

#endif /* IV_STUDY_SAMPLING_AGREEMENT_H */
