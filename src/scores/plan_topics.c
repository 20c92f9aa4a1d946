/* SPDX-License-Identifier: Apache-2.0 */
/* plan topics -- topics needed, from the differences that compare finds in a pilot. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/message.h"
#include "result/methods.h"
#include "retrieval/evaluation.h"
#include "scores/comparing.h"
#include "stat/power/power.h"
#include "trec/run_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* When a column is there. */
enum { UNITS = 1, TIED = 2 };

static int planned_tests(iv_planned_test tests[IV_PLANNED_TESTS], size_t *count,
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
      .about = "test of the difference, two-sided by default" },
    { "topics", IV_AT(row, topics), .about = "number of topics" },
    { "effect", IV_AT(row, effect), .digits = 4,
      .about = "wins minus losses (sign, normal), or mean divided by standard deviation" },
    { "difference", IV_AT(row, difference), .digits = 4, .needs = UNITS,
      .about = "the same in units of the measure" },
    { "alpha", IV_AT(row, alpha), .digits = 4, .about = "level of the test" },
    { "certainty", IV_AT(row, certainty), .digits = 3, .audience = IV_IF_VARIES,
      .about = "probability that the winner of a topic is identified correctly" },
    { "ties", IV_AT(row, ties), .digits = 3, .needs = TIED, .about = "proportion of topics that "
      "tie; sign and normal only" },
    { "critical", IV_AT(row, at.critical), .digits = 2, .audience = IV_IF_VERBOSE,
      .about = "critical value of the test" },
    { "power", IV_AT(row, at.power), .digits = 4, .about = "power of the test" },
    { NULL } };

/* Which of the three is asked for: the one that is not given. */
enum { ASK_POWER, ASK_TOPICS, ASK_EFFECT };

typedef struct plan {
    iv_result *out;
    const iv_plan_power_question *q;
    iv_reals first, second; /* what is given: topics before effects or differences before power */
    double pairs;     /* that share alpha */
    int ask;
    row *found;
    size_t found_count;
    const iv_work *work;
    double done, step; /* of the whole work, and that of one combination */
    iv_stage stage;
} plan;

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
    *f = (row){ .test = o->test, .topics = (size_t)x, .effect = effect_of(p, o->test, y),
                .alpha = o->alpha, .certainty = o->certainty,
                .ties = iv_planned_test_by_sign(o->test) ? o->ties : (double)NAN };
    if (p->ask == ASK_TOPICS) {
        f->effect = effect_of(p, o->test, x);
        IV_TRY(iv_power_topics(&f->topics, &f->steady, y, f->effect, o, work, err));
    } else if (p->ask == ASK_EFFECT) {
        IV_TRY(iv_power_effect(&f->effect, y, (size_t)x, o, work, err));
    }
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

/* All combinations for one test and certainty. */
static int fill(plan *p, const iv_power_options *o, iv_err *err)
{
    for (size_t i = 0; i < p->first.count; i++) {
        for (size_t k = 0; k < p->second.count; k++) {
            const double y = p->second.at[k], from = p->done;
            row f;
            p->done = fmin(1.0, from + p->step);
            IV_TRY(solve(&f, p, p->first.at[i], y, o,
                         iv_work_part(&p->stage, p->work, from, p->done), err));
            p->found[p->found_count++] = f;
            if (p->ask == ASK_TOPICS && f.steady > f.topics)
                iv_result_note(p->out, "Exact power goes up and down in steps: from %zu topics on "
                               "it stays at %g or above (effect %g).", f.steady, y, f.effect);
            if (p->found_count == 1)
                answer(p, &f, y);
        }
    }
    return IV_OK;
}

/* ----------------------------------------------------------------- the whole -- */

