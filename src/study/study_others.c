/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of intervals that have no study of their own: areas under ROC curves, agreement of
 * assessors, reproduced runs, items in clusters and suites.
 */
#include "base/err.h"
#include "study/study.h"

#include <math.h>

/* --------------------------------------------------------------------- AUC -- */

/* UNDETECTED: so many positives score as negatives do; MISLABELLED: so many items of either
 * class are of the other. */
typedef enum score_shape { NORMAL, UNEQUAL, HEAVY, THREEFOLD, UNDETECTED, MISLABELLED } score_shape;
static const double UNDETECTED_PART = 0.15, MISLABELLED_PART = 0.08;

enum { AREA_SETTINGS = 6 * 21 }; /* shapes x sizes x areas */

typedef struct areas {
    double area;
    size_t positives, negatives;
    score_shape shape;
    double confidence;
} areas;

/* Student's t with 3 degrees of freedom has these distances for areas of 0.7, 0.9 and 0.99
 * (by quadrature). */
static double distance(const areas *s)
{
    const double z = iv_norm_quantile(s->area);

    return s->shape == UNEQUAL ? sqrt(5.0) * z : s->shape == THREEFOLD ? sqrt(10.0) * z
        : s->shape != HEAVY ? sqrt(2.0) * z
        : s->area < 0.8 ? 0.9280225 : s->area < 0.95 ? 2.5042334 : 6.3068993;
}

/* The area of the labels that are seen; `area` is that of items labelled and detected rightly. */
static double true_area(const areas *s)
{
    const double A = s->area, u = UNDETECTED_PART, w = MISLABELLED_PART;

    return s->shape == UNDETECTED ? (1.0 - u) * A + 0.5 * u
        : s->shape == MISLABELLED ? (1.0 - w) * (1.0 - w) * A + (1.0 - w) * w + w * w * (1.0 - A)
        : A;
}

static double noise(const areas *s, bool positive, iv_stream *stream)
{
    const double z = iv_draw_normal(stream);

    return s->shape == UNEQUAL && positive ? 2.0 * z : s->shape == THREEFOLD && positive ? 3.0 * z
        : s->shape == HEAVY ? z / sqrt(iv_draw_gamma(stream, 1.5) / 1.5) : z;
}

static int area_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const areas *s = user;
    iv_study_room *w = memory;
    const size_t n = s->positives + s->negatives;
    const double d = distance(s);
    iv_interval x, y;

    for (size_t i = 0; i < n; i++) {
        w->flag[i] = i < s->positives;
        bool high = w->flag[i]; /* does it score as a positive one? */
        if (s->shape == UNDETECTED)
            high = high && iv_draw_uniform(stream) >= UNDETECTED_PART;
        if (s->shape == MISLABELLED)
            high = high != (iv_draw_uniform(stream) < MISLABELLED_PART);
        const double own = noise(s, high, stream), shift = high ? d : 0.0;
        w->x[i] = shift + own;
        /* As good, with half of its errors in common. */
        w->y[i] = shift + sqrt(0.5) * own + sqrt(0.5) * iv_draw_normal(stream);
    }
    const iv_scored_items items = { w->x, w->flag, n };
    IV_TRY(iv_auc(&x, &items, s->confidence, err));
    iv_tally_interval(&t[0], x.value, x.lower, x.upper, true_area(s));
    if (s->shape != NORMAL)
        return IV_OK;
    IV_TRY(iv_auc_compare(&y, w->x, w->y, w->flag, n, s->confidence, err));
    iv_tally_interval(&t[1], y.value, y.lower, y.upper, 0.0);
    return IV_OK;
}

