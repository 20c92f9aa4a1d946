/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures of a score table: the mean of a score, pass@k and pass^k of repeats, a ratio of two
 * scores, a percentile.  Each is one value an item whose mean is the estimate, so that everything
 * else treats it as a mean; of ratios and percentiles these are linearised values.
 */
#ifndef IV_SCORES_SCORE_MEASURES_H
#define IV_SCORES_SCORE_MEASURES_H

#include "scores/score_values.h"
#include "stat/evidence.h"

typedef enum iv_measure_form {
    IV_FORM_MEAN,
    IV_FORM_PASS_ANY, /* pass@k */
    IV_FORM_PASS_ALL, /* pass^k */
    IV_FORM_RATIO,
    IV_FORM_PERCENTILE
} iv_measure_form;

/* Which scores are successes: `of` compared with `bound`. */
typedef struct iv_success {
    iv_str of;  /* empty: the score */
    char sign;  /* '>' or '<', with `equal` also those at the bound; '=' */
    bool equal;
    double bound;
} iv_success;

typedef struct iv_score_measure {
    iv_measure_form form;
    iv_str of, per;      /* the scores it is made of; empty: the usual one */
    uint32_t number, divisor; /* of these, among the measures of the table */
    size_t k;            /* attempts */
    double p;            /* of a percentile, in (0, 1) */
    bool lower;          /* lower is better */
    double *over, *under; /* by system and item: of a ratio its parts; of a percentile the item's
                             mean; NULL: none */
} iv_score_measure;

/* Is the estimate a mean of values that items have by themselves? */
static inline bool iv_measure_is_mean(const iv_score_measure *m)
{
    return m->form < IV_FORM_RATIO;
}

/* "pass@4", "pass^4:resolved", "cost/score", "p95:latency"; else the mean of what is so called. */
IV_MUST_CHECK int iv_measure_parse(iv_score_measure *out, const char *name, iv_err *err);

/* "score >= 0.7" */
IV_MUST_CHECK int iv_success_parse(iv_success *out, const char *text, iv_err *err);

bool iv_is_success(const iv_scored *scored, double score);

/* Is a word of the name that of something to keep low?  "err" is not: that is a measure. */
bool iv_names_a_loss(iv_str name);

/* Is lower better, by the list that was given or by its name (cost, latency, error, loss)? */
bool iv_measure_lower(const iv_scored *scored, size_t measure);

/* Is each name of that list one of the scores'?  IV_EARG: not. */
IV_MUST_CHECK int iv_check_lower(const iv_scored *scored, iv_err *err);

/* Fills the values of a measure that is no plain mean; `common`: over items that all systems
 * have. */
IV_MUST_CHECK int iv_measure_fill(iv_scored *scored, size_t measure, bool complete, iv_result *out,
                                  iv_err *err);
IV_MUST_CHECK int iv_measure_linearise(iv_scored *scored, size_t measure, bool common, iv_err *err);

/* The interval of a ratio or percentile of a system; of a ratio by Fieller, or that of its test. */
IV_MUST_CHECK int iv_measure_interval(iv_mean_interval *out, const iv_scored *scored,
                                      size_t measure, size_t system, double confidence,
                                      bool tested, iv_err *err);

/* The evidence that a ratio or percentile of a system is above a bound. */
IV_MUST_CHECK int iv_measure_evidence(iv_evidence *out, const iv_scored *scored, size_t measure,
                                      size_t system, double bound, double level, iv_err *err);

/* The method of its interval, if it is no mean. */
const char *iv_measure_method(const iv_score_measure *m, bool tested);

/* Names the methods of a measure's values and intervals. */
void iv_measure_used(const iv_scored *scored, size_t measure, bool tested, iv_result *out);

#endif
