/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mean over fixed sets of shares: the means that a score test does not reject, each set
 * with the share that is most likely if that is the mean.  Shares of clusters and weighted items
 * keep their limits by logits, but where few answers are right or wrong.
 *
 * Refs: Miettinen and Nurminen (1985), Statistics in Medicine 4, 213-226 (n - 1 for n);
 * Brown, Cai and DasGupta (2001), Statistical Science 16, 101-133 (few right answers).
 * doc/methods/suites.md.
 */
#include <math.h>
#include <string.h>

#include "stat/interval/bootstrap.h"
#include "stat/interval/units.h"

/* A set's right answers, and its part of the mean; without items: 0. */
typedef struct tally {
    double right, items, part;
} tally;

typedef struct search {
    const tally *sets;
    size_t count;
    bool wrong; /* limits of the wrong answers instead */
    double mean, squares, tail, z;
} search;

static bool only_answers(const double *x, size_t items)
{
    for (size_t t = 0; t < items; t++)
        if (!isnan(x[t]) && x[t] != 0.0 && x[t] != 1.0)
            return false;
    return true;
}

static void count_sets(tally *sets, const double *x, size_t items, const iv_structure *s)
{
    double all = 0.0;

    for (size_t t = 0; t < items; t++) {
        if (isnan(x[t]))
            continue;
        sets[s->suite[t]].right += x[t];
        sets[s->suite[t]].items += 1.0;
    }
    for (size_t h = 0; h < s->suites; h++) {
        if (sets[h].items > 0.0)
            sets[h].part = s->suite_weight != NULL ? s->suite_weight[h] : 1.0;
        all += sets[h].part;
    }
    for (size_t h = 0; h < s->suites; h++)
        sets[h].part /= all;
}

static double right_of(const search *s, size_t set)
{
    const tally *t = &s->sets[set];

    return s->wrong ? t->items - t->right : t->right;
}

/*
 * The shares that are most likely among those with some lower mean: with Lagrange's multiplier
 * `force`, right / p - wrong / (1 - p) = force x part.  How far their mean is below the one
 * seen, by their own standard error; *mean is theirs.
 */
static double below(double *mean, const search *s, double force)
{
    double variance = 0.0;

    *mean = 0.0;
    for (size_t h = 0; h < s->count; h++) {
        const double n = s->sets[h].items, k = right_of(s, h), part = s->sets[h].part;
        const double c = force * part;
        if (!(k > 0.0))
            continue; /* none is right: its share stays 0 */
        const double p = 2.0 * k / (c + n + sqrt((c - n) * (c - n) + 4.0 * c * (n - k)));
        *mean += part * p;
        variance += part * part * p * (1.0 - p) / (n - 1.0);
    }
    return s->mean - *mean - s->z * sqrt(variance);
}

static double excess(double log_force, void *user)
{
    double mean;

    return below(&mean, user, exp(log_force));
}

static double score_limit(search *s)
{
    double least = HUGE_VAL, most = 0.0, found, mean;
    bool between = false;

    for (size_t h = 0; h < s->count; h++) {
        const double k = right_of(s, h), n = s->sets[h].items;
        if (!(k > 0.0))
            continue;
        least = fmin(least, n / s->sets[h].part);
        most = fmax(most, n / s->sets[h].part);
        between = between || k < n;
    }
    /* Shares of 1 yield to no smaller force than n / part, and have no variance before. */
    const double from = log(least) + (between ? log(1e-12) : 1e-9), to = log(most) + log(1e15);
    if (iv_find_root(&found, excess, s, from, to, NULL) != IV_OK)
        return 0.0;
    (void)below(&mean, s, exp(found));
    return mean;
}

/* As if the right answers were of one set, of as many as have this mean and variance. */
static double above_tail(double p, void *user)
{
    const search *s = user;
    const double k = s->mean * s->mean / s->squares, wrong = k / s->mean - k;
    const double reached = iv_beta_cdf(p, k, wrong + 1.0);

    return 0.5 * (reached + (wrong > 1e-9 ? iv_beta_cdf(p, k + 1.0, wrong) : 0.0)) - s->tail;
}

/* Up to so many right answers a score test errs too often: mid-P, where that is lower. */
static const double FEW = 3.5;

static bool few_limit(double *out, search *s)
{
    return s->mean * s->mean <= FEW * s->squares
        && iv_find_root(out, above_tail, s, 0.0, s->mean, NULL) == IV_OK;
}

