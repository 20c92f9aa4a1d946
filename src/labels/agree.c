/* SPDX-License-Identifier: Apache-2.0 */
/* agree -- do judges agree, do assessors, and do two sets of scores rank systems alike? */
#include "base/arguments.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/ties.h"
#include "labels/agree.h"
#include "labels/agree_messages.h"
#include "labels/judged_scores.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/methods.h"
#include "retrieval/evaluation.h"
#include "retrieval/run_notes.h"
#include "scores/comparing.h"
#include "scores/score_tables.h"
#include "stat/rank_agreement.h"
#include "trec/inspection.h"
#include "trec/judgments.h"
#include "trec/machine_labels.h"
#include "trec/run_source.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- reading -- */

typedef struct system_row {
    const char *system;
    double a, b;
    size_t rank_a, rank_b;
    int64_t moved;
    iv_interval rmse;
} system_row;

typedef struct effect_row {
    const char *system, *baseline;
    double a, b;
    iv_interval ratio, change;
} effect_row;

/* Two systems, by the first scores (a) and by the second (b). */
typedef struct pair_row {
    const char *x, *y, *verdict;
    double a, p_a, b, p_b;
    bool quiet;
} pair_row;

typedef struct rankings {
    const iv_agree_question *q;
    iv_arena *own;
    double confidence;
    /* Two sets of scores of the same systems on the same topics. */
    size_t topics;
    const char **names;
    double *a, *b; /* [system * topics + topic], all finite */
    char from_a[200], from_b[200]; /* " (nDCG@10 by qrels)", or empty: files of scores */
    const char *baseline; /* the system that the question names by its file; NULL: none */
    double slack_a, slack_b; /* by which means differ that are equal but for rounding */
    iv_verdicts v;
    system_row *rows;
    pair_row *pairs;
    effect_row *effects;
    size_t effect_count;
} rankings;

typedef struct scores {
    size_t systems, topics;
    const char *const *names;
    const iv_str *ids; /* of the topics */
    double *values;
    const iv_evaluation *from; /* NULL: a file */
} scores;

/* One value of each system, and a value where its name should be: there is no header. */
static int check_header(const iv_score_table *t, const char *path, iv_err *err)
{
    const iv_str name = t->items[0];
    double value = 0.0;

    if (t->item_count != 1 || memchr(name.ptr, '.', name.len) == NULL
        || !iv_scan_real(&value, name))
        return IV_OK;
    return iv_fail(err, IV_EPARSE, "%s:1: '%.*s', expected a header, such as system,score", path,
                   (int)name.len, name.ptr);
}

static int from_file(scores *s, iv_arena *memory, iv_result *out, const char *path,
                     iv_score_rows by, const iv_work *work, iv_err *err)
{
    const iv_score_source source = { .files = { &path, 1 },
                                     .rows = by == IV_ROWS_AUTO ? IV_ROWS_SYSTEMS : by };
    iv_score_table *t = NULL;

    IV_TRY(iv_score_table_load(&t, &source, work, err));
    IV_TRY(iv_keep(memory, t, iv_score_table_free, err));
    IV_TRY(check_header(t, path, err));
    iv_result_input(out, path, t->file_bytes[0]);
    *s = (scores){ t->system_count, t->item_count, t->systems, t->items,
                   iv_take(memory, t->system_count * t->item_count, sizeof *s->values), NULL };
    IV_TRY(iv_taken(memory, err));
    (void)iv_score_values(s->values, t, 0);
    return IV_OK;
}

static int from_runs(scores *s, iv_arena *memory, iv_result *out, const iv_source *source,
                     const char *measure, int32_t level, bool again, const iv_work *work,
                     iv_err *err)
{
    const char *const names[] = { measure != NULL ? measure : "AP" };
    const iv_evaluating how = { .measures = { names, 1 }, .interval = IV_INTERVAL_NONE,
                                .measure = { .level = level } };
    iv_evaluation *e = NULL;

    IV_TRY(iv_evaluate(&e, source, &how, work, err));
    IV_TRY(iv_keep(memory, e, iv_end_evaluation, err));
    const iv_evaluated *v = iv_evaluation_view(e);
    if (v->measure_count != 1 || v->measures[0].text || !v->measures[0].per_topic)
        return iv_fail(err, IV_EARG, "the measure %.80s has no value for each topic; choose "
                                     "another measure", names[0]);
    iv_tell_inputs(out, source, v);
    if (!again) /* the same runs have been told of */
        iv_tell_run_files(out, v);
    const char **runs = iv_take(memory, v->run_count, sizeof *runs);
    *s = (scores){ v->run_count, v->topic_count, runs, v->topics,
                   iv_take(memory, v->run_count * v->topic_count, sizeof *s->values), e };
    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < s->systems; i++)
        runs[i] = v->runs[i].name;
    iv_evaluation_grid(s->values, e, 0);
    return IV_OK;
}

/* " (nDCG@10 by qrels)", or as much of it as is known. */
static void say_from(char out[200], const scores *s, const char *judgments)
{
    const char *measure = iv_evaluation_view(s->from)->measures[0].name;
    const char *file = judgments != NULL ? strrchr(judgments, '/') : NULL;

    (void)snprintf(out, 200, " (%.80s%s%.80s)", measure, judgments != NULL ? " by " : "",
                   file != NULL ? file + 1 : judgments != NULL ? judgments : "");
}

