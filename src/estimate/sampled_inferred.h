/* SPDX-License-Identifier: Apache-2.0 */
/* TREC's estimates from strata, for one topic of one run. */
#ifndef IV_ESTIMATE_SAMPLED_INFERRED_H
#define IV_ESTIMATE_SAMPLED_INFERRED_H

#include "intervale/design.h"
#include "estimate/sampled_measures.h"

/* A document of the ranking that belongs to the frame. */
typedef struct iv_inferred_hit {
    size_t rank;     /* from 1 */
    uint32_t stratum;
    int32_t grade;   /* below 0: not in the sample */
} iv_inferred_hit;

/* A stratum, and what the ranking has shown of it so far. */
typedef struct iv_inferred_stratum {
    double size, sampled;      /* in all */
    double pooled, judged, relevant; /* seen */
    double gain;               /* discounted, of the judged ones seen */
} iv_inferred_stratum;

typedef struct iv_inferred_view {
    const iv_inferred_hit *hits;
    size_t hit_count;
    iv_inferred_stratum *strata; /* size and sampled are set */
    size_t stratum_count;
    size_t retrieved;
    int32_t level;
    /* Of the sample: */
    const double *grade_count;   /* estimated documents of grade 1, 2, ... */
    size_t grades;
    double relevant;             /* estimated documents */
    bool uniform;                /* one stratum: trec_eval's infAP */
} iv_inferred_view;

double iv_inferred(const iv_inferred_view *v, iv_sampled_kind kind, size_t cutoff);

#endif /* IV_ESTIMATE_SAMPLED_INFERRED_H */
