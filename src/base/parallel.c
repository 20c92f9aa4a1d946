/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel loops, progress, and the one lock. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#if INTERVALE_THREADS
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void iv_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

void iv_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

/* fork() waits until no thread is between the two, so that the child sees nothing half done. */
__attribute__((constructor)) static void survive_fork(void)
{
    (void)pthread_atfork(iv_lock, iv_unlock, iv_unlock);
}

/* The processors this process may use; OMP_NUM_THREADS, which batch systems set, says fewer. */
static int default_threads(void)
{
    const char *said = getenv("OMP_NUM_THREADS");
    const long wanted = said != NULL ? strtol(said, NULL, 10) : 0;
    long usable = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        usable = CPU_COUNT(&set);
#endif
    if (wanted > 0 && wanted < INT_MAX)
        return (int)wanted;
    return usable > 0 && usable < INT_MAX ? (int)usable : 1;
}
#else /* one thread does everything, in order */
#define sched_yield() ((void)0)

void iv_lock(void)
{
}

void iv_unlock(void)
{
}

static int default_threads(void)
{
    return 1;
}
#endif

/* Set in threads that work for a loop: what they call uses one thread. */
static _Thread_local bool working;

uint64_t iv_work_seed(const iv_work *work)
{
    return work == NULL || work->seed == 0 ? 1 : work->seed;
}

int iv_work_threads(const iv_work *work)
{
    if (working || !INTERVALE_THREADS)
        return 1;
    return work != NULL && work->threads > 0 ? work->threads : default_threads();
}

const iv_work *iv_work_for(iv_work *room, const iv_work *work, size_t bytes)
{
    *room = work != NULL ? *work : (iv_work){ 0 };
    if (bytes < (size_t)1 << 16)
        room->threads = 1;
    return room;
}

iv_work iv_work_quiet(const iv_work *work)
{
    return (iv_work){ .threads = iv_work_threads(work),
                      .most_bytes = work != NULL ? work->most_bytes : 0,
                      .digests = work != NULL ? work->digests : NULL };
}

static int stopped_early(iv_err *err)
{
    return iv_fail(err, IV_ECANCELLED, "stopped before the end");
}

int iv_check_work(const iv_work *work, double done, iv_err *err)
{
    if (work == NULL || work->progress.report == NULL
        || work->progress.report(work->progress.user, done) == 0)
        return IV_OK;
    return stopped_early(err);
}

static int report_part(void *user, double fraction)
{
    const iv_stage *s = user;

    return s->whole.report(s->whole.user, s->from + (s->to - s->from) * fraction);
}

const iv_work *iv_work_part(iv_stage *stage, const iv_work *whole, double from, double to)
{
    *stage = (iv_stage){ .from = from, .to = to };
    if (whole != NULL) {
        stage->work = *whole;
        stage->whole = whole->progress;
        if (whole->progress.report != NULL)
            stage->work.progress = (iv_progress){ report_part, stage };
    }
    return &stage->work;
}

const iv_work *iv_work_nth(iv_stage *stage, const iv_work *whole, size_t i, size_t n)
{
    return iv_work_part(stage, whole, (double)i / (double)n, (double)(i + 1) / (double)n);
}

/* What the threads of a loop share. */
typedef struct shared {
    const iv_loop *loop;
    atomic_size_t next; /* the item to do next */
    atomic_size_t bad;  /* the lowest index that failed; SIZE_MAX: none */
    iv_err why;         /* guarded by iv_lock() */
    iv_steps steps;     /* how many items are done */
} shared;

static double seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One at a time, for calls of the caller's functions: false if another is inside and `wait` is
 * false.  Leave what was entered. */
static bool enter(atomic_bool *busy, bool wait)
{
    while (atomic_exchange(busy, true)) {
        if (!wait)
            return false;
        sched_yield();
    }
    return true;
}

static void leave(atomic_bool *busy)
{
    atomic_store(busy, false);
}

int iv_step(iv_steps *steps, iv_err *err)
{
    const iv_progress *p = steps->work != NULL ? &steps->work->progress : NULL;

    if (p == NULL || p->report == NULL)
        return IV_OK;
    const bool last = (double)(atomic_fetch_add(&steps->done, 1) + 1) == steps->total;
    if (enter(&steps->busy, last)) {
        const double now = seconds();
        if (!steps->stopped && (now - steps->reported > 0.01 || last)) {
            steps->reported = now;
            if (p->report(p->user, (double)atomic_load(&steps->done) / steps->total) != 0)
                steps->stopped = true;
        }
        leave(&steps->busy);
    }
    return steps->stopped ? stopped_early(err) : IV_OK;
}

