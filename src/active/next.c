/* SPDX-License-Identifier: Apache-2.0 */
/* next -- which judgments would tell the runs apart? */
#include "active/judging_input.h"
#include "active/judging_topics.h"
#include "active/judging.h"
#include "active/judging_messages.h"
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/pair_tests.h"
#include "trec/judgments.h"
#include "trec/machine_labels.h"
#include "trec/run_source.h"
#include "trec/trec_ends.h"

#include <math.h>

/* What to judge next, as a file to fill in: the judgments that are there, and behind
 * them the documents of the list with a grade of -1. */

static void put(FILE *out, iv_str s)
{
    (void)fwrite(s.ptr, 1, s.len, out);
}

/* A line of qrels, or of prels: judged for certain is what was not drawn. */
static void put_line(FILE *out, bool sample, iv_str topic, iv_str docno, int32_t grade, bool drawn,
                     double pi)
{
    char number[IV_REAL_SIZE];

    put(out, topic);
    (void)fputs(sample ? " " : " 0 ", out);
    put(out, docno);
    (void)fprintf(out, " %d", (int)grade);
    if (sample && pi < 1.0)
        (void)fprintf(out, " %d %s", drawn, iv_format_real(number, pi) > 0 ? number : "");
    else if (sample)
        (void)fprintf(out, " %d 1.0", drawn);
    (void)fputc('\n', out);
}

static void put_judged(FILE *out, const iv_judgments *j, bool sample)
{
    iv_comment c = { 0 };

    while (iv_judgments_next_comment(&c, j)) {
        put(out, c.text);
        (void)fputc('\n', out);
    }
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *judged;
        const size_t count = iv_judgments_of(&judged, j, t);
        for (size_t i = 0; i < count; i++)
            put_line(out, sample, iv_judgments_topic(j, t), judged[i].docno, judged[i].grade,
                     sample && judged[i].pi < 1.0, judged[i].pi);
    }
}

/* Is there no line of the document yet? */
static bool is_new(const iv_judgments *judged, iv_str topic, iv_str docno)
{
    const size_t at = judged == NULL ? IV_NONE : iv_judgments_find_topic(judged, topic);

    return at == IV_NONE || iv_judgments_find(judged, at, docno) == NULL;
}

/* Estimates must know that the list was not drawn. */
static void put_chosen(FILE *out, const iv_judgments *judged, iv_str topic, iv_str docno)
{
    if (!is_new(judged, topic, docno))
        return;
    (void)fputs("#: chosen ", out);
    put(out, topic);
    (void)fputc(' ', out);
    put(out, docno);
    (void)fputc('\n', out);
}

/* Writes judgments (NULL: none) with documents to judge behind them, to be filled in. */
static int next_write(const char *path, const iv_judgments *judged, const iv_judging_state *q, const
                      iv_candidate *list, size_t count, iv_err *err)
{
    const bool sample = judged != NULL && iv_judgments_format_of(judged) == IV_JUDGMENTS_PRELS;
    iv_outfile *file = NULL;

    IV_TRY(iv_outfile_open(&file, path, err));
    FILE *out = iv_outfile_stream(file);
    if (judged != NULL)
        put_judged(out, judged, sample);
    for (size_t k = 0; k < count && sample; k++)
        put_chosen(out, judged, iv_judging_topic_id(q, list[k].topic),
                   iv_judging_docno(q, list[k].topic, list[k].document));
    for (size_t k = 0; k < count; k++) {
        const iv_str topic = iv_judging_topic_id(q, list[k].topic);
        const iv_str docno = iv_judging_docno(q, list[k].topic, list[k].document);
        if (is_new(judged, topic, docno))
            put_line(out, sample, topic, docno, -1, false, 1.0);
    }
    return iv_outfile_commit(file, err);
}

enum { USUAL_COUNT = 10 };

/* A pair of runs: the difference in mean average precision, as far as judgments say. */
typedef struct pair_row {
    const char *a, *b;
    size_t topics;
    double expected, sd, p_less, p_better, confidence;
    double lower, upper; /* whatever the missing judgments are */
} pair_row;

/* A document in the order of judging. */
typedef struct document_row {
    iv_str topic, docno;
    size_t order, rank_a, rank_b, best_rank;
    size_t relevant; /* the oracle's judgment */
    double expected_change;
    double confidence; /* the lowest of any pair after the judgment */
} document_row;

/* An order of judging, and how far it came. */
typedef struct judging_row {
    const char *method, *reached;
    size_t judgments, relevant, depth;
    double confidence;
} judging_row;

