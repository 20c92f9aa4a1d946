/* SPDX-License-Identifier: Apache-2.0 */
/* Where a ranked review may end, by relevant documents known before it began, or by a random
 * sample of what is left. */
#include <inttypes.h>
#include <math.h>

#include "answer/answer_columns.h"
#include "answer/recall_parts.h"
#include "base/memory.h"
#include "intervale/stat/sequential.h"

const char *const *iv_review_stop_names(void)
{
    static const char *const names[] = { "none", "qbcb", "hypergeometric", NULL };

    return names;
}

typedef struct row {
    const char *topic;
    int64_t known, met, needs; /* needs 0: no number is enough */
    double needed, rank;       /* NaN: none; not reached */
} row;

const iv_field iv_recall_stop_fields[] = {
    { "topic", IV_AT(row, topic), .about = "its id" },
    { "known", IV_AT(row, known), .about = "relevant documents of the sample" },
    { "needed", IV_AT(row, needed), .digits = 0, .about = "of them, to be met; none: they are too few" },
    { "met", IV_AT(row, met), .about = "by the end of the ranking" },
    { "rank", IV_AT(row, rank), .digits = 0, .about = "where the review may end" },
    { NULL } };

/* Goes down a topic's ranking. */
static void follow(row *out, const iv_recall_question *q, const iv_run *run,
                   const iv_judgments *known, size_t topic, double confidence)
{
    const int64_t level = q->level == 0 ? 1 : q->level;
    const size_t judged = iv_judgments_find_topic(known, iv_run_topic(run, topic));
    const iv_judgment *list;
    const size_t count = judged == IV_NONE ? 0 : iv_judgments_of(&list, known, judged);

    for (size_t i = 0; i < count; i++)
        out->known += list[i].grade >= level;
    out->needs = iv_qbcb_needed(out->known, q->target, confidence);
    out->needed = out->needs > 0 ? (double)out->needs : (double)NAN;
    for (size_t k = 0; k < iv_run_depth(run, topic); k++) {
        const iv_judgment *j = count == 0 ? NULL
            : iv_judgments_find(known, judged, iv_run_docno(run, topic, k));
        if (j == NULL || j->grade < level)
            continue;
        if (++out->met == out->needs)
            out->rank = (double)k + 1.0;
    }
}

static void tell(iv_result *out, const iv_recall_question *q, const row *rows, size_t count,
                 double confidence)
{
    size_t may = 0, few = 0;
    char by_end[64] = "";

    for (size_t i = 0; i < count; i++) {
        may += isnan(rows[i].rank) ? 0 : 1;
        few += rows[i].needs == 0;
        iv_result_verdict(out, isnan(rows[i].rank) ? IV_VERDICT_OPEN : IV_VERDICT_SHOWN,
                          "recall of topic %.100s is at least %g", rows[i].topic, q->target);
    }
    if (count == 1 && rows[0].met > rows[0].needs) /* the table counts these */
        (void)snprintf(by_end, sizeof by_end, " (%" PRId64 " by the end of the ranking)", rows[0].met);
    if (count == 1 && may == 1)
        iv_result_answer(out, "The review may end at rank %.0f, where it has met %" PRId64 " of "
                         "%" PRId64 " known relevant documents%s: recall is then at least %g with "
                         "%.10g %% confidence.", rows[0].rank, rows[0].needs, rows[0].known, by_end,
                         q->target, 100.0 * confidence);
    else if (count == 1 && few == 1)
        iv_result_answer(out, "%" PRId64 " known relevant documents are too few to show a recall "
                         "of %g with %.10g %% confidence, even if all are met.", rows[0].known,
                         q->target, 100.0 * confidence);
    else if (count == 1)
        iv_result_answer(out, "The review must go on: it has met %" PRId64 " of %" PRId64 " known "
                         "relevant documents, and needs %" PRId64 ".", rows[0].met,
                         rows[0].known, rows[0].needs);
    else
        iv_result_answer(out, "%zu of %zu reviews may end within their ranking with a recall of "
                         "at least %g, each with %.10g %% confidence; %zu know too few relevant "
                         "documents.", may, count, q->target, 100.0 * confidence, few);
    iv_result_note(out, "Method: QBCB (Lewis, Yang and Frieder 2021): it holds whatever the "
                   "ranking and however often one looks, if the known documents were drawn at "
                   "random from the whole collection and did not steer the ranking.");
}

int iv_recall_stop(iv_result *out, const iv_recall_question *q, const iv_run *run,
                   const iv_judgments *known, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const size_t count = iv_run_topics(run);
    iv_arena own = { 0 };
    row *rows = iv_take(&own, count, sizeof *rows);

    int rc = q->target > 0.0 && q->target < 1.0 ? iv_taken(&own, err)
        : iv_fail(err, IV_EARG, "where a review may end depends on a target of recall, between "
                  "0 and 1");
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        rows[i] = (row){ .topic = iv_arena_copy(&own, iv_run_topic(run, i)), .rank = NAN };
        rc = iv_taken(&own, err);
        if (rc == IV_OK)
            follow(&rows[i], q, run, known, i, confidence);
    }
    if (rc == IV_OK && count == 0)
        rc = iv_fail(err, IV_ENODATA, "the ranking is empty");
    if (rc == IV_OK) {
        (void)iv_result_rows(out, &(iv_rows){ "stop", iv_recall_stop_fields, rows, count, sizeof *rows });
        tell(out, q, rows, count, confidence);
    }
    iv_arena_free(&own);
    return rc;
}

