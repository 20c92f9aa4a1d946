/* SPDX-License-Identifier: Apache-2.0 */
/* Exports. */
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/lines.h"
#include "base/listing.h"
#include "base/memory.h"
#include "sampling/sample_comments.h"
#include "store/bibliography.h"
#include "store/combined.h"
#include "store/db.h"
#include "store/queue.h"
#include "store/restore.h"
#include "store/store_open.h"
#include "store/upkeep.h"
#include "trec/csv.h"
#include "trec/judgments.h"
#include "trec/text.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

/* An export being written. */
typedef struct exporting {
    iv_store *s;
    FILE *out;
    iv_arena *memory;
    iv_store_form form;
    bool partial;
    const char *verdict; /* for the table of strata; NULL: none */
    iv_combined all;
    size_t prefix;      /* of a review */
    size_t *prefixes;   /* of a partial sample: of each topic's items, in the order of judging;
                         * NO_ESTIMATE: too few are judged.  NULL: of all topics */
    iv_ids items;       /* while a form is filled in: "topic docno", in the order of items ... */
    size_t grade_field; /* ... the field of a line that has the grade, from 0 ... */
    char *key;          /* ... and room for one of these texts */
    iv_exported done;
} exporting;

#define NO_ESTIMATE SIZE_MAX

/* How far each topic of a sample is judged, in its order, and whether there is an
 * estimate: of all that is certain and of a document of every bucket that was sampled. */

/* Is there enough of what a line of the design lists? */
static bool line_is_complete(const iv_sample_comment *line, const iv_ids *order, size_t prefix,
                             const iv_combined *all, size_t first)
{
    iv_str list = line->documents, docno;
    size_t listed = 0, judged = 0, behind = 0;

    while (iv_next_word(&docno, &list)) {
        const uint32_t at = iv_ids_find(order, docno); /* IV_NO_ID: it was judged before */
        listed++;
        behind += at != IV_NO_ID && at >= prefix;
        judged += at == IV_NO_ID || (at < prefix && all->grade[first + at] >= 0);
    }
    if (line->kind == IV_COMMENT_FIXED)
        return behind == 0;
    return listed == 0 || judged > 0 || behind == 0;
}

static int look_at_topic(exporting *x, size_t t, const iv_sample_comment *lines, size_t count,
                         iv_err *err)
{
    const iv_store_topic *of = &x->s->topics[t];
    const size_t prefix = iv_combined_prefix(&x->all, of->first, of->items, true);
    bool complete = prefix == of->items || count > 0;
    iv_ids order = { 0 };

    for (size_t i = 0; i < of->items; i++)
        if (iv_ids_add(&order, x->all.docno[of->first + i]) == IV_NO_ID) {
            iv_ids_free(&order);
            return iv_no_memory(err);
        }
    for (size_t k = 0; k < count && complete; k++)
        if (lines[k].kind < IV_COMMENT_REST)
            complete = line_is_complete(&lines[k], &order, prefix, &x->all, of->first);
    iv_ids_free(&order);
    x->prefixes[t] = complete ? prefix : NO_ESTIMATE;
    return IV_OK;
}

static int find_prefixes(exporting *x, iv_str form, iv_err *err)
{
    iv_store *s = x->s;
    iv_sample_comments l = { .found = false };
    iv_judgments *j = NULL;
    size_t first = 0;

    x->prefixes = iv_take(x->memory, s->about.topics + 1, sizeof *x->prefixes);
    if (x->prefixes == NULL)
        return iv_no_memory(err);
    int rc = iv_judgments_parse(&j, s->path, form.ptr, form.len, IV_JUDGMENTS_PRELS, NULL, err);
    if (rc == IV_OK)
        rc = iv_sample_comments_read(&l, j, s->path, err);
    for (size_t t = 0; t < s->about.topics && rc == IV_OK; t++) {
        const size_t at = iv_judgments_find_topic(j, iv_str_of(s->topics[t].name));
        size_t count = 0;
        while (first < l.count && l.lines[first].topic < at) /* both in the order of the file */
            first++;
        while (first + count < l.count && l.lines[first + count].topic == at)
            count++;
        rc = look_at_topic(x, t, l.lines == NULL ? NULL : l.lines + first, count, err);
        x->done.topics_left_out += x->prefixes[t] == NO_ESTIMATE;
    }
    iv_sample_comments_free(&l);
    iv_judgments_free(j);
    if (rc == IV_OK && x->done.topics_left_out == s->about.topics)
        rc = iv_fail_at(err, IV_ENODATA, s->path, 0, "no topic has enough judgments: all "
                        "documents included with certainty, and one of every bucket");
    return rc;
}

