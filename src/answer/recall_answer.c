/* SPDX-License-Identifier: Apache-2.0 */
/* Recall: what is read, and the tables of what is found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/recall_parts.h"
#include "base/parallel.h"
#include "base/result.h"
#include "stat/recall/recall_outcomes.h"

/* ------------------------------------------------------------- reading -- */

static int from_counts(iv_review **out, const iv_recall_question *q, iv_err *err)
{
    iv_stratum s[2];

    for (int i = 0; i < 2; i++) {
        const iv_integers *given = i == 0 ? &q->retrieved : &q->unretrieved;
        if (given->count != 3)
            return iv_fail(err, IV_EARG, "the %s segment has %zu numbers, expected N, n and r",
                           i == 0 ? "retrieved" : "unretrieved", given->count);
        s[i] = (iv_stratum){ given->at[0], given->at[1], given->at[2] };
    }
    return iv_review_counts(out, s[0], s[1], q->unsampled, err);
}

static int from_strata(iv_review **out, iv_result *r, const iv_recall_question *q,
                       const iv_work *work, iv_err *err)
{
    iv_strata *file = NULL;
    int rc = q->table != NULL ? IV_OK : iv_strata_load(&file, q->strata, q->runs, work, err);

    if (rc < 0)
        return rc;
    const iv_strata_table *table = q->table != NULL ? q->table : iv_strata_view(file);
    if (table->path != NULL)
        iv_result_input(r, table->path, table->bytes);
    rc = iv_review_strata(out, table, q->unsampled, err);
    iv_strata_free(file);
    return rc;
}

static int read_collection(int64_t *out, const char *text, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    *out = 0;
    if (text == NULL)
        return iv_fail(err, IV_EARG, "a ranking and a sample need the size of the collection");
    if (strcmp(text, "run") != 0 && !iv_scan_int(out, iv_str_of(text), 1, IV_STRATUM_MAX))
        return iv_fail(err, IV_EARG, "%s is no number of documents in the collection; expected "
                       "a whole number, or run", iv_quote(quoted, iv_str_of(text)));
    return IV_OK;
}

static int from_ranking(iv_review **out, iv_result *r, const iv_recall_question *q,
                        const iv_work *work, iv_err *err)
{
    iv_review_sample in = { q->ranking, q->judged, q->run, q->sample, 0, q->at, q->drawn_at,
                            q->level, q->unsampled, q->unjudged, NULL, q->machine_level };
    iv_judgments *labels = NULL;
    bool scored = false;
    iv_run *run = NULL;
    iv_judgments *judged = NULL;
    iv_stage reads;
    int rc = q->stop != IV_REVIEW_STOP_NONE ? IV_OK
        : read_collection(&in.collection, q->collection, err);

    if (rc == IV_OK && (q->ranking == NULL) + (q->judged == NULL) > 0
        && ((q->ranking == NULL && q->run == NULL) || (q->judged == NULL && q->sample == NULL)))
        rc = iv_fail(err, IV_EARG, "a ranking needs a sample, and a sample a ranking");
    if (rc == IV_OK && q->ranking == NULL) {
        rc = iv_run_load(&run, q->run, IV_RUN_ANY, iv_work_part(&reads, work, 0.0, 0.0), err);
        in.run = run;
    }
    if (rc == IV_OK && q->judged == NULL) {
        rc = iv_judgments_load(&judged, q->sample, q->judgments_format,
                               iv_work_part(&reads, work, 0.0, 0.0), err);
        in.judgments = judged;
    }
    if (rc == IV_OK && q->machine != NULL) {
        rc = iv_machine_labels_load(&labels, &scored, q->machine, IV_JUDGMENTS_ANY,
                                    iv_work_part(&reads, work, 0.0, 0.0), err);
        in.machine = labels;
        if (rc == IV_OK && scored && in.machine_level == 0)
            rc = iv_fail_at(err, IV_EARG, q->machine, 0, "scores: which of a thousand parts of them "
                            "are relevant must be said, expected a level of the machine");
    }
    if (rc == IV_OK) {
        if (run != NULL)
            iv_result_input(r, q->run, iv_run_bytes(run));
        if (judged != NULL)
            iv_result_input(r, q->sample, iv_judgments_bytes(judged));
        if (labels != NULL) {
            iv_result_input(r, q->machine, iv_judgments_bytes(labels));
            iv_result_note(r, "the machine's labels part each segment in two; the documents that "
                           "people judged are taken for a random sample, and nothing in the data "
                           "could show that they are not");
        }
        rc = q->stop != IV_REVIEW_STOP_NONE ? iv_recall_stop(r, q, in.run, in.judgments, err)
            : iv_review_ranking(out, &in, err);
    }
    iv_run_free(run);
    iv_judgments_free(judged);
    iv_judgments_free(labels);
    return rc;
}

