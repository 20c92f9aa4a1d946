/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores of topics in files, to be put together again: parts computed on different machines,
 * each of some topics or some runs, give the evaluation that one machine would have given.
 * doc/formats.md has the format.
 */
#ifndef INTERVALE_ESTIMATE_PARTS_H
#define INTERVALE_ESTIMATE_PARTS_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_source iv_source;
typedef struct iv_evaluating iv_evaluating;
typedef struct iv_evaluation iv_evaluation;

/* What is in a part. */
typedef struct iv_written_scores {
    size_t runs, measures;
    uint64_t topics; /* judged, whether runs have them or not */
    uint64_t bytes;
} iv_written_scores;

/*
 * Scores runs as iv_evaluate() does and writes every topic's scores; the file appears whole or not at all.
 * Files that are read some topics at a time (iv_source) are written so, too: no score is kept
 * in memory.  Intervals, bounds, ties and texts are not written.  Fails as iv_evaluate(), with IV_EARG
 * for sampled judgments, and with IV_EIO.  found may be NULL.
 */
IV_API IV_MUST_CHECK int iv_write_scores(const char *path, const iv_source *source,
                                         const iv_evaluating *options, iv_written_scores *found,
                                         const iv_work *work, iv_err *err);

/* Does the file begin as a part does?  False also for one that cannot be read. */
IV_API bool iv_is_scores_part(const char *path);

/* What putting together came upon. */
typedef struct iv_merged_scores {
    uint64_t repeated; /* topics of runs in several parts, with the same scores: taken once */
} iv_merged_scores;

/*
 * The evaluation that parts make up: runs of one name are one run, and a topic that a run has
 * in one part and lacks in another it has.  Of options the measures (none: all that there are)
 * and what is told of means count; how topics were scored stands in the parts.
 * IV_EPARSE, with the file's name: a part that is truncated, damaged, of another version, scored
 * otherwise than the first; a topic whose judgments or whose scores of a run differ from
 * those of a part before it, as when its lines were split over two.  found may be NULL.
 * *out is the caller's: iv_evaluation_free().
 */
IV_API IV_MUST_CHECK int iv_merge_scores(iv_evaluation **out, const iv_texts *parts,
                                         const iv_evaluating *options, iv_merged_scores *found,
                                         const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ESTIMATE_PARTS_H */
