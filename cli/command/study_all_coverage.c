/* SPDX-License-Identifier: Apache-2.0 */
/* What the default intervals cover: what study all --coverage prints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/study_all.h"

/* ------------------------------------------------------------------ reviews -- */

enum { SAMPLED = 500, LEAST_RELEVANT = 20 };

static const size_t cutoffs[] = { 100, 500, 1000 };

/* Relevant documents among the first `depth` of a ranking. */
static int64_t relevant_above(const study_all_data *d, size_t topic, size_t labels, size_t depth)
{
    int64_t relevant = 0;

    for (size_t i = 0; i < depth; i++) {
        const iv_judgment *j = iv_judgments_find(d->labels, labels,
                                                 iv_run_docno(d->review, topic, i));
        relevant += j != NULL && j->grade >= 1;
    }
    return relevant;
}

/* The topics' rankings, each cut at the cut-offs that leave something. */
static int make_reviews(iv_recall_population **out, size_t *count, const study_all_data *d,
                        iv_err *err)
{
    enum { CUTS = sizeof cutoffs / sizeof *cutoffs };
    const size_t topics = iv_run_topics(d->review);
    iv_recall_population *p = malloc((topics * CUTS + 1) * sizeof *p);
    size_t n = 0;

    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t t = 0; t < topics; t++) {
        const size_t at = iv_judgments_find_topic(d->labels, iv_run_topic(d->review, t));
        const size_t depth = iv_run_depth(d->review, t);
        const int64_t all = at == IV_NONE ? 0 : relevant_above(d, t, at, depth);
        for (size_t k = 0; k < CUTS && all >= LEAST_RELEVANT && depth >= SAMPLED; k++) {
            if (depth <= cutoffs[k])
                continue;
            const int64_t above = relevant_above(d, t, at, cutoffs[k]);
            p[n++] = (iv_recall_population){
                (int64_t)cutoffs[k], above, SAMPLED, (int64_t)(depth - cutoffs[k]), all - above,
                0, true };
        }
    }
    if (n == 0) {
        free(p);
        return iv_fail(err, IV_ENODATA, "no topic of the review has %d relevant documents among "
                       "%d or more", LEAST_RELEVANT, SAMPLED);
    }
    *out = p;
    *count = n;
    return IV_OK;
}

/* ------------------------------------------------------------------- scores -- */

static int take_scores(double **values, iv_score_grid *grid, const iv_matrix *m, iv_err *err)
{
    const size_t S = iv_matrix_systems(m), T = iv_matrix_topics(m);
    double *v = malloc((S * T + 1) * sizeof *v);

    if (v == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < S * T; i++) {
        v[i] = iv_matrix_score(m, i / T, i % T);
        if (!(v[i] >= 0.0 && v[i] <= 1.0)) {
            free(v);
            return iv_fail(err, IV_ENODATA, "the matrix has a gap or a score outside [0, 1]");
        }
    }
    *values = v;
    *grid = (iv_score_grid){ v, S, T };
    if (S < 2 || T < 2) {
        free(v);
        *values = NULL;
        return iv_fail(err, IV_ENODATA, "the matrix has %zu systems and %zu topics, expected 2 "
                       "of each", S, T);
    }
    return IV_OK;
}

/* -------------------------------------------------------------------- table -- */

