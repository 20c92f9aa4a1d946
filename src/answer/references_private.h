/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/answer/references.h beside what programs do. */
#ifndef IV_ANSWER_REFERENCES_PRIVATE_H
#define IV_ANSWER_REFERENCES_PRIVATE_H

#include "intervale/answer/references.h"

/* The paper of that key; NULL when there is none.  Static. */
const iv_reference *iv_reference_find(const char *key);

/* All of them, static. */
const iv_method_row *iv_methods(void);

#endif /* IV_ANSWER_REFERENCES_PRIVATE_H */
