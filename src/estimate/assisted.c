/* SPDX-License-Identifier: Apache-2.0 */
/* People's judgments of some topics, a machine's labels of all: scored by both, and joined. */
#include "estimate/assisted_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

const char *const *iv_infer_names(void)
{
    static const char *const names[] = { "new", "these", NULL };

    return names;
}

const iv_assisted_view *iv_assisted_viewed(const iv_assisted *a)
{
    return &a->view;
}

static void end_judgments(void *j) { iv_judgments_free(j); }
static void end_judge(void *j) { iv_judge_free(j); }
static void end_evaluation(void *e) { iv_evaluation_free(e); }

void iv_assisted_free(iv_assisted *a)
{
    if (a == NULL)
        return;
    iv_arena_free(&a->memory);
    free(a);
}

/* --------------------------------------------------------------- reading -- */

static int read_labels(iv_assisted *a, const iv_source *source, const iv_judgments *reference,
                       const iv_evaluating *o, const iv_work *work, iv_err *err)
{
    const char *name = source->judgments != NULL ? source->judgments : "the judgments";
    const iv_judge_options how = { .level = o->measure.level, .judge_level = a->how.level,
                                   .confidence = a->confidence };

    for (size_t i = 0; i < a->view.machines; i++) {
        bool scored;
        const char *path = a->how.files.at[i];
        IV_TRY(iv_machine_labels_load(&a->labels[i], &scored, path, (int)a->how.format, work, err));
        if (iv_own(&a->memory, a->labels[i], end_judgments) == NULL)
            return iv_taken(&a->memory, err);
        a->bytes[i] = iv_judgments_bytes(a->labels[i]);
        IV_TRY(iv_judge_new(&a->judges[i], reference, name, a->labels[i], scored, path, &how, err));
        if (iv_own(&a->memory, a->judges[i], end_judge) == NULL)
            return iv_taken(&a->memory, err);
    }
    return IV_OK;
}

/* The same runs by a machine's labels. */
static int score_machine(iv_evaluation **out, iv_assisted *a, size_t i, const iv_source *source,
                         const iv_evaluating *o, const iv_work *work, iv_err *err)
{
    const iv_evaluated *v = iv_evaluation_view(a->view.human);
    const iv_judged_by *judge = iv_judge_view(a->judges[i]);
    const char **names = iv_take(&a->memory, a->measures, sizeof *names);
    iv_source by = *source;
    iv_evaluating how = *o;

    IV_TRY(iv_taken(&a->memory, err));
    for (size_t m = 0; m < a->measures; m++)
        names[m] = v->measures[m].name;
    by.judged = iv_judge_labels(a->judges[i]);
    by.judgments = NULL;
    by.judgments_format = IV_JUDGMENTS_ANY;
    how.measures = (iv_texts){ names, a->measures };
    how.measure.level = judge->judge_level == 0 ? IV_ZERO : judge->judge_level;
    how.interval = IV_INTERVAL_NONE;
    how.guaranteed = how.differences = false;
    how.estimator = IV_ESTIMATOR_AUTO;
    how.unjudged = IV_UNJUDGED_REFUSE;
    IV_TRY(iv_evaluate(out, &by, &how, work, err));
    if (iv_own(&a->memory, *out, end_evaluation) == NULL)
        return iv_taken(&a->memory, err);
    size_t retrieved = 0, unlabelled = 0;
    const iv_evaluated *x = iv_evaluation_view(*out);
    for (size_t r = 0; r < x->run_count; r++) {
        retrieved += x->runs[r].noted.retrieved;
        unlabelled += x->runs[r].noted.unjudged;
    }
    if (retrieved > 0 && retrieved == unlabelled)
        return iv_fail_at(err, IV_ENODATA, a->how.files.at[i], 0, "no label for any document that "
                          "the runs return, expected labels of these documents");
    return IV_OK;
}

/* --------------------------------------------------------------- joining -- */

static size_t find_topic(const iv_evaluated *v, iv_str id)
{
    size_t low = 0, high = v->topic_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = iv_str_cmp(v->topics[middle], id);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return IV_NONE;
}

/* Topics that all machines have: those that people judged first, then the others. */
static size_t list_topics(size_t *at, iv_assisted *a, iv_evaluation *const *by)
{
    const iv_evaluated *first = iv_evaluation_view(by[0]);
    const iv_evaluated *human = iv_evaluation_view(a->view.human);
    const size_t width = a->view.machines + 1;
    size_t count = 0;

    for (int judged = 1; judged >= 0; judged--) {
        for (size_t t = 0; t < first->topic_count; t++) {
            size_t *to = at + count * width;
            bool all = true;
            to[0] = find_topic(human, first->topics[t]);
            for (size_t i = 0; i < a->view.machines; i++) {
                to[i + 1] = find_topic(iv_evaluation_view(by[i]), first->topics[t]);
                all = all && to[i + 1] != IV_NONE;
            }
            count += all && (to[0] != IV_NONE) == (judged == 1);
        }
        if (judged == 1)
            a->view.judged = count;
    }
    return count;
}

