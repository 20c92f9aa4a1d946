/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retrieval -- from judgments and runs to values and their uncertainty.
 *
 * The entry point, iv_evaluate(), takes judgments of any kind and runs, from files or from
 * memory, and gives every measure of every run on every topic, its means, their
 * standard errors and intervals, and all that was missing or unusual.
 *
 * Complete judgments give values.  Judgments that are a sample (prels, strata)
 * give estimates of what the measure would be if all documents of the frame were
 * judged, each with its variance; doc/methods/sampling.md has the formulas.  A
 * topic of which every document was included with certainty has the value of the
 * complete measure, to the last digit, and variance 0.
 *
 * Unjudged topics of a run are excluded, as in trec_eval, and
 * counted; judged topics that a run misses are excluded and named, or count as
 * an empty ranking if options.complete is set (trec_eval's -c).
 */
#ifndef INTERVALE_RETRIEVAL_H
#define INTERVALE_RETRIEVAL_H

#include "intervale/measure.h"
#include "intervale/result/decisions.h"
#include "intervale/sampling.h"
#include "intervale/stat/judge_estimators.h"
#include "intervale/stat/mean_intervals.h"
#include "intervale/stat/ranking_agreement.h"
#include "intervale/trec/score_sources.h"

IV_BEGIN_C

/*
 * How many documents must be judged for a given standard error, if they are sampled by
 * Stevens' scheme (Aslam and Pavlu 2008).
 *
 * The judgments are complete, or a pilot sample.  They give the contribution of each
 * relevant document to each estimate; with the inclusion probabilities of the design, this
 * gives the variance for any budget, and so the smallest sufficient budget.  If the
 * judgments are complete, simulated samples correct that budget.  For a pilot sample, the
 * formula is scaled to the standard error that iv_evaluate() reports for the pilot.
 */

/* Which standard error is planned. */
typedef enum iv_sample_goal {
    IV_GOAL_MEAN,      /* a run's mean over topics */
    IV_GOAL_DIFFERENCE /* the difference of two runs' means */
} iv_sample_goal;

/* Their names in this order; NULL ends the list. */
IV_API IV_EXPERIMENTAL const char *const *iv_sample_goal_names(void);

enum { IV_PLAN_CHECKS = 200 };

typedef struct iv_sample_plan_options {
    iv_sample_goal goal;
    size_t depth;      /* documents of each run that can be sampled; 0: IV_FRAME_DEPTH */
    size_t topics;     /* number of topics, similar to the pilot's; 0: as many as the pilot */
    double se;         /* standard error to reach, due to sampled documents only; or 0 */
    double halfwidth;  /* half-width of iv_evaluate()'s interval to reach, which includes the
                          choice of topics; or 0 */
    double confidence; /* of that interval; 0: 0.95 */
    int64_t check;     /* simulated samples that check a budget; 0: IV_PLAN_CHECKS,
                          IV_ZERO: none */
} iv_sample_plan_options;

/* --------------------------------------------------------- one value -- */

/* How measures are estimated from a sample. */
typedef enum iv_estimator {
    IV_ESTIMATOR_AUTO,      /* corrected */
    IV_ESTIMATOR_CORRECTED, /* ratio estimators with weights 1/pi; AP with own term 1 in the
                               precision at a document (Aslam and Pavlu 2008) */
    IV_ESTIMATOR_PUBLISHED  /* AP, its variance and the interval of four standard errors as
                               printed in 2008: biased upwards */
} iv_estimator;

/* Their names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_estimator_names(void);

/* Why there is no interval for a topic. */
typedef enum iv_sampled_gap {
    IV_SAMPLED_INTERVAL,    /* there is one */
    IV_SAMPLED_NO_RELEVANT, /* the sample has no relevant document */
    IV_SAMPLED_FEW,         /* fewer than two of those sampled are relevant */
    IV_SAMPLED_ZERO,        /* the estimate is 0: nothing relevant that was
                               sampled is in the ranking */
    IV_SAMPLED_RANGE,       /* the estimate is 1 or more */
    IV_SAMPLED_NO_SPREAD,   /* the estimated variance is not positive */
    IV_SAMPLED_INFERRED     /* TREC's estimate has no known variance */
} iv_sampled_gap;

/* One number of one topic of one run. */
typedef struct iv_estimate {
    double value;        /* NaN: the run has no such topic */
    double variance;     /* of the sampling, at least 0; NaN: not known */
    double lower, upper; /* NaN: see gap */
    iv_sampled_gap gap;
    size_t relevant;     /* relevant documents sampled that it rests on */
    uint32_t looked;     /* documents of the ranking that the measure looks at, to the frame's
                            depth; 0: the frame is not known */
    uint32_t outside;    /* of these, those that could not be sampled */
    double effective;    /* how many of equal weight would vary as much */
    bool exact;          /* nothing it depends on was left to chance */
    bool empty;          /* the run misses the topic, which counts as empty */
} iv_estimate;

/*
 * Bounds are the lowest and highest value over all ways in which the retrieved documents that
 * were not judged could turn out: every grade from 0 to the judgments' largest
 * (the grades that occur, if that is above 255).  Exact.  For AP, P, R-precision,
 * nDCG, RR, RBP and ERR with their cut-offs and levels, INSQ, SDCG and NERR; of subtopic
 * measures that divide by no ideal, over the subtopics that have a relevant document.
 */

/*
 * Ties: lowest, expected and highest value over all orders of the documents that
 * have the same score.  Exact.  For AP to ERR, INSQ and SDCG, recall and success.
 */

/* What a reader must know about a run, besides the topics it misses. */
typedef struct iv_run_notes {
    size_t not_judged;   /* topics of the run without judgments */
    /* Of complete judgments: */
    size_t float_ties;   /* neighbours equal as float and not as double */
    size_t ties;         /* documents that share their score with another */
    size_t top_retrieved, top_unjudged; /* of each topic to the first measure's cut-off, or 10 */
    size_t retrieved, unjudged;         /* of all documents looked at */
    iv_run_oddities odd;                /* of the run's file */
} iv_run_notes;

/* One measure of one run over its topics; NaN: missing. */
typedef struct iv_mean {
    size_t topics;
    double value;
    /*
     * s / sqrt(topics); of a geometric mean its own, value times that of the
     * logarithms.  None for a sum.
     */
    double se, lower, upper;
    iv_interval_method method; /* in use */
    bool replaced;             /* it is not the one that was requested */
    iv_interval_gap gap;       /* why there is no interval */
    double skewness;           /* of the topics' values, g1 */
    size_t dropped;            /* resamples excluded by logit */
    iv_limits bounds;          /* mean of the topics' */
    iv_interval ties; /* its value is the expected one */
    /*
     * The parts of se: due to sampled judgments, and due to the choice of
     * topics.  The standard deviation over topics includes both: se^2 = se_judgments^2 +
     * se_topics^2.
     */
    double se_judgments, se_topics;
    size_t without;            /* topics whose sampling noise is not known */
    double outside;            /* of what the measure looks at, the proportion outside of the
                                  sampled frame; above IV_OUTSIDE_MOST there is no interval */
    size_t unseen;             /* topics that count as 0 because their sample has no relevant
                                  document; of most topics: there is no estimate */
} iv_mean;

/* Above this proportion of documents outside the frame, a run has no interval. */
#define IV_OUTSIDE_MOST 0.05

/* ------------------------------------------------------- one evaluation -- */

/* What an interval is about: the mean over a population of topics, or over a fixed set. */
typedef enum iv_infer { IV_INFER_NEW, IV_INFER_THESE } iv_infer;

/* "new", "these", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_infer_names(void);

/* What to compute; {0}: the default measures and intervals. */
typedef struct iv_evaluating {
    iv_texts measures; /* names, as iv_measures_parse() has them, and of a
                          sample TREC's estimates infAP, xinfAP, infNDCG,
                          iP_10, inum_rel, inum_rel_ret; none: AP, nDCG@10, P@10, R@1000 and RR, or
                          what is usual for a sample */
    iv_measure_options measure; /* {0}: trec_eval's */
    bool complete;     /* judged topics that a run misses count as empty rankings */
    bool texts;        /* keep the texts of text measures for each topic */
    bool bounds;       /* over all possible grades of unjudged documents */
    bool ties;         /* over the orders of documents with equal scores */
    bool differences;  /* keep what iv_evaluation_difference() needs */
    /* Of means: as iv_usual_interval() has it, unless given; t for what logit
     * cannot do. */
    iv_interval_method interval;
    bool guaranteed;   /* coverage is at least the confidence for every true value;
                          AUTO only, and not for sampled judgments */
    iv_resampling resampling; /* its confidence is that of topics' intervals, too */
    /* Of sampled judgments. */
    iv_estimator estimator;
    iv_unjudged unjudged;
    iv_infer infer; /* IV_INFER_THESE: for samples only */
    /*
     * A file of qrels to merge with the file of judgments; NULL: none.  Every document of it has
     * probability 1, whether it was sampled or not.  They must not have been chosen because of
     * earlier judgments: that would bias every estimate.
     */
    const char *also;
    /*
     * A file of lines (topic, measure, mean, deviation) of reference runs: values become
     * distances from the mean in deviations.  Complete judgments only; NULL: none.
     */
    const char *standards;
} iv_evaluating;

/* A number (or text) that every topic has. */
typedef struct iv_evaluated_measure {
    const char *name;          /* as it was requested */
    const iv_value_info *info; /* NULL: an estimate that only TREC's tools have */
    bool text;                 /* not a number */
    bool per_topic, overall;   /* means something for a topic; over topics */
    bool count;                /* a number of documents */
    bool inferred;             /* as TREC's tools infer it: without error */
    bool has_bounds, has_ties; /* these can be computed */
    const char *why_no_bounds; /* NULL: there are bounds, or none are known */
} iv_evaluated_measure;

typedef struct iv_evaluated_run {
    const char *name;      /* its tag, or its file if tags repeat; unique */
    const char *tag;       /* empty: none */
    const char *path;      /* NULL: it was in memory */
    uint64_t bytes;
    size_t topics;         /* it has values for */
    const iv_str *missing; /* judged topics it misses, whether they count or not */
    size_t missing_count;
    iv_run_notes noted;
} iv_evaluated_run;

/* Everything except the values of topics; borrowed from the evaluation. */
typedef struct iv_evaluated {
    const iv_evaluated_run *runs; /* as they were given */
    size_t run_count;
    const iv_evaluated_measure *measures;
    size_t measure_count;
    const iv_mean *means;         /* means[run * measure_count + measure] */
    const iv_str *topics;         /* that some run has, in byte order */
    size_t topic_count;
    size_t judged_topics;         /* of the judgments, runs or not */
    uint64_t judgments_bytes;
    const iv_sampling *sampling;  /* how they were sampled; NULL: complete ones */
    uint64_t repeated;            /* of parts: topics of runs that are in several, with the same
                                     scores: used once */
    bool complete;                /* topics that a run misses count */
    bool certain;                 /* the file is of a sample, of which everything
                                     was judged: scored as complete judgments */
    iv_resampling resampling;     /* in use, as is this */
    iv_estimator estimator;
    size_t blank, blank_topics;   /* documents with a grade below 0, which are unjudged (of
                                     a sample, those outside it), and topics without others */
    size_t graded, graded_0;      /* of files of qrels: judgments, and those of grade 0 */
    size_t groups;                /* of judgments by groups (subtopics, judges): the most that a
                                     topic has; else 0, as of parts */
    int32_t largest_grade;        /* of the judgments, 0 if none is above; -1: preferences */
} iv_evaluated;

typedef struct iv_evaluation iv_evaluation;

/*
 * Scores runs on judgments of any kind.  For complete judgments variances are 0.
 * IV_EPARSE and IV_EIO for files,
 * IV_ENODATA if a run has no topic of the judgments or a measure needs
 * what they do not have, IV_EARG for measures or options that are unknown, or
 * invalid for these judgments.  The first bad file in the order given is reported.
 * options and work may be NULL.
 *
 * Linear in documents and judgments, except bounds of nDCG and ties of ERR;
 * then measures x runs x topics x resamples.  The caller frees *out by
 * iv_evaluation_free().
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_evaluate(iv_evaluation **out, const iv_source *source,
                                     const iv_evaluating *options, const iv_work *work,
                                     iv_err *err);
IV_API IV_EXPERIMENTAL void iv_evaluation_free(iv_evaluation *e);

/* Everything except the values of topics; lives as long as e. */
IV_API IV_EXPERIMENTAL const iv_evaluated *iv_evaluation_view(const iv_evaluation *e);

/* The grid for comparisons: out[run * topic_count + topic], NaN if a run
 * has no value. */
IV_API IV_EXPERIMENTAL void iv_evaluation_grid(double *out, const iv_evaluation *e, size_t measure);

/* Automatic labels; {0}: none. */
typedef struct iv_machines {
    iv_texts files;             /* see iv_machine_labels_load(); the first is used; for others
                                   only the agreement is reported */
    iv_judgments_format format; /* of all of them */
    int32_t level;  /* their lowest relevant grade; 0: as human ones, 1 for labels 0 and 1 */
    iv_infer infer;
    iv_human_design design;
    /* Of scores of any kind: */
    const char *human_labels;     /* a file, instead of a column of the scores */
    iv_judge_estimator estimator;
    const char *calibration;      /* eval: a judge's scores and human labels of other answers */
} iv_machines;

/*
 * Scores of topics in files: parts computed on different machines,
 * each of some topics or some runs, are combined to the evaluation that one machine would give
 * (parts of iv_source).
 * doc/formats.md has the format.
 */

/* What is in a part. */
typedef struct iv_written_scores {
    size_t runs, measures;
    uint64_t topics; /* judged, whether runs have them or not */
    uint64_t bytes;
} iv_written_scores;

/* Does the file begin as a part does?  False also for one that cannot be read. */
IV_API IV_EXPERIMENTAL bool iv_is_scores_part(const char *path);

/* How alike are two runs on a topic, without judgments? */

typedef struct iv_overlap_options {
    double persistence; /* of rank-biased overlap, in (0, 1); 0: 0.9 */
    iv_rbo_ties ties;   /* documents of one score */
    size_t top;         /* how many documents are "the first"; 0: 10 */
    size_t depth;       /* documents of a topic to look at; 0: all */
} iv_overlap_options;

typedef struct iv_overlapping {
    iv_interval rbo;
    double overlap, jaccard; /* of the first documents: those of both, over how many the
                                longer list has, and over how many there are in all */
    double tau, tau_ap;      /* tau-b and iv_tau_ap_b() on the union; documents that a run
                                lacks are tied behind all it has; NaN: none */
    size_t both, only_a, only_b; /* among the first documents */
    size_t moved;                /* of all of these, at another rank or in one run only */
} iv_overlapping;

/* {0}, except for two or more runs, is what the tool does without options. */
typedef struct iv_overlap_question {
    iv_source from; /* the runs; judgments are ignored */
    iv_overlap_options how;
    iv_resampling resampling;
} iv_overlap_question;

/*
 * Compares every pair of runs on the topics that both have.  Tables: pairs (means over
 * topics with intervals) and topics (the
 * most different first).  IV_EARG for fewer than two runs or an option outside its
 * domain, IV_ENODATA for runs without a common topic.
 */
IV_API IV_MUST_CHECK int iv_answer_overlap(iv_result *out, const iv_overlap_question *question,
                                           const iv_work *work, iv_err *err);

/* What would a run's mean be if it had not contributed to the judgments? */

enum { IV_POOL_DEPTH = 10 };

/* {0} except for two or more runs and their judgments: AP, each run excluded alone. */
typedef struct iv_pool_question {
    iv_source from;
    const char *measure; /* that has a mean over topics; NULL: AP */
    const char *groups;  /* a table with the columns run and group, excluded together; NULL: none */
    size_t depth;        /* top documents that a run contributes; 0: IV_POOL_DEPTH */
    int32_t level;       /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
} iv_pool_question;

/*
 * Excludes one run (or group) after the other: judged documents that only it has among its top
 * documents are as if they were not judged.  Table pool.  Scores all runs once for each group.
 * IV_EARG for fewer than two runs or groups, IV_ENODATA for judgments that are a sample.
 */
IV_API IV_MUST_CHECK int iv_answer_pool(iv_result *out, const iv_pool_question *question,
                                        const iv_work *work, iv_err *err);

/* Which measures exist, and how each is defined. */

typedef struct iv_measures_question {
    iv_texts names; /* with or without parameters, or of sets; none: all */
    FILE *prose;    /* explanations of names are written there, and no table is made; NULL: none */
} iv_measures_question;

/* Fills the table `measures`.  IV_EARG for an unknown name. */
IV_API IV_MUST_CHECK int iv_answer_measures(iv_result *out, const iv_measures_question *question,
                                            const iv_work *work, iv_err *err);

/* Every measure of every run, with its interval. */

/* {0} except for the source: the default measures, means over topics, 95 % intervals. */
typedef struct iv_eval_question {
    iv_source source;
    iv_evaluating how;
    bool topics;        /* show each topic, too */
    bool no_summary;    /* omit the means over topics */
    const char *matrix; /* a file to write: the first measure, systems x topics */
    /* Scores of any kind instead of the source.  These members of how are used: measures
     * (none: all), complete, interval, guaranteed and resampling. */
    iv_score_input scores;
    /* A file to write, by iv_write_scores(): the scores of every topic, which can be combined
     * with others (source.parts).  They are not kept; the result has only a sentence. */
    const char *write_scores;
    iv_texts at_least;  /* claims MEASURE=X: the mean is at least X, by a one-sided test */
    iv_texts at_most;   /* the same: at most X */
    iv_reals range;     /* of scores, lowest and highest, for these claims; none: not known */
    FILE *trec;         /* where to write trec_eval's lines, instead of tables */
    iv_machines machine; /* automatic labels in addition to human ones; {0}: none */
    iv_gaps_asked gaps;  /* of groups of items, of scores with a role group */
} iv_eval_question;

/*
 * Fills the sentence, the table `measures` (a row for each mean and, if requested, each
 * topic; otherwise topics are in table `topics`, on request), notes and charts; for scores also
 * `errors`, `sets` and `variance`.  With automatic labels, rows have the values by human labels
 * alone, by both and by automatic labels alone, and the tables
 * judges, calibration and confusion show their agreement.  IV_EARG for options that are invalid
 * or do not fit the judgments; otherwise as iv_evaluate().
 */
IV_API IV_MUST_CHECK int iv_answer_eval(iv_result *out, const iv_eval_question *question,
                                        const iv_work *work, iv_err *err);

/* How many sampled documents must be judged? */
typedef struct iv_plan_sample_question {
    iv_source from;        /* pilot judgments, complete or a sample; runs */
    iv_unjudged unjudged;  /* documents of a sampled pilot */
    iv_sample_plan_options how;
} iv_plan_sample_question;

/* Tables budget and curve.  Fails as iv_sample_plan_make(). */
IV_API IV_MUST_CHECK int iv_answer_plan_sample(iv_result *out,
                                               const iv_plan_sample_question *q,
                                               const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_RETRIEVAL_H */
