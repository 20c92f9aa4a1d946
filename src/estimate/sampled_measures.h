/* SPDX-License-Identifier: Apache-2.0 */
/* What was asked for, beside the complete measures it is made of. */
#ifndef IV_ESTIMATE_SAMPLED_MEASURES_H
#define IV_ESTIMATE_SAMPLED_MEASURES_H

#include "base/memory.h"
#include "intervale/estimate/sampled.h"

struct iv_sampled_measures {
    iv_measures *complete; /* NULL: only TREC's estimates are asked for */
    iv_sampled_value *values;
    size_t count, capacity;
    size_t depth;          /* documents of a topic to look at */
    iv_arena names;
};

#endif /* IV_ESTIMATE_SAMPLED_MEASURES_H */
