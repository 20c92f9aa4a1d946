/* SPDX-License-Identifier: Apache-2.0 */
/* An export being written. */
#ifndef IV_STORE_EXPORT_PARTS_H
#define IV_STORE_EXPORT_PARTS_H

#include "store/combined.h"

typedef struct iv_exporting {
    iv_store *s;
    FILE *out;
    iv_arena *memory;
    iv_store_form form;
    bool partial;
    iv_combined all;
    size_t prefix;      /* of a review */
    iv_exported done;
} iv_exporting;

/* The file it was made from, with grades; or its table of strata, with n and r. */
IV_MUST_CHECK int iv_export_form(iv_exporting *x, iv_err *err);
IV_MUST_CHECK int iv_export_strata(iv_exporting *x, iv_err *err);

/* A cell of a table, quoted if need be, and what follows it. */
void iv_export_cell(FILE *out, const char *text, bool last);

/* What a partial export does with a topic of a sample. */
typedef struct iv_prefix_topic {
    size_t prefix; /* of its items, in the order of judging */
    bool told;     /* an estimate can be had */
} iv_prefix_topic;

/* Of each topic of the session; of the arena. */
IV_MUST_CHECK int iv_export_prefixes(const iv_prefix_topic **out, iv_exporting *x, iv_str form,
                                     iv_err *err);

#endif /* IV_STORE_EXPORT_PARTS_H */
