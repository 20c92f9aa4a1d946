/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of runs on samples of topics, for studies of power and error. */
#ifndef IV_STUDY_POWER_H
#define IV_STUDY_POWER_H

#include "base/parallel.h"
#include "intervale/num.h"
#include "study/study.h"
#include "study/power_study.h"

/* What a stream of a study is about. */
typedef enum iv_power_part {
    IV_PART_SIGN,
    IV_PART_SWAPPED,
    IV_PART_PERMUTED,
    IV_PART_POWER,
    IV_PART_RANKS
} iv_power_part;

/* The stream of a trial, and a seed for tests made in it. */
iv_stream iv_power_stream(uint64_t seed, iv_power_part part, size_t trial);
uint64_t iv_power_seed(uint64_t seed, size_t trial);

int iv_power_check(const iv_score_grid *population, const iv_power_study_options *o, iv_err *err);

/* ... and sets of runs must not be larger than the population. */
int iv_power_check_runs(const iv_score_grid *population, const iv_power_study_options *o,
                        iv_err *err);

/* The largest of the sizes asked for. */
size_t iv_power_most_topics(const iv_power_study_options *o);

/* Trials of a study. */
typedef struct iv_power_job {
    const iv_score_grid *population;
    const iv_power_study_options *options;
    const iv_simulation *simulation; /* NULL: nothing is simulated */
    const void *about;               /* what else the trial wants to know */
    void *out;                       /* where it leaves what it finds */
    uint64_t seed;                   /* set by iv_power_run() */
} iv_power_job;

/* What one thread works with: a set of runs, and room. */
typedef struct iv_run_sets {
    const iv_power_job *job;
    size_t topics;               /* of a set: the largest size */
    double *values;              /* runs x topics */
    double *cut;                 /* of a set, cut to a size */
    size_t *systems, *rows;      /* drawn from the population */
    double *scores;              /* of a topic */
    size_t *ranks;               /* 2 x runs */
    double *room;                /* 2 x pairs + 3 x topics */
    iv_simulated_topic *topic;
} iv_run_sets;

typedef int iv_power_trial(void *job, void *sets, size_t trial, iv_err *err);

/* Makes all trials. */
IV_MUST_CHECK int iv_power_run(iv_power_job *job, iv_power_trial *trial, const iv_work *work,
                               iv_err *err);

/* A simulation of equal runs, as many as a set has. */
int iv_power_simulation(iv_simulation **out, const iv_power_study_options *o, uint64_t seed,
                        iv_err *err);

typedef enum iv_alike { IV_AS_THEY_ARE, IV_PAIRS_SWAPPED, IV_PERMUTED } iv_alike;

/* Draws systems and topics of the population, and makes runs alike. */
void iv_run_sets_draw(iv_run_sets *s, iv_alike alike, iv_power_part part, size_t trial);

/* Simulated runs on topics that no other trial has. */
void iv_run_sets_simulate(iv_run_sets *s, size_t trial);

/* The first n topics of the set, one run after the other, in s->cut. */
iv_score_grid iv_run_sets_take(const iv_run_sets *s, size_t n);

/* Does a pair of that effect count for the one asked for? */
bool iv_effect_near(double found, double asked, const iv_power_study_options *o);

/* Standard error of a share. */
double iv_share_se(double share, size_t count);

#endif /* IV_STUDY_POWER_H */
