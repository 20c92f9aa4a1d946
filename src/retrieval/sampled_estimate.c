/* SPDX-License-Identifier: Apache-2.0 */
/* Every measure of one topic of one run. */
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/names.h"
#include "measure/measures.h"
#include "measure/scorer.h"
#include "num/dist.h"
#include "num/logit.h"
#include "retrieval/sampled_worker.h"
#include "sampling/scheme.h"
#include "trec/judgments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which measures can be estimated from a sample, and how they are asked for. */

IV_NAMES(iv_estimator_names, "auto", "corrected", "published")

/* The complete measures that have an estimate. */
static const struct known {
    const char *name; /* trec_eval's */
    iv_sampled_kind kind;
    bool count;
} known[] = {
    { "map", IV_SAMPLED_AP, false },
    { "map_cut", IV_SAMPLED_AP, false },
    { "P", IV_SAMPLED_P, false },
    { "recall", IV_SAMPLED_RECALL, false },
    { "Rprec", IV_SAMPLED_RPREC, false },
    { "ndcg", IV_SAMPLED_NDCG, false },
    { "ndcg_cut", IV_SAMPLED_NDCG, false },
    { "num_rel", IV_SAMPLED_NUM_REL, true },
    { "num_rel_ret", IV_SAMPLED_NUM_REL_RET, true },
    { "num_ret", IV_SAMPLED_NUM_RET, true },
    { "infAP", IV_SAMPLED_INFAP, false },
};

/* TREC's own, which are no complete measures. */
static const struct known inferred[] = {
    { "xinfAP", IV_SAMPLED_XINFAP, false },
    { "infNDCG", IV_SAMPLED_INFNDCG, false },
    { "inum_rel", IV_SAMPLED_INUM_REL, true },
    { "inum_rel_ret", IV_SAMPLED_INUM_REL_RET, true },
};

static const struct known *find_inferred(const char *name)
{
    for (size_t i = 0; i < sizeof inferred / sizeof *inferred; i++)
        if (strcmp(name, inferred[i].name) == 0)
            return &inferred[i];
    return NULL;
}

/* The cut-offs of iP_10, iP10, iP@10, iP.10,50; 0 when it is none of them. */
static size_t inferred_cutoffs(size_t out[8], const char *name)
{
    size_t count = 0;

    if (strncmp(name, "iP", 2) != 0)
        return 0;
    const char *p = name + 2;
    if (*p == '_' || *p == '@' || *p == '.')
        p++;
    while (count < 8) {
        const char *end = p + strcspn(p, ",");
        int64_t k;
        if (!iv_scan_int(&k, (iv_str){ p, (size_t)(end - p) }, 1, 1000))
            return 0;
        out[count++] = (size_t)k;
        if (*end == '\0')
            return count;
        p = end + 1;
    }
    return 0;
}

static bool is_inferred(const char *name)
{
    size_t unused[8];

    return find_inferred(name) != NULL || inferred_cutoffs(unused, name) > 0;
}

void iv_sampled_measures_free(iv_sampled_measures *m)
{
    if (m == NULL)
        return;
    iv_measures_free(m->complete);
    iv_arena_free(&m->names);
    free(m->values);
    free(m);
}

static bool add_value(iv_sampled_measures *m, iv_sampled_value v)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->values[i].name, v.name) == 0)
            return true; /* asked for twice */
    if (!IV_ROOM(m->values, m->capacity, m->count + 1))
        return false;
    v.name = iv_arena_copy(&m->names, iv_str_of(v.name));
    m->values[m->count++] = v;
    return v.name != NULL;
}

static bool add_inferred(iv_sampled_measures *m, const char *name, int32_t level)
{
    const struct known *k = find_inferred(name);
    size_t cuts[8];
    bool good = true;

    if (k != NULL)
        return add_value(m, (iv_sampled_value){ name, k->kind, 0, level, k->count, true,
                                                IV_NONE });
    const size_t count = inferred_cutoffs(cuts, name);
    for (size_t i = 0; i < count && good; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "iP_%zu", cuts[i]);
        good = add_value(m, (iv_sampled_value){ label, IV_SAMPLED_IP, cuts[i], level, false,
                                                true, IV_NONE });
    }
    return good;
}

/* ------------------------------------------------------------- complete -- */

static size_t place_of(const iv_measures *m, const char *name)
{
    for (size_t i = 0; i < iv_measures_count(m); i++)
        if (strcmp(iv_measures_value(m, i)->name, name) == 0)
            return i;
    return IV_NONE;
}

