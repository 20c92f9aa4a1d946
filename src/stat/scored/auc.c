/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The area under the ROC curve.
 *
 * The placement of a positive item is the share of negatives below it, that of a negative
 * one the share of positives above it, ties half.  Both have the area as their mean, and
 * their variances over the class sizes add up to DeLong's variance.  Near 1 few items are
 * misplaced and that variance means little, or is 0: the interval solves
 *     (theta - area)^2 = t^2 r V(theta),
 * V Hanley and McNeil's variance with the spread parted between the classes as the
 * placements' is (even parts are Newcombe's method 5), r that of DeLong's variance to it, which
 * is taken for what it says where it is larger, and where it is smaller only as far as the
 * effective number of misplaced items (below 1/2: of well placed ones) tells, those that are worse
 * placed than the best of their class: a class whose items all tie tells nothing.  t is Student's,
 * with the degrees of freedom of DeLong's variance.  A theta that no sample could be as far
 * above as the area seen is below has one tail to reject it, not two, where scores are as
 * tame as the formula.  No sample's limit is nearer to 1 than that of one without a misplaced item.
 * The difference of two areas has a score interval, too: its variance is that of both areas moved
 * until they differ by delta, less what the systems' placements have in common.  It is not
 * surer than DeLong's, nor is its p: a system that lost nothing here moves by less than it may lose.
 */
#include <math.h>

#include "base/checking.h"
#include "intervale/num.h"
#include "stat/scored/auc_parts.h"

enum { WEIGHT = 10, /* of Hanley and McNeil's variance where DeLong's is smaller, in items */
       FREEDOM_LEAST = 3 };

static iv_area_form form_of(double m, double n, double share, double k)
{
    const double doubted = (k * share + 1.0) / (k + 2.0);
    /* That the class with fewer items spreads less is to be shown by as many items. */
    const double e = m < n ? fmax(share, doubted) : fmin(share, doubted);

    return (iv_area_form){ 1.0 / (m * n), (e * (n - 1.0) + (1.0 - e) * (m - 1.0)) / (m * n),
                           0.5 * (m + n - 2.0) / (m * n) };
}

int iv_place(iv_placed *out, const iv_score_order *o, const bool *positive, iv_arena *memory,
             iv_err *err)
{
    const double m = (double)o->positives, n = (double)o->negatives;
    double above[2] = { 0.0, 0.0 }, loss[2] = { 0.0, 0.0 }, squares[2] = { 0.0, 0.0 };
    double spread[2] = { 0.0, 0.0 }, *least = out->least, sum = 0.0;

    out->placement = iv_take(memory, o->count, sizeof(double));
    IV_TRY(iv_taken(memory, err));
    for (size_t g = 0, from = 0; g < o->groups; from = o->end[g++]) {
        double here[2] = { 0.0, 0.0 };
        for (size_t i = from; i < o->end[g]; i++)
            here[positive[o->item[i]]] += 1.0;
        for (size_t i = from; i < o->end[g]; i++) {
            const size_t k = o->item[i];
            out->placement[k] = positive[k] ? 1.0 - (above[0] + 0.5 * here[0]) / n
                                            : (above[1] + 0.5 * here[1]) / m;
        }
        sum += here[1] * (n - above[0] - 0.5 * here[0]);
        above[0] += here[0];
        above[1] += here[1];
    }
    out->area = sum / (m * n);
    const double best = out->area < 0.5 ? 0.0 : 1.0;
    least[0] = least[1] = 1.0;
    for (size_t i = 0; i < o->count; i++)
        least[positive[i]] = fmin(least[positive[i]], fabs(best - out->placement[i]));
    for (size_t i = 0; i < o->count; i++) {
        const double x = out->placement[i], l = fabs(best - x) - least[positive[i]];
        loss[positive[i]] += l;
        squares[positive[i]] += l * l;
        spread[positive[i]] += (x - out->area) * (x - out->area);
    }
    const double of[2] = { n > 1.0 ? spread[0] / ((n - 1.0) * n) : NAN,
                           m > 1.0 ? spread[1] / ((m - 1.0) * m) : NAN };
    out->variance = of[1] + of[0];
    const bool told = out->variance > 0.0;
    out->most_freedom = m + n - 2.0;
    out->freedom = told ? out->variance * out->variance
                              / (of[1] * of[1] / (m - 1.0) + of[0] * of[0] / (n - 1.0))
                        : out->most_freedom;
    out->effective = squares[0] > 0.0 && squares[1] > 0.0
                         ? fmin(loss[0] * loss[0] / squares[0], loss[1] * loss[1] / squares[1])
                         : 0.0;
    /* The share of the positives in the placements' variance. */
    out->form = form_of(m, n, told ? of[1] * m / (of[1] * m + of[0] * n) : 0.5,
                        isnan(out->variance) ? 0.0 : out->effective);
    return IV_OK;
}

