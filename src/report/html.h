/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of an HTML report. */
#ifndef IV_REPORT_HTML_H
#define IV_REPORT_HTML_H

#include "report/json_write.h"
#include "report/plot.h"

/* Rows of a table that stand in the page itself; the script shows the others. */
enum { IV_HTML_ROWS = 200 };

/* Text of any origin, safe as text of an element and inside quotes. */
void iv_html_text(FILE *out, iv_str s);

/* A table to read: its first rows, and what sorts and saves it. */
void iv_html_table(FILE *out, const iv_table *t, size_t number);

/* All cells of the table, for the script: column by column, exact. */
IV_MUST_CHECK int iv_html_data(iv_json *j, const iv_table *t, iv_err *err);

#endif /* IV_REPORT_HTML_H */
