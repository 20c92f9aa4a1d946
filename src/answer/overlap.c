/* SPDX-License-Identifier: Apache-2.0 */
/* overlap -- how alike are runs, without judgments? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/eval_parts.h"
#include "answer/run_notes.h"
#include "base/parallel.h"
#include "estimate/evaluation_parts.h"
#include "intervale/answer.h"

enum { MEASURES = 7, CORRELATIONS = 5, NAMED = 5 }; /* the correlations come last */

/* A pair on a topic. */
typedef struct topic_row {
    const char *a, *b;
    iv_str topic;
    size_t pair, at_a, at_b;
    iv_overlapping x;
    bool quiet;
} topic_row;

const iv_field iv_overlap_topic_fields[] = {
    { "a", IV_AT(topic_row, a), .about = "a run" },
    { "b", IV_AT(topic_row, b), .about = "another" },
    { "topic", IV_AT(topic_row, topic), .about = "its id" },
    { "rbo", IV_AT(topic_row, x.rbo.value), .digits = 4,
      .about = "rank-biased overlap, extrapolated" },
    { "rbo_min", IV_AT(topic_row, x.rbo.lower), .digits = 4,
      .about = "if nothing behind the lists' ends agrees" },
    { "rbo_max", IV_AT(topic_row, x.rbo.upper), .digits = 4,
      .about = "if everything behind the lists' ends agrees" },
    { "overlap", IV_AT(topic_row, x.overlap), .digits = 4,
      .about = "share of the first documents that both have" },
    { "jaccard", IV_AT(topic_row, x.jaccard), .digits = 4,
      .about = "those of both over all of the first documents" },
    { "tau", IV_AT(topic_row, x.tau), .digits = 4, .about = "Kendall's tau-b on the union" },
    { "tau_ap", IV_AT(topic_row, x.tau_ap), .digits = 4, .about = "AP correlation on the union" },
    { "only_a", IV_AT(topic_row, x.only_a), .about = "of the first documents only a has" },
    { "only_b", IV_AT(topic_row, x.only_b), .about = "of the first documents only b has" },
    { "moved", IV_AT(topic_row, x.moved), .about = "at another rank, or in one run only" },
    { NULL } };

/* A measure of a pair over topics. */
typedef struct mean_row {
    const char *a, *b;
    char measure[40];
    size_t topics;
    double mean, se, lower, upper;
    iv_interval_method method;
    bool quiet, crowded;
} mean_row;

const iv_field iv_overlap_mean_fields[] = {
    { "a", IV_AT(mean_row, a), .about = "a run" },
    { "b", IV_AT(mean_row, b), .about = "another" },
    { "measure", IV_AT(mean_row, measure), .about = "how likeness is measured" },
    { "topics", IV_AT(mean_row, topics), .about = "that both have" },
    { "mean", IV_AT(mean_row, mean), .digits = 4, .about = "over topics" },
    { "se", IV_AT(mean_row, se), .digits = 4, .about = "its standard error" },
    { "lower", IV_AT(mean_row, lower), .digits = 4, .about = "of the interval of the mean" },
    { "upper", IV_AT(mean_row, upper), .digits = 4, .about = "of the interval of the mean" },
    { NULL } };

/* What would have to be judged. */
typedef struct judge_row {
    const char *a, *b;
    size_t top, documents, only_a, only_b, moved, fewest;
} judge_row;

const iv_field iv_overlap_judge_fields[] = {
    { "a", IV_AT(judge_row, a), .about = "a run" },
    { "b", IV_AT(judge_row, b), .about = "another" },
    { "top", IV_AT(judge_row, top), .about = "documents of a topic that count" },
    { "documents", IV_AT(judge_row, documents), .about = "among the first of either, in all" },
    { "only_a", IV_AT(judge_row, only_a), .about = "that only a has there" },
    { "only_b", IV_AT(judge_row, only_b), .about = "that only b has there" },
    { "moved", IV_AT(judge_row, moved),
      .about = "at different ranks: these decide measures that weigh ranks" },
    { "fewest", IV_AT(judge_row, fewest),
      .about = "judgments without which no sign of a difference in precision is sure" },
    { NULL } };

