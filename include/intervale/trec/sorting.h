/* SPDX-License-Identifier: Apache-2.0 */
/* Runs, judgments and other lines that begin with a topic, sorted by it in bounded memory. */
#ifndef INTERVALE_TREC_SORTING_H
#define INTERVALE_TREC_SORTING_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_sorting {
    uint64_t memory;    /* to be used; 0: 256 MB, at least 1 MB */
    const char *folder; /* of temporary files, which have no names; NULL: /tmp */
} iv_sorting;

/* What was sorted. */
typedef struct iv_sorted_lines {
    uint64_t lines, bytes;
    uint64_t stretches; /* of lines of one topic, as they came: as many as topics if lines were
                           grouped */
    uint64_t topics;
    uint64_t parts;     /* that were sorted by themselves, then merged */
    bool sorted;        /* they were in order already */
} iv_sorted_lines;

IV_END_C

#endif /* INTERVALE_TREC_SORTING_H */
