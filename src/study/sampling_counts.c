/* SPDX-License-Identifier: Apache-2.0 */
/* Which intervals of a study of measures from samples hold the truth. */
#include <math.h>

#include "study/sampling_bench.h"

void iv_measure_count_topic(iv_measure_tally *t, const iv_estimate *e, double truth)
{
    t->topics++;
    t->topic_squares += (e->value - truth) * (e->value - truth);
    if (!isfinite(e->lower)) {
        t->refused++;
        return;
    }
    t->low += truth < e->lower - 1e-12;
    t->high += truth > e->upper + 1e-12;
}

/* Does the interval of a run's mean hold the truth?  Values without any spread are exact
 * up to rounding. */
static bool holds(const iv_measure_bench *b, size_t run, double mean, double half, double truth)
{
    const double dust = 1e-9 * fmax(1.0, fabs(truth));

    return truth >= mean - half - b->too_high[run] - dust
        && truth <= mean + half + b->too_low[run] + dust;
}

/* Is there an interval of means at all, by the rule of eval? */
static bool shown(const iv_measure_bench *b, size_t way)
{
    return way != 0 || !iv_rectified_few(&b->drawn.labels, 0);
}

/* As eval has it: a number of documents is a sum, on the scale of the logarithm. */
static bool count_holds(const iv_measure_bench *b, size_t run, size_t way, double truth)
{
    const iv_sampling_study *s = b->j->s;
    iv_estimate total = { .value = 0.0 };

    for (size_t k = 0; k < s->topics; k++) {
        total.value += b->value[run * s->topics + k];
        total.variance += b->noise[run * s->topics + k];
    }
    total.relevant = b->relevant[run];
    total.effective = b->effective[run];
    if (way == 0) {
        total.relevant = total.relevant < s->topics ? total.relevant : s->topics;
        total.effective = fmin(total.effective, (double)s->topics);
    }
    iv_estimate_interval(&total, true, 0.0, s->options.confidence);
    const double sum = truth * (double)s->topics;
    return sum >= total.lower - 1e-9 && sum <= total.upper + 1e-9;
}

/* Student's t over topics: half the width of the interval of the mean of x - y, y NULL for
 * the mean of x. */
static double half_width(double *mean, const iv_sampling_study *s, const double *x, const double *y)
{
    const double n = (double)s->topics;
    double squares = 0.0;

    *mean = 0.0;
    for (size_t k = 0; k < s->topics; k++)
        *mean += (x[k] - (y != NULL ? y[k] : 0.0)) / n;
    for (size_t k = 0; k < s->topics; k++) {
        const double d = x[k] - (y != NULL ? y[k] : 0.0) - *mean;
        squares += d * d;
    }
    return iv_t_isf(0.5 * (1.0 - s->options.confidence), n - 1.0) * sqrt(squares / (n - 1.0) / n);
}

/* Half the width of the interval of a mean over these topics. */
static double half_of_these(const iv_measure_bench *b, size_t run, size_t way)
{
    const iv_sampling_study *s = b->j->s;
    double noise = 0.0;

    for (size_t k = 0; k < s->topics; k++)
        noise += b->noise[run * s->topics + k];
    return iv_reach_of_these(way == 0, s->topics, s->options.confidence) * sqrt(noise)
        / (double)s->topics;
}

/* Does the interval of a difference of neighbouring runs hold it?  With room for a bias. */
static bool pair_holds(const iv_measure_bench *b, size_t measure, size_t run, const double *mean,
                       double half, double truth)
{
    const bool recall = measure == 3;
    const iv_doubt x = iv_doubt_of(mean[0], b->too_low[run], b->too_high[run], recall);
    const iv_doubt y = iv_doubt_of(mean[1], b->too_low[run + 1], b->too_high[run + 1], recall);
    double lower = mean[0] - mean[1] - half, upper = mean[0] - mean[1] + half;

    iv_doubt_difference(&lower, &upper, &x, &y);
    return truth >= lower - 1e-9 && truth <= upper + 1e-9;
}

