/* SPDX-License-Identifier: Apache-2.0 */
/* One program of several files; each runs its group and returns its failures. */
#ifndef TEST_RECALL_H
#define TEST_RECALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/num.h"
#include "intervale/stat.h"
#include "near.h"

int test_recall_golden(void);
int test_recall_legal(void);
int test_recall_rechecked(void);
int test_recall_study(void);

/* The interval of a method at 95 %, with a workspace of its own. */
static inline iv_limits interval_of(const iv_segments *s, iv_recall_method method)
{
    const iv_recall_options o = { .method = method, .confidence = 0.95 };
    iv_recall_posterior *w = NULL;
    iv_limits out = { 0.0, 0.0 };
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_recall_posterior_new(&w, &err), IV_OK);
    if (iv_recall_interval_of(&out, s, &o, w, &err) != IV_OK)
        fail_msg("%s", err.msg);
    iv_recall_posterior_free(w);
    return out;
}

static inline iv_segments two_segments(const iv_stratum *retrieved,
                                       const iv_stratum *unretrieved)
{
    return (iv_segments){ retrieved, unretrieved, 1, 1 };
}

/* Strata of a reference table, "N:n:r;N:n:r"; returns how many. */
enum { RECALL_MOST_STRATA = 8 };

static inline size_t recall_read_strata(iv_stratum *out, const char *text)
{
    size_t n = 0;

    for (const char *at = text; n < RECALL_MOST_STRATA; at++) {
        long long N, m, r;
        int used = 0;
        assert_int_equal(sscanf(at, "%lld:%lld:%lld%n", &N, &m, &r, &used), 3);
        out[n++] = (iv_stratum){ N, m, r };
        at += used;
        if (*at != ';')
            break;
    }
    return n;
}

#endif /* TEST_RECALL_H */
