/* SPDX-License-Identifier: Apache-2.0 */
/* Means of scores of any kind, with their intervals. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/ties.h"
#include "result/answering.h"
#include "result/claims.h"
#include "result/message.h"
#include "result/methods.h"
#include "result/wording.h"
#include "retrieval/eval.h"
#include "retrieval/eval_messages.h"
#include "scores/eval_scores.h"
#include "scores/score_groups.h"
#include "scores/score_measures.h"
#include "scores/score_tables.h"
#include "stat/interval/item_measures.h"
#include "stat/interval/limits.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scoring {
    const iv_eval_question *q;
    iv_scored scored;
    /* Room for one system's scores; with those that are missing; of some items only. */
    double *x, *all, *masked;
    double scale; /* every score is 0 or this; 1: they are not */
    bool unit, binary; /* scores of the measure at hand lie in [0, 1]; are 0 or 1 */
    iv_eval_line *lines;
    size_t count;
    bool lacking;
    bool effective, equal; /* an effective number of items was used; because all are equal */
    iv_eval_warnings warnings;
} scoring;

/* Beside claims the intervals are those of the tests that decide. */
static bool claims_any(const scoring *s)
{
    return s->q->at_least.count + s->q->at_most.count > 0;
}

/* The interval of a mean: `values`, of which n are not missing, are in s->x. */
static int find_mean(iv_mean_interval *i, scoring *s, size_t m, size_t r, size_t n,
                     const iv_work *work, iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const iv_evaluating *how = &s->q->how;
    iv_interval_method method = how->interval;
    iv_structured is;

    if (!iv_measure_is_mean(&s->scored.definitions[m])) {
        if (how->guaranteed || (method != IV_INTERVAL_AUTO && method != IV_INTERVAL_NONE))
            return iv_fail(err, IV_EARG, "%s has an interval of its own: no --%s",
                           s->scored.names[m], how->guaranteed ? "guaranteed" : "ci");
        IV_TRY(iv_measure_interval(i, &s->scored, m, r,
                                   iv_resampling_of(&how->resampling).confidence, claims_any(s),
                                   err));
        i->lower = method == IV_INTERVAL_NONE ? (double)NAN : i->lower;
        i->upper = method == IV_INTERVAL_NONE ? (double)NAN : i->upper;
        return IV_OK;
    }
    const iv_structure *of = s->scored.structured ? &s->scored.structure[m] : NULL;
    const bool repeats = of != NULL && of->repeat_variance != NULL && of->repeat_variance[r] > 0.0;
    if (method == IV_INTERVAL_AUTO && claims_any(s))
        method = of != NULL ? IV_INTERVAL_T : IV_INTERVAL_LARGER_T;
    if (method == IV_INTERVAL_AUTO && !s->unit)
        method = repeats ? IV_INTERVAL_T : IV_INTERVAL_BOOTSTRAP_T;
    if (how->guaranteed)
        method = s->binary ? IV_INTERVAL_EXACT : IV_INTERVAL_BOUNDED;
    if (of == NULL)
        return iv_mean_intervals(i, &(const double *){ s->x }, &method, 1, n, &how->resampling,
                                 work, err);
    if (!repeats && method == IV_INTERVAL_BOOTSTRAP_T)
        return iv_structured_bootstrap_t(i, s->all, v->item_count, of, &how->resampling, work,
                                         err);
    IV_TRY(iv_structured_mean(&is, s->all, v->item_count, of, r, err));
    IV_TRY(iv_structured_interval(i, &is, s->unit, method, how->resampling.confidence, err));
    s->effective = s->effective || i->method == IV_INTERVAL_WILSON;
    s->equal = s->equal || (i->method == IV_INTERVAL_WILSON && is.mean * (1.0 - is.mean) == 0.0);
    return IV_OK;
}

