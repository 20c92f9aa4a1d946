/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aslam and Pavlu (2008).  The values of section 2 and the appendix are computed.  The
 * experiment of section 3 was made on TREC 7, 8 and 10, which cannot be shipped: it is repeated
 * on the collection that is given, or on a simulated one, and compared in kind.
 */
#include "base/err.h"
#include "base/memory.h"
#include "sampling/scheme.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

enum { RANKS = 1000, DEEPEST = 10, DRAWN = 14 };

/* Variance of a document's value when 250 of 1,000 documents, the first ones, are relevant and
 * those in the upper half are drawn `factor` times as often as the average one. */
static double variance(double factor)
{
    double value[RANKS], p[RANKS];

    for (size_t i = 0; i < RANKS; i++) {
        p[i] = (i < RANKS / 2 ? factor : 2.0 - factor) / RANKS;
        value[i] = i < 250 ? 1.0 / RANKS : 0.0;
    }
    return iv_draw_variance(value, p, RANKS);
}

static void put(iv_paper_run *p, const char *row, const char *column, double x)
{
    iv_paper_put(p, "Section 2", row, column, x, 0.0);
}

static void section_2(iv_paper_run *p)
{
    const double z = iv_norm_quantile(0.975), even = variance(1.0), uneven = variance(1.5);
    const double half = z * sqrt(even / 500.0);
    double prior[RANKS], sum = 0.0, approximate = 0.0;

    put(p, "uniform", "variance", even);
    put(p, "uniform, 50 documents", "half-width", z * sqrt(even / 50.0));
    put(p, "uniform, 500 documents", "half-width", half);
    put(p, "uniform, 500 documents", "lower", 0.25 - half);
    put(p, "uniform, 500 documents", "upper", 0.25 + half);
    put(p, "top half 1.5 times", "variance", uneven);
    put(p, "top half 1.5 times, 500 documents", "half-width", z * sqrt(uneven / 500.0));
    put(p, "top half 1.5 times", "% narrower", 100.0 * (1.0 - sqrt(uneven / even)));
    iv_ap_priors(prior, RANKS);
    for (size_t r = 1; r <= RANKS; r++) {
        sum += prior[r - 1];
        approximate += log((double)RANKS / (double)r) / (2.0 * RANKS);
        if (r % 10 == 1) {
            iv_paper_draw(p, "Figures 1 and 2", "1,000 ranks", "two strata", (double)r,
                          (r <= 500 ? 1.5 : 0.5) / RANKS);
            iv_paper_draw(p, "Figures 1 and 2", "1,000 ranks", "three strata", (double)r,
                          (r <= 333 ? 1.5 : r <= 667 ? 1.0 : 0.5) / RANKS);
            iv_paper_draw(p, "Figure 4", "1,000 ranks", "W", (double)r, prior[r - 1]);
        }
    }
    put(p, "W, 1,000 ranks", "sum", sum);
    put(p, "W, approximation", "sum", approximate);
    iv_paper_figure(p, IV_CHART_CURVES, "Figures 1 and 2", "Sampling distributions with two and "
                    "three strata.", "rank", "probability");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 4", "The prior that average precision induces, "
                    "and how many of 14 draws each of six buckets gets.", "rank, or bucket",
                    "weight, or draws");
}

/* Stevens' scheme with 14 draws from buckets of 14: equation 6, and pairs in two buckets. */
static int appendix(iv_paper_run *p, iv_err *err)
{
    double weights[6 * DRAWN], bucket[6] = { 0.0 };
    iv_scheme *s = NULL;

    iv_ap_priors(weights, 6 * DRAWN);
    const double sum = iv_sum(weights, 6 * DRAWN);
    for (size_t i = 0; i < 6 * DRAWN; i++)
        bucket[i / DRAWN] += weights[i] / sum;
    for (size_t k = 0; k < 6; k++)
        iv_paper_draw(p, "Figure 4", "6 buckets of 14", "expected draws", (double)(k + 1),
                      DRAWN * bucket[k]);
    IV_TRY(iv_scheme_stevens_of(&s, weights, 6 * DRAWN, DRAWN, err));
    if (s->buckets == 6) {
        iv_paper_put(p, "Appendix", "eq. 6 at m = 14", "inclusion probability over bucket weight",
                     s->bucket[3].pi / bucket[3], 0.0);
        iv_paper_put(p, "Appendix", "pair in two buckets, m = 14",
                     "joint probability over product, (m - 1) / m",
                     iv_scheme_joint(s, 3, 4) / (bucket[3] * bucket[4]), 0.0);
    }
    iv_scheme_free(s);
    return IV_OK;
}

