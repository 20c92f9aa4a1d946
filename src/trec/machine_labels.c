/* SPDX-License-Identifier: Apache-2.0 */
/* A machine's labels.  Scores have no meaning but their order, so that is what is kept. */

#include "base/bytes.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/reader.h"
#include "intervale/trec/score_sources.h"
#include "trec/chunks.h"
#include "trec/fields.h"
#include "trec/inspection.h"
#include "trec/judgments.h"
#include "trec/judgments_records.h"
#include "trec/machine_labels.h"
#include "trec/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GRADES = 16 };

/* What a column of scores may be called. */
#define SCORE_NAMES "score,relevance,label,grade,rel,judgment,probability"

typedef struct rows {
    iv_arena own;
    iv_str *topic, *docno;
    double *score;
    int32_t *grade;
    size_t count;
} rows;

static int rows_take(rows *r, size_t most, iv_err *err)
{
    r->topic = iv_take(&r->own, most, sizeof *r->topic);
    r->docno = iv_take(&r->own, most, sizeof *r->docno);
    r->score = iv_take(&r->own, most, sizeof *r->score);
    r->grade = iv_take(&r->own, most, sizeof *r->grade);
    return iv_taken(&r->own, err);
}

/* Lines of three fields, or of four with the second to be skipped; a header may come first. */
static int read_rows(rows *r, iv_str text, size_t wanted, const char *path, iv_err *err)
{
    const char *p = text.ptr, *const end = p + text.len;
    char quoted[IV_QUOTE_SIZE];
    bool first = true;

    IV_TRY(rows_take(r, (size_t)iv_line_of(text, end), err));
    for (uint64_t line = 1; p < end; line++) {
        iv_str field[4];
        const size_t count = iv_split_line(field, 4, &p, end);
        if (count == 0 || (field[0].len > 0 && field[0].ptr[0] == '#'))
            continue;
        if (count != wanted)
            return iv_fail_at(err, IV_EPARSE, path, line, "%zu fields, expected %zu: %s", count,
                              wanted, wanted == 3 ? "topic, document, score"
                                                  : "topic, iteration, document, label");
        const bool header = first;
        first = false;
        if (!iv_scan_real(&r->score[r->count], field[wanted - 1])) {
            if (header && wanted == 3 && iv_is_named(field[2], SCORE_NAMES))
                continue;
            return iv_fail_at(err, IV_EPARSE, path, line, "score %s, expected a number",
                              iv_quote(quoted, field[wanted - 1]));
        }
        r->topic[r->count] = field[0];
        r->docno[r->count++] = field[wanted - 2];
    }
    return r->count > 0 ? IV_OK : iv_fail_at(err, IV_EPARSE, path, 0, "no labels");
}

/* Whole numbers of few values are grades as they are. */
static bool are_grades(const double *sorted, size_t n)
{
    size_t different = 1;

    for (size_t i = 0; i < n; i++) {
        different += i > 0 && sorted[i] != sorted[i - 1];
        if (different > MOST_GRADES || sorted[i] != floor(sorted[i])
            || fabs(sorted[i]) > IV_GRADE_MAX)
            return false;
    }
    return true;
}

static size_t first_at(const double *sorted, size_t n, double x)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int grade_rows(rows *r, bool *scored, iv_err *err)
{
    double *sorted = iv_take(&r->own, r->count, sizeof *sorted);

    IV_TRY(iv_taken(&r->own, err));
    memcpy(sorted, r->score, r->count * sizeof *sorted);
    qsort(sorted, r->count, sizeof *sorted, iv_ascending);
    *scored = !are_grades(sorted, r->count);
    for (size_t i = 0; i < r->count; i++)
        r->grade[i] = *scored
            ? (int32_t)((double)first_at(sorted, r->count, r->score[i]) * IV_SCORE_PARTS
                        / (double)r->count)
            : (int32_t)r->score[i];
    return IV_OK;
}

