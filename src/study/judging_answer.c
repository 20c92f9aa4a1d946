/* SPDX-License-Identifier: Apache-2.0 */
/* study judging: what is told of it. */
#include <math.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "study/judging_study.h"
#include "study/study_columns.h"

const iv_field iv_judging_study_certainty_fields[] = {
    { "from", IV_AT(iv_certainty_bin, from), .digits = 2, .about = "confidence" },
    { "to", IV_AT(iv_certainty_bin, to), .digits = 2, .about = "confidence" },
    { "points", IV_AT(iv_certainty_bin, points), .about = "pairs and moments of judging" },
    { "confidence", IV_AT(iv_certainty_bin, confidence), .digits = 4, .about = "mean" },
    { "accuracy", IV_AT(iv_certainty_bin, accuracy), .digits = 4,
      .about = "share of right signs of differences in MAP" },
    { "topic_accuracy", IV_AT(iv_certainty_bin, topic_accuracy), .digits = 4,
      .about = "share of right signs of topics' differences" },
    { NULL } };

const iv_field iv_judging_study_judgment_fields[] = {
    { "topics", IV_AT(iv_pilot_row, topics), .about = "judged" },
    { "confidence", IV_AT(iv_pilot_row, certainty), .digits = 2, .about = "reached" },
    { "judgments", IV_AT(iv_pilot_row, judgments), .digits = 1, .about = "it took, mean" },
    { "fitted", IV_AT(iv_pilot_row, fitted), .digits = 1, .about = "by the model" },
    { "samples", IV_AT(iv_pilot_row, samples), .about = "of topics" },
    { "reached", IV_AT(iv_pilot_row, reached), .about = "samples that reached it" },
    { NULL } };

typedef struct trial_row {
    const char *a, *b;
    iv_cost_trial x;
} trial_row;

const iv_field iv_judging_study_trial_fields[] = {
    { "a", IV_AT(trial_row, a), .about = "a run" },
    { "b", IV_AT(trial_row, b), .about = "another" },
    { "topics", IV_AT(trial_row, x.topics), .about = "that the pilot recommends" },
    { "confidence", IV_AT(trial_row, x.certainty), .digits = 3, .about = "it recommends" },
    { "predicted", IV_AT(trial_row, x.predicted), .about = "judgments, by the pilot" },
    { "actual", IV_AT(trial_row, x.actual), .about = "judgments it took" },
    { "lower", IV_AT(trial_row, x.lower), .about = "of the pilot's interval" },
    { "upper", IV_AT(trial_row, x.upper), .about = "of the pilot's interval" },
    { "certain", IV_AT(trial_row, x.certain), .about = "judgments to certainty" },
    { "start_up", IV_AT(trial_row, x.start_up), .about = "judgments of the pilot" },
    { NULL } };

typedef struct cost_row {
    size_t pairs;
    double topics, certainty, predicted, actual, correlation, within, covered, certain, start_up;
} cost_row;

const iv_field iv_judging_study_cost_fields[] = {
    { "pairs", IV_AT(cost_row, pairs), .about = "of runs" },
    { "topics", IV_AT(cost_row, topics), .digits = 1, .about = "recommended, mean" },
    { "confidence", IV_AT(cost_row, certainty), .digits = 3, .about = "recommended, mean" },
    { "predicted", IV_AT(cost_row, predicted), .about = "judgments, mean" },
    { "actual", IV_AT(cost_row, actual), .about = "judgments, mean" },
    { "correlation", IV_AT(cost_row, correlation), .digits = 3,
      .about = "of predicted and actual" },
    { "within", IV_AT(cost_row, within), .digits = 3,
      .about = "share of pairs that took no more than predicted" },
    { "covered", IV_AT(cost_row, covered), .digits = 3,
      .about = "share of pairs in the pilot's interval" },
    { "certain", IV_AT(cost_row, certain), .about = "judgments to certainty, mean" },
    { "start_up", IV_AT(cost_row, start_up), .about = "judgments of the pilot, mean" },
    { NULL } };

