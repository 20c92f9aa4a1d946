/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Posteriors of metrics, exactly, and comparisons of two of them.
 *
 * Precision, recall, specificity and accuracy are beta variables.  F_beta has odds that are those
 * of B ~ Beta(tp, fp + fn) times (1 + b^2) / (b^2 (1 - w) + w), w ~ Beta(fp, fn) independent of B:
 * a mixture over w of betas with scaled odds; of F_1 the factor is 2 whatever w is.
 *
 * Expectations over a variable are integrals over its distribution function p by the tanh-sinh
 * rule, whose nodes are quantiles: smooth where the other function is.  Two systems on the same
 * items have (pi_a, pi_b, rest) ~ Dirichlet(a, b, r): W = pi_a / (pi_a + pi_b) ~ Beta(a, b) is
 * independent of S = pi_a + pi_b ~ Beta(a + b, r), so P(pi_a > pi_b) is an incomplete beta
 * function and P(pi_a - pi_b <= x) = E P(2 W - 1 <= x / S).
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/linear.h"
#include "num/logit.h"
#include "num/solve.h"
#include "stat/interval_methods.h"
#include "stat/prf/prf_counts.h"
#include "stat/prf/prf_draws.h"
#include "stat/prf/prf_posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = IV_POSTERIOR_NODES, MIDDLE = NODES / 2 };
static const double node_step = 1.0 / 12.0;

/* Node k of the tanh-sinh rule on (0, 1): the distance to the nearer end, and the weight. */
static double node(double *weight, int k)
{
    const double t = (k - MIDDLE) * node_step, half_pi = 1.5707963267948966;
    const double s = half_pi * sinh(fabs(t)), near = 1.0 / (1.0 + exp(2.0 * s));

    *weight = 2.0 * node_step * half_pi * cosh(t) * near * (1.0 - near);
    return near;
}

/* ------------------------------------------------------------- one posterior -- */

double iv_posterior_tail(const iv_posterior *p, double x, double rest, bool above)
{
    double sum = 0.0;

    if (!(x > 0.0 && rest > 0.0))
        return (x > 0.0) != above ? 1.0 : 0.0;
    for (size_t i = 0; i < p->count; i++) {
        const double d = x + p->odds[i] * rest, b = x / d;
        sum += p->part[i] * (above ? iv_beta_sf(b, p->a, p->b) : iv_beta_cdf(b, p->a, p->b));
    }
    return fmin(1.0, sum);
}

/* The logarithm of the density, inside (0, 1). */
static double log_density_at(const iv_posterior *p, double x, double rest)
{
    double most = -INFINITY, sum = 0.0, one[NODES];

    for (size_t i = 0; i < p->count; i++) {
        const double k = p->odds[i], d = x + k * rest;
        one[i] = log(p->part[i]) + p->b * log(k) + (p->a - 1.0) * log(x)
                 + (p->b - 1.0) * log(rest) - (p->a + p->b) * log(d);
        most = fmax(most, one[i]);
    }
    for (size_t i = 0; i < p->count; i++)
        sum += exp(one[i] - most);
    return most + log(sum) - iv_log_beta(p->a, p->b);
}

/* The same at an end, where the density goes like a power. */
static double log_density_end(const iv_posterior *p, bool upper)
{
    const double power = upper ? p->b : p->a;

    if (power != 1.0)
        return power < 1.0 ? INFINITY : -INFINITY;
    return upper ? log_density_at(p, 1.0, 1e-300) : log_density_at(p, 1e-300, 1.0);
}

double iv_posterior_log_density(const iv_posterior *p, double x)
{
    if (isnan(x))
        return NAN;
    if (x < 0.0 || x > 1.0)
        return -INFINITY;
    return x == 0.0 || x == 1.0 ? log_density_end(p, x == 1.0) : log_density_at(p, x, 1.0 - x);
}

/* X and 1 - X where the odds of B are scaled by k; b is B or 1 - B. */
static void scale(double *x, double *rest, double b, bool from_one, double k)
{
    const double low = from_one ? 1.0 - b : b, high = from_one ? b : 1.0 - b, d = high + k * low;

    *x = k * low / d;
    *rest = high / d;
}

