/* SPDX-License-Identifier: Apache-2.0 */
#include "command/recall_words.h"

#include <math.h>
#include <string.h>

enum { FEW = 10, MOST_WARNINGS = 3 };

const char *recall_method_name(int method)
{
    return method < IV_RECALL_ALL ? iv_recall_method_names()[method] : "betabin-prior";
}

static bool stratified(const recall_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        if (cases->at[i].retrieved > 1 || cases->at[i].unretrieved > 1)
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

static int64_t found_unretrieved(const recall_case *k)
{
    const iv_segments s = recall_segments(k);
    int64_t found = 0;

    for (size_t i = 0; i < k->unretrieved; i++)
        found += s.unretrieved[i].relevant;
    return found;
}

/* By how much the estimate is too high, to first order; 0: it need not be. */
static double bias_of(const recall_case *k)
{
    const iv_segments s = recall_segments(k);
    const double recall = iv_recall_estimate(&s);
    const int64_t found = found_unretrieved(k);

    if (found >= FEW || is_whole(s.unretrieved, k->unretrieved))
        return 0.0;
    return found == 0 || isnan(recall)
               ? INFINITY : recall * (1.0 - recall) * (1.0 - recall) / (double)found;
}

static void name_case(char *out, size_t size, const recall_cases *cases, const recall_case *k)
{
    out[0] = '\0';
    if (cases->ranked)
        (void)snprintf(out, size, "%.100s at %lld: ", k->topic, (long long)k->cutoff);
    else if (cases->count > 1)
        (void)snprintf(out, size, "%.100s: ", k->run);
}

static void note_one_bias(const recall_cases *cases, const recall_case *k, iv_result *out)
{
    const iv_segments s = recall_segments(k);
    const double bias = bias_of(k);
    char where[160];
    const int64_t found = found_unretrieved(k);

    name_case(where, sizeof where, cases, k);
    const char no = where[0] != '\0' ? 'n' : 'N', only = where[0] != '\0' ? 'o' : 'O';
    if (is_whole(k->strata, k->retrieved + k->unretrieved) && isnan(iv_recall_estimate(&s)))
        iv_result_note(out, "%s%co document is relevant: there is no recall.", where, no);
    else if (isnan(iv_recall_estimate(&s)))
        iv_result_note(out, "%s%co sampled document is relevant: there is no estimate, and every "
                       "recall is possible.", where, no);
    else if (bias > 0.0 && found == 0)
        iv_result_note(out, "%s%co relevant document in the unretrieved sample: the estimate is 1 "
                       "whatever was missed; only the lower limit tells.", where, no);
    else if (bias > 0.0)
        iv_result_note(out, "%s%cnly %lld relevant document%s in the unretrieved sample: the "
                       "estimate tends to be too high, here by about %.3f.", where, only,
                       (long long)found, found == 1 ? "" : "s", bias);
}

/* A line a case while they are few, else one for all. */
static void note_bias(const recall_cases *cases, iv_result *out)
{
    size_t warned = 0, none = 0;

    for (size_t i = 0; i < cases->count; i++) {
        const iv_segments s = recall_segments(&cases->at[i]);
        const double bias = bias_of(&cases->at[i]);
        warned += bias > 0.0 || isnan(iv_recall_estimate(&s));
        none += isinf(bias) != 0;
    }
    for (size_t i = 0; i < cases->count && warned <= MOST_WARNINGS; i++)
        note_one_bias(cases, &cases->at[i], out);
    if (warned > MOST_WARNINGS)
        iv_result_note(out, "%zu of %zu rows have fewer than %d relevant documents in the "
                       "unretrieved sample, %zu of them none: their estimates tend to be too "
                       "high, and with none they are 1 whatever was missed.", warned,
                       cases->count, FEW, none);
}

/* ------------------------------------------------------------- method -- */

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
    "uniform prior", "most conservative prior", "prior Beta(1/2, 1/2)",
};

