/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of runs: real scores on resampled topics, or simulated ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/simulation.h"
#include "study/power_study.h"

iv_power_study_options iv_power_settled(const iv_power_study_options *o, bool sign)
{
    static const int64_t topics[] = { 25, 50, 100 };
    static const double effects[] = { 0.25, 0.35, 0.5 }, differences[] = { 0.2, 0.35, 0.5 };
    iv_power_study_options x = *o;

    if (x.topics.count == 0)
        x.topics = (iv_integers){ topics, sign ? 3 : 2 };
    if (x.effects.count == 0)
        x.effects = (iv_reals){ sign ? effects : differences, 3 };
    x.width = x.width == 0.0 ? 0.025 : fmax(0.0, x.width);
    x.alpha = x.alpha == 0.0 ? 0.05 : x.alpha;
    x.trials = x.trials > 0 ? x.trials : sign ? 1000 : 500;
    x.runs = x.runs == 0 ? 20 : x.runs;
    x.permutations = x.permutations == 0 ? 1999 : x.permutations;
    return x;
}

iv_stream iv_power_stream(uint64_t seed, iv_power_part part, uint64_t trial)
{
    return iv_stream_start(seed, IV_FOR_STUDY, (uint64_t)part << 48 | trial);
}

uint64_t iv_power_seed(uint64_t seed, size_t trial)
{
    return seed + UINT64_C(0x9e3779b97f4a7c15) * (trial + 1);
}

int iv_power_check(const iv_score_grid *population, const iv_power_study_options *o, iv_err *err)
{
    if (population->systems < 2 || population->topics < 2)
        return iv_fail(err, IV_EARG, "a population of %zu systems and %zu topics, expected 2 "
                       "of each", population->systems, population->topics);
    if (o->topics.count == 0 || o->trials == 0 || o->permutations == 0)
        return iv_fail(err, IV_EARG, "no topics, no trials or no permutations");
    for (size_t i = 0; i < o->topics.count; i++)
        if (o->topics.at[i] < 2)
            return iv_fail(err, IV_EARG, "samples of %lld topics, expected 2 or more",
                           (long long)o->topics.at[i]);
    if (!(o->alpha > 0.0 && o->alpha < 1.0))
        return iv_fail(err, IV_EARG, "alpha %g, expected 0 < alpha < 1", o->alpha);
    if (o->runs < 2 || o->runs % 2 != 0)
        return iv_fail(err, IV_EARG, "sets of %zu runs, expected an even number", o->runs);
    return IV_OK;
}

int iv_power_check_runs(const iv_score_grid *population, const iv_power_study_options *o,
                        iv_err *err)
{
    const int rc = iv_power_check(population, o, err);

    if (rc == IV_OK && o->runs > population->systems)
        return iv_fail(err, IV_ENODATA, "sets of %zu runs from %zu systems", o->runs,
                       population->systems);
    return rc;
}

size_t iv_power_most_topics(const iv_power_study_options *o)
{
    size_t most = 0;

    for (size_t i = 0; i < o->topics.count; i++)
        most = (size_t)o->topics.at[i] > most ? (size_t)o->topics.at[i] : most;
    return most;
}

static void *sets_new(iv_arena *own, void *user)
{
    const iv_power_job *j = user;
    const size_t runs = j->options->runs, topics = iv_power_most_topics(j->options);
    iv_run_sets *s = iv_take(own, 1, sizeof *s);

    if (s == NULL)
        return NULL;
    *s = (iv_run_sets){ .job = j, .topics = topics };
    s->values = iv_take(own, runs * topics, sizeof *s->values);
    s->cut = iv_take(own, runs * topics, sizeof *s->cut);
    s->systems = iv_take(own, runs, sizeof *s->systems);
    s->rows = iv_take(own, topics, sizeof *s->rows);
    s->scores = iv_take(own, runs, sizeof *s->scores);
    s->ranks = iv_take(own, 2 * runs, sizeof *s->ranks);
    s->room = iv_take(own, 2 * iv_pair_count(runs) + 3 * topics, sizeof *s->room);
    if (j->simulation != NULL)
        s->topic = iv_simulated_topic_take(own, j->simulation);
    return s;
}

