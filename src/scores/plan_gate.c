/* SPDX-License-Identifier: Apache-2.0 */
/* plan gate -- how many items let a gate pass if nothing changed, and what they find. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "retrieval/evaluation.h"
#include "scores/comparing.h"
#include "stat/paired/pair_p.h"
#include "stat/power/power.h"
#include "trec/run_source.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 12, REPEATED = 1, LOSS = 2, MOST_ITEMS = IV_PLAN_TOPICS_MAX };

/* What differences of a candidate and the baseline are like. */
typedef struct differences {
    bool binary;        /* 0/1 scores of independent items: exact */
    double discordant;  /* ... of which this proportion differs if nothing changed */
    double sd;          /* of the difference of an item */
    double effect;      /* items that count as one: of clusters */
    double shared;      /* variance that repeats add, however many items there are */
    const iv_variance_parts *parts; /* of a pilot with repeats; NULL: none */
    double repeats;     /* that sd and shared are for */
    double unit;        /* of binary scores: 1, or as they are coded */
} differences;

typedef struct row {
    size_t repeats, items, fails;
    double passes, finds;
} row;

const iv_field iv_plan_gate_fields[] = {
    { "repeats", IV_AT(row, repeats), .needs = REPEATED, .about = "scores of a system on an item" },
    { "items", IV_AT(row, items), .about = "number of items" },
    { "passes", IV_AT(row, passes), .digits = 3, .heading = "P(PASS) if nothing changed",
      .about = "probability of PASS if nothing changed" },
    { "finds", IV_AT(row, finds), .digits = 4, .heading = "loss found",
      .about = "smallest loss that fails with the power asked for" },
    { "fails", IV_AT(row, fails), .heading = "items to find the loss", .needs = LOSS,
      .about = "number of items with which the loss fails with the power asked for" },
    { NULL } };

typedef struct planning {
    iv_result *out;
    const iv_plan_gate_question *q;
    iv_compare_question asked;
    iv_comparing c;
    differences d;
    iv_variance_parts parts;
    double margin, level, power;
    size_t candidates, pilot; /* items of the pilot; 0: numbers were given */
} planning;

/* The variance of the mean difference of n items, r repeats each. */
static double variance(const differences *d, double n, double r)
{
    if (d->parts != NULL)
        return pow(iv_variance_se(d->parts, n, r), 2.0);
    return d->sd * d->sd * d->effect / n + d->shared * d->repeats / r;
}

/* The probability that n items demonstrate a mean above 0, if it is `above`. */
static int t_power(double *out, const planning *p, double n, double r, double above, iv_err *err)
{
    const iv_power_options o = { .sides = IV_ONE_SIDE, .alpha = p->level };
    const double size = sqrt(variance(&p->d, n, r) * n);
    iv_power at;

    if (n < 2.0) {
        *out = 0.0;
        return IV_OK;
    }
    IV_TRY(iv_power_at(&at, (size_t)n, fmin(IV_MOST_EFFECT, above / size), &o, NULL, err));
    *out = at.power;
    return IV_OK;
}

/* The number of independent items that n are worth. */
static int64_t worth(const planning *p, size_t n)
{
    return (int64_t)fmax(1.0, floor((double)n / p->d.effect));
}

/* The score that the test of 0/1 scores rejects from, of PASS or of FAIL. */
static double critical(const planning *p, size_t n, bool pass)
{
    const double margin = p->margin / p->d.unit;

    return p->d.binary ? iv_shares_critical(worth(p, n), pass ? -margin : margin, p->level)
                       : (double)NAN;
}

/* The probability of PASS with n items if nothing changed. */
static int passes(double *out, const planning *p, size_t n, double r, iv_err *err)
{
    return p->d.binary ? iv_shares_power(out, worth(p, n), -p->margin / p->d.unit,
                                         critical(p, n, true), 0.0, p->d.discordant, err)
                       : t_power(out, p, (double)n, r, p->margin, err);
}

/* The probability of FAIL if the candidate loses `loss`: on top of items that differ anyhow. */
static int fails(double *out, const planning *p, size_t n, double r, double loss, double from,
                 iv_err *err)
{
    const double part = loss / p->d.unit;

    return p->d.binary ? iv_shares_power(out, worth(p, n), p->margin / p->d.unit, from, part,
                                         fmin(1.0, p->d.discordant + part), err)
                       : t_power(out, p, (double)n, r, loss - p->margin, err);
}

/* One of both: a loss of 0 is PASS. */
static int decides(double *out, const planning *p, size_t n, double r, double loss, iv_err *err)
{
    return loss > 0.0 ? fails(out, p, n, r, loss, critical(p, n, false), err)
                      : passes(out, p, n, r, err);
}

/* The smallest number of items with that probability of PASS, or of FAIL at a loss, to half a
 * percent; SIZE_MAX: more than can be planned. */
