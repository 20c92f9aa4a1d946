/* SPDX-License-Identifier: Apache-2.0 */
/* plan topics -- topics needed, from a pilot's scores. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/run_notes.h"
#include "answer/scored_tables.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/answer.h"
#include "plan/power_parts.h"
#include "stat/interval/units.h"

typedef struct row {
    iv_str a, b; /* a did better */
    iv_planned_test test;
    iv_pilot_topics f;
    double difference, sd, finds;
} row;

const iv_field iv_plan_topics_fields[] = {
    { "a", IV_AT(row, a), .about = "the system that did better in the pilot, where one did" },
    { "b", IV_AT(row, b), .about = "the other" },
    { "test", IV_AT(row, test), .names = iv_planned_test_names,
      .about = "of the difference; two-sided unless asked otherwise" },
    { "pilot_topics", IV_AT(row, f.pilot), .about = "topics of the pilot" },
    { "ties", IV_AT(row, f.ties), .digits = 3, .about = "share of them on which neither wins" },
    { "difference", IV_AT(row, difference), .digits = 4, .about = "mean of a - b" },
    { "sd", IV_AT(row, sd), .digits = 4, .about = "standard deviation of a - b over topics" },
    { "finds", IV_AT(row, finds), .digits = 4,
      .about = "least difference that as many topics as the pilot has find" },
    { "effect", IV_AT(row, f.effect), .digits = 3, .about = "as the pilot shows it" },
    { "effect_lower", IV_AT(row, f.lower), .digits = 3, .about = "lower end of its interval" },
    { "effect_upper", IV_AT(row, f.upper), .digits = 3, .about = "upper end" },
    { "topics", IV_AT(row, f.topics), .about = "topics that find the effect" },
    { "topics_lower", IV_AT(row, f.fewest), .about = "at the upper end of the effect" },
    { "topics_upper", IV_AT(row, f.most), .about = "at its lower end" },
    { NULL } };

/* Of more pairs the few topics that must be simulated would take too long. */
enum { SIMULATED_PAIRS = 20, MOST_DRAWN = 2000 };

typedef struct pilot {
    iv_result *out;
    const iv_plan_topics_question *q;
    iv_arena own;
    const char *name;      /* where the scores are from */
    iv_str *names;         /* of the systems */
    double *values;        /* systems x topics */
    bool randomised;       /* is one of the tests */
    size_t systems, topics;
    double power, alpha, confidence, pairs;
    size_t experiments;    /* of a simulated power: fewer for many pairs */
    double *d;      /* differences of one pair */
    /* By system: the variance of its mean that its repeats share, so that more topics do
     * not lessen it; NULL: none. */
    const double *shared;
    size_t stuck; /* plans that this makes hopeless */
    /* What the last pair's number of topics finds, which is often the next one's, too. */
    size_t found_topics;
    iv_planned_test found_test;
    double found;
    size_t dropped; /* scores missing on a side, over pairs */
    size_t open;    /* pairs without an upper limit */
    size_t tied;    /* pairs with ties that are planned as if differences were normal */
    size_t drawn;   /* pairs with ties whose differences are drawn */
    row *rows;
    size_t count, capacity;
} pilot;

/* ------------------------------------------------------------- the scores -- */

static int take_room(pilot *p, size_t systems, size_t topics, iv_err *err)
{
    p->systems = systems;
    p->topics = topics;
    p->names = iv_take(&p->own, systems, sizeof *p->names);
    p->values = iv_take(&p->own, systems * topics, sizeof *p->values);
    p->d = iv_take(&p->own, topics, sizeof *p->d);
    return iv_taken(&p->own, err);
}

static void matrix_end(void *m) { iv_matrix_free(m); }

static int read_matrix(pilot *p, const iv_work *work, iv_err *err)
{
    iv_matrix *m = NULL;

    IV_TRY(iv_matrix_load(&m, p->q->matrix, p->q->by, work, err));
    if (iv_own(&p->own, m, matrix_end) == NULL)
        return iv_taken(&p->own, err);
    p->name = p->q->matrix;
    iv_result_input(p->out, p->q->matrix, iv_matrix_bytes(m));
    IV_TRY(take_room(p, iv_matrix_systems(m), iv_matrix_topics(m), err));
    for (size_t s = 0; s < p->systems; s++) {
        p->names[s] = iv_matrix_system(m, s);
        for (size_t t = 0; t < p->topics; t++)
            p->values[s * p->topics + t] = iv_matrix_score(m, s, t);
    }
    return IV_OK;
}

