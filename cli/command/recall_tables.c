/* SPDX-License-Identifier: Apache-2.0 */
/* What the command recall shows: intervals, companions, data, draws, density. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/recall_cases.h"
#include "command/recall_charts.h"
#include "command/recall_words.h"

typedef struct tables {
    cmd_context *c;
    const recall_args *a;
    const recall_cases *cases;
    iv_recall_posterior *w;
    iv_table *intervals, *chart, *measures, *yield, *data, *draws, *density, *curves;
    recall_findings found;
    unsigned refused; /* methods, one bit each, that gave no row */
    bool alone;       /* one row, for people: no need to name it in each table */
} tables;

/* The method of row number i of a case; -1: no more. */
static int method_at(const recall_args *a, int i)
{
    const int own = a->prior.count > 0 ? IV_RECALL_ALL : 0;

    if (a->method != IV_RECALL_ALL)
        return i > 0 ? -1 : own + (a->method == IV_RECALL_AUTO ? IV_RECALL_BETABIN_SHARED : a->method);
    if (i + 1 < IV_RECALL_ALL)
        return i + 1;
    return i + 1 == IV_RECALL_ALL && own > 0 ? own + IV_RECALL_BETABIN_SHARED : -1;
}

static iv_recall_options options_of(const tables *t, int method)
{
    const recall_args *a = t->a;

    const bool own = method >= IV_RECALL_ALL;

    return (iv_recall_options){ .method = (iv_recall_method)(own ? method - IV_RECALL_ALL : method),
                                .confidence = t->c->shared->confidence,
                                .one_sided = a->one_sided,
                                .a = own ? a->prior.at[0] : 0.0,
                                .b = own ? a->prior.at[1] : 0.0 };
}

/* Is it read by people, or by a program that counts on every column? */
static bool for_people(const char *format)
{
    return strcmp(format, "tsv") != 0 && strcmp(format, "csv") != 0
        && strcmp(format, "json") != 0 && strcmp(format, "vega") != 0;
}

/* Names where a row belongs: run, method, and in rankings topic and cut-off. */
static void put_place(const tables *t, iv_table *out, const recall_case *k)
{
    if (!t->cases->ranked)
        return;
    iv_put_text(out, iv_str_of(k->topic));
    iv_put_int(out, k->cutoff);
}

enum { MOST_COLUMNS = 16 };

/* The first `names` columns say whose row it is; `first`: topics go behind it. */
static iv_table *new_table(tables *t, const char *name, const iv_column *columns, size_t names,
                           size_t first, size_t count)
{
    static const iv_column place[] = { { "topic", IV_TEXT, 0 }, { "cutoff", IV_INTEGER, 0 } };
    const bool named = !t->alone || names == 0;
    iv_column all[MOST_COLUMNS];
    size_t n = 0;

    for (size_t i = named ? 0 : names; i < first; i++)
        all[n++] = columns[i];
    for (size_t i = 0; named && t->cases->ranked && i < 2; i++)
        all[n++] = place[i];
    for (size_t i = first; i < count; i++)
        all[n++] = columns[i];
    return iv_result_table(t->c->result, name, all, n);
}

