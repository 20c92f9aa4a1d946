/* SPDX-License-Identifier: Apache-2.0 */
#include "study/judging_study.h"

#include <math.h>

#include "intervale/stat/sign_power.h"

/*
 * Each pair has so many streams of its own: of the pilots' purpose for training
 * on all topics and on the pilot, and for forecasts; of the study's for trials
 * by design and for the choice of the pilot.
 */
enum {
    STREAMS = 1 << 17, PILOT_STREAMS = 1 << 15, FORECAST_STREAMS = 1 << 16,
    TRIAL_STREAMS = 1 << 14, ORDER_STREAM = STREAMS - 1
};

static uint64_t stream_of(const iv_judging_pair *x, uint64_t k)
{
    return (uint64_t)x->number * STREAMS + k;
}

static void paths_end(void *paths) { iv_paths_free(paths); }

static int make_paths(iv_judging_pair *x, iv_arena *own, const iv_judging_setting *s, iv_err *err)
{
    const iv_paths_options how = { .prior = s->o->prior, .form = s->o->form,
                                   .order = s->o->order,
                                   .no_answer = IV_NO_ANSWER_NONRELEVANT };
    const size_t n = iv_pooled_topics(s->p);
    iv_stream stream = iv_stream_start(s->seed, IV_FOR_STUDY, stream_of(x, ORDER_STREAM));

    x->order = iv_take(own, n, sizeof *x->order);
    IV_TRY(iv_taken(own, err));
    (void)iv_draw_sequence(&stream, x->order, n, n);
    IV_TRY(iv_paths_new(&x->paths, s->p, x->a, x->b, &how, "", s->inner, err));
    (void)iv_own(own, x->paths, paths_end);
    return iv_taken(own, err);
}

static void find_truth(iv_judging_pair *x, const iv_judging_setting *s)
{
    double wins = 0.0, losses = 0.0;

    for (size_t t = 0; t < iv_pooled_topics(s->p); t++) {
        const double d = iv_paths_truth(x->paths, t);
        x->truth += d;
        wins += d > 0.0;
        losses += d < 0.0;
    }
    x->effect = wins + losses > 0.0 ? (wins - losses) / (wins + losses) : 0.0;
}

/* ------------------------------------------------------------ certainty -- */

/* As deep as their pools, or as many looks. */
enum { MOST_LOOKS = 101 };

static bool look(void *user, const iv_paths_view *v)
{
    iv_judging_pair *x = user;
    const double c = iv_sign_confidence(v->sum);
    const double at = (c - 0.5) * 2.0 * IV_CERTAINTY_BINS;
    const size_t bin = at < IV_CERTAINTY_BINS ? (size_t)at : IV_CERTAINTY_BINS - 1;
    iv_certainty_sum *s = &x->certainty[bin];

    if (v->judgments > 0 && x->truth != 0.0) {
        s->points++;
        s->confidence += c;
        s->right += v->sum.mean * x->truth > 0.0;
        s->topic_right += v->right;
        s->topic_all += v->right + v->wrong;
    }
    return ++x->looked < MOST_LOOKS;
}

static int watch(iv_judging_pair *x, iv_arena *own, const iv_judging_setting *s, iv_err *err)
{
    const size_t n = iv_pooled_topics(s->p);
    size_t *all = iv_take(own, n, sizeof *all);


    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < n; t++)
        all[t] = t;
    return iv_paths_watch(x->paths, all, n, n, look, x, s->inner, err);
}

/* --------------------------------------------------------------- trials -- */

static void record(iv_judging_pair *x, const iv_judging_setting *s, int design,
                   double certainty, size_t wins, size_t losses)
{
    const double h = fabs(x->effect);
    const size_t bin = h < 1.0 ? (size_t)(h * IV_POWER_BINS) : IV_POWER_BINS - 1;
    const size_t for_it = x->effect >= 0.0 ? wins : losses, told = wins + losses;
    iv_power_sum *p = &x->power[design][bin];

    if (told == 0)
        return;
    p->trials++;
    p->effect += h;
    p->adjusted += h * (2.0 * certainty - 1.0);
    p->observed += 2.0 * (double)for_it / (double)told - 1.0;
    p->rejected += (int64_t)for_it >= iv_sign_critical((int64_t)told, s->o->alpha);
    p->predicted += iv_sign_power((int64_t)s->o->topics, h, s->o->alpha, IV_GREATER);
}

