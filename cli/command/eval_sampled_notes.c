/* SPDX-License-Identifier: Apache-2.0 */
/* What eval says of sampled judgments beside its numbers. */
#include <math.h>
#include <string.h>

#include "command/eval_sampled.h"

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void tell_design(const sampled *s)
{
    const iv_sampling_notes *n = iv_sampling_noted(s->sampling);
    iv_result *result = s->e->result;
    const iv_judgments *j = iv_sampling_judgments(s->sampling);
    size_t certain = 0;

    for (size_t t = 0; t < iv_judgments_topics(j); t++)
        certain += iv_sampling_topic_at(s->sampling, t).certain;
    if (certain == iv_judgments_topics(j))
        iv_result_note(result, "every document was judged for certain: the values are those "
                       "of complete judgments");
    else if (iv_sampling_source_of(s->sampling) == IV_SAMPLING_WRITTEN)
        iv_result_note(result, "judgments sampled by design '%s'; the variance allows for it",
                       n->design);
    else if (iv_sampling_source_of(s->sampling) == IV_SAMPLING_STRATA)
        iv_result_note(result, "probabilities are those of a simple random sample in each "
                       "stratum");
    else
        iv_result_note(result, "the file has probabilities and no buckets: the variance takes "
                       "the documents to be drawn independently of each other");
    if (certain > 0 && certain < iv_judgments_topics(j))
        iv_result_note(result, "%zu topic%s judged for certain throughout and ha%s standard "
                       "error 0", certain, certain == 1 ? " was" : "s were",
                       certain == 1 ? "s" : "ve");
    iv_result_note(result, "documents outside the frame that was sampled count as not "
                   "relevant");
}

static void tell_method(const sampled *s)
{
    static const char *const estimators[] = {
        [IV_ESTIMATOR_CORRECTED] = "corrected statAP",
        [IV_ESTIMATOR_PAIRWISE] = "statAP with the probabilities of pairs",
        [IV_ESTIMATOR_LITERAL] = "statAP as published" };
    const eval_args *a = s->e->args;
    const iv_interval_method ci = a->ci < 0 ? IV_INTERVAL_LOGIT : (iv_interval_method)a->ci;
    char drawn[64] = "";

    if (ci != IV_INTERVAL_T)
        (void)snprintf(drawn, sizeof drawn, ", %lld resamples", (long long)a->resamples);
    if (a->no_summary || ci == IV_INTERVAL_NONE)
        iv_result_note(s->e->result, "Method: estimates from inclusion probabilities, '%s' (AP: "
                       "%s)", iv_estimator_names()[s->estimator], estimators[s->estimator]);
    else
        iv_result_note(s->e->result, "Method: estimates from inclusion probabilities, '%s' (AP: "
                       "%s); intervals of means: %s over topics%s; they hold the noise of "
                       "judgments and of topics", iv_estimator_names()[s->estimator],
                       estimators[s->estimator], eval_method_text(ci), drawn);
}

/* Both parts of a variance are estimates, and one may exceed their sum. */
void sampled_tell_excess(iv_result *result, size_t count, const char *what)
{
    if (count > 0)
        iv_result_note(result, "se_judgments exceeds se for %zu %s%s: both are estimates with "
                       "noise of their own; se_topics, what is left, is cut at 0 there", count,
                       what, plural(count));
}

void sampled_tell_irregular(iv_result *result, const iv_sampling *s, int unjudged,
                            iv_estimator estimator)
{
    const iv_sampling_notes *n = iv_sampling_noted(s);

    if (n->unjudged > 0)
        iv_result_note(result, "%zu document%s of the sample %s not judged and %s", n->unjudged,
                       plural(n->unjudged), n->unjudged == 1 ? "was" : "were",
                       unjudged == IV_UNJUDGED_DROP
                       ? "dropped: the probabilities of their buckets are lower by as much"
                       : "counted as not relevant");
    if (n->added > 0)
        iv_result_note(result, "%zu judgment%s with probability 1 beyond the design: right if "
                       "they were chosen without regard to what was drawn and to relevance",
                       n->added, plural(n->added));
    if (n->missing_topics > 0)
        iv_result_note(result, "%zu topic%s of the design %s no judgment and %s left out",
                       n->missing_topics, plural(n->missing_topics),
                       n->missing_topics == 1 ? "has" : "have",
                       n->missing_topics == 1 ? "is" : "are");
    if (n->empty_strata > 0)
        iv_result_note(result, "%zu strat%s without a judged document: what is relevant there "
                       "cannot be estimated", n->empty_strata,
                       n->empty_strata == 1 ? "um is" : "a are");
    if (estimator == IV_ESTIMATOR_LITERAL)
        iv_result_note(result, "the literal estimator is biased upwards and its variance too "
                       "small: see doc/methods/sampling.md");
}

