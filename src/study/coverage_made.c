/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated data for coverage studies: populations of topics, collections. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "intervale/stat/rank.h"
#include "simulate/simulation.h"
#include "study/coverage_parts.h"

/* ------------------------------------------------------------ populations -- */

enum { POOL_TOPICS = 4000, POOL_RUNS = 20, POOL_DOCUMENTS = 500 };

static double score(iv_simulated_topic *t, uint32_t run, iv_scored what)
{
    const int32_t *grades = iv_simulated_grades(t);
    double sum = 0.0;

    if (what == IV_SCORED_AP)
        return iv_simulated_ap(t, run);
    const iv_simulated_ranking r = iv_simulated_rank(t, run);
    for (uint32_t i = 0; i < r.count && (what == IV_SCORED_DCG || i < 10); i++)
        if (grades[r.documents[i]] > 0)
            sum += what == IV_SCORED_DCG ? 1.0 / log2((double)i + 2.0) : 0.1;
    return sum;
}

/* Minus the ranks of all documents; those that are not retrieved come last together. */
static void place(double *out, const iv_simulated_ranking *r, size_t documents)
{
    for (size_t d = 0; d < documents; d++)
        out[d] = -(double)r->count;
    for (uint32_t i = 0; i < r->count; i++)
        out[r->documents[i]] = -(double)i;
}

/* How alike a run is to the next. */
static int liken(double *out, iv_simulated_topic *t, uint32_t run, iv_scored what,
                 size_t documents, iv_err *err)
{
    double x[POOL_DOCUMENTS], y[POOL_DOCUMENTS];
    uint32_t items[POOL_DOCUMENTS];
    iv_simulated_ranking r = iv_simulated_rank(t, run);
    const iv_ranked_items a = { items, NULL, r.count };
    iv_rbo rbo = { 0 };

    place(x, &r, documents);
    memcpy(items, r.documents, r.count * sizeof *items);
    r = iv_simulated_rank(t, (run + 1) % POOL_RUNS);
    place(y, &r, documents);
    if (what == IV_SCORED_TAU || what == IV_SCORED_TAU_AP) { /* within [0, 1], as overlap has them */
        const int rc = what == IV_SCORED_TAU ? iv_kendall(out, x, y, documents, err)
                                             : iv_tau_ap_b(out, x, y, documents, err);
        *out = 0.5 * (*out + 1.0);
        return rc;
    }
    const iv_ranked_items b = { r.documents, NULL, r.count };
    const int rc = iv_rbo_of(&rbo, &a, &b, documents, 0.9, IV_RBO_AVERAGE, err);
    size_t both = 0;
    for (size_t d = 0; d < documents; d++)
        both += x[d] > -10.0 && y[d] > -10.0;
    *out = what == IV_SCORED_OVERLAP ? (double)both / 10.0 : fmin(rbo.value, 1.0);
    return rc;
}

/* Topics of a population, one an item. */
typedef struct scoring {
    const iv_simulation *simulation;
    iv_scored what;
    double *values;
    size_t topics;
} scoring;

static void *topic_new(iv_arena *own, void *user)
{
    return iv_simulated_topic_take(own, ((const scoring *)user)->simulation);
}

static int score_topic(void *user, void *memory, size_t k, iv_err *err)
{
    const scoring *s = user;
    int rc = IV_OK;

    iv_simulated_topic_draw(memory, (uint32_t)k);
    for (uint32_t r = 0; r < POOL_RUNS && rc == IV_OK; r++) {
        double *out = &s->values[r * s->topics + k];
        if (s->what < IV_SCORED_RBO)
            *out = score(memory, r, s->what);
        else
            rc = liken(out, memory, r, s->what, POOL_DOCUMENTS, err);
    }
    return rc;
}

int iv_population_simulate(iv_score_grid *out, iv_coverage *c, iv_scored what, iv_err *err)
{
    const iv_simulation_options options = { .seed = iv_work_seed(c->whole), .prevalence = 0.03,
                                            .documents = POOL_DOCUMENTS, .runs = POOL_RUNS };
    const size_t topics = iv_coverage_size(c, POOL_TOPICS);
    iv_stage still; /* as long as it takes, but it may be stopped */
    iv_simulation *s = NULL;

    if (c->simulated[what].values == NULL) {
        double *values = iv_take(&c->own, POOL_RUNS * topics, sizeof *values);
        IV_TRY(iv_taken(&c->own, err));
        IV_TRY(iv_simulation_new(&s, &options, err));
        const int rc = iv_parallel(
            &(iv_loop){ topics, score_topic, &(scoring){ s, what, values, topics }, topic_new },
            iv_work_part(&still, &c->stage.work, 0.0, 0.0), err);
        iv_simulation_free(s);
        IV_TRY(rc);
        c->simulated[what] = (iv_score_grid){ values, POOL_RUNS, topics };
    }
    *out = c->simulated[what];
    return IV_OK;
}

