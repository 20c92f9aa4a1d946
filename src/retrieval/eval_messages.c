/* SPDX-License-Identifier: Apache-2.0 */
/* What eval says beside its numbers: conditions first, then all words in two tables. */
#include "base/listing.h"
#include "result/cautions.h"
#include "result/methods.h"
#include "result/wording.h"
#include "retrieval/eval_messages.h"
#include "retrieval/evaluation.h"
#include "retrieval/run_notes.h"
#include "sampling/sampled_judgments.h"
#include "sampling/sampling_messages.h"
#include "stat/interval_methods.h"
#include "trec/judgments.h"

#include <math.h>
#include <string.h>

size_t iv_eval_deciding(const iv_eval *e, size_t run)
{
    size_t first = IV_NONE;

    for (size_t i = 0; i < e->v->measure_count; i++) {
        if (e->v->measures[i].text || !isfinite(iv_eval_mean(e, run, i)->value))
            continue;
        if (!e->v->measures[i].count && e->v->measures[i].overall)
            return i;
        first = first == IV_NONE ? i : first;
    }
    return first;
}

bool iv_eval_unmatched(const iv_eval *e, size_t run)
{
    const iv_run_notes *n = &e->v->runs[run].noted;

    return e->v->sampling == NULL && n->top_retrieved > 0 && n->top_unjudged == n->top_retrieved
        && n->unjudged == n->retrieved;
}


/* "its first 10 documents", as far as a measure looks. */
static const char *say_depth(char out[64], const iv_eval *e, size_t measure)
{
    const iv_value_info *info = e->v->measures[measure].info;
    const size_t depth = e->v->sampling->noted.depth;
    const size_t cutoff = info != NULL && info->cutoff > 0 ? info->cutoff : depth;

    (void)snprintf(out, 64, "first %zu documents", cutoff);
    return out;
}

void iv_eval_sampled_sentence(const iv_eval *e)
{
    const size_t best = e->order[0], i = iv_eval_deciding(e, best);
    const size_t depth = e->v->sampling->noted.depth;
    char span[96] = "", frame[160] = "", what[64], start[320];

    if (i == IV_NONE && iv_eval_mean(e, best, 0)->unseen > 0)
        iv_result_answer(e->out, "No estimate of %.60s: %zu of %zu topics have no relevant "
                         "document in the sample.", e->v->measures[0].name,
                         iv_eval_mean(e, best, 0)->unseen, iv_eval_mean(e, best, 0)->topics);
    if (i == IV_NONE || !e->v->measures[i].overall)
        return;
    const iv_mean *m = iv_eval_mean(e, best, i);
    if (m->gap != IV_GAP_OUTSIDE)
        (void)iv_span(span, e->v->resampling.confidence, m->lower, m->upper);
    if (m->gap == IV_GAP_OUTSIDE)
        (void)snprintf(frame, sizeof frame, "; no interval, since %.0f %% of its %s are outside "
                       "the sampled frame", 100.0 * m->outside, say_depth(what, e, i));
    else if (depth > 0)
        (void)snprintf(frame, sizeof frame, ", counting only documents of the sampled frame (the "
                       "first %s of each run)", IV_COUNT(depth));
    if (e->v->run_count > 1)
        (void)snprintf(start, sizeof start, "Highest estimated %.60s of %zu runs: %.200s with",
                       e->v->measures[i].name, e->v->run_count, e->v->runs[best].name);
    else
        (void)snprintf(start, sizeof start, "%.200s: estimated %.60s", e->v->runs[best].name,
                       e->v->measures[i].name);
    iv_result_answer(e->out, "%s %.3f%s over %s topic%s%s.", start, m->value, span,
                     IV_COUNT(m->topics), iv_plural(m->topics), frame);
}