/* --------------------------------------------------- the hypergeometric rule -- */

typedef struct random_row {
    int64_t found, left, sampled, relevant;
    double target, p, more;
    int64_t read; /* before the sample */
} random_row;

static const iv_field random_fields[] = {
    { "found", IV_AT(random_row, found), .about = "relevant documents of what was read before" },
    { "left", IV_AT(random_row, left), .about = "documents that were not" },
    { "sampled", IV_AT(random_row, sampled), .about = "of these, drawn at random and judged" },
    { "relevant", IV_AT(random_row, relevant), .about = "of those" },
    { "target", IV_AT(random_row, target), .digits = 3, .about = "recall to be reached" },
    { "p", IV_AT(random_row, p), .digits = 4,
      .about = "of so few relevant ones in the sample, if recall were below the target now" },
    { "more", IV_AT(random_row, more), .digits = 0,
      .about = "documents still to be drawn, if none of them is relevant; none: nothing was found" },
    { NULL } };

/* How many more of what is left make p fall below the level, if none is relevant. */
static int64_t more_needed(int64_t found, iv_stratum left, double target, double level)
{
    int64_t low = left.sampled, high = left.size;

    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        left.sampled = mid;
        if (iv_stop_p(found, left, target) < level)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

static void tell_random(iv_result *out, const random_row *x, double confidence)
{
    /* Neither now nor after more without a relevant one. */
    const bool none = x->found + x->relevant == 0;

    if (none)
        iv_result_answer(out, "None of the %" PRId64 " documents read is relevant, so that recall %shas no "
                         "value: the hypergeometric rule cannot tell whether it is at least %g.",
                         x->read + x->sampled, x->sampled == x->left ? "" : "is 0 or ", x->target);
    else if (x->p < 1.0 - confidence)
        iv_result_answer(out, "By the hypergeometric rule the review may end: if recall were below "
                         "%g, %" PRId64 " relevant or fewer of %" PRId64 " documents drawn from the "
                         "rest had a probability of %.4f, below %g (approximately, when watched).",
                         x->target, x->relevant, x->sampled, x->p, 1.0 - confidence);
    else
        iv_result_answer(out, "By the hypergeometric rule the review must go on: if recall were "
                         "below %g, %" PRId64 " relevant or fewer of %" PRId64 " documents drawn "
                         "from the rest had a probability of %.4f, not below %g; %.0f more without "
                         "a relevant one would do.", x->target, x->relevant, x->sampled, x->p,
                         1.0 - confidence, x->more);
    iv_result_verdict(out, !none && x->p < 1.0 - confidence ? IV_VERDICT_SHOWN : IV_VERDICT_OPEN,
                      "recall is at least %g, approximately", x->target);
    iv_result_note(out, "Method: the hypergeometric rule (Callaghan and Mueller-Hansen 2020) holds "
                   "its error for one look that was fixed before; watched after every document it is "
                   "approximate, and no guarantee.");
    iv_result_assumption(out, "What was not read before is drawn in a random order, and judged "
                         "without error.");
}

int iv_recall_stop_random(iv_result *out, const iv_recall_question *q, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;

    if (q->retrieved.count != 3 || q->unretrieved.count != 3 || !(q->target > 0.0 && q->target < 1.0))
        return iv_fail(err, IV_EARG, "the hypergeometric rule needs both segments, N, n and r of each, "
                       "and a target between 0 and 1");
    const int64_t *in = q->retrieved.at, *rest = q->unretrieved.at;
    if (in[2] > in[1])
        return iv_fail(err, IV_EARG, "the retrieved segment: r = %" PRId64 " relevant of n = %" PRId64
                       " judged, expected r at most n", in[2], in[1]);
    if (in[0] != in[1] || in[2] < 0)
        return iv_fail(err, IV_EARG, "%" PRId64 " of %" PRId64 " retrieved documents are judged, "
                       "%" PRId64 " of them relevant; the hypergeometric rule needs all of them read",
                       in[1], in[0], in[2]);
    const iv_stratum left = { rest[0], rest[1], rest[2] };
    random_row x = { in[2], rest[0], rest[1], rest[2], q->target,
                     iv_stop_p(in[2], left, q->target), (double)NAN, in[0] };
    if (isnan(x.p))
        return iv_fail(err, IV_EARG, "%" PRId64 " relevant of %" PRId64 " judged of %" PRId64
                       " unretrieved documents, expected each at most the next", rest[2], rest[1],
                       rest[0]);
    if (x.found + x.relevant > 0)
        x.more = (double)(more_needed(x.found, left, q->target, 1.0 - confidence) - left.sampled);
    (void)iv_result_rows(out, &(iv_rows){ "stop", random_fields, &x, 1, sizeof x });
    tell_random(out, &x, confidence);
    return IV_OK;
}
