/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of eval: which methods made its intervals, and what a reader must know of them. */
#ifndef IV_RETRIEVAL_EVAL_MESSAGES_H
#define IV_RETRIEVAL_EVAL_MESSAGES_H

#include "base/listing.h"
#include "retrieval/eval_state.h"

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

/* What a warning of few items names instead. */
#define IV_EVAL_INSTEAD ". Limits of --guaranteed are valid for any values"

/* Intervals whose coverage is known to be low. */
typedef struct iv_eval_warnings {
    size_t few;    /* the fewest values; 0: they are not few */
    size_t few_items; /* the same of Studentised logit bootstraps */
    double skewed; /* the largest skewness of a t interval; 0: none */
    size_t skewed_values;
    double dropped; /* the largest share of resamples without a logit; 0: none */
    double equal;   /* the same of resamples of equal values, which have no Student's t */
    double scaled;  /* every score is 0 or this; 0: they are not */
} iv_eval_warnings;

/* Adds an interval, which took so many resamples; then warns, of values of "topics" or "items". */
void iv_eval_warning_of(iv_eval_warnings *which, const iv_mean_interval *x, size_t resamples);
void iv_eval_tell_warnings(iv_result *out, const iv_eval_warnings *which, const char *items,
                         const char *instead);

/* Notes that the highest of several means, of this confidence, is selected. */
void iv_eval_tell_selected(iv_result *out, size_t systems, double confidence);

/* Warns that means are over different items: the means of two systems over the common items. */
void iv_eval_tell_common(iv_result *out, size_t items, const char *first, double of_first,
                         const char *second, double of_second);

/* The sentence of scores from sampled judgments, and their method. */
void iv_eval_sampled_sentence(const iv_eval *e);
void iv_eval_sampled_method(const iv_eval *e);

#endif
