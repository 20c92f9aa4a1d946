/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of runs one by one, on all cores; sums are taken in the order of the pairs. */
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

enum { STREAMS = 1 << 17, TRIALS = 4, MOST_LOOKS = 101, MOST_TOPICS = 5000, PILOT_TOPICS = 10 };

#define ALPHA 0.05

typedef struct pair {
    size_t a, b, number, looked;
    double truth, effect; /* difference in MAP; (wins - losses) / (wins + losses) */
    iv_judging_bin bin[IV_BIN_KINDS][IV_BINS];
    iv_pilot_row *row;
    double spent[IV_SPENT_KINDS][TRIALS]; /* NaN: none */
    iv_cost_choice pilot, dear; /* plans by a pilot, as topics are free or not; no topics: none */
} pair;

/* What all pairs share; choice is NULL in the first pass. */
typedef struct job {
    const iv_pooled *p;
    uint64_t seed;
    size_t topics, sizes[IV_PILOT_SIZES], size_count;
    const iv_cost_choice *choice;
    const iv_work *inner;
    pair *pairs;
} job;

static void paths_end(void *paths) { iv_paths_free(paths); }

static int make_paths(iv_paths **out, iv_arena *own, pair *x, const job *j, iv_err *err)
{
    const iv_judging_options how = { .prior = { .relevance = 0.5 }, .form = IV_MOMENTS_PLAIN,
                                     .order = IV_ORDER_POOL,
                                     .no_answer = IV_NO_ANSWER_NONRELEVANT };
    double wins = 0.0, losses = 0.0;

    IV_TRY(iv_paths_new(out, j->p, x->a, x->b, &how, "", j->inner, err));
    (void)iv_own(own, *out, paths_end);
    IV_TRY(iv_taken(own, err));
    x->truth = 0.0;
    for (size_t t = 0; t < j->p->topics; t++) {
        const double d = iv_paths_truth(*out, t);
        x->truth += d;
        wins += d > 0.0;
        losses += d < 0.0;
    }
    x->effect = wins + losses > 0.0 ? (wins - losses) / (wins + losses) : 0.0;
    return IV_OK;
}

static bool look(void *user, size_t judgments, iv_moments sum, size_t right, size_t wrong)
{
    pair *x = user;
    const double c = iv_sign_confidence(sum), at = (c - 0.5) * 2.0 * IV_BINS;
    iv_judging_bin *b = &x->bin[IV_BINS_CONFIDENCE][at < IV_BINS ? (size_t)at : IV_BINS - 1];

    if (judgments > 0 && x->truth != 0.0) {
        b->points++;
        b->at += c;
        b->right += sum.mean * x->truth > 0.0;
        b->topic_right += right;
        b->topics += right + wrong;
    }
    return ++x->looked < MOST_LOOKS;
}

/* Documents that the two runs return within the depth, for so many topics. */
static double pool_of(const pair *x, const job *j)
{
    double documents = 0.0;

    for (size_t t = 0; t < j->p->topics; t++) {
        const uint32_t *a = iv_pooled_ranks(j->p, t, x->a), *b = iv_pooled_ranks(j->p, t, x->b);
        for (size_t d = 0; d < j->p->topic[t].documents; d++)
            documents += a[d] > 0 || b[d] > 0;
    }
    return documents * (double)j->topics / (double)j->p->topics;
}

/* Where bins of a design are, what it spends, and the first of its topics. */
typedef struct judged_design {
    size_t kind, spent, first, topics;
    double certainty;
} judged_design;

