/* SPDX-License-Identifier: Apache-2.0 */
/* Were relevant documents judged in random order? */
#ifndef IV_STAT_SEQUENTIAL_JUDGED_ORDER_H
#define IV_STAT_SEQUENTIAL_JUDGED_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Documents of a stratum in the order in which they were judged. */
typedef struct iv_judged_order {
    int64_t judged, relevant;
    int64_t ranks, runs;  /* of the relevant ones: the sum of their ranks, and how often one follows
                             another that is not */
    bool last;            /* was the last one relevant? */
} iv_judged_order;
void iv_judged_order_add(iv_judged_order *o, bool relevant);

/* The p-value of random order within strata: the smaller of a test of ranks (Wilcoxon's) and one
 * of runs, for two tests. */
double iv_judged_order_p(const iv_judged_order *of, size_t count);

#endif
