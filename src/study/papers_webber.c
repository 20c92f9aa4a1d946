/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Webber (2013), Approximate recall confidence intervals: sections 2.4 to 2.7,
 * tables VI to VIII (means), IX and X.
 *
 * Tables IX and X are means over 1,000 populations with 1,000 samples each.
 * Ours are made in batches, whose spread gives the standard error; theirs is
 * that of 1,000 populations.  The error of a coverage seen in S samples holds
 * c(1-c)/S of the sampling itself: ours is brought to their 1,000.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/num.h"
#include "study/recall_study.h"
#include "study/papers_study.h"
#include "study/prf_study.h"
#include "stat/recall/recall_yield.h"

/* ----------------------------------------------------- figures of section 2 -- */

/* Coverage of a binomial share by intervals [lower, upper] for k of n, averaged
 * over a uniform share: the integral of C(n,k) p^k q^(n-k) is a beta cdf. */
static double mean_coverage(int64_t n, void (*limits)(double *, double *, double, double))
{
    double sum = 0.0;

    for (int64_t k = 0; k <= n; k++) {
        const double a = (double)k + 1.0, b = (double)(n - k) + 1.0;
        double lower, upper;
        limits(&lower, &upper, (double)k, (double)n);
        sum += iv_beta_cdf(fmin(upper, 1.0), a, b) - iv_beta_cdf(fmax(lower, 0.0), a, b);
    }
    return sum / ((double)n + 1.0);
}

static void clopper_pearson(double *lower, double *upper, double k, double n)
{
    *lower = k == 0.0 ? 0.0 : iv_beta_quantile(0.025, k, n - k + 1.0);
    *upper = k == n ? 1.0 : iv_beta_quantile(0.975, k + 1.0, n - k);
}

static void wald(double *lower, double *upper, double k, double n)
{
    const double p = k / n, half = iv_norm_quantile(0.975) * sqrt(p * (1.0 - p) / n);

    *lower = p - half;
    *upper = p + half;
}

static void wilson(double *lower, double *upper, double k, double n)
{
    iv_wilson(lower, upper, k, n, 0.95);
}

static void jeffreys(double *lower, double *upper, double k, double n)
{
    *lower = k == 0.0 ? 0.0 : iv_beta_quantile(0.025, k + 0.5, n - k + 0.5);
    *upper = k == n ? 1.0 : iv_beta_quantile(0.975, k + 0.5, n - k + 0.5);
}

static void numbers(iv_papers *p)
{
    const iv_paper_table t = IV_WEBBER_NUMBERS;

    iv_papers_add(p, (iv_published){ .table = t, .published = 0.31, .rounding = 0.005,
        .ours = iv_recall_estimate_mean(2000, 1000, 100, 100000, 3000, 100) },
        "table III: mean of the estimate where recall is .25");
    iv_papers_add(p, (iv_published){ .table = t, .published = 0.977, .rounding = 0.0005,
        .ours = mean_coverage(20, clopper_pearson) }, "n = 20: coverage of Clopper-Pearson");
    iv_papers_add(p, (iv_published){ .table = t, .published = 0.851, .rounding = 0.0005,
        .ours = mean_coverage(20, wald),
        .reason = "the mean over all shares is .846; over 1/200, 2/200, ... it is .851: the "
                  "ends, where coverage falls to 0, weigh less" }, "n = 20: coverage of Wald");
    iv_papers_add(p, (iv_published){ .table = t, .published = 0.953, .rounding = 0.0005,
        .ours = mean_coverage(20, wilson) }, "n = 20: coverage of Wilson");
    iv_papers_add(p, (iv_published){ .table = t, .published = 0.951, .rounding = 0.0005,
        .ours = mean_coverage(20, jeffreys) }, "n = 20: coverage of Jeffreys");
}

/* ------------------------------------------------- means of the scenarios -- */

enum { VARIABLES = 6, SCENARIOS = 3 };

static const char *const variables[VARIABLES] = { "N / 1000", "prevalence", "recall", "precision",
                                                  "n1", "n0" };
static const double printed_means[SCENARIOS][VARIABLES] = {
    { 495, 0.287, 0.55, 0.64, 890, 1150 },
    { 1075, 0.031, 0.33, 0.48, 820, 3170 },
    { 3.9, 0.085, 0.55, 0.51, 160, 600 },
};
static const double mean_digits[SCENARIOS][VARIABLES] = {
    { 0.5, 0.0005, 0.005, 0.005, 5, 5 },
    { 0.5, 0.0005, 0.005, 0.005, 5, 5 },
    { 0.05, 0.0005, 0.005, 0.005, 5, 50 },
};

static const char *reason_of_mean(int scenario, int variable)
{
    if (scenario == 1 && variable == 0)
        return "misprint: a digit is missing, the printed range has this mean";
    if (scenario == 1 && variable == 5)
        return "the printed distribution, 100 x 2^Unif(0, 7), has mean 2,617";
    return NULL;
}

