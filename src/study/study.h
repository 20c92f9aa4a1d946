/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Studies: experiments on the methods of the library.  Not part of the public interface.
 *
 * An experiment is a generator of data whose truth is known, the methods that are tried on
 * it, and a setting.  Each method becomes one row: how often its interval contained the truth
 * (or how often a test or rule decided), how often the truth was below and above, the mean
 * width and the bias.  All studies fill the same table.
 */
#ifndef IV_STUDY_STUDY_H
#define IV_STUDY_STUDY_H

#include "base/parallel.h"
#include "intervale/answer.h"
#include "intervale/estimate.h"
#include "intervale/num.h"
#include "intervale/stat.h"

/* ---------------------------------------------------------------- question -- */

typedef enum iv_study_kind {
    IV_STUDY_COVERAGE, /* all of the others on simulated data, and AUC, agreement, clusters */
    IV_STUDY_RECALL,
    IV_STUDY_MAP,
    IV_STUDY_PRF,
    IV_STUDY_POWER,
    IV_STUDY_SAMPLING,
    IV_STUDY_JUDGING,
    IV_STUDY_STOPPING,
    IV_STUDY_MACHINE,
    IV_STUDY_OTHERS,   /* AUC, agreement, clusters: only by coverage */
    IV_STUDY_PLANS,
    IV_STUDIES
} iv_study_kind;

/* "coverage", "recall", "map", ...; ends with NULL. */
const char *const *iv_study_names(void);

/* What to study; {0} of a study are its own sizes on simulated data. */
typedef struct iv_study_question {
    iv_study_kind study;
    iv_texts only;       /* of coverage: names of studies; none: all */
    iv_texts settings;   /* only settings that begin with one of these */
    iv_texts methods;    /* only these */
    iv_texts measures;   /* none: the study's own */
    iv_integers n;       /* sizes of samples; none: the study's own */
    size_t replicates;   /* of each setting; 0: the study's own */
    bool quick;          /* a twentieth of the replicates */
    double confidence;   /* 0: 0.95 */
    /* Data that are given instead of simulated ones. */
    const char *scores;  /* a matrix of scores, systems x topics */
    iv_score_rows by;
    const char *judgments; /* complete judgments of the runs' documents */
    iv_texts runs;
    iv_machines machine;
    int32_t level;       /* lowest relevant grade; 0: 1 */
} iv_study_question;

/* Tables rates and summary, and those that a study has besides. */
IV_MUST_CHECK int iv_study_answer(iv_result *out, const iv_study_question *q,
                                  const iv_work *work, iv_err *err);

/* ------------------------------------------------------------- experiments -- */

enum { IV_STUDY_TEXT = 72 };

/* One method in one setting. */
typedef struct iv_rate {
    const char *study;
    char quantity[IV_STUDY_TEXT]; /* what the interval is of, or what is decided */
    char method[IV_STUDY_TEXT];
    char data[IV_STUDY_TEXT];     /* the kind of data: "lognormal", "legal", a file's name */
    char setting[IV_STUDY_TEXT];  /* "25 topics" */
    double nominal;               /* what the rate should be */
    double rate, se;              /* of intervals that contain the truth; of decisions */
    double below, above;          /* truths below and above the interval; NaN: not counted */
    double least;                 /* least rate among the cases averaged; NaN: one case */
    double width;                 /* mean; NaN: no intervals */
    double bias;                  /* mean of estimate - truth; NaN: not known */
    double without;               /* proportion of replicates without an interval */
    double documents;             /* mean number judged; NaN: not counted */
    size_t replicates;            /* SIZE_MAX: all outcomes are enumerated */
} iv_rate;

/* Intervals of one method, counted. */
typedef struct iv_tally {
    size_t intervals, without, below, above, estimates;
    double width, error;
} iv_tally;

/* Counts an interval; limits that are NaN count as none.  An estimate of NaN has no bias. */
void iv_tally_interval(iv_tally *t, double estimate, double lower, double upper, double truth);

/* Counts a decision, and how many documents were judged for it (0: not counted): the rate is
 * how often it was made. */
void iv_tally_decision(iv_tally *t, bool made, double documents);

