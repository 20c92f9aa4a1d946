/* SPDX-License-Identifier: Apache-2.0 */
#include "design/sampling_state.h"

#include <math.h>
#include <stdlib.h>

typedef struct place {
    size_t at;
    double fraction; /* owed beyond the whole part */
} place;

static int by_fraction(const void *va, const void *vb)
{
    const place *a = va, *b = vb;

    if (a->fraction != b->fraction)
        return a->fraction > b->fraction ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/*
 * The factor that makes min(cap, 1 + factor x share) sum to the total: whoever
 * reaches the cap leaves, and the rest is divided among the others.
 */
static double common_factor(const double *share, const size_t *cap, size_t count,
                            double total)
{
    double factor = 0.0;

    for (size_t round = 0; round <= count; round++) {
        double left = total, open = 0.0;
        for (size_t i = 0; i < count; i++) {
            const double most = (double)cap[i];
            if (cap[i] == 0)
                continue;
            if (1.0 + factor * share[i] >= most)
                left -= most;
            else {
                left -= 1.0;
                open += share[i];
            }
        }
        const double next = open > 0.0 ? left / open : factor;
        if (!(next > factor))
            break;
        factor = next;
    }
    return factor;
}

int iv_divide_budget(size_t *out, const double *share, const size_t *cap, size_t count,
                     size_t total, iv_err *err)
{
    size_t places = 0, room = 0, given = 0;
    place *owed = malloc((count + 1) * sizeof *owed);

    if (owed == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a budget");
    for (size_t i = 0; i < count; i++) {
        places += cap[i] > 0;
        room += cap[i];
    }
    if (total < places) {
        free(owed);
        return iv_fail(err, IV_EARG, "%zu documents for %zu places, expected at least one "
                       "each", total, places);
    }
    total = total < room ? total : room;
    const double factor = common_factor(share, cap, count, (double)total);
    for (size_t i = 0; i < count; i++) {
        const double due = fmin((double)cap[i], 1.0 + factor * share[i]);
        out[i] = cap[i] == 0 ? 0 : (size_t)due;
        out[i] = out[i] > cap[i] ? cap[i] : out[i];
        owed[i] = (place){ i, out[i] < cap[i] ? due - (double)out[i] : -1.0 };
        given += out[i];
    }
    qsort(owed, count, sizeof *owed, by_fraction);
    while (given < total) { /* one pass, but for rounding */
        const size_t before = given;
        for (size_t k = 0; k < count && given < total; k++)
            if (out[owed[k].at] < cap[owed[k].at]) {
                out[owed[k].at]++;
                given++;
            }
        if (given == before)
            break;
    }
    free(owed);
    return IV_OK;
}
