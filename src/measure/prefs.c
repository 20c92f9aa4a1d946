/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preferences, as trec_eval counts them.  A group (a judge) prefers the document of the
 * higher level in each of its subgroups, and what follows from those.  A preference is
 * fulfilled where the better document stands above the other, or alone was retrieved.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "measure/definition.h"
#include "measure/judges.h"
#include "measure/topic.h"

#include <math.h>
#include <stdlib.h>

enum { POSS, FUL, FUL_RET, SIMP, PAIR, AVGJG, RNONREL, SIMP_RET, PAIR_RET, AVGJG_RET,
       RNONREL_RET, SIMP_IMP, PAIR_IMP, AVGJG_IMP, VALUES };

/* Preferences of one group, or of all: with both documents retrieved, one, none. */
typedef struct tally {
    double ful[2], poss[3]; /* of these fulfilled; none with none retrieved */
} tally;

/*
 * What one group prefers.  Its documents are numbered from 0 in the order of the topic's: the
 * first `found` were retrieved, in this order.
 */
typedef struct preferrer {
    size_t n, found;
    uint32_t *doc;  /* its number in the topic, rising */
    double *level;
    bool many;      /* it has subgroups */
    uint64_t *over; /* bit j % 64 of over[i * words + j / 64]: i is preferred to j */
    size_t words;
    double lowest;  /* of its levels */
    size_t rel[2], nonrel[2]; /* documents: all, retrieved */
} preferrer;

/* Scratch, as long as the largest group. */
typedef struct scratch {
    bool *in;          /* documents that count */
    uint64_t *bits;    /* the same */
    iv_group_judgment *claim; /* by the numbers of the group's documents */
    iv_arena rows;     /* of a group without subgroups, until the next is counted */
} scratch;

/* ------------------------------------------------------------- reading -- */

/* The group's documents and levels; the one that has level 0 and another, or SIZE_MAX. */
static size_t read_levels(preferrer *g, scratch *s, const iv_judges *p, size_t group)
{
    const size_t from = p->first[group], to = p->first[group + 1];
    size_t inconsistent = SIZE_MAX;

    g->lowest = INFINITY;
    for (size_t k = from; k < to; k++) {
        const iv_group_judgment *a = &p->judgment[p->by_group[k]];
        g->many = g->many || a->subgroup != p->judgment[p->by_group[from]].subgroup;
        g->lowest = fmin(g->lowest, a->level);
        if (g->n == 0 || g->doc[g->n - 1] != a->doc) {
            g->doc[g->n++] = a->doc;
            g->found += a->doc < p->found;
        } else if ((g->level[g->n - 1] > 0.0 && a->level == 0.0)
                   || (g->level[g->n - 1] == 0.0 && a->level > 0.0)) {
            inconsistent = a->doc;
        }
        g->level[g->n - 1] = a->level;
        s->claim[k - from] = *a;
        s->claim[k - from].doc = (uint32_t)(g->n - 1);
    }
    return inconsistent;
}

static void count_relevant(preferrer *g)
{
    for (size_t i = 0; i < g->n; i++) {
        const bool nonrelevant = g->many ? g->level[i] == 0.0 : g->level[i] <= 0.0;
        for (size_t seen = 0; seen <= (i < g->found); seen++) {
            g->rel[seen] += g->level[i] > 0.0;
            g->nonrel[seen] += nonrelevant;
        }
    }
}

/* ------------------------------------------------------------ counting -- */

static double bits_from(const uint64_t *row, const uint64_t *in, size_t from, size_t to)
{
    size_t sum = 0;

    for (size_t w = from / 64; w * 64 < to; w++) {
        uint64_t bits = row[w] & in[w];
        if (w == from / 64)
            bits &= ~(uint64_t)0 << from % 64;
        if (to - w * 64 < 64)
            bits &= ((uint64_t)1 << (to - w * 64)) - 1;
        sum += (size_t)__builtin_popcountll(bits);
    }
    return (double)sum;
}

