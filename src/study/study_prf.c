/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of intervals on precision, recall and F.  Given the number of items that count
 * (returned for precision, relevant for recall, either for F1) true positives are binomial,
 * with probability F/(2-F) for F1: coverage is summed over all outcomes.  MCC and balanced
 * accuracy depend on more counts: their samples are drawn.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/parallel.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------ a proportion -- */

IV_NAMES(iv_binomial_interval_names, "wald", "wilson", "agresti-coull", "jeffreys",
         "clopper-pearson")

void iv_binomial_limits(double *lower, double *upper, iv_binomial_interval method, double k,
                        double n, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence), z = iv_norm_isf(tail), z2 = z * z;
    const double p = k / n, size = n + z2, centre = (k + 0.5 * z2) / size;
    const double half = method == IV_BINOMIAL_WALD ? z * sqrt(p * (1.0 - p) / n)
        : method == IV_BINOMIAL_WILSON ? z / size * sqrt(n * p * (1.0 - p) + 0.25 * z2)
        : z * sqrt(centre * (1.0 - centre) / size);
    const double more = method == IV_BINOMIAL_JEFFREYS ? 0.5 : 0.0;

    if (method < IV_BINOMIAL_JEFFREYS) {
        *lower = (method == IV_BINOMIAL_WALD ? p : centre) - half;
        *upper = (method == IV_BINOMIAL_WALD ? p : centre) + half;
        return;
    }
    *lower = k == 0.0 ? 0.0 : iv_beta_quantile(tail, k + more, n - k + 1.0 - more);
    *upper = k == n ? 1.0 : iv_beta_isf(tail, k + 1.0 - more, n - k + more);
}

double iv_binomial_coverage(iv_binomial_interval method, int64_t n, double p, double confidence)
{
    double sum = 0.0;

    for (int64_t k = 0; k <= n; k++) {
        double lower, upper;
        iv_binomial_limits(&lower, &upper, method, (double)k, (double)n, confidence);
        if (p >= lower - 1e-12 && p <= upper + 1e-12)
            sum += exp(iv_binom_log_pmf(k, n, p));
    }
    return sum;
}

/* -------------------------------------------------------------- exact sums -- */

enum { EQUAL, GUARANTEED, BOOTSTRAP, WILSON, METHODS };

static const char *const method_names[METHODS] = { "posterior, equal tails",
                                                   "guaranteed", "bootstrap", "wilson" };

typedef struct outcomes {
    bool f;
    int64_t n;
    double confidence;
    iv_limits (*all)[METHODS];
} outcomes;

/* F1 of the proportion of TP among items returned or relevant. */
static double f_of(bool f, double share) { return f ? 2.0 * share / (1.0 + share) : share; }

/* All intervals when k of n are TP; the ideal bootstrap's counts are binomial. */
static int one_outcome(void *user, void *memory, size_t at, iv_err *err)
{
    const outcomes *o = user;
    const int64_t k = (int64_t)at, n = o->n;
    const double c = o->confidence, tail = 0.5 * (1.0 - c), p = (double)k / (double)n;
    const iv_prf_cells cells = { .tp = (double)k + 0.5, .fp = (double)(n - k) + 0.5, .fn = 0.5 };
    const iv_prf_metric metric = { o->f ? IV_PRF_F : IV_PRF_PRECISION, 1.0 };
    const iv_prf_counts counts = { k, n - k, 0, -1 };
    iv_limits *out = o->all[at];
    iv_posterior posterior;

    (void)memory;
    (void)err;
    iv_posterior_prf(&posterior, &cells, metric);
    out[EQUAL] = iv_prf_hold_end(iv_posterior_interval(&posterior, c), metric, p);
    out[GUARANTEED] = iv_prf_guaranteed(&counts, metric, c);
    out[BOOTSTRAP] = (iv_limits){ f_of(o->f, (double)iv_binom_isf(1.0 - tail, n, p) / (double)n),
                                 f_of(o->f, (double)iv_binom_isf(tail, n, p)
                                                / (double)n) };
    iv_binomial_limits(&out[WILSON].lower, &out[WILSON].upper, IV_BINOMIAL_WILSON, (double)k,
                       (double)n, c);
    out[WILSON] = (iv_limits){ f_of(o->f, fmax(0.0, out[WILSON].lower)),
                              f_of(o->f, fmin(1.0, out[WILSON].upper)) };
    return IV_OK;
}

