/* SPDX-License-Identifier: Apache-2.0 */
/* Reads large sorted files some topics at a time. */
#include "base/err.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/reader.h"
#include "trec/chunks.h"
#include "trec/judgments_records.h"
#include "trec/problems.h"
#include "trec/run_records.h"
#include "trec/sorted_file.h"
#include "trec/text.h"
#include "trec/topic_order.h"
#include "trec/windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No buffer is smaller, and no window larger than what a core's cache holds, as far as
 * topics allow; memory unless given.  Pieces of a file that tell its order, and bytes of one. */
enum { LEAST = 1 << 16, WINDOW = 1 << 18, USUAL = 96 << 20, WINDOWS_A_THREAD = 4,
    PIECES = 64, PIECE = 4096 };

#define EXPECTED ", expected lines sorted by topic" IV_HINT("; --sort sorts it first")

/* ------------------------------------------------------------- opening -- */

/* Behind the header of BEIR judgments, which is no line of a topic. */
static void skip_header(iv_reader *f)
{
    iv_str text = iv_reader_text(f), fields[3];
    uint64_t line;

    if (!iv_is_beir_header(fields, iv_first_fields(fields, 3, text, true, &line)))
        return;
    const char *stop = memchr(fields[2].ptr, '\n', (size_t)(text.ptr + text.len - fields[2].ptr));
    iv_reader_take(f, stop == NULL ? text.len : (size_t)(stop - text.ptr) + 1);
    f->lines = line;
}

static int not_so(iv_err *err, const iv_reader *f, uint64_t line, const char *why)
{
    if (iv_sorted_is_text(f, err) == IV_OK) /* else that is why */
        (void)iv_fail_at(err, IV_EPARSE, f->name, line, "%s where memory is bounded", why);
    return IV_NOT_TAKEN;
}

/* Which format the judgments have; those of samples are looked at as a whole. */
static int tell_judgments(iv_windows *w, iv_judgments_format asked, iv_err *err)
{
    const iv_reader *f = &w->files[0];
    iv_str text = iv_reader_text(f), fields[5];
    uint64_t line;
    const size_t count = iv_first_fields(fields, 5, text, true, &line);

    if (asked == IV_JUDGMENTS_QRELS_JG || asked == IV_JUDGMENTS_QRELS_PREFS)
        asked = IV_JUDGMENTS_GROUPS;
    w->judged_as = asked != IV_JUDGMENTS_ANY ? asked
        : count == 4 ? IV_JUDGMENTS_QRELS
        : iv_is_beir_header(fields, count) ? IV_JUDGMENTS_BEIR : IV_JUDGMENTS_ANY;
    if (w->judged_as == IV_JUDGMENTS_ANY || w->judged_as == IV_JUDGMENTS_PRELS
        || w->judged_as == IV_JUDGMENTS_STRATIFIED)
        return not_so(err, f, 0, "a sample or an unknown format, expected qrels");
    return IV_OK;
}

static int tell_run(iv_windows *w, size_t r, iv_run_format asked, iv_err *err)
{
    const iv_reader *f = &w->files[r + 1];
    iv_str fields[6], text = iv_reader_text(f);
    uint64_t line;
    const size_t count = iv_first_fields(fields, 6, text, true, &line);

    w->run_as[r] = asked == IV_RUN_ANY ? iv_run_format_detected(fields, count) : asked;
    if (count == 0 || w->run_as[r] == IV_RUN_ANY)
        return not_so(err, f, 0, "an unknown format, expected a run");
    const iv_str tag = w->run_as[r] == IV_RUN_TREC && count >= 6 ? fields[5] : iv_str_of("");
    const char *copy = iv_arena_copy(&w->own, tag);
    w->tags[r] = (iv_str){ copy, tag.len };
    return iv_taken(&w->own, err);
}

