/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest sample that is precise enough: what a budget gives by the design's exact
 * probabilities, what samples of it give where judgments are complete, and the search.
 */
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "num/draw.h"
#include "retrieval/evaluation.h"
#include "retrieval/known_sample.h"
#include "retrieval/sample_plan.h"
#include "sampling/sampled_judgments.h"
#include "sampling/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

iv_known_sample iv_known_sample_take(iv_arena *own, const iv_known_frame *f)
{
    iv_known_sample s = { 0 };
    size_t most = 1;

    for (size_t t = 0; t < f->topic_count; t++)
        most = f->topics[t].count > most ? f->topics[t].count : most;
    s.place = iv_take(own, most, sizeof *s.place);
    s.pi = iv_take(own, most, sizeof *s.pi);
    s.grade = iv_take(own, most, sizeof *s.grade);
    s.bucket = iv_take(own, most, sizeof *s.bucket);
    s.found = iv_take(own, most, sizeof *s.found);
    s.rank = iv_take(own, most, sizeof *s.rank);
    s.u = iv_take(own, most, sizeof *s.u);
    s.sums = iv_take(own, most + 1, sizeof *s.sums);
    s.taken = iv_take(own, 2 * most + 2, sizeof *s.taken);
    return s;
}

void iv_known_sample_draw(iv_known_sample *s, const iv_known_topic *t, const iv_scheme *scheme,
                          bool relevant_only, iv_stream *stream)
{
    const size_t buckets = scheme->buckets;
    size_t first = 0;

    for (size_t d = 0; d < t->count; d++)
        s->place[d] = IV_NO_PLACE;
    s->count = 0;
    iv_scheme_draw(s->taken, scheme, stream);
    for (size_t b = 0; b < buckets; b++) {
        const iv_bucket *x = &scheme->bucket[b];
        size_t *which = s->taken + buckets;
        (void)iv_draw_subset(stream, which, s->taken[b], x->size);
        for (size_t k = 0; k < s->taken[b]; k++) {
            const size_t d = first + which[k];
            if (relevant_only && !t->relevant[d])
                continue;
            s->place[d] = (uint32_t)s->count;
            s->pi[s->count] = x->pi;
            s->grade[s->count] = t->relevant[d];
            s->bucket[s->count++] = (uint32_t)b;
        }
        first += x->size;
    }
}

iv_sampled_view iv_known_sample_view(const iv_known_sample *s, const iv_label_ranking *r)
{
    size_t found = 0;

    for (size_t k = 0; k < r->relevant_count; k++) {
        const uint32_t at = s->place[r->document[r->relevant[k]]];
        if (at == IV_NO_PLACE)
            continue;
        s->found[found] = at;
        s->rank[found++] = r->rank[r->relevant[k]];
    }
    return (iv_sampled_view){ s->pi, s->grade, s->count, s->found, s->rank, found, 1 };
}

static void scheme_end(void *scheme) { iv_scheme_free(scheme); }

iv_scheme *iv_own_scheme(iv_arena *own, iv_scheme *scheme)
{
    return iv_own(own, scheme, scheme_end);
}

int iv_known_scheme(iv_scheme **out, iv_arena *own, const iv_known_topic *t, size_t draws,
                    iv_err *err)
{
    double *weights = iv_take(own, t->count, sizeof *weights);

    IV_TRY(iv_taken(own, err));
    for (size_t d = 0; d < t->count; d++)
        weights[d] = t->documents[d].weight;
    IV_TRY(iv_scheme_stevens_of(out, weights, t->count, draws < t->count ? draws : t->count, err));
    (void)iv_own_scheme(own, *out);
    return iv_taken(own, err);
}

typedef struct planner {
    iv_sample_plan_options options;
    const iv_work *work; /* the caller's */
    iv_stage stage;      /* the part that is at work; can be stopped */
    iv_arena own;
    iv_frame *frame;
    iv_known_frame *known;
    size_t runs, topics;
    size_t planned;  /* topics whose mean is planned, of the kind */
    double **u;      /* of a topic: runs x known documents */
    double **weight; /* of a topic: known documents */
    double *ap;      /* runs x topics */
    double *left;    /* of each run or pair: the variance that the choice of topics leaves */
    bool complete;
    size_t largest;  /* frame */
    double anchor;   /* the formula's standard errors are multiplied by it; 1 of complete ones */
} planner;

