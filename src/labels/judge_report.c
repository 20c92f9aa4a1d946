/* SPDX-License-Identifier: Apache-2.0 */
/* agree of score tables: do judges agree, are they biased, and in which groups of answers? */
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "labels/agree.h"
#include "labels/judged_scores.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "scores/comparing.h"
#include "stat/agreement.h"
#include "stat/pair_tests.h"
#include "stat/paired/familywise.h"
#include "stat/paired/pair_p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With fewer labels that differ from the judge's scores, t of a group is not used:
 * doc/methods/judged.md has the errors. */
enum { DIFFERING = 5 };

enum { GROUPED = 1, DIFFERENT = 2 };

typedef struct bias_row {
    const char *judge;
    size_t labels;
    double mean, human;
    double value, lower, upper, p;
} bias_row;

const iv_field iv_judge_bias_fields[] = {
    { "judge", IV_AT(bias_row, judge), .about = "name of the judge" },
    { "labels", IV_AT(bias_row, labels), .about = "answers with a human label" },
    { "mean", IV_AT(bias_row, mean), .digits = 4, .heading = "mean of judge",
      .about = "mean score of these answers" },
    { "human", IV_AT(bias_row, human), .digits = 4, .heading = "mean of people",
      .about = "mean human label" },
    { "bias", IV_AT(bias_row, value), .digits = 4, .about = "judge - people" },
    IV_LIMITS(bias_row, , 4),
    { "p", IV_AT(bias_row, p), .digits = 4, .about = "p-value of no bias" },
    { NULL } };

typedef struct pair_row {
    const char *a, *b;
    size_t answers;
    iv_interval alpha;
    double value, lower, upper, p; /* a - b */
} pair_row;

const iv_field iv_judge_pair_fields[] = {
    { "a", IV_AT(pair_row, a), .about = "a judge" },
    { "b", IV_AT(pair_row, b), .about = "another judge, or people" },
    { "answers", IV_AT(pair_row, answers), .about = "answers that both scored" },
    { "alpha", IV_AT(pair_row, alpha.value), .digits = 3, .about = "Krippendorff's alpha" },
    { "alpha_lower", IV_AT(pair_row, alpha.lower), .digits = 3, .heading = "lower",
      .about = "lower limit of alpha's interval" },
    { "alpha_upper", IV_AT(pair_row, alpha.upper), .digits = 3, .heading = "upper",
      .about = "upper limit of alpha's interval" },
    { "difference", IV_AT(pair_row, value), .digits = 4, .needs = DIFFERENT,
      .about = "mean of a - b on these answers" },
    { "lower", IV_AT(pair_row, lower), .digits = 4, .needs = DIFFERENT,
      .about = "lower limit of the interval of the difference" },
    { "upper", IV_AT(pair_row, upper), .digits = 4, .needs = DIFFERENT,
      .about = "upper limit of the interval of the difference" },
    { "p", IV_AT(pair_row, p), .digits = 4, .needs = DIFFERENT,
      .about = "p-value of no difference" },
    { NULL } };

typedef struct group_row {
    const char *judge, *by, *group;
    size_t labels;
    double bias, others;
    double value, se, df, lower, upper, lower_adjusted, upper_adjusted, p, p_adjusted;
    const char *reason;
} group_row;

