/* SPDX-License-Identifier: Apache-2.0 */
/* Where judgments and runs come from. */
#ifndef INTERVALE_ESTIMATE_SOURCE_H
#define INTERVALE_ESTIMATE_SOURCE_H

#include "intervale/trec.h"

/* Judgments and runs: in files, or in memory. */
typedef struct iv_source {
    const char *judgments; /* a file; "-" is standard input */
    iv_judgments_format judgments_format;
    const iv_judgments *judged; /* instead of the file */
    iv_texts runs;         /* files */
    iv_run_format run_format;
    const iv_run *const *ranked; /* instead of files */
    size_t ranked_count;
} iv_source;

#endif /* INTERVALE_ESTIMATE_SOURCE_H */
