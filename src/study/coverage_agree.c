/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of agree's intervals: likeness of the orders of runs by AP and by P@10 (as it
 * is, where simulated orders are the same, and moved), of ten runs and of five families of
 * four near-copies, and the reproduction of runs, for which other runs of the population stand.
 */
#include <math.h>

#include "intervale/stat/rank.h"
#include "intervale/stat/reproduction.h"
#include "study/coverage_parts.h"

enum { ORDERED = 10, FAMILIES = 5, COPIES = 4, MOST = 20, ORDERS = 3, REPRODUCED = 3, FOUR = 4 };

typedef struct agree_setting {
    const iv_score_grid *a, *b;
    size_t n;
    double moved; /* b's runs are so much better or worse than they are, for good */
    bool copies;  /* runs of a family are one run, each with a fifth of another */
} agree_setting;

static const double share_of_another = 0.2;

/* Room for scores on all topics and on those drawn, twice. */
typedef struct agree_room {
    double *all[2], *drawn[2];
    size_t *topics;
} agree_room;

static void *room_new(iv_arena *own, void *user)
{
    const agree_setting *s = user;
    const size_t most = MOST * s->a->topics;
    agree_room *w = iv_take(own, 1, sizeof *w);

    for (int k = 0; k < 2 && w != NULL; k++) {
        w->all[k] = iv_take(own, most, sizeof(double));
        w->drawn[k] = iv_take(own, MOST * s->n, sizeof(double));
    }
    if (w != NULL)
        w->topics = iv_take(own, s->n, sizeof(size_t));
    return own->failed ? NULL : w;
}

/* Rows of the grids for `count` runs: all topics, and n drawn with replacement. */
static void choose(agree_room *w, const agree_setting *s, size_t count, iv_stream *stream)
{
    const iv_score_grid *grids[] = { s->a, s->b };
    const size_t T = s->a->topics;
    size_t runs[ORDERED], others[MOST];

    (void)iv_draw_sequence(stream, runs, s->copies ? FAMILIES : count, s->a->systems);
    for (size_t r = 0; s->copies && r < count; r++)
        others[r] = (size_t)iv_draw_below(stream, s->a->systems);
    for (size_t i = 0; i < s->n; i++)
        w->topics[i] = (size_t)iv_draw_below(stream, T);
    for (int k = 0; k < 2; k++)
        for (size_t r = 0; r < count; r++) {
            const double *row = grids[k]->values + runs[s->copies ? r / COPIES : r] * T;
            const double *other = s->copies ? grids[k]->values + others[r] * T : row;
            const double moved = k == 0 ? 0.0 : s->moved * iv_draw_normal(stream);
            double *all = w->all[k] + r * T;
            for (size_t t = 0; t < T; t++)
                all[t] = row[t] + share_of_another * (other[t] - row[t]) + moved;
            for (size_t i = 0; i < s->n; i++)
                w->drawn[k][r * s->n + i] = all[w->topics[i]];
        }
}

static int order_replicate(iv_tally *t, void *user, void *memory, size_t number,
                           iv_stream *stream, iv_err *err)
{
    const agree_setting *s = user;
    agree_room *w = memory;
    const size_t count = s->copies ? MOST : ORDERED;
    iv_orders truth, got;

    choose(w, s, count, stream);
    IV_TRY(iv_orders_agree(&truth, w->all[0], w->all[1], count, s->a->topics,
                           &(iv_orders_options){ .draws = 1 }, NULL, err));
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const iv_orders_options o = { .confidence = iv_coverage_levels()[k], .draws = 1000 };
        IV_TRY(iv_orders_agree(&got, w->drawn[0], w->drawn[1], count, s->n, &o,
                               &(iv_work){ .threads = 1, .seed = number + 1 }, err));
        const iv_order_likeness *x[] = { &got.tau, &got.tau_ap, &got.rbo };
        const double of[] = { truth.tau.value, truth.tau_ap.value, truth.rbo.value };
        for (size_t j = 0; j < ORDERS; j++)
            iv_tally_put(&t[j], k, x[j]->lower, x[j]->upper, of[j]);
    }
    return IV_OK;
}

