/* SPDX-License-Identifier: Apache-2.0 */
/* plan power -- topics, effect and power of a test: two of them give the third. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "intervale/answer.h"
#include "num/num_private.h"
#include "plan/topics_private.h"

/* When a column is there. */
enum { UNITS = 1, TIED = 2 };

int iv_planned_tests(iv_planned_test tests[IV_PLANNED_TESTS], size_t *count,
                     const iv_texts *names, iv_err *err)
{
    size_t which, n = 0;

    for (size_t i = 0; i < names->count; i++) {
        IV_TRY(iv_name_place(&which, iv_planned_test_names(), names->at[i],
                             "plan for a test", err));
        if (iv_name_first(names, i))
            tests[n++] = (iv_planned_test)which;
    }
    if (n == 0)
        tests[n++] = IV_PLAN_T;
    *count = n;
    return IV_OK;
}

typedef struct row {
    iv_planned_test test;
    size_t topics, steady;
    double effect, difference, alpha, certainty, ties;
    iv_power at;
} row;

const iv_field iv_plan_power_fields[] = {
    { "test", IV_AT(row, test), .names = iv_planned_test_names,
      .about = "of the difference; two-sided unless asked otherwise" },
    { "topics", IV_AT(row, topics), .about = "number of topics" },
    { "effect", IV_AT(row, effect), .digits = 4,
      .about = "wins less losses (sign, normal), or mean over standard deviation" },
    { "difference", IV_AT(row, difference), .digits = 4, .needs = UNITS,
      .about = "the same in units of the measure" },
    { "alpha", IV_AT(row, alpha), .digits = 4, .about = "level of the test" },
    { "certainty", IV_AT(row, certainty), .digits = 3,
      .about = "probability that the winner of a topic is identified correctly" },
    { "ties", IV_AT(row, ties), .digits = 3, .needs = TIED, .about = "proportion of topics that "
      "tie" },
    { "critical", IV_AT(row, at.critical), .digits = 2,
      .about = "where the test begins to reject" },
    { "power", IV_AT(row, at.power), .digits = 4, .about = "chance that it rejects" },
    { NULL } };

const iv_field iv_plan_power_curve_fields[] = {
    { "test", IV_AT(row, test), .names = iv_planned_test_names,
      .about = "of the difference; two-sided unless asked otherwise" },
    { "topics", IV_AT(row, topics), .about = "number of topics" },
    { "effect", IV_AT(row, effect), .digits = 4, .about = "as in table power" },
    { "certainty", IV_AT(row, certainty), .digits = 3, .about = "as in table power" },
    { "power", IV_AT(row, at.power), .digits = 4, .about = "chance that the test rejects" },
    { NULL } };

/* Which of the three is asked for: the one that is not given. */
enum { ASK_POWER, ASK_TOPICS, ASK_EFFECT };

typedef struct rows {
    row *at;
    size_t count, capacity;
} rows;

typedef struct plan {
    iv_result *out;
    const iv_plan_power_question *q;
    iv_reals effects; /* as given: effects or differences */
    double pairs;     /* that share alpha */
    int ask;
    rows found, curve;
    const iv_work *work;
    double done, step; /* of the whole work, and that of one combination */
    iv_stage stage;
} plan;

static int add(rows *r, const row *one, iv_err *err)
{
    row *grown = iv_grow(r->at, &r->capacity, r->count + 1, sizeof *grown);

    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    r->at = grown;
    r->at[r->count++] = *one;
    return IV_OK;
}

/* The number that is given first, and the other: topics before effect before power. */
static double first_given(const plan *p, size_t i)
{
    return p->ask == ASK_TOPICS ? p->effects.at[i] : (double)p->q->topics.at[i];
}

static double second_given(const plan *p, size_t k)
{
    return p->ask == ASK_POWER ? p->effects.at[k] : p->q->power.at[k];
}

static size_t first_count(const plan *p)
{
    return p->ask == ASK_TOPICS ? p->effects.count : p->q->topics.count;
}

static size_t second_count(const plan *p)
{
    return p->ask == ASK_POWER ? p->effects.count : p->q->power.count;
}

static const iv_work *next_step(plan *p)
{
    const double from = p->done;

    p->done = fmin(1.0, from + p->step);
    return iv_work_part(&p->stage, p->work, from, p->done);
}

/* d of a difference; what it wins of normal topics for a sign test. */
static double effect_of(const plan *p, iv_planned_test test, double given)
{
    if (p->q->difference.count == 0)
        return given;
    const double d = given / p->q->sd;
    return iv_planned_test_by_sign(test) ? 2.0 * iv_norm_cdf(d) - 1.0 : d;
}

static double difference_of(const plan *p, iv_planned_test test, double effect)
{
    const double d = iv_planned_test_by_sign(test) ? iv_norm_quantile(0.5 * (1.0 + effect))
                                                   : effect;

    return p->q->sd > 0.0 ? p->q->sd * d : (double)NAN;
}

