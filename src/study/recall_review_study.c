/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage on real rankings whose documents are all judged. */
#include <math.h>
#include <stdlib.h>

#include "intervale/trec.h"
#include "study/recall_study.h"
#include "study/study_columns.h"

/* A topic's ranking: how many relevant documents stand at or above each rank. */
typedef struct review {
    iv_str topic;
    int64_t documents, relevant, missed; /* missed: relevant, but not ranked */
    int64_t *above;
} review;

typedef struct reviews {
    iv_run *run;
    iv_judgments *labels;
    review *at;
    size_t count;
    size_t few; /* topics left out */
} reviews;

static void reviews_free(reviews *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->at[i].above);
    free(r->at);
    iv_run_free(r->run);
    iv_judgments_free(r->labels);
}

static int64_t count_relevant(const reviews *r, size_t topic, int64_t level)
{
    const iv_judgment *list;
    const size_t count = iv_judgments_of(&list, r->labels, topic);
    int64_t relevant = 0;

    for (size_t i = 0; i < count; i++)
        relevant += list[i].grade >= level;
    return relevant;
}

static int read_topic(reviews *r, size_t topic, const iv_study_recall_question *a, iv_err *err)
{
    const iv_str name = iv_run_topic(r->run, topic);
    const size_t judged = iv_judgments_find_topic(r->labels, name);
    const size_t depth = iv_run_depth(r->run, topic);
    review *v = &r->at[r->count];
    int64_t relevant = 0;

    if (judged == IV_NONE || count_relevant(r, judged, a->level) < a->least_relevant) {
        r->few++;
        return IV_OK;
    }
    *v = (review){ .topic = name, .documents = (int64_t)depth };
    v->above = malloc((depth + 1) * sizeof *v->above);
    if (v->above == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    v->above[0] = 0;
    for (size_t k = 0; k < depth; k++) {
        const iv_judgment *j = iv_judgments_find(r->labels, judged,
                                                 iv_run_docno(r->run, topic, k));
        relevant += j != NULL && j->grade >= a->level;
        v->above[k + 1] = relevant;
    }
    v->relevant = relevant;
    v->missed = count_relevant(r, judged, a->level) - relevant;
    r->count++;
    return IV_OK;
}

static int load(reviews *r, iv_recall_studied *s, iv_err *err)
{
    const iv_study_recall_question *a = &s->q;
    const iv_work work = iv_work_quiet(s->work);
    int rc = iv_run_load(&r->run, a->run, IV_RUN_ANY, &work, err);

    if (rc == IV_OK)
        rc = iv_judgments_load(&r->labels, a->labels, IV_JUDGMENTS_ANY, &work, err);
    if (rc < 0)
        return rc;
    iv_result_input(s->out, a->run, iv_run_bytes(r->run));
    iv_result_input(s->out, a->labels, iv_judgments_bytes(r->labels));
    r->at = calloc(iv_run_topics(r->run) + 1, sizeof *r->at);
    if (r->at == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < iv_run_topics(r->run) && rc == IV_OK; i++)
        rc = read_topic(r, i, a, err);
    return rc;
}

/* The default method at one cut-off of one topic. */
typedef struct topic_row {
    iv_str topic;
    int64_t cutoff, documents, relevant;
    double recall;
    iv_recall_coverage x;
} topic_row;

const iv_field iv_recall_study_topic_fields[] = {
    { "topic", IV_AT(topic_row, topic), .about = "a review" },
    { "cutoff", IV_AT(topic_row, cutoff), .about = "documents retrieved" },
    { "documents", IV_AT(topic_row, documents), .about = "of the ranking" },
    { "relevant", IV_AT(topic_row, relevant), .about = "of those" },
    { "recall", IV_AT(topic_row, recall), .digits = 3, .about = "the truth" },
    { "coverage", IV_AT(topic_row, x.coverage), .digits = 3,
      .about = "share of intervals that hold it" },
    { "width", IV_AT(topic_row, x.width), .digits = 3, .about = "mean width" },
    { "below", IV_AT(topic_row, x.below), .digits = 3, .about = "truth below the interval" },
    { "above", IV_AT(topic_row, x.above), .digits = 3, .about = "truth above the interval" },
    { NULL } };

/* Adds a topic's outcome to the sums over topics. */
static void add_up(iv_recall_coverage *sum, const iv_recall_coverage *rows, double nominal)
{
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL; m++) {
        const double off = rows[m].coverage - nominal;
        sum[m].coverage += rows[m].coverage;
        sum[m].width += rows[m].width;
        sum[m].rmse += off * off;
        sum[m].below += rows[m].below;
        sum[m].above += rows[m].above;
        sum[m].coverages.least = sum[m].coverage == rows[m].coverage
            ? rows[m].coverage : fmin(sum[m].coverages.least, rows[m].coverage);
    }
}

