/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Novelty and diversity: each group of the judgments is a subtopic.  A relevant document
 * of a subtopic counts (1 - alpha)^k after k others of it, times what its rank weighs.
 * As ndeval, values are over the subtopics that have a relevant document, and the ideal
 * takes the document that adds most, over and over.
 *
 * Ref: Clarke and others (2008), Novelty and diversity in information retrieval evaluation,
 * SIGIR; Clarke, Kolla and Vechtomova (2009), An effectiveness measure for ambiguous and
 * underspecified queries, ICTIR; Chapelle and others (2009), CIKM; Agrawal and others
 * (2009), Diversifying search results, WSDM; Zhai, Cohen and Lafferty (2003), SIGIR.
 */
#include "measure/definition.h"
#include "measure/judges.h"
#include "measure/topic.h"

#include <math.h>
#include <stdlib.h>

enum { DEPTH = 1000 }; /* of what has no cut-off */

typedef double weight(const iv_requested *a, double rank);

static double by_log(const iv_requested *a, double rank)
{
    (void)a;
    return 1.0 / log2(rank + 1.0);
}

static double by_rank(const iv_requested *a, double rank)
{
    (void)a;
    return 1.0 / rank;
}

static double by_patience(const iv_requested *a, double rank)
{
    return pow(a->number[0], rank - 1.0);
}

static double cut_of(const iv_requested *a)
{
    return a->cutoff > 0 ? (double)a->cutoff : (double)DEPTH;
}

static const iv_view *view_of(const iv_requested *a, const iv_topic *t, size_t group)
{
    return &t->panel->view[a->view][group];
}

/* Subtopics that have a relevant document. */
static double subtopics(const iv_requested *a, const iv_topic *t)
{
    double n = 0.0;

    for (size_t g = 0; g < t->panel->groups; g++)
        n += view_of(a, t, g)->relevant > 0;
    return n;
}

/* The novelty-biased sum of the ranking. */
static double gained(const iv_requested *a, const iv_topic *t, weight *of, double cut)
{
    double sum = 0.0;

    for (size_t g = 0; g < t->panel->groups; g++) {
        const iv_view *v = view_of(a, t, g);
        double gain = 1.0;
        for (size_t k = 0; v->relevant > 0 && k < v->found && v->rank[k] <= cut; k++) {
            sum += gain * of(a, (double)v->rank[k]);
            gain *= 1.0 - a->alpha;
        }
    }
    return sum;
}

/*
 * The ideal order.  Documents of the same subtopics add the same: they are a kind, of which the
 * first left stands in a heap.  What a kind adds only falls as documents are taken, so that the
 * top of the heap is the best where its gain is what it was when it was last looked at.
 */

/* The next judgment of the same document that adds, from o on; NULL: none. */
static const iv_group_judgment *next_of(const iv_gain_candidate *x, const iv_group_judgment *o)
{
    while (o->doc == x->at->doc && o->grade < x->level)
        o++;
    return o->doc == x->at->doc ? o : NULL;
}

static double adds(const iv_judges *p, const iv_gain_candidate *x)
{
    double sum = 0.0;

    for (const iv_group_judgment *o = x->at; (o = next_of(x, o)) != NULL; o++)
        sum += p->gain[o->group];
    return sum;
}

/* By subtopics; 0: they are of one kind. */
static int by_kind(const iv_gain_candidate *x, const iv_gain_candidate *y)
{
    const iv_group_judgment *a = next_of(x, x->at), *b = next_of(y, y->at);

    while (a != NULL && b != NULL && a->group == b->group) {
        a = next_of(x, a + 1);
        b = next_of(y, b + 1);
    }
    return a == NULL || b == NULL ? (a != NULL) - (b != NULL) : a->group < b->group ? -1 : 1;
}

/* Of a kind the last by docno first, as ndeval takes them. */
static int by_kind_and_docno(const void *a, const void *b)
{
    const iv_gain_candidate *x = a, *y = b;
    const int kind = by_kind(x, y);

    return kind != 0 ? kind : iv_str_cmp(y->docno, x->docno);
}

