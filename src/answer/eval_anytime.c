/* SPDX-License-Identifier: Apache-2.0 */
/* eval, while topics are being judged: limits of means that hold however one stops. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_parts.h"
#include "answer/eval_parts.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "stat/sequential/sequential_parts.h"
#include "base/base_private.h"
#include "estimate/estimate_private.h"
#include "trec/trec_private.h"

static const iv_field anytime_fields[] = {
    { "run", IV_AT(iv_eval_line, run), .about = "its tag, or its file" },
    { "measure", IV_AT(iv_eval_line, measure), .about = "name of the measure" },
    { "topics", IV_AT(iv_eval_line, topics), .about = "number of topics, in the order of the "
                                                     "judgments" },
    { "value", IV_AT(iv_eval_line, value), .digits = 4, .about = "mean over the topics so far" },
    { "lower", IV_AT(iv_eval_line, lower), .digits = 4, .about = "limit that is valid whenever "
                                                                "you stop" },
    { "upper", IV_AT(iv_eval_line, upper), .digits = 4, .about = "limit that is valid whenever "
                                                                "you stop" },
    { "fixed_lower", IV_AT(iv_eval_line, fixed_lower), .digits = 4,
      .about = "usual interval, for a number of topics fixed beforehand" },
    { "fixed_upper", IV_AT(iv_eval_line, fixed_upper), .digits = 4,
      .about = "usual interval, for a number of topics fixed beforehand" },
    { NULL } };

static const iv_field path_fields[] = {
    { "run", IV_AT(iv_eval_line, run), .about = "the run of the answer" },
    { "measure", IV_AT(iv_eval_line, measure), .about = "the first one" },
    { "topics", IV_AT(iv_eval_line, topics), .about = "judged so far" },
    { "topic", IV_AT(iv_eval_line, topic), .about = "the last of them" },
    { "value", IV_AT(iv_eval_line, value), .digits = 4, .about = "mean over them" },
    { "lower", IV_AT(iv_eval_line, lower), .digits = 4, .about = "limit that is valid whenever you "
                                                             "stop" },
    { "upper", IV_AT(iv_eval_line, upper), .digits = 4, .about = "limit that is valid whenever you "
                                                             "stop" },
    { NULL } };

typedef struct watched {
    const iv_eval *e;
    const iv_judgments *judged;
    size_t *order;   /* topics of the evaluation as the judgments have them */
    double *values;  /* [(run * measures + measure) * topics + i]: the i-th of those it has */
    iv_eval_line *rows;
} watched;

/* --------------------------------------------------------------- the order -- */

/* Topics in the order of their first judgments. */
static int find_order(watched *w, iv_err *err)
{
    const iv_evaluated *v = w->e->v;
    iv_placed *all = iv_take(&w->e->out->own, v->topic_count, sizeof *all);

    w->order = iv_take(&w->e->out->own, v->topic_count, sizeof *w->order);
    IV_TRY(iv_taken(&w->e->out->own, err));
    for (size_t t = 0; t < v->topic_count; t++) {
        const iv_judgment *first;
        const size_t at = iv_judgments_find_topic(w->judged, v->topics[t]);
        const bool any = at != IV_NONE && iv_judgments_of(&first, w->judged, at) > 0;
        all[t] = (iv_placed){ any ? -(double)iv_judgments_line(w->judged, first)
                                  : (double)-INFINITY, t };
    }
    qsort(all, v->topic_count, sizeof *all, iv_falling_placed);
    for (size_t t = 0; t < v->topic_count; t++)
        w->order[t] = all[t].at;
    return IV_OK;
}

/* ----------------------------------------------------------------- limits -- */

static int check_measures(const iv_evaluated *v, iv_err *err)
{
    for (size_t i = 0; i < v->measure_count; i++) {
        const iv_evaluated_measure *m = &v->measures[i];
        const iv_value_info *x = m->info;
        if (m->text || !m->per_topic || x == NULL || x->measure->summary != IV_SUMMARY_MEAN
            || !(x->lowest >= 0.0 && x->highest <= 1.0))
            return iv_fail(err, IV_EARG, "the measure %.80s is not a mean of values between 0 "
                                         "and 1, which --anytime needs", m->name);
    }
    return IV_OK;
}