/* What is read, and how often it is judged: by movement, and by pool. */
typedef struct work {
    const iv_next_question *q;
    iv_result *out;
    iv_judging_input in;
    iv_judging_state *judging[2];
    iv_judging_record record[2];
    iv_judgments *machine;
    bool scored;
    pair_row *pairs;
    iv_nested_work nested; /* of pairs */
} work;

/* Is a table of pairs asked for, with confidences and limits?  Of many it takes longer than the
 * list. */
static bool wants_pairs(const work *w)
{
    return iv_result_wants(w->out, "pairs", w->in.runs.count > 2 ? IV_ASKED : IV_SHOWN);
}

IV_ENDS(judging)

static int make_judging(iv_judging_state **out, const work *w, const iv_work *how, iv_err *err)
{
    const bool many = w->in.runs.count > 2;
    const iv_judging_options o = {
        .prior = w->in.prior, .form = w->q->paper ? IV_MOMENTS_PLAIN : IV_MOMENTS_DELTA,
        .union_only = w->q->paper, .machine = w->machine, .scored = w->scored,
        .order_only = many && w->q->oracle == NULL && !wants_pairs(w) };

    IV_TRY(iv_judging_new(out, w->in.pooled, NULL, w->in.runs.count, &o, how, err));
    return IV_KEEP(w->out, judging, *out, err);
}

/* --------------------------------------------------------------- pairs -- */

const iv_field iv_next_pair_fields[] = {
    { "a", IV_AT(pair_row, a), .about = "a run" },
    { "b", IV_AT(pair_row, b), .about = "another run" },
    { "topics", IV_AT(pair_row, topics), .about = "topics that all runs have" },
    { "expected", IV_AT(pair_row, expected), .digits = 4, .heading = "expected difference",
      .about = "expected difference in mean average precision, a - b" },
    { "sd", IV_AT(pair_row, sd), .digits = 4,
      .about = "standard deviation due to unjudged documents" },
    { "p_less", IV_AT(pair_row, p_less), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "P(difference < 0)" },
    { "p_better", IV_AT(pair_row, p_better), .digits = 4, .audience = IV_FOR_PEOPLE,
      .heading = "P(a better)", .about = "probability that a is better than b" },
    { "confidence", IV_AT(pair_row, confidence), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "confidence in the sign of the difference" },
    { "lower", IV_AT(pair_row, lower), .digits = 4, .heading = "lowest possible difference",
      .about = "lower bound, whatever the missing judgments are; it may not be attainable" },
    { "upper", IV_AT(pair_row, upper), .digits = 4, .heading = "highest possible difference",
      .about = "upper bound, whatever the missing judgments are; it may not be attainable" },
    { NULL } };

static int one_pair(void *user, void *memory, size_t k, iv_err *err)
{
    work *w = user;
    const iv_judging_state *i = w->judging[0];
    pair_row *row = &w->pairs[k];
    size_t a, b;

    (void)memory;
    iv_pair_at(&a, &b, i->runs, k);
    const iv_moments d = iv_judging_moments(i, k);
    const double less = iv_probability_less(d);
    *row = (pair_row){ .a = w->in.runs.names[a], .b = w->in.runs.names[b], .topics = i->topics,
                       .expected = d.mean, .sd = sqrt(d.variance), .p_less = less,
                       .p_better = 1.0 - less, .confidence = iv_sign_confidence(d) };
    return iv_judging_limits_at(&row->lower, &row->upper, i, a, b, &w->nested.inner, 0.0, err);
}

static int table_pairs(work *w, const iv_work *how, iv_err *err)
{
    const size_t count = iv_pair_count(w->in.runs.count);
    const iv_showing showing = count > 1 ? IV_FOLDED : IV_SHOWN;

    w->pairs = iv_take(iv_result_own(w->out), count, sizeof *w->pairs);
    IV_TRY(iv_taken(iv_result_own(w->out), err));
    iv_nested_work_start(&w->nested, how);
    IV_TRY(iv_parallel(&(iv_loop){ count, one_pair, w, NULL }, &w->nested.outer, err));
    IV_TABLE(w->out, "pairs", iv_next_pair_fields, w->pairs, count, .showing = showing);
    return IV_OK;
}

/* ------------------------------------------------------------ documents -- */

/* Which columns there are. */
enum { OF_TWO = 1, OF_MANY = 2, JUDGED = 4 };

