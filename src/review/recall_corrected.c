/* SPDX-License-Identifier: Apache-2.0 */
/* Recall with assessor error: a sample of which a part was rechecked. */
#include "base/err.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "review/recall.h"
#include "review/recall_corrected.h"
#include "stat/interval_methods.h"

#include <math.h>

enum { DRAWS = 100000, QUANTITIES = 3 };

/* A quantity, corrected for the errors of the first assessor. */
typedef struct corrected_row {
    const char *quantity;
    iv_interval is;
    double first; /* if that one were always right */
} corrected_row;

const iv_field iv_recall_rechecked_fields[] = {
    { "quantity", IV_AT(corrected_row, quantity),
      .about = "recall, precision or elusion (proportion of unretrieved documents that are "
               "relevant)" },
    { "estimate", IV_AT(corrected_row, is.value), .digits = 4,
      .about = "corrected for assessor error" },
    IV_LIMITS(corrected_row, is., 4),
    { "first", IV_AT(corrected_row, first), .digits = 4,
      .about = "estimate if the first assessor were always right" },
    { NULL } };

/* What is known of both sides, and draws of their relevant documents. */
typedef struct sides {
    const iv_rechecked *retrieved, *unretrieved;
    double *of[2], *recall; /* DRAWS each */
    double tail;
} sides;

static void draw_sides(sides *s, uint64_t seed)
{
    iv_rechecked_draw(s->of[0], DRAWS, s->unretrieved, seed, 0);
    iv_rechecked_draw(s->of[1], DRAWS, s->retrieved, seed, 1);
    for (size_t i = 0; i < DRAWS; i++)
        s->recall[i] = s->of[1][i] > 0.0 ? s->of[1][i] / (s->of[1][i] + s->of[0][i]) : 0.0;
}

/* Limits of draws; an interval holds its estimate, and reaches an end that was not seen to be
 * wrong. */
static iv_interval interval_of(double *draws, double size, double estimate, const sides *s,
                               bool zero, bool one)
{
    const double lower = zero ? 0.0 : iv_quantile(draws, DRAWS, s->tail) / size;
    const double upper = one ? 1.0 : iv_quantile(draws, DRAWS, 1.0 - s->tail) / size;

    return (iv_interval){ estimate, NAN, fmin(lower, estimate), fmax(upper, estimate) };
}

static void from_posterior(iv_corrected *out, sides *s, const iv_correcting *how)
{
    const bool none1 = iv_rechecked_found(s->retrieved) == 0;
    const bool none0 = iv_rechecked_found(s->unretrieved) == 0;

    draw_sides(s, how->seed);
    out->recall = interval_of(s->recall, 1.0, out->recall.value, s, none1, none0);
    out->precision = interval_of(s->of[1], (double)s->retrieved->first.size, out->precision.value,
                                 s, none1, false);
    out->elusion = interval_of(s->of[0], (double)s->unretrieved->first.size, out->elusion.value, s,
                               none0, false);
    out->one_sided.lower = out->recall.lower > 0.0
        ? iv_quantile(s->recall, DRAWS, 1.0 - how->confidence) : 0.0;
    out->one_sided.upper = out->recall.upper < 1.0
        ? iv_quantile(s->recall, DRAWS, how->confidence) : 1.0;
    out->reached = how->target > 0.0 ? 0.0 : (double)NAN;
    for (size_t i = 0; i < DRAWS && how->target > 0.0; i++)
        out->reached += s->recall[i] >= how->target ? 1.0 / DRAWS : 0.0;
}

static double ratio(int64_t part, int64_t other, double none)
{
    return part + other == 0 ? none : (double)part / (double)(part + other);
}

/* Limits of recall, precision and elusion (in this order), of which each is wrong with a
 * probability of at most `error`: recall needs a limit of both sides. */
