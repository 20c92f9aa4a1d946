/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that count preferences share. */
#ifndef IV_MEASURE_PREFS_PARTS_H
#define IV_MEASURE_PREFS_PARTS_H

#include "measure/judges.h"

/*
 * What one group prefers.  Its documents are numbered from 0 in the order of the topic's: the
 * first `found` were retrieved, in this order.
 */
typedef struct iv_preferrer {
    size_t n, found;
    uint32_t *doc;  /* its number in the topic, rising */
    double *level;
    bool many;      /* it has subgroups: ... */
    uint64_t *over; /* ... bit j % 64 of over[i * words + j / 64]: i is preferred to j */
    size_t words;
    double lowest;  /* of its levels */
} iv_preferrer;

/* A document's level in a subgroup. */
typedef struct iv_claim {
    uint32_t doc;
    int32_t subgroup;
    double level;
} iv_claim;

static inline bool iv_prefers(const iv_preferrer *g, size_t i, size_t j)
{
    return g->many ? g->over[i * g->words + j / 64] >> j % 64 & 1 : g->level[i] > g->level[j];
}

/*
 * Fills g->over with what the claims of its subgroups say and what follows from that, and
 * *circle: a document from which following what is preferred to what goes in a circle, SIZE_MAX
 * if there is none.  Sorts the claims.  O(claims * n / 64), and n / 8 bytes a document; asks work.
 */
IV_MUST_CHECK int iv_prefs_close(iv_preferrer *g, size_t *circle, iv_claim *claim, size_t count,
                                 iv_arena *arena, const iv_work *work, iv_err *err);

/*
 * Over pairs of documents i < j that some group prefers: adds to pairs[] how many there are with
 * both retrieved, one, none, and to sum[] the shares of those groups that prefer i.  The sum of
 * the squares of groups' documents; asks work.
 */
IV_MUST_CHECK int iv_prefs_pairs(double sum[2], double pairs[3], const iv_judges *p,
                                 const iv_preferrer *group, iv_arena *arena, const iv_work *work,
                                 iv_err *err);

#endif /* IV_MEASURE_PREFS_PARTS_H */
