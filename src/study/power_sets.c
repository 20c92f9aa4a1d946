/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of runs: real scores on resampled topics, or simulated ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/power_study_parts.h"

iv_stream iv_power_stream(const iv_power_study_options *o, iv_power_part part, size_t trial)
{
    return iv_stream_start(o->seed, IV_FOR_STUDY, (uint64_t)part << 48 | trial);
}

uint64_t iv_power_seed(const iv_power_study_options *o, size_t trial)
{
    return o->seed + UINT64_C(0x9e3779b97f4a7c15) * (trial + 1);
}

int iv_power_check(const iv_score_grid *population, const iv_power_study_options *o, iv_err *err)
{
    if (population->systems < 2 || population->topics < 2)
        return iv_fail(err, IV_EARG, "a population of %zu systems and %zu topics, expected 2 "
                       "of each", population->systems, population->topics);
    if (o->topic_count == 0 || o->trials == 0 || o->permutations == 0)
        return iv_fail(err, IV_EARG, "no topics, no trials or no permutations");
    for (size_t i = 0; i < o->topic_count; i++)
        if (o->topics[i] < 2)
            return iv_fail(err, IV_EARG, "samples of %zu topics, expected 2 or more",
                           o->topics[i]);
    if (!(o->alpha > 0.0 && o->alpha < 1.0))
        return iv_fail(err, IV_EARG, "alpha %g, expected 0 < alpha < 1", o->alpha);
    if (o->runs < 2 || o->runs % 2 != 0)
        return iv_fail(err, IV_EARG, "sets of %zu runs, expected an even number", o->runs);
    return IV_OK;
}

size_t iv_power_most_topics(const iv_power_study_options *o)
{
    size_t most = 0;

    for (size_t i = 0; i < o->topic_count; i++)
        most = o->topics[i] > most ? o->topics[i] : most;
    return most;
}

int iv_power_simulation(iv_simulation **out, const iv_power_study_options *o, iv_err *err)
{
    static const double quality[] = { 1.7 };
    iv_simulation_options s = { 0 };

    /* Small topics, for speed; as hard as the defaults' in the mean. */
    s.seed = o->seed;
    s.documents = 500;
    s.prevalence = 0.03;
    s.runs = (uint32_t)o->runs;
    s.quality = (iv_reals){ quality, 1 };
    return iv_simulation_new(out, &s, err);
}

int iv_run_sets_new(iv_run_sets *s, const iv_score_grid *population,
                    const iv_simulation *simulation, const iv_power_study_options *o, iv_err *err)
{
    const size_t topics = iv_power_most_topics(o);

    *s = (iv_run_sets){ .population = population, .options = o, .topics = topics };
    s->values = malloc(o->runs * topics * sizeof *s->values);
    s->systems = malloc(o->runs * sizeof *s->systems);
    s->rows = malloc(topics * sizeof *s->rows);
    s->scores = malloc(o->runs * sizeof *s->scores);
    if (s->values == NULL || s->systems == NULL || s->rows == NULL || s->scores == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return simulation == NULL ? IV_OK : iv_simulated_topic_new(&s->topic, simulation, err);
}

void iv_run_sets_free(iv_run_sets *s)
{
    free(s->values);
    free(s->systems);
    free(s->rows);
    free(s->scores);
    iv_simulated_topic_free(s->topic);
}

void iv_run_sets_draw(iv_run_sets *s, iv_alike alike, iv_power_part part, size_t trial)
{
    const iv_score_grid *x = s->population;
    const size_t runs = s->options->runs;
    iv_stream stream = iv_power_stream(s->options, part, trial);

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

void iv_run_sets_simulate(iv_run_sets *s, size_t trial)
{
    for (size_t t = 0; t < s->topics; t++) {
        iv_simulated_topic_draw(s->topic, (uint32_t)(trial * s->topics + t));
        for (uint32_t r = 0; r < s->options->runs; r++)
            s->values[r * s->topics + t] = iv_simulated_ap(s->topic, r);
    }
}

void iv_run_sets_take(double *out, const iv_run_sets *s, size_t n)
{
    for (size_t r = 0; r < s->options->runs; r++)
        memcpy(out + r * n, s->values + r * s->topics, n * sizeof *out);
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