/* Runs that the sample says nothing of. */
static void tell_outside(const iv_eval *e)
{
    iv_listing many = { .most = 3 };

    for (size_t r = 0; r < e->v->run_count; r++) {
        double most = 0.0;
        for (size_t i = 0; i < e->v->measure_count; i++)
            most = fmax(most, iv_eval_mean(e, r, i)->outside);
        if (most > iv_caution_at(IV_OUTSIDE_FRAME))
            iv_list(&many, "%s (%.0f %%)", e->v->runs[r].name, 100.0 * most);
    }
    IV_SAY_SAMPLING(e->out, "sampled.outside", many.count,
           .text = { iv_listed(&many) });
}

/* Sampled topics with few relevant documents in the sample; {a}: of how many;
 * {c}: their mean number. */
static iv_found few_relevant(const iv_sampling *s)
{
    const double least = iv_caution_at(IV_FEW_SAMPLED_RELEVANT);
    size_t few = 0, sampled = 0, all = 0;

    for (size_t t = 0; t < iv_judgments_topics(s->judgments); t++) {
        const iv_sampling_topic x = iv_sampling_topic_at(s, t);
        size_t relevant = 0;
        for (size_t i = 0; i < x.count && !x.certain; i++)
            relevant += x.pi[i] > 0.0 && x.grade[i] > 0;
        sampled += !x.certain;
        all += relevant;
        few += !x.certain && (double)relevant < least;
    }
    return (iv_found){ few, { (double)sampled, least, (double)all / (double)sampled } };
}

/* Where the measured coverage is low. */
static void tell_coverage(const iv_eval *e)
{
    const iv_found few = few_relevant(e->v->sampling);
    size_t without = 0, shown = 0, limits = 0;

    for (size_t k = 0; k < e->v->run_count * e->v->measure_count; k++) {
        const iv_evaluated_measure *m = &e->v->measures[k % e->v->measure_count];
        without += e->v->means[k].gap == IV_GAP_RATIO;
        limits += isfinite(e->v->means[k].lower) != 0;
        /* It divides by an estimated number of relevant documents. */
        shown += isfinite(e->v->means[k].lower) && !m->count
            && (m->info == NULL || strcmp(m->info->measure->name, "P") != 0);
    }
    IV_SAY_SAMPLING(e->out, "sampled.fixed-ratio", without);
    if (e->asked->machine.infer == IV_INFER_THESE && limits > shown
        && few.value[2] < few.value[1])
        iv_result_say(e->out, iv_sampling_messages, "sampled.few-fixed", few);
    const iv_sampling_notes *n = &e->v->sampling->noted;
    if (shown > 0 && n->added + n->certain > 0)
        IV_SAY_SAMPLING(e->out, "sampled.added", 1);
    else if (!iv_tell_unseen(e->out, e->v) && without == 0 && shown > 0)
        iv_result_say(e->out, iv_sampling_messages, "sampled.few-relevant", few);
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
    IV_SAY_SAMPLING(e->out, "sampled.no-interval", without, .value = { (double)cells });
}

void iv_eval_sampled_method(const iv_eval *e)
{
    const iv_sampling_source from = e->v->sampling->source;

    if (e->v->estimator == IV_ESTIMATOR_PUBLISHED)
        iv_result_used(e->out, "statap");
    else
        iv_result_used_with(e->out, "aslam-pavlu", "%s", from == IV_SAMPLING_INCLUSION
                            ? ", draws taken to be independent"
                            : from == IV_SAMPLING_STRATA ? ", simple random samples of strata"
                            : "");
    if (e->asked->machine.infer == IV_INFER_NEW)
        (void)iv_eval_use_intervals(e);
}

/* -------------------------------------------------------- runs and topics -- */

