/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reviews that are being judged: limits at any time, interim analyses, and rules that say when
 * one may stop.
 */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "review/recall.h"
#include "stat/recall/elusion.h"
#include "stat/sequential/interim.h"
#include "stat/sequential/stopping.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "trec/strata.h"

#include <inttypes.h>
#include <math.h>

/* -------------------------------------------------------------- reading -- */

static int add_segment(iv_strata_row *out, const char *name, const iv_integers *given,
                       iv_err *err)
{
    if (given->count != 1 && given->count != 3)
        return iv_fail(err, IV_EARG, "the %s segment has %zu numbers, expected N, or N, n and r",
                       name, given->count);
    *out = (iv_strata_row){ iv_str_of(name), given->at[0], 0, 0, 0 };
    if (given->count == 3) {
        out->sampled = given->at[1];
        out->relevant = given->at[2];
    }
    return IV_OK;
}

IV_ENDS(review_log)

int iv_recall_read_strata(iv_review **out, iv_recall_state *t, iv_result *r, const iv_work *work,
                          iv_err *err)
{
    static const bool sides[] = { true, false };
    const iv_recall_question *q = t->q;
    const iv_str run = iv_str_of("review");
    iv_strata_row segments[2];
    iv_strata_table two = { segments, &run, sides, 2, 1, NULL, 0, NULL };
    const iv_strata_table *table = q->table != NULL ? q->table : &two;

    if (q->strata != NULL) {
        IV_TRY(iv_strata_load(&table, iv_result_own(r), q->strata, q->runs, work, err));
    } else if (q->table == NULL) {
        IV_TRY(add_segment(&segments[0], "retrieved", &q->retrieved, err));
        IV_TRY(add_segment(&segments[1], "unretrieved", &q->unretrieved, err));
    }
    if (table->path != NULL)
        iv_result_input(r, table->path, table->bytes);
    IV_TRY(iv_review_verdict_of_table(t, table, err));
    if (q->stopping.log != NULL) {
        IV_TRY(iv_review_log_load(&t->log, q->stopping.log, table, q->level, work, err));
        IV_TRY(IV_KEEP(r, review_log, t->log, err));
        table = &t->log->table;
        iv_result_input(r, table->path, table->bytes);
    }
    return iv_review_strata(out, table, q->unsampled, err);
}

/* -------------------------------------------------------------- finding -- */

/* The stratum that is left to sample; NULL: none, or several. */
static const iv_stratum *only_unknown(bool *retrieved, double known[2], int64_t *judged,
                                      const iv_segments *s)
{
    const iv_stratum *found = NULL;
    size_t unknown = 0;

    known[0] = known[1] = 0.0;
    for (size_t i = 0; i < s->retrieved_count + s->unretrieved_count; i++) {
        const bool side = i < s->retrieved_count;
        const iv_stratum *one = side ? &s->retrieved[i] : &s->unretrieved[i - s->retrieved_count];
        *judged += one->sampled;
        if (one->sampled == one->size) {
            known[side] += (double)one->relevant;
            continue;
        }
        found = one;
        *retrieved = side;
        unknown++;
    }
    return unknown == 1 ? found : NULL;
}

static double share(double of, double other)
{
    return of + other > 0.0 ? of / (of + other) : 0.0;
}

/* From counts alone, when one stratum is left. */
static int watch_counts(iv_recall_state *t, iv_err *err)
{
    double known[2];
    bool retrieved = false;
    const iv_stratum *s = only_unknown(&retrieved, known, &t->documents, &t->cases[0].segments);
    int64_t least, most;

    if (s == NULL)
        return iv_fail(err, IV_EARG, "--anytime needs the judgments in their order (--log), "
                                     "unless all strata but one are judged completely");
    IV_TRY(iv_anytime_count(&least, &most, *s, 0.0, 0.0, t->confidence, err));
    const double few = known[retrieved] + (double)least, many = known[retrieved] + (double)most;
    t->limits = retrieved
        ? (iv_limits){ share(few, known[0]), share(many, known[0]) }
        : (iv_limits){ share(known[1], many), share(known[1], few) };
    return IV_OK;
}

