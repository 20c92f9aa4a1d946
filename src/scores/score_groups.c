/* SPDX-License-Identifier: Apache-2.0 */
/* Means of scores in groups of items. */
#include "base/err.h"
#include "base/order.h"
#include "result/claims.h"
#include "result/gaps.h"
#include "result/result_build.h"
#include "scores/score_groups.h"
#include "scores/score_measures.h"

#include <math.h>

/* Groups in byte order, as other tables of groups have them. */
static int list_groups(iv_item_groups *out, const iv_score_table *v, iv_arena *own, iv_err *err)
{
    const char **names = iv_take(own, v->group_count + 1, sizeof *names);
    uint32_t *of = iv_take(own, v->item_count + 1, sizeof *of);
    uint32_t *place = iv_take(own, v->group_count + 1, sizeof *place);
    iv_named *all = iv_take(own, v->group_count + 1, sizeof *all);

    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < v->group_count; k++)
        all[k] = (iv_named){ iv_str_of(v->groups[k]), k };
    qsort(all, v->group_count, sizeof *all, iv_by_name);
    for (size_t k = 0; k < v->group_count; k++) {
        names[k] = v->groups[all[k].at];
        place[all[k].at] = (uint32_t)k;
    }
    for (size_t t = 0; t < v->item_count; t++)
        of[t] = v->group[t] == UINT32_MAX ? UINT32_MAX : place[v->group[t]];
    *out = (iv_item_groups){
        *v->group_column != '\0' ? v->group_column : "group", v->group_count, names, of };
    return IV_OK;
}

/* The mean of a group, or of all others that are in one. */
static iv_group_value mean_of(const double *x, double *room, size_t items,
                              const iv_item_groups *g, size_t group, bool rest)
{
    size_t n = 0;

    for (size_t t = 0; t < items; t++)
        if (!isnan(x[t]) && g->of[t] != UINT32_MAX && (g->of[t] == group) != rest)
            room[n++] = x[t];
    return iv_group_mean(room, n);
}

static int make_families(iv_gaps *out, const iv_scored *scored, const iv_item_groups *g,
                         iv_arena *own, iv_err *err)
{
    const iv_score_table *v = scored->v;
    double *room = iv_take(own, v->item_count + 1, sizeof *room);

    out->families = iv_take(own, scored->measure_count * v->system_count + 1,
                            sizeof *out->families);
    IV_TRY(iv_taken(own, err));
    for (size_t m = 0; m < scored->measure_count; m++)
        for (size_t r = 0; r < v->system_count; r++) {
            iv_gap_family *f = &out->families[out->count++];
            *f = (iv_gap_family){ .groups = g, .system = v->systems[r],
                                  .measure = scored->names[m],
                                  .of = iv_take(own, g->count, sizeof *f->of),
                                  .rest = iv_take(own, g->count, sizeof *f->rest) };
            IV_TRY(iv_taken(own, err));
            const double *x = iv_scored_values(scored, m) + r * v->item_count;
            for (size_t k = 0; k < g->count; k++) {
                f->of[k] = mean_of(x, room, v->item_count, g, k, false);
                f->rest[k] = mean_of(x, room, v->item_count, g, k, true);
            }
        }
    return IV_OK;
}

int iv_tell_groups(const iv_scored *scored, const iv_gaps_asked *asked, const char *best,
                   double confidence, iv_result *out, iv_err *err)
{
    const iv_score_table *v = scored->v;
    iv_arena *own = iv_result_own(out);
    iv_gaps gaps = { .asked = asked, .confidence = confidence, .items = v->item_count,
                     .all = true, .best = best, .headline = scored->names[0] };
    iv_item_groups *groups = iv_take(own, 1, sizeof *groups);
    iv_wording w = { .len = 0 };

    if (v->group == NULL)
        return asked->most == 0.0 && asked->reference == NULL ? IV_OK
            : iv_fail(err, IV_EARG, "--max-gap and --reference need groups: --scores --columns "
                      "group=NAME");
    for (size_t m = 0; m < scored->measure_count; m++)
        if (!iv_measure_is_mean(&scored->definitions[m]))
            return iv_fail(err, IV_EARG, "%s is not compared by groups", scored->names[m]);
    if (v->cluster != NULL || v->suite != NULL || v->weight != NULL)
        return iv_fail(err, IV_EARG, "groups cannot be combined with clusters, sets or weights");
    if (v->group_count < 2)
        return iv_fail(err, IV_ENODATA, "there is one group, '%.80s', expected two or more",
                       v->groups[0]);
    IV_TRY(iv_scored_one_group(scored, err));
    IV_TRY(iv_taken(own, err));
    IV_TRY(list_groups(groups, v, own, err));
    IV_TRY(make_families(&gaps, scored, groups, own, err));
    IV_TRY(iv_gaps_find(&gaps, err));
    IV_TRY(iv_gaps_claim(out, &w, &gaps, err));
    if (w.len > 0)
        iv_answer_claims(out, &w);
    return iv_gaps_put(out, &gaps, err);
}