typedef struct work_here {
    const iv_overlap_question *q;
    iv_asking asking;
    iv_arena memory;
    iv_run_input runs;
    char **names;
    size_t pair_count, row_count, left_out, top;
    size_t *a, *b;  /* of the pairs */
    size_t *first;  /* their first row; one more than pairs */
    topic_row *rows;
    mean_row *means; /* MEASURES a pair */
    judge_row *judge;
} work_here;

/* ------------------------------------------------------------- computing -- */

static int list_topics(work_here *w, iv_err *err)
{
    size_t most = 0;

    for (size_t k = 0; k < w->pair_count; k++)
        most += iv_run_topics(w->runs.runs[w->a[k]]);
    w->rows = iv_take(&w->memory, most, sizeof *w->rows);
    IV_TRY(iv_taken(&w->memory, err));
    for (size_t k = 0; k < w->pair_count; k++) {
        const iv_run *a = w->runs.runs[w->a[k]], *b = w->runs.runs[w->b[k]];
        w->first[k] = w->row_count;
        for (size_t t = 0; t < iv_run_topics(a); t++) {
            const size_t other = iv_run_find_topic(b, iv_run_topic(a, t));
            if (other != IV_NONE)
                w->rows[w->row_count++] = (topic_row){
                    w->names[w->a[k]], w->names[w->b[k]], iv_run_topic(a, t), k, t, other,
                    { .tau = NAN }, false };
        }
        const size_t shared = w->row_count - w->first[k];
        if (shared == 0)
            return iv_fail(err, IV_ENODATA, "%s and %s have no topic in common",
                           w->names[w->a[k]], w->names[w->b[k]]);
        w->left_out += iv_run_topics(a) + iv_run_topics(b) - 2 * shared;
    }
    w->first[w->pair_count] = w->row_count;
    return IV_OK;
}

static int one_topic(void *user, void *memory, size_t i, iv_err *err)
{
    work_here *w = user;
    topic_row *r = &w->rows[i];

    (void)memory;
    return iv_run_overlap_asking(&r->x, w->runs.runs[w->a[r->pair]], r->at_a,
                                 w->runs.runs[w->b[r->pair]], r->at_b, &w->q->how,
                                 &w->asking.inner, err);
}

static double value_of(const iv_overlapping *x, size_t m)
{
    const double all[MEASURES] = { x->rbo.value, x->rbo.lower, x->rbo.upper, x->overlap,
                                   x->jaccard, x->tau, x->tau_ap };

    return all[m];
}

/* Within [0, 1], where the interval is made; correlations from -1 to 1 are halved.  Sums of powers
 * of p that are equal but for the last digits are made equal, so that a 1 is one. */
static double on_unit(double value, size_t m)
{
    const double x = m < CORRELATIONS ? value : 0.5 * (value + 1.0);

    return fmin(fmax(nearbyint(x * 1e12) / 1e12, 0.0), 1.0);
}

static double from_unit(double x, size_t m) { return m < CORRELATIONS ? x : 2.0 * x - 1.0; }

/* Most topics have the largest value, which is not 1: the limits know no end there. */
static bool is_crowded(const double *x, size_t n, iv_interval_method method)
{
    double most = 0.0;
    size_t there = 0;

    for (size_t t = 0; t < n; t++)
        most = fmax(most, x[t]);
    for (size_t t = 0; t < n; t++)
        there += x[t] == most;
    return method == IV_INTERVAL_LOGIT && most < 1.0 && 2 * there > n;
}

