/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of requests, checked.
 *
 * What may be in the body of a request.  Members that are not known, are there twice or are
 * of another kind are refused (IV_EPARSE, one line); texts go to the arena.
 */
#ifndef IV_SERVE_BODIES_H
#define IV_SERVE_BODIES_H

#include "base/memory.h"
#include "store/entries.h"

struct iv_store_filter;

enum { IV_SENT_MOST = 50 };

/* Judgments, and what the page wants to see next. */
typedef struct iv_sent {
    iv_store_entry *entries; /* assessor is not filled in */
    size_t count;
    const char *session;     /* the identity of the one that they were made in */
    bool more;               /* an item is wanted with the answer */
    int64_t topic;           /* of these, + 1; 0: any */
    int64_t not_this;        /* the item that is on the screen */
    bool adjudicate;
} iv_sent;

IV_MUST_CHECK int iv_body_judgments(iv_sent *out, iv_arena *a, iv_str body, iv_err *err);

/* {"everywhere": true}: all pages of the assessor, not only this one. */
IV_MUST_CHECK int iv_body_logout(bool *everywhere, iv_arena *a, iv_str body, iv_err *err);

/* {"token": "..."} */
IV_MUST_CHECK int iv_body_login(iv_str *token, iv_arena *a, iv_str body, iv_err *err);

/* {"undo": "u", ...}: which key does what; *out is the text as it came. */
IV_MUST_CHECK int iv_body_keys(const char **out, iv_arena *a, iv_str body, iv_err *err);

/* {"ranking": ["id", ...]}: documents, the best first. */
IV_MUST_CHECK int iv_body_ranking(iv_str **names, size_t *count, iv_arena *a, iv_str body,
                                  iv_err *err);

/* {"text": "...", "tag": "...", "state": "...", "grade": 1, "from": 1}: at least one of the first
 * four. */
IV_MUST_CHECK int iv_body_search(struct iv_store_filter *out, iv_arena *a, iv_str body,
                                 iv_err *err);

/* {"do": "add", "name": "ben"} */
typedef enum iv_assessor_act {
    IV_ACT_ADD, IV_ACT_LINK, IV_ACT_REVOKE, IV_ACT_RELEASE
} iv_assessor_act;
IV_MUST_CHECK int iv_body_assessor(iv_assessor_act *act, const char **name, iv_arena *a,
                                   iv_str body, iv_err *err);

#endif
