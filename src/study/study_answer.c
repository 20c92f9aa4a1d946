/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of all studies: one table of rates, its summary, and what misses. */
#include "study/study.h"

IV_NAMES(iv_study_names, "coverage", "recall", "map", "prf", "power", "sampling", "judging",
         "stopping", "machine", "others", "plans")

enum { SEVERAL = 1 }; /* studies in one table */

const iv_field iv_study_rate_fields[] = {
    { "study", IV_AT(iv_rate, study), .shown = SEVERAL, .about = "name of the study" },
    { "quantity", IV_AT(iv_rate, quantity), .about = "quantity of the interval or test" },
    { "method", IV_AT(iv_rate, method), .about = "method of the interval or test" },
    { "data", IV_AT(iv_rate, data), .about = "kind of data" },
    { "setting", IV_AT(iv_rate, setting), .about = "size of the data" },
    { "nominal", IV_AT(iv_rate, nominal), .digits = 3, .about = "nominal rate" },
    { "rate", IV_AT(iv_rate, rate), .digits = 4,
      .about = "proportion of intervals that contain the truth, or of tests that reject" },
    { "se", IV_AT(iv_rate, se), .digits = 4, .audience = IV_IF_ANY, .about = "standard error" },
    { "below", IV_AT(iv_rate, below), .digits = 4, .audience = IV_IF_ANY,
      .about = "proportion of truths below the interval" },
    { "above", IV_AT(iv_rate, above), .digits = 4, .audience = IV_IF_ANY,
      .about = "proportion of truths above the interval" },
    { "least", IV_AT(iv_rate, least), .digits = 4, .audience = IV_IF_ANY,
      .about = "least rate among the cases averaged" },
    { "width", IV_AT(iv_rate, width), .digits = 4, .audience = IV_IF_ANY,
      .about = "mean width of the intervals" },
    { "bias", IV_AT(iv_rate, bias), .digits = 4, .audience = IV_IF_ANY,
      .about = "mean of estimate minus truth" },
    { "without", IV_AT(iv_rate, without), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "proportion of replicates without an interval" },
    { "documents", IV_AT(iv_rate, documents), .digits = 0, .audience = IV_IF_ANY,
      .about = "mean number of judged documents" },
    { "replicates", IV_AT(iv_rate, replicates), .audience = IV_FOR_PROGRAMS,
      .about = "number of replicates; empty if all outcomes are enumerated" },
    { NULL } };

/* Rates of a method on a kind of data, over settings: study, quantity, method, data. */
enum { NOMINAL, LEAST, MEAN, LARGEST };

const iv_field iv_study_summary_fields[] = {
    { "study", IV_AT(iv_row, text[0]), .shown = SEVERAL, .about = "name of the study" },
    { "quantity", IV_AT(iv_row, text[1]), .about = "quantity of the interval or test" },
    { "method", IV_AT(iv_row, text[2]), .about = "method of the interval or test" },
    { "data", IV_AT(iv_row, text[3]), .about = "kind of data" },
    { "nominal", IV_AT(iv_row, real[NOMINAL]), .digits = 3,
      .about = "nominal rate; empty if it differs between settings" },
    { "least", IV_AT(iv_row, real[LEAST]), .digits = 3,
      .about = "lowest rate over the settings and their cases" },
    { "mean", IV_AT(iv_row, real[MEAN]), .digits = 3, .about = "rate over the settings" },
    { "largest", IV_AT(iv_row, real[LARGEST]), .digits = 3, .about = "rate over the settings" },
    { "settings", IV_AT(iv_row, count[0]), .about = "number of settings" },
    { NULL } };

static bool belongs(const iv_row *s, const iv_rate *r)
{
    return strcmp(s->text[0], r->study) == 0 && strcmp(s->text[1], r->quantity) == 0
        && strcmp(s->text[2], r->method) == 0 && strcmp(s->text[3], r->data) == 0;
}

