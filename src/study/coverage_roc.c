/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of roc's intervals.  Scores are normal in both classes, one system's beside a worse
 * one's and one's that is as good, with half of their errors in common (the latter also by DeLong's
 * test, which is shown beside); or, of one system, have
 * longer tails or unequal spreads; probabilities are those of a logistic
 * model whose slope is too steep by half, so that they are not calibrated.
 */
#include <math.h>

#include "intervale/stat/scored.h"
#include "study/coverage_parts.h"

enum { PROBES = 10000, STEEP = 3 /* halves */ };

/* How one system's scores lie. */
typedef struct roc_scores {
    const char *name;
    enum { TWICE, EXPONENTIAL, STUDENT, LOGNORMAL } kind;
    double apart[2]; /* of areas of .9 and .99: how far, of EXPONENTIAL how many times */
} roc_scores;

typedef struct roc_setting {
    const roc_scores *scores;
    double apart;          /* where those are given */
    double area;           /* of a; b's is half way to 1/2 in units of z */
    size_t positives, negatives;
    double share;          /* of positives, where classes are drawn */
    size_t n, bins;
    double slope;          /* of the logits: at 8 most items are of one class beyond doubt */
    double truths[3];      /* of brier, log loss, calibration error */
} roc_setting;

typedef struct roc_room {
    double *a, *b, *equal, *shared;
    bool *positive;
} roc_room;

static void *room_new(iv_arena *own, void *user)
{
    const roc_setting *s = user;
    const size_t n = s->n + s->positives + s->negatives;
    roc_room *w = iv_take(own, 1, sizeof *w);

    if (w == NULL)
        return NULL;
    *w = (roc_room){ iv_take(own, n, sizeof(double)), iv_take(own, n, sizeof(double)),
                     iv_take(own, n, sizeof(double)), iv_take(own, n, sizeof(double)),
                     iv_take(own, n, sizeof(bool)) };
    return own->failed ? NULL : w;
}

/* How far apart the classes are. */
static double apart(double area) { return sqrt(2.0) * iv_norm_quantile(area); }

static int area_replicate(iv_tally *t, void *user, void *memory, size_t number,
                          iv_stream *stream, iv_err *err)
{
    const roc_setting *s = user;
    roc_room *w = memory;
    const size_t n = s->positives + s->negatives;
    const double d = apart(s->area), second = iv_norm_cdf(0.5 * d / sqrt(2.0));

    (void)number;
    for (size_t i = 0; i < n; i++) {
        w->shared[i] = sqrt(0.5) * iv_draw_normal(stream);
        w->positive[i] = i < s->positives;
        w->a[i] = (w->positive[i] ? d : 0.0) + w->shared[i] + sqrt(0.5) * iv_draw_normal(stream);
        w->b[i] = (w->positive[i] ? 0.5 * d : 0.0) + w->shared[i]
                  + sqrt(0.5) * iv_draw_normal(stream);
    }
    for (size_t i = 0; i < n; i++)
        w->equal[i] = (w->positive[i] ? d : 0.0) + w->shared[i]
                      + sqrt(0.5) * iv_draw_normal(stream);
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const iv_scored_items items = { w->a, w->positive, n };
        const double c = iv_coverage_levels()[k];
        iv_scored_value x;
        iv_auc_difference y, z;
        IV_TRY(iv_auc(&x, &items, c, err));
        IV_TRY(iv_auc_compare(&y, w->a, w->b, w->positive, n, c, err));
        IV_TRY(iv_auc_compare(&z, w->a, w->equal, w->positive, n, c, err));
        iv_tally_put(&t[0], k, x.lower, x.upper, s->area);
        iv_tally_put(&t[1], k, y.lower, y.upper, s->area - second);
        iv_tally_put(&t[2], k, z.lower, z.upper, 0.0);
        if (z.se > 0.0)
            iv_tally_put(&t[3], k, z.value + iv_norm_quantile(0.5 - 0.5 * c) * z.se,
                         z.value + iv_norm_isf(0.5 - 0.5 * c) * z.se, 0.0);
        else
            t[3].gaps += k == 0;
    }
    return IV_OK;
}

static int run_areas(iv_coverage *c, double area, const size_t classes[2], uint32_t number,
                     iv_err *err)
{
    static const char *const areas[] = { "AUC", "difference of AUC",
                                         "difference of AUC, equal systems",
                                         "the same by DeLong's test" };
    roc_setting s = { .area = area, .positives = classes[0], .negatives = classes[1] };
    const iv_experiment e = { IV_COVERAGE_ROC, "simulated", areas, 4, 4000, number,
                              area_replicate, &s, room_new };

    return iv_experiment_run(c, &e, err, "AUC %g, %zu and %zu items", s.area, s.positives,
                             s.negatives);
}