static int make(plan *p, const iv_planned_test *tests, size_t count, iv_err *err)
{
    typedef iv_plan_power_question T;
    static const double certain = 1.0;
    const iv_plan_power_question *q = p->q;
    const iv_reals certainty = q->certainty.count > 0 ? q->certainty : (iv_reals){ &certain, 1 };
    bool by_sign = false, by_mean = false;

    const size_t all = count * certainty.count * p->first.count * p->second.count;
    p->found = iv_take(iv_result_own(p->out), all, sizeof *p->found);
    IV_TRY(iv_taken(iv_result_own(p->out), err));
    p->step = 1.0 / (double)all;
    for (size_t k = 0; k < count; k++) {
        by_sign = by_sign || iv_planned_test_by_sign(tests[k]);
        by_mean = by_mean || !iv_planned_test_by_sign(tests[k]);
        for (size_t l = 0; l < certainty.count; l++) {
            const iv_power_options o = {
                .test = tests[k], .sides = q->sides,
                .alpha = (q->alpha == 0.0 ? 0.05 : q->alpha) / p->pairs,
                .certainty = certainty.at[l], .ties = q->ties };
            IV_TRY(fill(p, &o, err));
        }
    }
    if (!by_sign)
        IV_TRY(IV_REFUSE(q, "without --test sign or normal", err, IV_IDLE(ties, "ties")));
    IV_TABLE(p->out, "power", iv_plan_power_fields, p->found, p->found_count,
             .with = (q->sd > 0.0 ? UNITS : 0) | (q->ties > 0.0 ? TIED : 0));
    iv_result_chart(p->out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "power", .title = "Power and topics",
        .caption = "The probability that the test finds an effect of this size, by the number of "
                   "topics; one line per effect.",
        .x = "topics", .value = "power", .group = "effect", .page = "certainty",
        .panel = "test", .value_axis = { .from = 0.0, .to = 1.0 } });
    if (p->pairs > 1.0)
        iv_result_note(p->out, "alpha is for the first step of Holm's method (%.0f pairs of "
                               "%zu runs); later steps are less strict.",
                       p->pairs, q->runs);
    if (by_sign && by_mean && q->difference.count == 0)
        iv_result_note(p->out, "Effects are not comparable: sign and normal use the proportion "
                               "of wins minus losses h, the others standard deviations d; for "
                               "normal differences h = 2 Phi(d) - 1.");
    return IV_OK;
}

static int power_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_power_question *q = asked;
    const double runs = q->runs == 0 ? 2.0 : (double)q->runs;
    const iv_reals effects = q->difference.count > 0 ? q->difference : q->effect;
    double *topics = iv_take(iv_result_own(out), q->topics.count + 1, sizeof *topics);
    plan p = { .out = out, .q = q, .work = work, .pairs = 0.5 * runs * (runs - 1.0),
               .ask = q->power.count == 0 ? ASK_POWER
                   : q->topics.count == 0 ? ASK_TOPICS : ASK_EFFECT };
    iv_planned_test tests[IV_PLANNED_TESTS];
    size_t count = 0;

    if ((q->topics.count > 0) + (effects.count > 0) + (q->power.count > 0) != 2
        || (q->effect.count > 0 && q->difference.count > 0))
        return iv_fail(err, IV_EARG, "give two of --topics, --effect (or --difference) and "
                                     "--power: the third is computed");
    if (q->difference.count > 0 && !(q->sd > 0.0))
        return iv_fail(err, IV_EARG, "--difference needs --sd, the standard deviation of "
                                     "differences");
    if (q->runs == 1)
        return iv_fail(err, IV_EARG, "one run: there is nothing to compare it with");
    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t i = 0; i < q->topics.count; i++)
        topics[i] = (double)q->topics.at[i];
    p.first = p.ask == ASK_TOPICS ? effects : (iv_reals){ topics, q->topics.count };
    p.second = p.ask == ASK_POWER ? effects : q->power;
    IV_TRY(planned_tests(tests, &count, &q->tests, err));
    return make(&p, tests, count, err);
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

    return iv_answer_with(out, q, IV_ANSWERING(parts, power_asked, "power"), work, err);
}

typedef struct need {
    const char *a, *b; /* a did better */
    iv_planned_test test;
    iv_pilot_topics f;
    double difference, sd, finds;
} need;

