/* SPDX-License-Identifier: Apache-2.0 */
/* What studies run on: populations of scores and collections, simulated or read. */
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/run_input.h"
#include "sampling/sampled_judgments.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

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

static int simulate_collection(iv_collection *out, iv_study *s, size_t topics,
                               iv_simulation_options options, iv_err *err)
{
    options.seed = iv_work_seed(s->work);
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

static int judge(iv_collection *out, iv_study *s, iv_err *err)
{
    IV_TRY(iv_sampling_new(&out->judged, out->judgments, out->data, IV_UNJUDGED_NONRELEVANT, err));
    (void)iv_own(&s->own, out->judged, iv_end_sampling);
    return iv_taken(&s->own, err);
}

int iv_study_collection(iv_collection *out, iv_study *s, size_t topics, size_t runs, iv_err *err)
{
    const bool given = s->q->judgments != NULL;

    const iv_simulation_options usual = {
        .documents = DOCUMENTS, .prevalence = 0.05, .least_relevant = 10, .runs = (uint32_t)runs,
        .depth = 100 };

    *out = (iv_collection){ .data = given ? s->q->judgments : "simulated collection" };
    IV_TRY(given ? read_collection(out, s, err)
                 : simulate_collection(out, s, topics, usual, err));
    return judge(out, s, err);
}

int iv_study_sparse_collection(iv_collection *out, iv_study *s, size_t topics, uint32_t documents,
                               iv_err *err)
{
    const iv_simulation_options few = { .documents = documents, .runs = 6, .depth = documents };

    *out = (iv_collection){ .data = "few relevant documents" };
    IV_TRY(simulate_collection(out, s, topics, few, err));
    return judge(out, s, err);
}
