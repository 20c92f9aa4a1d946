/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often gates err: the true value is exactly at the bound, so that every PASS and every FAIL is
 * an error; and how often they pass if nothing changed.  Exact tests are enumerated.
 */
#include "base/err.h"
#include "result/wording.h"
#include "stat/evidence.h"
#include "stat/pair_tests.h"
#include "stat/paired/pair_p.h"
#include "stat/preference.h"
#include "study/study.h"

enum { PASSES, FAILS, GUARANTEED, OUTCOMES, MOST_CANDIDATES = 12, REPEATS_EACH = 3, PER_CLUSTER = 5,
       SETS_OF = 5, NIGHTS_OF = 10 };

#define MARGIN 0.05

/* The data of a gate. */
typedef enum gate_data {
    NORMAL,      /* differences with standard deviation .1 */
    RARE,        /* the same, and rare losses of .6 */
    SKEWED,      /* exponential losses and gains */
    DROPS,       /* scores 1 to 10, differences of .5 and rare losses of 6 */
    HEAVY,       /* t with 3 degrees of freedom: no range */
    CLUSTERED,   /* half of the variance is that of clusters */
    REPEATED,    /* each version has repeats with deviations that all items share */
    SETS,        /* of different variances */
    CLUSTERS_01, /* 0/1, and all losses are in a fifth of the clusters */
    NIGHTS,      /* nothing changes, margin 0, ten times */
    F1_LOSSES,   /* paired, a classifier that loses hits */
    F1_BOTH,     /* paired, errors of both are independent in part */
    PRECISION_LOSSES,
    BINORMAL,    /* AUC */
    CRASHES,     /* AUC, positive items that fall to the end */
    MEANS,       /* eval, graded scores: normal */
    SKEWED_LEFT, /* few low ones */
    RARE_LOW,    /* one in twenty lower by .8 */
    /* Averages over five classes, of one size or two of 3 %. */
    MACRO_F1, MACRO_F1_RARE, MACRO_RECALL, MACRO_RECALL_RARE,
    PAIRED_MACRO_F1, PAIRED_MACRO_F1_RARE, PAIRED_MACRO_RECALL, PAIRED_MACRO_RECALL_RARE,
    VOTES,       /* prefer: each vote is on its own item */
    VOTES_ITEMS, /* five votes on an item depend on each other, and some are ties */
    LOSSES,      /* 0/1, the candidate only loses */
    DISCORDANT,  /* 0/1, a quarter of the items differ */
    RATE,        /* 0/1, a rate of .9: eval, or precision or recall of a classifier */
    HITS,        /* .95 */
    F1_ALONE,
    RELEVANT,    /* recall of a review from a sample of what was not retrieved */
    GATE_DATA
} gate_data;

typedef struct design {
    gate_data data;
    size_t n, negatives, candidates;
    double area, correlation, loss; /* the true loss: the margin, or 0 */
    double alpha;
} design;

static double cut(double x) { return fmin(1.0, fmax(-1.0, x)); }

static double draw_t3(iv_stream *s)
{
    const double z = iv_draw_normal(s);

    return z / sqrt(2.0 * iv_draw_gamma(s, 1.5) / 3.0);
}

/* The difference of one item; its mean is minus the loss. */
static double draw_difference(const design *d, double of_cluster, iv_stream *s)
{
    const double u = iv_draw_uniform(s);

    switch (d->data) {
    case RARE:
        return cut(0.1 * iv_draw_normal(s) - (u < d->loss / 0.6 ? 0.6 : 0.0));
    case DROPS:
        return 0.5 * iv_draw_normal(s) - (u < d->loss / 6.0 ? 6.0 : 0.0);
    case SKEWED:
        return fmax(-1.0, 0.1 * (1.0 - iv_draw_exponential(s)) - d->loss);
    case HEAVY:
        return 0.05 * draw_t3(s) - d->loss;
    case CLUSTERS_01: /* losses of 0.05 more than wins in all; of_cluster: it has losses */
        return u < (of_cluster > 0.0 ? 5.0 * (d->loss + 0.05) : 0.0) ? -1.0
            : u >= 0.95 ? 1.0 : 0.0;
    case CLUSTERED:
        return cut(0.07 * (of_cluster + iv_draw_normal(s)) - d->loss);
    default:
        return cut(0.1 * iv_draw_normal(s) - d->loss);
    }
}

