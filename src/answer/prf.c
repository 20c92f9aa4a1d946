/* SPDX-License-Identifier: Apache-2.0 */
/* prf -- precision, recall and F: the answer in a sentence, what is claimed, and what to know. */
#include <math.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/classify_messages.h"
#include "answer/prf_parts.h"
#include "base/listing.h"
#include "base/result.h"
#include "stat/prf/prf_state.h"
#include "base/base_private.h"

/* "F1", "macro F1", "recall of cat": a metric as people say it. */
static const char *spoken(char out[160], const char *metric)
{
    const size_t bare = strcspn(metric, "[");
    const bool f = metric[0] == 'f' && metric[1] >= '0' && metric[1] <= '9';
    const char *first = f ? "F" : "", *stem = f ? metric + 1 : metric;
    const int len = (int)(bare - (f ? 1 : 0));
    const char *what = metric[bare] == '[' ? metric + bare + 1 : "";
    const int what_len = *what != '\0' ? (int)strlen(what) - 1 : 0;

    if (strcmp(metric, "mcc") == 0)
        (void)snprintf(out, 160, "MCC");
    else if (strcmp(metric, "balanced_accuracy") == 0)
        (void)snprintf(out, 160, "balanced accuracy");
    else if (strcmp(what, "macro]") == 0 || strcmp(what, "micro]") == 0
             || strcmp(what, "weighted]") == 0)
        (void)snprintf(out, 160, "%.*s %s%.*s", what_len, what, first, len, stem);
    else
        (void)snprintf(out, 160, "%s%.*s%s%.*s", first, len, stem, what_len > 0 ? " of " : "",
                       what_len > 100 ? 100 : what_len, what);
    return out;
}

/* ----------------------------------------------------------------- the sentence -- */

/* As in the rows: a less b. */
static void answer_pair(iv_result *out, const iv_prf_pair *pair, double confidence)
{
    const bool below = pair->upper < 0.0;
    const double percent = 100.0 * confidence;
    char sure[IV_PROBABILITY_SIZE], metric[160];

    (void)iv_probability(sure, below ? 1.0 - pair->probability : pair->probability);
    (void)spoken(metric, pair->metric);
    if (isnan(pair->probability) || isnan(pair->lower))
        iv_result_answer(out, "%s and %s have the same %s on these items, so no difference can "
                              "be estimated.", pair->a, pair->b, metric);
    else if (below || pair->lower > 0.0)
        iv_result_answer(out, "%s has a %s %s than %s with probability %s: difference %.3f "
                         "(%.10g %% interval %.3f to %.3f).", pair->a, below ? "lower" : "higher",
                         metric, pair->b, sure, pair->difference, percent, pair->lower,
                         pair->upper);
    else
        iv_result_answer(out, "No clear difference in %s: %s minus %s is %.3f (%.10g %% interval "
                         "%.3f to %.3f); %s is better with probability %s.", metric, pair->a,
                         pair->b, pair->difference, percent, pair->lower, pair->upper, pair->a,
                         sure);
}

/* `best` is that of the first system. */
static void answer_best(iv_result *out, const iv_prf_pair *best, size_t systems)
{
    const iv_prf_pair *first = best;
    char sure[IV_PROBABILITY_SIZE], metric[160];

    for (size_t s = 1; s < systems; s++)
        if (best[s].probability > first->probability)
            first = &best[s];
    iv_result_answer(out, "Of %zu systems %s is the best in %s with probability %s.", systems,
                     first->a, spoken(metric, first->metric),
                     iv_probability(sure, first->probability));
}

static const iv_prf_estimate *highest(const iv_prf_evaluation *e, const char *metric)
{
    const iv_prf_estimate *best = NULL;

    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, metric);
        if (x == NULL)
            return NULL;
        if (best == NULL || isnan(best->value) || x->value > best->value)
            best = x;
    }
    return best;
}

/* Averages have no P(best): how many others the highest beats, each alone. */
static void answer_ahead(iv_result *out, const iv_prf_evaluation *e, const char *metric)
{
    const iv_prf_estimate *best = highest(e, metric);
    size_t ahead = 0;
    char text[160];

    for (size_t i = 0; best != NULL && i < e->pair_count; i++) {
        const iv_prf_pair *p = &e->pairs[i];
        if (strcmp(p->metric, metric) == 0)
            ahead += (p->a_at == best->system_at && p->lower > 0.0)
                || (p->b_at == best->system_at && p->upper < 0.0);
    }
    if (best != NULL)
        iv_result_answer(out, "%s has the highest %s, %.3f; its interval of the difference "
                              "excludes "
                         "0 for %zu of %zu other systems.", best->system, spoken(text, metric),
                         best->value, ahead, e->system_count - 1);
}

