/* SPDX-License-Identifier: Apache-2.0 */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/parallel.h"
#include "simulate/folder.h"
#include "simulate/simulate_private.h"
#include "simulate/simulation.h"

static void put_real(FILE *out, const char *before, double value)
{
    char text[IV_REAL_SIZE];

    (void)iv_format_real(text, value);
    (void)fprintf(out, "%s%s", before, text);
}

/* The qualities as they were given. */
static void put_quality(FILE *out, const iv_simulation *s)
{
    const uint32_t last = s->options.runs - 1;

    put_real(out, " --quality ", s->quality[0]);
    for (uint32_t r = 1; r <= last && s->quality_given > 2; r++)
        put_real(out, ",", s->quality[r]);
    if (s->quality_given == 2)
        put_real(out, ",", s->quality[last]);
}

/* The command that makes the same files, two options a line or so. */
static void put_command(FILE *out, const iv_simulation *s, const iv_simulation_files *f)
{
    const iv_simulation_options *o = &s->options;

    (void)fprintf(out, "    intervale simulate --topics %u --documents %u --runs %u \\\n"
                  "        --depth %u --grades %u", f->topics, o->documents, o->runs,
                  o->depth, o->grades);
    put_real(out, " --prevalence ", o->prevalence);
    put_real(out, " --prevalence-sd ", o->prevalence_spread);
    (void)fprintf(out, " \\\n        --least-relevant %u", o->least_relevant);
    put_real(out, " --similarity ", o->similarity);
    put_real(out, " --difficulty ", o->difficulty);
    put_real(out, " \\\n        --breadth ", o->breadth);
    put_real(out, " --interaction ", o->interaction);
    put_real(out, " --ties ", o->ties);
    (void)fprintf(out, " \\\n       ");
    put_quality(out, s);
    (void)fprintf(out, " \\\n        --first-topic %u --prefix %s",
                  (uint32_t)f->first_topic,
                  f->prefix);
    if (f->judged > 0)
        (void)fprintf(out, " --judged %u --judging %s", f->judged,
                      iv_judging_names()[f->judging]);
    if (f->judge != NULL)
        (void)fprintf(out, " --judge %s", f->judge);
    (void)fprintf(out, " --seed %llu -o DIR\n", (unsigned long long)o->seed);
}

/* How it was made, and what is in it, for people. */
static void iv_simulation_readme(FILE *out, const iv_simulation *s,
                                 const iv_simulation_files *files,
                                 const iv_simulation_summary *summary)
{
    const iv_simulation_options *o = &s->options;

    (void)fprintf(out, "A simulated test collection: no document, topic or run in it is "
                  "real.\n\nMade by intervale %s, which makes the same bytes again with\n\n",
                  iv_version());
    put_command(out, s, files);
    (void)fprintf(out, "\nThe model is in doc/methods/simulation.md of intervale.\n\n");
    (void)fprintf(out, "qrels      %llu judgments of %u topics (%u to %u); ",
                  (unsigned long long)summary->judgments, files->topics,
                  (uint32_t)files->first_topic,
                  (uint32_t)files->first_topic + (files->topics - 1));
    if (files->judged == 0)
        (void)fprintf(out, "every document is judged\n");
    else
        (void)fprintf(out, "at most %u a topic,\n           %s\n", files->judged,
                      files->judging == IV_JUDGE_POOL
                          ? "those that some run ranks highest" : "chosen at random");
    (void)fprintf(out, "           relevant documents of a topic: %u to %u, mean ",
                  summary->least_relevant, summary->most_relevant);
    put_real(out, "", summary->mean_relevant);
    (void)fprintf(out, "\nruns/      %u run%s, each with %u documents a topic\n",
                  o->runs, o->runs == 1 ? "" : "s", o->depth);
    if (files->judge != NULL)
        (void)fprintf(out, "machine.qrels  labels of every document by a machine: %s\n",
                      files->judge);
    (void)fprintf(out, "truth.tsv  of each run: its quality in the model; its mean average "
                  "precision over\n           this set of topics with every document judged");
    (void)fprintf(out, "\n");
}