static int find_items(size_t *out, const planning *p, double r, double loss, const iv_work *work,
                      iv_err *err)
{
    const double rest = (loss > 0.0 ? loss - p->margin : p->margin) / p->d.unit;
    const double z = iv_norm_isf(p->level) + iv_norm_isf(1.0 - p->power);
    const double most = pow(rest / z, 2.0), one = variance(&p->d, 1.0, r);
    const double same = p->d.binary ? 0.0 : variance(&p->d, 1e15, r);
    double got;

    *out = SIZE_MAX;
    if (!p->d.binary && !(same < most))
        return IV_OK;
    const double guess = p->d.binary
        ? p->d.effect * fmax(log(p->level) / log1p(-fmin(0.99, rest)),
                             (p->d.discordant + fmax(0.0, loss / p->d.unit)) / most)
        : (one - same) / (most - same);
    size_t low = 1, high = (size_t)fmax(4.0, fmin(MOST_ITEMS, 1.1 * guess));
    for (;;) {
        IV_TRY(iv_check_work(work, 0.5, err));
        IV_TRY(decides(&got, p, high, r, loss, err));
        if (got >= p->power)
            break;
        if (high >= MOST_ITEMS)
            return IV_OK;
        low = high;
        high = high + high / 4 < MOST_ITEMS ? high + high / 4 + 1 : MOST_ITEMS;
    }
    while (high - low > 1 + high / 200) {
        const size_t middle = low + (high - low) / 2;
        IV_TRY(iv_check_work(work, 0.5, err));
        IV_TRY(decides(&got, p, middle, r, loss, err));
        *(got >= p->power ? &high : &low) = middle;
    }
    *out = high;
    return IV_OK;
}

/* The smallest loss that n items find. */
static int find_loss(double *out, const planning *p, size_t n, double r, const iv_work *work,
                     iv_err *err)
{
    enum { HALVINGS = 10 };
    const double z = iv_norm_isf(p->level) + iv_norm_isf(1.0 - p->power);
    const double from = critical(p, n, false);
    double low = p->margin, high = p->d.unit, got;

    *out = p->margin + z * sqrt(variance(&p->d, (double)n, r));
    if (!p->d.binary) { /* t has heavier tails than the normal distribution: from both ends */
        low = *out;
        high = p->margin + 4.0 * (*out - p->margin);
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        IV_TRY(iv_check_work(work, 0.5, err));
        IV_TRY(fails(&got, p, n, r, middle, from, err));
        *(got >= p->power ? &high : &low) = middle;
    }
    *out = high;
    return IV_OK;
}

/* ------------------------------------------------------------------- input -- */

static int from_numbers(planning *p, iv_err *err)
{
    const iv_plan_gate_question *q = p->q;
    const double r = q->correlation, twice = 2.0 * (1.0 - r);
    const double size = q->cluster_size > 0.0 ? q->cluster_size : 1.0;

    if ((q->rate > 0.0) == (q->sd > 0.0))
        return iv_fail(err, IV_EARG, "give a pilot's scores, or --rate or --sd, the standard "
                       "deviation of scores");
    if (!(r >= -1.0 && r < 1.0) || q->rate >= 1.0)
        return iv_fail(err, IV_EARG, "a correlation of %g, expected -1 to below 1", r);
    p->d.binary = q->rate > 0.0 && q->repeats < 2;
    p->d.sd = sqrt(twice * (q->rate > 0.0 ? q->rate * (1.0 - q->rate) : q->sd * q->sd));
    p->d.discordant = twice * q->rate * (1.0 - q->rate);
    p->d.effect = 1.0 + (size - 1.0) * q->icc;
    p->d.unit = 1.0;
    p->d.repeats = q->repeats > 0 ? (double)q->repeats : 1.0;
    p->d.shared = 2.0 * q->repeat_sd * q->repeat_sd / p->d.repeats;
    p->d.binary = p->d.binary && p->d.shared == 0.0;
    p->candidates = q->candidates > 0 ? q->candidates : 1;
    if (r == 0.0)
        iv_result_note(p->out, "Two versions are taken as independent on an item; those of the "
                       "same model usually correlate and need fewer items (--correlation, or a "
                       "pilot).");
    return IV_OK;
}

/* What the hardest pair of a pilot says. */
static void take_pair(planning *p, const iv_compared_pair *x, bool binary)
{
    const double shared = iv_scored_shared(&p->c.scored, 0, x);
    const double variance_of_mean = x->found.sd * x->found.sd / (double)x->found.n;
    const double items = (double)x->items, alone = fmax(0.0, variance_of_mean - shared) * items;

    if (p->pilot > 0 && alone <= p->d.sd * p->d.sd)
        return;
    p->pilot = x->items;
    p->d.sd = sqrt(alone);
    p->d.effect = 1.0; /* sd holds what clusters add */
    p->d.shared = shared;
    p->d.repeats = (double)(p->c.scored.most_repeats > 0 ? p->c.scored.most_repeats : 1);
    p->d.binary = binary && isinf(x->shares.df);
    p->d.discordant = p->d.binary ? (x->shares.wins + x->shares.losses) / x->shares.items : 0.0;
    p->d.unit = p->d.binary ? x->shares.unit : 1.0;
}

