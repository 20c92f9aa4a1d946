/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long does a judgment take beside what the disk itself takes, how many come through at
 * once, what does the next of 100,000 documents cost, and how fast is a collection scanned of
 * which few documents are wanted?
 *
 * usage: bench_judge INTERVALE FOLDER [ITEMS [SECONDS]]
 *
 * FOLDER is on the disk to be measured.  The disk's own figure, one block appended and
 * synchronised, is taken in the same run, in turn with judgments.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ASSESSORS = 16, ROUNDS = 1000, READS = 3000, TOPICS = 100, ANSWER = 1 << 16,
       COLLECTION = 250000, WANTED = 200 };

static double now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static pid_t serving; /* ends with us */

static void give_up(const char *why)
{
    if (serving > 0)
        (void)kill(serving, SIGTERM);
    (void)fprintf(stderr, "bench_judge: %s\n", why);
    exit(EXIT_FAILURE);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

typedef struct spread {
    double p50, p99;
} spread;

static spread spread_of(double *ms, size_t count)
{
    qsort(ms, count, sizeof *ms, by_size);
    return (spread){ ms[count / 2], ms[(size_t)(0.99 * (double)(count - 1))] };
}

/* ------------------------------------------------------------- the session -- */

static FILE *create(const char *folder, const char *name)
{
    char path[1024];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        give_up(path);
    return out;
}

static void make_files(const char *folder, int items)
{
    FILE *run = create(folder, "bench.run"), *texts = create(folder, "bench.jsonl");

    for (int i = 0; i < items; i++) {
        fprintf(run, "%d Q0 doc%07d %d %d b\n", 1 + i % TOPICS, i, 1 + i / TOPICS,
                items - i / TOPICS);
        fprintf(texts, "{\"_id\":\"doc%07d\",\"title\":\"Document %d\",\"text\":\"", i, i);
        for (int k = 0; k < 12; k++)
            fprintf(texts, "Sentence %d of a text that somebody reads. ", (i * 31 + k) % 1000);
        fputs("\"}\n", texts);
    }
    if (fclose(run) != 0 || fclose(texts) != 0)
        give_up("cannot write");
}

typedef struct server {
    pid_t pid;
    int port;
    char tokens[ASSESSORS][33];
} server;

static void read_links(server *s, const char *path)
{
    char line[256];

    for (int tries = 0; tries < 600; tries++) {
        FILE *in = fopen(path, "r");
        int count = 0;
        while (in != NULL && count < ASSESSORS && fgets(line, sizeof line, in) != NULL) {
            const char *port = strstr(line, "127.0.0.1:"), *token = strstr(line, "#t=");
            if (port == NULL || token == NULL || strlen(token) < 36)
                continue;
            s->port = atoi(port + 10);
            memcpy(s->tokens[count++], token + 3, 32);
        }
        if (in != NULL)
            (void)fclose(in);
        if (count == ASSESSORS)
            return;
        (void)nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
    }
    give_up("the server did not start");
}

/* Makes a session; the seconds that takes. */
static double make(const char *tool, const char *file, const char *run, const char *texts,
                   const char *names)
{
    static const char *const beside[] = { "", "-wal", "-shm" };
    const double began = now_ms();
    char path[1100];
    int status = 1;

    for (int i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s%s", file, beside[i]);
        (void)unlink(path);
    }
    const pid_t child = fork();
    if (child == 0) {
        (void)execl(tool, tool, "judge", "new", file, "--queue", run, "--documents", texts,
                    "--assessors", names, "--quiet", "-o", "/dev/null", (char *)NULL);
        _exit(127);
    }
    if (waitpid(child, &status, 0) != child || status != 0)
        give_up("judge new failed");
    return (now_ms() - began) / 1e3;
}

/* A collection of texts of a kilobyte, of which few are wanted: the best of three. */
static void scan(const char *tool, const char *folder)
{
    char file[1024], run[1024], texts[1024];
    FILE *out = create(folder, "few.run"), *all = create(folder, "collection.jsonl");
    double best = 1e9;

    (void)snprintf(file, sizeof file, "%s/few.db", folder);
    (void)snprintf(run, sizeof run, "%s/few.run", folder);
    (void)snprintf(texts, sizeof texts, "%s/collection.jsonl", folder);
    for (int i = 0; i < WANTED; i++)
        fprintf(out, "1 Q0 doc%07d %d %d b\n", i * (COLLECTION / WANTED), i + 1, WANTED - i);
    for (int i = 0; i < COLLECTION; i++) {
        fprintf(all, "{\"_id\": \"doc%07d\", \"title\": \"Document %d\", \"text\": \"", i, i);
        for (int k = 0; k < 22; k++)
            fprintf(all, "Sentence %d of a text that nobody has asked for. ", (i * 31 + k) % 1000);
        fputs("\"}\n", all);
    }
    const double bytes = (double)ftell(all);
    if (fclose(out) != 0 || fclose(all) != 0)
        give_up("cannot write");
    for (int i = 0; i < 3; i++) {
        const double s = make(tool, file, run, texts, "assessor");
        best = s < best ? s : best;
    }
    printf("collection of %.0f MB, %d documents wanted: %.0f MB/s (bar: 400)\n", bytes / 1e6,
           (int)WANTED, bytes / 1e6 / best);
    (void)unlink(texts);
}

static void start(server *s, const char *tool, const char *folder, int items)
{
    static char file[1024], links[1024], run[1024], texts[1024], names[256];
    char *assessors = names;

    (void)snprintf(file, sizeof file, "%s/bench.db", folder);
    (void)snprintf(links, sizeof links, "%s/bench.links", folder);
    (void)snprintf(run, sizeof run, "%s/bench.run", folder);
    (void)snprintf(texts, sizeof texts, "%s/bench.jsonl", folder);
    for (int i = 0; i < ASSESSORS; i++)
        assessors += sprintf(assessors, "%sassessor%d", i > 0 ? "," : "", i);
    (void)unlink(links);
    make_files(folder, items);
    printf("judge new: %.1f s for %d items\n", make(tool, file, run, texts, names), items);
    s->pid = serving = fork();
    if (s->pid == 0) {
        (void)execl(tool, tool, "judge", "serve", file, "--url-file", links, (char *)NULL);
        _exit(127);
    }
    read_links(s, links);
}

/* --------------------------------------------------------------- requests -- */

typedef struct client {
    int fd;
    char key[96], *answer;
} client;

static void meet(client *c, const server *s)
{
    const struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)s->port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int yes = 1;

    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    c->answer = malloc(ANSWER);
    (void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (c->answer == NULL || connect(c->fd, (const struct sockaddr *)&at, sizeof at) != 0)
        give_up("cannot connect");
}

/* Sends, and reads one whole answer; its status. */
static int ask(client *c, const char *request, size_t len)
{
    size_t got = 0, whole = SIZE_MAX;

    if (send(c->fd, request, len, 0) != (ssize_t)len)
        give_up("cannot send");
    while (got < whole) {
        const ssize_t n = recv(c->fd, c->answer + got, ANSWER - 1 - got, 0);
        if (n <= 0)
            give_up("the connection ended");
        got += (size_t)n;
        c->answer[got] = '\0';
        const char *end = strstr(c->answer, "\r\n\r\n");
        if (end == NULL)
            continue;
        const char *length = strstr(c->answer, "Content-Length: ");
        whole = (size_t)(end + 4 - c->answer)
            + (length != NULL && length < end ? strtoul(length + 16, NULL, 10) : 0);
    }
    return atoi(c->answer + 9);
}

static int get(client *c, const server *s, const char *path)
{
    char request[512];
    const int len = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                             "Authorization: Bearer %s\r\n\r\n", path, s->port, c->key);

    return ask(c, request, (size_t)len);
}