/* All methods, or the default one on the strata of a sample drawn apart. */
static int one_topic(iv_recall_coverage *rows, const iv_recall_studied *s, const review *v,
                     int64_t cutoff, const iv_work *work, iv_err *err)
{
    const int64_t n = s->q.sample_size, border = s->q.drawn_at;
    const int64_t R1 = v->above[cutoff];

    if (border <= 0) {
        const iv_recall_population p = { cutoff, R1, n, v->documents - cutoff,
                                         v->relevant - R1, 0, true };
        return iv_recall_study(rows, &p, 1, &s->q.how, work, err);
    }
    const int64_t half = n / 2 < border ? n / 2 : border;
    const int64_t rest = n - half < v->documents - border ? n - half : v->documents - border;
    const int64_t first = cutoff < border ? cutoff : border;
    const int64_t second = cutoff < border ? border : cutoff;
    const iv_recall_ranking r = { v->documents, cutoff, border, half, rest,
                                  { v->above[first], v->above[second] - v->above[first],
                                    v->relevant - v->above[second] } };
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL; m++)
        rows[m] = (iv_recall_coverage){ .coverage = NAN };
    return iv_recall_apart_study(&rows[IV_RECALL_BETABIN_WEIGHTED], &r, IV_RECALL_BETABIN_WEIGHTED,
                                 &s->q.how, work, err);
}

/* Means over topics, of one cut-off or of all. */
typedef struct means {
    iv_recall_coverage sum[IV_RECALL_ALL];
    double topics;
    double whole; /* of those, with a recall of 1 */
    double short_ones;
} means;

/* NULL: only makes means of the sums. */
static int put_means(iv_recall_studied *s, const char *name, means *m, iv_err *err)
{
    const double n = m->topics;

    if (n == 0.0)
        return IV_OK;
    for (int k = IV_RECALL_NAIVE; k < IV_RECALL_ALL; k++) {
        m->sum[k].coverage /= n;
        m->sum[k].width /= n;
        m->sum[k].rmse = sqrt(m->sum[k].rmse / n);
        m->sum[k].below /= n;
        m->sum[k].above /= n;
    }
    return name == NULL ? IV_OK : iv_recall_tell(s, name, m->sum, err);
}

