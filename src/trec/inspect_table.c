/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/listing.h"
#include "trec/fields.h"
#include "trec/gold.h"
#include "trec/inspect.h"
#include "trec/matrix.h"
#include "trec/trec_private.h"

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

/* Labels, and something that says them too. */
static bool is_labels(const iv_csv *t)
{
    bool gold = false;

    for (size_t c = 0; c < iv_csv_columns(t); c++)
        gold = gold || iv_is_gold_name(iv_csv_column(t, c));
    return gold && iv_csv_columns(t) > 1 + (size_t)(iv_id_column(t) != IV_NONE);
}

/* By the names that readers know columns by; a table may be of several kinds. */
static void look_at_columns(iv_inspector *i, const iv_csv *t)
{
    static const struct { const char *what, *columns[4]; } others[] = {
        { "strata", { "stratum", "N", "n", "r" } },
        { "a log of a review", { "stratum", "relevant" } },
        { "counts", { "tp", "fp", "fn" } },
        { "observed costs", { "certainty", "topics", "judgments" } },
    };
    const bool topics = iv_topic_column(t) != IV_NONE;
    iv_listing may = { .most = 16 }, there = { .most = 8 };

    if (is_labels(t))
        iv_list(&may, "labels");
    if (iv_csv_is_scores(t))
        iv_list(&may, "scores");
    if (iv_csv_is_assessments(t))
        iv_list(&may, "labels by several assessors");
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        bool all = true;
        for (size_t c = 0; c < 4 && others[k].columns[c] != NULL; c++)
            all = all && iv_csv_find(t, iv_str_of(others[k].columns[c])) != IV_NONE;
        if (all)
            iv_list(&may, "%s", others[k].what);
    }
    if (topics && iv_csv_find(t, iv_str_of("group")) != IV_NONE)
        iv_list(&may, "groups of topics");
    if (topics && iv_document_column(t) != IV_NONE
        && iv_csv_find(t, iv_str_of("weight")) != IV_NONE)
        iv_list(&may, "weights of documents");
    if (may.count == 0 && iv_id_column(t) != IV_NONE)
        iv_list(&may, "predictions without gold labels, or labels by several assessors");
    for (size_t c = 0; c < t->columns; c++)
        iv_list_quoted(&there, iv_csv_column(t, c));
    if (may.count > 0)
        i->columns_of = iv_arena_copy(&i->text, iv_str_of(iv_listed(&may)));
    else if (i->view.kind != IV_FILE_MATRIX)
        iv_complain(&i->problems, 1, IV_WARNING, "no column has a name that says what the table "
                    "is, such as gold, score or stratum; there is %s", iv_listed(&there));
    i->problems.no_memory = i->problems.no_memory
        || (may.count > 0 && i->columns_of == NULL);
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
        look_at_columns(i, t);
    }
    t->bytes = (iv_bytes){ 0 }; /* the inspector's own */
    iv_csv_free(t);
}