static int scenario_means(iv_papers *p, const iv_papers_options *o, int scenario, iv_err *err)
{
    const size_t count = o->quick ? 20000 : 200000;
    const uint64_t seed = iv_work_seed(iv_papers_work(p));
    double sum[VARIABLES] = { 0.0 }, squares[VARIABLES] = { 0.0 };

    for (size_t i = 0; i < count; i++) {
        if (i % 4096 == 0)
            IV_TRY(iv_check_work(iv_papers_work(p), 0.0, err));
        const iv_recall_population x =
            iv_recall_realisation((iv_recall_scenario)scenario, seed, i);
        const double N = (double)(x.N1 + x.N0), R = (double)(x.R1 + x.R0);
        const double value[VARIABLES] = { N / 1000.0, R / N, (double)x.R1 / R,
                                          (double)x.R1 / (double)x.N1, (double)x.n1,
                                          (double)x.n0 };
        for (int v = 0; v < VARIABLES; v++) {
            sum[v] += value[v];
            squares[v] += value[v] * value[v];
        }
    }
    for (int v = 0; v < VARIABLES; v++) {
        const double n = (double)count, mean = sum[v] / n;
        const double variance = fmax(0.0, squares[v] / n - mean * mean);
        iv_papers_add(p, (iv_published){ .table = IV_WEBBER_SCENARIOS,
            .published = printed_means[scenario][v], .rounding = mean_digits[scenario][v],
            .published_se = sqrt(variance / 1000.0), .ours = mean,
            .our_se = sqrt(variance / n), .reason = reason_of_mean(scenario, v) },
            "%s: mean %s", iv_recall_scenario_names()[scenario], variables[v]);
    }
    return IV_OK;
}

/* --------------------------------------------------------- tables IX and X -- */

enum { METHODS = 9 };

static const iv_recall_method methods[METHODS] = {
    IV_RECALL_NAIVE, IV_RECALL_NORMAL, IV_RECALL_LAPLACE, IV_RECALL_AGRESTI_COULL,
    IV_RECALL_KOOPMAN, IV_RECALL_JEFFREYS, IV_RECALL_BETABIN_UNIFORM, IV_RECALL_BETABIN_MCP,
    IV_RECALL_BETABIN_HALF };

static const struct {
    double width[SCENARIOS], coverage[SCENARIOS];
    double rmse[SCENARIOS + 1]; /* and their mean */
} printed[METHODS] = {
    { { .14, .13, .23 }, { .77, .70, .90 }, { .348, .395, .168, .303 } },
    { { .18, .23, .21 }, { .87, .86, .89 }, { .201, .197, .149, .182 } },
    { { .21, .27, .22 }, { .93, .90, .94 }, { .056, .092, .031, .060 } },
    { { .20, .24, .21 }, { .91, .83, .90 }, { .105, .193, .093, .130 } },
    { { .21, .27, .24 }, { .96, .95, .97 }, { .016, .010, .025, .017 } },
    { { .21, .28, .19 }, { .94, .95, .92 }, { .029, .014, .043, .029 } },
    { { .21, .26, .21 }, { .95, .95, .95 }, { .016, .013, .012, .014 } },
    { { .21, .28, .21 }, { .95, .95, .95 }, { .019, .015, .014, .016 } },
    { { .21, .28, .21 }, { .95, .95, .95 }, { .013, .014, .012, .013 } },
};

#define NOMINAL 0.95
#define THEIR_SAMPLES 1000.0
#define THEIR_REALISATIONS 1000.0

/* A mean over batches, from sums. */
typedef struct batched {
    double sum, squares;
} batched;

static void batched_add(batched *b, double x)
{
    b->sum += x;
    b->squares += x * x;
}

static double batched_se(const batched *b, double batches)
{
    const double mean = b->sum / batches;

    return sqrt(fmax(0.0, b->squares / batches - mean * mean) / (batches - 1.0));
}

/* What the batches say of one method: width, coverage, squared error. */
typedef struct outcome {
    batched width, coverage, error;
} outcome;

/* The squared error of coverage, had there been 1,000 samples. */
static double error_of(const iv_recall_coverage *c, double samples)
{
    const double mse = c->rmse * c->rmse;
    const double squares = mse + 2.0 * NOMINAL * c->coverage - NOMINAL * NOMINAL;
    const double noise = fmax(0.0, c->coverage - squares) / (samples - 1.0) * samples;

    return mse - noise / samples + noise / THEIR_SAMPLES;
}

typedef struct sizes {
    size_t batches, batch, samples;
} sizes;

