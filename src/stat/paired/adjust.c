/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Randomised Tukey and Dunnett tests: topics are blocks, and under the
 * hypothesis a system's score on a topic could have been any other system's.
 *
 * The largest difference of two means under a permutation does not depend on
 * the pair, so that of one permutation serves all pairs.
 *
 * Ref: Carterette (2012), ACM TOIS 30(1), article 4, section 4.2; Dunnett
 * (1955), JASA 50, 1096-1121.
 */

#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/parallel.h"
#include "base/ties.h"
#include "num/draw.h"
#include "stat/interval/limits.h"
#include "stat/pair_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As an index: no system is the baseline. */
#define NONE (IV_NO_BASELINE - (size_t)1)

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

    if (baseline != NONE)
        low = high = sums[baseline == 0 ? 1 : 0];
    for (size_t s = 0; s < systems; s++) {
        if (s == baseline)
            continue;
        low = fmin(low, sums[s]);
        high = fmax(high, sums[s]);
    }
    if (baseline == NONE)
        return high - low;
    if (alternative == IV_GREATER)
        return high - sums[baseline];
    if (alternative == IV_LESS)
        return sums[baseline] - low;
    return fmax(fabs(high - sums[baseline]), fabs(low - sums[baseline]));
}

/* How many of the sorted bounds x reaches. */
static size_t reached(const double *sorted, size_t count, double x)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x >= sorted[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void scores_by_topic(double *out, const iv_score_grid *x)
{
    for (size_t s = 0; s < x->systems; s++) {
        for (size_t t = 0; t < x->topics; t++)
            out[t * x->systems + s] = x->values[s * x->topics + t];
    }
}

/* What counts as reached: the observed sums of differences, slackened.  Of every
 * pair, or of every system with the baseline. */
static void find_bounds(double *bounds, const iv_score_grid *x, size_t baseline,
                        iv_alternative alternative)
{
    const double slack = iv_slack_of(x->values, x->systems * x->topics) * (double)x->topics;

    for (size_t a = 0; a < x->systems; a++) {
        const size_t from = baseline == NONE ? a + 1 : baseline;
        const size_t to = baseline == NONE ? x->systems : baseline + 1;
        for (size_t b = from; b < to; b++) {
            double sum = 0.0;
            for (size_t t = 0; t < x->topics; t++)
                sum += x->values[a * x->topics + t] - x->values[b * x->topics + t];
            const double seen = alternative == IV_TWO_SIDED ? fabs(sum)
                : alternative == IV_GREATER ? sum : -sum;
            bounds[baseline == NONE ? iv_pair_index(x->systems, a, b) : a] = seen - slack;
        }
    }
}

typedef struct permuted {
    const iv_score_grid *x;
    const double *by_topic;
    const double *sorted; /* the bounds */
    size_t bounds, baseline;
    uint64_t seed;
    iv_alternative alternative;
    size_t permutations, batch;
    uint64_t *counts; /* counts[k]: permutations that reach k of the sorted bounds */
} permuted;

static void *sums_new(iv_arena *own, void *user)
{
    return iv_take(own, 2 * ((const permuted *)user)->x->systems, sizeof(double));
}

/* Which thread counts leaves no trace in whole numbers. */
static int permute_batch(void *user, void *memory, size_t i, iv_err *err)
{
    const permuted *y = user;
    const size_t S = y->x->systems, end = (i + 1) * y->batch;
    double *sums = memory;

    (void)err;
    for (size_t r = i * y->batch; r < end && r < y->permutations; r++) {
        permute(sums, sums + S, y->by_topic, S, y->x->topics, y->seed, r);
        const size_t k = reached(y->sorted, y->bounds,
                                 largest(sums, S, y->baseline, y->alternative));
        iv_lock();
        y->counts[k]++;
        iv_unlock();
    }
    return IV_OK;
}

/* p of each bound: how many permutations reach it, itself among them. */
static void read_off(double *p, const double *bounds, const permuted *y)
{
    for (size_t k = y->bounds; k-- > 0;)
        y->counts[k] += y->counts[k + 1];
    for (size_t i = 0; i < y->bounds; i++) {
        const size_t k = reached(y->sorted, y->bounds, bounds[i]);
        p[i] = (double)(y->counts[k] + 1) / (double)(y->permutations + 1);
    }
    if (y->baseline != NONE)
        p[y->baseline] = (double)NAN;
}

/* Batches of topics, if there are very many: systems that are alike are so in sums, too. */
static int batch_topics(iv_score_grid *out, iv_arena *own, const iv_score_grid *x, uint64_t seed,
                        iv_err *err)
{
    const double **of = iv_take(own, x->systems, sizeof *of);

    IV_TRY(iv_taken(own, err));
    for (size_t s = 0; s < x->systems; s++)
        of[s] = x->values + s * x->topics;
    const size_t topics = iv_batch(of, own, of, x->systems, x->topics, seed);
    *out = (iv_score_grid){ of[0], x->systems, topics };
    return iv_taken(own, err);
}

static int permute_all(double *p, const iv_score_grid *x, permuted y, iv_arena *own,
                       const iv_work *work, iv_err *err)
{
    const size_t n = y.bounds;
    double *bounds = iv_take(own, n, sizeof *bounds), *sorted = iv_take(own, n, sizeof *sorted);
    double *by_topic = iv_take(own, x->systems * x->topics, sizeof *by_topic);

    y.counts = iv_take(own, n + 1, sizeof *y.counts);
    IV_TRY(iv_taken(own, err));
    y.by_topic = by_topic;
    y.sorted = sorted;
    /* A batch takes far less than the 50 ms after which work must ask whether to go on. */
    y.batch = 1 + 65536 / (4 * x->systems * x->topics + 1);
    scores_by_topic(by_topic, x);
    find_bounds(bounds, x, y.baseline, y.alternative);
    memcpy(sorted, bounds, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, iv_ascending);
    IV_TRY(iv_parallel(&(iv_loop){ (y.permutations + y.batch - 1) / y.batch, permute_batch, &y,
                                   sums_new }, work, err));
    read_off(p, bounds, &y);
    return IV_OK;
}

int iv_tukey_pairs(double *p, const iv_score_grid *x, size_t baseline, size_t permutations,
                   iv_alternative alternative, const iv_work *work, iv_err *err)
{
    const size_t n = baseline == IV_NO_BASELINE ? iv_pair_count(x->systems) : x->systems;
    iv_arena own = { 0 };
    iv_score_grid few;

    const permuted y = { .x = &few, .bounds = n, .baseline = baseline - 1,
                         .seed = iv_work_seed(work), .alternative = alternative,
                         .permutations = permutations };
    int rc = batch_topics(&few, &own, x, y.seed, err);
    if (rc == IV_OK)
        rc = permute_all(p, &few, y, &own, work, err);
    iv_arena_free(&own);
    return rc;
}

/* ---------------------------------------------------------------- adjust -- */

/* Corrections for having made many tests. */

/* Steps through the sorted p-values; adjusted ones never fall along them. */
static void step(iv_placed *sorted, size_t m, iv_correction correction)
{
    const double all = (double)m;

    if (correction == IV_CORRECT_HOLM) {
        double so_far = 0.0;
        for (size_t i = 0; i < m; i++) {
            so_far = fmax(so_far, fmin(1.0, sorted[i].value * (double)(m - i)));
            sorted[i].value = so_far;
        }
    } else if (correction == IV_CORRECT_BH) {
        double so_far = 1.0;
        for (size_t i = m; i-- > 0;) {
            so_far = fmin(so_far, sorted[i].value * all / (double)(i + 1));
            sorted[i].value = so_far;
        }
    } else if (correction == IV_CORRECT_BONFERRONI) {
        for (size_t i = 0; i < m; i++)
            sorted[i].value = fmin(1.0, sorted[i].value * all);
    }
}

IV_NAMES(iv_correction_names, "auto", "none", "bonferroni", "holm", "bh", "tukey")

int iv_adjust(double *adjusted, const double *p, size_t m, iv_correction correction,
              iv_err *err)
{
    iv_placed *sorted;
    size_t tests = 0;

    if (correction == IV_CORRECT_TUKEY)
        return iv_fail(err, IV_EARG, "Tukey's correction needs the scores, not p-values");
    sorted = malloc((m + 1) * sizeof *sorted);
    if (sorted == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < m; i++) {
        if (!isnan(p[i]))
            sorted[tests++] = (iv_placed){ p[i], i };
        adjusted[i] = p[i];
    }
    if (tests > 0)
        qsort(sorted, tests, sizeof *sorted, iv_ascending);
    step(sorted, tests, correction);
    for (size_t i = 0; i < tests; i++)
        adjusted[sorted[i].at] = fmax(adjusted[sorted[i].at], sorted[i].value); /* 3 p / 3 */
    free(sorted);
    return IV_OK;
}

/* --------------------------------------------------------------- letters -- */

/*
 * The insert-and-absorb algorithm of Piepho (2004), Journal of Computational
 * and Graphical Statistics 13, 456-466: begin with one group of all; for every
 * pair that differs, split each group that holds both into two that hold one;
 * drop groups that lie within another.  Groups are sets of bits.
 */

typedef struct letters {
    uint64_t *sets; /* of ranks in the given order, `words` words each */
    size_t words, count, capacity;
    size_t systems;
    iv_arena *own;
} letters;

static bool has(const uint64_t *set, size_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static bool within(const uint64_t *small, const uint64_t *large, size_t words)
{
    for (size_t w = 0; w < words; w++) {
        if ((small[w] & ~large[w]) != 0)
            return false;
    }
    return true;
}

/* Takes one member out of a set, unless the rest lies within another one. */
static void shrink(letters *l, size_t which, size_t member)
{
    uint64_t *set = l->sets + which * l->words;

    set[member / 64] &= ~(UINT64_C(1) << (member % 64));
    for (size_t g = 0; g < l->count; g++) {
        if (g != which && within(set, l->sets + g * l->words, l->words)) {
            l->count--;
            memmove(set, set + l->words, (l->count - which) * l->words * sizeof *set);
            return;
        }
    }
}

/* Splits every group that holds both a and b; false: no memory. */
static bool split(letters *l, size_t a, size_t b)
{
    for (size_t g = l->count; g-- > 0;) {
        if (!has(l->sets + g * l->words, a) || !has(l->sets + g * l->words, b))
            continue;
        if (!iv_arena_room(l->own, &l->sets, &l->capacity, l->count, l->words * sizeof *l->sets))
            return false;
        memcpy(l->sets + l->count * l->words, l->sets + g * l->words, l->words * sizeof *l->sets);
        l->count++;
        /* The later one first: removing it does not move the earlier. */
        uint64_t *later = l->sets + (l->count - 1) * l->words;
        later[a / 64] &= ~(UINT64_C(1) << (a % 64));
        shrink(l, g, b);
        for (size_t k = 0; k + 1 < l->count; k++) {
            if (within(l->sets + (l->count - 1) * l->words, l->sets + k * l->words, l->words)) {
                l->count--;
                break;
            }
        }
    }
    return true;
}

/* The first member of a set; sets are never empty. */
static size_t first_member(const uint64_t *set, size_t systems)
{
    size_t i = 0;

    while (i < systems && !has(set, i))
        i++;
    return i;
}

/* Sorts the groups by their first members, so that the best has an a. */
static void sort_groups(letters *l, uint64_t *moved)
{
    const size_t bytes = l->words * sizeof *moved;

    for (size_t g = 1; g < l->count; g++) {
        size_t to = g;
        memcpy(moved, l->sets + g * l->words, bytes);
        const size_t first = first_member(moved, l->systems);
        for (; to > 0; to--) {
            uint64_t *before = l->sets + (to - 1) * l->words;
            if (first_member(before, l->systems) <= first)
                break;
            memcpy(before + l->words, before, bytes);
        }
        memcpy(l->sets + to * l->words, moved, bytes);
    }
}

static size_t write_letter(char *out, size_t group)
{
    if (group < 26) {
        out[0] = (char)('a' + group);
        return 1;
    }
    out[0] = (char)('a' + group / 26 - 1);
    out[1] = (char)('a' + group % 26);
    return 2;
}

static bool write_text(const char **text, const letters *l, const size_t *order)
{
    for (size_t i = 0; i < l->systems; i++) {
        char *to = iv_take(l->own, 3 * l->count + 1, 1);
        size_t len = 0;
        for (size_t g = 0; to != NULL && g < l->count; g++) {
            if (!has(l->sets + g * l->words, i))
                continue;
            if (len > 0 && l->count > 26)
                to[len++] = ',';
            len += write_letter(to + len, g);
        }
        text[order[i]] = to;
    }
    return !l->own->failed;
}

int iv_letters_of(const char **text, size_t *groups, const bool *differ, const size_t *order,
                  size_t systems, iv_arena *own, iv_err *err)
{
    letters l = { .words = systems / 64 + 1, .count = 1, .capacity = 1, .systems = systems,
                  .own = own };
    uint64_t *moved = iv_take(own, l.words, sizeof *moved);

    l.sets = iv_take(own, l.words, sizeof *l.sets);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < systems; i++)
        l.sets[i / 64] |= UINT64_C(1) << (i % 64);
    for (size_t i = 0; i < systems; i++) {
        for (size_t k = i + 1; k < systems && l.count <= IV_LETTERS_MOST; k++) {
            const size_t a = order[i] < order[k] ? order[i] : order[k];
            const size_t b = order[i] < order[k] ? order[k] : order[i];
            if (differ[iv_pair_index(systems, a, b)] && !split(&l, i, k))
                return iv_no_memory(err);
        }
    }
    *groups = l.count <= IV_LETTERS_MOST ? l.count : 0;
    if (*groups == 0)
        return IV_OK;
    sort_groups(&l, moved);
    return write_text(text, &l, order) ? IV_OK : iv_no_memory(err);
}
