/* SPDX-License-Identifier: Apache-2.0 */
/* Every metric of every system: of its categories, and averaged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "estimate/prf_making.h"

/* What an estimate's posterior is made of. */
typedef struct posterior {
    iv_prf_cells cells;
    iv_prf_metric metric;
    iv_prf_counts counts; /* that the metric is binomial in; tp < 0: none */
} posterior;

typedef struct maker {
    iv_prf_making *k;
    posterior *exact; /* of each estimate */
    size_t exact_room;
    const iv_work *work;
    iv_err *err;
} maker;

/* Adds x, unless it is not wanted. */
static int add(maker *m, iv_prf_estimate x, const char *what, const posterior *exact)
{
    iv_prf_making *k = m->k;
    const size_t n = k->out.estimate_count;

    x.system = k->systems[x.system_at].name;
    x.metric = iv_prf_keep_name(k, x.kind, what);
    if (x.metric == NULL)
        return iv_no_memory(m->err);
    if (!iv_prf_wanted(&k->wanted, x.metric))
        return IV_OK;
    iv_prf_estimate *grown = iv_grow(k->estimates, &k->estimate_room, n + 1, sizeof *grown);
    if (grown == NULL)
        return iv_no_memory(m->err);
    k->out.estimates = k->estimates = grown;
    posterior *more = iv_grow(m->exact, &m->exact_room, n + 1, sizeof *more);
    if (more == NULL)
        return iv_no_memory(m->err);
    m->exact = more;
    more[n] = exact != NULL ? *exact : (posterior){ .counts = { -1, 0, 0, 0 } };
    grown[k->out.estimate_count++] = x;
    return IV_OK;
}

/* The posterior's cells of one category. */
static int update(iv_prf_cells *out, const maker *m, size_t system, const iv_prf_counts *counts)
{
    const iv_prf_counts *earlier = m->k->earlier;

    if (earlier != NULL)
        earlier = earlier[system].tp >= 0 ? &earlier[system] : NULL;
    return iv_prf_update(out, m->k->out.prior, counts, earlier, m->err);
}

/* Of several categories those metrics that have averages, unless others are named. */
static int add_category(maker *m, size_t system, size_t category)
{
    iv_prf_making *k = m->k;
    const iv_prf_category *c = &k->systems[system].categories[category];
    const bool brief = k->systems[system].count > 1 && k->wanted.count == 0;
    posterior p = { .counts = c->counts };
    int rc = update(&p.cells, m, system, &c->counts);

    for (size_t i = 0; i < k->metric_count && rc == IV_OK; i++) {
        const bool utility = k->metrics[i].kind == IV_PRF_UTILITY; /* it was asked for */
        if (utility && c->counts.tn < 0)
            return iv_fail(m->err, IV_EARG, "a utility needs TN, which %s does not have",
                           k->systems[system].name);
        if (i >= k->averaged && (c->counts.tn < 0 || (brief && !utility)))
            continue;
        p.metric = k->metrics[i];
        rc = add(m, (iv_prf_estimate){ .system_at = system, .kind = p.metric,
                                       .value = iv_prf_value(p.metric, &c->counts) },
                 c->name, &p);
    }
    return rc;
}

/* ------------------------------------------------------------- averages -- */

/* Classes of one confusion matrix: an error is the FP of one and the FN of another. */
static bool is_one_matrix(const iv_prf_system *s)
{
    int64_t fp = 0, fn = 0, items = 0;

    for (size_t c = 0; c < s->count; c++) {
        fp += s->categories[c].counts.fp;
        fn += s->categories[c].counts.fn;
        items += s->categories[c].counts.tp + s->categories[c].counts.fn;
    }
    for (size_t c = 0; c < s->count; c++) {
        const iv_prf_counts *n = &s->categories[c].counts;
        if (n->tn >= 0 && n->tp + n->fp + n->fn + n->tn != items)
            return false;
    }
    return s->count > 2 && fp == fn && fp > 0;
}

/* Right answers of all items, one proportion however many classes there are. */
static posterior accuracy_of(const iv_prf_making *k, size_t system)
{
    const iv_prf_system *s = &k->systems[system];
    int64_t right = 0, wrong = 0;

    for (size_t c = 0; c < s->count; c++) {
        right += s->categories[c].counts.tp;
        wrong += s->categories[c].counts.fn;
    }
    return (posterior){
        { .tp = (double)right + k->out.prior.right, .fp = (double)wrong + k->out.prior.wrong,
          .fn = 1.0, .tn = 1.0 },
        { IV_PRF_PRECISION, 0.0 }, { right, wrong, 0, 0 } };
}

