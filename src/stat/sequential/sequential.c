/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interim analyses, stopping rules, and evidence about recall after every block of judgments.
 *
 * "Recall is at most t" is sum c_s K_s <= 0 over the strata's numbers of relevant documents,
 * c = 1 - t where retrieved and -t elsewhere.  Before a block the shares theta_s of relevant
 * ones among those left satisfy sum w_s theta_s <= C, w_s = c_s (N_s - n_s), C = -sum c_s r_s.
 * The block's e-value is the likelihood ratio of the guess p to its projection q on that
 * half-space, (p_s - q_s) d_s = lambda w_s q_s (1 - q_s); its mean is at most
 * exp(lambda (sum w theta - C)) <= 1 (draws without replacement vary less than with it:
 * Hoeffding 1963), and a product of such is a supermartingale: Ville's inequality.
 * A lambda below the root is valid, too, so rounding errs to the safe side.
 */

#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "num/dist.h"
#include "num/solve.h"
#include "stat/interval_methods.h"
#include "stat/sequential/anytime.h"
#include "stat/sequential/interim.h"
#include "stat/sequential/stopping.h"

#include <inttypes.h>
#include <math.h>

/* One stratum of the block at hand. */
typedef struct cell {
    double w, d, p;
} cell;

/* The projection at lambda > 0, and -dq/dlambda / w. */
static double projected(const cell *c, double lambda, double *slope)
{
    const double lw = lambda * c->w, b = lw + c->d;
    const double D = sqrt(fmax(b * b - 4.0 * lw * c->d * c->p, 0.0));
    const double q = b >= 0.0 ? 2.0 * c->d * c->p / (b + D) : (b - D) / (2.0 * lw);

    *slope = D > 0.0 ? q * (1.0 - q) / D : 0.0;
    return q;
}

/* sum w q - C at lambda; falls. */
static double excess(const cell *c, size_t count, double C, double lambda, double *slope)
{
    double sum = -C;

    *slope = 0.0;
    for (size_t s = 0; s < count; s++) {
        double one;
        sum += c[s].w * projected(&c[s], lambda, &one);
        *slope -= c[s].w * c[s].w * one;
    }
    return sum;
}

/* lambda times the weights' sum multiplies their rounding; beyond this it could be felt. */
static const double lambda_most = 1e9;

/* The largest lambda found with excess >= 0: Newton's steps inside a bracket. */
static double find_lambda(const cell *c, size_t count, double C, double scale)
{
    double low = 0.0, high = HUGE_VAL, at = 1.0 / scale, slope;

    for (int i = 0; i < 100; i++) {
        const double g = excess(c, count, C, at, &slope);
        if (g >= 0.0)
            low = at;
        else
            high = at;
        if (g >= 0.0 && g <= 1e-13 * scale)
            break;
        double next = slope < 0.0 ? at - g / slope : HUGE_VAL;
        if (!(next > low && next < high))
            next = isinf(high) ? 4.0 * at : 0.5 * (low + high);
        if (next == at || (isfinite(high) && high - low <= 1e-14 * high)
            || at * scale >= lambda_most)
            break;
        at = fmin(next, lambda_most / scale);
    }
    return low;
}

/*
 * The log of the e-value of one block.  c and C are of the time before it; C is a sum of terms
 * of the size of `bulk`, so an impossible null must be so by more than their rounding.
 */
static double block_evidence(const cell *c, const double *found, size_t count, double C,
                             double bulk)
{
    double sum = -C, least = 0.0, scale = 0.0, e = 0.0, slope;

    for (size_t s = 0; s < count; s++) {
        sum += c[s].w * c[s].p;
        least += fmin(c[s].w, 0.0);
        scale += fabs(c[s].w);
    }
    if (least > C + 1e-12 * bulk)
        return HUGE_VAL;
    if (sum <= 0.0)
        return 0.0;
    const double lambda = find_lambda(c, count, C, scale);
    for (size_t s = 0; s < count && lambda > 0.0; s++) {
        const double q = projected(&c[s], lambda, &slope), x = found[s], y = c[s].d - x;
        e += (x > 0.0 ? x * log(c[s].p / q) : 0.0)
            + (y > 0.0 ? y * log1p((q - c[s].p) / (1.0 - q)) : 0.0);
    }
    return e;
}

/* A walk through the blocks; arrays have an element a stratum. */
typedef struct walk {
    const iv_review_blocks *b;
    double *n, *r; /* judged and relevant before the block at hand */
    cell *cells;   /* the strata that are not finished and matter */
    double *found;
    size_t count;  /* of cells */
    double C, bulk; /* bulk: the weights of all documents */
} walk;

