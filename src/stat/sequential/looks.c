/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planned looks: bounds of a normal statistic that is watched at some fractions.
 *
 * S(t) has independent normal increments of variance t.  The density of S at a look, of the
 * paths that were below every bound before, is the last look's density convolved with the
 * increment's (Armitage, McPherson and Rowe 1969); it is kept on a grid of Gauss-Legendre
 * panels no wider than an increment's standard deviation, on which it is smooth.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stat/sequential/sequential_parts.h"
#include "num/num_private.h"

const char *const *iv_look_shape_names(void)
{
    static const char *const names[] = { "obrien-fleming", "pocock", "spend-obrien-fleming",
                                         "spend-pocock", NULL };

    return names;
}

enum { NODES = 8, PANELS_MOST = 1000 };

/* Beyond this many standard deviations below 0 the paths do not matter (1e-15). */
static const double reach = 8.0;

static const double node[NODES / 2] = { 0.1834346424956498, 0.5255324099163290,
                                        0.7966664774136267, 0.9602898564975363 };
static const double weight[NODES / 2] = { 0.3626837833783620, 0.3137066458778873,
                                          0.2223810344533745, 0.1012285362903763 };

/* The paths that go on after a look: points, and density times weight there. */
typedef struct paths {
    double *at, *mass;
    size_t count;
    double t; /* the fraction; 0: all at 0 */
} paths;

static double density(double x)
{
    return exp(-0.5 * x * x) * 0.39894228040143267794;
}

/* The chance to be at or beyond `bound` at fraction t, of those that went on. */
static double beyond(const paths *p, double t, double bound)
{
    const double sd = sqrt(t - p->t);
    double sum = 0.0;

    if (p->t == 0.0)
        return iv_norm_sf(bound / sd);
    for (size_t i = 0; i < p->count; i++)
        sum += p->mass[i] * iv_norm_sf((bound - p->at[i]) / sd);
    return sum;
}

/* next: the paths of p that are below bound at t. */
static void go_on(paths *next, const paths *p, double t, double bound)
{
    const double sd = sqrt(t - p->t), low = fmin(-reach * sqrt(t), bound - reach * sd);
    const size_t panels = (size_t)fmin(ceil((bound - low) / sd), PANELS_MOST);
    const double half = (bound - low) / (2.0 * (double)panels);

    next->count = panels * NODES;
    next->t = t;
    for (size_t i = 0; i < next->count; i++) {
        const size_t k = i % NODES, n = k < NODES / 2 ? k : k - NODES / 2;
        const double x = low + half * ((double)(2 * (i / NODES) + 1)
                                       + (k < NODES / 2 ? node[n] : -node[n]));
        double f = 0.0;
        if (p->t == 0.0)
            f = density(x / sd);
        for (size_t j = 0; p->t > 0.0 && j < p->count; j++) {
            const double z = (x - p->at[j]) / sd;
            if (fabs(z) < reach + 1.0)
                f += p->mass[j] * density(z);
        }
        next->at[i] = x;
        next->mass[i] = half * weight[n] * f / sd;
    }
}

static double spending(iv_look_shape shape, double level, double t)
{
    return shape == IV_LOOKS_SPEND_POCOCK
        ? level * log1p(t * expm1(1.0))
        : 2.0 * iv_norm_sf(iv_norm_isf(0.5 * level) / sqrt(t));
}

typedef struct search {
    const paths *p;
    double t, error; /* to be spent at this look */
    /* of a whole plan: */
    const double *fractions;
    size_t count;
    iv_look_shape shape;
    double level;
    paths *room; /* two, to go on in */
} search;

static double miss(double bound, void *user)
{
    const search *s = user;

    return beyond(s->p, s->t, bound) - s->error;
}

static double fixed_z(iv_look_shape shape, double c, double t)
{
    return shape == IV_LOOKS_POCOCK ? c : c / sqrt(t);
}

/* The error of all looks with the constant c, less the level. */
static double plan_miss(double c, void *user)
{
    const search *s = user;
    paths now = { .t = 0.0 };
    double sum = 0.0;

    for (size_t k = 0; k < s->count; k++) {
        const double t = s->fractions[k], bound = fixed_z(s->shape, c, t) * sqrt(t);
        sum += beyond(&now, t, bound);
        paths *next = &s->room[k % 2];
        if (k + 1 < s->count) {
            go_on(next, &now, t, bound);
            now = *next;
        }
    }
    return sum - s->level;
}

