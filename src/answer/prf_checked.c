/* SPDX-License-Identifier: Apache-2.0 */
/* prf of a list that a machine labelled and people sampled. */
#include <math.h>

#include "answer/answer_parts.h"
#include "answer/prf_parts.h"
#include "answer/run_notes.h"
#include "base/base_private.h"
#include "estimate/estimate_private.h"

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

/* One file of labels, without what --machine-column does not compute. */
static int check_possible(const iv_prf_question *q, iv_err *err)
{
    if (q->from.labels == NULL)
        return iv_fail(err, IV_EARG, "--machine-column needs --labels");
    if (q->how.compare || q->how.paired || q->how.guaranteed || q->how.prior.count > 0
        || q->how.beta.count > 0
        || q->from.labels_as.classes != NULL || q->from.labels_as.predictions.count > 0
        || q->from.labels_as.threshold != NULL)
        return iv_fail(err, IV_EARG, "--machine-column gives prevalence, precision, recall and "
                                     "F1 of one file of labels, with equal tails");
    return IV_OK;
}

IV_ENDS(checked)

int iv_prf_checked(iv_result *out, const iv_prf_question *q, const iv_work *work, iv_err *err)
{
    const double confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence;
    iv_checked *c = NULL;

    IV_TRY(check_possible(q, err));
    IV_TRY(iv_checked_load(&c, q->from.labels, q->machine, q->probability, &q->from.labels_as,
                           confidence, work, err));
    IV_TRY(IV_KEEP(out, checked, c, err));
    iv_result_input(out, q->from.labels, c->bytes);
    const iv_checked_metric *m = &c->metrics[0];
    if (isnan(m->value))
        iv_result_answer(out, "There is no prevalence: none of %zu items has a human label.",
                         c->items);
    else
        iv_result_answer(out, "Prevalence %.4f (%.10g %% interval %.4f to %.4f), from human "
                              "labels of %zu of %zu items and automatic labels of all. Human "
                              "labels alone: %.4f (%.4f to %.4f); automatic labels alone: %.4f.",
                              m->value, 100.0 * confidence, m->lower,
                     m->upper, c->judged, c->items, m->human, m->human_lower, m->human_upper,
                     m->machine);
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
    if (c->weighted)
        iv_result_note(out, "Items were chosen with different probabilities: limits use "
                            "linearisation and Student's t on the logit scale, which needs many "
                            "items.");
    if (c->uneven)
        iv_result_note(out, "Items with some automatic labels were chosen more often than "
                            "others: there is no estimate from human labels alone.");
    iv_result_assumption(out, "Within each automatic label the items with human labels are a "
                         "random sample%s.", c->weighted ? " with the probabilities given" : "");
    iv_result_method(out, "Strata are items with the same label of the system and the same "
                     "automatic label. The positives of each stratum have a beta-binomial "
                     "posterior; prevalence, recall, precision and F1 follow from it.");
    return IV_OK;
}
