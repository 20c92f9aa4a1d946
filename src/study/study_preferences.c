/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of strengths of systems for other judges, whose tastes differ. */
#include "base/err.h"
#include "stat/preference.h"
#include "study/study.h"

enum { SYSTEMS = 5, ITEMS = 100 };

/* Judges of different taste, who see the same items. */
typedef struct tastes {
    size_t judges, votes; /* of each judge */
    double sd;            /* of a judge's own strength of a system, beside what all share */
    double confidence;
} tastes;

/* Systems that are equally strong over all judges; votes without ties on random items. */
static void draw_votes(iv_vote *votes, const tastes *s, double *item_taste, iv_stream *stream)
{
    enum { TASTES = ITEMS * SYSTEMS };

    for (size_t i = 0; i < TASTES; i++)
        item_taste[i] = 0.5 * iv_draw_normal(stream);
    for (size_t j = 0; j < s->judges; j++) {
        double taste[SYSTEMS];
        for (size_t k = 0; k < SYSTEMS; k++)
            taste[k] = s->sd * iv_draw_normal(stream);
        for (size_t v = 0; v < s->votes; v++) {
            iv_vote *x = &votes[j * s->votes + v];
            const size_t item = iv_draw_below(stream, ITEMS);
            const size_t a = iv_draw_below(stream, SYSTEMS);
            const size_t b = (a + 1 + iv_draw_below(stream, SYSTEMS - 1)) % SYSTEMS;
            const double d = taste[a] - taste[b] + item_taste[item * SYSTEMS + a]
                - item_taste[item * SYSTEMS + b];
            *x = (iv_vote){ (uint32_t)a, (uint32_t)b, (uint32_t)item, (uint32_t)j,
                            iv_draw_uniform(stream) < 1.0 / (1.0 + exp(-d)) ? IV_PREFERS_A
                                                                            : IV_PREFERS_B };
        }
    }
}

static int taste_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const tastes *s = user;
    iv_study_room *w = memory;
    const size_t count = s->judges * s->votes;
    iv_arena own = { 0 };
    iv_vote *votes = iv_take(&own, count, sizeof *votes);
    int rc = iv_taken(&own, err);

    if (rc == IV_OK)
        draw_votes(votes, s, w->x, stream);
    for (size_t k = 0; rc == IV_OK && k < 2; k++) {
        const size_t by_judge = k == 1 || s->judges >= IV_MANY_JUDGES ? s->judges : 0;
        iv_preferences f;
        rc = iv_preference_fit(&f, votes, count, SYSTEMS, ITEMS, by_judge, false, s->confidence,
                               &own, err);
        if (rc == IV_OK && f.gap == IV_PREFERENCE_EXISTS)
            iv_tally_interval(&t[k], f.systems[0].value, f.systems[0].lower, f.systems[0].upper,
                              0.0);
    }
    iv_arena_free(&own);
    return rc;
}

int iv_study_preferences(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = {
        { .quantity = "strength for other judges", .method = "default of prefer" },
        { .quantity = "strength for other judges", .method = "clustered by item and judge" } };
    static const size_t judges[] = { 3, 10, 20, 50 };

    for (size_t i = 0; i < IV_PREFERENCE_SETTINGS; i++) {
        tastes x = { judges[i / 2], 60, i % 2 == 0 ? 0.0 : 0.7, s->confidence };
        const iv_experiment e = { "votes without ties", methods, 2, 2000, taste_replicate, &x,
                                  .room = { ITEMS * SYSTEMS } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu judges, tastes of sd %g", x.judges, x.sd));
    }
    return IV_OK;
}
