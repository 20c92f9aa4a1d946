/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Averages over many classes, of systems on the same items.
 *
 * A prior on every cell of the confusion matrix is drawn into its average once a class, and
 * the items of a class may be few: posteriors of averages lie beside the truth.  So an average
 * is taken for one share, with the posterior of as many items as its standard error speaks of:
 * Beta(size * estimate + prior, size * (1 - estimate) + prior), estimate less half of its
 * jackknifed bias.  The size is the least of the jackknife's, the linearisation's, where one item
 * a class (half of one in the estimate and the jackknife), right as often as the system is, keeps
 * empty cells from having no error, and that of errors spread evenly over the items, which of macro
 * averages has the weight of ten errors: few errors say little of where errors are, and none
 * nothing else.  Of n items n / (n + 2) of the size are
 * left, since the error is an estimate: so much do Student's t's quantiles differ from the normal's.
 * The prior's half an error of a macro average is no lighter than one that may be in any class:
 * with few errors in large classes nothing shows that small ones, where each weighs more, have none.
 * Standard errors on the scale of logits, tried before, vanish or explode near 1.
 *
 * With tp right items of a class, gold of gold's and said of the system's, every metric is
 * c tp / (x gold + y said).
 */
#include <math.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "stat/interval/resample_limit.h"
#include "stat/prf/prf_state.h"

enum { NODES = 53, MIDDLE = NODES / 2, WEIGHT = 10 /* of even errors, in errors */ };
static const double node_step = 0.25; /* of normal deviates; beyond 6.5 there are none */

typedef struct shape {
    double c, x, y;
    iv_prf_average average;
} shape;

/* A system's counts of each class with some prior. */
typedef struct margins {
    double *tp, *gold, *said;
    double total, right, each; /* the prior's: share of right answers, items a class */
    double rarer;              /* right answers, or wrong ones: of which there are fewer */
} margins;

/* A system's average, its distribution, and logits of that one's quantiles at normal deviates. */
typedef struct placed {
    margins with;      /* the whole prior */
    double *row_mean;  /* influence of what the prior adds to a class */
    double mean, deviation; /* of the influence */
    double right, wrong;    /* of its beta distribution */
    double logit[NODES];
} placed;

typedef struct averaging {
    const iv_prf_items *items;
    const size_t *systems;
    size_t count;
    shape m;
    iv_prf_prior prior;
    placed *at;
    double *root; /* count x count: correlations, then their root */
    double *out;
} averaging;

static size_t column(const averaging *v, size_t system)
{
    return 1 + (v->systems != NULL ? v->systems[system] : system);
}

static const int32_t *labels(const averaging *v, size_t item)
{
    return v->items->labels + item * (v->items->systems + 1);
}

static double height(const shape *m, const margins *c, size_t k)
{
    return m->x * c->gold[k] + m->y * c->said[k];
}

static double value(const shape *m, const margins *c, size_t k)
{
    return m->c * c->tp[k] / height(m, c, k);
}

static double average(const shape *m, const margins *c, size_t classes)
{
    double sum = 0.0;

    for (size_t k = 0; k < classes; k++)
        sum += m->average == IV_PRF_MICRO      ? c->tp[k] / c->total
               : m->average == IV_PRF_WEIGHTED ? value(m, c, k) * c->gold[k] / c->total
                                               : value(m, c, k) / (double)classes;
    return sum;
}

/* What one more item, of class i and said to be j, does to the average. */
static double influence(const shape *m, const margins *c, size_t classes, size_t i, size_t j)
{
    const double right = i == j ? 1.0 : 0.0;

    if (m->average == IV_PRF_MICRO)
        return right;
    const double vi = value(m, c, i), vj = value(m, c, j);
    const double gold = (m->c * right - m->x * vi) / height(m, c, i);
    const double said = -m->y * vj / height(m, c, j);
    return m->average == IV_PRF_WEIGHTED ? vi + c->gold[i] * gold + c->gold[j] * said
                                         : (gold + said) * c->total / (double)classes;
}