const iv_field iv_plan_topics_fields[] = {
    { "a", IV_AT(need, a), .about = "system that scored higher in the pilot" },
    { "b", IV_AT(need, b), .about = "the other" },
    { "test", IV_AT(need, test), .names = iv_planned_test_names, .audience = IV_IF_VARIES,
      .about = "test of the difference, two-sided by default" },
    { "pilot_topics", IV_AT(need, f.pilot), .audience = IV_IF_VERBOSE,
      .about = "topics of the pilot, or clusters or sets" },
    { "ties", IV_AT(need, f.ties), .digits = 3, .audience = IV_IF_VERBOSE,
      .about = "proportion of them on which neither wins" },
    { "difference", IV_AT(need, difference), .digits = 4, .about = "mean of a - b, as in compare" },
    { "sd", IV_AT(need, sd), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "standard deviation of a - b, as in compare: with what repeats share" },
    { "finds", IV_AT(need, finds), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "smallest difference that the topics of the pilot would find" },
    { "effect", IV_AT(need, f.effect), .digits = 3, .about = "effect of items alone in the pilot" },
    { "effect_lower", IV_AT(need, f.lower), .digits = 3, .audience = IV_IF_VERBOSE,
      .about = "lower limit of the effect" },
    { "effect_upper", IV_AT(need, f.upper), .digits = 3, .audience = IV_IF_VERBOSE,
      .about = "upper limit of the effect" },
    { "topics", IV_AT(need, f.topics), .about = "topics that find the effect" },
    { "topics_lower", IV_AT(need, f.fewest),
      .about = "topics needed at the upper limit of the effect" },
    { "topics_upper", IV_AT(need, f.most),
      .about = "topics needed at the lower limit of the effect" },
    { NULL } };

typedef struct pilot {
    iv_result *out;
    const iv_plan_topics_question *q;
    iv_compare_question asked;
    iv_comparing c;
    double power, alpha, confidence;
    size_t stuck;         /* plans that this makes hopeless */
    size_t open;          /* pairs without an upper limit */
    need *rows;
    size_t count;
    char unit[48]; /* "topic", or what varies as a whole: "document" */
} pilot;

/* ------------------------------------------------------------------ pairs -- */

/* So many topics that their variance and that which repeats share are together what the
 * variance of n topics is; SIZE_MAX: the second alone is more. */
static size_t beside_shared(size_t n, double sd, double shared)
{
    const double most = sd * sd / (double)n;

    if (n == SIZE_MAX || !(shared < most) || sd * sd / (most - shared) > 1e15)
        return SIZE_MAX;
    return shared > 0.0 ? (size_t)ceil(sd * sd / (most - shared)) : n;
}

static int plan_pair(pilot *p, const iv_compared_pair *pair, iv_planned_test test,
                     const iv_work *work, iv_err *err)
{
    const iv_power_options o = { .test = test, .sides = p->q->sides, .alpha = p->alpha,
                                 .certainty = p->q->certainty };
    const double shared = iv_scored_shared(&p->c.scored, 0, pair);
    iv_differences x = pair->found;
    iv_err why = { .code = IV_OK };
    iv_pilot_topics f;

    /* The standard error of compare holds what repeats share, which topics do not lessen. */
    x.sd = sqrt(fmax(0.0, x.sd * x.sd - shared * (double)x.n));
    const int rc = iv_topics_from_pilot(&f, &x, shared, pair->df, p->power, p->confidence, &o,
                                        work, &why);
    if (rc == IV_ENODATA) {
        iv_result_note(p->out, "%s and %s: %s", p->c.runs[pair->a], p->c.runs[pair->b], why.msg);
        return IV_OK;
    }
    if (rc != IV_OK)
        return iv_fail_as(err, &why);
    p->stuck += f.topics != SIZE_MAX && beside_shared(f.topics, x.sd, shared) == SIZE_MAX;
    f.topics = beside_shared(f.topics, x.sd, shared);
    f.fewest = beside_shared(f.fewest, x.sd, shared);
    f.most = beside_shared(f.most, x.sd, shared);
    p->open += f.most == SIZE_MAX;
    double effect = (double)NAN;
    /* So many topics without what repeats share have at least the variance of n. */
    const double alone = x.sd * x.sd / (x.sd * x.sd / (double)x.n + shared);
    const size_t n = shared > 0.0 ? (size_t)alone : x.n;
    if (!iv_planned_test_by_sign(test)
        && iv_power_effect(&effect, p->power, n, &o, work, NULL) != IV_OK)
        effect = (double)NAN;
    const size_t a = f.a_better ? pair->a : pair->b;
    p->rows[p->count++] = (need){ p->c.runs[a], p->c.runs[pair->a + pair->b - a], test, f,
                                 f.a_better ? x.mean : -x.mean, pair->found.sd,
                                 x.sd * effect };
    return IV_OK;
}