/*
 * Is the measure a sum over documents?  Then rectified labels estimate it without bias,
 * whatever the machine says.  What is divided by the number of relevant documents was biased
 * low where the machine labelled a part of the frame only (doc/methods/machine.md): there
 * people's own estimates stay.
 */
bool iv_assisted_is_sum(const iv_assisted *a, size_t measure)
{
    const iv_evaluated_measure *m = &iv_evaluation_view(a->view.human)->measures[measure];

    return m->info != NULL && strcmp(m->info->measure->name, "P") == 0;
}

const iv_evaluation *iv_assisted_values(const iv_assisted *a, size_t measure)
{
    return a->view.rectified != NULL && (a->view.framed || iv_assisted_is_sum(a, measure))
        ? a->view.rectified : a->view.human;
}

/* out[k * to + t] = the grid's value at the topic that `at` names, for every measure and run. */
static int take_grid(double *out, size_t to, const iv_evaluation *e, const size_t *at,
                     size_t width, size_t first, size_t end, iv_err *err)
{
    const iv_evaluated *v = iv_evaluation_view(e);
    double *grid = malloc((v->run_count * v->topic_count + 1) * sizeof *grid);

    if (grid == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t m = first; m < end; m++) {
        if (v->measures[m].text)
            continue;
        iv_evaluation_grid(grid, e, m);
        for (size_t r = 0; r < v->run_count; r++)
            for (size_t t = 0; t < to; t++)
                out[(m * v->run_count + r) * to + t] = grid[r * v->topic_count + at[t * width]];
    }
    free(grid);
    return IV_OK;
}

static int join(iv_assisted *a, iv_evaluation *const *by, iv_err *err)
{
    const size_t width = a->view.machines + 1, cells = a->measures * a->runs;
    const iv_evaluated *human = iv_evaluation_view(a->view.human);
    size_t *at = iv_take(&a->memory, (iv_evaluation_view(by[0])->topic_count + 1) * width,
                         sizeof *at);

    IV_TRY(iv_taken(&a->memory, err));
    a->topics = list_topics(at, a, by);
    a->view.units = a->topics;
    a->view.human_only = human->topic_count - a->view.judged;
    a->view.complete = a->view.units == a->view.judged && a->view.human_only == 0;
    if (a->view.judged < IV_TWO_PHASE_LEAST)
        return iv_fail(err, IV_ENODATA, "%zu topic%s with people's judgments and the machine's "
                       "labels, expected %d or more", a->view.judged,
                       a->view.judged == 1 ? "" : "s", IV_TWO_PHASE_LEAST);
    a->human = iv_take(&a->memory, cells * a->view.judged + 1, sizeof *a->human);
    a->values = iv_take(&a->memory, a->view.machines, sizeof *a->values);
    IV_TRY(iv_taken(&a->memory, err));
    IV_TRY(take_grid(a->human, a->view.judged, a->view.human, at, width, 0, a->measures, err));
    for (size_t m = 0; m < a->measures; m++)
        if (iv_assisted_values(a, m) != a->view.human)
            IV_TRY(take_grid(a->human, a->view.judged, a->view.rectified, at, width, m, m + 1, err));
    for (size_t i = 0; i < a->view.machines; i++) {
        a->values[i] = iv_take(&a->memory, cells * a->topics + 1, sizeof **a->values);
        IV_TRY(iv_taken(&a->memory, err));
        IV_TRY(take_grid(a->values[i], a->topics, by[i], at + i + 1, width, 0, a->measures, err));
    }
    return IV_OK;
}

/* Are the judged topics like the others?  By the machine, mean over the runs that have it. */
static double unlike(const iv_assisted *a)
{
    double *mean = calloc(a->topics + 1, sizeof *mean);
    double p = (double)NAN;

    for (size_t t = 0; mean != NULL && t < a->topics; t++) {
        size_t n = 0;
        for (size_t r = 0; r < a->runs; r++) {
            const double x = a->values[0][r * a->topics + t];
            mean[t] += isnan(x) ? 0.0 : x;
            n += isnan(x) ? 0 : 1;
        }
        mean[t] /= n > 0 ? (double)n : 1.0;
    }
    if (mean != NULL)
        p = iv_two_phase_unlike(mean, a->view.judged, a->topics);
    free(mean);
    return p;
}

