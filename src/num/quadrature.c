/* SPDX-License-Identifier: Apache-2.0 */
/* Integrals, roots and minima of a caller's function. */

#include <math.h>

#include "base/memory.h"
#include "num/boost_math.h"
#include "num/num_private.h"

enum { PANELS = 400 };

/* The caller's function over (-1, 1) when an end of its interval is infinite:
 * x = origin + sign t/(1-t), or t/(1-t^2) when both are. */
typedef struct mapped {
    iv_function f;
    void *user;
    double origin, sign;
    bool both;
} mapped;

static double call_mapped(double t, void *user)
{
    const mapped *m = user;

    if (m->both) {
        const double r = 1.0 / ((1.0 - t) * (1.0 + t));
        return m->f(t * r, m->user) * (1.0 + t * t) * r * r;
    }
    const double r = 1.0 / (1.0 - t);
    return m->f(m->origin + m->sign * t * r, m->user) * r * r;
}

static int check(double from, double to, double tolerance, iv_err *err)
{
    if (!(from <= to))
        return iv_fail(err, IV_EARG, "integral from %g to %g", from, to);
    if (!(tolerance >= 1e-14 && tolerance < 1.0))
        return iv_fail(err, IV_EARG, "tolerance %g, expected 1e-14 to 1", tolerance);
    return IV_OK;
}

typedef struct piece {
    double from, to;
    iv_panel panel;
} piece;

/* Sums of value, error and size over the pieces, and the worst of them. */
static iv_panel add_up(const piece *pieces, size_t count, size_t *worst)
{
    iv_panel sum = { 0.0, 0.0, 0.0 };

    *worst = 0;
    for (size_t i = 0; i < count; i++) {
        sum.value += pieces[i].panel.value;
        sum.error += pieces[i].panel.error;
        sum.size += pieces[i].panel.size;
        if (pieces[i].panel.error > pieces[*worst].panel.error)
            *worst = i;
    }
    return sum;
}

static int integrate_finite(iv_integral *out, iv_function f, void *user,
                            double from, double to, double tolerance,
                            iv_err *err)
{
    piece pieces[PANELS];
    size_t count = 1, worst = 0, calls = IV_KRONROD_CALLS;

    pieces[0] = (piece){ from, to, iv_boost_kronrod(f, user, from, to) };
    for (;;) {
        const iv_panel sum = add_up(pieces, count, &worst);
        if (!isfinite(sum.value))
            return iv_fail(err, IV_ENUM, "the integrand is not finite");
        if (sum.error <= tolerance * sum.size) {
            *out = (iv_integral){ sum.value, sum.error, calls };
            return IV_OK;
        }
        const piece p = pieces[worst];
        const double middle = 0.5 * (p.from + p.to);
        if (count == PANELS || !(middle > p.from && middle < p.to))
            return iv_fail(err, IV_ENUM,
                           "an integral reached %.3g of its size, not %.3g",
                           sum.error / sum.size, tolerance);
        pieces[worst] = (piece){ p.from, middle,
                                 iv_boost_kronrod(f, user, p.from, middle) };
        pieces[count++] = (piece){ middle, p.to,
                                   iv_boost_kronrod(f, user, middle, p.to) };
        calls += 2 * IV_KRONROD_CALLS;
    }
}

int iv_integrate(iv_integral *out, iv_function f, void *user, double from,
                 double to, double tolerance, iv_err *err)
{
    IV_TRY(check(from, to, tolerance, err));
    if (from == to) {
        *out = (iv_integral){ 0.0, 0.0, 0 };
        return IV_OK;
    }
    if (!isinf(from) && !isinf(to))
        return integrate_finite(out, f, user, from, to, tolerance, err);
    mapped m = { .f = f, .user = user, .both = isinf(from) && isinf(to),
                 .origin = isinf(from) ? to : from,
                 .sign = isinf(from) ? -1.0 : 1.0 };
    return integrate_finite(out, call_mapped, &m, m.both ? -1.0 : 0.0, 1.0,
                            tolerance, err);
}

int iv_find_root(double *root, iv_function f, void *user, double from, double to,
                 iv_err *err)
{
    if (!(from < to) || isinf(from) || isinf(to))
        return iv_fail(err, IV_EARG, "root between %g and %g", from, to);
    const double f_from = f(from, user), f_to = f(to, user);
    if (isnan(f_from) || isnan(f_to))
        return iv_fail(err, IV_ENUM, "not a number at an end of the bracket");
    if (f_from == 0.0 || f_to == 0.0) {
        *root = f_from == 0.0 ? from : to;
        return IV_OK;
    }
    if ((f_from < 0.0) == (f_to < 0.0))
        return iv_fail(err, IV_EARG, "no change of sign between %g and %g", from,
                       to);
    double found;
    if (!iv_boost_root(&found, f, user, from, to, f_from, f_to))
        return iv_fail(err, IV_ENUM, "no root found between %g and %g", from, to);
    *root = found;
    return IV_OK;
}

/* The caller's function with its interval mapped to [0, 1], since Brent's
 * absolute tolerance knows no other scale. */
typedef struct scaled {
    iv_function f;
    void *user;
    double from, to;
    bool finite;
} scaled;

static double call_scaled(double t, void *user)
{
    scaled *s = user;
    const double y = s->f(s->from + t * (s->to - s->from), s->user);

    s->finite = s->finite && !isnan(y);
    return y;
}

int iv_find_minimum(double *at, double *value, iv_function f, void *user,
                    double from, double to, iv_err *err)
{
    scaled s = { f, user, from, to, true };
    double t = 0.0, y = 0.0;

    if (!(from <= to) || isinf(from) || isinf(to))
        return iv_fail(err, IV_EARG, "minimum between %g and %g", from, to);
    if (!iv_boost_minimum(&t, &y, call_scaled, &s) || !s.finite)
        return iv_fail(err, IV_ENUM, "not a number between %g and %g", from, to);
    if (at != NULL)
        *at = from + t * (to - from);
    if (value != NULL)
        *value = y;
    return IV_OK;
}
