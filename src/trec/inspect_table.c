/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "trec/fields.h"
#include "trec/inspect.h"
#include "trec/matrix.h"

/* What the reader of matrices would refuse; other readers of numbers may not. */
static void look_at_names(iv_inspector *i, const iv_csv *t)
{
    iv_ids seen = { 0 };

    for (size_t r = 0; r < t->row_count; r++) {
        char quoted[IV_QUOTE_SIZE];
        const size_t before = seen.count;
        if (iv_ids_add(&seen, iv_csv_cell(t, r, 0)) == IV_NO_ID)
            i->problems.no_memory = true;
        else if (seen.count == before)
            iv_complain(&i->problems, iv_csv_line(t, r), IV_WARNING,
                        "row %s again; a matrix of scores names each once",
                        iv_quote(quoted, iv_csv_cell(t, r, 0)));
    }
    iv_ids_free(&seen);
}

/* The same of scores that sums and squares would not hold. */
static void look_at_sizes(iv_inspector *i, const iv_csv *t, bool named)
{
    for (size_t r = 0; r < t->row_count; r++) {
        for (size_t c = named; c < t->columns; c++) {
            char row[IV_QUOTE_SIZE], quoted[IV_QUOTE_SIZE];
            const iv_str s = iv_csv_cell(t, r, c);
            double value;
            if (!iv_scan_real(&value, s) || fabs(value) <= IV_SCORE_MOST)
                continue;
            iv_complain(&i->problems, iv_csv_line(t, r), IV_WARNING,
                        "row %s has the score %s; a matrix of scores has them from -1e100 to 1e100",
                        iv_quote(row, iv_csv_cell(t, r, 0)), iv_quote(quoted, s));
            break;
        }
    }
}

void iv_inspect_table(iv_inspector *i)
{
    iv_csv *t = calloc(1, sizeof *t);

    if (t == NULL) {
        i->problems.no_memory = true;
        return;
    }
    t->bytes = i->bytes;
    i->view.format = "table";
    iv_csv_read(t, true, NULL, &i->problems);
    i->view.topics = t->columns;
    i->view.records = t->row_count;
    if (t->row_count > 0) {
        const bool named = iv_csv_rows_named(t, &i->problems);
        if (iv_csv_is_matrix(t, named)) {
            i->view.kind = IV_FILE_MATRIX;
            i->view.format = "matrix of numbers";
            i->view.topics = t->columns - named;
            look_at_sizes(i, t, named);
            if (named)
                look_at_names(i, t);
            else
                iv_complain(&i->problems, iv_csv_line(t, 0), IV_WARNING,
                            "the rows have no names; they are numbered from 1");
        }
    }
    t->bytes = (iv_bytes){ 0 }; /* the inspector's own */
    iv_csv_free(t);
}
