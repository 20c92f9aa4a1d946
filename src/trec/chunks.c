/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts a text into chunks for threads, groups their records by topic, and collects problems. */
#include "base/bytes.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "intervale/trec/runs.h"
#include "trec/chunks.h"
#include "trec/fields.h"
#include "trec/problems.h"
#include "trec/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What to do, behind the message; "" if there is nothing. */
static const char *split(char *text)
{
    char *hint = strchr(text, IV_HINT("")[0]);

    if (hint == NULL)
        return "";
    *hint = '\0';
    return hint + 1;
}

static void keep(iv_problems *list, uint64_t line, bool error, const char *text, const char *hint)
{
    const char *copy = iv_arena_copy(&list->text, iv_str_of(text));
    const char *help = iv_arena_copy(&list->text, iv_str_of(hint));

    if (copy == NULL || help == NULL || !IV_ROOM(list->items, list->capacity, list->count + 1)) {
        list->no_memory = true;
        return;
    }
    list->items[list->count++] = (iv_problem){ line, error, copy, help };
    list->kept_errors += error;
}

/* A list of one error keeps that of the first line, in whatever order lines are told. */
static bool has_room(iv_problems *list, uint64_t line, bool error)
{
    if ((error ? list->kept_errors : list->count - list->kept_errors) < list->most)
        return true;
    for (size_t i = 0; list->most == 1 && error && i < list->count; i++)
        if (list->items[i].error && list->items[i].line > line) {
            list->items[i] = list->items[--list->count];
            list->kept_errors--;
            return true;
        }
    return false;
}

void iv_complain(iv_problems *list, uint64_t line, iv_severity severity,
                const char *fmt, ...)
{
    char text[400];
    va_list ap;

    if (severity == IV_ERROR)
        list->errors++;
    else
        list->warnings++;
    if (!has_room(list, line, severity == IV_ERROR))
        return;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const char *hint = split(text);
    keep(list, line, severity == IV_ERROR, text, hint);
}

const char *iv_and_more(char out[IV_MORE_SIZE], uint64_t others, const char *thing)
{
    out[0] = '\0';
    if (others > 0)
        (void)snprintf(out, IV_MORE_SIZE, " and %llu more %s%s",
                       (unsigned long long)others, thing, others == 1 ? "" : "s");
    return out;
}

void iv_problems_append(iv_problems *list, const iv_problems *more, uint64_t lines)
{
    /* No limit here: what comes later may stand on an earlier line. */
    for (size_t i = 0; i < more->count; i++)
        keep(list, more->items[i].line + lines, more->items[i].error,
             more->items[i].message, more->items[i].hint);
    list->errors += more->errors;
    list->warnings += more->warnings;
    list->no_memory = list->no_memory || more->no_memory;
    list->stopped = list->stopped || more->stopped;
}

static int by_line(const void *left, const void *right)
{
    const iv_problem *a = left, *b = right;

    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->error != b->error)
        return a->error ? -1 : 1;
    return a->order < b->order ? -1 : 1; /* never the same one */
}

void iv_problems_finish(iv_problems *list)
{
    const size_t errors = list->kept_errors < list->most ? list->kept_errors : list->most;
    size_t left[] = { list->most - errors, errors }; /* warnings, errors */
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++)
        list->items[i].order = i;
    if (list->count > 1) /* of one line, the first reported stays first */
        qsort(list->items, list->count, sizeof *list->items, by_line);
    for (size_t i = 0; i < list->count; i++) {
        if (left[list->items[i].error] == 0)
            continue;
        left[list->items[i].error]--;
        list->items[kept++] = list->items[i];
    }
    list->count = kept;
    list->kept_errors = errors;
}

