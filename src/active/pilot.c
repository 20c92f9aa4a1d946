/* SPDX-License-Identifier: Apache-2.0 */
/* A pilot study: training data for the cost model, and forecasts by simulation. */
#include "active/pilot.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/solve.h"
#include "stat/interval_methods.h"
#include "stat/sign_power.h"

#include <math.h>
#include <stdlib.h>

static double pearson_dispersion(const double *x, const double *y, size_t rows,
                                 const double g[3])
{
    double sum = 0.0;

    for (size_t i = 0; i < rows; i++) {
        const double mean = exp(g[0] + g[1] * x[3 * i + 1] + g[2] * x[3 * i + 2]);
        sum += (y[i] - mean) * (y[i] - mean) / mean;
    }
    return sum / (double)(rows - 3);
}

int iv_cost_fit(iv_cost_model *out, const double *certainty, const double *topics,
                const double *judgments, size_t rows, iv_err *err)
{
    double *x = malloc((3 * rows + 1) * sizeof *x);
    iv_glm fit;
    int rc = x == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK && rows < 4)
        rc = iv_fail(err, IV_ENODATA, "%zu rows, expected at least four for three "
                     "coefficients", rows);
    for (size_t i = 0; i < rows && rc == IV_OK; i++) {
        x[3 * i] = 1.0;
        x[3 * i + 1] = log(certainty[i]);
        x[3 * i + 2] = log(topics[i]);
    }
    if (rc == IV_OK) {
        rc = iv_poisson_glm(&fit, x, judgments, rows, 3, err);
        if (rc == IV_ENODATA)
            (void)iv_fail(err, rc, "judgments of the pilot do not depend on both certainty and "
                                   "number of topics; expected a pilot with more topics");
    }
    if (rc == IV_OK) {
        iv_cost_model m = { .deviance = fit.deviance, .null_deviance = fit.null_deviance,
                            .rows = rows };
        for (size_t i = 0; i < 3; i++) {
            m.g[i] = fit.coefficient[i];
            for (size_t k = 0; k < 3; k++)
                m.covariance[i][k] = fit.covariance[i][k];
        }
        m.r2 = m.null_deviance > 0.0 ? 1.0 - m.deviance / m.null_deviance : 0.0;
        m.dispersion = pearson_dispersion(x, judgments, rows, m.g);
        *out = m;
    }
    free(x);
    return rc;
}

double iv_cost_judgments(const iv_cost_model *m, double certainty, double topics)
{
    return exp(m->g[0] + m->g[1] * log(certainty) + m->g[2] * log(topics));
}

double iv_cost_log_se(const iv_cost_model *m, double certainty, double topics)
{
    const double x[3] = { 1.0, log(certainty), log(topics) };
    double variance = 0.0;

    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++)
            variance += x[i] * m->covariance[i][k] * x[k];
    }
    return sqrt(fmax(variance, 0.0) * fmax(m->dispersion, 1.0));
}

/* The prices with numbers in place of defaults; given may be NULL. */
static iv_prices prices_known(const iv_prices *given)
{
    iv_prices p = given == NULL ? (iv_prices){ 0 } : *given;

    p.judgment = p.judgment == 0.0 ? 1.0 : p.judgment == IV_ZERO ? 0.0 : p.judgment;
    return p;
}

iv_cost_choice iv_cost_at(const iv_cost_model *m, double n, double certainty,
                          const iv_prices *given)
{
    const iv_prices prices = prices_known(given);
    const double topics = iv_uncertain_topics(n, certainty);
    const double judgments = iv_cost_judgments(m, certainty, topics);
    const double paid = fmax(0.0, topics - prices.free_topics);
    const double for_topics = prices.topic > 0.0 ? prices.topic * paid : 0.0;

    return (iv_cost_choice){ certainty, topics, judgments,
                             for_topics + prices.judgment * judgments };
}

static void consider(iv_cost_choice *best, const iv_cost_model *m, double n,
                     const iv_prices *prices, double certainty)
{
    const iv_cost_choice c = iv_cost_at(m, n, certainty, prices);

    if (c.cost < best->cost)
        *best = c;
}

/*
 * The cost may have two valleys, one on each side of the number of free topics:
 * a fine walk, the kink itself, and finer walks around the best step.
 */