static int one_mean(mean_row *out, const topic_row *rows, size_t count, size_t m,
                    double *values, const work_here *w, const iv_work *work, iv_err *err)
{
    static const iv_interval_method method = IV_INTERVAL_AUTO;
    const double *const sample = values;
    iv_mean_interval i;
    size_t n = 0;

    for (size_t t = 0; t < count; t++) {
        const double x = value_of(&rows[t].x, m);
        if (!isnan(x))
            values[n++] = on_unit(x, m);
    }
    *out = (mean_row){ rows->a, rows->b, "", n, NAN, NAN, NAN, NAN, IV_INTERVAL_NONE, false,
                       false };
    (void)snprintf(out->measure, sizeof out->measure, m == 3 ? "overlap@%zu" : m == 4 ?
                   "Jaccard@%zu" : m == 5 ? "tau" : m == 6 ? "tau_AP" : m == 0 ? "RBO" : m == 1 ?
                   "RBO_min" : "RBO_max", w->top);
    if (n == 0)
        return IV_OK;
    const int rc = iv_mean_intervals(&i, &sample, &method, 1, n, &w->q->resampling, work, err);
    if (rc == IV_OK) {
        out->mean = from_unit(i.mean, m);
        out->se = m < CORRELATIONS ? i.se : 2.0 * i.se;
        out->lower = from_unit(i.lower, m);
        out->upper = from_unit(i.upper, m);
        out->method = i.method;
        out->crowded = is_crowded(values, n, i.method);
    }
    return rc;
}

/* Room for the values of the most topics that a pair has. */
static void *values_room(iv_arena *own, void *user)
{
    return iv_take(own, ((work_here *)user)->row_count, sizeof(double));
}

static int one_pair(void *user, void *memory, size_t k, iv_err *err)
{
    work_here *w = user;
    const topic_row *rows = &w->rows[w->first[k]];
    const size_t count = w->first[k + 1] - w->first[k];
    judge_row *j = &w->judge[k];

    for (size_t m = 0; m < MEASURES; m++)
        IV_TRY(one_mean(&w->means[k * MEASURES + m], rows, count, m, memory, w, &w->asking.inner, err));
    /* Of deep lists the bounds are the value. */
    mean_row *bounds = &w->means[k * MEASURES + 1];
    bounds[0].quiet = bounds[1].quiet = bounds[1].mean - bounds[0].mean < 5e-5;
    *j = (judge_row){ rows->a, rows->b, w->top, 0, 0, 0, 0, 0 };
    for (size_t t = 0; t < count; t++) {
        j->documents += rows[t].x.both + rows[t].x.only_a + rows[t].x.only_b;
        j->only_a += rows[t].x.only_a;
        j->only_b += rows[t].x.only_b;
        j->moved += rows[t].x.moved;
    }
    /* Whoever leads: every document that only the other has might be relevant. */
    if (j->only_a + j->only_b > 0)
        j->fewest = 1 + (j->only_a < j->only_b ? j->only_a : j->only_b);
    return IV_OK;
}

static int compute(work_here *w, const iv_work *work, iv_err *err)
{
    const iv_loop topics = { w->row_count, one_topic, w, NULL };
    const iv_loop pairs = { w->pair_count, one_pair, w, values_room };
    iv_stage stage;

    iv_asking_start(&w->asking, iv_work_part(&stage, work, 0.3, 0.8));
    IV_TRY(iv_parallel(&topics, &w->asking.outer, err));
    iv_asking_start(&w->asking, iv_work_part(&stage, work, 0.8, 1.0));
    return iv_parallel(&pairs, &w->asking.outer, err);
}

/* --------------------------------------------------------------- telling -- */

static int by_likeness(const void *va, const void *vb)
{
    const topic_row *a = va, *b = vb;

    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    if (a->x.rbo.value != b->x.rbo.value)
        return a->x.rbo.value < b->x.rbo.value ? -1 : 1;
    return iv_str_cmp(a->topic, b->topic);
}