static size_t summarise(iv_row *out, const iv_study *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->rows; i++) {
        const iv_rate *r = &s->row[i];
        size_t k = 0;
        while (k < count && !belongs(&out[k], r))
            k++;
        if (isnan(r->rate))
            continue;
        if (k == count)
            out[count++] = (iv_row){ .text = { r->study, r->quantity, r->method, r->data },
                                     .real = { r->nominal, INFINITY, 0.0, -INFINITY } };
        double *x = out[k].real;
        const double n = (double)++out[k].count[0];
        x[NOMINAL] = r->nominal == x[NOMINAL] ? x[NOMINAL] : NAN;
        x[LEAST] = fmin(x[LEAST], isnan(r->least) ? r->rate : r->least);
        x[LARGEST] = fmax(x[LARGEST], r->rate);
        x[MEAN] += (r->rate - x[MEAN]) / n;
    }
    return count;
}

static void tell(const iv_study *s)
{
    const iv_rate *worst = NULL;
    size_t intervals = 0, low = 0;

    for (size_t i = 0; i < s->rows; i++) {
        const iv_rate *r = &s->row[i];
        /* Only of an interval with the study's confidence. */
        if (r->nominal != s->confidence || !isfinite(r->width) || !isfinite(r->rate))
            continue;
        intervals++;
        low += r->rate < s->confidence - 0.05;
        if (worst == NULL || r->rate < worst->rate)
            worst = r;
    }
    if (worst == NULL)
        iv_result_answer(s->out, "%zu rates of decisions; see the column nominal for what they "
                         "should be.", s->rows);
    else
        iv_result_answer(s->out, "%zu of %zu intervals have coverage below %.2f at confidence "
                         "%.2f; the lowest is %.3f (%s, %s, %s).", low, intervals,
                         s->confidence - 0.05, s->confidence, worst->rate, worst->method,
                         worst->data, worst->setting);
    if (s->q->quick)
        iv_result_note(s->out, "This quick study used a twentieth of the simulations; column 'se' "
                       "of table 'rates' has the standard errors.");
}

static int show(iv_study *s, iv_err *err)
{
    iv_row *all = iv_take(&s->own, s->rows, sizeof *all);

    IV_TRY(iv_taken(&s->own, err));
    if (s->rows == 0)
        return iv_fail(err, IV_EARG, "there is no such setting or method");
    tell(s);
    const size_t count = summarise(all, s);
    const unsigned with = s->q->study == IV_STUDY_COVERAGE ? SEVERAL : 0;
    IV_TABLE(s->out, "rates", iv_study_rate_fields, s->row, s->rows, .with = with,
             .showing = IV_LONG);
    IV_TABLE(s->out, "summary", iv_study_summary_fields, all, count, .with = with);
    iv_result_chart(s->out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "summary", .title = "Least, mean and largest rate",
        .caption = "A point is the mean rate over settings. The line goes from the smallest to "
                   "the largest. The dashed line is the nominal coverage.",
        .label = "data", .against = "method", .panel = "quantity", .page = "study",
        .value = "mean", .lower = "least", .upper = "largest",
        .lines = { { "nominal", s->confidence, true } } });
    return iv_result_status(s->out, err);
}

static const struct {
    int (*run)(iv_study *s, iv_err *err);
    const char *used[4]; /* methods, by their ids */
} studies[IV_STUDIES] = {
    { NULL, { NULL } },
    { iv_study_recall, { "betabin", "koopman" } },
    { iv_study_map, { "logit-bootstrap", "bca", "t" } },
    { iv_study_prf, { "goutte", "clopper-pearson", "wilson" } },
    { iv_study_power, { "incomplete", "larger-p", "randomisation", "holm" } },
    { iv_study_sampling, { "stevens", "aslam-pavlu" } },
    { iv_study_judging, { "incomplete" } },
    { iv_study_stopping, { "betabin", "lan-demets" } },
    { iv_study_machine, { "regression-estimator" } },
    { iv_study_others, { "delong", "kappa", "alpha", "clustered" } },
    { iv_study_plans, { "larger-p", "betabin", "hypergeometric" } } };