static int from_pilot(planning *p, const iv_work *work, iv_err *err)
{
    const iv_compared_pair *pairs;
    iv_stage stage;

    IV_TRY(iv_comparing_read(&p->c, p->out, iv_work_part(&stage, work, 0.0, 0.4), err));
    if (p->c.measure_count > 1)
        return iv_fail(err, IV_EARG, "%zu measures, expected one: --measure %s", p->c.measure_count,
                       p->c.measures[0]);
    IV_TRY(iv_comparing_check(&p->c, err));
    iv_compare_options how = { .baselines = p->c.how.baselines,
                               .baseline_count = p->c.how.baseline_count, .resamples = 1,
                               .structure = p->c.scored.structured ? p->c.scored.structure : NULL };
    IV_TRY(iv_compare(&p->c.found[0], iv_comparing_values(&p->c, 0), p->c.run_count,
                      p->c.topic_count, &how, iv_work_part(&stage, work, 0.4, 0.6), err));
    IV_TRY(IV_KEEP(p->out, comparison, p->c.found[0], err));
    const size_t n = iv_comparison_pairs(&pairs, p->c.found[0]);
    const bool binary = p->c.found[0]->options.binary;
    for (size_t i = 0; i < n; i++)
        take_pair(p, &pairs[i], binary);
    p->candidates = p->q->candidates > 0 ? p->q->candidates
        : p->c.how.baseline_count > 0 ? n : 1;
    if (!p->d.binary && !(p->d.sd > 0.0))
        return iv_fail(err, IV_ENODATA, "all differences of the pilot are equal: there is no "
                       "variance to plan with");
    if (p->q->scores.given && p->d.repeats > 1.0 && !iv_scored_units(&p->c.scored)) {
        IV_TRY(iv_scored_parts(&p->parts, &p->c.scored, 0, p->q->confidence, work, err));
        p->d.parts = p->parts.repeats > 1 ? &p->parts : NULL;
    }
    return IV_OK;
}

/* ------------------------------------------------------------------- answer -- */

static int fill_row(row *out, const planning *p, size_t n, double r, const iv_work *work,
                    iv_err *err)
{
    *out = (row){ .repeats = (size_t)r, .items = n, .fails = SIZE_MAX, .passes = (double)NAN,
                  .finds = (double)NAN };
    if (n != SIZE_MAX) {
        IV_TRY(passes(&out->passes, p, n, r, err));
        IV_TRY(find_loss(&out->finds, p, n, r, work, err));
    }
    return IV_OK;
}

static int by_items(const void *x, const void *y)
{
    const row *a = x, *b = y;

    return a->repeats != b->repeats ? (a->repeats > b->repeats) - (a->repeats < b->repeats)
                                    : (a->items > b->items) - (a->items < b->items);
}

/* Items with which each number of repeats finds the loss. */
static int find_all_fails(row *rows, size_t count, const planning *p, const iv_work *work,
                          iv_err *err)
{
    for (size_t i = 0; i < count && p->q->loss > 0.0; i++) {
        size_t k = 0;
        while (k < i && rows[k].repeats != rows[i].repeats)
            k++;
        if (k < i)
            rows[i].fails = rows[k].fails;
        else
            IV_TRY(find_items(&rows[i].fails, p, (double)rows[i].repeats, p->q->loss, work, err));
    }
    return IV_OK;
}

static void say(const planning *p, const row *needed, const row *now)
{
    const char *unit = p->pilot > 0 ? iv_comparing_topic(&p->c, 2) : "items";
    iv_wording w = { .len = 0 };
    char size[IV_FIGURE_SIZE];

    if (needed->items == SIZE_MAX)
        iv_say(&w, "No number of %s lets an unchanged version pass with probability %g at a margin "
               "of %.10g.", unit, p->power, p->q->margin);
    else
        iv_say(&w, "About %s %s let an unchanged version pass with probability %g at a margin of "
               "%.10g. A loss of %s would then fail with that probability.",
               IV_COUNT(needed->items), unit, p->power, p->q->margin,
               iv_figure(size, 2, needed->finds, (double)NAN));
    if (p->q->loss > 0.0 && needed->fails != SIZE_MAX)
        iv_say(&w, " A loss of %.10g needs %s %s.", p->q->loss, IV_COUNT(needed->fails), unit);
    if (now != NULL)
        iv_say(&w, " With the %s %s of the pilot, it passes with probability %.2f.",
               IV_COUNT(now->items), unit, now->passes);
    iv_result_answer(p->out, "%s", w.at);
}