/* What is known of the intervals: with few topics, with many equal ones. */
static void tell_doubts(iv_result *out, const work_here *w)
{
    iv_eval_doubts which = { 0 };
    size_t crowded = 0;

    for (size_t k = 0; k < w->pair_count * MEASURES; k++) {
        const mean_row *m = &w->means[k];
        crowded += m->crowded && !m->quiet;
        if (!m->quiet)
            iv_eval_doubt(&which, m->method, m->topics, m->lower);
    }
    iv_eval_tell_doubts(out, &which, "topic");
    if (crowded > 0)
        iv_result_note(out, "of %zu mean%s more than half of the topics have the largest value, "
                       "and that is not 1 (RBO_min of lists that are equal): 0.95 intervals hold "
                       "0.86 to 0.95 there", crowded, iv_plural(crowded));
}

static void tell(iv_result *out, const work_here *w, double confidence)
{
    size_t most = 0, least = 0;

    for (size_t k = 1; k < w->pair_count; k++) {
        if (w->means[k * MEASURES].mean > w->means[most * MEASURES].mean)
            most = k;
        if (w->means[k * MEASURES].mean < w->means[least * MEASURES].mean)
            least = k;
    }
    const mean_row *m = &w->means[most * MEASURES], *l = &w->means[least * MEASURES];
    const judge_row *j = w->judge;
    if (w->pair_count > 1)
        iv_result_answer(out, "Of %zu runs %s and %s are the most alike, with a rank-biased "
                         "overlap of %.4f, %s and %s the least, with %.4f.", w->runs.count, m->a,
                         m->b, m->mean, l->a, l->b, l->mean);
    else if (isnan(m->lower))
        iv_result_answer(out, "%s and %s have a rank-biased overlap of %.4f over %zu topic%s.",
                         m->a, m->b, m->mean, m->topics, iv_plural(m->topics));
    else
        iv_result_answer(out, "%s and %s have a rank-biased overlap of %.4f over %zu topics, "
                         "%.10g %% interval %.4f to %.4f; %zu of the first %zu documents are in "
                         "one of them only.", m->a, m->b, m->mean, m->topics, 100.0 * confidence,
                         m->lower, m->upper, j->only_a + j->only_b, j->documents);
    tell_doubts(out, w);
    if (w->left_out > 0)
        iv_result_note(out, "%zu topic%s of one run that the other lacks %s left out",
                       w->left_out, iv_plural(w->left_out), w->left_out == 1 ? "is" : "are");
    iv_result_legend(out, "RBO has persistence %g; it is extrapolated, RBO_min and RBO_max hold "
                     "whatever follows the ends of the lists; tied documents: %s",
                     w->q->how.persistence == 0.0 ? 0.9 : w->q->how.persistence,
                     iv_rbo_ties_names()[w->q->how.ties]);
    if (w->q->how.ties != IV_RBO_AVERAGE)
        iv_result_note(out, "RBO_min and RBO_max are bounds for ties that are averaged only: with "
                       "ties %s what follows the lists may lead beyond them",
                       iv_rbo_ties_names()[w->q->how.ties]);
    iv_result_legend(out, "tau and tau_AP are of the union: documents that a run lacks are tied "
                     "behind all that it has; intervals over topics are the "
                     "Studentised logit bootstrap's (of correlations that of (tau + 1) / 2), and "
                     "Student's t on the logit scale where most topics have 0 or 1");
    iv_result_legend(out, "judging: a difference in precision among the first %zu is known once "
                     "all of only_a and only_b are judged, one in measures that weigh ranks once "
                     "all that moved are; its sign cannot be sure before the fewest are",
                     w->top);
}

