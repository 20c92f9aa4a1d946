/* SPDX-License-Identifier: Apache-2.0 */
/* The scores that compare and plan topics work on, wherever they come from. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "measure/measures.h"
#include "result/answering.h"
#include "retrieval/evaluation.h"
#include "retrieval/measure_sets.h"
#include "retrieval/run_notes.h"
#include "scores/comparing.h"
#include "scores/score_measures.h"
#include "stat/interval/limits.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------- sets of measures -- */

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
        iv_result_note(out, "Not compared, because only means over topics can be: %s.",
                       iv_listed(&left_out));
    *measures = (iv_texts){ names, count };
    return IV_OK;
}

int iv_compared_measures(iv_texts *measures, iv_arena *own, const iv_measure_options *options,
                         iv_result *out, iv_err *err)
{
    iv_measures *all = NULL;
    bool any = false;

    for (size_t i = 0; i < measures->count; i++)
        any = any || iv_measure_set(measures->at[i]) != NULL;
    if (!any)
        return IV_OK;
    IV_TRY(iv_measures_parse(&all, measures->at, measures->count, options, err));
    const int rc = choose_means(measures, own, all, out, err);
    iv_measures_free(all);
    return rc;
}

/* -------------------------------------------------------------- scores -- */

/* Room for what is found, and for names and scores that nobody else keeps; numbers of runs,
 * topics and measures are known. */
static int make_room(iv_comparing *c, const char ***runs, iv_str **topics, double **values,
                     iv_err *err)
{
    const size_t R = c->run_count, T = c->topic_count, M = c->measure_count;

    c->digits = iv_take(c->own, M + 1, sizeof *c->digits);
    c->found = iv_take(c->own, M + 1, sizeof *c->found);
    if (runs != NULL)
        c->runs = *runs = iv_take(c->own, R + 1, sizeof **runs);
    if (topics != NULL)
        c->topics = *topics = iv_take(c->own, T + 1, sizeof **topics);
    if (values != NULL)
        c->values = *values = iv_take(c->own, M * R * T + 1, sizeof **values);
    IV_TRY(iv_taken(c->own, err));
    for (size_t m = 0; m < M; m++)
        c->digits[m] = 4;
    return IV_OK;
}

/* Scores in memory: one measure, whose name is the caller's. */
static int read_values(iv_comparing *c, iv_err *err)
{
    static const char *const plain[] = { "score" };
    const iv_compare_question *q = c->asked;
    const iv_texts *names = &q->scoring.measures;
    const size_t T = q->topics.count, all = q->systems.count * T;
    char quoted[IV_QUOTE_SIZE];
    iv_str *topics;
    double *values;

    if (names->count > 1)
        return iv_fail(err, IV_EARG, "a table of scores has one measure, but %zu names are given",
                       names->count);
    c->run_count = q->systems.count;
    c->topic_count = T;
    c->measure_count = 1;
    c->runs = q->systems.at;
    c->measures = names->count > 0 ? names->at : plain;
    IV_TRY(make_room(c, NULL, &topics, &values, err));
    for (size_t t = 0; t < T; t++)
        topics[t] = iv_str_of(q->topics.at[t]);
    for (size_t i = 0; i < all; i++) {
        const double x = values[i] = isnan(q->values[i])
            && q->scoring.complete ? 0.0 : q->values[i];
        if (q->scores.binary && !isnan(x) && x != 0.0 && x != 1.0)
            return iv_fail(err, IV_EPARSE, "'%.60s' has the score %g on topic %s, expected 0 or 1 "
                           "of binary scores", c->runs[i / T], x, iv_quote(quoted, topics[i % T]));
    }
    return IV_OK;
}

/* A set with one cluster or item tells nothing of others like it, unless sets are the units. */
static int check_sets(const iv_scored *scored, iv_err *err)
{
    const iv_structure *s = &scored->structure[0];

    if (s->cluster != NULL && s->clusters == 1)
        return iv_fail(err, IV_ENODATA, "all items are in one cluster; two or more are needed");
    for (size_t h = 0; s->suite != NULL && !s->sampled && h < s->suites; h++) {
        size_t first = IV_NONE, units = 0;
        for (size_t t = 0; t < scored->v->item_count; t++) {
            const size_t unit = s->cluster != NULL ? s->cluster[t] : t;
            if (s->suite[t] != h || unit == first)
                continue;
            units++;
            first = first == IV_NONE ? unit : first;
        }
        if (units < 2)
            return iv_fail(err, IV_ENODATA, "the set '%.80s' has one %s only; two or more are "
                                            "needed" IV_HINT("; --sets sampled treats sets as a "
                                                             "sample"),
                           scored->v->suites[h],
                           s->cluster != NULL ? "cluster" : "item");
    }
    return IV_OK;
}

