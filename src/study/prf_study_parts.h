/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_STUDY_PRF_H
#define IV_STUDY_PRF_H

#include "base/parallel.h"
#include "study/prf_study.h"

/* A question without defaults left. */
typedef struct iv_prf_setting {
    iv_study_prf_question q;
    iv_prf_metric metric;
    iv_prf_prior prior;
} iv_prf_setting;

/* Adds one interval, of weight w, to a cell; lower > upper: there is none. */
void iv_prf_study_add(iv_prf_study_cell *cell, double w, double lower, double upper);

/* Cells of one rate and size, IV_PRF_STUDY_METHODS of them, by drawing. */
IV_MUST_CHECK int iv_prf_study_draw(iv_prf_study_cell *cells, const iv_prf_setting *s,
                                    uint32_t stream, const iv_work *work, iv_err *err);

/* Wilson's score interval on k of n. */
void iv_wilson(double *lower, double *upper, double k, double n, double confidence);

#endif /* IV_STUDY_PRF_H */
