/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_STUDY_PRF_H
#define IV_STUDY_PRF_H

#include "study/prf_study.h"

/* Adds one interval, of weight w, to a cell; lower > upper: there is none. */
void iv_prf_study_add(iv_prf_study_cell *cell, double w, double lower, double upper);

/* Cells of one rate and size, IV_PRF_STUDY_METHODS of them, by drawing. */
IV_MUST_CHECK int iv_prf_study_draw(iv_prf_study_cell *cells,
                                    const iv_prf_study_options *o, uint32_t stream,
                                    iv_err *err);

#endif /* IV_STUDY_PRF_H */
