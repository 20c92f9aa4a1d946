/* SPDX-License-Identifier: Apache-2.0 */
/* Elusion: the proportion of relevant documents among those that were not retrieved. */
#include "review/recall.h"

#include <math.h>
#include <stdio.h>

#include "base/err.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "stat/recall/elusion.h"

enum { LIMITED = 1 };

/* The proportion of relevant documents among those not retrieved. */
typedef struct elusion_row {
    size_t size, sampled, relevant;
    iv_interval is;
    double at_least, at_most; /* one-sided limits */
    const char *verdict;
} elusion_row;

/* How many relevant documents that is. */
typedef struct missed_row {
    size_t documents, lower, upper, at_least, at_most;
} missed_row;

const iv_field iv_elusion_share_fields[] = {
    { "N", IV_AT(elusion_row, size), .heading = "documents",
      .about = "number of unretrieved documents" },
    { "n", IV_AT(elusion_row, sampled), .heading = "judged", .about = "documents sampled" },
    { "r", IV_AT(elusion_row, relevant), .heading = "relevant",
      .about = "relevant documents in the sample" },
    { "elusion", IV_AT(elusion_row, is.value), .digits = 5,
      .about = "proportion of relevant documents in the sample" },
    IV_LIMITS(elusion_row, is., 5),
    { "at_least", IV_AT(elusion_row, at_least), .digits = 5, .heading = "one-sided lower",
      .about = "one-sided lower limit" },
    { "at_most", IV_AT(elusion_row, at_most), .digits = 5, .heading = "one-sided upper",
      .about = "one-sided upper limit" },
    { "verdict", IV_AT(elusion_row, verdict), .needs = LIMITED,
      .about = "whether elusion is below the given limit" },
    { NULL } };

const iv_field iv_elusion_missed_fields[] = {
    { "documents", IV_AT(missed_row, documents),
      .about = "relevant documents missed: elusion times number of unretrieved documents" },
    { "lower", IV_AT(missed_row, lower), .about = "lower limit of the interval" },
    { "upper", IV_AT(missed_row, upper), .about = "upper limit of the interval" },
    { "at_least", IV_AT(missed_row, at_least), .heading = "one-sided lower",
      .about = "one-sided lower limit" },
    { "at_most", IV_AT(missed_row, at_most), .heading = "one-sided upper",
      .about = "one-sided upper limit" },
    { NULL } };

/* The verdict on the limit that was asked about. */
static int say_limit(elusion_row *row, iv_result *out, iv_wording *w,
                     const iv_elusion_question *q, double confidence, iv_err *err)
{
    const double limit = q->max_elusion, percent = 100.0 * confidence;
    const double at_least = row->at_least, at_most = row->at_most;
    iv_claim claim = { .kind = IV_CLAIM_BELOW, .measure = "elusion", .bound = limit,
                       .estimate = row->is.value, .lower = at_least, .upper = at_most, .p = NAN,
                       .p_contrary = NAN, .level = 1.0 - confidence, .method = "hypergeometric",
                       .strength = IV_STRENGTH_GUARANTEED,
                       .items = (double)q->unretrieved.at[1] };
    iv_claim_outlook(&claim);
    const iv_verdict verdict = iv_claim_decide(&claim);
    char goal[IV_FIGURE_SIZE], is[IV_FIGURE_SIZE], n[IV_FIGURE_SIZE];
    iv_stratum plan;

    row->verdict = iv_recall_verdict_word(verdict, true);
    (void)iv_result_claim(out, &claim);
    (void)iv_percent(goal, limit, limit);
    if (verdict == IV_VERDICT_SHOWN)
        iv_say(w, "Yes, certified: elusion is below %s (%.10g %% confidence, one-sided upper "
                  "limit %s, rounded outwards). ",
               goal, percent, iv_percent_limit(is, at_most, limit, true));
    else if (verdict == IV_VERDICT_OTHERWISE)
        iv_say(w, "No: elusion is %s or more (%.10g %% confidence, one-sided lower limit %s, "
                  "rounded outwards). ",
               goal, percent, iv_percent_limit(is, at_least, limit, false));
    else
        iv_say(w, "Inconclusive: an elusion below %s is neither demonstrated nor excluded. ", goal);
    if (verdict != IV_VERDICT_OPEN)
        return IV_OK;
    const int64_t *s = q->unretrieved.at;
    const int rc = iv_elusion_size(&plan, s[0], s[2], limit, confidence, err);
    if (rc == IV_OK)
        iv_recall_say(out, "recall.elusion-more", 1,
                      iv_thousands(n, (double)(plan.sampled - s[1])), goal);
    return rc == IV_ENODATA ? IV_OK : rc;
}

