/* SPDX-License-Identifier: Apache-2.0 */
/* pool -- how much does a run lose if it had not contributed to the judgments? */
#include "base/arguments.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/message.h"
#include "result/methods.h"
#include "result/run_input.h"
#include "result/wording.h"
#include "retrieval/evaluation.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "trec/run_source.h"
#include "trec/trec_ends.h"

#include <math.h>

/* Whose document a judgment is. */
static const uint32_t NOBODY = UINT32_MAX, SEVERAL = UINT32_MAX - 1;

typedef struct pool_row {
    const char *run, *group;
    size_t own, own_relevant; /* documents that only its group contributed */
    double value, without, change;
    size_t rank, rank_without;
} pool_row;

enum { GROUPED = 2 };

const iv_field iv_pool_fields[] = {
    { "run", IV_AT(pool_row, run), .about = "name of the run" },
    { "group", IV_AT(pool_row, group), .shown = GROUPED,
      .about = "what is excluded with it: the run itself, or its group" },
    { "own", IV_AT(pool_row, own), .heading = "own documents",
      .about = "judged documents that no other group returns in its top documents" },
    { "own_relevant", IV_AT(pool_row, own_relevant), .heading = "relevant",
      .about = "those of them that are relevant" },
    { "value", IV_AT(pool_row, value), .digits = 4, .about = "mean with all judgments" },
    { "without", IV_AT(pool_row, without), .digits = 4, .heading = "without own",
      .about = "mean if those documents were not judged" },
    { "change", IV_AT(pool_row, change), .digits = 4, .about = "without minus value" },
    { "rank", IV_AT(pool_row, rank), .about = "rank by the mean with all judgments" },
    { "rank_without", IV_AT(pool_row, rank_without), .heading = "rank without",
      .about = "rank among all runs if those documents were not judged" },
    { NULL } };

typedef struct pool_check {
    const iv_pool_question *q;
    iv_arena *own;
    iv_run_input runs;
    const iv_judgments *judgments;
    const char *measure;
    size_t judged; /* judgments in all */
    iv_str *topic, *docno;
    int32_t *grade;
    uint32_t *owner;          /* of each judgment */
    uint32_t *group;          /* of each run */
    const char **group_names; /* of groups */
    size_t group_count;
    pool_row *rows;
} pool_check;

/* ----------------------------------------------------------------- groups -- */

IV_ENDS(ids)

/* The groups that a table with the columns run and group gives; a run without one is alone. */
static int read_groups(pool_check *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const char *path = c->q->groups;
    iv_ids *names = iv_own(c->own, iv_take(c->own, 1, sizeof *names), iv_end_ids);
    const iv_column_role roles[] = { { "run,system" }, { "group" } };
    size_t column[2];
    iv_csv *file = NULL;

    IV_TRY(iv_taken(c->own, err));
    IV_TRY(iv_csv_load(&file, path, work, err));
    IV_TRY(IV_KEEP(out, csv, file, err));
    iv_result_input(out, path, iv_csv_bytes(file));
    IV_TRY(iv_role_columns(column, file, roles, 2, "; expected the columns run and group", err));
    for (size_t row = 0; row < iv_csv_rows(file); row++) {
        const char *run = iv_arena_copy(c->own, iv_csv_cell(file, row, column[0]));
        const uint32_t k = iv_ids_add(names, iv_csv_cell(file, row, column[1]));
        size_t found = 0;
        if (run == NULL || k == IV_NO_ID)
            return iv_no_memory(err);
        for (size_t r = 0; r < c->runs.count; r++)
            if (iv_run_input_named(&c->runs, r, run)) {
                c->group[r] = k;
                found++;
            }
        if (found == 0)
            return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(file, row),
                              "'%.80s' is none of the runs", run);
    }
    c->group_count = names->count;
    for (size_t k = 0; k < names->count; k++)
        c->group_names[k] = iv_arena_copy(c->own, names->names[k]);
    return iv_taken(c->own, err);
}