/* ------------------------------------------------------------------ section 3 -- */

static const iv_sampling_error *find(const iv_sampling_found *f, iv_sampling_group group,
                                     size_t depth, iv_sampling_method method,
                                     iv_sampling_measure measure)
{
    for (size_t i = 0; i < f->errors; i++)
        if (f->error[i].group == group && f->error[i].depth == depth
            && f->error[i].method == method && f->error[i].measure == measure)
            return &f->error[i];
    return NULL;
}

/* At how many of ten budgets one method beats another. */
typedef struct budgets {
    double rms, correlation, tau;
} budgets;

/* At depths 1 to 10, or in steps. */
static budgets beats(const iv_sampling_found *f, iv_sampling_method one, iv_sampling_method other,
                     iv_sampling_measure measure, size_t step)
{
    budgets n = { 0.0 };

    for (size_t d = 1; d <= DEEPEST; d += step) {
        const iv_sampling_error *a = find(f, IV_SAMPLING_CONTRIBUTORS, d, one, measure);
        const iv_sampling_error *b = find(f, IV_SAMPLING_CONTRIBUTORS, d, other, measure);
        n.rms += a->rms < b->rms;
        n.correlation += a->correlation > b->correlation;
        n.tau += a->tau > b->tau;
    }
    return n;
}

static void put_budgets(iv_paper_run *p, const char *table, const char *row, const char *of,
                        budgets n)
{
    iv_paper_put(p, table, row, iv_paper_text(p, "%s smaller RMS error", of), n.rms, 1e-9);
    iv_paper_put(p, table, row, iv_paper_text(p, "%s higher rho", of), n.correlation, 1e-9);
    iv_paper_put(p, table, row, iv_paper_text(p, "%s higher tau", of), n.tau, 1e-9);
}

/* Figures 6 and 7 show depths 1 and 10 only. */
static void claims(iv_paper_run *p, const iv_sampling_found *f)
{
    static const char pools[] = "Sampling beats pooling";
    static const struct { const char *table, *row; iv_sampling_method one, other; } of[] = {
        { pools, "AP, corrected estimator", IV_SAMPLING_STATAP, IV_SAMPLING_POOL },
        { pools, "AP, estimator as printed", IV_SAMPLING_PRINTED, IV_SAMPLING_POOL },
        { "Added judgments", "with the pool beside the sample alone; corrected estimator",
          IV_SAMPLING_BOTH, IV_SAMPLING_STATAP },
        { "Added judgments", "with the sample beside the pool alone; corrected estimator",
          IV_SAMPLING_BOTH, IV_SAMPLING_POOL } };
    const char *others = "Sampling beats infAP and bpref", *tau = "budgets of 10 with higher tau";

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        put_budgets(p, of[i].table, of[i].row, "budgets of 10 with",
                    beats(f, of[i].one, of[i].other, IV_SAMPLING_AP, 1));
    for (iv_sampling_measure m = 0; m < IV_SAMPLING_MEASURES; m++)
        if (m != IV_SAMPLING_AP)
            put_budgets(p, pools, iv_sampling_measure_names()[m], "depths 1 and 10:",
                        beats(f, IV_SAMPLING_STATAP, IV_SAMPLING_POOL, m, DEEPEST - 1));
    iv_paper_put(p, others, "infAP; corrected estimator", tau,
                 beats(f, IV_SAMPLING_STATAP, IV_SAMPLING_INFAP, IV_SAMPLING_AP, 1).tau, 1e-9);
    iv_paper_put(p, others, "bpref; corrected estimator", tau,
                 beats(f, IV_SAMPLING_STATAP, IV_SAMPLING_BPREF, IV_SAMPLING_AP, 1).tau, 1e-9);
}