/* One row a method at one true rate. */
static void sum_outcomes(iv_study *s, const outcomes *o, double rate)
{
    const double share = o->f ? rate / (2.0 - rate) : rate;

    for (int m = 0; m < METHODS; m++) {
        if (!iv_study_wants_method(s, method_names[m]))
            continue;
        iv_rate *r = iv_study_row(s, o->f ? "F1" : "precision or recall", method_names[m],
                                  "binomial", "rate %g, %d items", rate, (int)o->n);
        r->below = r->above = r->width = 0.0;
        for (int64_t k = 0; k <= o->n; k++) {
            const double p = exp(iv_binom_log_pmf(k, o->n, share));
            const iv_limits *x = &o->all[k][m];
            r->below += rate < x->lower - 1e-12 ? p : 0.0;
            r->above += rate > x->upper + 1e-12 ? p : 0.0;
            r->width += p * (x->upper - x->lower);
        }
        r->rate = 1.0 - r->below - r->above;
        r->se = 0.0;
    }
}

static int study_size(iv_study *s, bool f, int64_t n, iv_err *err)
{
    static const double rates[] = { 0.05, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99 };
    iv_arena own = { 0 };
    outcomes o = { f, n, s->confidence, iv_take(&own, (size_t)n + 1, sizeof *o.all) };
    int rc = iv_taken(&own, err);

    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ (size_t)n + 1, one_outcome, &o }, &s->stage.work, err);
    for (size_t i = 0; i < sizeof rates / sizeof *rates && rc == IV_OK; i++)
        sum_outcomes(s, &o, rates[i]);
    iv_arena_free(&own);
    iv_study_step_done(s);
    return rc;
}

/* ------------------------------------------------------------ drawn samples -- */

enum { DRAWS = 1000 };

typedef struct drawn {
    double share[4]; /* TP, FP, FN, TN of the population */
    int64_t items;
    double confidence;
} drawn;

static const iv_prf_metric metrics[] = { { IV_PRF_MCC, 1.0 }, { IV_PRF_BALANCED_ACCURACY, 1.0 },
                                         { IV_PRF_F, 2.0 } };

static int drawn_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const drawn *d = user;
    const double tail = 0.5 * (1.0 - d->confidence), *share = d->share;
    double *x = ((iv_study_room *)memory)->x;
    int64_t n[4];
    iv_prf_cells cells;

    iv_draw_multinomial(stream, n, d->items, share, 4);
    const iv_prf_counts counts = { n[0], n[1], n[2], n[3] };
    const iv_work alone = { .threads = 1, .seed = iv_draw_bits(stream) };
    IV_TRY(iv_prf_update(&cells, (iv_prf_prior){ 0.5, 0.5 }, &counts, err));
    for (size_t m = 0; m < 3; m++) {
        const double truth = iv_prf_of_cells(metrics[m], share[0], share[1], share[2], share[3]);
        IV_TRY(iv_prf_draw(x, &cells, &metrics[m], 1, DRAWS, 0, &alone,
                           err));
        qsort(x, DRAWS, sizeof *x, iv_ascending);
        iv_tally_interval(&t[m], iv_prf_value(metrics[m], &counts), x[(size_t)(tail * DRAWS)],
                          x[(size_t)((1.0 - tail) * DRAWS)], truth);
    }
    return IV_OK;
}

/* ------------------------------------------------------------ rare classes -- */

enum { CLASSES = 5, MACRO_SETTINGS = 8 };

static int32_t draw_class(const double *share, iv_stream *stream)
{
    double u = iv_draw_uniform(stream);
    int32_t k = 0;

    while (k + 1 < CLASSES && (u -= share[k]) >= 0.0)
        k++;
    return k;
}

