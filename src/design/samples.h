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
#ifndef IV_DESIGN_SAMPLES_H
#define IV_DESIGN_SAMPLES_H

#include "intervale/design.h"
#include "intervale/num.h"

/* ---------------------------------------------------------- the prior -- */

/* The prior of average precision at rank r of a list of z documents,
 * w[r - 1] = (1 + 1/r + 1/(r+1) + ... + 1/z) / (2 z); they sum to 1. */
void iv_ap_priors(double *w, size_t z);

/*
 * Variance of one draw with replacement, value[i] / p[i] with probability
 * p[i] > 0: sum value^2 / p - (sum value)^2.  The mean of m draws has this
 * over m.
 */
double iv_draw_variance(const double *value, const double *p, size_t n);

/* ------------------------------------------------------------- schemes -- */

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

/* ------------------------------------------------------- their variance -- */

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

/* -------------------------------------------------------------- frames -- */

/* The topics in byte order, and the documents of one, highest weight first. */
size_t iv_frame_find_topic(const iv_frame *f, iv_str id); /* or IV_NONE */
size_t iv_frame_documents(const iv_frame_document **out, const iv_frame *f,
                                 size_t topic);

/* ------------------------------------------------- judgments as a sample -- */

typedef enum iv_sampling_source {
    IV_SAMPLING_NONE,     /* qrels: nothing was sampled */
    IV_SAMPLING_WRITTEN,  /* the file's comment lines have the design */
    IV_SAMPLING_STRATA,   /* stratified judgments */
    IV_SAMPLING_INCLUSION /* probabilities only */
} iv_sampling_source;

/* A document that could be drawn, and where the runs have it. */
typedef struct iv_framed_document {
    uint32_t bucket;
    int32_t grade;       /* below 0: it is not in the sample */
    uint32_t best, runs; /* best rank, runs that return it; 0: not known */
} iv_framed_document;

/* One topic, its arrays in the order of its judgments in the file. */
typedef struct iv_sampling_topic {
    const iv_judgment *judgments;
    const double *pi;        /* 0: not in the sample */
    const int32_t *grade;    /* of those in the sample, at least 0 */
    const uint32_t *bucket;  /* or IV_FIXED */
    size_t count;
    const iv_scheme *scheme; /* never NULL */
    size_t drawn;            /* documents in the sample with pi < 1 */
    bool certain;            /* none: everything was judged for certain */
    bool frame_known;        /* documents of the frame outside the sample are
                                listed: iv_sampling_rest() */
    const iv_framed_document *absent; /* buckets (or IV_FIXED) of documents of the sample
                                whose lines are gone and that count as not
                                relevant: iv_sampling_absent() */
    size_t absent_count;
    const size_t *moved;     /* of each bucket: documents of it that are certain for another
                                reason and have IV_FIXED; NULL: none */
} iv_sampling_topic;

/* What a reader must know of the whole. */
typedef struct iv_sampling_notes {
    size_t unjudged;       /* documents of the sample without a grade */
    size_t added;          /* judgments with probability 1 of documents that were not drawn */
    size_t certain;        /* and of documents that were */
    size_t chosen;         /* judgments chosen in the light of others: no part of the sample */
    size_t missing_topics; /* topics of the design without any judgment */
    size_t empty_strata;   /* strata without a judged document, left out */
    size_t depth;          /* ranks of each run that entered the frame; 0: not known */
    char design[32];       /* its name, if the file says it */
} iv_sampling_notes;

/*
 * Looks at judgments, which must outlive *out; name stands in messages.
 * IV_EPARSE, with the line, for a document of the sample without a grade
 * (unless `unjudged` says what to do), a probability that is neither the design's nor 1,
 * a document with a probability below 1 that the design did not draw, comment
 * lines that contradict each other.
 */
IV_MUST_CHECK int iv_sampling_new(iv_sampling **out, const iv_judgments *j,
                                         const char *name, iv_unjudged unjudged,
                                         iv_err *err);
void iv_sampling_free(iv_sampling *s);

/* A topic of the judgments, by its index there; its arrays are borrowed. */
iv_sampling_topic iv_sampling_topic_at(const iv_sampling *s, size_t topic);

/*
 * The bucket of a document of the frame that is not in the sample (it was not
 * drawn, or is dropped) and has no judgment line; IV_FIXED if there is no such
 * document.
 */
uint32_t iv_sampling_rest(const iv_sampling *s, size_t topic, iv_str docno);

/*
 * The documents that could be drawn, in the sample or not: how many, 0 if the file does
 * not tell; the place of one among them, IV_NONE if it is none.  Borrowed.
 */
size_t iv_sampling_frame(const iv_framed_document **out, const iv_sampling *s,
                                size_t topic);
size_t iv_sampling_frame_find(const iv_sampling *s, size_t topic, iv_str docno);

/* The place in the topic's `absent` of a document of the sample without a
 * line; SIZE_MAX if it is not one. */
size_t iv_sampling_absent(const iv_sampling *s, size_t topic, iv_str docno);

#endif /* IV_DESIGN_SAMPLES_H */
