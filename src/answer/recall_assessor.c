/* SPDX-License-Identifier: Apache-2.0 */
/* Recall with assessor error: a sample of which a part was rechecked. */
#include <math.h>
#include <stdlib.h>

#include "answer/recall_parts.h"
#include "base/parallel.h"
#include "stat/stat_private.h"
#include "stat/recall/recall_rechecked.h"

enum { DRAWS = 100000, QUANTITIES = 3 };

const iv_field iv_recall_rechecked_fields[] = {
    { "quantity", IV_AT(iv_row, text[0]),
      .about = "recall, precision or elusion (proportion of unretrieved documents that are "
               "relevant)" },
    { "estimate", IV_AT(iv_row, is.value), .digits = 4,
      .about = "corrected for assessor error" },
    IV_LIMITS(iv_row, is., 4),
    { "first", IV_AT(iv_row, real[0]), .digits = 4,
      .about = "estimate if the first assessor were always right" },
    { NULL } };

/* What is known of both sides, and draws of their relevant documents. */
typedef struct sides {
    iv_rechecked retrieved, unretrieved;
    double *of[2], *recall; /* DRAWS each */
    double tail;
} sides;

static int read_sides(sides *s, const iv_recall_question *q, iv_err *err)
{
    if (q->retrieved.count != 3 || q->unretrieved.count != 3 || q->rechecked.count != 8)
        return iv_fail(err, IV_EARG, "rechecked judgments: %zu, %zu and %zu numbers, expected "
                       "N,n,r of both segments and k,c,m,d of both", q->retrieved.count,
                       q->unretrieved.count, q->rechecked.count);
    if (q->method != IV_RECALL_AUTO || q->guaranteed || q->prior.count > 0 || q->log != NULL
        || q->anytime || q->looks > 0 || q->stop != IV_REVIEW_STOP_NONE)
        return iv_fail(err, IV_EARG, "rechecked judgments have a method of their own: no --method, "
                       "--guaranteed, --prior, --log, --anytime, --looks or --stop");
    IV_TRY(iv_rechecked_of(&s->retrieved, q->retrieved.at, q->rechecked.at, "retrieved", err));
    return iv_rechecked_of(&s->unretrieved, q->unretrieved.at, q->rechecked.at + 4, "unretrieved",
                           err);
}

static void draw_sides(sides *s, uint64_t seed)
{
    iv_rechecked_draw(s->of[0], DRAWS, &s->unretrieved, seed, 0);
    iv_rechecked_draw(s->of[1], DRAWS, &s->retrieved, seed, 1);
    for (size_t i = 0; i < DRAWS; i++)
        s->recall[i] = s->of[1][i] > 0.0 ? s->of[1][i] / (s->of[1][i] + s->of[0][i]) : 0.0;
}

/* Limits of draws; an interval holds its estimate, and reaches an end that was not seen to be
 * wrong. */
static iv_row row_of(const char *quantity, double *draws, double size, double estimate,
                     double first, const sides *s, bool zero, bool one)
{
    const double lower = zero ? 0.0 : iv_quantile(draws, DRAWS, s->tail) / size;
    const double upper = one ? 1.0 : iv_quantile(draws, DRAWS, 1.0 - s->tail) / size;

    return (iv_row){ .text = { quantity }, .real = { first },
                     .is = { estimate, NAN, fmin(lower, estimate), fmax(upper, estimate) } };
}

static void fill_rows(iv_row rows[QUANTITIES], sides *s)
{
    const iv_stratum *a = &s->retrieved.first, *b = &s->unretrieved.first;
    const double R1 = iv_rechecked_estimate(&s->retrieved);
    const double R0 = iv_rechecked_estimate(&s->unretrieved);
    const double said1 = (double)a->relevant / (double)a->sampled;
    const double said0 = (double)b->relevant / (double)b->sampled;
    const double N1 = (double)a->size, N0 = (double)b->size;
    const bool none1 = iv_rechecked_found(&s->retrieved) == 0;
    const bool none0 = iv_rechecked_found(&s->unretrieved) == 0;

    rows[0] = row_of("recall", s->recall, 1.0, R1 / (R1 + R0),
                     N1 * said1 / (N1 * said1 + N0 * said0), s, none1, none0);
    rows[1] = row_of("precision", s->of[1], N1, R1 / N1, said1, s, none1, false);
    rows[2] = row_of("elusion", s->of[0], N0, R0 / N0, said0, s, none0, false);
}

