/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The differences of each pair: the test of their mean, its interval, and where it stands beside
 * a margin.
 *
 * p is the larger one of the paired t test and of Hall's t test, which corrects for skewness;
 * a limit is the farther one of the two, so that an interval holds exactly the differences that
 * the test does not reject.  Scores of 0 and 1 have Tango's score test and interval, which for no
 * difference is McNemar's.  Of many pairs intervals are Bonferroni's; Holm's correction finds more
 * than these show, and the limit is then 0, which is excluded (Strassburger and Bretz 2008).
 *
 * Ref: Hall (1992), JRSS B 54, 221-228; Tango (1998), Statistics in Medicine 17, 891-908;
 * Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680, for two
 * one-sided tests of equivalence; Benjamini and Yekutieli (2005), JASA 100, for the false
 * coverage rate.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "base/ties.h"
#include "num/dist.h"
#include "stat/evidence.h"
#include "stat/interval/limits.h"
#include "stat/interval/units.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"
#include "stat/paired/comparison.h"
#include "stat/paired/familywise.h"
#include "stat/paired/flips.h"
#include "stat/paired/pair_p.h"

#include <math.h>
#include <stdlib.h>

IV_NAMES(iv_pair_test_names, "sign", "wilcoxon", "t", "randomisation", "larger-p", "hall",
         "mcnemar", "betting")

bool iv_pair_test_of_mean(iv_pair_test test)
{
    return test != IV_TEST_SIGN && test != IV_TEST_WILCOXON;
}

/* A power of two far below what differences are told by: dividing by it and multiplying
 * again loses nothing. */
static double unit_of(const double *a, const double *b, size_t topics)
{
    double largest = 0.0;
    int exponent;

    for (size_t t = 0; t < topics; t++) {
        const double larger = fabs(a[t]) > fabs(b[t]) ? fabs(a[t]) : fabs(b[t]);
        if (larger > largest && !isnan(a[t]) && !isnan(b[t]))
            largest = larger;
    }
    (void)frexp(largest, &exponent);
    return ldexp(1.0, exponent > -970 ? exponent - 44 : -1014);
}

/* The nearest whole number of units, an even one of two.  Near 2^52 doubles have no fraction, and
 * quotients are below 2^46.  NaN stays NaN. */
static void round_differences(double *d, const double *a, const double *b, size_t topics,
                              double unit)
{
    const double large = 0x1.8p52, inverse = 1.0 / unit; /* exact, of a power of two */

    for (size_t t = 0; t < topics; t++)
        d[t] = (((a[t] - b[t]) * inverse + large) - large) * unit + 0.0; /* never -0 */
}

static size_t differences(double *d, const double *a, const double *b, size_t topics, double unit)
{
    size_t n = 0;

    round_differences(d, a, b, topics, unit);
    for (size_t t = 0; t < topics; t++) {
        d[n] = d[t];
        n += isnan(d[t]) ? 0 : 1;
    }
    return n;
}

size_t iv_pair_differences(double *d, const double *a, const double *b, size_t topics)
{
    return differences(d, a, b, topics, unit_of(a, b, topics));
}

static iv_pair_room *pair_room_new(iv_arena *own, const iv_comparison *c)
{
    const iv_structure *s = c->options.structure;
    iv_pair_room *r = iv_take(own, 1, sizeof *r);

    if (r == NULL)
        return NULL;
    r->d = iv_take(own, c->topics + 1, sizeof *r->d);
    if (s != NULL) {
        r->place = iv_take(own, c->topics + 1, sizeof *r->place);
        r->units = iv_units_new(own, c->topics, s);
    }
    return own->failed ? NULL : r;
}