static int guaranteed_limits(iv_limits out[QUANTITIES], const sides *s, double error, iv_err *err)
{
    const double N1 = (double)s->retrieved->first.size, N0 = (double)s->unretrieved->first.size;
    int64_t few1, many1, few0, many0;

    IV_TRY(iv_rechecked_limits(&few1, &many1, s->retrieved, 0.5 * error, err));
    IV_TRY(iv_rechecked_limits(&few0, &many0, s->unretrieved, 0.5 * error, err));
    out[0] = (iv_limits){ ratio(few1, many0, 0.0), ratio(many1, few0, 1.0) };
    IV_TRY(iv_rechecked_limits(&few1, &many1, s->retrieved, error, err));
    IV_TRY(iv_rechecked_limits(&few0, &many0, s->unretrieved, error, err));
    out[1] = (iv_limits){ (double)few1 / N1, (double)many1 / N1 };
    out[2] = (iv_limits){ (double)few0 / N0, (double)many0 / N0 };
    return IV_OK;
}

static int from_limits(iv_corrected *out, const sides *s, const iv_correcting *how, iv_err *err)
{
    iv_interval *const to[QUANTITIES] = { &out->recall, &out->precision, &out->elusion };
    iv_limits x[QUANTITIES];

    IV_TRY(guaranteed_limits(x, s, s->tail, err));
    for (size_t i = 0; i < QUANTITIES; i++) {
        to[i]->lower = x[i].lower;
        to[i]->upper = x[i].upper;
    }
    IV_TRY(guaranteed_limits(x, s, 1.0 - how->confidence, err));
    out->one_sided = x[0];
    return IV_OK;
}

/* As the first assessor has labelled them. */
static double first_of(const iv_rechecked *x)
{
    const size_t count = x->strata == NULL ? 1 : x->count;
    const iv_stratum *s = x->strata == NULL ? &x->first : x->strata;
    double sum = 0.0;

    for (size_t i = 0; i < count; i++)
        sum += (double)s[i].size * (double)s[i].relevant / (double)s[i].sampled;
    return sum;
}

int iv_recall_corrected(iv_corrected *out, iv_arena *a, const iv_rechecked *retrieved,
                        const iv_rechecked *unretrieved, const iv_correcting *how, iv_err *err)
{
    const double N1 = (double)retrieved->first.size, N0 = (double)unretrieved->first.size;
    const double R1 = iv_rechecked_estimate(retrieved), R0 = iv_rechecked_estimate(unretrieved);
    const double said1 = first_of(retrieved), said0 = first_of(unretrieved);
    sides s = { retrieved, unretrieved, { NULL }, NULL,
                (1.0 - how->confidence) * (how->one_sided ? 1.0 : 0.5) };
    iv_corrected c = { .recall = { .value = R1 / (R1 + R0) }, .precision = { .value = R1 / N1 },
                       .elusion = { .value = R0 / N0 }, .reached = NAN,
                       .first = { said1 / (said1 + said0), said1 / N1, said0 / N0 } };

    if (how->guaranteed) {
        IV_TRY(from_limits(&c, &s, how, err));
    } else {
        double *memory = iv_take(a, 3 * DRAWS, sizeof *memory);
        IV_TRY(iv_taken(a, err));
        s.of[0] = memory;
        s.of[1] = memory + DRAWS;
        s.recall = memory + 2 * DRAWS;
        from_posterior(&c, &s, how);
    }
    *out = c;
    return IV_OK;
}

/* -------------------------------------------------------------- the answer -- */

/* "Probably yes (97 %): recall is at least 75 %. It is " */
static void say_target(iv_wording *w, iv_result *out, const iv_corrected *c,
                       const iv_correcting *how)
{
    const iv_claim claim = iv_recall_claim_of("recall", c->recall.value, c->one_sided, how->target,
                                              how->confidence);
    const iv_verdict verdict = iv_claim_decide(&claim);
    const bool shown = verdict == IV_VERDICT_SHOWN;
    char goal[IV_FIGURE_SIZE], is[IV_FIGURE_SIZE];

    (void)iv_percent(goal, how->target, how->target);
    (void)iv_result_claim(out, &claim);
    if (verdict == IV_VERDICT_OPEN) {
        iv_say(w, "Inconclusive: recall of %s or more is neither demonstrated nor excluded. It is ",
               goal);
        return;
    }
    if (how->guaranteed)
        iv_say(w, "%s: recall is %s %s (one-sided %s limit %s, rounded outwards). It is ",
               shown ? "Yes, certified" : "No", shown ? "at least" : "below", goal,
               shown ? "lower" : "upper", iv_percent_limit(is, shown ? c->one_sided.lower
                                                           : c->one_sided.upper, how->target,
                                                           !shown));
    else
        iv_say(w, "Probably %s (%s): recall is %s %s. It is ", shown ? "yes" : "no",
               iv_percent(is, shown ? c->reached : 1.0 - c->reached, NAN),
               shown ? "at least" : "below", goal);
}