/* The average without one item, of class i and said to be j. */
static double without(const shape *m, const margins *c, size_t classes, double whole, size_t i,
                      size_t j)
{
    const double right = i == j ? 1.0 : 0.0, left = c->total - 1.0;

    if (m->average == IV_PRF_MICRO)
        return (whole * c->total - right) / left;
    const double vi = value(m, c, i), vj = value(m, c, j);
    const double now = m->c * (c->tp[i] - right)
                       / (height(m, c, i) - m->x - (i == j ? m->y : 0.0));
    const double then = i == j ? vj : m->c * c->tp[j] / (height(m, c, j) - m->y);
    if (m->average == IV_PRF_MACRO)
        return whole + (now - vi + (i == j ? 0.0 : then - vj)) / (double)classes;
    return (whole * c->total - c->gold[i] * vi + (c->gold[i] - 1.0) * now
            + (i == j ? 0.0 : c->gold[j] * (then - vj))) / left;
}

/* Counts of a system with a prior of `each` items a class. */
static void count(margins *out, const averaging *v, size_t system, double each)
{
    const size_t K = (size_t)v->items->classes, n = v->items->items, at = column(v, system);
    const double mass = v->prior.right + v->prior.wrong;
    double right = 0.0;

    for (size_t i = 0; i < n; i++)
        right += labels(v, i)[0] == labels(v, i)[at] ? 1.0 : 0.0;
    out->right = (right + v->prior.right) / ((double)n + mass);
    out->rarer = fmin(right, (double)n - right);
    out->each = each;
    out->total = (double)n + each * (double)K;
    for (size_t k = 0; k < K; k++) {
        out->tp[k] = each * out->right; /* wrong answers are even, so columns have what rows do */
        out->gold[k] = out->said[k] = each;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t gold = (size_t)labels(v, i)[0], said = (size_t)labels(v, i)[at];
        out->gold[gold] += 1.0;
        out->said[said] += 1.0;
        out->tp[gold] += gold == said ? 1.0 : 0.0;
    }
}

/* Mean and deviation of the influence, over the items and what the prior adds. */
static void linearise(placed *p, const averaging *v, size_t system)
{
    const size_t K = (size_t)v->items->classes, at = column(v, system);
    const margins *c = &p->with;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < v->items->items; i++) {
        const int32_t *l = labels(v, i);
        const double f = influence(&v->m, c, K, (size_t)l[0], (size_t)l[at]);
        sum += f;
        squares += f * f;
    }
    for (size_t i = 0; i < K; i++) {
        p->row_mean[i] = 0.0;
        for (size_t j = 0; j < K; j++) {
            const double f = influence(&v->m, c, K, i, j);
            const double w = i == j ? c->right : (1.0 - c->right) / (double)(K - 1);
            p->row_mean[i] += w * f;
            squares += c->each * w * f * f;
        }
        sum += c->each * p->row_mean[i];
    }
    p->mean = sum / c->total;
    p->deviation = sqrt(fmax(0.0, squares / c->total - p->mean * p->mean));
}

/* The estimate less half of its bias, and one over the items that the jackknife's error has. */
static void jackknife(double *estimate, double *ratio, const averaging *v, const margins *c,
                      size_t system)
{
    const size_t K = (size_t)v->items->classes, n = v->items->items, at = column(v, system);
    const double whole = average(&v->m, c, K), N = (double)n;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++) {
        const int32_t *l = labels(v, i);
        const double d = without(&v->m, c, K, whole, (size_t)l[0], (size_t)l[at]) - whole;
        sum += d;
        squares += d * d;
    }
    *estimate = fmin(fmax(whole - 0.5 * (N - 1.0) * sum / N, 0.0), 1.0);
    *ratio = (squares / N - sum * sum / N / N) * (N - 1.0) / (whole * (1.0 - whole));
}

