/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aslam and Pavlu (2008).  The figures of section 2 are computed.  The
 * experiment of section 3 was made on collections that cannot be given away:
 * it is repeated on another one, in kind.  What the paper claims of methods
 * beside each other is then held against ours; its figures stand beside ours
 * without a verdict.
 */
#include <math.h>
#include <stdlib.h>

#include "intervale/design/scheme.h"
#include "intervale/num.h"
#include "study/sampling_study.h"
#include "study/papers_study.h"

enum { RANKS = 1000, DEEPEST = 10 };

/* Variance of a document's value when `relevant` of 1,000 documents are
 * relevant, from rank `first` on, and those in the upper half are drawn
 * `factor` times as often as the average one. */
static double variance(size_t first, size_t relevant, double factor)
{
    double value[RANKS], p[RANKS];

    for (size_t i = 0; i < RANKS; i++) {
        p[i] = (i < RANKS / 2 ? factor : 2.0 - factor) / RANKS;
        value[i] = i >= first && i < first + relevant ? 1.0 / RANKS : 0.0;
    }
    return iv_draw_variance(value, p, RANKS);
}

static void add(iv_papers *p, const char *cell, double printed, double rounding, double ours,
                const char *reason)
{
    iv_papers_add(p, (iv_published){ .table = IV_ASLAM_NUMBERS, .published = printed,
        .rounding = rounding, .ours = ours, .reason = reason }, "%s", cell);
}

static void numbers(iv_papers *p)
{
    const double z = iv_norm_quantile(0.975);
    const double even = variance(0, 250, 1.0), uneven = variance(0, 250, 1.5);
    double sum = 0.0, approximate = 0.0;

    add(p, "2.1: variance, uniform", 0.1875, 0.00005, even, NULL);
    add(p, "2.1: half-width, 50 documents", 0.12, 0.005, z * sqrt(even / 50.0), NULL);
    add(p, "2.1: half-width, 500 documents", 0.038, 0.0005, z * sqrt(even / 500.0), NULL);
    add(p, "2.1: lower limit, 500 documents", 0.212, 0.0005, 0.25 - z * sqrt(even / 500.0),
        NULL);
    add(p, "2.1: upper limit, 500 documents", 0.288, 0.0005, 0.25 + z * sqrt(even / 500.0),
        NULL);
    add(p, "2.1: variance, upper half drawn 1.5 times", 0.1042, 0.00005, uneven, NULL);
    add(p, "2.1: half-width, 500 documents, so drawn", 0.028, 0.0005, z * sqrt(uneven / 500.0),
        NULL);
    add(p, "2.1: interval so made narrower by", 0.26, 0.005, 1.0 - sqrt(uneven / even),
        "computed from half-widths rounded to three digits; by the variances it is .255");
    for (size_t r = 1; r <= RANKS; r++) {
        sum += iv_ap_prior(RANKS, r);
        approximate += log((double)RANKS / (double)r) / (2.0 * RANKS);
    }
    add(p, "eq 5: sum of W over 1,000 ranks", 1.0, 1e-12, sum, NULL);
    add(p, "eq 5: the same of its approximation", 1.0, 1e-12, approximate,
        "the printed approximation drops the first term: it sums to half of W and is 0 at the "
        "last rank; not used");
}

/* ------------------------------------------------------------------ in kind -- */

static const iv_sampling_error *find(const iv_sampling_error *e, size_t count, size_t depth,
                                     iv_sampling_method method)
{
    for (size_t i = 0; i < count; i++)
        if (e[i].depth == depth && e[i].method == method && e[i].group == IV_SAMPLING_ALL)
            return &e[i];
    return NULL;
}

/* That sampling ranks runs better, and errs less, than a rival. */
static void add_claims(iv_papers *p, const iv_sampling_error *ours,
                       const iv_sampling_error *rival, double replicates)
{
    static const char *const why = "on this collection it is not so: see doc/methods/sampling.md";
    const char *name = iv_sampling_method_names()[rival->method];

    iv_papers_add(p, (iv_published){ .table = IV_ASLAM_COMPARISON, .kind = IV_PUBLISHED_CLAIM,
        .ours = ours->tau - rival->tau, .reason = why,
        .our_se = hypot(ours->tau_sd, rival->tau_sd) / sqrt(replicates) },
        "judgments of depth %zu: tau above that of %s", ours->depth, name);
    iv_papers_add(p, (iv_published){ .table = IV_ASLAM_COMPARISON, .kind = IV_PUBLISHED_CLAIM,
        .ours = rival->rms - ours->rms, .reason = why,
        .our_se = hypot(ours->rms_sd, rival->rms_sd) / sqrt(replicates) },
        "judgments of depth %zu: error below that of %s", ours->depth, name);
}

