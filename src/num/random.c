/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generator and its uniform numbers.
 *
 * Philox turns (key, counter) into four random words.  Seed and purpose are
 * the key, replicate and block number the counter, so a stream needs no state
 * that travels from one replicate to the next.
 *
 * Ref: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy
 * as 1, 2, 3.
 */
#include "intervale/num.h"

#include <Random123/philox.h>
#include <string.h>

iv_stream iv_stream_start(uint64_t seed, uint32_t purpose, uint64_t replicate)
{
    const iv_stream s = {
        .key = { seed, purpose }, .counter = { 0, replicate }
    };

    return s;
}

static void refill(iv_stream *s)
{
    const philox4x64_key_t key = { { s->key[0], s->key[1] } };
    const philox4x64_ctr_t counter = { { s->counter[0], s->counter[1], 0, 0 } };
    const philox4x64_ctr_t block = philox4x64(counter, key);

    memcpy(s->word, block.v, sizeof s->word);
    s->counter[0]++;
    s->left = 4;
}

uint64_t iv_draw_bits(iv_stream *s)
{
    if (s->left == 0)
        refill(s);
    return s->word[4 - s->left--];
}

double iv_draw_uniform(iv_stream *s)
{
    return (double)(iv_draw_bits(s) >> 11) * 0x1p-53;
}

double iv_draw_uniform_open(iv_stream *s)
{
    return ((double)(iv_draw_bits(s) >> 12) + 0.5) * 0x1p-52;
}

/*
 * The high half of x n is uniform once the 2^32 mod n smallest low halves are
 * refused (Lemire 2019).  Above 32 bits a mask and refusal are plain enough.
 */
uint64_t iv_draw_below(iv_stream *s, uint64_t n)
{
    if (n <= 1)
        return 0;
    if (n <= UINT32_MAX) {
        const uint32_t m = (uint32_t)n;
        uint64_t wide = (iv_draw_bits(s) >> 32) * n;
        if ((uint32_t)wide < m) {
            const uint32_t refused = (0u - m) % m;
            while ((uint32_t)wide < refused)
                wide = (iv_draw_bits(s) >> 32) * n;
        }
        return wide >> 32;
    }
    uint64_t mask = n - 1;
    for (unsigned shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    uint64_t x;
    do
        x = iv_draw_bits(s) & mask;
    while (x >= n);
    return x;
}

/* counts[c] of `draws` uniform cells, two from each word. */
static void resample_wide(iv_stream *s, uint32_t *counts, size_t n)
{
    const uint32_t m = (uint32_t)n;
    const uint32_t refused = (0u - m) % m;

    for (size_t done = 0; done < n;) {
        const uint64_t bits = iv_draw_bits(s);
        for (unsigned lane = 0; lane < 64 && done < n; lane += 32) {
            const uint64_t wide = ((bits >> lane) & 0xffffffffu) * m;
            if ((uint32_t)wide < refused)
                continue;
            counts[wide >> 32]++;
            done++;
        }
    }
}

/* The same with four from each word, for n <= 2^12. */
static void resample_narrow(iv_stream *s, uint32_t *counts, size_t n)
{
    const uint32_t m = (uint32_t)n;
    const uint32_t refused = 65536u % m;

    for (size_t done = 0; done < n;) {
        const uint64_t bits = iv_draw_bits(s);
        for (unsigned lane = 0; lane < 64 && done < n; lane += 16) {
            const uint32_t wide = (uint32_t)((bits >> lane) & 0xffffu) * m;
            if ((wide & 0xffffu) < refused)
                continue;
            counts[wide >> 16]++;
            done++;
        }
    }
}

void iv_draw_resample(iv_stream *s, uint32_t *counts, size_t n)
{
    if (n == 0)
        return;
    memset(counts, 0, n * sizeof *counts);
    if (n <= 4096)
        resample_narrow(s, counts, n);
    else
        resample_wide(s, counts, n);
}
