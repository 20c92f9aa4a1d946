/* SPDX-License-Identifier: Apache-2.0 */
/* What people and programs are told of runs that are alike. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/eval_parts.h"
#include "answer/overlap_parts.h"
#include "base/listing.h"
#include "base/message.h"
#include "base/result.h"
#include "base/base_private.h"

enum { NAMED = 5 }; /* topics of the only pair */

static const iv_message messages[] = {
    { "overlap.tied-documents", IV_NOTE, NULL, NULL,
      "On {n} topic both runs agree but for documents of equal score, so RBO is below 1 there.",
      "On {n} topics both runs agree but for documents of equal score, so RBO is below 1 there." },
    { "overlap.excluded", IV_WARNING, NULL, NULL, "{n} topic that one run lacks is excluded.",
      "{n} topics that one run lacks are excluded." },
    { NULL } };

/* When people see a column. */
enum { MANY = 1, BOUNDS = 2, UNEVEN = 4 };

const iv_field iv_overlap_topic_fields[] = {
    { "a", IV_AT(iv_overlap_topic, a), .shown = MANY, .about = "a run" },
    { "b", IV_AT(iv_overlap_topic, b), .shown = MANY, .about = "another" },
    { "topic", IV_AT(iv_overlap_topic, topic), .about = "its id" },
    { "rbo", IV_AT(iv_overlap_topic, x.rbo.value), .digits = 4,
      .about = "rank-biased overlap, extrapolated" },
    { "rbo_min", IV_AT(iv_overlap_topic, x.rbo.lower), .digits = 4, .shown = BOUNDS,
      .about = "if nothing behind the lists' ends agrees" },
    { "rbo_max", IV_AT(iv_overlap_topic, x.rbo.upper), .digits = 4, .shown = BOUNDS,
      .about = "if everything behind the lists' ends agrees" },
    { "overlap", IV_AT(iv_overlap_topic, x.overlap), .digits = 4,
      .about = "proportion of the first documents that both have" },
    { "jaccard", IV_AT(iv_overlap_topic, x.jaccard), .digits = 4,
      .about = "those of both over all of the first documents" },
    { "tau", IV_AT(iv_overlap_topic, x.tau), .digits = 4, .about = "Kendall's tau-b on the union" },
    { "tau_ap", IV_AT(iv_overlap_topic, x.tau_ap), .digits = 4, .about = "AP correlation on the union" },
    { "only_a", IV_AT(iv_overlap_topic, x.only_a), .about = "of the first documents only a has" },
    { "only_b", IV_AT(iv_overlap_topic, x.only_b), .about = "of the first documents only b has" },
    { "moved", IV_AT(iv_overlap_topic, x.moved), .about = "at another rank, or in one run only" },
    { NULL } };

const iv_field iv_overlap_mean_fields[] = {
    { "a", IV_AT(iv_overlap_mean, a), .shown = MANY, .about = "a run" },
    { "b", IV_AT(iv_overlap_mean, b), .shown = MANY, .about = "another" },
    { "measure", IV_AT(iv_overlap_mean, measure), .about = "how likeness is measured" },
    { "topics", IV_AT(iv_overlap_mean, topics), .shown = UNEVEN, .about = "that both have" },
    { "mean", IV_AT(iv_overlap_mean, mean), .digits = 4, .about = "over topics" },
    { "se", IV_AT(iv_overlap_mean, se), .digits = 4, .audience = IV_IF_ANY,
      .about = "its standard error" },
    { "lower", IV_AT(iv_overlap_mean, lower), .digits = 4, .audience = IV_IF_ANY,
      .about = "of the interval of the mean" },
    { "upper", IV_AT(iv_overlap_mean, upper), .digits = 4, .audience = IV_IF_ANY,
      .about = "of the interval of the mean" },
    { NULL } };

const iv_field iv_overlap_judge_fields[] = {
    { "a", IV_AT(iv_overlap_judge, a), .about = "a run" },
    { "b", IV_AT(iv_overlap_judge, b), .about = "another" },
    { "top", IV_AT(iv_overlap_judge, top), .about = "documents of a topic that count" },
    { "documents", IV_AT(iv_overlap_judge, documents), .about = "among the first of either, in all" },
    { "only_a", IV_AT(iv_overlap_judge, only_a), .about = "that only a has there" },
    { "only_b", IV_AT(iv_overlap_judge, only_b), .about = "that only b has there" },
    { "moved", IV_AT(iv_overlap_judge, moved),
      .about = "at different ranks: these decide measures that weigh ranks" },
    { "fewest", IV_AT(iv_overlap_judge, fewest),
      .about = "judgments without which no sign of a difference in precision is sure" },
    { NULL } };

static int by_likeness(const void *va, const void *vb)
{
    const iv_overlap_topic *a = va, *b = vb;

    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    if (a->x.rbo.value != b->x.rbo.value)
        return a->x.rbo.value < b->x.rbo.value ? -1 : 1;
    return iv_str_cmp(a->topic, b->topic);
}