/* Did the user name it? */
static bool is_named(const char *system)
{
    return strcmp(system, "system") != 0;
}

static void answer_value(iv_result *out, const iv_prf_evaluation *e, const char *metric)
{
    const iv_prf_estimate *best = highest(e, metric);
    char text[160], span[IV_SPAN_SIZE];

    if (best == NULL)
        return;
    (void)spoken(text, metric);
    (void)iv_span(span, e->confidence, best->lower, best->upper);
    if (isnan(best->value))
        iv_result_answer(out, "The %s%s%s has no value (0/0).", text,
                         is_named(best->system) ? " of " : "",
                         is_named(best->system) ? best->system : "");
    else if (e->system_count > 1)
        iv_result_answer(out, "Of %zu systems, %s has the highest %s: %.3f%s.", e->system_count,
                         best->system, text, best->value, span);
    else if (!is_named(best->system))
        iv_result_answer(out, "%s is %.3f%s.", text, best->value, span);
    else
        iv_result_answer(out, "%s of %s is %.3f%s.", text, best->system, best->value, span);
}

static void answer_alone(iv_result *out, const iv_prf_evaluation *e)
{
    const iv_prf_pair *x = &e->alone[0];
    const bool turned = x->probability < 0.5;
    char sure[IV_PROBABILITY_SIZE];

    (void)iv_probability(sure, turned ? 1.0 - x->probability : x->probability);
    iv_result_answer(out, "%s is right %s often than %s with probability %s: only %s was right on "
                     "%lld items, only %s on %lld (McNemar's p = %.3g).", x->a,
                     turned ? "less" : "more", x->b, sure, x->a, (long long)x->a_only, x->b,
                     (long long)x->b_only, x->mcnemar_p);
}

/* What the sentence is about.  A class that one system never names and nobody else has leaves
 * its macro average without a value: systems cannot be ranked by that, but by all items. */
static const char *usual_headline(const iv_prf_evaluation *e)
{
    bool known = true;

    if (e->system_count == 0 || e->systems[0].count <= 1)
        return "f1";
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, "f1[macro]");
        known = known && x != NULL && !isnan(x->value);
    }
    /* Of classes the micro average may be no more than accuracy. */
    return known ? "f1[macro]" : e->multiclass ? "accuracy" : "f1[micro]";
}

/* Of named metrics the first, an average before its classes. */
static const char *headline_of(const iv_prf_evaluation *e, const iv_texts *metrics)
{
    const char *usual = usual_headline(e), *average = NULL;

    if (metrics->count == 0 || e->estimate_count == 0 || iv_prf_find(e, 0, usual) != NULL)
        return usual;
    for (size_t i = 0; i < e->estimate_count; i++)
        if (average == NULL && e->estimates[i].average == IV_PRF_MACRO)
            average = e->estimates[i].metric;
    return average != NULL ? average : e->estimates[0].metric;
}

static void answer(iv_result *out, const iv_prf_evaluation *e, const char *headline)
{
    if (e->estimate_count == 0 && e->alone_count > 0) {
        answer_alone(out, e);
        return;
    }
    for (size_t i = 0; i < e->best_count; i += e->system_count)
        if (strcmp(e->best[i].metric, headline) == 0) {
            answer_best(out, &e->best[i], e->system_count);
            return;
        }
    for (size_t i = 0; i < e->pair_count && e->system_count == 2; i++)
        if (strcmp(e->pairs[i].metric, headline) == 0) {
            answer_pair(out, &e->pairs[i], e->confidence);
            return;
        }
    if (e->pair_count > 0)
        answer_ahead(out, e, headline);
    else
        answer_value(out, e, headline);
}

/* ---------------------------------------------------------------------- claims -- */

/* Names what there is instead: f1 of something for f1; averages, which come last, first. */
static int fail_metric(const iv_prf_evaluation *e, size_t system, const char *metric, iv_err *err)
{
    const size_t stem = strcspn(metric, "[");
    iv_listing names = { .most = 6 };

    for (int all = 0; all < 2 && names.count == 0; all++) {
        for (size_t i = e->estimate_count; i-- > 0;) {
            const iv_prf_estimate *x = &e->estimates[i];
            const bool of = strncmp(x->metric, metric, stem) == 0 && x->metric[stem] == '[';
            if (x->system_at == system && (all || of))
                iv_list(&names, "%.40s", x->metric);
        }
    }
    return iv_fail(err, IV_EARG, "there is no metric '%.40s'; expected one of: %s", metric,
                   iv_listed(&names));
}

