/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/base.h beside what programs do. */
#ifndef IV_BASE_BASE_PRIVATE_H
#define IV_BASE_BASE_PRIVATE_H

#include "intervale/base.h"

/* Hands an error on to the caller: copies it to err (which may be NULL) and returns
 * its code. */
int iv_fail_as(iv_err *err, const iv_err *why);

void iv_result_input(iv_result *r, const char *path, uint64_t bytes);

/* A note on how to read what is shown, or how it was made: pages have it beside the tables. */
void iv_result_legend(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/* A legend of what only people's columns have, such as stars: for text, markdown and latex. */
void iv_result_key(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

bool iv_result_wants_charts(const iv_result *r);

/* Wants the tables of `showing` and those before it in iv_showing, or only the one
 * that is named ("": only the first); and charts or not.  See iv_report_wish(). */
void iv_result_wish(iv_result *r, const char *table, iv_showing showing, bool charts);

/* SIZE_MAX: none */
iv_cell iv_table_cell(const iv_table *t, size_t row, size_t column);

/* Is it what people call a row of totals or means: "Total", "all", "average"? */
bool iv_is_summary_word(iv_str name);

#endif /* IV_BASE_BASE_PRIVATE_H */