static int add_mean(scoring *s, size_t m, size_t r, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const double *seen = iv_scored_values(&s->scored, m) + r * v->item_count;
    const bool mean = iv_measure_is_mean(&s->scored.definitions[m]);
    iv_mean_interval i;
    size_t n = 0;

    for (size_t t = 0; t < v->item_count; t++) {
        s->all[t] = seen[t] / s->scale;
        if (!isnan(seen[t]))
            s->x[n++] = s->all[t];
    }
    if (n == 0)
        return IV_OK; /* it has nothing of this measure */
    IV_TRY(find_mean(&i, s, m, r, n, work, err));
    if (mean)
        iv_eval_warning_of(&s->warnings, &i,
                      iv_resampling_of(&s->q->how.resampling).resamples);
    s->lines[s->count++] = (iv_eval_line){
        .run = v->systems[r], .measure = s->scored.names[m],
        .method = mean ? iv_interval_names()[i.method]
                       : iv_measure_method(&s->scored.definitions[m], claims_any(s)),
        .topic = iv_str_of("all"), .topics = n,
        .missing = v->item_count - n, .value = s->scale * i.mean, .se = s->scale * i.se,
        .lower = s->scale * i.lower, .upper = s->scale * i.upper, .gap = i.gap, .by = i.method };
    s->lacking = s->lacking || n < v->item_count;
    return IV_OK;
}

/* Each item's score, before the means. */
static void add_items(scoring *s, size_t m, size_t r)
{
    const iv_score_table *v = s->scored.v;
    const double *x = iv_scored_values(&s->scored, m) + r * v->item_count;
    const iv_score_measure *is = &s->scored.definitions[m];
    const double nan = (double)NAN;

    for (size_t t = 0; s->q->topics && t < v->item_count; t++) {
        const size_t at = r * v->item_count + t;
        const double own = is->over == NULL ? x[t]
            : is->under == NULL ? is->over[at] : is->over[at] / is->under[at];
        if (isfinite(own))
            s->lines[s->count++] = (iv_eval_line){
                .run = v->systems[r], .measure = s->scored.names[m], .method = "",
                .topic = v->items[t], .topics = 1, .value = own, .se = nan, .lower = nan,
                .upper = nan, .gap = IV_GAP_NONE, .by = IV_INTERVAL_NONE };
    }
}

static int higher(const void *a, const void *b)
{
    const iv_eval_line *x = a, *y = b;

    return x->value != y->value ? (x->value < y->value) - (x->value > y->value)
                                : strcmp(x->run, y->run);
}

static int lower(const void *a, const void *b)
{
    const iv_eval_line *x = a, *y = b;

    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : strcmp(x->run, y->run);
}

/* c where all scores are 0 or c, above 0, and both occur; else 1. */
static double scale_of(const double *all, size_t count)
{
    double c = 0.0;
    bool zero = false;

    for (size_t i = 0; i < count; i++) {
        zero = zero || all[i] == 0.0;
        if (isnan(all[i]) || all[i] == 0.0)
            continue;
        if (all[i] < 0.0 || (c > 0.0 && all[i] != c))
            return 1.0;
        c = all[i];
    }
    return zero && c > 0.0 ? c : 1.0;
}

static int add_all(scoring *s, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = s->scored.v;

    for (size_t m = 0; m < s->scored.measure_count; m++) {
        for (size_t r = 0; r < v->system_count; r++)
            add_items(s, m, r);
        const size_t first = s->count;
        const double *all = iv_scored_values(&s->scored, m);
        const size_t values = v->system_count * v->item_count;
        const bool mean = iv_measure_is_mean(&s->scored.definitions[m]);
        s->scale = s->q->how.guaranteed || !mean ? 1.0 : scale_of(all, values);
        if (s->scale != 1.0)
            s->warnings.scaled = s->scale;
        s->unit = s->scale != 1.0 || (mean && iv_scores_unit(all, values));
        s->binary = s->scale != 1.0 || iv_scores_binary(all, values);
        for (size_t r = 0; r < v->system_count && !s->q->no_summary; r++) {
            const double done = (double)(m * v->system_count + r);
            IV_TRY(iv_check_work(work, done / (double)(s->scored.measure_count * v->system_count),
                                 err));
            IV_TRY(add_mean(s, m, r, work, err));
        }
        qsort(s->lines + first, s->count - first, sizeof *s->lines,
              s->scored.definitions[m].lower ? lower : higher);
    }
    return IV_OK;
}

/* The line of the first measure with the highest mean; NULL: there are no means. */
static const iv_eval_line *highest_mean(const scoring *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->lines[i].topics > 1 || !s->q->topics)
            return &s->lines[i];
    return NULL;
}

