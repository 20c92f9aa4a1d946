/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/inspect.h"

#include <stdlib.h>

#include "base/checking.h"
#include "trec/fields.h"
#include "trec/judgments_lines.h"
#include "trec/run_lines.h"
#include "trec/text.h"
#include "base/base_private.h"
#include "trec/score_table_private.h"
#include "trec/trec_private.h"

/* -------------------------------------------------- what kind of file -- */

static bool any_number(const iv_str *fields, size_t count)
{
    double value;

    for (size_t i = 0; i < count; i++) {
        if (iv_scan_real(&value, fields[i]))
            return true;
    }
    return false;
}

/*
 * A run or judgments by the fields of the first line; a table if none of its words is a
 * number, as in a header, and commas, tabs or semicolons separate them, or if they can be
 * neither a run nor judgments and more follows.
 */
static iv_file_kind kind_of(iv_str text, iv_judgments_format format)
{
    iv_str fields[6];
    uint64_t line;
    const size_t count = iv_first_fields(fields, 6, text, true, &line);
    const size_t kept = count < 6 ? count : 6;

    if (format != IV_JUDGMENTS_ANY)
        return IV_FILE_JUDGMENTS;
    if (count == 0)
        return IV_FILE_UNKNOWN;
    if (fields[0].ptr[0] == '{' || fields[0].ptr[0] == '[')
        return IV_FILE_SCORES;
    const char *begin = fields[0].ptr;
    const char *last = fields[kept - 1].ptr + fields[kept - 1].len;
    const size_t span = (size_t)(last - begin);
    const bool commas = memchr(begin, ',', span) != NULL;
    const bool separated = commas || memchr(begin, '\t', span) != NULL
        || memchr(begin, ';', span) != NULL || (span > 3 && span < 6 && memcmp(begin, "sep=", 4) == 0);
    const bool header = !any_number(fields, kept);
    if (iv_is_beir_header(fields, count))
        return IV_FILE_JUDGMENTS;
    if (separated && header)
        return IV_FILE_TABLE;
    if (count == 4 || count == 5)
        return IV_FILE_JUDGMENTS;
    if (iv_run_format_told(fields, count) != IV_RUN_ANY)
        return IV_FILE_RUN;
    const char *eol = memchr(last, '\n', (size_t)(text.ptr + text.len - last));
    const bool more = eol != NULL && eol + 1 < text.ptr + text.len;
    return commas || (header && more) ? IV_FILE_TABLE : IV_FILE_UNKNOWN;
}

/* ------------------------------------------------- what any file may have -- */

/* The line endings and the byte-order mark. */
static void look_at_text(iv_inspector *i, iv_str text)
{
    uint64_t carriage = 0, first = 0, line = 0, empty = 0, first_empty = 0;
    const char *p = text.ptr;
    const char *const end = text.ptr + text.len;
    char more[IV_MORE_SIZE];

    while (p < end) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        const char *stop = eol == NULL ? end : eol;
        line++;
        if (stop > p && stop[-1] == '\r') {
            carriage++;
            first = first == 0 ? line : first;
        }
        const char *q = p;
        while (q < stop && iv_is_blank(*q))
            q++;
        if (q == stop) {
            empty++;
            first_empty = first_empty == 0 ? line : first_empty;
        }
        p = eol == NULL ? end : eol + 1;
    }
    i->view.lines = line - empty;
    if (text.ptr != i->bytes.ptr && i->bytes.len > 0)
        iv_complain(&i->problems, 1, IV_WARNING, "a byte-order mark; it is skipped");
    if (carriage > 0)
        iv_complain(&i->problems, first, IV_WARNING,
                    "CR before the line end%s; it is skipped",
                    iv_and_more(more, carriage - 1, "such line"));
    if (empty > 0 && empty < line)
        iv_complain(&i->problems, first_empty, IV_WARNING,
                    "an empty line%s; they are skipped",
                    iv_and_more(more, empty - 1, "such line"));
}

void iv_inspect_grouped(iv_inspector *i, const iv_grouped *g)
{
    i->topics = malloc((g->topic_count + 1) * sizeof *i->topics);
    if (i->topics == NULL) {
        i->problems.no_memory = true;
        return;
    }
    for (size_t t = 0; t < g->topic_count; t++)
        i->topics[t] = g->topics[t].id;
    i->view.topics = g->topic_count;
    i->view.records = g->records;
}

/* ------------------------------------------------------------ the whole -- */