/* Is x to be taken before y?  Of equals the last by docno. */
static bool is_before(const iv_gain_candidate *x, const iv_gain_candidate *y)
{
    return x->gain != y->gain ? x->gain > y->gain : iv_str_cmp(x->docno, y->docno) > 0;
}

/* Lets the i-th of a heap of n sink to its place. */
static void sink(iv_gain_candidate **heap, size_t n, size_t i)
{
    iv_gain_candidate *x = heap[i];

    for (size_t next; (next = 2 * i + 1) < n; i = next) {
        next += next + 1 < n && is_before(heap[next + 1], heap[next]);
        if (is_before(x, heap[next]))
            break;
        heap[i] = heap[next];
    }
    heap[i] = x;
}

/* The documents that add something, by kind; one without a judgment ends them. */
static size_t make_heap(const iv_judges *p, int32_t level)
{
    size_t documents = 0, n = 0;

    for (size_t i = 0; i < p->judgments; i++) {
        const iv_group_judgment *o = &p->judgment[i];
        iv_gain_candidate x = { 0.0, o, p->docno[o->doc], level };
        if ((i == 0 || o[-1].doc != o->doc) && (x.gain = adds(p, &x)) > 0.0)
            p->candidate[documents++] = x;
    }
    qsort(p->candidate, documents, sizeof *p->candidate, by_kind_and_docno);
    for (size_t i = 0; i < documents; i++)
        if (i == 0 || by_kind(&p->candidate[i - 1], &p->candidate[i]) != 0)
            p->heap[n++] = &p->candidate[i];
    p->candidate[documents] = (iv_gain_candidate){ .at = NULL };
    for (size_t i = n / 2; i-- > 0;)
        sink(p->heap, n, i);
    return n;
}

/* Brings the document that adds most to the top; returns how many kinds add anything. */
static size_t find_best(const iv_judges *p, size_t n)
{
    while (n > 0) {
        iv_gain_candidate *top = p->heap[0];
        const double gain = adds(p, top);
        if (gain == top->gain)
            break;
        top->gain = gain;
        if (!(gain > 0.0))
            p->heap[0] = p->heap[--n];
        sink(p->heap, n, 0);
    }
    return n;
}

/* Takes the top; the next of its kind, which adds no more than it did, stands there. */
static size_t take(const iv_judges *p, size_t n, double alpha)
{
    iv_gain_candidate *top = p->heap[0];

    for (const iv_group_judgment *o = top->at; (o = next_of(top, o)) != NULL; o++)
        p->gain[o->group] *= 1.0 - alpha;
    if (top[1].at != NULL && by_kind(top, top + 1) == 0) {
        top[1].gain = top->gain;
        p->heap[0] = top + 1;
    } else {
        p->heap[0] = p->heap[--n];
    }
    sink(p->heap, n, 0);
    return n;
}

/* The same sum of the greedy order of all judged documents. */
static double ideal(const iv_requested *a, const iv_topic *t, weight *of, double cut)
{
    const iv_judges *p = t->panel;
    double sum = 0.0;

    for (size_t g = 0; g < p->groups; g++)
        p->gain[g] = 1.0;
    size_t n = make_heap(p, a->level > 0 ? a->level : 0);
    for (double rank = 1.0; rank <= cut && (n = find_best(p, n)) > 0; rank += 1.0) {
        const double more = sum + p->heap[0]->gain * of(a, rank);
        if (more == sum) /* what follows is less */
            break;
        sum = more;
        n = take(p, n, a->alpha);
    }
    return sum;
}

/* By a list in which every document is relevant to every subtopic. */
static double scaled(const iv_requested *a, const iv_topic *t, weight *of)
{
    const double n = subtopics(a, t), cut = cut_of(a);
    double most = 0.0, gain = 1.0;

    for (double rank = 1.0; rank <= cut && gain > 0.0; rank += 1.0) {
        most += gain * of(a, rank);
        gain *= 1.0 - a->alpha;
    }
    return n > 0.0 ? gained(a, t, of, cut) / (n * most) : 0.0;
}

