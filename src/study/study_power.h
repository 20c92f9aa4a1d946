/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power of the one-sided sign test on samples of topics, for all pairs of a population
 * (Carterette and Smucker 2007, table 2).
 */
#ifndef IV_STUDY_STUDY_POWER_H
#define IV_STUDY_STUDY_POWER_H

#include "base/parallel.h"
#include "intervale/stat.h"

/*
 * The pairs whose effect h = (wins - losses) / (wins + losses) is from effect - low to
 * effect + high, and their exact mean power on samples without replacement; NaN: there is none.
 */
IV_MUST_CHECK int iv_study_sign_power(size_t *pairs, double *expected,
                                      const iv_score_grid *population, size_t topics,
                                      double effect, double low, double high, double alpha,
                                      const iv_work *work, iv_err *err);

#endif /* IV_STUDY_STUDY_POWER_H */
