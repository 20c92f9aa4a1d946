/* SPDX-License-Identifier: Apache-2.0 */
/* Every measure there is, by name; a new one gets a line here. */
#include <string.h>

#include "measure/measure_parts.h"
#include "measure/measure_private.h"

#define EVERY_MEASURE(X)                                                    \
    X(runid) X(num_q) X(num_ret) X(num_rel) X(num_rel_ret) X(map) X(gm_map) \
    X(Rprec) X(bpref) X(recip_rank) X(iprec_at_recall) X(P) X(relstring)    \
    X(recall) X(infAP) X(gm_bpref) X(Rprec_mult) X(utility) X(11pt_avg)     \
    X(binG) X(G) X(dcg) X(ideal_dcg) X(ndcg) X(ndcg_rel) X(Rndcg)           \
    X(ndcg_cut) X(map_cut) X(relative_P) X(success) X(set_P)                \
    X(set_relative_P) X(set_recall) X(set_map) X(set_F)                     \
    X(num_nonrel_judged_ret) X(prefs_num_prefs_poss) X(prefs_num_prefs_ful) \
    X(prefs_num_prefs_ful_ret) X(prefs_simp) X(prefs_pair) X(prefs_avgjg)   \
    X(prefs_avgjg_Rnonrel) X(prefs_simp_ret) X(prefs_pair_ret)              \
    X(prefs_avgjg_ret) X(prefs_avgjg_Rnonrel_ret) X(prefs_simp_imp)         \
    X(prefs_pair_imp) X(prefs_avgjg_imp) X(map_avgjg) X(P_avgjg)            \
    X(Rprec_mult_avgjg) X(yaap) X(rbp) X(rbp_resid) X(unj)             \
    X(RBP) X(ERR) X(Judged) X(Compat) X(Accuracy) X(INST) X(INSQ) X(BPM)    \
    X(SDCG) X(NERR8) X(NERR9) X(NERR10) X(NERR11) X(EU) X(ETU) X(EC) X(ETC) \
    X(ED) X(alpha_DCG) X(alpha_nDCG) X(ERR_IA) X(nERR_IA) X(NRBP) X(nNRBP)  \
    X(AP_IA) X(P_IA) X(StRecall) X(NuggetAll) X(NuggetVital)                \
    X(NuggetWeighted)

#define DECLARE(name) extern const iv_definition iv_define_##name;
EVERY_MEASURE(DECLARE)

/* trec_eval prints in this order; what it does not have comes last. */
#define ADDRESS(name) &iv_define_##name,
static const iv_definition *const definitions[] = { EVERY_MEASURE(ADDRESS) };

#define INFO(name) &iv_define_##name.info,
static const iv_measure_info *const infos[] = { EVERY_MEASURE(INFO) };

enum { COUNT = sizeof definitions / sizeof definitions[0] };

const double iv_usual_cuts[9] = { 5.0,   10.0,  15.0,  20.0,  30.0,
                                  100.0, 200.0, 500.0, 1000.0 };

const double iv_usual_multiples[10] = { 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0 };

static const iv_measure_set sets[] = {
    { "official", "the measures trec_eval prints unless asked for others" },
    { "set", "measures of the retrieved documents as a set" },
    { "all_trec", "every measure of trec_eval for judged documents" },
    { "all_prefs", "every measure of trec_eval for preferences" },
    { "prefs", "the measures trec_eval prints for preferences" },
    { "qrels_jg", "measures of trec_eval for judgments by groups" },
};

enum { SETS = sizeof sets / sizeof sets[0] };

size_t iv_definitions(const iv_definition *const **out)
{
    *out = definitions;
    return COUNT;
}

size_t iv_measure_list(const iv_measure_info *const **out)
{
    *out = infos;
    return COUNT;
}

size_t iv_measure_sets(const iv_measure_set **out)
{
    *out = sets;
    return SETS;
}

static bool is(const char *name, iv_str s)
{
    return name != NULL && strlen(name) == s.len
        && memcmp(name, s.ptr, s.len) == 0;
}

const iv_definition *iv_definition_of(iv_str name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (is(definitions[i]->info.name, name))
            return definitions[i];
    return NULL;
}

const iv_definition *iv_definition_of_ir(iv_str name, bool at)
{
    const iv_definition *other = NULL;

    for (size_t i = 0; i < COUNT; i++) {
        const iv_definition *d = definitions[i];
        if (!is(d->info.ir_name, name) && !is(d->ir_alias, name))
            continue;
        if (d->at == IV_AT_MAY || (d->at == IV_AT_MUST) == at)
            return d;
        other = d;
    }
    return other;
}

const iv_measure_info *iv_measure_find(const char *name)
{
    if (name == NULL)
        return NULL;
    const iv_str s = iv_str_of(name);
    const iv_definition *d = iv_definition_of(s);

    if (d == NULL)
        d = iv_definition_of_ir(s, false);
    return d != NULL ? &d->info : NULL;
}

unsigned iv_set_bit(iv_str name, iv_dialect dialect)
{
    const unsigned bits[SETS] = {
        IV_IN_OFFICIAL, IV_IN_SET,
        dialect == IV_TREC_EVAL_9 ? IV_IN_ALL_9 : IV_IN_ALL_10,
        IV_IN_ALL_PREFS, IV_IN_PREFS, IV_IN_JG };

    for (size_t i = 0; i < SETS; i++)
        if (is(sets[i].name, name))
            return bits[i];
    return 0;
}

/* ------------------------------------------------------- nearest names -- */

enum { LONGEST = 32 }; /* compared; no name is longer */

/* Keeps out[] sorted by distance; equal ones stay in their order. */
static size_t keep(const char **out, size_t *far, size_t count, size_t most,
                   const char *name, size_t d)
{
    size_t at = count;

    for (size_t i = 0; i < count; i++)
        if (strcmp(out[i], name) == 0)
            return count;
    while (at > 0 && far[at - 1] > d)
        at--;
    if (at >= most)
        return count;
    count = count < most ? count + 1 : most;
    for (size_t i = count - 1; i > at; i--) {
        out[i] = out[i - 1];
        far[i] = far[i - 1];
    }
    out[at] = name;
    far[at] = d;
    return count;
}

size_t iv_measure_nearest(const char **out, size_t most, const char *name)
{
    enum { MOST = 8 };
    size_t far[MOST];
    iv_str s = iv_str_of(name);
    size_t count = 0;

    s.len = strcspn(name, ".@("); /* parameters do not matter */
    s.len = s.len < LONGEST ? s.len : LONGEST;
    most = most < MOST ? most : MOST;
    for (size_t i = 0; i < 3 * COUNT + SETS; i++) {
        const char *known = i >= 3 * COUNT ? sets[i - 3 * COUNT].name
            : i % 3 == 0                   ? definitions[i / 3]->info.name
            : i % 3 == 1                   ? definitions[i / 3]->info.ir_name
                                           : definitions[i / 3]->ir_alias;
        if (known == NULL)
            continue;
        const iv_str k = iv_str_of(known);
        const size_t d = iv_edit_distance(s, k, 1); /* another case: half a change */
        /* Half the letters may be wrong, or it begins the same. */
        if (d <= k.len && d <= s.len + 1)
            count = keep(out, far, count, most, known, d);
    }
    return count;
}
