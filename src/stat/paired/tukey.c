/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Randomised Tukey and Dunnett tests: topics are blocks, and under the
 * hypothesis a system's score on a topic could have been any other system's.
 *
 * The largest difference of two means under a permutation does not depend on
 * the pair, so one sorted list of it serves all pairs.
 *
 * Ref: Carterette (2012), ACM TOIS 30(1), article 4, section 4.2; Dunnett
 * (1955), JASA 50, 1096-1121.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/threads.h"
#include "stat/paired/paired_parts.h"

/* The product of two words, as high and low word. */
static inline uint64_t multiply(uint64_t *low, uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ const unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    const uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
    const uint64_t middle = ah * bl + (al * bl >> 32);
    const uint64_t other = al * bh + (middle & UINT32_MAX);
    *low = a * b;
    return ah * bh + (middle >> 32) + (other >> 32);
#endif
}

/*
 * Uniform numbers below n, n - 1, ..., n - count + 1 from one draw: the high
 * word of draw x n is the first, and the low word is as good as a new draw but
 * for a sliver, which is refused (Brackett-Rozinsky and Lemire 2024).  The
 * product of the bounds must be below 2^64.
 */
static void draw_places(uint32_t *places, size_t count, uint64_t n, iv_stream *s)
{
    uint64_t product = 1, left;

    for (size_t i = 0; i < count; i++)
        product *= n - i;
    do {
        left = iv_draw_bits(s);
        for (size_t i = 0; i < count; i++)
            places[i] = (uint32_t)multiply(&left, left, n - i);
        /* The sliver is smaller than the product: the division is rare. */
    } while (left < product && left < (0 - product) % product);
}

/* How many places one draw can give for systems up to n. */
static size_t places_a_draw(uint64_t n)
{
    size_t count = 1;
    uint64_t product = n;

    /* Refusals stay below one in 2^14. */
    while (count < 8 && product < (UINT64_C(1) << 50) / n) {
        product *= n;
        count++;
    }
    return count;
}

/* Adds to each system's sum the score of a random other one, topic by topic. */
static void permute(double *sums, double *scores, const double *by_topic, size_t systems,
                    size_t topics, uint64_t seed, uint64_t replicate)
{
    /* Flips have the numbers from 0; permutations count down from the end. */
    iv_stream stream = iv_stream_start(seed, IV_FOR_PERMUTATION, ~replicate);
    const size_t batch = places_a_draw(systems);

    memset(sums, 0, systems * sizeof *sums);
    for (size_t t = 0; t < topics; t++) {
        memcpy(scores, by_topic + t * systems, systems * sizeof *scores);
        for (size_t left = systems; left > 0;) {
            uint32_t places[8];
            const size_t count = left < batch ? left : batch;
            draw_places(places, count, left, &stream);
            for (size_t i = 0; i < count; i++) {
                left--;
                sums[left] += scores[places[i]];
                scores[places[i]] = scores[left];
            }
        }
    }
}

/* The largest difference: between any two, or to the baseline. */
static double largest(const double *sums, size_t systems, size_t baseline,
                      iv_alternative alternative)
{
    double low = sums[0], high = sums[0];

    if (baseline != IV_NO_BASELINE)
        low = high = sums[baseline == 0 ? 1 : 0];
    for (size_t s = 0; s < systems; s++) {
        if (s == baseline)
            continue;
        low = fmin(low, sums[s]);
        high = fmax(high, sums[s]);
    }
    if (baseline == IV_NO_BASELINE)
        return high - low;
    if (alternative == IV_GREATER)
        return high - sums[baseline];
    if (alternative == IV_LESS)
        return sums[baseline] - low;
    return fmax(fabs(high - sums[baseline]), fabs(low - sums[baseline]));
}

/* p of a difference of sums, among the sorted largest ones. */
static double p_among(const double *sorted, size_t count, double seen, double slack)
{
    size_t low = 0, high = count; /* the first that reaches seen */

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle] >= seen - slack)
            high = middle;
        else
            low = middle + 1;
    }
    return (double)(count - low + 1) / (double)(count + 1);
}

