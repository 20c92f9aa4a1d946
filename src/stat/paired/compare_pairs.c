/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The differences of each pair: what they look like, the interval of their
 * mean, and where it stands beside a margin.
 *
 * Ref: Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15,
 * 657-680, for two one-sided tests of equivalence.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "stat/interval/resample_limit.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/significant.h"

/* A power of two far below what differences are told by: dividing by it and multiplying
 * again loses nothing. */
static double unit_of(const double *a, const double *b, size_t topics)
{
    double largest = 0.0;
    int exponent;

    for (size_t t = 0; t < topics; t++) {
        if (!isnan(a[t]) && !isnan(b[t]))
            largest = fmax(largest, fmax(fabs(a[t]), fabs(b[t])));
    }
    (void)frexp(largest, &exponent);
    return ldexp(1.0, exponent > -970 ? exponent - 44 : -1014);
}

size_t iv_pair_differences(double *d, const double *a, const double *b, size_t topics)
{
    const double unit = unit_of(a, b, topics);
    size_t n = 0;

    for (size_t t = 0; t < topics; t++) {
        if (!isnan(a[t]) && !isnan(b[t]))
            d[n++] = nearbyint((a[t] - b[t]) / unit) * unit + 0.0; /* never -0 */
    }
    return n;
}

bool iv_pair_room_new(iv_pair_room *r, iv_arena *own, const iv_comparison *c)
{
    const iv_structure *s = c->options.structure;

    r->d = iv_take(own, c->topics + 1, sizeof *r->d);
    if (s != NULL) {
        r->place = iv_take(own, c->topics + 1, sizeof *r->place);
        r->units = iv_units_new(own, c->topics, s);
    }
    return !own->failed;
}

size_t iv_pair_take(iv_structured *m, const iv_comparison *c, const iv_compared_pair *p,
                    iv_pair_room *r)
{
    const double *a = c->values + p->a * c->topics, *b = c->values + p->b * c->topics;
    const iv_structure *s = c->options.structure;

    if (s == NULL)
        return iv_pair_differences(r->d, a, b, c->topics);
    const double unit = unit_of(a, b, c->topics);
    for (size_t t = 0; t < c->topics; t++)
        r->place[t] = nearbyint((a[t] - b[t]) / unit) * unit + 0.0; /* NaN stays NaN */
    iv_units_mean(m, r->d, NULL, r->place, c->topics, s, r->units);
    iv_structured_repeats(m, s, p->a);
    iv_structured_repeats(m, s, p->b);
    return m->units;
}

/* Is every score the other's?  Sums of clusters may be where scores are not, and means over
 * repeats that vary. */
static bool is_same(const iv_compared_pair *p, const iv_comparison *c, const iv_pair_room *r)
{
    if (c->options.structure == NULL)
        return p->found.wins + p->found.losses == 0;
    for (size_t t = 0; t < c->topics; t++)
        if (!isnan(r->place[t]) && r->place[t] != 0.0)
            return false;
    return p->found.sd == 0.0;
}

/* Do two systems score 0 or 1 only? */
static bool only_answers(const double *a, const double *b, size_t topics)
{
    for (size_t t = 0; t < topics; t++)
        if (!isnan(a[t]) && !isnan(b[t]) && ((a[t] != 0.0 && a[t] != 1.0)
                                             || (b[t] != 0.0 && b[t] != 1.0)))
            return false;
    return true;
}

/*
 * The shares of binary scores, if their interval is wanted; or if there is none by t, since all
 * differences are equal, as few of 0 and 1 often are.  Where topics hang together, as many as
 * would have the standard error found; those without any difference are worth their units.
 */
static void count_shares(iv_compared_pair *p, const iv_comparison *c, const iv_structured *m)
{
    const iv_compare_options *o = &c->options;
    const double *a = c->values + p->a * c->topics, *b = c->values + p->b * c->topics;
    const double n = (double)p->found.n;
    const bool alike = p->found.sd == 0.0
        && (p->found.mean == 0.0 || fabs(p->found.mean) == 1.0); /* sampled sets, too */

    if (!c->usual || !(o->binary || (p->found.sd == 0.0 && only_answers(a, b, c->topics))))
        return;
    if (o->structure == NULL || (isnan(m->square) && alike)) {
        p->shares = (iv_share_counts){ (double)p->found.wins, (double)p->found.losses, n,
                                       o->structure == NULL ? INFINITY : m->df };
    } else if (!isnan(m->square)) { /* else means over repeats, or of sampled sets */
        const double alone = m->square - m->mean * m->mean;
        const double worth = m->se > 0.0 && alone > 0.0 ? alone / (m->se * m->se) : m->worth;
        p->shares = (iv_share_counts){ 0.5 * (m->square + m->mean) * worth,
                                       0.5 * (m->square - m->mean) * worth, worth, m->df };
    }
}