static const iv_message of_runs[] = {
    { "eval.unmatched", IV_WARNING, NULL,
      "None of the documents of [|{n} runs (]{s}[| and others)] is judged: do the document ids "
      "match those of the judgments?" },
    { "eval.not-ranks", IV_ERROR, NULL,
      "[|{n} runs (]{s} [has|and others) have] three columns, read as topic, document and rank, "
      "but no topic has a rank 1. If the third column holds scores, write [a |]TREC run[|s] of "
      "six columns." },
    { "eval.missing", IV_WARNING, NULL,
      "[{s} returned nothing for {a} of {b} judged topics; its mean excludes them. Use -c to "
      "count them as 0.|{n} runs returned nothing for some judged topics (most: {s}, {a} of "
      "{b}); their means exclude them. Use -c to count them as 0.]" },
    { "eval.empty", IV_NOTE, NULL,
      "[{s} returned nothing for {a} of {b} judged topics, which count as 0.|{n} runs returned "
      "nothing for some judged topics (most: {s}, {a} of {b}), which count as 0.]" },
    { "eval.not-judged", IV_NOTE, NULL,
      "[{s} has|{n} runs have] topics without judgments ([|most: {s}, ]{a}), which are "
      "excluded." },
    { "eval.certain", IV_NOTE, NULL,
      "Every document was included with certainty, so the judgments are treated as complete." },
    { NULL } };

static void say_runs(const iv_eval *e)
{
    const iv_evaluated *v = e->v;
    const bool said = v->run_count == 1 && e->asked->trec == NULL; /* the answer says it of one */
    iv_found unmatched = { 0 }, ranks = { 0 }, unjudged = { 0 };
    iv_found missing = { .value = { 0.0, (double)v->judged_topics } };

    for (size_t r = 0; r < v->run_count; r++) {
        const iv_evaluated_run *run = &v->runs[r];
        iv_found_add(&unmatched, !said && iv_eval_unmatched(e, r), run->name);
        iv_found_add(&ranks, run->noted.odd.no_first_rank, run->name);
        iv_found_add(&missing, (double)run->missing_count, run->name);
        iv_found_add(&unjudged, (double)run->noted.not_judged, run->name);
    }
    iv_result_say(e->out, of_runs, "eval.unmatched", unmatched);
    iv_result_say(e->out, of_runs, "eval.not-ranks", ranks);
    iv_result_say(e->out, of_runs, v->complete ? "eval.empty" : "eval.missing", missing);
    iv_result_say(e->out, of_runs, "eval.not-judged", unjudged);
    IV_TELL(e->out, of_runs, "eval.certain", v->certain);
}

/* ---------------------------------------------------------- of the measures -- */

static const iv_message of_measures[] = {
    { "eval.standards", IV_NOTE, NULL,
      "Values are standard scores: distances from the mean of the reference runs on a topic, in "
      "their standard deviations." },
    { "eval.replaced", IV_NOTE, NULL,
      "logit is for means of values in [0, 1]; t is used for {s}." },
    { "eval.text", IV_NOTE, NULL, "Shown only in trec_eval's format, because it is not a number: "
                                  "{s}." },
    { "eval.no-bounds", IV_NOTE, NULL, "No bounds are known for {s}." },
    { "eval.no-ties", IV_NOTE, NULL, "The effect of ties is not known for {s}." },
    { "eval.why-no-bounds", IV_NOTE, NULL, "No bounds for {s}: {t}." },
    { "eval.no-interval", IV_WARNING, NULL, "No interval for {s}: {t}." },
    { "eval.few", IV_WARNING, NULL,
      "With only {a} {s}, percentile and BCa intervals are too narrow: with 5 topics, the "
      "coverage of 95 % intervals was about 83 %. Use --ci auto (93 %)." },
    { "eval.few-items", IV_WARNING, NULL,
      "With only {a} {s}, the coverage of 95 % intervals was 91 % to 99 % in simulations, "
      "depending on the values{t}." },
    { "eval.skewed", IV_WARNING, NULL,
      "Values are skewed (skewness {a}), so the t interval may be too narrow: it needs about {c} "
      "{s} (Cochran 1977), and there are {b}. Use --ci bootstrap-t." },
    { "eval.excluded-resamples", IV_WARNING, NULL,
      "Up to {a%} of the resamples of a measure have a mean of 0 or 1 and are excluded, because "
      "the logit of this mean is infinite. The coverage of such 95 % intervals may be only 86 %. "
      "Use --ci logit-t." },
    { "eval.two-values", IV_NOTE, NULL,
      "Every score is 0 or {a}: means are proportions times {a}, and so are their intervals." },
    { "eval.selected", IV_NOTE, NULL,
      "The highest of {n} means tends to be too high: if all were equal, its {a%} interval may "
      "cover in only {b%} of cases. Use compare." },
    { "eval.common", IV_WARNING, NULL,
      "The means are over different items. Over the {n} item[|s] that all systems have, {s} has "
      "{a} and {t} has {b}." },
    { "eval.none-common", IV_WARNING, NULL,
      "The means are over different items, and no item has scores of all systems: compare pairs "
      "of systems (intervale compare)." },
    { "eval.equal-resamples", IV_WARNING, NULL,
      "{a%} of the resamples have equal values, because there are few {s}: where too many have, "
      "the limits are Student's t." },
    { NULL } };

