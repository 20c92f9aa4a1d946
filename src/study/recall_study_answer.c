/* SPDX-License-Identifier: Apache-2.0 */
/* study recall: the scenarios, and what is told of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/recall_study.h"
#include "study/study_columns.h"

const char *const *iv_recall_simulated_names(void)
{
    static const char *const names[] = { "all", "neutral", "legal", "small", "strata",
                                         "unequal", NULL };

    return names;
}

const iv_field iv_recall_study_coverage_fields[] = {
    { "scenario", IV_AT(iv_recall_row, scenario), .about = "what was sampled" },
    { "method", IV_AT(iv_recall_row, method), .names = iv_recall_method_names,
      .about = "of the interval" },
    { "coverage", IV_AT(iv_recall_row, x.coverage), .digits = 4,
      .about = "share of intervals that hold the truth" },
    { "least", IV_AT(iv_recall_row, x.coverages.least), .digits = 4,
      .about = "the same at the population where it is least; missing where there is one" },
    { "width", IV_AT(iv_recall_row, x.width), .digits = 4, .about = "mean width" },
    { "rmse", IV_AT(iv_recall_row, x.rmse), .digits = 4,
      .about = "of a population's coverage from the confidence" },
    { "below", IV_AT(iv_recall_row, x.below), .digits = 4, .about = "truths below" },
    { "above", IV_AT(iv_recall_row, x.above), .digits = 4, .about = "truths above" },
    { NULL } };

const iv_field iv_recall_study_closest_fields[] = {
    { "scenario", IV_AT(iv_recall_row, scenario), .about = "what was sampled" },
    { "method", IV_AT(iv_recall_row, method), .names = iv_recall_method_names,
      .about = "of the interval" },
    { "closest", IV_AT(iv_recall_row, x.closest), .digits = 3,
      .about = "populations where no method was closer to the confidence" },
    { NULL } };

typedef struct spread {
    const char *scenario;
    iv_recall_method method;
    const char *quantity;
    iv_five_numbers x;
} spread;

const iv_field iv_recall_study_spread_fields[] = {
    { "scenario", IV_AT(spread, scenario), .about = "what was sampled" },
    { "method", IV_AT(spread, method), .names = iv_recall_method_names,
      .about = "of the interval" },
    { "quantity", IV_AT(spread, quantity), .about = "coverage, or truths below and above" },
    { "least", IV_AT(spread, x.least), .digits = 3, .about = "over populations" },
    { "q1", IV_AT(spread, x.q1), .digits = 3, .about = "first quartile" },
    { "median", IV_AT(spread, x.median), .digits = 3, .about = "over populations" },
    { "q3", IV_AT(spread, x.q3), .digits = 3, .about = "third quartile" },
    { "most", IV_AT(spread, x.most), .digits = 3, .about = "over populations" },
    { NULL } };

int iv_recall_tell(iv_recall_studied *s, const char *scenario, const iv_recall_coverage *by_method,
                   iv_err *err)
{
    iv_recall_row *rows = iv_grow(s->rows, &s->room, s->count + IV_RECALL_ALL, sizeof *rows);

    if (rows == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    s->rows = rows;
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL; m++) {
        if (isnan(by_method[m].coverage))
            continue;
        iv_recall_row *row = &rows[s->count++];
        *row = (iv_recall_row){ .method = (iv_recall_method)m, .x = by_method[m] };
        (void)snprintf(row->scenario, sizeof row->scenario, "%s", scenario);
    }
    return IV_OK;
}

void iv_recall_add_coverage(const iv_recall_studied *s)
{
    (void)iv_result_rows(s->out, &(iv_rows){ "coverage", iv_recall_study_coverage_fields, s->rows, s->count,
                                             sizeof *s->rows });
}

/* Those of the scenarios: layouts have one population. */
static int add_spreads(iv_recall_studied *s, iv_err *err)
{
    spread *all = malloc((3 * s->count + 1) * sizeof *all);
    iv_recall_row *closest = malloc((s->count + 1) * sizeof *closest);
    size_t count = 0, ranked = 0;
    const bool ok = all != NULL && closest != NULL;

    for (size_t i = 0; i < s->count && ok; i++) {
        const iv_recall_row *r = &s->rows[i];
        if (isnan(r->x.coverages.median))
            continue;
        all[count++] = (spread){ r->scenario, r->method, "coverage", r->x.coverages };
        all[count++] = (spread){ r->scenario, r->method, "below", r->x.belows };
        all[count++] = (spread){ r->scenario, r->method, "above", r->x.aboves };
        if (!isnan(r->x.closest))
            closest[ranked++] = *r;
    }
    if (ok) {
        (void)iv_result_rows(s->out, &(iv_rows){ "quartiles", iv_recall_study_spread_fields, all, count,
                                                 sizeof *all });
        (void)iv_result_rows(s->out, &(iv_rows){ "closest", iv_recall_study_closest_fields, closest, ranked,
                                                 sizeof *closest });
    }
    free(all);
    free(closest);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

static int run_scenario(iv_recall_studied *s, iv_recall_scenario scenario, const iv_work *work,
                        iv_err *err)
{
    const size_t count = s->q.realisations;
    iv_recall_coverage found[IV_RECALL_ALL];
    iv_recall_population *p = malloc(count * sizeof *p);

    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu realisations", count);
    for (size_t i = 0; i < count; i++)
        p[i] = iv_recall_realisation(scenario, iv_work_seed(work), i);
    int rc = iv_recall_study(found, p, count, &s->q.how, work, err);
    free(p);
    return rc == IV_OK ? iv_recall_tell(s, iv_recall_scenario_names()[scenario], found, err) : rc;
}

static int run_layout(iv_recall_studied *s, size_t strata, bool graded, const iv_work *work,
                      iv_err *err)
{
    const iv_recall_study_options o = { 4 * s->q.how.samples, s->q.how.confidence };
    iv_recall_coverage found[IV_RECALL_ALL];
    char name[32];
    const int rc = iv_recall_layout_study(found, strata, graded, &o, work, err);

    (void)snprintf(name, sizeof name, "%s-%zu", graded ? "graded" : "strata", strata);
    return rc == IV_OK ? iv_recall_tell(s, name, found, err) : rc;
}

static int run_unequal(iv_recall_studied *s, const iv_work *work, iv_err *err)
{
    iv_recall_coverage found[IV_RECALL_ALL];
    size_t count = 0;
    int rc = IV_OK;

    while (iv_recall_unequal_name(count) != NULL)
        count++;
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const double n = (double)count;
        iv_stage stage;
        rc = iv_recall_unequal_study(found, i, s->q.how.confidence,
                                     iv_work_part(&stage, work, (double)i / n,
                                                  (double)(i + 1) / n), err);
        if (rc == IV_OK)
            rc = iv_recall_tell(s, iv_recall_unequal_name(i), found, err);
    }
    return rc;
}