static void begin_tables(tables *t)
{
    static const iv_column intervals[] = {
        { "run", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "confidence", IV_REAL, 2 },
        { "recall", IV_REAL, 3 }, { "lower", IV_REAL, 3 }, { "upper", IV_REAL, 3 },
        { "prior_share", IV_REAL, 3 }, { "p_target", IV_REAL, 4 } };
    static const iv_column measures[] = {
        { "run", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "quantity", IV_TEXT, 0 },
        { "estimate", IV_REAL, 4 }, { "mean", IV_REAL, 4 }, { "median", IV_REAL, 4 },
        { "lower", IV_REAL, 4 }, { "upper", IV_REAL, 4 } };
    static const iv_column yield[] = {
        { "run", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "documents", IV_TEXT, 0 },
        { "estimate", IV_REAL, 0 }, { "mean", IV_REAL, 0 }, { "median", IV_REAL, 0 },
        { "lower", IV_REAL, 0 }, { "upper", IV_REAL, 0 } };
    static const iv_column chart[] = {
        { "run", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "recall", IV_REAL, 3 },
        { "lower", IV_REAL, 3 }, { "upper", IV_REAL, 3 } };
    static const iv_column data[] = {
        { "run", IV_TEXT, 0 }, { "segment", IV_TEXT, 0 }, { "strata", IV_INTEGER, 0 },
        { "N", IV_INTEGER, 0 }, { "n", IV_INTEGER, 0 }, { "r", IV_INTEGER, 0 } };
    static const iv_column draws[] = {
        { "run", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "draws", IV_INTEGER, 0 },
        { "lower", IV_REAL, 5 }, { "lower_se", IV_REAL, 5 }, { "lower_exact", IV_REAL, 5 },
        { "upper", IV_REAL, 5 }, { "upper_se", IV_REAL, 5 }, { "upper_exact", IV_REAL, 5 } };
    static const iv_column density[] = {
        { "run", IV_TEXT, 0 }, { "method", IV_TEXT, 0 }, { "from", IV_REAL, 3 },
        { "to", IV_REAL, 3 }, { "probability", IV_REAL, 4 }, { "sketch", IV_TEXT, 0 } };

    const bool one = t->cases->count == 1 && method_at(t->a, 1) < 0;
    const iv_drawn drawn = { "recall", "lower", "upper", 0.0, 1.0 };
    t->alone = one && for_people(t->c->shared->format);
    t->intervals = new_table(t, "recall", intervals, 0, 6, isnan(t->a->target) ? 7 : 8);
    if (!one) { /* the first table is too wide to draw in */
        t->chart = new_table(t, "chart", chart, 2, 2, 5);
        iv_table_show(t->chart, IV_FOLDED);
        iv_table_draw(t->chart, drawn);
    }
    t->measures = new_table(t, "measures", measures, 2, 2, 8);
    if (one)
        iv_table_draw(t->measures, (iv_drawn){ "estimate", "lower", "upper", 0.0, 1.0 });
    t->yield = new_table(t, "yield", yield, 2, 2, 8);
    t->data = new_table(t, "data", data, 1, 1, 6);
    if (t->a->draws > 0)
        t->draws = new_table(t, "draws", draws, 2, 2, 9);
    if (t->a->density)
        t->density = new_table(t, "density", density, 2, 2, 6);
    if (session_draws(t->c->shared))
        t->curves = recall_curves(t->c->result);
}

static void put_names(const tables *t, iv_table *out, const recall_case *k, int method)
{
    if (t->alone && out != t->intervals)
        return;
    iv_put_text(out, iv_str_of(k->run));
    iv_put_text(out, iv_str_of(recall_method_name(method)));
    if (out != t->intervals)
        put_place(t, out, k);
}

/* ------------------------------------------------------------- tables -- */

static void put_quantity(tables *t, iv_table *out, const recall_case *k, int method,
                         iv_recall_quantity quantity, const char *name, double beta,
                         double scale)
{
    const iv_segments s = recall_segments(k);

    const iv_recall_interval i = iv_recall_limits(t->w, quantity, beta, t->c->shared->confidence,
                                                  t->a->one_sided);
    put_names(t, out, k, method);
    iv_put_text(out, iv_str_of(name));
    iv_put_real(out, scale * iv_recall_plain(&s, quantity, beta));
    iv_put_real(out, scale * iv_recall_mean(t->w, quantity, beta));
    iv_put_real(out, scale * iv_recall_quantile(t->w, quantity, beta, 0.5));
    iv_put_real(out, scale * i.lower);
    iv_put_real(out, scale * i.upper);
}

/* The row of a method without a posterior. */
static void put_recall_only(tables *t, const recall_case *k, int method, iv_recall_interval i)
{
    const iv_segments s = recall_segments(k);

    put_names(t, t->measures, k, method);
    iv_put_text(t->measures, iv_str_of("recall"));
    iv_put_real(t->measures, iv_recall_estimate(&s));
    iv_put_missing(t->measures);
    iv_put_missing(t->measures);
    iv_put_real(t->measures, i.lower);
    iv_put_real(t->measures, i.upper);
}

static void put_measures(tables *t, const recall_case *k, int method)
{
    double size[2] = { 0.0, 0.0 };
    char name[32];

    for (size_t i = 0; i < k->retrieved + k->unretrieved; i++)
        size[i >= k->retrieved] += (double)k->strata[i].size;
    put_quantity(t, t->measures, k, method, IV_RECALL_RECALL, "recall", 1.0, 1.0);
    put_quantity(t, t->measures, k, method, IV_RECALL_PRECISION, "precision", 1.0, 1.0);
    put_quantity(t, t->measures, k, method, IV_RECALL_F, "f1", 1.0, 1.0);
    if (t->a->beta != 1.0) {
        (void)snprintf(name, sizeof name, "f%g", t->a->beta);
        put_quantity(t, t->measures, k, method, IV_RECALL_F, name, t->a->beta, 1.0);
    }
    put_quantity(t, t->measures, k, method, IV_RECALL_ELUSION, "elusion", 1.0, 1.0);
    put_quantity(t, t->yield, k, method, IV_RECALL_PRECISION, "retrieved", 1.0, size[0]);
    put_quantity(t, t->yield, k, method, IV_RECALL_ELUSION, "unretrieved", 1.0, size[1]);
    put_quantity(t, t->yield, k, method, IV_RECALL_YIELD, "all", 1.0, 1.0);
}

