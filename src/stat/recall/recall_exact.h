/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits that hold whatever the truth, as one problem: the lower limit of a
 * quantity that grows with the number of marked documents of each of some cells.
 *
 * A cell is a sampled stratum, turned so that more marked documents mean more of
 * the quantity: where more relevant ones mean less, those that are not relevant
 * are the marked ones.  That the quantity is at most v is a weighted sum of the
 * marked ones being at most a bound.
 */
#ifndef IV_STAT_RECALL_EXACT_H
#define IV_STAT_RECALL_EXACT_H

#include "stat/recall/recall_yield.h"

typedef struct iv_exact_cell {
    int64_t N, n, x; /* documents, sampled, of those marked; 0 < n < N */
    int side;        /* 1: retrieved, 0: not */
    bool turned;     /* the marked are not relevant */
} iv_exact_cell;

/* Which quantity, and what of it is known without the cells. */
typedef struct iv_exact_problem {
    iv_recall_quantity quantity;
    double beta2;
    bool upper;         /* the limit is an upper one: the quantity is its negative */
    double size[2];     /* documents of each side */
    double known[2];    /* relevant outside the cells, at worst for the limit */
    iv_exact_cell *cell;
    size_t count;
    double alpha;       /* the error that is allowed */
} iv_exact_problem;

/* The quantity with so many relevant on each side; negative for an upper limit. */
double iv_exact_value(const iv_exact_problem *p, double R1, double R0);

/* The same with so many marked in each cell. */
double iv_exact_at(const iv_exact_problem *p, const int64_t *marked);

/*
 * The weights of a marked document of each side, > 0, and the bound: a value of at
 * most v means that their sum over the cells is at most the bound.
 */
double iv_exact_weights(double weight[2], const iv_exact_problem *p, double v);

/* The least number of marked ones with P(x or more in the sample) > alpha. */
int64_t iv_exact_least(const iv_exact_cell *c, int64_t x, double alpha);

/* The same, looked for from `near` on. */
int64_t iv_exact_least_near(const iv_exact_cell *c, int64_t x, double alpha, int64_t near);

/* The limit for two cells, and for any number of them. */
IV_MUST_CHECK int iv_exact_pair(double *out, const iv_exact_problem *p, iv_err *err);
IV_MUST_CHECK int iv_exact_many(double *out, const iv_exact_problem *p, iv_err *err);

#endif /* IV_STAT_RECALL_EXACT_H */
