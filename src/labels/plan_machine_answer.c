/* SPDX-License-Identifier: Apache-2.0 */
/* plan machine: how many documents people should label beside automatic labels. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "labels/judged_scores.h"
#include "labels/plan_machine.h"
#include "labels/two_phase.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/methods.h"
#include "retrieval/run_notes.h"
#include "scores/score_tables.h"
#include "trec/run_source.h"

#include <math.h>
#include <stdlib.h>

enum { MEASURES = 1 << 0, DOCUMENTS = 1 << 1 };

typedef struct row {
    const char *measure;
    double labels, each, topics;  /* of documents: in all, a topic; of whole topics */
    double alone, alone_topics;
    double gain;                  /* alone over labels, or topics */
    double least_width;
} row;

const iv_field iv_plan_machine_fields[] = {
    { "measure", IV_AT(row, measure), .shown = MEASURES, .about = "name of the measure" },
    { "labels", IV_AT(row, labels), .digits = 0, .needs = DOCUMENTS, .audience = IV_IF_ANY,
      .about = "human labels, a random sample of all labelled documents" },
    { "each", IV_AT(row, each), .digits = 0, .needs = DOCUMENTS, .audience = IV_IF_ANY,
      .heading = "per topic",
      .about = "human labels of each topic (by-topic)" },
    { "topics", IV_AT(row, topics), .digits = 0, .audience = IV_IF_ANY,
      .about = "whole topics to judge" },
    { "labels_alone", IV_AT(row, alone), .digits = 0, .needs = DOCUMENTS, .audience = IV_IF_ANY,
      .heading = "without automatic",
      .about = "human labels without automatic ones" },
    { "topics_alone", IV_AT(row, alone_topics), .digits = 0, .audience = IV_IF_ANY,
      .about = "whole topics without automatic labels" },
    { "gain", IV_AT(row, gain), .digits = 2, .audience = IV_IF_ANY,
      .about = "factor by which more labels are needed without automatic ones" },
    { "least_width", IV_AT(row, least_width), .digits = 4, .heading = "least possible width",
      .about = "width of the interval if people label everything" },
    { NULL } };

typedef struct planning {
    const iv_plan_machine_question *q;
    iv_two_phase *a;
    const iv_evaluated *v;
    double confidence;
} planning;

static double median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, iv_ascending);
    return n == 0 ? (double)NAN : 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* n with topics + documents (1/n - 1/N) / (1/n0 - 1/N) = goal, or the least; NaN: not by any n. */
static double labels_for(double goal, double topics, double documents, double n0, double N,
                         double least)
{
    const double unit = documents / (1.0 / n0 - 1.0 / N), left = goal - topics;

    return left > 0.0 ? fmax(least, ceil(1.0 / (left / unit + 1.0 / N) - 1e-9)) : (double)NAN;
}

static int plan_documents(row *r, const planning *p, size_t m, double *room, iv_err *err)
{
    const size_t runs = p->v->run_count;
    const double n0 = (double)p->a->population.labels, N = (double)p->a->population.labelled;
    const double T = (double)p->a->population.topic_count;
    const double reach = iv_t_isf(0.5 * (1.0 - p->confidence), T - 1.0);
    const double goal = p->q->width / (2.0 * reach);
    double *parts[3] = { room, room + runs, room + 2 * runs }, least = 0.0, each = 1.0;

    for (size_t k = 0; k < runs; k++) {
        double of_run[3];
        IV_TRY(iv_two_phase_parts_of(of_run, &least, &each, p->a, k, m, err));
        for (size_t i = 0; i < 3; i++)
            parts[i][k] = of_run[i];
    }
    const double topics = median(parts[0], runs);
    r->labels = labels_for(goal * goal, topics, median(parts[1], runs), n0, N, least);
    r->alone = labels_for(goal * goal, topics, median(parts[2], runs), n0, N, least);
    r->each = isfinite(r->labels) ? fmax(each, ceil(r->labels / T)) : (double)NAN;
    r->gain = r->alone / r->labels;
    r->least_width = 2.0 * reach * sqrt(topics);
    r->topics = r->alone_topics = (double)NAN;
    return IV_OK;
}

