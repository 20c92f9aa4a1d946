/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts and labels: checks, point values, the update of the prior, confusion matrices, exact
 * (Clopper and Pearson's) limits, the least coverage of posterior intervals.
 */
#include "base/err.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "stat/interval_methods.h"
#include "stat/prf/prf_counts.h"
#include "stat/prf/prf_draws.h"
#include "stat/prf/prf_posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check_counts(const iv_prf_counts *c, iv_err *err)
{
    const int64_t all[] = { c->tp, c->fp, c->fn, c->tn };
    static const char *const name[] = { "TP", "FP", "FN", "TN" };

    for (int i = 0; i < 4; i++) {
        if (all[i] > IV_PRF_COUNT_MAX || (all[i] < 0 && i < 3))
            return iv_fail(err, IV_EARG, "%s is %lld, expected 0 to %lld", name[i],
                           (long long)all[i], (long long)IV_PRF_COUNT_MAX);
    }
    return IV_OK;
}

int iv_prf_check_prior(iv_prf_prior *prior, iv_err *err)
{
    prior->right = prior->right == 0.0 ? 0.5 : prior->right;
    prior->wrong = prior->wrong == 0.0 ? prior->right : prior->wrong;
    if (prior->right > 0.0 && prior->right <= 1e6 && prior->wrong > 0.0 && prior->wrong <= 1e6)
        return IV_OK;
    return iv_fail(err, IV_EARG, "prior %g, %g, expected above 0 to 1e6", prior->right,
                   prior->wrong);
}

int iv_prf_check_draws(size_t *draws, iv_err *err)
{
    *draws = *draws == 0 ? IV_PRF_DRAWS : *draws;
    if (*draws >= IV_PRF_DRAWS_MIN && *draws <= IV_PRF_DRAWS_MAX)
        return IV_OK;
    return iv_fail(err, IV_EARG, "%zu draws, expected %d to %d", *draws, (int)IV_PRF_DRAWS_MIN,
                   (int)IV_PRF_DRAWS_MAX);
}

int iv_prf_update(iv_prf_cells *out, iv_prf_prior prior, const iv_prf_counts *counts, iv_err *err)
{
    IV_TRY(check_counts(counts, err));
    IV_TRY(iv_prf_check_prior(&prior, err));
    *out = (iv_prf_cells){ .tp = (double)counts->tp + prior.right,
                           .fp = (double)counts->fp + prior.wrong,
                           .fn = (double)counts->fn + prior.wrong,
                           .tn = counts->tn >= 0 ? (double)counts->tn + prior.right : 0.0 };
    return IV_OK;
}

const char *iv_prf_name(char out[IV_PRF_NAME_SIZE], iv_prf_metric m)
{
    static const char *const names[] = { "precision", "recall", "f", "specificity",
                                         "accuracy", "balanced_accuracy", "mcc", "utility" };
    char beta[IV_REAL_SIZE] = "";

    if (m.kind == IV_PRF_F)
        (void)iv_format_real(beta, m.beta);
    (void)snprintf(out, IV_PRF_NAME_SIZE, "%s%s", names[m.kind], beta);
    return out;
}

static double ratio(double part, double rest)
{
    return part + rest > 0.0 ? part / (part + rest) : NAN;
}

static double correlation(double tp, double fp, double fn, double tn)
{
    const double product = sqrt(tp + fp) * sqrt(tp + fn) * sqrt(tn + fp) * sqrt(tn + fn);

    if (!(product > 0.0))
        return NAN;
    return fmax(-1.0, fmin(1.0, (tp * tn - fp * fn) / product));
}

double iv_prf_of_cells(iv_prf_metric m, double tp, double fp, double fn, double tn)
{
    const double b2 = m.beta * m.beta;

    switch (m.kind) {
    case IV_PRF_PRECISION:
        return ratio(tp, fp);
    case IV_PRF_RECALL:
        return ratio(tp, fn);
    case IV_PRF_F:
        return ratio((1.0 + b2) * tp, b2 * fn + fp);
    case IV_PRF_SPECIFICITY:
        return ratio(tn, fp);
    case IV_PRF_ACCURACY:
        return ratio(tp + tn, fp + fn);
    case IV_PRF_BALANCED_ACCURACY:
        return 0.5 * (ratio(tp, fn) + ratio(tn, fp));
    case IV_PRF_MCC:
        return correlation(tp, fp, fn, tn);
    case IV_PRF_UTILITY:
        return (m.worth[0] * tp + m.worth[1] * fp + m.worth[2] * fn + m.worth[3] * tn)
               / (tp + fp + fn + tn);
    }
    return NAN;
}

double iv_prf_value(iv_prf_metric m, const iv_prf_counts *c)
{
    if (m.kind >= IV_PRF_SPECIFICITY && c->tn < 0)
        return NAN;
    return iv_prf_of_cells(m, (double)c->tp, (double)c->fp, (double)c->fn, (double)c->tn);
}

/* ----------------------------------------------------------------- labels -- */

static const int32_t *item(const iv_prf_items *items, size_t i)
{
    return items->labels + i * (items->systems + 1);
}

void iv_prf_confusion(int64_t *matrix, const iv_prf_items *items, size_t system)
{
    const size_t k = (size_t)items->classes;

    memset(matrix, 0, k * k * sizeof *matrix);
    for (size_t i = 0; i < items->items; i++) {
        const int32_t *l = item(items, i);
        matrix[(size_t)l[0] * k + (size_t)l[1 + system]]++;
    }
}

iv_prf_counts iv_prf_one_against_rest(const int64_t *matrix, int32_t classes, int32_t k)
{
    const size_t n = (size_t)classes, at = (size_t)k;
    iv_prf_counts c = { 0, 0, 0, 0 };

    for (size_t i = 0; i < n * n; i++)
        c.tn += matrix[i];
    for (size_t i = 0; i < n; i++) {
        c.fn += matrix[at * n + i];
        c.fp += matrix[i * n + at];
    }
    c.tp = matrix[at * n + at];
    c.tn -= c.fn + c.fp - c.tp;
    c.fn -= c.tp;
    c.fp -= c.tp;
    return c;
}

iv_paired_cells iv_prf_paired(const iv_prf_items *items, size_t a, size_t b, iv_prf_kind kind,
                              int32_t klass)
{
    iv_paired_cells c = { 0.0, 0.0, 0.0 };

    for (size_t i = 0; i < items->items; i++) {
        const int32_t *l = item(items, i), gold = l[0];
        if (kind != IV_PRF_ACCURACY && (gold == klass) != (kind == IV_PRF_RECALL))
            continue;
        const bool other = kind == IV_PRF_SPECIFICITY; /* any but the class is right */
        const bool a_right = other ? l[1 + a] != klass : l[1 + a] == gold;
        const bool b_right = other ? l[1 + b] != klass : l[1 + b] == gold;
        c.a += a_right && !b_right;
        c.b += b_right && !a_right;
        c.rest += a_right == b_right;
    }
    return c;
}

double iv_mcnemar(double a_only, double b_only)
{
    const double apart = fabs(a_only - b_only), all = a_only + b_only;

    return all > 0.0 ? 2.0 * iv_norm_sf(apart / sqrt(all)) : 1.0;
}

/* ----------------------------------------------------------- exact limits -- */

/* Of the probability of x hits in n. */
static iv_limits share_of(int64_t x, int64_t n, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence), a = (double)x, b = (double)(n - x);

    return (iv_limits){ x == 0 ? 0.0 : iv_beta_quantile(tail, a, b + 1.0),
                     x == n ? 1.0 : iv_beta_isf(tail, a + 1.0, b) };
}

