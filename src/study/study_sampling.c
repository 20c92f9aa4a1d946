/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from sampled judgments: errors at the sizes of pools, and coverage. */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "result/cautions.h"
#include "retrieval/known_sample.h"
#include "retrieval/sample_plan.h"
#include "sampling/scheme.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

IV_NAMES(iv_sampling_method_names, "statAP", "depth pool", "infAP", "bpref", "statAP and pool",
         "statAP as printed")

IV_NAMES(iv_sampling_measure_names, "AP", "R-precision", "P@30")

enum { DEPTH = 100, CELLS = IV_SAMPLING_METHODS * IV_SAMPLING_MEASURES };

/* The frame of a collection, and the truth. */
typedef struct frame {
    iv_frame *of;
    iv_known_frame *known;
    size_t runs, topics;
    size_t first[IV_SAMPLING_GROUPS + 1], groups; /* runs of a group, and how many groups */
    double *truth; /* measures x runs x topics */
    double *mean;  /* measures x runs */
} frame;

/* Precision at R and at 30 by the documents at ranks up to there. */
static double precision_at(const iv_label_ranking *r, double cutoff)
{
    double found = 0.0;

    for (size_t k = 0; k < r->relevant_count; k++)
        found += r->rank[r->relevant[k]] <= cutoff;
    return found / cutoff;
}

static double truth_of(const iv_known_topic *t, const iv_label_ranking *r, size_t measure)
{
    return measure == IV_SAMPLING_AP ? iv_known_ap(t, r)
        : precision_at(r, measure == IV_SAMPLING_RPREC ? (double)t->known_count : 30.0);
}

static void frame_end(void *f) { iv_frame_free(f); }
static void known_end(void *k) { iv_known_frame_free(k); }

/* The runs in the order of their groups: those that contribute first. */
static const iv_run *const *order_runs(frame *out, iv_arena *own, const iv_collection *c,
                                       bool split)
{
    const iv_run **runs = iv_take(own, c->count, sizeof *runs);
    const size_t step = split ? 2 : 1;
    size_t count = 0;

    out->groups = step;
    for (size_t group = 0; group < step && runs != NULL; group++) {
        for (size_t r = group; r < c->count; r += step)
            runs[count++] = c->runs[r];
        out->first[group + 1] = count;
    }
    return runs;
}

static int frame_new(frame *out, iv_arena *own, const iv_collection *c, bool split,
                     size_t depth, const iv_work *work, iv_err *err)
{
    const iv_run *const *runs = order_runs(out, own, c, split);
    iv_stage still; /* as long as it takes, but it may be stopped */

    IV_TRY(iv_taken(own, err));
    (void)iv_work_part(&still, work, 0.0, 0.0);
    IV_TRY(iv_frame_new(&out->of, runs, out->first[1], depth, &still.work, err));
    (void)iv_own(own, out->of, frame_end);
    IV_TRY(iv_known_frame_new(&out->known, out->of, c->judged, runs, c->count, false, false,
                              &still.work, err));
    (void)iv_own(own, out->known, known_end);
    out->runs = c->count;
    out->topics = out->known->topic_count;
    const size_t each = out->runs * out->topics;
    out->truth = iv_take(own, IV_SAMPLING_MEASURES * each, sizeof *out->truth);
    out->mean = iv_take(own, IV_SAMPLING_MEASURES * out->runs, sizeof *out->mean);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < IV_SAMPLING_MEASURES * each; i++) {
        const size_t r = i / out->topics % out->runs, t = i % out->topics;
        out->truth[i] = truth_of(&out->known->topics[t], iv_known_ranking(out->known, r, t),
                                 i / each);
        out->mean[i / out->topics] += out->truth[i] / (double)out->topics;
    }
    return IV_OK;
}

/* -------------------------------------------------------------- estimators -- */

