/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts files by topic in bounded memory, and finds topics in sorted files. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/reader.h"
#include "trec/fields.h"
#include "trec/judgments_records.h"
#include "trec/problems.h"
#include "trec/sorted_file.h"
#include "trec/text.h"
#include "trec/topic_order.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The topic of the line at p, which moves behind it; empty: it has none. */
static iv_str topic_at(const char **p, const char *end)
{
    const char *at = *p;
    const size_t left = end > at ? (size_t)(end - at) : 0;
    const char *eol = left > 0 ? memchr(at, '\n', left) : NULL;
    const bool comment = iv_is_comment(at, end);

    *p = eol == NULL ? end : eol + 1;
    while (at < *p && iv_is_blank(*at))
        at++;
    const char *stop = comment ? at : iv_field_end(at, *p);
    return (iv_str){ at, (size_t)(stop - at) };
}

/* The same of the line from p to end; the header of BEIR judgments has none. */
static iv_str topic_of(const char *p, const char *end, bool *headed)
{
    iv_str fields[3];
    const char *line = p;
    const iv_str topic = topic_at(&line, end);

    if (*headed || topic.len == 0)
        return topic;
    *headed = true;
    return iv_is_beir_header(fields, iv_split_line(fields, 3, &p, end)) ? (iv_str){ topic.ptr, 0 }
        : topic;
}

/* Lines of one topic that follow each other. */
typedef struct stretch {
    const char *at;
    size_t len;
    uint32_t topic; /* its number */
} stretch;

/* One sorted part, while it is read again. */
typedef struct part {
    uint64_t next, end;   /* what is still in the file */
    char *buffer;
    iv_str held;          /* in the buffer, and not yet used */
    char *topic;          /* of the group at hand */
    size_t topic_len, topic_room;
    uint64_t bytes;       /* of its lines, which come next; 0: the part has ended */
} part;

typedef struct sorting {
    iv_sorting how;
    const char *name; /* of the file */
    FILE *out, *kept; /* kept: the parts */
    iv_reader in;
    iv_sorted_lines found;
    stretch *at;      /* of the lines at hand */
    size_t count, capacity;
    iv_ids topics;    /* of these lines */
    bool headed;      /* a BEIR header was seen, or cannot come any more */
    part *parts;
    size_t part_count, part_room;
    size_t size;      /* of a part's buffer */
    iv_str last, edge; /* the topic that was written last; the last one of the part before */
    size_t last_room, edge_room;
    const iv_work *work;
} sorting;

static iv_str topic_of_stretch(const sorting *s, size_t i)
{
    return s->topics.names[s->at[i].topic];
}

/* Finds the stretches of whole lines; false when memory is out. */
static bool find_stretches(sorting *s, iv_str lines)
{
    const char *at = lines.ptr, *const end = lines.ptr + lines.len;
    iv_str last = { NULL, 0 };

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop + 1;
        s->in.lines++;
        s->found.lines++;
        /* As most lines, it begins like the one before it. */
        if (last.len > 0 && (size_t)(stop - at) > last.len && iv_is_blank(at[last.len])
            && iv_str_eq((iv_str){ at, last.len }, last)) {
            s->at[s->count - 1].len += (size_t)(stop - at);
            at = stop;
            continue;
        }
        const iv_str topic = topic_of(at, stop, &s->headed);
        const uint32_t number = iv_ids_add(&s->topics, topic);
        if (number == IV_NO_ID || !IV_ROOM(s->at, s->capacity, s->count + 1))
            return false;
        s->at[s->count++] = (stretch){ at, (size_t)(stop - at), number };
        last = topic.ptr == at ? topic : (iv_str){ NULL, 0 };
        at = stop;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return iv_str_cmp(**(const iv_str *const *)a, **(const iv_str *const *)b);
}

