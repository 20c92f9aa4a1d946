/* SPDX-License-Identifier: Apache-2.0 */
/* agree -- do two sets of scores put systems into the same order? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/agree_rows.h"
#include "answer/answer_parts.h"
#include "answer/assessor_parts.h"
#include "answer/run_notes.h"
#include "base/equal_means.h"
#include "base/listing.h"
#include "base/parallel.h"
#include "intervale/answer.h"

/* -------------------------------------------------------------- computing -- */

static int one_system(void *user, void *memory, size_t i, iv_err *err)
{
    iv_agreeing *g = user;
    const size_t n = g->s.topics;

    (void)memory;
    return iv_reproduced_rmse(&g->systems[i].rmse, g->s.a + i * n, g->s.b + i * n, n,
                              g->confidence, 0, &(iv_work){ .threads = 1 }, err);
}

static int read_scores(iv_agreeing *g, iv_result *out, const iv_work *work, iv_err *err)
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

static int compare_systems(iv_agreeing *g, const iv_work *work, iv_err *err)
{
    const size_t m = g->s.systems, n = g->s.topics;
    double *a = iv_take(&g->memory, m, sizeof *a), *b = iv_take(&g->memory, m, sizeof *b);

    g->systems = iv_take(&g->memory, m, sizeof *g->systems);
    IV_TRY(iv_taken(&g->memory, err));
    IV_TRY(find_means(a, g->s.a, m, n, g->slack_a, err));
    IV_TRY(find_means(b, g->s.b, m, n, g->slack_b, err));
    for (size_t i = 0; i < m; i++)
        g->systems[i] = (iv_agree_system){ .system = g->s.names[i], .a = a[i], .b = b[i],
                                      .rank_a = 1, .rank_b = 1 };
    for (size_t i = 0; i < m; i++) {
        iv_agree_system *r = &g->systems[i];
        for (size_t j = 0; j < m; j++) {
            r->rank_a += g->systems[j].a > r->a;
            r->rank_b += g->systems[j].b > r->b;
        }
        r->moved = (int64_t)r->rank_a - (int64_t)r->rank_b;
    }
    return iv_parallel(&(iv_loop){ m, one_system, g, NULL }, work, err);
}

static const char *verdict(iv_agreeing *g, const iv_agree_pair *r)
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

static int test_pairs(const iv_compared_pair **pairs, iv_comparison **c, iv_agreeing *g,
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

static int compare_pairs(iv_agreeing *g, const iv_work *work, iv_err *err)
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
        iv_agree_pair *r = &g->pairs[k];
        *r = (iv_agree_pair){ g->s.names[a[k].a], g->s.names[a[k].b], NULL,
                         iv_true_difference(a[k].found.mean, g->slack_a), p->p_adjusted,
                         iv_true_difference(b[k].found.mean, g->slack_b), q->p_adjusted, false };
        r->verdict = verdict(g, r);
        r->quiet = strcmp(r->verdict, "same") == 0 || strcmp(r->verdict, "order") == 0;
    }
    return IV_OK;
}

static int compare_effects(iv_agreeing *g, iv_err *err)
{
    const size_t n = g->s.topics;
    iv_listing there = { 0 };

    if (g->q->baseline == NULL)
        return IV_OK;
    const char *name = g->s.baseline != NULL ? g->s.baseline : g->q->baseline;
    for (g->baseline = 0; g->baseline < g->s.systems; g->baseline++) {
        if (strcmp(g->s.names[g->baseline], name) == 0)
            break;
        iv_list_quoted(&there, iv_str_of(g->s.names[g->baseline]));
    }
    if (g->baseline == g->s.systems)
        return iv_fail(err, IV_EARG, "the baseline '%.80s' is not among %s", g->q->baseline,
                       iv_listed(&there));
    g->effects = iv_take(&g->memory, g->s.systems, sizeof *g->effects);
    IV_TRY(iv_taken(&g->memory, err));
    const iv_agree_system *base = &g->systems[g->baseline];
    for (size_t i = 0; i < g->s.systems; i++) {
        if (i == g->baseline)
            continue;
        iv_agree_effect *r = &g->effects[g->effect_count++];
        *r = (iv_agree_effect){ .system = g->s.names[i], .baseline = name,
                           .a = g->systems[i].a - base->a, .b = g->systems[i].b - base->b };
        iv_reproduced_effect(&r->ratio, &r->change, g->s.a + g->baseline * n, g->s.a + i * n,
                             g->s.b + g->baseline * n, g->s.b + i * n, n, g->confidence);
    }
    return IV_OK;
}

static int answer(iv_agreeing *g, iv_result *out, const iv_work *work, iv_err *err)
{
    iv_stage stage;

    IV_TRY(read_scores(g, out, work, err));
    IV_TRY(compare_systems(g, iv_work_part(&stage, work, 0.4, 0.5), err));
    if (g->s.systems > 1) {
        IV_TRY(iv_orders_agree(&g->orders, g->s.a, g->s.b, g->s.systems, g->s.topics,
                               &g->q->how, iv_work_part(&stage, work, 0.5, 0.8), err));
        if (g->s.topics > 1)
            IV_TRY(compare_pairs(g, work, err));
    }
    IV_TRY(compare_effects(g, err));
    iv_agree_tell(out, g);
    return IV_OK;
}

static int find_verdicts(iv_agreeing *g, iv_verdicts *v, iv_result *out, const iv_work *work,
                         iv_err *err)
{
    IV_TRY(read_scores(g, out, work, err));
    v->systems = g->s.systems;
    if (g->s.systems < 2) { /* no order */
        const iv_order_likeness none = { NAN, NAN, NAN, NAN };
        v->orders = (iv_orders){ .tau = none, .tau_ap = none, .rbo = none };
        return IV_OK;
    }
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
    iv_agreeing g = { .q = q, .confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence };

    *v = (iv_verdicts){ 0 };
    const int rc = find_verdicts(&g, v, out, work, err);
    iv_arena_free(&g.memory);
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_agree_question *q = asked;

    if (q->assessors != NULL)
        iv_result_used(out, "alpha");
    if (q->assessors != NULL)
        return iv_agree_assessors(out, q, work, err);
    iv_result_used_all(out, q->beside.count > 0 ? "kappa double-sampling" : "tau-ap rbo");
    if (q->again.count + q->again_ranked_count > 0 || q->baseline != NULL)
        iv_result_used(out, "reproduction");
    if (q->beside.count > 0)
        return iv_agree_judges(out, q, work, err);
    iv_agreeing g = { .q = q, .confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence };
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
        IV_PART_OF(iv_agree_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
