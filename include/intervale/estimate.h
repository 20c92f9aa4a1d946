/* SPDX-License-Identifier: Apache-2.0 */
/*
 * estimate -- from judgments and runs to values and their uncertainty.
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
#ifndef INTERVALE_ESTIMATE_H
#define INTERVALE_ESTIMATE_H

#include "intervale/base.h"
#include "intervale/design.h"
#include "intervale/measure.h"
#include "intervale/stat.h"
#include "intervale/trec.h"

IV_BEGIN_C

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
} iv_mean;

/* Above this proportion of documents outside the frame, a run has no interval. */
#define IV_OUTSIDE_MOST 0.05

/* ------------------------------------------------------- one evaluation -- */

/*
 * Judgments and runs: in files, or in memory.  Files are read one at a time and
 * released as soon as they are scored.  Judgments in memory must outlive the result.
 */
typedef struct iv_source {
    const char *judgments; /* a file; "-" is standard input */
    iv_judgments_format judgments_format;
    const iv_judgments *judged; /* instead of the file */
    iv_texts runs;         /* files */
    iv_run_format run_format;
    const iv_run *const *ranked; /* instead of files */
    size_t ranked_count;
    /*
     * Files that are sorted by topic (all by bytes, or all by number) are scored some topics
     * at a time, with the same result.  0: this is done for large, plain, regular files;
     * others are read into memory.  Above 0 it is always done, with about this number of bytes
     * besides the scores that are kept, also for pipes; files that are
     * not sorted, packed or of sampled judgments are IV_EPARSE.
     */
    uint64_t memory;
    /* With memory (0: 256 MB), files are sorted first, into files without names in a folder
     * (NULL: /tmp); lines that messages name are then those of the sorted copy. */
    bool sort;
    const char *folder;
    /*
     * Files of iv_write_scores(), instead of judgments and runs: runs of one name are one run, and
     * a topic that a run has in one part and lacks in another it has.  How topics were scored
     * stands in them; options.measures chooses among theirs (none: all).  IV_EPARSE, with the
     * file's name: a part that is truncated, damaged, of another version, scored otherwise than the
     * first; a topic whose judgments or whose scores of a run differ from those of a part before
     * it, as when its lines were split over two.
     */
    iv_texts parts;
} iv_source;

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

/* Automatic labels (of a language model) of all documents, and human labels of some. */

/* How the documents with human labels were chosen. */
typedef enum iv_human_design {
    IV_HUMAN_STATED,   /* the file says it, or every labelled document of its topics has one */
    IV_HUMAN_RANDOM,   /* a simple random sample of all labelled documents */
    IV_HUMAN_BY_TOPIC, /* a simple random sample of each topic's */
    IV_HUMAN_TOPICS    /* whole topics */
} iv_human_design;

/* "stated", "random", "by-topic", "topics", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_human_design_names(void);

/* Automatic labels; {0}: none. */
typedef struct iv_machines {
    iv_texts files;             /* see iv_machine_labels_load(); the first is used; for others
                                   only the agreement is reported */
    iv_judgments_format format; /* of all of them */
    int32_t level;  /* their lowest relevant grade; 0: as human ones, 1 for labels 0 and 1 */
    iv_infer infer;
    iv_human_design design;
} iv_machines;

/*
 * A list of items that a machine labelled, of which people looked at some: prevalence, and
 * recall, precision and F of systems.  Items fall into strata by the machine's and, but for
 * prevalence, the system's label, and the sample tells of each; the posterior is that of recall
 * (stat.h).  doc/methods/machine.md has the evidence.
 */

/* One number of one system; NaN: there is none. */
typedef struct iv_checked_metric {
    const char *system, *metric; /* prevalence has no system: "" */
    double value, lower, upper;  /* people and the machine */
    double human, human_lower, human_upper; /* people alone */
    double machine;              /* if the machine's labels were the truth: no interval */
    double gain;                 /* how much narrower than people's, as a proportion */
} iv_checked_metric;

typedef struct iv_checked {
    const iv_checked_metric *metrics; /* prevalence, then system by system */
    size_t count;
    size_t items, judged, positive; /* rows, looked at, of these positive */
    size_t unlabelled;   /* rows without the machine's label, a stratum of their own */
    size_t merged;       /* strata that nobody looked into, joined with a neighbour */
    bool uneven;         /* the machine's labels were not looked at alike: nothing is said of human
                            labels alone */
    bool weighted;       /* probabilities differ within a label: limits by linearisation,
                            Student's t on the logit scale */
    uint64_t bytes;      /* of the file */
    iv_texts notes;      /* what columns were taken for, by their names alone */
} iv_checked;

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

/*
 * Precision, recall, F and their kin of whole systems: from counts or labels to
 * every metric with its interval, averages over categories, and comparisons.
 *
 *     iv_prf_evaluation *e = NULL;
 *     const char *counts[] = { "A=80,20,40", "B=75,10,45" };
 *     rc = iv_prf_evaluate(&e, &(iv_prf_input){ .counts = { counts, 2 } },
 *                          &(iv_prf_options){ .compare = true }, NULL, &err);
 *
 * Metrics have exact posteriors but for balanced accuracy and MCC, which are simulated,
 * as are, on the same items, differences in precision and F.  Averages over classes or
 * categories are jackknifed.
 */

/* -------------------------------------------------------------- question -- */

/* Counts of a system, or of one of its categories. */
typedef struct iv_prf_entry {
    const char *system;
    const char *category; /* NULL: the system has no categories */
    iv_prf_counts counts;
} iv_prf_entry;

/*
 * What is evaluated: counts, of any of these kinds together, or labels.
 * A file of counts is a table with a header: tp, fp, fn, perhaps tn, and a
 * column system or category or both.
 */
