/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Webber (2013), Approximate recall confidence intervals.
 *
 * Tables IX and X are means over 1,000 populations with 1,000 samples each: the standard error
 * of theirs follows from ours, from one population to the next.  The error of a coverage seen
 * in S samples holds c(1-c)/S of the sampling itself: ours is brought to their 1,000.  Table XII
 * is computed from the strata that the track's overview published; its beta-binomial limits
 * are quantiles of 40,000 draws in the paper.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------ section 2, exactly -- */

/* Coverage averaged over a uniform proportion: the integral of C(n,k) p^k q^(n-k) between
 * limits is a beta distribution function. */
static double mean_coverage(iv_binomial_interval method, double n)
{
    double sum = 0.0;

    for (double k = 0.0; k <= n; k += 1.0) {
        double lower, upper;
        iv_binomial_limits(&lower, &upper, method, k, n, 0.95);
        sum += iv_beta_cdf(fmin(upper, 1.0), k + 1.0, n - k + 1.0)
               - iv_beta_cdf(fmax(lower, 0.0), k + 1.0, n - k + 1.0);
    }
    return sum / (n + 1.0);
}

static void proportions(iv_paper_run *p)
{
    for (int m = 0; m < IV_BINOMIAL_INTERVALS; m++) {
        const char *name = iv_binomial_interval_names()[m];
        if (m != IV_BINOMIAL_AGRESTI_COULL) /* equation 13 has no figure */
            iv_paper_put(p, "Coverage of a proportion", name, "mean, n = 20",
                         mean_coverage((iv_binomial_interval)m, 20.0), 0.0);
        for (int i = 1; i < 400; i++)
            iv_paper_draw(p, "Figures 4 to 7", "n = 20", name, i / 400.0,
                          iv_binomial_coverage((iv_binomial_interval)m, 20, i / 400.0, 0.95));
    }
    iv_paper_figure(p, IV_CHART_CURVES, "Figures 4 to 7", "Coverage of five 95 % intervals of a "
                    "proportion from 20 items, over the true proportion.", "proportion",
                    "coverage");
}

/* Hypergeometric, binomial and normal probabilities of a sample. */
static void figure_1(iv_paper_run *p)
{
    static const int sizes[][2] = { { 50, 20 }, { 5000, 20 }, { 5000, 200 } };

    for (size_t i = 0; i < 3; i++) {
        const char *panel = iv_paper_text(p, "N = %d, n = %d", sizes[i][0], sizes[i][1]);
        const int64_t N = sizes[i][0], n = sizes[i][1], R = 3 * N / 10;
        const double mean = 0.3 * (double)n, sd = sqrt(0.21 * (double)n);
        for (int64_t k = 0; k <= n; k++) {
            const double x = (double)k;
            iv_paper_draw(p, "Figure 1", panel, "hypergeometric", x,
                          exp(iv_hyper_log_pmf(k, N, R, n)));
            iv_paper_draw(p, "Figure 1", panel, "binomial", x,
                          exp(iv_binom_log_pmf(k, n, 0.3)));
            iv_paper_draw(p, "Figure 1", panel, "normal", x,
                          iv_norm_cdf((x + 0.5 - mean) / sd) - iv_norm_cdf((x - 0.5 - mean) / sd));
        }
    }
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 1", "Probability of k relevant documents in a "
                    "sample of n from N, 30 % of them relevant. The sizes are ours: the paper "
                    "prints none.", "k", "probability");
}

