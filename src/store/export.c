/* SPDX-License-Identifier: Apache-2.0 */
/* Exports: the log, labels, qrels; what fills in a form is in export_form.c. */
#include "store/export_parts.h"

#include <errno.h>
#include <string.h>

#include "store/store_parts.h"

void iv_export_cell(FILE *out, const char *text, bool last)
{
    const bool quoted = text != NULL && strpbrk(text, ",\"\n\r") != NULL;

    if (quoted)
        (void)fputc('"', out);
    for (const char *p = text == NULL ? "" : text; *p != '\0'; p++) {
        if (*p == '"')
            (void)fputc('"', out);
        (void)fputc(*p, out);
    }
    if (quoted)
        (void)fputc('"', out);
    (void)fputc(last ? '\n' : ',', out);
}

/* Every word of the log, or the last one of each assessor on each item. */
static int write_words(iv_exporting *x, iv_err *err)
{
    const bool labels = x->form == IV_EXPORT_LABELS;
    iv_store *s = x->s;
    sqlite3_stmt *st = NULL;

    (void)fputs(labels ? "item,assessor,label,topic,docno\n"
                : "seq,item,assessor,label,topic,docno,reason,replaces,active_ms,away_ms,at,note\n",
                x->out);
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, labels
        ? "SELECT c.item, a.name, c.grade, t.name, d.docno FROM current c"
          " JOIN assessor a ON a.id = c.assessor JOIN item i ON i.id = c.item"
          " JOIN topic t ON t.id = i.topic JOIN document d ON d.id = i.document"
          " WHERE c.final = 0 AND c.grade IS NOT NULL ORDER BY c.item, c.assessor"
        : "SELECT j.seq, j.item, a.name, j.grade, t.name, d.docno,"
          " CASE j.reason WHEN 0 THEN 'judged' WHEN 1 THEN 'cannot' WHEN 2 THEN 'later'"
          " WHEN 3 THEN 'undo' WHEN 4 THEN 'imported' ELSE 'adjudicated' END,"
          " j.replaces, j.active_ms, j.away_ms, j.at, j.note FROM judgment j"
          " JOIN assessor a ON a.id = j.assessor JOIN item i ON i.id = j.item"
          " JOIN topic t ON t.id = i.topic JOIN document d ON d.id = i.document"
          " ORDER BY j.seq", err);
    while (rc == IV_OK && (rc = iv_db_step(st, s->path, err)) == IV_OK) {
        const int columns = sqlite3_column_count(st);
        for (int k = 0; k < columns; k++)
            iv_export_cell(x->out, (const char *)sqlite3_column_text(st, k), k + 1 == columns);
        x->done.written++;
    }
    (void)sqlite3_finalize(st);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc == IV_NO_ROW ? IV_OK : rc;
}

/* The judged prefix of a review, in its order. */
static int write_review_log(iv_exporting *x, iv_err *err)
{
    const iv_store_stratum *strata;
    size_t count = 0;

    IV_TRY(iv_store_strata_check(x->s, err));
    IV_TRY(iv_store_strata(&strata, &count, x->memory, x->s, err));
    (void)fputs("stratum,relevant,block,docno\n", x->out);
    for (size_t i = 0; i < x->prefix; i++) {
        const uint32_t k = x->all.stratum[i];
        if (k >= count)
            return iv_fail(err, IV_EPARSE, "the database is damaged: an item of no stratum");
        iv_export_cell(x->out, strata[k].name, false);
        (void)fprintf(x->out, "%d,%u,", (int)x->all.grade[i], (unsigned)x->all.block[i] + 1);
        (void)fwrite(x->all.docno[i].ptr, 1, x->all.docno[i].len, x->out);
        (void)fputc('\n', x->out);
        x->done.written++;
    }
    return IV_OK;
}

