/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs and judgments from columns in memory.
 *
 * Names are copied into a text with one line a row, "topic docno", and the records
 * point into it as those of a file do: what reads, ranks and finds duplicates in
 * files does the rest, and the line of a problem is the row.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trec/judgments.h"
#include "trec/run.h"

/* A row being read: its names in the text, and where it stands. */
typedef struct row {
    iv_str topic, docno;
    size_t at;
} row;

static iv_str cell(const iv_text_column *c, size_t i)
{
    if (c->strs != NULL)
        return c->strs[i];
    if (c->texts != NULL)
        return c->texts[i] == NULL ? (iv_str){ "", 0 } : iv_str_of(c->texts[i]);
    if (c->offsets[i] < 0 || c->offsets[i + 1] < c->offsets[i])
        return (iv_str){ "", 0 };
    return (iv_str){ c->joined + c->offsets[i], (size_t)(c->offsets[i + 1] - c->offsets[i]) };
}

static bool is_given(const iv_text_column *c)
{
    return c->strs != NULL || c->texts != NULL || (c->joined != NULL && c->offsets != NULL);
}

/* A name must be fit for a file: something, and on one line. */
static bool is_name(iv_str s)
{
    return s.len > 0 && s.len <= UINT32_MAX && memchr(s.ptr, '\n', s.len) == NULL
           && memchr(s.ptr, '\0', s.len) == NULL;
}

static int check_names(const char *name, const iv_text_column *c, const char *what, size_t count,
                       iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    if (!is_given(c))
        return iv_fail_at(err, IV_EARG, name, 0, "no column of %ss", what);
    for (size_t i = 0; i < count; i++)
        if (!is_name(cell(c, i)))
            return iv_fail_at(err, IV_EARG, name, i + 1, "%s %s, expected a name on one line",
                              what, iv_quote(quoted, cell(c, i)));
    return IV_OK;
}

/* Copies the names of all rows, and a text that follows them. */
static int copy_rows(iv_bytes *out, const char *name, const iv_text_column *topic,
                     const iv_text_column *docno, size_t count, const char *more, iv_err *err)
{
    size_t len = more != NULL ? strlen(more) : 0;
    int rc = count == 0 ? iv_fail_at(err, IV_EARG, name, 0, "no rows, expected at least one")
                        : check_names(name, topic, "topic", count, err);

    if (rc == IV_OK)
        rc = check_names(name, docno, "document", count, err);
    if (rc != IV_OK)
        return rc;
    for (size_t i = 0; i < count; i++)
        len += cell(topic, i).len + cell(docno, i).len + 2;
    char *text = malloc(len + 1), *p = text;
    if (text == NULL)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const iv_str t = cell(topic, i), d = cell(docno, i);
        memcpy(p, t.ptr, t.len);
        p[t.len] = ' ';
        memcpy(p + t.len + 1, d.ptr, d.len);
        p += t.len + d.len + 1;
        *p++ = '\n';
    }
    memcpy(p, more != NULL ? more : "", (size_t)(text + len - p));
    *out = (iv_bytes){ text, len, len, 0, IV_PLAIN };
    return IV_OK;
}

/* Goes on to the next row, which is one of the columns. */
static row next_row(iv_chunk *c, const char **p, const iv_text_column *topic,
                    const iv_text_column *docno)
{
    const size_t at = (size_t)c->lines++;
    const row r = { { *p, cell(topic, at).len },
                    { *p + cell(topic, at).len + 1, cell(docno, at).len }, at };

    *p = r.docno.ptr + r.docno.len + 1;
    return r;
}

/* An error in an array is a bad argument, not a bad file. */
static int verdict(iv_problems *problems, const char *name, iv_err *err)
{
    iv_problems_finish(problems);
    const int rc = iv_problems_verdict(problems, name, err);
    iv_problems_free(problems);
    if (rc == IV_EPARSE && err != NULL)
        err->code = IV_EARG;
    return rc == IV_EPARSE ? IV_EARG : rc;
}

/* --------------------------------------------------------------- runs -- */

static void take_run(iv_chunk *c, const void *how)
{
    const iv_run_columns *columns = how;
    const char *p = c->begin;

    while (c->lines < columns->count && !iv_chunk_stopped(c)) {
        const row r = next_row(c, &p, &columns->topic, &columns->docno);
        /* Without scores the rows are in the order of their ranks. */
        const double score = columns->score != NULL ? columns->score[r.at] : -(double)r.at;
        if (!isfinite(score)) {
            iv_complain(&c->problems, c->lines, IV_ERROR, "score %g, expected a finite number",
                        score);
            continue;
        }
        iv_run_doc *d = iv_chunk_add(c, r.topic);
        if (d == NULL)
            return;
        *d = (iv_run_doc){ score, r.docno.ptr, (uint32_t)r.docno.len,
                           (uint32_t)iv_hash(r.docno) };
    }
}