typedef struct limit {
    double area, tt; /* t^2 r */
    iv_area_form form;
} limit;

static double hanley(const iv_area_form *f, double t)
{
    const double even = (1.0 - t) / (2.0 - t) + t / (1.0 + t);

    return t * (1.0 - t) * (f->pairs + even * f->spread);
}

/* Below 0 inside the interval. */
static double outside(double t, const void *user)
{
    const limit *l = user;

    return (t - l->area) * (t - l->area) - l->tt * hanley(&l->form, t);
}

/* The end of an interval between `in`, which is inside, and `out`, where f is not below 0. */
static double find_end(double (*f)(double, const void *), const void *user, double in, double out)
{
    if (fabs(in - out) < 1e-15)
        return out;
    /* At the middle itself it is 0 where that has no variance: begin beside it. */
    in += (out - in) * 1e-9;
    double middle = 0.5 * (in + out);
    while (middle != in && middle != out && fabs(out - in) > 1e-16) {
        if (f(middle, user) < 0.0)
            in = middle;
        else
            out = middle;
        middle = 0.5 * (in + out);
    }
    return middle;
}

/* What the placements say of the variance beside the formula's. */
typedef struct scaled {
    limit at;     /* without t */
    double wider; /* DeLong's variance in units of the formula's */
    double r, freedom;
} scaled;

static scaled scale(const iv_placed *p)
{
    const double k = isnan(p->variance) ? 0.0 : p->effective;
    scaled s = { { p->area, 0.0, p->form }, 1.0, 1.0, fmax(p->freedom, FREEDOM_LEAST) };
    const double v = hanley(&p->form, p->area);

    if (v > 0.0 && !isnan(p->variance)) {
        s.wider = p->variance / v;
        s.r = fmax(s.wider, (k * s.wider + WEIGHT) / (k + WEIGHT));
    }
    return s;
}

/* Each limit errs with this probability. */
static iv_scored_value with_limits(const iv_placed *p, const scaled *s, double tail)
{
    const double t = iv_t_isf(tail, s->freedom);
    limit l = s->at;

    l.tt = t * t * s->r;
    return (iv_scored_value){ p->area, sqrt(p->variance), find_end(outside, &l, p->area, 0.0),
                              find_end(outside, &l, p->area, 1.0) };
}

static double tails(double confidence)
{
    return 1.0 - (confidence == 0.0 ? 0.95 : confidence);
}

/*
 * Blaker's idea: a theta is rejected by the probability of its tail and of as much of the
 * other tail as is as far from it, which is nothing where that ends at 0 or 1.  Scores that
 * spread more than the formula knows have longer tails, too: there is nothing to be won.
 */
static iv_scored_value with_one_tail(const iv_placed *p, const scaled *s, double confidence)
{
    const double half = 0.5 * tails(confidence);
    const double won = fmin(fmax(5.0 - 4.0 * s->wider, 0.0), 1.0);
    const iv_scored_value one = with_limits(p, s, fmin(half * (1.0 + won), 0.5));
    iv_scored_value v = with_limits(p, s, half);

    v.upper = fmax(one.upper, fmin(v.upper, 0.5 * (1.0 + v.value)));
    v.lower = fmin(one.lower, fmax(v.lower, 0.5 * v.value));
    return v;
}

/* Some misplaced items say that few are, and how they spread; that does not make the area surer
 * than if none were. */