static void note_method(const recall_args *a, bool strata, iv_result *out)
{
    const char *each = strata ? "stratum" : "segment";
    const int method = a->method == IV_RECALL_AUTO ? IV_RECALL_BETABIN_SHARED : a->method;
    const bool shared = method == IV_RECALL_BETABIN_SHARED && strata;
    char prior[64] = "prior Beta(1/2, 1/2)";

    if (a->method >= IV_RECALL_ALL)
        return;
    if (method < IV_RECALL_BETABIN_UNIFORM) {
        iv_result_note(out, "Method: %s, %s.", recall_method_name(method),
                       explained[method]);
        return;
    }
    if (method < IV_RECALL_BETABIN_HALF)
        (void)snprintf(prior, sizeof prior, "%s", explained[method]);
    if (a->prior.count > 0)
        (void)snprintf(prior, sizeof prior, "prior Beta(%g, %g)", a->prior.at[0],
                       a->prior.at[1]);
    iv_result_note(out, "Method: %s, the beta-binomial posterior of the number of relevant "
                   "documents, %s in each %s%s, summed without simulation (Webber 2013, section "
                   "3.6%s).", a->prior.count > 0 ? "betabin-prior" : recall_method_name(method),
                   prior, shared ? "segment" : each,
                   shared ? " shared by its strata in proportion to their size" : "",
                   shared ? "; he has the whole prior in every stratum" : "");
}

static void note_all(const recall_findings *f, const recall_cases *cases, const cmd_context *c)
{
    const recall_args *a = c->args;
    const double confidence = c->shared->confidence;
    const bool strata = stratified(cases), several = a->method == IV_RECALL_ALL;
    iv_result *out = c->result;

    note_bias(cases, out);
    if (f->heavy[0] != '\0')
        iv_result_note(out, "The prior brings in %s%.0f %% of the posterior yield%s%s%s: more "
                       "than 10 %%, so the interval depends on it; more judgments in large, "
                       "little sampled %s would tell more.",
                       several || cases->count > 1 ? "up to " : "", 100.0 * f->heaviest,
                       several ? " (" : "", several ? f->heavy : "", several ? ")" : "",
                       strata ? "strata" : "segments");
    if (f->outside > 0)
        iv_result_note(out, "%zu interval%s by a normal method leave%s [0, 1]; shown as "
                       "computed.", f->outside, f->outside == 1 ? "" : "s",
                       f->outside == 1 ? "s" : "");
    if (a->one_sided)
        iv_result_note(out, "One-sided: each limit holds by itself with %g %% confidence; both "
                       "together with %g %%.", 100.0 * confidence,
                       fmax(0.0, 100.0 * (2.0 * confidence - 1.0)));
    if (f->cells)
        iv_result_note(out, "A posterior too large for its atoms was summed over cells; its "
                       "probabilities are good to 1e-6.");
    note_method(a, strata, out);
    iv_result_note(out, "Assumed: of each %s a simple random sample without replacement, judged "
                   "without error%s.", strata ? "stratum" : "segment",
                   strata ? "; documents outside the strata do not count" : "");
    iv_result_note(out, "Reference: W. Webber (2013), Approximate recall confidence intervals, "
                   "ACM Transactions on Information Systems 31(1).");
}

/* ------------------------------------------------------------- answer -- */

static void answer(const recall_findings *f, const recall_cases *cases, const cmd_context *c)
{
    const recall_args *a = c->args;
    const iv_segments s = recall_segments(f->best);
    const double recall = iv_recall_estimate(&s), confidence = 100.0 * c->shared->confidence;
    char estimate[256], limits[96], target[96] = "";

    if (isnan(recall))
        (void)snprintf(estimate, sizeof estimate, "No relevant document was drawn, and recall "
                       "may be anything");
    else if (cases->count > 1 && cases->ranked)
        (void)snprintf(estimate, sizeof estimate, "At cut-off %lld of topic %.100s, the highest "
                       "of %zu, recall is estimated at %.3f", (long long)f->best->cutoff,
                       f->best->topic, cases->count, recall);
    else if (cases->count > 1)
        (void)snprintf(estimate, sizeof estimate, "Of %zu runs, %.100s has the highest estimate "
                       "of recall, %.3f", cases->count, f->best->run, recall);
    else
        (void)snprintf(estimate, sizeof estimate, "Recall is estimated at %.3f", recall);
    if (a->one_sided)
        (void)snprintf(limits, sizeof limits, "at least %.3f", f->interval.lower);
    else
        (void)snprintf(limits, sizeof limits, "between %.3f and %.3f", f->interval.lower,
                       f->interval.upper);
    if (!isnan(f->p_target))
        (void)snprintf(target, sizeof target, "; P(recall >= %g) = %.4f", a->target,
                       f->p_target);
    iv_result_answer(c->result, "%s, with %g %% confidence %s (%s)%s.", estimate, confidence,
                     limits, recall_method_name(f->method), target);
}

void recall_words(const recall_findings *f, const recall_cases *cases, const cmd_context *c)
{
    if (f->best != NULL)
        answer(f, cases, c);
    note_all(f, cases, c);
}