/* The place of each of a's texts among b's, or IV_NONE. */
static size_t find_name(const scores *b, const char *name)
{
    for (size_t i = 0; i < b->systems; i++)
        if (strcmp(b->names[i], name) == 0)
            return i;
    return IV_NONE;
}

/* Topics on which every shared system has both scores. */
static bool complete(const scores *a, size_t t, const scores *b, size_t u, const size_t *at)
{
    for (size_t i = 0; u != IV_NONE && i < a->systems; i++)
        if (at[i] != IV_NONE && (isnan(a->values[i * a->topics + t])
                                 || isnan(b->values[at[i] * b->topics + u])))
            return false;
    return u != IV_NONE;
}

/* Runs made again go with the first ones by name, where names are the same, and else by place. */
static bool same_names(const scores *a, const scores *b)
{
    size_t same = 0;

    for (size_t i = 0; i < a->systems; i++)
        same += find_name(b, a->names[i]) != IV_NONE;
    return a->systems == b->systems && same == a->systems;
}

/* Of two files with one value of each system there is an order, and no more. */
static int keep_shared(rankings *g, iv_result *result, const scores *a, const scores *b,
                       bool by_place, bool files, iv_err *err)
{
    const bool values = files && a->topics == 1 && b->topics == 1;
    size_t *at = iv_take(g->own, a->systems, sizeof *at), *topic, *other, k = 0;

    topic = iv_take(g->own, a->topics, sizeof *topic);
    other = iv_take(g->own, a->topics, sizeof *other);
    g->names = iv_take(g->own, a->systems, sizeof *g->names);
    iv_ids ids = { 0 }; /* of b's topics */
    bool known = true;
    IV_TRY(iv_taken(g->own, err));
    for (size_t t = 0; t < b->topics; t++)
        known = known && iv_ids_add(&ids, b->ids[t]) != IV_NO_ID;
    for (size_t i = 0; i < a->systems; i++) {
        at[i] = by_place ? i : find_name(b, a->names[i]);
        if (at[i] != IV_NONE)
            g->names[g->v.systems++] = a->names[i];
    }
    for (size_t t = 0; t < a->topics; t++) {
        /* whatever they are called */
        const uint32_t found = values ? 0 : iv_ids_find(&ids, a->ids[t]);
        const size_t u = found == IV_NO_ID ? IV_NONE : found;
        if (complete(a, t, b, u, at)) {
            topic[g->topics] = t;
            other[g->topics++] = u;
        }
    }
    iv_ids_free(&ids);
    if (!known)
        return iv_no_memory(err);
    const size_t topics = a->topics > b->topics ? a->topics : b->topics;
    IV_SAY_AGREE(result, "agree.left-systems", a->systems + b->systems - 2 * g->v.systems);
    IV_SAY_AGREE(result, "agree.left-topics", topics - g->topics, { (double)topics });
    if (g->v.systems < 1 || g->topics < (values && g->v.systems > 1 ? 1 : 2))
        return iv_fail(err, IV_ENODATA, "%zu system%s and %zu topic%s are in both, expected at "
                       "least one system on two topics" IV_HINT(" (--by says what rows are)"),
                       g->v.systems, iv_plural(g->v.systems), g->topics,
                       iv_plural(g->topics));
    g->a = iv_take(g->own, g->v.systems * g->topics, sizeof *g->a);
    g->b = iv_take(g->own, g->v.systems * g->topics, sizeof *g->b);
    IV_TRY(iv_taken(g->own, err));
    for (size_t i = 0; i < a->systems; i++) {
        for (size_t t = 0; at[i] != IV_NONE && t < g->topics; t++, k++) {
            g->a[k] = a->values[i * a->topics + topic[t]];
            g->b[k] = b->values[at[i] * b->topics + other[t]];
        }
    }
    g->slack_a = iv_slack_of(g->a, g->v.systems * g->topics);
    g->slack_b = iv_slack_of(g->b, g->v.systems * g->topics);
    return IV_OK;
}