/* A guarantee is proved; its power is measured where that is cheap. */
static bool tries_guaranteed(const design *d)
{
    return d->data < HEAVY && d->n <= 100 && d->candidates == 1;
}

static double margin_of(gate_data data)
{
    return data == DROPS ? 10.0 * MARGIN : data == NIGHTS ? IV_ZERO : MARGIN;
}

/* One PASS of several candidates is an error at the margin; the gate passes if all do. */
static size_t needed_to_pass(const design *d) { return d->loss > 0.0 ? 1 : d->candidates; }

/* The decisions of compare on candidates and a baseline, the last system. */
static int decide_scores(bool decided[2], const design *d, const iv_study_room *w,
                         const iv_structure *structure, bool strong, iv_err *err)
{
    const size_t k = d->candidates;
    const iv_work alone = { .threads = 1, .seed = 1 };
    const bool ranged = d->data < HEAVY;
    const iv_compare_options o = {
        .baselines = &k, .baseline_count = 1, .margin = margin_of(d->data), .resamples = 1,
        .confidence = 1.0 - d->alpha, .low = d->data == DROPS ? 1.0 : 0.0,
        .high = !ranged ? 0.0 : d->data == DROPS ? 10.0 : 1.0, .guaranteed = strong,
        .interval = IV_INTERVAL_NONE, .means = IV_INTERVAL_NONE,
        .structure = structure };
    iv_comparison *c = NULL;
    const iv_compared_pair *p;
    double noninferior[MOST_CANDIDATES], inferior[MOST_CANDIDATES];

    decided[0] = decided[1] = false;
    IV_TRY(iv_compare(&c, w->x, k + 1, d->n, &o, &alone, err));
    (void)iv_comparison_pairs(&p, c);
    for (size_t i = 0; i < k; i++) {
        noninferior[i] = isnan(p[i].p_noninferior) ? 1.0 : p[i].p_noninferior;
        inferior[i] = isnan(p[i].p_inferior) ? 1.0 : p[i].p_inferior;
    }
    iv_comparison_free(c);
    IV_TRY(iv_adjust(noninferior, noninferior, k, IV_CORRECT_HOLM, err));
    IV_TRY(iv_adjust(inferior, inferior, k, IV_CORRECT_HOLM, err));
    size_t passes = 0;
    for (size_t i = 0; i < k; i++) {
        passes += noninferior[i] < d->alpha;
        decided[1] = decided[1] || inferior[i] < d->alpha;
    }
    decided[0] = passes >= needed_to_pass(d);
    return IV_OK;
}

/* Scores of all systems whose differences have that mean. */
static void draw_scores(const design *d, iv_study_room *w, iv_stream *stream)
{
    const size_t k = d->candidates, n = d->n;
    double of_cluster = 0.0;

    for (size_t i = 0; i < n; i++) {
        const double wide = d->data == SETS ? 0.5 + 0.25 * (double)(i % SETS_OF) : 1.0;
        w->word[i] = (uint32_t)(d->data == SETS ? i % SETS_OF : i / PER_CLUSTER);
        if (i % PER_CLUSTER == 0 && d->data == CLUSTERED)
            of_cluster = iv_draw_normal(stream);
        if (i % PER_CLUSTER == 0 && d->data == CLUSTERS_01)
            of_cluster = iv_draw_uniform(stream) < 0.2;
        for (size_t c = 0; c < k; c++) {
            const double x = draw_difference(d, of_cluster, stream);
            const double y = d->data == SETS ? wide * (x + d->loss) - d->loss : x;
            const double base = d->data == DROPS ? 8.5 : k > 1 ? 0.5
                : y < 0.0 ? 1.0 : 0.0;
            w->x[k * n + i] = base;
            w->x[c * n + i] = d->data >= HEAVY ? base + y
                : d->data == DROPS ? fmin(10.0, fmax(1.0, base + y))
                : fmin(1.0, fmax(0.0, base + y));
        }
    }
}

