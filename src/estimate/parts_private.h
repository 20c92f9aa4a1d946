/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/estimate.h beside what programs do. */
#ifndef IV_ESTIMATE_PARTS_PRIVATE_H
#define IV_ESTIMATE_PARTS_PRIVATE_H

#include "intervale/estimate.h"

/*
 * Scores runs as iv_evaluate() does and writes every topic's scores; the file appears whole or not
 * at all. Files that are read some topics at a time (iv_source) are written so, too: no score is
 * kept in memory.  Intervals, bounds, ties and texts are not written.  Fails as iv_evaluate(), with
 * IV_EARG for sampled judgments, and with IV_EIO.  found may be NULL.
 */
IV_MUST_CHECK int iv_write_scores(const char *path, const struct iv_source *source,
                                         const struct iv_evaluating *options,
                                         iv_written_scores *found,
                                         const iv_work *work, iv_err *err);

#endif /* IV_ESTIMATE_PARTS_PRIVATE_H */
