/* SPDX-License-Identifier: Apache-2.0 */
/* plan topics -- topics needed, from the differences that compare finds in a pilot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/comparing.h"
#include "answer/scored_tables.h"
#include "base/message.h"
#include "base/parallel.h"
#include "intervale/answer.h"
#include "base/base_private.h"
#include "plan/topics_private.h"

typedef struct row {
    const char *a, *b; /* a did better */
    iv_planned_test test;
    iv_pilot_topics f;
    double difference, sd, finds;
} row;

const iv_field iv_plan_topics_fields[] = {
    { "a", IV_AT(row, a), .about = "the system that did better in the pilot, where one did" },
    { "b", IV_AT(row, b), .about = "the other" },
    { "test", IV_AT(row, test), .names = iv_planned_test_names, .audience = IV_IF_VARIES,
      .about = "of the difference; two-sided unless asked otherwise" },
    { "pilot_topics", IV_AT(row, f.pilot), .audience = IV_IF_VERBOSE,
      .about = "topics of the pilot, or clusters or sets" },
    { "ties", IV_AT(row, f.ties), .digits = 3, .audience = IV_IF_VERBOSE,
      .about = "proportion of them on which neither wins" },
    { "difference", IV_AT(row, difference), .digits = 4, .about = "mean of a - b, as in compare" },
    { "sd", IV_AT(row, sd), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "standard deviation of a - b over topics" },
    { "finds", IV_AT(row, finds), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "least difference that as many topics as the pilot has find" },
    { "effect", IV_AT(row, f.effect), .digits = 3, .about = "as the pilot shows it" },
    { "effect_lower", IV_AT(row, f.lower), .digits = 3, .audience = IV_IF_VERBOSE,
      .about = "lower end of its interval" },
    { "effect_upper", IV_AT(row, f.upper), .digits = 3, .audience = IV_IF_VERBOSE,
      .about = "upper end" },
    { "topics", IV_AT(row, f.topics), .about = "topics that find the effect" },
    { "topics_lower", IV_AT(row, f.fewest), .about = "at the upper end of the effect" },
    { "topics_upper", IV_AT(row, f.most), .about = "at its lower end" },
    { NULL } };

typedef struct pilot {
    iv_result *out;
    const iv_plan_topics_question *q;
    iv_compare_question asked;
    iv_comparing c;
    double power, alpha, confidence;
    const double *shared; /* by system: variance of its mean that repeats share; NULL: none */
    size_t stuck;         /* plans that this makes hopeless */
    size_t open;          /* pairs without an upper limit */
    row *rows;
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
    const double shared = p->shared == NULL ? 0.0 : p->shared[pair->a] + p->shared[pair->b];
    iv_differences x = pair->found;
    iv_err why = { .code = IV_OK };
    iv_pilot_topics f;

    /* The standard error of compare holds what repeats share, which topics do not lessen. */
    x.sd = sqrt(fmax(0.0, x.sd * x.sd - shared * (double)x.n));
    const int rc = iv_topics_from_pilot(&f, &x, p->power, p->confidence, &o, work, &why);
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
    if (!iv_planned_test_by_sign(test)
        && iv_power_effect(&effect, p->power, x.n, &o, work, NULL) != IV_OK)
        effect = (double)NAN;
    const size_t a = f.a_better ? pair->a : pair->b;
    p->rows[p->count++] = (row){ p->c.runs[a], p->c.runs[pair->a + pair->b - a], test, f,
                                 f.a_better ? x.mean : -x.mean, x.sd, x.sd * effect };
    return IV_OK;
}

/* ------------------------------------------------------------------ words -- */

static int fewer_topics(const void *x, const void *y)
{
    const row *a = x, *b = y;

    return (a->f.topics > b->f.topics) - (a->f.topics < b->f.topics);
}

