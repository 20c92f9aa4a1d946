/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of recall: the sentence and the notes. */
#include <math.h>
#include <string.h>

#include "answer/recall_parts.h"
#include "stat/recall/recall_yield.h"

enum { FEW = 10, MOST_WARNINGS = 3 };

static bool stratified(const iv_recall_told *t)
{
    for (size_t i = 0; i < t->case_count; i++) {
        const iv_segments *s = &t->cases[i].segments;
        if (s->retrieved_count > 1 || s->unretrieved_count > 1)
            return true;
    }
    return false;
}

/* --------------------------------------------------------------- bias -- */

/* Is every document of these strata judged? */
static bool is_whole(const iv_stratum *strata, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strata[i].sampled < strata[i].size)
            return false;
    }
    return true;
}

/* What is known of recall where no relevant document was found; NULL: there is no more to say. */
static const char *without_finds(const iv_segments *s)
{
    const bool zero = is_whole(s->retrieved, s->retrieved_count);

    if (!zero && !is_whole(s->unretrieved, s->unretrieved_count))
        return NULL;
    return zero ? "every retrieved one is judged: recall is 0, unless nothing is relevant at all"
        : "every unretrieved one is judged: recall is 1, unless nothing is relevant at all";
}

static int64_t found_unretrieved(const iv_segments *s)
{
    int64_t found = 0;

    for (size_t i = 0; i < s->unretrieved_count; i++)
        found += s->unretrieved[i].relevant;
    return found;
}

/* Both sides of it in part at least. */
static bool is_sampled(const iv_segments *s)
{
    return iv_strata_sampled(s->retrieved, s->retrieved_count) > 0
           && iv_strata_sampled(s->unretrieved, s->unretrieved_count) > 0;
}

/*
 * By how much the estimate is too high on average, over all samples if it were the
 * truth; 0: it need not be, NaN: strata, which are not summed over.
 */
static double bias_of(const iv_segments *s)
{
    const double recall = iv_recall_estimate(s);
    const iv_stratum *one = s->retrieved, *zero = s->unretrieved;
    const int64_t found = found_unretrieved(s);

    if (found >= FEW || is_whole(s->unretrieved, s->unretrieved_count))
        return 0.0;
    if (found == 0 || isnan(recall))
        return INFINITY;
    if (s->retrieved_count > 1 || s->unretrieved_count > 1)
        return NAN;
    const double R1 = rint((double)one->size * (double)one->relevant / (double)one->sampled);
    const double R0 = rint((double)zero->size * (double)zero->relevant / (double)zero->sampled);
    return fmax(0.0, iv_recall_estimate_mean(one->size, (int64_t)R1, one->sampled, zero->size,
                                             (int64_t)R0, zero->sampled) - R1 / (R1 + R0));
}

static void note_one_bias(iv_result *out, const iv_recall_told *t, const iv_review_case *c)
{
    const iv_segments *s = &c->segments;
    const double bias = bias_of(s);
    const int64_t found = found_unretrieved(s);
    const bool whole = is_whole(s->retrieved, s->retrieved_count)
                       && is_whole(s->unretrieved, s->unretrieved_count);
    char where[160] = "", by[64];

    if (t->ranked)
        (void)snprintf(where, sizeof where, "%.100s at %lld: ", c->topic, (long long)c->cutoff);
    else if (t->case_count > 1)
        (void)snprintf(where, sizeof where, "%.100s: ", c->run);
    (void)snprintf(by, sizeof by, ", by %.3f on average if it were the truth", bias);
    const char no = where[0] != '\0' ? 'n' : 'N', only = where[0] != '\0' ? 'o' : 'O';
    if (whole && isnan(iv_recall_estimate(s)))
        iv_result_note(out, "%s%co document is relevant: there is no recall.", where, no);
    else if (isnan(iv_recall_estimate(s)) && is_sampled(s) && without_finds(s) != NULL)
        iv_result_note(out, "%s%co sampled document is relevant, and %s.", where, no,
                       without_finds(s));
    else if (isnan(iv_recall_estimate(s)) && is_sampled(s))
        iv_result_note(out, "%s%co sampled document is relevant: there is no estimate, and every "
                       "recall is possible.", where, no);
    else if (isnan(iv_recall_estimate(s)))
        iv_result_note(out, "%s%cothing of a segment was sampled: there is no estimate.", where, no);
    else if (bias > 0.0 && found == 0)
        iv_result_note(out, "%s%co relevant document in the unretrieved sample: the estimate is 1 "
                       "whatever was missed; only the lower limit tells.", where, no);
    else if (isnan(bias) || bias >= 0.0005)
        iv_result_note(out, "%s%cnly %lld relevant document%s in the unretrieved sample: the "
                       "estimate tends to be too high%s.", where, only, (long long)found,
                       found == 1 ? "" : "s", isnan(bias) ? "" : by);
}