/* The mean of a system over the items that all systems have; s->x is marked by item. */
static int common_mean(double *out, const scoring *s, size_t m, size_t r, iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const double *x = iv_scored_values(&s->scored, m) + r * v->item_count;
    double sum = 0.0;
    size_t n = 0;

    for (size_t t = 0; t < v->item_count; t++) {
        s->masked[t] = isnan(s->x[t]) ? (double)NAN : x[t];
        sum += isnan(s->x[t]) ? 0.0 : x[t];
        n += isnan(s->x[t]) ? 0 : 1;
    }
    *out = sum / (double)n;
    if (!s->scored.structured)
        return IV_OK;
    iv_structured is;
    IV_TRY(iv_structured_mean(&is, s->masked, v->item_count, &s->scored.structure[m], r, err));
    *out = is.mean;
    return IV_OK;
}

/* Where systems lack items: the one whose own mean is best, and over the items of all systems its
 * mean, and which other one has the best. */
typedef struct common_items {
    size_t items, other; /* 0 items: none, or no system lacks one */
    double of_best, of_other;
} common_items;

static bool is_better(const scoring *s, double a, double b)
{
    return s->scored.definitions[0].lower ? a < b : a > b;
}

static int find_common(common_items *c, const scoring *s, iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const iv_eval_line *best = highest_mean(s);

    *c = (common_items){ .other = IV_NONE };
    if (best == NULL || v->system_count < 2 || !s->lacking
        || !iv_measure_is_mean(&s->scored.definitions[0]))
        return IV_OK;
    for (size_t t = 0; t < v->item_count; t++) {
        s->x[t] = 0.0;
        for (size_t r = 0; r < v->system_count; r++)
            s->x[t] += iv_scored_values(&s->scored, 0)[r * v->item_count + t];
        c->items += isnan(s->x[t]) ? 0 : 1;
    }
    for (size_t r = 0; c->items > 0 && r < v->system_count; r++) {
        double mean;
        IV_TRY(common_mean(&mean, s, 0, r, err));
        if (v->systems[r] == best->run) {
            c->of_best = mean;
        } else if (c->other == IV_NONE || is_better(s, mean, c->of_other)) {
            c->other = r;
            c->of_other = mean;
        }
    }
    return IV_OK;
}

static void tell_common(const scoring *s, const common_items *c, iv_result *out)
{
    const iv_score_table *v = s->scored.v;
    const iv_eval_line *best = highest_mean(s);

    if (best != NULL && v->system_count > 1 && s->lacking
        && iv_measure_is_mean(&s->scored.definitions[0]))
        iv_eval_tell_common(out, c->items, best->run, c->of_best,
                            c->items > 0 ? v->systems[c->other] : "", c->of_other);
}

static void tell_answer(const scoring *s, const common_items *common, iv_result *out)
{
    const iv_score_table *v = s->scored.v;
    const double confidence = iv_resampling_of(&s->q->how.resampling).confidence;
    const iv_eval_line *best = highest_mean(s);
    char span[IV_SPAN_SIZE], over[64], others[IV_EQUALS_SIZE];
    size_t equal = 0;

    if (best == NULL)
        return;
    for (const iv_eval_line *x = best + 1; x < s->lines + s->count && x->measure == best->measure
         && fabs(x->value - best->value) <= iv_slack_of(&best->value, 1); x++)
        equal++;
    const bool lacking = best->missing > 0;
    (void)iv_span(span, confidence, best->lower, best->upper);
    (void)snprintf(over, sizeof over, lacking ? "%zu of %zu items" : best->topics == 1 ? "%zu item"
                   : "%zu items", best->topics, best->topics + best->missing);
    const char *first = s->scored.definitions[0].lower ? "Lowest" : "Highest";
    if (common->items > 0 && is_better(s, common->of_other, common->of_best))
        iv_result_answer(out, "%s %s over the %zu item%s of all %zu systems: %s with %.3f. %s has "
                         "%.3f%s over %s.", first, best->measure, common->items,
                         iv_plural(common->items), v->system_count, v->systems[common->other],
                         common->of_other, best->run, best->value, span, over);
    else if (v->system_count > 1)
        iv_result_answer(out, "%s %s of %zu systems: %s%s with %.3f%s over %s.",
                         first, best->measure, v->system_count, best->run,
                         iv_say_equals(others, equal, best[equal > 0].run), best->value, span,
                         over);
    else
        iv_result_answer(out, "%s: %s %.3f%s over %s.", best->run, best->measure, best->value, span,
                         over);
}

