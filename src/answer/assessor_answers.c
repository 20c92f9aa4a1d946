/* SPDX-License-Identifier: Apache-2.0 */
/* What the disagreement of assessors does to the answer: to runs, and to recall. */
#include <math.h>
#include <string.h>

#include "answer/assessor_parts.h"
#include "answer/run_notes.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/comparison.h"
#include "intervale/stat/recall.h"

typedef struct answer_row {
    const char *by, *run, *measure;
    size_t own; /* labels that are the assessor's; the majority's are used elsewhere */
    size_t relevant, topics;
    double value, lower, upper;
} answer_row;

enum { OF_TOPICS = 1 };

static const iv_field answer_fields[] = {
    { "by", IV_AT(answer_row, by),
      .about = "whose labels: an assessor's (the majority's where he has none), or the majority's" },
    { "run", IV_AT(answer_row, run), .about = "what is measured" },
    { "measure", IV_AT(answer_row, measure), .about = "by what" },
    { "own", IV_AT(answer_row, own), .about = "items with such a label" },
    { "relevant", IV_AT(answer_row, relevant), .about = "items that are so by these labels" },
    { "topics", IV_AT(answer_row, topics), .needs = OF_TOPICS, .audience = IV_FOR_PROGRAMS,
      .about = "that count" },
    { "value", IV_AT(answer_row, value), .digits = 4, .about = "by these labels" },
    { "lower", IV_AT(answer_row, lower), .digits = 4, .about = "of its interval" },
    { "upper", IV_AT(answer_row, upper), .digits = 4, .about = "of its interval" },
    { NULL } };

typedef struct verdict_row {
    const char *by, *a, *b, *verdict;
    double difference, lower, upper, p;
} verdict_row;

static const iv_field verdict_fields[] = {
    { "by", IV_AT(verdict_row, by), .about = "whose labels, as in answers" },
    { "a", IV_AT(verdict_row, a), .about = "a run" },
    { "b", IV_AT(verdict_row, b), .about = "another" },
    { "difference", IV_AT(verdict_row, difference), .digits = 4, .about = "a - b" },
    { "lower", IV_AT(verdict_row, lower), .digits = 4, .about = "of its interval" },
    { "upper", IV_AT(verdict_row, upper), .digits = 4, .about = "of its interval" },
    { "p", IV_AT(verdict_row, p), .digits = 4, .about = "adjusted over all pairs" },
    { "verdict", IV_AT(verdict_row, verdict),
      .about = "beside the majority's: same, flips (significant both ways), lost or new "
               "(significant by the majority or the assessor only)" },
    { NULL } };

/* ------------------------------------------------------------- relevance -- */

static bool is_word(const char *label, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        if (strlen(label) == strlen(words[i])
            && iv_edit_distance(iv_str_of(label), iv_str_of(words[i]), 0) == 0)
            return true;
    return false;
}

/* The grade of each label: whole numbers as they are; words that mean yes and no are 1 and 0. */
static int grades_of(int32_t **out, iv_judge_panel *p, iv_err *err)
{
    static const char *const yes[] = { "yes", "y", "true", "relevant", "positive", "r", "include",
                                       "responsive", NULL };
    static const char *const no[] = { "no", "n", "false", "not relevant", "nonrelevant",
                                      "non-relevant", "not_relevant", "irrelevant", "negative",
                                      "exclude", "not responsive", "nonresponsive", NULL };
    const iv_assessments_view *v = p->v;
    int32_t *grade = iv_take(&p->memory, v->label_count, sizeof *grade);

    IV_TRY(iv_taken(&p->memory, err));
    for (uint32_t l = 0; l < v->label_count; l++) {
        const double x = v->values == NULL ? 0.0 : v->values[l];
        const bool word = v->values == NULL && (is_word(v->labels[l], yes) || is_word(v->labels[l], no));
        if (!word && !(v->whole && fabs(x) <= (double)IV_GRADE_MAX))
            return iv_fail_at(err, IV_EPARSE, p->q->assessors, 0, "the label '%.80s' is no grade, "
                              "expected whole numbers, or words such as yes and no, to tell what "
                              "is relevant", v->labels[l]);
        grade[l] = word ? is_word(v->labels[l], yes) : (int32_t)x;
    }
    *out = grade;
    return IV_OK;
}