static double *scores_by_topic(const iv_score_grid *x)
{
    double *out = malloc(x->systems * x->topics * sizeof *out);

    for (size_t s = 0; out != NULL && s < x->systems; s++) {
        for (size_t t = 0; t < x->topics; t++)
            out[t * x->systems + s] = x->values[s * x->topics + t];
    }
    return out;
}

static bool simulate(double *largest_of, const iv_score_grid *x, size_t baseline,
                     size_t permutations, uint64_t seed, iv_alternative alternative,
                     int threads, const iv_progress *progress)
{
    double *by_topic = scores_by_topic(x);
    bool ok = by_topic != NULL;

    if (!ok)
        return false;
    #pragma omp parallel num_threads(iv_threads(threads)) reduction(&& : ok)
    {
        double *sums = malloc(2 * x->systems * sizeof *sums);
        ok = sums != NULL;
        #pragma omp for schedule(dynamic, 64)
        for (size_t r = 0; r < permutations; r++) {
            if (sums == NULL)
                continue;
            permute(sums, sums + x->systems, by_topic, x->systems, x->topics, seed, r);
            largest_of[r] = largest(sums, x->systems, baseline, alternative);
            if (progress != NULL && progress->report != NULL && iv_thread() == 0)
                progress->report(progress->user, (double)(r + 1) / (double)permutations);
        }
        free(sums);
    }
    free(by_topic);
    return ok;
}

/* The p of every pair, or of every system against the baseline. */
static void read_off(double *p, const iv_score_grid *x, size_t baseline, const double *sorted,
                     size_t permutations, iv_alternative alternative)
{
    const double slack = iv_slack_of(x->values, x->systems * x->topics) * (double)x->topics;

    for (size_t a = 0; a < x->systems; a++) {
        const size_t from = baseline == IV_NO_BASELINE ? a + 1 : baseline;
        const size_t to = baseline == IV_NO_BASELINE ? x->systems : baseline + 1;
        for (size_t b = from; b < to; b++) {
            double sum = 0.0;
            for (size_t t = 0; t < x->topics; t++)
                sum += x->values[a * x->topics + t] - x->values[b * x->topics + t];
            const double seen = alternative == IV_TWO_SIDED ? fabs(sum)
                : alternative == IV_GREATER ? sum : -sum;
            if (baseline == IV_NO_BASELINE)
                p[iv_pair_index(x->systems, a, b)] = p_among(sorted, permutations, seen, slack);
            else
                p[a] = a == b ? (double)NAN : p_among(sorted, permutations, seen, slack);
        }
    }
}

int iv_tukey_pairs(double *p, const iv_score_grid *x, size_t baseline, size_t permutations,
                   uint64_t seed, iv_alternative alternative, int threads,
                   const iv_progress *progress, iv_err *err)
{
    double *sorted;

    if (x->systems < 2 || x->systems > UINT32_MAX || x->topics == 0)
        return iv_fail(err, IV_EARG, "Tukey's test needs two systems and a topic");
    if (baseline != IV_NO_BASELINE && baseline >= x->systems)
        return iv_fail(err, IV_EARG, "the baseline is none of the systems");
    if (baseline == IV_NO_BASELINE && alternative != IV_TWO_SIDED)
        return iv_fail(err, IV_EARG, "Tukey's test of all pairs is two-sided: the largest "
                       "difference has no sign");
    sorted = malloc((permutations + 1) * sizeof *sorted);
    if (sorted == NULL || !simulate(sorted, x, baseline, permutations, seed, alternative,
                                    threads, progress)) {
        free(sorted);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    qsort(sorted, permutations, sizeof *sorted, iv_rising);
    read_off(p, x, baseline, sorted, permutations, alternative);
    free(sorted);
    return IV_OK;
}
