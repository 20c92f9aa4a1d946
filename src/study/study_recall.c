/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of recall intervals: scenarios, strata sampled at unequal rates, real reviews. */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "study/study.h"

#include <math.h>

/* --------------------------------------------------------------- scenarios -- */

/*
 * Webber (2013), tables VI to VIII, in the reading that reproduces their printed ranges and
 * means: R1 = N pi Rec, N1 = R1 / Prec; the lower bound of precision is the largest of those
 * listed; the exponents of the sample sizes run to the smaller of the two limits; the small
 * scenario's "10 Unif" and "1.5 Unif" are powers.
 */
IV_NAMES(iv_recall_scenario_names, "neutral", "legal", "small")

static double uniform(iv_stream *s, double from, double to)
{
    return from + (to - from) * iv_draw_uniform(s);
}

/* least x 2^Unif(0, min(cap, floor(log2(size / least)))), at most size. */
static int64_t sample_size(iv_stream *s, double least, double cap, double size)
{
    const double limit = fmax(0.0, fmin(cap, floor(log2(size / least))));

    return (int64_t)fmin(size, fmax(1.0, rint(least * exp2(uniform(s, 0.0, limit)))));
}

static double draw_size(iv_stream *s, iv_recall_scenario scenario)
{
    if (scenario == IV_SCENARIO_NEUTRAL)
        return rint(1000.0 * exp2(uniform(s, 0.0, 12.0)));
    return scenario == IV_SCENARIO_LEGAL ? rint(5e5 * pow(10.0, uniform(s, 0.0, 2.0)))
                                         : rint(1000.0 * pow(10.0, uniform(s, 0.0, 1.0)));
}

static double draw_prevalence(iv_stream *s, iv_recall_scenario scenario)
{
    if (scenario == IV_SCENARIO_NEUTRAL) {
        const double u = uniform(s, 1.0, 6.0);
        return 0.02 * u * u;
    }
    return scenario == IV_SCENARIO_LEGAL ? 0.002 * pow(1.5, uniform(s, 1.0, 10.0))
                                         : 0.02 * pow(1.5, uniform(s, 0.0, 6.0));
}

static void draw_samples(iv_recall_population *p, iv_stream *s, iv_recall_scenario scenario)
{
    const double N1 = (double)p->N1, N0 = (double)p->N0;
    const bool legal = scenario == IV_SCENARIO_LEGAL;

    if (scenario == IV_SCENARIO_SMALL) {
        p->n1 = (int64_t)fmax(1.0, rint(N1 * uniform(s, 0.2, 0.5)));
        p->n0 = (int64_t)fmax(1.0, rint(N0 * uniform(s, 0.05, 0.3)));
        return;
    }
    p->n1 = sample_size(s, legal ? 20.0 : 10.0, legal ? 8.0 : 10.0, N1);
    p->n0 = sample_size(s, legal ? 100.0 : 10.0, legal ? 7.0 : 10.0, N0);
}

iv_recall_population iv_recall_realisation(iv_recall_scenario scenario, uint64_t seed,
                                           uint64_t i)
{
    iv_stream s = iv_stream_start(seed, IV_FOR_STUDY, (uint64_t)scenario << 40 | i);
    const bool neutral = scenario == IV_SCENARIO_NEUTRAL;

    /* Impossible draws (nothing or all retrieved) are rare and drawn again. */
    for (;;) {
        const double N = draw_size(&s, scenario), pi = draw_prevalence(&s, scenario);
        const double recall = scenario == IV_SCENARIO_LEGAL
            ? 0.0025 * pow(uniform(&s, 1.0, 34.0), 1.65) : uniform(&s, 0.1, 1.0);
        const double R = rint(N * pi), R1 = fmin(R, rint(N * pi * recall));
        const double least = neutral ? fmax(0.1, fmax(0.95 * pi, 1.05 * R1 / N))
                                     : fmax(0.025, 2.0 * R1 / N);
        const double most = neutral ? 1.0 : 0.92;
        const double N1 = rint(R1 / uniform(&s, fmin(least, most), most));
        iv_recall_population p = { (int64_t)N1, (int64_t)R1, 0, (int64_t)(N - N1),
                                   (int64_t)(R - R1), 0, false };
        if (R1 < 1.0 || p.N0 < 1 || p.R0 > p.N0 || p.R1 > p.N1)
            continue;
        draw_samples(&p, &s, scenario);
        return p;
    }
}

