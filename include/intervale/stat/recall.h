/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How complete was a search, and how sure are we: intervals on recall from
 * judged random samples of the retrieved and of the unretrieved documents.
 *
 * The population is cut into strata, each wholly retrieved or wholly not.
 * From each a simple random sample was drawn without replacement and judged.
 * The formulas, their assumptions and their measured coverage are on the page
 * doc/methods/recall.md.
 *
 * Ref: Webber (2013), Approximate recall confidence intervals, ACM TOIS 31(1).
 */
#ifndef INTERVALE_STAT_RECALL_H
#define INTERVALE_STAT_RECALL_H

#include "intervale/base.h"

IV_BEGIN_C

/* ----------------------------------------------------------- the data -- */

/* 0 <= relevant <= sampled <= size <= IV_STRATUM_MAX. */
typedef struct iv_stratum {
    int64_t size;     /* N: documents in it */
    int64_t sampled;  /* n: of those, drawn and judged */
    int64_t relevant; /* r: of those, relevant */
} iv_stratum;

#define IV_STRATUM_MAX ((int64_t)1 << 40)

/* A simple random sample of each segment is one stratum of each.  Borrowed. */
typedef struct iv_segments {
    const iv_stratum *retrieved, *unretrieved;
    size_t retrieved_count, unretrieved_count;
} iv_segments;

/*
 * IV_EARG, with the reason, unless every stratum is as above, no segment is
 * empty, and the population is at most IV_STRATUM_MAX.  Strata with nothing
 * sampled pass: what they mean depends on the method.
 */
IV_API IV_MUST_CHECK int iv_segments_check(const iv_segments *s, iv_err *err);

/*
 * The plain estimate R1 / (R1 + R0) with R = sum N r / n over the strata that
 * were sampled; NaN when no sampled document is relevant, or nothing of a
 * segment was sampled.  It is biased upwards when few sampled unretrieved
 * documents are relevant.
 */
IV_API double iv_recall_estimate(const iv_segments *s);

/* -------------------------------------------------------- the methods -- */

typedef enum iv_recall_method {
    IV_RECALL_AUTO,              /* the default: betabin-weighted */
    IV_RECALL_NAIVE,             /* a binomial share of the relevant ones */
    IV_RECALL_NORMAL,            /* propagation of error */
    IV_RECALL_NORMAL_UNCORRECTED,/* as TREC 2008 printed it */
    IV_RECALL_LAPLACE,           /* normal, 1 added to each count */
    IV_RECALL_AGRESTI_COULL,     /* normal, 2 added to each count */
    IV_RECALL_KOOPMAN,           /* ratio of two binomials; no strata */
    IV_RECALL_JEFFREYS,          /* beta posteriors */
    IV_RECALL_BETABIN_UNIFORM,   /* beta-binomial posteriors, Beta(1, 1) */
    IV_RECALL_BETABIN_MCP,       /* the most conservative prior */
    IV_RECALL_BETABIN_HALF,      /* Beta(1/2, 1/2) in each stratum */
    IV_RECALL_BETABIN_SHARED,    /* one Beta(1/2, 1/2) a segment, shared by
                                    its strata in proportion to their size */
    IV_RECALL_BETABIN_WEIGHTED,  /* the same, shared in proportion to N / n: what
                                    a sampled document stands for */
    IV_RECALL_EXACT,             /* limits that hold whatever the truth */
    IV_RECALL_ALL                /* each of them in turn; for reviews and
                                    questions only */
} iv_recall_method;

/* Names as users write them; NULL at the end.  Indexed by the method. */
IV_API const char *const *iv_recall_method_names(void);

/* Does the method give a whole posterior distribution, and from any prior? */
IV_API bool iv_recall_has_posterior(iv_recall_method method);
IV_API bool iv_recall_has_prior(iv_recall_method method);

/* What to compute; { 0 } and NULL are the default. */
typedef struct iv_recall_options {
    iv_recall_method method;
    double confidence; /* in (0, 1); 0: .95 */
    bool one_sided;    /* each limit holds by itself with that confidence */
    double a, b;       /* the prior of betabin-half, -shared and -weighted, both
                          above 0; both 0: 1/2 */
} iv_recall_options;

/*
 * lower <= upper.  The limits of the normal methods may leave [0, 1].
 *
 * Limits that the sample cannot exclude are forced: lower 0 when no relevant
 * document was found retrieved, upper 1 when none was found unretrieved (not
 * for naive, normal and normal-uncorrected, which give [0, 1] when there is
 * neither).  Without a find on either side, recall is known but for whether there is one, once
 * a side is judged in full: 0 if that is the retrieved one, 1 if the other (not by koopman).  By betabin-weighted strata without a find, beside others with some, may hold
 * nothing either: the upper limit is that of the posterior with such unretrieved strata
 * empty, if that is higher; the lower with such retrieved ones, if that is lower.  At the same
 * end strata of which every sampled document is relevant share the prior's b among themselves.
 */
typedef struct iv_recall_interval {
    double lower, upper;
} iv_recall_interval;

/* A posterior, and the memory to compute others in; one a thread. */
typedef struct iv_recall_posterior iv_recall_posterior;

/* One without a posterior yet; *out is the caller's.  IV_ENOMEM is the only
 * failure. */
IV_API IV_MUST_CHECK int iv_recall_posterior_new(iv_recall_posterior **out,
                                                 iv_err *err);
IV_API void iv_recall_posterior_free(iv_recall_posterior *p);

