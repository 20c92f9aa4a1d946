/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's own lines, and the matrix of scores. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "estimate/evaluation_parts.h"
#include "estimate/estimate_private.h"
#include "measure/measure_private.h"

/*
 * One line of trec_eval, long ones in memory of their own.  A count that is
 * estimated, and not known, has digits; so has what only sample_eval knows.
 */
static int put_line(FILE *out, const iv_evaluation *e, const iv_evaluated_measure *m, iv_str topic, double number,
                    bool exact, const char *text, iv_err *err)
{
    static const iv_measure_info real = { .kind = IV_REAL };
    static const iv_measure_info whole = { .kind = IV_INTEGER };
    const iv_value_info plain = { .name = m->name,
                                  .measure = m->count && exact ? &whole : &real };
    const iv_value_info standard = { .name = m->name, .measure = &real };
    const bool standardized = e->standards != NULL && !m->text;
    const iv_value_info *v = standardized ? &standard
        : m->info != NULL && (exact || !m->count) ? m->info : &plain;
    char line[256];
    if (standardized)
        (void)putc('Z', out);
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

static int put_topics(FILE *out, const iv_evaluation *e, size_t run, iv_err *err)
{
    /* Version 9 counts a topic that is missing but prints nothing of it. */
    const bool print_missing = e->sampling != NULL
        || e->task.how.measure.dialect == IV_TREC_EVAL_10;
    int rc = IV_OK;

    for (size_t t = 0; t < e->view.topic_count; t++) {
        const size_t row = iv_evaluation_row(e, run, t);
        if (row == IV_NONE || (!print_missing && e->scores[run]->topic[row].in_run == IV_ABSENT))
            continue;
        for (size_t i = 0; i < e->task.width && rc == IV_OK; i++) {
            const iv_estimate x = iv_evaluation_value(e, run, i, t);
            if (e->values[i].per_topic)
                rc = put_line(out, e, &e->values[i], e->topics[t], x.value, x.exact,
                              iv_evaluation_text(e, run, i, t), err);
        }
    }
    return rc;
}

static int put_summary(FILE *out, const iv_evaluation *e, size_t run, iv_err *err)
{
    int rc = IV_OK;

    for (size_t i = 0; i < e->task.width && rc == IV_OK; i++) {
        const iv_mean *m = &e->means[run * e->task.width + i];
        if (e->values[i].overall)
            rc = put_line(out, e, &e->values[i], iv_str_of("all"),
                          isnan(m->value) ? 0.0 : m->value,
                          e->sampling == NULL || m->se == 0.0, e->scores[run]->tag, err);
    }
    return rc;
}

int iv_evaluation_write_trec(FILE *out, const iv_evaluation *e, const iv_trec_lines *lines,
                             iv_err *err)
{
    int rc = IV_OK;

    for (size_t r = 0; r < e->view.run_count && rc == IV_OK; r++) {
        if (lines->topics)
            rc = put_topics(out, e, r, err);
        if (rc == IV_OK && !lines->no_summary)
            rc = put_summary(out, e, r, err);
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

int iv_evaluation_write_matrix(const char *path, const iv_evaluation *e, size_t measure,
                               const size_t *order, iv_err *err)
{
    iv_outfile *file = NULL;
    IV_TRY(iv_outfile_open(&file, path, err));
    FILE *out = iv_outfile_stream(file);
    put_cell(out, iv_str_of(e->values[measure].name));
    for (size_t t = 0; t < e->view.topic_count; t++) {
        (void)putc(',', out);
        put_cell(out, e->topics[t]);
    }
    (void)putc('\n', out);
    for (size_t k = 0; k < e->view.run_count; k++) {
        const size_t r = order != NULL ? order[k] : k;
        put_cell(out, iv_str_of(e->names[r]));
        for (size_t t = 0; t < e->view.topic_count; t++) {
            const size_t row = iv_evaluation_row(e, r, t);
            char text[IV_REAL_SIZE] = "";
            if (row != IV_NONE)
                (void)iv_format_real(text, iv_scores_at(e->scores[r], &e->task, row, measure));
            (void)putc(',', out);
            (void)fputs(text, out);
        }
        (void)putc('\n', out);
    }
    return iv_outfile_commit(file, err);
}
