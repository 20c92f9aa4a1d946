/* SPDX-License-Identifier: Apache-2.0 */
/* plan machine of scores: how many answers people should label beside a judge's scores. */
#include "base/err.h"
#include "base/memory.h"
#include "labels/judged_scores.h"
#include "labels/plan_machine.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 1, WIDTHS = 2 };

typedef struct plan_row {
    const char *run, *against;
    double labels, alone, gain, least_width;
    size_t pilot, items;
} plan_row;

const iv_field iv_plan_judged_fields[] = {
    { "run", IV_AT(plan_row, run), .heading = "system", .about = "name of the system" },
    { "against", IV_AT(plan_row, against), .needs = PAIRS, .about = "the baseline" },
    { "labels", IV_AT(plan_row, labels), .digits = 0, .audience = IV_IF_ANY,
      .about = "human labels in all, chosen as those of the pilot" },
    { "labels_alone", IV_AT(plan_row, alone), .digits = 0, .audience = IV_IF_ANY,
      .heading = "without the judge", .about = "human labels without the judge's scores" },
    { "gain", IV_AT(plan_row, gain), .digits = 2, .audience = IV_IF_ANY,
      .about = "factor by which more labels are needed without the judge" },
    { "least_width", IV_AT(plan_row, least_width), .digits = 4, .needs = WIDTHS,
      .heading = "least possible width",
      .about = "width of the interval with very many labels of these items" },
    { "pilot", IV_AT(plan_row, pilot), .audience = IV_FOR_PROGRAMS,
      .about = "human labels of the pilot" },
    { "items", IV_AT(plan_row, items), .audience = IV_FOR_PROGRAMS,
      .about = "items that the judge scored" },
    { NULL } };

/* Labels with which the standard error is `goal`; NaN: no number does it.  The part of the variance
 * that labels reduce falls with their number. */
static double labels_for(const iv_judged_mean *m, double goal)
{
    const double rest = m->se * m->se - m->of_labels, left = goal * goal - rest;

    return left > 0.0 ? ceil((double)m->labelled * m->of_labels / left - 1e-9) : (double)NAN;
}

static int fill_plan(plan_row *r, const iv_judged_scores *s, const iv_plan_machine_question *q,
                     double confidence, size_t system, size_t less, iv_err *err)
{
    const double reach = iv_norm_isf(0.5 * (1.0 - confidence));
    const double goal = q->margin > 0.0 ? q->margin / (iv_norm_isf(1.0 - confidence)
                                                       + iv_norm_isf(0.2))
                                        : 0.5 * q->width / reach;
    iv_judged_estimate x;

    IV_TRY(iv_judged_estimate_of(&x, s, system, less, err));
    const double rest = x.both.se * x.both.se - x.both.of_labels;
    *r = (plan_row){ .run = s->card.v->systems[system],
                     .against = less != IV_NONE ? s->card.v->systems[less] : NULL,
                     .labels = labels_for(&x.both, goal), .alone = labels_for(&x.human, goal),
                     .least_width = 2.0 * reach * sqrt(fmax(0.0, rest)),
                     .pilot = x.both.labelled, .items = x.both.items };
    if (x.both.differing < IV_JUDGED_DIFFERING) /* how often they differ is not known */
        r->labels = r->alone;
    r->gain = r->alone / r->labels;
    return IV_OK;
}

static void say_plan(iv_result *out, const plan_row *r, const iv_plan_machine_question *q)
{
    char goal[120];

    if (q->margin > 0.0)
        (void)snprintf(goal, sizeof goal, "a gate at margin %.10g that passes an equal system with "
                       "probability 0.8", q->margin);
    else
        (void)snprintf(goal, sizeof goal, "an interval %.10g wide", q->width);
    if (!isfinite(r->labels))
        iv_result_answer(out, "For %s, the %zu items of '%.100s' are too few, however many labels "
                         "they get: the judge must score more items.", goal, r->items, r->run);
    else
        iv_result_answer(out, "For %s, people must label %.0f items of '%.100s' in all (without "
                         "the judge: %.0f). The pilot has %zu.", goal, r->labels, r->run, r->alone,
                         r->pilot);
    iv_result_assumption(out, "More labels are chosen as those of the pilot. A small pilot makes "
                         "the plan uncertain.");
}

int iv_plan_judged(iv_result *out, const iv_plan_machine_question *q, const iv_work *work,
                   iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const bool pairs = q->baseline != NULL;
    iv_judged_scores s = { .confidence = confidence };
    size_t base = IV_NONE, count = 0;

    if (!iv_judged_asked(&q->scores, &q->machine))
        return iv_fail(err, IV_EARG, "a plan needs human labels of a pilot: --columns human=NAME "
                       "or --human-labels FILE");
    if (q->margin > 0.0 && (!pairs || q->width > 0.0))
        return iv_fail(err, IV_EARG, "--margin needs --baseline and no --width");
    if (!(q->margin > 0.0) && !(q->width > 0.0))
        return iv_fail(err, IV_EARG, "nothing to plan for, expected --width or --margin");
    IV_TRY(iv_judged_scores_read(&s, &q->scores, &q->machine, &q->measures, out, work, err));
    const iv_score_table *v = s.card.v;
    for (size_t r = 0; pairs && r < v->system_count; r++)
        base = strcmp(v->systems[r], q->baseline) == 0 ? r : base;
    if (pairs && base == IV_NONE)
        return iv_fail(err, IV_EARG, "no system '%.80s' for the baseline", q->baseline);
    plan_row *rows = iv_take(iv_result_own(out), v->system_count + 1, sizeof *rows);
    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t r = 0; r < v->system_count; r++)
        if (r != base)
            IV_TRY(fill_plan(&rows[count++], &s, q, confidence, r, base, err));
    if (count == 0)
        return iv_fail(err, IV_ENODATA, "there is no system beside the baseline");
    say_plan(out, &rows[0], q);
    IV_TABLE(out, "plan", iv_plan_judged_fields, rows, count,
             .with = (pairs ? PAIRS : 0) | (q->width > 0.0 ? WIDTHS : 0));
    iv_result_used(out, "judge-regression");
    return IV_OK;
}
