/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_TREC_RUN_LINES_H
#define IV_TREC_RUN_LINES_H

#include "trec/chunks.h"

/* The format of a line with these fields, of which six are kept, or IV_RUN_ANY. */
iv_run_format iv_run_format_told(const iv_str *fields, size_t count);

/* Parses the lines of a run into iv_run_doc records, grouped by topic. */
void iv_run_group(iv_grouped *out, iv_str text, iv_run_format format,
                  const iv_work *work, size_t chunk_bytes, iv_problems *problems);

#endif /* IV_TREC_RUN_LINES_H */
