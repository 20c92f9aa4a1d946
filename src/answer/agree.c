/* SPDX-License-Identifier: Apache-2.0 */
/* agree -- do two sets of scores put systems into the same order? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/agree_parts.h"
#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/assessor_parts.h"
#include "answer/run_notes.h"
#include "base/equal_means.h"
#include "base/listing.h"
#include "base/parallel.h"
#include "intervale/answer.h"

typedef struct order_row {
    const char *measure;
    iv_order_likeness x;
} order_row;

const iv_field iv_agree_order_fields[] = {
    { "measure", IV_AT(order_row, measure), .about = "how likeness of the orders is measured" },
    { "value", IV_AT(order_row, x.value), .digits = 4, .about = "on these topics" },
    { "median", IV_AT(order_row, x.median), .digits = 4, .audience = IV_IF_ANY,
      .about = "of what it may be on all such topics" },
    { "lower", IV_AT(order_row, x.lower), .digits = 4, .audience = IV_IF_ANY,
      .about = "of its interval there" },
    { "upper", IV_AT(order_row, x.upper), .digits = 4, .audience = IV_IF_ANY,
      .about = "of its interval there" },
    { NULL } };

typedef struct system_row {
    const char *system;
    double a, b;
    size_t rank_a, rank_b;
    int64_t moved;
    iv_reproduced rmse;
} system_row;

const iv_field iv_agree_system_fields[] = {
    { "system", IV_AT(system_row, system), .about = "its name" },
    { "a", IV_AT(system_row, a), .digits = 4, .about = "mean of the first scores" },
    { "b", IV_AT(system_row, b), .digits = 4, .about = "mean of the second scores" },
    { "rank_a", IV_AT(system_row, rank_a), .about = "by the first" },
    { "rank_b", IV_AT(system_row, rank_b), .about = "by the second" },
    { "moved", IV_AT(system_row, moved), .about = "ranks gained by the second" },
    { "rmse", IV_AT(system_row, rmse.value), .digits = 4,
      .about = "root of the mean squared difference of its scores" },
    { "lower", IV_AT(system_row, rmse.lower), .digits = 4, .audience = IV_IF_ANY,
      .about = "of the interval of rmse" },
    { "upper", IV_AT(system_row, rmse.upper), .digits = 4, .audience = IV_IF_ANY,
      .about = "of the interval of rmse" },
    { NULL } };

typedef struct pair_row {
    const char *x, *y, *verdict;
    double a, p_a, b, p_b;
    bool quiet;
} pair_row;

const iv_field iv_agree_pair_fields[] = {
    { "x", IV_AT(pair_row, x), .about = "a system" },
    { "y", IV_AT(pair_row, y), .about = "another" },
    { "verdict", IV_AT(pair_row, verdict),
      .about = "same, flips (significant both ways), lost or new (significant by the first or "
               "the second only), order (means change places, neither significant)" },
    { "a", IV_AT(pair_row, a), .digits = 4, .about = "x - y by the first scores" },
    { "p_a", IV_AT(pair_row, p_a), .digits = 4, .about = "adjusted p of it" },
    { "b", IV_AT(pair_row, b), .digits = 4, .about = "x - y by the second scores" },
    { "p_b", IV_AT(pair_row, p_b), .digits = 4, .about = "adjusted p of it" },
    { NULL } };

typedef struct effect_row {
    const char *system, *baseline;
    double a, b;
    iv_reproduced ratio, change;
} effect_row;

const iv_field iv_agree_effect_fields[] = {
    { "system", IV_AT(effect_row, system), .about = "its name" },
    { "baseline", IV_AT(effect_row, baseline), .about = "that it is compared with" },
    { "a", IV_AT(effect_row, a), .digits = 4, .about = "its effect by the first scores" },
    { "b", IV_AT(effect_row, b), .digits = 4, .about = "its effect by the second scores" },
    { "effect_ratio", IV_AT(effect_row, ratio.value), .digits = 4, .about = "b / a" },
    { "ratio_lower", IV_AT(effect_row, ratio.lower), .digits = 4, .about = "of its interval" },
    { "ratio_upper", IV_AT(effect_row, ratio.upper), .digits = 4, .about = "of its interval" },
    { "delta_ri", IV_AT(effect_row, change.value), .digits = 4,
      .about = "relative improvement by the first less that by the second" },
    { "ri_lower", IV_AT(effect_row, change.lower), .digits = 4, .about = "of its interval" },
    { "ri_upper", IV_AT(effect_row, change.upper), .digits = 4, .about = "of its interval" },
    { NULL } };

typedef struct agreeing {
    const iv_agree_question *q;
    iv_arena memory;
    iv_two_scores s;
    double confidence, slack_a, slack_b; /* by which means differ that are equal but for rounding */
    iv_orders orders;
    system_row *systems;
    pair_row *pairs;
    size_t pair_count;
    size_t same, flips, lost, fresh, order; /* pairs by verdict */
    effect_row *effects;
    size_t effect_count, baseline;
} agreeing;