static int add_complete(iv_sampled_measures *m, const iv_value_info *v, iv_err *err)
{
    const struct known *k = NULL;

    for (size_t i = 0; i < sizeof known / sizeof *known && k == NULL; i++)
        if (strcmp(v->measure->name, known[i].name) == 0)
            k = &known[i];
    if (k == NULL || v->judged_only)
        return iv_fail(err, IV_EARG, "%s cannot be estimated from a sample of judgments; "
                       "known are AP, P, recall, Rprec, nDCG, num_rel, num_rel_ret, infAP, "
                       "xinfAP, infNDCG, iP_k, inum_rel", v->name);
    return add_value(m, (iv_sampled_value){ v->name, k->kind, v->cutoff, v->level, k->count,
                                            k->kind == IV_SAMPLED_INFAP,
                                            place_of(m->complete, v->name) })
        ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory for measures");
}

/* A name of the complete measures: its values, in their order. */
static int add_name(iv_sampled_measures *m, const char *name, const iv_measure_options *o,
                    iv_err *err)
{
    iv_measures *one = NULL;
    int rc = iv_measures_parse(&one, &name, 1, o, err);

    for (size_t i = 0; rc == IV_OK && i < iv_measures_count(one); i++)
        rc = add_complete(m, iv_measures_value(one, i), err);
    iv_measures_free(one);
    return rc;
}

int iv_measures_parse_complete(iv_measures **out, const char *const *names, size_t count,
                               const iv_measure_options *options, iv_err *err)
{
    const char **complete = malloc((count + 1) * sizeof *complete);
    size_t n = 0;

    if (complete == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for measures");
    for (size_t i = 0; i < count; i++)
        if (!is_inferred(names[i]))
            complete[n++] = names[i];
    const int rc = n > 0 ? iv_measures_parse(out, complete, n, options, err) : IV_OK;
    free(complete);
    return rc;
}

static int parse_all(iv_sampled_measures *m, const char *const *names, size_t count,
                     const iv_measure_options *o, iv_err *err)
{
    int rc = iv_measures_parse_complete(&m->complete, names, count, o, err);

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        if (!is_inferred(names[i]))
            rc = add_name(m, names[i], o, err);
        else if (!add_inferred(m, names[i], iv_measure_options_of(o).level))
            rc = iv_fail(err, IV_ENOMEM, "out of memory for measures");
    }
    return rc;
}