/* Samples of topics judged to a certainty, and the sign test on them. */
static int try_design(pair *x, iv_arena *own, iv_paths *paths, const job *j, const judged_design *d,
                      iv_err *err)
{
    const size_t kind = d->kind, topics = d->topics;
    const double h = fabs(x->effect);
    iv_judging_bin *bin = &x->bin[kind][h < 1.0 ? (size_t)(h * IV_BINS) : IV_BINS - 1];
    size_t *sample = iv_take(own, topics, sizeof *sample);

    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < TRIALS; k++) {
        iv_stream stream = iv_stream_start(
            j->seed, IV_FOR_STUDY,
            x->number * STREAMS + (kind - IV_BINS_CERTAIN) * TRIALS + k);
        size_t made = SIZE_MAX, wins = 0, losses = 0;
        iv_pilot_draw(sample, topics, j->p->topics - d->first, &stream);
        for (size_t t = 0; t < topics; t++)
            sample[t] += d->first;
        IV_TRY(iv_paths_judge(&made, &wins, &losses, paths, sample, topics, &d->certainty, 1,
                              j->inner, err));
        x->spent[d->spent][k] = made == SIZE_MAX ? NAN : (double)made;
        if (wins + losses == 0)
            continue;
        bin->points++;
        bin->at += h;
        bin->adjusted += (x->effect >= 0.0 ? 1.0 : -1.0) * ((double)wins - (double)losses)
                         / (double)(wins + losses);
        bin->predicted += iv_sign_power((int64_t)j->topics, h, ALPHA, IV_GREATER);
        bin->right += (int64_t)(x->effect >= 0.0 ? wins : losses)
                      >= iv_sign_critical((int64_t)(wins + losses), ALPHA);
    }
    return IV_OK;
}

/*
 * Section 5.2: a pilot of ten topics, the plan of least cost by it, and what the plan takes on
 * other topics.  249 topics are free, others cost 20 judgments.
 */
static int try_pilot(pair *x, iv_arena *own, iv_paths *paths, const job *j, iv_err *err)
{
    static const iv_prices free_topics = { 20.0, 1.0, 249.0 }, no_free = { 20.0, 1.0, 0.0 };
    static const double certain = 1.0;
    iv_pilot_row *rows = iv_take(own, j->size_count * IV_PILOT_LEVELS, sizeof *rows);
    size_t topics[PILOT_TOPICS], made = SIZE_MAX;
    iv_cost_model model;

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < PILOT_TOPICS; t++)
        topics[t] = t;
    IV_TRY(iv_paths_judge(&made, NULL, NULL, paths, topics, PILOT_TOPICS, &certain, 1, j->inner,
                          err));
    IV_TRY(iv_pilot_train(rows, paths, PILOT_TOPICS, j->sizes, j->size_count, TRIALS,
                          x->number * STREAMS + STREAMS / 2, j->inner, err));
    const int rc = iv_pilot_fit(&model, NULL, rows, j->size_count * IV_PILOT_LEVELS, err);
    if (rc == IV_ENODATA || rc == IV_ENUM) /* too few judgments to fit anything */
        return IV_OK;
    IV_TRY(rc);
    IV_TRY(iv_cost_least(&x->pilot, &model, (double)j->topics, &free_topics, iv_pilot_levels[0],
                         err));
    IV_TRY(iv_cost_least(&x->dear, &model, (double)j->topics, &no_free, iv_pilot_levels[0], err));
    x->spent[IV_SPENT_START][0] = made == SIZE_MAX ? NAN : (double)made;
    x->spent[IV_SPENT_PREDICTED][0] = x->pilot.judgments;
    const judged_design plan = { IV_BINS_PILOT, IV_SPENT_TAKEN, PILOT_TOPICS,
                                 (size_t)ceil(x->pilot.topics - 1e-9), x->pilot.certainty };
    const judged_design dear = { IV_BINS_DEAR, IV_SPENT_DEAR, PILOT_TOPICS,
                                 (size_t)ceil(x->dear.topics - 1e-9), x->dear.certainty };
    IV_TRY(try_design(x, own, paths, j, &plan, err));
    return try_design(x, own, paths, j, &dear, err);
}

