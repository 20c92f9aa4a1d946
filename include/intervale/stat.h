/* SPDX-License-Identifier: Apache-2.0 */
/* stat -- methods on counts and arrays: no files, no rankings. */
#ifndef INTERVALE_STAT_H
#define INTERVALE_STAT_H

#include "intervale/base.h"

IV_BEGIN_C

/*
 * Two assessors, or people and a model, label the same items: how far do they agree,
 * what does a label of one say about that of the other, and is that the same everywhere?
 *
 * Items stand in units (topics), whose items are alike.  Kappa and alpha have the jackknife
 * over units, over items where there is one unit, with Student's t;
 * proportions Clopper and Pearson's limits for the effective number of items.
 *
 * Several assessors, each of whom labels some of the items: Krippendorff's alpha.
 *
 * Refs: Cohen (1960, 1968); Fleiss and Davies (1982); Korn and Graubard (1998); Krippendorff
 * (2004).
 */

/* An item: what the reference says, what the other says, as numbers of labels from 0. */
typedef struct iv_label_pair {
    uint32_t a, b;
    double weight; /* above 0: 1 / probability with which it was sampled */
} iv_label_pair;

/* Items unit by unit: those of unit u from starts[u] to starts[u + 1]. */
typedef struct iv_label_pairs {
    const iv_label_pair *at;
    const size_t *starts;
    size_t units;
    uint32_t labels; /* how many there are, of both; at most 1,000 */
} iv_label_pairs;

/* With fewer units than this, the jackknife is over items. */
enum { IV_ALPHA_UNITS = 5 };

/* How much a disagreement counts: all alike, by its distance, by the distance squared. */
typedef enum iv_kappa_weights {
    IV_KAPPA_PLAIN,
    IV_KAPPA_LINEAR,
    IV_KAPPA_QUADRATIC
} iv_kappa_weights;

/* "plain", "linear", "quadratic", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_kappa_weights_names(void);

/* Below these the interval's coverage is below 0.90: items of the rarest label of the reference,
 * items on which both disagree. */
enum { IV_KAPPA_RARE = 10, IV_KAPPA_APART = 5 };

/* ----------------------------------------------------- several assessors -- */
/* What labels are: words, or grades in an order, or numbers. */
typedef enum iv_label_scale {
    IV_SCALE_BY_LABELS, /* words without values; numbers are grades if they are whole and of
                           IV_GRADES_MOST values at most */
    IV_SCALE_NOMINAL,   /* same or not */
    IV_SCALE_ORDINAL,   /* how many labels lie between, by their numbers */
    IV_SCALE_INTERVAL   /* the distance of values, squared */
} iv_label_scale;

enum { IV_GRADES_MOST = 16 };

/* "auto", "nominal", "ordinal", "interval", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_label_scale_names(void);

/* Labels item by item: those of item i from starts[i] to starts[i + 1], none, one or more. */
typedef struct iv_ratings {
    const uint32_t *label;
    const size_t *starts;
    size_t items;
    const size_t *unit_starts; /* items of unit u, as above; NULL: an item is a unit */
    size_t units;
    uint32_t labels;           /* how many there are */
    const double *value;       /* of each, rising; NULL: they are words */
} iv_ratings;

/* Cohen's kappa of two, or Krippendorff's alpha of several. */
typedef struct iv_agreement {
    iv_interval is;       /* NaN where there is one label only; no limits where nothing varies, such
                             as no disagreement */
    double agreement;     /* proportion of items (by weight), or of pairs of labels, that agree */
    double expected;      /* the same by chance */
    size_t items, labels; /* that count; of alpha: with two labels or more, and their labels */
    size_t rare;          /* items whose label is not the commonest; of alpha: on average over
                             assessors */
    size_t apart;         /* items on which they disagree */
    size_t units;         /* of alpha: of the jackknife */
    iv_label_scale scale; /* of alpha: used */
    bool few;             /* rare or apart is too small */
    bool constant;        /* of kappa: one of the two uses one label only */
} iv_agreement;

/* ---------------------------------------------------------------- shares -- */
/*
 * Average precision while only some documents are judged.
 *
 * Each document of a topic is relevant with a probability of its own, 0 or 1
 * once it is judged, independently of the others.  The difference in average
 * precision of two systems is then a random number,
 *
 *     dAP = Q / S,   Q = sum over i <= j of c_ij X_i X_j,   S = sum of X_i,
 *     c_ij = 1 / max(rank_a(i), rank_a(j)) - 1 / max(rank_b(i), rank_b(j)),
 *
 * with X_i = 1 for a relevant document, and 1/rank = 0 for one that a system
 * does not return; dAP = 0 when nothing is relevant.  Its mean and variance say
 * how sure one is who is better, and which judgment would say most about it.
 *
 * The documents are numbered from 0; rank[i] counts from 1, 0 for a document
 * that the system does not return.  Documents that neither returns may be
 * among them: they count in S.  relevance[i] is in [0, 1].
 *
 * Refs: Carterette, Allan and Sitaraman (2006), SIGIR, 268-275; Carterette and
 * Smucker (2007), CIKM.  doc/methods/incomplete.md corrects the latter.
 */

