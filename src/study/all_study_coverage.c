/* SPDX-License-Identifier: Apache-2.0 */
/* What the default intervals cover: what study all --coverage prints. */
#include <math.h>
#include <string.h>

#include "study/all_study.h"
#include "study/study_columns.h"

/* ------------------------------------------------------------------ reviews -- */

enum { SAMPLED = 500, LEAST_RELEVANT = 20 };

static const size_t cutoffs[] = { 100, 500, 1000 };

/* Relevant documents among the first `depth` of a ranking. */
static int64_t relevant_above(const iv_study_data *d, size_t topic, size_t labels, size_t depth)
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
static int make_reviews(iv_coverage_options *o, iv_arena *own, const iv_study_data *d, iv_err *err)
{
    enum { CUTS = sizeof cutoffs / sizeof *cutoffs };
    const size_t topics = iv_run_topics(d->review);
    iv_recall_population *p = iv_take(own, topics * CUTS, sizeof *p);
    size_t n = 0;

    IV_TRY(iv_taken(own, err));
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
    o->reviews = p;
    o->review_count = n;
    return n > 0 ? IV_OK
        : iv_fail(err, IV_ENODATA, "no topic of the review has %d relevant documents among %d or "
                  "more", LEAST_RELEVANT, SAMPLED);
}

/* ------------------------------------------------------------------- scores -- */

int iv_grid_of(iv_score_grid *out, iv_arena *own, const iv_matrix *m, iv_err *err)
{
    const size_t S = iv_matrix_systems(m), T = iv_matrix_topics(m);
    double *values = iv_take(own, S * T, sizeof *values);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < S * T; i++)
        values[i] = iv_matrix_score(m, i / T, i % T);
    *out = (iv_score_grid){ values, S, T };
    return IV_OK;
}

static int take_scores(iv_score_grid *out, iv_arena *own, const iv_matrix *m, iv_err *err)
{
    IV_TRY(iv_grid_of(out, own, m, err));
    for (size_t i = 0; i < out->systems * out->topics; i++)
        if (!(out->values[i] >= 0.0 && out->values[i] <= 1.0))
            return iv_fail(err, IV_ENODATA, "the matrix has a gap or a score outside [0, 1]");
    if (out->systems < 2 || out->topics < 2)
        return iv_fail(err, IV_ENODATA, "the matrix has %zu systems and %zu topics, expected 2 "
                       "of each", out->systems, out->topics);
    return IV_OK;
}

/* -------------------------------------------------------------------- table -- */

const iv_field iv_study_cover_fields[] = {
    { "command", IV_AT(iv_covered, part), .names = iv_coverage_part_names,
      .about = "that shows the interval" },
    { "interval", IV_AT(iv_covered, interval), .about = "of what, and its method" },
    { "data", IV_AT(iv_covered, data), .about = "simulated, or what was given" },
    { "setting", IV_AT(iv_covered, setting), .about = "size of the data" },
    { "nominal", IV_AT(iv_covered, nominal), .digits = 2, .about = "confidence" },
    { "coverage", IV_AT(iv_covered, coverage), .digits = 4,
      .about = "share of intervals that hold the truth" },
    { "se", IV_AT(iv_covered, se), .digits = 4, .about = "of coverage" },
    { "below", IV_AT(iv_covered, below), .digits = 4, .about = "share of truths below" },
    { "above", IV_AT(iv_covered, above), .digits = 4, .about = "share of truths above" },
    { "least", IV_AT(iv_covered, least), .digits = 4,
      .about = "lowest coverage among the cases averaged" },
    { "width", IV_AT(iv_covered, width), .digits = 4, .about = "mean width" },
    { "without", IV_AT(iv_covered, without), .digits = 4,
      .about = "share of replicates without an interval" },
    { "held", IV_AT(iv_covered, held), .digits = 4,
      .about = "coverage, if these count as misses" },
    { "replicates", IV_AT(iv_covered, replicates), .about = "missing where exact" },
    { NULL } };

