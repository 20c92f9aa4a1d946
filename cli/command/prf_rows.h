/* SPDX-License-Identifier: Apache-2.0 */
/* Every metric of every system, with its posterior or draws of it. */
#ifndef PRF_ROWS_H
#define PRF_ROWS_H

#include "command/prf_input.h"

enum { PRF_METRICS_MAX = 16 };

/* What was asked for. */
typedef struct prf_wish {
    iv_prf_prior prior;
    iv_interval_kind interval;
    double confidence;
    iv_prf_metric metrics[PRF_METRICS_MAX];
    size_t metric_count;
    size_t draws;
    uint64_t seed;
    int threads;
    iv_progress progress; /* the first half for metrics, the rest for pairs */
} prf_wish;

typedef struct prf_row {
    size_t system;
    const char *name;      /* "f1", "f1[sports]", "f1[macro]" */
    iv_prf_metric metric;
    iv_prf_average average;
    size_t category;       /* of IV_PRF_ONE */
    double value;          /* of the counts; NaN: 0/0 */
    iv_prf_cells cells;    /* where the posterior is exact */
    iv_posterior *posterior; /* NULL: by drawing */
    const double *draws;   /* wish.draws of them */
    double mean;           /* of drawn ones, where it is known; else NaN */
} prf_row;

typedef struct prf_rows {
    prf_row *at;
    size_t count, capacity;
    double **blocks; /* of draws */
    size_t block_count;
} prf_rows;

/* Fills rows system by system; on failure they still need prf_rows_free(). */
int prf_rows_make(prf_rows *rows, prf_input *in, const prf_wish *wish,
                  const iv_prf_counts *earlier, iv_err *err);
void prf_rows_free(prf_rows *rows);

/* The row of a system that has the name, or NULL. */
const prf_row *prf_rows_find(const prf_rows *rows, size_t system, const char *name);

/* The posterior mean where it needs no draws, else NaN. */
double prf_row_mean(const prf_row *row);

/* The interval that was asked for, of the posterior or of the draws. */
int prf_row_interval(iv_credible *out, const prf_row *row, const prf_wish *wish, iv_err *err);

/* Room for `count` blocks of draws, kept with the rows. */
double *prf_rows_block(prf_rows *rows, size_t count, size_t draws);

/* The table of metrics, one for Monte Carlo errors, and the notes. */
int prf_rows_tell(const prf_rows *rows, const prf_input *in, const prf_wish *wish,
                  iv_result *result, iv_err *err);

/* The note that says how the numbers were found. */
void prf_method_note(const prf_rows *rows, const prf_wish *wish, bool earlier, bool compared,
                     iv_result *result);

/* Notes for counts that leave a metric without a value. */
void prf_degenerate_notes(const prf_input *in, iv_result *result);

#endif /* PRF_ROWS_H */
