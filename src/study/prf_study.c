/* SPDX-License-Identifier: Apache-2.0 */
#include "study/prf_study_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "intervale/num.h"

const char *const *iv_prf_study_names(void)
{
    static const char *const names[] = { "posterior-equal", "posterior-hdi", "wilson",
                                         "bootstrap", NULL };

    return names;
}

bool iv_prf_study_is_drawn(iv_prf_metric m)
{
    return m.kind == IV_PRF_BALANCED_ACCURACY || m.kind == IV_PRF_MCC
           || (m.kind == IV_PRF_F && m.beta != 1.0);
}

void iv_prf_study_add(iv_prf_study_cell *cell, double w, double lower, double upper)
{
    if (!(lower <= upper)) {
        cell->gaps += w;
        return;
    }
    /* Ends come from quantiles and roots: a truth at an end is inside. */
    const double slack = 1e-12;
    if (upper < cell->truth - slack)
        cell->below += w;
    else if (lower > cell->truth + slack)
        cell->above += w;
    else
        cell->coverage += w;
    cell->width += w * (upper - lower);
}

/* ------------------------------------------------------------ exact sums -- */

typedef struct interval {
    double lower, upper;
} interval;

/* F_1 of the share of TP among items returned or relevant. */
static double f_of_share(double share)
{
    return 2.0 * share / (1.0 + share);
}

static interval wilson(double k, double n, double confidence)
{
    const double z = iv_norm_isf(0.5 * (1.0 - confidence)), p = k / n;
    const double middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    const double half = z / (1.0 + z * z / n)
                        * sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));

    return (interval){ fmax(0.0, middle - half), fmin(1.0, middle + half) };
}

/* The ideal bootstrap: resampled counts are binomial. */
static interval bootstrap(int64_t k, int64_t n, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence), p = (double)k / (double)n;

    return (interval){ (double)iv_binom_quantile(tail, n, p) / (double)n,
                       (double)iv_binom_quantile(1.0 - tail, n, p) / (double)n };
}

/* The four intervals when k of n are TP. */
static int all_intervals(interval out[IV_PRF_STUDY_METHODS], const iv_prf_study_options *o,
                         int64_t k, int64_t n, iv_err *err)
{
    const bool f = o->metric.kind == IV_PRF_F;
    const double rest = (double)(n - k) + o->prior.wrong;
    const iv_prf_cells cells = { .tp = (double)k + o->prior.right, .fp = rest,
                                 .fn = o->prior.wrong };
    iv_posterior *p = NULL;
    iv_credible c[2];
    int rc = iv_posterior_prf(&p, &cells, f ? (iv_prf_metric){ IV_PRF_F, 1.0 }
                                            : (iv_prf_metric){ IV_PRF_PRECISION, 0.0 }, err);

    if (rc == IV_OK)
        rc = iv_posterior_interval(&c[0], p, o->confidence, IV_INTERVAL_EQUAL, err);
    if (rc == IV_OK)
        rc = iv_posterior_interval(&c[1], p, o->confidence, IV_INTERVAL_HDI, err);
    iv_posterior_free(p);
    if (rc < 0)
        return rc;
    out[IV_PRF_STUDY_EQUAL] = (interval){ c[0].lower, c[0].upper };
    out[IV_PRF_STUDY_HDI] = (interval){ c[1].lower, c[1].upper };
    out[IV_PRF_STUDY_WILSON] = wilson((double)k, (double)n, o->confidence);
    out[IV_PRF_STUDY_BOOTSTRAP] = bootstrap(k, n, o->confidence);
    for (int m = IV_PRF_STUDY_WILSON; f && m < IV_PRF_STUDY_METHODS; m++)
        out[m] = (interval){ f_of_share(out[m].lower), f_of_share(out[m].upper) };
    return IV_OK;
}

