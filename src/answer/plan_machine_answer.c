/* SPDX-License-Identifier: Apache-2.0 */
/* plan machine: how much to judge when a machine labels all. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/run_notes.h"
#include "base/memory.h"
#include "intervale/answer/plan_machine_question.h"
#include "intervale/num.h"

enum { PRICES = 1 << 0, MEASURES = 1 << 1 };

typedef struct row {
    const char *measure;
    double sd, rho, rho_lower, rho_upper;
    double alone, topics, least, most; /* topics for people */
    double documents_alone, documents, machine_topics, machine_documents;
    double least_width;
    double cost_alone, cost;
    iv_machine_split cheapest;
} row;

const iv_field iv_plan_machine_fields[] = {
    { "measure", IV_AT(row, measure), .shown = MEASURES, .about = "as it was asked for" },
    { "sd", IV_AT(row, sd), .digits = 3, .about = "of people's values over topics, median run" },
    { "rho", IV_AT(row, rho), .digits = 3,
      .about = "correlation of people's values with the machine's, median run" },
    { "rho_lower", IV_AT(row, rho_lower), .digits = 3, .about = "limit of it, from the pilot" },
    { "rho_upper", IV_AT(row, rho_upper), .digits = 3, .about = "limit of it, from the pilot" },
    { "topics_alone", IV_AT(row, alone), .digits = 0,
      .about = "topics that people judge without a machine" },
    { "topics", IV_AT(row, topics), .digits = 0, .about = "topics that people judge with it" },
    { "topics_least", IV_AT(row, least), .digits = 0, .about = "with rho_upper" },
    { "topics_most", IV_AT(row, most), .digits = 0, .about = "with rho_lower" },
    { "documents_alone", IV_AT(row, documents_alone), .digits = 0,
      .about = "judgments by people without it" },
    { "documents", IV_AT(row, documents), .digits = 0, .about = "judgments by people with it" },
    { "machine_topics", IV_AT(row, machine_topics), .digits = 0,
      .about = "topics that the machine labels" },
    { "machine_documents", IV_AT(row, machine_documents), .digits = 0,
      .about = "documents that the machine labels" },
    { "least_width", IV_AT(row, least_width), .digits = 4,
      .about = "that so many topics allow if people judge them all" },
    { "cost_alone", IV_AT(row, cost_alone), .digits = 2, .needs = PRICES,
      .about = "of those judgments at the price given" },
    { "cost", IV_AT(row, cost), .digits = 2, .needs = PRICES,
      .about = "of people's and the machine's together" },
    { "cheapest_topics", IV_AT(row, cheapest.people), .digits = 0, .needs = PRICES,
      .about = "topics for people if the machine's number is free, too" },
    { "cheapest_machine_topics", IV_AT(row, cheapest.machine), .digits = 0, .needs = PRICES,
      .about = "topics that the machine labels then" },
    { "cheapest_cost", IV_AT(row, cheapest.cost), .digits = 2, .needs = PRICES,
      .about = "of both then" },
    { NULL } };

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, by_number);
    return n == 0 ? (double)NAN : 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* Documents of a topic, on average: judged, and labelled. */
static double per_topic(const iv_judgments *j)
{
    const size_t topics = iv_judgments_topics(j);
    const iv_judgment *listed;
    size_t all = 0;

    for (size_t t = 0; t < topics; t++)
        all += iv_judgments_of(&listed, j, t);
    return (double)all / (double)(topics > 0 ? topics : 1);
}

typedef struct planning {
    const iv_plan_machine_question *q;
    iv_assisted *a;
    const iv_evaluated *v;
    double confidence, T, documents, labelled;
} planning;

static int plan_measure(row *r, const planning *p, size_t m, double *room, iv_err *err)
{
    const iv_plan_machine_question *q = p->q;
    const size_t runs = p->v->run_count;
    double *sd = room, *rho = room + runs;
    size_t n = 0, judged = 0;
    iv_machine_topics with, low, high;

    for (size_t k = 0; k < runs; k++) {
        iv_assisted_mean x;
        IV_TRY(iv_assisted_mean_of(&x, p->a, k, m, err));
        if (!isfinite(x.human_se) || !isfinite(x.rho))
            continue;
        sd[n] = x.human_se * sqrt((double)x.judged);
        rho[n++] = x.rho;
        judged = x.judged;
    }
    *r = (row){ .measure = p->v->measures[m].name, .sd = median(sd, n), .rho = median(rho, n),
                .machine_topics = p->T, .machine_documents = ceil(p->T * p->labelled) };
    if (n == 0 || !(r->sd > 0.0))
        return iv_fail(err, IV_ENODATA, "%s does not vary over the topics of the pilot: nothing to "
                       "plan from", r->measure);
    const double z = atanh(fmin(0.999999, fmax(-0.999999, r->rho)));
    const double reach = iv_norm_isf(0.5 * (1.0 - p->confidence)) / sqrt(fmax(1.0, (double)judged - 3.0));
    r->rho_lower = tanh(z - reach);
    r->rho_upper = tanh(z + reach);
    IV_TRY(iv_plan_machine_topics(&with, r->sd, r->rho, p->T, q->width, p->confidence, err));
    /* What matters is how far rho is from 0. */
    const double far = fmax(fabs(r->rho_lower), fabs(r->rho_upper));
    const double near = r->rho_lower * r->rho_upper <= 0.0
        ? 0.0 : fmin(fabs(r->rho_lower), fabs(r->rho_upper));
    IV_TRY(iv_plan_machine_topics(&low, r->sd, near, p->T, q->width, p->confidence, err));
    IV_TRY(iv_plan_machine_topics(&high, r->sd, far, p->T, q->width, p->confidence, err));
    r->alone = ceil(with.alone_t);
    r->topics = ceil(with.by_t);
    r->most = ceil(low.by_t);
    r->least = ceil(high.by_t);
    r->least_width = with.least_width;
    r->documents_alone = ceil(r->alone * p->documents);
    r->documents = ceil(r->topics * p->documents);
    if (q->price > 0.0 && q->machine_price > 0.0) {
        r->cost_alone = r->documents_alone * q->price;
        r->cost = r->documents * q->price + r->machine_documents * q->machine_price;
        IV_TRY(iv_plan_machine_split(&r->cheapest, r->sd, r->rho, p->documents * q->price,
                                     p->labelled * q->machine_price, 0.0, q->width, p->confidence,
                                     err));
        r->cheapest.people = ceil(r->cheapest.people);
        r->cheapest.machine = ceil(r->cheapest.machine);
    }
    return IV_OK;
}

