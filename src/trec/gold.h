/* SPDX-License-Identifier: Apache-2.0 */
/* The column of true classes, and the columns of systems beside it. */
#ifndef IV_TREC_GOLD_H
#define IV_TREC_GOLD_H

#include "base/listing.h"
#include "base/order.h"
#include "intervale/trec/delimited_tables.h"

/* Is it gold, label, truth, y_true or target? */
bool iv_is_gold_name(iv_str column);

/* The column of that name; NULL: the one with such a name, but for those that are named for
 * something else.  Refuses a table without it, and says what it has, or with several. */
IV_MUST_CHECK int iv_gold_column(size_t *out, const iv_csv *t, const char *name,
                                 const iv_texts *others, iv_err *err);

enum { IV_GOLD_NOTE = 1536 };

/* Which column was taken for gold; "": it is called so, or its name was given. */
const char *iv_gold_note(char out[IV_GOLD_NOTE], iv_str column, const char *given);

/* Which columns of the file iv_drop_gold_names() took out; "": none. */
const char *iv_left_note(char out[IV_GOLD_NOTE], iv_listing *left, const char *path);

/*
 * The columns of systems: those named, in that order, or all but an index and those taken for
 * something else (IV_NONE: nothing).  Refuses a name that is not there, is there twice or is taken,
 * and columns without a name.  `out` has room for all columns.
 */
IV_MUST_CHECK int iv_system_columns(size_t *out, size_t *count, const iv_csv *t,
                                    const iv_texts *named, const size_t *taken,
                                    size_t taken_count, iv_err *err);

/* Takes those that have a name of gold or ids, or this one, out of a list of several columns of
 * systems that nobody named, and says which; refuses where none is left. */
IV_MUST_CHECK int iv_drop_gold_names(iv_listing *left, size_t *columns, size_t *count,
                                     const iv_csv *t, iv_str gold, iv_err *err);

/* The label 1 or 0 where it is written as programs write truth (1.0, True, true, TRUE; 0.0, ...);
 * any other as it is. */
iv_str iv_bit_of(iv_str label);

/* Refuses a table that has an id twice, by the first such line; *out (unless NULL) is the ids in
 * their order, to be given to free().  Without a column of ids there is nothing to refuse. */
IV_MUST_CHECK int iv_ids_once(iv_named **out, const iv_csv *t, size_t column, iv_err *err);

/* Takes the first of these columns that can only be ids out of the list, where scores are
 * expected: no cell begins as a number does or is missing, none is there twice.  Its name; "":
 * there is none. */
iv_str iv_drop_text_ids(size_t *columns, size_t *count, const iv_csv *t);

/* Which row of the predictions is of which item of t: each has one, by the columns of ids, which
 * both must have.  *out is to be given to free(). */
IV_MUST_CHECK int iv_join_ids(size_t **out, const iv_csv *t, const iv_csv *predictions,
                              iv_err *err);

#endif
