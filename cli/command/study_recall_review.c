/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage on real rankings whose documents are all judged. */
#include <math.h>
#include <stdlib.h>

#include "intervale/trec.h"
#include "command/study_recall.h"

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
    size_t few, short_ones; /* topics left out */
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

static int read_topic(reviews *r, size_t topic, const study_recall_args *a, iv_err *err)
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

static int load(reviews *r, study_recall *s, iv_err *err)
{
    const study_recall_args *a = s->args;
    const int threads = (int)s->c->shared->threads;
    int rc = iv_run_load(&r->run, a->run, IV_RUN_ANY, &(iv_work){ .threads = threads }, err);

    if (rc == IV_OK)
        rc = iv_judgments_load(&r->labels, a->labels, IV_JUDGMENTS_ANY,
                               &(iv_work){ .threads = threads }, err);
    if (rc < 0)
        return rc;
    iv_result_input(s->c->result, a->run, iv_run_bytes(r->run));
    iv_result_input(s->c->result, a->labels, iv_judgments_bytes(r->labels));
    r->at = calloc(iv_run_topics(r->run) + 1, sizeof *r->at);
    if (r->at == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < iv_run_topics(r->run) && rc == IV_OK; i++)
        rc = read_topic(r, i, a, err);
    return rc;
}

static void put_topic(study_recall *s, const review *v, int64_t cutoff, double recall,
                      const iv_recall_coverage *c)
{
    iv_put_text(s->topics, v->topic);
    iv_put_int(s->topics, cutoff);
    iv_put_int(s->topics, v->documents);
    iv_put_int(s->topics, v->relevant);
    iv_put_real(s->topics, recall);
    iv_put_real(s->topics, c->coverage);
    iv_put_real(s->topics, c->width);
    iv_put_real(s->topics, c->below);
    iv_put_real(s->topics, c->above);
}

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
    }
}

/* All methods, or the default one on the strata of a sample drawn apart. */
static int one_topic(iv_recall_coverage *rows, const study_recall *s, const review *v,
                     int64_t cutoff, const iv_recall_study_options *o, iv_err *err)
{
    const int64_t n = s->args->sample_size, border = s->args->drawn_at;
    const int64_t R1 = v->above[cutoff];

    if (border <= 0) {
        const iv_recall_population p = { cutoff, R1, n, v->documents - cutoff,
                                         v->relevant - R1, 0, true };
        return iv_recall_study(rows, &p, 1, o, err);
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
    return iv_recall_apart_study(&rows[IV_RECALL_BETABIN_SHARED], &r, IV_RECALL_BETABIN_SHARED,
                                 o, err);
}

/* Means over topics, of one cut-off or of all. */
typedef struct means {
    iv_recall_coverage sum[IV_RECALL_ALL];
    double topics;
    double whole; /* of those, with a recall of 1 */
    double short_ones;
} means;

/* NULL: only makes means of the sums. */
static void put_means(study_recall *s, const char *name, means *m)
{
    const double n = m->topics;

    if (n == 0.0)
        return;
    for (int k = IV_RECALL_NAIVE; k < IV_RECALL_ALL; k++) {
        m->sum[k].coverage /= n;
        m->sum[k].width /= n;
        m->sum[k].rmse = sqrt(m->sum[k].rmse / n);
        m->sum[k].below /= n;
        m->sum[k].above /= n;
    }
    if (name != NULL)
        study_recall_put(s, name, m->sum);
}

static int one_cutoff(study_recall *s, const reviews *r, int64_t cutoff, means *all,
                      iv_err *err)
{
    iv_recall_coverage rows[IV_RECALL_ALL];
    means m = { .topics = 0.0 };
    char name[48];

    for (size_t i = 0; i < r->count; i++, s->part++) {
        const review *v = &r->at[i];
        if (v->documents <= cutoff || v->documents <= s->args->drawn_at
            || v->documents < s->args->sample_size) {
            all->short_ones += 1.0;
            continue;
        }
        iv_recall_study_options o = study_recall_options(s, (size_t)s->args->samples);
        o.seed += i; /* topics of one cut-off draw different samples */
        const int rc = one_topic(rows, s, v, cutoff, &o, err);
        if (rc < 0)
            return rc;
        put_topic(s, v, cutoff, (double)v->above[cutoff] / (double)v->relevant,
                  &rows[IV_RECALL_BETABIN_SHARED]);
        add_up(m.sum, rows, s->c->shared->confidence);
        add_up(all->sum, rows, s->c->shared->confidence);
        m.topics += 1.0;
        all->topics += 1.0;
        all->whole += v->above[cutoff] == v->relevant;
    }
    (void)snprintf(name, sizeof name, "at-%lld", (long long)cutoff);
    put_means(s, name, &m);
    return IV_OK;
}

static void note_review(study_recall *s, const reviews *r, const means *all)
{
    const study_recall_args *a = s->args;
    iv_result *out = s->c->result;
    int64_t missed = 0;

    for (size_t i = 0; i < r->count; i++)
        missed += r->at[i].missed;
    if (a->drawn_at > 0)
        iv_result_note(out, "Half of each sample is drawn from the first %lld documents, half "
                       "from the others.", (long long)a->drawn_at);
    iv_result_note(out, "%lld samples of %lld documents for each topic and cut-off; %zu topics, "
                   "%zu more with fewer than %lld relevant documents are left out.",
                   (long long)a->samples, (long long)a->sample_size, r->count, r->few,
                   (long long)a->least_relevant);
    if (all->short_ones > 0.0)
        iv_result_note(out, "%.0f times a topic had no more documents than the cut-off, or fewer "
                       "than the sample, and is left out there.", all->short_ones);
    if (missed > 0)
        iv_result_note(out, "%lld relevant documents are in no ranking and outside these "
                       "collections.", (long long)missed);
    if (all->whole > 0.0 && all->whole < all->topics)
        iv_result_note(out, "%.0f of %.0f times recall is 1, which an interval always holds; "
                       "over the others betabin-shared covers %.4f.", all->whole, all->topics,
                       (all->topics * all->sum[IV_RECALL_BETABIN_SHARED].coverage - all->whole)
                           / (all->topics - all->whole));
}

int study_recall_review(study_recall *s, iv_err *err)
{
    const opt_numbers *at = &s->args->at;
    reviews r = { 0 };
    means all = { .topics = 0.0 };
    int rc = at->count == 0 ? cmd_usage(err, "--run and --labels need --at") : IV_OK;

    for (size_t i = 0; i < at->count && rc == IV_OK; i++) {
        if (at->at[i] != floor(at->at[i]))
            rc = cmd_usage(err, "--at: %g is not a whole number", at->at[i]);
    }
    if (rc == IV_OK)
        rc = load(&r, s, err);
    if (rc == IV_OK && r.count == 0)
        rc = iv_fail_at(err, IV_ENODATA, s->args->run, 0, "no topic has %lld relevant "
                        "documents in %s", (long long)s->args->least_relevant,
                        s->args->labels);
    s->parts = at->count * r.count;
    for (size_t i = 0; i < at->count && rc == IV_OK; i++)
        rc = one_cutoff(s, &r, (int64_t)at->at[i], &all, err);
    if (rc == IV_OK && all.topics == 0.0)
        rc = iv_fail(err, IV_ENODATA, "no topic is longer than a cut-off and the sample");
    if (rc == IV_OK) {
        put_means(s, at->count > 1 ? "all" : NULL, &all);
        note_review(s, &r, &all);
    }
    reviews_free(&r);
    return rc;
}