static double normalized(const iv_requested *a, const iv_topic *t, weight *of, double cut)
{
    const double sum = gained(a, t, of, cut);

    /* The ideal ends by itself. */
    return sum > 0.0 ? sum / ideal(a, t, of, cut) : 0.0;
}

static void alpha_DCG(double *out, const iv_requested *a, const iv_topic *t)
{
    *out = scaled(a, t, by_log);
}

static void alpha_nDCG(double *out, const iv_requested *a, const iv_topic *t)
{
    *out = normalized(a, t, by_log, cut_of(a));
}

static void ERR_IA(double *out, const iv_requested *a, const iv_topic *t)
{
    *out = scaled(a, t, by_rank);
}

static void nERR_IA(double *out, const iv_requested *a, const iv_topic *t)
{
    *out = normalized(a, t, by_rank, cut_of(a));
}

static void NRBP(double *out, const iv_requested *a, const iv_topic *t)
{
    const double n = subtopics(a, t);

    *out = n > 0.0 ? (1.0 - (1.0 - a->alpha) * a->number[0]) / n
            * gained(a, t, by_patience, INFINITY) : 0.0;
}

static void nNRBP(double *out, const iv_requested *a, const iv_topic *t)
{
    *out = normalized(a, t, by_patience, INFINITY);
}

static void AP_IA(double *out, const iv_requested *a, const iv_topic *t)
{
    const double n = subtopics(a, t);
    double sum = 0.0;

    for (size_t g = 0; g < t->panel->groups; g++) {
        const iv_view *v = view_of(a, t, g);
        sum += v->found > 0 && v->relevant > 0 ? v->sum[v->found] / (double)v->relevant : 0.0;
    }
    *out = n > 0.0 ? sum / n : 0.0;
}

/* Documents found in the first k, summed over subtopics, or subtopics with one. */
static double found_in(const iv_requested *a, const iv_topic *t, bool once)
{
    double sum = 0.0;

    for (size_t g = 0; g < t->panel->groups; g++) {
        const iv_view *v = view_of(a, t, g);
        const size_t found = v->relevant > 0 ? iv_found_by(v, cut_of(a), 0) : 0;
        sum += once ? (double)(found > 0) : (double)found;
    }
    return sum;
}

static void P_IA(double *out, const iv_requested *a, const iv_topic *t)
{
    const double n = subtopics(a, t);

    *out = n > 0.0 ? found_in(a, t, false) / (n * cut_of(a)) : 0.0;
}

static void StRecall(double *out, const iv_requested *a, const iv_topic *t)
{
    const double n = subtopics(a, t);

    *out = n > 0.0 ? found_in(a, t, true) / n : 0.0;
}

/* ------------------------------------------------------------ measures -- */

static const double half = 0.5;

#define DIVERSE(symbol, other, keys, may, bounded, how, line, words)                 \
    static const iv_definition iv_define_##symbol = {                                \
        .info = { .name = #symbol, .ir_name = #symbol, .family = "subtopics",        \
                  .usage = how, .brief = line,                                       \
           .text = words "The second column of the judgments is the subtopic; subtopics without\n" \
                    "a relevant document do not count. Unjudged documents are relevant to none.\n" \
                    "Values over ties are not known: what is best for one subtopic is not for\n" \
                          "another.\n",                                              \
                  .kind = IV_REAL, .summary = IV_SUMMARY_MEAN, .highest = 1.0,       \
                  .above = (bounded) == IV_RANGE_NONE, /* divided by what greed finds */ \
                  .per_topic = true, .overall = true },                              \
        .ir_alias = other, .at = may, .usual = &half, .usual_count = 1, .most = 1.0, \
        .alpha = 0.5, .keywords = IV_IR_REL | (keys), .reads = IV_READS_GROUPS,      \
        .range = bounded, .compute = symbol }

