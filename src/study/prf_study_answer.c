/* SPDX-License-Identifier: Apache-2.0 */
/* study prf: what is told of it. */
#include <math.h>

#include "study/prf_study.h"
#include "study/study_columns.h"

typedef struct row {
    const char *metric;
    iv_prf_study_cell x;
} row;

const iv_field iv_prf_study_fields[] = {
    { "metric", IV_AT(row, metric), .about = "whose intervals" },
    { "method", IV_AT(row, x.method), .names = iv_prf_study_names, .about = "kind of interval" },
    { "rate", IV_AT(row, x.rate), .digits = 3, .about = "true rate" },
    { "n", IV_AT(row, x.size), .about = "items" },
    { "truth", IV_AT(row, x.truth), .digits = 4, .about = "of the metric" },
    { "coverage", IV_AT(row, x.coverage), .digits = 4, .about = "share that holds the truth" },
    { "coverage_se", IV_AT(row, x.coverage_se), .digits = 4,
      .about = "its standard error; missing where exact" },
    { "below", IV_AT(row, x.below), .digits = 4, .about = "intervals below the truth" },
    { "above", IV_AT(row, x.above), .digits = 4, .about = "intervals above the truth" },
    { "width", IV_AT(row, x.width), .digits = 4, .about = "mean width" },
    { "gaps", IV_AT(row, x.gaps), .digits = 4, .about = "samples without an interval" },
    { NULL } };

/* Coverage over a grid of rates, by method: what most readers look for. */
typedef struct summary {
    iv_prf_study_method method;
    int64_t n; /* of one size */
    double mean, least, most, error, width;
} summary;

enum { SIZES = 1 };

const iv_field iv_prf_study_summary_fields[] = {
    { "method", IV_AT(summary, method), .names = iv_prf_study_names,
      .about = "kind of interval" },
    { "n", IV_AT(summary, n), .needs = SIZES, .about = "items" },
    { "mean", IV_AT(summary, mean), .digits = 4, .about = "coverage over the grid" },
    { "least", IV_AT(summary, least), .digits = 4, .about = "coverage" },
    { "most", IV_AT(summary, most), .digits = 4, .about = "coverage" },
    { "error", IV_AT(summary, error), .digits = 4,
      .about = "root mean square of coverage less confidence" },
    { "width", IV_AT(summary, width), .digits = 4, .about = "mean width" },
    { NULL } };

static summary summarise(const iv_prf_study_cell *cells, size_t count, int method,
                         double confidence)
{
    const double n = (double)(count / IV_PRF_STUDY_METHODS);
    summary s = { (iv_prf_study_method)method, 0, 0.0, INFINITY, -INFINITY, 0.0, 0.0 };

    for (size_t i = (size_t)method; i < count; i += IV_PRF_STUDY_METHODS) {
        const double off = cells[i].coverage - confidence;
        s.mean += cells[i].coverage;
        s.least = fmin(s.least, cells[i].coverage);
        s.most = fmax(s.most, cells[i].coverage);
        s.error += off * off;
        s.width += cells[i].width;
    }
    s.mean /= n;
    s.error = sqrt(s.error / n);
    s.width /= n;
    return s;
}

enum { FINE = 999 };

/* Rates are true anywhere between 0 and 1, and coverage goes up and down between them:
 * mean and least over a fine grid, for each size. */
static int add_grid(iv_result *out, summary *at_least, iv_arena *own,
                    const iv_study_prf_question *q, const iv_work *work, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    iv_study_prf_question fine = *q;
    iv_prf_study_cell *cells = NULL;
    double rates[FINE];
    size_t count = 0;

    for (int i = 0; i < FINE; i++)
        rates[i] = (i + 1.0) / (FINE + 1.0);
    fine.rates = (iv_reals){ rates, FINE };
    IV_TRY(iv_prf_study(&cells, &count, own, &fine, work, err));
    const size_t rows = count / FINE; /* sizes x methods */
    summary *all = iv_take(own, rows, sizeof *all);
    iv_prf_study_cell *one = iv_take(own, FINE * IV_PRF_STUDY_METHODS, sizeof *one);
    IV_TRY(iv_taken(own, err));
    *at_least = (summary){ .mean = 0.0, .least = 1.0 };
    for (size_t i = 0; i < rows; i++) {
        const size_t size = i / IV_PRF_STUDY_METHODS, m = i % IV_PRF_STUDY_METHODS;
        for (size_t r = 0; r < FINE; r++)
            one[r * IV_PRF_STUDY_METHODS + m]
                = cells[r * rows + size * IV_PRF_STUDY_METHODS + m];
        all[i] = summarise(one, FINE * IV_PRF_STUDY_METHODS, (int)m, confidence);
        all[i].n = cells[i].size;
        if (m == IV_PRF_STUDY_EQUAL) {
            at_least->mean += all[i].mean * IV_PRF_STUDY_METHODS / (double)rows;
            at_least->least = fmin(at_least->least, all[i].least);
        }
    }
    (void)iv_result_rows(out, &(iv_rows){ "grid", iv_prf_study_summary_fields, all, rows, sizeof *all,
                                          .with = SIZES });
    return IV_OK;
}

