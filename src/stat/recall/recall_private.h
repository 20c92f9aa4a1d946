/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of stat/recall share, and what other modules use of it. */
#ifndef IV_STAT_RECALL_RECALL_PRIVATE_H
#define IV_STAT_RECALL_RECALL_PRIVATE_H

#include "stat/stat_private.h"

/* ------------------------------------------------------------- elusion -- */
/*
 * Elusion: what share of the documents that a search left behind is relevant, from a
 * random sample of them without replacement.  Everything here is exact, from the
 * hypergeometric distribution.
 */

/*
 * The numbers of relevant documents in the stratum that the sample does not reject:
 * *least to *most, together with at least the confidence, or one-sided each by itself.
 * Confidence 0 is .95.  IV_EARG for a stratum or confidence that makes no sense.
 */
IV_MUST_CHECK int iv_elusion_limits(int64_t *least, int64_t *most, const iv_stratum *s,
                                           double confidence, bool one_sided, iv_err *err);

/*
 * A plan is the sample that is just accepted: judge `sampled` of `size` documents and accept when
 * no more than `relevant` of them are relevant.  Acceptance shows that the share is below a limit.
 * P(acceptance) when so many documents of all are relevant; NaN for a plan that makes no sense.
 */
double iv_elusion_accepts(const iv_stratum *plan, int64_t relevant);

/*
 * The least sample that shows a share below `limit`, in (0, 1], when it holds at most
 * `accept` relevant documents: whatever the truth at or above the limit, acceptance then
 * has a probability of at most 1 - confidence.  IV_EARG for what makes no sense;
 * IV_ENODATA when the limit is below one document or no sample is large enough.
 */
IV_MUST_CHECK int iv_elusion_size(iv_stratum *out, int64_t population,
                                         int64_t accept, double limit, double confidence,
                                         iv_err *err);

/* -------------------------------------------------------- recall yield -- */
/*
 * The posterior of one segment's yield, and the one thing recall, F and the
 * total yield need of two of them: the probability beyond a straight line.
 */

/* ------------------------------------------------ what a posterior tells -- */

/*
 * IV_EARG, with the reason, unless every stratum is as above, no segment is
 * empty, and the population is at most IV_STRATUM_MAX.  Strata with nothing
 * sampled pass: what they mean depends on the method.
 */
IV_MUST_CHECK int iv_segments_check(const iv_segments *s, iv_err *err);

/*
 * Computes the posterior that a method (one that has one) gives.  o's
 * confidence and side are not looked at.  Errors as iv_recall_interval_of();
 * p then holds no posterior and answers NaN.
 */
IV_MUST_CHECK int iv_recall_posterior_set(iv_recall_posterior *p,
                                                 const iv_segments *s,
                                                 const iv_recall_options *o,
                                                 iv_err *err);

double iv_recall_cdf(const iv_recall_posterior *p,
                            iv_recall_quantity quantity, double beta, double x);
double iv_recall_below(const iv_recall_posterior *p,
                              iv_recall_quantity quantity, double beta, double x);

/* The least x with P(quantity <= x) >= q, 0 < q < 1: an attainable value
 * where the posterior is exact. */
double iv_recall_quantile(const iv_recall_posterior *p,
                                 iv_recall_quantity quantity, double beta, double q);

/*
 * The plain estimate of a quantity, from N r / n; NaN when it is 0/0, or
 * depends on a segment of which nothing was sampled.
 */
double iv_recall_plain(const iv_segments *s, iv_recall_quantity quantity,
                              double beta);

/*
 * Share of the posterior mean yield that the prior brings in:
 * sum (N-n) a / (a+b+n) over sum r + (N-n)(a+r) / (a+b+n).
 */
double iv_recall_prior_share(const iv_recall_posterior *p);

/*
 * Limits of a quantity that hold with at least the confidence whatever the truth;
 * the others' confidence is an average over truths.  What is fully judged is
 * known, what was not sampled may be anything.  With one sampled stratum that is
 * not fully judged the limits are hypergeometric, with two Buehler's bound (never
 * wider than splitting the error between them, which large samples do), with more from Chernoff's
 * inequality.  Recall without a relevant document in the sample: [0, 1].  For
 * recall the method IV_RECALL_EXACT gives the same.  A second at most for 64 strata.
 * IV_EARG for bad data or confidence.
 */
IV_MUST_CHECK int iv_recall_guaranteed(iv_limits *out, const iv_segments *s,
                                              iv_recall_quantity quantity, double beta,
                                              double confidence, bool one_sided,
                                              iv_err *err);

/* Whether the guaranteed lower limit of recall is at least `recall`; quicker than the limit. */
IV_MUST_CHECK int iv_recall_guarantees(bool *out, const iv_segments *s, double recall,
                                       double confidence, bool one_sided, iv_err *err);