typedef struct power_row {
    const char *design;
    iv_power_bin x;
} power_row;

const iv_field iv_judging_study_power_fields[] = {
    { "design", IV_AT(power_row, design), .about = "how topics were judged" },
    { "from", IV_AT(power_row, x.from), .digits = 1, .about = "true effect" },
    { "to", IV_AT(power_row, x.to), .digits = 1, .about = "true effect" },
    { "trials", IV_AT(power_row, x.trials), .about = "samples of topics" },
    { "effect", IV_AT(power_row, x.effect), .digits = 3, .about = "true, mean" },
    { "adjusted", IV_AT(power_row, x.adjusted), .digits = 3,
      .about = "what uncertainty should leave of it" },
    { "observed", IV_AT(power_row, x.observed_effect), .digits = 3, .about = "mean" },
    { "power", IV_AT(power_row, x.power), .digits = 3, .about = "share that reject" },
    { "predicted", IV_AT(power_row, x.predicted), .digits = 3,
      .about = "power of certain topics" },
    { NULL } };

const iv_field iv_judging_study_moment_fields[] = {
    { "documents", IV_AT(iv_moments_error, documents), .about = "of a ranking" },
    { "prevalence", IV_AT(iv_moments_error, prevalence), .digits = 2, .about = "of relevance" },
    { "plain_mean", IV_AT(iv_moments_error, plain_mean), .digits = 4,
      .about = "error in standard deviations" },
    { "plain_sd", IV_AT(iv_moments_error, plain_sd), .digits = 4, .about = "ratio to the exact" },
    { "delta_mean", IV_AT(iv_moments_error, delta_mean), .digits = 4,
      .about = "error in standard deviations" },
    { "delta_sd", IV_AT(iv_moments_error, delta_sd), .digits = 4, .about = "ratio to the exact" },
    { NULL } };

/* Plain and delta moments beside exact ones on random rankings. */

/* The first `returned` of a random order. */
static void draw_ranks(uint32_t *rank, size_t *order, size_t m, size_t returned,
                       iv_stream *s)
{
    for (size_t i = 0; i < m; i++)
        rank[i] = 0;
    (void)iv_draw_sequence(s, order, m, m);
    for (size_t k = 0; k < returned; k++)
        rank[order[k]] = (uint32_t)k + 1;
}

int iv_moments_study(iv_moments_error *out, size_t m, double prevalence, size_t rankings,
                     uint64_t seed, iv_err *err)
{
    static const iv_moments_form forms[] = { IV_MOMENTS_PLAIN, IV_MOMENTS_DELTA,
                                             IV_MOMENTS_EXACT };
    iv_moments_error sum = { .documents = m, .prevalence = prevalence };
    iv_arena own = { 0 };
    uint32_t *rank = iv_take(&own, 2 * m, sizeof *rank);
    size_t *order = iv_take(&own, m, sizeof *order);
    double *p = iv_take(&own, m, sizeof *p);
    int rc = iv_taken(&own, err);

    if (rc == IV_OK && (!(prevalence > 0.0 && prevalence < 1.0) || m < 2 || rankings < 1))
        rc = iv_fail(err, IV_EARG, "%zu documents at prevalence %g", m, prevalence);
    for (size_t k = 0; k < rankings && rc == IV_OK; k++) {
        iv_stream s = iv_stream_start(seed, IV_FOR_STUDY, k);
        iv_moments form[3];
        draw_ranks(rank + m, order, m, m - m / 2, &s);
        draw_ranks(rank, order, m, m, &s);
        /* Relevance falls along a, which is therefore the better one. */
        for (size_t i = 0; i < m; i++)
            p[i] = fmin(0.98, 2.0 * prevalence * ((double)(m - rank[i]) + 0.5) / (double)m);
        for (int f = 0; f < 3 && rc == IV_OK; f++)
            rc = iv_ap_difference(&form[f], rank, rank + m, p, m, forms[f], err);
        if (rc != IV_OK)
            break;
        const double sd = sqrt(form[2].variance), n = (double)rankings;
        sum.plain_mean += pow((form[0].mean - form[2].mean) / sd, 2.0) / n;
        sum.delta_mean += pow((form[1].mean - form[2].mean) / sd, 2.0) / n;
        sum.plain_sd += sqrt(form[0].variance) / sd / n;
        sum.delta_sd += sqrt(form[1].variance) / sd / n;
    }
    sum.plain_mean = sqrt(sum.plain_mean);
    sum.delta_mean = sqrt(sum.delta_mean);
    iv_arena_free(&own);
    if (rc == IV_OK)
        *out = sum;
    return rc;
}

