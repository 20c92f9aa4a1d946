/* SPDX-License-Identifier: Apache-2.0 */
/* The regression estimator over items that a judge scored and people labelled in part. */
#include "base/err.h"
#include "base/names.h"
#include "num/dist.h"
#include "num/linear.h"
#include "num/logit.h"
#include "stat/evidence.h"
#include "stat/interval/limits.h"
#include "stat/machine/judged_mean.h"

#include <math.h>

IV_NAMES(iv_judge_estimator_names, "regression", "ppi", "difference", "human")

/* Sums over one stratum: of weights of its items; of its labelled ones weights, labels, scores. */
typedef struct stratum_sums {
    double all, judge;            /* weights and judge's scores of all its items */
    double weight, human, beside; /* of labelled ones; then means */
    double yf, ff;                /* mean products of deviations */
    double n, share;
} stratum_sums;

/* One system fitted. */
typedef struct fitted {
    const iv_judged_system *system;
    stratum_sums *strata;
    double *weight;    /* by item: they add up to 1 */
    double *g, *e;     /* predictions, NaN without a judge's score; residuals, 0 without a label */
    double *part;      /* what a label adds to the estimate's error */
    double slope, by_slope; /* what the estimate moves by with the slope, over its denominator */
    double *lean;      /* by_slope times the judge's deviation, of several judges; NULL: of one */
    size_t slopes;     /* that were estimated */
    size_t labelled;
    bool whole, binary;
} fitted;

static size_t stratum_of(const iv_judged_system *s, size_t t)
{
    return s->stratum != NULL ? s->stratum[t] : 0;
}

/* Weights of items with a judge's score: equal within sets, as the design weighs sets. */
static void weigh(fitted *f, double *room, const double *g, const iv_judged_design *d)
{
    const iv_structure *s = d->structure;
    const size_t sets = s->suite != NULL ? s->suites : 1;
    double all = 0.0;

    for (size_t h = 0; h < sets; h++)
        room[h] = 0.0;
    for (size_t t = 0; t < d->items; t++)
        if (!isnan(g[t]))
            room[s->suite != NULL ? s->suite[t] : 0] += s->weight != NULL ? s->weight[t] : 1.0;
    for (size_t h = 0; h < sets; h++)
        if (room[h] > 0.0)
            all += s->suite_weight != NULL ? s->suite_weight[h] : 1.0;
    for (size_t t = 0; t < d->items; t++) {
        const size_t h = s->suite != NULL ? s->suite[t] : 0;
        f->weight[t] = isnan(g[t]) ? 0.0
            : (s->weight != NULL ? s->weight[t] : 1.0) / room[h] / all
                * (s->suite_weight != NULL ? s->suite_weight[h] : 1.0);
    }
}

static bool is_labelled(const fitted *f, size_t t)
{
    return f->weight[t] > 0.0 && !isnan(f->system->human[t]);
}

static int add_up(fitted *f, const iv_judged_design *d, iv_err *err)
{
    const size_t H = d->strata > 0 ? d->strata : 1;

    f->whole = true;
    f->binary = true;
    for (size_t t = 0; t < d->items; t++) {
        stratum_sums *of = &f->strata[stratum_of(f->system, t)];
        const double v = f->weight[t];
        if (!(v > 0.0))
            continue;
        of->all += v;
        of->judge += v * f->system->judge[t];
        if (!is_labelled(f, t)) {
            f->whole = false;
            continue;
        }
        const double y = f->system->human[t], x = f->system->beside[t];
        f->binary = f->binary && (y == 0.0 || y == 1.0) && (x == 0.0 || x == 1.0);
        f->labelled++;
        of->n += 1.0;
        of->weight += v;
        of->human += v * y;
        of->beside += v * x;
    }
    if (f->labelled < IV_JUDGED_LEAST)
        return iv_fail(err, IV_ENODATA, "%zu items with human labels, expected %d or more",
                       f->labelled, IV_JUDGED_LEAST);
    for (size_t h = 0; h < H; h++) {
        stratum_sums *of = &f->strata[h];
        if (of->all > 0.0 && of->n < 2.0)
            return iv_fail(err, IV_ENODATA, "%.0f human labels in stratum %zu, expected 2 or more",
                           of->n, h + 1);
        of->human /= of->weight;
        of->beside /= of->weight;
        of->judge /= of->all;
    }
    return IV_OK;
}