/* Table III: the distribution of the estimate, in bins of 0.02, and its bias over n0. */
static void example(iv_paper_run *p)
{
    enum { BINS = 51 };
    static const double shares[] = { 1.0, 1.0 / 3.0, 0.1, 0.1 }; /* the last: of R0 alone */
    double bin[BINS] = { 0.0 }, sum = 0.0, squares = 0.0;

    for (int64_t r1 = 0; r1 <= 100; r1++)
        for (int64_t r0 = 0; r0 <= 100 && r1 + r0 > 0; r0++) {
            const double mass = exp(iv_hyper_log_pmf(r1, 2000, 1000, 100)
                                    + iv_hyper_log_pmf(r0, 100000, 3000, 100));
            const double recall = 20.0 * (double)r1 / (20.0 * (double)r1 + 1000.0 * (double)r0);
            bin[(size_t)(recall * 50.0)] += mass;
            sum += mass * recall;
            squares += mass * recall * recall;
        }
    const double sd = sqrt(squares - sum * sum);
    for (int i = 0; i < BINS; i++) {
        const double x = 0.02 * i;
        iv_paper_draw(p, "Figure 2", "table III", "estimate", x, bin[i]);
        iv_paper_draw(p, "Figure 2", "table III", "normal", x,
                      iv_norm_cdf((x + 0.02 - sum) / sd) - iv_norm_cdf((x - sum) / sd));
    }
    iv_paper_put(p, "Table III", "example", "true recall", 1000.0 / 4000.0, 0.0);
    iv_paper_put(p, "Table III", "example", "mean of the estimate",
                 iv_recall_estimate_mean(2000, 1000, 100, 100000, 3000, 100), 0.0);
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 2", "Sampling distribution of the estimate of "
                    "recall for table III, in steps of 0.02, and the normal distribution of the "
                    "same mean and variance. The true recall is 0.25.", "estimate of recall",
                    "probability");
    for (size_t c = 0; c < 4; c++) {
        const double one = c == 3 ? 1.0 : shares[c];
        const int64_t N1 = (int64_t)(2000.0 * one), R1 = (int64_t)(1000.0 * one);
        const int64_t R0 = (int64_t)(3000.0 * shares[c]);
        const double recall = (double)R1 / (double)(R1 + R0);
        const char *curve = iv_paper_text(p, "yield %d, recall %.2f", (int)R0, recall);
        for (double n0 = 20.0; n0 < 6000.0; n0 *= 1.4)
            iv_paper_draw(p, "Figure 3", "table III", curve, n0,
                          iv_recall_estimate_mean(N1, R1, 100, 100000, R0, (int64_t)n0) - recall);
    }
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 3", "Bias of the estimate of recall over the size "
                    "of the unretrieved sample. The yields are ours: the paper prints none.",
                    "unretrieved documents sampled", "bias");
    p->figure[p->figures - 1].x_axis.log = true;
}

/* --------------------------------------------------------------- scenarios -- */

enum { VARIABLES = 6 };

static const char *const tables[] = { "Table VI", "Table VII", "Table VIII" };
static const char *const variables[VARIABLES] = { "N", "prevalence", "recall", "precision", "n1",
                                                  "n0" };

/* Means of the variables, and the medians of what is sampled in the legal scenario. */
static int scenario_means(iv_paper_run *p, int scenario, iv_err *err)
{
    const size_t count = p->q->quick ? 20000 : 100000;
    const double n = (double)count;
    double sum[VARIABLES] = { 0.0 }, squares[VARIABLES] = { 0.0 };
    double *shares = iv_take(&p->own, 2 * count, sizeof *shares);

    IV_TRY(iv_taken(&p->own, err));
    for (size_t i = 0; i < count; i++) {
        const iv_recall_population x = iv_recall_realisation((iv_recall_scenario)scenario,
                                                             iv_work_seed(p->work), i);
        const double N = (double)(x.N1 + x.N0), R = (double)(x.R1 + x.R0);
        const double value[VARIABLES] = { N, R / N, (double)x.R1 / R, (double)x.R1 / (double)x.N1,
                                          (double)x.n1, (double)x.n0 };
        for (int v = 0; v < VARIABLES; v++) {
            sum[v] += value[v];
            squares[v] += value[v] * value[v];
        }
        shares[i] = 100.0 * (double)x.n1 / (double)x.N1;
        shares[count + i] = 100.0 * (double)x.n0 / (double)x.N0;
    }
    for (int v = 0; v < VARIABLES; v++) {
        const double mean = sum[v] / n, variance = fmax(0.0, squares[v] / n - mean * mean);
        iv_paper_put(p, tables[scenario], variables[v], "mean", mean, sqrt(variance / n));
        iv_paper_their_se(p, tables[scenario], variables[v], "mean", sqrt(variance / 1000.0));
    }
    for (int k = 0; k < 2 && scenario == IV_SCENARIO_LEGAL; k++) {
        qsort(shares + (size_t)k * count, count, sizeof *shares, iv_ascending);
        iv_paper_put(p, "Section 4.1.2", k == 0 ? "retrieved" : "unretrieved", "median % sampled",
                     shares[(size_t)k * count + count / 2], 1e-3);
    }
    return iv_check_work(p->work, 0.02, err);
}

