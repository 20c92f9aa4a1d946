/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of the default intervals of prf: equal tails of the posterior with
 * Jeffreys' prior.  Of precision, recall, F1 and accuracy by summing over all
 * outcomes; of balanced accuracy, MCC and macro averages by simulation; and of
 * samples of reviews whose labels are all known.
 */
#include <math.h>
#include <stdlib.h>

#include "study/coverage_parts.h"

static const iv_prf_prior jeffreys = { 0.5, 0.5 };

static void name_row(iv_covered *row, const char *metric, const char *data, const char *setting)
{
    row->part = IV_COVERAGE_PRF;
    (void)snprintf(row->interval, sizeof row->interval, "%s, posterior", metric);
    (void)snprintf(row->data, sizeof row->data, "%s", data);
    (void)snprintf(row->setting, sizeof row->setting, "%s", setting);
}

/* ------------------------------------------------------ one system's rates -- */

enum { MOST_RATES = 11 };

static const double exact_rates[MOST_RATES] = { .05, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95 };
static const double drawn_rates[] = { .5, .8, .95 };

/* Averages the posterior's cells over the rates. */
static void put_average(iv_coverage *c, const iv_prf_study_cell *cells, size_t rates,
                        const iv_study_prf_question *s, const char *metric, int64_t size)
{
    const bool drawn = iv_prf_study_is_drawn(iv_studied_metric_of(s));
    char setting[IV_COVERAGE_TEXT];
    iv_covered row = { .nominal = s->confidence, .least = 1.0 };

    (void)snprintf(setting, sizeof setting, "%lld items%s", (long long)size,
                   drawn ? ", a fifth relevant" : "");
    name_row(&row, metric, "simulated", setting);
    for (size_t i = 0; i < rates; i++) {
        const iv_prf_study_cell *x = &cells[i * IV_PRF_STUDY_METHODS + IV_PRF_STUDY_EQUAL];
        row.coverage += x->coverage / (double)rates;
        row.below += x->above / (double)rates; /* of the interval there, of the truth here */
        row.above += x->below / (double)rates;
        row.width += x->width / (double)rates;
        row.without += x->gaps / (double)rates;
        row.least = fmin(row.least, x->coverage);
        if (isfinite(x->coverage_se))
            row.se += x->coverage_se * x->coverage_se;
    }
    row.se = sqrt(row.se) / (double)rates;
    row.replicates = drawn ? s->replicates * rates : 0;
    iv_coverage_put_row(c, &row);
}

static int study(iv_coverage *c, const iv_coverage_options *o, iv_studied_metric kind,
                 int64_t size, iv_err *err)
{
    iv_study_prf_question s = { .metric = kind, .sizes = { &size, 1 }, .draws = 1000,
                                .replicates = o->quick ? 100 : 1000 };
    const iv_prf_metric metric = iv_studied_metric_of(&s);
    char name[IV_PRF_NAME_SIZE];
    int rc = IV_OK;

    s.rates = iv_prf_study_is_drawn(metric) ? (iv_reals){ drawn_rates, 3 }
                                            : (iv_reals){ exact_rates, MOST_RATES };
    for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++) {
        const double quarter = 1.0 / IV_COVERAGE_LEVELS;
        iv_prf_study_cell *cells = NULL;
        size_t count;
        iv_stage stage;
        s.confidence = iv_coverage_levels()[k];
        rc = iv_prf_study(&cells, &count, &s, iv_work_part(&stage, iv_coverage_work(c),
                                                           (double)k * quarter,
                                                           (double)(k + 1) * quarter), err);
        if (rc == IV_OK)
            put_average(c, cells, s.rates.count, &s, iv_prf_name(name, metric), size);
        free(cells);
    }
    iv_coverage_step_done(c);
    return rc;
}

/* ---------------------------------------------------------- macro averages -- */

enum { CLASSES = 3, DRAWS = 1000, AVERAGED = 3, ITEMS = 200 };

/* P(gold, said): classes of unequal size and difficulty. */
static const double confusion[CLASSES * CLASSES] = { .45, .03, .02, .06, .20, .04, .03, .05, .12 };

static const iv_prf_kind averaged[AVERAGED] = { IV_PRF_PRECISION, IV_PRF_RECALL, IV_PRF_F };

typedef struct macro_work {
    int32_t labels[2 * ITEMS];
    double draws[AVERAGED * DRAWS];
} macro_work;

static void *macro_new(iv_arena *own, void *user)
{
    (void)user;
    return iv_take(own, 1, sizeof(macro_work));
}

static double macro_truth(iv_prf_kind kind)
{
    double sum = 0.0;

    for (int k = 0; k < CLASSES; k++) {
        const double tp = confusion[k * CLASSES + k];
        double gold = 0.0, said = 0.0;
        for (int j = 0; j < CLASSES; j++) {
            gold += confusion[k * CLASSES + j];
            said += confusion[j * CLASSES + k];
        }
        sum += iv_prf_of_cells((iv_prf_metric){ kind, 1.0 }, tp, said - tp, gold - tp,
                               1.0 - gold - said + tp) / CLASSES;
    }
    return sum;
}

