/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least coverage of a method's intervals, over truths, for samples of the sizes
 * that were drawn: the interval of every sample, and at each truth the probability of
 * the samples whose interval holds it.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "intervale/num.h"
#include "stat/recall/recall_outcomes.h"

enum { MOST_SAMPLES = 1000, EACH = 200, RATIOS = 60 };

/* A side: the truths that are tried, and the probability of each sample under them. */
typedef struct side {
    iv_stratum s;
    bool known;         /* all of it is judged */
    int64_t most;       /* relevant, at a truth that is tried */
    size_t samples, truths;
    int64_t *truth;
    double *p;          /* truths x samples */
} side;

/* Every number up to EACH, then some further ones, and the last. */
static size_t list_truths(int64_t *out, const side *x)
{
    size_t count = 0;

    if (x->known) {
        out[count++] = x->s.relevant;
        return count;
    }
    for (int64_t K = 0; K <= x->most && K <= EACH; K++)
        out[count++] = K;
    for (int i = 1; i <= RATIOS && x->most > EACH; i++)
        out[count++] = (int64_t)rint(EACH * pow((double)x->most / EACH, (double)i / RATIOS));
    return count;
}

static int make_side(side *out, iv_arena *own, const iv_stratum *s, int64_t most, iv_err *err)
{
    side x = { .s = *s, .known = s->sampled == s->size, .most = most };

    x.samples = x.known ? 1 : (size_t)s->sampled + 1;
    x.truth = iv_take(own, EACH + RATIOS + 2, sizeof *x.truth);
    if (x.truth != NULL)
        x.truths = list_truths(x.truth, &x);
    x.p = iv_take(own, x.truths * x.samples + 1, sizeof *x.p);
    if (x.truth == NULL || x.p == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < x.truths; i++) {
        for (size_t k = 0; k < x.samples; k++)
            x.p[i * x.samples + k] = x.known ? 1.0 : exp(iv_hyper_log_pmf(
                (int64_t)k, s->size, x.truth[i], s->sampled));
    }
    *out = x;
    return IV_OK;
}

static double held_at(const side *one, const side *zero, const iv_recall_interval *limits,
                      size_t i, size_t k, bool lower_only)
{
    const double R1 = (double)one->truth[i], R0 = (double)zero->truth[k];
    const double truth = R1 / (R1 + R0);
    double held = 0.0;

    for (size_t a = 0; a < one->samples; a++) {
        double sum = 0.0;
        for (size_t b = 0; b < zero->samples; b++) {
            const iv_recall_interval *l = &limits[a * zero->samples + b];
            if (l->lower <= truth + 1e-12 && (lower_only || truth <= l->upper + 1e-12))
                sum += zero->p[k * zero->samples + b];
        }
        held += one->p[i * one->samples + a] * sum;
    }
    return held;
}

static int find_limits(iv_recall_interval *limits, const side *one, const side *zero,
                       const iv_recall_options *o, iv_outcome *outcomes, iv_err *err)
{
    const size_t count = one->samples * zero->samples;
    iv_outcome_work w = { 0 };

    for (size_t i = 0; i < count; i++)
        outcomes[i] = (iv_outcome){
            one->s.sampled, one->known ? one->s.relevant : (int64_t)(i / zero->samples),
            zero->s.sampled, zero->known ? zero->s.relevant : (int64_t)(i % zero->samples), 1 };
    int rc = iv_outcome_work_init(&w, err);
    if (rc == IV_OK)
        rc = iv_outcome_intervals(limits, outcomes, count, one->s.size, zero->s.size, o, &w, NULL,
                                  err);
    iv_outcome_work_free(&w);
    return rc;
}

static int find(double *out, iv_arena *own, const iv_segments *s, const iv_recall_options *o,
                iv_err *err)
{
    side one, zero;
    double least = 1.0;
    int rc = make_side(&one, own, s->retrieved, s->retrieved->size, err);

    if (rc == IV_OK)
        rc = make_side(&zero, own, s->unretrieved, s->unretrieved->size / 2, err);
    if (rc < 0)
        return rc;
    const size_t count = one.samples * zero.samples;
    iv_recall_interval *limits = iv_take(own, count, sizeof *limits);
    iv_outcome *outcomes = iv_take(own, count, sizeof *outcomes);
    if (limits == NULL || outcomes == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    rc = find_limits(limits, &one, &zero, o, outcomes, err);
    for (size_t i = 0; i < one.truths && rc == IV_OK; i++) {
        for (size_t k = 0; k < zero.truths; k++) {
            if (one.truth[i] + zero.truth[k] > 0)
                least = fmin(least, held_at(&one, &zero, limits, i, k, o->one_sided));
        }
    }
    if (rc == IV_OK)
        *out = least;
    return rc;
}

int iv_recall_least_coverage(double *out, const iv_segments *s, const iv_recall_options *o,
                             iv_err *err)
{
    iv_arena own = { 0 };
    int rc = IV_OK;

    *out = NAN;
    if (s->retrieved_count != 1 || s->unretrieved_count != 1)
        return IV_OK;
    const bool known1 = s->retrieved->sampled == s->retrieved->size;
    const bool known0 = s->unretrieved->sampled == s->unretrieved->size;
    const double samples = (known1 ? 1.0 : (double)s->retrieved->sampled + 1.0)
                           * (known0 ? 1.0 : (double)s->unretrieved->sampled + 1.0);
    if (samples <= MOST_SAMPLES && !(known1 && known0))
        rc = find(out, &own, s, o, err);
    iv_arena_free(&own);
    return rc;
}
