/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated data for coverage studies: populations of topics, collections. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "simulate/simulation.h"
#include "study/coverage_parts.h"

/* ------------------------------------------------------------ populations -- */

enum { POOL_TOPICS = 4000, POOL_RUNS = 20 };

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

    (void)err;
    iv_simulated_topic_draw(memory, (uint32_t)k);
    for (uint32_t r = 0; r < POOL_RUNS; r++)
        s->values[r * s->topics + k] = score(memory, r, s->what);
    return IV_OK;
}

int iv_population_simulate(iv_population *out, iv_scored what, const iv_coverage_options *o,
                           const iv_work *work, iv_err *err)
{
    const iv_work quiet = { .threads = iv_work_threads(work) };
    const size_t topics = iv_coverage_size(o, POOL_TOPICS);
    iv_simulation_options options = { 0 };
    iv_simulation *s = NULL;
    double *values = malloc(POOL_RUNS * topics * sizeof *values);
    int rc;

    options.seed = iv_work_seed(work);
    options.documents = 500;
    options.prevalence = 0.03;
    options.runs = POOL_RUNS;
    rc = values == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                        : iv_simulation_new(&s, &options, err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ topics, score_topic, &(scoring){ s, what, values, topics },
                                     topic_new }, &quiet, err);
    iv_simulation_free(s);
    if (rc == IV_OK)
        *out = (iv_population){ "simulated", { values, POOL_RUNS, topics }, values };
    else
        free(values);
    return rc;
}

void iv_population_free(iv_population *p)
{
    free(p->own);
    p->own = NULL;
}

/* ------------------------------------------------------------ collections -- */

/* Text that grows; broken once memory ran out. */
typedef struct text {
    char *at;
    size_t len, room;
    bool broken;
} text;

static void say(text *t, const char *fmt, ...) IV_PRINTF(2, 3);
static void say(text *t, const char *fmt, ...)
{
    enum { LINE = 256 };
    va_list words;

    if (t->room - t->len < LINE) {
        const size_t room = 2 * t->room + (1 << 16);
        char *more = t->broken ? NULL : realloc(t->at, room);
        if (more == NULL) {
            t->broken = true;
            return;
        }
        t->at = more;
        t->room = room;
    }
    va_start(words, fmt);
    t->len += (size_t)vsnprintf(t->at + t->len, LINE, fmt, words);
    va_end(words);
}

/* Topic k in all files: relevant documents, and each run's ranking. */
static void write_topic(text *qrels, text *runs, size_t run_count, iv_simulated_topic *t,
                        size_t k, uint32_t documents)
{
    const int32_t *grades = iv_simulated_grades(t);
    char docno[IV_SIMULATED_NAME_SIZE];

    for (uint32_t d = 0; d < documents; d++)
        say(qrels, "%zu 0 %s %d\n", k + 1, iv_simulated_docno(docno, t, d), (int)grades[d]);
    for (size_t r = 0; r < run_count; r++) {
        const iv_simulated_ranking x = iv_simulated_rank(t, (uint32_t)r);
        for (uint32_t i = 0; i < x.count; i++)
            say(&runs[r], "%zu Q0 %s %u %.6f run%zu\n", k + 1,
                iv_simulated_docno(docno, t, x.documents[i]), (unsigned)i + 1, x.scores[i],
                r + 1);
    }
}

static int parse(iv_made *out, const text *qrels, const text *runs, iv_err *err)
{
    int rc = iv_judgments_parse(&out->judgments, "simulated qrels", qrels->at, qrels->len,
                                IV_JUDGMENTS_QRELS, NULL, err);

    for (size_t r = 0; r < out->run_count && rc == IV_OK; r++)
        rc = iv_run_parse(&out->runs[r], "simulated run", runs[r].at, runs[r].len, IV_RUN_TREC,
                          NULL, err);
    if (rc == IV_OK)
        rc = iv_sampling_new(&out->judged, out->judgments, "simulated qrels",
                             IV_UNJUDGED_NONRELEVANT, err);
    return rc;
}

static int write_all(text *qrels, text *runs, const iv_simulation *s, size_t topics, iv_err *err)
{
    const iv_simulation_options *options = iv_simulation_options_of(s);
    iv_simulated_topic *t = NULL;
    bool broken;
    const int rc = iv_simulated_topic_new(&t, s, err);

    if (rc != IV_OK)
        return rc;
    for (size_t k = 0; k < topics; k++) {
        iv_simulated_topic_draw(t, (uint32_t)k);
        write_topic(qrels, runs, options->runs, t, k, options->documents);
    }
    broken = qrels->broken;
    for (size_t r = 0; r < options->runs; r++)
        broken = broken || runs[r].broken;
    iv_simulated_topic_free(t);
    return broken ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
}

int iv_made_new(iv_made *out, const iv_simulation_options *options, size_t topics, iv_err *err)
{
    iv_simulation *s = NULL;
    text qrels = { 0 }, *runs = calloc(options->runs, sizeof *runs);
    int rc = iv_simulation_new(&s, options, err);

    *out = (iv_made){ .runs = calloc(options->runs, sizeof(iv_run *)),
                      .run_count = options->runs };
    if (rc == IV_OK && (runs == NULL || out->runs == NULL))
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK)
        rc = write_all(&qrels, runs, s, topics, err);
    if (rc == IV_OK)
        rc = parse(out, &qrels, runs, err);
    for (size_t r = 0; runs != NULL && r < options->runs; r++)
        free(runs[r].at);
    free(runs);
    free(qrels.at);
    iv_simulation_free(s);
    if (rc != IV_OK)
        iv_made_free(out);
    return rc;
}

void iv_made_free(iv_made *m)
{
    for (size_t r = 0; m->runs != NULL && r < m->run_count; r++)
        iv_run_free(m->runs[r]);
    free(m->runs);
    iv_sampling_free(m->judged);
    iv_judgments_free(m->judgments);
    *m = (iv_made){ 0 };
}