bool iv_comparing_lower(const iv_comparing *c, size_t m)
{
    return c->scored.definitions != NULL && c->scored.definitions[m].lower;
}

bool iv_comparing_items(const iv_comparing *c, size_t m)
{
    return c->scored.definitions == NULL || iv_measure_is_mean(&c->scored.definitions[m]);
}

void iv_lower_note(iv_result *out, const char *names, bool given)
{
    iv_result_note(out, "Lower is better in %s%s. In 'x - y' a difference below 0 favours x; by "
                   "the columns a and b, one above 0 favours a.", names,
                   given ? "" : ", judging by the name (--lower-is-better)");
}

/* Where lower is better values are turned round: proportions stay proportions. */
static int turn_values(iv_comparing *c, iv_result *out, iv_err *err)
{
    const size_t size = c->run_count * c->topic_count;
    iv_listing names = { .most = 4 };

    c->turned_at = iv_take(c->own, c->measure_count + 1, sizeof *c->turned_at);
    IV_TRY(iv_taken(c->own, err));
    for (size_t m = 0; m < c->measure_count; m++) {
        double *x = c->scored.values + m * size;
        if (!c->scored.definitions[m].lower)
            continue;
        iv_list(&names, "%.60s", c->measures[m]);
        c->turned_at[m] = iv_scores_unit(x, size) && iv_measure_is_mean(&c->scored.definitions[m]);
        for (size_t i = 0; i < size; i++)
            x[i] = c->turned_at[m] - x[i];
    }
    if (names.count > 0)
        iv_lower_note(out, iv_listed(&names), c->asked->scores.lower.count > 0);
    return IV_OK;
}

int iv_comparing_settle_means(iv_comparing *c, size_t m, iv_err *err)
{
    const bool turned = iv_comparing_lower(c, m);

    for (size_t r = 0; c->scored.definitions != NULL && r < c->run_count; r++) {
        iv_compared_run *run = &c->found[m]->runs[r];
        const double at = turned ? c->turned_at[m] : 0.0, lower = run->lower;
        run->mean = turned ? at - run->mean : run->mean;
        run->lower = turned ? at - run->upper : lower;
        run->upper = turned ? at - lower : run->upper;
        if (iv_comparing_items(c, m))
            continue;
        iv_mean_interval own;
        IV_TRY(iv_measure_interval(&own, &c->scored, m, r, c->found[m]->options.confidence,
                                   false, err));
        run->lower = own.lower;
        run->upper = own.upper;
    }
    return IV_OK;
}

/* Scores of any kind: items are the topics. */
static int read_scores(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_compare_question *q = c->asked;
    iv_scored *scored = &c->scored;

    IV_TRY(iv_scored_read(scored, &q->scores, &q->scoring.measures, false, q->scoring.complete, out,
                          work, err));
    c->run_count = scored->v->system_count;
    c->topic_count = scored->v->item_count;
    c->measure_count = scored->measure_count;
    c->runs = scored->v->systems;
    c->topics = scored->v->items;
    c->measures = scored->names;
    c->values = scored->values;
    c->named = !scored->v->wide;
    IV_TRY(make_room(c, NULL, NULL, NULL, err));
    if (c->run_count < 2)
        return iv_fail(err, IV_ENODATA, "the scores are of one system only, '%.80s': there is "
                       "nothing to compare it with", c->runs[0]);
    IV_TRY(iv_scored_one_group(scored, err));
    if ((q->groups != NULL || scored->v->group != NULL) && scored->structured)
        return iv_fail(err, IV_EARG, "groups cannot be combined with clusters, sets or repeats");
    if (q->groups != NULL && scored->v->group != NULL)
        return iv_fail(err, IV_EARG, "groups are in --groups and in the scores, expected one");
    IV_TRY(check_sets(scored, err));
    IV_TRY(turn_values(c, out, err));
    scored->binary = scored->binary
        || iv_scores_binary(c->values, c->measure_count * c->run_count * c->topic_count);
    iv_scored_tell(scored, true, out);
    return IV_OK;
}

/* ---------------------------------------------------- judgments and runs -- */