/* Where a root is looked for: of the tail of a; of the distribution function of a - b at
 * from_2 - 2, so that one near 0 is found to 1e-16, not beyond; or of that of pairs. */
typedef struct search {
    const iv_posterior *a, *b; /* NULL: paired */
    iv_paired_cells cells;
    const iv_posterior *s;
    double wanted;
    bool above; /* the tail is */
} search;

static double off_tail(double logit, void *user)
{
    const search *w = user;

    return (iv_posterior_tail(w->a, iv_logistic(logit), iv_logistic(-logit), w->above) - w->wanted)
           * (w->above ? -1.0 : 1.0);
}

/* The quantile whose tail, below or above, is `tail`; of mixtures by a root on the logit scale. */
static void quantile_of(double *x, double *rest, const iv_posterior *p, double tail, bool above)
{
    double low = INFINITY, high = -INFINITY, root = 0.0;
    search w = { .a = p, .wanted = tail, .above = above };

    for (size_t i = 0; i < p->count; i++) {
        /* From the other end where the quantile is nearer to it, so that 1 - x has its digits. */
        const double b = above ? iv_beta_quantile(tail, p->b, p->a)
                               : iv_beta_quantile(tail, p->a, p->b);
        scale(x, rest, b, above, p->odds[i]);
        const double l = log(fmax(*x, 1e-300)) - log(fmax(*rest, 1e-300));
        low = fmin(low, l);
        high = fmax(high, l);
    }
    if (p->count == 1 || !(high - low > 1e-12)
        || iv_find_root(&root, off_tail, &w, low - 1e-9, high + 1e-9, NULL) != IV_OK)
        return;
    *x = iv_logistic(root);
    *rest = iv_logistic(-root);
}

double iv_posterior_quantile(const iv_posterior *p, double q)
{
    double x = q, rest = 1.0 - q;

    if (!(q >= 0.0 && q <= 1.0))
        return NAN;
    if (q > 0.0 && q < 1.0)
        quantile_of(&x, &rest, p, q <= 0.5 ? q : 1.0 - q, q > 0.5);
    return x;
}

/* Nodes and the mean. */
static void finish(iv_posterior *p)
{
    double mean = 0.0;

    for (int k = 0; k < NODES; k++) {
        const double near = node(&p->weight[k], k);
        quantile_of(&p->x[k], &p->rest[k], p, near, k > MIDDLE);
        mean += p->weight[k] * p->x[k];
    }
    p->mean = p->count == 1 && p->odds[0] == 1.0 ? p->a / (p->a + p->b) : mean;
}

static void fill_beta(iv_posterior *p, double a, double b, double odds)
{
    p->a = a;
    p->b = b;
    p->count = 1;
    p->odds[0] = odds;
    p->part[0] = 1.0;
}

/* Components at the nodes of w. */
static void fill_f_beta(iv_posterior *p, const iv_prf_cells *c, double b2)
{
    double all = 0.0;

    fill_beta(p, c->tp, c->fp + c->fn, 1.0);
    p->count = 0;
    for (int k = 0; k < NODES; k++) {
        double weight;
        const double near = node(&weight, k);
        const double q = k > MIDDLE ? iv_beta_quantile(near, c->fn, c->fp)
                                    : iv_beta_quantile(near, c->fp, c->fn);
        const double w = k > MIDDLE ? 1.0 - q : q, rest = k > MIDDLE ? q : 1.0 - q;
        p->odds[p->count] = (1.0 + b2) / (b2 * rest + w);
        p->part[p->count++] = weight;
        all += weight;
    }
    for (size_t i = 0; i < p->count; i++)
        p->part[i] /= all;
}

void iv_posterior_beta(iv_posterior *p, double a, double b)
{
    fill_beta(p, a, b, 1.0);
    finish(p);
}

void iv_posterior_prf(iv_posterior *p, const iv_prf_cells *c, iv_prf_metric m)
{
    if (m.kind == IV_PRF_F && m.beta != 1.0)
        fill_f_beta(p, c, m.beta * m.beta);
    else if (m.kind == IV_PRF_F)
        fill_beta(p, c->tp, c->fp + c->fn, 2.0);
    else if (m.kind == IV_PRF_ACCURACY)
        fill_beta(p, c->tp + c->tn, c->fp + c->fn, 1.0);
    else
        fill_beta(p, m.kind == IV_PRF_SPECIFICITY ? c->tn : c->tp,
                  m.kind == IV_PRF_RECALL ? c->fn : c->fp, 1.0);
    finish(p);
}