int iv_recall_watch(iv_recall_state *t, iv_err *err)
{
    t->e = NAN;
    t->needed = -log1p(-t->confidence);
    if (!t->q->stopping.anytime)
        return IV_OK;
    if (t->case_count != 1)
        return iv_fail(err, IV_EARG, "--anytime is for one review, not %zu",
                       t->case_count);
    if (t->log == NULL)
        return watch_counts(t, err);
    const double order = t->log->order;
    if (order < IV_CHECK_P)
        return iv_fail_at(err, IV_EPARSE, t->q->stopping.log, 0, "relevant documents are not in "
                                                        "random order within their strata "
                                                        "(p = %.1g); "
                                                        "--anytime needs the log in the order of "
                                                        "judging", order);
    const iv_review_blocks *b = &t->log->blocks;
    const int64_t *drawn = b->drawn;
    for (size_t i = 0; i < b->count * b->stratum_count; i++)
        t->documents += drawn[i];
    t->blocks = (int64_t)b->count;
    t->pending = t->log->pending;
    if (t->q->target > 0.0)
        IV_TRY(iv_recall_evidence(&t->e, b, t->q->target, false, err));
    return iv_recall_anytime(&t->limits, b, t->confidence, true, err);
}

/* --------------------------------------------------------------- telling -- */

enum { EVIDENCE = 1, BLOCKS = 2 };

/* What is known at any time of a review. */
typedef struct anytime_row {
    size_t documents, blocks;
    iv_limits recall;
    double evidence, needed;
} anytime_row;

const iv_field iv_recall_anytime_fields[] = {
    { "documents", IV_AT(anytime_row, documents), .heading = "judged",
      .about = "documents judged, in complete blocks" },
    { "blocks", IV_AT(anytime_row, blocks), .needs = BLOCKS,
      .audience = IV_IF_VERBOSE,
      .about = "blocks of judgments" },
    { "lower", IV_AT(anytime_row, recall.lower), .digits = 3, .heading = "recall at least",
      .about = "one-sided limit of recall, valid whenever you stop judging" },
    { "upper", IV_AT(anytime_row, recall.upper), .digits = 3, .heading = "recall at most",
      .about = "one-sided upper limit of recall, valid whenever you stop judging" },
    { "evidence", IV_AT(anytime_row, evidence), .digits = 2, .needs = EVIDENCE,
      .heading = "evidence (e-value)",
      .about = "largest e-value so far against a recall below the target; at most 10^9" },
    { "needed", IV_AT(anytime_row, needed), .digits = 2, .needs = EVIDENCE,
      .heading = "evidence needed", .about = "e-value that rejects it" },
    { NULL } };

void iv_recall_anytime_table(iv_result *out, const iv_recall_state *t)
{
    const anytime_row one = { (size_t)t->documents, (size_t)t->blocks, t->limits,
                              fmin(exp(t->e), 1e9), exp(t->needed) };

    if (t->q->stopping.anytime)
        IV_TABLE(out, "anytime", iv_recall_anytime_fields, &one, 1,
                 .with = (isnan(t->e) ? 0u : EVIDENCE) | (t->log != NULL ? BLOCKS : 0u));
}

int iv_recall_look(double *error, iv_result *out, const iv_recall_question *q, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    iv_look looks[IV_LOOKS_MOST];

    *error = 0.0;
    if (q->stopping.looks == 0 && q->stopping.look == 0)
        return IV_OK;
    if (q->stopping.look < 1 || q->stopping.look > q->stopping.looks)
        return iv_fail(err, IV_EARG, "--look %zu, expected 1 to --looks, %zu", q->stopping.look,
                       q->stopping.looks);
    IV_TRY(iv_looks_of(looks, NULL, q->stopping.looks, q->stopping.shape, 1.0 - confidence, err));
    *error = looks[q->stopping.look - 1].error;
    char level[IV_FIGURE_SIZE], most[IV_FIGURE_SIZE];
    (void)snprintf(level, sizeof level, "%.2f %%", 100.0 * (1.0 - *error));
    (void)snprintf(most, sizeof most, "%s %.10g", q->guaranteed || q->method == IV_RECALL_EXACT
                   ? "at most" : "about", 1.0 - confidence);
    iv_recall_say(out, "recall.interim", 1, level, most);
    iv_looks_method(out, q->stopping.shape);
    return IV_OK;
}

