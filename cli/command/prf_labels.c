/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of labels: id, gold, then a column a system.
 *
 * A label that gold never gives is refused, as it is more often a misspelling
 * than an answer: --classes names the classes there are.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "intervale/trec.h"
#include "command/prf_input.h"

typedef struct reader {
    const char *path;
    iv_csv *csv;
    size_t id, gold;
    size_t *system; /* columns */
    size_t systems;
    const char **classes; /* in the order of their numbers */
    size_t class_count;
    bool binary; /* 0 and 1, or --positive against the rest */
    const char *positive;
    iv_err *err;
} reader;

static int refuse(const reader *r, size_t row, const char *what)
{
    return iv_fail_at(r->err, IV_EPARSE, r->path, iv_csv_line(r->csv, row), "%s", what);
}

static bool is(iv_str s, const char *text)
{
    return s.len == strlen(text) && memcmp(s.ptr, text, s.len) == 0;
}

static int find_columns(reader *r)
{
    const size_t n = iv_csv_columns(r->csv);

    r->id = iv_csv_find(r->csv, iv_str_of("id"));
    r->gold = iv_csv_find(r->csv, iv_str_of("gold"));
    if (r->id == IV_NONE || r->gold == IV_NONE)
        return iv_fail_at(r->err, IV_EPARSE, r->path, 1, "no column '%s'; expected a "
                          "header 'id', 'gold' and a name for each system, separated by "
                          "commas, tabs or blanks", r->id == IV_NONE ? "id" : "gold");
    r->system = calloc(n, sizeof *r->system);
    if (r->system == NULL)
        return iv_fail(r->err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++) {
        if (i == r->id || i == r->gold)
            continue;
        if (iv_csv_column(r->csv, i).len == 0)
            return iv_fail_at(r->err, IV_EPARSE, r->path, 1, "column %zu has no name", i + 1);
        r->system[r->systems++] = i;
    }
    if (r->systems == 0)
        return iv_fail_at(r->err, IV_EPARSE, r->path, 1, "no column of a system after id "
                          "and gold");
    return IV_OK;
}

/* ----------------------------------------------------------- duplicates -- */

typedef struct id_line {
    iv_str id;
    size_t row;
} id_line;

