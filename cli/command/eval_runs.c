/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of an evaluation: their names and their order. */
#include <math.h>
#include <stdlib.h>

#include "command/eval.h"
#include "command/run_names.h"

int eval_name_runs(eval *e, iv_err *err)
{
    iv_str *tags = malloc((e->count + 1) * sizeof *tags);

    if (tags == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t r = 0; r < e->count; r++)
        tags[r] = e->tags != NULL ? e->tags[r] : iv_scores_tag(e->runs[r]);
    const int rc = run_names_give(e->names, tags, e->paths, e->count, err);
    free(tags);
    return rc;
}

size_t eval_first_value(const eval *e)
{
    for (size_t i = 0; i < e->width; i++) {
        const iv_measure_info *m = iv_measures_value(e->measures, i)->measure;
        if (m->kind != IV_TEXT && m->per_topic)
            return i;
    }
    return IV_NONE;
}

/* The value that decides the order. */
static size_t deciding_value(const eval *e)
{
    for (size_t i = 0; i < e->width; i++)
        if (eval_shows(e, i) && isfinite(e->means[i].value))
            return i;
    return IV_NONE;
}

void eval_order_runs(eval *e)
{
    const size_t value = e->means != NULL ? deciding_value(e) : IV_NONE;

    for (size_t r = 0; r < e->count; r++) {
        size_t at = r;
        /* By insertion, and stable: equal runs stay in the order given. */
        while (value != IV_NONE && at > 0
               && e->means[e->order[at - 1] * e->width + value].value
                   < e->means[r * e->width + value].value) {
            e->order[at] = e->order[at - 1];
            at--;
        }
        e->order[at] = r;
    }
}

bool eval_shows(const eval *e, size_t value)
{
    return iv_measures_value(e->measures, value)->measure->kind != IV_TEXT;
}