/* A study at work. */
typedef struct iv_study {
    const iv_study_question *q;
    const char *name;        /* of the study whose rows are made */
    iv_result *out;
    iv_arena own;
    iv_rate *row;
    size_t rows, capacity;
    double confidence;
    const iv_work *work;     /* of the study whose rows are made */
    iv_stage stage;          /* of a step */
    iv_asking asking;
    size_t step, steps;
    iv_score_grid population; /* simulated scores, once they are needed */
} iv_study;

/* A method of an experiment: what its intervals are of, and its name. */
typedef struct iv_studied {
    const char *quantity, *method;
    bool decides; /* the tally counts decisions, with `nominal` as their rate */
    double nominal;
} iv_studied;

/* Arrays that a replicate works in. */
typedef struct iv_study_room {
    double *x, *y;
    size_t *index;
    uint32_t *word;
    bool *flag;
} iv_study_room;

/* Of so many elements each, in that order. */
enum { IV_ROOM_ARRAYS = 5 };
iv_study_room *iv_study_room_new(iv_arena *own, const size_t sizes[IV_ROOM_ARRAYS]);

/*
 * replicate() adds to one tally a method; memory is the thread's.  The streams depend on the
 * names of study, data and setting and on the replicate's number alone.
 */
typedef struct iv_experiment {
    const char *data;
    const iv_studied *methods;
    size_t count, replicates; /* a twentieth of them when quick */
    int (*replicate)(iv_tally *tallies, void *user, void *memory, iv_stream *stream, iv_err *err);
    void *user;
    void *(*memory)(iv_arena *own, void *user); /* NULL: an iv_study_room of these sizes */
    size_t room[IV_ROOM_ARRAYS];
} iv_experiment;

/* Runs it, unless its setting is not asked for, keeps its rows and ends a step. */
IV_MUST_CHECK int iv_experiment_run(iv_study *s, const iv_experiment *e, iv_err *err,
                                    const char *setting, ...) IV_PRINTF(4, 5);

/* A row that a study filled by other means; quantity and method as they are named. */
iv_rate *iv_study_row(iv_study *s, const char *quantity, const char *method, const char *data,
                      const char *setting, ...) IV_PRINTF(5, 6);

/* Is this setting, or this method, asked for? */
bool iv_study_wants(const iv_study *s, const char *setting);
bool iv_study_wants_method(const iv_study *s, const char *method);

/* 1 - confidence, without what binary fractions add. */
double iv_study_alpha(const iv_study *s);

/* Of the number of replicates: as asked for, as given, or a twentieth. */
size_t iv_study_size(const iv_study *s, size_t full);

/* Steps take alike of the study's time. */
void iv_study_steps(iv_study *s, size_t steps);
void iv_study_step_done(iv_study *s);

/*
 * Scores that stand for a population of topics: the matrix that was given, or average
 * precision of 20 simulated runs.  *data says which.
 */
IV_MUST_CHECK int iv_study_population(const iv_score_grid **out, const char **data, iv_study *s,
                                      iv_err *err);

/* Average precision of simulated runs, in the arena. */
IV_MUST_CHECK int iv_study_simulate(iv_score_grid *out, iv_arena *own, uint32_t runs,
                                    size_t topics, const iv_work *work, iv_err *err);

/* A matrix as a grid, in the arena.  IV_ENODATA where a score is missing. */
IV_MUST_CHECK int iv_study_grid(iv_score_grid *out, iv_arena *own, iv_result *result,
                                const char *path, iv_score_rows by, const iv_work *work,
                                iv_err *err);

/* Runs with complete judgments, given or simulated. */
typedef struct iv_collection {
    const char *data;
    const iv_run *const *runs;
    size_t count;
    iv_judgments *judgments;
    iv_sampling *judged;
} iv_collection;

/* The judgments and runs of the question, or a simulated collection of so many topics and
 * runs; in the study's arena.  IV_EARG where the judgments are a sample. */
IV_MUST_CHECK int iv_study_collection(iv_collection *out, iv_study *s, size_t topics,
                                      size_t runs, iv_err *err);

/* ---------------------------------------------------------------- the studies -- */

IV_MUST_CHECK int iv_study_recall(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_map(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_prf(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_power(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_sampling(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_judging(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_stopping(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_machine(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_others(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_plans(iv_study *s, iv_err *err);

/* Rows of plan machine and plan looks. */
IV_MUST_CHECK int iv_study_machine_plans(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_look_plans(iv_study *s, iv_err *err);

#endif /* IV_STUDY_STUDY_H */
