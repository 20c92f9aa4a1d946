/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of prf's averages over classes, and of their differences between two systems
 * on the same items.  Classes are of equal size, or of sizes 1, 1/2, 1/3, ...; later ones
 * are harder (the logit of a class' recall falls by 2 from the first to the last); errors
 * are even.  Accuracies are about a setting's, drawn for each sample with a logit up to .3 from
 * it: whole counts are few, and at one accuracy an interval holds a little more or less often than
 * beside it.  The second system is as good and errs by itself.  Intervals of differences are
 * those of the draws that P(a > b) and P(best) are shares of: these are as sure as the
 * intervals are, at every level.
 */
#include <math.h>

#include "stat/prf/prf_state.h"
#include "study/coverage_parts.h"

enum { DRAWS = 1000, MOST = 20 };

typedef struct classes_setting {
    int32_t classes;
    size_t items;
    double accuracy;
    bool tail;
    double gold[MOST], recall[MOST]; /* of each class, in truth */
} classes_setting;

/* What is tallied: averages of a system, and differences of two. */
static const iv_prf_target targets[] = {
    { 0, IV_PRF_MICRO, 0, { IV_PRF_ACCURACY, 0.0 } },
    { 0, IV_PRF_MACRO, 0, { IV_PRF_PRECISION, 0.0 } },
    { 0, IV_PRF_MACRO, 0, { IV_PRF_RECALL, 0.0 } },
    { 0, IV_PRF_MACRO, 0, { IV_PRF_F, 1.0 } },
    { 0, IV_PRF_WEIGHTED, 0, { IV_PRF_PRECISION, 0.0 } },
    { 0, IV_PRF_WEIGHTED, 0, { IV_PRF_F, 1.0 } } };
static const char *const names[] = {
    "accuracy", "macro precision", "macro recall", "macro F1", "weighted precision",
    "weighted F1", "difference of accuracy, as P(best) draws it",
    "difference of macro precision, the same items", "difference of macro recall, the same items",
    "difference of macro F1, the same items" };
enum { TARGETS = 6, DIFFERENCES = 4 };

/* Sizes and recalls of classes, such that the accuracy is what it shall be. */
static void find_classes(classes_setting *s)
{
    const int32_t K = s->classes;
    double sum = 0.0, low = -20.0, high = 20.0;

    for (int32_t k = 0; k < K; k++)
        sum += s->gold[k] = s->tail ? 1.0 / (k + 1.0) : 1.0;
    for (int32_t k = 0; k < K; k++)
        s->gold[k] /= sum;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        double accuracy = 0.0;
        for (int32_t k = 0; k < K; k++) {
            s->recall[k] = iv_logistic(middle + 1.0 - 2.0 * k / (K - 1.0));
            accuracy += s->gold[k] * s->recall[k];
        }
        *(accuracy < s->accuracy ? &low : &high) = middle;
    }
}

static double truth(const classes_setting *s, const iv_prf_target *t)
{
    const int32_t K = s->classes;
    double sum = 0.0, wrong = 0.0;

    if (t->average == IV_PRF_MICRO)
        return s->accuracy;
    for (int32_t k = 0; k < K; k++)
        wrong += s->gold[k] * (1.0 - s->recall[k]) / (K - 1.0);
    for (int32_t k = 0; k < K; k++) {
        const double tp = s->gold[k] * s->recall[k], fn = s->gold[k] - tp;
        const double fp = wrong - fn / (K - 1.0);
        sum += iv_prf_of_cells(t->metric, tp, fp, fn, 1.0 - tp - fp - fn)
               * (t->average == IV_PRF_WEIGHTED ? s->gold[k] : 1.0 / K);
    }
    return sum;
}

typedef struct classes_work {
    int32_t *labels;
    double draws[2 * DRAWS];
} classes_work;

static void *work_new(iv_arena *own, void *user)
{
    const classes_setting *s = user;
    classes_work *w = iv_take(own, 1, sizeof *w);

    if (w != NULL)
        w->labels = iv_take(own, 3 * s->items, sizeof *w->labels);
    return own->failed ? NULL : w;
}