/* ------------------------------------------------------------------ words -- */

static int fewer_topics(const void *x, const void *y)
{
    const need *a = x, *b = y;

    const int first = strcmp(a->a, b->a), second = strcmp(a->b, b->b);

    if (a->f.topics != b->f.topics)
        return a->f.topics < b->f.topics ? -1 : 1;
    return first != 0 ? first : second != 0 ? second : (a->test > b->test) - (a->test < b->test);
}

/* Of one plan itself, of many the least, the largest and the one in the middle. */
static int sum_up(pilot *p, iv_err *err)
{
    need *order = iv_take(p->c.own, p->count + 1, sizeof *order);
    char most[40], allowed[40];

    IV_TRY(iv_taken(p->c.own, err));
    if (p->count == 0)
        return IV_OK;
    memcpy(order, p->rows, p->count * sizeof *order);
    qsort(order, p->count, sizeof *order, fewer_topics);
    const need *least = &order[0], *middle = &order[(p->count - 1) / 2];
    const size_t largest = order[p->count - 1].f.topics;
    (void)snprintf(most, sizeof most, "%s", IV_COUNT(largest));
    if (least->f.most == SIZE_MAX)
        (void)snprintf(allowed, sizeof allowed, "or more");
    else
        (void)snprintf(allowed, sizeof allowed, "to %s", IV_COUNT(least->f.most));
    if (p->count == 1 && largest == SIZE_MAX)
        iv_result_answer(p->out, "No number of %ss finds a difference of %.4f between %s and %s "
                         "with power %g.", p->unit, least->difference, least->a, least->b,
                         p->power);
    else if (p->count == 1)
        iv_result_answer(p->out, "About %s %ss (%.10g %% interval %s %s) are needed to find a "
                         "difference of %.4f, as between %s and %s in the pilot, with power %g "
                         "(%s test).", IV_COUNT(largest), p->unit, 100.0 * p->confidence,
                         IV_COUNT(least->f.fewest), allowed, least->difference, least->a, least->b,
                         p->power, iv_planned_test_names()[least->test]);
    else if (middle->f.topics != SIZE_MAX)
        iv_result_answer(p->out, "If differences are as in the pilot, %s %ss or fewer are enough "
                         "for half of the %zu %s (power %g). %s and %s need %s; the hardest pair "
                         "needs %s.", IV_COUNT(middle->f.topics), p->unit, p->count,
                         p->q->tests.count > 1 ? "plans" : "pairs", p->power,
                         least->a, least->b, IV_COUNT(least->f.topics),
                         largest == SIZE_MAX ? "more than can be planned" : most);
    return IV_OK;
}

static const iv_message need_messages[] = {
    { "plan-topics.repeats", IV_WARNING, NULL,
      "{n} row[ has|s have] no number of {s}s: more {s}s help, but with these repeats never "
      "enough. Table design shows more repeats." },
    { "plan-topics.open", IV_NOTE, NULL,
      "{n} row[ has|s have] no topics_upper: the pilot does not exclude a difference too small "
      "for any number of {s}s." },
    { "plan-topics.chosen", IV_NOTE, NULL,
      "If the runs were chosen for their large difference, more topics are needed than shown.[| "
      "Each pair is planned at level {a}{s}.]" },
    { NULL } };

static void report(pilot *p)
{
    IV_TABLE(p->out, "topics", iv_plan_topics_fields, p->rows, p->count);
    iv_result_chart(p->out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "topics", .title = "Topics needed",
        .caption = "A point is the number of topics needed to find the effect of the pilot. "
                   "The line shows the numbers for the limits of its interval. Where there is "
                   "no line, no number of topics is sure to be enough.",
        .label = "a", .against = "b", .page = "test", .value = "topics",
        .lower = "topics_lower", .upper = "topics_upper", .value_axis = { .log = true } });
    IV_TELL(p->out, need_messages, "plan-topics.repeats", p->stuck, .text = { p->unit });
    IV_TELL(p->out, need_messages, "plan-topics.open", p->open, .text = { p->unit });
    IV_TELL(p->out, need_messages, "plan-topics.chosen", p->count, { p->alpha },
            { p->q->alone ? "" : " (corrected for several pairs)" });
}

/* ------------------------------------------------------------------ whole -- */

