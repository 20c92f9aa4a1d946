/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of the default intervals of prf: equal tails of the posterior with
 * Jeffreys' prior.  Of precision, recall, F1 and accuracy by summing over all
 * outcomes; of balanced accuracy and MCC by simulation; and of
 * samples of reviews whose labels are all known; and of differences of two systems' F1, from
 * counts of two collections and from labels of the same items.
 */
#include <math.h>
#include <stdlib.h>

#include "study/coverage_parts.h"

static const iv_prf_prior jeffreys = { 0.5, 0.5 };
static const iv_prf_metric f1 = { IV_PRF_F, 1.0 };

/* ------------------------------------------------------ one system's rates -- */

enum { FINE = 199 }; /* coverage goes up and down between few rates */

static const double drawn_rates[] = { .5, .8, .95 };

/* Averages the posterior's cells over the rates. */
static void put_average(iv_coverage *c, const iv_prf_study_cell *cells, size_t rates,
                        const iv_study_prf_question *s, int64_t size,
                        iv_prf_study_method method)
{
    const iv_prf_metric metric = iv_studied_metric_of(s);
    const bool drawn = iv_prf_study_is_drawn(metric);
    char name[IV_PRF_NAME_SIZE], interval[IV_COVERAGE_TEXT];

    (void)snprintf(interval, sizeof interval, "%s, %s", iv_prf_name(name, metric),
                   method == IV_PRF_STUDY_EQUAL ? "posterior" : "guaranteed");
    iv_covered *row = iv_coverage_add(c, IV_COVERAGE_PRF, interval, "simulated", "%lld items%s",
                                      (long long)size, drawn ? ", a fifth relevant" : "");
    row->nominal = s->confidence;
    row->least = 1.0;
    row->below = row->above = row->width = 0.0;
    for (size_t i = 0; i < rates; i++) {
        const iv_prf_study_cell *x = &cells[i * IV_PRF_STUDY_METHODS + method];
        row->coverage += x->coverage / (double)rates;
        row->below += x->above / (double)rates; /* of the interval there, of the truth here */
        row->above += x->below / (double)rates;
        row->width += x->width / (double)rates;
        row->without += x->gaps / (double)rates;
        row->least = fmin(row->least, x->coverage);
        if (isfinite(x->coverage_se))
            row->se += x->coverage_se * x->coverage_se;
    }
    row->se = sqrt(row->se) / (double)rates;
    row->replicates = drawn ? s->replicates * rates : SIZE_MAX;
}

static int study(iv_coverage *c, iv_studied_metric kind, int64_t size, iv_err *err)
{
    iv_study_prf_question s = { .metric = kind, .sizes = { &size, 1 }, .draws = 1000,
                                .replicates = c->o->quick ? 100 : 1000 };
    double fine[FINE];

    for (int i = 0; i < FINE; i++)
        fine[i] = (i + 1.0) / (FINE + 1.0);
    s.rates = iv_prf_study_is_drawn(iv_studied_metric_of(&s)) ? (iv_reals){ drawn_rates, 3 }
                                                              : (iv_reals){ fine, FINE };
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        iv_prf_study_cell *cells = NULL;
        iv_arena own = { 0 };
        size_t count;
        iv_stage stage;
        s.confidence = iv_coverage_levels()[k];
        const int rc = iv_prf_study(&cells, &count, &own, &s,
                                    iv_work_nth(&stage, &c->stage.work, k, IV_COVERAGE_LEVELS),
                                    err);
        if (rc == IV_OK)
            put_average(c, cells, s.rates.count, &s, size, IV_PRF_STUDY_EQUAL);
        if (rc == IV_OK && kind != IV_STUDIED_MCC)
            put_average(c, cells, s.rates.count, &s, size, IV_PRF_STUDY_GUARANTEED);
        iv_arena_free(&own);
        IV_TRY(rc);
    }
    iv_coverage_step_done(c);
    return IV_OK;
}

/* ------------------------------------------------------- two collections -- */

enum { DRAWS = 1000, ITEMS = 200 };

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
    rc = iv_prf_joint_new(&joint, &data, NULL, 0, jeffreys, err);
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