static int solve(row *f, const plan *p, double x, double y, const iv_power_options *o,
                 const iv_work *work, iv_err *err)
{
    int rc = IV_OK;

    *f = (row){ .test = o->test, .topics = (size_t)x, .effect = effect_of(p, o->test, y),
                .alpha = o->alpha, .certainty = o->certainty, .ties = o->ties };
    if (p->ask == ASK_TOPICS) {
        f->effect = effect_of(p, o->test, x);
        rc = iv_power_topics(&f->topics, &f->steady, y, f->effect, o, work, err);
    } else if (p->ask == ASK_EFFECT) {
        rc = iv_power_effect(&f->effect, y, (size_t)x, o, work, err);
    }
    if (rc != IV_OK)
        return rc;
    f->difference = difference_of(p, o->test, f->effect);
    iv_stage here;
    return iv_power_at(&f->at, f->topics, f->effect, o,
                       p->ask == ASK_POWER ? work
                                           : iv_work_part(&here, p->work, p->done, p->done), err);
}

static void answer(const plan *p, const row *f, double y)
{
    const char *test = iv_planned_test_names()[f->test], *sides = iv_sides_names()[p->q->sides];
    const double power = p->ask == ASK_POWER ? f->at.power : y;
    char effect[80];

    if (isfinite(f->difference))
        (void)snprintf(effect, sizeof effect, "a difference of %.4g", f->difference);
    else
        (void)snprintf(effect, sizeof effect, "an effect of %.4g", f->effect);
    iv_result_answer(p->out, "%zu topics find %s with power %.3g (%s-sided %s test).", f->topics,
                     effect, power, sides, test);
}

static void tell(const plan *p, const row *f, double y)
{
    if (p->ask == ASK_TOPICS && f->steady > f->topics)
        iv_result_note(p->out, "exact power goes up and down in steps: from %zu topics on it "
                       "stays at %g or above (effect %g)", f->steady, y, f->effect);
}

/* All combinations for one test and certainty. */
static int fill(plan *p, const iv_power_options *o, iv_err *err)
{
    for (size_t i = 0; i < first_count(p); i++) {
        for (size_t k = 0; k < second_count(p); k++) {
            const double y = second_given(p, k);
            row f;
            int rc = solve(&f, p, first_given(p, i), y, o, next_step(p), err);
            if (rc == IV_OK)
                rc = add(&p->found, &f, err);
            if (rc != IV_OK)
                return rc;
            tell(p, &f, y);
            if (p->found.count == 1)
                answer(p, &f, y);
        }
    }
    return IV_OK;
}

/* ------------------------------------------------------------- the curves -- */

enum { CURVE_POINTS = 30 };

/* Power over topics at the effect of a row. */
static int add_curve(plan *p, iv_power_options o, double effect, double most, iv_err *err)
{
    size_t last = 1;

    for (int k = 1; k <= CURVE_POINTS; k++) {
        row r = { .test = o.test, .topics = (size_t)(most * k / CURVE_POINTS), .effect = effect,
                  .certainty = o.certainty };
        if (r.topics <= last) /* few topics: not every point is another one */
            continue;
        iv_stage here;
        int rc = iv_power_at(&r.at, r.topics, effect, &o,
                             iv_work_part(&here, p->work, p->done, p->done), err);
        if (rc == IV_OK)
            rc = add(&p->curve, &r, err);
        if (rc != IV_OK)
            return rc;
        last = r.topics;
    }
    return IV_OK;
}

/* Around the plans from this row on, the power that more or fewer topics have. */
static int add_curves(plan *p, size_t first, const iv_power_options *o, iv_err *err)
{
    double most = 10.0;
    int rc = IV_OK;

    for (size_t i = first; i < p->found.count; i++)
        most = fmax(most, 1.5 * (double)p->found.at[i].topics);
    most = fmin(most, IV_PLAN_TOPICS_MAX / 2.0);
    for (size_t i = first; i < p->found.count && rc == IV_OK; i++) {
        const double effect = p->found.at[i].effect;
        bool again = false;
        for (size_t k = first; k < i; k++)
            again = again || p->found.at[k].effect == effect;
        if (!again)
            rc = add_curve(p, *o, effect, most, err);
    }
    return rc;
}