/* One over the items of an average whose errors are spread evenly over the items. */
static double even_ratio(const shape *m, const margins *c, size_t classes, double n)
{
    double sum = 0.0;

    if (m->average != IV_PRF_MACRO)
        return 1.0 / n;
    for (size_t k = 0; k < classes; k++)
        sum += (m->x + m->y) / height(m, c, k);
    return sum * c->total / n / ((double)classes * (double)classes);
}

/* One over the items of an average, by the errors as they lie and as if they lay evenly. */
static double ratio_of(const shape *m, double seen, double even, double errors)
{
    if (errors == 0.0)
        return even;
    if (m->average != IV_PRF_MACRO)
        return fmax(seen, even);
    return fmax(seen, (errors * seen + WEIGHT * even) / (errors + WEIGHT));
}

/* What classes without a value weigh; the counts are without a prior. */
static double unseen(const shape *m, const margins *c, size_t classes)
{
    double sum = 0.0;

    for (size_t k = 0; k < classes && m->average != IV_PRF_MICRO; k++)
        if (!(height(m, c, k) > 0.0))
            sum += m->average == IV_PRF_WEIGHTED ? c->gold[k] / c->total : 1.0 / (double)classes;
    return sum;
}

/* What an error weighs in a macro average when it may be in any class, the root mean square over
 * errors by their weight; no class weighs more than the whole of it. */
static double error_weight(const shape *m, const margins *c, size_t classes)
{
    double sum = 0.0, cubes = 0.0;

    for (size_t k = 0; k < classes; k++) {
        const double w = fmin((m->x + m->y) / height(m, c, k), 1.0) / (double)classes;
        sum += w;
        cubes += w * w * w;
    }
    return sqrt(cubes / sum);
}

/* A share of `size` items whose prior for the rarer outcome weighs as much as an item of weight
 * `weight`, where that is more than an item's: the beta distribution of that mean and variance. */
static iv_prf_cells with_heavy_prior(double estimate, double size, double weight,
                                     iv_prf_prior prior)
{
    iv_prf_cells out = { .tp = size * estimate + prior.right,
                         .fp = size * (1.0 - estimate) + prior.wrong };
    const double each = 1.0 / size, all = out.tp + out.fp;
    const double added = estimate < 0.5 ? prior.right : prior.wrong;
    double *rare = estimate < 0.5 ? &out.tp : &out.fp, *rest = estimate < 0.5 ? &out.fp : &out.tp;

    if (!(weight > each))
        return out;
    const double mean = *rare / all + added * (weight - each);
    const double variance = *rare * *rest / (all * all * (all + 1.0))
                            + added * (weight * weight - each * each);
    const double now = mean * (1.0 - mean) / variance - 1.0;
    *rare = now * mean;
    *rest = now * (1.0 - mean);
    return out;
}

/* Logits of the quantiles of Beta(a, b); from the nearer end, where digits are. */
static void tabulate(double *logit, double a, double b)
{
    for (int i = 0; i < NODES; i++) {
        const double z = (i - MIDDLE) * node_step, p = iv_t_cdf(-fabs(z), INFINITY);
        const double x = z < 0.0 ? iv_beta_quantile(p, a, b) : iv_beta_quantile(p, b, a);
        const double held = fmin(fmax(x, 1e-300), 1.0 - 1e-16), l = log(held / (1.0 - held));
        logit[i] = z < 0.0 ? l : -l;
    }
}

/* Cubic through the four nodes about z. */
static double quantile_at(const double *logit, double z)
{
    const double at = fmin(fmax(z / node_step + MIDDLE, 0.0), NODES - 1.0);
    const int from = (int)fmin(fmax(floor(at) - 1.0, 0.0), NODES - 4.0);
    const double *y = logit + from, t = at - from, u = t - 1.0, v = t - 2.0, w = t - 3.0;

    return iv_logistic((y[3] * t * u * v - y[0] * u * v * w) / 6.0
                       + (y[1] * t * v * w - y[2] * t * u * w) / 2.0);
}