/* By subgroup, the highest level first. */
static int by_subgroup(const void *a, const void *b)
{
    const iv_group_judgment *x = a, *y = b;

    if (x->subgroup != y->subgroup)
        return x->subgroup < y->subgroup ? -1 : 1;
    return (x->level < y->level) - (x->level > y->level);
}

/*
 * Steps from what is preferred to what is not.  Between two levels of a subgroup that follow each
 * other stands a gate, numbered behind the documents: each document of the upper leads to it, and
 * it to each of the lower.  So there are at most two steps a claim.  *nodes: documents and gates.
 */
static size_t find_steps(uint64_t *step, size_t *nodes, iv_group_judgment *claim, size_t count)
{
    size_t steps = 0;

    qsort(claim, count, sizeof *claim, by_subgroup);
    for (size_t i = 0, above = 0, end; i < count; above = i, i = end) {
        for (end = i; end < count && by_subgroup(&claim[i], &claim[end]) == 0;)
            end++;
        if (i == 0 || claim[i - 1].subgroup != claim[i].subgroup)
            continue;
        for (size_t k = above; k < i; k++)
            step[steps++] = (uint64_t)*nodes << 32 | claim[k].doc;
        for (size_t k = i; k < end; k++)
            step[steps++] = (uint64_t)claim[k].doc << 32 | *nodes;
        ++*nodes;
    }
    qsort(step, steps, sizeof *step, iv_ascending_words); /* by where they lead */
    return steps;
}

/*
 * Fills g->over: from what nothing stands below upwards, each has what those below it have.
 * *circle: a document from which following what is preferred to what goes in a circle, n if there
 * is none.  O(claims * n / 64), and n / 8 bytes a document or gate; asks work.
 */
static int close_claims(preferrer *g, size_t *circle, iv_group_judgment *claim, size_t count,
                        iv_arena *arena, const iv_work *work, iv_err *err)
{
    uint64_t *step = iv_take(arena, 2 * count + 1, sizeof *step);
    uint32_t *open = iv_take(arena, g->n + count + 1, sizeof *open); /* steps to what is not done */
    uint32_t *ready = iv_take(arena, g->n + count + 1, sizeof *ready);
    size_t *first = iv_take(arena, g->n + count + 2, sizeof *first); /* step that leads there */
    size_t nodes = g->n, todo = 0;

    IV_TRY(iv_taken(arena, err));
    const size_t steps = find_steps(step, &nodes, claim, count);
    g->words = (g->n + 63) / 64;
    g->over = iv_take(arena, nodes * g->words + 1, sizeof *g->over);
    IV_TRY(iv_taken(arena, err));
    for (size_t i = 0; i < steps; i++) {
        first[(step[i] >> 32) + 1]++;
        open[(uint32_t)step[i]]++;
    }
    for (size_t v = 0; v < nodes; v++) {
        first[v + 1] += first[v];
        if (open[v] == 0)
            ready[todo++] = (uint32_t)v;
    }
    for (size_t done = 0; done < todo; done++) {
        const size_t v = ready[done];
        IV_TRY(iv_check_work(work, 0.0, err));
        for (size_t i = first[v]; i < first[v + 1]; i++) {
            const uint32_t from = (uint32_t)step[i];
            uint64_t *row = g->over + from * g->words;
            for (size_t w = 0; w < g->words; w++)
                row[w] |= g->over[v * g->words + w];
            if (v < g->n)
                row[v / 64] |= (uint64_t)1 << v % 64;
            if (--open[from] == 0)
                ready[todo++] = from;
        }
    }
    *circle = 0; /* those left stand above each other in a ring, or above one */
    while (*circle < g->n && open[*circle] == 0)
        ++*circle;
    return IV_OK;
}

