/* SPDX-License-Identifier: Apache-2.0 */
/*
 * labels -- do judges agree, and what do automatic labels tell beside human ones?
 */
#ifndef INTERVALE_LABELS_H
#define INTERVALE_LABELS_H

#include "intervale/retrieval.h"
#include "intervale/stat/label_agreement.h"
#include "intervale/trec/score_sources.h"

IV_BEGIN_C

/*
 * How many topics need human labels if all T topics have automatic labels.  With n such
 * topics, the variance of a mean is sd^2 ((1 - rho^2) / n + rho^2 / T), where rho is the
 * correlation of human and automatic values over topics.  See doc/methods/machine.md.
 */

/*
 * Numbers of topics that need human labels for an interval of a given width: by Student's t with
 * n - 2 degrees of freedom.  T may be infinite.  The number is never larger than without automatic
 * labels.  IV_EARG for sd or width not above 0, rho outside [-1, 1], T below 1, or a confidence
 * outside (0, 1) (0: 0.95).
 */
typedef struct iv_machine_topics {
    double by_t;
    double alone_t;               /* without automatic labels; t with n - 1 */
    double least_width;           /* if all T topics have human labels; t with T - 1 */
} iv_machine_topics;

/*
 * Judges of the same documents; or
 * two sets of scores of the same systems on the same topics: b is by other judgments, by
 * another measure, or of reproduced runs.  {0}, except for one of these forms, is what the
 * tool does without options.
 */
typedef struct iv_agree_question {
    const char *a_matrix, *b_matrix; /* two files of scores of the same systems ... */
    iv_score_rows by;       /* of these files; auto: systems */
    iv_source source;       /* ... or judgments and runs, and one of: */
    const char *other;      /* other judgments of the same runs, ... */
    const iv_judgments *other_judged; /* ... or these in memory */
    iv_texts again;         /* the reproduced runs, in the order of the runs, ... */
    const iv_run *const *again_ranked; /* ... or these in memory */
    size_t again_ranked_count;
    const char *measure;    /* NULL: AP */
    const char *other_measure; /* of b; NULL: as measure */
    const char *baseline;   /* a system by name: effects over it */
    double persistence; /* of rank-biased overlap; 0: 0.9 */
    double confidence;  /* 0: 0.95 */
    /*
     * Or judges: files of labels of the documents in source.judgments, the reference,
     * and runs (of six fields) to be ranked by each; which is which is detected from the content.
     */
    iv_texts beside;
    int32_t level, judge_level; /* as in iv_judge_options */
    iv_kappa_weights weights;   /* of the kappa of grades */
    /*
     * Or labels by several assessors, a table as iv_assessments_load() reads it, and runs of
     * source, which are scored by the labels of each assessor.
     */
    const char *assessors;
    iv_label_scale scale;    /* of Krippendorff's alpha */
    /* Or scores by judges (columns, or measures), with human labels or without. */
    iv_score_input scores;
    iv_machines machine;     /* of human labels */
} iv_agree_question;

/*
 * For assessors: tables alpha, assessors, kappas (of pairs of them), majority; with runs
 * also answers (by each assessor and by the majority) and verdicts (on pairs of runs).
 *
 * For scores: tables bias (judge - people), agreement (of pairs; the difference of two dates of a
 * judge is its drift), groups (is the bias another in a system or a group?).
 *
 * With files beside the judgments: how far each judge agrees with the reference.  Tables:
 * judges (the most informative first), confusion, calibration.
 *
 * Otherwise it compares the two rankings of the systems and says which verdicts on pairs change.
 * Tables: orders, systems (with the root mean squared difference of their scores), pairs
 * (people see those whose verdicts differ), effects (with a baseline).  IV_EARG for an
 * incomplete question or an option outside its domain, IV_ENODATA for fewer than two
 * common systems or topics.
 */
IV_API IV_MUST_CHECK int iv_answer_agree(iv_result *out, const iv_agree_question *question,
                                         const iv_work *work, iv_err *err);

/* How many documents, or whole topics, should people label in addition to automatic labels? */

/* {0} except for the pilot, the automatic labels, the runs and the width. */
typedef struct iv_plan_machine_question {
    iv_source source;    /* a pilot's judgments, and runs */
    iv_machines machine; /* automatic labels, and how the pilot was chosen */
    iv_texts measures;   /* none: AP */
    int32_t level;       /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    double width;        /* of the interval to reach, above 0 */
    double confidence;   /* 0: 0.95 */
    /* Or a judge's scores of answers, with human labels of a pilot. */
    iv_score_input scores;
    const char *baseline; /* differences from this system; NULL: means */
    double margin;        /* of a gate, in place of a width */
} iv_plan_machine_question;

/* Table plan, with a row for each measure.  Errors as iv_two_phase_new(). */
IV_API IV_MUST_CHECK int iv_answer_plan_machine(iv_result *out,
                                                const iv_plan_machine_question *question,
                                                const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_LABELS_H */
