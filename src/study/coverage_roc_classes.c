/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of roc's intervals of several classes: every class' scores are normal, as far above
 * those of the others as the area of each class asks for, and an equal system's beside them, with
 * half of their errors in common.
 */
#include <math.h>

#include "intervale/stat/scored.h"
#include "study/coverage_parts.h"

typedef struct class_setting {
    size_t classes, least, others; /* items of the first class, and of each of the others */
    double area;
} class_setting;

typedef struct class_room {
    double *all;
    const double **a, **b; /* columns of a and of its equal */
    size_t *is;
    iv_scored_value *each;
} class_room;

static size_t items_of(const class_setting *s)
{
    return s->least + (s->classes - 1) * s->others;
}

static void *room_new(iv_arena *own, void *user)
{
    const class_setting *s = user;
    const size_t n = items_of(s), K = s->classes;
    class_room *w = iv_take(own, 1, sizeof *w);

    if (w == NULL)
        return NULL;
    *w = (class_room){ iv_take(own, 2 * K * n, sizeof(double)), iv_take(own, K, sizeof *w->a),
                       iv_take(own, K, sizeof *w->b), iv_take(own, n, sizeof *w->is),
                       iv_take(own, K, sizeof *w->each) };
    for (size_t k = 0; k < K && !own->failed; k++) {
        w->a[k] = w->all + k * n;
        w->b[k] = w->all + (K + k) * n;
    }
    return own->failed ? NULL : w;
}

static int replicate(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                     iv_err *err)
{
    const class_setting *s = user;
    const class_room *w = memory;
    const size_t n = items_of(s), K = s->classes;
    const double d = sqrt(2.0) * iv_norm_quantile(s->area);
    const iv_class_items items = { w->a, w->is, K, n };

    (void)number;
    for (size_t i = 0; i < n; i++) {
        w->is[i] = i < s->least ? 0 : 1 + (i - s->least) / s->others;
        for (size_t k = 0; k < K; k++) {
            const double at = (w->is[i] == k ? d : 0.0) + sqrt(0.5) * iv_draw_normal(stream);
            w->all[k * n + i] = at + sqrt(0.5) * iv_draw_normal(stream);
            w->all[(K + k) * n + i] = at + sqrt(0.5) * iv_draw_normal(stream);
        }
    }
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const double c = iv_coverage_levels()[k];
        iv_scored_value macro, weighted;
        iv_auc_difference x;
        IV_TRY(iv_auc_classes(w->each, &macro, &weighted, &items, c, err));
        IV_TRY(iv_auc_classes_compare(&x, &items, w->b, c, err));
        iv_tally_put(&t[0], k, macro.lower, macro.upper, s->area);
        iv_tally_put(&t[1], k, weighted.lower, weighted.upper, s->area);
        iv_tally_put(&t[2], k, x.lower, x.upper, 0.0);
    }
    return IV_OK;
}

int iv_coverage_roc_classes(iv_coverage *c, iv_err *err)
{
    static const char *const of[] = { "macro average of AUC", "weighted average of AUC",
                                      "difference of macro averages, equal systems" };
    static const class_setting settings[IV_COVERAGE_ROC_CLASSES_STEPS / 4] = {
        { 3, 5, 145, 0.0 }, { 3, 20, 40, 0.0 }, { 3, 20, 140, 0.0 }, { 3, 50, 125, 0.0 },
        { 10, 5, 15, 0.0 }, { 10, 20, 20, 0.0 } };
    static const double areas[] = { 0.6, 0.8, 0.95, 0.99 };

    for (uint32_t i = 0; i < IV_COVERAGE_ROC_CLASSES_STEPS; i++) {
        class_setting s = settings[i / 4];
        const iv_experiment e = { IV_COVERAGE_ROC, "simulated", of, 3, 1000, (160 << 4) + i,
                                  replicate, &s, room_new };
        s.area = areas[i % 4];
        IV_TRY(iv_experiment_run(c, &e, err, "AUC %g, %zu classes, %zu items of one and %zu of each "
                                 "other", s.area, s.classes, s.least, s.others));
    }
    return IV_OK;
}