static void card_end(void *card) { iv_scorecard_free(card); }

/* Clusters or sampled sets in place of items, each with the mean of its items. */
static void mean_units(pilot *p, const iv_scorecard *card)
{
    const iv_structure *s = &card->structure[0];
    const uint32_t *unit = s->sampled ? s->suite : s->cluster;
    const size_t T = card->v->item_count;

    for (size_t k = 0; k < p->systems; k++) {
        const double *x = iv_scorecard_values(card, 0) + k * T;
        double *mean = p->values + k * p->topics, *weight = p->d;
        memset(mean, 0, p->topics * sizeof *mean);
        memset(weight, 0, p->topics * sizeof *weight);
        for (size_t t = 0; t < T; t++) {
            const double w = isnan(x[t]) ? 0.0 : s->weight != NULL ? s->weight[t] : 1.0;
            mean[unit[t]] += w > 0.0 ? w * x[t] : 0.0;
            weight[unit[t]] += w;
        }
        for (size_t u = 0; u < p->topics; u++)
            mean[u] = weight[u] > 0.0 ? mean[u] / weight[u] : (double)NAN;
    }
}

static int read_scores(pilot *p, const iv_work *work, iv_err *err)
{
    iv_scorecard *card = iv_take(&p->own, 1, sizeof *card);

    if (card == NULL || iv_own(&p->own, card, card_end) == NULL)
        return iv_taken(&p->own, err);
    IV_TRY(iv_scorecard_read(card, &p->q->scores, &p->q->scoring.measures, false,
                             p->q->scoring.complete, p->out, work, err));
    const iv_structure *s = &card->structure[0];
    const bool units = iv_scorecard_units(card);
    iv_result_note(p->out, "estimand: the mean over new %ss%s", iv_scorecard_unit(card),
                   card->most_repeats > 1 ? ", each with as many new repeats" : "");
    if (units)
        iv_result_note(p->out, "the plan counts %ss, for these vary as wholes: a topic is one of "
                       "them, with as many items as those of the pilot, and its score their mean",
                       iv_scorecard_unit(card));
    else if (s->suite != NULL)
        iv_result_note(p->out, "the plan is for items one by one: sets would need more, by the "
                       "design effect that eval tells");
    p->name = "the scores";
    IV_TRY(take_room(p, card->v->system_count, iv_units_most(card->v->item_count, s), err));
    for (size_t k = 0; k < p->systems; k++)
        p->names[k] = iv_str_of(card->v->systems[k]);
    if (units)
        mean_units(p, card);
    else
        memcpy(p->values, iv_scorecard_values(card, 0), p->systems * p->topics * sizeof *p->values);
    IV_TRY(iv_scorecard_shared(&p->shared, card, err));
    return p->systems < 2 ? IV_OK : iv_tell_design(card, p->confidence, p->out, err);
}

static void evaluation_end(void *e) { iv_evaluation_free(e); }

static int read_runs(pilot *p, const iv_work *work, iv_err *err)
{
    static const char *const usual[] = { "AP" };
    iv_evaluating how = p->q->scoring;
    iv_evaluation *e = NULL;
    iv_stage reading;

    how.interval = IV_INTERVAL_NONE;
    if (how.measures.count == 0)
        how.measures = (iv_texts){ usual, 1 };
    IV_TRY(iv_evaluate(&e, &p->q->from, &how, iv_work_part(&reading, work, 0.0, 0.5), err));
    if (iv_own(&p->own, e, evaluation_end) == NULL)
        return iv_taken(&p->own, err);
    const iv_evaluated *v = iv_evaluation_view(e);
    if (v->measures[0].text || !v->measures[0].per_topic)
        return iv_fail(err, IV_EARG, "measure '%s' is no mean of numbers of topics",
                       v->measures[0].name);
    p->name = "the judgments and runs";
    iv_tell_inputs(p->out, &p->q->from, v);
    IV_TRY(take_room(p, v->run_count, v->topic_count, err));
    for (size_t s = 0; s < p->systems; s++)
        p->names[s] = iv_str_of(v->runs[s].name);
    iv_evaluation_grid(p->values, e, 0);
    return IV_OK;
}

static size_t differences(pilot *p, size_t a, size_t b)
{
    size_t n = 0;

    for (size_t t = 0; t < p->topics; t++) {
        const double d = p->values[a * p->topics + t] - p->values[b * p->topics + t];
        if (!isnan(d))
            p->d[n++] = d;
        else
            p->dropped++;
    }
    return n;
}

