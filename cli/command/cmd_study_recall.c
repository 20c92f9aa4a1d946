/* SPDX-License-Identifier: Apache-2.0 */
/* study recall -- how often do recall intervals hold the truth? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/study_recall.h"

static const char *const scenarios[] = { "all", "neutral", "legal", "small", "strata", NULL };

#define MOST 1000000000

static const opt opts[] = {
    OPT_HEADING("Simulated reviews"),
    OPT_CHOICE(study_recall_args, 0, "scenario", "NAME", scenario, scenarios,
               "the neutral, legal or small scenario of Webber (2013), or an unretrieved segment "
               "cut into 1, 8 and 32 strata"),
    OPT_INT(study_recall_args, 0, "realisations", "N", realisations, 1, MOST,
            "populations of each scenario"),
    OPT_INT(study_recall_args, 0, "samples", "N", samples, 1, MOST,
            "samples drawn from each population; four times as many for each layout of strata"),
    OPT_HEADING("A real review, with its labels"),
    OPT_STR(study_recall_args, 0, "run", "FILE", run, "rankings of whole collections, one a topic"),
    OPT_STR(study_recall_args, 0, "labels", "FILE", labels, "judgments of all their documents"),
    OPT_NUMBERS(study_recall_args, 0, "at", "K,...", at, 1, OPT_NUMBERS_MAX, 1.0, 1e9,
                "cut-offs"),
    OPT_INT(study_recall_args, 0, "sample-size", "N", sample_size, 2, MOST,
            "documents in each sample, drawn from the whole collection"),
    OPT_INT(study_recall_args, 0, "drawn-at", "K", drawn_at, 1, MOST,
            "draw half of the sample from the first K documents and half from the others, "
            "instead"),
    OPT_INT(study_recall_args, 0, "least-relevant", "N", least_relevant, 1, MOST,
            "topics with fewer relevant documents are left out"),
    OPT_INT(study_recall_args, 'l', "level", "GRADE", level, 1, 1000000,
            "least grade that is relevant"),
    OPT_END
};

static void begin_tables(study_recall *s)
{
    static const iv_column coverage[] = {
        { "scenario", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "coverage", IV_REAL, 4 },
        { "width", IV_REAL, 4 }, { "rmse", IV_REAL, 4 }, { "below", IV_REAL, 4 },
        { "above", IV_REAL, 4 } };
    static const iv_column quartiles[] = {
        { "scenario", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "quantity", IV_TEXT, 0 },
        { "least", IV_REAL, 3 }, { "q1", IV_REAL, 3 }, { "median", IV_REAL, 3 },
        { "q3", IV_REAL, 3 }, { "most", IV_REAL, 3 } };
    static const iv_column closest[] = {
        { "scenario", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "closest", IV_REAL, 3 } };
    static const iv_column topics[] = {
        { "topic", IV_TEXT, 0 }, { "cutoff", IV_INTEGER, 0 }, { "documents", IV_INTEGER, 0 },
        { "relevant", IV_INTEGER, 0 }, { "recall", IV_REAL, 3 }, { "coverage", IV_REAL, 3 },
        { "width", IV_REAL, 3 }, { "below", IV_REAL, 3 }, { "above", IV_REAL, 3 } };

    s->coverage = iv_result_table(s->c->result, "coverage", coverage, 7);
    if (s->args->run != NULL) {
        s->topics = iv_result_table(s->c->result, "topics", topics, 9);
        return;
    }
    s->quartiles = iv_result_table(s->c->result, "quartiles", quartiles, 8);
    s->closest = iv_result_table(s->c->result, "closest", closest, 3);
}

void study_recall_put(study_recall *s, const char *scenario, const iv_recall_coverage *rows)
{
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL; m++) {
        if (isnan(rows[m].coverage))
            continue;
        iv_put_text(s->coverage, iv_str_of(scenario));
        iv_put_text(s->coverage, iv_str_of(iv_recall_method_names()[m]));
        iv_put_real(s->coverage, rows[m].coverage);
        iv_put_real(s->coverage, rows[m].width);
        iv_put_real(s->coverage, rows[m].rmse);
        iv_put_real(s->coverage, rows[m].below);
        iv_put_real(s->coverage, rows[m].above);
    }
}

static void put_spread(study_recall *s, const char *scenario, int method, const char *name,
                       iv_five_numbers x)
{
    iv_put_text(s->quartiles, iv_str_of(scenario));
    iv_put_text(s->quartiles, iv_str_of(iv_recall_method_names()[method]));
    iv_put_text(s->quartiles, iv_str_of(name));
    iv_put_real(s->quartiles, x.least);
    iv_put_real(s->quartiles, x.q1);
    iv_put_real(s->quartiles, x.median);
    iv_put_real(s->quartiles, x.q3);
    iv_put_real(s->quartiles, x.most);
}

static void put_spreads(study_recall *s, const char *scenario, const iv_recall_coverage *rows)
{
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL; m++) {
        put_spread(s, scenario, m, "coverage", rows[m].coverages);
        put_spread(s, scenario, m, "below", rows[m].belows);
        put_spread(s, scenario, m, "above", rows[m].aboves);
        if (isnan(rows[m].closest))
            continue;
        iv_put_text(s->closest, iv_str_of(scenario));
        iv_put_text(s->closest, iv_str_of(iv_recall_method_names()[m]));
        iv_put_real(s->closest, rows[m].closest);
    }
}

/* Progress of a part, as part of the whole. */
static int report_part(void *user, double fraction)
{
    const study_recall *s = user;

    if (s->c->progress.report != NULL)
        s->c->progress.report(s->c->progress.user,
                              ((double)s->part + fraction) / (double)s->parts);
    return 0;
}

