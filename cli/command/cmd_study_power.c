/* SPDX-License-Identifier: Apache-2.0 */
/* study power -- how often do tests reject, rightly and wrongly? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "study/study.h"
#include "intervale/trec.h"
#include "command/study_power_answer.h"

typedef struct args {
    const char *matrix;
    int by;
    opt_numbers n, effects, null_n, differences;
    double width, alpha;
    int64_t samples, trials, runs, permutations;
    bool replace, above;
} args;

static const char *const by_words[] = { "systems", "topics", NULL };
static const char *const table_words[] = { "sign", "error", "power", "familywise", "ranks",
                                           NULL };

static const opt opts[] = {
    OPT_STR(args, 0, "matrix", "FILE", matrix,
            "scores of systems on topics that stand for a population, as eval --write-matrix "
            "writes them; unless given, 40 simulated runs on 250 topics"),
    OPT_CHOICE(args, 0, "by", "WHAT", by, by_words, "what a line of FILE stands for"),
    OPT_REAL_OPEN(args, 0, "alpha", "A", alpha, 0.0, 1.0, "level of the tests"),
    OPT_HEADING("Table sign"),
    OPT_NUMBERS(args, 0, "n", "N,...", n, 1, OPT_NUMBERS_MAX, 2.0, 1e6,
                "topics in a sample"),
    OPT_NUMBERS(args, 0, "effects", "H,...", effects, 1, OPT_NUMBERS_MAX, 0.0, 1.0,
                "effect sizes h of pairs to look at"),
    OPT_REAL(args, 0, "width", "W", width, 0.0, 1.0,
             "how far from an effect size a pair may be"),
    OPT_FLAG(args, 0, "above", above,
             "count pairs from an effect size upwards, not around it"),
    OPT_INT(args, 0, "samples", "N", samples, 1, 100000000, "samples of each size"),
    OPT_FLAG(args, 0, "replace", replace, "draw topics with replacement"),
    OPT_HEADING("Tables error, power, familywise, ranks"),
    OPT_NUMBERS(args, 0, "null-n", "N,...", null_n, 1, OPT_NUMBERS_MAX, 2.0, 1e6,
                "topics in a sample"),
    OPT_NUMBERS(args, 0, "differences", "D,...", differences, 1, OPT_NUMBERS_MAX, 0.0, 10.0,
                "mean differences over their standard deviation, of pairs to find"),
    OPT_INT(args, 0, "trials", "N", trials, 1, 10000000,
            "sets of runs; in the table error each gives half as many pairs as it has runs"),
    OPT_INT(args, 0, "runs", "N", runs, 2, 10000, "runs of a set, an even number"),
    OPT_INT(args, 0, "permutations", "N", permutations, 20, 100000000,
            "permutations, sign flips and resamples of each test"),
    OPT_END
};

/* ------------------------------------------------------------- population -- */

typedef struct population {
    double *values;
    iv_score_grid grid;
} population;

