/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of intervals on means: Park's experiment, and values of many shapes.  In Park's a
 * sample is resampled once for all methods and levels; every (size, system, sample) has a
 * stream of its own, and sums are taken in their order.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All samples. */
typedef struct trial {
    const iv_map_options *o; /* without defaults left */
    uint64_t seed;
    const iv_score_grid *scores;
    size_t systems, topics, cells; /* cells of one size: methods x alphas */
    const double *truth;           /* each system's mean */
    iv_tally *tallies;             /* sizes x systems x cells */
    iv_steps steps;                /* samples: a system has too many to be asked after it */
} trial;

static void resample(iv_study_room *w, size_t n, size_t resamples, iv_stream *stream)
{
    for (size_t b = 0; b < resamples; b++) {
        double sum = 0.0;
        iv_draw_resample(stream, w->word, n);
        for (size_t i = 0; i < n; i++)
            sum += (double)w->word[i] * w->x[i];
        w->y[b] = sum / (double)n;
    }
}

/* All methods and levels, from what was drawn once. */
static int one_sample(iv_tally *out, const trial *s, iv_study_room *w, size_t n, double truth,
                      iv_err *err)
{
    const iv_map_options *o = s->o;
    const iv_work one = { .threads = 1, .seed = 1 };

    for (size_t m = 0; m < o->method_count; m++) {
        iv_mean_interval i;
        iv_interval_begin(&i, o->methods[m], w->x, n);
        for (size_t a = 0; a < o->alpha.count; a++) {
            if (i.gap == IV_GAP_NONE)
                IV_TRY(iv_interval_limits(&i, w->x, w->y, o->resamples, 1.0 - o->alpha.at[a],
                                          &one, err));
            const bool has = i.gap == IV_GAP_NONE;
            iv_tally_interval(&out[m * o->alpha.count + a], i.mean, has ? i.lower : NAN,
                              has ? i.upper : NAN, truth);
        }
    }
    return IV_OK;
}

/* The largest samples come first: they take longest. */
static int one_system(void *user, void *thread, size_t k, iv_err *err)
{
    trial *s = user;
    iv_study_room *w = thread;
    const iv_map_options *o = s->o;
    const size_t place = o->n.count * s->systems - 1 - k;
    const size_t size = place / s->systems, system = place % s->systems;
    const size_t n = (size_t)o->n.at[size];

    for (size_t i = 0; i < o->samples; i++) {
        iv_stream stream = iv_stream_start(s->seed, IV_FOR_STUDY, place * o->samples + i);
        (void)iv_draw_subset(&stream, w->index, n, s->topics);
        for (size_t t = 0; t < n; t++)
            w->x[t] = s->scores->values[system * s->topics + w->index[t]];
        resample(w, n, o->resamples, &stream);
        qsort(w->y, o->resamples, sizeof *w->y, iv_ascending);
        IV_TRY(one_sample(s->tallies + place * s->cells, s, w, n, s->truth[system], err));
        IV_TRY(iv_step(&s->steps, err));
    }
    return IV_OK;
}

static void *memory_new(iv_arena *own, void *user)
{
    const trial *s = user;
    const size_t topics = s->topics + 1;

    return iv_study_room_new(own, (size_t[]){ topics, s->o->resamples + 2, topics, topics, 0 });
}

static iv_map_cell cell_of(const trial *s, size_t method, size_t size, size_t level)
{
    const iv_map_options *o = s->o;
    iv_map_cell c = { .method = o->methods[method], .n = (size_t)o->n.at[size],
                            .alpha = o->alpha.at[level] };
    double width = 0.0, below = 0.0, above = 0.0, variance = 0.0;

    for (size_t system = 0; system < s->systems; system++) {
        const size_t place = size * s->systems + system;
        const iv_tally *t = &s->tallies[place * s->cells + method * o->alpha.count + level];
        const double all = (double)t->intervals;
        const double p = all > 0.0 ? (double)(t->below + t->above) / all : 0.0;
        width += t->width;
        below += (double)t->below;
        above += (double)t->above;
        variance += all * p * (1.0 - p);
        c.intervals += t->intervals;
        c.without += t->without;
        c.bias += t->error / (double)t->estimates / (double)s->systems;
    }
    const double all = (double)c.intervals; /* none: all of it is NaN, a gap */
    c.below = below / all;
    c.above = above / all;
    c.error = (below + above) / all;
    c.error_se = sqrt(variance) / all;
    c.width = width / all;
    return c;
}

