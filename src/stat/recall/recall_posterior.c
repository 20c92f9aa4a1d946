/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The joint posterior of the two yields, and what it says about recall,
 * precision, F, yield and elusion.
 *
 * Recall is 0/0 when both yields are 0.  That has mass only when no sampled
 * document is relevant, and everything said about recall is then given that a
 * document is.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "stat/recall/recall_yield.h"
#include "num/num_private.h"

int iv_recall_posterior_new(iv_recall_posterior **out, iv_err *err)
{
    iv_recall_posterior *p = calloc(1, sizeof *p);

    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for a posterior");
    const int rc = iv_convolver_new(&p->convolver, err);
    if (rc < 0) {
        free(p);
        return rc;
    }
    *out = p;
    return IV_OK;
}

static void free_sides(iv_recall_posterior *p)
{
    for (int i = 0; i < 2 && !p->lent; i++) {
        iv_yield_free(&p->side[i]);
        iv_yield_free(&p->floor[i]);
    }
}

void iv_recall_posterior_free(iv_recall_posterior *p)
{
    if (p == NULL)
        return;
    free_sides(p);
    iv_convolver_free(p->convolver);
    free(p->prior_a);
    free(p->prior_b);
    free(p->pooled);
    free(p);
}

static int reserve_priors(iv_recall_posterior *p, size_t count, iv_err *err)
{
    if (IV_ROOM(p->prior_a, p->prior_a_capacity, count)
        && IV_ROOM(p->prior_b, p->prior_b_capacity, count)
        && IV_ROOM(p->pooled, p->pooled_capacity, count))
        return IV_OK;
    return iv_fail(err, IV_ENOMEM, "no memory for %zu strata", count);
}

/* N / n of a stratum of which every sampled document is relevant, and some are not judged. */
static double full_weight(const iv_stratum *s)
{
    return s->relevant > 0 && s->relevant == s->sampled && s->sampled < s->size
               ? (double)s->size / (double)s->sampled : 0.0;
}

/*
 * What strata may hold at the least, thought of one by one: makes those without a find such that
 * hold nothing relevant, for certain, and gives those of which the whole sample is relevant the
 * segment's prior of documents that are not, `whole`, shared by them alone: with a small part of
 * it, three of three would say that all the others are relevant, too.  Does that change anything,
 * while some have finds?
 */
static bool iv_recall_floor(iv_stratum *strata, double *b, size_t count, double whole)
{
    double full = 0.0;
    size_t open = 0, found = 0;

    for (size_t i = 0; i < count; i++)
        full += full_weight(&strata[i]);
    for (size_t i = 0; i < count; i++) {
        open += strata[i].relevant == 0 && strata[i].sampled < strata[i].size;
        found += strata[i].relevant > 0;
        if (strata[i].relevant == 0)
            strata[i].sampled = strata[i].size;
        if (full_weight(&strata[i]) > 0.0)
            b[i] = fmax(b[i], whole * full_weight(&strata[i]) / full);
    }
    return found > 0 && (open > 0 || (full > 0.0 && count > 1));
}

static int set_side(iv_recall_posterior *p, int side, const iv_stratum *given,
                    size_t count, const iv_recall_options *o, iv_err *err)
{
    const bool discrete = o->method != IV_RECALL_JEFFREYS;
    int rc = reserve_priors(p, count, err);

    if (rc < 0)
        return rc;
    iv_stratum *strata = p->pooled;
    iv_recall_pool(strata, given, count, o->method);
    rc = iv_recall_priors(p->prior_a, p->prior_b, strata, count, o, err);
    if (rc == IV_OK)
        rc = iv_yield_curves(&p->side[side], strata, count, p->prior_a, p->prior_b,
                             discrete, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const double m = (double)(strata[i].size - strata[i].sampled);
        const double whole = p->prior_a[i] + p->prior_b[i] + (double)strata[i].sampled;
        if (m > 0.0)
            p->prior_yield += m * p->prior_a[i] / whole;
    }
    p->floored[side] = o->method == IV_RECALL_BETABIN_WEIGHTED
                       && iv_recall_floor(strata, p->prior_b, count, o->b);
    if (rc == IV_OK && p->floored[side])
        rc = iv_yield_curves(&p->floor[side], strata, count, p->prior_a, p->prior_b, discrete, err);
    return rc;
}

