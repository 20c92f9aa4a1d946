/* SPDX-License-Identifier: Apache-2.0 */
/* study machine: coverage and width, whole topics judged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "study/machine_study.h"
#include "study/study_columns.h"

enum { METHODS = 6, PURPOSE = 0x6d61 };

static const char *const methods[METHODS] = { "combined", "people", "machine", "ppi", "ppi++",
                                              "ppi++ unclipped" };

typedef struct row {
    const char *judge, *measure, *kind, *method;
    size_t judged, topics, draws;
    double rho;      /* median over draws */
    double coverage, se, width, ratio, bias;
} row;

const iv_field iv_machine_study_fields[] = {
    { "judge", IV_AT(row, judge), .about = "a machine, or the first one shuffled or inverted" },
    { "measure", IV_AT(row, measure), .about = "as it was asked for" },
    { "kind", IV_AT(row, kind), .about = "the mean of a run, or the difference of two" },
    { "judged", IV_AT(row, judged), .about = "topics that people judged" },
    { "topics", IV_AT(row, topics), .about = "that the machine labelled" },
    { "method", IV_AT(row, method),
      .about = "combined is eval's; people: Student's t, on the logit scale for means; machine: t of "
               "its scores; ppi and ppi++: other tools'" },
    { "draws", IV_AT(row, draws), .about = "samples of topics" },
    { "coverage", IV_AT(row, coverage), .digits = 4,
      .about = "share of intervals that hold the mean over all topics" },
    { "se", IV_AT(row, se), .digits = 4, .about = "of that share" },
    { "width", IV_AT(row, width), .digits = 4, .about = "mean of upper - lower" },
    { "ratio", IV_AT(row, ratio), .digits = 3, .about = "of the width to people's" },
    { "bias", IV_AT(row, bias), .digits = 4, .about = "mean of value - truth" },
    { "rho", IV_AT(row, rho), .digits = 3, .about = "mean correlation over the judged topics" },
    { NULL } };

typedef struct experiment {
    const iv_study_machine_question *q;
    iv_arena memory;
    iv_study_judges by;
    const char *const *measures;
    size_t measure_count, runs, topics;
    double *human;        /* [(measure * runs + run) * topics + topic] */
    double **machine;     /* the same, one a judge */
    int64_t judged[64], drawn[64]; /* n and T of each design */
    size_t designs, draws;
    double confidence;
    row *rows;
} experiment;

/* ------------------------------------------------------------- their values -- */

static void end_evaluation(void *e) { iv_evaluation_free(e); }

static int score(iv_evaluation **out, experiment *x, const iv_judgments *by, int32_t level,
                 const iv_work *work, iv_err *err)
{
    iv_source source = x->q->source;
    iv_evaluating how = { .measures = { x->measures, x->measure_count },
                          .measure = x->q->measure, .interval = IV_INTERVAL_NONE,
                          .complete = true };

    source.judged = by;
    how.measure.level = level;
    IV_TRY(iv_evaluate(out, &source, &how, work, err));
    if (iv_own(&x->memory, *out, end_evaluation) == NULL)
        return iv_taken(&x->memory, err);
    return IV_OK;
}

/* The topics of the judgments, in both: the population. */
static int take_values(double **out, experiment *x, const iv_evaluation *e,
                       const iv_evaluated *population, iv_err *err)
{
    const iv_evaluated *v = iv_evaluation_view(e);
    double *grid = iv_take(&x->memory, v->run_count * v->topic_count + 1, sizeof *grid);
    double *to = iv_take(&x->memory, x->measure_count * x->runs * x->topics + 1, sizeof *to);

    IV_TRY(iv_taken(&x->memory, err));
    for (size_t m = 0; m < x->measure_count; m++) {
        iv_evaluation_grid(grid, e, m);
        for (size_t r = 0; r < x->runs; r++)
            for (size_t t = 0; t < x->topics; t++) {
                size_t at = 0;
                while (at < v->topic_count
                       && iv_str_cmp(v->topics[at], population->topics[t]) != 0)
                    at++;
                if (at == v->topic_count)
                    return iv_fail(err, IV_ENODATA, "a judged topic without the machine's labels");
                to[(m * x->runs + r) * x->topics + t] = grid[r * v->topic_count + at];
            }
    }
    *out = to;
    return IV_OK;
}