/* By topic, then as they came: a place for each topic, counted.  False when memory is out. */
static bool sort_stretches(bool *sorted, sorting *s)
{
    const iv_str *names = s->topics.names;
    const size_t topics = s->topics.count;
    size_t at = 0;

    *sorted = true;
    for (size_t i = 1; i < s->count && *sorted; i++)
        *sorted = s->at[i - 1].topic == s->at[i].topic
            || iv_str_cmp(topic_of_stretch(s, i - 1), topic_of_stretch(s, i)) < 0;
    if (*sorted)
        return true;
    const iv_str **order = malloc(topics * sizeof *order);
    size_t *place = calloc(topics, sizeof *place);
    stretch *moved = malloc(s->count * sizeof *moved);
    const bool good = order != NULL && place != NULL && moved != NULL;
    for (size_t t = 0; t < topics && good; t++)
        order[t] = &names[t];
    if (good)
        qsort(order, topics, sizeof *order, by_name);
    for (size_t i = 0; i < s->count && good; i++)
        place[s->at[i].topic]++;
    for (size_t t = 0; t < topics && good; t++) {
        size_t *here = &place[order[t] - names], many = *here;
        *here = at;
        at += many;
    }
    for (size_t i = 0; i < s->count && good; i++)
        moved[place[s->at[i].topic]++] = s->at[i];
    free(order);
    free(place);
    free(good ? s->at : moved);
    s->at = good ? moved : s->at;
    s->capacity = good ? s->count : s->capacity;
    return good;
}

/* ------------------------------------------------------------ sort lines -- */

/*
 * An external sort: parts that fit into memory are sorted by themselves and kept one behind
 * the other in a temporary file, a topic's lines with their length before them, so that merging
 * compares topics and copies bytes.
 */

enum { USUAL = 256, LEAST = 1 << 20 };

static int no_write(const sorting *s, const char *where, iv_err *err)
{
    return iv_fail_at(err, IV_EIO, s->name, 0, "cannot be sorted: %s: %s", where, strerror(errno));
}

FILE *iv_nameless_file(const char *folder)
{
    int fd = -1;
#ifdef O_TMPFILE
    fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (fd < 0) {
        char *name = malloc(strlen(folder) + 32);
        if (name == NULL)
            return NULL;
        (void)sprintf(name, "%s/intervale-sort-XXXXXX", folder);
        fd = mkstemp(name);
        if (fd >= 0)
            (void)unlink(name);
        free(name);
    }
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (file == NULL && fd >= 0)
        (void)close(fd);
    return file;
}

/* --------------------------------------------------------------- parts -- */

/* Counts a topic when it is written; the same one may come from several parts. */
static bool count_topic(sorting *s, iv_str topic)
{
    if (topic.len == 0 || (s->found.topics > 0 && iv_str_eq(topic, s->last)))
        return true;
    s->found.topics++;
    return iv_str_keep(&s->last, &s->last_room, topic);
}

/* Writes sorted stretches, a topic at a time: as they are, or with lengths for merging. */
static int write_part(sorting *s, FILE *to, iv_err *err)
{
    const bool lengths = to == s->kept;
    bool good = true;

    for (size_t i = 0, end; i < s->count && good; i = end) {
        const iv_str topic = topic_of_stretch(s, i);
        uint64_t head[2] = { topic.len, 0 };
        for (end = i; end < s->count && s->at[end].topic == s->at[i].topic; end++)
            head[1] += s->at[end].len;
        if (lengths)
            good = fwrite(head, sizeof head, 1, to) == 1
                && (topic.len == 0 || fwrite(topic.ptr, topic.len, 1, to) == 1);
        else if (!count_topic(s, topic))
            return iv_no_memory(err);
        for (size_t k = i; k < end && good; k++)
            good = fwrite(s->at[k].at, s->at[k].len, 1, to) == 1;
        if (i % 1024 == 0)
            IV_TRY(iv_check_work(s->work, 0.5, err));
    }
    return good && fflush(to) == 0 ? IV_OK : no_write(s, lengths ? s->how.folder : "the output",
                                                      err);
}

/* Keeps a part behind the others. */
static int keep_part(sorting *s, iv_err *err)
{
    if (!IV_ROOM(s->parts, s->part_room, s->part_count + 1))
        return iv_no_memory(err);
    s->kept = s->kept != NULL ? s->kept : iv_nameless_file(s->how.folder);
    if (s->kept == NULL)
        return no_write(s, s->how.folder, err);
    part *made = &s->parts[s->part_count++];
    *made = (part){ .next = (uint64_t)ftello(s->kept) };
    IV_TRY(write_part(s, s->kept, err));
    made->end = (uint64_t)ftello(s->kept);
    return IV_OK;
}

/* Ends the last line of the file, if nothing does: there is a byte of room. */
static void end_line(iv_reader *f)
{
    if (f->ended && f->end > f->begin && f->buffer[f->end - 1] != '\n') {
        f->buffer[f->end++] = '\n';
        f->whole = f->end;
    }
}

/* Does the part begin behind the end of the one before it?  Keeps its own. */
static bool follows(sorting *s)
{
    const iv_str first = topic_of_stretch(s, 0), last = topic_of_stretch(s, s->count - 1);
    const bool rises = s->edge.ptr == NULL || iv_str_cmp(s->edge, first) <= 0;

    return iv_str_keep(&s->edge, &s->edge_room, last) && rises;
}

