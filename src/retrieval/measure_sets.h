/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of measures by their names. */
#ifndef IV_RETRIEVAL_MEASURE_SETS_H
#define IV_RETRIEVAL_MEASURE_SETS_H

#include "intervale/measure.h"

/* The set of measures of that name, such as official; NULL: there is none. */
const iv_measure_info *iv_measure_set(const char *name);

#endif
