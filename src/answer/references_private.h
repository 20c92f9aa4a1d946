/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/answer.h beside what programs do. */
#ifndef IV_ANSWER_REFERENCES_PRIVATE_H
#define IV_ANSWER_REFERENCES_PRIVATE_H

#include "intervale/answer.h"

/* What cmake/references.cmake makes of references.bib. */
extern const char iv_references[];

/* The paper of that key; false when there is none.  Its texts are static. */
bool iv_reference_find(iv_citation *out, const char *key);

/* Method number i of all; its texts are static.  False behind the last. */
bool iv_method_at(iv_method_row *out, size_t i);

#endif /* IV_ANSWER_REFERENCES_PRIVATE_H */
