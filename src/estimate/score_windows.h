/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluating files sorted by topic in bounded memory. */
#ifndef IV_ESTIMATE_SCORE_WINDOWS_H
#define IV_ESTIMATE_SCORE_WINDOWS_H

#include "estimate/part_file.h"
#include "trec/windows.h"

/* Puts judged topics that came in another order into that of bytes, with all scores. */
IV_MUST_CHECK int iv_sort_topics(iv_evaluation *e, iv_err *err);

#endif /* IV_ESTIMATE_SCORE_WINDOWS_H */