/* The topics that all systems have. */
static int take_matrix(population *out, cmd_context *c, const iv_matrix *m, iv_err *err)
{
    const size_t S = iv_matrix_systems(m), T = iv_matrix_topics(m);
    size_t kept = 0;
    bool *complete = malloc((T + 1) * sizeof *complete);

    out->values = malloc((S * T + 1) * sizeof *out->values);
    if (complete == NULL || out->values == NULL) {
        free(complete);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    for (size_t t = 0; t < T; t++) {
        complete[t] = true;
        for (size_t s = 0; s < S; s++)
            complete[t] = complete[t] && !isnan(iv_matrix_score(m, s, t));
        kept += complete[t];
    }
    for (size_t s = 0; s < S; s++) {
        for (size_t t = 0, k = 0; t < T; t++) {
            if (complete[t])
                out->values[s * kept + k++] = iv_matrix_score(m, s, t);
        }
    }
    out->grid = (iv_score_grid){ out->values, S, kept };
    if (kept < T)
        iv_result_note(c->result, "%zu of %zu topics are left out: not all systems have a "
                       "score there", T - kept, T);
    free(complete);
    return IV_OK;
}

static int simulate(population *out, cmd_context *c, iv_err *err)
{
    enum { RUNS = 40, TOPICS = 250 };
    iv_simulation_options o = { 0 };
    iv_simulation *s = NULL;
    iv_simulated_topic *t = NULL;
    int rc;

    o.seed = c->shared->seed;
    o.documents = 500;
    o.prevalence = 0.03;
    o.runs = RUNS;
    out->values = malloc((size_t)RUNS * TOPICS * sizeof *out->values);
    rc = out->values == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_simulation_new(&s, &o, err);
    if (rc == IV_OK)
        rc = iv_simulated_topic_new(&t, s, err);
    for (uint32_t k = 0; rc == IV_OK && k < TOPICS; k++) {
        iv_simulated_topic_draw(t, k + (1u << 30)); /* topics that no trial uses */
        for (uint32_t r = 0; r < RUNS; r++)
            out->values[r * TOPICS + k] = iv_simulated_ap(t, r);
    }
    out->grid = (iv_score_grid){ out->values, RUNS, TOPICS };
    iv_simulated_topic_free(t);
    iv_simulation_free(s);
    return rc;
}

static int read_population(population *out, cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    iv_matrix *m = NULL;
    int rc;

    if (a->matrix == NULL)
        return simulate(out, c, err);
    rc = iv_matrix_load(&m, a->matrix, (iv_matrix_rows)a->by, err);
    if (rc < 0)
        return rc;
    iv_result_input(c->result, a->matrix, iv_matrix_bytes(m));
    rc = take_matrix(out, c, m, err);
    if (rc == IV_OK && (out->grid.systems < 2 || out->grid.topics < 2))
        rc = iv_fail(err, IV_ENODATA, "%s has %zu systems and %zu topics with all scores, "
                     "expected 2 of each", a->matrix, out->grid.systems, out->grid.topics);
    iv_matrix_free(m);
    return rc;
}

/* ----------------------------------------------------------------- tables -- */

static int sign_table(cmd_context *c, const iv_score_grid *x, const iv_power_study_options *o,
                      iv_err *err)
{
    static const iv_column columns[] = {
        { "n", IV_INTEGER, 0 },       { "effect", IV_REAL, 2 },   { "predicted", IV_REAL, 3 },
        { "observed", IV_REAL, 3 },   { "se", IV_REAL, 4 },       { "sd", IV_REAL, 3 },
        { "expected", IV_REAL, 3 },   { "pairs", IV_INTEGER, 0 },
        { "samples", IV_INTEGER, 0 } };
    const size_t count = o->topic_count * o->effect_count;
    iv_sign_power_row *rows = malloc(count * sizeof *rows);
    const int rc = rows == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_study_sign_power(rows, x, o, err);
    iv_table *t = iv_result_table(c->result, "sign", columns, sizeof columns / sizeof *columns);

    for (size_t i = 0; rc == IV_OK && i < count; i++) {
        iv_put_int(t, (int64_t)rows[i].topics);
        iv_put_real(t, rows[i].effect);
        iv_put_real(t, rows[i].predicted);
        iv_put_real(t, rows[i].observed);
        iv_put_real(t, rows[i].se);
        iv_put_real(t, rows[i].sd);
        iv_put_real(t, rows[i].expected);
        iv_put_int(t, (int64_t)rows[i].pairs);
        iv_put_int(t, (int64_t)o->trials);
    }
    if (rc == IV_OK)
        iv_result_chart(c->result, &(iv_chart){
            .kind = IV_CHART_POINTS, .table = "sign", .title = "Power: predicted and observed",
            .caption = "On the diagonal the prediction holds; above it the test finds more than "
                       "predicted.",
            .x = "predicted", .value = "observed", .group = "n", .diagonal = true,
            .x_axis = { .title = "power predicted", .from = 0.0, .to = 1.0 },
            .value_axis = { .title = "power observed", .from = 0.0, .to = 1.0 } });
    free(rows);
    return rc;
}

static const char *source_name(iv_null source, const args *a)
{
    return source == IV_NULL_SIMULATION ? "simulation" : a->matrix != NULL ? "matrix"
        : "population";
}

static int error_table(cmd_context *c, const iv_score_grid *x, const iv_power_study_options *o,
                       iv_err *err)
{
    static const iv_column columns[] = {
        { "test", IV_TEXT, 0 },       { "n", IV_INTEGER, 0 },   { "source", IV_TEXT, 0 },
        { "alpha", IV_REAL, 3 },      { "attainable", IV_REAL, 4 },
        { "error", IV_REAL, 4 },      { "se", IV_REAL, 4 },     { "tests", IV_INTEGER, 0 } };
    const size_t count = o->topic_count * IV_NULLS * IV_PAIR_TESTS;
    iv_error_row *rows = malloc(count * sizeof *rows);
    const int rc = rows == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_study_test_error(rows, x, o, err);
    iv_table *t = iv_result_table(c->result, "error", columns,
                                  sizeof columns / sizeof *columns);

    for (size_t i = 0; rc == IV_OK && i < count; i++) {
        iv_put_text(t, iv_str_of(iv_pair_test_names()[rows[i].test]));
        iv_put_int(t, (int64_t)rows[i].topics);
        iv_put_text(t, iv_str_of(source_name(rows[i].source, c->args)));
        iv_put_real(t, o->alpha);
        iv_put_real(t, rows[i].attainable);
        iv_put_real(t, rows[i].error);
        iv_put_real(t, rows[i].se);
        iv_put_int(t, (int64_t)rows[i].tests);
    }
    if (rc == IV_OK)
        iv_result_chart(c->result, &(iv_chart){
            .kind = IV_CHART_CURVES, .table = "error", .title = "False alarms of the tests",
            .caption = "How often a test finds a difference where there is none; it promises "
                       "the dashed line at most.",
            .x = "n", .value = "error", .group = "test", .page = "source",
            .x_axis = { .title = "topics" }, .lines = { { "promised", o->alpha, false } } });
    free(rows);
    return rc;
}

static int power_table(cmd_context *c, const iv_score_grid *x, const iv_power_study_options *o,
                       iv_err *err)
{
    static const iv_column columns[] = {
        { "test", IV_TEXT, 0 },  { "n", IV_INTEGER, 0 },     { "effect", IV_REAL, 2 },
        { "power", IV_REAL, 4 }, { "se", IV_REAL, 4 },       { "pairs", IV_INTEGER, 0 } };
    const size_t count = o->topic_count * o->effect_count * IV_PAIR_TESTS;
    iv_test_power_row *rows = malloc(count * sizeof *rows);
    const int rc = rows == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_study_test_power(rows, x, o, err);
    iv_table *t = iv_result_table(c->result, "power", columns,
                                  sizeof columns / sizeof *columns);

    for (size_t i = 0; rc == IV_OK && i < count; i++) {
        iv_put_text(t, iv_str_of(iv_pair_test_names()[rows[i].test]));
        iv_put_int(t, (int64_t)rows[i].topics);
        iv_put_real(t, rows[i].effect);
        iv_put_real(t, rows[i].power);
        iv_put_real(t, rows[i].se);
        iv_put_int(t, (int64_t)rows[i].pairs);
    }
    if (rc == IV_OK)
        iv_result_chart(c->result, &(iv_chart){
            .kind = IV_CHART_CURVES, .table = "power", .title = "Power of the tests",
            .caption = "How often a test finds a true effect of this size: the higher, the "
                       "better, if its false alarms are as promised.",
            .x = "effect", .value = "power", .group = "test", .page = "n",
            .value_axis = { .from = 0.0, .to = 1.0 } });
    free(rows);
    return rc;
}

static int family_table(cmd_context *c, const iv_score_grid *x, const iv_power_study_options *o,
                        iv_err *err)
{
    static const iv_column columns[] = {
        { "correction", IV_TEXT, 0 }, { "test", IV_TEXT, 0 },  { "n", IV_INTEGER, 0 },
        { "source", IV_TEXT, 0 },     { "runs", IV_INTEGER, 0 },
        { "error", IV_REAL, 4 },      { "se", IV_REAL, 4 },    { "trials", IV_INTEGER, 0 } };
    const iv_family *families;
    const size_t count = o->topic_count * IV_NULLS * iv_study_families(&families);
    iv_family_row *rows = malloc(count * sizeof *rows);
    const int rc = rows == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_study_family_error(rows, x, o, err);
    iv_table *t = iv_result_table(c->result, "familywise", columns,
                                  sizeof columns / sizeof *columns);

    for (size_t i = 0; rc == IV_OK && i < count; i++) {
        iv_put_text(t, iv_str_of(iv_correction_names()[rows[i].family.correction]));
        iv_put_text(t, iv_str_of(iv_pair_test_names()[rows[i].family.test]));
        iv_put_int(t, (int64_t)rows[i].topics);
        iv_put_text(t, iv_str_of(source_name(rows[i].source, c->args)));
        iv_put_int(t, (int64_t)o->runs);
        iv_put_real(t, rows[i].error);
        iv_put_real(t, rows[i].se);
        iv_put_int(t, (int64_t)rows[i].trials);
    }
    if (rc == IV_OK)
        iv_result_chart(c->result, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "familywise", .title = "False alarms of a family",
            .caption = "How often at least one pair of equal runs is called different, by "
                       "correction and test. A correction promises the dashed line at most; "
                       "without one, false alarms pile up.",
            .label = "correction", .against = "test", .page = "n", .panel = "source",
            .value = "error", .value_axis = { .from = 0.0, .to = 1.0 },
            .lines = { { "promised", o->alpha, true } } });
    free(rows);
    return rc;
}

