/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimated against true means at the budgets of depth pools, for Stevens'
 * scheme, depth pools, and infAP and bpref from uniform samples.
 */
#include <math.h>
#include <string.h>

#include "intervale/stat/paired.h"
#include "study/sampling_study.h"

static const double epsilon = 1e-5; /* of infAP */

/* One budget: as many documents of each topic as its pool has. */
typedef struct budget {
    iv_scheme **schemes; /* Stevens' */
    iv_scheme **uniform;
    double judgments;    /* mean over topics */
} budget;

typedef struct figures {
    double rms, correlation, tau;
} figures;

/* What one thread works with. */
typedef struct bench {
    const iv_sampling_study *s;
    iv_known_sample sample;
    double *mean[IV_SAMPLING_METHODS]; /* of the runs */
    double *x, *y;                     /* of a group */
} bench;

/* ------------------------------------------------------------ estimators -- */

/* Average precision from a pool, all else taken for not relevant. */
static double pool_ap(const iv_known_topic *t, const iv_frame_ranking *r, size_t depth)
{
    size_t relevant = 0, found = 0;
    double sum = 0.0;

    for (size_t k = 0; k < t->known_count; k++)
        relevant += t->documents[t->known[k]].best <= depth;
    for (size_t k = 0; k < r->relevant_count; k++)
        if (t->documents[r->document[r->relevant[k]]].best <= depth)
            sum += (double)++found / r->rank[r->relevant[k]];
    return relevant > 0 ? sum / (double)relevant : 0.0;
}

/* infAP and bpref, both as trec_eval has them, from the sample drawn. */
static void uniform_measures(double *infap, double *bpref, const iv_known_topic *t,
                             const iv_frame_ranking *r, const iv_known_sample *s)
{
    double inferred = 0.0, preferred = 0.0, relevant = 0.0;
    double judged_above = 0.0, relevant_above = 0.0;

    for (size_t i = 0; i < s->count; i++)
        relevant += s->grade[i];
    const double others = (double)s->count - relevant, most = fmin(relevant, others);
    for (size_t k = 0; k < r->count; k++) {
        const uint32_t d = r->document[k];
        if (s->place[d] == IV_NO_PLACE)
            continue;
        if (t->relevant[d]) {
            const double above = judged_above - relevant_above; /* and not relevant */
            inferred += (1.0 + (double)k * (relevant_above + epsilon)
                         / (judged_above + 2.0 * epsilon)) / r->rank[k];
            preferred += above > 0.0 ? 1.0 - fmin(above, relevant) / most : 1.0;
            relevant_above += 1.0;
        }
        judged_above += 1.0;
    }
    *infap = relevant > 0.0 ? inferred / relevant : 0.0;
    *bpref = relevant > 0.0 ? preferred / relevant : 0.0;
}

/* Adds a topic to the means of all runs; aps: Stevens' estimates, or NULL. */
static void add_topic(bench *b, const budget *x, size_t topic, size_t depth, size_t rep,
                      double *aps)
{
    const iv_sampling_study *s = b->s;
    const iv_known_topic *t = &s->known->topics[topic];
    const double share = 1.0 / (double)s->topics;
    const uint64_t name = ((uint64_t)rep * s->deepest + depth - 1) * s->topics + topic;
    iv_stream stream = iv_stream_start(s->seed, IV_FOR_STUDY, 2 * name);

    iv_known_sample_draw(&b->sample, t, x->schemes[topic], false, &stream);
    for (size_t r = 0; r < s->runs; r++) {
        const iv_frame_ranking *ranking = iv_known_ranking(s->known, r, topic);
        const iv_sampled_view v = iv_known_sample_view(&b->sample, ranking, x->schemes[topic]);
        const double total = iv_sampled_total(NULL, &v);
        const double ap = total > 0.0 ? iv_sampled_ap(b->sample.u, &v, total, 0,
                                                      IV_ESTIMATOR_CORRECTED) : 0.0;
        b->mean[IV_SAMPLING_STEVENS][r] += share * ap;
        b->mean[IV_SAMPLING_POOL][r] += share * pool_ap(t, ranking, depth);
        if (aps != NULL)
            aps[r * s->topics + topic] = ap;
    }
    stream = iv_stream_start(s->seed, IV_FOR_STUDY, 2 * name + 1);
    iv_known_sample_draw(&b->sample, t, x->uniform[topic], false, &stream);
    for (size_t r = 0; r < s->runs; r++) {
        double infap, bpref;
        uniform_measures(&infap, &bpref, t, iv_known_ranking(s->known, r, topic),
                         &b->sample);
        b->mean[IV_SAMPLING_INFAP][r] += share * infap;
        b->mean[IV_SAMPLING_BPREF][r] += share * bpref;
    }
}