/* Standard errors over runs (or pairs): typical and worst; and how far those of samples may be
 * off, as shares of them: standard errors of their own. */
typedef struct spread {
    double typical, worst;
    double typical_noise, worst_noise;
} spread;

IV_NAMES(iv_sample_goal_names, "mean", "difference")

/* ------------------------------------------------------------ by formula -- */

/* Root mean square and largest of the root of mean squares. */
static spread spread_of(const double *squares, size_t count)
{
    spread s = { .typical = 0.0 };

    for (size_t i = 0; i < count; i++) {
        s.typical += squares[i];
        s.worst = fmax(s.worst, squares[i]);
    }
    s.typical = sqrt(s.typical / (double)count);
    s.worst = sqrt(s.worst);
    return s;
}

static size_t cases(const planner *p, iv_sample_goal goal)
{
    return goal == IV_GOAL_DIFFERENCE ? p->runs * (p->runs - 1) / 2 : p->runs;
}

/* Adds the variances of a topic to those of the runs, or of pairs of them. */
static int add_variances(double *sum, const planner *p, bool pairs, size_t topic, size_t budget,
                         iv_arena *own, iv_err *err)
{
    const iv_known_topic *t = &p->known->topics[topic];
    const size_t n = t->known_count;
    const double *u = p->u[topic], *weight = p->weight[topic];
    iv_scheme *scheme = NULL;

    IV_TRY(iv_known_scheme(&scheme, own, t, budget, err));
    uint32_t *bucket = iv_take(own, n, sizeof *bucket);
    double *difference = iv_take(own, n, sizeof *difference);
    double *sums = iv_take(own, scheme->buckets + 1, sizeof *sums);
    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < n; k++)
        bucket[k] = (uint32_t)(t->known[k] / scheme->draws);
    for (size_t a = 0; a < p->runs; a++)
        for (size_t b = pairs ? a + 1 : a; b < (pairs ? p->runs : a + 1); b++) {
            for (size_t k = 0; k < n; k++)
                difference[k] = u[a * n + k] - (pairs ? u[b * n + k] : 0.0);
            *sum++ += fmax(0.0, iv_scheme_true_variance(scheme, difference, weight, bucket, n,
                                                        sums));
        }
    return IV_OK;
}

/* What is left of the goal's variances when everything is judged.  e is of a pilot that is a
 * sample, whose own noise is not the topics'; NULL: all is judged. */
static int find_left(planner *p, const iv_evaluation *e, iv_err *err)
{
    const bool pairs = p->options.goal == IV_GOAL_DIFFERENCE;
    const double n = (double)p->topics;
    double *at = p->left = iv_take(&p->own, cases(p, p->options.goal) + 1, sizeof *at);

    IV_TRY(iv_taken(&p->own, err));
    for (size_t a = 0; a < p->runs; a++)
        for (size_t b = pairs ? a + 1 : a; b < (pairs ? p->runs : a + 1); b++) {
            double sum = 0.0, square = 0.0;
            iv_mean m = { .se_judgments = 0.0 };
            if (e != NULL && pairs)
                IV_TRY(iv_evaluation_difference(&m, NULL, NULL, e, 0, a, b, err));
            else if (e != NULL)
                m = iv_evaluation_view(e)->means[a];
            for (size_t t = 0; t < p->topics; t++) {
                const double d = p->ap[a * p->topics + t]
                    - (pairs ? p->ap[b * p->topics + t] : 0.0);
                sum += d;
                square += d * d;
            }
            const double all = n > 1.0 ? fmax(0.0, square - sum * sum / n) / (n - 1.0) : 0.0;
            const double noise = m.se_judgments * m.se_judgments * (double)m.topics;
            *at++ = fmax(0.0, all - (isfinite(noise) ? noise : 0.0)) / (double)p->planned;
        }
    return IV_OK;
}

/* Variances of a topic in place of sum[]. */
static int variances_of(double *sum, const planner *p, bool pairs, size_t topic, size_t budget,
                        iv_err *err)
{
    iv_arena own = { 0 };
    int rc = iv_check_work(&p->stage.work, 0.0, err);

    if (rc == IV_OK)
        rc = add_variances(sum, p, pairs, topic, budget, &own, err);
    iv_arena_free(&own);
    return rc;
}

