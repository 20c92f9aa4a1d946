/* SPDX-License-Identifier: Apache-2.0 */
/* assert_near -- doubles equal to a relative tolerance (absolute below 1). */
#ifndef NEAR_H
#define NEAR_H

#include <math.h>

#define assert_near(got, want, tol) \
    assert_near_((got), (want), (tol), #got, __FILE__, __LINE__)

static inline void assert_near_(double got, double want, double tol,
                                const char *what, const char *file, int line)
{
    if (fabs(got - want) <= tol * fmax(1.0, fabs(want)))
        return;
    print_error("%s is %.17g, expected %.17g within %g\n", what, got, want, tol);
    _fail(file, line);
}

/* assert_close -- doubles equal to a relative tolerance, however small. */
#define assert_close(got, want, tol) \
    assert_close_((got), (want), (tol), #got, __FILE__, __LINE__)

static inline void assert_close_(double got, double want, double tol,
                                 const char *what, const char *file, int line)
{
    if (fabs(got - want) <= tol * fabs(want))
        return;
    print_error("%s is %.17g, expected %.17g, relative error %g > %g\n", what,
                got, want, fabs(got / want - 1.0), tol);
    _fail(file, line);
}

#endif /* NEAR_H */
