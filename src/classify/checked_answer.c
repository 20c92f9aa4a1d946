/* SPDX-License-Identifier: Apache-2.0 */
/* prf of a list that a machine labelled and people sampled. */
#include "base/err.h"
#include "classify/checked.h"
#include "classify/classify_messages.h"
#include "result/answering.h"
#include "result/wording.h"

#include <math.h>

const iv_field iv_prf_checked_fields[] = {
    { "system", IV_AT(iv_checked_metric, system), .about = "a system" },
    { "metric", IV_AT(iv_checked_metric, metric), .about = "precision, recall, F or another" },
    { "value", IV_AT(iv_checked_metric, value), .digits = 4,
      .about = "human and automatic labels together" },
    IV_LIMITS(iv_checked_metric, , 4),
    { "human", IV_AT(iv_checked_metric, human), .digits = 4, .about = "human labels alone" },
    { "human_lower", IV_AT(iv_checked_metric, human_lower), .digits = 4,
      .about = "lower limit of the interval" },
    { "human_upper", IV_AT(iv_checked_metric, human_upper), .digits = 4,
      .about = "upper limit of the interval" },
    { "machine", IV_AT(iv_checked_metric, machine), .digits = 4,
      .about = "value if the automatic labels were true; it has no interval" },
    { "gain", IV_AT(iv_checked_metric, gain), .digits = 3,
      .about = "proportion by which the interval is narrower than with human labels alone" },
    { NULL } };

static void say_value(iv_wording *w, double value, const char *before, double lower, double upper)
{
    if (isnan(value))
        iv_say(w, "no estimate");
    else if (isnan(lower))
        iv_say(w, "%.4f (no interval, as its variance cannot be estimated)", value);
    else
        iv_say(w, "%.4f (%s%.4f to %.4f)", value, before, lower, upper);
}

IV_ENDS(checked)

int iv_prf_checked(iv_result *out, const iv_prf_question *q, const iv_work *work, iv_err *err)
{
    const double confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence;
    iv_checked *c = NULL;
    iv_wording w = { 0 };
    char before[48];

    if (q->from.labels == NULL)
        return iv_fail(err, IV_EARG, "--machine-column needs --labels");
    IV_TRY(iv_checked_load(&c, q->from.labels, q->machine, q->probability, &q->from.labels_as,
                           confidence, work, err));
    IV_TRY(IV_KEEP(out, checked, c, err));
    iv_result_input(out, q->from.labels, c->bytes);
    const iv_checked_metric *m = &c->metrics[0];
    (void)snprintf(before, sizeof before, "%.10g %% interval ", 100.0 * confidence);
    iv_say(&w, "Prevalence ");
    say_value(&w, m->value, before, m->lower, m->upper);
    iv_say(&w, ", from human labels of %zu of %zu items and automatic labels of all. Human labels "
           "alone: ", c->judged, c->items);
    say_value(&w, m->human, "", m->human_lower, m->human_upper);
    iv_result_answer(out, "%s; automatic labels alone: %.4f.", w.at, m->machine);
    IV_TABLE(out, "metrics", iv_prf_checked_fields, c->metrics, c->count,
             .drawn = { "value", "lower", "upper", 0.0, 1.0 });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "metrics", .title = "The metrics",
        .caption = "A point is the estimate from human and automatic labels. The line is its "
                   "interval.", .label = "system", .against = "metric", .value = "value",
        .lower = "lower", .upper = "upper", .value_axis = { .from = 0.0, .to = 1.0 } });
    for (size_t i = 0; i < c->notes.count; i++)
        iv_result_note(out, "%s", c->notes.at[i]);
    if (c->unlabelled > 0)
        iv_result_note(out, "%zu item%s without an automatic label form a stratum of their own.",
                       c->unlabelled, iv_plural(c->unlabelled));
    if (c->merged > 0)
        iv_result_note(out, "%zu strat%s without a human label joined another of the same "
                            "prediction.",
                       c->merged, c->merged == 1 ? "um" : "a");
    IV_CLASSIFY(out, "prf.linearised", c->weighted);
    if (c->uneven)
        iv_result_note(out, "Items with some automatic labels were chosen more often than "
                            "others: there is no estimate from human labels alone.");
    iv_result_assumption(out, "Within each automatic label the items with human labels are a "
                         "random sample%s.", c->weighted ? " with the probabilities given" : "");
    iv_result_method(out, "Strata are items with the same automatic label and, except for "
                     "prevalence, the same label of the system. The positives of each stratum have "
                     "a beta-binomial posterior; all metrics follow from it.");
    return IV_OK;
}
