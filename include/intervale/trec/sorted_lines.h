/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting of runs, judgments and other lines that begin with a topic, in limited memory. */
#ifndef INTERVALE_TREC_SORTED_LINES_H
#define INTERVALE_TREC_SORTED_LINES_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_sorting {
    uint64_t memory;    /* bytes to use, at least 1 MB; 0: 256 MB */
    const char *folder; /* for temporary files, which have no names; NULL: /tmp */
} iv_sorting;

/* The result of sorting. */
typedef struct iv_sorted_lines {
    uint64_t lines, bytes;
    uint64_t topics;
    uint64_t parts;     /* parts that were sorted separately and then merged */
    bool sorted;        /* the lines were already in order */
} iv_sorted_lines;

IV_END_C

#endif
