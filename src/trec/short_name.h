/* SPDX-License-Identifier: Apache-2.0 */
/* Names of items and systems that are made of values in JSON, and kept short. */
#ifndef IV_TREC_SHORT_NAME_H
#define IV_TREC_SHORT_NAME_H

#include "intervale/base.h"
#include "trec/json_read.h"

/* A name of any length in at most sizeof text bytes: a longer one ends with its hash. */
typedef struct iv_short_name {
    char text[112];
    size_t len;     /* of the whole name */
    uint64_t hash;  /* FNV-1a */
    size_t members; /* of the object at hand that are in it */
} iv_short_name;

/* Adds a part; a value as text, objects and lists by their parts; the members of an object. */
void iv_name_add(iv_short_name *n, iv_str part);
IV_MUST_CHECK int iv_name_value(iv_short_name *n, const iv_json *v);
IV_MUST_CHECK int iv_name_members(iv_short_name *n, const iv_json *object);

/* The name, borrowed. */
iv_str iv_name_end(iv_short_name *n);

#endif