static bool wanted(const iv_study_question *q, int kind)
{
    if (q->study != IV_STUDY_COVERAGE)
        return (int)q->study == kind;
    for (size_t i = 0; i < q->only.count; i++)
        if (strcmp(q->only.at[i], iv_study_names()[kind]) == 0)
            return true;
    return q->only.count == 0;
}

static int run(iv_study *s, const iv_work *work, iv_err *err)
{
    iv_stage stage;
    size_t count = 0, done = 0;

    for (int k = 1; k < IV_STUDIES; k++)
        count += wanted(s->q, k);
    for (int k = 1; k < IV_STUDIES; k++) {
        if (!wanted(s->q, k))
            continue;
        s->name = iv_study_names()[k];
        s->work = iv_work_nth(&stage, work, done++, count);
        iv_study_steps(s, 1);
        IV_TRY(studies[k].run(s, err));
        for (size_t i = 0; i < 4 && studies[k].used[i] != NULL; i++)
            iv_result_used(s->out, studies[k].used[i]);
    }
    return show(s, err);
}

static int check(const iv_study_question *q, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    if (q->confidence != 0.0 && !(q->confidence > 0.0 && q->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g; expected between 0 and 1", q->confidence);
    for (size_t i = 0; i < q->only.count; i++) {
        int k = 1;
        while (k < IV_STUDIES && strcmp(q->only.at[i], iv_study_names()[k]) != 0)
            k++;
        if (k == IV_STUDIES)
            return iv_fail(err, IV_EARG, "unknown study %s; expected recall, map, prf, power, "
                           "sampling, judging, stopping, machine, plans or others",
                           iv_quote(quoted, iv_str_of(q->only.at[i])));
    }
    return IV_OK;
}

int iv_study_answer(iv_result *out, const iv_study_question *q, const iv_work *work, iv_err *err)
{
    iv_study s = { .q = q, .out = out,
                   .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    int rc = check(q, err);

    if (rc == IV_OK)
        rc = run(&s, work, err);
    free(s.row);
    iv_arena_free(&s.own);
    return rc;
}

/* Which tables the studies have. */

#define STUDY(name)                                                           \
    { "study " name, "rates", iv_study_rate_fields },                         \
    { "study " name, "summary", iv_study_summary_fields }

static const iv_known_table listed[] = {
    { "papers", "papers", iv_paper_list_fields },
    { "papers", "values", iv_paper_value_fields },
    { "papers", "verdicts", iv_paper_verdict_fields },
    { "papers", "differs", iv_paper_value_fields },
    { "papers", "figures", iv_paper_point_fields },
    STUDY("coverage"), STUDY("recall"), STUDY("map"), STUDY("prf"), STUDY("power"),
    STUDY("sampling"), { "study sampling", "errors", iv_study_sampling_fields },
    STUDY("judging"), { "study judging", "judgments", iv_study_judging_fields },
    STUDY("stopping"), STUDY("machine"), STUDY("plans"),
};

size_t iv_study_tables(const iv_known_table **out)
{
    *out = listed;
    return sizeof listed / sizeof *listed;
}

/* Data of studies: populations of scores and collections, simulated or given. */

/* ------------------------------------------------------------- populations -- */

enum { TOPICS = 1000, RUNS = 20, DOCUMENTS = 500 };

typedef struct scoring {
    iv_simulation *simulation;
    double *ap;
    size_t topics;
} scoring;

static void *topic_new(iv_arena *own, void *user)
{
    return iv_simulated_topic_take(own, ((const scoring *)user)->simulation);
}

static int score_topic(void *user, void *memory, size_t k, iv_err *err)
{
    const scoring *s = user;

    (void)err;
    iv_simulated_topic_draw(memory, (uint32_t)k);
    for (uint32_t r = 0; r < s->simulation->options.runs; r++)
        s->ap[r * s->topics + k] = iv_simulated_ap(memory, r);
    return IV_OK;
}

int iv_study_simulate(iv_score_grid *out, iv_arena *own, uint32_t runs, size_t topics,
                      const iv_work *work, iv_err *err)
{
    const iv_simulation_options options = { .seed = iv_work_seed(work), .prevalence = 0.03,
                                            .documents = DOCUMENTS, .runs = runs };
    scoring x = { .ap = iv_take(own, runs * topics, sizeof *x.ap), .topics = topics };
    iv_stage still; /* as long as it takes, but it may be stopped */

    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_simulation_new(&x.simulation, &options, err));
    const int rc = iv_parallel(&(iv_loop){ topics, score_topic, &x, topic_new },
                               iv_work_part(&still, work, 0.0, 0.0), err);
    iv_simulation_free(x.simulation);
    *out = (iv_score_grid){ x.ap, runs, topics };
    return rc;
}

int iv_study_grid(iv_score_grid *out, iv_arena *own, iv_result *result, const char *path,
                  iv_score_rows by, const iv_work *work, iv_err *err)
{
    const iv_score_source source = { .files = { &path, 1 }, .rows = by };
    char system[IV_QUOTE_SIZE], topic[IV_QUOTE_SIZE];
    iv_score_table *t = NULL;

    IV_TRY(iv_score_table_load(&t, &source, work, err));
    if (iv_own(own, t, iv_score_table_free) == NULL)
        return iv_taken(own, err);
    const size_t S = t->system_count, T = t->item_count;
    double *values = iv_take(own, S * T, sizeof *values);
    IV_TRY(iv_taken(own, err));
    iv_result_input(result, path, t->file_bytes[0]);
    (void)iv_score_values(values, t, 0);
    for (size_t i = 0; i < S * T; i++)
        if (isnan(values[i]))
            return iv_fail(err, IV_ENODATA, "system %s has no score on topic %s; a study needs "
                           "all of them", iv_quote(system, iv_str_of(t->systems[i / T])),
                           iv_quote(topic, t->items[i % T]));
    if (S < 2 || T < 2)
        return iv_fail(err, IV_ENODATA, "the scores are of %zu systems and %zu topics; expected "
                       "two "
                       "or more of each", S, T);
    *out = (iv_score_grid){ values, S, T };
    return IV_OK;
}

int iv_study_population(const iv_score_grid **out, const char **data, iv_study *s, iv_err *err)
{
    *out = &s->population;
    *data = s->q->scores != NULL ? s->q->scores : "simulated AP";
    if (s->population.values != NULL)
        return IV_OK;
    return s->q->scores == NULL
        ? iv_study_simulate(&s->population, &s->own, RUNS, TOPICS, &s->stage.work, err)
        : iv_study_grid(&s->population, &s->own, s->out, s->q->scores, s->q->by, s->work, err);
}

/* ------------------------------------------------------------- collections -- */

IV_ENDS(sampling)
IV_ENDS(simulation)

/* A collection as columns, topic by topic: of judgments, and of each run. */
typedef struct columns {
    const char **topic, **docno, **run_topic, **run_docno;
    int32_t *grade;
    double *score;
} columns;

static void fill_topic(const columns *x, iv_arena *own, iv_simulated_topic *t, size_t k,
                       size_t topics)
{
    const iv_simulation_options *o = &t->simulation->options;
    char name[IV_SIMULATED_NAME_SIZE];

    (void)snprintf(name, sizeof name, "%u", (unsigned)k + 1);
    const char *topic = iv_arena_copy(own, iv_str_of(name));
    const char **docno = x->docno + k * o->documents;
    iv_simulated_topic_draw(t, (uint32_t)k);
    for (uint32_t d = 0; d < o->documents; d++) {
        docno[d] = iv_arena_copy(own, iv_str_of(iv_simulated_docno(name, t, d)));
        x->topic[k * o->documents + d] = topic;
        x->grade[k * o->documents + d] = t->grades[d];
        own->failed = own->failed || docno[d] == NULL || topic == NULL;
    }
    for (uint32_t r = 0; r < o->runs; r++) {
        iv_simulated_rank(t, r);
        for (size_t i = 0; i < o->depth; i++) {
            const size_t at = (r * topics + k) * o->depth + i;
            x->run_topic[at] = topic;
            x->run_docno[at] = docno[t->documents[i]];
            x->score[at] = t->units[i] / (double)IV_SCORE_UNIT;
        }
    }
}

static int build(iv_collection *out, iv_arena *own, const columns *x,
                 const iv_simulation_options *o, size_t topics, iv_err *err)
{
    const iv_judgment_columns judged = { .count = topics * o->documents,
                                         .topic = { .texts = x->topic },
                                         .docno = { .texts = x->docno }, .grade = x->grade };
    const size_t lines = topics * o->depth;
    iv_run **runs = iv_take(own, o->runs, sizeof(iv_run *));

    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_judgments_build(&out->judgments, "simulated qrels", &judged, NULL, err));
    (void)iv_own(own, out->judgments, iv_end_judgments);
    for (uint32_t r = 0; r < o->runs; r++) {
        const iv_run_columns ranked = { .count = lines,
                                        .topic = { .texts = x->run_topic + r * lines },
                                        .docno = { .texts = x->run_docno + r * lines },
                                        .score = x->score + r * lines };
        IV_TRY(iv_run_build(&runs[r], "simulated run", &ranked, NULL, err));
        (void)iv_own(own, runs[r], iv_end_run);
    }
    out->runs = (const iv_run *const *)runs;
    out->count = o->runs;
    return iv_taken(own, err);
}

static int simulate_collection(iv_collection *out, iv_study *s, size_t topics, size_t runs,
                               iv_err *err)
{
    const iv_simulation_options options = {
        .seed = iv_work_seed(s->work), .documents = DOCUMENTS, .prevalence = 0.05,
        .least_relevant = 10, .runs = (uint32_t)runs, .depth = 100 };
    iv_arena *own = &s->own;
    iv_simulation *made = NULL;

    IV_TRY(iv_simulation_new(&made, &options, err));
    (void)iv_own(own, made, iv_end_simulation);
    IV_TRY(iv_taken(own, err));
    const iv_simulation_options *o = &made->options;
    const size_t judged = topics * o->documents, ranked = topics * o->depth * o->runs;
    const columns x = { iv_take(own, judged, sizeof(char *)), iv_take(own, judged, sizeof(char *)),
                        iv_take(own, ranked, sizeof(char *)), iv_take(own, ranked, sizeof(char *)),
                        iv_take(own, judged, sizeof(int32_t)),
                        iv_take(own, ranked, sizeof(double)) };
    iv_simulated_topic *t = iv_simulated_topic_take(own, made);
    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < topics; k++) {
        IV_TRY(iv_check_work(&s->stage.work, 0.0, err));
        fill_topic(&x, own, t, k, topics);
    }
    IV_TRY(iv_taken(own, err));
    return build(out, own, &x, o, topics, err);
}

