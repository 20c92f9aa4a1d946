/* SPDX-License-Identifier: Apache-2.0 */
/* What a label tells of the reference's, and whether it tells the same everywhere. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/num.h"
#include "num/num_parts.h"
#include "stat/machine/agreement_parts.h"
#include "stat/agreement_private.h"

/* ---------------------------------------------------------------- worth -- */

/* The share of the variance of the reference within the other's labels. */
static double unexplained(const double *table, size_t L, const double *value)
{
    double all = 0.0, sum = 0.0, squares = 0.0, within = 0.0;

    for (size_t b = 0; b < L; b++) {
        double w = 0.0, s = 0.0, q = 0.0;
        for (size_t a = 0; a < L; a++) {
            const double n = table[a * L + b], y = value != NULL ? value[a] : (double)a;
            w += n;
            s += n * y;
            q += n * y * y;
        }
        if (w > 0.0)
            within += q - s * s / w;
        all += w;
        sum += s;
        squares += q;
    }
    const double total = squares - sum * sum / all;
    return total > 1e-12 * squares ? fmin(1.0, fmax(0.0, within / total)) : 1.0;
}

int iv_worth_of(iv_worth *out, double *left_out, const iv_label_pairs *pairs,
                const double *value, double confidence, iv_err *err)
{
    iv_label_tables t;
    int rc = iv_label_tables_new(&t, pairs, confidence, err);

    if (rc != IV_OK)
        return rc;
    double *left = left_out != NULL ? left_out : malloc(t.units * sizeof *left);
    if (left == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    else {
        const double open = unexplained(t.all, t.labels, value), nan = (double)NAN;
        bool finite = open > 0.0;
        for (size_t u = 0; u < t.units; u++) {
            left[u] = -log(unexplained(iv_label_table_without(&t, pairs, u), t.labels, value));
            finite = finite && isfinite(left[u]);
        }
        const iv_over_units x = iv_jackknifed(-log(open), left, t.units, confidence);
        *out = (iv_worth){ 1.0 - open, { 1.0 / open, nan, nan, nan } };
        if (finite)
            out->worth = (iv_over_units){ 1.0 / open, x.se / open, fmax(1.0, exp(x.lower)),
                                          exp(x.upper) };
    }
    if (left_out == NULL)
        free(left);
    iv_label_tables_free(&t);
    return rc;
}

/* ---------------------------------------------------------------- drift -- */

/* Positives and all, by weight, of each of the other's labels, then of all. */
typedef struct shares {
    double *positive, *all;
    size_t labels;
} shares;

static void count_unit(shares *s, const iv_label_pairs *pairs, size_t u, uint32_t level,
                       double sign)
{
    for (size_t i = pairs->starts[u]; i < pairs->starts[u + 1]; i++) {
        const iv_label_pair *p = &pairs->at[i];
        const double y = p->a >= level ? sign * p->weight : 0.0;
        s->positive[p->b] += y;
        s->all[p->b] += sign * p->weight;
        s->positive[s->labels] += y;
        s->all[s->labels] += sign * p->weight;
    }
}

static double share_of(const shares *s, uint32_t label)
{
    /* What is left of weights that cancel is dust. */
    const size_t at = s->all[label] > 1e-9 * s->all[s->labels] ? label : s->labels;

    return s->all[at] > 0.0 ? fmin(1.0, fmax(0.0, s->positive[at] / s->all[at])) : 0.0;
}

static void expect(iv_unit_drift *out, double *variance, const shares *s,
                   const iv_label_pairs *pairs, size_t u, uint32_t level)
{
    *out = (iv_unit_drift){ .factor = 1.0 };
    *variance = 0.0;
    for (size_t i = pairs->starts[u]; i < pairs->starts[u + 1]; i++) {
        const double p = share_of(s, pairs->at[i].b);
        out->expected += p;
        out->found += pairs->at[i].a >= level;
        *variance += p * (1.0 - p);
    }
}

static void sum_up(iv_drift *out, iv_unit_drift *each, const double *variance, size_t units)
{
    double expected = 0.0, beyond = 0.0;

    *out = (iv_drift){ .p = (double)NAN };
    for (size_t u = 0; u < units; u++) {
        const double d = each[u].found - each[u].expected;
        expected += each[u].expected * each[u].expected;
        beyond += d * d - variance[u];
        if (variance[u] > 0.0) {
            out->chisq += d * d / variance[u];
            out->units++;
        }
    }
    const double kappa = expected / beyond;
    out->sd = beyond > 0.0 && expected > 0.0 ? sqrt(1.0 / kappa) : 0.0;
    for (size_t u = 0; u < units && out->sd > 0.0; u++)
        each[u].factor = (kappa + each[u].found) / (kappa + each[u].expected);
    if (out->units > 2)
        out->p = 1.0 - iv_gamma_cdf(0.5 * out->chisq, 0.5 * ((double)out->units - 1.0));
}

int iv_drift_of(iv_drift *out, iv_unit_drift *each, const iv_label_pairs *pairs, uint32_t level,
                iv_err *err)
{
    const size_t L = pairs->labels, units = pairs->units;
    iv_label_tables t;
    const int rc = iv_label_tables_new(&t, pairs, 0.0, err);

    if (rc != IV_OK)
        return rc;
    iv_label_tables_free(&t);
    double *room = calloc(2 * (L + 1) + units, sizeof *room);
    iv_unit_drift *is = calloc(units, sizeof *is);
    const bool ok = room != NULL && is != NULL;
    if (ok) {
        shares s = { room, room + L + 1, L };
        double *variance = room + 2 * (L + 1);
        for (size_t u = 0; u < units; u++)
            count_unit(&s, pairs, u, level, 1.0);
        for (size_t u = 0; u < units; u++) {
            count_unit(&s, pairs, u, level, -1.0);
            expect(&is[u], &variance[u], &s, pairs, u, level);
            count_unit(&s, pairs, u, level, 1.0);
        }
        sum_up(out, is, variance, units);
        if (each != NULL)
            memcpy(each, is, units * sizeof *each);
    }
    free(room);
    free(is);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}