static size_t pair_take(iv_structured *m, const iv_comparison *c, const iv_compared_pair *p,
                        iv_pair_room *r)
{
    const double *a = c->values + p->a * c->topics, *b = c->values + p->b * c->topics;
    const iv_structure *s = c->options.structure;

    r->unit = unit_of(a, b, c->topics);
    if (s == NULL)
        return differences(r->d, a, b, c->topics, r->unit);
    round_differences(r->place, a, b, c->topics, r->unit);
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

/*
 * Discordant items of scores that are 0 or 1.  Where topics hang together, as many items as would
 * have the standard error found; those without any difference count as their units.
 */
static void count_shares(iv_compared_pair *p, const iv_comparison *c, const iv_structured *m)
{
    const double unit = c->options.unit, mean = m->mean / unit;
    const bool alike = p->found.sd == 0.0
        && (p->found.mean == 0.0 || fabs(p->found.mean) == unit); /* sampled sets, too */

    if (!c->options.binary)
        return;
    if (c->options.structure == NULL || (isnan(m->square) && alike)) {
        p->shares = (iv_share_counts){ (double)p->found.wins, (double)p->found.losses,
                                       (double)p->found.n,
                                       c->options.structure == NULL ? INFINITY : m->df, unit };
    } else if (!isnan(m->square)) { /* else means over repeats, or of sampled sets */
        const double square = m->square / (unit * unit);
        const double worth = iv_effective_items(m, m->square - m->mean * m->mean);
        p->shares = (iv_share_counts){ 0.5 * (square + mean) * worth,
                                       0.5 * (square - mean) * worth, worth, m->df, unit };
    }
}

double iv_pair_beyond(const iv_compared_pair *p, double from, iv_alternative side)
{
    if (p->shares.items > 0.0)
        return iv_shares_p(&p->shares, from / p->shares.unit, side);
    if (p->found.sd == 0.0) {
        const double slack = IV_SLACK * fmax(fabs(p->found.mean), fabs(from));
        const double above = p->found.mean - from;
        return (side == IV_GREATER ? above : -above) > slack
            ? iv_equal_evidence(p->found.mean, p->independent, -p->range, p->range, from, side)
            : 1.0;
    }
    return iv_larger_p_beyond(p->found.mean - from, p->found.sd, (double)p->found.n, p->df,
                       p->found.skewness, side);
}

/* p of a margin: of independent 0/1 scores exact, else as above.  What equal differences of
 * clusters of 0/1 scores do not show may be unseen. */
static double margin_p(const iv_compared_pair *p, double from, iv_alternative side)
{
    double beyond;

    if (p->shares.items > 0.0 && isinf(p->shares.df))
        return iv_shares_beyond(&p->shares, from / p->shares.unit, side);
    beyond = iv_pair_beyond(p, from, side);
    return p->found.sd > 0.0 ? beyond
        : fmax(beyond, iv_equal_evidence(p->found.mean, p->independent, -p->range, p->range, from,
                                         side));
}

/* The differences in the order in which they are bet on. */
static size_t take_in_order(double *d, const iv_comparison *c, const iv_compared_pair *p)
{
    const double *a = c->values + p->a * c->topics, *b = c->values + p->b * c->topics;
    const uint32_t *order = c->options.order;
    size_t n = 0;

    for (size_t i = 0; i < c->topics; i++) {
        const size_t t = order != NULL ? order[i] : i;
        if (!isnan(a[t]) && !isnan(b[t]))
            d[n++] = a[t] - b[t];
    }
    return n;
}

/* Where the mean difference stands beside the margin. */
static void judge_margin(iv_compared_pair *p, const iv_comparison *c, double *room)
{
    const double margin = c->margin;

    p->p_above = p->p_noninferior = p->p_equivalent = p->p_inferior = (double)NAN;
    p->margin_lower = p->margin_upper = (double)NAN;
    if (isnan(margin))
        return;
    if (p->shares.items > 0.0)
        p->p_above = iv_shares_p(&p->shares, margin / p->shares.unit, IV_LESS);
    else if (p->found.sd > 0.0)
        p->p_above = iv_t_sf((margin - p->found.mean) / (p->found.sd / sqrt((double)p->found.n)),
                             p->df);
    if (c->options.guaranteed && !(p->shares.items > 0.0)) {
        const double level = (1.0 - c->options.confidence) / (double)c->pair_count;
        const size_t n = take_in_order(room, c, p);
        const double R = p->range;
        const iv_evidence e = iv_betting_evidence(room, n, -R, R, -margin, level);
        p->p_noninferior = e.p_above;
        p->p_inferior = e.p_below;
        p->p_equivalent = fmax(e.p_above,
                               iv_betting_p(room, n, -R, R, margin, level, IV_LESS));
        p->margin_lower = e.lower;
        p->margin_upper = e.upper;
        return;
    }
    p->p_inferior = margin_p(p, -margin, IV_LESS);
    p->p_noninferior = margin_p(p, -margin, IV_GREATER);
    p->p_equivalent = isnan(p->p_noninferior) ? p->p_noninferior
        : fmax(p->p_noninferior, margin_p(p, margin, IV_LESS));
}

/* Where margin_p() passes `level`, beyond the margin if p there is below it, else before it. */
static double find_margin(const iv_compared_pair *p, double margin, double level,
                          iv_alternative side)
{
    enum { HALVINGS = 24 };
    const double end = side == IV_GREATER ? -p->range : p->range;
    const bool rejected = margin_p(p, -margin, side) < level;
    double out = rejected ? -margin : end, in = rejected ? p->found.mean : -margin;

    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (out + in);
        *(margin_p(p, middle, side) < level ? &out : &in) = middle;
    }
    return out;
}

