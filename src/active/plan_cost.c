/* SPDX-License-Identifier: Apache-2.0 */
/* plan cost -- many topics with few judgments, or few with many? */
#include "active/cost_model.h"
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/methods.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------------- the pilot -- */

/* Certainties, topics and judgments, one after the other. */
static int read_rows(double *x, const iv_csv *t, iv_err *err)
{
    const iv_column_role roles[3] = {
        { "certainty,confidence,lambda", .low = 0.5, .high = 1.0 },
        { "topics,n", .low = 1.0, .high = (double)INFINITY },
        { "judgments,j", .low = 0.0, .high = (double)INFINITY } };
    const size_t rows = iv_csv_rows(t);
    size_t column[3];

    IV_TRY(iv_role_columns(column, t, roles, 3, "", err));
    for (size_t i = 0; i < 3 * rows; i++)
        IV_TRY(iv_role_number(&x[i % 3 * rows + i / 3], t, i / 3, column[i % 3], &roles[i % 3],
                              err));
    return IV_OK;
}

static int fit(iv_cost_model *m, iv_result *out, const char *path, const iv_work *work,
               iv_err *err)
{
    iv_csv *t = NULL;
    IV_TRY(iv_csv_load(&t, path, work, err));
    iv_result_input(out, path, iv_csv_bytes(t));
    IV_TRY(IV_KEEP(out, csv, t, err));
    const size_t rows = iv_csv_rows(t);
    double *x = iv_take(iv_result_own(out), 3 * rows + 1, sizeof *x);
    IV_TRY(iv_taken(iv_result_own(out), err));
    IV_TRY(read_rows(x, t, err));
    return iv_cost_fit(m, x, x + rows, x + 2 * rows, rows, err);
}

static int read_model(iv_cost_model *m, iv_result *out, const iv_plan_cost_question *q,
                      const iv_work *work, iv_err *err)
{
    if ((q->coefficients.count == 0) == (q->pilot == NULL))
        return iv_fail(err, IV_EARG, "give a PILOT or --coefficients, one of the two");
    if (q->pilot != NULL)
        return fit(m, out, q->pilot, work, err);
    if (q->coefficients.count != 3)
        return iv_fail(err, IV_EARG, "%zu coefficients, expected three", q->coefficients.count);
    *m = (iv_cost_model){ .rows = 0 };
    for (size_t i = 0; i < 3; i++)
        if (!isfinite(q->coefficients.at[i]))
            return iv_fail(err, IV_EARG, "coefficient %zu is %g, expected a finite number", i + 1,
                           q->coefficients.at[i]);
    memcpy(m->g, q->coefficients.at, sizeof m->g);
    return IV_OK;
}

/* --------------------------------------------------------------- the model -- */

typedef struct coefficient_row {
    const char *coefficient;
    double estimate, se, se_scaled;
} coefficient_row;

const iv_field iv_cost_coefficient_fields[] = {
    { "coefficient", IV_AT(coefficient_row, coefficient), .about = "coefficient of the model" },
    { "estimate", IV_AT(coefficient_row, estimate), .digits = 4, .about = "estimate" },
    { "se", IV_AT(coefficient_row, se), .digits = 4, .audience = IV_IF_ANY,
      .about = "standard error if counts are Poisson" },
    { "se_scaled", IV_AT(coefficient_row, se_scaled), .digits = 4, .audience = IV_IF_ANY,
      .about = "standard error scaled by the dispersion" },
    { NULL } };

void iv_put_cost_model(iv_result *out, const iv_cost_model *m)
{
    static const char *const names[] = { "constant", "log certainty", "log topics" };
    coefficient_row rows[3];

    for (size_t k = 0; k < 3; k++) {
        const double se = m->rows > 0 ? sqrt(m->covariance[k][k]) : (double)NAN;
        rows[k] = (coefficient_row){ names[k], m->g[k], se,
                                     .se_scaled = se * sqrt(fmax(1.0, m->dispersion)) };
    }
    IV_TABLE(out, "model", iv_cost_coefficient_fields, rows, 3);
    if (m->rows > 0)
        iv_result_used(out, "judgments-model");
}