/* ------------------------------------------------------------ several judges -- */

/* Moments of labelled items within strata, as find_slope() weighs them. */
typedef struct judge_moments {
    double xx[IV_JUDGES_MOST * IV_JUDGES_MOST], xy[IV_JUDGES_MOST], off[IV_JUDGES_MOST];
    size_t judges;
} judge_moments;

/* b and c with xx b = xy and xx c = off, 0 for judges that others determine; returns how many are
 * left. */
static size_t solve_slopes(double *b, double *c, const judge_moments *m)
{
    const size_t J = m->judges;
    size_t kept[IV_JUDGES_MOST], n = 0;
    double l[IV_JUDGES_MOST * IV_JUDGES_MOST], x[IV_JUDGES_MOST], y[IV_JUDGES_MOST];

    for (size_t j = 0; j < J; j++) {
        kept[n] = j;
        for (size_t a = 0; a <= n; a++)
            for (size_t d = 0; d <= n; d++)
                l[a * (n + 1) + d] = m->xx[kept[a] * J + kept[d]];
        const double own = m->xx[j * J + j], last = l[n * (n + 1) + n];
        if (own > 0.0 && last > 0.0 && iv_cholesky(l, n + 1)
            && l[n * (n + 1) + n] * l[n * (n + 1) + n] > 1e-9 * own)
            n++;
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t d = 0; d < n; d++)
            l[a * n + d] = m->xx[kept[a] * J + kept[d]];
        x[a] = m->xy[kept[a]];
        y[a] = m->off[kept[a]];
    }
    if (n > 0 && iv_cholesky(l, n)) {
        iv_solve_lower(l, x, n);
        iv_solve_upper(l, x, n);
        iv_solve_lower(l, y, n);
        iv_solve_upper(l, y, n);
    }
    for (size_t j = 0; j < J; j++)
        b[j] = c[j] = 0.0;
    for (size_t a = 0; a < n; a++) {
        b[kept[a]] = x[a];
        c[kept[a]] = y[a];
    }
    return n;
}

/* Means of a stratum of labelled items (judges' scores beside labels, then the label) and of all
 * items (judges' scores). */
typedef struct judge_means {
    double beside[IV_JUDGES_MOST + 1], all[IV_JUDGES_MOST], weight, whole, n;
} judge_means;

static void find_means(judge_means *of, const fitted *f, const iv_judged_system *const *by,
                       const double *human, size_t J, const iv_judged_design *d)
{
    for (size_t t = 0; t < d->items; t++) {
        judge_means *h = &of[stratum_of(f->system, t)];
        const double v = f->weight[t];
        if (!(v > 0.0))
            continue;
        h->whole += v;
        for (size_t j = 0; j < J; j++)
            h->all[j] += v * by[j]->judge[t];
        if (isnan(human[t]))
            continue;
        h->n += 1.0;
        h->weight += v;
        h->beside[J] += v * human[t];
        for (size_t j = 0; j < J; j++)
            h->beside[j] += v * by[j]->beside[t];
    }
    for (size_t h = 0; h < (d->strata > 0 ? d->strata : 1); h++) {
        for (size_t j = 0; j <= J; j++)
            of[h].beside[j] /= of[h].weight;
        for (size_t j = 0; j < J; j++)
            of[h].all[j] /= of[h].whole;
    }
}

static void find_moments(judge_moments *m, const judge_means *of, const fitted *f,
                         const iv_judged_system *const *by, const double *human,
                         const iv_judged_design *d)
{
    const size_t J = m->judges;

    for (size_t t = 0; t < d->items; t++) {
        const judge_means *h = &of[stratum_of(f->system, t)];
        if (!(f->weight[t] > 0.0) || isnan(human[t]) || h->n < 2.0)
            continue;
        const double k = h->whole * h->whole / (h->n - 1.0) * f->weight[t] / h->weight;
        for (size_t i = 0; i < J; i++) {
            const double x = by[i]->beside[t] - h->beside[i];
            m->xy[i] += k * x * (human[t] - h->beside[J]);
            for (size_t j = 0; j < J; j++)
                m->xx[i * J + j] += k * x * (by[j]->beside[t] - h->beside[j]);
        }
    }
    for (size_t h = 0; h < (d->strata > 0 ? d->strata : 1); h++)
        for (size_t j = 0; j < J && of[h].n > 0.0; j++)
            m->off[j] += of[h].whole * (of[h].all[j] - of[h].beside[j]);
}