/* Means over repeats, which have a deviation that all items share. */
static int draw_repeats(double variance[2], double df[2], const design *d, iv_study_room *w,
                        iv_stream *stream, iv_err *err)
{
    for (size_t s = 0; s < 2; s++) {
        double shared[REPEATS_EACH];
        for (size_t r = 0; r < REPEATS_EACH; r++)
            shared[r] = 0.02 * iv_draw_normal(stream);
        for (size_t i = 0; i < d->n; i++) {
            double sum = 0.0;
            for (size_t r = 0; r < REPEATS_EACH; r++) {
                const double x = 0.5 + shared[r] + 0.1 * iv_draw_normal(stream)
                    - (s == 0 ? d->loss : 0.0);
                w->y[i * REPEATS_EACH + r] = x;
                sum += x;
            }
            w->x[s * d->n + i] = sum / REPEATS_EACH;
        }
        IV_TRY(iv_repeat_variance(&variance[s], &df[s], w->y, d->n, REPEATS_EACH, NULL, err));
    }
    return IV_OK;
}

static int try_scores(iv_tally *t, const design *d, iv_study_room *w, iv_stream *stream,
                      iv_err *err)
{
    double variance[2], df[2];
    iv_structure s = { 0 };
    bool decided[2];

    if (d->data == REPEATED) {
        IV_TRY(draw_repeats(variance, df, d, w, stream, err));
        s = (iv_structure){ .repeat_variance = variance, .repeat_df = df };
    } else {
        draw_scores(d, w, stream);
        if (d->data == CLUSTERED || d->data == CLUSTERS_01)
            s = (iv_structure){ .cluster = w->word, .clusters = d->n / PER_CLUSTER };
        else if (d->data == SETS)
            s = (iv_structure){ .suite = w->word, .suites = SETS_OF };
    }
    const bool plain = d->data <= HEAVY;
    IV_TRY(decide_scores(decided, d, w, plain ? NULL : &s, false, err));
    iv_tally_decision(&t[PASSES], decided[0], 0.0);
    iv_tally_decision(&t[FAILS], decided[1], 0.0);
    if (tries_guaranteed(d)) {
        IV_TRY(decide_scores(decided, d, w, NULL, true, err));
        iv_tally_decision(&t[GUARANTEED], decided[0], 0.0);
    }
    return IV_OK;
}

/* Ten nights with the same baseline: is one of them FAIL? */
static int try_nights(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const design *d = user;
    const iv_study_room *w = memory;
    bool decided[2], failed = false;

    for (size_t i = 0; i < d->n; i++)
        w->x[d->n + i] = 0.1 * iv_draw_normal(stream);
    for (int night = 0; night < NIGHTS_OF; night++) {
        for (size_t i = 0; i < d->n; i++) /* correlation 0.75 with the baseline */
            w->x[i] = 0.75 * w->x[d->n + i] + 0.066 * iv_draw_normal(stream);
        IV_TRY(decide_scores(decided, d, w, NULL, false, err));
        failed = failed || decided[1];
    }
    iv_tally_decision(t, failed, 0.0);
    return IV_OK;
}

static void decide(iv_tally *t, const iv_evidence *e, double alpha)
{
    iv_tally_decision(&t[PASSES], e->p_above < alpha, 0.0);
    iv_tally_decision(&t[FAILS], e->p_below < alpha, 0.0);
}

/* Two classifiers on d->n items, half of them positive; the baseline has F1 (or precision) .9. */
static iv_evidence draw_classifiers(const design *d, iv_stream *s)
{
    const bool precision = d->data == PRECISION_LOSSES;
    const double error = precision ? 1.0 / 9.0 : 0.1; /* of the baseline: F1 .9, precision .9 */
    /* Hits lost (or false alarms won) by the candidate for a loss of MARGIN. */
    const double more = precision ? (0.9 / (0.9 - d->loss) - 1.0) / 0.9 * 1.0
                                  : 2.0 * d->loss / (2.0 - 0.9 + d->loss);
    iv_paired_labels x = { { { { 0 } } } };

    for (size_t i = 0; i < d->n; i++) {
        const int gold = iv_draw_uniform(s) < 0.5;
        const double miss = precision ? (gold ? 0.0 : error) : 0.1;
        const double lost = precision ? (gold ? 0.0 : more / (1.0 - miss))
                                      : gold ? more / (1.0 - miss) : 0.0;
        const bool wrong = iv_draw_uniform(s) < miss;
        bool other = wrong || iv_draw_uniform(s) < lost;
        if (d->data == F1_BOTH && iv_draw_uniform(s) < 0.5) /* errors of its own, as frequent */
            other = iv_draw_uniform(s) < miss + (1.0 - miss) * lost;
        x.items[gold][other ? !gold : gold][wrong ? !gold : gold]++;
    }
    return iv_prf_pair_evidence(&x, precision ? IV_PAIRED_PRECISION : IV_PAIRED_F1, -MARGIN,
                                d->alpha);
}

