/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recall from sampled segments: the data, the methods and their priors, the intervals without
 * a posterior, and elusion.
 */
#include "base/arguments.h"
#include "base/err.h"
#include "intervale/stat/incomplete_judgments.h"
#include "num/dist.h"
#include "num/pmf.h"
#include "num/solve.h"
#include "stat/interval_methods.h"
#include "stat/recall/recall_limits.h"
#include "stat/recall/recall_methods.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Segments and strata: what they must be, and the plain estimates from them. */

int64_t iv_strata_relevant(const iv_stratum *strata, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += strata[i].relevant;
    return sum;
}

int64_t iv_strata_sampled(const iv_stratum *strata, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += strata[i].sampled;
    return sum;
}

int64_t iv_strata_size(const iv_stratum *strata, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += strata[i].size;
    return sum;
}

static int check_stratum(const iv_stratum *s, const char *segment, size_t i, size_t count,
                         iv_err *err)
{
    char where[64];

    if (count == 1)
        (void)snprintf(where, sizeof where, "%s segment", segment);
    else
        (void)snprintf(where, sizeof where, "%s segment, stratum %zu", segment, i + 1);
    if (s->size < 0 || s->sampled < 0 || s->relevant < 0)
        return iv_fail(err, IV_EARG, "%s: N = %lld, n = %lld, r = %lld, and one is negative",
                       where, (long long)s->size, (long long)s->sampled,
                       (long long)s->relevant);
    if (s->size > IV_STRATUM_MAX)
        return iv_fail(err, IV_EARG, "%s: N = %lld, expected at most 2^40", where,
                       (long long)s->size);
    if (s->sampled > s->size)
        return iv_fail(err, IV_EARG, "%s: the sample size n = %lld is larger than the population "
                                     "N = %lld", where,
                       (long long)s->sampled, (long long)s->size);
    if (s->relevant > s->sampled)
        return iv_fail(err, IV_EARG, "%s: r = %lld relevant of n = %lld sampled", where,
                       (long long)s->relevant, (long long)s->sampled);
    return IV_OK;
}

static int check_segment(const iv_stratum *strata, size_t count, const char *name,
                         int64_t *population, iv_err *err)
{
    int64_t size = 0;

    for (size_t i = 0; i < count; i++) {
        IV_TRY(check_stratum(&strata[i], name, i, count, err));
        size += strata[i].size;
        *population += strata[i].size;
        if (*population > IV_STRATUM_MAX)
            return iv_fail(err, IV_EARG, "a population of %lld documents, expected at most 2^40 "
                           "(%lld)", (long long)*population, (long long)IV_STRATUM_MAX);
    }
    if (size == 0)
        return iv_fail(err, IV_EARG, "the %s segment is empty", name);
    return IV_OK;
}

int iv_segments_check(const iv_segments *s, iv_err *err)
{
    IV_TRY(iv_check_given(s, "the segments", err));
    IV_TRY(iv_check_list(s->retrieved, s->retrieved_count, "stratum", err));
    IV_TRY(iv_check_list(s->unretrieved, s->unretrieved_count, "stratum", err));
    int64_t population = 0;

    IV_TRY(check_segment(s->retrieved, s->retrieved_count, "retrieved", &population, err));
    return check_segment(s->unretrieved, s->unretrieved_count, "unretrieved", &population, err);
}

double iv_beta2(double beta) { return beta == 0.0 ? 1.0 : beta * beta; }

/* NaN: nothing of it was sampled. */
static double plain_yield(const iv_stratum *strata, size_t count)
{
    double sum = 0.0;
    bool sampled = false;

    for (size_t i = 0; i < count; i++) {
        if (strata[i].sampled == 0)
            continue;
        sampled = true;
        sum += (double)strata[i].size * (double)strata[i].relevant / (double)strata[i].sampled;
    }
    return sampled ? sum : NAN;
}

double iv_recall_value(iv_recall_quantity quantity, double beta2, double N1, double N0, double R1,
                       double R0)
{
    switch (quantity) {
    case IV_RECALL_RECALL: return R1 + R0 > 0.0 ? R1 / (R1 + R0) : 0.0;
    case IV_RECALL_PRECISION: return R1 / N1;
    case IV_RECALL_F: return (1.0 + beta2) * R1 / (beta2 * (R1 + R0) + N1);
    case IV_RECALL_YIELD: return R1 + R0;
    case IV_RECALL_ELUSION: return R0 / N0;
    }
    return NAN;
}

