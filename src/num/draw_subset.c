/* SPDX-License-Identifier: Apache-2.0 */
/* Draws without replacement and random orders; integers only, so exact. */

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "num/num_private.h"

/* Passes over [0, n) and takes each with the odds still open. */
static void subset_by_passing(iv_stream *s, size_t *out, size_t k, size_t n)
{
    size_t taken = 0;

    for (size_t i = 0; taken < k; i++) {
        if (iv_draw_below(s, n - i) < k - taken)
            out[taken++] = i;
    }
}

/*
 * Draws with replacement and replaces what came twice until k are different.
 * Never more are drawn than are missing, so the set is the first k different
 * values of one sequence, and all sets are equally likely.
 */
static void subset_by_redrawing(iv_stream *s, size_t *out, size_t k, size_t n)
{
    for (size_t have = 0; have < k;) {
        for (size_t i = have; i < k; i++)
            out[i] = (size_t)iv_draw_below(s, n);
        qsort(out, k, sizeof *out, iv_rising_sizes);
        have = 1;
        for (size_t i = 1; i < k; i++) {
            if (out[i] != out[have - 1])
                out[have++] = out[i];
        }
    }
}

bool iv_draw_subset(iv_stream *s, size_t *out, size_t k, size_t n)
{
    if (k > n)
        return false;
    if (n / 16 < k)
        subset_by_passing(s, out, k, n);
    else
        subset_by_redrawing(s, out, k, n);
    return true;
}

bool iv_draw_sequence(iv_stream *s, size_t *out, size_t k, size_t n)
{
    if (!iv_draw_subset(s, out, k, n))
        return false;
    for (size_t i = k; i > 1; i--) {
        const size_t j = (size_t)iv_draw_below(s, i);
        const size_t held = out[i - 1];
        out[i - 1] = out[j];
        out[j] = held;
    }
    return true;
}

static void swap_bytes(char *a, char *b, size_t size)
{
    char held[64];

    while (size > 0) {
        const size_t part = size < sizeof held ? size : sizeof held;
        memcpy(held, a, part);
        memcpy(a, b, part);
        memcpy(b, held, part);
        a += part;
        b += part;
        size -= part;
    }
}

void iv_draw_shuffle(iv_stream *s, void *base, size_t count, size_t size)
{
    char *const bytes = base;

    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)iv_draw_below(s, i);
        if (j != i - 1)
            swap_bytes(bytes + (i - 1) * size, bytes + j * size, size);
    }
}