static int32_t answer(const classes_setting *s, int32_t gold, iv_stream *stream)
{
    const bool right = iv_draw_uniform(stream) < s->recall[gold];
    const int32_t other = (int32_t)iv_draw_below(stream, (uint64_t)s->classes - 1);

    return right ? gold : other + (other >= gold);
}

static void draw_items(int32_t *labels, const classes_setting *s, iv_stream *stream)
{
    for (size_t i = 0; i < s->items; i++) {
        double left = iv_draw_uniform(stream);
        int32_t gold = 0;
        while (gold + 1 < s->classes && left >= s->gold[gold])
            left -= s->gold[gold++];
        labels[3 * i] = gold;
        labels[3 * i + 1] = answer(s, gold, stream);
        labels[3 * i + 2] = answer(s, gold, stream);
    }
}

/* Limits at every level, of a beta distribution or, with draws, of these. */
static void put(iv_tally *t, const iv_prf_cells *beta, double *draws, double true_value)
{
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const double tail = (1.0 - iv_coverage_levels()[k]) / 2.0;
        if (draws == NULL)
            iv_tally_put(t, k, iv_beta_quantile(tail, beta->tp, beta->fp),
                         iv_beta_isf(tail, beta->tp, beta->fp), true_value);
        else
            iv_tally_put(t, k, iv_quantile(draws, DRAWS, tail),
                         iv_quantile(draws, DRAWS, 1.0 - tail), true_value);
    }
}

/* A sample of two systems, and the setting it is from. */
static classes_setting draw_setting(classes_work *w, const classes_setting *about, iv_stream *stream)
{
    classes_setting s = *about;

    s.accuracy = iv_logistic(log(s.accuracy / (1.0 - s.accuracy))
                             + 0.6 * (iv_draw_uniform(stream) - 0.5));
    find_classes(&s);
    draw_items(w->labels, &s, stream);
    return s;
}

static int average_replicate(iv_tally *t, void *user, void *memory, size_t number,
                             iv_stream *stream, iv_err *err)
{
    classes_work *w = memory;
    const classes_setting s = draw_setting(w, user, stream);
    const iv_prf_items data = { s.items, 2, s.classes, w->labels };

    (void)number;
    for (size_t m = 0; m < TARGETS; m++) {
        iv_prf_cells beta;
        IV_TRY(iv_prf_average_cells(&beta, &data, 1, &targets[m], (iv_prf_prior){ 0.5, 0.5 }, err));
        put(&t[m], &beta, NULL, truth(&s, &targets[m]));
    }
    return IV_OK;
}

/* Drawing takes fifty times as long: there are fewer of these. */
static int difference_replicate(iv_tally *t, void *user, void *memory, size_t number,
                                iv_stream *stream, iv_err *err)
{
    classes_work *w = memory;
    const classes_setting s = draw_setting(w, user, stream);
    const iv_prf_items data = { s.items, 2, s.classes, w->labels };
    const iv_work alone = { .threads = 1, .seed = iv_draw_bits(stream) };

    (void)number;
    for (size_t m = 0; m < DIFFERENCES; m++) {
        IV_TRY(iv_prf_average_draw(w->draws, &data, NULL, 0, &targets[m],
                                   (iv_prf_prior){ 0.5, 0.5 }, &(iv_draw_plan){ DRAWS, 0 }, &alone,
                                   err));
        for (size_t d = 0; d < DRAWS; d++)
            w->draws[d] -= w->draws[DRAWS + d];
        put(&t[m], NULL, w->draws, 0.0);
    }
    return IV_OK;
}

/* Categories of as many items each (TP + FP + FN), from counts: the share of TP has a logit that
 * rises by 2 from the first to the last, about what accuracy is above; FP and FN are even. */
