/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stevens' scheme and strata: probabilities of inclusion, one document and two.
 *
 * A bucket of b documents that is drawn T times, T binomial, gives min(T, b).
 * For b at least the number of draws m the minimum never binds and moments of
 * T have closed forms; for the short last bucket they are sums over its
 * binomial distribution.
 */
#include "base/err.h"
#include "num/draw.h"
#include "num/pmf.h"
#include "sampling/scheme.h"

#include <math.h>
#include <stdlib.h>

void iv_ap_priors(double *w, size_t z)
{
    double sum = 0.0;

    for (size_t k = z; k >= 1; k--) {
        sum += 1.0 / (double)k;
        w[k - 1] = (1.0 + sum) / (2.0 * (double)z);
    }
}

double iv_draw_variance(const double *value, const double *p, size_t n)
{
    double squares = 0.0, total = 0.0;

    for (size_t i = 0; i < n; i++) {
        squares += value[i] * value[i] / p[i];
        total += value[i];
    }
    return squares - total * total;
}

static int scheme_new(iv_scheme **out, iv_scheme_kind kind, size_t buckets, iv_err *err)
{
    iv_scheme *s = calloc(1, sizeof *s);

    if (s != NULL)
        s->bucket = calloc(buckets + 1, sizeof *s->bucket);
    if (s == NULL || s->bucket == NULL) {
        free(s);
        return iv_fail(err, IV_ENOMEM, "out of memory for the buckets of a sample");
    }
    s->kind = kind;
    s->buckets = buckets;
    *out = s;
    return IV_OK;
}

void iv_scheme_free(iv_scheme *s)
{
    if (s == NULL)
        return;
    free(s->bucket);
    free(s);
}

/* -------------------------------------------------------------- Stevens -- */

/* A bucket with room for every draw. */
static void fill_full(iv_bucket *b, size_t draws)
{
    const double m = (double)draws, size = (double)b->size, g = b->share;

    b->pi = b->size == draws ? g : m * g / size;
    if (b->size > 1)
        b->within = b->size == draws
            ? g * g : m * (m - 1.0) * g * g / (size * (size - 1.0));
}

/*
 * The last bucket, which the draws may exhaust.  The draws that fall into it
 * are binomial; given there are t, another bucket of share g gets
 * (draws - t) g / (1 - share) on average.
 */
static int fill_short(iv_scheme *s, iv_bucket *b, iv_err *err)
{
    const double size = (double)b->size, m = (double)s->draws;
    double one = 0.0, two = 0.0, cross = 0.0;
    iv_pmf pmf = { 0 };

    if (s->buckets == 1) { /* everything is drawn */
        b->pi = 1.0;
        b->within = b->size > 1 ? 1.0 : 0.0;
        return IV_OK;
    }
    IV_TRY(iv_pmf_binom(&pmf, (int64_t)s->draws, b->share, 0.0, err));
    for (size_t i = 0; i < pmf.count; i++) {
        const double t = (double)(pmf.offset + (int64_t)i), got = fmin(t, size);
        one += pmf.p[i] * got;
        two += pmf.p[i] * got * (got - 1.0);
        cross += pmf.p[i] * got * (m - t);
    }
    iv_pmf_free(&pmf);
    b->pi = one / size;
    b->within = b->size > 1 ? two / (size * (size - 1.0)) : 0.0;
    /* E[T min(U, size)] / (draws x size) over the two probabilities. */
    s->last_ratio = cross / (size * (1.0 - b->share) * m * b->pi);
    return IV_OK;
}

int iv_scheme_stevens(iv_scheme **out, const size_t *sizes, const double *weights,
                      size_t buckets, size_t draws, iv_err *err)
{
    iv_scheme *s = NULL;
    double sum = 0.0;

    if (buckets == 0 || draws == 0 || draws > INT32_MAX)
        return iv_fail(err, IV_EARG, "a sample needs at least one bucket and one draw");
    for (size_t i = 0; i < buckets; i++) {
        if (sizes[i] == 0 || (i + 1 < buckets && sizes[i] < draws))
            return iv_fail(err, IV_EARG, "bucket %zu has %zu documents, expected at least "
                           "%zu", i + 1, sizes[i], i + 1 < buckets ? draws : (size_t)1);
        if (!(weights[i] > 0.0 && weights[i] < (double)INFINITY))
            return iv_fail(err, IV_EARG, "bucket %zu has weight %g, expected a positive "
                           "number", i + 1, weights[i]);
        sum += weights[i];
    }
    int rc = scheme_new(&s, IV_SCHEME_STEVENS, buckets, err);
    if (rc != IV_OK)
        return rc;
    s->draws = draws;
    for (size_t i = 0; i < buckets && rc == IV_OK; i++) {
        s->bucket[i].size = sizes[i];
        s->bucket[i].share = weights[i] / sum;
        s->short_last = sizes[i] < draws;
        if (s->short_last)
            rc = fill_short(s, &s->bucket[i], err);
        else
            fill_full(&s->bucket[i], draws);
    }
    if (rc == IV_OK)
        *out = s;
    else
        iv_scheme_free(s);
    return rc;
}

