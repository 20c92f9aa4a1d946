/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of pass@k, pass^k, ratios and percentiles, and how often gates on them pass falsely:
 * agents that try tasks several times, whose tasks differ in difficulty, also by cluster, and whose
 * costs have a long tail.
 */
#include "base/err.h"
#include "result/result_build.h"
#include "study/study.h"

#include <stdio.h>
#include <string.h>

enum { MEASURES = 6, AT_ONCE = 3, MAIN = 0, NEW = 1, AGENTS,
       MOST_RECORDS = AGENTS * 2 * 200 * 4 }; /* cost and success of 200 x 4 attempts */

/* Logits of tasks have this standard deviation, of which clusters have a part; tasks have half of
 * the variance of the logarithm of costs, which falls with the probability of success. */
static const double DIFFICULTY = 1.5, CLUSTER_PART = 0.3, CORRELATION = -0.4;
/* The new agent fails more often or, where costs are drawn, costs more by this factor. */
static const double MEAN_LOGIT[AGENTS] = { 0.3, -0.2 }, DEARER = 1.25;

typedef struct agent {
    size_t tasks, attempts, in_cluster; /* 1: no clusters */
    double sigma, confidence;           /* of log cost; 0: none is drawn */
    double truth[AGENTS][MEASURES];
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

static double succeed(const agent *a, size_t which, double z)
{
    const double mean = MEAN_LOGIT[a->sigma > 0.0 ? MAIN : which];

    return 1.0 / (1.0 + exp(-mean - DIFFICULTY * z));
}

/* By quadrature over tasks. */
static void find_truth(agent *a, size_t which)
{
    enum { POINTS = 4000 };
    const double dear = which == NEW ? DEARER : 1.0;
    double any = 0.0, all = 0.0, mean = 0.0;

    for (int i = 0; i < POINTS; i++) {
        const double p = succeed(a, which, iv_norm_quantile((i + 0.5) / POINTS));
        mean += p / POINTS;
        any += (1.0 - pow(1.0 - p, 4.0)) / POINTS;
        all += pow(p, 4.0) / POINTS;
    }
    const double truth[MEASURES] = { mean, any, all, dear * exp(0.5 * a->sigma * a->sigma) / mean,
                                     dear, dear * exp(a->sigma * iv_norm_quantile(0.95)) };
    memcpy(a->truth[which], truth, sizeof truth);
}

/* Adds the score or the cost of an attempt. */
static void add_record(records *r, size_t *n, const agent *a, size_t which, size_t task,
                       size_t attempt, const char *measure, double score)
{
    r->system[*n] = which == MAIN ? "main" : "new";
    r->item[*n] = r->numbers[task];
    r->repeat[*n] = r->numbers[attempt];
    r->cluster[*n] = r->numbers[task / a->in_cluster];
    r->measure[*n] = measure;
    r->score[(*n)++] = score;
}

/* Of the first agents: tasks are as hard, and as expensive, for all of them. */
static size_t draw_records(records *r, const agent *a, size_t agents, iv_stream *stream)
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
        for (size_t k = 0; k < agents * a->attempts; k++) {
            const size_t which = k / a->attempts, at = k % a->attempts;
            const bool success = iv_draw_uniform(stream) < succeed(a, which, z);
            const double cost = exp(a->sigma * sqrt(0.5) * (own + iv_draw_normal(stream)));
            add_record(r, &n, a, which, t, at, "score", success);
            if (a->sigma > 0.0)
                add_record(r, &n, a, which, t, at, "cost", which == NEW ? DEARER * cost : cost);
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
                                  high.missing ? (double)NAN : high.real,
                                  a->truth[MAIN][first + m]);
            }
}

static iv_score_input input_of(const records *r, const agent *a, size_t n)
{
    iv_score_input in = { .given = true, .from = {
        .score = { r->score, n }, .system = { r->system, n }, .item = { r->item, n },
        .measure = { r->measure, n }, .repeat = { r->repeat, n } } };

    if (a->in_cluster > 1)
        in.from.cluster = (iv_texts){ r->cluster, n };
    return in;
}

static size_t first_of(const agent *a) { return a->sigma > 0.0 ? AT_ONCE : 0; }

static const iv_work alone = { .threads = 1, .seed = 1 };

/* Does a gate pass whose value is exactly at its bound?  That is an error. */
static bool passes(const iv_result *result, int rc)
{
    return rc == IV_OK && iv_result_has_verdict(NULL, NULL, result) == IV_VERDICT_SHOWN;
}

/* Gates of eval, each asked alone. */
static int tally_gates(iv_tally *t, const iv_eval_question *asked, const agent *a, iv_err *err)
{
    for (size_t m = AT_ONCE; m < MEASURES; m++) {
        iv_eval_question q = *asked;
        iv_result *result = NULL;
        char text[64];
        const char *bound = text;
        (void)snprintf(text, sizeof text, "%s=%.15g", names[m], a->truth[MAIN][m]);
        q.how.measures = (iv_texts){ names + m, 1 };
        q.at_most = (iv_texts){ &bound, 1 };
        IV_TRY(iv_result_new(&result, "eval", err));
        const int rc = iv_answer_eval(result, &q, &alone, err);
        iv_tally_decision(&t[m - AT_ONCE], passes(result, rc), 0.0);
        iv_result_free(result);
        if (rc != IV_OK && rc != IV_ENODATA)
            return rc;
    }
    return IV_OK;
}