/* The line where the topics of a text fall in that order; 0: they rise, as far as can be seen. */
static uint64_t falls(iv_str text, iv_topic_order order, iv_str *last)
{
    iv_str before = *last, line;

    for (size_t lines = 0; lines < 4096 && iv_next_line(&line, &text); lines++) {
        const iv_str topic = iv_first_topic(line);
        if (topic.len == 0)
            continue;
        if (before.len > 0 && iv_topic_compare(order, topic, before) < 0)
            return lines + 1;
        before = topic;
    }
    *last = before;
    return 0;
}

/* Whole lines among these bytes of the file. */
static iv_str lines_at(const iv_reader *f, uint64_t at, size_t bytes, char room[PIECE])
{
    const ssize_t got = pread(f->fd, room, bytes, (off_t)at);
    size_t begin = 0, end = got > 0 ? (size_t)got : 0;

    while (end > 0 && room[end - 1] != '\n')
        end--;
    while (begin < end && room[begin++] != '\n')
        continue;
    return (iv_str){ room + begin, end - begin };
}

/* By its beginning, and by pieces up to its end if it can be read there: a line that is not known.
 * Topics 1, 10, 11 rise in both orders: pieces far apart tell which it is. */
static uint64_t file_falls(const iv_reader *f, iv_topic_order order)
{
    iv_str last = { iv_reader_text(f).ptr, 0 };
    char rooms[2][PIECE];

    const uint64_t line = falls(iv_reader_text(f), order, &last);
    const uint64_t from = (uint64_t)(last.ptr - f->buffer);
    if (line > 0 || !f->regular || f->unpacker != NULL || f->stored <= from)
        return line;
    const uint64_t span = f->stored - from;
    const uint64_t pieces = span / PIECE < PIECES ? span / PIECE + 1 : PIECES;
    const size_t bytes = span / pieces < PIECE ? (size_t)(span / pieces) : PIECE;
    for (uint64_t k = 1, room = 0; k <= pieces; k++) {
        const char *before = last.ptr;
        if (falls(lines_at(f, from + span * k / pieces - bytes, bytes, rooms[room]), order, &last))
            return UINT64_MAX;
        room ^= last.ptr != before; /* the other one holds the last topic */
    }
    return 0;
}

static int tell_order(iv_windows *w, iv_err *err)
{
    bool bytes = true, numbers = true;

    for (size_t i = 0; i < w->file_count; i++) {
        const uint64_t fall_bytes = file_falls(&w->files[i], IV_ORDER_BYTES);
        const uint64_t fall_number = file_falls(&w->files[i], IV_ORDER_NUMBERS);
        const uint64_t line = fall_bytes > fall_number ? fall_bytes : fall_number;
        if (fall_bytes > 0 && fall_number > 0)
            return not_so(err, &w->files[i], line == UINT64_MAX ? 0 : line,
                          "topics are not in order" EXPECTED);
        bytes = bytes && fall_bytes == 0;
        numbers = numbers && fall_number == 0;
        if (!bytes && !numbers)
            return not_so(err, &w->files[i], 0, "topics are in another order than those of the "
                          "files before it" EXPECTED);
    }
    w->order = bytes ? IV_ORDER_BYTES : IV_ORDER_NUMBERS;
    return IV_OK;
}

static int make_room(iv_windows *w, const iv_texts *runs, uint64_t memory, const iv_work *work,
                     iv_err *err)
{
    const size_t threads = (size_t)iv_work_threads(work), files = runs->count + 1;
    const uint64_t share = (memory > 0 ? memory / 2 : USUAL) / files;

    w->wanted = WINDOWS_A_THREAD * threads;
    w->capacity = share < LEAST ? LEAST
        : share > WINDOW * w->wanted ? WINDOW * w->wanted : (size_t)share;
    w->most = memory > 0 && memory / 2 < SIZE_MAX ? (size_t)(memory / 2) : USUAL;
    w->files = iv_take(&w->own, files, sizeof *w->files);
    w->run_as = iv_take(&w->own, files, sizeof *w->run_as);
    w->tags = iv_take(&w->own, files, sizeof *w->tags);
    w->bounds = iv_take(&w->own, w->wanted + 1, sizeof *w->bounds);
    w->ends = iv_take(&w->own, w->wanted * files, sizeof *w->ends);
    return iv_taken(&w->own, err);
}