static int draw_areas(iv_evidence *e, const design *d, iv_study_room *w, iv_stream *s, iv_err *err)
{
    const size_t all = d->n + d->negatives;
    const double base = sqrt(2.0) * iv_norm_quantile(d->area);
    const double other = sqrt(2.0) * iv_norm_quantile(d->area - d->loss), r = d->correlation;

    for (size_t i = 0; i < all; i++) {
        const double x = iv_draw_normal(s), y = iv_draw_normal(s), u = iv_draw_uniform(s);
        const bool positive = i < d->n;
        w->flag[i] = positive;
        w->y[i] = x + (positive ? base : 0.0);
        w->x[i] = d->data == CRASHES ? (positive && u < d->loss / d->area ? -100.0 : w->y[i])
            : r * x + sqrt(1.0 - r * r) * y + (positive ? other : 0.0);
    }
    return iv_auc_evidence(e, w->x, w->y, w->flag, all, -MARGIN, d->alpha, err);
}

/* The mean of one system; the bound is the truth, or below it by MARGIN. */
static iv_evidence draw_mean(const design *d, iv_study_room *w, iv_stream *s)
{
    const double truth = d->data == RARE_LOW ? 0.86 : d->data == SKEWED_LEFT ? 0.8 : 0.5;

    for (size_t i = 0; i < d->n; i++) {
        const double z = iv_draw_normal(s), u = iv_draw_uniform(s);
        w->x[i] = d->data == RARE_LOW ? 0.9 + 0.02 * fmax(-5.0, fmin(5.0, z))
                                            - (u < 0.05 ? 0.8 : 0.0)
            : d->data == SKEWED_LEFT ? 1.0 - pow(u, 4.0) : 0.5 + fmax(-0.5, fmin(0.5, 0.2 * z));
    }
    const iv_differences x = iv_describe_differences(w->x, d->n);
    const double n = (double)d->n;
    return iv_mean_evidence(&(iv_mean_summary){ x.mean, x.sd, n, n - 1.0, x.skewness },
                            truth - (MARGIN - d->loss), d->alpha);
}

/* An average over classes, or the second classifier's less the first's: limits decide. */
static int try_macro(iv_tally *t, const design *d, iv_study_room *w, iv_stream *stream,
                     iv_err *err)
{
    const bool paired = d->data >= PAIRED_MACRO_F1;
    const size_t kind = (size_t)(d->data - MACRO_F1) % 4;
    const iv_prf_metric metric = { kind < 2 ? IV_PRF_F : IV_PRF_RECALL, 1.0 };
    const iv_study_classes c = { kind % 2 == 1, paired, 0.8, paired ? d->loss : 0.0 };
    const double confidence = 1.0 - 2.0 * d->alpha;
    iv_interval x;
    double truth;
    const iv_prf_items items = iv_study_classify(&truth, &c, d->n, w, stream);

    IV_TRY(paired ? iv_prf_average_gap(&x, &items, 1, 0, IV_PRF_MACRO, metric, confidence, err)
                  : iv_prf_average_labels(&x, &items, 0, IV_PRF_MACRO, metric, confidence, err));
    const double bound = paired ? -MARGIN : truth - (MARGIN - d->loss);
    iv_tally_decision(&t[PASSES], x.lower >= bound, 0.0);
    iv_tally_decision(&t[FAILS], x.upper < bound, 0.0);
    return IV_OK;
}

/* Votes on pairs of d->candidates systems of one strength and a baseline, the last system.  Half of
 * the votes on an item have the same random number. */
static void draw_votes(iv_vote *votes, const design *d, iv_stream *s)
{
    const bool items = d->data == VOTES_ITEMS;
    const double rate = 0.5 - d->loss, odds = rate / (1.0 - rate), tie = items ? 0.5 : 0.0;
    double shared = 0.0;

    for (size_t i = 0; i < d->n; i++) {
        const size_t x = iv_draw_below(s, d->candidates + 1);
        const size_t y = (x + 1 + iv_draw_below(s, d->candidates)) % (d->candidates + 1);
        const size_t a = x < y ? x : y, b = x < y ? y : x;
        const double wins = b == d->candidates ? odds : 1.0;
        shared = i % PER_CLUSTER == 0 ? iv_draw_uniform(s) : shared;
        const bool same = items && iv_draw_uniform(s) < 0.5;
        const double u = (same ? shared : iv_draw_uniform(s)) * (wins + tie * sqrt(wins) + 1.0);
        votes[i] = (iv_vote){ (uint32_t)a, (uint32_t)b, (uint32_t)(items ? i / PER_CLUSTER : i), 0,
                              u < wins ? IV_PREFERS_A : u < wins + 1.0 ? IV_PREFERS_B
                                                                       : IV_PREFERS_NONE };
    }
}