/* The cells before block k; behind the last one they say what is left. */
static void set_cells(walk *w, size_t k, double target, bool upper)
{
    const iv_review_blocks *b = w->b;

    w->C = w->bulk = 0.0;
    w->count = 0;
    for (size_t s = 0; s < b->stratum_count; s++) {
        const double c = (upper ? -1.0 : 1.0) * (b->retrieved[s] ? 1.0 - target : -target);
        const double left = (double)b->size[s] - w->n[s];
        w->C -= c * w->r[s];
        w->bulk += fabs(c) * (double)b->size[s];
        if (left <= 0.0 || c == 0.0)
            continue;
        const size_t at = k * b->stratum_count + s;
        w->found[w->count] = k < b->count ? (double)b->found[at] : 0.0;
        w->cells[w->count++] = (cell){ c * left, k < b->count ? (double)b->drawn[at] : 0.0,
                                       (w->r[s] + 0.5) / (w->n[s] + 1.0) };
    }
}

static double walk_evidence(walk *w, double target, bool upper)
{
    const iv_review_blocks *b = w->b;
    double e = 0.0, most = 0.0;

    for (size_t s = 0; s < b->stratum_count; s++)
        w->n[s] = w->r[s] = 0.0;
    for (size_t k = 0; k <= b->count; k++) {
        set_cells(w, k, target, upper);
        e += block_evidence(w->cells, w->found, w->count, w->C, w->bulk);
        most = fmax(most, e);
        if (isinf(e))
            break;
        for (size_t s = 0; k < b->count && s < b->stratum_count; s++) {
            w->n[s] += (double)b->drawn[k * b->stratum_count + s];
            w->r[s] += (double)b->found[k * b->stratum_count + s];
        }
    }
    return most;
}

static int start_walk(walk *w, iv_arena *a, const iv_review_blocks *b, iv_err *err)
{
    IV_TRY(iv_review_blocks_check(b, err));
    *w = (walk){ b, iv_take(a, b->stratum_count, sizeof(double)),
                 iv_take(a, b->stratum_count, sizeof(double)),
                 iv_take(a, b->stratum_count, sizeof(cell)),
                 iv_take(a, b->stratum_count, sizeof(double)), 0, 0.0, 0.0 };
    return iv_taken(a, err);
}

int iv_recall_evidence(double *log_e, const iv_review_blocks *b, double target, bool upper,
                       iv_err *err)
{
    iv_arena a = { 0 };
    walk w;

    if (!(target >= 0.0 && target <= 1.0))
        return iv_fail(err, IV_EARG, "the target %g is not between 0 and 1", target);
    const int rc = start_walk(&w, &a, b, err);
    if (rc == IV_OK)
        *log_e = walk_evidence(&w, target, upper);
    iv_arena_free(&a);
    return rc;
}

/*
 * The last of the steps from the end at which the evidence rejects, without a gap: however
 * the truth lies, the first step beyond it must have been rejected for a limit to be wrong.
 */
static double walk_limit(walk *w, double log_needed, bool upper)
{
    int k = 0;

    while (k <= IV_ANYTIME_STEPS) {
        const double t = (double)(upper ? IV_ANYTIME_STEPS - k : k) / IV_ANYTIME_STEPS;
        if (walk_evidence(w, t, upper) < log_needed)
            break;
        k++;
    }
    k = k > 0 ? k - 1 : 0;
    return (double)(upper ? IV_ANYTIME_STEPS - k : k) / IV_ANYTIME_STEPS;
}

int iv_recall_anytime(iv_limits *out, const iv_review_blocks *b, double confidence,
                      bool one_sided, iv_err *err)
{
    iv_arena a = { 0 };
    walk w;

    IV_TRY(iv_check_confidence(&confidence, err));
    const double level = 1.0 - confidence;
    const int rc = start_walk(&w, &a, b, err);
    if (rc == IV_OK) {
        const double needed = -log(one_sided ? level : 0.5 * level);
        out->lower = walk_limit(&w, needed, false);
        out->upper = fmax(walk_limit(&w, needed, true), out->lower);
    }
    iv_arena_free(&a);
    return rc;
}

