/* SPDX-License-Identifier: Apache-2.0 */
#include "design/run_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "intervale/stat/paired.h"
#include "num/cholesky.h"

enum { FIXED = 4, STEPS = 30 }; /* a, b, c and d */

/* Means and standard deviations of the priors; effects of runs have mean 0. */
static const double prior_mean[FIXED] = { -1.0, -0.7, 0.7, 0.7 };
static const double prior_sd[FIXED] = { 1.5, 0.5, 1.5, 0.7 };
static const double run_sd = 1.0, topic_sd = 1.0, part_sd = 0.8;

/* Of the number of relevant documents that neither run returns: its standard deviation over its
 * mean, how many times as deep runs are followed for it, and the rank at which that ends. */
static const double beyond_spread = 1.0, beyond_depth = 10.0, beyond_rank = 1000.0;

int iv_run_model_new(iv_run_model **out, size_t runs, size_t topics, iv_err *err)
{
    iv_run_model *m = calloc(1, sizeof *m);

    if (m == NULL)
        return iv_no_memory(err);
    m->runs = runs;
    m->pairs = iv_pair_count(runs);
    m->topics = topics;
    m->width = FIXED + runs;
    m->theta = iv_take(&m->memory, m->width, sizeof *m->theta);
    m->spread = iv_take(&m->memory, m->width * m->width, sizeof *m->spread);
    m->topic = iv_take(&m->memory, topics * m->pairs, sizeof *m->topic);
    m->common = iv_take(&m->memory, 5 * m->pairs, sizeof *m->common);
    m->room = iv_take(&m->memory, 3 * m->width * m->width + 8 * m->width, sizeof *m->room);
    m->shift = m->common == NULL ? NULL : m->common + m->pairs;
    m->first = m->common == NULL ? NULL : m->common + 2 * m->pairs;
    m->first_common = m->common == NULL ? NULL : m->common + 3 * m->pairs;
    m->beyond = m->common == NULL ? NULL : m->common + 4 * m->pairs;
    const int rc = iv_taken(&m->memory, err);
    if (rc == IV_OK)
        *out = m;
    else
        iv_run_model_free(m);
    return rc;
}

void iv_run_model_free(iv_run_model *m)
{
    if (m == NULL)
        return;
    iv_arena_free(&m->memory);
    free(m);
}

/* ------------------------------------------------------------- documents -- */

void iv_run_traits(double *out, const iv_inquiry_topic *x, size_t runs)
{
    for (size_t d = 0; d < x->documents; d++) {
        double returned = 0.0, logs = 0.0;
        for (size_t r = 0; r < runs; r++) {
            const uint32_t rank = x->rank[r * x->all + d];
            returned += rank != 0 ? 1.0 : 0.0;
            logs += rank != 0 ? log((double)rank) : 0.0;
        }
        out[3 * d] = returned > 0.0 ? logs / returned : 0.0;
        out[3 * d + 1] = returned > 0.0 ? log(returned) : 0.0;
        out[3 * d + 2] = returned > 1.0 ? 1.0 / returned : 1.0;
    }
}

/* The traits of a document: 1, logarithms, what a machine says, shares of runs. */
static void traits_of(double *z, const iv_run_model *m, const iv_inquiry_topic *x, size_t d)
{
    z[0] = 1.0;
    z[1] = x->trait[3 * d];
    z[2] = x->trait[3 * d + 1];
    z[3] = x->hint != NULL ? x->hint[d] : 0.0;
    for (size_t r = 0; r < m->runs; r++)
        z[FIXED + r] = x->rank[r * x->all + d] != 0 ? x->trait[3 * d + 2] : 0.0;
}

static double logistic(double x)
{
    return 1.0 / (1.0 + exp(-fmin(fmax(x, -30.0), 30.0)));
}

/*
 * A document that is judged far below what a run's other documents are was found by
 * somebody else, because it is likely to be relevant: it says nothing of the run's other
 * documents.  Learnt from are those at a rank down to which at least half are judged.
 */
static void mark_chosen(const iv_run_model *m, const iv_inquiry_topic *x)
{
    uint32_t deepest = 0;

    for (size_t i = 0; i < m->runs * x->all; i++)
        deepest = x->rank[i] > deepest ? x->rank[i] : deepest;
    unsigned char *judged = malloc((size_t)deepest + 1);
    for (size_t d = 0; d < x->documents; d++) /* without memory all count */
        x->chosen[d] = judged == NULL && x->known[d] >= 0;
    for (size_t r = 0; r < m->runs && judged != NULL; r++) {
        const uint32_t *rank = x->rank + r * x->all;
        uint32_t last = 0, seen = 0;
        memset(judged, 0, (size_t)deepest + 1);
        for (size_t d = 0; d < x->documents; d++)
            judged[rank[d]] = x->known[d] >= 0;
        for (uint32_t k = 1; k <= deepest; k++) {
            seen += judged[k];
            last = 2 * seen >= k ? k : last;
        }
        for (size_t d = 0; d < x->documents; d++)
            x->chosen[d] = x->chosen[d] || (x->known[d] >= 0 && rank[d] > 0 && rank[d] <= last);
    }
    free(judged);
}

