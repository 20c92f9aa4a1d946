/* SPDX-License-Identifier: Apache-2.0 */
/* The papers behind the methods, and which of them an answer rests on. */
#ifndef INTERVALE_ANSWER_REFERENCES_H
#define INTERVALE_ANSWER_REFERENCES_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_reference {
    const char *key;    /* such as "webber2013recall" */
    const char *text;   /* as in a list of references */
    const char *bibtex; /* the whole entry, without a line end behind it */
} iv_reference;

/* The paper of that key; NULL when there is none.  Static. */
IV_API const iv_reference *iv_reference_find(const char *key);

/* That a command rests on a paper, and for what. */
typedef struct iv_citation {
    const char *command; /* such as "plan recall" */
    const char *key;
    const char *role;    /* "for tied scores"; NULL: for all of it */
} iv_citation;

/* Sets *out to those of a command, static, and returns how many they are; 0 for a
 * command that cites nobody or that there is not. */
IV_API size_t iv_citations(const iv_citation **out, const char *command);

/* The paper and its role in brackets.  Returns out. */
enum { IV_CITATION_SIZE = 512 };
IV_API const char *iv_citation_text(char out[IV_CITATION_SIZE], const iv_citation *c);

/* Adds the references of a command to a result, as iv_result_reference() does. */
IV_API void iv_result_cite(iv_result *r, const char *command);

IV_END_C

#endif /* INTERVALE_ANSWER_REFERENCES_H */