static int check_options(const iv_map_options *o, const iv_score_grid *scores, iv_err *err)
{
    for (size_t i = 0; i < o->n.count; i++)
        if (o->n.at[i] < 2 || (size_t)o->n.at[i] > scores->topics)
            return iv_fail(err, IV_ENODATA, "samples of %lld topics; expected 2 to %zu",
                           (long long)o->n.at[i], scores->topics);
    for (size_t i = 0; i < scores->systems * scores->topics; i++)
        if (scores->values[i] < 0.0 || scores->values[i] > 1.0)
            return iv_fail(err, IV_ENODATA, "a score of %g; expected scores in [0, 1]",
                           scores->values[i]);
    return IV_OK;
}

int iv_map_cells(iv_map_cell **out, iv_arena *own, const iv_score_grid *scores,
                 const iv_map_options *o, const iv_work *work, iv_err *err)
{
    const size_t levels = o->alpha.count, each = o->n.count * levels;
    const size_t S = scores->systems, T = scores->topics, places = o->n.count * S;
    double *truth = iv_take(own, S, sizeof *truth);
    trial s = { .o = o, .seed = iv_work_seed(work), .scores = scores, .systems = S, .topics = T,
                .cells = o->method_count * levels, .truth = truth,
                .tallies = iv_take(own, places * o->method_count * levels, sizeof *s.tallies) };

    *out = iv_take(own, o->method_count * each, sizeof **out);
    IV_TRY(iv_taken(own, err));
    IV_TRY(check_options(o, scores, err));
    for (size_t i = 0; i < S * T; i++)
        truth[i / T] += scores->values[i] / (double)T;
    s.steps = (iv_steps){ .work = work, .total = (double)places * (double)o->samples };
    IV_TRY(iv_parallel(&(iv_loop){ places, one_system, &s, memory_new },
                       &(iv_work){ .threads = iv_work_threads(work) }, err));
    for (size_t k = 0; k < o->method_count * each; k++)
        (*out)[k] = cell_of(&s, k / each, k % each / levels, k % levels);
    return IV_OK;
}

/* -------------------------------------------------------------------- rows -- */

enum { METHODS = 12 };

/* The methods asked for, or Park's and the default of values in [0, 1]. */
static int choose_methods(iv_interval_method out[METHODS], size_t *count, const iv_study *s,
                          iv_err *err)
{
    static const iv_interval_method usual[] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA,
                                                IV_INTERVAL_LOGIT, IV_INTERVAL_T };
    const char *const *names = iv_interval_names();
    char quoted[IV_QUOTE_SIZE];

    *count = 0;
    for (size_t i = 0; i < 4 && s->q->methods.count == 0; i++)
        out[(*count)++] = usual[i];
    for (size_t i = 0; i < s->q->methods.count && *count < METHODS; i++) {
        size_t k = 0;
        while (names[k] != NULL && strcmp(names[k], s->q->methods.at[i]) != 0)
            k++;
        if (names[k] == NULL || iv_interval_about((iv_interval_method)k)->least == 0)
            return iv_fail(err, IV_EARG, "unknown method %s; expected logit, percentile, bca, t "
                           "or another of eval --ci",
                           iv_quote(quoted, iv_str_of(s->q->methods.at[i])));
        out[(*count)++] = (iv_interval_method)k;
    }
    return IV_OK;
}

/* Park's experiment at the study's confidence. */
static int study_samples(iv_study *s, iv_err *err)
{
    static const int64_t usual[] = { 5, 10, 20, 50 };
    int64_t sizes[4]; /* at most half of the topics: a sample of nearly all has no error */
    const double alpha = 1.0 - s->confidence;
    iv_interval_method methods[METHODS];
    const iv_score_grid *grid;
    const char *data;
    iv_map_cell *cells = NULL;
    iv_map_options o = { .methods = methods, .n = { sizes, 0 }, .alpha = { &alpha, 1 },
                         .samples = iv_study_size(s, 1000), .resamples = 1000 };

    IV_TRY(choose_methods(methods, &o.method_count, s, err));
    IV_TRY(iv_study_population(&grid, &data, s, err));
    for (size_t i = 0; i < 4; i++)
        if (2 * (size_t)usual[i] <= grid->topics)
            sizes[o.n.count++] = usual[i];
    if (o.n.count == 0)
        sizes[o.n.count++] = grid->topics > 4 ? (int64_t)grid->topics / 2 : 2;
    o.n = s->q->n.count > 0 ? s->q->n : o.n;
    IV_TRY(iv_map_cells(&cells, &s->own, grid, &o, &s->stage.work, err));
    for (size_t i = 0; i < o.method_count * o.n.count; i++) {
        const iv_map_cell *c = &cells[i];
        iv_rate *r = iv_study_row(s, "mean", iv_interval_names()[c->method], data, "%zu topics",
                                  c->n);
        r->rate = 1.0 - c->error;
        r->se = c->error_se;
        r->below = c->below;
        r->above = c->above;
        r->width = c->width;
        r->bias = c->bias;
        r->without = (double)c->without / (double)(c->without + c->intervals);
        r->replicates = c->without + c->intervals;
    }
    iv_study_step_done(s);
    return IV_OK;
}