/* The verdicts of prefer: with no estimate it has none. */
static int try_votes(iv_tally *t, const design *d, iv_stream *stream, iv_err *err)
{
    const size_t k = d->candidates;
    const iv_preference_model of = { .systems = k + 1, .items = d->n, .confidence = 0.95 };
    size_t passes = 0, fails = 0;
    iv_arena own = { 0 };
    iv_preferences f;
    iv_vote *votes = iv_take(&own, d->n, sizeof *votes);
    int rc = iv_taken(&own, err);

    if (rc == IV_OK) {
        draw_votes(votes, d, stream);
        rc = iv_preference_fit(&f, votes, d->n, &of, &own, err);
    }
    for (size_t i = 0; rc == IV_OK && i < k; i++) {
        const double level = d->alpha / (double)k;
        const iv_evidence e = iv_preference_evidence(&f, i, k, 0.5 - MARGIN, level);
        passes += e.p_above < level;
        fails += e.p_below < level;
    }
    iv_arena_free(&own);
    iv_tally_decision(&t[PASSES], passes >= needed_to_pass(d), 0.0);
    iv_tally_decision(&t[FAILS], fails > 0, 0.0);
    return rc;
}

static int gate_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const design *d = user;
    iv_evidence e;

    if (d->data < NIGHTS)
        return try_scores(t, d, memory, stream, err);
    if (d->data <= PRECISION_LOSSES)
        e = draw_classifiers(d, stream);
    else if (d->data >= VOTES)
        return try_votes(t, d, stream, err);
    else if (d->data >= MACRO_F1)
        return try_macro(t, d, memory, stream, err);
    else if (d->data > CRASHES)
        e = draw_mean(d, memory, stream);
    else
        IV_TRY(draw_areas(&e, d, memory, stream, err));
    decide(t, &e, d->alpha);
    return IV_OK;
}

/* -------------------------------------------------------------- enumerated -- */

/* The probabilities of PASS and FAIL of a proportion, or of F1 of so many TP + FP + FN. */
static void enumerate_rate(double decided[2], const design *d)
{
    const bool f1 = d->data == F1_ALONE;
    const double bound = d->data == RATE ? 0.9 : d->data == HITS ? 0.95 : 0.8;
    const double value = d->loss > 0.0 ? bound : bound + MARGIN - (d->data == HITS ? 0.01 : 0.0);
    const double truth = f1 ? value / (2.0 - value) : value;
    const int64_t n = (int64_t)d->n;

    for (int64_t k = 0; k <= n; k++) {
        const iv_evidence e = f1 ? iv_f1_evidence(k, n - k, 0, bound, d->alpha)
                                 : iv_proportion_evidence(k, n, bound, d->alpha);
        const double chance = exp(iv_binom_log_pmf(k, n, truth));
        decided[0] += e.p_above < d->alpha ? chance : 0.0;
        decided[1] += e.p_below < d->alpha ? chance : 0.0;
    }
}

/* Those of pairs of 0/1 scores. */
static int enumerate_pairs(double decided[2], const design *d, iv_err *err)
{
    const double differ = d->data == LOSSES ? d->loss : fmax(0.25, d->loss);
    const int64_t n = (int64_t)d->n;

    IV_TRY(iv_shares_power(&decided[0], n, -MARGIN, iv_shares_critical(n, -MARGIN, d->alpha),
                           -d->loss, differ, err));
    return iv_shares_power(&decided[1], n, MARGIN, iv_shares_critical(n, MARGIN, d->alpha),
                           d->loss, differ, err);
}

/* Those of a review: all 1,000 retrieved documents are judged, and n of 10,000 others.  The target
 * is the true recall, or below it. */
