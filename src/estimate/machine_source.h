/* SPDX-License-Identifier: Apache-2.0 */
/* A machine's labels as groups of documents, for rectified estimates. */
#ifndef IV_ESTIMATE_MACHINE_SOURCE_H
#define IV_ESTIMATE_MACHINE_SOURCE_H

#include "base/memory.h"
#include "estimate/rectified.h"

/* Groups are the labels that occur, rising (of scores tenths), and last those without one.
 * What it takes is the arena's; labels must outlive the source. */
IV_MUST_CHECK int iv_machine_source(iv_label_source *out, iv_arena *own,
                                    const iv_judgments *judgments, const iv_judgments *labels,
                                    bool scored, iv_err *err);

#endif /* IV_ESTIMATE_MACHINE_SOURCE_H */
