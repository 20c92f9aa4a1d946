/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are sorted by topic, scored some topics at a time: memory holds a batch of
 * windows and what is kept of each run, which is what in-memory scoring keeps, to the bit.
 */
#include "estimate/score_windows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parallel.h"
#include "measure/measure_parts.h"
#include "measure/measure_private.h"
#include "trec/trec_private.h"

/* What is smaller stays in a cache and is read as wholes.  Text is packed to a fifth or a tenth
 * of its size. */
enum { LARGE = 4 << 20, PACKED = 8 };

/* ------------------------------------------------------------ whether -- */

static bool is_packed(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool packed = fd >= 0 && iv_packing_at(fd) != IV_PLAIN;

    if (fd >= 0)
        (void)close(fd);
    return packed;
}

size_t iv_runs_abreast(size_t count, const iv_work *work)
{
    enum { OTHERS = 16 }; /* files that are open besides, at most */
    const size_t threads = (size_t)iv_work_threads(work);
    const long most = sysconf(_SC_OPEN_MAX);
    const size_t room = most < 0 ? threads : most > OTHERS ? (size_t)most - OTHERS : 1;

    return count < 2 * threads ? 1 : threads < room ? threads : room;
}

/* Bytes that wholes would hold at once, about: the judgments and the largest of the runs, as
 * many times as runs are read side by side; 0: some are no regular files. */
static uint64_t size_of(const iv_source *source, const iv_work *work)
{
    const size_t abreast = iv_runs_abreast(source->runs.count, work);
    uint64_t judgments = 0, largest = 0;

    for (size_t i = 0; i <= source->runs.count; i++) {
        const char *path = i == 0 ? source->judgments : source->runs.at[i - 1];
        struct stat st;
        if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
            return 0;
        const uint64_t size = (uint64_t)st.st_size * (is_packed(path) ? PACKED : 1);
        if (i == 0)
            judgments = size;
        else if (size > largest)
            largest = size;
    }
    return judgments + largest * abreast;
}

bool iv_windows_fit(const iv_source *source, const iv_evaluating *o, const iv_work *work)
{
    if (source->judged != NULL || source->ranked != NULL || source->judgments == NULL
        || o->also != NULL || o->estimator != IV_ESTIMATOR_AUTO
        || o->unjudged != IV_UNJUDGED_REFUSE || o->infer != IV_INFER_NEW
        || (work != NULL && work->most_bytes > 0))
        return false;
    return source->memory > 0 || source->sort || size_of(source, work) >= LARGE;
}

/* Some measures want the largest grade of all judgments before the first topic. */
static int find_largest(iv_evaluation *e, iv_windows *w, const iv_work *work, iv_err *err)
{
    if (!w->files[0].regular)
        return iv_fail_at(err, IV_EARG, w->files[0].name, 0, "a measure needs the largest grade of "
                          "all judgments before the first topic, expected a file that can be read "
                          "twice");
    const size_t all = w->file_count;
    w->file_count = 1; /* the judgments alone */
    int rc = iv_windows_next(w, err);
    while (rc == IV_OK && w->count > 0) {
        for (size_t k = 0; rc == IV_OK && k < w->count; k++) {
            iv_judgments *j = NULL;
            rc = iv_window_judgments(&j, w, k, err);
            const int32_t here = rc == IV_OK ? iv_largest_grade(j) : 0;
            e->task.largest = here > e->task.largest ? here : e->task.largest;
            iv_judgments_free(j);
            if (rc == IV_OK)
                rc = iv_check_work(work, 0.0, err);
        }
        if (rc == IV_OK)
            rc = iv_windows_next(w, err);
    }
    if (rc == IV_OK)
        rc = iv_windows_rewind(w, err);
    w->file_count = all;
    return rc;
}

int iv_windows_prepare(iv_evaluation *e, iv_windows *w, const iv_source *source,
                       const iv_evaluating *o, iv_judgments_format format, const iv_work *work,
                       iv_err *err)
{
    iv_measures *m = NULL;
    bool scale = o->bounds || o->ties;

    const iv_sorting sort = { source->memory, source->folder };
    IV_TRY(iv_windows_open(w, source->judgments, format, &source->runs, source->run_format,
                           source->memory, source->sort ? &sort : NULL, work, err));
    if (o->measures.count > 0
        && iv_measures_parse(&m, o->measures.at, o->measures.count, &o->measure, NULL) == IV_OK) {
        scale = scale || iv_measures_scale(m);
        iv_measures_free(m);
    }
    e->judgments = calloc(1, sizeof *e->judgments); /* tells its format alone */
    if (e->judgments == NULL)
        return iv_no_memory(err);
    e->judgments->format = w->judged_as;
    e->task.judgments = e->judgments;
    return scale ? find_largest(e, w, work, err) : IV_OK;
}

/* ---------------------------------------------------------- one window -- */

/* The arrays of a run that grow. */
enum { TOPIC, MISSING, ROWS, BOUNDS, TIES, TEXTS, ROOMS };

