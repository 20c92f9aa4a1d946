/* SPDX-License-Identifier: Apache-2.0 */
/* Who judges, and the tokens by which they log in. */
#ifndef IV_STORE_ASSESSORS_H
#define IV_STORE_ASSESSORS_H

#include "store/session.h"

enum { IV_ASSESSORS_MOST = 64, IV_TOKEN_SIZE = 33 }; /* 32 hexadecimal digits and an end */

/* An assessor holds at most IV_LEASES items, the one on the screen and the next, until
 * IV_HOLD_SECONDS after the last request. */
enum { IV_LEASES = 2, IV_HOLD_SECONDS = 120 };

typedef struct iv_assessor {
    int64_t id;   /* from 1, in the order they were added */
    const char *name;
    bool owner;   /* sees the overview and exports */
    bool revoked;
    bool adjudicates; /* has the last word on conflicts: the owner, unless somebody is named who
                         does nothing else */
    bool judges;
    bool script;  /* a program: its token is used without a page, and may export and rank */
    char token_sha256[65];     /* "" if there is none */
    int64_t leased[IV_LEASES]; /* items, as they are shown; 0: none */
    int64_t seen;              /* when the last request came, of the clock of iv_store_wish */
} iv_assessor;

/* All, in the order they were added; returns how many.  The first is the owner.  Borrowed: id,
 * name and owner never change. */
size_t iv_store_assessors(const iv_assessor **out, iv_store *s);

/* The assessor of that id, copied as it is now; false: no such.  By any thread. */
bool iv_store_assessor(iv_assessor *out, iv_store *s, int64_t id);

/* Adds one (IV_EARG: the name is taken, is none, or there are too many). */
IV_MUST_CHECK int iv_store_assessor_add(int64_t *id, iv_store *s, const char *name, iv_err *err);

/* Takes an assessor's right to judge; the judgments stay.  IV_ENODATA: no such. */
IV_MUST_CHECK int iv_store_assessor_revoke(iv_store *s, const char *name, iv_err *err);

/* A new token of an assessor, from the system's random numbers; only its SHA-256 is kept, so
 * that the token can be had here and never again; an older one is void. */
IV_MUST_CHECK int iv_store_token_new(char out[IV_TOKEN_SIZE], iv_store *s, int64_t assessor,
                                     iv_err *err);

/* A new token for a script of that name, which becomes an assessor if it is none. */
IV_MUST_CHECK int iv_store_script_token(char out[IV_TOKEN_SIZE], iv_store *s, const char *name,
                                        iv_err *err);

/* A token: 32 hexadecimal digits from the system's random numbers. */
IV_MUST_CHECK int iv_token_random(char out[IV_TOKEN_SIZE], iv_err *err);

/* Are two SHA-256 in hexadecimal digits the same?  In constant time. */
bool iv_same_digest(const char *a, const char *b);

/* Whose token is it?  Compared in constant time; the assessor's id, or 0. */
int64_t iv_store_token_owner(iv_store *s, iv_str token);

#endif
