/* SPDX-License-Identifier: Apache-2.0 */
/* next -- which document should be judged next? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/inquiry_input.h"
#include "intervale/stat.h"

typedef struct args {
    int64_t count, depth, level, most;
    const char *relevance, *oracle;
    double until;
    int moments, judgments_format, run_format, no_answer;
    bool union_only;
} args;

static const opt opts[] = {
    OPT_INT(args, 0, "count", "N", count, 1, 10000000, "how many documents to list"),
    OPT_STR(args, 0, "relevance", "P", relevance,
            "probability that an unjudged document is relevant, or rank: estimated from the "
            "judged ones, by rank"),
    OPT_CHOICE(args, 0, "moments", "FORM", moments, inquiry_moments_words,
               "how mean and variance of a difference are found; exact only without --until"),
    OPT_INT(args, 'M', "depth", "N", depth, 1, INT64_MAX,
            "look at the first N documents of each topic only"),
    OPT_INT(args, 'l', "level", "GRADE", level, 0, IV_GRADE_MAX,
            "the lowest grade that counts as relevant"),
    OPT_FLAG(args, 0, "union-only", union_only,
             "documents judged relevant that none of the runs returns do not count"),
    OPT_CHOICE(args, 0, "judgments-format", "F", judgments_format, inquiry_judgments_words,
               "format of JUDGMENTS and the oracle; any is told by content"),
    OPT_CHOICE(args, 0, "run-format", "F", run_format, inquiry_run_words,
               "format of the runs; any is told by content"),
    OPT_HEADING("Simulation"),
    OPT_REAL(args, 0, "until", "P", until, 0.5, 1.0,
             "judge in this order until the sign of every difference has this confidence; 1 "
             "stands for 0.9995, or a sign that nothing can change"),
    OPT_STR(args, 0, "oracle", "QRELS", oracle, "the judgments that --until would get"),
    OPT_CHOICE(args, 0, "unjudged", "WHAT", no_answer, inquiry_no_answer_words,
               "where the oracle has no judgment: refuse, take it as not relevant, or never "
               "ask for it"),
    OPT_INT(args, 0, "most", "N", most, 1, INT64_MAX, "stop after so many judgments"),
    OPT_END
};

static iv_inquiry_options inquiry_options(const args *a, const inquiry_input *in)
{
    return (iv_inquiry_options){ .prior = in->prior, .form = (iv_moments_form)a->moments,
                                 .union_only = a->union_only };
}

static int make_inquiry(iv_inquiry **out, const args *a, const inquiry_input *in, iv_err *err)
{
    const iv_inquiry_options o = inquiry_options(a, in);
    size_t *all = malloc(in->count * sizeof *all);

    if (all == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t r = 0; r < in->count; r++)
        all[r] = r;
    const int rc = iv_inquiry_new(out, in->pooled, all, in->count, &o, err);
    free(all);
    return rc;
}

/* The difference in the mean, in the form asked for. */
static int pair_moments(iv_moments *out, const args *a, const iv_inquiry *q, size_t x,
                        size_t y, iv_err *err)
{
    const size_t n = iv_inquiry_topics(q);
    iv_moments sum = { 0.0, 0.0 };

    if (a->moments != IV_MOMENTS_EXACT) {
        *out = iv_inquiry_moments(q, iv_pair_index(iv_inquiry_runs(q), x, y));
        return IV_OK;
    }
    for (size_t t = 0; t < n; t++) {
        iv_moments one;
        const int rc = iv_inquiry_topic_exact(&one, q, t, x, y, err);
        if (rc != IV_OK)
            return rc;
        sum.mean += one.mean / (double)n;
        sum.variance += one.variance / ((double)n * (double)n);
    }
    *out = sum;
    return IV_OK;
}

