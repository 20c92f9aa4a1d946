/* SPDX-License-Identifier: Apache-2.0 */
/* Recall: what is read, the tables of what is found, and the charts. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/run_input.h"
#include "result/wording.h"
#include "review/recall.h"
#include "review/recall_corrected.h"
#include "review/recall_families.h"
#include "trec/judgments.h"
#include "trec/machine_labels.h"
#include "trec/run.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------- reading -- */

static int from_counts(iv_review **out, const iv_recall_question *q, iv_err *err)
{
    iv_stratum s[2];

    for (int i = 0; i < 2; i++) {
        const iv_integers *given = i == 0 ? &q->retrieved : &q->unretrieved;
        if (given->count != 3)
            return iv_fail(err, IV_EARG, "--%s has %zu numbers, expected N,n,r; N alone goes with "
                           "--log", i == 0 ? "retrieved" : "unretrieved", given->count);
        s[i] = (iv_stratum){ given->at[0], given->at[1], given->at[2] };
    }
    return iv_review_counts(out, s[0], s[1], q->unsampled, err);
}

static int read_collection(int64_t *out, const char *text, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    *out = 0;
    if (text == NULL)
        return iv_fail(err, IV_EARG, "--run, --sample and --collection go together");
    if (strcmp(text, "run") != 0 && !iv_scan_int(out, iv_str_of(text), 1, IV_STRATUM_MAX))
        return iv_fail(err, IV_EARG, "%s is not a number of documents; expected a whole number, "
                                     "or run", iv_quote(quoted, iv_str_of(text)));
    return IV_OK;
}

/* The automatic labels, of which the relevant must be known. */
static int read_labels(iv_review_sample *in, iv_result *r, const iv_recall_question *q,
                       const iv_work *work, iv_err *err)
{
    iv_judgments *labels = NULL;
    bool scored = false;

    IV_TRY(iv_machine_labels_load(&labels, &scored, q->ranked.machine, IV_JUDGMENTS_ANY, work,
                                  err));
    IV_TRY(IV_KEEP(r, judgments, labels, err));
    in->machine = labels;
    if (scored && in->machine_level == 0)
        return iv_fail_at(err, IV_EARG, q->ranked.machine, 0, "automatic labels are scores; "
                          "--machine-level must say which are relevant");
    iv_result_input(r, q->ranked.machine, iv_judgments_bytes(labels));
    iv_result_assumption(r, "The judged documents are a random sample, whatever their automatic "
                         "label.");
    return IV_OK;
}

static int from_ranking(iv_review **out, iv_result *r, const iv_recall_question *q,
                        const iv_work *work, iv_err *err)
{
    const iv_recall_ranking *from = &q->ranked;
    iv_review_sample in = { from->ranking, from->judged, from->run, from->sample, 0, from->at,
                            from->drawn_at, q->level, q->unsampled, from->unjudged, NULL,
                            from->machine_level };
    iv_run *run = NULL;
    iv_judgments *judged = NULL, *found = NULL;
    iv_stage stage;
    const iv_work *reads = iv_work_part(&stage, work, 0.0, 0.0);

    if (q->stopping.rule == IV_REVIEW_STOP_NONE)
        IV_TRY(read_collection(&in.collection, from->collection, err));
    if ((from->ranking == NULL && from->run == NULL)
        || (from->judged == NULL && from->sample == NULL))
        return iv_fail(err, IV_EARG, "--run and --sample go together");
    if (from->ranking == NULL) {
        IV_TRY(iv_run_load(&run, from->run, IV_RUN_ANY, reads, err));
        IV_TRY(IV_KEEP(r, run, run, err));
        iv_result_input(r, from->run, iv_run_bytes(run));
        in.run = run;
    }
    if (from->judged == NULL) {
        IV_TRY(iv_judgments_input(&judged, r, from->sample, IV_JUDGMENTS_ANY, reads, err));
        in.judgments = judged;
    }
    if (q->stopping.found != NULL)
        IV_TRY(iv_judgments_input(&found, r, q->stopping.found, IV_JUDGMENTS_ANY, reads, err));
    if (from->machine != NULL)
        IV_TRY(read_labels(&in, r, q, reads, err));
    return q->stopping.rule != IV_REVIEW_STOP_NONE
        ? iv_recall_stop(r, q, in.run, in.judgments, found, err) : iv_review_ranking(out, &in, err);
}

