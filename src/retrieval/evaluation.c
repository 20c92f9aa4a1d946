/* SPDX-License-Identifier: Apache-2.0 */
/* Asking an evaluation. */
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "measure/measures.h"
#include "retrieval/evaluation.h"
#include "retrieval/evaluation_state.h"
#include "retrieval/ranges.h"
#include "sampling/sampled_judgments.h"
#include "sampling/scheme.h"
#include "trec/csv.h"
#include "trec/run_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const iv_evaluated *iv_evaluation_view(const iv_evaluation *e)
{
    return &e->view;
}

static int by_judged(const void *a, const void *b)
{
    const iv_scored_topic *x = a, *y = b;

    return (x->judged > y->judged) - (x->judged < y->judged);
}

static size_t evaluation_row(const iv_evaluation *e, size_t run, size_t topic)
{
    const iv_run_scores *s = e->scores[run];

    if (s->topics == e->view.topic_count)
        return topic;
    const iv_scored_topic key = { .judged = (uint32_t)e->judged[topic] };
    const iv_scored_topic *at = bsearch(&key, s->topic, s->topics, sizeof key, by_judged);
    return at != NULL ? (size_t)(at - s->topic) : IV_NONE;
}

/* The place of a value in the arrays of a run; IV_NONE: it has none. */
static size_t place_of(const iv_evaluation *e, size_t run, size_t measure, size_t topic)
{
    const size_t row = evaluation_row(e, run, topic);

    return row == IV_NONE ? IV_NONE : row * e->task.width + measure;
}

iv_estimate iv_evaluation_value(const iv_evaluation *e, size_t run, size_t measure,
                                size_t topic)
{
    const double nan = (double)NAN;
    const iv_run_scores *s = e->scores[run];
    const size_t at = place_of(e, run, measure, topic);
    iv_estimate x = { .value = nan, .variance = nan, .lower = nan, .upper = nan };

    if (at == IV_NONE)
        return x;
    if (s->estimates != NULL)
        x = s->estimates[at];
    else
        x = (iv_estimate){ .value = s->rows[at], .lower = s->rows[at], .upper = s->rows[at],
                           .exact = true };
    x.empty = s->topic[at / e->task.width].in_run == IV_ABSENT;
    return x;
}

iv_limits iv_evaluation_bounds(const iv_evaluation *e, size_t run, size_t measure,
                               size_t topic)
{
    const size_t at = place_of(e, run, measure, topic);
    const iv_limits none = { (double)NAN, (double)NAN };

    return at == IV_NONE || e->scores[run]->bounds == NULL ? none : e->scores[run]->bounds[at];
}

iv_interval iv_evaluation_ties(const iv_evaluation *e, size_t run, size_t measure, size_t topic)
{
    const size_t at = place_of(e, run, measure, topic);
    const iv_interval none = { .value = (double)NAN, .lower = (double)NAN, .upper = (double)NAN };

    return at == IV_NONE || e->scores[run]->ties == NULL ? none : e->scores[run]->ties[at];
}

const char *iv_evaluation_text(const iv_evaluation *e, size_t run, size_t measure,
                               size_t topic)
{
    const iv_run_scores *s = e->scores[run];
    const size_t row = evaluation_row(e, run, topic);

    if (row == IV_NONE || s->texts == NULL || s->text_of[measure] == IV_NONE)
        return NULL;
    return s->texts[row * s->text_count + s->text_of[measure]];
}

void iv_evaluation_grid(double *out, const iv_evaluation *e, size_t measure)
{
    const size_t T = e->view.topic_count;

    for (size_t r = 0; r < e->view.run_count; r++)
        for (size_t t = 0; t < T; t++) {
            const size_t row = evaluation_row(e, r, t);
            out[r * T + t] = row == IV_NONE ? (double)NAN
                                            : iv_run_scores_at(e->scores[r], &e->task, row,
                                                               measure);
        }
}

