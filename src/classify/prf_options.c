/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options of prf and of their cases. */
#include "base/arguments.h"
#include "classify/prf_options.h"

/* What a request of prf has; the words of each case, in the order of the checks. */
enum {
    CLAIMS = 1 << 0, /* labels or targets */
    PAIRED_COUNTS = 1 << 1,
    LABELS = 1 << 2,
    GROUPS = 1 << 3,
    TARGETS = 1 << 4,
    GATE = 1 << 5,
    MACHINE = 1 << 6
};

static const iv_case cases[] = {
    { CLAIMS, NULL, "without --labels or --target" },
    { PAIRED_COUNTS, "with --paired --counts", NULL },
    { LABELS, NULL, "without --labels" },
    { GROUPS, NULL, "without --columns group=NAME" },
    { TARGETS, "with --target", NULL },
    { GATE, NULL, "without --gate" },
    { MACHINE, "with --machine-column", "without --machine-column" },
    { 0, NULL, NULL }
};

#define OPTION(member, name, needs, excluded) \
    IV_OPTION(iv_prf_question, member, name, needs, excluded)

static const iv_option options[] = {
    /* member, name, needs, excluded by */
    OPTION(from.labels_as.gold, "gold", LABELS, 0),
    OPTION(from.labels_as.systems.count, "system", LABELS, 0),
    OPTION(machine, "machine-column", LABELS, 0),
    OPTION(from.labels_as.positive, "positive", LABELS, 0),
    OPTION(probability, "probability-column", MACHINE, 0),
    OPTION(gaps.most, "max-gap", GROUPS, 0),
    OPTION(gaps.reference, "reference", GROUPS, 0),
    OPTION(baseline, "baseline", GATE, TARGETS),
    OPTION(margin, "margin", GATE, TARGETS),
    OPTION(from.counts.count, "counts", 0, MACHINE),
    OPTION(from.labels_as.columns.count, "columns", LABELS, MACHINE),
    OPTION(from.labels_as.threshold, "threshold", LABELS, MACHINE),
    OPTION(from.labels_as.classes, "classes", LABELS, MACHINE),
    OPTION(from.labels_as.predictions.count, "predictions", LABELS, MACHINE),
    OPTION(how.compare, "compare", 0, MACHINE),
    OPTION(how.paired, "paired", 0, MACHINE),
    OPTION(how.guaranteed, "guaranteed", 0, MACHINE),
    OPTION(how.prior.count, "prior", 0, MACHINE),
    OPTION(how.beta.count, "beta", 0, PAIRED_COUNTS | MACHINE),
    OPTION(how.metrics.count, "metric", 0, PAIRED_COUNTS | MACHINE),
    OPTION(targets.count, "target", 0, PAIRED_COUNTS | MACHINE),
    OPTION(how.draws, "draws", 0, PAIRED_COUNTS | MACHINE),
    OPTION(not_worse, "gate", CLAIMS, MACHINE),
    { NULL, 0, 0, 0, 0 }
};

static unsigned cases_of(const iv_prf_question *q)
{
    const bool labels = q->from.labels != NULL || q->from.labelled != NULL;
    const bool targets = q->targets.count > 0, groups = q->from.labels_as.columns.count > 0
        || (q->from.labelled != NULL && q->from.labelled->grouping_count > 0);

    return (labels || targets ? CLAIMS : 0u) | (q->how.paired && !labels ? PAIRED_COUNTS : 0u)
        | (labels ? LABELS : 0u) | (groups ? GROUPS : 0u) | (targets ? TARGETS : 0u)
        | (q->not_worse ? GATE : 0u) | (q->machine != NULL ? MACHINE : 0u);
}

int iv_prf_refuse(const iv_prf_question *q, iv_err *err)
{
    return iv_refuse_options(q, options, cases, cases_of(q), err);
}
