/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do intervals from people's judgments of some topics and a machine's labels of all hold?
 * All topics of a collection that people judged are the population; T of them are drawn
 * with replacement, the first n are judged.  Judges are the machines given, the first
 * one's labels shuffled (noise) and inverted, and the rivals of other tools stand beside.
 */
#ifndef INTERVALE_STUDY_MACHINE_H
#define INTERVALE_STUDY_MACHINE_H

#include "base/memory.h"
#include "intervale/estimate.h"
#include "intervale/estimate/assisted.h"

/* ---------------------------------------------------------------- rivals -- */

typedef struct iv_rival {
    double value, se, lower, upper;
} iv_rival;

/* Prediction-powered inference: slope 1, variances divided by n and N, normal limits (ppi_py). */
iv_rival iv_rival_ppi(const double *human, size_t n, const double *machine, size_t units,
                      double confidence);

/* Its tuned form (PPI++): another slope, variances by n - 1; `clipped` to [0, 1] or not
 * (GLIDE does not). */
iv_rival iv_rival_tuned(const double *human, size_t n, const double *machine, size_t units,
                        bool clipped, double confidence);

/* The same in strata: size[k] units, of which judged[k] stand first. */
iv_rival iv_rival_stratified(const double *const *human, const double *const *machine,
                             const size_t *judged, const size_t *size, size_t strata,
                             double confidence);

/* Rogan and Gladen's correction with the interval of Lee et al. (2025): share called positive
 * of n, specificity seen on m0 negatives, sensitivity on m1 positives. */
iv_rival iv_rival_rogan_gladen(double share, double n, double specificity, double m0,
                               double sensitivity, double m1, double confidence);

/* ----------------------------------------------------------------- study -- */

typedef struct iv_study_machine_question {
    iv_source source;    /* people's judgments of all topics, and runs */
    iv_machines machine; /* at least one */
    iv_texts measures;   /* none: P@10, nDCG@10, AP, R@100 */
    iv_measure_options measure;
    iv_integers judged;  /* n; none: 8, 15, 25, 50 */
    iv_integers topics;  /* T; none: 50, 200; of documents as many as there are */
    iv_integers documents; /* a topic: documents are sampled instead of topics */
    iv_reals positives;  /* shares: lists of items instead, of which people look at n (200, 300) */
    iv_integers kappa;   /* items that two label: the interval of their kappa instead */
    size_t draws;        /* a cell; 0: 2,000 */
    double confidence;   /* 0: .95 */
} iv_study_machine_question;

/* Who labels: the machines given, the first one's labels shuffled over all documents (noise), and
 * turned round.  All of it is the arena's. */
typedef struct iv_study_judges {
    iv_judgments *human;
    size_t count;
    const char **name;
    iv_judgments **labels; /* as they are, scores in parts */
    bool *scored;
    iv_judge **judge;
} iv_study_judges;
IV_MUST_CHECK int iv_study_judges_load(iv_study_judges *out, iv_arena *own,
                                       const iv_study_machine_question *q, const iv_work *work,
                                       iv_err *err);

/* The part for sampled documents: table documents. */
IV_MUST_CHECK int iv_study_machine_documents(iv_result *out, const iv_study_machine_question *q,
                                             const iv_work *work, iv_err *err);

/* The part for lists, which needs neither judgments nor machines: table lists. */
IV_MUST_CHECK int iv_study_machine_lists(iv_result *out, const iv_study_machine_question *q,
                                         const iv_work *work, iv_err *err);

/* The part for agreement: table kappa. */
IV_MUST_CHECK int iv_study_machine_kappa(iv_result *out, const iv_study_machine_question *q,
                                         const iv_work *work, iv_err *err);

/* The answer: table coverage, a row for each judge, measure, kind, n, T and method. */
IV_MUST_CHECK int iv_study_answer_machine(iv_result *out, const iv_study_machine_question *q,
                                          const iv_work *work, iv_err *err);

#endif /* INTERVALE_STUDY_MACHINE_H */