const iv_field iv_cost_curve_fields[] = {
    { "certainty", IV_AT(iv_cost_choice, certainty), .digits = 2,
      .about = "probability of identifying the better run of a topic" },
    { "topics", IV_AT(iv_cost_choice, topics), .digits = 1, .about = "topics for the same power" },
    { "judgments", IV_AT(iv_cost_choice, judgments), .digits = 1, .about = "judgments needed" },
    { "cost", IV_AT(iv_cost_choice, cost), .digits = 1, .about = "cost of topics and judgments" },
    { NULL } };

/* Cost by certainty: their figure 6.  Who reads it unasked, in text, gets every fifth row. */
static void put_curve(iv_result *out, const iv_cost_model *m, double n, const iv_prices *prices,
                      double chosen)
{
    enum { FROM = 55, TO = 100 }; /* hundredths */
    const int step = iv_result_wants(out, "curve", IV_ASIDE) ? 1 : 5;
    iv_cost_choice rows[TO - FROM + 1];
    size_t count = 0;

    for (int percent = FROM; percent <= TO; percent += step)
        rows[count++] = iv_cost_at(m, n, percent / 100.0, prices);
    IV_TABLE(out, "curve", iv_cost_curve_fields, rows, count);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curve", .title = "What certainty costs",
        .caption = "The cost of experiments with the same power, by the certainty to which "
                   "each topic is judged. Less certainty needs more topics, but fewer judgments "
                   "of each. The cheapest plan is at the lowest point.",
        .x = "certainty", .value = "cost", .lines = { { "the plan", chosen, true } } });
}

/* What of the model or the choice deserves doubt. */
static void tell_warnings(iv_result *out, const iv_cost_model *m, double certainty)
{
    if (m->g[2] <= 0.0)
        iv_result_note(out, "In the fitted model more topics need no more judgments, which is "
                            "impossible: do not rely on it.");
    if (m->g[1] <= 0.0)
        iv_result_note(out, "In the fitted model certainty needs no judgments, which is "
                            "impossible: do not rely on it.");
    if (certainty <= IV_COST_LEAST_CERTAINTY)
        iv_result_note(out, "The cost falls down to certainty %g, the lowest that was tried.",
                            IV_COST_LEAST_CERTAINTY);
    if (m->rows > 0 && m->dispersion > 2.0 && isfinite(m->dispersion))
        iv_result_note(out, "Counts vary %.1f times as much as a Poisson model says: use "
                            "se_scaled, not se.",
                       m->dispersion);
}

/* ---------------------------------------------------------------- the plan -- */

/* One plan. */
typedef struct cost_row {
    const char *plan;
    size_t topics;
    double certainty, judgments, lower, upper, cost, saving;
} cost_row;

const iv_field iv_plan_cost_fields[] = {
    { "plan", IV_AT(cost_row, plan), .about = "the cheapest, or judging to certainty" },
    { "certainty", IV_AT(cost_row, certainty), .digits = 4,
      .about = "probability of identifying the better run of a topic" },
    { "topics", IV_AT(cost_row, topics), .about = "topics for the same power" },
    { "judgments", IV_AT(cost_row, judgments), .digits = 1, .about = "judgments by the model" },
    { "lower", IV_AT(cost_row, lower), .digits = 1, .audience = IV_IF_ANY,
      .about = "lower limit of the mean number of judgments" },
    { "upper", IV_AT(cost_row, upper), .digits = 1, .audience = IV_IF_ANY,
      .about = "upper limit of the mean number of judgments" },
    { "cost", IV_AT(cost_row, cost), .digits = 1, .about = "cost, with topics not rounded" },
    { "saving", IV_AT(cost_row, saving), .digits = 3,
      .about = "saving relative to the certain plan" },
    { NULL } };

static cost_row row_of(const char *name, const iv_cost_model *m, iv_cost_choice c, double z,
                       double against)
{
    const double spread = z * iv_cost_log_se(m, c.certainty, c.topics);
    const bool known = m->rows > 0;

    return (cost_row){ .plan = name, .topics = (size_t)ceil(c.topics - 1e-9), /* or more */
                       .certainty = c.certainty, .judgments = c.judgments,
                       .lower = known ? c.judgments * exp(-spread) : (double)NAN,
                       .upper = known ? c.judgments * exp(spread) : (double)NAN,
                       .cost = c.cost,
                       .saving = against > 0.0 ? 1.0 - c.cost / against : (double)NAN };
}