/* ------------------------------------------------------------ mode, intervals -- */

/* The derivative of the log density by the logit, at a logit; of one component in closed form.
 * user: the posterior's place. */
static double slope(double logit, void *user)
{
    const iv_posterior *p = *(const iv_posterior **)user;
    const double x = iv_logistic(logit), rest = iv_logistic(-logit);
    double sum = 0.0, all = 0.0, most = -INFINITY, one[NODES];

    for (size_t i = 0; i < p->count; i++) {
        one[i] = log(p->part[i]) + p->b * log(p->odds[i])
                 - (p->a + p->b) * log(x + p->odds[i] * rest);
        most = fmax(most, one[i]);
    }
    for (size_t i = 0; i < p->count; i++) {
        const double k = p->odds[i], share = exp(one[i] - most);
        const double s = (p->a - 1.0) * rest - (p->b - 1.0) * x
                         - (p->a + p->b) * (1.0 - k) * x * rest / (x + k * rest);
        sum += share * s;
        all += share;
    }
    return sum / all;
}

static double logit_at(const iv_posterior *p, size_t k)
{
    return log(p->x[k]) - log(p->rest[k]);
}

/* The node of the largest density; at an end where none inside is denser. */
static size_t densest_node(const iv_posterior *p)
{
    size_t best = 0;
    double most = -INFINITY;

    for (size_t k = 0; k < NODES; k++) {
        const double here = log_density_at(p, p->x[k], p->rest[k]);
        if (here > most) {
            most = here;
            best = k;
        }
    }
    return best;
}

double iv_posterior_mode(const iv_posterior *p)
{
    double root;

    if ((p->a < 1.0 && p->b < 1.0)
        || (p->count == 1 && p->odds[0] == 1.0 && p->a == 1.0 && p->b == 1.0))
        return NAN;
    if (p->a < 1.0 || p->b < 1.0)
        return p->a < 1.0 ? 0.0 : 1.0;
    if (p->count == 1 && p->odds[0] == 1.0)
        return (p->a - 1.0) / (p->a + p->b - 2.0);
    const size_t best = densest_node(p);
    double low = logit_at(p, best > 0 ? best - 1 : 0);
    double high = logit_at(p, best + 1 < NODES ? best + 1 : best);
    if (p->a == 1.0 && slope(low, &p) <= 0.0)
        return 0.0;
    if (p->b == 1.0 && slope(high, &p) >= 0.0)
        return 1.0;
    if (iv_find_root(&root, slope, &p, low, high, NULL) != IV_OK)
        return p->x[best];
    return iv_logistic(root);
}

iv_limits iv_posterior_interval(const iv_posterior *p, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence);
    iv_limits out;
    double rest;

    quantile_of(&out.lower, &rest, p, tail, false);
    quantile_of(&out.upper, &rest, p, tail, true);
    return out;
}

/* ---------------------------------------------------------------- differences -- */

/*
 * P(A - B <= x): over B's nodes, of A's distribution at B + x.  Where that leaves (0, 1) inside
 * B's range, and not smoothly, the rule is cut there: nodes are then quantiles of B's part.
 */
static double gap_below(const iv_posterior *a, const iv_posterior *b, double x)
{
    const double from = fmax(0.0, -x), to = fmin(1.0, 1.0 - x);
    const double low = iv_posterior_tail(b, from, 1.0 - from, false);
    const double high = iv_posterior_tail(b, to, 1.0 - to, true);
    const bool cut = (low > 1e-13 && a->a < 8.0) || (high > 1e-13 && a->b < 8.0);
    double sum = cut ? high : 0.0; /* where B + x is above 1 */

    if (!(from < to))
        return x < 0.0 ? 0.0 : 1.0;
    for (int k = 0; k < NODES; k++) {
        double weight = b->weight[k], at = b->x[k], rest = b->rest[k];
        if (cut) {
            const double near = node(&weight, k), all = 1.0 - low - high;
            const double below = low + all * (k > MIDDLE ? 1.0 - near : near);
            const double above = high + all * (k > MIDDLE ? near : 1.0 - near);
            weight *= all;
            quantile_of(&at, &rest, b, fmin(below, above), below > above);
        }
        if (weight > 1e-15)
            sum += weight * iv_posterior_tail(a, at + x, rest - x, false);
    }
    return fmin(1.0, fmax(0.0, sum));
}