/* Makes one judge of several: their sum with the slopes of regression, whose own slope is 1. */
static int join_judges(fitted *f, const iv_judged_design *d, iv_arena *own, iv_err *err)
{
    const size_t T = d->items, H = d->strata > 0 ? d->strata : 1;
    const iv_judged_system *by[IV_JUDGES_MOST];
    judge_moments m = { .judges = 0 };
    judge_means *of = iv_take(own, H, sizeof *of);
    iv_judged_system *one = iv_take(own, 1, sizeof *one);
    double *room = iv_take(own, 4 * T + 1, sizeof *room), b[IV_JUDGES_MOST], c[IV_JUDGES_MOST];
    double *judge = room, *human = room + T, *beside = room + 2 * T;

    IV_TRY(iv_taken(own, err));
    for (const iv_judged_system *s = f->system; s != NULL && m.judges < IV_JUDGES_MOST; s = s->next)
        by[m.judges++] = s;
    for (size_t t = 0; t < T; t++) {
        human[t] = f->system->human[t];
        for (size_t j = 0; j < m.judges; j++)
            human[t] = isnan(by[j]->beside[t]) ? (double)NAN : human[t];
    }
    find_means(of, f, by, human, m.judges, d);
    find_moments(&m, of, f, by, human, d);
    f->slopes = solve_slopes(b, c, &m);
    f->lean = room + 3 * T;
    *one = *f->system;
    one->judge = judge;
    one->human = human;
    one->beside = beside;
    one->next = NULL;
    one->repeat_variance = 0.0;
    for (size_t j = 0; j < m.judges; j++) { /* errors of repeats at worst go together */
        one->repeat_variance += fabs(b[j]) * sqrt(by[j]->repeat_variance);
        one->repeat_df = by[j]->repeat_variance > 0.0 && !(one->repeat_df <= by[j]->repeat_df)
            ? by[j]->repeat_df : one->repeat_df;
    }
    one->repeat_variance *= one->repeat_variance;
    for (size_t t = 0; t < T; t++) {
        const judge_means *h = &of[stratum_of(f->system, t)];
        judge[t] = f->weight[t] > 0.0 ? 0.0 : (double)NAN;
        beside[t] = isnan(human[t]) ? (double)NAN : 0.0;
        for (size_t j = 0; j < m.judges; j++) {
            judge[t] += b[j] * by[j]->judge[t];
            beside[t] += b[j] * by[j]->beside[t];
            f->lean[t] += c[j] * (by[j]->beside[t] - h->beside[j]);
        }
    }
    f->system = one;
    return IV_OK;
}

/* The slope by the estimator; 0 where the judge says the same of all labelled items. */
static void find_slope(fitted *f, const iv_judged_design *d)
{
    const size_t H = d->strata > 0 ? d->strata : 1;
    double mean = 0.0, spread = 0.0, n = 0.0, xy = 0.0, xx = 0.0, off = 0.0;

    for (size_t t = 0; t < d->items; t++) {
        stratum_sums *of = &f->strata[stratum_of(f->system, t)];
        if (f->weight[t] > 0.0) {
            mean += f->weight[t] * f->system->judge[t];
            n += 1.0;
        }
        if (!is_labelled(f, t))
            continue;
        const double x = f->system->beside[t] - of->beside, v = f->weight[t] / of->weight;
        of->yf += v * x * (f->system->human[t] - of->human);
        of->ff += v * x * x;
    }
    for (size_t h = 0; h < H; h++) {
        const stratum_sums *of = &f->strata[h];
        if (!(of->all > 0.0))
            continue;
        const double k = of->all * of->all / (of->n - 1.0);
        xy += k * of->yf;
        xx += k * of->ff;
        off += of->all * (of->judge - of->beside);
    }
    for (size_t t = 0; t < d->items; t++)
        if (f->weight[t] > 0.0)
            spread += f->weight[t] * (f->system->judge[t] - mean) * (f->system->judge[t] - mean);
    f->slope = d->estimator == IV_JUDGE_DIFFERENCE ? 1.0 : 0.0;
    if (f->whole || d->estimator == IV_JUDGE_HUMAN) { /* nothing is left to predict */
        f->slope = 0.0;
        f->lean = NULL;
    } else if (d->estimator == IV_JUDGE_REGRESSION && xx > 0.0) {
        f->slope = f->lean != NULL ? 1.0 : xy / xx;
        f->by_slope = off / xx;
        f->slopes = f->lean != NULL ? f->slopes : 1;
    } else if (d->estimator == IV_JUDGE_PPI && spread > 0.0) {
        /* lambda = slope (unlabelled / all), which PPI++ keeps in [0, 1]. */
        const double most = n / fmax(1.0, n - (double)f->labelled);
        f->slope = fmin(most, fmax(0.0, f->strata[0].yf * (n - 1.0) / n / spread));
    }
}