/* Who reads it unasked, in text, gets every second row of some sizes. */
static int add_judgments(iv_result *out, iv_arena *own, const iv_judging_study *s, iv_err *err)
{
    const bool brief = !iv_result_wants(out, "judgments", IV_ASIDE);
    iv_pilot_row *rows = iv_take(own, s->rows, sizeof *rows);
    size_t count = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < s->rows; k++) {
        const iv_pilot_row *r = &s->row[k];
        if (brief && (r->topics % 5 != 0 || lround(20.0 * r->certainty) % 2 != 0))
            continue;
        rows[count] = *r;
        rows[count].judgments = r->reached > 0 ? r->judgments : (double)NAN;
        count++;
    }
    (void)iv_result_rows(out, &(iv_rows){ "judgments", iv_judging_study_judgment_fields, rows, count,
                                          sizeof *rows });
    return IV_OK;
}

static cost_row sum_costs(const iv_judging_study *s, double *x)
{
    cost_row c = { 0 };
    double told = 0.0; /* with an interval */

    for (size_t k = 0; k < s->trials; k++) {
        const iv_cost_trial *r = &s->trial[k];
        if (r->actual == SIZE_MAX || r->certain == SIZE_MAX || r->start_up == SIZE_MAX)
            continue;
        x[c.pairs] = r->predicted;
        x[s->trials + c.pairs++] = (double)r->actual;
        c.within += (double)r->actual <= r->predicted;
        c.covered += (double)r->actual >= r->lower && (double)r->actual <= r->upper;
        told += isfinite(r->lower);
        c.topics += (double)r->topics;
        c.certainty += r->certainty;
        c.predicted += r->predicted;
        c.actual += (double)r->actual;
        c.certain += (double)r->certain;
        c.start_up += (double)r->start_up;
    }
    c.covered = told > 0.0 ? c.covered / told : (double)NAN;
    double *const sums[] = { &c.within, &c.topics, &c.certainty, &c.predicted,
                             &c.actual, &c.certain, &c.start_up };
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
        *sums[k] /= (double)c.pairs;
    c.correlation = iv_pearson(x, x + s->trials, c.pairs);
    return c;
}

/* Means over pairs, and one row a pair, which text leaves out. */
static int add_costs(iv_result *out, iv_arena *own, const iv_inquiry_input *in,
                     const iv_judging_study *s, iv_err *err)
{
    double *x = iv_take(own, 2 * s->trials, sizeof *x);
    trial_row *rows = iv_take(own, s->trials, sizeof *rows);

    IV_TRY(iv_taken(own, err));
    const cost_row c = sum_costs(s, x);
    for (size_t k = 0; k < s->trials; k++)
        rows[k] = (trial_row){ in->names[s->trial[k].a], in->names[s->trial[k].b], s->trial[k] };
    (void)iv_result_rows(out, &(iv_rows){ "costs", iv_judging_study_cost_fields, &c, c.pairs > 0, sizeof c });
    (void)iv_result_rows(out, &(iv_rows){ "trials", iv_judging_study_trial_fields, rows, s->trials, sizeof *rows,
                                          .showing = IV_ASIDE });
    return IV_OK;
}