/* Preferences between documents that count: s->in. */
static tally count(const preferrer *g, scratch *s)
{
    tally t = { { 0.0 }, { 0.0 } };

    for (size_t w = 0; w < g->words; w++)
        s->bits[w] = 0;
    for (size_t i = 0; i < g->n; i++)
        s->bits[i / 64] |= (uint64_t)s->in[i] << i % 64;
    for (size_t i = 0; i < g->n; i++) {
        const uint64_t *row = g->over + i * g->words;
        if (!s->in[i])
            continue;
        const double retrieved = bits_from(row, s->bits, 0, g->found);
        const double others = bits_from(row, s->bits, g->found, g->n);
        t.poss[i < g->found ? 0 : 1] += retrieved;
        t.poss[i < g->found ? 1 : 2] += others;
        if (i < g->found) {
            t.ful[0] += bits_from(row, s->bits, i, g->found);
            t.ful[1] += others;
        }
    }
    return t;
}

/*
 * The same with R nonrelevant documents where there are more.  Without subgroups
 * trec_eval also compares the lowest class with its own first R: so do we.
 */
static double recounted(const preferrer *g, scratch *s, bool retrieved)
{
    const size_t n = retrieved ? g->found : g->n;
    const size_t most = g->many ? g->rel[0] : g->rel[retrieved];
    double ful = 0.0, poss = 0.0;
    size_t seen = 0;

    for (size_t i = 0; i < g->n; i++) {
        const bool last = g->level[i] == (g->many ? 0.0 : g->lowest);
        seen += last && i < n;
        s->in[i] = i < n && !(last && (!g->many || seen > most));
        if (!last || g->many || i >= n || seen > most)
            continue;
        ful += (double)(i < g->found ? i : g->found);
        poss += (double)n;
    }
    const tally t = count(g, s);
    return (ful + t.ful[0] + t.ful[1]) / (poss + t.poss[0] + t.poss[1] + t.poss[2]);
}

static double with_r_nonrelevant(const preferrer *g, scratch *s, const tally *t, bool retrieved)
{
    const size_t rel = g->rel[retrieved], nonrel = g->nonrel[retrieved];

    if (rel < nonrel)
        return recounted(g, s, retrieved);
    const double added = (double)(rel - nonrel);
    const double ful = t->ful[0] + (retrieved ? 0.0 : t->ful[1]);
    const double poss = t->poss[0] + (retrieved ? 0.0 : t->poss[1] + t->poss[2]);
    return (ful + (double)g->rel[1] * added) / (poss + (double)g->rel[0] * added);
}

/* ------------------------------------------------------------- a topic -- */

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : 0.0;
}

static int add_group(iv_judges *p, tally *all, preferrer *g, scratch *s, size_t group,
                     iv_arena *arena, iv_str topic, const iv_work *work, iv_err *err)
{
    const size_t inconsistent = read_levels(g, s, p, group);
    char quoted[2][IV_QUOTE_SIZE];
    size_t circle;

    iv_arena_free(&s->rows);
    IV_TRY(close_claims(g, &circle, s->claim, p->first[group + 1] - p->first[group],
                        g->many ? arena : &s->rows, work, err));
    if (inconsistent != SIZE_MAX)
        return iv_fail(err, IV_EPARSE, "topic %s: one group has level 0 and another for %s",
                       iv_quote(quoted[0], topic), iv_quote(quoted[1], p->docno[inconsistent]));
    if (circle < g->n)
        return iv_fail(err, IV_EPARSE, "topic %s: preferences of one group contradict each other: "
                       "following what %s is preferred to goes in a circle",
                       iv_quote(quoted[0], topic), iv_quote(quoted[1], p->docno[g->doc[circle]]));
    count_relevant(g);
    for (size_t i = 0; i < g->n; i++)
        s->in[i] = true;
    const tally t = count(g, s);
    p->prefs[AVGJG] += ratio(t.ful[0] + t.ful[1], t.poss[0] + t.poss[1] + t.poss[2]);
    p->prefs[AVGJG_RET] += ratio(t.ful[0], t.poss[0]);
    p->prefs[AVGJG_IMP] += ratio(t.ful[0] + t.ful[1], t.poss[0] + t.poss[1]);
    p->prefs[RNONREL] += with_r_nonrelevant(g, s, &t, false);
    p->prefs[RNONREL_RET] += with_r_nonrelevant(g, s, &t, true);
    for (size_t i = 0; i < 3; i++)
        all->poss[i] += t.poss[i];
    for (size_t i = 0; i < 2; i++)
        all->ful[i] += t.ful[i];
    return IV_OK;
}

