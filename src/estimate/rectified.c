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
static const double doubt = 0.15;

/* ------------------------------------------------------- x from p -- */

void iv_rectify(double *x, const double *p, const double *pi, const int *label, size_t count)
{
    for (size_t d = 0; d < count; d++)
        x[d] = label[d] < 0 ? p[d] : p[d] + ((double)label[d] - p[d]) / pi[d];
}

double iv_rectified_total(const double *x, const double *p, const double *pi, const int *label,
                          size_t count)
{
    double sum = 0.0, expected = 0.0, found = 0.0, variance = 0.0;

    for (size_t d = 0; d < count; d++) {
        sum += x[d];
        if (label[d] < 0) {
            expected += p[d];
            continue;
        }
        const double z = ((double)label[d] - p[d]) / pi[d];
        variance += (1.0 - pi[d]) * z * z;
        found += (double)label[d];
    }
    const double model = fmax(found + expected, found + 0.3), spread = doubt * model * model;
    const double share = spread / (spread + variance);
    return fmax(model + share * (sum - model), fmax(found, 0.5));
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

/* All that is known while labels are made. */
typedef struct making {
    iv_rectified *l;
    const iv_sampling *s;
    const iv_label_source *source;
    size_t width, folds;
    double **traits;  /* of topics: document x width */
    int32_t **grade;  /* of their documents, below 0: not in the sample */
} making;

static void put_traits(double *out, const making *m, size_t topic, const iv_framed_document *d,
                       iv_str docno)
{
    const uint32_t group = m->source != NULL
        ? m->source->group(m->source->user, topic, docno) : 0;

    memset(out, 0, m->width * sizeof *out);
    out[0] = 1.0;
    out[1] = d->best > 0 ? log((double)d->best) : 0.0;
    out[2] = d->runs > 0 ? log((double)d->runs) : 0.0;
    if (group > 0 && group + 2 < m->width)
        out[group + 2] = 1.0;
}

/* A topic's documents: those that could be drawn, then the certain ones. */
static int list_documents(const making *m, size_t topic, iv_err *err)
{
    const iv_sampling_topic s = iv_sampling_topic_at(m->s, topic);
    const iv_framed_document *frame;
    iv_rectified_topic *t = &m->l->topics[topic];
    iv_arena *own = &m->l->own;

    t->framed = iv_sampling_frame(&frame, m->s, topic);
    const size_t room = t->framed + s.count;
    t->pi = iv_take(own, room, sizeof *t->pi);
    t->judgment = iv_take(own, room, sizeof *t->judgment);
    t->document = iv_take(own, s.count, sizeof *t->document);
    t->p = iv_take(own, room * (m->l->levels + 1), sizeof *t->p);
    t->x = iv_take(own, room * (m->l->levels + 1), sizeof *t->x);
    t->sum = iv_take(own, 3 * (m->l->levels + 1), sizeof *t->sum);
    m->grade[topic] = iv_take(own, room, sizeof *m->grade[topic]);
    m->traits[topic] = iv_take(own, t->framed * m->width, sizeof *m->traits[topic]);
    IV_TRY(iv_taken(own, err));
    t->found = t->sum + m->l->levels + 1;
    t->total = t->found + m->l->levels + 1;
    for (size_t d = 0; d < t->framed; d++) {
        t->judgment[d] = UINT32_MAX;
        t->pi[d] = iv_scheme_bucket(s.scheme, frame[d].bucket)->pi;
        m->grade[topic][d] = frame[d].grade;
        put_traits(m->traits[topic] + d * m->width, m, topic, &frame[d],
                   iv_sampling_frame_docno(m->s, topic, d));
    }
    t->count = t->framed;
    for (size_t i = 0; i < s.count; i++) {
        const size_t at = iv_sampling_frame_find(m->s, topic, s.judgments[i].docno);
        t->document[i] = UINT32_MAX;
        if (!is_sampled(&s, i))
            continue;
        const size_t d = at != IV_NONE ? at : t->count++;
        t->document[i] = (uint32_t)d;
        t->judgment[d] = (uint32_t)i;
        t->pi[d] = s.pi[i];
        m->grade[topic][d] = s.grade[i];
    }
    return IV_OK;
}

/* ------------------------------------------------------- all of a level -- */

static size_t fold_of(const making *m, size_t topic) { return topic % m->folds; }

static size_t list_examples(iv_label_example *out, const making *m, size_t level)
{
    size_t n = 0;

    for (size_t t = 0; t < m->l->topic_count; t++)
        for (size_t d = 0; d < m->l->topics[t].framed; d++)
            if (m->grade[t][d] >= 0)
                out[n++] = (iv_label_example){
                    m->traits[t] + d * m->width, 1.0 / m->l->topics[t].pi[d],
                    m->grade[t][d] >= m->l->grade[level], (uint32_t)fold_of(m, t) };
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

/* A topic's own factor into p, without the document itself. */
static void adapt(const making *m, size_t topic, size_t level, double kappa)
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
}

static void finish_level(const making *m, size_t topic, size_t level, int *label)
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
    for (size_t d = 0; d < t->count; d++) {
        t->sum[level] += x[d];
        t->found[level] += label[d] > 0 ? 1.0 : 0.0;
    }
    total = iv_rectified_total(x, p, t->pi, label, t->count);
    /* No more of a level than of the one below it. */
    t->total[level] = level > 0 ? fmin(total, t->total[level - 1]) : total;
}