size_t iv_evaluation_find(const iv_evaluation *e, const char *name)
{
    for (size_t r = 0; r < e->view.run_count; r++)
        if (strcmp(e->names[r], name) == 0)
            return r;
    for (size_t r = 0; r < e->view.run_count; r++) {
        const char *path = e->paths[r], *slash = path != NULL ? strrchr(path, '/') : NULL;
        if (path != NULL && (strcmp(path, name) == 0
                             || (slash != NULL && strcmp(slash + 1, name) == 0)))
            return r;
    }
    return IV_NONE;
}

/* --------------------------------------------------------- differences -- */

/* The most documents and buckets of a sample that a topic has. */
static void largest_topic(size_t *most, size_t *buckets, const iv_evaluation *e)
{
    *most = *buckets = 0;
    for (size_t t = 0; t < e->view.topic_count && e->sampling != NULL; t++) {
        const iv_sampling_topic x = iv_sampling_topic_at(e->sampling, e->judged[t]);
        *most = x.count > *most ? x.count : *most;
        if (x.scheme->buckets > *buckets)
            *buckets = x.scheme->buckets;
    }
}

/*
 * The variance of a - b on a topic, which has rows p and q; NaN when one of them
 * has none.  Each document changes both estimates; what it changes in their
 * difference is the difference of its u, and most of it cancels.  u and sums: room for the
 * largest topic.
 */
static double topic_variance(const iv_evaluation *e, const iv_run_scores *a, size_t p,
                             const iv_run_scores *b, size_t q, size_t i, double *u, double *sums)
{
    const size_t width = e->task.width;

    if (e->sampling == NULL)
        return 0.0;
    if (isnan(a->estimates[p * width + i].variance)
        || isnan(b->estimates[q * width + i].variance))
        return (double)NAN;
    const iv_sampling_topic x = iv_sampling_topic_at(e->sampling, a->topic[p].judged);
    for (size_t d = 0; d < x.count; d++)
        u[d] = a->u[p][i * x.count + d] - b->u[q][i * x.count + d];
    return fmax(0.0, iv_scheme_variance(x.scheme, u, x.pi, x.bucket, x.count, sums));
}

/* Differences topic by topic; returns how many topics both runs have. */
static size_t differ(double *difference, double *variance, const iv_evaluation *e, size_t i,
                     size_t a, size_t b, double *u, double *sums)
{
    const iv_run_scores *x = e->scores[a], *y = e->scores[b];
    size_t shared = 0;

    for (size_t t = 0; t < e->view.topic_count; t++) {
        const size_t p = evaluation_row(e, a, t), q = evaluation_row(e, b, t);
        difference[t] = variance[t] = (double)NAN;
        if (p == IV_NONE || q == IV_NONE)
            continue;
        difference[t] = iv_run_scores_at(x, &e->task, p, i) - iv_run_scores_at(y, &e->task, q, i);
        variance[t] = topic_variance(e, x, p, y, q, i, u, sums);
        shared++;
    }
    return shared;
}

static iv_mean mean_of(const double *d, const double *v, size_t topics, size_t shared)
{
    const double n = (double)shared, nan = (double)NAN;
    iv_mean out = { .topics = shared, .se = nan, .se_topics = nan };
    double sum = 0.0, squares = 0.0, noise = 0.0;

    for (size_t t = 0; t < topics; t++)
        if (!isnan(d[t])) {
            sum += d[t];
            noise += v[t];
        }
    out.value = sum / n;
    for (size_t t = 0; t < topics; t++)
        if (!isnan(d[t]))
            squares += (d[t] - out.value) * (d[t] - out.value);
    out.se_judgments = sqrt(noise) / n;
    if (shared > 1)
        out.se = sqrt(squares / (n - 1.0) / n);
    if (shared > 1 && !isnan(noise))
        out.se_topics = sqrt(fmax(0.0, out.se * out.se - noise / (n * n)));
    return out;
}

