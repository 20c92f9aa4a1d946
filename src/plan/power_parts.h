/* SPDX-License-Identifier: Apache-2.0 */
/* Powers that no formula gives: simulated experiments. */
#ifndef IV_PLAN_POWER_PRIVATE_H
#define IV_PLAN_POWER_PRIVATE_H

#include "base/memory.h"
#include "intervale/num.h"
#include "intervale/plan/topics.h"

/* The largest effect that is planned for, in standard deviations. */
enum { IV_MOST_EFFECT = 100 };

/* The t test, from the distribution of its standard deviation. */
IV_MUST_CHECK int iv_t_power(iv_power *out, size_t topics, double effect, double alpha,
                             bool two_sided, iv_err *err);

/* The exact sign test, or its normal form; ties as in the options. */
IV_MUST_CHECK int iv_sign_test_power(iv_power *out, size_t topics, double effect,
                                     const iv_power_options *options, iv_err *err);
IV_MUST_CHECK int iv_sign_test_topics(size_t *topics, size_t *steady, double power,
                                      double effect, const iv_power_options *options,
                                      const iv_work *work, iv_err *err);

/* What the normal form of a test takes, effects in standard deviations: where to begin. */
double iv_normal_topics(double power, double effect, const iv_power_options *options);

/* IV_ENODATA: so many would not find it. */
int iv_no_topics(double power, double effect, size_t most, iv_err *err);

/* Beyond these the randomisation test has the power of the t test. */
size_t iv_randomisation_few(double alpha);

/* Of fewer topics no flips have a p of alpha or less: 2^-n, and twice that for two sides. */
size_t iv_randomisation_least(const iv_power_options *o);

/* Wilcoxon's test: .006 off at most beyond IV_WILCOXON_FEW topics, .003 from a power of .5. */
enum { IV_WILCOXON_FEW = 30 };
IV_MUST_CHECK int iv_wilcoxon_power(iv_power *out, size_t topics, double effect, double alpha,
                                    bool two_sided, iv_err *err);

/* The least sum of ranks c with P(sum >= c) < alpha, without ties. */
IV_MUST_CHECK int iv_wilcoxon_critical(double *out, size_t n, double alpha, iv_err *err);

/* Any of t, wilcoxon, randomisation; any certainty. */
IV_MUST_CHECK int iv_simulated_power(iv_power *out, size_t topics, double effect,
                                     const iv_power_options *options, const iv_work *work,
                                     iv_err *err);

/* ------------------------------------------------- differences of a pilot -- */

enum { IV_TILTED_PARTS = 256 };

typedef struct iv_tilted {
    double *value, *seen, *share; /* the different values, rising; share adds up to 1 */
    size_t count;
    bool steps;                    /* few steps of a measure: flips are counted */
    size_t part[IV_TILTED_PARTS];  /* where to look for a share */
} iv_tilted;

/* From n differences, turned so that their mean is not below 0.  IV_ENODATA if they are all
 * the same. */
IV_MUST_CHECK int iv_tilted_new(iv_tilted *out, iv_arena *own, const double *d, size_t n,
                                double effect, iv_err *err);
double iv_tilted_draw(const iv_tilted *t, iv_stream *s);

/* Beyond so many topics means are near enough to normal, ties or not. */
enum { IV_TIED_FEW = 2000 };

/* Are differences other than normal ones? */
static inline bool iv_power_tied(const iv_power_options *o)
{
    return o->differences.count > 0 || o->ties > 0.0;
}

/* The options with numbers in place of defaults; given may be NULL. */
iv_power_options iv_power_known(const iv_power_options *given);

#endif /* IV_PLAN_POWER_PRIVATE_H */
