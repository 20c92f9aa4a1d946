/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preferences, as trec_eval counts them.  A group (a judge) prefers the document of the
 * higher level in each of its subgroups, and what follows from those.  A preference is
 * fulfilled where the better document stands above the other, or alone was retrieved.
 */
#include <math.h>
#include <string.h>

#include "measure/judges.h"

enum { POSS, FUL, FUL_RET, SIMP, PAIR, AVGJG, RNONREL, SIMP_RET, PAIR_RET, AVGJG_RET,
       RNONREL_RET, SIMP_IMP, PAIR_IMP, AVGJG_IMP, VALUES };

/* Preferences of one group, or of all: with both documents retrieved, one, none. */
typedef struct tally {
    double ful[2], poss[3]; /* of these fulfilled; none with none retrieved */
} tally;

typedef struct judge {
    size_t n, found;   /* documents 0 ... found - 1 were retrieved, in this order */
    uint8_t *over;     /* over[i * n + j]: i is preferred to j */
    uint16_t *count;   /* the same, summed over groups */
    double *level;     /* NaN: the group does not know the document */
    bool many;         /* it has subgroups */
    double lowest;     /* of its levels */
    size_t rel[2], nonrel[2]; /* all, retrieved */
    bool zero, circle;        /* what cannot be, of the document or the two: level 0 and another, ... */
    size_t odd[2];            /* ... each preferred to the other */
} judge;

static bool is_nonrelevant(const judge *g, size_t i)
{
    return g->many ? g->level[i] == 0.0 : g->level[i] <= 0.0;
}

/* Reads one group's opinions. */
static void read_group(judge *g, const iv_judges *p, size_t group)
{
    int32_t first = -1;

    g->many = false;
    g->lowest = INFINITY;
    memset(g->over, 0, g->n * g->n);
    for (size_t i = 0; i < g->n; i++)
        g->level[i] = NAN;
    for (size_t k = 0; k < p->opinions; k++) {
        const iv_opinion *a = &p->opinion[k];
        if (a->group != group)
            continue;
        first = first < 0 ? a->subgroup : first;
        g->many = g->many || a->subgroup != first;
        if ((g->level[a->doc] > 0.0 && a->level == 0.0)
            || (g->level[a->doc] == 0.0 && a->level > 0.0)) {
            g->zero = true;
            g->odd[0] = a->doc;
        }
        g->level[a->doc] = a->level;
        g->lowest = fmin(g->lowest, a->level);
        for (size_t l = 0; l < p->opinions; l++) {
            const iv_opinion *b = &p->opinion[l];
            if (b->group == group && b->subgroup == a->subgroup && a->level > b->level)
                g->over[a->doc * g->n + b->doc] = 1;
        }
    }
}

/* What follows from preferences of different subgroups. */
static void close_over(judge *g)
{
    const size_t n = g->n;

    for (size_t k = 0; k < n && g->many; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; g->over[i * n + k] && j < n; j++)
                g->over[i * n + j] |= g->over[k * n + j];
    for (size_t i = 0; i < n && g->many && !g->circle; i++)
        for (size_t j = i + 1; j < n && g->over[i * n + i] && !g->circle; j++)
            if (g->over[i * n + j] && g->over[j * n + i]) {
                g->circle = true;
                g->odd[0] = i;
                g->odd[1] = j;
            }
}

/* Does i stand above j in what was retrieved? */
static bool fulfilled(const judge *g, size_t i, size_t j)
{
    return i < j && i < g->found;
}

static tally count_group(judge *g)
{
    tally t = { { 0.0 }, { 0.0 } };

    memset(g->rel, 0, sizeof g->rel);
    memset(g->nonrel, 0, sizeof g->nonrel);
    for (size_t i = 0; i < g->n; i++) {
        for (size_t seen = 0; seen <= (i < g->found); seen++) {
            g->rel[seen] += g->level[i] > 0.0;
            g->nonrel[seen] += is_nonrelevant(g, i);
        }
        for (size_t j = 0; j < g->n; j++) {
            if (!g->over[i * g->n + j])
                continue;
            const unsigned missing = (unsigned)(i >= g->found) + (j >= g->found);
            g->count[i * g->n + j]++;
            t.poss[missing]++;
            if (missing < 2)
                t.ful[missing] += fulfilled(g, i, j);
        }
    }
    return t;
}

/* May the pair be counted, where of the nonrelevant documents only the first R are? */
static bool counts(const judge *g, size_t i, size_t j, size_t discarded)
{
    return g->over[i * g->n + j] && !(i >= discarded && g->level[i] == 0.0)
        && !(j >= discarded && g->level[j] == 0.0);
}

/*
 * The same with R nonrelevant documents where there are more.  Without subgroups
 * trec_eval also compares the lowest class with its own first R: so do we.
 */