static int reproduction_replicate(iv_tally *t, void *user, void *memory, size_t number,
                                  iv_stream *stream, iv_err *err)
{
    const agree_setting *s = user;
    agree_room *w = memory;
    const size_t T = s->a->topics, n = s->n;
    const double *all = w->all[0], *x = w->drawn[0];
    iv_reproduced truth[REPRODUCED], got[REPRODUCED];
    double squares = 0.0;

    choose(w, s, FOUR, stream);
    for (size_t i = 0; i < T; i++)
        squares += (all[i] - all[T + i]) * (all[i] - all[T + i]);
    truth[0].value = sqrt(squares / (double)T);
    iv_reproduced_effect(&truth[1], &truth[2], all, all + T, all + 2 * T, all + 3 * T, T, 0.0);
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const double c = iv_coverage_levels()[k];
        IV_TRY(iv_reproduced_rmse(&got[0], x, x + n, n, c, 1000,
                                  &(iv_work){ .threads = 1, .seed = number + 1 }, err));
        iv_reproduced_effect(&got[1], &got[2], x, x + n, x + 2 * n, x + 3 * n, n, c);
        for (size_t j = 0; j < REPRODUCED; j++) {
            /* Where Fieller's set has no ends it is taken for the whole line, which holds
             * the truth; .80 decides what has an interval. */
            if (!isnan(got[j].lower))
                iv_tally_put(&t[j], k, got[j].lower, got[j].upper, truth[j].value);
            else if (k == 0)
                t[j].gaps++;
        }
    }
    return IV_OK;
}

int iv_coverage_agree(iv_coverage *c, iv_err *err)
{
    static const char *const orders[] = { "tau of two orders", "tau_AP of two orders",
                                          "RBO of two orders" };
    static const char *const again[] = { "rmse, Studentised bootstrap", "effect ratio, Fieller",
                                         "change of improvement, t" };
    static const size_t sizes[] = { 20, 50 };
    iv_score_grid a, b;

    iv_coverage_steps(c, 10 + IV_COVERAGE_LABELS_STEPS);
    IV_TRY(iv_population_simulate(&a, c, IV_SCORED_AP, err));
    IV_TRY(iv_population_simulate(&b, c, IV_SCORED_P10, err));
    for (uint32_t i = 0; i < 2; i++) {
        agree_setting s = { &a, &b, sizes[i], 0.0, false };
        const iv_experiment by_means = { IV_COVERAGE_AGREE, "simulated", orders, ORDERS, 600,
                                         (70 << 4) + i, order_replicate, &s, room_new };
        const iv_experiment by_families = { IV_COVERAGE_AGREE, "simulated", orders, ORDERS, 600,
                                            (165 << 4) + i, order_replicate, &s, room_new };
        const iv_experiment by_topics = { IV_COVERAGE_AGREE, "simulated", again, REPRODUCED,
                                          3000, (71 << 4) + i, reproduction_replicate, &s,
                                          room_new };
        IV_TRY(iv_experiment_run(c, &by_means, err, "%zu topics, %d runs", s.n, ORDERED));
        s.moved = 0.1;
        IV_TRY(iv_experiment_run(c, &by_means, err, "%zu topics, %d runs, moved", s.n, ORDERED));
        IV_TRY(iv_experiment_run(c, &by_topics, err, "%zu topics", s.n));
        s.copies = true;
        IV_TRY(iv_experiment_run(c, &by_families, err, "%zu topics, %d runs in %d families, moved",
                                 s.n, MOST, FAMILIES));
        s.moved = 0.0;
        IV_TRY(iv_experiment_run(c, &by_families, err, "%zu topics, %d runs in %d families", s.n,
                                 MOST, FAMILIES));
    }
    return iv_coverage_labels(c, err);
}