static int read_review(iv_review **out, iv_recall_watched *w, iv_result *r,
                       const iv_recall_question *q, const iv_work *work, iv_err *err)
{
    const bool counts = q->retrieved.count > 0 || q->unretrieved.count > 0;
    const bool strata = q->strata != NULL || q->table != NULL;
    const bool ranking = q->run != NULL || q->sample != NULL || q->ranking != NULL
                         || q->judged != NULL;

    if (q->machine != NULL && !ranking)
        return iv_fail(err, IV_EARG, "a machine's labels need a ranking and a sample; strata by its "
                       "label can be given as a table");
    if (counts + strata + ranking != 1)
        return iv_fail(err, IV_EARG, "expected one of: two segments; strata; a ranking and a "
                       "sample");
    if (q->log != NULL)
        return iv_recall_read_log(out, w, r, q, work, err);
    return counts ? from_counts(out, q, err) : strata ? from_strata(out, r, q, work, err)
                                                      : from_ranking(out, r, q, work, err);
}

/* -------------------------------------------------------------- tables -- */

/* What a table has: topics and cut-offs, several rows to tell apart, a target. */
enum { RANKED = 1, SEVERAL = 2, TARGET = 4 };

/* Whose row it is, in all tables but the first. */
#define PLACE(T, of)                                                                             \
    { "run", IV_AT(T, of.run), .shown = SEVERAL, .about = "the run, or review" },                \
    { "method", IV_AT(T, of.method), .shown = SEVERAL, .about = "how the interval is computed" }, \
    { "topic", IV_AT(T, of.topic), .needs = RANKED, .shown = SEVERAL, .about = "its id" },       \
    { "cutoff", IV_AT(T, of.cutoff), .needs = RANKED, .shown = SEVERAL,                          \
      .about = "documents retrieved: the first so many" }

const iv_field iv_recall_interval_fields[] = {
    { "run", IV_AT(iv_recall_line, is.of.run), .about = "the run, or review" },
    { "method", IV_AT(iv_recall_line, is.of.method), .about = "how the interval is computed" },
    { "confidence", IV_AT(iv_recall_line, is.confidence), .digits = IV_DIGITS,
      .about = "of the interval" },
    { "recall", IV_AT(iv_recall_line, is.recall), .digits = 3,
      .about = "the plain estimate, from N r / n" },
    { "lower", IV_AT(iv_recall_line, is.lower), .digits = 3, .about = "limit of recall" },
    { "upper", IV_AT(iv_recall_line, is.upper), .digits = 3, .about = "limit of recall" },
    { "topic", IV_AT(iv_recall_line, is.of.topic), .needs = RANKED, .about = "its id" },
    { "cutoff", IV_AT(iv_recall_line, is.of.cutoff), .needs = RANKED,
      .about = "documents retrieved: the first so many" },
    { "prior_share", IV_AT(iv_recall_line, is.prior_share), .digits = 3,
      .about = "of the posterior yield, what the prior brings in" },
    { "p_target", IV_AT(iv_recall_line, is.p_target), .digits = 4, .needs = TARGET,
      .about = "probability that recall is at least the target" },
    { "verdict", IV_AT(iv_recall_line, verdict), .needs = TARGET, .shown = SEVERAL,
      .about = "on recall of at least the target: certified, refuted, not shown either way" },
    { "verdict_limit", IV_AT(iv_recall_line, limit), .digits = 3, .needs = TARGET, .shown = SEVERAL,
      .about = "that it rests on, which holds by itself: lower if certified, upper if refuted" },
    { NULL } };