/* ------------------------------------------------------------------- fit -- */

/* L L' x = b, in place. */
static void solve(const double *l, double *b, size_t n)
{
    iv_solve_lower(l, b, n);
    iv_solve_upper(l, b, n);
}

static double precision_of(size_t k)
{
    const double sd = k < FIXED ? prior_sd[k] : run_sd;

    return 1.0 / (sd * sd);
}

static double mean_of(size_t k) { return k < FIXED ? prior_mean[k] : 0.0; }

/* Adds w z z' to the lower half of a. */
static void add_square(double *a, const double *z, double w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (z[i] == 0.0)
            continue;
        for (size_t j = 0; j <= i; j++)
            a[i * n + j] += w * z[i] * z[j];
    }
}

/*
 * Gradient g and Hessian h of the posterior, and with `meat` how much the gradient
 * varies: documents of a topic, and those of a run there, vary together.
 */
static void sum_up(double *g, double *h, double *meat, const iv_run_model *m,
                   const iv_inquiry_topic *topics, bool forget)
{
    const size_t n = m->width;
    double *z = m->room, *all = m->room + n, *own = m->room + 2 * n;

    memset(h, 0, n * n * sizeof *h);
    for (size_t k = 0; k < n; k++) {
        g[k] = -(m->theta[k] - mean_of(k)) * precision_of(k);
        h[k * n + k] = precision_of(k);
    }
    for (size_t t = 0; t < m->topics && !forget; t++) {
        const iv_inquiry_topic *x = &topics[t];
        memset(all, 0, n * sizeof *all);
        memset(own, 0, n * sizeof *own);
        for (size_t d = 0; d < x->documents; d++) {
            const double y = x->known[d];
            if (!x->chosen[d])
                continue;
            traits_of(z, m, x, d);
            const double p = logistic(iv_dot(m->theta, z, n)), w = p * (1.0 - p);
            for (size_t k = 0; k < n; k++) {
                g[k] += (y - p) * z[k];
                all[k] += w * z[k];
                own[k] += w * z[k] * z[k]; /* a run's own share of its coefficient */
            }
            add_square(h, z, w, n);
        }
        if (meat == NULL)
            continue;
        add_square(meat, all, topic_sd * topic_sd, n);
        for (size_t k = FIXED; k < n; k++)
            meat[k * n + k] += part_sd * part_sd * own[k] * own[k];
    }
}

void iv_run_model_fit(iv_run_model *m, const iv_inquiry_topic *topics, bool forget)
{
    const size_t n = m->width;
    double *h = m->room + 8 * n, *meat = h + n * n, *g = m->room + 3 * n;

    for (size_t k = 0; k < n && forget; k++)
        m->theta[k] = mean_of(k);
    for (size_t t = 0; t < m->topics; t++)
        mark_chosen(m, &topics[t]);
    for (size_t i = 0; i < STEPS; i++) {
        double far = 0.0;
        sum_up(g, h, NULL, m, topics, forget);
        if (!iv_cholesky(h, n))
            break;
        solve(h, g, n);
        for (size_t k = 0; k < n; k++) {
            const double move = fmin(fmax(g[k], -2.0), 2.0);
            m->theta[k] += move;
            far = fmax(far, fabs(move));
        }
        if (far < 1e-4)
            break;
    }
    memset(meat, 0, n * n * sizeof *meat);
    sum_up(g, h, meat, m, topics, forget);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            meat[i * n + j] = meat[j * n + i] = meat[i * n + j] + h[i * n + j];
    if (!iv_cholesky(h, n))
        return;
    for (size_t i = 0; i < n; i++) /* h^-1 meat, row by row of its transpose */
        solve(h, meat + i * n, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            m->spread[i * n + j] = meat[j * n + i];
        solve(h, m->spread + i * n, n);
    }
}

/* ------------------------------------------------------------ one topic -- */

/*
 * A topic's own effects, one after the other, the topic's first: how many more of its
 * documents are relevant than theta says, drawn towards none.  weight[k] is how much
 * its judgments say of each.
 */