/* Both have the same documents in the same order, also where the weight of RBO is gone. */
static bool is_same(const iv_overlapping *x)
{
    const double almost = 1.0 - 1e-12;

    return x->rbo.value >= almost && !(x->tau < almost);
}

/* What is known of the intervals: with few topics, with many equal ones. */
static void tell_doubts(iv_result *out, const iv_overlaps *w)
{
    iv_eval_doubts which = { 0 };

    for (size_t k = 0; k < w->pair_count * IV_OVERLAP_MEASURES; k++) {
        const iv_overlap_mean *m = &w->means[k];
        if (m->quiet)
            continue;
        iv_eval_doubt(&which, &(iv_doubted){ m->method, m->topics, m->lower, 0.0, 0, 0, 0.0 });
    }
    iv_eval_tell_doubts(out, &which, "topics");
}

/* The only pair: how alike it is, and how many documents could tell it apart. */
static void answer_pair(iv_result *out, const iv_overlaps *w, double confidence)
{
    const iv_overlap_mean *m = w->means;
    const iv_overlap_judge *j = w->judge;
    iv_wording t = { .len = 0 };

    const bool same = w->same == w->row_count && m->topics > 1;
    const size_t only = j->only_a + j->only_b;

    if (same)
        iv_say(&t, "%s and %s have the same documents in the same order on all %zu topics: a "
               "rank-biased overlap of %.4f", m->a, m->b, m->topics, m->mean);
    else
        iv_say(&t, "%s and %s have a rank-biased overlap of %.4f over %zu topic%s", m->a, m->b,
               m->mean, m->topics, iv_plural(m->topics));
    if (!isnan(m->lower))
        iv_say(&t, ", %.10g %% interval %.4f to %.4f", 100.0 * confidence, m->lower, m->upper);
    if (!same)
        iv_say(&t, "; of the %zu documents among the first %zu of either, %zu %s there in one "
               "run only", j->documents, w->top, only, only == 1 ? "is" : "are");
    iv_result_answer(out, "%s.", t.at);
}

static void tell_answer(iv_result *out, const iv_overlaps *w, double confidence)
{
    size_t most = 0, least = 0;

    if (w->pair_count == 1) {
        answer_pair(out, w, confidence);
        return;
    }
    for (size_t k = 1; k < w->pair_count; k++) {
        if (w->means[k * IV_OVERLAP_MEASURES].mean > w->means[most * IV_OVERLAP_MEASURES].mean)
            most = k;
        if (w->means[k * IV_OVERLAP_MEASURES].mean < w->means[least * IV_OVERLAP_MEASURES].mean)
            least = k;
    }
    const iv_overlap_mean *m = &w->means[most * IV_OVERLAP_MEASURES], *l = &w->means[least * IV_OVERLAP_MEASURES];
    iv_result_answer(out, "Of %zu runs %s and %s are the most alike, with a rank-biased "
                     "overlap of %.4f, %s and %s the least, with %.4f.", w->runs.count, m->a,
                     m->b, m->mean, l->a, l->b, l->mean);
}

/* How to read RBO, by what ties are taken for. */
static void tell_rbo(iv_result *out, const iv_overlaps *w)
{
    static const char *const ties[] = { "the average over their orders",
                                        "the average over what a list shares with itself",
                                        "equal ranks" };
    const bool average = w->q->how.ties == IV_RBO_AVERAGE;

    iv_result_legend(out, "RBO: rank-biased overlap, persistence %g, as if the lists went on as they "
                     "end%s; documents of one score: %s",
                     w->q->how.persistence == 0.0 ? 0.9 : w->q->how.persistence,
                     (w->with & BOUNDS) == 0 ? "" : average
                         ? "; RBO_min and RBO_max: the least and the most it can be, whatever follows"
                         : "; RBO_min and RBO_max: if nothing and if all that follows agrees, which "
                           "are limits only where ties are averaged",
                     ties[w->q->how.ties]);
}

/* Equal lists that are not alike, since their ties are in no order. */
static void tell_tied(iv_result *out, const iv_overlaps *w)
{
    const double almost = 1.0 - 1e-12;
    size_t tied = 0;

    for (size_t i = 0; i < w->row_count; i++)
        tied += w->rows[i].x.tau >= almost && w->rows[i].x.rbo.upper < almost;
    if (w->q->how.ties == IV_RBO_AVERAGE)
        iv_result_say(out, messages, "overlap.tied-documents", (iv_found){ tied });
}