static bool prefers(const preferrer *g, size_t i, size_t j)
{
    return g->many ? g->over[i * g->words + j / 64] >> j % 64 & 1 : g->level[i] > g->level[j];
}

/*
 * Over pairs of documents that some group prefers: how many there are with both retrieved, one,
 * none, and sums of the shares of those groups that prefer the upper, in the order of the
 * documents, which decides the last digits.
 */
static int sum_pairs(double sum[2], double pairs[3], const iv_judges *p, const preferrer *group,
                     iv_arena *arena, const iv_work *work, iv_err *err)
{
    /* Of a document: groups that prefer the upper one, the other. */
    uint32_t (*votes)[2] = iv_take(arena, p->docs + 1, sizeof *votes);
    size_t *at = iv_take(arena, p->groups + 1, sizeof *at); /* of groups: the next document */

    IV_TRY(iv_taken(arena, err));
    for (size_t upper = 0; upper < p->docs; upper++) {
        for (size_t k = 0; k < p->groups; k++) {
            const preferrer *g = &group[k];
            if (at[k] == g->n || g->doc[at[k]] != upper)
                continue;
            IV_TRY(iv_check_work(work, 0.0, err));
            const size_t i = at[k]++;
            for (size_t j = i + 1; j < g->n; j++) {
                votes[g->doc[j]][0] += prefers(g, i, j);
                votes[g->doc[j]][1] += prefers(g, j, i);
            }
        }
        for (size_t j = upper + 1; j < p->docs; j++) {
            const uint32_t up = votes[j][0], down = votes[j][1];
            const unsigned missing = (unsigned)(upper >= p->found) + (j >= p->found);
            if (up + down == 0)
                continue;
            pairs[missing]++;
            if (missing < 2)
                sum[missing] += (double)up / ((double)up + (double)down);
            votes[j][0] = votes[j][1] = 0;
        }
    }
    return IV_OK;
}

/* Over pairs of documents, each with the share of the groups that prefer the upper. */
static void share_pairs(double *value, const double sum[2], const double pairs[3])
{
    const double both = sum[0] + sum[1], some = pairs[0] + pairs[1];

    value[PAIR] = ratio(both, some + pairs[2]);
    value[PAIR_RET] = ratio(sum[0], pairs[0]);
    value[PAIR_IMP] = ratio(both, some);
}

static void finish(double *value, const tally *all, size_t groups)
{
    static const int means[] = { AVGJG, AVGJG_RET, AVGJG_IMP, RNONREL, RNONREL_RET };

    value[FUL_RET] = all->ful[0];
    value[FUL] = all->ful[0] + all->ful[1];
    value[POSS] = all->poss[0] + all->poss[1] + all->poss[2];
    value[SIMP] = ratio(value[FUL], value[POSS]);
    value[SIMP_RET] = ratio(all->ful[0], all->poss[0]);
    value[SIMP_IMP] = ratio(value[FUL], all->poss[0] + all->poss[1]);
    /* A group without a preference is 0/0: trec_eval then gives the topic 0. */
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        value[means[i]] = value[means[i]] > 0.0 ? value[means[i]] / (double)groups : 0.0;
}

