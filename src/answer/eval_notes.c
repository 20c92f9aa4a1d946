/* SPDX-License-Identifier: Apache-2.0 */
/* What eval says beside its numbers. */
#include <math.h>

#include "answer/answer_parts.h"
#include "answer/eval_parts.h"
#include "base/listing.h"

enum { NAMED = 5, FEW_TOPICS = 10 };

/* --------------------------------------------------------- of the topics -- */

static void tell_missing(const iv_eval *e)
{
    size_t told = 0, more = 0;

    for (size_t r = 0; r < e->v->run_count; r++) {
        const iv_evaluated_run *run = &e->v->runs[r];
        iv_listing topics = { 0 };
        if (run->missing_count == 0)
            continue;
        if (told == NAMED) {
            more++;
            continue;
        }
        told++;
        for (size_t i = 0; i < run->missing_count; i++)
            iv_list_quoted(&topics, run->missing[i]);
        iv_result_note(e->out, "%s misses %zu of %zu judged topics, %s: %s", run->name,
                       run->missing_count, e->v->judged_topics, e->v->complete
                       ? "which count as empty"
                       : "which are left out (complete averages count them)",
                       iv_listed(&topics));
    }
    if (more > 0)
        iv_result_note(e->out, "%zu more run%s miss%s judged topics: see the column 'missing'",
                       more, iv_plural(more), more == 1 ? "es" : "");
}

static void tell_not_judged(const iv_eval *e)
{
    size_t runs = 0, most = 0, which = 0;

    for (size_t r = 0; r < e->v->run_count; r++) {
        const size_t n = e->v->runs[r].noted.not_judged;
        runs += n > 0;
        if (n > most) {
            most = n;
            which = r;
        }
    }
    if (runs == 1)
        iv_result_note(e->out, "%s has %zu topic%s without judgments, left out",
                       e->v->runs[which].name, most, iv_plural(most));
    else if (runs > 1)
        iv_result_note(e->out, "%zu runs have topics without judgments, left out; most has "
                       "%s: %zu", runs, e->v->runs[which].name, most);
}

/* ------------------------------------------------------ of the intervals -- */

static bool was_replaced(const iv_eval *e, size_t i)
{
    return e->v->sampling == NULL && iv_eval_mean(e, 0, i)->replaced;
}

static bool is_text(const iv_eval *e, size_t i)
{
    return e->v->measures[i].text;
}

static bool lacks_bounds(const iv_eval *e, size_t i)
{
    return e->asked->how.bounds && !is_text(e, i) && !e->v->measures[i].has_bounds
           && e->v->measures[i].why_no_bounds == NULL;
}

/* Measures that have no bounds for the same reason, told with it. */
static void tell_reasons(const iv_eval *e)
{
    for (size_t i = 0; i < e->v->measure_count && e->asked->how.bounds; i++) {
        const char *why = e->v->measures[i].why_no_bounds;
        iv_listing names = { 0 };
        bool told = false;
        for (size_t k = 0; k < e->v->measure_count && why != NULL; k++) {
            if (e->v->measures[k].why_no_bounds != why)
                continue;
            told = told || k < i;
            iv_list_quoted(&names, iv_str_of(e->v->measures[k].name));
        }
        if (names.count > 0 && !told)
            iv_result_note(e->out, "no bounds for %s: %s", iv_listed(&names), why);
    }
}

static bool lacks_ties(const iv_eval *e, size_t i)
{
    return e->asked->how.ties && !is_text(e, i) && !e->v->measures[i].has_ties;
}

/* What holds for some of the measures. */
static void tell_measures(const iv_eval *e)
{
    static const struct {
        bool (*holds)(const iv_eval *e, size_t i);
        const char *text;
    } kinds[] = {
        { was_replaced, "logit is for means of values in [0, 1]; t is used for" },
        { is_text, "no numbers, so only in trec_eval's format:" },
        { lacks_bounds, "no bounds are known for" },
        { lacks_ties, "no values over ties are known for" },
    };

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        iv_listing names = { 0 };
        for (size_t i = 0; i < e->v->measure_count; i++)
            if (kinds[k].holds(e, i))
                iv_list_quoted(&names, iv_str_of(e->v->measures[i].name));
        if (names.count > 0)
            iv_result_note(e->out, "%s %s", kinds[k].text, iv_listed(&names));
    }
    tell_reasons(e);
}

/* Where something happened over runs and measures: the first, and how often. */
static void note_place(iv_listing *l, const iv_eval *e, size_t k)
{
    const size_t width = e->v->measure_count;

    l->most = 1;
    iv_list(l, "%.60s of %.120s", e->v->measures[k % width].name, e->v->runs[k / width].name);
}

/* Runs whose mean of a measure has an interval by this method. */
static size_t runs_by(const iv_eval *e, size_t measure, iv_interval_method method)
{
    size_t runs = 0;

    for (size_t r = 0; r < e->v->run_count; r++) {
        const iv_mean *m = iv_eval_mean(e, r, measure);
        runs += m->method == method && isfinite(m->lower);
    }
    return runs;
}

/* The methods beside that which the answer names, of its first measure and best run. */
static void tell_methods(const iv_eval *e)
{
    const size_t width = e->v->measure_count, runs = e->v->run_count;
    iv_interval_method named = IV_INTERVAL_NONE;

    for (size_t i = 0; i < width && named == IV_INTERVAL_NONE; i++)
        if (isfinite(iv_eval_mean(e, e->order[0], i)->lower))
            named = iv_eval_mean(e, e->order[0], i)->method;
    for (size_t m = 0; iv_interval_names()[m] != NULL; m++) {
        iv_listing where = { 0 };
        for (size_t i = 0; i < width && iv_interval_about(m)->least > 0 && m != named; i++) {
            const size_t here = runs_by(e, i, m);
            if (here == runs)
                iv_list(&where, "%.60s", e->v->measures[i].name);
            else if (here > 0)
                iv_list(&where, "%.60s (%zu of %zu runs)", e->v->measures[i].name, here, runs);
        }
        if (where.count > 0)
            iv_result_note(e->out, "intervals by %s: %s", iv_eval_method_text(m),
                           iv_listed(&where));
    }
}