/* Adds a measure's lines whose interval is by a method: all of them, or their systems. */
static void list_lines(iv_listing *out, const scoring *s, const char *measure,
                       iv_interval_method method)
{
    iv_listing systems = { .most = 3 };
    const bool many = s->scored.measure_count > 1;
    size_t used = 0, with = 0;

    for (size_t i = 0; i < s->count; i++) {
        const iv_eval_line *x = &s->lines[i];
        if (isnan(x->lower) || x->by == IV_INTERVAL_NONE || strcmp(x->measure, measure) != 0)
            continue;
        with++;
        used += x->by == method;
        if (x->by == method)
            iv_list(&systems, "%.60s", x->run);
    }
    if (used > 0)
        iv_list(out, "%.60s%s%s", many ? measure : iv_listed(&systems),
                many && used < with ? " of " : "", many && used < with ? iv_listed(&systems) : "");
}

/* The methods that made the numbers. */
static void name_methods(const scoring *s, iv_result *out)
{
    for (size_t m = 0; iv_interval_names()[m] != NULL; m++) {
        iv_listing only = { .most = 3 };
        size_t used = 0, with = 0;
        for (size_t i = 0; i < s->count; i++) {
            const bool limits = !isnan(s->lines[i].lower) && s->lines[i].by != IV_INTERVAL_NONE;
            with += limits;
            used += limits && s->lines[i].by == m;
        }
        for (size_t i = 0; i < s->scored.measure_count && used < with; i++)
            list_lines(&only, s, s->scored.names[i], (iv_interval_method)m);
        if (used > 0 && m == IV_INTERVAL_BOOTSTRAP_T && s->scored.v->cluster != NULL)
            iv_result_used(out, "cluster-bootstrap-t");
        else if (used > 0)
            iv_eval_use_interval(out, (iv_interval_method)m, "items", iv_listed(&only));
    }
    if (s->effective)
        iv_result_used(out, "effective-items");
    if (s->equal)
        iv_result_used(out, "kish");
    for (size_t m = 0; m < s->scored.measure_count; m++)
        iv_measure_used(&s->scored, m, claims_any(s), out);
    for (size_t i = 0; i < s->count; i++)
        if (!isnan(s->lines[i].lower)) {
            iv_scored_used(&s->scored, out);
            return;
        }
    iv_result_used(out, "mean");
}

/* Means without an interval, by reason; of clusters and sets others say it. */
static void say_gaps(const scoring *s, iv_result *out)
{
    for (iv_interval_gap gap = IV_GAP_ONE_VALUE; gap <= IV_GAP_RESAMPLES; gap++) {
        iv_listing where = { .most = 3 };
        for (size_t i = 0; i < s->count && (!s->scored.structured || gap == IV_GAP_CONSTANT); i++)
            if (s->lines[i].gap == gap)
                iv_list(&where, "%.60s", s->lines[i].run);
        iv_eval_say_gap(out, gap, &where);
    }
}

/* A ratio or percentile of a system, that something is claimed of. */
typedef struct claimed_measure {
    const iv_scored *scored;
    size_t measure, system;
} claimed_measure;

static int measure_evidence(iv_evidence *out, const void *of, double bound, double level,
                            iv_err *err)
{
    const claimed_measure *c = of;

    return iv_measure_evidence(out, c->scored, c->measure, c->system, bound, level, err);
}

static int claimed_measure_of(iv_claimed_mean *c, scoring *s, size_t m, size_t r, iv_err *err)
{
    claimed_measure *of = iv_take(s->scored.own, 1, sizeof *of);
    const double *x = iv_scored_values(&s->scored, m) + r * s->scored.v->item_count;

    IV_TRY(iv_taken(s->scored.own, err));
    *of = (claimed_measure){ &s->scored, m, r };
    *c = (iv_claimed_mean){ .system = s->scored.v->systems[r], .measure = s->scored.names[m],
                            .lower = NAN, .upper = NAN, .evidence = measure_evidence, .of = of,
                            .method = iv_measure_method(&s->scored.definitions[m], true) };
    for (size_t t = 0; t < s->scored.v->item_count; t++)
        c->n += isnan(x[t]) ? 0 : 1;
    c->is = (iv_mean_summary){ .mean = NAN, .n = (double)c->n };
    return IV_OK;
}

static const iv_message measure_rows[] = {
    { "scores.few-for-percentile", IV_WARNING, NULL,
      "With only {n} items, limits of {s} from repeats are unreliable: coverage of 95 % intervals "
      "was 89 % to 92 % in simulations. Use more items." },
    { NULL } };

/* Below so many items beyond a percentile, its limits from repeats had a coverage of 0.89 to 0.92;
 * from 2.5 on 0.96 or more (doc/methods/agents.md). */
static const double ITEMS_BEYOND = 2.5;