/* How the moments of the ratio are found. */
typedef enum iv_moments_form {
    IV_MOMENTS_DELTA, /* with S that varies too, to second order: the default */
    IV_MOMENTS_PLAIN  /* E Q / E S and Var Q / (E S)^2, as printed */
} iv_moments_form;

typedef struct iv_moments {
    double mean, variance;
} iv_moments;

/*
 * The proportion of relevant documents as it falls with rank: a logistic curve in
 * the logarithm of the rank.
 */
typedef struct iv_rank_relevance {
    double intercept, slope; /* logit p = intercept + slope log(rank) */
    size_t judged, relevant; /* documents it was fitted to */
} iv_rank_relevance;

/*
 * Confidence intervals on the mean of a sample, such as a measure's values over topics.
 *
 * The draws of a bootstrap depend on the seed, the number of values and the replicate only:
 * samples of one length (many measures of many runs over the same topics) are resampled
 * together, and an interval does not depend on the others.  doc/methods/mean-intervals.md has
 * the formulas and the measured coverage.
 */

/*
 * The methods that have a part of their own in the library.  iv_interval_names() has all, and the
 * number of a method is its place there.  AUTO is WILSON where all values are 0 or 1, LOGIT where
 * all lie in [0, 1], BOOTSTRAP_T elsewhere; of clusters and sets WILSON, LOGIT_T and T.
 */
typedef enum iv_interval_method {
    IV_INTERVAL_AUTO,
    IV_INTERVAL_NONE,
    IV_INTERVAL_LOGIT,
    IV_INTERVAL_PERCENTILE,
    IV_INTERVAL_BCA,
    IV_INTERVAL_T,
    IV_INTERVAL_LOGIT_T,
    IV_INTERVAL_BOOTSTRAP_T,
    IV_INTERVAL_WILSON,
    IV_INTERVAL_EXACT,
    IV_INTERVAL_BOUNDED,
    IV_INTERVAL_LARGER_T /* EXACT where all values are 0 or 1 */
} iv_interval_method;

/* The names of all methods, those above first and in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_interval_names(void);

/* Why there is no interval. */
typedef enum iv_interval_gap {
    IV_GAP_NONE,      /* there is one */
    IV_GAP_NOT_ASKED, /* IV_INTERVAL_NONE */
    IV_GAP_ONE_VALUE, /* fewer values than the method needs */
    IV_GAP_RANGE,     /* a value outside [0, 1] */
    IV_GAP_CONSTANT,  /* all values are equal, and the method needs their variance */
    IV_GAP_NOT_BINARY, /* wilson or exact, and a value other than 0 and 1 */
    IV_GAP_UNBOUNDED, /* a guarantee was requested, but values have no bound */
    IV_GAP_RESAMPLES, /* logit, and fewer than 2 resamples inside (0, 1) */
    IV_GAP_IMPOSSIBLE, /* an estimate from sampled judgments that the measure cannot be */
    IV_GAP_OUTSIDE,   /* too much of a run is outside of the sampled frame */
    IV_GAP_RATIO,     /* a ratio estimator, and the topics are fixed */
    IV_GAP_UNSEEN     /* most topics have no relevant document in the sample: no estimate */
} iv_interval_gap;

typedef struct iv_mean_interval {
    size_t n;
    iv_interval_method method; /* in use: never auto */
    double mean;
    double se;           /* s / sqrt(n); NaN for n = 1 */
    double lower, upper; /* NaN where there is no interval */
    iv_interval_gap gap;
    bool constant;       /* all values are equal */
    double skewness;     /* g1 of the values; NaN for fewer than 3 or equal ones */
    size_t dropped;      /* logit: resamples with mean 0 or 1, excluded */
    double logit_mean, logit_sd; /* of the logits, else NaN */
    double bias, acceleration;   /* bca: z0 and a, else NaN */
    bool clipped;        /* bca: z0 was infinite and is taken at 1/(2B) */
    double lower_level, upper_level; /* quantiles taken; NaN: none */
} iv_mean_interval;

typedef struct iv_resampling {
    double confidence; /* in (0, 1); 0: 0.95 */
    size_t resamples;  /* of a bootstrap; 0: 10,000 */
} iv_resampling;