static int read_two(rankings *g, iv_result *result, const iv_work *work, iv_err *err)
{
    const iv_agree_question *q = g->q;
    const size_t runs = q->source.ranked != NULL ? q->source.ranked_count : q->source.runs.count;
    const size_t again = q->again_ranked != NULL ? q->again_ranked_count : q->again.count;
    const bool by_place = again > 0;
    iv_source second = q->source;
    iv_stage stage;
    scores a, b;

    if ((q->a_matrix != NULL) != (q->b_matrix != NULL)
        || (q->a_matrix == NULL && q->other == NULL && q->other_judged == NULL && !by_place
            && q->other_measure == NULL))
        return iv_fail(err, IV_EARG, "nothing to compare with; expected two tables of scores, or "
                                     "runs with --other, --other-measure or --reproduced");
    if (q->a_matrix != NULL) {
        IV_TRY(from_file(&a, g->own, result, q->a_matrix, q->by, work, err));
        IV_TRY(from_file(&b, g->own, result, q->b_matrix, q->by, work, err));
        return keep_shared(g, result, &a, &b, false, true, err);
    }
    if (by_place && again != runs)
        return iv_fail(err, IV_EARG, "%zu reproduced run%s, expected one for each of %zu runs",
                       again, iv_plural(again), runs);
    if (by_place) {
        second.runs = q->again;
        second.ranked = q->again_ranked;
        second.ranked_count = q->again_ranked_count;
    }
    if (q->other != NULL || q->other_judged != NULL) {
        second.judgments = q->other;
        second.judged = q->other_judged;
    }
    /* A judge of its own level keeps it. */
    const bool judged = q->other != NULL || q->other_judged != NULL;
    IV_TRY(from_runs(&a, g->own, result, &q->source, q->measure, q->level, false,
                     iv_work_part(&stage, work, 0.0, 0.2), err));
    IV_TRY(from_runs(&b, g->own, result, &second,
                     q->other_measure != NULL ? q->other_measure : q->measure,
                     judged && q->judge_level != 0 ? q->judge_level : q->level, !by_place,
                     iv_work_part(&stage, work, 0.2, 0.4), err));
    say_from(g->from_a, &a, q->source.judgments);
    say_from(g->from_b, &b, second.judgments);
    const size_t base = q->baseline != NULL ? iv_evaluation_find(a.from, q->baseline) : IV_NONE;
    g->baseline = base != IV_NONE ? a.names[base] : NULL;
    return keep_shared(g, result, &a, &b, by_place && !same_names(&a, &b), false, err);
}

/* -------------------------------------------------------------- computing -- */

