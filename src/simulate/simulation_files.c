/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated collection as files.
 *
 * Each file is one thread's work, from its first topic to its last, so nothing
 * depends on the number of threads and nobody waits for anyone.
 */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "simulate/folder.h"
#include "simulate/simulation_judged.h"
#include "simulate/simulation_readme.h"
#include "simulate/simulation_text.h"

/* What the threads share. */
typedef struct job {
    const iv_simulation *s;
    const iv_simulation_files *files;
    iv_simulation_truth *truth;    /* by run */
    iv_simulation_summary summary;
    iv_folder folder;
    atomic_int rc;      /* of the first failure, which err describes */
    iv_err err;
    double done, total; /* of the progress, in topics */
} job;

/* What each has for itself. */
typedef struct worker {
    iv_simulated_topic *topic;
    iv_judged judged;
    iv_lines lines;
} worker;

iv_simulation_files iv_simulation_files_defaults(void)
{
    return (iv_simulation_files){ .topics = 50, .first_topic = 301, .prefix = "sim" };
}

const char *iv_simulated_run_name(char out[IV_SIMULATED_RUN_SIZE], const iv_simulation *s,
                                  const char *prefix, uint32_t run)
{
    int digits = 2;

    for (uint32_t n = s->options.runs; n >= 100; n /= 10)
        digits++;
    (void)snprintf(out, IV_SIMULATED_RUN_SIZE, "%.*s%0*u", IV_SIMULATED_PREFIX_MAX, prefix,
                   digits, run + 1);
    return out;
}

static int check_prefix(const char *prefix, iv_err *err)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static const char others[] = "0123456789._+-";
    char quoted[IV_QUOTE_SIZE];
    const size_t len = strlen(prefix);

    bool ok = len > 0 && len <= IV_SIMULATED_PREFIX_MAX && strchr(letters, prefix[0]);
    for (size_t i = 0; ok && i < len; i++)
        ok = strchr(letters, prefix[i]) != NULL || strchr(others, prefix[i]) != NULL;
    if (ok)
        return IV_OK;
    return iv_fail(err, IV_EARG, "the prefix of the runs' names is %s, expected a letter "
                   "and at most %d more letters, digits, '.', '_', '+' or '-'",
                   iv_quote(quoted, iv_str_of(prefix)), IV_SIMULATED_PREFIX_MAX - 1);
}

static int check(const iv_simulation *s, const iv_simulation_files *f, iv_err *err)
{
    if (f->topics < 1 || f->topics > IV_SIMULATED_TOPICS_MAX)
        return iv_fail(err, IV_EARG, "the number of topics is %u, expected 1 to %d",
                       f->topics, IV_SIMULATED_TOPICS_MAX);
    if (f->first_topic > UINT32_MAX - f->topics)
        return iv_fail(err, IV_EARG, "%u topics from number %u, but numbers end at %u",
                       f->topics, f->first_topic, UINT32_MAX);
    if (f->truth_topics > IV_SIMULATED_TOPICS_MAX)
        return iv_fail(err, IV_EARG, "%u topics for the truth, expected at most %d",
                       f->truth_topics, IV_SIMULATED_TOPICS_MAX);
    if (f->judged > s->options.documents)
        return iv_fail(err, IV_EARG, "%u judged documents, but a topic has %u documents",
                       f->judged, s->options.documents);
    return check_prefix(f->prefix, err);
}

/* ------------------------------------------------- inside the threads -- */

static int start_worker(worker *w, const job *j, iv_err *err)
{
    const int rc = iv_simulated_topic_new(&w->topic, j->s, err);

    if (rc == IV_OK && j->files->judged > 0 && !iv_judged_start(&w->judged, j->s))
        return iv_fail(err, IV_ENOMEM, "out of memory for judgments");
    return rc;
}

static void end_worker(worker *w)
{
    iv_simulated_topic_free(w->topic);
    iv_judged_free(&w->judged);
    iv_lines_free(&w->lines);
}

