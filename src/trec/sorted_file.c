/* SPDX-License-Identifier: Apache-2.0 */

#define _GNU_SOURCE /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "trec/fields.h"
#include "trec/judgments_lines.h"
#include "trec/sort_part.h"
#include "trec/sorted_file.h"
#include "trec/sorting_private.h"
#include "trec/text.h"

/* The topic of the line from p to end; empty: it has none. */
static iv_str topic_of(const char *p, const char *end, bool *headed)
{
    iv_str fields[3];

    while (p < end && iv_is_blank(*p))
        p++;
    if (p == end || *p == '\n' || *p == '#')
        return (iv_str){ p, 0 };
    const iv_str topic = { p, (size_t)(iv_field_end(p, end) - p) };
    if (*headed)
        return topic;
    *headed = true;
    const char *line = p;
    return iv_is_beir_header(fields, iv_split_line(fields, 3, &line, end)) ? (iv_str){ p, 0 }
        : topic;
}

/* Finds the stretches of whole lines; false when memory is out. */
static bool iv_sort_part_add(iv_sort_part *p, iv_str lines)
{
    const char *at = lines.ptr, *const end = lines.ptr + lines.len;
    iv_str last = { NULL, 0 };

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop + 1;
        p->lines++;
        /* As most lines, it begins like the one before it. */
        if (last.len > 0 && (size_t)(stop - at) > last.len && iv_is_blank(at[last.len])
            && iv_str_eq((iv_str){ at, last.len }, last)) {
            p->at[p->count - 1].len += (size_t)(stop - at);
            at = stop;
            continue;
        }
        const iv_str topic = topic_of(at, stop, &p->headed);
        iv_stretch *grown = iv_grow(p->at, &p->capacity, p->count + 1, sizeof *grown);
        if (grown == NULL)
            return false;
        p->at = grown;
        p->at[p->count++] = (iv_stretch){ at, (uint32_t)(topic.ptr - at), (uint32_t)topic.len,
                                          (size_t)(stop - at) };
        last = topic.ptr == at ? topic : (iv_str){ NULL, 0 };
        at = stop;
    }
    return true;
}

/* By topic, then as they came. */
static int by_topic(const void *a, const void *b)
{
    const iv_stretch *x = a, *y = b;
    const int order = iv_str_cmp(iv_stretch_topic(x), iv_stretch_topic(y));

    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Sorts them, stable; were they sorted? */
static bool iv_sort_part_sort(iv_sort_part *p)
{
    bool rises = true;

    for (size_t i = 1; i < p->count && rises; i++)
        rises = iv_str_cmp(iv_stretch_topic(&p->at[i - 1]), iv_stretch_topic(&p->at[i])) <= 0;
    if (!rises)
        qsort(p->at, p->count, sizeof *p->at, by_topic);
    return rises;
}

static void iv_sort_part_free(iv_sort_part *p)
{
    free(p->at);
    *p = (iv_sort_part){ 0 };
}

/* ------------------------------------------------------------ sort lines -- */

/*
 * An external sort: parts that fit into memory are sorted by themselves and kept in
 * temporary files, a topic's lines with their length before them, so that merging compares
 * topics and copies bytes.  FAN parts are merged into one of a higher level, and FAN of these,
 * so that any size is sorted in any memory with few files open.
 */


enum { USUAL = 256, LEAST = 1 << 20, FAN = 128 };

/* ------------------------------------------------------ temporary files -- */

/* One sorted part, while it is read again. */
typedef struct part {
    FILE *file;
    char *buffer;
    char *topic;    /* of the group at hand */
    size_t topic_len, topic_room;
    uint64_t bytes; /* of its lines, which come next; 0: the part has ended */
    unsigned level; /* how often it was merged */
} part;

typedef struct sorting {
    iv_sorting how;
    const char *name; /* of the file */
    FILE *out;
    iv_reader in;
    iv_sorted_lines found;
    part *parts;
    size_t part_count, part_room;
    char *last;       /* the topic that was written last */
    size_t last_len, last_room;
    char *edge;       /* the last topic of the part before */
    size_t edge_len, edge_room;
    const iv_work *work;
} sorting;

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
    if (topic.len == 0 || (s->found.topics > 0 && topic.len == s->last_len
                           && memcmp(topic.ptr, s->last, topic.len) == 0))
        return true;
    char *last = iv_grow(s->last, &s->last_room, topic.len, 1);
    if (last == NULL)
        return false;
    s->last = memcpy(last, topic.ptr, topic.len);
    s->last_len = topic.len;
    s->found.topics++;
    return true;
}

