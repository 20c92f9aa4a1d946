/* SPDX-License-Identifier: Apache-2.0 */
/* overlap -- how alike are runs, without judgments? */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/message.h"
#include "result/methods.h"
#include "result/run_input.h"
#include "result/wording.h"
#include "retrieval/eval_messages.h"
#include "retrieval/run_overlap.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"
#include "trec/run.h"
#include "trec/run_source.h"

#include <math.h>
#include <stdlib.h>

enum { MEASURES = 7 };

/* So many pairs people read in full; of more, the rank-biased overlap. */
enum { FEW = 6 };

/* A pair on a topic. */
typedef struct topic_row {
    const char *a, *b;
    iv_str topic;
    const iv_run *run_a, *run_b;
    size_t pair, at_a, at_b;
    iv_overlapping x;
    bool quiet;
} topic_row;

/* The mean of a measure of a pair over the topics that both have. */
typedef struct mean_row {
    const char *a, *b, *measure;
    size_t topics;
    double value, se, lower, upper;
    iv_interval_method method;
    bool quiet;
} mean_row;

typedef struct overlaps {
    const iv_overlap_question *q;
    iv_nested_work nested;
    iv_arena *own;
    iv_run_input runs;
    size_t pair_count, row_count, left_out, top;
    size_t same;    /* rows: topics that a pair ranks alike */
    unsigned with;  /* columns that people see */
    size_t *first;  /* their first row; one more than pairs */
    topic_row *rows;
    mean_row *means; /* MEASURES a pair */
    char measures[MEASURES][40];
} overlaps;

/* Of a pair's means: what follows the lists matters; of deep lists the bounds are the value. */
static bool has_bounds(const mean_row *of_pair)
{
    return of_pair[2].value - of_pair[1].value >= 5e-5;
}

/* The tables, the sentence, the notes; sorts the rows, the least alike of each pair first. */

enum { NAMED = 5 }; /* topics of the only pair */

static const iv_message messages[] = {
    { "overlap.tied-documents", IV_NOTE, NULL,
      "On {n} topic[|s] both runs are the same except for documents with equal scores, so RBO is "
      "below 1 there." },
    { "overlap.excluded", IV_WARNING, NULL,
      "A topic that one run of a pair lacks is excluded for this pair ({n} case[|s])." },
    { NULL } };

/* When people see a column. */
enum { MANY = 1, BOUNDS = 2, UNEVEN = 4 };

const iv_field iv_overlap_topic_fields[] = {
    { "a", IV_AT(topic_row, a), .shown = MANY, .about = "a run" },
    { "b", IV_AT(topic_row, b), .shown = MANY, .about = "another run" },
    { "topic", IV_AT(topic_row, topic), .about = "id of the topic" },
    { "rbo", IV_AT(topic_row, x.rbo.value), .digits = 4,
      .about = "rank-biased overlap, extrapolated" },
    { "rbo_min", IV_AT(topic_row, x.rbo.lower), .digits = 4, .shown = BOUNDS,
      .about = "rbo if nothing below the ends of the lists agrees" },
    { "rbo_max", IV_AT(topic_row, x.rbo.upper), .digits = 4, .shown = BOUNDS,
      .about = "rbo if everything below the ends of the lists agrees" },
    { "overlap", IV_AT(topic_row, x.overlap), .digits = 4,
      .about = "proportion of the top documents that both have" },
    { "jaccard", IV_AT(topic_row, x.jaccard), .digits = 4,
      .about = "common top documents divided by all top documents" },
    { "tau", IV_AT(topic_row, x.tau), .digits = 4, .about = "Kendall's tau-b on the union" },
    { "tau_ap", IV_AT(topic_row, x.tau_ap), .digits = 4, .about = "AP correlation on the union" },
    { "only_a", IV_AT(topic_row, x.only_a), .heading = "only in top of a",
      .about = "top documents of a only" },
    { "only_b", IV_AT(topic_row, x.only_b), .heading = "only in top of b",
      .about = "top documents of b only" },
    { "reordered", IV_AT(topic_row, x.moved), .heading = "moved or in one only",
      .about = "documents at another rank, or in the top of one run only" },
    { NULL } };