/*
 * A stratum's posterior yield: r + X, X beta-binomial of m trials, or r + m X,
 * X beta.
 */
typedef struct iv_curve {
    bool discrete;
    int64_t m;      /* documents not sampled */
    double r, a, b; /* parameters after the sample */
    double mean, sd;
    double low, high; /* the part that is kept */
} iv_curve;

/*
 * The posterior of a segment's yield: cells, each with its mass spread evenly; a cell of width 1
 * is an atom.
 */
typedef struct iv_yield {
    bool exact;       /* every cell is an atom */
    double low, high; /* of the support that is kept */
    double mean, sd;
    double size;      /* documents in the segment */
    bool none, all;   /* of the sampled documents are relevant */
    size_t cells;
    double *edge, *above; /* of cells + 1 edges: rising, and the mass above each */
    size_t edge_capacity, above_capacity;
    iv_pmf atoms;     /* the sum of strata */
    iv_curve *curves; /* one a stratum */
    size_t curve_count, curve_capacity;
} iv_yield;

void iv_yield_free(iv_yield *y);

/* Fills the curves, whose priors are given, and what they tell by themselves. */
IV_MUST_CHECK int iv_yield_curves(iv_yield *y, const iv_stratum *strata, size_t count,
                                  const double *a, const double *b, bool discrete,
                                  iv_err *err);

/* How fine cells are: probabilities good to 1e-6, or to about 1e-4 in studies. */
typedef struct iv_fineness {
    double atoms;      /* a support with no more atoms than this is exact */
    double fine;       /* width of a cell, in local scales */
    double points;     /* of the lattice on which strata are added up */
    double tolerance;  /* of a quantile, on the logit scale */
} iv_fineness;

extern const iv_fineness iv_fine, iv_coarse;

/* Then the cells. */
IV_MUST_CHECK int iv_yield_spread(iv_yield *y, iv_convolver *c, const iv_fineness *fineness,
                                  iv_err *err);

/* P(R >= k) for whole k, P(R > u) at any u (near: a cell near by, which is moved), P(R = 0). */
double iv_yield_at_least(const iv_yield *y, double k);
double iv_yield_above(const iv_yield *y, double u, size_t *near);

/* ------------------------------------------------------------- lines -- */

/* An event { quantity <= x }, or < x when strict. */
typedef struct iv_event {
    iv_recall_quantity quantity; /* recall, F or yield */
    bool strict;
    double x;
    double beta2; /* of F, squared */
    double N1;
} iv_event;

/* The probability of the event; 0/0 counts as recall 0.  NaN: no accuracy. */
double iv_event_probability(const iv_event *e, const iv_yield *retrieved,
                            const iv_yield *unretrieved);

/* ---------------------------------------------------------- posterior -- */

struct iv_recall_posterior {
    iv_yield side[2]; /* unretrieved, retrieved */
    iv_yield floor[2]; /* the same at its floor, see iv_recall_floor() ... */
    bool floored[2];   /* ... where others have finds, and the method looks at it */
    bool set;
    double both_zero; /* P(R1 = R0 = 0) */
    double mean_yield, prior_yield;
    double tolerance; /* of a quantile from cells, on the logit scale */
    iv_convolver *convolver;
};

/*
 * The strata as a method takes them; room for count.  betabin-weighted takes all
 * that were not sampled for one: nothing tells them apart, and many independent
 * priors would claim to know their sum.
 */
void iv_recall_pool(iv_stratum *out, const iv_stratum *strata, size_t count,
                    iv_recall_method method);

/* The priors of a segment's strata by a method; room for count in each. */
IV_MUST_CHECK int iv_recall_priors(double *a, double *b, const iv_stratum *strata,
                                   size_t count, const iv_recall_options *o,
                                   iv_err *err);

/* The options with every default in its place; IV_EARG for a confidence or prior
 * outside its domain, or an unknown method.  o may be NULL. */
IV_MUST_CHECK int iv_recall_fill(iv_recall_options *out, const iv_recall_options *o,
                                 iv_err *err);

/* beta squared; 0 is 1. */
double iv_beta2(double beta);

/* The quantity with R1 and R0 relevant of N1 retrieved and N0 other documents; recall 0/0 is 0. */
double iv_recall_value(iv_recall_quantity quantity, double beta2, double N1, double N0, double R1,
                       double R0);

/* Intervals of the methods without a posterior. */
IV_MUST_CHECK int iv_recall_by_normal(iv_limits *out, const iv_segments *s,
                                      const iv_recall_options *o, iv_err *err);
IV_MUST_CHECK int iv_recall_by_koopman(iv_limits *out, const iv_segments *s,
                                       const iv_recall_options *o, iv_err *err);

/* -------------------------------------------------- what they rest on -- */

