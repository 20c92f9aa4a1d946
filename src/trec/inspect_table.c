/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "trec/inspect.h"
#include "trec/matrix.h"

void iv_inspect_table(iv_inspector *i)
{
    iv_csv *t = calloc(1, sizeof *t);

    if (t == NULL) {
        i->problems.no_memory = true;
        return;
    }
    t->bytes = i->bytes;
    i->view.format = "table";
    iv_csv_read(t, true, &i->problems);
    i->view.topics = t->columns;
    i->view.records = t->row_count;
    if (t->row_count > 0) {
        const bool named = iv_csv_rows_named(t, &i->problems);
        if (iv_csv_is_matrix(t, named)) {
            i->view.kind = IV_FILE_MATRIX;
            i->view.format = "matrix of numbers";
            i->view.topics = t->columns - named;
            if (!named)
                iv_complain(&i->problems, iv_csv_line(t, 0), IV_WARNING,
                            "the rows have no names; they are numbered from 1");
        }
    }
    t->bytes = (iv_bytes){ 0 }; /* the inspector's own */
    iv_csv_free(t);
}
