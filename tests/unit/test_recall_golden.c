/* SPDX-License-Identifier: Apache-2.0 */
/* Every reference value of tests/oracle/recall_golden.tsv. */
#include "test_recall.h"
#include "num/dist.h"
#include "stat/recall/recall_limits.h"
#include "stat/recall/recall_methods.h"

typedef struct entry {
    char id[32], quantity[64];
    double tolerance, expected[2], got[2];
    size_t values;
    iv_stratum retrieved[16], unretrieved[16];
    iv_segments s;
    char inputs[1024];
} entry;

static bool input(double *out, const entry *e, const char *key)
{
    char wanted[32];
    const char *at = e->inputs;

    (void)snprintf(wanted, sizeof wanted, "%s=", key);
    while (at != NULL && strncmp(at, wanted, strlen(wanted)) != 0) {
        at = strchr(at, ' ');
        at = at == NULL ? NULL : at + 1;
    }
    if (at != NULL)
        *out = strtod(at + strlen(wanted), NULL);
    return at != NULL;
}

static int64_t count(const entry *e, const char *key)
{
    double v = -1.0;

    assert_true(input(&v, e, key));
    return (int64_t)v;
}

static size_t read_strata(iv_stratum *out, const entry *e, const char *key)
{
    char wanted[32];
    size_t n = 0;

    (void)snprintf(wanted, sizeof wanted, " %s=", key);
    const char *at = strstr(e->inputs, wanted);
    if (strncmp(e->inputs, wanted + 1, strlen(wanted) - 1) == 0)
        at = e->inputs + strlen(wanted) - 1;
    else if (at != NULL)
        at += strlen(wanted);
    else
        return 0;
    for (; n < 16; at++) {
        long long N, m, r;
        int used = 0;
        if (sscanf(at, "%lld:%lld:%lld%n", &N, &m, &r, &used) != 3)
            break;
        out[n++] = (iv_stratum){ N, m, r };
        at += used;
        if (*at != ';')
            break;
    }
    return n;
}

static bool read_entry(entry *e, char *line)
{
    char *field[5], *at = line;

    *e = (entry){ .values = 1 };
    for (int i = 0; i < 5; i++) {
        field[i] = at;
        char *tab = strchr(at, i < 4 ? '\t' : '\n');
        if (tab == NULL)
            return false;
        *tab = '\0';
        at = tab + 1;
    }
    (void)snprintf(e->id, sizeof e->id, "%.31s", field[0]);
    (void)snprintf(e->quantity, sizeof e->quantity, "%.63s", field[1]);
    (void)snprintf(e->inputs, sizeof e->inputs, "%.1023s", field[4]);
    e->tolerance = strtod(field[2], NULL);
    e->expected[0] = strtod(field[3], &at);
    if (*at == ',') {
        e->expected[1] = strtod(at + 1, NULL);
        e->values = 2;
    }
    e->s = (iv_segments){ e->retrieved, e->unretrieved, 1, 1 };
    double ignored;
    if (input(&ignored, e, "r1")) {
        e->retrieved[0] = (iv_stratum){ count(e, "N1"), count(e, "n1"), count(e, "r1") };
        e->unretrieved[0] = (iv_stratum){ count(e, "N0"), count(e, "n0"), count(e, "r0") };
    } else {
        e->s.retrieved_count = read_strata(e->retrieved, e, "retrieved");
        e->s.unretrieved_count = read_strata(e->unretrieved, e, "unretrieved");
    }
    return true;
}

/* --------------------------------------------------------- quantities -- */

