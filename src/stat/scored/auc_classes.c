/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Areas of several classes, each against the rest, and their averages.
 *
 * What an item moves an average by is the sum of what it moves the areas by, weighted: as a
 * positive item of its own class and as a negative one of every other.  The squares of these
 * sums, class by class, add up to the variance, and with two classes that have one area to
 * DeLong's.  Intervals are those of one area: the formula's variance is the weighted sum of the
 * classes' at one area, times K / (K - 1) of K classes, since an item that is taken for one of
 * another class is a loss of both.  The weighted average also varies as the classes' sizes do.
 */
#include <math.h>

#include "stat/scored/auc_parts.h"

typedef struct average {
    iv_placed is;
    double *moves;  /* what each item moves the average by */
    double *losses; /* by item */
} average;

typedef struct classes {
    const iv_class_items *items;
    size_t *sizes;
    size_t count; /* that have items */
    average of[2]; /* macro and weighted */
} classes;

static int prepare(classes *c, const iv_class_items *items, iv_arena *memory, iv_err *err)
{
    *c = (classes){ .items = items };
    IV_TRY(iv_check_classes(items, err));
    c->sizes = iv_take(memory, items->classes, sizeof *c->sizes);
    for (size_t w = 0; w < 2; w++) {
        c->of[w].moves = iv_take(memory, items->count, sizeof *c->of[w].moves);
        c->of[w].losses = iv_take(memory, items->count, sizeof *c->of[w].losses);
    }
    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < items->count; i++)
        c->count += c->sizes[items->is[i]]++ == 0;
    return c->count > 1 ? IV_OK
        : iv_fail(err, IV_ENODATA, "items of %zu class%s, expected two or more", c->count,
                  c->count == 1 ? "" : "es");
}

static double weight_of(const classes *c, size_t k, size_t which)
{
    return which == 0 ? 1.0 / (double)c->count : (double)c->sizes[k] / (double)c->items->count;
}

/* Adds a class to both averages. */
static int add_class(iv_scored_value *out, classes *c, size_t k, double confidence,
                     iv_arena *memory, iv_err *err)
{
    const size_t n = c->items->count;
    bool *positive = iv_take(memory, n, sizeof *positive);
    const iv_scored_items items = { c->items->scores[k], positive, n };
    iv_score_order o;
    iv_placed p;

    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < n; i++)
        positive[i] = c->items->is[i] == k;
    IV_TRY(iv_score_order_make(&o, memory, &items, confidence, err));
    IV_TRY(iv_place(&p, &o, positive, memory, err));
    const double size[2] = { (double)o.negatives, (double)o.positives }, best = p.area < 0.5 ? 0.0 : 1.0;
    const double K = (double)c->count;
    *out = iv_area_interval(&p, confidence);
    for (size_t w = 0; w < 2; w++) {
        const double weight = weight_of(c, k, w), factor = weight * weight * K / (K - 1.0);
        iv_area_form *form = &c->of[w].is.form;
        c->of[w].is.area += weight * p.area;
        form->pairs += factor * p.form.pairs;
        form->spread += factor * p.form.spread;
        form->even += factor * p.form.even;
        for (size_t i = 0; i < n; i++) {
            const double x = p.placement[i], of = weight / size[positive[i]];
            c->of[w].moves[i] += of * (x - p.area);
            c->of[w].losses[i] += of * (fabs(best - x) - p.least[positive[i]]);
        }
    }
    return IV_OK;
}

static double covariance(const classes *c, const double *a, const double *b, double *by_class)
{
    double sum = 0.0;

    for (size_t k = 0; k < c->items->classes; k++)
        by_class[k] = 0.0;
    for (size_t i = 0; i < c->items->count; i++)
        by_class[c->items->is[i]] += a[i] * b[i];
    for (size_t k = 0; k < c->items->classes; k++) {
        const double m = (double)c->sizes[k];
        by_class[k] *= m == 1.0 ? (double)NAN : m > 1.0 ? m / (m - 1.0) : 0.0;
        sum += by_class[k];
    }
    return sum;
}

