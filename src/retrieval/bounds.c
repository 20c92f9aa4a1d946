/* SPDX-License-Identifier: Apache-2.0 */
/* Which values have bounds and ties, the lowest and highest values, and the expected ones. */
#include "base/hash.h"
#include "measure/measures.h"
#include "measure/requested.h"
#include "retrieval/ranges.h"

#include <math.h>
#include <string.h>

/* Which values have bounds and ties, and their parameters. */

/* Does a higher grade never gain less, and none less than nothing? */
static bool gains_ascend(const iv_requested *a, int32_t largest)
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

iv_range_value iv_range_value_of(const iv_measures *m, size_t i, int32_t largest,
                                 bool ties)
{
    const iv_requested *a = &m->requested[m->owner[i]];
    const iv_value_info *info = &m->value[i];
    iv_range_value v = { .measures = m, .index = i,
                         .kind = a->definition->range,
                         .cutoff = info->cutoff > 0 ? info->cutoff : SIZE_MAX,
                         .depth = m->options.depth, .level = a->level,
                         .binary = a->rel_given, .judged_only = a->judged_only,
                         .persistence = a->persistence,
                         .max_grade = a->max_grade > 0 ? a->max_grade : largest };

    if (a->definition->topic_scaled)
        v.max_grade = 1;
    /* trec_eval 10's rbp scales by each topic's grades: only 0 and 1 are simple. */
    if ((a->definition->topic_scaled && (largest > 1 || a->pair_count > 0))
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
    const iv_measure_info *info = &m->requested[m->owner[i]].definition->info;

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

/* 1 / log2(rank + 1), rank from 1. */
static double discount(size_t rank)
{
    return 1.0 / log2((double)rank + 1.0);
}

/*
 * Bounds of AP, AP over subtopics, and R-precision over the unjudged retrieved documents.
 *
 * When j of them are relevant, the value is highest with the j top-ranked and
 * lowest with the j bottom-ranked ones: a relevant document that moves up
 * never lowers it.  j also raises R, so that neither "none" nor "all" need be
 * an extreme: every j is tried, each in constant time from the last.
 */

static bool is_relevant(const iv_range_value *v, int32_t grade)
{
    return grade >= 0 && grade >= v->level;
}

static void widen(iv_limits *b, double value)
{
    b->lower = fmin(b->lower, value);
    b->upper = fmax(b->upper, value);
}

/* above[r]: relevant before rank r; below[r]: sum of 1/rank from r on. */
static double count_relevant(double *above, double *below, const iv_range_value *v,
                             const iv_graded *g, size_t cut)
{
    double sum = 0.0;

    above[0] = 0.0;
    for (size_t r = 0; r < g->n; r++) {
        const bool relevant = is_relevant(v, g->grade[r]);
        above[r + 1] = above[r] + (relevant ? 1.0 : 0.0);
        if (relevant && r < cut)
            sum += above[r + 1] / (double)(r + 1);
    }
    below[g->n] = 0.0;
    for (size_t r = g->n; r-- > 0;)
        below[r] = below[r + 1]
            + (r < cut && is_relevant(v, g->grade[r]) ? 1.0 / (double)(r + 1) : 0.0);
    return sum;
}

static double ratio(double sum, double relevant)
{
    return relevant > 0.0 ? sum / relevant : 0.0;
}

iv_limits iv_bounds_ap(const iv_range_value *v, const iv_graded *g, size_t judged_relevant,
                       size_t least, size_t most, double *room)
{
    double *above = room, *below = room + g->n + 1;
    const size_t cut = v->cutoff < g->n ? v->cutoff : g->n;
    const double relevant = (double)judged_relevant;
    const double start = count_relevant(above, below, v, g, cut);
    iv_limits b = { INFINITY, -INFINITY };
    double sum = start, added = 0.0;

    if (least == 0)
        widen(&b, ratio(start, relevant));
    /* From the top: those added stand above, the judged ones above and below. */
    for (size_t r = 0, j = 0; r < g->n && j < most; r++) {
        if (g->grade[r] >= 0)
            continue;
        j++;
        if (r < cut)
            sum += (above[r] + (double)j) / (double)(r + 1) + below[r];
        if (j >= least)
            widen(&b, ratio(sum, relevant + (double)j));
    }
    /* From the bottom: those added stand below. */
    sum = start;
    for (size_t r = g->n, j = 0; r-- > 0 && j < most;) {
        if (g->grade[r] >= 0)
            continue;
        j++;
        if (r < cut) {
            sum += (above[r] + 1.0) / (double)(r + 1) + below[r] + added;
            added += 1.0 / (double)(r + 1);
        }
        if (j >= least)
            widen(&b, ratio(sum, relevant + (double)j));
    }
    return b;
}

/* What the group says of a document, from its first judgment: relevant, not, or -1: open. */
static int32_t group_finds(const iv_graded *g, const iv_judgment *first, int32_t group,
                        const iv_range_value *v)
{
    const iv_judgment *end = g->judged + g->judged_count;

    for (const iv_judgment *j = first; j < end && iv_str_eq(j->docno, first->docno); j++)
        if (j->stratum == group)
            return j->grade < 0 ? -1 : is_relevant(v, j->grade);
    return 0;
}

iv_limits iv_bounds_ap_ia(const iv_range_value *v, const iv_graded *g, const iv_hit *hits,
                          int32_t largest, int32_t *scratch, double *room)
{
    const iv_graded own = { .grade = scratch, .n = g->n };
    iv_range_value yes_or_no = *v;
    iv_limits sum = { 0.0, 0.0 };
    double counted = 0.0, highest = 0.0;
    int32_t last = -1;

    yes_or_no.level = 1; /* what a group did not judge is not relevant to it at any level */
    for (size_t i = 0; i < g->judged_count; i++)
        last = g->judged[i].stratum > last ? g->judged[i].stratum : last;
    for (int32_t group = 0; group <= last; group++) {
        size_t relevant = 0, unjudged = 0;
        for (size_t i = 0; i < g->judged_count; i++)
            relevant += g->judged[i].stratum == group && is_relevant(v, g->judged[i].grade);
        if (relevant == 0 && counted > 0.0)
            continue;
        for (size_t r = 0; r < g->n; r++) {
            scratch[r] = g->grade[r] < 0 ? -1 : group_finds(g, hits[r].judgment, group, v);
            unjudged += scratch[r] < 0;
        }
        const iv_limits b = iv_bounds_ap(&yes_or_no, &own, relevant, v->level <= 0 ? unjudged : 0,
                                         v->level <= largest ? unjudged : 0, room);
        highest = fmax(highest, b.upper);
        if (relevant == 0)
            continue;
        sum.lower += b.lower;
        sum.upper += b.upper;
        counted += 1.0;
    }
    /* Where none counts, those count that some document turns out to be relevant to. */
    return counted > 0.0 ? (iv_limits){ sum.lower / counted, sum.upper / counted }
                         : (iv_limits){ 0.0, highest };
}

iv_limits iv_bounds_rprec(const iv_range_value *v, const iv_graded *g, size_t least, size_t most)
{
    const size_t relevant = iv_graded_relevant(g, v->level);
    size_t unjudged = 0, rank = 0, found = 0, open_above = 0;
    iv_limits b = { INFINITY, -INFINITY };

    for (size_t r = 0; r < g->n; r++)
        unjudged += g->grade[r] < 0;
    for (size_t j = least; j <= most; j++) {
        const size_t all = relevant + j;
        for (; rank < all && rank < g->n; rank++) {
            found += is_relevant(v, g->grade[rank]);
            open_above += g->grade[rank] < 0;
        }
        const size_t open_below = unjudged - open_above;
        const size_t high = found + (j < open_above ? j : open_above);
        const size_t low = found + (j > open_below ? j - open_below : 0);
        widen(&b, ratio((double)high, (double)all));
        widen(&b, ratio((double)low, (double)all));
    }
    return b;
}

/*
 * Bounds of nDCG over the unjudged retrieved documents, every grade allowed.
 *
 * Gains come in layers: with v[0] < v[1] < ... the different gains, a document
 * of gain v[i] stands in layers 1 to i, each worth v[i] - v[i-1].  If m[i]
 * unjudged documents reach layer i, and N[i] judged ones do,
 *
 *     DCG   = DCG of the judged + sum over i of (v[i] - v[i-1]) T(m[i])
 *     ideal = sum over i of (v[i] - v[i-1]) D(N[i] + m[i])
 *
 * T(m): the discounts of the m top-ranked unjudged documents (bottom-ranked
 * for the lower bound), D(c): of the first c ranks.  Both are sums over layers
 * tied together only by m[1] >= m[2] >= ..., so that for a given t the best of
 * DCG - t ideal is found layer by layer with running extremes, and the best
 * ratio by Dinkelbach's iteration, which ends at the exact optimum after a few
 * rounds.
 *
 * Ref: Dinkelbach (1967), On nonlinear fractional programming, Management
 * Science 13, 492-498.
 */

/* A topic in layers. */
typedef struct layers {
    double step[IV_RANGE_GRADES];    /* v[i] - v[i-1]; step[0] = v[0] */
    size_t judged[IV_RANGE_GRADES];  /* N[i] */
    size_t count, open;              /* layers; unjudged documents */
    double dcg;                      /* without what is open */
    const double *ideal;             /* D(c), c = 0 ... judged + open */
    double *taken;                   /* T(m), m = 0 ... open */
    /* The best of the layers from i on, given at most m documents reach them: dcg - t ideal. */
    double *best, *best_dcg, *best_ideal;
} layers;

size_t iv_bounds_ndcg_room(size_t n, size_t judged)
{
    return (judged + n + 1) + 4 * (n + 1);
}

static void find_layers(layers *l, const iv_range_value *v, const iv_graded *g,
                        const int32_t *grades, size_t grade_count)
{
    double last = 0.0;

    for (size_t k = 0; k < grade_count; k++) {
        const double gain = iv_measures_gain(v->measures, v->index, grades[k]);
        if (k > 0 && !(gain > last))
            continue; /* no layer of its own */
        l->step[l->count] = gain - last;
        l->judged[l->count++] = iv_graded_relevant(g, grades[k]);
        last = gain;
    }
}

static double fixed_dcg(const iv_range_value *v, const iv_graded *g, size_t cut)
{
    double sum = 0.0;

    for (size_t r = 0; r < cut; r++)
        if (g->grade[r] > 0 || (g->grade[r] == 0 && iv_measures_gain(v->measures, v->index, 0)
                                > 0.0))
            sum += iv_measures_gain(v->measures, v->index, g->grade[r]) * discount(r + 1);
    return sum;
}

/* T from the top or from the bottom. */
static void fill_taken(layers *l, const iv_graded *g, size_t cut, bool from_top)
{
    size_t m = 0;

    l->taken[0] = 0.0;
    for (size_t k = 0; k < g->n; k++) {
        const size_t r = from_top ? k : g->n - 1 - k;
        if (g->grade[r] >= 0)
            continue;
        l->taken[m + 1] = l->taken[m] + (r < cut ? discount(r + 1) : 0.0);
        m++;
    }
}

/*
 * One round: the extreme of dcg - t ideal (highest for sign 1, lowest for -1),
 * and the ratio where it is reached.
 */
static double best_ratio(const layers *l, double t, double sign)
{
    for (size_t m = 0; m <= l->open; m++)
        l->best[m] = l->best_dcg[m] = l->best_ideal[m] = 0.0;
    for (size_t i = l->count; i-- > 1;) {
        size_t at = 0;
        for (size_t m = 0; m <= l->open; m++) {
            const double dcg = l->best_dcg[m] + l->step[i] * l->taken[m];
            const double ideal = l->best_ideal[m] + l->step[i] * l->ideal[l->judged[i] + m];
            const double excess = sign * (dcg - t * ideal);
            l->best_dcg[m] = dcg;
            l->best_ideal[m] = ideal;
            l->best[m] = excess;
            /* Running extreme: fewer than m documents are allowed, too. */
            if (excess > l->best[at] || m == 0)
                at = m;
            l->best[m] = l->best[at];
            l->best_dcg[m] = l->best_dcg[at];
            l->best_ideal[m] = l->best_ideal[at];
        }
    }
    const double dcg = l->dcg + l->step[0] * l->taken[l->open] + l->best_dcg[l->open];
    const double ideal = l->step[0] * l->ideal[l->judged[0] + l->open] + l->best_ideal[l->open];
    return ideal > 0.0 ? dcg / ideal : 0.0;
}

/* The ratio when every unjudged document has the lowest or the highest grade. */
static double end_ratio(const layers *l, size_t m)
{
    double dcg = l->dcg + l->step[0] * l->taken[l->open];
    double ideal = l->step[0] * l->ideal[l->judged[0] + l->open];

    for (size_t i = 1; i < l->count; i++) {
        dcg += l->step[i] * l->taken[m];
        ideal += l->step[i] * l->ideal[l->judged[i] + m];
    }
    return ideal > 0.0 ? dcg / ideal : 0.0;
}

static double extreme(const layers *l, double sign)
{
    const double none = end_ratio(l, 0), all = end_ratio(l, l->open);
    double t = sign > 0.0 ? fmax(none, all) : fmin(none, all);

    for (int round = 0; round < 100; round++) {
        const double next = best_ratio(l, t, sign);
        if (!(sign * (next - t) > 0.0))
            break;
        t = next;
    }
    return t;
}

iv_limits iv_bounds_ndcg(const iv_range_value *v, const iv_graded *g,
                         const int32_t *grades, size_t grade_count, double *room)
{
    const size_t cut = v->cutoff < g->n ? v->cutoff : g->n;
    double *ideal = room;
    double *taken = room + g->judged_count + g->n + 1;
    layers l = { .ideal = ideal, .taken = taken, .best = taken + (g->n + 1),
                 .best_dcg = taken + 2 * (g->n + 1), .best_ideal = taken + 3 * (g->n + 1) };
    iv_limits b;

    for (size_t r = 0; r < g->n; r++)
        l.open += g->grade[r] < 0;
    ideal[0] = 0.0;
    for (size_t c = 0; c < g->judged_count + l.open; c++)
        ideal[c + 1] = ideal[c] + (c < v->cutoff ? discount(c + 1) : 0.0);
    find_layers(&l, v, g, grades, grade_count);
    l.dcg = fixed_dcg(v, g, cut);
    fill_taken(&l, g, cut, true);
    b.upper = extreme(&l, 1.0);
    fill_taken(&l, g, cut, false);
    b.lower = extreme(&l, -1.0);
    return b;
}

/*
 * Expected values over the orders of documents of equal score, every order
 * within a group equally likely.
 *
 * A group of n documents, r of them relevant, on ranks s + 1 to s + n: each of
 * its ranks holds a relevant document with probability r/n, and given one
 * there, each other rank of the group does with probability (r-1)/(n-1).
 *
 * Ref: McSherry and Najork (2008), Computing information retrieval performance
 * measures efficiently in the presence of tied scores, ECIR, 414-421.
 */

/* One group as a binary measure sees it. */
typedef struct group {
    size_t start, n; /* ranks start + 1 ... start + n */
    size_t inside;   /* of these, at or above the cut-off */
    double relevant;
} group;

static size_t cut_of(const iv_range_value *v)
{
    return v->cutoff < v->depth ? v->cutoff : v->depth;
}

static group group_at(const iv_range_value *v, const iv_graded *g, size_t k, size_t cut)
{
    group x = { .start = k > 0 ? g->end[k - 1] : 0 };

    x.n = g->end[k] - x.start;
    if (cut > x.start)
        x.inside = cut - x.start < x.n ? cut - x.start : x.n;
    for (size_t i = 0; i < x.n; i++)
        x.relevant += is_relevant(v, g->grade[x.start + i]);
    return x;
}

/* Relevant documents at or above a cut-off. */
static double expected_found(const iv_range_value *v, const iv_graded *g, size_t cut)
{
    double sum = 0.0;

    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut);
        sum += x.relevant * (double)x.inside / (double)x.n;
    }
    return sum;
}