int iv_problems_verdict(iv_problems *list, const char *name, iv_err *err)
{
    int rc = list->stopped ? iv_fail_at(err, IV_ECANCELLED, name, 0, "reading was stopped")
        : list->no_memory ? iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory") : IV_OK;

    iv_problems_finish(list);
    for (size_t i = 0; i < list->count && rc == IV_OK; i++)
        if (list->items[i].error)
            rc = iv_fail_at(err, IV_EPARSE, name, list->items[i].line, "%s" IV_HINT("%s"),
                            list->items[i].message, list->items[i].hint);
    iv_problems_free(list);
    return rc;
}

void iv_problems_free(iv_problems *list)
{
    free(list->items);
    iv_arena_free(&list->text);
    *list = (iv_problems){ 0 };
}

/* Lines are much alike: the first tells about how many there are. */
static size_t guess_lines(const iv_chunk *c)
{
    const size_t bytes = (size_t)(c->end - c->begin);
    const char *stop = memchr(c->begin, '\n', bytes);

    return stop == NULL ? 1 : bytes / (size_t)(stop - c->begin + 1) + bytes / 512 + 1;
}

static bool grow_records(iv_chunk *c)
{
    const size_t capacity = c->capacity == 0 ? guess_lines(c)
                                             : c->capacity + c->capacity / 2 + 1;
    char *records = iv_alloc_filled(capacity, c->record_size);

    if (records == NULL)
        return false;
    if (c->count > 0)
        memcpy(records, c->records, c->count * c->record_size);
    free(c->records);
    c->records = records;
    c->capacity = capacity;
    return true;
}

bool iv_chunk_grow(iv_chunk *c, iv_str topic, bool new_segment)
{
    if (c->count == c->capacity && !grow_records(c))
        return false;
    if (!new_segment)
        return true;
    if (!IV_ROOM(c->segments, c->segment_capacity, c->segment_count + 1))
        return false;
    c->segments[c->segment_count++] = (iv_segment){ topic, c->count, 0, 0 };
    return true;
}

/* Cuts text behind line ends into pieces of about chunk_bytes. */
static size_t cut(const char **begins, size_t most, iv_str text, size_t chunk_bytes)
{
    const char *at = text.ptr;
    const char *const end = text.ptr + text.len;
    size_t count = 0;

    while (at < end && count < most) {
        const char *stop = end;
        if (count + 1 < most && (size_t)(end - at) > chunk_bytes) {
            stop = memchr(at + chunk_bytes - 1, '\n', (size_t)(end - at) - chunk_bytes + 1);
            stop = stop == NULL ? end : stop + 1;
        }
        begins[count++] = at;
        at = stop;
    }
    begins[count] = end;
    return count;
}

/* Numbers topics as they come, and counts their segments and records. */
static bool count_segments(iv_ids *ids, iv_grouped *g)
{
    size_t capacity = 0;

    for (size_t i = 0; i < g->chunk_count; i++) {
        const iv_chunk *c = &g->chunks[i];
        for (size_t k = 0; k < c->segment_count; k++) {
            iv_segment *s = &c->segments[k];
            s->number = iv_ids_add(ids, s->topic);
            if (s->number == IV_NO_ID || !IV_ROOM(g->topics, capacity, ids->count))
                return false;
            iv_topic_records *t = &g->topics[s->number];
            if (ids->count > g->topic_count)
                *t = (iv_topic_records){ .id = s->topic };
            g->topic_count = ids->count;
            t->records = c->records + s->first * c->record_size;
            t->count += s->count;
            t->segments++;
        }
    }
    return true;
}

/* Puts the segments of a topic behind each other; one that is the only one stays. */
static bool gather(iv_grouped *g, size_t size)
{
    size_t scattered = 0;

    for (size_t t = 0; t < g->topic_count; t++)
        scattered += g->topics[t].segments > 1 ? g->topics[t].count : 0;
    if (scattered == 0)
        return true;
    char *place = g->gathered = iv_alloc_filled(scattered, size);
    if (place == NULL)
        return false;
    for (size_t t = 0; t < g->topic_count; t++)
        if (g->topics[t].segments > 1) {
            g->topics[t].records = place;
            place += g->topics[t].count * size;
        }
    for (size_t i = 0; i < g->chunk_count; i++)
        for (size_t k = 0; k < g->chunks[i].segment_count; k++) {
            const iv_segment *s = &g->chunks[i].segments[k];
            iv_topic_records *t = &g->topics[s->number];
            if (t->segments == 1)
                continue;
            t->records = (char *)memcpy(t->records, g->chunks[i].records + s->first * size,
                                        s->count * size) + s->count * size;
        }
    for (size_t t = 0; t < g->topic_count; t++)
        if (g->topics[t].segments > 1)
            g->topics[t].records = (char *)g->topics[t].records - g->topics[t].count * size;
    return true;
}

