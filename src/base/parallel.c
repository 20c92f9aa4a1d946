/* SPDX-License-Identifier: Apache-2.0 */
#include "base/parallel.h"

#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#else /* one thread does everything, in order */
#define omp_in_parallel() 1
#define omp_get_max_threads() 1
#endif

uint64_t iv_work_seed(const iv_work *work)
{
    return work == NULL || work->seed == 0 ? 1 : work->seed;
}

int iv_work_threads(const iv_work *work)
{
    return omp_in_parallel()                   ? 1
           : work != NULL && work->threads > 0 ? work->threads
                                               : omp_get_max_threads();
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

int iv_stopped(iv_err *err)
{
    return iv_fail(err, IV_ECANCELLED, "stopped before the end");
}

int iv_check_work(const iv_work *work, double done, iv_err *err)
{
    if (work == NULL || work->progress.report == NULL
        || work->progress.report(work->progress.user, done) == 0)
        return IV_OK;
    return iv_stopped(err);
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

/* What the threads of a loop share; guarded by the critical section. */
typedef struct shared {
    const iv_loop *loop;
    const iv_work *work;
    size_t bad;       /* the lowest index that failed; SIZE_MAX: none */
    iv_err why;
    size_t done;
    double told;      /* when progress was asked last, in seconds */
    bool cancelled;
} shared;

static double seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int iv_step(iv_steps *steps, iv_err *err)
{
    const iv_progress *p = steps->work != NULL ? &steps->work->progress : NULL;
    bool stopped;

    if (p == NULL || p->report == NULL)
        return IV_OK;
    #pragma omp critical(iv_parallel)
    {
        const double now = seconds();
        steps->done += 1.0;
        if (!steps->stopped && (now - steps->told > 0.01 || steps->done == steps->total)) {
            steps->told = now;
            steps->stopped = p->report(p->user, steps->done / steps->total) != 0;
        }
        stopped = steps->stopped;
    }
    return stopped ? iv_stopped(err) : IV_OK;
}

static int ask_outside(void *user, double fraction)
{
    iv_asking *a = user;
    int stopped;

    #pragma omp critical(iv_asking)
    {
        a->fraction = fraction;
        a->asked = seconds();
        stopped = a->whole.report(a->whole.user, fraction);
    }
    return stopped;
}

static int ask_inside(void *user, double fraction)
{
    iv_asking *a = user;
    int stopped = 0;

    (void)fraction;
    #pragma omp critical(iv_asking)
    {
        if (seconds() - a->asked > 0.01) {
            a->asked = seconds();
            stopped = a->whole.report(a->whole.user, a->fraction);
        }
    }
    return stopped;
}

void iv_asking_start(iv_asking *a, const iv_work *work)
{
    *a = (iv_asking){ .outer = work != NULL ? *work : (iv_work){ 0 } };
    a->inner = (iv_work){ .threads = 1, .seed = a->outer.seed };
    a->whole = a->outer.progress;
    if (a->whole.report == NULL)
        return;
    a->outer.progress = (iv_progress){ ask_outside, a };
    a->inner.progress = (iv_progress){ ask_inside, a };
}

/* After an item: counts it, and asks whether to go on. */
static void tell(shared *s)
{
    const iv_progress *p = s->work != NULL ? &s->work->progress : NULL;

    if (p == NULL || p->report == NULL)
        return;
    #pragma omp critical(iv_parallel)
    {
        const double now = seconds();
        s->done++;
        if (!s->cancelled && (now - s->told > 0.01 || s->done == s->loop->count)) {
            s->told = now;
            if (p->report(p->user, (double)s->done / (double)s->loop->count) != 0) {
                #pragma omp atomic write
                s->cancelled = true;
            }
        }
    }
}

/* Is an item still of interest?  One before the first that failed is. */
static bool is_due(shared *s, size_t i)
{
    size_t bad;
    bool cancelled;

    #pragma omp atomic read
    bad = s->bad;
    #pragma omp atomic read
    cancelled = s->cancelled;
    return i < bad && !cancelled;
}

static void note_failure(shared *s, size_t i, const iv_err *why)
{
    #pragma omp critical(iv_parallel)
    {
        if (i < s->bad) {
            s->why = *why;
            #pragma omp atomic write
            s->bad = i;
        }
    }
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
    tell(s);
}

int iv_parallel(const iv_loop *loop, const iv_work *work, iv_err *err)
{
    shared s = { .loop = loop, .work = work, .bad = SIZE_MAX };
    int threads = iv_work_threads(work);

    if ((size_t)threads > loop->count)
        threads = loop->count == 0 ? 1 : (int)loop->count;
    #pragma omp parallel num_threads(threads) if (threads > 1)
    {
        iv_arena own = { 0 };
        void *memory = loop->memory != NULL ? loop->memory(&own, loop->user) : NULL;
        if (own.failed)
            memory = NULL;
        #pragma omp for schedule(dynamic)
        for (size_t i = 0; i < loop->count; i++)
            if (is_due(&s, i))
                do_item(&s, memory, i);
        iv_arena_free(&own);
    }
    if (s.bad != SIZE_MAX)
        return iv_fail_as(err, &s.why);
    return s.cancelled ? iv_stopped(err) : IV_OK;
}
