/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores by a judge corrected by human labels: how often intervals contain the truth, and how often
 * a gate passes a new system that is worse by its margin while the judge prefers it.
 */
#include "base/err.h"
#include "stat/machine/judged_mean.h"
#include "study/study.h"

enum { SIZE = 5, REPEATS = 3 }; /* of clusters; of repeats */
enum { MEAN, MEAN_HUMAN, DIFFERENCE, DIFFERENCE_HUMAN, FALSE_PASS, FALSE_PASS_HUMAN, OUTCOMES };

#define LOSS 0.05 /* of the new system, and the margin */

typedef enum judge_kind { USELESS, GOOD, PERFECT, FLATTERING, JUDGES } judge_kind;
/* APART: people labelled other items of the old system than of the new one. */
typedef enum structure_kind { PLAIN, CLUSTERS, REPEATED, APART, STRUCTURES } structure_kind;

typedef struct judged_setting {
    bool graded;
    judge_kind judge;
    structure_kind structure;
    size_t labels, items;
    double confidence;
} judged_setting;

/* The new system and the old one, by item. */
typedef struct judged_room {
    double *judge[2], *human[2], *beside[2], *values;
    uint32_t *cluster;
    size_t *order;
} judged_room;

static double normal_cdf(double x) { return iv_norm_sf(-x); }

/* What people would say: 0.7 on average, 0.65 of the new system. */
static double truth_of(size_t system) { return system == 0 ? 0.7 - LOSS : 0.7; }

static double label_of(const judged_setting *s, size_t system, double z)
{
    const double b = 1.5, at = iv_norm_quantile(truth_of(system));

    return s->graded ? normal_cdf(at * sqrt(1.0 + b * b) + b * z) : z > -at ? 1.0 : 0.0;
}

/* What the judge says where people would say y, from a latent z. */
static double score_of(const judged_setting *s, size_t system, double y, double z,
                       iv_stream *stream)
{
    const double own = iv_draw_normal(stream), u = iv_draw_uniform(stream);
    const double r = s->judge == USELESS ? 0.0 : 0.8;

    if (s->judge == PERFECT)
        return y;
    if (s->judge == FLATTERING) /* the new system gains more than twice the margin */
        return s->graded ? fmin(1.0, y + (system == 0 ? 0.3 * u : 0.05 * u))
            : y == 0.0 ? u < (system == 0 ? 0.4 : 0.05) : u >= 0.05;
    if (s->graded)
        return label_of(s, system, 0.3 + r * z + sqrt(1.0 - r * r) * own);
    return s->judge == USELESS ? u < 0.75 : y == 0.0 ? u < 0.2 : u >= 0.1;
}

static void draw_items(judged_room *w, const judged_setting *s, iv_stream *stream)
{
    const size_t repeats = s->structure == REPEATED ? REPEATS : 1;
    double common = 0.0;

    for (size_t t = 0; t < s->items; t++) {
        if (t % SIZE == 0)
            common = s->structure == CLUSTERS ? sqrt(0.3) * iv_draw_normal(stream) : 0.0;
        w->cluster[t] = (uint32_t)(t / SIZE);
        const double rest = s->structure == CLUSTERS ? 0.7 : 1.0;
        const double both = common + sqrt(0.5 * rest) * iv_draw_normal(stream);
        for (size_t k = 0; k < 2; k++) {
            const double item = both + sqrt(0.5 * rest) * iv_draw_normal(stream);
            double sum = 0.0;
            for (size_t r = 0; r < repeats; r++) {
                const double z = repeats == 1 ? item
                    : sqrt(0.7) * item + sqrt(0.3) * iv_draw_normal(stream);
                const double y = label_of(s, k, z);
                const double f = score_of(s, k, y, z, stream);
                sum += f;
                if (r == 0) { /* people look at one repeat */
                    w->human[k][t] = y;
                    w->beside[k][t] = f;
                }
            }
            w->judge[k][t] = sum / (double)repeats;
        }
    }
    for (size_t t = 0; t < s->items; t++)
        w->order[t] = t;
    for (size_t t = 0; t < s->items; t++) { /* the first are labelled */
        const size_t i = t + iv_draw_below(stream, s->items - t), at = w->order[i];
        w->order[i] = w->order[t];
        w->order[t] = at;
        const size_t of_old = s->structure == APART ? s->labels : 0;
        if (t >= s->labels)
            w->human[0][at] = (double)NAN;
        if (t < of_old || t >= of_old + s->labels)
            w->human[1][at] = (double)NAN;
    }
}