static int study_areas(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = { { .quantity = "AUC", .method = "default of roc" },
                                          { .quantity = "difference of AUC",
                                            .method = "default of roc" } };
    static const char *const shapes[] = { "normal scores", "unequal variances",
                                          "Student's t, 3 df", "threefold deviation",
                                          "15 % of positives undetectable", "8 % mislabelled" };
    static const double area[] = { 0.7, 0.9, 0.99 };
    static const size_t sizes[][2] = { { 10, 10 }, { 10, 200 }, { 50, 50 }, { 200, 200 },
                                       { 20, 100 }, { 30, 300 }, { 100, 1000 } };

    for (size_t i = 0; i < AREA_SETTINGS; i++) {
        const size_t at = i % 21;
        areas x = { area[at % 3], sizes[at / 3][0], sizes[at / 3][1], (score_shape)(i / 21),
                    s->confidence };
        const size_t n = x.positives + x.negatives;
        const iv_experiment e = { shapes[x.shape], methods, 2, 2000, area_replicate, &x,
                                  .room = { n, n, 0, 0, n } };
        IV_TRY(iv_experiment_run(s, &e, err, "AUC %g, %zu and %zu items", x.area, x.positives,
                                 x.negatives));
    }
    return IV_OK;
}

/* --------------------------------------------------------------- agreement -- */

enum { MOST_ITEMS = 400 };

/* An assessor keeps an item's own label with a chance, else draws another with the same
 * share, so that alpha and kappa are the square of that chance. */
typedef struct panel {
    size_t items, assessors;
    double share, keeps, confidence;
} panel;

static int panel_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const panel *p = user;
    iv_study_room *w = memory;
    iv_label_pair pairs[MOST_ITEMS];
    const size_t whole[] = { 0, p->items };
    const double truth = p->keeps * p->keeps;
    size_t used = 0;
    iv_agreement alpha;
    iv_agreement kappa;

    for (size_t i = 0; i < p->items; i++) {
        const uint32_t own = iv_draw_uniform(stream) < p->share;
        w->index[i] = used;
        for (size_t k = 0; k < p->assessors; k++) {
            const bool keeps = iv_draw_uniform(stream) < p->keeps;
            w->word[used++] = keeps ? own : iv_draw_uniform(stream) < p->share;
        }
        pairs[i] = (iv_label_pair){ w->word[used - 2], w->word[used - 1], 1.0 };
    }
    w->index[p->items] = used;
    const iv_ratings r = { w->word, w->index, p->items, NULL, 0, 2, NULL };
    IV_TRY(iv_alpha_of(&alpha, &r, IV_SCALE_NOMINAL, p->confidence, err));
    iv_tally_interval(&t[0], alpha.is.value, alpha.is.lower, alpha.is.upper, truth);
    if (p->assessors > 2)
        return IV_OK;
    IV_TRY(iv_kappa_of(&kappa, NULL, &(iv_label_pairs){ pairs, whole, 1, 2 }, IV_KAPPA_PLAIN,
                       p->confidence, err));
    iv_tally_interval(&t[1], kappa.is.value, kappa.is.lower, kappa.is.upper, truth);
    return IV_OK;
}

static int study_panels(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = { { .quantity = "alpha", .method = "default of agree" },
                                          { .quantity = "kappa", .method = "default of agree" } };
    static const panel cells[] = { { 100, 2, 0.5, 0.9, 0 }, { 100, 2, 0.15, 0.6, 0 },
                                   { 200, 2, 0.15, 0.3, 0 }, { 200, 2, 0.3, 0.8, 0 },
                                   { 100, 3, 0.3, 0.7, 0 }, { 400, 4, 0.05, 0.8, 0 } };

    for (size_t i = 0; i < 6; i++) {
        panel p = cells[i];
        p.confidence = s->confidence;
        const iv_experiment e = { "labels 0/1", methods, 2, 4000, panel_replicate, &p,
                                  .room = { 0, 0, p.items + 1, p.items * p.assessors } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu items, %zu assessors, %g %% relevant, agree "
                                 "%.2f", p.items, p.assessors, 100.0 * p.share,
                                 p.keeps * p.keeps));
    }
    return IV_OK;
}

/* ------------------------------------------------------------ replications -- */

enum { RANKED = 10 }; /* runs that are drawn, of which the first two count */

typedef struct replication {
    const iv_score_grid *all;
    size_t n;
    double confidence;
} replication;