/* ---------------------------------------------------------------- a pair -- */

static int keep(pilot *p, const row *r, iv_err *err)
{
    row *grown = iv_grow(p->rows, &p->capacity, p->count + 1, sizeof *grown);

    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    p->rows = grown;
    p->rows[p->count++] = *r;
    p->open += r->f.most == SIZE_MAX;
    if (r->f.ties > 0.0 && !iv_planned_test_by_sign(r->test))
        *(r->test == IV_PLAN_WILCOXON || p->pairs > SIMULATED_PAIRS ? &p->tied : &p->drawn) += 1;
    return IV_OK;
}

/* The least difference that n topics find, of differences that spread by sd. */
static double finds(pilot *p, size_t n, double sd, const iv_power_options *o, const iv_work *work)
{
    if (iv_planned_test_by_sign(o->test))
        return (double)NAN;
    if (p->found_topics != n || p->found_test != o->test || o->differences.count > 0) {
        p->found_topics = o->differences.count > 0 ? 0 : n; /* of these differences alone */
        p->found_test = o->test;
        if (iv_power_effect(&p->found, p->power, n, o, work, NULL) != IV_OK)
            p->found = (double)NAN;
    }
    return sd * p->found;
}

/* So many topics that their variance and that which repeats share are together what the
 * variance of n topics is; SIZE_MAX: the second alone is more. */
static size_t beside_shared(size_t n, double sd, double shared)
{
    const double most = sd * sd / (double)n;

    if (n == SIZE_MAX || !(shared < most) || sd * sd / (most - shared) > 1e15)
        return SIZE_MAX;
    return shared > 0.0 ? (size_t)ceil(sd * sd / (most - shared)) : n;
}

static void count_shared(pilot *p, iv_pilot_topics *f, size_t a, size_t b, double sd)
{
    const double shared = p->shared == NULL ? 0.0 : p->shared[a] + p->shared[b];

    if (!(shared > 0.0))
        return;
    p->stuck += f->topics != SIZE_MAX && beside_shared(f->topics, sd, shared) == SIZE_MAX;
    f->topics = beside_shared(f->topics, sd, shared);
    f->fewest = beside_shared(f->fewest, sd, shared);
    f->most = beside_shared(f->most, sd, shared);
}

/* The t test finds with few topics what flips of so few cannot. */
static void have_flips(iv_pilot_topics *f, const iv_power_options *o)
{
    const size_t least = iv_randomisation_least(o);

    f->topics = f->topics < least ? least : f->topics;
    f->fewest = f->fewest < least ? least : f->fewest;
    f->most = f->most < least ? least : f->most;
}

static int plan_pair(pilot *p, size_t a, size_t b, iv_planned_test test, const iv_work *work,
                     iv_err *err)
{
    const iv_plan_topics_question *q = p->q;
    const bool many = p->pairs > SIMULATED_PAIRS, by_t = test == IV_PLAN_RANDOMISATION && many;
    iv_power_options o = { .test = by_t ? IV_PLAN_T : test, .sides = q->sides,
                           .alpha = p->alpha, .certainty = q->certainty,
                           .experiments = p->experiments, .normal = many };
    const size_t n = differences(p, a, b);
    const iv_str names[] = { p->names[a], p->names[b] };
    iv_err why = { .code = IV_OK };
    iv_pilot_topics f;
    const int rc = iv_topics_from_pilot(&f, p->d, n, p->power, p->confidence, &o, work, &why);

    if (rc == IV_ENODATA && n >= 2) {
        char x[IV_QUOTE_SIZE], y[IV_QUOTE_SIZE];
        iv_result_note(p->out, "%s and %s: %s", iv_quote(x, names[0]), iv_quote(y, names[1]),
                       why.msg);
        return IV_OK;
    }
    if (rc != IV_OK) {
        if (err != NULL)
            *err = why;
        return rc;
    }
    if (by_t)
        have_flips(&f, &o);
    const iv_differences x = iv_describe_differences(p->d, n);
    if (x.ties > 0 && !many && (test == IV_PLAN_RANDOMISATION || test == IV_PLAN_T))
        o.differences = (iv_reals){ p->d, n };
    IV_TRY(iv_check_work(work, 1.0, err));
    count_shared(p, &f, a, b, x.sd);
    return keep(p, &(row){ names[f.a_better ? 0 : 1], names[f.a_better ? 1 : 0], test, f,
                           f.a_better ? x.mean : -x.mean, x.sd, finds(p, n, x.sd, &o, work) }, err);
}

