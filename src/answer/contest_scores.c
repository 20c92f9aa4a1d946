/* SPDX-License-Identifier: Apache-2.0 */
/* What is compared: scores of runs on topics, from judgments, a matrix or memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/contest.h"
#include "answer/run_notes.h"
#include "base/names.h"
#include "base/parallel.h"
#include "estimate/evaluation_parts.h"
#include "trec/matrix.h"

/* Memory for the lists; their lengths are known. */
static int make_room(iv_contest *c, iv_err *err)
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
static int name_scores(iv_contest *c, iv_err *err)
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

static void complete_scores(iv_contest *c)
{
    for (size_t i = 0; c->asked->scoring.complete && i < c->run_count * c->topic_count; i++)
        c->values[i] = isnan(c->values[i]) ? 0.0 : c->values[i];
}

/* Answers that are right or wrong have intervals of shares, if they are declared. */
static int take_answers(iv_contest *c, iv_result *out, iv_err *err)
{
    const size_t T = c->topic_count;
    char quoted[IV_QUOTE_SIZE];
    size_t other = 0;

    c->card.binary = c->asked->scores.binary;
    for (size_t i = 0; i < c->run_count * T; i++) {
        const double x = c->values[i];
        if (isnan(x) || x == 0.0 || x == 1.0)
            continue;
        other++;
        if (c->card.binary)
            return iv_fail(err, IV_EPARSE, "'%.60s' has the score %g on topic %s, expected 0 or 1 "
                           "of binary scores", c->runs[i / T], x,
                           iv_quote(quoted, c->topics[i % T]));
    }
    if (other == 0 && !c->card.binary)
        iv_tell_undeclared(out, "");
    return IV_OK;
}

static int read_values(iv_contest *c, iv_result *out, iv_err *err)
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
    return take_answers(c, out, err);
}

static int fill_from_matrix(iv_contest *c, const iv_matrix *m, iv_err *err)
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

static int read_matrix(iv_contest *c, iv_result *out, const iv_work *work, iv_err *err)
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
                       "systems, unless it is said otherwise", q->matrix);
    if (rc == IV_OK && c->run_count < 2)
        rc = iv_fail(err, IV_ENODATA, "%s has scores of one run only: there is nothing to "
                     "compare it with%s", q->matrix, q->by == IV_ROWS_SYSTEMS
                     ? ", unless its rows are topics" : "");
    if (rc == IV_OK)
        rc = take_answers(c, out, err);
    iv_matrix_free(m);
    return rc;
}

/* A set with one cluster or item tells nothing of others like it, unless sets are the units. */
static int check_sets(const iv_scorecard *card, iv_err *err)
{
    const iv_structure *s = &card->structure[0];

    if (s->cluster != NULL && s->clusters == 1)
        return iv_fail(err, IV_ENODATA, "all items are of one cluster, which tells nothing of others");
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
                           "others; sets could be taken for a sample", card->v->suites[h],
                           s->cluster != NULL ? "cluster" : "item");
    }
    return IV_OK;
}

/* Scores of any kind: items are the topics. */
static int read_scores(iv_contest *c, iv_result *out, const iv_work *work, iv_err *err)
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

static int fill_from_evaluation(iv_contest *c, const iv_evaluated *e, iv_err *err)
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

static int read_runs(iv_contest *c, iv_result *out, const iv_work *work, iv_err *err)
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
    iv_tell_unjudged(out, e, "");
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
static int find_run(size_t *out, const iv_contest *c, const char *name, iv_err *err)
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
static int find_baselines(iv_contest *c, iv_err *err)
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
static int find_tests(iv_contest *c, iv_err *err)
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

int iv_contest_read(iv_contest *c, iv_result *out, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_scorecard_absent(&c->asked->scores, c->asked->values != NULL || c->asked->matrix != NULL,
                               err));
    int rc = c->asked->values != NULL ? read_values(c, out, err)
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