static int read_review(iv_review **out, iv_recall_state *t, iv_result *r, const iv_work *work,
                       iv_err *err)
{
    const iv_recall_question *q = t->q;
    const bool counts = q->retrieved.count > 0 || q->unretrieved.count > 0;
    const bool strata = q->strata != NULL || q->table != NULL;
    const bool ranking = q->ranked.run != NULL || q->ranked.sample != NULL
        || q->ranked.ranking != NULL || q->ranked.judged != NULL;

    if (counts + strata + ranking != 1)
        return iv_fail(err, IV_EARG, "expected one of: two segments; strata; a ranking and a "
                       "sample");
    if (ranking && q->stopping.log != NULL)
        return iv_fail(err, IV_EARG, "--log needs segments or strata, not a ranking");
    if (ranking)
        return from_ranking(out, r, q, work, err);
    return counts && q->stopping.log == NULL ? from_counts(out, q, err)
                                    : iv_recall_read_strata(out, t, r, work, err);
}

/* -------------------------------------------------------------- tables -- */

/* What a table has: topics and cut-offs, several rows, a target, strata. */
enum { RANKED = 1, SEVERAL = 2, TARGET = 4, STRATA = 8 };

/* Whose row it is, in all tables but the first. */
#define PLACE(T, of)                                                                             \
    { "run", IV_AT(T, of run), .shown = SEVERAL, \
      .about = "name of the run; 'review' if there is no run" }, \
    { "method", IV_AT(T, of method), .shown = SEVERAL, .about = "how the interval is computed" }, \
    { "topic", IV_AT(T, of topic), .needs = RANKED, .shown = SEVERAL, \
      .about = "id of the topic" }, \
    { "cutoff", IV_AT(T, of cutoff), .needs = RANKED, .shown = SEVERAL,                          \
      .about = "number of top documents that count as retrieved" }

/* A quantity: an interval of recall and what becomes of the target in its case, or another one
 * and its figures as people read them. */
typedef struct recall_row {
    iv_review_quantity is;
    const char *verdict; /* NULL: no target, or another method decides */
    double limit;        /* the one-sided limit that the verdict rests on */
    char value[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];
} recall_row;

const iv_field iv_recall_interval_fields[] = {
    { "run", IV_AT(recall_row, is.run), .shown = SEVERAL,
      .about = "name of the run; 'review' if there is no run" },
    { "method", IV_AT(recall_row, is.method), .shown = SEVERAL,
      .about = "how the interval is computed" },
    { "confidence", IV_AT(recall_row, is.confidence), .digits = 3,
      .audience = IV_FOR_PROGRAMS, .about = "confidence of the interval" },
    { "recall", IV_AT(recall_row, is.estimate), .digits = 3,
      .about = "estimate of recall" },
    { "lower", IV_AT(recall_row, is.lower), .digits = 3, .about = "lower limit of recall" },
    { "upper", IV_AT(recall_row, is.upper), .digits = 3, .about = "upper limit of recall" },
    { "topic", IV_AT(recall_row, is.topic), .needs = RANKED, .about = "id of the topic" },
    { "cutoff", IV_AT(recall_row, is.cutoff), .needs = RANKED,
      .about = "number of top documents that count as retrieved" },
    { "prior_proportion", IV_AT(recall_row, is.prior_share), .digits = 3,
      .audience = IV_FOR_PROGRAMS,
      .about = "proportion of the estimated relevant documents that the prior contributes" },
    { "p_target", IV_AT(recall_row, is.p_target), .digits = 4, .needs = TARGET,
      .audience = IV_IF_ANY, .heading = "probability of target",
      .about = "probability that recall is at least the target" },
    { "verdict", IV_AT(recall_row, verdict), .needs = TARGET,
      .about = "is recall at least the target? yes or no (guaranteed methods), probably yes or "
               "probably no (others), or inconclusive" },
    { "verdict_limit", IV_AT(recall_row, limit), .digits = 3, .needs = TARGET, .shown = SEVERAL,
      .heading = "one-sided limit",
      .about = "one-sided limit behind the verdict: upper for 'no' and 'probably no', otherwise "
               "lower" },
    { NULL } };

