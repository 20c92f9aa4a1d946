/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often tests of pairs reject: when they should (power) and when they
 * should not (error).
 *
 * Scores of many systems on many topics stand for a population.  Samples of
 * its topics are tested and the answers compared with what is true of the
 * population; where nothing is to be found, scores are made alike by chance,
 * or come from simulated runs of equal quality.  Results depend on the options
 * and the seed, not on threads.
 */
#ifndef INTERVALE_STUDY_POWER_H
#define INTERVALE_STUDY_POWER_H

#include "intervale/base.h"
#include "intervale/trec.h"
#include "intervale/stat/comparison.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/simulate.h"

typedef struct iv_power_study_options {
    iv_integers topics;  /* sizes of samples; none: 25, 50 */
    iv_reals effects;    /* of the sign test's h, or of mean / sd; none: .2, .35, .5 */
    double width;        /* a pair belongs to an effect up to this far from it ...
                            0: .025, IV_ZERO: 0 */
    bool above;          /* ... and not below it */
    double alpha;        /* 0: .05 */
    size_t trials;       /* samples, or sets of runs, of each size; 0: 500 */
    size_t runs;         /* of a set; even, at least 2; 0: 20 */
    size_t permutations; /* also resamples; of each test; 0: 1,999 */
    bool replace;        /* sign test: samples are drawn with replacement */
} iv_power_study_options;

/* The options without defaults left; of the sign test: 25, 50 and 100 topics, effects
 * .25, .35 and .5, 1,000 samples. */
iv_power_study_options iv_power_settled(const iv_power_study_options *o, bool sign);

/*
 * All functions below want options without defaults left, and room in out for them.
 * IV_EARG for options outside their domain or a
 * population with fewer than 2 systems or topics, IV_ENODATA where it is too
 * small for what is asked, IV_ENOMEM.
 */

/* -------------------------------------------------- the sign test's power -- */

/* Pairs of one effect size, on samples of one size. */
typedef struct iv_sign_power_row {
    size_t topics;
    double effect;
    size_t pairs;     /* 0: none has that effect; what follows is NaN then */
    double predicted; /* exact power for the effect */
    double observed;  /* mean over samples of the share of pairs that reject */
    double se;        /* of observed: sd / sqrt(samples) */
    double sd;        /* of that share, from sample to sample */
    double expected;  /* exact mean of `observed` over all samples there are */
    size_t samples;
} iv_sign_power_row;

/*
 * Observed and predicted power of the one-sided sign test, ties discarded, for
 * all pairs of the population whose effect h = (wins - losses) / (wins +
 * losses) is near one of the effects (Carterette and Smucker 2007, table 2).
 * out[i * effect_count + j]: topics i, effect j.  Time: trials x pairs x
 * topics.
 */
IV_MUST_CHECK int iv_study_sign_power(iv_sign_power_row *out, const iv_score_grid *population,
                                      const iv_power_study_options *o, const iv_work *work,
                                      iv_err *err);

/* --------------------------------------------------- error of every test -- */

/* Where runs come from that are alike. */
typedef enum iv_null {
    IV_NULL_POPULATION, /* scores of the population, exchanged by chance */
    IV_NULL_SIMULATION, /* simulated runs of equal quality, fresh topics */
    IV_NULLS
} iv_null;

typedef struct iv_error_row {
    iv_pair_test test;
    size_t topics;
    iv_null source;
    size_t tests;      /* made */
    double attainable; /* the largest level <= alpha the test can have: below
                          alpha for the sign test, mean over the tests made */
    double error, se;  /* share of two-sided tests that reject */
    double alpha;
} iv_error_row;

/*
 * Each trial is a set of runs that are alike on a sample of topics, and half as
 * many disjoint pairs, all of them tested.  From the population: systems drawn
 * by chance, topics with replacement, and on each topic the two scores of a
 * pair exchanged with probability one half.
 * out[(i * IV_NULLS + source) * IV_PAIR_TESTS + test].
 */