static int gaps(iv_coverage *c, iv_err *err)
{
    static const char *const names[2] = { "difference of F1, two collections",
                                          "difference of F1, the same items" };

    for (uint32_t k = 0; k < 2; k++)
        IV_TRY(iv_experiment_run(
            c, &(iv_experiment){ IV_COVERAGE_PRF, "simulated", &names[k], 1, 2000, (35 + k) << 4,
                                 k == 0 ? independent : paired, NULL,
                                 k == 0 ? NULL : paired_new }, err, "%d items", ITEMS));
    return IV_OK;
}

/* ------------------------------------------------------------------ reviews -- */

/* A recall of exactly 1 is held by the end of the interval alone: told apart. */
enum { REVIEWED = 4, COMPLETE = REVIEWED, TALLIED };

static const iv_prf_kind reviewed[REVIEWED] = { IV_PRF_PRECISION, IV_PRF_RECALL, IV_PRF_F,
                                                IV_PRF_ACCURACY };

static int review(iv_tally *t, void *user, void *work, size_t number, iv_stream *stream,
                  iv_err *err)
{
    const iv_coverage_options *o = user;
    const iv_recall_population *x = &o->reviews[number % o->review_count];
    const int64_t n = x->n1 + x->n0, N1 = x->N1, N0 = x->N0;
    const int64_t n1 = iv_draw_hyper(stream, N1 + N0, N1, n), n0 = n - n1;
    const int64_t r1 = iv_draw_hyper(stream, N1, x->R1, n1);
    const int64_t r0 = iv_draw_hyper(stream, N0, x->R0, n0);
    const iv_prf_counts counts = { r1, n1 - r1, r0, n0 - r0 };
    iv_prf_cells cells;
    int rc = iv_prf_update(&cells, jeffreys, &counts, NULL, err);

    (void)work;
    for (int m = 0; m < REVIEWED && rc == IV_OK; m++) {
        const iv_prf_metric metric = { reviewed[m], 1.0 };
        const double truth = iv_prf_of_cells(metric, (double)x->R1, (double)(N1 - x->R1),
                                             (double)x->R0, (double)(N0 - x->R0));
        const bool complete = reviewed[m] == IV_PRF_RECALL && x->R0 == 0;
        iv_posterior *p = NULL;
        rc = iv_posterior_prf(&p, &cells, metric, err);
        for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++) {
            iv_credible i;
            rc = iv_posterior_interval(&i, p, iv_coverage_levels()[k], IV_INTERVAL_EQUAL, err);
            if (rc == IV_OK) {
                i = iv_prf_hold_end(i, metric, iv_prf_value(metric, &counts));
                iv_tally_put(&t[complete ? COMPLETE : m], k, i.lower, i.upper, truth);
            }
        }
        iv_posterior_free(p);
    }
    return rc;
}

static int reviews(iv_coverage *c, iv_err *err)
{
    static const char *const names[TALLIED] = {
        "precision, posterior", "recall, posterior", "f1, posterior", "accuracy, posterior",
        "recall of exactly 1, posterior" };
    iv_coverage_options copy = *c->o; /* user is not const */

    return iv_experiment_run(c, &(iv_experiment){ IV_COVERAGE_PRF, "review", names, TALLIED, 4000,
                                                  34 << 4, review, &copy }, err,
                             "samples of the whole, cut at cut-offs");
}

int iv_coverage_prf(iv_coverage *c, iv_err *err)
{
    static const iv_studied_metric kinds[] = {
        IV_STUDIED_PRECISION, IV_STUDIED_RECALL, IV_STUDIED_F1, IV_STUDIED_ACCURACY,
        IV_STUDIED_BALANCED_ACCURACY, IV_STUDIED_MCC };
    static const int64_t sizes[] = { 20, 50, 200 };

    iv_coverage_steps(c, 18 + 2 + 2 * IV_COVERAGE_CLASSES_STEPS + IV_COVERAGE_CATEGORIES_STEPS
                             + (c->o->review_count > 0 ? 1 : 0));
    for (size_t k = 0; k < 18; k++)
        IV_TRY(study(c, kinds[k / 3], sizes[k % 3], err));
    IV_TRY(iv_coverage_classes(c, err));
    IV_TRY(gaps(c, err));
    return c->o->review_count > 0 ? reviews(c, err) : IV_OK;
}