static void draw_errors(iv_paper_run *p, const iv_sampling_found *f)
{
    for (size_t i = 0; i < f->errors; i++) {
        const iv_sampling_error *e = &f->error[i];
        const char *method = iv_sampling_method_names()[e->method];
        if (e->measure != IV_SAMPLING_AP)
            continue;
        iv_paper_draw(p, "Figures 10 and 11", "tau", method, e->judgments, e->tau);
        iv_paper_draw(p, "Figures 10 and 11", "linear correlation rho", method, e->judgments,
                      e->correlation);
        iv_paper_draw(p, "Figures 10 and 11", "RMS error", method, e->judgments, e->rms);
    }
    for (size_t i = 0; i < f->points; i++) {
        const iv_sampling_point *x = &f->point[i];
        if (x->of == IV_POINT_MEAN)
            iv_paper_draw(p, "Figures 5 to 7", iv_sampling_measure_names()[x->measure],
                          x->depth == 1 ? "depth 1" : "depth 10", x->truth, x->estimate);
        else
            iv_paper_draw(p, "Figures 8 and 9", x->of == IV_POINT_TOPIC ? "one topic, all runs"
                          : "one run, all topics", "AP", x->truth, x->estimate);
    }
    iv_paper_figure(p, IV_CHART_POINTS, "Figures 5 to 7", "Estimated over true means of the runs, "
                    "with as many judgments as pools of depth 1 and 10.", "true mean", "estimate");
    iv_paper_diagonal(p);
    iv_paper_figure(p, IV_CHART_POINTS, "Figures 8 and 9", "Estimated over true average precision "
                    "of all runs on one topic, and of one run on all topics.", "true AP",
                    "estimate");
    iv_paper_diagonal(p);
    iv_paper_figure(p, IV_CHART_CURVES, "Figures 10 and 11", "Sampling beside depth pools, infAP "
                    "and bpref, with the pool's judgments added, and by the estimator as printed. "
                    "'statAP' is corrected, as in 'eval': at its own rank, a sampled document "
                    "counts 1. As printed it counts its sampling weight, which biases AP upwards.",
                    "judgments a topic", "value");
}

static void agreement(iv_paper_run *p, const iv_sampling_found *f)
{
    static const char *const rows[] = { "29 judgments a topic", "200 judgments a topic" };

    for (int k = 0; k < 2; k++) {
        const size_t *a = f->agreement[k];
        const double dull = (double)(a[IV_NEITHER] + a[IV_SAMPLE_ONLY]);
        const double real = (double)(a[IV_TRUTH_ONLY] + a[IV_AGREED]);
        if (!(dull > 0.0 && real > 0.0))
            continue;
        iv_paper_put(p, "Table 1", rows[k], "% of insignificant pairs called significant",
                     100.0 * (double)a[IV_SAMPLE_ONLY] / dull, 1e-9);
        iv_paper_put(p, "Table 1", rows[k], "% of significant pairs found",
                     100.0 * (double)a[IV_AGREED] / real, 1e-9);
    }
}

/* Section 3.1: half of the runs contribute, the others are new. */
static int section_3_1(iv_paper_run *p, iv_arena *own, const iv_collection *c, iv_err *err)
{
    static const char *const groups[] = { "contributors", "new runs" };
    const iv_sampling_options o = { 1, DEEPEST, p->q->quick ? 5 : 100, .split = true,
                                    .power = 1.0 };
    iv_sampling_found f;

    IV_TRY(iv_sampling_errors(&f, own, c, &o, p->work, err));
    for (int m = 0; m < IV_SAMPLING_MEASURES; m++) {
        const char *measure = iv_sampling_measure_names()[m];
        double rms[IV_SAMPLING_GROUPS] = { 0.0 };
        for (size_t d = 1; d <= DEEPEST; d++)
            for (int g = 0; g < IV_SAMPLING_GROUPS; g++) {
                const iv_sampling_error *e = find(&f, (iv_sampling_group)g, d, IV_SAMPLING_STATAP,
                                                  (iv_sampling_measure)m);
                rms[g] += e->rms;
                iv_paper_draw(p, "Figure 12", measure, groups[g], e->judgments, e->rms);
                if (m == IV_SAMPLING_AP)
                    iv_paper_draw(p, "Figure 12", "tau of AP", groups[g], e->judgments, e->tau);
            }
        iv_paper_put(p, "Section 3.1", measure, "RMS error of new runs over that of contributors",
                     rms[IV_SAMPLING_NEW] / rms[IV_SAMPLING_CONTRIBUTORS], 1e-9);
    }
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 12", "Root mean square error of the means of runs "
                    "that contribute to the frame (every second one) and of the others, which are "
                    "new.", "judgments a topic", "RMS error, or tau");
    return IV_OK;
}

