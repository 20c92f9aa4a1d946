/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of classifiers while roc evaluates them, and what it says of two classes and of more. */
#ifndef IV_CLASSIFY_ROC_SCORING_H
#define IV_CLASSIFY_ROC_SCORING_H

#include "base/listing.h"
#include "intervale/classify.h"
#include "result/answering.h"
#include "result/wording.h"
#include "stat/evidence.h"
#include "stat/scored/calibration.h"
#include "trec/class_columns.h"

/* Columns of several systems. */
enum { IV_ROC_MANY = 1 };

/* A measure of a system, or the AUC of one of its classes or of an average of them. */
typedef struct iv_roc_value {
    const char *system, *name; /* of the measure, class or average */
    size_t items;              /* of the class */
    iv_interval is;
} iv_roc_value;

/* Two systems by a measure. */
typedef struct iv_roc_difference {
    const char *a, *b, *measure;
    iv_interval is;
    double p, p_holm;
} iv_roc_difference;

/* A point of a curve, with the limits of its band. */
typedef struct iv_roc_point {
    const char *system, *curve;
    double x, y, lower, upper;
} iv_roc_point;

typedef struct iv_roc_threshold iv_roc_threshold;

/* What a threshold gives on these items. */
typedef struct iv_roc_operating {
    const char *system, *goal, *chosen;
    double threshold, cost;
    size_t flagged, hits;
    iv_evidence precision, recall;
} iv_roc_operating;

extern const iv_field iv_roc_measure_fields[], iv_roc_pair_fields[];

/* What a system says of the classes of gold, and then of others that it knows. */
typedef struct iv_system_scores {
    const char *name;
    const char **classes;
    const double **scores; /* by class */
    size_t count;
    iv_roc_value *rows;    /* of the classes, macro and weighted */
} iv_system_scores;

typedef struct iv_roc_scoring {
    const iv_roc_question *q;
    const char *path;
    iv_arena *own;
    /* Of two classes: */
    iv_scored_system *systems;
    size_t count, items, positives;
    bool *positive;
    iv_str ids;      /* a column that was taken for them, by what it holds */
    iv_str gold;     /* that of gold, of a table */
    iv_listing left; /* columns called as gold */
    iv_listing rest; /* columns beside those of the positive class */
    iv_item_groups *groups;
    size_t groupings;
    iv_reliability *reliability; /* of probabilities, by system */
    size_t bins;
    iv_roc_threshold *thresholds;
    iv_roc_operating *operating;
    iv_roc_point *curves;
    size_t threshold_count, operating_count;
    /* Of more: */
    iv_class_table t;
    size_t *sizes;   /* of gold's classes */
    iv_system_scores *said;
    bool *is_used;   /* of the table's other columns */
    iv_roc_value *rows;
    size_t row_count;
    /* Of both: */
    bool probabilities;
    size_t clipped;
    double misranked; /* the least over systems and classes */
    iv_roc_value *measures;
    iv_roc_difference *pairs;
    size_t measure_count, pair_count; /* pairs of one measure: AUC's come first */
    size_t compared; /* measures */
} iv_roc_scoring;

/* The confidence in percent. */
double iv_roc_percent(const iv_roc_question *q);

/* Reads columns of scores; each pair of systems is compared, so these may not be too many. */
IV_MUST_CHECK int iv_roc_read_scores(iv_scored_system *systems, const size_t *columns,
                                     size_t count, const iv_csv *t, const iv_roc_scoring *s,
                                     iv_err *err);
IV_MUST_CHECK int iv_roc_check_count(const iv_roc_scoring *s, const iv_csv *t, iv_err *err);

/* A row of a difference, and Holm's correction of all of one measure. */
iv_roc_difference iv_roc_pair(const char *a, const char *b, const char *measure,
                              const iv_interval *x);
IV_MUST_CHECK int iv_roc_correct(iv_roc_difference *pairs, size_t count, iv_arena *own,
                                 iv_err *err);

/* The AUC of a system (of several classes macro); the first of the highest, and how many others
 * have it. */
const iv_roc_value *iv_roc_auc(const iv_roc_scoring *s, size_t k);
const iv_roc_value *iv_roc_highest(const iv_roc_scoring *s, size_t *others);

/* Keeps the least number of misranked items, and warns of few. */
IV_MUST_CHECK int iv_roc_add_misranked(iv_roc_scoring *s, const iv_scored_items *items,
                                       iv_err *err);
void iv_roc_warn_misranked(iv_result *out, const iv_roc_scoring *s);

/* Answers on one difference, and on the best of several; the methods of the limits of AUC. */
void iv_roc_say_difference(iv_result *out, const iv_roc_difference *p, const char *what,
                           double a, double b, double percent);
void iv_roc_say_highest(iv_result *out, const iv_roc_scoring *s, const char *what);
void iv_roc_say_areas(iv_result *out, const iv_roc_scoring *s);

/* The claim that no system is worse than the baseline. */
IV_MUST_CHECK int iv_roc_gate(iv_result *out, iv_wording *w, const iv_roc_scoring *s,
                              const char *first, iv_err *err);

/* Chooses thresholds by all that is asked, and makes their tables; does anything ask? */
bool iv_roc_has_rules(const iv_roc_question *q);
IV_MUST_CHECK int iv_roc_choose(iv_roc_scoring *s, const iv_work *work, iv_err *err);
void iv_roc_put_thresholds(iv_result *out, const iv_roc_scoring *s);

/* The mean probability of a system less the proportion of positive items. */
IV_MUST_CHECK int iv_roc_bias(iv_interval *out, const iv_roc_scoring *s, size_t system,
                              iv_err *err);

/* Tables calibration and reliability with their chart. */
IV_MUST_CHECK int iv_roc_put_calibration(iv_result *out, const iv_roc_scoring *s, iv_err *err);

/* As classify asks: the threshold 0.5 of probabilities where none is given (`room` is for the
 * question then); sentences behind the answer, and the confusion matrix. */
void iv_roc_summary_asks(iv_roc_question *room, iv_roc_scoring *s);
IV_MUST_CHECK int iv_roc_summarise(iv_result *out, const iv_roc_scoring *s, iv_err *err);

/* Of three or more classes: the whole answer. */
IV_MUST_CHECK int iv_roc_classes(iv_result *out, const iv_roc_question *q, const iv_csv *t,
                                 const char *path, iv_err *err);

#endif
