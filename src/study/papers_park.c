/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Park (2011): how often intervals on mean average precision miss the mean of the 249 topics
 * of TREC 2004 Robust, over 110 systems and 1,000 samples of each.  The paper prints no
 * standard errors; theirs is that of 110,000 independent samples, the least it can be.
 */
#include "base/err.h"
#include "base/memory.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

enum { TABLES = 3, SIZES = 3, LEVELS = 10, BINS = 20 };

static const int64_t sizes[SIZES] = { 5, 10, 20 };
static const double levels[LEVELS] = { .05, .10, .15, .20, .25, .30, .35, .40, .45, .50 };

/* Mean distance of a method's error from alpha, over sizes from <= size < to. */
static double distance(const iv_map_cell *cells, size_t method, size_t from, size_t to)
{
    double sum = 0.0;

    for (size_t i = from * LEVELS; i < to * LEVELS; i++)
        sum += fabs(cells[method * SIZES * LEVELS + i].error - levels[i % LEVELS]);
    return sum / (double)((to - from) * LEVELS);
}

/* Levels where the method's error is the nearest of the three to alpha. */
static double nearest(const iv_map_cell *cells, size_t method, size_t size)
{
    double count = 0.0;

    for (size_t a = 0; a < LEVELS; a++) {
        const size_t at = size * LEVELS + a, step = SIZES * LEVELS;
        const double off = fabs(cells[method * step + at].error - levels[a]);
        bool is = true;
        for (size_t m = 0; m < TABLES; m++)
            is = is && off <= fabs(cells[m * step + at].error - levels[a]);
        count += is;
    }
    return count;
}

/* What sections 4 and 5 say of the tables. */
static void claims(iv_paper_run *p, const iv_map_cell *cells)
{
    enum { PERCENTILE, BCA, LOGIT, FIVE = 0, TEN = 1, TWENTY = 2 };
    const double simulated = 1e-9;

    iv_paper_put(p, "Section 4.1", "percentile", "mean distance of the error from alpha, n = 20 "
                 "over n = 5", distance(cells, PERCENTILE, TWENTY, SIZES)
                               / distance(cells, PERCENTILE, FIVE, TEN), simulated);
    iv_paper_put(p, "Section 4.2", "bca", "mean distance of the error from alpha, over that of "
                 "percentile", distance(cells, BCA, FIVE, SIZES)
                               / distance(cells, PERCENTILE, FIVE, SIZES), simulated);
    for (size_t n = 0; n < SIZES; n++)
        iv_paper_put(p, "Section 4.3", "logit", iv_paper_text(p, "levels of 10 where its error is "
                     "nearest to alpha, n = %d", (int)sizes[n]), nearest(cells, LOGIT, n), 1e-9);
    for (size_t m = PERCENTILE; m <= BCA; m++)
        iv_paper_put(p, "Section 5", m == BCA ? "bca" : "percentile", "error at alpha 0.05 over "
                     "alpha, n = 5", cells[m * SIZES * LEVELS].error / levels[0],
                     cells[m * SIZES * LEVELS].error_se / levels[0]);
}

static int errors(iv_paper_run *p, const iv_score_grid *x, iv_err *err)
{
    static const iv_interval_method methods[TABLES] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA,
                                                        IV_INTERVAL_LOGIT };
    static const char *const tables[TABLES] = { "Table 1", "Table 2", "Table 3" };
    static const char *const columns[SIZES] = { "n = 5", "n = 10", "n = 20" };
    const iv_map_options o = { methods, TABLES, { sizes, SIZES }, { levels, LEVELS },
                               p->q->quick ? 20 : 1000, p->q->quick ? 200 : 1000 };
    iv_map_cell *cells = NULL;

    IV_TRY(iv_map_cells(&cells, &p->own, x, &o, p->work, err));
    for (size_t i = 0; i < TABLES * SIZES * LEVELS; i++) {
        const size_t t = i / (SIZES * LEVELS), n = i / LEVELS % SIZES, a = i % LEVELS;
        iv_paper_put(p, tables[t], iv_paper_text(p, "alpha %.2f", levels[a]), columns[n],
                     cells[i].error, cells[i].error_se);
        iv_paper_draw(p, "Tables 1 to 3", columns[n], iv_interval_names()[methods[t]], levels[a],
                      cells[i].error);
    }
    iv_paper_put(p, "Figure 1", "all systems", "mean bias, n = 5", cells[0].bias,
                 fmax(cells[0].error_se, 1e-9));
    claims(p, cells);
    iv_paper_figure(p, IV_CHART_CURVES, "Tables 1 to 3", "How often an interval misses the mean, "
                    "over alpha. On the diagonal the error is as promised.", "alpha", "error");
    iv_paper_diagonal(p);
    return IV_OK;
}

/*
 * The paper prints simulated values only.  Its formulas are checked on five values whose 3,125
 * resamples are all listed, against values computed by another program.
 */