enum { METHODS = 9, SCENARIOS = IV_SCENARIOS };

static const iv_recall_method methods[METHODS] = {
    IV_RECALL_NAIVE, IV_RECALL_NORMAL, IV_RECALL_LAPLACE, IV_RECALL_AGRESTI_COULL,
    IV_RECALL_KOOPMAN, IV_RECALL_JEFFREYS, IV_RECALL_BETABIN_UNIFORM, IV_RECALL_BETABIN_MCP,
    IV_RECALL_BETABIN_HALF };
enum { UNIFORM = 6, HALF = 8 }; /* of them */

/* Populations of a scenario, and samples of each; the paper has 1,000 of both. */
static size_t populations(const iv_paper_run *p) { return p->q->quick ? 30 : 2000; }
static size_t samples_of(const iv_paper_run *p) { return p->q->quick ? 50 : 100; }

/* The root mean square error of coverage, had there been 1,000 samples. */
static double error_of(const iv_recall_coverage *c, double samples)
{
    const double mse = c->rmse * c->rmse;
    const double squares = mse + 2.0 * 0.95 * c->coverage - 0.95 * 0.95;
    const double noise = fmax(0.0, c->coverage - squares) / (samples - 1.0) * samples;

    return sqrt(fmax(0.0, mse - noise / samples + noise / 1000.0));
}

static void draw_quantiles(iv_paper_run *p, const char *figure, const char *panel,
                           const iv_recall_tally *t, size_t count, int m, int what,
                           double *scratch)
{
    const char *name = iv_recall_method_names()[methods[m]];

    for (size_t i = 0; i < count; i++) {
        const iv_recall_tally *x = &t[i * IV_RECALL_ALL + (size_t)methods[m]];
        scratch[i] = what == 0 ? x->covered : what == 1 ? x->below : x->above;
    }
    qsort(scratch, count, sizeof *scratch, iv_ascending);
    for (size_t k = 0; k <= 20; k++)
        iv_paper_draw(p, figure, panel, name, 0.05 * (double)k,
                      scratch[(count - 1) * k / 20]);
}

/* Panels of figures 9 to 12, which have few enough curves to tell apart. */
enum { PANEL_BELOW = IV_SCENARIOS, PANEL_ABOVE };
static const char *const panels[][2] = {
    { "neutral, naive and normal", "neutral, ratio and posterior" },
    { "legal, naive and normal", "legal, ratio and posterior" },
    { "small, naive and normal", "small, ratio and posterior" },
    [PANEL_BELOW] = { "below, naive and normal", "below, ratio and posterior" },
    [PANEL_ABOVE] = { "above, naive and normal", "above, ratio and posterior" } };

/* Figure 13: proportion of populations where a method's coverage is nearest to 0.95; ties are
 * split.  Does the uniform prior have the plurality? */
static void draw_closest(iv_paper_run *p, int scenario, const iv_recall_tally *t, size_t count,
                         double samples)
{
    double share[METHODS] = { 0.0 };

    for (size_t i = 0; i < count; i++) {
        double least = INFINITY, ties = 0.0;
        for (int m = 0; m < METHODS; m++)
            least = fmin(least, fabs(t[i * IV_RECALL_ALL + (size_t)methods[m]].covered - 0.95));
        for (int pass = 0; pass < 2; pass++)
            for (int m = 0; m < METHODS; m++) {
                const double off = fabs(t[i * IV_RECALL_ALL + (size_t)methods[m]].covered - 0.95);
                if (off >= least + 0.5 / samples)
                    continue;
                if (pass == 0)
                    ties += 1.0;
                else
                    share[m] += 1.0 / (ties * (double)count);
            }
    }
    double rank = 1.0;
    for (int m = 0; m < METHODS; m++) {
        iv_paper_draw(p, "Figure 13", iv_recall_scenario_names()[scenario],
                      iv_recall_method_names()[methods[m]], (double)m, share[m]);
        rank += share[m] > share[UNIFORM];
    }
    iv_paper_put(p, "Figure 13", iv_recall_scenario_names()[scenario], "rank of betabin-uniform by "
                 "populations where its coverage is nearest to 0.95", rank, 1e-9);
}