/* ------------------------------------------------------------- merging -- */

/* What comes next of a part is held, if nothing is. */
static int hold(const sorting *s, part *p, iv_err *err)
{
    const uint64_t left = p->end - p->next;

    if (p->held.len > 0)
        return IV_OK;
    const ssize_t got = pread(fileno(s->kept), p->buffer, left < s->size ? (size_t)left : s->size,
                              (off_t)p->next);
    if (got <= 0)
        return no_write(s, s->how.folder, err);
    p->held = (iv_str){ p->buffer, (size_t)got };
    p->next += (uint64_t)got;
    return IV_OK;
}

/* Copies n bytes of a part to `out`, or to the output if that is NULL. */
static int copy(const sorting *s, part *p, char *out, uint64_t n, iv_err *err)
{
    while (n > 0) {
        IV_TRY(hold(s, p, err));
        const size_t now = n < p->held.len ? (size_t)n : p->held.len;
        if (out != NULL)
            out = (char *)memcpy(out, p->held.ptr, now) + now;
        else if (fwrite(p->held.ptr, now, 1, s->out) != 1)
            return no_write(s, "the output", err);
        p->held = (iv_str){ p->held.ptr + now, p->held.len - now };
        n -= now;
    }
    return IV_OK;
}

/* The next topic of a part, and how long its lines are. */
static int next_group(const sorting *s, part *p, iv_err *err)
{
    uint64_t head[2] = { 0, 0 };

    if (p->held.len > 0 || p->next < p->end)
        IV_TRY(copy(s, p, (char *)head, sizeof head, err));
    if (!IV_ROOM(p->topic, p->topic_room, (size_t)head[0] + 1))
        return iv_no_memory(err);
    p->topic_len = (size_t)head[0];
    p->bytes = head[1];
    return copy(s, p, p->topic, head[0], err);
}

/* Is part a before part b?  Of one topic the earlier part. */
static bool before(const sorting *s, size_t a, size_t b)
{
    const part *x = &s->parts[a], *y = &s->parts[b];
    const int order = iv_str_cmp((iv_str){ x->topic, x->topic_len },
                                 (iv_str){ y->topic, y->topic_len });

    return order != 0 ? order < 0 : a < b;
}

