/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, point values, and the update of the prior. */
#include <math.h>

#include "base/checking.h"
#include "stat/prf/prf_state.h"

static int check_counts(const iv_prf_counts *c, iv_err *err)
{
    const int64_t all[] = { c->tp, c->fp, c->fn, c->tn };
    static const char *const name[] = { "TP", "FP", "FN", "TN" };

    for (int i = 0; i < 4; i++) {
        if (all[i] > IV_PRF_COUNT_MAX || (all[i] < 0 && i < 3))
            return iv_fail(err, IV_EARG, "%s is %lld, expected 0 to %lld", name[i],
                           (long long)all[i], (long long)IV_PRF_COUNT_MAX);
    }
    return IV_OK;
}

int iv_prf_check_confidence(double *confidence, iv_err *err)
{
    *confidence = *confidence == 0.0 ? 0.95 : *confidence;
    if (*confidence > 0.0 && *confidence < 1.0)
        return IV_OK;
    return iv_fail(err, IV_EARG, "confidence %g, expected above 0 and below 1", *confidence);
}

int iv_prf_check_prior(iv_prf_prior *prior, iv_err *err)
{
    prior->right = prior->right == 0.0 ? 0.5 : prior->right;
    prior->wrong = prior->wrong == 0.0 ? prior->right : prior->wrong;
    if (prior->right > 0.0 && prior->right <= 1e6 && prior->wrong > 0.0 && prior->wrong <= 1e6)
        return IV_OK;
    return iv_fail(err, IV_EARG, "prior %g, %g, expected above 0 to 1e6", prior->right,
                   prior->wrong);
}

int iv_prf_check_kind(iv_prf_kind kind, iv_err *err)
{
    static const char *const kinds[] = { "precision", "recall", "f", "specificity", "accuracy",
                                         "balanced accuracy", "mcc", NULL };

    return iv_check_choice(kind, kinds, "the metric", err);
}

int iv_prf_check_draws(size_t *draws, iv_err *err)
{
    *draws = *draws == 0 ? IV_PRF_DRAWS : *draws;
    if (*draws >= IV_PRF_DRAWS_MIN && *draws <= IV_PRF_DRAWS_MAX)
        return IV_OK;
    return iv_fail(err, IV_EARG, "%zu draws, expected %d to %d", *draws, (int)IV_PRF_DRAWS_MIN,
                   (int)IV_PRF_DRAWS_MAX);
}

int iv_prf_update(iv_prf_cells *out, iv_prf_prior prior, const iv_prf_counts *counts,
                  const iv_prf_counts *earlier, iv_err *err)
{
    IV_TRY(iv_check_given(counts, "counts", err));
    const iv_prf_counts none = { 0, 0, 0, 0 };
    int rc = check_counts(counts, err);

    if (rc == IV_OK)
        rc = iv_prf_check_prior(&prior, err);
    if (rc == IV_OK && earlier != NULL)
        rc = check_counts(earlier, err);
    if (rc < 0)
        return rc;
    if (earlier == NULL)
        earlier = &none;
    *out = (iv_prf_cells){ .tp = (double)(counts->tp + earlier->tp) + prior.right,
                           .fp = (double)(counts->fp + earlier->fp) + prior.wrong,
                           .fn = (double)(counts->fn + earlier->fn) + prior.wrong };
    if (counts->tn >= 0 && earlier->tn >= 0)
        out->tn = (double)(counts->tn + earlier->tn) + prior.right;
    return IV_OK;
}

const char *iv_prf_name(char out[IV_PRF_NAME_SIZE], iv_prf_metric m)
{
    static const char *const names[] = { "precision", "recall", "f", "specificity",
                                         "accuracy", "balanced_accuracy", "mcc" };
    char beta[IV_REAL_SIZE] = "";

    if (m.kind == IV_PRF_F)
        (void)iv_format_real(beta, m.beta);
    (void)snprintf(out, IV_PRF_NAME_SIZE, "%s%s", names[m.kind], beta);
    return out;
}

static double ratio(double part, double rest)
{
    return part + rest > 0.0 ? part / (part + rest) : NAN;
}

static double correlation(double tp, double fp, double fn, double tn)
{
    const double product = sqrt(tp + fp) * sqrt(tp + fn) * sqrt(tn + fp) * sqrt(tn + fn);

    if (!(product > 0.0))
        return NAN;
    return fmax(-1.0, fmin(1.0, (tp * tn - fp * fn) / product));
}

double iv_prf_of_cells(iv_prf_metric m, double tp, double fp, double fn, double tn)
{
    const double b2 = m.beta * m.beta;

    switch (m.kind) {
    case IV_PRF_PRECISION:
        return ratio(tp, fp);
    case IV_PRF_RECALL:
        return ratio(tp, fn);
    case IV_PRF_F:
        return ratio((1.0 + b2) * tp, b2 * fn + fp);
    case IV_PRF_SPECIFICITY:
        return ratio(tn, fp);
    case IV_PRF_ACCURACY:
        return ratio(tp + tn, fp + fn);
    case IV_PRF_BALANCED_ACCURACY:
        return 0.5 * (ratio(tp, fn) + ratio(tn, fp));
    case IV_PRF_MCC:
        return correlation(tp, fp, fn, tn);
    }
    return NAN;
}

double iv_prf_value(iv_prf_metric m, const iv_prf_counts *c)
{
    if (m.kind >= IV_PRF_SPECIFICITY && c->tn < 0)
        return NAN;
    return iv_prf_of_cells(m, (double)c->tp, (double)c->fp, (double)c->fn, (double)c->tn);
}
