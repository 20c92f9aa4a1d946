/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many outcomes of one design share their sides: the posterior of a side
 * depends on its own (n, r) only, so each is tabulated once and a pair costs
 * no more than two quantile searches.
 */
#include "stat/recall/recall_outcomes.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Below this many atoms on both sides together posteriors are exact. */
enum { EXACT_ATOMS = 4000 };

int iv_outcome_work_init(iv_outcome_work *w, iv_err *err)
{
    *w = (iv_outcome_work){ 0 };
    int rc = iv_recall_posterior_new(&w->posterior, err);
    if (rc == IV_OK)
        rc = iv_convolver_new(&w->convolver, err);
    return rc;
}

void iv_outcome_work_free(iv_outcome_work *w)
{
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < w->side[i].capacity; k++)
            iv_yield_free(&w->side[i].at[k]);
        free(w->side[i].at);
        free(w->side[i].n);
        free(w->side[i].r);
        free(w->side[i].of);
    }
    iv_recall_posterior_free(w->posterior);
    iv_convolver_free(w->convolver);
    *w = (iv_outcome_work){ 0 };
}

static int compare(const void *a, const void *b)
{
    const iv_outcome *x = a, *y = b;

    if (x->n1 != y->n1)
        return x->n1 < y->n1 ? -1 : 1;
    if (x->r1 != y->r1)
        return x->r1 < y->r1 ? -1 : 1;
    if (x->n0 != y->n0)
        return x->n0 < y->n0 ? -1 : 1;
    return (x->r0 > y->r0) - (x->r0 < y->r0);
}

size_t iv_outcomes_merge(iv_outcome *outcomes, size_t count)
{
    size_t kept = 0;

    qsort(outcomes, count, sizeof *outcomes, compare);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare(&outcomes[kept - 1], &outcomes[i]) == 0)
            outcomes[kept - 1].times += outcomes[i].times;
        else
            outcomes[kept++] = outcomes[i];
    }
    return kept;
}

static int reserve(iv_side_tables *t, size_t outcomes, iv_err *err)
{
    if (outcomes > t->of_capacity) {
        size_t *of = iv_grow(t->of, &t->of_capacity, outcomes, sizeof *of);
        if (of == NULL)
            return iv_fail(err, IV_ENOMEM, "no memory for %zu outcomes", outcomes);
        t->of = of;
    }
    if (outcomes <= t->capacity)
        return IV_OK;
    /* There may be as many tables as outcomes; each starts empty. */
    iv_yield *at = realloc(t->at, outcomes * sizeof *at);
    if (at != NULL)
        t->at = at;
    int64_t *n = realloc(t->n, outcomes * sizeof *n);
    if (n != NULL)
        t->n = n;
    int64_t *r = realloc(t->r, outcomes * sizeof *r);
    if (r != NULL)
        t->r = r;
    if (at == NULL || n == NULL || r == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu tables", outcomes);
    for (size_t i = t->capacity; i < outcomes; i++)
        t->at[i] = (iv_yield){ 0 };
    t->capacity = outcomes;
    return IV_OK;
}

typedef struct sorted_key {
    int64_t n, r;
    size_t outcome;
} sorted_key;

static int by_key(const void *a, const void *b)
{
    const sorted_key *x = a, *y = b;

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return (x->r > y->r) - (x->r < y->r);
}

/* Finds the different (n, r) of a side and which outcome has which. */
static int list_tables(iv_side_tables *t, const iv_outcome *outcomes, size_t count,
                       bool retrieved, iv_err *err)
{
    int rc = reserve(t, count, err);
    sorted_key *keys = rc < 0 ? NULL : malloc(count * sizeof *keys);

    if (rc < 0)
        return rc;
    if (keys == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu outcomes", count);
    for (size_t i = 0; i < count; i++)
        keys[i] = (sorted_key){ retrieved ? outcomes[i].n1 : outcomes[i].n0,
                                retrieved ? outcomes[i].r1 : outcomes[i].r0, i };
    qsort(keys, count, sizeof *keys, by_key);
    t->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || by_key(&keys[i - 1], &keys[i]) != 0) {
            t->n[t->count] = keys[i].n;
            t->r[t->count++] = keys[i].r;
        }
        t->of[keys[i].outcome] = t->count - 1;
    }
    free(keys);
    return IV_OK;
}

