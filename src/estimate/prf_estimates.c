/* SPDX-License-Identifier: Apache-2.0 */
/* Every metric of every system: of its categories, and averaged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "estimate/prf_making.h"
#include "stat/prf/prf_state.h"

/* The posterior an estimate has, where it is exact. */
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
    uint32_t stream, streams; /* of draws: the next, and all */
    uint32_t first;           /* of a system's, where systems have the same items: equal ones
                                 are drawn alike */
    iv_err *err;
} maker;

static int add(maker *m, iv_prf_estimate x, const char *what, const posterior *exact)
{
    iv_prf_making *k = m->k;
    const size_t n = k->out.estimate_count;
    iv_prf_estimate *grown = iv_grow(k->estimates, &k->estimate_room, n + 1, sizeof *grown);

    if (grown == NULL)
        return iv_no_memory(m->err);
    k->out.estimates = k->estimates = grown;
    posterior *more = iv_grow(m->exact, &m->exact_room, n + 1, sizeof *more);
    if (more == NULL)
        return iv_no_memory(m->err);
    m->exact = more;
    x.system = k->systems[x.system_at].name;
    x.metric = iv_prf_keep_name(k, x.kind, what);
    x.drawn = x.draws != NULL ? k->out.draws : 0;
    if (x.metric == NULL)
        return iv_no_memory(m->err);
    if (exact != NULL)
        more[n] = *exact;
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

/* The share of the work that the draws of one stream are. */
static const iv_work *share(iv_stage *stage, const maker *m)
{
    return iv_work_part(stage, m->work, 0.5 * m->stream / m->streams,
                        0.5 * (m->stream + 1) / m->streams);
}

static int add_category(maker *m, size_t system, size_t category)
{
    iv_prf_making *k = m->k;
    const iv_prf_category *c = &k->systems[system].categories[category];
    const iv_draw_plan plan = { k->out.draws, m->stream - m->first };
    iv_stage stage;
    posterior p = { .counts = c->counts };
    int rc = update(&p.cells, m, system, &c->counts);

    for (size_t i = 0; i < k->metric_count && rc == IV_OK; i++) {
        iv_prf_estimate x = { .system_at = system, .kind = p.metric = k->metrics[i] };
        if (i >= k->averaged
            && (c->counts.tn < 0 || (k->briefly && k->systems[system].count > 1)))
            continue;
        x.value = iv_prf_value(x.kind, &c->counts);
        if (x.kind.kind == IV_PRF_MCC) { /* the one without a closed form */
            double *draws = iv_prf_block(k, plan.draws);
            rc = draws == NULL ? iv_no_memory(m->err)
                 : iv_prf_draw(draws, &p.cells, 1, &x.kind, 1, &plan, share(&stage, m), m->err);
            x.draws = draws;
        }
        if (rc == IV_OK)
            rc = add(m, x, c->name, &p);
    }
    m->stream++;
    return rc;
}

/* ------------------------------------------------------------- averages -- */

static int add_micro_pooled(maker *m, size_t system)
{
    const iv_prf_system *s = &m->k->systems[system];
    iv_prf_counts sum = { 0, 0, 0, s->categories[0].counts.tn >= 0 ? 0 : -1 };
    posterior p = { .counts = { -1, 0, 0, 0 } }; /* categories have rates of their own */

    for (size_t c = 0; c < s->count; c++) {
        const iv_prf_counts *n = &s->categories[c].counts;
        sum.tp += n->tp;
        sum.fp += n->fp;
        sum.fn += n->fn;
        sum.tn += sum.tn >= 0 ? n->tn : 0;
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

/* Of classes that exclude each other: one share however many there are; of two, with the
 * prior of all four cells. */
static posterior accuracy_of(const iv_prf_making *k, size_t system)
{
    const iv_prf_system *s = &k->systems[system];
    const double rows = s->count > 2 ? 1.0 : 2.0, n = (double)k->items.items;
    int64_t right = 0;

    for (size_t c = 0; c < s->count; c++)
        right += s->categories[c].counts.tp;
    return (posterior){
        { .tp = (double)right + rows * k->out.prior.right,
          .fp = n - (double)right + rows * k->out.prior.wrong, .fn = 1.0, .tn = 1.0 },
        { IV_PRF_PRECISION, 0.0 }, { right, (int64_t)k->items.items - right, 0, 0 } };
}

/* Every micro average is accuracy. */
static int add_micro_accuracy(maker *m, size_t system)
{
    const iv_prf_making *k = m->k;
    const posterior p = accuracy_of(k, system);
    iv_prf_estimate x = { .system_at = system, .average = IV_PRF_MICRO,
                          .value = (double)p.counts.tp / (double)k->items.items,
                          .kind = { IV_PRF_ACCURACY, 0.0 } };
    int rc = add(m, x, NULL, &p);
    for (size_t i = 0; i < k->averaged && rc == IV_OK; i++) {
        x.kind = k->metrics[i];
        rc = add(m, x, "micro", &p);
    }
    return rc;
}

/* Two classes, from the posterior of the whole confusion matrix. */
static int draw_classes(double *out, const maker *m, size_t system, const iv_draw_plan *plan,
                        const iv_work *work)
{
    const iv_prf_making *k = m->k;
    const size_t count = 2 * k->averaged;
    iv_prf_target *targets = calloc(count, sizeof *targets);
    iv_prf_joint *joint = NULL;
    int rc = targets != NULL ? IV_OK : iv_no_memory(m->err);

    for (size_t i = 0; i < count && rc == IV_OK; i++)
        targets[i] = (iv_prf_target){ 0, i < k->averaged ? IV_PRF_MACRO : IV_PRF_WEIGHTED, 0,
                                      k->metrics[i % k->averaged] };
    if (rc == IV_OK)
        rc = iv_prf_joint_new(&joint, &k->items, &system, 1, k->out.prior, m->err);
    if (rc == IV_OK)
        rc = iv_prf_joint_draw(out, joint, targets, count, plan, work, m->err);
    iv_prf_joint_free(joint);
    free(targets);
    return rc;
}

static int draw_categories(double *out, const maker *m, size_t system, const iv_draw_plan *plan,
                           const iv_work *work)
{
    const iv_prf_system *s = &m->k->systems[system];
    iv_prf_cells *cells = calloc(s->count, sizeof *cells);
    int rc = cells != NULL ? IV_OK : iv_no_memory(m->err);

    for (size_t c = 0; c < s->count && rc == IV_OK; c++)
        rc = update(&cells[c], m, system, &s->categories[c].counts);
    if (rc == IV_OK)
        rc = iv_prf_draw(out, cells, s->count, m->k->metrics, m->k->averaged, plan, work, m->err);
    free(cells);
    return rc;
}

/* The value of an average: sums first, so that ones have the mean 1. */
static double average_value(const iv_prf_system *s, iv_prf_metric metric, bool weighted)
{
    double sum = 0.0, weights = 0.0;

    for (size_t c = 0; c < s->count; c++) {
        const iv_prf_counts *n = &s->categories[c].counts;
        const double w = weighted ? (double)(n->tp + n->fn) : 1.0;
        if (w > 0.0)
            sum += w * iv_prf_value(metric, n);
        weights += w;
    }
    return sum / weights;
}

/* Is an average a share by itself?  Of two categories or classes it follows from them; and a
 * prior of earlier counts stays where it is. */
static bool is_share(const iv_prf_making *k, size_t system)
{
    return k->systems[system].count > 2 && k->earlier == NULL;
}

/* The distribution of a macro average over categories. */
static int macro_cells(iv_prf_cells *out, const maker *m, size_t system, iv_prf_metric metric)
{
    const iv_prf_system *s = &m->k->systems[system];
    const iv_prf_counts **each = calloc(s->count, sizeof *each);

    if (each == NULL)
        return iv_no_memory(m->err);
    for (size_t c = 0; c < s->count; c++)
        each[c] = &s->categories[c].counts;
    *out = iv_prf_macro_cells(each, s->count, metric, m->k->out.prior);
    free(each);
    return IV_OK;
}

/* Averages over more than two categories or classes; weighted recall is accuracy. */
static int add_shares(maker *m, size_t system)
{
    iv_prf_making *k = m->k;
    const size_t count = (k->out.multiclass ? 2 : 1) * k->averaged;
    int rc = IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const bool weighted = i >= k->averaged;
        const iv_prf_target t = { 0, weighted ? IV_PRF_WEIGHTED : IV_PRF_MACRO, 0,
                                  k->metrics[i % k->averaged] };
        const bool accuracy = weighted && t.metric.kind == IV_PRF_RECALL;
        iv_prf_estimate x = { .system_at = system, .kind = t.metric, .average = t.average,
                              .value = average_value(&k->systems[system], t.metric, weighted) };
        posterior p = { .metric = { IV_PRF_PRECISION, 0.0 }, .counts = { -1, 0, 0, 0 } };
        if (accuracy) {
            p = accuracy_of(k, system);
            x.value = (double)p.counts.tp / (double)k->items.items;
        } else {
            rc = k->out.multiclass ? iv_prf_average_cells(&p.cells, &k->items, system, &t,
                                                          k->out.prior, m->err)
                                   : macro_cells(&p.cells, m, system, t.metric);
        }
        if (rc == IV_OK)
            rc = add(m, x, weighted ? "weighted" : "macro", &p);
    }
    return rc;
}

/* Macro averages, and of two classes weighted ones, too: drawn. */
static int add_drawn(maker *m, size_t system)
{
    iv_prf_making *k = m->k;
    const iv_prf_system *s = &k->systems[system];
    const iv_draw_plan plan = { k->out.draws, m->stream - m->first };
    const size_t count = (k->out.multiclass ? 2 : 1) * k->averaged;
    double *draws = iv_prf_block(k, count * plan.draws);
    iv_stage stage;

    if (draws == NULL)
        return iv_no_memory(m->err);
    int rc = k->out.multiclass ? draw_classes(draws, m, system, &plan, share(&stage, m))
                               : draw_categories(draws, m, system, &plan, share(&stage, m));
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const bool weighted = i >= k->averaged;
        iv_prf_estimate x = { .system_at = system, .kind = k->metrics[i % k->averaged],
                              .average = weighted ? IV_PRF_WEIGHTED : IV_PRF_MACRO,
                              .draws = draws + i * plan.draws };
        const posterior p = accuracy_of(k, system);
        const bool accuracy = weighted && x.kind.kind == IV_PRF_RECALL; /* nothing else */
        x.value = accuracy ? (double)p.counts.tp / (double)k->items.items
                           : average_value(s, x.kind, weighted);
        if (accuracy)
            x.draws = NULL;
        rc = add(m, x, weighted ? "weighted" : "macro", accuracy ? &p : NULL);
    }
    return rc;
}

static int add_macro(maker *m, size_t system)
{
    const int rc = is_share(m->k, system) ? add_shares(m, system) : add_drawn(m, system);

    m->stream++;
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

    /* Macro averages follow, from all categories. */
    if (x->draws == NULL && x->average != IV_PRF_MACRO && p->counts.tp >= 0)
        rc = iv_prf_guaranteed(&c, &p->counts, p->metric, confidence, err);
    x->lower = c.lower;
    x->upper = c.upper;
    x->lower_error = x->upper_error = 0.0;
    return rc;
}

static int describe(void *user, void *memory, size_t i, iv_err *err)
{
    const maker *m = user;
    iv_prf_making *k = m->k;
    iv_prf_estimate *x = &k->estimates[i];
    iv_credible c;

    (void)memory;
    if (x->draws != NULL) {
        const int drawn = summarise(x, &k->out, err);
        return drawn != IV_OK || !k->out.guaranteed
                   ? drawn : guarantee(x, &m->exact[i], k->out.confidence, err);
    }
    int rc = iv_posterior_prf(&k->posteriors[i], &m->exact[i].cells, m->exact[i].metric, err);
    if (rc == IV_OK)
        rc = iv_posterior_interval(&c, k->posteriors[i], k->out.confidence, k->out.interval, err);
    if (rc < 0)
        return rc;
    x->posterior = k->posteriors[i];
    x->mean = iv_posterior_mean(x->posterior);
    x->mode = iv_posterior_mode(x->posterior);
    x->lower = c.lower;
    x->upper = c.upper;
    x->no_hump = c.kind != k->out.interval;
    hold_end(x, &k->out);
    return k->out.guaranteed ? guarantee(x, &m->exact[i], k->out.confidence, err) : IV_OK;
}

/* The mean of an average is the average of the means, drawn or not; but for more than two
 * categories or classes, where an average has a prior of its own. */
static void know_macro_means(iv_prf_making *k)
{
    for (size_t i = 0; i < k->out.estimate_count; i++) {
        iv_prf_estimate *x = &k->estimates[i];
        double sum = 0.0;
        if (x->average != IV_PRF_MACRO || is_share(k, x->system_at))
            continue;
        for (size_t j = 0; j < k->out.estimate_count; j++) {
            const iv_prf_estimate *one = &k->estimates[j];
            if (one->system_at == x->system_at && one->average == IV_PRF_ONE
                && one->kind.kind == x->kind.kind && one->kind.beta == x->kind.beta)
                sum += one->mean;
        }
        x->mean = sum / (double)k->systems[x->system_at].count;
        x->mean_error = 0.0;
    }
}

/* A macro average lies between the means of limits that hold all together. */
static int guarantee_macro(iv_prf_making *k, iv_err *err)
{
    for (size_t i = 0; i < k->out.estimate_count; i++) {
        iv_prf_estimate *x = &k->estimates[i];
        const iv_prf_system *s = &k->systems[x->system_at];
        const double n = (double)s->count;
        if (x->average != IV_PRF_MACRO)
            continue;
        x->lower = x->upper = 0.0;
        for (size_t c = 0; c < s->count; c++) {
            iv_credible one;
            const int rc = iv_prf_guaranteed(&one, &s->categories[c].counts, x->kind,
                                             1.0 - (1.0 - k->out.confidence) / n, err);
            if (rc < 0)
                return rc;
            x->lower += one.lower / n;
            x->upper += one.upper / n;
        }
    }
    return IV_OK;
}

static int add_system(maker *m, size_t system)
{
    const size_t categories = m->k->systems[system].count;
    int rc = IV_OK;

    m->first = m->k->items.items > 0 ? m->stream : 0;
    for (size_t c = 0; c < categories && rc == IV_OK; c++)
        rc = add_category(m, system, c);
    if (categories > 1 && rc == IV_OK)
        rc = m->k->out.multiclass ? add_micro_accuracy(m, system) : add_micro_pooled(m, system);
    if (categories > 1 && rc == IV_OK)
        rc = add_macro(m, system);
    return rc;
}

int iv_prf_make_estimates(iv_prf_making *k, const iv_work *work, iv_err *err)
{
    maker m = { .k = k, .work = work, .err = err };
    iv_stage stage;
    int rc = IV_OK;

    for (size_t s = 0; s < k->out.system_count; s++)
        m.streams += (uint32_t)k->systems[s].count + 1;
    for (size_t s = 0; s < k->out.system_count && rc == IV_OK; s++)
        rc = add_system(&m, s);
    k->posteriors = calloc(k->out.estimate_count + 1, sizeof *k->posteriors);
    if (rc == IV_OK && k->posteriors == NULL)
        rc = iv_no_memory(err);
    if (rc == IV_OK) {
        k->posterior_count = k->out.estimate_count;
        rc = iv_parallel(&(iv_loop){ k->out.estimate_count, describe, &m, NULL },
                         iv_work_part(&stage, work, 0.5, 1.0), err);
    }
    if (rc == IV_OK)
        know_macro_means(k);
    if (rc == IV_OK && k->out.guaranteed)
        rc = guarantee_macro(k, err);
    free(m.exact);
    return rc;
}