/*
 * Intervals for `count` samples of n values each, by a method each; a sample
 * may come several times, with several methods.  IV_ENODATA when n is 0,
 * IV_EARG for a value that is not finite or a confidence outside (0, 1); nothing
 * is written then.  IV_ENOMEM and IV_ECANCELLED may leave out half filled.  Of 20,000 values
 * and more a bootstrap resamples 10,000 random batches.  Time count x n x B, n at most 20,000;
 * memory 8 B bytes or 32 MB, whichever is more.  options and work may be NULL.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_mean_intervals(iv_mean_interval *out,
                                           const double *const *samples,
                                           const iv_interval_method *methods,
                                           size_t count, size_t n,
                                           const iv_resampling *options,
                                           const iv_work *work, iv_err *err);

/*
 * Groups of systems without a significant difference: systems that share a letter do
 * not differ significantly, those that share none do (Piepho 2004).
 */

/* Letters of up to this many groups are found. */
enum { IV_LETTERS_MOST = 702 };

/*
 * Is A better than B?  Tests on the differences of two systems over the same
 * topics, many pairs at once, and corrections for having tested many.
 *
 * A difference is always a - b, and wins are a's.  Every p-value is in [0, 1];
 * where a test has nothing to say, p is NaN and `why` names the reason, a
 * static string.  Tests by simulation count the observed arrangement among the
 * simulated ones, so that p is never 0 (Phipson and Smyth 2010).
 */

/* What the test is to find: a and b differ, a is larger, a is smaller. */
typedef enum iv_alternative { IV_TWO_SIDED, IV_GREATER, IV_LESS } iv_alternative;

/* Their names in that order, ending with NULL; so below. */
IV_API IV_EXPERIMENTAL const char *const *iv_alternative_names(void);

typedef struct iv_test {
    double p;
    double statistic; /* NaN where the test has none */
    size_t used;      /* topics that entered */
    bool exact;       /* the distribution was computed, not approximated */
    const char *why;  /* NULL, or why there is no p */
} iv_test;

/* What the differences look like.  n >= 1; sd is NaN when n is 1. */
typedef struct iv_differences {
    size_t n, wins, ties, losses;
    double mean, sd;
    double effect;   /* mean / sd (Cohen's d for pairs); NaN when sd is 0, and so ... */
    double skewness; /* third central moment over the second to 3/2 */
} iv_differences;

/* ------------------------------------------------------ tests of one pair -- */
/* What the sign test does with topics on which neither wins. */
typedef enum iv_sign_ties {
    IV_TIES_DISCARD,
    IV_TIES_SPLIT /* half to each side; of an odd number one is discarded */
} iv_sign_ties;
IV_API IV_EXPERIMENTAL const char *const *iv_sign_ties_names(void);

/* What the signed-rank test does with differences of 0. */
typedef enum iv_zeros {
    IV_ZEROS_DROP, /* they leave before ranks are given (Wilcoxon) */
    IV_ZEROS_RANK  /* they are ranked, then leave (Pratt 1959) */
} iv_zeros;
IV_API IV_EXPERIMENTAL const char *const *iv_zeros_names(void);

/* Memory for the exact distribution, up to this many topics. */
enum { IV_WILCOXON_EXACT = 50 };

/* -------------------------------------------------- tests of many systems -- */
/*
 * Scores of systems on the same topics, a system after the other; all finite.
 */
typedef struct iv_score_grid {
    const double *values; /* values[s * topics + t] */
    size_t systems, topics;
} iv_score_grid;

/* A baseline is the number of a system, counted from 1, so that 0 is none. */
#define IV_NO_BASELINE 0

/* -------------------------------------------------------------- groups -- */
/* ---------------------------------------------------------- corrections -- */
typedef enum iv_correction {
    IV_CORRECT_AUTO, /* the one that fits; see iv_compare_options */
    IV_CORRECT_NONE,
    IV_CORRECT_BONFERRONI,
    IV_CORRECT_HOLM, /* Holm 1979 */
    IV_CORRECT_BH,   /* Benjamini and Hochberg 1995: false discovery rate */
    IV_CORRECT_TUKEY /* iv_tukey_pairs(); not of p-values alone */
} iv_correction;

/* The corrections' names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_correction_names(void);

/*
 * Precision, recall, F and related metrics: what they are made of.  classify.h
 * evaluates systems; doc/methods/prf.md has the formulas.
 */

#define IV_PRF_COUNT_MAX INT64_C(1000000000000)

/* True and false positives, false and true negatives; tn < 0: not known. */
typedef struct iv_prf_counts {
    int64_t tp, fp, fn, tn;
} iv_prf_counts;

/*
 * Added to TP and TN (right), to FP and FN (wrong); in (0, 1e6].  right 0: 1/2,
 * Jeffreys' prior; wrong 0: as right.
 */
typedef struct iv_prf_prior {
    double right, wrong;
} iv_prf_prior;