static int run_scenarios(iv_recall_studied *s, iv_err *err)
{
    static const struct { size_t strata; bool graded; } layouts[] = {
        { 1, false }, { 8, false }, { 32, false }, { 8, true }, { 32, true } };
    enum { SCENARIOS = 3, UNEQUAL = 8, ALL = 9 };
    const iv_recall_simulated which = s->q.scenario;
    const double parts = which == IV_SIMULATED_ALL ? ALL
        : which == IV_SIMULATED_STRATA ? UNEQUAL - SCENARIOS : 1;
    double part = 0.0;
    int rc = IV_OK;

    for (size_t k = 0; k < ALL && rc == IV_OK; k++) {
        const iv_recall_simulated is = k < SCENARIOS ? (iv_recall_simulated)(k + 1)
            : k == UNEQUAL ? IV_SIMULATED_UNEQUAL : IV_SIMULATED_STRATA;
        iv_stage stage;
        if (which != IV_SIMULATED_ALL && which != is)
            continue;
        (void)iv_work_part(&stage, s->work, part / parts, (part + 1.0) / parts);
        part += 1.0;
        rc = k == UNEQUAL ? run_unequal(s, &stage.work, err)
           : k < SCENARIOS ? run_scenario(s, (iv_recall_scenario)k, &stage.work, err)
                           : run_layout(s, layouts[k - SCENARIOS].strata,
                                        layouts[k - SCENARIOS].graded, &stage.work, err);
    }
    return rc;
}

