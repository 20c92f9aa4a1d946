/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/paired/replicates.h"

#include <stdlib.h>

#include "base/parallel.h"

typedef struct counting {
    const iv_replicates *what;
    uint64_t *counts;
} counting;

/* A thread's counts, its scratch memory behind them. */
typedef struct share {
    counting *all;
    uint64_t counts[];
} share;

/* What a thread has counted joins the rest when it ends. */
static void share_end(void *memory)
{
    share *own = memory;

    iv_lock();
    for (size_t i = 0; i < own->all->what->counts; i++)
        own->all->counts[i] += own->counts[i];
    iv_unlock();
}

static void *share_new(iv_arena *arena, void *user)
{
    counting *all = user;
    const iv_replicates *r = all->what;
    share *own = iv_take(arena, 1, sizeof *own + r->counts * sizeof *own->counts + r->room);

    if (own != NULL)
        own->all = all;
    return iv_own(arena, own, share_end);
}

static int count_batch(void *user, void *memory, size_t i, iv_err *err)
{
    const iv_replicates *r = ((counting *)user)->what;
    share *own = memory;
    const size_t first = i * r->batch;

    (void)err;
    r->count(own->counts, own->counts + r->counts, r->data, first,
             r->times - first < r->batch ? r->times : first + r->batch);
    return IV_OK;
}

int iv_count_replicates(uint64_t *counts, const iv_replicates *r, const iv_work *work,
                        iv_err *err)
{
    counting all = { r, counts };
    const iv_loop loop = { .count = r->times / r->batch + (r->times % r->batch > 0),
                           .item = count_batch, .user = &all, .memory = share_new };

    return iv_parallel(&loop, work, err);
}