/* Neighbouring runs: the variance of u(a) - u(b), topic by topic. */
static void count_pairs(iv_measure_tally *t, const iv_measure_bench *b, size_t measure, size_t way,
                        const double *mean, const double *truth)
{
    const iv_sampling_study *s = b->j->s;
    const double reach = iv_reach_of_these(way == 0, s->topics, s->options.confidence);

    for (size_t a = 0; a < s->runs; a++)
        for (size_t other = a + 1; other < s->runs; other++) {
            const double e = mean[a] - truth[a] - (mean[other] - truth[other]);
            t->pair_squares += e * e;
        }
    for (size_t r = 0; r + 1 < s->runs; r++) {
        t->pairs++;
        t->pairs_covered += pair_holds(b, measure, r, mean + r, reach * sqrt(b->pair_noise[r]),
                                       truth[r] - truth[r + 1]);
    }
}

void iv_measure_count_means(iv_measure_tally *t, double *out, const iv_measure_bench *b,
                            size_t measure, size_t way)
{
    const iv_sampling_study *s = b->j->s;
    const double n = (double)s->topics, *truth = b->j->mean + measure * s->runs;

    for (size_t r = 0; r < s->runs; r++) {
        double mean = 0.0, noise = 0.0;
        for (size_t k = 0; k < s->topics; k++)
            noise += b->noise[r * s->topics + k] / (n * n);
        const double wide = half_width(&mean, s, b->value + r * s->topics, NULL);
        const double half = half_of_these(b, r, way);
        out[r] = mean;
        t->means++;
        t->squares += (mean - truth[r]) * (mean - truth[r]);
        t->variance += noise;
        if (measure + 1 == IV_STUDIED_MEASURES || shown(b, way)) {
            t->means_shown++;
            t->these += measure + 1 == IV_STUDIED_MEASURES
                ? count_holds(b, r, way, truth[r])
                : holds(b, r, mean, s->topics < IV_FEW_TOPICS ? half : fmin(half, wide), truth[r]);
        }
    }
    count_pairs(t, b, measure, way, out, truth);
}

void iv_measure_count_again(iv_measure_tally *t, const iv_measure_bench *b, size_t measure,
                            size_t way)
{
    const iv_sampling_study *s = b->j->s;
    const double *truth = b->j->mean + measure * s->runs;
    double mean[2], difference;

    for (size_t r = 0; r < s->runs; r++) {
        const double *x = b->value + r * s->topics;
        const double wide_alone = half_width(&mean[0], s, x, NULL);
        const double half = s->topics < IV_FEW_TOPICS ? fmax(wide_alone, half_of_these(b, r, way))
                                                      : wide_alone;
        t->again_shown += shown(b, way);
        t->again += shown(b, way) && holds(b, r, mean[0], half, truth[r]);
        if (r + 1 == s->runs)
            break;
        (void)half_width(&mean[1], s, x + s->topics, NULL);
        const double wide = half_width(&difference, s, x, x + s->topics);
        t->pairs_again += pair_holds(b, measure, r, mean, wide, truth[r] - truth[r + 1]);
    }
}

/* -------------------------------------------------------------- results -- */

static double share(size_t part, size_t of)
{
    return of > 0 ? (double)part / (double)of : (double)NAN;
}

static void add_up(iv_measure_tally *t, const iv_measure_tally *x)
{
    t->topics += x->topics;
    t->refused += x->refused;
    t->low += x->low;
    t->high += x->high;
    t->these += x->these;
    t->again += x->again;
    t->pairs += x->pairs;
    t->pairs_covered += x->pairs_covered;
    t->pairs_again += x->pairs_again;
    t->means += x->means;
    t->means_shown += x->means_shown;
    t->again_shown += x->again_shown;
    t->squares += x->squares;
    t->variance += x->variance;
    t->topic_squares += x->topic_squares;
    t->pair_squares += x->pair_squares;
}