static double spread_of(const iv_posterior *p)
{
    double sum = 0.0;

    for (int k = 0; k < NODES; k++)
        sum += p->weight[k] * (p->x[k] - p->mean) * (p->x[k] - p->mean);
    return sqrt(sum);
}

/* Over the narrower of the two. */
double iv_posterior_gap_below(const iv_posterior *a, const iv_posterior *b, double x)
{
    return spread_of(b) <= spread_of(a) ? gap_below(a, b, x) : 1.0 - gap_below(b, a, -x);
}

double iv_posterior_greater(const iv_posterior *a, const iv_posterior *b)
{
    const bool over_b = spread_of(b) <= spread_of(a);
    const iv_posterior *over = over_b ? b : a, *other = over_b ? a : b;
    double sum = 0.0;

    for (int k = 0; k < NODES; k++)
        sum += over->weight[k] * iv_posterior_tail(other, over->x[k], over->rest[k], over_b);
    return a == b ? 0.5 : fmin(1.0, sum);
}

static double gap_excess(double from_2, void *user)
{
    const search *g = user;
    const double x = from_2 - 2.0;

    if (x <= -1.0 || x >= 1.0)
        return (x <= -1.0 ? 0.0 : 1.0) - g->wanted;
    return (g->a != NULL ? iv_posterior_gap_below(g->a, g->b, x)
                         : iv_paired_gap_below(g->cells, g->s, x)) - g->wanted;
}

/* The x at which the distribution function is q; looks near a guess first. */
static int gap_quantile(double *out, search *g, double q, double guess, double step,
                        iv_err *err)
{
    double low = fmax(1.0, guess + 2.0 - step), high = fmin(3.0, guess + 2.0 + step);
    double root = 2.0;

    g->wanted = q;
    while (low > 1.0 && gap_excess(low, g) > 0.0) {
        high = low;
        step *= 2.0;
        low = fmax(1.0, low - step);
    }
    while (high < 3.0 && gap_excess(high, g) < 0.0) {
        low = high;
        step *= 2.0;
        high = fmin(3.0, high + step);
    }
    IV_TRY(iv_find_root(&root, gap_excess, g, low, high, err));
    *out = root - 2.0;
    return IV_OK;
}

/* The difference d with both limits, looked for z standard deviations away. */
static int gap_limits(iv_interval *out, search *g, double d, double sd, double z, double tail,
                      iv_err *err)
{
    *out = (iv_interval){ .value = d };
    IV_TRY(gap_quantile(&out->lower, g, tail, d - z * sd, 0.1 * sd, err));
    return gap_quantile(&out->upper, g, 1.0 - tail, d + z * sd, 0.1 * sd, err);
}

int iv_posterior_compare(double *greater, iv_interval *gap, const iv_posterior *a,
                         const iv_posterior *b, double confidence, iv_err *err)
{
    const double tail = 0.5 * (1.0 - confidence), z = iv_norm_isf(tail);
    const double sd = hypot(spread_of(a), spread_of(b));
    const double d = a->mean - b->mean;
    search g = { .a = a, .b = b };

    *greater = iv_posterior_greater(a, b);
    return gap_limits(gap, &g, d, sd, z, tail, err);
}

/* ------------------------------------------------------------ the same items -- */

double iv_paired_greater(iv_paired_cells c)
{
    return iv_beta_cdf(0.5, c.b, c.a);
}

double iv_paired_difference(iv_paired_cells c)
{
    return (c.a - c.b) / (c.a + c.b + c.rest);
}

double iv_paired_log_odds(iv_paired_cells c)
{
    return iv_digamma(c.a) - iv_digamma(c.b);
}

/* P(S (2 W - 1) <= x).  S below |x| cannot reach x: where that matters and is not smooth, the rule
 * is cut there. */
