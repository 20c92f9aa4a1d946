/* SPDX-License-Identifier: Apache-2.0 */
/* Elusion by itself: how much did the search leave behind? */
#include "intervale/stat/elusion.h"

#include "answer/answer_columns.h"
#include "answer/recall_parts.h"
#include "base/result.h"

typedef struct share_row {
    int64_t size, sampled, relevant;
    double estimate, lower, upper, at_least, at_most;
    const char *verdict;
} share_row;

typedef struct missed_row {
    int64_t estimate, lower, upper, at_least, at_most;
} missed_row;

enum { LIMIT = 1 };

const iv_field iv_elusion_share_fields[] = {
    { "N", IV_AT(share_row, size), .about = "documents not retrieved" },
    { "n", IV_AT(share_row, sampled), .about = "of those, sampled" },
    { "r", IV_AT(share_row, relevant), .about = "of those, relevant" },
    { "elusion", IV_AT(share_row, estimate), .digits = 5, .about = "share relevant, r / n" },
    { "lower", IV_AT(share_row, lower), .digits = 5, .about = "limit; both hold together" },
    { "upper", IV_AT(share_row, upper), .digits = 5, .about = "limit; both hold together" },
    { "at_least", IV_AT(share_row, at_least), .digits = 5,
      .about = "one-sided limit, which holds by itself" },
    { "at_most", IV_AT(share_row, at_most), .digits = 5,
      .about = "one-sided limit, which holds by itself" },
    { "verdict", IV_AT(share_row, verdict), .needs = LIMIT,
      .about = "whether elusion is below the limit that was asked about" },
    { NULL } };

const iv_field iv_elusion_missed_fields[] = {
    { "documents", IV_AT(missed_row, estimate),
      .about = "relevant ones among those not retrieved, N r / n" },
    { "lower", IV_AT(missed_row, lower), .about = "limit; both hold together" },
    { "upper", IV_AT(missed_row, upper), .about = "limit; both hold together" },
    { "at_least", IV_AT(missed_row, at_least), .about = "one-sided limit" },
    { "at_most", IV_AT(missed_row, at_most), .about = "one-sided limit" },
    { NULL } };

/* What becomes of the limit, and in words. */
static int say_limit(share_row *row, iv_result *out, iv_wording *w, const iv_recall_question *q,
                     double confidence, iv_err *err)
{
    const double limit = q->max_elusion, percent = 100.0 * confidence;
    const iv_verdict verdict = row->at_most < limit     ? IV_VERDICT_SHOWN
                               : row->at_least >= limit ? IV_VERDICT_OTHERWISE
                                                        : IV_VERDICT_OPEN;
    iv_elusion_plan plan;

    row->verdict = iv_verdict_name(verdict);
    iv_result_verdict(out, verdict, "elusion is below %g", limit);
    if (verdict == IV_VERDICT_SHOWN) {
        iv_say(w, "Yes, certified: with %.10g %% confidence elusion is below %g. ", percent, limit);
        return IV_OK;
    }
    if (verdict == IV_VERDICT_OTHERWISE) {
        iv_say(w, "No, refuted: with %.10g %% confidence elusion is %g or more. ", percent, limit);
        return IV_OK;
    }
    iv_say(w, "Not shown either way: with %.10g %% confidence elusion may be below %g, and may be "
           "more", percent, limit);
    const int rc = iv_elusion_size(&plan, row->size, row->relevant, limit, confidence, err);
    if (rc == IV_OK) {
        iv_say(w, "; %lld more documents, none of them relevant, would show that it is below",
               (long long)(plan.sampled - row->sampled));
        iv_tell_second_look(out, false);
    } else if (rc != IV_ENODATA)
        return rc;
    iv_say(w, ". ");
    return IV_OK;
}

static void tell(iv_result *out, const share_row *s, const missed_row *m, const iv_wording *w,
                 double confidence)
{
    const double percent = 100.0 * confidence;

    iv_result_answer(out, "%sOf the %lld documents not retrieved, about %lld are relevant, a "
                     "share (elusion) of %.5f; with %.10g %% confidence between %lld and %lld "
                     "(%.5f to %.5f), and one-sided at most %lld (%.5f).", w->at,
                     (long long)s->size, (long long)m->estimate, s->estimate, percent,
                     (long long)m->lower, (long long)m->upper, s->lower, s->upper,
                     (long long)m->at_most, s->at_most);
    iv_result_note(out, "How this was computed: exact limits from the hypergeometric distribution of a random sample "
                     "without replacement: they hold their confidence whatever the truth.");
    iv_result_assumption(out, "The sample is a simple random sample of the documents not "
                         "retrieved, drawn without replacement.");
    iv_result_assumption(out, "The judgments are right.");
    iv_result_note(out, "Elusion says how much was missed, not what share of the relevant: a "
                   "small elusion and a small recall go together where little is relevant. "
                   "Recall needs the retrieved side as well.");
}

int iv_answer_elusion(iv_result *out, const iv_recall_question *q, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    iv_wording w = { 0 };

    if (q->unretrieved.count != 3)
        return iv_fail(err, IV_EARG, "the unretrieved segment has %zu numbers, expected N, n and "
                       "r", q->unretrieved.count);
    const iv_stratum s = { q->unretrieved.at[0], q->unretrieved.at[1], q->unretrieved.at[2] };
    missed_row m;
    int rc = iv_elusion_limits(&m.lower, &m.upper, &s, confidence, false, err);
    if (rc == IV_OK)
        rc = iv_elusion_limits(&m.at_least, &m.at_most, &s, confidence, true, err);
    if (rc == IV_OK && s.sampled == 0)
        rc = iv_fail(err, IV_ENODATA, "n = 0: nothing was sampled, and elusion may be anything");
    if (rc < 0)
        return rc;
    const double N = (double)s.size, share = (double)s.relevant / (double)s.sampled;
    m.estimate = (int64_t)(N * share + 0.5);
    share_row row = { s.size, s.sampled, s.relevant, share, (double)m.lower / N,
                      (double)m.upper / N, (double)m.at_least / N, (double)m.at_most / N, NULL };
    if (q->max_elusion != 0.0)
        rc = say_limit(&row, out, &w, q, confidence, err);
    if (rc < 0)
        return rc;
    iv_result_rows(out, &(iv_rows){ "elusion", iv_elusion_share_fields, &row, 1, sizeof row,
                                    .with = q->max_elusion != 0.0 ? LIMIT : 0 });
    iv_table_named(iv_result_rows(out, &(iv_rows){ "missed", iv_elusion_missed_fields, &m, 1, sizeof m }));
    tell(out, &row, &m, &w, confidence);
    return IV_OK;
}
