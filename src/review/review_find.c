/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the methods find of the cases, which are shared out to threads.
 */
#include "base/arguments.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "num/logit.h"
#include "review/review_cases.h"
#include "review/review_log.h"
#include "stat/recall/recall_limits.h"
#include "stat/recall/recall_methods.h"
#include "stat/recall/recall_outcomes.h"
#include "stat/sequential/judged_order.h"
#include "trec/column_roles.h"
#include "trec/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A method on a case. */
typedef struct item {
    iv_review_quantity interval, measures[5], yields[3];
    size_t measure_count, yield_count;
    iv_review_point *points; /* of curves to draw; free() them */
    size_t point_count;
    bool repeats;  /* betabin-weighted where it is betabin-half */
    char *refused; /* why there is none of it */
    /* While it is found: */
    const iv_segments *s;
    const iv_recall_options *m;
    const iv_recall_posterior *p;
    const iv_work *work;
} item;

/* ------------------------------------------------------------- curves -- */

enum { POINTS = 80, CURVES = 3, ROOM = CURVES * (POINTS + 2) };

/* The point of a limit on the line between two others: the dark part ends there. */
static void put_between(item *to, iv_review_point a, iv_review_point b, double x)
{
    if (x > a.x && x < b.x) {
        iv_review_point *at = &to->points[to->point_count++];
        *at = b;
        at->x = x;
        at->density = a.density + (b.density - a.density) * (x - a.x) / (b.x - a.x);
    }
}

/*
 * The probability of each of many short stretches, over its length.  Where the
 * values are multiples of an atom (0: they are not), each stretch holds as many of them as any
 * other, so that the curve has no teeth.
 */
static void put_curve(item *to, iv_recall_quantity quantity, double beta, double atom,
                      iv_review_point next)
{
    const iv_recall_posterior *p = to->p;
    const double from = iv_recall_quantile(p, quantity, beta, 0.0002);
    const double end = iv_recall_quantile(p, quantity, beta, 0.9998);
    double first = fmax(0.0, from - 0.02 * (end - from));
    double step = (fmin(1.0, end + 0.02 * (end - from)) - first) / POINTS;
    iv_review_point last = { .x = NAN };

    if (!(step > 0.0))
        return; /* all of it at one value */
    if (atom > 0.0) {
        step = atom * ceil(step / atom);
        first = atom * (floor(first / atom) - 0.5);
    }
    for (int i = 0; i < POINTS && first + i * step < fmin(1.0, end + 2.0 * step); i++) {
        const double at = first + i * step;
        const double mass =
            (at + step >= 1.0 ? 1.0 : iv_recall_below(p, quantity, beta, at + step))
            - (at <= 0.0 ? 0.0 : iv_recall_below(p, quantity, beta, at));
        next.x = at + step / 2.0;
        next.density = fmax(mass, 0.0) / step;
        put_between(to, last, next, next.lower);
        put_between(to, last, next, next.upper);
        to->points[to->point_count++] = next;
        last = next;
    }
}

static int curves_of(item *to, double beta, iv_err *err)
{
    static const char *const names[CURVES] = { "recall", "precision", "F" };
    static const iv_recall_quantity shown[CURVES] = { IV_RECALL_RECALL, IV_RECALL_PRECISION,
                                                      IV_RECALL_F };
    const double retrieved = (double)iv_strata_size(to->s->retrieved, to->s->retrieved_count);

    to->points = malloc(ROOM * sizeof *to->points);
    if (to->points == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < CURVES; i++) {
        const iv_limits limits = iv_recall_limits(to->p, shown[i], beta, to->m->confidence,
                                                  to->m->one_sided);
        put_curve(to, shown[i], beta, shown[i] == IV_RECALL_PRECISION ? 1.0 / retrieved : 0.0,
                  (iv_review_point){ .quantity = names[i], .lower = limits.lower,
                                     .upper = to->m->one_sided ? 1.0 : limits.upper });
    }
    return IV_OK;
}

/* ------------------------------------------------------------ methods -- */