static void put_tables(const plan *p, bool curves)
{
    iv_chart chart = {
        .kind = IV_CHART_CURVES, .table = "curve", .title = "Power and topics",
        .caption = "The probability that the test finds an effect of this size, over the "
                   "number of topics; one line an effect.",
        .x = "topics", .value = "power", .group = "effect", .page = "certainty",
        .panel = "test", .value_axis = { .from = 0.0, .to = 1.0 } };

    (void)iv_result_rows(p->out, &(iv_rows){
        "power", iv_plan_power_fields, p->found.at, p->found.count, sizeof(row),
        .with = (p->q->sd > 0.0 ? UNITS : 0) | (p->q->ties > 0.0 ? TIED : 0) });
    if (!curves)
        return;
    (void)iv_result_rows(p->out, &(iv_rows){ "curve", iv_plan_power_curve_fields, p->curve.at, p->curve.count,
                                             sizeof(row), .showing = IV_FOLDED });
    if (p->q->power.count == 1)
        chart.lines[0] = (iv_chart_line){ "wanted", p->q->power.at[0], false };
    iv_result_chart(p->out, &chart);
}

/* ----------------------------------------------------------------- the whole -- */

static int make(plan *p, const iv_planned_test *tests, size_t count, iv_err *err)
{
    static const double certain = 1.0;
    const iv_plan_power_question *q = p->q;
    const iv_reals certainty = q->certainty.count > 0 ? q->certainty : (iv_reals){ &certain, 1 };
    const bool curves = iv_result_wants(p->out, "curve", IV_FOLDED);
    bool by_sign = false, by_mean = false;
    int rc = IV_OK;

    p->step = 1.0 / (double)(count * certainty.count * first_count(p) * second_count(p));
    for (size_t k = 0; k < count && rc == IV_OK; k++) {
        by_sign = by_sign || iv_planned_test_by_sign(tests[k]);
        by_mean = by_mean || !iv_planned_test_by_sign(tests[k]);
        for (size_t l = 0; l < certainty.count && rc == IV_OK; l++) {
            const iv_power_options o = {
                .test = tests[k], .sides = q->sides,
                .alpha = (q->alpha == 0.0 ? 0.05 : q->alpha) / p->pairs,
                .certainty = certainty.at[l], .ties = q->ties };
            const size_t before = p->found.count;
            rc = fill(p, &o, err);
            if (rc == IV_OK && curves)
                rc = add_curves(p, before, &o, err);
        }
    }
    if (rc == IV_OK)
        put_tables(p, curves);
    if (rc == IV_OK && p->pairs > 1.0)
        iv_result_note(p->out, "alpha is that of the first step of Holm's method for %.0f pairs of %zu "
                       "runs; later steps ask for less",
                       p->pairs, q->runs);
    if (rc == IV_OK && by_sign && by_mean && q->difference.count == 0)
        iv_result_note(p->out, "effects are not the same: a win-loss share for sign and "
                       "normal, standard deviations for the others; an effect of d standard "
                       "deviations wins a share Phi(d) of normal topics, 2 Phi(d) - 1 = h");
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_power_question *q = asked;
    const double runs = q->runs == 0 ? 2.0 : (double)q->runs;
    plan p = { .out = out, .q = q, .work = work, .pairs = 0.5 * runs * (runs - 1.0),
               .effects = q->difference.count > 0 ? q->difference : q->effect,
               .ask = q->power.count == 0 ? ASK_POWER
                   : q->topics.count == 0 ? ASK_TOPICS : ASK_EFFECT };
    iv_planned_test tests[IV_PLANNED_TESTS];
    size_t count = 0;

    if ((q->topics.count > 0) + (p.effects.count > 0) + (q->power.count > 0) != 2
        || (q->effect.count > 0 && q->difference.count > 0))
        return iv_fail(err, IV_EARG, "two of topics, effect (or difference) and power must be "
                       "given: the third is computed");
    if (q->difference.count > 0 && !(q->sd > 0.0))
        return iv_fail(err, IV_EARG, "a difference needs the standard deviation of differences");
    if (q->runs == 1)
        return iv_fail(err, IV_EARG, "one run: there is nothing to compare it with");
    int rc = iv_planned_tests(tests, &count, &q->tests, err);
    if (rc == IV_OK)
        rc = make(&p, tests, count, err);
    free(p.found.at);
    free(p.curve.at);
    return rc;
}

int iv_answer_plan_power(iv_result *out, const iv_plan_power_question *q, const iv_work *work,
                         iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_plan_power_question, tests, TEXTS, "test"),
        IV_PART_OF(iv_plan_power_question, topics, INTEGERS, "number of topics"),
        IV_PART_OF(iv_plan_power_question, effect, REALS, "effect"),
        IV_PART_OF(iv_plan_power_question, difference, REALS, "difference"),
        IV_PART_OF(iv_plan_power_question, sd, REAL, "the standard deviation"),
        IV_PART_OF(iv_plan_power_question, ties, REAL, "the proportion of ties"),
        IV_PART_OF(iv_plan_power_question, power, REALS, "power"),
        IV_PART_OF(iv_plan_power_question, certainty, REALS, "certainty"),
        IV_CHOICE_OF(iv_plan_power_question, sides, iv_sides_names, "the number of sides"),
        IV_PART_OF(iv_plan_power_question, alpha, REAL, "alpha"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "power"), work, err);
}
