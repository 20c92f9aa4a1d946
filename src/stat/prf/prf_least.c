/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least coverage of a posterior's interval, over truths, for as many items as there
 * are: precision, recall, specificity, accuracy and, through TP / (TP + FP + FN), F1 are
 * shares of k in n, with an interval for every k.
 */
#include <math.h>

#include "intervale/num.h"
#include "stat/prf/prf_state.h"

/* Where the least is: at small or large k; in the middle coverage is near what it says. */
enum { LOOKED_AT = 200 };

/* What a share has of the prior, and of how many items it is. */
typedef struct share {
    double right, wrong;
    int64_t n;
} share;

static share share_of(const iv_prf_counts *c, iv_prf_metric m, iv_prf_prior prior)
{
    const double right = prior.right, wrong = prior.wrong;

    switch (m.kind) {
    case IV_PRF_PRECISION: return (share){ right, wrong, c->tp + c->fp };
    case IV_PRF_RECALL: return (share){ right, wrong, c->tp + c->fn };
    case IV_PRF_F: return (share){ right, 2.0 * wrong, m.beta == 1.0 ? c->tp + c->fp + c->fn : 0 };
    case IV_PRF_SPECIFICITY: return (share){ right, wrong, c->tn < 0 ? 0 : c->tn + c->fp };
    case IV_PRF_ACCURACY:
        return (share){ 2.0 * right, 2.0 * wrong,
                        c->tn < 0 ? 0 : c->tp + c->fp + c->fn + c->tn };
    default: return (share){ 0.0, 0.0, 0 };
    }
}

/* Equal tails; a share of exactly 0 or 1 is held. */
static double lower_of(const share *s, int64_t k, double tail)
{
    return k <= 0 ? 0.0 : iv_beta_quantile(tail, (double)k + s->right, (double)(s->n - k) + s->wrong);
}

static double upper_of(const share *s, int64_t k, double tail)
{
    return k >= s->n ? 1.0 : iv_beta_isf(tail, (double)k + s->right, (double)(s->n - k) + s->wrong);
}

/* P(first <= X <= last) at a share of p. */
static double between(const share *s, int64_t first, int64_t last, double p)
{
    if (last < first)
        return 0.0;
    return iv_binom_cdf(last, s->n, p) - (first > 0 ? iv_binom_cdf(first - 1, s->n, p) : 0.0);
}

/* The least over samples of from to `to`; who holds a share moves up with it. */
static double least_among(const share *s, int64_t from, int64_t to, double tail)
{
    int64_t first = from, last = from;
    double least = 1.0;

    while (first > 0 && upper_of(s, first - 1, tail) >= lower_of(s, from, tail))
        first--;
    for (int64_t k = from; k <= to; k++) {
        const double low = lower_of(s, k, tail), high = upper_of(s, k, tail);
        while (upper_of(s, first, tail) < low)
            first++;
        while (last < s->n && lower_of(s, last + 1, tail) <= high)
            last++;
        /*
         * Between two limits the same k hold a share, and their probability has no
         * minimum there: the least is just below a lower or just above an upper limit.
         */
        if (low > 0.0)
            least = fmin(least, between(s, first, k - 1, low));
        if (high < 1.0)
            least = fmin(least, between(s, k + 1, last, high));
    }
    return least;
}

double iv_prf_least_coverage(const iv_prf_counts *c, iv_prf_metric m, iv_prf_prior prior,
                             double confidence)
{
    const share s = share_of(c, m, prior);
    const double tail = 0.5 * (1.0 - confidence);

    if (s.n == 0)
        return (double)NAN;
    if (s.n <= 2 * LOOKED_AT)
        return least_among(&s, 0, s.n, tail);
    return fmin(least_among(&s, 0, LOOKED_AT, tail),
                least_among(&s, s.n - LOOKED_AT, s.n, tail));
}
