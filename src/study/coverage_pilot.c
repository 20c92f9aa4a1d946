/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of what plan pilot foresees: for two runs of a collection, ten of
 * its topics are the pilot; the experiment that it recommends is then made on
 * other topics, and its judgments are counted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/pilot_training.h"
#include "study/coverage_parts.h"

/* Plans of some certainty, plans of little, certain topics. */
enum { PLANNED, EXTREME, CERTAIN, KINDS };

enum { PILOT = 10, FORECASTS = 200, MOST_TOPICS = 5000 };

/* The judgments of some topics of p, as a file would have them. */
static int judgments_of(iv_judgments **out, const iv_made *s, const iv_pooled *p,
                        const size_t *topics, size_t count, iv_err *err)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    int rc = f == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const iv_str id = iv_pooled_topic(p, topics[i]);
        const size_t at = iv_judgments_find_topic(s->judgments, id);
        const iv_judgment *j;
        const size_t n = at == IV_NONE ? 0 : iv_judgments_of(&j, s->judgments, at);
        for (size_t k = 0; k < n; k++)
            (void)fprintf(f, "%.*s 0 %.*s %d\n", (int)id.len, id.ptr, (int)j[k].docno.len,
                          j[k].docno.ptr, (int)j[k].grade);
    }
    if (f != NULL && fclose(f) != 0)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK)
        rc = iv_judgments_parse(out, "the pilot", text, len, IV_JUDGMENTS_QRELS, NULL, err);
    free(text);
    return rc;
}

/* What really happens: judgments of `plan->topics` others; infinite: no end. */
static int happens(double *judgments, iv_arena *own, iv_paths *paths, const iv_forecast *plan,
                   const size_t *rest, size_t rest_count, iv_stream *stream, const iv_work *work,
                   iv_err *err)
{
    size_t *sample = iv_take(own, plan->topics, sizeof *sample), made = SIZE_MAX;

    IV_TRY(iv_taken(own, err));
    iv_pilot_draw(sample, plan->topics, rest, rest_count, stream);
    IV_TRY(iv_paths_judge(&made, NULL, NULL, paths, sample, plan->topics, &plan->certainty, 1,
                          work, err));
    *judgments = made == SIZE_MAX ? INFINITY : (double)made;
    return IV_OK;
}

/* The plan and the certain design at each level; false: there is no plan. */
static int foresee(iv_forecast plans[2][IV_COVERAGE_LEVELS], bool *planned,
                   const iv_pooled *pilot, uint64_t seed, const iv_work *inner, iv_err *err)
{
    iv_pilot_options o = { .no_answer = IV_NO_ANSWER_NONRELEVANT, .forecasts = FORECASTS };
    iv_work work = *inner;

    work.seed = seed;
    *planned = true;
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        iv_pilot p;
        o.confidence = iv_coverage_levels()[k];
        const int rc = iv_pilot_study(&p, pilot, 0, 1, &o, "the pilot", &work, err);
        if (rc == IV_ENODATA || rc == IV_ENUM) {
            *planned = false;
            return IV_OK;
        }
        IV_TRY(rc);
        plans[0][k] = p.recommended;
        plans[1][k] = p.certain;
        iv_pilot_clear(&p);
    }
    return IV_OK;
}

/* Such plans judge next to nothing of thousands of topics: told apart. */
static bool is_extreme(const iv_forecast *plan)
{
    return plan->certainty < 0.65;
}

/* One pair and one pilot at work. */
typedef struct trial {
    const iv_made *of;
    iv_arena own;
    iv_pooled *all, *pilot; /* all topics, and those of the pilot */
    iv_judgments *judged;
    iv_paths *paths;
    size_t *topics;         /* their numbers; the pilot's come first */
} trial;

static int judge_plan(iv_tally *t, const iv_forecast *plans, trial *x, iv_stream *stream,
                      iv_err *err)
{
    double made = 0.0;

    if (plans[0].topics > MOST_TOPICS || isnan(plans[0].lower)) {
        t->gaps++;
        return IV_OK;
    }
    IV_TRY(happens(&made, &x->own, x->paths, &plans[0], x->topics + PILOT,
                   iv_pooled_topics(x->all) - PILOT, stream, x->of->inner, err));
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++)
        iv_tally_put(t, k, plans[k].lower, plans[k].upper, made);
    return IV_OK;
}