/* A line a case while they are few, else one for all. */
static void note_bias(iv_result *out, const iv_recall_told *t)
{
    size_t warned = 0, none = 0;

    for (size_t i = 0; i < t->case_count; i++) {
        const double bias = bias_of(&t->cases[i].segments);
        warned += !(bias < 0.0005) || isnan(iv_recall_estimate(&t->cases[i].segments));
        none += isinf(bias) != 0;
    }
    for (size_t i = 0; i < t->case_count && warned <= MOST_WARNINGS; i++)
        note_one_bias(out, t, &t->cases[i]);
    if (warned > MOST_WARNINGS)
        iv_result_note(out, "%zu of %zu rows have fewer than %d relevant documents in the "
                       "unretrieved sample, %zu of them none: their estimates tend to be too "
                       "high, and with none they are 1 whatever was missed.", warned,
                       t->case_count, FEW, none);
}

/* ------------------------------------------------------------- method -- */

/* Of each method; those that follow say what prior they have. */
static const char *const explained[] = {
    "",
    "a binomial share of the relevant documents sampled (Webber 2013, section 3.1); covers badly "
    "unless both segments are sampled at one rate",
    "normal approximation with propagated error (Webber 2013, section 3.2); covers badly when "
    "few unretrieved documents are relevant, and may leave [0, 1]",
    "normal approximation as in the TREC 2008 Legal reports, which counts the variance of the "
    "retrieved yield twice",
    "normal approximation with 1 added to each count (Webber 2013, section 3.3)",
    "normal approximation with 2 added to each count (Webber 2013, section 3.3)",
    "Koopman's (1984) interval on a ratio of binomials (Webber 2013, section 3.4); too wide when "
    "much of a segment is sampled",
    "beta posteriors under Jeffreys' prior, by quadrature (Webber 2013, section 3.5); too narrow "
    "when much of a segment is sampled",
    "uniform prior", "most conservative prior",
};

static void note_method(iv_result *out, const iv_recall_question *q, iv_recall_method method,
                        bool strata)
{
    const bool own = q->prior.count > 0, weighted = method == IV_RECALL_BETABIN_WEIGHTED;
    const bool shared = strata && (method == IV_RECALL_BETABIN_SHARED || weighted);
    const char *name = iv_recall_method_names()[method];
    char prior[64] = "prior Beta(1/2, 1/2)";

    if (method == IV_RECALL_ALL)
        return;
    if (method == IV_RECALL_EXACT) {
        iv_result_note(out, "How this was computed: by the method exact; the confidence is held whatever the truth, not on "
                       "average over truths as posteriors do: hypergeometric limits where one "
                       "%s is unknown, Buehler's (1957) bound for two, Chernoff's inequality for "
                       "more.", strata ? "stratum" : "segment");
        return;
    }
    if (method < IV_RECALL_BETABIN_UNIFORM) {
        iv_result_note(out, "How this was computed: by the method %s, %s.", name, explained[method]);
        return;
    }
    if (method < IV_RECALL_BETABIN_HALF)
        (void)snprintf(prior, sizeof prior, "%s", explained[method]);
    if (own)
        (void)snprintf(prior, sizeof prior, "prior Beta(%g, %g)", q->prior.at[0], q->prior.at[1]);
    iv_result_note(out, "How this was computed: by the method %s, the beta-binomial posterior of the number of relevant "
                   "documents, %s in each %s%s, summed without simulation (Webber 2013, section "
                   "3.6%s).", own ? "betabin-prior" : name, prior,
                   strata && !shared ? "stratum" : "segment",
                   !shared ? "" : weighted ? " shared by its strata in proportion to N/n"
                                     : " shared by its strata in proportion to their size",
                   shared ? "; he has the whole prior in every stratum" : "");
}