/* The file of a sorted copy. */
static int sorted_copy(int *fd, const char *path, const iv_sorting *how, const iv_work *work,
                       iv_err *err)
{
    FILE *copy = iv_nameless_file(how->folder != NULL ? how->folder : "/tmp");

    if (copy == NULL)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot be sorted: %s: %s",
                          how->folder != NULL ? how->folder : "/tmp", strerror(errno));
    const int rc = iv_sort_lines(copy, path, how, NULL, work, err);
    *fd = rc == IV_OK ? dup(fileno(copy)) : -1;
    (void)fclose(copy);
    return rc != IV_OK || (*fd >= 0 && lseek(*fd, 0, SEEK_SET) == 0) ? rc
        : iv_fail_at(err, IV_EIO, path, 0, "cannot be sorted: %s", strerror(errno));
}

static int open_file(iv_windows *w, const char *path, const iv_sorting *sort, const iv_work *work,
                     iv_err *err)
{
    iv_stage quiet;
    int fd = -1;

    if (sort != NULL)
        IV_TRY(sorted_copy(&fd, path, sort, iv_work_part(&quiet, work, 0.0, 0.0), err));
    iv_reader *f = &w->files[w->file_count++];
    IV_TRY(iv_reader_open(f, path, fd, sort == NULL ? IV_READ_DIGEST : 0, work, err));
    IV_TRY(iv_reader_fill(f, w->capacity, w->most, err));
    return f->end > f->begin ? IV_OK : not_so(err, f, 0, "an empty file, expected lines");
}

int iv_windows_open(iv_windows *w, const char *judgments, iv_judgments_format judged_as,
                    const iv_texts *runs, iv_run_format run_as, uint64_t memory,
                    const iv_sorting *sort, const iv_work *work, iv_err *err)
{
    w->copies = sort != NULL;
    IV_TRY(make_room(w, runs, memory, work, err));
    IV_TRY(open_file(w, judgments, sort, work, err));
    IV_TRY(tell_judgments(w, judged_as, err));
    for (size_t r = 0; r < runs->count; r++) {
        IV_TRY(open_file(w, runs->at[r], sort, work, err));
        IV_TRY(tell_run(w, r, run_as, err));
    }
    skip_header(&w->files[0]);
    return tell_order(w, err);
}

void iv_windows_close(iv_windows *w)
{
    for (size_t i = 0; i < w->file_count; i++)
        iv_reader_close(&w->files[i]);
    free((char *)(uintptr_t)w->last.ptr);
    iv_arena_free(&w->own);
    *w = (iv_windows){ 0 };
}

int iv_windows_rewind(iv_windows *w, iv_err *err)
{
    w->count = 0;
    w->last.len = 0;
    for (size_t i = 0; i < w->file_count; i++) {
        iv_reader *f = &w->files[i];
        IV_TRY(iv_reader_rewind(f, err));
        IV_TRY(iv_reader_fill(f, w->capacity, w->most, err));
    }
    skip_header(&w->files[0]);
    return IV_OK;
}

/* ------------------------------------------------------------- batches -- */

static size_t end_of(const iv_windows *w, size_t k, size_t f)
{
    return w->ends[k * w->file_count + f];
}

static int let_go(iv_windows *w, iv_err *err)
{
    if (w->count == 0)
        return IV_OK;
    if (!iv_str_keep(&w->last, &w->last_room, w->bounds[w->count]))
        return iv_no_memory(err);
    for (size_t f = 0; f < w->file_count; f++) {
        const size_t end = end_of(w, w->count - 1, f);
        w->files[f].lines += iv_lines_in((iv_str){ iv_reader_text(&w->files[f]).ptr, end });
        iv_reader_take(&w->files[f], end);
    }
    return IV_OK;
}