/* Of means; total: with the part of the topics. */
static int predict_means(spread *out, const planner *p, iv_sample_goal goal, bool total,
                         size_t budget, iv_err *err)
{
    const size_t count = cases(p, goal);
    iv_arena own = { 0 };
    double *sum = iv_take(&own, count, sizeof *sum);
    int rc = iv_taken(&own, err);

    for (size_t t = 0; t < p->topics && rc == IV_OK; t++)
        rc = variances_of(sum, p, goal == IV_GOAL_DIFFERENCE, t, budget, err);
    if (rc == IV_OK) {
        for (size_t i = 0; i < count; i++)
            sum[i] = sum[i] * p->anchor * p->anchor / ((double)p->topics * (double)p->planned)
                + (total ? p->left[i] : 0.0);
        *out = spread_of(sum, count);
    }
    iv_arena_free(&own);
    return rc;
}

/* Of a topic's average precision: typical over runs and topics. */
static int predict_topic(double *out, const planner *p, size_t budget, iv_err *err)
{
    iv_arena own = { 0 };
    double *sum = iv_take(&own, p->runs, sizeof *sum), squares = 0.0;
    int rc = iv_taken(&own, err);

    for (size_t t = 0; t < p->topics && rc == IV_OK; t++) {
        memset(sum, 0, p->runs * sizeof *sum);
        rc = variances_of(sum, p, false, t, budget, err);
        const double typical = spread_of(sum, p->runs).typical;
        squares += typical * typical / (double)p->topics;
    }
    *out = p->anchor * sqrt(squares);
    iv_arena_free(&own);
    return rc;
}

/* ---------------------------------------------- a pilot that is a sample -- */

static bool is_planned(const planner *p, iv_str topic)
{
    for (size_t t = 0; t < p->topics; t++)
        if (iv_str_eq(p->known->topics[t].id, topic))
            return true;
    return false;
}

/* A topic's standard error, typical over runs and topics; one whose noise is not known adds
 * nothing. */
static double error_seen(const planner *p, const iv_evaluation *e)
{
    const iv_evaluated *v = iv_evaluation_view(e);
    double sum = 0.0;

    for (size_t t = 0; t < v->topic_count; t++)
        for (size_t r = 0; r < p->runs && is_planned(p, v->topics[t]); r++) {
            const double variance = iv_evaluation_value(e, r, 0, t).variance;
            sum += isfinite(variance) ? variance : 0.0;
        }
    return sqrt(sum / (double)(p->runs * p->topics));
}

/* Judged documents of a topic, on average. */
static size_t size_of_pilot(const planner *p)
{
    size_t judged = 0;

    for (size_t t = 0; t < p->topics; t++)
        for (size_t d = 0; d < p->known->topics[t].count; d++)
            judged += p->known->topics[t].weight[d] > 0.0;
    return (size_t)fmax(1.0, round((double)judged / (double)p->topics));
}

static int planner_anchor(planner *p, const iv_run *const *runs, const iv_sampling *judged,
                      iv_err *err)
{
    static const char *const measures[] = { "AP" };
    const iv_evaluating how = {
        .measures = { measures, 1 }, .unjudged = judged->unjudged, .complete = true,
        .interval = IV_INTERVAL_NONE, .differences = true };
    const iv_source from = { .judged = judged->judgments, .ranked = runs,
                             .ranked_count = p->runs };
    iv_evaluation *e = NULL;
    double formula;

    IV_TRY(predict_topic(&formula, p, size_of_pilot(p), err));
    IV_TRY(iv_evaluate(&e, &from, &how, &p->stage.work, err));
    const double seen = error_seen(p, e);
    if (formula > 0.0 && seen > 0.0)
        p->anchor = seen / formula;
    const int rc = find_left(p, e, err);
    iv_evaluation_free(e);
    return rc;
}

/* --------------------------------------------------------- what is known -- */

/*
 * What each known relevant document contributes to each run's average
 * precision on a topic: u, from the pilot's weights.
 */
