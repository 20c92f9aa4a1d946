/* SPDX-License-Identifier: Apache-2.0 */
/* The answer in a sentence: of two systems the better one is named first. */
#include <math.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/prf_parts.h"
#include "base/memory.h"
#include "base/result.h"

static void tell_pair(iv_result *out, const iv_prf_pair *pair, double confidence)
{
    const bool turned = pair->probability < 0.5;
    const char *better = turned ? pair->b : pair->a, *worse = turned ? pair->a : pair->b;
    const double probability = turned ? 1.0 - pair->probability : pair->probability;
    const double lower = turned ? -pair->upper : pair->lower;
    const double upper = turned ? -pair->lower : pair->upper;
    char sure[IV_PROBABILITY_SIZE];

    (void)iv_probability(sure, probability);
    if (lower > 0.0)
        iv_result_answer(out, "%s beats %s in %s with probability %s: by %.4f, and with "
                         "probability %g by %.4f to %.4f.", better, worse, pair->metric,
                         sure, fabs(pair->difference), confidence, lower, upper);
    else
        iv_result_answer(out, "Neither is clearly better in %s: %s beats %s with probability "
                         "%s, and %s - %s is between %.4f and %.4f with probability %g.",
                         pair->metric, better, worse, sure, better, worse, lower, upper,
                         confidence);
}

/* `best` is that of the first system. */
static void tell_best(iv_result *out, const iv_prf_best *best, size_t systems)
{
    const iv_prf_best *first = best;
    char sure[IV_PROBABILITY_SIZE];

    for (size_t s = 1; s < systems; s++) {
        if (best[s].probability > first->probability)
            first = &best[s];
    }
    iv_result_answer(out, "Of %zu systems %s is the best in %s with probability %s.", systems,
                     first->system, first->metric, iv_probability(sure, first->probability));
}

static void tell_value(iv_result *out, const iv_prf_evaluation *e, const char *metric)
{
    const iv_prf_estimate *best = NULL;

    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, metric);
        if (x == NULL)
            return;
        if (best == NULL || isnan(best->value) || x->value > best->value)
            best = x;
    }
    const char *with = e->guaranteed ? "confidence" : "probability";
    const char *whatever = e->guaranteed ? ", whatever the truth" : "";
    if (isnan(best->value))
        iv_result_answer(out, "The %s of %s has no value (0/0); %s is between %.4f and %.4f with "
                         "%s %g%s.", metric, best->system,
                         e->guaranteed ? "the true one" : "its posterior", best->lower,
                         best->upper, with, e->confidence, whatever);
    else if (e->system_count > 1)
        iv_result_answer(out, "Of %zu systems %s has the highest %s, %.4f, between %.4f and "
                         "%.4f with %s %g%s.", e->system_count, best->system, metric,
                         best->value, best->lower, best->upper, with, e->confidence, whatever);
    else
        iv_result_answer(out, "The %s of %s is %.4f, and between %.4f and %.4f with %s %g%s.",
                         metric, best->system, best->value, best->lower, best->upper, with,
                         e->confidence, whatever);
}

/* What the sentence is about.  A class that one system never names and nobody else has leaves
 * its macro average without a value: systems cannot be ranked by that, but by all items. */
static const char *headline_of(const iv_prf_evaluation *e)
{
    bool known = true;

    if (e->systems[0].count <= 1)
        return "f1";
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, "f1[macro]");
        known = known && x != NULL && !isnan(x->value);
    }
    /* Of classes the micro average may be no more than accuracy. */
    return known ? "f1[macro]" : e->multiclass ? "accuracy" : "f1[micro]";
}

/* Who names metrics, and not that one, is told of the first of them, its average before its classes. */
static const char *named_headline(const iv_prf_evaluation *e, const iv_texts *metrics)
{
    const char *usual = headline_of(e), *average = NULL, *first = NULL;

    if (iv_prf_named(metrics, usual))
        return usual;
    for (size_t i = 0; i < e->estimate_count; i++) {
        const iv_prf_estimate *x = &e->estimates[i];
        const bool named = iv_prf_named(metrics, x->metric);
        first = named && first == NULL ? x->metric : first;
        average = named && average == NULL && x->average == IV_PRF_MACRO ? x->metric : average;
    }
    return average != NULL ? average : first != NULL ? first : usual;
}

