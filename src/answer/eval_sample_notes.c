/* SPDX-License-Identifier: Apache-2.0 */
/* What eval says of judgments that are a sample: the sentence, the notes, the method. */
#include "design/samples.h"
#include "answer/eval_parts.h"

#include <math.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/judging_messages.h"
#include "base/listing.h"
#include "estimate/estimate_private.h"
#include "trec/trec_private.h"

/* Below this the measured coverage of intervals of AP was under 0.90 (doc/methods/sampling.md). */
enum { FEW_RELEVANT = 5 };

/* "its first 10 documents", as far as a measure looks. */
static const char *say_depth(char out[64], const iv_eval *e, size_t measure)
{
    const iv_value_info *info = e->v->measures[measure].info;
    const size_t depth = iv_sampling_noted(e->v->sampling)->depth;
    const size_t cutoff = info != NULL && info->cutoff > 0 ? info->cutoff : depth;

    (void)snprintf(out, 64, "first %zu documents", cutoff);
    return out;
}

void iv_eval_sampled_sentence(const iv_eval *e)
{
    const size_t best = e->order[0], i = iv_eval_deciding(e, best);
    const size_t depth = iv_sampling_noted(e->v->sampling)->depth;
    char span[160] = "", frame[96] = "", what[64], runs[64] = "";

    if (i == IV_NONE || !e->v->measures[i].overall)
        return;
    const iv_mean *m = iv_eval_mean(e, best, i);
    if (m->gap == IV_GAP_OUTSIDE)
        (void)snprintf(span, sizeof span, "; no interval, since %.0f %% of its %s are outside the "
                       "sampled frame", 100.0 * m->outside, say_depth(what, e, i));
    else if (isfinite(m->lower))
        (void)snprintf(span, sizeof span, " (%.10g %% interval %.3f to %.3f)",
                       100.0 * e->v->resampling.confidence, m->lower, m->upper);
    if (depth > 0 && m->gap != IV_GAP_OUTSIDE)
        (void)snprintf(frame, sizeof frame, ", within the first %zu documents of the sampled runs",
                       depth);
    if (e->v->run_count > 1)
        (void)snprintf(runs, sizeof runs, ", the highest of %zu runs", e->v->run_count);
    iv_result_answer(e->out, "%.200s: estimated %s %.3f%s over %zu topic%s%s%s.",
                     e->v->runs[best].name, e->v->measures[i].name, m->value, span, m->topics,
                     iv_plural(m->topics), runs, frame);
}

/* Runs that the sample says nothing of. */
static void tell_outside(const iv_eval *e)
{
    iv_listing many = { .most = 3 };

    for (size_t r = 0; r < e->v->run_count; r++) {
        double most = 0.0;
        for (size_t i = 0; i < e->v->measure_count; i++)
            most = fmax(most, iv_eval_mean(e, r, i)->outside);
        if (most > IV_OUTSIDE_MOST)
            iv_list(&many, "%s (%.0f %%)", e->v->runs[r].name, 100.0 * most);
    }
    IV_SAY(e->out, "sampled.outside", many.count, .text = { many.count > 0 ? iv_listed(&many) : "" });
}

/* Relevant documents in the sample, of a topic that was sampled, on average. */
static double relevant_each(const iv_sampling *s)
{
    size_t relevant = 0, sampled = 0;

    for (size_t t = 0; t < iv_judgments_topics(iv_sampling_judgments(s)); t++) {
        const iv_sampling_topic x = iv_sampling_topic_at(s, t);
        sampled += !x.certain;
        for (size_t i = 0; i < x.count && !x.certain; i++)
            relevant += x.pi[i] > 0.0 && x.grade[i] > 0;
    }
    return sampled > 0 ? (double)relevant / (double)sampled : (double)INFINITY;
}

/* Does it divide by an estimated number of relevant documents? */
static bool is_ratio(const iv_evaluated_measure *m)
{
    return !m->count && (m->info == NULL || strcmp(m->info->measure->name, "P") != 0);
}

/* Where the measured coverage is low. */
static void tell_coverage(const iv_eval *e)
{
    size_t without = 0, shown = 0;

    for (size_t k = 0; k < e->v->run_count * e->v->measure_count; k++) {
        without += e->v->means[k].gap == IV_GAP_RATIO;
        shown += isfinite(e->v->means[k].lower)
            && is_ratio(&e->v->measures[k % e->v->measure_count]);
    }
    IV_SAY(e->out, "sampled.fixed-ratio", without, .text = { NULL });
    if (without == 0 && shown > 0 && relevant_each(e->v->sampling) < FEW_RELEVANT)
        IV_SAY(e->out, "sampled.few-relevant", FEW_RELEVANT, .text = { NULL });
}

/* Topics without an interval, by reason, over runs and measures. */
static void tell_gaps(const iv_eval *e)
{
    size_t cells = 0, without = 0;

    for (size_t r = 0; r < e->v->run_count && e->asked->topics; r++)
        for (size_t t = 0; t < e->v->topic_count; t++)
            for (size_t i = 0; i < e->v->measure_count; i++) {
                const iv_estimate x = iv_evaluation_value(e->evaluation, r, i, t);
                const bool there = !isnan(x.value);
                cells += there;
                without += there && x.gap != IV_SAMPLED_INTERVAL;
            }
    IV_SAY(e->out, "sampled.no-interval", without, .value = { (double)cells });
}

void iv_eval_sampled_method(const iv_eval *e)
{
    const iv_sampling_source from = iv_sampling_source_of(e->v->sampling);

    if (e->v->estimator == IV_ESTIMATOR_PUBLISHED)
        iv_result_used(e->out, "statap");
    else
        iv_result_used_with(e->out, "aslam-pavlu", "%s", from == IV_SAMPLING_INCLUSION
                            ? ", draws taken to be independent"
                            : from == IV_SAMPLING_STRATA ? ", simple random samples of strata" : "");
    for (size_t i = 0; i < e->v->run_count * e->v->measure_count; i++) {
        const iv_mean *m = &e->v->means[i];
        if (isfinite(m->lower) && m->method != IV_INTERVAL_NONE
            && e->asked->machine.infer == IV_INFER_NEW)
            iv_eval_use_interval(e->out, m->method, "topics");
    }
}

void iv_eval_sample_notes(const iv_eval *e)
{
    tell_outside(e);
    tell_coverage(e);
    tell_gaps(e);
}