const iv_field iv_next_document_fields[] = {
    { "order", IV_AT(document_row, order), .about = "order of judging" },
    { "topic", IV_AT(document_row, topic), .about = "id of the topic" },
    { "docno", IV_AT(document_row, docno), .about = "the document to judge" },
    { "expected_change", IV_AT(document_row, expected_change), .digits = 6,
      .heading = "expected change of difference",
      .about = "expected change of the difference if the document is judged" },
    { "rank_a", IV_AT(document_row, rank_a), .needs = OF_TWO,
      .about = "its rank in the first run" },
    { "rank_b", IV_AT(document_row, rank_b), .needs = OF_TWO,
      .about = "its rank in the second run" },
    { "best_rank", IV_AT(document_row, best_rank), .needs = OF_MANY,
      .about = "its best rank in any run" },
    { "relevant", IV_AT(document_row, relevant), .needs = JUDGED,
      .about = "judgment of the oracle" },
    { "confidence", IV_AT(document_row, confidence), .digits = 4, .needs = JUDGED,
      .about = "lowest confidence of any pair after the judgment" },
    { NULL } };

static size_t rank_or_none(uint32_t rank)
{
    return rank == 0 ? SIZE_MAX : rank;
}

static document_row row_of(const iv_judging_state *i, size_t place, size_t topic, size_t document,
                           double movement)
{
    return (document_row){
        .topic = iv_judging_topic_id(i, topic), .docno = iv_judging_docno(i, topic, document),
        .order = place + 1, .rank_a = rank_or_none(iv_judging_rank(i, topic, 0, document)),
        .rank_b = rank_or_none(iv_judging_rank(i, topic, 1, document)),
        .best_rank = rank_or_none(iv_judging_best_rank(i, topic, document)),
        .expected_change = movement };
}

static void answer_list(const work *w, const iv_judging_state *i, const document_row *first)
{
    const bool two = w->in.runs.count == 2;
    char id[IV_QUOTE_SIZE], docno[IV_QUOTE_SIZE], sure[IV_PROBABILITY_SIZE];
    const iv_moments d = two ? iv_judging_moments(i, 0) : (iv_moments){ 0 };

    iv_wording says = { 0 };

    if (first == NULL) {
        iv_result_answer(w->out, "No judgment would change the expected difference%s.",
                         two ? "" : "s");
        return;
    }
    iv_say(&says, "Judge %s of topic %s first.", iv_quote(docno, first->docno),
           iv_quote(id, first->topic));
    if (two && iv_sign_confidence(d) < 0.505)
        iv_say(&says, " Given the judgments so far, neither of %s and %s is ahead (probability "
               "%.3f).", w->in.runs.names[0], w->in.runs.names[1], iv_sign_confidence(d));
    else if (two)
        iv_say(&says, " Given the judgments so far, %s is better than %s with probability %s.",
               w->in.runs.names[d.mean < 0.0], w->in.runs.names[d.mean >= 0.0],
               iv_probability(sure, iv_sign_confidence(d)));
    iv_result_answer(w->out, "%s", says.at);
}

static size_t listed_count(const work *w)
{
    return w->q->count == 0 ? USUAL_COUNT : w->q->count;
}

static int list_documents(const work *w, const iv_judging_state *i, const iv_work *how, iv_err *err)
{
    const iv_pooled *f = w->in.pooled;
    size_t count = listed_count(w) < f->documents ? listed_count(w) : f->documents;
    iv_candidate *list = iv_take(iv_result_own(w->out), count + 1, sizeof *list);
    document_row *rows = iv_take(iv_result_own(w->out), count + 1, sizeof *rows);

    IV_TRY(iv_taken(iv_result_own(w->out), err));
    IV_TRY(iv_judging_list(list, &count, i, how, err));
    if (w->q->write != NULL)
        IV_TRY(next_write(w->q->write, w->in.judgments, i, list, count, err));
    for (size_t k = 0; k < count; k++)
        rows[k] = row_of(i, k, list[k].topic, list[k].document, list[k].movement);
    if (w->q->write != NULL)
        iv_result_note(w->out, "%s: the judgments were written, followed by %zu document%s to "
                       "judge%s.", w->q->write, count, count == 1 ? "" : "s",
                       w->in.judgments != NULL
                           && iv_judgments_format_of(w->in.judgments) == IV_JUDGMENTS_PRELS
                           ? ". These documents were chosen, not sampled: 'eval' and 'compare' "
                             "do not use them" : "");
    answer_list(w, i, count > 0 ? rows : NULL);
    IV_TABLE(w->out, "documents", iv_next_document_fields, rows, count,
             .with = w->in.runs.count == 2 ? OF_TWO : OF_MANY);
    return IV_OK;
}

/* ----------------------------------------------------------- simulation -- */

