/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of the intervals that prf shows for a difference of two systems: of
 * F1 from the counts of two collections, and of F1 from labels of the same
 * items.
 */
#include <math.h>
#include <stdlib.h>

#include "study/coverage_parts.h"

static const iv_prf_prior jeffreys = { 0.5, 0.5 };
static const iv_prf_metric f1 = { IV_PRF_F, 1.0 };

enum { ITEMS = 200, DRAWS = 1000 };

/* ------------------------------------------------------- two collections -- */

/* TP, FP, FN, TN of two systems. */
static const double apart[2][4] = { { .16, .04, .04, .76 }, { .13, .03, .07, .77 } };

static int posterior(iv_posterior **out, const double *cells, iv_stream *stream, iv_err *err)
{
    int64_t n[4];
    iv_prf_cells found;
    int rc;

    iv_draw_multinomial(stream, n, ITEMS, cells, 4);
    rc = iv_prf_update(&found, jeffreys, &(iv_prf_counts){ n[0], n[1], n[2], n[3] }, NULL, err);
    return rc == IV_OK ? iv_posterior_prf(out, &found, f1, err) : rc;
}

static double f1_of(const double *cells)
{
    return iv_prf_of_cells(f1, cells[0], cells[1], cells[2], cells[3]);
}

static int independent(iv_tally *t, void *user, void *work, size_t number, iv_stream *stream,
                       iv_err *err)
{
    iv_posterior *a = NULL, *b = NULL;
    int rc = posterior(&a, apart[0], stream, err);

    (void)user;
    (void)work;
    (void)number;
    if (rc == IV_OK)
        rc = posterior(&b, apart[1], stream, err);
    for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++) {
        iv_posterior_gap g;
        rc = iv_posterior_compare(&g, a, b, iv_coverage_levels()[k], err);
        if (rc == IV_OK)
            iv_tally_put(t, k, g.lower, g.upper, f1_of(apart[0]) - f1_of(apart[1]));
    }
    iv_posterior_free(a);
    iv_posterior_free(b);
    return rc;
}

/* ------------------------------------------------------------ the same items -- */

enum { CELLS = 8 };

/* P(gold, A, B), each 0 or 1, gold first: A finds more, and they agree often. */
static const double together[CELLS] = { .74, .02, .03, .01, .02, .02, .03, .13 };

typedef struct paired_work {
    int32_t labels[3 * ITEMS];
    double draws[2 * DRAWS], difference[DRAWS];
} paired_work;

static void *paired_new(iv_arena *own, void *user)
{
    (void)user;
    return iv_take(own, 1, sizeof(paired_work));
}

/* F1 of system s (0: A, 1: B) in truth. */
static double paired_truth(int s)
{
    double cells[4] = { 0.0, 0.0, 0.0, 0.0 }; /* TP FP FN TN */

    for (int c = 0; c < CELLS; c++) {
        const int gold = c >> 2, said = s == 0 ? c >> 1 & 1 : c & 1;
        cells[gold ? (said ? 0 : 2) : (said ? 1 : 3)] += together[c];
    }
    return f1_of(cells);
}

static int paired(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                  iv_err *err)
{
    static const iv_prf_target targets[2] = {
        { 0, IV_PRF_ONE, 1, { IV_PRF_F, 1.0 } }, { 1, IV_PRF_ONE, 1, { IV_PRF_F, 1.0 } } };
    paired_work *w = memory;
    const iv_prf_items data = { ITEMS, 2, 2, w->labels };
    const iv_draw_plan plan = { DRAWS, 0 };
    const iv_work alone = { .threads = 1, .seed = iv_draw_bits(stream) };
    const double truth = paired_truth(0) - paired_truth(1);
    int64_t counts[CELLS];
    iv_prf_joint *joint = NULL;
    size_t i = 0;
    int rc;

    (void)user;
    (void)number;
    iv_draw_multinomial(stream, counts, ITEMS, together, CELLS);
    for (int32_t c = 0; c < CELLS; c++)
        for (int64_t n = 0; n < counts[c]; n++, i++) {
            w->labels[3 * i] = c >> 2;
            w->labels[3 * i + 1] = c >> 1 & 1;
            w->labels[3 * i + 2] = c & 1;
        }
    rc = iv_prf_joint_new(&joint, &data, NULL, 2, jeffreys, err);
    if (rc == IV_OK)
        rc = iv_prf_joint_draw(w->draws, joint, targets, 2, &plan, &alone, err);
    for (size_t d = 0; d < DRAWS && rc == IV_OK; d++)
        w->difference[d] = w->draws[d] - w->draws[DRAWS + d];
    for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++) {
        const double tail = (1.0 - iv_coverage_levels()[k]) / 2.0;
        iv_tally_put(t, k, iv_quantile(w->difference, DRAWS, tail),
                     iv_quantile(w->difference, DRAWS, 1.0 - tail), truth);
    }
    iv_prf_joint_free(joint);
    return rc;
}

int iv_coverage_gaps(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    const iv_experiment kinds[2] = {
        { 1, iv_coverage_size(o, 2000), independent, NULL, NULL },
        { 1, iv_coverage_size(o, 2000), paired, NULL, paired_new } };
    static const char *const names[2] = { "difference of F1, two collections",
                                          "difference of F1, the same items" };
    int rc = IV_OK;

    for (uint32_t k = 0; k < 2 && rc == IV_OK; k++) {
        iv_tally t;
        iv_covered row = { .part = IV_COVERAGE_PRF };
        rc = iv_experiment_run(&t, &kinds[k], (35 + k) << 4, c, err);
        (void)snprintf(row.interval, sizeof row.interval, "%s", names[k]);
        (void)snprintf(row.data, sizeof row.data, "simulated");
        (void)snprintf(row.setting, sizeof row.setting, "%d items", ITEMS);
        if (rc == IV_OK)
            iv_coverage_put(c, row, &t);
        iv_coverage_step_done(c);
    }
    return rc;
}
