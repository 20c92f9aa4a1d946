/* SPDX-License-Identifier: Apache-2.0 */
/* The population of documents that have automatic labels, and measures of it. */
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "intervale/trec/score_sources.h"
#include "labels/label_population.h"
#include "measure/measures.h"
#include "num/linear.h"
#include "retrieval/ranges.h"
#include "sampling/sampled_judgments.h"
#include "sampling/scheme.h"
#include "stat/machine/regression_mean.h"
#include "trec/judgments.h"

#include <math.h>
#include <string.h>

enum { BINS = 10 }; /* of automatic scores that are not grades: tenths of them */

/* ------------------------------------------------------ groups of labels -- */

typedef struct building {
    iv_label_population *p;
    iv_arena *own;
    const iv_judgments *human, *labels;
    bool scored; /* labels are */
    iv_human_design design;
    const iv_sampling *sampling;
    int32_t label[IV_LABEL_GROUPS]; /* that are told apart, rising */
    uint32_t count;
} building;

static int32_t label_of(const building *b, int32_t grade)
{
    return b->scored ? grade * BINS / IV_SCORE_PARTS : grade;
}

/* The last group is that of documents without a label; labels beyond the last known go with it. */
static uint32_t group_of(const building *b, const iv_judgment *j)
{
    uint32_t at = 0;

    if (j == NULL || j->grade < 0)
        return b->count;
    while (at + 1 < b->count && b->label[at] < label_of(b, j->grade))
        at++;
    return at;
}

static void list_groups(building *b)
{
    for (size_t t = 0; t < iv_judgments_topics(b->labels); t++) {
        const iv_judgment *j;
        const size_t n = iv_judgments_of(&j, b->labels, t);
        for (size_t i = 0; i < n; i++)
            if (j[i].grade >= 0)
                b->count = (uint32_t)iv_note_grade(b->label, b->count, IV_LABEL_GROUPS,
                                                   label_of(b, j[i].grade));
    }
}

/* ------------------------------------------------------- the population -- */

static int topic_room(iv_population_topic *q, iv_arena *own, size_t most, iv_err *err)
{
    q->label = iv_take(own, most + 1, sizeof *q->label);
    q->grade = iv_take(own, most + 1, sizeof *q->grade);
    q->pi = iv_take(own, most + 1, sizeof *q->pi);
    q->docno = iv_take(own, most + 1, sizeof *q->docno);
    return iv_taken(own, err);
}

static void add_document(iv_population_topic *q, iv_str name, uint32_t label, int32_t grade,
                         double pi)
{
    q->label[q->count] = label;
    q->grade[q->count] = grade;
    q->pi[q->count] = pi;
    q->docno[q->count++] = name;
}

/* All documents of a topic that have an automatic label. */
static int list_labelled(building *b, size_t topic, iv_err *err)
{
    const iv_judgment *j;
    const size_t n = iv_judgments_of(&j, b->labels, topic);
    const size_t human = iv_judgments_find_topic(b->human, iv_judgments_topic(b->labels, topic));
    iv_population_topic *q = &b->p->topics[b->p->topic_count];

    IV_TRY(topic_room(q, b->own, n, err));
    for (size_t i = 0; i < n; i++) {
        const iv_judgment *by = human == IV_NONE ? NULL
            : iv_judgments_find(b->human, human, j[i].docno);
        if (j[i].grade >= 0)
            add_document(q, j[i].docno, group_of(b, &j[i]),
                         by != NULL && by->grade >= 0 ? by->grade : -1, 1.0);
    }
    return IV_OK;
}

/*
 * The documents that could be sampled, of a file that says so; where it does not, those with an
 * automatic label.  Documents judged beside the sample have probability 1.
 */
