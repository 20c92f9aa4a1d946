/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected recall intervals of a design.
 *
 * Ref: Webber (2013), section 4.3.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "plan/recall_expected.h"
#include "stat/recall/recall_outcomes.h"

int iv_recall_plan_check(const iv_recall_plan *p, iv_err *err)
{
    IV_TRY(iv_check_given(p, "a plan", err));
    IV_TRY(iv_check_list(p->guesses, p->guess_count, "guess", err));
    const double N1 = (double)p->retrieved, N0 = (double)(p->population - p->retrieved);

    if (p->retrieved < 1 || p->population <= p->retrieved || p->population > IV_STRATUM_MAX)
        return iv_fail(err, IV_EARG, "%lld retrieved of %lld documents, expected at least 1 and "
                       "fewer than all", (long long)p->retrieved, (long long)p->population);
    if (p->wanted_lower < 0.0 || p->wanted_lower > 1.0)
        return iv_fail(err, IV_EARG, "a lower limit of %g is wanted, expected 0 to 1",
                       p->wanted_lower);
    if (p->guess_count < 1 || p->guess_count > IV_PLAN_GUESSES)
        return iv_fail(err, IV_EARG, "%zu guesses, expected 1 to %d", p->guess_count,
                       IV_PLAN_GUESSES);
    for (size_t i = 0; i < p->guess_count; i++) {
        const iv_recall_guess *g = &p->guesses[i];
        if (!(g->recall > 0.0 && g->recall <= 1.0 && g->precision > 0.0
              && g->precision <= 1.0))
            return iv_fail(err, IV_EARG, "recall %g and precision %g, expected above 0, at most "
                           "1", g->recall, g->precision);
        if (rint(g->precision * N1) < 1.0)
            return iv_fail(err, IV_EARG, "precision %g of %lld retrieved documents leaves none "
                           "relevant", g->precision, (long long)p->retrieved);
        if (g->precision * N1 * (1.0 / g->recall - 1.0) > N0)
            return iv_fail(err, IV_EARG, "recall %g at precision %g would need %.0f relevant "
                           "documents among %.0f not retrieved", g->recall, g->precision,
                           g->precision * N1 * (1.0 / g->recall - 1.0), N0);
    }
    return IV_OK;
}

/* Where a split is looked for, and of intervals that take milliseconds each. */
enum { FEW_OUTCOMES = 7 };

/* Samples of one segment: some yields, with those between them shared out. */
typedef struct grouped {
    int64_t r[IV_PLAN_OUTCOMES];
    double mass[IV_PLAN_OUTCOMES];
    size_t count;
    iv_pmf pmf; /* of all yields */
} grouped;

/*
 * At most so many yields, evenly apart on the scale of square roots
 * (where their spread does not depend on the mean); those between two of them
 * share their probability by distance, which is exact for whatever is linear.
 */
static int group_samples(grouped *out, int64_t N, int64_t R, int64_t n, size_t most,
                         iv_err *err)
{
    const int rc = iv_pmf_hyper(&out->pmf, N, R, n, 1e-5, err);
    const iv_pmf pmf = out->pmf;
    double sum = 0.0;

    if (rc < 0)
        return rc;
    const double low = sqrt((double)pmf.offset);
    const double high = sqrt((double)pmf.offset + (double)pmf.count - 1.0);
    for (size_t i = 0; i < most; i++) {
        const double root = low + (high - low) * (double)i / ((double)most - 1.0);
        const int64_t r = pmf.count <= most ? pmf.offset + (int64_t)i
                                            : (int64_t)rint(root * root);
        if (r < pmf.offset + (int64_t)pmf.count && (i == 0 || r > out->r[out->count - 1]))
            out->r[out->count++] = r;
    }
    size_t at = 0;
    for (size_t i = 0; i < pmf.count; i++) {
        const int64_t r = pmf.offset + (int64_t)i;
        while (at + 2 < out->count && r > out->r[at + 1])
            at++;
        const double u = out->count == 1 ? 0.0
                         : (double)(r - out->r[at]) / (double)(out->r[at + 1] - out->r[at]);
        out->mass[at] += (1.0 - u) * pmf.p[i];
        if (out->count > 1)
            out->mass[at + 1] += u * pmf.p[i];
        sum += pmf.p[i];
    }
    for (size_t i = 0; i < out->count; i++)
        out->mass[i] /= sum;
    for (size_t i = 0; i < pmf.count; i++)
        pmf.p[i] /= sum;
    return IV_OK;
}