static int macro(iv_tally *t, void *user, void *memory, size_t number, iv_stream *stream,
                 iv_err *err)
{
    macro_work *w = memory;
    const size_t items = *(const size_t *)user;
    const iv_prf_items data = { items, 1, CLASSES, w->labels };
    const iv_draw_plan plan = { DRAWS, 0 };
    const iv_work alone = { .threads = 1, .seed = iv_draw_bits(stream) };
    iv_prf_target targets[AVERAGED];
    int64_t counts[CLASSES * CLASSES];
    iv_prf_joint *joint = NULL;
    size_t i = 0;
    int rc;

    (void)number;
    iv_draw_multinomial(stream, counts, (int64_t)items, confusion, CLASSES * CLASSES);
    for (int32_t cell = 0; cell < CLASSES * CLASSES; cell++)
        for (int64_t n = 0; n < counts[cell]; n++, i++) {
            w->labels[2 * i] = cell / CLASSES;
            w->labels[2 * i + 1] = cell % CLASSES;
        }
    for (int m = 0; m < AVERAGED; m++)
        targets[m] = (iv_prf_target){ 0, IV_PRF_MACRO, 0, { averaged[m], 1.0 } };
    rc = iv_prf_joint_new(&joint, &data, NULL, 1, jeffreys, err);
    if (rc == IV_OK)
        rc = iv_prf_joint_draw(w->draws, joint, targets, AVERAGED, &plan, &alone, err);
    for (int m = 0; m < AVERAGED && rc == IV_OK; m++)
        for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
            const double tail = (1.0 - iv_coverage_levels()[k]) / 2.0;
            double *draws = w->draws + (size_t)m * DRAWS;
            iv_tally_put(&t[m], k, iv_quantile(draws, DRAWS, tail),
                         iv_quantile(draws, DRAWS, 1.0 - tail), macro_truth(averaged[m]));
        }
    iv_prf_joint_free(joint);
    return rc;
}

static int macro_averages(iv_coverage *c, const iv_coverage_options *o, size_t items,
                          uint32_t number, iv_err *err)
{
    static const char *const names[AVERAGED] = { "macro precision", "macro recall", "macro F1" };
    const iv_experiment e = { AVERAGED, iv_coverage_size(o, 2000), macro, &items, macro_new };
    iv_tally t[AVERAGED];
    char setting[IV_COVERAGE_TEXT];
    const int rc = iv_experiment_run(t, &e, number << 4, c, err);

    (void)snprintf(setting, sizeof setting, "%zu items, 3 classes", items);
    for (int m = 0; m < AVERAGED && rc == IV_OK; m++) {
        iv_covered row = { .part = IV_COVERAGE_PRF };
        name_row(&row, names[m], "simulated", setting);
        iv_coverage_put(c, row, &t[m]);
    }
    iv_coverage_step_done(c);
    return rc;
}

/* ------------------------------------------------------------------ reviews -- */

/* A posterior on (0, 1) cannot hold a recall of exactly 1: told apart. */
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
            if (rc == IV_OK)
                iv_tally_put(&t[complete ? COMPLETE : m], k, i.lower, i.upper, truth);
        }
        iv_posterior_free(p);
    }
    return rc;
}

static int reviews(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    iv_coverage_options copy = *o; /* user is not const */
    const iv_experiment e = { TALLIED, iv_coverage_size(o, 4000), review, &copy, NULL };
    iv_tally t[TALLIED];
    char name[IV_PRF_NAME_SIZE];
    const int rc = iv_experiment_run(t, &e, 34 << 4, c, err);

    for (int m = 0; m < TALLIED && rc == IV_OK; m++) {
        iv_covered row = { .part = IV_COVERAGE_PRF };
        name_row(&row, m == COMPLETE ? "recall of exactly 1"
                 : iv_prf_name(name, (iv_prf_metric){ reviewed[m], 1.0 }), "review",
                 "samples of the whole, cut at cut-offs");
        iv_coverage_put(c, row, &t[m]);
    }
    iv_coverage_step_done(c);
    return rc;
}

int iv_coverage_prf(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    static const iv_studied_metric kinds[] = {
        IV_STUDIED_PRECISION, IV_STUDIED_RECALL, IV_STUDIED_F1, IV_STUDIED_ACCURACY,
        IV_STUDIED_BALANCED_ACCURACY, IV_STUDIED_MCC };
    static const int64_t sizes[] = { 20, 50, 200 };
    int rc = IV_OK;

    iv_coverage_steps(c, 18 + 4 + (o->review_count > 0 ? 1 : 0));
    for (size_t k = 0; k < 6 && rc == IV_OK; k++)
        for (size_t i = 0; i < 3 && rc == IV_OK; i++)
            rc = study(c, o, kinds[k], sizes[i], err);
    if (rc == IV_OK)
        rc = macro_averages(c, o, 50, 32, err);
    if (rc == IV_OK)
        rc = macro_averages(c, o, ITEMS, 33, err);
    if (rc == IV_OK)
        rc = iv_coverage_gaps(c, o, err);
    return rc == IV_OK && o->review_count > 0 ? reviews(c, o, err) : rc;
}
