/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are repeats of systems, such as seeds: their scores become a table with repeats. */
#include "base/err.h"
#include "base/parallel.h"
#include "measure/measures.h"
#include "result/answering.h"
#include "retrieval/evaluation.h"
#include "retrieval/run_notes.h"
#include "scores/comparing.h"

#include <math.h>

/* The arrays of a table of scores. */
typedef struct arrays {
    const char **system, **item, **measure, **repeat;
    double *score;
    size_t count;
    const char **measures; /* each once */
} arrays;

static void add_run(arrays *to, const char *const names[3], const double *grid,
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
static int fill(arrays *to, iv_arena *own, const iv_evaluation *v, const iv_texts *columns,
                iv_err *err)
{
    const iv_evaluated *e = iv_evaluation_view(v);
    const size_t R = e->run_count, T = e->topic_count, most = R * T * e->measure_count + 1;
    const char **path = iv_take(own, R + 1, sizeof *path);
    const char **system = iv_take(own, R + 1, sizeof *path);
    const char **repeat = iv_take(own, R + 1, sizeof *path);
    const char **item = iv_take(own, T + 1, sizeof *path);
    double *grid = iv_take(own, R * T + 1, sizeof *grid);

    *to = (arrays){ iv_take(own, most, sizeof(char *)), iv_take(own, most, sizeof(char *)),
                    iv_take(own, most, sizeof(char *)), iv_take(own, most, sizeof(char *)),
                    iv_take(own, most, sizeof(double)), 0,
                    iv_take(own, e->measure_count + 1, sizeof(char *)) };
    IV_TRY(iv_taken(own, err));
    for (size_t r = 0; r < R; r++) {
        path[r] = e->runs[r].path;
        if (path[r] == NULL)
            return iv_fail(err, IV_EARG, "columns of runs are parts of their paths, but run "
                           "'%.80s' is in memory", e->runs[r].name);
    }
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

static void tell_runs(iv_result *out, const iv_source *source, const iv_evaluated *e)
{
    iv_tell_inputs(out, source, e);
    iv_tell_run_files(out, e);
    iv_tell_subtopics(out, e);
    iv_tell_unjudged(out, e, false, "");
}

int iv_compare_seeds(iv_result *out, const iv_compare_question *question, const iv_work *work,
                     iv_err *err)
{
    static const char *const usual[] = { "AP" };
    iv_compare_question q = *question;
    iv_evaluating how = q.scoring;
    iv_evaluation *v = NULL;
    iv_stage evaluate, compare;
    arrays a;

    how.interval = IV_INTERVAL_NONE;
    if (how.measures.count == 0)
        how.measures = (iv_texts){ usual, 1 };
    IV_TRY(iv_compared_measures(&how.measures, iv_result_own(out), &how.measure, out, err));
    IV_TRY(iv_evaluate(&v, &q.source, &how, iv_work_part(&evaluate, work, 0.0, 0.4), err));
    IV_TRY(IV_KEEP(out, evaluation, v, err));
    IV_TRY(iv_check_frame(iv_evaluation_view(v), err));
    IV_TRY(fill(&a, iv_result_own(out), v, &q.scores.from.columns, err));
    tell_runs(out, &q.source, iv_evaluation_view(v));
    q.scores.given = true;
    q.scores.from = (iv_score_source){
        .score = { a.score, a.count }, .system = { a.system, a.count },
        .item = { a.item, a.count }, .measure = { a.measure, a.count },
        .repeat = { a.repeat, a.count } };
    q.scoring.measures = (iv_texts){ a.measures, iv_evaluation_view(v)->measure_count };
    q.scoring.complete = false; /* of runs, which have been evaluated */
    return iv_compare_scores(out, &q, iv_work_part(&compare, work, 0.4, 1.0), err);
}