static void say_recall(iv_result *out, const iv_corrected *c, const iv_correcting *how, bool none)
{
    char e[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE], first[IV_FIGURE_SIZE];
    iv_wording w = { 0 };

    if (how->target > 0.0)
        say_target(&w, out, c, how);
    else
        iv_say(&w, "Recall is ");
    (void)(how->guaranteed ? iv_percent_limit(low, c->recall.lower, how->target, false)
                           : iv_percent(low, c->recall.lower, NAN));
    (void)(how->guaranteed ? iv_percent_limit(high, c->recall.upper, how->target, true)
                           : iv_percent(high, c->recall.upper, NAN));
    iv_result_answer(out, "%sestimated at %s (%.10g %% %s %s to %s), corrected for assessor error; "
                     "by the first assessor alone it is %s.", w.at,
                     iv_percent(e, c->recall.value, NAN), 100.0 * how->confidence,
                     how->one_sided ? "one-sided limits" : "interval", low, high,
                     iv_percent(first, c->first[0], NAN));
    iv_recall_say(out, "recall.none-found", none, NULL, NULL);
}

int iv_recall_answer_rechecked(iv_result *out, const iv_recall_question *q, const iv_work *work,
                               iv_err *err)
{
    const iv_correcting how = { q->confidence == 0.0 ? 0.95 : q->confidence, q->target,
                                q->one_sided, q->guaranteed, iv_work_seed(work) };
    static const char *const names[] = { "recall", "precision", "elusion" };
    corrected_row rows[QUANTITIES];
    iv_rechecked one, zero;
    iv_corrected c;

    if (q->retrieved.count != 3 || q->unretrieved.count != 3 || q->rechecked.count != 8)
        return iv_fail(err, IV_EARG, "--rechecked with %zu, %zu and %zu numbers, expected "
                       "N,n,r of both segments and k,c,m,d of both", q->retrieved.count,
                       q->unretrieved.count, q->rechecked.count);
    IV_TRY(iv_rechecked_of(&one, q->retrieved.at, q->rechecked.at, "retrieved", err));
    IV_TRY(iv_rechecked_of(&zero, q->unretrieved.at, q->rechecked.at + 4, "unretrieved", err));
    IV_TRY(iv_recall_corrected(&c, iv_result_own(out), &one, &zero, &how, err));
    const iv_interval *const from[QUANTITIES] = { &c.recall, &c.precision, &c.elusion };
    for (size_t i = 0; i < QUANTITIES; i++)
        rows[i] = (corrected_row){ names[i], *from[i], c.first[i] };
    if (!isnan(c.recall.value)) {
        say_recall(out, &c, &how, iv_rechecked_found(&zero) == 0);
    } else {
        iv_result_answer(out, "No rechecked document is relevant: recall may be anything.");
        if (q->target > 0.0)
            (void)iv_result_claim(out, &(iv_claim){
                .measure = "recall", .bound = q->target, .estimate = NAN, .lower = 0.0,
                .upper = 1.0, .p = NAN, .p_contrary = NAN, .level = 1.0 - how.confidence,
                .needed = NAN, .detectable = NAN });
    }
    IV_TABLE(out, "rechecked", iv_recall_rechecked_fields, rows, QUANTITIES,
             .drawn = { "estimate", "lower", "upper", 0.0, 1.0 });
    iv_result_used(out, q->guaranteed ? "double-sampling-exact" : "double-sampling");
    iv_result_assumption(out, "A simple random sample of each segment was judged; a random part "
                         "of each label was rechecked, without knowing the label.");
    iv_result_assumption(out, "The second assessor is always right.");
    return IV_OK;
}
