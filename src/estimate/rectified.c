/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/rectified.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/label_model.h"

/* A probability is never taken for certainty, lest one judgment be a surprise without
 * end. */
static const double highest = 0.95;
/* How far the number of relevant documents that p expects of a topic may be from the
 * true one: the squared coefficient of variation. */
static const double doubt = 0.12;
/* Relevant documents found a topic, below which means have no interval. */
static const double few_found = 1.5;

/* ------------------------------------------------------- x from p -- */

void iv_rectify(double *x, const double *p, const double *pi, const int *label, size_t count)
{
    for (size_t d = 0; d < count; d++)
        x[d] = label[d] < 0 ? p[d] : p[d] + ((double)label[d] - p[d]) / pi[d];
}

/* What a total is made of. */
typedef struct total_parts {
    double sum;      /* of x */
    double model;    /* those found, and what p expects of the others */
    double variance; /* of the sum */
    double found;
} total_parts;

static double total_of(double *share, const total_parts *k)
{
    const double model = fmax(k->model, k->found + 0.3), spread = doubt * model * model;

    *share = spread / (spread + fmax(0.0, k->variance));
    return fmax(model + *share * (k->sum - model), fmax(k->found, 0.5));
}

/* The parts, if a document were known to be relevant whether drawn or not. */
static total_parts without(const total_parts *all, double x, double p, double pi, int label,
                           double reaction)
{
    const double z = label < 0 ? 0.0 : ((double)label - p) / pi;
    const double counted = label < 0 ? p : (double)label;

    return (total_parts){ all->sum + 1.0 - x, all->model + (1.0 - counted) * reaction,
                          all->variance - (1.0 - pi) * z * z,
                          all->found + (label > 0 ? 0.0 : 1.0) };
}

double iv_rectified_total(double *share, double *apart, const double *x, const double *p,
                          const double *pi, const int *label, size_t count, double strength)
{
    total_parts all = { 0.0, 0.0, 0.0, 0.0 };
    double expected = 0.0, part;

    for (size_t d = 0; d < count; d++) {
        all.sum += x[d];
        if (label[d] < 0) {
            expected += p[d];
            continue;
        }
        const double z = ((double)label[d] - p[d]) / pi[d];
        all.variance += (1.0 - pi[d]) * z * z;
        all.found += (double)label[d];
    }
    all.model = all.found + expected;
    const double total = total_of(share, &all), reaction = 1.0 + expected / strength;
    for (size_t d = 0; d < count; d++) {
        const total_parts rest = without(&all, x[d], p[d], pi[d], label[d], reaction);
        const double n = total_of(&part, &rest);
        /* 1/n is too large on average by as much; half of it is for the label's partner. */
        const double excess = part * part * fmax(0.0, rest.variance) / (n * n);
        apart[d] = pi[d] < 1.0 ? total / (n * (1.0 + 0.5 * excess)) : 1.0;
    }
    return total;
}

/* ------------------------------------------------- what is in the sample -- */

static bool is_sampled(const iv_sampling_topic *t, size_t i)
{
    return t->pi[i] > 0.0;
}

/* The grades above 0 that occur, each once, rising; more than fit: IV_LEVELS_MAX + 1. */
static size_t list_levels(int32_t *out, const iv_sampling *s)
{
    size_t n = 0;

    for (size_t t = 0; t < iv_judgments_topics(iv_sampling_judgments(s)); t++) {
        const iv_sampling_topic x = iv_sampling_topic_at(s, t);
        for (size_t i = 0; i < x.count; i++) {
            size_t at = 0;
            if (!is_sampled(&x, i) || x.grade[i] <= 0)
                continue;
            while (at < n && out[at] < x.grade[i])
                at++;
            if (at < n && out[at] == x.grade[i])
                continue;
            if (n == IV_LEVELS_MAX)
                return IV_LEVELS_MAX + 1;
            memmove(out + at + 1, out + at, (n - at) * sizeof *out);
            out[at] = x.grade[i];
            n++;
        }
    }
    return n;
}

bool iv_rectified_possible(const iv_sampling *s)
{
    const iv_framed_document *unused;
    int32_t grades[IV_LEVELS_MAX];

    for (size_t t = 0; t < iv_judgments_topics(iv_sampling_judgments(s)); t++)
        if (!iv_sampling_topic_at(s, t).certain && iv_sampling_frame(&unused, s, t) == 0)
            return false;
    return list_levels(grades, s) <= IV_LEVELS_MAX;
}

