/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power of the one-sided sign test on samples of topics, for all pairs of a population
 * (Carterette and Smucker 2007, table 2).
 */
#ifndef IV_STUDY_STUDY_POWER_H
#define IV_STUDY_STUDY_POWER_H

#include "base/parallel.h"
#include "intervale/stat.h"

/* Pairs whose effect h = (wins - losses) / (wins + losses) is near one asked for. */
typedef struct iv_sign_power_row {
    size_t topics;
    double effect;
    size_t pairs;     /* 0: no pair has that effect, and what follows is NaN */
    double predicted; /* exact power for the effect */
    double expected;  /* exact mean power of the pairs on samples without replacement */
} iv_sign_power_row;

/* A pair belongs to an effect when its own is from effect - low to effect + high. */
IV_MUST_CHECK int iv_study_sign_power(iv_sign_power_row *out, const iv_score_grid *population,
                                      size_t topics, double effect, double low, double high,
                                      double alpha, const iv_work *work, iv_err *err);

#endif /* IV_STUDY_STUDY_POWER_H */
