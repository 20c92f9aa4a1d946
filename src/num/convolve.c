/* SPDX-License-Identifier: Apache-2.0 */
/* Convolution of probability vectors, directly or by FFT. */

#include "num/boost_math.h"
#include "num/linear.h"
#include "num/pmf.h"

#include <math.h>
#include <stdlib.h>

enum { PLANS = 8 };

struct iv_convolver {
    iv_fft *plan[PLANS];
    size_t length[PLANS];
    size_t next; /* the plan to give up */
};

int iv_convolver_new(iv_convolver **out, iv_err *err)
{
    iv_convolver *c = calloc(1, sizeof *c);

    if (c == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for a convolution");
    *out = c;
    return IV_OK;
}

void iv_convolver_free(iv_convolver *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < PLANS; i++)
        iv_fft_free(c->plan[i]);
    free(c);
}

static iv_fft *plan_of(iv_convolver *c, size_t length)
{
    for (size_t i = 0; i < PLANS; i++) {
        if (c->length[i] == length)
            return c->plan[i];
    }
    iv_fft *plan = iv_fft_new(length);
    if (plan == NULL)
        return NULL;
    iv_fft_free(c->plan[c->next]);
    c->plan[c->next] = plan;
    c->length[c->next] = length;
    c->next = (c->next + 1) % PLANS;
    return plan;
}

/*
 * The least 2^i, 3 x 2^i or 5 x 2^i >= n: few lengths, so that plans are found
 * again, and at most a third too long.
 */
static size_t fft_length(size_t n)
{
    size_t best = 16;

    while (best < n)
        best *= 2;
    for (size_t odd = 3; odd <= 5; odd += 2) {
        size_t length = 8 * odd;
        while (length < n)
            length *= 2;
        best = length < best ? length : best;
    }
    return best;
}

/* In ns on one machine; only their ratio matters. */
static bool direct_is_faster(size_t na, size_t nb, size_t length)
{
    const double direct = 0.4 * (double)na * (double)nb;
    const double n = (double)length;

    return direct < n * (20.0 + 2.5 * log2(n));
}

static void convolve_directly(double *out, const iv_pmf *a, const iv_pmf *b)
{
    const iv_pmf *few = a->count < b->count ? a : b;
    const iv_pmf *many = few == a ? b : a;
    const size_t count = a->count + b->count - 1;

    for (size_t i = 0; i < count; i++)
        out[i] = 0.0;
    for (size_t i = 0; i < few->count; i++) {
        const double w = few->p[i];
        for (size_t j = 0; j < many->count; j++)
            out[i + j] += w * many->p[j];
    }
}

int iv_pmf_convolve(iv_pmf *out, const iv_pmf *a, const iv_pmf *b,
                    iv_convolver *c, iv_err *err)
{
    if (a->count == 0 || b->count == 0 || out == a || out == b)
        return iv_fail(err, IV_EARG, "convolution of an empty vector or in place");
    const size_t count = a->count + b->count - 1;
    const size_t length = fft_length(count);
    const bool direct = direct_is_faster(a->count, b->count, length);
    iv_fft *plan = direct ? NULL : plan_of(c, length);

    if (!direct && plan == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for an FFT of %zu", length);
    const int rc = iv_pmf_reserve(out, count, err);
    if (rc < 0)
        return rc;
    if (direct) {
        convolve_directly(out->p, a, b);
    } else {
        iv_fft_convolve(plan, out->p, count, a->p, a->count, b->p, b->count);
        for (size_t i = 0; i < count; i++)
            out->p[i] = out->p[i] > 0.0 ? out->p[i] : 0.0;
    }
    const double wanted = iv_sum(a->p, a->count) * iv_sum(b->p, b->count);
    const double got = iv_sum(out->p, count);
    out->count = 0;
    if (!(fabs(got - wanted) <= 1e-11 * wanted))
        return iv_fail(err, IV_ENUM, "a convolution has mass %.17g, expected %.17g",
                       got, wanted);
    out->offset = a->offset + b->offset;
    out->count = count;
    out->left_out = a->left_out + b->left_out;
    return IV_OK;
}
