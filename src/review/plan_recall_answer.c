/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `plan recall`: how many documents to sample for a recall interval. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "review/recall.h"
#include "review/recall_plan.h"

#include <math.h>
#include <string.h>

enum { MOST_SPREAD = 7, USUAL = 4 };

/* A design and what to expect of it. */
typedef struct design_row {
    double recall, precision; /* the guess; NaN: all of them */
    int64_t n, n1, n0;
    iv_recall_expected e;
} design_row;

typedef struct planning {
    const iv_plan_recall_question *q;
    iv_result *out;
    const iv_work *work;
    iv_recall_plan plan;
    iv_recall_guess guesses[IV_PLAN_GUESSES];
    iv_recall_goal goal;
    double wanted; /* of the goal; 0: sizes are given */
    double lower;  /* limit that is wanted; 0: none */
    int64_t read; /* documents that are judged already */
    size_t part, parts;
    iv_stage stage;
    design_row *rows;
    size_t row_count;
} planning;

/* The next part of the work, of all there are. */
static const iv_work *next_part(planning *p)
{
    const double n = (double)p->parts;

    p->part++;
    return iv_work_part(&p->stage, p->work, fmin(1.0, (double)(p->part - 1) / n),
                        fmin(1.0, (double)p->part / n));
}

/* Two numbers are a range: its middle is tried too. */
static size_t spread(double out[MOST_SPREAD], iv_reals given)
{
    if (given.count == 2) {
        out[0] = given.at[0];
        out[1] = 0.5 * (given.at[0] + given.at[1]);
        out[2] = given.at[1];
        return given.at[0] == given.at[1] ? 1 : 3;
    }
    memcpy(out, given.at, given.count * sizeof *out);
    return given.count;
}

static int prepare(planning *p, iv_err *err)
{
    const iv_plan_recall_question *q = p->q;
    double recall[MOST_SPREAD], precision[MOST_SPREAD];
    const bool read = q->retrieved_judged != 0;
    size_t n = 0;

    if (read && (q->precision.count > 0 || q->retrieved_judged < 0
                 || q->retrieved_judged > q->retrieved))
        return iv_fail(err, IV_EARG, "%lld relevant of the %lld retrieved, expected 1 to all of "
                       "them, and no precision besides", (long long)q->retrieved_judged,
                       (long long)q->retrieved);
    if (q->recall.count < 1 || q->recall.count > MOST_SPREAD || (q->precision.count < 1 && !read)
        || q->precision.count > MOST_SPREAD)
        return iv_fail(err, IV_EARG, "1 to %d guesses of recall and of precision are needed",
                       MOST_SPREAD);
    if ((q->total.count > 0) + (q->width != 0.0) + (q->lower != 0.0) + (q->target != 0.0) > 1)
        return iv_fail(err, IV_EARG, "expected one of totals, a width, a lower limit and a target");
    if (q->assurance != 0.0 && q->lower == 0.0 && q->target == 0.0)
        return iv_fail(err, IV_EARG, "an assurance needs a lower limit or a target");
    if (q->guaranteed && q->method != IV_RECALL_AUTO && q->method != IV_RECALL_EXACT)
        return iv_fail(err, IV_EARG, "--guaranteed has a method of its own, not %s",
                       iv_recall_method_names()[q->method]);
    const double wishes[] = { q->width, q->lower, q->assurance, q->target };
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++)
        if (!(wishes[i] >= 0.0 && wishes[i] < 1.0))
            return iv_fail(err, IV_EARG, "%g is wanted, expected above 0 and below 1", wishes[i]);
    const size_t recalls = spread(recall, q->recall);
    const double known = (double)q->retrieved_judged / (double)q->retrieved;
    const size_t precisions = spread(precision, read ? (iv_reals){ &known, 1 } : q->precision);
    for (size_t i = 0; i < recalls; i++) {
        for (size_t k = 0; k < precisions && n < IV_PLAN_GUESSES; k++)
            p->guesses[n++] = (iv_recall_guess){ recall[i], precision[k] };
    }
    p->lower = q->target != 0.0 ? q->target : q->lower;
    const double assurance = q->target != 0.0 && q->assurance == 0.0 ? 0.8 : q->assurance;
    p->goal = p->lower == 0.0     ? IV_GOAL_WIDTH
              : assurance == 0.0  ? IV_GOAL_LOWER : IV_GOAL_ASSURANCE;
    p->wanted = p->goal == IV_GOAL_WIDTH   ? q->width
                : p->goal == IV_GOAL_LOWER ? p->lower : assurance;
    p->plan = (iv_recall_plan){ q->population, q->retrieved,
                                { .method = q->guaranteed ? IV_RECALL_EXACT : q->method,
                                  .confidence = q->confidence,
                                  .one_sided = q->one_sided || q->target != 0.0 },
                                p->guesses, n, p->lower, read };
    p->read = read ? q->retrieved : 0;
    return IV_OK;
}