enum { MOST_METHODS = IV_RECALL_ALL + 1 };

typedef struct finding {
    const iv_review *r;
    const iv_review_options *o;
    iv_recall_options methods[MOST_METHODS];
    size_t method_count, posteriors; /* those of the methods that have one */
    char f_name[32];
    iv_nested_work nested; /* one posterior of many strata takes long by itself */
    item *items; /* methods of the first case, of the second, ... */
} finding;

static int list_methods(finding *f, iv_err *err)
{
    const iv_recall_options how = f->o->how;
    iv_recall_options one = how;
    int rc = IV_OK;

    if ((unsigned)how.method > IV_RECALL_ALL)
        return iv_fail(err, IV_EARG, "there is no method number %d", (int)how.method);
    if (how.method != IV_RECALL_ALL) {
        f->methods[f->method_count++] = how;
    } else {
        one.a = one.b = 0.0;
        for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL; m++) {
            one.method = (iv_recall_method)m;
            f->methods[f->method_count++] = one;
        }
        if (how.a != 0.0 || how.b != 0.0) {
            one = how;
            one.method = IV_RECALL_AUTO;
            f->methods[f->method_count++] = one;
        }
    }
    for (size_t i = 0; i < f->method_count; i++) {
        iv_recall_options *m = &f->methods[i];
        m->confidence = m->confidence == 0.0 ? 0.95 : m->confidence;
        f->posteriors += iv_recall_has_posterior(m->method);
    }
    if (f->posteriors == 0 && f->o->target != 0.0 && how.method != IV_RECALL_EXACT)
        rc = iv_fail(err, IV_EARG, "%s has no posterior, which a target needs",
                     iv_recall_method_names()[how.method]);
    return rc;
}

iv_recall_method iv_recall_usual(const iv_segments *s)
{
    return s->retrieved_count == 1 && s->unretrieved_count == 1 ? IV_RECALL_BETABIN_HALF
                                                                : IV_RECALL_BETABIN_WEIGHTED;
}

size_t iv_segments_unknown(const iv_segments *s)
{
    size_t n = 0;

    for (size_t k = 0; k < s->retrieved_count; k++)
        n += s->retrieved[k].sampled < s->retrieved[k].size;
    for (size_t k = 0; k < s->unretrieved_count; k++)
        n += s->unretrieved[k].sampled < s->unretrieved[k].size;
    return n;
}

iv_limits iv_review_weighted(const iv_review_case *c, double confidence, bool one_sided)
{
    const double z = iv_norm_isf((1.0 - confidence) * (one_sided ? 1.0 : 0.5));
    iv_limits out = { 0.0, 1.0 };

    if (c->recall > 0.0 && c->recall < 1.0 && c->se > 0.0)
        iv_logit_wald(&out.lower, &out.upper, c->recall, z * c->se);
    return out;
}

/* Of a case with unequal probabilities. */
static void find_weighted(item *x, const iv_review_case *c, double target)
{
    const iv_limits i = iv_review_weighted(c, x->m->confidence, x->m->one_sided);
    const double p = c->recall, scale = c->se / (p * (1.0 - p));

    x->interval.method = "horvitz-thompson";
    x->interval.estimate = p;
    x->interval.lower = i.lower;
    x->interval.upper = i.upper;
    if (target > 0.0 && target < 1.0 && p > 0.0 && p < 1.0 && c->se > 0.0)
        x->interval.p_target = iv_norm_sf((log(target / (1.0 - target)) - log(p / (1.0 - p)))
                                          / scale);
    x->measures[0] = x->interval;
    x->measure_count = 1;
}