static int one_system(void *user, void *memory, size_t i, iv_err *err)
{
    rankings *g = user;
    const size_t n = g->topics;

    (void)memory;
    return iv_reproduced_rmse(&g->rows[i].rmse, g->a + i * n, g->b + i * n, n,
                              g->confidence, err);
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

static int compare_systems(rankings *g, const iv_work *work, iv_err *err)
{
    const size_t m = g->v.systems, n = g->topics;
    double *a = iv_take(g->own, m, sizeof *a), *b = iv_take(g->own, m, sizeof *b);

    g->rows = iv_take(g->own, m, sizeof *g->rows);
    IV_TRY(iv_taken(g->own, err));
    IV_TRY(find_means(a, g->a, m, n, g->slack_a, err));
    IV_TRY(find_means(b, g->b, m, n, g->slack_b, err));
    for (size_t i = 0; i < m; i++)
        g->rows[i] = (system_row){ .system = g->names[i], .a = a[i], .b = b[i],
                                      .rank_a = 1, .rank_b = 1 };
    for (size_t i = 0; i < m; i++) {
        system_row *r = &g->rows[i];
        for (size_t j = 0; j < m; j++) {
            r->rank_a += g->rows[j].a > r->a;
            r->rank_b += g->rows[j].b > r->b;
        }
        r->moved = (int64_t)r->rank_a - (int64_t)r->rank_b;
    }
    return iv_parallel(&(iv_loop){ m, one_system, g, NULL }, work, err);
}

/* Of differences by the two scores, and their p. */
static const char *verdict(rankings *g, double a, double p_a, double b, double p_b)
{
    const double alpha = 1.0 - g->confidence;
    const bool by_a = p_a < alpha, by_b = p_b < alpha, turned = a * b < 0.0;
    size_t *counts[] = { &g->v.same, &g->v.flips, &g->v.lost, &g->v.fresh, &g->v.order };
    static const char *const names[] = { "same", "flips", "lost", "new", "order" };
    const size_t k = by_a && by_b ? (turned ? 1 : 0) : by_a ? 2 : by_b ? 3 : turned ? 4 : 0;

    ++*counts[k];
    return names[k];
}

static int test_pairs(const iv_compared_pair **pairs, iv_comparison **c, rankings *g,
                      const double *values, const iv_work *work, iv_err *err)
{
    static const iv_pair_test t = IV_TEST_T;
    const iv_compare_options how = { .tests = &t, .test_count = 1, .confidence = g->confidence,
                                     .resamples = 1 };

    IV_TRY(iv_compare(c, values, g->v.systems, g->topics, &how, work, err));
    IV_TRY(iv_keep(g->own, *c, iv_end_comparison, err));
    g->v.pairs = iv_comparison_pairs(pairs, *c);
    return IV_OK;
}

static int compare_pairs(rankings *g, const iv_work *work, iv_err *err)
{
    const iv_compared_pair *a, *b;
    const iv_compared_test *p, *q;
    iv_comparison *ca = NULL, *cb = NULL;
    iv_stage stage;

    IV_TRY(test_pairs(&a, &ca, g, g->a, iv_work_part(&stage, work, 0.8, 0.9), err));
    IV_TRY(test_pairs(&b, &cb, g, g->b, iv_work_part(&stage, work, 0.9, 1.0), err));
    g->pairs = iv_take(g->own, g->v.pairs, sizeof *g->pairs);
    IV_TRY(iv_taken(g->own, err));
    for (size_t k = 0; k < g->v.pairs; k++) {
        (void)iv_comparison_tests(&p, ca, k);
        (void)iv_comparison_tests(&q, cb, k);
        const double by_a = iv_true_difference(a[k].found.mean, g->slack_a);
        const double by_b = iv_true_difference(b[k].found.mean, g->slack_b);
        const char *is = verdict(g, by_a, p->p_adjusted, by_b, q->p_adjusted);
        g->pairs[k] = (pair_row){ .x = g->names[a[k].a], .y = g->names[a[k].b], .verdict = is,
                                  .a = by_a, .p_a = p->p_adjusted, .b = by_b,
                                  .p_b = q->p_adjusted,
                                  .quiet = strcmp(is, "same") == 0 || strcmp(is, "order") == 0 };
    }
    return IV_OK;
}

static int compare_effects(rankings *g, iv_err *err)
{
    const size_t n = g->topics;
    size_t at = 0;
    iv_listing there = { 0 };

    if (g->q->baseline == NULL)
        return IV_OK;
    const char *name = g->baseline != NULL ? g->baseline : g->q->baseline;
    for (; at < g->v.systems && strcmp(g->names[at], name) != 0; at++)
        iv_list_quoted(&there, iv_str_of(g->names[at]));
    if (at == g->v.systems)
        return iv_fail(err, IV_EARG, "the baseline '%.80s' is not among %s", g->q->baseline,
                       iv_listed(&there));
    g->effects = iv_take(g->own, g->v.systems, sizeof *g->effects);
    IV_TRY(iv_taken(g->own, err));
    const system_row *base = &g->rows[at];
    for (size_t i = 0; i < g->v.systems; i++) {
        if (i == at)
            continue;
        effect_row *r = &g->effects[g->effect_count++];
        *r = (effect_row){ .system = g->names[i], .baseline = name,
                           .a = g->rows[i].a - base->a, .b = g->rows[i].b - base->b };
        iv_reproduced_effect(&r->ratio, &r->change, g->a + at * n, g->a + i * n,
                             g->b + at * n, g->b + i * n, n, g->confidence);
    }
    return IV_OK;
}

static int compare_orders(rankings *g, const iv_work *work, iv_err *err)
{
    g->v.orders = (iv_orders){ NAN, NAN, NAN };
    if (g->v.systems < 2) /* no order */
        return IV_OK;
    IV_TRY(iv_orders_agree(&g->v.orders, g->a, g->b, g->v.systems, g->topics, g->q->persistence,
                           err));
    return g->topics > 1 ? compare_pairs(g, work, err) : IV_OK;
}

/* ----------------------------------------------------------------- answer -- */

typedef struct order_row {
    const char *measure;
    double value;
} order_row;

const iv_field iv_agree_order_fields[] = {
    { "measure", IV_AT(order_row, measure), .about = "measure of similarity of the rankings" },
    { "value", IV_AT(order_row, value), .digits = 4,
      .about = "value on this set of topics; it has no interval" },
    { NULL } };

const iv_field iv_agree_system_fields[] = {
    { "system", IV_AT(system_row, system), .about = "name of the system" },
    { "a", IV_AT(system_row, a), .digits = 4, .about = "mean of the first scores" },
    { "b", IV_AT(system_row, b), .digits = 4, .about = "mean of the second scores" },
    { "rank_a", IV_AT(system_row, rank_a), .about = "rank by the first scores" },
    { "rank_b", IV_AT(system_row, rank_b), .about = "rank by the second scores" },
    { "moved", IV_AT(system_row, moved), .about = "ranks gained by the second scores" },
    { "rmse", IV_AT(system_row, rmse.value), .digits = 4,
      .about = "root mean squared difference of its scores" },
    IV_LIMITS_FOR(system_row, rmse., 4, IV_IF_ANY),
    { NULL } };

const iv_field iv_agree_pair_fields[] = {
    { "x", IV_AT(pair_row, x), .about = "a system" },
    { "y", IV_AT(pair_row, y), .about = "another system" },
    { "verdict", IV_AT(pair_row, verdict),
      .about = "same; flips: significant in opposite directions; lost, new: significant by "
               "the first or second scores only; order: the order changes, not significantly" },
    { "a", IV_AT(pair_row, a), .digits = 4, .about = "x - y by the first scores" },
    { "p_a", IV_AT(pair_row, p_a), .digits = 4, .about = "adjusted p of that difference" },
    { "b", IV_AT(pair_row, b), .digits = 4, .about = "x - y by the second scores" },
    { "p_b", IV_AT(pair_row, p_b), .digits = 4, .about = "adjusted p of that difference" },
    { NULL } };

const iv_field iv_agree_effect_fields[] = {
    { "system", IV_AT(effect_row, system), .about = "name of the system" },
    { "baseline", IV_AT(effect_row, baseline), .about = "baseline of the comparison" },
    { "a", IV_AT(effect_row, a), .digits = 4, .about = "its effect by the first scores" },
    { "b", IV_AT(effect_row, b), .digits = 4, .about = "its effect by the second scores" },
    { "effect_ratio", IV_AT(effect_row, ratio.value), .digits = 4, .about = "b / a" },
    IV_LIMITS_NAMED(effect_row, "ratio_", ratio., 4, IV_FOR_ALL),
    { "delta_ri", IV_AT(effect_row, change.value), .digits = 4,
      .about = "difference of the relative improvements by the first and second scores" },
    IV_LIMITS_NAMED(effect_row, "ri_", change., 4, IV_FOR_ALL),
    { NULL } };

static int by_rank(const void *va, const void *vb)
{
    const system_row *a = va, *b = vb;

    return a->rank_a != b->rank_a ? (a->rank_a < b->rank_a ? -1 : 1)
                                  : strcmp(a->system, b->system);
}

/* ", 95 % interval 0.1 to 0.2", or nothing. */
static const char *span_of(char text[80], const iv_interval *r, double confidence)
{
    text[0] = '\0';
    if (isfinite(r->lower) && isfinite(r->upper))
        (void)snprintf(text, 80, ", %.10g %% interval %.4f to %.4f", 100.0 * confidence, r->lower,
                       r->upper);
    return text;
}

/* Of reproduced runs: the one that differs most, and the first effect. */
static void answer_reproduction(iv_result *out, const rankings *g)
{
    const system_row *far = g->rows;
    char span[80], effect[300] = "", ratio[80];

    for (size_t i = 1; i < g->v.systems; i++)
        far = g->rows[i].rmse.value > far->rmse.value ? &g->rows[i] : far;
    if (g->effect_count > 0 && isfinite(g->effects->ratio.value))
        (void)snprintf(effect, sizeof effect, "; the effect of %.60s over %.60s is %.3f times "
                                              "the original%s",
                       g->effects->system, g->effects->baseline, g->effects->ratio.value,
                       span_of(ratio, &g->effects->ratio, g->confidence));
    iv_result_answer(out, "%s differs %s by %.4f (root mean square over %zu topics)%s%s.",
                     far->system, g->v.systems > 1 ? "most from its reproduction,"
                     : "from its reproduction", far->rmse.value, g->topics,
                     span_of(span, &far->rmse, g->confidence), effect);
}

static void answer_rankings(iv_result *out, const rankings *g)
{
    const double tau = g->v.orders.tau;

    if (isnan(tau))
        iv_result_answer(out, "Kendall's tau is undefined: in one of the two rankings all %zu "
                         "systems are tied.", g->v.systems);
    else if (g->topics == 1)
        iv_result_answer(out, "Kendall's tau between the two rankings of %zu systems is %.3f.",
                         g->v.systems, tau);
    else
        iv_result_answer(out, "Kendall's tau between the two rankings of %zu systems is %.3f on "
                         "%zu topics. Significance changes in %zu of %zu pairs: %zu reversed, %zu "
                         "lost, %zu new.", g->v.systems, tau, g->topics,
                         g->v.flips + g->v.lost + g->v.fresh, g->v.pairs, g->v.flips, g->v.lost,
                         g->v.fresh);
}

static void put_rankings(iv_result *out, const rankings *g)
{
    const order_row rows[] = { { "tau", g->v.orders.tau }, { "tau_AP", g->v.orders.tau_ap },
                               { "RBO", g->v.orders.rbo } };

    IV_TABLE(out, "orders", iv_agree_order_fields, rows, 3);
    iv_result_used(out, "tau-ap");
    iv_result_used(out, "rbo");
    if (g->topics == 1)
        IV_SAY_AGREE(out, "agree.one-value", 1);
    else
        iv_result_legend(out, "Verdicts: t tests of the mean difference with Holm's correction, at "
                         "%g; pairs not shown have the same verdict or change places without "
                         "significance (%zu).", 1.0 - g->confidence, g->v.order);
}

/* Systems whose squared differences lie on fewer than ten topics, as many as would vary so. */
static size_t few_differ(const rankings *s)
{
    /* Effective topics, (sum x)^2 / sum x^2: 50 of TREC are 10 to 20, and cover 0.89. */
    const double least = iv_caution_at(IV_FEW_RMSE_TOPICS);
    size_t few = 0;

    for (size_t i = 0; i < s->v.systems; i++) {
        double sum = 0.0, squares = 0.0;
        for (size_t t = i * s->topics; t < (i + 1) * s->topics; t++) {
            const double d = s->a[t] - s->b[t];
            sum += d * d;
            squares += d * d * d * d;
        }
        few += squares > 0.0 && sum * sum < least * squares;
    }
    return few;
}

static void put_systems(iv_result *out, const rankings *g)
{
    size_t open = 0;

    IV_TABLE(out, "systems", iv_agree_system_fields, g->rows, g->v.systems);
    if (g->v.pairs > 0)
        IV_TABLE(out, "pairs", iv_agree_pair_fields, g->pairs, g->v.pairs,
                 .quiet = IV_QUIET(pair_row, quiet));
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "systems", .title = "The systems",
        .caption = "A point is a system. Across: its mean by the first scores. Upwards: its mean "
                   "by the second.", .label = "system", .x = "a", .value = "b" });
    if (g->topics > 1)
        iv_result_legend(out, "systems: a%s and b%s are means. moved: ranks gained by b. lower, "
                         "upper: interval of rmse (Student's t).", g->from_a, g->from_b);
    if (g->topics > 1) {
        iv_result_used_with(out, "t", " for rmse");
        IV_SAY_AGREE(out, "agree.few-differ", few_differ(g));
    }
    if (g->q->again.count + g->q->again_ranked_count > 0 || g->effect_count > 0)
        iv_result_used(out, "reproduction");
    if (g->v.pairs > 0)
        iv_result_used_with(out, "paired-t", " for pairs");
    if (g->effect_count == 0)
        return;
    for (size_t i = 0; i < g->effect_count; i++)
        open += isnan(g->effects[i].ratio.lower) ? 1 : 0;
    IV_TABLE(out, "effects", iv_agree_effect_fields, g->effects, g->effect_count);
    if (open > 0 && g->topics > 1)
        IV_SAY_AGREE(out, "agree.no-ratio", open);
}

