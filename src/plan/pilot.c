/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "plan/pilot_training.h"

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
    if (o->prior.relevance != 0.0 && !(o->prior.relevance > 0.0 && o->prior.relevance < 1.0))
        return iv_fail(err, IV_EARG, "relevance %g, expected a probability between 0 and 1",
                       o->prior.relevance);
    if (!(o->topics >= 1.0 && o->topics <= 1e6))
        return iv_fail(err, IV_EARG, "%g topics, expected from 1 to a million", o->topics);
    const iv_prices prices = iv_prices_known(&o->prices);
    if (!(prices.topic + prices.judgment > 0.0))
        return iv_fail(err, IV_EARG, "a topic or a judgment must cost something");
    if (o->form == IV_MOMENTS_EXACT)
        return iv_fail(err, IV_EARG, "judging is simulated with delta or plain moments, not "
                       "exact ones");
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
    const int rc = iv_pilot_train(x->row, paths, NULL, x->topics, sizes, count,
                                  o->replicates, 0, work, err);
    return rc != IV_OK ? rc : iv_pilot_fit(&x->model, &x->left_out, x->row, x->rows, err);
}

/* The size of the two runs' pools, mean over topics, times n; and its price. */
static void pool_size(iv_pilot *x, const iv_pooled *p, size_t a, size_t b,
                      const iv_pilot_options *o)
{
    const iv_prices prices = iv_prices_known(&o->prices);
    const uint32_t most = 100;
    uint32_t deepest = 0;
    size_t documents = 0;

    for (size_t t = 0; t < x->topics; t++) {
        const uint32_t *ra = iv_pooled_ranks(p, t, a), *rb = iv_pooled_ranks(p, t, b);
        for (size_t i = 0; i < iv_pooled_documents(p, t); i++) {
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

static int choose(iv_pilot *x, iv_paths *paths, const iv_pilot_options *o, const iv_work *work,
                  iv_err *err)
{
    const iv_forecasting how = { o->forecasts, o->confidence, o->prices, FIRST_CERTAIN };

    x->certain = (iv_forecast){ .topics = (size_t)ceil(o->topics), .certainty = 1.0 };
    x->certain.model = iv_cost_judgments(&x->model, 1.0, o->topics);
    return iv_pilot_forecast(&x->certain, paths, NULL, x->topics, &how, work, err);
}

static int study(iv_pilot *x, iv_paths **paths, const iv_pooled *p, size_t a, size_t b,
                 const iv_pilot_options *o, const char *name, const iv_work *work, iv_err *err)
{
    const iv_paths_options how = { .prior = o->prior, .form = o->form, .order = o->order,
                                   .no_answer = o->no_answer };
    iv_stage stage;

    IV_TRY(check(o, x->topics, name, err));
    IV_TRY(iv_paths_new(paths, p, a, b, &how, name, iv_work_part(&stage, work, 0.0, 0.1), err));
    IV_TRY(start_up(&x->start_up, *paths, x->topics, iv_work_part(&stage, work, 0.1, 0.1), err));
    IV_TRY(train(x, *paths, o, iv_work_part(&stage, work, 0.1, 0.5), err));
    IV_TRY(choose(x, *paths, o, iv_work_part(&stage, work, 0.5, 1.0), err));
    pool_size(x, p, a, b, o);
    return IV_OK;
}

int iv_pilot_study(iv_pilot *out, const iv_pooled *p, size_t a, size_t b,
                   const iv_pilot_options *options, const char *name, const iv_work *work,
                   iv_err *err)
{
    if (a >= iv_pooled_runs(p) || b >= iv_pooled_runs(p))
        return iv_fail(err, IV_EARG, "runs %zu and %zu of %zu", a, b, iv_pooled_runs(p));
    IV_TRY(IV_CHECK(options, err,
                    IV_CHOICE_OF(iv_pilot_options, form, iv_moments_form_names,
                                 "the form of moments"),
                    IV_CHOICE_OF(iv_pilot_options, order, iv_judging_order_names, "the order"),
                    IV_CHOICE_OF(iv_pilot_options, no_answer, iv_no_answer_names,
                                 "what to do without an answer")));
    const iv_pilot_options o = completed(options);
    iv_pilot x = { .topics = iv_pooled_topics(p) };
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
