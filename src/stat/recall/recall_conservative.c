/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The most conservative prior: the Beta(alpha, alpha) under which a sample of
 * n from N is expected to teach most about the yield R.
 *
 * The expected gain is the mutual information of R and the sample's yield x,
 *
 *     I = H(x) - sum over R of P(R) H(x | R),
 *
 * where x is beta-binomial and x | R hypergeometric.  The inner entropies do
 * not depend on alpha: they are computed once, in O(N n); each alpha then
 * costs O(N).
 *
 * Ref: Dyer and Pierce (1993); Webber (2013), eq 18, which equals I.
 */
#include <math.h>
#include <stdlib.h>

#include "stat/recall/recall_yield.h"

typedef struct gains {
    int64_t N, n;
    double *entropy; /* of x given R, R = 0 to N */
    iv_pmf pmf;
    int rc;
} gains;

static double entropy_of(const iv_pmf *p)
{
    double h = 0.0;

    for (size_t i = 0; i < p->count; i++) {
        if (p->p[i] > 0.0)
            h -= p->p[i] * log(p->p[i]);
    }
    return h;
}

static int gains_init(gains *g, int64_t N, int64_t n, iv_err *err)
{
    int rc = IV_OK;

    *g = (gains){ .N = N, .n = n };
    g->entropy = malloc(((size_t)N + 1) * sizeof *g->entropy);
    if (g->entropy == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for the conservative prior");
    /* Relevant and not relevant change places: half of them are enough. */
    for (int64_t R = 0; 2 * R <= N && rc == IV_OK; R++) {
        rc = iv_pmf_hyper(&g->pmf, N, R, n, 1e-18, err);
        g->entropy[R] = g->entropy[N - R] = entropy_of(&g->pmf);
    }
    return rc;
}

static void gains_free(gains *g)
{
    free(g->entropy);
    iv_pmf_free(&g->pmf);
}

static double gain_at(double alpha, void *user)
{
    gains *g = user;
    double inner = 0.0;

    if (g->rc < 0) /* the first failure is the one to tell */
        return NAN;
    g->rc = iv_pmf_betabin(&g->pmf, g->N, alpha, alpha, 0.0, NULL);
    if (g->rc < 0)
        return NAN;
    for (size_t R = 0; R < g->pmf.count; R++)
        inner += g->pmf.p[R] * g->entropy[R];
    g->rc = iv_pmf_betabin(&g->pmf, g->n, alpha, alpha, 0.0, NULL);
    return g->rc < 0 ? NAN : entropy_of(&g->pmf) - inner;
}

static double loss_at(double alpha, void *user) { return -gain_at(alpha, user); }

static int check(int64_t N, int64_t n, iv_err *err)
{
    if (n < 1 || n > N || (double)N * (double)n > 4e8)
        return iv_fail(err, IV_EARG, "conservative prior for n = %lld of N = %lld, expected "
                       "1 <= n <= N and N n <= 4e8", (long long)n, (long long)N);
    return IV_OK;
}

int iv_information_gain(double *gain, int64_t N, int64_t n, double alpha, iv_err *err)
{
    gains g = { 0 };
    int rc = check(N, n, err);

    if (rc == IV_OK && !(alpha > 0.0 && alpha < 1e6))
        rc = iv_fail(err, IV_EARG, "prior parameter %g, expected above 0", alpha);
    if (rc < 0)
        return rc;
    rc = gains_init(&g, N, n, err);
    if (rc == IV_OK) {
        const double value = gain_at(alpha, &g);
        rc = g.rc < 0 ? iv_fail(err, g.rc, "cannot compute the information gain") : IV_OK;
        if (rc == IV_OK)
            *gain = value;
    }
    gains_free(&g);
    return rc;
}

int iv_conservative_prior(double *alpha, int64_t N, int64_t n, bool limited, iv_err *err)
{
    gains g = { 0 };

    if (limited && n >= 1 && n <= N) {
        const int64_t unsampled = N - n < 200 ? N - n : 200;
        n = n < 1000 - unsampled ? n : 1000 - unsampled;
        N = N < 1000 ? N : 1000;
    }
    int rc = check(N, n, err);
    if (rc < 0)
        return rc;
    rc = gains_init(&g, N, n, err);
    if (rc == IV_OK)
        rc = iv_find_minimum(alpha, NULL, loss_at, &g, 0.1, 1.0, err);
    if (g.rc == IV_ENOMEM)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    gains_free(&g);
    return rc;
}
