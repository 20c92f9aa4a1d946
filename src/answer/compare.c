/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to compare: scores are read, compared, and reported. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/comparing.h"
#include "answer/two_phase_answer.h"
#include "answer/run_notes.h"
#include "answer/scored_tables.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "estimate/evaluation_parts.h"
#include "intervale/answer.h"
#include "trec/matrix.h"
#include "base/base_private.h"
#include "estimate/estimate_private.h"
#include "measure/measure_private.h"
#include "stat/comparison_private.h"
#include "trec/trec_private.h"

/* ----------------------------------------------------- sets of measures -- */

static bool is_set(const char *name)
{
    const iv_measure_set *sets;
    const size_t count = iv_measure_sets(&sets);
    bool found = false;

    for (size_t i = 0; i < count; i++)
        found = found || strcmp(sets[i].name, name) == 0;
    return found;
}

static bool is_named(const iv_texts *asked, const char *name)
{
    bool found = false;

    for (size_t i = 0; i < asked->count; i++)
        found = found || strcmp(asked->at[i], name) == 0;
    return found;
}

static int choose_means(iv_texts *measures, iv_arena *own, const iv_measures *all, iv_result *out,
                  iv_err *err)
{
    const char **names = iv_arena_alloc(own, iv_measures_count(all) * sizeof *names);
    iv_listing left_out = { .most = 12 };
    size_t count = 0;

    for (size_t i = 0; names != NULL && i < iv_measures_count(all); i++) {
        const iv_value_info *v = iv_measures_value(all, i);
        const iv_measure_info *is = v->measure;
        if ((is->kind != IV_REAL || !is->per_topic || is->summary != IV_SUMMARY_MEAN)
            && !is_named(measures, v->name)) { /* what is named is not passed over */
            iv_list(&left_out, "%s", v->name);
            continue;
        }
        names[count] = iv_arena_copy(own, iv_str_of(v->name));
        names = names[count++] == NULL ? NULL : names;
    }
    if (names == NULL)
        return iv_no_memory(err);
    if (left_out.count > 0)
        iv_result_note(out, "of the set, %s %s not compared: no mean of scores of topics",
                       iv_listed(&left_out), left_out.count == 1 ? "is" : "are");
    *measures = (iv_texts){ names, count };
    return IV_OK;
}

int iv_compared_measures(iv_texts *measures, iv_arena *own, const iv_measure_options *options,
                         iv_result *out, iv_err *err)
{
    iv_measures *all = NULL;
    bool any = false;

    for (size_t i = 0; i < measures->count; i++)
        any = any || is_set(measures->at[i]);
    if (!any)
        return IV_OK;
    IV_TRY(iv_measures_parse(&all, measures->at, measures->count, options, err));
    const int rc = choose_means(measures, own, all, out, err);
    iv_measures_free(all);
    return rc;
}

/* -------------------------------------------------------------- scores -- */