/* "f1=0.8" of every system, by the limits that leave all the error on one side. */
static int claim_target(iv_result *out, iv_wording *w, const iv_prf_evaluation *e,
                        const char *target, iv_err *err)
{
    const char *is = strchr(target, '=');
    char metric[80], text[160];
    double least;

    if (is == NULL || is - target >= (ptrdiff_t)sizeof metric
        || !iv_scan_real(&least, iv_str_of(is + 1)) || !(least >= 0.0 && least <= 1.0))
        return iv_fail(err, IV_EARG, "the target '%.80s', expected METRIC=NUMBER from 0 to 1",
                       target);
    (void)snprintf(metric, sizeof metric, "%.*s", (int)(is - target), target);
    for (char *at = metric; *at != '\0' && *at != '['; at++) /* categories keep their letters */
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, metric);
        if (x == NULL)
            return fail_metric(e, s, metric, err);
        const iv_verdict verdict = x->lower > least   ? IV_VERDICT_SHOWN
                                   : x->upper < least ? IV_VERDICT_OTHERWISE : IV_VERDICT_OPEN;
        iv_say(w, "%s: %s%s%s is %.3f (one-sided %.10g %% limits %.3f and %.3f); the target is "
               "%g. ", iv_verdict_name(verdict), spoken(text, metric),
               is_named(x->system) ? " of " : "", is_named(x->system) ? x->system : "", x->value,
               100.0 * (0.5 + 0.5 * e->confidence), x->lower, x->upper, least);
        iv_result_verdict(out, verdict, "%s of %s is at least %g (one-sided limits %.4f and %.4f)",
                          metric, x->system, least, x->lower, x->upper);
    }
    return IV_OK;
}

/* That no system is worse than the baseline by more than the margin, on the same items. */
static int claim_not_worse(iv_result *out, iv_wording *w, const iv_prf_evaluation *e,
                           const iv_prf_question *q, iv_err *err)
{
    const double margin = q->margin == IV_ZERO ? 0.0 : q->margin;
    const char *metric = headline_of(e, &q->how.metrics);
    const char *baseline = q->baseline != NULL ? q->baseline : e->systems[0].name;
    static const char *const says[] = { "", "is not lower", "is lower", "may be lower" };
    char text[160];
    size_t found = 0;

    for (size_t i = 0; i < e->pair_count; i++) {
        const iv_prf_pair *p = &e->pairs[i];
        const bool first = strcmp(p->a, baseline) == 0, second = strcmp(p->b, baseline) == 0;
        if (strcmp(p->metric, metric) != 0 || (!first && !second))
            continue;
        const double sign = first ? -1.0 : 1.0, d = sign * p->difference; /* less the baseline's */
        const double lower = first ? -p->upper : p->lower, upper = first ? -p->lower : p->upper;
        const char *other = first ? p->b : p->a;
        /* The same answers on all items differ by nothing that was seen. */
        const iv_verdict v = lower > -margin   ? IV_VERDICT_SHOWN
                             : upper < -margin ? IV_VERDICT_OTHERWISE : IV_VERDICT_OPEN;
        iv_say(w, "%s: %s of %s %s than that of %s by more than %g. The difference (%s minus "
               "%s) is %.3f (one-sided %.10g %% limits %.3f and %.3f). ", iv_verdict_name(v),
               spoken(text, metric), other, says[v], baseline, margin, other, baseline, d,
               100.0 * (0.5 + 0.5 * e->confidence), lower, upper);
        iv_result_verdict(out, v, "%s of %s is not worse than that of %s by more than %g", metric,
                          other, baseline, margin);
        found++;
    }
    return found > 0 ? IV_OK
        : iv_fail(err, IV_EARG, "the baseline '%.80s' is none of the systems", baseline);
}

IV_ENDS(prf_evaluation)

/* Claims have one-sided limits: those of a lower confidence. */
static int claim(iv_result *out, iv_wording *w, const iv_prf_question *q, const iv_work *work,
                 iv_err *err)
{
    iv_prf_evaluation *e = NULL;
    iv_prf_options how = q->how;
    iv_texts all = { NULL, 0 };

    if (q->targets.count == 0 && !q->not_worse)
        return IV_OK;
    how.confidence = 2.0 * (how.confidence == 0.0 ? 0.95 : how.confidence) - 1.0;
    if (q->targets.count > 0)
        how.metrics = all;
    how.paired = how.paired || (q->not_worse && q->targets.count == 0);
    if (!(how.confidence > 0.0))
        return iv_fail(err, IV_EARG, "a confidence above 0.5 is expected of a target");
    IV_TRY(iv_prf_evaluate(&e, &q->from, &how, work, err));
    IV_TRY(IV_KEEP(out, prf_evaluation, e, err));
    for (size_t i = 0; i < q->targets.count; i++)
        IV_TRY(claim_target(out, w, e, q->targets.at[i], err));
    return q->targets.count == 0 ? claim_not_worse(out, w, e, q, err) : IV_OK;
}