/* A measure from a pool, all other documents taken for not relevant. */
static double pool_value(const iv_known_topic *t, const iv_label_ranking *r, size_t depth,
                         size_t measure)
{
    double relevant = 0.0, sum = 0.0, found = 0.0, total = 0.0;

    for (size_t k = 0; k < t->known_count; k++)
        relevant += t->documents[t->known[k]].best <= depth;
    const double cutoff = measure == IV_SAMPLING_P30 ? 30.0 : relevant;
    for (size_t k = 0; k < r->relevant_count; k++) {
        const double rank = r->rank[r->relevant[k]];
        if (t->documents[r->document[r->relevant[k]]].best > depth)
            continue;
        sum += ++found / rank;
        total += rank <= cutoff;
    }
    return relevant == 0.0 ? 0.0 : measure == IV_SAMPLING_AP ? sum / relevant : total / cutoff;
}

/* infAP and bpref, both as trec_eval has them, from the sample drawn. */
static void uniform_values(double *infap, double *bpref, const iv_known_topic *t,
                           const iv_label_ranking *r, const iv_known_sample *s)
{
    const double epsilon = 1e-5;
    double inferred = 0.0, preferred = 0.0, relevant = 0.0, above = 0.0, found = 0.0;

    for (size_t i = 0; i < s->count; i++)
        relevant += s->grade[i];
    const double most = fmin(relevant, (double)s->count - relevant);
    for (size_t k = 0; k < r->count; k++) {
        const uint32_t d = r->document[k];
        if (s->place[d] == IV_NO_PLACE)
            continue;
        if (t->relevant[d]) {
            inferred += (1.0 + (double)k * (found + epsilon) / (above + 2.0 * epsilon))
                        / r->rank[k];
            preferred += above > found ? 1.0 - fmin(above - found, relevant) / most : 1.0;
            found += 1.0;
        }
        above += 1.0;
    }
    *infap = relevant > 0.0 ? inferred / relevant : 0.0;
    *bpref = relevant > 0.0 ? preferred / relevant : 0.0;
}

/* A measure from the sample by the estimators of the paper; u is left for the variance. */
static double sampled_value(const iv_known_sample *s, const iv_sampled_view *v, size_t measure,
                            iv_estimator estimator)
{
    const double total = iv_sampled_total(NULL, v);

    if (!(total > 0.0))
        return 0.0;
    return measure == IV_SAMPLING_AP ? iv_sampled_ap(s->u, v, total, 0, estimator)
        : measure == IV_SAMPLING_RPREC ? iv_sampled_rprec(s->u, v, total)
                                       : iv_sampled_found(s->u, v, 30.0, 30.0);
}

/* Adds the documents of a pool to the sample, with inclusion probability 1 (section 2.2). */
static void add_pool(iv_known_sample *s, const iv_known_topic *t, size_t depth)
{
    for (size_t d = 0; d < t->count; d++) {
        if (t->documents[d].best > depth)
            continue;
        if (s->place[d] == IV_NO_PLACE) {
            s->place[d] = (uint32_t)s->count;
            s->grade[s->count] = t->relevant[d];
            s->bucket[s->count++] = 0;
        }
        s->pi[s->place[d]] = 1.0;
    }
}

/* ------------------------------------------------------------------ errors -- */

/* One budget: as many documents of each topic as its pool has; of coverage a number. */
typedef struct job {
    const frame *f;
    uint64_t seed;
    size_t depth, replicates;
    double power; /* of weights */
    iv_scheme **schemes, **uniform;
    double judgments, confidence;
    double planned[2]; /* half-widths that were planned for THESE and OTHERS; 0: not planned */
    iv_sampling_error *out; /* replicates x groups x cells: rms, correlation and tau */
    double *estimates; /* of AP in the first replicate, runs x topics */
    double *means;     /* of the first replicate, measures x runs */
    iv_steps steps;
} job;

typedef struct memory {
    iv_known_sample sample;
    double *mean;          /* cells x runs */
    double *value, *noise; /* of coverage: runs x topics, runs */
    double *unseen;        /* runs: topics whose sample has no relevant document */
} memory;

static void *memory_new(iv_arena *own, void *user)
{
    const job *j = user;
    memory *m = iv_take(own, 1, sizeof *m);

    if (m == NULL)
        return NULL;
    m->sample = iv_known_sample_take(own, j->f->known);
    m->mean = iv_take(own, CELLS * j->f->runs, sizeof *m->mean);
    m->value = iv_take(own, j->f->runs * j->f->topics, sizeof *m->value);
    m->noise = iv_take(own, j->f->runs, sizeof *m->noise);
    m->unseen = iv_take(own, j->f->runs, sizeof *m->unseen);
    return own->failed ? NULL : m;
}