static int study_pair(pair *x, iv_arena *own, const job *j, iv_err *err)
{
    const size_t n = j->p->topics;
    size_t *all = iv_take(own, n, sizeof *all);
    iv_paths *paths = NULL;
    const judged_design certain = { IV_BINS_CERTAIN, IV_SPENT_CERTAIN, 0, j->topics, 1.0 };

    IV_TRY(iv_taken(own, err));
    IV_TRY(make_paths(&paths, own, x, j, err));
    if (j->choice != NULL) {
        const judged_design cheapest = { IV_BINS_CHEAPEST, IV_SPENT_CHEAPEST, 0,
                                         (size_t)ceil(j->choice->topics - 1e-9),
                                         j->choice->certainty };
        return try_design(x, own, paths, j, &cheapest, err);
    }
    x->spent[IV_SPENT_POOL][0] = pool_of(x, j);
    for (size_t t = 0; t < n; t++)
        all[t] = t;
    IV_TRY(iv_paths_watch(paths, all, n, n, look, x, j->inner, err));
    IV_TRY(iv_pilot_train(x->row, paths, n, j->sizes, j->size_count, TRIALS,
                          x->number * STREAMS, j->inner, err));
    if (n >= 2 * PILOT_TOPICS)
        IV_TRY(try_pilot(x, own, paths, j, err));
    return try_design(x, own, paths, j, &certain, err);
}

static int one_pair(void *user, void *memory, size_t k, iv_err *err)
{
    const job *j = user;
    iv_arena own = { 0 };

    (void)memory;
    const int rc = study_pair(&j->pairs[k], &own, j, err);
    iv_arena_free(&own);
    return rc;
}

static int study_pairs(job *j, size_t count, const iv_work *work, iv_err *err)
{
    iv_nested_work nested;

    iv_nested_work_start(&nested, work);
    j->inner = &nested.inner;
    return iv_parallel(&(iv_loop){ count, one_pair, j, NULL }, &nested.outer, err);
}

/* -------------------------------------------------------------------- sums -- */

static void add_up(iv_judging_found *out, const job *j)
{
    for (size_t i = 0; i < out->pairs * IV_BIN_KINDS * IV_BINS; i++) {
        const size_t kind = i / IV_BINS % IV_BIN_KINDS, b = i % IV_BINS;
        const iv_judging_bin *x = &j->pairs[i / IV_BINS / IV_BIN_KINDS].bin[kind][b];
        iv_judging_bin *sum = &out->bin[kind][b];
        sum->points += x->points;
        sum->right += x->right;
        sum->topic_right += x->topic_right;
        sum->topics += x->topics;
        sum->at += x->at;
        sum->predicted += x->predicted;
        sum->adjusted += x->adjusted;
    }
}

/* The plans by pilots, and what they cost when carried out. */
static void add_plans(iv_judging_found *out, const job *j, bool dear)
{
    iv_judging_plans *sum = dear ? &out->dear : &out->plan;
    double plans = 0.0, trials = 0.0;

    for (size_t k = 0; k < out->pairs; k++) {
        const pair *x = &j->pairs[k];
        const iv_cost_choice *c = dear ? &x->dear : &x->pilot;
        if (!(c->topics > 0.0))
            continue;
        plans += 1.0;
        sum->certainty += c->certainty;
        sum->topics += c->topics;
        sum->most_topics = fmax(sum->most_topics, c->topics);
        sum->cost += c->cost;
        for (size_t i = 0; i < TRIALS; i++) {
            const double taken = x->spent[dear ? IV_SPENT_DEAR : IV_SPENT_TAKEN][i];
            trials += !isnan(taken);
            sum->over += taken > c->judgments; /* topics cost the same: the plan says how many */
        }
    }
    sum->certainty /= plans;
    sum->topics /= plans;
    sum->cost /= plans;
    sum->over /= trials;
}