static int categories_replicate(iv_tally *t, void *user, void *memory, size_t number,
                                iv_stream *stream, iv_err *err)
{
    const classes_setting *s = user;
    const double jitter = 0.6 * (iv_draw_uniform(stream) - 0.5);
    iv_prf_counts n[MOST];
    const iv_prf_counts *each[MOST];
    double truths[3] = { 0.0 };

    (void)memory;
    (void)number;
    (void)err;
    for (int32_t k = 0; k < s->classes; k++) {
        const double share = iv_logistic(log(s->accuracy / (1.0 - s->accuracy)) + jitter - 1.0
                                         + 2.0 * k / (s->classes - 1.0));
        n[k] = (iv_prf_counts){ 0, 0, 0, -1 };
        each[k] = &n[k];
        for (size_t i = 0; i < s->items; i++) {
            if (iv_draw_uniform(stream) < share)
                n[k].tp++;
            else
                *(iv_draw_uniform(stream) < 0.5 ? &n[k].fp : &n[k].fn) += 1;
        }
        for (int m = 0; m < 3; m++)
            truths[m] += iv_prf_of_cells(targets[1 + m].metric, share, 0.5 * (1.0 - share),
                                         0.5 * (1.0 - share), 0.0) / s->classes;
    }
    for (int m = 0; m < 3; m++) {
        const iv_prf_cells beta = iv_prf_macro_cells(each, (size_t)s->classes, targets[1 + m].metric,
                                                     (iv_prf_prior){ 0.5, 0.5 });
        put(&t[m], &beta, NULL, truths[m]);
    }
    return IV_OK;
}

static int cover_categories(iv_coverage *c, iv_err *err)
{
    static const classes_setting settings[IV_COVERAGE_CATEGORIES_STEPS] = {
        { 3, 20, .8, false, { 0 }, { 0 } },  { 3, 20, .95, false, { 0 }, { 0 } },
        { 10, 10, .8, false, { 0 }, { 0 } }, { 10, 50, .9, false, { 0 }, { 0 } },
        { 20, 20, .8, false, { 0 }, { 0 } }, { 20, 100, .6, false, { 0 }, { 0 } } };

    for (uint32_t i = 0; i < IV_COVERAGE_CATEGORIES_STEPS; i++) {
        classes_setting s = settings[i];
        const iv_experiment e = { IV_COVERAGE_PRF, "simulated", names + 1, 3, 4000, 0x2100 + i,
                                  categories_replicate, &s, NULL };
        IV_TRY(iv_experiment_run(c, &e, err, "%d categories of %zu items, share of TP about %g",
                                 (int)s.classes, s.items, s.accuracy));
    }
    return IV_OK;
}

int iv_coverage_classes(iv_coverage *c, iv_err *err)
{
    static const classes_setting settings[IV_COVERAGE_CLASSES_STEPS] = {
        { 3, 50, .8, true, { 0 }, { 0 } },    { 3, 100, .8, true, { 0 }, { 0 } },
        { 3, 200, .97, false, { 0 }, { 0 } }, { 5, 100, .9, false, { 0 }, { 0 } },
        { 5, 200, .6, true, { 0 }, { 0 } },   { 10, 100, .7, true, { 0 }, { 0 } },
        { 10, 200, .9, false, { 0 }, { 0 } }, { 10, 500, .8, true, { 0 }, { 0 } },
        { 10, 1000, .97, true, { 0 }, { 0 } }, { 20, 100, .9, true, { 0 }, { 0 } },
        { 20, 200, .8, false, { 0 }, { 0 } }, { 20, 500, .9, true, { 0 }, { 0 } },
        { 20, 1000, .6, true, { 0 }, { 0 } }, { 20, 1000, .97, false, { 0 }, { 0 } },
        { 3, 100, .99, false, { 0 }, { 0 } }, { 5, 500, .99, true, { 0 }, { 0 } },
        { 10, 200, .98, true, { 0 }, { 0 } } };

    for (uint32_t i = 0; i < IV_COVERAGE_CLASSES_STEPS; i++) {
        static const char shown[] = "%zu items, %d classes%s, accuracy about %g";
        classes_setting s = settings[i];
        const char *sizes = s.tail ? " of unequal size" : "";
        const iv_experiment e = { IV_COVERAGE_PRF, "simulated", names, TARGETS, 4000,
                                  0x2000 + i, average_replicate, &s, work_new };
        const iv_experiment d = { IV_COVERAGE_PRF, "simulated", names + TARGETS, DIFFERENCES, 1000,
                                  0x2200 + i, difference_replicate, &s, work_new };
        IV_TRY(iv_experiment_run(c, &e, err, shown, s.items, (int)s.classes, sizes, s.accuracy));
        IV_TRY(iv_experiment_run(c, &d, err, shown, s.items, (int)s.classes, sizes, s.accuracy));
    }
    return cover_categories(c, err);
}