/* Memory for the lists; their lengths are known. */
static int make_room(iv_comparing *c, iv_err *err)
{
    const size_t R = c->run_count, T = c->topic_count, M = c->measure_count;

    c->runs = iv_arena_alloc(&c->names, (R + 1) * sizeof *c->runs);
    c->topics = iv_arena_alloc(&c->names, (T + 1) * sizeof *c->topics);
    c->measures = iv_arena_alloc(&c->names, (M + 1) * sizeof *c->measures);
    c->digits = iv_arena_alloc(&c->names, (M + 1) * sizeof *c->digits);
    c->values = malloc((M * R * T + 1) * sizeof *c->values);
    c->found = calloc(M + 1, sizeof *c->found);
    if (c->runs == NULL || c->topics == NULL || c->measures == NULL || c->digits == NULL
        || c->values == NULL || c->found == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return IV_OK;
}

/* ------------------------------------------------------- scores as given -- */

/* One measure, whose name is the caller's. */
static int name_scores(iv_comparing *c, iv_err *err)
{
    const iv_texts *names = &c->asked->scoring.measures;

    if (names->count > 1)
        return iv_fail(err, IV_EARG, "a matrix holds one measure, and there are %zu names for "
                       "it", names->count);
    c->measure_count = 1;
    const int rc = make_room(c, err);
    if (rc != IV_OK)
        return rc;
    c->measures[0] = names->count > 0 ? names->at[0] : "score";
    c->digits[0] = 4;
    return IV_OK;
}

static void complete_scores(iv_comparing *c)
{
    for (size_t i = 0; c->asked->scoring.complete && i < c->run_count * c->topic_count; i++)
        c->values[i] = isnan(c->values[i]) ? 0.0 : c->values[i];
}

/* Scores that are declared to be 0 or 1 must be. */
static int check_answers(const iv_comparing *c, iv_err *err)
{
    const size_t T = c->topic_count;
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; c->asked->scores.binary && i < c->run_count * T; i++) {
        const double x = c->values[i];
        if (!isnan(x) && x != 0.0 && x != 1.0)
            return iv_fail(err, IV_EPARSE, "'%.60s' has the score %g on topic %s, expected 0 or 1 "
                           "of binary scores", c->runs[i / T], x,
                           iv_quote(quoted, c->topics[i % T]));
    }
    return IV_OK;
}

static int read_values(iv_comparing *c, iv_err *err)
{
    const iv_compare_question *q = c->asked;

    c->run_count = q->systems.count;
    c->topic_count = q->topics.count;
    const int rc = name_scores(c, err);
    if (rc != IV_OK)
        return rc;
    for (size_t r = 0; r < c->run_count; r++)
        c->runs[r] = q->systems.at[r];
    for (size_t t = 0; t < c->topic_count; t++)
        c->topics[t] = iv_str_of(q->topics.at[t]);
    memcpy(c->values, q->values, c->run_count * c->topic_count * sizeof *c->values);
    complete_scores(c);
    return check_answers(c, err);
}

