/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/estimate_private.h"

/* Walks over the topics. */
static void sum_topics(iv_incomplete *x, const iv_inquiry *q)
{
    const size_t n = q->topics;
    iv_moments sum = { 0.0, 0.0 };

    for (size_t t = 0; t < n; t++) {
        const iv_moments d = iv_inquiry_topic_moments(q, t, 0);
        sum.mean += d.mean;
        sum.variance += d.variance;
        x->wins += d.mean > 1e-13;
        x->losses += d.mean < -1e-13;
    }
    x->topics = n;
    x->ties = n - x->wins - x->losses;
    x->difference = (iv_moments){ sum.mean / (double)n, sum.variance / ((double)n * (double)n) };
}

typedef struct pair_loop {
    iv_incomplete *pairs;
    const iv_pooled *p;
    const iv_inquiry_options *how;
    iv_alternative alternative;
    iv_asking asking;
} pair_loop;

static int compare_pair(iv_incomplete *x, const pair_loop *l, const iv_work *work, iv_err *err)
{
    const size_t runs[] = { x->a, x->b };
    iv_inquiry *q = NULL;

    *x = (iv_incomplete){ .a = runs[0], .b = runs[1] };
    IV_TRY(iv_inquiry_new(&q, l->p, runs, 2, l->how, work, err));
    sum_topics(x, q);
    const size_t told = x->wins + x->losses;
    x->p_less = iv_probability_less(x->difference);
    x->certainty = iv_sign_confidence(x->difference);
    x->effect = told > 0 ? ((double)x->wins - (double)x->losses) / (double)told : (double)NAN;
    x->effect_adjusted = iv_uncertain_effect(x->effect, x->certainty);
    x->topics_adjusted = iv_uncertain_topics((double)x->topics, x->certainty);
    x->p = told == 0 ? (double)NAN
        : iv_tail_p(iv_binom_cdf((int64_t)x->wins, (int64_t)told, 0.5),
                    iv_binom_sf((int64_t)x->wins - 1, (int64_t)told, 0.5), l->alternative);
    iv_inquiry_free(q);
    return IV_OK;
}

static int pair_item(void *user, void *memory, size_t k, iv_err *err)
{
    const pair_loop *l = user;

    (void)memory;
    return compare_pair(&l->pairs[k], l, &l->asking.inner, err);
}

int iv_incomplete_pairs(iv_incomplete *pairs, size_t count, const iv_pooled *p,
                        const iv_inquiry_options *how, iv_alternative alternative,
                        const iv_work *work, iv_err *err)
{
    pair_loop l = { .pairs = pairs, .p = p, .how = how, .alternative = alternative };

    if (count == 1) /* all threads on its topics */
        return compare_pair(pairs, &l, work, err);
    iv_asking_start(&l.asking, work);
    return iv_parallel(&(iv_loop){ count, pair_item, &l, NULL }, &l.asking.outer, err);
}