/* ---------------------------------------------------------- one replicate -- */

static bool in_group(const iv_sampling_study *s, size_t run, size_t group)
{
    return group == IV_SAMPLING_ALL
        || s->excluded[run] == (group == IV_SAMPLING_OTHERS);
}

static figures compare(bench *b, const double *mean, size_t group)
{
    const iv_sampling_study *s = b->s;
    figures f = { 0.0, (double)NAN, (double)NAN };
    size_t n = 0;

    for (size_t r = 0; r < s->runs; r++) {
        if (!in_group(s, r, group))
            continue;
        b->x[n] = s->mean[r];
        b->y[n++] = mean[r];
        f.rms += (mean[r] - s->mean[r]) * (mean[r] - s->mean[r]);
    }
    f.rms = sqrt(f.rms / (double)n);
    f.correlation = iv_pearson(b->x, b->y, n);
    if (iv_kendall(&f.tau, b->x, b->y, n, NULL) != IV_OK)
        f.tau = (double)NAN;
    return f;
}

/* A depth at work. */
typedef struct job {
    const iv_sampling_study *s;
    size_t depth;
    budget x;
    figures *f;
    double *aps; /* where the first replicate's estimates go; or NULL */
    iv_steps steps; /* topics of replicates */
} job;

static void *bench_new(iv_arena *own, void *user)
{
    const iv_sampling_study *s = ((job *)user)->s;
    bench *b = iv_take(own, 1, sizeof *b);

    if (b == NULL)
        return NULL;
    b->s = s;
    b->sample = iv_known_sample_take(own, s->known);
    b->x = iv_take(own, s->runs, sizeof *b->x);
    b->y = iv_take(own, s->runs, sizeof *b->y);
    for (size_t m = 0; m < IV_SAMPLING_METHODS; m++)
        b->mean[m] = iv_take(own, s->runs, sizeof *b->mean[m]);
    return b;
}

static int one_replicate(void *user, void *memory, size_t rep, iv_err *err)
{
    job *j = user;
    const iv_sampling_study *s = j->s;
    bench *b = memory;
    figures *out = j->f + rep * IV_SAMPLING_METHODS * IV_SAMPLING_GROUPS;

    for (size_t m = 0; m < IV_SAMPLING_METHODS; m++)
        memset(b->mean[m], 0, s->runs * sizeof *b->mean[m]);
    for (size_t t = 0; t < s->topics; t++) {
        add_topic(b, &j->x, t, j->depth, rep, rep == 0 ? j->aps : NULL);
        IV_TRY(iv_step(&j->steps, err));
    }
    for (size_t m = 0; m < IV_SAMPLING_METHODS; m++)
        for (size_t g = 0; g < IV_SAMPLING_GROUPS; g++)
            out[m * IV_SAMPLING_GROUPS + g] = compare(b, b->mean[m], g);
    return IV_OK;
}

/* ------------------------------------------------------------ agreement -- */

static const double alpha = 0.05;

