/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations and calls of the system that fail when told to; see fault.cmake for those that
 * are wrapped. */
#ifndef WRAP_H
#define WRAP_H

#include <stdbool.h>

/* From now on the k-th allocation fails, from 1, and if `on` all after it. */
void wrap_fail(long k, bool on);

/* From now on the system does this. */
typedef enum wrap_fault {
    WRAP_ALL_WELL,
    WRAP_SHORT_READS,  /* a read is interrupted by a signal, the next has three bytes */
    WRAP_FAILED_READS, /* EIO */
    WRAP_FAILED_SYNCS, /* EIO */
    WRAP_FAILED_NAMES  /* a file does not get its name: EIO */
} wrap_fault;
void wrap_system(wrap_fault fault);

/* From now on none fails; returns whether one did since wrap_fail() or wrap_system(). */
bool wrap_stop(void);

#endif /* WRAP_H */
