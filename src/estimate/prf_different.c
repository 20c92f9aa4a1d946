/* SPDX-License-Identifier: Apache-2.0 */
/* Systems on different items: exact but for MCC and macro averages. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "estimate/prf_making.h"
#include "stat/prf/prf_state.h"

int iv_prf_add_pair(iv_prf_making *k, size_t a, size_t b, const char *metric, iv_err *err)
{
    const size_t n = k->out.pair_count;
    iv_prf_pair *grown = iv_grow(k->pairs, &k->pair_room, n + 1, sizeof *grown);

    if (grown == NULL)
        return iv_no_memory(err);
    k->out.pairs = k->pairs = grown;
    grown[k->out.pair_count++] = (iv_prf_pair){ .a = k->systems[a].name, .b = k->systems[b].name,
                                                .metric = metric, .a_at = a, .b_at = b };
    return IV_OK;
}

double iv_prf_unsure(double p, size_t draws)
{
    const double least = draws > 0 ? 0.5 / (double)draws : 0.5 * DBL_EPSILON;

    return p <= 0.0 ? least : p >= 1.0 ? 1.0 - least : p;
}

int iv_prf_pair_from_draws(iv_prf_pair *out, const iv_prf_making *k, const double *a,
                           const double *b, iv_err *err)
{
    const size_t n = k->out.draws;
    double *gap = malloc(n * sizeof *gap), more = 0.0;
    iv_drawn_summary s;

    if (gap == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        gap[i] = a[i] - b[i];
        more += gap[i] > 0.0 ? 1.0 : gap[i] == 0.0 ? 0.5 : 0.0;
    }
    const int rc = iv_summarise_gap(&s, gap, n, k->out.confidence, err);
    free(gap);
    if (rc < 0)
        return rc;
    const double p = more / (double)n;
    /* Never 0: n draws on one side leave some 1/n. */
    const double floor_p = fmin(fmax(p, 1.0 / (double)n), 1.0 - 1.0 / (double)n);
    out->drawn = n;
    out->probability = iv_prf_unsure(p, n);
    out->probability_error = sqrt(floor_p * (1.0 - floor_p) / (double)n);
    out->difference = s.mean;
    out->difference_error = s.mean_error;
    out->lower = s.lower;
    out->lower_error = s.lower_error;
    out->upper = s.upper;
    out->upper_error = s.upper_error;
    return IV_OK;
}

void iv_prf_know_mean(iv_prf_pair *p, const iv_prf_estimate *a, const iv_prf_estimate *b)
{
    if (p->drawn == 0 || a == NULL || b == NULL || a->mean_error > 0.0 || b->mean_error > 0.0)
        return;
    p->difference = a->mean - b->mean;
    p->difference_error = 0.0;
}

void iv_prf_best_from_draws(double *out, const double *const *draws, size_t systems,
                            size_t count)
{
    for (size_t s = 0; s < systems; s++)
        out[s] = 0.0;
    for (size_t i = 0; i < count; i++) {
        double most = -INFINITY;
        size_t ties = 0;
        for (size_t s = 0; s < systems; s++) {
            if (draws[s][i] > most) {
                most = draws[s][i];
                ties = 0;
            }
            ties += draws[s][i] == most;
        }
        for (size_t s = 0; s < systems; s++)
            out[s] += draws[s][i] == most ? 1.0 / (double)ties : 0.0;
    }
    for (size_t s = 0; s < systems; s++)
        out[s] /= (double)count;
}

int iv_prf_add_best(iv_prf_making *k, const char *metric, const double *probability, bool drawn,
                    iv_err *err)
{
    const size_t systems = k->out.system_count;
    iv_prf_best *grown = iv_grow(k->best, &k->best_room, k->out.best_count + systems,
                                 sizeof *grown);

    if (grown == NULL)
        return iv_no_memory(err);
    k->out.best = k->best = grown;
    for (size_t s = 0; s < systems; s++) {
        const double p = probability[s];
        grown[k->out.best_count++] = (iv_prf_best){
            metric, k->systems[s].name, p,
            drawn ? sqrt(p * (1.0 - p) / (double)k->out.draws) : NAN };
    }
    return IV_OK;
}

/* ----------------------------------------------------------------- pairs -- */

/* The estimates of one metric that a pair compares. */
typedef struct sides {
    const iv_prf_estimate *a, *b;
} sides;

typedef struct work_list {
    iv_prf_making *k;
    sides *pair;
    size_t room;
    const iv_prf_estimate **all; /* metrics x systems, for P(best) */
    size_t metrics;
    double *probability;         /* of each of them */
} work_list;

