/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generator and its uniform numbers.
 *
 * Philox turns (key, counter) into four random 32-bit numbers.  The seed is the
 * key; purpose, replicate and block number are the counter, so a stream needs
 * no state that travels from one replicate to the next.  The 32-bit form is the
 * faster one on aarch64 and needs no 128-bit product.
 *
 * Ref: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy
 * as 1, 2, 3.
 */
#include "num/num_private.h"

#include <Random123/philox.h>
#include <string.h>

enum { BLOCKS = 4 }; /* at once: they do not wait for one another */

iv_stream iv_stream_start(uint64_t seed, uint32_t purpose, uint64_t replicate)
{
    const iv_stream s = {
        .seed = seed, .replicate = replicate, .purpose = purpose & 0xffffffu
    };

    return s;
}

static void refill(iv_stream *s)
{
    const philox4x32_key_t key = { { (uint32_t)s->seed,
                                     (uint32_t)(s->seed >> 32) } };

    for (uint32_t i = 0; i < BLOCKS; i++) {
        const uint64_t block = s->blocks + i;
        const philox4x32_ctr_t counter = { {
            (uint32_t)block,
            s->purpose | (uint32_t)(block >> 32) << 24,
            (uint32_t)s->replicate,
            (uint32_t)(s->replicate >> 32),
        } };
        const philox4x32_ctr_t r = philox4x32(counter, key);
        s->word[2 * i] = r.v[0] | (uint64_t)r.v[1] << 32;
        s->word[2 * i + 1] = r.v[2] | (uint64_t)r.v[3] << 32;
    }
    s->blocks += BLOCKS;
    s->left = 2 * BLOCKS;
}

uint64_t iv_draw_bits(iv_stream *s)
{
    if (s->left == 0)
        refill(s);
    return s->word[2 * BLOCKS - s->left--];
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

/*
 * Adds to counts the n draws over n cells, `lanes` of them from each word, by
 * the method of iv_draw_below() on narrower numbers.  A refused number is
 * counted as 0 rather than skipped, which spares a branch.
 */
static void resample_lanes(iv_stream *s, uint32_t *counts, uint32_t n,
                           unsigned lanes)
{
    const unsigned width = 64 / lanes;
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    const uint64_t refused = (mask + 1) % n;

    for (uint32_t done = 0; done < n;) {
        if (s->left == 0) /* iv_draw_bits(), in place */
            refill(s);
        uint64_t bits = s->word[2 * BLOCKS - s->left--];
        const uint32_t wanted = n - done < lanes ? n - done : lanes;
        for (uint32_t lane = 0; lane < wanted; lane++) {
            const uint64_t wide = (bits & mask) * n;
            const uint32_t hit = (wide & mask) >= refused;
            counts[wide >> width] += hit;
            done += hit;
            bits >>= width;
        }
    }
}

void iv_draw_resample(iv_stream *s, uint32_t *counts, size_t n)
{
    if (n == 0)
        return;
    memset(counts, 0, n * sizeof *counts);
    if (n <= 4096)
        resample_lanes(s, counts, (uint32_t)n, 4);
    else
        resample_lanes(s, counts, (uint32_t)n, 2);
}
