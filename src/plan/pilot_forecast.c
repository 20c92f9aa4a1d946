/* SPDX-License-Identifier: Apache-2.0 */
/* What an experiment is going to take, from simulated ones. */
#include <math.h>

#include "base/parallel.h"
#include "intervale/stat/interval.h"
#include "plan/pilot_training.h"

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
                      const iv_forecasting *how, const iv_work *work, iv_err *err)
{
    const size_t experiments = f->topics <= IV_FORECAST_TOPICS ? how->experiments : 0;
    iv_arena own = { 0 };
    double *values = iv_take(&own, how->experiments, sizeof *values), sum = 0.0;
    size_t *room = iv_take(&own, count + f->topics, sizeof *room);
    int rc = iv_taken(&own, err);

    for (size_t r = 0; r < experiments && rc == IV_OK; r++) {
        const double done = (double)r / (double)experiments;
        iv_stream s = iv_stream_start(iv_work_seed(work), IV_FOR_PILOT, how->first + r);
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
        const iv_prices prices = iv_prices_known(&how->prices);
        const double paid = fmax(0.0, (double)f->topics - prices.free_topics);
        f->mean = sum / (double)f->reached;
        /* A plan of many times as many topics as the pilot has is beyond what it can tell:
         * intervals held .67 to .83 there, not .95. */
        if (f->topics <= MANY * count)
            stretch(f, values, count, how->confidence);
        f->cost = prices.topic * paid + prices.judgment * f->mean;
    }
    iv_arena_free(&own);
    return rc;
}