int iv_review_blocks_check(const iv_review_blocks *b, iv_err *err)
{
    if (b->stratum_count == 0)
        return iv_fail(err, IV_EARG, "no strata");
    for (size_t s = 0; s < b->stratum_count; s++) {
        int64_t left = b->size[s];
        if (left < 1 || left > IV_STRATUM_MAX)
            return iv_fail(err, IV_EARG, "stratum %zu has %" PRId64 " documents: from 1 to 2^40",
                           s + 1, left);
        for (size_t k = 0; k < b->count; k++) {
            const int64_t d = b->drawn[k * b->stratum_count + s];
            const int64_t x = b->found[k * b->stratum_count + s];
            if (d < 0 || x < 0 || x > d || d > left)
                return iv_fail(err, IV_EARG, "block %zu: %" PRId64 " relevant of %" PRId64
                               " judged, %" PRId64 " left in stratum %zu", k + 1, x, d, left,
                               s + 1);
            if (d == 0 && left > 0)
                return iv_fail(err, IV_EARG, "block %zu has no document of stratum %zu, which "
                               "is not finished", k + 1, s + 1);
            left -= d;
        }
    }
    return IV_OK;
}

/* --------------------------------------------------------------- anytime -- */

/*
 * Limits at any time of one count, and rules for ranked reviews.
 *
 * A count: pi_0(K) / pi_n(K), the prior's weight of the true number over the posterior's, is a
 * martingale of mean 1 whatever that number is, so it reaches 1 / alpha with probability at
 * most alpha (Waudby-Smith and Ramdas 2020).  For a beta-binomial prior the ratio is the
 * chance of the sample in its order under the prior over that under K, which has one peak in K.
 */

/* Is K kept?  needed: log of the least chance of the sample given K that keeps it. */
static bool kept(const iv_stratum *s, double needed, int64_t K)
{
    return iv_hyper_log_pmf(s->relevant, s->size, K, s->sampled) > needed;
}

/* The last K that is kept between one that is, in, and one that need not be, out. */
static int64_t last_kept(const iv_stratum *s, double needed, int64_t in, int64_t out)
{
    if (kept(s, needed, out))
        return out;
    while (in - out > 1 || out - in > 1) {
        const int64_t mid = in + (out - in) / 2;
        if (kept(s, needed, mid))
            in = mid;
        else
            out = mid;
    }
    return in;
}

int iv_anytime_count(int64_t *least, int64_t *most, iv_stratum s, double a, double b,
                     double confidence, iv_err *err)
{
    IV_TRY(iv_check_confidence(&confidence, err));
    const double level = 1.0 - confidence;
    if (s.relevant < 0 || s.relevant > s.sampled || s.sampled > s.size || s.size < 1
        || s.size > IV_STRATUM_MAX)
        return iv_fail(err, IV_EARG, "%" PRId64 " relevant of %" PRId64 " judged of %" PRId64
                       ": each at most the next, the last from 1 to 2^40", s.relevant, s.sampled,
                       s.size);
    if (a == 0.0 && b == 0.0)
        a = b = 0.5;
    if (!(a > 0.0 && b > 0.0 && isfinite(a + b)))
        return iv_fail(err, IV_EARG, "the prior %g, %g is not above 0", a, b);
    const int64_t first = s.relevant, last = s.size - (s.sampled - s.relevant);
    /* The most likely number, which no ratio excludes before it has met the prior's. */
    const double share = s.sampled > 0 ? (double)s.relevant / (double)s.sampled : 0.5;
    int64_t peak = (int64_t)(share * ((double)s.size + 1.0));
    peak = peak < first ? first : peak > last ? last : peak;
    const double needed = log(level) + iv_betabin_log_curve((double)s.relevant, s.sampled, a, b);
    *least = last_kept(&s, needed, peak, first);
    *most = last_kept(&s, needed, peak, last);
    return IV_OK;
}

/* ---------------------------------------------------- ranked reviews -- */

int64_t iv_qbcb_needed(int64_t known, double target, double confidence)
{
    const double level = 1.0 - (confidence == 0.0 ? 0.95 : confidence);

    if (known < 1 || !(target > 0.0 && target < 1.0) || !(level > 0.0 && level < 1.0))
        return 0;
    /* P(Bin(known, target) >= j) <= level: fewer than j unless recall is above the target. */
    const int64_t j = iv_binom_isf(level, known, target) + 1;
    return j <= known ? j : 0;
}