const iv_field iv_recall_measure_fields[] = {
    PLACE(recall_row, is.),
    { "quantity", IV_AT(recall_row, is.name),
      .about = "recall, precision, F, elusion (proportion of unretrieved documents that are "
               "relevant), or number of relevant documents" },
    { "estimate", IV_AT(recall_row, is.estimate), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "estimate of the quantity" },
    IV_LIMITS_FOR(recall_row, is., 4, IV_FOR_PROGRAMS),
    { "value", IV_AT(recall_row, value), .audience = IV_FOR_PEOPLE,
      .about = "estimate of the quantity" },
    { "from", IV_AT(recall_row, low), .audience = IV_FOR_PEOPLE, .about = "lower limit" },
    { "to", IV_AT(recall_row, high), .audience = IV_FOR_PEOPLE, .about = "upper limit" },
    { NULL } };

const iv_field iv_recall_yield_fields[] = {
    PLACE(iv_review_quantity,),
    { "documents", IV_AT(iv_review_quantity, name),
      .about = "retrieved, unretrieved or all documents" },
    { "estimate", IV_AT(iv_review_quantity, estimate), .digits = 0, .heading = "relevant",
      .about = "estimated number of relevant documents" },
    IV_LIMITS(iv_review_quantity, , 0),
    { NULL } };

/* What went in: a stratum of a segment of a case, or a whole segment, which has no stratum. */
typedef struct segment_row {
    const char *run, *topic, *segment, *stratum, *stratum_shown;
    size_t cutoff, size, sampled, relevant;
} segment_row;

const iv_field iv_recall_data_fields[] = {
    { "run", IV_AT(segment_row, run), .shown = SEVERAL,
      .about = "name of the run; 'review' if there is no run" },
    { "topic", IV_AT(segment_row, topic), .needs = RANKED, .shown = SEVERAL,
      .about = "id of the topic" },
    { "cutoff", IV_AT(segment_row, cutoff), .needs = RANKED, .shown = SEVERAL,
      .about = "number of top documents that count as retrieved" },
    { "segment", IV_AT(segment_row, segment), .about = "retrieved or unretrieved" },
    { "stratum_shown", IV_AT(segment_row, stratum_shown), .needs = STRATA,
      .audience = IV_FOR_PEOPLE, .heading = "stratum", .about = "name of the stratum, or all" },
    { "stratum", IV_AT(segment_row, stratum), .needs = STRATA, .audience = IV_FOR_PROGRAMS,
      .about = "name of the stratum; empty (shown as 'all') for the whole segment" },
    { "N", IV_AT(segment_row, size), .heading = "documents", .about = "number of documents" },
    { "n", IV_AT(segment_row, sampled), .heading = "judged", .about = "documents sampled" },
    { "r", IV_AT(segment_row, relevant), .heading = "relevant",
      .about = "relevant documents in the sample" },
    { NULL } };

const iv_field iv_recall_point_fields[] = {
    { "case", IV_AT(iv_review_point, name),
      .about = "name of the curve: the run or cut-off, and the method" },
    { "quantity", IV_AT(iv_review_point, quantity), .about = "recall, precision or F" },
    { "x", IV_AT(iv_review_point, x), .digits = 4, .about = "value on the horizontal axis" },
    { "density", IV_AT(iv_review_point, density), .digits = 3,
      .about = "density of the posterior at x" },
    IV_LIMITS(iv_review_point, , 4),
    { NULL } };

static void add_segment_rows(segment_row *rows, size_t *n, const iv_review_case *c,
                             bool retrieved)
{
    const iv_stratum *strata = retrieved ? c->segments.retrieved : c->segments.unretrieved;
    const size_t count = retrieved ? c->segments.retrieved_count : c->segments.unretrieved_count;
    segment_row *sum = &rows[(*n)++];

    *sum = (segment_row){ .run = c->run, .topic = c->topic,
                          .segment = retrieved ? "retrieved" : "unretrieved",
                          .stratum_shown = "all", .cutoff = (size_t)c->cutoff };
    for (size_t k = 0; k < count; k++) {
        segment_row one = *sum;
        one.size = (size_t)strata[k].size;
        one.sampled = (size_t)strata[k].sampled;
        one.relevant = (size_t)strata[k].relevant;
        one.stratum = one.stratum_shown = c->strata == NULL ? "part"
            : c->strata[retrieved ? k : c->segments.retrieved_count + k];
        sum->size += one.size;
        sum->sampled += one.sampled;
        sum->relevant += one.relevant;
        if (count > 1)
            rows[(*n)++] = one;
    }
}

