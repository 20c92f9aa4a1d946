/* SPDX-License-Identifier: Apache-2.0 */
/* overlap -- how alike are runs, without judgments? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/overlap_parts.h"
#include "answer/run_notes.h"
#include "base/parallel.h"
#include "estimate/evaluation_parts.h"
#include "intervale/answer.h"
#include "stat/interval_private.h"
#include "stat/paired_private.h"
#include "trec/trec_private.h"

enum { CORRELATIONS = 5 }; /* they come last */

/* ------------------------------------------------------------- computing -- */

static int list_topics(iv_overlaps *w, iv_err *err)
{
    size_t most = 0;

    for (size_t k = 0; k < w->pair_count; k++)
        most += iv_run_topics(w->runs.runs[w->a[k]]);
    w->rows = iv_take(&w->memory, most, sizeof *w->rows);
    IV_TRY(iv_taken(&w->memory, err));
    for (size_t k = 0; k < w->pair_count; k++) {
        const iv_run *a = w->runs.runs[w->a[k]], *b = w->runs.runs[w->b[k]];
        w->first[k] = w->row_count;
        for (size_t t = 0; t < iv_run_topics(a); t++) {
            const size_t other = iv_run_find_topic(b, iv_run_topic(a, t));
            if (other != IV_NONE)
                w->rows[w->row_count++] = (iv_overlap_topic){
                    w->names[w->a[k]], w->names[w->b[k]], iv_run_topic(a, t), k, t, other,
                    { .tau = NAN }, false };
        }
        const size_t shared = w->row_count - w->first[k];
        if (shared == 0)
            return iv_fail(err, IV_ENODATA, "%s and %s have no topic in common",
                           w->names[w->a[k]], w->names[w->b[k]]);
        w->left_out += iv_run_topics(a) + iv_run_topics(b) - 2 * shared;
    }
    w->first[w->pair_count] = w->row_count;
    return IV_OK;
}

static int one_topic(void *user, void *memory, size_t i, iv_err *err)
{
    iv_overlaps *w = user;
    iv_overlap_topic *r = &w->rows[i];

    (void)memory;
    return iv_run_overlap_asking(&r->x, w->runs.runs[w->a[r->pair]], r->at_a,
                                 w->runs.runs[w->b[r->pair]], r->at_b, &w->q->how,
                                 &w->asking.inner, err);
}

static double value_of(const iv_overlapping *x, size_t m)
{
    const double all[IV_OVERLAP_MEASURES] = { x->rbo.value, x->rbo.lower, x->rbo.upper, x->overlap,
                                   x->jaccard, x->tau, x->tau_ap };

    return all[m];
}

/* Within [0, 1], where the interval is made; correlations from -1 to 1 are halved.  Sums of powers
 * of p that are equal but for the last digits are made equal, so that a 1 is one. */
static double on_unit(double value, size_t m)
{
    const double x = m < CORRELATIONS ? value : 0.5 * (value + 1.0);

    return fmin(fmax(nearbyint(x * 1e12) / 1e12, 0.0), 1.0);
}

static double from_unit(double x, size_t m) { return m < CORRELATIONS ? x : 2.0 * x - 1.0; }

static int one_mean(iv_overlap_mean *out, const iv_overlap_topic *rows, size_t count, size_t m,
                    double *values, const iv_overlaps *w, const iv_work *work, iv_err *err)
{
    static const iv_interval_method method = IV_INTERVAL_AUTO;
    const double *const sample = values;
    iv_mean_interval i;
    size_t n = 0;

    for (size_t t = 0; t < count; t++) {
        const double x = value_of(&rows[t].x, m);
        if (!isnan(x))
            values[n++] = on_unit(x, m);
    }
    *out = (iv_overlap_mean){ rows->a, rows->b, "", n, NAN, NAN, NAN, NAN, IV_INTERVAL_NONE, false };
    (void)snprintf(out->measure, sizeof out->measure, m == 3 ? "overlap@%zu" : m == 4 ?
                   "Jaccard@%zu" : m == 5 ? "tau" : m == 6 ? "tau_AP" : m == 0 ? "RBO" : m == 1 ?
                   "RBO_min" : "RBO_max", w->top);
    if (n == 0)
        return IV_OK;
    const int rc = iv_mean_intervals(&i, &sample, &method, 1, n, &w->q->resampling, work, err);
    if (rc == IV_OK) {
        out->mean = from_unit(i.mean, m);
        out->se = m < CORRELATIONS ? i.se : 2.0 * i.se;
        out->lower = from_unit(i.lower, m);
        out->upper = from_unit(i.upper, m);
        out->method = i.method;
    }
    return rc;
}

