/* SPDX-License-Identifier: Apache-2.0 */
/* compare with a machine's labels: each difference has a slope of its own. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/assisted_parts.h"
#include "answer/run_notes.h"
#include "base/parallel.h"
#include "estimate/evaluation_parts.h"
#include "intervale/num.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/significant.h"

enum { SEVERAL = 1 << 0, MANY = 1 << 1, PAIRS_READ = 66 };

typedef struct pair_row {
    const char *measure, *a, *b;
    iv_assisted_mean is;
    double p_adjusted, lower_adjusted, upper_adjusted, human_p_adjusted;
    iv_limit limit; /* of the adjusted ones */
} pair_row;

const iv_field iv_compare_assisted_fields[] = {
    { "measure", IV_AT(pair_row, measure), .shown = SEVERAL, .about = "as it was asked for" },
    { "a", IV_AT(pair_row, a), .about = "a run" },
    { "b", IV_AT(pair_row, b), .about = "another, or the baseline" },
    { "judged", IV_AT(pair_row, is.judged), .audience = IV_FOR_PROGRAMS,
      .about = "topics that people judged and the machine labelled" },
    { "topics", IV_AT(pair_row, is.units), .audience = IV_FOR_PROGRAMS,
      .about = "that the machine labelled" },
    { "difference", IV_AT(pair_row, is.value), .digits = 4,
      .about = "a - b, people and the machine combined" },
    { "se", IV_AT(pair_row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error of the difference" },
    { "lower", IV_AT(pair_row, is.lower), .digits = 4,
      .about = "end of its interval, of this pair by itself" },
    { "upper", IV_AT(pair_row, is.upper), .digits = 4, .about = "the other end of it" },
    { "lower_adjusted", IV_AT(pair_row, lower_adjusted), .digits = 4,
      .audience = IV_FOR_PROGRAMS, .needs = MANY, .about = "end of its interval in accord with p_adjusted" },
    { "upper_adjusted", IV_AT(pair_row, upper_adjusted), .digits = 4,
      .audience = IV_FOR_PROGRAMS, .needs = MANY, .about = "the other end of it" },
    { "p", IV_AT(pair_row, is.p), .digits = 4, .about = "that there is no difference" },
    { "p_adjusted", IV_AT(pair_row, p_adjusted), .digits = 4, .needs = MANY,
      .about = "allowing for all pairs" },
    { "human", IV_AT(pair_row, is.human), .digits = 4, .about = "people alone" },
    { "human_lower", IV_AT(pair_row, is.human_lower), .digits = 4, .about = "of its interval" },
    { "human_upper", IV_AT(pair_row, is.human_upper), .digits = 4, .about = "of its interval" },
    { "human_p", IV_AT(pair_row, is.human_p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "the same of people alone" },
    { "human_p_adjusted", IV_AT(pair_row, human_p_adjusted), .digits = 4,
      .audience = IV_FOR_PROGRAMS, .needs = MANY, .about = "the same, allowing for all pairs" },
    { "machine", IV_AT(pair_row, is.machine), .digits = 4,
      .about = "the machine alone, which has no interval" },
    { "effective", IV_AT(pair_row, is.effective), .digits = 1,
      .about = "judged topics that would tell as much without the machine" },
    { "gain", IV_AT(pair_row, is.gain), .digits = 3,
      .about = "how much narrower than people's interval, as a share" },
    { "slope", IV_AT(pair_row, is.slope), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "weight of the machine's difference in the value" },
    { "rho", IV_AT(pair_row, is.rho), .digits = 3, .about = "correlation over the judged topics" },
    { NULL } };

typedef struct match {
    const iv_compare_question *q;
    iv_assisted *a;
    iv_arena memory;
    const iv_evaluated *v;
    pair_row *rows; /* by measure */
    size_t pairs, count;
    double confidence;
} match;

typedef struct two {
    size_t a, b;
} two;

/* Which pairs: all, or each run with the baselines. */
static int choose(two **out, match *m, iv_err *err)
{
    const size_t runs = m->v->run_count, base = m->q->baselines.count;
    two *pairs = iv_take(&m->memory, runs * (runs + base) + 1, sizeof *pairs);
    const iv_evaluation *human = iv_assisted_viewed(m->a)->human;

    IV_TRY(iv_taken(&m->memory, err));
    for (size_t k = 0; k < base; k++) {
        const size_t b = iv_evaluation_find(human, m->q->baselines.at[k]);
        if (b == IV_NONE)
            return iv_fail(err, IV_EARG, "the baseline '%.80s' is not among the runs",
                           m->q->baselines.at[k]);
        for (size_t r = 0; r < runs; r++)
            if (r != b)
                pairs[m->pairs++] = (two){ r, b };
    }
    for (size_t a = 0; base == 0 && a < runs; a++)
        for (size_t b = a + 1; b < runs; b++)
            pairs[m->pairs++] = (two){ a, b };
    *out = pairs;
    return IV_OK;
}

/* As without automatic labels: the larger p of t and of Hall's t. */
static double corrected_p(const iv_assisted_mean *x)
{
    const double n = (double)x->judged, df = n - (x->alone ? 1.0 : 2.0);

    if (isnan(x->p) || !(x->se > 0.0))
        return isnan(x->p) ? 1.0 : x->p;
    return fmin(1.0, fmax(x->p, 2.0 * iv_hall_beyond(x->value, x->se * sqrt(n), n, df, x->skewness,
                                                     x->value > 0.0 ? IV_GREATER : IV_LESS)));
}

/* The part of the error that each pair's limits are given, as in stat/paired/compare_pairs.c. */
static double part_of_each(const double *p, size_t n, iv_correction how, double alpha)
{
    double found = 0.0;

    for (size_t k = 0; k < n; k++)
        found += p[k] < alpha;
    return how == IV_CORRECT_NONE ? 1.0
        : (how == IV_CORRECT_BH ? fmax(1.0, found) : 1.0) / (double)n;
}

/* Holm's method on both p, and Bonferroni's limits, of the pairs of one measure. */
static int adjust(match *m, pair_row *rows, bool bounded, iv_err *err)
{
    const size_t n = m->pairs;
    double *p = iv_take(&m->memory, 4 * n, sizeof *p);
    const iv_correction how = m->q->how.correction == IV_CORRECT_AUTO ? IV_CORRECT_HOLM
                                                                      : m->q->how.correction;

    IV_TRY(iv_taken(&m->memory, err));
    for (size_t k = 0; k < n; k++) {
        p[k] = corrected_p(&rows[k].is);
        p[n + k] = isnan(rows[k].is.human_p) ? 1.0 : rows[k].is.human_p;
    }
    IV_TRY(iv_adjust(p + 2 * n, p, n, how, err));
    IV_TRY(iv_adjust(p + 3 * n, p + n, n, how, err));
    const double each = part_of_each(p + 2 * n, n, how, 1.0 - m->confidence);
    for (size_t k = 0; k < n; k++) {
        const iv_assisted_mean *x = &rows[k].is;
        const double df = (double)x->judged - (x->alone ? 1.0 : 2.0);
        const double reach = x->judged > 3 ? x->se * iv_t_isf(0.5 * (1.0 - m->confidence)
                                                              * each, df) : (double)NAN;
        rows[k].p_adjusted = isnan(x->p) ? x->p : p[2 * n + k];
        rows[k].human_p_adjusted = isnan(x->p) ? x->p : p[3 * n + k];
        rows[k].lower_adjusted = x->value - reach;
        rows[k].upper_adjusted = x->value + reach;
        if (bounded)
            iv_possible_difference(&rows[k].lower_adjusted, &rows[k].upper_adjusted);
        if (n > 1)
            rows[k].limit = iv_settle_limits(&rows[k].lower_adjusted, &rows[k].upper_adjusted,
                                             rows[k].p_adjusted < 1.0 - m->confidence,
                                             x->value > 0.0 ? 1 : -1);
    }
    return IV_OK;
}

static int fill(match *m, const iv_work *work, iv_err *err)
{
    two *pairs = NULL;
    iv_steps steps = { .work = work, .total = 1.0 };

    IV_TRY(choose(&pairs, m, err));
    m->rows = iv_take(&m->memory, m->pairs * m->v->measure_count + 1, sizeof *m->rows);
    IV_TRY(iv_taken(&m->memory, err));
    steps.total = (double)(m->pairs * m->v->measure_count + 1);
    for (size_t i = 0; i < m->v->measure_count; i++) {
        const iv_evaluated_measure *is = &m->v->measures[i];
        if (is->text || !is->per_topic
            || (is->info != NULL && is->info->measure->summary != IV_SUMMARY_MEAN))
            return iv_fail(err, IV_EARG, "measure '%s' is no mean of numbers of topics: nothing to "
                           "compare", is->name);
        pair_row *rows = m->rows + m->count;
        for (size_t k = 0; k < m->pairs; k++) {
            pair_row *r = &m->rows[m->count++];
            *r = (pair_row){ .measure = is->name, .a = m->v->runs[pairs[k].a].name,
                             .b = m->v->runs[pairs[k].b].name };
            IV_TRY(iv_assisted_difference(&r->is, m->a, i, pairs[k].a, pairs[k].b, err));
            IV_TRY(iv_step(&steps, err));
        }
        IV_TRY(adjust(m, rows, iv_evaluated_bounded(is), err));
    }
    return IV_OK;
}

static const char *method(const match *m)
{
    static const char *const words[] = { "Holm's method", "no correction", "Bonferroni's method",
                                         "Holm's method", "Benjamini and Hochberg's method",
                                         "Tukey's method" };

    return words[m->q->how.correction];
}

/* What intervals and p of several pairs are of, and which limits were moved to 0. */
static void tell_many(const match *m, iv_result *out)
{
    size_t cut = 0, widened = 0;

    for (size_t k = 0; k < m->count; k++) {
        cut += m->rows[k].limit == IV_LIMIT_CUT;
        widened += m->rows[k].limit == IV_LIMIT_WIDENED;
    }
    if (cut > 0)
        iv_result_note(out, "%zu adjusted interval%s held 0 where the test finds a difference (going "
                       "step by step it finds more than intervals for all pairs at once show): the "
                       "limit, lower_adjusted or upper_adjusted, is 0, which is excluded", cut,
                       iv_plural(cut));
    if (widened > 0)
        iv_result_note(out, "%zu adjusted interval%s did not hold 0 where the test finds no "
                       "difference: widened to end there", widened, iv_plural(widened));
    iv_result_legend(out, "p_adjusted: %s on the larger of p and that of Hall's t, over %zu pairs",
                     method(m), m->pairs);
    if (iv_familywise(m->q->how.correction))
        iv_result_legend(out, "lower and upper are of each pair by itself, and may leave out 0 where "
                         "p_adjusted finds no difference; limits for all %zu pairs at once "
                         "(Bonferroni's) are lower_adjusted and upper_adjusted, in tables for programs",
                         m->pairs);
}

static void tell(const match *m, iv_result *out)
{
    const double alpha = 1.0 - m->confidence;
    size_t by_both = 0, by_people = 0;

    for (size_t k = 0; k < m->pairs; k++) {
        by_both += m->rows[k].p_adjusted < alpha;
        by_people += m->rows[k].human_p_adjusted < alpha;
    }
    const pair_row *r = &m->rows[0];
    char span[96] = "", doubt[240];
    if (isfinite(r->is.lower))
        (void)snprintf(span, sizeof span, ", %.10g %% interval %.4f to %.4f (p = %.2g)",
                       100.0 * m->confidence, r->is.lower, r->is.upper, r->is.p);
    iv_assisted_doubted(doubt, sizeof doubt, iv_assisted_viewed(m->a), r->measure, &r->is);
    if (m->pairs == 1)
        iv_result_answer(out, "%s: %s - %s is %.4f%s, from %zu judged and %zu machine-labelled topics; "
                         "people alone %.4f (%.4f to %.4f, p = %.2g), the machine alone says %.4f.%s",
                         r->measure, r->a, r->b, r->is.value, span, r->is.judged, r->is.units,
                         r->is.human, r->is.human_lower, r->is.human_upper, r->is.human_p,
                         r->is.machine, doubt);
    else
        iv_result_answer(out, "%s: of %zu pairs %zu differ (%s, %g), from %zu judged and "
                         "%zu machine-labelled topics; by people alone %zu.%s", r->measure, m->pairs,
                         by_both, method(m), alpha, r->is.judged, r->is.units, by_people, doubt);
    iv_result_legend(out, "difference is a - b by people and the machine combined, with a slope of "
                     "its own; human is people alone; machine has no interval; p by Student's t");
    if (m->pairs > 1)
        tell_many(m, out);
}

static int answer(match *m, iv_result *out, const iv_work *work, iv_err *err)
{
    size_t idle = 0;

    m->v = iv_evaluation_view(iv_assisted_viewed(m->a)->human);
    if (m->v->run_count < 2)
        return iv_fail(err, IV_EARG, "%zu run, expected two or more", m->v->run_count);
    IV_TRY(fill(m, work, err));
    for (size_t k = 0; k < m->count; k++)
        idle += iv_machine_idle(&m->rows[k].is);
    tell(m, out);
    (void)iv_result_rows(out, &(iv_rows){ "pairs", iv_compare_assisted_fields, m->rows, m->count, sizeof *m->rows,
        .with = (m->v->measure_count > 1 ? SEVERAL : 0) | (m->pairs > 1 ? MANY : 0),
        .showing = m->pairs > PAIRS_READ ? IV_LONG : IV_SHOWN,
        .drawn = { "difference", "lower", "upper", 0.0, 0.0 } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "Differences",
        .caption = "A point is the difference of two runs by people and the machine combined, the "
                   "line its interval, of this pair by itself.", .label = "a", .against = "b", .page = "measure",
        .value = "difference", .lower = "lower", .upper = "upper",
        .lines = { { "no difference", 0.0, true } } });
    IV_TRY(iv_tell_machines(out, &m->memory, &m->q->source, &m->q->machine, m->a, idle, m->count,
                            err));
    iv_tell_run_files(out, m->v);
    return IV_OK;
}

int iv_compare_assisted(iv_result *out, const iv_compare_question *q, const iv_work *work,
                        iv_err *err)
{
    static const char *const usual[] = { "AP" };
    match m = { .q = q, .confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence };
    iv_evaluating how = q->scoring;
    iv_stage stage;

    if (q->matrix != NULL || q->values != NULL || q->groups != NULL || q->tests.count > 0
        || q->how.margin != 0.0 || q->how.alternative != IV_TWO_SIDED
        || q->how.interval != IV_INTERVAL_AUTO)
        return iv_fail(err, IV_EARG, "beside a machine's labels differences are of runs and "
                       "judgments, on all topics, and tested by Student's t, two-sided");
    how.interval = IV_INTERVAL_NONE;
    how.differences = true;
    how.resampling.confidence = m.confidence;
    if (how.measures.count == 0)
        how.measures = (iv_texts){ usual, 1 };
    int rc = iv_compared_measures(&how.measures, &m.memory, &how.measure, out, err);
    if (rc == IV_OK)
        rc = iv_assisted_new(&m.a, &q->source, &q->machine, &how,
                             iv_work_part(&stage, work, 0.0, 0.8), err);
    if (rc == IV_OK)
        rc = answer(&m, out, iv_work_part(&stage, work, 0.8, 1.0), err);
    iv_arena_free(&m.memory);
    iv_assisted_free(m.a);
    return rc;
}
