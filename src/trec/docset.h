/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of the documents of one topic, by hash, in slots its user owns.  A
 * slot keeps half of the hash, so that most strangers are turned away without
 * a look at their bytes.
 */
#ifndef IV_TREC_DOCSET_H
#define IV_TREC_DOCSET_H

#include "base/ids.h"

typedef struct iv_slot {
    uint32_t tag;   /* the upper half of the hash */
    uint32_t index; /* of the document, + 1; 0 is a free slot */
} iv_slot;

/* How many slots a set of n needs: a power of two, at most two thirds full. */
static inline size_t iv_docset_slots(size_t n)
{
    size_t slots = 4;

    while (slots < n + n / 2 + 1)
        slots *= 2;
    return slots;
}

static inline uint32_t iv_docset_tag(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

#endif /* IV_TREC_DOCSET_H */