/* Two runs on all topics, and on n that are drawn. */
static int replication_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream,
                                 iv_err *err)
{
    const replication *s = user;
    iv_study_room *w = memory;
    const size_t T = s->all->topics;
    size_t runs[RANKED];
    iv_interval rmse;
    double squares = 0.0;

    (void)iv_draw_sequence(stream, runs, RANKED, s->all->systems);
    const double *a = s->all->values + runs[0] * T, *b = s->all->values + runs[1] * T;
    for (size_t i = 0; i < s->n; i++) {
        const size_t at = (size_t)iv_draw_below(stream, T);
        w->x[i] = a[at];
        w->y[i] = b[at];
    }
    for (size_t i = 0; i < T; i++)
        squares += pow(a[i] - b[i], 2.0) / (double)T;
    IV_TRY(iv_reproduced_rmse(&rmse, w->x, w->y, s->n, s->confidence, err));
    iv_tally_interval(&t[0], rmse.value, rmse.lower, rmse.upper, sqrt(squares));
    return IV_OK;
}

static int study_replications(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = {
        { .quantity = "RMSE of a reproduced run", .method = "default of agree" } };
    static const size_t sizes[] = { 20, 50 };
    const iv_score_grid *all;
    const char *data;

    IV_TRY(iv_study_population(&all, &data, s, err));
    for (size_t i = 0; i < 2; i++) {
        replication x = { all, sizes[i], s->confidence };
        const iv_experiment e = { "AP and P@10", methods, 1, 400, replication_replicate, &x,
                                  .room = { x.n, x.n } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu topics, %d runs", x.n, RANKED));
    }
    return IV_OK;
}

/* --------------------------------------------------------- clusters, suites -- */

enum { SKEWED_SETTINGS = 6, EVEN_SETTINGS = 2 };

/* Items of units with a correlation within a unit; 0/1 or lognormal scores. */
typedef struct clustered {
    size_t units, items; /* of a unit: 2 to so many, most units have few */
    double icc;
    bool binary, suites;
    double confidence;
    double sigma; /* of the logarithms of lognormal scores */
    bool even;    /* 0/1: each unit of 10 has 8 right, one in five has 7 or 9 */
} clustered;

/* The mean of one system, and the difference of two that are equally good. */
static int cluster_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream,
                             iv_err *err)
{
    const clustered *s = user;
    iv_study_room *w = memory;
    const size_t most = s->units * s->items;
    const double truth = s->even ? 0.8
        : s->binary ? iv_norm_sf(-0.5) : exp(0.5 * s->sigma * s->sigma);
    size_t n = 0;
    iv_structured m;
    iv_mean_interval i;
    const iv_compared_pair *pair;
    iv_comparison *c = NULL;

    for (size_t u = 0; u < s->units; u++) {
        const double share = iv_draw_uniform(stream);
        const double effect[] = { iv_draw_normal(stream), iv_draw_normal(stream) };
        const size_t size = s->items <= 3 || s->even ? s->items
            : 2 + (size_t)((double)(s->items - 2) * share * share);
        const size_t right = share < 0.1 ? 9 : share > 0.9 ? 7 : 8; /* of an even cluster */
        for (size_t k = 0; k < size; k++, n++) {
            w->word[n] = (uint32_t)u;
            if (s->even) {
                w->x[n] = k < right;
                w->x[most + n] = k >= size - right;
                continue;
            }
            for (size_t b = 0; b < 2; b++) {
                const double y = sqrt(s->icc) * effect[b]
                                 + sqrt(1.0 - s->icc) * iv_draw_normal(stream);
                w->x[b * most + n] = s->binary ? y > -0.5 : exp(s->sigma * y);
            }
        }
    }
    for (size_t k = 0; k < n; k++) /* one system behind the other */
        w->x[n + k] = w->x[most + k];
    const iv_structure of = { .cluster = s->suites ? NULL : w->word, .clusters = s->units,
                              .suite = s->suites ? w->word : NULL, .suites = s->units };
    IV_TRY(iv_structured_mean(&m, w->x, n, &of, 0, err));
    if (s->binary)
        IV_TRY(iv_structured_interval(&i, &m, true, IV_INTERVAL_AUTO, s->confidence, err));
    else
        IV_TRY(iv_structured_bootstrap_t(&i, w->x, n, &of, &(iv_resampling){
            .confidence = s->confidence, .resamples = 1000 }, &(iv_work){ .threads = 1 }, err));
    iv_tally_interval(&t[0], i.mean, i.lower, i.upper, truth);
    const iv_compare_options how = { .structure = &of, .resamples = 1,
                                     .confidence = s->confidence };
    IV_TRY(iv_compare(&c, w->x, 2, n, &how, &(iv_work){ .threads = 1 }, err));
    (void)iv_comparison_pairs(&pair, c);
    iv_tally_interval(&t[1], pair->found.mean, pair->lower, pair->upper, 0.0);
    iv_comparison_free(c);
    return IV_OK;
}