static void own_effects(double *effect, double *weight, const iv_run_model *m,
                        const iv_inquiry_topic *x, double *room)
{
    const size_t n = m->width;
    double *z = room, *excess = room + n;

    memset(effect, 0, n * sizeof *effect);
    for (size_t pass = 0; pass < 2; pass++) {
        memset(excess, 0, n * sizeof *excess);
        memset(weight, 0, n * sizeof *weight);
        for (size_t d = 0; d < x->documents; d++) {
            const double y = x->known[d];
            if (!x->chosen[d])
                continue;
            traits_of(z, m, x, d);
            const double p = logistic(iv_dot(m->theta, z, n) + iv_dot(effect, z, n));
            for (size_t k = 0; k < n; k++) {
                excess[k] += (y - p) * z[k];
                weight[k] += p * (1.0 - p) * z[k] * z[k];
            }
        }
        const double whole = topic_sd * topic_sd, part = part_sd * part_sd;
        if (pass == 0)
            effect[0] = whole * excess[0] / (1.0 + whole * weight[0]);
        for (size_t k = FIXED; k < n && pass == 1; k++)
            effect[k] = part * excess[k] / (1.0 + part * weight[k]);
    }
}

void iv_run_model_relevance(double *out, const iv_run_model *m, const iv_inquiry_topic *x,
                            bool forget, double *room)
{
    const size_t n = m->width;
    double *z = room, *effect = room + 2 * n, *weight = room + 3 * n;

    memset(effect, 0, n * sizeof *effect);
    if (!forget)
        own_effects(effect, weight, m, x, z);
    for (size_t d = 0; d < x->all; d++) {
        if (d >= x->documents || (x->known[d] >= 0 && !forget)) {
            out[d] = x->known[d];
            continue;
        }
        traits_of(z, m, x, d);
        out[d] = logistic(iv_dot(m->theta, z, n) + iv_dot(effect, z, n));
    }
}

/* ----------------------------------------------------------------- doubt -- */

/* The change of a topic's difference with theta, for one pair. */
static void gradient(double *g, const iv_run_model *m, const iv_inquiry_topic *x, size_t pair,
                     size_t a, size_t b)
{
    const uint32_t *in_a = x->rank + a * x->all, *in_b = x->rank + b * x->all;

    memset(g, 0, m->width * sizeof *g);
    for (size_t d = 0; d < x->documents; d++) {
        if (m->runs > 2 && (in_a[d] | in_b[d]) == 0) /* the pair is not about it */
            continue;
        const double p = iv_ap_belief_relevance(x->belief, d);
        if (p == 0.0 || p == 1.0)
            continue;
        const double change = iv_ap_belief_change(x->belief, d, pair) * p * (1.0 - p);
        if (change == 0.0)
            continue;
        g[0] += change;
        g[1] += change * x->trait[3 * d];
        g[2] += change * x->trait[3 * d + 1];
        g[3] += x->hint != NULL ? change * x->hint[d] : 0.0;
        const double part = change * x->trait[3 * d + 2];
        for (size_t r = 0; r < m->runs; r++)
            g[FIXED + r] += x->rank[r * x->all + d] != 0 ? part : 0.0;
    }
}

/* Expected numbers of relevant documents of a pair, over topics: those of either run, of both,
 * of the upper half of ranks, and those known that neither returns; the deepest rank. */
typedef struct found {
    double a, b, both, upper, elsewhere;
    uint32_t deepest;
} found;

/* Adds a topic to f; of[0] is what the pair returns there, of[1] what is known elsewhere. */
static void count_found(found *f, double of[2], const iv_inquiry_topic *x, size_t a, size_t b)
{
    const uint32_t *in_a = x->rank + a * x->all, *in_b = x->rank + b * x->all;
    uint32_t deepest = 0;

    of[0] = of[1] = 0.0;
    for (size_t d = 0; d < x->documents; d++) {
        deepest = in_a[d] > deepest ? in_a[d] : deepest;
        deepest = in_b[d] > deepest ? in_b[d] : deepest;
    }
    for (size_t d = 0; d < x->all; d++) {
        const double p = iv_ap_belief_relevance(x->belief, d);
        if ((in_a[d] | in_b[d]) == 0) {
            of[1] += p == 1.0 ? p : 0.0;
            continue;
        }
        const uint32_t best = in_a[d] == 0 || (in_b[d] != 0 && in_b[d] < in_a[d]) ? in_b[d] : in_a[d];
        of[0] += p;
        f->a += in_a[d] != 0 ? p : 0.0;
        f->b += in_b[d] != 0 ? p : 0.0;
        f->both += in_a[d] != 0 && in_b[d] != 0 ? p : 0.0;
        f->upper += 2 * (uint64_t)best <= deepest ? p : 0.0;
    }
    f->elsewhere += of[1];
    f->deepest = deepest > f->deepest ? deepest : f->deepest;
}

/*
 * How many relevant documents neither run returns, over those that one does: as many as two
 * captures say, the fewer of a's relevant documents b returns the more; or what deeper ranks
 * would bring, if the number goes on growing with depth as in the lower half of ranks.  Runs
 * are alike, and ranks go on for longer than that: either is too low as a rule, and the
 * larger counts.  Growth slows: runs that are deep already are followed to rank 1000 alone.
 */