/* -------------------------------------------------------------- computing -- */

static int one_system(void *user, void *memory, size_t i, iv_err *err)
{
    agreeing *g = user;
    const size_t n = g->s.topics;

    (void)memory;
    return iv_reproduced_rmse(&g->systems[i].rmse, g->s.a + i * n, g->s.b + i * n, n,
                              g->confidence, 0, &(iv_work){ .threads = 1 }, err);
}

static int read_scores(agreeing *g, iv_result *out, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_two_scores_read(&g->s, &g->memory, out, g->q, work, err));
    g->slack_a = iv_slack_of(g->s.a, g->s.systems * g->s.topics);
    g->slack_b = iv_slack_of(g->s.b, g->s.systems * g->s.topics);
    return IV_OK;
}

/* The systems' means, those equal that are but for rounding. */
static int find_means(double *out, const double *values, size_t systems, size_t topics,
                      double slack, iv_err *err)
{
    for (size_t i = 0; i < systems; i++) {
        out[i] = 0.0;
        for (size_t t = 0; t < topics; t++)
            out[i] += values[i * topics + t];
        out[i] /= (double)topics;
    }
    return iv_tie_means(out, systems, slack, err);
}

static int compare_systems(agreeing *g, const iv_work *work, iv_err *err)
{
    const size_t m = g->s.systems, n = g->s.topics;
    double *a = iv_take(&g->memory, m, sizeof *a), *b = iv_take(&g->memory, m, sizeof *b);

    g->systems = iv_take(&g->memory, m, sizeof *g->systems);
    IV_TRY(iv_taken(&g->memory, err));
    IV_TRY(find_means(a, g->s.a, m, n, g->slack_a, err));
    IV_TRY(find_means(b, g->s.b, m, n, g->slack_b, err));
    for (size_t i = 0; i < m; i++)
        g->systems[i] = (system_row){ .system = g->s.names[i], .a = a[i], .b = b[i],
                                      .rank_a = 1, .rank_b = 1 };
    for (size_t i = 0; i < m; i++) {
        system_row *r = &g->systems[i];
        for (size_t j = 0; j < m; j++) {
            r->rank_a += g->systems[j].a > r->a;
            r->rank_b += g->systems[j].b > r->b;
        }
        r->moved = (int64_t)r->rank_a - (int64_t)r->rank_b;
    }
    return iv_parallel(&(iv_loop){ m, one_system, g, NULL }, work, err);
}

static const char *verdict(agreeing *g, const pair_row *r)
{
    const double alpha = 1.0 - g->confidence;
    const bool by_a = r->p_a < alpha, by_b = r->p_b < alpha, turned = r->a * r->b < 0.0;
    size_t *counts[] = { &g->same, &g->flips, &g->lost, &g->fresh, &g->order };
    static const char *const names[] = { "same", "flips", "lost", "new", "order" };
    const size_t k = by_a && by_b ? (turned ? 1 : 0) : by_a ? 2 : by_b ? 3 : turned ? 4 : 0;

    ++*counts[k];
    return names[k];
}

static void end_comparison(void *c) { iv_comparison_free(c); }

static int test_pairs(const iv_compared_pair **pairs, iv_comparison **c, agreeing *g,
                      const double *values, const iv_work *work, iv_err *err)
{
    static const iv_pair_test t = IV_TEST_T;
    const iv_compare_options how = { .tests = &t, .test_count = 1, .confidence = g->confidence,
                                     .resamples = 1 };

    IV_TRY(iv_compare(c, values, g->s.systems, g->s.topics, &how, work, err));
    if (iv_own(&g->memory, *c, end_comparison) == NULL)
        return iv_taken(&g->memory, err);
    g->pair_count = iv_comparison_pairs(pairs, *c);
    return IV_OK;
}