static void compare(iv_papers *p, const iv_sampling_found *s, size_t deepest, double replicates)
{
    static const struct { size_t depth; double tau; const char *text; } figures[] = {
        { 1, 0.85, "tau at judgments of depth 1 (TREC 8: under 2 % of the pool)" },
        { DEEPEST, 0.95, "tau at judgments of depth 10 (TREC 8: 200 a topic)" } };
    const iv_sampling_error *e = s->errors;
    const size_t count = s->error_count;

    for (size_t d = 1; d <= deepest; d++) {
        const iv_sampling_error *ours = find(e, count, d, IV_SAMPLING_STEVENS);
        for (int m = IV_SAMPLING_POOL; m < IV_SAMPLING_METHODS && ours != NULL; m++) {
            const iv_sampling_error *rival = find(e, count, d, (iv_sampling_method)m);
            if (rival != NULL && isfinite(ours->tau) && isfinite(rival->tau))
                add_claims(p, ours, rival, replicates);
        }
    }
    for (size_t i = 0; i < 2; i++) {
        const iv_sampling_error *ours = find(e, count, figures[i].depth, IV_SAMPLING_STEVENS);
        if (ours != NULL && isfinite(ours->tau))
            iv_papers_add(p, (iv_published){ .table = IV_ASLAM_COMPARISON,
                .kind = IV_PUBLISHED_KIND, .published = figures[i].tau, .rounding = 0.005,
                .ours = ours->tau, .our_se = ours->tau_sd / sqrt(replicates) },
                "%s", figures[i].text);
    }
}

/* Shares of pairs: called significant though the truth does not, and missed. */
static void agreement(iv_papers *p, const iv_sampling_found *s)
{
    static const struct { size_t depth; double neither, alone, missed, both; } printed[] = {
        { 1, 9970, 143, 1105, 5423 }, { DEEPEST, 9902, 211, 318, 6210 } };
    const iv_sampling_agreement *a = s->agreements;
    const size_t count = s->agreement_count;
    double found[2] = { 0.0, 0.0 };

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < count; i++) {
            const double dull = (double)(a[i].neither + a[i].sample_only);
            const double real = (double)(a[i].truth_only + a[i].both);
            if (a[i].depth != printed[k].depth || !(dull > 0.0) || !(real > 0.0))
                continue;
            found[k] = (double)a[i].both / real;
            iv_papers_add(p, (iv_published){ .table = IV_ASLAM_1, .kind = IV_PUBLISHED_KIND,
                .published = printed[k].alone / (printed[k].alone + printed[k].neither),
                .ours = (double)a[i].sample_only / dull },
                "judgments of depth %zu: insignificant pairs called significant",
                printed[k].depth);
            iv_papers_add(p, (iv_published){ .table = IV_ASLAM_1, .kind = IV_PUBLISHED_KIND,
                .published = printed[k].both / (printed[k].both + printed[k].missed),
                .ours = found[k] }, "judgments of depth %zu: significant pairs found",
                printed[k].depth);
        }
    if (found[0] > 0.0 && found[1] > 0.0)
        iv_papers_add(p, (iv_published){ .table = IV_ASLAM_1, .kind = IV_PUBLISHED_CLAIM,
            .ours = found[1] - found[0] },
            "more significant pairs are found with the judgments of depth 10");
}

static int in_kind(iv_papers *p, const iv_papers_options *o, iv_err *err)
{
    const iv_sampling_study_options study = { .deepest = DEEPEST, .no_coverage = true,
                                              .replicates = o->quick ? 5 : 100 };
    iv_sampling_found s;
    const int rc = iv_sampling_study_run(&s, o->runs, o->run_count, o->judged, &study,
                                         iv_papers_work(p), err);

    if (rc != IV_OK)
        return rc;
    if (o->wanted[IV_ASLAM_COMPARISON])
        compare(p, &s, DEEPEST, (double)study.replicates);
    if (o->wanted[IV_ASLAM_1])
        agreement(p, &s);
    iv_sampling_found_free(&s);
    return IV_OK;
}

int iv_papers_aslam(iv_papers *p, const iv_papers_options *o, iv_err *err)
{
    if (o->wanted[IV_ASLAM_NUMBERS])
        numbers(p);
    if (!iv_papers_wants(o, IV_ASLAM_COMPARISON, IV_ASLAM_1))
        return IV_OK;
    if (o->run_count > 0 && o->judged != NULL)
        return in_kind(p, o, err);
    for (int t = IV_ASLAM_COMPARISON; t <= IV_ASLAM_1; t++)
        if (o->wanted[t])
            iv_papers_leave_out(p, (iv_paper_table)t, "it needs a collection with complete "
                                "judgments: --qrels FILE and its runs");
    return IV_OK;
}
