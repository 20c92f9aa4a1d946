/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's measures for several judges: the mean over them. */
#include "measure/definition.h"
#include "measure/judges.h"
#include "measure/topic.h"

/* The mean over groups of what the measure would be with one group's judgments. */
static void mean_of(double *out, const iv_requested *a, const iv_topic *t,
                    const iv_definition *of)
{
    iv_topic one = *t;

    for (size_t i = 0; i < a->count; i++)
        out[i] = 0.0;
    for (size_t g = 0; g < t->panel->groups; g++) {
        double value[64];
        for (size_t from = 0; from < a->count; from += 64) {
            iv_requested part = *a;
            part.number = a->number != NULL ? a->number + from : NULL;
            part.count = a->count - from < 64 ? a->count - from : 64;
            one.view = &t->panel->view[a->view][g];
            of->compute(value, &part, &one);
            for (size_t i = 0; i < part.count; i++)
                out[from + i] += value[i];
        }
    }
    for (size_t i = 0; i < a->count && t->panel->groups > 1; i++)
        out[i] /= (double)t->panel->groups;
}

#define AVERAGED(symbol, of, how, form, ...)                                        \
    extern const iv_definition iv_define_##of;                                      \
    static void mean_##of(double *out, const iv_requested *a, const iv_topic *t)        \
    {                                                                               \
        mean_of(out, a, t, &iv_define_##of);                                        \
    }                                                                               \
    const iv_definition iv_define_##symbol = {                                      \
        .info = { .name = #symbol, .family = "several judges", .usage = how,        \
                  .brief = "mean over judges (groups) of " #of,                     \
                  .text = "Each group of the judgments (their second column) is taken for\n"  \
                          "the whole of them, and " #of " is averaged over the groups of a\n" \
                          "topic.\n",                                               \
                  IV_MEAN_WITHIN(0.0, 1.0) },                                       \
        .shape = form, __VA_ARGS__                                                  \
        .sets = IV_IN_JG, .reads = IV_READS_GROUPS, .compute = mean_##of }

AVERAGED(map_avgjg, map, "map_avgjg", IV_SHAPE_PLAIN, );
AVERAGED(P_avgjg, P, "P_avgjg  P_avgjg.5,10  P_avgjg_10", IV_SHAPE_CUTS, IV_USUAL_CUTS, );
AVERAGED(Rprec_mult_avgjg, Rprec_mult, "Rprec_mult_avgjg  Rprec_mult_avgjg.0.5,1.5",
         IV_SHAPE_POINTS, .usual = iv_usual_multiples, .usual_count = 10, .most = 1e6, );

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_groups[] = { NULL };