static int post(client *c, const server *s, const char *path, const char *body)
{
    char request[1024];
    const int len = snprintf(request, sizeof request, "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                             "Origin: http://127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                             "Authorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s", path, s->port, s->port,
                             c->key, strlen(body), body);

    return ask(c, request, (size_t)len);
}

static void enter(client *c, const server *s, int who)
{
    char body[80];

    meet(c, s);
    (void)snprintf(c->key, sizeof c->key, "none");
    (void)snprintf(body, sizeof body, "{\"token\":\"%s\"}", s->tokens[who]);
    if (post(c, s, "/api/login", body) != 200)
        give_up("cannot log in");
    const char *key = strstr(c->answer, "\"key\":\"");
    if (key == NULL)
        give_up("no key");
    (void)snprintf(c->key, sizeof c->key, "%.*s", (int)strcspn(key + 7, "\""), key + 7);
}

static long item_of(const client *c)
{
    const char *at = strstr(c->answer, "\"next\":{\"item\":");

    return at == NULL ? 0 : strtol(at + 15, NULL, 10);
}

/* Judges what the last answer showed; the time that took. */
static double judge(client *c, const server *s, int who, long number)
{
    char body[400];

    (void)snprintf(body, sizeof body, "{\"judgments\":[{\"uuid\":\"%08x-0000-4000-8000-%012lx\","
                   "\"item\":%ld,\"reason\":\"judged\",\"grade\":%ld,\"active_ms\":4000,"
                   "\"away_ms\":0}],\"more\":true,\"topic\":0,\"not\":0,\"adjudicate\":false}",
                   (unsigned)who, number, item_of(c), number % 2);
    const double began = now_ms();
    if (post(c, s, "/api/judgments", body) != 201)
        give_up(c->answer);
    return now_ms() - began;
}

