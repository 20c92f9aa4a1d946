/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a simulation, checked and made ready. */
#include "simulate/simulation.h"

#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "num/num_parts.h"
#include "num/num_private.h"
#include "simulate/simulate_private.h"

/* A number, the usual one for 0, and 0 for IV_ZERO. */
static double usual(double given, double usually)
{
    return given == 0.0 ? usually : given == IV_ZERO ? 0.0 : given;
}

static uint32_t usual_count(uint32_t given, uint32_t usually)
{
    return given == 0 ? usually : given;
}

static iv_simulation_options resolve(const iv_simulation_options *options)
{
    static const double quality[] = { 2.1, 1.3 };
    iv_simulation_options o = options != NULL ? *options : (iv_simulation_options){ 0 };

    o.seed = o.seed == 0 ? 1 : o.seed;
    o.documents = usual_count(o.documents, 4000);
    o.runs = usual_count(o.runs, 10);
    o.grades = usual_count(o.grades, 2);
    o.depth = usual_count(o.depth, o.documents < 1000 ? o.documents : 1000);
    o.prevalence = usual(o.prevalence, 0.015);
    o.prevalence_spread = usual(o.prevalence_spread, 0.9);
    o.least_relevant = usual_count(o.least_relevant, 1);
    if (o.quality.count == 0)
        o.quality = (iv_reals){ quality, 2 };
    o.similarity = usual(o.similarity, 0.7);
    o.difficulty = usual(o.difficulty, 0.8);
    o.breadth = usual(o.breadth, 0.6);
    o.interaction = usual(o.interaction, 0.33);
    return o;
}

/* ------------------------------------------------------------ checking -- */

static int check_count(const char *what, uint32_t value, uint32_t least, uint32_t most,
                       iv_err *err)
{
    if (value >= least && value <= most)
        return IV_OK;
    return iv_fail(err, IV_EARG, "%s is %u, expected %u to %u", what, value, least, most);
}

/* Written so that NaN fails too. */
static int check_real(const char *what, double value, double least, double most,
                      iv_err *err)
{
    if (value >= least && value <= most)
        return IV_OK;
    return iv_fail(err, IV_EARG, "%s is %g, expected %g to %g", what, value, least, most);
}

static int check_counts(const iv_simulation_options *o, iv_err *err)
{
    IV_TRY(check_count("the number of documents", o->documents, 1, IV_SIMULATED_DOCUMENTS_MAX,
                       err));
    IV_TRY(check_count("the number of runs", o->runs, 1, IV_SIMULATED_RUNS_MAX, err));
    IV_TRY(check_count("the number of grades", o->grades, 2, IV_SIMULATED_GRADES_MAX, err));
    if (o->depth > o->documents)
        return iv_fail(err, IV_EARG, "a depth of %u, but a topic has %u documents",
                       o->depth, o->documents);
    if (o->least_relevant > o->documents)
        return iv_fail(err, IV_EARG, "at least %u relevant documents, but expected 1 "
                       "to %u, the documents of a topic", o->least_relevant,
                       o->documents);
    return IV_OK;
}

static int check_quality(const iv_simulation_options *o, iv_err *err)
{
    if (o->quality.count > 2 && o->quality.count != o->runs)
        return iv_fail(err, IV_EARG, "%zu qualities for %u run%s, expected 1, 2 or one "
                       "for each run", o->quality.count, o->runs, o->runs == 1 ? "" : "s");
    for (size_t i = 0; i < o->quality.count; i++)
        IV_TRY(check_real("a run's quality", o->quality.at[i], -10.0, 10.0, err));
    return IV_OK;
}

static int check_reals(const iv_simulation_options *o, iv_err *err)
{
    IV_TRY(check_real("the standard deviation of the prevalence", o->prevalence_spread, 0.0, 10.0,
                      err));
    IV_TRY(check_real("the similarity of runs", o->similarity, 0.0, 1.0, err));
    IV_TRY(check_real("the standard deviation of the difficulty", o->difficulty, 0.0, 5.0, err));
    IV_TRY(check_real("the breadth", o->breadth, -1.0, 1.0, err));
    IV_TRY(check_real("the standard deviation of the interaction", o->interaction, 0.0, 5.0, err));
    IV_TRY(check_real("the step of tied scores", o->ties, 0.0, 100.0, err));
    if (!(o->prevalence > 0.0 && o->prevalence < 1.0))
        return iv_fail(err, IV_EARG, "the prevalence is %g, expected more than 0 and "
                       "less than 1", o->prevalence);
    if (o->ties > 0.0 && o->ties * IV_SCORE_UNIT < 1.0)
        return iv_fail(err, IV_EARG, "the step of tied scores is %g, expected 0 or at "
                       "least 1e-6", o->ties);
    return IV_OK;
}

