/* SPDX-License-Identifier: Apache-2.0 */
#include "study/prf_study.h"

#include <math.h>

#include "intervale/num.h"

const char *const *iv_prf_study_names(void)
{
    static const char *const names[] = { "posterior-equal", "posterior-hdi", "wilson",
                                         "bootstrap", "guaranteed", NULL };

    return names;
}

const char *const *iv_studied_metric_names(void)
{
    static const char *const names[] = { "f1", "precision", "recall", "f-beta", "accuracy",
                                         "specificity", "balanced_accuracy", "mcc", NULL };

    return names;
}

iv_prf_metric iv_studied_metric_of(const iv_study_prf_question *q)
{
    static const iv_prf_kind kinds[] = { IV_PRF_F, IV_PRF_PRECISION, IV_PRF_RECALL, IV_PRF_F,
                                         IV_PRF_ACCURACY, IV_PRF_SPECIFICITY,
                                         IV_PRF_BALANCED_ACCURACY, IV_PRF_MCC };
    const double beta = q->beta == 0.0 ? 2.0 : q->beta;

    return (iv_prf_metric){ kinds[q->metric], q->metric == IV_STUDIED_F_BETA ? beta : 1.0 };
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

void iv_wilson(double *lower, double *upper, double k, double n, double confidence)
{
    const double z = iv_norm_isf(0.5 * (1.0 - confidence)), p = k / n;
    const double middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    const double half = z / (1.0 + z * z / n)
                        * sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));

    *lower = fmax(0.0, middle - half);
    *upper = fmin(1.0, middle + half);
}

/* The ideal bootstrap: resampled counts are binomial. */
static interval bootstrap(int64_t k, int64_t n, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence), p = (double)k / (double)n;

    return (interval){ (double)iv_binom_quantile(tail, n, p) / (double)n,
                       (double)iv_binom_quantile(1.0 - tail, n, p) / (double)n };
}

/* All intervals when k of n are TP. */
static int all_intervals(interval out[IV_PRF_STUDY_METHODS], const iv_prf_setting *o,
                         int64_t k, int64_t n, iv_err *err)
{
    const bool f = o->metric.kind == IV_PRF_F;
    const double rest = (double)(n - k) + o->prior.wrong;
    const iv_prf_cells cells = { .tp = (double)k + o->prior.right, .fp = rest,
                                 .fn = o->prior.wrong };
    iv_posterior *p = NULL;
    const iv_prf_metric metric = { f ? IV_PRF_F : IV_PRF_PRECISION, 1.0 };
    const iv_prf_counts counts = { k, n - k, 0, -1 };
    iv_credible c[3];
    int rc = iv_posterior_prf(&p, &cells, metric, err);

    if (rc == IV_OK)
        rc = iv_posterior_interval(&c[0], p, o->q.confidence, IV_INTERVAL_EQUAL, err);
    if (rc == IV_OK)
        rc = iv_posterior_interval(&c[1], p, o->q.confidence, IV_INTERVAL_HDI, err);
    iv_posterior_free(p);
    if (rc == IV_OK)
        rc = iv_prf_guaranteed(&c[2], &counts, metric, o->q.confidence, err);
    if (rc < 0)
        return rc;
    for (int i = 0; i < 2; i++) /* as prf shows them */
        c[i] = iv_prf_hold_end(c[i], metric, (double)k / (double)n);
    out[IV_PRF_STUDY_EQUAL] = (interval){ c[0].lower, c[0].upper };
    out[IV_PRF_STUDY_HDI] = (interval){ c[1].lower, c[1].upper };
    out[IV_PRF_STUDY_GUARANTEED] = (interval){ c[2].lower, c[2].upper };
    iv_wilson(&out[IV_PRF_STUDY_WILSON].lower, &out[IV_PRF_STUDY_WILSON].upper, (double)k,
              (double)n, o->q.confidence);
    out[IV_PRF_STUDY_BOOTSTRAP] = bootstrap(k, n, o->q.confidence);
    for (int m = IV_PRF_STUDY_WILSON; f && m <= IV_PRF_STUDY_BOOTSTRAP; m++)
        out[m] = (interval){ f_of_share(out[m].lower), f_of_share(out[m].upper) };
    return IV_OK;
}

/* All intervals of samples of n, one outcome an item. */
typedef struct outcomes {
    const iv_prf_setting *o;
    int64_t n;
    interval (*all)[IV_PRF_STUDY_METHODS];
} outcomes;

static int one_outcome(void *user, void *memory, size_t k, iv_err *err)
{
    const outcomes *x = user;

    (void)memory;
    return all_intervals(x->all[k], x->o, (int64_t)k, x->n, err);
}

static int sum_outcomes(iv_prf_study_cell *cells, const outcomes *all, double rate, iv_err *err)
{
    const double share = all->o->metric.kind == IV_PRF_F ? rate / (2.0 - rate) : rate;
    iv_pmf pmf = { 0 };
    const int rc = iv_pmf_binom(&pmf, all->n, share, 1e-17, err);

    for (int m = 0; m < IV_PRF_STUDY_METHODS && rc == IV_OK; m++) {
        iv_prf_study_cell *c = &cells[m];
        for (size_t i = 0; i < pmf.count; i++) {
            const interval *x = &all->all[(size_t)pmf.offset + i][m];
            iv_prf_study_add(c, pmf.p[i], x->lower, x->upper);
        }
    }
    iv_pmf_free(&pmf);
    return rc;
}