static int add_micro_pooled(maker *m, size_t system)
{
    const iv_prf_system *s = &m->k->systems[system];
    iv_prf_counts sum = { 0, 0, 0, -1 };
    posterior p = { .counts = { -1, 0, 0, 0 } }; /* categories have rates of their own */

    for (size_t c = 0; c < s->count; c++) {
        sum.tp += s->categories[c].counts.tp;
        sum.fp += s->categories[c].counts.fp;
        sum.fn += s->categories[c].counts.fn;
    }
    int rc = update(&p.cells, m, system, &sum);
    for (size_t i = 0; i < m->k->averaged && rc == IV_OK; i++) {
        p.metric = m->k->metrics[i];
        rc = add(m, (iv_prf_estimate){ .system_at = system, .kind = p.metric,
                                       .average = IV_PRF_MICRO,
                                       .value = iv_prf_value(p.metric, &sum) }, "micro", &p);
    }
    return rc;
}

/* Every micro average is accuracy. */
static int add_micro_accuracy(maker *m, size_t system)
{
    const iv_prf_making *k = m->k;
    const posterior p = accuracy_of(k, system);
    iv_prf_estimate x = { .system_at = system, .average = IV_PRF_MICRO,
                          .value = (double)p.counts.tp / (double)(p.counts.tp + p.counts.fp),
                          .kind = { IV_PRF_ACCURACY, 0.0 } };
    int rc = k->out.multiclass ? add(m, x, NULL, &p) : IV_OK;
    for (size_t i = 0; i < k->averaged && rc == IV_OK; i++) {
        x.kind = k->metrics[i];
        rc = add(m, x, "micro", &p);
    }
    return rc;
}

static int average_one(iv_interval *out, const maker *m, size_t system,
                       const iv_prf_target *t)
{
    const iv_prf_making *k = m->k;
    const iv_prf_system *s = &k->systems[system];

    if (k->out.multiclass)
        return iv_prf_average_labels(out, &k->items, system, t, k->out.confidence, m->err);
    const iv_prf_counts **each = calloc(s->count, sizeof *each);
    if (each == NULL)
        return iv_no_memory(m->err);
    for (size_t c = 0; c < s->count; c++)
        each[c] = &s->categories[c].counts;
    *out = iv_prf_average_categories(each, s->count, t->metric, k->out.confidence);
    free(each);
    return IV_OK;
}

/* Macro averages, and of classes weighted ones; weighted recall is accuracy. */
static int add_averages(maker *m, size_t system)
{
    iv_prf_making *k = m->k;
    const size_t count = (k->out.multiclass ? 2 : 1) * k->averaged;
    int rc = IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const bool weighted = i >= k->averaged;
        const iv_prf_target t = { weighted ? IV_PRF_WEIGHTED : IV_PRF_MACRO,
                                  k->metrics[i % k->averaged] };
        const posterior p = accuracy_of(k, system);
        const bool accuracy = weighted && t.metric.kind == IV_PRF_RECALL;
        iv_prf_estimate x = { .system_at = system, .kind = t.metric, .average = t.average };
        iv_interval a = { 0 };
        if (accuracy)
            x.value = (double)p.counts.tp / (double)(p.counts.tp + p.counts.fp);
        else
            rc = average_one(&a, m, system, &t);
        if (!accuracy) {
            x.value = a.value;
            x.se = a.se;
            x.df = a.df;
            x.lower = a.lower;
            x.upper = a.upper;
            x.jackknifed = true;
        }
        if (rc == IV_OK)
            rc = add(m, x, weighted ? "weighted" : "macro", accuracy ? &p : NULL);
    }
    return rc;
}

/* -------------------------------------------------------------- intervals -- */

/* A value of exactly 0 or 1 lies in its interval; earlier counts may have others. */
static void hold_end(iv_prf_estimate *x, const iv_prf_evaluation *e)
{
    const iv_credible c = iv_prf_hold_end((iv_credible){ .lower = x->lower, .upper = x->upper },
                                          x->kind, e->earlier ? NAN : x->value);

    x->lower = c.lower;
    x->upper = c.upper;
}

static int summarise(iv_prf_estimate *x, const iv_prf_evaluation *e, iv_err *err)
{
    iv_drawn_summary s;
    double *copy = malloc(x->drawn * sizeof *copy);

    if (copy == NULL)
        return iv_no_memory(err);
    memcpy(copy, x->draws, x->drawn * sizeof *copy);
    const int rc = iv_summarise_draws(&s, copy, x->drawn, e->confidence, e->interval, err);
    free(copy);
    if (rc < 0)
        return rc;
    x->mean = s.mean;
    x->mode = s.mode;
    x->lower = s.lower;
    x->upper = s.upper;
    x->mean_error = s.mean_error;
    x->mode_error = s.mode_error;
    x->lower_error = s.lower_error;
    x->upper_error = s.upper_error;
    hold_end(x, e);
    return IV_OK;
}