static void add_topic(memory *w, const job *j, size_t topic, size_t rep)
{
    const frame *f = j->f;
    const iv_known_topic *t = &f->known->topics[topic];
    const double share = 1.0 / (double)f->topics;
    const uint64_t name = (((uint64_t)rep << 8 | j->depth) * f->topics + topic) * 2;
    iv_stream stream = iv_stream_start(j->seed, IV_FOR_STUDY, name);
    double infap, bpref;

    iv_known_sample_draw(&w->sample, t, j->schemes[topic], false, &stream);
    for (size_t i = 0; i < IV_SAMPLING_MEASURES * f->runs; i++) {
        const size_t m = i / f->runs, r = i % f->runs;
        const iv_label_ranking *ranking = iv_known_ranking(f->known, r, topic);
        const iv_sampled_view v = iv_known_sample_view(&w->sample, ranking);
        const double value = sampled_value(&w->sample, &v, m, IV_ESTIMATOR_CORRECTED);
        w->mean[(IV_SAMPLING_STATAP * IV_SAMPLING_MEASURES + m) * f->runs + r] += share * value;
        w->mean[(IV_SAMPLING_POOL * IV_SAMPLING_MEASURES + m) * f->runs + r]
            += share * pool_value(t, ranking, j->depth, m);
        if (m != IV_SAMPLING_AP)
            continue;
        w->mean[IV_SAMPLING_PRINTED * IV_SAMPLING_MEASURES * f->runs + r]
            += share * sampled_value(&w->sample, &v, m, IV_ESTIMATOR_PUBLISHED);
        if (rep == 0)
            j->estimates[r * f->topics + topic] = value;
    }
    add_pool(&w->sample, t, j->depth);
    for (size_t r = 0; r < f->runs; r++) {
        const iv_sampled_view v = iv_known_sample_view(
            &w->sample, iv_known_ranking(f->known, r, topic));
        w->mean[IV_SAMPLING_BOTH * IV_SAMPLING_MEASURES * f->runs + r]
            += share * sampled_value(&w->sample, &v, IV_SAMPLING_AP, IV_ESTIMATOR_CORRECTED);
    }
    stream = iv_stream_start(j->seed, IV_FOR_STUDY, name + 1);
    iv_known_sample_draw(&w->sample, t, j->uniform[topic], false, &stream);
    for (size_t r = 0; r < f->runs; r++) {
        uniform_values(&infap, &bpref, t, iv_known_ranking(f->known, r, topic), &w->sample);
        w->mean[IV_SAMPLING_INFAP * IV_SAMPLING_MEASURES * f->runs + r] += share * infap;
        w->mean[IV_SAMPLING_BPREF * IV_SAMPLING_MEASURES * f->runs + r] += share * bpref;
    }
}

static iv_sampling_error compare(const double *truth, const double *estimate, size_t runs)
{
    iv_sampling_error f = { .correlation = iv_pearson(truth, estimate, runs), .tau = NAN };

    for (size_t r = 0; r < runs; r++)
        f.rms += (estimate[r] - truth[r]) * (estimate[r] - truth[r]) / (double)runs;
    f.rms = sqrt(f.rms);
    if (iv_kendall(&f.tau, truth, estimate, runs, NULL) != IV_OK)
        f.tau = NAN;
    return f;
}

static int one_replicate(void *user, void *thread, size_t rep, iv_err *err)
{
    job *j = user;
    memory *w = thread;
    const frame *f = j->f;

    memset(w->mean, 0, CELLS * f->runs * sizeof *w->mean);
    for (size_t t = 0; t < f->topics; t++) {
        add_topic(w, j, t, rep);
        IV_TRY(iv_step(&j->steps, err));
    }
    for (size_t i = 0; i < f->groups * CELLS; i++) {
        const size_t k = i % CELLS, first = f->first[i / CELLS];
        j->out[rep * f->groups * CELLS + i]
            = compare(f->mean + k % IV_SAMPLING_MEASURES * f->runs + first,
                      w->mean + k * f->runs + first, f->first[i / CELLS + 1] - first);
    }
    if (rep == 0)
        memcpy(j->means, w->mean, IV_SAMPLING_MEASURES * f->runs * sizeof *j->means);
    return IV_OK;
}

