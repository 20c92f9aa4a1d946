/* SPDX-License-Identifier: Apache-2.0 */
/* How similar two rankings of systems are, by their means over topics. */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/equal_means.h"
#include "base/memory.h"
#include "num/num_private.h"
#include "stat/rank_private.h"

static void take_means(double *means, const double *x, size_t systems, size_t topics)
{
    for (size_t i = 0; i < systems; i++) {
        double sum = 0.0;
        for (size_t t = 0; t < topics; t++)
            sum += x[i * topics + t];
        means[i] = sum / (double)topics;
    }
}

typedef struct ranked {
    double score;
    uint32_t item;
} ranked;

typedef struct rankings {
    double *a, *b;
    uint32_t *items[2];
    double *scores[2];
    ranked *order;
} rankings;

static int by_score(const void *va, const void *vb)
{
    const ranked *x = va, *y = vb;

    return x->score != y->score ? (x->score > y->score ? -1 : 1)
        : (x->item > y->item) - (x->item < y->item);
}

static iv_ranked_items rank_items(rankings *w, size_t side, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        w->order[i] = (ranked){ values[i], (uint32_t)i };
    qsort(w->order, n, sizeof *w->order, by_score);
    for (size_t i = 0; i < n; i++) {
        w->items[side][i] = w->order[i].item;
        w->scores[side][i] = w->order[i].score;
    }
    return (iv_ranked_items){ w->items[side], w->scores[side], n };
}

/* tau, tau_AP and RBO of the orders of w->a and w->b. */
static int similarities(double out[3], rankings *w, size_t n, double p, iv_err *err)
{
    iv_rbo rbo = { 0 };
    int rc = iv_kendall(&out[0], w->a, w->b, n, NULL);

    if (rc == IV_ENODATA) { /* of neither a tau */
        out[0] = out[1] = NAN;
        rc = IV_OK;
    } else if (rc == IV_OK) {
        rc = iv_tau_ap(&out[1], w->a, w->b, n, err);
    }
    if (rc == IV_OK) {
        const iv_ranked_items x = rank_items(w, 0, w->a, n), y = rank_items(w, 1, w->b, n);
        rc = iv_rbo_of(&rbo, &x, &y, n, p, IV_RBO_AVERAGE, err);
    }
    out[2] = rbo.value;
    return rc;
}

int iv_orders_agree(iv_orders *out, const double *a, const double *b, size_t systems,
                    size_t topics, double persistence, iv_err *err)
{
    IV_TRY(iv_check_list(a, systems * topics, "value", err));
    IV_TRY(iv_check_list(b, systems * topics, "value", err));
    const size_t m = systems, all = systems * topics;
    iv_arena memory = { 0 };
    double x[3] = { 0.0 };

    if (m < 2 || topics == 0)
        return iv_fail(err, IV_EARG, "%zu systems on %zu topics, expected two or more on some", m,
                       topics);
    for (size_t i = 0; i < all; i++)
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return iv_fail(err, IV_EARG, "a score is not finite, expected all to be");
    rankings w = { iv_take(&memory, m, sizeof(double)), iv_take(&memory, m, sizeof(double)),
                   { iv_take(&memory, m, sizeof(uint32_t)), iv_take(&memory, m, sizeof(uint32_t)) },
                   { iv_take(&memory, m, sizeof(double)), iv_take(&memory, m, sizeof(double)) },
                   iv_take(&memory, m, sizeof(ranked)) };
    int rc = iv_taken(&memory, err);
    if (rc == IV_OK) {
        take_means(w.a, a, m, topics);
        take_means(w.b, b, m, topics);
        rc = iv_tie_means(w.a, m, iv_slack_of(a, all), err);
    }
    if (rc == IV_OK)
        rc = iv_tie_means(w.b, m, iv_slack_of(b, all), err);
    if (rc == IV_OK)
        rc = similarities(x, &w, m, persistence, err);
    if (rc == IV_OK)
        *out = (iv_orders){ x[0], x[1], x[2] };
    iv_arena_free(&memory);
    return rc;
}