/* Figure 12: how uneven misses below and above are, mean over populations. */
static double imbalance(const iv_recall_tally *t, size_t count, int m)
{
    double sum = 0.0;

    for (size_t i = 0; i < count; i++) {
        const iv_recall_tally *x = &t[i * IV_RECALL_ALL + (size_t)methods[m]];
        sum += fabs(x->below - x->above) / (double)count;
    }
    return sum;
}

/* Section 4.2.4: which methods overstate recall, and which understate it. */
static void put_sides(iv_paper_run *p, const iv_recall_tally *t, size_t count)
{
    static const iv_recall_method of[] = { IV_RECALL_NORMAL, IV_RECALL_LAPLACE,
                                           IV_RECALL_AGRESTI_COULL, IV_RECALL_BETABIN_UNIFORM,
                                           IV_RECALL_BETABIN_MCP };

    for (size_t m = 0; m < sizeof of / sizeof *of; m++) {
        const iv_recall_coverage c = iv_recall_coverage_of(t, count, of[m], 0.95);
        iv_paper_put(p, "Section 4.2", iv_paper_text(p, "neutral, %s",
                                                     iv_recall_method_names()[of[m]]),
                     "truths above the interval less truths below", c.above - c.below, 1e-9);
    }
}

/* Table IX, the rank of betabin-half by balance, and figures 9 to 13; errors for table X. */
static int scenario_coverage(iv_paper_run *p, int scenario, double error[METHODS][2],
                             const iv_work *work, iv_err *err)
{
    const size_t count = populations(p), samples = samples_of(p);
    const double theirs = sqrt((double)count / 1000.0);
    const char *name = iv_recall_scenario_names()[scenario];
    iv_recall_population *x = iv_take(&p->own, count, sizeof *x);
    iv_recall_tally *t = iv_take(&p->own, count * IV_RECALL_ALL, sizeof *t);
    double *scratch = iv_take(&p->own, count, sizeof *scratch), balance[METHODS], rank = 1.0;
    const char *width = iv_paper_text(p, "%s width", name);
    const char *coverage = iv_paper_text(p, "%s coverage", name);

    IV_TRY(iv_taken(&p->own, err));
    for (size_t i = 0; i < count; i++)
        x[i] = iv_recall_realisation((iv_recall_scenario)scenario, iv_work_seed(work), i);
    IV_TRY(iv_recall_tallies(t, x, count, samples, 0.95, false, work, err));
    for (int m = 0; m < METHODS; m++) {
        const char *method = iv_recall_method_names()[methods[m]];
        const iv_recall_coverage c = iv_recall_coverage_of(t, count, methods[m], 0.95);
        iv_paper_put(p, "Table IX", method, width, c.width, c.width_se);
        iv_paper_their_se(p, "Table IX", method, width, theirs * c.width_se);
        iv_paper_put(p, "Table IX", method, coverage, c.coverage, c.coverage_se);
        iv_paper_their_se(p, "Table IX", method, coverage, theirs * c.coverage_se);
        error[m][0] = error_of(&c, (double)samples);
        error[m][1] = fmax(c.rmse_se, 1e-9);
        iv_paper_put(p, "Table X", method, name, error[m][0], error[m][1]);
        iv_paper_their_se(p, "Table X", method, name, theirs * error[m][1]);
        balance[m] = imbalance(t, count, m);
        const int part = methods[m] != IV_RECALL_AGRESTI_COULL && m > 2;
        draw_quantiles(p, "Figures 9 to 11", panels[scenario][part], t, count, m, 0, scratch);
        for (int side = 1; side <= 2 && scenario == IV_SCENARIO_NEUTRAL; side++)
            draw_quantiles(p, "Figure 12", panels[PANEL_BELOW + side - 1][part], t, count, m, side,
                           scratch);
    }
    for (int m = 0; m < METHODS - 1; m++)
        rank += balance[m] < balance[HALF];
    if (scenario == IV_SCENARIO_NEUTRAL)
        put_sides(p, t, count);
    iv_paper_put(p, "Section 4.2", name, "rank of betabin-half by balance, per "
                 "population", rank, 1e-9);
    draw_closest(p, scenario, t, count, (double)samples);
    return IV_OK;
}