static double recounted(const judge *g, bool retrieved)
{
    const size_t n = retrieved ? g->found : g->n;
    const size_t most = g->many ? g->rel[0] : g->rel[retrieved];
    double ful = 0.0, poss = 0.0;
    size_t discarded = n, seen = 0;

    for (size_t i = 0; g->many && i < n && discarded == n; i++)
        if (g->level[i] == 0.0 && ++seen == most + 1)
            discarded = i;
    for (size_t j = 0; j < n; j++) {
        const bool last = !g->many && g->level[j] == g->lowest;
        if (isnan(g->level[j]) || (last && seen++ >= most))
            continue;
        for (size_t i = 0; i < n; i++) {
            if (last ? isnan(g->level[i]) : !counts(g, i, j, discarded))
                continue;
            ful += fulfilled(g, i, j);
            poss++;
        }
    }
    return ful / poss;
}

static double with_r_nonrelevant(const judge *g, const tally *t, bool retrieved)
{
    const size_t rel = g->rel[retrieved], nonrel = g->nonrel[retrieved];

    if (rel < nonrel)
        return recounted(g, retrieved);
    const double added = (double)(rel - nonrel);
    const double ful = t->ful[0] + (retrieved ? 0.0 : t->ful[1]);
    const double poss = t->poss[0] + (retrieved ? 0.0 : t->poss[1] + t->poss[2]);
    return (ful + (double)g->rel[1] * added) / (poss + (double)g->rel[0] * added);
}

/* Over pairs of documents, each with the share of the groups that prefer the upper. */
static void count_pairs(double *value, const judge *g)
{
    double sum[2] = { 0.0, 0.0 }, pairs[3] = { 0.0 };

    for (size_t i = 0; i < g->n; i++)
        for (size_t j = i + 1; j < g->n; j++) {
            const double up = g->count[i * g->n + j], down = g->count[j * g->n + i];
            const unsigned missing = (unsigned)(i >= g->found) + (j >= g->found);
            if (!(up + down > 0.0))
                continue;
            pairs[missing]++;
            if (missing < 2)
                sum[missing] += up / (up + down);
        }
    const double both = sum[0] + sum[1], some = pairs[0] + pairs[1];
    value[PAIR] = some + pairs[2] > 0.0 ? both / (some + pairs[2]) : 0.0;
    value[PAIR_RET] = pairs[0] > 0.0 ? sum[0] / pairs[0] : 0.0;
    value[PAIR_IMP] = some > 0.0 ? both / some : 0.0;
}

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : 0.0;
}

static void add_group(double *value, tally *all, const judge *g, const tally *t)
{
    value[AVGJG] += ratio(t->ful[0] + t->ful[1], t->poss[0] + t->poss[1] + t->poss[2]);
    value[AVGJG_RET] += ratio(t->ful[0], t->poss[0]);
    value[AVGJG_IMP] += ratio(t->ful[0] + t->ful[1], t->poss[0] + t->poss[1]);
    value[RNONREL] += with_r_nonrelevant(g, t, false);
    value[RNONREL_RET] += with_r_nonrelevant(g, t, true);
    for (size_t i = 0; i < 3; i++)
        all->poss[i] += t->poss[i];
    for (size_t i = 0; i < 2; i++)
        all->ful[i] += t->ful[i];
}

static void finish(double *value, const tally *all, const judge *g, size_t groups)
{
    static const int means[] = { AVGJG, AVGJG_RET, AVGJG_IMP, RNONREL, RNONREL_RET };

    value[FUL_RET] = all->ful[0];
    value[FUL] = all->ful[0] + all->ful[1];
    value[POSS] = all->poss[0] + all->poss[1] + all->poss[2];
    value[SIMP] = ratio(value[FUL], value[POSS]);
    value[SIMP_RET] = ratio(all->ful[0], all->poss[0]);
    value[SIMP_IMP] = ratio(value[FUL], all->poss[0] + all->poss[1]);
    count_pairs(value, g);
    /* A group without a preference is 0/0: trec_eval then gives the topic 0. */
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        value[means[i]] = value[means[i]] > 0.0 ? value[means[i]] / (double)groups : 0.0;
}

int iv_judges_prefs(iv_judges *p, iv_arena *arena, iv_str topic, iv_err *err)
{
    judge g = { .n = p->docs, .found = p->found };
    char quoted[3][IV_QUOTE_SIZE];
    tally all = { { 0.0 }, { 0.0 } };

    g.over = iv_arena_alloc(arena, g.n * g.n + 1);
    g.count = iv_arena_alloc(arena, (g.n * g.n + 1) * sizeof *g.count);
    g.level = iv_arena_alloc(arena, (g.n + 1) * sizeof *g.level);
    p->prefs = iv_arena_alloc(arena, VALUES * sizeof *p->prefs);
    if (g.over == NULL || g.count == NULL || g.level == NULL || p->prefs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for the preferences of a topic");
    memset(g.count, 0, g.n * g.n * sizeof *g.count);
    for (size_t i = 0; i < VALUES; i++)
        p->prefs[i] = 0.0;
    for (size_t k = 0; k < p->groups && !g.zero && !g.circle; k++) {
        read_group(&g, p, k);
        close_over(&g);
        const tally t = count_group(&g);
        add_group(p->prefs, &all, &g, &t);
    }
    if (g.zero || g.circle) {
        (void)iv_quote(quoted[0], topic);
        (void)iv_quote(quoted[1], p->docno[g.odd[0]]);
        (void)iv_quote(quoted[2], p->docno[g.odd[1]]);
        return g.zero ? iv_fail(err, IV_EPARSE, "topic %s: one group has level 0 and another for %s",
                                quoted[0], quoted[1])
                      : iv_fail(err, IV_EPARSE, "topic %s: preferences of one group contradict each "
                                "other: by what follows from them %s is better than %s, and worse",
                                quoted[0], quoted[1], quoted[2]);
    }
    finish(p->prefs, &all, &g, p->groups);
    return IV_OK;
}

/* ------------------------------------------------------------ measures -- */

#define PREFERENCE(symbol, at, in, sort, how_summed, top, line, words)              \
    static void symbol(double *out, const iv_asked *a, const iv_topic *t)           \
    {                                                                               \
        (void)a;                                                                    \
        *out = t->panel->prefs[at];                                                 \
    }                                                                               \
    const iv_definition iv_define_##symbol = {                                      \
        .info = { .name = #symbol, .family = "preferences", .usage = #symbol,       \
                  .brief = line, .text = words, .kind = sort, .summary = how_summed, \
                  .highest = top, .per_topic = true, .overall = true },             \
        .sets = in, .reads = IV_READS_PREFS, .compute = symbol }