static int read_collection(iv_collection *out, iv_study *s, iv_err *err)
{
    const char *qrels = s->q->judgments;
    const iv_work quiet = iv_work_quiet(s->work);
    iv_run_input in;

    IV_TRY(iv_run_input_read(&in, s->out, &(iv_source){ .runs = s->q->runs }, &quiet, err));
    out->runs = in.runs;
    out->count = in.count;
    IV_TRY(iv_judgments_input(&out->judgments, s->out, qrels, IV_JUDGMENTS_ANY, &quiet, err));
    if (iv_judgments_format_of(out->judgments) != IV_JUDGMENTS_QRELS
        && iv_judgments_format_of(out->judgments) != IV_JUDGMENTS_BEIR)
        return iv_fail_at(err, IV_EARG, qrels, 0, "the judgments are a sample; a study takes "
                          "complete judgments for the truth");
    return IV_OK;
}

int iv_study_collection(iv_collection *out, iv_study *s, size_t topics, size_t runs, iv_err *err)
{
    const bool given = s->q->judgments != NULL;

    *out = (iv_collection){ .data = given ? s->q->judgments : "simulated collection" };
    IV_TRY(given ? read_collection(out, s, err) : simulate_collection(out, s, topics, runs, err));
    IV_TRY(iv_sampling_new(&out->judged, out->judgments, out->data, IV_UNJUDGED_NONRELEVANT, err));
    (void)iv_own(&s->own, out->judged, iv_end_sampling);
    return iv_taken(&s->own, err);
}