static int answer(rankings *g, iv_result *out, const iv_work *work, iv_err *err)
{
    iv_stage stage;
    char span[80];

    IV_TRY(read_two(g, out, work, err));
    IV_TRY(compare_systems(g, iv_work_part(&stage, work, 0.4, 0.5), err));
    IV_TRY(compare_orders(g, work, err));
    IV_TRY(compare_effects(g, err));
    if (g->v.systems > 1)
        put_rankings(out, g);
    if (g->q->again.count + g->q->again_ranked_count > 0)
        answer_reproduction(out, g);
    else if (g->v.systems > 1)
        answer_rankings(out, g);
    else
        iv_result_answer(out, "The two scores of %s differ by %.4f (root mean square over %zu "
                         "topics)%s.", g->rows->system, g->rows->rmse.value, g->topics,
                         span_of(span, &g->rows->rmse, g->confidence));
    qsort(g->rows, g->v.systems, sizeof *g->rows, by_rank);
    put_systems(out, g);
    if (g->topics > 1)
        iv_result_assumption(out, "The topics are a random sample of the topics of interest.");
    return IV_OK;
}

typedef struct judging {
    const iv_agree_question *q;
    iv_arena *own;
    iv_judgments *reference;
    iv_texts files, runs;
    const iv_work *one; /* of one judge */
    iv_judgments **labels;
    iv_judge **judges;
    iv_judge_summary *summaries;
    double confidence;
} judging;