/* ------------------------------------------------------- stopping rules -- */

IV_NAMES(iv_review_stop_names, "none", "qbcb", "hypergeometric")

/* Control documents, of a topic or by counts alone: how many are known, were met and are needed;
 * the rank where so many were met, or NaN; by counts alone the lower limit of recall. */
typedef struct control_row {
    const char *topic;
    size_t known, met, needs; /* needs 0: no number is enough */
    double needed, rank, lower; /* needed: as needs, or NaN */
} control_row;

const iv_field iv_recall_stop_fields[] = {
    { "topic", IV_AT(control_row, topic), .about = "id of the topic" },
    { "known", IV_AT(control_row, known), .about = "relevant control documents" },
    { "needed", IV_AT(control_row, needed), .digits = 0,
      .about = "control documents to be found; empty: there are too few" },
    { "met", IV_AT(control_row, met),
      .about = "control documents found by the end of the ranking" },
    { "rank", IV_AT(control_row, rank), .digits = 0, .about = "where the review may stop" },
    { NULL } };

/*
 * The control sample is random: all its documents in the ranking, if some are not relevant (else
 * only the relevant ones of a sample are listed); and the relevant ones among all relevant
 * documents that the review found, if these are given.
 */
static double control_order(const iv_recall_question *q, const iv_run *run,
                            const iv_judgments *control, const iv_judgments *found, size_t topic)
{
    const int64_t level = q->level == 0 ? 1 : q->level;
    const iv_str id = iv_run_topic(run, topic);
    const size_t known = iv_judgments_find_topic(control, id);
    const size_t seen = found == NULL ? IV_NONE : iv_judgments_find_topic(found, id);
    const size_t depth = iv_run_depth(run, topic);
    double ranks[2] = { 0.0, 0.0 }, count[2] = { 0.0, 0.0 }; /* of relevant ones, of all */
    double position = 0.0, negative = 0.0;

    for (size_t k = 0; k < depth; k++) {
        const iv_str doc = iv_run_docno(run, topic, k);
        const iv_judgment *j = known == IV_NONE ? NULL : iv_judgments_find(control, known, doc);
        const iv_judgment *f = seen == IV_NONE ? NULL : iv_judgments_find(found, seen, doc);
        const bool control_hit = j != NULL && j->grade >= level;
        position += control_hit || (f != NULL && f->grade >= level);
        if (control_hit) {
            ranks[0] += position;
            count[0] += 1.0;
        }
        if (j != NULL) {
            ranks[1] += (double)k + 1.0;
            count[1] += 1.0;
            negative += j->grade < level;
        }
    }
    const double p = negative > 0.0 ? iv_rank_sum_p(ranks[1], count[1], (double)depth) : 1.0;
    return fmin(p, iv_rank_sum_p(ranks[0], count[0], position));
}

/* How many of those known must be met. */
static void need(control_row *x, double target, double confidence)
{
    x->needs = (size_t)iv_qbcb_needed((int64_t)x->known, target, confidence);
    x->needed = x->needs > 0 ? (double)x->needs : (double)NAN;
}

/* Goes down a topic's ranking. */
static void follow(control_row *out, const iv_recall_question *q, const iv_run *run,
                   const iv_judgments *known, size_t topic, double confidence)
{
    const int64_t level = q->level == 0 ? 1 : q->level;
    const size_t judged = iv_judgments_find_topic(known, iv_run_topic(run, topic));
    const iv_judgment *list;
    const size_t count = judged == IV_NONE ? 0 : iv_judgments_of(&list, known, judged);

    for (size_t i = 0; i < count; i++)
        out->known += list[i].grade >= level;
    need(out, q->target, confidence);
    for (size_t k = 0; k < iv_run_depth(run, topic); k++) {
        const iv_judgment *j = count == 0 ? NULL
            : iv_judgments_find(known, judged, iv_run_docno(run, topic, k));
        if (j == NULL || j->grade < level)
            continue;
        if (++out->met == out->needs)
            out->rank = (double)k + 1.0;
    }
}

