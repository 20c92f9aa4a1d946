/* SPDX-License-Identifier: Apache-2.0 */
/* Which tables answers have, and what their columns mean: help, without a question. */
#ifndef INTERVALE_ANSWER_COLUMNS_H
#define INTERVALE_ANSWER_COLUMNS_H

#include "intervale/base.h"

IV_BEGIN_C

/*
 * A table of a command.  Its fields are all columns that it can have, of which an answer
 * has those that the question needs; a name in capitals stands for one column a
 * measure, system or class.  Where a table is made in several ways it is listed as often,
 * one after another.
 */
typedef struct iv_known_table {
    const char *command, *table;
    const iv_field *fields; /* ends with a name that is NULL; only name and about mean
                               something here */
} iv_known_table;

/* All of them, in the order of commands; static.  Cannot fail. */
IV_API size_t iv_known_tables(const iv_known_table **out);

IV_END_C

#endif /* INTERVALE_ANSWER_COLUMNS_H */