/* -------------------------------------------------------- preparations -- */

/*
 * The mean of 1/(1 + exp(-(location + spread z))) over a standard normal z, by
 * the trapezoidal rule, which converges faster than any power of the step.
 */
static double logit_normal_mean(double location, double spread)
{
    double sum = 0.0, weights = 0.0;

    for (int i = -128; i <= 128; i++) {
        const double z = i / 16.0;
        const double w = iv_plain_exp(-0.5 * z * z);
        weights += w;
        sum += w / (1.0 + iv_plain_exp(-(location + spread * z)));
    }
    return sum / weights;
}

/* The mean of the logit-normal's logit whose own mean is `mean`, in (0, 1). */
static double iv_logit_normal_location(double mean, double spread)
{
    double low = -200.0, high = 200.0;

    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        if (logit_normal_mean(middle, spread) < mean)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* One a run, whatever was given. */
static void spread_quality(double *out, const iv_simulation_options *o)
{
    const bool steps = o->quality.count == 2 && o->runs > 1;
    const double last = o->runs > 1 ? o->runs - 1.0 : 1.0;

    for (uint32_t r = 0; r < o->runs; r++) {
        if (o->quality.count == o->runs && !steps)
            out[r] = o->quality.at[r];
        else if (steps)
            out[r] = o->quality.at[0] + (o->quality.at[1] - o->quality.at[0]) * (r / last);
        else
            out[r] = o->quality.at[0];
    }
}

/*
 * Each grade is half as common as the one below, and its signal is in
 * proportion to the grade, of mean 1 over relevant documents.
 */
static void spread_grades(iv_simulation *s)
{
    const uint32_t grades = s->options.grades;
    double share = 1.0, total = 0.0, mean = 0.0;

    s->weight[0] = s->grade_up_to[0] = 0.0;
    for (uint32_t g = 1; g < grades; g++, share *= 0.5) {
        total += share;
        mean += share * g;
        s->grade_up_to[g] = total;
    }
    mean /= total;
    for (uint32_t g = 1; g < grades; g++) {
        s->grade_up_to[g] /= total;
        s->weight[g] = g / mean;
    }
}

/* Ten times as many docnos as documents, and a million at least. */
static void choose_docnos(iv_simulation *s)
{
    uint64_t names = 1000000;

    s->digits = 7;
    while (names < 10 * (uint64_t)s->options.documents) {
        names *= 10;
        s->digits++;
    }
    s->spacing = (uint32_t)(names / s->options.documents);
}

static int prepare(iv_simulation *s, const iv_simulation_options *o, iv_err *err)
{
    s->options = *o;
    s->quality = iv_take(&s->memory, o->runs, sizeof *s->quality);
    s->weight = iv_take(&s->memory, o->grades, sizeof *s->weight);
    s->grade_up_to = iv_take(&s->memory, o->grades, sizeof *s->grade_up_to);
    IV_TRY(iv_taken(&s->memory, err));
    spread_quality(s->quality, o);
    spread_grades(s);
    choose_docnos(s);
    s->options.quality = (iv_reals){ s->quality, o->runs };
    s->quality_given = o->quality.count;
    s->logit = iv_logit_normal_location(o->prevalence, o->prevalence_spread);
    s->shared = sqrt(o->similarity);
    s->own = sqrt(1.0 - o->similarity);
    s->step = (uint32_t)(o->ties * IV_SCORE_UNIT + 0.5);
    return IV_OK;
}

int iv_simulation_new(iv_simulation **out, const iv_simulation_options *options,
                      iv_err *err)
{
    IV_TRY(IV_CHECK(options, err, IV_PART_OF(iv_simulation_options, quality, REALS, "quality")));
    const iv_simulation_options o = resolve(options);

    IV_TRY(check_counts(&o, err));
    IV_TRY(check_quality(&o, err));
    IV_TRY(check_reals(&o, err));
    iv_simulation *s = calloc(1, sizeof *s);
    const int rc = s == NULL ? iv_no_memory(err) : prepare(s, &o, err);
    if (rc == IV_OK)
        *out = s;
    else
        iv_simulation_free(s);
    return rc;
}

void iv_simulation_free(iv_simulation *s)
{
    if (s != NULL)
        iv_arena_free(&s->memory);
    free(s);
}

iv_stream iv_simulation_stream(const iv_simulation *s, iv_draw_kind kind, uint32_t topic,
                               uint32_t run)
{
    return iv_stream_start(s->options.seed, IV_FOR_COLLECTION,
                           (uint64_t)kind << 56 | (uint64_t)run << 32 | topic);
}