int iv_evaluation_difference(iv_mean *out, double *by_topic,
                             double *variance, const iv_evaluation *e, size_t measure,
                             size_t a, size_t b, iv_err *err)
{
    const size_t T = e->view.topic_count;
    size_t most, buckets;
    iv_arena own = { 0 };

    if (a >= e->view.run_count || b >= e->view.run_count || measure >= e->task.width)
        return iv_fail(err, IV_EARG, "there is no such run or measure in the evaluation");
    if (e->sampling != NULL && !e->task.how.differences)
        return iv_fail(err, IV_EARG, "the estimates were not kept for differences");
    largest_topic(&most, &buckets, e);
    double *u = iv_take(&own, most, sizeof *u), *sums = iv_take(&own, buckets + 1, sizeof *sums);
    by_topic = by_topic != NULL ? by_topic : iv_take(&own, T, sizeof *by_topic);
    variance = variance != NULL ? variance : iv_take(&own, T, sizeof *variance);
    const int rc = iv_taken(&own, err);
    if (rc == IV_OK) {
        const size_t shared = differ(by_topic, variance, e, measure, a, b, u, sums);
        *out = mean_of(by_topic, variance, T, shared);
    }
    iv_arena_free(&own);
    return rc;
}

/* ------------------------------------------------ topics in another order -- */

/* Moves things of `size` bytes: what was at from[i].in_run goes to i. */
static bool move(void *array, const iv_scored_topic *from, size_t count, size_t size)
{
    char *copy = array == NULL || size == 0 ? NULL : malloc(count * size + 1);

    if (array == NULL || size == 0)
        return true;
    if (copy == NULL)
        return false;
    memcpy(copy, array, count * size);
    for (size_t i = 0; i < count; i++)
        memcpy((char *)array + i * size, copy + from[i].in_run * size, size);
    free(copy);
    return true;
}

static bool sort_run(iv_run_scores *s, const uint32_t *place, size_t width)
{
    iv_scored_topic *order = malloc((s->topics + 1) * sizeof *order);

    if (order == NULL)
        return false;
    for (size_t t = 0; t < s->topics; t++) {
        s->topic[t].judged = place[s->topic[t].judged];
        order[t] = (iv_scored_topic){ s->topic[t].judged, (uint32_t)t };
    }
    for (size_t i = 0; i < s->missing_count; i++)
        s->missing[i] = place[s->missing[i]];
    if (s->missing_count > 0)
        qsort(s->missing, s->missing_count, sizeof *s->missing, iv_ascending_sizes);
    if (s->topics > 0)
        qsort(order, s->topics, sizeof *order, by_judged);
    const bool good = move(s->topic, order, s->topics, sizeof *s->topic)
        && move(s->rows, order, s->topics, width * sizeof *s->rows)
        && move(s->bounds, order, s->topics, width * sizeof *s->bounds)
        && move(s->ties, order, s->topics, width * sizeof *s->ties)
        && move(s->texts, order, s->topics, s->text_count * sizeof *s->texts);
    free(order);
    return good;
}

int iv_sort_topics(iv_evaluation *e, iv_err *err)
{
    const size_t n = e->view.judged_topics;
    iv_named *sorted = malloc((n + 1) * sizeof *sorted);
    uint32_t *place = malloc((n + 1) * sizeof *place);
    bool good = sorted != NULL && place != NULL;

    for (size_t t = 0; good && t < n; t++)
        sorted[t] = (iv_named){ e->judged_names[t], t };
    if (good && n > 0)
        qsort(sorted, n, sizeof *sorted, iv_ascending_texts);
    for (size_t t = 0; good && t < n; t++) {
        e->judged_names[t] = sorted[t].name;
        place[sorted[t].at] = (uint32_t)t;
    }
    free(sorted);
    for (size_t r = 0; good && r < e->view.run_count; r++)
        good = sort_run(e->scores[r], place, e->task.width);
    free(place);
    return good ? IV_OK : iv_no_memory(err);
}

/* ------------------------------------------------------- what is told of it -- */

