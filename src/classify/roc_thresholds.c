/* SPDX-License-Identifier: Apache-2.0 */
/* Thresholds of roc: by a goal, costs, a least recall or precision, a capacity, or fixed before. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/parallel.h"
#include "classify/roc_scoring.h"
#include "result/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct iv_roc_threshold {
    const char *system, *goal;
    double at, apparent, optimism, value, lower, upper;
};

const iv_field iv_roc_threshold_fields[] = {
    { "system", IV_AT(iv_roc_threshold, system), .about = "name of the system" },
    { "goal", IV_AT(iv_roc_threshold, goal), .about = "what the threshold is best for" },
    { "threshold", IV_AT(iv_roc_threshold, at), .digits = 4,
      .about = "items with this score or a higher one are positive; empty: none is" },
    { "apparent", IV_AT(iv_roc_threshold, apparent), .digits = 4,
      .about = "value of the goal on these items" },
    { "optimism", IV_AT(iv_roc_threshold, optimism), .digits = 4,
      .about = "estimated part of 'apparent' that is too good" },
    { "value", IV_AT(iv_roc_threshold, value), .digits = 4,
      .about = "estimated value of the goal on new items" },
    IV_LIMITS(iv_roc_threshold, , 4),
    { NULL } };

const iv_field iv_roc_operating_fields[] = {
    { "system", IV_AT(iv_roc_operating, system), .audience = IV_IF_VARIES,
      .about = "name of the system" },
    { "goal", IV_AT(iv_roc_operating, goal), .audience = IV_IF_VARIES,
      .about = "what the threshold is best for" },
    { "chosen", IV_AT(iv_roc_operating, chosen), .audience = IV_IF_VARIES,
      .about = "'here': on these items, which makes limits too narrow; 'before': given" },
    { "threshold", IV_AT(iv_roc_operating, threshold), .digits = 4, .about = "the threshold" },
    { "flagged", IV_AT(iv_roc_operating, flagged),
      .about = "items with this score or a higher one" },
    { "hits", IV_AT(iv_roc_operating, hits), .about = "positive items among these" },
    { "precision", IV_AT(iv_roc_operating, precision.estimate), .digits = 4,
      .about = "hits among the flagged" },
    { "precision_lower", IV_AT(iv_roc_operating, precision.lower), .digits = 4,
      .heading = "lower", .about = "lower limit of precision" },
    { "precision_upper", IV_AT(iv_roc_operating, precision.upper), .digits = 4,
      .heading = "upper", .about = "upper limit of precision" },
    { "recall", IV_AT(iv_roc_operating, recall.estimate), .digits = 4,
      .about = "hits among the positive items" },
    { "lower", IV_AT(iv_roc_operating, recall.lower), .digits = 4,
      .about = "lower limit of recall" },
    { "upper", IV_AT(iv_roc_operating, recall.upper), .digits = 4,
      .about = "upper limit of recall" },
    { "cost", IV_AT(iv_roc_operating, cost), .digits = 4, .audience = IV_IF_ANY,
      .about = "mean cost of an item on these items" },
    { NULL } };

/* "fp=1,fn=5" */
static int scan_cost(iv_threshold_rule *out, const char *text, iv_err *err)
{
    double cost[2] = { NAN, NAN };

    for (const char *at = text; *at != '\0';) {
        const size_t len = strcspn(at, ",");
        const bool fp = strncmp(at, "fp=", 3) == 0, fn = strncmp(at, "fn=", 3) == 0;
        if ((!fp && !fn) || !iv_scan_real(&cost[fn], (iv_str){ at + 3, len - 3 })
            || !(cost[fn] >= 0.0))
            return iv_fail(err, IV_EARG, "the costs '%.40s', expected fp=NUMBER,fn=NUMBER", text);
        at += len + (at[len] == ',');
    }
    if (!(cost[0] + cost[1] > 0.0))
        return iv_fail(err, IV_EARG, "the costs '%.40s', expected fp=NUMBER,fn=NUMBER", text);
    *out = (iv_threshold_rule){ .kind = IV_RULE_COST, .fp = cost[0], .fn = cost[1] };
    return IV_OK;
}

/* "recall=0.9" */
static int scan_least(iv_threshold_rule *out, const char *text, iv_err *err)
{
    const bool recall = strncmp(text, "recall=", 7) == 0;
    double x = NAN;

    if ((!recall && strncmp(text, "precision=", 10) != 0)
        || !iv_scan_real(&x, iv_str_of(strchr(text, '=') + 1)) || !(x > 0.0 && x <= 1.0))
        return iv_fail(err, IV_EARG, "the least '%.40s', expected recall=NUMBER or "
                       "precision=NUMBER above 0 and at most 1", text);
    *out = (iv_threshold_rule){ .kind = recall ? IV_RULE_RECALL : IV_RULE_PRECISION, .least = x };
    return IV_OK;
}