static bool group(iv_grouped *g, size_t size)
{
    iv_ids ids = { 0 };
    const bool ok = count_segments(&ids, g) && gather(g, size);
    bool sorted = true;

    for (size_t t = 1; t < g->topic_count && sorted; t++)
        sorted = iv_str_cmp(g->topics[t - 1].id, g->topics[t].id) < 0;
    if (!sorted)
        qsort(g->topics, g->topic_count, sizeof *g->topics, iv_ascending_texts);
    g->topic_count = ok ? g->topic_count : 0;
    iv_ids_free(&ids);
    return ok;
}

/* Small enough that somebody who waits can stop it, large enough to be few. */
static size_t choose_chunk(size_t len, const iv_work *work)
{
    enum { SMALLEST = 1 << 16, LARGEST = 1 << 22, PER_THREAD = 2 };
    const size_t share = len / ((size_t)iv_work_threads(work) * PER_THREAD) + SMALLEST;

    return share < LARGEST ? share : LARGEST;
}

static int parse_chunk(void *user, void *memory, size_t i, iv_err *err)
{
    iv_chunk *c = (iv_chunk *)user + i;

    (void)memory, (void)err; /* what is wrong is told in the chunk's list */
    c->parse(c, c->how);
    return IV_OK;
}

static void add_up(iv_grouped *g, iv_problems *problems)
{
    for (size_t i = 0; i < g->chunk_count; i++) {
        iv_chunk *c = &g->chunks[i];
        iv_problems_append(problems, &c->problems, g->lines);
        g->lines += c->lines;
        g->empty_lines += c->empty_lines;
        g->comment_lines += c->comment_lines;
        g->records += c->count;
        iv_problems_free(&c->problems);
    }
}

void iv_group_records(iv_grouped *out, iv_str text, size_t record_size,
                      iv_chunk_parser *parse, const void *how, const iv_work *work,
                      size_t chunk_bytes, iv_problems *problems)
{
    iv_grouped g = { 0 };
    iv_work room;

    if (chunk_bytes == 0) {
        work = iv_work_for(&room, work, text.len);
        chunk_bytes = choose_chunk(text.len, work);
    }
    const size_t slots = text.len / chunk_bytes + 2;
    const char **begins = malloc((slots + 1) * sizeof *begins); /* one more than there are */
    g.chunks = calloc(slots, sizeof *g.chunks);
    if (begins == NULL || g.chunks == NULL) {
        problems->no_memory = true;
    } else {
        g.chunk_count = cut(begins, slots, text, chunk_bytes);
        for (size_t i = 0; i < g.chunk_count; i++)
            g.chunks[i] = (iv_chunk){ .parse = parse, .how = how, .begin = begins[i],
                                      .end = begins[i + 1], .record_size = record_size,
                                      .problems = { .most = problems->most } };
        const iv_loop loop = { .count = g.chunk_count, .item = parse_chunk, .user = g.chunks };
        iv_problems_ended(problems, iv_parallel(&loop, work, NULL));
    }
    free(begins);
    add_up(&g, problems);
    if (!problems->no_memory)
        problems->no_memory = !group(&g, record_size);
    *out = g;
}

void iv_grouped_free(iv_grouped *g)
{
    for (size_t i = 0; i < g->chunk_count; i++) {
        free(g->chunks[i].records);
        free(g->chunks[i].segments);
        iv_problems_free(&g->chunks[i].problems);
    }
    free(g->chunks);
    free(g->gathered);
    free(g->topics);
    *g = (iv_grouped){ 0 };
}

