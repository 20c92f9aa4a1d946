/* SPDX-License-Identifier: Apache-2.0 */
/* How a table is read as a matrix of scores. */
#ifndef IV_TREC_MATRIX_H
#define IV_TREC_MATRIX_H

#include "trec/csv.h"

/*
 * Do the cells of the first column name the rows?  They do unless all are
 * numbers and either one of them has a fraction or one stands there twice,
 * which no name would.
 */
bool iv_csv_rows_named(const iv_csv *t, iv_problems *problems);

/* Are all cells, but the names, numbers or empty, and at least one a number? */
bool iv_csv_is_matrix(const iv_csv *t, bool rows_named);

/* Has the column that names the rows a usual name of topics, such as topic or query_id? */
bool iv_matrix_rows_are_called_topics(const iv_matrix *m);

/* Did the file name its rows, or were they numbered? */
bool iv_matrix_rows_named(const iv_matrix *m);

#endif /* IV_TREC_MATRIX_H */
