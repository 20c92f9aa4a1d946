/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage on real rankings whose documents are all judged. */
#include <math.h>
#include <stdlib.h>

#include "intervale/trec.h"
#include "study_recall.h"

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
    int rc = iv_run_load(&r->run, a->run, IV_RUN_ANY, threads, err);

    if (rc == IV_OK)
        rc = iv_judgments_load(&r->labels, a->labels, IV_JUDGMENTS_ANY, threads, err);
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
    for (int m = 0; m < IV_RECALL_NAMED; m++) {
        const double off = rows[m].coverage - nominal;
        sum[m].coverage += rows[m].coverage;
        sum[m].width += rows[m].width;
        sum[m].rmse += off * off;
        sum[m].below += rows[m].below;
        sum[m].above += rows[m].above;
    }
}

static int one_cutoff(study_recall *s, const reviews *r, int64_t cutoff, size_t *shorter,
                      iv_err *err)
{
    iv_recall_coverage sum[IV_RECALL_NAMED] = { { 0 } }, rows[IV_RECALL_NAMED];
    double topics = 0.0;
    char name[48];

    for (size_t i = 0; i < r->count; i++, s->part++) {
        const review *v = &r->at[i];
        if (v->documents <= cutoff || v->documents < s->args->sample_size) {
            (*shorter)++;
            continue;
        }
        const int64_t R1 = v->above[cutoff];
        const iv_recall_population p = { cutoff, R1, s->args->sample_size, v->documents - cutoff,
                                         v->relevant - R1, 0, true };
        iv_recall_study_options o = study_recall_options(s, (size_t)s->args->samples);
        o.seed += i; /* topics of one cut-off draw different samples */
        const int rc = iv_recall_study(rows, &p, 1, &o, err);
        if (rc < 0)
            return rc;
        put_topic(s, v, cutoff, (double)R1 / (double)v->relevant,
                  &rows[IV_RECALL_BETABIN_SHARED]);
        add_up(sum, rows, s->c->shared->confidence);
        topics += 1.0;
    }
    for (int m = 0; m < IV_RECALL_NAMED && topics > 0.0; m++) {
        sum[m].coverage /= topics;
        sum[m].width /= topics;
        sum[m].rmse = sqrt(sum[m].rmse / topics);
        sum[m].below /= topics;
        sum[m].above /= topics;
    }
    (void)snprintf(name, sizeof name, "at-%lld", (long long)cutoff);
    if (topics > 0.0)
        study_recall_put(s, name, sum);
    return IV_OK;
}

int study_recall_review(study_recall *s, iv_err *err)
{
    reviews r = { 0 };
    size_t shorter = 0;
    int rc = s->args->at.count == 0 ? cmd_usage(err, "--run and --labels need --at") : IV_OK;

    if (rc == IV_OK)
        rc = load(&r, s, err);
    if (rc == IV_OK && r.count == 0)
        rc = iv_fail(err, IV_ENODATA, "%s: no topic has %lld relevant documents in %s",
                     s->args->run, (long long)s->args->least_relevant, s->args->labels);
    s->parts = s->args->at.count * r.count;
    for (size_t i = 0; i < s->args->at.count && rc == IV_OK; i++)
        rc = one_cutoff(s, &r, (int64_t)s->args->at.at[i], &shorter, err);
    if (rc == IV_OK) {
        int64_t missed = 0;
        for (size_t i = 0; i < r.count; i++)
            missed += r.at[i].missed;
        iv_result_note(s->c->result, "%lld samples of %lld documents for each topic and cut-off; "
                       "%zu topics, %zu more with fewer than %lld relevant documents are left "
                       "out.", (long long)s->args->samples, (long long)s->args->sample_size,
                       r.count, r.few, (long long)s->args->least_relevant);
        if (shorter > 0)
            iv_result_note(s->c->result, "%zu times a topic had no more documents than the "
                           "cut-off, or fewer than the sample, and is left out there.", shorter);
        if (missed > 0)
            iv_result_note(s->c->result, "%lld relevant documents are in no ranking and outside "
                           "these collections.", (long long)missed);
        if (s->part == 0 || shorter == s->parts)
            rc = iv_fail(err, IV_ENODATA, "no topic is longer than a cut-off");
    }
    reviews_free(&r);
    return rc;
}