static void predict(fitted *f, const iv_judged_design *d)
{
    const bool many = d->strata > 1;
    const double n = (double)f->labelled;

    for (size_t t = 0; t < d->items; t++) {
        const stratum_sums *of = &f->strata[stratum_of(f->system, t)];
        const double at = of->human - f->slope * of->beside;
        f->e[t] = f->part[t] = 0.0;
        if (!(f->weight[t] > 0.0)) {
            f->g[t] = (double)NAN;
            continue;
        }
        f->g[t] = at + f->slope * f->system->judge[t];
        if (!is_labelled(f, t))
            continue;
        f->e[t] = f->system->human[t] - at - f->slope * f->system->beside[t];
        const double k = of->all * of->all / (of->n - 1.0);
        const double lean = f->lean != NULL ? f->lean[t]
            : f->by_slope * (f->system->beside[t] - of->beside);
        f->part[t] = f->weight[t] / of->weight * f->e[t] * (of->all + k * lean)
            * (many ? sqrt(of->n / (of->n - 1.0) * (n - 1.0) / n) : 1.0);
    }
}

static int fit(fitted *f, const iv_judged_system *system, const double *shared,
               const iv_judged_design *d, iv_arena *own, iv_err *err)
{
    const size_t T = d->items, H = d->strata > 0 ? d->strata : 1;
    const size_t sets = d->structure->suite != NULL ? d->structure->suites : 1;
    double *room = iv_take(own, 4 * T + sets + 1, sizeof *room);

    *f = (fitted){ .system = system, .strata = iv_take(own, H, sizeof *f->strata) };
    IV_TRY(iv_taken(own, err));
    f->weight = room;
    f->g = room + T;
    f->e = room + 2 * T;
    f->part = room + 3 * T;
    weigh(f, room + 4 * T, shared, d);
    if (system->next != NULL && d->estimator != IV_JUDGE_HUMAN)
        IV_TRY(join_judges(f, d, own, err));
    IV_TRY(add_up(f, d, err));
    find_slope(f, d);
    predict(f, d);
    return IV_OK;
}

/* ---------------------------------------------------------------- variance -- */

/* What varies together: a sampled set, a cluster, or an item. */
static size_t unit_of(const iv_structure *s, size_t t)
{
    return s->sampled && s->suite != NULL ? s->suite[t] : s->cluster != NULL ? s->cluster[t] : t;
}

/* Twice the covariance over units of the labelled items' parts and of all predictions. */
static double covariance(const double *part, const double *g, const fitted *f,
                         const iv_judged_design *d, double *room)
{
    const iv_structure *s = d->structure;
    const bool sets = s->suite != NULL && !s->sampled;
    const size_t n = d->items + (s->suite != NULL ? s->suites : 1)
        + (s->cluster != NULL ? s->clusters : 0);
    double *a = room, *b = room + n, *mean = room + 2 * n, *whole = room + 3 * n, sum = 0.0;

    for (size_t k = 0; k < 4 * n; k++)
        room[k] = 0.0;
    for (size_t t = 0; t < d->items; t++)
        if (f->weight[t] > 0.0) {
            mean[sets ? s->suite[t] : 0] += f->weight[t] * g[t];
            whole[sets ? s->suite[t] : 0] += f->weight[t];
        }
    for (size_t t = 0; t < d->items; t++) {
        const size_t h = sets ? s->suite[t] : 0;
        if (!(f->weight[t] > 0.0))
            continue;
        a[unit_of(s, t)] += part[t];
        b[unit_of(s, t)] += f->weight[t] * (g[t] - mean[h] / whole[h]);
    }
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return 2.0 * sum;
}