static void tell(iv_result *out, const iv_prf_evaluation *e, const char *headline)
{
    for (size_t i = 0; i < e->best_count; i += e->system_count) {
        if (strcmp(e->best[i].metric, headline) == 0) {
            tell_best(out, &e->best[i], e->system_count);
            return;
        }
    }
    for (size_t i = 0; i < e->pair_count && e->system_count == 2; i++) {
        if (strcmp(e->pairs[i].metric, headline) == 0) {
            tell_pair(out, &e->pairs[i], e->confidence);
            return;
        }
    }
    if (e->pair_count == 0)
        tell_value(out, e, headline);
}

/* What became of a claim, before the rest of the answer. */
static void say_verdict(iv_wording *w, iv_verdict verdict, const iv_prf_estimate *x, double least,
                        double confidence)
{
    const double percent = 100.0 * confidence;

    if (verdict == IV_VERDICT_SHOWN)
        iv_say(w, "Yes, certified: with %.10g %% confidence %s of %s is at least %g (its lower limit is "
               "%.4f). ", percent, x->metric, x->system, least, x->lower);
    else if (verdict == IV_VERDICT_OTHERWISE)
        iv_say(w, "No, refuted: with %.10g %% confidence %s of %s is below %g (its upper limit is "
               "%.4f). ", percent, x->metric, x->system, least, x->upper);
    else
        iv_say(w, "Not shown either way: with %.10g %% confidence %s of %s may be %g or more, and may "
               "be less. ", percent, x->metric, x->system, least);
}

/* Names what there is instead: f1 of something for f1; averages, which come last, first. */
static int fail_metric(const iv_prf_evaluation *e, size_t system, const char *metric, iv_err *err)
{
    enum { NAMED = 6 };
    const size_t stem = strcspn(metric, "[");
    iv_wording names = { .len = 0 };
    size_t count = 0;

    for (int all = 0; all < 2 && count == 0; all++) {
        for (size_t i = e->estimate_count; i-- > 0;) {
            const iv_prf_estimate *x = &e->estimates[i];
            const bool of = strncmp(x->metric, metric, stem) == 0 && x->metric[stem] == '[';
            if (x->system_at == system && (all || of))
                iv_say_name(&names, count++, NAMED, iv_str_of(x->metric));
        }
    }
    iv_say_more(&names, count, NAMED);
    return iv_fail(err, IV_EARG, "there is no metric '%.40s' to have a target; there are: %s", metric,
                   names.at);
}

/* "f1=0.8" of every system, by the limits that leave all the error on one side. */
static int claim(iv_result *out, iv_wording *w, const iv_prf_evaluation *e, const char *target,
                 iv_err *err)
{
    const char *is = strchr(target, '=');
    char metric[80];
    double least;

    if (is == NULL || is - target >= (ptrdiff_t)sizeof metric
        || !iv_scan_real(&least, iv_str_of(is + 1)) || !(least >= 0.0 && least <= 1.0))
        return iv_fail(err, IV_EARG, "the target '%.80s', expected METRIC=NUMBER from 0 to 1", target);
    (void)snprintf(metric, sizeof metric, "%.*s", (int)(is - target), target);
    for (char *at = metric; *at != '\0' && *at != '['; at++) /* categories keep their letters */
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, metric);
        if (x == NULL)
            return fail_metric(e, s, metric, err);
        const iv_verdict verdict = x->lower > least   ? IV_VERDICT_SHOWN
                                   : x->upper < least ? IV_VERDICT_OTHERWISE : IV_VERDICT_OPEN;
        say_verdict(w, verdict, x, least, 0.5 + 0.5 * e->confidence);
        iv_result_verdict(out, verdict, "%s of %s is at least %g (one-sided limits %.4f and %.4f)",
                          metric, x->system, least, x->lower, x->upper);
    }
    return IV_OK;
}