static int guarantee(iv_prf_estimate *x, const posterior *p, double confidence, iv_err *err)
{
    iv_credible c = { .lower = NAN, .upper = NAN };
    int rc = IV_OK;

    /* Macro averages follow, from all categories; of MCC and utility there are none. */
    if (x->kind.kind < IV_PRF_MCC && !x->jackknifed && p->counts.tp >= 0)
        rc = iv_prf_guaranteed(&c, &p->counts, p->metric, confidence, err);
    x->lower = c.lower;
    x->upper = c.upper;
    x->lower_error = x->upper_error = 0.0;
    return rc;
}

/* Balanced accuracy is (1 + R - Q) / 2 of recall R and the false positive rate Q, independent
 * betas: its mean and equal tails are exact. */
static int balance(iv_prf_estimate *x, const iv_prf_cells *c, const iv_prf_evaluation *e,
                   iv_err *err)
{
    iv_posterior *r = NULL, *q = NULL;
    iv_posterior_gap gap;
    int rc = iv_posterior_beta(&r, c->tp, c->fn, err);

    if (rc == IV_OK)
        rc = iv_posterior_beta(&q, c->fp, c->tn, err);
    if (rc == IV_OK)
        rc = iv_posterior_compare(&gap, r, q, e->confidence, err);
    if (rc == IV_OK) {
        x->mean = 0.5 * (1.0 + gap.mean);
        x->mean_error = 0.0;
    }
    if (rc == IV_OK && e->interval == IV_INTERVAL_EQUAL) {
        x->lower = 0.5 * (1.0 + gap.lower);
        x->upper = 0.5 * (1.0 + gap.upper);
        x->lower_error = x->upper_error = 0.0;
        hold_end(x, e);
    }
    iv_posterior_free(r);
    iv_posterior_free(q);
    return rc;
}

static int describe_one(const maker *m, iv_prf_estimate *x, size_t i, iv_err *err)
{
    iv_prf_making *k = m->k;
    iv_credible c;

    if (x->jackknifed) {
        x->mean = x->mode = NAN;
        return IV_OK;
    }
    if (x->draws != NULL) {
        IV_TRY(summarise(x, &k->out, err));
        return x->kind.kind == IV_PRF_BALANCED_ACCURACY
                   ? balance(x, &m->exact[i].cells, &k->out, err) : IV_OK;
    }
    IV_TRY(iv_posterior_prf(&k->posteriors[i], &m->exact[i].cells, m->exact[i].metric, err));
    IV_TRY(iv_posterior_interval(&c, k->posteriors[i], k->out.confidence, k->out.interval, err));
    x->posterior = k->posteriors[i];
    x->mean = iv_posterior_mean(x->posterior);
    x->mode = iv_posterior_mode(x->posterior);
    x->lower = c.lower;
    x->upper = c.upper;
    x->no_hump = c.kind != k->out.interval;
    hold_end(x, &k->out);
    return IV_OK;
}

static int describe(void *user, void *memory, size_t i, iv_err *err)
{
    const maker *m = user;
    iv_prf_making *k = m->k;

    (void)memory;
    IV_TRY(describe_one(m, &k->estimates[i], i, err));
    return k->out.guaranteed ? guarantee(&k->estimates[i], &m->exact[i], k->out.confidence, err)
                             : IV_OK;
}

/* A macro average lies between the means of limits that hold all together. */
static int guarantee_macro(iv_prf_making *k, iv_err *err)
{
    for (size_t i = 0; i < k->out.estimate_count; i++) {
        iv_prf_estimate *x = &k->estimates[i];
        const iv_prf_system *s = &k->systems[x->system_at];
        const double n = (double)s->count;
        if (x->average != IV_PRF_MACRO || s->count < 2)
            continue;
        x->lower = x->upper = 0.0;
        for (size_t c = 0; c < s->count; c++) {
            iv_credible one;
            IV_TRY(iv_prf_guaranteed(&one, &s->categories[c].counts, x->kind,
                                     1.0 - (1.0 - k->out.confidence) / n, err));
            x->lower += one.lower / n;
            x->upper += one.upper / n;
        }
    }
    return IV_OK;
}

