/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preferences, as trec_eval counts them.  A group (a judge) prefers the document of the
 * higher level in each of its subgroups, and what follows from those.  A preference is
 * fulfilled where the better document stands above the other, or alone was retrieved.
 */
#include "measure/measure_private.h"

enum { POSS, FUL, FUL_RET, SIMP, PAIR, AVGJG, RNONREL, SIMP_RET, PAIR_RET, AVGJG_RET,
       RNONREL_RET, SIMP_IMP, PAIR_IMP, AVGJG_IMP, VALUES };

/* Preferences of one group, or of all: with both documents retrieved, one, none. */
typedef struct tally {
    double ful[2], poss[3]; /* of these fulfilled; none with none retrieved */
} tally;

/* Scratch, as long as the largest group. */
typedef struct scratch {
    bool *in;          /* documents that count */
    uint64_t *bits;    /* the same */
    double *sorted;    /* levels, rising, each once */
    uint32_t *class;   /* of documents: where their level stands there */
    uint32_t *above[2]; /* of classes: documents that count above them, retrieved and not */
    uint32_t *tree;    /* of classes: see count_before() */
    iv_opinion *claim; /* by the numbers of the group's documents */
} scratch;

/* ------------------------------------------------------------- reading -- */

/* The group's documents and levels; the one that has level 0 and another, or SIZE_MAX. */
static size_t read_levels(iv_preferrer *g, scratch *s, const iv_judges *p, size_t group)
{
    const size_t from = p->first[group], to = p->first[group + 1];
    size_t odd = SIZE_MAX;

    g->lowest = INFINITY;
    for (size_t k = from; k < to; k++) {
        const iv_opinion *a = &p->opinion[p->by_group[k]];
        g->many = g->many || a->subgroup != p->opinion[p->by_group[from]].subgroup;
        g->lowest = fmin(g->lowest, a->level);
        if (g->n == 0 || g->doc[g->n - 1] != a->doc) {
            g->doc[g->n++] = a->doc;
            g->found += a->doc < p->found;
        } else if ((g->level[g->n - 1] > 0.0 && a->level == 0.0)
                   || (g->level[g->n - 1] == 0.0 && a->level > 0.0)) {
            odd = a->doc;
        }
        g->level[g->n - 1] = a->level;
        s->claim[k - from] = *a;
        s->claim[k - from].doc = (uint32_t)(g->n - 1);
    }
    return odd;
}

static void count_relevant(iv_preferrer *g)
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

/* Of several subgroups: by the rows of who is preferred to whom. */
static tally count_rows(const iv_preferrer *g, scratch *s)
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

static void sort_levels(const iv_preferrer *g, scratch *s)
{
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++)
        s->sorted[i] = g->level[i];
    qsort(s->sorted, g->n, sizeof *s->sorted, iv_rising);
    for (size_t i = 0; i < g->n; i++)
        if (n == 0 || s->sorted[n - 1] != s->sorted[i])
            s->sorted[n++] = s->sorted[i];
    for (size_t i = 0; i < g->n; i++) {
        const double *at = bsearch(&g->level[i], s->sorted, n, sizeof *at, iv_rising);
        s->class[i] = (uint32_t)(at - s->sorted);
    }
}

/* Documents before this one in higher classes; puts it there, too.  A binary indexed tree. */
static double count_before(uint32_t *tree, size_t n, size_t class)
{
    const size_t at = n - class; /* the highest class first, from 1 */
    size_t sum = 0;

    for (size_t i = at - 1; i > 0; i &= i - 1)
        sum += tree[i];
    for (size_t i = at; i <= n; i += i & (~i + 1))
        tree[i]++;
    return (double)sum;
}

/* Of one subgroup: by classes of equal level. */
static tally count_classes(const iv_preferrer *g, scratch *s)
{
    tally t = { { 0.0 }, { 0.0 } };

    for (size_t k = 0; k <= g->n; k++)
        s->above[0][k] = s->above[1][k] = s->tree[k] = 0;
    for (size_t i = 0; i < g->n; i++)
        if (s->in[i] && s->class[i] > 0)
            s->above[i >= g->found][s->class[i] - 1]++;
    for (size_t k = g->n; k-- > 0;) {
        s->above[0][k] += s->above[0][k + 1];
        s->above[1][k] += s->above[1][k + 1];
    }
    for (size_t j = 0; j < g->n; j++) {
        const size_t class = s->class[j];
        const double retrieved = s->above[0][class], others = s->above[1][class];
        if (!s->in[j])
            continue;
        t.poss[j < g->found ? 0 : 1] += retrieved;
        t.poss[j < g->found ? 1 : 2] += others;
        if (j < g->found)
            t.ful[0] += count_before(s->tree, g->n, class);
        else
            t.ful[1] += retrieved;
    }
    return t;
}

/* Preferences between documents that count: s->in. */
static tally count(const iv_preferrer *g, scratch *s)
{
    return g->many ? count_rows(g, s) : count_classes(g, s);
}