static double beyond_of(const found *f)
{
    const double in_a = (f->both + 1.0) / (f->b + 1.0), in_b = (f->both + 1.0) / (f->a + 1.0);
    const double all = f->a + f->b - f->both, caught = 1.0 / (in_a + in_b - in_a * in_b) - 1.0;
    const double times = fmax(1.0, fmin(beyond_depth, beyond_rank / (double)f->deepest));
    const double deeper = f->upper > 0.0 ? pow(all / f->upper, log2(times)) - 1.0 : 0.0;

    return fmax(caught, deeper);
}

/*
 * The variance of a pair's sum of differences because of them: a topic's difference is divided
 * by the number of all relevant documents.  They are spread over topics as the roots of what
 * is returned, half way between as many everywhere and in proportion; what is known
 * elsewhere is no longer missing.  of: as counted, of each topic; d: their differences.
 */
static double beyond_variance(const found *f, const double *of, const double *d, size_t topics)
{
    const double mean = (f->a + f->b - f->both) / (double)topics, times = beyond_of(f);
    double sum = 0.0, expected = 0.0;

    for (size_t t = 0; t < topics; t++)
        expected += times * sqrt(mean * of[2 * t]);
    const double left = expected > f->elsewhere ? 1.0 - f->elsewhere / expected : 0.0;
    for (size_t t = 0; t < topics && left > 0.0; t++) {
        const double missing = left * times * sqrt(mean * of[2 * t]);
        const double off = d[t] == 0.0 ? 0.0
            : beyond_spread * d[t] * missing / (of[2 * t] + of[2 * t + 1] + missing);
        sum += off * off;
    }
    return sum;
}

typedef struct doubt_loop {
    iv_run_model *m;
    const iv_inquiry_topic *topics;
    bool first;
    const double *weight; /* what each topic's judgments say of its effects, topics x width */
} doubt_loop;

static void *doubt_memory(iv_arena *own, void *user)
{
    const doubt_loop *l = user;

    return iv_take(own, 2 * l->m->width + 3 * l->m->topics, sizeof(double));
}

static int doubt_pair(void *user, void *memory, size_t x, iv_err *err)
{
    const doubt_loop *l = user;
    iv_run_model *m = l->m;
    const size_t n = m->width;
    double *g = memory, *sum = g + n, *of = sum + n, *d = of + 2 * m->topics, mean = 0.0;
    found f = { 0 };
    size_t a, b;

    (void)err;
    iv_pair_at(&a, &b, m->runs, x);
    memset(sum, 0, n * sizeof *sum);
    for (size_t t = 0; t < m->topics; t++) {
        const double *weight = l->weight + t * n;
        gradient(g, m, &l->topics[t], x, a, b);
        double v = g[0] * g[0] / (1.0 / (topic_sd * topic_sd) + weight[0]);
        for (size_t k = FIXED; k < n; k++)
            v += g[k] * g[k] / (1.0 / (part_sd * part_sd) + weight[k]);
        m->topic[t * m->pairs + x] = v;
        for (size_t k = 0; k < n; k++)
            sum[k] += g[k];
        d[t] = iv_ap_belief_moments(l->topics[t].belief, x, IV_MOMENTS_DELTA).mean;
        mean += d[t];
        count_found(&f, of + 2 * t, &l->topics[t], a, b);
    }
    m->beyond[x] = beyond_variance(&f, of, d, m->topics);
    m->common[x] = 0.0;
    for (size_t i = 0; i < n; i++)
        m->common[x] += sum[i] * iv_dot(m->spread + i * n, sum, n);
    if (l->first) {
        m->first[x] = mean;
        m->first_common[x] = m->common[x];
    }
    m->shift[x] = m->first_common[x] > 0.0
        ? m->first[x] * fmin(1.0, m->common[x] / m->first_common[x]) : 0.0;
    return IV_OK;
}

int iv_run_model_doubt(iv_run_model *m, const iv_inquiry_topic *topics, bool first,
                       const iv_work *work, iv_err *err)
{
    const size_t n = m->width;
    iv_arena scratch = { 0 };
    double *weight = iv_take(&scratch, m->topics * n + 1, sizeof *weight);
    int rc = iv_taken(&scratch, err);

    if (rc == IV_OK)
        memset(weight, 0, m->topics * n * sizeof *weight);
    for (size_t t = 0; t < m->topics && rc == IV_OK && !first; t++)
        own_effects(m->room + 2 * n, weight + t * n, m, &topics[t], m->room);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ m->pairs, doubt_pair,
                                     &(doubt_loop){ m, topics, first, weight }, doubt_memory },
                         work, err);
    iv_arena_free(&scratch);
    return rc;
}
