/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ref: Tango (1998), Statistics in Medicine 17, 891-908; Hsueh, Liu and Chen (2001), Biometrics
 * 57, 478-483, for the exact unconditional test.
 */
#include <math.h>
#include <stdint.h>

#include "stat/paired/paired_parts.h"
#include "num/num_private.h"

/*
 * How far the difference seen is above d, by the standard error that it would have then: with the
 * share of losses that is most likely if the difference is d.  Falls as d grows.
 */
static double score(const iv_share_counts *s, double d)
{
    const double n = s->items, b = s->wins, c = s->losses;
    const double y = (2.0 * n - b + c) * d - b - c, w = c * d * (1.0 - d);
    const double lost = (sqrt(fmax(0.0, y * y + 8.0 * n * w)) - y) / (4.0 * n);
    const double variance = n * (2.0 * lost + d * (1.0 - d)), above = b - c - n * d;

    if (fabs(d) < 1.0 && variance > 1e-14)
        return above / sqrt(variance);
    return fabs(above) > 1e-12 * n ? copysign(INFINITY, above) : 0.0;
}

double iv_shares_p(const iv_share_counts *s, double from, iv_alternative side)
{
    const double at = fmin(1.0, fmax(-1.0, from));
    const double z = side == IV_LESS ? -score(s, at) : score(s, at);

    return isinf(s->df) ? iv_norm_sf(z) : iv_t_sf(z, s->df);
}

/*
 * Outcomes of n items that are above a difference d by at least as much as those seen, and how
 * probable they are where a share `won` is won and won - d lost.  The score rises with wins and
 * falls with losses: fewest[c] wins are enough beside c losses, n - c + 1 if none are.
 */
static void find_outcomes(int64_t *fewest, const iv_share_counts *s, double d)
{
    const double seen = score(s, d), slack = 1e-9;
    const int64_t n = (int64_t)s->items;
    int64_t b = 0;

    for (int64_t c = 0; c <= n; c++) {
        iv_share_counts x = { (double)b, (double)c, s->items, s->df };
        while (b <= n - c && score(&x, d) < seen - slack)
            x.wins = (double)++b;
        fewest[c] = b < n - c + 1 ? b : n - c + 1;
    }
}

/* The sum of pmf, whose value at `from` is given, over from, from + step, ... to `to`. */
static double sum_terms(double at, double odds, int64_t n, int64_t from, int64_t to, int step)
{
    double sum = 0.0;

    for (int64_t b = from; at > 1e-18 && (to - b) * step >= 0; b += step) {
        sum += at;
        at *= step > 0 ? odds * (double)(n - b) / (double)(b + 1)
                       : (double)b / (odds * (double)(n - b + 1));
    }
    return sum;
}

static double probability(const int64_t *fewest, int64_t n, double d, double won)
{
    const double least = 1e-15; /* far from what any sum would show */
    const double lost = fmax(least, won - d), rest = fmax(least, 1.0 - won - lost);
    const double share = fmax(least, won) / (fmax(least, won) + rest);
    double sum = 0.0;

    for (int64_t c = 0; c <= n; c++) {
        const int64_t left = n - c, few = fewest[c];
        const double these = iv_binom_log_pmf(c, n, lost);
        if (few > left || these < -35.0)
            continue;
        const int64_t most = (int64_t)((double)(left + 1) * share); /* the likeliest */
        const int64_t from = most < few ? few : most > left ? left : most;
        const double at = exp(these + iv_binom_log_pmf(from, left, share));
        const double odds = share / (1.0 - share);
        sum += sum_terms(at, odds, left, from, left, 1)
             + (from > few ? sum_terms(at, odds, left, from, few, -1) - at : 0.0);
    }
    return sum;
}

/*
 * The largest probability that any share of wins gives such outcomes if the difference is d: an
 * exact test.  Looked for on a grid, finer near the ends, where few items decide, and then
 * between the neighbours of its best point.
 */
static double exact_p(const iv_share_counts *s, double d)
{
    enum { GRID = 48, FINER = 4, ROUNDS = 3 };
    const double low = fmax(0.0, d), high = 0.5 * (1.0 + d);
    double best = 0.0, at = 0.0, step = 1.0 / GRID;
    int64_t fewest[IV_SHARES_EXACT + 1];

    find_outcomes(fewest, s, d);
    for (int round = 0; round <= ROUNDS; round++) {
        const int half = round == 0 ? GRID / 2 : FINER;
        const double middle = round == 0 ? 0.5 : at;
        for (int k = -half; k <= half; k++) {
            const double x = fmin(1.0, fmax(0.0, middle + k * step)), angle = sin(acos(0.0) * x);
            const double p = probability(fewest, (int64_t)s->items, d,
                                         low + (high - low) * angle * angle);
            if (p > best) {
                best = p;
                at = x;
            }
        }
        step /= FINER;
    }
    return fmin(1.0, best);
}

double iv_shares_beyond(const iv_share_counts *s, double from, iv_alternative side)
{
    const double p = iv_shares_p(s, from, side);
    const iv_share_counts turned = { s->losses, s->wins, s->items, s->df };

    if (!isinf(s->df) || s->items > IV_SHARES_EXACT || !(fabs(from) < 1.0))
        return p;
    return fmax(p, side == IV_LESS ? exact_p(&turned, -from) : exact_p(s, from));
}

/* Where the score passes z, between two differences. */
static double passes(const iv_share_counts *s, double z, double low, double high)
{
    enum { HALVINGS = 52 };

    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (score(s, middle) > z)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

void iv_shares_limits(double *lower, double *upper, const iv_share_counts *s, double tail)
{
    const double z = isinf(s->df) ? iv_norm_isf(tail) : iv_t_isf(tail, s->df);
    const double seen = (s->wins - s->losses) / s->items;

    *lower = seen > -1.0 ? passes(s, z, -1.0, seen) : -1.0;
    *upper = seen < 1.0 ? passes(s, -z, seen, 1.0) : 1.0;
}

