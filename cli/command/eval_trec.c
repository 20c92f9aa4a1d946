/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's own lines, and the matrix of scores. */
#include <stdlib.h>
#include <string.h>

#include "command/eval.h"

/* One line of trec_eval, long ones in memory of their own. */
static int put_line(FILE *out, const iv_value_info *v, iv_str topic, double number,
                    const char *text, iv_err *err)
{
    char line[256];
    const size_t length = iv_trec_line(line, sizeof line, v, topic, number, text);

    if (length < sizeof line) {
        (void)fwrite(line, 1, length, out);
        return IV_OK;
    }
    char *room = malloc(length + 1);
    if (room == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a line of %zu bytes", length);
    (void)iv_trec_line(room, length + 1, v, topic, number, text);
    (void)fwrite(room, 1, length, out);
    free(room);
    return IV_OK;
}

static int put_topics(const eval *e, const iv_scores *s, FILE *out, iv_err *err)
{
    /* Version 9 counts a topic that is missing but prints nothing of it. */
    const bool print_missing = e->args->compat == IV_TREC_EVAL_10;
    int rc = IV_OK;

    for (size_t t = 0; t < iv_scores_topics(s); t++) {
        if (iv_scores_was_missing(s, t) && !print_missing)
            continue;
        for (size_t i = 0; i < e->width && rc == IV_OK; i++) {
            const iv_value_info *v = iv_measures_value(e->measures, i);
            if (v->measure->per_topic)
                rc = put_line(out, v, iv_scores_topic(s, t), iv_scores_row(s, t)[i],
                              iv_scores_text(s, t, i), err);
        }
    }
    return rc;
}

static int put_summary(const eval *e, const iv_scores *s, FILE *out, iv_err *err)
{
    const iv_str tag = iv_scores_tag(s); /* terminated */
    double *all = malloc((e->width + 1) * sizeof *all);
    int rc = IV_OK;

    if (all == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    iv_scores_summary(all, s);
    for (size_t i = 0; i < e->width && rc == IV_OK; i++) {
        const iv_value_info *v = iv_measures_value(e->measures, i);
        if (v->measure->overall)
            rc = put_line(out, v, iv_str_of("all"), all[i], tag.ptr, err);
    }
    free(all);
    return rc;
}

int eval_print_trec(const eval *e, FILE *out, iv_err *err)
{
    int rc = IV_OK;

    for (size_t r = 0; r < e->count && rc == IV_OK; r++) {
        if (e->args->topics)
            rc = put_topics(e, e->runs[r], out, err);
        if (rc == IV_OK && !e->args->no_summary)
            rc = put_summary(e, e->runs[r], out, err);
    }
    return rc;
}

/* ----------------------------------------------------------- the matrix -- */

/* A cell as RFC 4180 has it. */
static void put_cell(FILE *out, iv_str s)
{
    bool quote = s.len == 0;

    for (size_t i = 0; i < s.len; i++)
        quote = quote || strchr(",\"\t\r\n ", s.ptr[i]) != NULL;
    if (!quote) {
        (void)fwrite(s.ptr, 1, s.len, out);
        return;
    }
    (void)putc('"', out);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            (void)putc('"', out);
        (void)putc(s.ptr[i], out);
    }
    (void)putc('"', out);
}

/* The row of a topic of the judgments in a run; IV_NONE: it has none. */
static size_t row_of(const iv_scores *s, iv_str topic)
{
    size_t low = 0, high = iv_scores_topics(s);

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = iv_str_cmp(iv_scores_topic(s, middle), topic);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return IV_NONE;
}

static bool any_run_has(const eval *e, iv_str topic)
{
    for (size_t r = 0; r < e->count; r++)
        if (row_of(e->runs[r], topic) != IV_NONE)
            return true;
    return false;
}

static void put_matrix(const eval *e, size_t value, FILE *out)
{
    const size_t topics = iv_judgments_topics(e->judgments);

    put_cell(out, iv_str_of(iv_measures_value(e->measures, value)->name));
    for (size_t t = 0; t < topics; t++)
        if (any_run_has(e, iv_judgments_topic(e->judgments, t))) {
            (void)putc(',', out);
            put_cell(out, iv_judgments_topic(e->judgments, t));
        }
    (void)putc('\n', out);
    for (size_t k = 0; k < e->count; k++) {
        const iv_scores *s = e->runs[e->order[k]];
        put_cell(out, iv_str_of(e->names[e->order[k]]));
        for (size_t t = 0; t < topics; t++) {
            const iv_str topic = iv_judgments_topic(e->judgments, t);
            const size_t row = row_of(s, topic);
            char text[IV_REAL_SIZE];
            if (row == IV_NONE && !any_run_has(e, topic))
                continue;
            (void)putc(',', out);
            if (row != IV_NONE) {
                (void)iv_format_real(text, iv_scores_row(s, row)[value]);
                (void)fputs(text, out);
            }
        }
        (void)putc('\n', out);
    }
}

int eval_write_matrix(const eval *e, iv_err *err)
{
    const size_t value = eval_first_value(e);
    iv_outfile *file = NULL;

    if (value == IV_NONE)
        return cmd_usage(err, "--write-matrix needs a measure that has a number for each "
                         "topic");
    const int rc = iv_outfile_open(&file, e->args->matrix, err);
    if (rc != IV_OK)
        return rc;
    put_matrix(e, value, iv_outfile_stream(file));
    return iv_outfile_commit(file, err);
}