size_t iv_rectified_level(const iv_rectified *l, int32_t grade)
{
    size_t h = 0;

    while (h < l->levels && l->grade[h] < grade)
        h++;
    return h;
}

/* --------------------------------------------------------- one topic -- */

void iv_rank_traits(double *out, uint32_t best, uint32_t runs)
{
    out[0] = 1.0;
    out[1] = best > 0 ? log((double)best) : 0.0;
    out[2] = runs > 0 ? log((double)runs) : 0.0;
}

static void put_traits(double *out, size_t width, const iv_label_source *source, size_t topic,
                       const iv_framed_document *d, iv_str docno)
{
    const uint32_t group = source != NULL ? source->group(source->user, topic, docno) : 0;

    memset(out, 0, width * sizeof *out);
    iv_rank_traits(out, d->best, d->runs);
    if (group > 0 && group + IV_RANK_TRAITS - 1 < width)
        out[group + IV_RANK_TRAITS - 1] = 1.0;
}

int iv_rectified_room(iv_rectified_topic *t, iv_arena *own, size_t documents, size_t judgments,
                      size_t levels, iv_err *err)
{
    t->pi = iv_take(own, documents, sizeof *t->pi);
    t->judgment = iv_take(own, documents, sizeof *t->judgment);
    t->document = iv_take(own, judgments, sizeof *t->document);
    t->p = iv_take(own, documents * (levels + 1), sizeof *t->p);
    t->x = iv_take(own, documents * (levels + 1), sizeof *t->x);
    t->apart = iv_take(own, documents * (levels + 1), sizeof *t->apart);
    t->sum = iv_take(own, 5 * (levels + 1), sizeof *t->sum);
    IV_TRY(iv_taken(own, err));
    t->found = t->sum + levels + 1;
    t->total = t->found + levels + 1;
    t->share = t->total + levels + 1;
    t->doubt = t->share + levels + 1;
    return IV_OK;
}

/* A topic's documents: those that could be drawn, then the certain ones. */
static int list_documents(iv_rectified *l, double **traits, int32_t **grade, size_t width,
                          const iv_sampling *from, const iv_label_source *source, size_t topic,
                          iv_err *err)
{
    const iv_sampling_topic s = iv_sampling_topic_at(from, topic);
    const iv_framed_document *frame;
    iv_rectified_topic *t = &l->topics[topic];

    t->framed = iv_sampling_frame(&frame, from, topic);
    IV_TRY(iv_rectified_room(t, &l->own, t->framed + s.count, s.count, l->levels, err));
    grade[topic] = iv_take(&l->own, t->framed + s.count, sizeof **grade);
    traits[topic] = iv_take(&l->own, t->framed * width, sizeof **traits);
    IV_TRY(iv_taken(&l->own, err));
    for (size_t d = 0; d < t->framed; d++) {
        t->judgment[d] = UINT32_MAX;
        t->pi[d] = iv_scheme_bucket(s.scheme, frame[d].bucket)->pi;
        grade[topic][d] = frame[d].grade;
        put_traits(traits[topic] + d * width, width, source, topic, &frame[d],
                   iv_sampling_frame_docno(from, topic, d));
    }
    t->count = t->framed;
    for (size_t i = 0; i < s.count; i++) {
        const size_t at = iv_sampling_frame_find(from, topic, s.judgments[i].docno);
        t->document[i] = UINT32_MAX;
        if (!is_sampled(&s, i))
            continue;
        const size_t d = at != IV_NONE ? at : t->count++;
        t->document[i] = (uint32_t)d;
        t->judgment[d] = (uint32_t)i;
        t->pi[d] = s.pi[i];
        grade[topic][d] = s.grade[i];
    }
    return IV_OK;
}

/* All that is known while labels are made. */
typedef struct making {
    iv_rectified *l;
    size_t width, folds;
    const double *const *traits;
    const int32_t *const *grade;
} making;

/* ------------------------------------------------------- all of a level -- */

static size_t fold_of(const making *m, size_t topic) { return topic % m->folds; }

static uint32_t group_of(const double *traits, size_t width)
{
    for (size_t k = IV_RANK_TRAITS; k < width; k++)
        if (traits[k] != 0.0)
            return (uint32_t)k;
    return 0;
}