/* As compare and eval read them with --scores. */
static void inspect_scores(iv_inspector *i, iv_str text, const char *name)
{
    iv_score_table *s = NULL;
    iv_err why = { 0 };
    const int rc = iv_score_table_parse(&s, name, text.ptr, text.len, NULL, &why);

    i->view.format = "scores in JSON";
    i->problems.no_memory = i->problems.no_memory || rc == IV_ENOMEM;
    if (rc != IV_OK) {
        iv_complain(&i->problems, why.line, IV_ERROR, "%s", why.msg);
        return;
    }
    i->view.records = iv_score_table_view(s)->count;
    i->view.topics = iv_score_table_view(s)->item_count;
    iv_score_table_free(s);
}

static void inspect_text(iv_inspector *i, iv_judgments_format format, const iv_work *work,
                         const char *name)
{
    const iv_str text = iv_text_of(&i->bytes);

    look_at_text(i, text);
    i->view.kind = kind_of(text, format);
    switch (i->view.kind) {
    case IV_FILE_RUN:
        iv_inspect_run(i, IV_RUN_ANY, work);
        break;
    case IV_FILE_JUDGMENTS:
        iv_inspect_judgments(i, format, work);
        break;
    case IV_FILE_TABLE:
    case IV_FILE_MATRIX:
        iv_inspect_table(i);
        break;
    case IV_FILE_SCORES:
        inspect_scores(i, text, name);
        break;
    case IV_FILE_UNKNOWN:
        if (iv_text_usable(text, &i->problems)
            && !iv_text_refuse_nul(text, &i->problems)) {
            iv_str field;
            uint64_t line;
            const size_t count = iv_first_fields(&field, 1, text, true, &line);
            iv_complain(&i->problems, count == 0 ? 1 : line, IV_ERROR,
                        "%zu field%s, expected a run (6 or 3), judgments (4 or 5) or a "
                        "table with a header", count, count == 1 ? "" : "s");
        }
        break;
    }
}

/* Shows the problems found so far. */
static void show_problems(iv_inspector *i)
{
    iv_problems_finish(&i->problems);
    i->view.problems = i->problems.items;
    i->view.problem_count = i->problems.count;
    i->view.errors = i->problems.errors;
    i->view.warnings = i->problems.warnings;
}

bool iv_inspector_add(iv_inspector *i, uint64_t line, iv_severity severity, const char *message)
{
    iv_complain(&i->problems, line, severity, "%s", message);
    show_problems(i);
    return !i->problems.no_memory;
}

int iv_inspect_bytes(iv_inspector **out, iv_bytes *bytes, iv_judgments_format format,
                     size_t most, const iv_work *work, const char *name, iv_err *err)
{
    static const char *const packings[] = { "plain", "gzip", "zstd" };
    iv_inspector *i = calloc(1, sizeof *i);

    if (i == NULL) {
        iv_bytes_free(bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    i->bytes = *bytes;
    i->problems.most = most;
    i->view.format = "unknown";
    i->view.packing = packings[bytes->packing];
    i->view.bytes = bytes->stored;
    i->view.grade_min = 1;
    inspect_text(i, format, work, name);
    show_problems(i);
    if (i->problems.no_memory) {
        const int rc = iv_problems_verdict(&i->problems, name, err);
        iv_inspector_free(i);
        return rc;
    }
    *out = i;
    return IV_OK;
}

/* A file that does not even unpack: its one problem is the reader's message. */
static int inspect_damaged(iv_inspector **out, const char *path, const iv_err *why,
                           iv_err *err)
{
    iv_inspector *i = calloc(1, sizeof *i);

    if (i == NULL)
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    i->problems.most = 1;
    iv_complain(&i->problems, why->line, IV_ERROR, "%s", why->msg);
    i->view = (iv_inspection){ .format = "unknown", .packing = "damaged", .grade_min = 1,
                               .problems = i->problems.items,
                               .problem_count = i->problems.count, .errors = 1 };
    if (i->problems.no_memory) {
        iv_inspector_free(i);
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    }
    *out = i;
    return IV_OK;
}

int iv_inspect(iv_inspector **out, const char *path, iv_judgments_format format,
               size_t most, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(format, iv_judgments_format_names(), "the format of the judgments", err));
    iv_bytes bytes;
    iv_err why = { IV_OK, "" };
    const int rc = iv_bytes_load(&bytes, path, work, &why);

    if (rc == IV_EPARSE)
        return inspect_damaged(out, path, &why, err);
    if (rc < 0)
        return iv_fail_as(err, &why);
    return iv_inspect_bytes(out, &bytes, format, most, work, path, err);
}

const iv_inspection *iv_inspector_view(const iv_inspector *i) { return &i->view; }

size_t iv_inspector_topics(const iv_str **out, const iv_inspector *i)
{
    *out = i->topics;
    return i->topics == NULL ? 0 : i->view.topics;
}

void iv_inspector_free(iv_inspector *i)
{
    if (i == NULL)
        return;
    iv_problems_free(&i->problems);
    iv_arena_free(&i->text);
    free(i->topics);
    iv_bytes_free(&i->bytes);
    free(i);
}
