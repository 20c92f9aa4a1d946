/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations that fail when told to; see fault.cmake for those that are wrapped. */
#ifndef WRAP_H
#define WRAP_H

#include <stdbool.h>

/* From now on the k-th allocation fails, from 1, and if `on` all after it. */
void wrap_fail(long k, bool on);

/* From now on none fails; returns whether one did since wrap_fail(). */
bool wrap_stop(void);

#endif /* WRAP_H */
