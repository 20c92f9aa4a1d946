/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do what takes long, one queue each. */
#ifndef IV_SERVE_WORKERS_H
#define IV_SERVE_WORKERS_H

#include <pthread.h>

#include "serve/connection.h"

/* Exchanges that wait for one thread. */
typedef struct iv_worker_queue {
    iv_server *server;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t come;
    iv_exchange *first, **last;
    size_t waiting;
    bool running, stop;
} iv_worker_queue;

/* Starts the two threads; iv_workers_stop() ends them when what waits is done. */
IV_MUST_CHECK int iv_workers_start(iv_server *v, iv_err *err);
void iv_workers_stop(iv_server *v);
void iv_worker_add(iv_worker_queue *desk, iv_exchange *x);

/* Copies the session to FILE.backup. */
IV_MUST_CHECK int iv_back_up(iv_server *v, iv_err *err);

#endif