int iv_sampled_measures_parse(iv_sampled_measures **out, const char *const *names,
                              size_t count, const iv_measure_options *options, iv_err *err)
{
    iv_measure_options o = options != NULL ? *options : (iv_measure_options){ 0 };
    iv_sampled_measures *m = calloc(1, sizeof *m);

    if (m == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for measures");
    o.as_trec_eval = false;
    m->depth = iv_measure_options_of(&o).depth;
    const int rc = parse_all(m, names, count, &o, err);
    if (rc == IV_OK)
        *out = m;
    else
        iv_sampled_measures_free(m);
    return rc;
}

int iv_sampled_check(const iv_sampling *s, const iv_sampled_measures *m, iv_err *err)
{
    const iv_judgments *j = s->judgments;
    const size_t depth = s->noted.depth;

    for (size_t i = 0; i < m->count; i++) {
        if (depth > 0 && m->values[i].cutoff > depth)
            return iv_fail(err, IV_EARG, "%s looks deeper than the sampled frame, the first %zu "
                           "documents of each run; expected a cut-off of at most %zu",
                           m->values[i].name, depth, depth);
        if (!m->values[i].inferred)
            continue;
        for (size_t t = 0; t < iv_judgments_topics(j); t++) {
            const iv_sampling_topic topic = iv_sampling_topic_at(s, t);
            if (!topic.frame_known && !topic.certain)
                return iv_fail(err, IV_EARG, "%s needs a uniform or stratified sample with "
                               "the documents that were not sampled, and these judgments "
                               "have none; AP can be estimated", m->values[i].name);
        }
    }
    return IV_OK;
}

/* An interval for one topic's estimate, or the reason why there is none. */

const char *iv_sampled_gap_text(iv_sampled_gap gap)
{
    static const char *const texts[] = {
        [IV_SAMPLED_INTERVAL] = "",
        [IV_SAMPLED_NO_RELEVANT] = "no relevant document in the sample",
        [IV_SAMPLED_FEW] = "fewer than 2 relevant documents sampled",
        [IV_SAMPLED_ZERO] =
            "the estimate is 0: no relevant document of the sample is in the ranking",
        [IV_SAMPLED_RANGE] = "the estimate is not below 1",
        [IV_SAMPLED_NO_SPREAD] = "the estimated variance is not positive",
        [IV_SAMPLED_INFERRED] = "no variance is known for this estimate",
    };

    return texts[gap];
}

static iv_sampled_gap gap_of(const iv_estimate *e, bool count)
{
    if (isnan(e->variance))
        return IV_SAMPLED_INFERRED;
    if (e->gap == IV_SAMPLED_NO_RELEVANT)
        return e->gap;
    if (e->relevant < 2)
        return IV_SAMPLED_FEW;
    if (!(e->value > 0.0))
        return IV_SAMPLED_ZERO;
    if (!count && !(e->value < 1.0))
        return IV_SAMPLED_RANGE;
    return e->variance > 0.0 ? IV_SAMPLED_INTERVAL : IV_SAMPLED_NO_SPREAD;
}

void iv_estimate_interval(iv_estimate *e, bool count, double least, double confidence)
{
    e->lower = e->upper = (double)NAN;
    if (e->exact) {
        e->gap = IV_SAMPLED_INTERVAL;
        e->lower = e->upper = e->value;
        return;
    }
    e->gap = gap_of(e, count);
    if (e->gap != IV_SAMPLED_INTERVAL)
        return;
    const double size = 0.5 * ((double)e->relevant + e->effective);
    const double t = iv_t_isf(0.5 * (1.0 - confidence), fmax(1.0, size - 1.0));
    const double half = t * sqrt(e->variance);
    if (count) {
        e->lower = fmax(least, e->value * exp(-half / e->value));
        e->upper = e->value * exp(half / e->value);
        return;
    }
    iv_logit_wald(&e->lower, &e->upper, e->value, half);
}

/*
 * Precision, recall and average precision from probabilities of inclusion.
 *
 * Corrected against Aslam and Pavlu (2008): in the precision at a sampled
 * relevant document, its own term counts 1 and not 1/pi, since the document is
 * in the sample; and u follows the estimated precisions, too.
 */

double iv_sampled_total(double *u, const iv_sampled_view *v)
{
    double total = 0.0;

    for (size_t i = 0; i < v->count; i++) {
        const bool relevant = iv_sampled_relevant(v, i);
        if (relevant)
            total += 1.0 / v->pi[i];
        if (u != NULL)
            u[i] = relevant;
    }
    return total;
}

size_t iv_sampled_drawn(const iv_sampled_view *v)
{
    size_t count = 0;

    for (size_t i = 0; i < v->count; i++)
        count += iv_sampled_relevant(v, i) && v->pi[i] < 1.0;
    return count;
}

double iv_sampled_effective(const double *u, const iv_sampled_view *v)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < v->count; i++) {
        if (u[i] == 0.0)
            continue;
        const double z = u[i] / v->pi[i], a = (1.0 - v->pi[i]) * z * z;
        sum += a;
        squares += a * a;
    }
    return squares > 0.0 ? sum * sum / squares : 0.0;
}

/* ------------------------------------------------------ average precision -- */

double iv_sampled_ap(double *u, const iv_sampled_view *v, double total, size_t cutoff,
                     iv_estimator estimator)
{
    size_t end = 0;
    double above = 0.0, below = 0.0, sum = 0.0;

    while (end < v->found_count && (cutoff == 0 || v->rank[end] <= (double)cutoff))
        end++;
    memset(u, 0, v->count * sizeof *u);
    for (size_t k = 0; k < end; k++) {
        const size_t d = v->found[k];
        if (!iv_sampled_relevant(v, d))
            continue;
        const double weight = 1.0 / v->pi[d];
        const double own = estimator == IV_ESTIMATOR_PUBLISHED ? weight : 1.0;
        u[d] = (own + above) / v->rank[k];
        sum += u[d] * weight;
        above += weight;
    }
    const double ap = sum / total;
    for (size_t k = end; k-- > 0 && estimator != IV_ESTIMATOR_PUBLISHED;) {
        const size_t d = v->found[k];
        if (!iv_sampled_relevant(v, d))
            continue;
        u[d] += below;
        below += 1.0 / (v->pi[d] * v->rank[k]);
    }
    for (size_t i = 0; i < v->count; i++)
        u[i] = iv_sampled_relevant(v, i) ? (u[i] - ap) / total : 0.0;
    return ap;
}

double iv_sampled_printed_variance(const double *u, const iv_sampled_view *v, size_t absent)
{
    double own = 0.0, sum = 0.0, squares = 0.0;
    size_t sampled = absent;

    for (size_t i = 0; i < v->count; i++) {
        if (!(v->pi[i] > 0.0))
            continue;
        const double z = u[i] / v->pi[i];
        own += (1.0 - v->pi[i]) * z * z;
        sum += z;
        squares += z * z;
        sampled++;
    }
    return sampled > 1 ? own - (sum * sum - squares) / ((double)sampled - 1.0) : own;
}

