/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to watch: has a system that runs every night become worse than a baseline? */
#include "base/err.h"
#include "base/names.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "scores/comparing.h"
#include "scores/score_measures.h"
#include "scores/watching.h"
#include "stat/interval/limits.h"

#include <math.h>
#include <string.h>

enum { SYSTEMS = 1, NIGHTS_READ = 14, FEW_NIGHTS = 10 };

typedef struct night_row {
    const char *name, *system, *alarm;
    size_t number, items, window;
    double difference, mean, lower, upper, p, level;
} night_row;

const iv_field iv_watch_night_fields[] = {
    { "night", IV_AT(night_row, name), .about = "date, or name where there are no dates" },
    { "number", IV_AT(night_row, number), .audience = IV_FOR_PROGRAMS,
      .about = "of the night, from 1 on" },
    { "system", IV_AT(night_row, system), .needs = SYSTEMS, .about = "that ran" },
    { "items", IV_AT(night_row, items), .about = "that the baseline has, too" },
    { "difference", IV_AT(night_row, difference), .digits = 4,
      .about = "mean of this night less the baseline's" },
    { "nights", IV_AT(night_row, window),
      .about = "the test with the lowest upper limit is of so many nights, up to this one" },
    { "mean", IV_AT(night_row, mean), .digits = 4, .about = "difference over these nights" },
    { "lower", IV_AT(night_row, lower), .digits = 4, .heading = "lower limit",
      .about = "one-sided lower limit, simultaneous for all nights" },
    { "upper", IV_AT(night_row, upper), .digits = 4, .heading = "upper limit",
      .about = "one-sided upper limit" },
    { "p", IV_AT(night_row, p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "that these nights are not worse than the baseline by more than the margin" },
    { "level", IV_AT(night_row, level), .digits = 6, .audience = IV_FOR_PROGRAMS,
      .about = "that p must be below for an alarm" },
    { "alarm", IV_AT(night_row, alarm), .about = "this night raised an alarm" },
    { NULL } };

const iv_field iv_watch_tonight_fields[] = {
    { "test", IV_AT(night_row, name), .about = "the last night, or the last nights together" },
    { "since", IV_AT(night_row, system), .about = "first of these nights" },
    { "nights", IV_AT(night_row, window), .about = "how many these are" },
    { "difference", IV_AT(night_row, mean), .digits = 4, .about = "from the baseline" },
    { "lower", IV_AT(night_row, lower), .digits = 4, .heading = "lower limit",
      .about = "one-sided lower limit, simultaneous for all nights" },
    { "upper", IV_AT(night_row, upper), .digits = 4, .heading = "upper limit",
      .about = "one-sided upper limit" },
    { "p", IV_AT(night_row, p), .digits = 4,
      .about = "that these nights are not worse than the baseline by more than the margin" },
    { "level", IV_AT(night_row, level), .digits = 6,
      .about = "that p must be below for an alarm, corrected for all nights" },
    { NULL } };

static double confidence_of(const iv_watching *w)
{
    return w->asked->confidence == 0.0 ? 0.95 : w->asked->confidence;
}

static size_t horizon_of(const iv_watching *w)
{
    return w->asked->nights == 0 ? 365 : w->asked->nights;
}

/* ------------------------------------------------------------------ testing -- */

/* The range of differences: as stated, or of scores 0 and 1. */
static int find_range(iv_watching *w, iv_err *err)
{
    const iv_score_table *v = w->scored.v;
    const iv_reals *range = &w->asked->range;
    const double *all = iv_scored_values(&w->scored, 0);
    const size_t count = v->system_count * v->item_count;

    w->tested.low = w->tested.high = (double)NAN;
    if (range->count == 0 && !w->scored.binary && !iv_scores_binary(all, count))
        return IV_OK;
    if (range->count > 0 && (range->count != 2 || !(range->at[1] > range->at[0])))
        return iv_fail(err, IV_EARG, "--range: expected LOW,HIGH with LOW below HIGH");
    w->tested.high = range->count == 2 ? range->at[1] - range->at[0] : 1.0;
    w->tested.low = -w->tested.high;
    for (size_t i = 0; range->count == 2 && i < count; i++)
        if (all[i] < range->at[0] || all[i] > range->at[1])
            return iv_fail(err, IV_EARG, "the score %g, outside --range %g,%g", all[i],
                           range->at[0], range->at[1]);
    return IV_OK;
}

/* Of raw scores that have two values, as right and wrong: how far these are apart, over the
 * baseline's runs of an item, on a night if it runs every night; else 0. */
static double unit_of(const iv_watching *w)
{
    const iv_score_table *v = w->scored.v;
    double runs = 0.0, items = 0.0, one = (double)NAN, other = (double)NAN;

    for (size_t i = 0; i < v->count; i++) {
        const iv_one_score *x = &v->scores[i];
        if (x->measure != w->scored.definitions[0].number)
            continue;
        if (isnan(one))
            one = x->score;
        else if (isnan(other) && x->score != one)
            other = x->score;
        if (x->score != one && !(x->score == other))
            return 0.0;
        for (size_t b = 0; b < w->baseline_count; b++)
            runs += x->system == w->baselines[b];
    }
    for (size_t t = 0; t < v->item_count; t++) {
        double nights = 0.0;
        for (size_t b = 0; b < w->baseline_count; b++)
            nights += !isnan(iv_scored_values(&w->scored, 0)[w->baselines[b] * v->item_count + t]);
        items += w->nightly ? nights : nights > 0.0;
    }
    return runs > 0.0 && !isnan(other) ? fabs(one - other) * items / runs : 0.0;
}

static int test(iv_watching *w, iv_structure *alone, iv_err *err)
{
    const iv_score_table *v = w->scored.v;
    const iv_promise promise = w->asked->promise;
    iv_night_levels levels;

    *alone = w->scored.structure[0];
    alone->repeat_variance = NULL; /* what repeats of a night share is in the night's shift */
    alone->repeat_df = NULL;
    w->tested.structure = alone->cluster != NULL || alone->suite != NULL || alone->weight != NULL
        ? alone : NULL;
    w->tested.x = w->x;
    w->tested.nights = w->count;
    w->tested.items = v->item_count;
    w->tested.margin = w->asked->margin;
    w->tested.baselines = !w->nightly ? w->baseline_count : w->changes + 1 == w->count ? 0 : 1;
    if (w->count == 1)
        w->tested.baselines = 1;
    w->tested.unit = unit_of(w);
    IV_TRY(find_range(w, err));
    w->found = iv_take(w->scored.own, w->count, sizeof *w->found);
    IV_TRY(iv_taken(w->scored.own, err));
    iv_night_levels_begin(&levels, rint((1.0 - confidence_of(w)) * 1e12) / 1e12, horizon_of(w),
                          promise);
    IV_TRY(iv_nights_test(w->found, &w->tested, &levels, err));
    const iv_night *last = &w->found[w->count - 1];
    return last->alarm ? iv_nights_since(&w->since, &w->tested, w->count - 1, last->shift, err)
                       : IV_OK;
}

/* ---------------------------------------------------------------- reporting -- */

static night_row row_of(const iv_night_test *t)
{
    return (night_row){ .window = t->window, .mean = t->mean, .lower = t->lower,
                        .upper = t->upper, .p = t->p, .level = t->level };
}

static int put_tables(const iv_watching *w, iv_result *out, iv_err *err)
{
    night_row *rows = iv_take(w->scored.own, w->count, sizeof *rows), tonight[IV_NIGHT_TESTS];
    const iv_night *last = &w->found[w->count - 1];
    size_t tests = 0;
    bool systems = false;

    IV_TRY(iv_taken(w->scored.own, err));
    for (size_t i = 0; i < w->count; i++) {
        const iv_night *f = &w->found[i];
        rows[i] = row_of(&f->of[f->decisive]);
        rows[i].name = w->nights[i].name;
        rows[i].system = w->nights[i].system;
        rows[i].number = i + 1;
        rows[i].items = f->items;
        rows[i].difference = f->of[0].mean;
        rows[i].alarm = f->alarm ? "alarm" : "";
        systems = systems || strcmp(rows[i].system, rows[i].name) != 0;
    }
    for (size_t k = 0; k < IV_NIGHT_TESTS; k++) {
        if (last->of[k].window == 0)
            continue;
        tonight[tests] = row_of(&last->of[k]);
        tonight[tests].name = k == 0 ? "last night" : "last nights";
        tonight[tests++].system = w->nights[w->count - last->of[k].window].name;
    }
    IV_TABLE(out, "tonight", iv_watch_tonight_fields, tonight, tests,
             .drawn = { "difference", "lower", "upper" });
    IV_TABLE(out, "nights", iv_watch_night_fields, rows, w->count,
             .with = systems ? SYSTEMS : 0,
             .showing = w->count > NIGHTS_READ ? IV_LONG : IV_SHOWN);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "nights", .title = "Difference from the baseline",
        .caption = "The line is the difference over the last nights. The band is between its "
                   "limits, which are valid for all nights at once. A night raises an alarm when "
                   "the band is below the lowest line.", .x = "number", .value = "mean",
        .lower = "lower", .upper = "upper", .x_axis = { .title = "night" },
        .value_axis = { .title = "difference" },
        .lines = { { "baseline", 0.0, false },
                   { w->asked->margin > 0.0 ? "allowed loss" : NULL, -w->asked->margin,
                     false } } });
    return IV_OK;
}