typedef enum iv_prf_kind {
    IV_PRF_PRECISION,
    IV_PRF_RECALL,
    IV_PRF_F, /* with beta, from 0.01 to 100 */
    IV_PRF_SPECIFICITY,       /* this one and those that follow need TN */
    IV_PRF_ACCURACY,
    IV_PRF_BALANCED_ACCURACY, /* the mean of recall and specificity */
    IV_PRF_MCC,               /* Matthews' correlation, from -1 to 1 */
    IV_PRF_UTILITY            /* mean worth of an item */
} iv_prf_kind;

typedef struct iv_prf_metric {
    iv_prf_kind kind;
    double beta; /* of IV_PRF_F */
    double worth[4]; /* of IV_PRF_UTILITY: of a TP, FP, FN and TN */
} iv_prf_metric;

/* An average over categories of a metric that each of them has. */
typedef enum iv_prf_average {
    IV_PRF_ONE,     /* no average: one category */
    IV_PRF_MICRO,   /* of the pooled counts */
    IV_PRF_MACRO,   /* the plain mean of the categories */
    IV_PRF_WEIGHTED /* their mean by how many items gold has of each; of labels */
} iv_prf_average;

/* Draws of what has no closed form: as many as in the paper, at least, at most. */
enum { IV_PRF_DRAWS = 10000, IV_PRF_DRAWS_MIN = 1000, IV_PRF_DRAWS_MAX = 100000000 };

/* A posterior distribution on (0, 1). */
typedef struct iv_posterior iv_posterior;

/*
 * How alike are two rankings?  Rank-biased overlap of lists that need not hold the
 * same items nor be of one length, and AP correlation of scores of the same items.
 *
 * Refs: Webber, Moffat and Zobel (2010); Corsi and Urbano (2024); Yilmaz, Aslam and
 * Robertson (2008); Urbano and Marrero (2017).  doc/methods/rankings.md has the
 * formulas.
 */

/* What a tie means. */
typedef enum iv_rbo_ties {
    IV_RBO_AVERAGE, /* not known who comes first: the mean over all orders */
    IV_RBO_SHARED,  /* the same, over what a list would have with itself */
    IV_RBO_EQUAL    /* all stand at the same rank, as in sports */
} iv_rbo_ties;

/* "average", "shared", "equal", NULL; in the papers a, b and w. */
IV_API IV_EXPERIMENTAL const char *const *iv_rbo_ties_names(void);

/* A list, the best first; each item is there once. */
typedef struct iv_ranked_items {
    const uint32_t *items;
    const double *scores; /* items of one score are tied and stand together; NULL: no ties */
    size_t count;
} iv_ranked_items;

/* ----------------------------------------------------- rankings of systems -- */
typedef struct iv_orders {
    double tau, tau_ap, rbo;
} iv_orders;

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

/*
 * lower <= upper.  The limits of the normal methods may leave [0, 1].
 *
 * Limits that the sample cannot exclude are forced: lower 0 when no relevant retrieved document
 * was found, upper 1 when no unretrieved one was (not for naive, normal and normal-uncorrected,
 * which give [0, 1] when there is neither).  Without a relevant document on either side recall is
 * 0 once all retrieved documents are judged, 1 once all others are (not by koopman).
 * betabin-weighted forces the ends stratum by stratum: doc/methods/recall-prior.md.
 */

/* A posterior, and the memory to compute others in; one a thread. */
typedef struct iv_recall_posterior iv_recall_posterior;

/* One without a posterior yet; *out is the caller's.  IV_ENOMEM is the only
 * failure. */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_posterior_new(iv_recall_posterior **out,
                                                 iv_err *err);
IV_API IV_EXPERIMENTAL void iv_recall_posterior_free(iv_recall_posterior *p);

/*
 * The interval on recall.  w is the memory to work in, which methods without
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
 * P(quantity <= x), P(quantity < x), and P(quantity >= x).  Here and below beta
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

/* Scores of classifiers: what a threshold is chosen for.  answer.h evaluates. */

/* What a threshold is best for; none: no threshold is chosen unless its table is wanted. */
typedef enum iv_threshold_goal {
    IV_BEST_NONE,
    IV_BEST_F1,
    IV_BEST_ACCURACY,
    IV_BEST_YOUDEN
} iv_threshold_goal;

/* "none", "f1", "accuracy", "youden", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_threshold_goal_names(void);

/* How the error of a test is shared between planned interim analyses. */

typedef enum iv_look_shape {
    IV_LOOKS_OBRIEN_FLEMING,       /* little early: z falls as 1 / sqrt(fraction) */
    IV_LOOKS_POCOCK,               /* the same z at every look */
    IV_LOOKS_SPEND_OBRIEN_FLEMING, /* nearly the same by spending: looks may be added */
    IV_LOOKS_SPEND_POCOCK
} iv_look_shape;