static int claim_all(iv_result *out, iv_wording *w, const iv_prf_question *q, const iv_work *work,
                     iv_err *err)
{
    iv_prf_evaluation *e = NULL;
    iv_prf_options how = q->how;

    if (q->targets.count == 0)
        return IV_OK;
    how.confidence = 2.0 * (how.confidence == 0.0 ? 0.95 : how.confidence) - 1.0;
    how.interval = IV_INTERVAL_EQUAL;
    if (!(how.confidence > 0.0))
        return iv_fail(err, IV_EARG, "a confidence above 0.5 is expected of a target");
    int rc = iv_prf_evaluate(&e, &q->from, &how, work, err);
    for (size_t i = 0; rc == IV_OK && i < q->targets.count; i++)
        rc = claim(out, w, e, q->targets.at[i], err);
    iv_prf_evaluation_free(e);
    return rc;
}

/* Will anybody see metrics of categories that have no averages?  Text has a line a class, without
 * them; programs get the first table: the long one, or of systems on the same items comparisons. */
static bool shows_all(iv_result *out, const iv_prf_options *how)
{
    if (iv_result_wants_only(out, ""))
        return !how->paired;
    return how->compare || iv_result_wants(out, "metrics", IV_FOLDED)
           || iv_result_wants(out, "monte_carlo", IV_FOLDED) || iv_result_wants_charts(out);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_prf_question *question = asked;
    iv_prf_evaluation *e = NULL;
    iv_wording verdict = { 0 };

    iv_result_used(out, "goutte");
    if (question->how.paired)
        iv_result_used(out, "mcnemar");
    if (question->machine != NULL && question->targets.count > 0)
        return iv_fail(err, IV_EARG, "targets are of judged items, not of a machine's labels");
    if (question->machine != NULL)
        return iv_prf_checked(out, question, work, err);
    IV_TRY(claim_all(out, &verdict, question, work, err));
    iv_prf_options how = question->how;
    how.averaged = how.averaged || (question->metrics.count == 0 && !shows_all(out, &how));
    IV_TRY(iv_prf_evaluate(&e, &question->from, &how, work, err));
    for (size_t i = 0; i < e->input_count; i++)
        iv_result_input(out, e->inputs[i].path, e->inputs[i].bytes);
    iv_prf_notes(out, e, question);
    const char *headline = named_headline(e, &question->metrics);
    tell(out, e, headline);
    if (verdict.len > 0) {
        const char *rest = iv_result_answer_text(out);
        iv_say(&verdict, "%s", rest != NULL ? rest : "");
        while (verdict.len > 0 && verdict.at[verdict.len - 1] == ' ')
            verdict.at[--verdict.len] = '\0';
        iv_result_answer(out, "%s", verdict.at);
    }
    int rc = iv_prf_tables(out, e, &question->metrics, err);
    if (rc == IV_OK)
        rc = iv_prf_charts(out, e, headline, err);
    iv_prf_evaluation_free(e);
    return rc;
}

int iv_answer_prf(iv_result *out, const iv_prf_question *question, const iv_work *work,
                  iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_prf_question, from.counts, TEXTS, "text of counts"),
        IV_PART_OF(iv_prf_question, from.files, PATHS, "file of counts"),
        IV_PART_OF(iv_prf_question, from.labels, PATH, "the labels"),
        IV_PART_OF(iv_prf_question, from.labels_as.predictions, PATHS, "file of predictions"),
        IV_PART_OF(iv_prf_question, from.labels_as.systems, TEXTS, "name of a system"),
        IV_PART_OF(iv_prf_question, metrics, TEXTS, "metric"),
        IV_PART_OF(iv_prf_question, targets, TEXTS, "target"),
        IV_PART_OF(iv_prf_question, from.prior_counts, TEXTS, "text of prior counts"),
        IV_PART_OF(iv_prf_question, how.prior, REALS, "number of the prior"),
        IV_PART_OF(iv_prf_question, how.beta, REALS, "beta"),
        IV_CHOICE_OF(iv_prf_question, how.interval, iv_interval_kind_names, "the interval"),
        IV_PART_OF(iv_prf_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked, "goutte"), work, err);
}
