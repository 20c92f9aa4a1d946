/* SPDX-License-Identifier: Apache-2.0 */
/* What is drawn of recall: posteriors and intervals. */
#include "answer/recall_parts.h"

#include <string.h>

/* The only quantity beside recall that has curves; NULL: there are several, "": none.  What
 * is known for certain has none: precision, where all that was retrieved was judged. */
static const char *only_other(const iv_review_findings *found)
{
    const char *name = "";

    for (size_t i = 0; i < found->point_count && name != NULL; i++) {
        const char *is = found->points[i].quantity;
        if (strcmp(is, "recall") != 0 && strcmp(is, name) != 0)
            name = name[0] == '\0' ? is : NULL;
    }
    return name;
}

static void draw_curves(iv_result *out, const iv_recall_told *t)
{
    const iv_recall_question *q = t->q;
    char caption[400];
    iv_chart chart = {
        .kind = IV_CHART_DENSITY, .table = "curves", .title = "Recall", .caption = caption,
        .page = "case", .where = "quantity", .is = "recall", .x = "x", .value = "density",
        .lower = "lower", .upper = "upper", .x_axis = { .title = "recall" } };

    (void)snprintf(caption, sizeof caption,
        "The higher the curve, the more likely that recall, given the samples. The dark part "
        "is the %g %% %s.%s", 100.0 * t->confidence,
        q->one_sided ? "above the lower limit" : "interval",
        q->target == 0.0 ? "" : " What lies right of the dashed line is the probability that "
        "the target is met.");
    if (q->target != 0.0)
        chart.lines[0] = (iv_chart_line){ "target", q->target, true };
    iv_result_chart(out, &chart);
    const char *one = only_other(t->found);
    if (one != NULL && one[0] == '\0')
        return;
    chart.title = one != NULL ? one : "Precision and F";
    chart.panel = one != NULL ? NULL : "quantity";
    chart.is = NULL;
    chart.is_not = "recall";
    (void)snprintf(caption, sizeof caption, "%s from the same posterior; the dark part is the "
                   "interval.%s", chart.title, one == NULL ? "" : " What is known for certain, since "
                   "one side was judged in full, has no curve.");
    chart.x_axis.title = one != NULL ? one : "value";
    chart.lines[0].text = NULL;
    iv_result_chart(out, &chart);
}

void iv_recall_charts(iv_result *out, const iv_recall_told *t)
{
    const iv_recall_question *q = t->q;
    const bool many = t->method == IV_RECALL_ALL;
    iv_chart chart = {
        .kind = IV_CHART_FOREST, .table = "recall", .title = "Recall and its intervals",
        .caption = "A point is the plain estimate of recall, the line its interval.",
        .value = "recall", .lower = "lower", .upper = "upper",
        .value_axis = { .title = "recall", .from = 0.0, .to = 1.0 } };

    if (t->found->point_count > 0)
        draw_curves(out, t);
    if (t->ranked) {
        chart.label = "cutoff";
        chart.against = many ? "method" : NULL;
        chart.page = "topic";
    } else {
        chart.label = many ? "method" : "run";
        chart.page = many ? "run" : NULL;
    }
    if (q->target != 0.0)
        chart.lines[0] = (iv_chart_line){ "target", q->target, true };
    iv_result_chart(out, &chart);
}
