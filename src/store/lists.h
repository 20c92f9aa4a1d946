/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of documents: what was said last, in a state, with a text, tag or grade. */
#ifndef IV_STORE_LISTS_H
#define IV_STORE_LISTS_H

#include "store/items.h"

/* Items without their texts, each with a word as `mine`: an assessor's own words (assessor 0:
 * everybody's), newest first, below seq `before` (0:
 * all), at most `most`. */
IV_MUST_CHECK int iv_store_history(const iv_store_item **out, size_t *count, iv_arena *a,
                                   iv_store *s, int64_t assessor, int64_t before, size_t most,
                                   iv_err *err);

/* Which items are listed. */
typedef struct iv_store_filter {
    int64_t assessor;    /* as seen by this one; 0: by all */
    iv_store_state state;
    const char *text;    /* in id, title, text or note, in any case of letters; NULL: any */
    const char *tag;     /* in the note, without its #; NULL: any */
    int64_t grade;       /* + 1; 0: any */
    int64_t from;        /* the first item; 0: all */
} iv_store_filter;

IV_MUST_CHECK int iv_store_items(const iv_store_item **out, size_t *count, iv_arena *a,
                                 iv_store *s, const iv_store_filter *f, size_t most, iv_err *err);

#endif