const iv_field iv_overlap_mean_fields[] = {
    { "a", IV_AT(mean_row, a), .shown = MANY, .about = "a run" },
    { "b", IV_AT(mean_row, b), .shown = MANY, .about = "another run" },
    { "measure", IV_AT(mean_row, measure), .about = "measure of similarity" },
    { "topics", IV_AT(mean_row, topics), .shown = UNEVEN, .about = "topics that both have" },
    { "mean", IV_AT(mean_row, value), .digits = 4, .about = "mean over topics" },
    { "se", IV_AT(mean_row, se), .digits = 4, .audience = IV_IF_ANY,
      .about = "standard error" },
    IV_LIMITS_FOR(mean_row, , 4, IV_IF_ANY),
    { NULL } };

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
static void tell_warnings(iv_result *out, const overlaps *w)
{
    iv_eval_warnings which = { 0 };

    for (size_t k = 0; k < w->pair_count * MEASURES; k++) {
        const mean_row *m = &w->means[k];
        if (m->quiet)
            continue;
        iv_eval_warning_of(&which, &(iv_mean_interval){
            .method = m->method, .n = m->topics,
            .lower = m->lower }, 0);
    }
    iv_eval_tell_warnings(out, &which, "topics", "");
}

/* The only pair: how alike it is, and how many documents could tell it apart. */
static void answer_pair(iv_result *out, const overlaps *w, double confidence)
{
    const mean_row *m = w->means;
    const size_t topics = m->topics;
    iv_wording t = { .len = 0 };
    const bool same = w->same == w->row_count && topics > 1;
    size_t only = 0, documents = 0;

    for (size_t i = 0; i < w->row_count; i++) {
        only += w->rows[i].x.only_a + w->rows[i].x.only_b;
        documents += w->rows[i].x.both;
    }
    if (same)
        iv_say(&t, "%s and %s have the same documents in the same order on all %zu topics: a "
               "rank-biased overlap of %.4f", m->a, m->b, topics, m->value);
    else
        iv_say(&t, "%s and %s have a rank-biased overlap of %.3f over %zu topic%s", m->a,
               m->b, m->value, topics, iv_plural(topics));
    if (!isnan(m->lower))
        iv_say(&t, " (%.10g %% interval %.3f to %.3f)", 100.0 * confidence, m->lower,
               m->upper);
    if (!same)
        iv_say(&t, ". Of %zu documents in either top %zu, %zu %s in only one of the two",
               documents + only, w->top, only, only == 1 ? "is" : "are");
    iv_result_answer(out, "%s.", t.at);
}

static void tell_answer(iv_result *out, const overlaps *w, double confidence)
{
    size_t most = 0, least = 0;

    if (w->pair_count == 1) {
        answer_pair(out, w, confidence);
        return;
    }
    for (size_t k = 1; k < w->pair_count; k++) {
        if (w->means[k * MEASURES].value > w->means[most * MEASURES].value)
            most = k;
        if (w->means[k * MEASURES].value < w->means[least * MEASURES].value)
            least = k;
    }
    const mean_row *m = &w->means[most * MEASURES], *l = &w->means[least * MEASURES];
    iv_result_answer(out, "Of %zu runs, %s and %s are the most similar (rank-biased overlap "
                     "%.3f); %s and %s are the least similar (%.3f).", w->runs.count, m->a,
                     m->b, m->value, l->a, l->b, l->value);
}

/* How to read RBO, by what ties are taken for. */
static void tell_rbo(iv_result *out, const overlaps *w)
{
    static const char *const ties[] = { "the average over their orders",
                                        "the average over what a list shares with itself",
                                        "equal ranks" };
    const bool average = w->q->how.ties == IV_RBO_AVERAGE;

    iv_result_legend(out, "RBO: rank-biased overlap, persistence %g, extrapolated beyond the "
                     "ends of the lists%s; tied documents: %s",
                     w->q->how.persistence == 0.0 ? 0.9 : w->q->how.persistence,
                     (w->with & BOUNDS) == 0 ? "" : average
                         ? "; RBO_min and RBO_max: its limits, whatever follows"
                         : "; RBO_min and RBO_max: if nothing and if all that follows agrees, "
                           "which are limits only where ties are averaged",
                     ties[w->q->how.ties]);
}