/* Stevens' scheme by the documents' weights to a power, which leaves their order. */
static int take_scheme(iv_scheme **out, iv_arena *own, const iv_known_topic *t, size_t draws,
                       double power, iv_err *err)
{
    if (power == 1.0)
        return iv_known_scheme(out, own, t, draws, err);
    double *weight = iv_take(own, t->count, sizeof *weight);
    IV_TRY(iv_taken(own, err));
    for (size_t d = 0; d < t->count; d++)
        weight[d] = pow(t->documents[d].weight, power);
    IV_TRY(iv_scheme_stevens_of(out, weight, t->count, draws, err));
    (void)iv_own_scheme(own, *out);
    return IV_OK;
}

static int take_budget(job *j, iv_arena *own, iv_err *err)
{
    const frame *f = j->f;
    size_t *draws = iv_take(own, f->topics, sizeof *draws);

    j->schemes = iv_take(own, f->topics, sizeof(iv_scheme *));
    j->uniform = iv_take(own, f->topics, sizeof(iv_scheme *));
    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < f->topics; t++) {
        const iv_known_topic *k = &f->known->topics[t];
        for (size_t d = 0; d < k->count; d++)
            draws[t] += k->documents[d].best <= j->depth;
        j->judgments += (double)draws[t] / (double)f->topics;
        IV_TRY(take_scheme(&j->schemes[t], own, k, draws[t], j->power, err));
        IV_TRY(iv_scheme_strata(&j->uniform[t], &k->count, &draws[t], 1, err));
        (void)iv_own_scheme(own, j->uniform[t]);
    }
    return iv_taken(own, err);
}

/* Mean over replicates of what is a number, and its standard error. */
static double average(double *se, const iv_sampling_error *f, const job *j, size_t offset)
{
    double sum = 0.0, squares = 0.0, n = 0.0;

    for (size_t r = 0; r < j->replicates; r++) {
        const double v = *(const double *)((const char *)&f[r * j->f->groups * CELLS] + offset);
        if (!isfinite(v))
            continue;
        sum += v;
        squares += v * v;
        n += 1.0;
    }
    const double mean = n > 0.0 ? sum / n : NAN;
    if (se != NULL)
        *se = n > 1.0 ? sqrt(fmax(0.0, squares / n - mean * mean) / (n - 1.0)) : NAN;
    return mean;
}

static void summarise(iv_sampling_found *out, const job *j)
{
    for (size_t i = 0; i < j->f->groups * CELLS; i++) {
        const size_t k = i % CELLS;
        const size_t method = k / IV_SAMPLING_MEASURES, measure = k % IV_SAMPLING_MEASURES;
        if (method >= IV_SAMPLING_INFAP && measure != IV_SAMPLING_AP)
            continue;
        iv_sampling_error *e = &out->error[out->errors++];
        const iv_sampling_error *f = j->out + i;
        *e = (iv_sampling_error){ .group = (iv_sampling_group)(i / CELLS),
                                  .method = (iv_sampling_method)method,
                                  .measure = (iv_sampling_measure)measure, .depth = j->depth,
                                  .judgments = j->judgments };
        e->rms = average(&e->rms_se, f, j, offsetof(iv_sampling_error, rms));
        e->correlation = average(NULL, f, j, offsetof(iv_sampling_error, correlation));
        e->tau = average(&e->tau_se, f, j, offsetof(iv_sampling_error, tau));
    }
}

/* ---------------------------------------------------------------- agreement -- */

/* 1: a is significantly better, -1: b is, 0: neither. */
static int verdict(int *out, const double *a, const double *b, double *d, size_t n, iv_err *err)
{
    iv_test t;

    for (size_t i = 0; i < n; i++)
        d[i] = a[i] - b[i];
    IV_TRY(iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_GREATER, err));
    *out = t.p < 0.05;
    if (*out == 0) {
        IV_TRY(iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_LESS, err));
        *out = t.p < 0.05 ? -1 : 0;
    }
    return IV_OK;
}

