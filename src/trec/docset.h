/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documents of a topic as a hash table.
 *
 * The judged documents of one topic, findable by name.  A slot keeps the hash,
 * so that nearly every stranger is turned away without a look at its bytes.
 */
#ifndef IV_TREC_DOCSET_H
#define IV_TREC_DOCSET_H

#include "base/hash.h"
#include "intervale/trec/relevance_judgments.h"

typedef struct iv_slot {
    uint32_t hash;  /* the lower half */
    uint32_t index; /* of the document, + 1; 0 is a free slot */
} iv_slot;

/* How many slots a set of n needs: a power of two, at most half full. */
static inline size_t iv_docset_slots(size_t n)
{
    size_t slots = 4;

    while (slots < 2 * n)
        slots *= 2;
    return slots;
}

typedef struct iv_docset {
    const iv_judgment *items;
    const iv_slot *slots;
    size_t mask; /* slots - 1 */
} iv_docset;

/* The first slot with this hash, or the free one that ends the search. */
static inline size_t iv_docset_probe(const iv_docset *set, uint32_t hash)
{
    size_t s = hash & set->mask;

    while (set->slots[s].index != 0 && set->slots[s].hash != hash)
        s = (s + 1) & set->mask;
    return s;
}

/* The document of that (uint32_t)iv_hash(), searched for from a slot that iv_docset_probe() gave,
 * or from hash & set->mask. */
static inline const iv_judgment *iv_docset_find_from(const iv_docset *set, iv_str docno,
                                                     uint32_t hash, size_t s)
{
    for (; set->slots[s].index != 0; s = (s + 1) & set->mask) {
        const iv_judgment *item = &set->items[set->slots[s].index - 1];
        if (set->slots[s].hash == hash && iv_str_eq(item->docno, docno))
            return item;
    }
    return NULL;
}

#endif
