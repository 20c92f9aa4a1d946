/* SPDX-License-Identifier: Apache-2.0 */
/* eval with a machine's labels: people alone, both, and the machine alone, side by side. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/assisted_parts.h"
#include "answer/eval_parts.h"
#include "answer/run_notes.h"
#include "intervale/answer/references.h"

enum { ONE_RUN = 1 << 0, MANY_RUNS = 1 << 1 };

typedef struct line {
    const char *run, *measure;
    iv_assisted_mean is;
} line;

const iv_field iv_eval_assisted_fields[] = {
    { "run", IV_AT(line, run), .shown = MANY_RUNS, .about = "its tag, or its file" },
    { "measure", IV_AT(line, measure), .shown = ONE_RUN, .about = "as it was asked for" },
    { "judged", IV_AT(line, is.judged), .audience = IV_FOR_PROGRAMS,
      .about = "topics that people judged and the machine labelled" },
    { "topics", IV_AT(line, is.units), .audience = IV_FOR_PROGRAMS,
      .about = "that the machine labelled" },
    { "value", IV_AT(line, is.value), .digits = 4, .about = "people and the machine combined" },
    { "se", IV_AT(line, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "its standard error" },
    { "lower", IV_AT(line, is.lower), .digits = 4, .about = "end of its interval" },
    { "upper", IV_AT(line, is.upper), .digits = 4, .about = "end of its interval" },
    { "human", IV_AT(line, is.human), .digits = 4, .about = "people alone" },
    { "human_lower", IV_AT(line, is.human_lower), .digits = 4,
      .about = "end of the interval of people alone" },
    { "human_upper", IV_AT(line, is.human_upper), .digits = 4,
      .about = "end of the interval of people alone" },
    { "machine", IV_AT(line, is.machine), .digits = 4,
      .about = "the machine alone, which has no interval" },
    { "effective", IV_AT(line, is.effective), .digits = 1,
      .about = "judged topics (of a sample: documents) that would tell as much without the "
               "machine" },
    { "gain", IV_AT(line, is.gain), .digits = 3,
      .about = "how much narrower than people's interval, as a share" },
    { "slope", IV_AT(line, is.slope), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "of people's values on the (first) machine's" },
    { "rho", IV_AT(line, is.rho), .digits = 3, .about = "correlation over the judged topics" },
    { "reason", IV_AT(line, is.reason), .audience = IV_IF_ANY,
      .about = "why there is no interval" },
    { NULL } };

typedef struct sheet {
    const iv_eval_question *q;
    iv_assisted *a;
    iv_arena memory;
    const iv_evaluated *v;
    line *lines;   /* by measure, then by run, the best first */
    size_t count, idle, shown;
} sheet;

static int by_value(const void *va, const void *vb)
{
    const double x = ((const line *)va)->is.value, y = ((const line *)vb)->is.value;

    return isnan(x) || isnan(y) ? (isnan(x) ? 1 : 0) - (isnan(y) ? 1 : 0) : (x < y) - (x > y);
}

static int fill(sheet *s, iv_err *err)
{
    for (size_t m = 0; m < s->v->measure_count; m++) {
        line *first = s->lines + s->count;
        for (size_t r = 0; r < s->v->run_count; r++) {
            line l = { .run = s->v->runs[r].name, .measure = s->v->measures[m].name };
            IV_TRY(iv_assisted_mean_of(&l.is, s->a, r, m, err));
            if (isnan(l.is.value) && isnan(l.is.human))
                continue;
            l.is.reason = l.is.reason[0] == '\0' ? NULL : l.is.reason;
            s->lines[s->count++] = l;
            s->shown += isnan(l.is.value) ? 0 : 1;
            s->idle += iv_machine_idle(&l.is);
        }
        /* Equal ones stay in some order: by name of no matter, so by insertion. */
        for (line *x = first + 1; x < s->lines + s->count; x++)
            for (line *y = x; y > first && by_value(y - 1, y) > 0; y--) {
                const line t = *y;
                *y = y[-1];
                y[-1] = t;
            }
    }
    return IV_OK;
}

static void tell(const sheet *s, iv_result *out)
{
    const line *best = &s->lines[0];
    const iv_assisted_mean *m = &best->is;
    const double confidence = 100.0 * s->v->resampling.confidence;
    char span[96] = "", people[96] = "", worth[160] = "", which[64] = "", doubt[240];

    if (isfinite(m->lower))
        (void)snprintf(span, sizeof span, ", %.10g %% interval %.4f to %.4f", confidence, m->lower,
                       m->upper);
    if (isfinite(m->human_lower))
        (void)snprintf(people, sizeof people, " (%.4f to %.4f)", m->human_lower, m->human_upper);
    const iv_assisted_view *v = iv_assisted_viewed(s->a);
    /* Documents, of which there are many a topic, or topics: see iv_assisted_mean. */
    const bool sampled = v->rectified != NULL && m->effective > 2.0 * (double)m->judged;
    const double more = m->effective - (sampled ? (double)iv_judge_view(v->judges[0])->pairs
                                                : (double)m->judged);
    if (!m->alone && isfinite(more) && !iv_machine_idle(m) && more >= 0.5
        && !(m->gain <= 0.0)) /* worth topics, but too little to narrow the interval */
        (void)snprintf(worth, sizeof worth, " The machine is worth %.0f more judged %s%s.", more,
                       sampled ? "document" : "topic", more < 1.5 ? "" : "s");
    else if (!m->alone)
        (void)snprintf(worth, sizeof worth, " The machine adds nothing here.");
    if (s->v->run_count > 1)
        (void)snprintf(which, sizeof which, "%zu runs; highest ", s->v->run_count);
    iv_assisted_doubted(doubt, sizeof doubt, v, best->measure, m);
    iv_result_answer(out, "%s%s: %s %.4f%s from %zu judged and %zu machine-labelled topics; people "
                     "alone %.4f%s, the machine alone says %.4f.%s%s", which, best->run,
                     best->measure, m->value, span, m->judged, m->units, m->human, people,
                     m->machine, worth, doubt);
}

