/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long do the measures of a joined topic take?  1000 topics of 1000
 * documents with 300 judgments each, made here, in ns a retrieved document.
 *
 * usage: bench_measure [MEASURE...]     (all_trec of both versions, and some)
 */
#include <stdlib.h>
#include <time.h>

#include "measure/measures.h"
#include "measure/scorer.h"

enum { TOPICS = 1000, DEPTH = 1000, JUDGED = 300, ROUNDS = 15 };

static double now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void give_up(const char *why)
{
    (void)fprintf(stderr, "bench_measure: %s\n", why);
    exit(EXIT_FAILURE);
}

static unsigned next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(*state >> 33);
}

/* Two judgments in three fall on the first 400 ranks; one in seven has
 * grade 2, two have grade 1. */
static void make_topic(iv_hit *hits, iv_judgment *judged, uint64_t *seed)
{
    for (size_t i = 0; i < DEPTH; i++)
        hits[i] = (iv_hit){ .score = (double)(DEPTH - i) };
    for (size_t i = 0; i < JUDGED; i++) {
        const unsigned kind = next_random(seed) % 7;
        const size_t at = next_random(seed) % (i % 3 == 0 ? DEPTH : 400);
        judged[i] = (iv_judgment){ .pi = 1.0,
                                   .grade = kind == 0 ? 2 : kind < 3 ? 1 : 0,
                                   .stratum = -1 };
        if (hits[at].judgment == NULL) /* else it was not retrieved */
            hits[at].judgment = &judged[i];
    }
}

static void run(const char *label, const char *name, iv_dialect dialect,
                const iv_hit *hits, const iv_judgment *judged)
{
    iv_measure_options o = { 0 };
    iv_measures *m = NULL;
    iv_scorer *s = NULL;
    iv_err err = { IV_OK, "" };
    double best = 0.0;

    o.dialect = dialect;
    if (iv_measures_parse(&m, &name, 1, &o, &err) < 0
        || iv_scorer_new(&s, m, 2, &err) < 0)
        give_up(err.msg);
    double *row = malloc(iv_measures_count(m) * sizeof *row);
    if (row == NULL)
        give_up("out of memory");
    for (int r = 0; r < ROUNDS; r++) {
        const double start = now_ns();
        for (size_t t = 0; t < TOPICS; t++) {
            const iv_joined topic = { .hits = hits + t * DEPTH,
                                      .hit_count = DEPTH,
                                      .judged = judged + t * JUDGED,
                                      .judged_count = JUDGED };
            if (iv_scorer_topic(row, s, &topic, &err) < 0)
                give_up(err.msg);
        }
        const double took = (now_ns() - start) / TOPICS / DEPTH;
        best = r == 0 || took < best ? took : best;
    }
    (void)printf("%-24s %4zu values  %6.2f ns/document\n", label,
                 iv_measures_count(m), best);
    free(row);
    iv_scorer_free(s);
    iv_measures_free(m);
}

int main(int argc, char **argv)
{
    iv_hit *hits = malloc(sizeof *hits * TOPICS * DEPTH);
    iv_judgment *judged = malloc(sizeof *judged * TOPICS * JUDGED);
    uint64_t seed = 1;

    if (hits == NULL || judged == NULL)
        give_up("out of memory");
    for (size_t t = 0; t < TOPICS; t++)
        make_topic(hits + t * DEPTH, judged + t * JUDGED, &seed);
    for (int i = 1; i < argc; i++)
        run(argv[i], argv[i], IV_TREC_EVAL_9, hits, judged);
    if (argc == 1) {
        run("all_trec, version 9", "all_trec", IV_TREC_EVAL_9, hits, judged);
        run("all_trec, version 10", "all_trec", IV_TREC_EVAL_10, hits, judged);
        run("official", "official", IV_TREC_EVAL_9, hits, judged);
        run("nDCG@10", "nDCG@10", IV_TREC_EVAL_9, hits, judged);
        run("AP", "AP", IV_TREC_EVAL_9, hits, judged);
    }
    free(hits);
    free(judged);
    return 0;
}