/* Has the machine labelled nine in ten of the documents that could be drawn? */
static bool covers_frame(const iv_sampling *s, const iv_judgments *labels)
{
    const iv_judgments *j = s != NULL ? iv_sampling_judgments(s) : NULL;
    size_t all = 0, labelled = 0;

    for (size_t t = 0; j != NULL && t < iv_judgments_topics(j); t++) {
        const iv_framed_document *frame;
        const size_t n = iv_sampling_frame(&frame, s, t);
        const size_t at = iv_judgments_find_topic(labels, iv_judgments_topic(j, t));
        all += n;
        for (size_t d = 0; d < n && at != IV_NONE; d++) {
            const iv_judgment *x = iv_judgments_find(labels, at, iv_sampling_frame_docno(s, t, d));
            labelled += x != NULL && x->grade >= 0;
        }
    }
    return all > 0 && 10 * labelled >= 9 * all;
}

/* A sample's judgments again, with the machine's labels of its frame. */
static int rectify(iv_assisted *a, const iv_source *people, const iv_evaluating *o,
                   const iv_work *work, iv_err *err)
{
    iv_evaluating how = *o;
    iv_evaluation *e = NULL;

    how.machine = a->labels[0];
    how.scored = iv_judge_view(a->judges[0])->scored;
    IV_TRY(iv_evaluate(&e, people, &how, work, err));
    if (iv_own(&a->memory, e, end_evaluation) == NULL)
        return iv_taken(&a->memory, err);
    if (iv_evaluation_view(e)->estimator == IV_ESTIMATOR_RECTIFIED)
        a->view.rectified = e;
    a->view.framed = covers_frame(iv_evaluation_view(e)->sampling, a->labels[0]);
    return IV_OK;
}

static int build(iv_assisted *a, const iv_source *source, const iv_evaluating *o,
                 const iv_work *work, iv_err *err)
{
    const size_t given = a->how.files.count;
    iv_evaluation *human = NULL, **by;
    iv_judgments *read = NULL;
    iv_source people = *source;
    iv_stage stage;

    if (people.judged == NULL) {
        if (people.judgments == NULL)
            return iv_fail(err, IV_EARG, "no judgments were given");
        IV_TRY(iv_judgments_load(&read, people.judgments, people.judgments_format, work, err));
        if (iv_own(&a->memory, read, end_judgments) == NULL)
            return iv_taken(&a->memory, err);
        people.judged = read;
    }
    IV_TRY(iv_evaluate(&human, &people, o, iv_work_part(&stage, work, 0.0, 0.6), err));
    if (iv_own(&a->memory, human, end_evaluation) == NULL)
        return iv_taken(&a->memory, err);
    const iv_evaluated *v = iv_evaluation_view(human);
    const size_t allowed = iv_machines_allowed(v->topic_count);
    a->view.human = human;
    a->view.given = given;
    a->view.machines = given < allowed ? given : allowed;
    a->runs = v->run_count;
    a->measures = v->measure_count;
    a->labels = iv_take(&a->memory, given, sizeof *a->labels);
    a->judges = iv_take(&a->memory, given, sizeof *a->judges);
    a->bytes = iv_take(&a->memory, given, sizeof *a->bytes);
    by = iv_take(&a->memory, given, sizeof *by);
    IV_TRY(iv_taken(&a->memory, err));
    IV_TRY(read_labels(a, source, people.judged, o, work, err));
    if (v->sampling != NULL)
        IV_TRY(rectify(a, &people, o, work, err));
    for (size_t i = 0; i < a->view.machines; i++)
        IV_TRY(score_machine(&by[i], a, i, source, o,
                             iv_work_part(&stage, work, 0.6 + 0.4 * (double)i / (double)given,
                                          0.6 + 0.4 * (double)(i + 1) / (double)given), err));
    IV_TRY(join(a, by, err));
    /* Fewer topics shared than judged may allow fewer machines: the first ones count. */
    const size_t most = iv_machines_allowed(a->view.judged);
    a->view.machines = a->view.machines < most ? a->view.machines : most;
    a->view.machine = by[0];
    a->view.judges = (const iv_judge *const *)a->judges;
    a->view.bytes = a->bytes;
    a->view.unlike = unlike(a);
    return IV_OK;
}

int iv_assisted_new(iv_assisted **out, const iv_source *source, const iv_machines *machines,
                    const iv_evaluating *options, const iv_work *work, iv_err *err)
{
    const iv_evaluating o = options != NULL ? *options : (iv_evaluating){ 0 };
    iv_assisted *a = calloc(1, sizeof *a);

    if (a == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    a->how = *machines;
    a->confidence = o.resampling.confidence == 0.0 ? 0.95 : o.resampling.confidence;
    int rc = machines->files.count == 0 ? iv_fail(err, IV_EARG, "no machine's labels were given")
        : o.bounds || o.ties || o.standards != NULL
        ? iv_fail(err, IV_EARG, "%s are not known beside a machine's labels",
                  o.bounds ? "bounds" : o.ties ? "values over ties" : "standard scores")
        : build(a, source, &o, work, err);
    if (rc == IV_OK)
        *out = a;
    else
        iv_assisted_free(a);
    return rc;
}