/* F-beta from the share of TP and the mean weight of an error. */
static double f_of(double share, double weight, double b2)
{
    const double right = (1.0 + b2) * share;

    return share == 0.0 ? 0.0 : right / (right + (1.0 - share) * weight);
}

static iv_limits f_beta(const iv_prf_counts *c, double beta, double confidence)
{
    const int64_t wrong = c->fp + c->fn;
    const double b2 = beta * beta, root = sqrt(confidence);

    if (beta == 1.0) {
        const iv_limits one = share_of(c->tp, c->tp + wrong, confidence);
        return (iv_limits){ f_of(one.lower, 1.0, 1.0), f_of(one.upper, 1.0, 1.0) };
    }
    const iv_limits right = share_of(c->tp, c->tp + wrong, root);
    const iv_limits missed = share_of(c->fn, wrong, root);
    const double a = 1.0 + (b2 - 1.0) * missed.lower, b = 1.0 + (b2 - 1.0) * missed.upper;
    return (iv_limits){ f_of(right.lower, fmax(a, b), b2), f_of(right.upper, fmin(a, b), b2) };
}

iv_limits iv_prf_hold_end(iv_limits i, iv_prf_metric m, double value)
{
    const double least = m.kind == IV_PRF_MCC ? -1.0 : 0.0;

    if (m.kind == IV_PRF_UTILITY) /* it has no such ends */
        return i;
    if (value > 1.0 - 1e-13)
        i.upper = 1.0;
    if (value < least + 1e-13)
        i.lower = least;
    return i;
}