/* One guess by itself. */
static iv_recall_plan only(const planning *p, size_t guess)
{
    iv_recall_plan one = p->plan;

    one.guesses = &p->guesses[guess];
    one.guess_count = 1;
    return one;
}

/* guess NULL: all of them. */
static void add_row(planning *p, const iv_recall_guess *guess, const iv_recall_design *d,
                    const iv_recall_expected *e)
{
    p->rows[p->row_count++] = (design_row){
        guess == NULL ? NAN : guess->recall, guess == NULL ? NAN : guess->precision,
        d->n1 + d->n0, d->n1, d->n0, *e };
}

/* What all guesses together may expect of a design: the worst of each. */
static iv_recall_expected worst_of(const iv_recall_expected *e, size_t count)
{
    iv_recall_expected w = e[0];

    for (size_t i = 1; i < count; i++) {
        w.width = fmax(w.width, e[i].width);
        w.lower = fmin(w.lower, e[i].lower);
        w.upper = fmax(w.upper, e[i].upper);
        w.p_lower = fmin(w.p_lower, e[i].p_lower);
    }
    return w;
}

/* Best for n documents, or of the least size when something is wanted; with what to expect. */
static int best_design(iv_recall_design *d, iv_recall_expected *e, planning *p,
                       const iv_recall_plan *plan, int64_t n, iv_err *err)
{
    const iv_work *whole = next_part(p);
    iv_stage stage;
    const iv_work *work = iv_work_part(&stage, whole, 0.0, 0.95);

    IV_TRY(p->wanted == 0.0 ? iv_recall_best_split(d, plan, n, p->goal, work, err)
                            : iv_recall_least_size(d, plan, p->goal, p->wanted, work, err));
    work = iv_work_part(&stage, whole, 0.95, 1.0);
    return iv_recall_expect(e, plan, d->n1, d->n0, work, err);
}

static int plan_size(planning *p, int64_t n, iv_recall_design *chosen, iv_err *err)
{
    iv_recall_expected e[IV_PLAN_GUESSES] = { 0 };

    for (size_t i = 0; i < p->plan.guess_count; i++) {
        const iv_recall_plan one = only(p, i);
        IV_TRY(best_design(chosen, e, p, &one, n, err));
        add_row(p, &p->guesses[i], chosen, e);
    }
    if (p->plan.guess_count > 1) {
        IV_TRY(best_design(chosen, e, p, &p->plan, n, err));
        const iv_recall_expected worst = worst_of(e, p->plan.guess_count);
        add_row(p, NULL, chosen, &worst);
    }
    return IV_OK;
}

/* -------------------------------------------------------------- answer -- */

/* chance: that the wanted lower limit is reached. */
static void report(const planning *p, iv_recall_design d, double chance)
{
    const bool many = p->plan.guess_count > 1;
    char judge[160], n1[IV_FIGURE_SIZE], n0[IV_FIGURE_SIZE], n[IV_FIGURE_SIZE],
        goal[IV_FIGURE_SIZE], assumed[IV_FIGURE_SIZE];

    (void)iv_thousands(n1, (double)d.n1);
    (void)iv_thousands(n0, (double)d.n0);
    (void)iv_percent(goal, p->lower, p->lower);
    if (p->read > 0)
        (void)snprintf(judge, sizeof judge, "With all %s retrieved documents read, judge %s "
                       "unretrieved ones", n1, n0);
    else
        (void)snprintf(judge, sizeof judge, "Judge %s retrieved and %s unretrieved documents (%s "
                       "in all)", n1, n0, iv_thousands(n, (double)(d.n1 + d.n0)));
    if (p->goal == IV_GOAL_WIDTH)
        iv_result_answer(p->out, "%s: the expected width of the interval is %s%.3f%s.", judge,
                         many ? "at most " : "", d.value, many ? " for all guesses" : "");
    else if (p->q->target != 0.0)
        iv_result_answer(p->out, "%s. If recall is %s, this %s a recall of at least %s with a "
                         "chance of %s%.0f %%.", judge, many ? "as assumed"
                         : iv_percent(assumed, p->guesses[0].recall, p->guesses[0].recall),
                         p->q->guaranteed ? "certifies" : "demonstrates", goal,
                         many ? "at least " : "", 100.0 * chance);
    else
        iv_result_answer(p->out, p->goal == IV_GOAL_LOWER
                         ? "%s: the expected lower limit is %s, reached with a chance of %s%.0f %%."
                         : "%s: the lower limit will be at least %s with a chance of %s%.0f %%.",
                         judge, goal, many ? "at least " : "", 100.0 * chance);
    iv_recall_say(p->out, "plan.expected-limit", p->goal == IV_GOAL_LOWER, NULL, NULL);
}