static int read_all(experiment *x, const iv_work *work, iv_err *err)
{
    const iv_study_machine_question *q = x->q;
    iv_evaluation *e = NULL;

    IV_TRY(iv_study_judges_load(&x->by, &x->memory, q, work, err));
    IV_TRY(score(&e, x, x->by.human, q->measure.level, work, err));
    const iv_evaluated *v = iv_evaluation_view(e);
    x->runs = v->run_count;
    x->topics = v->topic_count;
    IV_TRY(take_values(&x->human, x, e, v, err));
    x->machine = iv_take(&x->memory, x->by.count, sizeof *x->machine);
    IV_TRY(iv_taken(&x->memory, err));
    for (size_t i = 0; i < x->by.count; i++) {
        const int32_t level = iv_judge_view(x->by.judge[i])->judge_level;
        IV_TRY(score(&e, x, iv_judge_labels(x->by.judge[i]), level == 0 ? IV_ZERO : level, work,
                     err));
        IV_TRY(take_values(&x->machine[i], x, e, v, err));
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- a cell -- */

typedef struct tally {
    size_t held[METHODS], shown[METHODS];
    double width[METHODS], bias[METHODS], rho;
} tally;

static void count(tally *t, size_t method, double value, double lower, double upper, double truth)
{
    if (!isfinite(lower) || !isfinite(upper))
        return;
    t->shown[method]++;
    t->held[method] += lower <= truth && truth <= upper;
    t->width[method] += upper - lower;
    t->bias[method] += value - truth;
}

/* One draw of topics, for a run or a difference of two. */
static void one_draw(tally *t, const experiment *x, const double *human, const double *machine,
                     const double *less_human, const double *less_machine, size_t n, size_t T,
                     iv_stream *s, double *room)
{
    double *h = room, *z = room + T, truth = 0.0;
    const bool level = less_human == NULL;
    const double *const zs[] = { z };
    iv_two_phase both, alone, machine_alone;
    const iv_two_phase_options o = { .confidence = x->confidence, .bounded = level };

    for (size_t k = 0; k < x->topics; k++)
        truth += (human[k] - (level ? 0.0 : less_human[k])) / (double)x->topics;
    for (size_t k = 0; k < T; k++) {
        const size_t at = (size_t)iv_draw_below(s, x->topics);
        h[k] = human[at] - (level ? 0.0 : less_human[at]);
        z[k] = machine[at] - (level ? 0.0 : less_machine[at]);
    }
    if (iv_two_phase_mean(&alone, NULL, &(iv_two_phase_data){ h, n, NULL, 0, T }, &o, NULL)
        != IV_OK)
        return;
    count(t, 1, alone.value, alone.lower, alone.upper, truth);
    if (iv_two_phase_mean(&machine_alone, NULL, &(iv_two_phase_data){ z, T, NULL, 0, T },
                          &(iv_two_phase_options){ .confidence = x->confidence }, NULL) == IV_OK)
        count(t, 2, machine_alone.value, machine_alone.lower, machine_alone.upper, truth);
    if (T == n) {
        count(t, 0, alone.value, alone.lower, alone.upper, truth);
        return;
    }
    if (iv_two_phase_mean(&both, NULL, &(iv_two_phase_data){ h, n, zs, 1, T }, &o, NULL) == IV_OK) {
        count(t, 0, both.value, both.lower, both.upper, truth);
        t->rho += both.rho;
    }
    const iv_rival r[] = { iv_rival_ppi(h, n, z, T, x->confidence),
                           iv_rival_tuned(h, n, z, T, true, x->confidence),
                           iv_rival_tuned(h, n, z, T, false, x->confidence) };
    for (size_t k = 0; k < 3; k++)
        count(t, 3 + k, r[k].value, r[k].lower, r[k].upper, truth);
}

/* Cell: judge, measure, kind, design. */
static int one_cell(void *user, void *memory, size_t i, iv_err *err)
{
    experiment *x = user;
    const size_t D = x->designs, design = i % D, kind = i / D % 2;
    const size_t m = i / D / 2 % x->measure_count, judge = i / D / 2 / x->measure_count;
    const size_t n = (size_t)x->judged[design], T = (size_t)x->drawn[design];
    double *room = malloc(2 * T * sizeof *room);
    tally t = { { 0 } };

    (void)memory;
    if (room == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t d = 0; d < x->draws; d++) {
        iv_stream s = iv_stream_start(1, PURPOSE + 1 + (uint32_t)(design * 2 + kind), d);
        const size_t a = (size_t)iv_draw_below(&s, x->runs);
        size_t b = x->runs > 1 ? (size_t)iv_draw_below(&s, x->runs - 1) : 0;
        b += b >= a;
        if (kind == 1 && x->runs < 2)
            break;
        const double *h = x->human + (m * x->runs) * x->topics;
        const double *z = x->machine[judge] + (m * x->runs) * x->topics;
        one_draw(&t, x, h + a * x->topics, z + a * x->topics,
                 kind == 1 ? h + b * x->topics : NULL, kind == 1 ? z + b * x->topics : NULL, n, T,
                 &s, room);
    }
    free(room);
    for (size_t k = 0; k < METHODS; k++) {
        const double shown = (double)t.shown[k], c = (double)t.held[k] / shown;
        x->rows[i * METHODS + k] = (row){
            .judge = x->by.name[judge], .measure = x->measures[m],
            .kind = kind == 0 ? "level" : "difference", .method = methods[k], .judged = n,
            .topics = T, .draws = t.shown[k], .coverage = c, .se = sqrt(c * (1.0 - c) / shown),
            .width = t.width[k] / shown, .bias = t.bias[k] / shown,
            .ratio = t.width[k] / shown / (t.width[1] / (double)t.shown[1]),
            .rho = t.rho / (double)t.shown[0] };
    }
    return IV_OK;
}

/* ------------------------------------------------------------------ all -- */

static void choose_designs(experiment *x)
{
    static const int64_t usual_n[] = { 8, 15, 25, 50 }, usual_T[] = { 50, 200 };
    const iv_integers n = x->q->judged.count > 0 ? x->q->judged : (iv_integers){ usual_n, 4 };
    const iv_integers T = x->q->topics.count > 0 ? x->q->topics : (iv_integers){ usual_T, 2 };

    for (size_t i = 0; i < T.count; i++)
        for (size_t k = 0; k < n.count && x->designs < 64; k++)
            if (n.at[k] <= T.at[i]) {
                x->judged[x->designs] = n.at[k];
                x->drawn[x->designs++] = T.at[i];
            }
}

static void tell(const experiment *x, iv_result *out, size_t cells)
{
    double least = 1.0, sum = 0.0, count_of = 0.0;
    const row *worst = NULL;

    for (size_t i = 0; i < cells * METHODS; i += METHODS) {
        const row *r = &x->rows[i];
        if (r->draws == 0)
            continue;
        sum += r->coverage;
        count_of++;
        if (r->coverage < least) {
            least = r->coverage;
            worst = r;
        }
    }
    if (worst != NULL)
        iv_result_answer(out, "Combined intervals hold the mean over all topics in %.3f of draws on "
                         "average over %.0f cells; least %.3f (%s, %s, %s, %zu of %zu topics).",
                         sum / count_of, count_of, least, worst->judge, worst->measure,
                         worst->kind, worst->judged, worst->topics);
}

static int answer(experiment *x, iv_result *out, const iv_work *work, iv_err *err)
{
    iv_stage stage;

    IV_TRY(read_all(x, iv_work_part(&stage, work, 0.0, 0.1), err));
    choose_designs(x);
    const size_t cells = x->by.count * x->measure_count * 2 * x->designs;
    x->rows = iv_take(&x->memory, cells * METHODS, sizeof *x->rows);
    IV_TRY(iv_taken(&x->memory, err));
    IV_TRY(iv_parallel(&(iv_loop){ cells, one_cell, x, NULL },
                       iv_work_part(&stage, work, 0.1, 1.0), err));
    tell(x, out, cells);
    /* Cells without draws (no second run, no rival where all is judged) say nothing. */
    size_t kept = 0;
    for (size_t i = 0; i < cells * METHODS; i++)
        if (x->rows[i].draws > 0)
            x->rows[kept++] = x->rows[i];
    (void)iv_result_rows(out, &(iv_rows){ "coverage", iv_machine_study_fields, x->rows, kept, sizeof *x->rows });
    return iv_result_status(out, err);
}

int iv_study_answer_machine(iv_result *out, const iv_study_machine_question *q,
                            const iv_work *work, iv_err *err)
{
    static const char *const usual[] = { "P@10", "nDCG@10", "AP", "R@100" };
    experiment x = { .q = q, .draws = q->draws > 0 ? q->draws : 2000,
                     .measures = q->measures.count > 0 ? q->measures.at : usual,
                     .measure_count = q->measures.count > 0 ? q->measures.count : 4,
                     .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };

    if (q->kappa.count > 0)
        return iv_study_machine_kappa(out, q, work, err);
    if (q->positives.count > 0)
        return iv_study_machine_lists(out, q, work, err);
    if (q->source.judgments == NULL || q->machine.files.count == 0)
        return iv_fail(err, IV_EARG, "no judgments or no machine's labels");
    if (q->documents.count > 0)
        return iv_study_machine_documents(out, q, work, err);
    const int rc = answer(&x, out, work, err);
    iv_arena_free(&x.memory);
    return rc;
}
