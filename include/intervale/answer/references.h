/* SPDX-License-Identifier: Apache-2.0 */
/* The methods that numbers come from, and the papers they are cited by. */
#ifndef INTERVALE_ANSWER_REFERENCES_H
#define INTERVALE_ANSWER_REFERENCES_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_reference {
    const char *key;    /* such as "webber2013recall" */
    const char *label;  /* "Webber 2013" */
    const char *text;   /* as in a list of references */
    const char *bibtex; /* the whole entry, without a line end behind it */
} iv_reference;

/* A method that can be named: src/answer/methods.c lists them. */
typedef struct iv_method_row {
    const char *id;    /* "holm" */
    const char *text;  /* "Holm's correction" */
    const char *cites; /* keys of papers with blanks between; "" for what needs none */
} iv_method_row;

IV_END_C

#endif /* INTERVALE_ANSWER_REFERENCES_H */
