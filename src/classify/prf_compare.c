/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of systems, and P(best).
 *
 * On different items posteriors are independent, and exact where they are.  On the same items
 * accuracy, recall and specificity follow from the items that one of two systems alone got right
 * (exact), precision, F, balanced accuracy and MCC from draws of the joint posterior; averages over
 * classes have the paired jackknife.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "classify/prf_making.h"
#include "num/dist.h"
#include "stat/pair_tests.h"
#include "stat/prf/prf_draws.h"
#include "stat/prf/prf_posterior.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t joint_stream = UINT32_C(0x80000000); /* apart from those of single systems */

/* A posterior probability, which is not 0 or 1 though rounding (draws 0) or all draws say so. */
static double unsure(double p, size_t draws)
{
    const double least = draws > 0 ? 1.0 / (double)draws : 0.5 * DBL_EPSILON;

    return p <= 0.0 ? least : p >= 1.0 ? 1.0 - least : p;
}

static int add_pair(iv_prf_making *k, size_t a, size_t b, const char *metric, iv_err *err)
{
    const size_t n = k->out.pair_count;
    if (!IV_ROOM(k->out.pairs, k->pair_room, n + 1))
        return iv_no_memory(err);
    k->out.pairs[k->out.pair_count++] = (iv_prf_pair){
        .a = k->out.systems[a].name, .b = k->out.systems[b].name, .metric = metric, .a_at = a,
        .b_at = b };
    return IV_OK;
}

static void pair_from_gap(iv_prf_pair *out, double greater, const iv_interval *gap)
{
    out->probability = unsure(greater, 0);
    out->difference = gap->value;
    out->lower = gap->lower;
    out->upper = gap->upper;
}

static int pair_from_draws(iv_prf_pair *out, const iv_prf_making *k, const double *a,
                           const double *b, iv_err *err)
{
    const size_t n = k->out.draws;
    double *gap = malloc(n * sizeof *gap), more = 0.0;

    if (gap == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        gap[i] = a[i] - b[i];
        more += gap[i] > 0.0 ? 1.0 : gap[i] == 0.0 ? 0.5 : 0.0;
    }
    const iv_interval s = iv_summarise_draws(gap, n, k->out.confidence);
    free(gap);
    out->drawn = n;
    pair_from_gap(out, unsure(more / (double)n, n), &s);
    return IV_OK;
}

/* The jackknife's: P(a > b) is 1 less the one-sided p. */
static void pair_from_average(iv_prf_pair *out, const iv_interval *d)
{
    pair_from_gap(out, d->se > 0.0 ? iv_t_cdf(d->value / d->se, d->df)
                       : d->value == 0.0 ? 0.5 : (double)NAN, d);
}

/* ------------------------------------------------------------------- P(best) -- */

static int add_best(iv_prf_making *k, const char *metric, const double *draws, iv_err *err)
{
    const size_t systems = k->out.system_count, n = k->out.draws;
    if (!IV_ROOM(k->out.best, k->best_room, k->out.best_count + systems))
        return iv_no_memory(err);
    iv_prf_pair *to = k->out.best + k->out.best_count;
    for (size_t s = 0; s < systems; s++)
        to[s] = (iv_prf_pair){ .a = k->out.systems[s].name, .metric = metric };
    for (size_t i = 0; i < n; i++) {
        double most = -INFINITY, ties = 0.0;
        for (size_t s = 0; s < systems; s++) {
            ties = draws[s * n + i] > most ? 1.0 : ties + (draws[s * n + i] == most);
            most = fmax(most, draws[s * n + i]);
        }
        for (size_t s = 0; s < systems; s++)
            to[s].probability += draws[s * n + i] == most ? 1.0 / ties : 0.0;
    }
    for (size_t s = 0; s < systems; s++) {
        to[s].probability /= (double)n;
        to[s].probability_error = sqrt(to[s].probability * (1.0 - to[s].probability) / (double)n);
    }
    k->out.best_count += systems;
    return IV_OK;
}

/* ------------------------------------------------------------ different items -- */

