/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Park (2011): how often intervals on mean average precision miss the mean of the 249 topics
 * of TREC 2004 Robust, over 110 systems and 1,000 samples of each.  The paper prints no
 * standard errors; theirs is that of 110,000 independent samples, the least it can be.
 */
#include <math.h>

#include "study/papers.h"
#include "study/study_map.h"
#include "num/num_private.h"

enum { TABLES = 3, SIZES = 3, LEVELS = 10, BINS = 20 };

static const int64_t sizes[SIZES] = { 5, 10, 20 };
static const double levels[LEVELS] = { .05, .10, .15, .20, .25, .30, .35, .40, .45, .50 };

static int errors(iv_paper_run *p, const iv_score_grid *x, iv_err *err)
{
    static const iv_interval_method methods[TABLES] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA,
                                                        IV_INTERVAL_LOGIT };
    static const char *const tables[TABLES] = { "Table 1", "Table 2", "Table 3" };
    static const char *const columns[SIZES] = { "n = 5", "n = 10", "n = 20" };
    const iv_map_options o = { methods, TABLES, { sizes, SIZES }, { levels, LEVELS },
                               p->q->quick ? 20 : 1000, p->q->quick ? 200 : 1000 };
    iv_map_cell *cells = NULL;
    char row[32];

    IV_TRY(iv_map_cells(&cells, &p->own, x, &o, p->work, err));
    for (size_t i = 0; i < TABLES * SIZES * LEVELS; i++) {
        const size_t t = i / (SIZES * LEVELS), n = i / LEVELS % SIZES, a = i % LEVELS;
        (void)snprintf(row, sizeof row, "alpha %.2f", levels[a]);
        iv_paper_put(p, tables[t], row, columns[n], cells[i].error, cells[i].error_se);
        iv_paper_draw(p, "Tables 1 to 3", columns[n], iv_interval_names()[methods[t]], levels[a],
                      cells[i].error);
    }
    iv_paper_put(p, "Figure 1", "bias of 110 systems", "mean, n = 5", cells[0].bias,
                 fmax(cells[0].error_se, 1e-9));
    iv_paper_figure(p, IV_CHART_CURVES, "Tables 1 to 3", "How often an interval misses the mean, "
                    "over alpha. On the diagonal the error is as promised.", "alpha", "error");
    p->figure[p->figures - 1].diagonal = true;
    return IV_OK;
}

static double skewness(const double *x, size_t n)
{
    double mean = 0.0, second = 0.0, third = 0.0;

    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double d = x[i] - mean;
        second += d * d / (double)n;
        third += d * d * d / (double)n;
    }
    return third / pow(second, 1.5);
}

static void histogram(iv_paper_run *p, const char *curve, const double *x, size_t n)
{
    double bin[BINS] = { 0.0 };

    for (size_t i = 0; i < n; i++)
        bin[(size_t)fmin(x[i] * BINS, BINS - 1.0)] += 1.0;
    for (int b = 0; b < BINS; b++)
        iv_paper_draw(p, "Figure 3", curve, "topics", (b + 0.5) / BINS, bin[b]);
}

/* Figures 1 to 3: bias of samples of five, and skewness. */
static int distributions(iv_paper_run *p, const iv_score_grid *x, iv_err *err)
{
    const size_t S = x->systems, T = x->topics, samples = p->q->quick ? 50 : 1000;
    double *skew = iv_take(&p->own, S, sizeof *skew), positive = 0.0;
    size_t least = 0, most = 0, middle = 0;

    IV_TRY(iv_taken(&p->own, err));
    for (size_t s = 0; s < S; s++) {
        const double *row = x->values + s * T;
        iv_stream stream = iv_stream_start(iv_work_seed(p->work), IV_FOR_STUDY,
                                           UINT64_C(7) << 50 | s);
        double bias = 0.0, truth = 0.0;
        size_t topics[5];
        for (size_t t = 0; t < T; t++)
            truth += row[t] / (double)T;
        for (size_t i = 0; i < samples; i++) {
            (void)iv_draw_subset(&stream, topics, 5, T);
            for (size_t k = 0; k < 5; k++)
                bias += (row[topics[k]] - truth) / (5.0 * (double)samples);
        }
        skew[s] = skewness(row, T);
        positive += skew[s] > 0.0;
        least = skew[s] < skew[least] ? s : least;
        most = skew[s] > skew[most] ? s : most;
        iv_paper_draw(p, "Figures 1 and 2", "systems", "bias, n = 5", (double)(s + 1), bias);
        iv_paper_draw(p, "Figures 1 and 2", "systems", "skewness", (double)(s + 1), skew[s]);
    }
    for (size_t s = 0; s < S; s++) {
        size_t below = 0;
        for (size_t k = 0; k < S; k++)
            below += skew[k] < skew[s];
        middle = below == S / 2 ? s : middle;
    }
    iv_paper_put(p, "Figure 2", "110 systems", "with positive skewness", positive, 0.0);
    iv_paper_put(p, "Figure 3", "least skewed system", "skewness above 0", skew[least] > 0.0, 0.0);
    histogram(p, "least skewed", x->values + least * T, T);
    histogram(p, "median skewness", x->values + middle * T, T);
    histogram(p, "most skewed", x->values + most * T, T);
    iv_paper_figure(p, IV_CHART_POINTS, "Figures 1 and 2", "Bias of the mean of five topics, and "
                    "skewness of the scores, of each system.", "system", "value");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 3", "Scores of the systems with the least, median "
                    "and largest skewness: number of topics in steps of 0.05.",
                    "average precision", "topics");
    return IV_OK;
}

int iv_paper_park(iv_paper_run *p, iv_err *err)
{
    iv_score_grid x;

    IV_TRY(iv_paper_robust(&x, p, err));
    IV_TRY(distributions(p, &x, err));
    return errors(p, &x, err);
}