static void add_repeats(iv_judged_mean *out, double *variance, const iv_judged_system *s)
{
    const double v = *variance, more = s != NULL ? s->repeat_variance : 0.0;

    if (!(more > 0.0))
        return;
    out->df = (v + more) * (v + more)
        / ((v > 0.0 ? v * v / out->df : 0.0) + more * more / s->repeat_df);
    *variance = v + more;
}

/* The variance from both phases; f[1] of a difference. */
static int find_variance(iv_judged_mean *out, const fitted *f, size_t systems,
                         const iv_judged_design *d, iv_arena *own, iv_err *err)
{
    const size_t T = d->items;
    const iv_structure *s = d->structure;
    const bool sampled = s->sampled && s->suite != NULL;
    const iv_structure units = { .cluster = sampled ? s->suite : s->cluster,
                                 .clusters = sampled ? s->suites : s->clusters };
    iv_structure whole = *s;
    double *room = iv_take(own, 3 * T + 4 * (T + s->clusters + s->suites + 1), sizeof *room);
    double *part = room, *g = room + T, *z = room + 2 * T, absolute = 0.0, squares = 0.0;
    double slopes = 0.0; /* that were estimated for one system */
    iv_structured of_labels, of_all;

    IV_TRY(iv_taken(own, err));
    whole.repeat_variance = whole.repeat_df = NULL;
    for (size_t t = 0; t < T; t++) {
        bool any = false;
        part[t] = g[t] = 0.0;
        for (size_t k = 0; k < systems; k++) {
            part[t] += (k == 0 ? 1.0 : -1.0) * f[k].part[t];
            g[t] += (k == 0 ? 1.0 : -1.0) * f[k].g[t];
            any = any || is_labelled(&f[k], t);
        }
        out->labelled += any;
        z[t] = any ? 0.0 : (double)NAN;
        absolute += fabs(part[t]);
        squares += part[t] * part[t];
    }
    for (size_t t = 0; t < T; t++)
        z[t] = isnan(z[t]) ? z[t] : part[t] * (double)out->labelled;
    IV_TRY(iv_structured_mean(&of_labels, z, T, &units, 0, err));
    IV_TRY(iv_structured_mean(&of_all, g, T, &whole, 0, err));
    out->items = of_all.items;
    out->value = of_all.mean;
    out->differing = squares > 0.0 ? absolute * absolute / squares : 0.0;
    out->df = of_labels.df;
    out->units = (double)of_labels.units;
    double variance = of_labels.se * of_labels.se;
    for (size_t k = 0; k < systems; k++)
        slopes = f[k].slope != 0.0 && (double)f[k].slopes > slopes ? (double)f[k].slopes : slopes;
    if (out->df > slopes) {
        variance *= out->df / (out->df - slopes);
        out->df -= slopes;
    }
    out->of_labels = variance;
    variance += of_all.se * of_all.se + covariance(part, g, &f[0], d, room + 3 * T);
    for (size_t k = 0; k < systems; k++)
        add_repeats(out, &variance, f[k].system);
    out->se = sqrt(fmax(0.0, variance));
    return IV_OK;
}

/* ------------------------------------------------------------------- limits -- */

/* Labels of 0 and 1 beside scores of 0 and 1, of independent items alike: proportions. */
static void fill_cells(iv_judged_mean *out, size_t k, const fitted *f, const iv_judged_design *d)
{
    iv_judged_cell *c = out->cell[k];
    const stratum_sums *of = &f->strata[0];
    const double n = (double)f->labelled;
    double all = 0.0;

    for (size_t t = 0; t < d->items; t++)
        all += f->weight[t] > 0.0;
    if (f->slope == 0.0) { /* people alone */
        c[0] = (iv_judged_cell){ of->human, n, 1.0 };
        return;
    }
    const double at = of->human - f->slope * of->beside;
    c[0] = (iv_judged_cell){ at + f->slope, n * of->beside, of->judge };
    c[1] = (iv_judged_cell){ at, n * (1.0 - of->beside), 1.0 - of->judge };
    c[2] = (iv_judged_cell){ of->judge, all, f->slope };
}

