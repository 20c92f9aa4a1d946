/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs and judgments from columns in memory.
 *
 * Names are copied into a text with one document a line, and the records point into
 * it as those of a file do: what reads, ranks and finds duplicates in files does the
 * rest, and the line of a problem is the row.  The topics stand behind the text.
 */
#include "base/arguments.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/packing.h"
#include "trec/chunks.h"
#include "trec/fields.h"
#include "trec/judgments_records.h"
#include "trec/problems.h"
#include "trec/run_records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The two columns of names, one text a row, and the columns they are of. */
typedef struct names {
    iv_str *topic, *docno, *group; /* group NULL: there are none */
    const iv_run_columns *run;
    const iv_judgment_columns *judged;
} names;

static iv_str cell(const iv_text_column *c, size_t i)
{
    if (c->strs != NULL)
        return c->strs[i].ptr == NULL ? (iv_str){ "", 0 } : c->strs[i];
    if (c->texts != NULL)
        return c->texts[i] == NULL ? (iv_str){ "", 0 } : iv_str_of(c->texts[i]);
    if (c->offsets[i] < 0 || c->offsets[i + 1] < c->offsets[i])
        return (iv_str){ "", 0 };
    return (iv_str){ c->joined + c->offsets[i], (size_t)(c->offsets[i + 1] - c->offsets[i]) };
}

/* A name must be fit for a file: something, and on one line. */
static bool is_name(iv_str s)
{
    return s.len > 0 && s.len <= UINT32_MAX && memchr(s.ptr, '\n', s.len) == NULL
           && memchr(s.ptr, '\0', s.len) == NULL;
}

/* Are its texts the lines of one? */
static bool is_lines(const iv_text_column *c)
{
    return c->strs == NULL && c->texts == NULL && c->offsets == NULL;
}

/* The texts between line ends; false unless there are as many as wanted, all names. */
static bool split_lines(iv_str *out, const iv_text_column *c, size_t wanted)
{
    const char *p = c->joined, *const end = c->joined + c->bytes;

    if (memchr(p, '\0', c->bytes) != NULL)
        return false;
    for (size_t n = 0; n < wanted; n++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        out[n] = (iv_str){ p, (size_t)((stop != NULL ? stop : end) - p) };
        if (out[n].len == 0 || out[n].len > UINT32_MAX || (stop == NULL) != (n + 1 == wanted))
            return false;
        p = stop != NULL ? stop + 1 : end;
    }
    return true;
}

/* Spreads texts that stand for many rows over them, from the last to the first: each
 * has a row at least, so none is overwritten before its turn. */
static bool repeat(iv_str *out, const iv_text_column *c, size_t count)
{
    size_t left = count;

    for (size_t i = c->distinct; i-- > 0;) {
        if (c->repeats[i] < 1 || left < i || (uint64_t)c->repeats[i] > left - i)
            return false;
        const iv_str text = out[i];
        for (int64_t k = 0; k < c->repeats[i]; k++)
            out[--left] = text;
    }
    return left == 0;
}

/* The texts of a column, one a row, in out. */
static int take_column(iv_str *out, const char *name, const iv_text_column *c, const char *what,
                       size_t count, iv_err *err)
{
    const size_t given = c->repeats != NULL ? c->distinct : count;
    char quoted[IV_QUOTE_SIZE];

    if (c->strs == NULL && c->texts == NULL && c->joined == NULL)
        return iv_fail_at(err, IV_EARG, name, 0, "no column of %ss", what);
    if (given > count)
        return iv_fail_at(err, IV_EARG, name, 0, "more %ss than rows", what);
    const bool lines = is_lines(c);
    if (lines && (given == 0 || !split_lines(out, c, given)))
        return iv_fail_at(err, IV_EARG, name, 0, "a column of %ss that are not one name a line",
                          what);
    for (size_t i = 0; !lines && i < given; i++) {
        out[i] = cell(c, i);
        if (!is_name(out[i]))
            return iv_fail_at(err, IV_EARG, name, c->repeats != NULL ? 0 : i + 1,
                              "%s %s, expected a name on one line", what,
                              iv_quote(quoted, out[i]));
    }
    return c->repeats == NULL || repeat(out, c, count)
           ? IV_OK : iv_fail_at(err, IV_EARG, name, 0, "%ss of more or fewer rows than there are",
                                what);
}

/* Is the row's topic that of the row before it? */
static bool same_topic(const names *n, size_t i)
{
    return i > 0 && n->topic[i].len == n->topic[i - 1].len
           && (n->topic[i].ptr == n->topic[i - 1].ptr
               || iv_str_eq(n->topic[i], n->topic[i - 1]));
}

/* Copies the documents' names, a line each, behind their groups as files have them, and lets them
 * point there.  Returns the end.
 * joined: the text they are the lines of, if that is what they are. */
