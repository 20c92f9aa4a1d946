/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel loops, progress of long work, and the one lock.
 *
 * One lock for the few lines that threads of a loop may not run at once.  Nothing that waits, and
 * no function of the caller, belongs between the two calls.  A child of fork() finds it free.
 */
#ifndef IV_BASE_PARALLEL_H
#define IV_BASE_PARALLEL_H

#include <stdatomic.h>

#include "base/memory.h"

void iv_lock(void);
void iv_unlock(void);

/*
 * Loops on many threads, the same for everybody: which error is told, how far
 * the work is, and when it stops.
 */

/*
 * Items 0 ... count - 1, each done by one thread with memory of its own.  The
 * result of an item must depend on its index alone.
 */
typedef struct iv_loop {
    size_t count;
    int (*item)(void *user, void *memory, size_t i, iv_err *err);
    void *user;
    /* A thread's memory, taken from an arena of its own; NULL when memory is out.  No
     * function: items get NULL. */
    void *(*memory)(iv_arena *own, void *user);
} iv_loop;

/*
 * Does all items.  On failure the lowest index that fails decides, whatever the
 * number of threads; later items may not have been done.  Asks work's progress
 * at the end of items, at most every 10 ms; IV_ECANCELLED if it says stop.  Called
 * inside a parallel loop it uses one thread.
 */
IV_MUST_CHECK int iv_parallel(const iv_loop *loop, const iv_work *work, iv_err *err);

/* The seed to use, and the threads. */
uint64_t iv_work_seed(const iv_work *work);
int iv_work_threads(const iv_work *work);

/* How to work on a text of so many bytes: for a small one, starting threads takes
 * longer than the work.  Returns room. */
const iv_work *iv_work_for(iv_work *room, const iv_work *work, size_t bytes);

/* The same threads and limits, without seed and progress. */
iv_work iv_work_quiet(const iv_work *work);

/* For serial work: tells how far it is, and IV_ECANCELLED if it shall stop. */
IV_MUST_CHECK int iv_check_work(const iv_work *work, double done, iv_err *err);

/*
 * For items that take long themselves: counts the steps of all of them and asks
 * progress, at most every 10 ms.  The loop is then given no progress of its own.
 */
typedef struct iv_steps {
    const iv_work *work;
    double total;
    atomic_size_t done; /* these four are iv_step()'s */
    atomic_bool busy, stopped;
    double reported;
} iv_steps;
IV_MUST_CHECK int iv_step(iv_steps *steps, iv_err *err);

/*
 * The same for items that call what asks by itself: the loop is given `outer`, and what
 * its items call `inner`, which has one thread, tells nothing and can be stopped.
 */
typedef struct iv_nested_work {
    iv_work outer, inner;
    iv_progress whole; /* these four are its own */
    atomic_bool busy;
    double fraction, asked;
} iv_nested_work;
void iv_nested_work_start(iv_nested_work *a, const iv_work *work);

/*
 * A stage of larger work: the same threads and seed, and progress that runs from
 * `from` to `to` of the whole.  Lives where the caller keeps it; whole may be NULL.
 */
typedef struct iv_stage {
    iv_work work; /* hand over &stage.work */
    iv_progress whole;
    double from, to;
} iv_stage;

const iv_work *iv_work_part(iv_stage *stage, const iv_work *whole, double from, double to);

/* The stage of number i of n that take alike. */
const iv_work *iv_work_nth(iv_stage *stage, const iv_work *whole, size_t i, size_t n);

#endif