#define OPEN                                                                         \
    "Bounds: an unjudged document may be relevant to any subtopics that count, or, where\n" \
    "none does, to any; one judged with a grade below 0 for some subtopics to these.\n"
#define NOVELTY(weighs)                                                              \
    "Sum over subtopics and their relevant documents of (1 - alpha)^(those above) *\n" \
    weighs
#define UP_TO_K "The first k documents; k is 1000 and alpha 0.5 unless given.\n"
#define SCALED                                                                       \
    "Divided by what it would be if every document were relevant to every subtopic.\n" \
    OPEN
#define NORMALIZED                                                                   \
    "Divided by the value of the judged documents in an ideal order, found greedily.\n" \
    "That is not always the best, the less so where documents tie: a value can be above 1.\n" \
    "Bounds are not known: the best order is NP-hard to find, the greedy one no bound.\n"

DIVERSE(alpha_DCG, "\u03b1_DCG", IV_IR_ALPHA, IV_AT_MAY, IV_RANGE_RISES,
        "alpha_DCG@20  alpha_DCG(alpha=0.3)@10", "alpha-DCG: DCG with novelty",
        NOVELTY("1 / log2(rank + 1). ") UP_TO_K SCALED);
DIVERSE(alpha_nDCG, "\u03b1_nDCG", IV_IR_ALPHA, IV_AT_MAY, IV_RANGE_NONE,
        "alpha_nDCG@20  alpha_nDCG(alpha=0.3)@10", "alpha-nDCG: nDCG with novelty",
        NOVELTY("1 / log2(rank + 1). ") UP_TO_K NORMALIZED);
DIVERSE(ERR_IA, NULL, 0, IV_AT_MAY, IV_RANGE_RISES, "ERR_IA@20",
        "ERR-IA: expected reciprocal rank over subtopics", NOVELTY("1 / rank. ") UP_TO_K SCALED);
DIVERSE(nERR_IA, NULL, 0, IV_AT_MAY, IV_RANGE_NONE, "nERR_IA@20",
        "ERR-IA divided by that of an ideal order", NOVELTY("1 / rank. ") UP_TO_K NORMALIZED);
DIVERSE(NRBP, NULL, IV_IR_ALPHA | IV_IR_BETA, IV_AT_NEVER, IV_RANGE_RISES,
        "NRBP  NRBP(alpha=0.5,beta=0.8)", "novelty- and rank-biased precision",
        NOVELTY("beta^(rank - 1); alpha and beta are 0.5 unless given.\n") SCALED);
DIVERSE(nNRBP, NULL, IV_IR_ALPHA | IV_IR_BETA, IV_AT_NEVER, IV_RANGE_NONE,
        "nNRBP  nNRBP(alpha=0.5,beta=0.8)", "NRBP divided by that of an ideal order",
        NOVELTY("beta^(rank - 1); alpha and beta are 0.5 unless given.\n") NORMALIZED);
DIVERSE(AP_IA, "MAP_IA", 0, IV_AT_NEVER, IV_RANGE_AP_IA, "AP_IA  MAP_IA",
        "average precision over subtopics",
        "The mean over subtopics of average precision.\n"
        OPEN);
DIVERSE(P_IA, NULL, 0, IV_AT_MAY, IV_RANGE_RISES, "P_IA@10", "precision over subtopics",
        "The mean over subtopics of P@k; k is 1000 unless given.\n"
        OPEN);
DIVERSE(StRecall, "strec", 0, IV_AT_MAY, IV_RANGE_RISES, "StRecall@10  strec@10",
        "subtopic recall",
        "The proportion of subtopics with a relevant document in the first k, 1000 unless given.\n"
        OPEN);

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_subtopics[] = {
    &iv_define_alpha_DCG, &iv_define_alpha_nDCG, &iv_define_ERR_IA, &iv_define_nERR_IA,
    &iv_define_NRBP, &iv_define_nNRBP, &iv_define_AP_IA, &iv_define_P_IA, &iv_define_StRecall,
    NULL
};
