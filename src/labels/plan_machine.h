/* SPDX-License-Identifier: Apache-2.0 */
/* How many topics need human labels beside automatic ones. */
#ifndef IV_LABELS_PLAN_MACHINE_H
#define IV_LABELS_PLAN_MACHINE_H

#include "intervale/labels.h"

IV_MUST_CHECK int iv_plan_machine_topics(iv_machine_topics *out, double sd, double rho,
                                                double T, double width, double confidence,
                                                iv_err *err);

/* The plan where scores are given. */
IV_MUST_CHECK int iv_plan_judged(iv_result *out, const iv_plan_machine_question *q,
                                 const iv_work *work, iv_err *err);

#endif