static bool make_room(scratch *s, preferrer *group, iv_judges *p, iv_arena *arena)
{
    uint32_t *doc = iv_arena_alloc(arena, (p->judgments + 1) * sizeof *doc);
    double *level = iv_arena_alloc(arena, (p->judgments + 1) * sizeof *level);
    size_t n = 1;

    p->prefs = iv_take(arena, VALUES, sizeof *p->prefs);
    if (doc == NULL || level == NULL || p->prefs == NULL)
        return false;
    for (size_t k = 0; k < p->groups; k++) {
        const size_t count = p->first[k + 1] - p->first[k];
        n = count + 1 > n ? count + 1 : n;
        group[k] = (preferrer){ .doc = doc + p->first[k], .level = level + p->first[k] };
    }
    s->in = iv_arena_alloc(arena, n * sizeof *s->in);
    s->bits = iv_arena_alloc(arena, (n / 64 + 1) * sizeof *s->bits);
    s->claim = iv_arena_alloc(arena, n * sizeof *s->claim);
    return !arena->failed;
}

int iv_judges_prefs(iv_judges *p, iv_arena *arena, iv_str topic, const iv_work *work, iv_err *err)
{
    preferrer *group = iv_take(arena, p->groups + 1, sizeof *group);
    tally all = { { 0.0 }, { 0.0 } };
    double sum[2] = { 0.0, 0.0 }, pairs[3] = { 0.0 };
    scratch s = { 0 };
    int rc = IV_OK;

    if (group == NULL || !make_room(&s, group, p, arena))
        return iv_fail(err, IV_ENOMEM, "out of memory for the preferences of a topic");
    for (size_t k = 0; k < p->groups && rc == IV_OK; k++)
        rc = add_group(p, &all, &group[k], &s, k, arena, topic, work, err);
    iv_arena_free(&s.rows);
    IV_TRY(rc);
    finish(p->prefs, &all, p->groups);
    if (p->groups == 1) { /* whole numbers: the preferences themselves */
        share_pairs(p->prefs, all.ful, all.poss);
        return IV_OK;
    }
    IV_TRY(sum_pairs(sum, pairs, p, group, arena, work, err));
    share_pairs(p->prefs, sum, pairs);
    return IV_OK;
}

/* ------------------------------------------------------------ measures -- */

#define PREFERENCE(symbol, at, in, sort, how_summed, top, line, words)              \
    static void symbol(double *out, const iv_requested *a, const iv_topic *t)           \
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
    "Over pairs of documents: a pair counts once, with the proportion of its groups\n"   \
    "whose preference is fulfilled.\n"
#define OVER_GROUPS                                                                 \
    "The proportion in each group (judge), averaged over groups; 0 of one without any.\n"
#define R_NONRELEVANT                                                               \
    "As prefs_avgjg with as many nonrelevant documents (level 0) in each group as\n" \
    "relevant ones: more are excluded, fewer made up for by fulfilled preferences.\n" \
    "Without subgroups, as in trec_eval, each of those kept counts against all\n" \
    "documents, fulfilled by those above it (one relevant, then three others: 1/4).\n"
#define NONE_FAILS "A preference counts as failed if neither document was retrieved.\n"
#define BOTH_ONLY "Only preferences with both documents retrieved count.\n"
#define ONE_WILL_DO "Only preferences with a document retrieved count.\n"

COUNTED(prefs_num_prefs_poss, POSS, "number of preferences",
        "How many preferences the judgments hold, in all groups.\n");
COUNTED(prefs_num_prefs_ful, FUL, "number of preferences fulfilled",
        "The better document is ranked above the other, or alone was retrieved.\n");
COUNTED(prefs_num_prefs_ful_ret, FUL_RET, "number fulfilled, both documents retrieved",
        "The better document is ranked above the other.\n");
SHARE(prefs_simp, SIMP, IV_IN_PREFS | IV_IN_ALL_PREFS, "proportion of preferences fulfilled",
      OVER_ALL NONE_FAILS);
SHARE(prefs_pair, PAIR, IV_IN_PREFS | IV_IN_ALL_PREFS, "proportion of preferred pairs fulfilled",
      OVER_PAIRS NONE_FAILS);
SHARE(prefs_avgjg, AVGJG, IV_IN_PREFS | IV_IN_ALL_PREFS, "mean proportion fulfilled over groups",
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

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_prefs[] = { NULL };
