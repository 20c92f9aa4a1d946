/* SPDX-License-Identifier: Apache-2.0 */
/* agree, told: sentence, tables, charts and notes of two sets of scores. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/agree_rows.h"
#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/run_notes.h"
#include "base/listing.h"
#include "intervale/answer.h"

const iv_field iv_agree_order_fields[] = {
    { "measure", IV_AT(iv_agree_order, measure), .about = "how likeness of the orders is measured" },
    { "value", IV_AT(iv_agree_order, x.value), .digits = 4, .about = "on these topics" },
    { "median", IV_AT(iv_agree_order, x.median), .digits = 4, .audience = IV_IF_ANY,
      .about = "of what it may be on all such topics" },
    { "lower", IV_AT(iv_agree_order, x.lower), .digits = 4, .audience = IV_IF_ANY,
      .about = "of its interval there" },
    { "upper", IV_AT(iv_agree_order, x.upper), .digits = 4, .audience = IV_IF_ANY,
      .about = "of its interval there" },
    { NULL } };

const iv_field iv_agree_system_fields[] = {
    { "system", IV_AT(iv_agree_system, system), .about = "its name" },
    { "a", IV_AT(iv_agree_system, a), .digits = 4, .about = "mean of the first scores" },
    { "b", IV_AT(iv_agree_system, b), .digits = 4, .about = "mean of the second scores" },
    { "rank_a", IV_AT(iv_agree_system, rank_a), .about = "by the first" },
    { "rank_b", IV_AT(iv_agree_system, rank_b), .about = "by the second" },
    { "moved", IV_AT(iv_agree_system, moved), .about = "ranks gained by the second" },
    { "rmse", IV_AT(iv_agree_system, rmse.value), .digits = 4,
      .about = "root of the mean squared difference of its scores" },
    { "lower", IV_AT(iv_agree_system, rmse.lower), .digits = 4, .audience = IV_IF_ANY,
      .about = "of the interval of rmse" },
    { "upper", IV_AT(iv_agree_system, rmse.upper), .digits = 4, .audience = IV_IF_ANY,
      .about = "of the interval of rmse" },
    { NULL } };

const iv_field iv_agree_pair_fields[] = {
    { "x", IV_AT(iv_agree_pair, x), .about = "a system" },
    { "y", IV_AT(iv_agree_pair, y), .about = "another" },
    { "verdict", IV_AT(iv_agree_pair, verdict),
      .about = "same, flips (significant both ways), lost or new (significant by the first or "
               "the second only), order (means change places, neither significant)" },
    { "a", IV_AT(iv_agree_pair, a), .digits = 4, .about = "x - y by the first scores" },
    { "p_a", IV_AT(iv_agree_pair, p_a), .digits = 4, .about = "adjusted p of it" },
    { "b", IV_AT(iv_agree_pair, b), .digits = 4, .about = "x - y by the second scores" },
    { "p_b", IV_AT(iv_agree_pair, p_b), .digits = 4, .about = "adjusted p of it" },
    { NULL } };

const iv_field iv_agree_effect_fields[] = {
    { "system", IV_AT(iv_agree_effect, system), .about = "its name" },
    { "baseline", IV_AT(iv_agree_effect, baseline), .about = "that it is compared with" },
    { "a", IV_AT(iv_agree_effect, a), .digits = 4, .about = "its effect by the first scores" },
    { "b", IV_AT(iv_agree_effect, b), .digits = 4, .about = "its effect by the second scores" },
    { "effect_ratio", IV_AT(iv_agree_effect, ratio.value), .digits = 4, .about = "b / a" },
    { "ratio_lower", IV_AT(iv_agree_effect, ratio.lower), .digits = 4, .about = "of its interval" },
    { "ratio_upper", IV_AT(iv_agree_effect, ratio.upper), .digits = 4, .about = "of its interval" },
    { "delta_ri", IV_AT(iv_agree_effect, change.value), .digits = 4,
      .about = "relative improvement by the first less that by the second" },
    { "ri_lower", IV_AT(iv_agree_effect, change.lower), .digits = 4, .about = "of its interval" },
    { "ri_upper", IV_AT(iv_agree_effect, change.upper), .digits = 4, .about = "of its interval" },
    { NULL } };

static int by_rank(const void *va, const void *vb)
{
    const iv_agree_system *a = va, *b = vb;

    return a->rank_a != b->rank_a ? (a->rank_a < b->rank_a ? -1 : 1)
                                  : strcmp(a->system, b->system);
}

/* ", 95 % interval 0.1 to 0.2", or nothing. */
static const char *span_of(char text[80], const iv_reproduced *r, double confidence)
{
    text[0] = '\0';
    if (isfinite(r->lower) && isfinite(r->upper))
        (void)snprintf(text, 80, ", %.10g %% interval %.4f to %.4f", 100.0 * confidence, r->lower, r->upper);
    return text;
}

