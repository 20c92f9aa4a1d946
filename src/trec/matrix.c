/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/matrix.h"

#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/ids.h"
#include "base/names.h"
#include "trec/score_records.h"
#include "trec/trec_private.h"

IV_NAMES(iv_matrix_rows_names, "systems", "topics")

struct iv_matrix {
    iv_csv *table; /* owns the names it has */
    iv_arena numbers; /* names of rows that the file does not name */
    iv_str *row_names;
    bool rows_named;
    iv_matrix_rows rows;
    double *values; /* row by row as in the file */
    size_t row_count, column_count;
};

bool iv_csv_rows_named(const iv_csv *t, iv_problems *problems)
{
    iv_ids seen = { 0 };
    bool fraction = false, numbers = true;

    for (size_t r = 0; r < t->row_count && numbers; r++) {
        const iv_str s = iv_csv_cell(t, r, 0);
        double value;
        int64_t whole;
        numbers = iv_scan_real(&value, s);
        fraction = fraction || !iv_scan_int(&whole, s, INT64_MIN, INT64_MAX);
        if (iv_ids_add(&seen, s) == IV_NO_ID)
            problems->no_memory = true;
    }
    const bool repeated = seen.count < t->row_count;
    iv_ids_free(&seen);
    return !numbers || (!fraction && !repeated);
}

bool iv_csv_is_matrix(const iv_csv *t, bool rows_named)
{
    size_t numbers = 0;

    for (size_t r = 0; r < t->row_count; r++) {
        for (size_t c = rows_named; c < t->columns; c++) {
            double value;
            const iv_str s = iv_csv_cell(t, r, c);
            const bool missing = iv_csv_is_missing(s);
            if (!missing && !iv_scan_real(&value, s))
                return false;
            numbers += !missing;
        }
    }
    return numbers > 0;
}

static void name_rows(iv_matrix *m, iv_problems *problems)
{
    iv_ids seen = { 0 };

    for (size_t r = 0; r < m->row_count && !problems->no_memory; r++) {
        char text[24], quoted[IV_QUOTE_SIZE];
        (void)snprintf(text, sizeof text, "%zu", r + 1);
        const char *number = iv_arena_copy(&m->numbers, iv_str_of(text));
        m->row_names[r] = m->rows_named ? iv_csv_cell(m->table, r, 0)
            : iv_str_of(number == NULL ? "" : number);
        const size_t before = seen.count;
        if (number == NULL || iv_ids_add(&seen, m->row_names[r]) == IV_NO_ID)
            problems->no_memory = true;
        else if (seen.count == before)
            iv_complain(problems, iv_csv_line(m->table, r), IV_ERROR,
                        "row %s again, expected each once",
                        iv_quote(quoted, m->row_names[r]));
    }
    iv_ids_free(&seen);
}

static void read_values(iv_matrix *m, iv_problems *problems)
{
    for (size_t r = 0; r < m->row_count; r++) {
        for (size_t c = 0; c < m->column_count; c++) {
            const iv_str s = iv_csv_cell(m->table, r, c + m->rows_named);
            double *value = &m->values[r * m->column_count + c];
            char quoted[IV_QUOTE_SIZE];
            *value = (double)NAN;
            if (!iv_csv_is_missing(s) && !iv_scan_real(value, s))
                iv_complain(problems, iv_csv_line(m->table, r), IV_ERROR,
                            "score %s, expected a finite number or nothing",
                            iv_quote(quoted, s));
            else if (fabs(*value) > IV_SCORE_MOST)
                iv_complain(problems, iv_csv_line(m->table, r), IV_ERROR,
                            "score %s, expected one from -1e100 to 1e100",
                            iv_quote(quoted, s));
        }
    }
}

