/* SPDX-License-Identifier: Apache-2.0 */
/* Which values have bounds and ties, and their parameters. */
#include "estimate/range_parts.h"

#include <math.h>
#include <string.h>

#include "measure/measure_parts.h"

/* Does a higher grade never gain less, and none less than nothing? */
static bool gains_ascend(const iv_asked *a, int32_t largest)
{
    double last = 0.0;

    /* Beyond the pairs the gain is the grade's own, which ascends. */
    for (int32_t grade = 0; grade <= largest && grade < 4096; grade++) {
        const double gain = iv_gain_of(a->pair, a->pair_count, a->exponential, grade);
        if (gain < last)
            return false;
        last = gain;
    }
    return true;
}

/* trec_eval 10's rbp scales by each topic's grades: only 0 and 1 are simple. */
static bool plain_rbp(const iv_asked *a, int32_t largest)
{
    return largest <= 1 && a->pair_count == 0;
}

iv_range_value iv_range_value_of(const iv_measures *m, size_t i, int32_t largest,
                                 bool ties)
{
    const iv_asked *a = &m->asked[m->owner[i]];
    const iv_value_info *info = &m->value[i];
    iv_range_value v = { .measures = m, .index = i,
                         .kind = a->is->range,
                         .cutoff = info->cutoff > 0 ? info->cutoff : SIZE_MAX,
                         .depth = m->options.depth, .level = a->level,
                         .binary = a->rel_given, .judged_only = a->judged_only,
                         .persistence = a->persistence,
                         .max_grade = a->max_grade > 0 ? a->max_grade : largest };

    if (a->is->topic_scaled)
        v.max_grade = 1;
    if ((a->is->topic_scaled && !plain_rbp(a, largest))
        || (v.kind == IV_RANGE_NDCG && !gains_ascend(a, largest))
        || (!ties && (v.kind == IV_RANGE_RECALL || v.kind == IV_RANGE_SUCCESS))
        || (ties && (v.kind == IV_RANGE_RISES || v.kind == IV_RANGE_AP_IA)) || a->residual
        || (ties && v.judged_only && v.depth != SIZE_MAX))
        v.kind = IV_RANGE_NONE;
    return v;
}

bool iv_has_bounds(const iv_measures *m, size_t i, int32_t largest_grade)
{
    return iv_range_value_of(m, i, largest_grade, false).kind != IV_RANGE_NONE;
}

bool iv_has_ties(const iv_measures *m, size_t i, int32_t largest_grade)
{
    return iv_range_value_of(m, i, largest_grade, true).kind != IV_RANGE_NONE;
}

const char *iv_why_no_bounds(const iv_measures *m, size_t i, int32_t largest_grade)
{
    static const struct {
        const char *family, *name, *why; /* the first that fits; name NULL: the whole family */
    } known[] = {
        { "subtopics", NULL, "the ideal order is NP-hard to find, and the greedy one is no bound" },
        { "user models", NULL, "a higher gain can lower the value, since the reader stops sooner" },
        { "ideal ranking", "Compat", "the ideal ranking changes with what is judged" },
        { "ideal ranking", NULL, "an unjudged document changes both numbers of a pair" },
        { "preferences", NULL, "an unjudged document could be preferred to any other, or not" },
        { "several judges", NULL, "each judge could have another opinion of an unjudged document" },
    };
    const iv_measure_info *info = &m->asked[m->owner[i]].is->info;

    if (iv_has_bounds(m, i, largest_grade))
        return NULL;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].family, info->family) == 0
            && (known[k].name == NULL || strcmp(known[k].name, info->name) == 0))
            return known[k].why;
    return NULL;
}

size_t iv_graded_relevant(const iv_graded *g, int32_t level)
{
    size_t relevant = 0;

    for (size_t i = 0; i < g->judged_count; i++)
        relevant += g->judged[i].grade >= 0 && g->judged[i].grade >= level;
    return relevant;
}

double iv_discount(size_t rank)
{
    return 1.0 / log2((double)rank + 1.0);
}
