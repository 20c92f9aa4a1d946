/* SPDX-License-Identifier: Apache-2.0 */
/* study power: its population, and what is told of it. */
#include <math.h>
#include <string.h>

#include "simulate/simulation.h"
#include "study/power_study.h"
#include "study/study_columns.h"

/* ------------------------------------------------------------- population -- */

/* The topics that all systems have. */
static int take_matrix(iv_score_grid *out, iv_arena *own, iv_result *r, const iv_matrix *m,
                       iv_err *err)
{
    const size_t S = iv_matrix_systems(m), T = iv_matrix_topics(m);
    double *values = iv_take(own, S * T, sizeof *values);
    size_t *kept = iv_take(own, T, sizeof *kept), n = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < T; t++) {
        bool complete = true;
        for (size_t s = 0; s < S; s++)
            complete = complete && !isnan(iv_matrix_score(m, s, t));
        if (complete)
            kept[n++] = t;
    }
    for (size_t i = 0; i < S * n; i++)
        values[i] = iv_matrix_score(m, i / n, kept[i % n]);
    *out = (iv_score_grid){ values, S, n };
    if (n < T)
        iv_result_note(r, "%zu of %zu topics are left out: not all systems have a "
                       "score there", T - n, T);
    return IV_OK;
}

static int simulate(iv_score_grid *out, iv_arena *own, const iv_work *work, iv_err *err)
{
    enum { RUNS = 40, TOPICS = 250 };
    const iv_simulation_options o = { .seed = iv_work_seed(work), .documents = 500,
                                      .prevalence = 0.03, .runs = RUNS };
    double *values = iv_take(own, (size_t)RUNS * TOPICS, sizeof *values);
    iv_simulation *s = NULL;

    IV_TRY(iv_simulation_new(&s, &o, err));
    iv_simulated_topic *t = iv_simulated_topic_take(own, s);
    int rc = iv_taken(own, err);
    for (uint32_t k = 0; rc == IV_OK && k < TOPICS; k++) {
        iv_simulated_topic_draw(t, k + (1u << 30)); /* topics that no trial uses */
        for (uint32_t r = 0; r < RUNS; r++)
            values[r * TOPICS + k] = iv_simulated_ap(t, r);
        rc = iv_check_work(work, 0.0, err);
    }
    *out = (iv_score_grid){ values, RUNS, TOPICS };
    iv_simulation_free(s);
    return rc;
}

static int read_population(iv_score_grid *x, iv_arena *own, iv_result *out,
                           const iv_study_power_question *q, const iv_work *work, iv_err *err)
{
    iv_matrix *m = NULL;

    if (q->matrix == NULL)
        return simulate(x, own, work, err);
    IV_TRY(iv_matrix_load(&m, q->matrix, q->by, work, err));
    iv_result_input(out, q->matrix, iv_matrix_bytes(m));
    const int rc = take_matrix(x, own, out, m, err);
    iv_matrix_free(m);
    IV_TRY(rc);
    return x->systems >= 2 && x->topics >= 2 ? IV_OK
        : iv_fail(err, IV_ENODATA, "%s has %zu systems and %zu topics with all scores, expected "
                  "2 of each", q->matrix, x->systems, x->topics);
}

/* ----------------------------------------------------------------- tables -- */

enum { MATRIX = 1, SIMULATED = 2 };

static const char *const *matrix_names(void)
{
    static const char *const names[] = { "matrix", "simulation", NULL };

    return names;
}

static const char *const *simulated_names(void)
{
    static const char *const names[] = { "population", "simulation", NULL };

    return names;
}

static const char *const *alike_names(void)
{
    static const char *const names[] = { "as they are", "equal", NULL };

    return names;
}

const iv_field iv_power_study_sign_fields[] = {
    { "n", IV_AT(iv_sign_power_row, topics), .about = "topics in a sample" },
    { "effect", IV_AT(iv_sign_power_row, effect), .digits = 2, .about = "h of the pairs" },
    { "predicted", IV_AT(iv_sign_power_row, predicted), .digits = 3,
      .about = "exact power for the effect" },
    { "observed", IV_AT(iv_sign_power_row, observed), .digits = 3,
      .about = "share of pairs found, over samples" },
    { "se", IV_AT(iv_sign_power_row, se), .digits = 4, .about = "of observed" },
    { "sd", IV_AT(iv_sign_power_row, sd), .digits = 3, .about = "from sample to sample" },
    { "expected", IV_AT(iv_sign_power_row, expected), .digits = 3,
      .about = "exact, for these pairs and this way of sampling" },
    { "pairs", IV_AT(iv_sign_power_row, pairs), .about = "that have the effect" },
    { "samples", IV_AT(iv_sign_power_row, samples), .about = "of each size" },
    { NULL } };