void iv_pair_limits(double *lower, double *upper, const iv_compared_pair *p, double margin,
                    double level_lower, double level_upper)
{
    double unused;

    *lower = p->margin_lower;
    *upper = p->margin_upper;
    if (!isnan(*lower))
        return;
    if (!(p->shares.items > 0.0) && p->found.sd > 0.0) {
        const iv_differences *f = &p->found;
        const double n = (double)f->n;
        iv_larger_p_limits(lower, &unused, f->mean, f->sd, n, p->df, f->skewness, level_lower);
        iv_larger_p_limits(&unused, upper, f->mean, f->sd, n, p->df, f->skewness, level_upper);
    } else if (p->range > 0.0) {
        *lower = find_margin(p, margin, level_lower, IV_GREATER);
        *upper = find_margin(p, margin, level_upper, IV_LESS);
    }
}

/* The limits that go with a test, number c->test, each with the error `tail`. */
static void limits_of_test(double *lower, double *upper, const iv_compared_pair *p,
                           const iv_comparison *c, const iv_pair_room *r, double tail)
{
    const iv_pair_test kind = c->kinds[c->test];

    if (c->options.guaranteed && !(p->shares.items > 0.0)) { /* those of the test that decides */
        const size_t n = take_in_order(r->d, c, p);
        const iv_evidence e = iv_betting_evidence(r->d, n, -p->range, p->range, 0.0, tail);
        *lower = e.lower;
        *upper = e.upper;
        return;
    }

    if (p->shares.items > 0.0 && kind != IV_TEST_T && kind != IV_TEST_LARGER_P
        && kind != IV_TEST_HALL) {
        iv_shares_limits(lower, upper, &p->shares, tail);
        *lower *= p->shares.unit;
        *upper *= p->shares.unit;
        return;
    }
    if (kind == IV_TEST_HALL && p->found.sd > 0.0) {
        iv_hall_limits(lower, upper, p->found.mean, p->found.sd, (double)p->found.n,
                       (double)p->found.n - 1.0, p->found.skewness, tail);
        return;
    }
    iv_larger_p_limits(lower, upper, p->found.mean, p->found.sd, (double)p->found.n, p->df,
                       kind == IV_TEST_LARGER_P ? p->found.skewness : (double)NAN, tail);
}

/* Limits that err with the probability `error`: those of the test, unless others were asked
 * for by name; r has the differences. */