static int list_framed(building *b, size_t topic, size_t labelled, iv_err *err)
{
    const iv_sampling_topic s = iv_sampling_topic_at(b->sampling, topic);
    const iv_judgment *j = NULL;
    const size_t framed = s.frame.ids.count;
    const size_t n = iv_judgments_of(&j, b->labels, labelled);
    iv_population_topic *q = &b->p->topics[b->p->topic_count];

    IV_TRY(topic_room(q, b->own, framed + n + s.count, err));
    for (size_t d = 0; d < framed; d++) {
        const iv_str name = s.frame.ids.names[d];
        add_document(q, name,
                     group_of(b, iv_judgments_find(b->labels, labelled, name)),
                     s.frame.at[d].grade, s.scheme->bucket[s.frame.at[d].bucket].pi);
    }
    const size_t judged = iv_judgments_find_topic(b->human,
                                                  iv_judgments_topic(b->labels, labelled));
    for (size_t i = 0; i < n && framed == 0; i++)
        if (j[i].grade >= 0 && iv_judgments_find(b->human, judged, j[i].docno) == NULL)
            add_document(q, j[i].docno, group_of(b, &j[i]), -1, 1.0);
    for (size_t i = 0; i < s.count; i++) {
        const iv_str name = s.judgments[i].docno;
        const uint32_t at = iv_ids_find(&s.frame.ids, name);
        if (!(s.pi[i] > 0.0))
            continue;
        if (at == IV_NO_ID) {
            add_document(q, name,
                         group_of(b, iv_judgments_find(b->labels, labelled, name)),
                         s.grade[i], s.pi[i]);
            continue;
        }
        q->grade[at] = s.grade[i];
        q->pi[at] = s.pi[i];
    }
    return IV_OK;
}

/* Lists the sampled documents of each topic, and their probabilities of a design of ours. */
static int count_sample(building *b, iv_err *err)
{
    iv_label_population *p = b->p;
    size_t N = 0, n = 0;

    for (size_t t = 0; t < p->topic_count; t++) {
        iv_population_topic *q = &p->topics[t];
        for (size_t d = 0; d < q->count; d++)
            q->sampled += q->grade[d] >= 0;
        N += q->count;
        n += q->sampled;
        p->most = q->count > p->most ? q->count : p->most;
    }
    p->starts = iv_take(b->own, p->topic_count + 1, sizeof *p->starts);
    for (size_t t = 0; t < p->topic_count; t++) {
        iv_population_topic *q = &p->topics[t];
        size_t k = 0;
        q->sample = iv_take(b->own, q->sampled + 1, sizeof *q->sample);
        IV_TRY(iv_taken(b->own, err));
        p->starts[t + 1] = p->starts[t] + q->sampled;
        for (size_t d = 0; d < q->count; d++) {
            if (q->grade[d] >= 0)
                q->sample[k++] = (uint32_t)d;
            if (b->sampling == NULL)
                q->pi[d] = b->design == IV_HUMAN_RANDOM
                    ? (double)n / (double)N : (double)q->sampled / (double)q->count;
        }
    }
    p->labelled = N;
    p->labels = n;
    return IV_OK;
}

static int32_t list_levels(iv_label_population *p)
{
    int32_t largest = 0;

    for (size_t t = 0; t < p->topic_count; t++)
        for (size_t i = 0; i < p->topics[t].sampled; i++) {
            const int32_t grade = p->topics[t].grade[p->topics[t].sample[i]];
            largest = grade > largest ? grade : largest;
            if (grade > 0)
                p->levels = iv_note_grade(p->level, p->levels, IV_LABEL_LEVELS, grade);
        }
    return largest;
}