double iv_paired_gap_below(iv_paired_cells c, const iv_posterior *of, double x)
{
    const double least = fabs(x), all = iv_posterior_tail(of, least, 1.0 - least, true);
    const bool cut = all < 1.0 - 1e-13 && (x >= 0.0 ? c.b : c.a) < 8.0;
    double sum = cut && x >= 0.0 ? 1.0 - all : 0.0;

    for (int k = 0; k < NODES; k++) {
        double weight = of->weight[k], s = of->x[k], rest;
        if (cut) {
            const double near = node(&weight, k), above = all * (k > MIDDLE ? near : 1.0 - near);
            weight *= all;
            quantile_of(&s, &rest, of, fmin(above, 1.0 - above), above < 0.5);
        }
        const double share = x / s; /* of 2 W - 1 */
        if (weight > 1e-15)
            sum += weight * (share < 0.0 ? iv_beta_cdf(0.5 * fmax(0.0, 1.0 + share), c.a, c.b)
                         : iv_beta_sf(0.5 * fmax(0.0, 1.0 - share), c.b, c.a));
    }
    return fmin(1.0, sum);
}

int iv_paired_compare(double *greater, iv_interval *gap, iv_paired_cells c, double confidence,
                      iv_err *err)
{
    const double n = c.a + c.b + c.rest, d = iv_paired_difference(c);
    const double sd = sqrt(fmax((c.a + c.b) / n - d * d, 1e-12) / (n + 1.0));
    const double tail = 0.5 * (1.0 - confidence), z = iv_norm_isf(tail);
    iv_posterior s;
    search g = { .cells = c, .s = &s };

    iv_posterior_beta(&s, c.a + c.b, c.rest);
    *greater = iv_paired_greater(c);
    return gap_limits(gap, &g, d, sd, z, tail, err);
}

/*
 * Draws: of metrics without a closed form, of all systems on the same items together; and what
 * draws say.
 *
 * Systems on the same items have a Dirichlet posterior over the cells gold x answer of system 1 x
 * ... x answer of system S, of two classes each.  Its prior spreads right + wrong over each row of
 * gold: a system alone is right with prior share right / (right + wrong), independently of the
 * others, so each system's confusion matrix has the prior of the paper.  Few cells are drawn one by
 * one; many as a Dirichlet process with this prior as its base: observed cells get gamma weights by
 * their counts, and what the prior adds is broken off stick by stick (Sethuraman 1994) until 1e-12
 * of it is left.
 */

enum { DRAW_BLOCK = 1024, /* draws of one stream */
       FEW_SYSTEMS = 5 }; /* 64 cells */

/* Shapes below this may give gamma draws of 0; their logarithms do not. */
static const double small_shape = 0.1;

static double log_gamma_draw(iv_stream *s, double shape)
{
    const double above = log(iv_draw_gamma(s, shape + 1.0));

    return above + log(iv_draw_uniform_open(s)) / shape;
}

/* Four gamma variables, scaled by a common factor. */
static void draw_cells(double x[4], iv_stream *s, const iv_prf_cells *c)
{
    const double shape[4] = { c->tp, c->fp, c->fn, c->tn };
    const int count = c->tn > 0.0 ? 4 : 3;
    double most = -INFINITY, least = INFINITY;

    x[3] = 0.0;
    for (int i = 0; i < count; i++)
        least = fmin(least, shape[i]);
    for (int i = 0; i < count; i++) {
        x[i] = least >= small_shape ? iv_draw_gamma(s, shape[i]) : log_gamma_draw(s, shape[i]);
        most = fmax(most, x[i]);
    }
    for (int i = 0; i < count && least < small_shape; i++)
        x[i] = exp(x[i] - most);
}

static double or_coin(double value, iv_stream *s, double chance)
{
    return isnan(value) ? (iv_draw_uniform(s) < chance ? 1.0 : 0.0) : value;
}

/* ------------------------------------------------------------- the same items -- */

static size_t stride(const iv_prf_joint *j)
{
    return j->systems + 1;
}