static iv_review_quantity place_of(const finding *f, size_t i)
{
    const size_t k = i / f->method_count;
    const iv_recall_options *m = &f->methods[i % f->method_count];
    const iv_review_case *c = &f->r->cases[k];
    const bool usual = m->method == IV_RECALL_AUTO || m->method == IV_RECALL_BETABIN_WEIGHTED;
    const iv_recall_method is = usual ? iv_recall_usual(&c->segments) : m->method;
    const char *name = m->a != 0.0 || m->b != 0.0 ? "betabin-prior"
        : is == IV_RECALL_EXACT && iv_segments_unknown(&c->segments) > 2
        ? "chernoff" : iv_recall_method_names()[is]; /* an inequality is not exact */

    return (iv_review_quantity){ c->run, name, c->topic, c->cutoff, k, is, "recall",
                                 iv_recall_estimate(&c->segments), .confidence = m->confidence,
                                 .prior_share = NAN, .p_target = NAN };
}

/* ------------------------------------------------------------ one item -- */

/* What a posterior says of one thing, or its guaranteed limits, which have none beside them.
 * The estimate of a sample without a find, or of finds alone, can lie beyond the posterior's
 * limits; an interval holds its estimate. */
static int look_at(iv_review_quantity *out, const item *a, const char *name,
                   iv_recall_quantity quantity, double beta, iv_err *err)
{
    IV_TRY(iv_check_work(a->work, 0.0, err));
    const double estimate = iv_recall_plain(a->s, quantity, beta);
    iv_limits i;

    if (a->m->method == IV_RECALL_EXACT) {
        IV_TRY(iv_recall_guaranteed(&i, a->s, quantity, beta, a->m->confidence, a->m->one_sided,
                                    err));
    } else {
        i = iv_recall_limits(a->p, quantity, beta, a->m->confidence, a->m->one_sided);
        i = (iv_limits){ fmin(i.lower, estimate), fmax(i.upper, estimate) };
    }
    *out = a->interval;
    out->name = name;
    out->estimate = estimate;
    out->lower = i.lower;
    out->upper = i.upper;
    return IV_OK;
}

/* So many of size documents, in units of `unit`: limits are whole, and the estimate is but for the
 * rounding of a division. */
static iv_review_quantity documents(iv_review_quantity of, const char *name, double unit,
                                    double size)
{
    const double count = of.estimate * unit, slack = 1e-12 * size;

    of.name = name;
    of.estimate = fabs(count - rint(count)) <= slack ? rint(count) : count;
    of.lower = floor(of.lower * unit + slack);
    of.upper = ceil(of.upper * unit - slack);
    return of;
}

static int find_quantities(item *x, const finding *f, iv_err *err)
{
    const double retrieved = (double)iv_strata_size(x->s->retrieved, x->s->retrieved_count);
    const double unretrieved = (double)iv_strata_size(x->s->unretrieved, x->s->unretrieved_count);
    size_t n = 1;

    x->measures[0] = x->interval;
    if (x->m->method != IV_RECALL_EXACT)
        IV_TRY(look_at(&x->measures[0], x, "recall", IV_RECALL_RECALL, 1.0, err));
    IV_TRY(look_at(&x->measures[n++], x, "precision", IV_RECALL_PRECISION, 1.0, err));
    IV_TRY(look_at(&x->measures[n++], x, "f1", IV_RECALL_F, 1.0, err));
    if (f->f_name[0] != '\0')
        IV_TRY(look_at(&x->measures[n++], x, f->f_name, IV_RECALL_F, f->o->beta, err));
    IV_TRY(look_at(&x->measures[n++], x, "elusion", IV_RECALL_ELUSION, 1.0, err));
    x->measure_count = n;
    x->yields[0] = documents(x->measures[1], "retrieved", retrieved, retrieved);
    x->yields[1] = documents(x->measures[n - 1], "unretrieved", unretrieved, unretrieved);
    IV_TRY(look_at(&x->yields[2], x, "all", IV_RECALL_YIELD, 1.0, err));
    x->yields[2] = documents(x->yields[2], "all", 1.0, retrieved + unretrieved);
    x->yield_count = 3;
    return IV_OK;
}

/* Its number among the items that have a posterior. */
static size_t ordinal(const finding *f, size_t i)
{
    size_t n = i / f->method_count * f->posteriors;

    for (size_t m = 0; m < i % f->method_count; m++)
        n += iv_recall_has_posterior(f->methods[m].method);
    return n;
}

