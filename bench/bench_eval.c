/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast is an evaluation, beside trec_eval on the same files?
 *
 * usage: bench_eval INTERVALE ONE MANY TRACK
 *
 * ONE, MANY and TRACK are folders as simulate writes them (qrels, runs/): one
 * long run, many runs, and a track's worth of runs.  If TREC_EVAL names a
 * program, it is timed as the peer, once a run.  Whole processes are timed, the
 * best of a few rounds; the bootstraps are timed inside this one.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "intervale/stat.h"
#include "num/draw.h"

enum { PATH = 1024, MOST = 4096 };

static double now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void give_up(const char *why)
{
    (void)fprintf(stderr, "bench_eval: %s\n", why);
    exit(EXIT_FAILURE);
}

/* A collection on disk. */
typedef struct collection {
    char qrels[PATH];
    char *runs[MOST];
    size_t count;
} collection;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_runs(collection *c, const char *folder)
{
    char path[PATH];
    struct dirent *e;

    (void)snprintf(c->qrels, sizeof c->qrels, "%s/qrels", folder);
    (void)snprintf(path, sizeof path, "%s/runs", folder);
    DIR *d = opendir(path);
    if (d == NULL)
        give_up(path);
    while ((e = readdir(d)) != NULL && c->count < MOST) {
        const size_t room = strlen(path) + strlen(e->d_name) + 2;
        if (e->d_name[0] == '.')
            continue;
        char *run = malloc(room);
        if (run == NULL)
            give_up("out of memory");
        (void)snprintf(run, room, "%s/%s", path, e->d_name);
        c->runs[c->count++] = run;
    }
    (void)closedir(d);
    qsort(c->runs, c->count, sizeof *c->runs, by_name);
}

/* Runs a program to its end with its output thrown away; milliseconds. */
static double run_ms(char *const *argv)
{
    const double start = now_ms();
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        (void)dup2(nowhere, 1);
        (void)dup2(nowhere, 2);
        (void)execv(argv[0], argv);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        give_up(argv[0]);
    return now_ms() - start;
}

/* One process over all runs of a collection. */
static double ours_ms(char *program, const char *const *options, collection *c, int rounds)
{
    char *argv[MOST + 32] = { program };
    size_t n = 1;
    double best = 1e30;

    for (; *options != NULL; options++)
        argv[n++] = strdup(*options);
    const size_t end = n;
    argv[n++] = c->qrels;
    for (size_t r = 0; r < c->count; r++)
        argv[n++] = c->runs[r];
    argv[n] = NULL;
    for (int k = 0; k < rounds; k++) {
        const double ms = run_ms(argv);
        best = ms < best ? ms : best;
    }
    for (size_t i = 1; i < end; i++)
        free(argv[i]);
    return best;
}

/* A process a run. */
static double peer_ms(char *program, collection *c, int rounds)
{
    static char flag[] = "-m", all[] = "all_trec";
    double best = 1e30;

    for (int k = 0; k < rounds; k++) {
        double total = 0.0;
        for (size_t r = 0; r < c->count; r++) {
            char *argv[] = { program, flag, all, c->qrels, c->runs[r], NULL };
            total += run_ms(argv);
        }
        best = total < best ? total : best;
    }
    return best;
}

static void tell(const char *what, double ms, double peer)
{
    printf("%-44s %9.1f ms", what, ms);
    if (peer > 0.0)
        printf("   trec_eval %9.1f ms   ratio %6.1f", peer, peer / ms);
    putchar('\n');
}

static void bench_bootstraps(void)
{
    enum { TOPICS = 50, ROUNDS = 15 };
    static const iv_interval_method methods[] = {
        IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA, IV_INTERVAL_LOGIT };
    double x[TOPICS], best = 1e30;
    const double *samples[] = { x, x, x };
    iv_stream s = iv_stream_start(1, IV_FOR_CALLER, 0);
    const iv_resampling o = { .resamples = 100000 };
    iv_mean_interval out[3];

    for (size_t i = 0; i < TOPICS; i++)
        x[i] = iv_draw_beta(&s, 1.0, 2.0);
    for (int k = 0; k < ROUNDS; k++) {
        const double start = now_ms();
        if (iv_mean_intervals(out, samples, methods, 3, TOPICS, &o, NULL, NULL) != IV_OK)
            give_up("bootstraps failed");
        const double ms = now_ms() - start;
        best = ms < best ? ms : best;
    }
    printf("%-44s %9.1f ms   %.2f ns a draw\n",
           "3 bootstraps, 50 topics, 100,000 resamples", best, 1e6 * best / (50.0 * 100000.0));
}

int main(int argc, char **argv)
{
    static const char *const all[] = { "eval", "--ci", "none", "--format", "trec", "-m",
                                       "all_trec", "--quiet", NULL };
    static const char *const usual[] = { "eval", "--format", "tsv", "--quiet", NULL };
    static collection one, many, track;
    char *peer = getenv("TREC_EVAL");

    if (argc < 5)
        give_up("usage: bench_eval INTERVALE ONE MANY TRACK");
    find_runs(&one, argv[2]);
    find_runs(&many, argv[3]);
    find_runs(&track, argv[4]);
    tell("one run of 1 M lines, all_trec", ours_ms(argv[1], all, &one, 5),
         peer != NULL ? peer_ms(peer, &one, 2) : 0.0);
    tell("100 runs x 50 topics x 1000, all_trec", ours_ms(argv[1], all, &many, 3),
         peer != NULL ? peer_ms(peer, &many, 1) : 0.0);
    tell("143 runs x 30 topics, usual, with intervals", ours_ms(argv[1], usual, &track, 3),
         0.0);
    bench_bootstraps();
    return 0;
}
