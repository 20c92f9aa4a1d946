/* SPDX-License-Identifier: Apache-2.0 */
/* Roots and minima of a caller's function. */

#include <math.h>

#include "base/memory.h"
#include "num/boost_math.h"
#include "num/num_private.h"

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