static int contribute(planner *p, size_t topic, iv_err *err)
{
    const iv_known_topic *t = &p->known->topics[topic];
    const size_t n = t->known_count;
    double *pi = iv_take(&p->own, n, sizeof *pi), *rank = iv_take(&p->own, n, sizeof *rank);
    int32_t *grade = iv_take(&p->own, n, sizeof *grade);
    uint32_t *found = iv_take(&p->own, n, sizeof *found);
    uint32_t *place = iv_take(&p->own, t->count, sizeof *place);

    p->u[topic] = iv_take(&p->own, p->runs * n, sizeof(double));
    p->weight[topic] = iv_take(&p->own, n, sizeof(double));
    IV_TRY(iv_taken(&p->own, err));
    for (size_t k = 0; k < n; k++) {
        p->weight[topic][k] = t->weight[t->known[k]];
        pi[k] = 1.0 / p->weight[topic][k];
        grade[k] = 1;
        place[t->known[k]] = (uint32_t)k;
        p->complete = p->complete && pi[k] == 1.0;
    }
    for (size_t r = 0; r < p->runs && n > 0; r++) { /* of nothing relevant AP is 0 */
        const iv_label_ranking *ranking = iv_known_ranking(p->known, r, topic);
        for (size_t k = 0; k < ranking->relevant_count; k++) {
            found[k] = place[ranking->document[ranking->relevant[k]]];
            rank[k] = ranking->rank[ranking->relevant[k]];
        }
        const iv_sampled_view v = { pi, grade, n, found, rank, ranking->relevant_count, 1 };
        p->ap[r * p->topics + topic] = iv_sampled_ap(p->u[topic] + r * n, &v, t->total, 0,
                                                     IV_ESTIMATOR_CORRECTED);
    }
    return IV_OK;
}

static int planner_new(planner *p, const iv_run *const *runs, size_t count,
                   const iv_sampling *judged, const iv_sample_plan_options *o,
                   const iv_work *work, iv_err *err)
{
    *p = (planner){ .options = *o, .work = work, .runs = count, .complete = true,
                               .anchor = 1.0 };
    IV_TRY(iv_frame_new(&p->frame, runs, count, o->depth, iv_work_part(&p->stage, work, 0.0, 0.1),
                        err));
    IV_TRY(iv_known_frame_new(&p->known, p->frame, judged, runs, count, true, true,
                              iv_work_part(&p->stage, work, 0.1, 0.1), err));
    p->topics = p->known->topic_count;
    p->planned = o->topics > 0 ? o->topics : p->topics;
    p->u = iv_take(&p->own, p->topics, sizeof(double *));
    p->weight = iv_take(&p->own, p->topics, sizeof(double *));
    p->ap = iv_take(&p->own, p->runs * p->topics, sizeof *p->ap);
    IV_TRY(iv_taken(&p->own, err));
    for (size_t t = 0; t < p->topics; t++) {
        const size_t n = p->known->topics[t].count;
        p->largest = n > p->largest ? n : p->largest;
        IV_TRY(contribute(p, t, err));
    }
    return p->complete ? find_left(p, NULL, err) : planner_anchor(p, runs, judged, err);
}

/* ----------------------------------------------------- what samples give -- */

/* Errors of all samples: errors[(sample * runs + run) * topics + topic]. */
typedef struct error_loop {
    double *errors;
    const planner *p;
    iv_scheme *const *schemes;
} error_loop;

static void *draw_new(iv_arena *own, void *user)
{
    iv_known_sample *s = iv_take(own, 1, sizeof *s);

    if (s != NULL)
        *s = iv_known_sample_take(own, ((const error_loop *)user)->p->known);
    return own->failed ? NULL : s;
}

/* A run's average precision on a topic, by weights. */
static double ap_of_weights(iv_known_sample *d, const planner *p, size_t run, size_t topic)
{
    const iv_sampled_view v = iv_known_sample_view(d, iv_known_ranking(p->known, run, topic));
    const double total = iv_sampled_total(NULL, &v);

    return total > 0.0 ? iv_sampled_ap(d->u, &v, total, 0, IV_ESTIMATOR_CORRECTED) : 0.0;
}

static int error_item(void *user, void *memory, size_t sample, iv_err *err)
{
    const error_loop *x = user;
    const planner *p = x->p;
    double *errors = x->errors + sample * p->runs * p->topics;
    iv_known_sample *drawn = memory;

    (void)err;
    for (size_t t = 0; t < p->topics; t++) {
        iv_stream stream = iv_stream_start(iv_work_seed(p->work), IV_FOR_PILOT,
                                           UINT64_C(1) << 40 | (sample * p->topics + t));
        iv_known_sample_draw(drawn, &p->known->topics[t], x->schemes[t], true, &stream);
        for (size_t r = 0; r < p->runs; r++)
            errors[r * p->topics + t] = ap_of_weights(drawn, p, r, t)
                - p->ap[r * p->topics + t];
    }
    return IV_OK;
}

