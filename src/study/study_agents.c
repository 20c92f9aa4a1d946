/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of eval's pass@k, pass^k, ratios and percentiles, and how often gates on them pass
 * falsely: agents that try tasks several times,
 * whose tasks differ in difficulty, also by cluster, and whose costs have a long tail.
 */
#include "base/err.h"
#include "result/result_build.h"
#include "study/study.h"

#include <stdio.h>
#include <string.h>

enum { MEASURES = 6, MOST_RECORDS = 2 * 200 * 4 }; /* cost and success of 200 x 4 attempts */

/* Logits of tasks have this standard deviation, of which clusters have a part; tasks have half of
 * the variance of the logarithm of costs, which falls with the probability of success. */
static const double DIFFICULTY = 1.5, CLUSTER_PART = 0.3, MEAN_LOGIT = 0.3, CORRELATION = -0.4;

typedef struct agent {
    size_t tasks, attempts, in_cluster; /* 1: no clusters */
    double sigma, confidence;           /* of log cost; 0: none is drawn */
    double truth[MEASURES];
} agent;

static const char *const names[MEASURES] = { "pass@1", "pass@4", "pass^4", "cost/score",
                                             "p50:cost", "p95:cost" };

/* The arrays of a thread: texts that name records, and scores. */
typedef struct records {
    const char *system[MOST_RECORDS], *item[MOST_RECORDS], *repeat[MOST_RECORDS],
        *cluster[MOST_RECORDS],
        *measure[MOST_RECORDS];
    char numbers[MOST_RECORDS][8];
    double score[MOST_RECORDS];
} records;

static void *records_new(iv_arena *own, void *user)
{
    records *r = iv_take(own, 1, sizeof *r);

    (void)user;
    for (size_t i = 0; r != NULL && i < MOST_RECORDS; i++)
        (void)snprintf(r->numbers[i], sizeof r->numbers[i], "%zu", i % 10000);
    return r;
}

static double succeed(double z) { return 1.0 / (1.0 + exp(-MEAN_LOGIT - DIFFICULTY * z)); }

/* By quadrature over tasks. */
static void find_truth(agent *a)
{
    enum { POINTS = 4000 };
    double any = 0.0, all = 0.0, mean = 0.0;

    for (int i = 0; i < POINTS; i++) {
        const double p = succeed(iv_norm_quantile((i + 0.5) / POINTS));
        mean += p / POINTS;
        any += (1.0 - pow(1.0 - p, 4.0)) / POINTS;
        all += pow(p, 4.0) / POINTS;
    }
    const double truth[MEASURES] = { mean, any, all, exp(0.5 * a->sigma * a->sigma) / mean, 1.0,
                                     exp(a->sigma * iv_norm_quantile(0.95)) };
    memcpy(a->truth, truth, sizeof truth);
}

static size_t draw_records(records *r, const agent *a, iv_stream *stream)
{
    size_t n = 0;
    double shared = 0.0;

    for (size_t t = 0; t < a->tasks; t++) {
        if (t % a->in_cluster == 0)
            shared = iv_draw_normal(stream);
        const double part = a->in_cluster > 1 ? CLUSTER_PART : 0.0;
        const double z = sqrt(part) * shared + sqrt(1.0 - part) * iv_draw_normal(stream);
        const double own = CORRELATION * z
            + sqrt(1.0 - CORRELATION * CORRELATION) * iv_draw_normal(stream);
        for (size_t k = 0; k < a->attempts; k++) {
            const double x[] = { iv_draw_uniform(stream) < succeed(z),
                                 exp(a->sigma * sqrt(0.5) * (own + iv_draw_normal(stream))) };
            for (size_t m = 0; m < (a->sigma > 0.0 ? 2U : 1U); m++, n++) {
                r->system[n] = "agent";
                r->item[n] = r->numbers[t];
                r->repeat[n] = r->numbers[k];
                r->cluster[n] = r->numbers[t / a->in_cluster];
                r->measure[n] = m == 0 ? "score" : "cost";
                r->score[n] = x[m];
            }
        }
    }
    return n;
}

/* Tallies the rows of table measures, whose names are those asked for. */
static void tally_rows(iv_tally *t, const iv_result *result, const agent *a, size_t first)
{
    const iv_table *table = iv_result_table_at(result, 0);
    const size_t name = iv_table_find(table, "measure"), value = iv_table_find(table, "value"),
        lower = iv_table_find(table, "lower"), upper = iv_table_find(table, "upper");

    for (size_t row = 0; row < iv_table_rows(table); row++)
        for (size_t m = 0; m < 3; m++)
            if (iv_str_cmp(iv_table_cell(table, row, name).text,
                           iv_str_of(names[first + m])) == 0) {
                const iv_cell low = iv_table_cell(table, row, lower);
                const iv_cell high = iv_table_cell(table, row, upper);
                iv_tally_interval(&t[m], iv_table_cell(table, row, value).real,
                                  low.missing ? (double)NAN : low.real,
                                  high.missing ? (double)NAN : high.real, a->truth[first + m]);
            }
}