static char *copy_docnos(char *to, names *n, size_t count, const char *joined, size_t bytes)
{
    if (joined != NULL) {
        memcpy(to, joined, bytes);
        for (size_t i = 0; i < count; i++)
            n->docno[i].ptr = to + (n->docno[i].ptr - joined);
        to[bytes] = '\n';
        return to + bytes + 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (n->group != NULL) {
            *to++ = ' ';
            to = (char *)memcpy(to, n->group[i].ptr, n->group[i].len) + n->group[i].len;
            *to++ = ' ';
        }
        n->docno[i].ptr = memcpy(to, n->docno[i].ptr, n->docno[i].len);
        to += n->docno[i].len;
        *to++ = '\n';
    }
    return to;
}

/* Copies the topics' names, one of equal neighbours, from the last row to the first: what
 * a row is compared with is still where it was. */
static void copy_topics(char *to, names *n, size_t count)
{
    for (size_t end = count, i; end > 0; end = i) {
        for (i = end - 1; same_topic(n, i);)
            i--;
        const iv_str copy = { memcpy(to, n->topic[i].ptr, n->topic[i].len), n->topic[i].len };
        to += copy.len;
        for (size_t k = i; k < end; k++)
            n->topic[k] = copy;
    }
}

/* Copies the names of all rows, which then point there, and a text behind the documents. */
static int copy_rows(iv_bytes *out, names *n, const char *name, const iv_text_column *docno,
                     size_t count, const char *more, iv_err *err)
{
    const bool joined = is_lines(docno) && docno->repeats == NULL && n->group == NULL;
    const size_t more_len = more != NULL ? strlen(more) : 0;
    size_t len = more_len + (joined ? docno->bytes + 1 : 0), topics = 0;

    for (size_t i = 0; i < count; i++) {
        len += joined ? 0 : n->docno[i].len + 1 + (n->group != NULL ? n->group[i].len + 2 : 0);
        topics += same_topic(n, i) ? 0 : n->topic[i].len;
    }
    char *text = iv_alloc_filled(len + topics + 1, 1);
    if (text == NULL)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    char *end = copy_docnos(text, n, count, joined ? docno->joined : NULL, docno->bytes);
    if (more_len > 0)
        memcpy(end, more, more_len);
    copy_topics(text + len, n, count);
    *out = (iv_bytes){ text, len, len, IV_PLAIN };
    return IV_OK;
}

static bool is_column(const iv_text_column *c)
{
    return c->strs != NULL || c->texts != NULL || c->joined != NULL;
}

/* The names of groups stand in lines before documents, so they have no blanks. */
static int take_groups(names *n, const char *name, const iv_text_column *c, size_t count,
                       iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    n->group = iv_alloc_filled(count, sizeof *n->group);
    if (n->group == NULL)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    IV_TRY(take_column(n->group, name, c, "group", count, err));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < n->group[i].len; k++)
            if (iv_is_blank(n->group[i].ptr[k]))
                return iv_fail_at(err, IV_EARG, name, i + 1, "group %s, expected a name without a "
                                  "blank", iv_quote(quoted, n->group[i]));
    return IV_OK;
}

/* The names of all rows in a text of their own.  names_free() in any case. */
static int take_names(iv_bytes *out, names *n, const char *name, const iv_text_column *topic,
                      const iv_text_column *docno, const iv_text_column *group, size_t count,
                      const char *more, iv_err *err)
{
    if (count == 0)
        return iv_fail_at(err, IV_EARG, name, 0, "no rows, expected at least one");
    n->topic = iv_alloc_filled(count, sizeof *n->topic);
    n->docno = iv_alloc_filled(count, sizeof *n->docno);
    if (n->topic == NULL || n->docno == NULL)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    int rc = take_column(n->topic, name, topic, "topic", count, err);
    if (rc == IV_OK)
        rc = take_column(n->docno, name, docno, "document", count, err);
    if (rc == IV_OK && is_column(group))
        rc = take_groups(n, name, group, count, err);
    return rc == IV_OK ? copy_rows(out, n, name, docno, count, more, err) : rc;
}

static void names_free(names *n)
{
    free(n->topic);
    free(n->docno);
    free(n->group);
}

/* An error in an array is a bad argument, not a bad file. */
static int verdict(iv_problems *problems, const char *name, iv_err *err)
{
    const int rc = iv_problems_verdict(problems, name, err);

    if (rc == IV_EPARSE && err != NULL)
        err->code = IV_EARG;
    return rc == IV_EPARSE ? IV_EARG : rc;
}

/* --------------------------------------------------------------- runs -- */