/* Section 4 asks for the best sampling distribution: the prior to other powers. */
static int section_4(iv_paper_run *p, iv_arena *own, const iv_collection *c, iv_err *err)
{
    static const double powers[] = { 0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0 };

    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        const iv_sampling_options o = { 3, 3, p->q->quick ? 5 : 100, .power = powers[i] };
        iv_sampling_found f;
        IV_TRY(iv_sampling_errors(&f, own, c, &o, p->work, err));
        for (int m = 0; m < IV_SAMPLING_MEASURES; m++)
            iv_paper_draw(p, "Section 4", "judgments of depth 3", iv_sampling_measure_names()[m],
                          powers[i], find(&f, IV_SAMPLING_CONTRIBUTORS, 3, IV_SAMPLING_STATAP,
                                          (iv_sampling_measure)m)->rms);
    }
    iv_paper_figure(p, IV_CHART_CURVES, "Section 4", "The question that section 4 leaves open: "
                    "which distribution is the best? Weights are the prior of average precision "
                    "to a power: 0 is uniform, 1 the paper's.", "power of the prior", "RMS error");
    return IV_OK;
}

static int section_3(iv_paper_run *p, iv_err *err)
{
    const iv_sampling_options o = { 1, DEEPEST, p->q->quick ? 5 : 100, .power = 1.0 };
    const iv_study_question q = { .quick = p->q->quick, .judgments = p->q->judgments,
                                  .runs = p->q->runs };
    iv_study s = { .q = &q, .out = p->out, .work = p->work, .name = "papers" };
    iv_sampling_found f;
    iv_collection c;

    iv_study_steps(&s, 1);
    int rc = iv_study_collection(&c, &s, p->q->quick ? 20 : 50, p->q->quick ? 10 : 30, err);
    p->data = iv_paper_collection(p, &c);
    if (q.judgments == NULL)
        iv_result_note(p->out, "TREC 7, 8 and 10 cannot be shipped: section 3 is repeated on %s. "
                       "For runs of yours: 'intervale papers aslam --qrels FILE RUN...'.", p->data);
    if (rc == IV_OK)
        rc = iv_sampling_errors(&f, &s.own, &c, &o, p->work, err);
    if (rc == IV_OK) {
        claims(p, &f);
        agreement(p, &f);
        iv_paper_put(p, "Figures 5 and 10", "depth 1", "tau of MAP",
                     find(&f, IV_SAMPLING_CONTRIBUTORS, 1, IV_SAMPLING_STATAP,
                          IV_SAMPLING_AP)->tau, 1e-9);
        iv_paper_put(p, "Figures 5 and 10", "depth 10", "tau of MAP",
                     find(&f, IV_SAMPLING_CONTRIBUTORS, DEEPEST, IV_SAMPLING_STATAP,
                          IV_SAMPLING_AP)->tau, 1e-9);
        draw_errors(p, &f);
        rc = section_3_1(p, &s.own, &c, err);
    }
    if (rc == IV_OK)
        rc = section_4(p, &s.own, &c, err);
    free(s.row);
    iv_arena_free(&s.own);
    return rc;
}

int iv_paper_aslam(iv_paper_run *p, iv_err *err)
{
    section_2(p);
    IV_TRY(appendix(p, err));
    return p->q->exact ? IV_OK : section_3(p, err);
}