/* Topics without an interval, by reason, over runs and measures. */
static void tell_gaps(const sampled *s)
{
    size_t cells = 0, lacking[IV_SAMPLED_INFERRED + 1] = { 0 };

    for (size_t r = 0; r < s->e->count; r++)
        for (size_t t = 0; t < iv_sampled_topics(s->runs[r]); t++)
            for (size_t i = 0; i < s->width; i++) {
                cells++;
                lacking[iv_sampled_row(s->runs[r], t)[i].gap]++;
            }
    for (iv_sampled_gap g = IV_SAMPLED_NO_RELEVANT; g <= IV_SAMPLED_NO_SPREAD; g++)
        if (lacking[g] > 0)
            iv_result_note(s->e->result, "no interval for %zu of %zu values of a topic: %s%s",
                           lacking[g], cells, iv_sampled_gap_text(g),
                           g == IV_SAMPLED_NO_RELEVANT ? " (the value is 0)" : "");
}

static void tell_means(const sampled *s)
{
    size_t replaced = 0, without = 0, excess = 0;

    for (size_t k = 0; k < s->e->count * s->width; k++) {
        const iv_sampled_mean *m = &s->means[k];
        replaced += m->method == IV_INTERVAL_T
            && (s->e->args->ci < 0 || s->e->args->ci == IV_INTERVAL_LOGIT);
        excess += m->se_judgments > m->se && m->se_topics == 0.0;
        without = m->without > without ? m->without : without;
    }
    if (replaced > 0)
        iv_result_note(s->e->result, "logit needs values in [0, 1]; t is used for %zu mean%s "
                       "with estimates outside it", replaced, plural(replaced));
    if (without > 0)
        iv_result_note(s->e->result, "se_judgments leaves out up to %zu topic%s in which the "
                       "sample shows no spread, and is empty where none shows any", without,
                       plural(without));
    if (!s->e->args->no_summary)
        sampled_tell_excess(s->e->result, excess, "mean");
}

static void tell_topics(const sampled *s)
{
    enum { NAMED = 5 };
    size_t told = 0, more = 0;

    for (size_t r = 0; r < s->e->count; r++) {
        const iv_sampled *x = s->runs[r];
        char quoted[IV_QUOTE_SIZE];
        if (iv_sampled_not_judged(x) > 0 && told < NAMED)
            iv_result_note(s->e->result, "%s has %zu topic%s without judgments, left out",
                           s->e->names[r], iv_sampled_not_judged(x),
                           plural(iv_sampled_not_judged(x)));
        if (iv_sampled_missing(x) == 0)
            continue;
        if (told++ >= NAMED) {
            more++;
            continue;
        }
        iv_result_note(s->e->result, "%s misses %zu judged topic%s, %s: %s%s", s->e->names[r],
                       iv_sampled_missing(x), plural(iv_sampled_missing(x)),
                       s->e->args->complete ? "which count as empty"
                                            : "which are left out (-c counts them)",
                       iv_quote(quoted, iv_sampled_missing_topic(x, 0)),
                       iv_sampled_missing(x) > 1 ? " and others" : "");
    }
    if (more > 0)
        iv_result_note(s->e->result, "%zu more run%s miss judged topics: see the column "
                       "'missing'", more, plural(more));
}

void sampled_notes(const sampled *s)
{
    eval_tell_files(s->e->result, s->e->paths, s->runs, eval_odd_sampled, s->e->count);
    tell_topics(s);
    sampled_tell_irregular(s->e->result, s->sampling, s->e->args->unjudged, s->estimator);
    if (strcmp(s->e->shared->format, "trec") == 0)
        return;
    tell_method(s);
    tell_design(s);
    tell_gaps(s);
    tell_means(s);
}