static int find_system(size_t *out, const pilot *p, const char *name, iv_err *err)
{
    iv_listing there = { 0 };

    for (size_t k = 0; k < p->systems; k++) {
        if (iv_str_cmp(p->names[k], iv_str_of(name)) == 0) {
            *out = k;
            return IV_OK;
        }
        iv_list_quoted(&there, p->names[k]);
    }
    return iv_fail(err, IV_EARG, "the baseline '%.80s' is not in %s, but %s", name,
                   p->q->matrix != NULL ? "the matrix" : "the runs", iv_listed(&there));
}

static int plan_pairs(pilot *p, const iv_planned_test *tests, size_t count, size_t baseline,
                      const iv_work *work, iv_err *err)
{
    const size_t systems = p->systems;
    int rc = IV_OK;

    for (size_t a = 0; a < systems && rc == IV_OK; a++) {
        const double from = (double)a / (double)systems, to = (double)(a + 1) / (double)systems;
        const size_t first = baseline == IV_NONE ? a + 1 : baseline;
        const size_t end = baseline == IV_NONE ? systems : baseline + 1;
        for (size_t b = first; b < end && rc == IV_OK; b++) {
            const double done = from + (to - from) * (double)(b - first) / (double)(end - first);
            iv_stage stage;
            (void)iv_work_part(&stage, work, done, done);
            for (size_t k = 0; k < count && rc == IV_OK && a != b; k++)
                rc = plan_pair(p, a, b, tests[k], &stage.work, err);
        }
    }
    return rc;
}

static int fewer_topics(const void *x, const void *y)
{
    const row *a = x, *b = y;

    return (a->f.topics > b->f.topics) - (a->f.topics < b->f.topics);
}

/* Of one plan itself, of many the least, the largest and the one in the middle. */
static int sum_up(pilot *p, iv_err *err)
{
    char x[IV_QUOTE_SIZE], y[IV_QUOTE_SIZE], most[40];

    if (p->count == 1 && p->rows[0].f.topics != SIZE_MAX)
        iv_result_answer(p->out, "%s over %s: %zu topics for power %g, if the effect is "
                         "what the pilot shows.", iv_quote(x, p->rows[0].a),
                         iv_quote(y, p->rows[0].b), p->rows[0].f.topics, p->power);
    if (p->count == 1 && p->stuck == 1)
        iv_result_answer(p->out, "%s over %s: no number of topics is enough for power %g with as "
                         "many repeats, if the effect is what the pilot shows.",
                         iv_quote(x, p->rows[0].a), iv_quote(y, p->rows[0].b), p->power);
    if (p->count < 2)
        return IV_OK;
    row *order = iv_take(&p->own, p->count, sizeof *order);
    IV_TRY(iv_taken(&p->own, err));
    memcpy(order, p->rows, p->count * sizeof *order);
    qsort(order, p->count, sizeof *order, fewer_topics);
    const row *least = &order[0], *middle = &order[(p->count - 1) / 2];
    const size_t largest = order[p->count - 1].f.topics;
    if (middle->f.topics == SIZE_MAX)
        return IV_OK;
    (void)snprintf(most, sizeof most, "%zu", largest);
    iv_result_answer(p->out, "For power %g half of %zu plans need %zu topics or fewer, %s over %s "
                     "%zu, the hardest %s, if effects are what the pilot shows.", p->power,
                     p->count, middle->f.topics, iv_quote(x, least->a), iv_quote(y, least->b),
                     least->f.topics, largest == SIZE_MAX ? "more than anybody plans" : most);
    return IV_OK;
}

