/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of what scores vary by, and of generalisability: tables of systems, items and repeats
 * with normal effects, whose variances are known.
 */
#include <math.h>

#include "intervale/stat/variance_parts.h"
#include "study/coverage_parts.h"

/* Variances but for systems and what a repeat brings to all items of its system. */
static const double ITEM = 0.5, INTERACTION = 0.2, REPEAT = 0.3;

typedef struct table_setting {
    size_t systems, items, repeats;
    double system, shared;
} table_setting;

enum { PARTS = 5 };

static size_t cells(const table_setting *s) { return s->systems * s->items * s->repeats; }

static void *table_new(iv_arena *own, void *user)
{
    const table_setting *s = user;

    return iv_take(own, cells(s) + s->items, sizeof(double));
}

/* x[(system * items + item) * repeats + repeat]; behind it the items' effects. */
static void draw_table(double *x, const table_setting *s, iv_stream *stream)
{
    const size_t I = s->items, R = s->repeats;
    double *item = x + cells(s), repeat[16];

    for (size_t i = 0; i < I; i++)
        item[i] = sqrt(ITEM) * iv_draw_normal(stream);
    for (size_t k = 0; k < s->systems; k++) {
        const double system = sqrt(s->system) * iv_draw_normal(stream);
        for (size_t r = 0; r < R; r++)
            repeat[r] = sqrt(s->shared) * iv_draw_normal(stream);
        for (size_t i = 0; i < I; i++) {
            const double both = system + item[i] + sqrt(INTERACTION) * iv_draw_normal(stream);
            for (size_t r = 0; r < R; r++)
                x[(k * I + i) * R + r] = both + repeat[r] + sqrt(REPEAT) * iv_draw_normal(stream);
        }
    }
}

static int table_replicate(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                           iv_err *err)
{
    const table_setting *s = user;
    const double I = (double)s->items, R = (double)s->repeats;
    const double noise = (INTERACTION + REPEAT / R) / I + s->shared / R;
    const double truth[] = { s->system / (s->system + noise), s->system, ITEM, INTERACTION, REPEAT };
    iv_variance_parts p;

    (void)number;
    draw_table(memory, s, stream);
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        IV_TRY(iv_variance_of(&p, memory, s->systems, s->items, s->repeats,
                              iv_coverage_levels()[k], err));
        const iv_variance_part *parts[] = { NULL, &p.system, &p.item, &p.interaction, &p.repeat };
        iv_tally_put(&t[0], k, p.g_lower, p.g_upper, truth[0]);
        for (size_t i = 1; i < PARTS && !(s->shared > 0.0); i++)
            iv_tally_put(&t[i], k, parts[i]->lower, parts[i]->upper, truth[i]);
    }
    return IV_OK;
}

int iv_coverage_variance(iv_coverage *c, iv_err *err)
{
    static const char *const names[] = { "generalisability", "variance of systems",
                                         "variance of items", "variance of the interaction",
                                         "variance of repeats" };
    static const double shared[] = { 0.0, 0.05, 0.2 }, system[] = { 0.0, 0.09 };

    for (uint32_t k = 0; k < IV_COVERAGE_VARIANCE_STEPS; k++) {
        const bool large = k >= 6;
        table_setting s = { large ? 20 : 6, large ? 100 : 40, large ? 5 : 3, system[k / 3 % 2],
                            shared[k % 3] };
        /* The other parts hold what repeats share. */
        const iv_experiment e = { IV_COVERAGE_SCORES, "simulated", names,
                                  s.shared > 0.0 ? 1 : PARTS, 5000, (94 << 6) + k,
                                  table_replicate, &s, table_new };
        IV_TRY(iv_experiment_run(c, &e, err, "%zu systems that vary by %g, %zu items, %zu repeats, "
                                 "%g shared", s.systems, s.system, s.items, s.repeats, s.shared));
    }
    return IV_OK;
}