/* --------------------------------------------------- down to some rank -- */

double iv_sampled_found(double *u, const iv_sampled_view *v, double cutoff, double over)
{
    double sum = 0.0;

    memset(u, 0, v->count * sizeof *u);
    for (size_t k = 0; k < v->found_count && (cutoff == 0.0 || v->rank[k] <= cutoff); k++) {
        const size_t d = v->found[k];
        if (!iv_sampled_relevant(v, d))
            continue;
        sum += 1.0 / v->pi[d];
        u[d] = 1.0 / over;
    }
    return sum / over;
}

double iv_sampled_recall(double *u, const iv_sampled_view *v, double total, size_t cutoff)
{
    double recall = iv_sampled_found(u, v, (double)cutoff, total);
    bool all = true;

    for (size_t i = 0; i < v->count && all; i++)
        all = !iv_sampled_relevant(v, i) || u[i] != 0.0;
    if (all) /* it is 1, in whichever order the weights were added up */
        recall = 1.0;
    for (size_t i = 0; i < v->count; i++)
        if (iv_sampled_relevant(v, i))
            u[i] -= recall / total;
    return recall;
}

/*
 * Precision at the estimated number of relevant documents, R.  When R grows by
 * 1, the ranking is cut one rank later and the precision changes by (density -
 * precision) / R, with the density of relevant documents around rank R taken
 * from ranks R/2 to 3R/2.
 */
double iv_sampled_rprec(double *u, const iv_sampled_view *v, double total)
{
    const double cut = total + 1e-9; /* R itself may be a rank */
    double around = 0.0;
    const double value = iv_sampled_found(u, v, cut, total);

    for (size_t k = 0; k < v->found_count; k++)
        if (iv_sampled_relevant(v, v->found[k]) && v->rank[k] > 0.5 * total
            && v->rank[k] <= 1.5 * total)
            around += 1.0 / v->pi[v->found[k]];
    const double change = (around / total - value) / total;
    for (size_t i = 0; i < v->count; i++)
        if (iv_sampled_relevant(v, i))
            u[i] += change;
    return value;
}

/*
 * nDCG from probabilities of inclusion.  Both parts are estimated: the gain of
 * the ranking as a total over the sample, the ideal one from the estimated
 * number of documents of each gain, whole or not: discounts are interpolated.
 */

static bool discounts_reach(iv_discounts *d, size_t ranks)
{
    if (d->count > ranks)
        return true;
    if (!IV_ROOM(d->sum, d->capacity, ranks + 1))
        return false;
    if (d->count == 0)
        d->sum[d->count++] = 0.0;
    for (; d->count <= ranks; d->count++)
        d->sum[d->count] = d->sum[d->count - 1] + 1.0 / log2((double)d->count + 1.0);
    return true;
}

/* The sum of discounts down to a rank that need not be whole; its slope there: the
 * discount of the next rank, 0 from the cut-off on. */
static double discount_to(const iv_discounts *d, double x)
{
    const size_t whole = (size_t)x;

    return d->sum[whole] + (x - (double)whole) * (d->sum[whole + 1] - d->sum[whole]);
}

static double discount_at(const iv_discounts *d, double x, double cutoff)
{
    const size_t whole = (size_t)x;

    return x < cutoff ? d->sum[whole + 1] - d->sum[whole] : 0.0;
}

/* Documents of the sample with a gain, best first: by insertion, few gains. */
static size_t sort_by_gain(uint32_t *order, const iv_sampled_view *v, const double *gain)
{
    size_t n = 0;

    for (size_t i = 0; i < v->count; i++) {
        if (!(v->pi[i] > 0.0 && gain[i] > 0.0))
            continue;
        size_t at = n++;
        for (; at > 0 && gain[order[at - 1]] < gain[i]; at--)
            order[at] = order[at - 1];
        order[at] = (uint32_t)i;
    }
    return n;
}

/*
 * The ideal gain; slope[k] becomes its change when there is one more document
 * with the gain of order[k].
 */
static double ideal_gain(double *slope, const uint32_t *order, size_t n,
                         const iv_sampled_view *v, const double *gain, double cutoff,
                         const iv_discounts *d)
{
    double ideal = 0.0, place = 0.0;

    for (size_t k = 0; k < n;) { /* one group of equal gains after the other */
        const double from = fmin(place, cutoff), g = gain[order[k]], begin = place;
        const size_t first = k;
        for (; k < n && gain[order[k]] == g; k++)
            place += 1.0 / v->pi[order[k]];
        ideal += g * (discount_to(d, fmin(place, cutoff)) - discount_to(d, from));
        /* The group's own end moves down, and so do all groups below. */
        for (size_t i = first; i < k; i++)
            slope[i] = g * discount_at(d, place, cutoff);
        for (size_t i = 0; i < first; i++)
            slope[i] += g * (discount_at(d, place, cutoff) - discount_at(d, begin, cutoff));
    }
    return ideal;
}