/* Counts have fewer digits; what is not a mean over topics is refused. */
static int find_digits(iv_comparing *c, size_t measure, iv_err *err)
{
    const iv_evaluated_measure *m = &c->v->measures[measure];
    const bool whole = m->count || (m->info != NULL && m->info->measure->kind == IV_INTEGER);

    c->digits[measure] = whole ? 2 : 4;
    if (m->text || !m->per_topic
        || (m->info != NULL && m->info->measure->summary == IV_SUMMARY_GEOMETRIC))
        return iv_fail(err, IV_EARG, "measure '%s' is not a mean over topics and cannot be "
                       "compared", m->name);
    return IV_OK;
}

static int fill_from_evaluation(iv_comparing *c, iv_err *err)
{
    const iv_evaluated *e = c->v;
    const char **runs, **measures = iv_take(c->own, e->measure_count + 1, sizeof *measures);
    double *values;

    c->run_count = e->run_count;
    c->topic_count = e->topic_count;
    c->measure_count = e->measure_count;
    c->topics = e->topics;
    c->measures = measures;
    IV_TRY(make_room(c, &runs, NULL, &values, err));
    for (size_t m = 0; m < e->measure_count; m++) {
        measures[m] = e->measures[m].name;
        IV_TRY(find_digits(c, m, err));
        iv_evaluation_grid(values + m * c->run_count * c->topic_count, c->evaluation, m);
    }
    for (size_t r = 0; r < e->run_count; r++)
        runs[r] = e->runs[r].name;
    return IV_OK;
}

static void tell_runs(const iv_comparing *c, iv_result *out)
{
    const iv_evaluated *e = c->v;

    iv_tell_inputs(out, &c->asked->source, e);
    if (e->sampling == NULL && e->judged_topics > e->topic_count)
        iv_result_note(out, "%zu of %zu judged topics %s in none of the runs.",
                       e->judged_topics - e->topic_count, e->judged_topics,
                       e->judged_topics - e->topic_count == 1 ? "is" : "are");
    iv_tell_run_files(out, e);
    iv_tell_subtopics(out, e);
    iv_tell_grades(out, e, c->asked->scoring.measure.judged_only);
    iv_tell_float_ties(out, e);
    iv_tell_ties(out, e, "");
    iv_tell_unjudged(out, e, false, "");
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
    IV_TRY(iv_compared_measures(&how.measures, c->own, &how.measure, out, err));
    IV_TRY(iv_evaluate(&c->evaluation, source, &how, work, err));
    IV_TRY(IV_KEEP(out, evaluation, c->evaluation, err));
    const iv_evaluated *e = c->v = iv_evaluation_view(c->evaluation);
    c->sampled = e->sampling != NULL;
    c->counted = c->sampled || source->parts.count > 0 ? NULL : e->runs;
    IV_TRY(iv_check_frame(e, err));
    IV_TRY(fill_from_evaluation(c, err));
    if (e->run_count < 2)
        return iv_fail(err, IV_ENODATA, "compare needs at least two runs");
    tell_runs(c, out);
    if (c->sampled) {
        iv_result_note(out, "The judgments are a sample, so scores are estimates; table "
                            "'sampling' shows how much of the standard error comes from sampling "
                            "documents and how much from topics.");
        iv_tell_irregular(out, e, how.unjudged);
        (void)iv_tell_unseen(out, e);
    }
    return IV_OK;
}

/* ------------------------------------------------------- runs that are seeds -- */

/* The arrays of a table of scores. */
typedef struct score_arrays {
    const char **system, **item, **measure, **repeat;
    double *score;
    size_t count;
    const char **measures; /* each once */
    const char **by_run;   /* the system of each run */
} score_arrays;

static void add_run(score_arrays *to, const char *const names[3], const double *grid,
                    const char *const *topics, size_t topic_count)
{
    for (size_t t = 0; t < topic_count; t++) {
        if (isnan(grid[t]))
            continue;
        to->system[to->count] = names[0];
        to->repeat[to->count] = names[1];
        to->measure[to->count] = names[2];
        to->item[to->count] = topics[t];
        to->score[to->count++] = grid[t];
    }
}

