/* SPDX-License-Identifier: Apache-2.0 */
/* Tables calibration and reliability of roc, and the reliability chart. */
#include "base/err.h"
#include "classify/classify_messages.h"
#include "classify/roc_scoring.h"
#include "result/methods.h"
#include "stat/group_gaps.h"

#include <math.h>

enum { PARTS = 8 };

/* What calibration consists of: a number of a system. */
typedef struct part_row {
    const char *system, *measure;
    iv_interval is;
    double ideal;
} part_row;

/* A bin of probabilities. */
typedef struct bin_row {
    const char *system;
    double from, to, probability, observed, lower, upper;
    size_t items;
} bin_row;

const iv_field iv_roc_calibration_fields[] = {
    { "system", IV_AT(part_row, system), .audience = IV_IF_VARIES, .about = "name of the system" },
    { "measure", IV_AT(part_row, measure), .about = "what is measured" },
    { "value", IV_AT(part_row, is.value), .digits = 4, .about = "value on these items" },
    IV_LIMITS(part_row, is., 4),
    { "is_ideal", IV_AT(part_row, ideal), .digits = 4, .heading = "of a calibrated system",
      .about = "what a calibrated system has; of ECE: on average, as chance makes it too large" },
    { NULL } };

const iv_field iv_roc_reliability_fields[] = {
    { "system", IV_AT(bin_row, system), .about = "name of the system" },
    { "from", IV_AT(bin_row, from), .digits = 2, .about = "probabilities above this ..." },
    { "to", IV_AT(bin_row, to), .digits = 2, .about = "... and up to this are in the bin" },
    { "items", IV_AT(bin_row, items), .about = "items in the bin" },
    { "probability", IV_AT(bin_row, probability), .digits = 4, .about = "mean probability" },
    { "observed", IV_AT(bin_row, observed), .digits = 4, .about = "proportion of positive items" },
    IV_LIMITS(bin_row, , 4),
    { NULL } };

static iv_interval alone(double value)
{
    return (iv_interval){ value, NAN, NAN, NAN, NAN };
}

/* The numbers of a system, in PARTS rows. */
static void fill_parts(part_row *rows, const char *system, const iv_reliability *r,
                       iv_interval bias)
{
    const part_row all[PARTS] = {
        { system, "bias", bias, 0.0 },
        { system, "slope", r->slope, 1.0 },
        { system, "intercept", r->intercept, 0.0 },
        { system, "ECE", r->ece, r->calibrated },
        { system, "reliability", alone(r->reliability), 0.0 },
        { system, "resolution", alone(r->resolution), NAN },
        { system, "uncertainty", alone(r->uncertainty), NAN },
        { system, "within_bins", alone(r->within), NAN } };

    for (size_t i = 0; i < PARTS; i++)
        rows[i] = all[i];
}

int iv_roc_bias(iv_interval *out, const iv_roc_scoring *s, size_t system, iv_err *err)
{
    double *over = iv_take(s->own, s->items, sizeof *over);

    IV_TRY(iv_taken(s->own, err));
    for (size_t i = 0; i < s->items; i++)
        over[i] = s->systems[system].scores[i] - (s->positive[i] ? 1.0 : 0.0);
    const iv_group_value g = iv_group_mean(over, s->items);
    const iv_limits l = g.limits != NULL ? g.limits(&g, 0.5 - 0.005 * iv_roc_percent(s->q))
                                         : (iv_limits){ NAN, NAN };
    *out = (iv_interval){ .value = g.value, .se = NAN, .lower = l.lower, .upper = l.upper };
    return IV_OK;
}

int iv_roc_put_calibration(iv_result *out, const iv_roc_scoring *s, iv_err *err)
{
    size_t most = 0, n = 0, certain = 0, unsolved = 0;

    for (size_t k = 0; k < s->count; k++)
        most += s->reliability[k].bin_count;
    part_row *parts = iv_take(s->own, PARTS * s->count, sizeof *parts);
    bin_row *bins = iv_take(s->own, most + 1, sizeof *bins);
    IV_TRY(iv_taken(s->own, err));
    for (size_t k = 0; k < s->count; k++) {
        const iv_reliability *r = &s->reliability[k];
        const char *name = s->systems[k].name;
        iv_interval bias;
        IV_TRY(iv_roc_bias(&bias, s, k, err));
        fill_parts(parts + k * PARTS, name, r, bias);
        certain += r->certain;
        unsolved += isnan(r->slope.value) ? 1 : 0;
        for (size_t b = 0; b < r->bin_count; b++) {
            const iv_reliability_bin *x = &r->bins[b];
            bins[n++] = (bin_row){ .system = name, .from = x->from, .to = x->to,
                                   .probability = x->mean, .observed = x->share,
                                   .lower = x->lower, .upper = x->upper, .items = x->items };
        }
    }
    IV_TABLE(out, "calibration", iv_roc_calibration_fields, parts, PARTS * s->count,
             .showing = IV_ASIDE);
    IV_TABLE(out, "reliability", iv_roc_reliability_fields, bins, n, .showing = IV_FOLDED);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "reliability", .title = "Reliability",
        .caption = "The proportion of positive items in each bin of probabilities, with its "
                   "interval. A calibrated system is on the diagonal.", .x = "probability",
        .value = "observed", .lower = "lower", .upper = "upper", .group = "system",
        .diagonal = true, .x_axis = { "probability", 0.0, 1.0, false },
        .value_axis = { "proportion of positive items", 0.0, 1.0, false } });
    iv_result_used_all(out, "ece scheffe cox murphy");
    iv_result_used_with(out, "jeffreys", " in bins of probabilities%s",
                        s->groupings > 0 && s->q->fixed.count > 0 ? " and in groups" : "");
    IV_CLASSIFY(out, "roc.certain", certain);
    IV_CLASSIFY(out, "roc.no-slope", unsolved);
    return IV_OK;
}