/* ------------------------------------------------------------ what is timed -- */

static double sync_once(int fd)
{
    static char block[4096];
    const double began = now_ms();

    if (write(fd, block, sizeof block) != (ssize_t)sizeof block || fdatasync(fd) != 0)
        give_up("cannot synchronise");
    return now_ms() - began;
}

typedef struct crowd {
    const server *server;
    client c;
    int who;
    double until;
    long count;
} crowd;

static void *hurry(void *user)
{
    crowd *m = user;

    while (now_ms() < m->until && item_of(&m->c) != 0)
        (void)judge(&m->c, m->server, m->who, 100000 + m->count++);
    return NULL;
}

static double many(const server *s, double seconds)
{
    static crowd all[ASSESSORS];
    pthread_t threads[ASSESSORS];
    long count = 0;

    for (int i = 0; i < ASSESSORS; i++) {
        all[i] = (crowd){ .server = s, .who = i };
        enter(&all[i].c, s, i);
        (void)get(&all[i].c, s, "/api/next");
    }
    const double began = now_ms();
    for (int i = 0; i < ASSESSORS; i++) {
        all[i].until = began + 1e3 * seconds;
        if (pthread_create(&threads[i], NULL, hurry, &all[i]) != 0)
            give_up("no thread");
    }
    for (int i = 0; i < ASSESSORS; i++) {
        (void)pthread_join(threads[i], NULL);
        count += all[i].count;
    }
    return (double)count / ((now_ms() - began) / 1e3);
}

static long peak_kb(pid_t pid)
{
    char path[64], line[256];
    long kb = 0;

    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *in = fopen(path, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            kb = atol(line + 6);
    if (in != NULL)
        (void)fclose(in);
    return kb;
}

static void read_and_next(client *c, const server *s)
{
    static double bare[READS], next[READS];
    char path[64];

    for (int i = 0; i < READS; i++) { /* in turn: the machine may be busy with other things */
        double began = now_ms();
        if (get(c, s, "/favicon.ico") != 204)
            give_up(c->answer);
        bare[i] = now_ms() - began;
        (void)snprintf(path, sizeof path, "/api/next?topic=%d&not=%ld", 1 + i % TOPICS, item_of(c));
        began = now_ms();
        if (get(c, s, path) != 200)
            give_up(c->answer);
        next[i] = now_ms() - began;
    }
    const spread b = spread_of(bare, READS), n = spread_of(next, READS);
    printf("bare request: p50 %.3f ms, p99 %.3f ms\n", b.p50, b.p99);
    printf("next document: p50 %.3f ms, p99 %.3f ms, %.2f x the bare p99 (bar: 3)\n", n.p50, n.p99,
           n.p99 / b.p99);
}

int main(int argc, char **argv)
{
    static double disk[ROUNDS], ours[ROUNDS];
    const int items = argc > 3 ? atoi(argv[3]) : 100000;
    const double seconds = argc > 4 ? atof(argv[4]) : 5.0;
    char path[1024];
    server s = { 0 };
    client c;

    if (argc < 3)
        give_up("usage: bench_judge INTERVALE FOLDER [ITEMS [SECONDS]]");
    setvbuf(stdout, NULL, _IOLBF, 0);
    scan(argv[1], argv[2]);
    start(&s, argv[1], argv[2], items);
    (void)snprintf(path, sizeof path, "%s/bench.sync", argv[2]);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    enter(&c, &s, 0);
    read_and_next(&c, &s);
    (void)get(&c, &s, "/api/next");
    for (int i = 0; i < ROUNDS; i++) { /* in turn: the disk may have other work, too */
        disk[i] = sync_once(fd);
        ours[i] = judge(&c, &s, 0, i);
    }
    const spread d = spread_of(disk, ROUNDS), o = spread_of(ours, ROUNDS);
    printf("fdatasync: p50 %.3f ms, p99 %.3f ms\n", d.p50, d.p99);
    printf("one assessor: p50 %.3f ms (bar: %.3f), p99 %.3f ms (bar: %.3f)\n", o.p50, d.p50 + 1.0,
           o.p99, 2.0 * d.p99 + 5.0);
    const double rate = many(&s, seconds);
    printf("%d assessors: %.0f durable judgments/s, %.1f / p50 of fdatasync (bar: 8)\n", ASSESSORS,
           rate, rate * d.p50 / 1e3);
    printf("peak memory: %.1f MB (bar: %.1f)\n", (double)peak_kb(s.pid) / 1024.0,
           64.0 + 16.0 * (double)items / 1048576.0);
    (void)kill(s.pid, SIGTERM);
    (void)waitpid(s.pid, NULL, 0);
    return 0;
}