/* What designs spent, over pairs and trials; and the plans by pilots. */
static int add_spent(iv_judging_found *out, iv_arena *own, const job *j, iv_err *err)
{
    double *all = iv_take(own, out->pairs * TRIALS, sizeof *all), plans = 0.0, below = 0.0;
    double *predicted = iv_take(own, 2 * out->pairs, sizeof *predicted);
    size_t both = 0;

    IV_TRY(iv_taken(own, err));
    for (int kind = 0; kind < IV_SPENT_KINDS; kind++) {
        iv_judging_spent *s = &out->spent[kind];
        for (size_t i = 0; i < out->pairs * TRIALS; i++) {
            const double x = j->pairs[i / TRIALS].spent[kind][i % TRIALS];
            if (isnan(x))
                continue;
            all[s->trials++] = x;
            s->mean += x;
            below += kind == IV_SPENT_CHEAPEST && x < out->choice.judgments;
        }
        qsort(all, s->trials, sizeof *all, iv_ascending);
        s->mean /= (double)s->trials; /* NaN: none */
        s->median = s->trials > 0 ? all[s->trials / 2] : NAN;
        s->least = s->trials > 0 ? all[0] : NAN;
        s->most = s->trials > 0 ? all[s->trials - 1] : NAN;
    }
    out->below_plan = below / (double)out->spent[IV_SPENT_CHEAPEST].trials;
    add_plans(out, j, false);
    add_plans(out, j, true);
    for (size_t k = 0; k < out->pairs; k++) {
        const pair *x = &j->pairs[k];
        if (!(x->pilot.topics > 0.0))
            continue;
        plans += 1.0;
        out->certain_cheapest += x->dear.certainty > 0.995;
        out->small_start += x->spent[IV_SPENT_START][0] <= 1000.0;
        if (isnan(x->spent[IV_SPENT_TAKEN][0]))
            continue;
        predicted[both] = x->spent[IV_SPENT_PREDICTED][0];
        predicted[out->pairs + both++] = x->spent[IV_SPENT_TAKEN][0];
    }
    out->certain_cheapest /= plans;
    out->small_start /= plans;
    out->pilot_correlation = iv_pearson(predicted, predicted + out->pairs, both);
    return IV_OK;
}

/* Mean judgments over pairs and their samples, and the model. */
static int fit_model(iv_judging_found *out, iv_arena *own, const job *j, iv_err *err)
{
    out->rows = j->size_count * IV_PILOT_LEVELS;
    out->row = iv_take(own, out->rows, sizeof *out->row);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < out->rows; i++) {
        iv_pilot_row *r = &out->row[i];
        *r = j->pairs[0].row[i];
        r->samples = r->reached = 0;
        r->judgments = 0.0;
        for (size_t k = 0; k < out->pairs; k++) {
            const iv_pilot_row *x = &j->pairs[k].row[i];
            r->samples += x->samples;
            r->reached += x->reached;
            r->judgments += x->reached > 0 ? (double)x->reached * x->judgments : 0.0;
        }
        r->judgments = r->reached > 0 ? r->judgments / (double)r->reached : NAN;
    }
    const int rc = iv_pilot_fit(&out->model, NULL, out->row, out->rows, err);
    if (rc == IV_ENODATA || rc == IV_ENUM) { /* too few judgments to fit anything */
        out->choice.topics = INFINITY;
        return IV_OK;
    }
    IV_TRY(rc);
    return iv_cost_least(&out->choice, &out->model, (double)j->topics,
                         &(iv_prices){ 0.0, 1.0, 0.0 }, iv_pilot_levels[0], err);
}

static void pooled_end(void *p) { iv_pooled_free(p); }