/*
 * Koopman's interval on theta = px / py from x of m and y of n; upper may be
 * +inf, when y = 0.  IV_EARG unless 0 <= x <= m, 0 <= y <= n, m, n > 0.
 * x = y = 0 gives [0, inf].
 */
IV_MUST_CHECK int iv_koopman_ratio(iv_limits *out, int64_t x, int64_t m, int64_t y,
                                   int64_t n, double confidence, iv_err *err);

/* Its chi-square statistic for one theta > 0; NaN outside the domain. */
double iv_koopman_statistic(int64_t x, int64_t m, int64_t y, int64_t n, double theta);

/*
 * The most conservative prior Beta(alpha, alpha) for a sample of n from N: the
 * alpha in [0.1, 1] with the largest expected information gain, N and n cut to
 * 1000 as the paper does when `limited`.  O(N n), about 10 ms at most when
 * limited.  IV_EARG unless 1 <= n <= N, or N n > 4e8.
 */
IV_MUST_CHECK int iv_conservative_prior(double *alpha, int64_t N, int64_t n, bool limited,
                                        iv_err *err);

/*
 * The mean of the plain estimate over all samples of sizes n1 and n0, when the
 * segments of N1 and N0 documents really hold R1 and R0 relevant ones; over
 * the samples that have a relevant document.  NaN outside the domain.
 */
double iv_recall_estimate_mean(int64_t N1, int64_t R1, int64_t n1, int64_t N0, int64_t R0,
                               int64_t n0);

/* Sampled and found relevant in a segment; in the strata together. */
int64_t iv_strata_relevant(const iv_stratum *strata, size_t count);

/* No relevant document was found, and then recall, if there is one, is in *out: 0 where all
 * retrieved documents are judged, 1 where all others are, else anything. */
bool iv_recall_unfound(iv_limits *out, const iv_segments *s);
int64_t iv_strata_sampled(const iv_stratum *strata, size_t count);
int64_t iv_strata_size(const iv_stratum *strata, size_t count);

/* ----------------------------------------------------- recall outcomes -- */
/* The intervals of all methods for many outcomes of one sampling design. */

/* What was seen in a sample, and how often. */
typedef struct iv_outcome {
    int64_t n1, r1, n0, r0;
    size_t times;
} iv_outcome;

/*
 * The interval of a method for each outcome of segments of N1 and N0 documents.
 * The outcomes are sorted by (n1, r1, n0, r0).
 */
IV_MUST_CHECK int iv_outcome_intervals(iv_limits *out, const iv_outcome *outcomes,
                                       size_t count, int64_t N1, int64_t N0,
                                       const iv_recall_options *o, const iv_work *work,
                                       iv_err *err);

/* Whether the lower limit of each is at least `recall`: quicker than the exact limits. */
IV_MUST_CHECK int iv_outcomes_reach(bool *out, double recall, const iv_outcome *outcomes,
                                    size_t count, int64_t N1, int64_t N0,
                                    const iv_recall_options *o, const iv_work *work,
                                    iv_err *err);

/* A posterior for a thread of a loop. */
void *iv_recall_memory(iv_arena *own, void *user);

/* Sorts and merges equal outcomes; returns how many are left. */
size_t iv_outcomes_merge(iv_outcome *outcomes, size_t count);

/* ---------------------------------------------------- recall rechecked -- */
/*
 * Recall with assessor error, by double sampling: of a sample that one assessor judged, a random
 * part of each label was judged again by an assessor who is right.
 *
 * Ref: Webber, Oard, Scholer and Hedin (2010), CIKM; Tenenbein (1970), JASA 65.
 */

/* A segment: the first assessor's sample, and what was rechecked of each label: size is the
 * number of documents with the label, sampled those rechecked, relevant those truly relevant. */
typedef struct iv_rechecked {
    iv_stratum first, yes, no;
} iv_rechecked;

/* From N, n, r and k, c, m, d.  IV_EARG, with the reason and the name of the segment, for numbers
 * that contradict one another; IV_ENODATA where a label that was given was not rechecked. */
IV_MUST_CHECK int iv_rechecked_of(iv_rechecked *out, const int64_t sample[3],
                                  const int64_t rechecked[4], const char *segment, iv_err *err);

/* The estimated number of relevant documents: N (r/n c/k + (1 - r/n) d/m). */
double iv_rechecked_estimate(const iv_rechecked *x);

/* Truly relevant documents among those that were rechecked. */
int64_t iv_rechecked_found(const iv_rechecked *x);

/*
 * Draws of the number of relevant documents from its posterior: how many documents the first
 * assessor would call relevant, and how many of both labels are, are beta-binomial, each with
 * the prior Beta(1/2, 1/2).  side: 0 or 1, whose draws are independent.
 */
void iv_rechecked_draw(double *out, size_t count, const iv_rechecked *x, uint64_t seed, int side);

#endif