/*
 * The interval on recall.  w is the memory to work in, which methods without
 * a posterior do not touch; its posterior is the one of this call afterwards.
 *
 * IV_EARG for bad data or options; IV_ENODATA when everything is judged and
 * nothing relevant (there is no recall), and for a stratum with nothing sampled (but Laplace, Agresti-Coull, Jeffreys and beta-binomial other than
 * betabin-mcp let the prior speak, and to exact it may be anything); IV_EARG for Koopman on more than one
 * stratum a segment.  Two segments of one stratum each allocate nothing once
 * w has served a case as large.  Some milliseconds at most for one stratum a
 * segment, whatever N, and 0.1 s for 64 strata of some 10^5 documents.
 */
IV_API IV_MUST_CHECK int iv_recall_interval_of(iv_recall_interval *out,
                                               const iv_segments *s,
                                               const iv_recall_options *o,
                                               iv_recall_posterior *w,
                                               iv_err *err);

/* --------------------------------------------------------- posteriors -- */

/*
 * The joint posterior of the two segments' yields (numbers of relevant
 * documents) R1 and R0, independent of each other.
 *
 * Beta-binomial posteriors are exact to the atom while the two supports (less
 * 1e-17 of mass at each end) hold fewer than IV_RECALL_ATOMS atoms together;
 * larger ones are summed over cells, with an error of probabilities below
 * 1e-6 and a cost that does not depend on N.  Jeffreys' are by quadrature
 * (1e-11), over cells when there are strata.
 */
enum { IV_RECALL_ATOMS = 250000 };

/*
 * Computes the posterior that a method (one that has one) gives.  o's
 * confidence and side are not looked at.  Errors as iv_recall_interval_of();
 * p then holds no posterior and answers NaN.
 */
IV_API IV_MUST_CHECK int iv_recall_posterior_set(iv_recall_posterior *p,
                                                 const iv_segments *s,
                                                 const iv_recall_options *o,
                                                 iv_err *err);

/* Is the posterior summed atom by atom? */
IV_API bool iv_recall_posterior_exact(const iv_recall_posterior *p);

/* What a posterior can tell about. */
typedef enum iv_recall_quantity {
    IV_RECALL_RECALL,    /* R1 / (R1 + R0), given that one is relevant */
    IV_RECALL_PRECISION, /* R1 / N1 */
    IV_RECALL_F,         /* F-beta of the two */
    IV_RECALL_YIELD,     /* R1 + R0 */
    IV_RECALL_ELUSION    /* R0 / N0 */
} iv_recall_quantity;

enum { IV_RECALL_QUANTITIES = 5 };

/*
 * P(quantity <= x), P(quantity < x), and P(quantity >= x).  Here and below beta
 * is that of F, > 0; 0: 1.  Nothing else looks at it.  Asking changes nothing:
 * many threads may ask one posterior.
 */
IV_API double iv_recall_cdf(const iv_recall_posterior *p,
                            iv_recall_quantity quantity, double beta, double x);
IV_API double iv_recall_below(const iv_recall_posterior *p,
                              iv_recall_quantity quantity, double beta, double x);
IV_API double iv_recall_at_least(const iv_recall_posterior *p,
                                 iv_recall_quantity quantity, double beta, double x);

/* The least x with P(quantity <= x) >= q, 0 < q < 1: an attainable value
 * where the posterior is exact. */
IV_API double iv_recall_quantile(const iv_recall_posterior *p,
                                 iv_recall_quantity quantity, double beta, double q);

/* The posterior mean; of recall and F by quadrature over the cdf (1e-6). */
IV_API double iv_recall_mean(const iv_recall_posterior *p,
                             iv_recall_quantity quantity, double beta);

/*
 * The interval between quantiles, with forced ends: for recall as above, for
 * F lower 0 when no retrieved relevant document was found and upper 1 when only
 * such were, for precision and elusion 0 or 1 when none or all of the sample is
 * relevant, for the yield 0 when no sampled document is, and everything when all
 * are.
 */
IV_API iv_recall_interval iv_recall_limits(const iv_recall_posterior *p,
                                           iv_recall_quantity quantity, double beta,
                                           double confidence, bool one_sided);

/*
 * The plain estimate of a quantity, from N r / n; NaN when it is 0/0, or
 * depends on a segment of which nothing was sampled.
 */
IV_API double iv_recall_plain(const iv_segments *s, iv_recall_quantity quantity,
                              double beta);

/*
 * Share of the posterior mean yield that the prior brings in:
 * sum (N-n) a / (a+b+n) over sum r + (N-n)(a+r) / (a+b+n).
 */
IV_API double iv_recall_prior_share(const iv_recall_posterior *p);

/* ---------------------------------------------------------- guaranteed -- */

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
IV_API IV_MUST_CHECK int iv_recall_guaranteed(iv_recall_interval *out, const iv_segments *s,
                                              iv_recall_quantity quantity, double beta,
                                              double confidence, bool one_sided,
                                              iv_err *err);

/* --------------------------------------------------------- Monte Carlo -- */

typedef struct iv_recall_drawn {
    double lower, upper;       /* quantiles of the draws, ends forced */
    double lower_se, upper_se; /* their standard errors; 0 where forced */
} iv_recall_drawn;

enum { IV_RECALL_DRAWS_LEAST = 100, IV_RECALL_DRAWS_MOST = 100000000 };

/*
 * What the paper does instead: the quantiles of `draws` draws from the same
 * posteriors, with their standard errors (from the spacing of the order
 * statistics around them).  For a method with a posterior.
 */
IV_API IV_MUST_CHECK int iv_recall_by_draws(iv_recall_drawn *out,
                                            const iv_segments *s,
                                            const iv_recall_options *o,
                                            size_t draws, const iv_work *work,
                                            iv_err *err);

IV_END_C

#endif /* INTERVALE_STAT_RECALL_H */
