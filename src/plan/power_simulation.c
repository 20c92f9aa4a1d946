/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power by simulated experiments.
 *
 * Experiment r draws its differences from stream (seed, IV_FOR_STUDY, r), topic
 * after topic: more topics continue the same experiment, and another effect
 * shifts it, so that powers of neighbouring plans differ by what was changed.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "plan/power_parts.h"
#include "stat/paired/flips.h"
#include "stat/paired/significant.h"

enum { LISTED = 14, USUAL = 10000 };

/*
 * On normal differences the powers of the two tests are .0015 apart at most beyond
 * these, at alpha from .05 to .001; fewer topics have too few flips.
 */
size_t iv_randomisation_few(double alpha)
{
    return (size_t)(4.5 * log2(1.0 / alpha)) + 1;
}

size_t iv_randomisation_least(const iv_power_options *o)
{
    return (size_t)ceil(log2(1.0 / o->alpha)) + (o->sides == IV_BOTH_SIDES ? 1 : 0);
}

/* As many as some tenths of a second allow, where nobody asked for a number. */
static size_t experiments_of(const iv_power_options *o, size_t topics, bool flips)
{
    const double most = iv_power_tied(o) ? 2.5e6 / (double)topics
        : !flips ? 1.5e6 / (double)topics
        : topics <= LISTED ? ldexp(2e7, -(int)topics) : 2e5 / (double)topics;

    return o->experiments != USUAL || most > USUAL ? o->experiments
        : most < 500.0 ? 500 : (size_t)most;
}

/* ------------------------------------------------------------ experiments -- */

typedef struct plan {
    size_t topics;
    double effect, critical;
    bool flips;            /* t is not enough ... */
    double sure_not, sure; /* ... between these values of it */
    const iv_power_options *o;
    iv_tilted pilot;       /* whose differences are drawn, if any */
    double shift, spread;  /* of normal differences that do not tie */
    uint64_t seed;
    size_t experiments;
    size_t at_once;  /* experiments of an item: some milliseconds */
    /* Counted over all of them: rejected; rejected by t only, or not by t only. */
    size_t rejected, less, more;
} plan;

static void draw_differences(double *d, iv_stream *s, const plan *p)
{
    for (size_t t = 0; t < p->topics; t++) {
        const double x = p->pilot.count > 0 ? iv_tilted_draw(&p->pilot, s)
            : p->shift + p->spread * iv_draw_normal(s);
        /* Drawn in any case: the normals stay the same for any certainty. */
        d[t] = iv_draw_uniform(s) < p->o->certainty ? x : -x;
        if (p->o->ties > 0.0 && p->pilot.count == 0 && iv_draw_uniform(s) < p->o->ties)
            d[t] = 0.0;
    }
}

/* Student's t, its size if both sides count. */
static double student(const double *d, const plan *p)
{
    const double n = (double)p->topics;
    double mean = 0.0, squares = 0.0;

    for (size_t t = 0; t < p->topics; t++)
        mean += d[t] / n;
    for (size_t t = 0; t < p->topics; t++)
        squares += (d[t] - mean) * (d[t] - mean);
    if (!(squares > 0.0)) /* all alike: no spread, no t */
        return 0.0;
    const double statistic = mean / sqrt(squares / ((n - 1.0) * n));
    return p->o->sides == IV_BOTH_SIDES ? fabs(statistic) : statistic;
}

static int by_size(const void *x, const void *y)
{
    const double a = fabs(*(const double *)x), b = fabs(*(const double *)y);

    return (a > b) - (a < b);
}

static bool wilcoxon_rejects(double *d, const plan *p)
{
    const double all = 0.5 * (double)p->topics * ((double)p->topics + 1.0);
    double sum = 0.0;

    qsort(d, p->topics, sizeof *d, by_size);
    for (size_t t = 0; t < p->topics; t++)
        sum += d[t] > 0.0 ? (double)(t + 1) : 0.0;
    return sum >= p->critical || ((p->o->sides == IV_BOTH_SIDES) && all - sum >= p->critical);
}

/* P(S >= s) over all flips, in the order of a Gray code. */
static double list_flips(const double *size, size_t n, double all, double s)
{
    const size_t flips = (size_t)1 << n;
    double sum = all;
    size_t reached = 0;
    unsigned down = 0;

    for (size_t k = 1;; k++) {
        size_t i = 0;
        reached += sum >= s - 1e-12 * all;
        if (k == flips)
            break;
        while ((k >> i & 1) == 0)
            i++;
        sum += (down >> i & 1 ? 2.0 : -2.0) * size[i];
        down ^= 1U << i;
    }
    return (double)reached / (double)flips;
}

/* A thread's memory: differences, room for as many, and for counting flips. */
typedef struct bench {
    double *d;
    iv_flips *flips;
} bench;

/* Takes the signs and zeros off d. */
static bool randomisation_rejects(bench *b, const plan *p)
{
    const bool two = p->o->sides == IV_BOTH_SIDES;
    double *d = b->d, sum = 0.0, all = 0.0;
    bool exact;
    size_t k = 0;

    for (size_t t = 0; t < p->topics; t++) {
        sum += d[t];
        all += fabs(d[t]);
    }
    const double s = two ? fabs(sum) : sum;
    if (!(s > 1e-12 * all))
        return false;
    if (p->pilot.steps) {
        const double tail = iv_flips_tail(&exact, d, p->topics, sum < 0.0, b->flips);
        return iv_significant(two ? 2.0 * tail : tail, p->o->alpha);
    }
    for (size_t t = 0; t < p->topics; t++)
        if (d[t] != 0.0)
            d[k++] = fabs(d[t]);
    const double tail = k <= LISTED ? list_flips(d, k, all, s)
        : s < (1.0 - 1e-12) * all ? iv_flips_saddle(d + p->topics, d, k, s)
        : ldexp(1.0, -(int)k);
    return iv_significant(two ? 2.0 * tail : tail, p->o->alpha);
}