/* The prior where it brings in more than a tenth, and the methods it does so in. */
static void note_prior(iv_result *out, const iv_recall_told *t, bool strata)
{
    const bool several = t->method == IV_RECALL_ALL;
    char heavy[200] = "";
    double heaviest = 0.0;

    for (size_t i = 0; i < t->found->interval_count; i++) {
        const iv_review_interval *x = &t->found->intervals[i];
        if (!(x->prior_share > 0.1))
            continue;
        heaviest = fmax(heaviest, x->prior_share);
        if (strstr(heavy, x->of.method) == NULL
            && strlen(heavy) + strlen(x->of.method) + 3 < sizeof heavy) {
            strcat(heavy, heavy[0] != '\0' ? ", " : "");
            strcat(heavy, x->of.method);
        }
    }
    if (heavy[0] != '\0')
        iv_result_note(out, "The prior brings in %s%.0f %% of the posterior yield%s%s%s: more "
                       "than 10 %%, so the interval depends on it; more judgments in large, "
                       "little sampled %s would tell more.",
                       several || t->case_count > 1 ? "up to " : "", 100.0 * heaviest,
                       several ? " (" : "", several ? heavy : "", several ? ")" : "",
                       strata ? "strata" : "segments");
}

/* What the confidence of the other methods is. */
static void note_average(iv_result *out, const iv_recall_told *t)
{
    char here[200] = "for some the interval holds less often";

    if (t->method == IV_RECALL_EXACT || t->method == IV_RECALL_ALL)
        return;
    if (t->method == IV_RECALL_BETABIN_WEIGHTED && isnan(t->least))
        (void)snprintf(here, sizeof here, "for some %s less often, in the designs studied %s of 95 %% "
                       "ones at the least while no more than half of any unretrieved stratum is relevant",
                       t->q->one_sided ? "a limit holds" : "the interval holds",
                       t->q->one_sided ? "78 %" : "80 %");
    else if (!isnan(t->least))
        (void)snprintf(here, sizeof here, "with samples of these sizes it is %.1f %% at "
                       "least, while no more than half of the unretrieved documents are relevant",
                       100.0 * t->least);
    iv_result_note(out, "The confidence is on average over truths: %s. The method exact holds its "
                   "confidence whatever the truth.", here);
}