static int write_lines(const iv_lines *l, const job *j, FILE *file, iv_err *err)
{
    if (l->failed)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    if (fwrite(l->text, 1, l->len, file) != l->len)
        return iv_fail_at(err, IV_EIO, j->folder.path, 0, "cannot write: %s",
                          strerror(errno));
    return IV_OK;
}

static void tell_progress(job *j)
{
    #pragma omp critical(iv_simulation_progress)
    {
        j->done += 1.0;
        if (j->files->progress.report != NULL)
            j->files->progress.report(j->files->progress.user, j->done / j->total);
    }
}

static int write_judgments(job *j, worker *w, FILE *file, iv_err *err)
{
    const iv_simulation_files *f = j->files;
    const bool *marks = f->judged > 0 ? w->judged.marks : NULL;
    iv_simulation_summary *sum = &j->summary;
    double relevant = 0.0;
    int rc = IV_OK;

    sum->least_relevant = UINT32_MAX;
    for (uint32_t t = 0; t < f->topics && rc == IV_OK && atomic_load(&j->rc) == IV_OK; t++) {
        iv_simulated_topic_draw(w->topic, t);
        const uint32_t count = w->topic->relevant;
        if (marks != NULL)
            iv_judged_mark(&w->judged, w->topic, f->judging, f->judged);
        sum->judgments += iv_lines_of_judgments(&w->lines, w->topic, f->first_topic + t,
                                                marks);
        rc = write_lines(&w->lines, j, file, err);
        relevant += count;
        sum->least_relevant = count < sum->least_relevant ? count : sum->least_relevant;
        sum->most_relevant = count > sum->most_relevant ? count : sum->most_relevant;
        tell_progress(j);
    }
    sum->mean_relevant = relevant / f->topics;
    return rc;
}

static int write_run(job *j, worker *w, uint32_t run, const char *name, FILE *file,
                     iv_err *err)
{
    const iv_simulation_files *f = j->files;
    double sum = 0.0;
    int rc = IV_OK;

    for (uint32_t t = 0; t < f->topics && rc == IV_OK && atomic_load(&j->rc) == IV_OK; t++) {
        iv_simulated_topic_draw(w->topic, t);
        iv_simulated_rank_units(w->topic, run);
        sum += iv_simulated_ranked_ap(w->topic);
        iv_lines_of_ranking(&w->lines, w->topic, f->first_topic + t, name);
        rc = write_lines(&w->lines, j, file, err);
        tell_progress(j);
    }
    j->truth[run].map = sum / f->topics;
    return rc;
}

/* File 0 is the judgments, file i is run i - 1. */
static int write_file(job *j, worker *w, uint32_t i, iv_err *err)
{
    char name[IV_SIMULATED_RUN_SIZE] = "qrels";
    FILE *file = NULL;

    if (i > 0)
        (void)iv_simulated_run_name(name, j->s, j->files->prefix, i - 1);
    int rc = iv_folder_file(&file, &j->folder, i > 0 ? "runs" : NULL, name, err);
    if (rc < 0)
        return rc;
    (void)setvbuf(file, NULL, _IONBF, 0); /* a topic at once is enough */
    if (i == 0)
        rc = write_judgments(j, w, file, err);
    else
        rc = write_run(j, w, i - 1, name, file, err);
    const int closed = iv_folder_close(&j->folder, file, rc == IV_OK ? err : NULL);
    return rc < 0 ? rc : closed;
}

static void note_failure(job *j, int rc, const iv_err *err)
{
    int none = IV_OK;

    if (atomic_compare_exchange_strong(&j->rc, &none, rc))
        j->err = *err;
}