/* Draws of an estimate, drawn before or now. */
static int draws_of(double *out, const iv_prf_making *k, const iv_prf_estimate *x, iv_err *err)
{
    const iv_prf_exact *p = &k->exact[x - k->out.estimates];

    if (x->draws == NULL)
        return iv_prf_draw(out, &p->cells, &p->metric, 1, k->out.draws, (uint32_t)x->system_at,
                           &k->one, err);
    memcpy(out, x->draws, k->out.draws * sizeof *out);
    return IV_OK;
}

static int drawn_pair(iv_prf_pair *p, const iv_prf_making *k, const iv_prf_estimate *of_a,
                      const iv_prf_estimate *of_b, iv_err *err)
{
    const size_t n = k->out.draws;
    double *room = malloc(2 * n * sizeof *room);
    int rc = room == NULL ? iv_no_memory(err) : draws_of(room, k, of_a, err);

    if (rc == IV_OK)
        rc = draws_of(room + n, k, of_b, err);
    if (rc == IV_OK)
        rc = pair_from_draws(p, k, room, room + n, err);
    free(room);
    return rc;
}

static int fill_different(void *user, void *memory, size_t i, iv_err *err)
{
    const iv_prf_making *k = user;
    iv_prf_pair *p = &k->out.pairs[i];
    const iv_prf_estimate *a = iv_prf_find(&k->out, p->a_at, p->metric);
    const iv_prf_estimate *b = iv_prf_find(&k->out, p->b_at, p->metric);
    double greater;
    iv_interval gap;

    (void)memory;
    if (a->jackknifed) {
        const iv_interval d = iv_prf_gap_limits(a->value - b->value, hypot(a->se, b->se),
                                                fmin(a->df, b->df), k->out.confidence);
        pair_from_average(p, &d);
        return IV_OK;
    }
    if (a->draws != NULL || (a->kind.kind == IV_PRF_F && a->kind.beta != 1.0)) {
        IV_TRY(drawn_pair(p, k, a, b, err));
        if (a->posterior != NULL) { /* the mean and P(a > b) are known exactly */
            p->probability = iv_posterior_greater(a->posterior, b->posterior);
            p->probability = unsure(p->probability, 0);
            p->difference = a->mean - b->mean;
        }
        return IV_OK;
    }
    IV_TRY(iv_posterior_compare(&greater, &gap, a->posterior, b->posterior, k->out.confidence,
                                err));
    pair_from_gap(p, greater, &gap);
    return IV_OK;
}

/* Every metric of a that b has too. */
static int list_different(iv_prf_making *k, size_t a, size_t b, iv_err *err)
{
    for (size_t i = 0; i < k->out.estimate_count; i++) {
        const iv_prf_estimate *x = &k->out.estimates[i];
        if (x->system_at == a && iv_prf_find(&k->out, b, x->metric) != NULL)
            IV_TRY(add_pair(k, a, b, x->metric, err));
    }
    return IV_OK;
}

/* By the metrics that every system has, averages by the jackknife excepted. */
static int best_of_different(iv_prf_making *k, iv_err *err)
{
    const size_t systems = k->out.system_count, n = k->out.draws;
    double *draws = malloc(systems * n * sizeof *draws);
    int rc = draws != NULL ? IV_OK : iv_no_memory(err);

    for (size_t i = 0; rc == IV_OK && i < k->out.estimate_count; i++) {
        const iv_prf_estimate *x = &k->out.estimates[i];
        bool have = x->system_at == 0 && !x->jackknifed;
        for (size_t s = 0; s < systems && have && rc == IV_OK; s++) {
            const iv_prf_estimate *y = iv_prf_find(&k->out, s, x->metric);
            have = y != NULL;
            if (have)
                rc = draws_of(draws + s * n, k, y, err);
        }
        if (have && rc == IV_OK)
            rc = add_best(k, x->metric, draws, err);
    }
    free(draws);
    return rc;
}

int iv_prf_make_different(iv_prf_making *k, const iv_work *work, iv_err *err)
{
    for (size_t a = 0; a < k->out.system_count; a++) {
        for (size_t b = a + 1; b < k->out.system_count; b++)
            IV_TRY(list_different(k, a, b, err));
    }
    IV_TRY(iv_parallel(&(iv_loop){ k->out.pair_count, fill_different, k, NULL }, work, err));
    return k->out.system_count > 2 ? best_of_different(k, err) : IV_OK;
}

/* -------------------------------------------------------------- the same items -- */