static int ask_outside(void *user, double fraction)
{
    iv_nested_work *a = user;

    (void)enter(&a->busy, true);
    a->fraction = fraction;
    a->asked = seconds();
    const int stopped = a->whole.report(a->whole.user, fraction);
    leave(&a->busy);
    return stopped;
}

static int ask_inside(void *user, double fraction)
{
    iv_nested_work *a = user;
    int stopped = 0;

    (void)fraction;
    if (!enter(&a->busy, false))
        return 0;
    if (seconds() - a->asked > 0.01) {
        a->asked = seconds();
        stopped = a->whole.report(a->whole.user, a->fraction);
    }
    leave(&a->busy);
    return stopped;
}

void iv_nested_work_start(iv_nested_work *a, const iv_work *work)
{
    *a = (iv_nested_work){ .outer = work != NULL ? *work : (iv_work){ 0 } };
    a->inner = a->outer;
    a->inner.threads = 1;
    a->whole = a->outer.progress;
    if (a->whole.report == NULL)
        return;
    a->outer.progress = (iv_progress){ ask_outside, a };
    a->inner.progress = (iv_progress){ ask_inside, a };
}

static void note_failure(shared *s, size_t i, const iv_err *why)
{
    iv_lock();
    if (i < s->bad) {
        s->why = *why;
        s->bad = i;
    }
    iv_unlock();
}

static void do_item(shared *s, void *memory, size_t i)
{
    iv_err mine = { .code = IV_OK };
    int rc = IV_OK;

    if (s->loop->memory != NULL && memory == NULL)
        rc = iv_fail(&mine, IV_ENOMEM, "out of memory");
    else
        rc = s->loop->item(s->loop->user, memory, i, &mine);
    if (rc != IV_OK) {
        mine.code = mine.code == IV_OK ? rc : mine.code;
        note_failure(s, i, &mine);
    }
    (void)!iv_step(&s->steps, NULL);
}

/* One thread's part.  An item after one that failed is of no interest, one before it is. */
static void *take_items(void *loop_shared)
{
    shared *s = loop_shared;
    const iv_loop *loop = s->loop;
    iv_arena own = { 0 };
    void *memory = loop->memory != NULL ? loop->memory(&own, loop->user) : NULL;

    if (own.failed)
        memory = NULL;
    for (;;) {
        const size_t i = atomic_fetch_add(&s->next, 1);
        if (i >= loop->count || s->steps.stopped)
            break;
        if (i < s->bad)
            do_item(s, memory, i);
    }
    iv_arena_free(&own);
    return NULL;
}

#if INTERVALE_THREADS
static void *help(void *loop_shared)
{
    working = true;
    return take_items(loop_shared);
}

/*
 * Starts helpers for one loop, as many as the system gives; returns how many.  They live as long
 * as the loop, so that nothing is left for a child of fork() to miss, and take no signals.
 */
static size_t start_helpers(pthread_t *at, size_t wanted, shared *s)
{
    sigset_t all, before;
    size_t started = 0;

    (void)sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return 0;
    while (started < wanted && pthread_create(&at[started], NULL, help, s) == 0)
        started++;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void take_together(shared *s, size_t threads)
{
    pthread_t *helpers = threads > 1 ? malloc((threads - 1) * sizeof *helpers) : NULL;
    const size_t started = helpers != NULL ? start_helpers(helpers, threads - 1, s) : 0;
    const bool before = working;

    working = started > 0 || working;
    (void)take_items(s);
    working = before;
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(helpers[i], NULL);
    free(helpers);
}
#else
static void take_together(shared *s, size_t threads)
{
    (void)threads;
    (void)take_items(s);
}
#endif

int iv_parallel(const iv_loop *loop, const iv_work *work, iv_err *err)
{
    shared s = { .loop = loop, .bad = SIZE_MAX,
                 .steps = { .work = work, .total = (double)loop->count } };
    size_t threads = (size_t)iv_work_threads(work);

    take_together(&s, threads < loop->count ? threads : loop->count);
    if (s.bad != SIZE_MAX)
        return iv_fail_as(err, &s.why);
    return s.steps.stopped ? stopped_early(err) : IV_OK;
}