/* What is judged, as qrels; one topic after the other, in the order of judging. */
static int write_qrels(iv_exporting *x)
{
    const iv_store *s = x->s;

    for (size_t i = 0; i < x->all.count; i++) {
        if (x->all.grade[i] < 0 && x->all.grade[i] != IV_COMBINED_CANNOT)
            continue;
        (void)fprintf(x->out, "%s 0 %.*s %d\n", s->topics[s->items[i].topic].name,
                      (int)x->all.docno[i].len, x->all.docno[i].ptr, (int)x->all.grade[i]);
        x->done.written++;
    }
    return IV_OK;
}

/* A line of RIS: a text without line ends. */
static void put_tag(FILE *out, const char *tag, iv_str text)
{
    (void)fprintf(out, "%s  - ", tag);
    for (size_t i = 0; i < text.len; i++)
        (void)fputc(text.ptr[i] == '\n' || text.ptr[i] == '\r' ? ' ' : text.ptr[i], out);
    (void)fputc('\n', out);
}

static void put_reference(iv_exporting *x, size_t i, const char *title, iv_str text)
{
    const int32_t grade = x->all.grade[i];
    const bool in = grade >= x->s->about.level;
    size_t end = text.len;

    /* Without the "[authors year DOI]" that was put behind an abstract. */
    while (text.len > 0 && text.ptr[text.len - 1] == ']' && end > 2
           && memcmp(text.ptr + end - 3, "\n\n[", 3) != 0)
        end--;
    if (end > 2 && end < text.len)
        text.len = end - 3;

    if (x->form == IV_EXPORT_CSV) {
        iv_export_cell(x->out, iv_arena_copy(x->memory, x->all.docno[i]), false);
        iv_export_cell(x->out, title, false);
        iv_export_cell(x->out, iv_arena_copy(x->memory, text), false);
        iv_export_cell(x->out, grade < 0 ? "" : in ? "1" : "0", true);
        return;
    }
    put_tag(x->out, "TY", iv_str_of("JOUR"));
    put_tag(x->out, "ID", x->all.docno[i]);
    put_tag(x->out, "TI", iv_str_of(title));
    put_tag(x->out, "AB", text);
    if (grade >= 0)
        put_tag(x->out, "N1", iv_str_of(in ? "ASReview_relevant" : "ASReview_irrelevant"));
    (void)fputs("ER  - \n\n", x->out);
}

/* Every document with its texts and, where it is judged, its label. */
static int write_references(iv_exporting *x, iv_err *err)
{
    iv_store *s = x->s;
    sqlite3_stmt *st = NULL;
    size_t i = 0;

    if (x->form == IV_EXPORT_CSV)
        (void)fputs("record_id,title,abstract,included\n", x->out);
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT d.title, d.text, d.zipped FROM item i"
                           " JOIN document d ON d.id = i.document ORDER BY i.id", err);
    for (; rc == IV_OK && (rc = iv_db_step(st, s->path, err)) == IV_OK; i++) {
        const char *title = (const char *)sqlite3_column_text(st, 0);
        const iv_str kept = { sqlite3_column_blob(st, 1), (size_t)sqlite3_column_bytes(st, 1) };
        iv_str text = { "", 0 };
        if (kept.ptr != NULL && i < x->all.count)
            rc = iv_store_unpack(&text, x->memory, kept, sqlite3_column_int(st, 2) != 0, err);
        if (rc == IV_OK && i < x->all.count)
            put_reference(x, i, title == NULL ? "" : title, text);
        x->done.written++;
    }
    (void)sqlite3_finalize(st);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc == IV_NO_ROW ? IV_OK : rc;
}

/* ------------------------------------------------------------ the whole -- */