/* The file that a session was made from, filled in: every byte stays but for grades of -1. */

/* ------------------------------------------------------------- lookups -- */

/* "topic docno" in room for it. */
static iv_str key_of(char *key, iv_str topic, iv_str docno)
{
    memcpy(key, topic.ptr, topic.len);
    key[topic.len] = ' ';
    memcpy(key + topic.len + 1, docno.ptr, docno.len);
    return (iv_str){ key, topic.len + docno.len + 1 };
}

/* IV_EPARSE when a document has no line in the form, or two items are of it. */
static int list_items(exporting *x, const iv_judgments *form, iv_err *err)
{
    const iv_store *s = x->s;

    for (size_t i = 0; i < x->all.count; i++) {
        const iv_str topic = iv_str_of(s->topics[s->items[i].topic].name);
        const size_t t = iv_judgments_find_topic(form, topic);
        char *room = iv_arena_alloc(x->memory, topic.len + x->all.docno[i].len + 1);
        char quoted[IV_QUOTE_SIZE];
        if (room == NULL
            || iv_ids_add(&x->items, key_of(room, topic, x->all.docno[i])) == IV_NO_ID)
            return iv_no_memory(err);
        if (x->items.count != i + 1 || t == IV_NONE
            || iv_judgments_find(form, t, x->all.docno[i]) == NULL)
            return iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: item %zu is of "
                              "document %s", i + 1, iv_quote(quoted, x->all.docno[i]));
    }
    return IV_OK;
}

/* Is the topic left out of this export? */
static bool left_out(const exporting *x, iv_str topic)
{
    const uint32_t t = iv_ids_find(&x->s->topic_ids, topic);

    return x->prefixes != NULL && t != IV_NO_ID && x->prefixes[t] == NO_ESTIMATE;
}

/* What to write for the item with this number; below 0: -1 stays. */
static int32_t grade_of(const exporting *x, uint32_t id)
{
    const size_t topic = x->s->items[id].topic;

    if (x->prefixes != NULL && id - x->s->topics[topic].first >= x->prefixes[topic])
        return -1; /* behind the judged prefix: not a random choice */
    return x->all.grade[id];
}

/* ---------------------------------------------------------------- lines -- */

static void put(const exporting *x, iv_str s)
{
    (void)fwrite(s.ptr, 1, s.len, x->out);
}

/* False: the line is left out. */
static bool fill_line(exporting *x, iv_str line)
{
    iv_str field[4], rest = line;
    size_t n = 0;

    while (n < 4 && iv_next_word(&field[n], &rest))
        n++;
    if (n > x->grade_field && left_out(x, field[0]))
        return false;
    const uint32_t id = n <= x->grade_field ? IV_NO_ID
        : iv_ids_find(&x->items, key_of(x->key, field[0], field[x->grade_field - 1]));
    const int32_t grade = id == IV_NO_ID ? -1 : grade_of(x, id);
    if (grade < 0) {
        put(x, line);
        return true;
    }
    const iv_str old = field[x->grade_field];
    put(x, (iv_str){ line.ptr, (size_t)(old.ptr - line.ptr) });
    (void)fprintf(x->out, "%d", (int)grade);
    put(x, (iv_str){ old.ptr + old.len, (size_t)(line.ptr + line.len - old.ptr) - old.len });
    x->done.written++;
    return true;
}

/* A comment line: those of a design go with their topic. */
static bool comment_stays(const exporting *x, iv_str line)
{
    iv_str keyword, topic, rest = { line.ptr + 2, line.len - 2 };

    if (line.len < 3 || line.ptr[1] != ':' || x->prefixes == NULL)
        return true;
    return !iv_next_word(&keyword, &rest) || !iv_next_word(&topic, &rest)
        || iv_str_eq(keyword, iv_str_of("intervale-sample")) || !left_out(x, topic);
}