static bool has_cells(const fitted *f, const iv_judged_design *d)
{
    return f->binary && d->bounded && d->strata <= 1
        && (d->estimator == IV_JUDGE_REGRESSION || d->estimator == IV_JUDGE_HUMAN);
}

/* How much farther limits are than those of independent proportions: by clusters, weights and
 * repeats, as their standard error is.  Too few labels differ to see how clusters hang together:
 * each counts as one label. */
static double inflation_of(const iv_judged_mean *one, const iv_judged_cell *cell,
                           const fitted *f, const iv_judged_design *d)
{
    const iv_structure *s = d->structure;
    double plain = 0.0;

    if (s->cluster == NULL && s->suite == NULL && s->weight == NULL
        && f->system->repeat_variance == 0.0)
        return 1.0;
    for (size_t k = 0; k < 3; k++)
        if (cell[k].n > 0.0)
            plain += cell[k].part * cell[k].part * cell[k].p * (1.0 - cell[k].p) / cell[k].n;
    const double found = plain > 0.0 ? one->se / sqrt(plain) : 1.0;
    return fmax(found, one->differing < IV_JUDGED_DIFFERING
                           ? sqrt((double)one->labelled / one->units) : 1.0);
}

static int both_judged(double **out, const iv_judged_system *a, const iv_judged_system *b,
                       size_t items, iv_arena *own, iv_err *err)
{
    double *shared = iv_take(own, items + 1, sizeof *shared);

    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < 2; k++)
        for (const iv_judged_system *s = k == 0 ? a : b; s != NULL; s = s->next)
            for (size_t t = 0; t < items; t++)
                shared[t] += s->judge[t];
    *out = shared;
    return IV_OK;
}

static int make_mean(iv_judged_mean *out, const iv_judged_system *a, const iv_judged_system *b,
                     const iv_judged_design *d, iv_arena *own, iv_err *err)
{
    const size_t systems = b != NULL ? 2 : 1;
    iv_judged_mean m = { .bounded = d->bounded && b == NULL, .difference = b != NULL,
                         .slope = { (double)NAN, (double)NAN } }, one[2] = { { 0 } };
    double *shared;
    fitted f[2];

    IV_TRY(both_judged(&shared, a, b, d->items, own, err));
    m.by_cells = true;
    for (size_t k = 0; k < systems; k++) {
        IV_TRY(fit(&f[k], k == 0 ? a : b, shared, d, own, err));
        m.slope[k] = f[k].lean != NULL ? (double)NAN : f[k].slope;
        m.by_cells = m.by_cells && f[k].lean == NULL && has_cells(&f[k], d);
    }
    IV_TRY(find_variance(&m, f, systems, d, own, err));
    for (size_t k = 0; k < systems && m.by_cells; k++) {
        IV_TRY(find_variance(&one[k], &f[k], 1, d, own, err));
        fill_cells(&m, k, &f[k], d);
        m.inflation[k] = inflation_of(&one[k], m.cell[k], &f[k], d);
        m.estimate[k] = one[k].value;
    }
    const double product = one[0].se * one[1].se;
    if (m.by_cells && product > 0.0)
        m.correlation = fmax(-1.0, fmin(1.0, (one[0].se * one[0].se + one[1].se * one[1].se
                                              - m.se * m.se) / (2.0 * product)));
    *out = m;
    return IV_OK;
}

int iv_judged_mean_of(iv_judged_mean *out, const iv_judged_system *a, const iv_judged_system *b,
                      const iv_judged_design *d, iv_err *err)
{
    iv_arena own = { 0 };
    const int rc = make_mean(out, a, b, d, &own, err);

    iv_arena_free(&own);
    return rc;
}

int iv_judged_means_of(iv_judged_mean *both, iv_judged_mean *alone, double *few,
                       const iv_judged_system *a, const iv_judged_system *b,
                       const iv_judged_design *d, iv_err *err)
{
    iv_judged_design people = *d;

    people.estimator = IV_JUDGE_HUMAN;
    IV_TRY(iv_judged_mean_of(both, a, b, d, err));
    IV_TRY(iv_judged_mean_of(alone, a, b, &people, err));
    const bool whole = both->labelled == both->items;
    *few = both->by_cells || whole || both->differing >= IV_JUDGED_DIFFERING ? (double)NAN
                                                                             : both->differing;
    if (!isnan(*few))
        *both = *alone;
    return IV_OK;
}