static void draw(iv_result *out, double confidence)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "coverage", .title = "Coverage",
        .caption = "How often an interval holds the truth, over the true rate; the dashed line "
                   "is what it promises. Below the line it is too narrow.",
        .x = "rate", .value = "coverage", .group = "method", .page = "n",
        .x_axis = { .title = "true rate" }, .lines = { { "promised", confidence, false } } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "coverage", .title = "Width",
        .caption = "How wide the intervals are: of two that keep their promise, the narrower "
                   "says more.",
        .x = "rate", .value = "width", .group = "method", .page = "n",
        .x_axis = { .title = "true rate" } });
}

static void tell(iv_result *out, const iv_study_prf_question *q, double confidence,
                 const iv_prf_study_cell *cells, size_t count, const summary *fine)
{
    const double n = (double)(count / IV_PRF_STUDY_METHODS);
    double mean[IV_PRF_STUDY_METHODS] = { 0.0 };

    for (size_t i = 0; i < count; i++)
        mean[i % IV_PRF_STUDY_METHODS] += cells[i].coverage / n;
    if (fine != NULL) {
        iv_result_answer(out, "At confidence %g the posterior's interval holds the truth in "
                         "%.4f of samples on average over all rates, and in %.4f at the rate "
                         "where that is least.", confidence, fine->mean, fine->least);
        iv_result_note(out, "coverage is exact: a sum over all outcomes; the bootstrap is "
                       "the ideal one, without resampling error; the table grid is over %d "
                       "rates from 0.001 to 0.999", FINE);
        return;
    }
    iv_result_answer(out, "At confidence %g the posterior's interval holds the truth in "
                     "%.4f of samples on average, the bootstrap's in %.4f.", confidence,
                     mean[IV_PRF_STUDY_EQUAL], mean[IV_PRF_STUDY_BOOTSTRAP]);
    iv_result_note(out, "samples of n items with prevalence %g, precision and recall both "
                   "the rate; %zu samples, %zu draws and resamples each; Wilson's interval has "
                   "no form for this metric", q->prevalence == 0.0 ? 0.2 : q->prevalence,
                   q->replicates == 0 ? 2000 : q->replicates, q->draws == 0 ? 2000 : q->draws);
    iv_result_note(out, "a sample without an interval (more than half of its resamples "
                   "are 0/0) counts as one that misses; gaps is their share");
}

int iv_study_answer_prf(iv_result *out, const iv_study_prf_question *q, const iv_work *work,
                        iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const bool drawn = iv_prf_study_is_drawn(iv_studied_metric_of(q));
    summary all[IV_PRF_STUDY_METHODS], fine;
    iv_prf_study_cell *cells = NULL;
    size_t count = 0, rows = 0, methods = 0;
    char name[IV_PRF_NAME_SIZE];
    iv_arena own = { 0 };
    int rc = iv_prf_study(&cells, &count, &own, q, work, err);
    row *at = iv_take(&own, count, sizeof *at);

    if (rc == IV_OK)
        rc = iv_taken(&own, err);
    (void)iv_prf_name(name, iv_studied_metric_of(q));
    /* A method that the metric does not have has no coverage. */
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        if (!isnan(cells[i].coverage))
            at[rows++] = (row){ name, cells[i] };
    for (int m = 0; m < IV_PRF_STUDY_METHODS && rc == IV_OK; m++) {
        all[methods] = summarise(cells, count, m, confidence);
        methods += isnan(all[methods].mean) ? 0 : 1;
    }
    if (rc == IV_OK) {
        (void)iv_result_rows(out, &(iv_rows){ "coverage", iv_prf_study_fields, at, rows, sizeof *at });
        (void)iv_result_rows(out, &(iv_rows){ "summary", iv_prf_study_summary_fields, all, methods,
                                              sizeof *all });
        rc = drawn ? IV_OK : add_grid(out, &fine, &own, q, work, err);
    }
    if (rc == IV_OK) {
        draw(out, confidence);
        tell(out, q, confidence, cells, count, drawn ? NULL : &fine);
    }
    iv_arena_free(&own);
    return rc;
}
