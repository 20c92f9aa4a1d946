/* SPDX-License-Identifier: Apache-2.0 */
/* sample of documents that have automatic labels. */
#ifndef IV_SAMPLING_SAMPLE_LABELS_H
#define IV_SAMPLING_SAMPLE_LABELS_H

#include "intervale/sampling.h"

/* sample of documents that have automatic labels. */
IV_MUST_CHECK int iv_sample_labels(iv_result *out, const iv_sample_question *q, const iv_work *work,
                                   iv_err *err);

/* From a list of documents (q->ids): whole families at random, of each segment as many documents,
 * as qrels with grade -1. */
IV_MUST_CHECK int iv_sample_ids(iv_result *out, const iv_sample_question *q, const iv_work *work,
                                iv_err *err);

#endif
