/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/estimate_private.h"

/* Counts the signs of a pair's topics. */
static void count_signs(iv_incomplete *x, const iv_inquiry *q, size_t pair, double sign)
{
    for (size_t t = 0; t < q->topics; t++) {
        const double mean = sign * iv_inquiry_topic_moments(q, t, pair).mean;
        x->wins += mean > 1e-13;
        x->losses += mean < -1e-13;
    }
    x->topics = q->topics;
    x->ties = x->topics - x->wins - x->losses;
}

static void compare_pair(iv_incomplete *x, const iv_inquiry *q, iv_alternative alternative)
{
    const size_t pair = iv_pair_index(q->runs, x->a < x->b ? x->a : x->b,
                                      x->a < x->b ? x->b : x->a);
    const double sign = x->a < x->b ? 1.0 : -1.0;

    *x = (iv_incomplete){ .a = x->a, .b = x->b, .difference = iv_inquiry_moments(q, pair) };
    x->difference.mean *= sign;
    count_signs(x, q, pair, sign);
    const size_t told = x->wins + x->losses;
    x->p_less = iv_probability_less(x->difference);
    x->certainty = iv_sign_confidence(x->difference);
    x->effect = told > 0 ? ((double)x->wins - (double)x->losses) / (double)told : (double)NAN;
    x->effect_adjusted = iv_uncertain_effect(x->effect, x->certainty);
    x->topics_adjusted = iv_uncertain_topics((double)x->topics, x->certainty);
    x->p = told == 0 ? (double)NAN
        : iv_tail_p(iv_binom_cdf((int64_t)x->wins, (int64_t)told, 0.5),
                    iv_binom_sf((int64_t)x->wins - 1, (int64_t)told, 0.5), alternative);
}

int iv_incomplete_pairs(iv_incomplete *pairs, size_t count, const iv_pooled *p,
                        const iv_inquiry_options *how, iv_alternative alternative,
                        const iv_work *work, iv_err *err)
{
    iv_inquiry *q = NULL;

    IV_TRY(iv_inquiry_new(&q, p, NULL, p->runs, how, work, err));
    for (size_t k = 0; k < count; k++)
        compare_pair(&pairs[k], q, alternative);
    iv_inquiry_free(q);
    return IV_OK;
}