static void warn_percentiles(const scoring *s, iv_result *out)
{
    for (size_t m = 0; m < s->scored.measure_count; m++) {
        const iv_score_measure *is = &s->scored.definitions[m];
        const double items = (double)s->scored.v->item_count;
        const bool few = is->form == IV_FORM_PERCENTILE && s->scored.most_repeats > 1
            && fmin(is->p, 1.0 - is->p) * items < ITEMS_BEYOND - 1e-9;
        IV_TELL(out, measure_rows, "scores.few-for-percentile", few ? s->scored.v->item_count : 0,
                .text = { s->scored.names[m] });
    }
}

/* Ratios and percentiles without a limit, and what one needs. */
static void say_missing_limits(const scoring *s, iv_result *out)
{
    for (size_t m = 0; m < s->scored.measure_count; m++) {
        const iv_score_measure *is = &s->scored.definitions[m];
        const double tail = 0.5 * (1.0 - iv_resampling_of(&s->q->how.resampling).confidence);
        iv_listing of[2] = { { .most = 3 }, { .most = 3 } };
        for (size_t i = 0; i < s->count && !iv_measure_is_mean(is); i++) {
            const iv_eval_line *x = &s->lines[i];
            if (x->measure != s->scored.names[m] || x->method[0] == '\0')
                continue;
            if (isnan(x->se) && is->form == IV_FORM_RATIO)
                continue; /* others say why */
            if (isnan(x->lower) || x->lower == -INFINITY)
                iv_list(&of[0], "%.60s", x->run);
            if (isnan(x->upper) || x->upper == INFINITY)
                iv_list(&of[1], "%.60s", x->run);
        }
        if (is->form == IV_FORM_RATIO && of[0].count > 0)
            iv_result_note(out, "%s of %s has no interval: the total of %.*s may be 0.",
                           s->scored.names[m], iv_listed(&of[0]), (int)is->per.len, is->per.ptr);
        for (size_t k = 0; k < 2 && is->form == IV_FORM_PERCENTILE; k++)
            if (of[k].count > 0)
                iv_result_note(out, "%s of %s has no %s limit, which needs %zu independent items.",
                               s->scored.names[m], iv_listed(&of[k]), k == 0 ? "lower" : "upper",
                               iv_percentile_trials(k == 0 ? 1.0 - is->p : is->p, tail));
    }
}

/* The mean of a system; of items that hang together with its standard error. */
static int claimed_mean(iv_claimed_mean *c, scoring *s, const uint32_t *order, size_t m, size_t r,
                        iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const double *x = iv_scored_values(&s->scored, m) + r * v->item_count;
    const iv_reals *range = &s->q->range;
    double *own = iv_take(s->scored.own, v->item_count + 1, sizeof *own);
    iv_structured is;

    IV_TRY(iv_taken(s->scored.own, err));
    if (!iv_measure_is_mean(&s->scored.definitions[m]))
        return claimed_measure_of(c, s, m, r, err);
    *c = (iv_claimed_mean){ .system = v->systems[r], .measure = s->scored.names[m], .lower = NAN,
                            .upper = NAN };
    if (range->count == 2) {
        c->low = range->at[0];
        c->high = range->at[1];
    }
    for (size_t t = 0; t < v->item_count; t++)
        if (!isnan(x[order[t]]))
            own[c->n++] = x[order[t]];
    for (size_t t = 0; t < c->n && c->high > c->low; t++)
        if (own[t] < c->low || own[t] > c->high)
            return iv_fail(err, IV_EARG, "'%.80s' has the score %g, outside --range %g,%g",
                           c->system, own[t], c->low, c->high);
    if (c->n > 0 && s->scored.structured) {
        IV_TRY(iv_structured_mean(&is, x, v->item_count, &s->scored.structure[m], r, err));
        const double n = (double)is.items;
        c->is = (iv_mean_summary){ is.mean, is.se * sqrt(n), n, is.df, NAN };
        return IV_OK;
    }
    const iv_differences d = iv_describe_differences(own, c->n);
    c->is = (iv_mean_summary){ d.mean, d.sd, (double)c->n, (double)c->n - 1.0, d.skewness };
    c->x = own;
    return IV_OK;
}

