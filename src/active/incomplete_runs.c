/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of runs when judgments are missing. */
#include "active/incomplete.h"
#include "active/judging_topics.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/pair_tests.h"
#include "stat/paired/pair_p.h"
#include "stat/sign_power.h"

#include <math.h>

/* Active judging, with moments of topics if they are not its own. */
typedef struct moments_of {
    const iv_judging_state *q;
    const iv_moments *topic; /* of each topic those of all pairs; NULL: of AP, by active judging */
} moments_of;

static iv_moments of_topic(const moments_of *x, size_t t, size_t pair)
{
    return x->topic != NULL ? x->topic[t * iv_pair_count(x->q->runs) + pair]
                            : iv_judging_topic_moments(x->q, t, pair);
}

static iv_moments of_mean(const moments_of *x, size_t pair)
{
    const double n = (double)x->q->topics;
    iv_moments sum = { 0.0, 0.0 };

    if (x->topic == NULL)
        return iv_judging_moments(x->q, pair);
    for (size_t t = 0; t < x->q->topics; t++) {
        const iv_moments m = of_topic(x, t, pair);
        sum.mean += m.mean / n;
        sum.variance += m.variance / (n * n);
    }
    return sum;
}

/* Counts the signs of a pair's topics. */
static void count_signs(iv_incomplete *x, const moments_of *of, size_t pair, double sign)
{
    for (size_t t = 0; t < of->q->topics; t++) {
        const double mean = sign * of_topic(of, t, pair).mean;
        x->wins += mean > 1e-13;
        x->losses += mean < -1e-13;
    }
    x->topics = of->q->topics;
    x->ties = x->topics - x->wins - x->losses;
}

static void compare_pair(iv_incomplete *x, const moments_of *of, iv_alternative alternative)
{
    const size_t pair = iv_pair_index(of->q->runs, x->a < x->b ? x->a : x->b,
                                      x->a < x->b ? x->b : x->a);
    const double sign = x->a < x->b ? 1.0 : -1.0;

    *x = (iv_incomplete){ .a = x->a, .b = x->b, .difference = of_mean(of, pair) };
    x->difference.mean *= sign;
    count_signs(x, of, pair, sign);
    const size_t decided = x->wins + x->losses;
    x->p_less = iv_probability_less(x->difference);
    x->certainty = iv_sign_confidence(x->difference);
    x->effect = decided > 0 ? ((double)x->wins - (double)x->losses) / (double)decided : (double)NAN;
    x->effect_adjusted = iv_uncertain_effect(x->effect, x->certainty);
    x->topics_adjusted = iv_uncertain_topics((double)x->topics, x->certainty);
    x->p = decided == 0 ? (double)NAN
        : iv_tail_p(iv_binom_cdf((int64_t)x->wins, (int64_t)decided, 0.5),
                    iv_binom_sf((int64_t)x->wins - 1, (int64_t)decided, 0.5), alternative);
}

int iv_incomplete_pairs(iv_incomplete *pairs, size_t count, const iv_pooled *p,
                        const iv_judging_options *how, const iv_incomplete_how *asked,
                        const iv_work *work, iv_err *err)
{
    iv_judging_options options = *how;
    iv_judging_state *q = NULL;
    iv_moments *topic = NULL;
    iv_arena own = { 0 };
    iv_stage stage;

    options.order_only = asked->measure != NULL; /* only relevance is used */
    IV_TRY(iv_judging_new(&q, p, NULL, p->runs, &options, iv_work_part(&stage, work, 0.0, 0.3),
                          err));
    const int rc = asked->measure == NULL ? IV_OK
        : iv_incomplete_simulate(&topic, &own, q, p, asked->judgments, asked->measure,
                                 iv_work_part(&stage, work, 0.3, 1.0), err);
    for (size_t k = 0; k < count && rc == IV_OK; k++)
        compare_pair(&pairs[k], &(moments_of){ q, topic }, asked->alternative);
    iv_judging_free(q);
    iv_arena_free(&own);
    return rc;
}