static int find_groups(pool_check *c, iv_result *out, const iv_work *work, iv_err *err)
{
    c->group = iv_take(c->own, c->runs.count, sizeof *c->group);
    c->group_names = iv_take(c->own, 2 * c->runs.count + 1, sizeof *c->group_names);
    IV_TRY(iv_taken(c->own, err));
    for (size_t r = 0; r < c->runs.count; r++)
        c->group[r] = NOBODY;
    if (c->q->groups != NULL)
        IV_TRY(read_groups(c, out, work, err));
    for (size_t r = 0; r < c->runs.count; r++)
        if (c->group[r] == NOBODY) {
            c->group[r] = (uint32_t)c->group_count;
            c->group_names[c->group_count++] = c->runs.names[r];
        }
    if (c->group_count < 2)
        return iv_fail(err, IV_EARG, "all runs are in one group; two or more are needed");
    return IV_OK;
}

/* ----------------------------------------------------------------- owners -- */

static size_t depth_of(const iv_pool_question *q)
{
    return q->depth == 0 ? IV_POOL_DEPTH : q->depth;
}

/* Marks the judgments of the top documents of a run. */
static void mark_run(pool_check *c, size_t r, size_t topic, const iv_judgment *list, size_t first)
{
    const iv_run *run = c->runs.runs[r];
    const size_t at = iv_run_find_topic(run, iv_judgments_topic(c->judgments, topic));
    const size_t most = depth_of(c->q);

    for (size_t k = 0; at != IV_NONE && k < iv_run_depth(run, at) && k < most; k++) {
        const iv_judgment *j = iv_judgments_find(c->judgments, topic, iv_run_docno(run, at, k));
        if (j == NULL || j->grade < 0)
            continue;
        uint32_t *owner = &c->owner[first + (size_t)(j - list)];
        *owner = *owner == NOBODY || *owner == c->group[r] ? c->group[r] : SEVERAL;
    }
}

static int find_owners(pool_check *c, iv_err *err)
{
    const size_t topics = iv_judgments_topics(c->judgments);
    const iv_judgment *list = NULL;
    size_t all = 0;

    for (size_t t = 0; t < topics; t++)
        all += iv_judgments_of(&list, c->judgments, t);
    c->topic = iv_take(c->own, all + 1, sizeof *c->topic);
    c->docno = iv_take(c->own, all + 1, sizeof *c->docno);
    c->grade = iv_take(c->own, all + 1, sizeof *c->grade);
    c->owner = iv_take(c->own, all + 1, sizeof *c->owner);
    IV_TRY(iv_taken(c->own, err));
    for (size_t t = 0; t < topics; t++) {
        const size_t n = iv_judgments_of(&list, c->judgments, t), first = c->judged;
        for (size_t i = 0; i < n; i++, c->judged++) {
            c->topic[c->judged] = iv_judgments_topic(c->judgments, t);
            c->docno[c->judged] = list[i].docno;
            c->grade[c->judged] = list[i].grade;
            c->owner[c->judged] = NOBODY;
        }
        for (size_t r = 0; r < c->runs.count; r++)
            mark_run(c, r, t, list, first);
    }
    return IV_OK;
}

/* ------------------------------------------------------------- evaluation -- */

/* What group k did not contribute. */
static int judgments_without(iv_judgments **out, const pool_check *c, iv_arena *own, uint32_t k,
                             iv_err *err)
{
    iv_str *topic = iv_take(own, c->judged + 1, sizeof *topic);
    iv_str *docno = iv_take(own, c->judged + 1, sizeof *docno);
    int32_t *grade = iv_take(own, c->judged + 1, sizeof *grade);
    size_t n = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < c->judged; i++) {
        if (c->owner[i] == k)
            continue;
        topic[n] = c->topic[i];
        docno[n] = c->docno[i];
        grade[n++] = c->grade[i];
    }
    return iv_judgments_build(out, "the judgments", &(iv_judgment_columns){
        .count = n, .topic = { .strs = topic }, .docno = { .strs = docno }, .grade = grade },
        NULL, err);
}