double iv_recall_plain(const iv_segments *s, iv_recall_quantity quantity, double beta)
{
    const double R1 = plain_yield(s->retrieved, s->retrieved_count);
    const double R0 = plain_yield(s->unretrieved, s->unretrieved_count);
    const double N1 = (double)iv_strata_size(s->retrieved, s->retrieved_count);
    const double N0 = (double)iv_strata_size(s->unretrieved, s->unretrieved_count);

    if (quantity == IV_RECALL_RECALL && !(R1 + R0 > 0.0))
        return NAN;
    return iv_recall_value(quantity, iv_beta2(beta), N1, N0, R1, R0);
}

static bool is_whole(const iv_stratum *strata, size_t count)
{
    return iv_strata_sampled(strata, count) == iv_strata_size(strata, count);
}

bool iv_recall_unfound(iv_limits *out, const iv_segments *s)
{
    if (iv_strata_relevant(s->retrieved, s->retrieved_count)
        + iv_strata_relevant(s->unretrieved, s->unretrieved_count) > 0)
        return false;
    const bool one = is_whole(s->unretrieved, s->unretrieved_count);
    const bool zero = is_whole(s->retrieved, s->retrieved_count);
    *out = (iv_limits){ one && !zero ? 1.0 : 0.0, zero && !one ? 0.0 : 1.0 };
    return true;
}

double iv_recall_estimate(const iv_segments *s)
{
    return iv_recall_plain(s, IV_RECALL_RECALL, 1.0);
}

double iv_recall_estimate_mean(int64_t N1, int64_t R1, int64_t n1, int64_t N0, int64_t R0,
                               int64_t n0)
{
    iv_pmf p1 = { 0 }, p0 = { 0 };
    double sum = 0.0, mass = 0.0;
    int rc = iv_pmf_hyper(&p1, N1, R1, n1, 1e-17, NULL);

    if (rc == IV_OK)
        rc = iv_pmf_hyper(&p0, N0, R0, n0, 1e-17, NULL);
    for (size_t i = 0; rc == IV_OK && i < p1.count; i++) {
        const double y1 = (double)N1 * (double)(p1.offset + (int64_t)i) / (double)n1;
        for (size_t k = 0; k < p0.count; k++) {
            const double y0 = (double)N0 * (double)(p0.offset + (int64_t)k) / (double)n0;
            if (!(y1 + y0 > 0.0))
                continue;
            sum += p1.p[i] * p0.p[k] * (y1 / (y1 + y0));
            mass += p1.p[i] * p0.p[k];
        }
    }
    iv_pmf_free(&p1);
    iv_pmf_free(&p0);
    return rc == IV_OK && mass > 0.0 ? sum / mass : NAN;
}

/* The methods by name, and the priors each of them gives to a stratum. */

static const char *const names[] = {
    "auto", "naive", "normal", "normal-uncorrected", "laplace", "agresti-coull", "koopman",
    "jeffreys", "betabin-uniform", "betabin-mcp", "betabin-half", "betabin-weighted", "exact",
    "all", NULL
};

const char *const *iv_recall_method_names(void) { return names; }

bool iv_recall_has_posterior(iv_recall_method method)
{
    return method == IV_RECALL_AUTO || (method >= IV_RECALL_JEFFREYS && method != IV_RECALL_EXACT);
}

bool iv_recall_has_prior(iv_recall_method method)
{
    return method == IV_RECALL_AUTO
           || (method >= IV_RECALL_BETABIN_HALF && method <= IV_RECALL_BETABIN_WEIGHTED);
}