static void put_rows(iv_result *out, const iv_coverage *found)
{
    const iv_covered *x;
    const size_t count = iv_coverage_rows(&x, found);
    double least = 0.75; /* where both axes begin, for a diagonal across them */

    for (size_t i = 0; i < count; i++)
        least = fmin(least, 0.05 * floor(20.0 * x[i].coverage));
    (void)iv_result_rows(out, &(iv_rows){ "coverage", iv_study_cover_fields, x, count, sizeof *x });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "coverage", .title = "What is promised, and what holds",
        .caption = "How often an interval holds the truth, over its confidence, a line a setting. "
                   "On the diagonal it keeps its promise; below it is too narrow.",
        .x = "nominal", .value = "coverage", .group = "setting", .panel = "data",
        .page = "interval", .diagonal = true,
        .x_axis = { .title = "confidence", .from = 0.75, .to = 1.0 },
        .value_axis = { .from = isfinite(least) ? least : 0.0, .to = 1.0 } });
}

/* What a reader looks for: which intervals promise too much. */
static void tell(iv_result *out, const iv_study_all_question *q, const iv_coverage *found,
                 size_t reviews)
{
    const iv_covered *x, *worst = NULL;
    const size_t count = iv_coverage_rows(&x, found);
    size_t at95 = 0, low = 0;

    for (size_t i = 0; i < count; i++) {
        if (x[i].nominal != 0.95)
            continue;
        at95++;
        if (x[i].coverage < 0.95 - 0.01 - 3.0 * x[i].se) {
            low++;
            iv_result_note(out, "too narrow at .95: %s, %s, %s: %.3f", x[i].interval,
                           x[i].data, x[i].setting, x[i].coverage);
        }
        if (worst == NULL || x[i].coverage < worst->coverage)
            worst = &x[i];
    }
    if (worst != NULL && !q->papers)
        iv_result_answer(out, "Of %zu cases at confidence .95, %zu cover less than .94 by "
                         "more than three standard errors; the lowest coverage is %.3f (%s, %s, "
                         "%s).", at95, low, worst->coverage, worst->interval, worst->data,
                         worst->setting);
    if (reviews > 0)
        iv_result_note(out, "review: %zu rankings cut at ranks 100, 500 or 1000, of "
                       "topics with at least %d relevant documents; %d documents sampled",
                       reviews, LEAST_RELEVANT, SAMPLED);
    iv_result_note(out, "simulated and matrix: topics are drawn with replacement from a "
                   "population whose mean is the truth; rows without replicates are exact");
    if (q->quick)
        iv_result_note(out, "quick: a twentieth of the replicates");
}

int iv_study_tell_coverage(iv_result *out, const iv_study_all_question *q,
                           const iv_study_data *d, const bool wanted[IV_COVERAGE_PARTS],
                           const iv_work *work, iv_err *err)
{
    iv_coverage_options o = {
        .quick = q->quick, .runs = d->collection.in.runs, .run_count = d->collection.in.count,
        .judgments = d->collection.judgments, .judged = d->collection.judged };
    iv_score_grid grid;
    iv_arena own = { 0 };
    iv_coverage *found = NULL;
    int rc = IV_OK;

    memcpy(o.wanted, wanted, sizeof o.wanted);
    if (d->robust2004 != NULL) {
        rc = take_scores(&grid, &own, d->robust2004, err);
        o.scores = &grid;
    }
    if (rc == IV_OK && d->review != NULL)
        rc = make_reviews(&o, &own, d, err);
    if (rc == IV_OK)
        rc = iv_coverage_run(&found, &o, work, err);
    if (rc == IV_OK) {
        tell(out, q, found, o.review_count);
        put_rows(out, found);
    }
    iv_coverage_free(found);
    iv_arena_free(&own);
    return rc;
}