IV_ENDS(judge)

/* Runs and labels, told by content. */
static int part_files(judging *g, const iv_work *work, iv_err *err)
{
    const iv_texts all = g->q->beside;
    const char **files = iv_take(g->own, all.count, sizeof *files);
    const char **runs = iv_take(g->own, all.count, sizeof *runs);

    IV_TRY(iv_taken(g->own, err));
    for (size_t i = 0; i < all.count; i++) {
        bool run = false;
        if (strcmp(all.at[i], "-") != 0)
            IV_TRY(iv_file_is_run(&run, all.at[i], work, err));
        if (run)
            runs[g->runs.count++] = all.at[i];
        else
            files[g->files.count++] = all.at[i];
    }
    g->files.at = files;
    g->runs.at = runs;
    if (g->files.count == 0)
        return iv_fail(err, IV_EARG, "no labels of a judge, expected a file beside the runs");
    return IV_OK;
}

static int one_judge(void *user, void *memory, size_t i, iv_err *err)
{
    judging *g = user;
    const iv_agree_question *q = g->q;
    const iv_judge_options how = { .level = q->level, .judge_level = q->judge_level,
                                   .weights = q->weights, .confidence = g->confidence };
    bool scored;

    (void)memory;
    IV_TRY(iv_machine_labels_load(&g->labels[i], &scored, g->files.at[i], IV_JUDGMENTS_ANY,
                                  g->one, err));
    return iv_judge_new(&g->judges[i], g->reference, q->source.judgments, g->labels[i], scored,
                        g->files.at[i], &how, err);
}

/* The orders of the runs by the reference and by each judge. */
static int order_runs(judging *g, const iv_work *work, iv_err *err)
{
    iv_result *aside = NULL;

    if (g->runs.count == 0)
        return IV_OK;
    IV_TRY(iv_result_new(&aside, "agree", err));
    int rc = IV_OK;
    for (size_t i = 0; rc == IV_OK && i < g->files.count; i++) {
        iv_agree_question one = *g->q;
        iv_stage stage;
        one.beside = (iv_texts){ NULL, 0 };
        one.source.judged = g->reference;
        one.source.runs = g->runs;
        one.other_judged = g->judges[i]->grades;
        one.judge_level = g->judges[i]->judge_level;
        if (one.judge_level == 0)
            one.judge_level = IV_ZERO;
        rankings r = { .q = &one, .own = iv_result_own(aside), .confidence = g->confidence };
        const iv_work *part = iv_work_nth(&stage, work, i, g->files.count);
        rc = read_two(&r, aside, part, err);
        if (rc == IV_OK)
            rc = compare_orders(&r, part, err);
        g->summaries[i].runs = r.v;
        iv_arena_free(iv_result_own(aside));
    }
    iv_result_free(aside);
    return rc;
}

static int by_worth(const void *va, const void *vb)
{
    const iv_judge_summary *a = va, *b = vb;
    const double x = a->judge.worth_graded.value, y = b->judge.worth_graded.value;

    return x != y ? (x > y ? -1 : 1) : strcmp(a->name, b->name);
}