static int table_pairs(cmd_context *c, const inquiry_input *in, const iv_inquiry *q,
                       iv_err *err)
{
    static const iv_column columns[] = {
        { "a", IV_TEXT, 0 }, { "b", IV_TEXT, 0 }, { "topics", IV_INTEGER, 0 },
        { "expected", IV_REAL, 4 }, { "sd", IV_REAL, 4 }, { "p_less", IV_REAL, 4 },
        { "confidence", IV_REAL, 4 }, { "lower", IV_REAL, 4 }, { "upper", IV_REAL, 4 } };
    iv_table *t = iv_result_table(c->result, "pairs", columns, 9);

    for (size_t a = 0; a < in->count; a++) {
        for (size_t b = a + 1; b < in->count; b++) {
            iv_moments d = { 0.0, 0.0 };
            double lower = 0.0, upper = 0.0;
            int rc = pair_moments(&d, c->args, q, a, b, err);
            if (rc == IV_OK)
                rc = iv_inquiry_limits(&lower, &upper, q, a, b, err);
            if (rc != IV_OK)
                return rc;
            iv_put_text(t, iv_str_of(in->names[a]));
            iv_put_text(t, iv_str_of(in->names[b]));
            iv_put_int(t, (int64_t)iv_inquiry_topics(q));
            iv_put_real(t, d.mean);
            iv_put_real(t, sqrt(d.variance));
            iv_put_real(t, iv_probability_less(d));
            iv_put_real(t, iv_sign_confidence(d));
            iv_put_real(t, lower);
            iv_put_real(t, upper);
        }
    }
    return IV_OK;
}

/* --------------------------------------------------------------- the list -- */

static void put_rank(iv_table *t, uint32_t rank)
{
    if (rank == 0)
        iv_put_missing(t);
    else
        iv_put_int(t, rank);
}

static void table_documents(cmd_context *c, const inquiry_input *in, const iv_inquiry *q,
                            const iv_candidate *list, size_t count)
{
    static const iv_column columns[] = {
        { "order", IV_INTEGER, 0 }, { "topic", IV_TEXT, 0 }, { "docno", IV_TEXT, 0 },
        { "movement", IV_REAL, 6 }, { "rank_a", IV_INTEGER, 0 },
        { "rank_b", IV_INTEGER, 0 } };
    static const iv_column many[] = {
        { "order", IV_INTEGER, 0 }, { "topic", IV_TEXT, 0 }, { "docno", IV_TEXT, 0 },
        { "movement", IV_REAL, 6 }, { "best_rank", IV_INTEGER, 0 } };
    const bool two = in->count == 2;
    iv_table *t = iv_result_table(c->result, "documents", two ? columns : many, two ? 6 : 5);

    for (size_t k = 0; k < count; k++) {
        iv_put_int(t, (int64_t)k + 1);
        iv_put_text(t, iv_inquiry_topic_id(q, list[k].topic));
        iv_put_text(t, iv_inquiry_docno(q, list[k].topic, list[k].document));
        iv_put_real(t, list[k].movement);
        if (two) {
            put_rank(t, iv_inquiry_rank(q, list[k].topic, 0, list[k].document));
            put_rank(t, iv_inquiry_rank(q, list[k].topic, 1, list[k].document));
        } else {
            put_rank(t, iv_inquiry_best_rank(q, list[k].topic, list[k].document));
        }
    }
}

static void answer_list(cmd_context *c, const inquiry_input *in, const iv_inquiry *q,
                        const iv_candidate *list, size_t count)
{
    char id[IV_QUOTE_SIZE], docno[IV_QUOTE_SIZE];
    const iv_moments d = iv_inquiry_moments(q, 0);

    if (count == 0) {
        iv_result_answer(c->result, "No judgment would change the expected difference%s.",
                         in->count == 2 ? "" : "s");
        return;
    }
    (void)iv_quote(id, iv_inquiry_topic_id(q, list[0].topic));
    (void)iv_quote(docno, iv_inquiry_docno(q, list[0].topic, list[0].document));
    if (in->count == 2)
        iv_result_answer(c->result, "Judge %s of topic %s first. As things stand %s is better "
                         "than %s with confidence %.3f.", docno, id,
                         in->names[d.mean < 0.0], in->names[d.mean >= 0.0],
                         iv_sign_confidence(d));
    else
        iv_result_answer(c->result, "Judge %s of topic %s first.", docno, id);
}