static void search_all(iv_cost_choice *best, const iv_cost_model *m, double n,
                       const iv_prices *prices, double free_topics, double least)
{
    enum { STEPS = 1000, FINER = 20, ROUNDS = 4 };
    double step = (1.0 - least) / STEPS;

    for (int k = 0; k < STEPS; k++)
        consider(best, m, n, prices, least + k * step);
    if (free_topics > n)
        consider(best, m, n, prices, fmax(least, 0.5 + 0.5 * sqrt(n / free_topics)));
    for (int round = 0; round < ROUNDS; round++) {
        const double middle = best->certainty;
        step /= FINER;
        for (int k = -FINER; k <= FINER; k++)
            consider(best, m, n, prices, fmin(1.0, fmax(least, middle + k * step)));
    }
}

int iv_cost_least(iv_cost_choice *out, const iv_cost_model *m, double n,
                  const iv_prices *prices, double least, iv_err *err)
{
    const iv_prices known = prices_known(prices);

    if (!(n >= 1.0 && isfinite(n)))
        return iv_fail(err, IV_EARG, "%g topics, expected at least 1", n);
    if (!(known.topic >= 0.0 && known.judgment >= 0.0 && known.topic + known.judgment > 0.0
          && known.free_topics >= 0.0))
        return iv_fail(err, IV_EARG, "prices must be at least 0, and a topic or a judgment must "
                       "cost something");
    iv_cost_choice best = iv_cost_at(m, n, 1.0, prices);
    if (known.topic == 0.0) { /* the derivative has one root */
        const double root = m->g[1] / (2.0 * m->g[1] - 4.0 * m->g[2]);
        consider(&best, m, n, prices, least);
        if (root > least && root < 1.0)
            consider(&best, m, n, prices, root);
    } else {
        search_all(&best, m, n, prices, known.free_topics, least);
    }
    *out = best;
    return IV_OK;
}

/* ------------------------------------------------------- errors that cost -- */

/*
 * The total at n topics.  Where alpha is best, a false positive more costs what a false negative
 * less saves: phi(z + a) / phi(z) = C_alpha / C_beta, z = Phi^-1(alpha), a = effect sqrt(n).
 */
static int plan_at(iv_error_plan *out, const iv_cost_model *m, double false_positive,
                   double false_negative, double effect, const iv_prices *prices, double n,
                   iv_err *err)
{
    const double a = effect * sqrt(n);
    const double z = fmin(-(log(false_positive / false_negative) + 0.5 * a * a) / a, 0.0);

    *out = (iv_error_plan){ .topics = n, .alpha = iv_norm_cdf(z), .beta = iv_norm_sf(z + a) };
    IV_TRY(iv_cost_least(&out->choice, m, n, prices, IV_COST_LEAST_CERTAINTY, err));
    out->cost = out->choice.cost + false_positive * out->alpha + false_negative * out->beta;
    return IV_OK;
}

int iv_cost_with_errors(iv_error_plan *out, const iv_cost_model *m, double false_positive,
                        double false_negative, double effect, const iv_prices *prices, iv_err *err)
{
    enum { STEPS = 400 };
    iv_error_plan best = { .cost = (double)INFINITY }, x;
    double step = log(1e5) / STEPS, middle = 0.0;

    if (!(false_positive > 0.0 && false_negative > 0.0 && isfinite(false_positive)
          && isfinite(false_negative)))
        return iv_fail(err, IV_EARG, "errors that cost %g and %g, expected more than 0",
                       false_positive, false_negative);
    if (!(effect > 0.0 && effect < 1.0))
        return iv_fail(err, IV_EARG, "effect %g, expected between 0 and 1", effect);
    for (int pass = 0; pass < 3; pass++) { /* finer around the best */
        const double from = pass == 0 ? 0.0 : fmax(0.0, middle - step);
        const double by = pass == 0 ? step : 2.0 * step / STEPS;
        for (int k = 0; k <= STEPS; k++) {
            IV_TRY(plan_at(&x, m, false_positive, false_negative, effect, prices,
                           exp(from + k * by), err));
            best = x.cost < best.cost ? x : best;
        }
        middle = log(best.topics);
        step = by;
    }
    *out = best;
    return IV_OK;
}

/* -------------------------------------------------------------- training -- */

const double iv_pilot_levels[IV_PILOT_LEVELS] = { 0.55, 0.6, 0.65, 0.7, 0.75,
                                                  0.8, 0.85, 0.9, 0.95, 1.0 };