static int limits_asked(double *lower, double *upper, iv_compared_pair *p, const iv_comparison *c,
                        const iv_pair_room *r, double error, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const double tail = o->alternative == IV_TWO_SIDED ? 0.5 * error : error;
    const double *x = c->boot_means + p->a * o->resamples, *y = c->boot_means + p->b * o->resamples;
    iv_mean_interval i;

    if (o->interval == IV_INTERVAL_AUTO) {
        limits_of_test(lower, upper, p, c, r, tail);
    } else if (o->interval == IV_INTERVAL_T) {
        iv_larger_p_limits(lower, upper, p->found.mean, p->found.sd, (double)p->found.n, p->df,
                    (double)NAN, tail);
    } else {
        for (size_t b = 0; b < o->resamples; b++)
            r->means[b] = x[b] - y[b];
        IV_TRY(iv_interval_from_means(&i, o->interval, r->means, o->resamples, r->d, p->found.n,
                                      1.0 - 2.0 * tail, err));
        *lower = i.lower;
        *upper = i.upper;
        p->gap = i.gap;
    }
    if (o->alternative == IV_GREATER && !isnan(*upper))
        *upper = INFINITY;
    if (o->alternative == IV_LESS && !isnan(*lower))
        *lower = -INFINITY;
    return IV_OK;
}

/* Its own interval. */
static int find_interval(iv_compared_pair *p, const iv_comparison *c, const iv_pair_room *r,
                         iv_err *err)
{
    const iv_compare_options *o = &c->options;

    p->lower = p->upper = (double)NAN;
    p->gap = IV_GAP_NOT_ASKED;
    if (o->interval == IV_INTERVAL_NONE)
        return IV_OK;
    if (!(p->found.sd > 0.0) && !(p->shares.items > 0.0 && o->interval == IV_INTERVAL_AUTO)) {
        p->gap = IV_GAP_CONSTANT; /* equal differences tell nothing of others */
        return IV_OK;
    }
    p->gap = IV_GAP_NONE;
    return limits_asked(&p->lower, &p->upper, p, c, r, 1.0 - o->confidence, err);
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
    for (size_t i = 0; i < n && votes > 0; i++)
        same += d[i] == left;
    return 2 * same > n ? n - same : n;
}

/* A thread's memory for one pair. */
static void *room_new(iv_arena *own, void *user)
{
    const iv_comparison *c = user;
    iv_pair_room *r = pair_room_new(own, c);

    if (r == NULL)
        return NULL;
    if (iv_interval_about(c->options.interval)->resamples)
        r->means = iv_take(own, c->options.resamples, sizeof *r->means);
    return r;
}

/* Of scores, as far as it is known; 0: it is not. */
static double range_of(const iv_comparison *c)
{
    const iv_compare_options *o = &c->options;

    return o->high > o->low ? o->high - o->low : o->binary ? o->unit : o->bounded ? 1.0 : 0.0;
}