static int compare_pairs(agreeing *g, const iv_work *work, iv_err *err)
{
    const iv_compared_pair *a, *b;
    const iv_compared_test *p, *q;
    iv_comparison *ca = NULL, *cb = NULL;
    iv_stage stage;

    IV_TRY(test_pairs(&a, &ca, g, g->s.a, iv_work_part(&stage, work, 0.8, 0.9), err));
    IV_TRY(test_pairs(&b, &cb, g, g->s.b, iv_work_part(&stage, work, 0.9, 1.0), err));
    g->pairs = iv_take(&g->memory, g->pair_count, sizeof *g->pairs);
    IV_TRY(iv_taken(&g->memory, err));
    for (size_t k = 0; k < g->pair_count; k++) {
        (void)iv_comparison_tests(&p, ca, k);
        (void)iv_comparison_tests(&q, cb, k);
        pair_row *r = &g->pairs[k];
        *r = (pair_row){ g->s.names[a[k].a], g->s.names[a[k].b], NULL,
                         iv_true_difference(a[k].found.mean, g->slack_a), p->p_adjusted,
                         iv_true_difference(b[k].found.mean, g->slack_b), q->p_adjusted, false };
        r->verdict = verdict(g, r);
        r->quiet = strcmp(r->verdict, "same") == 0 || strcmp(r->verdict, "order") == 0;
    }
    return IV_OK;
}

static int compare_effects(agreeing *g, iv_err *err)
{
    const size_t n = g->s.topics;
    iv_listing there = { 0 };

    if (g->q->baseline == NULL)
        return IV_OK;
    for (g->baseline = 0; g->baseline < g->s.systems; g->baseline++) {
        if (strcmp(g->s.names[g->baseline], g->q->baseline) == 0)
            break;
        iv_list_quoted(&there, iv_str_of(g->s.names[g->baseline]));
    }
    if (g->baseline == g->s.systems)
        return iv_fail(err, IV_EARG, "the baseline '%.80s' is not among %s", g->q->baseline,
                       iv_listed(&there));
    g->effects = iv_take(&g->memory, g->s.systems, sizeof *g->effects);
    IV_TRY(iv_taken(&g->memory, err));
    const system_row *base = &g->systems[g->baseline];
    for (size_t i = 0; i < g->s.systems; i++) {
        if (i == g->baseline)
            continue;
        effect_row *r = &g->effects[g->effect_count++];
        *r = (effect_row){ .system = g->s.names[i], .baseline = g->q->baseline,
                           .a = g->systems[i].a - base->a, .b = g->systems[i].b - base->b };
        iv_reproduced_effect(&r->ratio, &r->change, g->s.a + g->baseline * n, g->s.a + i * n,
                             g->s.b + g->baseline * n, g->s.b + i * n, n, g->confidence);
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- telling -- */

static int by_rank(const void *va, const void *vb)
{
    const system_row *a = va, *b = vb;

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
static void answer_reproduction(iv_result *out, const agreeing *g)
{
    const system_row *far = g->systems;
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

static void answer_orders(iv_result *out, const agreeing *g)
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
                         "%.4f; of %zu pairs %zu are significant the other way round, %zu no "
                         "longer, %zu anew.", g->s.systems, t->value, g->s.topics,
                         100.0 * g->confidence, t->lower, t->upper, g->pair_count, g->flips,
                         g->lost, g->fresh);
}

static void tell_orders(iv_result *out, const agreeing *g)
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
                     "RBO has persistence %g; median and interval are of all such topics: chance "
                     "shuffles both orders, and what is seen on some topics is lower than what "
                     "holds on all where systems are close",
                     p);
    if (g->orders.largest > 1)
        iv_result_legend(out, "%zu systems are %zu families, the largest of %zu: systems are of "
                         "one family where scores rise and fall on the same topics; where "
                         "the two orders are all but the same on all topics, 95 %% intervals of "
                         "families stop short by .01 or .02, and hold .8 with 20 topics%s", g->s.systems, g->orders.families, g->orders.largest,
                         g->orders.families < 5 ? "; of so few families they hold .83 and more" : "");
    iv_result_legend(out, "verdicts: t tests of the mean difference, p adjusted by Shaffer's "
                     "method, at %g; pairs not shown have the same verdict, or change places "
                     "without significance (%zu)", 1.0 - g->confidence, g->order);
}

static void put_orders(iv_result *out, const agreeing *g)
{
    const order_row rows[] = { { "tau", g->orders.tau }, { "tau_AP", g->orders.tau_ap },
                               { "RBO", g->orders.rbo } };

    (void)iv_result_rows(out, &(iv_rows){ "orders", iv_agree_order_fields, rows, 3, sizeof *rows,
                                          .drawn = { "value", "lower", "upper", 0.0, 0.0 } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "orders", .title = "How alike the orders are",
        .caption = "A point is the median of what the likeness may be on all such topics, the "
                   "line its interval.", .label = "measure", .value = "median",
        .lower = "lower", .upper = "upper" });
}

