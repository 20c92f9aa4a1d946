/* SPDX-License-Identifier: Apache-2.0 */
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
#ifndef INTERVALE_ESTIMATE_PRF_EVALUATION_H
#define INTERVALE_ESTIMATE_PRF_EVALUATION_H

#include "intervale/stat/prf.h"
#include "intervale/trec/labels.h"

IV_BEGIN_C

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
    const iv_labels *labelled;    /* or the labels themselves */
    /* Of an earlier collection, whose posterior is the prior, as in `counts`;
     * without a name of every system. */
    iv_texts prior_counts;
} iv_prf_input;

typedef struct iv_prf_options {
    /* Added to the counts: one number, or one to TP and TN and one to FP and FN;
     * none: 1/2. */
    iv_reals prior;
    iv_reals beta; /* F of these beside F1, each from 0.01 to 100 */
    double confidence; /* 0: .95 */
    bool guaranteed;   /* limits with guaranteed coverage; no comparison, no
                          earlier counts */
    int64_t draws;     /* 0: IV_PRF_DRAWS */
    bool compare;      /* systems evaluated on different items, from counts */
    bool paired;       /* systems evaluated on the same items, from labels, or from counts
                          "[A:B=]N1:N2[:N]" of items that only one of two got right */
    bool pair_two;     /* paired if there are labels of two systems and nothing speaks against it */
    iv_texts metrics;  /* only these, such as f1, which names f1[...] too, or f1[macro]; none: all,
                          of categories those that have averages */
} iv_prf_options;

/* ---------------------------------------------------------------- answer -- */

typedef struct iv_prf_category {
    const char *name; /* NULL: the system's only one */
    iv_prf_counts counts;
} iv_prf_category;

typedef struct iv_prf_system {
    const char *name;
    iv_prf_category *categories;
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
    double lower_error, upper_error;
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
    double lower_error, upper_error;
    size_t a_at, b_at;
} iv_prf_pair;

/* P(best of all) by one metric; the systems of a metric follow each other. */
typedef struct iv_prf_best {
    const char *metric, *system;
    double probability;
    double error; /* of the draws */
} iv_prf_best;

/* Who of two was right where the other was wrong: Dirichlet(N1 + p, N2 + p, N3 + p), p the
 * prior. */
typedef struct iv_prf_alone {
    const char *a, *b;
    int64_t a_only, b_only, agree; /* agree < 0: not known */
    double probability, difference, lower, upper, log_odds; /* P(a > b), a - b, E log(a/b) */
    double mcnemar_p;
} iv_prf_alone;

/* Read it as it stands; all of it lives until iv_prf_evaluation_free(). */
typedef struct iv_prf_evaluation {
    const iv_prf_system *systems;
    size_t system_count;
    const iv_prf_estimate *estimates; /* system by system */
    size_t estimate_count;
    const iv_prf_pair *pairs;         /* pair by pair */
    size_t pair_count;
    const iv_prf_best *best;          /* of three systems or more */
    size_t best_count;
    const iv_prf_alone *alone;        /* on the same items */
    size_t alone_count;
    const iv_input *inputs;           /* files that were read */
    size_t input_count;
    iv_texts notes;                   /* what was left out of the input */
    bool compared;                    /* there are pairs, if systems share a metric */
    const int64_t *confusion;         /* of classes from labels: systems x gold's x said;
                                         or NULL */
    bool multiclass;                  /* categories are classes that exclude each other */
    const char *classes[2];           /* of binary labels: the negative and the positive class, of
                                         which estimates such as f1[0] are; else NULL */
    double highest;                   /* score at a threshold within 0 and 1; see iv_labels */
    bool one_matrix;                  /* counts look like those of one confusion matrix */
    bool earlier;                     /* with earlier counts */
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

IV_END_C

#endif /* INTERVALE_ESTIMATE_PRF_EVALUATION_H */
