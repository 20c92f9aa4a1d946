/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/scored/scored_order.h"

#include <math.h>
#include <stdlib.h>

#include "base/checking.h"

typedef struct scored_at {
    double score;
    size_t item;
} scored_at;

static int by_score(const void *va, const void *vb)
{
    const scored_at *a = va, *b = vb;

    return a->score != b->score ? (a->score > b->score ? -1 : 1)
                                : (a->item > b->item) - (a->item < b->item);
}

int iv_score_order_make(iv_score_order *out, iv_arena *memory, const iv_scored_items *items,
                        double confidence, iv_err *err)
{
    const size_t n = items->count;
    scored_at *all = iv_take(memory, n, sizeof *all);

    *out = (iv_score_order){ .count = n, .item = iv_take(memory, n, sizeof(size_t)),
                             .end = iv_take(memory, n, sizeof(size_t)) };
    IV_TRY(iv_taken(memory, err));
    IV_TRY(iv_check_list(items->scores, items->count, "score", err));
    IV_TRY(iv_check_list(items->positive, items->count, "item", err));
    if (!(confidence >= 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(items->scores[i]))
            return iv_fail(err, IV_EARG, "the score of item %zu is not finite", i + 1);
        all[i] = (scored_at){ items->scores[i], i };
        out->positives += items->positive[i];
    }
    out->negatives = n - out->positives;
    if (out->positives == 0 || out->negatives == 0)
        return iv_fail(err, IV_ENODATA, "%zu positive and %zu negative items, expected some of "
                       "both", out->positives, out->negatives);
    qsort(all, n, sizeof *all, by_score);
    for (size_t i = 0; i < n; i++) {
        out->item[i] = all[i].item;
        if (i + 1 == n || all[i + 1].score != all[i].score)
            out->end[out->groups++] = i + 1;
    }
    return IV_OK;
}

int iv_check_classes(const iv_class_items *items, iv_err *err)
{
    IV_TRY(iv_check_each(items->scores, items->classes, "class", err));
    IV_TRY(iv_check_list(items->is, items->count, "item", err));
    for (size_t i = 0; i < items->count; i++)
        if (items->is[i] >= items->classes)
            return iv_fail(err, IV_EARG, "item %zu is of class %zu of %zu", i + 1,
                           items->is[i] + 1, items->classes);
    return IV_OK;
}