static int rank_table(cmd_context *c, const iv_score_grid *x, const iv_power_study_options *o,
                      iv_err *err)
{
    static const iv_column columns[] = {
        { "runs", IV_TEXT, 0 },      { "n", IV_INTEGER, 0 },   { "coverage", IV_REAL, 4 },
        { "se", IV_REAL, 4 },        { "all_covered", IV_REAL, 4 }, { "all_se", IV_REAL, 4 },
        { "bootstrap", IV_REAL, 4 }, { "width", IV_REAL, 2 },  { "trials", IV_INTEGER, 0 } };
    const size_t count = o->topic_count * 2;
    iv_rank_row *rows = malloc(count * sizeof *rows);
    const int rc = rows == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_study_rank_intervals(rows, x, o, err);
    iv_table *t = iv_result_table(c->result, "ranks", columns,
                                  sizeof columns / sizeof *columns);

    for (size_t i = 0; rc == IV_OK && i < count; i++) {
        iv_put_text(t, iv_str_of(rows[i].alike ? "equal" : "as they are"));
        iv_put_int(t, (int64_t)rows[i].topics);
        iv_put_real(t, rows[i].each);
        iv_put_real(t, rows[i].each_se);
        iv_put_real(t, rows[i].all);
        iv_put_real(t, rows[i].all_se);
        iv_put_real(t, rows[i].boot);
        iv_put_real(t, rows[i].width);
        iv_put_int(t, (int64_t)rows[i].trials);
    }
    if (rc == IV_OK)
        iv_result_chart(c->result, &(iv_chart){
            .kind = IV_CHART_CURVES, .table = "ranks", .title = "Do the ranks hold?",
            .caption = "How often all ranks of all runs are within their intervals, over the "
                       "number of topics.",
            .x = "n", .value = "all_covered", .group = "runs",
            .x_axis = { .title = "topics" }, .value_axis = { .title = "all ranks held" },
            .lines = { { "promised", 1.0 - o->alpha, false } } });
    free(rows);
    return rc;
}