iv_scored_value iv_area_interval(const iv_placed *p, double confidence)
{
    const bool high = p->area >= 0.5;
    const iv_placed best = { .area = high ? 1.0 : 0.0, .freedom = p->most_freedom,
                             .form = { p->form.pairs, p->form.even, p->form.even } };
    const scaled s = scale(p), of_best = scale(&best);
    const iv_scored_value surest = with_one_tail(&best, &of_best, confidence);
    iv_scored_value v = with_one_tail(p, &s, confidence);

    if (high)
        v.lower = fmin(v.lower, surest.lower);
    else
        v.upper = fmax(v.upper, surest.upper);
    return v;
}

int iv_auc(iv_scored_value *out, const iv_scored_items *items, double confidence, iv_err *err)
{
    iv_arena memory = { 0 };
    iv_score_order o;
    iv_placed p;
    int rc = iv_score_order_make(&o, &memory, items, confidence, err);

    if (rc == IV_OK)
        rc = iv_place(&p, &o, items->positive, &memory, err);
    if (rc == IV_OK)
        *out = iv_area_interval(&p, confidence);
    iv_arena_free(&memory);
    return rc;
}

/* Two systems on the same items. */
typedef struct paired {
    const iv_placed *a, *b;
    scaled sa, sb;
    double left; /* of the sum of both variances, in that of the difference */
    double tt;   /* t^2 */
} paired;

/*
 * The variance of the difference if it were delta.  The areas are then moved towards delta in
 * proportion to their variances, which are those at the areas moved: some rounds find both.
 */
static double variance_at(const paired *p, double delta)
{
    const double off = delta - (p->a->area - p->b->area);
    double part = 0.5, sum = 0.0;

    for (int round = 0; round < 12; round++) {
        const double moved = p->a->area + off * part;
        const double of_a = fmin(fmax(moved, fmax(0.0, delta)), fmin(1.0, 1.0 + delta));
        const double va = p->sa.r * hanley(&p->a->form, of_a);
        const double vb = p->sb.r * hanley(&p->b->form, of_a - delta);
        sum = va + vb;
        part = 0.5 * (part + (sum > 0.0 ? va / sum : 0.5));
    }
    return sum * p->left;
}

/* Below 0 inside the interval. */
static double beyond(double delta, const void *user)
{
    const paired *p = user;
    const double off = delta - (p->a->area - p->b->area);

    return off * off - p->tt * variance_at(p, delta);
}

void iv_area_difference(iv_auc_difference *out, const iv_placed *a, const iv_placed *b, double cov,
                        double confidence)
{
    const double d = a->area - b->area;
    const double both = a->variance + b->variance; /* NaN: a class of one item */
    const double se = isnan(both) ? NAN : sqrt(fmax(both - 2.0 * cov, 0.0));
    paired p = { a, b, scale(a), scale(b), 1.0, 0.0 };
    const double freedom = fmin(p.sa.freedom, p.sb.freedom);
    const double t = iv_t_isf(0.5 * tails(confidence), freedom);
    /* That the systems err on the same items is believed as far as the items that err tell. */
    if (both > 0.0)
        p.left = fmax(1.0 - 2.0 * cov / both, 1.0 / (1.0 + fmin(a->effective, b->effective)));
    p.tt = t * t;
    const double none = variance_at(&p, 0.0), off = fabs(d);
    const double wald = se > 0.0 ? iv_norm_isf(0.5 * tails(confidence)) * se : 0.0;
    const double p_delong = se > 0.0 ? 2.0 * iv_norm_sf(off / se) : NAN;
    /* Of both rules the one that is less sure; fmin() and fmax() leave NaN out. */
    *out = (iv_auc_difference){
        .value = d, .se = se,
        .lower = fmin(find_end(beyond, &p, d, -1.0), fmax(d - wald, -1.0)),
        .upper = fmax(find_end(beyond, &p, d, 1.0), fmin(d + wald, 1.0)),
        .p = off == 0.0 ? 1.0 : fmax(2.0 * iv_t_sf(off / sqrt(none), freedom), p_delong),
        .z = se > 0.0 ? d / se : NAN, .p_delong = p_delong };
}