/* Of runs made again: how far from the first ones, the one that is farthest, and the first effect. */
static void answer_reproduction(iv_result *out, const iv_agreeing *g)
{
    const iv_agree_system *far = g->systems;
    char span[80], effect[300] = "", ratio[80];

    for (size_t i = 1; i < g->s.systems; i++)
        far = g->systems[i].rmse.value > far->rmse.value ? &g->systems[i] : far;
    if (g->effect_count > 0 && isfinite(g->effects->ratio.value))
        (void)snprintf(effect, sizeof effect, "; the effect of %.60s over %.60s is %.4f times the first one%s",
                       g->effects->system, g->effects->baseline, g->effects->ratio.value,
                       span_of(ratio, &g->effects->ratio, g->confidence));
    iv_result_answer(out, "%s%s made again differ%s from the first by %.4f (root mean square over %zu topics)%s%s.",
                     g->s.systems > 1 ? "Of these runs " : "", far->system, g->s.systems > 1 ? "s most" : "s", far->rmse.value,
                     g->s.topics, span_of(span, &far->rmse, g->confidence), effect);
}

static void answer_orders(iv_result *out, const iv_agreeing *g)
{
    const iv_order_likeness *t = &g->orders.tau;

    if (isnan(t->value))
        iv_result_answer(out, "Kendall's tau of the two orders of %zu systems is not defined: one "
                         "of the two orders has all systems in one place, on %zu topic%s.",
                         g->s.systems, g->s.topics, iv_plural(g->s.topics));
    else if (g->s.topics == 1)
        iv_result_answer(out, "Kendall's tau of the two orders of %zu systems is %.4f.",
                         g->s.systems, t->value);
    else if (isnan(t->lower))
        iv_result_answer(out, "Kendall's tau of the two orders of %zu systems is %.4f on %zu "
                         "topics; of %zu pairs %zu change their verdict.", g->s.systems,
                         t->value, g->s.topics, g->pair_count,
                         g->flips + g->lost + g->fresh);
    else
        iv_result_answer(out, "Kendall's tau of the two orders of %zu systems is %.4f on %zu "
                         "topics, and on all such topics with %.10g %% confidence between %.4f and "
                         "%.4f%s; of %zu pairs %zu are significant the other way round, %zu no "
                         "longer, %zu anew.", g->s.systems, t->value, g->s.topics,
                         100.0 * g->confidence, t->lower, t->upper,
                         t->value < t->lower ? " (what is seen is lower: chance moves the orders apart)"
                         : t->value > t->upper ? " (what is seen is higher: both scores err alike)" : "",
                         g->pair_count, g->flips, g->lost, g->fresh);
}

static void tell_orders(iv_result *out, const iv_agreeing *g)
{
    const double p = g->q->how.persistence == 0.0 ? 0.9 : g->q->how.persistence;

    if (g->s.topics == 1) {
        iv_result_note(out, "there is one value of each system and none by topic: how far the "
                       "orders would agree on other topics, and which pairs of systems differ, "
                       "cannot be told");
        iv_result_legend(out, "tau is Kendall's tau-b; tau_AP takes the first scores for the truth; "
                         "RBO has persistence %g", p);
        return;
    }
    if (g->s.systems < IV_ORDERS_LEAST)
        iv_result_note(out, "fewer than %d systems: there is no interval for the likeness of "
                       "their orders", IV_ORDERS_LEAST);
    iv_result_legend(out, "tau is Kendall's tau-b; tau_AP takes the first scores for the truth; "
                     "RBO has persistence %g%s", p, isnan(g->orders.tau.lower) ? ""
                     : "; median and interval are of all such topics: where systems are close chance "
                       "moves both orders, apart (what is seen is lower) or, where both scores err "
                       "on the same topics, together (higher)");
    if (g->orders.largest > 1)
        iv_result_note(out, "%zu systems are %zu families, the largest of %zu: systems are of "
                         "one family where scores rise and fall on the same topics; where "
                         "the two orders are all but the same on all topics, 95 %% intervals of "
                         "families stop short by .01 or .02, and hold .8 with 20 topics%s", g->s.systems, g->orders.families, g->orders.largest,
                         g->orders.families < 5 ? "; of so few families they hold .73 and more"
                         : g->s.systems >= 30 ? "; of 30 and 50 runs of real collections those of tau "
                                                "held .75 to .95" : "");
    iv_result_legend(out, "verdicts: t tests of the mean difference, p adjusted by Holm's "
                     "method, at %g; pairs not shown have the same verdict, or change places "
                     "without significance (%zu)", 1.0 - g->confidence, g->order);
}

