/* SPDX-License-Identifier: Apache-2.0 */
/* How draws are cut into blocks, each with its own stream. */
#ifndef IV_STAT_PRF_DRAWS_H
#define IV_STAT_PRF_DRAWS_H

#include "base/memory.h"
#include "intervale/num.h"
#include "intervale/stat/prf.h"

enum { IV_DRAW_BLOCK = 1024 };

/* Draws [from, to) of `draws`, from the stream of a block. */
typedef struct iv_draw_part {
    size_t draws, from, to;
    iv_stream *stream;
} iv_draw_part;

/* Who fills a part; memory as in iv_loop. */
typedef struct iv_drawer {
    void (*fill)(void *user, void *memory, const iv_draw_part *part);
    void *user;
    void *(*memory)(iv_arena *own, void *user);
} iv_drawer;

/* Fills all draws of a plan, block by block on all threads. */
IV_MUST_CHECK int iv_draw_blocks(const iv_drawer *drawer, const iv_draw_plan *plan,
                                 const iv_work *work, iv_err *err);

/* A ratio of two numbers too small to tell apart from 0 is 0 or 1. */
double iv_or_coin(double value, iv_stream *s, double chance);

#endif /* IV_STAT_PRF_DRAWS_H */