iv_recall_study_options study_recall_options(study_recall *s, size_t samples)
{
    return (iv_recall_study_options){ .samples = samples, .seed = s->c->shared->seed,
                                      .confidence = s->c->shared->confidence,
                                      .threads = (int)s->c->shared->threads,
                                      .progress = { report_part, s } };
}

static int run_scenario(study_recall *s, iv_recall_scenario scenario, iv_err *err)
{
    const size_t count = (size_t)s->args->realisations;
    const iv_recall_study_options o = study_recall_options(s, (size_t)s->args->samples);
    iv_recall_coverage rows[IV_RECALL_ALL];
    iv_recall_population *p = malloc(count * sizeof *p);

    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu realisations", count);
    for (size_t i = 0; i < count; i++)
        p[i] = iv_recall_realisation(scenario, o.seed, i);
    const int rc = iv_recall_study(rows, p, count, &o, err);
    free(p);
    if (rc < 0)
        return rc;
    study_recall_put(s, iv_recall_scenario_names()[scenario], rows);
    put_spreads(s, iv_recall_scenario_names()[scenario], rows);
    return IV_OK;
}

static int run_layouts(study_recall *s, iv_err *err)
{
    static const size_t layouts[] = { 1, 8, 32 };
    const iv_recall_study_options o = study_recall_options(s, 4 * (size_t)s->args->samples);

    for (int graded = 0; graded < 2; graded++) {
        for (size_t i = (size_t)graded; i < 3; i++, s->part++) {
            iv_recall_coverage rows[IV_RECALL_ALL];
            char name[32];
            const int rc = iv_recall_layout_study(rows, layouts[i], graded == 1, &o, err);
            if (rc < 0)
                return rc;
            (void)snprintf(name, sizeof name, "%s-%zu", graded == 1 ? "graded" : "strata",
                           layouts[i]);
            study_recall_put(s, name, rows);
        }
    }
    return IV_OK;
}

static void note_scenarios(study_recall *s)
{
    iv_result *r = s->c->result;

    if (s->args->scenario != 4) {
        iv_result_note(r, "%lld realisations of each scenario, %lld samples of each; rmse is of "
                       "a realisation's coverage from the nominal %g, sampling error of %.4f "
                       "included.", (long long)s->args->realisations,
                       (long long)s->args->samples, s->c->shared->confidence,
                       sqrt(s->c->shared->confidence * (1.0 - s->c->shared->confidence)
                            / (double)s->args->samples));
        iv_result_note(r, "Posterior intervals: each segment's posterior is tabulated once for "
                       "each outcome of its sample, atom by atom below 4,000 atoms, else over "
                       "cells good to 1e-5; an interval is computed once for each pair of "
                       "outcomes.");
    }
    if (s->args->scenario == 0 || s->args->scenario == 4)
        iv_result_note(r, "strata-S: 320,000 unretrieved documents, 640 relevant, 3,200 sampled, "
                       "in S equal strata with as many relevant each; graded-S: each with 3/4 of "
                       "the one before. 2,560 retrieved, half relevant, 400 sampled. %lld "
                       "samples; koopman has no stratified form.",
                       4 * (long long)s->args->samples);
}

static void draw(study_recall *s)
{
    const double confidence = s->c->shared->confidence;

    if (s->quartiles == NULL) /* real reviews: one population a topic */
        iv_result_chart(s->c->result, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "coverage", .title = "Coverage",
            .caption = "How often the intervals of a method hold the true recall. The dashed "
                       "line is what is promised: a method left of it is too sure of itself.",
            .label = "method", .page = "scenario", .value = "coverage",
            .lines = { { "promised", confidence, true } } });
    else
        iv_result_chart(s->c->result, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "quartiles", .title = "Coverage",
            .caption = "A point is the median, over populations, of how often an interval holds "
                       "the true recall; the line is the middle half of them. The dashed line is "
                       "what is promised: a method left of it is too sure of itself.",
            .label = "method", .page = "scenario", .where = "quantity", .is = "coverage",
            .value = "median", .lower = "q1", .upper = "q3",
            .value_axis = { .title = "coverage" },
            .lines = { { "promised", confidence, true } } });
    iv_result_chart(s->c->result, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "coverage", .title = "How wide the intervals are",
        .caption = "The mean width of a method's intervals: of two methods that keep their "
                   "promise, the narrower one says more.",
        .label = "method", .page = "scenario", .value = "width",
        .value_axis = { .title = "mean width" } });
}

