/* SPDX-License-Identifier: Apache-2.0 */
/* What roc is asked about: items of two classes, from a table or from memory. */
#include <string.h>

#include "answer/roc_parts.h"
#include "answer/run_notes.h"
#include "trec/class_columns.h"
#include "trec/csv.h"
#include "trec/gold.h"

int iv_roc_scores(iv_scored_system *systems, const size_t *columns, size_t count, const iv_csv *t,
                  const char *path, iv_arena *memory, iv_err *err)
{
    const size_t items = iv_csv_rows(t);
    char quoted[IV_QUOTE_SIZE];

    for (size_t k = 0; k < count; k++) {
        double *scores = iv_take(memory, items, sizeof *scores);
        systems[k].name = iv_arena_copy(memory, iv_csv_column(t, columns[k]));
        systems[k].scores = scores;
        IV_TRY(iv_taken(memory, err));
        for (size_t i = 0; i < items; i++) {
            const iv_str cell = iv_csv_cell(t, i, columns[k]);
            if (iv_csv_is_missing(cell))
                return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, i), "the score of %s is "
                                  "missing, expected one of each item", systems[k].name);
            if (!iv_scan_real(&scores[i], cell))
                return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, i), "the score %s of %s, "
                                  "expected a number" IV_HINT("; --system names the columns of systems"),
                                  iv_quote(quoted, cell), systems[k].name);
        }
    }
    return IV_OK;
}

/* Each pair of them is compared. */
static int check_count(const iv_roc_items *s, const char *path, iv_err *err)
{
    return s->count <= IV_ROC_MOST_SYSTEMS ? IV_OK
        : iv_fail_at(err, IV_EPARSE, path, path != NULL ? 1 : 0, "%zu systems, each pair of which "
                     "is compared, expected %d at most: name those that matter"
                     IV_HINT(" (--system)"),
                     s->count, IV_ROC_MOST_SYSTEMS);
}

/* The columns of the positive class, where each of three or more has its own; none: they have not. */
static int take_class(iv_roc_items *s, size_t *column, const iv_roc_question *q, const iv_csv *t,
                      const char *path, iv_arena *memory, iv_err *err)
{
    iv_class_table c = { 0 };
    iv_err why;
    bool many;

    IV_TRY(iv_class_many(&many, t, q->gold, &q->named, path, err));
    if (!many || iv_class_columns(&c, t, q->gold, &q->named, path, memory, &why) != IV_OK)
        return iv_taken(memory, err);
    for (size_t k = 0; k < c.classes; k++)
        for (size_t i = 0; i < c.system_count && strcmp(c.names[k], q->positive) == 0; i++)
            column[s->count++] = c.systems[i].columns[k];
    for (size_t k = 0; k < c.classes * c.system_count && s->count > 0; k++)
        if (strcmp(c.names[k % c.classes], q->positive) != 0)
            iv_list_quoted(&s->rest, iv_csv_column(t, c.systems[k / c.classes].columns[k % c.classes]));
    for (size_t k = 0; k < c.other_count && s->count > 0; k++)
        iv_list_quoted(&s->rest, iv_csv_column(t, c.others[k]));
    return IV_OK;
}

/* All columns that are a system's. */
static int take_systems(iv_roc_items *s, size_t *column, const iv_roc_question *q, const iv_csv *t,
                        const size_t taken[2], const char *path, iv_err *err)
{
    IV_TRY(iv_system_columns(column, &s->count, t, &q->named, taken, 2, path, err));
    if (q->named.count == 0 && taken[1] == IV_NONE)
        s->ids = iv_drop_text_ids(column, &s->count, t);
    if (q->named.count == 0)
        IV_TRY(iv_drop_gold_names(&s->left, column, &s->count, t, s->gold, path, err));
    return s->count > 0 ? IV_OK
        : iv_fail_at(err, IV_EPARSE, path, 1, "no column of scores beside what the items are, "
                     "expected one or more");
}