static int add_data(iv_result *out, const iv_recall_state *t, unsigned with, iv_err *err)
{
    size_t room = 1, n = 0;

    for (size_t i = 0; i < t->case_count; i++)
        room += 2 + t->cases[i].segments.retrieved_count + t->cases[i].segments.unretrieved_count;
    segment_row *rows = iv_take(iv_result_own(out), room, sizeof *rows);
    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t i = 0; i < t->case_count; i++) {
        add_segment_rows(rows, &n, &t->cases[i], true);
        add_segment_rows(rows, &n, &t->cases[i], false);
    }
    const unsigned strata = n > 2 * t->case_count ? STRATA : 0;
    iv_table_named(IV_TABLE(out, "data", iv_recall_data_fields, rows, n, .with = with | strata));
    return IV_OK;
}

/* The rows of the table recall.  Intervals are in the order of the cases, some of which have
 * none. */
static int make_rows(recall_row **out, iv_arena *own, const iv_recall_state *t, iv_err *err)
{
    const size_t count = t->found->interval_count;
    recall_row *rows = iv_take(own, count + 1, sizeof *rows);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < count; i++) {
        const iv_review_quantity *x = &t->found->intervals[i];
        rows[i] = (recall_row){ .is = *x, .limit = NAN };
        if (t->claims == NULL || !iv_recall_speaks(t, x))
            continue;
        const iv_recall_claim *c = &t->claims[x->item];
        rows[i].verdict = iv_recall_verdict_word(c->verdict, iv_recall_is_guaranteed(t));
        rows[i].limit = c->verdict == IV_VERDICT_OTHERWISE ? c->limits.upper : c->limits.lower;
    }
    *out = rows;
    return IV_OK;
}

static recall_row quantity_of(const iv_review_quantity *q, bool count, double target,
                                bool guaranteed)
{
    recall_row row = { .is = *q };

    if (count) {
        row.is.name = "relevant";
        row.is.estimate = rint(q->estimate);
        (void)iv_thousands(row.value, q->estimate);
        (void)iv_thousands(row.low, q->lower);
        (void)iv_thousands(row.high, q->upper);
    } else {
        (void)iv_percent(row.value, q->estimate, NAN);
        const bool outward = guaranteed && q->lower < q->upper; /* else it is known */
        (void)(outward ? iv_percent_limit(row.low, q->lower, target, false)
                       : iv_percent(row.low, q->lower, target));
        (void)(outward ? iv_percent_limit(row.high, q->upper, target, true)
                       : iv_percent(row.high, q->upper, target));
    }
    return row;
}

/* The measures of each case, and behind them the number of relevant documents. */
static int add_measures(iv_result *out, const iv_recall_state *t, unsigned with, bool one,
                        iv_err *err)
{
    const iv_review_findings *f = t->found;
    const size_t count = f->measure_count + f->yield_count;
    recall_row *rows = iv_take(iv_result_own(out), count + 1, sizeof *rows);
    size_t n = 0, yield = 0;

    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t i = 0; i < f->measure_count; i++) {
        const iv_review_quantity *of = &f->measures[i];
        const bool last = i + 1 == f->measure_count || f->measures[i + 1].item != of->item
                          || f->measures[i + 1].method != of->method;
        rows[n++] = quantity_of(&f->measures[i], false,
                                strcmp(f->measures[i].name, "recall") == 0 && t->q->target > 0.0
                                    ? t->q->target : (double)NAN, iv_recall_is_guaranteed(t));
        while (last && yield < f->yield_count && f->yields[yield].item == of->item
               && f->yields[yield].method == of->method) {
            if (strcmp(f->yields[yield].name, "all") == 0)
                rows[n++] = quantity_of(&f->yields[yield], true, NAN, false);
            yield++;
        }
    }
    iv_table *made = IV_TABLE(out, "measures", iv_recall_measure_fields, rows, n, .with = with);
    if (!one)
        iv_table_named(made);
    return IV_OK;
}

static int add_tables(iv_result *out, const iv_recall_state *t, bool curves, iv_err *err)
{
    const iv_review_findings *f = t->found;
    const bool one = t->case_count == 1 && t->method != IV_RECALL_ALL;
    const unsigned with = (t->ranked ? RANKED : 0) | (one ? 0 : SEVERAL)
                          | (t->q->target != 0.0 ? TARGET : 0);
    recall_row *rows = NULL;

    IV_TRY(make_rows(&rows, iv_result_own(out), t, err));
    iv_rows recall = { "recall", iv_recall_interval_fields, rows, f->interval_count, sizeof *rows,
                       .with = with, .digits = 5 };
    if (!one)
        recall.drawn = (iv_drawn){ "recall", "lower", "upper", 0.0, 1.0 };
    iv_table *made = iv_result_rows(out, &recall);
    if (one) /* the sentence has it */
        iv_table_named(made);
    IV_TRY(add_measures(out, t, with, one, err));
    iv_table_named(IV_TABLE(out, "yield", iv_recall_yield_fields, f->yields, f->yield_count,
                            .with = with));
    iv_recall_anytime_table(out, t);
    IV_TRY(add_data(out, t, with, err));
    if (curves && f->point_count > 0)
        IV_TABLE(out, "curves", iv_recall_point_fields, f->points, f->point_count,
                 .showing = IV_FOLDED);
    return IV_OK;
}

