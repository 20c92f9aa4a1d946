/* SPDX-License-Identifier: Apache-2.0 */
/* What eval says of judgments that are a sample. */
#include "answer/eval_parts.h"

#include <math.h>

#include "base/listing.h"

static void tell_design(const iv_eval *e)
{
    const iv_sampling_notes *n = iv_sampling_noted(e->v->sampling);
    const iv_judgments *j = iv_sampling_judgments(e->v->sampling);
    size_t certain = 0;

    for (size_t t = 0; t < iv_judgments_topics(j); t++)
        certain += iv_sampling_topic_at(e->v->sampling, t).certain;
    if (certain == iv_judgments_topics(j))
        iv_result_note(e->out, "every document was judged for certain: the values are those "
                       "of complete judgments");
    else if (iv_sampling_source_of(e->v->sampling) == IV_SAMPLING_WRITTEN)
        iv_result_note(e->out, "judgments sampled by design '%s'; the variance allows for it",
                       n->design);
    else if (iv_sampling_source_of(e->v->sampling) == IV_SAMPLING_STRATA)
        iv_result_note(e->out, "probabilities are those of a simple random sample in each "
                       "stratum");
    else
        iv_result_note(e->out, "the file has probabilities and no buckets: the variance takes "
                       "the documents to be drawn independently of each other");
    if (certain > 0 && certain < iv_judgments_topics(j))
        iv_result_note(e->out, "%zu topic%s judged for certain throughout and ha%s standard "
                       "error 0", certain, certain == 1 ? " was" : "s were",
                       certain == 1 ? "s" : "ve");
    iv_result_note(e->out, "documents outside the frame that was sampled count as not "
                   "relevant");
}

/* Of the means that have an interval over topics: how many, and how many by another method. */
static size_t with_intervals(size_t *replaced, const iv_eval *e)
{
    size_t shown = 0;

    *replaced = 0;
    for (size_t k = 0; k < e->v->run_count * e->v->measure_count; k++) {
        const iv_mean *m = &e->v->means[k];
        const bool counts = isfinite(m->lower) && m->method != IV_INTERVAL_NONE;
        shown += counts;
        *replaced += counts && m->replaced;
    }
    return shown;
}

static void tell_method(const iv_eval *e)
{
    static const char *const estimators[] = {
        [IV_ESTIMATOR_CORRECTED] = "corrected statAP",
        [IV_ESTIMATOR_PAIRWISE] = "statAP with the probabilities of pairs",
        [IV_ESTIMATOR_LITERAL] = "statAP as published",
        [IV_ESTIMATOR_RECTIFIED] = "labels that ranks make likely, put right by the sample" };
    size_t replaced = 0;
    const size_t shown = with_intervals(&replaced, e);
    const iv_interval_method ci = shown > 0 && replaced == shown ? IV_INTERVAL_T
                                                                 : e->asked->how.interval;
    char drawn[64] = "";

    if (ci != IV_INTERVAL_T)
        (void)snprintf(drawn, sizeof drawn, ", %zu resamples%s", e->v->resampling.resamples,
                       replaced > 0 ? ", or t, as told below" : "");
    if (e->asked->machine.infer == IV_INFER_THESE) {
        iv_result_note(e->out, "Method: estimates from inclusion probabilities, '%s' (%s); "
                       "intervals of means: about these topics, if every document of the frame "
                       "were judged, %s with the noise of judgments",
                       iv_estimator_names()[e->v->estimator], estimators[e->v->estimator],
                       e->v->estimator == IV_ESTIMATOR_RECTIFIED ? "Student's t" : "normal");
        return;
    }
    if (e->asked->no_summary || ci == IV_INTERVAL_NONE || shown == 0)
        iv_result_note(e->out, "Method: estimates from inclusion probabilities, '%s' (AP: "
                       "%s)", iv_estimator_names()[e->v->estimator], estimators[e->v->estimator]);
    else
        iv_result_note(e->out, "Method: estimates from inclusion probabilities, '%s' (AP: "
                       "%s); intervals of means: %s over topics%s; they hold the noise of "
                       "judgments and of topics", iv_estimator_names()[e->v->estimator],
                       estimators[e->v->estimator], iv_eval_method_text(ci), drawn);
}

