/* SPDX-License-Identifier: Apache-2.0 */
/* The file that a session was made from, filled in: every byte stays but for grades of -1. */
#include "store/export_parts.h"

#include <string.h>

#include "design/sampling_state.h"
#include "store/store_parts.h"
#include "trec/trec_private.h"

/* While the lines are written. */
typedef struct filling {
    iv_exporting *x;
    iv_ids items;      /* "topic docno", in the order of items */
    const iv_prefix_topic *topics; /* NULL: everything is told */
    size_t grade_field; /* from 0 */
} filling;

/* ------------------------------------------------------------- lookups -- */

static iv_str key_of(iv_arena *a, iv_str topic, iv_str docno)
{
    char *key = iv_arena_alloc(a, topic.len + docno.len + 1);

    if (key == NULL)
        return (iv_str){ NULL, 0 };
    memcpy(key, topic.ptr, topic.len);
    key[topic.len] = ' ';
    memcpy(key + topic.len + 1, docno.ptr, docno.len);
    return (iv_str){ key, topic.len + docno.len + 1 };
}

static int list_items(filling *f, iv_err *err)
{
    const iv_store *s = f->x->s;

    for (size_t i = 0; i < f->x->all.count; i++) {
        const iv_str key = key_of(f->x->memory, iv_str_of(s->topics[s->items[i].topic].name),
                                  f->x->all.docno[i]);
        if (key.ptr == NULL || iv_ids_add(&f->items, key) == IV_NO_ID)
            return iv_no_memory(err);
    }
    return IV_OK;
}

/* Is the topic left out of this export? */
static bool left_out(const filling *f, iv_str topic)
{
    const size_t t = f->topics == NULL ? IV_NONE_TOPIC : iv_store_find_topic(f->x->s, topic);

    return t != IV_NONE_TOPIC && !f->topics[t].told;
}

/* What to write for the item with this number; false: -1 stays. */
static bool grade_of(int32_t *grade, const filling *f, uint32_t id)
{
    const iv_queued *q = &f->x->s->items[id];

    *grade = f->x->all.grade[id];
    if (f->topics != NULL && id - f->x->s->lanes[q->topic].first >= f->topics[q->topic].prefix)
        return false; /* behind the judged prefix: not a random choice */
    return *grade >= 0;
}

/* ---------------------------------------------------------------- lines -- */

static void put(const filling *f, iv_str s)
{
    (void)fwrite(s.ptr, 1, s.len, f->x->out);
}

static int fill_line(filling *f, iv_str line, iv_err *err)
{
    iv_str field[4], rest = line;
    size_t n = 0;

    while (n < 4 && iv_next_word(&field[n], &rest))
        n++;
    if (n <= f->grade_field) {
        put(f, line);
        return IV_OK;
    }
    if (left_out(f, field[0]))
        return IV_NO_ROW;
    const iv_str docno = field[f->grade_field - 1];
    const iv_str old = field[f->grade_field];
    iv_arena own = { 0 };
    const iv_str key = key_of(&own, field[0], docno);
    if (key.ptr == NULL)
        return iv_no_memory(err);
    const uint32_t id = iv_ids_find(&f->items, key);
    int32_t grade = 0;
    iv_arena_free(&own);
    if (id == IV_NO_ID || !grade_of(&grade, f, id)) {
        put(f, line);
        return IV_OK;
    }
    put(f, (iv_str){ line.ptr, (size_t)(old.ptr - line.ptr) });
    (void)fprintf(f->x->out, "%d", (int)grade);
    put(f, (iv_str){ old.ptr + old.len, (size_t)(line.ptr + line.len - old.ptr) - old.len });
    f->x->done.written++;
    return IV_OK;
}

/* A comment line: those of a design go with their topic. */
static bool comment_stays(const filling *f, iv_str line)
{
    iv_str keyword, topic, rest = { line.ptr + 2, line.len - 2 };

    if (line.len < 3 || line.ptr[1] != ':' || f->topics == NULL)
        return true;
    return !iv_next_word(&keyword, &rest) || !iv_next_word(&topic, &rest)
        || iv_str_eq(keyword, iv_str_of("intervale-sample")) || !left_out(f, topic);
}