static void *margins_new(iv_arena *own, void *user)
{
    const size_t K = (size_t)((const averaging *)user)->items->classes;
    margins *c = iv_take(own, 1, sizeof *c);

    if (c != NULL) {
        c->tp = iv_take(own, K, sizeof(double));
        c->gold = iv_take(own, K, sizeof(double));
        c->said = iv_take(own, K, sizeof(double));
    }
    return own->failed ? NULL : c;
}

static int place(void *user, void *memory, size_t system, iv_err *err)
{
    const averaging *v = user;
    const double mass = v->prior.right + v->prior.wrong, n = (double)v->items->items;
    placed *p = &v->at[system];
    const margins *c = &p->with;
    double estimate, seen;

    (void)err;
    count(&p->with, v, system, mass);
    linearise(p, v, system);
    count(memory, v, system, v->m.average == IV_PRF_MICRO ? 0.0 : 0.5 * mass);
    const double whole = average(&v->m, c, (size_t)v->items->classes);
    const double even = even_ratio(&v->m, c, (size_t)v->items->classes, n);
    jackknife(&estimate, &seen, v, memory, system);
    seen = fmax(seen, p->deviation * p->deviation / n / (whole * (1.0 - whole)));
    const double size = v->m.average == IV_PRF_MICRO
                            ? n : n / (n + 2.0) / ratio_of(&v->m, seen, even, c->rarer);
    count(memory, v, system, 0.0);
    const double weight = v->m.average == IV_PRF_MACRO
                              ? error_weight(&v->m, c, (size_t)v->items->classes) : 0.0;
    const iv_prf_cells known = with_heavy_prior(estimate, size, weight, v->prior);
    const iv_prf_cells all = iv_prf_with_unseen(known, unseen(&v->m, memory,
                                                              (size_t)v->items->classes));
    p->right = all.tp;
    p->wrong = all.fp;
    return IV_OK;
}

/* A system's quantiles, and the correlations of its influence with those before it; what the
 * prior adds is drawn for each system by itself. */
static int correlate(void *user, void *memory, size_t a, iv_err *err)
{
    const averaging *v = user;
    const size_t K = (size_t)v->items->classes;
    placed *x = &v->at[a];

    (void)memory;
    (void)err;
    tabulate(x->logit, x->right, x->wrong);
    for (size_t b = 0; b < a; b++) {
        const placed *y = &v->at[b];
        double sum = 0.0;
        for (size_t i = 0; i < v->items->items; i++) {
            const int32_t *l = labels(v, i);
            sum += influence(&v->m, &x->with, K, (size_t)l[0], (size_t)l[column(v, a)])
                   * influence(&v->m, &y->with, K, (size_t)l[0], (size_t)l[column(v, b)]);
        }
        for (size_t k = 0; k < K; k++)
            sum += x->with.each * x->row_mean[k] * y->row_mean[k];
        sum = sum / x->with.total - x->mean * y->mean;
        v->root[a * v->count + b] = sum / (x->deviation * y->deviation);
    }
    v->root[a * v->count + a] = 1.0;
    return IV_OK;
}

static void *normals_new(iv_arena *own, void *user)
{
    return iv_take(own, ((const averaging *)user)->count, sizeof(double));
}

static void fill(void *user, void *memory, const iv_draw_part *part)
{
    const averaging *v = user;
    double *z = memory;

    for (size_t i = part->from; i < part->to; i++) {
        for (size_t s = 0; s < v->count; s++)
            z[s] = iv_draw_normal(part->stream);
        for (size_t s = 0; s < v->count; s++) {
            double sum = 0.0;
            for (size_t k = 0; k <= s; k++)
                sum += v->root[s * v->count + k] * z[k];
            v->out[s * part->draws + i] = quantile_at(v->at[s].logit, sum);
        }
    }
}