const iv_field iv_recall_chart_fields[] = {
    PLACE(iv_review_interval, of),
    { "recall", IV_AT(iv_review_interval, recall), .digits = 3, .about = "the plain estimate" },
    { "lower", IV_AT(iv_review_interval, lower), .digits = 3, .about = "limit of recall" },
    { "upper", IV_AT(iv_review_interval, upper), .digits = 3, .about = "limit of recall" },
    { NULL } };

/* Measures by name, and yields, which are whole documents. */
#define QUANTITY(what, d, said)                                                                  \
    PLACE(iv_review_quantity, of),                                                               \
    { what, IV_AT(iv_review_quantity, name), .about = said },                                    \
    { "estimate", IV_AT(iv_review_quantity, estimate), .digits = d, .about = "from N r / n" },   \
    { "mean", IV_AT(iv_review_quantity, mean), .digits = d, .about = "of the posterior" },       \
    { "median", IV_AT(iv_review_quantity, median), .digits = d, .about = "of the posterior" },   \
    { "lower", IV_AT(iv_review_quantity, lower), .digits = d, .about = "limit" },                \
    { "upper", IV_AT(iv_review_quantity, upper), .digits = d, .about = "limit" }

const iv_field iv_recall_measure_fields[] = {
    QUANTITY("quantity", 4, "recall, precision, F, or elusion: the share relevant of the "
             "unretrieved"), { NULL } };
const iv_field iv_recall_yield_fields[] = {
    QUANTITY("documents", 0, "which relevant documents are counted"), { NULL } };

/* What went in: a segment of a case. */
typedef struct data_row {
    iv_review_place of;
    const char *segment;
    size_t strata;
    iv_stratum sum;
} data_row;

const iv_field iv_recall_data_fields[] = {
    { "run", IV_AT(data_row, of.run), .shown = SEVERAL, .about = "the run, or review" },
    { "topic", IV_AT(data_row, of.topic), .needs = RANKED, .shown = SEVERAL,
      .about = "its id" },
    { "cutoff", IV_AT(data_row, of.cutoff), .needs = RANKED, .shown = SEVERAL,
      .about = "documents retrieved: the first so many" },
    { "segment", IV_AT(data_row, segment), .about = "retrieved or unretrieved" },
    { "strata", IV_AT(data_row, strata), .about = "in the segment" },
    { "N", IV_AT(data_row, sum.size), .about = "documents" },
    { "n", IV_AT(data_row, sum.sampled), .about = "of those, sampled" },
    { "r", IV_AT(data_row, sum.relevant), .about = "of those, relevant" },
    { NULL } };

const iv_field iv_recall_draw_fields[] = {
    PLACE(iv_review_drawn, of),
    { "draws", IV_AT(iv_review_drawn, draws), .about = "how many were drawn" },
    { "lower", IV_AT(iv_review_drawn, drawn.lower), .digits = 5, .about = "quantile of the draws" },
    { "lower_se", IV_AT(iv_review_drawn, drawn.lower_se), .digits = 5,
      .about = "its standard error" },
    { "lower_exact", IV_AT(iv_review_drawn, exact.lower), .digits = 5,
      .about = "what it is an estimate of" },
    { "upper", IV_AT(iv_review_drawn, drawn.upper), .digits = 5, .about = "quantile of the draws" },
    { "upper_se", IV_AT(iv_review_drawn, drawn.upper_se), .digits = 5,
      .about = "its standard error" },
    { "upper_exact", IV_AT(iv_review_drawn, exact.upper), .digits = 5,
      .about = "what it is an estimate of" },
    { NULL } };