/* 1: rejected; 2: by the t test. */
static unsigned experiment(bench *b, const plan *p, size_t number)
{
    double *d = b->d;
    iv_stream s = iv_stream_start(p->seed, IV_FOR_STUDY, number);

    draw_differences(d, &s, p);
    if (p->o->test == IV_PLAN_WILCOXON)
        return wilcoxon_rejects(d, p) ? 1 : 0;
    const double t = student(d, p);
    const unsigned by_t = t > p->critical ? 3 : 0;
    if (!p->flips || (p->topics > LISTED && (t < p->sure_not || t > p->sure)))
        return by_t;
    return (by_t & 2) | (randomisation_rejects(b, p) ? 1 : 0);
}

static int experiment_item(void *user, void *memory, size_t i, iv_err *err)
{
    plan *p = user;
    const size_t end = (i + 1) * p->at_once;
    size_t rejected = 0, less = 0, more = 0;

    (void)err;
    for (size_t r = i * p->at_once; r < end && r < p->experiments; r++) {
        const unsigned found = experiment(memory, p, r);
        rejected += found & 1;
        less += found == 2;
        more += found == 1;
    }
    iv_lock();
    p->rejected += rejected;
    p->less += less;
    p->more += more;
    iv_unlock();
    return IV_OK;
}

static void flips_end(void *f) { iv_flips_free(f); }

static void *bench_new(iv_arena *own, void *user)
{
    const plan *p = user;
    bench *b = iv_take(own, 1, sizeof *b);

    if (b == NULL)
        return NULL;
    b->d = iv_take(own, 2 * p->topics, sizeof *b->d);
    if (p->pilot.steps)
        b->flips = iv_own(own, iv_flips_new(p->topics), flips_end);
    return b->d != NULL && (!p->pilot.steps || b->flips != NULL) ? b : NULL;
}

static iv_power share_rejected(const plan *p)
{
    const double n = (double)p->experiments, power = (double)p->rejected / n;

    return (iv_power){ power, sqrt(power * (1.0 - power) / n), p->critical };
}

/* The power of the t test is known: only where the two tests part is simulated. */
static int beside_t(iv_power *out, const plan *p, iv_err *err)
{
    const double n = (double)p->experiments;
    const double apart = ((double)p->more - (double)p->less) / n;

    IV_TRY(iv_t_power(out, p->topics, p->effect, p->o->alpha, p->o->sides == IV_BOTH_SIDES, err));
    out->power = fmin(fmax(out->power + apart, 0.0), 1.0);
    out->se = sqrt(fmax(0.0, (double)(p->more + p->less) / n - apart * apart) / n);
    out->critical = (double)NAN;
    return IV_OK;
}

/* The differences that do not tie: with the zeros they have the mean and the standard
 * deviation asked for. */
static int find_spread(plan *p, iv_err *err)
{
    const double rest = 1.0 - p->o->ties, d = p->effect;
    const double square = (1.0 + d * d) / rest - d * d / (rest * rest);

    if (!(square >= 0.0))
        return iv_fail(err, IV_ENODATA, "no differences of which %g tie have a mean of %g "
                       "standard deviations", p->o->ties, d);
    p->shift = d / rest;
    p->spread = sqrt(square);
    return IV_OK;
}

/* Beyond these values of t nobody counts flips; of many ties the two tests part further. */
static void find_sure(plan *p, double tail)
{
    const double degrees = (double)p->topics - 1.0, part = iv_power_tied(p->o) ? 10.0 : 4.0;

    p->critical = iv_t_isf(tail, degrees);
    p->sure_not = iv_t_isf(fmin(part * tail, 0.45), degrees);
    p->sure = iv_t_isf(tail / part, degrees);
}

static int simulate(iv_power *out, plan *p, const iv_work *work, iv_err *err)
{
    const iv_power_options *o = p->o;
    const double tail = o->sides == IV_BOTH_SIDES ? 0.5 * o->alpha : o->alpha;
    const iv_loop loop = { (p->experiments + p->at_once - 1) / p->at_once, experiment_item, p,
                           bench_new };

    if (o->test == IV_PLAN_WILCOXON)
        IV_TRY(iv_wilcoxon_critical(&p->critical, p->topics, tail, err));
    else if (p->topics > 1)
        find_sure(p, tail);
    IV_TRY(iv_parallel(&loop, work, err));
    if (o->test == IV_PLAN_RANDOMISATION && o->certainty == 1.0 && p->topics > 1
        && !iv_power_tied(o))
        return beside_t(out, p, err);
    *out = share_rejected(p);
    if (o->test == IV_PLAN_RANDOMISATION)
        out->critical = (double)NAN;
    return IV_OK;
}

int iv_simulated_power(iv_power *out, size_t topics, double effect,
                       const iv_power_options *o, const iv_work *work, iv_err *err)
{
    const bool flips = o->test == IV_PLAN_RANDOMISATION
        && (topics <= iv_randomisation_few(o->alpha) || iv_power_tied(o));
    plan p = { .topics = topics, .effect = effect, .critical = (double)NAN, .o = o,
               .seed = iv_work_seed(work), .at_once = 16,
               .flips = flips, .experiments = experiments_of(o, topics, flips) };
    iv_arena own = { 0 };
    int rc = o->differences.count > 0
        ? iv_tilted_new(&p.pilot, &own, o->differences.at, o->differences.count, effect, err)
        : find_spread(&p, err);

    if (rc == IV_OK)
        rc = simulate(out, &p, work, err);
    iv_arena_free(&own);
    return rc;
}
