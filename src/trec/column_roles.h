/* SPDX-License-Identifier: Apache-2.0 */
/* Which column of a table has which role: ids, systems, numbers. */
#ifndef IV_TREC_COLUMN_ROLES_H
#define IV_TREC_COLUMN_ROLES_H

#include "intervale/trec/delimited_tables.h"

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

/* Has each row its own name there? */
bool iv_csv_all_differ(const iv_csv *t, size_t column);

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

/* The column of ids: id, or the first one if it has no name, as data frames write their index,
 * or is called index or "Unnamed: 0", as they read it, or that of items, or that of topics if they
 * differ.  IV_NONE: there is none, and an item is known by its row. */
size_t iv_id_column(const iv_csv *t);

/* Refuses a table that needs ids and has none. */
IV_MUST_CHECK int iv_no_ids(const iv_csv *t, iv_err *err);

/* Has it the columns of scores one a record; of labels by several assessors? */
bool iv_csv_is_scores(const iv_csv *t);
bool iv_csv_is_assessments(const iv_csv *t);

#endif