bool iv_sampled_ndcg(double *value, double *u, const iv_sampled_view *v,
                     const double *gain, size_t cutoff, iv_discounts *d, uint32_t *order)
{
    const size_t n = sort_by_gain(order, v, gain);
    double places = 0.0, dcg = 0.0;
    double *slope = malloc((n + 1) * sizeof *slope);

    for (size_t k = 0; k < n; k++)
        places += 1.0 / v->pi[order[k]];
    const double limit = cutoff > 0 ? (double)cutoff : (double)INFINITY;
    const size_t deepest = (size_t)fmin(places, limit);
    const size_t last = v->found_count > 0 ? (size_t)v->rank[v->found_count - 1] : 0;
    if (slope == NULL || !discounts_reach(d, (deepest > last ? deepest : last) + 2)) {
        free(slope);
        return false;
    }
    const double ideal = ideal_gain(slope, order, n, v, gain, limit, d);
    for (size_t i = 0; i < v->count; i++)
        u[i] = 0.0;
    for (size_t k = 0; k < v->found_count && v->rank[k] <= limit; k++) {
        const size_t i = v->found[k], r = (size_t)v->rank[k];
        if (!(gain[i] > 0.0))
            continue;
        u[i] = gain[i] * (d->sum[r] - d->sum[r - 1]);
        dcg += u[i] / v->pi[i];
    }
    *value = ideal > 0.0 ? dcg / ideal : 0.0;
    for (size_t k = 0; k < n; k++)
        u[order[k]] = (u[order[k]] - *value * slope[k]) / ideal;
    free(slope);
    return true;
}

/* ------------------------------------------------------------- workspace -- */

static void largest_sizes(iv_sampled_worker *w, size_t *buckets, int32_t *grade)
{
    const iv_judgments *j = w->task->judgments;

    *buckets = 0;
    *grade = 0;
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_sampling_topic s = iv_sampling_topic_at(w->task->sampling, t);
        const size_t n = s.scheme->buckets;
        w->capacity = s.count > w->capacity ? s.count : w->capacity;
        *buckets = n > *buckets ? n : *buckets;
        for (size_t i = 0; i < s.count; i++)
            *grade = s.grade[i] > *grade ? s.grade[i] : *grade;
    }
}

static void worker_end(void *memory)
{
    iv_sampled_worker *w = memory;

    free(w->hits);
    free(w->beyond);
    free(w->discounts.sum);
}

iv_sampled_worker *iv_sampled_worker_new(iv_arena *own, const iv_scoring *task, iv_scorer *scorer,
                                         iv_join *join)
{
    const size_t complete = task->measures == NULL ? 0 : iv_measures_count(task->measures);
    iv_sampled_worker *w = iv_own(own, iv_take(own, 1, sizeof *w), worker_end);
    size_t buckets;
    int32_t grade;

    if (w == NULL)
        return NULL;
    *w = (iv_sampled_worker){ .task = task, .scorer = scorer, .join = join };
    largest_sizes(w, &buckets, &grade);
    w->grades = (size_t)grade;
    const size_t n = w->capacity + 1;
    w->u = iv_take(own, n, sizeof *w->u);
    w->gain = iv_take(own, n, sizeof *w->gain);
    w->rank = iv_take(own, n, sizeof *w->rank);
    w->found = iv_take(own, n, sizeof *w->found);
    w->order = iv_take(own, n, sizeof *w->order);
    w->sums = iv_take(own, buckets + 1, sizeof *w->sums);
    w->strata = iv_take(own, buckets + 1, sizeof *w->strata);
    w->grade_count = iv_take(own, w->grades + 1, sizeof *w->grade_count);
    w->complete = iv_take(own, complete + 1, sizeof *w->complete);
    return w;
}

/* ------------------------------------------------------- the ranking seen -- */

static void look_at_ranking(iv_sampled_worker *w)
{
    size_t found = 0;
    const size_t depth = w->task->estimated->depth;

    w->retrieved = w->joined.hit_count < depth ? w->joined.hit_count : depth;
    for (size_t r = 0; r < w->retrieved; r++) {
        const iv_judgment *j = w->joined.hits[r].judgment;
        if (j == NULL || !(w->sample.pi[j - w->sample.judgments] > 0.0))
            continue;
        w->found[found] = (uint32_t)(j - w->sample.judgments);
        w->rank[found++] = (double)r + 1.0;
    }
    w->view = (iv_sampled_view){ w->sample.pi, w->sample.grade, w->sample.count, w->found,
                                 w->rank, found, 1 };
}