int iv_evaluation_room(iv_evaluation *e, iv_err *err)
{
    const size_t runs = e->view.run_count;

    e->scores = iv_take(&e->memory, runs + 1, sizeof(iv_run_scores *));
    e->names = iv_take(&e->memory, runs + 1, sizeof(char *));
    e->paths = iv_take(&e->memory, runs + 1, sizeof(char *));
    return iv_taken(&e->memory, err);
}

/* paths: of files; NULL: there are none. */
static int name_runs(iv_evaluation *e, const char *const *paths, iv_err *err)
{
    const size_t count = e->view.run_count;
    iv_str *tags = iv_take(&e->memory, count + 1, sizeof *tags);

    for (size_t r = 0; r < count && tags != NULL; r++) {
        tags[r] = iv_str_of(e->scores[r]->tag);
        if (paths != NULL && paths[r] != NULL)
            e->paths[r] = iv_arena_copy(&e->memory, iv_str_of(paths[r]));
    }
    IV_TRY(iv_taken(&e->memory, err));
    return iv_name_runs(e->names, &e->memory, tags, e->paths, count, err);
}

static int describe_runs(iv_evaluation *e, iv_err *err)
{
    const size_t runs = e->view.run_count;
    iv_evaluated_run *out = iv_take(&e->memory, runs + 1, sizeof *out);

    IV_TRY(iv_taken(&e->memory, err));
    for (size_t r = 0; r < runs; r++) {
        const iv_run_scores *s = e->scores[r];
        iv_str *missing = iv_take(&e->memory, s->missing_count + 1, sizeof *missing);
        IV_TRY(iv_taken(&e->memory, err));
        for (size_t i = 0; i < s->missing_count; i++)
            missing[i] = iv_judged_name(e, s->missing[i]);
        out[r] = (iv_evaluated_run){
            .name = e->names[r], .tag = s->tag, .path = e->paths[r], .bytes = s->bytes,
            .topics = s->topics, .missing = missing, .missing_count = s->missing_count,
            .noted = s->noted };
    }
    e->view.runs = out;
    return IV_OK;
}

/* Topics that some run has. */
static int list_topics(iv_evaluation *e, iv_err *err)
{
    const size_t judged = e->view.judged_topics;
    iv_str *topics = iv_take(&e->memory, judged + 1, sizeof *topics);

    e->judged = iv_take(&e->memory, judged + 1, sizeof *e->judged);
    IV_TRY(iv_taken(&e->memory, err));
    for (size_t t = 0; t < judged; t++)
        e->judged[t] = IV_NONE;
    for (size_t r = 0; r < e->view.run_count; r++)
        for (size_t t = 0; t < e->scores[r]->topics; t++)
            e->judged[e->scores[r]->topic[t].judged] = 0;
    for (size_t t = 0; t < judged; t++)
        if (e->judged[t] != IV_NONE) {
            topics[e->view.topic_count] = iv_judged_name(e, t);
            e->judged[e->view.topic_count++] = t;
        }
    e->view.topics = topics;
    return IV_OK;
}

static int describe_measures(iv_evaluation *e, iv_err *err)
{
    const iv_scoring *x = &e->task;
    iv_evaluated_measure *out = iv_take(&e->memory, x->width + 1, sizeof *out);

    IV_TRY(iv_taken(&e->memory, err));
    for (size_t i = 0; i < x->width; i++) {
        const iv_sampled_value *s = x->sampling != NULL ? &x->estimated->values[i] : NULL;
        const size_t at = s != NULL ? s->asked : i;
        const iv_value_info *v = at != IV_NONE ? iv_measures_value(x->measures, at) : NULL;
        out[i] = (iv_evaluated_measure){
            .name = s != NULL ? s->name : v->name, .info = v, .per_topic = true,
            .overall = true, .count = s != NULL ? s->count : v->measure->kind == IV_INTEGER,
            .inferred = s != NULL && s->inferred };
        if (s != NULL)
            continue;
        out[i].text = v->measure->kind == IV_TEXT;
        out[i].per_topic = v->measure->per_topic;
        out[i].overall = v->measure->overall;
        out[i].has_bounds = iv_has_bounds(x->measures, i, x->largest);
        out[i].why_no_bounds = iv_why_no_bounds(x->measures, i, x->largest);
        out[i].has_ties = iv_has_ties(x->measures, i, x->largest);
    }
    e->view.measures = out;
    e->view.measure_count = x->width;
    return IV_OK;
}