static int list_population(building *b, iv_err *err)
{
    iv_label_population *p = b->p;
    const size_t topics = iv_judgments_topics(b->labels);
    const bool random = b->design == IV_HUMAN_RANDOM;

    list_groups(b);
    p->topics = iv_take(b->own, topics + 1, sizeof *p->topics);
    p->labelled_topic = iv_take(b->own, topics + 1, sizeof *p->labelled_topic);
    IV_TRY(iv_taken(b->own, err));
    for (size_t t = 0; t < topics; t++) {
        const size_t human = iv_judgments_find_topic(b->human, iv_judgments_topic(b->labels, t));
        iv_population_topic *q = &p->topics[p->topic_count];
        size_t sampled = 0;
        if (human == IV_NONE && !random) {
            p->no_human++;
            continue;
        }
        IV_TRY(b->sampling != NULL ? list_framed(b, human, t, err) : list_labelled(b, t, err));
        for (size_t d = 0; d < q->count; d++)
            sampled += q->grade[d] >= 0;
        if (q->count == 0 || (sampled == 0 && !random)) {
            p->no_human += q->count > 0;
            *q = (iv_population_topic){ 0 };
            continue;
        }
        p->labelled_topic[p->topic_count++] = t;
        p->judged += sampled > 0;
    }
    if (p->topic_count < IV_TWO_PHASE_LEAST)
        return iv_fail(err, IV_ENODATA, "%zu topic%s with human and automatic labels, expected %d "
                       "or more", p->topic_count, p->topic_count == 1 ? "" : "s",
                       IV_TWO_PHASE_LEAST);
    p->groups = b->count + 1;
    IV_TRY(count_sample(b, err));
    p->largest = list_levels(p);
    return IV_OK;
}

/* ------------------------------------------------- is the design believable -- */

/* The labels that were sampled least and most often, for the message. */
static int refuse_selection(const building *b, const size_t *all, const size_t *some, iv_err *err)
{
    size_t low = 0, high = 0;

    for (size_t k = 0; k < b->count; k++) {
        if (all[k] == 0)
            continue;
        if ((double)some[k] * (double)all[low] < (double)some[low] * (double)all[k]
            || all[low] == 0)
            low = k;
        if ((double)some[k] * (double)all[high] > (double)some[high] * (double)all[k]
            || all[high] == 0)
            high = k;
    }
    return iv_fail(err, IV_ENODATA, "human labels cover %.3g %% of the documents with automatic "
                   "label %d and %.3g %% of those with label %d: they are not a random sample %s, "
                   "expected documents chosen without regard to their automatic label",
                   100.0 * (double)some[low] / (double)all[low], (int)b->label[low],
                   100.0 * (double)some[high] / (double)all[high], (int)b->label[high],
                   b->design == IV_HUMAN_RANDOM ? "of all labelled documents"
                                                    : "of each topic's documents");
}

static int check_labels(const building *b, iv_err *err)
{
    const bool random = b->design == IV_HUMAN_RANDOM;
    const size_t G = b->p->groups, strata = random ? 1 : b->p->topic_count;
    size_t *all = iv_take(b->own, strata * G, sizeof *all);
    size_t *some = iv_take(b->own, strata * G, sizeof *some);
    size_t *sum = iv_take(b->own, 2 * G, sizeof *sum);
    double statistic, df;

    IV_TRY(iv_taken(b->own, err));
    for (size_t t = 0; t < b->p->topic_count; t++)
        for (size_t d = 0; d < b->p->topics[t].count; d++) {
            const size_t at = (random ? 0 : t) * G + b->p->topics[t].label[d];
            all[at]++;
            some[at] += b->p->topics[t].grade[d] >= 0;
            sum[b->p->topics[t].label[d]]++;
            sum[G + b->p->topics[t].label[d]] += b->p->topics[t].grade[d] >= 0;
        }
    IV_TRY(iv_selection_test_of(&statistic, &df, all, some, strata, G, err));
    return iv_selection_uneven(statistic, df) ? refuse_selection(b, sum, sum + G, err) : IV_OK;
}