size_t iv_grouped_find(const iv_grouped *g, iv_str id)
{
    const iv_topic_records *found = g->topic_count == 0 ? NULL
        : bsearch(&id, g->topics, g->topic_count, sizeof *found, iv_ascending_texts);

    return found == NULL ? IV_NONE : (size_t)(found - g->topics);
}

iv_str iv_text_of(const iv_bytes *b)
{
    size_t mark = 0;

    while (b->len - mark >= 3 && memcmp(b->ptr + mark, "\xef\xbb\xbf", 3) == 0)
        mark += 3;
    return b->len == 0 ? iv_str_of("") : (iv_str){ b->ptr + mark, b->len - mark };
}

bool iv_text_has_nul(const char *begin, const char *end)
{
    return memchr(begin, '\0', (size_t)(end - begin)) != NULL;
}

/* One in what begins there, and stands on that line. */
static void refuse_nul(iv_problems *problems, uint64_t line, iv_str text)
{
    iv_complain(problems, line, IV_ERROR,
                text.len >= 8 && memcmp(text.ptr, IV_PART_MAGIC, 8) == 0
                    ? "a file of topic scores, expected text"
                      IV_HINT("; --scores reads it, uncompressed and as eval wrote it")
                    : "a NUL byte, expected text (UTF-16 must be converted to UTF-8)");
}

bool iv_text_refuse_nul(iv_str text, iv_problems *problems)
{
    const char *nul = memchr(text.ptr, '\0', text.len);

    if (nul != NULL)
        refuse_nul(problems, iv_line_of(text, nul), text);
    return nul != NULL;
}

bool iv_line_refuse_nul(const char **p, const char *end, uint64_t line,
                        iv_problems *problems)
{
    const char *eol = memchr(*p, '\n', (size_t)(end - *p));
    const char *const stop = eol == NULL ? end : eol + 1;

    if (!iv_text_has_nul(*p, stop))
        return false;
    refuse_nul(problems, line, (iv_str){ *p, (size_t)(stop - *p) });
    *p = stop;
    return true;
}

bool iv_text_usable(iv_str text, iv_problems *problems)
{
    iv_str field;
    uint64_t line;

    if (iv_first_fields(&field, 1, text, false, &line) == 0) {
        iv_complain(problems, 1, IV_ERROR, "the file is empty, expected lines of fields");
        return false;
    }
    return true;
}

bool iv_next_word(iv_str *word, iv_str *list)
{
    while (list->len > 0 && iv_is_blank(*list->ptr)) {
        list->ptr++;
        list->len--;
    }
    size_t n = 0;
    while (n < list->len && !iv_is_blank(list->ptr[n]))
        n++;
    *word = (iv_str){ list->ptr, n };
    list->ptr += n;
    list->len -= n;
    return n > 0;
}

size_t iv_first_fields(iv_str *fields, size_t most, iv_str text, bool comments,
                       uint64_t *line)
{
    enum { LONG = 1 << 16 };
    const char *p = text.ptr;
    const char *const end = text.ptr + text.len;

    for (*line = 1; p < end; ++*line) {
        const bool comment = comments && iv_is_comment(p, end);
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        const size_t len = (size_t)((eol == NULL ? end : eol) - p);
        const char *nul = len > LONG && !comment ? memchr(p, '\0', len) : NULL;
        const size_t count = iv_split_line(fields, most, &p, nul == NULL ? end : nul + 1);
        if (count > 0 && !comment)
            return count;
    }
    return 0;
}

const char *iv_text_instead(iv_str first)
{
    if (first.len > 0 && (first.ptr[0] == '{' || first.ptr[0] == '['))
        return "; this looks like JSON";
    return memchr(first.ptr, ',', first.len) != NULL
        ? "; fields are separated by blanks or tabs, not by commas" : "";
}