/* ------------------------------------------------------------ collections -- */

iv_made iv_made_given(const iv_coverage_options *o)
{
    return (iv_made){ "collection", o->runs, o->run_count, o->judgments, o->judged };
}

static void run_end(void *run) { iv_run_free(run); }
static void judgments_end(void *judgments) { iv_judgments_free(judgments); }
static void sampling_end(void *sampling) { iv_sampling_free(sampling); }
static void simulation_end(void *simulation) { iv_simulation_free(simulation); }

/* A collection as columns, topic by topic: of judgments, and of each run in turn. */
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
        x->grade[k * o->documents + d] = iv_simulated_grades(t)[d];
        own->failed = own->failed || docno[d] == NULL || topic == NULL;
    }
    for (uint32_t r = 0; r < o->runs; r++) {
        const iv_simulated_ranking ranked = iv_simulated_rank(t, r);
        for (size_t i = 0; i < ranked.count; i++) {
            const size_t at = (r * topics + k) * o->depth + i;
            x->run_topic[at] = topic;
            x->run_docno[at] = docno[ranked.documents[i]];
            x->score[at] = ranked.scores[i];
        }
    }
}

static int build(iv_made *out, iv_coverage *c, const columns *x, const iv_simulation_options *o,
                 size_t topics, iv_err *err)
{
    const iv_judgment_columns judged = { .count = topics * o->documents,
                                         .topic = { .texts = x->topic },
                                         .docno = { .texts = x->docno }, .grade = x->grade };
    const size_t lines = topics * o->depth;
    iv_run **runs = iv_take(&c->own, o->runs, sizeof(iv_run *));
    iv_judgments *judgments = NULL;
    iv_sampling *sampling = NULL;

    IV_TRY(iv_taken(&c->own, err));
    IV_TRY(iv_judgments_build(&judgments, "simulated qrels", &judged, NULL, err));
    (void)iv_own(&c->own, judgments, judgments_end);
    for (uint32_t r = 0; r < o->runs; r++) {
        const iv_run_columns ranked = { .count = lines,
                                        .topic = { .texts = x->run_topic + r * lines },
                                        .docno = { .texts = x->run_docno + r * lines },
                                        .score = x->score + r * lines };
        IV_TRY(iv_run_build(&runs[r], "simulated run", &ranked, NULL, err));
        (void)iv_own(&c->own, runs[r], run_end);
    }
    IV_TRY(iv_taken(&c->own, err));
    IV_TRY(iv_sampling_new(&sampling, judgments, "simulated qrels", IV_UNJUDGED_NONRELEVANT, err));
    (void)iv_own(&c->own, sampling, sampling_end);
    *out = (iv_made){ "simulated", (const iv_run *const *)runs, o->runs, judgments, sampling };
    return iv_taken(&c->own, err);
}

int iv_made_new(iv_made *out, iv_coverage *c, const iv_simulation_options *options,
                size_t topics, iv_err *err)
{
    iv_arena *own = &c->own;
    iv_simulation *s = NULL;

    IV_TRY(iv_simulation_new(&s, options, err));
    (void)iv_own(own, s, simulation_end);
    IV_TRY(iv_taken(own, err));
    const iv_simulation_options *o = iv_simulation_options_of(s);
    const size_t judged = topics * o->documents, ranked = topics * o->depth * o->runs;
    const columns x = { iv_take(own, judged, sizeof(char *)), iv_take(own, judged, sizeof(char *)),
                        iv_take(own, ranked, sizeof(char *)), iv_take(own, ranked, sizeof(char *)),
                        iv_take(own, judged, sizeof(int32_t)),
                        iv_take(own, ranked, sizeof(double)) };
    iv_simulated_topic *t = iv_simulated_topic_take(own, s);
    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < topics; k++) {
        IV_TRY(iv_check_work(&c->stage.work, 0.0, err));
        fill_topic(&x, own, t, k, topics);
    }
    IV_TRY(iv_taken(own, err));
    return build(out, c, &x, o, topics, err);
}
