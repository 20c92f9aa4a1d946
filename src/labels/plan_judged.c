/* SPDX-License-Identifier: Apache-2.0 */
/* plan machine of scores: how many answers people should label beside a judge's scores, and
 * which. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "labels/judged_scores.h"
#include "labels/next_labels.h"
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
    double labels, alone, gain, least_width, needed; /* needed: items */
    size_t pilot, items;
    iv_judged_estimate is;
    size_t system;
} plan_row;

const iv_field iv_plan_judged_fields[] = {
    { "run", IV_AT(plan_row, run), .heading = "system", .about = "name of the system" },
    { "against", IV_AT(plan_row, against), .needs = PAIRS, .about = "the baseline" },
    { "labels", IV_AT(plan_row, labels), .digits = 0, .audience = IV_IF_ANY,
      .about = "human labels in all, chosen as those of the pilot" },
    { "items_needed", IV_AT(plan_row, needed), .digits = 0, .audience = IV_IF_VARIES,
      .heading = "of items", .about = "items that the judge must score" },
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

/* Where labels of all items are too few: more items, of which people label the same part. */
static void add_items(plan_row *r, double goal)
{
    const iv_judged_mean *m = &r->is.both, *alone = &r->is.human;
    const double more = m->se * m->se / (goal * goal);

    if (!(r->alone <= (double)r->items))
        r->alone = ceil((double)alone->labelled * alone->se * alone->se / (goal * goal) - 1e-9);
    if (r->labels <= (double)r->items || !(more > 1.0))
        return;
    r->needed = ceil((double)r->items * more - 1e-9);
    r->labels = ceil((double)m->labelled * more - 1e-9);
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
    *r = (plan_row){ .run = s->scored.v->systems[system],
                     .against = less != IV_NONE ? s->scored.v->systems[less] : NULL,
                     .labels = labels_for(&x.both, goal), .alone = labels_for(&x.human, goal),
                     .least_width = 2.0 * reach * sqrt(fmax(0.0, rest)),
                     .pilot = x.both.labelled, .items = x.both.items,
                     .needed = (double)x.both.items, .is = x, .system = system };
    if (x.both.differing < IV_JUDGED_DIFFERING) /* how often they differ is not known */
        r->labels = r->alone;
    add_items(r, goal);
    r->gain = r->alone / r->labels;
    return IV_OK;
}

/* strata: labels in all if they are chosen within strata of the judge's scores; 0: not planned. */
static void say_plan(iv_result *out, const plan_row *r, const iv_plan_machine_question *q,
                     double strata)
{
    char goal[120], more[160] = "";

    if (strata > 0.0 && strata < r->labels && strata > (double)r->pilot)
        (void)snprintf(more, sizeof more, " Chosen within strata of the judge's scores, about %.0f "
                       "are enough: --table next names them.", strata);
    else if (strata > (double)r->pilot)
        (void)snprintf(more, sizeof more, " --table next names items to label next.");

    if (q->margin > 0.0)
        (void)snprintf(goal, sizeof goal, "a gate at margin %.10g that passes an equal system with "
                       "probability 0.8", q->margin);
    else
        (void)snprintf(goal, sizeof goal, "an interval %.10g wide", q->width);
    if (!(r->needed <= (double)r->items))
        iv_result_answer(out, "For %s, the %zu items of '%.100s' are too few, however many labels "
                         "they get: the judge must score about %s items, and people label %s of "
                         "them (without the judge: %s).", goal, r->items, r->run,
                         IV_COUNT(r->needed), IV_COUNT(r->labels), IV_COUNT(r->alone));
    else
        iv_result_answer(out, "For %s, people must label %.0f items of '%.100s' in all (without "
                         "the judge: %.0f). The pilot has %zu.%s", goal, r->labels, r->run,
                         r->alone, r->pilot, more);
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
    const iv_score_table *v = s.scored.v;
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
    const plan_row *most = &rows[0]; /* what needs the most items, then labels */
    for (size_t k = 1; k < count; k++)
        if (rows[k].needed > most->needed
            || (rows[k].needed == most->needed && rows[k].labels > most->labels))
            most = &rows[k];
    double strata = 0.0;
    const iv_next_plan plan = { &s, most->system, base, &most->is, most->labels };
    IV_TABLE(out, "plan", iv_plan_judged_fields, rows, count,
             .with = (pairs ? PAIRS : 0) | (q->width > 0.0 ? WIDTHS : 0));
    if (most->needed <= (double)most->items)
        IV_TRY(iv_next_labels(&strata, out, &plan, work, err));
    say_plan(out, most, q, strata);
    iv_result_used(out, "judge-regression");
    if (strata > 0.0)
        iv_result_used(out, "judge-strata");
    return IV_OK;
}