static void put_rows(cmd_context *c, const iv_coverage *found)
{
    static const iv_column columns[] = {
        { "command", IV_TEXT, 0 },   { "interval", IV_TEXT, 0 }, { "data", IV_TEXT, 0 },
        { "setting", IV_TEXT, 0 },   { "nominal", IV_REAL, 2 },  { "coverage", IV_REAL, 4 },
        { "se", IV_REAL, 4 },        { "below", IV_REAL, 4 },    { "above", IV_REAL, 4 },
        { "least", IV_REAL, 4 },     { "width", IV_REAL, 4 },    { "without", IV_REAL, 4 },
        { "replicates", IV_INTEGER, 0 } };
    const iv_covered *x;
    const size_t count = iv_coverage_rows(&x, found);
    iv_table *t = iv_result_table(c->result, "coverage", columns,
                                  sizeof columns / sizeof *columns);

    for (size_t i = 0; i < count; i++) {
        iv_put_text(t, iv_str_of(iv_coverage_part_names()[x[i].part]));
        iv_put_text(t, iv_str_of(x[i].interval));
        iv_put_text(t, iv_str_of(x[i].data));
        iv_put_text(t, iv_str_of(x[i].setting));
        iv_put_real(t, x[i].nominal);
        iv_put_real(t, x[i].coverage);
        iv_put_real(t, x[i].se);
        iv_put_real(t, x[i].below);
        iv_put_real(t, x[i].above);
        iv_put_real(t, x[i].least);
        iv_put_real(t, x[i].width);
        iv_put_real(t, x[i].without);
        if (x[i].replicates > 0)
            iv_put_int(t, (int64_t)x[i].replicates);
        else
            iv_put_missing(t); /* exact */
    }
    double least = 0.75; /* where both axes begin, for a diagonal across them */
    for (size_t i = 0; i < count; i++)
        least = fmin(least, 0.05 * floor(20.0 * x[i].coverage));
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "coverage", .title = "What is promised, and what holds",
        .caption = "How often an interval holds the truth, over its confidence, a line a setting. "
                   "On the diagonal it keeps its promise; below it is too narrow.",
        .x = "nominal", .value = "coverage", .group = "setting", .panel = "data",
        .page = "interval", .diagonal = true,
        .x_axis = { .title = "confidence", .from = 0.75, .to = 1.0 },
        .value_axis = { .from = isfinite(least) ? least : 0.0, .to = 1.0 } });
}

/* What a reader looks for: which intervals promise too much. */
static void tell(cmd_context *c, const iv_coverage *found, size_t reviews)
{
    const study_all_args *a = c->args;
    const iv_covered *x, *worst = NULL;
    const size_t count = iv_coverage_rows(&x, found);
    size_t at95 = 0, low = 0;

    for (size_t i = 0; i < count; i++) {
        if (x[i].nominal != 0.95)
            continue;
        at95++;
        if (x[i].coverage < 0.95 - 0.01 - 3.0 * x[i].se) {
            low++;
            iv_result_note(c->result, "too narrow at .95: %s, %s, %s: %.3f", x[i].interval,
                           x[i].data, x[i].setting, x[i].coverage);
        }
        if (worst == NULL || x[i].coverage < worst->coverage)
            worst = &x[i];
    }
    if (worst != NULL && !a->papers)
        iv_result_answer(c->result, "Of %zu cases at confidence .95, %zu cover less than .94 by "
                         "more than three standard errors; the lowest coverage is %.3f (%s, %s, "
                         "%s).", at95, low, worst->coverage, worst->interval, worst->data,
                         worst->setting);
    if (reviews > 0)
        iv_result_note(c->result, "review: %zu rankings cut at ranks 100, 500 or 1000, of "
                       "topics with at least %d relevant documents; %d documents sampled",
                       reviews, LEAST_RELEVANT, SAMPLED);
    iv_result_note(c->result, "simulated and matrix: topics are drawn with replacement from a "
                   "population whose mean is the truth; rows without replicates are exact");
    if (a->quick)
        iv_result_note(c->result, "quick: a twentieth of the replicates");
}

int study_all_coverage(cmd_context *c, const study_all_data *d,
                       const bool wanted[IV_COVERAGE_PARTS], iv_progress progress, iv_err *err)
{
    const study_all_args *a = c->args;
    iv_coverage_options o = {
        .quick = a->quick, .runs = (const iv_run *const *)d->runs, .run_count = d->run_count,
        .judgments = d->judgments, .judged = d->judged };
    const iv_work work = { c->work.threads, c->work.seed, progress };
    iv_recall_population *reviews = NULL;
    iv_score_grid grid;
    double *values = NULL;
    iv_coverage *found = NULL;
    int rc = IV_OK;

    memcpy(o.wanted, wanted, sizeof o.wanted);
    if (d->robust2004 != NULL)
        rc = take_scores(&values, &grid, d->robust2004, err);
    if (values != NULL)
        o.scores = &grid;
    if (rc == IV_OK && d->review != NULL)
        rc = make_reviews(&reviews, &o.review_count, d, err);
    o.reviews = reviews;
    if (rc == IV_OK)
        rc = iv_coverage_run(&found, &o, &work, err);
    if (rc == IV_OK) {
        tell(c, found, o.review_count);
        put_rows(c, found);
    }
    iv_coverage_free(found);
    free(reviews);
    free(values);
    return rc;
}