/* The average's variance and what it rests on. */
static void finish(average *v, const classes *c, double *by_class)
{
    double loss = 0.0, squares = 0.0, rest = 0.0;

    v->is.variance = covariance(c, v->moves, v->moves, by_class);
    for (size_t k = 0; k < c->items->classes; k++)
        if (c->sizes[k] > 1)
            rest += by_class[k] * by_class[k] / ((double)c->sizes[k] - 1.0);
    for (size_t i = 0; i < c->items->count; i++) {
        loss += v->losses[i];
        squares += v->losses[i] * v->losses[i];
    }
    v->is.area = fmin(v->is.area, 1.0); /* but for rounding */
    v->is.most_freedom = (double)(c->items->count - c->count);
    v->is.freedom = v->is.variance > 0.0 ? v->is.variance * v->is.variance / rest : v->is.most_freedom;
    v->is.effective = squares > 0.0 ? loss * loss / squares : 0.0;
}

/* Areas of all classes, and both averages. */
static int average_areas(classes *c, iv_scored_value *each, const iv_class_items *items,
                         double confidence, iv_arena *memory, iv_err *err)
{
    IV_TRY(prepare(c, items, memory, err));
    double *by_class = iv_take(memory, items->classes, sizeof *by_class);

    IV_TRY(iv_taken(memory, err));
    for (size_t k = 0; k < items->classes; k++) {
        iv_arena own = { 0 };
        int rc = IV_OK;
        each[k] = (iv_scored_value){ NAN, NAN, NAN, NAN };
        if (c->sizes[k] > 0)
            rc = add_class(&each[k], c, k, confidence, &own, err);
        iv_arena_free(&own);
        IV_TRY(rc);
    }
    for (size_t i = 0; i < items->count; i++)
        c->of[1].moves[i] += (each[items->is[i]].value - c->of[1].is.area) / (double)items->count;
    for (size_t w = 0; w < 2; w++)
        finish(&c->of[w], c, by_class);
    return IV_OK;
}

int iv_auc_classes(iv_scored_value *each, iv_scored_value *macro, iv_scored_value *weighted,
                   const iv_class_items *items, double confidence, iv_err *err)
{
    iv_arena memory = { 0 };
    classes c;
    iv_scored_value *found = iv_take(&memory, items->classes, sizeof *found);
    int rc = iv_taken(&memory, err);

    if (rc == IV_OK)
        rc = average_areas(&c, found, items, confidence, &memory, err);
    if (rc == IV_OK) {
        for (size_t k = 0; k < items->classes; k++)
            each[k] = found[k];
        *macro = iv_area_interval(&c.of[0].is, confidence);
        *weighted = iv_area_interval(&c.of[1].is, confidence);
    }
    iv_arena_free(&memory);
    return rc;
}

int iv_auc_classes_compare(iv_auc_difference *out, const iv_class_items *a,
                           const double *const *scores, double confidence, iv_err *err)
{
    const iv_class_items b = { scores, a->is, a->classes, a->count };
    iv_arena memory = { 0 };
    classes x, y;
    iv_scored_value *each = iv_take(&memory, a->classes, sizeof *each);
    double *by_class = iv_take(&memory, a->classes, sizeof *by_class);
    int rc = iv_taken(&memory, err);

    if (rc == IV_OK)
        rc = average_areas(&x, each, a, confidence, &memory, err);
    if (rc == IV_OK)
        rc = average_areas(&y, each, &b, confidence, &memory, err);
    if (rc == IV_OK)
        iv_area_difference(out, &x.of[0].is, &y.of[0].is,
                           covariance(&x, x.of[0].moves, y.of[0].moves, by_class), confidence);
    iv_arena_free(&memory);
    return rc;
}