/* With all methods asked for, one that refuses a case says why and is left out. */
static int refuse(item *x, const finding *f, int rc, iv_err *err)
{
    char text[400];

    if (rc == IV_ENOMEM || rc == IV_ECANCELLED || f->o->how.method != IV_RECALL_ALL)
        return rc;
    (void)snprintf(text, sizeof text, "%s: %s", x->interval.method, err->msg);
    x->refused = strdup(text);
    *err = (iv_err){ .code = IV_OK };
    return x->refused == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
}

/* Is everything judged, and nothing relevant? */
static bool nothing_relevant(const iv_segments *s)
{
    for (size_t i = 0; i < s->retrieved_count + s->unretrieved_count; i++) {
        const iv_stratum *x = i < s->retrieved_count ? &s->retrieved[i]
                                                     : &s->unretrieved[i - s->retrieved_count];
        if (x->sampled < x->size || x->relevant > 0)
            return false;
    }
    return true;
}

static int find_item(void *user, void *memory, size_t i, iv_err *err)
{
    finding *f = user;
    item *x = &f->items[i];
    const iv_recall_options *m = &f->methods[i % f->method_count];
    const iv_segments *s = &f->r->cases[i / f->method_count].segments;
    iv_limits limits;

    x->interval = place_of(f, i);
    x->s = s;
    x->m = m;
    x->p = memory;
    x->work = &f->nested.inner;
    const iv_review_case *c = &f->r->cases[i / f->method_count];
    if (c->weighted && m->method != IV_RECALL_AUTO)
        return iv_fail(err, IV_EARG, "documents were sampled with different probabilities: only "
                       "the default method applies, not %s", iv_recall_method_names()[m->method]);
    if (c->weighted) {
        find_weighted(x, c, f->o->target);
        return IV_OK;
    }
    x->repeats = m->method == IV_RECALL_BETABIN_WEIGHTED && f->o->how.method == IV_RECALL_ALL
                 && x->interval.number == IV_RECALL_BETABIN_HALF;
    if (x->repeats)
        return IV_OK;
    int rc = iv_recall_interval_of(&limits, s, m, memory, err);
    if (rc == IV_OK)
        rc = iv_check_work(x->work, 0.0, err);
    if (rc == IV_ENODATA && nothing_relevant(s)) { /* there is no recall, and that is known */
        *err = (iv_err){ .code = IV_OK };
        limits = (iv_limits){ NAN, NAN };
        rc = iv_recall_has_posterior(m->method) ? iv_recall_posterior_set(memory, s, m, err)
                                                : IV_OK;
    }
    if (rc < 0)
        return refuse(x, f, rc, err);
    /* The normal methods may leave what is possible. */
    x->interval.lower = isnan(limits.lower) ? limits.lower : fmax(limits.lower, 0.0);
    x->interval.upper = isnan(limits.upper) ? limits.upper : fmin(limits.upper, 1.0);
    if (m->method == IV_RECALL_EXACT)
        return find_quantities(x, f, err);
    if (!iv_recall_has_posterior(m->method)) {
        x->measures[0] = x->interval;
        x->measure_count = 1;
        return IV_OK;
    }
    x->interval.prior_share = iv_recall_prior_share(x->p);
    if (f->o->target != 0.0 && !iv_recall_unfound(&limits, s))
        x->interval.p_target = iv_recall_at_least(x->p, IV_RECALL_RECALL, 1.0, f->o->target);
    rc = find_quantities(x, f, err);
    x->interval.lower = fmin(x->interval.lower, x->interval.estimate);
    x->interval.upper = fmax(x->interval.upper, x->interval.estimate);
    if (rc == IV_OK)
        rc = iv_check_work(x->work, 0.0, err);
    if (rc == IV_OK && ordinal(f, i) < f->o->curves)
        rc = curves_of(x, f->o->beta, err);
    return rc;
}

/* ------------------------------------------------------------- together -- */

