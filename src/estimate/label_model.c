/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/label_model.h"

#include <math.h>
#include <string.h>

#include "base/ids.h"
#include "base/memory.h"

/* Ridge: an intercept that may go anywhere, other coefficients that a handful of
 * judgments cannot drive to infinity. */
static const double loose = 0.001, tight = 0.1;
static const double never = -12.0; /* the logit of a probability nobody sees */
/* A step so short that another would change nothing that is seen: what is left is near its square. */
static const double close_enough = 1e-4;
enum { STEPS = 25 };

static double probability_of(double logit)
{
    return 1.0 / (1.0 + exp(logit < -30.0 ? 30.0 : logit > 30.0 ? -30.0 : -logit));
}

double iv_label_probability(const double *coefficient, const double *traits, size_t width)
{
    double sum = 0.0;

    for (size_t k = 0; k < width; k++)
        sum += coefficient[k] * traits[k];
    return probability_of(sum);
}

/* Solves a x = b for a positive definite a, which is overwritten; x replaces b. */
static bool solve(double *a, double *b, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0.0))
                return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return true;
}

/* How many examples there are, and relevant ones. */
typedef struct tally {
    size_t used, relevant;
} tally;

/*
 * Judged documents with the same traits, as one: ranks and numbers of runs are few, and a fit of all
 * folds looks at each many times.
 */
typedef struct cells {
    const iv_label_example **like; /* one of each */
    double *weight, *relevant;     /* sums of weights: of all, and of the relevant ones */
    double *p;                     /* room: probabilities ... */
    double *rest, *rest_relevant;  /* ... and the sums without a fold */
    uint32_t *of;                  /* of each example, its cell */
    uint32_t *before;              /* ... and 1 + the one before it in its fold, 0: none */
    uint32_t last[IV_LABEL_FOLDS]; /* 1 + the last of each fold */
    size_t count;
    tally all;
} cells;

static bool alike(const iv_label_example *a, const iv_label_example *b)
{
    return a->group == b->group
        && memcmp(a->traits, b->traits, IV_LABEL_NUMBERS * sizeof *a->traits) == 0;
}

/* In the order in which they come first. */
static int gather(cells *c, iv_arena *own, const iv_label_example *x, size_t count, iv_err *err)
{
    size_t size = 16;

    while (size < 2 * count)
        size *= 2;
    uint32_t *table = iv_take(own, size, sizeof *table); /* cells from 1 */
    c->like = iv_take(own, count, sizeof(iv_label_example *));
    c->of = iv_take(own, count, sizeof *c->of);
    c->before = iv_take(own, count, sizeof *c->before);
    c->weight = iv_take(own, 5 * count, sizeof *c->weight);
    IV_TRY(iv_taken(own, err));
    c->relevant = c->weight + count;
    c->p = c->relevant + count;
    c->rest = c->p + count;
    c->rest_relevant = c->rest + count;
    for (size_t i = 0; i < count; i++) {
        const iv_str traits = { (const char *)x[i].traits, IV_LABEL_NUMBERS * sizeof(double) };
        size_t at = (size_t)(iv_hash(traits) + x[i].group) & (size - 1);
        while (table[at] > 0 && !alike(c->like[table[at] - 1], &x[i]))
            at = (at + 1) & (size - 1);
        if (table[at] == 0) {
            c->like[c->count++] = &x[i];
            table[at] = (uint32_t)c->count;
        }
        c->of[i] = table[at] - 1;
        c->weight[c->of[i]] += x[i].weight;
        c->relevant[c->of[i]] += x[i].relevant ? x[i].weight : 0.0;
        c->before[i] = c->last[x[i].fold];
        c->last[x[i].fold] = (uint32_t)i + 1;
        c->all.used++;
        c->all.relevant += x[i].relevant;
    }
    return IV_OK;
}

/* Sums over cells, from which a step of Newton's method follows: of all traits, the lower half of
 * the Hessian by rows. */
typedef struct pass_sums {
    double gradient[IV_LABEL_TRAITS], hessian[IV_LABEL_TRAITS * (IV_LABEL_TRAITS + 1) / 2];
    double weight;
} pass_sums;

static void find_p(cells *x, const double *c)
{
    for (size_t i = 0; i < x->count; i++) {
        const iv_label_example *e = x->like[i];
        double sum = e->group > 0 ? c[e->group] : 0.0;
        for (size_t k = 0; k < IV_LABEL_NUMBERS; k++)
            sum += c[k] * e->traits[k];
        x->p[i] = probability_of(sum);
    }
}