/* ----------------------------------------------------------------------- notes -- */

/* Counts that leave a metric without a value. */
static void note_undefined(iv_result *out, const iv_prf_evaluation *e)
{
    iv_listing silent = { .most = 4 }, absent = silent;

    for (size_t s = 0; s < e->system_count; s++) {
        for (size_t k = 0; k < e->systems[s].count; k++) {
            const iv_prf_counts *c = &e->systems[s].categories[k].counts;
            const char *name = e->systems[s].categories[k].category;
            if (c->tp + c->fp == 0)
                iv_list_quoted(&silent, iv_str_of(name != NULL ? name : e->systems[s].name));
            if (c->tp + c->fn == 0 && (s == 0 || name == NULL))
                iv_list_quoted(&absent, iv_str_of(name != NULL ? name : e->systems[s].name));
        }
    }
    IV_CLASSIFY(out, "prf.nothing-returned", silent.count, .text = { iv_listed(&silent) });
    IV_CLASSIFY(out, "prf.nothing-relevant", absent.count, .text = { iv_listed(&absent) });
}

/* The least coverage among what is shown, over truths, where it is known. */
static void note_least(iv_result *out, const iv_prf_evaluation *e)
{
    enum { MOST = 40 }; /* some milliseconds each */
    const iv_prf_estimate *of = NULL;
    double least = 0.9;
    size_t looked = 0;
    char text[160], what[320];

    if (e->guaranteed)
        return;
    for (size_t i = 0; i < e->estimate_count && looked < MOST; i++) {
        const iv_prf_estimate *x = &e->estimates[i];
        const iv_prf_system *s = &e->systems[x->system_at];
        if (x->posterior == NULL || s->count != 1 || strchr(x->metric, '[') != NULL)
            continue;
        const double held = iv_prf_least_coverage(&s->categories[0].counts, x->kind, e->prior,
                                                  e->confidence, x->lower, x->upper);
        looked++;
        if (held < least) {
            least = held;
            of = x;
        }
    }
    if (of == NULL)
        return;
    (void)snprintf(what, sizeof what, is_named(of->system) ? "%s of %.150s" : "%s",
                   spoken(text, of->metric), of->system);
    IV_CLASSIFY(out, "prf.least-coverage", 1, { e->confidence, least, 0.0 }, { what });
}

/* Averages without errors, or of few items, and categories that are classes. */
static void note_averages(iv_result *out, const iv_prf_evaluation *e)
{
    enum { FEW = 25 }; /* measured: doc/methods/prf.md */
    size_t without = 0;
    int64_t items = 0;
    bool mcc = false;

    for (size_t c = 0; e->system_count > 0 && c < e->systems[0].count; c++)
        items += e->systems[0].categories[c].counts.tp + e->systems[0].categories[c].counts.fn;
    for (size_t i = 0; i < e->estimate_count; i++)
        without += e->estimates[i].jackknifed && isnan(e->estimates[i].lower);
    for (size_t i = 0; i < e->estimate_count; i++)
        mcc = mcc || e->estimates[i].kind.kind == IV_PRF_MCC;
    if (e->system_count > 0 && e->systems[0].count == 1)
        items += e->systems[0].categories[0].counts.fp + e->systems[0].categories[0].counts.tn;
    IV_CLASSIFY(out, "prf.one-matrix", e->one_matrix);
    if (!e->guaranteed && e->classes[0] == NULL)
        IV_CLASSIFY(out, "prf.no-average-interval", without);
    if (items < FEW && e->system_count > 0 && (e->systems[0].count > 1 || mcc) && !e->guaranteed)
        IV_CLASSIFY(out, "prf.few", (size_t)items);
}

/* A system with two labels that is wrong more often than chance allows. */
static void note_reversed(iv_result *out, const iv_prf_evaluation *e)
{
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_counts *c = &e->systems[s].categories[0].counts;
        const double tp = (double)c->tp, fp = (double)c->fp, fn = (double)c->fn, tn = (double)c->tn;
        const double n = tp + fp + fn + tn;
        const double chi = (tp * tn - fp * fn) * sqrt(n / ((tp + fp) * (tp + fn) * (tn + fp)
                                                           * (tn + fn)));
        if (e->systems[s].count <= 2 && c->tn > 0 && tp + tn < fp + fn && chi < -4.0)
            IV_CLASSIFY(out, "prf.reversed", 1, { (tp + tn) / n, (fp + fn) / n },
                        { e->systems[s].name });
    }
}