/* The truth about each run, one a line, with a header; tab-separated. */
static void iv_simulation_truth_lines(FILE *out, const iv_simulation *s, const char *prefix,
                                      const double *map)
{
    char name[IV_SIMULATED_RUN_SIZE];

    (void)fprintf(out, "run\tquality\tmap\n");
    for (uint32_t r = 0; r < s->options.runs; r++) {
        (void)fprintf(out, "%s", iv_simulated_run_name(name, s, prefix, r));
        put_real(out, "\t", s->quality[r]);
        put_real(out, "\t", map[r]);
        (void)fprintf(out, "\n");
    }
}

/* ------------------------------------------------------ simulation files -- */

/*
 * A simulated collection as files.
 *
 * Each file is one thread's work, from its first topic to its last, so nothing
 * depends on the number of threads and nobody waits for anyone.
 */

#define PREFIX "sim"

/* What the threads share. */
typedef struct job {
    const iv_simulation *s;
    const iv_simulation_files *files;
    double *map;    /* mean AP over the topics, complete judgments; by run */
    iv_simulation_summary summary;
    iv_folder folder;
    double kappa, drift; /* of the machine that labels */
    iv_steps steps; /* topics of files */
} job;

/* What each has for itself. */
typedef struct worker {
    iv_simulated_topic *topic;
    iv_lines lines;
} worker;

IV_NAMES(iv_judging_names, "pool", "uniform")

static iv_simulation_files resolve(const iv_simulation_files *files)
{
    iv_simulation_files f = files != NULL ? *files : (iv_simulation_files){ 0 };

    f.topics = f.topics == 0 ? 50 : f.topics;
    f.first_topic = f.first_topic == 0 ? 301 : f.first_topic == IV_ZERO ? 0 : f.first_topic;
    f.prefix = f.prefix == NULL ? PREFIX : f.prefix;
    return f;
}

const char *iv_simulated_run_name(char out[IV_SIMULATED_RUN_SIZE], const iv_simulation *s,
                                  const char *prefix, uint32_t run)
{
    int digits = 2;

    for (uint32_t n = s->options.runs; n >= 100 && digits < 10; n /= 10)
        digits++;
    (void)snprintf(out, IV_SIMULATED_RUN_SIZE, "%.*s%0*u", IV_SIMULATED_PREFIX_MAX,
                   prefix == NULL ? PREFIX : prefix, digits, run + 1);
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
    if (f->topics > IV_SIMULATED_TOPICS_MAX)
        return iv_fail(err, IV_EARG, "the number of topics is %u, expected 1 to %d",
                       f->topics, IV_SIMULATED_TOPICS_MAX);
    if (f->first_topic < 0 || f->first_topic > UINT32_MAX - f->topics)
        return iv_fail(err, IV_EARG, "%u topics from number %lld, but numbers end at %u",
                       f->topics, (long long)f->first_topic, UINT32_MAX);
    if (f->judged > s->options.documents)
        return iv_fail(err, IV_EARG, "%u judged documents, but a topic has %u documents",
                       f->judged, s->options.documents);
    return check_prefix(f->prefix, err);
}

/* ------------------------------------------------- inside the threads -- */

static void end_lines(void *memory) { free(((worker *)memory)->lines.text); }