/* "obrien-fleming", "pocock", "spend-obrien-fleming", "spend-pocock", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_look_shape_names(void);

enum { IV_LOOKS_MOST = 100 };

/* What a series of nights promises on false alarms. */
typedef enum iv_promise {
    IV_PROMISE_YEAR,   /* any, in a number of nights, with probability 1 - confidence at most */
    IV_PROMISE_AVERAGE /* on average one night in that number */
} iv_promise;

/* "year", "average", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_promise_names(void);

/*
 * The mean of scores whose items hang together: items of a cluster (questions of one
 * document), sets of a suite, weights, and repeats that all items share.
 *
 * What varies is a unit: a cluster, else an item; or a set, when sets are a sample.  The
 * mean is sum(w x) / sum(w) in each set, and the mean of these over sets.  Its variance is
 * that of the units' residual sums, cluster by cluster (Liang and Zeger 1986; Miller 2024),
 * each enlarged by 1 / (1 - the unit's proportion) (Bell and McCaffrey's CR2), with
 * Satterthwaite's degrees of freedom under the intra-cluster correlation seen.  Without
 * any structure these are s^2 / n and n - 1.  doc/methods/clusters.md.
 */

/* How a judge's scores of all items and human labels of some are joined (doc/methods/judged.md). */
typedef enum iv_judge_estimator {
    IV_JUDGE_REGRESSION, /* least squares */
    IV_JUDGE_PPI,        /* power tuning (PPI++) */
    IV_JUDGE_DIFFERENCE, /* a slope of 1 */
    IV_JUDGE_HUMAN       /* human labels alone */
} iv_judge_estimator;

/* "regression", "ppi", "difference", "human", NULL. */
IV_API const char *const *iv_judge_estimator_names(void);

/* How items hang together; {0}: they do not. */
typedef struct iv_structure {
    const uint32_t *cluster; /* by item, below clusters; NULL: each by itself */
    size_t clusters;
    const uint32_t *suite; /* by item, below suites; NULL: one set */
    size_t suites;
    const double *suite_weight; /* by set; NULL: all alike */
    bool sampled;               /* the sets are a sample of sets, not all there are */
    const double *weight;       /* by item; NULL: all alike */
    /* By system: the variance of its mean that its repeats contribute to all items together,
     * and how many degrees of freedom that is known with; NULL: none. */
    const double *repeat_variance, *repeat_df;
} iv_structure;

typedef struct iv_structured {
    size_t items, units; /* that have a score */
    double mean;
    double se;           /* as the interval has it; NaN: a set has one unit only */
    double df;           /* of that */
    double se_clustered; /* without the correction for few: Miller's clustered error */
    double se_apart;     /* as if items of a set were independent */
    double icc;          /* correlation within clusters, not below 0; NaN: nothing to see it in */
    double largest;      /* proportion of the largest unit in its set */
    double worth;        /* units of one set and weight that vary would be as sure */
    double least;        /* the lowest score */
    double square;       /* mean of squares of scores that are all -1, 0 or 1; else NaN */
    double skewness;     /* of what units add to the mean; NaN: fewer than three, or all equal */
} iv_structured;

/* With fewer degrees of freedom t with CR2 variances is unreliable (Tipton 2015). */
enum { IV_FEW_DEGREES = 4 };

/*
 * The mean of x[0 ... items - 1], NaN where there is none, of system number `system` of the
 * structure's repeats.  A set without a score is left out.  IV_ENODATA when there is no score;
 * IV_EARG for an infinite one, for a weight that is not above 0, for a cluster in two sets.  Linear
 * time.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_structured_mean(iv_structured *out, const double *x,
                                                            size_t items,
                                            const iv_structure *s, size_t system, iv_err *err);

/*
 * The interval of that mean: Wilson's, with the effective number of items, where all scores are 0
 * or 1, logit-t where the scores of all systems lie in [0, 1] (`unit`), else t; AUTO is
 * that, and methods that do not work for clusters are IV_EARG.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_structured_interval(iv_mean_interval *out,
                                                                const iv_structured *m,
                                                bool unit, iv_interval_method method,
                                                double confidence, iv_err *err);

/*
 * For iv_structure: the variance that repeats contribute to the mean of all items together, beside
 * what differs from item to item, and its degrees of freedom, from x[item * repeats + r], NaN where
 * there is none; `s`: what else the items have, or NULL.  0 with 0 degrees of freedom where it
 * cannot be estimated, because no two items with several repeats share one.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_repeat_variance(double *variance, double *df,
                                                            const double *x, size_t items,
                                            size_t repeats, const iv_structure *s, iv_err *err);

/*
 * Comparing systems by their scores on topics: each pair (or each system with
 * baselines) by the difference of means with its interval and tests, p-values and
 * intervals adjusted for how many there are, and each system by its place among all.
 *
 * All of it is of the topics that every system has.  Differences that are equal
 * but for rounding are made equal (to 2^-44 of the largest score), so that 0.3
 * - 0.2 ties with 0.2 - 0.1.  doc/methods/comparing.md says what each test
 * assumes and how often it errs.
 */

