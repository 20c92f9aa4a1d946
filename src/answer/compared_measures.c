/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of measures in a comparison: the means of scores that they hold. */
#include <string.h>

#include "answer/answer_parts.h"
#include "base/listing.h"
#include "base/memory.h"

static bool is_set(const char *name)
{
    const iv_measure_set *sets;
    const size_t count = iv_measure_sets(&sets);
    bool found = false;

    for (size_t i = 0; i < count; i++)
        found = found || strcmp(sets[i].name, name) == 0;
    return found;
}

static bool is_named(const iv_texts *asked, const char *name)
{
    bool found = false;

    for (size_t i = 0; i < asked->count; i++)
        found = found || strcmp(asked->at[i], name) == 0;
    return found;
}

static int choose(iv_texts *measures, iv_arena *own, const iv_measures *all, iv_result *out,
                  iv_err *err)
{
    const char **names = iv_arena_alloc(own, iv_measures_count(all) * sizeof *names);
    iv_listing left_out = { .most = 12 };
    size_t count = 0;

    for (size_t i = 0; names != NULL && i < iv_measures_count(all); i++) {
        const iv_value_info *v = iv_measures_value(all, i);
        const iv_measure_info *is = v->measure;
        if ((is->kind != IV_REAL || !is->per_topic || is->summary != IV_SUMMARY_MEAN)
            && !is_named(measures, v->name)) { /* what is named is not passed over */
            iv_list(&left_out, "%s", v->name);
            continue;
        }
        names[count] = iv_arena_copy(own, iv_str_of(v->name));
        names = names[count++] == NULL ? NULL : names;
    }
    if (names == NULL)
        return iv_no_memory(err);
    if (left_out.count > 0)
        iv_result_note(out, "of the set, %s %s not compared: no mean of scores of topics",
                       iv_listed(&left_out), left_out.count == 1 ? "is" : "are");
    *measures = (iv_texts){ names, count };
    return IV_OK;
}

int iv_compared_measures(iv_texts *measures, iv_arena *own, const iv_measure_options *options,
                         iv_result *out, iv_err *err)
{
    iv_measures *all = NULL;
    bool any = false;

    for (size_t i = 0; i < measures->count; i++)
        any = any || is_set(measures->at[i]);
    if (!any)
        return IV_OK;
    IV_TRY(iv_measures_parse(&all, measures->at, measures->count, options, err));
    const int rc = choose(measures, own, all, out, err);
    iv_measures_free(all);
    return rc;
}