/* Room for the values of the most topics that a pair has. */
static void *values_room(iv_arena *own, void *user)
{
    return iv_take(own, ((iv_overlaps *)user)->row_count, sizeof(double));
}

static int one_pair(void *user, void *memory, size_t k, iv_err *err)
{
    iv_overlaps *w = user;
    const iv_overlap_topic *rows = &w->rows[w->first[k]];
    const size_t count = w->first[k + 1] - w->first[k];
    iv_overlap_judge *j = &w->judge[k];

    for (size_t m = 0; m < IV_OVERLAP_MEASURES; m++)
        IV_TRY(one_mean(&w->means[k * IV_OVERLAP_MEASURES + m], rows, count, m, memory, w, &w->asking.inner, err));
    iv_overlap_mean *means = &w->means[k * IV_OVERLAP_MEASURES];
    for (size_t m = 1; m < IV_OVERLAP_MEASURES; m++)
        means[m].quiet = w->pair_count > IV_OVERLAP_FEW || (m < 3 && !iv_overlap_has_bounds(means));
    *j = (iv_overlap_judge){ rows->a, rows->b, w->top, 0, 0, 0, 0, 0 };
    for (size_t t = 0; t < count; t++) {
        j->documents += rows[t].x.both + rows[t].x.only_a + rows[t].x.only_b;
        j->only_a += rows[t].x.only_a;
        j->only_b += rows[t].x.only_b;
        j->moved += rows[t].x.moved;
    }
    /* Whoever leads: every document that only the other has might be relevant. */
    if (j->only_a + j->only_b > 0)
        j->fewest = 1 + (j->only_a < j->only_b ? j->only_a : j->only_b);
    return IV_OK;
}

static int compute(iv_overlaps *w, const iv_work *work, iv_err *err)
{
    const iv_loop topics = { w->row_count, one_topic, w, NULL };
    const iv_loop pairs = { w->pair_count, one_pair, w, values_room };
    iv_stage stage;

    iv_asking_start(&w->asking, iv_work_part(&stage, work, 0.3, 0.8));
    IV_TRY(iv_parallel(&topics, &w->asking.outer, err));
    iv_asking_start(&w->asking, iv_work_part(&stage, work, 0.8, 1.0));
    return iv_parallel(&pairs, &w->asking.outer, err);
}

static int make_room(iv_overlaps *w, iv_err *err)
{
    const size_t runs = w->runs.count, pairs = w->pair_count = iv_pair_count(runs);

    w->a = iv_take(&w->memory, pairs, sizeof *w->a);
    w->b = iv_take(&w->memory, pairs, sizeof *w->b);
    w->first = iv_take(&w->memory, pairs + 1, sizeof *w->first);
    w->means = iv_take(&w->memory, pairs * IV_OVERLAP_MEASURES, sizeof *w->means);
    w->judge = iv_take(&w->memory, pairs, sizeof *w->judge);
    IV_TRY(iv_taken(&w->memory, err));
    for (size_t a = 0, k = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++, k++) {
            w->a[k] = a;
            w->b[k] = b;
        }
    return IV_OK;
}

static int answer(iv_overlaps *w, iv_result *out, const iv_work *work, iv_err *err)
{
    const double confidence = iv_resampling_of(&w->q->resampling).confidence;
    iv_stage stage;

    IV_TRY(iv_run_input_read(&w->runs, out, &w->q->from, iv_work_part(&stage, work, 0.0, 0.3),
                             err));
    IV_TRY(iv_run_input_names(&w->names, &w->runs, err));
    IV_TRY(make_room(w, err));
    IV_TRY(list_topics(w, err));
    IV_TRY(compute(w, work, err));
    iv_overlap_tell(out, w, confidence);
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_overlap_question *q = asked;
    const size_t count = q->from.ranked != NULL ? q->from.ranked_count : q->from.runs.count;
    iv_overlaps w = { .q = q, .top = q->how.top == 0 ? 10 : q->how.top };

    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run%s given, expected at least two", count,
                       iv_plural(count));
    const int rc = answer(&w, out, work, err);
    iv_run_input_free_names(w.names, &w.runs);
    iv_run_input_free(&w.runs);
    iv_arena_free(&w.memory);
    return rc;
}

int iv_answer_overlap(iv_result *out, const iv_overlap_question *q, const iv_work *work,
                      iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_overlap_question, from.),
        IV_CHOICE_OF(iv_overlap_question, how.ties, iv_rbo_ties_names, "what to do with ties"),
        IV_PART_OF(iv_overlap_question, resampling.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "rbo tau-ap"), work, err);
}