/* ------------------------------------------------------------- populations -- */

typedef struct job {
    const iv_recall_population *populations;
    size_t samples;
    iv_recall_options options;
    uint64_t seed;
    iv_recall_tally *out;
} job;

/* What one thread works with. */
typedef struct memory {
    iv_outcome *outcomes;
    iv_limits *intervals;
} memory;

static void *memory_new(iv_arena *own, void *user)
{
    const job *j = user;
    memory *m = iv_take(own, 1, sizeof *m);

    if (m != NULL)
        *m = (memory){ iv_take(own, j->samples, sizeof *m->outcomes),
                       iv_take(own, j->samples, sizeof *m->intervals) };
    return own->failed ? NULL : m;
}

static iv_outcome draw_outcome(iv_stream *s, const iv_recall_population *p)
{
    iv_outcome x = { p->n1, 0, p->n0, 0, 1 };

    if (p->together) {
        const int64_t n = p->n1 + p->n0;
        do
            x.n1 = iv_draw_hyper(s, p->N1 + p->N0, p->N1, n);
        while (x.n1 == 0 || x.n1 == n);
        x.n0 = n - x.n1;
    }
    x.r1 = iv_draw_hyper(s, p->N1, p->R1, x.n1);
    x.r0 = iv_draw_hyper(s, p->N0, p->R0, x.n0);
    return x;
}

static iv_recall_tally count_up(const memory *m, size_t count, double truth, double samples,
                                bool one_sided)
{
    iv_recall_tally t = { 0.0, 0.0, 0.0, 0.0 };

    for (size_t i = 0; i < count; i++) {
        const double share = (double)m->outcomes[i].times / samples;
        const double upper = one_sided ? 1.0 : m->intervals[i].upper;
        t.below += truth < m->intervals[i].lower ? share : 0.0;
        t.above += truth > upper ? share : 0.0;
        t.width += share * (upper - m->intervals[i].lower);
    }
    t.covered = 1.0 - t.below - t.above;
    return t;
}

/* All methods on population number i. */
static int one_population(void *user, void *thread, size_t i, iv_err *err)
{
    const job *j = user;
    memory *m = thread;
    const iv_recall_population *p = &j->populations[i];
    const double truth = (double)p->R1 / (double)(p->R1 + p->R0);
    iv_stream s = iv_stream_start(j->seed, IV_FOR_STUDY, (uint64_t)1 << 60 | i);
    iv_recall_tally *out = &j->out[i * IV_RECALL_ALL];

    for (size_t k = 0; k < j->samples; k++)
        m->outcomes[k] = draw_outcome(&s, p);
    const size_t count = iv_outcomes_merge(m->outcomes, j->samples);
    for (int k = 0; k < IV_RECALL_ALL; k++) {
        iv_recall_options o = j->options;
        o.method = (iv_recall_method)k;
        out[k] = (iv_recall_tally){ NAN, NAN, NAN, NAN };
        if (k == IV_RECALL_AUTO || k > IV_RECALL_BETABIN_HALF) /* of one stratum: as half */
            continue;
        IV_TRY(iv_outcome_intervals(m->intervals, m->outcomes, count, p->N1, p->N0, &o, NULL,
                                    err));
        out[k] = count_up(m, count, truth, (double)j->samples, o.one_sided);
    }
    return IV_OK;
}

int iv_recall_tallies(iv_recall_tally *out, const iv_recall_population *populations, size_t count,
                      size_t samples, double confidence, bool one_sided, const iv_work *work,
                      iv_err *err)
{
    job j = { populations, samples, { .confidence = confidence, .one_sided = one_sided },
              iv_work_seed(work), out };

    return iv_parallel(&(iv_loop){ count, one_population, &j, memory_new }, work, err);
}