const iv_field iv_recall_bin_fields[] = {
    PLACE(iv_review_bin, of),
    { "from", IV_AT(iv_review_bin, from), .digits = 3, .about = "recall of at least this" },
    { "to", IV_AT(iv_review_bin, to), .digits = 3, .about = "and below this" },
    { "probability", IV_AT(iv_review_bin, probability), .digits = 4, .about = "given the sample" },
    { "sketch", IV_AT(iv_review_bin, sketch), .about = "the probability as a bar" },
    { NULL } };

const iv_field iv_recall_point_fields[] = {
    { "case", IV_AT(iv_review_point, name), .about = "the run, or topic and cut-off; the method" },
    { "quantity", IV_AT(iv_review_point, quantity), .about = "recall, precision or F" },
    { "x", IV_AT(iv_review_point, x), .digits = 4, .about = "a value of it" },
    { "density", IV_AT(iv_review_point, density), .digits = 3, .about = "of the posterior there" },
    { "lower", IV_AT(iv_review_point, lower), .digits = 4, .about = "limit" },
    { "upper", IV_AT(iv_review_point, upper), .digits = 4, .about = "limit" },
    { NULL } };

static int add_data(iv_result *out, const iv_recall_told *t, unsigned with, iv_err *err)
{
    data_row *rows = calloc(2 * t->case_count + 1, sizeof *rows);

    if (rows == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < 2 * t->case_count; i++) {
        const iv_review_case *c = &t->cases[i / 2];
        const iv_segments *s = &c->segments;
        const iv_stratum *strata = i % 2 == 0 ? s->retrieved : s->unretrieved;
        rows[i] = (data_row){ { .run = c->run, .topic = c->topic, .cutoff = c->cutoff },
                              i % 2 == 0 ? "retrieved" : "unretrieved",
                              i % 2 == 0 ? s->retrieved_count : s->unretrieved_count, { 0 } };
        for (size_t k = 0; k < rows[i].strata; k++) {
            rows[i].sum.size += strata[k].size;
            rows[i].sum.sampled += strata[k].sampled;
            rows[i].sum.relevant += strata[k].relevant;
        }
    }
    iv_table_named(iv_result_rows(out, &(iv_rows){ "data", iv_recall_data_fields, rows, 2 * t->case_count, sizeof *rows,
                                    .with = with }));
    free(rows);
    return IV_OK;
}

static int add_tables(iv_result *out, const iv_recall_told *t, bool curves, iv_err *err)
{
    const iv_review_findings *f = t->found;
    const bool one = t->case_count == 1 && t->method != IV_RECALL_ALL;
    const unsigned with = (t->ranked ? RANKED : 0) | (one ? 0 : SEVERAL)
                          | (t->q->target != 0.0 ? TARGET : 0);
    const double percent = 100.0 * (t->how.confidence > 0.0 ? t->how.confidence : t->confidence);
    const int digits = fabs(percent - rint(percent)) < 1e-9 ? 2 : 5; /* .999 is not 1.00 */

    iv_recall_line *rows = NULL;

    IV_TRY(iv_recall_rows(&rows, t, err));
    iv_result_rows(out, &(iv_rows){ "recall", iv_recall_interval_fields, rows, f->interval_count,
                                    sizeof *rows, .with = with, .digits = digits });
    free(rows);
    if (!one) /* the first table is too wide to draw in */
        iv_result_rows(out, &(iv_rows){ "chart", iv_recall_chart_fields, f->intervals, f->interval_count,
                                        sizeof *f->intervals, .with = with,
                                        .drawn = { "recall", "lower", "upper", 0.0, 1.0 } });
    iv_rows measures = { "measures", iv_recall_measure_fields, f->measures, f->measure_count,
                         sizeof *f->measures, .with = with };
    if (one)
        measures.drawn = (iv_drawn){ "estimate", "lower", "upper", 0.0, 1.0 };
    iv_table_named(iv_result_rows(out, &measures));
    iv_table_named(iv_result_rows(out, &(iv_rows){ "yield", iv_recall_yield_fields, f->yields, f->yield_count,
                                    sizeof *f->yields, .with = with }));
    iv_recall_watched_table(out, t);
    const int rc = add_data(out, t, with, err);
    if (t->q->draws > 0)
        iv_result_rows(out, &(iv_rows){ "draws", iv_recall_draw_fields, f->draws, f->drawn_count,
                                        sizeof *f->draws, .with = with });
    if (t->q->density)
        iv_result_rows(out, &(iv_rows){ "density", iv_recall_bin_fields, f->bins, f->bin_count,
                                        sizeof *f->bins, .with = with });
    if (curves)
        iv_result_rows(out, &(iv_rows){ "curves", iv_recall_point_fields, f->points, f->point_count,
                                        sizeof *f->points, .showing = IV_FOLDED });
    return rc;
}