static void add_power(iv_result *out, const iv_judging_study *s)
{
    static const char *const names[] = { "model", "pilot", "certain" };
    power_row rows[IV_POWER_DESIGNS * IV_POWER_BINS];
    size_t count = 0;

    for (size_t d = 0; d < IV_POWER_DESIGNS; d++)
        for (size_t k = 0; k < IV_POWER_BINS; k++)
            if (s->power[d][k].trials > 0)
                rows[count++] = (power_row){ names[d], s->power[d][k] };
    (void)iv_result_rows(out, &(iv_rows){ "power", iv_judging_study_power_fields, rows, count, sizeof *rows });
}

static int add_moments(iv_result *out, size_t rankings, const iv_work *work, iv_err *err)
{
    static const size_t sizes[] = { 10, 30, 100, 300, 1000 };
    static const double prevalences[] = { 0.02, 0.1, 0.5, 0.9 };
    iv_moments_error rows[20];

    for (size_t i = 0; i < 20; i++) {
        IV_TRY(iv_check_work(work, 1.0, err));
        IV_TRY(iv_moments_study(&rows[i], sizes[i / 4], prevalences[i % 4],
                                rankings == 0 ? 10 : rankings, iv_work_seed(work), err));
    }
    (void)iv_result_rows(out, &(iv_rows){ "moments", iv_judging_study_moment_fields, rows, 20, sizeof *rows });
    return IV_OK;
}

static void draw(iv_result *out)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "certainty", .title = "Is confidence deserved?",
        .caption = "How often the sign of the difference was right, over the confidence in it. "
                   "On the diagonal confidence is deserved; below it, too high.",
        .x = "confidence", .value = "accuracy", .diagonal = true,
        .x_axis = { .title = "confidence", .from = 0.5, .to = 1.0 },
        .value_axis = { .title = "share right", .from = 0.0, .to = 1.0 } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "judgments", .title = "What confidence takes",
        .caption = "Judgments needed to reach a confidence, a line for each; over the number of "
                   "topics.",
        .x = "topics", .value = "judgments", .group = "confidence" });
}

static void tell(iv_result *out, const iv_inquiry_input *in, const iv_judging_study *s)
{
    const iv_pooled_facts f = iv_pooled_facts_of(in->pooled);
    double worst = 1.0, at = 0.0;

    for (size_t k = 0; k < IV_CERTAINTY_BINS; k++) {
        const iv_certainty_bin *b = &s->certainty[k];
        if (b->points >= 30 && b->accuracy - b->confidence < worst) {
            worst = b->accuracy - b->confidence;
            at = b->confidence;
        }
    }
    iv_result_answer(out, "Over %zu pairs confidence is %s: at %.2f, the worst, the sign "
                     "is right %.3f %s often than that; the cheapest plan judges %.0f topics to "
                     "confidence %.2f.", s->pairs,
                     worst >= -0.02 ? "deserved" : "not deserved everywhere", at, fabs(worst),
                     worst < 0.0 ? "less" : "more", ceil(s->choice.topics - 1e-9),
                     s->choice.certainty);
    iv_result_note(out, "documents without a judgment are taken as not relevant: %zu of "
                   "%zu", f.documents - f.judged, f.documents);
    if (s->pairs_without_model > 0)
        iv_result_note(out, "the pilots of %zu pairs gave no model, or a plan of more "
                       "than 5000 topics: they are not in table costs",
                       s->pairs_without_model);
    if (s->choice.topics > 5000.0)
        iv_result_note(out, "the plan of all pairs' model takes more than 5000 topics "
                       "and is not tried");
}

const iv_field iv_judging_study_calibration_fields[] = {
    { "from", IV_AT(iv_calibration_row, from), .digits = 2, .about = "confidence, at least" },
    { "to", IV_AT(iv_calibration_row, to), .digits = 2, .about = "and below" },
    { "points", IV_AT(iv_calibration_row, points), .about = "looks at pairs" },
    { "confidence", IV_AT(iv_calibration_row, confidence), .digits = 3, .about = "mean" },
    { "accuracy", IV_AT(iv_calibration_row, accuracy), .digits = 3,
      .about = "share of signs that are right" },
    { "gap", IV_AT(iv_calibration_row, gap), .digits = 3, .about = "accuracy less confidence" },
    { "lower", IV_AT(iv_calibration_row, lower), .digits = 3, .about = "95 %, runs resampled" },
    { "upper", IV_AT(iv_calibration_row, upper), .digits = 3, .about = "its other end" },
    { "brier", IV_AT(iv_calibration_row, brier), .digits = 4, .about = "mean squared error" },
    { "log_loss", IV_AT(iv_calibration_row, log_loss), .digits = 4,
      .about = "of the sign" },
    { NULL } };