/* People and both, one below the other: what the forest is drawn from. */
typedef struct arm {
    const char *run, *measure, *by;
    double value, lower, upper;
} arm;

const iv_field iv_eval_arm_fields[] = {
    { "run", IV_AT(arm, run), .about = "its tag, or its file" },
    { "measure", IV_AT(arm, measure), .about = "as it was asked for" },
    { "by", IV_AT(arm, by), .about = "people, or people and the machine" },
    { "value", IV_AT(arm, value), .digits = 4, .about = "the mean over topics" },
    { "lower", IV_AT(arm, lower), .digits = 4, .about = "end of its interval" },
    { "upper", IV_AT(arm, upper), .digits = 4, .about = "the other end" },
    { NULL } };

static int draw(sheet *s, iv_result *out, iv_err *err)
{
    arm *arms = iv_take(&s->memory, 2 * s->count, sizeof *arms);

    IV_TRY(iv_taken(&s->memory, err));
    for (size_t i = 0; i < s->count; i++) {
        const line *l = &s->lines[i];
        arms[2 * i] = (arm){ l->run, l->measure, "combined", l->is.value, l->is.lower, l->is.upper };
        arms[2 * i + 1] = (arm){ l->run, l->measure, "people", l->is.human, l->is.human_lower,
                                 l->is.human_upper };
    }
    (void)iv_result_rows(out, &(iv_rows){ "arms", iv_eval_arm_fields, arms, 2 * s->count, sizeof *arms,
                                          .showing = IV_FOLDED });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "arms", .title = "People, and people with the machine",
        .caption = "Of each run two lines: the interval of people's judgments alone, and of these "
                   "combined with the machine's labels. The machine alone has none.",
        .label = "run", .against = "by", .group = "by", .page = "measure", .value = "value",
        .lower = "lower", .upper = "upper", .value_axis = { .title = "mean over topics" } });
    return IV_OK;
}

static int answer(sheet *s, iv_result *out, iv_err *err)
{
    const bool many = s->v->run_count > 1;

    s->lines = iv_take(&s->memory, s->v->run_count * s->v->measure_count, sizeof *s->lines);
    IV_TRY(iv_taken(&s->memory, err));
    IV_TRY(fill(s, err));
    if (s->count == 0)
        return iv_fail(err, IV_EARG, "no measure has a mean over topics, expected one that has");
    tell(s, out);
    (void)iv_result_rows(out, &(iv_rows){ "measures", iv_eval_assisted_fields, s->lines, s->count, sizeof *s->lines,
                                          .with = many ? MANY_RUNS : ONE_RUN,
                                          .drawn = { "value", "lower", "upper", 0.0, 0.0 },
                                          .split = many ? "measure" : NULL });
    IV_TRY(draw(s, out, err));
    if (s->q->topics)
        IV_TRY(iv_eval_assisted_topics(out, &s->memory, s->a, err));
    IV_TRY(iv_tell_machines(out, &s->memory, &s->q->source, &s->q->machine, s->a, s->idle,
                            s->shown, err));
    iv_tell_run_files(out, s->v);
    iv_result_legend(out, "value is people and the machine combined, human people alone; machine is "
                     "the mean of the machine's scores, which no interval belongs to; effective is "
                     "how many judged %s would tell as much without the machine",
                     iv_assisted_viewed(s->a)->rectified != NULL ? "documents" : "topics");
    iv_result_used(out, iv_assisted_viewed(s->a)->rectified != NULL ? "difference-estimator"
                                                                    : "regression-estimator");
    if (s->v->sampling != NULL)
        iv_result_used(out, "aslam-pavlu");
    return IV_OK;
}

int iv_eval_assisted(iv_result *out, const iv_eval_question *q, const iv_work *work, iv_err *err)
{
    sheet s = { .q = q };

    if (q->trec != NULL || q->matrix != NULL || q->no_summary)
        return iv_fail(err, IV_EARG, "beside a machine's labels there are always means over topics, "
                       "and no files of scores");
    int rc = iv_assisted_new(&s.a, &q->source, &q->machine, &q->how, work, err);
    if (rc == IV_OK) {
        s.v = iv_evaluation_view(iv_assisted_viewed(s.a)->human);
        rc = answer(&s, out, err);
    }
    iv_arena_free(&s.memory);
    iv_assisted_free(s.a);
    return rc;
}
