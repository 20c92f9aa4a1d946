/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates for one topic of one run, from documents with probabilities. */
#ifndef IV_RETRIEVAL_SAMPLED_TOPIC_H
#define IV_RETRIEVAL_SAMPLED_TOPIC_H

#include "intervale/retrieval.h"

/*
 * Estimates for one topic of one run, from documents with probabilities.
 *
 * Each function returns an estimate and fills u, one number for each document
 * of the sample: the estimate's change when that document's weight 1/pi
 * changes.  The variance of the estimate is that of the total of u/pi, for
 * which the design has a formula; a difference of two runs has the difference
 * of their u.
 */

/* A topic's sample beside a ranking.  Arrays are by document of the sample. */
typedef struct iv_sampled_view {
    const double *pi;       /* 0: listed, but not in the sample */
    const int32_t *grade;
    size_t count;
    const uint32_t *found;  /* the documents of the sample that the run
                               retrieved, in the order of their ranks */
    const double *rank;     /* of found[k], from 1 */
    size_t found_count;
    int32_t level;          /* the lowest relevant grade */
} iv_sampled_view;

static inline bool iv_sampled_relevant(const iv_sampled_view *v, size_t i)
{
    return v->pi[i] > 0.0 && v->grade[i] >= v->level;
}

/* Relevant documents in all, and of these how many were drawn (pi < 1). */
double iv_sampled_total(double *u, const iv_sampled_view *v);
size_t iv_sampled_drawn(const iv_sampled_view *v);

/*
 * How many documents of equal contribution would make the variance as unsure
 * as it is: (sum a)^2 / sum a^2 over a = (1 - pi) (u / pi)^2; 0 if all are 0.
 */
double iv_sampled_effective(const double *u, const iv_sampled_view *v);

/*
 * Average precision to a cut-off (0: none); total: iv_sampled_total() > 0.
 * u of the literal form is that of the printed variance, PC less AP.
 */
double iv_sampled_ap(double *u, const iv_sampled_view *v, double total, size_t cutoff,
                     iv_estimator estimator);

/* The variance that the paper prints for the literal form, from its u; absent:
 * documents of the sample that are not relevant and not among v's. */
double iv_sampled_printed_variance(const double *u, const iv_sampled_view *v, size_t absent);

/* Relevant documents down to a rank (0: all), over `over`. */
double iv_sampled_found(double *u, const iv_sampled_view *v, double cutoff, double over);

double iv_sampled_recall(double *u, const iv_sampled_view *v, double total, size_t cutoff);
double iv_sampled_rprec(double *u, const iv_sampled_view *v, double total);

/*
 * Discounts 1/log2(i + 1), summed: sum[i] is that of the first i.  Grows as
 * needed; {0} is empty.
 */
typedef struct iv_discounts {
    double *sum;
    size_t count, capacity;
} iv_discounts;

/*
 * nDCG to a cut-off (0: none), with gain[i] of each document of the sample;
 * the ideal ranking is that of the estimated number of documents of each gain.
 * order: room for v->count.  False when memory is out.
 */
bool iv_sampled_ndcg(double *value, double *u, const iv_sampled_view *v,
                     const double *gain, size_t cutoff, iv_discounts *d, uint32_t *order);

/*
 * The interval: Student's t on the logit scale for a share, on the logarithm
 * for a count (which is at least `least`); degrees of freedom are the mean of
 * `relevant` and `effective`, less 1.  Fills lower, upper and gap from the
 * other fields.
 */
void iv_estimate_interval(iv_estimate *e, bool count, double least, double confidence);

#endif
