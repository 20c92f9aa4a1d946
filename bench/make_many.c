/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_many TOPICS DOCUMENTS WHAT: writes judgments (WHAT 0) or run number WHAT of as many
 * topics as asked for, grouped by topic, to standard output; memory for one topic.  About
 * three in ten documents are relevant, and run r ranks them somewhat better than run r - 1.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100000 };

/* A number of a topic and a document, or of a run too: SplitMix's. */
static uint64_t hash(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = a * 0x9E3779B97F4A7C15u + b * 0xBF58476D1CE4E5B9u + c * 0x94D049BB133111EBu;

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static uint64_t score[MOST];

static int higher(const void *a, const void *b)
{
    const uint64_t x = score[*(const uint32_t *)a], y = score[*(const uint32_t *)b];

    return (x < y) - (x > y);
}

static void write_topic(uint64_t t, uint32_t documents, uint64_t run)
{
    static uint32_t order[MOST];

    for (uint32_t d = 0; d < documents; d++) {
        const uint64_t relevant = hash(t, d, 0) % 10 < 3 || d == 0;
        order[d] = d;
        if (run == 0)
            printf("%08" PRIu64 " 0 D%07" PRIu64 "-%" PRIu32 " %" PRIu64 "\n", t,
                   hash(t, d, 1) % 9999991, d, relevant);
        else
            score[d] = hash(t, d, run + 1) % 100000000 + relevant * (50000000 + 100000 * run);
    }
    if (run == 0)
        return;
    qsort(order, documents, sizeof *order, higher);
    for (uint32_t k = 0; k < documents; k++)
        printf("%08" PRIu64 " Q0 D%07" PRIu64 "-%" PRIu32 " %" PRIu32 " %" PRIu64 ".%06" PRIu64
               " run%" PRIu64 "\n", t, hash(t, order[k], 1) % 9999991, order[k], k + 1,
               score[order[k]] / 1000000, score[order[k]] % 1000000, run);
}

int main(int argc, char **argv)
{
    if (argc != 4 || strtoul(argv[2], NULL, 10) > MOST) {
        fprintf(stderr, "usage: make_many TOPICS DOCUMENTS WHAT\n");
        return 2;
    }
    const uint64_t topics = strtoull(argv[1], NULL, 10), run = strtoull(argv[3], NULL, 10);

    for (uint64_t t = 0; t < topics; t++)
        write_topic(t, (uint32_t)strtoul(argv[2], NULL, 10), run);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("make_many");
        return 1;
    }
    return 0;
}
