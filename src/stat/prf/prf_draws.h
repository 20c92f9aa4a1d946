/* SPDX-License-Identifier: Apache-2.0 */
/* How draws are cut into blocks, each with its own stream. */
#ifndef IV_STAT_PRF_DRAWS_H
#define IV_STAT_PRF_DRAWS_H

#include "intervale/num.h"
#include "intervale/stat/prf.h"

enum { IV_DRAW_BLOCK = 1024 };

IV_MUST_CHECK int iv_check_draw_plan(const iv_draw_plan *plan, iv_err *err);

/* The stream of a block of draws. */
iv_stream iv_draw_block(const iv_draw_plan *plan, size_t block);

/* A ratio of two numbers too small to tell apart from 0 is 0 or 1. */
double iv_or_coin(double value, iv_stream *s, double chance);

#endif /* IV_STAT_PRF_DRAWS_H */