/* Counts what one's labels say. */
static answer_row counted(const iv_judge_panel *p, size_t by, const int32_t *grade)
{
    const int32_t level = p->q->level == 0 ? 1 : p->q->level;
    answer_row x = { .by = iv_panel_name(p, by) };

    for (size_t i = 0; i < p->v->item_count; i++) {
        const uint32_t l = iv_panel_label(p, by, i);
        for (size_t k = p->v->starts[i]; k < p->v->starts[i + 1]; k++)
            x.own += p->v->at[k].assessor == by;
        x.own += by == p->v->assessor_count && l != IV_NO_LABEL;
        x.relevant += l != IV_NO_LABEL && grade[l] >= level;
    }
    return x;
}

/* ------------------------------------------------------------------ runs -- */

static void end_judgments(void *j) { iv_judgments_free(j); }
static void end_evaluation(void *e) { iv_evaluation_free(e); }
static void end_comparison(void *c) { iv_comparison_free(c); }

static int judgments_by(iv_judgments **out, iv_judge_panel *p, size_t by, const int32_t *grade,
                        const iv_work *work, iv_err *err)
{
    const iv_assessments_view *v = p->v;
    iv_str *topic = iv_take(&p->memory, v->item_count, sizeof *topic);
    iv_str *docno = iv_take(&p->memory, v->item_count, sizeof *docno);
    int32_t *of = iv_take(&p->memory, v->item_count, sizeof *of);
    size_t n = 0;

    IV_TRY(iv_taken(&p->memory, err));
    for (size_t i = 0; i < v->item_count; i++) {
        const uint32_t l = iv_panel_label(p, by, i);
        if (l == IV_NO_LABEL)
            continue;
        topic[n] = v->topics[v->topic[i]];
        docno[n] = v->items[i];
        of[n++] = grade[l];
    }
    const iv_judgment_columns columns = { .count = n, .topic = { .strs = topic },
                                          .docno = { .strs = docno }, .grade = of };
    IV_TRY(iv_judgments_build(out, p->q->assessors, &columns, work, err));
    return iv_own(&p->memory, *out, end_judgments) == NULL ? iv_taken(&p->memory, err) : IV_OK;
}

/* The measure of every run by one's labels; all but intervals is in e. */
static int evaluate_by(iv_evaluation **e, iv_judge_panel *p, size_t by, const int32_t *grade,
                       const iv_work *work, iv_err *err)
{
    const char *const names[] = { p->q->measure != NULL ? p->q->measure : "AP" };
    const iv_evaluating how = { .measures = { names, 1 },
                                .measure = { .level = p->q->level },
                                .resampling = { .confidence = p->confidence } };
    iv_judgments *j = NULL;
    iv_source source = p->q->source;

    IV_TRY(judgments_by(&j, p, by, grade, work, err));
    source.judgments = NULL;
    source.judged = j;
    IV_TRY(iv_evaluate(e, &source, &how, work, err));
    if (iv_own(&p->memory, *e, end_evaluation) == NULL)
        return iv_taken(&p->memory, err);
    const iv_evaluated *v = iv_evaluation_view(*e);
    if (v->measure_count != 1 || v->measures[0].text || !v->measures[0].per_topic)
        return iv_fail(err, IV_EARG, "the measure %.80s has no single number a topic, expected "
                       "one that has", names[0]);
    return IV_OK;
}