int iv_scheme_stevens_of(iv_scheme **out, const double *weights, size_t documents,
                         size_t draws, iv_err *err)
{
    if (documents == 0 || draws == 0)
        return iv_fail(err, IV_EARG, "a sample needs at least one document and one draw");
    const size_t buckets = (documents - 1) / draws + 1;
    size_t *sizes = calloc(buckets, sizeof *sizes);
    double *sums = calloc(buckets, sizeof *sums);
    int rc = IV_OK;

    if (sizes == NULL || sums == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory for the buckets of a sample");
    for (size_t i = 0; i < documents && rc == IV_OK; i++) {
        if (!(weights[i] > 0.0) || (i > 0 && weights[i] > weights[i - 1]))
            rc = iv_fail(err, IV_EARG, "document %zu has weight %g, expected positive "
                         "weights in falling order", i + 1, weights[i]);
        else {
            sizes[i / draws]++;
            sums[i / draws] += weights[i];
        }
    }
    if (rc == IV_OK)
        rc = iv_scheme_stevens(out, sizes, sums, buckets, draws, err);
    free(sizes);
    free(sums);
    return rc;
}

/* --------------------------------------------------------------- strata -- */

int iv_scheme_strata(iv_scheme **out, const size_t *sizes, const size_t *drawn,
                     size_t strata, iv_err *err)
{
    iv_scheme *s = NULL;

    if (strata == 0)
        return iv_fail(err, IV_EARG, "a stratified sample needs at least one stratum");
    for (size_t i = 0; i < strata; i++)
        if (drawn[i] == 0 || drawn[i] > sizes[i])
            return iv_fail(err, IV_EARG, "stratum %zu: %zu of %zu documents are sampled, "
                           "expected 1 to all of them", i + 1, drawn[i], sizes[i]);
    IV_TRY(scheme_new(&s, IV_SCHEME_STRATA, strata, err));
    for (size_t i = 0; i < strata; i++) {
        const double n = (double)drawn[i], size = (double)sizes[i];
        s->draws += drawn[i];
        s->bucket[i] = (iv_bucket){ .size = sizes[i], .drawn = drawn[i], .pi = n / size };
        if (sizes[i] > 1)
            s->bucket[i].within = n * (n - 1.0) / (size * (size - 1.0));
    }
    *out = s;
    return IV_OK;
}

int iv_scheme_independent(iv_scheme **out, iv_err *err)
{
    return scheme_new(out, IV_SCHEME_INDEPENDENT, 0, err);
}

/* --------------------------------------------------------------- asking -- */

double iv_scheme_joint(const iv_scheme *s, size_t a, size_t b)
{
    const iv_bucket *x = &s->bucket[a], *y = &s->bucket[b];

    if (a == b)
        return x->within;
    if (s->kind != IV_SCHEME_STEVENS)
        return x->pi * y->pi;
    if (s->short_last && (a == s->buckets - 1 || b == s->buckets - 1))
        return x->pi * y->pi * s->last_ratio;
    return x->pi * y->pi * ((double)s->draws - 1.0) / (double)s->draws;
}

void iv_scheme_thin(iv_scheme *s, size_t bucket, size_t kept, size_t of)
{
    iv_bucket *b = &s->bucket[bucket];
    const double k = (double)kept, n = (double)of;

    b->pi *= k / n;
    b->within *= of > 1 ? k * (k - 1.0) / (n * (n - 1.0)) : 0.0;
}

void iv_scheme_draw(size_t *taken, const iv_scheme *s, iv_stream *stream)
{
    double left = 1.0;
    int64_t draws = (int64_t)s->draws;

    for (size_t i = 0; i < s->buckets; i++) {
        const iv_bucket *b = &s->bucket[i];
        if (s->kind == IV_SCHEME_STRATA) {
            taken[i] = b->drawn;
            continue;
        }
        /* Conditional binomials: the counts are multinomial. */
        const bool last = i + 1 == s->buckets;
        const double p = last || b->share >= left ? 1.0 : b->share / left;
        const int64_t t = draws > 0 ? iv_draw_binom(stream, draws, p) : 0;
        draws -= t;
        left -= b->share;
        taken[i] = (size_t)t < b->size ? (size_t)t : b->size;
    }
}

/* ------------------------------------------------------------ variances -- */

/*
 * Pairs of documents matter through their buckets only, so sums of a bucket are
 * enough.  Two documents of one full bucket are drawn as if independently
 * (joint probability g^2) and have no cross term; two of different buckets
 * have 1 - m/(m-1) = -1/(m-1), m the number of draws; the short last bucket
 * has terms of its own.  Strata have cross terms inside and none across.
 */

/* 1 - pi_a pi_b / pi_ab for two documents of buckets a and b, if they can be
 * in the sample together. */
static double cross_term(const iv_scheme *s, size_t a, size_t b)
{
    const double joint = iv_scheme_joint(s, a, b);

    return joint > 0.0 ? 1.0 - s->bucket[a].pi * s->bucket[b].pi / joint : 0.0;
}

/*
 * The sum over pairs of different buckets of coefficient x sum_a x sum_b, where
 * the coefficient is one number for all full buckets and another for the pairs
 * with a short last one.
 */
static double across(const iv_scheme *s, const double *sums, double full, double last)
{
    const size_t n = s->short_last ? s->buckets - 1 : s->buckets;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++) {
        sum += sums[i];
        squares += sums[i] * sums[i];
    }
    return full * (sum * sum - squares)
        + (s->short_last ? 2.0 * last * sum * sums[n] : 0.0);
}