static void take_run(iv_chunk *c, const void *how)
{
    const names *rows = how;
    const iv_run_columns *columns = rows->run;

    while (c->lines < columns->count) {
        const size_t at = (size_t)c->lines++;
        const iv_str docno = rows->docno[at];
        /* Without scores the rows are in the order of their ranks. */
        const double score = columns->score != NULL ? columns->score[at] : -(double)at;
        if (!isfinite(score)) {
            iv_complain(&c->problems, c->lines, IV_ERROR, "score %g, expected a finite number",
                        score);
            continue;
        }
        iv_run_doc *d = iv_chunk_add(c, rows->topic[at],
                                     !iv_chunk_goes_on(c, rows->topic[at]));
        if (d == NULL)
            return;
        *d = (iv_run_doc){ score, docno.ptr, (uint32_t)docno.len, (uint32_t)iv_hash(docno) };
    }
}

int iv_run_build(iv_run **out, const char *name, const iv_run_columns *columns,
                 const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(columns, "the columns of a run", err));
    const char *tag = columns->tag != NULL ? columns->tag : name != NULL ? name : "";
    iv_problems problems = { .most = 1 };
    names rows = { .run = columns };
    iv_run *run = calloc(1, sizeof *run);
    int rc = run == NULL ? iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory")
             : take_names(&run->bytes, &rows, name, &columns->topic, &columns->docno,
                          &(iv_text_column){ 0 }, columns->count, tag, err);

    if (rc == IV_OK) {
        run->built = true;
        run->text = (iv_str){ run->bytes.ptr, run->bytes.len - strlen(tag) };
        iv_group_records(&run->grouped, run->text, sizeof(iv_run_doc), take_run, &rows, work,
                         run->text.len + 1, &problems);
        (void)iv_run_settle(run, false, work, &problems);
        run->format = IV_RUN_TREC;
        run->tag = (iv_str){ run->bytes.ptr + run->text.len, strlen(tag) };
        rc = verdict(&problems, name, err);
    }
    names_free(&rows);
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
    if (j->pi < IV_PI_MIN)
        return "an inclusion probability of 1e-100 or more";
    return has_stratum && j->stratum < 0 ? "a stratum from 0" : NULL;
}

static void take_judgments(iv_chunk *c, const void *how)
{
    const names *rows = how;
    const iv_judgment_columns *columns = rows->judged;

    while (c->lines < columns->count) {
        const size_t at = (size_t)c->lines++;
        const iv_judgment j = { rows->docno[at],
                                columns->pi != NULL ? columns->pi[at] : 1.0, columns->grade[at],
                                columns->stratum != NULL ? columns->stratum[at] : -1 };
        const char *expected = flaw_of(&j, columns->stratum != NULL);
        if (expected != NULL) {
            iv_complain(&c->problems, c->lines, IV_ERROR,
                        "grade %ld, pi %g, stratum %ld, expected %s", (long)j.grade, j.pi,
                        (long)j.stratum, expected);
            continue;
        }
        iv_judgment *record = iv_chunk_add(c, rows->topic[at],
                                     !iv_chunk_goes_on(c, rows->topic[at]));
        if (record == NULL)
            return;
        *record = j;
        if (rows->group != NULL) { /* as files are read */
            record->pi = (double)j.grade;
            record->grade = j.grade < 0 ? -1 : j.grade;
        }
    }
}

static int check_columns(const char *name, const iv_judgment_columns *c, iv_err *err)
{
    if (c->grade == NULL)
        return iv_fail_at(err, IV_EARG, name, 0, "no column of grades");
    if (is_column(&c->group) && (c->pi != NULL || c->stratum != NULL))
        return iv_fail_at(err, IV_EARG, name, 0, "groups beside probabilities or strata, expected "
                          "one of them");
    if (c->pi != NULL && c->stratum != NULL)
        return iv_fail_at(err, IV_EARG, name, 0, "probabilities and strata, expected one of them");
    return IV_OK;
}

int iv_judgments_build(iv_judgments **out, const char *name, const iv_judgment_columns *columns,
                       const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(columns, "the columns of judgments", err));
    iv_problems problems = { .most = 1 };
    names rows = { .judged = columns };
    iv_judgments *j = calloc(1, sizeof *j);
    int rc = j == NULL ? iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory")
                       : check_columns(name, columns, err);

    if (rc == IV_OK)
        rc = take_names(&j->bytes, &rows, name, &columns->topic, &columns->docno, &columns->group,
                        columns->count, columns->comments, err);
    if (rc == IV_OK) {
        j->text = (iv_str){ j->bytes.ptr, j->bytes.len };
        j->rows = columns->count;
        j->format = rows.group != NULL         ? IV_JUDGMENTS_GROUPS
                    : columns->pi != NULL      ? IV_JUDGMENTS_PRELS
                    : columns->stratum != NULL ? IV_JUDGMENTS_STRATIFIED
                                               : IV_JUDGMENTS_QRELS;
        iv_group_records(&j->grouped, j->text, sizeof(iv_judgment), take_judgments, &rows, work,
                         j->text.len + 1, &problems);
        (void)iv_judgments_settle(j, false, work, &problems);
        rc = verdict(&problems, name, err);
    }
    names_free(&rows);
    if (rc != IV_OK)
        iv_judgments_free(j);
    else
        *out = j;
    return rc;
}