/* Exact if both sides together have few atoms. */
static int spread_out(iv_recall_posterior *p, iv_err *err)
{
    iv_fineness f = iv_fine;

    if (p->side[0].high - p->side[0].low + p->side[1].high - p->side[1].low >= IV_RECALL_ATOMS)
        f.atoms = f.points;
    for (int i = 0; i < 2; i++) {
        IV_TRY(iv_yield_spread(&p->side[i], p->convolver, &f, err));
        if (p->floored[i])
            IV_TRY(iv_yield_spread(&p->floor[i], p->convolver, &f, err));
    }
    return IV_OK;
}

/* What follows from the sides. */
static void put_together(iv_recall_posterior *p, double tolerance)
{
    p->mean_yield = p->side[0].mean + p->side[1].mean;
    p->both_zero = p->side[0].none && p->side[1].none
                       ? iv_yield_zero(&p->side[0]) * iv_yield_zero(&p->side[1])
                       : 0.0;
    p->tolerance = tolerance;
    p->set = true;
}

void iv_recall_posterior_lend(iv_recall_posterior *p, const iv_yield *retrieved,
                              const iv_yield *unretrieved, const iv_yield *floor,
                              double tolerance)
{
    free_sides(p);
    p->lent = true;
    p->side[1] = *retrieved;
    p->side[0] = *unretrieved;
    p->floor[0] = floor != NULL ? *floor : (iv_yield){ 0 };
    p->floor[1] = (iv_yield){ 0 };
    p->floored[0] = floor != NULL;
    p->floored[1] = false;
    p->prior_yield = NAN;
    put_together(p, tolerance);
}

int iv_recall_posterior_set(iv_recall_posterior *p, const iv_segments *s,
                            const iv_recall_options *o, iv_err *err)
{
    iv_recall_options all;
    int rc = iv_segments_check(s, err);

    for (int i = 0; i < 2 && p->lent; i++)
        p->side[i] = p->floor[i] = (iv_yield){ 0 };
    p->lent = p->set = false;
    p->prior_yield = 0.0;
    if (rc == IV_OK)
        rc = iv_recall_fill(&all, o, err);
    if (rc == IV_OK && !iv_recall_has_posterior(all.method))
        rc = iv_fail(err, IV_EARG, "%s has no posterior",
                     iv_recall_method_names()[all.method]);
    if (rc == IV_OK)
        rc = set_side(p, 1, s->retrieved, s->retrieved_count, &all, err);
    if (rc == IV_OK)
        rc = set_side(p, 0, s->unretrieved, s->unretrieved_count, &all, err);
    if (rc == IV_OK)
        rc = spread_out(p, err);
    if (rc < 0)
        return rc;
    put_together(p, iv_fine.tolerance);
    return IV_OK;
}

bool iv_recall_posterior_exact(const iv_recall_posterior *p)
{
    return p->set && p->side[0].exact && p->side[1].exact;
}

double iv_recall_prior_share(const iv_recall_posterior *p)
{
    return !p->set ? NAN : p->mean_yield > 0.0 ? p->prior_yield / p->mean_yield : 0.0;
}

/* A quantile of recall with a side at its floor. */
static double floor_quantile(const iv_recall_posterior *p, int side, double q)
{
    iv_recall_posterior with = *p;

    with.side[side] = p->floor[side];
    return iv_recall_quantile(&with, IV_RECALL_RECALL, 1.0, q);
}