/* ------------------------------------------------------------- what to do -- */
typedef enum iv_pair_test {
    IV_TEST_SIGN,
    IV_TEST_WILCOXON,
    IV_TEST_T,
    IV_TEST_RANDOMISATION,
    IV_TEST_LARGER_P, /* the larger p of the paired t test and of Hall's t test */
    IV_TEST_HALL,     /* Hall's t test, which corrects for skewness */
    IV_TEST_MCNEMAR, /* of scores of 0 and 1: the score test */
    IV_PAIR_TESTS /* how many there are */
} iv_pair_test;

/* Their names in that order, ending with NULL; static. */
IV_API IV_EXPERIMENTAL const char *const *iv_pair_test_names(void);

/* {0}, and NULL where a pointer is taken, are what the command compare does. */
typedef struct iv_compare_options {
    const iv_pair_test *tests; /* to be made of every pair, each once ... */
    size_t test_count;         /* ... 0: larger-p; mcnemar where all scores are 0 or 1 */
    iv_sign_ties ties;
    iv_zeros zeros;
    iv_alternative alternative;
    /*
     * AUTO is Holm's.  Tukey's adjusts tests of means, and is for systems that are alike
     * but for chance; tests of signs and ranks are then adjusted by Holm's method.  A
     * single pair is never corrected.
     */
    iv_correction correction;
    size_t family;               /* adjusted intervals allow for so many pairs, these and others
                                    (of groups, of sets) whose p-values the caller corrects
                                    together; 0: for these */
    const size_t *baselines;     /* systems, from 0, with which each other one is compared ... */
    size_t baseline_count;       /* ... 0: all pairs */
    iv_interval_method interval; /* of a difference: AUTO is that of the test (t for
                                    those that have none), else t, a bootstrap's but not
                                    logit, or none */
    iv_interval_method means;    /* of a system's mean; AUTO: by its scores */
    double margin;               /* 0: none; IV_ZERO: a margin of 0 */
    double low, high;            /* the range of the scores; high not above low: not known, but
                                    for scores that all are 0 or 1 */
    bool guaranteed;             /* decisions about the margin are valid for all scores in range */
    const uint32_t *order;       /* guaranteed: in which topics are taken, which must not depend
                                    on scores; NULL: as they are */
    double confidence;           /* 0: 0.95 */
    size_t resamples;            /* 0: 10,000 */
    size_t permutations;         /* 0: 100,000 */
    /*
     * How the topics hang together; NULL: they do not.  Clusters are then flipped, ranked,
     * counted and resampled as wholes; se and degrees of freedom are those of
     * iv_structured_mean(), the default test is the t test with these, and repeats add to each
     * system's variance: where they do, tests but t and the default are IV_EARG.  So are,
     * always, Hall's test by name and Tukey's correction.
     */
    const iv_structure *structure;
    bool binary; /* filled in: all scores are 0 or 1, or one of two values that may be those two
                    in another unit.  Two paired proportions have the score test and Tango's
                    interval; where topics hang together, with as many as these are worth and
                    their degrees of freedom */
    double unit; /* filled in: what such values differ by */
    bool bounded; /* scores are estimates, which may leave [0, 1], of what cannot */
} iv_compare_options;

/* --------------------------------------------------------- what was found -- */
/*
 * What was done to a limit of an interval so that it says what the test says: the
 * test, not the interval, decides whether there is a difference.
 */
typedef enum iv_limit {
    IV_LIMIT_KEPT,
    IV_LIMIT_CUT,    /* the test finds a difference, the interval held 0: the limit is 0,
                        and 0 itself is excluded */
    IV_LIMIT_WIDENED /* the test finds none, the interval lay on one side: it ends at 0 */
} iv_limit;

/* Items that one of two systems has right and the other not, as an interval counts them. */
typedef struct iv_share_counts {
    double wins, losses, items; /* 0 items: these are not proportions */
    double df;                  /* infinite: normal */
    double unit;                /* the difference of one such item: 1, or as scores are coded */
} iv_share_counts;