static int enumerate_review(double decided[2], const design *d, iv_err *err)
{
    enum { MISSED = 23, FOUND = 92 };
    const int64_t rest = 10000, n = (int64_t)d->n;
    const double recall = (double)FOUND / (FOUND + MISSED), target = d->loss > 0.0 ? recall
                                                                                   : recall - 0.2;
    const iv_recall_options o = { .method = IV_RECALL_EXACT, .confidence = 1.0 - d->alpha,
                                  .one_sided = true };
    iv_outcome outcomes[MISSED + 1];
    bool reach[MISSED + 1];

    for (int64_t k = 0; k <= MISSED; k++)
        outcomes[k] = (iv_outcome){ 1000, FOUND, n, k, 1 };
    IV_TRY(iv_outcomes_reach(reach, target, outcomes, MISSED + 1, 1000, rest, &o, NULL, err));
    for (int64_t k = 0; k <= MISSED; k++)
        decided[0] += reach[k] ? exp(iv_hyper_log_pmf(k, rest, MISSED, n)) : 0.0;
    decided[1] = (double)NAN; /* it fails by the other limit */
    return IV_OK;
}

/* -------------------------------------------------------------------- whole -- */

typedef struct gate_setting {
    gate_data data;
    size_t n, negatives, candidates;
    double area, correlation;
} gate_setting;