/* Which documents chance has left for later. */
static void put_open(const exporting *x)
{
    const iv_store *s = x->s;

    for (size_t t = 0; x->prefixes != NULL && t < s->about.topics; t++) {
        const iv_store_topic *of = &s->topics[t];
        if (x->prefixes[t] >= of->items)
            continue;
        (void)fprintf(x->out, "#: open %s", of->name);
        for (size_t i = x->prefixes[t]; i < of->items; i++) {
            (void)fputc(' ', x->out);
            put(x, x->all.docno[of->first + i]);
        }
        (void)fputc('\n', x->out);
    }
}

static void fill(exporting *x, iv_str form)
{
    iv_str line;

    while (iv_next_line(&line, &form)) {
        const bool comment = line.len > 0 && line.ptr[0] == '#';
        const bool stays = comment ? comment_stays(x, line) : fill_line(x, line);
        if (comment && stays)
            put(x, line);
        if (stays && form.ptr > line.ptr + line.len)
            (void)fputc('\n', x->out);
    }
    put_open(x);
}

static int export_form(exporting *x, iv_err *err)
{
    iv_judgments *j = NULL;
    iv_str form;

    IV_TRY(iv_store_form_text(&form, x->memory, x->s, err));
    IV_TRY(iv_store_form_read(&j, x->s->about.kind, form, x->s->path, err));
    IV_TRY(iv_keep(x->memory, j, (void (*)(void *))iv_judgments_free, err));
    const bool beir = form.len > 8 && memcmp(form.ptr, "query-id", 8) == 0;
    x->grade_field = x->s->about.kind == IV_STORE_SAMPLE || beir ? 2 : 3;
    if (x->partial && x->s->about.kind == IV_STORE_SAMPLE)
        IV_TRY(find_prefixes(x, form, err));
    x->key = iv_arena_alloc(x->memory, form.len + 1);
    const int rc = x->key == NULL ? iv_no_memory(err) : list_items(x, j, err);
    if (rc == IV_OK)
        fill(x, form);
    iv_ids_free(&x->items);
    return rc;
}

/* --------------------------------------------------------------- strata -- */

/* A row of the table with n and r in their columns; cells of no other column change. */
static void fill_row(exporting *x, iv_str line, const size_t column[3], const int64_t value[2],
                     char separator)
{
    size_t cell = 0, begin = 0;
    bool quoted = false;

    for (size_t i = 0; i <= line.len; i++) {
        if (i < line.len && line.ptr[i] == '"')
            quoted = !quoted;
        const bool ends = i == line.len || (!quoted && line.ptr[i] == separator)
            || (i + 1 == line.len && line.ptr[i] == '\r');
        if (!ends)
            continue;
        if (cell == column[1] || cell == column[2])
            (void)fprintf(x->out, "%lld", (long long)value[cell == column[2]]);
        else
            (void)fwrite(line.ptr + begin, 1, i - begin, x->out);
        if (i < line.len)
            (void)fputc(line.ptr[i], x->out);
        if (i < line.len && line.ptr[i] == '\r')
            return;
        begin = i + 1;
        cell++;
    }
}

static int strata_columns(size_t column[3], const iv_csv *t, iv_err *err)
{
    static const char *const names[] = { "stratum", "n", "r" };

    for (size_t k = 0; k < 3; k++) {
        column[k] = iv_csv_find(t, iv_str_of(names[k]));
        if (column[k] == IV_NONE)
            return iv_fail(err, IV_EPARSE, "the database is damaged: strata without '%s'",
                           names[k]);
    }
    return IV_OK;
}

