/* SPDX-License-Identifier: Apache-2.0 */
/*
 * estimate -- from judgments and runs to values and how sure they are.
 *
 * A program reads the judgments once, parses the measures once, scores runs
 * (iv_scores: values topic by topic, and what was missing), and summarises many
 * of them together (iv_mean: value, standard error, interval).  Runs are
 * scored in parallel: many of them one a thread, few of them topic by topic;
 * the results do not depend on it.
 *
 * Topics of a run that nobody judged are left out, as trec_eval does, and
 * counted; judged topics that a run misses are left out and named, or count as
 * an empty ranking where options.complete is set (trec_eval's -c).
 */
#ifndef INTERVALE_ESTIMATE_H
#define INTERVALE_ESTIMATE_H

#include "intervale/estimate/sampled.h"
#include "intervale/estimate/incomplete_runs.h"
#include "intervale/estimate/review.h"
#include "intervale/estimate/prf_evaluation.h"
#include "intervale/measure.h"
#include "intervale/stat/interval.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------- scores of a run -- */

typedef struct iv_scoring {
    iv_precision precision; /* of the runs' scores */
    bool complete;          /* topics that the run misses count, as empty */
    bool texts;             /* keep what text measures say of each topic */
    bool bounds;            /* over what unjudged documents could be */
    bool ties;              /* over the orders of documents of equal score */
    int threads;            /* 0: all */
    iv_progress progress;   /* of many runs */
} iv_scoring;

/* One run's values; immutable. */
typedef struct iv_scores iv_scores;

/*
 * Scores a run.  The judgments and measures must outlive *out, the run need
 * not.  IV_ENODATA when the run shares no topic with the judgments, or a
 * measure needs what they do not have; IV_EARG for judgments that are a sample
 * (prels, stratified) in which something was left to chance: what they lack is
 * not irrelevant.
 *
 * Linear in documents and judgments, but for bounds of nDCG and ties of ERR.
 * *out is the caller's: iv_scores_free().
 */
IV_API IV_MUST_CHECK int iv_score_run(iv_scores **out, const iv_run *run,
                                      const iv_judgments *judgments,
                                      const iv_measures *measures,
                                      const iv_scoring *options, iv_err *err);

/*
 * Reads and scores `count` runs into out[0 ... count - 1]; each is freed as
 * soon as it is scored, so that no more are in memory than threads.  On
 * failure, the first bad file's in the order given, out is untouched.
 */
IV_API IV_MUST_CHECK int iv_score_files(iv_scores **out, const char *const *paths,
                                        size_t count, iv_run_format format,
                                        const iv_judgments *judgments,
                                        const iv_measures *measures,
                                        const iv_scoring *options, iv_err *err);

/* Frees the scores and what was borrowed from them. */
IV_API void iv_scores_free(iv_scores *s);

/* The run's tag (empty: none), borrowed, and the size of its file. */
IV_API iv_str iv_scores_tag(const iv_scores *s);
IV_API uint64_t iv_scores_bytes(const iv_scores *s);

/*
 * Topics with a row of values, in byte order of their ids; the id; the values,
 * as many as iv_measures_count(); was the topic missing from the run (and is
 * here because of options.complete)?
 */
IV_API size_t iv_scores_topics(const iv_scores *s);
IV_API iv_str iv_scores_topic(const iv_scores *s, size_t topic);
IV_API const double *iv_scores_row(const iv_scores *s, size_t topic);
IV_API bool iv_scores_was_missing(const iv_scores *s, size_t topic);

/* What the i-th value says of a topic if it is a text and kept, else NULL. */
IV_API const char *iv_scores_text(const iv_scores *s, size_t topic, size_t i);

/* All rows, one after the other, borrowed; and one value each over them, out has
 * room for iv_measures_count(). */
IV_API const double *iv_scores_rows(const iv_scores *s);
IV_API void iv_scores_summary(double *out, const iv_scores *s);

/* Judged topics that the run misses, whether they count or not: how many, and
 * their ids, borrowed, in byte order. */
IV_API size_t iv_scores_missing(const iv_scores *s);
IV_API iv_str iv_scores_missing_topic(const iv_scores *s, size_t i);

/* What else a reader must know of a run. */
typedef struct iv_scores_notes {
    size_t not_judged;   /* topics of the run without judgments */
    size_t float_ties;   /* neighbours equal as float and not as double */
    size_t ties;         /* documents that share their score with another */
    size_t top_retrieved, top_unjudged; /* of the first 10 of each topic */
    size_t retrieved, unjudged;         /* of all documents looked at */
    iv_run_oddities odd;                /* of the run's file */
} iv_scores_notes;

IV_API iv_scores_notes iv_scores_noted(const iv_scores *s);

/* ---------------------------------------------------- bounds and ties -- */

/*
 * Lowest and highest value over all ways in which the retrieved documents that
 * were not judged could turn out: every grade from 0 to the judgments' largest
 * (the grades that occur, if that is above 255).  Exact.  For AP, P, R-precision,
 * nDCG, RR, RBP and ERR with their cut-offs and levels.
 */
typedef struct iv_bounds {
    double lower, upper; /* NaN: not computed, or not for this measure */
} iv_bounds;

/*
 * Lowest, expected and highest value over all orders of the documents that
 * share a score.  Exact.  For the same measures, recall and success.
 */
typedef struct iv_ties {
    double lower, expected, upper; /* NaN as above */
} iv_ties;

/* Is there such a thing for the i-th value?  largest_grade as in measure.h. */
IV_API bool iv_has_bounds(const iv_measures *m, size_t i, int32_t largest_grade);
IV_API bool iv_has_ties(const iv_measures *m, size_t i, int32_t largest_grade);

/* Those of a topic, where options.bounds and options.ties asked for them. */
IV_API iv_bounds iv_scores_bounds(const iv_scores *s, size_t topic, size_t i);
IV_API iv_ties iv_scores_ties(const iv_scores *s, size_t topic, size_t i);

/* ----------------------------------------------------------- over topics -- */

typedef struct iv_mean_options {
    /*
     * By the measure: logit for means of values in [0, 1], t for others.
     * Otherwise `method`, but t for what logit cannot do.
     */
    bool by_measure;
    iv_interval_method method;
    iv_resampling resampling;
} iv_mean_options;

/* One measure of one run over its topics; NaN stands for what there is not. */
typedef struct iv_mean {
    size_t topics;
    double value;
    /*
     * s / sqrt(topics); of a geometric mean its own, value times that of the
     * logarithms.  None for a sum.
     */
    double se, lower, upper;
    iv_interval_method method; /* in use */
    bool replaced;             /* it is not the one asked for */
    iv_interval_gap gap;       /* why there is no interval */
    bool constant;             /* all topics have the same value */
    size_t dropped;            /* resamples left out by logit */
    iv_bounds bounds;          /* mean of the topics' */
    iv_ties ties;
} iv_mean;

/*
 * Summarises `count` runs scored with the same measures: out[r * V + i] is the
 * i-th of V values of run r.  Runs with the same number of topics are
 * resampled with the same draws.  IV_EARG for options outside their domain, as
 * iv_mean_intervals().  Time runs x values x topics x resamples.
 */
IV_API IV_MUST_CHECK int iv_means(iv_mean *out, const iv_scores *const *runs,
                                  size_t count, const iv_measures *measures,
                                  const iv_mean_options *options, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ESTIMATE_H */
