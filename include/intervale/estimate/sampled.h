/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates from sampled judgments: what a measure would be if all documents
 * of the frame were judged, with a standard error and an interval for every
 * topic, or the reason why there is none, and over topics.
 *
 *   from probabilities of inclusion, with uncertainty: AP (also to a cut-off),
 *   P, recall, R-precision, nDCG, num_rel, num_rel_ret, num_ret;
 *   as TREC defines them, as plain numbers: infAP (trec_eval's for one uniform
 *   sample, sample_eval's for strata), xinfAP, infNDCG, iP_k, inum_rel,
 *   inum_rel_ret, which need the documents of the frame.
 *
 * A topic of which every document was judged for certain has the value of the
 * complete measure, to the last digit, and standard error 0.
 *
 * doc/methods/sampling.md has the formulas and says when they hold.
 */
#ifndef INTERVALE_ESTIMATE_SAMPLED_H
#define INTERVALE_ESTIMATE_SAMPLED_H

#include "intervale/design/sampling.h"
#include "intervale/measure.h"
#include "intervale/stat/interval.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ measures -- */

/* How average precision is estimated. */
typedef enum iv_estimator {
    IV_ESTIMATOR_CORRECTED, /* own term 1 in the precision at a document */
    IV_ESTIMATOR_PAIRWISE,  /* pairs weighted by their joint probability */
    IV_ESTIMATOR_LITERAL    /* as printed in 2008: biased upwards */
} iv_estimator;

/* Their names in that order, ending with NULL. */
IV_API const char *const *iv_estimator_names(void);

typedef enum iv_sampled_kind {
    IV_SAMPLED_AP, IV_SAMPLED_P, IV_SAMPLED_RECALL, IV_SAMPLED_RPREC, IV_SAMPLED_NDCG,
    IV_SAMPLED_NUM_REL, IV_SAMPLED_NUM_REL_RET, IV_SAMPLED_NUM_RET,
    IV_SAMPLED_INFAP, IV_SAMPLED_XINFAP, IV_SAMPLED_INFNDCG, IV_SAMPLED_IP,
    IV_SAMPLED_INUM_REL, IV_SAMPLED_INUM_REL_RET
} iv_sampled_kind;

/* One number of a topic. */
typedef struct iv_sampled_value {
    const char *name;  /* as asked for, in trec_eval's or ir_measures' way */
    iv_sampled_kind kind;
    size_t cutoff;     /* 0: none */
    int32_t level;     /* the lowest relevant grade */
    bool count;        /* a number of documents: summed over topics */
    bool inferred;     /* TREC's estimate, without uncertainty for a topic */
    size_t asked;      /* its place among the complete measures; IV_NONE: none */
} iv_sampled_value;

typedef struct iv_sampled_measures iv_sampled_measures;

/*
 * Parses names as iv_measures_parse() does, and those of TREC's estimates.
 * IV_EARG also for a measure that cannot be estimated from a sample.
 */
IV_API IV_MUST_CHECK int iv_sampled_measures_parse(iv_sampled_measures **out,
                                                   const char *const *names, size_t count,
                                                   const iv_measure_options *options,
                                                   iv_err *err);
IV_API void iv_sampled_measures_free(iv_sampled_measures *m);

/* How many values a topic has, and the i-th; borrowed from m. */
IV_API size_t iv_sampled_measures_count(const iv_sampled_measures *m);
IV_API const iv_sampled_value *iv_sampled_measures_value(const iv_sampled_measures *m,
                                                         size_t i);

/* ----------------------------------------------------------- one topic -- */

/* Why there is no interval for a topic. */
typedef enum iv_sampled_gap {
    IV_SAMPLED_INTERVAL,    /* there is one */
    IV_SAMPLED_NO_RELEVANT, /* the sample has no relevant document */
    IV_SAMPLED_FEW,         /* fewer than two of those drawn are relevant */
    IV_SAMPLED_ZERO,        /* the estimate is 0: nothing relevant that was
                               drawn is in the ranking */
    IV_SAMPLED_RANGE,       /* the estimate is 1 or more */
    IV_SAMPLED_NO_SPREAD,   /* the estimated variance is not positive */
    IV_SAMPLED_INFERRED     /* TREC's estimate has no known variance */
} iv_sampled_gap;

/* The same as words, static; empty when there is an interval. */
IV_API const char *iv_sampled_gap_text(iv_sampled_gap gap);

typedef struct iv_estimate {
    double value;
    double variance;     /* of the sampling, at least 0; NaN: not known */
    double lower, upper; /* NaN: see gap */
    iv_sampled_gap gap;
    size_t relevant;     /* relevant documents drawn that it rests on */
    double effective;    /* how many of equal weight would vary as much */
    bool exact;          /* nothing it depends on was left to chance */
} iv_estimate;

/*
 * The interval: Student's t on the logit scale for a share, on the logarithm
 * for a count (which is at least `least`); degrees of freedom are the mean of
 * `relevant` and `effective`, less 1.  Fills lower, upper and gap from the
 * other fields.
 */
IV_API void iv_estimate_interval(iv_estimate *e, bool count, double least,
                                 double confidence);

/* --------------------------------------------------------------- a run -- */

typedef struct iv_sampled_options {
    iv_estimator estimator;
    iv_precision precision; /* of the run's scores */
    bool complete;          /* topics that the run misses count, as empty */
    bool keep;              /* what differences need */
    double confidence;      /* in (0, 1) */
    int threads;            /* 0: all */
    iv_progress progress;   /* of many runs */
} iv_sampled_options;

/* One run's estimates; immutable. */
typedef struct iv_sampled iv_sampled;

/*
 * Estimates every measure for every topic that the run and the judgments
 * share.  The sampling and the measures must outlive *out, the run need not.
 * IV_ENODATA when there is no such topic, IV_EARG for a measure that needs
 * what the judgments do not tell.
 */
IV_API IV_MUST_CHECK int iv_sampled_run(iv_sampled **out, const iv_run *run,
                                        const iv_sampling *sampling,
                                        const iv_sampled_measures *measures,
                                        const iv_sampled_options *options, iv_err *err);

/* Reads and estimates many runs; as iv_score_files(). */
IV_API IV_MUST_CHECK int iv_sampled_files(iv_sampled **out, const char *const *paths,
                                          size_t count, iv_run_format format,
                                          const iv_sampling *sampling,
                                          const iv_sampled_measures *measures,
                                          const iv_sampled_options *options, iv_err *err);
IV_API void iv_sampled_free(iv_sampled *s);

/* The run's tag (terminated; empty: none), borrowed, and the size of its file. */
IV_API iv_str iv_sampled_tag(const iv_sampled *s);
IV_API uint64_t iv_sampled_bytes(const iv_sampled *s);

/* What in the run's file a reader should hear of. */
IV_API iv_run_oddities iv_sampled_odd(const iv_sampled *s);

/*
 * Topics with estimates, in byte order; their ids and estimates, as many as
 * iv_sampled_measures_count(), borrowed; was the topic missing from the run (and
 * is here because of options.complete)?
 */
IV_API size_t iv_sampled_topics(const iv_sampled *s);
IV_API iv_str iv_sampled_topic(const iv_sampled *s, size_t topic);
IV_API const iv_estimate *iv_sampled_row(const iv_sampled *s, size_t topic);
IV_API bool iv_sampled_was_missing(const iv_sampled *s, size_t topic);

/* Judged topics that the run misses, whether they count or not. */
IV_API size_t iv_sampled_missing(const iv_sampled *s);
IV_API iv_str iv_sampled_missing_topic(const iv_sampled *s, size_t i);

/* Topics of the run that nobody judged. */
IV_API size_t iv_sampled_not_judged(const iv_sampled *s);

/* -------------------------------------------------------- over topics -- */

/*
 * A mean over topics.  The spread of the estimates over topics contains the
 * noise of the sampling already: se^2 = se_judgments^2 + se_topics^2, never
 * more.  A sum (of counts) has no topic part.  NaN: there is none.
 */
typedef struct iv_sampled_mean {
    size_t topics;
    double value;
    double se;           /* in all: s / sqrt(topics) */
    double se_judgments; /* what judging everything would remove */
    double se_topics;    /* what it would not */
    double lower, upper; /* for the mean over other topics of the kind */
    iv_interval_method method; /* in use */
    iv_interval_gap gap;
    size_t without;      /* topics whose sampling noise is not known */
} iv_sampled_mean;

/*
 * Summarises `count` runs estimated with the same measures, out[r * V + i] for
 * the i-th of V values.  method IV_INTERVAL_LOGIT falls back to t where values
 * leave [0, 1].
 */
IV_API IV_MUST_CHECK int iv_sampled_means(iv_sampled_mean *out,
                                          const iv_sampled *const *runs, size_t count,
                                          const iv_sampled_measures *measures,
                                          iv_interval_method method,
                                          const iv_resampling *resampling, iv_err *err);

/* ------------------------------------------------------- differences -- */

/*
 * a - b of the i-th value, topic by topic: the two are estimated from one
 * sample, so their errors are linearised together.  Both runs must have been
 * estimated from one sampling with options.keep: IV_EARG if not.  Topics that
 * both have, at most iv_judgments_topics(); topic[k] is the index of the k-th
 * in the judgments.  difference and variance (NaN: not known) have room for
 * that many.  *count of them are filled.
 */
IV_API IV_MUST_CHECK int iv_sampled_difference(double *difference, double *variance,
                                               size_t *topic, size_t *count,
                                               const iv_sampled *a, const iv_sampled *b,
                                               size_t i, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ESTIMATE_SAMPLED_H */