int iv_evaluation_finish(iv_evaluation *e, const char *const *paths, const iv_work *work,
                         iv_err *err)
{
    iv_mean *means = iv_take(&e->memory, e->view.run_count * e->task.width + 1, sizeof *means);

    IV_TRY(name_runs(e, paths, err));
    IV_TRY(describe_runs(e, err));
    IV_TRY(iv_means(means, (const iv_run_scores *const *)e->scores, e->view.run_count, &e->task,
                    work, err));
    IV_TRY(list_topics(e, err));
    IV_TRY(describe_measures(e, err));
    e->view.means = means;
    e->view.complete = e->task.how.complete;
    e->view.largest_grade = iv_judgments_format_of(e->task.judgments) == IV_JUDGMENTS_PREFS
        ? -1 : e->task.largest;
    return IV_OK;
}

bool iv_blanks_count(iv_judgments_format format)
{
    return format == IV_JUDGMENTS_QRELS || format == IV_JUDGMENTS_BEIR;
}

void iv_count_judgments(iv_evaluation *e, const iv_judgments *judgments, bool blanks)
{
    const bool groups = iv_judgments_format_of(judgments) >= IV_JUDGMENTS_GROUPS;
    iv_evaluated *view = &e->view;

    for (size_t t = 0; t < iv_judgments_topics(judgments); t++) {
        const iv_judgment *list;
        const size_t n = iv_judgments_of(&list, judgments, t);
        size_t blank = 0, graded_0 = 0;
        for (size_t i = 0; i < n; i++) {
            blank += list[i].grade < 0;
            graded_0 += list[i].grade == 0;
            e->task.above_0 += list[i].grade > 0;
            e->task.largest = list[i].grade > e->task.largest ? list[i].grade : e->task.largest;
            if (groups && (size_t)list[i].stratum + 1 > view->groups)
                view->groups = (size_t)list[i].stratum + 1;
        }
        if (!blanks)
            continue;
        view->graded_0 += graded_0;
        view->graded += n - blank;
        view->blank += blank;
        view->blank_topics += n > 0 && blank == n;
    }
}

/*
 * One line of trec_eval, long ones in memory of their own.  A count that is
 * estimated, and not known, has digits; so has what only sample_eval knows.
 */