static double expected_ap(const iv_range_value *v, const iv_graded *g)
{
    const double all = (double)iv_graded_relevant(g, v->level);
    double sum = 0.0, above = 0.0;

    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        const double others = x.n > 1 ? (x.relevant - 1.0) / (double)(x.n - 1) : 0.0;
        for (size_t i = 0; i < x.inside && x.relevant > 0.0; i++)
            sum += x.relevant / (double)x.n * (1.0 + above + (double)i * others)
                / (double)(x.start + i + 1);
        above += x.relevant;
    }
    return all > 0.0 ? sum / all : 0.0;
}

/* Only the first group with a relevant document matters. */
static double expected_rr(const iv_range_value *v, const iv_graded *g)
{
    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        double first = x.relevant / (double)x.n, sum = 0.0;
        if (!(x.relevant > 0.0))
            continue;
        for (size_t i = 0; i < x.inside && first > 0.0; i++) {
            sum += first / (double)(x.start + i + 1);
            /* The next rank is first if this one was not. */
            const double left = (double)(x.n - i - 1);
            first = left > 0.0 ? first * (left - x.relevant + 1.0) / left : 0.0;
        }
        return sum;
    }
    return 0.0;
}

static double expected_success(const iv_range_value *v, const iv_graded *g)
{
    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        double none = 1.0;
        if (!(x.relevant > 0.0))
            continue;
        for (double i = 0.0; i < x.relevant; i += 1.0)
            none *= fmax(0.0, (double)(x.n - x.inside) - i) / ((double)x.n - i);
        return 1.0 - none;
    }
    return 0.0;
}