/* Is a random sample spread over topics as chance does it? */
static int check_topics(const building *b, iv_err *err)
{
    const size_t n = b->p->topic_count;
    size_t *all = iv_take(b->own, n, sizeof *all), *some = iv_take(b->own, n, sizeof *some);
    double statistic, df;

    IV_TRY(iv_taken(b->own, err));
    for (size_t t = 0; t < b->p->topic_count; t++) {
        all[t] = b->p->topics[t].count;
        some[t] = b->p->topics[t].sampled;
    }
    IV_TRY(iv_selection_test_of(&statistic, &df, all, some, 1, n, err));
    if (iv_selection_uneven(statistic, df) || iv_selection_even(statistic, df))
        return iv_fail(err, IV_ENODATA, "human labels are distributed over topics %s than a "
                       "random sample "
                       "of all labelled documents would be, expected --human-design by-topic or "
                       "topics", iv_selection_even(statistic, df) ? "more evenly" : "less evenly");
    return IV_OK;
}

int iv_label_population_list(iv_label_population *out, iv_arena *own, const iv_judgments *human,
                             const iv_judgments *labels, bool scored, iv_human_design design,
                             const iv_sampling *sampling, iv_err *err)
{
    building b = { .p = out, .own = own, .human = human, .labels = labels, .scored = scored,
                   .design = design, .sampling = sampling };

    IV_TRY(list_population(&b, err));
    if (sampling == NULL)
        IV_TRY(check_labels(&b, err));
    return design == IV_HUMAN_RANDOM ? check_topics(&b, err) : IV_OK;
}

/* -------------------------------------------------------------- coverage -- */

iv_label_population iv_label_coverage_of(const iv_judgments *human, const iv_judgments *labels)
{
    iv_label_population c = { 0 };

    for (size_t h = 0; h < iv_judgments_topics(human); h++) {
        const iv_judgment *j, *x;
        const size_t at = iv_judgments_find_topic(labels, iv_judgments_topic(human, h));
        const size_t listed = iv_judgments_of(&x, human, h);
        size_t all = 0, both = 0, graded = 0;
        for (size_t i = 0; i < listed; i++)
            graded += x[i].grade >= 0;
        const size_t n = at == IV_NONE || graded == 0 ? 0 : iv_judgments_of(&j, labels, at);
        for (size_t i = 0; i < n; i++) {
            if (j[i].grade < 0)
                continue;
            const iv_judgment *y = iv_judgments_find(human, h, j[i].docno);
            all++;
            both += y != NULL && y->grade >= 0;
        }
        c.labelled += all;
        c.labels += both;
        c.outside += graded - both;
        c.topic_count += all > 0;
        c.below_half += all > 0 && 2 * both < all;
    }
    return c;
}

static void fill(double *u, size_t count, double value)
{
    for (size_t d = 0; d < count; d++)
        u[d] = value;
}

/* The ranking to a cut-off, 0: all of it. */
static size_t end_of(const iv_label_ranking *r, double cutoff)
{
    size_t end = 0;

    while (end < r->count && (cutoff == 0.0 || r->rank[end] <= cutoff))
        end++;
    return end;
}

/* ------------------------------------------------------------ one level -- */

static double average_precision(double *u, const double *x, size_t count,
                                const iv_label_ranking *r, size_t cutoff)
{
    const size_t end = end_of(r, (double)cutoff);
    const double total = iv_sum(x, count);
    double above = 0.0, below = 0.0, sum = 0.0;

    fill(u, count, 0.0);
    if (!(total > 0.0))
        return 0.0;
    for (size_t k = 0; k < end; k++) {
        const double label = x[r->document[k]];
        sum += label * (1.0 + above) / r->rank[k];
        above += label;
    }
    const double ap = sum / total;
    fill(u, count, -ap / total);
    for (size_t k = end; k-- > 0;) {
        const uint32_t d = r->document[k];
        above -= x[d];
        u[d] += ((1.0 + above) / r->rank[k] + below) / total;
        below += x[d] / r->rank[k];
    }
    return ap;
}