/* Adds the pairs of runs; the majority's come first. */
static int compare_by(verdict_row *rows, iv_judge_panel *p, size_t by, const iv_evaluation *e,
                      const iv_work *work, iv_err *err)
{
    static const iv_pair_test t = IV_TEST_T;
    const iv_compare_options how = { .tests = &t, .test_count = 1, .confidence = p->confidence,
                                     .resamples = 1 };
    const iv_evaluated *v = iv_evaluation_view(e);
    const size_t pairs = v->run_count * (v->run_count - 1) / 2;
    const bool first = by == p->v->assessor_count;
    verdict_row *to = first ? rows : rows + (by + 1) * pairs;
    double *grid = iv_take(&p->memory, v->run_count * v->topic_count, sizeof *grid);
    const double alpha = 1.0 - p->confidence;
    const iv_compared_pair *found;
    const iv_compared_test *test;
    iv_comparison *c = NULL;

    IV_TRY(iv_taken(&p->memory, err));
    iv_evaluation_grid(grid, e, 0);
    IV_TRY(iv_compare(&c, grid, v->run_count, v->topic_count, &how, work, err));
    if (iv_own(&p->memory, c, end_comparison) == NULL)
        return iv_taken(&p->memory, err);
    (void)iv_comparison_pairs(&found, c);
    for (size_t k = 0; k < pairs; k++) {
        (void)iv_comparison_tests(&test, c, k);
        to[k] = (verdict_row){ iv_panel_name(p, by), v->runs[found[k].a].name,
                               v->runs[found[k].b].name, NULL, found[k].found.mean,
                               found[k].lower_adjusted, found[k].upper_adjusted,
                               test->p_adjusted };
        const bool here = to[k].p < alpha, there = rows[k].p < alpha;
        if (first)
            continue;
        to[k].verdict = here && there ? (to[k].difference * rows[k].difference < 0.0 ? "flips"
                                                                                     : "same")
                      : there ? "lost" : here ? "new" : "same";
        p->verdicts++;
        p->changed += strcmp(to[k].verdict, "same") != 0;
    }
    return IV_OK;
}

static void put_answers(iv_judge_panel *p, iv_result *out, const answer_row *rows, size_t count,
                        unsigned with)
{
    const size_t runs = count / (p->v->assessor_count + 1);

    p->run = rows[0].run;
    p->measure = rows[0].measure;
    p->by_majority = rows[0].value;
    p->least = p->most = rows[runs].value;
    for (size_t i = 2 * runs; i < count; i += runs) {
        p->least = fmin(p->least, rows[i].value);
        p->most = fmax(p->most, rows[i].value);
    }
    (void)iv_result_rows(out, &(iv_rows){ "answers", answer_fields, rows, count, sizeof *rows,
                                          .with = with,
                                          .drawn = { "value", "lower", "upper", 0.0, 0.0 } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "answers", .title = "The answer by each assessor",
        .caption = "A point is the answer by one's labels, the line its interval.",
        .label = "by", .value = "value", .lower = "lower", .upper = "upper" });
    iv_result_legend(out, "answers: by an assessor's labels where there are any (own), by the "
                     "majority's elsewhere, so that all are of the same items");
}