/*
 * Topics before this one are whole in all files: the least of the last topics in buffers
 * that are not the end of their file.  Empty: all are at their ends.
 */
static int find_bound(iv_str *bound, iv_windows *w, iv_err *err)
{
    for (size_t i = 0; i < w->file_count; i++)
        IV_TRY(iv_reader_fill(&w->files[i], w->capacity, w->most, err));
    for (;;) {
        iv_reader *least = NULL;
        *bound = (iv_str){ "", 0 };
        for (size_t i = 0; i < w->file_count; i++) {
            iv_reader *f = &w->files[i];
            const iv_str last = f->ended ? (iv_str){ "", 0 } : iv_last_topic(iv_reader_text(f));
            if (!f->ended && (bound->len == 0 || iv_topic_compare(w->order, last, *bound) < 0)) {
                *bound = last;
                least = f;
            }
        }
        if (least == NULL)
            return IV_OK;
        const int first = iv_topic_compare(w->order, iv_first_topic(iv_reader_text(least)), *bound);
        if (first < 0)
            return IV_OK;
        if (first > 0)
            return not_so(err, least, 0, "topics are not in order" EXPECTED);
        if (least->capacity >= w->most)
            return iv_fail_at(err, IV_EARG, least->name, least->lines + 1, "a topic of more than "
                              "%zu bytes, expected topics that fit into memory", least->capacity);
        least->whole = least->begin; /* one topic, and not all of it: a larger buffer */
        IV_TRY(iv_reader_fill(least, 2 * least->capacity < w->most ? 2 * least->capacity : w->most,
                              w->most, err));
    }
}

/* Cuts the batch at topics that part the longest text evenly. */
static void cut_windows(iv_windows *w, iv_str bound)
{
    iv_str longest = { NULL, 0 };
    size_t *all = w->ends + (w->wanted - 1) * w->file_count, from = 0;

    for (size_t f = 0; f < w->file_count; f++) {
        const iv_str text = iv_reader_text(&w->files[f]);
        all[f] = bound.len > 0 ? iv_topics_before(text, w->order, bound) : text.len;
        if (all[f] >= longest.len)
            longest = (iv_str){ text.ptr, all[f] };
    }
    w->bounds[0] = w->last;
    w->count = 0;
    const size_t step = longest.len / w->wanted + LEAST;
    while (w->count + 1 < w->wanted && longest.len - from > step) {
        const char *at = memchr(longest.ptr + from + step, '\n', longest.len - from - step);
        const iv_str topic = at == NULL ? (iv_str){ "", 0 }
            : iv_first_topic((iv_str){ at + 1, longest.len - (size_t)(at + 1 - longest.ptr) });
        if (topic.len == 0)
            break;
        const iv_str left = { longest.ptr + from, longest.len - from };
        const size_t here = from + iv_topics_before(left, w->order, topic);
        if (here > from) {
            for (size_t f = 0; f < w->file_count; f++) {
                const iv_str text = { iv_reader_text(&w->files[f]).ptr, all[f] };
                w->ends[w->count * w->file_count + f] = iv_topics_before(text, w->order, topic);
            }
            w->bounds[++w->count] = topic;
        }
        from = here > from ? here : (size_t)(topic.ptr - longest.ptr);
    }
    memmove(w->ends + w->count * w->file_count, all, w->file_count * sizeof *all);
    w->bounds[++w->count] = bound;
}

int iv_windows_next(iv_windows *w, iv_err *err)
{
    iv_str bound;
    bool left = false;

    IV_TRY(let_go(w, err));
    IV_TRY(find_bound(&bound, w, err));
    for (size_t f = 0; f < w->file_count; f++)
        left = left || iv_reader_text(&w->files[f]).len > 0;
    w->count = 0;
    if (left)
        cut_windows(w, bound);
    return IV_OK;
}

/* ------------------------------------------------------------- parsing -- */

/* The text of file f in window k. */
static iv_str text_in(const iv_windows *w, size_t k, size_t f)
{
    const size_t from = k > 0 ? end_of(w, k - 1, f) : 0;

    return (iv_str){ iv_reader_text(&w->files[f]).ptr + from, end_of(w, k, f) - from };
}

