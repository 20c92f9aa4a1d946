/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stat -- methods on counts and arrays: no files, no rankings.
 *
 * One part header a family of methods; each begins with its contract.
 */
#ifndef INTERVALE_STAT_H
#define INTERVALE_STAT_H

#include "intervale/stat/comparison.h"
#include "intervale/stat/letters.h"
#include "intervale/stat/incomplete.h"
#include "intervale/stat/interval.h"
#include "intervale/stat/paired.h"
#include "intervale/stat/structure.h"
#include "intervale/stat/variance_parts.h"
#include "intervale/stat/rank.h"
#include "intervale/stat/scored.h"
#include "intervale/stat/sign_power.h"
#include "intervale/stat/agreement.h"
#include "intervale/stat/recall.h"
#include "intervale/stat/sequential.h"
#include "intervale/stat/prf.h"

#endif /* INTERVALE_STAT_H */