/* The prior of each of the three cells: the paper's 1/2 where right = wrong = 1/2. */
static iv_paired_cells paired_cells(iv_paired_cells n, iv_prf_prior p)
{
    const double each = 0.5 * (p.right + p.wrong);

    return (iv_paired_cells){ n.a + each, n.b + each, n.rest + each };
}

/* One metric that pairs are compared by. */
typedef struct subject {
    const char *name;
    iv_prf_metric metric;
    iv_prf_average average;
    int32_t klass;
    enum { BY_PAIRS, BY_DRAWS, BY_JACKKNIFE } how;
} subject;

typedef struct same {
    iv_prf_making *k;
    iv_arena own;
    subject *subjects; /* each pair has them all, in their order */
    size_t count, room;
} same;

static int add_subject(same *c, iv_prf_metric m, iv_prf_average average, int32_t klass,
                       const char *what, iv_err *err)
{
    const bool counted = m.kind == IV_PRF_ACCURACY
        || (average == IV_PRF_ONE && (m.kind == IV_PRF_RECALL || m.kind == IV_PRF_SPECIFICITY));
    const char *name = iv_prf_keep_name(c->k, m, what);

    if (name == NULL)
        return iv_no_memory(err);
    if (!iv_prf_wanted(c->k, name))
        return IV_OK;
    if (!IV_ARENA_ROOM(&c->own, c->subjects, c->room, c->count))
        return iv_no_memory(err);
    c->subjects[c->count++] = (subject){ name, m, average, klass,
                                   counted ? BY_PAIRS : average == IV_PRF_ONE ? BY_DRAWS
                                                                              : BY_JACKKNIFE };
    return IV_OK;
}

/* Of classes accuracy and averages; single classes where metrics are named. */
static int list_subjects(same *c, iv_err *err)
{
    const iv_prf_making *k = c->k;

    for (size_t m = 0; m < k->metric_count && !k->out.multiclass; m++)
        IV_TRY(add_subject(c, k->metrics[m], IV_PRF_ONE, 1, NULL, err));
    if (!k->out.multiclass)
        return IV_OK;
    IV_TRY(add_subject(c, (iv_prf_metric){ IV_PRF_ACCURACY, 0.0 }, IV_PRF_MICRO, 0, NULL, err));
    for (size_t m = 0; m < k->averaged; m++)
        IV_TRY(add_subject(c, k->metrics[m], IV_PRF_MACRO, 0, "macro", err));
    for (int32_t klass = 0; klass < k->items.classes && k->wanted.count > 0; klass++)
        for (size_t m = 0; m < k->averaged; m++)
            IV_TRY(add_subject(c, k->metrics[m], IV_PRF_ONE, klass,
                               k->out.systems[0].categories[klass].category, err));
    return IV_OK;
}

/* Did two systems say the same of every item? */
static bool agree(const iv_prf_items *items, size_t a, size_t b)
{
    for (size_t i = 0; i < items->items; i++) {
        const int32_t *l = items->labels + i * (items->systems + 1) + 1;
        if (l[a] != l[b])
            return false;
    }
    return true;
}

/* The mean of a drawn difference is known exactly where both means are; and where nothing
 * distinguishes the two, chance must not. */
static void finish_drawn(iv_prf_pair *p, const iv_prf_making *k)
{
    const iv_prf_estimate *a = iv_prf_find(&k->out, p->a_at, p->metric);
    const iv_prf_estimate *b = iv_prf_find(&k->out, p->b_at, p->metric);

    if (a != NULL && b != NULL && a->posterior != NULL && b->posterior != NULL)
        p->difference = a->mean - b->mean;
    if (agree(&k->items, p->a_at, p->b_at)) {
        const double half = 0.5 * (p->upper - p->lower);
        p->probability = 0.5;
        p->lower = -half;
        p->upper = half;
    }
}

/* Are two subjects drawn together? */
static bool drawn_with(const same *c, size_t i, size_t j)
{
    return c->subjects[i].how == BY_DRAWS && c->subjects[j].how == BY_DRAWS
        && c->subjects[i].klass == c->subjects[j].klass;
}

static bool first_drawn(const same *c, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (drawn_with(c, i, j))
            return false;
    return true;
}

