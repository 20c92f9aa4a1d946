/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The door of the room: judgments of any kind, runs, measures in; an evaluation
 * out.  Runs are scored in parallel, many of them one a thread, few of them topic
 * by topic; what comes out does not depend on it.
 */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/packing.h"
#include "base/parallel.h"
#include "base/reader.h"
#include "measure/measures.h"
#include "measure/requested.h"
#include "measure/scorer.h"
#include "retrieval/evaluation.h"
#include "retrieval/evaluation_state.h"
#include "sampling/sampled_judgments.h"
#include "stat/interval_methods.h"
#include "trec/judgments_records.h"
#include "trec/run.h"
#include "trec/run_records.h"
#include "trec/run_source.h"
#include "trec/windows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

IV_NAMES(iv_infer_names, "new", "these")


/*
 * Files that are sorted by topic, scored some topics at a time: memory holds a batch of
 * windows and what is kept of each run, which is what in-memory scoring keeps, to the bit.
 */

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

/* How many of the runs are read as wholes side by side, by a thread each: few are read one
 * after the other, by all threads. */
static size_t runs_abreast(size_t count, const iv_work *work)
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
    const size_t abreast = runs_abreast(source->runs.count, work);
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

/* Can files be read in windows, as far as the question tells, and is it worth it? */
static bool windows_fit(const iv_source *source, const iv_evaluating *o, const iv_work *work)
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

/* ---------------------------------------------------------- one window -- */

/* The arrays of a run that grow. */
enum { TOPIC, MISSING, ROWS, BOUNDS, TIES, TEXT_ROOM, ROOMS };

typedef struct windowed {
    iv_evaluation *e;
    iv_windows *w;
    const iv_work *work;  /* of a window */
    bool first;           /* the batch is the first */
    iv_judgments **judged; /* by window */
    iv_run_scores **part;     /* [window * runs + run] */
    size_t *room;         /* [run * ROOMS + array]: of what is kept; behind the runs, of names */
} windowed;