static void put_rest(iv_result *out, const agreeing *g)
{
    (void)iv_result_rows(out, &(iv_rows){ "systems", iv_agree_system_fields, g->systems, g->s.systems,
                                          sizeof *g->systems });
    if (g->pair_count > 0)
        (void)iv_result_rows(out, &(iv_rows){ "pairs", iv_agree_pair_fields, g->pairs, g->pair_count,
                                              sizeof *g->pairs,
                                              .quiet = IV_QUIET(pair_row, quiet) });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "systems", .title = "The systems",
        .caption = "A point is a system: its mean by the first scores across, by the second "
                   "upwards.", .label = "system", .x = "a", .value = "b" });
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
                     "baseline is reproduced; intervals by Fieller's method and by t");
    if (open > 0 && g->s.topics > 1)
        iv_result_note(out, "%zu effect ratio%s without an interval: the first effect cannot be "
                       "told from 0, and the ratio may be anything", open,
                       open == 1 ? " is" : "s are");
}

static int answer(agreeing *g, iv_result *out, const iv_work *work, iv_err *err)
{
    char span[80];
    iv_stage stage;

    IV_TRY(read_scores(g, out, work, err));
    IV_TRY(compare_systems(g, iv_work_part(&stage, work, 0.4, 0.5), err));
    if (g->s.systems > 1) {
        IV_TRY(iv_orders_agree(&g->orders, g->s.a, g->s.b, g->s.systems, g->s.topics,
                               &g->q->how, iv_work_part(&stage, work, 0.5, 0.8), err));
        if (g->s.topics > 1)
            IV_TRY(compare_pairs(g, work, err));
        put_orders(out, g);
        tell_orders(out, g);
    }
    IV_TRY(compare_effects(g, err));
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
        return IV_OK;
    iv_result_method(out, "Intervals of the orders: posterior of the systems' means on all "
                     "topics, normal, their distribution estimated from the systems at hand.");
    iv_result_assumption(out, "Topics are a sample of those that matter, and systems of those "
                         "like them.");
    return IV_OK;
}

static int find_verdicts(agreeing *g, iv_verdicts *v, iv_result *out, const iv_work *work,
                         iv_err *err)
{
    IV_TRY(read_scores(g, out, work, err));
    v->systems = g->s.systems;
    if (g->s.systems < 2)
        return IV_OK;
    IV_TRY(iv_orders_agree(&v->orders, g->s.a, g->s.b, g->s.systems, g->s.topics, &g->q->how,
                           work, err));
    IV_TRY(compare_pairs(g, work, err));
    v->pairs = g->pair_count;
    v->flips = g->flips;
    v->lost = g->lost;
    v->fresh = g->fresh;
    return IV_OK;
}

int iv_verdicts_of(iv_verdicts *v, iv_result *out, const iv_agree_question *q,
                   const iv_work *work, iv_err *err)
{
    agreeing g = { .q = q, .confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence };

    *v = (iv_verdicts){ 0 };
    const int rc = find_verdicts(&g, v, out, work, err);
    iv_arena_free(&g.memory);
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_agree_question *q = asked;

    if (q->assessors != NULL)
        return iv_agree_assessors(out, q, work, err);
    iv_cite_if(out, q->beside.count > 0, "cohen1960coefficient");
    iv_cite_if(out, q->beside.count > 0, "tenenbein1970double");
    iv_cite_if(out, q->again.count + q->again_ranked_count > 0 || q->baseline != NULL, "breuer2020measure");
    if (q->beside.count > 0)
        return iv_agree_judges(out, q, work, err);
    agreeing g = { .q = q, .confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence };
    const int rc = answer(&g, out, work, err);

    iv_arena_free(&g.memory);
    return rc;
}

int iv_answer_agree(iv_result *out, const iv_agree_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_agree_question, a_matrix, PATH, "the first matrix"),
        IV_PART_OF(iv_agree_question, b_matrix, PATH, "the second matrix"),
        IV_CHOICE_OF(iv_agree_question, by, iv_matrix_rows_names, "what rows are"),
        IV_SOURCE_PARTS(iv_agree_question, source.),
        IV_PART_OF(iv_agree_question, other, PATH, "the other judgments"),
        IV_PART_OF(iv_agree_question, again, PATHS, "run made again"),
        IV_PART_OF(iv_agree_question, beside, PATHS, "file of labels"),
        IV_CHOICE_OF(iv_agree_question, weights, iv_kappa_weights_names, "the weights of kappa"),
        IV_PART_OF(iv_agree_question, assessors, PATH, "the table of assessors"),
        IV_CHOICE_OF(iv_agree_question, scale, iv_label_scale_names, "the scale"),
        IV_PART_OF(iv_agree_question, strata, PATH, "the strata"),
        IV_PART_OF(iv_agree_question, populations, INTEGERS, "the populations"),
        IV_PART_OF(iv_agree_question, how.persistence, REAL, "the persistence"),
        IV_PART_OF(iv_agree_question, how.confidence, REAL, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "agree"), work, err);
}