/* The word for what varies as a whole: the column of clusters, if it was named. */
static void name_unit(pilot *p)
{
    const iv_texts *columns = &p->q->scores.from.columns;
    const char *unit = p->q->scores.given ? iv_scored_unit(&p->c.scored) : "topic";

    for (size_t i = 0; strcmp(unit, "cluster") == 0 && i < columns->count; i++)
        if (strncmp(columns->at[i], "cluster=", 8) == 0)
            unit = columns->at[i] + 8;
    (void)snprintf(p->unit, sizeof p->unit, "%.40s", unit);
}

static int plan_needs(pilot *p, const iv_work *work, iv_err *err)
{
    iv_planned_test tests[IV_PLANNED_TESTS];
    const iv_compared_pair *pairs;
    size_t count = 0;
    iv_stage stage;

    IV_TRY(planned_tests(tests, &count, &p->q->tests, err));
    IV_TRY(iv_comparing_read(&p->c, p->out, iv_work_part(&stage, work, 0.0, 0.4), err));
    if (p->c.measure_count > 1)
        return iv_fail(err, IV_EARG, "%zu measures, expected one: --measure %s", p->c.measure_count,
                       p->c.measures[0]);
    IV_TRY(iv_comparing_check(&p->c, err));
    iv_compare_options how = { .baselines = p->c.how.baselines,
                               .baseline_count = p->c.how.baseline_count, .resamples = 1,
                               .structure = p->c.scored.structured ? p->c.scored.structure : NULL };
    IV_TRY(iv_compare(&p->c.found[0], iv_comparing_values(&p->c, 0), p->c.run_count,
                      p->c.topic_count, &how, iv_work_part(&stage, work, 0.4, 0.6), err));
    IV_TRY(IV_KEEP(p->out, comparison, p->c.found[0], err));
    const size_t n = iv_comparison_pairs(&pairs, p->c.found[0]);
    p->alpha = (p->q->alpha == 0.0 ? 0.05 : p->q->alpha) / (p->q->alone ? 1.0 : (double)n);
    p->rows = iv_take(p->c.own, n * count + 1, sizeof *p->rows);
    IV_TRY(iv_taken(p->c.own, err));
    name_unit(p);
    for (size_t i = 0; i < n * count; i++)
        IV_TRY(plan_pair(p, &pairs[i / count], tests[i % count],
                         iv_work_part(&stage, work, 0.6 + 0.4 * (double)i / (double)(n * count),
                                      1.0),
                         err));
    IV_TRY(sum_up(p, err));
    report(p);
    iv_result_used(p->out, "noncentral-t");
    return p->q->scores.given ? iv_tell_design(&p->c.scored, p->confidence, p->out, err) : IV_OK;
}

static int needs_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_topics_question *q = asked;
    pilot p = { .out = out, .q = q, .power = q->power == 0.0 ? 0.8 : q->power,
                .confidence = q->confidence == 0.0 ? 0.95 : q->confidence,
                .asked = { .source = q->from, .scoring = q->scoring, .scores = q->scores,
                           .baselines = { &q->baseline, q->baseline != NULL } } };

    if (!q->scores.given && q->from.judgments == NULL && q->from.judged == NULL)
        return iv_fail(err, IV_EARG, "no scores of a pilot to plan from");
    p.c.asked = &p.asked;
    return plan_needs(&p, work, err);
}

int iv_answer_plan_topics(iv_result *out, const iv_plan_topics_question *q, const iv_work *work,
                          iv_err *err)
{
    static const iv_part parts[] = {
        IV_SCORES_PARTS(iv_plan_topics_question, scores.),
        IV_SOURCE_PARTS(iv_plan_topics_question, from.),
        IV_EVALUATING_PARTS(iv_plan_topics_question, scoring.),
        IV_PART_OF(iv_plan_topics_question, tests, TEXTS, "test"),
        IV_CHOICE_OF(iv_plan_topics_question, sides, iv_sides_names, "the number of sides"),
        IV_PART_OF(iv_plan_topics_question, power, REAL, "the power"),
        IV_PART_OF(iv_plan_topics_question, alpha, REAL, "alpha"),
        IV_PART_OF(iv_plan_topics_question, certainty, REAL, "the certainty"),
        IV_PART_OF(iv_plan_topics_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, needs_asked, "power"), work, err);
}