#define SOURCE(T)                                                             \
    { "source", IV_AT(T, source), .names = matrix_names, .needs = MATRIX,     \
      .about = "of the scores" },                                             \
    { "source", IV_AT(T, source), .names = simulated_names, .needs = SIMULATED, \
      .about = "of the scores" }

const iv_field iv_power_study_error_fields[] = {
    { "test", IV_AT(iv_error_row, test), .names = iv_pair_test_names, .about = "two-sided" },
    { "n", IV_AT(iv_error_row, topics), .about = "topics in a sample" },
    SOURCE(iv_error_row),
    { "alpha", IV_AT(iv_error_row, alpha), .digits = 3, .about = "error promised" },
    { "attainable", IV_AT(iv_error_row, attainable), .digits = 4,
      .about = "the largest level up to alpha that the test can have" },
    { "error", IV_AT(iv_error_row, error), .digits = 4, .about = "share that reject" },
    { "se", IV_AT(iv_error_row, se), .digits = 4, .about = "of error" },
    { "tests", IV_AT(iv_error_row, tests), .about = "made" },
    { NULL } };

const iv_field iv_power_study_power_fields[] = {
    { "test", IV_AT(iv_test_power_row, test), .names = iv_pair_test_names,
      .about = "two-sided" },
    { "n", IV_AT(iv_test_power_row, topics), .about = "topics in a sample" },
    { "effect", IV_AT(iv_test_power_row, effect), .digits = 2,
      .about = "mean difference over its standard deviation" },
    { "power", IV_AT(iv_test_power_row, power), .digits = 4, .about = "share that reject" },
    { "se", IV_AT(iv_test_power_row, se), .digits = 4, .about = "of power" },
    { "pairs", IV_AT(iv_test_power_row, pairs), .about = "that have the effect" },
    { NULL } };

const iv_field iv_power_study_family_fields[] = {
    { "correction", IV_AT(iv_family_row, family.correction), .names = iv_correction_names,
      .about = "for many pairs" },
    { "test", IV_AT(iv_family_row, family.test), .names = iv_pair_test_names,
      .about = "of a pair" },
    { "n", IV_AT(iv_family_row, topics), .about = "topics in a sample" },
    SOURCE(iv_family_row),
    { "runs", IV_AT(iv_family_row, runs), .about = "of a set" },
    { "error", IV_AT(iv_family_row, error), .digits = 4,
      .about = "share of sets with a pair that rejects" },
    { "se", IV_AT(iv_family_row, se), .digits = 4, .about = "of error" },
    { "trials", IV_AT(iv_family_row, trials), .about = "sets" },
    { NULL } };

static const char *const *compared_names(void)
{
    static const char *const names[] = { "all pairs", "baseline", NULL };

    return names;
}

static const char *const *dense_names(void)
{
    static const char *const names[] = { "fewer", "ten or more", NULL };

    return names;
}

const iv_field iv_power_study_equal_fields[] = {
    { "set", IV_AT(iv_equal_row, kind), .names = iv_equal_kind_names,
      .about = "runs whose means are made equal" },
    { "compared", IV_AT(iv_equal_row, baseline), .names = compared_names,
      .about = "all pairs, or each run with a baseline" },
    { "runs", IV_AT(iv_equal_row, runs), .about = "of a set" },
    { "n", IV_AT(iv_equal_row, topics), .about = "topics in a sample" },
    { "differ_on", IV_AT(iv_equal_row, dense), .names = dense_names,
      .about = "topics, of every pair; or of all but some pair" },
    { "sets", IV_AT(iv_equal_row, sets), .about = "of that kind" },
    { "default", IV_AT(iv_equal_row, error), .digits = 4,
      .about = "share of sets with a pair called different" },
    { "se", IV_AT(iv_equal_row, se), .digits = 4, .about = "of default" },
    { "missed", IV_AT(iv_equal_row, missed), .digits = 4,
      .about = "share with a simultaneous interval that misses a true difference" },
    { "holm_t", IV_AT(iv_equal_row, by_t), .digits = 4,
      .about = "as default, by t tests and Holm's correction" },
    { "tukey", IV_AT(iv_equal_row, by_tukey), .digits = 4, .about = "by Tukey's" },
    { NULL } };