static int coverages(iv_paper_run *p, iv_err *err)
{
    double error[SCENARIOS][METHODS][2];
    const size_t count = populations(p);

    for (int k = 0; k < SCENARIOS; k++) {
        iv_stage stage;
        IV_TRY(scenario_coverage(p, k, error[k], iv_work_part(&stage, p->work, 0.1 + 0.25 * k,
                                                              0.35 + 0.25 * k), err));
    }
    double means[METHODS], rank = 1.0;
    for (int m = 0; m < METHODS; m++) {
        const char *method = iv_recall_method_names()[methods[m]];
        double mean = 0.0, variance = 0.0;
        for (int k = 0; k < SCENARIOS; k++) {
            mean += error[k][m][0] / SCENARIOS;
            variance += error[k][m][1] * error[k][m][1] / (SCENARIOS * SCENARIOS);
        }
        means[m] = mean;
        iv_paper_put(p, "Table X", method, "mean", mean, sqrt(variance));
        iv_paper_their_se(p, "Table X", method, "mean",
                          sqrt(variance * (double)count / 1000.0));
    }
    for (int m = 0; m < METHODS; m++)
        rank += means[m] < means[HALF];
    iv_paper_put(p, "Section 4.2", "all scenarios", "rank of betabin-half by RMSE", rank, 1e-9);
    iv_paper_figure(p, IV_CHART_CURVES, "Figures 9 to 11", "Quantiles of the coverage over "
                    "populations of a scenario: a flat line at 0.95 would be perfect.",
                    "quantile of populations", "coverage");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 12", "Quantiles of the proportion of truths below "
                    "and above the interval, neutral scenario. 0.025 on each side is balanced.",
                    "quantile of populations", "proportion of truths");
    iv_paper_figure(p, IV_CHART_BARS, "Figure 13", "Proportion of populations in which a method's "
                    "coverage is nearest to 0.95; ties are split.", "", "proportion");
    return IV_OK;
}

/* ------------------------------------------------------------------ legal -- */

enum { STRATA = 32 };

typedef struct legal_run {
    iv_stratum retrieved[STRATA], unretrieved[STRATA];
    iv_segments of;
    char name[32];
    double width[3]; /* betabin-half, normal, normal-uncorrected */
    double topic;
} legal_run;

/* Strata of which nothing was sampled are left out, as in the paper. */
static void collect(legal_run *s, iv_str run)
{
    const iv_str topic = iv_paper_field(run, 0), name = iv_paper_field(run, 1);
    const size_t place = (size_t)iv_paper_number(run, 2);
    iv_str rest = iv_paper_file("legal2009"), line;
    size_t n1 = 0, n0 = 0;

    *s = (legal_run){ .topic = iv_paper_number(run, 0) };
    (void)snprintf(s->name, sizeof s->name, "%.*s %.*s", (int)topic.len, topic.ptr, (int)name.len,
                   name.ptr);
    while (iv_paper_line(&line, &rest)) {
        const iv_stratum one = { (int64_t)iv_paper_number(line, 2),
                                 (int64_t)iv_paper_number(line, 3),
                                 (int64_t)iv_paper_number(line, 4) };
        if (iv_str_cmp(iv_paper_field(line, 0), topic) != 0 || one.sampled == 0
            || n1 == STRATA || n0 == STRATA)
            continue;
        if (iv_paper_field(line, 1).ptr[place] == 'R')
            s->retrieved[n1++] = one;
        else
            s->unretrieved[n0++] = one;
    }
    s->of = (iv_segments){ s->retrieved, s->unretrieved, n1, n0 };
}

/* Standard error of the quantile of 40,000 draws: sqrt(q (1 - q) / 40000) over the density. */
static double quantile_se(const iv_recall_posterior *w, double q)
{
    const double slope = (iv_recall_quantile(w, IV_RECALL_RECALL, 0.0, q + 0.005)
                          - iv_recall_quantile(w, IV_RECALL_RECALL, 0.0, q - 0.005)) / 0.01;

    return sqrt(q * (1.0 - q) / 40000.0) * slope;
}