/* Of one plan itself, of many the least, the largest and the one in the middle. */
static int sum_up(pilot *p, iv_err *err)
{
    row *order = iv_take(&p->c.names, p->count + 1, sizeof *order);
    char most[40];

    IV_TRY(iv_taken(&p->c.names, err));
    if (p->count == 0)
        return IV_OK;
    memcpy(order, p->rows, p->count * sizeof *order);
    qsort(order, p->count, sizeof *order, fewer_topics);
    const row *least = &order[0], *middle = &order[(p->count - 1) / 2];
    const size_t largest = order[p->count - 1].f.topics;
    (void)snprintf(most, sizeof most, "%zu", largest);
    if (p->count == 1 && largest == SIZE_MAX)
        iv_result_answer(p->out, "No number of %ss finds a difference like %.4f between %s and %s with "
                         "power %g.", p->unit, least->difference, least->a, least->b, p->power);
    else if (p->count == 1)
        iv_result_answer(p->out, "%zu %ss are needed to find a difference like %.4f between %s and %s "
                         "with power %g; the pilot has %zu.", largest, p->unit, least->difference,
                         least->a, least->b, p->power, least->f.pilot);
    else if (middle->f.topics != SIZE_MAX)
        iv_result_answer(p->out, "Half of %zu plans need %zu %ss or fewer for power %g; %s and %s need "
                         "%zu, the hardest pair %s.", p->count, middle->f.topics, p->unit, p->power,
                         least->a, least->b, least->f.topics,
                         largest == SIZE_MAX ? "more than anybody plans" : most);
    return IV_OK;
}

static iv_found stuck(const void *about) { return (iv_found){ ((const pilot *)about)->stuck, { 0.0 }, { NULL } }; }

static iv_found open_end(const void *about)
{
    return (iv_found){ ((const pilot *)about)->open, { 0.0 }, { NULL } };
}

static iv_found chosen(const void *about)
{
    const pilot *p = about;

    return (iv_found){ p->count > 0, { p->alpha }, { NULL } };
}

static const iv_message rows[] = {
    { "plan-topics.repeats", IV_WARNING, NULL, stuck,
      "1 plan has no number of {items}: the variance between repeats alone is too large; only more "
      "repeats help", "{n} plans have no number of {items}: the variance between repeats alone is too "
      "large; only more repeats help" },
    { "plan-topics.open", IV_NOTE, NULL, open_end,
      "1 plan has no topics_upper: the pilot does not exclude a difference of 0",
      "{n} plans have no topics_upper: the pilot does not exclude a difference of 0" },
    { "plan-topics.chosen", IV_NOTE, NULL, chosen,
      "a pilot that was chosen because it looked good overstates the effect; each pair is tested at "
      "level {a}", NULL },
    { NULL } };

static void report(pilot *p)
{
    char units[56];
    const iv_item_words words = { p->unit, units };

    (void)snprintf(units, sizeof units, "%ss", p->unit);
    (void)iv_result_rows(p->out, &(iv_rows){ "topics", iv_plan_topics_fields, p->rows, p->count,
                                             sizeof(row) });
    iv_result_chart(p->out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "topics", .title = "Topics needed",
        .caption = "A point is the number of topics to find the effect of the pilot, the "
                   "line the numbers that its interval allows. No line: no number of topics "
                   "is sure to be enough.",
        .label = "a", .against = "b", .page = "test", .value = "topics",
        .lower = "topics_lower", .upper = "topics_upper", .value_axis = { .log = true } });
    iv_result_tell(p->out, rows, p, &words);
}

/* ------------------------------------------------------------------ whole -- */

/* The word for what varies as a whole: the column of clusters, if it was named. */
static void name_unit(pilot *p)
{
    const iv_texts *columns = &p->q->scores.from.columns;
    const char *unit = p->q->scores.given ? iv_scorecard_unit(&p->c.card) : "topic";

    for (size_t i = 0; strcmp(unit, "cluster") == 0 && i < columns->count; i++)
        if (strncmp(columns->at[i], "cluster=", 8) == 0)
            unit = columns->at[i] + 8;
    (void)snprintf(p->unit, sizeof p->unit, "%.40s", unit);
}