static int agree_on_pairs(size_t out[IV_AGREEMENTS], iv_arena *own, const job *j, iv_err *err)
{
    const size_t runs = j->f->runs, n = j->f->topics;
    double *d = iv_take(own, n, sizeof *d);

    IV_TRY(iv_taken(own, err));
    out[IV_NEITHER] = runs;
    for (size_t a = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++) {
            int x, y;
            IV_TRY(verdict(&x, j->f->truth + a * n, j->f->truth + b * n, d, n, err));
            IV_TRY(verdict(&y, j->estimates + a * n, j->estimates + b * n, d, n, err));
            for (int side = -1; side <= 1; side += 2) /* one pair is two ordered ones */
                out[IV_TRUTH_ONLY * (x == side) + IV_SAMPLE_ONLY * (y == side)]++;
        }
    return IV_OK;
}

static void put_points(iv_sampling_found *out, const job *j, bool deepest)
{
    const frame *f = j->f;

    for (size_t i = 0; i < IV_SAMPLING_MEASURES * f->runs; i++)
        out->point[out->points++] = (iv_sampling_point){
            IV_POINT_MEAN, j->depth, (iv_sampling_measure)(i / f->runs), f->mean[i], j->means[i] };
    for (size_t r = 0; r < f->runs && deepest; r++)
        out->point[out->points++] = (iv_sampling_point){
            IV_POINT_TOPIC, j->depth, IV_SAMPLING_AP, f->truth[r * f->topics],
            j->estimates[r * f->topics] };
    for (size_t t = 0; t < f->topics && deepest; t++)
        out->point[out->points++] = (iv_sampling_point){ IV_POINT_RUN, j->depth, IV_SAMPLING_AP,
                                                         f->truth[t], j->estimates[t] };
}

static int study_depth(iv_sampling_found *out, iv_arena *own, job *j, size_t deepest,
                       const iv_work *work, iv_err *err)
{
    const frame *f = j->f;

    j->out = iv_take(own, j->replicates * f->groups * CELLS, sizeof *j->out);
    j->estimates = iv_take(own, f->runs * f->topics, sizeof *j->estimates);
    j->means = iv_take(own, IV_SAMPLING_MEASURES * f->runs, sizeof *j->means);
    IV_TRY(take_budget(j, own, err));
    j->steps = (iv_steps){ .work = work, .total = (double)j->replicates * (double)f->topics };
    IV_TRY(iv_parallel(&(iv_loop){ j->replicates, one_replicate, j, memory_new },
                       &(iv_work){ .threads = iv_work_threads(work) }, err));
    summarise(out, j);
    if ((j->depth > 1 && j->depth < deepest) || f->groups > 1 || j->power != 1.0)
        return IV_OK;
    put_points(out, j, j->depth == deepest);
    return agree_on_pairs(out->agreement[j->depth != 1], own, j, err);
}