/* The means of all runs over the topics given; a topic without judgments has none. */
static int evaluate(double *means, const pool_check *c, const iv_judgments *j,
                    const iv_work *work, iv_err *err)
{
    const iv_source source = { .judged = j, .ranked = c->runs.runs, .ranked_count = c->runs.count };
    const iv_evaluating how = { .measures = { &c->measure, 1 },
                                .measure = { .level = c->q->level }, .complete = true,
                                .interval = IV_INTERVAL_NONE };
    iv_evaluation *e = NULL;

    IV_TRY(iv_evaluate(&e, &source, &how, work, err));
    const iv_evaluated *v = iv_evaluation_view(e);
    const size_t count = v->measure_count;
    const bool fit = count == 1 && v->measures[0].per_topic;
    for (size_t r = 0; r < c->runs.count && fit; r++) /* topics that lost all judgments have 0 */
        means[r] = v->means[r].value * (double)v->means[r].topics
            / (double)iv_judgments_topics(c->judgments);
    iv_evaluation_free(e);
    if (count > 1)
        return iv_fail(err, IV_EARG, "'%.80s' is %zu measures; expected one, such as nDCG@10",
                       c->measure, count);
    return fit ? IV_OK : iv_fail(err, IV_EARG, "measure '%.80s' has no mean over topics; expected "
                                 "one such as nDCG@10 or AP", c->measure);
}

static size_t rank_of(const double *means, size_t count, size_t run)
{
    size_t rank = 1;

    for (size_t r = 0; r < count; r++)
        rank += means[r] > means[run];
    return rank;
}

/* Excludes one group after the other. */
static int check_groups(pool_check *c, const iv_work *work, iv_err *err)
{
    const size_t runs = c->runs.count;
    double *all = iv_take(c->own, runs, sizeof *all);
    double *without = iv_take(c->own, runs, sizeof *without);
    const int32_t level = c->q->level == 0 ? 1 : c->q->level == IV_ZERO ? 0 : c->q->level;
    iv_arena scratch = { 0 };
    iv_stage stage;
    int rc = iv_taken(c->own, err);

    if (rc == IV_OK)
        rc = evaluate(all, c, c->judgments, NULL, err);
    for (uint32_t k = 0; k < c->group_count && rc == IV_OK; k++) {
        const double n = (double)c->group_count;
        iv_judgments *j = NULL;
        size_t own = 0, relevant = 0;
        for (size_t i = 0; i < c->judged; i++) {
            own += c->owner[i] == k;
            relevant += c->owner[i] == k && c->grade[i] >= level;
        }
        rc = judgments_without(&j, c, &scratch, k, err);
        if (rc == IV_OK)
            rc = evaluate(without, c, j, iv_work_part(&stage, work, (double)k / n,
                                                               ((double)k + 1.0) / n), err);
        for (size_t r = 0; r < runs && rc == IV_OK; r++)
            if (c->group[r] == k)
                c->rows[r] = (pool_row){ c->runs.names[r], c->group_names[k], own, relevant,
                                         all[r], without[r], without[r] - all[r],
                                         rank_of(all, runs, r), rank_of(without, runs, r) };
        iv_judgments_free(j);
        iv_arena_reuse(&scratch);
    }
    iv_arena_free(&scratch);
    return rc;
}

/* ------------------------------------------------------------------ answer -- */

static const iv_message messages[] = {
    { "pool.none-own", IV_NOTE, NULL,
      "{n} run[|s] contributed no judged document of [its|their] own and [is|are] not in the "
      "average: {s}." },
    { "pool.others", IV_WARNING, NULL,
      "{a%} of the judgments are of documents outside the top {b} of these runs. Give all pooled "
      "runs and the pool's depth (--top), or losses are overstated." },
    { NULL } };

/* Judgments of documents that none of the runs contributed: the pool had others, or is deeper. */
static void tell_others(iv_result *out, const pool_check *c)
{
    size_t others = 0;

    for (size_t i = 0; i < c->judged; i++)
        others += c->owner[i] == NOBODY && c->grade[i] >= 0;
    IV_TELL(out, messages, "pool.others", others, { (double)others / fmax(1.0, (double)c->judged),
                                                    (double)depth_of(c->q) });
}