/* The rules that are asked for; none: that of F1. */
static int list_rules(iv_threshold_rule **out, const char ***names, size_t *count,
                      const iv_roc_scoring *s, iv_err *err)
{
    const iv_roc_question *q = s->q;
    const size_t most = q->least.count + 3;
    iv_threshold_rule *rules = iv_take(s->own, most, sizeof *rules);
    const char **says = iv_take(s->own, most, sizeof *says);
    char text[64];
    size_t n = 0;

    IV_TRY(iv_taken(s->own, err));
    if (q->cost != NULL) {
        says[n] = "cost";
        IV_TRY(scan_cost(&rules[n++], q->cost, err));
    }
    for (size_t i = 0; i < q->least.count; i++) {
        says[n] = q->least.at[i];
        IV_TRY(scan_least(&rules[n++], q->least.at[i], err));
    }
    if (q->capacity > 0) {
        (void)snprintf(text, sizeof text, "top %lld", (long long)q->capacity);
        says[n] = iv_arena_copy(s->own, iv_str_of(text));
        rules[n++] = (iv_threshold_rule){ .kind = IV_RULE_CAPACITY,
                                          .capacity = (size_t)q->capacity };
    }
    if (q->goal != IV_BEST_NONE || n == 0) {
        const iv_threshold_goal goal = q->goal == IV_BEST_NONE ? IV_BEST_F1 : q->goal;
        says[n] = iv_threshold_goal_names()[goal];
        rules[n++] = (iv_threshold_rule){ .goal = goal };
    }
    *out = rules;
    *names = says;
    *count = n;
    return iv_taken(s->own, err);
}

/* What a threshold gives; NaN: nothing is called positive. */
static iv_roc_operating operate(const iv_roc_scoring *s, size_t system, const char *goal,
                                bool before, double at, const iv_threshold_rule *cost)
{
    const double tail = 0.5 - 0.005 * iv_roc_percent(s->q);
    size_t flagged = 0, hits = 0;

    for (size_t i = 0; i < s->items; i++)
        if (s->systems[system].scores[i] >= at) {
            flagged++;
            hits += s->positive[i];
        }
    const double fp = (double)(flagged - hits), fn = (double)(s->positives - hits);
    return (iv_roc_operating){
        .system = s->systems[system].name, .goal = goal, .chosen = before ? "before" : "here",
        .threshold = at, .flagged = flagged, .hits = hits,
        .cost = cost != NULL ? (cost->fp * fp + cost->fn * fn) / (double)s->items : (double)NAN,
        .precision = iv_proportion_evidence((int64_t)hits, (int64_t)flagged, 0.5, tail),
        .recall = iv_proportion_evidence((int64_t)hits, (int64_t)s->positives, 0.5, tail) };
}

bool iv_roc_has_rules(const iv_roc_question *q)
{
    return q->goal != IV_BEST_NONE || q->cost != NULL || q->least.count > 0 || q->capacity > 0
        || q->fixed.count > 0;
}

int iv_roc_choose(iv_roc_scoring *s, const iv_work *work, iv_err *err)
{
    const iv_roc_question *q = s->q;
    iv_threshold_rule *rules;
    const char **names;
    size_t count;

    IV_TRY(list_rules(&rules, &names, &count, s, err));
    if (q->fixed.count > 0 && q->goal == IV_BEST_NONE && count == 1 && rules[0].kind == 0)
        count = 0; /* only those that were fixed before */
    const iv_threshold_rule *cost = count > 0 && rules[0].kind == IV_RULE_COST ? rules : NULL;
    s->thresholds = iv_take(s->own, count * s->count + 1, sizeof *s->thresholds);
    s->operating = iv_take(s->own, (count + q->fixed.count) * s->count + 1, sizeof *s->operating);
    IV_TRY(iv_taken(s->own, err));
    for (size_t i = 0; i < count * s->count; i++) {
        const size_t k = i / count, r = i % count;
        const iv_scored_items items = { s->systems[k].scores, s->positive, s->items };
        iv_threshold t;
        iv_stage stage;
        IV_TRY(iv_threshold_by_rule(&t, &items, &rules[r], q->confidence, q->resamples,
                                    iv_work_nth(&stage, work, i, count * s->count), err));
        s->thresholds[s->threshold_count++] = (iv_roc_threshold){
            .system = s->systems[k].name, .goal = names[r], .at = t.at, .apparent = t.apparent,
            .optimism = t.optimism, .value = t.value, .lower = t.lower, .upper = t.upper };
        s->operating[s->operating_count++] = operate(s, k, names[r], false, t.at, cost);
    }
    for (size_t k = 0; k < s->count; k++)
        for (size_t i = 0; i < q->fixed.count; i++)
            s->operating[s->operating_count++] = operate(s, k, "fixed", true, q->fixed.at[i],
                                                         cost);
    return IV_OK;
}

void iv_roc_put_thresholds(iv_result *out, const iv_roc_scoring *s)
{
    const iv_showing showing = iv_roc_has_rules(s->q) ? IV_SHOWN : IV_FOLDED;

    for (size_t i = 0; i < s->q->least.count; i++)
        if (strncmp(s->q->least.at[i], "recall", 6) == 0)
            iv_result_used(out, "wilks");
    if (showing == IV_SHOWN)
        iv_result_used_with(out, "clopper-pearson", " of %s at thresholds",
                            s->q->summary ? "precision, recall and the confusion matrix"
                                          : "precision and recall");
    if (s->threshold_count > 0)
        IV_TABLE(out, "threshold", iv_roc_threshold_fields, s->thresholds, s->threshold_count,
                 .showing = showing);
    if (s->operating_count > 0 && showing == IV_SHOWN)
        IV_TABLE(out, "operating", iv_roc_operating_fields, s->operating, s->operating_count);
}