/* Were all documents of a bucket to be judged? */
static bool is_certain(const iv_sampled_worker *w, uint32_t bucket)
{
    return bucket == IV_FIXED || w->sample.scheme->bucket[bucket].pi == 1.0;
}

/* Were all of the first k documents judged for certain? */
static bool top_is_certain(const iv_sampled_worker *w, size_t k)
{
    const size_t end = w->retrieved < k ? w->retrieved : k;
    size_t certain = 0;

    for (size_t i = 0; i < w->view.found_count && w->rank[i] <= (double)k; i++)
        certain += w->sample.pi[w->found[i]] == 1.0;
    for (size_t r = 0; r < end && w->sample.absent.ids.count > 0; r++) {
        const uint32_t at = iv_ids_find(&w->sample.absent.ids, w->joined.hits[r].docno);
        certain += at != IV_NO_ID && is_certain(w, w->sample.absent.at[at].bucket);
    }
    return certain == end;
}

/* ------------------------------------------------- outside of the frame -- */

/* w->beyond[k]: of the first k documents, those that could not be drawn; to the frame's depth or
 * the deepest cut-off. */
static int count_beyond(iv_sampled_worker *w, iv_err *err)
{
    const iv_sampling *s = w->task->sampling;
    size_t end = s->noted.depth;

    w->frame_known = w->sample.frame.ids.count > 0;
    for (size_t i = 0; i < w->task->estimated->count; i++)
        end = w->task->estimated->values[i].cutoff > end ? w->task->estimated->values[i].cutoff
        : end;
    end = w->retrieved < end ? w->retrieved : end;
    if (!IV_ROOM(w->beyond, w->beyond_capacity, end + 1))
        return iv_no_memory(err);
    w->beyond[0] = 0;
    for (size_t k = 0; k < end && w->frame_known; k++)
        w->beyond[k + 1] = w->beyond[k]
            + !iv_sampling_covers(&w->sample, &w->joined.hits[k]);
    return IV_OK;
}

static void put_outside(iv_estimate *e, const iv_sampled_worker *w, const iv_sampled_value *v)
{
    const size_t to = v->cutoff > 0 ? v->cutoff : w->task->sampling->noted.depth;

    if (!w->frame_known || v->kind == IV_SAMPLED_NUM_REL || v->kind == IV_SAMPLED_NUM_RET
        || v->kind == IV_SAMPLED_INUM_REL)
        return;
    e->looked = (uint32_t)(to < w->retrieved ? to : w->retrieved);
    e->outside = w->beyond[e->looked];
}

/* --------------------------------------------------- TREC's own estimates -- */

static iv_inferred_stratum *stratum_of(iv_sampled_worker *w, uint32_t b)
{
    return &w->strata[b == IV_FIXED ? w->sample.scheme->buckets : b];
}

/*
 * Documents of each grade, as many as are estimated.  infNDCG rounds them, so
 * that a half must be one: counted by stratum, not added up from 1/pi.
 */
static void count_grades(iv_sampled_worker *w)
{
    const size_t strata = w->sample.scheme->buckets + 1;

    memset(w->grade_count, 0, (w->grades + 1) * sizeof *w->grade_count);
    for (size_t i = 0; i < w->sample.count; i++) {
        const int32_t g = w->sample.grade[i];
        if (!(w->sample.pi[i] > 0.0) || g <= 0 || w->grade_count[g - 1] > 0.0)
            continue;
        for (size_t b = 0; b < strata; b++)
            w->strata[b].relevant = 0.0;
        for (size_t k = i; k < w->sample.count; k++)
            if (w->sample.pi[k] > 0.0 && w->sample.grade[k] == g)
                stratum_of(w, w->sample.bucket[k])->relevant += 1.0;
        for (size_t b = 0; b < strata; b++)
            if (w->strata[b].relevant > 0.0)
                w->grade_count[g - 1] += w->strata[b].relevant * w->strata[b].size
                    / w->strata[b].sampled;
    }
}

