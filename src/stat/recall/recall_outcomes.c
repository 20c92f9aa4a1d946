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
#include "base/parallel.h"

int iv_outcome_work_init(iv_outcome_work *w, iv_err *err)
{
    *w = (iv_outcome_work){ 0 };
    return iv_recall_posterior_new(&w->posterior, err);
}

void iv_outcome_work_free(iv_outcome_work *w)
{
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < w->side[i].capacity; k++)
            iv_yield_free(&w->side[i].at[k]);
        free(w->side[i].at);
        free(w->side[i].of_sample);
        free(w->side[i].of);
    }
    iv_recall_posterior_free(w->posterior);
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
        if (!IV_ROOM(t->of, t->of_capacity, outcomes))
            return iv_fail(err, IV_ENOMEM, "no memory for %zu outcomes", outcomes);
    }
    if (outcomes <= t->capacity)
        return IV_OK;
    /* There may be as many tables as outcomes; each starts empty. */
    iv_yield *at = realloc(t->at, outcomes * sizeof *at);
    if (at != NULL)
        t->at = at;
    iv_stratum *of_sample = realloc(t->of_sample, outcomes * sizeof *of_sample);
    if (of_sample != NULL)
        t->of_sample = of_sample;
    if (at == NULL || of_sample == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu tables", outcomes);
    for (size_t i = t->capacity; i < outcomes; i++)
        t->at[i] = (iv_yield){ 0 };
    t->capacity = outcomes;
    return IV_OK;
}

/* Finds the different (n, r) of a side and which outcome has which: as outcomes of one side. */
static int list_tables(iv_side_tables *t, const iv_outcome *outcomes, size_t count,
                       bool retrieved, iv_err *err)
{
    int rc = reserve(t, count, err);
    iv_outcome *keys = rc < 0 ? NULL : malloc(count * sizeof *keys);

    if (rc < 0)
        return rc;
    if (keys == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu outcomes", count);
    for (size_t i = 0; i < count; i++)
        keys[i] = (iv_outcome){ .n1 = retrieved ? outcomes[i].n1 : outcomes[i].n0,
                                .r1 = retrieved ? outcomes[i].r1 : outcomes[i].r0, .times = i };
    qsort(keys, count, sizeof *keys, compare);
    t->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare(&keys[i - 1], &keys[i]) != 0)
            t->of_sample[t->count++] = (iv_stratum){ 0, keys[i].n1, keys[i].r1 };
        t->of[keys[i].times] = t->count - 1;
    }
    free(keys);
    return IV_OK;
}

/* The curves of every table. */
static int make_curves(iv_side_tables *t, int64_t N, const iv_recall_options *o, iv_err *err)
{
    double a = 0.0, b = 0.0;
    int rc = IV_OK;

    for (size_t i = 0; i < t->count && rc == IV_OK; i++) {
        const iv_stratum s = { N, t->of_sample[i].sampled, t->of_sample[i].relevant };
        /* The conservative prior depends on n alone: n is sorted. */
        if (i == 0 || s.sampled != t->of_sample[i - 1].sampled)
            rc = iv_recall_priors(&a, &b, &s, 1, o, err);
        if (rc == IV_OK)
            rc = iv_yield_curves(&t->at[i], &s, 1, &a, &b, o->method != IV_RECALL_JEFFREYS,
                                 err);
    }
    return rc;
}

/* Outcomes and the tables they need: what the threads share. */
typedef struct tabled {
    iv_outcome_work *w;
    const iv_outcome *outcomes;
    int64_t N1, N0;
    const iv_recall_options *o;
    iv_limits *out;
    double recall; /* that lower limits are to reach */
    bool *reached;
} tabled;

static void posterior_end(void *p) { iv_recall_posterior_free(p); }

void *iv_recall_memory(iv_arena *own, void *user)
{
    iv_recall_posterior *p = NULL;

    (void)user;
    return iv_recall_posterior_new(&p, NULL) == IV_OK ? iv_own(own, p, posterior_end) : NULL;
}

static int fill_table(void *user, void *memory, size_t i, iv_err *err)
{
    const tabled *t = user;
    iv_recall_posterior *p = memory;
    const size_t first = t->w->side[0].count;
    iv_yield *y = i < first ? &t->w->side[0].at[i] : &t->w->side[1].at[i - first];

    return iv_yield_spread(y, p->convolver, &iv_coarse, err);
}