/* ----------------------------------------------------------- the goals -- */

/* The standard error of the root of the mean of squares, as a share of it, of the cases from
 * `from` to `to`; e[sample * count + case]. */
static double noise_of(const double *e, size_t count, size_t samples, size_t from, size_t to)
{
    const double n = (double)samples;
    double sum = 0.0, square = 0.0;

    for (size_t s = 0; s < samples; s++) {
        double q = 0.0;
        for (size_t k = from; k < to; k++)
            q += e[s * count + k] * e[s * count + k];
        sum += q;
        square += q * q;
    }
    return sum > 0.0 && n > 1.0 ? 0.5 * sqrt(fmax(0.0, square * n / (sum * sum) - 1.0) / (n - 1.0))
                                : 0.0;
}

/* Root mean square errors.  Over more topics than the samples have, or fewer, the noise is less or
 * more: `more` times its variance; what all samples are off by stays. */
static spread errors_spread(const double *e, size_t count, size_t samples, double more)
{
    const double n = (double)samples;
    spread s = { .worst = -1.0 };
    size_t worst = 0;

    for (size_t k = 0; k < count; k++) {
        double sum = 0.0, square = 0.0;
        for (size_t i = 0; i < samples; i++) {
            const double x = e[i * count + k];
            sum += x / n;
            square += x * x / n;
        }
        const double is = sum * sum + fmax(0.0, square - sum * sum) * more;
        s.typical += is / (double)count;
        worst = is > s.worst ? k : worst;
        s.worst = fmax(s.worst, is);
    }
    s.typical = sqrt(s.typical);
    s.worst = sqrt(s.worst);
    s.typical_noise = noise_of(e, count, samples, 0, count);
    s.worst_noise = noise_of(e, count, samples, worst, worst + 1);
    return s;
}

/* Errors of the means over topics, of runs or of their pairs. */
static void average_topics(double *out, double *errors, const planner *p)
{
    const bool pairs = p->options.goal == IV_GOAL_DIFFERENCE;

    for (int64_t s = 0; s < p->options.check; s++, errors += p->runs * p->topics) {
        for (size_t r = 0; r < p->runs; r++) {
            double sum = 0.0;
            for (size_t t = 0; t < p->topics; t++)
                sum += errors[r * p->topics + t];
            errors[r] = sum / (double)p->topics; /* to the front of the sample */
        }
        for (size_t a = 0; a < p->runs; a++) {
            if (!pairs)
                *out++ = errors[a];
            for (size_t b = a + 1; pairs && b < p->runs; b++)
                *out++ = errors[a] - errors[b];
        }
    }
}

static int check_errors(spread *out, iv_arena *own, const planner *p, size_t budget, iv_err *err)
{
    const size_t samples = (size_t)p->options.check, count = cases(p, p->options.goal);
    double *errors = iv_take(own, samples * p->runs * p->topics, sizeof *errors);
    double *of = iv_take(own, samples * count, sizeof *of);
    iv_scheme **schemes = iv_take(own, p->topics, sizeof(iv_scheme *));
    error_loop l = { errors, p, schemes };

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < p->topics; t++)
        IV_TRY(iv_known_scheme(&schemes[t], own, &p->known->topics[t], budget, err));
    IV_TRY(iv_parallel(&(iv_loop){ samples, error_item, &l, draw_new }, &p->stage.work, err));
    average_topics(of, errors, p);
    *out = errors_spread(of, count, samples, (double)p->topics / (double)p->planned);
    return IV_OK;
}

/* ------------------------------------------------------------- the search -- */

/* Half a width is that of eval's interval, which allows for the choice of topics. */
static bool counts_topics(const planner *p)
{
    return p->options.halfwidth > 0.0;
}

/* The standard error that the goal comes to. */
static double wanted(const planner *p)
{
    const iv_sample_plan_options *o = &p->options;

    return o->se > 0.0 ? o->se
        : o->halfwidth / iv_t_isf(0.5 * (1.0 - o->confidence),
                                  fmax(1.0, (double)p->planned - 1.0));
}

