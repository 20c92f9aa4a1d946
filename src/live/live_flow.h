/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a PRISMA flow diagram. */
#ifndef IV_LIVE_LIVE_FLOW_H
#define IV_LIVE_LIVE_FLOW_H

#include "live/live.h"

typedef struct iv_live_step {
    const char *name; /* "records screened" */
    size_t records;
} iv_live_step;

/* The steps, of a session made from references; of others none. */
IV_MUST_CHECK int iv_live_flow(const iv_live_step **out, size_t *count, iv_arena *a, iv_store *s,
                               const iv_live *l, iv_err *err);

#endif