static int judged_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const judged_setting *s = user;
    judged_room *w = memory;
    const iv_structure structure = {
        .cluster = s->structure == CLUSTERS ? w->cluster : NULL, .clusters = s->items / SIZE + 1 };
    const double tail = 0.5 * (1.0 - s->confidence);

    draw_items(w, s, stream);
    iv_judged_system of[2];
    for (size_t k = 0; k < 2; k++)
        of[k] = (iv_judged_system){ w->judge[k], w->human[k], w->beside[k], NULL, 0.0, 0.0 };
    const iv_judged_design d = { .items = s->items, .structure = &structure, .bounded = true };
    for (size_t pair = 0; pair < 2; pair++) {
        const double truth = pair == 1 ? -LOSS : truth_of(0);
        double lower, upper, few;
        iv_judged_mean m[2];
        IV_TRY(iv_judged_means_of(&m[0], &m[1], &few, &of[0], pair == 1 ? &of[1] : NULL, &d, err));
        for (size_t alone = 0; alone < 2; alone++) {
            iv_judged_limits(&lower, &upper, &m[alone], tail);
            iv_tally_interval(&t[MEAN + 2 * pair + alone], m[alone].value, lower, upper, truth);
            if (pair == 1)
                iv_tally_decision(&t[FALSE_PASS + alone],
                                  iv_judged_p(&m[alone], -LOSS, true) < 2.0 * tail, 0.0);
        }
    }
    return IV_OK;
}

static void *judged_memory(iv_arena *own, void *user)
{
    const judged_setting *s = user;
    judged_room *w = iv_take(own, 1, sizeof *w);
    double *x = iv_take(own, 6 * s->items + 1, sizeof *x);

    if (w == NULL || x == NULL)
        return NULL;
    for (size_t k = 0; k < 2; k++) {
        w->judge[k] = x + 3 * k * s->items;
        w->human[k] = w->judge[k] + s->items;
        w->beside[k] = w->human[k] + s->items;
    }
    w->cluster = iv_take(own, s->items + 1, sizeof *w->cluster);
    w->order = iv_take(own, s->items + 1, sizeof *w->order);
    return own->failed ? NULL : w;
}

/* ------------------------------------------------------------ a rare error -- */

/* A judge of 0/1 scores that is wrong so often, where people labelled every tenth item. */
typedef struct rare_setting {
    judged_setting x; /* first, for judged_memory() */
    double wrong;
} rare_setting;

static int rare_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    static const iv_structure none;
    const rare_setting *s = user;
    judged_room *w = memory;
    double lower, upper, few;
    iv_judged_mean m[2];

    for (size_t i = 0; i < s->x.items; i++) {
        const bool y = iv_draw_uniform(stream) < truth_of(1);
        w->judge[0][i] = w->beside[0][i] = y != (iv_draw_uniform(stream) < s->wrong);
        w->human[0][i] = i < s->x.labels ? (double)y : (double)NAN;
    }
    const iv_judged_system one = { w->judge[0], w->human[0], w->beside[0], NULL, 0.0, 0.0, NULL };
    const iv_judged_design d = { .items = s->x.items, .structure = &none, .bounded = true };
    IV_TRY(iv_judged_means_of(&m[0], &m[1], &few, &one, NULL, &d, err));
    for (size_t alone = 0; alone < 2; alone++) {
        iv_judged_limits(&lower, &upper, &m[alone], 0.5 * (1.0 - s->x.confidence));
        iv_tally_interval(&t[alone], m[alone].value, lower, upper, truth_of(1));
    }
    return IV_OK;
}

static int study_rare(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = { { "mean", "corrected", false, 0.0 },
                                          { "mean", "human only", false, 0.0 } };
    static const double wrong[] = { 0.03, 0.1, 0.3 }, differing[] = { 5.0, 10.0, 20.0 };

    for (size_t i = 0; i < 9; i++) {
        rare_setting x = { { .confidence = s->confidence }, wrong[i % 3] };
        char data[IV_STUDY_TEXT];
        x.x.labels = (size_t)lround(differing[i / 3] / x.wrong);
        x.x.items = 10 * x.x.labels;
        (void)snprintf(data, sizeof data, "0/1, judge wrong in %g of 100", 100.0 * x.wrong);
        const iv_experiment e = { data, methods, 2, 1000, rare_replicate, &x,
                                  .memory = judged_memory };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu labels of %zu, %g differ", x.x.labels, x.x.items,
                                 differing[i / 3]));
    }
    return IV_OK;
}