iv_limits iv_prf_guaranteed(const iv_prf_counts *c, iv_prf_metric m, double confidence)
{
    switch (m.kind) {
    case IV_PRF_PRECISION:
        return share_of(c->tp, c->tp + c->fp, confidence);
    case IV_PRF_RECALL:
        return share_of(c->tp, c->tp + c->fn, confidence);
    case IV_PRF_F:
        return f_beta(c, m.beta, confidence);
    case IV_PRF_SPECIFICITY:
        return share_of(c->tn, c->tn + c->fp, confidence);
    case IV_PRF_ACCURACY:
        return share_of(c->tp + c->tn, c->tp + c->tn + c->fp + c->fn, confidence);
    default: {
        const iv_limits a = share_of(c->tp, c->tp + c->fn, sqrt(confidence));
        const iv_limits b = share_of(c->tn, c->tn + c->fp, sqrt(confidence));
        return (iv_limits){ 0.5 * (a.lower + b.lower), 0.5 * (a.upper + b.upper) };
    }
    }
}

/* ---------------------------------------------------------- least coverage -- */

/* Where the least is: at small or large k; in the middle coverage is near what it says. */
enum { LOOKED_AT = 200 };

/* What a share has of the prior, and of how many items it is. */
typedef struct binomial {
    double right, wrong;
    int64_t n;
    double from, to; /* the shares of interest */
} binomial;

static binomial binomial_of(const iv_prf_counts *c, iv_prf_metric m, iv_prf_prior prior)
{
    const double right = prior.right, wrong = prior.wrong;

    switch (m.kind) {
    case IV_PRF_PRECISION: return (binomial){ right, wrong, c->tp + c->fp };
    case IV_PRF_RECALL: return (binomial){ right, wrong, c->tp + c->fn };
    case IV_PRF_F: return (binomial){ right, 2.0 * wrong,
                                      m.beta == 1.0 ? c->tp + c->fp + c->fn : 0 };
    case IV_PRF_SPECIFICITY: return (binomial){ right, wrong, c->tn < 0 ? 0 : c->tn + c->fp };
    case IV_PRF_ACCURACY:
        return (binomial){ 2.0 * right, 2.0 * wrong,
                        c->tn < 0 ? 0 : c->tp + c->fp + c->fn + c->tn };
    default: return (binomial){ 0.0, 0.0, 0 };
    }
}

/* Equal tails; a share of exactly 0 or 1 is held. */
static double lower_of(const binomial *s, int64_t k, double tail)
{
    return k <= 0 ? 0.0 : iv_beta_quantile(tail, (double)k + s->right,
                                           (double)(s->n - k) + s->wrong);
}

static double upper_of(const binomial *s, int64_t k, double tail)
{
    return k >= s->n ? 1.0 : iv_beta_isf(tail, (double)k + s->right, (double)(s->n - k) + s->wrong);
}

/* P(first <= X <= last) at a share of p. */
static double between(const binomial *s, int64_t first, int64_t last, double p)
{
    if (last < first)
        return 0.0;
    return iv_binom_cdf(last, s->n, p) - (first > 0 ? iv_binom_cdf(first - 1, s->n, p) : 0.0);
}

/* The least over samples of from to `to`; who holds a share moves up with it. */
static double least_among(const binomial *s, int64_t from, int64_t to, double tail)
{
    int64_t first = from, last = from;
    double least = 1.0;

    while (first > 0 && upper_of(s, first - 1, tail) >= lower_of(s, from, tail))
        first--;
    for (int64_t k = from; k <= to; k++) {
        const double low = lower_of(s, k, tail), high = upper_of(s, k, tail);
        while (upper_of(s, first, tail) < low)
            first++;
        while (last < s->n && lower_of(s, last + 1, tail) <= high)
            last++;
        /*
         * Between two limits the same k hold a share, and their probability has no
         * minimum there: the least is just below a lower or just above an upper limit.
         */
        if (low > 0.0 && low >= s->from && low <= s->to)
            least = fmin(least, between(s, first, k - 1, low));
        if (high < 1.0 && high >= s->from && high <= s->to)
            least = fmin(least, between(s, k + 1, last, high));
    }
    return least;
}