/* Strata of the scheme, and one more for what is judged for certain. */
static void prepare_strata(iv_sampled_worker *w)
{
    const size_t buckets = w->sample.scheme->buckets;

    for (size_t b = 0; b < buckets; b++) {
        const iv_bucket *x = &w->sample.scheme->bucket[b];
        const size_t moved = w->sample.moved != NULL ? w->sample.moved[b] : 0;
        w->strata[b] = (iv_inferred_stratum){ .size = (double)(x->size - moved) };
    }
    w->strata[buckets] = (iv_inferred_stratum){ .size = 0.0 };
    for (size_t i = 0; i < w->sample.count; i++) {
        if (!(w->sample.pi[i] > 0.0))
            continue;
        stratum_of(w, w->sample.bucket[i])->sampled += 1.0;
        w->strata[buckets].size += w->sample.bucket[i] == IV_FIXED;
    }
    for (size_t i = 0; i < w->sample.absent.ids.count; i++) {
        stratum_of(w, w->sample.absent.at[i].bucket)->sampled += 1.0;
        w->strata[buckets].size += w->sample.absent.at[i].bucket == IV_FIXED;
    }
    count_grades(w);
    w->stratum_count = buckets + (w->strata[buckets].size > 0.0);
}

/* A document of the ranking as the strata see it; false: it is in none. */
static bool see_hit(iv_inferred_hit *out, const iv_sampled_worker *w, size_t r)
{
    const iv_hit *h = &w->joined.hits[r];
    const uint32_t fixed = (uint32_t)w->sample.scheme->buckets;
    uint32_t stratum = IV_FIXED;
    int32_t grade = -1;

    if (h->judgment != NULL) {
        const size_t i = (size_t)(h->judgment - w->sample.judgments);
        stratum = w->sample.bucket[i];
        if (w->sample.pi[i] > 0.0)
            grade = w->sample.grade[i];
    } else {
        const uint32_t at = iv_ids_find(&w->sample.absent.ids, h->docno);
        grade = at != IV_NO_ID ? 0 : -1;
        stratum = at != IV_NO_ID ? w->sample.absent.at[at].bucket
                                 : iv_sampling_rest(&w->sample, h->docno);
    }
    if (stratum == IV_FIXED && grade < 0)
        return false;
    *out = (iv_inferred_hit){ r + 1, stratum == IV_FIXED ? fixed : stratum, grade };
    return true;
}

static int prepare_inferred(iv_sampled_worker *w, iv_err *err)
{
    size_t count = 0;

    prepare_strata(w);
    if (!IV_ROOM(w->hits, w->hit_capacity, w->retrieved + 1))
        return iv_no_memory(err);
    for (size_t r = 0; r < w->retrieved; r++)
        count += see_hit(&w->hits[count], w, r);
    w->hit_count = count;
    w->inferred_ready = true;
    return IV_OK;
}

static int infer(iv_estimate *e, iv_sampled_worker *w, const iv_sampled_value *v, iv_err *err)
{
    IV_TRY(w->inferred_ready ? IV_OK : prepare_inferred(w, err));
    w->view.level = v->level;
    w->relevant = iv_sampled_total(NULL, &w->view);
    e->value = iv_inferred(w, v->kind, v->cutoff);
    e->variance = (double)NAN;
    return IV_OK;
}

/* --------------------------------------------------- from probabilities -- */

static bool ndcg(double *value, iv_sampled_worker *w, const iv_sampled_value *v)
{
    for (size_t i = 0; i < w->sample.count; i++)
        w->gain[i] = iv_measures_gain(w->task->measures, v->asked, w->sample.grade[i]);
    return iv_sampled_ndcg(value, w->u, &w->view, w->gain, v->cutoff, &w->discounts,
                           w->order);
}

/* Value and u of a measure with relevant documents in the sample. */
static bool value_of(double *value, iv_sampled_worker *w,
                     const iv_sampled_value *v, double total)
{
    const double cutoff = (double)v->cutoff;

    switch (v->kind) {
    case IV_SAMPLED_AP:
        *value = iv_sampled_ap(w->u, &w->view, total, v->cutoff, w->task->how.estimator);
        return true;
    case IV_SAMPLED_P:
        *value = iv_sampled_found(w->u, &w->view, cutoff, cutoff);
        return true;
    case IV_SAMPLED_RECALL:
        *value = iv_sampled_recall(w->u, &w->view, total, v->cutoff);
        return true;
    case IV_SAMPLED_RPREC:
        *value = iv_sampled_rprec(w->u, &w->view, total);
        return true;
    case IV_SAMPLED_NDCG:
        return ndcg(value, w, v);
    case IV_SAMPLED_NUM_REL:
        *value = iv_sampled_total(w->u, &w->view);
        return true;
    default:
        *value = iv_sampled_found(w->u, &w->view, 0.0, 1.0);
        return true;
    }
}

/* Relevant documents drawn that the estimate varies with. */
static size_t drawn_relevant(const iv_sampled_worker *w, const iv_sampled_value *v)
{
    size_t count = 0;

    if (v->kind != IV_SAMPLED_P && v->kind != IV_SAMPLED_NUM_REL_RET)
        return iv_sampled_drawn(&w->view);
    for (size_t i = 0; i < w->sample.count; i++)
        count += w->u[i] != 0.0 && w->sample.pi[i] < 1.0;
    return count;
}