uint64_t iv_window_lines(const iv_windows *w, size_t k, size_t f)
{
    const char *ptr = iv_reader_text(&w->files[f]).ptr;

    return w->files[f].lines + iv_lines_in((iv_str){ ptr, (size_t)(text_in(w, k, f).ptr - ptr) });
}

/* Do topics rise, from the window's first bound to its last? */
static int check_order(const iv_windows *w, size_t k, size_t f, const iv_grouped *g, iv_err *err)
{
    iv_str last = w->bounds[k];
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < g->chunk_count; i++)
        for (size_t s = 0; s < g->chunks[i].segment_count; s++) {
            const iv_str topic = g->chunks[i].segments[s].topic;
            const int above = last.len == 0 ? 1 : iv_topic_compare(w->order, topic, last);
            const bool beyond = w->bounds[k + 1].len > 0
                && iv_topic_compare(w->order, topic, w->bounds[k + 1]) >= 0;
            if (above < 0 || (above == 0 && s + i > 0) || beyond) {
                const uint64_t line = iv_line_of(text_in(w, k, f), topic.ptr);
                (void)iv_fail_at(err, IV_EPARSE, w->files[f].name, iv_window_lines(w, k, f) + line,
                                 "topic %s comes again or out of order, expected lines sorted by "
                                 "topic"
                                 IV_HINT("; --sort sorts it first"),
                                 iv_quote(quoted, topic));
                return IV_NOT_TAKEN;
            }
            last = topic;
        }
    return IV_OK;
}

static int verdict(const iv_windows *w, size_t k, size_t f, iv_problems *problems, iv_err *err)
{
    iv_err here = { 0 };

    const int rc = iv_problems_verdict(problems, w->files[f].name, &here);
    if (rc != IV_OK && here.line > 0) {
        const size_t len = strlen(here.msg);
        here.line += iv_window_lines(w, k, f);
        if (w->copies)
            (void)snprintf(here.msg + len, sizeof here.msg - len, " (line of its sorted copy)");
    }
    if (rc != IV_OK && err != NULL)
        *err = here;
    return rc;
}

int iv_window_judgments(iv_judgments **out, const iv_windows *w, size_t k, iv_err *err)
{
    const iv_str text = text_in(w, k, 0);
    const iv_work one = { .threads = 1 };
    iv_problems problems = { .most = 1 };
    iv_judgments *j = calloc(1, sizeof *j);

    if (j == NULL)
        return iv_no_memory(err);
    j->text = text;
    j->format = w->judged_as;
    iv_judgments_group(&j->grouped, text, j->format, &one, text.len + 1, &problems);
    (void)iv_judgments_settle(j, false, &one, &problems);
    int rc = verdict(w, k, 0, &problems, err);
    if (rc == IV_OK)
        rc = check_order(w, k, 0, &j->grouped, err);
    if (rc == IV_OK)
        *out = j;
    else
        iv_judgments_free(j);
    return rc;
}

int iv_window_run(iv_run **out, const iv_windows *w, size_t k, size_t r, iv_err *err)
{
    const iv_str text = text_in(w, k, r + 1);
    const iv_work one = { .threads = 1 };
    iv_problems problems = { .most = 1 };
    iv_run *run = calloc(1, sizeof *run);

    if (run == NULL)
        return iv_no_memory(err);
    run->text = text;
    run->format = w->run_as[r];
    run->tag = w->tags[r];
    run->bytes.stored = text.len;
    iv_run_group(&run->grouped, text, run->format, &one, text.len + 1, &problems);
    (void)iv_run_settle(run, false, &one, &problems);
    int rc = verdict(w, k, r + 1, &problems, err);
    if (rc == IV_OK)
        rc = check_order(w, k, r + 1, &run->grouped, err);
    if (rc == IV_OK)
        *out = run;
    else
        iv_run_free(run);
    return rc;
}