typedef struct iv_prf_input {
    const iv_prf_entry *entries;
    size_t entry_count;
    iv_texts counts;   /* each "[NAME=]TP,FP,FN[,TN]", or the path of a file of counts; of a paired
                          comparison "[A:B=]N1:N2[:N]" */
    iv_texts files;    /* paths of such files */
    const char *labels;           /* the path of a file of labels ... */
    iv_labels_options labels_as;  /* ... and how to read it */
    const iv_labels *labelled;    /* or the labels themselves, if they are read already */
} iv_prf_input;

typedef struct iv_prf_options {
    /* Added to the counts: one number, or one to TP and TN and one to FP and FN;
     * none: 1/2. */
    iv_reals prior;
    iv_reals beta; /* F of these beside F1, each from 0.01 to 100 */
    double confidence; /* 0: 0.95 */
    bool guaranteed;   /* limits with guaranteed coverage; no comparison */
    int64_t draws;     /* 0: IV_PRF_DRAWS */
    bool compare;      /* systems evaluated on different items, from counts */
    bool paired;       /* systems evaluated on the same items, from labels, or from counts
                          "[A:B=]N1:N2[:N]" of items that only one of two got right */
    bool pair_two;     /* paired if there are labels of two systems and nothing speaks against it */
    iv_texts metrics;  /* only these, such as f1, which names f1[...] too, or f1[macro]; none: all,
                          of categories those that have averages */
} iv_prf_options;

/* ---------------------------------------------------------------- answer -- */

typedef struct iv_prf_system {
    const char *name;
    iv_prf_entry *categories;
    size_t count;
} iv_prf_system;

/* One metric of one system.  Errors are Monte Carlo standard errors. */
typedef struct iv_prf_estimate {
    const char *system, *metric; /* "f1", "f1[sports]", "f1[macro]" */
    double value;                /* of the counts; NaN: 0/0 */
    double mean, mode; /* of the posterior; mode NaN: it is simulated */
    double lower, upper; /* of the posterior, or guaranteed; NaN: none is */
    bool jackknifed;             /* an average: mean and mode are NaN; no limits where se is 0 */
    double se, df;               /* of the jackknife */
    size_t drawn;                /* it comes from so many draws; 0: exact */
    size_t system_at;            /* in the list of systems */
    iv_prf_metric kind;
    iv_prf_average average;
    const iv_posterior *posterior; /* NULL: by drawing */
    const double *draws;
} iv_prf_estimate;

/* One metric of two systems: P(a > b), never 0 or 1 (of n draws 1 / n is left), and a - b. */
typedef struct iv_prf_pair {
    const char *a, *b, *metric;
    double probability, difference, lower, upper;
    size_t drawn;
    double probability_error; /* of P(best) */
    size_t a_at, b_at;
    /* Who of two was right where the other was wrong: Dirichlet(N1 + p, N2 + p, N3 + p), p the
     * prior; of pairs by that alone, which have no metric. */
    int64_t a_only, b_only;
    double agree;              /* items that both or neither got right; NaN: not known */
    double log_odds, mcnemar_p; /* E log(a/b) */
} iv_prf_pair;

/* Read it as it stands; all of it lives until iv_prf_evaluation_free(). */
typedef struct iv_prf_evaluation {
    iv_prf_system *systems;
    size_t system_count;
    iv_prf_estimate *estimates; /* system by system */
    size_t estimate_count;
    iv_prf_pair *pairs;         /* pair by pair */
    size_t pair_count;
    /* P(best of all) of three systems or more, by one metric: a is the system, and there is no b;
     * the systems of a metric follow each other. */
    iv_prf_pair *best;
    size_t best_count;
    iv_prf_pair *alone;         /* on the same items, by who was right alone */
    size_t alone_count;
    iv_input *inputs;           /* files that were read */
    size_t input_count;
    iv_texts notes;                   /* what was excluded from the input */
    bool compared;                    /* there are pairs, if systems share a metric */
    const int64_t *confusion;         /* of classes from labels: systems x gold's x said;
                                         or NULL */
    bool multiclass;                  /* categories are classes that exclude each other */
    const char *classes[2];           /* of binary labels: the negative and the positive class, of
                                         which estimates such as f1[0] are; else NULL */
    double highest;                   /* score at a threshold within 0 and 1; see iv_labels */
    bool one_matrix;                  /* counts look like those of one confusion matrix */
    /* The options, with their defaults. */
    iv_prf_prior prior;
    bool guaranteed;
    double confidence;
    size_t draws;
} iv_prf_evaluation;

/*
 * IV_EARG for options that do not fit each other or the input, IV_EPARSE for a
 * bad file, IV_ENODATA for no input.  *out is the caller's.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_prf_evaluate(iv_prf_evaluation **out,
                                                         const iv_prf_input *input,
                                         const iv_prf_options *options, const iv_work *work,
                                         iv_err *err);
IV_API IV_EXPERIMENTAL void iv_prf_evaluation_free(iv_prf_evaluation *e);

/* The estimate of a system by its name, such as "f1[macro]", or NULL. */
IV_API IV_EXPERIMENTAL const iv_prf_estimate *iv_prf_find(const iv_prf_evaluation *e, size_t system,
                                          const char *metric);

/* What the questions about recall say of strata without a sample. */

/* What to do with a stratum of which nothing is sampled. */
typedef enum iv_unsampled {
    IV_UNSAMPLED_REFUSE,
    IV_UNSAMPLED_SKIP, /* it is excluded from the population */
    IV_UNSAMPLED_PRIOR /* the prior speaks for it */
} iv_unsampled;

/* Their names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_unsampled_names(void);

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

IV_END_C

#endif /* INTERVALE_ESTIMATE_H */
