/* SPDX-License-Identifier: Apache-2.0 */
/* Integrals, roots and minima of a caller's function. */

#include <math.h>

#include "base/memory.h"
#include "num/boost_math.h"
#include "num/num_private.h"

enum { PANELS = 400 };

static int check(double from, double to, double tolerance, iv_err *err)
{
    if (!(from <= to) || isinf(from) || isinf(to))
        return iv_fail(err, IV_EARG, "integral from %g to %g", from, to);
    if (!(tolerance >= 1e-14 && tolerance < 1.0))
        return iv_fail(err, IV_EARG, "tolerance %g, expected 1e-14 to 1", tolerance);
    return IV_OK;
}

/* Sums of value, error and size over the pieces, and the worst of them. */
static iv_panel add_up(const iv_panel *pieces, size_t count, size_t *worst)
{
    iv_panel sum = { 0 };

    *worst = 0;
    for (size_t i = 0; i < count; i++) {
        sum.value += pieces[i].value;
        sum.error += pieces[i].error;
        sum.size += pieces[i].size;
        if (pieces[i].error > pieces[*worst].error)
            *worst = i;
    }
    return sum;
}

int iv_integrate(iv_integral *out, iv_function f, void *user, double from,
                 double to, double tolerance, iv_err *err)
{
    iv_panel pieces[PANELS];
    size_t count = 1, worst = 0, calls = IV_KRONROD_CALLS;

    IV_TRY(check(from, to, tolerance, err));
    if (from == to) {
        *out = (iv_integral){ 0.0, 0.0, 0 };
        return IV_OK;
    }
    pieces[0] = iv_boost_kronrod(f, user, from, to);
    for (;;) {
        const iv_panel sum = add_up(pieces, count, &worst);
        if (!isfinite(sum.value))
            return iv_fail(err, IV_ENUM, "the integrand is not finite");
        if (sum.error <= tolerance * sum.size) {
            *out = (iv_integral){ sum.value, sum.error, calls };
            return IV_OK;
        }
        const iv_panel p = pieces[worst];
        const double middle = 0.5 * (p.from + p.to);
        if (count == PANELS || !(middle > p.from && middle < p.to))
            return iv_fail(err, IV_ENUM,
                           "an integral reached %.3g of its size, not %.3g",
                           sum.error / sum.size, tolerance);
        pieces[worst] = iv_boost_kronrod(f, user, p.from, middle);
        pieces[count++] = iv_boost_kronrod(f, user, middle, p.to);
        calls += 2 * IV_KRONROD_CALLS;
    }
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

int iv_find_minimum(double *at, double *value, iv_function f, void *user,
                    double from, double to, iv_err *err)
{
    double x = 0.0, y = 0.0;

    if (!(from <= to) || isinf(from) || isinf(to))
        return iv_fail(err, IV_EARG, "minimum between %g and %g", from, to);
    if (!iv_boost_minimum(&x, &y, f, user, from, to))
        return iv_fail(err, IV_ENUM, "not a number between %g and %g", from, to);
    if (at != NULL)
        *at = x;
    if (value != NULL)
        *value = y;
    return IV_OK;
}
