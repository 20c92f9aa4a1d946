/* SPDX-License-Identifier: Apache-2.0 */
/* The answer in a sentence: of two systems the better one is named first. */
#include <math.h>
#include <string.h>

#include "command/prf_compare.h"

static void tell_pair(const prf_input *in, const prf_pair *pair, double confidence,
                      iv_result *result)
{
    const bool turned = pair->probability < 0.5;
    const char *better = in->systems[turned ? pair->b : pair->a].name;
    const char *worse = in->systems[turned ? pair->a : pair->b].name;
    const double probability = turned ? 1.0 - pair->probability : pair->probability;
    const double lower = turned ? -pair->upper : pair->lower;
    const double upper = turned ? -pair->lower : pair->upper;

    if (lower > 0.0)
        iv_result_answer(result, "%s beats %s in %s with probability %.4f: by %.4f, and with "
                         "probability %g by %.4f to %.4f.", better, worse, pair->metric,
                         probability, fabs(pair->difference), confidence, lower, upper);
    else
        iv_result_answer(result, "Neither is clearly better in %s: %s beats %s with probability "
                         "%.4f, and %s - %s is between %.4f and %.4f with probability %g.",
                         pair->metric, better, worse, probability, better, worse, lower, upper,
                         confidence);
}

static void tell_best(const prf_input *in, const prf_best *best, iv_result *result)
{
    size_t first = 0;

    for (size_t s = 1; s < in->count; s++) {
        if (best->probability[s] > best->probability[first])
            first = s;
    }
    iv_result_answer(result, "Of %zu systems %s is the best in %s with probability %.4f.",
                     in->count, in->systems[first].name, best->metric,
                     best->probability[first]);
}

static void tell_value(const prf_rows *rows, const prf_input *in, const char *metric,
                       const prf_wish *wish, iv_result *result)
{
    const prf_row *best = NULL;
    iv_credible i;

    for (size_t s = 0; s < in->count; s++) {
        const prf_row *r = prf_rows_find(rows, s, metric);
        if (r == NULL)
            return;
        if (best == NULL || isnan(best->value) || r->value > best->value)
            best = r;
    }
    if (best == NULL || prf_row_interval(&i, best, wish, NULL) < 0)
        return;
    const char *name = in->systems[best->system].name;
    if (isnan(best->value))
        iv_result_answer(result, "The %s of %s has no value (0/0); its posterior is between "
                         "%.4f and %.4f with probability %g.", metric, name, i.lower, i.upper,
                         wish->confidence);
    else if (in->count > 1)
        iv_result_answer(result, "Of %zu systems %s has the highest %s, %.4f, between %.4f and "
                         "%.4f with probability %g.", in->count, name, metric, best->value,
                         i.lower, i.upper, wish->confidence);
    else
        iv_result_answer(result, "The %s of %s is %.4f, and between %.4f and %.4f with "
                         "probability %g.", metric, name, best->value, i.lower, i.upper,
                         wish->confidence);
}

void prf_answer(const prf_rows *rows, const prf_input *in, const prf_comparison *k,
                const prf_wish *wish, iv_result *result)
{
    /* Of classes the micro average may be no more than accuracy. */
    const char *headline = in->systems[0].count > 1 ? "f1[macro]" : "f1";

    for (size_t i = 0; i < k->best_count && in->count > 2; i++) {
        if (strcmp(k->best[i].metric, headline) == 0) {
            tell_best(in, &k->best[i], result);
            return;
        }
    }
    for (size_t i = 0; i < k->pairs.count && in->count == 2; i++) {
        if (strcmp(k->pairs.at[i].metric, headline) == 0) {
            tell_pair(in, &k->pairs.at[i], wish->confidence, result);
            return;
        }
    }
    if (k->pairs.count == 0)
        tell_value(rows, in, headline, wish, result);
}