size_t iv_pilot_sizes(size_t out[IV_PILOT_SIZES], size_t most)
{
    static const size_t sizes[IV_PILOT_SIZES] = { 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100,
                                                  150, 200, 300, 500, 700, 1000, 1500, 2000 };
    size_t n = 0;

    for (size_t k = 0; k < IV_PILOT_SIZES && sizes[k] <= most; k++)
        out[n++] = sizes[k];
    return n;
}

void iv_pilot_draw(size_t *out, size_t n, size_t count, iv_stream *s)
{
    if (n > count || !iv_draw_sequence(s, out, n, count)) {
        for (size_t k = 0; k < n; k++)
            out[k] = (size_t)iv_draw_below(s, count);
    }
}

int iv_pilot_train(iv_pilot_row *rows, iv_paths *paths, size_t count, const size_t *sizes,
                   size_t size_count, size_t replicates, uint64_t first, const iv_work *work,
                   iv_err *err)
{
    const size_t largest = size_count > 0 ? sizes[size_count - 1] : 0;
    size_t *topics = malloc((largest + 1) * sizeof *topics);
    int rc = topics == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t k = 0; k < size_count && rc == IV_OK; k++) {
        iv_pilot_row *of_size = rows + k * IV_PILOT_LEVELS;
        for (size_t l = 0; l < IV_PILOT_LEVELS; l++)
            of_size[l] = (iv_pilot_row){ .certainty = iv_pilot_levels[l], .topics = sizes[k],
                                         .samples = replicates };
        for (size_t r = 0; r < replicates && rc == IV_OK; r++) {
            const uint64_t sample = k * replicates + r;
            const double done = (double)sample / (double)(size_count * replicates);
            iv_stream s = iv_stream_start(iv_work_seed(work), IV_FOR_PILOT, first + sample);
            size_t judgments[IV_PILOT_LEVELS];
            iv_stage stage;
            rc = iv_check_work(work, done, err);
            if (rc != IV_OK)
                break;
            iv_pilot_draw(topics, sizes[k], count, &s);
            rc = iv_paths_judge(judgments, NULL, NULL, paths, topics, sizes[k],
                                iv_pilot_levels, IV_PILOT_LEVELS,
                                iv_work_part(&stage, work, done, done), err);
            for (size_t l = 0; rc == IV_OK && l < IV_PILOT_LEVELS; l++) {
                if (judgments[l] == SIZE_MAX)
                    continue;
                of_size[l].reached++;
                of_size[l].judgments += (double)judgments[l];
            }
        }
        for (size_t l = 0; l < IV_PILOT_LEVELS; l++)
            of_size[l].judgments /= fmax(1.0, (double)of_size[l].reached);
    }
    free(topics);
    return rc;
}

