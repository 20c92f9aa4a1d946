/* SPDX-License-Identifier: Apache-2.0 */
/* What a scheme keeps. */
#ifndef IV_DESIGN_SAMPLE_SCHEME_H
#define IV_DESIGN_SAMPLE_SCHEME_H

#include "intervale/design/scheme.h"

typedef enum iv_scheme_kind {
    IV_SCHEME_INDEPENDENT,
    IV_SCHEME_STEVENS,
    IV_SCHEME_STRATA
} iv_scheme_kind;

struct iv_scheme {
    iv_scheme_kind kind;
    size_t buckets;
    size_t draws;
    iv_bucket *bucket;
    bool short_last;   /* the last bucket has fewer documents than draws */
    double last_ratio; /* joint probability of a document of the short bucket
                          and one of a full bucket, over both probabilities */
};

/*
 * Of the `of` documents drawn from a bucket only `kept` are used, any of them
 * equally likely: its probabilities shrink.
 */
void iv_scheme_thin(iv_scheme *s, size_t bucket, size_t kept, size_t of);

#endif /* IV_DESIGN_SAMPLE_SCHEME_H */
