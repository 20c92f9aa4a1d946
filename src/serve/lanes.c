/* SPDX-License-Identifier: Apache-2.0 */
/* The two threads beside the loop: one commits, one computes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "serve/server.h"

enum { BATCH_MOST = 1024, BACKUP_EVERY = 200, IDLE_SECONDS = 1, BACKUP_IDLE = 5 };

iv_job *iv_job_new(iv_exchange *x, int64_t assessor, bool owner)
{
    iv_job *job = calloc(1, sizeof *job);

    if (job == NULL) {
        iv_say_error(x, 503, "out of memory");
        iv_wire_answer(x);
        return NULL;
    }
    job->assessor = assessor;
    job->owner = owner;
    x->job = job;
    return job;
}

void iv_job_free(iv_exchange *x)
{
    iv_job *job = x->job;

    if (job == NULL)
        return;
    iv_arena_free(&job->memory);
    free(job);
    x->job = NULL;
}

void iv_lane_add(iv_lane *lane, iv_exchange *x)
{
    (void)pthread_mutex_lock(&lane->lock);
    x->next = NULL;
    *lane->last = x;
    lane->last = &x->next;
    (void)pthread_cond_signal(&lane->come);
    (void)pthread_mutex_unlock(&lane->lock);
}

/* Waits until something came (true) or `s` seconds have passed; 0: for ever.  With the lock. */
static bool wait_lane(iv_lane *lane, int s)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += s;
    while (lane->first == NULL && !lane->stop)
        if (s == 0)
            (void)pthread_cond_wait(&lane->come, &lane->lock);
        else if (pthread_cond_timedwait(&lane->come, &lane->lock, &until) == ETIMEDOUT)
            return lane->first != NULL;
    return lane->first != NULL;
}

/* ------------------------------------------------------------- the writer -- */

/* Puts the entries of all exchanges that bring judgments into one transaction. */
static void append_all(iv_server *v, iv_exchange *first)
{
    size_t count = 0, at = 0;
    iv_err err = { 0 };

    for (iv_exchange *x = first; x != NULL; x = x->next)
        count += ((iv_job *)x->job)->sent.count;
    if (count == 0)
        return;
    iv_store_entry *all = malloc(count * sizeof *all);
    for (iv_exchange *x = first; all != NULL && x != NULL; x = x->next) {
        const iv_sent *sent = &((iv_job *)x->job)->sent;
        if (sent->count > 0)
            memcpy(all + at, sent->entries, sent->count * sizeof *all);
        at += sent->count;
    }
    const int rc = all == NULL ? iv_no_memory(&err) : iv_store_append(v->store, all, count, &err);
    at = 0;
    for (iv_exchange *x = first; x != NULL; x = x->next) {
        iv_job *job = x->job;
        if (job->sent.count == 0)
            continue;
        job->rc = rc;
        job->err = err;
        if (rc == IV_OK)
            memcpy(job->sent.entries, all + at, job->sent.count * sizeof *all);
        at += job->sent.count;
    }
    free(all);
}

/* Takes what waits, but no more than a transaction shall hold. */
static iv_exchange *take_batch(iv_lane *lane)
{
    iv_exchange *first = lane->first, **end = &first;
    size_t count = 0;

    for (; *end != NULL && count < BATCH_MOST; end = &(*end)->next)
        count += ((iv_job *)(*end)->job)->sent.count;
    lane->first = *end;
    if (*end == NULL)
        lane->last = &lane->first;
    *end = NULL;
    return first;
}

/* While nobody judges: the log is folded into the file, and a copy of it made.  A failure
 * here takes nothing from anybody; the next judgment tells. */
static void tidy(iv_server *v, int idle, bool *folded)
{
    iv_err err;
    const int64_t seq = iv_store_seq(v->store);

    if (!*folded)
        (void)!iv_store_checkpoint(v->store, &err);
    *folded = true;
    if (seq < v->backed_up + BACKUP_EVERY || idle < BACKUP_IDLE)
        return;
    char path[4096];
    v->backed_up = seq;
    if (snprintf(path, sizeof path, "%s.backup", v->options->file) < (int)sizeof path)
        (void)!iv_store_backup(v->store, path, &err);
}

static void *write_lane(void *user)
{
    iv_lane *lane = user;
    iv_server *v = lane->server;
    bool folded = true;
    int idle = 0;

    for (;;) {
        (void)pthread_mutex_lock(&lane->lock);
        const bool came = wait_lane(lane, IDLE_SECONDS), stop = lane->stop;
        iv_exchange *first = came ? take_batch(lane) : NULL;
        (void)pthread_mutex_unlock(&lane->lock);
        if (!came && stop)
            return NULL;
        if (!came) {
            tidy(v, ++idle, &folded);
            continue;
        }
        idle = 0;
        folded = false;
        append_all(v, first);
        while (first != NULL) {
            iv_exchange *x = first;
            iv_job *job = x->job;
            first = x->next;
            if (job->work != NULL)
                job->work(v, x);
            iv_wire_return(x);
        }
    }
}

/* ------------------------------------------------------------- the worker -- */

static void *work_lane(void *user)
{
    iv_lane *lane = user;

    for (;;) {
        (void)pthread_mutex_lock(&lane->lock);
        const bool came = wait_lane(lane, 0);
        iv_exchange *x = lane->first;
        if (came) {
            lane->first = x->next;
            if (x->next == NULL)
                lane->last = &lane->first;
        }
        (void)pthread_mutex_unlock(&lane->lock);
        if (!came)
            return NULL;
        ((iv_job *)x->job)->work(lane->server, x);
        iv_wire_return(x);
    }
}

static int start_lane(iv_lane *lane, iv_server *v, void *(*run)(void *), iv_err *err)
{
    pthread_condattr_t how;

    lane->server = v;
    lane->last = &lane->first;
    (void)pthread_mutex_init(&lane->lock, NULL);
    (void)pthread_condattr_init(&how);
    (void)pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&lane->come, &how);
    (void)pthread_condattr_destroy(&how);
    lane->running = pthread_create(&lane->thread, NULL, run, lane) == 0;
    return lane->running ? IV_OK : iv_fail(err, IV_EIO, "cannot start a thread");
}

int iv_lanes_start(iv_server *v, iv_err *err)
{
    v->backed_up = iv_store_seq(v->store);
    IV_TRY(start_lane(&v->writer, v, write_lane, err));
    return start_lane(&v->worker, v, work_lane, err);
}

static void stop_lane(iv_lane *lane)
{
    if (!lane->running)
        return;
    (void)pthread_mutex_lock(&lane->lock);
    lane->stop = true;
    (void)pthread_cond_signal(&lane->come);
    (void)pthread_mutex_unlock(&lane->lock);
    (void)pthread_join(lane->thread, NULL);
    lane->running = false;
}

void iv_lanes_stop(iv_server *v)
{
    stop_lane(&v->writer);
    stop_lane(&v->worker);
}