static const gate_setting settings[] = {
    { NORMAL, 10, 0, 1 }, { NORMAL, 25, 0, 1 }, { NORMAL, 100, 0, 1 }, { NORMAL, 100, 0, 3 },
    { NORMAL, 100, 0, 12 },
    { SKEWED, 10, 0, 1 }, { SKEWED, 25, 0, 1 }, { SKEWED, 100, 0, 1 },
    { RARE, 25, 0, 1 }, { RARE, 50, 0, 1 }, { RARE, 100, 0, 1 }, { RARE, 500, 0, 1 },
    { DROPS, 25, 0, 1 }, { DROPS, 50, 0, 1 }, { DROPS, 100, 0, 1 }, { DROPS, 500, 0, 1 },
    { HEAVY, 10, 0, 1 }, { HEAVY, 25, 0, 1 }, { HEAVY, 100, 0, 1 },
    { CLUSTERED, 50, 0, 1 }, { CLUSTERED, 100, 0, 1 }, { CLUSTERED, 500, 0, 1 },
    { REPEATED, 25, 0, 1 }, { REPEATED, 100, 0, 1 }, { REPEATED, 500, 0, 1 },
    { SETS, 25, 0, 1 }, { SETS, 100, 0, 1 }, { SETS, 500, 0, 1 },
    { CLUSTERS_01, 50, 0, 1 }, { CLUSTERS_01, 100, 0, 1 }, { CLUSTERS_01, 500, 0, 1 },
    { NIGHTS, 100, 0, 1 },
    { F1_LOSSES, 60, 0, 1 }, { F1_LOSSES, 200, 0, 1 }, { F1_LOSSES, 1000, 0, 1 },
    { F1_BOTH, 60, 0, 1 }, { F1_BOTH, 200, 0, 1 }, { F1_BOTH, 1000, 0, 1 },
    { PRECISION_LOSSES, 60, 0, 1 }, { PRECISION_LOSSES, 200, 0, 1 },
    { PRECISION_LOSSES, 1000, 0, 1 },
    { BINORMAL, 20, 80, 1, 0.99, 0.5 }, { BINORMAL, 50, 200, 1, 0.99, 0.5 },
    { BINORMAL, 20, 80, 1, 0.95, 0.95 }, { BINORMAL, 50, 200, 1, 0.90, 0.8 },
    { BINORMAL, 200, 800, 1, 0.95, 0.8 },
    { CRASHES, 20, 20, 1, 0.95 }, { CRASHES, 60, 200, 1, 0.95 }, { CRASHES, 200, 800, 1, 0.95 },
    { MEANS, 10, 0, 1 }, { MEANS, 25, 0, 1 }, { MEANS, 100, 0, 1 },
    { SKEWED_LEFT, 10, 0, 1 }, { SKEWED_LEFT, 25, 0, 1 }, { SKEWED_LEFT, 100, 0, 1 },
    { RARE_LOW, 25, 0, 1 }, { RARE_LOW, 50, 0, 1 }, { RARE_LOW, 100, 0, 1 },
    { RARE_LOW, 200, 0, 1 },
    { MACRO_F1, 50, 0, 1 }, { MACRO_F1, 100, 0, 1 }, { MACRO_F1, 300, 0, 1 },
    { MACRO_F1_RARE, 50, 0, 1 }, { MACRO_F1_RARE, 100, 0, 1 }, { MACRO_F1_RARE, 300, 0, 1 },
    { MACRO_F1_RARE, 1000, 0, 1 },
    { MACRO_RECALL, 50, 0, 1 }, { MACRO_RECALL, 100, 0, 1 }, { MACRO_RECALL, 300, 0, 1 },
    { MACRO_RECALL_RARE, 50, 0, 1 }, { MACRO_RECALL_RARE, 100, 0, 1 },
    { MACRO_RECALL_RARE, 300, 0, 1 }, { MACRO_RECALL_RARE, 1000, 0, 1 },
    { PAIRED_MACRO_F1, 50, 0, 1 }, { PAIRED_MACRO_F1, 300, 0, 1 },
    { PAIRED_MACRO_F1_RARE, 50, 0, 1 }, { PAIRED_MACRO_F1_RARE, 100, 0, 1 },
    { PAIRED_MACRO_F1_RARE, 300, 0, 1 }, { PAIRED_MACRO_F1_RARE, 1000, 0, 1 },
    { PAIRED_MACRO_RECALL, 50, 0, 1 }, { PAIRED_MACRO_RECALL, 300, 0, 1 },
    { PAIRED_MACRO_RECALL_RARE, 50, 0, 1 }, { PAIRED_MACRO_RECALL_RARE, 100, 0, 1 },
    { PAIRED_MACRO_RECALL_RARE, 300, 0, 1 }, { PAIRED_MACRO_RECALL_RARE, 1000, 0, 1 },
    { VOTES, 25, 0, 1 }, { VOTES, 100, 0, 1 }, { VOTES, 1000, 0, 1 }, { VOTES, 100, 0, 2 },
    { VOTES, 1000, 0, 2 }, { VOTES, 100, 0, 5 }, { VOTES, 300, 0, 5 }, { VOTES, 1000, 0, 5 },
    { VOTES, 5000, 0, 5 },
    { VOTES_ITEMS, 100, 0, 1 }, { VOTES_ITEMS, 1000, 0, 1 }, { VOTES_ITEMS, 100, 0, 2 },
    { VOTES_ITEMS, 1000, 0, 2 }, { VOTES_ITEMS, 100, 0, 5 }, { VOTES_ITEMS, 300, 0, 5 },
    { VOTES_ITEMS, 1000, 0, 5 }, { VOTES_ITEMS, 5000, 0, 5 },
    { LOSSES, 10, 0, 1 }, { LOSSES, 25, 0, 1 }, { LOSSES, 100, 0, 1 }, { LOSSES, 500, 0, 1 },
    { LOSSES, 1000, 0, 1 }, { LOSSES, 1001, 0, 1 },
    { DISCORDANT, 10, 0, 1 }, { DISCORDANT, 25, 0, 1 }, { DISCORDANT, 100, 0, 1 },
    { DISCORDANT, 500, 0, 1 }, { DISCORDANT, 1000, 0, 1 }, { DISCORDANT, 1001, 0, 1 },
    { RATE, 10, 0, 1 }, { RATE, 25, 0, 1 }, { RATE, 50, 0, 1 }, { RATE, 100, 0, 1 },
    { RATE, 1000, 0, 1 }, { HITS, 38, 0, 1 }, { HITS, 100, 0, 1 }, { HITS, 1000, 0, 1 },
    { F1_ALONE, 10, 0, 1 }, { F1_ALONE, 50, 0, 1 }, { F1_ALONE, 200, 0, 1 },
    { F1_ALONE, 1000, 0, 1 }, { RELEVANT, 500, 0, 1 }, { RELEVANT, 850, 0, 1 },
    { RELEVANT, 2000, 0, 1 },
};