typedef struct iv_compared_pair {
    size_t a, b;           /* systems; b is a baseline if there is one */
    size_t only_a, only_b; /* topics that the other one lacks */
    size_t items;          /* topics that all systems have */
    bool same;             /* on each of them, and in each repeat */
    /* Of these, or of the clusters that hold them, whose part in the mean is then one
     * difference; found.n is at least 2, and sd / sqrt(n) the standard error. */
    iv_differences found;
    double df;             /* of the standard error: n - 1 unless topics hang together */
    double superiority;    /* (wins + ties / 2) / n */
    /* Of binary scores; of topics that hang together as many as they are worth. */
    iv_share_counts shares;
    double independent;    /* topics; where they hang together, how many they are worth */
    double range;          /* of the scores, high - low; 0: not known */
    size_t varied;         /* topics whose difference is not the one that more than half of
                              them have; n where there is none such */
    /*
     * Of the mean difference, by itself, in accord with p of the test if that is
     * a test of means; NaN: none, as where all differences are equal.  Of a one-sided comparison
     * one limit is infinite.
     */
    double lower, upper;
    iv_interval_gap gap; /* why not */
    iv_limit limit;      /* what was done to them */
    /*
     * The same in accord with p_adjusted.  Where the correction holds the familywise
     * error, Bonferroni's intervals: simultaneous, for all pairs at once, in a single step.
     * Benjamini and Hochberg's: with the false coverage rate held.  None: lower and upper.
     */
    double lower_adjusted, upper_adjusted;
    iv_limit limit_adjusted;
    /*
     * With a margin D: the posterior probability of a difference above D (t, flat prior), and p
     * of these hypotheses: a difference of -D or less (non-inferiority); of D or more either way
     * (two one-sided tests); of -D or more (a small p: worse by more than D).  By the larger p of
     * the t test and Hall's; of up to 1,000 scores of 0 and 1 no less than the exact unconditional
     * test's; of equal differences by iv_equal_evidence() with the range, NaN without one; if
     * guaranteed by iv_betting_evidence(), of 0 and 1 exactly.  NaN without a margin.
     */
    double p_above, p_noninferior, p_equivalent, p_inferior;
    double margin_lower, margin_upper; /* guaranteed: one-sided limits, corrected for the number of
                                          pairs; else NaN, and iv_pair_limits() has them */
} iv_compared_pair;

typedef struct iv_compared_test {
    iv_pair_test kind;
    iv_test test;
    double p_adjusted;        /* at least p */
    iv_correction correction; /* in use; none for a single pair */
    /*
     * +1: a is the larger one by what this test looks at (the mean, topics won, ranks of
     * the differences), -1: b is, 0: neither.  Whoever says which run of a pair is
     * better asks this.
     */
    int direction;
} iv_compared_test;

/* A system among the others, on the topics that all of them have. */
typedef struct iv_compared_run {
    size_t topics;
    double mean, lower, upper;
    iv_interval_method method;     /* of that interval, whatever the others have:
                                      for AUTO by the system's own scores */
    size_t rank;                   /* 1 + systems with a larger mean */
    size_t rank_lower, rank_upper; /* [1 + better, systems - worse], counting
                                      significant differences of the pairs compared, by
                                      the first test */
    size_t boot_lower, boot_upper; /* range of the rank in resamples; 0: none */
    double p_best;                 /* proportion of resamples it leads; NaN: none */
    const char *letters;           /* iv_letters(); NULL: too many groups, or not all
                                      pairs were compared, two-sided */
} iv_compared_run;

typedef struct iv_comparison iv_comparison;

/*
 * values[s * topics + t]: the score of system s on topic t, NaN where it has
 * none.  IV_EARG for fewer than two systems, an infinite value, an option
 * outside its domain (a one-sided comparison wants a confidence above 1/2), Tukey's
 * correction of one-sided tests without baseline or with several baselines;
 * IV_ENODATA for a pair with fewer than two topics in common, and for Tukey's
 * correction when all systems together share fewer.
 *
 * Time: pairs x (topics + permutations) for the randomisation test of complete
 * data, x topics where scores are missing; systems x topics x permutations for
 * Tukey's correction.  *out is the caller's: iv_comparison_free().
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_compare(iv_comparison **out, const double *values,
                                    size_t systems, size_t topics,
                                    const iv_compare_options *options,
                                    const iv_work *work, iv_err *err);
IV_API IV_EXPERIMENTAL void iv_comparison_free(iv_comparison *c);

/*
 * The pairs: in the order of iv_pair_index(), or for each baseline in turn those of
 * the other systems with it, but for baselines before it, with the limits of the first test; after
 * them the same with the limits of the second, and so on.  And the tests of one pair, in the order
 * of the options.  Arrays, here and below, are borrowed from c; functions return how long they are,
 * of the pairs once.
 */
IV_API IV_EXPERIMENTAL size_t iv_comparison_pairs(const iv_compared_pair **out,
                                                  const iv_comparison *c);
IV_API IV_EXPERIMENTAL size_t iv_comparison_tests(const iv_compared_test **out,
                                                  const iv_comparison *c,
                                  size_t pair);

/* ---------------------------------------------------- groups of topics -- */
/*
 * What scores vary by: systems, items, their interaction (some systems do well on some
 * items) and repeats; and how far the order of systems would be the same on other items
 * and repeats.
 *
 * Analysis of variance of a complete table, systems x items x repeats; with no negative part
 * its estimates are those of restricted maximum likelihood.  Intervals: chi-squared for the part
 * below all, modified large-sample (Burdick and Graybill) for differences of mean squares, F for
 * the generalisability coefficient; all for normal effects.  doc/methods/variance-parts.md.
 */

