/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a table by what they hold, and their cells with the file and line in each error. */
#ifndef IV_TREC_ROLES_H
#define IV_TREC_ROLES_H

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

#endif /* IV_TREC_ROLES_H */