static int formulas(iv_paper_run *p, iv_err *err)
{
    enum { N = 5, ALL = 3125 };
    static const double x[N] = { 0.02, 0.11, 0.23, 0.41, 0.74 };
    static const iv_interval_method methods[] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA,
                                                  IV_INTERVAL_LOGIT };
    double *means = iv_take(&p->own, ALL, sizeof *means);
    iv_mean_interval found;

    IV_TRY(iv_taken(&p->own, err));
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const char *name = iv_interval_names()[methods[m]];
        for (size_t b = 0; b < ALL; b++) {
            means[b] = 0.0;
            for (size_t k = 0, rest = b; k < N; k++, rest /= N)
                means[b] += x[rest % N] / N;
        }
        IV_TRY(iv_interval_from_means(&found, methods[m], means, ALL, x, N, 0.95, err));
        iv_paper_put(p, "Formulas, not in the paper", name, "lower", found.lower, 0.0);
        iv_paper_put(p, "Formulas, not in the paper", name, "upper", found.upper, 0.0);
    }
    iv_paper_put(p, "Formulas, not in the paper", "skewness", "value", found.skewness, 0.0);
    return IV_OK;
}

/* Counts of values in equal steps from the first to the last limit. */
static void histogram(iv_paper_run *p, const char *figure, const char *panel, const double *x,
                      size_t n, double from, double to)
{
    const double step = (to - from) / BINS;
    double bin[BINS] = { 0.0 };

    for (size_t i = 0; i < n; i++)
        bin[(size_t)fmin(fmax((x[i] - from) / step, 0.0), BINS - 1.0)] += 1.0;
    for (int b = 0; b < BINS; b++)
        iv_paper_draw(p, figure, panel, "number", from + (b + 0.5) * step, bin[b]);
}

/* Figures 1 to 3: bias of samples of five, and skewness. */
static int distributions(iv_paper_run *p, const iv_score_grid *x, iv_err *err)
{
    const size_t S = x->systems, T = x->topics, samples = p->q->quick ? 50 : 1000;
    double *skew = iv_take(&p->own, S, sizeof *skew), *bias = iv_take(&p->own, S, sizeof *bias);
    double positive = 0.0, low = 0.0;
    size_t least = 0, most = 0, middle = 0;
    iv_mean_interval all;

    IV_TRY(iv_taken(&p->own, err));
    for (size_t s = 0; s < S; s++) {
        const double *row = x->values + s * T;
        iv_stream stream = iv_stream_start(iv_work_seed(p->work), IV_FOR_STUDY,
                                           UINT64_C(7) << 50 | s);
        size_t topics[5];
        iv_interval_begin(&all, IV_INTERVAL_T, row, T);
        for (size_t i = 0; i < samples; i++) {
            (void)iv_draw_subset(&stream, topics, 5, T);
            for (size_t k = 0; k < 5; k++)
                bias[s] += (row[topics[k]] - all.mean) / (5.0 * (double)samples);
        }
        skew[s] = all.skewness;
        positive += skew[s] > 0.0;
        least = skew[s] < skew[least] ? s : least;
        most = skew[s] > skew[most] ? s : most;
    }
    for (size_t s = 0; s < S; s++) {
        size_t below = 0;
        for (size_t k = 0; k < S; k++)
            below += skew[k] < skew[s];
        middle = below == S / 2 ? s : middle;
    }
    iv_paper_put(p, "Figure 2", "all systems", "% with positive skewness",
                 100.0 * positive / (double)S, 0.0);
    for (size_t t = 0; t < T; t++)
        low += x->values[most * T + t] < 0.1;
    iv_paper_put(p, "Figure 3", "most skewed system", "% of topics with average precision below "
                 "0.1", 100.0 * low / (double)T, 0.0);
    const double far = p->q->quick ? 0.05 : 0.01;
    histogram(p, "Figure 1", "systems", bias, S, -far, far);
    histogram(p, "Figure 2", "systems", skew, S, 0.0, 5.0);
    histogram(p, "Figure 3", "least skewed", x->values + least * T, T, 0.0, 1.0);
    histogram(p, "Figure 3", "median skewness", x->values + middle * T, T, 0.0, 1.0);
    histogram(p, "Figure 3", "most skewed", x->values + most * T, T, 0.0, 1.0);
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 1", "Bias of the mean of five topics: number of "
                    "systems.", "bias", "systems");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 2", "Skewness of the scores: number of systems in "
                    "steps of 0.25.", "skewness", "systems");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 3", "Scores of the systems with the least, median "
                    "and largest skewness: number of topics in steps of 0.05.",
                    "average precision", "topics");
    return IV_OK;
}

int iv_paper_park(iv_paper_run *p, iv_err *err)
{
    iv_score_grid x;

    IV_TRY(formulas(p, err));
    if (p->q->exact)
        return IV_OK;
    IV_TRY(iv_paper_robust(&x, p, err));
    IV_TRY(distributions(p, &x, err));
    return errors(p, &x, err);
}