iv_recall_coverage iv_recall_coverage_of(const iv_recall_tally *tallies, size_t count,
                                         iv_recall_method method, double confidence)
{
    const double n = (double)count;
    iv_recall_coverage c = { .least = 1.0 };
    double squares = 0.0, widths = 0.0, fourth = 0.0;

    for (size_t i = 0; i < count; i++) {
        const iv_recall_tally *t = &tallies[i * IV_RECALL_ALL + (size_t)method];
        const double off = t->covered - confidence;
        c.coverage += t->covered / n;
        c.width += t->width / n;
        c.below += t->below / n;
        c.above += t->above / n;
        c.rmse += off * off / n;
        c.least = fmin(c.least, t->covered);
        squares += t->covered * t->covered / n;
        widths += t->width * t->width / n;
        fourth += off * off * off * off / n;
    }
    c.coverage_se = sqrt(fmax(0.0, squares - c.coverage * c.coverage) / n);
    c.width_se = sqrt(fmax(0.0, widths - c.width * c.width) / n);
    c.rmse_se = c.rmse > 0.0 ? sqrt(fmax(0.0, fourth - c.rmse * c.rmse) / n) / (2.0 * sqrt(c.rmse))
                             : 0.0;
    c.rmse = sqrt(c.rmse);
    return c;
}

/* -------------------------------------------------------------------- rows -- */

/* Two-sided and one-sided rows of all methods on populations. */
static int study_populations(iv_study *s, const char *data, const char *setting,
                             const iv_recall_population *p, size_t count, iv_err *err)
{
    static const char *const quantities[] = { "recall", "recall, lower limit" };
    iv_arena own = { 0 };
    iv_recall_tally *t = iv_take(&own, count * IV_RECALL_ALL, sizeof *t);
    int rc = iv_taken(&own, err);

    for (int side = 0; side < 2 && rc == IV_OK; side++) {
        const size_t samples = iv_study_size(s, 400);
        rc = iv_recall_tallies(t, p, count, samples, s->confidence, side == 1, &s->stage.work,
                               err);
        for (int m = 0; m < IV_RECALL_ALL && rc == IV_OK; m++) {
            const char *name = iv_recall_method_names()[m];
            if (isnan(t[m].covered) || !iv_study_wants_method(s, name))
                continue;
            const iv_recall_coverage c = iv_recall_coverage_of(t, count, (iv_recall_method)m,
                                                               s->confidence);
            iv_rate *r = iv_study_row(s, quantities[side], name, data, "%s", setting);
            r->rate = c.coverage;
            r->se = c.coverage_se;
            r->least = c.least;
            r->below = c.below;
            r->above = c.above;
            r->width = c.width;
            r->replicates = count * samples;
        }
        iv_study_step_done(s);
    }
    iv_arena_free(&own);
    return rc;
}

static int study_scenario(iv_study *s, iv_recall_scenario scenario, iv_err *err)
{
    const char *name = iv_recall_scenario_names()[scenario];
    const size_t count = s->q->quick || s->q->replicates > 0 ? 20 : 100;
    iv_recall_population p[100];

    if (!iv_study_wants(s, name))
        return IV_OK;
    for (size_t i = 0; i < count; i++)
        p[i] = iv_recall_realisation(scenario, iv_work_seed(s->work), i);
    return study_populations(s, name, name, p, count, err);
}

/* Two unretrieved strata, the near one sampled more densely, with their relevant documents in the
 * place of those found; all retrieved are judged. */
static const iv_recall_method stratified[] = { IV_RECALL_AUTO, IV_RECALL_BETABIN_HALF,
                                               IV_RECALL_NORMAL };

static int strata_replicate(iv_tally *t, void *user, void *thread, iv_stream *stream, iv_err *err)
{
    const iv_stratum *x = user;
    const double truth = 400.0 / (400.0 + (double)(x[0].relevant + x[1].relevant));
    const iv_stratum one = { 1000, 1000, 400 };
    iv_stratum zero[2];

    for (int k = 0; k < 2; k++)
        zero[k] = (iv_stratum){ x[k].size, x[k].sampled,
                                iv_draw_hyper(stream, x[k].size, x[k].relevant, x[k].sampled) };
    const iv_segments of = { &one, zero, 1, 2 };
    for (size_t m = 0; m < sizeof stratified / sizeof *stratified; m++) {
        const iv_recall_options o = { .method = stratified[m] };
        iv_limits i;
        IV_TRY(iv_recall_interval_of(&i, &of, &o, thread, err));
        iv_tally_interval(&t[m], iv_recall_estimate(&of), i.lower, i.upper, truth);
    }
    return IV_OK;
}