int iv_recall_fill(iv_recall_options *out, const iv_recall_options *o, iv_err *err)
{
    iv_recall_options x = o == NULL ? (iv_recall_options){ 0 } : *o;

    if ((int)x.method < 0 || x.method >= IV_RECALL_ALL)
        return iv_fail(err, IV_EARG, "there is no recall method %d", (int)x.method);
    x.method = x.method == IV_RECALL_AUTO ? IV_RECALL_BETABIN_WEIGHTED : x.method;
    IV_TRY(iv_check_confidence(&x.confidence, err));
    if (x.a != 0.0 || x.b != 0.0) {
        if (!iv_recall_has_prior(x.method))
            return iv_fail(err, IV_EARG, "a prior goes with betabin-half or betabin-weighted, not "
                           "with %s", names[x.method]);
    } else if (iv_recall_has_prior(x.method)) {
        x.a = x.b = 0.5;
    }
    if (iv_recall_has_prior(x.method)
        && !(x.a > 0.0 && x.b > 0.0 && x.a <= 1e6 && x.b <= 1e6))
        return iv_fail(err, IV_EARG, "prior %g,%g, expected two numbers above 0, "
                       "at most 1e6", x.a, x.b);
    *out = x;
    return IV_OK;
}

void iv_recall_pool(iv_stratum *out, const iv_stratum *strata, size_t count,
                    iv_recall_method method)
{
    iv_stratum *first = NULL;

    for (size_t i = 0; i < count; i++) {
        out[i] = strata[i];
        if (method != IV_RECALL_BETABIN_WEIGHTED || strata[i].sampled > 0)
            continue;
        if (first == NULL) {
            first = &out[i];
        } else {
            first->size += strata[i].size;
            out[i].size = 0;
        }
    }
}

/* Of a stratum that is neither unsampled nor fully judged, else 0. */
static double weight_of(const iv_stratum *s)
{
    return s->sampled > 0 && s->sampled < s->size ? (double)s->size / (double)s->sampled : 0.0;
}

/* The part of the segment's prior that a stratum has. */
static double share_of(const iv_stratum *s, iv_recall_method method, double weight)
{
    if (method == IV_RECALL_BETABIN_WEIGHTED && weight_of(s) > 0.0)
        return weight_of(s) / weight;
    return 1.0; /* also of what is not sampled: it is one stratum, and nothing else tells */
}

int iv_recall_priors(double *a, double *b, const iv_stratum *strata, size_t count,
                     const iv_recall_options *o, iv_err *err)
{
    double weight = 0.0;
    int rc = IV_OK;

    for (size_t i = 0; i < count; i++)
        weight += weight_of(&strata[i]);
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const double share = share_of(&strata[i], o->method, weight);
        a[i] = share * (o->a > 0.0 ? o->a : 0.5);
        b[i] = share * (o->b > 0.0 ? o->b : 0.5);
        if (o->method == IV_RECALL_BETABIN_UNIFORM)
            a[i] = b[i] = 1.0;
        if (o->method == IV_RECALL_BETABIN_MCP) {
            if (strata[i].sampled == 0 && strata[i].size > 0)
                return iv_fail(err, IV_ENODATA, "betabin-mcp needs a sample of every "
                               "stratum: its prior depends on the sample's size");
            rc = strata[i].size == 0
                     ? IV_OK
                     : iv_conservative_prior(&a[i], strata[i].size, strata[i].sampled,
                                             true, err);
            b[i] = a[i];
        }
    }
    return rc;
}

/*
 * Intervals around an estimate, from the normal distribution.
 *
 *     Var(R) = sum N^2 p (1-p) / n (1 - n/N)                      (eq 24)
 *     Var(Rec) = (Var(R1) R0^2 + Var(R0) R1^2) / (R1 + R0)^4      (eq 23)
 *
 * Laplace and Agresti-Coull put p = (r+c)/(n+2c) and n+2c for n, c = 1 or 2,
 * in the variance of p and in the midpoint; the factor 1 - n/N keeps the true
 * n.  The uncorrected form, of the TREC 2008 reports, adds the variance of R1
 * twice.  The naive one takes recall for the share of a simple sample of the
 * r1 + r0 relevant documents.
 *
 * Ref: Webber (2013), sections 2.10 and 3.1 to 3.3.
 */

static iv_moments yield_moments(const iv_stratum *strata, size_t count, double c)
{
    iv_moments m = { 0.0, 0.0 };

    for (size_t i = 0; i < count; i++) {
        const double N = (double)strata[i].size, n = (double)strata[i].sampled;
        if (N == 0.0)
            continue;
        const double tilde = n + 2.0 * c;
        const double p = ((double)strata[i].relevant + c) / tilde;
        m.mean += N * p;
        m.variance += N * N * (p * (1.0 - p) / tilde) * (1.0 - n / N);
    }
    return m;
}