static size_t list_examples(iv_label_example *out, const making *m, size_t level)
{
    size_t n = 0;

    for (size_t t = 0; t < m->l->topic_count; t++)
        for (size_t d = 0; d < m->l->topics[t].framed; d++)
            if (m->grade[t][d] >= 0) {
                const double *traits = m->traits[t] + d * m->width;
                out[n++] = (iv_label_example){
                    traits, 1.0 / m->l->topics[t].pi[d], m->grade[t][d] >= m->l->grade[level],
                    (uint32_t)fold_of(m, t), group_of(traits, m->width) };
            }
    return n;
}

/* Relevant documents of a topic's sample: seen, and expected. */
static void count_seen(double *seen, double *expected, double *variance, const making *m,
                       size_t topic, size_t level, const double *p)
{
    *seen = *expected = *variance = 0.0;
    for (size_t d = 0; d < m->l->topics[topic].framed; d++) {
        if (m->grade[topic][d] < 0)
            continue;
        *seen += m->grade[topic][d] >= m->l->grade[level] ? 1.0 : 0.0;
        *expected += p[d];
        *variance += p[d] * (1.0 - p[d]);
    }
}

/*
 * How many documents' worth the expectation of a topic has: topics differ by a factor
 * of variance 1/kappa beyond chance.
 */
static double find_kappa(const making *m, size_t level)
{
    double excess = 0.0, squares = 0.0;

    for (size_t t = 0; t < m->l->topic_count; t++) {
        double seen, expected, variance;
        count_seen(&seen, &expected, &variance, m, t, level,
                   m->l->topics[t].p + level * m->l->topics[t].count);
        excess += (seen - expected) * (seen - expected) - variance;
        squares += expected * expected;
    }
    return squares > 0.0 && excess > 0.0 ? fmin(fmax(squares / excess, 1.0), 100.0) : 100.0;
}

/* A topic's own factor into p, without the document itself: how many documents' worth it then is. */
static double adapt(const making *m, size_t topic, size_t level, double kappa)
{
    iv_rectified_topic *t = &m->l->topics[topic];
    double *p = t->p + level * t->count, seen, expected, variance;

    count_seen(&seen, &expected, &variance, m, topic, level, p);
    for (size_t d = 0; d < t->framed; d++) {
        const bool judged = m->grade[topic][d] >= 0;
        const double y = m->grade[topic][d] >= m->l->grade[level] ? 1.0 : 0.0;
        const double own_seen = judged ? seen - y : seen;
        const double own_expected = judged ? expected - p[d] : expected;
        p[d] = fmin(p[d] * (kappa + own_seen) / (kappa + own_expected), highest);
    }
    return kappa + seen;
}

static void finish_level(const making *m, size_t topic, size_t level, double strength, int *label)
{
    iv_rectified_topic *t = &m->l->topics[topic];
    double *p = t->p + level * t->count, *x = t->x + level * t->count;
    double total;

    for (size_t d = 0; d < t->count; d++) {
        const int32_t g = m->grade[topic][d];
        label[d] = g < 0 ? -1 : g >= m->l->grade[level];
        if (d >= t->framed) /* judged for certain */
            p[d] = (double)label[d];
    }
    iv_rectify(x, p, t->pi, label, t->count);
    t->sum[level] = t->found[level] = 0.0;
    for (size_t d = 0; d < t->count; d++) {
        t->sum[level] += x[d];
        t->found[level] += label[d] > 0 ? 1.0 : 0.0;
    }
    total = iv_rectified_total(&t->share[level], t->apart + level * t->count, x, p, t->pi, label,
                               t->count, strength);
    /* No more of a level than of the one below it. */
    t->total[level] = level > 0 ? fmin(total, t->total[level - 1]) : total;
    t->doubt[level] = fmax(0.0, 1.0 - t->found[level] / t->total[level])
        / (t->found[level] + 1.0);
}

bool iv_rectified_few(const iv_rectified *l, size_t level)
{
    double found = 0.0;
    size_t sampled = 0;

    for (size_t t = 0; t < l->topic_count; t++)
        if (l->topics[t].framed > 0) {
            found += level < l->levels ? l->topics[t].found[level] : 0.0;
            sampled++;
        }
    return sampled > 0 && found < few_found * (double)sampled;
}