static int fill_strata(exporting *x, iv_str form, const iv_csv *t, iv_err *err)
{
    const char *stop = memchr(form.ptr, '\n', form.len);
    const iv_str head = { form.ptr, stop == NULL ? form.len : (size_t)(stop - form.ptr) };
    const char separator = memchr(head.ptr, ',', head.len) != NULL ? ','
        : memchr(head.ptr, '\t', head.len) != NULL ? '\t'
        : memchr(head.ptr, ';', head.len) != NULL ? ';' : ' ';
    size_t column[3], row = 0;
    iv_str whole;

    IV_TRY(strata_columns(column, t, err));
    for (uint64_t line = 1; iv_next_line(&whole, &form); line++) {
        const bool ends = whole.len > 0 && whole.ptr[whole.len - 1] == '\r';
        whole.len -= ends;
        if (row < iv_csv_rows(t) && iv_csv_line(t, row) == line) {
            int64_t value[2] = { 0, 0 };
            for (size_t i = 0; i < x->prefix; i++)
                if (x->all.stratum[i] == row) {
                    value[0]++;
                    value[1] += x->all.grade[i] >= x->s->about.level;
                }
            fill_row(x, whole, column, value, separator);
            if (x->verdict != NULL && separator != ' ')
                (void)fprintf(x->out, "%c%s", separator, row == 0 ? x->verdict : "");
            x->done.written++;
            row++;
        } else {
            put(x, whole);
            if (line == 1 && x->verdict != NULL && separator != ' ')
                (void)fprintf(x->out, "%cverdict", separator);
        }
        if (ends)
            (void)fputc('\r', x->out);
        if (form.ptr > whole.ptr + whole.len)
            (void)fputc('\n', x->out);
    }
    return IV_OK;
}

static int export_strata(exporting *x, iv_err *err)
{
    const iv_strata_table *unused;
    iv_csv *t = NULL;
    iv_str form;

    IV_TRY(iv_store_strata(&unused, x->memory, x->s, x->s->path, err));
    IV_TRY(iv_store_form_text(&form, x->memory, x->s, err));
    IV_TRY(iv_csv_parse(&t, x->s->path, form.ptr, form.len, err));
    const int rc = fill_strata(x, form, t, err);
    iv_csv_free(t);
    return rc;
}

/* ------------------------------------------------- the log, labels, qrels -- */

static void put_cell(FILE *out, iv_str text, bool last)
{
    iv_put_csv(out, text, true);
    (void)fputc(last ? '\n' : ',', out);
}

/* Every word of the log, or the last one of each assessor on each item. */
static int write_words(exporting *x, iv_err *err)
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
    while (iv_db_next(st, &rc, s->path, err)) {
        const int columns = sqlite3_column_count(st);
        for (int k = 0; k < columns; k++)
            put_cell(x->out, iv_db_str(st, k), k + 1 == columns);
        x->done.written++;
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}

/* The judged prefix of a review, in its order. */
static int write_review_log(exporting *x, iv_err *err)
{
    const iv_strata_table *t;

    IV_TRY(iv_store_strata(&t, x->memory, x->s, x->s->path, err));
    (void)fputs("stratum,relevant,block,docno\n", x->out);
    for (size_t i = 0; i < x->prefix; i++) {
        iv_put_csv(x->out, t->rows[x->all.stratum[i]].name, false); /* of the table of strata */
        (void)fprintf(x->out, ",%d,%u,", (int)x->all.grade[i], (unsigned)x->all.block[i] + 1);
        put_cell(x->out, x->all.docno[i], true);
        x->done.written++;
    }
    return IV_OK;
}

/* What is judged, as qrels; one topic after the other, in the order of judging. */
static int write_qrels(exporting *x)
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

/* What a record is besides its label. */
typedef struct state_of_record {
    bool control; /* of the control sample, by which no ranker may learn */
    iv_decided decided;
} state_of_record;

/* The tags of a note, and those of the record's state. */
static iv_str tags_of(iv_arena *a, iv_str note, state_of_record is)
{
    static const char *const states[] = { "", "conflict", "one-of-two" };
    char *tags = iv_take(a, note.len + 24, 2);
    size_t n = 0;
    iv_str tag;

    if (tags != NULL && is.control)
        n += (size_t)sprintf(tags, "control");
    if (tags != NULL && is.decided != IV_DECIDED)
        n += (size_t)sprintf(tags + n, "%s%s", n > 0 ? "; " : "", states[is.decided]);
    while (tags != NULL && iv_next_tag(&tag, &note))
        n += (size_t)sprintf(tags + n, "%s%.*s", n > 0 ? "; " : "", (int)tag.len, tag.ptr);
    return (iv_str){ tags == NULL ? "" : tags, n };
}

