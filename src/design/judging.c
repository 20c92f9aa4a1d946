/* SPDX-License-Identifier: Apache-2.0 */
/* Judging simulated: an oracle answers until every sign is sure enough. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "design/inquiry_parts.h"
#include "stat/stat_private.h"
#include "trec/trec_private.h"

typedef struct judging {
    iv_inquiry *q;
    const iv_judgments *oracle;
    const char *name;
    const iv_judging_plan *plan;
    const iv_work *work;
    iv_judging_record record;
    size_t capacity, pairs, documents;
    size_t *oracle_topic; /* IV_NONE: it has none */
    bool *fixed;          /* by limits, of each pair */
    double target;        /* confidence to reach */
    size_t next_limits;   /* judgments after which limits are looked at again */
    double told;          /* how far the work is said to be */
} judging;

/* The oracle's answer: 1, 0, or -1 if it has none. */
static int answer_of(const judging *j, size_t topic, size_t document)
{
    const iv_judgment *found = j->oracle_topic[topic] == IV_NONE
        ? NULL
        : iv_judgments_find(j->oracle, j->oracle_topic[topic],
                            iv_inquiry_docno(j->q, topic, document));

    return found == NULL || found->grade < 0 ? -1 : found->grade >= j->plan->level;
}

static int refuse(const judging *j, size_t topic, size_t document, iv_err *err)
{
    char id[IV_QUOTE_SIZE], docno[IV_QUOTE_SIZE];

    return iv_fail_at(err, IV_ENODATA, j->name, 0, "no judgment of document %s of topic "
                      "%s, ranked %u",
                      iv_quote(docno, iv_inquiry_docno(j->q, topic, document)),
                      iv_quote(id, iv_inquiry_topic_id(j->q, topic)),
                      iv_inquiry_best_rank(j->q, topic, document));
}

/* Judges one document and records it; confidence comes later. */
static int judge(judging *j, size_t topic, size_t document, double movement, iv_err *err)
{
    iv_judging_record *r = &j->record;
    const int answer = answer_of(j, topic, document);

    if (answer < 0 && j->plan->no_answer == IV_NO_ANSWER_REFUSE)
        return refuse(j, topic, document, err);
    iv_judging_step *grown = iv_grow(r->step, &j->capacity, r->steps + 1, sizeof *grown);
    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    r->step = grown;
    r->step[r->steps++] = (iv_judging_step){ topic, document, answer == 1, movement,
                                             (double)NAN };
    r->relevant += answer == 1;
    r->unanswered += answer < 0;
    iv_inquiry_judge(j->q, topic, document, answer == 1);
    return IV_OK;
}

/*
 * Limits cost more than a judgment: they are looked at now and then, always
 * where there are few documents.
 */
static int look_at_limits(judging *j, double confidence, bool now, iv_err *err)
{
    const size_t runs = j->q->runs;

    if (!now && (confidence < 0.9 || j->record.steps < j->next_limits))
        return IV_OK;
    j->next_limits = j->record.steps + (j->documents <= 500 ? 1 : 16 + j->record.steps / 4);
    for (size_t a = 0; a < runs; a++) {
        for (size_t b = a + 1; b < runs; b++) {
            const size_t pair = iv_pair_index(runs, a, b);
            double lower = 0.0, upper = 0.0;
            if (!j->fixed[pair])
                IV_TRY(iv_inquiry_limits_at(&lower, &upper, j->q, a, b, j->work, j->told, err));
            j->fixed[pair] = j->fixed[pair] || lower > 1e-12 || upper < -1e-12;
        }
    }
    return IV_OK;
}

/* The least confidence over the pairs; pairs that are sure are not asked for. */
static double weigh(judging *j)
{
    double least = 1.0;
    bool reached = true;

    j->record.sure = 0;
    for (size_t x = 0; x < j->pairs; x++) {
        const double c = j->fixed[x] ? 1.0 : iv_sign_confidence(iv_inquiry_moments(j->q, x));
        least = fmin(least, c);
        reached = reached && c >= j->target;
        j->record.sure += c >= j->target;
        if (j->pairs > 1)
            iv_inquiry_want(j->q, x, c < j->target);
    }
    j->record.confidence = least;
    j->record.reached = reached;
    return least;
}

/* Weighs up after judgments; also by limits. */
static int settle(judging *j, bool now, iv_err *err)
{
    double c = weigh(j);

    if (j->record.reached || now) { /* it must hold with all that is judged */
        iv_stage stage;
        IV_TRY(iv_inquiry_settle(j->q, iv_work_part(&stage, j->work, j->told, j->told), err));
        c = weigh(j);
    }
    if (!j->record.reached || now) {
        IV_TRY(look_at_limits(j, c, now, err));
        (void)weigh(j);
    }
    if (j->record.steps > 0)
        j->record.step[j->record.steps - 1].confidence = j->record.confidence;
    return IV_OK;
}

