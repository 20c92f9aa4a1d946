/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of strengths of systems for other judges, whose tastes differ, and of those by people
 * and a biased judge together. */
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
        const iv_preference_model of = { .systems = SYSTEMS, .items = ITEMS, .judges = by_judge,
                                         .confidence = s->confidence };
        rc = iv_preference_fit(&f, votes, count, &of, &own, err);
        if (rc == IV_OK && f.gap == IV_PREFERENCE_EXISTS)
            iv_tally_interval(&t[k], f.systems[0].value, f.systems[0].lower, f.systems[0].upper,
                              0.0);
    }
    iv_arena_free(&own);
    return rc;
}

/* A judge who prefers system 0, whatever the answers, and people on some of the comparisons. */
typedef struct biased {
    size_t labelled;
    double copies; /* how often the judge votes as people do; else by the preference alone */
    double confidence;
} biased;

enum { COMPARED = 1000, HUMAN = 0, JUDGE = 1 };

static size_t draw_biased(iv_vote *votes, const biased *s, double *taste, iv_stream *stream)
{
    const double bias = 1.5;
    size_t n = 0;

    for (size_t i = 0; i < (size_t)ITEMS * SYSTEMS; i++)
        taste[i] = 0.5 * iv_draw_normal(stream);
    for (size_t c = 0; c < COMPARED; c++) {
        const size_t item = c % ITEMS, a = iv_draw_below(stream, SYSTEMS);
        const size_t b = (a + 1 + iv_draw_below(stream, SYSTEMS - 1)) % SYSTEMS;
        const double d = taste[item * SYSTEMS + a] - taste[item * SYSTEMS + b];
        const double e = bias * ((double)(a == 0) - (double)(b == 0));
        iv_vote x = { (uint32_t)a, (uint32_t)b, (uint32_t)item, HUMAN, IV_PREFERS_A };
        if (iv_draw_uniform(stream) >= 1.0 / (1.0 + exp(-d)))
            x.winner = IV_PREFERS_B;
        if (iv_draw_below(stream, COMPARED - c) < s->labelled - n) /* so many in all, at random */
            votes[COMPARED + n++] = x;
        x.judge = JUDGE;
        if (iv_draw_uniform(stream) >= s->copies)
            x.winner = iv_draw_uniform(stream) < 1.0 / (1.0 + exp(-e)) ? IV_PREFERS_A
                                                                       : IV_PREFERS_B;
        votes[c] = x;
    }
    return COMPARED + n;
}

static int biased_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const biased *s = user;
    iv_study_room *w = memory;
    iv_preference_model of = { .systems = SYSTEMS, .items = ITEMS, .confidence = s->confidence };
    iv_arena own = { 0 };
    iv_vote *votes = iv_take(&own, 2 * COMPARED, sizeof *votes);
    iv_corrected_votes c = { 0 };
    iv_preferences f[3];
    int rc = iv_taken(&own, err);

    if (rc == IV_OK) {
        const size_t count = draw_biased(votes, s, w->x, stream);
        rc = iv_preference_fit(&f[1], votes + COMPARED, count - COMPARED, &of, &own, err);
        if (rc == IV_OK)
            rc = iv_preference_fit(&f[2], votes, COMPARED, &of, &own, err);
        if (rc == IV_OK)
            rc = iv_preference_correct(&c, votes, count, HUMAN, &f[2], &own, err);
    }
    of.weight = c.weight;
    of.unit = c.unit;
    if (rc == IV_OK)
        rc = iv_preference_fit(&f[0], c.votes, c.count, &of, &own, err);
    for (size_t k = 0; rc == IV_OK && k < 3; k++)
        if (f[k].gap == IV_PREFERENCE_EXISTS)
            iv_tally_interval(&t[k], f[k].systems[0].value, f[k].systems[0].lower,
                              f[k].systems[0].upper, 0.0);
    iv_arena_free(&own);
    return rc;
}

static int study_biased(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = {
        { .quantity = "strength by people", .method = "corrected" },
        { .quantity = "strength by people", .method = "human only" },
        { .quantity = "strength by people", .method = "judge only" } };
    static const size_t labelled[] = { 60, 120, 300 };

    for (size_t i = 0; i < IV_BIASED_SETTINGS; i++) {
        biased x = { labelled[i / 3], (double[]){ 0.0, 0.5, 0.8 }[i % 3], s->confidence };
        const iv_experiment e = { "votes of people and a biased judge", methods, 3, 1000,
                                  biased_replicate, &x, .room = { ITEMS * SYSTEMS } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu of %d comparisons by people, judge copies %.0f "
                                 "%%", x.labelled, COMPARED, 100.0 * x.copies));
    }
    return IV_OK;
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
    return study_biased(s, err);
}