/* Is it one system on all nights? */
static bool one_system(const iv_watching *w)
{
    bool same = w->scored.v->dates != NULL;

    for (size_t i = 1; i < w->count; i++)
        same = same && strcmp(w->nights[i].system, w->nights[0].system) == 0;
    return same;
}

/* The claim that the last night raises no alarm, and the answer. */
static void put_answer(const iv_watching *w, iv_result *out)
{
    const iv_watched_night *n = &w->nights[w->count - 1];
    const iv_night *last = &w->found[w->count - 1];
    const iv_night_test *t = &last->of[last->decisive];
    char over[64] = "on this night", figures[4][IV_FIGURE_SIZE], promise[160];
    /* The promise is not kept then: it is said where it stands. */
    const char *unless = w->tested.baselines == 0 ? ""
        : last->shift > 0.0 ? ", more while nights vary together"
        : ", more if whole nights vary together";
    iv_claim c = { .kind = IV_CLAIM_NOT_WORSE, .measure = w->scored.names[0],
                   .system = one_system(w) ? n->system : n->name, .baseline = w->asked->baseline,
                   .bound = w->asked->margin, .estimate = t->mean, .lower = t->lower,
                   .upper = t->upper, .p = t->p_above, .p_contrary = t->p, .level = t->level,
                   .method = "watch", .open_passes = true, .items = (double)last->items };

    iv_claim_outlook(&c);
    const bool alarm = iv_result_claim(out, &c)->verdict == IV_VERDICT_OTHERWISE;
    if (t->window > 1)
        (void)snprintf(over, sizeof over, "over the last %zu nights", t->window);
    if (w->asked->promise == IV_PROMISE_YEAR)
        (void)snprintf(promise, sizeof promise, "False alarms: at most %.3g %% of projects in %zu "
                       "nights%s", 100.0 * (1.0 - confidence_of(w)), horizon_of(w), unless);
    else
        (void)snprintf(promise, sizeof promise, "False alarms: one night in %zu on average%s",
                       horizon_of(w), unless);
    const double beside = -w->asked->margin;
    (void)iv_figure(figures[0], 4, fabs(t->mean), NAN);
    (void)iv_figure(figures[1], 4, t->lower, beside);
    (void)iv_figure(figures[2], 4, t->upper, beside);
    (void)iv_figure(figures[3], 2, c.detectable, NAN);
    if (alarm)
        iv_result_answer(out, "%s%s than %s since %s: by %s %s (limits %s and %s). %s.",
                         one_system(w) ? c.system : "", one_system(w) ? " is worse" : "Worse",
                         c.baseline, w->nights[w->since].name, figures[0], over, figures[1],
                         figures[2], promise);
    else if (isnan(t->upper))
        iv_result_answer(out, "%s raises no alarm: the difference from %s cannot be tested. %s.",
                         n->name, c.baseline, promise);
    else
        iv_result_answer(out, "%s raises no alarm: it is %s%s %s %s (limits %s and %s). A loss of "
                         "%s would raise one with probability 0.8. %s.", n->name,
                         t->mean == 0.0 ? "" : figures[0], t->mean == 0.0 ? "as good as"
                         : t->mean < 0.0 ? " worse than" : " better than", c.baseline, over,
                         figures[1], figures[2], figures[3], promise);
}