/* Equal lists that are not alike, since their ties are in no order. */
static void tell_tied(iv_result *out, const overlaps *w)
{
    const double almost = 1.0 - 1e-12;
    size_t tied = 0;

    for (size_t i = 0; i < w->row_count; i++)
        tied += w->rows[i].x.tau >= almost && w->rows[i].x.rbo.upper < almost;
    if (w->q->how.ties == IV_RBO_AVERAGE)
        iv_result_say(out, messages, "overlap.tied-documents", (iv_found){ tied });
}

static void name_methods(iv_result *out, const overlaps *w)
{
    iv_result_used(out, "rbo");
    iv_result_used(out, "tau-ap");
    for (size_t k = 0; k < w->pair_count * MEASURES; k++)
        if (!isnan(w->means[k].lower))
            iv_eval_use_interval(out, w->means[k].method, "topics", "");
}

static void tell(iv_result *out, const overlaps *w, double confidence)
{
    tell_answer(out, w, confidence);
    tell_warnings(out, w);
    iv_result_say(out, messages, "overlap.excluded", (iv_found){ w->left_out });
    tell_rbo(out, w);
    tell_tied(out, w);
    iv_result_legend(out, "tau and tau_AP: over the documents of both runs; documents that a run "
                     "lacks are tied after its last one");
    iv_result_about(out, w->pair_count > FEW ? "topics" : "pairs topics");
    if (w->row_count > w->pair_count) {
        iv_result_legend(out, "intervals of tau and tau_AP: those of (tau + 1) / 2");
        iv_result_about(out, "pairs");
    }
    name_methods(out, w);
}

/* Which columns and rows people see. */
static void choose(overlaps *w)
{
    const size_t shown = w->pair_count == 1 ? NAMED : 1;

    w->with = w->pair_count > 1 ? MANY : 0;
    for (size_t k = 0; k < w->pair_count * MEASURES; k++)
        w->with |= w->means[k].topics != w->means->topics && !w->means[k].quiet
            ? UNEVEN : 0;
    for (size_t k = 0; k < w->pair_count; k++)
        w->with |= has_bounds(&w->means[k * MEASURES]) ? BOUNDS : 0;
    qsort(w->rows, w->row_count, sizeof *w->rows, by_likeness);
    for (size_t i = 0; i < w->row_count; i++) {
        /* The same documents in the same order, also where the weight of RBO is gone. */
        const iv_overlapping *x = &w->rows[i].x;
        const bool same = x->rbo.value >= 1.0 - 1e-12 && !(x->tau < 1.0 - 1e-12);
        w->same += same;
        w->rows[i].quiet = same || i >= w->first[w->rows[i].pair] + shown;
    }
}

/* Which of the topics people see; formats for programs have all. */
static void tell_listed(iv_result *out, const overlaps *w)
{
    const size_t differ = w->row_count - w->same;
    char text[96] = "Table 'topics' has the least similar topic of each pair.";

    if (w->pair_count == 1 && w->same == 0 && differ <= NAMED)
        return;
    if (w->pair_count == 1)
        (void)snprintf(text, sizeof text, "Table 'topics' shows %zu of %zu topics, those that "
                       "differ most.", differ < NAMED ? differ : NAMED, w->row_count);
    iv_result_add_note(out, &(iv_note){ .text = text, .people = true, .tables = "topics" });
}

static void put_tables(iv_result *out, const overlaps *w)
{
    const bool few = w->pair_count <= FEW;

    IV_TABLE(out, "pairs", iv_overlap_mean_fields, w->means, w->pair_count * MEASURES,
             .with = w->with, .quiet = IV_QUIET(mean_row, quiet),
             .drawn = { "mean", "lower", "upper" });
    iv_table *topics = IV_TABLE(out, "topics", iv_overlap_topic_fields, w->rows, w->row_count,
                                .with = w->with, .quiet = IV_QUIET(topic_row, quiet));
    if (!few || w->same == w->row_count)
        iv_table_named(topics);
    if (!few) {
        iv_result_key(out, "pairs: the rank-biased overlap alone; formats for programs have the "
                      "other measures of each pair");
        iv_result_about(out, "pairs");
    }
}