/* Cut-off number k; adds rows of topics. */
static int one_cutoff(iv_recall_studied *s, const reviews *r, size_t k, means *all,
                      topic_row *topics, iv_err *err)
{
    const int64_t cutoff = s->q.at.at[k];
    const double parts = (double)(s->q.at.count * r->count);
    iv_recall_coverage rows[IV_RECALL_ALL];
    means m = { .topics = 0.0 };
    char name[48];

    for (size_t i = 0; i < r->count; i++) {
        const review *v = &r->at[i];
        const double part = (double)(k * r->count + i);
        iv_stage stage;
        if (v->documents <= cutoff || v->documents <= s->q.drawn_at
            || v->documents < s->q.sample_size) {
            all->short_ones += 1.0;
            continue;
        }
        (void)iv_work_part(&stage, s->work, part / parts, (part + 1.0) / parts);
        /* Topics of one cut-off draw different samples. */
        stage.work.seed = iv_work_seed(s->work) + i;
        const int rc = one_topic(rows, s, v, cutoff, &stage.work, err);
        if (rc < 0)
            return rc;
        topics[(size_t)all->topics] = (topic_row){
            v->topic, cutoff, v->documents, v->relevant,
            (double)v->above[cutoff] / (double)v->relevant, rows[IV_RECALL_BETABIN_WEIGHTED] };
        add_up(m.sum, rows, s->q.how.confidence);
        add_up(all->sum, rows, s->q.how.confidence);
        m.topics += 1.0;
        all->topics += 1.0;
        all->whole += v->above[cutoff] == v->relevant;
    }
    (void)snprintf(name, sizeof name, "at-%lld", (long long)cutoff);
    return put_means(s, name, &m, err);
}

static void note_review(iv_recall_studied *s, const reviews *r, const means *all)
{
    const iv_study_recall_question *a = &s->q;
    iv_result *out = s->out;
    int64_t missed = 0;

    for (size_t i = 0; i < r->count; i++)
        missed += r->at[i].missed;
    if (a->drawn_at > 0)
        iv_result_note(out, "Half of each sample is drawn from the first %lld documents, half "
                       "from the others.", (long long)a->drawn_at);
    iv_result_note(out, "%zu samples of %lld documents for each topic and cut-off; %zu topics, "
                   "%zu more with fewer than %lld relevant documents are left out.",
                   a->how.samples, (long long)a->sample_size, r->count, r->few,
                   (long long)a->least_relevant);
    if (all->short_ones > 0.0)
        iv_result_note(out, "%.0f times a topic had no more documents than the cut-off, or fewer "
                       "than the sample, and is left out there.", all->short_ones);
    if (missed > 0)
        iv_result_note(out, "%lld relevant documents are in no ranking and outside these "
                       "collections.", (long long)missed);
    if (all->whole > 0.0 && all->whole < all->topics)
        iv_result_note(out, "%.0f of %.0f times recall is 1, which an interval always holds; "
                       "over the others betabin-weighted covers %.4f.", all->whole, all->topics,
                       (all->topics * all->sum[IV_RECALL_BETABIN_WEIGHTED].coverage - all->whole)
                           / (all->topics - all->whole));
}

int iv_recall_review_study(iv_recall_studied *s, iv_err *err)
{
    const size_t cutoffs = s->q.at.count;
    reviews r = { 0 };
    means all = { .topics = 0.0 };
    topic_row *topics = NULL;
    int rc = load(&r, s, err);

    if (rc == IV_OK && r.count == 0)
        rc = iv_fail_at(err, IV_ENODATA, s->q.run, 0, "no topic has %lld relevant "
                        "documents in %s", (long long)s->q.least_relevant, s->q.labels);
    if (rc == IV_OK) {
        topics = malloc((cutoffs * r.count + 1) * sizeof *topics);
        rc = topics == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
    }
    for (size_t k = 0; k < cutoffs && rc == IV_OK; k++)
        rc = one_cutoff(s, &r, k, &all, topics, err);
    if (rc == IV_OK && all.topics == 0.0)
        rc = iv_fail(err, IV_ENODATA, "no topic is longer than a cut-off and the sample");
    if (rc == IV_OK)
        rc = put_means(s, cutoffs > 1 ? "all" : NULL, &all, err);
    if (rc == IV_OK) {
        iv_recall_add_coverage(s);
        (void)iv_result_rows(s->out, &(iv_rows){ "topics", iv_recall_study_topic_fields, topics, (size_t)all.topics,
                                                 sizeof *topics });
        note_review(s, &r, &all);
    }
    free(topics);
    reviews_free(&r);
    return rc;
}
