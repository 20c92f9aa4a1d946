/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of means and differences from human judgments of some topics and automatic labels
 * of all: T topics are drawn from a population with replacement, the first n have human
 * values.  The labels are given, or simulated with a known correlation.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "labels/plan_machine.h"
#include "retrieval/evaluation.h"
#include "study/study.h"

#include <math.h>

typedef struct design {
    const double *human, *machine; /* values by both kinds of labels: runs x topics */
    size_t runs, topics;
    size_t n, T; /* topics drawn, of which n have human labels */
    bool difference;
    double confidence;
    double planned; /* half the width that was planned; 0: not planned */
} design;

/* By both, by human judgments alone, by automatic labels alone. */
static int replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const design *d = user, *x = d;
    double *h = ((iv_study_room *)memory)->x, *z = h + d->T, truth = 0.0, lower, upper;
    const size_t a = (size_t)iv_draw_below(stream, x->runs) * x->topics;
    const size_t b = d->difference ? (a + x->topics * (1 + (size_t)iv_draw_below(
                                          stream, x->runs - 1))) % (x->runs * x->topics) : a;
    const double sign = d->difference ? 1.0 : 0.0;
    iv_regression_mean got;

    for (size_t k = 0; k < x->topics; k++)
        truth += (x->human[a + k] - sign * x->human[b + k]) / (double)x->topics;
    for (size_t k = 0; k < d->T; k++) {
        const size_t at = (size_t)iv_draw_below(stream, x->topics);
        h[k] = x->human[a + at] - sign * x->human[b + at];
        z[k] = x->machine[a + at] - sign * x->machine[b + at];
    }
    for (size_t m = 0; m < (d->planned > 0.0 ? 1 : 3); m++) {
        IV_TRY(iv_regression_mean_of(&got, m < 2 ? h : z, m < 2 ? d->n : d->T, z,
                                     m == 1 ? d->n : d->T, false, err));
        lower = got.value - d->planned;
        upper = got.value + d->planned;
        if (d->planned == 0.0)
            iv_student_limits(&lower, &upper, got.value, got.se, got.df, !d->difference,
                              d->confidence);
        iv_tally_interval(&t[m], got.value, lower, upper, truth);
    }
    return IV_OK;
}

static int study_labels(iv_study *s, design d, const char *data, const char *measure,
                        iv_err *err)
{
    static const int64_t usual[] = { 8, 15, 25, 50 };
    const iv_integers n = s->q->n.count > 0 ? s->q->n : (iv_integers){ usual, 4 };
    char quantity[2][IV_STUDY_TEXT];

    (void)snprintf(quantity[0], IV_STUDY_TEXT, "mean %s", measure);
    (void)snprintf(quantity[1], IV_STUDY_TEXT, "difference of mean %s", measure);
    for (size_t i = 0; i < 4 * n.count; i++) {
        const size_t kind = i % 2, T = i / 2 % 2 == 0 ? 50 : 200;
        const iv_studied methods[] = {
            { .quantity = quantity[kind], .method = "human and automatic labels" },
            { .quantity = quantity[kind], .method = "human labels only" },
            { .quantity = quantity[kind], .method = "automatic labels only" } };
        const iv_experiment e = { data, methods, 3, 2000, replicate, &d, .room = { 2 * T } };
        d.n = (size_t)n.at[i / 4];
        d.T = T;
        d.difference = kind == 1;
        d.confidence = s->confidence;
        if (d.n > T || (kind == 1 && d.runs < 2))
            continue;
        IV_TRY(iv_experiment_run(s, &e, err, "%s%zu of %zu topics", kind == 1 ? "difference, " : "",
                                 d.n, T));
    }
    return IV_OK;
}

/* -------------------------------------------------------------------- data -- */

/* The population's scores, and labels whose values are correlated with them. */
static int simulate(design *out, iv_study *s, double rho, iv_err *err)
{
    const iv_score_grid *x;
    const char *data;

    IV_TRY(iv_study_population(&x, &data, s, err));
    double *z = iv_take(&s->own, x->systems * x->topics, sizeof *z);
    iv_stream stream = iv_stream_start(iv_work_seed(s->work), IV_FOR_STUDY, UINT64_C(5) << 50);
    IV_TRY(iv_taken(&s->own, err));
    for (size_t i = 0; i < x->systems * x->topics; i++) {
        const double noise = 0.22 * sqrt(1.0 / (rho * rho) - 1.0) * iv_draw_normal(&stream);
        z[i] = fmin(1.0, fmax(0.0, x->values[i] + noise));
    }
    *out = (design){ x->values, z, x->systems, x->topics };
    return IV_OK;
}

