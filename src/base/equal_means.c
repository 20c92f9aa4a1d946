/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base_private.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

double iv_slack_of(const double *x, size_t count)
{
    double largest = 0.0;

    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[i])); /* passes over NaN */
    return IV_SLACK * largest;
}

int iv_tie_means(double *means, size_t count, double slack, iv_err *err)
{
    double **order = calloc(count + 1, sizeof *order);

    if (order == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for %zu means", count);
    for (size_t i = 0; i < count; i++)
        order[i] = &means[i];
    qsort(order, count, sizeof *order, iv_falling_at);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (*order[i] < *order[first] - slack)
            first = i;
        *order[i] = *order[first];
    }
    free(order);
    return IV_OK;
}