/* -------------------------------------------------------------------- run -- */

/* Is the table to be shown?  Others are not computed. */
static bool wants(const cmd_context *c, const char *table)
{
    const session *s = c->shared;

    if (s->table != NULL)
        return strcmp(s->table, table) == 0;
    return strcmp(table, table_words[0]) == 0
        || (strcmp(s->format, "tsv") != 0 && strcmp(s->format, "csv") != 0);
}

static int whole_numbers(size_t *out, const opt_numbers *from, const char *option, iv_err *err)
{
    for (size_t i = 0; i < from->count; i++) {
        if (from->at[i] != floor(from->at[i]))
            return cmd_usage(err, "--%s %g, expected whole numbers", option, from->at[i]);
        out[i] = (size_t)from->at[i];
    }
    return IV_OK;
}

typedef int table_maker(cmd_context *c, const iv_score_grid *x, const iv_power_study_options *o,
                        iv_err *err);

static int study(cmd_context *c, const iv_score_grid *x, iv_err *err)
{
    static table_maker *const makers[] = { sign_table, error_table, power_table, family_table,
                                           rank_table };
    const args *a = c->args;
    size_t n[OPT_NUMBERS_MAX], null_n[OPT_NUMBERS_MAX];
    iv_power_study_options o = {
        .topics = null_n, .topic_count = a->null_n.count, .effects = a->differences.at,
        .effect_count = a->differences.count, .width = a->width, .alpha = a->alpha,
        .trials = (size_t)a->trials, .runs = (size_t)a->runs,
        .permutations = (size_t)a->permutations, .seed = c->shared->seed,
        .threads = (int)c->shared->threads };
    iv_power_study_options sign = o;
    int rc = whole_numbers(n, &a->n, "n", err);

    if (rc == IV_OK)
        rc = whole_numbers(null_n, &a->null_n, "null-n", err);
    sign.topics = n;
    sign.topic_count = a->n.count;
    sign.effects = a->effects.at;
    sign.effect_count = a->effects.count;
    sign.trials = (size_t)a->samples;
    sign.replace = a->replace;
    sign.above = a->above;
    for (size_t k = 0; k < sizeof makers / sizeof *makers && rc == IV_OK; k++) {
        /* Progress of the table when there is one; several would start anew. */
        if (!wants(c, table_words[k]))
            continue;
        sign.progress = o.progress = c->shared->table != NULL ? c->progress
            : (iv_progress){ NULL, NULL };
        rc = makers[k](c, x, k == 0 ? &sign : &o, err);
        if (c->shared->table == NULL && c->progress.report != NULL)
            c->progress.report(c->progress.user, (double)(k + 1) / 5.0);
    }
    return rc == IV_EARG ? CMD_USAGE : rc;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    population p = { 0 };
    int rc;

    if (a->runs % 2 != 0)
        return cmd_usage(err, "--runs %lld, expected an even number", (long long)a->runs);
    rc = read_population(&p, c, err);
    if (rc == IV_OK) {
        iv_result_note(c->result, "%zu systems and %zu topics stand for the population; "
                       "%zu pairs", p.grid.systems, p.grid.topics,
                       iv_pair_count(p.grid.systems));
        if (a->matrix == NULL)
            iv_result_note(c->result, "the population is simulated; --matrix FILE takes another");
        rc = study(c, &p.grid, err);
    }
    if (rc == IV_OK)
        study_power_answer(c->result);
    free(p.values);
    return rc;
}