/* Refuses what is not all judged, with the first document that is not. */
static int refuse_open(const iv_exporting *x, iv_err *err)
{
    const iv_store *s = x->s;
    char quoted[IV_QUOTE_SIZE];
    size_t i = 0;

    if (x->partial || x->all.open + x->all.undecided == 0)
        return IV_OK;
    while (x->all.grade[i] != IV_COMBINED_OPEN && x->all.grade[i] != IV_COMBINED_UNDECIDED)
        i++;
    return iv_fail_at(err, IV_ENODATA, s->path, 0, "%zu of %zu documents are %s, such as %s of "
                      "topic '%s'", x->all.open + x->all.undecided, x->all.count,
                      x->all.open > 0 ? "not judged" : "undecided",
                      iv_quote(quoted, x->all.docno[i]), s->topics[s->items[i].topic].name);
}

/* Of a review nothing can be told behind a document that nobody could judge. */
static int find_prefix(iv_exporting *x, iv_err *err)
{
    x->prefix = iv_combined_prefix(&x->all, 0, x->all.count, false);
    if (x->partial || x->prefix == x->all.count)
        return IV_OK;
    char quoted[IV_QUOTE_SIZE];
    return iv_fail_at(err, IV_ENODATA, x->s->path, 0, "document %s could not be judged; expected "
                      "a grade, which the owner can give it",
                      iv_quote(quoted, x->all.docno[x->prefix]));
}

static iv_store_form usual_form(const iv_store *s)
{
    return s->about.kind == IV_STORE_SAMPLE ? IV_EXPORT_PRELS
        : s->about.kind == IV_STORE_QUEUE ? IV_EXPORT_QRELS : IV_EXPORT_STRATA;
}

static int export_all(iv_exporting *x, iv_err *err)
{
    const iv_store_kind kind = x->s->about.kind;
    const bool review = kind == IV_STORE_REVIEW;

    if ((x->form == IV_EXPORT_PRELS && kind != IV_STORE_SAMPLE)
        || (x->form == IV_EXPORT_STRATA && !review))
        return iv_fail_at(err, IV_EARG, x->s->path, 0, "is a session of kind %s, which cannot "
                          "be exported as %s", iv_store_kind_names()[kind],
                          iv_store_form_names()[x->form]);
    if (x->form == IV_EXPORT_LABELS || (x->form == IV_EXPORT_LOG && !review))
        return write_words(x, err);
    if (x->form == IV_EXPORT_RIS || x->form == IV_EXPORT_CSV)
        return write_references(x, err);
    IV_TRY(refuse_open(x, err));
    if (x->form == IV_EXPORT_LOG || x->form == IV_EXPORT_STRATA)
        IV_TRY(find_prefix(x, err));
    if (x->form == IV_EXPORT_LOG)
        return write_review_log(x, err);
    if (x->form == IV_EXPORT_STRATA)
        return iv_export_strata(x, err);
    return x->form == usual_form(x->s) ? iv_export_form(x, err) : write_qrels(x);
}

int iv_store_export(iv_exported *done, FILE *out, iv_store *s, const iv_export_options *o,
                    iv_err *err)
{
    static const iv_export_options none = { 0 };
    const iv_export_options *how = o == NULL ? &none : o;
    iv_arena memory = { 0 };
    iv_exporting x = { .s = s, .out = out, .memory = &memory, .partial = how->partial,
                       .form = how->form == IV_EXPORT_USUAL ? usual_form(s) : how->form };

    errno = 0;
    /* The log itself can be had of any session. */
    int rc = x.form == IV_EXPORT_LOG && s->about.kind != IV_STORE_REVIEW ? IV_OK
        : iv_store_check_words(s, err);
    if (rc == IV_OK)
        rc = iv_store_combine(&x.all, &memory, s, how, true, err);
    if (rc == IV_OK)
        rc = export_all(&x, err);
    if (rc == IV_OK && ferror(out))
        rc = iv_fail(err, IV_EIO, "cannot write the export: %s", strerror(errno));
    x.done.unjudged = x.all.open;
    x.done.cannot = x.all.cannot;
    x.done.undecided = x.all.undecided;
    if (rc == IV_OK && done != NULL)
        *done = x.done;
    iv_arena_free(&memory);
    return rc;
}