static void say_listed(const iv_eval *e, const char *id, iv_listing *names)
{
    if (names->count > 0)
        IV_TELL(e->out, of_measures, id, names->count, .text = { iv_listed(names) });
}

/* Measures for which something is so. */
static void say_measures(const iv_eval *e)
{
    const iv_evaluating *how = &e->asked->how;
    iv_listing replaced = { 0 }, text = { 0 }, bounds = { 0 }, ties = { 0 };

    for (size_t i = 0; i < e->v->measure_count; i++) {
        const iv_evaluated_measure *m = &e->v->measures[i];
        if (e->v->sampling == NULL && iv_eval_mean(e, 0, i)->replaced)
            iv_list(&replaced, "%.60s", m->name);
        if (m->text)
            iv_list(&text, "%.60s", m->name);
        if (how->bounds && !m->text && !m->has_bounds && m->why_no_bounds == NULL)
            iv_list(&bounds, "%.60s", m->name);
        if (how->ties && !m->text && !m->has_ties)
            iv_list(&ties, "%.60s", m->name);
    }
    say_listed(e, "eval.replaced", &replaced);
    say_listed(e, "eval.text", &text);
    say_listed(e, "eval.no-bounds", &bounds);
    say_listed(e, "eval.no-ties", &ties);
}

/* Measures that have no bounds for the same reason, with it. */
static void say_reasons(const iv_eval *e)
{
    for (size_t i = 0; i < e->v->measure_count && e->asked->how.bounds; i++) {
        const char *why = e->v->measures[i].why_no_bounds;
        iv_listing names = { 0 };
        bool said = false;
        for (size_t k = 0; k < e->v->measure_count && why != NULL; k++) {
            if (e->v->measures[k].why_no_bounds != why)
                continue;
            said = said || k < i;
            iv_list(&names, "%.60s", e->v->measures[k].name);
        }
        if (names.count > 0 && !said)
            IV_TELL(e->out, of_measures, "eval.why-no-bounds", 1,
                    .text = { iv_listed(&names), why });
    }
}

/* --------------------------------------------------------- of the intervals -- */

/* Less skewness than this is left by chance in 1 of 100 normal samples, or allowed by Cochran's
 * rule, n > 25 skewness^2 (Sampling Techniques, 1977, section 2.15). */
static bool is_skewed(double skewness, size_t n)
{
    const double N = (double)n;
    const double chance = sqrt(6.0 * N * (N - 1.0) / ((N - 2.0) * (N + 1.0) * (N + 3.0)));

    return iv_caution_at(IV_SKEWNESS_ITEMS) * skewness * skewness > N
        && fabs(skewness) > 2.58 * chance;
}