static int shape_of(shape *out, iv_prf_metric m, iv_prf_average average, iv_err *err)
{
    const double square = m.beta * m.beta;

    if (average == IV_PRF_ONE)
        return iv_fail(err, IV_EARG, "one class is no average");
    if (m.kind == IV_PRF_RECALL && average == IV_PRF_WEIGHTED)
        average = IV_PRF_MICRO; /* it is accuracy */
    *out = (shape){ 1.0, 1.0, 0.0, average };
    if (m.kind == IV_PRF_PRECISION)
        *out = (shape){ 1.0, 0.0, 1.0, average };
    else if (m.kind == IV_PRF_F)
        *out = (shape){ 1.0 + square, square, 1.0, average };
    else if (m.kind != IV_PRF_RECALL && average != IV_PRF_MICRO)
        return iv_fail(err, IV_EARG, "averages over classes are of precision, recall and F");
    return IV_OK;
}

static int check(const averaging *v, iv_err *err)
{
    const iv_prf_items *items = v->items;

    IV_TRY(iv_check_list(items->labels, items->items, "label", err));
    if (items->items == 0 || v->count == 0)
        return iv_fail(err, IV_ENODATA, "no items or no systems");
    if (items->classes < 2)
        return iv_fail(err, IV_EARG, "%d classes, expected 2 at least", (int)items->classes);
    for (size_t i = 0; i < items->items * (items->systems + 1); i++)
        if (items->labels[i] < 0 || items->labels[i] >= items->classes)
            return iv_fail(err, IV_EARG, "item %zu has a label outside its range",
                           i / (items->systems + 1));
    return IV_OK;
}

/* What is asked, checked, with room for all systems. */
static int prepare(averaging *v, iv_arena *own, const iv_prf_target *target, iv_err *err)
{
    const size_t K = (size_t)(v->items->classes > 0 ? v->items->classes : 0);

    IV_TRY(check(v, err));
    IV_TRY(shape_of(&v->m, target->metric, target->average, err));
    IV_TRY(iv_prf_check_prior(&v->prior, err));
    v->at = iv_take(own, v->count, sizeof *v->at);
    v->root = iv_take(own, v->count * v->count, sizeof *v->root);
    for (size_t s = 0; s < v->count && !own->failed; s++)
        v->at[s] = (placed){ .with = { iv_take(own, K, sizeof(double)),
                                       iv_take(own, K, sizeof(double)),
                                       iv_take(own, K, sizeof(double)), 0.0, 0.0, 0.0, 0.0 },
                             .row_mean = iv_take(own, K, sizeof(double)) };
    return iv_taken(own, err);
}

int iv_prf_average_cells(iv_prf_cells *out, const iv_prf_items *items, size_t system,
                         const iv_prf_target *target, iv_prf_prior prior, iv_err *err)
{
    averaging v = { .items = items, .systems = &system, .count = 1, .prior = prior };
    iv_arena own = { 0 };
    int rc = prepare(&v, &own, target, err);

    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ 1, place, &v, margins_new }, &(iv_work){ .threads = 1 }, err);
    if (rc == IV_OK)
        *out = (iv_prf_cells){ .tp = v.at[0].right, .fp = v.at[0].wrong, .fn = 1.0, .tn = 1.0 };
    iv_arena_free(&own);
    return rc;
}

int iv_prf_average_draw(double *out, const iv_prf_items *items, const size_t *systems,
                        size_t count, const iv_prf_target *target, iv_prf_prior prior,
                        const iv_draw_plan *plan, const iv_work *work, iv_err *err)
{
    averaging v = { .items = items, .systems = systems, .out = out,
                    .count = systems != NULL ? count : items->systems, .prior = prior };
    iv_arena own = { 0 };
    iv_stage stage;
    int rc = prepare(&v, &own, target, err);

    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ v.count, place, &v, margins_new },
                         iv_work_part(&stage, work, 0.0, 0.1), err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ v.count, correlate, &v, NULL },
                         iv_work_part(&stage, work, 0.1, 0.4), err);
    if (rc == IV_OK)
        rc = iv_covariance_root(v.root, v.count, iv_work_part(&stage, work, 0.4, 0.5), err);
    if (rc == IV_OK)
        rc = iv_draw_blocks(&(iv_drawer){ fill, &v, normals_new }, plan,
                            iv_work_part(&stage, work, 0.5, 1.0), err);
    iv_arena_free(&own);
    return rc;
}