/* -------------------------------------------------------------- answer -- */

enum { MOST_CURVES = 40 };

/* The one that answers; of all of them in turn, that is all of them. */
static iv_recall_method method_of(const iv_recall_question *q)
{
    return q->guaranteed ? IV_RECALL_EXACT
           : q->method == IV_RECALL_AUTO ? IV_RECALL_BETABIN_WEIGHTED : q->method;
}

static int ask(iv_review_options *out, iv_result *r, const iv_recall_question *q, iv_err *err)
{
    double error = 0.0;

    if (q->prior.count != 0 && q->prior.count != 2)
        return iv_fail(err, IV_EARG, "a prior has two numbers, not %zu", q->prior.count);
    const bool exact = q->method == IV_RECALL_AUTO || q->method == IV_RECALL_EXACT;
    if (q->guaranteed && !exact)
        return iv_fail(err, IV_EARG, "a guaranteed interval is that of exact, not of %s",
                       iv_recall_method_names()[q->method]);
    if (q->draws < 0)
        return iv_fail(err, IV_EARG, "%lld draws", (long long)q->draws);
    *out = (iv_review_options){ .how = { method_of(q), q->confidence, q->one_sided, 0.0, 0.0 },
                                .target = q->target, .beta = q->beta,
                                .draws = (size_t)q->draws, .density = q->density };
    if (q->prior.count > 0) {
        out->how.a = q->prior.at[0];
        out->how.b = q->prior.at[1];
    }
    IV_TRY(iv_recall_look(&error, r, q, err));
    if (error > 0.0) {
        out->how.confidence = 1.0 - error;
        out->how.one_sided = true;
    }
    return IV_OK;
}

/* The unretrieved segment alone? */
static bool is_elusion(const iv_recall_question *q)
{
    return q->unretrieved.count > 0 && q->retrieved.count == 0 && q->strata == NULL
        && q->table == NULL && q->run == NULL && q->ranking == NULL;
}