const iv_field iv_next_judging_fields[] = {
    { "method", IV_AT(judging_row, method), .about = "the order of judging" },
    { "judgments", IV_AT(judging_row, judgments), .about = "judgments made" },
    { "relevant", IV_AT(judging_row, relevant), .about = "documents found relevant" },
    { "depth", IV_AT(judging_row, depth), .about = "depth of the pool" },
    { "confidence", IV_AT(judging_row, confidence), .digits = 4,
      .about = "lowest confidence of any pair at the end" },
    { "reached", IV_AT(judging_row, reached), .about = "1: the requested confidence was reached" },
    { NULL } };

static void table_judging(const work *w)
{
    judging_row rows[2];

    for (size_t k = 0; k < 2; k++) {
        const iv_judging_record *r = &w->record[k];
        rows[k] = (judging_row){ .method = iv_judging_order_names()[k],
                                 .reached = r->reached ? "yes" : "no", .judgments = r->steps,
                                 .relevant = r->relevant,
                                 .depth = k == IV_ORDER_POOL ? r->depth : SIZE_MAX,
                                 .confidence = r->confidence };
    }
    IV_TABLE(w->out, "judging", iv_next_judging_fields, rows, 2);
}

/* Who reads looks at the first only; who asks for the table gets all. */
static int table_steps(const work *w, iv_err *err)
{
    const iv_judging_record *r = &w->record[IV_ORDER_NEXT];
    const bool all = r->steps <= listed_count(w)
        || iv_result_wants(w->out, "documents", IV_LONG);
    const size_t shown = all ? r->steps : listed_count(w);
    document_row *rows = iv_take(iv_result_own(w->out), shown + 1, sizeof *rows);

    IV_TRY(iv_taken(iv_result_own(w->out), err));
    for (size_t k = 0; k < shown; k++) {
        rows[k] = row_of(w->judging[IV_ORDER_NEXT], k, r->step[k].topic, r->step[k].document,
                         r->step[k].movement);
        rows[k].relevant = r->step[k].relevant;
        rows[k].confidence = r->step[k].confidence;
    }
    IV_TABLE(w->out, "documents", iv_next_document_fields, rows, shown, .with = JUDGED);
    if (shown < r->steps && iv_result_wants(w->out, "documents", IV_SHOWN))
        iv_result_legend(w->out, "%zu more judgments are not listed; table 'documents', asked "
                       "for by its name, has all", r->steps - shown);
    return IV_OK;
}

static void answer_judging(const work *w, double until)
{
    const iv_judging_record *next = &w->record[IV_ORDER_NEXT], *pool = &w->record[IV_ORDER_POOL];
    char pairs[64] = "", other[96] = "", is[IV_FIGURE_SIZE];

    if (pool->reached)
        (void)snprintf(other, sizeof other, "; a pool of depth %zu reaches it with "
                                            "%zu", pool->depth,
                       pool->steps);
    if (w->in.runs.count > 2)
        (void)snprintf(pairs, sizeof pairs, " (%zu of %zu pairs have it)", next->sure,
                       iv_pair_count(w->in.runs.count));
    if (next->reached)
        iv_result_answer(w->out, "%s judgment%s reach%s confidence %.10g; a pool of depth "
                         "%zu takes %s%s.%s", IV_COUNT(next->steps), next->steps == 1 ? "" : "s",
                         next->steps == 1 ? "es" : "", until, pool->depth,
                         IV_COUNT(pool->steps),
                         pool->reached ? "" : " and does not reach it",
                         next->fixed ? "" : " In trials, the run that was better with confidence "
                                            "0.95 was indeed better in 85 to 98 % of cases.");
    else
        iv_result_answer(w->out, "After %s judgments the confidence is %s, not %.10g%s: %s%s.",
                         IV_COUNT(next->steps), iv_figure(is, 4, next->confidence, until),
                         until, pairs,
                         w->q->most > 0 && next->steps >= w->q->most
                             ? "no more were allowed"
                             : w->in.runs.count > 2 ? "no document of an open pair is left to judge"
                                                    : "no other judgment would change it", other);
    IV_SAY(w->out, "judging.unanswered", next->unanswered);
    IV_SAY(w->out, "judging.fixed", next->fixed ? 1 : 0);
}

static void end_record(void *r) { iv_judging_record_free(r); }