/* The curves of every table, and the largest support among them. */
static int make_curves(iv_side_tables *t, int64_t N, const iv_recall_options *o,
                       double *largest, iv_err *err)
{
    double a = 0.0, b = 0.0;
    int rc = IV_OK;

    *largest = 0.0;
    for (size_t i = 0; i < t->count && rc == IV_OK; i++) {
        const iv_stratum s = { N, t->n[i], t->r[i] };
        /* The conservative prior depends on n alone: n is sorted. */
        if (i == 0 || t->n[i] != t->n[i - 1])
            rc = iv_recall_priors(&a, &b, &s, 1, o, err);
        if (rc == IV_OK)
            rc = iv_yield_curves(&t->at[i], &s, 1, &a, &b, o->method != IV_RECALL_JEFFREYS,
                                 err);
        *largest = fmax(*largest, iv_yield_support(&t->at[i]));
    }
    return rc;
}

static int fill_tables(iv_outcome_work *w, const iv_outcome *outcomes, size_t count, int64_t N1,
                       int64_t N0, const iv_recall_options *o, iv_err *err)
{
    double largest[2] = { 0.0, 0.0 };
    int rc = IV_OK;

    for (int side = 0; side < 2 && rc == IV_OK; side++) {
        rc = list_tables(&w->side[side], outcomes, count, side == 1, err);
        if (rc == IV_OK)
            rc = make_curves(&w->side[side], side == 1 ? N1 : N0, o, &largest[side], err);
    }
    const bool atoms = o->method != IV_RECALL_JEFFREYS
                       && largest[0] + largest[1] < EXACT_ATOMS;
    for (int side = 0; side < 2 && rc == IV_OK; side++) {
        for (size_t i = 0; i < w->side[side].count && rc == IV_OK; i++) {
            iv_yield *y = &w->side[side].at[i];
            rc = atoms ? iv_yield_by_atoms(y, w->convolver, err)
                       : iv_yield_by_cells(y, w->convolver, &iv_coarse, err);
        }
    }
    return rc;
}

static int each_by_itself(iv_recall_interval *out, const iv_outcome *outcomes, size_t count,
                          int64_t N1, int64_t N0, const iv_recall_options *o,
                          iv_outcome_work *w, iv_err *err)
{
    int rc = IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const iv_stratum one = { N1, outcomes[i].n1, outcomes[i].r1 };
        const iv_stratum zero = { N0, outcomes[i].n0, outcomes[i].r0 };
        const iv_segments s = { &one, &zero, 1, 1 };
        rc = iv_recall_interval_of(&out[i], &s, o, w->posterior, err);
    }
    return rc;
}

int iv_outcome_intervals(iv_recall_interval *out, const iv_outcome *outcomes, size_t count,
                         int64_t N1, int64_t N0, iv_recall_method method, double confidence,
                         bool one_sided, iv_outcome_work *w, iv_err *err)
{
    const iv_recall_options o = { .method = method, .confidence = confidence,
                                  .one_sided = one_sided };

    if (!iv_recall_has_posterior(method))
        return each_by_itself(out, outcomes, count, N1, N0, &o, w, err);
    const int rc = fill_tables(w, outcomes, count, N1, N0, &o, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < count; i++) {
        iv_recall_posterior_lend(w->posterior, &w->side[1].at[w->side[1].of[i]],
                                 &w->side[0].at[w->side[0].of[i]], iv_coarse.tolerance);
        out[i] = iv_recall_limits(w->posterior, IV_RECALL_RECALL, confidence, one_sided);
        if (isnan(out[i].lower) || isnan(out[i].upper))
            return iv_fail(err, IV_ENUM, "%s was not reached to its accuracy for %lld,%lld,%lld "
                           "and %lld,%lld,%lld", iv_recall_method_names()[method], (long long)N1,
                           (long long)outcomes[i].n1, (long long)outcomes[i].r1, (long long)N0,
                           (long long)outcomes[i].n0, (long long)outcomes[i].r0);
    }
    return IV_OK;
}