void iv_eval_warning_of(iv_eval_warnings *which, const iv_mean_interval *x, size_t resamples)
{
    const bool few = (double)x->n <= iv_caution_at(IV_FEW_MEAN_ITEMS);

    if (!isfinite(x->lower))
        return;
    if ((x->method == IV_INTERVAL_PERCENTILE || x->method == IV_INTERVAL_BCA) && few)
        which->few = which->few == 0 || x->n < which->few ? x->n : which->few;
    if (x->method == IV_INTERVAL_LOGIT && few)
        which->few_items = which->few_items == 0 || x->n < which->few_items
            ? x->n : which->few_items;
    if (x->method == IV_INTERVAL_T && is_skewed(x->skewness, x->n)
        && fabs(x->skewness) > which->skewed) {
        which->skewed = fabs(x->skewness);
        which->skewed_values = x->n;
    }
    const bool studentised = x->method == IV_INTERVAL_BOOTSTRAP_T || x->method == IV_INTERVAL_T;
    double *share = studentised ? &which->equal : &which->dropped;
    if ((double)x->dropped > iv_caution_at(IV_DROPPED_RESAMPLES) * (double)resamples)
        *share = fmax(*share, (double)x->dropped / (double)resamples);
}

void iv_eval_tell_warnings(iv_result *out, const iv_eval_warnings *x, const char *items,
                         const char *instead)
{
    IV_TELL(out, of_measures, "eval.few", x->few > 0, { (double)x->few }, { items });
    IV_TELL(out, of_measures, "eval.few-items", x->few_items > 0, { (double)x->few_items },
            { items, instead });
    IV_TELL(out, of_measures, "eval.skewed", x->skewed > 0.0,
            { x->skewed, (double)x->skewed_values,
              ceil(iv_caution_at(IV_SKEWNESS_ITEMS) * x->skewed * x->skewed) }, { items });
    IV_TELL(out, of_measures, "eval.excluded-resamples", x->dropped > 0.0, { x->dropped });
    IV_TELL(out, of_measures, "eval.two-values", x->scaled > 0.0, { x->scaled });
    IV_TELL(out, of_measures, "eval.equal-resamples", x->equal > 0.0, { x->equal }, { items });
}

void iv_eval_tell_selected(iv_result *out, size_t systems, double confidence)
{
    /* The least coverage of the largest of n means that are equally large in truth, whatever
     * their correlation from 0 to 1 (Slepian's inequality): of two it is no lower than of one. */
    IV_TELL(out, of_measures, "eval.selected", systems > 2 ? systems : 0,
            { confidence, pow(0.5 * (1.0 + confidence), (double)systems) });
}

void iv_eval_tell_common(iv_result *out, size_t items, const char *first, double of_first,
                         const char *second, double of_second)
{
    if (items == 0)
        IV_TELL(out, of_measures, "eval.none-common", 1);
    else
        IV_TELL(out, of_measures, "eval.common", items, { of_first, of_second },
                { first, second });
}

static void say_coverage(const iv_eval *e)
{
    iv_eval_warnings which = { 0 };

    if (e->v->sampling != NULL && e->asked->machine.infer == IV_INFER_THESE)
        return; /* how topics vary does not matter */
    for (size_t k = 0; k < e->v->run_count * e->v->measure_count; k++) {
        const iv_mean *m = &e->v->means[k];
        iv_eval_warning_of(&which, &(iv_mean_interval){ .method = m->method, .n = m->topics,
                                                   .lower = m->lower, .skewness = m->skewness,
                                                   .dropped = m->dropped },
                      e->v->resampling.resamples);
    }
    iv_eval_tell_warnings(e->out, &which, "topics",
                        e->v->sampling == NULL ? IV_EVAL_INSTEAD : "");
}

void iv_eval_say_gap(iv_result *out, iv_interval_gap gap, iv_listing *where)
{
    if (where->count > 0)
        IV_TELL(out, of_measures, "eval.no-interval", 1,
                .text = { iv_listed(where), iv_interval_gap_text(gap) });
}

static void say_gaps(const iv_eval *e)
{
    const size_t width = e->v->measure_count;

    for (iv_interval_gap gap = IV_GAP_ONE_VALUE; gap <= IV_GAP_IMPOSSIBLE; gap++) {
        iv_listing where = { .most = 1 };
        for (size_t k = 0; k < e->v->run_count * width; k++)
            if (e->v->means[k].gap == gap)
                iv_list(&where, "%.60s of %.120s", e->v->measures[k % width].name,
                        e->v->runs[k / width].name);
        iv_eval_say_gap(e->out, gap, &where);
    }
}

