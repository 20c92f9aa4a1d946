/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of an elusion test: accept on zero, or on up to k finds. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "intervale/review.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "stat/recall/elusion.h"

#include <math.h>

enum { USUAL = 6, MOST_ACCEPTED = 1000 };

/* One plan: documents to sample, and relevant ones among them that are accepted. */
typedef struct elusion_row {
    size_t accept, sampled;
    double proportion;
    double by_guess, at_limit; /* P(acceptance) if elusion is as assumed, and at the limit */
} elusion_row;

const iv_field iv_plan_elusion_fields[] = {
    { "accept", IV_AT(elusion_row, accept),
      .about = "relevant documents allowed in the sample" },
    { "documents", IV_AT(elusion_row, sampled), .about = "documents to sample and judge" },
    { "proportion", IV_AT(elusion_row, proportion), .digits = 5, .audience = IV_IF_VERBOSE,
      .about = "accept / documents" },
    { "p_accept", IV_AT(elusion_row, by_guess), .digits = 4,
      .about = "probability of acceptance if elusion is as assumed" },
    { "p_wrong", IV_AT(elusion_row, at_limit), .digits = 4,
      .about = "probability of acceptance if elusion is at the limit" },
    { NULL } };

typedef struct planning {
    const iv_plan_elusion_question *q;
    double guess, assurance, confidence;
    int64_t relevant; /* by the guess */
    elusion_row rows[65]; /* those asked for, and the one that is recommended */
    size_t count;
    elusion_row enough; /* the first that is accepted as likely as wanted */
    bool is_enough;
} planning;

static int make(elusion_row *row, const planning *p, int64_t accept, iv_err *err)
{
    const double limit = ceil(p->q->below * (double)p->q->population * (1.0 - 1e-14));
    iv_stratum x;

    IV_TRY(iv_elusion_size(&x, p->q->population, accept, p->q->below, p->confidence, err));
    *row = (elusion_row){ .accept = (size_t)accept, .sampled = (size_t)x.sampled,
                          .proportion = (double)accept / (double)x.sampled,
                          .by_guess = iv_elusion_accepts(&x, p->relevant),
                          .at_limit = iv_elusion_accepts(&x, (int64_t)limit) };
    return IV_OK;
}

static int prepare(planning *p, iv_err *err)
{
    const iv_plan_elusion_question *q = p->q;

    if (q->population < 1 || !(q->below > 0.0 && q->below <= 1.0))
        return iv_fail(err, IV_EARG, "%lld documents and a limit of %g, expected at least 1, and "
                       "above 0 and at most 1", (long long)q->population, q->below);
    if (q->accept.count >= sizeof p->rows / sizeof *p->rows)
        return iv_fail(err, IV_EARG, "%zu numbers of relevant documents to accept, expected at "
                                     "most 64",
                       q->accept.count);
    p->confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    p->assurance = q->assurance == 0.0 ? 0.9 : q->assurance;
    p->guess = q->elusion == 0.0 ? 0.25 * q->below : q->elusion;
    if (!(p->guess > 0.0 && p->guess < q->below) || !(p->assurance > 0.0 && p->assurance < 1.0))
        return iv_fail(err, IV_EARG, "elusion guessed at %g with assurance %g, expected below the "
                       "limit of %.10g, and between 0 and 1", p->guess, p->assurance, q->below);
    p->relevant = (int64_t)round(p->guess * (double)q->population);
    return IV_OK;
}

/* The plan that the answer recommends is a row, too. */
static void insert_enough(planning *p)
{
    size_t at = 0;

    while (at < p->count && p->rows[at].accept < p->enough.accept)
        at++;
    if (at < p->count && p->rows[at].accept == p->enough.accept)
        return;
    for (size_t i = p->count++; i > at; i--)
        p->rows[i] = p->rows[i - 1];
    p->rows[at] = p->enough;
}

