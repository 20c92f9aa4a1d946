/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classify -- precision, recall and F of classifiers, and their scores (ROC, calibration).
 */
#ifndef INTERVALE_CLASSIFY_H
#define INTERVALE_CLASSIFY_H

#include "intervale/result/decisions.h"
#include "intervale/result/result_tables.h"
#include "intervale/stat/prf_metrics.h"
#include "intervale/stat/thresholds.h"
#include "intervale/trec/delimited_tables.h"
#include "intervale/trec/gold_labels.h"

IV_BEGIN_C

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
    /* Added to the counts: one number, or one to TP and TN and one to FP and FN (of
     * paired counts one to N1 and one to N2); none: 1/2. */
    iv_reals prior;
    iv_reals beta; /* F of these beside F1, each from 0.01 to 100 */
    iv_reals utility; /* worth of a TP, FP, FN and TN: the mean over items is a metric; none */
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
    double log_odds;              /* E log(a/b) */
    double mcnemar_p, mcnemar_adjusted; /* by Holm's correction for all pairs */
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

/* prf -- how sure is a precision, recall or F, and which system is better? */

/* {0}, except for the input, is what the tool does without options. */
typedef struct iv_prf_question {
    iv_prf_input from;
    iv_prf_options how;
    iv_texts targets; /* "f1=0.8": the claim that F1 is at least 0.8, one-sided at the confidence;
                         the result then has a verdict */
    /* The claim that no system is worse than the baseline (NULL: the first) by more than the margin
     * (IV_ZERO: 0) in how.metrics' first (none: F1, of classes macro F1), on the same items. */
    bool not_worse;
    const char *baseline;
    double margin;
    /* The column of a machine's labels: gold is then empty where nobody looked, and of
     * prevalence, precision, recall and F1 of each system people alone, with the machine, and the
     * machine alone are reported (iv_checked).  NULL: none. */
    const char *machine;
    const char *probability; /* the column of probabilities to be looked at; NULL: pi */
    iv_gaps_asked gaps;      /* of groups of items (from.labels_as.columns) */
} iv_prf_question;

/*
 * Fills a new result with the sentence, tables, notes and charts of the question.
 * Labels of two systems are always compared on the same items.  Tables: comparison, best, paired
 * (of a comparison), metrics, classes and confusion (of categories, or from labels), curves.  Fails
 * as iv_prf_evaluate().
 */
IV_API IV_MUST_CHECK int iv_answer_prf(iv_result *out, const iv_prf_question *question,
                                       const iv_work *work, iv_err *err);

/* roc -- how good are the scores of classifiers? */

typedef struct iv_scored_system {
    const char *name;
    const double *scores;
} iv_scored_system;

/* {0}, except for a file or items in memory, is what the tool does without options. */
typedef struct iv_roc_question {
    /* a table: a column of gold labels, and one for each system (or each system and class) */
    const char *file;
    const char *gold;     /* the gold column; NULL: gold, label, truth, y_true or target */
    /* label of positive items; NULL: 1 for labels 0 and 1, or three or more classes */
    const char *positive;
    iv_texts named;       /* only these columns are systems; none: all others except id; with
                             several classes, the part of a name beside the class */
    const iv_csv *table;  /* instead of the file */
    const iv_scored_system *systems; /* instead of both, ... */
    size_t system_count;
    const bool *is_positive;         /* ... with this number of items */
    size_t items;
    iv_threshold_goal goal;
    size_t bins;       /* of the calibration error; 0: 10 */
    double confidence; /* 0: 0.95 */
    size_t resamples;  /* of thresholds and curves; 0: 2,000 */
    /* The claim that no system is worse than the baseline (NULL: the first) by more than the margin
     * (IV_ZERO: 0) in a measure: AUC (NULL), Brier or log_loss. */
    bool not_worse;
    const char *baseline, *measure;
    double margin;
    iv_texts columns;   /* "group=NAME", as iv_labels_options has it */
    iv_gaps_asked gaps; /* of these groups */
    /* Thresholds: "fp=1,fn=5", what errors cost; "recall=0.9" or "precision=0.8", the least; the
     * items that can be looked at, 0: any number; and thresholds that were fixed before. */
    const char *cost;
    iv_texts least;
    int64_t capacity;
    iv_reals fixed;
    bool summary; /* as classify shows it: what a threshold gives (0.5 of probabilities, if none is
                     fixed), the confusion matrix, and sentences for readers in a hurry */
} iv_roc_question;

/*
 * Tables: measures (AUC and average precision; Brier, log loss and ECE if all scores are
 * probabilities, with calibration and reliability), pairs (without AP and ECE), threshold,
 * operating (what thresholds give), curves; with three or more gold labels
 * classes (the AUC of each against the rest, and averages), pairs (macro averages) and measures.
 * IV_EPARSE for a bad file, IV_ENODATA unless there are items of both kinds, IV_EARG for
 * an option outside its domain.
 */
IV_API IV_MUST_CHECK int iv_answer_roc(iv_result *out, const iv_roc_question *question,
                                       const iv_work *work, iv_err *err);

/* classify -- how good is a classifier? */

/* {0}, except for the file or table, is what the tool does without options. */
typedef struct iv_classify_question {
    const char *file;
    const iv_csv *table;  /* instead of the file */
    const char *gold;     /* as iv_roc_question has them */
    const char *positive;
    iv_texts named;
    iv_texts columns;     /* "group=NAME"; none: columns of text with 2 to 20 values are groups */
    double threshold;     /* from which a score is positive; IV_ZERO: 0; 0: 0.5 of probabilities */
    double confidence;    /* 0: 0.95 */
} iv_classify_question;

/*
 * One page on classifiers from one table.  Columns are taken by what they hold: numbers are scores,
 * gold's labels are labels, a few texts are groups; a note says what was taken for what.  Scores
 * are answered as by iv_answer_roc() with a summary, labels as by iv_answer_prf(); tables of
 * details are folded.  Fails as these, and with IV_EPARSE without a column of scores or labels.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_answer_classify(iv_result *out,
                                                            const iv_classify_question *question,
                                                            const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_CLASSIFY_H */