static int fill_pair(void *user, void *memory, size_t i, iv_err *err)
{
    const work_list *w = user;
    iv_prf_pair *p = &w->k->pairs[i];
    const iv_prf_estimate *a = w->pair[i].a, *b = w->pair[i].b;
    iv_posterior_gap gap;
    int rc;

    (void)memory;
    if (a->draws != NULL) {
        rc = iv_prf_pair_from_draws(p, w->k, a->draws, b->draws, err);
        iv_prf_know_mean(p, a, b);
        return rc;
    }
    IV_TRY(iv_posterior_compare(&gap, a->posterior, b->posterior, w->k->out.confidence, err));
    p->probability = iv_prf_unsure(gap.greater, 0);
    p->difference = gap.mean;
    p->lower = gap.lower;
    p->upper = gap.upper;
    return IV_OK;
}

/* Every metric of a that b has too. */
static int list_pairs(work_list *w, size_t a, size_t b, iv_err *err)
{
    iv_prf_making *k = w->k;

    for (size_t i = 0; i < k->out.estimate_count; i++) {
        const iv_prf_estimate *x = &k->estimates[i];
        const iv_prf_estimate *y = x->system_at == a ? iv_prf_find(&k->out, b, x->metric) : NULL;
        if (y == NULL)
            continue;
        sides *grown = iv_grow(w->pair, &w->room, k->out.pair_count + 1, sizeof *grown);
        if (grown == NULL)
            return iv_no_memory(err);
        w->pair = grown;
        grown[k->out.pair_count] = (sides){ x, y };
        IV_TRY(iv_prf_add_pair(k, a, b, x->metric, err));
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- P(best) -- */

static int fill_best(void *user, void *memory, size_t m, iv_err *err)
{
    const work_list *w = user;
    const size_t systems = w->k->out.system_count;
    const iv_prf_estimate **all = w->all + m * systems;
    const iv_posterior **p = calloc(systems, sizeof(iv_posterior *));
    const double **draws = calloc(systems, sizeof(double *));
    int rc = p != NULL && draws != NULL ? IV_OK : iv_no_memory(err);

    (void)memory;
    for (size_t s = 0; s < systems && rc == IV_OK; s++) {
        p[s] = all[s]->posterior;
        draws[s] = all[s]->draws;
    }
    if (rc == IV_OK && draws[0] != NULL)
        iv_prf_best_from_draws(w->probability + m * systems, draws, systems, w->k->out.draws);
    else if (rc == IV_OK)
        rc = iv_posterior_best(w->probability + m * systems, p, systems, err);
    free(p);
    free(draws);
    return rc;
}

/* The metrics that every system has: nobody is best of all in others. */
static void list_best(work_list *w)
{
    const iv_prf_evaluation *e = &w->k->out;

    for (size_t i = 0; i < e->estimate_count && e->estimates[i].system_at == 0; i++) {
        const iv_prf_estimate **all = w->all + w->metrics * e->system_count;
        bool have = true;
        for (size_t s = 0; s < e->system_count && have; s++) {
            all[s] = iv_prf_find(e, s, e->estimates[i].metric);
            have = all[s] != NULL;
        }
        w->metrics += have;
    }
}

static int make_best(work_list *w, const iv_work *work, iv_err *err)
{
    iv_prf_making *k = w->k;
    const size_t systems = k->out.system_count;

    w->all = calloc(k->out.estimate_count * systems, sizeof *w->all);
    w->probability = calloc(k->out.estimate_count * systems, sizeof *w->probability);
    if (w->all == NULL || w->probability == NULL)
        return iv_no_memory(err);
    list_best(w);
    int rc = iv_parallel(&(iv_loop){ w->metrics, fill_best, w, NULL }, work, err);
    for (size_t m = 0; m < w->metrics && rc == IV_OK; m++) {
        const iv_prf_estimate *first = w->all[m * systems];
        rc = iv_prf_add_best(k, first->metric, w->probability + m * systems,
                             first->draws != NULL, err);
    }
    return rc;
}

int iv_prf_make_different(iv_prf_making *k, const iv_work *work, iv_err *err)
{
    const double to = k->out.system_count > 2 ? 0.8 : 1.0; /* the rest is P(best) */
    work_list w = { .k = k };
    iv_stage stage;
    int rc = IV_OK;

    for (size_t a = 0; a < k->out.system_count && rc == IV_OK; a++) {
        for (size_t b = a + 1; b < k->out.system_count && rc == IV_OK; b++)
            rc = list_pairs(&w, a, b, err);
    }
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ k->out.pair_count, fill_pair, &w, NULL },
                         iv_work_part(&stage, work, 0.0, to), err);
    if (rc == IV_OK && k->out.system_count > 2)
        rc = make_best(&w, iv_work_part(&stage, work, to, 1.0), err);
    free(w.pair);
    free(w.all);
    free(w.probability);
    return rc;
}