static void report(iv_result *out, overlaps *w, double confidence)
{
    char caption[400];

    choose(w);
    put_tables(out, w);
    (void)snprintf(caption, sizeof caption, "A point is the mean over topics. The line is its %g "
                   "%% interval. 1 means equal rankings; RBO gives most weight to the first ranks.",
                   100.0 * confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "How similar the runs are",
        .caption = caption, .label = "a", .against = "b", .page = "measure", .value = "mean",
        .lower = "lower", .upper = "upper" });
    if (w->pair_count > 1)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_MATRIX, .table = "pairs", .title = "All pairs",
            .caption = "A cell is a pair of runs. Its colour shows their mean similarity.",
            .label = "a", .against = "b", .page = "measure", .value = "mean" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "topics", .title = "Topics",
        .caption = "A point is a pair of runs on a topic: the proportion of the first documents "
                   "that both have (across) and the rank-biased overlap (up). The line shows its "
                   "bounds, since the lists end.",
        .x = "overlap", .value = "rbo", .lower = "rbo_min", .upper = "rbo_max", .label = "topic" });
    iv_result_method(out, "Rank-biased overlap of Webber, Moffat and Zobel (2010), ties as in "
                     "Corsi and Urbano (2024).");
    iv_result_assumption(out, "Topics are a sample of those the runs are meant for.");
    tell(out, w, confidence);
    tell_listed(out, w);
}

enum { CORRELATIONS = 5 }; /* they come last */

/* ------------------------------------------------------------- computing -- */

/* The topics that both runs of a pair have. */
static int list_pair(overlaps *w, size_t pair, size_t first, size_t second, iv_err *err)
{
    const iv_run *a = w->runs.runs[first], *b = w->runs.runs[second];
    const char *name_a = w->runs.names[first], *name_b = w->runs.names[second];

    w->first[pair] = w->row_count;
    for (size_t t = 0; t < iv_run_topics(a); t++) {
        const size_t other = iv_run_find_topic(b, iv_run_topic(a, t));
        if (other != IV_NONE)
            w->rows[w->row_count++] = (topic_row){ name_a, name_b, iv_run_topic(a, t), a, b, pair,
                                                   t, other, { .tau = NAN }, false };
    }
    const size_t shared = w->row_count - w->first[pair];
    if (shared == 0)
        return iv_fail(err, IV_ENODATA, "%s and %s have no topic in common", name_a, name_b);
    w->left_out += iv_run_topics(a) + iv_run_topics(b) - 2 * shared;
    return IV_OK;
}

static int one_topic(void *user, void *memory, size_t i, iv_err *err)
{
    overlaps *w = user;
    topic_row *r = &w->rows[i];

    (void)memory;
    return iv_run_overlap(&r->x, r->run_a, r->at_a, r->run_b, r->at_b, &w->q->how,
                          &w->nested.inner, err);
}

/* Within [0, 1], where the interval is made; correlations from -1 to 1 are halved.  Sums of powers
 * of p that are equal but for the last digits are made equal, so that a 1 is one. */
static double on_unit(double value, size_t m)
{
    const double x = m < CORRELATIONS ? value : 0.5 * (value + 1.0);

    return fmin(fmax(nearbyint(x * 1e12) / 1e12, 0.0), 1.0);
}

static double from_unit(double x, size_t m) { return m < CORRELATIONS ? x : 2.0 * x - 1.0; }

static int one_mean(mean_row *out, const topic_row *rows, size_t count, size_t m,
                    double *values, const overlaps *w, const iv_work *work, iv_err *err)
{
    static const iv_interval_method method = IV_INTERVAL_AUTO;
    const double *const sample = values;
    iv_mean_interval i;
    size_t n = 0;

    for (size_t t = 0; t < count; t++) {
        const iv_overlapping *x = &rows[t].x;
        const double all[MEASURES] = { x->rbo.value, x->rbo.lower, x->rbo.upper, x->overlap,
                                       x->jaccard, x->tau, x->tau_ap };
        if (!isnan(all[m]))
            values[n++] = on_unit(all[m], m);
    }
    *out = (mean_row){ .a = rows->a, .b = rows->b, .measure = w->measures[m], .topics = n,
                       .value = NAN, .se = NAN, .lower = NAN, .upper = NAN,
                       .method = IV_INTERVAL_NONE };
    if (n == 0)
        return IV_OK;
    IV_TRY(iv_mean_intervals(&i, &sample, &method, 1, n, &w->q->resampling, work, err));
    out->value = from_unit(i.mean, m);
    out->se = m < CORRELATIONS ? i.se : 2.0 * i.se;
    out->lower = from_unit(i.lower, m);
    out->upper = from_unit(i.upper, m);
    out->method = i.method;
    return IV_OK;
}

