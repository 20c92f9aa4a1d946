/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "frame/frame.h"

/* One row a command, in the order of the overview. */
static const cmd *const commands[] = {
    &cmd_eval,
    &cmd_compare,
    &cmd_incomplete,
    &cmd_overlap,
    &cmd_agree,
    &cmd_measures,
    &cmd_prefer,
    &cmd_prf,
    &cmd_roc,
    &cmd_recall,
    &cmd_sample,
    &cmd_next,
#if INTERVALE_JUDGE
    &cmd_judge_new,
    &cmd_judge_serve,
    &cmd_judge_status,
    &cmd_judge_export,
    &cmd_judge_import,
    &cmd_judge_rank,
    &cmd_judge_check,
    &cmd_judge_backup,
    &cmd_judge_assessor,
#endif
    &cmd_plan_power,
    &cmd_plan_topics,
    &cmd_plan_cost,
    &cmd_plan_looks,
    &cmd_plan_machine,
    &cmd_plan_pilot,
    &cmd_plan_elusion,
    &cmd_plan_recall,
    &cmd_plan_sample,
    &cmd_check,
    &cmd_simulate,
    &cmd_sort,
    &cmd_papers,
    &cmd_study_machine,
    &cmd_study_plans,
    &cmd_study_map,
    &cmd_study_power,
    &cmd_study_recall,
    &cmd_study_prf,
    &cmd_study_sampling,
    &cmd_study_judging,
    &cmd_study_stopping,
    &cmd_study_coverage,
#if INTERVALE_JUDGE
    &cmd_web,
#endif
    &cmd_help,
    &cmd_version,
    &cmd_manual,
    &cmd_completion,
    NULL
};

/* The first of these lets the work end and tidy up; a second one ends it at once. */
static void tidy_up(void)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU,
                                SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2 };
    struct sigaction old, stop = { .sa_handler = progress_stop, .sa_flags = (int)SA_RESETHAND };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(ends[i], &stop, NULL);
}

int main(int argc, char **argv)
{
    /* A reader that has seen enough, such as head, ends the tool in silence,
     * also where whoever started it had the signal ignored. */
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of writing */
#ifdef M_TRIM_THRESHOLD
    /* Buffers of one file serve the next: getting fresh pages would cost a fifth of eval. */
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
    tidy_up();
    const int status = frame_main(commands, argc, argv);
    if (progress_stopped() != 0)
        (void)raise(progress_stopped()); /* for a parent that asks how it ended */
    return status;
}