static int rank_judges(judging *g, iv_err *err)
{
    const size_t count = g->files.count;
    size_t best = 0;

    for (size_t i = 0; i < count; i++) {
        g->summaries[i].name = iv_judge_name(g->own, g->files.at[i]);
        IV_TRY(iv_taken(g->own, err));
        g->summaries[i].judge = *g->judges[i];
        g->summaries[i].p_best = (double)NAN;
        if (by_worth(&g->summaries[i], &g->summaries[best]) < 0)
            best = i;
    }
    for (size_t i = 0; i < count; i++)
        if (i != best)
            g->summaries[i].p_best = iv_judge_worse(g->judges[best], g->judges[i]);
    qsort(g->summaries, count, sizeof *g->summaries, by_worth);
    return IV_OK;
}

static void tell(const judging *g, iv_result *out)
{
    const iv_judge_summary *best = &g->summaries[0];
    const iv_judge *x = &best->judge;
    const iv_interval *k = &x->kappa.is;
    char which[160] = "", span[IV_SPAN_SIZE], kappa[200] = "No kappa (one side has one label only)";
    size_t alike = 0;

    for (size_t i = 1; i < g->files.count; i++)
        alike += !(g->summaries[i].p_best <= 1.0 - g->confidence); /* without p, too */
    if (g->files.count > 1)
        (void)snprintf(which, sizeof which, alike == 0 ? "Of %zu judges, %.60s is significantly "
                       "the most informative. " : "Of %zu judges, %.60s is the most informative, "
                       "but not significantly more than %zu other%s. ", g->files.count, best->name,
                       alike, iv_plural(alike));
    (void)iv_span(span, g->confidence, k->lower, k->upper);
    if (isfinite(k->value) && g->files.count > 1)
        (void)snprintf(kappa, sizeof kappa, "Its kappa is %.3f", k->value);
    else if (isfinite(k->value))
        (void)snprintf(kappa, sizeof kappa, "Kappa of %.60s with the reference judgments is %.3f",
                       best->name, k->value);
    iv_result_answer(out, "%s%s%s on %s documents of %zu topic%s.", which, kappa, span,
                     IV_COUNT(x->pairs), x->topics, iv_plural(x->topics));
    if (g->files.count > 1)
        iv_result_note(out, "The most informative judge was chosen on these labels, so its "
                            "informativeness is somewhat overstated.");
    iv_result_legend(out, "Relevant means grade %d or more in the reference and %d or more for "
                          "%.60s; informativeness is 1 / (1 - R^2), where R^2 is the proportion "
                          "of the variance of the reference's grades that the labels explain.",
                     (int)x->level, (int)x->judge_level, best->name);
    if (x->topics < IV_ALPHA_UNITS)
        iv_result_note(out, "Only %zu topic%s: intervals are over documents, and do not apply to "
                       "other topics.", x->topics, iv_plural(x->topics));
}

static int judge_all(judging *g, iv_result *out, const iv_work *work, iv_err *err)
{
    typedef iv_agree_question T;
    const iv_source *source = &g->q->source;
    iv_stage stage;

    if (source->judgments == NULL)
        return iv_fail(err, IV_EARG, "no judgments were given");
    IV_TRY(part_files(g, work, err));
    if (g->runs.count == 0)
        IV_TRY(IV_REFUSE(g->q, "without runs", err, IV_IDLE(measure, "measure")));
    IV_TRY(iv_judgments_load(&g->reference, source->judgments, source->judgments_format, work,
                             err));
    IV_TRY(iv_keep(g->own, g->reference, iv_end_judgments, err));
    iv_result_input(out, source->judgments, iv_judgments_bytes(g->reference));
    const size_t count = g->files.count;
    g->labels = iv_take(g->own, count, sizeof *g->labels);
    g->judges = iv_take(g->own, count, sizeof *g->judges);
    g->summaries = iv_take(g->own, count, sizeof *g->summaries);
    IV_TRY(iv_taken(g->own, err));
    const iv_work one = { .threads = 1, .most_bytes = work == NULL ? 0 : work->most_bytes,
                          .digests = work == NULL ? NULL : work->digests };
    g->one = &one;
    const int rc = iv_parallel(&(iv_loop){ count, one_judge, g, NULL },
                               iv_work_part(&stage, work, 0.0, 0.3), err);
    for (size_t i = 0; i < count; i++) {
        if (rc == IV_OK)
            iv_result_input(out, g->files.at[i], iv_judgments_bytes(g->labels[i]));
        if (g->labels[i] != NULL)
            (void)iv_own(g->own, g->labels[i], iv_end_judgments);
        if (g->judges[i] != NULL)
            (void)iv_own(g->own, g->judges[i], iv_end_judge);
    }
    IV_TRY(rc);
    IV_TRY(iv_taken(g->own, err));
    IV_TRY(order_runs(g, iv_work_part(&stage, work, 0.3, 1.0), err));
    return rank_judges(g, err);
}