static double chosen(spread s, iv_sample_scope scope)
{
    return scope == IV_SCOPE_TYPICAL ? s.typical : s.worst;
}

/* Is a budget enough by formula, when errors are `factor` times as large? */
static int enough(bool *out, iv_sample_budget *b, const planner *p, size_t budget, double factor,
                  iv_err *err)
{
    spread s = { .typical = 0.0 };

    IV_TRY(predict_means(&s, p, p->options.goal, counts_topics(p), budget, err));
    b->predicted = chosen(s, b->scope);
    b->wanted = wanted(p);
    b->budget = budget;
    *out = b->predicted * factor <= b->wanted;
    return IV_OK;
}

/* The smallest budget that is enough by formula. */
static int search(iv_sample_budget *b, const planner *p, double factor, iv_err *err)
{
    size_t low = 1, high = p->largest;
    bool good = false;

    IV_TRY(enough(&good, b, p, high, factor, err));
    b->reached = good;
    if (!good)
        return IV_OK;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        IV_TRY(enough(&good, b, p, middle, factor, err));
        *(good ? &high : &low) = middle;
    }
    return enough(&good, b, p, high, factor, err);
}

/* What samples of a budget achieve, and what the formula missed. */
static int check_budget(iv_sample_budget *b, const planner *p, iv_err *err)
{
    double noise = b->predicted;
    iv_arena own = { 0 };
    spread s, judging = { .typical = 0.0 };
    const int rc = check_errors(&s, &own, p, b->budget, err);

    iv_arena_free(&own);
    IV_TRY(rc);
    if (counts_topics(p)) {
        IV_TRY(predict_means(&judging, p, p->options.goal, false, b->budget, err));
        noise = chosen(judging, b->scope);
    }
    const double got = chosen(s, b->scope);
    const double topics = fmax(0.0, b->predicted * b->predicted - noise * noise);
    b->achieved = topics > 0.0 ? sqrt(topics + got * got) : got;
    b->noise = b->achieved > 0.0 ? got * got / b->achieved
        * (b->scope == IV_SCOPE_TYPICAL ? s.typical_noise : s.worst_noise) : 0.0;
    b->factor = noise > 0.0 ? got / noise : (double)NAN;
    return IV_OK;
}

/* By what samples of the budget gave: the next one, or the end.  Samples were too bad up to *low,
 * and good enough with best, if that has a budget. */
static int correct(bool *more, iv_sample_budget *b, iv_sample_budget *best, size_t *low,
                   const planner *p, iv_err *err)
{
    const bool good = b->achieved <= b->wanted;
    const double factor = b->achieved / b->predicted;
    bool unused;

    if (good && (best->budget == 0 || b->budget < best->budget))
        *best = *b;
    *low = good ? *low : b->budget;
    *more = !(good && b->achieved >= 0.95 * b->wanted) && b->predicted > 0.0
        && !(best->budget > 0 && best->budget - *low <= 1);
    if (!*more)
        return IV_OK;
    IV_TRY(search(b, p, factor, err));
    /* Where the formula leads out of what is known, the middle of that. */
    *more = !(good && b->budget >= best->budget);
    if (*more && best->budget > 0 && (b->budget >= best->budget || b->budget <= *low))
        return enough(&unused, b, p, *low + (best->budget - *low) / 2, 1.0, err);
    if (*more && b->budget <= *low)
        return enough(&unused, b, p, *low + 1 + *low / 8, 1.0, err);
    return IV_OK;
}

/*
 * A budget by formula, corrected by what samples of it give: the formula is exact for large
 * samples only, and that of weights 1/pi.  factor: what samples are thought to give over the
 * formula.
 */
static int find_budget(iv_sample_budget *b, double factor, const planner *p, iv_err *err)
{
    enum { ROUNDS = 8 };
    iv_sample_budget best = { .budget = 0 };
    size_t low = 0;

    IV_TRY(search(b, p, factor, err));
    if (!b->reached) /* a guess refuses nothing */
        IV_TRY(search(b, p, 1.0, err));
    b->achieved = b->noise = b->factor = (double)NAN;
    bool more = b->reached && p->complete && p->options.check > 0;
    for (int round = 0; round < ROUNDS && more; round++) {
        IV_TRY(check_budget(b, p, err));
        IV_TRY(correct(&more, b, &best, &low, p, err));
    }
    if (best.budget > 0)
        *b = best;
    return IV_OK;
}

