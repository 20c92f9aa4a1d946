/* SPDX-License-Identifier: Apache-2.0 */
/* The randomisation test of one list of differences. */
#ifndef TEST_RANDOMISED_H
#define TEST_RANDOMISED_H

#include "stat/paired/flips.h"
#include "base/memory.h"

static inline int randomised(iv_test *out, const double *d, size_t n, iv_alternative alternative)
{
    iv_arena own = { 0 };
    iv_flips *f = iv_flips_new(&own, n);
    const int rc = f == NULL ? IV_ENOMEM : iv_randomise(out, d, n, alternative, f, NULL);

    iv_arena_free(&own);
    return rc;
}

#endif /* TEST_RANDOMISED_H */