/* All drawn subjects of the class of `first`, from joint draws of both systems. */
static int draw_subjects(iv_prf_pair *pairs, const same *c, size_t first, iv_arena *own,
                         iv_err *err)
{
    const iv_prf_making *k = c->k;
    const size_t systems[2] = { pairs->a_at, pairs->b_at }, n = k->out.draws;
    /* The same draws whichever metrics are wanted. */
    const uint32_t stream = joint_stream + (uint32_t)(systems[0] * k->out.system_count
                                                      + systems[1]);
    iv_prf_metric *metrics = iv_take(own, c->count, sizeof *metrics);
    size_t *of = iv_take(own, c->count, sizeof *of), count = 0;
    iv_prf_joint joint;

    IV_TRY(iv_taken(own, err));
    for (size_t i = first; i < c->count; i++)
        if (drawn_with(c, first, i)) {
            metrics[count] = c->subjects[i].metric;
            of[count++] = i;
        }
    double *draws = iv_take(own, 2 * count * n, sizeof *draws);
    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_prf_joint_of(&joint, own, &k->items, c->subjects[first].klass, systems, 2,
                           k->out.prior, err));
    IV_TRY(iv_prf_joint_draw(draws, &joint, metrics, count, n, stream, &k->one, err));
    for (size_t i = 0; i < count; i++) {
        IV_TRY(pair_from_draws(&pairs[of[i]], k, draws + 2 * i * n, draws + (2 * i + 1) * n, err));
        finish_drawn(&pairs[of[i]], k);
    }
    return IV_OK;
}

static int count_subject(iv_prf_pair *p, const iv_prf_making *k, const subject *s, iv_err *err)
{
    const iv_paired_cells n = iv_prf_paired(&k->items, p->a_at, p->b_at, s->metric.kind, s->klass);
    double greater;
    iv_interval gap;

    IV_TRY(iv_paired_compare(&greater, &gap, paired_cells(n, k->out.prior), k->out.confidence,
                             err));
    pair_from_gap(p, greater, &gap);
    return IV_OK;
}

/* All metrics of one pair. */
static int fill_same(void *user, void *memory, size_t pair, iv_err *err)
{
    const same *c = user;
    const iv_prf_making *k = c->k;
    iv_prf_pair *pairs = &k->out.pairs[pair * c->count];

    (void)memory;
    for (size_t i = 0; i < c->count; i++) {
        const subject *s = &c->subjects[i];
        if (s->how == BY_PAIRS) {
            IV_TRY(count_subject(&pairs[i], k, s, err));
        } else if (s->how == BY_JACKKNIFE) {
            iv_interval d;
            IV_TRY(iv_prf_average_gap(&d, &k->items, pairs->a_at, pairs->b_at, s->average,
                                      s->metric, k->out.confidence, err));
            pair_from_average(&pairs[i], &d);
        } else if (first_drawn(c, i)) {
            iv_arena own = { 0 };
            const int rc = draw_subjects(pairs, c, i, &own, err);
            iv_arena_free(&own);
            IV_TRY(rc);
        }
    }
    return IV_OK;
}

/* Systems that say the same are the best as often as each other. */
static void share_best(iv_prf_pair *best, const iv_prf_items *items)
{
    for (size_t a = 0; a < items->systems; a++) {
        double sum = best[a].probability, alike = 1.0;
        bool first = true;
        for (size_t b = 0; b < a && first; b++)
            first = !agree(items, a, b);
        for (size_t b = a + 1; b < items->systems && first; b++) {
            if (agree(items, a, b)) {
                sum += best[b].probability;
                alike += 1.0;
            }
        }
        for (size_t b = a; b < items->systems && alike > 1.0; b++)
            if (b == a || agree(items, a, b))
                best[b].probability = sum / alike;
    }
}

/* By metrics of one class; averages have no joint posterior. */
static int best_of_same(same *c, const iv_work *work, iv_err *err)
{
    iv_prf_making *k = c->k;
    const size_t systems = k->out.system_count, n = k->out.draws;
    double *draws = iv_take(&c->own, c->count * systems * n, sizeof *draws);
    iv_prf_metric *metrics = iv_take(&c->own, c->count, sizeof *metrics);
    iv_prf_joint joint;

    IV_TRY(iv_taken(&c->own, err));
    for (size_t i = 0; i < c->count; i++)
        metrics[i] = c->subjects[i].metric;
    IV_TRY(iv_prf_joint_of(&joint, &c->own, &k->items, 1, NULL, 0, k->out.prior, err));
    IV_TRY(iv_prf_joint_draw(draws, &joint, metrics, c->count, n, joint_stream - 1, work, err));
    for (size_t i = 0; i < c->count; i++) {
        IV_TRY(add_best(k, c->subjects[i].name, draws + i * systems * n, err));
        share_best(k->out.best + k->out.best_count - systems, &k->items);
    }
    return IV_OK;
}