enum { LOWER = 1, WIDTH = 2 };

const iv_field iv_plan_recall_fields[] = {
    { "recall", IV_AT(design_row, recall), .digits = 3, .about = "assumed recall; empty: any" },
    { "precision", IV_AT(design_row, precision), .digits = 3, .about = "assumed precision" },
    { "documents", IV_AT(design_row, n), .about = "documents to judge" },
    { "retrieved", IV_AT(design_row, n1), .about = "retrieved documents to judge" },
    { "unretrieved", IV_AT(design_row, n0), .about = "unretrieved documents to judge" },
    { "width", IV_AT(design_row, e.width), .digits = 3, .shown = WIDTH,
      .about = "expected width of the interval" },
    { "lower", IV_AT(design_row, e.lower), .digits = 3, .about = "expected lower limit" },
    { "upper", IV_AT(design_row, e.upper), .digits = 3, .about = "expected upper limit" },
    { "p_lower", IV_AT(design_row, e.p_lower), .digits = 3, .needs = LOWER,
      .heading = "chance", .about = "probability that the lower limit reaches the target" },
    { NULL } };

static int answer(planning *p, size_t sizes, iv_err *err)
{
    static const int64_t usual[USUAL] = { 500, 1000, 2000, 5000 };
    const iv_plan_recall_question *q = p->q;
    iv_recall_design d = { 0, 0, 0.0 };

    for (size_t i = 0; i < sizes; i++) {
        const int64_t most = q->population - p->read;
        const int64_t n = q->total.count > 0 ? q->total.at[i] : usual[i] < most ? usual[i] : most;
        IV_TRY(plan_size(p, p->wanted != 0.0 ? 0 : p->read + n, &d, err));
    }
    const double chance = p->row_count > 0 ? p->rows[p->row_count - 1].e.p_lower : (double)NAN;
    IV_TABLE(p->out, "plan", iv_plan_recall_fields, p->rows, p->row_count,
             .with = p->lower != 0.0 ? LOWER : WIDTH);
    iv_result_chart(p->out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "plan", .title = "The expected intervals",
        .caption = "A point is the assumed recall. The line is the interval to expect with "
                   "that number of judgments.",
        .label = "documents", .page = "precision", .value = "recall", .lower = "lower",
        .upper = "upper",
        .lines = { { p->lower == 0.0 ? NULL : "wanted", p->lower, true } } });
    report(p, d, chance);
    const iv_recall_method m = p->plan.how.method;
    if (p->plan.guess_count > 1)
        iv_result_legend(p->out, "The last row of table 'plan' is one design for all guesses, "
                                 "with the worst of each column.");
    if (m == IV_RECALL_AUTO || m == IV_RECALL_BETABIN_HALF)
        iv_result_used_with(p->out, "recall-interval", " from the beta-binomial posterior, prior "
                            "Beta(1/2, 1/2)");
    else
        iv_result_used_with(p->out, "recall-interval", " by method %s", m == IV_RECALL_EXACT
                            ? "--guaranteed" : iv_recall_method_names()[m]);
    return iv_result_status(p->out, err);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_recall_question *q = asked;
    planning p = { .q = q, .out = out, .work = work };
    IV_TRY(prepare(&p, err));
    iv_name_limits(out, q->confidence, p.plan.how.one_sided);
    const size_t sizes = p.wanted != 0.0 ? 1 : q->total.count > 0 ? q->total.count : USUAL;
    p.parts = sizes * (p.plan.guess_count + 1);
    p.rows = iv_take(iv_result_own(out), p.parts, sizeof *p.rows);
    IV_TRY(iv_taken(iv_result_own(out), err));
    return answer(&p, sizes, err);
}

int iv_answer_plan_recall(iv_result *out, const iv_plan_recall_question *q, const iv_work *work,
                          iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_plan_recall_question, recall, REALS, "recall"),
        IV_PART_OF(iv_plan_recall_question, precision, REALS, "precision"),
        IV_PART_OF(iv_plan_recall_question, total, INTEGERS, "total"),
        IV_CHOICE_OF(iv_plan_recall_question, method, iv_recall_method_names, "the method"),
        IV_PART_OF(iv_plan_recall_question, confidence, CONFIDENCE, "the confidence"),
        IV_PART_OF(iv_plan_recall_question, target, REAL, "the target"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
