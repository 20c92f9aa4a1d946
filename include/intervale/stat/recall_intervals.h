/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How complete was a search, and how sure are we: intervals on recall from
 * judged random samples of the retrieved and of the unretrieved documents.
 *
 * The population is cut into strata, each wholly retrieved or wholly not.
 * From each a simple random sample was taken without replacement and judged.
 * The formulas, their assumptions and their measured coverage are on the page
 * doc/methods/recall.md.
 *
 * Ref: Webber (2013), Approximate recall confidence intervals, ACM TOIS 31(1).
 */
#ifndef INTERVALE_STAT_RECALL_INTERVALS_H
#define INTERVALE_STAT_RECALL_INTERVALS_H

#include "intervale/base.h"

IV_BEGIN_C

/* ----------------------------------------------------------- the data -- */
/* 0 <= relevant <= sampled <= size <= IV_STRATUM_MAX. */
typedef struct iv_stratum {
    int64_t size;     /* N: documents in it */
    int64_t sampled;  /* n: of those, sampled and judged */
    int64_t relevant; /* r: of those, relevant */
} iv_stratum;

#define IV_STRATUM_MAX ((int64_t)1 << 40)

/* A simple random sample of each segment is one stratum of each.  Borrowed. */
typedef struct iv_segments {
    const iv_stratum *retrieved, *unretrieved;
    size_t retrieved_count, unretrieved_count;
} iv_segments;

/*
 * The plain estimate R1 / (R1 + R0) with R = sum N r / n over the strata that
 * were sampled; NaN when no sampled document is relevant, or nothing of a
 * segment was sampled.  It is biased upwards when few sampled unretrieved
 * documents are relevant.
 */
IV_API IV_EXPERIMENTAL double iv_recall_estimate(const iv_segments *s);

/* -------------------------------------------------------- the methods -- */
typedef enum iv_recall_method {
    IV_RECALL_AUTO,              /* betabin-half for one stratum a segment, else
                                    betabin-weighted */
    IV_RECALL_NAIVE,             /* a binomial proportion of the relevant ones */
    IV_RECALL_NORMAL,            /* propagation of error */
    IV_RECALL_NORMAL_UNCORRECTED,/* as TREC 2008 printed it */
    IV_RECALL_LAPLACE,           /* normal, 1 added to each count */
    IV_RECALL_AGRESTI_COULL,     /* normal, 2 added to each count */
    IV_RECALL_KOOPMAN,           /* ratio of two binomials; no strata */
    IV_RECALL_JEFFREYS,          /* beta posteriors */
    IV_RECALL_BETABIN_UNIFORM,   /* beta-binomial posteriors, Beta(1, 1) */
    IV_RECALL_BETABIN_MCP,       /* the most conservative prior */
    IV_RECALL_BETABIN_HALF,      /* Beta(1/2, 1/2) in each stratum */
    IV_RECALL_BETABIN_WEIGHTED,  /* one Beta(1/2, 1/2) a segment, shared by its strata in
                                    proportion to N / n, their sampling weight */
    IV_RECALL_EXACT,             /* limits with guaranteed coverage */
    IV_RECALL_ALL                /* each of them in turn; for reviews and
                                    questions only */
} iv_recall_method;

/* Names as users write them; NULL at the end.  Indexed by the method. */
IV_API IV_EXPERIMENTAL const char *const *iv_recall_method_names(void);

/* Does the method give a whole posterior distribution, and from any prior? */
IV_API IV_EXPERIMENTAL bool iv_recall_has_posterior(iv_recall_method method);
IV_API IV_EXPERIMENTAL bool iv_recall_has_prior(iv_recall_method method);

/* What to compute; { 0 } and NULL are the default. */
typedef struct iv_recall_options {
    iv_recall_method method;
    double confidence; /* in (0, 1); 0: 0.95 */
    bool one_sided;    /* each limit by itself has that confidence */
    double a, b;       /* the prior of betabin-half and -weighted, both above 0; both 0: 1/2 */
} iv_recall_options;

/* A posterior, and the memory to compute others in; one a thread. */
typedef struct iv_recall_posterior iv_recall_posterior;

/* One without a posterior yet; *out is the caller's.  IV_ENOMEM is the only
 * failure. */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_posterior_new(iv_recall_posterior **out,
                                                 iv_err *err);
IV_API IV_EXPERIMENTAL void iv_recall_posterior_free(iv_recall_posterior *p);

/*
 * The interval on recall, lower <= upper; of the normal methods it may leave [0, 1].
 *
 * Limits that the sample cannot exclude are forced: lower 0 when no relevant retrieved document
 * was found, upper 1 when no unretrieved one was (not for naive, normal and normal-uncorrected,
 * which give [0, 1] when there is neither).  Without a relevant document on either side recall is
 * 0 once all retrieved documents are judged, 1 once all others are (not by koopman).
 * betabin-weighted forces the ends stratum by stratum: doc/methods/recall-prior.md.
 *
 * w is the memory to work in, which methods without
 * a posterior do not touch; its posterior is the one of this call afterwards.
 *
 * IV_EARG for bad data or options, and for Koopman on strata; IV_ENODATA when everything is judged
 * and nothing relevant (there is no recall), and for a stratum without a sample, unless the method
 * has a prior for it (not betabin-mcp) or is exact.  Some milliseconds for one stratum a segment,
 * whatever N, and 0.1 s for 64 strata of some 10^5 documents.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_interval_of(iv_limits *out,
                                               const iv_segments *s,
                                               const iv_recall_options *o,
                                               iv_recall_posterior *w,
                                               iv_err *err);

/* --------------------------------------------------------- posteriors -- */
/*
 * The joint posterior of the two segments' yields (numbers of relevant
 * documents) R1 and R0, independent of each other.
 *
 * Beta-binomial posteriors are exact to the atom while the two supports (less 1e-17 of mass at
 * each end) hold fewer than IV_RECALL_ATOMS atoms together.  Larger ones and Jeffreys' are summed
 * over cells, with an error of probabilities below 2e-6, or 2e-5 where many atoms have the very
 * value asked for, and a cost that does not depend on N.
 */
enum { IV_RECALL_ATOMS = 250000 };

/* Quantities that a posterior describes. */
typedef enum iv_recall_quantity {
    IV_RECALL_RECALL,    /* R1 / (R1 + R0), given that one is relevant */
    IV_RECALL_PRECISION, /* R1 / N1 */
    IV_RECALL_F,         /* F-beta of the two */
    IV_RECALL_YIELD,     /* R1 + R0 */
    IV_RECALL_ELUSION    /* R0 / N0 */
} iv_recall_quantity;

enum { IV_RECALL_QUANTITIES = 5 };

/*
 * P(quantity >= x).  Here and below beta
 * is that of F, > 0; 0: 1.  Nothing else looks at it.  Asking changes nothing:
 * many threads may ask one posterior.
 */
IV_API IV_EXPERIMENTAL double iv_recall_at_least(const iv_recall_posterior *p,
                                 iv_recall_quantity quantity, double beta, double x);

/*
 * The interval between quantiles, with forced ends: for recall as above, for
 * F lower 0 when no retrieved relevant document was found and upper 1 when only
 * such were, for precision and elusion 0 or 1 when none or all of the sample is
 * relevant, for the yield 0 when no sampled document is, and everything when all
 * are.
 */
IV_API IV_EXPERIMENTAL iv_limits iv_recall_limits(const iv_recall_posterior *p,
                                           iv_recall_quantity quantity, double beta,
                                           double confidence, bool one_sided);

IV_END_C

#endif
