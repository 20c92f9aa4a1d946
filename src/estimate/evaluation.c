/* SPDX-License-Identifier: Apache-2.0 */
/* Asking an evaluation. */
#include "design/samples.h"
#include "estimate/evaluation_parts.h"
#include "estimate/estimate_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const iv_evaluated *iv_evaluation_view(const iv_evaluation *e)
{
    return &e->view;
}

size_t iv_evaluation_row(const iv_evaluation *e, size_t run, size_t topic)
{
    const iv_scores *s = e->scores[run];
    size_t low = 0, high = s->topics;

    if (s->topics == e->view.topic_count)
        return topic;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->topic[middle].judged == e->judged[topic])
            return middle;
        if (s->topic[middle].judged < e->judged[topic])
            low = middle + 1;
        else
            high = middle;
    }
    return IV_NONE;
}

/* The place of a value in the arrays of a run; IV_NONE: it has none. */
static size_t place_of(const iv_evaluation *e, size_t run, size_t measure, size_t topic)
{
    const size_t row = iv_evaluation_row(e, run, topic);

    return row == IV_NONE ? IV_NONE : row * e->task.width + measure;
}

iv_estimate iv_evaluation_value(const iv_evaluation *e, size_t run, size_t measure,
                                size_t topic)
{
    const double nan = (double)NAN;
    const iv_scores *s = e->scores[run];
    const size_t at = place_of(e, run, measure, topic);
    iv_estimate x = { .value = nan, .variance = nan, .lower = nan, .upper = nan };

    if (at == IV_NONE)
        return x;
    if (s->estimates != NULL)
        x = s->estimates[at];
    else
        x = (iv_estimate){ .value = s->rows[at], .lower = s->rows[at], .upper = s->rows[at],
                           .exact = true };
    x.empty = s->topic[at / e->task.width].in_run == IV_ABSENT;
    return x;
}

iv_bounds iv_evaluation_bounds(const iv_evaluation *e, size_t run, size_t measure,
                               size_t topic)
{
    const size_t at = place_of(e, run, measure, topic);
    const iv_bounds none = { (double)NAN, (double)NAN };

    return at == IV_NONE || e->scores[run]->bounds == NULL ? none : e->scores[run]->bounds[at];
}

iv_ties iv_evaluation_ties(const iv_evaluation *e, size_t run, size_t measure, size_t topic)
{
    const size_t at = place_of(e, run, measure, topic);
    const iv_ties none = { (double)NAN, (double)NAN, (double)NAN };

    return at == IV_NONE || e->scores[run]->ties == NULL ? none : e->scores[run]->ties[at];
}

const char *iv_evaluation_text(const iv_evaluation *e, size_t run, size_t measure,
                               size_t topic)
{
    const iv_scores *s = e->scores[run];
    const size_t row = iv_evaluation_row(e, run, topic);

    if (row == IV_NONE || s->texts == NULL || s->text_of[measure] == IV_NONE)
        return NULL;
    return s->texts[row * s->text_count + s->text_of[measure]];
}

void iv_evaluation_grid(double *out, const iv_evaluation *e, size_t measure)
{
    const size_t T = e->view.topic_count;

    for (size_t r = 0; r < e->view.run_count; r++)
        for (size_t t = 0; t < T; t++) {
            const size_t row = iv_evaluation_row(e, r, t);
            out[r * T + t] = row == IV_NONE ? (double)NAN
                                            : iv_scores_at(e->scores[r], &e->task, row, measure);
        }
}

size_t iv_evaluation_find(const iv_evaluation *e, const char *name)
{
    for (size_t r = 0; r < e->view.run_count; r++)
        if (strcmp(e->names[r], name) == 0)
            return r;
    for (size_t r = 0; r < e->view.run_count; r++) {
        const char *path = e->paths[r], *slash = path != NULL ? strrchr(path, '/') : NULL;
        if (path != NULL && (strcmp(path, name) == 0
                             || (slash != NULL && strcmp(slash + 1, name) == 0)))
            return r;
    }
    return IV_NONE;
}

/* --------------------------------------------------------- differences -- */

/* Room to linearise the difference on any topic. */
typedef struct linear {
    double *u, *sums;
} linear;

