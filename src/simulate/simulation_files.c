/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a simulated collection as files: runs, judgments, and the truth. */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "simulate/simulation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct iv_folder {
    char *path;      /* where it shall be */
    char *temporary; /* where it is now; NULL: nowhere */
} iv_folder;

/* Frees f; removes what was written unless it was committed. */
void iv_folder_end(iv_folder *f);

/* "folder/name" in fresh memory, or NULL. */
static char *join(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);

    if (path != NULL)
        (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static bool is_entry(const struct dirent *e)
{
    return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

/* May the directory be made at path?  It may if that is free, or empty. */
static int check_place(const char *path, iv_err *err)
{
    struct stat st, here;
    struct dirent *e = NULL;

    if (stat(path, &st) != 0)
        return IV_OK; /* making it will tell what else is wrong */
    if (!S_ISDIR(st.st_mode))
        return iv_fail_at(err, IV_EIO, path, 0, "exists and is not a directory");
    if (stat(".", &here) == 0 && here.st_dev == st.st_dev && here.st_ino == st.st_ino)
        return iv_fail_at(err, IV_EIO, path, 0, "is the current directory; name a new one");
    DIR *d = opendir(path);
    if (d == NULL)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s", strerror(errno));
    do
        e = readdir(d);
    while (e != NULL && !is_entry(e));
    (void)closedir(d);
    if (e != NULL)
        return iv_fail_at(err, IV_EIO, path, 0, "exists and is not empty");
    return IV_OK;
}

static int make_temporary(iv_folder *f, iv_err *err)
{
    enum { TRIES = 1000 };
    const size_t size = strlen(f->path) + 40;
    bool made = false;
    char *name = malloc(size);

    if (name == NULL)
        return iv_fail_at(err, IV_ENOMEM, f->path, 0, "out of memory");
    for (unsigned i = 0; i < TRIES && !made; i++) {
        (void)snprintf(name, size, "%s.tmp-%ld-%u", f->path, (long)getpid(), i);
        made = mkdir(name, 0777) == 0;
        if (!made && errno != EEXIST)
            break;
    }
    if (made) {
        f->temporary = name;
        return IV_OK;
    }
    free(name);
    return iv_fail_at(err, IV_EIO, f->path, 0, "cannot make the directory: %s",
                      strerror(errno));
}

/* The path that rename() can replace: no links, no slash at its end. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    size_t len;

    if (real != NULL)
        return real;
    real = strdup(path); /* not there yet */
    if (real == NULL)
        return NULL;
    for (len = strlen(real); len > 1 && real[len - 1] == '/'; len--)
        real[len - 1] = '\0';
    return real;
}

/*
 * Starts a directory that shall be at path, with a directory runs in it.
 * IV_EIO when something is at path already, unless it is an empty directory.
 */
static int folder_start(iv_folder *f, const char *path, iv_err *err)
{
    iv_folder made = { NULL, NULL };
    int rc = check_place(path, err);

    if (rc < 0)
        return rc;
    made.path = resolve(path);
    if (made.path == NULL)
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    rc = make_temporary(&made, err);
    if (rc == IV_OK) {
        char *within = join(made.temporary, "runs");
        if (within == NULL)
            rc = iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
        else if (mkdir(within, 0777) != 0)
            rc = iv_fail_at(err, IV_EIO, path, 0, "cannot make the directory: %s",
                            strerror(errno));
        free(within);
    }
    if (rc < 0) {
        iv_folder_end(&made);
        return rc;
    }
    *f = made;
    return IV_OK;
}

/* Opens the new file of that name, perhaps with a folder before it, for writing. */
static int folder_file(FILE **out, const iv_folder *f, const char *name, iv_err *err)
{
    char *path = join(f->temporary, name);
    FILE *file = path != NULL ? fopen(path, "wb") : NULL;
    const int error = errno;

    free(path);
    if (path == NULL)
        return iv_fail_at(err, IV_ENOMEM, f->path, 0, "out of memory");
    if (file == NULL)
        return iv_fail_at(err, IV_EIO, f->path, 0, "cannot write %s: %s", name,
                          strerror(error));
    *out = file;
    return IV_OK;
}

/* Closes that file; an error of any write to it is told here. */
static int folder_close(const iv_folder *f, FILE *file, iv_err *err)
{
    const bool failed = ferror(file) != 0;

    if (fclose(file) == 0 && !failed)
        return IV_OK;
    return iv_fail_at(err, IV_EIO, f->path, 0, "cannot write: %s", strerror(errno));
}

/* Puts it in its place. */
static int folder_commit(iv_folder *f, iv_err *err)
{
    struct stat old;
    const bool replaces = stat(f->path, &old) == 0; /* an empty one, whose owner and mode stay */

    if ((replaces && (chown(f->temporary, old.st_uid, old.st_gid) != 0
                      || chmod(f->temporary, old.st_mode & 07777) != 0))
        || rename(f->temporary, f->path) != 0)
        return iv_fail_at(err, IV_EIO, f->path, 0, "cannot put the directory in its place: "
                          "%s", strerror(errno));
    free(f->temporary);
    f->temporary = NULL;
    return IV_OK;
}

#ifndef _WIN32
/*
 * Removes what a directory holds, directories of files too.  By its descriptor, so
 * that it needs no memory for paths: there may be none.
 */
static void empty_out(int at, const char *path, bool inner)
{
    const int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *e;

    if (d == NULL) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    while ((e = readdir(d)) != NULL) {
        if (!is_entry(e) || unlinkat(dirfd(d), e->d_name, 0) == 0)
            continue;
        if (!inner)
            empty_out(dirfd(d), e->d_name, true);
        (void)unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
    }
    (void)closedir(d);
}
#endif

void iv_folder_end(iv_folder *f)
{
    if (f->temporary != NULL) {
#ifdef _WIN32
        iv_win32_empty(f->temporary);
#else
        empty_out(AT_FDCWD, f->temporary, false);
#endif
        (void)rmdir(f->temporary);
    }
    free(f->temporary);
    free(f->path);
    *f = (iv_folder){ NULL, NULL };
}

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
static void simulation_readme(FILE *out, const iv_simulation *s,
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
static void simulation_truth_lines(FILE *out, const iv_simulation *s, const char *prefix,
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

IV_NAMES(iv_judging_names, "pool", "uniform")

static iv_simulation_files resolve_files(const iv_simulation_files *files)
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

/* What each thread has for itself: a topic, with room for its lines. */
static void *start_worker(iv_arena *own, void *user)
{
    const job *j = user;
    const iv_simulation_options *o = &j->s->options;
    const size_t n = o->documents, judgments = n * IV_JUDGMENT_LINE;
    const size_t ranking = o->depth * (IV_RANKING_LINE + strlen(j->files->prefix) + 10);
    iv_simulated_topic *t = iv_simulated_topic_take(own, j->s);

    if (t == NULL)
        return NULL;
    t->text = iv_take(own, ranking > judgments ? ranking : judgments, 1);
    if (j->files->judged > 0) {
        t->marks = iv_take(own, n, sizeof *t->marks);
        t->best = iv_take(own, n, sizeof *t->best);
        t->at_rank = iv_take(own, n + 2, sizeof *t->at_rank);
    }
    return t;
}

/* The lines of a topic: of the judgments, of run number `file` - 1, or of the machine. */
static void make_lines(job *j, iv_simulated_topic *t, uint32_t file, const char *name,
                       uint32_t topic)
{
    const iv_simulation_files *f = j->files;

    if (file > j->s->options.runs) {
        iv_simulated_judge_label(t, j->kappa, j->drift);
        (void)iv_lines_of_judgments(t, topic, NULL);
    } else if (file > 0) {
        iv_simulated_rank(t, file - 1);
        j->map[file - 1] += iv_simulated_ranked_ap(t);
        iv_lines_of_ranking(t, topic, name);
    } else {
        iv_simulation_summary *sum = &j->summary;
        if (t->relevant < sum->least_relevant)
            sum->least_relevant = t->relevant;
        if (t->relevant > sum->most_relevant)
            sum->most_relevant = t->relevant;
        sum->mean_relevant += t->relevant;
        if (t->marks != NULL)
            iv_judged_mark(t, f->judging, f->judged);
        j->summary.judgments += iv_lines_of_judgments(t, topic, t->marks);
    }
}

static int write_topics(job *j, iv_simulated_topic *w, uint32_t file, const char *name,
                        FILE *out, iv_err *err)
{
    const iv_simulation_files *f = j->files;

    for (uint32_t t = 0; t < f->topics; t++) {
        iv_simulated_topic_draw(w, t);
        make_lines(j, w, file, name, (uint32_t)f->first_topic + t);
        if (fwrite(w->text, 1, w->len, out) != w->len)
            return iv_fail_at(err, IV_EIO, j->folder.path, 0, "cannot write: %s",
                              strerror(errno));
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
    char name[IV_SIMULATED_RUN_SIZE] = "", path[IV_SIMULATED_RUN_SIZE + 8];
    FILE *file = NULL;

    if (i > 0)
        (void)iv_simulated_run_name(name, j->s, j->files->prefix, i - 1);
    (void)snprintf(path, sizeof path, "runs/%s", name);
    int rc = folder_file(&file, &j->folder, i == 0 ? "qrels"
                         : i > j->s->options.runs ? "machine.qrels" : path, err);
    if (rc < 0)
        return rc;
    (void)setvbuf(file, NULL, _IONBF, 0); /* a topic at once is enough */
    rc = write_topics(j, memory, i, name, file, err);
    const int closed = folder_close(&j->folder, file, rc == IV_OK ? err : NULL);
    return rc < 0 ? rc : closed;
}

/* ------------------------------------------------------ around threads -- */

static int write_readme(job *j, iv_err *err)
{
    FILE *file = NULL;
    int rc = folder_file(&file, &j->folder, "README", err);

    if (rc < 0)
        return rc;
    simulation_readme(file, j->s, j->files, &j->summary);
    rc = folder_close(&j->folder, file, err);
    if (rc == IV_OK)
        rc = folder_file(&file, &j->folder, "truth.tsv", err);
    if (rc < 0)
        return rc;
    simulation_truth_lines(file, j->s, j->files->prefix, j->map);
    return folder_close(&j->folder, file, err);
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
    const iv_simulation_files asked = resolve_files(files);
    job j = { .s = s, .files = &asked };

    IV_TRY(check(s, &asked, err));
    if (asked.judge != NULL)
        IV_TRY(iv_simulated_judge_read(&j.kappa, &j.drift, asked.judge, err));
    j.map = calloc(s->options.runs, sizeof *j.map);
    if (j.map == NULL)
        return iv_no_memory(err);
    int rc = folder_start(&j.folder, directory, err);
    if (rc == IV_OK)
        rc = write_all(&j, work, err);
    if (rc == IV_OK)
        rc = folder_commit(&j.folder, err);
    if (rc == IV_OK) {
        memcpy(map, j.map, s->options.runs * sizeof *map);
        *summary = j.summary;
    }
    iv_folder_end(&j.folder);
    free(j.map);
    return rc;
}