/* An ideal gain needs half the room, by measurement. */
static double room(const iv_rectified_topic *t, size_t level, bool ideal)
{
    return (ideal ? 0.5 : 1.0) * t->doubt[level];
}

double iv_rectified_least(const iv_rectified_topic *t, size_t level, bool ideal)
{
    return t->total[level] / (1.0 + room(t, level, ideal));
}

/* Values are too low more often than too high, and by more. */
double iv_rectified_most(const iv_rectified_topic *t, size_t level, bool ideal)
{
    return t->total[level] * (1.0 + 0.5 * room(t, level, ideal));
}

static int make_level(const making *m, size_t level, iv_label_example *examples,
                      double *coefficient, int *label, iv_err *err)
{
    const size_t n = list_examples(examples, m, level);

    IV_TRY(iv_label_fit(coefficient, examples, n, m->width, m->folds, err));
    for (size_t t = 0; t < m->l->topic_count; t++) {
        iv_rectified_topic *topic = &m->l->topics[t];
        for (size_t d = 0; d < topic->framed; d++)
            topic->p[level * topic->count + d] = iv_label_probability(
                coefficient + fold_of(m, t) * m->width, m->traits[t] + d * m->width, m->width);
    }
    const double kappa = find_kappa(m, level);
    for (size_t t = 0; t < m->l->topic_count; t++) {
        const double strength = adapt(m, t, level, kappa);
        finish_level(m, t, level, strength, label);
    }
    return IV_OK;
}

int iv_rectified_make(iv_rectified *l, const iv_rectified_known *known, iv_err *err)
{
    const making m = { l, known->width, l->topic_count < IV_LABEL_FOLDS ? l->topic_count
                                                                       : IV_LABEL_FOLDS,
                       known->traits, known->grade };
    iv_arena own = { 0 };
    size_t most = 0, judged = 0;

    for (size_t t = 0; t < l->topic_count; t++) {
        most = l->topics[t].count > most ? l->topics[t].count : most;
        for (size_t d = 0; d < l->topics[t].framed; d++)
            judged += known->grade[t][d] >= 0;
    }
    iv_label_example *examples = iv_take(&own, judged, sizeof *examples);
    double *coefficient = iv_take(&own, m.folds * m.width, sizeof *coefficient);
    int *label = iv_take(&own, most, sizeof *label);
    int rc = iv_taken(&own, err);
    for (size_t h = 0; h < l->levels && rc == IV_OK; h++)
        rc = make_level(&m, h, examples, coefficient, label, err);
    iv_arena_free(&own);
    return rc;
}

void iv_rectified_free(iv_rectified *l)
{
    if (l == NULL)
        return;
    iv_arena_free(&l->own);
    free(l);
}

static int make_from(iv_rectified *l, const iv_sampling *s, const iv_label_source *source,
                     iv_err *err)
{
    const size_t width = IV_RANK_TRAITS
        + (source != NULL && source->groups > 1 ? source->groups - 1 : 0);
    double **traits = iv_take(&l->own, l->topic_count, sizeof *traits);
    int32_t **grade = iv_take(&l->own, l->topic_count, sizeof *grade);

    l->topics = iv_take(&l->own, l->topic_count, sizeof *l->topics);
    IV_TRY(iv_taken(&l->own, err));
    if (l->levels > IV_LEVELS_MAX || width > IV_LABEL_TRAITS)
        return iv_fail(err, IV_EARG, "more than %d levels of relevance or %d groups of documents",
                       IV_LEVELS_MAX, IV_LABEL_TRAITS - 2);
    for (size_t t = 0; t < l->topic_count; t++)
        IV_TRY(list_documents(l, traits, grade, width, s, source, t, err));
    return iv_rectified_make(l, &(iv_rectified_known){ width, (const double *const *)traits,
                                                       (const int32_t *const *)grade }, err);
}

int iv_rectified_new(iv_rectified **out, const iv_sampling *s, const iv_label_source *source,
                     iv_err *err)
{
    iv_rectified *l = calloc(1, sizeof *l);

    if (l == NULL)
        return iv_no_memory(err);
    l->levels = list_levels(l->grade, s);
    l->topic_count = iv_judgments_topics(iv_sampling_judgments(s));
    const int rc = make_from(l, s, source, err);
    if (rc == IV_OK)
        *out = l;
    else
        iv_rectified_free(l);
    return rc;
}