/* As compare warns of pairs that differ on few items. */
enum { FEW_DISCORDANT = 10 };

static void note_all(iv_result *out, const iv_prf_evaluation *e, const iv_prf_question *q)
{
    for (size_t i = 0; i < e->notes.count; i++)
        iv_result_note(out, "%s", e->notes.at[i]);
    if (e->highest > 1.0)
        IV_CLASSIFY(out, "prf.percentages", 1, { e->highest });
    note_reversed(out, e);
    note_averages(out, e);
    note_undefined(out, e);
    note_least(out, e);
    for (size_t i = 0; i < e->alone_count; i++) {
        const int64_t differ = e->alone[i].a_only + e->alone[i].b_only;
        if (differ < FEW_DISCORDANT)
            IV_CLASSIFY(out, "prf.few-discordant", (size_t)differ);
    }
    IV_CLASSIFY(out, "prf.different-items", q->how.compare);
}

static void say_method(iv_result *out, const iv_prf_evaluation *e)
{
    const double right = e->prior.right, wrong = e->prior.wrong;
    bool drawn = false, jackknifed = false;

    for (size_t i = 0; i < e->estimate_count; i++) {
        drawn = drawn || e->estimates[i].drawn > 0;
        jackknifed = jackknifed || e->estimates[i].jackknifed;
    }
    if (e->guaranteed)
        iv_result_used(out, "clopper-pearson");
    if (!e->guaranteed && e->estimate_count > 0 && right == wrong)
        iv_result_used_with(out, "goutte", ", prior %g%s", right,
                            right == 0.5 ? " (Jeffreys)" : right == 1.0 ? " (uniform)" : "");
    else if (!e->guaranteed && e->estimate_count > 0)
        iv_result_used_with(out, "goutte", ", prior %g for TP and TN, %g for FP and FN", right,
                            wrong);
    if (jackknifed && !e->guaranteed)
        iv_result_used_with(out, "jackknife-logit", " for averages");
    if (e->alone_count > 0)
        iv_result_used_all(out, "goutte-paired mcnemar");
    if (drawn)
        iv_result_legend(out, "Balanced accuracy and MCC come from %s posterior draws.",
                         IV_COUNT(e->draws));
    if (e->multiclass)
        iv_result_legend(out, "An item has one class, so micro averages and weighted recall are "
                         "accuracy.");
}

/* ------------------------------------------------------------------------- all -- */

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_prf_question *q = asked;
    iv_prf_evaluation *e = NULL;
    iv_wording verdict = { 0 };
    iv_prf_options how = q->how;

    if (q->machine != NULL && (q->targets.count > 0 || q->not_worse))
        return iv_fail(err, IV_EARG, "targets are of judged items, not of automatic labels");
    if (q->machine != NULL)
        return iv_prf_checked(out, q, work, err);
    IV_TRY(claim(out, &verdict, q, work, err));
    how.pair_two = true;
    how.paired = how.paired || (q->not_worse && q->targets.count == 0);
    IV_TRY(iv_prf_evaluate(&e, &q->from, &how, work, err));
    IV_TRY(IV_KEEP(out, prf_evaluation, e, err));
    if (how.metrics.count > 0 && e->estimate_count == 0 && e->system_count > 0)
        return iv_fail(err, IV_EARG, "there is no metric '%.60s'; expected one of table "
                       "'metrics', such as f1", how.metrics.at[0]);
    for (size_t i = 0; i < e->input_count; i++)
        iv_result_input(out, e->inputs[i].path, e->inputs[i].bytes);
    const char *headline = headline_of(e, &how.metrics);
    answer(out, e, headline);
    if (verdict.len > 0)
        iv_answer_claims(out, &verdict);
    note_all(out, e, q);
    say_method(out, e);
    return iv_prf_tables(out, e, headline, &how, err);
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
        IV_PART_OF(iv_prf_question, how.metrics, TEXTS, "metric"),
        IV_PART_OF(iv_prf_question, targets, TEXTS, "target"),
        IV_PART_OF(iv_prf_question, how.prior, REALS, "number of the prior"),
        IV_PART_OF(iv_prf_question, how.beta, REALS, "beta"),
        IV_PART_OF(iv_prf_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
