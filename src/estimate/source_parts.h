/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller can get wrong in an iv_source and in an iv_evaluating, for IV_CHECK(). */
#ifndef IV_ESTIMATE_SOURCE_PARTS_H
#define IV_ESTIMATE_SOURCE_PARTS_H

#include "base/checking.h"
#include "intervale/estimate.h"

/* of: the member of T that is one, with its dot; nothing: T itself. */
#define IV_SOURCE_PARTS(T, of)                                                          \
    IV_PART_OF(T, of runs, PATHS, "run"),                                               \
    IV_LIST_OF(T, of ranked, of ranked_count, EACH, "run"),                             \
    IV_PART_OF(T, of judgments, PATH, "the judgments"),                                 \
    IV_PART_OF(T, of parts, PATHS, "part"),                                             \
    IV_CHOICE_OF(T, of judgments_format, iv_judgments_format_names,                     \
                 "the format of the judgments"),                                        \
    IV_CHOICE_OF(T, of run_format, iv_run_format_names, "the format of the runs")

#define IV_EVALUATING_PARTS(T, of)                                                      \
    IV_PART_OF(T, of measures, TEXTS, "measure"),                                       \
    IV_CHOICE_OF(T, of measure.dialect, iv_dialect_names, "the dialect"),               \
    IV_CHOICE_OF(T, of interval, iv_interval_names, "the interval of means"),           \
    IV_PART_OF(T, of resampling.confidence, CONFIDENCE, "the confidence"),                    \
    IV_CHOICE_OF(T, of estimator, iv_estimator_names, "the estimator"),                 \
    IV_PART_OF(T, of also, PATH, "the additional judgments"),                           \
    IV_CHOICE_OF(T, of unjudged, iv_unjudged_names, "what to do with unjudged documents")

#endif /* IV_ESTIMATE_SOURCE_PARTS_H */