static void put_row(exporting *x, const iv_bibliographic *r, iv_str note, state_of_record is)
{
    const bool in = r->label >= x->s->about.level;
    iv_arena *a = x->memory;
    const iv_bibliographic of = iv_bibliographic_of(a, r->source);
    const iv_str journal = iv_reference_field(a, r->source, "JO JF T2", true);
    const iv_str cells[] = {
        r->id, r->title, r->source.len > 0 ? of.abstract : r->abstract, of.authors, of.year,
        journal.len > 0 ? journal : iv_reference_field(a, r->source, "J2 JA", true),
        iv_reference_field(a, r->source, "DO", true),
        iv_str_of(r->label < 0 ? "" : in ? "1" : "0"), tags_of(a, note, is),
        note };

    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        put_cell(x->out, cells[i], i + 1 == sizeof cells / sizeof *cells);
}

/* The record as it came, with its label, tags and note. */
static void put_reference(exporting *x, const iv_bibliographic *r, iv_str note,
                          state_of_record is)
{
    const bool in = r->label >= x->s->about.level;
    const iv_str tags = tags_of(x->memory, note, is);

    (void)fwrite(r->source.ptr, 1, r->source.len, x->out);
    if (r->source.len == 0) {
        put_tag(x->out, "TY", iv_str_of("JOUR"));
        put_tag(x->out, "TI", r->title);
        put_tag(x->out, "AB", r->abstract);
    }
    if (iv_reference_field(x->memory, r->source, "ID", true).len == 0)
        put_tag(x->out, "ID", r->id);
    if (r->label >= 0)
        put_tag(x->out, "N1", iv_str_of(in ? "ASReview_relevant" : "ASReview_irrelevant"));
    if (tags.len > 0)
        put_tag(x->out, "N1", tags);
    if (note.len > 0)
        put_tag(x->out, "N1", note);
    (void)fputs("ER  - \n\n", x->out);
}

/* Every document with its texts and, where it is judged, its label. */
static int write_references(exporting *x, iv_err *err)
{
    iv_store *s = x->s;
    sqlite3_stmt *st = NULL;
    size_t i = 0;

    if (x->form == IV_EXPORT_CSV)
        (void)fputs("record_id,title,abstract,authors,year,journal,doi,included,tags,notes\n",
                    x->out);
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT d.title, d.text, d.zipped,"
                           " (SELECT value FROM meta WHERE key = 'ref:' || d.id),"
                           " (SELECT group_concat(j.note, '; ') FROM current c JOIN judgment j"
                           " ON j.seq = c.seq WHERE c.item = i.id) FROM item i"
                           " JOIN document d ON d.id = i.document ORDER BY i.id", err);
    for (; iv_db_next(st, &rc, s->path, err); i++) {
        iv_bibliographic r = { .title = iv_db_str(st, 0), .abstract = iv_str_of(""),
                               .source = iv_db_str(st, 3) };
        iv_arena own = { 0 };
        x->memory = &own; /* texts of one document at a time */
        if (r.source.len == 0)
            rc = iv_store_unpack(&r.abstract, &own, iv_db_str(st, 1),
                                 sqlite3_column_int(st, 2) != 0, err);
        if (rc == IV_OK && i < x->all.count) {
            r.id = x->all.docno[i];
            r.label = x->all.grade[i];
            const state_of_record is = { i < x->all.control, (iv_decided)x->all.state[i] };
            (x->form == IV_EXPORT_CSV ? put_row : put_reference)(x, &r, iv_db_str(st, 4), is);
        }
        iv_arena_free(&own);
        x->done.written++;
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    if (rc != IV_OK)
        return rc;
    iv_arena own = { 0 };
    iv_str before;
    int64_t n = 0;
    rc = iv_store_value(&before, &own, s, "judged_before", err);
    if (rc == IV_OK && before.ptr != NULL && iv_scan_int(&n, before, 0, INT64_MAX))
        x->done.control = (size_t)n;
    iv_arena_free(&own);
    return rc;
}