/* Whole topics: the variance is sd^2 ((1 - rho^2) / n + rho^2 / T). */
static int plan_topics(row *r, const planning *p, size_t m, double *room, iv_err *err)
{
    const size_t runs = p->v->run_count;
    double *sd = room, *rho = room + runs;
    iv_machine_topics plan;
    size_t n = 0;

    for (size_t k = 0; k < runs; k++) {
        iv_two_phase_mean x;
        IV_TRY(iv_two_phase_mean_of(&x, p->a, m, k, IV_NONE, err));
        if (!isfinite(x.human_se) || !isfinite(x.rho))
            continue;
        sd[n] = x.human_se * sqrt((double)p->a->population.judged);
        rho[n++] = x.rho;
    }
    const double spread = median(sd, n);
    if (n == 0 || !(spread > 0.0))
        return iv_fail(err, IV_ENODATA, "%s does not vary over the topics of the pilot: nothing to "
                       "plan from", r->measure);
    IV_TRY(iv_plan_machine_topics(&plan, spread, median(rho, n),
                                  (double)p->a->population.topic_count, p->q->width,
                                  p->confidence, err));
    r->topics = ceil(plan.by_t);
    r->alone_topics = ceil(plan.alone_t);
    r->gain = r->alone_topics / r->topics;
    r->least_width = plan.least_width;
    return IV_OK;
}

static void tell(iv_result *out, const planning *p, const row *r)
{
    const double width = p->q->width;

    if (isfinite(r->topics))
        iv_result_answer(out, "For %s, people must judge %.0f whole topics for an interval %g wide "
                         "(without automatic labels: %.0f).", r->measure, r->topics, width,
                         r->alone_topics);
    else if (isfinite(r->labels))
        iv_result_answer(out, "For %s, people must label %.0f random documents, or %.0f per "
                         "topic, for an interval %g wide (without automatic labels: %.0f).",
                         r->measure,
                         r->labels, r->each, width, r->alone);
    else
        iv_result_answer(out, "For %s, %zu topics are too few for an interval %g wide: with all "
                         "their documents labelled, it is %.3f wide.",
                         r->measure, p->a->population.topic_count, width, r->least_width);
    iv_result_assumption(out, "The plan is for the median run; a small pilot makes it uncertain.");
}

static int answer(planning *p, iv_result *out, iv_err *err)
{
    const size_t M = p->v->measure_count, runs = p->v->run_count;
    const bool topics = p->a->how.design == IV_HUMAN_TOPICS;
    row *rows = iv_take(iv_result_own(out), M + 1, sizeof *rows);
    double *room = iv_take(iv_result_own(out), 3 * runs + 1, sizeof *room);

    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t m = 0; m < M; m++) {
        rows[m].measure = p->v->measures[m].name;
        IV_TRY(topics ? plan_topics(&rows[m], p, m, room, err)
                      : plan_documents(&rows[m], p, m, room, err));
    }
    tell(out, p, &rows[0]);
    IV_TABLE(out, "plan", iv_plan_machine_fields, rows, M,
             .with = (M > 1 ? MEASURES : 0) | (topics ? 0 : DOCUMENTS));
    iv_tell_inputs(out, &p->q->source, p->v);
    iv_result_used(out, topics ? "regression-estimator" : "difference-estimator");
    iv_result_used(out, "t");
    return IV_OK;
}

IV_ENDS(two_phase)

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    static const char *const usual[] = { "AP" };
    typedef iv_plan_machine_question T;
    const iv_plan_machine_question *q = asked;
    planning p = { .q = q, .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    iv_evaluating how = { .measures = q->measures, .interval = IV_INTERVAL_T,
                          .measure.level = q->level };
    iv_machines machine = q->machine;

    IV_TRY(iv_scored_absent(&q->scores, false, false, err));
    if (q->scores.given) {
        IV_TRY(IV_REFUSE(q, "with --scores", err, IV_IDLE(source.judgments, "pilot"),
            IV_IDLE(machine.files.count, "machine"), IV_IDLE(machine.level, "machine-level"),
            IV_IDLE(level, "level")));
        return iv_plan_judged(out, q, work, err);
    }
    IV_TRY(IV_REFUSE(q, "without --scores", err, IV_IDLE(baseline, "baseline"),
        IV_IDLE(margin, "margin"), IV_IDLE(machine.human_labels, "human-labels")));
    if (!(q->width > 0.0))
        return iv_fail(err, IV_EARG, "no width to plan for, expected a number above 0");
    if (how.measures.count == 0)
        how.measures = (iv_texts){ usual, 1 };
    IV_TRY(iv_two_phase_new(&p.a, &q->source, &machine, &how, work, err));
    IV_TRY(IV_KEEP(out, two_phase, p.a, err));
    p.v = iv_evaluation_view(p.a->runs);
    return answer(&p, out, err);
}

int iv_answer_plan_machine(iv_result *out, const iv_plan_machine_question *q, const iv_work *work,
                           iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_plan_machine_question, source.),
        IV_MACHINES_PARTS(iv_plan_machine_question, machine.),
        IV_PART_OF(iv_plan_machine_question, measures, TEXTS, "measure"),
        IV_SCORES_PARTS(iv_plan_machine_question, scores.),
        IV_PART_OF(iv_plan_machine_question, margin, REAL, "the margin"),
        IV_PART_OF(iv_plan_machine_question, width, REAL, "the width"),
        IV_PART_OF(iv_plan_machine_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