/* 1: a is better, -1: b is, 0: neither is significant; below -1: an error. */
static int verdict(const double *a, const double *b, double *d, size_t n)
{
    iv_test t;

    for (size_t i = 0; i < n; i++)
        d[i] = a[i] - b[i];
    if (iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_GREATER, NULL) != IV_OK)
        return -2;
    if (t.p < alpha)
        return 1;
    if (iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_LESS, NULL) != IV_OK)
        return -2;
    return t.p < alpha ? -1 : 0;
}

/* One unordered pair is two ordered ones. */
static void count_pair(iv_sampling_agreement *a, int truth, int sampled)
{
    for (int side = -1; side <= 1; side += 2) {
        const int in_truth = truth == side, in_sample = sampled == side;
        a->both += in_truth && in_sample;
        a->truth_only += in_truth && !in_sample;
        a->sample_only += !in_truth && in_sample;
        a->neither += !in_truth && !in_sample;
    }
}

typedef struct comparison {
    const double *truth, *sampled;
    size_t runs, topics;
    iv_sampling_agreement *rows; /* of the runs */
} comparison;

static void *differences_new(iv_arena *own, void *user)
{
    return iv_take(own, ((comparison *)user)->topics + 1, sizeof(double));
}

/* A run beside those that follow. */
static int one_run(void *user, void *d, size_t i, iv_err *err)
{
    const comparison *c = user;
    const size_t n = c->topics;

    for (size_t k = i + 1; k < c->runs; k++) {
        const int x = verdict(c->truth + i * n, c->truth + k * n, d, n);
        const int y = verdict(c->sampled + i * n, c->sampled + k * n, d, n);
        if (x < -1 || y < -1)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        count_pair(&c->rows[i], x, y);
    }
    return IV_OK;
}

/*
 * Do estimates call the same differences significant as the truth does?  Counts all
 * ordered pairs of runs, a run with itself included, by one-sided Wilcoxon tests at
 * 0.05 on two matrices, runs x topics.
 */
static int agree_on_pairs(iv_sampling_agreement *out, iv_arena *own, const double *truth,
                          const double *sampled, size_t runs, size_t topics,
                          const iv_work *work, iv_err *err)
{
    comparison c = { truth, sampled, runs, topics, iv_take(own, runs, sizeof *c.rows) };

    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_parallel(&(iv_loop){ runs, one_run, &c, differences_new }, work, err));
    out->neither = runs;
    for (size_t i = 0; i < runs; i++) {
        out->neither += c.rows[i].neither;
        out->both += c.rows[i].both;
        out->truth_only += c.rows[i].truth_only;
        out->sample_only += c.rows[i].sample_only;
    }
    return IV_OK;
}

/* -------------------------------------------------------------- budgets -- */

static int budget_take(budget *x, iv_arena *own, const iv_sampling_study *s, size_t depth,
                       iv_err *err)
{
    size_t *draws = iv_take(own, s->topics, sizeof *draws); /* of the topics */

    x->schemes = iv_take(own, s->topics, sizeof(iv_scheme *));
    x->uniform = iv_take(own, s->topics, sizeof(iv_scheme *));
    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < s->topics; t++) {
        const iv_known_topic *k = &s->known->topics[t];
        for (size_t d = 0; d < k->count; d++)
            draws[t] += k->documents[d].best <= depth;
        x->judgments += (double)draws[t] / (double)s->topics;
        IV_TRY(iv_known_scheme(&x->schemes[t], own, k, draws[t], err));
        IV_TRY(iv_scheme_strata(&x->uniform[t], &k->count, &draws[t], 1, err));
        (void)iv_own_scheme(own, x->uniform[t]);
    }
    return iv_taken(own, err);
}