/* -------------------------------------------------------------- charts -- */

/* The only quantity beside recall that has curves; NULL: there are several, "": none.  What
 * is known for certain has none: precision, where all that was retrieved was judged. */
static const char *only_other(const iv_review_findings *found)
{
    const char *name = "";

    for (size_t i = 0; i < found->point_count && name != NULL; i++) {
        const char *is = found->points[i].quantity;
        if (strcmp(is, "recall") != 0 && strcmp(is, name) != 0)
            name = name[0] == '\0' ? is : NULL;
    }
    return name;
}

static void draw_curves(iv_result *out, const iv_recall_state *t)
{
    const iv_recall_question *q = t->q;
    char caption[400];
    iv_chart chart = {
        .kind = IV_CHART_DENSITY, .table = "curves", .title = "Recall", .caption = caption,
        .page = "case", .where = "quantity", .is = "recall", .x = "x", .value = "density",
        .lower = "lower", .upper = "upper", .x_axis = { .title = "recall" } };

    (void)snprintf(caption, sizeof caption,
        "The curve shows how likely each recall is, given the samples and the prior. The dark part "
        "is the %.10g %% %s.%s", 100.0 * t->confidence,
        q->one_sided ? "above the lower limit" : "interval",
        q->target == 0.0 ? "" : " The area to the right of the dashed line is the probability "
        "that the target is met.");
    if (q->target != 0.0)
        chart.lines[0] = (iv_chart_line){ "target", q->target, true };
    iv_result_chart(out, &chart);
    const char *one = only_other(t->found);
    if (one != NULL && one[0] == '\0')
        return;
    chart.title = one != NULL ? one : "Precision and F";
    chart.panel = one != NULL ? NULL : "quantity";
    chart.is = NULL;
    chart.is_not = "recall";
    (void)snprintf(caption, sizeof caption, "%s from the same posterior; the dark part is the "
                   "interval.%s", chart.title, one == NULL ? "" : " Quantities that are known "
                                                                  "with certainty, because one "
                                                                  "segment was judged in full, "
                                                                  "have no curve.");
    chart.x_axis.title = one != NULL ? one : "value";
    chart.lines[0].text = NULL;
    iv_result_chart(out, &chart);
}

static void add_charts(iv_result *out, const iv_recall_state *t)
{
    const iv_recall_question *q = t->q;
    const bool many = t->method == IV_RECALL_ALL;
    iv_chart chart = {
        .kind = IV_CHART_FOREST, .table = "recall", .title = "Recall and its interval",
        .caption = q->one_sided ? "A point is the estimate of recall. The line joins its limits."
                                : "A point is the estimate of recall. The line is its two-sided "
                                  "interval.",
        .value = "recall", .lower = "lower", .upper = "upper",
        .value_axis = { .title = "recall", .from = 0.0, .to = 1.0 } };

    if (t->ranked) {
        chart.label = "cutoff";
        chart.against = many ? "method" : NULL;
        chart.page = "topic";
    } else {
        chart.label = many ? "method" : "run";
        chart.page = many ? "run" : NULL;
    }
    if (q->target != 0.0)
        chart.lines[0] = (iv_chart_line){ "target", q->target, true };
    iv_result_chart(out, &chart);
    if (t->found->point_count > 0)
        draw_curves(out, t);
}

/* -------------------------------------------------------------- answer -- */

enum { MOST_CURVES = 40 };

static iv_recall_method method_of(const iv_recall_question *q)
{
    return q->guaranteed ? IV_RECALL_EXACT : q->method;
}