static const struct named {
    const char *quantity;
    iv_recall_method method;
} named[] = {
    { "normal_mle_95", IV_RECALL_NORMAL },
    { "normal_uncorrected_95", IV_RECALL_NORMAL_UNCORRECTED },
    { "laplace_95", IV_RECALL_LAPLACE },
    { "agresti_95", IV_RECALL_AGRESTI_COULL },
    { "naive_binomial_95", IV_RECALL_NAIVE },
    { "koopman_recall_95", IV_RECALL_KOOPMAN },
    { "beta_jeffreys_95_exact", IV_RECALL_JEFFREYS },
    { "bb_half_95_exact", IV_RECALL_BETABIN_HALF },
    { "bb_uniform_95_exact", IV_RECALL_BETABIN_UNIFORM },
    { "bb_mcp_95_exact", IV_RECALL_BETABIN_MCP },
    { "strat_normal_mle_95", IV_RECALL_NORMAL },
    { "strat_laplace_95", IV_RECALL_LAPLACE },
    { "strat_bb_half_95_exact", IV_RECALL_BETABIN_HALF },
    { "strat_bb_uniform_95_exact", IV_RECALL_BETABIN_UNIFORM },
};

static bool an_interval(entry *e)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(named[i].quantity, e->quantity) == 0) {
            const iv_limits got = interval_of(&e->s, named[i].method);
            e->got[0] = got.lower;
            e->got[1] = got.upper;
            return true;
        }
    }
    return false;
}

static void posterior_cdf(entry *e)
{
    const iv_recall_options o = { .method = strstr(e->quantity, "half") != NULL
                                                ? IV_RECALL_BETABIN_HALF
                                                : IV_RECALL_BETABIN_UNIFORM };
    iv_recall_posterior *p = NULL;
    double x = -1.0;

    assert_int_equal(iv_recall_posterior_new(&p, NULL), IV_OK);
    assert_int_equal(iv_recall_posterior_set(p, &e->s, &o, NULL), IV_OK);
    assert_true(input(&x, e, "x"));
    e->got[0] = iv_recall_cdf(p, IV_RECALL_RECALL, 1.0, x);
    iv_recall_posterior_free(p);
}

static void koopman(entry *e)
{
    const int64_t x = count(e, "x"), m = count(e, "m"), y = count(e, "y"), n = count(e, "n");
    iv_limits got;
    double theta;

    if (input(&theta, e, "theta")) {
        e->got[0] = iv_koopman_statistic(x, m, y, n, theta);
        return;
    }
    assert_int_equal(iv_koopman_ratio(&got, x, m, y, n, 0.95, NULL), IV_OK);
    e->got[0] = got.lower;
    e->got[1] = isinf(got.upper) ? 1e308 : got.upper;
}

static void conservative(entry *e)
{
    double limited = 0.0;

    (void)input(&limited, e, "limited");
    assert_int_equal(iv_conservative_prior(&e->got[0], count(e, "N"), count(e, "n"),
                                           limited > 0.0, NULL), IV_OK);
}

/*
 * Mean coverage over a uniform share of the binomial intervals that the
 * methods build on: the mass of Beta(r+1, n-r+1) in each interval, averaged.
 */
static void binomial_coverage(entry *e)
{
    const double n = (double)count(e, "n"), z = iv_norm_isf(0.025);
    double sum = 0.0;

    for (double r = 0.0; r <= n; r += 1.0) {
        double low, high;
        if (strstr(e->quantity, "wilson") != NULL) {
            const double p = r / n, middle = p + z * z / (2.0 * n);
            const double half = z * sqrt((p * (1.0 - p) + z * z / (4.0 * n)) / n);
            low = (middle - half) / (1.0 + z * z / n);
            high = (middle + half) / (1.0 + z * z / n);
        } else if (strstr(e->quantity, "jeffreys") != NULL) {
            low = r == 0.0 ? 0.0 : iv_beta_quantile(0.025, r + 0.5, n - r + 0.5);
            high = r == n ? 1.0 : iv_beta_isf(0.025, r + 0.5, n - r + 0.5);
        } else {
            low = r == 0.0 ? 0.0 : iv_beta_quantile(0.025, r, n - r + 1.0);
            high = r == n ? 1.0 : iv_beta_isf(0.025, r + 1.0, n - r);
        }
        sum += iv_beta_cdf(fmin(high, 1.0), r + 1.0, n - r + 1.0)
               - iv_beta_cdf(fmax(low, 0.0), r + 1.0, n - r + 1.0);
    }
    e->got[0] = sum / (n + 1.0);
}