#define COUNTED(symbol, at, line, words)                                            \
    PREFERENCE(symbol, at, IV_IN_PREFS | IV_IN_ALL_PREFS, IV_INTEGER, IV_SUMMARY_SUM, \
               INFINITY, line, words)
#define SHARE(symbol, at, in, line, words)                                          \
    PREFERENCE(symbol, at, in, IV_REAL, IV_SUMMARY_MEAN, 1.0, line, words)

#define OVER_ALL "Over all preferences of all groups.\n"
#define OVER_PAIRS                                                                  \
    "Over pairs of documents: a pair counts once, with the share of its groups\n"   \
    "whose preference is fulfilled.\n"
#define OVER_GROUPS "The share of each group (judge), averaged over groups.\n"
#define R_NONRELEVANT                                                               \
    "As prefs_avgjg with as many nonrelevant documents (level 0) in each group as\n" \
    "relevant ones: more are left out, fewer made up for by fulfilled preferences.\n"
#define NONE_FAILS "A preference of which neither document was retrieved fails.\n"
#define BOTH_ONLY "Only preferences of which both documents were retrieved count.\n"
#define ONE_WILL_DO "Only preferences of which a document was retrieved count.\n"

COUNTED(prefs_num_prefs_poss, POSS, "number of preferences",
        "How many preferences the judgments hold, in all groups.\n");
COUNTED(prefs_num_prefs_ful, FUL, "number of preferences fulfilled",
        "The better document is ranked above the other, or alone was retrieved.\n");
COUNTED(prefs_num_prefs_ful_ret, FUL_RET, "number fulfilled, both documents retrieved",
        "The better document is ranked above the other.\n");
SHARE(prefs_simp, SIMP, IV_IN_PREFS | IV_IN_ALL_PREFS, "share of preferences fulfilled",
      OVER_ALL NONE_FAILS);
SHARE(prefs_pair, PAIR, IV_IN_PREFS | IV_IN_ALL_PREFS, "share of preferred pairs fulfilled",
      OVER_PAIRS NONE_FAILS);
SHARE(prefs_avgjg, AVGJG, IV_IN_PREFS | IV_IN_ALL_PREFS, "mean share fulfilled over groups",
      OVER_GROUPS NONE_FAILS);
SHARE(prefs_avgjg_Rnonrel, RNONREL, IV_IN_ALL_PREFS,
      "mean share over groups with R nonrelevant documents", R_NONRELEVANT NONE_FAILS);
SHARE(prefs_simp_ret, SIMP_RET, IV_IN_ALL_PREFS, "prefs_simp, both documents retrieved",
      OVER_ALL BOTH_ONLY);
SHARE(prefs_pair_ret, PAIR_RET, IV_IN_ALL_PREFS, "prefs_pair, both documents retrieved",
      OVER_PAIRS BOTH_ONLY);
SHARE(prefs_avgjg_ret, AVGJG_RET, IV_IN_ALL_PREFS, "prefs_avgjg, both documents retrieved",
      OVER_GROUPS BOTH_ONLY);
SHARE(prefs_avgjg_Rnonrel_ret, RNONREL_RET, IV_IN_ALL_PREFS,
      "prefs_avgjg_Rnonrel, both documents retrieved", R_NONRELEVANT BOTH_ONLY);
SHARE(prefs_simp_imp, SIMP_IMP, IV_IN_ALL_PREFS, "prefs_simp, a document retrieved",
      OVER_ALL ONE_WILL_DO);
SHARE(prefs_pair_imp, PAIR_IMP, IV_IN_ALL_PREFS, "prefs_pair, a document retrieved",
      OVER_PAIRS ONE_WILL_DO);
SHARE(prefs_avgjg_imp, AVGJG_IMP, IV_IN_ALL_PREFS, "prefs_avgjg, a document retrieved",
      OVER_GROUPS ONE_WILL_DO);