/* The distances of STUDENT (3 degrees of freedom) and LOGNORMAL by quadrature of the area. */
static const roc_scores shapes[] = {
    { "positives spread twice as much", TWICE, { 2.8656364, 5.2018720 } },
    { "exponential", EXPONENTIAL, { 9.0, 99.0 } },
    { "Student's t, 3 degrees of freedom", STUDENT, { 2.5042334, 6.3068993 } },
    { "lognormal, one beside the other", LOGNORMAL, { 2.4915771, 8.9671198 } },
};

static double shaped_draw(iv_stream *stream, const roc_setting *s, bool positive)
{
    const double d = positive ? s->apart : 0.0;

    switch (s->scores->kind) {
    case TWICE:
        return d + (positive ? 2.0 : 1.0) * iv_draw_normal(stream);
    case EXPONENTIAL:
        return iv_draw_exponential(stream) * (positive ? d : 1.0);
    case STUDENT:
        return d + iv_draw_normal(stream) / sqrt(iv_draw_gamma(stream, 1.5) / 1.5);
    default:
        return d + exp(iv_draw_normal(stream));
    }
}

static int shaped_replicate(iv_tally *t, void *user, void *memory, size_t number,
                            iv_stream *stream, iv_err *err)
{
    const roc_setting *s = user;
    roc_room *w = memory;
    const size_t n = s->positives + s->negatives;

    (void)number;
    for (size_t i = 0; i < n; i++) {
        w->positive[i] = i < s->positives;
        w->a[i] = shaped_draw(stream, s, w->positive[i]);
    }
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const iv_scored_items items = { w->a, w->positive, n };
        iv_scored_value x;
        IV_TRY(iv_auc(&x, &items, iv_coverage_levels()[k], err));
        iv_tally_put(&t[0], k, x.lower, x.upper, s->area);
    }
    return IV_OK;
}

static int run_shapes(iv_coverage *c, uint32_t number, iv_err *err)
{
    static const char *const area[] = { "AUC" };
    static const size_t classes[][2] = { { 20, 20 }, { 20, 200 }, { 200, 20 }, { 50, 50 } };

    for (size_t i = 0; i < 2 * 4 * 4; i++) {
        const size_t high = i / 16;
        const roc_scores *x = &shapes[i / 4 % 4];
        roc_setting s = { x, x->apart[high], .area = high ? 0.99 : 0.9,
                          .positives = classes[i % 4][0], .negatives = classes[i % 4][1] };
        const iv_experiment e = { IV_COVERAGE_ROC, "simulated", area, 1, 4000, number++,
                                  shaped_replicate, &s, room_new };
        IV_TRY(iv_experiment_run(c, &e, err, "AUC %g, %zu and %zu items, %s", s.area, s.positives,
                                 s.negatives, x->name));
    }
    return IV_OK;
}

/* Average precision of the population: precision over the positives' scores. */
static double true_ap(double d, double share)
{
    double sum = 0.0;

    for (size_t i = 0; i < PROBES; i++) {
        const double u = ((double)i + 0.5) / PROBES, x = d + iv_norm_isf(u);
        sum += share * u / (share * u + (1.0 - share) * iv_norm_sf(x)) / PROBES;
    }
    return sum;
}

static double true_f1(double d, double share, double at)
{
    const double tp = share * iv_norm_sf(at - d), fp = (1.0 - share) * iv_norm_sf(at);

    return 2.0 * tp / (share + tp + fp);
}

static int items_replicate(iv_tally *t, void *user, void *memory, size_t number,
                           iv_stream *stream, iv_err *err)
{
    const roc_setting *s = user;
    roc_room *w = memory;
    const double d = apart(s->area), truth = true_ap(d, s->share);
    size_t positives = 0;

    for (size_t i = 0; i < s->n; i++) {
        w->positive[i] = iv_draw_uniform(stream) < s->share;
        w->a[i] = iv_draw_normal(stream) + (w->positive[i] ? d : 0.0);
        positives += w->positive[i];
    }
    if (positives < 2 || positives + 2 > s->n) {
        t[0].gaps++;
        t[1].gaps++;
        return IV_OK;
    }
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const iv_scored_items items = { w->a, w->positive, s->n };
        const double c = iv_coverage_levels()[k];
        iv_scored_value x;
        iv_threshold y;
        IV_TRY(iv_scored_ap(&x, &items, c, err));
        IV_TRY(iv_threshold_choose(&y, &items, IV_BEST_F1, c, 500,
                                   &(iv_work){ .threads = 1, .seed = number + 1 }, err));
        iv_tally_put(&t[0], k, x.lower, x.upper, truth);
        iv_tally_put(&t[1], k, y.lower, y.upper, true_f1(d, s->share, y.at));
    }
    return IV_OK;
}