/* With the probabilities p; weights and those of the relevant ones may be those of some folds. */
static void sum_up(pass_sums *out, const cells *x, const double *weight, const double *relevant)
{
    double gradient[IV_LABEL_NUMBERS] = { 0.0 }; /* these stay in registers */
    double hessian[IV_LABEL_NUMBERS * (IV_LABEL_NUMBERS + 1) / 2] = { 0.0 };

    *out = (pass_sums){ .weight = 0.0 };
    for (size_t i = 0; i < x->count; i++) {
        const double *traits = x->like[i]->traits, p = x->p[i];
        const double g = relevant[i] - weight[i] * p, v = weight[i] * p * (1.0 - p);
        const size_t group = x->like[i]->group;
        double part[IV_LABEL_NUMBERS];
        for (size_t k = 0, at = 0; k < IV_LABEL_NUMBERS; k++) {
            gradient[k] += g * traits[k];
            part[k] = v * traits[k];
            for (size_t j = 0; j <= k; j++)
                hessian[at++] += part[k] * traits[j];
        }
        if (group > 0) {
            double *h = out->hessian + group * (group + 1) / 2;
            out->gradient[group] += g;
            for (size_t k = 0; k < IV_LABEL_NUMBERS; k++)
                h[k] += part[k];
            h[group] += v;
        }
        out->weight += weight[i];
    }
    memcpy(out->gradient, gradient, sizeof gradient);
    memcpy(out->hessian, hessian, sizeof hessian);
}

/* One step of Newton's method; returns how far it went. */
static double step(double *c, const pass_sums *s, size_t used, size_t width)
{
    const double scale = (double)used / s->weight;
    double h[IV_LABEL_TRAITS * IV_LABEL_TRAITS], g[IV_LABEL_TRAITS], far = 0.0;

    for (size_t k = 0; k < width; k++) {
        const double ridge = k == 0 ? loose : tight;
        for (size_t j = 0; j <= k; j++)
            h[k * width + j] = scale * s->hessian[k * (k + 1) / 2 + j];
        g[k] = scale * s->gradient[k] - ridge * c[k];
        h[k * width + k] += ridge;
    }
    if (!solve(h, g, width))
        return 0.0;
    for (size_t k = 0; k < width; k++) {
        const double move = fmin(fmax(g[k], -3.0), 3.0);
        c[k] += move;
        far = fmax(far, fabs(move));
    }
    return far;
}

/* From c on, whose probabilities are in x->p. */
static void fit(double *c, cells *x, const double *weight, const double *relevant, tally n,
                size_t width)
{
    pass_sums s;

    if (n.relevant == 0) {
        memset(c, 0, width * sizeof *c);
        c[0] = never;
        return;
    }
    sum_up(&s, x, weight, relevant);
    for (size_t i = 0; i < STEPS && step(c, &s, n.used, width) >= close_enough; i++) {
        find_p(x, c);
        sum_up(&s, x, weight, relevant);
    }
}

/* The sums without a fold, and what is left then. */
static tally leave_out(cells *c, const iv_label_example *x, size_t fold)
{
    tally n = c->all;

    memcpy(c->rest, c->weight, c->count * sizeof *c->rest);
    memcpy(c->rest_relevant, c->relevant, c->count * sizeof *c->rest_relevant);
    for (uint32_t at = c->last[fold]; at > 0; at = c->before[at - 1]) {
        const iv_label_example *e = &x[at - 1];
        c->rest[c->of[at - 1]] -= e->weight;
        c->rest_relevant[c->of[at - 1]] -= e->relevant ? e->weight : 0.0;
        n.used--;
        n.relevant -= e->relevant;
    }
    return n;
}

int iv_label_fit(double *coefficient, const iv_label_example *examples, size_t count,
                 size_t width, size_t folds, iv_err *err)
{
    double start[IV_LABEL_TRAITS] = { 0 };
    iv_arena own = { 0 };
    cells x = { 0 };
    const int rc = gather(&x, &own, examples, count, err);

    if (rc == IV_OK) {
        find_p(&x, start);
        fit(start, &x, x.weight, x.relevant, x.all, width);
    }
    for (size_t f = 0; f < folds && rc == IV_OK; f++) { /* each from where that of all ended */
        double *c = coefficient + f * width;
        memcpy(c, start, width * sizeof *c);
        find_p(&x, c);
        const tally n = leave_out(&x, examples, f);
        fit(c, &x, x.rest, x.rest_relevant, n, width);
    }
    iv_arena_free(&own);
    return rc;
}
