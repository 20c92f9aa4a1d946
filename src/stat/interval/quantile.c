/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sample quantiles without sorting.
 *
 * Ref: Hyndman and Fan (1996), Sample quantiles in statistical packages, The
 * American Statistician 50, 361-365; type 7.
 */
#include "stat/interval/bootstrap.h"
#include "stat/interval_private.h"

#include <math.h>

static void swap(double *a, double *b)
{
    const double held = *a;

    *a = *b;
    *b = held;
}

static double middle_of(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/*
 * Puts the k-th smallest at values[k], nothing larger before it and nothing
 * smaller behind (Hoare).  Equal values stop both scans, so that many of them
 * cost no more than different ones.
 */
static void select_kth(double *values, size_t count, size_t k)
{
    size_t low = 0, high = count - 1;

    while (low < high) {
        const double pivot = middle_of(values[low], values[low + (high - low) / 2],
                                       values[high]);
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            swap(&values[i++], &values[j--]);
        }
        /* values[low..i-1] <= pivot <= values[i..high] */
        if (i == low)
            i++; /* the pivot is the smallest and stands at low */
        if (k < i)
            high = i - 1;
        else
            low = i;
    }
}

/* The smaller of the two order statistics, and the weight of the next. */
static size_t position(double *weight, size_t count, double p)
{
    const double at = (double)(count - 1) * p;
    const double whole = floor(at);

    *weight = at - whole;
    return (size_t)whole;
}

double iv_quantile(double *values, size_t count, double p)
{
    double weight;

    if (count == 0 || !(p >= 0.0 && p <= 1.0))
        return (double)NAN;
    const size_t k = position(&weight, count, p);
    select_kth(values, count, k);
    if (!(weight > 0.0))
        return values[k];
    double next = values[k + 1];
    for (size_t i = k + 2; i < count; i++)
        next = values[i] < next ? values[i] : next;
    return values[k] + weight * (next - values[k]);
}

double iv_quantile_sorted(const double *values, size_t count, double p)
{
    double weight;
    const size_t k = position(&weight, count, p);

    if (!(weight > 0.0))
        return values[k];
    return values[k] + weight * (values[k + 1] - values[k]);
}
