/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage when strata are sampled at unequal rates, by enumeration: over all samples,
 * at each truth of a grid, so that the least coverage is one that occurs and no
 * luck of drawing.  Small populations are gone through whole, and by the guaranteed
 * limits too.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "stat/recall/recall_outcomes.h"
#include "study/recall_study.h"

enum { STRATA = 3 };

/* The unretrieved strata; the retrieved documents are all judged. */
typedef struct design {
    const char *name;
    int64_t retrieved, relevant;
    int64_t N[STRATA], n[STRATA]; /* N 0: no such stratum */
    bool whole;                   /* every truth, and the method exact */
} design;

static const design designs[] = {
    { "near-20", 1000, 400, { 99000, 1000, 0 }, { 20000, 20, 0 }, false },
    { "near-100", 1000, 400, { 99000, 1000, 0 }, { 20000, 100, 0 }, false },
    { "near-30", 1000, 400, { 99000, 1000, 0 }, { 5000, 30, 0 }, false },
    { "even-20", 1000, 400, { 99000, 1000, 0 }, { 2000, 20, 0 }, false },
    { "deep-500", 1000, 400, { 99000, 1000, 0 }, { 500, 300, 0 }, false },
    { "near-900", 1000, 400, { 1000000, 1000, 0 }, { 500, 900, 0 }, false },
    { "halves", 1000, 400, { 20000, 20000, 0 }, { 4000, 100, 0 }, false },
    { "three", 1000, 400, { 10000, 2000, 300 }, { 2000, 100, 10 }, false },
    { "three-deep", 1000, 400, { 10000, 2000, 300 }, { 100, 200, 100 }, false },
    { "tiny", 20, 10, { 40, 10, 0 }, { 20, 3, 0 }, true },
    { "tiny-three", 20, 10, { 20, 10, 5 }, { 8, 3, 2 }, true },
};

const char *iv_recall_unequal_name(size_t i)
{
    return i < sizeof designs / sizeof *designs ? designs[i].name : NULL;
}

static const iv_recall_method methods[] = { IV_RECALL_BETABIN_HALF, IV_RECALL_BETABIN_WEIGHTED,
                                            IV_RECALL_EXACT };

enum { METHODS = sizeof methods / sizeof *methods };

typedef struct enumerated {
    const design *d;
    double confidence;
    int64_t most[STRATA]; /* relevant in a sample: more are improbable */
    size_t outcomes;
    iv_recall_interval (*limits)[METHODS];
} enumerated;

/* The numbers of relevant documents that are tried in a stratum; returns how many. */
static size_t truths(int64_t *out, const design *d, size_t stratum)
{
    static const int64_t grid[] = { 0, 1, 3, 10, 30, 60 }, coarse[] = { 0, 2, 10, 30 };
    size_t count = 0;

    if (d->N[stratum] == 0) {
        out[count++] = 0;
    } else if (d->whole) {
        for (int64_t K = 0; K <= d->N[stratum]; K++)
            out[count++] = K;
    } else {
        const bool three = d->N[STRATA - 1] > 0;
        for (size_t i = 0; i < (three ? 4u : 6u); i++)
            out[count++] = three ? coarse[i] : grid[i];
    }
    return count;
}

static void sample_number(int64_t x[STRATA], const enumerated *e, size_t i)
{
    for (size_t k = 0; k < STRATA; k++) {
        x[k] = (int64_t)(i % (size_t)(e->most[k] + 1));
        i /= (size_t)(e->most[k] + 1);
    }
}

static int one_sample(void *user, void *memory, size_t i, iv_err *err)
{
    const enumerated *e = user;
    const design *d = e->d;
    const iv_stratum one = { d->retrieved, d->retrieved, d->relevant };
    iv_stratum zero[STRATA];
    int64_t x[STRATA];
    size_t strata = 0;
    int rc = IV_OK;

    sample_number(x, e, i);
    for (size_t k = 0; k < STRATA; k++) {
        if (d->N[k] > 0)
            zero[strata++] = (iv_stratum){ d->N[k], d->n[k], x[k] };
    }
    for (int m = 0; m < METHODS && rc == IV_OK; m++) {
        const iv_recall_options o = { .method = methods[m], .confidence = e->confidence };
        e->limits[i][m] = (iv_recall_interval){ NAN, NAN };
        if (o.method != IV_RECALL_EXACT || d->whole)
            rc = iv_recall_interval_of(&e->limits[i][m], &(iv_segments){ &one, zero, 1, strata },
                                       &o, memory, err);
    }
    return rc;
}