/* An interval as wide as planned around the mean of the first run, of 200 topics. */
int iv_study_machine_plans(iv_study *s, iv_err *err)
{
    static const iv_studied method = { .quantity = "mean AP", .method = "plan machine --width" };
    static const double rhos[] = { 0.6, 0.9 }, width = 0.1;
    design d;

    for (size_t k = 0; k < 2; k++) {
        iv_machine_topics plan;
        IV_TRY(simulate(&d, s, rhos[k], err));
        const double sd = iv_describe_differences(d.human, d.topics).sd;
        const double rho = iv_pearson(d.human, d.machine, d.topics);
        IV_TRY(iv_plan_machine_topics(&plan, sd, rho, 200.0, width, s->confidence, err));
        d = (design){ d.human, d.machine, 1, d.topics, (size_t)ceil(plan.by_t), 200,
                      .planned = 0.5 * width };
        const iv_experiment e = { "simulated labels", &method, 1, 4000, replicate, &d,
                                  .room = { 2 * d.T } };
        IV_TRY(iv_experiment_run(s, &e, err, "correlation %.2f, %zu of 200 topics", rho, d.n));
    }
    return IV_OK;
}

static int score(iv_evaluation **out, iv_study *s, const char *labels, const char *measure,
                 int32_t level, iv_err *err)
{
    const iv_source source = { .judgments = labels, .runs = s->q->runs };
    const iv_evaluating how = { .measures = { &measure, 1 }, .measure = { .level = level },
                                .interval = IV_INTERVAL_NONE, .complete = true };
    const iv_work quiet = iv_work_quiet(s->work);

    IV_TRY(iv_evaluate(out, &source, &how, &quiet, err));
    (void)iv_own(&s->own, *out, iv_end_evaluation);
    return iv_taken(&s->own, err);
}

/* Topics that both label. */
static int study_files(iv_study *s, const char *machine, const char *measure, iv_err *err)
{
    iv_evaluation *e[2] = { NULL, NULL };
    const iv_evaluated *v[2];
    double *grid[2], *kept[2];
    size_t topics = 0;

    IV_TRY(score(&e[0], s, s->q->judgments, measure, s->q->level, err));
    IV_TRY(score(&e[1], s, machine, measure, s->q->machine.level, err));
    for (int k = 0; k < 2; k++) {
        v[k] = iv_evaluation_view(e[k]);
        grid[k] = iv_take(&s->own, v[k]->run_count * v[k]->topic_count, sizeof(double));
        kept[k] = iv_take(&s->own, v[k]->run_count * v[0]->topic_count, sizeof(double));
        IV_TRY(iv_taken(&s->own, err));
        iv_evaluation_grid(grid[k], e[k], 0);
    }
    const size_t runs = v[0]->run_count, T = v[0]->topic_count;
    for (size_t t = 0; t < T; t++) {
        size_t at = 0;
        while (at < v[1]->topic_count && iv_str_cmp(v[1]->topics[at], v[0]->topics[t]) != 0)
            at++;
        for (size_t r = 0; r < runs && at < v[1]->topic_count; r++) {
            kept[0][r * T + topics] = grid[0][r * T + t];
            kept[1][r * T + topics] = grid[1][r * v[1]->topic_count + at];
        }
        topics += at < v[1]->topic_count;
    }
    if (topics < 4)
        return iv_fail_at(err, IV_ENODATA, machine, 0, "%zu topics have human and automatic "
                          "labels; expected 4 or more", topics);
    for (size_t r = 1; r < runs; r++)
        for (size_t i = 0; i < 2 * topics; i++)
            kept[i / topics][r * topics + i % topics] = kept[i / topics][r * T + i % topics];
    return study_labels(s, (design){ kept[0], kept[1], runs, topics }, machine, measure, err);
}

int iv_study_machine(iv_study *s, iv_err *err)
{
    static const char *const usual[] = { "AP" };
    const iv_texts *files = &s->q->machine.files;
    const iv_texts measures = s->q->measures.count > 0 ? s->q->measures : (iv_texts){ usual, 1 };
    const size_t each = 4 * (s->q->n.count > 0 ? s->q->n.count : 4);

    if (s->q->judgments == NULL || files->count == 0) {
        static const double rhos[] = { 0.3, 0.6, 0.9 };
        iv_study_steps(s, 3 * each);
        for (size_t k = 0; k < 3; k++) {
            char data[IV_STUDY_TEXT];
            design x;
            (void)snprintf(data, sizeof data, "labels with correlation %.1f", rhos[k]);
            IV_TRY(simulate(&x, s, rhos[k], err));
            IV_TRY(study_labels(s, x, data, "AP", err));
        }
        return IV_OK;
    }
    iv_study_steps(s, files->count * measures.count * each);
    for (size_t i = 0; i < files->count * measures.count; i++)
        IV_TRY(study_files(s, files->at[i / measures.count], measures.at[i % measures.count],
                           err));
    return IV_OK;
}