static void tell(iv_result *out, const iv_overlaps *w, double confidence)
{
    tell_answer(out, w, confidence);
    tell_doubts(out, w);
    iv_result_say(out, messages, "overlap.excluded", (iv_found){ w->left_out });
    tell_rbo(out, w);
    tell_tied(out, w);
    iv_result_legend(out, "tau and tau_AP: over all documents of the two, those that one lacks "
                     "tied behind its last");
    iv_result_about(out, w->pair_count > IV_OVERLAP_FEW ? "topics" : "pairs topics");
    if (w->row_count > w->pair_count) {
        iv_result_legend(out, "intervals, over topics: Studentised logit bootstrap (of tau and tau_AP: "
                         "of (tau + 1) / 2), or Student's t on the logit scale where most topics have "
                         "0 or 1");
        iv_result_about(out, "pairs");
    }
    iv_result_legend(out, "judging: the difference in precision at %zu is known once all of only_a "
                     "and only_b are judged, that in measures that weigh ranks once all that moved "
                     "are; which run is ahead is never sure with fewer judged than fewest", w->top);
    iv_result_about(out, "judging");
}

/* Which columns and rows people see. */
static void choose(iv_overlaps *w)
{
    const size_t shown = w->pair_count == 1 ? NAMED : 1;

    w->with = w->pair_count > 1 ? MANY : 0;
    for (size_t k = 0; k < w->pair_count * IV_OVERLAP_MEASURES; k++)
        w->with |= w->means[k].topics != w->means->topics && !w->means[k].quiet ? UNEVEN : 0;
    for (size_t k = 0; k < w->pair_count; k++)
        w->with |= iv_overlap_has_bounds(&w->means[k * IV_OVERLAP_MEASURES]) ? BOUNDS : 0;
    qsort(w->rows, w->row_count, sizeof *w->rows, by_likeness);
    for (size_t i = 0; i < w->row_count; i++) {
        const bool same = is_same(&w->rows[i].x);
        w->same += same;
        w->rows[i].quiet = same || i >= w->first[w->rows[i].pair] + shown;
    }
}

/* Which of the topics people see. */
static void tell_listed(iv_result *out, const iv_overlaps *w)
{
    const size_t differ = w->row_count - w->same;

    if (w->pair_count > 1)
        iv_result_key(out, "topics: of each pair the one that differs most");
    else if (w->same > 0)
        iv_result_key(out, "topics: the %zu that differ most; %zu are the same in both",
                      differ < NAMED ? differ : NAMED, w->same);
    else if (differ > NAMED)
        iv_result_key(out, "topics: the %d that differ most", (int)NAMED);
    else
        return;
    iv_result_about(out, "topics");
}

static void put_tables(iv_result *out, const iv_overlaps *w)
{
    const bool few = w->pair_count <= IV_OVERLAP_FEW;

    (void)iv_result_rows(out, &(iv_rows){
        "pairs", iv_overlap_mean_fields, w->means, w->pair_count * IV_OVERLAP_MEASURES, sizeof *w->means,
        .with = w->with, .quiet = IV_QUIET(iv_overlap_mean, quiet),
        .drawn = { "mean", "lower", "upper", 0.0, 0.0 } });
    iv_table *judging = iv_result_rows(out, &(iv_rows){
        "judging", iv_overlap_judge_fields, w->judge, w->pair_count, sizeof *w->judge });
    iv_table *topics = iv_result_rows(out, &(iv_rows){
        "topics", iv_overlap_topic_fields, w->rows, w->row_count, sizeof *w->rows, .with = w->with,
        .quiet = IV_QUIET(iv_overlap_topic, quiet) });
    if (!few || w->same == w->row_count) {
        iv_table_named(judging);
        iv_table_named(topics);
    }
    if (!few) {
        iv_result_key(out, "pairs: the rank-biased overlap alone; formats for programs have the "
                      "other measures of each pair");
        iv_result_about(out, "pairs");
    }
    tell_listed(out, w);
}

void iv_overlap_tell(iv_result *out, iv_overlaps *w, double confidence)
{
    char caption[400];

    choose(w);
    put_tables(out, w);
    (void)snprintf(caption, sizeof caption, "A point is the mean over topics, the line its %g %% "
                   "interval. 1 is the same ranking; RBO weighs the first ranks most.",
                   100.0 * confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "How alike the runs are",
        .caption = caption, .label = "a", .against = "b", .page = "measure", .value = "mean",
        .lower = "lower", .upper = "upper" });
    if (w->pair_count > 1)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_MATRIX, .table = "pairs", .title = "All pairs",
            .caption = "A field is a pair of runs, its colour their mean likeness.",
            .label = "a", .against = "b", .page = "measure", .value = "mean" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "topics", .title = "Topics",
        .caption = "A point is a pair of runs on a topic: the proportion of the first documents "
                   "that both have, and the rank-biased overlap, with its bounds over what follows "
                   "the ends of the lists.", .x = "overlap", .value = "rbo", .lower = "rbo_min",
        .upper = "rbo_max", .label = "topic" });
    iv_result_method(out, "Rank-biased overlap of Webber, Moffat and Zobel (2010), ties as in "
                     "Corsi and Urbano (2024).");
    iv_result_assumption(out, "Topics are a sample of those the runs are meant for.");
    tell(out, w, confidence);
}
