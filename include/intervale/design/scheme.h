/* SPDX-License-Identifier: Apache-2.0 */
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
#ifndef INTERVALE_DESIGN_SCHEME_H
#define INTERVALE_DESIGN_SCHEME_H

#include "intervale/base.h"
#include "intervale/num.h"

IV_BEGIN_C

/* ---------------------------------------------------------- the prior -- */

/*
 * The prior of average precision at rank r of a list of z documents,
 * (1 + 1/r + 1/(r+1) + ... + 1/z) / (2 z); NaN unless 1 <= r <= z.
 * iv_ap_priors() fills w[r - 1] for all ranks in one pass; they sum to 1.
 */
IV_API double iv_ap_prior(size_t z, size_t r);
IV_API void iv_ap_priors(double *w, size_t z);

/*
 * Variance of one draw with replacement, value[i] / p[i] with probability
 * p[i] > 0: sum value^2 / p - (sum value)^2.  The mean of m draws has this
 * over m.
 */
IV_API double iv_draw_variance(const double *value, const double *p, size_t n);

/* ------------------------------------------------------------- schemes -- */

/* Documents of a frame that are drawn alike: a bucket or a stratum. */
typedef struct iv_bucket {
    size_t size;   /* documents in it */
    double share;  /* Stevens: probability that a draw picks it; else 0 */
    size_t drawn;  /* strata: documents drawn from it; Stevens: 0 */
    double pi;     /* probability that a document of it is in the sample */
    double within; /* that two of its documents are; 0 if it has but one */
} iv_bucket;

/* How the documents of one topic were drawn; immutable. */
typedef struct iv_scheme iv_scheme;

/* A document that is judged whatever is drawn. */
#define IV_FIXED UINT32_MAX

/*
 * Stevens' scheme: `draws` draws with replacement over buckets of `sizes`
 * documents, picked with probabilities in proportion to `weights` (> 0); a
 * bucket drawn k times gives k of its documents, equally likely, or all it
 * has.  Every bucket but the last has at least `draws` documents: IV_EARG if
 * not.  Exact, whatever the last one has.
 */
IV_API IV_MUST_CHECK int iv_scheme_stevens(iv_scheme **out, const size_t *sizes,
                                           const double *weights, size_t buckets,
                                           size_t draws, iv_err *err);

/*
 * The same from the documents' weights (> 0, none above the one before it):
 * buckets of `draws` documents, the last perhaps shorter.
 */
IV_API IV_MUST_CHECK int iv_scheme_stevens_of(iv_scheme **out, const double *weights,
                                              size_t documents, size_t draws,
                                              iv_err *err);

/*
 * Strata: drawn[h] of sizes[h] documents, every subset equally likely, each
 * stratum by itself; 1 <= drawn <= size.  One stratum is a uniform sample.
 */
IV_API IV_MUST_CHECK int iv_scheme_strata(iv_scheme **out, const size_t *sizes,
                                          const size_t *drawn, size_t strata,
                                          iv_err *err);

/* Documents drawn independently of each other: no buckets. */
IV_API IV_MUST_CHECK int iv_scheme_independent(iv_scheme **out, iv_err *err);

/* Schemes are the caller's to free. */
IV_API void iv_scheme_free(iv_scheme *s);

/* How many buckets or strata there are (of independent draws none), and the
 * i-th, borrowed. */
IV_API size_t iv_scheme_buckets(const iv_scheme *s);
IV_API const iv_bucket *iv_scheme_bucket(const iv_scheme *s, size_t i);

/* Draws of Stevens' scheme; documents drawn in all otherwise. */
IV_API size_t iv_scheme_draws(const iv_scheme *s);

/* Is it the scheme of independent draws? */
IV_API bool iv_scheme_is_independent(const iv_scheme *s);

/*
 * Probability that two different documents, one of bucket a and one of bucket
 * b (perhaps the same), are both in the sample.
 */
IV_API double iv_scheme_joint(const iv_scheme *s, size_t a, size_t b);

/*
 * Draws once: taken[i] is how many documents bucket i gives, at most its size.
 */
IV_API void iv_scheme_draw(size_t *taken, const iv_scheme *s, iv_stream *stream);

/* ------------------------------------------------------- their variance -- */

/* Documents of a sample, as a variance wants them. */
typedef struct iv_drawn_set {
    const double *pi;       /* probability of inclusion, in (0, 1] */
    const uint32_t *bucket; /* or IV_FIXED; not looked at if draws are independent */
    size_t count;
} iv_drawn_set;

/*
 * Estimated variance of the total sum u[i] / pi[i] over the sample (Horvitz
 * and Thompson's form): the sum over pairs of
 * (1 - pi_i pi_j / pi_ij) u_i u_j / (pi_i pi_j), pi_ii = pi_i.  Unbiased for
 * fixed u; may be negative.  Where u is 0, pi does not matter.  sums: room for
 * iv_scheme_buckets() doubles.  Linear in the number of documents and buckets.
 */
IV_API double iv_scheme_variance(const iv_scheme *s, const double *u,
                                 const iv_drawn_set *sample, double *sums);

/*
 * The true variance of that total over all samples, when u is known for every
 * document of the frame; weight[i] (NULL: all 1) counts a document that often,
 * as when u is known of a sample of them only.
 */
IV_API double iv_scheme_true_variance(const iv_scheme *s, const double *u,
                                      const double *weight, const uint32_t *bucket,
                                      size_t count, double *sums);

IV_END_C

#endif /* INTERVALE_DESIGN_SCHEME_H */