int iv_judging_experiment(iv_judging_found *out, iv_arena *own, const iv_collection *c,
                          size_t pairs, size_t topics, const iv_work *work, iv_err *err)
{
    const iv_pooled_options pool = { .depth = 100, .level = 1, .judged_topics = true };
    const size_t all = iv_pair_count(c->count), n = pairs < all ? pairs : all;
    iv_pooled *p = NULL;
    iv_stage stage;

    *out = (iv_judging_found){ .pairs = n };
    IV_TRY(iv_pooled_new(&p, c->runs, c->count, c->judgments, &pool, NULL, err));
    (void)iv_own(own, p, pooled_end);
    job j = { .p = p, .seed = iv_work_seed(work), .topics = topics,
              .pairs = iv_take(own, n, sizeof *j.pairs) };
    size_t *chosen = iv_take(own, n, sizeof *chosen);
    IV_TRY(iv_taken(own, err));
    if (n == 0 || p->topics < 2)
        return iv_fail(err, IV_ENODATA, "%zu runs and %zu topics; expected two or more of each",
                       c->count, p->topics);
    j.size_count = iv_pilot_sizes(j.sizes, p->topics);
    iv_stream stream = iv_stream_start(j.seed, IV_FOR_STUDY, UINT64_MAX - 1);
    (void)iv_draw_subset(&stream, chosen, n, all);
    for (size_t k = 0; k < n; k++) {
        iv_pair_at(&j.pairs[k].a, &j.pairs[k].b, c->count, chosen[k]);
        j.pairs[k].number = k;
        for (size_t i = 0; i < IV_SPENT_KINDS * TRIALS; i++)
            j.pairs[k].spent[i / TRIALS][i % TRIALS] = NAN;
        j.pairs[k].row = iv_take(own, j.size_count * IV_PILOT_LEVELS, sizeof(iv_pilot_row));
    }
    IV_TRY(iv_taken(own, err));
    IV_TRY(study_pairs(&j, n, iv_work_part(&stage, work, 0.0, 0.8), err));
    IV_TRY(fit_model(out, own, &j, err));
    j.choice = &out->choice;
    if (out->choice.topics <= MOST_TOPICS)
        IV_TRY(study_pairs(&j, n, iv_work_part(&stage, work, 0.8, 1.0), err));
    add_up(out, &j);
    return add_spent(out, own, &j, err);
}

/* -------------------------------------------------------------------- rows -- */

const iv_field iv_study_judging_fields[] = {
    { "topics", IV_AT(iv_pilot_row, topics), .about = "judged" },
    { "confidence", IV_AT(iv_pilot_row, certainty), .digits = 2, .about = "reached" },
    { "judgments", IV_AT(iv_pilot_row, judgments), .digits = 1, .about = "it took, mean" },
    { "fitted", IV_AT(iv_pilot_row, fitted), .digits = 1, .about = "by the cost model" },
    { "samples", IV_AT(iv_pilot_row, samples), .about = "group of topics" },
    { "reached", IV_AT(iv_pilot_row, reached), .about = "samples that reached it" },
    { NULL } };

static void put_powers(iv_study *s, const iv_judging_found *f, const char *data,
                       const char *const designs[2])
{
    for (size_t i = 0; i < 2 * IV_BINS; i++) {
        const iv_judging_bin *x = &f->bin[IV_BINS_CERTAIN + i / IV_BINS][i % IV_BINS];
        const char *design = designs[i / IV_BINS];
        const double n = (double)x->points;
        if (x->points == 0 || !iv_study_wants_method(s, design))
            continue;
        iv_rate *r = iv_study_row(s, "power of the sign test", design, data, "effect %.2f",
                                  x->at / n);
        r->nominal = x->predicted / n;
        r->rate = (double)x->right / n;
        r->se = sqrt(r->rate * (1.0 - r->rate) / n);
        r->replicates = x->points;
    }
}

int iv_study_cost_plans(iv_study *s, const iv_collection *c, iv_err *err)
{
    static const char *const designs[] = { "plan cost --certainty 1", "plan cost" };
    iv_judging_found f;

    if (!iv_study_wants_method(s, designs[0]) && !iv_study_wants_method(s, designs[1]))
        return IV_OK;
    IV_TRY(iv_judging_experiment(&f, &s->own, c, iv_study_size(s, 66), 25, &s->stage.work, err));
    put_powers(s, &f, c->data, designs);
    iv_study_step_done(s);
    return IV_OK;
}

/* A pilot of some topics of two runs, and an experiment of others. */
enum { PILOT = 10, EXPERIMENT = 25, FORECASTS = 100 };

typedef struct piloting {
    const iv_pooled *p;
    size_t a, b;
    double confidence;
} piloting;