iv_limits iv_recall_limits(const iv_recall_posterior *p, iv_recall_quantity quantity,
                           double beta, double confidence, bool one_sided)
{
    const double tail = (1.0 - confidence) / (one_sided ? 1.0 : 2.0);
    const iv_yield *r1 = &p->side[1], *r0 = &p->side[0];
    const bool share = quantity == IV_RECALL_PRECISION || quantity == IV_RECALL_ELUSION;
    const iv_yield *own = quantity == IV_RECALL_ELUSION ? r0 : r1;
    bool zero, one;

    zero = quantity == IV_RECALL_YIELD ? r1->none && r0->none : own->none;
    one = quantity == IV_RECALL_RECALL  ? r0->none
          : quantity == IV_RECALL_F     ? r0->none && r1->all
          : quantity == IV_RECALL_YIELD ? r0->all && r1->all : share && own->all;
    const double most = quantity == IV_RECALL_YIELD ? r1->size + r0->size : 1.0;
    if (quantity == IV_RECALL_RECALL && p->both_zero >= 1.0)
        return (iv_limits){ NAN, NAN }; /* nothing is relevant, and that is known */
    if (quantity == IV_RECALL_RECALL && r1->none && r0->none
        && (iv_yield_zero(r1) >= 1.0 || iv_yield_zero(r0) >= 1.0)) { /* of a side judged in full */
        const double known = iv_yield_zero(r0) >= 1.0 ? 1.0 : 0.0;
        return (iv_limits){ known, known };
    }
    double lower = zero ? 0.0 : iv_recall_quantile(p, quantity, beta, tail);
    double upper = one ? most : iv_recall_quantile(p, quantity, beta, 1.0 - tail);
    for (int i = 0; i < 2 && quantity == IV_RECALL_RECALL; i++) {
        const double end = p->floored[i] ? floor_quantile(p, i, i == 1 ? tail : 1.0 - tail) : NAN;
        if (i == 1 && end < lower)
            lower = end;
        if (i == 0 && end > upper)
            upper = end;
    }
    /* All but known, the two may differ by a rounding. */
    return (iv_limits){ lower, upper < lower ? lower : upper };
}

static bool all_judged(const iv_segments *s)
{
    return iv_strata_sampled(s->retrieved, s->retrieved_count)
               == iv_strata_size(s->retrieved, s->retrieved_count)
           && iv_strata_sampled(s->unretrieved, s->unretrieved_count)
                  == iv_strata_size(s->unretrieved, s->unretrieved_count);
}

int iv_recall_interval_of(iv_limits *out, const iv_segments *s,
                          const iv_recall_options *o, iv_recall_posterior *w, iv_err *err)
{
    iv_recall_options all;
    int rc = iv_segments_check(s, err);

    if (rc == IV_OK)
        rc = iv_recall_fill(&all, o, err);
    if (rc == IV_OK && all_judged(s) && isnan(iv_recall_estimate(s)))
        rc = iv_fail(err, IV_ENODATA, "everything is judged and nothing is relevant: there is "
                     "no recall");
    if (rc < 0)
        return rc;
    if (all.method == IV_RECALL_KOOPMAN)
        return iv_recall_by_koopman(out, s, &all, err);
    if (all.method == IV_RECALL_EXACT)
        return iv_recall_guaranteed(out, s, IV_RECALL_RECALL, 1.0, all.confidence,
                                    all.one_sided, err);
    if (!iv_recall_has_posterior(all.method))
        return iv_recall_by_normal(out, s, &all, err);
    rc = iv_recall_posterior_set(w, s, &all, err);
    if (rc < 0)
        return rc;
    const iv_limits limits = iv_recall_limits(w, IV_RECALL_RECALL, 1.0, all.confidence,
                                              all.one_sided);
    if (isnan(limits.lower) || isnan(limits.upper))
        return all.confidence > 1.0 - 1e-14
            ? iv_fail(err, IV_EARG, "the confidence is too near to 1 for an interval of recall")
            : iv_fail(err, IV_ENUM, "the posterior of recall was not reached to its accuracy");
    *out = limits;
    return IV_OK;
}