void iv_eval_use_interval(iv_result *out, iv_interval_method method, const char *items,
                          const char *only)
{
    const iv_interval_info *row = iv_interval_about(method);
    const bool binary = only[0] != '\0' && row->values == IV_VALUES_BINARY;

    if (row->least > 0)
        iv_result_used_with(out, row->id, "%s%s%s%s%s%s", row->resamples ? " over " : "",
                            row->resamples ? items : "", only[0] != '\0' ? " for " : "", only,
                            binary ? ", which is 0 or 1 on all " : "", binary ? items : "");
}

/* How many runs' intervals of a measure are by a method. */
static size_t runs_by(const iv_eval *e, size_t measure, iv_interval_method method)
{
    size_t runs = 0;

    for (size_t r = 0; r < e->v->run_count; r++) {
        const iv_mean *x = iv_eval_mean(e, r, measure);
        runs += x->method == method && isfinite(x->lower) && !iv_eval_unmatched(e, r);
    }
    return runs;
}

bool iv_eval_use_intervals(const iv_eval *e)
{
    const size_t width = e->v->measure_count;
    size_t most = 0, usual = 0;

    for (size_t m = 0; iv_interval_names()[m] != NULL; m++) {
        size_t cells = 0;
        for (size_t i = 0; i < width; i++)
            cells += runs_by(e, i, (iv_interval_method)m);
        usual = cells > most ? m : usual;
        most = cells > most ? cells : most;
    }
    if (most > 0)
        iv_eval_use_interval(e->out, (iv_interval_method)usual, "topics", "");
    for (size_t m = 0; iv_interval_names()[m] != NULL && most > 0; m++) {
        iv_wording only = { .len = 0 };
        for (size_t i = 0; i < width && m != usual; i++) {
            const size_t runs = runs_by(e, i, (iv_interval_method)m);
            if (runs > 0)
                iv_say(&only, "%s%.60s%s", only.len > 0 ? " and for " : "", e->v->measures[i].name,
                       runs < e->v->run_count ? " of some runs" : "");
        }
        if (only.len > 0)
            iv_eval_use_interval(e->out, (iv_interval_method)m, "topics", only.at);
    }
    return most > 0;
}

void iv_eval_notes(const iv_eval *e)
{
    say_runs(e);
    iv_tell_run_files(e->out, e->v);
    iv_tell_float_ties(e->out, e->v);
    if (e->v->sampling != NULL)
        iv_tell_irregular(e->out, e->v, e->asked->how.unjudged);
    if (e->asked->trec != NULL)
        return; /* only what trec_eval might say */
    if (e->v->sampling != NULL) {
        tell_outside(e);
        tell_coverage(e);
        tell_gaps(e);
    }
    IV_TELL(e->out, of_measures, "eval.standards", e->asked->how.standards != NULL);
    say_measures(e);
    say_reasons(e);
    iv_tell_subtopics(e->out, e->v);
    iv_tell_grades(e->out, e->v, e->asked->how.measure.judged_only);
    if (!e->asked->no_summary && e->asked->how.interval != IV_INTERVAL_NONE)
        iv_eval_tell_selected(e->out, e->v->run_count, e->v->resampling.confidence);
    if (!e->asked->no_summary || e->v->sampling == NULL) {
        say_coverage(e);
        say_gaps(e);
    }
    if (!e->asked->how.ties)
        iv_tell_ties(e->out, e->v, ". Use --ties to see what other orders would give");
    bool bounds = false;
    for (size_t i = 0; i < e->v->measure_count && !e->asked->how.bounds; i++)
        bounds = bounds || e->v->measures[i].has_bounds;
    iv_tell_unjudged(e->out, e->v, e->asked->how.measure.judged_only,
                     bounds ? ". Use --bounds to see what they could change" : "");
}