/* Mean and standard deviation over replicates, of what is a number. */
static void average(iv_sampling_error *e, const figures *f, size_t replicates, size_t step)
{
    double sum[3] = { 0 }, squares[3] = { 0 }, n[3] = { 0 }, mean[3], sd[3];

    for (size_t r = 0; r < replicates; r++) {
        const double v[3] = { f[r * step].rms, f[r * step].correlation, f[r * step].tau };
        for (size_t k = 0; k < 3; k++)
            if (isfinite(v[k])) {
                sum[k] += v[k];
                squares[k] += v[k] * v[k];
                n[k] += 1.0;
            }
    }
    for (size_t k = 0; k < 3; k++) {
        mean[k] = n[k] > 0.0 ? sum[k] / n[k] : (double)NAN;
        sd[k] = n[k] > 1.0 ? sqrt(fmax(0.0, squares[k] - n[k] * mean[k] * mean[k])
                                  / (n[k] - 1.0)) : (double)NAN;
    }
    e->rms = mean[0];
    e->correlation = mean[1];
    e->tau = mean[2];
    e->rms_sd = sd[0];
    e->tau_sd = sd[2];
}

static void summarise(iv_sampling_study *s, const figures *f, const budget *x, size_t depth)
{
    for (size_t m = 0; m < IV_SAMPLING_METHODS; m++)
        for (size_t g = 0; g < IV_SAMPLING_GROUPS; g++) {
            const size_t others = s->runs - s->found.collection.contributors;
            iv_sampling_error e = { .method = (iv_sampling_method)m,
                                    .group = (iv_sampling_group)g, .depth = depth,
                                    .judgments = x->judgments };
            if (g != IV_SAMPLING_ALL && others == 0)
                continue; /* all contribute */
            average(&e, f + m * IV_SAMPLING_GROUPS + g, s->options.replicates,
                    (size_t)IV_SAMPLING_METHODS * IV_SAMPLING_GROUPS);
            s->found.errors[s->found.error_count++] = e;
        }
}

/* f and aps are for one depth after the other; own is this depth's. */
static int study_depth(iv_sampling_study *s, iv_arena *own, figures *f, double *aps,
                       size_t depth, const iv_work *work, iv_err *err)
{
    const bool compared = depth == 1 || depth == s->deepest;
    job j = { .s = s, .depth = depth, .f = f, .aps = compared ? aps : NULL };
    iv_stage still;

    IV_TRY(budget_take(&j.x, own, s, depth, err));
    j.steps = (iv_steps){ .work = work,
                          .total = (double)s->options.replicates * (double)s->topics };
    IV_TRY(iv_parallel(&(iv_loop){ s->options.replicates, one_replicate, &j, bench_new },
                       &(iv_work){ .threads = iv_work_threads(work) }, err));
    summarise(s, f, &j.x, depth);
    if (compared && s->topics > 1) {
        iv_sampling_agreement *a = &s->found.agreements[s->found.agreement_count++];
        *a = (iv_sampling_agreement){ .depth = depth, .judgments = j.x.judgments };
        IV_TRY(agree_on_pairs(a, own, s->truth, aps, s->runs, s->topics,
                              iv_work_part(&still, work, 1.0, 1.0), err));
    }
    return IV_OK;
}

int iv_study_errors(iv_sampling_study *s, const iv_work *work, iv_err *err)
{
    const size_t each = (size_t)IV_SAMPLING_METHODS * IV_SAMPLING_GROUPS;
    figures *f = iv_take(&s->own, s->options.replicates * each, sizeof *f);
    double *aps = iv_take(&s->own, s->runs * s->topics, sizeof *aps);

    s->found.errors = iv_take(&s->found.own, s->deepest * each, sizeof *s->found.errors);
    s->found.agreements = iv_take(&s->found.own, 2, sizeof *s->found.agreements);
    IV_TRY(iv_taken(&s->own, err));
    IV_TRY(iv_taken(&s->found.own, err));
    for (size_t k = 0; k < s->deepest; k++) {
        iv_arena own = { 0 };
        iv_stage stage;
        const int rc = study_depth(s, &own, f, aps, k + 1,
                                   iv_work_nth(&stage, work, k, s->deepest), err);
        iv_arena_free(&own);
        IV_TRY(rc);
    }
    return IV_OK;
}
