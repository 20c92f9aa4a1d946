/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simulate -- simulated collections, on which methods are proved.  Experimental: what is
 * here may change in any version.
 *
 * A simulation is a population of topics and a set of runs with known quality.
 * A topic has D documents, some of them relevant; a run scores each of them
 *
 *     signal(run, topic) weight(grade)        if it is relevant, else 0
 *     + sqrt(similarity) noise(topic, document)
 *     + sqrt(1 - similarity) noise(run, topic, document),
 *
 *     signal(run, topic) = quality(run) + difficulty(topic)
 *                        + interaction(run, topic),
 *
 * all noises standard normal, and returns the highest scores.  The page
 * doc/methods/simulation.md has the whole model beside real collections.
 *
 * Every number depends on the options and on (topic, run, document) alone, so
 * topics and runs may be asked for in any order and on any thread, and are the
 * same, bit for bit, on every machine.
 */
#ifndef INTERVALE_SIMULATE_H
#define INTERVALE_SIMULATE_H

#include "intervale/base.h"
#include "intervale/result/result_tables.h"

IV_BEGIN_C

/* --------------------------------------------------------- the model -- */

enum {
    IV_SIMULATED_DOCUMENTS_MAX = 10000000,
    IV_SIMULATED_RUNS_MAX = 100000,
    IV_SIMULATED_GRADES_MAX = 10,
    IV_SIMULATED_TOPICS_MAX = 0x7fffffff
};

/*
 * {0} is a small collection like those of TREC, with ten runs: 0 stands for the number
 * in brackets, and IV_ZERO for 0 where that can be meant.
 */
typedef struct iv_simulation_options {
    uint64_t seed;      /* [1] */
    uint32_t documents; /* of a topic [4000] */
    uint32_t runs;      /* [10] */
    uint32_t depth;     /* documents a run returns for a topic [as many as it can up
                           to 1000] */
    uint32_t grades;    /* levels of relevance, 0 included: 2 is binary [2] */

    /* Share of relevant documents: mean over topics [0.015], and standard deviation
     * of its logit [0.9]; and how many relevant documents a topic has at least [1]. */
    double prevalence, prevalence_spread;
    uint32_t least_relevant;

    /* Of the runs: one number for all of them (a null), two for even steps
     * from the first run to the last, or one for each run [2.1, 1.3].  Borrowed. */
    iv_reals quality;

    double similarity;  /* correlation of two runs' errors, in [0, 1] [0.7] */
    double difficulty;  /* standard deviation over topics [0.8] */
    double breadth;     /* correlation of a topic's difficulty with its proportion of
                           relevant documents, above -1 and up to 1: topics with many
                           are harder when it is positive [0.6] */
    double interaction; /* standard deviation over runs and topics [0.33] */
    double ties;        /* scores are rounded to multiples of it; 0: no ties */
} iv_simulation_options;

/* May be read by many threads at a time. */
typedef struct iv_simulation iv_simulation;

/* --------------------------------------------------------- one topic -- */

/* A topic of a simulation, and the memory to rank it; one a thread. */
typedef struct iv_simulated_topic iv_simulated_topic;

/*
 * The name of a document, terminated; returns out.  Names sort as the
 * documents are numbered, which has nothing to do with relevance.  Two topics
 * share few documents.
 */
enum { IV_SIMULATED_NAME_SIZE = 16 };

/* -------------------------------------------------------------- files -- */

/* Which documents are judged when not all of them are. */
typedef enum iv_judging {
    IV_JUDGE_POOL,   /* those that some run ranks highest */
    IV_JUDGE_UNIFORM /* any, with equal chance */
} iv_judging;

/* Their names, in the order of iv_judging, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_judging_names(void);

/* {0}: fifty topics from 301, all judged. */
typedef struct iv_simulation_files {
    uint32_t topics;       /* 0: 50 */
    int64_t first_topic;   /* number of the first one in the files; 0: 301; IV_ZERO: 0 */
    const char *prefix;    /* of the runs' names; NULL: "sim" */
    uint32_t judged;       /* documents a topic, at most; 0: all */
    iv_judging judging;
    const char *judge;     /* a machine that labels every document, "kappa=0.4,drift=0.45" (as
                              without a number); NULL: none */
} iv_simulation_files;

/* What was written, besides the truth about runs. */
typedef struct iv_simulation_summary {
    uint32_t topics;
    uint64_t run_lines, judgments; /* in all files */
    uint32_t least_relevant, most_relevant; /* documents of a topic */
    double mean_relevant;
} iv_simulation_summary;

/* A run's name: the prefix (NULL: "sim") and its number from 1; returns out. */
enum { IV_SIMULATED_PREFIX_MAX = 40, IV_SIMULATED_RUN_SIZE = 64 };

/* A simulated test collection, written to files.  Experimental, as simulate.h. */

typedef struct iv_simulate_question {
    const char *directory; /* written completely or not at all */
    iv_simulation_options collection;
    iv_simulation_files files;
} iv_simulate_question;

/* Writes the directory; fills the sentence, the table `runs` and a chart of it. */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_answer_simulate(
    iv_result *out, const iv_simulate_question *question, const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_SIMULATE_H */
