/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores of topics in files, to be put together again: parts computed on different machines,
 * each of some topics or some runs, give the evaluation that one machine would have given
 * (parts of iv_source).
 * doc/formats.md has the format.
 */
#ifndef INTERVALE_ESTIMATE_PARTS_H
#define INTERVALE_ESTIMATE_PARTS_H

#include "intervale/base.h"

IV_BEGIN_C

struct iv_source; /* of intervale/estimate.h */
struct iv_evaluating;

/* What is in a part. */
typedef struct iv_written_scores {
    size_t runs, measures;
    uint64_t topics; /* judged, whether runs have them or not */
    uint64_t bytes;
} iv_written_scores;

/* Does the file begin as a part does?  False also for one that cannot be read. */
IV_API IV_EXPERIMENTAL bool iv_is_scores_part(const char *path);

IV_END_C

#endif /* INTERVALE_ESTIMATE_PARTS_H */