static void note_scenarios(iv_result *r, const iv_study_recall_question *q)
{
    const double confidence = q->how.confidence;

    if (q->scenario == IV_SIMULATED_ALL || q->scenario == IV_SIMULATED_UNEQUAL)
        iv_result_note(r, "near-20 and what follows: 400 of 1,000 retrieved documents are relevant and "
                       "all judged, the others in two or three strata sampled at unequal rates; "
                       "coverage is enumerated over all samples, at the truths of a grid (of the tiny "
                       "ones all truths): its mean, and the least.");
    if (q->scenario == IV_SIMULATED_UNEQUAL)
        return;
    if (q->scenario != IV_SIMULATED_STRATA) {
        iv_result_note(r, "%zu realisations of each scenario, %zu samples of each; rmse is of "
                       "a realisation's coverage from the nominal %g, sampling error of %.4f "
                       "included.", q->realisations, q->how.samples, confidence,
                       sqrt(confidence * (1.0 - confidence) / (double)q->how.samples));
        iv_result_note(r, "Posterior intervals: each segment's posterior is tabulated once for "
                       "each outcome of its sample, atom by atom below 4,000 atoms, else over "
                       "cells good to 1e-5; an interval is computed once for each pair of "
                       "outcomes.");
    }
    if (q->scenario == IV_SIMULATED_ALL || q->scenario == IV_SIMULATED_STRATA)
        iv_result_note(r, "strata-S: 320,000 unretrieved documents, 640 relevant, 3,200 sampled, "
                       "in S equal strata with as many relevant each; graded-S: each with 3/4 of "
                       "the one before. 2,560 retrieved, half relevant, 400 sampled. %zu "
                       "samples; koopman has no stratified form.", 4 * q->how.samples);
}

static void draw(iv_result *out, bool reviews, double confidence)
{
    if (reviews) /* real reviews: one population a topic */
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "coverage", .title = "Coverage",
            .caption = "How often the intervals of a method hold the true recall. The dashed "
                       "line is what is promised: a method left of it is too sure of itself.",
            .label = "method", .page = "scenario", .value = "coverage",
            .lines = { { "promised", confidence, true } } });
    else
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "quartiles", .title = "Coverage",
            .caption = "A point is the median, over populations, of how often an interval holds "
                       "the true recall; the line is the middle half of them. The dashed line is "
                       "what is promised: a method left of it is too sure of itself.",
            .label = "method", .page = "scenario", .where = "quantity", .is = "coverage",
            .value = "median", .lower = "q1", .upper = "q3",
            .value_axis = { .title = "coverage" },
            .lines = { { "promised", confidence, true } } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "coverage", .title = "How wide the intervals are",
        .caption = "The mean width of a method's intervals: of two methods that keep their "
                   "promise, the narrower one says more.",
        .label = "method", .page = "scenario", .value = "width",
        .value_axis = { .title = "mean width" } });
}

/* Of the default method, and of the one whose coverage is nearest. */
static void tell(iv_result *out, const iv_recall_row *rows, size_t count, double confidence)
{
    double least = INFINITY, most = -INFINITY;
    const iv_recall_row *nearest = rows;
    size_t cases = 0;

    for (size_t i = 0; i < count; i++) {
        if (rows[i].x.rmse < nearest->x.rmse)
            nearest = &rows[i];
        if (rows[i].method != IV_RECALL_BETABIN_WEIGHTED)
            continue;
        cases++;
        least = fmin(least, rows[i].x.coverage);
        most = fmax(most, rows[i].x.coverage);
    }
    if (cases > 0)
        iv_result_answer(out, "The %g %% intervals of %s hold the true recall in %.1f %%%s of "
                         "the samples%s; nearest to its promise comes %s.", 100.0 * confidence,
                         iv_recall_method_names()[IV_RECALL_BETABIN_WEIGHTED], 100.0 * least,
                         most > least ? " or more" : "", cases > 1 ? ", in every case" : "",
                         iv_recall_method_names()[nearest->method]);
}

static void set_defaults(iv_study_recall_question *q)
{
    q->realisations = q->realisations == 0 ? 1000 : q->realisations;
    q->how.samples = q->how.samples == 0 ? 1000 : q->how.samples;
    q->how.confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence;
    q->sample_size = q->sample_size == 0 ? 500 : q->sample_size;
    q->least_relevant = q->least_relevant == 0 ? 20 : q->least_relevant;
    q->level = q->level == 0 ? 1 : q->level;
}

int iv_study_answer_recall(iv_result *out, const iv_study_recall_question *q,
                           const iv_work *work, iv_err *err)
{
    const bool reviews = q->run != NULL;
    iv_recall_studied s = { .out = out, .q = *q, .work = work };

    set_defaults(&s.q);
    int rc = reviews ? iv_recall_review_study(&s, err) : run_scenarios(&s, err);
    if (rc == IV_OK) {
        if (!reviews) {
            iv_recall_add_coverage(&s);
            rc = add_spreads(&s, err);
            note_scenarios(out, &s.q);
        }
        tell(out, s.rows, s.count, s.q.how.confidence);
        draw(out, reviews, s.q.how.confidence);
    }
    free(s.rows);
    return rc;
}