/* Scores of all runs, with what their paths say. */
static int fill_arrays(score_arrays *to, iv_arena *own, const iv_evaluation *v,
                       const iv_texts *columns, iv_err *err)
{
    const iv_evaluated *e = iv_evaluation_view(v);
    const size_t R = e->run_count, T = e->topic_count, most = R * T * e->measure_count + 1;
    const char **path = iv_take(own, R + 1, sizeof *path);
    const char **system = iv_take(own, R + 1, sizeof *path);
    const char **repeat = iv_take(own, R + 1, sizeof *path);
    const char **item = iv_take(own, T + 1, sizeof *path);
    double *grid = iv_take(own, R * T + 1, sizeof *grid);

    *to = (score_arrays){ iv_take(own, most, sizeof(char *)), iv_take(own, most, sizeof(char *)),
                    iv_take(own, most, sizeof(char *)), iv_take(own, most, sizeof(char *)),
                    iv_take(own, most, sizeof(double)), 0,
                    iv_take(own, e->measure_count + 1, sizeof(char *)), system };
    IV_TRY(iv_taken(own, err));
    for (size_t r = 0; r < R; r++)
        path[r] = e->runs[r].path != NULL ? e->runs[r].path : e->runs[r].name;
    IV_TRY(iv_score_runs_named(system, repeat, own, columns, &(iv_texts){ path, R }, err));
    for (size_t t = 0; t < T; t++)
        item[t] = iv_arena_copy(own, e->topics[t]);
    for (size_t m = 0; m < e->measure_count; m++) {
        iv_evaluation_grid(grid, v, m);
        to->measures[m] = e->measures[m].name;
        for (size_t r = 0; r < R; r++) {
            const char *const names[] = { system[r], repeat[r], e->measures[m].name };
            add_run(to, names, grid + r * T, item, T);
        }
    }
    return iv_taken(own, err);
}

/* What is counted of documents, of a system over all its runs. */
static int count_systems(iv_comparing *c, const char *const *system, iv_err *err)
{
    iv_evaluated_run *of = iv_take(c->own, c->run_count, sizeof *of);

    IV_TRY(iv_taken(c->own, err));
    for (size_t s = 0; s < c->run_count; s++)
        for (size_t r = 0; r < c->v->run_count; r++) {
            const iv_evaluated_run *run = &c->v->runs[r];
            if (strcmp(system[r], c->runs[s]) != 0)
                continue;
            of[s].topics += run->topics;
            of[s].noted.ties += run->noted.ties;
            of[s].noted.retrieved += run->noted.retrieved;
            of[s].noted.top_retrieved += run->noted.top_retrieved;
            of[s].noted.top_unjudged += run->noted.top_unjudged;
        }
    c->counted = c->v->sampling != NULL ? NULL : of;
    return IV_OK;
}

/* Their paths, or names of runs in memory, name systems and repeats (scores.from.columns). */
static int read_seeds(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    static const char *const usual[] = { "AP" };
    iv_compare_question *q = iv_take(c->own, 1, sizeof *q);
    iv_evaluating how = c->asked->scoring;
    iv_evaluation *v = NULL;
    score_arrays a;

    IV_TRY(iv_taken(c->own, err));
    *q = *c->asked;
    how.interval = IV_INTERVAL_NONE;
    if (how.measures.count == 0)
        how.measures = (iv_texts){ usual, 1 };
    IV_TRY(iv_compared_measures(&how.measures, c->own, &how.measure, out, err));
    IV_TRY(iv_evaluate(&v, &q->source, &how, work, err));
    IV_TRY(IV_KEEP(out, evaluation, v, err));
    c->v = iv_evaluation_view(v);
    IV_TRY(iv_check_frame(c->v, err));
    IV_TRY(fill_arrays(&a, c->own, v, &q->scores.from.columns, err));
    tell_runs(c, out);
    q->scores.given = true;
    q->scores.from = (iv_score_source){
        .score = { a.score, a.count }, .system = { a.system, a.count },
        .item = { a.item, a.count }, .measure = { a.measure, a.count },
        .repeat = { a.repeat, a.count } };
    q->scoring.measures = (iv_texts){ a.measures, c->v->measure_count };
    q->scoring.complete = false; /* of runs, which have been evaluated */
    c->asked = q;
    IV_TRY(read_scores(c, out, work, err));
    for (size_t m = 0; m < c->measure_count; m++)
        IV_TRY(find_digits(c, m, err));
    return count_systems(c, a.by_run, err);
}

/* ---------------------------------------------------------------- either -- */

