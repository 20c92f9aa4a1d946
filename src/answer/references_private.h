/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/answer/references.h beside what programs do. */
#ifndef IV_ANSWER_REFERENCES_PRIVATE_H
#define IV_ANSWER_REFERENCES_PRIVATE_H

#include "intervale/answer/references.h"

/* What cmake/references.cmake makes of references.bib. */
extern const char iv_references[];

/* The paper of that key; false when there is none.  Its texts are static. */
bool iv_reference_find(iv_reference *out, const char *key);

/* All of them, static. */
const iv_method_row *iv_methods(void);

#endif /* IV_ANSWER_REFERENCES_PRIVATE_H */
