/* SPDX-License-Identifier: Apache-2.0 */
/* The whole library: one header for each room, and what it promises. */
#ifndef INTERVALE_H
#define INTERVALE_H

#include "intervale/base.h"
#include "intervale/design.h"
#include "intervale/estimate.h"
#include "intervale/measure.h"
#include "intervale/num.h"
#include "intervale/plan.h"
#include "intervale/report.h"
#include "intervale/stat.h"
#include "intervale/study.h"
#include "intervale/trec.h"

#endif /* INTERVALE_H */