static void note_all(iv_result *out, const iv_recall_told *t)
{
    const bool strata = stratified(t);
    const iv_segments *first = &t->cases[0].segments;
    const bool whole = t->case_count == 1 && is_whole(first->retrieved, first->retrieved_count);
    const bool known = whole && is_whole(first->unretrieved, first->unretrieved_count);
    size_t outside = 0, cells = 0;

    for (size_t i = 0; i < t->found->interval_count; i++) {
        const iv_review_interval *x = &t->found->intervals[i];
        outside += x->lower < 0.0 || x->upper > 1.0;
        cells += !isnan(x->prior_share) && x->of.number != IV_RECALL_JEFFREYS && !x->exact;
    }
    if (known)
        iv_result_note(out, "Every document is judged: nothing is uncertain%s.",
                       strata ? "; documents outside the strata do not count" : "");
    else if (whole)
        iv_result_note(out, "Every retrieved document is judged: only what was left behind is "
                       "uncertain.");
    note_bias(out, t);
    note_prior(out, t, strata);
    if (outside > 0)
        iv_result_note(out, "%zu interval%s by a normal method leave%s [0, 1]; shown as "
                       "computed.", outside, outside == 1 ? "" : "s", outside == 1 ? "s" : "");
    if (t->q->one_sided)
        iv_result_note(out, "One-sided: each limit holds by itself with %.10g %% confidence; both "
                       "together with %g %%.", 100.0 * t->confidence,
                       fmax(0.0, 100.0 * (2.0 * t->confidence - 1.0)));
    if (cells > 0)
        iv_result_note(out, "A posterior too large for its atoms was summed over cells; its "
                       "probabilities are good to 1e-6.");
    note_method(out, t->q, t->method, strata);
    if (!known) {
        note_average(out, t);
        iv_result_note(out, "Assumed: of each %s a simple random sample without replacement, judged "
                       "without error%s.", strata ? "stratum" : "segment",
                       strata ? "; documents outside the strata do not count" : "");
        iv_result_assumption(out, "Of each %s a simple random sample was drawn without replacement.",
                             strata ? "stratum" : "segment");
        iv_result_assumption(out, "The sample was drawn after the retrieved documents were fixed, and "
                             "judged without knowing on which side a document is.");
    }
    iv_result_assumption(out, "The judgments are right%s.",
                         strata ? "; documents outside the strata do not count" : "");
    if (t->claims != NULL)
        iv_result_note(out, "The verdict has one side: the limit it rests on holds by itself "
                         "with %.10g %% confidence.", 100.0 * t->confidence);
}

/* ------------------------------------------------------------- answer -- */

/* Does the row speak for its case?  Of all methods the usual one does. */
static bool speaks(const iv_recall_told *t, const iv_review_interval *x)
{
    return t->method != IV_RECALL_ALL || x->of.number == IV_RECALL_BETABIN_WEIGHTED;
}

/* The row with the highest estimate of recall. */
static const iv_review_interval *best_of(const iv_recall_told *t)
{
    const iv_review_interval *best = NULL;

    for (size_t i = 0; i < t->found->interval_count; i++) {
        const iv_review_interval *x = &t->found->intervals[i];
        if (speaks(t, x) && (best == NULL || isnan(best->recall) || x->recall > best->recall))
            best = x;
    }
    return best;
}

/* What is said of limits: "between ... and ...", and of a target. */
static void say_limits(char *out, size_t size, const iv_recall_told *t,
                       const iv_review_interval *x)
{
    char target[96] = "", p[IV_PROBABILITY_SIZE];

    if (!isnan(x->p_target))
        (void)snprintf(target, sizeof target, "; the probability of at least %g is %s",
                       t->q->target, iv_probability(p, x->p_target));
    if (t->q->looks > 0)
        (void)snprintf(out, size, "at look %zu of %zu at least %.3f, with %.10g %% confidence over "
                       "all looks%s", t->q->look, t->q->looks, x->lower, 100.0 * t->confidence,
                       target);
    else if (t->q->one_sided)
        (void)snprintf(out, size, "with %.10g %% confidence at least %.3f%s",
                       100.0 * t->confidence, x->lower, target);
    else
        (void)snprintf(out, size, "with %.10g %% confidence between %.3f and %.3f%s",
                       100.0 * t->confidence, x->lower, x->upper, target);
}

