/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals of one proportion, side by side. */
#include "review/recall.h"

#include <math.h>

#include "intervale/num.h"
#include "num/dist.h"
#include "base/err.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"

typedef struct proportion_row {
    const char *method;
    iv_interval is;
} proportion_row;

const iv_field iv_recall_proportion_fields[] = {
    { "method", IV_AT(proportion_row, method), .about = "how the interval is computed" },
    { "estimate", IV_AT(proportion_row, is.value), .digits = 4, .about = "r / n" },
    IV_LIMITS(proportion_row, is., 4),
    { NULL } };

enum { PROPORTION_METHODS = 5 };

/* Wald; Wilson's score; Agresti and Coull's, z squared pseudo-counts; Jeffreys' prior; Clopper
 * and Pearson.  Webber (2013), equation 13 and figure 5. */
static void fill_proportion(proportion_row *out, double r, double n, double tail)
{
    const double z = iv_norm_isf(tail), p = r / n, zz = z * z;
    const double middle = (r + 0.5 * zz) / (n + zz);
    const double score = z / (n + zz) * sqrt(n * p * (1.0 - p) + 0.25 * zz);
    const double wald = z * sqrt(p * (1.0 - p) / n);
    const double coull = z * sqrt(middle * (1.0 - middle) / (n + zz));

    static const char *const names[] = { "wald", "wilson", "agresti-coull", "jeffreys", "exact" };
    const iv_limits x[PROPORTION_METHODS] = {
        { p - wald, p + wald }, { middle - score, middle + score },
        { middle - coull, middle + coull },
        { r > 0.0 ? iv_beta_quantile(tail, r + 0.5, n - r + 0.5) : 0.0,
          r < n ? iv_beta_isf(tail, r + 0.5, n - r + 0.5) : 1.0 },
        { r > 0.0 ? iv_beta_quantile(tail, r, n - r + 1.0) : 0.0,
          r < n ? iv_beta_isf(tail, r + 1.0, n - r) : 1.0 } };

    for (size_t i = 0; i < PROPORTION_METHODS; i++)
        out[i] = (proportion_row){ names[i], { p, NAN, fmax(x[i].lower, 0.0),
                                              fmin(x[i].upper, 1.0) } };
}

int iv_answer_proportion(iv_result *out, const iv_proportion_question *q, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const int64_t r = q->counts.count == 2 ? q->counts.at[0] : -1;
    const int64_t n = q->counts.count == 2 ? q->counts.at[1] : -1;
    char e[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];
    proportion_row rows[PROPORTION_METHODS];

    if (!(r >= 0 && r <= n && n > 0))
        return iv_fail(err, IV_EARG, "a proportion: expected r of n, with 0 <= r <= n and n "
                                     "above 0");
    fill_proportion(rows, (double)r, (double)n, (1.0 - confidence) * (q->one_sided ? 1.0 : 0.5));
    IV_TABLE(out, "proportion", iv_recall_proportion_fields, rows, PROPORTION_METHODS,
             .drawn = { "estimate", "lower", "upper", 0.0, 1.0 });
    const iv_interval *wilson = &rows[1].is;
    iv_result_answer(out, "The proportion is estimated at %s (%.10g %% %s %s to %s, Wilson).",
                     iv_percent(e, wilson->value, NAN), 100.0 * confidence,
                     q->one_sided ? "one-sided limits" : "interval",
                     iv_percent(low, wilson->lower, NAN), iv_percent(high, wilson->upper, NAN));
    iv_result_used(out, "proportion");
    return IV_OK;
}