/* Latency and cost: few items a cluster, and a long tail. */
static int study_skewed(iv_study *s, const iv_studied *methods, iv_err *err)
{
    static const size_t sizes[][2] = { { 10, 2 }, { 20, 3 }, { 50, 3 } };
    static const double sigma[] = { 1.0, 1.5 };

    for (size_t i = 0; i < SKEWED_SETTINGS; i++) {
        clustered x = { sizes[i % 3][0], sizes[i % 3][1], 0.2, false, false, s->confidence,
                        sigma[i / 3] };
        const iv_experiment e = { "lognormal, long tail", methods, 2, 1500, cluster_replicate, &x,
                                  .room = { 2 * x.units * x.items, 0, 0, x.units * x.items } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu clusters of %zu items, sigma %g", x.units,
                                 x.items, x.sigma));
    }
    return IV_OK;
}

/* Clusters that vary less than chance: the effective number of items is at most their number. */
static int study_even(iv_study *s, const iv_studied *methods, iv_err *err)
{
    for (size_t i = 0; i < EVEN_SETTINGS; i++) {
        clustered x = { i == 0 ? 10 : 30, 10, 0.0, true, false, s->confidence, 0.0, true };
        const iv_experiment e = { "0/1, even clusters", methods, 2, 1500, cluster_replicate, &x,
                                  .room = { 2 * x.units * x.items, 0, 0, x.units * x.items } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu clusters of 10 items, 7 to 9 right", x.units));
    }
    return IV_OK;
}

static int study_clusters(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = {
        { .quantity = "mean over clusters or sets", .method = "default of eval" },
        { .quantity = "difference over clusters or sets", .method = "default of compare" } };
    static const size_t units[] = { 10, 20, 50 };
    static const double icc[] = { 0.0, 0.2, 0.6 };

    for (size_t i = 0; i < 24; i++) {
        const bool suites = i >= 18;
        clustered x = { units[i % 3], suites ? 40 : 20, suites ? 0.0 : icc[i / 3 % 3],
                        suites ? i >= 21 : i >= 9, suites, s->confidence, 0.7 };
        const iv_experiment e = { x.binary ? "0/1" : "lognormal", methods, 2, 1500,
                                  cluster_replicate, &x,
                                  .room = { 2 * x.units * x.items, 0, 0, x.units * x.items } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu %s of 2 to %zu items, icc %g", x.units,
                                 suites ? "sets" : "clusters", x.items, x.icc));
    }
    IV_TRY(study_even(s, methods, err));
    return study_skewed(s, methods, err);
}

int iv_study_others(iv_study *s, iv_err *err)
{
    iv_study_steps(s, AREA_SETTINGS + 6 + 2 + 24 + EVEN_SETTINGS + SKEWED_SETTINGS
                   + IV_PREFERENCE_SETTINGS + IV_BIASED_SETTINGS + IV_GROUP_SETTINGS
                   + 2 * IV_AGENT_SETTINGS);
    IV_TRY(study_areas(s, err));
    IV_TRY(study_panels(s, err));
    IV_TRY(study_replications(s, err));
    IV_TRY(study_clusters(s, err));
    IV_TRY(iv_study_groups(s, err));
    IV_TRY(iv_study_preferences(s, err));
    return iv_study_agents(s, err);
}