static double found(double *u, const double *x, size_t count, const iv_label_ranking *r,
                    double cutoff, double over)
{
    const size_t end = end_of(r, cutoff);
    double sum = 0.0;

    fill(u, count, 0.0);
    for (size_t k = 0; k < end; k++) {
        sum += x[r->document[k]];
        u[r->document[k]] = 1.0 / over;
    }
    return sum / over;
}

static double recall(double *u, const double *x, size_t count, const iv_label_ranking *r,
                     size_t cutoff)
{
    const double total = iv_sum(x, count);

    if (!(total > 0.0)) {
        fill(u, count, 0.0);
        return 0.0;
    }
    const double value = found(u, x, count, r, (double)cutoff, total);
    for (size_t d = 0; d < count; d++)
        u[d] -= value / total;
    return value;
}

/*
 * Precision at the number of relevant documents, R, which need not be whole.  When R grows by 1 the
 * ranking is cut one rank later; the labels around rank R are those from R/2 to 3R/2.
 */
static double r_precision(double *u, const double *x, size_t count, const iv_label_ranking *r)
{
    const double total = iv_sum(x, count);
    double around = 0.0;

    if (!(total > 0.0)) {
        fill(u, count, 0.0);
        return 0.0;
    }
    const double value = found(u, x, count, r, total + 1e-9, total);
    for (size_t k = 0; k < r->count; k++)
        if (r->rank[k] > 0.5 * total && r->rank[k] <= 1.5 * total)
            around += x[r->document[k]];
    for (size_t d = 0; d < count; d++)
        u[d] += (around / total - value) / total;
    return value;
}

/* -------------------------------------------------------- several levels -- */

double *iv_label_discounts(iv_arena *memory, size_t ranks)
{
    double *sums = iv_take(memory, ranks + 1, sizeof *sums);

    for (size_t i = 1; sums != NULL && i <= ranks; i++)
        sums[i] = sums[i - 1] + 1.0 / log2((double)i + 1.0);
    return sums;
}

/* The sum of discounts to a rank that need not be whole, and its slope there. */
static double discounts_to(const double *sums, double x, double *slope)
{
    const size_t whole = (size_t)x;

    *slope = sums[whole + 1] - sums[whole];
    return sums[whole] + (x - (double)whole) * *slope;
}

static double weight_at(const iv_label_measure *m, double rank, const double *sums)
{
    return m->kind == IV_LABEL_RBP ? (1.0 - m->persistence) * pow(m->persistence, rank - 1.0)
                                   : sums[(size_t)rank] - sums[(size_t)rank - 1];
}

/* A sum of gains, weighted by rank. */
static double weighted_gain(double *u, const iv_label_measure *m, const double *x, size_t count,
                            const iv_label_ranking *r, const double *sums)
{
    const size_t end = end_of(r, (double)m->cutoff);
    double sum = 0.0;

    fill(u, m->levels * count, 0.0);
    for (size_t k = 0; k < end; k++) {
        const double weight = weight_at(m, r->rank[k], sums);
        for (size_t h = 0; h < m->levels; h++) {
            u[h * count + r->document[k]] = m->gain[h] * weight;
            sum += m->gain[h] * weight * x[(m->level + h) * count + r->document[k]];
        }
    }
    return sum;
}

static double normalised_gain(double *u, const iv_label_measure *m, const double *x, size_t count,
                              const iv_label_ranking *r, const double *sums)
{
    const double dcg = weighted_gain(u, m, x, count, r, sums);
    double slope[IV_LABEL_LEVELS], ideal = 0.0;

    for (size_t h = 0; h < m->levels; h++) {
        const double total = fmax(0.0, iv_sum(x + (m->level + h) * count, count));
        const bool cut = m->cutoff > 0 && total >= (double)m->cutoff;
        ideal += m->gain[h] * discounts_to(sums, cut ? (double)m->cutoff : total, &slope[h]);
        slope[h] = cut ? 0.0 : slope[h];
    }
    if (!(ideal > 0.0)) {
        fill(u, m->levels * count, 0.0);
        return 0.0;
    }
    const double value = dcg / ideal;
    for (size_t h = 0; h < m->levels; h++)
        for (size_t d = 0; d < count; d++)
            u[h * count + d] = (u[h * count + d] - value * m->gain[h] * slope[h]) / ideal;
    return value;
}