/* The number of the run of that name. */
static int find_run(size_t *out, const iv_comparing *c, const char *name, iv_err *err)
{
    size_t found = SIZE_MAX;
    iv_listing list = { .most = 5 };

    for (size_t r = 0; r < c->run_count && found == SIZE_MAX; r++)
        found = strcmp(c->runs[r], name) == 0 ? r : SIZE_MAX;
    if (found == SIZE_MAX && c->evaluation != NULL)
        found = iv_evaluation_find(c->evaluation, name);
    *out = found;
    if (found < c->run_count)
        return IV_OK;
    for (size_t r = 0; r < c->run_count; r++)
        iv_list(&list, "%.40s", c->runs[r]);
    return iv_fail(err, IV_EARG, "no run '%.80s' for the baseline; the runs are %s",
                   name, iv_listed(&list));
}

/* The baselines by their names, each once. */
static int find_baselines(iv_comparing *c, iv_err *err)
{
    const iv_texts *names = &c->asked->baselines;
    size_t *found = iv_take(c->own, names->count + 1, sizeof *found), count = 0;

    IV_TRY(iv_taken(c->own, err));
    for (size_t i = 0; i < names->count; i++) {
        bool again = false;
        IV_TRY(find_run(&found[count], c, names->at[i], err));
        for (size_t k = 0; k < count; k++)
            again = again || found[k] == found[count];
        count += !again;
    }
    c->how.baselines = found;
    c->how.baseline_count = count;
    return IV_OK;
}

/* The tests by their names, each once. */
static int find_tests(iv_comparing *c, iv_err *err)
{
    const iv_texts *names = &c->asked->tests;
    iv_pair_test *tests = iv_take(c->own, names->count + 1, sizeof *tests);
    size_t which, count = 0;

    IV_TRY(iv_taken(c->own, err));
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
    const iv_compare_question *q = c->asked;
    const bool judged = q->source.judgments != NULL || q->source.judged != NULL;
    const bool seeds = judged && q->scores.from.columns.count > 0;

    c->own = iv_result_own(out);
    if (!seeds)
        IV_TRY(iv_scored_absent(&q->scores, q->values != NULL, q->source.parts.count > 0, err));
    IV_TRY(q->values != NULL ? read_values(c, err)
           : q->scores.given ? read_scores(c, out, work, err)
           : seeds           ? read_seeds(c, out, work, err)
                             : read_runs(c, out, work, err));
    c->how = q->how;
    IV_TRY(find_baselines(c, err));
    return find_tests(c, err);
}

const double *iv_comparing_values(const iv_comparing *c, size_t measure)
{
    return c->values + measure * c->run_count * c->topic_count;
}

/* --------------------------------------------------------- missing topics -- */

/* Systems without a common item: the hint says what made the ids of items. */
static void explain_items(const char *columns, size_t sets, iv_err *err)
{
    const char *at = columns != NULL ? strstr(columns, "item (column '") : NULL;
    const char *name = at != NULL ? at + strlen("item (column '") : "item";
    const size_t len = strcspn(name, "'");

    if (sets > 1) { /* "set/item": another set has other items */
        (void)snprintf(err->hint, sizeof err->hint, "; items of %zu sets (tasks) are different "
                       "items: --columns set=@name:TEXT takes them as one set", sets);
        return;
    }
    (void)snprintf(err->hint, sizeof err->hint, "; items are named by column '%.*s': --columns "
                   "item=NAME takes another", (int)(len < 40 ? len : 40), name);
}

int iv_comparing_check(const iv_comparing *c, iv_err *err)
{
    size_t shared = 0, most = 0, which = 0;

    if (c->topic_count == 1)
        return iv_fail(err, IV_ENODATA, "there is only one topic, %.*s; two or more are needed",
                                        (int)c->topics[0].len, c->topics[0].ptr);
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
        (void)iv_fail(err, IV_ENODATA, "'%.80s' and '%.80s' share %s", c->runs[0], c->runs[1],
                      shared == 0 ? "no topic" : "only one topic; two or more are needed");
    else
        (void)iv_fail(err, IV_ENODATA, "the %zu %s together share %s: '%.80s' lacks %zu of %zu",
                      c->run_count, iv_comparing_run(c, 2),
                      shared == 0 ? "no topic" : "only one topic",
                      c->runs[which], most, c->topic_count);
    if (shared == 0 && c->asked->scores.given && err != NULL)
        explain_items(c->scored.v->columns, c->scored.v->suite_count, err);
    return IV_ENODATA;
}

size_t iv_comparing_lacks(const iv_comparing *c, size_t run)
{
    size_t n = 0;

    for (size_t t = 0; t < c->topic_count; t++)
        n += isnan(c->values[run * c->topic_count + t]) ? 1 : 0;
    return n;
}