static void cite(iv_result *out, const iv_recall_question *q)
{
    const iv_recall_method m = method_of(q);
    const bool all = m == IV_RECALL_ALL, stop = q->stop != IV_REVIEW_STOP_NONE;

    iv_cite_if(out, !is_elusion(q) && !stop, "webber2013recall");
    iv_cite_if(out, m == IV_RECALL_KOOPMAN || all, "koopman1984ratio");
    iv_cite_if(out, m == IV_RECALL_BETABIN_MCP || all, "dyer1993choice");
    iv_cite_if(out, is_elusion(q), "clopper1934use");
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_recall_question *q = asked;
    iv_review *review = NULL;
    iv_review_findings *found = NULL;
    iv_recall_claim *claims = NULL;
    iv_review_options o;
    iv_recall_told t = { .q = q, .method = method_of(q), .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    iv_recall_watched watched = { .log = NULL };
    const char *const *notes;

    cite(out, q);
    if (q->stop == IV_REVIEW_STOP_HYPERGEOMETRIC)
        return iv_recall_stop_random(out, q, err);
    if (is_elusion(q))
        return iv_answer_elusion(out, q, err);
    int rc = ask(&o, out, q, err);

    const bool drawn = iv_result_wants_charts(out);
    const bool curves = iv_result_wants(out, "curves", IV_FOLDED) || drawn;
    if (rc == IV_OK && q->stop != IV_REVIEW_STOP_NONE)
        return from_ranking(&review, out, q, work, err);
    if (rc == IV_OK)
        rc = read_review(&review, &watched, out, q, work, err);
    if (rc == IV_OK) {
        t.case_count = iv_review_cases(&t.cases, review);
        t.ranked = t.cases[0].topic != NULL;
        for (size_t i = 0, n = iv_review_notes(&notes, review); i < n; i++)
            iv_result_note(out, "%s", notes[i]);
        o.curves = curves ? MOST_CURVES : 0;
        rc = iv_review_find(&found, review, &o, work, err);
    }
    t.least = NAN;
    if (rc == IV_OK && t.case_count == 1 && t.method != IV_RECALL_ALL
        && t.method != IV_RECALL_EXACT)
        rc = iv_recall_least_coverage(&t.least, &t.cases[0].segments, &o.how, err);
    t.how = o.how;
    t.watched = &watched;
    if (rc == IV_OK)
        rc = iv_recall_watch(&watched, &t, err);
    if (rc == IV_OK && q->target != 0.0)
        rc = iv_recall_claims(&claims, &t, err);
    if (rc == IV_OK) {
        t.found = found;
        t.claims = claims;
        for (size_t i = 0; i < found->refused_count; i++)
            iv_result_note(out, "No row for %s.", found->refused[i]);
        rc = add_tables(out, &t, curves, err);
    }
    if (rc == IV_OK) {
        iv_recall_words(out, &t);
        if (drawn)
            iv_recall_charts(out, &t);
    }
    free(claims);
    iv_review_findings_free(found);
    iv_review_free(review);
    iv_recall_watched_free(&watched);
    return rc;
}

int iv_answer_recall(iv_result *out, const iv_recall_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_recall_question, retrieved, INTEGERS, "count"),
        IV_PART_OF(iv_recall_question, unretrieved, INTEGERS, "count"),
        IV_PART_OF(iv_recall_question, strata, PATH, "the strata"),
        IV_PART_OF(iv_recall_question, run, PATH, "the run"),
        IV_PART_OF(iv_recall_question, sample, PATH, "the sample"),
        IV_PART_OF(iv_recall_question, at, INTEGERS, "cut-off"),
        IV_CHOICE_OF(iv_recall_question, unsampled, iv_unsampled_names,
                     "what to do with an unsampled stratum"),
        IV_CHOICE_OF(iv_recall_question, unjudged, iv_unjudged_names,
                     "what to do with unjudged documents"),
        IV_CHOICE_OF(iv_recall_question, judgments_format, iv_judgments_format_names,
                     "the format of the sample"),
        IV_CHOICE_OF(iv_recall_question, method, iv_recall_method_names, "the method"),
        IV_PART_OF(iv_recall_question, confidence, CONFIDENCE, "the confidence"),
        IV_PART_OF(iv_recall_question, prior, REALS, "number of the prior"),
        IV_PART_OF(iv_recall_question, target, REAL, "the target"),
        IV_PART_OF(iv_recall_question, max_elusion, REAL, "the limit of elusion"),
        IV_PART_OF(iv_recall_question, beta, REAL, "beta"),
        IV_PART_OF(iv_recall_question, log, PATH, "the log"),
        IV_CHOICE_OF(iv_recall_question, shape, iv_look_shape_names, "the shape of looks"),
        IV_CHOICE_OF(iv_recall_question, stop, iv_review_stop_names, "the rule of stopping"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "recall"), work, err);
}