/* Steps of 1, 2 or 5 that cut the bulk of the posterior into at most 24. */
static double nice_step(double range)
{
    static const double steps[] = { 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02 };

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (range / steps[i] <= 24.0)
            return steps[i];
    }
    return 0.05;
}

static void put_density(tables *t, const recall_case *k, int method)
{
    const double least = iv_recall_quantile(t->w, IV_RECALL_RECALL, 1.0, 0.0005);
    const double most = iv_recall_quantile(t->w, IV_RECALL_RECALL, 1.0, 0.9995);
    const double step = nice_step(most - least);
    const double first = floor(least / step + 1e-9), last = ceil(most / step - 1e-9);
    double mass[64], largest = 1e-300;
    size_t bins = 0;

    if (isnan(least) || isnan(most))
        return;
    for (double i = first; i < fmax(last, first + 1.0) && bins < 64; i += 1.0, bins++) {
        const double to = fmin((i + 1.0) * step, 1.0);
        /* Each bin has its lower end; the last one of all has 1 as well. */
        mass[bins] = (to >= 1.0 ? 1.0 : iv_recall_below(t->w, IV_RECALL_RECALL, 1.0, to))
                     - iv_recall_below(t->w, IV_RECALL_RECALL, 1.0, i * step);
        largest = fmax(largest, mass[bins]);
    }
    for (size_t i = 0; i < bins; i++) {
        char bar[41];
        const size_t length = (size_t)rint(40.0 * fmax(mass[i], 0.0) / largest);
        memset(bar, '#', length);
        bar[length] = '\0';
        put_names(t, t->density, k, method);
        iv_put_real(t->density, (first + (double)i) * step);
        iv_put_real(t->density, fmin((first + (double)i + 1.0) * step, 1.0));
        iv_put_real(t->density, mass[i]);
        iv_put_text(t->density, iv_str_of(bar));
    }
}

static int put_draws(tables *t, const recall_case *k, int method, iv_recall_interval exact,
                     iv_err *err)
{
    const iv_segments s = recall_segments(k);
    const iv_recall_options o = options_of(t, method);
    iv_recall_drawn d;
    const int rc = iv_recall_by_draws(&d, &s, &o, (size_t)t->a->draws,
                                      &(iv_work){ .seed = t->c->shared->seed }, err);

    if (rc < 0)
        return rc;
    put_names(t, t->draws, k, method);
    iv_put_int(t->draws, t->a->draws);
    iv_put_real(t->draws, d.lower);
    iv_put_real(t->draws, d.lower_se);
    iv_put_real(t->draws, exact.lower);
    iv_put_real(t->draws, d.upper);
    iv_put_real(t->draws, d.upper_se);
    iv_put_real(t->draws, exact.upper);
    return IV_OK;
}

static void put_data(tables *t, const recall_case *k)
{
    for (int side = 0; side < 2; side++) {
        const size_t from = side == 0 ? 0 : k->retrieved;
        const size_t to = side == 0 ? k->retrieved : k->retrieved + k->unretrieved;
        iv_stratum sum = { 0, 0, 0 };
        for (size_t i = from; i < to; i++) {
            sum.size += k->strata[i].size;
            sum.sampled += k->strata[i].sampled;
            sum.relevant += k->strata[i].relevant;
        }
        if (!t->alone) {
            iv_put_text(t->data, iv_str_of(k->run));
            put_place(t, t->data, k);
        }
        iv_put_text(t->data, iv_str_of(side == 0 ? "retrieved" : "unretrieved"));
        iv_put_int(t->data, (int64_t)(to - from));
        iv_put_int(t->data, sum.size);
        iv_put_int(t->data, sum.sampled);
        iv_put_int(t->data, sum.relevant);
    }
}

/* ---------------------------------------------------------- one method -- */

