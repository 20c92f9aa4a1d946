/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rectified labels: x_d = p_d + I_d (y_d - p_d) / pi_d for every document d of a frame.
 * p_d is the probability that d is relevant, learnt without d's own label; whatever it
 * is, E x_d = y_d, and the better it is the less x varies.  Measures that are sums over
 * documents are estimated without bias by putting x in the place of labels.
 *
 * p comes from label_model.h, on the other topics, times a factor of the topic: how
 * many more relevant documents its other judgments show than were expected.
 *
 * There is an x for each level: the grades that occur.  A document has reached a level
 * if its grade is that or more.
 */
#ifndef IV_ESTIMATE_RECTIFIED_H
#define IV_ESTIMATE_RECTIFIED_H

#include "base/memory.h"
#include "estimate/evaluation_parts.h"
#include "estimate/label_model.h"
#include "intervale/design.h"

enum { IV_LEVELS_MAX = 16 };

/* One topic.  Documents are those that could be drawn, then those judged for certain. */
typedef struct iv_rectified_topic {
    size_t count, framed;
    double *pi;         /* of each document */
    double *p, *x;      /* level x count */
    /* level x count: the total over what it would be, were d known to be relevant whether drawn
     * or not.  AP, and nDCG of one level, multiply labels by it: the draw that makes a label large makes the
     * total large, and the one over the other too small on average. */
    double *apart;
    uint32_t *judgment; /* its place among the topic's judgments, UINT32_MAX: none */
    uint32_t *document; /* of each judgment, UINT32_MAX: it is not in the sample */
    /* Of each level: the sum of x, which is unbiased; what was found; the number to divide
     * by, which leans on p where the sum is unsure; and how much of the sum is in it. */
    double *sum, *found, *total, *share;
    /* How far the total may be off, as a share of it: what is not found of it over one
     * more than was found.  Found by measurement: doc/methods/sampling.md. */
    double *doubt;
} iv_rectified_topic;

struct iv_rectified {
    iv_arena own;
    int32_t grade[IV_LEVELS_MAX]; /* the levels, rising */
    size_t levels;
    iv_rectified_topic *topics;      /* of the judgments */
    size_t topic_count;
};

/* What is known of documents beside their ranks: a group from 0 to groups - 1, such as
 * a machine's label.  topic is one of the judgments. */
typedef struct iv_label_source {
    uint32_t (*group)(const void *user, size_t topic, iv_str docno);
    const void *user;
    uint32_t groups;
} iv_label_source;

/* Can there be labels: is the frame of every topic that was sampled known, and are the
 * levels few? */
bool iv_rectified_possible(const iv_sampling *s);

/* source may be NULL.  *out is the caller's. */
IV_MUST_CHECK int iv_rectified_new(iv_rectified **out, const iv_sampling *s,
                                const iv_label_source *source, iv_err *err);
void iv_rectified_free(iv_rectified *l);

/*
 * The same from what is known of each topic's documents: their traits (the first is 1)
 * and grades, below 0 for what is not in the sample.  l->grade and levels are set, and
 * topics have room (iv_rectified_room()), count, framed and pi; traits are of the framed
 * ones only.  p, x and sums are made anew.
 */
typedef struct iv_rectified_known {
    size_t width;
    const double *const *traits; /* of topics: document x width */
    const int32_t *const *grade;
} iv_rectified_known;
IV_MUST_CHECK int iv_rectified_make(iv_rectified *l, const iv_rectified_known *known, iv_err *err);
IV_MUST_CHECK int iv_rectified_room(iv_rectified_topic *t, iv_arena *own, size_t documents,
                                    size_t judgments, size_t levels, iv_err *err);

/* The traits of a document by its ranks; 0 where they are not known. */
enum { IV_RANK_TRAITS = IV_LABEL_NUMBERS };
void iv_rank_traits(double *out, uint32_t best, uint32_t runs);