/* ---------------------------------------------------- calibrated elsewhere -- */

typedef struct calibrated_setting {
    double sensitivity, specificity, prevalence, confidence;
    int64_t items, labels;
} calibrated_setting;

static int calibrated_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream,
                                iv_err *err)
{
    const calibrated_setting *x = user;
    const double p = x->prevalence * x->sensitivity
        + (1.0 - x->prevalence) * (1.0 - x->specificity);
    const int64_t positive = iv_draw_binom(stream, x->labels, x->prevalence);
    const int64_t negative = x->labels - positive;
    const iv_judge_calibration c = {
        (double)positive, (double)iv_draw_binom(stream, positive, x->sensitivity),
        (double)negative, (double)iv_draw_binom(stream, negative, x->specificity) };
    const double seen = (double)iv_draw_binom(stream, x->items, p) / (double)x->items;
    iv_interval found = { .value = (double)NAN, .lower = (double)NAN, .upper = (double)NAN };

    (void)memory;
    (void)err;
    if (positive > 0 && negative > 0 && c.found / c.positive + c.rejected / c.negative > 1.0)
        found = iv_calibrated_proportion(&c, seen, (double)x->items,
                                         iv_norm_isf(0.5 * (1.0 - x->confidence)));
    iv_tally_interval(t, found.value, found.lower, found.upper, x->prevalence);
    return IV_OK;
}

enum { RARE = 9, CALIBRATED = 48 };

static int study_calibrated(iv_study *s, iv_err *err)
{
    static const iv_studied method = { "mean", "calibrated elsewhere", false, 0.0 };
    static const double rates[][2] = { { 0.95, 0.9 }, { 0.8, 0.7 } };
    static const double prevalence[] = { 0.1, 0.5, 0.8 };
    static const int64_t items[] = { 200, 2000 }, labels[] = { 60, 120, 240, 480 };

    for (size_t i = 0; i < CALIBRATED; i++) {
        calibrated_setting x = { rates[i % 2][0], rates[i % 2][1], prevalence[i / 2 % 3],
                                 s->confidence, items[i / 6 % 2], labels[i / 12] };
        char data[2 * IV_STUDY_TEXT];
        (void)snprintf(data, sizeof data, "0/1, sensitivity %g, specificity %g, mean %g",
                       x.sensitivity, x.specificity, x.prevalence);
        const iv_experiment e = { data, &method, 1, 1000, calibrated_replicate, &x };
        IV_TRY(iv_experiment_run(s, &e, err, "%lld labels elsewhere, %lld items",
                                 (long long)x.labels, (long long)x.items));
    }
    return IV_OK;
}

int iv_study_judged(iv_study *s, iv_err *err)
{
    static const char *const judges[] = { "useless", "good", "perfect", "flattering" };
    static const char *const structures[] = { "", ", clusters", ", repeats", ", different items" };
    static const size_t sizes[][2] = { { 30, 100 }, { 30, 360 }, { 60, 360 },
                                       { 120, 1000 }, { 500, 5000 } };
    enum { SIZES = sizeof sizes / sizeof *sizes, ALL = 2 * JUDGES * STRUCTURES * SIZES };
    const double alpha = iv_study_alpha(s);
    const iv_studied methods[OUTCOMES] = {
        { "mean", "corrected", false, 0.0 }, { "mean", "human only", false, 0.0 },
        { "difference", "corrected", false, 0.0 }, { "difference", "human only", false, 0.0 },
        { "false PASS", "corrected", true, alpha }, { "false PASS", "human only", true, alpha } };

    iv_study_steps(s, ALL + RARE + CALIBRATED);
    IV_TRY(study_rare(s, err));
    IV_TRY(study_calibrated(s, err));
    for (size_t i = 0; i < ALL; i++) {
        judged_setting x = { i / SIZES / STRUCTURES / JUDGES == 1,
                             (judge_kind)(i / SIZES / STRUCTURES % JUDGES),
                             (structure_kind)(i / SIZES % STRUCTURES), sizes[i % SIZES][0],
                             sizes[i % SIZES][1], s->confidence };
        char data[IV_STUDY_TEXT];
        (void)snprintf(data, sizeof data, "%s, %s judge%s", x.graded ? "graded" : "0/1",
                       judges[x.judge], structures[x.structure]);
        const iv_experiment e = { data, methods, OUTCOMES, 1000, judged_replicate, &x,
                                  .memory = judged_memory };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu labels of %zu", x.labels, x.items));
    }
    return IV_OK;
}
