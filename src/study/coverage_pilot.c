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
static int happens(double *judgments, iv_paths *paths, const iv_forecast *plan,
                   const size_t *rest, size_t rest_count, iv_stream *stream, iv_err *err)
{
    size_t *sample = malloc((plan->topics + 1) * sizeof *sample);
    size_t made = SIZE_MAX;
    int rc = sample == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK) {
        iv_pilot_draw(sample, plan->topics, rest, rest_count, stream);
        rc = iv_paths_judge(&made, NULL, NULL, paths, sample, plan->topics, &plan->certainty, 1,
                            NULL, err);
    }
    *judgments = made == SIZE_MAX ? INFINITY : (double)made;
    free(sample);
    return rc;
}

/* The plan and the certain design at each level; false: there is no plan. */
static int foresee(iv_forecast plans[2][IV_COVERAGE_LEVELS], bool *planned,
                   const iv_pooled *pilot, uint64_t seed, iv_err *err)
{
    iv_pilot_options o = { .no_answer = IV_NO_ANSWER_NONRELEVANT, .forecasts = FORECASTS };
    const iv_work work = { .seed = seed };

    *planned = true;
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        iv_pilot p;
        o.confidence = iv_coverage_levels()[k];
        const int rc = iv_pilot_study(&p, pilot, 0, 1, &o, "the pilot", &work, err);
        if (rc == IV_ENODATA || rc == IV_ENUM) {
            *planned = false;
            return IV_OK;
        }
        if (rc != IV_OK)
            return rc;
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

static int judge_plan(iv_tally *t, const iv_forecast *plans, iv_paths *paths, const size_t *rest,
                      size_t rest_count, iv_stream *stream, iv_err *err)
{
    double made = 0.0;
    int rc;

    if (plans[0].topics > MOST_TOPICS || isnan(plans[0].lower)) {
        t->gaps++;
        return IV_OK;
    }
    rc = happens(&made, paths, &plans[0], rest, rest_count, stream, err);
    for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++)
        iv_tally_put(t, k, plans[k].lower, plans[k].upper, made);
    return rc;
}

/* One pair and one pilot; topics: room for the numbers of all topics. */
static int try_pilot(iv_tally *t, const iv_made *s, const iv_pooled *all, size_t *topics,
                     const iv_run *const *pair, iv_stream *stream, iv_err *err)
{
    const iv_pooled_options pool = { .depth = 100, .level = 1, .judged_topics = true };
    const iv_paths_options how = { .no_answer = IV_NO_ANSWER_NONRELEVANT };
    const size_t count = iv_pooled_topics(all);
    iv_forecast plans[2][IV_COVERAGE_LEVELS];
    iv_judgments *judged = NULL;
    iv_pooled *pilot = NULL;
    iv_paths *paths = NULL;
    bool planned = false;
    int rc;

    for (size_t i = 0; i < count; i++)
        topics[i] = i;
    iv_draw_shuffle(stream, topics, count, sizeof *topics);
    rc = judgments_of(&judged, s, all, topics, PILOT, err);
    if (rc == IV_OK)
        rc = iv_pooled_new(&pilot, pair, 2, judged, &pool, NULL, err);
    if (rc == IV_OK)
        rc = foresee(plans, &planned, pilot, iv_draw_bits(stream), err);
    if (rc == IV_OK)
        rc = iv_paths_new(&paths, all, 0, 1, &how, "", NULL, err);
    for (int k = 0; k < 2 && rc == IV_OK; k++) {
        iv_tally *tally = &t[k == 1 ? CERTAIN : planned && is_extreme(plans[0]) ? EXTREME : PLANNED];
        if (planned)
            rc = judge_plan(tally, plans[k], paths, topics + PILOT, count - PILOT, stream, err);
        else
            tally->gaps++;
    }
    iv_paths_free(paths);
    iv_pooled_free(pilot);
    iv_judgments_free(judged);
    return rc;
}

static int replicate(iv_tally *t, void *user, void *work, size_t number, iv_stream *stream,
                     iv_err *err)
{
    const iv_made *s = user;
    const iv_pooled_options pool = { .depth = 100, .level = 1, .judged_topics = true };
    const size_t a = (size_t)iv_draw_below(stream, s->run_count);
    const size_t b = (a + 1 + (size_t)iv_draw_below(stream, s->run_count - 1)) % s->run_count;
    const iv_run *const pair[2] = { s->runs[a], s->runs[b] };
    iv_pooled *all = NULL;
    size_t *topics = NULL;
    int rc = iv_pooled_new(&all, pair, 2, s->judgments, &pool, NULL, err);

    (void)work;
    (void)number;
    if (rc == IV_OK && iv_pooled_topics(all) < 2 * PILOT)
        rc = iv_fail(err, IV_ENODATA, "a pair of runs shares %zu judged topics, expected %d",
                     iv_pooled_topics(all), 2 * PILOT);
    if (rc == IV_OK) {
        topics = malloc(iv_pooled_topics(all) * sizeof *topics);
        rc = topics == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                            : try_pilot(t, s, all, topics, pair, stream, err);
    }
    free(topics);
    iv_pooled_free(all);
    return rc;
}

static int pilots(iv_coverage *c, iv_made of, uint32_t number, iv_err *err)
{
    static const char *const names[KINDS] = { "judgments of a plan of certainty .65 or more, pilot",
                                              "judgments of a plan of certainty below .65, pilot",
                                              "judgments of 25 certain topics, pilot" };

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