/* The skewness that Cochran's rule allows n values, and chance gives normal ones in 1 of 100. */
static bool is_skewed(double skewness, size_t n)
{
    const double N = (double)n;
    const double chance = sqrt(6.0 * N * (N - 1.0) / ((N - 2.0) * (N + 1.0) * (N + 3.0)));

    return 25.0 * skewness * skewness > N && fabs(skewness) > 2.58 * chance;
}

void iv_eval_doubt(iv_eval_doubts *which, const iv_doubted *x)
{
    if (!isfinite(x->lower))
        return;
    if ((x->method == IV_INTERVAL_PERCENTILE || x->method == IV_INTERVAL_BCA)
        && x->values < FEW_TOPICS)
        which->few = which->few == 0 || x->values < which->few ? x->values : which->few;
    if (x->method == IV_INTERVAL_T && is_skewed(x->skewness, x->values)
        && !(which->skewed >= fabs(x->skewness))) {
        which->skewed = fabs(x->skewness);
        which->skewed_values = x->values;
    }
    if (x->dropped * 100 > x->resamples && !(which->dropped >= (double)x->dropped / (double)x->resamples))
        which->dropped = (double)x->dropped / (double)x->resamples;
}

void iv_eval_tell_doubts(iv_result *out, const iv_eval_doubts *which, const char *what)
{
    if (which->few > 0)
        iv_result_note(out, "warning: percentile and BCa intervals of %zu %s%s cover less than they "
                       "state, about 83 %% of 95 %% ones with 5 %ss; --ci auto covers 93 %%",
                       which->few, what, iv_plural(which->few), what);
    if (which->skewed > 0.0)
        iv_result_note(out, "warning: values are skewed (skewness %.1f), so the t interval of %zu "
                       "%ss may cover less than it states; it needs about %.0f (Cochran 1977), and "
                       "--ci bootstrap-t fewer", which->skewed, which->skewed_values, what,
                       25.0 * which->skewed * which->skewed);
    if (which->dropped > 0.0)
        iv_result_note(out, "warning: nearly all values are 0, or nearly all 1: up to %.0f %% of "
                       "resamples have no logit and are excluded, and 95 %% intervals may cover "
                       "only 86 %%; --ci logit-t covers more", 100.0 * which->dropped);
}

static void tell_coverage(const iv_eval *e)
{
    iv_eval_doubts which = { 0 };

    for (size_t k = 0; k < e->v->run_count * e->v->measure_count; k++) {
        const iv_mean *m = &e->v->means[k];
        iv_eval_doubt(&which, &(iv_doubted){ m->method, m->topics, m->lower, m->skewness, m->dropped,
                                             e->v->resampling.resamples });
    }
    iv_eval_tell_doubts(e->out, &which, "topic");
}

static void tell_gaps(const iv_eval *e)
{
    const size_t means = e->v->run_count * e->v->measure_count;

    for (iv_interval_gap gap = IV_GAP_ONE_VALUE; gap <= IV_GAP_FEW; gap++) {
        iv_listing where = { 0 };
        for (size_t k = 0; k < means; k++)
            if (e->v->means[k].gap == gap)
                note_place(&where, e, k);
        if (where.count > 0)
            iv_result_note(e->out, "no interval for %s: %s", iv_listed(&where),
                           iv_interval_gap_text(gap));
    }
}

static void tell_limit(const iv_eval *e)
{
    double most = 0.0;

    for (size_t k = 0; k < e->v->run_count * e->v->measure_count; k++)
        most = fmax(most, e->v->means[k].limit_error);
    iv_tell_limit(e->out, most);
}

void iv_eval_notes(const iv_eval *e)
{
    if (e->v->certain)
        iv_result_note(e->out, "every document was judged for certain: scored as complete "
                       "judgments");
    iv_tell_run_files(e->out, e->v);
    tell_missing(e);
    tell_not_judged(e);
    iv_tell_float_ties(e->out, e->v);
    if (e->v->sampling != NULL)
        iv_tell_irregular(e->out, e->v, e->asked->how.unjudged);
    if (e->asked->trec != NULL)
        return; /* only what trec_eval might say */
    if (e->v->sampling != NULL)
        iv_eval_sample_notes(e);
    if (e->asked->how.standards != NULL)
        iv_result_note(e->out, "values are standard scores: distances from the mean of the "
                       "reference runs on a topic, in their standard deviations");
    tell_measures(e);
    iv_tell_subtopics(e->out, e->v);
    iv_tell_grades(e->out, e->v);
    if (!e->asked->no_summary || e->v->sampling == NULL) {
        tell_methods(e);
        tell_coverage(e);
        tell_gaps(e);
        tell_limit(e);
    }
    if (!e->asked->how.ties)
        iv_tell_ties(e->out, e->v, "; values over ties show what other orders would give");
    bool bounds = false;
    for (size_t i = 0; i < e->v->measure_count && !e->asked->how.bounds; i++)
        bounds = bounds || e->v->measures[i].has_bounds;
    iv_tell_unjudged(e->out, e->v, bounds ? "; bounds show how far that could be wrong" : "");
}