/* The level at which a grade is relevant: the lowest that is not below it;
 * l->levels, if no document of the sample reached it. */
size_t iv_rectified_level(const iv_rectified *l, int32_t grade);

/* x from p; label: 0 or 1, below 0 for what is not in the sample. */
void iv_rectify(double *x, const double *p, const double *pi, const int *label, size_t count);

/*
 * The number of documents to divide by, and what it would be apart from each.  strength is how
 * many judged documents' worth p is, those of the topic included: one relevant document more
 * moves the p of all others by 1 / strength of it.
 */
double iv_rectified_total(double *share, double *apart, const double *x, const double *p,
                          const double *pi, const int *label, size_t count, double strength);

/* Documents of a ranking that have labels, best first. */
typedef struct iv_labelled_ranking {
    const uint32_t *document;
    const double *rank; /* from 1 */
    size_t count;
} iv_labelled_ranking;

/*
 * Labels of a level, or of all.  total is the number of relevant documents to divide by, of
 * each level, which moves by `share` when a label moves by 1; apart as in a topic, NULL: 1.
 */
typedef struct iv_even_labels {
    const double *x, *p, *apart;
    size_t count;
    const double *total, *share;
} iv_even_labels;

/* Those of a topic from a level on, with these totals. */
iv_even_labels iv_even_labels_of(const iv_rectified_topic *t, size_t level, const double *total);

/* Measures from labels, and u, which has room for them: the change of the value with x_d. */
double iv_rectified_ap(double *u, const iv_even_labels *l, const iv_labelled_ranking *r,
                       size_t cutoff);
double iv_rectified_found(double *u, const double *x, size_t count, double over,
                          const iv_labelled_ranking *r, double cutoff);
/* Recall by what is found or by what is missed, whichever p expects to be less; by what is found where
 * p expects less than one relevant document. */
double iv_rectified_recall(double *u, const iv_even_labels *l, const iv_labelled_ranking *r,
                           size_t cutoff);
double iv_rectified_rprec(double *u, const iv_even_labels *l, const iv_labelled_ranking *r);

/*
 * nDCG: gain[h] is what level h adds; x and u are level x count.  Totals of several levels are
 * not taken apart: of a document that reaches one, nothing is known of the next.  False when
 * memory is out.
 */
bool iv_rectified_ndcg(double *value, double *u, const iv_even_labels *l, size_t levels,
                       const double *gain, const iv_labelled_ranking *r, size_t cutoff,
                       iv_discounts *d);

/* Did the sample find fewer than 1.5 relevant documents a topic that was sampled?  Then the
 * spread over topics does not show what few draws hide (doc/methods/sampling.md). */
bool iv_rectified_few(const iv_rectified *l, size_t level);

/* A total as small and as large as it may be; between them is the one in use.  ideal: it makes
 * the ideal gain of nDCG, of which less is in doubt. */
double iv_rectified_least(const iv_rectified_topic *t, size_t level, bool ideal);
double iv_rectified_most(const iv_rectified_topic *t, size_t level, bool ideal);

/* How an interval is made. */
typedef enum iv_rectified_scale {
    IV_RECTIFIED_SHARE, /* on the logit scale where that can be */
    IV_RECTIFIED_TOP,   /* as it is, within [0, 1]: where 0 and 1 are common */
    IV_RECTIFIED_COUNT  /* on the scale of the logarithm */
} iv_rectified_scale;

/*
 * Variance and interval of an estimate; change is that of the value with the labels of
 * `levels` levels from `level` on, sampled the variance that the sample shows.  What p
 * makes likely has as much say, for a sample that shows little shows little spread.
 * Refused only where neither sees any.
 */
void iv_rectified_interval(iv_estimate *e, const iv_rectified_topic *t, const double *change,
                           size_t level, size_t levels, double sampled, iv_rectified_scale scale,
                           double least, double confidence);

#endif /* IV_ESTIMATE_RECTIFIED_H */