/* Room for all rows of all items at once. */
static void make_room(iv_review_findings *v, const finding *f, size_t count)
{
    size_t points = 0;

    for (size_t i = 0; i < count; i++)
        points += f->items[i].point_count;
    v->intervals = iv_take(&v->own, count + 1, sizeof *v->intervals);
    v->measures = iv_take(&v->own, 5 * count + 1, sizeof *v->measures);
    v->yields = iv_take(&v->own, 3 * count + 1, sizeof *v->yields);
    v->points = iv_take(&v->own, points + 1, sizeof *v->points);
    v->refused = iv_take(&v->own, MOST_METHODS, sizeof *v->refused);
}

/* Once for each method: its first case tells. */
static bool gather_refusal(iv_review_findings *v, const item *x)
{
    const size_t length = strcspn(x->refused, ":");

    for (size_t i = 0; i < v->refused_count; i++) {
        if (strncmp(v->refused[i], x->refused, length + 1) == 0)
            return true;
    }
    v->refused[v->refused_count] = iv_arena_copy(&v->own, iv_str_of(x->refused));
    return v->refused[v->refused_count++] != NULL;
}

static bool gather_points(iv_review_findings *v, const item *x)
{
    const iv_review_quantity *of = &x->interval;
    char name[400];

    if (of->topic != NULL)
        (void)snprintf(name, sizeof name, "%.150s at %lld, %s", of->topic, (long long)of->cutoff,
                       of->method);
    else
        (void)snprintf(name, sizeof name, "%.150s, %s", of->run, of->method);
    const char *kept = iv_arena_copy(&v->own, iv_str_of(name));
    for (size_t i = 0; i < x->point_count; i++) {
        v->points[v->point_count] = x->points[i];
        v->points[v->point_count++].name = kept;
    }
    return kept != NULL;
}

static bool gather(iv_review_findings *v, const item *x)
{
    if (x->refused != NULL)
        return gather_refusal(v, x);
    if (x->repeats)
        return true;
    v->intervals[v->interval_count++] = x->interval;
    for (size_t i = 0; i < x->measure_count; i++)
        v->measures[v->measure_count++] = x->measures[i];
    for (size_t i = 0; i < x->yield_count; i++)
        v->yields[v->yield_count++] = x->yields[i];
    return x->point_count == 0 || gather_points(v, x);
}

void iv_review_findings_free(iv_review_findings *f)
{
    if (f != NULL)
        iv_arena_free(&f->own);
    free(f);
}

static int gather_all(iv_review_findings *v, const finding *f, size_t count, iv_err *err)
{
    bool fits = true;

    make_room(v, f, count);
    IV_TRY(iv_taken(&v->own, err));
    for (size_t i = 0; i < count && fits; i++)
        fits = gather(v, &f->items[i]);
    const char *kept = iv_arena_copy(&v->own, iv_str_of(f->f_name)); /* the name outlives f */
    for (size_t i = 0; i < v->measure_count; i++)
        if (v->measures[i].name == f->f_name)
            v->measures[i].name = kept;
    return fits && kept != NULL ? IV_OK : iv_no_memory(err);
}

int iv_review_find(iv_review_findings **out, const iv_review *r, const iv_review_options *o,
                   const iv_work *work, iv_err *err)
{
    IV_TRY(IV_CHECK(o, err, IV_PART_OF(iv_review_options, target, REAL, "the target"),
                    IV_PART_OF(iv_review_options, beta, REAL, "beta")));
    static const iv_review_options usual = { .how = { .method = IV_RECALL_AUTO } };
    finding f = { .r = r, .o = o == NULL ? &usual : o };
    IV_TRY(list_methods(&f, err));
    const size_t count = r->count * f.method_count;
    iv_review_findings *found = calloc(1, sizeof *found);

    if (f.o->beta != 0.0 && f.o->beta != 1.0)
        (void)snprintf(f.f_name, sizeof f.f_name, "f%g", f.o->beta);
    f.items = calloc(count + 1, sizeof *f.items);
    int rc = found != NULL && f.items != NULL ? IV_OK : iv_no_memory(err);
    iv_nested_work_start(&f.nested, work);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ count, find_item, &f, iv_recall_memory }, &f.nested.outer,
                         err);
    if (rc == IV_OK)
        rc = gather_all(found, &f, count, err);
    for (size_t i = 0; f.items != NULL && i < count; i++) {
        free(f.items[i].refused);
        free(f.items[i].points);
    }
    free(f.items);
    if (rc == IV_OK)
        *out = found;
    else
        iv_review_findings_free(found);
    return rc;
}