static void *start_worker(iv_arena *own, void *user)
{
    const job *j = user;
    worker *w = iv_own(own, iv_take(own, 1, sizeof *w), end_lines);

    if (w == NULL)
        return NULL;
    w->topic = iv_simulated_topic_take(own, j->s);
    if (w->topic != NULL && j->files->judged > 0)
        iv_judged_take(own, w->topic);
    return w;
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

static void count_relevant(iv_simulation_summary *sum, uint32_t count)
{
    sum->least_relevant = count < sum->least_relevant ? count : sum->least_relevant;
    sum->most_relevant = count > sum->most_relevant ? count : sum->most_relevant;
    sum->mean_relevant += count;
}

/* The lines of a topic: of the judgments, of run number `file` - 1, or of the machine. */
static void make_lines(job *j, worker *w, uint32_t file, const char *name, uint32_t topic)
{
    const iv_simulation_files *f = j->files;
    const bool *marks = w->topic->marks;

    if (file > j->s->options.runs) {
        iv_simulated_judge_label(w->topic, j->kappa, j->drift);
        (void)iv_lines_of_judgments(&w->lines, w->topic, topic, NULL);
    } else if (file > 0) {
        iv_simulated_rank_units(w->topic, file - 1);
        j->map[file - 1] += iv_simulated_ranked_ap(w->topic);
        iv_lines_of_ranking(&w->lines, w->topic, topic, name);
    } else {
        count_relevant(&j->summary, w->topic->relevant);
        if (marks != NULL)
            iv_judged_mark(w->topic, f->judging, f->judged);
        j->summary.judgments += iv_lines_of_judgments(&w->lines, w->topic, topic, marks);
    }
}

static int write_topics(job *j, worker *w, uint32_t file, const char *name, FILE *out,
                        iv_err *err)
{
    const iv_simulation_files *f = j->files;

    for (uint32_t t = 0; t < f->topics; t++) {
        iv_simulated_topic_draw(w->topic, t);
        make_lines(j, w, file, name, (uint32_t)f->first_topic + t);
        IV_TRY(write_lines(&w->lines, j, out, err));
        IV_TRY(iv_step(&j->steps, err));
    }
    if (file == 0)
        j->summary.mean_relevant /= f->topics;
    else if (file <= j->s->options.runs)
        j->map[file - 1] /= f->topics;
    return IV_OK;
}

/* File 0 is the judgments, file i is run i - 1, the last the machine's labels, if any. */
static int write_file(void *user, void *memory, size_t number, iv_err *err)
{
    job *j = user;
    const uint32_t i = (uint32_t)number;
    char name[IV_SIMULATED_RUN_SIZE] = "qrels";
    FILE *file = NULL;

    const bool machine = i > j->s->options.runs;

    if (machine)
        (void)snprintf(name, sizeof name, "machine.qrels");
    else if (i > 0)
        (void)iv_simulated_run_name(name, j->s, j->files->prefix, i - 1);
    int rc = iv_folder_file(&file, &j->folder, i > 0 && !machine ? "runs" : NULL, name, err);
    if (rc < 0)
        return rc;
    (void)setvbuf(file, NULL, _IONBF, 0); /* a topic at once is enough */
    rc = write_topics(j, memory, i, name, file, err);
    const int closed = iv_folder_close(&j->folder, file, rc == IV_OK ? err : NULL);
    return rc < 0 ? rc : closed;
}

/* ------------------------------------------------------ around threads -- */

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
    iv_simulation_truth_lines(file, j->s, j->files->prefix, j->map);
    return iv_folder_close(&j->folder, file, err);
}

static int write_all(job *j, const iv_work *work, iv_err *err)
{
    const uint32_t runs = j->s->options.runs, topics = j->files->topics;
    const uint32_t more = j->files->judge != NULL ? 2 : 1; /* files than runs */
    const iv_loop loop = { runs + more, write_file, j, start_worker };

    j->summary.topics = topics;
    j->summary.least_relevant = UINT32_MAX;
    j->summary.run_lines = (uint64_t)topics * runs * j->s->options.depth;
    j->steps = (iv_steps){ .work = work, .total = (double)topics * (runs + more) };
    IV_TRY(iv_parallel(&loop, &(iv_work){ .threads = work != NULL ? work->threads : 0 }, err));
    return write_readme(j, err);
}

int iv_simulation_write(double *map, iv_simulation_summary *summary,
                        const iv_simulation *s, const char *directory,
                        const iv_simulation_files *files, const iv_work *work, iv_err *err)
{
    const iv_simulation_files asked = resolve(files);
    job j = { .s = s, .files = &asked };

    IV_TRY(check(s, &asked, err));
    if (asked.judge != NULL)
        IV_TRY(iv_simulated_judge_read(&j.kappa, &j.drift, asked.judge, err));
    j.map = calloc(s->options.runs, sizeof *j.map);
    if (j.map == NULL)
        return iv_no_memory(err);
    int rc = iv_folder_start(&j.folder, directory, "runs", err);
    if (rc == IV_OK)
        rc = write_all(&j, work, err);
    if (rc == IV_OK)
        rc = iv_folder_commit(&j.folder, err);
    if (rc == IV_OK) {
        memcpy(map, j.map, s->options.runs * sizeof *map);
        *summary = j.summary;
    }
    iv_folder_end(&j.folder);
    free(j.map);
    return rc;
}