static int read_table(iv_roc_items *s, const iv_roc_question *q, const iv_csv *t, const char *path,
                      iv_arena *memory, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    size_t taken[2] = { IV_NONE, iv_id_column(t) }, *column;

    IV_TRY(iv_gold_column(&taken[0], t, q->gold, &q->named, path, err));
    IV_TRY(iv_ids_once(NULL, t, taken[1], path, err));
    s->items = iv_csv_rows(t);
    s->positive = iv_take(memory, s->items, sizeof *s->positive);
    s->systems = iv_take(memory, iv_csv_columns(t), sizeof *s->systems);
    column = iv_take(memory, iv_csv_columns(t), sizeof *column);
    IV_TRY(iv_taken(memory, err));
    s->gold = iv_csv_column(t, taken[0]);
    if (q->positive != NULL && q->named.count == 0)
        IV_TRY(take_class(s, column, q, t, path, memory, err));
    if (s->count == 0)
        IV_TRY(take_systems(s, column, q, t, taken, path, err));
    IV_TRY(check_count(s, path, err));
    const iv_str wanted = iv_str_of(q->positive != NULL ? q->positive : "1");
    for (size_t i = 0; i < s->items; i++) {
        const iv_str cell = iv_csv_cell(t, i, taken[0]);
        const iv_str label = q->positive == NULL ? iv_bit_of(cell) : cell;
        s->positive[i] = iv_str_cmp(label, wanted) == 0;
        if (iv_csv_is_missing(label) && !(s->positive[i] && label.len > 0))
            return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, i), "the gold label is "
                              "missing%s%s", label.len > 0 ? ": " : "",
                              label.len > 0 ? iv_quote(quoted, label) : "");
        if (q->positive == NULL && !s->positive[i] && iv_str_cmp(label, iv_str_of("0")) != 0)
            return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, i), "label %s, expected 0 "
                              "or 1, unless the positive label is given"
                              IV_HINT(" (--positive LABEL, and --system NAME where each class has a "
                                      "column)"),
                              iv_quote(quoted, label));
    }
    return iv_roc_scores(s->systems, column, s->count, t, path, memory, err);
}

int iv_roc_read(iv_roc_items *s, const iv_roc_question *q, const iv_csv *t, const char *path,
                iv_arena *memory, iv_err *err)
{
    int rc = IV_OK;

    if (t != NULL) {
        rc = read_table(s, q, t, path, memory, err);
    } else {
        s->count = q->system_count;
        s->items = q->items;
        s->systems = iv_take(memory, s->count, sizeof *s->systems);
        s->positive = iv_take(memory, s->items, sizeof *s->positive);
        IV_TRY(iv_taken(memory, err));
        if (s->count == 0 || s->items == 0)
            return iv_fail(err, IV_ENODATA, "no scores, expected a file or items");
        IV_TRY(check_count(s, NULL, err));
        if (q->systems == NULL || q->is_positive == NULL)
            return iv_fail(err, IV_EARG, "a list of the %s is NULL",
                           q->systems == NULL ? "systems" : "items");
        memcpy(s->systems, q->systems, s->count * sizeof *s->systems);
        memcpy(s->positive, q->is_positive, s->items * sizeof *s->positive);
    }
    for (size_t i = 0; i < s->items && rc == IV_OK; i++)
        s->positives += s->positive[i];
    if (rc == IV_OK && (s->positives == 0 || s->positives == s->items))
        return iv_fail_at(err, IV_ENODATA, q->file, 0, "%s %zu item%s %s positive, expected "
                          "positive and negative ones", s->positives > 0 ? "all" : "none of", s->items,
                          iv_plural(s->items), s->positives > 0 ? "are" : "is");
    return rc;
}

void iv_roc_tell_columns(iv_result *out, iv_roc_items *s, const iv_roc_question *q,
                         const char *path)
{
    char quoted[IV_QUOTE_SIZE], note[IV_GOLD_NOTE];

    if (s->gold.len > 0 && *iv_gold_note(note, s->gold, q->gold) != '\0')
        iv_result_note(out, "%s", note);
    if (*iv_left_note(note, &s->left, path) != '\0')
        iv_result_note(out, "%s", note);
    if (s->rest.count > 0)
        iv_result_note(out, "only scores of %s are taken; left out: %s", q->positive,
                       iv_listed(&s->rest));
    if (s->ids.len > 0)
        iv_result_note(out, "column %s is taken for the ids: no number, every text once",
                       iv_quote(quoted, s->ids));
}