const iv_field iv_power_study_rank_fields[] = {
    { "runs", IV_AT(iv_rank_row, alike), .names = alike_names, .about = "how they were made" },
    { "n", IV_AT(iv_rank_row, topics), .about = "topics in a sample" },
    { "coverage", IV_AT(iv_rank_row, each), .digits = 4,
      .about = "share of runs whose interval holds the rank" },
    { "se", IV_AT(iv_rank_row, each_se), .digits = 4, .about = "of coverage" },
    { "all_covered", IV_AT(iv_rank_row, all), .digits = 4, .about = "share of sets" },
    { "all_se", IV_AT(iv_rank_row, all_se), .digits = 4, .about = "of all_covered" },
    { "bootstrap", IV_AT(iv_rank_row, boot), .digits = 4,
      .about = "share of runs whose bootstrap range holds the rank" },
    { "width", IV_AT(iv_rank_row, width), .digits = 2, .about = "ranks in an interval" },
    { "trials", IV_AT(iv_rank_row, trials), .about = "sets" },
    { NULL } };

typedef union any_row {
    iv_sign_power_row sign;
    iv_error_row error;
    iv_test_power_row power;
    iv_family_row family;
    iv_equal_row equal;
    iv_rank_row rank;
} any_row;

enum { SIGN, ERRORS, POWER, FAMILYWISE, EQUAL, RANKS, TABLES };

static const char *const names[TABLES] = { "sign", "error", "power", "familywise",
                                           "families", "ranks" };

static void draw(iv_result *out, int table, double alpha)
{
    if (table == SIGN)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_POINTS, .table = "sign", .title = "Power: predicted and observed",
            .caption = "On the diagonal the prediction holds; above it the test finds more than "
                       "predicted.",
            .x = "predicted", .value = "observed", .group = "n", .diagonal = true,
            .x_axis = { .title = "power predicted", .from = 0.0, .to = 1.0 },
            .value_axis = { .title = "power observed", .from = 0.0, .to = 1.0 } });
    else if (table == ERRORS)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_CURVES, .table = "error", .title = "False alarms of the tests",
            .caption = "How often a test finds a difference where there is none; it promises "
                       "the dashed line at most.",
            .x = "n", .value = "error", .group = "test", .page = "source",
            .x_axis = { .title = "topics" }, .lines = { { "promised", alpha, false } } });
    else if (table == POWER)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_CURVES, .table = "power", .title = "Power of the tests",
            .caption = "How often a test finds a true effect of this size: the higher, the "
                       "better, if its false alarms are as promised.",
            .x = "effect", .value = "power", .group = "test", .page = "n",
            .value_axis = { .from = 0.0, .to = 1.0 } });
    else if (table == FAMILYWISE)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "familywise", .title = "False alarms of a family",
            .caption = "How often at least one pair of equal runs is called different, by "
                       "correction and test. A correction promises the dashed line at most; "
                       "without one, false alarms pile up.",
            .label = "correction", .against = "test", .page = "n", .panel = "source",
            .value = "error", .value_axis = { .from = 0.0, .to = 1.0 },
            .lines = { { "promised", alpha, true } } });
    else if (table == EQUAL)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "families",
            .title = "False alarms where runs are not exchangeable",
            .caption = "How often compare calls a pair different though all means are equal, by "
                       "kind of runs; it promises the dashed line at most.",
            .label = "set", .against = "n", .page = "compared", .panel = "differ_on",
            .value = "default", .value_axis = { .from = 0.0, .to = 1.0 },
            .lines = { { "promised", alpha, true } } });
    else
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_CURVES, .table = "ranks", .title = "Do the ranks hold?",
            .caption = "How often all ranks of all runs are within their intervals, over the "
                       "number of topics.",
            .x = "n", .value = "all_covered", .group = "runs",
            .x_axis = { .title = "topics" }, .value_axis = { .title = "all ranks held" },
            .lines = { { "promised", 1.0 - alpha, false } } });
}

/* What the sentence says: the largest error, and of which test. */
typedef struct worst {
    double off, error;
    const char *test;
} worst;

static void look(worst *w, int table, const any_row *rows, size_t count)
{
    for (size_t i = 0; i < count && table == SIGN; i++) {
        const iv_sign_power_row *r = (const iv_sign_power_row *)rows + i;
        w->off = fmax(w->off, fabs(r->observed - r->predicted));
    }
    for (size_t i = 0; i < count && table == ERRORS; i++) {
        const iv_error_row *r = (const iv_error_row *)rows + i;
        if (r->error > w->error)
            *w = (worst){ w->off, r->error, iv_pair_test_names()[r->test] };
    }
}