static uint64_t hash_row(const int32_t *row, size_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15u;

    for (size_t i = 0; i < n; i++) {
        h ^= (uint64_t)(uint32_t)row[i];
        h *= 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

/* Gathers equal rows; cells come in the order of their first item. */
static int gather(iv_prf_joint *j, iv_arena *own, size_t items, iv_err *err)
{
    size_t slots = 16;

    while (slots < 2 * items)
        slots *= 2;
    size_t *table = iv_take(own, slots, sizeof *table); /* index of a cell + 1 */
    int32_t *rows = j->label;
    j->alpha = iv_take(own, items, sizeof *j->alpha);
    IV_TRY(iv_taken(own, err));
    const size_t n = stride(j), bytes = n * sizeof *rows;
    for (size_t i = 0; i < items; i++) {
        size_t at = (size_t)hash_row(rows + i * n, n) & (slots - 1);
        while (table[at] != 0 && memcmp(rows + (table[at] - 1) * n, rows + i * n, bytes) != 0)
            at = (at + 1) & (slots - 1);
        if (table[at] == 0) { /* cells <= i: the row moves down or stays */
            memmove(rows + j->cells * n, rows + i * n, bytes);
            table[at] = ++j->cells;
        }
        j->alpha[table[at] - 1] += 1.0;
    }
    return IV_OK;
}

/* Lists all cells with their prior, so that no stick is left to break. */
static int complete(iv_prf_joint *j, iv_arena *own, iv_err *err)
{
    const size_t n = stride(j), all = (size_t)1 << n;
    int32_t *label = iv_take(own, all * n, sizeof *label);
    double *alpha = iv_take(own, all, sizeof *alpha);

    IV_TRY(iv_taken(own, err));
    for (size_t c = 0; c < all; c++) {
        alpha[c] = 0.5 * j->rest;
        for (size_t s = 0; s < n; s++) {
            label[c * n + s] = (int32_t)(c >> s & 1);
            if (s > 0)
                alpha[c] *= label[c * n + s] == label[c * n] ? j->right : 1.0 - j->right;
        }
    }
    for (size_t c = 0; c < j->cells; c++) {
        size_t code = 0;
        for (size_t s = 0; s < n; s++)
            code |= (size_t)j->label[c * n + s] << s;
        alpha[code] += j->alpha[c];
    }
    j->label = label;
    j->alpha = alpha;
    j->cells = all;
    j->rest = 0.0;
    return IV_OK;
}

int iv_prf_joint_of(iv_prf_joint *j, iv_arena *own, const iv_prf_items *items, int32_t klass,
                    const size_t *systems, size_t count, iv_prf_prior prior, iv_err *err)
{
    count = systems != NULL ? count : items->systems;
    int32_t *rows = iv_take(own, items->items * (count + 1), sizeof *rows);

    IV_TRY(iv_taken(own, err));
    *j = (iv_prf_joint){ .systems = count, .rest = 2.0 * (prior.right + prior.wrong),
                         .right = prior.right / (prior.right + prior.wrong), .label = rows };
    for (size_t i = 0; i < items->items; i++) {
        const int32_t *from = items->labels + i * (items->systems + 1);
        for (size_t s = 0; s <= count; s++)
            rows[i * (count + 1) + s] = from[s == 0 ? 0 : 1 + (systems != NULL ? systems[s - 1]
                                                                               : s - 1)] == klass;
    }
    IV_TRY(gather(j, own, items->items, err));
    return count <= FEW_SYSTEMS ? complete(j, own, err) : IV_OK;
}

/* Weights of a system's outcomes. */
typedef struct tally {
    double *tp, *fp, *fn; /* of each system */
    double total;
    int32_t *cell;        /* of a stick's piece */
} tally;

static void add(tally *t, size_t systems, const int32_t *label, double weight)
{
    t->total += weight;
    for (size_t s = 0; s < systems; s++) {
        if (label[1 + s] == label[0])
            t->tp[s] += label[0] ? weight : 0.0;
        else
            *(label[0] ? &t->fn[s] : &t->fp[s]) += weight;
    }
}

static void draw_tally(tally *t, iv_stream *s, const iv_prf_joint *j)
{
    const size_t n = j->systems;

    for (size_t i = 0; i < n; i++)
        t->tp[i] = t->fp[i] = t->fn[i] = 0.0;
    t->total = 0.0;
    for (size_t c = 0; c < j->cells; c++)
        add(t, n, j->label + c * stride(j), iv_draw_gamma(s, j->alpha[c]));
    if (j->rest == 0.0)
        return;
    const double stick = iv_draw_gamma(s, j->rest);
    for (double left = stick; left > 1e-12 * stick;) {
        const double piece = left * iv_draw_beta(s, 1.0, j->rest);
        t->cell[0] = iv_draw_uniform(s) < 0.5;
        for (size_t i = 1; i <= n; i++) /* each system is right by its prior share */
            t->cell[i] = iv_draw_uniform(s) < j->right ? t->cell[0] : !t->cell[0];
        add(t, n, t->cell, piece);
        left -= piece;
    }
}

/* Metrics to draw, of a system's cells or of all systems together. */
typedef struct drawing {
    double *out;
    const iv_prf_cells *cells; /* NULL: */
    const iv_prf_joint *joint;
    const iv_prf_metric *metrics;
    size_t count, draws;
    uint64_t seed;
    uint32_t stream;
} drawing;

static void *tally_new(iv_arena *own, void *user)
{
    const drawing *d = user;
    const size_t n = d->cells != NULL ? 1 : d->joint->systems;
    tally *t = iv_take(own, 1, sizeof *t);

    if (t != NULL)
        *t = (tally){ iv_take(own, n, sizeof(double)), iv_take(own, n, sizeof(double)),
                      iv_take(own, n, sizeof(double)), 0.0, iv_take(own, n + 1, sizeof(int32_t)) };
    return own->failed ? NULL : t;
}

static void draw_alone(const drawing *d, iv_stream *s, size_t i)
{
    double x[4];

    draw_cells(x, s, d->cells);
    for (size_t m = 0; m < d->count; m++)
        d->out[m * d->draws + i] = or_coin(
            iv_prf_of_cells(d->metrics[m], x[0], x[1], x[2], x[3]), s, 0.5);
}

static void draw_together(const drawing *d, tally *t, iv_stream *stream, size_t i)
{
    const size_t n = d->joint->systems;

    draw_tally(t, stream, d->joint);
    for (size_t m = 0; m < d->count * n; m++) {
        const size_t s = m % n;
        const double tn = fmax(0.0, t->total - t->tp[s] - t->fp[s] - t->fn[s]);
        d->out[m * d->draws + i] = or_coin(
            iv_prf_of_cells(d->metrics[m / n], t->tp[s], t->fp[s], t->fn[s], tn), stream,
            d->joint->right);
    }
}

static int draw_block(void *user, void *memory, size_t block, iv_err *err)
{
    const drawing *d = user;
    const size_t end = (block + 1) * DRAW_BLOCK;
    iv_stream s = iv_stream_start(d->seed, IV_FOR_POSTERIOR, ((uint64_t)d->stream << 32) | block);

    (void)err;
    for (size_t i = block * DRAW_BLOCK; i < (end < d->draws ? end : d->draws); i++) {
        if (d->cells != NULL)
            draw_alone(d, &s, i);
        else
            draw_together(d, memory, &s, i);
    }
    return IV_OK;
}

static int draw_all(drawing d, const iv_work *work, iv_err *err)
{
    d.seed = iv_work_seed(work);
    return iv_parallel(&(iv_loop){ (d.draws + DRAW_BLOCK - 1) / DRAW_BLOCK, draw_block, &d,
                                   tally_new }, work, err);
}

int iv_prf_draw(double *out, const iv_prf_cells *c, const iv_prf_metric *metrics, size_t count,
                size_t draws, uint32_t stream, const iv_work *work, iv_err *err)
{
    return draw_all((drawing){ .out = out, .cells = c, .metrics = metrics, .count = count,
                               .draws = draws, .stream = stream }, work, err);
}

int iv_prf_joint_draw(double *out, const iv_prf_joint *j, const iv_prf_metric *metrics,
                      size_t count, size_t draws, uint32_t stream, const iv_work *work,
                      iv_err *err)
{
    return draw_all((drawing){ .out = out, .joint = j, .metrics = metrics, .count = count,
                               .draws = draws, .stream = stream }, work, err);
}

iv_interval iv_summarise_draws(double *x, size_t n, double confidence)
{
    const double left = 0.5 * (1.0 - confidence);

    qsort(x, n, sizeof *x, iv_ascending);
    return (iv_interval){ .value = iv_average(x, n), .lower = iv_quantile(x, n, left),
                          .upper = iv_quantile(x, n, left + confidence) };
}