static int answer(planning *p, const iv_work *work, iv_err *err)
{
    static const double repeats[] = { 1.0, 2.0, 3.0, 5.0, 10.0 };
    const bool many = p->d.shared > 0.0 || p->d.parts != NULL;
    const double r = p->d.repeats;
    row *rows = iv_take(iv_result_own(p->out), MOST_ROWS, sizeof *rows);
    size_t count = 0, items;

    IV_TRY(iv_taken(iv_result_own(p->out), err));
    IV_TRY(find_items(&items, p, r, 0.0, work, err));
    IV_TRY(fill_row(&rows[count++], p, items, r, work, err));
    if (p->pilot > 0)
        IV_TRY(fill_row(&rows[count++], p, p->pilot, r, work, err));
    IV_TRY(find_all_fails(rows, count, p, work, err));
    say(p, rows, p->pilot > 0 ? &rows[1] : NULL);
    for (size_t k = 1; k <= 2 && items != SIZE_MAX && !many; k++)
        IV_TRY(fill_row(&rows[count++], p, k == 1 ? items / 2 : items * 2, r, work, err));
    for (size_t k = 0; many && k < sizeof repeats / sizeof *repeats; k++) {
        if (repeats[k] == r)
            continue;
        IV_TRY(find_items(&items, p, repeats[k], 0.0, work, err));
        IV_TRY(fill_row(&rows[count++], p, items, repeats[k], work, err));
    }
    IV_TRY(find_all_fails(rows, count, p, work, err));
    qsort(rows, count, sizeof *rows, by_items);
    IV_TABLE(p->out, "items", iv_plan_gate_fields, rows, count,
             .with = (many ? REPEATED : 0) | (p->q->loss > 0.0 ? LOSS : 0));
    iv_result_used_with(p->out, p->d.binary ? "exact-margin" : "noncentral-t", p->d.binary
                        ? " of %.10g" : ", margin %.10g", p->q->margin);
    if (p->candidates > 1)
        iv_result_used_with(p->out, "bonferroni", " for %zu candidates", p->candidates);
    return IV_OK;
}

static int gate_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_gate_question *q = asked;
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const bool pilot = q->scores.given || q->from.judgments != NULL || q->from.judged != NULL;
    planning p = { .out = out, .q = q, .margin = q->margin,
                   .power = q->power == 0.0 ? 0.8 : q->power,
                   .asked = { .source = q->from, .scoring = q->scoring, .scores = q->scores,
                              .baselines = { &q->baseline, q->baseline != NULL } } };

    if (!(q->margin > 0.0))
        return iv_fail(err, IV_EARG, "--margin is needed, above 0: no number of items "
                       "demonstrates that nothing at all was lost");
    if (q->loss != 0.0 && !(q->loss > q->margin))
        return iv_fail(err, IV_EARG, "a loss of %g, expected more than the margin of %g: a gate "
                       "fails only beyond it", q->loss, q->margin);
    p.c.asked = &p.asked;
    IV_TRY(pilot ? from_pilot(&p, work, err) : from_numbers(&p, err));
    p.level = (1.0 - confidence) / (double)p.candidates;
    if (p.d.binary && p.margin >= p.d.unit)
        return iv_fail(err, IV_EARG, "a margin of %g, expected less than the range of the scores",
                       q->margin);
    return answer(&p, work, err);
}

int iv_answer_plan_gate(iv_result *out, const iv_plan_gate_question *q, const iv_work *work,
                        iv_err *err)
{
    static const iv_part parts[] = {
        IV_SCORES_PARTS(iv_plan_gate_question, scores.),
        IV_SOURCE_PARTS(iv_plan_gate_question, from.),
        IV_EVALUATING_PARTS(iv_plan_gate_question, scoring.),
        IV_PART_OF(iv_plan_gate_question, margin, REAL, "the margin"),
        IV_PART_OF(iv_plan_gate_question, loss, REAL, "the loss"),
        IV_PART_OF(iv_plan_gate_question, rate, REAL, "the rate"),
        IV_PART_OF(iv_plan_gate_question, sd, REAL, "the standard deviation"),
        IV_PART_OF(iv_plan_gate_question, correlation, REAL, "the correlation"),
        IV_PART_OF(iv_plan_gate_question, cluster_size, REAL, "the size of clusters"),
        IV_PART_OF(iv_plan_gate_question, icc, REAL, "the correlation within clusters"),
        IV_PART_OF(iv_plan_gate_question, repeat_sd, REAL, "the standard deviation of repeats"),
        IV_PART_OF(iv_plan_gate_question, power, REAL, "the power"),
        IV_PART_OF(iv_plan_gate_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, gate_asked, "passes"), work, err);
}
