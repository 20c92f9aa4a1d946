/* SPDX-License-Identifier: Apache-2.0 */
/* Claims in words, and claims that a mean is at least a number. */
#ifndef IV_RESULT_CLAIMS_H
#define IV_RESULT_CLAIMS_H

#include "base/memory.h"
#include "intervale/result/decisions.h"
#include "intervale/result/result_tables.h"
#include "result/wording.h"
#include "stat/evidence.h"

/* "one-sided 95 % limits 0.0301 and 0.2000", rounded outwards beside `other`: for each of several
 * candidates they have its part of the error (Bonferroni's correction). */
void iv_say_one_sided(iv_wording *w, double confidence, size_t candidates, double lower,
                      double upper, double other);

/* What would change a claim on values in [low, high] that bets decide, from its estimate, limits,
 * level and items: their standard deviation is sd. */
void iv_claim_bet(iv_claim *c, double sd, double low, double high);

/* The usual range of scores that holds both, such as 0 to 1 or 1 to 5; if none does, they stay. */
void iv_usual_range(double *low, double *high);

/* " A loss of 0.06 would have failed with probability 0.8."; nothing after FAIL. */
void iv_say_detectable(iv_wording *w, const iv_claim *claim);

/* The answer of claims, each "PASS: ... . " in w: of several the verdict on all comes first. */
void iv_answer_claims(iv_result *out, iv_wording *w);

/* A mean that something is claimed of. */
typedef struct iv_claimed_mean {
    const char *system, *measure;
    const double *x; /* values of items, in an order that does not depend on them; NULL: estimates,
                        or values that are not independent */
    size_t n;
    iv_mean_summary is;  /* sd NaN: the interval decides */
    double low, high;    /* range of values; high not above low: not known */
    double lower, upper; /* the interval that is printed */
    const char *why;     /* there is none; NULL: equal values */
    bool binary;         /* filled in: there are two values, two[0] and two[1] */
    double two[2];
    /* Of what is no mean of values: what is known about `of` being above a bound; NULL: a mean. */
    int (*evidence)(iv_evidence *out, const void *of, double bound, double level, iv_err *err);
    const void *of;
    const char *method;
} iv_claimed_mean;

/* Claims MEASURE=X: that every mean of that measure is at least X, or at most X.  That all are
 * shown needs no correction over measures, that one is refuted does (Bonferroni's). */
IV_MUST_CHECK int iv_claim_bounds(iv_result *out, iv_claimed_mean *means, size_t count,
                                  const iv_texts *at_least, const iv_texts *at_most,
                                  double confidence, bool guaranteed, iv_err *err);

/* A claim on a gain over the baseline, in words. */
void iv_claim_gain(iv_result *out, iv_wording *w, iv_claim *k, double confidence,
                   size_t candidates);

/* The order in which a guarantee bets on items: by their ids alone, never by their rows. */
IV_MUST_CHECK int iv_order_by_id(const uint32_t **out, const iv_str *names, size_t count,
                                 iv_arena *own, iv_err *err);

#endif