static int answer(pilot *p, const iv_work *work, iv_err *err)
{
    iv_planned_test tests[IV_PLANNED_TESTS];
    const iv_compared_pair *pairs;
    size_t count = 0;
    iv_stage stage;

    IV_TRY(iv_planned_tests(tests, &count, &p->q->tests, err));
    IV_TRY(iv_comparing_read(&p->c, p->out, iv_work_part(&stage, work, 0.0, 0.4), err));
    IV_TRY(iv_comparing_check(&p->c, err));
    iv_compare_options how = { .baselines = p->c.how.baselines,
                               .baseline_count = p->c.how.baseline_count, .resamples = 1,
                               .structure = p->c.card.structured ? p->c.card.structure : NULL };
    IV_TRY(iv_compare(&p->c.found[0], iv_comparing_values(&p->c, 0), p->c.run_count,
                      p->c.topic_count, &how, iv_work_part(&stage, work, 0.4, 0.6), err));
    const size_t n = iv_comparison_pairs(&pairs, p->c.found[0]);
    p->alpha = (p->q->alpha == 0.0 ? 0.05 : p->q->alpha) / (p->q->alone ? 1.0 : (double)n);
    p->rows = iv_take(&p->c.names, n * count + 1, sizeof *p->rows);
    IV_TRY(iv_taken(&p->c.names, err));
    if (p->q->scores.given)
        IV_TRY(iv_scorecard_shared(&p->shared, &p->c.card, err));
    name_unit(p);
    for (size_t i = 0; i < n * count; i++)
        IV_TRY(plan_pair(p, &pairs[i / count], tests[i % count],
                         iv_work_part(&stage, work, 0.6 + 0.4 * (double)i / (double)(n * count), 1.0),
                         err));
    IV_TRY(sum_up(p, err));
    report(p);
    iv_result_used(p->out, "noncentral-t");
    return p->q->scores.given ? iv_tell_design(&p->c.card, p->confidence, p->out, err) : IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_topics_question *q = asked;
    pilot p = { .out = out, .q = q, .power = q->power == 0.0 ? 0.8 : q->power,
                .confidence = q->confidence == 0.0 ? 0.95 : q->confidence,
                .asked = { .source = q->from, .scoring = q->scoring, .matrix = q->matrix,
                           .by = q->by, .scores = q->scores,
                           .baselines = { &q->baseline, q->baseline != NULL } } };

    if (q->matrix == NULL && !q->scores.given && q->from.judgments == NULL && q->from.judged == NULL)
        return iv_fail(err, IV_EARG, "there are no scores of a pilot to plan from");
    p.c.asked = &p.asked;
    const int rc = answer(&p, work, err);
    iv_comparing_free(&p.c);
    return rc;
}

int iv_answer_plan_topics(iv_result *out, const iv_plan_topics_question *q, const iv_work *work,
                          iv_err *err)
{
    static const iv_part parts[] = {
        IV_SCORES_PARTS(iv_plan_topics_question, scores.),
        IV_PART_OF(iv_plan_topics_question, matrix, PATH, "the matrix"),
        IV_CHOICE_OF(iv_plan_topics_question, by, iv_matrix_rows_names, "what rows are"),
        IV_SOURCE_PARTS(iv_plan_topics_question, from.),
        IV_EVALUATING_PARTS(iv_plan_topics_question, scoring.),
        IV_PART_OF(iv_plan_topics_question, tests, TEXTS, "test"),
        IV_CHOICE_OF(iv_plan_topics_question, sides, iv_sides_names, "the number of sides"),
        IV_PART_OF(iv_plan_topics_question, power, REAL, "the power"),
        IV_PART_OF(iv_plan_topics_question, alpha, REAL, "alpha"),
        IV_PART_OF(iv_plan_topics_question, certainty, REAL, "the certainty"),
        IV_PART_OF(iv_plan_topics_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "power"), work, err);
}