/* Coverage and width over every outcome of sampling. */
static void exact_coverage(entry *e)
{
    const int64_t N1 = count(e, "N1"), R1 = count(e, "R1"), n1 = count(e, "n1");
    const int64_t N0 = count(e, "N0"), R0 = count(e, "R0"), n0 = count(e, "n0");
    const double truth = (double)R1 / (double)(R1 + R0);
    const iv_recall_method method = strstr(e->quantity, "mle") != NULL ? IV_RECALL_NORMAL
        : strstr(e->quantity, "agresti") != NULL ? IV_RECALL_AGRESTI_COULL
        : strstr(e->quantity, "naive") != NULL ? IV_RECALL_NAIVE : IV_RECALL_BETABIN_UNIFORM;

    for (int64_t r1 = 0; r1 <= n1; r1++) {
        for (int64_t r0 = 0; r0 <= n0; r0++) {
            const double mass = exp(iv_hyper_log_pmf(r1, N1, R1, n1)
                                    + iv_hyper_log_pmf(r0, N0, R0, n0));
            if (mass < 1e-14)
                continue;
            e->retrieved[0] = (iv_stratum){ N1, n1, r1 };
            e->unretrieved[0] = (iv_stratum){ N0, n0, r0 };
            e->s = two_segments(e->retrieved, e->unretrieved);
            const iv_limits got = interval_of(&e->s, method);
            e->got[0] += mass * (got.lower <= truth && truth <= got.upper);
            e->got[1] += mass * (got.upper - got.lower);
        }
    }
}

static bool compute(entry *e)
{
    if (an_interval(e))
        return true;
    if (strstr(e->quantity, "recall_cdf") != NULL)
        posterior_cdf(e);
    else if (strncmp(e->quantity, "koopman", 7) == 0)
        koopman(e);
    else if (strncmp(e->quantity, "mcp", 3) == 0)
        conservative(e);
    else if (strncmp(e->quantity, "mean_binomial", 13) == 0)
        binomial_coverage(e);
    else if (strncmp(e->quantity, "exact_coverage", 14) == 0)
        exact_coverage(e);
    else if (strcmp(e->quantity, "tableIII_estimator_mean") == 0)
        e->got[0] = iv_recall_estimate_mean(count(e, "N1"), count(e, "R1"), count(e, "n1"),
                                            count(e, "N0"), count(e, "R0"), count(e, "n0"));
    else if (strcmp(e->quantity, "point_recall") == 0
             || strcmp(e->quantity, "strat_point") == 0)
        e->got[0] = iv_recall_estimate(&e->s);
    else
        return false;
    return true;
}

static void every_reference_value_holds(void **state)
{
    (void)state;
    FILE *f = fopen(TESTS_DIR "/oracle/recall_golden.tsv", "r");
    char line[2048];
    size_t entries = 0, bad = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        entry e;
        if (line[0] == '#')
            continue;
        assert_true(read_entry(&e, line));
        if (!compute(&e))
            fail_msg("%s: no way to compute %s", e.id, e.quantity);
        entries++;
        for (size_t i = 0; i < e.values; i++) {
            if (fabs(e.got[i] - e.expected[i]) <= e.tolerance)
                continue;
            print_error("%s %s: %.15g, expected %.15g within %g\n", e.id, e.quantity,
                        e.got[i], e.expected[i], e.tolerance);
            bad++;
        }
    }
    (void)fclose(f);
    assert_int_equal(entries, 88);
    assert_int_equal(bad, 0);
}

int test_recall_golden(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_reference_value_holds) };

    return cmocka_run_group_tests_name("recall: reference values", tests, NULL, NULL);
}