double iv_scheme_variance(const iv_scheme *s, const double *u, const double *pi,
                          const uint32_t *bucket, size_t count, double *sums)
{
    double own = 0.0, pairs = 0.0;

    for (size_t b = 0; b < s->buckets; b++)
        sums[b] = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (u[i] == 0.0)
            continue;
        const double z = u[i] / pi[i];
        own += (1.0 - pi[i]) * z * z;
        if (s->kind == IV_SCHEME_INDEPENDENT || bucket[i] == IV_FIXED)
            continue;
        const size_t b = bucket[i];
        pairs -= z * z * cross_term(s, b, b);
        sums[b] += z;
    }
    if (s->kind == IV_SCHEME_INDEPENDENT)
        return own;
    for (size_t b = 0; b < s->buckets; b++)
        if (sums[b] != 0.0)
            pairs += cross_term(s, b, b) * sums[b] * sums[b];
    if (s->kind == IV_SCHEME_STEVENS && s->buckets > 1)
        pairs += across(s, sums, s->draws > 1 ? -1.0 / ((double)s->draws - 1.0) : 0.0,
                        s->short_last ? cross_term(s, 0, s->buckets - 1) : 0.0);
    return own + pairs;
}

double iv_scheme_true_variance(const iv_scheme *s, const double *u, const double *weight,
                               const uint32_t *bucket, size_t count, double *sums)
{
    double own = 0.0, pairs = 0.0;

    for (size_t b = 0; b < s->buckets; b++)
        sums[b] = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (bucket[i] == IV_FIXED)
            continue;
        const iv_bucket *b = &s->bucket[bucket[i]];
        const double w = weight != NULL ? weight[i] : 1.0;
        own += w * u[i] * u[i] * (1.0 - b->pi) / b->pi;
        pairs -= w * u[i] * u[i] * (b->within / (b->pi * b->pi) - 1.0);
        sums[bucket[i]] += w * u[i];
    }
    for (size_t b = 0; b < s->buckets; b++) {
        const double pi = s->bucket[b].pi;
        pairs += (s->bucket[b].within / (pi * pi) - 1.0) * sums[b] * sums[b];
    }
    if (s->kind == IV_SCHEME_STEVENS && s->buckets > 1) {
        const double with_last = s->short_last ? s->last_ratio - 1.0 : 0.0;
        pairs += across(s, sums, -1.0 / (double)s->draws, with_last);
    }
    return own + pairs;
}