IV_MUST_CHECK int iv_study_test_error(iv_error_row *out, const iv_score_grid *population,
                                      const iv_power_study_options *o, const iv_work *work,
                                      iv_err *err);

typedef struct iv_test_power_row {
    iv_pair_test test;
    size_t topics;
    double effect;
    size_t pairs;     /* of the population that have it; 0: no power */
    double power, se; /* share of two-sided tests that reject */
} iv_test_power_row;

/*
 * Power on pairs of the population whose mean difference over its standard
 * deviation is near one of the effects; each trial draws a pair, and topics
 * with replacement.  out[(i * effect_count + j) * IV_PAIR_TESTS + test].
 */
IV_MUST_CHECK int iv_study_test_power(iv_test_power_row *out, const iv_score_grid *population,
                                      const iv_power_study_options *o, const iv_work *work,
                                      iv_err *err);

/* ------------------------------------------------------------ many runs -- */

/* Corrections with the tests they adjust, as studied. */
typedef struct iv_family {
    iv_correction correction;
    iv_pair_test test;
} iv_family;

/* All that are studied. */
size_t iv_study_families(const iv_family **out);

typedef struct iv_family_row {
    iv_family family;
    size_t topics;
    iv_null source;
    size_t trials;
    double error, se; /* share of sets of alike runs with a pair that rejects */
    size_t runs;      /* of a set */
} iv_family_row;

/*
 * Familywise error on sets of runs that are alike: from the population, systems
 * drawn by chance, topics with replacement, and the scores on each topic
 * permuted.  out[(i * IV_NULLS + source) * iv_study_families() + family].
 */
IV_MUST_CHECK int iv_study_family_error(iv_family_row *out, const iv_score_grid *population,
                                        const iv_power_study_options *o, const iv_work *work,
                                        iv_err *err);

/* Sets of runs whose means are made equal, and nothing else is. */
typedef enum iv_equal_kind {
    IV_EQUAL_RUNS,   /* runs of the population */
    IV_EQUAL_COPIES, /* near-copies of one of them, and two others */
    IV_EQUAL_SPARSE, /* copies that differ on one topic in ten, and two others */
    IV_EQUAL_BINARY, /* runs, with scores of 0 and 1 */
    IV_EQUAL_NEAR    /* a run, the seven of the population that are nearest to it, two others */
} iv_equal_kind;
const char *const *iv_equal_kind_names(void);

enum { IV_EQUAL_SETTINGS = 14 };

typedef struct iv_equal_row {
    iv_equal_kind kind;
    bool baseline; /* each run with the first, not all pairs */
    size_t runs, topics;
    bool dense;       /* sets in which every pair differs on ten topics or more; or the others */
    size_t sets;      /* 0: none, and what follows is NaN */
    double error, se; /* share in which compare, as it is by default, calls a pair different */
    double missed;    /* share in which an interval for all pairs misses a true difference */
    double by_t, by_tukey; /* the error of Holm's correction of t tests, and of Tukey's */
} iv_equal_row;

/*
 * Familywise error on such sets: scores less the run's mean over the population, topics
 * drawn with replacement.  Settings have sizes of their own; of the options alpha,
 * trials and permutations count.  out[2 * setting + !dense].
 */
IV_MUST_CHECK int iv_study_equal_means(iv_equal_row *out, const iv_score_grid *population,
                                       const iv_power_study_options *o, const iv_work *work,
                                       iv_err *err);

typedef struct iv_rank_row {
    size_t topics;
    bool alike;   /* runs made alike; else as they are in the population */
    size_t trials;
    double each, each_se; /* share of runs whose interval holds the true rank */
    double all, all_se;   /* share of sets in which all do */
    double boot;          /* share of runs whose bootstrap range does */
    double width;         /* mean number of ranks in an interval */
} iv_rank_row;