static bool enough(const judging *j)
{
    return j->record.reached || (j->plan->most > 0 && j->record.steps >= j->plan->most);
}

/* Confidence says how far it is: crude, but it rises. */
static int tell(judging *j, iv_err *err)
{
    const double from = j->record.start, to = j->target;
    const double share = to > from ? (j->record.confidence - from) / (to - from) : 1.0;

    j->told = fmax(j->told, fmin(share, 1.0));
    return iv_check_work(j->work, j->told, err);
}

static int judge_by_movement(judging *j, iv_err *err)
{
    iv_candidate c;

    while (!enough(j)) {
        if (!iv_inquiry_next(&c, j->q)) {
            /* Pairs that were sure may not be so any more. */
            IV_TRY(settle(j, true, err));
            if (enough(j) || !iv_inquiry_next(&c, j->q))
                break;
        }
        IV_TRY(judge(j, c.topic, c.document, c.movement, err));
        IV_TRY(settle(j, false, err));
        IV_TRY(tell(j, err));
    }
    return IV_OK;
}

/* One more rank of every run; false when there is none. */
static int judge_round(bool *more, judging *j, size_t depth, iv_err *err)
{
    *more = false;
    for (size_t t = 0; t < j->q->topics; t++) {
        for (size_t i = 0; i < j->q->topic[t].documents; i++) {
            const uint32_t best = iv_inquiry_best_rank(j->q, t, i);
            const double p = iv_inquiry_relevance(j->q, t, i);
            *more = *more || best > depth;
            if (best != depth || p == 0.0 || p == 1.0
                || (j->plan->no_answer == IV_NO_ANSWER_SKIP && answer_of(j, t, i) < 0))
                continue;
            IV_TRY(judge(j, t, i, 0.0, err));
        }
    }
    return IV_OK;
}

static int judge_by_pool(judging *j, iv_err *err)
{
    bool more = true;

    while (more && !enough(j)) {
        IV_TRY(judge_round(&more, j, ++j->record.depth, err));
        IV_TRY(settle(j, false, err));
        IV_TRY(tell(j, err));
    }
    return IV_OK;
}

static int prepare(judging *j, iv_err *err)
{
    const size_t topics = j->q->topics;

    j->oracle_topic = malloc((topics + 1) * sizeof *j->oracle_topic);
    j->fixed = calloc(j->pairs, sizeof *j->fixed);
    if (j->oracle_topic == NULL || j->fixed == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t t = 0; t < topics; t++) {
        j->oracle_topic[t] = iv_judgments_find_topic(j->oracle,
                                                     iv_inquiry_topic_id(j->q, t));
        j->documents += j->q->topic[t].documents;
        for (size_t i = 0; i < j->q->topic[t].documents; i++) {
            if (j->plan->no_answer == IV_NO_ANSWER_SKIP && answer_of(j, t, i) < 0)
                iv_inquiry_allow(j->q, t, i, false);
        }
    }
    j->record.start = weigh(j);
    return IV_OK;
}

int iv_judge_until(iv_judging_record *out, iv_inquiry *q, const iv_judgments *oracle,
                   const char *name, const iv_judging_plan *plan, const iv_work *work,
                   iv_err *err)
{
    iv_judging_plan p = plan == NULL ? (iv_judging_plan){ 0 } : *plan;

    p.until = p.until == 0.0 ? 0.95 : p.until;
    p.level = p.level == 0 ? 1 : p.level == IV_ZERO ? 0 : p.level;
    if (!(p.until > 0.5 && p.until <= 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected above 0.5 and at most 1",
                       p.until);
    judging j = { .q = q, .oracle = oracle, .name = name, .plan = &p, .work = work,
                  .pairs = iv_pair_count(q->runs),
                  .target = fmin(p.until, IV_CERTAIN) };
    int rc = prepare(&j, err);
    if (rc == IV_OK)
        rc = p.order == IV_ORDER_POOL ? judge_by_pool(&j, err) : judge_by_movement(&j, err);
    if (rc == IV_OK)
        rc = settle(&j, true, err);
    j.record.fixed = rc == IV_OK;
    for (size_t x = 0; x < j.pairs && j.fixed != NULL; x++)
        j.record.fixed = j.record.fixed && j.fixed[x];
    free(j.oracle_topic);
    free(j.fixed);
    if (rc == IV_OK)
        *out = j.record;
    else
        iv_judging_record_free(&j.record);
    return rc;
}

IV_NAMES(iv_no_answer_names, "refuse", "nonrelevant", "skip")

IV_NAMES(iv_judging_order_names, "next", "pool")

void iv_judging_record_free(iv_judging_record *r)
{
    free(r->step);
    r->step = NULL;
    r->steps = 0;
}