static int ask(iv_review_options *out, iv_result *r, const iv_recall_question *q, iv_err *err)
{
    double error = 0.0;

    if (q->prior.count != 0 && q->prior.count != 2)
        return iv_fail(err, IV_EARG, "--prior has two numbers, not %zu", q->prior.count);
    const iv_recall_method method = method_of(q);
    const char *name = iv_recall_method_names()[method];
    if (q->guaranteed && q->method != IV_RECALL_AUTO && q->method != IV_RECALL_EXACT)
        return iv_fail(err, IV_EARG, "--guaranteed has a method of its own, not %s",
                       iv_recall_method_names()[q->method]);
    if (q->prior.count > 0 && method != IV_RECALL_ALL && !iv_recall_has_prior(method))
        return iv_fail(err, IV_EARG, "--prior goes with betabin-half or betabin-weighted, not with "
                       "%s", name);
    if (q->target != 0.0 && method != IV_RECALL_EXACT && !iv_recall_has_posterior(method))
        return iv_fail(err, IV_EARG, "--target needs a method with a posterior, or --guaranteed; "
                       "%s has none", name);
    if (method == IV_RECALL_EXACT && q->unsampled == IV_UNSAMPLED_SKIP)
        return iv_fail(err, IV_EARG, "--guaranteed covers all documents, expected no --unsampled "
                       "skip; with --unsampled prior, strata without a sample may contain "
                       "anything");
    *out = (iv_review_options){ .how = { method, q->confidence, q->one_sided, 0.0, 0.0 },
                                .target = q->target };
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

/* Nothing can be guaranteed about documents that are excluded. */
static int check_excluded(const iv_recall_state *t, iv_err *err)
{
    for (size_t i = 0; i < t->case_count; i++) {
        if (t->method == IV_RECALL_EXACT && t->cases[i].excluded > 0)
            return iv_fail(err, IV_EARG, "%lld documents of strata without a sample are skipped, "
                           "and nothing is guaranteed about them; --unsampled prior lets them be "
                           "anything", (long long)t->cases[i].excluded);
    }
    return IV_OK;
}

/* The unretrieved segment alone? */
static bool is_elusion(const iv_recall_question *q)
{
    return q->unretrieved.count > 0 && q->retrieved.count == 0 && q->strata == NULL
        && q->table == NULL && q->ranked.run == NULL && q->ranked.ranking == NULL;
}

IV_ENDS(review)
IV_ENDS(review_findings)

/* Fills t from a review that was read. */
static int find(iv_recall_state *t, const iv_review *review, iv_review_options *o, iv_result *out,
                const iv_work *work, iv_err *err)
{
    iv_review_findings *found = NULL;

    t->cases = review->cases;
    t->case_count = review->count;
    t->ranked = t->cases[0].topic != NULL;
    t->how = o->how;
    IV_TRY(check_excluded(t, err));
    for (size_t i = 0; i < review->notes.count; i++)
        iv_result_note(out, "%s", review->notes.at[i]);
    IV_TRY(iv_review_find(&found, review, o, work, err));
    IV_TRY(IV_KEEP(out, review_findings, found, err));
    t->found = found;
    IV_TRY(iv_recall_watch(t, err));
    return t->q->target != 0.0 && t->session.verdict == IV_VERDICT_NONE
        ? iv_recall_claims(t, out, err) : IV_OK;
}

/* What a request has: with one kind of counts, or a rule, most options do nothing. */
enum {
    CONTROL = 1 << 0,
    PROPORTION = 1 << 1,
    RECHECKED = 1 << 2,
    QBCB = 1 << 3,
    HYPERGEOMETRIC = 1 << 4,
    ELUSION = 1 << 5,
    ELUSION_OTHERWISE = 1 << 6, /* by another method than the exact one */
    ANYTIME = 1 << 7,
    BY_STRATA = 1 << 8,
    MACHINE = 1 << 9,
    LOOKS = 1 << 10,
    RANKING = 1 << 11,
    LEVELLED = 1 << 12,
    FAMILIES = 1 << 13,
    ONE = CONTROL | PROPORTION,
    RULE = QBCB | HYPERGEOMETRIC
};

static const iv_case cases[] = { /* in the order of the checks */
    { FAMILIES, "with --families", NULL },
    { CONTROL, "with --control", NULL },
    { PROPORTION, "with --proportion", NULL },
    { RECHECKED, "with --rechecked", NULL },
    { QBCB, "with --stop qbcb", NULL },
    { HYPERGEOMETRIC, "with --stop hypergeometric", NULL },
    { ELUSION | ELUSION_OTHERWISE,
      "with --unretrieved alone, which has exact limits and --max-elusion",
      "with recall (give --unretrieved without --retrieved)" },
    { ANYTIME, "with --anytime", NULL },
    { BY_STRATA, NULL, "without --strata" },
    { MACHINE, NULL, "without --machine" },
    { LOOKS, NULL, "without --looks" },
    { QBCB, NULL, "without --stop qbcb" },
    { RANKING | LEVELLED, NULL, "without --run" },
    { 0, NULL, NULL }
};

#define OPTION(member, name, needs, excluded) \
    IV_OPTION(iv_recall_question, member, name, needs, excluded)

static const iv_option options[] = {
    /* member, name, needs, excluded by */
    OPTION(retrieved.count, "retrieved", 0, ONE | QBCB | FAMILIES),
    OPTION(unretrieved.count, "unretrieved", 0, ONE | QBCB | FAMILIES),
    OPTION(rechecked.count, "rechecked", 0, ONE | QBCB | FAMILIES),
    OPTION(ranked.at.count, "at", RANKING, ONE | QBCB | FAMILIES),
    OPTION(ranked.drawn_at, "sampled-at", RANKING, ONE | QBCB | FAMILIES),
    OPTION(ranked.machine, "machine", RANKING, ONE | QBCB | FAMILIES),
    OPTION(ranked.unjudged, "unjudged", RANKING, ONE | QBCB | FAMILIES),
    OPTION(ranked.run, "run", 0, ONE | HYPERGEOMETRIC | FAMILIES),
    OPTION(ranked.sample, "sample", 0, ONE | HYPERGEOMETRIC),
    OPTION(stopping.rule, "stop", 0, ONE | RECHECKED | FAMILIES),
    OPTION(strata, "strata", 0, ONE | RECHECKED | RULE | FAMILIES),
    OPTION(method, "method", 0, ONE | RECHECKED | RULE | ELUSION_OTHERWISE | FAMILIES),
    OPTION(ranked.collection, "collection", RANKING, ONE | RECHECKED | RULE | FAMILIES),
    OPTION(prior.count, "prior", 0, ONE | RECHECKED | RULE | ELUSION | FAMILIES),
    OPTION(stopping.log, "log", 0, ONE | RECHECKED | RULE | ELUSION | FAMILIES),
    OPTION(max_elusion, "max-elusion", ELUSION, ONE | RECHECKED | RULE | FAMILIES),
    OPTION(unsampled, "unsampled", 0, ONE | RECHECKED | RULE | ELUSION | FAMILIES),
    OPTION(stopping.anytime, "anytime", 0, ONE | RECHECKED | RULE | ELUSION | FAMILIES),
    OPTION(stopping.looks, "looks", 0, ONE | RECHECKED | RULE | ELUSION | ANYTIME | FAMILIES),
    OPTION(guaranteed, "guaranteed", 0, ONE | RULE | FAMILIES),
    OPTION(one_sided, "one-sided", 0, CONTROL | RULE | ELUSION),
    OPTION(proportion.count, "proportion", 0, CONTROL | RULE | FAMILIES),
    OPTION(target, "target", 0, PROPORTION | ELUSION),
    OPTION(stopping.control.count, "control", 0, FAMILIES),
    OPTION(runs, "runs", BY_STRATA, FAMILIES),
    OPTION(ranked.machine_level, "machine-level", MACHINE, FAMILIES),
    OPTION(stopping.look, "look", LOOKS, FAMILIES),
    OPTION(stopping.shape, "shape", LOOKS, FAMILIES),
    OPTION(stopping.found, "found", QBCB, FAMILIES),
    OPTION(level, "level", LEVELLED, 0),
    { NULL, 0, 0, 0, 0 }
};

static unsigned cases_of(const iv_recall_question *q)
{
    const bool qbcb = q->stopping.rule == IV_REVIEW_STOP_QBCB;
    const bool control = q->stopping.control.count > 0;
    const bool elusion = is_elusion(q), ranked = q->ranked.run != NULL || q->ranked.ranking != NULL;

    return (control ? CONTROL : 0u) | (q->proportion.count > 0 && !control ? PROPORTION : 0u)
        | (q->rechecked.count > 0 ? RECHECKED : 0u) | (qbcb ? QBCB : 0u)
        | (q->stopping.rule != 0 && !qbcb ? HYPERGEOMETRIC : 0u) | (elusion ? ELUSION : 0u)
        | (elusion && q->method != IV_RECALL_EXACT ? ELUSION_OTHERWISE : 0u)
        | (q->stopping.anytime ? ANYTIME : 0u) | (q->strata != NULL ? BY_STRATA : 0u)
        | (q->ranked.machine != NULL ? MACHINE : 0u) | (q->stopping.looks != 0 ? LOOKS : 0u)
        | (q->families != NULL ? FAMILIES : 0u) | (ranked ? RANKING : 0u)
        | (ranked || q->stopping.log != NULL || q->families != NULL ? LEVELLED : 0u);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_recall_question *q = asked;
    iv_review *review = NULL;
    iv_review_options o;
    iv_recall_state t = { .q = q, .method = method_of(q),
                          .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    const bool drawn = iv_result_wants_charts(out);
    const bool curves = iv_result_wants(out, "curves", IV_FOLDED) || drawn;

    IV_TRY(iv_refuse_options(q, options, cases, cases_of(q), err));
    iv_name_limits(out, q->confidence, q->one_sided);
    if (q->rechecked.count > 0)
        return iv_recall_answer_rechecked(out, q, work, err);
    if (q->families != NULL)
        return iv_recall_answer_families(out, q, work, err);
    if (q->proportion.count > 0)
        return iv_answer_proportion(out, &(iv_proportion_question){
            q->proportion, q->confidence, q->one_sided }, err);
    if (q->stopping.control.count > 0)
        return iv_recall_stop_control(out, q, err);
    if (q->stopping.rule == IV_REVIEW_STOP_HYPERGEOMETRIC)
        return iv_recall_stop_random(out, q, err);
    if (is_elusion(q))
        return iv_answer_elusion(out, &(iv_elusion_question){
            q->unretrieved, q->max_elusion, q->confidence }, err);
    if (q->stopping.rule != IV_REVIEW_STOP_NONE)
        return from_ranking(&review, out, q, work, err);
    IV_TRY(ask(&o, out, q, err));
    iv_name_limits(out, o.how.confidence, o.how.one_sided);
    o.curves = curves ? MOST_CURVES : 0;
    IV_TRY(read_review(&review, &t, out, work, err));
    IV_TRY(IV_KEEP(out, review, review, err));
    IV_TRY(find(&t, review, &o, out, work, err));
    for (size_t i = 0; i < t.found->refused_count; i++)
        iv_result_note(out, "No row for %s.", t.found->refused[i]);
    IV_TRY(add_tables(out, &t, curves, err));
    iv_recall_words(out, &t);
    if (drawn)
        add_charts(out, &t);
    return IV_OK;
}

int iv_answer_recall(iv_result *out, const iv_recall_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_recall_question, retrieved, INTEGERS, "count"),
        IV_PART_OF(iv_recall_question, unretrieved, INTEGERS, "count"),
        IV_PART_OF(iv_recall_question, rechecked, INTEGERS, "count"),
        IV_PART_OF(iv_recall_question, stopping.control, INTEGERS, "count"),
        IV_PART_OF(iv_recall_question, proportion, INTEGERS, "count"),
        IV_PART_OF(iv_recall_question, strata, PATH, "the strata"),
        IV_PART_OF(iv_recall_question, ranked.run, PATH, "the run"),
        IV_PART_OF(iv_recall_question, ranked.sample, PATH, "the sample"),
        IV_PART_OF(iv_recall_question, ranked.at, INTEGERS, "cut-off"),
        IV_CHOICE_OF(iv_recall_question, unsampled, iv_unsampled_names,
                     "what to do with an unsampled stratum"),
        IV_CHOICE_OF(iv_recall_question, ranked.unjudged, iv_unjudged_names,
                     "what to do with unjudged documents"),
        IV_CHOICE_OF(iv_recall_question, method, iv_recall_method_names, "the method"),
        IV_PART_OF(iv_recall_question, confidence, CONFIDENCE, "the confidence"),
        IV_PART_OF(iv_recall_question, prior, REALS, "number of the prior"),
        IV_PART_OF(iv_recall_question, target, REAL, "the target"),
        IV_PART_OF(iv_recall_question, max_elusion, REAL, "the limit of elusion"),
        IV_PART_OF(iv_recall_question, families, PATH, "the families"),
        IV_PART_OF(iv_recall_question, stopping.log, PATH, "the log"),
        IV_PART_OF(iv_recall_question, stopping.found, PATH, "the judgments of the review"),
        IV_CHOICE_OF(iv_recall_question, stopping.shape, iv_look_shape_names,
                     "the shape of interim analyses"),
        IV_CHOICE_OF(iv_recall_question, stopping.rule, iv_review_stop_names,
                     "the rule of stopping"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