typedef struct windowed {
    iv_evaluation *e;
    iv_windows *w;
    const iv_work *work;  /* of a window */
    bool first;           /* the batch is the first */
    iv_judgments **judged; /* by window */
    iv_scores **part;     /* [window * runs + run] */
    size_t *room;         /* [run * ROOMS + array]: of what is kept; behind the runs, of names */
} windowed;

/* Of a run whose scores rise all ranks are looked at, of others those of the beginning. */
static void find_oddities(iv_scores *s, const windowed *x, const iv_run *run, size_t k, size_t r)
{
    s->noted.odd = (iv_run_oddities){ .many_tags = run->format == IV_RUN_TREC
                                          && iv_run_many_tags(run) };
    if (run->rises || (x->first && k == 0))
        s->noted.odd = iv_run_odd(run);
    if (s->noted.odd.misranked_line > 0)
        s->noted.odd.misranked_line += iv_window_lines(x->w, k, r + 1);
}

static int do_window(void *user, void *memory, size_t k, iv_err *err)
{
    windowed *x = user;
    const size_t runs = x->e->view.run_count;
    iv_task task = x->e->task;

    (void)memory;
    IV_TRY(iv_window_judgments(&x->judged[k], x->w, k, err));
    task.judgments = x->judged[k];
    task.window = true;
    for (size_t r = 0; r < runs; r++) {
        iv_scores **s = &x->part[k * runs + r];
        iv_run *run = NULL;
        IV_TRY(iv_window_run(&run, x->w, k, r, err));
        const int rc = iv_score_run(s, x->w->files[r + 1].name, run, &task, x->work,
                                    err);
        if (rc == IV_OK)
            find_oddities(*s, x, run, k, r);
        iv_run_free(run);
        IV_TRY(rc);
    }
    return IV_OK;
}

/* ------------------------------------------------------------- keeping -- */

/* Appends n things to an array that grows; *count is not changed. */
static bool append(void *array, size_t *room, size_t count, const void *more, size_t n, size_t size)
{
    char *at;

    if (n == 0 || more == NULL)
        return true;
    if (!iv_room(array, room, count + n, size))
        return false;
    memcpy(&at, array, sizeof at);
    memcpy(at + count * size, more, n * size);
    return true;
}

/* Adds a window's scores of a run to all of them; `before` topics are judged there.  Of
 * scores that were written only counts are kept. */
static bool keep_scores(iv_scores *all, size_t room[ROOMS], iv_scores *s, size_t before,
                        size_t width, bool written)
{
    const size_t cells = all->topics * width, more = s->topics * width;

    all->missing_count += written ? s->missing_count : 0;
    if (written) {
        iv_notes_add(&all->noted, &s->noted);
        return true;
    }
    for (size_t t = 0; t < s->topics; t++)
        s->topic[t].judged += (uint32_t)before;
    for (size_t i = 0; i < s->missing_count; i++)
        s->missing[i] += before;
    if (!append(&all->topic, &room[TOPIC], all->topics, s->topic, s->topics, sizeof *s->topic)
        || !append(&all->missing, &room[MISSING], all->missing_count, s->missing,
                   s->missing_count, sizeof *s->missing)
        || !append(&all->rows, &room[ROWS], cells, s->rows, more, sizeof *s->rows)
        || !append(&all->bounds, &room[BOUNDS], cells, s->bounds, more, sizeof *s->bounds)
        || !append(&all->ties, &room[TIES], cells, s->ties, more, sizeof *s->ties)
        || !append(&all->texts, &room[TEXTS], all->topics * s->text_count, s->texts,
                   s->topics * s->text_count, sizeof *s->texts))
        return false;
    if (all->text_of == NULL && s->text_of != NULL) {
        all->text_of = iv_take(&all->memory, width + 1, sizeof *all->text_of);
        if (all->text_of == NULL)
            return false;
        memcpy(all->text_of, s->text_of, width * sizeof *all->text_of);
        all->text_count = s->text_count;
    }
    s->text_count = 0; /* the texts have moved */
    all->topics += s->topics;
    all->missing_count += s->missing_count;
    iv_notes_add(&all->noted, &s->noted);
    return true;
}

static bool keep_names(iv_evaluation *e, size_t *room, const iv_judgments *j)
{
    const size_t before = e->view.judged_topics, n = j->grouped.topic_count;
    size_t bytes = 0;

    iv_count_judgments(e, j, iv_blanks_count(j->format));
    e->view.judged_topics += n;
    if (e->writer != NULL)
        return true;
    for (size_t t = 0; t < n; t++)
        bytes += j->grouped.topics[t].id.len;
    char *to = iv_arena_alloc(&e->name_bytes, bytes + 1);
    if (to == NULL || !IV_ROOM(e->judged_names, *room, before + n + 1))
        return false;
    for (size_t t = 0; t < n; t++) {
        const iv_str id = j->grouped.topics[t].id;
        memcpy(to, id.ptr, id.len);
        e->judged_names[before + t] = (iv_str){ to, id.len };
        to += id.len;
    }
    return true;
}