/* Of the default method, and of the one whose coverage is nearest. */
static void answer(study_recall *s)
{
    enum { METHOD = 1, COVERAGE = 2, RMSE = 4 };
    const iv_str usual = iv_str_of(iv_recall_method_names()[IV_RECALL_BETABIN_SHARED]);
    double least = (double)INFINITY, most = -(double)INFINITY, rmse = (double)INFINITY;
    size_t nearest = 0, cases = 0;

    for (size_t i = 0; i < iv_table_rows(s->coverage); i++) {
        const iv_cell held = iv_table_cell(s->coverage, i, COVERAGE);
        const iv_cell off = iv_table_cell(s->coverage, i, RMSE);
        if (!off.missing && off.real < rmse) {
            rmse = off.real;
            nearest = i;
        }
        if (held.missing || iv_str_cmp(iv_table_cell(s->coverage, i, METHOD).text, usual) != 0)
            continue;
        cases++;
        least = fmin(least, held.real);
        most = fmax(most, held.real);
    }
    if (cases == 0)
        return;
    const iv_str best = iv_table_cell(s->coverage, nearest, METHOD).text;
    iv_result_answer(s->c->result, "The %g %% intervals of %.*s hold the true recall in %.1f %%"
                     "%s of the samples%s; nearest to its promise comes %.*s.",
                     100.0 * s->c->shared->confidence, (int)usual.len, usual.ptr, 100.0 * least,
                     most > least ? " or more" : "", cases > 1 ? ", in every case" : "",
                     (int)best.len, best.ptr);
}

static int run(cmd_context *c, iv_err *err)
{
    study_recall s = { .c = c, .args = c->args };
    const int scenario = s.args->scenario;
    int rc = IV_OK;

    if ((s.args->run == NULL) != (s.args->labels == NULL))
        return cmd_usage(err, "--run and --labels go together");
    if (s.args->run == NULL && s.args->at.count > 0)
        return cmd_usage(err, "--at needs --run and --labels");
    if (s.args->run == NULL && s.args->drawn_at > 0)
        return cmd_usage(err, "--drawn-at needs --run and --labels");
    begin_tables(&s);
    if (s.args->run != NULL) {
        rc = study_recall_review(&s, err);
        if (rc == IV_OK) {
            answer(&s);
            draw(&s);
        }
        return rc;
    }
    s.parts = scenario == 0 ? 8 : scenario == 4 ? 5 : 1;
    for (int i = 0; i < 3 && rc == IV_OK; i++) {
        if (scenario != 0 && scenario != i + 1)
            continue;
        rc = run_scenario(&s, (iv_recall_scenario)i, err);
        s.part++;
    }
    if (rc == IV_OK && (scenario == 0 || scenario == 4))
        rc = run_layouts(&s, err);
    if (rc == IV_OK) {
        note_scenarios(&s);
        answer(&s);
        draw(&s);
    }
    return rc;
}

const cmd cmd_study_recall = {
    .name = "study recall",
    .group = "Studies",
    .summary = "measure how often recall intervals hold the truth",
    .operands = "",
    .least = 0,
    .most = 0,
    .description =
        "Draws populations whose recall is known, samples them again and again, computes the "
        "interval of every method for each sample, and counts how often it holds the truth. The "
        "scenarios are those of Webber (2013), tables VI to VIII; the tables coverage, quartiles "
        "and closest have his tables IX and X and figures 9 to 13. Coverage should be near the "
        "confidence, rmse small, and below and above (the share of truths under and over the "
        "interval) alike.\n\n"
        "With --run and --labels the populations are real: the rankings of a review whose "
        "documents are all judged, cut at --at; samples are drawn from the whole collection and "
        "split at the cut-off, as intervale recall --run --sample does, or with --drawn-at from "
        "each side of one cut-off. The table topics is for the default method, betabin-shared.\n\n"
        "The full study takes minutes; --realisations 50 --samples 200 takes seconds.",
    .examples = (const cmd_example[]){
        { "intervale study recall --scenario small --realisations 20 --samples 100",
          "A quick look at small collections." },
        { "intervale study recall --scenario legal --realisations 10 --samples 50 --format tsv",
          "The legal scenario for another program; without numbers it takes a minute or two." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const study_recall_args){ .realisations = 1000, .samples = 1000,
                                            .sample_size = 500, .drawn_at = -1,
                                            .least_relevant = 20,
                                            .level = 1 },
    .args_size = sizeof(study_recall_args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "coverage", "quartiles", "closest", "topics", NULL },
    .run = run,
};
