/* SPDX-License-Identifier: Apache-2.0 */
/* Independent systems: exact but for MCC and macro averages. */
#include "command/prf_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void prf_comparison_free(prf_comparison *c)
{
    for (size_t i = 0; i < c->best_count; i++)
        free(c->best[i].probability);
    free(c->best);
    free(c->pairs.at);
    *c = (prf_comparison){ { 0 }, NULL, 0 };
}

int prf_add_pair(prf_comparison *c, const prf_pair *pair, iv_err *err)
{
    prf_pairs *p = &c->pairs;

    if (p->count == p->capacity) {
        const size_t capacity = 2 * p->capacity + 64;
        prf_pair *grown = realloc(p->at, capacity * sizeof *grown);
        if (grown == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        p->at = grown;
        p->capacity = capacity;
    }
    p->at[p->count++] = *pair;
    return IV_OK;
}

double *prf_add_best(prf_comparison *c, const char *metric, size_t systems, bool drawn)
{
    prf_best *grown = realloc(c->best, (c->best_count + 1) * sizeof *grown);

    if (grown == NULL)
        return NULL;
    c->best = grown;
    double *p = calloc(systems, sizeof *p);
    if (p != NULL)
        c->best[c->best_count++] = (prf_best){ metric, p, drawn };
    return p;
}

int prf_pair_from_draws(prf_pair *out, const double *a, const double *b,
                        const prf_wish *wish, iv_err *err)
{
    const size_t n = wish->draws;
    double *gap = malloc(n * sizeof *gap), more = 0.0;
    iv_drawn_summary s;

    if (gap == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++) {
        gap[i] = a[i] - b[i];
        more += gap[i] > 0.0 ? 1.0 : gap[i] == 0.0 ? 0.5 : 0.0;
    }
    const int rc = iv_summarise_draws(&s, gap, n, wish->confidence, IV_INTERVAL_EQUAL, err);
    free(gap);
    if (rc < 0)
        return rc;
    const double p = more / (double)n;
    /* Never 0: n draws on one side leave some 1/n. */
    const double floor_p = fmin(fmax(p, 1.0 / (double)n), 1.0 - 1.0 / (double)n);
    out->drawn = true;
    out->probability = p;
    out->probability_error = sqrt(floor_p * (1.0 - floor_p) / (double)n);
    out->difference = s.mean;
    out->difference_error = s.mean_error;
    out->lower = s.lower;
    out->lower_error = s.lower_error;
    out->upper = s.upper;
    out->upper_error = s.upper_error;
    return IV_OK;
}

void prf_best_from_draws(double *out, const double *const *draws, size_t systems,
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

/* Exact pairs wait until they can be done together. */
typedef struct waiting {
    const iv_posterior **a, **b;
    size_t *at; /* of the pair */
    iv_posterior_gap *gap;
    size_t count;
} waiting;

static int waiting_new(waiting *w, size_t most, iv_err *err)
{
    *w = (waiting){ calloc(most, sizeof(iv_posterior *)), calloc(most, sizeof(iv_posterior *)),
                    calloc(most, sizeof *w->at), calloc(most, sizeof *w->gap), 0 };
    if (w->a == NULL || w->b == NULL || w->at == NULL || w->gap == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return IV_OK;
}

static void waiting_free(waiting *w)
{
    free(w->a);
    free(w->b);
    free(w->at);
    free(w->gap);
}

/* Every metric of a that b has too. */
static int add_pairs(prf_comparison *out, waiting *w, const prf_rows *rows, size_t a, size_t b,
                     const prf_wish *wish, iv_err *err)
{
    int rc = IV_OK;

    for (size_t i = 0; i < rows->count && rc == IV_OK; i++) {
        const prf_row *x = &rows->at[i];
        const prf_row *y = x->system == a ? prf_rows_find(rows, b, x->name) : NULL;
        if (y == NULL)
            continue;
        prf_pair pair = { .a = a, .b = b, .metric = x->name };
        if (x->draws != NULL) {
            rc = prf_pair_from_draws(&pair, x->draws, y->draws, wish, err);
            /* The mean of a difference is known where both means are. */
            if (rc == IV_OK && !isnan(x->mean - y->mean)) {
                pair.difference = x->mean - y->mean;
                pair.difference_error = 0.0;
            }
        } else {
            w->a[w->count] = x->posterior;
            w->b[w->count] = y->posterior;
            w->at[w->count++] = out->pairs.count;
        }
        if (rc == IV_OK)
            rc = prf_add_pair(out, &pair, err);
    }
    return rc;
}

static int finish_pairs(prf_comparison *out, waiting *w, const prf_wish *wish, iv_err *err)
{
    const int rc = iv_posterior_compare_all(w->gap, w->a, w->b, w->count, wish->confidence,
                                            wish->threads, err);

    for (size_t i = 0; i < w->count && rc == IV_OK; i++) {
        prf_pair *p = &out->pairs.at[w->at[i]];
        p->probability = w->gap[i].greater;
        p->difference = w->gap[i].mean;
        p->lower = w->gap[i].lower;
        p->upper = w->gap[i].upper;
    }
    return rc;
}

/* P(best) by the metric of row i, which the first system has. */
static int add_best(prf_comparison *out, const prf_rows *rows, const prf_row *first,
                    size_t systems, const prf_wish *wish, iv_err *err)
{
    const iv_posterior **p = calloc(systems, sizeof(iv_posterior *));
    const double **draws = calloc(systems, sizeof(double *));
    size_t have = 0;
    int rc = IV_OK;

    if (p == NULL || draws == NULL) {
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
        goto done;
    }
    for (size_t s = 0; s < systems; s++) {
        const prf_row *r = prf_rows_find(rows, s, first->name);
        if (r == NULL)
            continue;
        p[s] = r->posterior;
        draws[s] = r->draws;
        have++;
    }
    if (have < systems)
        goto done; /* somebody lacks the category: nobody is best of all */
    double *to = prf_add_best(out, first->name, systems, first->draws != NULL);
    if (to == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    else if (first->draws != NULL)
        prf_best_from_draws(to, draws, systems, wish->draws);
    else
        rc = iv_posterior_best(to, p, systems, err);
done:
    free(p);
    free(draws);
    return rc;
}

int prf_compare(prf_comparison *out, const prf_rows *rows, const prf_input *in,
                const prf_wish *wish, iv_err *err)
{
    waiting w;
    int rc = waiting_new(&w, rows->count * in->count + 1, err);

    for (size_t a = 0; a < in->count && rc == IV_OK; a++) {
        for (size_t b = a + 1; b < in->count && rc == IV_OK; b++)
            rc = add_pairs(out, &w, rows, a, b, wish, err);
    }
    if (rc == IV_OK)
        rc = finish_pairs(out, &w, wish, err);
    for (size_t i = 0; i < rows->count && in->count > 2 && rc == IV_OK; i++) {
        if (rows->at[i].system == 0)
            rc = add_best(out, rows, &rows->at[i], in->count, wish, err);
    }
    waiting_free(&w);
    return rc;
}