int iv_pilot_fit(iv_cost_model *out, size_t *left_out, iv_pilot_row *rows, size_t count,
                 iv_err *err)
{
    double *x = calloc(3 * count + 1, sizeof *x);
    size_t used = 0;

    if (x == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        if (2 * rows[i].reached < rows[i].samples)
            continue;
        x[used] = rows[i].certainty;
        x[count + used] = (double)rows[i].topics;
        x[2 * count + used] = rows[i].judgments;
        used++;
    }
    const int rc = iv_cost_fit(out, x, x + count, x + 2 * count, used, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        rows[i].fitted = iv_cost_judgments(out, rows[i].certainty, (double)rows[i].topics);
    if (rc == IV_OK && left_out != NULL)
        *left_out = count - used;
    free(x);
    return rc;
}

/* ------------------------------------------------------------- forecasts -- */

enum { MANY = 5 };

/*
 * One experiment on a sample of a sample of the pilot: the inner one stands for
 * the topics that a pilot might as well have had.
 */
static int forecast_one(size_t *judgments, iv_paths *paths, const size_t *from, size_t count,
                        const iv_forecast *f, size_t *room, iv_stream *s,
                        const iv_work *work, iv_err *err)
{
    size_t *population = room, *topics = room + count;

    for (size_t k = 0; k < count; k++) {
        const size_t drawn = (size_t)iv_draw_below(s, count);
        population[k] = from != NULL ? from[drawn] : drawn;
    }
    for (size_t k = 0; k < f->topics; k++)
        topics[k] = population[iv_draw_below(s, count)];
    return iv_paths_judge(judgments, NULL, NULL, paths, topics, f->topics, &f->certainty, 1,
                          work, err);
}

/*
 * Quantiles of the experiments, away from their median by as much as few topics
 * ask for: samples of k topics vary by (k - 1)/k of what they should, and the
 * variance is itself estimated from k.  By factors, for costs are skew.
 */
static void stretch(iv_forecast *f, double *values, size_t topics, double confidence)
{
    const double side = 0.5 * (1.0 - confidence), k = (double)topics;
    const double by = iv_t_isf(side, k - 1.0) / iv_norm_isf(side) * sqrt(k / (k - 1.0));
    const double middle = 1.0 + iv_quantile(values, f->reached, 0.5);

    f->lower = middle * pow((1.0 + iv_quantile(values, f->reached, side)) / middle, by) - 1.0;
    f->upper = middle
        * pow((1.0 + iv_quantile(values, f->reached, 1.0 - side)) / middle, by) - 1.0;
}

int iv_pilot_forecast(iv_forecast *f, iv_paths *paths, const size_t *from, size_t count,
                      const iv_pilot_options *o, uint64_t first, const iv_work *work, iv_err *err)
{
    const size_t experiments = f->topics <= IV_FORECAST_TOPICS ? o->forecasts : 0;
    iv_arena own = { 0 };
    double *values = iv_take(&own, o->forecasts, sizeof *values), sum = 0.0;
    size_t *room = iv_take(&own, count + f->topics, sizeof *room);
    int rc = iv_taken(&own, err);

    for (size_t r = 0; r < experiments && rc == IV_OK; r++) {
        const double done = (double)r / (double)experiments;
        iv_stream s = iv_stream_start(iv_work_seed(work), IV_FOR_PILOT, first + r);
        size_t made = SIZE_MAX;
        iv_stage stage;
        rc = iv_check_work(work, done, err);
        if (rc == IV_OK)
            rc = forecast_one(&made, paths, from, count, f, room, &s,
                              iv_work_part(&stage, work, done, done), err);
        if (rc == IV_OK && made != SIZE_MAX) {
            values[f->reached++] = (double)made;
            sum += (double)made;
        }
    }
    f->experiments = experiments;
    f->mean = f->lower = f->upper = f->cost = (double)NAN;
    if (rc == IV_OK && f->reached > 0) {
        const iv_prices prices = prices_known(&o->prices);
        const double paid = fmax(0.0, (double)f->topics - prices.free_topics);
        f->mean = sum / (double)f->reached;
        /* A plan of many times as many topics as the pilot has is beyond what it can tell:
         * intervals held .67 to .83 there, not .95. */
        if (f->topics <= MANY * count)
            stretch(f, values, count, o->confidence);
        f->cost = prices.topic * paid + prices.judgment * f->mean;
    }
    iv_arena_free(&own);
    return rc;
}

/* ------------------------------------------------------------- the pilot -- */

/* Streams of (seed, IV_FOR_PILOT): samples to train on come first. */
enum { FIRST_CERTAIN = 1 << 21 };

static iv_pilot_options completed(const iv_pilot_options *given)
{
    iv_pilot_options o = given == NULL ? (iv_pilot_options){ 0 } : *given;

    o.topics = o.topics == 0.0 ? 25.0 : o.topics;
    o.replicates = o.replicates == 0 ? 20 : o.replicates;
    o.forecasts = o.forecasts == 0 ? 500 : o.forecasts;
    o.confidence = o.confidence == 0.0 ? 0.95 : o.confidence;
    return o;
}

static int check(const iv_pilot_options *o, size_t topics, const char *name, iv_err *err)
{
    if (topics < 2)
        return iv_fail_at(err, IV_ENODATA, name, 0, "the pilot has one topic, expected at "
                          "least two: one says nothing about how topics differ");
    if (o->replicates < 1 || o->replicates > 10000 || o->forecasts < 10
        || o->forecasts > 1000000)
        return iv_fail(err, IV_EARG, "%zu samples and %zu forecasts, expected 1 to 10000 and "
                       "10 to 1000000", o->replicates, o->forecasts);
    if (!(o->confidence > 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", o->confidence);
    if (!(o->topics >= 1.0 && o->topics <= 1e6))
        return iv_fail(err, IV_EARG, "%g topics, expected from 1 to a million", o->topics);
    const iv_prices prices = prices_known(&o->prices);
    if (!(prices.topic + prices.judgment > 0.0))
        return iv_fail(err, IV_EARG, "a topic or a judgment must cost something");
    return IV_OK;
}

static int start_up(size_t *out, iv_paths *paths, size_t topics, const iv_work *work,
                    iv_err *err)
{
    const double certain = 1.0;
    iv_arena own = { 0 };
    size_t *all = iv_take(&own, topics, sizeof *all);
    int rc = iv_taken(&own, err);

    for (size_t t = 0; t < topics && rc == IV_OK; t++)
        all[t] = t;
    if (rc == IV_OK)
        rc = iv_paths_judge(out, NULL, NULL, paths, all, topics, &certain, 1, work, err);
    iv_arena_free(&own);
    return rc;
}

static int train(iv_pilot *x, iv_paths *paths, const iv_pilot_options *o, const iv_work *work,
                 iv_err *err)
{
    size_t sizes[IV_PILOT_SIZES];
    const size_t count = iv_pilot_sizes(sizes, 20 * x->topics);

    x->rows = count * IV_PILOT_LEVELS;
    x->row = calloc(x->rows, sizeof *x->row);
    if (x->row == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const int rc = iv_pilot_train(x->row, paths, x->topics, sizes, count, o->replicates, 0, work,
                                  err);
    return rc != IV_OK ? rc : iv_pilot_fit(&x->model, &x->left_out, x->row, x->rows, err);
}

/* The size of the two runs' pools, mean over topics, times n; and its price. */
static void pool_size(iv_pilot *x, const iv_pooled *p, size_t a, size_t b,
                      const iv_pilot_options *o)
{
    const iv_prices prices = prices_known(&o->prices);
    const uint32_t most = 100;
    uint32_t deepest = 0;
    size_t documents = 0;

    for (size_t t = 0; t < x->topics; t++) {
        const uint32_t *ra = iv_pooled_ranks(p, t, a), *rb = iv_pooled_ranks(p, t, b);
        for (size_t i = 0; i < p->topic[t].documents; i++) {
            documents += (ra[i] != 0 && ra[i] <= most) || (rb[i] != 0 && rb[i] <= most);
            deepest = ra[i] > deepest ? ra[i] : deepest;
            deepest = rb[i] > deepest ? rb[i] : deepest;
        }
    }
    x->pool_depth = deepest < most ? deepest : most;
    x->pool_judgments = o->topics * (double)documents / (double)x->topics;
    x->pool_cost = prices.topic * fmax(0.0, ceil(o->topics) - prices.free_topics)
        + prices.judgment * x->pool_judgments;
}

static int study(iv_pilot *x, iv_paths **paths, const iv_pooled *p, size_t a, size_t b,
                 const iv_pilot_options *o, const char *name, const iv_work *work, iv_err *err)
{
    const iv_judging_options how = { .prior = o->prior, .form = o->form, .order = o->order,
                                     .no_answer = o->no_answer };
    iv_stage stage;

    IV_TRY(check(o, x->topics, name, err));
    IV_TRY(iv_paths_new(paths, p, a, b, &how, name, iv_work_part(&stage, work, 0.0, 0.1), err));
    IV_TRY(start_up(&x->start_up, *paths, x->topics, iv_work_part(&stage, work, 0.1, 0.1), err));
    IV_TRY(train(x, *paths, o, iv_work_part(&stage, work, 0.1, 0.5), err));
    x->certain = (iv_forecast){ .topics = (size_t)ceil(o->topics), .certainty = 1.0,
                                .model = iv_cost_judgments(&x->model, 1.0, o->topics) };
    IV_TRY(iv_pilot_forecast(&x->certain, *paths, NULL, x->topics, o, FIRST_CERTAIN,
                             iv_work_part(&stage, work, 0.5, 1.0), err));
    pool_size(x, p, a, b, o);
    return IV_OK;
}

int iv_pilot_study(iv_pilot *out, const iv_pooled *p, size_t a, size_t b,
                   const iv_pilot_options *options, const char *name, const iv_work *work,
                   iv_err *err)
{
    const iv_pilot_options o = completed(options);
    iv_pilot x = { .topics = p->topics };
    iv_paths *paths = NULL;
    const int rc = study(&x, &paths, p, a, b, &o, name, work, err);

    iv_paths_free(paths);
    if (rc == IV_OK)
        *out = x;
    else
        iv_pilot_clear(&x);
    return rc;
}

void iv_pilot_clear(iv_pilot *x)
{
    free(x->row);
    x->row = NULL;
    x->rows = 0;
}