static void answer(iv_result *out, const pool_check *c)
{
    const char *what = c->q->groups != NULL ? "group" : "run";
    iv_listing others = { 0 }; /* whose exclusion excludes no judgment */
    size_t worst = 0, moved = 0;
    double sum = 0.0;
    char over[96] = "";

    for (size_t r = 0; r < c->runs.count; r++) {
        if (c->rows[r].own == 0)
            iv_list(&others, "%.80s", c->rows[r].run);
        sum += c->rows[r].change;
        moved += c->rows[r].rank != c->rows[r].rank_without;
        worst = c->rows[r].change < c->rows[worst].change ? r : worst;
    }
    const pool_row *w = &c->rows[worst];
    if (!(w->change < 0.0)) {
        iv_result_answer(out, "No run has a lower %s if its %s is excluded from the pool of %zu "
                         "runs.", c->measure, what, c->runs.count);
        return;
    }
    const size_t contributed = c->runs.count - others.count; /* of others the change is 0 */
    if (others.count > 0)
        (void)snprintf(over, sizeof over, " over the %zu run%s that contributed documents of %s "
                       "own", contributed, iv_plural(contributed),
                       contributed == 1 ? "its" : "their");
    iv_result_answer(out, "If a %s is excluded from the pool, %s %s changes by %.4f on average%s. "
                     "It falls most for %s: from %.4f (rank %zu) to %.4f (rank %zu). "
                     "%zu of %zu runs change their rank.", what,
                     c->q->groups != NULL ? "its runs'" : "its", c->measure,
                     sum / (double)contributed, over, w->run, w->value, w->rank, w->without,
                     w->rank_without, moved, c->runs.count);
    IV_TELL(out, messages, "pool.none-own", others.count, .text = { iv_listed(&others) });
}

static void put_table(iv_result *out, const pool_check *c)
{
    IV_TABLE(out, "pool", iv_pool_fields, c->rows, c->runs.count,
             .with = c->q->groups != NULL ? GROUPED : 0);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "pool", .title = "Runs with and without their own pool",
        .caption = "A point is a run: its mean with all judgments (across), and without the "
                   "documents that only it contributed (up). Below the line it loses.",
        .x = "value", .value = "without", .label = "run", .diagonal = true });
    iv_result_used(out, "leave-one-out");
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_pool_question *q = asked;
    const size_t count = q->from.ranked != NULL ? q->from.ranked_count : q->from.runs.count;
    pool_check c = { .q = q, .own = iv_result_own(out), .judgments = q->from.judged,
                     .measure = q->measure == NULL ? "AP" : q->measure };
    iv_judgments *read = NULL;
    iv_stage stage;

    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run%s given, expected at least two", count,
                       count == 1 ? "" : "s");
    if (c.judgments == NULL)
        IV_TRY(iv_judgments_input(&read, out, q->from.judgments, q->from.judgments_format,
                                  iv_work_part(&stage, work, 0.0, 0.1), err));
    c.judgments = c.judgments != NULL ? c.judgments : read;
    const iv_judgments_format format = iv_judgments_format_of(c.judgments);
    if (format == IV_JUDGMENTS_PRELS || format == IV_JUDGMENTS_STRATIFIED)
        return iv_fail(err, IV_ENODATA, "the judgments are a sample; expected ordinary judgments "
                       "(qrels)");
    IV_TRY(iv_run_input_read(&c.runs, out, &q->from, iv_work_part(&stage, work, 0.1, 0.2), err));
    c.rows = iv_take(c.own, c.runs.count, sizeof *c.rows);
    IV_TRY(iv_taken(c.own, err));
    IV_TRY(find_groups(&c, out, work, err));
    IV_TRY(find_owners(&c, err));
    IV_TRY(check_groups(&c, iv_work_part(&stage, work, 0.2, 1.0), err));
    answer(out, &c);
    tell_others(out, &c);
    put_table(out, &c);
    return IV_OK;
}

int iv_answer_pool(iv_result *out, const iv_pool_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = { IV_SOURCE_PARTS(iv_pool_question, from.) };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "leave-one-out"), work, err);
}