/*
 * The largest yield of the unretrieved sample at which the lower limit, linear
 * between those known, is still at least `wanted`; -1: none.
 */
static double last_reaching(const grouped *zero, const double *lower, double wanted)
{
    size_t k = 0;

    if (lower[0] < wanted)
        return -1.0;
    while (k + 1 < zero->count && lower[k + 1] >= wanted)
        k++;
    if (k + 1 == zero->count)
        return (double)zero->r[k];
    return floor((double)zero->r[k] + (lower[k] - wanted) / (lower[k] - lower[k + 1])
                 * (double)(zero->r[k + 1] - zero->r[k]) + 1e-9);
}

/* The last yield that reaches `wanted` for each of the retrieved sample, by
 * interpolation. */
static void guess_last(double *last, const grouped *one, const grouped *zero,
                       const iv_recall_interval *limits, double wanted)
{
    size_t row = 0;

    for (size_t i = 0; i < one->pmf.count; i++) {
        const int64_t r = one->pmf.offset + (int64_t)i;
        double lower[IV_PLAN_OUTCOMES] = { 0.0 };
        while (row + 2 < one->count && r > one->r[row + 1])
            row++;
        const size_t next = one->count == 1 ? row : row + 1;
        const double u = next == row ? 0.0 : (double)(r - one->r[row])
                                                 / (double)(one->r[next] - one->r[row]);
        for (size_t k = 0; k < zero->count; k++)
            lower[k] = (1.0 - u) * limits[row * zero->count + k].lower
                       + u * limits[next * zero->count + k].lower;
        last[i] = last_reaching(zero, lower, wanted);
    }
}

/* P(lower limit >= wanted), over all samples, from the last yields that reach it. */
static double assurance(const grouped *one, const grouped *zero, const double *last)
{
    double p = 0.0;

    for (size_t i = 0; i < one->pmf.count; i++) {
        double mass = 0.0;
        for (size_t k = 0; k < zero->pmf.count; k++) {
            if ((double)zero->pmf.offset + (double)k > last[i])
                break;
            mass += zero->pmf.p[k];
        }
        p += one->pmf.p[i] * mass;
    }
    return fmin(p, 1.0);
}

/* A yield of the retrieved sample, and where its last one is looked for. */
typedef struct sought {
    double reaches, misses, at, step; /* yields of the other sample */
} sought;

/*
 * Makes guesses right: the limits at the guessed yields and next to them, again where
 * they do not yet enclose the last one that reaches what is wanted.
 */
static int find_last(double *last, const iv_recall_plan *p, const grouped *one,
                     const grouped *zero, int64_t n1, int64_t n0, iv_outcome_work *w,
                     const iv_work *work, iv_err *err)
{
    const size_t count = one->pmf.count;
    const double first = (double)zero->pmf.offset, end = first + (double)zero->pmf.count;
    sought *all = malloc(count * sizeof *all);
    iv_outcome *outcomes = malloc(count * sizeof *outcomes);
    iv_recall_interval *limits = malloc(count * sizeof *limits);
    size_t *of = malloc(count * sizeof *of), open = 1;
    int rc = all == NULL || outcomes == NULL || limits == NULL || of == NULL
                 ? iv_fail(err, IV_ENOMEM, "no memory for %zu outcomes", count) : IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++)
        all[i] = (sought){ first - 1.0, end, last[i], 1.0 };
    while (rc == IV_OK && open > 0) {
        open = 0;
        for (size_t i = 0; i < count; i++) {
            sought *s = &all[i];
            s->at = fmin(fmax(s->at, s->reaches + 1.0), s->misses - 1.0);
            if (s->misses - s->reaches <= 1.0)
                continue;
            of[open] = i;
            outcomes[open++] = (iv_outcome){ n1, one->pmf.offset + (int64_t)i, n0,
                                             (int64_t)s->at, 1 };
        }
        if (open > 0)
            rc = iv_outcome_intervals(limits, outcomes, open, p->retrieved,
                                      p->population - p->retrieved, &p->how, w, work, err);
        for (size_t k = 0; k < open && rc == IV_OK; k++) {
            sought *s = &all[of[k]];
            const bool reached = limits[k].lower >= p->wanted_lower;
            *(reached ? &s->reaches : &s->misses) = s->at;
            s->at += reached ? s->step : -s->step;
            s->step *= 2.0;
        }
    }
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        last[i] = all[i].reaches;
    free(all);
    free(outcomes);
    free(limits);
    free(of);
    return rc;
}

