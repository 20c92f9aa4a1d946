/* SPDX-License-Identifier: Apache-2.0 */
/* Systems against each other. */
#ifndef PRF_COMPARE_H
#define PRF_COMPARE_H

#include "command/prf_rows.h"

/* One metric of two systems. */
typedef struct prf_pair {
    size_t a, b;
    const char *metric;
    double probability, difference, lower, upper;
    bool drawn; /* then these are the Monte Carlo standard errors */
    double probability_error, difference_error, lower_error, upper_error;
} prf_pair;

typedef struct prf_pairs {
    prf_pair *at;
    size_t count, capacity;
} prf_pairs;

/* P(best) of each system by one metric. */
typedef struct prf_best {
    const char *metric;
    double *probability; /* a system each */
    bool drawn;
} prf_best;

typedef struct prf_comparison {
    prf_pairs pairs;
    prf_best *best;
    size_t best_count;
} prf_comparison;

void prf_comparison_free(prf_comparison *c);
int prf_add_pair(prf_comparison *c, const prf_pair *pair, iv_err *err);

/* Adds a metric to P(best); returns where its probabilities go, or NULL. */
double *prf_add_best(prf_comparison *c, const char *metric, size_t systems, bool drawn);

/* Fills a pair from draws of a and of b. */
int prf_pair_from_draws(prf_pair *out, const double *a, const double *b,
                        const prf_wish *wish, iv_err *err);

/* Fills P(best) from draws, a block of wish->draws for each system. */
void prf_best_from_draws(double *out, const double *const *draws, size_t systems,
                         size_t count);

/* Systems evaluated on different items; in prf_compare.c. */
int prf_compare(prf_comparison *out, const prf_rows *rows, const prf_input *in,
                const prf_wish *wish, iv_err *err);

/* Systems evaluated on the same items; in prf_paired.c. */
int prf_paired(prf_comparison *out, const prf_rows *rows, prf_input *in,
               const prf_wish *wish, iv_err *err);

/* The table of the paper's paired test, one row a pair. */
void prf_paired_tell(const prf_input *in, const prf_wish *wish, iv_result *result);

/* The tables of comparisons, matrices and P(best), and the errors of draws. */
void prf_comparison_tell(const prf_comparison *c, const prf_input *in, const prf_wish *wish,
                         iv_result *result);
void prf_comparison_errors(const prf_comparison *c, const prf_input *in, const prf_wish *wish,
                           iv_result *result);

/* The sentence that most readers want; in prf_answer.c. */
void prf_answer(const prf_rows *rows, const prf_input *in, const prf_comparison *k,
                const prf_wish *wish, iv_result *result);

#endif /* PRF_COMPARE_H */