static int simulate(work *w, const iv_work *how, iv_err *err)
{
    const double until = w->q->until == 0.0 ? 0.95 : w->q->until;
    iv_judgments *oracle;
    iv_stage reading;

    IV_TRY(iv_judgments_input(&oracle, w->out, w->q->oracle, w->q->from.judgments_format,
                              iv_work_part(&reading, how, 0.0, 0.1), err));
    for (int k = 0; k < 2; k++) {
        const iv_judging_plan plan = { .until = until, .order = (iv_judging_order)k,
                                       .level = w->q->level, .no_answer = w->q->no_answer,
                                       .most = w->q->most };
        iv_stage stage;
        IV_TRY(make_judging(&w->judging[k], w, iv_work_part(&stage, how, 0.1 + 0.45 * k,
                                                            0.1 + 0.45 * k), err));
        const int rc = iv_judge_until(&w->record[k], w->judging[k], oracle, w->q->oracle, &plan,
                                      iv_work_part(&stage, how, 0.1 + 0.45 * k,
                                                   0.1 + 0.45 * (k + 1)), err);
        IV_TRY(iv_keep(iv_result_own(w->out), &w->record[k], end_record, err));
        IV_TRY(rc);
    }
    answer_judging(w, until);
    table_judging(w);
    return table_steps(w, err);
}

/* The machine's labels, and how many documents of the runs have one. */
static int read_machine(work *w, const iv_work *how, iv_err *err)
{
    const iv_pooled *p = w->in.pooled;
    size_t labelled = 0, documents = 0;

    IV_TRY(iv_machine_labels_load(&w->machine, &w->scored, w->q->machine, IV_JUDGMENTS_ANY, how,
                                  err));
    IV_TRY(IV_KEEP(w->out, judgments, w->machine, err));
    iv_result_input(w->out, w->q->machine, iv_judgments_bytes(w->machine));
    for (size_t t = 0; t < p->topics; t++) {
        const size_t at = iv_judgments_find_topic(w->machine, p->topic[t].id);
        documents += p->topic[t].documents;
        for (size_t i = 0; at != IV_NONE && i < p->topic[t].documents; i++)
            labelled += iv_judgments_find(w->machine, at, p->topic[t].docno[i]) != NULL;
    }
    if (labelled == 0)
        return iv_fail_at(err, IV_ENODATA, w->q->machine, 0, "no label of a document that the runs "
                          "return, expected labels of the same topics and documents");
    char all[24];
    (void)snprintf(all, sizeof all, "%zu", documents);
    IV_SAY(w->out, "judging.labels", labelled, .text = { all });
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *how, iv_err *err)
{
    typedef iv_next_question T;
    const iv_next_question *q = asked;
    const iv_pooled_options pool = { .depth = q->depth, .level = q->level };
    work *w = iv_take(iv_result_own(out), 1, sizeof *w);
    iv_stage stage;

    IV_TRY(iv_taken(iv_result_own(out), err));
    IV_TRY(q->oracle == NULL
        ? IV_REFUSE(q, "without --oracle", err, IV_IDLE(until, "until"),
                    IV_IDLE(no_answer, "unjudged"), IV_IDLE(most, "most"))
        : IV_REFUSE(q, "with --oracle", err, IV_IDLE(write, "write"), IV_IDLE(count, "count")));
    w->q = q;
    w->out = out;
    IV_TRY(iv_judging_input_read(&w->in, out, &q->from,
                                 q->relevance == NULL && q->paper ? "0.5" : q->relevance, &pool,
                                 iv_work_part(&stage, how, 0.0, 0.1), err));
    if (q->machine != NULL)
        IV_TRY(read_machine(w, iv_work_part(&stage, how, 0.1, 0.1), err));
    iv_judging_input_tell_uneven(out, &w->in);
    iv_judging_input_tell_prior(out, &w->in, q->paper);
    iv_result_used(out, "minimal");
    (void)iv_work_part(&stage, how, 0.1, 0.9);
    IV_TRY(q->oracle != NULL ? simulate(w, &stage.work, err)
                             : make_judging(&w->judging[0], w, &stage.work, err));
    if (q->oracle == NULL)
        IV_TRY(list_documents(w, w->judging[0], iv_work_part(&stage, how, 0.9, 0.9), err));
    return wants_pairs(w) ? table_pairs(w, iv_work_part(&stage, how, 0.9, 1.0), err)
                          : IV_OK;
}

int iv_answer_next(iv_result *out, const iv_next_question *q, const iv_work *how, iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_next_question, from.),
        IV_PART_OF(iv_next_question, machine, PATH, "automatic labels"),
        IV_PART_OF(iv_next_question, oracle, PATH, "the oracle"),
        IV_PART_OF(iv_next_question, write, PATH, "the file to write"),
        IV_PART_OF(iv_next_question, until, REAL, "the confidence"),
        IV_CHOICE_OF(iv_next_question, no_answer, iv_no_answer_names,
                     "what to do without an answer"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "minimal incomplete"), how,
                          err);
}