static double standard_error(iv_moments m1, iv_moments m0, iv_recall_method method)
{
    const double total = m1.mean + m0.mean, square = total * total;
    const double r1 = m1.mean / square, r0 = m0.mean / square;

    if (method == IV_RECALL_NORMAL_UNCORRECTED)
        return sqrt(m1.variance / square + (m1.variance + m0.variance) * r1 * r1);
    return sqrt(m1.variance * r0 * r0 + m0.variance * r1 * r1);
}

static int check_sampled(const iv_stratum *strata, size_t count, const char *segment,
                         iv_recall_method method, iv_err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (strata[i].size > 0 && strata[i].sampled == 0)
            return iv_fail(err, IV_ENODATA, "%s segment: nothing is sampled of stratum %zu, and "
                           "%s has no prior for it", segment, i + 1,
                           iv_recall_method_names()[method]);
    }
    return IV_OK;
}

int iv_recall_by_normal(iv_limits *out, const iv_segments *s,
                        const iv_recall_options *o, iv_err *err)
{
    const int64_t r1 = iv_strata_relevant(s->retrieved, s->retrieved_count);
    const int64_t r0 = iv_strata_relevant(s->unretrieved, s->unretrieved_count);
    const bool adjusted = o->method == IV_RECALL_LAPLACE
                          || o->method == IV_RECALL_AGRESTI_COULL;
    const double c = !adjusted ? 0.0 : o->method == IV_RECALL_LAPLACE ? 1.0 : 2.0;
    const double z = iv_norm_isf((1.0 - o->confidence) / (o->one_sided ? 1.0 : 2.0));

    if (!adjusted) {
        IV_TRY(check_sampled(s->retrieved, s->retrieved_count, "retrieved", o->method, err));
        IV_TRY(check_sampled(s->unretrieved, s->unretrieved_count, "unretrieved", o->method, err));
    }
    if (iv_recall_unfound(out, s)) /* 0/0 for the plain estimate; forced for the adjusted ones */
        return IV_OK;
    const iv_moments m1 = yield_moments(s->retrieved, s->retrieved_count, c);
    const iv_moments m0 = yield_moments(s->unretrieved, s->unretrieved_count, c);
    const double middle = m1.mean / (m1.mean + m0.mean);
    const double se = o->method == IV_RECALL_NAIVE
             ? sqrt(middle * (1.0 - middle) / (double)(r1 + r0))
             : standard_error(m1, m0, o->method);
    out->lower = adjusted && r1 == 0 ? 0.0 : middle - z * se;
    out->upper = adjusted && r0 == 0 ? 1.0 : middle + z * se;
    return IV_OK;
}

/*
 * Koopman's chi-square interval on the ratio of two binomial proportions.
 *
 * For a ratio theta the restricted maximum likelihood estimates of px and
 * py = px / theta are roots of a quadratic; written without the subtraction
 * that makes the printed form 0/0 at x = m.  The limits are where the
 * chi-square statistic at those estimates equals its quantile.
 *
 * Ref: Koopman (1984), Biometrics 40, 513-517, section 2.2.
 */

/* The estimate of px when px = theta py, from x of m and y of n, and 1 - estimate, each to full
 * precision. */
static double estimate(double *rest, double x, double m, double y, double n, double theta)
{
    const double a = m + n, b = theta * (m + y) + x + n, c = theta * (x + y);
    const double d = theta * (m + y) - (x + n);
    const double s = sqrt(d * d + 4.0 * theta * (m - x) * (n - y));
    const double t = 2.0 * a - b;

    /* By whichever of the two forms adds numbers of one sign. */
    *rest = t > 0.0 ? (t + s) / (2.0 * a) : 2.0 * (m - x) * (1.0 - theta) / (t - s);
    return 2.0 * c / (b + s);
}

double iv_koopman_statistic(int64_t x, int64_t m, int64_t y, int64_t n, double theta)
{
    if (x < 0 || y < 0 || m < 1 || n < 1 || x > m || y > n
        || !(theta > 0.0 && theta <= DBL_MAX))
        return NAN;
    const double dx = (double)x, dm = (double)m, dy = (double)y, dn = (double)n;
    if (x == 0 && y == 0)
        return 0.0;
    double qx, qy;
    const double px = estimate(&qx, dx, dm, dy, dn, theta);
    const double py = estimate(&qy, dy, dn, dx, dm, 1.0 / theta);
    if (x == m && y == n && theta == 1.0)
        return 0.0; /* both shares are 1: the estimates are exact */
    const double D = qx > qy ? (dx - dm * px) / qx : -(dy - dn * py) / qy;
    return D * D * (qx / (dm * px) + qy / (dn * py));
}