/* The bias of the mean over runs, and of the run with the largest; estimates of replicate k
 * begin at k * stride. */
static void find_bias(iv_studied_measure *c, const iv_sampling_study *s, const double *truth,
                      const double *estimates, size_t stride)
{
    const double reps = (double)s->options.replicates, runs = (double)s->runs;
    double all = 0.0, squares = 0.0;

    for (size_t r = 0; r < s->runs; r++) {
        double mean = 0.0;
        c->truth += truth[r] / runs;
        for (size_t k = 0; k < s->options.replicates; k++)
            mean += estimates[k * stride + r] / reps;
        const double off = truth[r] > 0.0 ? mean / truth[r] - 1.0 : 0.0;
        c->off += fabs(off) > 0.05;
        if (!(fabs(off) > fabs(c->worst)))
            continue;
        c->worst = off;
        c->worst_run = iv_run_tag(s->all[r]);
        c->worst_truth = truth[r];
    }
    for (size_t k = 0; k < s->options.replicates; k++) {
        double mean = 0.0;
        for (size_t r = 0; r < s->runs; r++)
            mean += estimates[k * stride + r] / runs;
        all += mean / reps;
        squares += mean * mean / reps;
    }
    c->bias = all / c->truth - 1.0;
    c->bias_se = sqrt(fmax(0.0, squares - all * all) / reps) / c->truth;
}

static iv_studied_measure one_row(const iv_sampling_study *s, const iv_measure_job *j, size_t way,
                                  size_t m)
{
    const size_t cells = IV_MEASURE_WAYS * IV_STUDIED_MEASURES, at = way * IV_STUDIED_MEASURES + m;
    iv_studied_measure c = { .estimator = way == 0 ? IV_ESTIMATOR_RECTIFIED
                                                   : IV_ESTIMATOR_CORRECTED,
                             .measure_name = iv_studied_measure_names()[m] };
    iv_measure_tally t = { 0 };

    find_bias(&c, s, j->mean + m * s->runs, j->estimate + at * s->runs, cells * s->runs);
    for (size_t k = 0; k < s->options.replicates; k++)
        add_up(&t, &j->tallies[k * cells + at]);
    c.rms = sqrt(t.squares / (double)t.means);
    c.rms_topic = sqrt(t.topic_squares / (double)t.topics);
    /* Of all pairs: half as many for each neighbouring pair as there are runs. */
    c.rms_difference = s->runs > 1
        ? sqrt(t.pair_squares / (0.5 * (double)t.pairs * (double)s->runs)) : (double)NAN;
    c.sd_ratio = sqrt(t.variance / t.squares);
    c.refused = share(t.refused, t.topics);
    c.topic = 1.0 - share(t.low + t.high, t.topics - t.refused);
    c.low = t.low;
    c.high = t.high;
    c.these = share(t.these, t.means_shown);
    c.no_mean = 1.0 - share(t.means_shown, t.means);
    /* Of numbers of documents nothing is said of other topics, nor of their differences. */
    const bool number = m + 1 == IV_STUDIED_MEASURES;
    c.population = number ? (double)NAN : share(t.again, t.again_shown);
    c.difference = number ? (double)NAN : share(t.pairs_covered, t.pairs);
    c.difference_new = number ? (double)NAN : share(t.pairs_again, t.pairs);
    return c;
}

void iv_measure_summarise(iv_sampling_study *s, const iv_measure_job *j, size_t judgments)
{
    for (size_t way = 0; way < IV_MEASURE_WAYS; way++)
        for (size_t m = 0; m < IV_STUDIED_MEASURES; m++) {
            iv_studied_measure c = one_row(s, j, way, m);
            c.judgments = judgments;
            s->found.measures[s->found.measure_count++] = c;
        }
}