static void group_run(iv_run *run, const iv_run_columns *columns, bool collect,
                      const iv_work *work, iv_problems *problems)
{
    iv_group_records(&run->grouped, run->text, sizeof(iv_run_doc), take_run, columns, collect,
                     work, run->text.len + 1, problems);
    (void)iv_run_settle(run, collect, work, problems);
}

int iv_run_build(iv_run **out, const char *name, const iv_run_columns *columns,
                 const iv_work *work, iv_err *err)
{
    const char *tag = columns->tag != NULL ? columns->tag : "";
    iv_problems problems = { .most = 1 };
    iv_bytes bytes;
    int rc = copy_rows(&bytes, name, &columns->topic, &columns->docno, columns->count, tag, err);

    if (rc != IV_OK)
        return rc;
    iv_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        iv_bytes_free(&bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    run->bytes = bytes;
    run->built = true;
    run->text = (iv_str){ bytes.ptr, bytes.len - strlen(tag) };
    group_run(run, columns, false, work, &problems);
    if (problems.errors > 0 && !problems.no_memory) { /* once more, for the first of all */
        iv_run_forget(run);
        group_run(run, columns, true, work, &problems);
    }
    run->format = IV_RUN_TREC;
    run->tag = (iv_str){ bytes.ptr + run->text.len, strlen(tag) };
    rc = verdict(&problems, name, err);
    if (rc != IV_OK)
        iv_run_free(run);
    else
        *out = run;
    return rc;
}

/* ---------------------------------------------------------- judgments -- */

/* What is wrong with a row; NULL: nothing. */
static const char *flaw_of(const iv_judgment *j, bool has_stratum)
{
    if (j->grade < IV_GRADE_MIN || j->grade > IV_GRADE_MAX)
        return "a grade between -1000000 and 1000000";
    if (!(j->pi > 0.0 && j->pi <= 1.0))
        return "an inclusion probability 0 < pi <= 1";
    return has_stratum && j->stratum < 0 ? "a stratum from 0" : NULL;
}

static void take_judgments(iv_chunk *c, const void *how)
{
    const iv_judgment_columns *columns = how;
    const char *p = c->begin;

    while (c->lines < columns->count && !iv_chunk_stopped(c)) {
        const row r = next_row(c, &p, &columns->topic, &columns->docno);
        const iv_judgment j = { r.docno, columns->pi != NULL ? columns->pi[r.at] : 1.0,
                                columns->grade[r.at],
                                columns->stratum != NULL ? columns->stratum[r.at] : -1 };
        const char *expected = flaw_of(&j, columns->stratum != NULL);
        if (expected != NULL) {
            iv_complain(&c->problems, c->lines, IV_ERROR,
                        "grade %ld, pi %g, stratum %ld, expected %s", (long)j.grade, j.pi,
                        (long)j.stratum, expected);
            continue;
        }
        iv_judgment *record = iv_chunk_add(c, r.topic);
        if (record == NULL)
            return;
        *record = j;
    }
}

static void group_judgments(iv_judgments *j, const iv_judgment_columns *columns, bool collect,
                            const iv_work *work, iv_problems *problems)
{
    iv_group_records(&j->grouped, j->text, sizeof(iv_judgment), take_judgments, columns, collect,
                     work, j->text.len + 1, problems);
    (void)iv_judgments_settle(j, collect, work, problems);
}

static int check_columns(const char *name, const iv_judgment_columns *c, iv_err *err)
{
    if (c->grade == NULL)
        return iv_fail_at(err, IV_EARG, name, 0, "no column of grades");
    if (c->pi != NULL && c->stratum != NULL)
        return iv_fail_at(err, IV_EARG, name, 0, "probabilities and strata, expected one of them");
    return IV_OK;
}

int iv_judgments_build(iv_judgments **out, const char *name, const iv_judgment_columns *columns,
                       const iv_work *work, iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_bytes bytes;
    int rc = check_columns(name, columns, err);

    if (rc == IV_OK)
        rc = copy_rows(&bytes, name, &columns->topic, &columns->docno, columns->count,
                       columns->comments, err);
    if (rc != IV_OK)
        return rc;
    iv_judgments *j = calloc(1, sizeof *j);
    if (j == NULL) {
        iv_bytes_free(&bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    j->bytes = bytes;
    j->text = (iv_str){ bytes.ptr, bytes.len };
    group_judgments(j, columns, false, work, &problems);
    if (problems.errors > 0 && !problems.no_memory) {
        iv_judgments_forget(j);
        group_judgments(j, columns, true, work, &problems);
    }
    j->rows = columns->count;
    j->format = columns->pi != NULL        ? IV_JUDGMENTS_PRELS
                : columns->stratum != NULL ? IV_JUDGMENTS_STRATIFIED
                                           : IV_JUDGMENTS_QRELS;
    rc = verdict(&problems, name, err);
    if (rc != IV_OK)
        iv_judgments_free(j);
    else
        *out = j;
    return rc;
}