double iv_prf_least_coverage(const iv_prf_counts *c, iv_prf_metric m, iv_prf_prior prior,
                             double confidence, double from, double to)
{
    binomial s = binomial_of(c, m, prior);
    const double tail = 0.5 * (1.0 - confidence);

    if (s.n == 0)
        return (double)NAN;
    s.from = m.kind == IV_PRF_F ? from / (2.0 - from) : from; /* F1 = 2 p / (1 + p) */
    s.to = m.kind == IV_PRF_F ? to / (2.0 - to) : to;
    if (s.n <= 2 * LOOKED_AT)
        return least_among(&s, 0, s.n, tail);
    return fmin(least_among(&s, 0, LOOKED_AT, tail),
                least_among(&s, s.n - LOOKED_AT, s.n, tail));
}

/*
 * Averages of precision, recall or F over classes and categories, with jackknifed errors.
 *
 * Of a class there are tp right items, gold of gold's and said of the system's.  A class that
 * neither side has does not count; one that only one side has counts 0, as in scikit-learn.
 * Limits are Student's t on the logit scale (Miller 1974), differences plain.
 */

#define NO_SYSTEM SIZE_MAX

/* Counts of a system by class. */
typedef struct margins {
    double *tp, *gold, *said;
    size_t classes;
    double total;
} margins;

/* Sums over classes, from which averages follow when one class changes. */
typedef struct sums {
    double plain, weighted, classes;
} sums;

static void add_class(sums *s, iv_prf_metric m, double tp, double gold, double said, double sign)
{
    if (!(gold + said > 0.0))
        return;
    const double known = iv_prf_of_cells(m, tp, said - tp, gold - tp, 0.0);
    const double v = isnan(known) ? 0.0 : known; /* one side lacks the class */
    s->plain += sign * v;
    s->weighted += sign * gold * v;
    s->classes += sign;
}

static double average_of(const sums *s, iv_prf_average average, double total)
{
    return average == IV_PRF_WEIGHTED ? s->weighted / total : s->plain / s->classes;
}

static sums sums_of(iv_prf_metric m, const margins *c)
{
    sums s = { 0.0, 0.0, 0.0 };

    for (size_t k = 0; k < c->classes; k++)
        add_class(&s, m, c->tp[k], c->gold[k], c->said[k], 1.0);
    return s;
}

/* The average without an item of class i that the system calls j. */
static double without(iv_prf_metric m, iv_prf_average average, const margins *c, sums s, size_t i,
                      size_t j)
{
    const double right = i == j ? 1.0 : 0.0;

    add_class(&s, m, c->tp[i], c->gold[i], c->said[i], -1.0);
    add_class(&s, m, c->tp[i] - right, c->gold[i] - 1.0, c->said[i] - right, 1.0);
    if (i != j) {
        add_class(&s, m, c->tp[j], c->gold[j], c->said[j], -1.0);
        add_class(&s, m, c->tp[j], c->gold[j], c->said[j] - 1.0, 1.0);
    }
    return average_of(&s, average, c->total - 1.0);
}

static int count_margins(margins *c, const iv_prf_items *items, size_t system, iv_err *err)
{
    const size_t K = (size_t)items->classes;

    *c = (margins){ .tp = calloc(3 * K, sizeof(double)), .classes = K,
                    .total = (double)items->items };
    if (c->tp == NULL)
        return iv_no_memory(err);
    c->gold = c->tp + K;
    c->said = c->gold + K;
    for (size_t i = 0; i < items->items; i++) {
        const int32_t gold = item(items, i)[0], said = item(items, i)[1 + system];
        c->gold[gold] += 1.0;
        c->said[said] += 1.0;
        c->tp[gold] += gold == said ? 1.0 : 0.0;
    }
    return IV_OK;
}

/* Limits by Student's t on the logit scale; of a difference on its own, within -1 and 1. */
static iv_interval logit_limits(double value, double se, double df, double confidence)
{
    return iv_logit_interval(value, se, df, iv_t_isf(0.5 * (1.0 - confidence), df));
}