static double lower_limit(search *s)
{
    double few;

    s->mean = s->squares = 0.0;
    for (size_t h = 0; h < s->count; h++) {
        const tally *t = &s->sets[h];
        const double each = t->items > 0.0 ? t->part / t->items : 0.0;
        s->mean += each * right_of(s, h);
        s->squares += each * each * right_of(s, h);
    }
    if (!(s->mean > 0.0))
        return 0.0;
    const double limit = score_limit(s);
    return few_limit(&few, s) ? fmin(few, limit) : limit;
}

/* ------------------------------------------------- clusters and weights -- */

/* What each cluster, or item, adds to the mean of right (or wrong) answers, as lower_limit() has
 * them: its squares tell of how many such parts the mean is made. */
static void add_parts(search *of, double *part, const double *x, size_t items,
                      const iv_structure *s, const double *share)
{
    const size_t units = s->cluster != NULL ? s->clusters : items;

    memset(part, 0, units * sizeof *part);
    of->mean = of->squares = 0.0;
    for (size_t t = 0; t < items; t++)
        if (x[t] == (of->wrong ? 0.0 : 1.0))
            part[s->cluster != NULL ? s->cluster[t] : t] +=
                share[s->suite != NULL ? s->suite[t] : 0] * (s->weight != NULL ? s->weight[t] : 1.0);
    for (size_t k = 0; k < units; k++) {
        of->mean += part[k];
        of->squares += part[k] * part[k];
    }
}

/* A set's part of the mean over the weight of its items. */
static void find_shares(double *share, const double *x, size_t items, const iv_structure *s)
{
    const size_t sets = s->suite != NULL ? s->suites : 1;
    double all = 0.0;

    for (size_t t = 0; t < items; t++)
        if (!isnan(x[t]))
            share[s->suite != NULL ? s->suite[t] : 0] += s->weight != NULL ? s->weight[t] : 1.0;
    for (size_t h = 0; h < sets; h++)
        all += !(share[h] > 0.0) ? 0.0 : s->suite_weight != NULL ? s->suite_weight[h] : 1.0;
    for (size_t h = 0; h < sets; h++)
        if (share[h] > 0.0)
            share[h] = (s->suite_weight != NULL ? s->suite_weight[h] : 1.0) / all / share[h];
}

/* Of few right or wrong answers the limits of logits are too near. */
static int widen(iv_mean_interval *out, const double *x, size_t items, const iv_structure *s,
                 double tail, iv_err *err)
{
    iv_arena own = { 0 };
    const size_t units = s->cluster != NULL ? s->clusters : items;
    double *share = iv_take(&own, (s->suite != NULL ? s->suites : 1) + 1, sizeof *share);
    double *part = iv_take(&own, units + 1, sizeof *part);
    const int rc = iv_taken(&own, err);

    if (rc == IV_OK)
        find_shares(share, x, items, s);
    for (int wrong = 0; rc == IV_OK && wrong < 2; wrong++) {
        search of = { .wrong = wrong, .tail = tail };
        double few;
        add_parts(&of, part, x, items, s, share);
        if (of.mean > 0.0 && few_limit(&few, &of)) {
            out->lower = wrong ? out->lower : fmin(out->lower, few);
            out->upper = wrong ? fmax(out->upper, 1.0 - few) : out->upper;
        }
    }
    iv_arena_free(&own);
    return rc;
}

int iv_set_shares(iv_mean_interval *out, const double *x, size_t items, const iv_structure *s,
                  double confidence, iv_err *err)
{
    const double tail = 0.5 * (1.0 - (confidence == 0.0 ? 0.95 : confidence));
    iv_arena own = { 0 };

    if (out->method != IV_INTERVAL_LOGIT_T || isnan(out->lower) || s->sampled
        || s->repeat_variance != NULL || !only_answers(x, items))
        return IV_OK;
    if (s->suite == NULL || s->cluster != NULL || s->weight != NULL)
        return widen(out, x, items, s, tail, err);
    tally *sets = iv_take(&own, s->suites + 1, sizeof *sets);
    const int rc = iv_taken(&own, err);
    if (rc == IV_OK) {
        search from = { sets, s->suites, .tail = tail, .z = iv_norm_isf(tail) };
        count_sets(sets, x, items, s);
        out->method = IV_INTERVAL_BINOMIAL;
        out->lower = fmin(out->mean, lower_limit(&from));
        from.wrong = true;
        out->upper = fmax(out->mean, 1.0 - lower_limit(&from));
    }
    iv_arena_free(&own);
    return rc;
}
