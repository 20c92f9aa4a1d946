/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error covariances of systems' means over topics, in families: within a family those of the
 * residuals, shrunk towards one correlation of all its members; none between families.
 */
#include "stat/rank/order_families.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "num/cholesky.h"
#include "num/num_parts.h"

/* Families of more are taken in parts: covariances take the cube of their size. */
enum { MOST_MEMBERS = 100 };

static const double near_copy = 0.5, most_scale = 2.0, most_alike = 1.0 - 1e-6,
                    alike_enough = 0.75;

/* The lower triangle of a 2 x 2 matrix. */
typedef struct triangle {
    double aa, ba, bb;
} triangle;

typedef struct finding {
    size_t systems, topics;
    double *rest[2];       /* residuals of a and of b */
    triangle *own, *given; /* roots of a system's own covariance, and of the one it is given */
    size_t *root;          /* the family, named by one of its systems */
    double scale[2];       /* roots of what the covariances are multiplied by */
} finding;

/* What is left of scores without their mean. */
static void take_residuals(double *rest, const double *x, const double *mean, size_t m, size_t n)
{
    for (size_t i = 0; i < m; i++)
        for (size_t t = 0; t < n; t++)
            rest[i * n + t] = x[i * n + t] - mean[i];
}

/* The sum over all pairs of the squared difference of their residuals. */
static double spread_of(const double *rest, size_t m, size_t n, double *sum)
{
    double total = 0.0;

    memset(sum, 0, n * sizeof *sum);
    for (size_t i = 0; i < m; i++) {
        total += iv_dot(rest + i * n, rest + i * n, n);
        for (size_t t = 0; t < n; t++)
            sum[t] += rest[i * n + t];
    }
    return (double)m * total - iv_dot(sum, sum, n);
}

/*
 * Topics' effects are means over systems, those that are alike counted as one: a family that is
 * most of the systems would else be taken for the topics.  How alike two are is told by their
 * difference, in which topics are not: 1 if there is none, 0 from half as much again as the mean of
 * all pairs on.
 */
static int take_topics(finding *f, double *share, double *sum, const iv_work *work, iv_err *err)
{
    const size_t m = f->systems, n = f->topics;
    const double pairs = 0.5 * (double)m * (double)(m - 1);
    double far[2], all = 0.0;

    for (int side = 0; side < 2; side++)
        far[side] = 1.5 * spread_of(f->rest[side], m, n, sum) / pairs;
    for (size_t i = 0; i < m; i++)
        share[i] = 1.0;
    for (size_t i = 0; i < m; i++) {
        IV_TRY(iv_check_work(work, 0.0, err));
        for (size_t j = 0; j < i; j++) {
            double alike = 0.0;
            for (int side = 0; side < 2; side++) {
                const double *x = f->rest[side] + i * n, *y = f->rest[side] + j * n;
                double apart = 0.0;
                for (size_t t = 0; t < n; t++)
                    apart += (x[t] - y[t]) * (x[t] - y[t]);
                alike += apart < far[side] ? 0.5 * (1.0 - apart / far[side]) : 0.0;
            }
            if (alike > alike_enough) {
                share[i] += alike;
                share[j] += alike;
            }
        }
    }
    for (size_t i = 0; i < m; i++)
        all += 1.0 / share[i];
    for (int side = 0; side < 2; side++)
        for (size_t t = 0; t < n; t++) {
            double *x = f->rest[side] + t, topic = 0.0;
            for (size_t i = 0; i < m; i++)
                topic += x[i * n] / (share[i] * all);
            for (size_t i = 0; i < m; i++)
                x[i * n] -= topic;
        }
    return IV_OK;
}

static triangle root_of(double aa, double ab, double bb, double tiny)
{
    const double l = sqrt(aa + tiny), low = ab / l;

    return (triangle){ l, low, sqrt(fmax(bb + tiny - low * low, 1e-3 * tiny)) };
}

/* Covariances of the means: half a system's own, half the mean of all. */
static void weigh_systems(finding *f)
{
    const size_t m = f->systems, n = f->topics;
    const double each = 1.0 / ((double)n * ((double)n - 1.0));
    double aa = 0.0, ab = 0.0, bb = 0.0;

    for (size_t i = 0; i < m; i++) {
        const double *x = f->rest[0] + i * n, *y = f->rest[1] + i * n;
        f->own[i] = (triangle){ each * iv_dot(x, x, n), each * iv_dot(x, y, n), each * iv_dot(y, y, n) };
        aa += f->own[i].aa / (double)m;
        ab += f->own[i].ba / (double)m;
        bb += f->own[i].bb / (double)m;
    }
    const double tiny = 1e-9 * (aa + bb) + 1e-18 * each;
    for (size_t i = 0; i < m; i++) {
        const triangle v = f->own[i];
        f->own[i] = root_of(v.aa, v.ba, v.bb, tiny);
        f->given[i] = root_of(0.5 * (v.aa + aa), 0.5 * (v.ba + ab), 0.5 * (v.bb + bb), tiny);
    }
}

