/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast are judgments and a run read and joined, beside a bare walk over
 * the lines of the same files?
 *
 * usage: bench_read JUDGMENTS RUN [ROUNDS]
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "intervale/trec.h"
#include "trec/judgments.h"
#include "base/memory.h"
#include "base/parallel.h"

static double now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void give_up(const char *why)
{
    (void)fprintf(stderr, "bench_read: %s\n", why);
    exit(EXIT_FAILURE);
}

/* Maps the file and finds every line end; nothing else. */
static size_t walk(const char *path, size_t *bytes)
{
    const int fd = open(path, O_RDONLY);
    struct stat st;
    size_t lines = 0;

    if (fd < 0 || fstat(fd, &st) != 0)
        give_up(path);
    char *text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (text == MAP_FAILED)
        give_up(path);
    const char *end = text + st.st_size;
    for (const char *p = text; p < end; lines++) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        p = eol == NULL ? end : eol + 1;
    }
    (void)munmap(text, (size_t)st.st_size);
    (void)close(fd);
    *bytes += (size_t)st.st_size;
    return lines;
}

typedef struct times {
    double judgments, run, join, release;
} times;

static double total(times t)
{
    return t.judgments + t.run + t.join + t.release;
}

typedef struct joining {
    const iv_run *run;
    const iv_judgments *judgments;
    atomic_size_t relevant;
} joining;

static void end_join(void *memory)
{
    iv_join_free(*(iv_join **)memory);
}

static void *new_join(iv_arena *own, void *user)
{
    iv_join **w = iv_take(own, 1, sizeof *w);

    (void)user;
    if (w == NULL || iv_join_new(w, NULL) < 0)
        give_up("no memory");
    return iv_own(own, w, end_join);
}

static int join_topic(void *user, void *memory, size_t t, iv_err *err)
{
    joining *x = user;
    iv_joined joined;
    size_t relevant = 0;
    const size_t judged = iv_judgments_find_topic(x->judgments, iv_run_topic(x->run, t));

    if (iv_join_topic(&joined, *(iv_join **)memory, x->run, t, x->judgments, judged,
                      IV_SCORES_DOUBLE, err) < 0)
        give_up(err->msg);
    for (size_t i = 0; i < joined.hit_count; i++)
        relevant += joined.hits[i].judgment != NULL && joined.hits[i].judgment->grade > 0;
    x->relevant += relevant;
    return IV_OK;
}

static size_t join_all(const iv_run *r, const iv_judgments *j, int threads)
{
    joining x = { .run = r, .judgments = j };
    const iv_loop loop = { iv_run_topics(r), join_topic, &x, new_join };

    if (iv_parallel(&loop, &(iv_work){ .threads = threads }, NULL) != IV_OK)
        give_up("cannot join");
    return x.relevant;
}

static times read_and_join(const char *qrels, const char *run, int threads, size_t *relevant)
{
    iv_err err = { IV_OK, "" };
    iv_judgments *j = NULL;
    iv_run *r = NULL;
    const double start = now_ms();

    if (iv_judgments_load(&j, qrels, IV_JUDGMENTS_ANY,
                          &(iv_work){ .threads = threads }, &err) < 0)
        give_up(err.msg);
    const double judged = now_ms();
    if (iv_run_load(&r, run, IV_RUN_ANY, &(iv_work){ .threads = threads }, &err) < 0)
        give_up(err.msg);
    const double read = now_ms();
    *relevant = join_all(r, j, threads);
    const double joined = now_ms();
    iv_run_free(r);
    iv_judgments_free(j);
    return (times){ judged - start, read - judged, joined - read, now_ms() - joined };
}

/* The largest memory of a process that does it once, mapped pages included. */
static double peak_bytes(const char *qrels, const char *run, int threads)
{
    struct rusage usage;
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        size_t relevant;
        (void)read_and_join(qrels, run, threads, &relevant);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        give_up("cannot measure memory");
    return 1024.0 * (double)usage.ru_maxrss;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 3 ? atoi(argv[3]) : 15;
    const int most = iv_work_threads(NULL);

    if (argc < 3)
        give_up("usage: bench_read JUDGMENTS RUN [ROUNDS]");
    double peak[2];
    peak[0] = peak_bytes(argv[1], argv[2], 1);
    peak[1] = peak_bytes(argv[1], argv[2], most);
    printf("%-8s %9s %9s %9s %9s %9s %9s %8s %8s %9s\n", "threads", "walk_ms", "judg_ms",
           "run_ms", "join_ms", "free_ms", "total_ms", "ns/line", "MB/s", "x walk");
    for (int threads = 1; threads <= most; threads += threads < most ? most - threads : 1) {
        double best_walk = 1e30;
        times best = { 1e30, 0, 0, 0 };
        size_t lines = 0, bytes = 0, relevant = 0;
        for (int k = 0; k < rounds; k++) {
            bytes = 0;
            const double start = now_ms();
            lines = walk(argv[1], &bytes);
            lines += walk(argv[2], &bytes);
            const double walked = now_ms() - start;
            const times t = read_and_join(argv[1], argv[2], threads, &relevant);
            best_walk = walked < best_walk ? walked : best_walk;
            best = total(t) < total(best) ? t : best;
        }
        printf("%-8d %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %8.1f %8.0f %9.2f\n", threads,
               best_walk, best.judgments, best.run, best.join, best.release, total(best),
               1e6 * total(best) / (double)lines, (double)bytes / 1e3 / total(best),
               total(best) / best_walk);
        printf("         %zu lines, %.1f MB, %zu relevant retrieved; peak memory %.2f bytes "
               "a byte read\n", lines, (double)bytes / 1e6, relevant,
               peak[threads > 1] / (double)bytes);
        if (threads == most)
            break;
    }
    return 0;
}
