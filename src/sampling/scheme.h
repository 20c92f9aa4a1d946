/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling schemes: inclusion probabilities, joint ones, and the variance of a total. */
#ifndef IV_SAMPLING_SCHEME_H
#define IV_SAMPLING_SCHEME_H

#include "intervale/num.h"
#include "intervale/sampling.h"

/*
 * Drawing documents with known probabilities: the prior of average precision,
 * Stevens' scheme and stratified sampling, probabilities of inclusion and of
 * joint inclusion, the variance of a total.
 *
 * Ref: Aslam and Pavlu (2008), A practical sampling strategy for efficient
 * retrieval evaluation; Stevens (1958), Sampling without replacement with
 * probability proportional to size, JRSS B 20.
 *
 * Corrected against the paper: the last bucket may be short, and then neither
 * its share nor draws times share over size is the probability of its
 * documents; see doc/methods/sampling.md.
 */

/* The prior of average precision at rank r of a list of z documents,
 * w[r - 1] = (1 + 1/r + 1/(r+1) + ... + 1/z) / (2 z); they sum to 1. */
void iv_ap_priors(double *w, size_t z);

/*
 * Variance of one draw with replacement, value[i] / p[i] with probability
 * p[i] > 0: sum value^2 / p - (sum value)^2.  The mean of m draws has this
 * over m.
 */
double iv_draw_variance(const double *value, const double *p, size_t n);

/* Documents of a frame that are drawn alike: a bucket or a stratum. */
typedef struct iv_bucket {
    size_t size;   /* documents in it */
    double share;  /* Stevens: probability that a draw picks it; else 0 */
    size_t drawn;  /* strata: documents drawn from it; Stevens: 0 */
    double pi;     /* probability that a document of it is in the sample */
    double within; /* that two of its documents are; 0 if it has but one */
} iv_bucket;

/*
 * Stevens' scheme: `draws` draws with replacement over buckets of `sizes`
 * documents, picked with probabilities in proportion to `weights` (> 0); a
 * bucket drawn k times gives k of its documents, equally likely, or all it
 * has.  Every bucket but the last has at least `draws` documents: IV_EARG if
 * not.  Exact, whatever the last one has.
 */
IV_MUST_CHECK int iv_scheme_stevens(iv_scheme **out, const size_t *sizes,
                                           const double *weights, size_t buckets,
                                           size_t draws, iv_err *err);

/*
 * The same from the documents' weights (> 0, none above the one before it):
 * buckets of `draws` documents, the last perhaps shorter.
 */
IV_MUST_CHECK int iv_scheme_stevens_of(iv_scheme **out, const double *weights,
                                              size_t documents, size_t draws,
                                              iv_err *err);

/*
 * Strata: drawn[h] of sizes[h] documents, every subset equally likely, each
 * stratum by itself; 1 <= drawn <= size.  One stratum is a uniform sample.
 */
IV_MUST_CHECK int iv_scheme_strata(iv_scheme **out, const size_t *sizes,
                                          const size_t *drawn, size_t strata,
                                          iv_err *err);

/* Documents drawn independently of each other: no buckets. */
IV_MUST_CHECK int iv_scheme_independent(iv_scheme **out, iv_err *err);

/* Schemes are the caller's to free. */
void iv_scheme_free(iv_scheme *s);

/*
 * Probability that two different documents, one of bucket a and one of bucket
 * b (perhaps the same), are both in the sample.
 */
double iv_scheme_joint(const iv_scheme *s, size_t a, size_t b);

/*
 * Draws once: taken[i] is how many documents bucket i gives, at most its size.
 */
void iv_scheme_draw(size_t *taken, const iv_scheme *s, iv_stream *stream);

/*
 * Estimated variance of the total sum u[i] / pi[i] over the sample of `count` documents with
 * probabilities in (0, 1] and buckets (or IV_FIXED; not looked at if draws are independent;
 * Horvitz and Thompson's form): the sum over pairs of
 * (1 - pi_i pi_j / pi_ij) u_i u_j / (pi_i pi_j), pi_ii = pi_i.  Unbiased for
 * fixed u; may be negative.  Where u is 0, pi does not matter.  sums: room for
 * a double a bucket.  Linear in the number of documents and buckets.
 */
double iv_scheme_variance(const iv_scheme *s, const double *u, const double *pi,
                          const uint32_t *bucket, size_t count, double *sums);

/*
 * The true variance of that total over all samples, when u is known for every
 * document of the frame; weight[i] (NULL: all 1) counts a document that often,
 * as when u is known of a sample of them only.
 */
double iv_scheme_true_variance(const iv_scheme *s, const double *u,
                                      const double *weight, const uint32_t *bucket,
                                      size_t count, double *sums);

/* What a scheme keeps. */
typedef enum iv_scheme_kind {
    IV_SCHEME_INDEPENDENT,
    IV_SCHEME_STEVENS,
    IV_SCHEME_STRATA
} iv_scheme_kind;

struct iv_scheme {
    iv_scheme_kind kind;
    size_t buckets;    /* or strata; of independent draws none */
    size_t draws;      /* of Stevens' scheme; documents drawn in all otherwise */
    iv_bucket *bucket;
    bool short_last;   /* the last bucket has fewer documents than draws */
    double last_ratio; /* joint probability of a document of the short bucket
                          and one of a full bucket, over both probabilities */
};

/*
 * Of the `of` documents drawn from a bucket only `kept` are used, any of them
 * equally likely: its probabilities shrink.
 */
void iv_scheme_thin(iv_scheme *s, size_t bucket, size_t kept, size_t of);

#endif