/* -------------------------------------------------------------- the grid -- */

static iv_prf_setting with_defaults(const iv_study_prf_question *q)
{
    static const double rates[] = { 0.05, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95 };
    static const int64_t sizes[] = { 10, 20, 50, 100, 500 };
    static const double half[] = { 0.5 };
    iv_prf_setting s = { .q = *q, .metric = iv_studied_metric_of(q) };
    iv_study_prf_question *x = &s.q;

    if (x->rates.count == 0)
        x->rates = (iv_reals){ rates, sizeof rates / sizeof *rates };
    if (x->sizes.count == 0)
        x->sizes = (iv_integers){ sizes, sizeof sizes / sizeof *sizes };
    if (x->prior.count == 0)
        x->prior = (iv_reals){ half, 1 };
    s.prior = (iv_prf_prior){ x->prior.at[0], x->prior.at[x->prior.count - 1] };
    x->confidence = x->confidence == 0.0 ? 0.95 : x->confidence;
    x->prevalence = x->prevalence == 0.0 ? 0.2 : x->prevalence;
    x->replicates = x->replicates == 0 ? 2000 : x->replicates;
    x->draws = x->draws == 0 ? 2000 : x->draws;
    return s;
}

static int check(const iv_prf_setting *s, iv_err *err)
{
    const iv_study_prf_question *o = &s->q;

    for (size_t i = 0; i < o->rates.count; i++) {
        if (!(o->rates.at[i] > 0.0 && o->rates.at[i] < 1.0))
            return iv_fail(err, IV_EARG, "rate %g, expected above 0 and below 1", o->rates.at[i]);
    }
    for (size_t i = 0; i < o->sizes.count; i++) {
        if (o->sizes.at[i] < 1 || o->sizes.at[i] > IV_PRF_STUDY_ITEMS_MAX)
            return iv_fail(err, IV_EARG, "%lld items, expected 1 to %d",
                           (long long)o->sizes.at[i], (int)IV_PRF_STUDY_ITEMS_MAX);
    }
    if (!(o->confidence > 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected above 0 and below 1",
                       o->confidence);
    if (iv_prf_study_is_drawn(s->metric) && (!(o->prevalence > 0.0 && o->prevalence <= 0.5)
                                             || o->replicates < 100
                                             || o->draws < IV_PRF_DRAWS_MIN))
        return iv_fail(err, IV_EARG, "prevalence %g, %zu replicates, %zu draws; expected "
                       "above 0 to 0.5, 100 and %d", o->prevalence, o->replicates, o->draws,
                       (int)IV_PRF_DRAWS_MIN);
    return IV_OK;
}

static int one_size(iv_prf_study_cell *out, iv_arena *own, const iv_prf_setting *o, size_t s,
                    const iv_work *work, iv_err *err)
{
    const bool drawn = iv_prf_study_is_drawn(o->metric);
    const iv_study_prf_question *q = &o->q;
    outcomes x = { o, q->sizes.at[s], NULL };

    if (!drawn) {
        x.all = iv_take(own, (size_t)x.n + 1, sizeof *x.all);
        IV_TRY(iv_taken(own, err));
        IV_TRY(iv_parallel(&(iv_loop){ (size_t)x.n + 1, one_outcome, &x }, work, err));
    }
    for (size_t r = 0; r < q->rates.count; r++) {
        const size_t place = r * q->sizes.count + s;
        iv_prf_study_cell *cells = out + place * IV_PRF_STUDY_METHODS;
        iv_stage stage;
        for (int m = 0; m < IV_PRF_STUDY_METHODS; m++)
            cells[m] = (iv_prf_study_cell){ .method = (iv_prf_study_method)m,
                                            .rate = q->rates.at[r], .size = x.n,
                                            .truth = q->rates.at[r], .coverage_se = NAN };
        IV_TRY(drawn ? iv_prf_study_draw(cells, o, (uint32_t)place,
                                         iv_work_nth(&stage, work, r, q->rates.count), err)
                     : sum_outcomes(cells, &x, q->rates.at[r], err));
        for (int m = 0; m < IV_PRF_STUDY_METHODS; m++)
            cells[m].width = cells[m].gaps < 1.0 ? cells[m].width / (1.0 - cells[m].gaps) : NAN;
    }
    return IV_OK;
}

int iv_prf_study(iv_prf_study_cell **out, size_t *count, iv_arena *own,
                 const iv_study_prf_question *q, const iv_work *work, iv_err *err)
{
    const iv_prf_setting o = with_defaults(q);
    const size_t sizes = o.q.sizes.count;

    *count = o.q.rates.count * sizes * IV_PRF_STUDY_METHODS;
    *out = iv_take(own, *count, sizeof **out);
    IV_TRY(iv_taken(own, err));
    IV_TRY(check(&o, err));
    for (size_t s = 0; s < sizes; s++) {
        iv_stage stage;
        IV_TRY(one_size(*out, own, &o, s, iv_work_nth(&stage, work, s, sizes), err));
    }
    return IV_OK;
}