/*
 * The same with R nonrelevant documents where there are more.  Without subgroups
 * trec_eval also compares the lowest class with its own first R: so do we.
 */
static double recounted(const iv_preferrer *g, scratch *s, bool retrieved)
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

static double with_r_nonrelevant(const iv_preferrer *g, scratch *s, const tally *t, bool retrieved)
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

static void add_group(double *value, tally *all, const iv_preferrer *g, scratch *s)
{
    for (size_t i = 0; i < g->n; i++)
        s->in[i] = true;
    if (!g->many)
        sort_levels(g, s);
    const tally t = count(g, s);
    value[AVGJG] += ratio(t.ful[0] + t.ful[1], t.poss[0] + t.poss[1] + t.poss[2]);
    value[AVGJG_RET] += ratio(t.ful[0], t.poss[0]);
    value[AVGJG_IMP] += ratio(t.ful[0] + t.ful[1], t.poss[0] + t.poss[1]);
    value[RNONREL] += with_r_nonrelevant(g, s, &t, false);
    value[RNONREL_RET] += with_r_nonrelevant(g, s, &t, true);
    for (size_t i = 0; i < 3; i++)
        all->poss[i] += t.poss[i];
    for (size_t i = 0; i < 2; i++)
        all->ful[i] += t.ful[i];
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

static bool make_room(scratch *s, iv_preferrer *group, iv_judges *p, iv_arena *arena)
{
    uint32_t *doc = iv_arena_alloc(arena, (p->opinions + 1) * sizeof *doc);
    double *level = iv_arena_alloc(arena, (p->opinions + 1) * sizeof *level);
    size_t n = 1;

    p->prefs = iv_take(arena, VALUES, sizeof *p->prefs);
    if (doc == NULL || level == NULL || p->prefs == NULL)
        return false;
    for (size_t k = 0; k < p->groups; k++) {
        const size_t count = p->first[k + 1] - p->first[k];
        n = count + 1 > n ? count + 1 : n;
        group[k] = (iv_preferrer){ .doc = doc + p->first[k], .level = level + p->first[k] };
    }
    s->in = iv_arena_alloc(arena, n * sizeof *s->in);
    s->bits = iv_arena_alloc(arena, (n / 64 + 1) * sizeof *s->bits);
    s->sorted = iv_arena_alloc(arena, n * sizeof *s->sorted);
    s->class = iv_arena_alloc(arena, n * sizeof *s->class);
    s->above[0] = iv_arena_alloc(arena, n * sizeof *s->above[0]);
    s->above[1] = iv_arena_alloc(arena, n * sizeof *s->above[1]);
    s->tree = iv_arena_alloc(arena, n * sizeof *s->tree);
    s->claim = iv_arena_alloc(arena, n * sizeof *s->claim);
    return !arena->failed;
}

int iv_judges_prefs(iv_judges *p, iv_arena *arena, iv_str topic, const iv_work *work, iv_err *err)
{
    iv_preferrer *group = iv_take(arena, p->groups + 1, sizeof *group);
    tally all = { { 0.0 }, { 0.0 } };
    double sum[2] = { 0.0, 0.0 }, pairs[3] = { 0.0 };
    scratch s;

    if (group == NULL || !make_room(&s, group, p, arena))
        return iv_fail(err, IV_ENOMEM, "out of memory for the preferences of a topic");
    for (size_t k = 0; k < p->groups; k++) {
        char quoted[2][IV_QUOTE_SIZE];
        const size_t odd = read_levels(&group[k], &s, p, k);
        size_t circle = SIZE_MAX;
        IV_TRY(iv_check_work(work, 0.0, err));
        if (group[k].many)
            IV_TRY(iv_prefs_close(&group[k], &circle, s.claim, p->first[k + 1] - p->first[k],
                                  arena, work, err));
        if (odd != SIZE_MAX)
            return iv_fail(err, IV_EPARSE, "topic %s: one group has level 0 and another for %s",
                           iv_quote(quoted[0], topic), iv_quote(quoted[1], p->docno[odd]));
        if (circle != SIZE_MAX)
            return iv_fail(err, IV_EPARSE, "topic %s: preferences of one group contradict each "
                           "other: following what %s is preferred to goes in a circle",
                           iv_quote(quoted[0], topic),
                           iv_quote(quoted[1], p->docno[group[k].doc[circle]]));
        count_relevant(&group[k]);
        add_group(p->prefs, &all, &group[k], &s);
    }
    finish(p->prefs, &all, p->groups);
    if (p->groups == 1) { /* whole numbers: the preferences themselves */
        share_pairs(p->prefs, all.ful, all.poss);
        return IV_OK;
    }
    IV_TRY(iv_prefs_pairs(sum, pairs, p, group, arena, work, err));
    share_pairs(p->prefs, sum, pairs);
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