static int describe(void *user, void *memory, size_t i, iv_err *err)
{
    const iv_comparison *c = user;
    iv_pair_room *r = memory;
    iv_compared_pair *p = &c->pairs[i];
    const double *a = c->given + p->a * c->topics, *b = c->given + p->b * c->topics;
    iv_structured m = { 0 };
    const size_t n = pair_take(&m, c, p, r);

    for (size_t t = 0; t < c->topics && n < c->topics; t++) {
        p->only_a += !isnan(a[t]) && isnan(b[t]);
        p->only_b += isnan(a[t]) && !isnan(b[t]);
    }
    if (n < 2)
        return iv_fail(err, IV_ENODATA, "systems %zu and %zu share %s", p->a + 1, p->b + 1,
                       n == 0 ? "no topic" : c->options.structure == NULL ? "only one topic"
                       : "topics of only one cluster or set");
    p->found = iv_describe_differences(r->d, n);
    p->items = n;
    p->df = (double)(n - 1);
    p->independent = (double)n;
    if (c->options.structure != NULL) {
        if (isnan(m.se))
            return iv_fail(err, IV_ENODATA, "systems %zu and %zu share a set with one %s only",
                                            p->a + 1, p->b + 1,
                           c->options.structure->cluster != NULL ? "cluster" : "topic");
        p->items = m.items;
        p->df = m.df;
        p->independent = m.worth;
        p->found.skewness = (double)NAN; /* t alone, with Bell and McCaffrey's degrees of freedom */
        p->found.mean = m.mean;
        p->found.sd = m.se * sqrt((double)n);
        p->found.effect = p->found.sd > 0.0 ? m.mean / p->found.sd : (double)NAN;
    }
    const double unit = c->given == c->values ? r->unit : unit_of(a, b, c->topics);
    if (iv_true_difference(p->found.mean, unit) == 0.0 && p->found.sd > 0.0)
        p->found.mean = p->found.effect = 0.0; /* what is left is of rounded() */
    p->same = is_same(p, c, r);
    p->superiority = ((double)p->found.wins + 0.5 * (double)p->found.ties) / (double)n;
    count_shares(p, c, &m);
    p->range = range_of(c);
    p->varied = count_varied(r->d, n);
    const int rc = find_interval(p, c, r, err);
    judge_margin(p, c, r->d);
    return rc;
}

int iv_compare_pairs(iv_comparison *c, const iv_work *work, iv_err *err)
{
    return iv_parallel(&(iv_loop){ c->pair_count, describe, c, room_new }, work, err);
}

/* ------------------------------------------------- intervals of many pairs -- */

bool iv_compare_significant(const iv_comparison *c, double p)
{
    return iv_significant(p, 1.0 - c->options.confidence);
}

/* The error that one pair's interval may have, so that it goes with p_adjusted. */
static double error_of_each(const iv_comparison *c)
{
    const double alpha = 1.0 - c->options.confidence;
    const double all = fmax((double)c->pair_count, (double)c->options.family);
    double found = 0.0;

    if (c->tests[c->test].correction != IV_CORRECT_BH)
        return alpha / all;
    for (size_t i = c->test; i < c->pair_count * c->options.test_count; i += c->options.test_count)
        found += iv_compare_significant(c, c->tests[i].p_adjusted);
    return alpha * fmax(1.0, found) / all;
}

/* A quantile of resamples needs one beyond it (Davison and Hinkley 1997, section 5.2). */
static int adjust(iv_compared_pair *p, const iv_comparison *c, const iv_pair_room *r, double error,
                  iv_err *err)
{
    const double least = ceil((c->options.alternative == IV_TWO_SIDED ? 2.0 : 1.0) / error - 1e-6);

    if (r->means != NULL && (double)c->options.resamples + 1.0 < least)
        return iv_fail(err, IV_EARG, "%zu resamples are too few for simultaneous intervals, "
                       "expected %.0f or more", c->options.resamples, least - 1.0);
    return limits_asked(&p->lower_adjusted, &p->upper_adjusted, p, c, r, error, err);
}

iv_limit iv_settle_limits(double *lower, double *upper, bool found, int direction)
{
    if (found && direction > 0 && *lower <= 0.0) {
        *lower = 0.0;
        return IV_LIMIT_CUT;
    }
    if (found && direction < 0 && *upper >= 0.0) {
        *upper = 0.0;
        return IV_LIMIT_CUT;
    }
    if (!found && *lower > 0.0) {
        *lower = 0.0;
        return IV_LIMIT_WIDENED;
    }
    if (!found && *upper < 0.0) {
        *upper = 0.0;
        return IV_LIMIT_WIDENED;
    }
    return IV_LIMIT_KEPT; /* also without an interval, NaN */
}

bool iv_possible_limits(double *lower, double *upper, double value, double least)
{
    const bool possible = !(value < least || value > 1.0);

    if (!possible)
        *lower = *upper = (double)NAN;
    if (*lower < least && isfinite(*lower))
        *lower = least;
    if (*upper > 1.0 && isfinite(*upper))
        *upper = 1.0;
    return possible;
}