int iv_panel_runs(iv_judge_panel *p, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t n = p->v->assessor_count, runs = p->q->source.runs.count + p->q->source.ranked_count;
    const size_t pairs = runs > 1 ? runs * (runs - 1) / 2 : 0;
    answer_row *rows = iv_take(&p->memory, (n + 1) * runs, sizeof *rows);
    verdict_row *verdicts = iv_take(&p->memory, (n + 1) * pairs, sizeof *verdicts);
    int32_t *grade;

    if (runs == 0)
        return IV_OK;
    IV_TRY(iv_taken(&p->memory, err));
    if (!p->v->has_topics)
        return iv_fail_at(err, IV_EPARSE, p->q->assessors, 1, "no column of the topic, expected one "
                          "to judge runs with: topic, query, query_id, topic_id or qid");
    IV_TRY(grades_of(&grade, p, err));
    for (size_t k = 0; k <= n; k++) {
        const size_t by = k == 0 ? n : k - 1;
        iv_evaluation *e = NULL;
        iv_stage stage;
        IV_TRY(evaluate_by(&e, p, by, grade,
                           iv_work_part(&stage, work, (double)k / (double)(n + 1),
                                        (double)(k + 1) / (double)(n + 1)), err));
        const iv_evaluated *v = iv_evaluation_view(e);
        if (k == 0) {
            for (size_t r = 0; r < runs; r++)
                if (v->runs[r].path != NULL)
                    iv_result_input(out, v->runs[r].path, v->runs[r].bytes);
            iv_tell_run_files(out, v);
        }
        for (size_t r = 0; r < runs; r++) {
            answer_row *x = &rows[k * runs + r];
            *x = counted(p, by, grade);
            x->run = v->runs[r].name;
            x->measure = v->measures[0].name;
            x->topics = v->means[r].topics;
            x->value = v->means[r].value;
            x->lower = v->means[r].lower;
            x->upper = v->means[r].upper;
        }
        if (pairs > 0)
            IV_TRY(compare_by(verdicts, p, by, e, work, err));
    }
    put_answers(p, out, rows, (n + 1) * runs, OF_TOPICS);
    if (pairs > 0) {
        (void)iv_result_rows(out, &(iv_rows){ "verdicts", verdict_fields, verdicts,
                                              (n + 1) * pairs, sizeof *verdicts });
        iv_result_legend(out, "verdicts: t tests of the mean difference, p adjusted by Holm's "
                         "method, at %g; intervals hold for all pairs at once",
                         1.0 - p->confidence);
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- recall -- */

/* What one's labels say of the strata, one row of a table or two segments. */
typedef struct reviewed {
    iv_strata *file;
    const iv_strata_table *table; /* NULL: two segments */
    iv_stratum *now, *in, *out;
    size_t *of; /* stratum of each item */
    size_t count;
} reviewed;

static void end_strata(void *s) { iv_strata_free(s); }

static int find_strata(reviewed *w, iv_judge_panel *p, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_assessments_view *v = p->v;
    char quoted[IV_QUOTE_SIZE];

    w->count = 2;
    if (p->q->strata != NULL) {
        if (v->stratum == NULL)
            return iv_fail_at(err, IV_EPARSE, p->q->assessors, 1, "no column of the stratum, "
                              "expected one since strata are given");
        IV_TRY(iv_strata_load(&w->file, p->q->strata, NULL, work, err));
        if (iv_own(&p->memory, w->file, end_strata) == NULL)
            return iv_taken(&p->memory, err);
        w->table = iv_strata_view(w->file);
        iv_result_input(out, p->q->strata, w->table->bytes);
        w->count = w->table->row_count;
    }
    w->now = iv_take(&p->memory, w->count, sizeof *w->now);
    w->in = iv_take(&p->memory, w->count, sizeof *w->in);
    w->out = iv_take(&p->memory, w->count, sizeof *w->out);
    w->of = iv_take(&p->memory, v->item_count, sizeof *w->of);
    IV_TRY(iv_taken(&p->memory, err));
    for (size_t i = 0; i < v->item_count; i++) {
        if (w->table == NULL) {
            w->of[i] = v->retrieved[i] ? 0 : 1;
            continue;
        }
        while (w->of[i] < w->count
               && iv_str_cmp(w->table->rows[w->of[i]].name, v->stratum[i]) != 0)
            w->of[i]++;
        if (w->of[i] == w->count)
            return iv_fail_at(err, IV_EPARSE, p->q->assessors, 0, "the stratum %s is not in %.200s",
                              iv_quote(quoted, v->stratum[i]), p->q->strata);
    }
    return IV_OK;
}

static void count_strata(reviewed *w, const iv_judge_panel *p, size_t by, const int32_t *grade)
{
    const int32_t level = p->q->level == 0 ? 1 : p->q->level;

    memset(w->now, 0, w->count * sizeof *w->now);
    for (size_t i = 0; i < p->v->item_count; i++) {
        const uint32_t l = iv_panel_label(p, by, i);
        if (l == IV_NO_LABEL)
            continue;
        w->now[w->of[i]].sampled++;
        w->now[w->of[i]].relevant += grade[l] >= level;
    }
    for (size_t s = 0; s < w->count; s++)
        w->now[s].size = w->table != NULL ? w->table->rows[s].size
                       : p->q->populations.count == 2 ? p->q->populations.at[s] : 0;
}

/* Without sizes: the relevant of a random sample, of which so many were retrieved. */
static void share_found(answer_row *x, const reviewed *w, double confidence)
{
    const double in = (double)w->now[0].relevant, all = in + (double)w->now[1].relevant;
    const double tail = 0.5 * (1.0 - confidence);

    x->value = all > 0.0 ? in / all : (double)NAN;
    x->lower = in > 0.0 ? iv_beta_quantile(tail, in + 0.5, all - in + 0.5) : 0.0;
    x->upper = in < all ? iv_beta_isf(tail, in + 0.5, all - in + 0.5) : 1.0;
}

static int recall_by(answer_row *x, reviewed *w, iv_judge_panel *p, size_t run,
                     iv_recall_posterior *posterior, iv_err *err)
{
    iv_segments s = { w->in, w->out, 0, 0 };
    iv_recall_interval limits;

    if (w->table == NULL && p->q->populations.count != 2) {
        share_found(x, w, p->confidence);
        return IV_OK;
    }
    for (size_t k = 0; k < w->count; k++) {
        if (w->table != NULL ? w->table->retrieved[run * w->count + k] : k == 0)
            w->in[s.retrieved_count++] = w->now[k];
        else
            w->out[s.unretrieved_count++] = w->now[k];
    }
    IV_TRY(iv_recall_interval_of(&limits, &s, &(iv_recall_options){ .confidence = p->confidence },
                                 posterior, err));
    x->value = iv_recall_estimate(&s);
    x->lower = limits.lower;
    x->upper = limits.upper;
    return IV_OK;
}

static void end_posterior(void *q) { iv_recall_posterior_free(q); }

int iv_panel_recall(iv_judge_panel *p, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t n = p->v->assessor_count;
    iv_recall_posterior *posterior = NULL;
    reviewed w = { 0 };
    int32_t *grade;

    if (p->q->populations.count > 0 && (p->q->populations.count != 2 || p->v->retrieved == NULL))
        return iv_fail_at(err, IV_EPARSE, p->q->assessors, 1, "no column of what was retrieved, "
                          "expected one since populations are given");
    if (p->q->source.runs.count + p->q->source.ranked_count > 0
        || (p->q->strata == NULL && p->v->retrieved == NULL))
        return IV_OK;
    IV_TRY(grades_of(&grade, p, err));
    IV_TRY(find_strata(&w, p, out, work, err));
    IV_TRY(iv_recall_posterior_new(&posterior, err));
    if (iv_own(&p->memory, posterior, end_posterior) == NULL)
        return iv_taken(&p->memory, err);
    const size_t runs = w.table != NULL ? w.table->run_count : 1;
    answer_row *rows = iv_take(&p->memory, (n + 1) * runs, sizeof *rows);
    IV_TRY(iv_taken(&p->memory, err));
    for (size_t k = 0; k <= n; k++)
        for (size_t r = 0; r < runs; r++) {
            answer_row *x = &rows[k * runs + r];
            const size_t by = k == 0 ? n : k - 1;
            *x = counted(p, by, grade);
            count_strata(&w, p, by, grade);
            x->run = w.table != NULL ? iv_arena_copy(&p->memory, w.table->runs[r]) : "review";
            x->measure = "recall";
            IV_TRY(recall_by(x, &w, p, r, posterior, err));
        }
    put_answers(p, out, rows, (n + 1) * runs, 0);
    if (w.table == NULL && p->q->populations.count == 0)
        iv_result_note(out, "recall: items are taken for a simple random sample of all documents, "
                       "retrieved and not; of unequal shares of the two the sizes are needed");
    return IV_OK;
}
