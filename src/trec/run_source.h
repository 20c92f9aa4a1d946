/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments and runs as a request names them: what can be wrong, and the names of runs. */
#ifndef IV_TREC_RUN_SOURCE_H
#define IV_TREC_RUN_SOURCE_H

#include "base/arguments.h"
#include "base/memory.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/runs.h"

/*
 * Gives runs their names, all different: by tag, by file name where tags repeat,
 * then by path, then numbered.  paths[r] NULL: it has none.  The names are own's.
 */
IV_MUST_CHECK int iv_name_runs(const char **names, iv_arena *own, const iv_str *tags,
                               const char *const *paths, size_t count, iv_err *err);

/* of: the member of T that is one, with its dot; nothing: T itself. */
#define IV_SOURCE_PARTS(T, of)                                                          \
    IV_PART_OF(T, of runs, PATHS, "run"),                                               \
    IV_LIST_OF(T, of ranked, of ranked_count, EACH, "run"),                             \
    IV_PART_OF(T, of judgments, PATH, "the judgments"),                                 \
    IV_PART_OF(T, of parts, PATHS, "part"),                                             \
    IV_CHOICE_OF(T, of judgments_format, iv_judgments_format_names,                     \
                 "the format of the judgments"),                                        \
    IV_CHOICE_OF(T, of run_format, iv_run_format_names, "the format of the runs")

#endif
