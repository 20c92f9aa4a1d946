/* SPDX-License-Identifier: Apache-2.0 */
/* Methods that produced numbers, and the papers they are cited by. */
#ifndef IV_RESULT_METHODS_H
#define IV_RESULT_METHODS_H

#include "intervale/result/reading_back.h"
#include "intervale/result/result_tables.h"

/* What cmake/references.cmake makes of references.bib. */
extern const char iv_references[];

/* The paper of that key; false when there is none.  Its texts are static. */
bool iv_reference_find(iv_citation *out, const char *key);

/* Method number i of all; its texts are static.  False behind the last. */
bool iv_method_at(iv_method_row *out, size_t i);

/* The method of that id (src/result/methods.c) produced numbers of the result: the line
 * "Method: ..." names it, and its papers are cited.  Once is enough. */
void iv_result_used(iv_result *r, const char *id);

/* The same, with more behind its text: iv_result_used_with(r, "holm", " for %zu pairs", n). */
void iv_result_used_with(iv_result *r, const char *id, const char *fmt, ...) IV_PRINTF(3, 4);

/* Several, with blanks between. */
void iv_result_used_all(iv_result *r, const char *ids);

#endif
