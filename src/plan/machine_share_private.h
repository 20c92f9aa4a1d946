/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/plan/machine_share.h beside what programs do. */
#ifndef IV_PLAN_MACHINE_SHARE_PRIVATE_H
#define IV_PLAN_MACHINE_SHARE_PRIVATE_H

#include "intervale/plan/machine_share.h"

IV_MUST_CHECK int iv_plan_machine_topics(iv_machine_topics *out, double sd, double rho,
                                                double T, double width, double confidence,
                                                iv_err *err);

#endif /* IV_PLAN_MACHINE_SHARE_PRIVATE_H */