/* Topics without an interval, by reason, over runs and measures; and with a value beside it. */
static void tell_gaps(const iv_eval *e)
{
    size_t cells = 0, beside = 0, lacking[IV_SAMPLED_INFERRED + 1] = { 0 };

    for (size_t r = 0; r < e->v->run_count; r++)
        for (size_t t = 0; t < e->v->topic_count; t++)
            for (size_t i = 0; i < e->v->measure_count; i++) {
                const iv_estimate x = iv_evaluation_value(e->evaluation, r, i, t);
                if (isnan(x.value))
                    continue;
                cells++;
                lacking[x.gap]++;
                beside += x.value < x.lower || x.value > x.upper;
            }
    for (iv_sampled_gap g = IV_SAMPLED_NO_RELEVANT; g <= IV_SAMPLED_NO_SPREAD; g++)
        if (lacking[g] > 0)
            iv_result_note(e->out, "no interval for %zu of %zu values of a topic: %s%s",
                           lacking[g], cells, iv_sampled_gap_text(g),
                           g == IV_SAMPLED_NO_RELEVANT ? " (the value is 0)" : "");
    if (e->asked->topics && e->v->estimator == IV_ESTIMATOR_RECTIFIED)
        iv_result_note(e->out, "intervals of topics hold more often than they say: .96 to .99 of "
                       "95 %% ones in trials");
    if (beside > 0 && e->asked->topics)
        iv_result_note(e->out, "%zu of %zu values of a topic lie outside of what the measure can be, "
                       "and of their limits: an estimate that is right on average over samples may, "
                       "and means are of the values as they are", beside, cells);
}

static void tell_means(const iv_eval *e)
{
    size_t replaced = 0, without = 0, excess = 0;

    (void)with_intervals(&replaced, e);
    for (size_t k = 0; k < e->v->run_count * e->v->measure_count; k++) {
        const iv_mean *m = &e->v->means[k];
        excess += m->se_judgments > m->se && m->se_topics == 0.0;
        without = m->without > without ? m->without : without;
    }
    if (replaced > 0)
        iv_result_note(e->out, "logit needs values in [0, 1]; t is used for %zu mean%s "
                       "with estimates outside it", replaced, iv_plural(replaced));
    if (without > 0)
        iv_result_note(e->out, "se_judgments leaves out up to %zu topic%s in which the "
                       "sample shows no spread, and is empty where none shows any", without,
                       iv_plural(without));
    if (!e->asked->no_summary)
        iv_tell_excess(e->out, excess, "mean");
}

#define OFF_MUCH 0.05

static double off_by(const iv_mean *m)
{
    return m->too_low > 0.0 && m->value > 0.0 ? m->too_low / m->value : 0.0;
}

/* Values that divide by an estimated number: how far they may be off beyond their noise. */
static void tell_few(const iv_eval *e)
{
    const size_t width = e->v->measure_count;
    iv_listing many = { .most = 3 };
    double worst = 0.0;
    size_t which = 0;

    for (size_t k = 0; k < e->v->run_count * width; k++) {
        const double off = off_by(&e->v->means[k]);
        which = off > worst ? k : which;
        worst = fmax(off, worst);
    }
    if (!(worst > 0.0) || e->asked->no_summary)
        return;
    for (size_t r = 0; r < e->v->run_count; r++) {
        double most = 0.0;
        for (size_t i = 0; i < width; i++)
            most = fmax(most, off_by(&e->v->means[r * width + i]));
        if (most > OFF_MUCH)
            iv_list(&many, "%s", e->v->runs[r].name);
    }
    iv_result_note(e->out, "AP, R-precision, nDCG and recall divide by an estimated number of "
                   "relevant documents, which few judgments leave in doubt: values may be off "
                   "by up to %.*f %% (%s of %s)%s%s, and their intervals are wider by "
                   "what each may be", worst < 0.1 ? 1 : 0, 100.0 * worst,
                   e->v->measures[which % width].name, e->v->runs[which / width].name,
                   many.count > 1 ? ", by more than 5 % for " : "", many.count > 1 ? iv_listed(&many) : "");
}

void iv_eval_sample_notes(const iv_eval *e)
{
    tell_few(e);
    tell_method(e);
    tell_design(e);
    tell_gaps(e);
    tell_means(e);
}