static int load_scores(iv_judgments **out, bool *scored, iv_str text, size_t fields,
                       const char *path, const iv_work *work, iv_err *err)
{
    rows r = { 0 };
    int rc = read_rows(&r, text, fields, path, err);

    if (rc == IV_OK)
        rc = grade_rows(&r, scored, err);
    if (rc == IV_OK)
        rc = iv_judgments_build(out, path, &(iv_judgment_columns){
            .count = r.count, .topic = { .strs = r.topic }, .docno = { .strs = r.docno },
            .grade = r.grade }, work, err);
    iv_arena_free(&r.own);
    return rc == IV_EARG ? IV_EPARSE : rc; /* it is the file that is wrong */
}

int iv_machine_labels_load(iv_judgments **out, bool *scored, const char *path, int format,
                           const iv_work *work, iv_err *err)
{
    iv_judgments *labels = NULL;
    iv_bytes bytes;
    iv_str field[4];
    uint64_t line;
    iv_err why = { 0 }, other;
    int rc = iv_bytes_load(&bytes, path, work, err);

    if (rc != IV_OK)
        return rc;
    const iv_str text = iv_text_of(&bytes);
    const size_t count = iv_first_fields(field, 4, text, true, &line);
    const bool plain = format == IV_JUDGMENTS_ANY || format == IV_JUDGMENTS_QRELS;
    *scored = false;
    if (plain && count == 3 && !iv_is_beir_header(field, count)) {
        rc = load_scores(&labels, scored, text, 3, path, work, err);
    } else {
        rc = iv_judgments_parse(&labels, path, text.ptr, text.len, (iv_judgments_format)format,
                                work, &why);
        if (rc == IV_EPARSE && plain && count == 4
            && load_scores(&labels, scored, text, 4, path, work, &other) == IV_OK)
            rc = IV_OK;
        else if (rc != IV_OK)
            (void)iv_fail_as(err, &why);
    }
    iv_bytes_free(&bytes);
    const iv_judgments_format is = rc == IV_OK ? iv_judgments_format_of(labels)
        : IV_JUDGMENTS_QRELS;
    if (is != IV_JUDGMENTS_QRELS && is != IV_JUDGMENTS_BEIR) {
        iv_judgments_free(labels);
        return iv_fail_at(err, IV_EPARSE, path, 0, "a machine labels every document: expected "
                          "qrels, BEIR, or lines of topic, document and score");
    }
    if (rc == IV_OK)
        *out = labels;
    return rc;
}

int iv_machine_labels_cut(iv_judgments **out, const iv_judgments *labels, const int32_t *cuts,
                          size_t count, iv_err *err)
{
    const size_t topics = iv_judgments_topics(labels);
    rows r = { 0 };

    for (size_t k = 1; k < count; k++)
        if (cuts[k] < cuts[k - 1])
            return iv_fail(err, IV_EARG, "cut %zu is below the one before, expected rising cuts",
                           k);
    int rc = rows_take(&r, (size_t)labels->grouped.records, err);
    for (size_t t = 0; t < topics && rc == IV_OK; t++) {
        const iv_judgment *j;
        const size_t n = iv_judgments_of(&j, labels, t);
        for (size_t i = 0; i < n; i++, r.count++) {
            r.topic[r.count] = iv_judgments_topic(labels, t);
            r.docno[r.count] = j[i].docno;
            for (size_t k = 0; k < count; k++)
                r.grade[r.count] += cuts[k] <= j[i].grade;
        }
    }
    if (rc == IV_OK)
        rc = iv_judgments_build(out, "the automatic labels", &(iv_judgment_columns){
            .count = r.count, .topic = { .strs = r.topic }, .docno = { .strs = r.docno },
            .grade = r.grade }, NULL, err);
    iv_arena_free(&r.own);
    return rc;
}

int iv_file_is_run(bool *out, const char *path, const iv_work *work, iv_err *err)
{
    iv_reader in = { 0 };
    iv_str field[6];
    uint64_t line;
    int rc = iv_reader_open(&in, path, -1, 0, work, err);

    if (rc == IV_OK)
        rc = iv_reader_fill(&in, 1 << 16, 1 << 24, err);
    if (rc == IV_OK)
        *out = iv_first_fields(field, 6, iv_reader_text(&in), true, &line) == 6;
    iv_reader_close(&in);
    return rc;
}