static int study_strata(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = { { .quantity = "recall", .method = "default" },
                                          { .quantity = "recall", .method = "betabin-half" },
                                          { .quantity = "recall", .method = "normal" } };
    static iv_stratum designs[][2] = {
        { { 99000, 20000, 30 }, { 1000, 20, 10 } }, { { 99000, 2000, 60 }, { 1000, 20, 30 } },
        { { 99000, 500, 0 }, { 1000, 300, 60 } }, { { 20000, 4000, 60 }, { 20000, 100, 10 } },
        { { 99000, 500, 200 }, { 1000, 300, 60 } } };

    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        iv_stratum *d = designs[i];
        const iv_experiment e = { "strata", methods, 3, 2000, strata_replicate, d,
                                  iv_recall_memory };
        IV_TRY(iv_experiment_run(s, &e, err, "strata of %d and %d, %d and %d sampled, %d and %d "
                                 "relevant", (int)d[0].size, (int)d[1].size, (int)d[0].sampled,
                                 (int)d[1].sampled, (int)d[0].relevant, (int)d[1].relevant));
    }
    return IV_OK;
}

/* ----------------------------------------------------------------- reviews -- */

enum { SAMPLED = 500, LEAST_RELEVANT = 20 };

/* Relevant documents among the first `depth` of a ranking. */
static int64_t relevant_above(const iv_collection *c, size_t topic, size_t judged, size_t depth,
                              int32_t level)
{
    int64_t relevant = 0;

    for (size_t i = 0; i < depth; i++) {
        const iv_judgment *j = iv_judgments_find(c->judgments, judged,
                                                 iv_run_docno(c->runs[0], topic, i));
        relevant += j != NULL && j->grade >= level;
    }
    return relevant;
}

/* The rankings of the first run, cut; of topics that are long and rich enough. */
static int study_cutoff(iv_study *s, const iv_collection *c, size_t cutoff, iv_err *err)
{
    const size_t topics = iv_run_topics(c->runs[0]);
    const int32_t level = s->q->level == 0 ? 1 : s->q->level;
    iv_recall_population *p = iv_take(&s->own, topics, sizeof *p);
    char setting[IV_STUDY_TEXT];
    size_t n = 0;

    IV_TRY(iv_taken(&s->own, err));
    for (size_t t = 0; t < topics; t++) {
        const size_t judged = iv_judgments_find_topic(c->judgments, iv_run_topic(c->runs[0], t));
        const size_t depth = iv_run_depth(c->runs[0], t);
        const int64_t all = judged == IV_NONE ? 0 : relevant_above(c, t, judged, depth, level);
        if (all < LEAST_RELEVANT || depth <= cutoff || depth < SAMPLED)
            continue;
        const int64_t above = relevant_above(c, t, judged, cutoff, level);
        p[n++] = (iv_recall_population){ (int64_t)cutoff, above, SAMPLED,
                                         (int64_t)(depth - cutoff), all - above, 0, true };
    }
    if (n == 0)
        return iv_fail(err, IV_ENODATA, "no ranking has more than %zu documents, %d of them to "
                       "sample and %d relevant", cutoff, SAMPLED, LEAST_RELEVANT);
    (void)snprintf(setting, sizeof setting, "%zu rankings cut at %zu, %d documents sampled", n,
                   cutoff, SAMPLED);
    return study_populations(s, c->data, setting, p, n, err);
}

static int study_review(iv_study *s, iv_err *err)
{
    static const int64_t usual[] = { 100, 500, 1000 };
    const iv_integers at = s->q->n.count > 0 ? s->q->n : (iv_integers){ usual, 3 };
    iv_collection c;

    IV_TRY(iv_study_collection(&c, s, 0, 0, err));
    iv_study_steps(s, 2 * at.count);
    for (size_t i = 0; i < at.count; i++)
        IV_TRY(study_cutoff(s, &c, (size_t)at.at[i], err));
    return IV_OK;
}

int iv_study_recall(iv_study *s, iv_err *err)
{
    if (s->q->judgments != NULL && s->q->study == IV_STUDY_RECALL)
        return study_review(s, err);
    iv_study_steps(s, 2 * IV_SCENARIOS + 5);
    for (int k = 0; k < IV_SCENARIOS; k++)
        IV_TRY(study_scenario(s, (iv_recall_scenario)k, err));
    return study_strata(s, err);
}