iv_prf_items iv_study_classify(double *truth, const iv_study_classes *c, size_t items,
                               iv_study_room *room, iv_stream *stream)
{
    static const double even[] = { 0.2, 0.2, 0.2, 0.2, 0.2 },
        rare[] = { 0.6, 0.25, 0.09, 0.03, 0.03 };
    const double chance = 1.0 / CLASSES; /* of those who are not right: the mean over classes */
    const double *share = c->rare ? rare : even;
    const size_t systems = c->paired ? 2 : 1;
    int32_t *const all = (int32_t *)(void *)room->word, *at = all;

    for (size_t i = 0; i < items; i++, at += systems + 1) {
        at[0] = draw_class(share, stream);
        at[1] = iv_draw_uniform(stream) < c->right ? at[0] : draw_class(share, stream);
        if (c->paired && iv_draw_uniform(stream) < 0.5)
            at[2] = at[1];
        else if (c->paired) /* half of it differs, and has twice the loss */
            at[2] = iv_draw_uniform(stream) < c->right - 2.0 * c->loss / (1.0 - chance)
                ? at[0] : draw_class(share, stream);
    }
    *truth = c->right + (1.0 - c->right) * chance;
    return (iv_prf_items){ items, systems, CLASSES, all };
}

typedef struct macro_setting {
    iv_study_classes classes;
    size_t items;
    double confidence;
} macro_setting;

static int macro_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    static const iv_prf_metric averages[] = { { IV_PRF_F, 1.0 }, { IV_PRF_RECALL, 0.0 } };
    const macro_setting *r = user;
    double truth;
    const iv_prf_items items = iv_study_classify(&truth, &r->classes, r->items, memory,
                                                 stream);
    iv_interval x;

    for (size_t m = 0; m < 2; m++) {
        IV_TRY(iv_prf_average_labels(&x, &items, 0, IV_PRF_MACRO, averages[m], r->confidence,
                                     err));
        if (!isnan(x.lower))
            iv_tally_interval(&t[m], x.value, x.lower, x.upper, truth);
    }
    return IV_OK;
}

static int study_macro(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = {
        { .quantity = "macro F1", .method = "default of prf" },
        { .quantity = "macro recall", .method = "default of prf" } };
    static const size_t items[] = { 50, 100, 300, 1000 };

    for (size_t i = 0; i < MACRO_SETTINGS; i++) {
        macro_setting r = { { .rare = i >= 4, .right = 0.8 }, items[i % 4], s->confidence };
        const iv_experiment e = { i < 4 ? "5 equal classes" : "5 classes, two of 3 %", methods, 2,
                                  1500, macro_replicate, &r,
                                  .room = { 0, 0, 0, 3 * r.items } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu items", r.items));
    }
    return IV_OK;
}

int iv_study_prf(iv_study *s, iv_err *err)
{
    static const int64_t usual[] = { 10, 20, 50, 100, 200 };
    static const char draws[] = "posterior, equal tails";
    static const iv_studied methods[] = { { .quantity = "MCC", .method = draws },
                                          { .quantity = "balanced accuracy", .method = draws },
                                          { .quantity = "F2", .method = draws } };
    static const double rates[] = { 0.5, 0.8, 0.95 };
    const iv_integers n = s->q->n.count > 0 ? s->q->n : (iv_integers){ usual, 5 };

    iv_study_steps(s, 5 * n.count + MACRO_SETTINGS);
    for (size_t i = 0; i < n.count; i++) {
        IV_TRY(study_size(s, false, n.at[i], err));
        IV_TRY(study_size(s, true, n.at[i], err));
    }
    for (size_t i = 0; i < 3 * n.count; i++) {
        const double rate = rates[i % 3];
        drawn d = { { 0.2 * rate, 0.2 * (1.0 - rate), 0.2 * (1.0 - rate), 0.6 + 0.2 * rate },
                    n.at[i / 3], s->confidence };
        const iv_experiment e = { "multinomial", methods, 3, 1000, drawn_replicate, &d,
                                  .room = { DRAWS } };
        IV_TRY(iv_experiment_run(s, &e, err, "rate %g, %d items", rate, (int)d.items));
    }
    return study_macro(s, err);
}