int iv_sampling_errors(iv_sampling_found *out, iv_arena *own, const iv_collection *c,
                       const iv_sampling_options *o, const iv_work *work, iv_err *err)
{
    const size_t depths = o->deepest - o->shallowest + 1;
    frame f = { 0 };

    *out = (iv_sampling_found){ .errors = 0 };
    IV_TRY(frame_new(&f, own, c, o->split, DEPTH, work, err));
    out->error = iv_take(own, depths * f.groups * CELLS, sizeof *out->error);
    out->point = iv_take(own, (2 * IV_SAMPLING_MEASURES + 1) * f.runs + f.topics,
                         sizeof *out->point);
    IV_TRY(iv_taken(own, err));
    for (size_t d = o->shallowest; d <= o->deepest; d++) {
        iv_arena mine = { 0 };
        iv_stage stage;
        job j = { .f = &f, .seed = iv_work_seed(work), .depth = d, .replicates = o->replicates,
                  .power = o->power };
        const int rc = study_depth(out, &mine, &j, o->deepest,
                                   iv_work_nth(&stage, work, d - o->shallowest, depths), err);
        iv_arena_free(&mine);
        IV_TRY(rc);
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- coverage -- */

enum { TOPIC, THESE, OTHERS, QUANTITIES };

/* Counts the interval of a mean; a plan's has the half-width that was planned. */
static void count_mean(iv_tally *t, const job *c, int of, double mean, double half, double truth)
{
    const double *planned = c->planned;

    if (planned[0] + planned[1] > 0.0)
        half = planned[of - THESE];
    if (half > 0.0 || planned[0] + planned[1] == 0.0)
        iv_tally_interval(&t[of], mean, mean - half, mean + half, truth);
}

/* One run's average precision on the sample of a topic, with its variance. */
static iv_estimate estimate(const job *c, const iv_known_sample *s, size_t run, size_t topic)
{
    const iv_scheme *scheme = c->schemes[topic];
    const iv_sampled_view v = iv_known_sample_view(s, iv_known_ranking(c->f->known, run, topic));
    iv_estimate e = { .value = sampled_value(s, &v, IV_SAMPLING_AP, IV_ESTIMATOR_CORRECTED) };

    if (!(iv_sampled_total(NULL, &v) > 0.0)) {
        e.gap = IV_SAMPLED_NO_RELEVANT;
    } else {
        e.variance = fmax(0.0, iv_scheme_variance(scheme, s->u, v.pi, s->bucket, v.count, s->sums));
        e.relevant = iv_sampled_drawn(&v);
        e.effective = iv_sampled_effective(s->u, &v);
        e.exact = scheme->buckets == 1;
    }
    iv_estimate_interval(&e, false, 0.0, c->confidence);
    return e;
}

/* Student's t over topics, of the mean of a run's estimates. */
static double half_of_topics(const job *c, const double *x)
{
    const iv_differences d = iv_describe_differences(x, c->f->topics);

    return iv_t_isf(0.5 * (1.0 - c->confidence), (double)(c->f->topics - 1)) * d.sd
        / sqrt((double)c->f->topics);
}

static int covering_replicate(iv_tally *t, void *user, void *thread, iv_stream *stream,
                              iv_err *err)
{
    const job *c = user;
    const frame *f = c->f;
    memory *w = thread;
    const double n = (double)f->topics, z = iv_norm_isf(0.5 * (1.0 - c->confidence));

    (void)err;
    memset(w->noise, 0, f->runs * sizeof *w->noise);
    for (size_t pass = 0; pass < 2; pass++) { /* these topics; as many drawn from them */
        memset(w->unseen, 0, f->runs * sizeof *w->unseen);
        for (size_t k = 0; k < f->topics; k++) {
            const size_t topic = pass == 0 ? k : (size_t)iv_draw_below(stream, f->topics);
            iv_known_sample_draw(&w->sample, &f->known->topics[topic], c->schemes[topic], false,
                                 stream);
            for (size_t r = 0; r < f->runs; r++) {
                const iv_estimate e = estimate(c, &w->sample, r, topic);
                w->value[r * f->topics + k] = e.value;
                w->unseen[r] += e.gap == IV_SAMPLED_NO_RELEVANT;
                w->noise[r] += pass == 0 ? e.variance / (n * n) : 0.0;
                if (pass == 0 && c->planned[0] + c->planned[1] == 0.0)
                    iv_tally_interval(&t[TOPIC], e.value, e.lower, e.upper,
                                      f->truth[r * f->topics + topic]);
            }
        }
        for (size_t r = 0; r < f->runs; r++) {
            /* As in eval, there is no mean where most topics count as 0 for that. */
            double mean = w->unseen[r] / n > iv_caution_at(IV_UNSEEN_HALF) ? NAN : 0.0;
            for (size_t k = 0; k < f->topics; k++)
                mean += w->value[r * f->topics + k] / n;
            count_mean(t, c, pass == 0 ? THESE : OTHERS, mean, pass == 0 ? z * sqrt(w->noise[r])
                       : half_of_topics(c, w->value + r * f->topics), f->mean[r]);
        }
    }
    return IV_OK;
}

/* Samples of so many documents a topic; with planned half-widths or without. */
static int study_budget(iv_study *s, job x, const iv_collection *c, size_t budget,
                        const iv_studied methods[QUANTITIES], size_t replicates,
                        const char *words, iv_err *err)
{
    const frame *f = x.f;

    x.confidence = s->confidence;
    x.schemes = iv_take(&s->own, f->topics, sizeof(iv_scheme *));
    IV_TRY(iv_taken(&s->own, err));
    for (size_t t = 0; t < f->topics; t++)
        IV_TRY(iv_known_scheme(&x.schemes[t], &s->own, &f->known->topics[t], budget, err));
    const iv_experiment e = { c->data, methods, QUANTITIES, replicates, covering_replicate, &x,
                              memory_new };
    return iv_experiment_run(s, &e, err, "%s%zu judgments a topic, %zu topics", words, budget,
                             f->topics);
}

static const char corrected[] = "ratio estimator, Stevens' scheme";
static const iv_studied covered[QUANTITIES] = {
    { .quantity = "AP of a topic", .method = corrected },
    { .quantity = "MAP of this fixed set of topics", .method = corrected },
    { .quantity = "MAP for a new sample of topics", .method = corrected } };

static int study_coverage(iv_study *s, const iv_collection *c, iv_err *err)
{
    static const int64_t usual[] = { 10, 20, 60, 100 };
    const iv_integers n = s->q->n.count > 0 ? s->q->n : (iv_integers){ usual, 4 };
    frame f = { 0 };

    IV_TRY(frame_new(&f, &s->own, c, false, DEPTH, &s->stage.work, err));
    for (size_t i = 0; i < n.count; i++)
        IV_TRY(study_budget(s, (job){ .f = &f }, c, (size_t)n.at[i], covered, 100, "", err));
    return IV_OK;
}

/* Relevant documents that a sample of a topic has, on average. */
static int relevant_sampled(double *out, iv_study *s, const frame *f, size_t budget, iv_err *err)
{
    *out = 0.0;
    for (size_t t = 0; t < f->topics; t++) {
        const iv_known_topic *k = &f->known->topics[t];
        iv_scheme *scheme;
        IV_TRY(iv_known_scheme(&scheme, &s->own, k, budget, err));
        for (size_t i = 0; i < k->known_count; i++)
            *out += scheme->bucket[k->known[i] / scheme->draws].pi / (double)f->topics;
    }
    return IV_OK;
}

/* A deep and a shallow frame in many of whose topics a sample has no relevant document. */
static int study_sparse(iv_study *s, iv_err *err)
{
    enum { TOPICS_OF_IT = 40, DOCUMENTS_OF_IT = 600 };
    static const int64_t usual[] = { 30 };
    static const size_t depths[] = { DOCUMENTS_OF_IT, DEPTH };
    const iv_integers n = s->q->n.count > 0 ? s->q->n : (iv_integers){ usual, 1 };
    iv_collection c;

    IV_TRY(iv_study_sparse_collection(&c, s, TOPICS_OF_IT, DOCUMENTS_OF_IT, err));
    for (size_t k = 0; k < 2 * n.count; k++) {
        const size_t depth = depths[k / n.count], budget = (size_t)n.at[k % n.count];
        char words[IV_STUDY_TEXT];
        double relevant;
        frame f = { 0 };
        IV_TRY(frame_new(&f, &s->own, &c, false, depth, &s->stage.work, err));
        IV_TRY(relevant_sampled(&relevant, s, &f, budget, err));
        (void)snprintf(words, sizeof words, "frame of %zu, %.1f relevant in ", depth, relevant);
        IV_TRY(study_budget(s, (job){ .f = &f }, &c, budget, covered, 1000, words, err));
    }
    return IV_OK;
}

/* ------------------------------------------------------------------- plans -- */

/* Standard errors as planned; and half-widths, which are those that the choice of topics leaves and
 * a quarter more. */
int iv_study_sample_plans(iv_study *s, const iv_collection *c, iv_err *err)
{
    static const iv_studied methods[QUANTITIES] = {
        { .quantity = "AP of a topic", .method = "plan sample" }, /* not counted */
        { .quantity = "MAP of this fixed set of topics", .method = "plan sample --se" },
        { .quantity = "MAP for a new sample of topics", .method = "plan sample --halfwidth" } };
    static const double se[] = { 0.01, 0.02, 0.0 };
    const double tail = 0.5 * (1.0 - s->confidence);
    double left = 0.0; /* standard error by the choice of topics */
    frame f = { 0 };

    IV_TRY(frame_new(&f, &s->own, c, false, DEPTH, &s->stage.work, err));
    for (size_t k = 0; k < 3; k++) {
        const double half = se[k] > 0.0 ? se[k] * iv_norm_isf(tail)
            : 1.25 * left * iv_t_isf(tail, (double)f.topics - 1.0);
        const iv_sample_plan_options o = { .depth = DEPTH, .se = se[k], .confidence = s->confidence,
                                           .halfwidth = se[k] > 0.0 ? 0.0 : half };
        const job x = { .f = &f, .planned = { se[k] > 0.0 ? half : 0.0,
                                              se[k] > 0.0 ? 0.0 : half } };
        char words[IV_STUDY_TEXT];
        iv_sample_plan p;
        IV_TRY(iv_sample_plan_make(&p, c->runs, c->count, c->judged, &o, &s->stage.work, err));
        const size_t budget = p.typical.budget;
        left = p.topics_se;
        iv_sample_plan_clear(&p);
        (void)snprintf(words, sizeof words, "within %.3f, ", half);
        IV_TRY(study_budget(s, x, c, budget, methods, 100, words, err));
    }
    return IV_OK;
}

/* ------------------------------------------------------------------ answer -- */

const iv_field iv_study_sampling_fields[] = {
    { "measure", IV_AT(iv_sampling_error, measure), .names = iv_sampling_measure_names,
      .about = "whose mean is estimated" },
    { "method", IV_AT(iv_sampling_error, method), .names = iv_sampling_method_names,
      .about = "of sampling and estimation" },
    { "depth", IV_AT(iv_sampling_error, depth), .about = "of a pool with as many judgments" },
    { "judgments", IV_AT(iv_sampling_error, judgments), .digits = 1, .about = "of a topic" },
    { "rms", IV_AT(iv_sampling_error, rms), .digits = 4, .about = "root mean square error" },
    { "rms_se", IV_AT(iv_sampling_error, rms_se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error of rms" },
    { "correlation", IV_AT(iv_sampling_error, correlation), .digits = 4,
      .about = "of true and estimated means" },
    { "tau", IV_AT(iv_sampling_error, tau), .digits = 4, .about = "Kendall's tau of the runs" },
    { "tau_se", IV_AT(iv_sampling_error, tau_se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error of tau" },
    { NULL } };

static int study_errors(iv_study *s, const iv_collection *c, iv_err *err)
{
    const size_t replicates = iv_study_size(s, 100);
    iv_sampling_found found;

    IV_TRY(iv_sampling_errors(&found, &s->own, c,
                              &(iv_sampling_options){ 1, 10, replicates, .power = 1.0 },
                              &s->stage.work, err));
    (void)iv_result_rows(s->out, &(iv_rows){ "errors", iv_study_sampling_fields, found.error,
                                             found.errors, sizeof *found.error });
    iv_result_chart(s->out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "Kendall's tau and judgments",
        .caption = "Correlation between the rankings of runs by estimated and by true means, by "
                   "the number of judgments of a topic.",
        .x = "judgments", .value = "tau", .group = "method", .page = "measure" });
    iv_study_step_done(s);
    return IV_OK;
}

int iv_study_sampling(iv_study *s, iv_err *err)
{
    const bool alone = s->q->study == IV_STUDY_SAMPLING;
    iv_collection c;

    const bool sparse = s->q->judgments == NULL;
    const size_t given = s->q->n.count;
    iv_study_steps(s, (given > 0 ? given : 4) + alone + (sparse ? 2 * (given > 0 ? given : 1) : 0));
    IV_TRY(iv_study_collection(&c, s, 50, 10, err));
    if (alone)
        IV_TRY(study_errors(s, &c, err));
    IV_TRY(study_coverage(s, &c, err));
    return sparse ? study_sparse(s, err) : IV_OK;
}