static int by_id(const void *a, const void *b)
{
    const id_line *x = a, *y = b;
    const int order = iv_str_cmp(x->id, y->id);

    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static int check_ids(const reader *r)
{
    const size_t n = iv_csv_rows(r->csv);
    id_line *all = calloc(n, sizeof *all);
    size_t worst = n, first = 0;

    if (all == NULL)
        return iv_fail(r->err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        all[i] = (id_line){ iv_csv_cell(r->csv, i, r->id), i };
    qsort(all, n, sizeof *all, by_id);
    for (size_t i = 1; i < n; i++) {
        if (iv_str_cmp(all[i - 1].id, all[i].id) == 0 && all[i].row < worst) {
            worst = all[i].row;
            first = all[i - 1].row;
        }
    }
    free(all);
    if (worst == n)
        return IV_OK;
    char quoted[IV_QUOTE_SIZE], what[IV_QUOTE_SIZE + 64];
    (void)snprintf(what, sizeof what, "the id %s is there twice, first in line %llu",
                   iv_quote(quoted, iv_csv_cell(r->csv, worst, r->id)),
                   (unsigned long long)iv_csv_line(r->csv, first));
    return refuse(r, worst, what);
}

/* -------------------------------------------------------------- classes -- */

static size_t class_of(const reader *r, iv_str label)
{
    for (size_t i = 0; i < r->class_count; i++) {
        if (is(label, r->classes[i]))
            return i;
    }
    return IV_NONE;
}

static int add_class(reader *r, prf_input *in, iv_str name)
{
    const char **grown = realloc(r->classes, (r->class_count + 1) * sizeof *grown);

    if (grown == NULL)
        return iv_fail(r->err, IV_ENOMEM, "out of memory");
    r->classes = grown;
    r->classes[r->class_count] = prf_keep(in, name);
    if (r->classes[r->class_count] == NULL)
        return iv_fail(r->err, IV_ENOMEM, "out of memory");
    r->class_count++;
    return IV_OK;
}

/* The classes that --classes lists. */
static int listed_classes(reader *r, prf_input *in, const char *list)
{
    for (const char *p = list;; p++) {
        const size_t len = strcspn(p, ",");
        if (len == 0 || class_of(r, (iv_str){ p, len }) != IV_NONE)
            return cmd_usage(r->err, "option '--classes': a name is empty or there twice");
        const int rc = add_class(r, in, (iv_str){ p, len });
        if (rc < 0 || p[len] == '\0')
            return rc;
        p += len;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The labels gold gives, in byte order; "0" and "1" are there together. */
static int found_classes(reader *r, prf_input *in)
{
    int rc = IV_OK;

    for (size_t i = 0; i < iv_csv_rows(r->csv) && rc == IV_OK; i++) {
        const iv_str label = iv_csv_cell(r->csv, i, r->gold);
        if (label.len == 0)
            return refuse(r, i, "the gold label is missing");
        if (class_of(r, label) == IV_NONE)
            rc = add_class(r, in, label);
    }
    bool bits = rc == IV_OK;
    for (size_t i = 0; i < r->class_count; i++)
        bits = bits && (strcmp(r->classes[i], "0") == 0 || strcmp(r->classes[i], "1") == 0);
    for (int k = 0; k < 2 && bits && rc == IV_OK; k++) {
        const iv_str bit = iv_str_of(k == 0 ? "0" : "1");
        if (class_of(r, bit) == IV_NONE)
            rc = add_class(r, in, bit);
    }
    if (rc == IV_OK && r->class_count > 1)
        qsort(r->classes, r->class_count, sizeof *r->classes, by_name);
    r->binary = bits;
    return rc;
}

static int find_classes(reader *r, prf_input *in, const prf_source *from)
{
    char quoted[IV_QUOTE_SIZE];
    int rc = from->classes != NULL ? listed_classes(r, in, from->classes)
                                   : found_classes(r, in);

    if (rc != IV_OK)
        return rc;
    if (from->positive != NULL) {
        r->binary = true;
        r->positive = from->positive;
        if (class_of(r, iv_str_of(from->positive)) == IV_NONE)
            return iv_fail_at(r->err, IV_EPARSE, r->path, 1, "no gold label is %s, which "
                              "--positive names",
                              iv_quote(quoted, iv_str_of(from->positive)));
    } else if (r->binary) {
        r->positive = "1";
    }
    if (!r->binary && r->class_count < 2)
        return iv_fail_at(r->err, IV_EPARSE, r->path, 1, "gold gives one label only, %s; "
                          "name the others with --classes",
                          iv_quote(quoted, iv_str_of(r->classes[0])));
    if (r->class_count > 1000)
        return iv_fail_at(r->err, IV_EPARSE, r->path, 1, "%zu classes, expected 1000 at "
                          "most", r->class_count);
    return IV_OK;
}

/* --------------------------------------------------------------- labels -- */

static int read_label(int32_t *out, const reader *r, size_t row, size_t column)
{
    const iv_str label = iv_csv_cell(r->csv, row, column);
    char what[3 * IV_QUOTE_SIZE], quoted[2][IV_QUOTE_SIZE];
    const size_t k = class_of(r, label);

    if (k != IV_NONE) {
        *out = r->binary ? (int32_t)is(label, r->positive) : (int32_t)k;
        return IV_OK;
    }
    (void)iv_quote(quoted[0], iv_csv_column(r->csv, column));
    if (label.len == 0)
        (void)snprintf(what, sizeof what, "the label of %s is missing", quoted[0]);
    else
        (void)snprintf(what, sizeof what, "unknown label %s of %s; gold never gives it "
                       "(--classes names the classes there are)", iv_quote(quoted[1], label),
                       quoted[0]);
    return refuse(r, row, what);
}

static int read_labels(const reader *r, prf_input *in)
{
    const size_t rows = iv_csv_rows(r->csv), wide = r->systems + 1;
    int rc = IV_OK;

    in->labels = calloc(rows * wide, sizeof *in->labels);
    if (in->labels == NULL)
        return iv_fail(r->err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < rows; i++) {
        if (iv_csv_cell(r->csv, i, r->id).len == 0)
            return refuse(r, i, "the id is missing");
        for (size_t s = 0; s < wide && rc == IV_OK; s++)
            rc = read_label(&in->labels[i * wide + s], r, i,
                            s == 0 ? r->gold : r->system[s - 1]);
        if (rc < 0)
            return rc;
    }
    in->labelled = true;
    in->multiclass = !r->binary;
    in->items = (iv_prf_items){ rows, r->systems, r->binary ? 2 : (int32_t)r->class_count,
                                in->labels };
    return IV_OK;
}

/* Counts of every system and class. */
static int count_up(const reader *r, prf_input *in)
{
    const int32_t k = in->items.classes;
    int64_t *matrix = calloc((size_t)k * (size_t)k, sizeof *matrix);
    int rc = IV_OK;

    if (matrix == NULL)
        return iv_fail(r->err, IV_ENOMEM, "out of memory");
    for (size_t s = 0; s < r->systems && rc == IV_OK; s++) {
        const char *name = prf_keep(in, iv_csv_column(r->csv, r->system[s]));
        if (name == NULL)
            rc = iv_fail(r->err, IV_ENOMEM, "out of memory");
        iv_prf_confusion(matrix, &in->items, s);
        for (int32_t c = r->binary ? 1 : 0; c < k && rc == IV_OK; c++) {
            const iv_prf_counts counts = iv_prf_one_against_rest(matrix, k, c);
            rc = prf_add(in, name, r->binary ? NULL : r->classes[c], &counts, r->err);
        }
    }
    free(matrix);
    return rc;
}

int prf_labels_read(prf_input *in, cmd_context *c, const prf_source *from, iv_err *err)
{
    reader r = { .path = from->labels, .err = err };
    int rc = iv_csv_load(&r.csv, from->labels, err);

    if (rc < 0)
        return rc;
    iv_result_input(c->result, from->labels, iv_csv_bytes(r.csv));
    rc = find_columns(&r);
    if (rc == IV_OK)
        rc = check_ids(&r);
    if (rc == IV_OK)
        rc = find_classes(&r, in, from);
    if (rc == IV_OK)
        rc = read_labels(&r, in);
    if (rc == IV_OK)
        rc = count_up(&r, in);
    iv_csv_free(r.csv);
    free(r.system);
    free(r.classes);
    return rc;
}
