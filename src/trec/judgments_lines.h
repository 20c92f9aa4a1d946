/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_TREC_JUDGMENTS_LINES_H
#define IV_TREC_JUDGMENTS_LINES_H

#include "trec/chunks.h"

/* Is this the first line of a BEIR file? */
bool iv_is_beir_header(const iv_str *fields, size_t count);

/* Parses the lines into iv_judgment records, grouped by topic. */
void iv_judgments_group(iv_grouped *out, iv_str text, iv_judgments_format format,
                        const iv_work *work, size_t chunk_bytes, iv_problems *problems);

#endif /* IV_TREC_JUDGMENTS_LINES_H */