static void tell(const iv_watching *w, iv_result *out)
{
    const iv_night *last = &w->found[w->count - 1];
    const iv_watched_night *n = w->nights;
    const iv_message *rows = iv_watch_messages;
    size_t alarms = 0, latest = 0;

    for (size_t i = 0; i + 1 < w->count; i++) {
        alarms += w->found[i].alarm;
        latest = w->found[i].alarm ? i : latest;
    }
    IV_TELL(out, rows, "watch.lost-items", w->lost, { (double)w->expected },
            { n[w->count - 1].name });
    IV_TELL(out, rows, "watch.baseline-changed", w->tested.baselines == 1 ? w->changes : 0, { 0 },
            { n[w->first_change].name });
    IV_TELL(out, rows, "watch.shift", last->shift > 0.0 ? 1 : 0, { last->shift, last->shift_p });
    IV_TELL(out, rows, "watch.equal", isnan(last->of[0].p) ? 1U : 0U, { 0 });
    IV_TELL(out, rows, "watch.few-nights",
            w->tested.baselines > 0 && w->count < FEW_NIGHTS ? w->count : 0, { 0 });
    IV_TELL(out, rows, "watch.earlier", last->alarm ? 0 : alarms, { 0 }, { n[latest].name });
    IV_TELL(out, rows, "watch.new-items", w->fresh, { 0 });
    IV_TELL(out, rows, "watch.missing-nights", iv_watching_gaps(w), { 0 },
            { n[0].name, n[w->count - 1].name });
    IV_TELL(out, rows, "watch.equal-nights", w->equal, { 0 });
    iv_result_used(out, "watch");
    if (w->tested.unit > 0.0)
        iv_result_used(out, "two-more");
    if (last->shift > 0.0)
        iv_result_used(out, "shifts");
    if (w->tested.structure != NULL && w->tested.structure->cluster != NULL)
        iv_result_used(out, "clustered");
    iv_result_assumption(out, "Items are a sample of those of interest, and what a night draws "
                         "anew is independent of other nights.");
    if (w->tested.baselines > 0 && !(last->shift > 0.0))
        iv_result_assumption(out, "No night as a whole, nor the baseline's, is shifted.");
}