static int eval_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const agent *a = user;
    const size_t first = first_of(a), n = draw_records(memory, a, 1, stream);
    iv_result *result = NULL;
    const iv_eval_question q = {
        .scores = input_of(memory, a, n),
        .how = { .measures = { names + first, AT_ONCE },
                 .resampling = { .confidence = a->confidence, .resamples = 1000 } } };

    if (first > 0)
        IV_TRY(tally_gates(t + AT_ONCE, &q, a, err));
    IV_TRY(iv_result_new(&result, "eval", err));
    const int rc = iv_answer_eval(result, &q, &alone, err);
    if (rc == IV_OK)
        tally_rows(t, result, a, first);
    else if (rc == IV_ENODATA) /* no success at all */
        for (size_t m = 0; m < AT_ONCE; m++)
            iv_tally_interval(&t[m], NAN, NAN, NAN, a->truth[MAIN][first + m]);
    iv_result_free(result);
    return rc == IV_ENODATA ? IV_OK : rc;
}

/* The interval of the difference in the only measure that was asked for. */
static void tally_difference(iv_tally *t, const iv_result *result, int rc, double truth)
{
    static const char *const columns[] = { "difference", "lower", "upper" };
    const iv_table *pairs = rc == IV_OK ? iv_result_table_at(result, 0) : NULL;
    double found[3] = { NAN, NAN, NAN };

    for (size_t k = 0; pairs != NULL && k < 3; k++) {
        const iv_cell cell = iv_table_cell(pairs, 0, iv_table_find(pairs, columns[k]));
        found[k] = cell.missing ? (double)NAN : cell.real;
    }
    iv_tally_interval(t, found[0], found[1], found[2], truth);
}

/* compare of the two agents, with the true loss as the margin; of costs also the gate on their
 * ratio. */
static int compare_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    static const char *const baseline[] = { "main" };
    const agent *a = user;
    const size_t first = first_of(a), n = draw_records(memory, a, AGENTS, stream);

    for (size_t m = 0; m < AT_ONCE; m++) {
        const double loss = fabs(a->truth[NEW][first + m] - a->truth[MAIN][first + m]);
        iv_result *result = NULL;
        const iv_compare_question q = {
            .scores = input_of(memory, a, n), .not_worse = true, .baselines = { baseline, 1 },
            .scoring = { .measures = { names + first + m, 1 } },
            .how = { .margin = loss, .confidence = a->confidence, .resamples = 100 } };
        IV_TRY(iv_result_new(&result, "compare", err));
        const int rc = iv_answer_compare(result, &q, &alone, err);
        tally_difference(&t[m], result, rc, -loss);
        if (first > 0 && m == 0)
            iv_tally_decision(&t[AT_ONCE], passes(result, rc), 0.0);
        iv_result_free(result);
        if (rc != IV_OK && rc != IV_ENODATA)
            return rc;
    }
    return IV_OK;
}

/* The settings: attempts of 12 to 50 tasks, then costs of 20 to 200. */
static agent agent_of(size_t i, double confidence)
{
    static const size_t tasks[] = { 12, 25, 50 }, items[] = { 20, 50, 200 };
    const bool costs = i >= 12;
    agent a = { costs ? items[i % 3] : tasks[i % 3], costs || i / 3 % 2 == 0 ? 4 : 16,
                (costs ? i / 3 % 2 : i / 6) == 0 ? 1 : 2, 0.0, confidence, { { 0.0 } } };

    if (costs)
        a.sigma = i < 18 ? 0.7 : 1.2;
    for (size_t which = 0; which < AGENTS; which++)
        find_truth(&a, which);
    return a;
}

int iv_study_agents(iv_study *s, iv_err *err)
{
    static const char *const what[] = { "pass@1", "pass@4", "pass^4", "cost per success",
                                        "median cost", "95th percentile of cost" };
    iv_studied one[9] = { 0 }, two[7] = { 0 };

    for (size_t k = 0; k < 6; k++) {
        one[k] = (iv_studied){ .quantity = what[k], .method = "default of eval" };
        two[k] = (iv_studied){ .quantity = what[k], .method = "compare, two agents" };
    }
    for (size_t k = 6; k < 9; k++)
        one[k] = (iv_studied){ what[k - 3], "false PASS of --at-most", true, 0.05 };
    two[6] = (iv_studied){ what[3], "compare --margin, false PASS", true, 0.05 };
    for (size_t i = 0; i < 2 * IV_AGENT_SETTINGS; i++) {
        const bool both = i % 2 == 1;
        agent a = agent_of(i / 2, s->confidence);
        const bool costs = a.sigma > 0.0;
        const iv_experiment e = {
            costs ? "lognormal costs" : "attempts 0/1", (both ? two : one) + first_of(&a),
            !costs ? AT_ONCE : both ? AT_ONCE + 1 : 2 * AT_ONCE, 2000,
            both ? compare_replicate : eval_replicate, &a, records_new };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu tasks, %zu attempts, clusters of %zu%s", a.tasks,
                                 a.attempts, a.in_cluster, !costs ? ""
                                 : a.sigma < 1.0 ? ", sigma 0.7" : ", sigma 1.2"));
    }
    return IV_OK;
}
