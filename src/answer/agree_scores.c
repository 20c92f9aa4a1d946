/* SPDX-License-Identifier: Apache-2.0 */
/* What agree compares: two matrices, two judgments of runs, or runs made again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/agree_parts.h"
#include "answer/run_notes.h"
#include "base/listing.h"
#include "base/parallel.h"

typedef struct scores {
    size_t systems, topics;
    const char **names;
    iv_str *ids; /* of the topics */
    double *values;
    const iv_evaluation *from; /* NULL: a file */
} scores;

static int make_room(scores *s, iv_arena *memory, size_t systems, size_t topics, iv_err *err)
{
    *s = (scores){ systems, topics, iv_take(memory, systems, sizeof *s->names),
                   iv_take(memory, topics, sizeof *s->ids),
                   iv_take(memory, systems * topics, sizeof *s->values), NULL };
    return iv_taken(memory, err);
}

static void end_matrix(void *m) { iv_matrix_free(m); }
static void end_evaluation(void *e) { iv_evaluation_free(e); }

/* One value of each system, and a value where its name should be: there is no header. */
static int check_header(const iv_matrix *m, const char *path, iv_err *err)
{
    const iv_str name = iv_matrix_topic(m, 0);
    double value = 0.0;

    if (iv_matrix_topics(m) != 1 || memchr(name.ptr, '.', name.len) == NULL
        || !iv_scan_real(&value, name))
        return IV_OK;
    return iv_fail(err, IV_EPARSE, "%s:1: '%.*s', expected a header, such as system,score", path,
                   (int)name.len, name.ptr);
}

static int from_matrix(scores *s, iv_arena *memory, iv_result *out, const char *path,
                       iv_matrix_rows by, const iv_work *work, iv_err *err)
{
    iv_matrix *m = NULL;

    IV_TRY(iv_matrix_load(&m, path, by, work, err));
    if (iv_own(memory, m, end_matrix) == NULL)
        return iv_taken(memory, err);
    IV_TRY(make_room(s, memory, iv_matrix_systems(m), iv_matrix_topics(m), err));
    IV_TRY(check_header(m, path, err));
    iv_result_input(out, path, iv_matrix_bytes(m));
    for (size_t t = 0; t < s->topics; t++)
        s->ids[t] = iv_matrix_topic(m, t);
    for (size_t i = 0; i < s->systems; i++) {
        s->names[i] = iv_arena_copy(memory, iv_matrix_system(m, i));
        for (size_t t = 0; t < s->topics; t++)
            s->values[i * s->topics + t] = iv_matrix_score(m, i, t);
        if (s->names[i] == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    return IV_OK;
}

static int from_runs(scores *s, iv_arena *memory, iv_result *out, const iv_source *source,
                     const char *measure, int32_t level, bool again, const iv_work *work, iv_err *err)
{
    const char *const names[] = { measure != NULL ? measure : "AP" };
    const iv_evaluating how = { .measures = { names, 1 }, .interval = IV_INTERVAL_NONE,
                                .measure = { .level = level } };
    iv_evaluation *e = NULL;

    IV_TRY(iv_evaluate(&e, source, &how, work, err));
    if (iv_own(memory, e, end_evaluation) == NULL)
        return iv_taken(memory, err);
    const iv_evaluated *v = iv_evaluation_view(e);
    if (v->measure_count != 1 || v->measures[0].text || !v->measures[0].per_topic)
        return iv_fail(err, IV_EARG, "the measure %.80s has no single number a topic, expected "
                       "one that has", names[0]);
    IV_TRY(make_room(s, memory, v->run_count, v->topic_count, err));
    iv_tell_inputs(out, source, v);
    if (!again) /* the same runs have been told of */
        iv_tell_run_files(out, v);
    memcpy(s->ids, v->topics, s->topics * sizeof *s->ids);
    for (size_t i = 0; i < s->systems; i++)
        s->names[i] = v->runs[i].name;
    iv_evaluation_grid(s->values, e, 0);
    s->from = e;
    return IV_OK;
}

/* " (nDCG@10 by qrels)", or as much of it as is known. */
static void tell_from(char out[200], const scores *s, const char *judgments)
{
    const char *measure = iv_evaluation_view(s->from)->measures[0].name;
    const char *file = judgments != NULL ? strrchr(judgments, '/') : NULL;

    (void)snprintf(out, 200, " (%.80s%s%.80s)", measure, judgments != NULL ? " by " : "",
                   file != NULL ? file + 1 : judgments != NULL ? judgments : "");
}

/* The place of each of a's texts among b's, or IV_NONE. */
static size_t find_name(const scores *b, const char *name)
{
    for (size_t i = 0; i < b->systems; i++)
        if (strcmp(b->names[i], name) == 0)
            return i;
    return IV_NONE;
}

static size_t find_topic(const scores *b, iv_str id)
{
    for (size_t t = 0; t < b->topics; t++)
        if (iv_str_cmp(b->ids[t], id) == 0)
            return t;
    return IV_NONE;
}

/* Topics on which every shared system has both scores. */
static bool complete(const scores *a, size_t t, const scores *b, size_t u, const size_t *at)
{
    for (size_t i = 0; u != IV_NONE && i < a->systems; i++)
        if (at[i] != IV_NONE && (isnan(a->values[i * a->topics + t])
                                 || isnan(b->values[at[i] * b->topics + u])))
            return false;
    return u != IV_NONE;
}

static void tell_left_out(iv_result *out, const scores *a, const scores *b,
                          const iv_two_scores *both)
{
    const size_t systems = a->systems + b->systems - 2 * both->systems;
    const size_t topics = a->topics > b->topics ? a->topics : b->topics;

    if (systems > 0)
        iv_result_note(out, "%zu system%s that only one side has %s left out", systems,
                       iv_plural(systems), systems == 1 ? "is" : "are");
    if (topics > both->topics)
        iv_result_note(out, "%zu of %zu topics are left out: not all systems have both scores "
                       "there", topics - both->topics, topics);
}

/* Runs made again go with the first ones by name, where names are the same, and else by place. */
static bool same_names(const scores *a, const scores *b)
{
    size_t same = 0;

    for (size_t i = 0; i < a->systems; i++)
        same += find_name(b, a->names[i]) != IV_NONE;
    return a->systems == b->systems && same == a->systems;
}

/* Of two files with one value of each system there is an order, and no more. */
static int keep_shared(iv_two_scores *out, iv_arena *memory, iv_result *result, const scores *a,
                       const scores *b, bool by_place, bool files, iv_err *err)
{
    const bool values = files && a->topics == 1 && b->topics == 1;
    size_t *at = iv_take(memory, a->systems, sizeof *at), *topic, *other, k = 0;

    topic = iv_take(memory, a->topics, sizeof *topic);
    other = iv_take(memory, a->topics, sizeof *other);
    out->names = iv_take(memory, a->systems, sizeof *out->names);
    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < a->systems; i++) {
        at[i] = by_place ? i : find_name(b, a->names[i]);
        if (at[i] != IV_NONE)
            out->names[out->systems++] = a->names[i];
    }
    for (size_t t = 0; t < a->topics; t++) {
        const size_t u = values ? 0 : find_topic(b, a->ids[t]); /* whatever they are called */
        if (complete(a, t, b, u, at)) {
            topic[out->topics] = t;
            other[out->topics++] = u;
        }
    }
    tell_left_out(result, a, b, out);
    if (out->systems < 1 || out->topics < (values && out->systems > 1 ? 1 : 2))
        return iv_fail(err, IV_ENODATA, "both have scores of %zu system%s on %zu topic%s, expected "
                       "some on two or more", out->systems, iv_plural(out->systems), out->topics,
                       iv_plural(out->topics));
    out->a = iv_take(memory, out->systems * out->topics, sizeof *out->a);
    out->b = iv_take(memory, out->systems * out->topics, sizeof *out->b);
    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < a->systems; i++) {
        for (size_t t = 0; at[i] != IV_NONE && t < out->topics; t++, k++) {
            out->a[k] = a->values[i * a->topics + topic[t]];
            out->b[k] = b->values[at[i] * b->topics + other[t]];
        }
    }
    return IV_OK;
}