double iv_pair_beyond(const iv_compared_pair *p, double from, iv_alternative side)
{
    const double n = (double)p->found.n, g = p->found.skewness, above = p->found.mean - from;

    if (p->shares.items > 0.0)
        return iv_shares_beyond(&p->shares, from, side);
    if (p->found.sd == 0.0) {
        const double slack = IV_SLACK * fmax(fabs(p->found.mean), fabs(from));
        return (side == IV_GREATER ? above : -above) > slack ? iv_least_of_signs(p->found.n) : 1.0;
    }
    const double w = above / p->found.sd, t = sqrt(n) * w; /* NaN of one topic */
    const double h = isnan(g) ? t : iv_skewed_t(w, n, g);
    return side == IV_GREATER ? fmax(iv_t_sf(t, p->df), iv_t_sf(h, p->df))
                              : fmax(iv_t_cdf(t, p->df), iv_t_cdf(h, p->df));
}

/* Where the mean difference stands beside the margin. */
static void judge_margin(iv_compared_pair *p, const iv_comparison *c)
{
    const double margin = c->margin, df = p->df;
    const double se = p->found.sd / sqrt((double)p->found.n);

    p->p_above = p->p_noninferior = p->p_equivalent = (double)NAN;
    if (isnan(margin))
        return;
    if (p->shares.items > 0.0) {
        p->p_above = iv_shares_p(&p->shares, margin, IV_LESS);
    } else if (se > 0.0) {
        p->p_above = iv_t_sf((margin - p->found.mean) / se, df);
    } else if (p->found.sd == 0.0) {
        const double least = iv_least_of_signs(p->found.n);
        const double slack = IV_SLACK * fmax(fabs(p->found.mean), margin);
        p->p_above = p->found.mean > margin + slack ? 1.0 - least : least;
    }
    if (!isnan(p->p_above)) {
        p->p_noninferior = iv_pair_beyond(p, -margin, IV_GREATER);
        p->p_equivalent = fmax(p->p_noninferior, iv_pair_beyond(p, margin, IV_LESS));
    }
}

/* The bootstrap interval: from the means at hand if the topics are theirs. */
static int find_interval(iv_compared_pair *p, const iv_comparison *c, const double *d,
                         double *means, uint64_t seed, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const size_t B = o->resamples;
    /* One limit with all of the error: as one of a two-sided interval with twice that. */
    const double confidence = o->alternative == IV_TWO_SIDED ? o->confidence
                                                             : 2.0 * o->confidence - 1.0;
    const iv_resampling resampling = { confidence, B };
    const iv_work work = { .threads = 1, .seed = seed };
    iv_mean_interval i;
    int rc;

    if (p->shares.items > 0.0) {
        i = (iv_mean_interval){ 0 };
        rc = IV_OK;
        iv_shares_limits(&i.lower, &i.upper, &p->shares, 0.5 * (1.0 - confidence));
    } else if (o->structure != NULL
               && (o->interval == IV_INTERVAL_T || o->interval == IV_INTERVAL_AUTO)) {
        const double half = p->found.sd > 0.0 ? iv_t_isf(0.5 * (1.0 - confidence), p->df)
            * p->found.sd / sqrt((double)p->found.n) : 0.0;
        i = (iv_mean_interval){ .lower = p->found.mean - half, .upper = p->found.mean + half,
                                .constant = !(half > 0.0) };
        rc = IV_OK;
    } else if (means != NULL && p->found.n == c->shared) {
        const double *x = c->boot_means + p->a * B, *y = c->boot_means + p->b * B;
        for (size_t r = 0; r < B; r++)
            means[r] = x[r] - y[r];
        rc = iv_interval_resampled(&i, o->interval, means, B, d, p->found.n, confidence, err);
    } else {
        rc = iv_mean_intervals(&i, &d, &o->interval, 1, p->found.n, &resampling, &work, err);
    }
    if (rc < 0)
        return rc;
    p->lower = i.lower;
    p->upper = i.upper;
    p->gap = i.gap;
    if (i.constant) { /* equal differences tell nothing of others */
        p->lower = p->upper = (double)NAN;
        p->gap = o->interval == IV_INTERVAL_NONE ? IV_GAP_NOT_ASKED : IV_GAP_CONSTANT;
    }
    if (o->interval == IV_INTERVAL_NONE)
        p->lower = p->upper = (double)NAN;
    if (o->alternative == IV_GREATER && !isnan(p->upper))
        p->upper = INFINITY;
    if (o->alternative == IV_LESS && !isnan(p->lower))
        p->lower = -INFINITY;
    return IV_OK;
}