static int put_line(FILE *out, const iv_evaluation *e, const iv_evaluated_measure *m, iv_str topic,
                    double number,
                    bool exact, const char *text, iv_err *err)
{
    static const iv_measure_info real = { .kind = IV_REAL };
    static const iv_measure_info whole = { .kind = IV_INTEGER };
    const iv_value_info plain = { .name = m->name,
                                  .measure = m->count && exact ? &whole : &real };
    const iv_value_info standard = { .name = m->name, .measure = &real };
    const bool standardized = e->standards != NULL && !m->text;
    const iv_value_info *v = standardized ? &standard
        : m->info != NULL && (exact || !m->count) ? m->info : &plain;
    char line[256];
    if (standardized)
        (void)putc('Z', out);
    const size_t length = iv_trec_line(line, sizeof line, v, topic, number, text);

    if (length < sizeof line) {
        (void)fwrite(line, 1, length, out);
        return IV_OK;
    }
    char *room = malloc(length + 1);
    if (room == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a line of %zu bytes", length);
    (void)iv_trec_line(room, length + 1, v, topic, number, text);
    (void)fwrite(room, 1, length, out);
    free(room);
    return IV_OK;
}

static int put_topics(FILE *out, const iv_evaluation *e, size_t run, iv_err *err)
{
    /* Version 9 counts a topic that is missing but prints nothing of it. */
    const bool print_missing = e->sampling != NULL
        || e->task.how.measure.dialect == IV_TREC_EVAL_10;

    for (size_t t = 0; t < e->view.topic_count; t++) {
        const size_t row = evaluation_row(e, run, t);
        if (row == IV_NONE || (!print_missing && e->scores[run]->topic[row].in_run == IV_ABSENT))
            continue;
        for (size_t i = 0; i < e->task.width; i++) {
            const iv_estimate x = iv_evaluation_value(e, run, i, t);
            if (e->view.measures[i].per_topic)
                IV_TRY(put_line(out, e, &e->view.measures[i], e->view.topics[t], x.value, x.exact,
                                iv_evaluation_text(e, run, i, t), err));
        }
    }
    return IV_OK;
}

static int put_summary(FILE *out, const iv_evaluation *e, size_t run, iv_err *err)
{
    for (size_t i = 0; i < e->task.width; i++) {
        const iv_mean *m = &e->view.means[run * e->task.width + i];
        if (e->view.measures[i].overall)
            IV_TRY(put_line(out, e, &e->view.measures[i], iv_str_of("all"),
                            isnan(m->value) ? 0.0 : m->value,
                            e->sampling == NULL || m->se == 0.0, e->scores[run]->tag, err));
    }
    return IV_OK;
}

int iv_evaluation_write_trec(FILE *out, const iv_evaluation *e, bool topics, bool summary,
                             iv_err *err)
{
    for (size_t r = 0; r < e->view.run_count; r++) {
        if (topics)
            IV_TRY(put_topics(out, e, r, err));
        if (summary)
            IV_TRY(put_summary(out, e, r, err));
    }
    return IV_OK;
}

/* ----------------------------------------------------------- the matrix -- */

int iv_evaluation_write_matrix(const char *path, const iv_evaluation *e, size_t measure,
                               const size_t *order, iv_err *err)
{
    iv_outfile *file = NULL;
    IV_TRY(iv_outfile_open(&file, path, err));
    FILE *out = iv_outfile_stream(file);
    iv_put_csv(out, iv_str_of(e->view.measures[measure].name), true);
    for (size_t t = 0; t < e->view.topic_count; t++) {
        (void)putc(',', out);
        iv_put_csv(out, e->view.topics[t], true);
    }
    (void)putc('\n', out);
    for (size_t k = 0; k < e->view.run_count; k++) {
        const size_t r = order != NULL ? order[k] : k;
        iv_put_csv(out, iv_str_of(e->names[r]), true);
        for (size_t t = 0; t < e->view.topic_count; t++) {
            const size_t row = evaluation_row(e, r, t);
            char text[IV_REAL_SIZE] = "";
            if (row != IV_NONE)
                (void)iv_format_real(text, iv_run_scores_at(e->scores[r], &e->task, row, measure));
            (void)putc(',', out);
            (void)fputs(text, out);
        }
        (void)putc('\n', out);
    }
    return iv_outfile_commit(file, err);
}

void iv_evaluation_free(iv_evaluation *e)
{
    if (e == NULL)
        return;
    for (size_t r = 0; e->scores != NULL && r < e->view.run_count; r++)
        iv_run_scores_free(e->scores[r]);
    iv_arena_free(&e->memory);
    iv_standards_free(e->standards);
    iv_measures_free(e->measures);
    iv_sampled_measures_free(e->estimated);
    iv_sampling_free(e->sampling);
    iv_judgments_free(e->judgments);
    free(e->judged_names);
    iv_arena_free(&e->name_bytes);
    free(e);
}

int iv_blame_judgments(int rc, const iv_source *source, iv_err *err)
{
    if (rc != IV_EPARSE || err == NULL || err->file[0] != '\0' || source->judgments == NULL)
        return rc;
    const iv_err why = *err;
    return iv_fail_at(err, rc, source->judgments, 0, "%s", why.msg);
}