/* From who was right alone, or from counts of that. */
static int fill_alone(iv_prf_pair *x, const iv_prf_making *k, iv_err *err)
{
    iv_paired_cells c = paired_cells((iv_paired_cells){ (double)x->a_only, (double)x->b_only,
                                                        x->agree }, k->out.prior);
    iv_interval gap = { .value = NAN, .lower = NAN, .upper = NAN };

    if (k->items.items == 0) { /* counts: the two numbers are of the two systems */
        c.a = (double)x->a_only + k->out.prior.right;
        c.b = (double)x->b_only + k->out.prior.wrong;
    }
    x->log_odds = iv_paired_log_odds(c);
    x->mcnemar_p = iv_mcnemar((double)x->a_only, (double)x->b_only);
    if (!isnan(x->agree)) {
        double unused;
        IV_TRY(iv_paired_compare(&unused, &gap, c, k->out.confidence, err));
        gap.value = iv_paired_difference(c);
    }
    pair_from_gap(x, iv_paired_greater(c), &gap);
    return IV_OK;
}

int iv_prf_make_alone(iv_prf_making *k, iv_err *err)
{
    const size_t n = k->out.alone_count;
    iv_arena own = { 0 };
    double *p = iv_take(&own, n + 1, sizeof *p);
    int rc = iv_taken(&own, err);

    for (size_t i = 0; rc == IV_OK && i < n; i++) {
        rc = fill_alone(&k->out.alone[i], k, err);
        p[i] = k->out.alone[i].mcnemar_p;
    }
    if (rc == IV_OK)
        rc = iv_adjust(p, p, n, IV_CORRECT_HOLM, err);
    for (size_t i = 0; rc == IV_OK && i < n; i++)
        k->out.alone[i].mcnemar_adjusted = p[i];
    iv_arena_free(&own);
    return rc;
}

/* A pair of systems, and all metrics that it is compared by. */
static int list_same(const same *c, size_t a, size_t b, iv_err *err)
{
    iv_prf_making *k = c->k;
    const iv_paired_cells n = iv_prf_paired(&k->items, a, b, IV_PRF_ACCURACY, 0);

    if (!IV_ROOM(k->out.alone, k->alone_room, k->out.alone_count + 1))
        return iv_no_memory(err);
    k->out.alone[k->out.alone_count++] = (iv_prf_pair){
        .a = k->out.systems[a].name, .b = k->out.systems[b].name, .a_only = (int64_t)n.a,
        .b_only = (int64_t)n.b, .agree = n.rest };
    for (size_t i = 0; i < c->count; i++)
        IV_TRY(add_pair(k, a, b, c->subjects[i].name, err));
    return IV_OK;
}

static int make_same(same *c, const iv_work *work, iv_err *err)
{
    iv_prf_making *k = c->k;
    const size_t systems = k->out.system_count;
    iv_stage stage;

    IV_TRY(list_subjects(c, err));
    for (size_t a = 0; a < systems; a++)
        for (size_t b = a + 1; b < systems; b++)
            IV_TRY(list_same(c, a, b, err));
    IV_TRY(iv_prf_make_alone(k, err));
    if (c->count == 0)
        return IV_OK;
    IV_TRY(iv_parallel(&(iv_loop){ k->out.pair_count / c->count, fill_same, c, NULL },
                       iv_work_part(&stage, work, 0.0, systems > 2 ? 0.8 : 1.0), err));
    return systems > 2 && !k->out.multiclass
        ? best_of_same(c, iv_work_part(&stage, work, 0.8, 1.0), err) : IV_OK;
}

int iv_prf_make_same(iv_prf_making *k, const iv_work *work, iv_err *err)
{
    same c = { .k = k };
    const int rc = make_same(&c, work, err);

    iv_arena_free(&c.own);
    return rc;
}
