/* SPDX-License-Identifier: Apache-2.0 */
/* Every measure there is, by name. */
#include "measure/definition.h"
#include "measure/measures.h"

#include <string.h>

/* Those of trec_eval, in the order in which it prints them. */
#define OF_TREC_EVAL(X) \
    X(runid) X(num_q) X(num_ret) X(num_rel) X(num_rel_ret) X(map) X(gm_map) X(Rprec) \
    X(bpref) X(recip_rank) X(iprec_at_recall) X(P) X(relstring) X(recall) X(infAP) \
    X(gm_bpref) X(Rprec_mult) X(utility) X(11pt_avg) X(binG) X(G) X(dcg) X(ideal_dcg) \
    X(ndcg) X(ndcg_rel) X(Rndcg) X(ndcg_cut) X(map_cut) X(relative_P) X(success) X(set_P) \
    X(set_relative_P) X(set_recall) X(set_map) X(set_F) X(num_nonrel_judged_ret) \
    X(prefs_num_prefs_poss) X(prefs_num_prefs_ful) X(prefs_num_prefs_ful_ret) \
    X(prefs_simp) X(prefs_pair) X(prefs_avgjg) X(prefs_avgjg_Rnonrel) X(prefs_simp_ret) \
    X(prefs_pair_ret) X(prefs_avgjg_ret) X(prefs_avgjg_Rnonrel_ret) X(prefs_simp_imp) \
    X(prefs_pair_imp) X(prefs_avgjg_imp) X(map_avgjg) X(P_avgjg) X(Rprec_mult_avgjg) \
    X(yaap) X(rbp) X(rbp_resid) X(unj)

/* The files of the others, which end with a list of them. */
#define FAMILIES(X) \
    X(rank_biased) X(counts) X(ideal_overlap) X(user_model) X(subtopics) X(nuggets) X(precision) \
    X(average_precision) X(ndcg) X(retrieved_set) X(prefs) X(groups)

#define DECLARE(name) extern const iv_definition iv_define_##name;
OF_TREC_EVAL(DECLARE)
#define DECLARE_LIST(name) extern const iv_definition *const iv_beyond_##name[];
FAMILIES(DECLARE_LIST)

#define ADDRESS(name) &iv_define_##name,
static const iv_definition *const of_trec_eval[] = { OF_TREC_EVAL(ADDRESS) };
#define LIST(name) iv_beyond_##name,
static const iv_definition *const *const families[] = { FAMILIES(LIST) };

enum {
    OLD = sizeof of_trec_eval / sizeof of_trec_eval[0],
    FILES = sizeof families / sizeof families[0]
};

const double iv_usual_cuts[9] = { 5.0,   10.0,  15.0,  20.0,  30.0,
                                  100.0, 200.0, 500.0, 1000.0 };

const double iv_usual_multiples[10] = { 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0 };

static const iv_measure_info sets[] = {
    { .name = "official", .brief = "the measures trec_eval prints unless asked for others" },
    { .name = "set", .brief = "measures of the retrieved documents as a set" },
    { .name = "all_trec", .brief = "every measure of trec_eval for judged documents" },
    { .name = "all_prefs", .brief = "every measure of trec_eval for preferences" },
    { .name = "prefs", .brief = "the measures trec_eval prints for preferences" },
    { .name = "qrels_jg", .brief = "measures of trec_eval for judgments by groups" },
};

enum { SETS = sizeof sets / sizeof sets[0] };

const iv_definition *iv_definition_at(size_t i)
{
    if (i < OLD)
        return of_trec_eval[i];
    i -= OLD;
    for (size_t f = 0; f < FILES; f++)
        for (const iv_definition *const *d = families[f]; *d != NULL; d++)
            if (i-- == 0)
                return *d;
    return NULL;
}

const iv_measure_info *iv_measure_at(size_t i)
{
    const iv_definition *d = iv_definition_at(i);

    return d != NULL ? &d->info : NULL;
}

size_t iv_measure_sets(const iv_measure_info **out)
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
    const iv_definition *d = NULL;

    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++)
        if (is(d->info.name, name))
            break;
    return d;
}

const iv_definition *iv_definition_of_ir(iv_str name, bool at)
{
    const iv_definition *d, *other = NULL;

    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
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

/* Keeps out[] sorted by distance to asked; equal ones stay in their order. */
static size_t keep(const char **out, size_t *far, size_t count, size_t most,
                   const char *name, iv_str asked)
{
    size_t at = count;

    if (name == NULL)
        return count;
    const iv_str known = iv_str_of(name);
    const size_t d = iv_edit_distance(asked, known, 1); /* another case: half a change */
    /* Half the letters may be wrong, or it begins the same. */
    if (d > known.len || d > asked.len + 1)
        return count;
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
    const iv_definition *d;

    s.len = strcspn(name, ".@("); /* parameters do not matter */
    s.len = s.len < LONGEST ? s.len : LONGEST;
    most = most < MOST ? most : MOST;
    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
        const char *const known[] = { d->info.name, d->info.ir_name, d->ir_alias };
        for (size_t k = 0; k < 3; k++)
            count = keep(out, far, count, most, known[k], s);
    }
    for (size_t i = 0; i < SETS; i++)
        count = keep(out, far, count, most, sets[i].name, s);
    return count;
}
