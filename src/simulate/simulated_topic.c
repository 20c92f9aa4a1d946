/* SPDX-License-Identifier: Apache-2.0 */
/* One topic: its documents, and what a run makes of them. */
#include <math.h>
#include <string.h>

#include "num/num_parts.h"
#include "simulate/simulation.h"
#include "num/num_private.h"
#include "simulate/simulate_private.h"

iv_simulated_topic *iv_simulated_topic_take(iv_arena *own, const iv_simulation *s)
{
    const size_t n = s->options.documents, depth = s->options.depth;
    iv_simulated_topic *t = iv_take(own, 1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->simulation = s;
    t->grades = iv_take(own, n, sizeof *t->grades);
    t->noise = iv_take(own, n, sizeof *t->noise);
    t->numbers = iv_take(own, n, sizeof *t->numbers);
    t->keys = iv_take(own, n, sizeof *t->keys);
    t->scratch = iv_take(own, n, sizeof *t->scratch);
    t->picks = iv_take(own, n, sizeof *t->picks);
    t->documents = iv_take(own, depth, sizeof *t->documents);
    t->units = iv_take(own, depth, sizeof *t->units);
    t->scores = iv_take(own, depth, sizeof *t->scores);
    return t;
}

/* ------------------------------------------------------------- drawing -- */

/* How many relevant documents, and how much lower their signal. */
static void draw_nature(iv_simulated_topic *t)
{
    const iv_simulation_options *o = &t->simulation->options;
    iv_stream s = iv_simulation_stream(t->simulation, IV_DRAW_TOPIC, t->topic, 0);
    const double z = iv_draw_normal(&s), w = iv_draw_normal(&s);
    const double logit = t->simulation->logit + o->prevalence_spread * z;
    const double share = 1.0 / (1.0 + iv_plain_exp(-logit));
    const double count = floor(o->documents * share + iv_draw_uniform(&s));

    t->difficulty = -o->difficulty
        * (o->breadth * z + sqrt(1.0 - o->breadth * o->breadth) * w);
    t->relevant = o->least_relevant;
    if (count > t->relevant)
        t->relevant = count < o->documents ? (uint32_t)count : o->documents;
}

static void draw_grades(iv_simulated_topic *t)
{
    const iv_simulation *sim = t->simulation;
    iv_stream s = iv_simulation_stream(sim, IV_DRAW_RELEVANT, t->topic, 0);

    memset(t->grades, 0, sim->options.documents * sizeof *t->grades);
    (void)iv_draw_subset(&s, t->picks, t->relevant, sim->options.documents);
    for (uint32_t i = 0; i < t->relevant; i++) {
        const double u = sim->options.grades > 2 ? iv_draw_uniform(&s) : 0.0;
        int32_t g = 1;
        while (g + 1 < (int32_t)sim->options.grades && u >= sim->grade_up_to[g])
            g++;
        t->grades[t->picks[i]] = g;
    }
}

void iv_simulated_topic_draw(iv_simulated_topic *t, uint32_t topic)
{
    const iv_simulation *sim = t->simulation;
    const uint32_t n = sim->options.documents;

    t->topic = topic;
    draw_nature(t);
    draw_grades(t);
    iv_stream s = iv_simulation_stream(sim, IV_DRAW_SHARED_NOISE, topic, 0);
    for (uint32_t d = 0; d < n && sim->shared > 0.0; d++)
        t->noise[d] = sim->shared * iv_draw_normal(&s);
    s = iv_simulation_stream(sim, IV_DRAW_DOCNOS, topic, 0);
    for (uint32_t d = 0; d < n; d++)
        t->numbers[d] = d * sim->spacing + (uint32_t)iv_draw_below(&s, sim->spacing);
}

/* ------------------------------------------------------------- ranking -- */

double iv_simulated_signal(const iv_simulated_topic *t, uint32_t run)
{
    const iv_simulation *sim = t->simulation;
    iv_stream s = iv_simulation_stream(sim, IV_DRAW_INTERACTION, t->topic, run);

    return sim->quality[run] + t->difficulty
        + sim->options.interaction * iv_draw_normal(&s);
}

/* The nearest whole number of units, or of steps where ties are wanted. */
static int32_t to_units(double score, double units_a_step, int32_t step)
{
    return (int32_t)floor(score * units_a_step + 0.5) * step;
}

/*
 * Scores all documents into keys whose upper half is the distance from the
 * highest score; returns the largest distance.  Later documents come first,
 * and stay before others of the same score.
 */
static uint32_t score(iv_simulated_topic *t, uint32_t run, int32_t *highest)
{
    const iv_simulation *sim = t->simulation;
    const uint32_t n = sim->options.documents;
    const int32_t step = sim->step > 0 ? (int32_t)sim->step : 1;
    const double units = (double)IV_SCORE_UNIT / step;
    const double signal = iv_simulated_signal(t, run);
    iv_stream s = iv_simulation_stream(sim, IV_DRAW_OWN_NOISE, t->topic, run);
    int32_t most = INT32_MIN, least = INT32_MAX;

    for (uint32_t d = 0; d < n; d++) {
        double x = t->noise[d] + signal * sim->weight[t->grades[d]];
        if (sim->own > 0.0)
            x += sim->own * iv_draw_normal(&s);
        const int32_t u = to_units(x, units, step);
        t->keys[n - 1 - d] = (uint64_t)(uint32_t)u << 32 | d;
        most = u > most ? u : most;
        least = u < least ? u : least;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t distance = (uint32_t)most - (uint32_t)(t->keys[i] >> 32);
        t->keys[i] = (uint64_t)distance << 32 | (uint32_t)t->keys[i];
    }
    *highest = most;
    return (uint32_t)most - (uint32_t)least;
}

/*
 * Sorts n keys by their upper halves, none above `most`, lowest first, and
 * keeps the order of equal ones.  The sorted keys are where it returns: keys
 * or scratch, which both have room for n.
 */
static uint64_t *iv_sort_keys(uint64_t *keys, uint64_t *scratch, size_t n, uint32_t most)
{
    enum { BITS = 12, BINS = 1 << BITS };
    uint32_t start[BINS];

    for (unsigned shift = 32; shift < 64 && (most >> (shift - 32)) > 0; shift += BITS) {
        uint32_t sum = 0;
        memset(start, 0, sizeof start);
        for (size_t i = 0; i < n; i++)
            start[(keys[i] >> shift) & (BINS - 1)]++;
        for (size_t b = 0; b < BINS; b++) {
            const uint32_t count = start[b];
            start[b] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            scratch[start[(keys[i] >> shift) & (BINS - 1)]++] = keys[i];
        uint64_t *sorted = scratch;
        scratch = keys;
        keys = sorted;
    }
    return keys;
}

void iv_simulated_rank_units(iv_simulated_topic *t, uint32_t run)
{
    const iv_simulation_options *o = &t->simulation->options;
    int32_t highest;
    const uint32_t most = score(t, run, &highest);
    const uint64_t *sorted = iv_sort_keys(t->keys, t->scratch, o->documents, most);
    const bool strict = t->simulation->step == 0;

    for (uint32_t i = 0; i < o->depth; i++) {
        int32_t u = (int32_t)((uint32_t)highest - (uint32_t)(sorted[i] >> 32));
        if (strict && i > 0 && u >= t->units[i - 1])
            u = t->units[i - 1] - 1;
        t->documents[i] = (uint32_t)sorted[i];
        t->units[i] = u;
    }
}

void iv_simulated_rank(iv_simulated_topic *t, uint32_t run)
{
    iv_simulated_rank_units(t, run);
    for (uint32_t i = 0; i < t->simulation->options.depth; i++)
        t->scores[i] = t->units[i] / (double)IV_SCORE_UNIT;
}

double iv_simulated_ranked_ap(const iv_simulated_topic *t)
{
    double sum = 0.0;
    uint32_t found = 0;

    for (uint32_t i = 0; i < t->simulation->options.depth; i++) {
        if (t->grades[t->documents[i]] > 0)
            sum += ++found / (i + 1.0);
    }
    return sum / t->relevant;
}

double iv_simulated_ap(iv_simulated_topic *t, uint32_t run)
{
    iv_simulated_rank_units(t, run);
    return iv_simulated_ranked_ap(t);
}