static int add_calibration(iv_result *out, const iv_pooled *p, const iv_judging_study_options *how,
                           const iv_work *work, iv_err *err)
{
    iv_judging_calibration c = { 0 };
    iv_calibration_row rows[IV_CERTAINTY_BINS + 2];
    size_t n = 0;

    IV_TRY(iv_calibrate_judging(&c, p, how, work, err));
    for (size_t b = 0; b < IV_CERTAINTY_BINS; b++)
        if (c.row[b].points > 0)
            rows[n++] = c.row[b];
    rows[n++] = c.high;
    rows[n++] = c.all;
    (void)iv_result_rows(out, &(iv_rows){ "calibration", iv_judging_study_calibration_fields, rows, n,
                                          sizeof *rows });
    iv_result_note(out, "calibration by model '%s' over %zu pairs; with nothing judged no pair is "
                   "stated above %.3f; Brier score %.4f, log loss %.4f over all",
                   iv_belief_model_names()[how->prior.model], c.pairs, c.start, c.all.brier,
                   c.all.log_loss);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "calibration", .title = "Calibration",
        .caption = "How often the sign is right, over the confidence stated: on the diagonal a "
                   "confidence is deserved, below it is too high.",
        .x = "confidence", .value = "accuracy" });
    return IV_OK;
}

/* Is nothing else to be looked at? */
static bool only_calibration(iv_result *out)
{
    static const char *const others[] = { "certainty", "judgments", "model", "fit", "costs",
                                          "trials", "power", "moments" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (iv_result_wants(out, others[i], IV_SHOWN))
            return false;
    return true;
}

static int answer(iv_result *out, iv_inquiry_input *in, iv_judging_study *s,
                  const iv_study_judging_question *q, const iv_work *work, iv_err *err)
{
    const iv_pooled_options pool = { .depth = q->depth, .level = q->level,
                                     .judged_topics = true };
    const iv_work quiet = iv_work_quiet(work);
    iv_judging_study_options how = q->how;

    IV_TRY(iv_inquiry_input_read(in, out, &q->from, q->model, q->relevance, &pool, &quiet, err));
    how.prior = in->prior;
    if (iv_result_wants(out, "calibration", IV_SHOWN))
        IV_TRY(add_calibration(out, in->pooled, &how, work, err));
    if (only_calibration(out))
        return IV_OK;
    IV_TRY(iv_judging_study_run(s, in->pooled, &how, work, err));
    tell(out, in, s);
    iv_inquiry_input_tell_prior(out, in, false);
    (void)iv_result_rows(out, &(iv_rows){ "certainty", iv_judging_study_certainty_fields, s->certainty,
                                          IV_CERTAINTY_BINS, sizeof *s->certainty });
    IV_TRY(add_judgments(out, &s->own, s, err));
    iv_put_cost_model(out, &s->model);
    IV_TRY(add_costs(out, &s->own, in, s, err));
    add_power(out, s);
    IV_TRY(add_moments(out, q->rankings, work, err));
    draw(out);
    return IV_OK;
}

int iv_study_answer_judging(iv_result *out, const iv_study_judging_question *q,
                            const iv_work *work, iv_err *err)
{
    iv_inquiry_input in = { 0 };
    iv_judging_study s = { 0 };
    const int rc = answer(out, &in, &s, q, work, err);

    iv_judging_study_clear(&s);
    iv_inquiry_input_free(&in);
    return rc;
}