/* Adds what the methods do at one truth. */
static void add_truth(iv_recall_coverage *out, const enumerated *e, const int64_t K[STRATA])
{
    const design *d = e->d;
    const double R1 = (double)d->relevant, R0 = (double)(K[0] + K[1] + K[2]);
    const double truth = R1 / (R1 + R0);
    iv_recall_coverage here[METHODS] = { { 0 } };
    int64_t x[STRATA];

    for (size_t i = 0; i < e->outcomes; i++) {
        double p = 1.0;
        sample_number(x, e, i);
        for (size_t k = 0; k < STRATA; k++)
            p *= d->N[k] == 0 ? 1.0 : exp(iv_hyper_log_pmf(x[k], d->N[k], K[k], d->n[k]));
        for (int m = 0; m < METHODS; m++) {
            const iv_recall_interval l = e->limits[i][m];
            here[m].below += truth < l.lower - 1e-12 ? p : 0.0;
            here[m].above += truth > l.upper + 1e-12 ? p : 0.0;
            here[m].coverage += l.lower <= truth + 1e-12 && truth <= l.upper + 1e-12 ? p : 0.0;
            here[m].width += p * (l.upper - l.lower);
        }
    }
    for (int m = 0; m < METHODS; m++) {
        iv_recall_coverage *c = &out[methods[m]];
        const double off = here[m].coverage - e->confidence;
        c->coverage += here[m].coverage;
        c->width += here[m].width;
        c->below += here[m].below;
        c->above += here[m].above;
        c->rmse += off * off;
        c->coverages.least = fmin(c->coverages.least, here[m].coverage);
    }
}

static void add_truths(iv_recall_coverage *out, const enumerated *e)
{
    int64_t at[STRATA][64];
    size_t count[STRATA], all = 0;

    for (size_t k = 0; k < STRATA; k++)
        count[k] = truths(at[k], e->d, k);
    for (size_t i = 0; i < count[0] * count[1] * count[2]; i++) {
        const int64_t K[STRATA] = { at[0][i % count[0]], at[1][i / count[0] % count[1]],
                                    at[2][i / count[0] / count[1]] };
        add_truth(out, e, K);
        all++;
    }
    for (int m = 0; m < METHODS; m++) {
        iv_recall_coverage *c = &out[methods[m]];
        const double n = methods[m] == IV_RECALL_EXACT && !e->d->whole ? NAN : (double)all;
        c->coverage /= n;
        c->width /= n;
        c->below /= n;
        c->above /= n;
        c->rmse = sqrt(c->rmse / n);
    }
}

int iv_recall_unequal_study(iv_recall_coverage *out, size_t number, double confidence,
                            const iv_work *work, iv_err *err)
{
    const iv_five_numbers unknown = { NAN, NAN, NAN, NAN, NAN };
    enumerated e = { .confidence = confidence, .outcomes = 1 };

    if (iv_recall_unequal_name(number) == NULL || !(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "no design %zu, or a confidence outside (0, 1)", number);
    e.d = &designs[number];
    for (size_t k = 0; k < STRATA; k++) {
        int64_t at[64];
        const int64_t most = at[truths(at, e.d, k) - 1];
        e.most[k] = e.d->N[k] == 0 ? 0 : e.d->whole ? e.d->n[k]
                    : iv_hyper_quantile(1.0 - 1e-9, e.d->N[k], most, e.d->n[k]);
        e.outcomes *= (size_t)(e.most[k] + 1);
    }
    e.limits = malloc(e.outcomes * sizeof *e.limits);
    int rc = e.limits == NULL ? iv_fail(err, IV_ENOMEM, "no memory for %zu samples", e.outcomes)
        : iv_parallel(&(iv_loop){ e.outcomes, one_sample, &e, iv_recall_memory }, work, err);
    if (rc == IV_OK) {
        for (int m = 0; m < IV_RECALL_ALL; m++)
            out[m] = (iv_recall_coverage){ NAN, NAN, NAN, NAN, NAN, NAN, unknown, unknown,
                                           unknown };
        for (int m = 0; m < METHODS; m++) {
            out[methods[m]] = (iv_recall_coverage){ .closest = NAN, .coverages = unknown,
                                                    .belows = unknown, .aboves = unknown };
            out[methods[m]].coverages.least = 1.0;
        }
        add_truths(out, &e);
    }
    free(e.limits);
    return rc;
}
