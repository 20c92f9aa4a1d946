/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of how far assessors agree: alpha of two and more, kappa of two.
 *
 * Of two labels; an assessor keeps an item's own one with a chance and else draws another with
 * the same share, so that alpha and kappa are the square of that chance.  Intervals
 * that the answer warns of, since few labels differ or are rare, are gaps.
 */
#include "intervale/stat/agreement.h"
#include "study/coverage_parts.h"

enum { MOST = 400 * 4 };

typedef struct panel {
    size_t items, assessors;
    double share, keeps;
} panel;

typedef struct panel_room {
    uint32_t label[MOST];
    size_t starts[MOST + 1];
    iv_label_pair pairs[MOST];
} panel_room;

static void *room_new(iv_arena *own, void *user)
{
    (void)user;
    return iv_take(own, 1, sizeof(panel_room));
}

static void draw_panel(panel_room *w, const panel *p, iv_stream *stream)
{
    size_t used = 0;

    for (size_t i = 0; i < p->items; i++) {
        const uint32_t own = iv_draw_uniform(stream) < p->share;
        w->starts[i] = used;
        for (size_t k = 0; k < p->assessors; k++) {
            const bool keeps = iv_draw_uniform(stream) < p->keeps;
            w->label[used++] = keeps ? own : iv_draw_uniform(stream) < p->share;
        }
        w->pairs[i] = (iv_label_pair){ w->label[used - 2], w->label[used - 1], 1.0 };
    }
    w->starts[p->items] = used;
}

static void put(iv_tally *t, size_t level, const iv_over_units *is, bool few, double truth)
{
    if (!few)
        iv_tally_put(t, level, is->lower, is->upper, truth);
    else if (level == 0)
        t->gaps++;
}

static int replicate(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                     iv_err *err)
{
    const panel *p = user;
    panel_room *w = memory;
    const size_t whole[] = { 0, p->items };

    (void)number;
    draw_panel(w, p, stream);
    const iv_ratings r = { w->label, w->starts, p->items, NULL, 0, 2, NULL };
    const iv_label_pairs pairs = { w->pairs, whole, 1, 2 };
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const double c = iv_coverage_levels()[k];
        iv_alpha alpha;
        iv_kappa kappa;
        IV_TRY(iv_alpha_of(&alpha, &r, IV_SCALE_NOMINAL, c, err));
        put(&t[0], k, &alpha.is, alpha.few, p->keeps * p->keeps);
        if (p->assessors > 2)
            continue;
        IV_TRY(iv_kappa_of(&kappa, NULL, &pairs, IV_KAPPA_PLAIN, c, err));
        put(&t[1], k, &kappa.is, kappa.few, p->keeps * p->keeps);
    }
    return IV_OK;
}

int iv_coverage_labels(iv_coverage *c, iv_err *err)
{
    static const char *const names[] = { "alpha of assessors", "kappa of two assessors" };
    static panel cells[IV_COVERAGE_LABELS_STEPS] = {
        { 100, 2, 0.5, 0.9 }, { 100, 2, 0.15, 0.6 }, { 200, 2, 0.15, 0.3 }, { 200, 2, 0.15, 0.0 },
        { 200, 2, 0.3, 0.8 }, { 100, 3, 0.3, 0.7 }, { 400, 4, 0.05, 0.8 } };

    for (uint32_t i = 0; i < IV_COVERAGE_LABELS_STEPS; i++) {
        const iv_experiment e = { IV_COVERAGE_AGREE, "simulated", names,
                                  cells[i].assessors > 2 ? 1 : 2, 20000, (95 << 4) + i, replicate,
                                  &cells[i], room_new };
        IV_TRY(iv_experiment_run(c, &e, err, "%zu items, %zu assessors, %g %% relevant, agree %.2f",
                                 cells[i].items, cells[i].assessors, 100.0 * cells[i].share,
                                 cells[i].keeps * cells[i].keeps));
    }
    return IV_OK;
}