/*
 * Do rank intervals (as compare has them by default, confidence 1 - alpha) hold the ranks
 * that sets of systems have in the population?  Runs that are alike have every
 * rank, and an interval must hold all.  out[i * 2 + alike].
 */
IV_MUST_CHECK int iv_study_rank_intervals(iv_rank_row *out, const iv_score_grid *population,
                                          const iv_power_study_options *o, const iv_work *work,
                                          iv_err *err);

/* ---------------------------------------------------------------- the answer -- */

typedef struct iv_study_power_question {
    const char *matrix; /* scores that stand for a population; NULL: simulated */
    iv_matrix_rows by;
    iv_power_study_options how;
    iv_power_study_options sign; /* topics, effects, above, trials and replace of the
                                    table sign; the rest is that of how */
} iv_study_power_question;

/* The answer: tables sign, error, power, familywise, families, ranks; only those wanted are made. */
IV_MUST_CHECK int iv_study_answer_power(iv_result *out, const iv_study_power_question *q,
                                        const iv_work *work, iv_err *err);

/* Sets of runs on samples of topics, for studies of power and error. */

/* What a stream of a study is about. */
typedef enum iv_power_part {
    IV_PART_SIGN,
    IV_PART_SWAPPED,
    IV_PART_PERMUTED,
    IV_PART_POWER,
    IV_PART_RANKS,
    IV_PART_EQUAL
} iv_power_part;

/* The stream of a trial, and a seed for tests made in it. */
iv_stream iv_power_stream(uint64_t seed, iv_power_part part, uint64_t trial);
uint64_t iv_power_seed(uint64_t seed, size_t trial);

IV_MUST_CHECK int iv_power_check(const iv_score_grid *population,
                                 const iv_power_study_options *o, iv_err *err);

/* ... and sets of runs must not be larger than the population. */
IV_MUST_CHECK int iv_power_check_runs(const iv_score_grid *population,
                                      const iv_power_study_options *o, iv_err *err);

/* The largest of the sizes asked for. */
size_t iv_power_most_topics(const iv_power_study_options *o);

/* Trials of a study, in series that differ in k: sources of runs, sizes, effects. */
typedef struct iv_power_job iv_power_job;
struct iv_power_job {
    const iv_score_grid *population;
    const iv_power_study_options *options;
    const void *about;  /* what else a trial wants to know */
    size_t series;
    size_t each;        /* bytes that a trial leaves, zeros before it */
    int (*trial)(void *job, void *sets, size_t trial, iv_err *err);
    void (*sum_up)(void *out, const iv_power_job *job); /* the trials of a series */
    bool simulates;     /* series IV_NULL_SIMULATION is of simulated runs */
    /* Set by iv_power_run(): */
    const iv_simulation *simulation;
    void *found;        /* what the trials left */
    size_t k;           /* the series at work */
    uint64_t seed;
    iv_asking asking;   /* a trial asks asking.inner */
};

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

/* Makes all trials, and sums up each series into out. */
IV_MUST_CHECK int iv_power_run(void *out, iv_power_job *job, const iv_work *work, iv_err *err);

typedef enum iv_alike { IV_AS_THEY_ARE, IV_PAIRS_SWAPPED, IV_PERMUTED } iv_alike;

/* Draws systems and topics of the population, and makes runs alike. */
void iv_run_sets_draw(iv_run_sets *s, iv_alike alike, iv_power_part part, size_t trial);

/* Runs that are alike: simulated ones, on topics that no other trial has, or drawn and
 * made alike, as the series of the job says. */
void iv_run_sets_null(iv_run_sets *s, iv_alike alike, iv_power_part part, size_t trial);

/* The first n topics of the set, one run after the other, in s->cut. */
iv_score_grid iv_run_sets_take(const iv_run_sets *s, size_t n);

/* Does a pair of that effect count for the one asked for? */
bool iv_effect_near(double found, double asked, const iv_power_study_options *o);

/* Standard error of a share. */
double iv_share_se(double share, size_t count);

#endif /* INTERVALE_STUDY_POWER_H */
