/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nuggets: facts that a good answer has, vital or okay, each supported by an answer in
 * full, in part or not.  The documents of a run are answers, or parts of one: a nugget
 * counts as the best of the first k supports it.
 *
 * Ref: Voorhees (2003), Overview of the TREC 2003 question answering track; Pradeep and
 * others (2024), Initial nugget evaluation results for the TREC 2024 RAG track.
 */
#include "measure/definition.h"
#include "measure/judges.h"
#include "measure/topic.h"

static double support(const iv_requested *a, const iv_group_judgment *o)
{
    if (o->subgroup < 0 || o->grade > 1) /* made up: it supports everything or nothing */
        return o->grade > 0 ? 1.0 : 0.0;
    return o->grade == 1 && !a->strict ? 0.5 : 0.0;
}

/* okay: what a nugget weighs that is not vital. */
static void supported(double *out, const iv_requested *a, const iv_topic *t, double okay)
{
    const iv_judges *p = t->panel;
    double sum = 0.0, all = 0.0;

    for (size_t g = 0; g < p->groups; g++) {
        double best = 0.0, weight = 0.0;
        for (size_t i = p->first[g]; i < p->first[g + 1]; i++) {
            const iv_group_judgment *o = &p->judgment[p->by_group[i]];
            if (o->subgroup >= 0)
                weight = o->level < 1.0 ? okay : 1.0;
            if (o->doc < p->found && (a->cutoff == 0 || p->rank[o->doc] <= a->cutoff)
                && support(a, o) > best)
                best = support(a, o);
        }
        sum += weight * best;
        all += weight;
    }
    *out = all > 0.0 ? sum / all : 0.0;
}

#define NUGGETS(symbol, okay, line, words)                                          \
    static void symbol(double *out, const iv_requested *a, const iv_topic *t)           \
    {                                                                               \
        supported(out, a, t, okay);                                                 \
    }                                                                               \
    static const iv_definition iv_define_##symbol = {                               \
        .info = { .name = #symbol, .ir_name = #symbol, .family = "nuggets",         \
                  .usage = #symbol "  " #symbol "(strict=True)  " #symbol "@5",     \
                  .brief = line,                                                    \
                  .text = words                                                     \
                    "Support is 1 in full, 0.5 in part (strict=True: 0) and 0 otherwise; of the\n" \
                    "answers in the first k, or all, the best counts. Answers that were not\n" \
                    "judged support nothing. Values over ties are not known: an order that is\n" \
                          "best for one nugget is not for another.\n",              \
                  IV_MEAN_WITHIN(0.0, 1.0) },                                       \
        .at = IV_AT_MAY, .keywords = IV_IR_STRICT, .reads = IV_READS_NUGGETS,       \
        .range = IV_RANGE_RISES, .compute = symbol }

NUGGETS(NuggetAll, 1.0, "mean support of nuggets", "The mean support of a topic's nuggets.\n");
NUGGETS(NuggetVital, 0.0, "mean support of vital nuggets",
        "The mean support of a topic's vital nuggets.\n");
NUGGETS(NuggetWeighted, 0.5, "mean support of nuggets, okay ones at half weight",
        "The mean support of a topic's nuggets, where an okay one weighs half a vital one.\n");

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_nuggets[] = {
    &iv_define_NuggetAll, &iv_define_NuggetVital, &iv_define_NuggetWeighted, NULL
};