double iv_stop_p(int64_t found, iv_stratum left, double target)
{
    if (found < 0 || left.relevant < 0 || left.relevant > left.sampled
        || left.sampled > left.size || left.size > IV_STRATUM_MAX
        || !(target > 0.0 && target <= 1.0))
        return (double)NAN;
    /* The least number of relevant ones left, at the start of the sample, that makes recall
     * miss the target now. */
    const double most = floor((double)(found + left.relevant) / target - (double)found) + 1.0;
    if (most > (double)(left.size - left.sampled + left.relevant))
        return 0.0; /* so many cannot be left */
    return iv_hyper_cdf(left.relevant, left.size, (int64_t)most, left.sampled);
}

double iv_rank_sum_p(double sum, double count, double n)
{
    const double variance = count * (n - count) * (n + 1.0) / 12.0;

    return variance > 0.0
        ? 2.0 * iv_norm_sf(fabs(sum - 0.5 * count * (n + 1.0)) / sqrt(variance)) : 1.0;
}

/* ----------------------------------------------------------------- looks -- */

/*
 * Planned looks: bounds of a normal statistic that is watched at some fractions.
 *
 * S(t) has independent normal increments of variance t.  The density of S at a look, of the
 * paths that were below every bound before, is the last look's density convolved with the
 * increment's (Armitage, McPherson and Rowe 1969); it is kept on a grid of Gauss-Legendre
 * panels no wider than an increment's standard deviation, on which it is smooth.
 */

IV_NAMES(iv_look_shape_names, "obrien-fleming", "pocock", "spend-obrien-fleming", "spend-pocock")

enum { NODES = 8, PANELS_MOST = 1000 };

/* Beyond this many standard deviations below 0 the paths do not matter (1e-15). */
static const double reach = 8.0;

static const double node[NODES / 2] = { 0.1834346424956498, 0.5255324099163290,
                                        0.7966664774136267, 0.9602898564975363 };
static const double weight[NODES / 2] = { 0.3626837833783620, 0.3137066458778873,
                                          0.2223810344533745, 0.1012285362903763 };

/* The paths that go on after a look: points, and density times weight there. */
typedef struct paths {
    double *at, *mass;
    size_t count;
    double t; /* the fraction; 0: all at 0 */
} paths;

static double density(double x)
{
    return exp(-0.5 * x * x) * 0.39894228040143267794;
}

/* The chance to be at or beyond `bound` at fraction t, of those that went on. */
static double beyond(const paths *p, double t, double bound)
{
    const double sd = sqrt(t - p->t);
    double sum = 0.0;

    if (p->t == 0.0)
        return iv_norm_sf(bound / sd);
    for (size_t i = 0; i < p->count; i++)
        sum += p->mass[i] * iv_norm_sf((bound - p->at[i]) / sd);
    return sum;
}

/* next: the paths of p that are below bound at t. */
static void go_on(paths *next, const paths *p, double t, double bound)
{
    const double sd = sqrt(t - p->t), low = fmin(-reach * sqrt(t), bound - reach * sd);
    const size_t panels = (size_t)fmin(ceil((bound - low) / sd), PANELS_MOST);
    const double half = (bound - low) / (2.0 * (double)panels);

    next->count = panels * NODES;
    next->t = t;
    for (size_t i = 0; i < next->count; i++) {
        const size_t k = i % NODES, n = k < NODES / 2 ? k : k - NODES / 2;
        const double x = low + half * ((double)(2 * (i / NODES) + 1)
                                       + (k < NODES / 2 ? node[n] : -node[n]));
        double f = 0.0;
        if (p->t == 0.0)
            f = density(x / sd);
        for (size_t j = 0; p->t > 0.0 && j < p->count; j++) {
            const double z = (x - p->at[j]) / sd;
            if (fabs(z) < reach + 1.0)
                f += p->mass[j] * density(z);
        }
        next->at[i] = x;
        next->mass[i] = half * weight[n] * f / sd;
    }
}

static double spending(iv_look_shape shape, double level, double t)
{
    return shape == IV_LOOKS_SPEND_POCOCK
        ? level * log1p(t * expm1(1.0))
        : 2.0 * iv_norm_sf(iv_norm_isf(0.5 * level) / sqrt(t));
}

typedef struct search {
    const paths *p;
    double t, error; /* to be spent at this look */
    /* of a whole plan: */
    const double *fractions;
    size_t count;
    iv_look_shape shape;
    double level;
    paths *room; /* two, to go on in */
} search;

static double miss(double bound, void *user)
{
    const search *s = user;

    return beyond(s->p, s->t, bound) - s->error;
}

static double fixed_z(iv_look_shape shape, double c, double t)
{
    return shape == IV_LOOKS_POCOCK ? c : c / sqrt(t);
}