static int claim(scoring *s, double confidence, iv_result *out, iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const size_t all = s->scored.measure_count * v->system_count;
    const uint32_t *order;
    size_t count = 0;

    if (!claims_any(s))
        return IV_OK;
    if (s->q->range.count == 2 && !(s->q->range.at[1] > s->q->range.at[0]))
        return iv_fail(err, IV_EARG, "--range: expected LOW,HIGH with LOW below HIGH");
    iv_claimed_mean *means = iv_take(s->scored.own, all + 1, sizeof *means);
    IV_TRY(iv_taken(s->scored.own, err));
    IV_TRY(iv_order_by_id(&order, v->items, v->item_count, s->scored.own, err));
    for (size_t k = 0; k < all; k++) {
        IV_TRY(claimed_mean(&means[count], s, order, k / v->system_count, k % v->system_count,
                            err));
        count += means[count].n > 0;
    }
    return iv_claim_bounds(out, means, count, &s->q->at_least, &s->q->at_most, confidence,
                           s->q->how.guaranteed, err);
}

int iv_eval_scores(iv_result *out, const iv_eval_question *q, const iv_work *whole, iv_err *err)
{
    const double confidence = iv_resampling_of(&q->how.resampling).confidence;
    scoring s = { .q = q };
    iv_stage reading, rest;
    const iv_work *work = iv_work_part(&rest, whole, 0.4, 1.0);

    IV_TRY(iv_scored_read(&s.scored, &q->scores, &q->how.measures, true, q->how.complete, out,
                          iv_work_part(&reading, whole, 0.0, 0.4), err));
    const iv_score_table *v = s.scored.v;
    const size_t each = v->system_count * (q->topics ? v->item_count + 1 : 1);
    s.lines = iv_take(s.scored.own, s.scored.measure_count * each + 1, sizeof *s.lines);
    s.x = iv_take(s.scored.own, v->item_count + 1, sizeof *s.x);
    s.all = iv_take(s.scored.own, v->item_count + 1, sizeof *s.all);
    s.masked = iv_take(s.scored.own, v->item_count + 1, sizeof *s.masked);
    IV_TRY(iv_taken(s.scored.own, err));
    IV_TRY(add_all(&s, work, err));
    common_items common;
    IV_TRY(find_common(&common, &s, err));
    tell_answer(&s, &common, out);
    name_methods(&s, out);
    iv_table *t = IV_TABLE(out, "measures", iv_eval_measure_fields, s.lines, s.count,
             .with = IV_EVAL_SCORES | IV_EVAL_ERRORS
                 | (v->system_count > 1 ? IV_EVAL_MANY_RUNS : 0)
                 | (s.scored.measure_count > 1 || v->system_count == 1 ? IV_EVAL_ONE_RUN : 0)
                 | (q->topics ? IV_EVAL_TOPICS : 0)
                 | (s.lacking ? IV_EVAL_LACKING | IV_EVAL_UNEVEN : 0)
                 | (q->how.interval != IV_INTERVAL_NONE ? IV_EVAL_INTERVALS : 0),
             .drawn = { "value", "lower", "upper" },
             .split = v->system_count > 1 && s.scored.measure_count > 1 ? "measure" : NULL);
    iv_table_head(t, "run", "system");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures", .title = "Means and their intervals",
        .caption = "A point is a system's mean. The line is its interval.", .label = "run",
        .page = s.scored.measure_count > 1 ? "measure" : NULL, .value = "value",
        .lower = "lower", .upper = "upper" });
    iv_scored_tell(&s.scored, false, out);
    if (q->how.interval != IV_INTERVAL_NONE)
        say_missing_limits(&s, out);
    if (q->how.interval != IV_INTERVAL_NONE)
        warn_percentiles(&s, out);
    say_gaps(&s, out);
    iv_eval_tell_warnings(out, &s.warnings, "items", IV_EVAL_INSTEAD);
    tell_common(&s, &common, out);
    if (!q->no_summary && q->how.interval != IV_INTERVAL_NONE)
        iv_eval_tell_selected(out, v->system_count, confidence);
    IV_TRY(iv_tell_items(&s.scored, confidence, out, err));
    IV_TRY(iv_tell_errors(&s.scored, out, work, err));
    IV_TRY(iv_tell_sets(&s.scored, confidence, out, work, err));
    IV_TRY(iv_tell_variance(&s.scored, confidence, out, work, err));
    IV_TRY(claim(&s, confidence, out, err));
    const iv_eval_line *best = v->system_count > 1 ? highest_mean(&s) : NULL;
    return iv_tell_groups(&s.scored, &q->gaps, best != NULL ? best->run : NULL, confidence, out,
                          err);
}