/* The average of a system's labels, less that of b's if there is a b, with its standard error. */
static int jackknife(double *value, double *se, const iv_prf_items *items, size_t a, size_t b,
                     iv_prf_average average, iv_prf_metric m, iv_err *err)
{
    const double n = (double)items->items;
    double sum = 0.0, squares = 0.0, vb = 0.0;
    margins x, y = { 0 };
    sums sy = { 0 };
    int rc = count_margins(&x, items, a, err);

    if (rc == IV_OK && b != NO_SYSTEM) {
        rc = count_margins(&y, items, b, err);
        sy = rc == IV_OK ? sums_of(m, &y) : sy;
        vb = average_of(&sy, average, n);
    }
    if (rc == IV_OK) {
        const sums sx = sums_of(m, &x);
        const double va = average_of(&sx, average, n);
        for (size_t i = 0; i < items->items; i++) {
            const int32_t *l = item(items, i);
            const size_t gold = (size_t)l[0];
            double d = without(m, average, &x, sx, gold, (size_t)l[1 + a]) - va;
            if (b != NO_SYSTEM)
                d -= without(m, average, &y, sy, gold, (size_t)l[1 + b]) - vb;
            sum += d;
            squares += d * d;
        }
        *value = va - vb;
        const double variance = (squares - sum * sum / n) * (n - 1.0) / n;
        *se = variance > 1e-24 ? sqrt(variance) : 0.0;
    }
    free(x.tp);
    free(y.tp);
    return rc;
}

int iv_prf_average_labels(iv_interval *out, const iv_prf_items *items, size_t system,
                          iv_prf_average average, iv_prf_metric metric, double confidence,
                          iv_err *err)
{
    double value, se;

    IV_TRY(jackknife(&value, &se, items, system, NO_SYSTEM, average, metric, err));
    *out = logit_limits(value, se, (double)items->items - 1.0, confidence);
    return IV_OK;
}

int iv_prf_average_gap(iv_interval *out, const iv_prf_items *items, size_t a, size_t b,
                       iv_prf_average average, iv_prf_metric metric, double confidence,
                       iv_err *err)
{
    double value, se;

    IV_TRY(jackknife(&value, &se, items, a, b, average, metric, err));
    *out = iv_prf_gap_limits(value, se, (double)items->items - 1.0, confidence);
    return IV_OK;
}

iv_interval iv_prf_gap_limits(double value, double se, double df, double confidence)
{
    const double half = se > 0.0 && df >= 1.0 ? iv_t_isf(0.5 * (1.0 - confidence), df) * se
                                              : (double)NAN;

    return (iv_interval){ value, se, value - half < -1.0 ? -1.0 : value - half,
                              value + half > 1.0 ? 1.0 : value + half, df };
}

/* Categories are strata with items of their own, which are their TP, FP and FN. */
iv_interval iv_prf_average_categories(const iv_prf_counts *const *categories, size_t count,
                                      iv_prf_metric metric, double confidence)
{
    double variance = 0.0, items = 0.0;
    sums all = { 0.0, 0.0, 0.0 };

    for (size_t c = 0; c < count; c++) {
        const iv_prf_counts *n = categories[c];
        add_class(&all, metric, (double)n->tp, (double)(n->tp + n->fn), (double)(n->tp + n->fp),
                  1.0);
    }
    const double value = average_of(&all, IV_PRF_MACRO, 1.0);
    for (size_t c = 0; c < count; c++) {
        const iv_prf_counts *n = categories[c];
        const double cell[3] = { (double)n->tp, (double)n->fp, (double)n->fn };
        const double size = cell[0] + cell[1] + cell[2];
        double sum = 0.0, squares = 0.0;
        for (int k = 0; k < 3 && size > 1.0; k++) {
            const double tp = cell[0] - (k == 0), fp = cell[1] - (k == 1), fn = cell[2] - (k == 2);
            sums s = all;
            add_class(&s, metric, cell[0], cell[0] + cell[2], cell[0] + cell[1], -1.0);
            if (cell[k] > 0.0)
                add_class(&s, metric, tp, tp + fn, tp + fp, 1.0);
            const double d = cell[k] > 0.0 ? average_of(&s, IV_PRF_MACRO, 1.0) - value : 0.0;
            sum += cell[k] * d;
            squares += cell[k] * d * d;
        }
        if (size > 1.0)
            variance += (squares - sum * sum / size) * (size - 1.0) / size;
        items += size;
    }
    return logit_limits(value, variance > 1e-24 ? sqrt(variance) : 0.0, items - (double)count,
                        confidence);
}