/* The correlation of residuals of two systems, by one of the two scores. */
static double correlation(const finding *f, int side, size_t i, size_t j)
{
    const size_t n = f->topics;
    const double *x = f->rest[side] + i * n, *y = f->rest[side] + j * n;
    const double both = iv_dot(x, x, n) * iv_dot(y, y, n);

    return both > 0.0 ? fmin(1.0, fmax(-1.0, iv_dot(x, y, n) / sqrt(both))) : 0.0;
}

static int link_systems(finding *f, const iv_work *work, iv_err *err)
{
    const size_t m = f->systems;
    const double pairs = 0.5 * (double)m * (double)(m - 1);
    const double z = iv_norm_isf(0.5 / pairs), n = (double)f->topics - 3.0;

    for (size_t i = 0; i < m; i++) {
        f->root[i] = i;
        IV_TRY(iv_check_work(work, 0.0, err));
        for (size_t j = 0; j < i && n > 0.0; j++) {
            const double r = 0.5 * (correlation(f, 0, i, j) + correlation(f, 1, i, j));
            if (r < near_copy || f->root[i] == f->root[j])
                continue;
            if (r < 1.0 && 0.5 * iv_plain_log((1.0 + r) / (1.0 - r)) * sqrt(n) < z)
                continue;
            const size_t from = f->root[i], to = f->root[j];
            for (size_t k = 0; k <= i; k++)
                f->root[k] = f->root[k] == from ? to : f->root[k];
        }
    }
    return IV_OK;
}

/* Topics' effects take from residuals what systems have in common; covariances are scaled so
 * that differences of systems vary as those of the residuals do, on average over all pairs. */
static void scale_errors(finding *f, const iv_order_families *all, double *sum)
{
    const size_t m = f->systems, n = f->topics;

    for (int side = 0; side < 2; side++) {
        double total = 0.0, common = 0.0;
        for (size_t k = 0; k < all->count; k++) {
            memset(sum, 0, n * sizeof *sum);
            for (size_t i = 0; i < all->all[k].count; i++) {
                const double *x = f->rest[side] + all->all[k].members[i] * n;
                total += iv_dot(x, x, n);
                for (size_t t = 0; t < n; t++)
                    sum[t] += x[t];
            }
            common += iv_dot(sum, sum, n);
        }
        const double by = spread_of(f->rest[side], m, n, sum) / ((double)m * total - common);
        f->scale[side] = sqrt(by > 1.0 ? fmin(by, most_scale) : 1.0);
    }
}

/* Four cells, row by row. */
typedef struct cells {
    double aa, ab, ba, bb;
} cells;

/* left m right'. */
static cells between(triangle left, cells m, triangle right)
{
    const double ba = left.ba * m.aa + left.bb * m.ba, bb = left.ba * m.ab + left.bb * m.bb;

    return (cells){ left.aa * m.aa * right.aa, left.aa * (m.aa * right.ba + m.ab * right.bb),
                    ba * right.aa, ba * right.ba + bb * right.bb };
}

static triangle inverse_of(triangle t)
{
    return (triangle){ 1.0 / t.aa, -t.ba / (t.aa * t.bb), 1.0 / t.bb };
}

/* The covariances of two systems' means, both in units in which their own are 1, 0, 1. */
static cells together(const finding *f, size_t i, size_t j)
{
    const size_t n = f->topics;
    const double each = most_alike / ((double)n * ((double)n - 1.0));
    const double *const x[] = { f->rest[0] + i * n, f->rest[1] + i * n };
    const double *const y[] = { f->rest[0] + j * n, f->rest[1] + j * n };
    const cells m = { each * iv_dot(x[0], y[0], n), each * iv_dot(x[0], y[1], n),
                      each * iv_dot(x[1], y[0], n), each * iv_dot(x[1], y[1], n) };

    return between(inverse_of(f->own[i]), m, inverse_of(f->own[j]));
}

/* The mean of these over all pairs of a family, both ways round. */
static cells common_of(const finding *f, const iv_order_family *family)
{
    const size_t k = family->count;
    const double each = 2.0 / ((double)k * ((double)k - 1.0));
    cells mean = { 0 };

    for (size_t x = 0; x < k; x++)
        for (size_t y = 0; y < x; y++) {
            const cells m = together(f, family->members[x], family->members[y]);
            const double across = 0.5 * each * (m.ab + m.ba);
            mean = (cells){ mean.aa + each * m.aa, mean.ab + across, mean.ba + across,
                            mean.bb + each * m.bb };
        }
    return mean;
}

/*
 * How far a family's correlations are shrunk towards their mean: their variance by how far they
 * are from it, and no less than as if 2 count topics had shown nothing else, so that there are
 * more topics than numbers whose covariances are asked for.
 */
static double shrinking(const finding *f, const iv_order_family *family)
{
    const size_t k = family->count;
    const double n = (double)f->topics, pairs = 0.5 * (double)k * ((double)k - 1.0);
    const double least = 2.0 * (double)k / (2.0 * (double)k + n);
    double variance = 0.0, apart = 0.0;

    for (int side = 0; side < 2; side++) {
        double sum = 0.0, squares = 0.0;
        for (size_t x = 0; x < k; x++)
            for (size_t y = 0; y < x; y++) {
                const double r = correlation(f, side, family->members[x], family->members[y]);
                variance += (1.0 - r * r) * (1.0 - r * r) / (n - 1.0);
                sum += r;
                squares += r * r;
            }
        apart += fmax(squares - sum * sum / pairs, 0.0);
    }
    return variance < apart ? fmax(least, variance / apart) : 1.0;
}