/* All intervals of samples of n: n + 1 times IV_PRF_STUDY_METHODS. */
static int intervals_of_size(interval **out, const iv_prf_study_options *o, int64_t n,
                             iv_err *err)
{
    interval(*all)[IV_PRF_STUDY_METHODS] = calloc((size_t)n + 1, sizeof *all);
    int failed = IV_OK;

    if (all == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
#pragma omp parallel for schedule(dynamic) num_threads(iv_threads(o->threads))
    for (int64_t k = 0; k <= n; k++) {
        const int rc = all_intervals(all[k], o, k, n, NULL);
        if (rc < 0) {
#pragma omp atomic write
            failed = rc;
        }
    }
    if (failed != IV_OK) {
        free(all);
        return iv_fail(err, failed, "an interval for %lld items could not be computed",
                       (long long)n);
    }
    *out = &all[0][0];
    return IV_OK;
}

static int sum_outcomes(iv_prf_study_cell *cells, const iv_prf_study_options *o,
                        const interval *all, double rate, int64_t n, iv_err *err)
{
    const double share = o->metric.kind == IV_PRF_F ? rate / (2.0 - rate) : rate;
    iv_pmf pmf = { 0 };
    const int rc = iv_pmf_binom(&pmf, n, share, 1e-17, err);

    for (int m = 0; m < IV_PRF_STUDY_METHODS && rc == IV_OK; m++) {
        iv_prf_study_cell *c = &cells[m];
        for (size_t i = 0; i < pmf.count; i++) {
            const interval *x = &all[((size_t)pmf.offset + i) * IV_PRF_STUDY_METHODS + (size_t)m];
            iv_prf_study_add(c, pmf.p[i], x->lower, x->upper);
        }
    }
    iv_pmf_free(&pmf);
    return rc;
}

/* -------------------------------------------------------------- the grid -- */

static int check(const iv_prf_study_options *o, iv_err *err)
{
    for (size_t i = 0; i < o->rate_count; i++) {
        if (!(o->rates[i] > 0.0 && o->rates[i] < 1.0))
            return iv_fail(err, IV_EARG, "rate %g, expected above 0 and below 1", o->rates[i]);
    }
    for (size_t i = 0; i < o->size_count; i++) {
        if (o->sizes[i] < 1 || o->sizes[i] > IV_PRF_STUDY_ITEMS_MAX)
            return iv_fail(err, IV_EARG, "%lld items, expected 1 to %d",
                           (long long)o->sizes[i], (int)IV_PRF_STUDY_ITEMS_MAX);
    }
    if (!(o->confidence > 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected above 0 and below 1",
                       o->confidence);
    if (!iv_prf_study_is_drawn(o->metric))
        return IV_OK;
    if (!(o->prevalence > 0.0 && o->prevalence <= 0.5) || o->replicates < 100
        || o->draws < IV_PRF_DRAWS_MIN)
        return iv_fail(err, IV_EARG, "prevalence %g, %zu replicates, %zu draws; expected "
                       "above 0 to 0.5, 100 and %d", o->prevalence, o->replicates, o->draws,
                       (int)IV_PRF_DRAWS_MIN);
    return IV_OK;
}

/* What a cell says of all samples, from its sums. */
static void finish(iv_prf_study_cell *c)
{
    c->width = c->gaps < 1.0 ? c->width / (1.0 - c->gaps) : NAN;
}

static int one_size(iv_prf_study_cell *out, const iv_prf_study_options *o, size_t s,
                    iv_err *err)
{
    const bool drawn = iv_prf_study_is_drawn(o->metric);
    interval *all = NULL;
    int rc = drawn ? IV_OK : intervals_of_size(&all, o, o->sizes[s], err);

    for (size_t r = 0; r < o->rate_count && rc == IV_OK; r++) {
        const size_t place = r * o->size_count + s;
        iv_prf_study_cell *cells = out + place * IV_PRF_STUDY_METHODS;
        for (int m = 0; m < IV_PRF_STUDY_METHODS; m++)
            cells[m] = (iv_prf_study_cell){ .method = (iv_prf_study_method)m,
                                            .rate = o->rates[r], .size = o->sizes[s],
                                            .truth = o->rates[r], .coverage_se = NAN };
        rc = drawn ? iv_prf_study_draw(cells, o, (uint32_t)place, err)
                   : sum_outcomes(cells, o, all, o->rates[r], o->sizes[s], err);
        for (int m = 0; m < IV_PRF_STUDY_METHODS; m++)
            finish(&cells[m]);
    }
    free(all);
    return rc;
}

int iv_prf_study(iv_prf_study_cell *out, const iv_prf_study_options *o, iv_err *err)
{
    int rc = check(o, err);

    for (size_t s = 0; s < o->size_count && rc == IV_OK; s++) {
        rc = one_size(out, o, s, err);
        if (o->progress.report != NULL)
            o->progress.report(o->progress.user, (double)(s + 1) / (double)o->size_count);
    }
    return rc;
}
