/* SPDX-License-Identifier: Apache-2.0 */
/* Columns with a probability for each class. */
#ifndef IV_TREC_CLASS_COLUMNS_H
#define IV_TREC_CLASS_COLUMNS_H

#include "base/memory.h"
#include "intervale/trec/delimited_tables.h"

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
IV_MUST_CHECK int iv_gold_multiclass(bool *out, const iv_csv *t, const char *gold,
                                const iv_texts *named, iv_err *err);

/*
 * Finds the classes, and all systems or those named.  Refuses a gold label or a name of a column
 * that is missing, an id that is there twice, more classes than IV_CLASS_MOST, and a class that
 * has no column.
 */
IV_MUST_CHECK int iv_class_columns(iv_class_table *out, const iv_csv *t, const char *gold,
                                   const iv_texts *named, iv_arena *memory,
                                   iv_err *err);

/* The class that a column beside those of gold would be of; its name is empty: of none. */
iv_str iv_class_of_column(iv_str column, const iv_class_system *s);

#endif