/* "All 16", "15 of 16" */
static const char *how_many(char out[64], size_t met, size_t known)
{
    if (met == known)
        (void)snprintf(out, 64, "All %zu", known);
    else
        (void)snprintf(out, 64, "%zu of %zu", met, known);
    return out;
}

static void control_method(iv_result *out)
{
    iv_result_used(out, "qbcb");
    iv_result_assumption(out, "The control documents are a random sample of the relevant "
                              "documents of the whole collection. They were sampled before the "
                              "review, which did not use them.");
}

/* The review may not stop: more must be found, or there are too few to show it. */
static void answer_open(iv_result *out, const control_row *x, const char *goal, double confidence)
{
    char many[64];

    if (x->needs == 0)
        iv_result_answer(out, "Inconclusive. With only %zu relevant control document%s, a recall "
                         "of %s cannot be demonstrated (%.10g %% confidence), even if all are "
                         "found.", x->known, x->known == 1 ? "" : "s", goal,
                         100.0 * confidence);
    else
        iv_result_answer(out, "Continue the review: %s relevant control documents were found, "
                         "and %zu must be found to demonstrate a recall of %s (%.10g %% "
                         "confidence).",
                         how_many(many, x->met, x->known), x->needs, goal,
                         100.0 * confidence);
}

static void report_stop(iv_result *out, const iv_recall_question *q, const control_row *rows,
                        size_t count, double confidence)
{
    char many[64], goal[IV_FIGURE_SIZE], rank[IV_FIGURE_SIZE];
    size_t may = 0, few = 0;

    (void)iv_percent(goal, q->target, q->target);
    for (size_t i = 0; i < count; i++) {
        const bool met = !isnan(rows[i].rank);
        may += met;
        few += rows[i].needs == 0;
        (void)iv_result_claim(out, &(iv_claim){
            .measure = "recall of topic", .system = rows[i].topic, .bound = q->target,
            .estimate = NAN, .lower = met ? q->target : 0.0, .upper = 1.0, .p = NAN,
            .p_contrary = NAN, .level = 1.0 - confidence, .method = "qbcb", .needed = NAN,
            .strength = IV_STRENGTH_GUARANTEED, .detectable = NAN });
    }
    if (count == 1 && may == 1)
        iv_result_answer(out, "You may stop at rank %s: %s relevant control documents were found "
                         "by then, so recall is at least %s (%.10g %% confidence).",
                         iv_thousands(rank, rows[0].rank),
                         how_many(many, rows[0].needs, rows[0].known), goal,
                         100.0 * confidence);
    else if (count == 1)
        answer_open(out, &rows[0], goal, confidence);
    else
        iv_result_answer(out, "%zu of %zu reviews may stop within their ranking with a recall of "
                              "at "
                         "least %s (%.10g %% confidence each); %zu have too few control documents.",
                         may, count, goal, 100.0 * confidence, few);
    control_method(out);
}

int iv_recall_stop(iv_result *out, const iv_recall_question *q, const iv_run *run,
                   const iv_judgments *known, const iv_judgments *found, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const size_t count = iv_run_topics(run);
    control_row *rows = iv_take(iv_result_own(out), count, sizeof *rows);

    IV_TRY(iv_taken(iv_result_own(out), err));
    if (!(q->target > 0.0 && q->target < 1.0))
        return iv_fail(err, IV_EARG, "--stop qbcb needs --target between 0 and 1");
    for (size_t i = 0; i < count; i++) {
        rows[i] = (control_row){ .topic = iv_arena_copy(iv_result_own(out), iv_run_topic(run, i)),
                                 .rank = NAN };
        if (rows[i].topic == NULL)
            return iv_no_memory(err);
        follow(&rows[i], q, run, known, i, confidence);
        const double p = control_order(q, run, known, found, i);
        if (p < IV_CHECK_P)
            return iv_fail_at(err, IV_EARG, q->ranked.sample, 0, "topic %s: the control documents "
                              "are not a random sample, by their ranks (p = %.1g); the rule needs "
                              "control documents sampled from the whole collection", rows[i].topic,
                              p);
    }
    if (count == 0)
        return iv_fail(err, IV_ENODATA, "the ranking is empty");
    IV_TABLE(out, "stop", iv_recall_stop_fields, rows, count);
    report_stop(out, q, rows, count, confidence);
    return IV_OK;
}

