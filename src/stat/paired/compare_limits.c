/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals that go with p-values.
 *
 * Of many pairs: Bonferroni's, each limit at the share of the error that the smallest
 * p is given.  Step-down methods find more than these single-step intervals show, and
 * the largest of several p-values less; so the limits are then moved to 0, to say what the
 * test says.  Cutting one at 0 adds no error: that there is a difference, and on
 * which side, was found with the confidence asked for.  Widening one cannot.
 *
 * Ref: Hochberg and Tamhane (1987), Multiple Comparison Procedures; Benjamini and
 * Yekutieli (2005), JASA 100, for the false coverage rate.
 */
#include <math.h>

#include "intervale/num.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"

/* The error that one pair's interval may have, so that it goes with p_adjusted. */
static double error_of_each(const iv_comparison *c)
{
    const double alpha = 1.0 - c->options.confidence, all = (double)c->pair_count;
    const iv_correction correction = c->tests[0].correction;
    double found = 0.0;

    if (correction != IV_CORRECT_BH)
        return alpha / all;
    for (size_t i = 0; i < c->pair_count; i++)
        found += iv_compare_significant(c, c->tests[i * c->options.test_count].p_adjusted);
    return alpha * fmax(1.0, found) / all;
}

/* Where p is guarded, so are limits. */
static void adjust(iv_compared_pair *p, const iv_comparison *c, double error)
{
    const iv_alternative alternative = c->options.alternative;
    const bool guarded = c->guarded && c->kinds[0] == IV_TEST_RANDOMISATION;
    const double se = p->found.sd / sqrt((double)p->found.n);
    const double tail = alternative == IV_TWO_SIDED ? 0.5 * error : error;
    const double half = se > 0.0 ? iv_t_isf(tail, p->df) * se : 0.0;
    double lower = p->found.mean - half, upper = p->found.mean + half;

    if (p->shares.items > 0.0)
        iv_shares_limits(&lower, &upper, &p->shares, tail);
    else if (guarded && !isnan(se))
        iv_guarded_limits(&lower, &upper, c, p, tail);
    const bool none = !(lower < upper); /* all differences are equal */
    p->lower_adjusted = none ? (double)NAN : alternative == IV_LESS ? -INFINITY : lower;
    p->upper_adjusted = none ? (double)NAN : alternative == IV_GREATER ? INFINITY : upper;
}

iv_limit iv_settle_limits(double *lower, double *upper, bool found, int direction)
{
    if (found && direction > 0 && *lower <= 0.0) {
        *lower = 0.0;
        return IV_LIMIT_CUT;
    }
    if (found && direction < 0 && *upper >= 0.0) {
        *upper = 0.0;
        return IV_LIMIT_CUT;
    }
    if (!found && *lower > 0.0) {
        *lower = 0.0;
        return IV_LIMIT_WIDENED;
    }
    if (!found && *upper < 0.0) {
        *upper = 0.0;
        return IV_LIMIT_WIDENED;
    }
    return IV_LIMIT_KEPT; /* also without an interval, NaN */
}

/* A number that is not there stays so. */
void iv_possible_mean(double *lower, double *upper, double value)
{
    const double least = fmin(0.0, value), most = fmax(1.0, value);

    *lower = *lower < least ? least : *lower;
    *upper = *upper > most ? most : *upper;
}

void iv_possible_difference(double *lower, double *upper)
{
    if (*lower < -1.0 && isfinite(*lower))
        *lower = -1.0;
    if (*upper > 1.0 && isfinite(*upper))
        *upper = 1.0;
}

void iv_doubt_mean(double *lower, double *upper, double value, double too_low, double too_high)
{
    *lower -= fmax(0.0, too_high);
    *upper += fmax(0.0, too_low);
    if (too_high > 0.0 || too_low > 0.0)
        iv_possible_mean(lower, upper, value);
}

void iv_doubt_difference(double *lower, double *upper, const iv_doubt *a, const iv_doubt *b)
{
    const double longer = 1.0 + 0.5 * (a->longer + b->longer);
    const double shorter = 1.0 - 0.5 * (a->shorter + b->shorter);

    *lower *= *lower < 0.0 ? longer : shorter;
    *upper *= *upper > 0.0 ? longer : shorter;
}

static void doubt_pair(iv_compared_pair *p, const iv_doubt *doubts)
{
    iv_doubt_difference(&p->lower, &p->upper, &doubts[p->a], &doubts[p->b]);
    iv_doubt_difference(&p->lower_adjusted, &p->upper_adjusted, &doubts[p->a], &doubts[p->b]);
}

void iv_compare_limits(iv_comparison *c)
{
    const bool corrected = c->tests[0].correction != IV_CORRECT_NONE;
    const double error = error_of_each(c);

    for (size_t i = 0; i < c->pair_count; i++) {
        iv_compared_pair *p = &c->pairs[i];
        const iv_compared_test *t = &c->tests[i * c->options.test_count];
        p->lower_adjusted = p->lower;
        p->upper_adjusted = p->upper;
        if (p->gap == IV_GAP_FEW)
            continue;
        if (corrected && c->options.interval != IV_INTERVAL_NONE)
            adjust(p, c, error);
        if (c->options.doubts != NULL)
            doubt_pair(p, c->options.doubts);
        if (c->unit) {
            iv_possible_difference(&p->lower, &p->upper);
            iv_possible_difference(&p->lower_adjusted, &p->upper_adjusted);
        }
        if (!iv_pair_test_of_mean(t->kind))
            continue; /* signs and ranks say nothing of the mean */
        p->limit = iv_settle_limits(&p->lower, &p->upper, iv_compare_significant(c, t->test.p),
                                    t->direction);
        p->limit_adjusted = iv_settle_limits(&p->lower_adjusted, &p->upper_adjusted,
                                             iv_compare_significant(c, t->p_adjusted), t->direction);
    }
}