static double least_count(const iv_sampled_worker *w)
{
    double least = 0.0;

    for (size_t i = 0; i < w->sample.count; i++)
        least += w->u[i] != 0.0;
    return least;
}

static int estimate(iv_estimate *e, iv_sampled_worker *w, const iv_sampled_value *v, iv_err *err)
{
    memset(w->u, 0, w->sample.count * sizeof *w->u);
    w->view.level = v->level;
    if (v->kind == IV_SAMPLED_NUM_RET) {
        e->value = (double)w->retrieved;
        e->exact = true;
        return IV_OK;
    }
    const double total = iv_sampled_total(w->u, &w->view);
    if (!(total > 0.0)) {
        e->gap = IV_SAMPLED_NO_RELEVANT;
        return IV_OK;
    }
    if (!value_of(&e->value, w, v, total))
        return iv_no_memory(err);
    const double variance = v->kind == IV_SAMPLED_AP
            && w->task->how.estimator == IV_ESTIMATOR_PUBLISHED
        ? iv_sampled_printed_variance(w->u, &w->view, w->sample.absent.ids.count)
        : iv_scheme_variance(w->sample.scheme, w->u, w->sample.pi, w->sample.bucket,
                             w->sample.count, w->sums);
    /* Less than rounding leaves, as when recall is 1 whatever is drawn, is 0. */
    const double dust = 1e-14 * fmax(1.0, fabs(e->value));
    e->variance = variance > dust * dust ? variance : 0.0;
    e->relevant = drawn_relevant(w, v);
    e->effective = iv_sampled_effective(w->u, &w->view);
    e->exact = v->kind == IV_SAMPLED_P && top_is_certain(w, v->cutoff);
    return IV_OK;
}

/* The interval of a topic; of the published estimate that of its paper, four standard errors. */
static void find_interval(iv_estimate *e, const iv_sampled_value *v, double least,
                          const iv_scoring *task)
{
    const bool published = task->how.estimator == IV_ESTIMATOR_PUBLISHED
        && v->kind == IV_SAMPLED_AP && !e->exact;

    iv_estimate_interval(e, v->count, least, task->how.resampling.confidence);
    if (!published || e->gap == IV_SAMPLED_NO_RELEVANT)
        return;
    e->gap = e->variance > 0.0 ? IV_SAMPLED_INTERVAL : IV_SAMPLED_NO_SPREAD;
    e->lower = e->variance > 0.0 ? e->value - 2.0 * sqrt(e->variance) : (double)NAN;
    e->upper = e->variance > 0.0 ? e->value + 2.0 * sqrt(e->variance) : (double)NAN;
}

/* ---------------------------------------------------------- the whole row -- */

int iv_sampled_estimate(iv_estimate *row, double *u, iv_sampled_worker *w,
                        const iv_run *run, size_t run_topic, size_t topic, iv_err *err)
{
    const iv_sampled_measures *m = w->task->estimated;
    const bool missing = run_topic == IV_NONE;

    w->topic = topic;
    w->sample = iv_sampling_topic_at(w->task->sampling, topic);
    w->joined = (iv_joined){ 0 };
    w->inferred_ready = false;
    if (!missing)
        IV_TRY(iv_join_topic(&w->joined, w->join, run, run_topic, w->task->judgments, topic,
                             w->task->precision, err));
    look_at_ranking(w);
    IV_TRY(count_beyond(w, err));
    if (w->sample.certain && w->scorer != NULL)
        IV_TRY(missing ? iv_scorer_missing(w->complete, w->scorer, w->sample.judgments,
                                           w->sample.count, err)
                       : iv_scorer_topic(w->complete, w->scorer, &w->joined, err));
    for (size_t i = 0; i < m->count; i++) {
        const iv_sampled_value *v = &m->values[i];
        iv_estimate *e = &row[i];
        *e = (iv_estimate){ .value = 0.0 };
        IV_TRY(v->inferred ? infer(e, w, v, err) : estimate(e, w, v, err));
        if (!v->inferred && w->sample.certain) {
            e->value = w->complete[v->asked];
            e->variance = 0.0;
            e->exact = true;
        }
        if (missing && !v->count && !v->inferred)
            e->exact = true; /* nothing retrieved is worth 0, whatever is judged */
        find_interval(e, v, v->count ? least_count(w) : 0.0, w->task);
        put_outside(e, w, v);
        if (u != NULL && !v->inferred)
            memcpy(u + i * w->sample.count, w->u, w->sample.count * sizeof *u);
    }
    return IV_OK;
}