IV_FREES(review_log, own)

/* A log while it is read. */
typedef struct reading {
    const iv_csv *csv;
    size_t stratum, relevant, block; /* columns; block may be IV_NONE */
    int64_t level;
    iv_strata_row *rows;
    size_t count;                    /* of strata */
    int64_t *drawn, *found;          /* the block at hand is the last */
    iv_judged_order *order;          /* by stratum */
    size_t blocks;
    int64_t in_block;
    double named;
    size_t first;                    /* row of the block's first */
} reading;

static const iv_column_role roles[] = { { "stratum" },
                                 { "relevant", .whole = true, .high = IV_STRATUM_MAX },
                                 { "block", .optional = true, .whole = true,
                                   .high = IV_STRATUM_MAX } };

static int find_stratum(size_t *out, const reading *r, size_t row, iv_err *err)
{
    const iv_str name = iv_csv_cell(r->csv, row, r->stratum);
    char quoted[IV_QUOTE_SIZE];

    for (*out = 0; *out < r->count; (*out)++)
        if (iv_str_eq(r->rows[*out].name, name))
            return IV_OK;
    return iv_csv_refuse(r->csv, row, err, "stratum %s is not one of the review's %zu strata",
                         iv_quote(quoted, name), r->count);
}

/* The stratum that is not finished and has no document in the block; IV_NONE: all have. */
static size_t lacking(const reading *r)
{
    const int64_t *drawn = r->drawn + r->blocks * r->count;

    for (size_t s = 0; s < r->count; s++)
        if (drawn[s] == 0 && r->rows[s].sampled < r->rows[s].size)
            return s;
    return IV_NONE;
}

/* Ends the block; one that was named must have them all. */
static int end_block(reading *r, iv_err *err)
{
    const size_t s = r->in_block > 0 ? lacking(r) : IV_NONE;

    if (s != IV_NONE)
        return iv_csv_refuse(r->csv, r->first, err, "block %.0f has no document of stratum '%.*s', "
                             "which is not finished", r->named, (int)r->rows[s].name.len,
                             r->rows[s].name.ptr);
    r->blocks += r->in_block > 0;
    r->in_block = 0;
    return IV_OK;
}

static int read_row(reading *r, size_t row, iv_err *err)
{
    double grade = 0.0, named = 0.0;
    size_t s = 0;

    IV_TRY(find_stratum(&s, r, row, err));
    IV_TRY(iv_role_number(&grade, r->csv, row, r->relevant, &roles[1], err));
    if (r->block != IV_NONE)
        IV_TRY(iv_role_number(&named, r->csv, row, r->block, &roles[2], err));
    if (r->block != IV_NONE && row > 0 && named < r->named)
        return iv_csv_refuse(r->csv, row, err, "block %.0f after block %.0f, expected blocks in "
                             "the order in which they were judged", named, r->named);
    if (r->block != IV_NONE && r->in_block > 0 && named != r->named)
        IV_TRY(end_block(r, err));
    if (r->in_block++ == 0)
        r->first = row;
    r->named = named;
    if (r->rows[s].sampled == r->rows[s].size)
        return iv_csv_refuse(r->csv, row, err, "one document more than the %" PRId64 " of stratum "
                             "'%.*s'",
                             r->rows[s].size, (int)r->rows[s].name.len, r->rows[s].name.ptr);
    const bool relevant = grade >= (double)r->level;
    r->rows[s].sampled++;
    r->rows[s].relevant += relevant;
    iv_judged_order_add(&r->order[s], relevant);
    r->drawn[r->blocks * r->count + s]++;
    r->found[r->blocks * r->count + s] += relevant;
    return r->block == IV_NONE && lacking(r) == IV_NONE ? end_block(r, err) : IV_OK;
}

