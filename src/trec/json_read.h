/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON a value at a time: the outermost brackets are walked here, so that each record is
 * known by its line and only one is in memory; Jansson reads the values.
 */
#ifndef IV_TREC_JSON_READ_H
#define IV_TREC_JSON_READ_H

#include "intervale/base.h"

/* A value of the text: what it is, and its parts.  Borrowed from its owner. */
typedef struct iv_json iv_json;

typedef enum iv_json_kind {
    IV_JSON_NULL,
    IV_JSON_TRUTH,
    IV_JSON_NUMBER,
    IV_JSON_TEXT,
    IV_JSON_LIST,
    IV_JSON_OBJECT
} iv_json_kind;

iv_json_kind iv_json_kind_of(const iv_json *v);
double iv_json_number(const iv_json *v);      /* of a number; a truth is 0 or 1 */
bool iv_json_integer(int64_t *out, const iv_json *v); /* a number without a fraction */
iv_str iv_json_string(const iv_json *v);        /* of a text */
size_t iv_json_count(const iv_json *v);       /* members of an object or list */
const iv_json *iv_json_at(const iv_json *v, size_t i); /* of a list */
const iv_json *iv_json_find(const iv_json *v, iv_str key); /* of an object, or NULL */

/* Calls back for each member, in the order of the text, until it returns other than
 * IV_OK, which is then returned. */
IV_MUST_CHECK int iv_json_each(const iv_json *object, void *user,
                               int (*member)(void *user, iv_str key, const iv_json *v));

/* Where in the text we are. */
typedef struct iv_json_place {
    const char *name; /* of the file */
    const char *at, *end;
    uint64_t line;
} iv_json_place;

/* The next byte that is no blank, or '\0' at the end; moves there. */
char iv_json_peek(iv_json_place *p);

/* Takes that byte, which must be `byte`, or IV_EPARSE with file and line. */
IV_MUST_CHECK int iv_json_take(iv_json_place *p, char byte, iv_err *err);

/* The value at the place, which moves behind it; the caller frees it. */
IV_MUST_CHECK int iv_json_read(iv_json **out, iv_json_place *p, iv_err *err);
void iv_json_free(iv_json *v);

/*
 * The same of what Python's json module writes: NaN and Infinity, which are no JSON,
 * are null; numbers that no machine number holds are texts, and half a character (one escape of
 * two) is the one for what cannot be shown.
 */
IV_MUST_CHECK int iv_json_read_python(iv_json **out, iv_json_place *p, iv_err *err);

#endif /* IV_TREC_JSON_READ_H */