const iv_field iv_judge_group_fields[] = {
    { "judge", IV_AT(group_row, judge), .about = "name of the judge" },
    { "by", IV_AT(group_row, by), .about = "what makes the group" },
    { "group", IV_AT(group_row, group), .about = "name of the group" },
    { "labels", IV_AT(group_row, labels), .about = "its answers with a human label" },
    { "bias", IV_AT(group_row, bias), .digits = 4, .about = "judge - people in this group" },
    { "others", IV_AT(group_row, others), .digits = 4, .heading = "bias elsewhere",
      .about = "judge - people in all other groups" },
    { "difference", IV_AT(group_row, value), .digits = 4, .about = "bias - bias elsewhere" },
    IV_PAIR_LIMITS(group_row, , , 4),
    IV_ADJUSTED_LIMITS(group_row, , 4),
    { "p", IV_AT(group_row, p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "p-value of the same bias" },
    { "p_adjusted", IV_AT(group_row, p_adjusted), .digits = 4, .heading = "p (Holm)",
      .about = "p-value of the same bias, by Holm's method for all rows" },
    { "reason", IV_AT(group_row, reason), .audience = IV_IF_ANY,
      .about = "why it is not tested" },
    { NULL } };

typedef struct report {
    iv_judged_scores s;
    iv_arena *own;
    double confidence;
    size_t cells, units; /* answers (item, then system); what varies together */
    uint32_t *unit;      /* by answer */
    double *weight;      /* by answer: 1 / its chance of a label; NULL: all alike */
    uint32_t *group;     /* by answer; IV_NO_ID: none */
    double *x;           /* room: two of each answer */
    bias_row *biases;
    pair_row *pairs;
    group_row *groups;
    size_t judges, pair_count, group_count;
} report;

/* The answer's score, or label, by a judge; judge == count: by people. */
static double said(const report *g, size_t judge, size_t cell, bool beside)
{
    const size_t S = g->s.scored.v->system_count, r = cell % S, t = cell / S;

    if (judge == g->judges)
        return g->s.systems[r].human[t];
    const iv_judged_system *is = &g->s.systems[judge * S + r];
    return beside ? is->beside[t] : is->judge[t];
}

static const char *name_of(const report *g, size_t judge)
{
    const iv_score_table *v = g->s.scored.v;
    const bool plain = v->measure_count == 1 && strcmp(v->measures[0], "score") == 0;

    return judge == g->judges ? "people" : plain && *v->score_column != '\0' ? v->score_column
        : g->s.scored.names[judge];
}

/* ------------------------------------------------------------ two of them -- */

/* Answers that both have, as scores of two systems whose answers are grouped by unit. */
static int compare_two(const iv_compared_pair **out, double *p, report *g, const double *x,
                       const uint32_t *unit, const double *weight, size_t n, const iv_work *work,
                       iv_err *err)
{
    const iv_structure of = { .cluster = g->units < g->cells ? unit : NULL, .clusters = g->units,
                              .weight = weight };
    const iv_compare_options how = { .confidence = g->confidence,
        .structure = of.cluster != NULL || weight != NULL ? &of : NULL };
    iv_comparison *c = NULL;
    const iv_compared_test *test;

    IV_TRY(iv_compare(&c, x, 2, n, &how, work, err));
    IV_TRY(iv_keep(g->own, c, iv_end_comparison, err));
    (void)iv_comparison_pairs(out, c);
    *p = iv_comparison_tests(&test, c, 0) > 0 ? test->test.p : (double)NAN;
    return IV_OK;
}

/* Krippendorff's alpha of n answers that two scored, x[i] and x[n + i]; units are together. */
static int alpha_of(iv_interval *out, report *g, const double *x, const uint32_t *unit, size_t n,
                    iv_err *err)
{
    double *value = iv_take(g->own, 2 * n + 1, sizeof *value);
    uint32_t *label = iv_take(g->own, 2 * n + 1, sizeof *label);
    size_t *starts = iv_take(g->own, 2 * (n + 2), sizeof *starts), *units = starts + n + 2;
    iv_ratings r = { .label = label, .starts = starts, .items = n, .unit_starts = units,
                     .value = value };
    iv_agreement a;
    size_t labels = 0;

    IV_TRY(iv_taken(g->own, err));
    memcpy(value, x, 2 * n * sizeof *value);
    qsort(value, 2 * n, sizeof *value, iv_ascending);
    for (size_t i = 0; i < 2 * n; i++)
        if (labels == 0 || value[i] != value[labels - 1])
            value[labels++] = value[i];
    for (size_t i = 0; i < 2 * n; i++) {
        const double *at = bsearch(&x[i / 2 + i % 2 * n], value, labels, sizeof *value,
                                   iv_ascending);
        label[i] = (uint32_t)(at - value);
    }
    for (size_t i = 0; i < n; i++) {
        starts[i + 1] = 2 * (i + 1);
        r.units += i == 0 || unit[i] != unit[i - 1];
        units[r.units] = i + 1;
    }
    r.labels = (uint32_t)labels;
    IV_TRY(iv_alpha_of(&a, &r, IV_SCALE_INTERVAL, g->confidence, err));
    *out = a.is;
    return IV_OK;
}

/* A pair of judges, or a judge and people (other == g->judges). */
static int look_at_pair(report *g, size_t judge, size_t other, const uint32_t *order,
                        const iv_work *work, iv_err *err)
{
    const bool people = other == g->judges;
    uint32_t *unit = iv_take(g->own, g->cells + 1, sizeof *unit);
    double *weight = iv_take(g->own, g->cells + 1, sizeof *weight);
    double *x = g->x, mean[2] = { 0.0 }, all = 0.0, p;
    const iv_compared_pair *is;
    size_t n = 0, used = 0;

    IV_TRY(iv_taken(g->own, err));
    for (size_t i = 0; i < g->cells; i++)
        n += !isnan(said(g, judge, order[i], people)) && !isnan(said(g, other, order[i], people));
    if (n < 2)
        return IV_OK;
    for (size_t i = 0; i < g->cells; i++) {
        const double a = said(g, judge, order[i], people), b = said(g, other, order[i], people);
        if (isnan(a) || isnan(b))
            continue;
        const double w = people && g->weight != NULL ? g->weight[order[i]] : 1.0;
        unit[used] = g->unit[order[i]];
        weight[used] = w;
        x[n + used] = b;
        x[used++] = a;
        all += w;
        mean[0] += w * (a - mean[0]) / all;
        mean[1] += w * (b - mean[1]) / all;
    }
    pair_row *r = &g->pairs[g->pair_count++];
    *r = (pair_row){ .a = name_of(g, judge), .b = name_of(g, other), .answers = n };
    IV_TRY(alpha_of(&r->alpha, g, x, unit, n, err));
    IV_TRY(compare_two(&is, &p, g, x, unit, people && g->weight != NULL ? weight : NULL, n, work,
                       err));
    r->value = mean[0] - mean[1];
    r->lower = is->lower;
    r->upper = is->upper;
    r->p = p;
    if (people)
        g->biases[judge] = (bias_row){ r->a, n, mean[0], mean[1], r->value, r->lower, r->upper, p };
    return IV_OK;
}

/* ------------------------------------------------------------------ groups -- */

/* A judge's mean bias in some answers. */
typedef struct side {
    iv_structured is;
    double *part; /* by unit: of its error */
    size_t labels, differing;
} side;

static int side_of(side *out, report *g, size_t judge, const bool *in, bool rest, iv_err *err)
{
    const iv_structure of = { .cluster = g->units < g->cells ? g->unit : NULL,
                              .clusters = g->units, .weight = g->weight };
    double *x = g->x, weight = 0.0;

    *out = (side){ .part = iv_take(g->own, g->units + 1, sizeof *out->part) };
    IV_TRY(iv_taken(g->own, err));
    for (size_t c = 0; c < g->cells; c++) {
        const double d = said(g, judge, c, true) - said(g, g->judges, c, true);
        x[c] = in[c] != rest ? d : (double)NAN;
        out->labels += isnan(x[c]) ? 0 : 1;
        out->differing += !isnan(x[c]) && d != 0.0;
        weight += isnan(x[c]) ? 0.0 : g->weight != NULL ? g->weight[c] : 1.0;
    }
    if (out->labels < 2)
        return IV_OK;
    IV_TRY(iv_structured_mean(&out->is, x, g->cells, &of, 0, err));
    for (size_t c = 0; c < g->cells; c++)
        if (!isnan(x[c]))
            out->part[g->unit[c]] += (g->weight != NULL ? g->weight[c] : 1.0) / weight
                * (x[c] - out->is.mean);
    return IV_OK;
}

/* The difference of the biases of a group and of the rest: Student's t with degrees of freedom by
 * Satterthwaite; units in both make them vary together. */
static int look_at_group(report *g, size_t judge, const bool *in, const char *by, const char *name,
                         bool mirrored, iv_err *err)
{
    const double nan = (double)NAN;
    double together = 0.0;
    side a, b;

    IV_TRY(side_of(&a, g, judge, in, false, err));
    IV_TRY(side_of(&b, g, judge, in, true, err));
    if (a.labels == 0 || b.labels == 0)
        return IV_OK;
    for (size_t u = 0; u < g->units; u++)
        together += a.part[u] * b.part[u];
    const double v = a.is.se * a.is.se, w = b.is.se * b.is.se;
    group_row *r = &g->groups[g->group_count++];
    *r = (group_row){ .judge = name_of(g, judge), .by = by, .group = name, .labels = a.labels,
                      .bias = a.labels > 1 ? a.is.mean : nan,
                      .others = b.labels > 1 ? b.is.mean : nan,
                      .se = sqrt(fmax(0.0, v + w - 2.0 * together)),
                      .df = fmin((v + w) * (v + w) / (v * v / a.is.df + w * w / b.is.df),
                                 (double)(g->units - 1)),
                      .lower = nan, .upper = nan, .lower_adjusted = nan, .upper_adjusted = nan,
                      .p = nan, .p_adjusted = nan };
    r->value = r->bias - r->others;
    r->reason = mirrored ? "it is the first group's"
        : a.differing < DIFFERING || b.differing < DIFFERING ? "too few labels differ"
        : r->se > 0.0 && r->df > 0.0 ? NULL : "no standard error";
    if (r->reason == NULL)
        r->p = iv_t_p(r->value / r->se, r->df, IV_TWO_SIDED);
    return IV_OK;
}

static int look_at_groups(report *g, iv_err *err)
{
    const iv_score_table *v = g->s.scored.v;
    const size_t S = v->system_count, K = v->group != NULL ? v->group_count : 0;
    const char *column = *v->group_column != '\0' ? v->group_column : "group";
    bool *in = iv_take(g->own, g->cells + 1, sizeof *in);

    g->groups = iv_take(g->own, g->judges * (S + K) + 1, sizeof *g->groups);
    IV_TRY(iv_taken(g->own, err));
    for (size_t j = 0; j < g->judges; j++) {
        for (size_t r = 0; S > 1 && r < S; r++) {
            for (size_t c = 0; c < g->cells; c++)
                in[c] = c % S == r;
            IV_TRY(look_at_group(g, j, in, "system", v->systems[r], S == 2 && r == 1, err));
        }
        for (size_t k = 0; K > 1 && k < K; k++) {
            for (size_t c = 0; c < g->cells; c++)
                in[c] = g->group[c] == k;
            IV_TRY(look_at_group(g, j, in, column, v->groups[k], K == 2 && k == 1, err));
        }
    }
    return IV_OK;
}

/* p and limits of all groups together. */
static int correct_groups(report *g, iv_err *err)
{
    const double alpha = 1.0 - g->confidence;
    double *p = iv_take(g->own, g->group_count + 1, sizeof *p);
    size_t tests = 0;

    IV_TRY(iv_taken(g->own, err));
    for (size_t k = 0; k < g->group_count; k++)
        if (g->groups[k].reason == NULL)
            p[tests++] = g->groups[k].p;
    IV_TRY(iv_adjust(p, p, tests, IV_CORRECT_HOLM, err));
    for (size_t k = 0, at = 0; k < g->group_count; k++) {
        group_row *r = &g->groups[k];
        if (r->reason != NULL)
            continue;
        const double one = iv_t_isf(0.5 * alpha, r->df) * r->se;
        const double all = iv_t_isf(0.5 * alpha / (double)tests, r->df) * r->se;
        r->p_adjusted = p[at++];
        r->lower = r->value - one;
        r->upper = r->value + one;
        r->lower_adjusted = r->value - all;
        r->upper_adjusted = r->value + all;
        (void)iv_settle_limits(&r->lower_adjusted, &r->upper_adjusted,
                               iv_significant(r->p_adjusted, alpha), r->value > 0.0 ? 1 : -1);
    }
    return IV_OK;
}

/* ----------------------------------------------------------------- telling -- */

static void say_report(const report *g, iv_result *out, const group_row *worst, size_t found,
                       size_t tests)
{
    const pair_row *r = &g->pairs[0];
    const bias_row *b = &g->biases[0];
    char span[IV_SPAN_SIZE] = "", more[300] = "";

    if (g->s.labelled == 0) {
        (void)iv_span(span, g->confidence, r->alpha.lower, r->alpha.upper);
        char apart[IV_SPAN_SIZE];
        (void)iv_span(apart, g->confidence, r->lower, r->upper);
        iv_result_answer(out, "Krippendorff's alpha of %s and %s is %.3f%s on %s answers. Mean of "
                         "%s - %s: %+.4f%s. Without human labels, no bias is known.", r->a, r->b,
                         r->alpha.value, span, IV_COUNT(r->answers), r->a, r->b, r->value, apart);
        return;
    }
    (void)iv_span(span, g->confidence, b->lower, b->upper);
    if (tests > 0 && found > 0)
        (void)snprintf(more, sizeof more, " The bias of %.60s is different in %zu of %zu group%s: "
                       "by %+.3f in %.60s.", worst->judge, found, tests, iv_plural(tests),
                       worst->value, worst->group);
    else if (tests > 0)
        (void)snprintf(more, sizeof more, " No significant difference of bias between groups was "
                       "found (%zu tested).", tests);
    iv_result_answer(out, "%s: bias %+.3f%s on %s answers with human labels.%s", b->judge,
                     b->value, span, IV_COUNT(b->labels), more);
}

static void tell_report(const report *g, iv_result *out)
{
    const double alpha = 1.0 - g->confidence;
    const group_row *worst = NULL;
    size_t found = 0, tests = 0;

    for (size_t k = 0; k < g->group_count; k++) {
        const group_row *r = &g->groups[k];
        tests += r->reason == NULL;
        if (r->reason != NULL || !iv_significant(r->p_adjusted, alpha))
            continue;
        worst = worst == NULL || r->p_adjusted < worst->p_adjusted ? r : worst;
    }
    for (size_t k = 0; worst != NULL && k < g->group_count; k++)
        found += strcmp(g->groups[k].judge, worst->judge) == 0 && g->groups[k].reason == NULL
            && iv_significant(g->groups[k].p_adjusted, alpha);
    size_t own = 0; /* tests of that judge */
    for (size_t k = 0; worst != NULL && k < g->group_count; k++)
        own += strcmp(g->groups[k].judge, worst->judge) == 0 && g->groups[k].reason == NULL;
    say_report(g, out, worst, found, worst != NULL ? own : tests);
    if (g->s.labelled > 0)
        IV_TABLE(out, "bias", iv_judge_bias_fields, g->biases, g->judges,
                 .drawn = { "bias", "lower", "upper" });
    IV_TABLE(out, "agreement", iv_judge_pair_fields, g->pairs, g->pair_count,
             .with = g->judges > 1 ? DIFFERENT : 0);
    if (g->group_count > 0)
        IV_TABLE(out, "groups", iv_judge_group_fields, g->groups, g->group_count,
                 .drawn = { "difference", "lower_shown", "upper_shown" });
    iv_result_used_with(out, "alpha", " (interval)");
    iv_result_used_with(out, "jackknife", " with Student's t");
    if (tests > 0) {
        iv_result_used_with(out, iv_correction_names()[IV_CORRECT_HOLM], " for %zu groups", tests);
        iv_result_used(out, "bonferroni-limits");
    }
    if (g->s.labelled > 0)
        iv_result_assumption(out, "Human labels are correct, and are of a random sample of "
                             "answers.");
    if (g->weight != NULL)
        iv_result_note(out, "alpha is of the answers that people labelled, without weights by "
                            "stratum; biases are weighted.");
}

/* Answers by unit; which answers are together. */
static int lay_out(report *g, uint32_t **order, iv_err *err)
{
    const iv_score_table *v = g->s.scored.v;
    const size_t S = v->system_count;

    g->cells = S * v->item_count;
    g->units = v->cluster != NULL ? v->cluster_count : v->item_count;
    g->unit = iv_take(g->own, g->cells + 1, sizeof *g->unit);
    g->x = iv_take(g->own, 2 * g->cells + 1, sizeof *g->x);
    g->biases = iv_take(g->own, g->judges + 1, sizeof *g->biases);
    g->pairs = iv_take(g->own, g->judges * (g->judges + 1) / 2 + 1, sizeof *g->pairs);
    size_t *at = iv_take(g->own, g->units + 2, sizeof *at);
    *order = iv_take(g->own, g->cells + 1, sizeof **order);
    IV_TRY(iv_taken(g->own, err));
    for (size_t c = 0; c < g->cells; c++) {
        g->unit[c] = v->cluster != NULL ? v->cluster[c / S] : (uint32_t)(c / S);
        at[g->unit[c] + 1]++;
    }
    for (size_t u = 0; u < g->units; u++)
        at[u + 1] += at[u];
    for (size_t c = 0; c < g->cells; c++)
        (*order)[at[g->unit[c]]++] = (uint32_t)c;
    return IV_OK;
}

/* Answers to an item may be in several groups (their length, their position), an answer in one. */
static int find_groups(report *g, iv_err *err)
{
    const iv_score_table *v = g->s.scored.v;
    const size_t S = v->system_count;
    char quoted[IV_QUOTE_SIZE];

    g->group = iv_take(g->own, g->cells + 1, sizeof *g->group);
    bool *known = iv_take(g->own, g->cells + 1, sizeof *known);
    IV_TRY(iv_taken(g->own, err));
    for (size_t i = 0; v->group != NULL && i < v->count; i++) {
        const iv_one_score *x = &v->scores[i];
        const size_t c = x->item * S + x->system;
        if (known[c] && g->group[c] != x->group)
            return iv_fail_at(err, IV_EPARSE, v->files.count > 0 ? v->files.at[x->file]
                              : "the arrays", x->line, "the answer of '%.60s' to item %s is in "
                              "another group than before, expected one", v->systems[x->system],
                              iv_quote(quoted, v->items[x->item]));
        known[c] = true;
        g->group[c] = x->group;
    }
    return IV_OK;
}

/* Of labels by strata: answers stand for those of their stratum that have none. */
static int weigh(report *g, iv_err *err)
{
    const size_t S = g->s.scored.v->system_count, H = g->s.design.strata;
    size_t *all = iv_take(g->own, 2 * S * (H + 1), sizeof *all), *some = all + S * (H + 1);

    if (g->s.how.design != IV_HUMAN_STRATA)
        return IV_OK;
    g->weight = iv_take(g->own, g->cells + 1, sizeof *g->weight);
    IV_TRY(iv_taken(g->own, err));
    for (size_t c = 0; c < g->cells; c++) {
        const iv_judged_system *is = &g->s.systems[c % S];
        const size_t at = c % S * (H + 1) + is->stratum[c / S];
        all[at] += isnan(is->judge[c / S]) ? 0 : 1;
        some[at] += isnan(is->human[c / S]) ? 0 : 1;
    }
    for (size_t c = 0; c < g->cells; c++) {
        const size_t at = c % S * (H + 1) + g->s.systems[c % S].stratum[c / S];
        g->weight[c] = some[at] > 0 ? (double)all[at] / (double)some[at] : 1.0;
    }
    return IV_OK;
}

int iv_agree_scores(iv_result *out, const iv_agree_question *q, const iv_work *work, iv_err *err)
{
    const iv_texts measures = { &q->measure, q->measure != NULL ? 1 : 0 };
    report g = { .own = iv_result_own(out),
                 .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    uint32_t *order;

    g.s.confidence = g.confidence;
    IV_TRY(iv_judges_read(&g.s, &q->scores, &q->machine, &measures, out, work, err));
    g.judges = g.s.judges;
    if (g.s.scored.v->weight != NULL)
        return iv_fail(err, IV_EARG, "weights of items are not for judges, expected none");
    if (g.judges < 2 && g.s.labelled == 0)
        return iv_fail(err, IV_ENODATA, "one judge and no human labels: nothing to compare"
                       IV_HINT("; --columns score=ONE,score=ANOTHER names judges, measure=NAME "
                               "the dates of one, human=NAME labels by people"));
    IV_TRY(lay_out(&g, &order, err));
    IV_TRY(weigh(&g, err));
    IV_TRY(find_groups(&g, err));
    for (size_t a = 0; a < g.judges; a++)
        for (size_t b = a + 1; b <= g.judges; b++)
            if (b < g.judges || g.s.labelled > 0)
                IV_TRY(look_at_pair(&g, a, b, order, work, err));
    if (g.pair_count == 0)
        return iv_fail(err, IV_ENODATA, "no two judges scored the same two answers");
    if (g.s.labelled > 0) {
        IV_TRY(look_at_groups(&g, err));
        IV_TRY(correct_groups(&g, err));
    }
    tell_report(&g, out);
    return IV_OK;
}