/* -------------------------------------------------------------- the whole -- */

/* Of as many topics as are planned. */
static size_t count_documents(const planner *p, size_t budget)
{
    size_t sum = 0;

    for (size_t t = 0; t < p->topics; t++) {
        const size_t n = p->known->topics[t].count;
        sum += budget < n ? budget : n;
    }
    return (size_t)llround((double)sum * (double)p->planned / (double)p->topics);
}

/* Where the work is: its parts take as long as they take, but may be stopped. */
static void move_on(planner *p, double done)
{
    (void)iv_work_part(&p->stage, p->work, done, done);
}

static int draw_curve(iv_sample_plan *out, const planner *p, iv_err *err)
{
    static const size_t budgets[] = { 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000, 2000 };
    const size_t count = sizeof budgets / sizeof *budgets;
    spread s;

    out->curve = calloc(count, sizeof *out->curve);
    if (out->curve == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a plan");
    for (size_t i = 0; i < count && budgets[i] < p->largest; i++) {
        iv_sample_curve *c = &out->curve[out->curve_count++];
        c->budget = budgets[i];
        IV_TRY(predict_topic(&c->topic, p, c->budget, err));
        IV_TRY(predict_means(&s, p, IV_GOAL_MEAN, false, c->budget, err));
        c->mean = s.typical;
        if (p->runs > 1)
            IV_TRY(predict_means(&s, p, IV_GOAL_DIFFERENCE, false, c->budget, err));
        c->difference = p->runs > 1 ? s.typical : (double)NAN;
    }
    return IV_OK;
}

static int make(iv_sample_plan *out, planner *p, iv_err *err)
{
    iv_sample_budget *const budgets[] = { &out->typical, &out->every };
    double factor = 1.0;
    spread s;

    out->complete = p->complete;
    out->without = p->known->without;
    out->planned = p->planned;
    out->frame = count_documents(p, SIZE_MAX);
    out->inside = p->known->inside;
    out->outside = p->known->outside;
    for (int scope = 0; scope < 2; scope++) {
        move_on(p, scope == 0 ? 0.1 : 0.35);
        budgets[scope]->scope = (iv_sample_scope)scope;
        IV_TRY(find_budget(budgets[scope], factor, p, err));
        factor = out->typical.achieved > 0.0 ? out->typical.achieved / out->typical.predicted : 1.0;
        budgets[scope]->documents = count_documents(p, budgets[scope]->budget);
    }
    IV_TRY(predict_means(&s, p, p->options.goal, true, p->largest, err));
    out->topics_se = s.typical;
    move_on(p, 0.9);
    return draw_curve(out, p, err);
}

int iv_sample_plan_make(iv_sample_plan *out, const iv_run *const *runs, size_t count,
                        const iv_sampling *judged, const iv_sample_plan_options *options,
                        const iv_work *work, iv_err *err)
{
    iv_sample_plan plan = { .complete = false };
    iv_sample_plan_options o = *options;
    planner p;

    o.confidence = o.confidence == 0.0 ? 0.95 : o.confidence;
    o.check = o.check == 0 ? IV_PLAN_CHECKS : o.check;
    if ((o.se > 0.0) == (o.halfwidth > 0.0) || !(o.confidence > 0.0 && o.confidence < 1.0))
        return iv_fail(err, IV_EARG, "a plan needs a standard error or half a width, and "
                       "not both");
    if (o.goal == IV_GOAL_DIFFERENCE && count < 2)
        return iv_fail(err, IV_ENODATA, "a difference needs two runs");
    int rc = planner_new(&p, runs, count, judged, &o, work, err);
    if (rc == IV_OK)
        rc = make(&plan, &p, err);
    iv_arena_free(&p.own);
    iv_known_frame_free(p.known);
    iv_frame_free(p.frame);
    if (rc == IV_OK)
        *out = plan;
    else
        iv_sample_plan_clear(&plan);
    return rc;
}

void iv_sample_plan_clear(iv_sample_plan *plan)
{
    free(plan->curve);
    *plan = (iv_sample_plan){ 0 };
}