static int pair_tables(void *user, void *memory, size_t i, iv_err *err)
{
    const tabled *t = user;
    const iv_outcome *x = &t->outcomes[i];

    iv_recall_posterior_lend(memory, &t->w->side[1].at[t->w->side[1].of[i]],
                             &t->w->side[0].at[t->w->side[0].of[i]], NULL, iv_coarse.tolerance);
    t->out[i] = iv_recall_limits(memory, IV_RECALL_RECALL, 1.0, t->o->confidence,
                                 t->o->one_sided);
    if (!isnan(t->out[i].lower) && !isnan(t->out[i].upper))
        return IV_OK;
    return iv_fail(err, IV_ENUM, "%s was not reached to its accuracy for %lld,%lld,%lld and "
                   "%lld,%lld,%lld", iv_recall_method_names()[t->o->method], (long long)t->N1,
                   (long long)x->n1, (long long)x->r1, (long long)t->N0, (long long)x->n0,
                   (long long)x->r0);
}

static int by_itself(void *user, void *memory, size_t i, iv_err *err)
{
    const tabled *t = user;
    const iv_stratum one = { t->N1, t->outcomes[i].n1, t->outcomes[i].r1 };
    const iv_stratum zero = { t->N0, t->outcomes[i].n0, t->outcomes[i].r0 };

    return iv_recall_interval_of(&t->out[i], &(iv_segments){ &one, &zero, 1, 1 }, t->o, memory,
                                 err);
}

int iv_outcome_intervals(iv_limits *out, const iv_outcome *outcomes, size_t count,
                         int64_t N1, int64_t N0, const iv_recall_options *o, iv_outcome_work *w,
                         const iv_work *work, iv_err *err)
{
    iv_recall_options all = { 0 };
    tabled t = { w, outcomes, N1, N0, &all, out, NAN, NULL };
    iv_loop loop = { count, by_itself, &t, NULL };
    iv_stage stage;
    int rc = iv_recall_fill(&all, o, err);

    if (rc == IV_OK && !iv_recall_has_posterior(all.method))
        return iv_parallel(&loop, work, err);
    for (int side = 0; side < 2 && rc == IV_OK; side++) {
        rc = list_tables(&w->side[side], outcomes, count, side == 1, err);
        if (rc == IV_OK)
            rc = make_curves(&w->side[side], side == 1 ? N1 : N0, &all, err);
    }
    if (rc == IV_OK) {
        loop = (iv_loop){ w->side[0].count + w->side[1].count, fill_table, &t,
                          iv_recall_memory };
        rc = iv_parallel(&loop, iv_work_part(&stage, work, 0.0, 0.2), err);
    }
    if (rc == IV_OK) {
        loop = (iv_loop){ count, pair_tables, &t, iv_recall_memory };
        rc = iv_parallel(&loop, iv_work_part(&stage, work, 0.2, 1.0), err);
    }
    return rc;
}

static int reach_one(void *user, void *memory, size_t i, iv_err *err)
{
    const tabled *t = user;
    const iv_stratum one = { t->N1, t->outcomes[i].n1, t->outcomes[i].r1 };
    const iv_stratum zero = { t->N0, t->outcomes[i].n0, t->outcomes[i].r0 };

    (void)memory;
    return iv_recall_guarantees(&t->reached[i], &(iv_segments){ &one, &zero, 1, 1 }, t->recall,
                                t->o->confidence, t->o->one_sided, err);
}

int iv_outcomes_reach(bool *out, double recall, const iv_outcome *outcomes, size_t count,
                      int64_t N1, int64_t N0, const iv_recall_options *o, iv_outcome_work *w,
                      const iv_work *work, iv_err *err)
{
    iv_recall_options all = { 0 };
    tabled t = { w, outcomes, N1, N0, &all, NULL, recall, out };

    IV_TRY(iv_recall_fill(&all, o, err));
    if (all.method == IV_RECALL_EXACT)
        return iv_parallel(&(iv_loop){ count, reach_one, &t, NULL }, work, err);
    iv_limits *limits = malloc(count * sizeof *limits);
    if (limits == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu outcomes", count);
    const int rc = iv_outcome_intervals(limits, outcomes, count, N1, N0, &all, w, work, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        out[i] = limits[i].lower >= recall;
    free(limits);
    return rc;
}