static int write_duplicates(exporting *x, iv_err *err)
{
    const iv_store_duplicate *rows;
    size_t count = 0;

    IV_TRY(iv_store_duplicates(&rows, &count, x->memory, x->s, err));
    (void)fputs("record_id,title,state,reason,stays,stays_title\n", x->out);
    for (size_t i = 0; i < count; i++) {
        const char *const cells[] = { rows[i].record, rows[i].title, rows[i].state,
                                      rows[i].reason, rows[i].stays, rows[i].stays_title };
        for (size_t k = 0; k < 6; k++)
            put_cell(x->out, iv_str_of(cells[k]), k == 5);
    }
    x->done.written = count;
    return IV_OK;
}

/* ------------------------------------------------------------ the whole -- */

/* Refuses what is not all judged. */
static int refuse_open(const exporting *x, iv_err *err)
{
    if (x->partial || x->all.open + x->all.undecided == 0)
        return IV_OK;
    return iv_fail_at(err, IV_ENODATA, x->s->path, 0, "%s of %s documents are %s",
                      IV_COUNT(x->all.open + x->all.undecided), IV_COUNT(x->all.count),
                      x->all.open > 0 ? "not judged" : "undecided");
}

/* Of a review nothing can be told behind a document that nobody could judge. */
static int find_prefix(exporting *x, iv_err *err)
{
    x->prefix = iv_combined_prefix(&x->all, 0, x->all.count, false);
    if (x->partial || x->prefix == x->all.count)
        return IV_OK;
    char quoted[IV_QUOTE_SIZE];
    return iv_fail_at(err, IV_ENODATA, x->s->path, 0, "document %s is marked 'cannot judge'; "
                      "expected a grade, by the owner",
                      iv_quote(quoted, x->all.docno[x->prefix]));
}

static iv_store_form usual_form(const iv_store *s)
{
    return s->about.kind == IV_STORE_SAMPLE ? IV_EXPORT_PRELS
        : s->about.kind == IV_STORE_QUEUE ? IV_EXPORT_QRELS : IV_EXPORT_STRATA;
}

static int export_all(exporting *x, iv_err *err)
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
    if (x->form == IV_EXPORT_DUPLICATES)
        return write_duplicates(x, err);
    IV_TRY(refuse_open(x, err));
    if (x->form == IV_EXPORT_LOG || x->form == IV_EXPORT_STRATA)
        IV_TRY(find_prefix(x, err));
    if (x->form == IV_EXPORT_LOG)
        return write_review_log(x, err);
    if (x->form == IV_EXPORT_STRATA)
        return export_strata(x, err);
    return x->form == usual_form(x->s) ? export_form(x, err) : write_qrels(x);
}

int iv_store_export(iv_exported *done, FILE *out, iv_store *s, const iv_export_options *o,
                    iv_err *err)
{
    static const iv_export_options none = { 0 };
    const iv_export_options *how = o == NULL ? &none : o;
    iv_arena memory = { 0 };
    exporting x = { .s = s, .out = out, .memory = &memory, .partial = how->partial,
                       .verdict = how->verdict,
                       .form = how->form == IV_EXPORT_USUAL ? usual_form(s) : how->form };

    errno = 0;
    /* No label that was changed leaves the session; the log alone, if it is whole. */
    const bool log = x.form == IV_EXPORT_LOG && s->about.kind != IV_STORE_REVIEW;
    int rc = how->unchecked ? IV_OK
        : iv_store_check_as(s, log ? IV_CHECK_LOG : IV_CHECK_ALL, err);
    if (rc == IV_OK)
        rc = iv_store_combine(&x.all, &memory, s, how, true, err);
    if (rc == IV_OK)
        rc = export_all(&x, err);
    if (rc == IV_OK && ferror(out))
        rc = iv_fail(err, IV_EIO, "cannot write the export: %s", strerror(errno));
    x.done.unjudged = x.all.open;
    x.done.cannot = x.all.cannot;
    x.done.undecided = x.all.undecided;
    x.done.conflicts = x.all.conflicts;
    x.done.one_of_two = x.all.one_of_two;
    if (rc == IV_OK && done != NULL)
        *done = x.done;
    iv_arena_free(&memory);
    return rc;
}
