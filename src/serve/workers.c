/* SPDX-License-Identifier: Apache-2.0 */
/* The two threads beside the loop: one commits, one computes. */
#include "base/err.h"
#include "serve/answers.h"
#include "serve/bodies.h"
#include "serve/connection.h"
#include "serve/server.h"
#include "serve/workers.h"
#include "store/assessors.h"
#include "store/entries.h"
#include "store/session.h"
#include "store/upkeep.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH_MOST = 1024, BACKUP_EVERY = 200, IDLE_SECONDS = 1, BACKUP_IDLE = 5 };

void iv_worker_add(iv_worker_queue *desk, iv_exchange *x)
{
    (void)pthread_mutex_lock(&desk->lock);
    x->next = NULL;
    *desk->last = x;
    desk->last = &x->next;
    desk->waiting++;
    (void)pthread_cond_signal(&desk->come);
    (void)pthread_mutex_unlock(&desk->lock);
}

/* Waits until something came (true) or `s` seconds have passed; 0: for ever.  With the lock. */
static bool wait_desk(iv_worker_queue *desk, int s)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += s;
    while (desk->first == NULL && !desk->stop)
        if (s == 0)
            (void)pthread_cond_wait(&desk->come, &desk->lock);
        else if (pthread_cond_timedwait(&desk->come, &desk->lock, &until) == ETIMEDOUT)
            return desk->first != NULL;
    return desk->first != NULL;
}

/* ------------------------------------------------------------- the writer -- */

/* Puts the entries of all exchanges that bring judgments into one transaction. */
static void append_all(iv_server *v, iv_exchange *first)
{
    size_t count = 0, at = 0;
    iv_err err = { 0 };

    for (iv_exchange *x = first; x != NULL; x = x->next)
        count += x->sent.count;
    if (count == 0)
        return;
    iv_store_entry *all = malloc(count * sizeof *all);
    for (iv_exchange *x = first; all != NULL && x != NULL; x = x->next) {
        const iv_sent *sent = &x->sent;
        if (sent->count > 0)
            memcpy(all + at, sent->entries, sent->count * sizeof *all);
        at += sent->count;
    }
    const int rc = all == NULL ? iv_no_memory(&err) : iv_store_append(v->store, all, count, &err);
    at = 0;
    for (iv_exchange *x = first; x != NULL; x = x->next) {
        if (x->sent.count == 0)
            continue;
        x->rc = rc;
        x->err = err;
        if (rc == IV_OK)
            memcpy(x->sent.entries, all + at, x->sent.count * sizeof *all);
        at += x->sent.count;
    }
    free(all);
}

/* Takes what waits, but no more than a transaction shall hold; whose it is, a bit an assessor. */
static iv_exchange *take_batch(iv_worker_queue *desk, uint64_t *whose)
{
    iv_exchange *first = desk->first, **end = &first;
    size_t count = 0;

    *whose = 0;
    for (; *end != NULL && count < BATCH_MOST; end = &(*end)->next) {
        const iv_exchange *x = *end;
        count += x->sent.count;
        *whose |= 1ull << ((uint64_t)x->assessor % IV_ASSESSORS_MOST);
        desk->waiting--;
    }
    desk->first = *end;
    if (*end == NULL)
        desk->last = &desk->first;
    *end = NULL;
    return first;
}

int iv_back_up(iv_server *v, iv_err *err)
{
    char path[4096];

    return snprintf(path, sizeof path, "%s.backup", v->options->file) < (int)sizeof path
        ? iv_store_backup(v->store, path, err) : IV_OK;
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
    v->backed_up = seq;
    (void)!iv_back_up(v, &err);
}

/*
 * Those who were just answered will judge again at once when they are programs, and soon when
 * they are people; who comes a moment too late waits for the disk twice.  With several in the
 * last two transactions the next one waits a little for as many: half of what the disk
 * takes, at most.  With the lock.
 */
static void gather(iv_worker_queue *desk, uint64_t whose, double disk_ms)
{
    struct timespec until;
    const double patience = disk_ms / 2.0 < 3.0 ? disk_ms / 2.0 : 3.0;
    const size_t crowd = (size_t)__builtin_popcountll(whose);

    if (crowd < 3 || desk->stop)
        return;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(1e6 * patience);
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    while (desk->waiting < crowd && !desk->stop)
        if (pthread_cond_timedwait(&desk->come, &desk->lock, &until) == ETIMEDOUT)
            return;
}