/* n and r that the table had beside those of the log. */
static int check_counts(const reading *r, const char *path, const iv_strata_table *table,
                        iv_err *err)
{
    for (size_t s = 0; s < r->count; s++) {
        const iv_strata_row *had = &table->rows[s], *has = &r->rows[s];
        if (had->sampled > 0 && (had->sampled != has->sampled || had->relevant != has->relevant))
            return iv_fail(err, IV_EPARSE, "%s: stratum '%.*s' has %" PRId64 " relevant of %" PRId64
                           " judged documents; expected %" PRId64 " of %" PRId64 ", as given",
                           path, (int)has->name.len, has->name.ptr, has->relevant, has->sampled,
                           had->relevant, had->sampled);
    }
    return IV_OK;
}

static int read_rows(iv_review_log *l, reading *r, iv_err *err)
{
    const size_t rows = iv_csv_rows(r->csv);

    size_t column[3];

    IV_TRY(iv_role_columns(column, r->csv, roles, 3, "", err));
    r->stratum = column[0];
    r->relevant = column[1];
    r->block = column[2];
    r->drawn = iv_take(&l->own, (rows + 1) * r->count, sizeof *r->drawn);
    r->found = iv_take(&l->own, (rows + 1) * r->count, sizeof *r->found);
    r->order = iv_take(&l->own, r->count, sizeof *r->order);
    IV_TRY(iv_taken(&l->own, err));
    for (size_t row = 0; row < rows; row++)
        IV_TRY(read_row(r, row, err));
    /* The last block may be under way. */
    if (r->block != IV_NONE && r->in_block > 0 && lacking(r) == IV_NONE)
        IV_TRY(end_block(r, err));
    l->pending = r->in_block;
    l->order = iv_judged_order_p(r->order, r->count);
    return IV_OK;
}

static int fill(iv_review_log *l, const iv_csv *csv, const char *path,
                const iv_strata_table *table, int64_t level, iv_err *err)
{
    reading r = { .csv = csv, .level = level == 0 ? 1 : level,
                  .count = table->row_count };
    int64_t *size = iv_take(&l->own, r.count, sizeof *size);

    r.rows = iv_take(&l->own, r.count, sizeof *r.rows);
    IV_TRY(iv_taken(&l->own, err));
    for (size_t s = 0; s < r.count; s++) {
        r.rows[s] = table->rows[s];
        r.rows[s].sampled = r.rows[s].relevant = 0;
        size[s] = table->rows[s].size;
    }
    IV_TRY(read_rows(l, &r, err));
    IV_TRY(check_counts(&r, path, table, err));
    l->table = *table;
    l->table.rows = r.rows;
    l->blocks = (iv_review_blocks){ size, table->retrieved, r.drawn, r.found, r.count, r.blocks };
    return iv_review_blocks_check(&l->blocks, err);
}

int iv_review_log_load(iv_review_log **out, const char *path, const iv_strata_table *table,
                       int64_t level, const iv_work *work, iv_err *err)
{
    iv_csv *csv = NULL;

    if (table->run_count != 1)
        return iv_fail(err, IV_EARG, "a log is of one run's review, not of %zu runs",
                       table->run_count);
    iv_review_log *l = calloc(1, sizeof *l);
    int rc = l == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                       : iv_csv_load(&csv, path, work, err);
    if (rc == IV_OK)
        rc = fill(l, csv, path, table, level, err);
    if (rc == IV_OK) {
        l->table.path = iv_arena_copy(&l->own, iv_str_of(path));
        l->table.bytes = iv_csv_bytes(csv);
        rc = l->table.path != NULL ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
    }
    iv_csv_free(csv);
    if (rc == IV_OK)
        *out = l;
    else
        iv_review_log_free(l);
    return rc;
}