/* In the order of the files; lets go of the windows' own. */
static int keep_batch(windowed *x, bool good, iv_err *err)
{
    iv_evaluation *e = x->e;
    const size_t runs = e->view.run_count;
    const bool whole = good;
    int told = IV_OK;

    for (size_t k = 0; k < x->w->wanted; k++) {
        const size_t before = e->view.judged_topics;
        if (good && e->writer != NULL && x->judged[k] != NULL) {
            const int rc = iv_part_rows(e->writer, x->judged[k], x->part + k * runs, runs,
                                        e->task.width, err);
            told = told == IV_OK ? rc : told;
            good = rc == IV_OK;
        }
        good = good && (x->judged[k] == NULL
                        || keep_names(e, &x->room[runs * ROOMS], x->judged[k]));
        for (size_t r = 0; r < runs; r++) {
            iv_scores **s = &x->part[k * runs + r];
            good = good && (*s == NULL
                            || keep_scores(e->scores[r], &x->room[r * ROOMS], *s, before,
                                           e->task.width, e->writer != NULL));
            iv_scores_free(*s);
            *s = NULL;
        }
        iv_judgments_free(x->judged[k]);
        x->judged[k] = NULL;
    }
    return told != IV_OK ? told : good || !whole ? IV_OK : iv_no_memory(err);
}

/* ---------------------------------------------------------------- all -- */

static int score_batches(windowed *x, const iv_work *work, iv_err *err)
{
    double done = 0.0;

    for (;;) {
        uint64_t all = 1, read = 0;
        iv_stage stage;
        iv_asking asking; /* each window asks whether to go on */
        IV_TRY(iv_windows_next(x->w, err));
        if (x->w->count == 0)
            return IV_OK;
        for (size_t f = 0; f < x->w->file_count; f++) {
            const iv_reader *file = &x->w->files[f];
            all += file->stored;
            read += file->regular ? file->read : 0; /* of a pipe nobody knows */
        }
        const double now = (double)read / (double)all;
        iv_asking_start(&asking, iv_work_part(&stage, work, done, now));
        x->work = &asking.inner;
        const int rc = iv_parallel(&(iv_loop){ x->w->count, do_window, x, NULL }, &asking.outer,
                                   err);
        const int kept = keep_batch(x, rc == IV_OK, err);
        IV_TRY(rc);
        IV_TRY(kept);
        done = now;
        x->first = false;
    }
}

static void own_arrays(iv_scores *s)
{
    void *const arrays[] = { s->topic, s->missing, s->rows, s->bounds, s->ties, s->texts };

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i] != NULL)
            (void)iv_own(&s->memory, arrays[i], free);
}

static int begin_runs(iv_evaluation *e, const iv_windows *w, iv_err *err)
{
    const size_t runs = e->view.run_count;
    const char **names = iv_take(&e->memory, 2 * runs + 1, sizeof *names);

    IV_TRY(iv_taken(&e->memory, err));
    for (size_t r = 0; r < e->view.run_count; r++) {
        iv_scores *s = e->scores[r] = calloc(1, sizeof *s);
        if (s == NULL)
            return iv_no_memory(err);
        s->tag = iv_arena_copy(&s->memory, w->tags[r]);
        if (s->tag == NULL)
            return iv_no_memory(err);
        names[r] = s->tag;
        names[runs + r] = w->files[r + 1].name;
    }
    return e->writer != NULL ? iv_part_head(e->writer, e, names, names + runs, err) : IV_OK;
}

/* What is told once all was read. */
static int settle(iv_evaluation *e, const iv_windows *w, iv_err *err)
{
    e->view.judgments_bytes = w->files[0].stored;
    for (size_t f = 0; f < w->file_count; f++)
        IV_TRY(iv_reader_digested(&w->files[f], err));
    for (size_t r = 0; r < e->view.run_count; r++) {
        const iv_scores *s = e->scores[r];
        e->scores[r]->bytes = w->files[r + 1].stored;
        if (s->missing_count == e->view.judged_topics && e->writer == NULL)
            return iv_fail_at(err, IV_ENODATA, w->files[r + 1].name, 0, "the run shares no topic "
                              "with the judgments");
    }
    return w->order == IV_ORDER_BYTES || e->writer != NULL ? IV_OK : iv_sort_topics(e, err);
}

int iv_score_windows(iv_evaluation *e, iv_windows *w, const iv_work *work, iv_err *err)
{
    const size_t runs = e->view.run_count;
    iv_arena own = { 0 };
    windowed x = { .e = e, .w = w, .first = true };

    x.room = iv_take(&own, (runs + 1) * ROOMS, sizeof *x.room);
    x.judged = iv_take(&own, w->wanted, sizeof(iv_judgments *));
    x.part = iv_take(&own, w->wanted * runs, sizeof(iv_scores *));
    int rc = iv_taken(&own, err);
    if (rc == IV_OK)
        rc = begin_runs(e, w, err);
    if (rc == IV_OK)
        rc = score_batches(&x, work, err);
    if (rc == IV_OK)
        rc = settle(e, w, err);
    for (size_t r = 0; r < runs; r++)
        if (e->scores[r] != NULL)
            own_arrays(e->scores[r]);
    iv_arena_free(&own);
    return rc;
}