static int linear_new(linear *l, const iv_evaluation *e, iv_err *err)
{
    size_t most = 0, buckets = 0;

    for (size_t t = 0; t < e->view.topic_count && e->sampling != NULL; t++) {
        const iv_sampling_topic x = iv_sampling_topic_at(e->sampling, e->judged[t]);
        most = x.count > most ? x.count : most;
        if (iv_scheme_buckets(x.scheme) > buckets)
            buckets = iv_scheme_buckets(x.scheme);
    }
    l->u = malloc((most + buckets + 1) * sizeof *l->u);
    if (l->u == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a difference");
    l->sums = l->u + most;
    return IV_OK;
}

/*
 * The variance of a - b on a topic, which has rows p and q; NaN when one of them
 * has none.  Each document changes both estimates; what it changes in their
 * difference is the difference of its u, and most of it cancels.
 */
static double topic_variance(const iv_evaluation *e, const iv_scores *a, size_t p,
                             const iv_scores *b, size_t q, size_t i, const linear *l)
{
    const size_t width = e->task.width;

    if (e->sampling == NULL)
        return 0.0;
    if (isnan(a->estimates[p * width + i].variance)
        || isnan(b->estimates[q * width + i].variance))
        return (double)NAN;
    const iv_sampling_topic x = iv_sampling_topic_at(e->sampling, a->topic[p].judged);
    for (size_t d = 0; d < x.count; d++)
        l->u[d] = a->u[p][i * x.count + d] - b->u[q][i * x.count + d];
    const iv_drawn_set drawn = { x.pi, x.bucket, x.count };
    return fmax(0.0, iv_scheme_variance(x.scheme, l->u, &drawn, l->sums));
}

/* Differences topic by topic; returns how many topics both runs have. */
static size_t differ(double *difference, double *variance, const iv_evaluation *e, size_t i,
                     size_t a, size_t b, const linear *l)
{
    const iv_scores *x = e->scores[a], *y = e->scores[b];
    size_t shared = 0;

    for (size_t t = 0; t < e->view.topic_count; t++) {
        const size_t p = iv_evaluation_row(e, a, t), q = iv_evaluation_row(e, b, t);
        difference[t] = variance[t] = (double)NAN;
        if (p == IV_NONE || q == IV_NONE)
            continue;
        difference[t] = iv_scores_at(x, &e->task, p, i) - iv_scores_at(y, &e->task, q, i);
        variance[t] = topic_variance(e, x, p, y, q, i, l);
        shared++;
    }
    return shared;
}

static iv_evaluated_difference mean_of(const double *d, const double *v, size_t topics,
                                       size_t shared)
{
    const double n = (double)shared, nan = (double)NAN;
    iv_evaluated_difference out = { shared, nan, nan, nan, nan };
    double sum = 0.0, squares = 0.0, noise = 0.0;

    for (size_t t = 0; t < topics; t++)
        if (!isnan(d[t])) {
            sum += d[t];
            noise += v[t];
        }
    out.value = sum / n;
    for (size_t t = 0; t < topics; t++)
        if (!isnan(d[t]))
            squares += (d[t] - out.value) * (d[t] - out.value);
    out.se_judgments = sqrt(noise) / n;
    if (shared > 1)
        out.se = sqrt(squares / (n - 1.0) / n);
    if (shared > 1 && !isnan(noise))
        out.se_topics = sqrt(fmax(0.0, out.se * out.se - noise / (n * n)));
    return out;
}

int iv_evaluation_difference(iv_evaluated_difference *out, double *by_topic,
                             double *variance, const iv_evaluation *e, size_t measure,
                             size_t a, size_t b, iv_err *err)
{
    const size_t T = e->view.topic_count;
    linear l = { NULL, NULL };

    if (a >= e->view.run_count || b >= e->view.run_count || measure >= e->task.width)
        return iv_fail(err, IV_EARG, "there is no such run or measure in the evaluation");
    if (e->sampling != NULL && !e->task.how.differences)
        return iv_fail(err, IV_EARG, "the estimates were not kept for differences");
    double *room = malloc((2 * T + 1) * sizeof *room);
    int rc = room == NULL ? iv_fail(err, IV_ENOMEM, "out of memory for a difference")
                          : linear_new(&l, e, err);
    if (rc == IV_OK) {
        const size_t shared = differ(room, room + T, e, measure, a, b, &l);
        *out = mean_of(room, room + T, T, shared);
        if (by_topic != NULL)
            memcpy(by_topic, room, T * sizeof *room);
        if (variance != NULL)
            memcpy(variance, room + T, T * sizeof *room);
    }
    free(l.u);
    free(room);
    return rc;
}
