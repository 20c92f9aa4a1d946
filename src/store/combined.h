/* SPDX-License-Identifier: Apache-2.0 */
/* One label for each document from the entries of all assessors. */
#ifndef IV_STORE_COMBINED_H
#define IV_STORE_COMBINED_H

#include "base/memory.h"
#include "intervale/trec/strata_tables.h"
#include "store/session.h"
#include "store/session_export.h"

enum {
    IV_COMBINED_OPEN = INT32_MIN,       /* nobody has judged it */
    IV_COMBINED_UNDECIDED = -2,         /* as many say one as the other */
    IV_COMBINED_CANNOT = -1
};

/* Is the grade of an item the last word on it? */
typedef enum iv_decided {
    IV_DECIDED,      /* or nobody has judged it */
    IV_IN_CONFLICT,  /* labels differ, and the owner has not adjudicated */
    IV_ONE_OF_TWO    /* a second assessor has not judged it */
} iv_decided;

/* Everything of the items, by their number less 1; of the arena. */
typedef struct iv_combined {
    const uint8_t *state; /* iv_decided */
    const int32_t *grade; /* or one of the above */
    const uint32_t *stratum, *block; /* of a review, from 0 */
    const iv_str *docno;
    const uint32_t *order; /* items in the order of judging */
    size_t count;
    size_t control; /* the first items are its control sample, so many */
    size_t open, cannot, undecided;
    size_t conflicts, one_of_two; /* items in these states */
} iv_combined;

/* As how says (NULL: the usual way).  IV_EARG for a name that no assessor has.  with_names:
 * docnos too. */
IV_MUST_CHECK int iv_store_combine(iv_combined *out, iv_arena *a, iv_store *s,
                                   const iv_export_options *how, bool with_names, iv_err *err);

/* How many items from `first` on, of `count`, are settled before the first that is not. */
size_t iv_combined_prefix(const iv_combined *c, size_t first, size_t count, bool with_cannot);

/* A label (IV_SQL_FIRSTS) of an assessor, of all items that one has judged, in their order. */
typedef struct iv_store_label {
    int64_t item, assessor;
    int32_t grade;
} iv_store_label;
IV_MUST_CHECK int iv_store_labels(const iv_store_label **out, size_t *count, iv_arena *a,
                                  iv_store *s, iv_err *err);

/* A tag: a word such as #wrong-design in the last note of somebody on a document. */
typedef struct iv_store_tag {
    const char *name;
    size_t documents, excluded; /* excluded: judged as not relevant */
} iv_store_tag;
IV_MUST_CHECK int iv_store_tags(const iv_store_tag **out, size_t *count, iv_arena *a, iv_store *s,
                                const iv_combined *c, iv_err *err);

/* The next tag of a note, without its sign, or what stands before it; false: there is none. */
bool iv_next_tag(iv_str *tag, iv_str *note);

/* The strata of a review, as the file has them that it was made from, which is called `name` in
 * messages.  IV_EPARSE, with the line, where the session has others, or other items to judge. */
IV_MUST_CHECK int iv_store_strata(const iv_strata_table **out, iv_arena *a, iv_store *s,
                                  const char *name, iv_err *err);

/* The file that an export fills in. */
IV_MUST_CHECK int iv_store_form_text(iv_str *out, iv_arena *a, iv_store *s, iv_err *err);

#endif