static void put(iv_result *out, work_here *w, double confidence)
{
    const bool one = w->pair_count == 1;
    char caption[400];

    qsort(w->rows, w->row_count, sizeof *w->rows, by_likeness);
    for (size_t i = 0; i < w->row_count; i++)
        w->rows[i].quiet = i >= w->first[w->rows[i].pair] + (one ? NAMED : 1);
    (void)iv_result_rows(out, &(iv_rows){
        "pairs", iv_overlap_mean_fields, w->means, w->pair_count * MEASURES, sizeof *w->means,
        .quiet = IV_QUIET(mean_row, quiet), .drawn = { "mean", "lower", "upper", 0.0, 0.0 } });
    (void)iv_result_rows(out, &(iv_rows){ "judging", iv_overlap_judge_fields, w->judge, w->pair_count,
                                          sizeof *w->judge });
    (void)iv_result_rows(out, &(iv_rows){ "topics", iv_overlap_topic_fields, w->rows, w->row_count,
                                          sizeof *w->rows,
                                          .quiet = IV_QUIET(topic_row, quiet) });
    if (w->row_count > w->pair_count * (one ? NAMED : 1))
        iv_result_key(out, one ? "topics: the %d that differ most" : "topics: of each pair the "
                      "one that differs most", NAMED);
    (void)snprintf(caption, sizeof caption, "A point is the mean over topics, the line its %g %% "
                   "interval. 1 is the same ranking; RBO weighs the first ranks most.",
                   100.0 * confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "How alike the runs are",
        .caption = caption, .label = "a", .against = "b", .page = "measure", .value = "mean",
        .lower = "lower", .upper = "upper" });
    if (!one)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_MATRIX, .table = "pairs", .title = "All pairs",
            .caption = "A field is a pair of runs, its colour their mean likeness.",
            .label = "a", .against = "b", .page = "measure", .value = "mean" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "topics", .title = "Topics",
        .caption = "A point is a pair of runs on a topic: the share of the first documents that "
                   "both have, and the rank-biased overlap, with its bounds over what follows "
                   "the ends of the lists.", .x = "overlap", .value = "rbo", .lower = "rbo_min",
        .upper = "rbo_max", .label = "topic" });
    iv_result_method(out, "Rank-biased overlap of Webber, Moffat and Zobel (2010), ties as in "
                     "Corsi and Urbano (2024).");
    iv_result_assumption(out, "Topics are a sample of those the runs are meant for.");
}

static int make_room(work_here *w, iv_err *err)
{
    const size_t runs = w->runs.count, pairs = w->pair_count = iv_pair_count(runs);

    w->a = iv_take(&w->memory, pairs, sizeof *w->a);
    w->b = iv_take(&w->memory, pairs, sizeof *w->b);
    w->first = iv_take(&w->memory, pairs + 1, sizeof *w->first);
    w->means = iv_take(&w->memory, pairs * MEASURES, sizeof *w->means);
    w->judge = iv_take(&w->memory, pairs, sizeof *w->judge);
    IV_TRY(iv_taken(&w->memory, err));
    for (size_t a = 0, k = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++, k++) {
            w->a[k] = a;
            w->b[k] = b;
        }
    return IV_OK;
}

static int answer(work_here *w, iv_result *out, const iv_work *work, iv_err *err)
{
    const double confidence = iv_resampling_of(&w->q->resampling).confidence;
    iv_stage stage;

    IV_TRY(iv_run_input_read(&w->runs, out, &w->q->from, iv_work_part(&stage, work, 0.0, 0.3),
                             err));
    IV_TRY(iv_run_input_names(&w->names, &w->runs, err));
    IV_TRY(make_room(w, err));
    IV_TRY(list_topics(w, err));
    IV_TRY(compute(w, work, err));
    put(out, w, confidence);
    tell(out, w, confidence);
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_overlap_question *q = asked;
    const size_t count = q->from.ranked != NULL ? q->from.ranked_count : q->from.runs.count;
    work_here w = { .q = q, .top = q->how.top == 0 ? 10 : q->how.top };

    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run%s given, expected at least two", count,
                       iv_plural(count));
    const int rc = answer(&w, out, work, err);
    iv_run_input_free_names(w.names, &w.runs);
    iv_run_input_free(&w.runs);
    iv_arena_free(&w.memory);
    return rc;
}

int iv_answer_overlap(iv_result *out, const iv_overlap_question *q, const iv_work *work,
                      iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_overlap_question, from.),
        IV_CHOICE_OF(iv_overlap_question, how.ties, iv_rbo_ties_names, "what to do with ties"),
        IV_PART_OF(iv_overlap_question, resampling.confidence, REAL, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "overlap"), work, err);
}
