/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits at any time of one count and of one mean, and rules for ranked reviews.
 *
 * A count: pi_0(K) / pi_n(K), the prior's weight of the true number over the posterior's, is a
 * martingale of mean 1 whatever that number is, so it reaches 1 / alpha with probability at
 * most alpha (Waudby-Smith and Ramdas 2020).  For a beta-binomial prior the ratio is the
 * chance of the sample in its order under the prior over that under K, which has one peak in K.
 *
 * A mean: for each m two gamblers bet that the values lie above and below it, with stakes
 * that depend on the past; their capital is a martingale if m is the mean (Waudby-Smith and
 * Ramdas 2024, hedged capital).  The capital of the one falls with m, of the other it rises.
 */
#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "stat/sequential/sequential_parts.h"
#include "num/num_private.h"

/* --------------------------------------------------------- one count -- */

typedef struct ratio {
    iv_stratum s;
    double needed; /* log of the least chance of the sample given K that keeps K */
} ratio;

static bool kept(const ratio *q, int64_t K)
{
    return iv_hyper_log_pmf(q->s.relevant, q->s.size, K, q->s.sampled) > q->needed;
}

/* The last K that is kept between one that is, in, and one that need not be, out. */
static int64_t last_kept(const ratio *q, int64_t in, int64_t out)
{
    if (kept(q, out))
        return out;
    while (in - out > 1 || out - in > 1) {
        const int64_t mid = in + (out - in) / 2;
        if (kept(q, mid))
            in = mid;
        else
            out = mid;
    }
    return in;
}

int iv_anytime_count(int64_t *least, int64_t *most, iv_stratum s, double a, double b,
                     double confidence, iv_err *err)
{
    const double level = 1.0 - (confidence == 0.0 ? 0.95 : confidence);

    if (s.relevant < 0 || s.relevant > s.sampled || s.sampled > s.size || s.size < 1
        || s.size > IV_STRATUM_MAX)
        return iv_fail(err, IV_EARG, "%" PRId64 " relevant of %" PRId64 " judged of %" PRId64
                       ": each at most the next, the last from 1 to 2^40", s.relevant, s.sampled,
                       s.size);
    if (!(level > 0.0 && level < 1.0))
        return iv_fail(err, IV_EARG, "the confidence %g is not between 0 and 1", confidence);
    if (a == 0.0 && b == 0.0)
        a = b = 0.5;
    if (!(a > 0.0 && b > 0.0 && isfinite(a + b)))
        return iv_fail(err, IV_EARG, "the prior %g, %g is not above 0", a, b);
    const int64_t first = s.relevant, last = s.size - (s.sampled - s.relevant);
    /* The most likely number, which no ratio excludes before it has met the prior's. */
    const double share = s.sampled > 0 ? (double)s.relevant / (double)s.sampled : 0.5;
    int64_t peak = (int64_t)(share * ((double)s.size + 1.0));
    peak = peak < first ? first : peak > last ? last : peak;
    const ratio q = { s, log(level) + iv_betabin_log_curve((double)s.relevant, s.sampled, a, b) };
    *least = last_kept(&q, peak, first);
    *most = last_kept(&q, peak, last);
    return IV_OK;
}

/* ---------------------------------------------------------- one mean -- */

typedef struct bets {
    const double *values, *stakes;
    size_t count;
    double needed; /* log capital at which a mean is given up */
} bets;

/* Does the gambler who bets on values above m (below: turned) ever win enough? */
static bool ruins(const bets *b, double m, bool turned)
{
    double capital = 0.0;

    for (size_t i = 0; i < b->count; i++) {
        const double gain = (turned ? 1.0 - b->values[i] : b->values[i]) - m;
        const double stake = fmin(b->stakes[i], m > 0.0 ? 0.5 / m : HUGE_VAL);
        capital += log1p(stake * gain);
        if (capital >= b->needed)
            return true;
    }
    return false;
}

/* The largest m that is given up, from below; 0 if none is. */
static double given_up(const bets *b, bool turned)
{
    double low = 0.0, high = 1.0;

    if (!ruins(b, 0.0, turned))
        return 0.0;
    for (int i = 0; i < 60; i++) {
        const double mid = 0.5 * (low + high);
        if (ruins(b, mid, turned))
            low = mid;
        else
            high = mid;
    }
    return low;
}

int iv_anytime_mean(double *lower, double *upper, const double *values, size_t count,
                    double confidence, iv_err *err)
{
    const double level = 1.0 - (confidence == 0.0 ? 0.95 : confidence);
    double sum = 0.5, squares = 0.25;
    iv_arena a = { 0 };

    if (!(level > 0.0 && level < 1.0))
        return iv_fail(err, IV_EARG, "the confidence %g is not between 0 and 1", confidence);
    if (count == 0)
        return iv_fail(err, IV_EARG, "no values");
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] >= 0.0 && values[i] <= 1.0))
            return iv_fail(err, IV_EARG, "value %zu is %g, not between 0 and 1", i + 1,
                           values[i]);
    }
    double *stakes = iv_take(&a, count, sizeof *stakes);
    const int rc = iv_taken(&a, err);
    for (size_t i = 0; rc == IV_OK && i < count; i++) {
        /* From the values before this one only: mean 1/2 and variance 1/4 at first. */
        const double n = (double)i + 1.0, variance = squares / n;
        stakes[i] = sqrt(2.0 * log(2.0 / level) / (variance * n * log(n + 1.0)));
        sum += values[i];
        const double off = values[i] - sum / (n + 1.0);
        squares += off * off;
    }
    if (rc == IV_OK) {
        const bets b = { values, stakes, count, log(2.0 / level) };
        *lower = given_up(&b, false);
        *upper = fmax(1.0 - given_up(&b, true), *lower);
    }
    iv_arena_free(&a);
    return rc;
}

/* ---------------------------------------------------- ranked reviews -- */

int64_t iv_qbcb_needed(int64_t known, double target, double confidence)
{
    const double level = 1.0 - (confidence == 0.0 ? 0.95 : confidence);

    if (known < 1 || !(target > 0.0 && target < 1.0) || !(level > 0.0 && level < 1.0))
        return 0;
    /* P(Bin(known, target) >= j) <= level: fewer than j unless recall is above the target. */
    const int64_t j = iv_binom_isf(level, known, target) + 1;
    return j <= known ? j : 0;
}

double iv_stop_p(int64_t found, iv_stratum left, double target)
{
    if (found < 0 || left.relevant < 0 || left.relevant > left.sampled
        || left.sampled > left.size || left.size > IV_STRATUM_MAX
        || !(target > 0.0 && target <= 1.0))
        return (double)NAN;
    /* The least number of relevant ones left, at the start of the sample, that makes recall
     * miss the target now. */
    const double most = floor((double)(found + left.relevant) / target - (double)found) + 1.0;
    if (most > (double)(left.size - left.sampled + left.relevant))
        return 0.0; /* so many cannot be left */
    return iv_hyper_cdf(left.relevant, left.size, (int64_t)most, left.sampled);
}

double iv_rank_sum_p(double sum, double count, double n)
{
    const double variance = count * (n - count) * (n + 1.0) / 12.0;

    return variance > 0.0
        ? 2.0 * iv_norm_sf(fabs(sum - 0.5 * count * (n + 1.0)) / sqrt(variance)) : 1.0;
}