static void report_elusion(iv_result *out, const elusion_row *row, const missed_row *m,
                           const iv_wording *w, const iv_elusion_question *q, double confidence)
{
    const iv_interval *s = &row->is;
    const double limit = q->max_elusion > 0.0 ? q->max_elusion : (double)NAN;
    char e[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE], most[80];

    (void)iv_percent(e, s->value, NAN);
    if (row->at_most < limit || row->at_least >= limit) /* a one-sided limit decides */
        iv_result_answer(out, "%sElusion is estimated at %s.", w->at, e);
    else
        iv_result_answer(out, "%sElusion is estimated at %s (%.10g %% interval %s to %s, rounded "
                         "outwards).", w->at, e, 100.0 * confidence,
                         iv_percent_limit(low, s->lower, limit, false),
                         iv_percent_limit(high, s->upper, limit, true));
    iv_recall_say(out, "recall.one-sided", (row->at_most < limit && s->upper >= limit)
                  || (row->at_least >= limit && s->lower < limit), NULL, NULL);
    (void)snprintf(most, sizeof most, "%s (one-sided %.10g %% limit)", IV_COUNT(m->at_most),
                   100.0 * confidence);
    iv_recall_say(out, "recall.missed", 1, IV_COUNT(m->documents), most);
    iv_recall_say(out, "recall.elusion", 1, NULL, NULL);
    iv_result_used(out, "hypergeometric");
    iv_result_assumption(out, "The sample is a simple random sample of the documents not "
                         "retrieved, taken without replacement when the set of retrieved documents "
                         "was final. Its size was fixed before judging began.");
    iv_result_assumption(out, "The judgments are correct.");
}

int iv_answer_elusion(iv_result *out, const iv_elusion_question *q, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    iv_wording w = { 0 };

    if (q->unretrieved.count != 3)
        return iv_fail(err, IV_EARG, "--unretrieved has %zu numbers, expected N,n,r",
                       q->unretrieved.count);
    const iv_stratum s = { q->unretrieved.at[0], q->unretrieved.at[1], q->unretrieved.at[2] };
    int64_t lower, upper, at_least, at_most;
    IV_TRY(iv_elusion_limits(&lower, &upper, &s, confidence, false, err));
    IV_TRY(iv_elusion_limits(&at_least, &at_most, &s, confidence, true, err));
    if (s.sampled == 0)
        return iv_fail(err, IV_ENODATA, "n = 0: nothing was sampled, and elusion may be anything");
    const double N = (double)s.size, share = (double)s.relevant / (double)s.sampled;
    const missed_row m = { (size_t)(N * share + 0.5), (size_t)lower, (size_t)upper,
                           (size_t)at_least, (size_t)at_most };
    elusion_row row = { .size = (size_t)s.size, .sampled = (size_t)s.sampled,
                        .relevant = (size_t)s.relevant,
                        .is = { share, NAN, (double)lower / N, (double)upper / N },
                        .at_least = (double)at_least / N, .at_most = (double)at_most / N };
    if (q->max_elusion != 0.0)
        IV_TRY(say_limit(&row, out, &w, q, confidence, err));
    IV_TABLE(out, "elusion", iv_elusion_share_fields, &row, 1,
             .with = q->max_elusion != 0.0 ? LIMITED : 0);
    iv_table_named(IV_TABLE(out, "missed", iv_elusion_missed_fields, &m, 1));
    report_elusion(out, &row, &m, &w, q, confidence);
    return IV_OK;
}