/* Which documents chance has left for later. */
static void put_open(const filling *f)
{
    const iv_store *s = f->x->s;

    for (size_t t = 0; f->topics != NULL && t < s->about.topics; t++) {
        const iv_lane *lane = &s->lanes[t];
        if (!f->topics[t].told || f->topics[t].prefix == lane->count)
            continue;
        (void)fprintf(f->x->out, "#: open %s", s->topics[t].name);
        for (size_t i = f->topics[t].prefix; i < lane->count; i++) {
            (void)fputc(' ', f->x->out);
            put(f, f->x->all.docno[lane->first + i]);
        }
        (void)fputc('\n', f->x->out);
    }
}

static int fill(filling *f, iv_str form, iv_err *err)
{
    for (size_t at = 0; at < form.len;) {
        const char *stop = memchr(form.ptr + at, '\n', form.len - at);
        const size_t end = stop == NULL ? form.len : (size_t)(stop - form.ptr);
        const iv_str line = { form.ptr + at, end - at };
        int rc = IV_OK;
        if (line.len == 0 || line.ptr[0] != '#')
            rc = fill_line(f, line, err);
        else if (comment_stays(f, line))
            put(f, line);
        else
            rc = IV_NO_ROW;
        if (rc < 0)
            return rc;
        if (stop != NULL && rc == IV_OK)
            (void)fputc('\n', f->x->out);
        at = end + (stop != NULL);
    }
    put_open(f);
    return IV_OK;
}

int iv_export_form(iv_exporting *x, iv_err *err)
{
    filling f = { .x = x };
    iv_judgments *j = NULL;
    iv_str form;

    IV_TRY(iv_store_form_text(&form, x->memory, x->s, err));
    IV_TRY(iv_store_form_read(&j, x->s->about.kind, form, x->s->path, err));
    iv_judgments_free(j);
    const bool beir = form.len > 8 && memcmp(form.ptr, "query-id", 8) == 0;
    f.grade_field = x->s->about.kind == IV_STORE_SAMPLE || beir ? 2 : 3;
    if (x->partial && x->s->about.kind == IV_STORE_SAMPLE)
        IV_TRY(iv_export_prefixes(&f.topics, x, form, err));
    int rc = list_items(&f, err);
    if (rc == IV_OK)
        rc = fill(&f, form, err);
    iv_ids_free(&f.items);
    return rc;
}

/* --------------------------------------------------------------- strata -- */

/* A row of the table with n and r in their columns; cells of no other column change. */
static void fill_row(iv_exporting *x, iv_str line, const size_t column[3], const int64_t value[2],
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

static int fill_strata(iv_exporting *x, iv_str form, const iv_csv *t, iv_err *err)
{
    const char *stop = memchr(form.ptr, '\n', form.len);
    const iv_str head = { form.ptr, stop == NULL ? form.len : (size_t)(stop - form.ptr) };
    const char separator = memchr(head.ptr, ',', head.len) != NULL ? ','
        : memchr(head.ptr, '\t', head.len) != NULL ? '\t'
        : memchr(head.ptr, ';', head.len) != NULL ? ';' : ' ';
    size_t column[3], row = 0;
    uint64_t line = 1;

    IV_TRY(strata_columns(column, t, err));
    for (size_t at = 0; at < form.len; line++) {
        stop = memchr(form.ptr + at, '\n', form.len - at);
        const size_t end = stop == NULL ? form.len : (size_t)(stop - form.ptr);
        const iv_str whole = { form.ptr + at, end - at };
        if (row < iv_csv_rows(t) && iv_csv_line(t, row) == line) {
            int64_t value[2] = { 0, 0 };
            for (size_t i = 0; i < x->prefix; i++)
                if (x->all.stratum[i] == row) {
                    value[0]++;
                    value[1] += x->all.grade[i] >= x->s->about.level;
                }
            fill_row(x, whole, column, value, separator);
            x->done.written++;
            row++;
        } else {
            (void)fwrite(whole.ptr, 1, whole.len, x->out);
        }
        if (stop != NULL)
            (void)fputc('\n', x->out);
        at = end + (stop != NULL);
    }
    return IV_OK;
}

int iv_export_strata(iv_exporting *x, iv_err *err)
{
    iv_csv *t = NULL;
    iv_str form;

    IV_TRY(iv_store_form_text(&form, x->memory, x->s, err));
    IV_TRY(iv_store_strata_read(x->s, form, x->s->path, err));
    IV_TRY(iv_csv_parse(&t, x->s->path, form.ptr, form.len, err));
    const int rc = fill_strata(x, form, t, err);
    iv_csv_free(t);
    return rc;
}