static void tell(iv_result *out, const worst *w, double alpha)
{
    char text[200] = "";

    if (w->off >= 0.0)
        (void)snprintf(text, sizeof text, "The power predicted for the sign test is off by "
                       "%.3f at most", w->off);
    if (w->error >= 0.0) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s the largest share of false "
                       "alarms is %.3f (%s), where %g is promised",
                       used > 0 ? ";" : "Of the tests", w->error, w->test, alpha);
    }
    if (text[0] != '\0')
        iv_result_answer(out, "%s.", text);
}

/* Rows that have sets, in place; returns how many. */
static size_t drop_empty(iv_equal_row *rows, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (rows[i].sets > 0)
            rows[kept++] = rows[i];
    return kept;
}

static int add_table(iv_result *out, iv_arena *own, worst *w, int table, const iv_score_grid *x,
                     const iv_power_study_options *o, unsigned with, const iv_work *work,
                     iv_err *err)
{
    const size_t topics = o->topics.count, effects = o->effects.count;
    const iv_family *families;
    const size_t counts[TABLES] = { topics * effects, topics * IV_NULLS * IV_PAIR_TESTS,
                                    topics * effects * IV_PAIR_TESTS,
                                    topics * IV_NULLS * iv_study_families(&families),
                                    (size_t)2 * IV_EQUAL_SETTINGS,
                                    topics * 2 };
    static const iv_field *const fields[TABLES] = { iv_power_study_sign_fields, iv_power_study_error_fields, iv_power_study_power_fields,
                                                    iv_power_study_family_fields, iv_power_study_equal_fields, iv_power_study_rank_fields };
    static const size_t sizes[TABLES] = { sizeof(iv_sign_power_row), sizeof(iv_error_row),
                                          sizeof(iv_test_power_row), sizeof(iv_family_row),
                                          sizeof(iv_equal_row), sizeof(iv_rank_row) };
    any_row *rows = iv_take(own, counts[table], sizeof *rows);

    IV_TRY(iv_taken(own, err));
    IV_TRY(table == SIGN ? iv_study_sign_power(&rows->sign, x, o, work, err)
           : table == ERRORS ? iv_study_test_error(&rows->error, x, o, work, err)
           : table == POWER ? iv_study_test_power(&rows->power, x, o, work, err)
           : table == FAMILYWISE ? iv_study_family_error(&rows->family, x, o, work, err)
           : table == EQUAL ? iv_study_equal_means(&rows->equal, x, o, work, err)
           : iv_study_rank_intervals(&rows->rank, x, o, work, err));
    const size_t count = table == EQUAL ? drop_empty(&rows->equal, counts[table]) : counts[table];
    look(w, table, rows, count);
    (void)iv_result_rows(out, &(iv_rows){ names[table], fields[table], rows, count,
                                          sizes[table], .with = with });
    draw(out, table, o->alpha);
    return IV_OK;
}

static int answer(iv_result *out, const iv_study_power_question *q, iv_arena *own,
                  const iv_work *work, iv_err *err)
{
    const iv_power_study_options how = iv_power_settled(&q->how, false);
    iv_power_study_options sign = how;
    worst w = { -1.0, -1.0, NULL };
    iv_score_grid x = { 0 };

    sign.topics = q->sign.topics;
    sign.effects = q->sign.effects;
    sign.trials = q->sign.trials;
    sign.replace = q->sign.replace;
    sign.above = q->sign.above;
    sign = iv_power_settled(&sign, true);
    IV_TRY(read_population(&x, own, out, q, work, err));
    iv_result_note(out, "%zu systems and %zu topics stand for the population; %zu pairs",
                   x.systems, x.topics, iv_pair_count(x.systems));
    if (q->matrix == NULL)
        iv_result_note(out, "the population is simulated; a matrix of scores takes its place");
    for (int k = 0; k < TABLES; k++) {
        iv_stage stage;
        if (iv_result_wants(out, names[k], IV_SHOWN))
            IV_TRY(add_table(out, own, &w, k, &x, k == SIGN ? &sign : &how,
                             q->matrix != NULL ? MATRIX : SIMULATED,
                             iv_work_nth(&stage, work, (size_t)k, TABLES), err));
    }
    tell(out, &w, how.alpha);
    return IV_OK;
}

int iv_study_answer_power(iv_result *out, const iv_study_power_question *q, const iv_work *work,
                          iv_err *err)
{
    iv_arena own = { 0 };
    const int rc = answer(out, q, &own, work, err);

    iv_arena_free(&own);
    return rc;
}