/* Those of the first test are found already; the others start from them, before they change. */
int iv_compare_limits(iv_comparison *c, iv_err *err)
{
    const size_t n = c->pair_count, count = c->options.test_count;
    const bool whole = c->options.family <= n; /* else others correct p_adjusted */
    iv_pair_room *r = room_new(&c->own, c);
    double error = 0.0;
    iv_structured m;

    IV_TRY(iv_taken(&c->own, err));
    for (size_t k = n * count; k-- > 0;) { /* test by test */
        iv_compared_pair *p = &c->pairs[k];
        const iv_compared_test *t = &c->tests[k % n * count + k / n];
        c->test = k / n;
        error = k % n == n - 1 ? error_of_each(c) : error;
        *p = c->pairs[k % n];
        if (r->means != NULL)
            (void)pair_take(&m, c, p, r);
        if (c->test > 0)
            IV_TRY(find_interval(p, c, r, err));
        p->lower_adjusted = p->lower;
        p->upper_adjusted = p->upper;
        if ((t->correction != IV_CORRECT_NONE || c->options.family > 1) && p->gap == IV_GAP_NONE)
            IV_TRY(adjust(p, c, r, error, err));
        if (c->unit) {
            (void)iv_possible_limits(&p->lower, &p->upper, p->found.mean, -1.0);
            if (!iv_possible_limits(&p->lower_adjusted, &p->upper_adjusted, p->found.mean, -1.0))
                p->gap = IV_GAP_IMPOSSIBLE;
        }
        if (!iv_pair_test_of_mean(t->kind))
            continue; /* signs and ranks say nothing of the mean */
        p->limit = iv_settle_limits(&p->lower, &p->upper, iv_compare_significant(c, t->test.p),
                                    t->direction);
        if (whole)
            p->limit_adjusted = iv_settle_limits(&p->lower_adjusted, &p->upper_adjusted,
                                                 iv_compare_significant(c, t->p_adjusted),
                                                 t->direction);
    }
    return IV_OK;
}

/* The tests of every pair, and their p-values adjusted for being many. */

static void *test_room_new(iv_arena *own, void *user)
{
    const iv_comparison *c = user;
    iv_pair_room *r = pair_room_new(own, c);

    if (r != NULL)
        r->flips = iv_flips_new(own, c->topics);
    return own->failed ? NULL : r;
}

/* What the test looks at, and which of the two has more of it. */
static int direction(iv_pair_test kind, const iv_differences *found, const iv_test *t,
                     iv_zeros zeros)
{
    const double n = (double)found->n, z = (double)found->ties, k = n - z;
    double more = found->mean;

    if (kind == IV_TEST_SIGN)
        more = (double)found->wins - (double)found->losses;
    else if (kind == IV_TEST_WILCOXON) /* the wins' ranks and those of the losses */
        more = 2.0 * t->statistic
            - (zeros == IV_ZEROS_RANK ? 0.5 * (n * (n + 1.0) - z * (z + 1.0))
                                      : 0.5 * k * (k + 1.0));
    return (more > 0.0) - (more < 0.0);
}

/* The t test of a mean whose error and degrees of freedom are known. */
static iv_test t_test_of(const iv_compared_pair *p, iv_alternative alternative)
{
    const double se = p->found.sd / sqrt((double)p->found.n), t = p->found.mean / se;

    if (!(se > 0.0))
        return p->found.mean == 0.0 ? (iv_test){ 1.0, (double)NAN, p->found.n, false, NULL }
            : iv_no_test(p->found.n, "all differences are equal");
    return (iv_test){ iv_t_p(t, p->df, alternative), t, p->found.n, false, NULL };
}