static void tell(const pilot *p)
{
    size_t ahead = 0;

    (void)iv_result_rows(p->out, &(iv_rows){ "topics", iv_plan_topics_fields, p->rows, p->count, sizeof(row) });
    iv_result_chart(p->out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "topics", .title = "Topics needed",
        .caption = "A point is the number of topics to find the effect of the pilot, the "
                   "line the numbers that its interval allows. No line: no number of topics "
                   "is sure to be enough.",
        .label = "a", .against = "b", .page = "test", .value = "topics",
        .lower = "topics_lower", .upper = "topics_upper", .value_axis = { .log = true } });
    if (p->dropped > 0)
        iv_result_note(p->out, "topics with a score missing are left out of their pairs");
    if (p->shared != NULL)
        iv_result_note(p->out, "a repeat moves all items of its system together, which more items "
                       "do not lessen: topics are so many that both together are as sure as was "
                       "asked for; finds and the interval of the effect are of items alone");
    if (p->stuck > 0)
        iv_result_note(p->out, "no topics in %zu plan%s: what repeats share is alone too much, and "
                       "only more repeats help", p->stuck, p->stuck == 1 ? "" : "s");
    if (p->open > 0)
        iv_result_note(p->out, "no topics_upper: the pilot does not exclude an effect %s, which no "
                       "number of topics finds", p->shared != NULL ? "of 0, or one that repeats hide"
                                                                   : "of 0");
    if (p->drawn > 0)
        iv_result_note(p->out, "topics tie: power is simulated with differences of the values and "
                       "ties that the pilot has, to a standard error of %.3f or so, and up to %d "
                       "topics; beyond, differences are taken for normal",
                       sqrt(0.16 / (double)p->experiments), (int)MOST_DRAWN);
    if (p->tied > 0)
        iv_result_note(p->out, "topics tie in %zu plans for which differences are taken for "
                       "normal: of few values they have less power; %s", p->tied,
                       p->pairs > SIMULATED_PAIRS ? "plans of fewer pairs count ties"
                                                  : "randomisation, t and sign count ties");
    for (size_t i = 0; i < p->count; i++)
        ahead += p->rows[i].f.effect > 1e-12;
    if (ahead > 0)
        iv_result_note(p->out, "a is the system that did better in the pilot; a pilot that was chosen "
                       "because it looked good overstates the effect");
    if (ahead < p->count)
        iv_result_note(p->out, "systems that did equally well in the pilot show no effect to plan for");
}

/* Many pairs share alpha, as they will when they are compared. */
static void share_alpha(pilot *p, bool baseline)
{
    const double k = (double)p->systems, pairs = baseline ? k - 1.0 : 0.5 * k * (k - 1.0);

    p->pairs = pairs;
    p->experiments = p->q->experiments > 0 ? p->q->experiments : (size_t)fmax(500.0, 1e4 / pairs);
    p->alpha = p->q->alpha == 0.0 ? 0.05 : p->q->alpha;
    if (pairs > SIMULATED_PAIRS && p->randomised)
        iv_result_note(p->out, "more than %d pairs: randomisation is planned as the t test, which "
                       "needs one or a few topics less where these are fewer than about 30",
                       (int)SIMULATED_PAIRS);
    if (p->q->alone || pairs < 1.5)
        return;
    iv_result_note(p->out, "alpha is %g / %.0f pairs, that of the first step of the correction "
                   "that compares them; later steps ask for less", p->alpha, pairs);
    p->alpha /= pairs;
}

static int answer(pilot *p, const iv_work *work, iv_err *err)
{
    iv_planned_test tests[IV_PLANNED_TESTS];
    size_t count = 0, baseline = IV_NONE;
    iv_stage stage;

    IV_TRY(iv_planned_tests(tests, &count, &p->q->tests, err));
    IV_TRY(iv_scorecard_absent(&p->q->scores, false, err));
    IV_TRY(p->q->scores.given ? read_scores(p, work, err)
           : p->q->matrix != NULL ? read_matrix(p, work, err) : read_runs(p, work, err));
    if (p->systems < 2)
        return iv_fail(err, IV_ENODATA, "%s has one system, expected at least two", p->name);
    if (p->topics < 2)
        return iv_fail(err, IV_ENODATA, "%s has one topic, expected at least two", p->name);
    if (p->q->baseline != NULL)
        IV_TRY(find_system(&baseline, p, p->q->baseline, err));
    for (size_t k = 0; k < count; k++)
        p->randomised = p->randomised || tests[k] == IV_PLAN_RANDOMISATION;
    share_alpha(p, baseline != IV_NONE);
    IV_TRY(plan_pairs(p, tests, count, baseline,
                      p->q->matrix != NULL || p->q->scores.given ? work : iv_work_part(&stage, work, 0.5, 1.0), err));
    IV_TRY(sum_up(p, err));
    tell(p);
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_topics_question *q = asked;
    pilot p = { .out = out, .q = q, .power = q->power == 0.0 ? 0.8 : q->power,
                .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };

    if (q->matrix == NULL && !q->scores.given && q->from.judgments == NULL && q->from.judged == NULL)
        return iv_fail(err, IV_EARG, "there are no scores of a pilot to plan from");
    const int rc = answer(&p, work, err);
    free(p.rows);
    iv_arena_free(&p.own);
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