static int make_level(const making *m, size_t level, iv_label_example *examples,
                      double *coefficient, int *label)
{
    const size_t n = list_examples(examples, m, level);

    iv_label_fit(coefficient, examples, n, m->width, m->folds);
    for (size_t t = 0; t < m->l->topic_count; t++) {
        iv_rectified_topic *topic = &m->l->topics[t];
        for (size_t d = 0; d < topic->framed; d++)
            topic->p[level * topic->count + d] = iv_label_probability(
                coefficient + fold_of(m, t) * m->width, m->traits[t] + d * m->width, m->width);
    }
    const double kappa = find_kappa(m, level);
    for (size_t t = 0; t < m->l->topic_count; t++) {
        adapt(m, t, level, kappa);
        finish_level(m, t, level, label);
    }
    return IV_OK;
}

static int make_all(making *m, iv_arena *own, iv_err *err)
{
    size_t most = 0, judged = 0;

    m->traits = iv_take(own, m->l->topic_count, sizeof *m->traits);
    m->grade = iv_take(own, m->l->topic_count, sizeof *m->grade);
    m->l->topics = iv_take(&m->l->own, m->l->topic_count, sizeof *m->l->topics);
    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_taken(&m->l->own, err));
    for (size_t t = 0; t < m->l->topic_count; t++) {
        IV_TRY(list_documents(m, t, err));
        most = m->l->topics[t].count > most ? m->l->topics[t].count : most;
        for (size_t d = 0; d < m->l->topics[t].framed; d++)
            judged += m->grade[t][d] >= 0;
    }
    iv_label_example *examples = iv_take(own, judged, sizeof *examples);
    double *coefficient = iv_take(own, m->folds * m->width, sizeof *coefficient);
    int *label = iv_take(own, most, sizeof *label);
    IV_TRY(iv_taken(own, err));
    for (size_t h = 0; h < m->l->levels; h++)
        IV_TRY(make_level(m, h, examples, coefficient, label));
    return IV_OK;
}

void iv_rectified_free(iv_rectified *l)
{
    if (l == NULL)
        return;
    iv_arena_free(&l->own);
    free(l);
}

int iv_rectified_new(iv_rectified **out, const iv_sampling *s, const iv_label_source *source,
                  iv_err *err)
{
    iv_rectified *l = calloc(1, sizeof *l);
    iv_arena own = { 0 };

    if (l == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for labels");
    l->levels = list_levels(l->grade, s);
    l->topic_count = iv_judgments_topics(iv_sampling_judgments(s));
    const size_t groups = source != NULL && source->groups > 1 ? source->groups - 1 : 0;
    making m = { .l = l, .s = s, .source = source, .width = 3 + groups,
                 .folds = l->topic_count < IV_LABEL_FOLDS ? l->topic_count : IV_LABEL_FOLDS };
    const int rc = l->levels > IV_LEVELS_MAX || m.width > IV_LABEL_TRAITS
        ? iv_fail(err, IV_EARG, "more than %d levels of relevance or %d groups of documents",
                  IV_LEVELS_MAX, IV_LABEL_TRAITS - 2)
        : make_all(&m, &own, err);
    iv_arena_free(&own);
    if (rc == IV_OK)
        *out = l;
    else
        iv_rectified_free(l);
    return rc;
}