static int find_plans(planning *p, iv_err *err)
{
    static const int64_t usual[USUAL] = { 0, 1, 2, 3, 5, 10 };
    const bool given = p->q->accept.count > 0;
    const int64_t *accept = given ? p->q->accept.at : usual;
    const size_t count = given ? p->q->accept.count : USUAL;
    int rc = IV_OK;

    for (size_t i = 0; rc == IV_OK && i < count; i++) {
        rc = make(&p->rows[p->count], p, accept[i], err);
        if (rc == IV_ENODATA && p->count > 0) {
            rc = IV_OK; /* the larger ones cannot be had of so few documents */
            break;
        }
        p->count += rc == IV_OK;
    }
    if (rc < 0)
        return rc;
    if (given && p->q->assurance == 0.0) { /* those asked for, no other */
        p->enough = p->rows[p->count - 1];
        p->is_enough = true;
    }
    for (int64_t c = 0; rc == IV_OK && !p->is_enough && c <= MOST_ACCEPTED; c++) {
        rc = make(&p->enough, p, c, err);
        p->is_enough = rc == IV_OK && p->enough.by_guess >= p->assurance;
    }
    if (p->is_enough)
        insert_enough(p);
    return rc == IV_ENODATA ? IV_OK : rc;
}

static void report(iv_result *out, const planning *p)
{
    char limit[IV_FIGURE_SIZE], guess[IV_FIGURE_SIZE], if_few[80] = "none is";
    const elusion_row *x = &p->rows[0], *y = &p->enough;
    const bool two = p->is_enough && y->sampled != x->sampled;
    iv_wording w = { 0 };

    if (x->accept > 0)
        (void)snprintf(if_few, sizeof if_few, "at most %s are", IV_COUNT(x->accept));
    iv_say(&w, "Judge %s of the %s unretrieved documents: if %s relevant, elusion is below %s "
           "(%.10g %% confidence).", IV_COUNT(x->sampled),
           IV_COUNT(p->q->population), if_few,
           iv_percent(limit, p->q->below, p->q->below), 100.0 * p->confidence);
    if (two)
        iv_say(&w, " Or judge %s and accept up to %s relevant one%s.",
               IV_COUNT(y->sampled), IV_COUNT(y->accept),
               y->accept == 1 ? "" : "s");
    iv_result_answer(out, "%s", w.at);
    (void)iv_percent(guess, p->guess, p->guess);
    if (two)
        iv_result_note(out, "If elusion is %s, the test of %s documents succeeds with a chance of "
                       "%.0f %%, and the test of %s with a chance of %.0f %%.",
                       guess, IV_COUNT(y->sampled), 100.0 * y->by_guess,
                       IV_COUNT(x->sampled), 100.0 * x->by_guess);
    else if (p->is_enough)
        iv_result_note(out, "If elusion is %s, the test succeeds with a chance of %.0f %%.", guess,
                       100.0 * y->by_guess);
    else
        iv_result_note(out, "If elusion is %s, no test that accepts up to %s relevant documents "
                       "succeeds with a chance of %.10g %%.", guess, IV_COUNT(MOST_ACCEPTED),
                       100.0 * p->assurance);
    iv_result_legend(out, "p_accept assumes an elusion of %.10g; p_wrong assumes %.10g and is at "
                     "most %.10g", p->guess, p->q->below, 1.0 - p->confidence);
    iv_result_used(out, "hypergeometric");
    iv_result_assumption(out, "The sample will be a simple random sample of the documents not "
                         "retrieved, taken without replacement, and the judgments are correct.");
    iv_result_assumption(out, "The sample size and the number to accept are fixed before judging "
                         "begins.");
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    planning p = { .q = asked };

    IV_TRY(prepare(&p, err));
    (void)work; /* some milliseconds */
    IV_TRY(find_plans(&p, err));
    IV_TABLE(out, "plan", iv_plan_elusion_fields, p.rows, p.count);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "plan", .title = "The plans",
        .caption = "The probability that a plan succeeds if elusion is as assumed, by the number "
                   "of documents to judge.",
        .x = "documents", .value = "p_accept",
        .value_axis = { .title = "probability of acceptance", .from = 0.0, .to = 1.0 },
        .lines = { { "wanted", p.assurance, false } } });
    report(out, &p);
    return IV_OK;
}

int iv_answer_plan_elusion(iv_result *out, const iv_plan_elusion_question *q, const iv_work *work,
                           iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_plan_elusion_question, accept, INTEGERS, "number of finds"),
        IV_PART_OF(iv_plan_elusion_question, below, REAL, "the limit"),
        IV_PART_OF(iv_plan_elusion_question, elusion, REAL, "the guess of elusion"),
        IV_PART_OF(iv_plan_elusion_question, assurance, REAL, "the assurance"),
        IV_PART_OF(iv_plan_elusion_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