/* Distances of the limits of proportions add up as those of a sum of independent terms. */
static iv_interval cell_limits(const iv_judged_mean *m, size_t system, double tail)
{
    const iv_judged_cell *cell = m->cell[system];
    const double by = m->inflation[system], estimate = m->estimate[system];
    const double z = by > 1.0 ? iv_t_isf(tail, m->df) : iv_norm_isf(tail);
    double down = 0.0, up = 0.0;

    for (size_t k = 0; k < 3; k++) {
        double lower, upper;
        if (!(cell[k].n > 0.0))
            continue;
        iv_wilson_limits(&lower, &upper, cell[k].p, cell[k].n, z);
        const double low = cell[k].part * ((cell[k].part > 0.0 ? lower : upper) - cell[k].p);
        const double high = cell[k].part * ((cell[k].part > 0.0 ? upper : lower) - cell[k].p);
        down += low * low;
        up += high * high;
    }
    return (iv_interval){ .value = estimate, .lower = fmax(0.0, estimate - by * sqrt(down)),
                          .upper = fmin(1.0, estimate + by * sqrt(up)) };
}

void iv_judged_limits(double *lower, double *upper, const iv_judged_mean *m, double tail)
{
    if (m->by_cells) {
        const iv_interval a = cell_limits(m, 0, tail);
        const iv_interval b = m->difference ? cell_limits(m, 1, tail) : a;
        *lower = a.lower;
        *upper = a.upper;
        if (m->difference)
            iv_mover_limits(lower, upper, &a, &b, m->correlation);
        return;
    }
    const double reach = iv_t_isf(tail, m->df) * m->se;
    *lower = m->value - reach;
    *upper = m->value + reach;
    if (m->bounded && m->value > 0.0 && m->value < 1.0 && isfinite(reach))
        iv_logit_wald(lower, upper, m->value, reach);
    if (m->bounded) {
        *lower = fmin(fmax(*lower, 0.0), 1.0);
        *upper = fmin(fmax(*upper, 0.0), 1.0);
    }
}

double iv_judged_p(const iv_judged_mean *m, double from, bool above)
{
    double low = 1e-12, high = 0.5, lower, upper;

    if (isnan(m->se) || (m->se == 0.0 && !m->by_cells))
        return (double)NAN;
    if (above ? m->value <= from : m->value >= from)
        return 1.0;
    for (int i = 0; i < 60; i++) {
        const double tail = sqrt(low * high);
        iv_judged_limits(&lower, &upper, m, tail);
        *((above ? lower > from : upper < from) ? &high : &low) = tail;
    }
    return high;
}

/* Wilson's centre, one success and one failure more for sensitivity and specificity, and a shift
 * for their skewness. */
iv_interval iv_calibrated_proportion(const iv_judge_calibration *c, double p, double n, double z)
{
    const double sensitivity = c->found / c->positive, specificity = c->rejected / c->negative;
    const double se = (c->found + 1.0) / (c->positive + 2.0), z2 = z * z;
    const double sp = (c->rejected + 1.0) / (c->negative + 2.0);
    const double at = (n * p + 0.5 * z2) / (n + z2), by = se + sp - 1.0;
    const double value = (at + sp - 1.0) / by;
    const double v = se * (1.0 - se) / (c->positive + 2.0);
    const double w = sp * (1.0 - sp) / (c->negative + 2.0);
    const double shift = 2.0 * z2 * (value * v - (1.0 - value) * w);
    const double reach = z / by * sqrt(at * (1.0 - at) / (n + z2) + value * value * v
                                       + (1.0 - value) * (1.0 - value) * w);
    const double found = (p + specificity - 1.0) / (sensitivity + specificity - 1.0);

    return (iv_interval){ .value = fmin(1.0, fmax(0.0, found)),
                          .lower = fmin(1.0, fmax(0.0, value + shift - reach)),
                          .upper = fmax(0.0, fmin(1.0, value + shift + reach)) };
}