/* --------------------------------------------------- the hypergeometric rule -- */

typedef struct random_row {
    size_t found, left, sampled, relevant;
    size_t read; /* before the sample */
    double target, p, more;
} random_row;

static const iv_field random_fields[] = {
    { "found", IV_AT(random_row, found),
      .about = "relevant documents of what was read before" },
    { "left", IV_AT(random_row, left), .about = "documents that were not" },
    { "sampled", IV_AT(random_row, sampled),
      .about = "of these, sampled at random and judged" },
    { "relevant", IV_AT(random_row, relevant), .about = "of those" },
    { "target", IV_AT(random_row, target), .digits = 3, .about = "recall to be reached" },
    { "p", IV_AT(random_row, p), .digits = 4,
      .about = "p-value of a recall below the target" },
    { "more", IV_AT(random_row, more), .digits = 0, .heading = "more needed",
      .about = "documents still to be sampled, if none of them is relevant; empty: nothing was "
               "found" },
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

static void report_random(iv_result *out, const random_row *x, double confidence)
{
    /* Neither now nor after more without a relevant one. */
    const bool none = x->found + x->relevant == 0;
    const bool stop = !none && x->p < 1.0 - confidence;
    char goal[IV_FIGURE_SIZE], n[IV_FIGURE_SIZE], more[IV_FIGURE_SIZE];

    (void)iv_percent(goal, x->target, x->target);
    (void)iv_thousands(n, (double)(x->sampled + (none ? x->read : 0)));
    if (none)
        iv_result_answer(out, "Inconclusive. None of the %s documents read is relevant, so the "
                         "hypergeometric rule cannot say whether recall is at least %s.", n, goal);
    else if (stop)
        iv_result_answer(out,
                         "You may stop: a recall below %s is rejected (p = %.4f). Of %s "
                         "documents sampled from the rest, %zu %s relevant.", goal, x->p, n,
                         x->relevant, x->relevant == 1 ? "is" : "are");
    else
        iv_result_answer(out, "Continue the review: a recall below %s is still possible "
                         "(p = %.2g). Judging %s more documents is enough if none of them is "
                         "relevant.", goal, x->p, iv_thousands(more, x->more));
    (void)iv_result_claim(out, &(iv_claim){
        .measure = "recall", .bound = x->target, .estimate = NAN, .lower = NAN, .upper = NAN,
        .p = none ? 1.0 : x->p, .p_contrary = 1.0,
        .level = 1.0 - confidence, .method = "hypergeometric-rule", .needed = NAN,
        .detectable = NAN });
    iv_result_used(out, "hypergeometric-rule");
    iv_result_assumption(out, "The unread documents are sampled in random order and judged "
                         "without error.");
}

int iv_recall_stop_random(iv_result *out, const iv_recall_question *q, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;

    if (q->retrieved.count != 3 || q->unretrieved.count != 3
        || !(q->target > 0.0 && q->target < 1.0))
        return iv_fail(err, IV_EARG, "--stop hypergeometric needs --retrieved N,N,r, "
                       "--unretrieved N,n,r and --target between 0 and 1");
    const int64_t *in = q->retrieved.at, *rest = q->unretrieved.at;
    if (in[2] > in[1])
        return iv_fail(err, IV_EARG,
                       "the retrieved segment: r = %" PRId64 " relevant of n = %" PRId64
                       " judged, expected r at most n", in[2], in[1]);
    if (in[0] != in[1] || in[2] < 0)
        return iv_fail(err, IV_EARG, "%" PRId64 " of %" PRId64 " retrieved documents are judged, "
                       "%" PRId64 " of them relevant; the hypergeometric rule needs all of them "
                                  "read",
                       in[1], in[0], in[2]);
    const iv_stratum left = { rest[0], rest[1], rest[2] };
    random_row x = { .found = (size_t)in[2], .left = (size_t)rest[0], .sampled = (size_t)rest[1],
                     .relevant = (size_t)rest[2], .read = (size_t)in[0], .target = q->target,
                     .p = iv_stop_p(in[2], left, q->target), .more = NAN };
    if (isnan(x.p))
        return iv_fail(err, IV_EARG, "%" PRId64 " relevant of %" PRId64 " judged of %" PRId64
                       " unretrieved documents, expected each at most the next", rest[2], rest[1],
                       rest[0]);
    if (in[2] + rest[2] > 0)
        x.more = (double)(more_needed(in[2], left, q->target, 1.0 - confidence) - left.sampled);
    IV_TABLE(out, "stop", random_fields, &x, 1);
    report_random(out, &x, confidence);
    return IV_OK;
}

/* --------------------------------------------- control documents by counts -- */

const iv_field iv_recall_control_fields[] = {
    { "control", IV_AT(control_row, known), .about = "relevant control documents" },
    { "found", IV_AT(control_row, met), .about = "control documents found by the review" },
    { "needed", IV_AT(control_row, needed), .digits = 0,
      .about = "control documents to be found for the target; empty: there are too few" },
    { "lower", IV_AT(control_row, lower), .digits = 3, .heading = "recall at least",
      .about = "one-sided limit of recall" },
    { NULL } };

/* The largest recall that so many found of so many demonstrate: Clopper and Pearson's limit. */
static double control_limit(int64_t found, int64_t known, double confidence)
{
    return found == 0 ? 0.0
        : iv_beta_quantile(1.0 - confidence, (double)found, (double)(known - found) + 1.0);
}

int iv_recall_stop_control(iv_result *out, const iv_recall_question *q, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const int64_t found = q->stopping.control.count == 2 ? q->stopping.control.at[0] : -1;
    const int64_t known = q->stopping.control.count == 2 ? q->stopping.control.at[1] : -1;
    char many[64], goal[IV_FIGURE_SIZE], is[IV_FIGURE_SIZE];

    if (!(found >= 0 && found <= known && known > 0))
        return iv_fail(err, IV_EARG, "control documents: expected how many were found, and of how "
                       "many");
    control_row x = { .known = (size_t)known, .met = (size_t)found, .needed = NAN,
                      .lower = control_limit(found, known, confidence) };
    if (q->target > 0.0)
        need(&x, q->target, confidence);
    const bool stop = x.needs > 0 && x.met >= x.needs;
    IV_TABLE(out, "control", iv_recall_control_fields, &x, 1);
    (void)iv_percent(goal, q->target, q->target);
    (void)how_many(many, x.met, x.known);
    (void)iv_percent_limit(is, x.lower, q->target, false);
    if (q->target > 0.0)
        (void)iv_result_claim(out, &(iv_claim){
            .measure = "recall", .bound = q->target, .estimate = (double)found / (double)known,
            .lower = stop ? q->target : fmin(x.lower, nextafter(q->target, 0.0)), .upper = 1.0,
            .p = NAN, .p_contrary = NAN, .level = 1.0 - confidence, .method = "clopper-pearson",
            .strength = IV_STRENGTH_GUARANTEED, .needed = NAN, .detectable = NAN });
    if (q->target == 0.0)
        iv_result_answer(out, "%s relevant control documents were found: recall is at least %s "
                         "(%.10g %% confidence).", many, is, 100.0 * confidence);
    else if (stop)
        iv_result_answer(out, "%s relevant control documents were found: recall is at least %s "
                         "(%.10g %% confidence). You may stop.", many, goal, 100.0 * confidence);
    else
        answer_open(out, &x, goal, confidence);
    control_method(out);
    return IV_OK;
}