static int try_pilot(iv_tally *t, trial *x, const iv_run *const *pair, iv_stream *stream,
                     iv_err *err)
{
    const iv_pooled_options pool = { .depth = 100, .level = 1, .judged_topics = true };
    const iv_paths_options how = { .no_answer = IV_NO_ANSWER_NONRELEVANT };
    const iv_work *inner = x->of->inner;
    iv_forecast plans[2][IV_COVERAGE_LEVELS];
    bool planned = false;

    IV_TRY(iv_pooled_new(&x->all, pair, 2, x->of->judgments, &pool, inner, err));
    const size_t count = iv_pooled_topics(x->all);
    if (count < 2 * PILOT)
        return iv_fail(err, IV_ENODATA, "a pair of runs shares %zu judged topics, expected %d",
                       count, 2 * PILOT);
    x->topics = iv_take(&x->own, count, sizeof *x->topics);
    IV_TRY(iv_taken(&x->own, err));
    for (size_t i = 0; i < count; i++)
        x->topics[i] = i;
    iv_draw_shuffle(stream, x->topics, count, sizeof *x->topics);
    IV_TRY(judgments_of(&x->judged, x->of, x->all, x->topics, PILOT, err));
    IV_TRY(iv_pooled_new(&x->pilot, pair, 2, x->judged, &pool, inner, err));
    IV_TRY(foresee(plans, &planned, x->pilot, iv_draw_bits(stream), inner, err));
    IV_TRY(iv_paths_new(&x->paths, x->all, 0, 1, &how, "", inner, err));
    for (int k = 0; k < 2; k++) {
        iv_tally *tally = &t[k == 1 ? CERTAIN : planned && is_extreme(plans[0]) ? EXTREME : PLANNED];
        if (planned)
            IV_TRY(judge_plan(tally, plans[k], x, stream, err));
        else
            tally->gaps++;
    }
    return IV_OK;
}

static int replicate(iv_tally *t, void *user, void *work, size_t number, iv_stream *stream,
                     iv_err *err)
{
    trial x = { .of = user };
    const size_t a = (size_t)iv_draw_below(stream, x.of->run_count);
    const size_t b = (a + 1 + (size_t)iv_draw_below(stream, x.of->run_count - 1))
        % x.of->run_count;
    const iv_run *const pair[2] = { x.of->runs[a], x.of->runs[b] };
    const int rc = try_pilot(t, &x, pair, stream, err);

    (void)work;
    (void)number;
    iv_paths_free(x.paths);
    iv_pooled_free(x.pilot);
    iv_judgments_free(x.judged);
    iv_pooled_free(x.all);
    iv_arena_free(&x.own);
    return rc;
}

static int pilots(iv_coverage *c, iv_made of, uint32_t number, iv_err *err)
{
    static const char *const names[KINDS] = { "judgments of a plan of certainty .65 or more, pilot",
                                              "judgments of a plan of certainty below .65, pilot",
                                              "judgments of 25 certain topics, pilot" };

    of.inner = &c->asking.inner;
    return iv_experiment_run(c, &(iv_experiment){ IV_COVERAGE_PLAN, of.data, names, KINDS, 60,
                                                  number << 4, replicate, &of }, err,
                             "%d pilot topics", PILOT);
}

int iv_coverage_plan(iv_coverage *c, iv_err *err)
{
    const iv_simulation_options options = { .seed = iv_work_seed(c->whole) + 2, .documents = 300,
                                            .prevalence = 0.05, .runs = 10, .depth = 100 };
    const iv_made given = iv_made_given(c->o);
    iv_made made;

    iv_coverage_steps(c, c->o->scores != NULL ? 14 : 7);
    IV_TRY(iv_coverage_plan_topics(c, err));
    IV_TRY(iv_made_new(&made, c, &options, 150, err));
    IV_TRY(pilots(c, made, 41, err));
    return given.run_count > 1 ? pilots(c, given, 42, err) : IV_OK;
}