/* P(lower limit >= wanted); by interpolation alone, good to .02, unless depth is IV_WHOLE. */
static int find_assurance(double *out, const iv_recall_plan *p, const grouped *one,
                          const grouped *zero, const iv_recall_interval *limits, int64_t n1,
                          int64_t n0, iv_plan_depth depth, iv_outcome_work *w,
                          const iv_work *work, iv_err *err)
{
    double *last = malloc(one->pmf.count * sizeof *last);
    int rc = last == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK) {
        guess_last(last, one, zero, limits, p->wanted_lower);
        rc = depth != IV_WHOLE ? IV_OK : find_last(last, p, one, zero, n1, n0, w, work, err);
    }
    if (rc == IV_OK)
        *out = assurance(one, zero, last);
    free(last);
    return rc;
}

static int expect_one(iv_recall_expected *out, const iv_recall_plan *p, size_t guess, int64_t n1,
                      int64_t n0, iv_plan_depth depth, iv_outcome_work *w, const iv_work *work,
                      iv_err *err)
{
    const int64_t N1 = p->retrieved, N0 = p->population - p->retrieved;
    const size_t most = depth == IV_ROUGH || p->how.method == IV_RECALL_EXACT ? FEW_OUTCOMES
        : IV_PLAN_OUTCOMES;
    const double yield = rint(p->guesses[guess].precision * (double)N1);
    const double rest = fmin((double)N0, rint(yield / p->guesses[guess].recall - yield));
    iv_outcome outcomes[IV_PLAN_OUTCOMES * IV_PLAN_OUTCOMES];
    iv_recall_interval limits[IV_PLAN_OUTCOMES * IV_PLAN_OUTCOMES];
    grouped one = { .count = 0 }, zero = { .count = 0 };
    int rc = group_samples(&one, N1, (int64_t)yield, n1, most, err);

    if (rc == IV_OK)
        rc = group_samples(&zero, N0, (int64_t)rest, n0, most, err);
    if (rc < 0)
        goto done;
    for (size_t i = 0; i < one.count * zero.count; i++)
        outcomes[i] = (iv_outcome){ n1, one.r[i / zero.count], n0, zero.r[i % zero.count], 1 };
    rc = iv_outcome_intervals(limits, outcomes, one.count * zero.count, N1, N0, &p->how, w, work,
                              err);
    if (rc < 0)
        goto done;
    *out = (iv_recall_expected){ .p_lower = NAN };
    for (size_t i = 0; i < one.count * zero.count; i++) {
        const double mass = one.mass[i / zero.count] * zero.mass[i % zero.count];
        out->lower += mass * limits[i].lower;
        out->upper += mass * limits[i].upper;
    }
    out->width = out->upper - out->lower;
    iv_stage last; /* nobody knows how often it looks: no progress, but it can be stopped */
    if (p->wanted_lower > 0.0)
        rc = find_assurance(&out->p_lower, p, &one, &zero, limits, n1, n0, depth, w,
                            iv_work_part(&last, work, 1.0, 1.0), err);
done:
    iv_pmf_free(&one.pmf);
    iv_pmf_free(&zero.pmf);
    return rc;
}

int iv_recall_expect_to(iv_recall_expected *out, const iv_recall_plan *p, int64_t n1, int64_t n0,
                        iv_plan_depth depth, const iv_work *work, iv_err *err)
{
    iv_recall_expected all[IV_PLAN_GUESSES];
    iv_outcome_work w = { 0 };

    IV_TRY(iv_recall_plan_check(p, err));
    if (n1 < 1 || n0 < 1 || n1 > p->retrieved || n0 > p->population - p->retrieved)
        return iv_fail(err, IV_EARG, "%lld and %lld documents to judge, expected at least 1 of "
                       "each segment, and no more than there are", (long long)n1, (long long)n0);
    int rc = iv_outcome_work_init(&w, err);
    for (size_t i = 0; i < p->guess_count && rc == IV_OK; i++) {
        iv_stage stage;
        const double n = (double)p->guess_count;
        rc = expect_one(&all[i], p, i, n1, n0, depth, &w,
                        iv_work_part(&stage, work, (double)i / n, (double)(i + 1) / n), err);
    }
    if (rc == IV_OK)
        memcpy(out, all, p->guess_count * sizeof *out);
    iv_outcome_work_free(&w);
    return rc;
}

int iv_recall_expect(iv_recall_expected *out, const iv_recall_plan *p, int64_t n1, int64_t n0,
                     const iv_work *work, iv_err *err)
{
    return iv_recall_expect_to(out, p, n1, n0, IV_WHOLE, work, err);
}