/* Gates of values that are exactly at their bounds, each asked alone: every PASS is an error. */
static int tally_gates(iv_tally *t, const iv_eval_question *asked, const agent *a,
                       const iv_work *work, iv_err *err)
{
    for (size_t m = 0; m < 3; m++) {
        iv_eval_question q = *asked;
        iv_result *result = NULL;
        char text[64];
        const char *bound = text;
        (void)snprintf(text, sizeof text, "%s=%.15g", names[3 + m], a->truth[3 + m]);
        q.how.measures = (iv_texts){ names + 3 + m, 1 };
        q.at_most = (iv_texts){ &bound, 1 };
        IV_TRY(iv_result_new(&result, "eval", err));
        const int rc = iv_answer_eval(result, &q, work, err);
        iv_tally_decision(&t[m], rc == IV_OK && iv_result_has_verdict(NULL, NULL, result)
                          == IV_VERDICT_SHOWN, 0.0);
        iv_result_free(result);
        if (rc != IV_OK && rc != IV_ENODATA)
            return rc;
    }
    return IV_OK;
}

static int agent_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const agent *a = user;
    records *r = memory;
    const size_t n = draw_records(r, a, stream), first = a->sigma > 0.0 ? 3 : 0;
    const iv_work alone = { .threads = 1, .seed = 1 };
    iv_result *result = NULL;
    iv_eval_question q = {
        .scores = { .given = true, .from = { .score = { r->score, n },
                                             .system = { r->system, n }, .item = { r->item, n },
                                             .measure = { r->measure, n },
                                             .repeat = { r->repeat, n } } },
        .how = { .measures = { names + first, 3 },
                 .resampling = { .confidence = a->confidence, .resamples = 1000 } } };

    if (a->in_cluster > 1)
        q.scores.from.cluster = (iv_texts){ r->cluster, n };
    if (first > 0)
        IV_TRY(tally_gates(t + 3, &q, a, &alone, err));
    IV_TRY(iv_result_new(&result, "eval", err));
    int rc = iv_answer_eval(result, &q, &alone, err);
    if (rc == IV_OK)
        tally_rows(t, result, a, first);
    else if (rc == IV_ENODATA) /* no success at all */
        for (size_t m = 0; m < 3; m++)
            iv_tally_interval(&t[m], NAN, NAN, NAN, a->truth[first + m]);
    iv_result_free(result);
    return rc == IV_ENODATA ? IV_OK : rc;
}

int iv_study_agents(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = {
        { .quantity = "pass@1", .method = "default of eval" },
        { .quantity = "pass@4", .method = "default of eval" },
        { .quantity = "pass^4", .method = "default of eval" },
        { .quantity = "cost per success", .method = "default of eval" },
        { .quantity = "median cost", .method = "default of eval" },
        { .quantity = "95th percentile of cost", .method = "default of eval" },
        { "cost per success", "false PASS of --at-most", true, 0.05 },
        { "median cost", "false PASS of --at-most", true, 0.05 },
        { "95th percentile of cost", "false PASS of --at-most", true, 0.05 } };
    static const size_t tasks[] = { 12, 25, 50 }, items[] = { 20, 50, 200 };

    for (size_t i = 0; i < IV_AGENT_SETTINGS; i++) {
        const bool costs = i >= 12;
        agent a = { costs ? items[i % 3] : tasks[i % 3], costs || i / 3 % 2 == 0 ? 4 : 16,
                    (costs ? i / 3 % 2 : i / 6) == 0 ? 1 : 2, 0.0, s->confidence, { 0.0 } };
        if (costs)
            a.sigma = i < 18 ? 0.7 : 1.2;
        find_truth(&a);
        const iv_experiment e = { costs ? "lognormal costs" : "attempts 0/1",
                                  methods + (costs ? 3 : 0), costs ? 6 : 3, 2000, agent_replicate,
                                  &a, records_new };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu tasks, %zu attempts, clusters of %zu%s",
                                 a.tasks, a.attempts, a.in_cluster,
                                 !costs ? "" : i < 18 ? ", sigma 0.7" : ", sigma 1.2"));
    }
    return IV_OK;
}