/* Writes sorted stretches, a topic at a time: as they are, or with lengths for merging. */
static int write_part(sorting *s, const iv_sort_part *p, FILE *to, bool lengths, iv_err *err)
{
    bool good = true;

    for (size_t i = 0, end; i < p->count && good; i = end) {
        const iv_str topic = iv_stretch_topic(&p->at[i]);
        uint64_t head[2] = { topic.len, 0 };
        for (end = i; end < p->count && iv_str_cmp(iv_stretch_topic(&p->at[end]), topic)
             == 0; end++)
            head[1] += p->at[end].len;
        if (lengths)
            good = fwrite(head, sizeof head, 1, to) == 1
                && (topic.len == 0 || fwrite(topic.ptr, topic.len, 1, to) == 1);
        else if (!count_topic(s, topic))
            return iv_no_memory(err);
        for (size_t k = i; k < end && good; k++)
            good = fwrite(p->at[k].at, p->at[k].len, 1, to) == 1;
        if (i % 1024 == 0)
            IV_TRY(iv_check_work(s->work, 0.5, err));
    }
    if (!good)
        return no_write(s, lengths ? s->how.folder : "the output", err);
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
static bool follows(sorting *s, const iv_sort_part *p)
{
    const iv_str first = iv_stretch_topic(&p->at[0]), last = iv_stretch_topic(&p->at[p->count - 1]);
    const bool rises = s->edge == NULL
        || iv_str_cmp((iv_str){ s->edge, s->edge_len }, first) <= 0;
    char *edge = iv_grow(s->edge, &s->edge_room, last.len + 1, 1);

    if (edge != NULL) {
        s->edge = memcpy(edge, last.ptr, last.len);
        s->edge_len = last.len;
    }
    return rises && edge != NULL;
}

/* ------------------------------------------------------------- merging -- */

/* One more part, behind the others. */
static int new_part(part **out, sorting *s, unsigned level, iv_err *err)
{
    part *parts = iv_grow(s->parts, &s->part_room, s->part_count + 1, sizeof *parts);

    if (parts == NULL)
        return iv_no_memory(err);
    s->parts = parts;
    FILE *file = iv_nameless_file(s->how.folder);
    if (file == NULL)
        return no_write(s, s->how.folder, err);
    *out = &parts[s->part_count++];
    **out = (part){ .file = file, .level = level };
    return IV_OK;
}

static int read_again(const sorting *s, part *p, iv_err *err)
{
    return fflush(p->file) == 0 && fseek(p->file, 0, SEEK_SET) == 0 ? IV_OK
        : no_write(s, s->how.folder, err);
}

static void end_part(part *p)
{
    (void)fclose(p->file);
    free(p->buffer);
    free(p->topic);
}

/* The next topic of a part, and how long its lines are. */
static int next_group(const sorting *s, part *p, iv_err *err)
{
    uint64_t head[2];

    if (fread(head, sizeof head, 1, p->file) != 1) {
        p->bytes = 0;
        return ferror(p->file) ? no_write(s, s->how.folder, err) : IV_OK;
    }
    char *topic = iv_grow(p->topic, &p->topic_room, (size_t)head[0] + 1, 1);
    if (topic == NULL)
        return iv_no_memory(err);
    p->topic = topic;
    p->topic_len = (size_t)head[0];
    p->bytes = head[1];
    return p->topic_len == 0 || fread(topic, p->topic_len, 1, p->file) == 1 ? IV_OK
        : no_write(s, s->how.folder, err);
}

/* Where parts are merged to: the output, or another part. */
typedef struct target {
    FILE *file;
    bool lengths;
    char *room;
    size_t size;
} target;

static int no_target(const sorting *s, const target *to, iv_err *err)
{
    return no_write(s, to->lengths ? s->how.folder : "the output", err);
}

static int copy_group(const sorting *s, part *p, const target *to, iv_err *err)
{
    const uint64_t head[2] = { p->topic_len, p->bytes };

    if (to->lengths && (fwrite(head, sizeof head, 1, to->file) != 1
                        || (p->topic_len > 0 && fwrite(p->topic, p->topic_len, 1, to->file) != 1)))
        return no_target(s, to, err);
    while (p->bytes > 0) {
        const size_t n = p->bytes < to->size ? (size_t)p->bytes : to->size;
        if (fread(to->room, n, 1, p->file) != 1)
            return no_write(s, s->how.folder, err);
        if (fwrite(to->room, n, 1, to->file) != 1)
            return no_target(s, to, err);
        p->bytes -= n;
    }
    return next_group(s, p, err);
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

/* Merges the parts from `first` to before `last`. */
static int merge(sorting *s, size_t first, size_t last, size_t *heap, const target *to, iv_err *err)
{
    size_t count = 0;

    for (size_t i = first; i < last; i++) {
        part *p = &s->parts[i];
        p->buffer = malloc(to->size);
        if (p->buffer == NULL)
            return iv_no_memory(err);
        (void)setvbuf(p->file, p->buffer, _IOFBF, to->size);
        IV_TRY(next_group(s, p, err));
        if (p->bytes > 0)
            heap[count++] = i;
    }
    for (size_t i = count; i-- > 0;)
        sift(s, heap, count, i);
    for (uint64_t n = 0; count > 0; n++) {
        part *p = &s->parts[heap[0]];
        if (!to->lengths && !count_topic(s, (iv_str){ p->topic, p->topic_len }))
            return iv_no_memory(err);
        IV_TRY(copy_group(s, p, to, err));
        if (p->bytes == 0)
            heap[0] = heap[--count];
        sift(s, heap, count, 0);
        if (n % 1024 == 0)
            IV_TRY(iv_check_work(s->work, 0.8, err));
    }
    return IV_OK;
}

/* to: NULL for the output; else a part, while the room of sorting is still held. */
static int merge_parts(sorting *s, size_t first, size_t last, FILE *to, iv_err *err)
{
    const uint64_t share = s->how.memory / (to == NULL ? 2 : 16) / (last - first + 1);
    const size_t size = share < 4096 ? 4096 : share > 1 << 20 ? 1 << 20 : (size_t)share;
    iv_arena own = { 0 };
    char *room = iv_take(&own, size, 1);
    size_t *heap = iv_take(&own, last - first + 1, sizeof *heap);
    int rc = iv_taken(&own, err);

    if (rc == IV_OK)
        rc = merge(s, first, last, heap,
                   &(target){ to != NULL ? to : s->out, to != NULL, room, size }, err);
    iv_arena_free(&own);
    return rc;
}

/* The last FAN parts become one, if they are of one level. */
static int merge_levels(sorting *s, iv_err *err)
{
    while (s->part_count >= FAN) {
        const size_t last = s->part_count, first = last - FAN;
        const unsigned level = s->parts[last - 1].level;
        part *made = NULL;
        if (s->parts[first].level != level)
            return IV_OK;
        IV_TRY(new_part(&made, s, level + 1, err));
        FILE *to = made->file;
        IV_TRY(merge_parts(s, first, last, to, err));
        IV_TRY(read_again(s, &s->parts[last], err));
        for (size_t i = first; i < last; i++)
            end_part(&s->parts[i]);
        s->parts[first] = s->parts[last];
        s->part_count = first + 1;
    }
    return IV_OK;
}

/* ------------------------------------------------------------- sorting -- */

/* Reads and sorts as much as fits, and writes it: to the output, if it is all. */
static int do_part(sorting *s, size_t text, iv_sort_part *p, iv_err *err)
{
    iv_reader *f = &s->in;

    IV_TRY(iv_reader_fill(f, text, text, err));
    IV_TRY(iv_sorted_is_text(f, err));
    end_line(f);
    const iv_str lines = iv_reader_text(f);
    p->count = 0;
    p->lines = 0;
    if (!iv_sort_part_add(p, lines))
        return iv_no_memory(err);
    s->found.lines += p->lines;
    s->found.bytes += lines.len;
    s->found.stretches += p->count;
    IV_TRY(iv_check_work(s->work, 0.2, err));
    const bool sorted = iv_sort_part_sort(p);
    s->found.sorted = s->found.sorted && sorted && (p->count == 0 || follows(s, p));
    iv_reader_take(f, lines.len);
    f->lines += p->lines;
    if (f->ended && s->part_count == 0)
        return write_part(s, p, s->out, false, err);
    part *made = NULL;
    IV_TRY(new_part(&made, s, 0, err));
    IV_TRY(write_part(s, p, made->file, true, err));
    IV_TRY(read_again(s, made, err));
    return merge_levels(s, err);
}

static int sort_parts(sorting *s, iv_err *err)
{
    iv_sort_part p = { .headed = false };
    /* Stretches of single lines take as much as the lines, twice while they are sorted. */
    const size_t text = (size_t)(s->how.memory / 3);
    int rc = IV_OK;

    do {
        rc = do_part(s, text, &p, err);
        s->found.parts++;
    } while (rc == IV_OK && !(s->in.ended && s->in.begin == s->in.end));
    iv_sort_part_free(&p);
    return rc;
}

int iv_sort_lines(FILE *out, const char *path, const iv_sorting *how, iv_sorted_lines *found,
                  const iv_work *work, iv_err *err)
{
    sorting s = { .how = how != NULL ? *how : (iv_sorting){ 0 }, .name = path, .out = out,
                  .work = work, .found.sorted = true };

    s.how.memory = s.how.memory == 0 ? (uint64_t)USUAL << 20
        : s.how.memory < LEAST ? LEAST : s.how.memory;
    s.how.folder = s.how.folder != NULL ? s.how.folder : "/tmp";
    int rc = iv_reader_open(&s.in, path, -1, 0, work, err);
    if (rc == IV_OK)
        rc = sort_parts(&s, err);
    iv_reader_close(&s.in);
    if (rc == IV_OK && s.part_count > 0)
        rc = merge_parts(&s, 0, s.part_count, NULL, err);
    if (rc == IV_OK && fflush(out) != 0)
        rc = no_write(&s, "the output", err);
    for (size_t i = 0; i < s.part_count; i++)
        end_part(&s.parts[i]);
    free(s.parts);
    free(s.last);
    free(s.edge);
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
    iv_problems_finish(&problems);
    const int rc = iv_problems_verdict(&problems, f->name, &here);
    here.line += here.line > 0 ? f->lines : 0;
    if (err != NULL)
        *err = here;
    iv_problems_free(&problems);
    return rc;
}

/* -------------------------------------------------------------- topics -- */

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
