/* SPDX-License-Identifier: Apache-2.0 */
/* What the study of measures from samples works with, and what it counts. */
#ifndef IV_STUDY_SAMPLING_BENCH_H
#define IV_STUDY_SAMPLING_BENCH_H

#include "plan/known_labels.h"
#include "study/sampling_study.h"

/* Ways to estimate: rectified labels, weights 1/pi. */
enum { IV_MEASURE_WAYS = 2 };

/* Counts of one replicate. */
typedef struct iv_measure_tally {
    size_t topics, refused, low, high, these, again, pairs, pairs_covered, pairs_again, means, means_shown,
        again_shown;
    double squares, variance, topic_squares, pair_squares;
} iv_measure_tally;

typedef struct iv_measure_job {
    const iv_sampling_study *s;
    size_t budget;
    iv_scheme **schemes;
    double *truth;    /* measures x runs x topics */
    double *mean;     /* of the truth, measures x runs */
    double *estimate; /* of means, replicate x ways x measures x runs */
    iv_measure_tally *tallies;   /* replicate x ways x measures */
    iv_steps steps;
} iv_measure_job;

/* What one thread works with. */
typedef struct iv_measure_bench {
    const iv_measure_job *j;
    iv_known_labels drawn;
    double *u, *pair_noise, *sums;
    uint32_t *order;
    iv_discounts discounts;
    double *value, *noise;   /* of the replicate: runs x topics */
    double *too_low, *too_high, *effective; /* runs */
    size_t *relevant;
    double *surprise;        /* runs x documents of a topic in the sample */
} iv_measure_bench;

/* A topic's interval, and those of means and differences once all topics are known: of these
 * topics (out: the means) and of topics drawn anew. */
void iv_measure_count_topic(iv_measure_tally *t, const iv_estimate *e, double truth);
void iv_measure_count_means(iv_measure_tally *t, double *out, const iv_measure_bench *b,
                            size_t measure, size_t way);
void iv_measure_count_again(iv_measure_tally *t, const iv_measure_bench *b, size_t measure,
                            size_t way);

/* One row a way and measure, into the study's table. */
void iv_measure_summarise(iv_sampling_study *s, const iv_measure_job *j, size_t judgments);

#endif /* IV_STUDY_SAMPLING_BENCH_H */
