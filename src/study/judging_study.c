/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of runs one by one, on all cores; sums in the order of the pairs. */
#include <math.h>

#include "base/parallel.h"
#include "intervale/stat/paired.h"
#include "study/judging_study.h"

static iv_judging_study_options with_defaults(const iv_judging_study_options *o)
{
    iv_judging_study_options x = *o;

    x.topics = x.topics == 0 ? 25 : x.topics;
    x.pilot = x.pilot == 0 ? 10 : x.pilot;
    x.trials = x.trials == 0 ? 4 : x.trials;
    x.alpha = x.alpha == 0.0 ? 0.05 : x.alpha;
    x.forecasts = x.forecasts == 0 ? 200 : x.forecasts;
    x.confidence = x.confidence == 0.0 ? 0.95 : x.confidence;
    return x;
}

static int check(const iv_pooled *p, const iv_judging_study_options *o, iv_err *err)
{
    if (iv_pooled_runs(p) < 2)
        return iv_fail(err, IV_ENODATA, "one run, expected at least two");
    if (o->pilot < 2 || o->topics < 2 || o->trials < 1 || o->trials > 1000)
        return iv_fail(err, IV_EARG, "a pilot of %zu topics, %zu topics, %zu trials: expected "
                       "at least two, two and one (to 1000)", o->pilot, o->topics, o->trials);
    if (iv_pooled_topics(p) <= o->pilot)
        return iv_fail(err, IV_ENODATA, "%zu topics, expected more than the pilot's %zu",
                       iv_pooled_topics(p), o->pilot);
    if (!(o->alpha > 0.0 && o->alpha < 1.0))
        return iv_fail(err, IV_EARG, "alpha %g, expected between 0 and 1", o->alpha);
    if (o->forecasts < 10 || o->forecasts > 10000
        || !(o->confidence > 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "%zu forecasts with confidence %g, expected 10 to 10000 "
                       "and between 0 and 1", o->forecasts, o->confidence);
    return IV_OK;
}

/* Some of the pairs by lot, in their own order; all if there are no more. */
static int draw_pairs(iv_judging_pair **out, size_t *count, iv_arena *own,
                      const iv_judging_setting *s, iv_err *err)
{
    const size_t runs = iv_pooled_runs(s->p), all = iv_pair_count(runs);
    const size_t n = s->o->pairs == 0 || s->o->pairs > all ? all : s->o->pairs;
    iv_stream stream = iv_stream_start(s->seed, IV_FOR_STUDY, UINT64_MAX - 1);
    iv_judging_pair *x = iv_take(own, n, sizeof *x);
    size_t *chosen = iv_take(own, n, sizeof *chosen), k = 0;

    IV_TRY(iv_taken(own, err));
    (void)iv_draw_subset(&stream, chosen, n, all);
    for (size_t a = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs && k < n; b++) {
            if (iv_pair_index(runs, a, b) != chosen[k])
                continue;
            x[k] = (iv_judging_pair){ .a = a, .b = b, .number = k };
            x[k++].row = iv_take(own, s->size_count * IV_PILOT_LEVELS, sizeof(iv_pilot_row));
        }
    *out = x;
    *count = n;
    return iv_taken(own, err);
}

/* One of the two parts for every pair: choice is NULL in the first. */
typedef struct job {
    iv_judging_pair *pair;
    const iv_judging_setting *s;
    const iv_cost_choice *choice;
} job;

static int one_pair(void *user, void *memory, size_t k, iv_err *err)
{
    const job *j = user;

    (void)memory;
    return iv_judging_pair_study(&j->pair[k], j->s, j->choice, err);
}

static int study_pairs(iv_judging_pair *pair, size_t count, iv_judging_setting *s,
                       const iv_cost_choice *choice, const iv_work *work, iv_err *err)
{
    iv_asking asking;
    iv_stage stage;

    iv_asking_start(&asking, iv_work_part(&stage, work, choice == NULL ? 0.0 : 0.8,
                                          choice == NULL ? 0.8 : 1.0));
    s->inner = &asking.inner;
    return iv_parallel(&(iv_loop){ count, one_pair, &(job){ pair, s, choice }, NULL },
                       &asking.outer, err);
}

/* ------------------------------------------------------------------ sums -- */

static void sum_certainty(iv_judging_study *out, const iv_judging_pair *pair)
{
    for (size_t b = 0; b < IV_CERTAINTY_BINS; b++) {
        iv_certainty_sum sum = { 0 };
        for (size_t k = 0; k < out->pairs; k++) {
            const iv_certainty_sum *c = &pair[k].certainty[b];
            sum.points += c->points;
            sum.right += c->right;
            sum.topic_right += c->topic_right;
            sum.topic_all += c->topic_all;
            sum.confidence += c->confidence;
        }
        const double n = sum.points > 0 ? (double)sum.points : (double)NAN;
        out->certainty[b] = (iv_certainty_bin){
            0.5 + 0.05 * (double)b, 0.55 + 0.05 * (double)b, sum.points, sum.confidence / n,
            (double)sum.right / n,
            sum.topic_all > 0 ? (double)sum.topic_right / (double)sum.topic_all : (double)NAN };
    }
}

static void sum_powers(iv_judging_study *out, const iv_judging_pair *pair)
{
    for (size_t d = 0; d < IV_POWER_DESIGNS; d++) {
        for (size_t b = 0; b < IV_POWER_BINS; b++) {
            iv_power_sum sum = { 0 };
            for (size_t k = 0; k < out->pairs; k++) {
                const iv_power_sum *p = &pair[k].power[d][b];
                sum.trials += p->trials;
                sum.rejected += p->rejected;
                sum.effect += p->effect;
                sum.adjusted += p->adjusted;
                sum.observed += p->observed;
                sum.predicted += p->predicted;
            }
            const double n = sum.trials > 0 ? (double)sum.trials : (double)NAN;
            out->power[d][b] = (iv_power_bin){
                0.1 * (double)b, 0.1 * (double)(b + 1), sum.trials, sum.effect / n,
                sum.adjusted / n, sum.observed / n, (double)sum.rejected / n,
                sum.predicted / n };
        }
    }
}

/* Mean judgments over pairs and their samples. */
static int sum_rows(iv_judging_study *out, const iv_judging_pair *pair,
                    const iv_judging_setting *s, iv_err *err)
{
    out->rows = s->size_count * IV_PILOT_LEVELS;
    out->row = iv_take(&out->own, out->rows, sizeof *out->row);
    IV_TRY(iv_taken(&out->own, err));
    for (size_t i = 0; i < out->rows; i++) {
        iv_pilot_row *r = &out->row[i];
        r->certainty = pair[0].row[i].certainty;
        r->topics = pair[0].row[i].topics;
        for (size_t k = 0; k < out->pairs; k++) {
            r->samples += pair[k].row[i].samples;
            r->reached += pair[k].row[i].reached;
            r->judgments += pair[k].row[i].judgments * (double)pair[k].row[i].reached;
        }
        r->judgments /= fmax(1.0, (double)r->reached);
    }
    return iv_pilot_fit(&out->model, NULL, out->row, out->rows, err);
}

static int list_trials(iv_judging_study *out, const iv_judging_pair *pair, iv_err *err)
{
    out->trial = iv_take(&out->own, out->pairs, sizeof *out->trial);
    IV_TRY(iv_taken(&out->own, err));
    for (size_t k = 0; k < out->pairs; k++) {
        if (pair[k].has_trial)
            out->trial[out->trials++] = pair[k].trial;
    }
    out->pairs_without_model = out->pairs - out->trials;
    return IV_OK;
}

static int study(iv_judging_study *out, iv_arena *own, iv_judging_setting *s, const iv_work *work,
                 iv_err *err)
{
    iv_judging_pair *pair = NULL;

    IV_TRY(check(s->p, s->o, err));
    s->size_count = iv_pilot_sizes(s->sizes, iv_pooled_topics(s->p));
    IV_TRY(draw_pairs(&pair, &out->pairs, own, s, err));
    IV_TRY(study_pairs(pair, out->pairs, s, NULL, work, err));
    IV_TRY(sum_rows(out, pair, s, err));
    IV_TRY(iv_cost_least(&out->choice, &out->model, (double)s->o->topics, &s->o->prices,
                         iv_pilot_levels[0], err));
    if (out->choice.topics <= 5000.0)
        IV_TRY(study_pairs(pair, out->pairs, s, &out->choice, work, err));
    sum_certainty(out, pair);
    sum_powers(out, pair);
    return list_trials(out, pair, err);
}

int iv_judging_study_run(iv_judging_study *out, const iv_pooled *p,
                         const iv_judging_study_options *options, const iv_work *work,
                         iv_err *err)
{
    const iv_judging_study_options o = with_defaults(options);
    iv_judging_setting s = { .p = p, .o = &o, .seed = iv_work_seed(work) };
    iv_judging_study found = { .pairs = 0 };
    iv_arena own = { 0 };
    const int rc = study(&found, &own, &s, work, err);

    if (rc == IV_OK)
        *out = found;
    else
        iv_judging_study_clear(&found);
    iv_arena_free(&own);
    return rc;
}

void iv_judging_study_clear(iv_judging_study *s)
{
    iv_arena_free(&s->own);
}