static void put_orders(iv_result *out, const iv_agreeing *g)
{
    const iv_agree_order rows[] = { { "tau", g->orders.tau }, { "tau_AP", g->orders.tau_ap },
                               { "RBO", g->orders.rbo } };

    (void)iv_result_rows(out, &(iv_rows){ "orders", iv_agree_order_fields, rows, 3, sizeof *rows,
                                          .drawn = { "value", "lower", "upper", 0.0, 0.0 } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "orders", .title = "How alike the orders are",
        .caption = "A point is the median of what the likeness may be on all such topics, the "
                   "line its interval.", .label = "measure", .value = "median",
        .lower = "lower", .upper = "upper" });
}

static void put_rest(iv_result *out, const iv_agreeing *g)
{
    (void)iv_result_rows(out, &(iv_rows){ "systems", iv_agree_system_fields, g->systems, g->s.systems,
                                          sizeof *g->systems });
    if (g->pair_count > 0)
        (void)iv_result_rows(out, &(iv_rows){ "pairs", iv_agree_pair_fields, g->pairs, g->pair_count,
                                              sizeof *g->pairs,
                                              .quiet = IV_QUIET(iv_agree_pair, quiet) });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "systems", .title = "The systems",
        .caption = "A point is a system: its mean by the first scores across, by the second "
                   "upwards.", .label = "system", .x = "a", .value = "b" });
    if (g->s.topics > 1)
        iv_result_legend(out, "systems: a%s and b%s are means, moved the ranks gained by b, lower and "
                         "upper the interval of rmse%s", g->s.from_a, g->s.from_b,
                         g->pair_count > 0 ? "; pairs: a and b are differences, x less y" : "");
    if (g->s.topics > 1 && g->s.topics < 100)
        iv_result_legend(out, "rmse: with 20 and 50 topics 95 %% intervals hold .94 and more, but .85 to .92 "
                         "where one topic in ten differs four times as far: samples that miss such "
                         "topics tell nothing of them");
    if (g->effect_count == 0)
        return;
    size_t open = 0;
    for (size_t i = 0; i < g->effect_count; i++)
        open += isnan(g->effects[i].ratio.lower) ? 1 : 0;
    (void)iv_result_rows(out, &(iv_rows){ "effects", iv_agree_effect_fields, g->effects, g->effect_count,
                                          sizeof *g->effects });
    iv_result_legend(out, "effects: effect_ratio is 1 and delta_ri 0 where an effect over the "
                     "baseline is reproduced%s", g->s.topics > 1 ? "; intervals by Fieller's method and by t" : "");
    if (open > 0 && g->s.topics > 1)
        iv_result_note(out, "%zu effect ratio%s without an interval: the first effect cannot be "
                       "told from 0, and the ratio may be anything", open,
                       open == 1 ? " is" : "s are");
}

void iv_agree_tell(iv_result *out, iv_agreeing *g)
{
    char span[80];

    if (g->s.systems > 1) {
        put_orders(out, g);
        tell_orders(out, g);
    }
    if (g->q->again.count + g->q->again_ranked_count > 0)
        answer_reproduction(out, g);
    else if (g->s.systems > 1)
        answer_orders(out, g);
    else
        iv_result_answer(out, "The two scores of %s differ by %.4f (root mean square over %zu "
                         "topics)%s.", g->systems->system, g->systems->rmse.value, g->s.topics,
                         span_of(span, &g->systems->rmse, g->confidence));
    qsort(g->systems, g->s.systems, sizeof *g->systems, by_rank);
    put_rest(out, g);
    iv_tell_few_differ(out, &g->s);
    if (g->s.topics == 1)
        return;
    iv_result_method(out, "Intervals of the orders: posterior of the systems' means on all "
                     "topics, normal, their distribution estimated from the systems at hand.");
    iv_result_assumption(out, "Topics are a sample of those that matter, and systems of those "
                         "like them.");
}
