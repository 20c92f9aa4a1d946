/* SPDX-License-Identifier: Apache-2.0 */
/* A list of requested measures: the inside of iv_measures. */
#ifndef IV_MEASURE_REQUESTED_H
#define IV_MEASURE_REQUESTED_H

#include "base/memory.h"
#include "measure/definition.h"
#include "measure/topic.h"

/* The requested measures, and which prepared arrays each of them reads. */
struct iv_measures {
    iv_measure_options options;
    iv_arena arena;   /* names and parameters */
    iv_requested *requested;
    size_t requested_count, requested_capacity;
    size_t *requested_at; /* only while parsing: by definition, 1 + which of trec_eval's it is */
    iv_value_info *value;
    size_t *owner;    /* the measure that each value belongs to */
    size_t value_count;
    /* The different ways in which a topic is looked at; each measure names
     * its own by number.  Only the keys are set. */
    iv_view *view;
    size_t view_count;
    iv_gains *gains;
    size_t gains_count;
    double *power;    /* persistences */
    size_t power_count;
    unsigned reads;   /* all that some measure reads */
};

/* The measure that the i-th value belongs to. */
static inline const iv_requested *iv_requested_of(const iv_measures *m, size_t i)
{
    return &m->requested[m->owner[i]];
}

#endif