double iv_label_measure_value(double *u, const iv_label_measure *m, const double *x, size_t count,
                              const iv_label_ranking *r, const double *discounts)
{
    const double *one = x + m->level * count;

    switch (m->kind) {
    case IV_LABEL_P:
        return found(u, one, count, r, (double)m->cutoff, (double)m->cutoff);
    case IV_LABEL_AP:
        return average_precision(u, one, count, r, m->cutoff);
    case IV_LABEL_RECALL:
        return recall(u, one, count, r, m->cutoff);
    case IV_LABEL_RPREC:
        return r_precision(u, one, count, r);
    case IV_LABEL_NDCG:
        return normalised_gain(u, m, x, count, r, discounts);
    default:
        return weighted_gain(u, m, x, count, r, discounts);
    }
}

/* ----------------------------------------------------------- which is it -- */

/* By kind: trec_eval's name, or ir_measures', without _cut. */
static const char *const names[IV_LABEL_OTHER] = {
    [IV_LABEL_P] = "P", [IV_LABEL_RBP] = "RBP", [IV_LABEL_DCG] = "dcg", [IV_LABEL_AP] = "map",
    [IV_LABEL_RECALL] = "recall", [IV_LABEL_RPREC] = "Rprec", [IV_LABEL_NDCG] = "ndcg",
};

static iv_label_kind kind_of(const char *name)
{
    int kind = 0;

    for (; kind < IV_LABEL_OTHER; kind++) {
        const size_t n = strlen(names[kind]);
        if (strncmp(name, names[kind], n) == 0
            && (name[n] == '\0' || strcmp(name + n, "_cut") == 0))
            break;
    }
    return (iv_label_kind)kind;
}

/* What reaching a level adds: the gain of its grade less that of the level below. */
static double gain_of(const iv_measures *m, size_t i, iv_label_kind kind, const int32_t *grade,
                      size_t h, int32_t largest)
{
    const iv_value_info *v = iv_measures_value(m, i);
    const double below = h > 0 ? (double)grade[h - 1] : 0.0;
    const double top = v->max_grade > 0 ? (double)v->max_grade : fmax(1.0, (double)largest);

    if (kind == IV_LABEL_RBP)
        return (fmin((double)grade[h], top) - fmin(below, top)) / top;
    return iv_measures_gain(m, i, grade[h]) - (h > 0 ? iv_measures_gain(m, i, grade[h - 1]) : 0.0);
}

iv_label_measure iv_label_measure_of(const iv_measures *m, size_t i, const int32_t *grade,
                                     size_t levels, int32_t largest)
{
    const iv_value_info *v = iv_measures_value(m, i);
    iv_label_measure out = { .cutoff = v->cutoff, .levels = 1, .persistence = v->persistence,
                             .gain = { 1.0 } };

    out.kind = v->judged_only ? IV_LABEL_OTHER : kind_of(v->measure->name);
    if (out.kind == IV_LABEL_DCG || out.kind == IV_LABEL_NDCG
        || (out.kind == IV_LABEL_RBP && strstr(v->name, "rel=") == NULL)) {
        out.levels = levels;
        for (size_t h = 0; h < levels; h++)
            out.gain[h] = gain_of(m, i, out.kind, grade, h, largest);
        return out;
    }
    while (out.level < levels && grade[out.level] < v->level)
        out.level++;
    if (out.level == levels) /* nothing is relevant */
        out.levels = 0;
    return out;
}

bool iv_label_measure_linear(const iv_label_measure *m)
{
    return m->kind == IV_LABEL_P || m->kind == IV_LABEL_RBP || m->kind == IV_LABEL_DCG;
}
