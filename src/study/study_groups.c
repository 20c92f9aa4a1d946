/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of gaps between groups of items. */
#include "base/err.h"
#include "stat/group_gaps.h"
#include "study/study.h"

#include <math.h>

enum { MOST_GROUPS = 10 };

/* Groups of equal size but for the last, which may be rare; it is right less often. */
typedef struct grouped {
    size_t items, groups, rare; /* rare 0: as large as the others */
    double share, less, confidence;
} grouped;

static int group_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const grouped *s = user;
    const size_t last = s->groups - 1;
    iv_group_value g[MOST_GROUPS], careful[MOST_GROUPS];
    iv_largest_gap x, y;
    int64_t right = 0, items = 0;

    (void)memory;
    for (size_t k = 0; k <= last; k++) {
        const int64_t n = (int64_t)(s->rare == 0 ? s->items / s->groups : k == last ? s->rare
                                    : (s->items - s->rare) / last);
        const int64_t of = iv_draw_binom(stream, n, k == last ? s->share - s->less : s->share);
        g[k] = iv_group_proportion(of, n);
        careful[k] = g[k];
        careful[k].careful = true;
        right += k < last ? of : 0;
        items += k < last ? n : 0;
    }
    const iv_group_value rest = iv_group_proportion(right, items);
    const iv_interval gap = iv_group_gap(&g[last], &rest, 0.5 * (1.0 - s->confidence));
    iv_tally_interval(&t[0], gap.value, gap.lower, gap.upper, -s->less);
    IV_TRY(iv_group_largest(&x, g, s->groups, s->confidence, 1, err));
    iv_tally_interval(&t[1], x.value, x.lower, x.upper, s->less);
    IV_TRY(iv_group_largest(&y, careful, s->groups, s->confidence, 1, err));
    iv_tally_interval(&t[2], y.value, 0.0, y.at_most, s->less);
    return IV_OK;
}

int iv_study_groups(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = {
        { .quantity = "gap of a group to the rest", .method = "default of prf" },
        { .quantity = "largest gap", .method = "default of prf" },
        { .quantity = "one-sided limit of the largest gap", .method = "gate of prf" } };
    static const size_t sizes[] = { 100, 1000, 10000 }, groups[] = { 2, 5, 10 };

    for (size_t i = 0; i < IV_GROUP_SETTINGS; i++) {
        const bool rare = i >= IV_GROUP_SETTINGS / 2;
        grouped x = { sizes[i % 3], groups[i / 3 % 3], rare ? 20 : 0, rare ? 0.95 : 0.8,
                      rare ? 0.2 : 0.1, s->confidence };
        if (rare && i % 3 == 0)
            x.less = 0.0;
        const iv_experiment e = { "0/1", methods, 3, 2000, group_replicate, &x, .room = { 1 } };
        IV_TRY(iv_experiment_run(s, &e, err, "gap %g of %zu groups, %zu items%s", x.less,
                                 x.groups, x.items, rare ? ", 20 in one" : ""));
    }
    return IV_OK;
}