static void *pilot_paths(iv_arena *own, void *user)
{
    const iv_judging_options how = { .prior = { .relevance = 0.5 }, .order = IV_ORDER_POOL,
                                     .no_answer = IV_NO_ANSWER_NONRELEVANT };
    const piloting *x = user;
    iv_paths *paths = NULL;

    return iv_paths_new(&paths, x->p, x->a, x->b, &how, "", NULL, NULL) == IV_OK
        ? iv_own(own, paths, paths_end) : NULL;
}

/* Does the forecast's interval contain what the experiment takes? */
static int pilot_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    static const double certain = 1.0;
    const piloting *x = user;
    const iv_pilot_options how = { .forecasts = FORECASTS, .confidence = x->confidence };
    const uint64_t first = iv_draw_below(stream, 1 << 30);
    iv_forecast f = { .topics = EXPERIMENT, .certainty = certain };
    size_t topics[EXPERIMENT], made = SIZE_MAX;

    iv_pilot_draw(topics, PILOT, x->p->topics, stream);
    IV_TRY(iv_pilot_forecast(&f, memory, topics, PILOT, &how, first, NULL, err));
    iv_pilot_draw(topics, EXPERIMENT, x->p->topics, stream);
    IV_TRY(iv_paths_judge(&made, NULL, NULL, memory, topics, EXPERIMENT, &certain, 1, NULL, err));
    if (made != SIZE_MAX)
        iv_tally_interval(t, f.mean, f.lower, f.upper, (double)made);
    return IV_OK;
}

/* The first run with three others. */
int iv_study_pilot_plans(iv_study *s, const iv_collection *c, iv_err *err)
{
    static const iv_studied method = { .quantity = "judgments", .method = "plan pilot" };
    const iv_pooled_options pool = { .depth = 100, .level = 1, .judged_topics = true };
    piloting x = { .confidence = s->confidence };
    iv_pooled *p = NULL;

    if (!iv_study_wants_method(s, method.method))
        return IV_OK;
    IV_TRY(iv_pooled_new(&p, c->runs, c->count, c->judgments, &pool, NULL, err));
    (void)iv_own(&s->own, p, pooled_end);
    IV_TRY(iv_taken(&s->own, err));
    x.p = p;
    for (size_t k = 1; k <= 3 && k < c->count; k++) {
        const iv_experiment e = { c->data, &method, 1, 200, pilot_replicate, &x, pilot_paths };
        x.b = k;
        IV_TRY(iv_experiment_run(s, &e, err, "runs 1 and %zu, pilot of %d", k + 1, PILOT));
    }
    return IV_OK;
}

int iv_study_judging(iv_study *s, iv_err *err)
{
    static const char *const designs[] = { "certain topics", "cheapest plan" };
    iv_judging_found f;
    iv_collection c;

    IV_TRY(iv_study_collection(&c, s, 50, 12, err));
    IV_TRY(iv_judging_experiment(&f, &s->own, &c, iv_study_size(s, 66), 25, &s->stage.work, err));
    for (size_t b = 0; b < IV_BINS; b++) {
        const iv_judging_bin *x = &f.bin[IV_BINS_CONFIDENCE][b];
        const double n = (double)x->points;
        if (x->points == 0)
            continue;
        iv_rate *r = iv_study_row(s, "sign of a difference in MAP", "independent documents", c.data,
                                  "confidence %.2f to %.2f", 0.5 + 0.05 * (double)b,
                                  0.55 + 0.05 * (double)b);
        r->nominal = x->at / n;
        r->rate = (double)x->right / n;
        /* Stages of one pair depend on each other: pairs are counted. */
        r->se = sqrt(r->rate * (1.0 - r->rate) / fmin(n, (double)f.pairs));
        r->replicates = x->points;
    }
    put_powers(s, &f, c.data, designs);
    if (s->q->study == IV_STUDY_JUDGING)
        (void)iv_result_rows(s->out, &(iv_rows){ "judgments", iv_study_judging_fields, f.row,
                                                 f.rows, sizeof *f.row, .showing = IV_ASIDE });
    iv_study_step_done(s);
    return IV_OK;
}