/* ------------------------------------------------------------------- answer -- */

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    iv_watching w = { .asked = asked };
    iv_score_input in = w.asked->scores;
    iv_structure structure;

    if (w.asked->baseline == NULL)
        return iv_fail(err, IV_EARG, "--baseline is needed: a system, or the date of a night");
    if (w.asked->measures.count > 1)
        return iv_fail(err, IV_EARG, "%zu measures, expected one", w.asked->measures.count);
    in.from.dated = true;
    IV_TRY(iv_scored_read(&w.scored, &in, &w.asked->measures, false, false, out, work, err));
    const iv_score_table *v = w.scored.v;
    if (v->human_count > 0)
        return iv_fail(err, IV_EARG, "watch does not use human labels: name no column for human");
    if (!iv_measure_is_mean(&w.scored.definitions[0]))
        return iv_fail(err, IV_EARG, "%s is not watched; only means are", w.scored.names[0]);
    IV_TRY(iv_refuse_error(v, w.scored.names[0], iv_scored_values(&w.scored, 0),
                           v->system_count * v->item_count, err));
    IV_TRY(iv_watching_nights(&w, err));
    IV_TRY(iv_watching_differences(&w, err));
    IV_TRY(test(&w, &structure, err));
    IV_TRY(put_tables(&w, out, err));
    put_answer(&w, out);
    tell(&w, out);
    return IV_OK;
}

int iv_answer_watch(iv_result *out, const iv_watch_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_SCORES_PARTS(iv_watch_question, scores.),
        IV_PART_OF(iv_watch_question, measures, TEXTS, "measure"),
        IV_PART_OF(iv_watch_question, margin, REAL, "the margin"),
        IV_PART_OF(iv_watch_question, range, REALS, "the range"),
        IV_CHOICE_OF(iv_watch_question, promise, iv_promise_names, "the promise"),
        IV_PART_OF(iv_watch_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