/* ------------------------------------------------------------------ shapes -- */

/* Values of a shape with a known mean. */
typedef struct shape {
    const char *name;
    double truth;
    double (*draw)(iv_stream *s);
    bool binary;
    size_t n;          /* values of a sample */
    double confidence;
} shape;

static double binary_even(iv_stream *s) { return iv_draw_uniform(s) < 0.5; }
static double binary_rare(iv_stream *s) { return iv_draw_uniform(s) < 0.05; }
static double reciprocal(iv_stream *s)
{
    const double u = iv_draw_uniform(s);

    return u < 0.8 ? 1.0 : u < 0.9 ? 0.5 : u < 0.95 ? 1.0 / 3.0 : 0.0;
}
static double sparse(iv_stream *s)
{
    return iv_draw_uniform(s) < 0.8 ? 0.0 : iv_draw_uniform(s);
}
static double lognormal(iv_stream *s) { return exp(0.8 * iv_draw_normal(s)); }
static double exponential(iv_stream *s) { return iv_draw_exponential(s); }

static const shape shapes[] = {
    { "0/1, half", 0.5, binary_even, true },         { "0/1, 5 %", 0.05, binary_rare, true },
    { "reciprocal ranks", 0.8 + 0.05 + 0.05 / 3.0, reciprocal }, { "mostly 0", 0.1, sparse },
    { "lognormal", 1.3771277643359572, lognormal }, { "exponential", 1.0, exponential } };

static int shape_replicate(iv_tally *t, void *user, void *room, iv_stream *stream, iv_err *err)
{
    const shape *s = user;
    double *x = ((iv_study_room *)room)->x;
    const double *sample = x;
    const iv_resampling o = { s->confidence, 1000 };
    const iv_work own = { .threads = 1, .seed = iv_draw_bits(stream) };
    iv_mean_interval i;

    for (size_t k = 0; k < s->n; k++)
        x[k] = s->draw(stream);
    const iv_interval_method methods[]
        = { IV_INTERVAL_AUTO, s->binary ? IV_INTERVAL_EXACT : IV_INTERVAL_T };
    for (size_t m = 0; m < 2; m++) {
        IV_TRY(iv_mean_intervals(&i, &sample, &methods[m], 1, s->n, &o, &own, err));
        const bool has = i.gap == IV_GAP_NONE;
        iv_tally_interval(&t[m], i.mean, has ? i.lower : NAN, has ? i.upper : NAN, s->truth);
    }
    return IV_OK;
}

int iv_study_map(iv_study *s, iv_err *err)
{
    static const iv_studied methods[] = { { .quantity = "mean", .method = "default of eval" },
                                          { .quantity = "mean",
                                            .method = "exact (0/1), t (others)" } };
    static const size_t sizes[] = { 10, 25, 50, 200 };
    enum { SHAPES = sizeof shapes / sizeof *shapes, SIZES = 4 };
    const bool given = s->q->scores != NULL;

    iv_study_steps(s, given ? 1 : 1 + SHAPES * SIZES);
    IV_TRY(study_samples(s, err));
    for (size_t k = 0; k < SHAPES * SIZES && !given && s->q->n.count == 0; k++) {
        shape x = shapes[k / SIZES];
        x.n = sizes[k % SIZES];
        x.confidence = s->confidence;
        const iv_experiment e = { x.name, methods, 3, 1000, shape_replicate, &x,
                                  .room = { x.n } };
        IV_TRY(iv_experiment_run(s, &e, err, "%zu items", x.n));
    }
    return IV_OK;
}