/* The error of all looks with the constant c, less the level. */
static double plan_miss(double c, void *user)
{
    const search *s = user;
    paths now = { .t = 0.0 };
    double sum = 0.0;

    for (size_t k = 0; k < s->count; k++) {
        const double t = s->fractions[k], bound = fixed_z(s->shape, c, t) * sqrt(t);
        sum += beyond(&now, t, bound);
        paths *next = &s->room[k % 2];
        if (k + 1 < s->count) {
            go_on(next, &now, t, bound);
            now = *next;
        }
    }
    return sum - s->level;
}

static int set_looks(iv_look *out, search *s, iv_err *err)
{
    const bool fixed = s->shape == IV_LOOKS_OBRIEN_FLEMING || s->shape == IV_LOOKS_POCOCK;
    paths now = { .t = 0.0 };
    double spent = 0.0, c = 0.0;

    if (fixed && s->count == 1)
        c = iv_norm_isf(s->level);
    else if (fixed)
        IV_TRY(iv_find_root(&c, plan_miss, s, iv_norm_isf(s->level),
                            iv_norm_isf(s->level / (double)s->count) + 1e-9, err));
    for (size_t k = 0; k < s->count; k++) {
        const double t = s->fractions[k];
        double bound = fixed_z(s->shape, c, t) * sqrt(t);
        s->p = &now;
        s->t = t;
        s->error = fixed ? beyond(&now, t, bound) : spending(s->shape, s->level, t) - spent;
        /* An error below 1e-12 is none: its bound is beyond what can be reached. */
        if (!fixed && s->error < 1e-12)
            bound = 8.0 * sqrt(t);
        else if (!fixed)
            IV_TRY(iv_find_root(&bound, miss, s, -reach * sqrt(t), 9.0 * sqrt(t), err));
        spent += s->error;
        const double z = bound / sqrt(t);
        out[k] = (iv_look){ t, z, iv_norm_sf(z), spent };
        if (k + 1 < s->count) {
            go_on(&s->room[k % 2], &now, t, bound);
            now = s->room[k % 2];
        }
    }
    return IV_OK;
}

static int check(const double *fractions, size_t count, iv_look_shape shape, double level,
                 iv_err *err)
{
    if (count < 1 || count > IV_LOOKS_MOST)
        return iv_fail(err, IV_EARG, "%zu interim analyses: from 1 to %d", count,
                       (int)IV_LOOKS_MOST);
    if (!(level > 0.0 && level < 0.5))
        return iv_fail(err, IV_EARG, "the level %g is not between 0 and 0.5", level);
    if ((int)shape < 0 || shape > IV_LOOKS_SPEND_POCOCK)
        return iv_fail(err, IV_EARG, "no shape of interim analyses has the number %d", (int)shape);
    for (size_t k = 0; fractions != NULL && k < count; k++) {
        if (!(fractions[k] > (k == 0 ? 0.0 : fractions[k - 1]) && fractions[k] <= 1.0))
            return iv_fail(err, IV_EARG, "fraction %g of analysis %zu: fractions rise from above 0 "
                           "to at most 1", fractions[k], k + 1);
    }
    if (fractions != NULL && shape <= IV_LOOKS_POCOCK && fractions[count - 1] < 1.0)
        return iv_fail(err, IV_EARG, "the last analysis of %s is at fraction 1, not %g",
                       iv_look_shape_names()[shape], fractions[count - 1]);
    return IV_OK;
}

int iv_looks_of(iv_look *out, const double *fractions, size_t count, iv_look_shape shape,
                double level, iv_err *err)
{
    iv_arena a = { 0 };
    paths room[2];
    iv_look found[IV_LOOKS_MOST];

    IV_TRY(check(fractions, count, shape, level, err));
    double *equal = iv_take(&a, count, sizeof *equal);
    for (int i = 0; i < 2; i++)
        room[i] = (paths){ iv_take(&a, NODES * PANELS_MOST, sizeof(double)),
                           iv_take(&a, NODES * PANELS_MOST, sizeof(double)), 0, 0.0 };
    int rc = iv_taken(&a, err);
    for (size_t k = 0; rc == IV_OK && k < count; k++)
        equal[k] = fractions != NULL ? fractions[k] : (double)(k + 1) / (double)count;
    search s = { .fractions = equal, .count = count, .shape = shape, .level = level,
                 .room = room };
    if (rc == IV_OK)
        rc = set_looks(found, &s, err);
    for (size_t k = 0; rc == IV_OK && k < count; k++)
        out[k] = found[k];
    iv_arena_free(&a);
    return rc;
}