void iv_contest_free(iv_contest *c)
{
    for (size_t m = 0; c->found != NULL && m < c->measure_count; m++)
        iv_comparison_free(c->found[m]);
    free(c->found);
    free(c->values);
    iv_evaluation_free(c->evaluation);
    iv_scorecard_free(&c->card);
    iv_arena_free(&c->names);
}

const double *iv_contest_values(const iv_contest *c, size_t measure)
{
    return c->values + measure * c->run_count * c->topic_count;
}

/* --------------------------------------------------------- missing topics -- */

bool iv_contest_too_few(const iv_contest *c, size_t measure)
{
    return c->sampled && isnan(iv_evaluation_doubt(c->evaluation, 0, measure).too_low);
}

bool iv_contest_baseline(const iv_contest *c, size_t run)
{
    for (size_t k = 0; k < c->how.baseline_count; k++)
        if (c->how.baselines[k] == run)
            return true;
    return false;
}

/* Topics that both have, of the first measure: a run has all or none of them. */
static size_t count_common(const iv_contest *c, size_t a, size_t b)
{
    const double *x = c->values + a * c->topic_count, *y = c->values + b * c->topic_count;
    size_t n = 0;

    for (size_t t = 0; t < c->topic_count; t++)
        n += !isnan(x[t]) && !isnan(y[t]);
    return n;
}

int iv_contest_check(const iv_contest *c, iv_err *err)
{
    if (c->topic_count == 1)
        return iv_fail(err, IV_ENODATA, "there is only one topic, %.*s: a difference on one "
                       "topic tells nothing of others", (int)c->topics[0].len, c->topics[0].ptr);
    size_t most = 0;
    for (size_t r = 0; r < c->run_count; r++)
        most = iv_contest_lacks(c, r) > most ? iv_contest_lacks(c, r) : most;
    if (2 * most + 2 <= c->topic_count)
        return IV_OK; /* whichever two are taken */
    for (size_t a = 0; a < c->run_count; a++) {
        for (size_t b = a + 1; b < c->run_count; b++) {
            if (c->how.baseline_count > 0 && !iv_contest_baseline(c, a)
                && !iv_contest_baseline(c, b))
                continue;
            const size_t n = count_common(c, a, b);
            if (n < 2)
                return iv_fail(err, IV_ENODATA, "'%.80s' and '%.80s' share %s", c->runs[a],
                               c->runs[b], n == 0 ? "no topic"
                               : "only one topic, which tells nothing of others");
        }
    }
    return IV_OK;
}

size_t iv_contest_lacks(const iv_contest *c, size_t run)
{
    size_t n = 0;

    for (size_t t = 0; t < c->topic_count; t++)
        n += isnan(c->values[run * c->topic_count + t]) ? 1 : 0;
    return n;
}

void iv_contest_tell_missing(const iv_contest *c, iv_result *out)
{
    enum { TOLD = 10, NAMED = 5 };
    size_t lacking = 0;

    const bool complete = c->asked->scoring.complete
        || (c->evaluation != NULL && iv_evaluation_view(c->evaluation)->complete);
    for (size_t r = 0; r < c->run_count && !complete; r++) {
        iv_wording names = { .len = 0 };
        size_t missing = 0;
        for (size_t t = 0; t < c->topic_count; t++)
            if (isnan(c->values[r * c->topic_count + t]))
                iv_say_name(&names, missing++, NAMED, c->topics[t]);
        iv_say_more(&names, missing, NAMED);
        if (missing > 0 && lacking++ < TOLD)
            iv_result_note(out, "%s lacks %zu %s: %s", c->runs[r], missing,
                           iv_contest_topic(c, missing), names.at);
    }
    if (lacking > TOLD)
        iv_result_note(out, "%zu more %s lack %s", lacking - TOLD,
                       iv_contest_run(c, lacking - TOLD), iv_contest_topic(c, 2));
    if (lacking > 0)
        iv_result_note(out, "a pair is compared on the %s that both have; the missing ones "
                       "could count as 0", iv_contest_topic(c, 2));
}