static double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

static void find_truths(roc_setting *s)
{
    double square = 0.0, bin = 0.0;
    size_t at = 0;

    for (size_t i = 0; i < PROBES; i++) {
        const double x = iv_norm_quantile(((double)i + 0.5) / PROBES);
        const double p = logistic(0.5 * STEEP * s->slope * x), q = logistic(s->slope * x);
        s->truths[0] += (q * (1.0 - p) * (1.0 - p) + (1.0 - q) * p * p) / PROBES;
        s->truths[1] -= (q * log(fmax(p, 1e-15)) + (1.0 - q) * log(fmax(1.0 - p, 1e-15))) / PROBES;
        bin += (q - p) * (double)s->bins / PROBES;
        if ((i + 1) * s->bins / PROBES > at) {
            square += bin * bin / (double)s->bins;
            bin = 0.0;
            at++;
        }
    }
    s->truths[2] = sqrt(square);
}

static int probability_replicate(iv_tally *t, void *user, void *memory, size_t number,
                                 iv_stream *stream, iv_err *err)
{
    const roc_setting *s = user;
    roc_room *w = memory;

    for (size_t i = 0; i < s->n; i++) {
        const double x = iv_draw_normal(stream);
        w->a[i] = logistic(0.5 * STEEP * s->slope * x);
        w->positive[i] = iv_draw_uniform(stream) < logistic(s->slope * x);
    }
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        iv_calibration c;
        IV_TRY(iv_calibrate(&c, &(iv_scored_items){ w->a, w->positive, s->n }, s->bins,
                            iv_coverage_levels()[k], 500,
                            &(iv_work){ .threads = 1, .seed = number + 1 }, err));
        const iv_scored_value x[] = { c.brier, c.log_loss, c.error };
        for (size_t j = 0; j < 3; j++)
            iv_tally_put(&t[j], k, x[j].lower, x[j].upper, s->truths[j]);
    }
    return IV_OK;
}

int iv_coverage_roc(iv_coverage *c, iv_err *err)
{
    static const char *const of_items[] = { "average precision", "F1 at the best threshold" };
    static const char *const probabilities[] = { "Brier score", "log loss",
                                                 "calibration error" };
    static const double area[] = { 0.8, 0.95, 0.99 }, share[] = { 0.2, 0.5 };
    static const size_t classes[][2] = { { 10, 10 }, { 20, 20 }, { 20, 200 }, { 100, 100 } };
    static const size_t few[][2] = { { 2, 3 }, { 5, 5 }, { 5, 50 }, { 10, 100 } };
    static const size_t sizes[] = { 100, 400 };
    uint32_t number = 72 << 4;

    iv_coverage_steps(c, 2 * 3 * 4 + 2 * 2 + 4 + 2 * 4 * 4
                         + IV_COVERAGE_ROC_CLASSES_STEPS);
    for (size_t i = 0; i < 12; i++)
        IV_TRY(run_areas(c, area[i / 4], classes[i % 4], number++, err));
    for (size_t i = 0; i < 4; i++) {
        roc_setting s = { .area = 0.9, .share = share[i / 2], .n = sizes[i % 2] };
        const iv_experiment e = { IV_COVERAGE_ROC, "simulated", of_items, 2, 1000, number++,
                                  items_replicate, &s, room_new };
        IV_TRY(iv_experiment_run(c, &e, err, "AUC %g, %zu items, %g positive", s.area, s.n,
                                 s.share));
    }
    for (size_t i = 0; i < 4; i++) {
        roc_setting s = { .n = sizes[i % 2], .bins = 10, .slope = i < 2 ? 1.0 : 8.0 };
        const iv_experiment e = { IV_COVERAGE_ROC, "simulated", probabilities, 3,
                                  s.n > 100 ? 400 : 1000, number++,
                                  probability_replicate, &s, room_new };
        find_truths(&s);
        IV_TRY(iv_experiment_run(c, &e, err, "%zu items%s", s.n,
                                 i < 2 ? "" : ", classes nearly apart"));
    }
    IV_TRY(run_shapes(c, 120 << 4, err));
    for (uint32_t i = 0; i < 12; i++)
        IV_TRY(run_areas(c, area[i / 4], few[i % 4], (123 << 4) + i, err));
    return iv_coverage_roc_classes(c, err);
}