static int table_xii_row(iv_paper_run *p, legal_run *s, iv_recall_posterior *w, iv_err *err)
{
    static const iv_recall_method of[] = { IV_RECALL_BETABIN_HALF, IV_RECALL_NORMAL,
                                           IV_RECALL_LAPLACE, IV_RECALL_NORMAL_UNCORRECTED };
    static const char *const columns[][2] = { { "betabin-half lower", "betabin-half upper" },
                                              { "normal lower", "normal upper" },
                                              { "laplace lower", "laplace upper" } };

    iv_paper_put(p, "Table XII", s->name, "recall", iv_recall_estimate(&s->of), 0.0);
    for (int k = 0; k < 4; k++) {
        const iv_recall_options o = { .method = of[k], .confidence = 0.95 };
        iv_limits i;
        IV_TRY(iv_recall_interval_of(&i, &s->of, &o, w, err));
        if (k != 2)
            s->width[k < 2 ? k : 2] = i.upper - i.lower;
        if (k == 3)
            break;
        iv_paper_put(p, "Table XII", s->name, columns[k][0], i.lower, 0.0);
        iv_paper_put(p, "Table XII", s->name, columns[k][1], i.upper, 0.0);
        if (k == 0) {
            iv_paper_their_se(p, "Table XII", s->name, columns[0][0], quantile_se(w, 0.025));
            iv_paper_their_se(p, "Table XII", s->name, columns[0][1], quantile_se(w, 0.975));
        }
    }
    return IV_OK;
}

/* What section 4.4 says of the widths: means over the runs of a topic, and then over topics.
 * Widths are compared with three digits, as printed. */
static void widths(iv_paper_run *p, const legal_run *runs, size_t count)
{
    double difference = 0.0, narrower = 0.0, uncorrected = 0.0, topics = 0.0;

    for (size_t i = 0; i < count; topics += 1.0) {
        double sum = 0.0, wider = 0.0, n = 0.0;
        for (const double topic = runs[i].topic; i < count && runs[i].topic == topic; i++) {
            const double half = runs[i].width[0], normal = runs[i].width[1];
            sum += fabs(normal / half - 1.0);
            wider += round(1000.0 * half) - round(1000.0 * normal);
            uncorrected += runs[i].width[2] < normal;
            n += 1.0;
        }
        difference += 100.0 * sum / n;
        narrower += wider < 0.0;
    }
    iv_paper_put(p, "Section 4.4", "betabin-half and normal",
                 "difference of widths, % of betabin-half, mean over topics",
                 difference / topics, 0.0);
    iv_paper_put(p, "Section 4.4", "betabin-half and normal",
                 "topics where betabin-half is narrower", narrower, 0.0);
    iv_paper_put(p, "Section 4.4", "uncorrected and corrected normal",
                 "runs where uncorrected is narrower", uncorrected, 0.0);
}

/* Figure 8: estimated recall of the runs, sorted, beside the fitted line. */
static void figure_8(iv_paper_run *p, const legal_run *runs, size_t count, double *recall)
{
    for (size_t i = 0; i < count; i++)
        recall[i] = iv_recall_estimate(&runs[i].of);
    qsort(recall, count, sizeof *recall, iv_ascending);
    for (size_t i = 0; i < count; i++) {
        const double x = ((double)i + 0.5) / (double)count;
        iv_paper_draw(p, "Figure 8", "runs", "TREC 2009", x, recall[i]);
        iv_paper_draw(p, "Figure 8", "runs", "fitted", x, 0.0025 * pow(1.0 + 33.0 * x, 1.65));
    }
    iv_paper_figure(p, IV_CHART_POINTS, "Figure 8", "Recall of the 24 runs of TREC 2009, sorted, "
                    "and the distribution of the legal scenario. The paper has the runs of 2008, "
                    "too.", "rank of the run", "recall");
}