/* Topics whose difference is not that which more than half of them have; n if none is.
 * Boyer and Moore's vote: unequal ones leave two by two, and a majority stays. */
static size_t count_varied(const double *d, size_t n)
{
    double left = 0.0;
    size_t votes = 0, same = 0;

    for (size_t i = 0; i < n; i++) {
        left = votes == 0 ? d[i] : left;
        votes += d[i] == left ? 1 : (size_t)-1;
    }
    for (size_t i = 0; i < n; i++)
        same += d[i] == left;
    return 2 * same > n ? n - same : n;
}

/* A thread's memory for one pair. */
typedef struct room {
    iv_pair_room pair;
    double *means; /* of resamples; NULL: none are wanted */
} room;

typedef struct describing {
    iv_comparison *c;
    bool resampled; /* intervals come from the means of resamples */
    uint64_t seed;
} describing;

static void *room_new(iv_arena *own, void *user)
{
    const describing *x = user;
    room *r = iv_take(own, 1, sizeof *r);

    if (r == NULL || !iv_pair_room_new(&r->pair, own, x->c))
        return NULL;
    if (x->resampled)
        r->means = iv_take(own, x->c->options.resamples, sizeof *r->means);
    return r;
}

static int describe(void *user, void *memory, size_t i, iv_err *err)
{
    const describing *x = user;
    const iv_comparison *c = x->c;
    room *r = memory;
    iv_compared_pair *p = &c->pairs[i];
    const double *a = c->values + p->a * c->topics, *b = c->values + p->b * c->topics;
    iv_structured m = { 0 };
    const size_t n = iv_pair_take(&m, c, p, &r->pair);

    for (size_t t = 0; t < c->topics; t++) {
        p->only_a += !isnan(a[t]) && isnan(b[t]);
        p->only_b += isnan(a[t]) && !isnan(b[t]);
    }
    if (n < 2)
        return iv_fail(err, IV_ENODATA, "systems %zu and %zu share %s", p->a + 1, p->b + 1,
                       n == 0 ? "no topic" : c->options.structure == NULL ? "only one topic"
                       : "topics of only one cluster or set");
    p->found = iv_describe_differences(r->pair.d, n);
    p->items = n;
    p->df = (double)(n - 1);
    if (c->options.structure != NULL) {
        if (isnan(m.se))
            return iv_fail(err, IV_ENODATA, "systems %zu and %zu share a set with one %s only, which "
                           "tells nothing of others", p->a + 1, p->b + 1,
                           c->options.structure->cluster != NULL ? "cluster" : "topic");
        p->items = m.items;
        p->df = m.df;
        p->found.mean = m.mean;
        p->found.sd = m.se * sqrt((double)n);
        p->found.effect = p->found.sd > 0.0 ? m.mean / p->found.sd : (double)NAN;
    }
    p->same = is_same(p, c, &r->pair);
    p->superiority = ((double)p->found.wins + 0.5 * (double)p->found.ties) / (double)n;
    count_shares(p, c, &m);
    judge_margin(p, c);
    const int rc = find_interval(p, c, r->pair.d, r->means, x->seed, err);
    p->varied = count_varied(r->pair.d, n);
    return rc;
}

int iv_compare_pairs(iv_comparison *c, const iv_work *work, iv_err *err)
{
    describing x = { c, c->boot_means != NULL && c->options.interval != IV_INTERVAL_T
                     && c->options.interval != IV_INTERVAL_NONE, iv_work_seed(work) };
    const iv_loop loop = { c->pair_count, describe, &x, room_new };

    return iv_parallel(&loop, work, err);
}