static int list_documents(cmd_context *c, const inquiry_input *in, const iv_inquiry *q,
                          iv_err *err)
{
    const args *a = c->args;
    const iv_pooled_facts f = iv_pooled_facts_of(in->pooled);
    const size_t most = (size_t)a->count < f.documents ? (size_t)a->count : f.documents;
    iv_candidate *list = malloc((most + 1) * sizeof *list);
    iv_err failed = { IV_OK, "" };

    if (list == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const size_t count = iv_inquiry_list(list, most, q, &failed);
    int rc = failed.code == IV_OK ? IV_OK : iv_fail_as(err, &failed);
    if (rc == IV_OK) {
        answer_list(c, in, q, list, count);
        table_documents(c, in, q, list, count);
        rc = table_pairs(c, in, q, err);
    }
    free(list);
    return rc;
}

/* -------------------------------------------------------------- simulation -- */

typedef struct simulated {
    iv_inquiry *q[2];          /* by movement, by pool */
    iv_judging_record record[2];
} simulated;

static void table_judging(cmd_context *c, const simulated *s)
{
    static const iv_column columns[] = {
        { "method", IV_TEXT, 0 }, { "judgments", IV_INTEGER, 0 },
        { "relevant", IV_INTEGER, 0 }, { "depth", IV_INTEGER, 0 },
        { "confidence", IV_REAL, 4 }, { "reached", IV_TEXT, 0 } };
    static const char *const names[] = { "next", "pool" };
    iv_table *t = iv_result_table(c->result, "judging", columns, 6);

    for (size_t k = 0; k < 2; k++) {
        const iv_judging_record *r = &s->record[k];
        iv_put_text(t, iv_str_of(names[k]));
        iv_put_int(t, (int64_t)r->steps);
        iv_put_int(t, (int64_t)r->relevant);
        if (k == 0)
            iv_put_missing(t);
        else
            iv_put_int(t, (int64_t)r->depth);
        iv_put_real(t, r->confidence);
        iv_put_text(t, iv_str_of(r->reached ? "yes" : "no"));
    }
}

static void table_steps(cmd_context *c, const simulated *s)
{
    static const iv_column columns[] = {
        { "order", IV_INTEGER, 0 }, { "topic", IV_TEXT, 0 }, { "docno", IV_TEXT, 0 },
        { "movement", IV_REAL, 6 }, { "relevant", IV_INTEGER, 0 },
        { "confidence", IV_REAL, 4 } };
    const args *a = c->args;
    const bool people = strcmp(c->shared->format, "text") == 0 && c->shared->table == NULL;
    const iv_judging_record *r = &s->record[0];
    const size_t shown = people && r->steps > (size_t)a->count ? (size_t)a->count : r->steps;
    iv_table *t = iv_result_table(c->result, "documents", columns, 6);

    for (size_t k = 0; k < shown; k++) {
        iv_put_int(t, (int64_t)k + 1);
        iv_put_text(t, iv_inquiry_topic_id(s->q[0], r->step[k].topic));
        iv_put_text(t, iv_inquiry_docno(s->q[0], r->step[k].topic, r->step[k].document));
        iv_put_real(t, r->step[k].movement);
        iv_put_int(t, r->step[k].relevant);
        iv_put_real(t, r->step[k].confidence);
    }
    if (shown < r->steps)
        iv_result_note(c->result, "%zu more judgments are not listed; --table documents or "
                       "--format tsv --table documents lists all", r->steps - shown);
}

static void answer_judging(cmd_context *c, const simulated *s)
{
    const args *a = c->args;
    const iv_judging_record *next = &s->record[0], *pool = &s->record[1];

    if (next->reached)
        iv_result_answer(c->result, "%zu judgment%s reach%s confidence %g; a pool of depth %zu "
                         "takes %zu%s.", next->steps, next->steps == 1 ? "" : "s",
                         next->steps == 1 ? "es" : "", a->until, pool->depth, pool->steps,
                         pool->reached ? "" : " and does not reach it");
    else
        iv_result_answer(c->result, "After %zu judgments the confidence is %.4f, not %g: %s.",
                         next->steps, next->confidence, a->until,
                         a->most > 0 && next->steps >= (size_t)a->most
                         ? "no more were allowed" : "no other judgment would change it");
    if (next->unanswered > 0)
        iv_result_note(c->result, "%zu of the documents judged are not in the oracle and were "
                       "taken as not relevant", next->unanswered);
    if (next->fixed)
        iv_result_note(c->result, "no further judgment can change the sign of a difference");
}

static int simulate(cmd_context *c, const inquiry_input *in, simulated *s, iv_err *err)
{
    const args *a = c->args;
    iv_judgments *oracle = NULL;
    int rc = inquiry_judgments_read(&oracle, c, a->oracle, a->judgments_format, err);

    for (int by_pool = 0; by_pool < 2 && rc == IV_OK; by_pool++) {
        const iv_judging_plan plan = { .until = a->until, .by_pool = by_pool == 1,
                                       .no_answer = (iv_no_answer)a->no_answer,
                                       .most = a->most > 0 ? (size_t)a->most : 0 };
        rc = make_inquiry(&s->q[by_pool], a, in, err);
        if (rc == IV_OK)
            rc = iv_judge_until(&s->record[by_pool], s->q[by_pool], oracle,
                                (int32_t)a->level, a->oracle, &plan, c->progress, err);
    }
    if (rc == IV_ENODATA && a->no_answer == IV_NO_ANSWER_REFUSE)
        cmd_hint(err, "; --unjudged nonrelevant or skip says what to do then");
    if (rc == IV_OK) {
        answer_judging(c, s);
        table_judging(c, s);
        table_steps(c, s);
        rc = table_pairs(c, in, s->q[0], err);
    }
    iv_judgments_free(oracle);
    return rc;
}

/* --------------------------------------------------------------------- run -- */

static int check_args(const args *a, iv_err *err)
{
    if (isnan(a->until) != (a->oracle == NULL))
        return cmd_usage(err, isnan(a->until) ? "--oracle needs --until, the confidence to reach"
                         : "--until needs --oracle, the judgments it would get");
    if (!isnan(a->until) && a->until <= 0.5)
        return cmd_usage(err, "option --until: %g, expected above 0.5: the larger side is never "
                         "less likely", a->until);
    if (!isnan(a->until) && a->moments == IV_MOMENTS_EXACT)
        return cmd_usage(err, "--until judges with plain or delta moments, not exact ones");
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    const inquiry_source source = {
        .judgments = c->operands[0], .runs = c->operands + 1, .count = c->operand_count - 1,
        .judgments_format = a->judgments_format, .run_format = a->run_format,
        .relevance = a->relevance,
        .pool = { .depth = a->depth > 0 ? (size_t)a->depth : 0, .level = (int32_t)a->level } };
    inquiry_input in = { 0 };
    simulated s = { { NULL, NULL }, { { 0 }, { 0 } } };
    int rc = check_args(a, err);

    if (rc == IV_OK)
        rc = inquiry_input_read(&in, c, &source, err);
    if (rc == IV_OK)
        inquiry_input_tell_prior(c, &in);
    if (rc == IV_OK && a->oracle != NULL)
        rc = simulate(c, &in, &s, err);
    else if (rc == IV_OK && (rc = make_inquiry(&s.q[0], a, &in, err)) == IV_OK)
        rc = list_documents(c, &in, s.q[0], err);
    for (size_t k = 0; k < 2; k++) {
        iv_inquiry_free(s.q[k]);
        iv_judging_record_free(&s.record[k]);
    }
    inquiry_input_free(&in);
    return rc;
}

const cmd cmd_next = {
    .name = "next",
    .group = "Judging",
    .summary = "say which documents to judge next to tell runs apart",
    .operands = "JUDGMENTS RUN RUN...",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Lists the documents whose judgment would say most about the difference in mean "
        "average precision of two runs, or of all pairs of several, best first. Judge some, "
        "add them to JUDGMENTS, and ask again: a short list is better spent than a long one. "
        "JUDGMENTS may be an empty file. All topics that the runs share take part, judged or "
        "not.\n\n"
        "An unjudged document is relevant with probability --relevance. movement is how far "
        "its judgment is expected to move the expected difference (the sum over pairs); of "
        "equal ones the better ranked comes first. Table pairs says how sure the signs are: "
        "expected difference a - b, its standard deviation over what is not known, p_less = "
        "P(difference < 0), confidence = the larger of that and its complement, and lower and "
        "upper, limits that the difference cannot leave whatever the judgments.\n\n"
        "With --until and --oracle judging is simulated, in this order and by pools of growing "
        "depth, and what each took is shown side by side.",
    .examples = (const cmd_example[]){
        { "intervale next qrels runA runB", "The ten documents to judge first." },
        { "intervale next --relevance rank --count 50 --format tsv qrels runA runB runC",
          "Fifty, for three runs, with relevance estimated from what is judged." },
        { "intervale next --until 0.95 --oracle full.qrels --unjudged nonrelevant qrels runA "
          "runB", "How many judgments would have been enough?" },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .count = 10, .depth = -1, .level = 1, .most = -1,
                               .relevance = "0.5", .until = (double)NAN,
                               .moments = IV_MOMENTS_DELTA },
    .args_size = sizeof(args),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "documents", "pairs", "judging", NULL },
    .run = run,
};