/* Both classes of binary labels, and their averages. */
static int add_two_classes(maker *m, size_t system)
{
    iv_prf_making *k = m->k;
    const iv_prf_counts c = k->systems[system].categories[0].counts;
    const iv_prf_counts of[2] = { { c.tn, c.fn, c.fp, c.tp }, c };
    int rc = IV_OK;

    for (int side = 0; side < 2 && rc == IV_OK; side++) {
        posterior p = { .counts = of[side] };
        rc = iv_prf_update(&p.cells, k->out.prior, &of[side], NULL, m->err);
        for (size_t i = 0; i < 3 && rc == IV_OK; i++) {
            p.metric = k->metrics[i];
            rc = add(m, (iv_prf_estimate){ .system_at = system, .kind = p.metric,
                                           .value = iv_prf_value(p.metric, &of[side]) },
                     k->out.classes[side], &p);
        }
    }
    for (size_t i = 0; i < 6 && rc == IV_OK; i++) {
        const bool weighted = i > 2;
        const iv_prf_target t = { weighted ? IV_PRF_WEIGHTED : IV_PRF_MACRO, k->metrics[i % 3] };
        iv_interval a;
        rc = iv_prf_average_labels(&a, &k->items, system, &t, k->out.confidence, m->err);
        if (rc == IV_OK)
            rc = add(m, (iv_prf_estimate){ .system_at = system, .kind = t.metric,
                                           .average = t.average, .value = a.value, .se = a.se,
                                           .df = a.df, .lower = a.lower, .upper = a.upper,
                                           .jackknifed = true },
                     weighted ? "weighted" : "macro", NULL);
    }
    return rc;
}

static int add_system(maker *m, size_t system)
{
    iv_prf_making *k = m->k;
    const size_t categories = k->systems[system].count;
    const bool matrix = !k->out.multiclass && is_one_matrix(&k->systems[system]);
    int rc = IV_OK;

    k->out.one_matrix = k->out.one_matrix || matrix;
    for (size_t c = 0; c < categories && rc == IV_OK; c++)
        rc = add_category(m, system, c);
    if (k->out.classes[0] != NULL && k->wanted.count == 0 && k->earlier == NULL && rc == IV_OK)
        rc = add_two_classes(m, system);
    if (categories > 1 && rc == IV_OK)
        rc = k->out.multiclass || matrix ? add_micro_accuracy(m, system)
                                         : add_micro_pooled(m, system);
    if (categories > 1 && rc == IV_OK)
        rc = add_averages(m, system);
    return rc;
}

/* Draws of what has no closed form: balanced accuracy and MCC.  Systems on the same items have the
 * same stream: equal ones are drawn alike. */
static int draw_estimates(maker *m)
{
    iv_prf_making *k = m->k;

    for (size_t i = 0; i < k->out.estimate_count; i++) {
        iv_prf_estimate *x = &k->estimates[i];
        if (x->kind.kind < IV_PRF_BALANCED_ACCURACY || x->jackknifed)
            continue;
        const bool same = k->items.items > 0;
        const iv_draw_plan plan = { k->out.draws, (uint32_t)(same ? 0 : x->system_at) };
        double *draws = iv_prf_block(k, plan.draws);
        if (draws == NULL)
            return iv_no_memory(m->err);
        iv_stage stage;
        IV_TRY(iv_prf_draw(draws, &m->exact[i].cells, &x->kind, 1, &plan,
                           iv_work_nth(&stage, m->work, i, k->out.estimate_count), m->err));
        x->draws = draws;
        x->drawn = plan.draws;
    }
    return IV_OK;
}

int iv_prf_make_estimates(iv_prf_making *k, const iv_work *work, iv_err *err)
{
    iv_stage stage;
    maker m = { .k = k, .work = iv_work_part(&stage, work, 0.0, 0.5), .err = err };
    int rc = IV_OK;

    for (size_t s = 0; s < k->out.system_count && rc == IV_OK; s++)
        rc = add_system(&m, s);
    if (rc == IV_OK)
        rc = draw_estimates(&m);
    k->posteriors = calloc(k->out.estimate_count + 1, sizeof *k->posteriors);
    k->cells = calloc(k->out.estimate_count + 1, sizeof *k->cells);
    if (rc == IV_OK && (k->posteriors == NULL || k->cells == NULL))
        rc = iv_no_memory(err);
    if (rc == IV_OK) {
        for (size_t i = 0; i < k->out.estimate_count; i++)
            k->cells[i] = m.exact[i].cells;
        k->posterior_count = k->out.estimate_count;
        rc = iv_parallel(&(iv_loop){ k->out.estimate_count, describe, &m, NULL },
                         iv_work_part(&stage, work, 0.5, 1.0), err);
    }
    if (rc == IV_OK && k->out.guaranteed)
        rc = guarantee_macro(k, err);
    free(m.exact);
    return rc;
}