static void tell(iv_result *out, const planning *p, const row *r)
{
    if (r->alone <= p->T)
        iv_result_answer(out, "%s: for an interval of width %g people judge %.0f topics (%.0f "
                         "documents) if the machine labels %.0f, and %.0f topics (%.0f documents) "
                         "without it; as the pilot knows the correlation (%.2f, %.2f to %.2f), %.0f to "
                         "%.0f.", r->measure, p->q->width, r->topics, r->documents, p->T, r->alone,
                         r->documents_alone, r->rho, r->rho_lower, r->rho_upper, r->least, r->most);
    else
        iv_result_answer(out, "%s: for an interval of width %g people judge %.0f topics (%.0f "
                         "documents), with the machine or without it: it labels %.0f, and would have "
                         "to label more than %.0f to help.", r->measure, p->q->width, r->alone,
                         r->documents_alone, p->T, r->alone);
    iv_result_note(out, "the pilot's topics are taken for a random sample of those to come; sd and "
                   "correlation are those of the median run");
    iv_result_note(out, "whole topics are judged; a sample of documents in each (20 or more, drawn by "
                   "machine and rank) needs fewer judgments for the same width");
}

static int answer(planning *p, iv_result *out, iv_err *err)
{
    const iv_assisted_view *v = iv_assisted_viewed(p->a);
    const size_t M = p->v->measure_count;
    row *rows = calloc(M + 1, sizeof *rows);
    double *room = calloc(2 * p->v->run_count + 1, sizeof *room);
    int rc = rows == NULL || room == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    p->T = p->q->topics > 0 ? (double)p->q->topics : (double)v->units;
    p->labelled = per_topic(iv_judge_labels(v->judges[0]));
    p->documents = (double)(iv_judge_view(v->judges[0])->pairs
                            + iv_judge_view(v->judges[0])->only_reference) / (double)v->judged;
    for (size_t m = 0; rc == IV_OK && m < M; m++)
        rc = plan_measure(&rows[m], p, m, room, err);
    if (rc == IV_OK) {
        tell(out, p, &rows[0]);
        (void)iv_result_rows(out, &(iv_rows){ "plan", iv_plan_machine_fields, rows, M, sizeof *rows,
            .with = (p->q->price > 0.0 && p->q->machine_price > 0.0 ? PRICES : 0)
                | (M > 1 ? MEASURES : 0) });
        iv_tell_inputs(out, &p->q->source, p->v);
    }
    free(rows);
    free(room);
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    static const char *const usual[] = { "AP" };
    const iv_plan_machine_question *q = asked;
    planning p = { .q = q, .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    iv_evaluating how = { .measures = q->measures, .interval = IV_INTERVAL_T,
                          .measure.level = q->level };

    if (!(q->width > 0.0))
        return iv_fail(err, IV_EARG, "no width to plan for, expected a number above 0");
    if (how.measures.count == 0)
        how.measures = (iv_texts){ usual, 1 };
    IV_TRY(iv_assisted_new(&p.a, &q->source, &q->machine, &how, work, err));
    p.v = iv_evaluation_view(iv_assisted_viewed(p.a)->human);
    const int rc = answer(&p, out, err);
    iv_assisted_free(p.a);
    return rc;
}

int iv_answer_plan_machine(iv_result *out, const iv_plan_machine_question *q, const iv_work *work,
                           iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_plan_machine_question, source.),
        IV_PART_OF(iv_plan_machine_question, machine.files, PATHS, "file of a machine's labels"),
        IV_PART_OF(iv_plan_machine_question, measures, TEXTS, "measure"),
        IV_PART_OF(iv_plan_machine_question, width, REAL, "the width"),
        IV_PART_OF(iv_plan_machine_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