/* Many topics: none of them stands for the others. */
static void answer_topics(iv_result *out, const iv_recall_told *t, const char *verdict)
{
    const int64_t cutoff = t->cases[t->case_count - 1].cutoff;
    const iv_review_interval *least = NULL, *most = NULL;
    double sum = 0.0, topics = 0.0;

    for (size_t i = 0; i < t->found->interval_count; i++) {
        const iv_review_interval *x = &t->found->intervals[i];
        if (!speaks(t, x) || x->of.cutoff != cutoff || isnan(x->recall))
            continue;
        least = least == NULL || x->recall < least->recall ? x : least;
        most = most == NULL || x->recall > most->recall ? x : most;
        sum += x->recall;
        topics += 1.0;
    }
    if (least == NULL) {
        iv_result_answer(out, "No relevant document was drawn for any topic at cut-off %lld, "
                         "and recall has no estimate.", (long long)cutoff);
        return;
    }
    iv_result_answer(out, "%sOver %.0f topics recall at %lld is estimated at %.3f on average, from "
                     "%.3f (%.60s) to %.3f (%.60s); each has an interval of its own.",
                     verdict, topics, (long long)cutoff, sum / topics, least->recall,
                     least->of.topic, most->recall, most->of.topic);
}

static void answer(iv_result *out, const iv_recall_told *t, const iv_review_interval *best,
                   const char *verdict)
{
    char estimate[256], limits[256];

    if (isnan(best->lower) && isnan(best->recall)) {
        iv_result_answer(out, "Everything is judged and nothing is relevant: there is no recall.");
        return;
    }
    const char *known = is_sampled(&t->cases[0].segments)
        ? without_finds(&t->cases[0].segments) : NULL;
    if (isnan(best->recall) && t->case_count == 1 && known != NULL) {
        iv_result_answer(out, "%sNo relevant document was drawn, and %s.", verdict, known);
        return;
    }
    if (isnan(best->recall))
        (void)snprintf(estimate, sizeof estimate, "%s", !is_sampled(&t->cases[0].segments)
                       ? "Of a segment nothing was drawn, and recall has no estimate"
                       : t->case_count > 1 ? "No relevant document was drawn: recall has no estimate"
                       : "No relevant document was drawn, and recall may be anything");
    else if (t->case_count > 1 && t->ranked)
        (void)snprintf(estimate, sizeof estimate, "At cut-off %lld of topic %.100s, the last of "
                       "%zu, recall is estimated at %.3f", (long long)best->of.cutoff,
                       best->of.topic, t->case_count, best->recall);
    else if (t->case_count > 1)
        (void)snprintf(estimate, sizeof estimate, "Of %zu runs, %.100s has the highest estimate "
                       "of recall, %.3f", t->case_count, best->of.run, best->recall);
    else
        (void)snprintf(estimate, sizeof estimate, "Recall is estimated at %.3f", best->recall);
    say_limits(limits, sizeof limits, t, best);
    iv_result_answer(out, "%s%s, %s.", verdict, estimate, limits);
}

/* The row of the last cut-off. */
static const iv_review_interval *last_of(const iv_recall_told *t)
{
    const iv_review_interval *last = NULL;

    for (size_t i = 0; i < t->found->interval_count; i++) {
        if (speaks(t, &t->found->intervals[i]))
            last = &t->found->intervals[i];
    }
    return last;
}

static bool many_topics(const iv_recall_told *t)
{
    for (size_t i = 1; i < t->case_count && t->ranked; i++) {
        if (strcmp(t->cases[i].topic, t->cases[0].topic) != 0)
            return true;
    }
    return false;
}

void iv_recall_words(iv_result *out, const iv_recall_told *t)
{
    const iv_review_interval *x = t->ranked ? last_of(t) : best_of(t);

    iv_wording verdict = { 0 };

    iv_recall_say_verdict(out, &verdict, t);
    iv_recall_say_watched(&verdict, t);
    if (x != NULL && many_topics(t))
        answer_topics(out, t, verdict.at);
    else if (x != NULL)
        answer(out, t, x, verdict.at);
    note_all(out, t);
}
