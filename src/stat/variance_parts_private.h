/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/stat.h beside what programs do. */
#ifndef IV_STAT_VARIANCE_PARTS_PRIVATE_H
#define IV_STAT_VARIANCE_PARTS_PRIVATE_H

#include "intervale/stat.h"

double iv_variance_g(const iv_variance_parts *p, double items, double repeats);

#endif /* IV_STAT_VARIANCE_PARTS_PRIVATE_H */