static void read_matrix(iv_matrix *m, iv_problems *problems)
{
    m->rows_named = iv_csv_rows_named(m->table, problems);
    m->row_count = m->table->row_count;
    m->column_count = m->table->columns - m->rows_named;
    if (m->column_count == 0) {
        iv_complain(problems, iv_csv_line(m->table, 0), IV_ERROR,
                    "1 cell, expected a name and scores");
        return;
    }
    m->row_names = calloc(m->row_count, sizeof *m->row_names);
    m->values = calloc(m->row_count * m->column_count, sizeof *m->values);
    if (m->row_names == NULL || m->values == NULL) {
        problems->no_memory = true;
        return;
    }
    name_rows(m, problems);
    read_values(m, problems);
}

/* Takes over the bytes, also when it fails. */
static int matrix_from(iv_matrix **out, iv_bytes *bytes, const char *name,
                       iv_matrix_rows rows, const iv_work *work, iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_matrix *m = calloc(1, sizeof *m);
    int rc;

    if (m == NULL) {
        iv_bytes_free(bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    m->rows = rows;
    rc = iv_csv_from(&m->table, bytes, name, work, err);
    if (rc == IV_OK) {
        read_matrix(m, &problems);
        iv_problems_finish(&problems);
        rc = iv_problems_verdict(&problems, name, err);
        iv_problems_free(&problems);
    }
    if (rc < 0)
        iv_matrix_free(m);
    else
        *out = m;
    return rc;
}

int iv_matrix_load(iv_matrix **out, const char *path, iv_matrix_rows rows,
                   const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(rows, iv_matrix_rows_names(), "what rows are", err));
    iv_bytes bytes;
    const int rc = iv_bytes_load(&bytes, path, work, err);

    return rc < 0 ? rc : matrix_from(out, &bytes, path, rows, work, err);
}

int iv_matrix_parse(iv_matrix **out, const char *name, const void *text, size_t len,
                    iv_matrix_rows rows, iv_err *err)
{
    IV_TRY(iv_check_choice(rows, iv_matrix_rows_names(), "what rows are", err));
    iv_bytes bytes;
    const int rc = iv_bytes_copy(&bytes, name, text, len, NULL, err);

    return rc < 0 ? rc : matrix_from(out, &bytes, name, rows, NULL, err);
}

void iv_matrix_free(iv_matrix *m)
{
    if (m == NULL)
        return;
    iv_csv_free(m->table);
    iv_arena_free(&m->numbers);
    free(m->row_names);
    free(m->values);
    free(m);
}

static iv_str row_name(const iv_matrix *m, size_t row) { return m->row_names[row]; }

static iv_str column_name(const iv_matrix *m, size_t column)
{
    return iv_csv_column(m->table, column + m->rows_named);
}

uint64_t iv_matrix_bytes(const iv_matrix *m) { return iv_csv_bytes(m->table); }

bool iv_matrix_rows_are_called_topics(const iv_matrix *m)
{
    bool called = false;

    for (const char *const *name = iv_score_usual(IV_ROLE_ITEM); *name != NULL && m->rows_named; name++)
        called = called || iv_csv_find(m->table, iv_str_of(*name)) == 0;
    return called;
}

bool iv_matrix_rows_named(const iv_matrix *m) { return m->rows_named; }

size_t iv_matrix_systems(const iv_matrix *m)
{
    return m->rows == IV_ROWS_SYSTEMS ? m->row_count : m->column_count;
}

size_t iv_matrix_topics(const iv_matrix *m)
{
    return m->rows == IV_ROWS_SYSTEMS ? m->column_count : m->row_count;
}

iv_str iv_matrix_system(const iv_matrix *m, size_t system)
{
    return m->rows == IV_ROWS_SYSTEMS ? row_name(m, system) : column_name(m, system);
}

iv_str iv_matrix_topic(const iv_matrix *m, size_t topic)
{
    return m->rows == IV_ROWS_SYSTEMS ? column_name(m, topic) : row_name(m, topic);
}

double iv_matrix_score(const iv_matrix *m, size_t system, size_t topic)
{
    return m->rows == IV_ROWS_SYSTEMS ? m->values[system * m->column_count + topic]
                                      : m->values[topic * m->column_count + system];
}