/* Room for the values of the most topics that a pair has. */
static void *values_room(iv_arena *own, void *user)
{
    return iv_take(own, ((overlaps *)user)->row_count, sizeof(double));
}

static int one_pair(void *user, void *memory, size_t k, iv_err *err)
{
    overlaps *w = user;
    const topic_row *rows = &w->rows[w->first[k]];
    const size_t count = w->first[k + 1] - w->first[k];

    for (size_t m = 0; m < MEASURES; m++)
        IV_TRY(one_mean(&w->means[k * MEASURES + m], rows, count, m, memory, w, &w->nested.inner,
                        err));
    mean_row *means = &w->means[k * MEASURES];
    for (size_t m = 1; m < MEASURES; m++)
        means[m].quiet = w->pair_count > FEW || (m < 3 && !has_bounds(means));
    return IV_OK;
}

static int compute(overlaps *w, const iv_work *work, iv_err *err)
{
    const iv_loop topics = { w->row_count, one_topic, w, NULL };
    const iv_loop pairs = { w->pair_count, one_pair, w, values_room };
    iv_stage stage;

    iv_nested_work_start(&w->nested, iv_work_part(&stage, work, 0.3, 0.8));
    IV_TRY(iv_parallel(&topics, &w->nested.outer, err));
    iv_nested_work_start(&w->nested, iv_work_part(&stage, work, 0.8, 1.0));
    return iv_parallel(&pairs, &w->nested.outer, err);
}

/* Room for all, and the topics of each pair. */
static int list_topics(overlaps *w, iv_err *err)
{
    static const char *const names[MEASURES] = { "RBO", "RBO_min", "RBO_max", "overlap@",
                                                 "Jaccard@", "tau", "tau_AP" };
    const size_t runs = w->runs.count, pairs = w->pair_count = iv_pair_count(runs);
    size_t most = 0;

    for (size_t m = 0; m < MEASURES; m++)
        (void)snprintf(w->measures[m], sizeof w->measures[m], m == 3 || m == 4 ? "%s%zu" : "%s",
                       names[m], w->top);
    for (size_t r = 0; r < runs; r++)
        most += iv_run_topics(w->runs.runs[r]) * (runs - 1 - r);
    w->first = iv_take(w->own, pairs + 1, sizeof *w->first);
    w->means = iv_take(w->own, pairs * MEASURES, sizeof *w->means);
    w->rows = iv_take(w->own, most, sizeof *w->rows);
    IV_TRY(iv_taken(w->own, err));
    for (size_t a = 0, k = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++)
            IV_TRY(list_pair(w, k++, a, b, err));
    w->first[pairs] = w->row_count;
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_overlap_question *q = asked;
    const size_t count = q->from.ranked != NULL ? q->from.ranked_count : q->from.runs.count;
    overlaps w = { .q = q, .own = iv_result_own(out), .top = q->how.top == 0 ? 10 : q->how.top };
    iv_stage stage;

    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run%s given, expected at least two", count,
                       iv_plural(count));
    IV_TRY(iv_run_input_read(&w.runs, out, &q->from, iv_work_part(&stage, work, 0.0, 0.3), err));
    IV_TRY(list_topics(&w, err));
    IV_TRY(compute(&w, work, err));
    report(out, &w, iv_resampling_of(&q->resampling).confidence);
    return IV_OK;
}

int iv_answer_overlap(iv_result *out, const iv_overlap_question *q, const iv_work *work,
                      iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_overlap_question, from.),
        IV_CHOICE_OF(iv_overlap_question, how.ties, iv_rbo_ties_names, "what to do with ties"),
        IV_PART_OF(iv_overlap_question, resampling.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "rbo tau-ap"), work, err);
}