/* Puts what two systems have together into v, in their own units, and scaled. */
static void put_pair(double *v, size_t d, const finding *f, size_t i, size_t j, cells m)
{
    const double a = f->scale[0], b = f->scale[1];
    const cells c = between(f->given[i], m, f->given[j]);

    v[0] = a * a * c.aa;
    v[1] = a * b * c.ab;
    v[d] = a * b * c.ba;
    v[d + 1] = b * b * c.bb;
}

/* The inverse of v = L L' in w; v's lower half becomes L. */
static bool invert(double *w, double *v, size_t d)
{
    if (!iv_cholesky(v, d))
        return false;
    memset(w, 0, d * d * sizeof *w);
    for (size_t i = 0; i < d; i++) {
        w[i * d + i] = 1.0;
        iv_solve_lower(v, w + i * d, d);
        iv_solve_upper(v, w + i * d, d);
    }
    return true;
}

static int weigh_family(iv_order_family *family, iv_arena *memory, const finding *f,
                        const double *mean_a, const double *mean_b, iv_err *err)
{
    const size_t k = family->count, d = 2 * k;
    const cells common = common_of(f, family);
    double *v = iv_take(memory, d * d, sizeof *v), shrunk = shrinking(f, family);

    family->weight = iv_take(memory, d * d, sizeof(double));
    family->pull = iv_take(memory, d, sizeof(double));
    IV_TRY(iv_taken(memory, err));
    do { /* rounding can leave no covariance of systems that are the same */
        for (size_t x = 0; x < k; x++)
            for (size_t y = 0; y <= x; y++) {
                const size_t i = family->members[x], j = family->members[y];
                const cells m = x == y ? (cells){ 1.0, 0.0, 0.0, 1.0 } : together(f, i, j);
                const cells to = x == y ? m : common;
                put_pair(v + 2 * x * d + 2 * y, d, f, i, j,
                         (cells){ m.aa + shrunk * (to.aa - m.aa), m.ab + shrunk * (to.ab - m.ab),
                                  m.ba + shrunk * (to.ba - m.ba), m.bb + shrunk * (to.bb - m.bb) });
            }
    } while (!invert(family->weight, v, d) && shrunk < 1.0 && (shrunk = 1.0) > 0.0);
    for (size_t x = 0; x < d; x++)
        for (size_t y = 0; y < k; y++)
            family->pull[x] += family->weight[x * d + 2 * y] * mean_a[family->members[y]] +
                               family->weight[x * d + 2 * y + 1] * mean_b[family->members[y]];
    return IV_OK;
}

static void list_families(iv_order_families *out, size_t *members, const finding *f)
{
    size_t at = 0;

    for (size_t r = 0; r < f->systems; r++) {
        iv_order_family *family = NULL;
        for (size_t i = 0; i < f->systems; i++) {
            if (f->root[i] != r)
                continue;
            if (family == NULL || family->count == MOST_MEMBERS) {
                family = &out->all[out->count++];
                family->members = members + at;
            }
            members[at++] = i;
            family->count++;
            out->largest = family->count > out->largest ? family->count : out->largest;
        }
    }
}

int iv_find_families(iv_order_families *out, iv_arena *memory, const double *a, const double *b,
                     const double *mean_a, const double *mean_b, size_t systems, size_t topics,
                     const iv_work *work, iv_err *err)
{
    const size_t m = systems, n = topics;
    finding f = { .systems = m, .topics = n,
                  .rest = { iv_take(memory, m * n, sizeof(double)),
                            iv_take(memory, m * n, sizeof(double)) },
                  .own = iv_take(memory, m, sizeof(triangle)),
                  .given = iv_take(memory, m, sizeof(triangle)),
                  .root = iv_take(memory, m, sizeof(size_t)) };
    size_t *members = iv_take(memory, m, sizeof *members);
    double *sum = iv_take(memory, n, sizeof *sum), *share = iv_take(memory, m, sizeof *share);

    *out = (iv_order_families){ iv_take(memory, m, sizeof *out->all), 0, 0 };
    IV_TRY(iv_taken(memory, err));
    take_residuals(f.rest[0], a, mean_a, m, n);
    take_residuals(f.rest[1], b, mean_b, m, n);
    IV_TRY(take_topics(&f, share, sum, work, err));
    weigh_systems(&f);
    IV_TRY(link_systems(&f, work, err));
    list_families(out, members, &f);
    scale_errors(&f, out, sum);
    for (size_t k = 0; k < out->count; k++) {
        IV_TRY(iv_check_work(work, 0.0, err));
        IV_TRY(weigh_family(&out->all[k], memory, &f, mean_a, mean_b, err));
    }
    return IV_OK;
}
