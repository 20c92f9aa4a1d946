/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evidence about recall that may be looked at after every block of judgments.
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
#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "stat/sequential/sequential_parts.h"

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
        const iv_review_stratum *t = &b->strata[s];
        const bool usual = t->a == 0.0 && t->b == 0.0;
        const double pa = usual ? 0.5 : t->a, pb = usual ? 0.5 : t->b;
        const double c = (upper ? -1.0 : 1.0) * (t->retrieved ? 1.0 - target : -target);
        const double left = (double)t->size - w->n[s];
        w->C -= c * w->r[s];
        w->bulk += fabs(c) * (double)t->size;
        if (left <= 0.0 || c == 0.0)
            continue;
        const size_t at = k * b->stratum_count + s;
        w->found[w->count] = k < b->count ? (double)b->found[at] : 0.0;
        w->cells[w->count++] = (cell){ c * left, k < b->count ? (double)b->drawn[at] : 0.0,
                                       (w->r[s] + pa) / (w->n[s] + pa + pb) };
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

int iv_recall_anytime(iv_recall_interval *out, const iv_review_blocks *b, double confidence,
                      bool one_sided, iv_err *err)
{
    const double level = 1.0 - (confidence == 0.0 ? 0.95 : confidence);
    iv_arena a = { 0 };
    walk w;

    if (!(level > 0.0 && level < 1.0))
        return iv_fail(err, IV_EARG, "the confidence %g is not between 0 and 1", confidence);
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
        const iv_review_stratum *t = &b->strata[s];
        int64_t left = t->size;
        if (t->size < 1 || t->size > IV_STRATUM_MAX)
            return iv_fail(err, IV_EARG, "stratum %zu has %" PRId64 " documents: from 1 to 2^40",
                           s + 1, t->size);
        if ((t->a != 0.0 || t->b != 0.0) && !(t->a > 0.0 && t->b > 0.0 && isfinite(t->a + t->b)))
            return iv_fail(err, IV_EARG, "stratum %zu: the guess %g, %g is not above 0", s + 1,
                           t->a, t->b);
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