/* "Probably yes (97 %): recall is at least 75 %. It is " */
static void say_target(iv_wording *w, iv_result *out, sides *s, const iv_interval *recall,
                       double target, double confidence)
{
    const double lower = recall->lower > 0.0 ? iv_quantile(s->recall, DRAWS, 1.0 - confidence)
                                             : 0.0;
    const double upper = recall->upper < 1.0 ? iv_quantile(s->recall, DRAWS, confidence) : 1.0;
    const iv_verdict verdict = lower >= target  ? IV_VERDICT_SHOWN
                               : upper < target ? IV_VERDICT_OTHERWISE
                                                : IV_VERDICT_OPEN;
    char goal[IV_FIGURE_SIZE], is[IV_FIGURE_SIZE];
    double reached = 0.0;

    for (size_t i = 0; i < DRAWS; i++)
        reached += s->recall[i] >= target ? 1.0 / DRAWS : 0.0;
    (void)iv_percent(goal, target, NAN);
    iv_result_verdict(out, verdict, "recall is at least %g", target);
    if (verdict == IV_VERDICT_OPEN)
        iv_say(w, "Inconclusive: recall of %s or more is neither demonstrated nor excluded. It is ",
               goal);
    else
        iv_say(w, "Probably %s (%s): recall is %s %s. It is ",
               verdict == IV_VERDICT_SHOWN ? "yes" : "no",
               iv_percent(is, verdict == IV_VERDICT_SHOWN ? reached : 1.0 - reached, NAN),
               verdict == IV_VERDICT_SHOWN ? "at least" : "below", goal);
}

static void say_recall(iv_result *out, sides *s, const iv_row *row,
                       const iv_recall_question *q, double confidence)
{
    char e[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE], first[IV_FIGURE_SIZE];
    const iv_interval *recall = &row->is;
    iv_wording w = { 0 };

    if (q->target > 0.0)
        say_target(&w, out, s, recall, q->target, confidence);
    else
        iv_say(&w, "Recall is ");
    iv_result_answer(out, "%sestimated at %s (%.10g %% %s %s to %s), corrected for assessor error; "
                     "by the first assessor alone it is %s.", w.at,
                     iv_percent(e, recall->value, NAN), 100.0 * confidence,
                     q->one_sided ? "one-sided limits" : "interval",
                     iv_percent(low, recall->lower, NAN), iv_percent(high, recall->upper, NAN),
                     iv_percent(first, row->real[0], NAN));
    iv_recall_say(out, "recall.none-found", iv_rechecked_found(&s->unretrieved) == 0, NULL, NULL);
}

int iv_answer_rechecked(iv_result *out, const iv_recall_question *q, const iv_work *work,
                        iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    sides s = { .tail = (1.0 - confidence) * (q->one_sided ? 1.0 : 0.5) };
    iv_row rows[QUANTITIES];

    IV_TRY(read_sides(&s, q, err));
    double *memory = malloc(3 * DRAWS * sizeof *memory);
    if (memory == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    s.of[0] = memory;
    s.of[1] = memory + DRAWS;
    s.recall = memory + 2 * DRAWS;
    draw_sides(&s, iv_work_seed(work));
    fill_rows(rows, &s);
    const bool found = !isnan(rows[0].is.value);
    if (found)
        say_recall(out, &s, &rows[0], q, confidence);
    else
        iv_result_answer(out, "No rechecked document is relevant: recall may be anything.");
    free(memory);
    if (!found && q->target > 0.0)
        iv_result_verdict(out, IV_VERDICT_OPEN, "recall is at least %g", q->target);
    iv_result_rows(out, &(iv_rows){ "rechecked", iv_recall_rechecked_fields, rows, QUANTITIES,
                                    sizeof *rows,
                                    .drawn = { "estimate", "lower", "upper", 0.0, 1.0 } });
    iv_result_used(out, "double-sampling");
    iv_result_assumption(out, "A simple random sample of each segment was judged; a random part "
                         "of each label was rechecked, without knowing the label.");
    iv_result_assumption(out, "The second assessor is always right.");
    return IV_OK;
}
