/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a table by what they hold, with the file and line in each error. */
#ifndef IV_TREC_ROLES_H
#define IV_TREC_ROLES_H

#include "base/listing.h"
#include "base/memory.h"
#include "base/order.h"
#include "intervale/trec.h"

/* What a column holds.  Messages say the first of its names. */
typedef struct iv_column_role {
    const char *names; /* separated by commas */
    bool optional, whole;
    double low, high;  /* of numbers */
} iv_column_role;

/* Those of topics and items, in every kind of table. */
extern const iv_column_role iv_topic_role, iv_item_role;

/* The column of a role; IV_NONE: there is none. */
size_t iv_role_column(const iv_csv *t, const iv_column_role *role);

/* The same for several roles: out[i] is that of roles[i].  Refuses a table without a required
 * one, and says which it has, and behind that what is expected, "" or "; ...". */
IV_MUST_CHECK int iv_role_columns(size_t *out, const iv_csv *t, const iv_column_role *roles,
                                  size_t count,
                                  const char *expected, iv_err *err);

/* A cell that is a number within the limits of its role. */
IV_MUST_CHECK int iv_role_number(double *out, const iv_csv *t, size_t row, size_t column,
                                 const iv_column_role *role, iv_err *err);

/* Refuses a row by its line; IV_NONE: the header. */
int iv_csv_refuse(const iv_csv *t, size_t row, iv_err *err, const char *fmt, ...) IV_PRINTF(4, 5);

/* Refuses a table without that column, and says which it has. */
int iv_csv_lacks(const iv_csv *t, const iv_column_role *role, const char *expected, iv_err *err);

/* The columns of a table of items: which items there are, what they are in truth, and what
 * systems say of them. */

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

/* The column of ids: id, or the first one if it has no name, as data frames write their index,
 * or is called index or "Unnamed: 0", as they read it.  IV_NONE: there is none, and an item is
 * known by its row. */
size_t iv_id_column(const iv_csv *t);

/* Refuses a table that needs ids and has none. */
IV_MUST_CHECK int iv_no_ids(const iv_csv *t, iv_err *err);

/* Has it the columns of scores one a record; of labels by several assessors? */
bool iv_csv_is_scores(const iv_csv *t);
bool iv_csv_is_assessments(const iv_csv *t);

/*
 * The columns of systems: those named, in that order, or all but an index and those taken for
 * something else (IV_NONE: nothing).  Refuses a name that is not there, is there twice or is taken,
 * and columns without a name.  `out` has room for all columns.
 */
IV_MUST_CHECK int iv_system_columns(size_t *out, size_t *count, const iv_csv *t,
                                    const iv_texts *named, const size_t *taken,
                                    size_t taken_count, iv_err *err);

/* Takes those that have a name of gold, or this one, out of a list of several columns of systems
 * that nobody named, and says which; refuses where none is left. */
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

/* Tables with a column of scores for each class, as predict_proba() and its kin give them. */

enum { IV_CLASS_MOST = 1000 };

/* A system: its columns are called `before` CLASS `behind`, of which one at least is empty. */
typedef struct iv_class_system {
    const char *name; /* what is beside the class, without what parts them; "scores": nothing is */
    iv_str before, behind;
    size_t *columns;  /* by class */
} iv_class_system;

typedef struct iv_class_table {
    const char **names; /* of the classes of gold, in the order of the first system's columns */
    size_t classes, items;
    size_t gold;        /* its column */
    size_t *is;         /* the class of each item */
    iv_class_system *systems;
    size_t system_count;
    size_t *others;     /* columns that are no system's score of a class of gold */
    size_t other_count;
} iv_class_table;

/* Are there three gold labels or more?  Missing ones are none. */
IV_MUST_CHECK int iv_class_many(bool *out, const iv_csv *t, const char *gold,
                                const iv_texts *named, iv_err *err);

/*
 * Finds the classes, and all systems or those named.  Refuses a gold label or a name of a column
 * that is missing, an id that is there twice, more classes than IV_CLASS_MOST, and a class that
 * has no column.
 */
IV_MUST_CHECK int iv_class_columns(iv_class_table *out, const iv_csv *t, const char *gold,
                                   const iv_texts *named, iv_arena *memory,
                                   iv_err *err);

#endif /* IV_TREC_ROLES_H */