static const char *const names[GATE_DATA] = {
    "compare: normal differences", "compare: rare losses of 0.6", "compare: skewed differences",
    "compare: scores 1 to 10, rare losses of 6", "compare: heavy tails", "compare: clusters of 5",
    "compare: 3 repeats", "compare: 5 sets", "compare: 0/1, losses in a fifth of clusters of 5",
    "compare: margin 0, nothing changed",
    "prf: paired F1, losses only", "prf: paired F1", "prf: paired precision, losses only",
    "roc: AUC", "roc: AUC, crashes", "eval: normal scores", "eval: few low scores",
    "eval: one in twenty lower by 0.8",
    "prf: macro F1, 5 equal classes", "prf: macro F1, two of 5 classes of 3 %",
    "prf: macro recall, 5 equal classes", "prf: macro recall, two of 5 classes of 3 %",
    "prf: paired macro F1, 5 equal classes", "prf: paired macro F1, two of 5 classes of 3 %",
    "prf: paired macro recall, 5 equal classes",
    "prf: paired macro recall, two of 5 classes of 3 %", "prefer: a vote an item",
    "prefer: 5 votes an item, ties", "compare: 0/1, losses only", "compare: 0/1, 25 % differ",
    "eval, prf: rate of 0.9", "eval, prf: rate of 0.95", "prf: F1 of 0.8", "recall: target 0.8" };

static const char *const texts[2][OUTCOMES] = {
    { "false PASS", "false FAIL", "false PASS" },
    { "PASS if nothing changed", "FAIL if nothing changed", "PASS if nothing changed" } };

/* An exact test: its probabilities, without simulation. */
static int enumerate(iv_study *s, const design *d, iv_err *err)
{
    const bool equal = d->loss == 0.0;
    double decided[2] = { 0.0, 0.0 };
    char setting[IV_STUDY_TEXT];

    (void)snprintf(setting, sizeof setting, "%zu items", d->n);
    if (iv_study_wants(s, setting)) {
        if (d->data == RELEVANT)
            IV_TRY(enumerate_review(decided, d, err));
        else if (d->data <= DISCORDANT)
            IV_TRY(enumerate_pairs(decided, d, err));
        else
            enumerate_rate(decided, d);
        for (size_t m = 0; m < 2 && iv_study_wants_method(s, "exact"); m++) {
            if (isnan(decided[m]))
                continue;
            iv_rate *r = iv_study_row(s, texts[equal][m], "exact", names[d->data], "%s", setting);
            r->rate = decided[m];
            r->nominal = equal ? (double)NAN : d->alpha;
        }
    }
    iv_study_step_done(s);
    return IV_OK;
}

static int simulate(iv_study *s, design *d, iv_err *err)
{
    const bool equal = d->loss == 0.0, guaranteed = tries_guaranteed(d);
    const size_t all = d->n + d->negatives;
    iv_studied methods[OUTCOMES];

    for (size_t m = 0; m < OUTCOMES; m++)
        methods[m] = (iv_studied){ texts[equal][m], m == GUARANTEED ? "guaranteed" : "default",
                                   true, equal ? (double)NAN : d->alpha };
    const iv_experiment e = {
        names[d->data], methods, guaranteed ? OUTCOMES : FAILS + 1, 2000, gate_replicate, d,
        .room = { (d->candidates + 1) * all, all * REPEATS_EACH, 0, 3 * all, all } };
    return d->negatives > 0
        ? iv_experiment_run(s, &e, err, "%zu positive, %zu negative, AUC %g, r %g", d->n,
                            d->negatives, d->area, d->correlation)
        : iv_experiment_run(s, &e, err, "%zu %s, %zu candidate%s", d->n,
                            d->data >= VOTES ? "votes" : "items", d->candidates,
                            iv_plural(d->candidates));
}

int iv_study_gates(iv_study *s, iv_err *err)
{
    const size_t count = sizeof settings / sizeof *settings;

    iv_study_steps(s, 2 * count);
    for (size_t i = 0; i < 2 * count; i++) {
        const gate_setting *g = &settings[i / 2];
        const bool equal = i % 2 == 1;
        design d = { g->data, g->n, g->negatives, g->candidates, g->area, g->correlation,
                     equal ? 0.0 : fmax(0.0, margin_of(g->data)), iv_study_alpha(s) };
        if (d.data == NIGHTS) {
            const iv_studied one = { "a FAIL in ten nights", "default", true, d.alpha };
            const iv_experiment e = { names[NIGHTS], &one, 1, 2000, try_nights, &d,
                                      .room = { 2 * d.n } };
            if (equal)
                IV_TRY(iv_experiment_run(s, &e, err, "10 nights of %zu items", d.n));
            else
                iv_study_step_done(s);
        } else {
            IV_TRY(d.data >= LOSSES ? enumerate(s, &d, err) : simulate(s, &d, err));
        }
    }
    return IV_OK;
}
