/* SPDX-License-Identifier: Apache-2.0 */
/* References in BibTeX and in the XML of EndNote, as fields of RIS. */
#ifndef IV_STORE_BIBLIOGRAPHY_FORMS_H
#define IV_STORE_BIBLIOGRAPHY_FORMS_H

#include "base/memory.h"
#include "trec/reference_forms.h"

/* Where records go: begin() ends the record before. */
typedef struct iv_record_sink {
    void *to;
    int (*begin)(void *to, uint64_t line, iv_err *err);
    int (*field)(void *to, const char *tag, iv_str value, iv_err *err);
} iv_record_sink;

/* Fields that RIS has no tag for become notes, "name: value".  IV_EPARSE, with the line, for an
 * entry or a record that does not end.  Texts are the arena's, or the sink's during a call. */
IV_MUST_CHECK int iv_bibtex_read(const iv_record_sink *sink, iv_arena *a, const char *path,
                                 iv_str text, iv_err *err);
IV_MUST_CHECK int iv_endnote_read(const iv_record_sink *sink, iv_arena *a, const char *path,
                                  iv_str text, iv_err *err);

#endif
