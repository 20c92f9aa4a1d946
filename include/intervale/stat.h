/* SPDX-License-Identifier: Apache-2.0 */
/* stat -- methods on counts and arrays: no files, no rankings.  A header each subject. */
#ifndef INTERVALE_STAT_H
#define INTERVALE_STAT_H

#include "intervale/stat/comparisons.h"
#include "intervale/stat/incomplete_judgments.h"
#include "intervale/stat/interim_analyses.h"
#include "intervale/stat/judge_estimators.h"
#include "intervale/stat/label_agreement.h"
#include "intervale/stat/mean_intervals.h"
#include "intervale/stat/paired_tests.h"
#include "intervale/stat/prf_metrics.h"
#include "intervale/stat/ranking_agreement.h"
#include "intervale/stat/recall_intervals.h"
#include "intervale/stat/structured_means.h"
#include "intervale/stat/thresholds.h"
#include "intervale/stat/topic_power.h"
#include "intervale/stat/variance_parts.h"

#endif /* INTERVALE_STAT_H */