/* Of a run whose scores rise all ranks are looked at, of others those of the beginning. */
static void find_irregularities(iv_run_scores *s, const windowed *x, const iv_run *run,
                                size_t k, size_t r)
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
    iv_scoring task = x->e->task;

    (void)memory;
    IV_TRY(iv_window_judgments(&x->judged[k], x->w, k, err));
    task.judgments = x->judged[k];
    task.window = true;
    for (size_t r = 0; r < runs; r++) {
        iv_run_scores **s = &x->part[k * runs + r];
        iv_run *run = NULL;
        IV_TRY(iv_window_run(&run, x->w, k, r, err));
        const int rc = iv_score_run(s, x->w->files[r + 1].name, run, &task, x->work,
                                    err);
        if (rc == IV_OK)
            find_irregularities(*s, x, run, k, r);
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
static bool keep_scores(iv_run_scores *all, size_t room[ROOMS], iv_run_scores *s, size_t before,
                        size_t width, bool written)
{
    const size_t cells = all->topics * width, more = s->topics * width;

    iv_notes_add(&all->noted, &s->noted);
    if (written) {
        all->missing_count += s->missing_count;
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
        || !append(&all->texts, &room[TEXT_ROOM], all->topics * s->text_count, s->texts,
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

static int keep_window(windowed *x, size_t k, iv_err *err)
{
    iv_evaluation *e = x->e;
    const size_t runs = e->view.run_count, before = e->view.judged_topics;

    if (e->writer != NULL)
        IV_TRY(iv_part_rows(e->writer, x->judged[k], x->part + k * runs, runs, e->task.width,
                            err));
    bool good = keep_names(e, &x->room[runs * ROOMS], x->judged[k]);
    for (size_t r = 0; r < runs && good; r++)
        good = keep_scores(e->scores[r], &x->room[r * ROOMS], x->part[k * runs + r], before,
                           e->task.width, e->writer != NULL);
    return good ? IV_OK : iv_no_memory(err);
}

/* In the order of the files, unless rc tells of an error; lets go of the windows' own. */
static int keep_batch(windowed *x, int rc, iv_err *err)
{
    const size_t runs = x->e->view.run_count;

    for (size_t k = 0; k < x->w->wanted; k++) {
        if (rc == IV_OK && k < x->w->count)
            rc = keep_window(x, k, err);
        for (size_t r = 0; r < runs; r++) {
            iv_run_scores_free(x->part[k * runs + r]);
            x->part[k * runs + r] = NULL;
        }
        iv_judgments_free(x->judged[k]);
        x->judged[k] = NULL;
    }
    return rc;
}

/* ---------------------------------------------------------------- all -- */

static int score_batches(windowed *x, const iv_work *work, iv_err *err)
{
    double done = 0.0;

    for (;;) {
        uint64_t all = 1, read = 0;
        iv_stage stage;
        iv_nested_work nested; /* each window asks whether to go on */
        IV_TRY(iv_windows_next(x->w, err));
        if (x->w->count == 0)
            return IV_OK;
        for (size_t f = 0; f < x->w->file_count; f++) {
            const iv_reader *file = &x->w->files[f];
            all += file->stored;
            read += file->regular ? file->read : 0; /* of a pipe nobody knows */
        }
        const double now = (double)read / (double)all;
        iv_nested_work_start(&nested, iv_work_part(&stage, work, done, now));
        x->work = &nested.inner;
        const int rc = iv_parallel(&(iv_loop){ x->w->count, do_window, x, NULL }, &nested.outer,
                                   err);
        IV_TRY(keep_batch(x, rc, err));
        done = now;
        x->first = false;
    }
}

static void own_arrays(iv_run_scores *s)
{
    void *const arrays[] = { s->topic, s->missing, s->rows, s->bounds, s->ties, s->texts };

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i] != NULL)
            (void)iv_own(&s->memory, arrays[i], free);
}

static int begin_runs(iv_evaluation *e, const iv_windows *w, iv_err *err)
{
    for (size_t r = 0; r < e->view.run_count; r++) {
        iv_run_scores *s = e->scores[r] = calloc(1, sizeof *s);
        if (s == NULL)
            return iv_no_memory(err);
        s->tag = iv_arena_copy(&s->memory, w->tags[r]);
        IV_TRY(iv_taken(&s->memory, err));
    }
    return e->writer != NULL ? iv_part_head(e->writer, e, err) : IV_OK;
}

/* What is told once all was read. */
static int settle(iv_evaluation *e, const iv_windows *w, iv_err *err)
{
    e->view.judgments_bytes = w->files[0].stored;
    for (size_t f = 0; f < w->file_count; f++)
        IV_TRY(iv_reader_digested(&w->files[f], err));
    for (size_t r = 0; r < e->view.run_count; r++) {
        const iv_run_scores *s = e->scores[r];
        e->scores[r]->bytes = w->files[r + 1].stored;
        if (s->missing_count == e->view.judged_topics && e->writer == NULL)
            return iv_fail_at(err, IV_ENODATA, w->files[r + 1].name, 0, "the run shares no topic "
                              "with the judgments");
    }
    return w->order == IV_ORDER_BYTES || e->writer != NULL ? IV_OK : iv_sort_topics(e, err);
}

/* Fills e's scores, the names of judged topics and how many there are. */
static int score_windows(iv_evaluation *e, iv_windows *w, const iv_work *work, iv_err *err)
{
    const size_t runs = e->view.run_count;
    iv_arena own = { 0 };
    windowed x = { .e = e, .w = w, .first = true };

    x.room = iv_take(&own, (runs + 1) * ROOMS, sizeof *x.room);
    x.judged = iv_take(&own, w->wanted, sizeof(iv_judgments *));
    x.part = iv_take(&own, w->wanted * runs, sizeof(iv_run_scores *));
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

/* Precision at the top, over all, with grades, how much is found, and when. */
static const char *const usual[] = { "AP", "nDCG@10", "P@10", "R@1000", "RR" };
static const char *const official[] = { "official" };
/* Of preferences and groups: trec_eval's, and without its counts. */
static const char *const prefs[] = { "prefs" }, *const groups[] = { "qrels_jg" };
static const char *const usual_prefs[] = { "prefs_simp", "prefs_pair", "prefs_avgjg" };
static const char *const usual_nuggets[] = { "NuggetWeighted", "NuggetVital", "NuggetAll",
                                             "NuggetVital(strict=True)" };
static const char *const usual_groups[] = { "map_avgjg", "P_avgjg.10" };
/* RR cannot be estimated. */
static const char *const usual_sample[] = { "AP", "nDCG@10", "P@10", "Rprec" };
static const char *const usual_strata[] = { "AP", "infAP", "infNDCG", "nDCG@10", "P@10",
                                            "num_rel" };

#define TEXTS(list) ((iv_texts){ (list), sizeof (list) / sizeof *(list) })

/* ------------------------------------------------------- what is asked -- */

static iv_texts usual_for(const iv_evaluation *e, const iv_evaluating *o)
{
    const iv_judgments_format format = iv_judgments_format_of(e->task.judgments);
    const bool trec = o->measure.as_trec_eval;

    if (format == IV_JUDGMENTS_PREFS)
        return trec ? TEXTS(prefs) : TEXTS(usual_prefs);
    if (format == IV_JUDGMENTS_NUGGETS)
        return TEXTS(usual_nuggets);
    if (format == IV_JUDGMENTS_GROUPS)
        return trec ? TEXTS(groups) : TEXTS(usual_groups);
    return trec ? TEXTS(official) : TEXTS(usual);
}

static int parse_complete(iv_evaluation *e, const iv_evaluating *o, const iv_work *work,
                          iv_err *err)
{
    const iv_texts names = o->measures.count > 0 ? o->measures : usual_for(e, o);
    iv_scorer *trial = NULL;

    if (o->ties && o->measure.judged_only && o->measure.depth != 0)
        return iv_fail(err, IV_EARG, "values over ties are not known for rankings of judged "
                       "documents only that are cut at a depth");
    IV_TRY(iv_measures_parse(&e->measures, names.at, names.count, &o->measure, err));
    IV_TRY(iv_measures_fit(e->measures, iv_judgments_format_of(e->task.judgments), err));
    /* Do the judgments tell what the measures need? */
    int rc = iv_scorer_new(&trial, e->measures, e->task.largest, err);
    iv_scorer_free(trial);
    if (rc == IV_OK && o->standards != NULL)
        rc = o->bounds || o->ties
            ? iv_fail(err, IV_EARG, "bounds and values over ties are not known for standard scores")
            : iv_standards_load(&e->standards, o->standards, work, err);
    e->task.standards = e->standards;
    e->task.measures = e->measures;
    e->task.width = iv_measures_count(e->measures);
    return rc;
}

/* What estimates do not have and complete judgments do is refused. */
static int parse_sampled(iv_evaluation *e, const iv_evaluating *o, iv_err *err)
{
    const bool strata = e->sampling->source == IV_SAMPLING_STRATA;
    const iv_texts names = o->measures.count > 0 ? o->measures
        : strata ? TEXTS(usual_strata) : TEXTS(usual_sample);

    if (o->bounds || o->ties || o->standards != NULL)
        return iv_fail(err, IV_EARG, "%s are not known for sampled judgments",
                       o->bounds ? "bounds" : o->ties ? "values over ties" : "standard scores");
    if (o->guaranteed || o->interval == IV_INTERVAL_BOUNDED)
        return iv_fail(err, IV_EARG, "nothing can be guaranteed of means of estimates from "
                       "sampled judgments");
    if (o->measure.judged_only)
        return iv_fail(err, IV_EARG, "rankings of judged documents only (-J) cannot be combined "
                       "with sampled judgments: a document that was not sampled is not an "
                       "unjudged one");
    IV_TRY(iv_sampled_measures_parse(&e->estimated, names.at, names.count,
                                     &o->measure, err));
    e->task.estimated = e->estimated;
    e->task.measures = e->estimated->complete;
    e->task.width = e->estimated->count;
    return iv_sampled_check(e->sampling, e->estimated, err);
}

static bool all_certain(const iv_evaluation *e)
{
    const size_t topics = iv_judgments_topics(e->task.judgments);

    for (size_t t = 0; t < topics; t++)
        if (!iv_sampling_topic_at(e->sampling, t).certain)
            return false;
    return topics > 0 && e->sampling->noted.empty_strata == 0;
}

/* trec_eval's own lines can be had: no measure is one of sample_eval's. */
static bool as_trec_eval(const iv_evaluation *e, const iv_evaluating *o)
{
    bool good = o->measure.as_trec_eval;

    for (size_t i = 0; i < e->estimated->count && good && o->measures.count > 0; i++)
        good = !e->estimated->values[i].inferred;
    return good;
}

/*
 * Where nothing was left to chance the judgments are complete ones, and what cannot
 * be estimated can be computed.
 */
static int prepare_sampled(iv_evaluation *e, const char *name, const iv_evaluating *o,
                           const iv_work *work, iv_err *err)
{
    IV_TRY(iv_sampling_new(&e->sampling, e->task.judgments, name, o->unjudged, err));
    int rc = parse_sampled(e, o, err);
    /* Without a frame a document that is not in the file is an unjudged one. */
    const bool whole = iv_judgments_format_of(e->task.judgments) == IV_JUDGMENTS_PRELS
        && e->sampling->noted.depth == 0;
    const bool plain = rc == IV_OK && (whole || as_trec_eval(e, o));
    if ((rc == IV_EARG || plain) && all_certain(e)) {
        iv_sampled_measures_free(e->estimated);
        iv_sampling_free(e->sampling);
        e->estimated = NULL;
        e->task.estimated = NULL;
        e->sampling = NULL;
        e->view.certain = true;
        return parse_complete(e, o, work, err);
    }
    e->task.sampling = e->view.sampling = e->sampling;
    e->view.estimator = o->estimator != IV_ESTIMATOR_AUTO ? o->estimator : IV_ESTIMATOR_CORRECTED;
    return rc;
}

/* Qrels are read by groups where a measure asks for these; a measure that nobody knows is
 * told before a file is blamed.  scale: a measure wants the largest grade. */
static int format_for(iv_judgments_format *out, bool *scale, const iv_source *source,
                      const iv_evaluating *o, iv_err *err)
{
    const iv_judgments_format asked = source->judgments_format;
    iv_measures *m = NULL;

    IV_TRY(iv_measures_parse_complete(&m, o->measures.at, o->measures.count, &o->measure, err));
    const unsigned reads = m != NULL ? m->reads : 0;
    *scale = m != NULL && iv_measures_scale(m);
    iv_measures_free(m);
    *out = asked != IV_JUDGMENTS_ANY && asked != IV_JUDGMENTS_QRELS ? asked
        : reads & IV_READS_NUGGETS ? IV_JUDGMENTS_NUGGETS
        : reads & IV_READS_JUDGES ? IV_JUDGMENTS_GROUPS : asked;
    return IV_OK;
}

/* Opens files to read them in windows; all that needs their judgments comes later.  IV_NOT_TAKEN,
 * with the reason in err: they have to be read as wholes. */
static int prepare_windows(iv_evaluation *e, iv_windows *w, const iv_source *source,
                           const iv_evaluating *o, const iv_work *work, iv_err *err)
{
    const iv_sorting sort = { source->memory, source->folder };
    iv_judgments_format format;
    bool scale;

    IV_TRY(format_for(&format, &scale, source, o, err));
    IV_TRY(iv_windows_open(w, source->judgments, format, &source->runs, source->run_format,
                           source->memory, source->sort ? &sort : NULL, work, err));
    e->judgments = calloc(1, sizeof *e->judgments); /* tells its format alone */
    if (e->judgments == NULL)
        return iv_no_memory(err);
    e->judgments->format = w->judged_as;
    e->task.judgments = e->judgments;
    if (scale || o->bounds || o->ties)
        IV_TRY(find_largest(e, w, work, err));
    e->task.precision = iv_precision_of(o->measure.dialect);
    e->task.how = *o;
    e->view.resampling = o->resampling;
    return parse_complete(e, o, work, err);
}

static int prepare(iv_evaluation *e, const iv_source *source, const iv_evaluating *o,
                   const iv_work *work, iv_err *err)
{
    const char *name = source->judgments != NULL ? source->judgments : "the judgments";
    iv_stage reads;
    int rc = IV_OK;

    e->task.judgments = source->judged;
    if (source->judged == NULL && source->judgments == NULL)
        return iv_fail(err, IV_EARG, "no judgments were given");
    if (source->judged == NULL) {
        iv_judgments_format asked;
        bool unused;
        IV_TRY(format_for(&asked, &unused, source, o, err));
        rc = iv_judgments_load(&e->judgments, source->judgments, asked,
                               iv_work_part(&reads, work, 0.0, 0.0), err);
        if (rc == IV_OK && o->also != NULL)
            rc = iv_judgments_also(e->judgments, name, o->also,
                                   iv_work_part(&reads, work, 0.0, 0.0), err);
        e->task.judgments = e->judgments;
    } else if (o->also != NULL) {
        rc = iv_fail(err, IV_EARG, "additional judgments are merged with a file of judgments; in "
                     "memory give such a document probability 1");
    }
    if (rc != IV_OK)
        return rc;
    const iv_judgments_format format = iv_judgments_format_of(e->task.judgments);
    e->view.judged_topics = iv_judgments_topics(e->task.judgments);
    e->view.judgments_bytes = iv_judgments_bytes(e->task.judgments);
    iv_count_judgments(e, e->task.judgments, iv_blanks_count(format)
                       || (format == IV_JUDGMENTS_PRELS && o->unjudged == IV_UNJUDGED_REFUSE));
    e->task.precision = iv_precision_of(o->measure.dialect);
    if (format == IV_JUDGMENTS_PRELS || format == IV_JUDGMENTS_STRATIFIED)
        rc = prepare_sampled(e, name, o, work, err);
    else if (o->estimator != IV_ESTIMATOR_AUTO || o->unjudged != IV_UNJUDGED_REFUSE
             || o->infer != IV_INFER_NEW)
        rc = iv_fail(err, IV_EARG, "an estimator, intervals for a fixed set of topics, and what to "
                     "do with documents of the sample that nobody judged, are for sampled "
                     "judgments, and %s is none", name);
    else
        rc = parse_complete(e, o, work, err);
    e->task.how = *o;
    e->task.how.estimator = e->view.estimator;
    e->view.resampling = o->resampling;
    return rc;
}

/* ------------------------------------------------------------ the runs -- */

static int do_run(void *user, void *memory, size_t r, iv_err *err)
{
    iv_evaluation *e = user;
    const iv_source *from = e->source;
    iv_run *run = NULL;
    char quoted[IV_QUOTE_SIZE];
    iv_stage loading, scoring;

    (void)memory;
    if (from->ranked != NULL)
        return iv_score_run(&e->scores[r], iv_quote(quoted, iv_run_tag(from->ranked[r])),
                            from->ranked[r], &e->task, e->work, err);
    int rc = iv_run_load(&run, from->runs.at[r], from->run_format,
                         iv_work_part(&loading, e->work, 0.0, 0.6), err);
    if (rc == IV_OK)
        rc = iv_score_run(&e->scores[r], from->runs.at[r], run, &e->task,
                          iv_work_part(&scoring, e->work, 0.6, 1.0), err);
    iv_run_free(run);
    return rc;
}

static int score_many(iv_evaluation *e, const iv_work *work, iv_err *err)
{
    iv_nested_work nested; /* each run asks whether to go on */

    iv_nested_work_start(&nested, work);
    nested.outer.threads = (int)runs_abreast(e->view.run_count, work);
    e->work = &nested.inner;
    return iv_parallel(&(iv_loop){ e->view.run_count, do_run, e, NULL }, &nested.outer, err);
}

static int score_runs(iv_evaluation *e, const iv_work *work, iv_err *err)
{
    const size_t count = e->view.run_count;
    int rc = IV_OK;

    if (runs_abreast(count, work) > 1)
        return score_many(e, work, err);
    for (size_t r = 0; r < count && rc == IV_OK; r++) {
        iv_stage stage;
        e->work = iv_work_part(&stage, work, (double)r / (double)count,
                               (double)(r + 1) / (double)count);
        rc = do_run(e, NULL, r, err);
    }
    return rc;
}

/* Of files in windows all but the end was written on the way. */
static int write_scores(iv_evaluation *e, bool windows, iv_err *err)
{
    if (!windows) {
        IV_TRY(iv_part_head(e->writer, e, err));
        IV_TRY(iv_part_rows(e->writer, e->task.judgments, e->scores, e->view.run_count,
                            e->task.width, err));
    }
    return iv_part_end(e->writer, e, err);
}

/* ------------------------------------------------------------- the door -- */

/* w: of files that are read in windows; else NULL. */
static int evaluate(iv_evaluation *e, const iv_source *source, iv_windows *w,
                    const iv_work *work, iv_err *err)
{
    iv_stage scoring, rest;

    e->source = source;
    IV_TRY(iv_evaluation_room(e, err));
    (void)iv_work_part(&scoring, work, 0.0, 0.8);
    IV_TRY(w != NULL ? score_windows(e, w, &scoring.work, err)
                     : score_runs(e, &scoring.work, err));
    return e->writer != NULL ? write_scores(e, w != NULL, err)
        : iv_evaluation_finish(e, source->ranked == NULL ? source->runs.at : NULL,
                               iv_work_part(&rest, work, 0.8, 1.0), err);
}

static size_t runs_of(const iv_source *source)
{
    return source->ranked != NULL ? source->ranked_count : source->runs.count;
}

/* One evaluation, of files in windows or of wholes.  writer: scores go there, and nothing is kept;
 * NULL: they are. */
static int make_one(iv_evaluation **out, const iv_source *source, const iv_evaluating *o,
                    iv_part_writer *writer, bool windows, const iv_work *work, iv_err *err)
{
    iv_windows w = { 0 };
    iv_evaluation *e = calloc(1, sizeof *e);
    int rc = e == NULL ? iv_no_memory(err)
        : windows ? prepare_windows(e, &w, source, o, work, err)
                  : prepare(e, source, o, work, err);

    if (rc == IV_OK && writer != NULL) {
        e->writer = writer;
        e->task.counts = true;
        rc = e->sampling != NULL ? iv_fail(err, IV_EARG,
                                           "scores of sampled judgments are estimates: "
                                           "in a file they would lose their errors")
                                 : iv_part_begin(writer, err);
    }
    if (rc == IV_OK) {
        e->view.run_count = runs_of(source);
        rc = evaluate(e, source, windows ? &w : NULL, work, err);
    }
    iv_windows_close(&w);
    if (writer != NULL)
        iv_part_abandon(writer); /* unless it is there */
    if (rc == IV_OK)
        *out = e;
    else
        iv_evaluation_free(e);
    return rc;
}

static int ask_for(iv_evaluation **out, const iv_source *source, const iv_evaluating *options,
                   iv_part_writer *writer, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(source, "a source of runs and judgments", err));
    IV_TRY(IV_CHECK(source, err, IV_SOURCE_PARTS(iv_source,)));
    IV_TRY(IV_CHECK(options, err, IV_EVALUATING_PARTS(iv_evaluating,)));
    iv_evaluating o = options != NULL ? *options : (iv_evaluating){ 0 };
    o.resampling = iv_resampling_of(&o.resampling);

    if (source->parts.count > 0)
        return writer != NULL ? iv_fail(err, IV_EARG, "scores of parts are not written again")
                             : iv_evaluate_parts(out, &source->parts, &o, work, err);
    if (runs_of(source) == 0 && writer == NULL)
        return iv_fail(err, IV_EARG, "there are no runs to evaluate");
    if (o.guaranteed && o.interval != IV_INTERVAL_AUTO)
        return iv_fail(err, IV_EARG, "either a guaranteed interval or the method '%s'",
                       iv_interval_names()[o.interval]);
    const bool windows = windows_fit(source, &o, work);
    if (!windows && (source->memory > 0 || source->sort))
        return iv_fail(err, IV_EARG, "memory can be bounded only for files of runs and complete "
                       "judgments: no sample, no automatic labels, no limit of input size");
    int rc = make_one(out, source, &o, writer, windows, work, err);
    /* What windows cannot do is told as it always was, unless memory is bounded. */
    if (windows && source->memory == 0 && !source->sort && rc != IV_OK && rc != IV_ECANCELLED
        && rc != IV_ENOMEM)
        rc = make_one(out, source, &o, writer, false, work, err);
    return rc == IV_NOT_TAKEN ? IV_EPARSE : rc;
}

int iv_evaluate(iv_evaluation **out, const iv_source *source, const iv_evaluating *options,
                const iv_work *work, iv_err *err)
{
    return iv_blame_judgments(ask_for(out, source, options, NULL, work, err), source, err);
}

int iv_write_scores(const char *path, const iv_source *source, const iv_evaluating *options,
                    iv_written_scores *found, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(path, "the file of scores to write", err));
    iv_evaluating o = options != NULL ? *options : (iv_evaluating){ 0 };
    iv_part_writer writer = { .path = path };
    iv_evaluation *e = NULL;

    if (o.bounds || o.ties || o.texts || o.measure.as_trec_eval)
        return iv_fail(err, IV_EARG, "a file of scores has no place for bounds, values over ties "
                       "and texts");
    o.interval = IV_INTERVAL_NONE; /* nobody sees one */
    o.guaranteed = false;
    const int rc = iv_blame_judgments(ask_for(&e, source, &o, &writer, work, err), source, err);
    iv_evaluation_free(e);
    if (rc == IV_OK && found != NULL)
        *found = writer.found;
    return rc;
}