/* `trials` samples of the topics outside the pilot, judged to a certainty. */
static int try_design(size_t *first, iv_judging_pair *x, iv_arena *own,
                      const iv_judging_setting *s, int design, size_t topics, double certainty,
                      iv_err *err)
{
    const size_t rest = iv_pooled_topics(s->p) - s->o->pilot;
    size_t *sample = iv_take(own, topics, sizeof *sample);

    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < s->o->trials; k++) {
        iv_stream stream = iv_stream_start(
            s->seed, IV_FOR_STUDY,
            stream_of(x, (uint64_t)design * TRIAL_STREAMS + k));
        size_t made = SIZE_MAX, wins = 0, losses = 0;
        iv_pilot_draw(sample, topics, x->order + s->o->pilot, rest, &stream);
        IV_TRY(iv_paths_judge(&made, &wins, &losses, x->paths, sample, topics, &certainty, 1,
                              s->inner, err));
        record(x, s, design, certainty, wins, losses);
        if (k == 0 && first != NULL)
            *first = made;
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- pilot -- */

/* Fits the pilot's model and finds the plan of plan pilot, with where it says that the
 * judgments are going to be. */
static int plan_from_pilot(iv_cost_choice *out, iv_forecast *f, iv_judging_pair *x, iv_arena *own,
                           const iv_judging_setting *s, iv_err *err)
{
    const iv_forecasting how = { s->o->forecasts, s->o->confidence, s->o->prices,
                                 stream_of(x, FORECAST_STREAMS) };
    size_t sizes[IV_PILOT_SIZES];
    const size_t count = iv_pilot_sizes(sizes, 20 * s->o->pilot);
    iv_pilot_row *rows = iv_take(own, count * IV_PILOT_LEVELS, sizeof *rows);
    iv_cost_model model;

    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_pilot_train(rows, x->paths, x->order, s->o->pilot, sizes, count, 10,
                          stream_of(x, PILOT_STREAMS), s->inner, err));
    IV_TRY(iv_pilot_fit(&model, NULL, rows, count * IV_PILOT_LEVELS, err));
    return iv_pilot_plan(out, f, &model, (double)s->o->topics, x->paths, x->order, s->o->pilot, &how,
                         s->inner, err);
}

static int follow_pilot(iv_judging_pair *x, iv_arena *own, const iv_judging_setting *s,
                        iv_err *err)
{
    const double certain = 1.0;
    iv_cost_choice choice;
    iv_forecast f;
    iv_cost_trial *t = &x->trial;
    const int rc = plan_from_pilot(&choice, &f, x, own, s, err);

    /* A pilot may say nothing, or something that nobody would follow. */
    if (rc == IV_ENODATA || rc == IV_ENUM || (rc == IV_OK && choice.topics > 5000.0))
        return IV_OK;
    IV_TRY(rc);
    *t = (iv_cost_trial){ .a = x->a, .b = x->b, .topics = f.topics, .certainty = f.certainty,
                          .predicted = choice.judgments, .lower = f.lower, .upper = f.upper };
    IV_TRY(iv_paths_judge(&t->start_up, NULL, NULL, x->paths, x->order, s->o->pilot, &certain, 1,
                          s->inner, err));
    IV_TRY(try_design(&t->actual, x, own, s, IV_DESIGN_PILOT, t->topics, t->certainty, err));
    x->has_trial = true;
    return IV_OK;
}

static int study_pair(iv_judging_pair *x, iv_arena *own, const iv_judging_setting *s, iv_err *err)
{
    size_t certain = SIZE_MAX;

    IV_TRY(make_paths(x, own, s, err));
    find_truth(x, s);
    IV_TRY(watch(x, own, s, err));
    IV_TRY(iv_pilot_train(x->row, x->paths, NULL, iv_pooled_topics(s->p), s->sizes, s->size_count,
                          s->o->trials, stream_of(x, 0), s->inner, err));
    IV_TRY(try_design(&certain, x, own, s, IV_DESIGN_CERTAIN, s->o->topics, 1.0, err));
    IV_TRY(follow_pilot(x, own, s, err));
    x->trial.certain = certain;
    return IV_OK;
}

int iv_judging_pair_study(iv_judging_pair *x, const iv_judging_setting *s,
                          const iv_cost_choice *choice, iv_err *err)
{
    iv_arena own = { 0 };
    int rc = choice == NULL ? study_pair(x, &own, s, err) : make_paths(x, &own, s, err);

    if (rc == IV_OK && choice != NULL)
        rc = try_design(NULL, x, &own, s, IV_DESIGN_MODEL, (size_t)ceil(choice->topics - 1e-9),
                        choice->certainty, err);
    iv_arena_free(&own);
    return rc;
}
