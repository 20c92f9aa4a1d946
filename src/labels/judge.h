/* SPDX-License-Identifier: Apache-2.0 */
/* A judge compared with a reference. */
#ifndef IV_LABELS_JUDGE_H
#define IV_LABELS_JUDGE_H

#include "base/memory.h"
#include "intervale/stat/label_agreement.h"
#include "intervale/stat/paired_tests.h"
#include "intervale/trec/relevance_judgments.h"

/*
 * A judge (a model or an assessor) compared with a reference, on the documents that both
 * labelled: agreement, bias, calibration of labels, and its drift between
 * topics.  doc/methods/machine.md has the formulas.
 */

typedef struct iv_judge_options {
    int level;         /* lowest relevant grade of the reference; 0: 1, IV_ZERO: 0 */
    int judge_level;   /* the same of the judge; 0: as level, 1 if it has grades 0 and 1 only */
    iv_kappa_weights weights; /* of the graded kappa */
    double confidence; /* 0: 0.95 */
    bool by_topic;     /* the reference is a simple random sample of each topic's labels: pairs
                          are weighted accordingly */
} iv_judge_options;

/* One of the judge's labels. */
typedef struct iv_judge_label {
    int32_t label;       /* IV_GRADE_MIN: documents without one */
    size_t pairs;        /* documents that have it, of topics both have */
    size_t judged;       /* of them, labelled by the reference, too */
    iv_interval share; /* proportion of relevant ones among these */
    double grade;        /* mean of the reference's grades */
    const char *by;      /* whose it is, in tables of several judges; NULL */
} iv_judge_label;

/* How many pairs have these two labels. */
typedef struct iv_judge_cell {
    int32_t reference, judge;
    size_t pairs;
    double share; /* by weight, of all pairs */
    const char *by; /* as above */
} iv_judge_cell;

typedef struct iv_judge {
    size_t topics, pairs;
    size_t only_reference;   /* documents of these topics without a label of the judge */
    size_t topics_reference; /* topics without one */
    bool scored;         /* the judge's labels are scores, cut so that each grade is as
                            frequent as the reference's */
    int32_t level, judge_level; /* in use */
    bool constant;       /* the judge has one label for all */
    iv_agreement kappa;      /* of relevant or not */
    iv_agreement graded;     /* of the grades */
    iv_interval sensitivity, specificity;
    iv_interval bias;  /* proportion relevant by the judge minus that by the reference */
    iv_interval worth;   /* 1 / (1 - R^2), R^2 the proportion of the variance of the reference that
                            labels explain: of relevant or not; of the grades: */
    iv_interval worth_graded;
    /* Does a label mean the same in all topics?  How far the reference's positives of a topic are,
     * relatively, from what the other topics' calibration expects, beyond chance (0: no further),
     * and the test that it is chance; p NaN: fewer than three topics are informative. */
    double drift_sd;
    iv_test drift;
    iv_judge_label *labels;  /* by label */
    size_t label_count;
    iv_judge_cell *cells;    /* that occur */
    size_t cell_count;
    double *log_worth;       /* without one unit each (of grades), for comparing judges */
    const iv_judgments *grades; /* the judge's labels as grades: the file's, or scores that were
                                   cut; borrowed from either */
    /* While it is built: */
    iv_arena memory;
    iv_judgments *cut;       /* of scores; NULL: none */
    struct iv_judge_pair *pair; /* of documents, topic by topic */
    size_t *starts;
    iv_str *topic;
    iv_judge_options how;
} iv_judge;

/*
 * Compares labels.  Of a sample (prels, strata, a completed sample) pairs weigh 1 / pi.
 * `scored` says that the judge's are scores of iv_machine_labels_load().  name and
 * judge_name stand in messages.  *out is the caller's: iv_judge_free().  IV_ENODATA
 * where both share no topic or no document; IV_EARG for options outside their domain.
 */
IV_MUST_CHECK int iv_judge_new(iv_judge **out, const iv_judgments *reference,
                                      const char *name, const iv_judgments *judge, bool scored,
                                      const char *judge_name, const iv_judge_options *options,
                                      iv_err *err);

void iv_judge_free(iv_judge *j);

/*
 * Is judge b worth less than a on the same topics?  The difference of their log worth (graded),
 * with p of Student's t over topics left out; 1 where no topic makes a difference.  NaN where
 * they have not the same topics.
 */
double iv_judge_worse(const iv_judge *a, const iv_judge *b);

#endif