static int fill_from_matrix(iv_comparing *c, const iv_matrix *m, iv_err *err)
{
    c->run_count = iv_matrix_systems(m);
    c->topic_count = iv_matrix_topics(m);
    const int rc = name_scores(c, err);
    if (rc != IV_OK)
        return rc;
    bool ok = true;
    for (size_t r = 0; ok && r < c->run_count; r++)
        ok = (c->runs[r] = iv_arena_copy(&c->names, iv_matrix_system(m, r))) != NULL;
    for (size_t t = 0; ok && t < c->topic_count; t++) {
        const iv_str id = iv_matrix_topic(m, t);
        c->topics[t] = (iv_str){ iv_arena_copy(&c->names, id), id.len };
        ok = c->topics[t].ptr != NULL;
        for (size_t r = 0; r < c->run_count; r++)
            c->values[r * c->topic_count + t] = iv_matrix_score(m, r, t);
    }
    complete_scores(c);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

static int read_matrix(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_compare_question *q = c->asked;
    iv_matrix *m = NULL;
    int rc = iv_matrix_load(&m, q->matrix, q->by, work, err);

    if (rc < 0)
        return rc;
    iv_result_input(out, q->matrix, iv_matrix_bytes(m));
    rc = fill_from_matrix(c, m, err);
    if (q->by == IV_ROWS_SYSTEMS && iv_matrix_rows_are_called_topics(m))
        iv_result_note(out, "warning: the first column of %s names topics, and its rows are taken for "
                       "systems; --by topics takes rows for topics", q->matrix);
    if (rc == IV_OK && c->run_count < 2)
        rc = iv_fail(err, IV_ENODATA, "%s has scores of one run only: there is nothing to "
                     "compare it with%s", q->matrix, q->by == IV_ROWS_SYSTEMS
                     ? ", unless its rows are topics" IV_HINT(": say --by topics then") : "");
    if (rc == IV_OK)
        rc = check_answers(c, err);
    iv_matrix_free(m);
    return rc;
}

/* A set with one cluster or item tells nothing of others like it, unless sets are the units. */
static int check_sets(const iv_scorecard *card, iv_err *err)
{
    const iv_structure *s = &card->structure[0];

    if (s->cluster != NULL && s->clusters == 1)
        return iv_fail(err, IV_ENODATA, "all items are of one cluster, which tells nothing of "
                       "others");
    for (size_t h = 0; s->suite != NULL && !s->sampled && h < s->suites; h++) {
        size_t first = IV_NONE, units = 0;
        for (size_t t = 0; t < card->v->item_count; t++) {
            const size_t unit = s->cluster != NULL ? s->cluster[t] : t;
            if (s->suite[t] != h || unit == first)
                continue;
            units++;
            first = first == IV_NONE ? unit : first;
        }
        if (units < 2)
            return iv_fail(err, IV_ENODATA, "the set '%.80s' has one %s only, which tells nothing of "
                           "others; sets could be taken for a sample" IV_HINT(" (--sets sampled)"),
                           card->v->suites[h],
                           s->cluster != NULL ? "cluster" : "item");
    }
    return IV_OK;
}

/* Is every score 0 or 1? */
static bool only_answers(const iv_comparing *c)
{
    for (size_t i = 0; i < c->measure_count * c->run_count * c->topic_count; i++)
        if (!isnan(c->values[i]) && c->values[i] != 0.0 && c->values[i] != 1.0)
            return false;
    return true;
}

/* Scores of any kind: items are the topics. */
static int read_scores(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_compare_question *q = c->asked;
    iv_scorecard *card = &c->card;

    IV_TRY(iv_scorecard_read(card, &q->scores, &q->scoring.measures, false, q->scoring.complete,
                             out, work, err));
    c->run_count = card->v->system_count;
    c->topic_count = card->v->item_count;
    c->measure_count = card->measure_count;
    IV_TRY(make_room(c, err));
    for (size_t m = 0; m < c->measure_count; m++) {
        c->measures[m] = q->scoring.measures.count > 0 ? q->scoring.measures.at[m]
            : card->v->measures[card->measures[m]];
        c->digits[m] = 4;
    }
    for (size_t r = 0; r < c->run_count; r++)
        c->runs[r] = card->v->systems[r];
    for (size_t t = 0; t < c->topic_count; t++)
        c->topics[t] = card->v->items[t];
    memcpy(c->values, card->values,
           c->measure_count * c->run_count * c->topic_count * sizeof *c->values);
    if (c->run_count < 2)
        return iv_fail(err, IV_ENODATA, "the scores are of one system only, '%.80s': there is "
                       "nothing to compare it with", c->runs[0]);
    if (q->groups != NULL && card->structured)
        return iv_fail(err, IV_EARG, "groups of topics that hang together in clusters or sets "
                       "cannot be compared");
    IV_TRY(check_sets(card, err));
    card->binary = card->binary || only_answers(c);
    iv_scorecard_tell(card, out);
    return IV_OK;
}

/* ---------------------------------------------------- judgments and runs -- */

static int check_measure(const iv_evaluated_measure *m, iv_err *err)
{
    if (m->text || !m->per_topic
        || (m->info != NULL && m->info->measure->summary == IV_SUMMARY_GEOMETRIC))
        return iv_fail(err, IV_EARG, "measure '%s' is no mean of numbers of topics: nothing to "
                       "compare", m->name);
    return IV_OK;
}

static int fill_from_evaluation(iv_comparing *c, const iv_evaluated *e, iv_err *err)
{
    c->run_count = e->run_count;
    c->topic_count = e->topic_count;
    c->measure_count = e->measure_count;
    int rc = make_room(c, err);
    for (size_t m = 0; rc == IV_OK && m < e->measure_count; m++) {
        const iv_evaluated_measure *is = &e->measures[m];
        const bool whole = is->count
            || (is->info != NULL && is->info->measure->kind == IV_INTEGER);
        c->measures[m] = is->name;
        c->digits[m] = whole ? 2 : 4;
        rc = check_measure(is, err);
        if (rc == IV_OK)
            iv_evaluation_grid(c->values + m * c->run_count * c->topic_count, c->evaluation, m);
    }
    for (size_t r = 0; rc == IV_OK && r < e->run_count; r++)
        c->runs[r] = e->runs[r].name;
    for (size_t t = 0; rc == IV_OK && t < e->topic_count; t++)
        c->topics[t] = e->topics[t];
    return rc;
}

static int read_runs(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    static const char *const usual[] = { "AP" };
    const iv_source *source = &c->asked->source;
    iv_evaluating how = c->asked->scoring;

    how.interval = IV_INTERVAL_NONE; /* of means: the comparison has its own */
    how.differences = true;
    how.bounds = how.ties = how.texts = false;
    how.resampling.confidence = c->asked->how.confidence;
    if (how.measures.count == 0)
        how.measures = (iv_texts){ usual, 1 };
    IV_TRY(iv_compared_measures(&how.measures, &c->names, &how.measure, out, err));
    int rc = iv_evaluate(&c->evaluation, source, &how, work, err);
    if (rc != IV_OK)
        return rc;
    const iv_evaluated *e = iv_evaluation_view(c->evaluation);
    c->sampled = e->sampling != NULL;
    IV_TRY(iv_check_frame(e, err));
    rc = fill_from_evaluation(c, e, err);
    if (rc != IV_OK)
        return rc;
    if (e->run_count < 2)
        return iv_fail(err, IV_ENODATA, "one run only: there is nothing to compare it with");
    iv_tell_inputs(out, source, e);
    if (!c->sampled && e->judged_topics > e->topic_count)
        iv_result_note(out, "%zu of %zu judged topics are in none of the runs",
                       e->judged_topics - e->topic_count, e->judged_topics);
    iv_tell_run_files(out, e);
    iv_tell_subtopics(out, e);
    iv_tell_grades(out, e);
    iv_tell_float_ties(out, e);
    iv_tell_ties(out, e, "");
    iv_tell_unjudged(out, e, false, "");
    if (c->sampled) {
        iv_result_note(out, "the judgments are a sample: scores are estimates, and their "
                       "differences hold the sampling's noise besides the topics'; table "
                       "'sampling' has the two apart");
        iv_tell_irregular(out, e, how.unjudged);
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- either -- */

/* The number of the run of that name. */
static int find_run(size_t *out, const iv_comparing *c, const char *name, iv_err *err)
{
    enum { SHOWN = 5 };
    size_t found = SIZE_MAX;
    iv_wording list = { .len = 0 };

    for (size_t r = 0; r < c->run_count && found == SIZE_MAX; r++)
        found = strcmp(c->runs[r], name) == 0 ? r : SIZE_MAX;
    if (found == SIZE_MAX && c->evaluation != NULL)
        found = iv_evaluation_find(c->evaluation, name);
    *out = found;
    if (found < c->run_count)
        return IV_OK;
    for (size_t r = 0; r < c->run_count; r++)
        iv_say_name(&list, r, SHOWN, iv_str_of(c->runs[r]));
    iv_say_more(&list, c->run_count, SHOWN);
    return iv_fail(err, IV_EARG, "the baseline '%.80s' is neither tag nor file of a run; there "
                   "is %s", name, list.at);
}

/* The baselines by their names, each once. */
static int find_baselines(iv_comparing *c, iv_err *err)
{
    const iv_texts *names = &c->asked->baselines;
    size_t *found = iv_arena_alloc(&c->names, (names->count + 1) * sizeof *found), count = 0;
    int rc = found == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t i = 0; rc == IV_OK && i < names->count; i++) {
        bool again = false;
        rc = find_run(&found[count], c, names->at[i], err);
        for (size_t k = 0; k < count; k++)
            again = again || found[k] == found[count];
        count += !again;
    }
    c->how.baselines = found;
    c->how.baseline_count = count;
    return rc;
}

/* The tests by their names, each once. */
static int find_tests(iv_comparing *c, iv_err *err)
{
    const iv_texts *names = &c->asked->tests;
    iv_pair_test *tests = iv_arena_alloc(&c->names, (names->count + 1) * sizeof *tests);
    size_t which, count = 0;

    if (tests == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < names->count; i++) {
        IV_TRY(iv_name_place(&which, iv_pair_test_names(), names->at[i], "test", err));
        if (iv_name_first(names, i))
            tests[count++] = (iv_pair_test)which;
    }
    c->how.tests = tests;
    c->how.test_count = count;
    return IV_OK;
}

int iv_comparing_read(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_scorecard_absent(&c->asked->scores,
                               c->asked->values != NULL || c->asked->matrix != NULL, err));
    int rc = c->asked->values != NULL ? read_values(c, err)
        : c->asked->scores.given ? read_scores(c, out, work, err)
        : c->asked->matrix != NULL ? read_matrix(c, out, work, err)
                                    : read_runs(c, out, work, err);

    c->how = c->asked->how;
    if (rc == IV_OK)
        rc = find_baselines(c, err);
    if (rc == IV_OK)
        rc = find_tests(c, err);
    return rc;
}

void iv_comparing_free(iv_comparing *c)
{
    for (size_t m = 0; c->found != NULL && m < c->measure_count; m++)
        iv_comparison_free(c->found[m]);
    free(c->found);
    free(c->values);
    iv_evaluation_free(c->evaluation);
    iv_scorecard_free(&c->card);
    iv_arena_free(&c->names);
}

const double *iv_comparing_values(const iv_comparing *c, size_t measure)
{
    return c->values + measure * c->run_count * c->topic_count;
}

/* --------------------------------------------------------- missing topics -- */

bool iv_comparing_baseline(const iv_comparing *c, size_t run)
{
    for (size_t k = 0; k < c->how.baseline_count; k++)
        if (c->how.baselines[k] == run)
            return true;
    return false;
}

int iv_comparing_check(const iv_comparing *c, iv_err *err)
{
    size_t shared = 0, most = 0, which = 0;

    if (c->topic_count == 1)
        return iv_fail(err, IV_ENODATA, "there is only one topic, %.*s: a difference on one "
                       "topic tells nothing of others", (int)c->topics[0].len, c->topics[0].ptr);
    for (size_t t = 0; t < c->topic_count; t++) {
        bool all = true;
        for (size_t r = 0; r < c->run_count; r++)
            all = all && !isnan(c->values[r * c->topic_count + t]);
        shared += all;
    }
    if (shared >= 2)
        return IV_OK;
    for (size_t r = 0; r < c->run_count; r++) {
        const size_t lacks = iv_comparing_lacks(c, r);
        which = lacks > most ? r : which;
        most = lacks > most ? lacks : most;
    }
    if (c->run_count == 2)
        return iv_fail(err, IV_ENODATA, "'%.80s' and '%.80s' share %s", c->runs[0], c->runs[1],
                       shared == 0 ? "no topic" : "only one topic, which tells nothing of others");
    return iv_fail(err, IV_ENODATA, "the %zu %s together share %s: '%.80s' lacks %zu of %zu",
                   c->run_count, iv_comparing_run(c, 2), shared == 0 ? "no topic" : "only one topic",
                   c->runs[which], most, c->topic_count);
}

size_t iv_comparing_lacks(const iv_comparing *c, size_t run)
{
    size_t n = 0;

    for (size_t t = 0; t < c->topic_count; t++)
        n += isnan(c->values[run * c->topic_count + t]) ? 1 : 0;
    return n;
}

/* -------------------------------------------------------------- comparing -- */

/* As eval has it, where the measure is known: of estimates and matrices by their values. */
static iv_interval_method means_of(const iv_comparing *c, size_t measure)
{
    const iv_value_info *v = c->evaluation == NULL || c->sampled ? NULL
        : iv_evaluation_view(c->evaluation)->measures[measure].info;

    return v == NULL || v->measure->summary != IV_SUMMARY_MEAN ? IV_INTERVAL_AUTO
        : iv_usual_interval(v, false);
}

/* One comparison a measure, all with the same options but for their means. */
static int compare_all(iv_comparing *c, const iv_work *work, iv_err *err)
{
    const size_t M = c->measure_count;
    int rc = IV_OK;

    for (size_t m = 0; m < M && rc == IV_OK; m++) {
        iv_compare_options how = c->how;
        iv_stage stage;
        how.bounded = c->sampled && !c->evaluation->task.estimated->values[m].count;
        how.means = means_of(c, m);
        if (c->card.structured)
            how.structure = &c->card.structure[m];
        rc = iv_compare(&c->found[m], iv_comparing_values(c, m), c->run_count, c->topic_count,
                        &how, iv_work_part(&stage, work, (double)m / (double)M,
                                              (double)(m + 1) / (double)M), err);
    }
    return rc;
}

/* Are all scores of a measure in [0, 1]? */
static bool in_unit(const iv_comparing *c, size_t m)
{
    const double *values = iv_comparing_values(c, m);

    for (size_t i = 0; i < c->run_count * c->topic_count; i++)
        if (values[i] < 0.0 || values[i] > 1.0)
            return false;
    return true;
}

/* A margin that no difference of scores in [0, 1] exceeds: percent were meant, or another scale. */
static int check_margin(const iv_comparing *c, iv_err *err)
{
    for (size_t m = 0; c->how.margin >= 1.0 && m < c->measure_count; m++)
        if (c->digits[m] > 2 && in_unit(c, m)) /* counts may happen to be 0 and 1 */
            return iv_fail(err, IV_EARG, "a margin of %g, expected less than 1: the scores of %s are "
                           "in [0, 1]", c->how.margin, c->measures[m]);
    return IV_OK;
}

/* What is asked must be in the data. */
static int check_asked(const iv_comparing *c, iv_err *err)
{
    const iv_compare_question *q = c->asked;

    IV_TRY(iv_comparing_check(c, err));
    if (q->not_worse && (c->how.baseline_count != 1 || c->how.margin == 0.0))
        return iv_fail(err, IV_EARG, "the claim that runs are not worse needs one baseline and a "
                       "margin");
    if (q->gate_sets && (!q->scores.given || c->card.v->suite_count < 2))
        return iv_fail(err, IV_EARG, "a gate for each set needs scores of two sets or more"
                       IV_HINT("; --columns suite=NAME names the column of sets"));
    return check_margin(c, err);
}

static int tell_all(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_compared_pair *p;
    const size_t n = iv_comparison_pairs(&p, c->found[0]);
    const bool scores = c->asked->scores.given;
    iv_comparing_part *parts = iv_take(&c->names, c->measure_count, sizeof *parts);

    IV_TRY(iv_taken(&c->names, err));
    for (size_t m = 0; m < c->measure_count; m++)
        parts[m] = (iv_comparing_part){ m, c->found[m], NULL };
    c->unit = in_unit(c, 0);
    IV_TRY(iv_comparing_find_sets(c, out, work, err));
    IV_TRY(iv_comparing_gate(c, out, err));
    iv_comparing_tell_answer(c, out);
    IV_TRY(iv_comparing_pairs(c, out, "pairs", parts, c->measure_count,
                              n > IV_PAIRS_READ ? IV_LONG : IV_SHOWN, err));
    IV_TRY(iv_comparing_runs(c, out, err));
    iv_comparing_sets(c, out);
    IV_TRY(iv_comparing_paper(c, out, err));
    iv_comparing_tell_method(c, out);
    IV_TRY(iv_comparing_charts(c, out, work, err));
    if (c->asked->groups != NULL)
        IV_TRY(iv_comparing_groups(c, out, work, err));
    if (c->sampled)
        IV_TRY(iv_comparing_sampling(c, out, err));
    if (scores && !c->asked->not_worse) {
        IV_TRY(iv_tell_errors(&c->card, out, work, err));
        IV_TRY(iv_tell_variance(&c->card, c->how.confidence, out, work, err));
    }
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_compare_question *question = asked;
    const bool groups = question->groups != NULL;
    iv_comparing c = { .asked = question };
    iv_stage read, compare, tell;

    if (question->machine.files.count > 0)
        return iv_compare_two_phase(out, question, work, err);
    int rc = iv_comparing_read(&c, out, iv_work_part(&read, work, 0.0, 0.4), err);

    if (rc == IV_OK)
        rc = check_asked(&c, err);
    if (rc == IV_OK)
        rc = compare_all(&c, iv_work_part(&compare, work, 0.4, groups ? 0.7 : 1.0), err);
    if (rc == IV_OK) {
        c.how = *iv_comparison_options(c.found[0]);
        rc = tell_all(&c, out, iv_work_part(&tell, work, 0.7, 1.0), err);
    }
    iv_comparing_free(&c);
    return rc;
}

int iv_answer_compare(iv_result *out, const iv_compare_question *question, const iv_work *work,
                      iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_compare_question, source.),
        IV_EVALUATING_PARTS(iv_compare_question, scoring.),
        IV_PART_OF(iv_compare_question, machine.files, PATHS, "file of automatic labels"),
        IV_CHOICE_OF(iv_compare_question, machine.format, iv_judgments_format_names,
                     "the format of automatic labels"),
        IV_CHOICE_OF(iv_compare_question, machine.design, iv_human_design_names,
                     "the human design"),
        IV_CHOICE_OF(iv_compare_question, machine.infer, iv_infer_names, "whose mean is meant"),
        IV_SCORES_PARTS(iv_compare_question, scores.),
        IV_PART_OF(iv_compare_question, matrix, PATH, "the matrix"),
        IV_CHOICE_OF(iv_compare_question, by, iv_matrix_rows_names, "what rows are"),
        IV_PART_OF(iv_compare_question, systems, NAMES, "system"),
        IV_PART_OF(iv_compare_question, topics, NAMES, "topic"),
        IV_PART_OF(iv_compare_question, groups, PATH, "the groups"),
        IV_PART_OF(iv_compare_question, topic_texts, PATH, "the topics' texts"),
        IV_CHOICE_OF(iv_compare_question, paper.interval, iv_paper_interval_names,
                     "how intervals look"),
        IV_CHOICE_OF(iv_compare_question, paper.marks, iv_paper_marks_names, "the marks"),
        IV_CHOICE_OF(iv_compare_question, paper.order, iv_paper_order_names, "the order of runs"),
        IV_PART_OF(iv_compare_question, baselines, TEXTS, "baseline"),
        IV_PART_OF(iv_compare_question, tests, TEXTS, "test"),
        IV_CHOICE_OF(iv_compare_question, how.ties, iv_sign_ties_names, "what to do with ties"),
        IV_CHOICE_OF(iv_compare_question, how.zeros, iv_zeros_names, "what to do with zeros"),
        IV_CHOICE_OF(iv_compare_question, how.alternative, iv_alternative_names,
                     "the alternative"),
        IV_CHOICE_OF(iv_compare_question, how.correction, iv_correction_names, "the correction"),
        IV_CHOICE_OF(iv_compare_question, how.interval, iv_interval_names, "the interval"),
        IV_PART_OF(iv_compare_question, how.margin, REAL, "the margin"),
        IV_PART_OF(iv_compare_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