static int one_mean(void *user, void *memory, size_t k, iv_err *err)
{
    watched *w = user;
    const iv_evaluated *v = w->e->v;
    const size_t measures = v->measure_count;
    double *x = w->values + k * v->topic_count;
    iv_eval_line *row = &w->rows[k];

    (void)memory;
    for (size_t i = 0; i < v->topic_count; i++) {
        const double y = iv_evaluation_value(w->e->evaluation, k / measures, k % measures,
                                             w->order[i]).value;
        if (!isnan(y))
            x[row->topics++] = fmin(1.0, fmax(0.0, y)); /* rounding may leave the range */
    }
    row->lower = row->upper = (double)NAN;
    return row->topics == 0 ? IV_OK : iv_anytime_mean(&row->lower, &row->upper, x, row->topics,
                                                      v->resampling.confidence, err);
}

static int find_limits(watched *w, const iv_work *work, iv_err *err)
{
    const iv_evaluated *v = w->e->v;
    const size_t count = v->run_count * v->measure_count;

    w->rows = iv_take(&w->e->out->own, count, sizeof *w->rows);
    w->values = iv_take(&w->e->out->own, count * v->topic_count, sizeof *w->values);
    IV_TRY(iv_taken(&w->e->out->own, err));
    for (size_t k = 0; k < count; k++) {
        const iv_mean *m = &v->means[k];
        w->rows[k] = (iv_eval_line){ .run = v->runs[k / v->measure_count].name,
                                    .measure = v->measures[k % v->measure_count].name,
                                    .value = m->value, .fixed_lower = m->lower,
                                    .fixed_upper = m->upper };
    }
    return iv_parallel(&(iv_loop){ count, one_mean, w, NULL }, work, err);
}

/* ---------------------------------------------------------------- telling -- */

/* How the first measure of the first run came to be what it is. */
static int put_path(watched *w, iv_err *err)
{
    const iv_eval *e = w->e;
    const size_t k = e->order[0] * e->v->measure_count, n = w->rows[k].topics;
    const double *x = w->values + k * e->v->topic_count;
    iv_eval_line *rows = iv_take(&w->e->out->own, n, sizeof *rows);
    double sum = 0.0;
    size_t at = 0;

    IV_TRY(iv_taken(&w->e->out->own, err));
    for (size_t i = 0; i < e->v->topic_count && at < n; i++) {
        const size_t t = w->order[i];
        if (isnan(iv_evaluation_value(e->evaluation, e->order[0], 0, t).value))
            continue;
        iv_eval_line *row = &rows[at];
        sum += x[at++];
        *row = (iv_eval_line){ .run = w->rows[k].run, .measure = w->rows[k].measure,
                           .topic = e->v->topics[t], .topics = at, .value = sum / (double)at };
        IV_TRY(iv_anytime_mean(&row->lower, &row->upper, x, at, e->v->resampling.confidence, err));
    }
    IV_TABLE(e->out, "path", path_fields, rows, n, .showing = IV_FOLDED);
    iv_result_chart(e->out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "path", .title = "As topics were judged",
        .caption = "The line is the mean over the topics so far. The band shows its limits, "
                   "which are valid for all numbers of topics at once.", .x = "topics",
                   .value = "value",
        .lower = "lower", .upper = "upper", .value_axis = { .from = 0.0, .to = 1.0 } });
    return IV_OK;
}

static void tell(const watched *w)
{
    const iv_eval *e = w->e;
    const iv_eval_line *x = &w->rows[e->order[0] * e->v->measure_count];

    iv_result_answer(e->out, "%s: %s %.3f (%.10g %% interval %.3f to %.3f, valid whenever you "
                             "stop) over %zu topic%s.", x->run, x->measure, x->value,
                             100.0 * e->v->resampling.confidence,
                     x->lower, x->upper, x->topics, iv_plural(x->topics));
    iv_result_note(e->out, "Topics count in the order of the judgments. The limits are valid if "
                           "that "
                   "order has nothing to do with the scores, and topics are a random sample.");
    iv_result_legend(e->out, "fixed_lower and fixed_upper are the usual interval, for a number "
                             "of topics that was fixed beforehand. Do not use it to decide when "
                             "to stop.");
    iv_result_used(e->out, "betting");
}

int iv_eval_anytime(const iv_eval *e, const iv_judgments *judged, const iv_work *work,
                    iv_err *err)
{
    watched w = { .e = e, .judged = judged };

    IV_TRY(check_measures(e->v, err));
    IV_TRY(find_order(&w, err));
    IV_TRY(find_limits(&w, work, err));
    IV_TABLE(e->out, "anytime", anytime_fields, w.rows, e->v->run_count * e->v->measure_count,
             .drawn = { "value", "lower", "upper", 0.0, 1.0 });
    IV_TRY(put_path(&w, err));
    tell(&w);
    return IV_OK;
}