static void answer(iv_result *out, const iv_plan_cost_question *q, const iv_cost_model *m,
                   double n, const iv_cost_choice *best)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const double z = iv_norm_isf(0.5 * (1.0 - confidence));
    const bool asked = q->certainty > 0.0;
    const iv_cost_choice shown = asked ? iv_cost_at(m, n, q->certainty, &q->prices) : *best;
    const iv_cost_choice certain = iv_cost_at(m, n, 1.0, &q->prices);
    const cost_row rows[] = { row_of(asked ? "asked" : "cheapest", m, shown, z, certain.cost),
                              row_of("certain", m, certain, z, 0.0) };

    IV_TABLE(out, "plan", iv_plan_cost_fields, rows, 2);
    iv_result_answer(out, "%s: judge %s topics until the better run of each is known with "
                     "probability %.3f (%s judgments, cost %s). Judging %s topics until the "
                     "better run is certain costs %s. Power may be lower than planned: on two of "
                     "four collections tried it fell short, by up to 0.4.",
                     asked ? "As requested" : "Cheapest",
                     IV_COUNT(ceil(shown.topics - 1e-9)), shown.certainty,
                     IV_COUNT(shown.judgments), IV_COUNT(shown.cost), IV_COUNT(ceil(n - 1e-9)),
                     IV_COUNT(certain.cost));
    iv_put_cost_model(out, m);
    put_curve(out, m, n, &q->prices, shown.certainty);
    tell_warnings(out, m, shown.certainty);
    iv_result_used(out, "uncertain-signs");
}

/* The topics that errors of these costs ask for. */
static int topics_by_errors(double *n, iv_result *out, const iv_plan_cost_question *q,
                            const iv_cost_model *m, iv_err *err)
{
    iv_error_plan x;

    if (q->errors.count != 2 || q->topics != 0.0)
        return iv_fail(err, IV_EARG, "costs of errors are two numbers, in place of a number of "
                                     "topics");
    IV_TRY(iv_cost_with_errors(&x, m, q->errors.at[0], q->errors.at[1], q->effect, &q->prices,
                               err));
    iv_result_note(out, "Errors that cost %g and %g call for alpha %.3f and power %.3f at effect "
                        "%g: %.1f certain topics, total cost %.0f.", q->errors.at[0],
                         q->errors.at[1], x.alpha,
                   1.0 - x.beta, q->effect, x.topics, x.cost);
    *n = x.topics;
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    typedef iv_plan_cost_question T;
    const iv_plan_cost_question *q = asked;
    double n = q->topics == 0.0 ? 25.0 : q->topics;
    iv_cost_model m;
    iv_cost_choice best;

    if (q->certainty != 0.0 && !(q->certainty > 0.5 && q->certainty <= 1.0))
        return iv_fail(err, IV_EARG, "certainty %g, expected above 0.5 and at most 1",
                       q->certainty);
    if (q->prices.topic == 0.0)
        IV_TRY(IV_REFUSE(q, "without --topic-cost", err,
            IV_IDLE(prices.free_topics, "free-topics")));
    if (q->errors.count == 0)
        IV_TRY(IV_REFUSE(q, "without --error-costs", err, IV_IDLE(effect, "effect")));
    IV_TRY(read_model(&m, out, q, work, err));
    if (q->errors.count > 0)
        IV_TRY(topics_by_errors(&n, out, q, &m, err));
    IV_TRY(iv_cost_least(&best, &m, n, &q->prices, IV_COST_LEAST_CERTAINTY, err));
    answer(out, q, &m, n, &best);
    return IV_OK;
}

int iv_answer_plan_cost(iv_result *out, const iv_plan_cost_question *q, const iv_work *work,
                        iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_plan_cost_question, pilot, PATH, "the pilot"),
        IV_PART_OF(iv_plan_cost_question, coefficients, REALS, "coefficient"),
        IV_PART_OF(iv_plan_cost_question, topics, REAL, "the number of topics"),
        IV_PART_OF(iv_plan_cost_question, certainty, REAL, "the certainty"),
        IV_PART_OF(iv_plan_cost_question, errors, REALS, "cost of an error"),
        IV_PART_OF(iv_plan_cost_question, effect, REAL, "the effect"),
        IV_PART_OF(iv_plan_cost_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