/* (2^grade - 1) / 2^max, as the measure has it. */
static double stop_at(const iv_range_value *v, int32_t grade)
{
    const double max = (double)v->max_grade;

    return grade > 0 ? exp2(fmin((double)grade, max) - max) - exp2(-max) : 0.0;
}

/*
 * through[p]: the expected product of (1 - s) over p documents of a group
 * taken at random; adding document m to the group,
 * through[p] = ((m - p) through[p] + p (1 - s) through[p - 1]) / m.
 */
static double expected_err(const iv_range_value *v, const iv_graded *g, double *through)
{
    double sum = 0.0, arrives = 1.0;

    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        through[0] = 1.0;
        for (size_t m = 1; m <= x.n; m++) {
            const double pass = 1.0 - stop_at(v, g->grade[x.start + m - 1]);
            size_t p = m < x.inside ? m : x.inside;
            if (p == m && p > 0) {
                through[p] = pass * through[p - 1];
                p--;
            }
            for (; p > 0; p--)
                through[p] = ((double)(m - p) * through[p]
                              + (double)p * pass * through[p - 1]) / (double)m;
        }
        for (size_t i = 0; i < x.inside; i++)
            sum += arrives * (through[i] - through[i + 1]) / (double)(x.start + i + 1);
        if (x.inside < x.n)
            break; /* the cut-off lies in this group */
        arrives *= through[x.n];
    }
    return sum;
}