static int run_series(void *out, iv_power_job *job, iv_arena *own, const iv_work *work,
                      iv_err *err)
{
    const size_t trials = job->options->trials;

    job->seed = iv_work_seed(work);
    job->found = iv_take(own, trials, job->each);
    IV_TRY(iv_taken(own, err));
    for (job->k = 0; job->k < job->series; job->k++) {
        iv_stage stage;
        memset(job->found, 0, trials * job->each);
        iv_asking_start(&job->asking, iv_work_nth(&stage, work, job->k, job->series));
        IV_TRY(iv_parallel(&(iv_loop){ trials, job->trial, job, sets_new }, &job->asking.outer,
                           err));
        job->sum_up(out, job);
    }
    return IV_OK;
}

int iv_power_run(void *out, iv_power_job *job, const iv_work *work, iv_err *err)
{
    static const double quality[] = { 1.7 };
    /* Small topics, for speed; as hard as the defaults' in the mean. */
    const iv_simulation_options o = { .seed = iv_work_seed(work), .documents = 500,
                                      .prevalence = 0.03, .runs = (uint32_t)job->options->runs,
                                      .quality = { quality, 1 } };
    iv_arena own = { 0 };
    iv_simulation *simulation = NULL;
    int rc = job->simulates ? iv_simulation_new(&simulation, &o, err) : IV_OK;

    job->simulation = simulation;
    if (rc == IV_OK)
        rc = run_series(out, job, &own, work, err);
    iv_arena_free(&own);
    iv_simulation_free(simulation);
    return rc;
}

void iv_run_sets_draw(iv_run_sets *s, iv_alike alike, iv_power_part part, size_t trial)
{
    const iv_score_grid *x = s->job->population;
    const size_t runs = s->job->options->runs;
    iv_stream stream = iv_power_stream(s->job->seed, part, trial);

    (void)iv_draw_sequence(&stream, s->systems, runs, x->systems);
    for (size_t t = 0; t < s->topics; t++)
        s->rows[t] = (size_t)iv_draw_below(&stream, x->topics);
    for (size_t t = 0; t < s->topics; t++) {
        for (size_t r = 0; r < runs; r++)
            s->scores[r] = x->values[s->systems[r] * x->topics + s->rows[t]];
        if (alike == IV_PERMUTED)
            iv_draw_shuffle(&stream, s->scores, runs, sizeof *s->scores);
        for (size_t r = 0; alike == IV_PAIRS_SWAPPED && r < runs; r += 2) {
            if (iv_draw_below(&stream, 2) == 1)
                continue;
            const double first = s->scores[r];
            s->scores[r] = s->scores[r + 1];
            s->scores[r + 1] = first;
        }
        for (size_t r = 0; r < runs; r++)
            s->values[r * s->topics + t] = s->scores[r];
    }
}

void iv_run_sets_null(iv_run_sets *s, iv_alike alike, iv_power_part part, size_t trial)
{
    if (s->job->k != IV_NULL_SIMULATION) {
        iv_run_sets_draw(s, alike, part, trial);
        return;
    }
    for (size_t t = 0; t < s->topics; t++) {
        iv_simulated_topic_draw(s->topic, (uint32_t)(trial * s->topics + t));
        for (uint32_t r = 0; r < s->job->options->runs; r++)
            s->values[r * s->topics + t] = iv_simulated_ap(s->topic, r);
    }
}

iv_score_grid iv_run_sets_take(const iv_run_sets *s, size_t n)
{
    for (size_t r = 0; r < s->job->options->runs; r++)
        memcpy(s->cut + r * n, s->values + r * s->topics, n * sizeof *s->cut);
    return (iv_score_grid){ s->cut, s->job->options->runs, n };
}

double iv_share_se(double share, size_t count)
{
    return sqrt(share * (1.0 - share) / (double)count);
}

bool iv_effect_near(double found, double asked, const iv_power_study_options *o)
{
    const double slack = 1e-12; /* 0.375 - 0.35 is more than 0.025 */

    return found <= asked + o->width + slack
        && found >= asked - (o->above ? 0.0 : o->width) - slack;
}
