/* SPDX-License-Identifier: Apache-2.0 */
/* How alike are runs, without judgments, and orders of systems by two sets of scores? */
#ifndef INTERVALE_ANSWER_LIKENESS_H
#define INTERVALE_ANSWER_LIKENESS_H

#include "intervale/estimate.h"
#include "intervale/stat/rank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {0} but for two runs or more is what the tool does without options. */
typedef struct iv_overlap_question {
    iv_source from; /* the runs; judgments do not count */
    iv_overlap_options how;
    iv_resampling resampling;
} iv_overlap_question;

/*
 * Compares every pair of runs on the topics that both have.  Tables: pairs (means over
 * topics with intervals), judging (which documents decide between the runs), topics (the
 * most different first).  IV_EARG for fewer than two runs or an option outside its
 * domain, IV_ENODATA for runs that share no topic.
 */
IV_API IV_MUST_CHECK int iv_answer_overlap(iv_result *out, const iv_overlap_question *question,
                                           const iv_work *work, iv_err *err);

/*
 * Judges of the same documents; or
 * scores of the same systems on the same topics, twice: b is by other judgments, by
 * another measure, or of the runs made again.  {0} but for one of the forms is what the
 * tool does without options.
 */
typedef struct iv_agree_question {
    const char *a_matrix, *b_matrix; /* two files of scores, systems by name ... */
    iv_score_rows by;       /* of these files; auto: systems */
    iv_source source;       /* ... or judgments and runs, and one of: */
    const char *other;      /* other judgments of the same runs, ... */
    const iv_judgments *other_judged; /* ... or these in memory */
    iv_texts again;         /* the runs made again, in the order of the runs, ... */
    const iv_run *const *again_ranked; /* ... or these in memory */
    size_t again_ranked_count;
    const char *measure;    /* NULL: AP */
    const char *other_measure; /* of b; NULL: as measure */
    const char *baseline;   /* a system by name: effects over it */
    double persistence; /* of rank-biased overlap; 0: 0.9 */
    double confidence;  /* 0: 0.95 */
    /*
     * Judges instead: files of labels of the documents that source.judgments, the reference,
     * judged, and runs (of six fields) to be ordered by each, detected from the content.
     */
    iv_texts beside;
    int32_t level, judge_level; /* as in iv_judge_options */
    iv_kappa_weights weights;   /* of the kappa of grades */
    /*
     * Or labels by several assessors, a table as iv_assessments_load() reads it, and runs of
     * source: what the disagreement does to the measure of each.  Where the table says what
     * was retrieved, or of which stratum items are: to recall.
     */
    const char *assessors;
    iv_label_scale scale;    /* of Krippendorff's alpha */
    const char *strata;      /* a file of iv_strata_load(), for the sizes of the strata */
    iv_integers populations; /* documents that were retrieved, and that were not; none: the
                                items are a random sample of a large collection */
} iv_agree_question;

/*
 * Of assessors: tables alpha, assessors, kappas (of pairs of them), majority; with runs or
 * data that give recall, answers (by each assessor and by the majority), and
 * verdicts (on pairs of runs).
 *
 * With files beside the judgments: how far each judge agrees with the reference.  Tables:
 * judges (the most informative first), confusion, calibration, drift (by topic).
 *
 * Otherwise it compares the two rankings of the systems and says which verdicts on pairs change.
 * Tables: orders, systems (with the root mean squared difference of their scores), pairs
 * (those whose verdicts differ are for people), effects (with a baseline).  IV_EARG for a
 * question that is none or an option outside its domain, IV_ENODATA for fewer than two
 * systems or topics that both have.
 */
IV_API IV_MUST_CHECK int iv_answer_agree(iv_result *out, const iv_agree_question *question,
                                         const iv_work *work, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ANSWER_LIKENESS_H */