int iv_two_scores_read(iv_two_scores *out, iv_arena *memory, iv_result *result,
                       const iv_agree_question *q, const iv_work *work, iv_err *err)
{
    const bool by_place = q->again.count > 0;
    iv_source second = q->source;
    iv_stage stage;
    scores a, b;

    if ((q->a_matrix != NULL) != (q->b_matrix != NULL)
        || (q->a_matrix == NULL && q->other == NULL && q->other_judged == NULL && !by_place && q->other_measure == NULL))
        return iv_fail(err, IV_EARG, "nothing to compare with, expected two matrices, or runs "
                       "with other judgments, with another measure, or made again");
    if (q->a_matrix != NULL) {
        IV_TRY(from_matrix(&a, memory, result, q->a_matrix, q->by, work, err));
        IV_TRY(from_matrix(&b, memory, result, q->b_matrix, q->by, work, err));
        return keep_shared(out, memory, result, &a, &b, false, true, err);
    }
    if (by_place && q->again.count != q->source.runs.count)
        return iv_fail(err, IV_EARG, "%zu run%s made again, expected one for each of %zu runs",
                       q->again.count, iv_plural(q->again.count), q->source.runs.count);
    if (by_place) {
        second.runs = q->again;
        second.ranked = NULL;
    }
    if (q->other != NULL || q->other_judged != NULL) {
        second.judgments = q->other;
        second.judged = q->other_judged;
    }
    /* A judge of its own level keeps it. */
    const bool judged = q->other != NULL || q->other_judged != NULL;
    IV_TRY(from_runs(&a, memory, result, &q->source, q->measure, q->level, false,
                     iv_work_part(&stage, work, 0.0, 0.2), err));
    IV_TRY(from_runs(&b, memory, result, &second,
                     q->other_measure != NULL ? q->other_measure : q->measure,
                     judged && q->judge_level != 0 ? q->judge_level : q->level, !by_place,
                     iv_work_part(&stage, work, 0.2, 0.4), err));
    tell_from(out->from_a, &a, q->source.judgments);
    tell_from(out->from_b, &b, second.judgments);
    const size_t base = q->baseline != NULL ? iv_evaluation_find(a.from, q->baseline) : IV_NONE;
    out->baseline = base != IV_NONE ? a.names[base] : NULL;
    return keep_shared(out, memory, result, &a, &b, by_place && !same_names(&a, &b), false, err);
}

void iv_tell_few_differ(iv_result *out, const iv_two_scores *s)
{
    const size_t n = s->topics;
    size_t few = 0;

    for (size_t i = 0; i < s->systems; i++) {
        size_t same = 0;
        bool unit = true;
        for (size_t t = 0; t < n; t++) {
            const double a = s->a[i * n + t], b = s->b[i * n + t];
            same += a == b;
            unit = unit && fmin(a, b) >= 0.0 && fmax(a, b) <= 1.0;
        }
        few += !unit && same < n && pow((double)same / (double)n, (double)n) > 1e-4;
    }
    if (few > 0)
        iv_result_note(out, "the two scores of %zu system%s differ on few topics: 0.95 intervals of "
                       "rmse hold 0.5 to 0.9 there, since scores are not within 0 and 1", few,
                       iv_plural(few));
}