static int set_looks(iv_look *out, search *s, iv_err *err)
{
    const bool fixed = s->shape == IV_LOOKS_OBRIEN_FLEMING || s->shape == IV_LOOKS_POCOCK;
    paths now = { .t = 0.0 };
    double spent = 0.0, c = 0.0;

    if (fixed && s->count == 1)
        c = iv_norm_isf(s->level);
    else if (fixed)
        IV_TRY(iv_find_root(&c, plan_miss, s, iv_norm_isf(s->level),
                            iv_norm_isf(s->level / (double)s->count) + 1e-9, err));
    for (size_t k = 0; k < s->count; k++) {
        const double t = s->fractions[k];
        double bound = fixed_z(s->shape, c, t) * sqrt(t);
        s->p = &now;
        s->t = t;
        s->error = fixed ? beyond(&now, t, bound) : spending(s->shape, s->level, t) - spent;
        /* An error below 1e-12 is none: its bound is beyond what can be reached. */
        if (!fixed && s->error < 1e-12)
            bound = 8.0 * sqrt(t);
        else if (!fixed)
            IV_TRY(iv_find_root(&bound, miss, s, -reach * sqrt(t), 9.0 * sqrt(t), err));
        spent += s->error;
        const double z = bound / sqrt(t);
        out[k] = (iv_look){ t, z, iv_norm_sf(z), spent };
        if (k + 1 < s->count) {
            go_on(&s->room[k % 2], &now, t, bound);
            now = s->room[k % 2];
        }
    }
    return IV_OK;
}

static int check(const double *fractions, size_t count, iv_look_shape shape, double level,
                 iv_err *err)
{
    if (count < 1 || count > IV_LOOKS_MOST)
        return iv_fail(err, IV_EARG, "%zu interim analyses: from 1 to %d", count,
                       (int)IV_LOOKS_MOST);
    if (!(level > 0.0 && level < 0.5))
        return iv_fail(err, IV_EARG, "the level %g is not between 0 and 0.5", level);
    if ((int)shape < 0 || shape > IV_LOOKS_SPEND_POCOCK)
        return iv_fail(err, IV_EARG, "no shape of interim analyses has the number %d", (int)shape);
    for (size_t k = 0; fractions != NULL && k < count; k++) {
        if (!(fractions[k] > (k == 0 ? 0.0 : fractions[k - 1]) && fractions[k] <= 1.0))
            return iv_fail(err, IV_EARG, "fraction %g of analysis %zu: fractions rise from above 0 "
                           "to at most 1", fractions[k], k + 1);
    }
    if (fractions != NULL && shape <= IV_LOOKS_POCOCK && fractions[count - 1] < 1.0)
        return iv_fail(err, IV_EARG, "the last analysis of %s is at fraction 1, not %g",
                       iv_look_shape_names()[shape], fractions[count - 1]);
    return IV_OK;
}

int iv_looks_of(iv_look *out, const double *fractions, size_t count, iv_look_shape shape,
                double level, iv_err *err)
{
    iv_arena a = { 0 };
    paths room[2];
    iv_look found[IV_LOOKS_MOST];

    IV_TRY(check(fractions, count, shape, level, err));
    double *equal = iv_take(&a, count, sizeof *equal);
    for (int i = 0; i < 2; i++)
        room[i] = (paths){ iv_take(&a, NODES * PANELS_MOST, sizeof(double)),
                           iv_take(&a, NODES * PANELS_MOST, sizeof(double)), 0, 0.0 };
    int rc = iv_taken(&a, err);
    for (size_t k = 0; rc == IV_OK && k < count; k++)
        equal[k] = fractions != NULL ? fractions[k] : (double)(k + 1) / (double)count;
    search s = { .fractions = equal, .count = count, .shape = shape, .level = level,
                 .room = room };
    if (rc == IV_OK)
        rc = set_looks(found, &s, err);
    for (size_t k = 0; rc == IV_OK && k < count; k++)
        out[k] = found[k];
    iv_arena_free(&a);
    return rc;
}