static int agree_judges(iv_result *out, const iv_agree_question *q, const iv_work *work,
                        iv_err *err)
{
    judging g = { .q = q, .own = iv_result_own(out),
                  .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };

    IV_TRY(judge_all(&g, out, work, err));
    tell(&g, out);
    iv_judge_tables(out, g.own, g.summaries, g.files.count, IV_SHOWN);
    iv_judge_notes(out, g.summaries, g.files.count);
    iv_result_used(out, "kappa");
    if (q->weights != IV_KAPPA_PLAIN)
        iv_result_used_with(out, "weighted-kappa", " of grades");
    iv_result_used_with(out, "jackknife", " with Student's t");
    iv_result_used(out, "korn-graubard");
    iv_result_used(out, "worth");
    if (g.runs.count > 0)
        iv_result_used_with(out, "paired-t", " for pairs of runs");
    iv_result_assumption(out, "The topics are a random sample of the topics of interest. The "
                         "judged documents are a random sample of each topic, with the "
                         "probabilities in the file, if it has them.");
    return IV_OK;
}

/* What a request of agree has; the words of each case, in the order of the checks. */
enum {
    SCORES = 1 << 0,
    TABLE = 1 << 1,
    JUDGES = 1 << 2,
    ORDERS = 1 << 3,
    LABELS = 1 << 4, /* not rankings */
    OTHER = 1 << 5
};

static const iv_case cases[] = {
    { SCORES, "with --scores", "without --scores" },
    { TABLE, "with a table of assessors",
      "without a table with the columns item, assessor and label" },
    { JUDGES, "with labels of judges", NULL },
    { ORDERS, "with --orders", "without --orders" },
    { LABELS, NULL, "with rankings of systems" },
    { OTHER, NULL, "without --other" },
    { 0, NULL, NULL }
};

#define OPTION(member, name, needs, excluded) \
    IV_OPTION(iv_agree_question, member, name, needs, excluded)

static const iv_option options[] = {
    /* member, name, needs, excluded by */
    OPTION(measure, "measure", 0, TABLE | ORDERS),
    OPTION(level, "level", 0, SCORES | TABLE | ORDERS),
    OPTION(judge_level, "judge-level", OTHER, SCORES | TABLE | ORDERS),
    OPTION(weights, "weights", LABELS, SCORES),
    OPTION(scale, "scale", TABLE, SCORES),
    OPTION(by, "by", ORDERS, SCORES),
    OPTION(baseline, "baseline", 0, SCORES | TABLE | JUDGES),
    OPTION(persistence, "persistence", 0, SCORES | TABLE | JUDGES),
    OPTION(other, "other", 0, SCORES | TABLE | JUDGES | ORDERS),
    OPTION(again.count, "reproduced", 0, SCORES | TABLE | JUDGES | ORDERS),
    OPTION(other_measure, "other-measure", 0, SCORES | TABLE | JUDGES | ORDERS),
    OPTION(a_matrix, "orders", 0, SCORES),
    OPTION(machine.human_labels, "human-labels", SCORES, 0),
    OPTION(machine.design, "human-design", SCORES, 0),
    { NULL, 0, 0, 0, 0 }
};

static unsigned cases_of(const iv_agree_question *q)
{
    const bool table = q->assessors != NULL, judges = q->beside.count > 0;
    const bool other = q->other != NULL || q->other_judged != NULL;

    return (q->scores.given ? SCORES : 0u) | (table ? TABLE : 0u) | (judges ? JUDGES : 0u)
        | (q->a_matrix != NULL ? ORDERS : 0u) | (table || judges ? LABELS : 0u)
        | (judges || other ? OTHER : 0u);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_agree_question *q = asked;

    IV_TRY(iv_scored_absent(&q->scores, false, false, err));
    IV_TRY(iv_refuse_options(q, options, cases, cases_of(q), err));
    if (q->scores.given)
        return iv_agree_scores(out, q, work, err);
    if (q->assessors != NULL)
        return iv_agree_assessors(out, q, work, err);
    if (q->beside.count > 0)
        return agree_judges(out, q, work, err);
    return answer(&(rankings){ .q = q, .own = iv_result_own(out),
                               .confidence = q->confidence == 0.0 ? 0.95 : q->confidence },
                  out, work, err);
}

int iv_answer_agree(iv_result *out, const iv_agree_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_agree_question, a_matrix, PATH, "the first matrix"),
        IV_PART_OF(iv_agree_question, b_matrix, PATH, "the second matrix"),
        IV_CHOICE_OF(iv_agree_question, by, iv_score_rows_names, "what rows are"),
        IV_SOURCE_PARTS(iv_agree_question, source.),
        IV_PART_OF(iv_agree_question, other, PATH, "the other judgments"),
        IV_PART_OF(iv_agree_question, again, PATHS, "reproduced run"),
        IV_PART_OF(iv_agree_question, beside, PATHS, "file of labels"),
        IV_CHOICE_OF(iv_agree_question, weights, iv_kappa_weights_names, "the weights of kappa"),
        IV_PART_OF(iv_agree_question, assessors, PATH, "the table of assessors"),
        IV_CHOICE_OF(iv_agree_question, scale, iv_label_scale_names, "the scale"),
        IV_SCORES_PARTS(iv_agree_question, scores.),
        IV_MACHINES_PARTS(iv_agree_question, machine.),
        IV_PART_OF(iv_agree_question, persistence, REAL, "the persistence"),
        IV_PART_OF(iv_agree_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