typedef struct iv_variance_part {
    double variance;     /* not below 0 */
    double lower, upper;
    double share;        /* of the sum of all parts */
    double mean_square, df;
} iv_variance_part;

typedef struct iv_variance_parts {
    size_t systems, items, repeats;
    iv_variance_part system, item;
    iv_variance_part interaction; /* of one repeat: and whatever else varies */
    iv_variance_part repeat;      /* NaN of one repeat */
    /* What a repeat contributes to all items of its system together (a seed of training), which
     * the other parts do not tell apart; share is NaN; all 0 of one repeat. */
    iv_variance_part shared;
    double apart; /* what repeats vary by beyond that, item by item */
} iv_variance_parts;

/*
 * x[(s * items + i) * repeats + r], all finite.  Confidence 0: 0.95.  IV_ENODATA for fewer than two
 * systems or items; IV_EARG for a value that is not finite or a confidence outside (0, 1).
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_variance_of(iv_variance_parts *out, const double *x,
                                                        size_t systems,
                                        size_t items, size_t repeats, double confidence,
                                        iv_err *err);

/*
 * The standard error of the difference of two systems' means over so many items and repeats,
 * and the generalisability coefficient, as the parts have it.  More items do not lessen what
 * repeats share.
 */
IV_API IV_EXPERIMENTAL double iv_variance_se(const iv_variance_parts *p, double items,
                                             double repeats);

/*
 * How many topics are needed to find a difference?
 *
 * The effect size of the sign test (exact or normal) is h = 2 theta - 1, where theta is the
 * proportion of topics that a wins, among topics that do not tie.  The effect size of the
 * other tests is d, the mean difference divided by the standard deviation of the
 * differences; their power is computed by the noncentral t distribution.  Wilcoxon's test
 * needs pi / 3 times as many topics as the t test.  compare's default test, the larger
 * p-value of the t test and Hall's t test, needs at most one topic more than the t test if
 * differences are normal.  If certainty is below 1, the winner of each topic is identified
 * correctly only with that probability.
 */

typedef enum iv_planned_test {
    IV_PLAN_T,
    IV_PLAN_WILCOXON,
    IV_PLAN_SIGN,
    IV_PLAN_SIGN_NORMAL
} iv_planned_test;

/* "t", "wilcoxon", "sign", "normal", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_planned_test_names(void);

typedef enum iv_sides { IV_BOTH_SIDES, IV_ONE_SIDE } iv_sides;

/* "two", "one", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_sides_names(void);

typedef struct iv_power_options {
    iv_planned_test test;
    iv_sides sides;
    double alpha;       /* in (0, 1); 0: 0.05 */
    double certainty;   /* in (1/2, 1]; 0: 1 */
    double ties;        /* for sign tests: the proportion of topics that tie, in [0, 1) */
} iv_power_options;

typedef struct iv_power {
    double power;
    /* The test rejects from this value on: a number of wins, or Student's t; the upper one
     * of a two-sided test.  NaN for wilcoxon, and with ties. */
    double critical;
} iv_power;

/*
 * The power of a test with `topics` >= 1 topics (2 for t) at an effect >= 0.  If options is
 * NULL, here and below, the test is the two-sided t test.  IV_EARG for other topics,
 * effects or options; IV_ENOMEM.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_power_at(iv_power *out, size_t topics, double effect,
                                     const iv_power_options *options, const iv_work *work,
                                     iv_err *err);

/* The largest number of topics that is planned. */
enum { IV_PLAN_TOPICS_MAX = 1000000 };

/*
 * The smallest number of topics that reaches `power` in (alpha, 1), and in steady the
 * smallest number from which on every number reaches it: the exact power of the sign test
 * rises and falls in small steps.  steady may be NULL.  IV_ENODATA if more than about
 * IV_PLAN_TOPICS_MAX / 2 topics are needed.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_power_topics(size_t *topics, size_t *steady,
                                                         double power,
                                         double effect, const iv_power_options *options,
                                         const iv_work *work, iv_err *err);

/* ----------------------------------------------------------- from a pilot -- */
/* The effect in a pilot, and how many topics are needed to find it. */
typedef struct iv_pilot_topics {
    size_t pilot;                 /* number of topics of the pilot */
    double ties;                  /* proportion of them that tie */
    bool a_better;                /* false: b is better, and effects are those of b */
    double effect, lower, upper;  /* the effect and its interval */
    /*
     * Numbers of topics needed for these three effects; SIZE_MAX if no number is enough,
     * for example if the interval contains 0.
     */
    size_t topics, fewest, most;
} iv_pilot_topics;

IV_END_C

#endif /* INTERVALE_STAT_H */