/* The default: see compare_pairs.c. */
static iv_test default_test(const iv_compared_pair *p, iv_alternative side)
{
    /* Two-sided, the tail on the side of the mean: skewness must not turn the finding. */
    const iv_alternative way = side != IV_TWO_SIDED ? side
        : p->found.mean > 0.0 ? IV_GREATER : IV_LESS;
    const double tail = iv_pair_beyond(p, 0.0, way);
    const double t = p->found.mean / (p->found.sd / sqrt((double)p->found.n));

    if (isnan(tail))
        return iv_no_test(p->found.n, "all differences are equal");
    return (iv_test){ side != IV_TWO_SIDED ? tail : fmin(1.0, 2.0 * tail),
                      p->found.sd > 0.0 ? t : (double)NAN, p->found.n, false, NULL };
}

iv_test iv_larger_p_test(const double *d, size_t n, iv_alternative alternative)
{
    const iv_compared_pair p = { .found = iv_describe_differences(d, n), .df = (double)n - 1.0 };

    return n < 2 ? iv_no_test(n, "fewer than two topics") : default_test(&p, alternative);
}

/* Two-sided, with bets for the error of a limit: the interval holds 0 unless this rejects it. */
static iv_test betting_test(const iv_comparison *c, const iv_compared_pair *p, double *room)
{
    const size_t n = take_in_order(room, c, p);
    const double R = p->range, tail = 0.5 * (1.0 - c->options.confidence);
    const double above = iv_betting_p(room, n, -R, R, 0.0, tail, IV_GREATER);
    const double below = iv_betting_p(room, n, -R, R, 0.0, tail, IV_LESS);

    return (iv_test){ fmin(1.0, 2.0 * fmin(above, below)), (double)NAN, n, false, NULL };
}

static iv_test hall_test_of(const iv_differences *found, iv_alternative side)
{
    const double n = (double)found->n;
    const double t = iv_hall_t(found->mean / found->sd, n, found->skewness);

    if (found->n < 2 || !(found->sd > 0.0))
        return iv_no_test(found->n, found->n < 2 ? "fewer than two topics"
                          : "all differences are equal");
    return (iv_test){ iv_t_p(t, n - 1.0, side), t, found->n, false, NULL };
}

/* Sign flips, ranks and resamples know of what varies from unit to unit, not of repeats that all
 * units share. */
static int check_repeats(const iv_comparison *c, const iv_compared_pair *p, iv_pair_test kind,
                         iv_err *err)
{
    const iv_structure *s = c->options.structure;

    if (s == NULL || s->repeat_variance == NULL || kind == IV_TEST_LARGER_P || kind == IV_TEST_T
        || !(s->repeat_variance[p->a] + s->repeat_variance[p->b] > 0.0))
        return IV_OK;
    return iv_fail(err, IV_EARG, "the test '%s' does not include the variance between repeats: "
                   "expected t, or the default", iv_pair_test_names()[kind]);
}

/* Test number c->test of a pair. */
static int run_test(const iv_comparison *c, iv_pair_room *r, size_t i, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const iv_compared_pair *p = &c->pairs[i];
    const iv_pair_test kind = c->kinds[c->test];
    iv_test *out = &c->tests[i * o->test_count + c->test].test;
    iv_compared_pair plain = *p;
    iv_structured m;
    const double *d = r->d;

    IV_TRY(check_repeats(c, p, kind, err));
    const bool described = kind == IV_TEST_T || kind == IV_TEST_LARGER_P || kind == IV_TEST_HALL
        || kind == IV_TEST_MCNEMAR || kind == IV_TEST_BETTING;
    const size_t n = described ? 0 : pair_take(&m, c, p, r);
    switch (kind) {
    case IV_TEST_SIGN:
        *out = iv_sign_test(d, n, o->ties, o->alternative);
        return IV_OK;
    case IV_TEST_WILCOXON:
        return iv_wilcoxon_test(out, d, n, o->zeros, o->alternative, err);
    case IV_TEST_T:
        *out = o->structure != NULL ? t_test_of(p, o->alternative)
                                    : iv_t_test(p->found, o->alternative);
        return IV_OK;
    case IV_TEST_RANDOMISATION:
        return iv_randomise(out, d, n, o->alternative, r->flips, err);
    case IV_TEST_LARGER_P: /* of scores of 0 and 1, too */
        plain.shares.items = 0.0;
        *out = default_test(&plain, o->alternative);
        return IV_OK;
    case IV_TEST_HALL:
        *out = hall_test_of(&p->found, o->alternative);
        return IV_OK;
    case IV_TEST_BETTING:
        *out = betting_test(c, p, r->d);
        return IV_OK;
    default: /* McNemar's */
        *out = default_test(p, o->alternative);
        return IV_OK;
    }
}