static int legal(iv_paper_run *p, iv_err *err)
{
    iv_str rest = iv_paper_file("legal2009_runs"), line;
    legal_run *runs = iv_take(&p->own, STRATA, sizeof *runs);
    double *recall = iv_take(&p->own, STRATA, sizeof *recall);
    iv_recall_posterior *w = NULL;
    size_t count = 0;

    IV_TRY(iv_taken(&p->own, err));
    int rc = iv_recall_posterior_new(&w, err);
    while (rc == IV_OK && count < STRATA && iv_paper_line(&line, &rest)) {
        collect(&runs[count], line);
        rc = table_xii_row(p, &runs[count++], w, err);
    }
    iv_recall_posterior_free(w);
    IV_TRY(rc);
    widths(p, runs, count);
    figure_8(p, runs, count, recall);
    return IV_OK;
}

/* ------------------------------------------------------------------ design -- */

static int expected_width(double *out, int64_t retrieved, iv_recall_guess guess,
                          iv_recall_method method, double n1, double n0, iv_err *err)
{
    const iv_recall_plan plan = { .population = 5000000, .retrieved = retrieved,
                                  .how = { .method = method }, .guesses = &guess,
                                  .guess_count = 1 };
    iv_recall_expected got;

    IV_TRY(iv_recall_expect(&got, &plan, (int64_t)n1, (int64_t)n0, NULL, err));
    *out = got.width;
    return IV_OK;
}

/* Figure 14: width over the allocation of 5,000 judgments; figure 15: over their number. */
static int designs(iv_paper_run *p, iv_err *err)
{
    static const iv_recall_guess guesses[] = { { 0.2, 0.8 }, { 0.2, 0.2 }, { 0.8, 0.8 },
                                               { 0.8, 0.2 } };
    static const int thousands[] = { 500, 50, 5 };
    static const iv_recall_method of[] = { IV_RECALL_BETABIN_HALF, IV_RECALL_NORMAL };
    static const double shares[] = { 0.1, 0.25, 0.5 };
    double width, excess = 0.0;

    for (size_t c = 0; c < 4; c++) {
        double least = INFINITY, fifth;
        const char *curve = iv_paper_text(p, "recall %g, precision %g", guesses[c].recall,
                                          guesses[c].precision);
        for (double n1 = 250.0; n1 < 5000.0; n1 += 750.0) {
            IV_TRY(expected_width(&width, 500000, guesses[c], IV_RECALL_BETABIN_HALF, n1,
                                  5000.0 - n1, err));
            iv_paper_draw(p, "Figure 14", "500,000 of 5,000,000 retrieved", curve, n1, width);
            least = fmin(least, width);
        }
        IV_TRY(expected_width(&fifth, 500000, guesses[c], IV_RECALL_BETABIN_HALF, 1000.0, 4000.0,
                              err));
        excess = fmax(excess, fifth / fmin(least, fifth));
    }
    for (size_t s = 0; s < 6; s++) {
        const int retrieved = 1000 * thousands[s / 2];
        const char *panel = iv_paper_text(p, "%d,000 retrieved", thousands[s / 2]);
        for (double n = 500.0; n < 20000.0; n *= 2.0) {
            double least = INFINITY;
            for (size_t k = 0; k < 3; k++) {
                const double n1 = fmin(n * shares[k], (double)retrieved);
                IV_TRY(expected_width(&width, retrieved, (iv_recall_guess){ 0.5, 0.5 }, of[s % 2],
                                      n1, n - n1, err));
                least = fmin(least, width);
            }
            iv_paper_draw(p, "Figure 15", panel, iv_recall_method_names()[of[s % 2]], n, least);
        }
    }
    iv_paper_put(p, "Figure 14", "20:80 allocation", "largest width over the least", excess, 0.0);
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 14", "Expected width of the 95 % interval over how "
                    "many of 5,000 judgments are of retrieved documents.",
                    "retrieved documents judged", "width");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 15", "Expected width over the number of judgments, "
                    "the best of three allocations; recall and precision 0.5.", "judgments",
                    "width");
    p->figure[p->figures - 1].x_axis.log = true;
    return IV_OK;
}

int iv_paper_webber(iv_paper_run *p, iv_err *err)
{
    figure_1(p);
    example(p);
    proportions(p);
    IV_TRY(legal(p, err));
    if (p->q->exact)
        return IV_OK;
    for (int k = 0; k < SCENARIOS; k++)
        IV_TRY(scenario_means(p, k, err));
    IV_TRY(coverages(p, err));
    return designs(p, err);
}
