/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the answer to eval share. */
#ifndef IV_RETRIEVAL_EVAL_H
#define IV_RETRIEVAL_EVAL_H

#include "base/listing.h"
#include "intervale/retrieval.h"

typedef struct iv_eval {
    const iv_eval_question *asked;
    const iv_evaluation *evaluation;
    const iv_evaluated *v;
    size_t *order; /* of the runs in tables: by the first measure that has a mean */
    iv_result *out;
} iv_eval;

/* A value in the tables of eval: of a topic, or over topics. */
typedef struct iv_eval_line {
    const char *run, *measure, *canonical, *reason, *method;
    iv_str topic;
    size_t topics, missing, relevant;
    double value, se, lower, upper, se_judgments, se_topics, outside;
    iv_limits bounds;
    iv_interval ties;
    iv_interval_gap gap;
    iv_interval_method by;
} iv_eval_line;

/* When a column is there, or shown to people. */
enum {
    IV_EVAL_ONE_RUN = 1 << 0,
    IV_EVAL_MANY_RUNS = 1 << 1,
    IV_EVAL_TOPICS = 1 << 2,    /* each topic has a row */
    IV_EVAL_UNEVEN = 1 << 3,    /* runs differ in their number of topics */
    IV_EVAL_ERRORS = 1 << 4,    /* the standard error is worth its room */
    IV_EVAL_INTERVALS = 1 << 5,
    IV_EVAL_LACKING = 1 << 6,   /* some run misses a topic */
    IV_EVAL_BOUNDS = 1 << 7,
    IV_EVAL_TIES = 1 << 8,
    IV_EVAL_SAMPLED = 1 << 9,
    IV_EVAL_OUTSIDE = 1 << 10, /* some of a run is outside of the sampled frame */
    IV_EVAL_JUDGED = 1 << 11, IV_EVAL_SCORES = 1 << 12 /* of judgments, or scores of any kind */
};

/* The table measures, of runs or of systems and their items. */
extern const iv_field iv_eval_measure_fields[];

static inline const iv_mean *iv_eval_mean(const iv_eval *e, size_t run, size_t measure)
{
    return &e->v->means[run * e->v->measure_count + measure];
}

/* Does a measure show in tables, for each topic? */
static inline bool iv_eval_by_topic(const iv_eval *e, size_t measure)
{
    return !e->v->measures[measure].text && e->v->measures[measure].per_topic;
}

/* Is it a number of topics or documents, known and not estimated? */
static inline bool iv_eval_counts(const iv_eval *e, size_t measure)
{
    return e->v->measures[measure].count && e->v->sampling == NULL
        && e->asked->how.standards == NULL;
}

/* The first measure with a mean, a score rather than a number of documents or topics: it
 * decides the order, and is the answer; IV_NONE: there is none. */
size_t iv_eval_deciding(const iv_eval *e, size_t run);

/* Is none of a run's documents judged, of complete judgments? */
bool iv_eval_unmatched(const iv_eval *e, size_t run);

/* What else a reader must know. */
void iv_eval_notes(const iv_eval *e);

/* Names the method of an interval over topics or other items, and what it is used for unless
 * `only` is "". */
void iv_eval_use_interval(iv_result *out, iv_interval_method method, const char *items,
                          const char *only);

/* Names the methods of all intervals, the most frequent first, others with their measures.
 * Returns whether there is an interval. */
bool iv_eval_use_intervals(const iv_eval *e);

/* Says where there is no interval, and why. */
void iv_eval_say_gap(iv_result *out, iv_interval_gap gap, iv_listing *where);

/* Intervals whose coverage is known to be low. */
/* What a warning of few items names instead. */
#define IV_EVAL_INSTEAD ". Limits of --guaranteed are valid for any values"

typedef struct iv_eval_doubts {
    size_t few;    /* the fewest values; 0: they are not few */
    size_t few_items; /* the same of Studentised logit bootstraps */
    double skewed; /* the largest skewness of a t interval; 0: none */
    size_t skewed_values;
    double dropped; /* the largest share of resamples without a logit; 0: none */
    double equal;   /* the same of resamples of equal values, which have no Student's t */
    double scaled;  /* every score is 0 or this; 0: they are not */
} iv_eval_doubts;

/* Adds an interval, which took so many resamples; then warns, of values of "topics" or "items". */
void iv_eval_doubt(iv_eval_doubts *which, const iv_mean_interval *x, size_t resamples);
void iv_eval_tell_doubts(iv_result *out, const iv_eval_doubts *which, const char *items,
                         const char *instead);

/* Notes that the highest of several means, of this confidence, is selected. */
void iv_eval_tell_selected(iv_result *out, size_t systems, double confidence);

/* Warns that means are over different items: the means of two systems over the common items. */
void iv_eval_tell_common(iv_result *out, size_t items, const char *first, double of_first,
                         const char *second, double of_second);
/* The same of sampled judgments. */
void iv_eval_sampled_sentence(const iv_eval *e);

void iv_eval_sampled_method(const iv_eval *e);

/* The answer of eval for judgments and runs. */
IV_MUST_CHECK int iv_eval_runs(iv_result *out, const iv_eval_question *q, const iv_work *work,
                               iv_err *err);

#endif