/* Puts heap[i] where it belongs. */
static void sift(const sorting *s, size_t *heap, size_t count, size_t i)
{
    for (;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
            if (before(s, heap[child], heap[least]))
                least = child;
        if (least == i)
            return;
        const size_t swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

static int merge(sorting *s, size_t *heap, char *buffers, iv_err *err)
{
    size_t count = s->part_count;

    for (size_t i = 0; i < count; i++) {
        s->parts[i].buffer = buffers + i * s->size;
        heap[i] = i;
        IV_TRY(next_group(s, &s->parts[i], err));
    }
    for (size_t i = count; i-- > 0;)
        sift(s, heap, count, i);
    for (uint64_t n = 0; count > 0; n++) {
        part *p = &s->parts[heap[0]];
        if (!count_topic(s, (iv_str){ p->topic, p->topic_len }))
            return iv_no_memory(err);
        IV_TRY(copy(s, p, NULL, p->bytes, err));
        IV_TRY(next_group(s, p, err));
        if (p->bytes == 0)
            heap[0] = heap[--count];
        sift(s, heap, count, 0);
        if (n % 1024 == 0)
            IV_TRY(iv_check_work(s->work, 0.8, err));
    }
    return IV_OK;
}

static int merge_parts(sorting *s, iv_err *err)
{
    const uint64_t share = s->how.memory / 2 / s->part_count;
    iv_arena own = { 0 };

    s->size = share < 256 ? 256 : share > 1 << 20 ? 1 << 20 : (size_t)share;
    char *buffers = iv_take(&own, s->part_count * s->size, 1);
    size_t *heap = iv_take(&own, s->part_count, sizeof *heap);
    int rc = iv_taken(&own, err);
    if (rc == IV_OK)
        rc = merge(s, heap, buffers, err);
    iv_arena_free(&own);
    return rc;
}

/* ------------------------------------------------------------- sorting -- */

/* Reads and sorts as much as fits, and writes it: to the output, if it is all. */
static int do_part(sorting *s, size_t text, iv_err *err)
{
    iv_reader *f = &s->in;

    IV_TRY(iv_reader_fill(f, text, text, err));
    IV_TRY(iv_sorted_is_text(f, err));
    end_line(f);
    const iv_str lines = iv_reader_text(f);
    s->count = 0;
    iv_ids_free(&s->topics);
    if (!find_stretches(s, lines))
        return iv_no_memory(err);
    s->found.bytes += lines.len;
    s->found.parts++;
    IV_TRY(iv_check_work(s->work, 0.2, err));
    bool sorted;
    if (!sort_stretches(&sorted, s))
        return iv_no_memory(err);
    s->found.sorted = s->found.sorted && sorted && (s->count == 0 || follows(s));
    iv_reader_take(f, lines.len);
    return f->ended && s->part_count == 0 ? write_part(s, s->out, err)
        : s->count > 0 ? keep_part(s, err) : IV_OK;
}

int iv_sort_lines(FILE *out, const char *path, const iv_sorting *how, iv_sorted_lines *found,
                  const iv_work *work, iv_err *err)
{
    sorting s = { .how = how != NULL ? *how : (iv_sorting){ 0 }, .name = path, .out = out,
                  .work = work, .found.sorted = true };

    s.how.memory = s.how.memory == 0 ? (uint64_t)USUAL << 20
        : s.how.memory < LEAST ? LEAST : s.how.memory;
    s.how.folder = s.how.folder != NULL ? s.how.folder : "/tmp";
    /* Stretches of single lines take as much as the lines, twice while they are sorted. */
    const size_t text = (size_t)(s.how.memory / 3);
    int rc = iv_reader_open(&s.in, path, -1, 0, work, err);
    while (rc == IV_OK && (s.found.parts == 0 || !(s.in.ended && s.in.begin == s.in.end)))
        rc = do_part(&s, text, err);
    iv_reader_close(&s.in);
    if (rc == IV_OK && s.part_count > 0)
        rc = merge_parts(&s, err);
    if (rc == IV_OK && fflush(out) != 0)
        rc = no_write(&s, "the output", err);
    for (size_t i = 0; i < s.part_count; i++)
        free(s.parts[i].topic);
    if (s.kept != NULL)
        (void)fclose(s.kept);
    free(s.at);
    iv_ids_free(&s.topics);
    free(s.parts);
    free((char *)(uintptr_t)s.last.ptr);
    free((char *)(uintptr_t)s.edge.ptr);
    if (rc == IV_OK && found != NULL)
        *found = s.found;
    return rc;
}

/* ----------------------------------------------------------- sorted file -- */

int iv_sorted_is_text(const iv_reader *f, iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_err here = { 0 };

    if (!iv_text_refuse_nul((iv_str){ f->buffer + f->begin, f->end - f->begin }, &problems))
        return IV_OK;
    const int rc = iv_problems_verdict(&problems, f->name, &here);
    here.line += here.line > 0 ? f->lines : 0;
    if (err != NULL)
        *err = here;
    return rc;
}

/* -------------------------------------------------------------- topics -- */

iv_str iv_first_topic(iv_str lines)
{
    const char *p = lines.ptr, *const end = lines.ptr + lines.len;
    iv_str topic = { p, 0 };

    while (p < end && topic.len == 0)
        topic = topic_at(&p, end);
    return topic;
}

/* Where the line begins that holds the byte before `at`. */
static const char *line_before(const char *begin, const char *at)
{
    at--;
    while (at > begin && at[-1] != '\n')
        at--;
    return at;
}

iv_str iv_last_topic(iv_str lines)
{
    const char *at = lines.ptr + lines.len;
    iv_str topic = { lines.ptr, 0 };

    while (at > lines.ptr && topic.len == 0) {
        const char *end = at, *p = at = line_before(lines.ptr, at);
        topic = topic_at(&p, end);
    }
    return topic;
}

size_t iv_topics_before(iv_str lines, iv_topic_order order, iv_str topic)
{
    const char *const end = lines.ptr + lines.len;
    size_t low = 0, high = lines.len; /* low: before it; high: not, or the end */

    while (low < high) {
        /* The first line with a topic that begins at the middle or behind it. */
        const char *p = lines.ptr + low + (high - low) / 2, *line = p;
        if (p > lines.ptr + low) {
            line = line_before(lines.ptr, p + 1);
            p = line;
        }
        iv_str here = { p, 0 };
        while (p < end && here.len == 0)
            here = topic_at(&p, end);
        if (here.len > 0 && iv_topic_compare(order, here, topic) < 0)
            low = (size_t)(p - lines.ptr);
        else
            high = (size_t)(line - lines.ptr);
    }
    return high;
}
