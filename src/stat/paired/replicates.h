/* SPDX-License-Identifier: Apache-2.0 */
/* Tests by simulation count replicates; they are counted here, on all threads. */
#ifndef IV_STAT_REPLICATES_H
#define IV_STAT_REPLICATES_H

#include "intervale/base.h"

typedef struct iv_replicates {
    uint64_t *sums; /* what is counted is added to these */
    size_t times;  /* how many replicates */
    size_t batch;  /* how many of them at once */
    size_t counts; /* how many counts */
    size_t room;   /* bytes of scratch memory, aligned for any number */
    /* Adds what replicates first ... last - 1 find; which thread does leaves no
     * trace in whole numbers. */
    void (*count)(uint64_t *counts, void *room, const void *data, size_t first, size_t last);
    const void *data;
} iv_replicates;

IV_MUST_CHECK int iv_count_replicates(const iv_replicates *r, const iv_work *work, iv_err *err);

/* How many replicates of so many operations make a batch: it shall take far less
 * than the 50 ms after which work must ask whether to go on. */
static inline size_t iv_batch_of(size_t operations)
{
    return 1 + 65536 / (operations + 1);
}

#endif /* IV_STAT_REPLICATES_H */