static int test_pair(void *user, void *memory, size_t i, iv_err *err)
{
    const iv_comparison *c = user;
    iv_compared_test *t = &c->tests[i * c->options.test_count + c->test];
    const int rc = run_test(c, memory, i, err);

    t->kind = c->kinds[c->test];
    if (t->kind == IV_TEST_LARGER_P && c->options.structure != NULL)
        t->kind = IV_TEST_T; /* without skewness */
    if (rc == IV_OK)
        t->direction = direction(t->kind, &c->pairs[i].found, &t->test, c->options.zeros);
    return rc;
}

/* Tukey's p of each pair in c->tukey, as of iv_tukey_pairs(). */
static int find_tukey(iv_comparison *c, const iv_work *work, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const iv_score_grid grid = { c->shared_values, c->systems, c->shared };

    c->tukey = iv_take(&c->own, c->pair_count + 1, sizeof *c->tukey);
    IV_TRY(iv_taken(&c->own, err));
    return iv_tukey_pairs(c->tukey, &grid,
                          o->baseline_count > 0 ? o->baselines[0] + 1 : IV_NO_BASELINE,
                          o->permutations, o->alternative, work, err);
}

static int adjust_tests(iv_comparison *c, size_t k, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const size_t step = o->test_count;
    iv_correction correction = o->correction;
    double *p = malloc(c->pair_count * sizeof *p);
    int rc = IV_OK;

    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    if (correction == IV_CORRECT_TUKEY && !iv_pair_test_of_mean(c->kinds[k]))
        correction = IV_CORRECT_HOLM;
    for (size_t i = 0; i < c->pair_count; i++)
        p[i] = c->tests[i * step + k].test.p;
    if (correction != IV_CORRECT_TUKEY)
        rc = iv_adjust(p, p, c->pair_count, correction, err);
    for (size_t i = 0; rc == IV_OK && i < c->pair_count; i++) {
        iv_compared_test *t = &c->tests[i * step + k];
        /* With a baseline Tukey's p are by system; and where runs are not alike, the p of
         * one pair may be larger than that of all. */
        if (correction == IV_CORRECT_TUKEY && !isnan(p[i]))
            p[i] = fmax(p[i], c->tukey[o->baseline_count == 0 ? i : c->pairs[i].a]);
        t->p_adjusted = p[i];
        t->correction = correction;
    }
    free(p);
    return rc;
}

int iv_compare_tests(iv_comparison *c, const iv_work *work, iv_err *err)
{
    const size_t count = c->options.test_count;
    bool of_mean = false;
    int rc = IV_OK;
    iv_stage stage;

    for (size_t k = 0; k < count && rc == IV_OK; k++) {
        of_mean = of_mean || iv_pair_test_of_mean(c->kinds[k]);
        c->test = k;
        rc = iv_parallel(&(iv_loop){ c->pair_count, test_pair, c, test_room_new },
                         iv_work_part(&stage, work, 0.6 * (double)k / (double)count,
                                      0.6 * (double)(k + 1) / (double)count), err);
    }
    if (rc == IV_OK && c->options.correction == IV_CORRECT_TUKEY && of_mean)
        rc = find_tukey(c, iv_work_part(&stage, work, 0.6, 1.0), err);
    for (size_t k = 0; k < count && rc == IV_OK; k++)
        rc = adjust_tests(c, k, err);
    return rc;
}