/* Batches of a scenario; work is its share. */
static int run_scenario(outcome *out, int scenario, sizes size, const iv_work *work, iv_err *err)
{
    iv_recall_population *population = malloc(size.batch * sizeof *population);
    int rc = population == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t b = 0; b < size.batches && rc == IV_OK; b++) {
        const iv_recall_study_options o = { size.samples, NOMINAL };
        iv_recall_coverage rows[IV_RECALL_ALL];
        iv_stage stage;
        (void)iv_work_part(&stage, work, (double)b / (double)size.batches,
                           (double)(b + 1) / (double)size.batches);
        stage.work.seed = iv_work_seed(work) + b;
        for (size_t i = 0; i < size.batch; i++)
            population[i] = iv_recall_realisation((iv_recall_scenario)scenario,
                                                  iv_work_seed(work), b * size.batch + i);
        rc = iv_recall_study(rows, population, size.batch, &o, &stage.work, err);
        for (int m = 0; m < METHODS && rc == IV_OK; m++) {
            const iv_recall_coverage *c = &rows[methods[m]];
            batched_add(&out[m].width, c->width);
            batched_add(&out[m].coverage, c->coverage);
            batched_add(&out[m].error, error_of(c, (double)size.samples));
        }
    }
    free(population);
    return rc;
}

/* Theirs is a mean over 1,000 realisations: its error follows from ours. */
static double their_se(double our_se, sizes s)
{
    return our_se * sqrt((double)(s.batches * s.batch) / THEIR_REALISATIONS);
}

static void add_widths(iv_papers *p, const outcome *x, int m, int scenario, sizes s)
{
    const double n = (double)s.batches;
    const double width_se = batched_se(&x->width, n), coverage_se = batched_se(&x->coverage, n);
    const char *method = iv_recall_method_names()[methods[m]];
    const char *name = iv_recall_scenario_names()[scenario];

    iv_papers_add(p, (iv_published){ .table = IV_WEBBER_IX,
        .published = printed[m].width[scenario], .rounding = 0.005,
        .published_se = their_se(width_se, s), .ours = x->width.sum / n, .our_se = width_se,
        .reason = scenario == IV_SCENARIO_LEGAL ? "ours are narrower in every set of realisations "
                  "of this scenario; the cause is not known" : NULL },
        "%s, %s: width", name, method);
    iv_papers_add(p, (iv_published){ .table = IV_WEBBER_IX,
        .published = printed[m].coverage[scenario], .rounding = 0.005,
        .published_se = their_se(coverage_se, s), .ours = x->coverage.sum / n,
        .our_se = coverage_se }, "%s, %s: coverage", name, method);
}

static void add_errors(iv_papers *p, outcome x[SCENARIOS][METHODS], sizes s)
{
    const double n = (double)s.batches;

    for (int m = 0; m < METHODS; m++) {
        double sum = 0.0, variance = 0.0;
        for (int k = 0; k < SCENARIOS; k++) {
            const double rmse = sqrt(fmax(0.0, x[k][m].error.sum / n));
            const double se = batched_se(&x[k][m].error, n) / fmax(2.0 * rmse, 1e-9);
            iv_papers_add(p, (iv_published){ .table = IV_WEBBER_X,
                .published = printed[m].rmse[k], .rounding = 0.0005,
                .published_se = their_se(se, s), .ours = rmse, .our_se = se },
                "%s, %s", iv_recall_scenario_names()[k], iv_recall_method_names()[methods[m]]);
            sum += rmse / SCENARIOS;
            variance += se * se / (SCENARIOS * SCENARIOS);
        }
        iv_papers_add(p, (iv_published){ .table = IV_WEBBER_X,
            .published = printed[m].rmse[SCENARIOS], .rounding = 0.0005,
            .published_se = their_se(sqrt(variance), s), .ours = sum,
            .our_se = sqrt(variance) }, "mean, %s", iv_recall_method_names()[methods[m]]);
    }
}

static int coverages(iv_papers *p, const iv_papers_options *o, iv_err *err)
{
    const sizes s = o->quick ? (sizes){ 20, 5, 60 } : (sizes){ 40, 10, 500 };
    outcome found[SCENARIOS][METHODS];
    int rc = IV_OK;

    memset(found, 0, sizeof found);
    for (int k = 0; k < SCENARIOS && rc == IV_OK; k++) {
        iv_stage stage;
        rc = run_scenario(found[k], k, s, iv_work_part(&stage, iv_papers_work(p),
                                                       (double)k / SCENARIOS,
                                                       (double)(k + 1) / SCENARIOS), err);
    }
    if (rc != IV_OK)
        return rc;
    for (int m = 0; m < METHODS && o->wanted[IV_WEBBER_IX]; m++)
        for (int k = 0; k < SCENARIOS; k++)
            add_widths(p, &found[k][m], m, k, s);
    if (o->wanted[IV_WEBBER_X])
        add_errors(p, found, s);
    return IV_OK;
}

int iv_papers_webber(iv_papers *p, const iv_papers_options *o, iv_err *err)
{
    if (o->wanted[IV_WEBBER_NUMBERS])
        numbers(p);
    for (int k = 0; k < SCENARIOS && o->wanted[IV_WEBBER_SCENARIOS]; k++)
        IV_TRY(scenario_means(p, o, k, err));
    return o->wanted[IV_WEBBER_IX] || o->wanted[IV_WEBBER_X] ? coverages(p, o, err) : IV_OK;
}
