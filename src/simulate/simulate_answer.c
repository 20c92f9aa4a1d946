/* SPDX-License-Identifier: Apache-2.0 */
/* simulate: a test collection whose truth is known. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/wording.h"
#include "simulate/simulation.h"

/* One simulated run. */
typedef struct simulated_run {
    const char *run;
    double quality, map;
} simulated_run;

const iv_field iv_simulate_fields[] = {
    { "run", IV_AT(simulated_run, run), .about = "name of the run and its file" },
    { "quality", IV_AT(simulated_run, quality), .digits = 3,
      .about = "quality given to the simulation" },
    { "map", IV_AT(simulated_run, map), .digits = 4, .heading = "mean AP",
      .about = "mean AP on this set of topics" },
    { NULL }
};

static int add_runs(iv_result *out, const iv_simulation *s, const iv_simulate_question *q,
                    const double *map, iv_err *err)
{
    const uint32_t runs = s->options.runs;
    simulated_run *rows = iv_take(iv_result_own(out), runs, sizeof *rows);
    char *names = iv_take(iv_result_own(out), runs, IV_SIMULATED_RUN_SIZE);

    IV_TRY(iv_taken(iv_result_own(out), err));
    for (uint32_t r = 0; r < runs; r++)
        rows[r] = (simulated_run){
            .run = iv_simulated_run_name(names + r * IV_SIMULATED_RUN_SIZE, s, q->files.prefix, r),
            .quality = s->quality[r], .map = map[r] };
    IV_TABLE(out, "runs", iv_simulate_fields, rows, runs);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "runs", .title = "The truth of the runs",
        .caption = "A point is a run: the quality it was made with, and the mean average "
                   "precision it got on this set of topics. Runs of equal quality differ by "
                   "chance.",
        .label = "run", .x = "quality", .value = "map",
        .value_axis = { .title = "mean average precision" } });
    return IV_OK;
}

static int write_all(iv_result *out, const iv_simulation *s, const iv_simulate_question *q,
                     const iv_work *work, iv_err *err)
{
    const uint32_t runs = s->options.runs;
    double *map = iv_take(iv_result_own(out), runs, sizeof *map);
    iv_simulation_summary sum;

    IV_TRY(iv_taken(iv_result_own(out), err));
    IV_TRY(iv_simulation_write(map, &sum, s, q->directory, &q->files, work, err));
    iv_result_answer(out, "%s topics with %s to %s relevant documents, mean %.1f; %s "
                     "judgments; %u run%s with %s documents in all.", IV_COUNT(sum.topics),
                     IV_COUNT(sum.least_relevant), IV_COUNT(sum.most_relevant), sum.mean_relevant,
                     IV_COUNT(sum.judgments), runs, iv_plural(runs), IV_COUNT(sum.run_lines));
    return add_runs(out, s, q, map, err);
}

IV_ENDS(simulation)

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    typedef iv_simulate_question T;
    const iv_simulate_question *question = asked;
    iv_simulation *s = NULL;

    if (question->directory == NULL || question->directory[0] == '\0')
        return iv_fail(err, IV_EARG, "no directory to make");
    if (question->files.judged == 0)
        IV_TRY(IV_REFUSE(question, "without --judged", err, IV_IDLE(files.judging, "judging")));
    iv_simulation_options collection = question->collection;
    if (collection.seed == 0)
        collection.seed = iv_work_seed(work);
    IV_TRY(iv_simulation_new(&s, &collection, err));
    IV_TRY(IV_KEEP(out, simulation, s, err));
    return write_all(out, s, question, work, err);
}

int iv_answer_simulate(iv_result *out, const iv_simulate_question *question, const iv_work *work,
                       iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_simulate_question, collection.quality, REALS, "quality"),
        IV_PART_OF(iv_simulate_question, files.judge, PATH, "the judge"),
        IV_CHOICE_OF(iv_simulate_question, files.judging, iv_judging_names, "who is judged"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked, "simulated-scores"),
                          work, err);
}