typedef struct search {
    int64_t x, m, y, n;
    double wanted;
} search;

static double excess(double log_theta, void *user)
{
    const search *s = user;

    return iv_koopman_statistic(s->x, s->m, s->y, s->n, exp(log_theta)) - s->wanted;
}

/* The limit on one side of the estimate, where the statistic is 0 or least. */
static int find_limit(double *theta, search *s, double from, double direction, iv_err *err)
{
    double near = from, step = 0.5;

    for (int i = 0; i < 60; i++) {
        const double far = near + direction * step;
        if (fabs(far) > 700.0)
            break;
        if (excess(far, s) >= 0.0) {
            double root;
            IV_TRY(iv_find_root(&root, excess, s, direction > 0 ? near : far,
                                direction > 0 ? far : near, err));
            *theta = exp(root);
            return IV_OK;
        }
        near = far;
        step *= 1.5;
    }
    *theta = direction > 0.0 ? INFINITY : 0.0;
    return IV_OK;
}

int iv_koopman_ratio(iv_limits *out, int64_t x, int64_t m, int64_t y, int64_t n,
                     double confidence, iv_err *err)
{
    double lower = 0.0, upper = INFINITY;

    if (x < 0 || y < 0 || m < 1 || n < 1 || x > m || y > n)
        return iv_fail(err, IV_EARG, "counts %lld of %lld and %lld of %lld", (long long)x,
                       (long long)m, (long long)y, (long long)n);
    IV_TRY(iv_check_confidence(&confidence, err));
    search s = { x, m, y, n, iv_chisq_isf(1.0 - confidence, 1.0) };
    /* Without an x the statistic falls to 0 as theta falls to 0. */
    const double px = x > 0 ? (double)x / (double)m : 0.5 / (double)m;
    const double py = y > 0 ? (double)y / (double)n : 0.5 / (double)n;
    double from = log(px) - log(py);
    for (int i = 0; i < 200 && excess(from, &s) >= 0.0 && (x == 0) != (y == 0); i++)
        from += x == 0 ? -1.0 : 1.0;
    if (x > 0)
        IV_TRY(find_limit(&lower, &s, from, -1.0, err));
    if (y > 0)
        IV_TRY(find_limit(&upper, &s, from, 1.0, err));
    *out = (iv_limits){ lower, upper };
    return IV_OK;
}

int iv_recall_by_koopman(iv_limits *out, const iv_segments *s,
                         const iv_recall_options *o, iv_err *err)
{
    if (s->retrieved_count != 1 || s->unretrieved_count != 1)
        return iv_fail(err, IV_EARG, "koopman has no stratified form: it needs one simple "
                       "sample of each segment, and there are %zu and %zu strata",
                       s->retrieved_count, s->unretrieved_count);
    const iv_stratum *one = s->retrieved, *zero = s->unretrieved;
    const double odds = (double)zero->size / (double)one->size;
    const double level = o->one_sided ? 2.0 * o->confidence - 1.0 : o->confidence;
    iv_limits theta;

    if (one->sampled == 0 || zero->sampled == 0)
        return iv_fail(err, IV_ENODATA, "koopman needs a sample of each segment");
    if (!(level > 0.0))
        return iv_fail(err, IV_EARG, "a one-sided koopman limit needs a confidence above 0.5");

    IV_TRY(iv_koopman_ratio(&theta, zero->relevant, zero->sampled, one->relevant, one->sampled,
                            level, err));
    /* Recall falls as the ratio rises: the ends change places. */
    out->lower = one->relevant == 0 ? 0.0 : 1.0 / (1.0 + theta.upper * odds);
    out->upper = zero->relevant == 0 ? 1.0 : 1.0 / (1.0 + theta.lower * odds);
    return IV_OK;
}

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
    free(g.entropy);
    iv_pmf_free(&g.pmf);
    return rc;
}