/* Commits what waits, then hands each exchange back. */
static void write_batch(iv_server *v, iv_exchange *first)
{
    append_all(v, first);
    while (first != NULL) {
        iv_exchange *x = first;
        first = x->next;
        if (x->work != NULL)
            x->work(v, x);
        iv_connections_return(x);
    }
}

static void *write_desk(void *user)
{
    iv_worker_queue *desk = user;
    uint64_t whose = 0, before = 0; /* of the last transaction, and of the one before */
    double disk_ms = 0.0;
    bool folded = true;
    int idle = 0;

    for (;;) {
        (void)pthread_mutex_lock(&desk->lock);
        const bool came = wait_desk(desk, IDLE_SECONDS), stop = desk->stop;
        iv_exchange *first = NULL;
        if (came) {
            gather(desk, whose | before, disk_ms);
            before = whose;
            first = take_batch(desk, &whose);
        }
        (void)pthread_mutex_unlock(&desk->lock);
        if (!came && stop)
            return NULL;
        if (!came) {
            whose = before = 0;
            tidy(desk->server, ++idle, &folded);
            continue;
        }
        idle = 0;
        folded = false;
        const double began = iv_serve_ms();
        write_batch(desk->server, first);
        disk_ms = iv_serve_ms() - began;
    }
}

/* ------------------------------------------------------------- the worker -- */

static void *work_desk(void *user)
{
    iv_worker_queue *desk = user;

    for (;;) {
        (void)pthread_mutex_lock(&desk->lock);
        const bool came = wait_desk(desk, 0), stop = desk->stop;
        iv_exchange *x = desk->first;
        if (came) {
            desk->first = x->next;
            desk->waiting--;
            if (x->next == NULL)
                desk->last = &desk->first;
        }
        (void)pthread_mutex_unlock(&desk->lock);
        if (!came)
            return NULL;
        if (stop)
            iv_say_error(x, 503, "the server is ending");
        else
            x->work(desk->server, x);
        iv_connections_return(x);
    }
}

/* The slow part of a check.  What check calls damaged is not served on. */
static void *check_session(void *user)
{
    iv_server *v = user;

    if (iv_store_check(v->store, &v->damage) == IV_EPARSE)
        __atomic_store_n(&v->damaged, true, __ATOMIC_RELEASE);
    return NULL;
}

static int start_desk(iv_worker_queue *desk, iv_server *v, void *(*run)(void *), iv_err *err)
{
    pthread_condattr_t how;

    desk->server = v;
    desk->last = &desk->first;
    (void)pthread_mutex_init(&desk->lock, NULL);
    (void)pthread_condattr_init(&how);
    (void)pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&desk->come, &how);
    (void)pthread_condattr_destroy(&how);
    desk->running = pthread_create(&desk->thread, NULL, run, desk) == 0;
    return desk->running ? IV_OK : iv_fail(err, IV_EIO, "cannot start a thread");
}

int iv_workers_start(iv_server *v, iv_err *err)
{
    v->backed_up = iv_store_seq(v->store);
    IV_TRY(start_desk(&v->writer, v, write_desk, err));
    IV_TRY(start_desk(&v->worker, v, work_desk, err));
    v->checking = pthread_create(&v->checker, NULL, check_session, v) == 0;
    return v->checking ? IV_OK : iv_fail(err, IV_EIO, "cannot start a thread");
}

static void stop_desk(iv_worker_queue *desk)
{
    if (!desk->running)
        return;
    (void)pthread_mutex_lock(&desk->lock);
    desk->stop = true;
    (void)pthread_cond_signal(&desk->come);
    (void)pthread_mutex_unlock(&desk->lock);
    (void)pthread_join(desk->thread, NULL);
    desk->running = false;
}

void iv_workers_stop(iv_server *v)
{
    stop_desk(&v->writer);
    if (v->store != NULL)
        iv_store_end_reads(v->store); /* nobody waits for a search */
    stop_desk(&v->worker);
    if (v->checking)
        (void)pthread_join(v->checker, NULL);
    v->checking = false;
}