static int compare(iv_auc_difference *out, iv_arena *memory, const double *a, const double *b,
                   const bool *positive, size_t count, double confidence, iv_err *err)
{
    const iv_scored_items x = { a, positive, count }, y = { b, positive, count };
    double shared[2] = { 0.0, 0.0 };
    iv_score_order ox, oy;
    iv_placed px, py;

    IV_TRY(iv_score_order_make(&ox, memory, &x, confidence, err));
    IV_TRY(iv_score_order_make(&oy, memory, &y, confidence, err));
    IV_TRY(iv_place(&px, &ox, positive, memory, err));
    IV_TRY(iv_place(&py, &oy, positive, memory, err));
    for (size_t i = 0; i < count; i++)
        shared[positive[i]] += (px.placement[i] - px.area) * (py.placement[i] - py.area);
    const double m = (double)ox.positives, n = (double)ox.negatives;
    iv_area_difference(out, &px, &py, shared[1] / ((m - 1.0) * m) + shared[0] / ((n - 1.0) * n),
                       confidence);
    return IV_OK;
}

int iv_auc_compare(iv_auc_difference *out, const double *a, const double *b,
                   const bool *positive, size_t count, double confidence, iv_err *err)
{
    IV_TRY(iv_check_list(a, count, "score", err));
    IV_TRY(iv_check_list(b, count, "score", err));
    IV_TRY(iv_check_list(positive, count, "item", err));
    iv_arena memory = { 0 };
    const int rc = compare(out, &memory, a, b, positive, count, confidence, err);

    iv_arena_free(&memory);
    return rc;
}

/* ---------------------------------------------------------- average precision -- */

static int average_precision(iv_scored_value *out, iv_arena *memory,
                             const iv_scored_items *items, double confidence, iv_err *err)
{
    iv_score_order o;

    IV_TRY(iv_score_order_make(&o, memory, items, confidence, err));
    const double P = (double)o.positives;
    double *precision = iv_take(memory, o.groups, sizeof *precision);
    double *hits = iv_take(memory, o.groups, sizeof *hits);
    double found = 0.0, ap = 0.0, below = 0.0, weighted = 0.0, squares = 0.0;
    IV_TRY(iv_taken(memory, err));
    for (size_t g = 0, from = 0; g < o.groups; from = o.end[g++]) {
        for (size_t i = from; i < o.end[g]; i++)
            hits[g] += items->positive[o.item[i]];
        found += hits[g];
        precision[g] = found / (double)o.end[g];
        ap += hits[g] * precision[g] / P;
    }
    ap = fmin(ap, 1.0); /* but for rounding */
    /* What each item moves it, from the lowest score up. */
    for (size_t g = o.groups; g-- > 0;) {
        const double n = (double)o.end[g], here = n - (g > 0 ? (double)o.end[g - 1] : 0.0);
        below += hits[g] / n;
        weighted += hits[g] * precision[g] / n;
        const double hit = (precision[g] - ap + below - weighted) / P, miss = -weighted / P;
        squares += hits[g] * hit * hit + (here - hits[g]) * miss * miss;
    }
    const double few = fmin(P, (double)o.negatives);
    const double t = few > 1.0 ? iv_t_isf(0.5 * (1.0 - (confidence == 0.0 ? 0.95 : confidence)),
                                          few - 1.0) : NAN;
    const double a = fmin(ap, 1.0 - 0.25 / P), l = log(a / (1.0 - a));
    /* All positives on top have no spread: as if one had half a rank to lose. */
    const double se = squares > 1e-30 ? sqrt(squares) : 0.0; /* below it is rounding */
    const double spread = fmax(se, ap > a ? 0.25 / P : 0.0) / (a * (1.0 - a));
    *out = (iv_scored_value){ ap, se, 1.0 / (1.0 + exp(t * spread - l)),
                              ap > a && few > 1.0 ? 1.0 : 1.0 / (1.0 + exp(-t * spread - l)) };
    return IV_OK;
}

int iv_scored_ap(iv_scored_value *out, const iv_scored_items *items, double confidence,
                 iv_err *err)
{
    iv_arena memory = { 0 };
    const int rc = average_precision(out, &memory, items, confidence, err);

    iv_arena_free(&memory);
    return rc;
}