static void write_files(job *j)
{
    #pragma omp parallel num_threads(iv_threads(j->files->threads))
    {
        worker w = { .topic = NULL };
        iv_err err = { IV_OK, "" };
        const int started = start_worker(&w, j, &err);
        if (started < 0)
            note_failure(j, started, &err);
        #pragma omp barrier
        #pragma omp for schedule(dynamic)
        for (uint32_t i = 0; i <= j->s->options.runs; i++) {
            if (atomic_load(&j->rc) != IV_OK)
                continue;
            const int rc = write_file(j, &w, i, &err);
            if (rc < 0)
                note_failure(j, rc, &err);
        }
        end_worker(&w);
    }
}

/* ------------------------------------------------------ around threads -- */

/* The first `share` of the whole progress. */
typedef struct part {
    iv_progress whole;
    double share;
} part;

static int report_part(void *user, double fraction)
{
    const part *p = user;

    p->whole.report(p->whole.user, p->share * fraction);
    return 0;
}

/* Expected AP, from topics that no collection has. */
static int find_expected(job *j, iv_err *err)
{
    const iv_simulation_files *f = j->files;
    const uint32_t runs = j->s->options.runs;
    iv_simulation_mean *means = malloc(runs * sizeof *means);
    part p = { f->progress, j->done / j->total };
    const iv_progress progress = { f->progress.report != NULL ? report_part : NULL, &p };

    if (means == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const int rc = iv_simulation_map(means, j->s, (uint32_t)IV_SIMULATED_TOPICS_MAX + 1,
                                     f->truth_topics, f->threads, progress, err);
    for (uint32_t r = 0; rc == IV_OK && r < runs; r++) {
        j->truth[r].expected = means[r].mean;
        j->truth[r].expected_se = means[r].se;
    }
    free(means);
    return rc;
}

static int write_readme(job *j, iv_err *err)
{
    FILE *file = NULL;
    int rc = iv_folder_file(&file, &j->folder, NULL, "README", err);

    if (rc < 0)
        return rc;
    iv_simulation_readme(file, j->s, j->files, &j->summary);
    rc = iv_folder_close(&j->folder, file, err);
    if (rc == IV_OK)
        rc = iv_folder_file(&file, &j->folder, NULL, "truth.tsv", err);
    if (rc < 0)
        return rc;
    iv_simulation_truth_lines(file, j->s, j->files->prefix, j->truth);
    return iv_folder_close(&j->folder, file, err);
}

static int write_all(job *j, iv_err *err)
{
    const uint32_t runs = j->s->options.runs, topics = j->files->topics;

    for (uint32_t r = 0; r < runs; r++)
        j->truth[r] = (iv_simulation_truth){ j->s->quality[r], 0.0, NAN, NAN };
    j->done = (double)j->files->truth_topics * runs;
    j->total = j->done + (double)topics * (runs + 1.0);
    if (j->files->truth_topics > 0) {
        const int rc = find_expected(j, err);
        if (rc < 0)
            return rc;
    }
    j->summary.run_lines = (uint64_t)topics * runs * j->s->options.depth;
    write_files(j);
    const int rc = atomic_load(&j->rc);
    return rc < 0 ? iv_fail_as(err, &j->err) : write_readme(j, err);
}

int iv_simulation_write(iv_simulation_truth *truth, iv_simulation_summary *summary,
                        const iv_simulation *s, const char *directory,
                        const iv_simulation_files *files, iv_err *err)
{
    job j = { .s = s, .files = files };
    int rc = check(s, files, err);

    if (rc < 0)
        return rc;
    atomic_init(&j.rc, IV_OK);
    j.truth = malloc(s->options.runs * sizeof *j.truth);
    if (j.truth == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    rc = iv_folder_start(&j.folder, directory, "runs", err);
    if (rc == IV_OK)
        rc = write_all(&j, err);
    if (rc == IV_OK)
        rc = iv_folder_commit(&j.folder, err);
    if (rc == IV_OK) {
        memcpy(truth, j.truth, s->options.runs * sizeof *truth);
        *summary = j.summary;
    }
    iv_folder_end(&j.folder);
    free(j.truth);
    return rc;
}