static void remember_prior(tables *t, int method, double share)
{
    recall_findings *f = &t->found;
    const char *name = recall_method_name(method);

    f->cells |= method != IV_RECALL_JEFFREYS && !iv_recall_posterior_exact(t->w);
    if (!(share > 0.1))
        return;
    f->heaviest = fmax(f->heaviest, share);
    if (strstr(f->heavy, name) == NULL && strlen(f->heavy) + strlen(name) + 3 < sizeof f->heavy) {
        strcat(f->heavy, f->heavy[0] != '\0' ? ", " : "");
        strcat(f->heavy, name);
    }
}

static void remember_best(tables *t, const recall_case *k, int method, iv_recall_interval i,
                          double p_target)
{
    const iv_segments s = recall_segments(k);

    if (t->a->method == IV_RECALL_ALL && method != IV_RECALL_BETABIN_SHARED)
        return; /* of all methods the usual one answers */
    if (t->found.best != NULL) {
        const iv_segments best = recall_segments(t->found.best);
        const double old = iv_recall_estimate(&best);
        if (!(isnan(old) || iv_recall_estimate(&s) > old))
            return;
    }
    t->found.best = k;
    t->found.method = method;
    t->found.interval = i;
    t->found.p_target = p_target;
}

/* A row of the first table, and those that follow from the same posterior. */
static int put_method(tables *t, const recall_case *k, int method, iv_err *err)
{
    const iv_segments s = recall_segments(k);
    const iv_recall_options o = options_of(t, method);
    const bool posterior = iv_recall_has_posterior(o.method);
    iv_recall_interval i;
    int rc = iv_recall_interval_of(&i, &s, &o, t->w, err);

    if (rc < 0 && rc != IV_ENOMEM && t->a->method == IV_RECALL_ALL) {
        if ((t->refused & 1u << method) == 0)
            iv_result_note(t->c->result, "No row for %s: %s.", recall_method_name(method),
                           err->msg);
        t->refused |= 1u << method;
        *err = (iv_err){ IV_OK, "" };
        return IV_OK;
    }
    if (rc < 0)
        return rc;
    const double share = posterior ? iv_recall_prior_share(t->w) : NAN;
    const double p_target = posterior && !isnan(t->a->target)
        ? iv_recall_at_least(t->w, IV_RECALL_RECALL, 1.0, t->a->target) : NAN;
    put_names(t, t->intervals, k, method);
    iv_put_real(t->intervals, o.confidence);
    iv_put_real(t->intervals, iv_recall_estimate(&s));
    iv_put_real(t->intervals, i.lower);
    iv_put_real(t->intervals, i.upper);
    put_place(t, t->intervals, k);
    iv_put_real(t->intervals, share);
    if (!isnan(t->a->target))
        iv_put_real(t->intervals, p_target);
    if (t->chart != NULL) {
        put_names(t, t->chart, k, method);
        iv_put_real(t->chart, iv_recall_estimate(&s));
        iv_put_real(t->chart, i.lower);
        iv_put_real(t->chart, i.upper);
    }
    remember_best(t, k, method, i, p_target);
    t->found.outside += i.lower < 0.0 || i.upper > 1.0;
    if (!posterior) {
        put_recall_only(t, k, method, i);
        return IV_OK;
    }
    remember_prior(t, method, share);
    put_measures(t, k, method);
    if (t->a->density)
        put_density(t, k, method);
    if (t->curves != NULL)
        recall_put_curves(t->curves, t->c, k, recall_method_name(method), t->w);
    if (t->a->draws > 0)
        rc = put_draws(t, k, method, i, err);
    return rc;
}

int recall_tables(const recall_cases *cases, cmd_context *c, iv_err *err)
{
    tables t = { .c = c, .a = c->args, .cases = cases };
    int rc = iv_recall_posterior_new(&t.w, err), method;

    if (rc < 0)
        return rc;
    begin_tables(&t);
    for (size_t i = 0; i < cases->count && rc == IV_OK; i++) {
        for (int m = 0; rc == IV_OK && (method = method_at(t.a, m)) >= 0; m++)
            rc = put_method(&t, &cases->at[i], method, err);
        put_data(&t, &cases->at[i]);
        if (c->progress.report != NULL)
            c->progress.report(c->progress.user, (double)(i + 1) / (double)cases->count);
    }
    if (rc == IV_OK)
        recall_words(&t.found, cases, c);
    if (rc == IV_OK && t.curves != NULL)
        recall_charts(c->result, c, cases);
    iv_recall_posterior_free(t.w);
    return rc;
}