static double gain_of(const iv_range_value *v, int32_t grade)
{
    if (v->kind == IV_RANGE_NDCG)
        return iv_measures_gain(v->measures, v->index, grade);
    if (v->kind == IV_RANGE_WEIGHTS)
        return iv_model_gain(iv_requested_of(v->measures, v->index), v->max_grade, grade);
    if (v->binary)
        return is_relevant(v, grade) ? 1.0 : 0.0;
    return grade > 0 ? fmin((double)grade, (double)v->max_grade) / (double)v->max_grade : 0.0;
}

/* What a rank weighs. */
static double weight_of(const iv_range_value *v, size_t rank)
{
    if (v->kind == IV_RANGE_WEIGHTS)
        return iv_model_weight(iv_requested_of(v->measures, v->index), rank);
    return v->kind == IV_RANGE_NDCG ? discount(rank)
                                    : pow(v->persistence, (double)(rank - 1));
}

/*
 * Sums that are linear in the gains: each rank expects its group's mean gain.
 * The two sums differ by the order only, so that their ratio scales the
 * highest value to the expected one, whatever it is divided by.
 */
static double expected_linear(const iv_range_value *v, const iv_graded *g, double highest)
{
    double best = 0.0, expected = 0.0;

    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        double gains = 0.0, weights = 0.0;
        for (size_t i = 0; i < x.n; i++) {
            const double gain = gain_of(v, g->grade[x.start + i]);
            gains += gain;
            if (i < x.inside) {
                const double weight = weight_of(v, x.start + i + 1);
                best += gain * weight;
                weights += weight;
            }
        }
        expected += gains / (double)x.n * weights;
    }
    return best > 0.0 ? highest * (expected / best) : 0.0;
}

double iv_expected(const iv_range_value *v, const iv_graded *g,
                   double highest, double *room)
{
    const size_t relevant = iv_graded_relevant(g, v->level);

    switch (v->kind) {
    case IV_RANGE_AP:
        return expected_ap(v, g);
    case IV_RANGE_P:
        return expected_found(v, g, cut_of(v)) / (double)v->cutoff;
    case IV_RANGE_RECALL:
        return relevant > 0
            ? expected_found(v, g, cut_of(v)) / (double)relevant : 0.0;
    case IV_RANGE_RPREC:
        return relevant > 0
            ? expected_found(v, g, relevant < v->depth ? relevant : v->depth)
                / (double)relevant : 0.0;
    case IV_RANGE_RR:
        return expected_rr(v, g);
    case IV_RANGE_SUCCESS:
        return expected_success(v, g);
    case IV_RANGE_ERR:
        return expected_err(v, g, room);
    case IV_RANGE_NDCG:
    case IV_RANGE_RBP:
    case IV_RANGE_WEIGHTS:
        return expected_linear(v, g, highest);
    case IV_RANGE_NONE:
    case IV_RANGE_AP_IA:
    case IV_RANGE_RISES:
        break;
    }
    return (double)NAN;
}