const cmd cmd_study_power = {
    .name = "study power",
    .group = "Studies",
    .summary = "how often tests reject, rightly and wrongly",
    .operands = "",
    .description =
        "Takes the scores of many systems on many topics for a population, draws samples of "
        "its topics, tests pairs, and compares the answers with what is true.\n\n"
        "Table sign: observed against predicted power of the one-sided sign test (Carterette "
        "and Smucker's table 2). predicted is exact for the effect; expected is exact for "
        "the pairs and the way of sampling; sd is from sample to sample, se that of the mean "
        "over samples. Without replacement samples share much of a small population and "
        "spread less than predicted.\n\n"
        "Table error: how often two-sided tests reject when nothing is to be found: pairs of "
        "the population whose two scores are exchanged by chance on each topic, and "
        "simulated runs of equal quality. attainable is the largest level up to alpha that "
        "the sign test can have. Table power: how often they reject for pairs of a given "
        "mean difference over its standard deviation. Table familywise: how often any pair "
        "of equal runs is told apart. Table ranks: how often rank intervals hold the true "
        "rank of each run, and of all runs together; bootstrap is the same for the "
        "bootstrap range.\n\n"
        "In tsv and csv only the table that is shown is computed.",
    .examples = (const cmd_example[]){
        { "intervale study power --matrix ap.csv --format tsv",
          "Observed and predicted power of the sign test." },
        { "intervale study power --table error --trials 20 --permutations 99",
          "A quick look at the errors of all tests on simulated runs." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){
        .n = { 3, { 25.0, 50.0, 100.0 } }, .effects = { 3, { 0.25, 0.35, 0.5 } },
        .null_n = { 2, { 25.0, 50.0 } }, .differences = { 3, { 0.2, 0.35, 0.5 } },
        .width = 0.025, .alpha = 0.05, .samples = 1000, .trials = 500, .runs = 20,
        .permutations = 1999 },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = table_words,
    .run = run,
};
