/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/eval_sampled.h"
#include "intervale/stat.h"

struct compare_sampled {
    iv_judgments *judgments;
    iv_sampling *sampling;
    iv_sampled_measures *measures;
    iv_sampled **runs;
    size_t count;
};

bool compare_is_sampled(const iv_judgments *j)
{
    return iv_judgments_format_of(j) == IV_JUDGMENTS_PRELS
        || iv_judgments_format_of(j) == IV_JUDGMENTS_STRATIFIED;
}

void compare_sampled_free(compare_sampled *s)
{
    if (s == NULL)
        return;
    for (size_t r = 0; r < s->count; r++)
        iv_sampled_free(s->runs[r]);
    free(s->runs);
    iv_sampled_measures_free(s->measures);
    iv_sampling_free(s->sampling);
    iv_judgments_free(s->judgments);
    free(s);
}

static char *copy_of(iv_str s)
{
    char *out = malloc(s.len + 1);

    if (out != NULL) {
        memcpy(out, s.ptr, s.len);
        out[s.len] = '\0';
    }
    return out;
}

/* ------------------------------------------------------------------- read -- */

static int estimate(compare_sampled *s, cmd_context *c, const compare_source *source,
                    iv_err *err)
{
    static const char *const standard[] = { "AP" };
    const bool given = source->measures.count > 0;
    const iv_sampled_options o = {
        .estimator = source->estimator < 0 ? IV_ESTIMATOR_CORRECTED
            : (iv_estimator)source->estimator,
        .precision = source->options.dialect == IV_TREC_EVAL_9 ? IV_SCORES_FLOAT
            : IV_SCORES_DOUBLE,
        .complete = source->complete, .keep = true, .confidence = c->shared->confidence,
        .threads = (int)c->shared->threads, .progress = c->progress };
    int rc = iv_sampling_new(&s->sampling, s->judgments, c->operands[0],
                             source->unjudged < 0 ? IV_UNJUDGED_REFUSE
                             : (iv_unjudged)source->unjudged, err);

    if (rc != IV_OK)
        return rc;
    rc = iv_sampled_measures_parse(&s->measures, given ? source->measures.at : standard,
                                   given ? source->measures.count : 1, &source->options, err);
    if (rc != IV_OK)
        return rc == IV_EARG ? CMD_USAGE : rc;
    s->runs = calloc(c->operand_count, sizeof(iv_sampled *));
    if (s->runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    rc = iv_sampled_files(s->runs, (const char *const *)c->operands + 1, c->operand_count - 1,
                          (iv_run_format)source->run_format, s->sampling, s->measures, &o,
                          err);
    s->count = rc == IV_OK ? c->operand_count - 1 : 0;
    return rc == IV_EARG ? CMD_USAGE : rc;
}

static bool name_all(compare_input *in, const compare_sampled *s, char **paths)
{
    iv_str *tags = malloc((s->count + 1) * sizeof *tags);
    eval e = { .paths = paths, .count = s->count, .names = in->runs, .tags = tags };
    bool good = tags != NULL;

    for (size_t r = 0; r < s->count && good; r++)
        tags[r] = iv_sampled_tag(s->runs[r]);
    in->run_count = s->count;
    good = good && eval_name_runs(&e, NULL) == IV_OK;
    free(tags);
    for (size_t m = 0; m < iv_sampled_measures_count(s->measures) && good; m++) {
        const iv_sampled_value *v = iv_sampled_measures_value(s->measures, m);
        in->digits[m] = v->count ? 2 : 4;
        in->measures[in->measure_count++] = copy_of(iv_str_of(v->name));
        good = in->measures[m] != NULL;
    }
    for (size_t t = 0; t < iv_judgments_topics(s->judgments) && good; t++) {
        in->topics[in->topic_count++] = copy_of(iv_judgments_topic(s->judgments, t));
        good = in->topics[t] != NULL;
    }
    return good;
}

static void fill_values(compare_input *in, const compare_sampled *s)
{
    const size_t S = s->count, T = in->topic_count, M = in->measure_count;

    for (size_t i = 0; i < M * S * T; i++)
        in->values[i] = (double)NAN;
    for (size_t r = 0; r < S; r++)
        for (size_t t = 0; t < iv_sampled_topics(s->runs[r]); t++) {
            const size_t at = iv_judgments_find_topic(s->judgments,
                                                      iv_sampled_topic(s->runs[r], t));
            for (size_t m = 0; m < M; m++)
                in->values[(m * S + r) * T + at] = iv_sampled_row(s->runs[r], t)[m].value;
        }
}

/* Topics that no run has would be missing everywhere: they leave. */
static void drop_empty_topics(compare_input *in)
{
    const size_t T = in->topic_count, rows = in->measure_count * in->run_count;
    size_t kept = 0;

    for (size_t t = 0; t < T; t++) {
        bool any = false;
        for (size_t k = 0; k < rows; k++)
            any = any || !isnan(in->values[k * T + t]);
        if (!any) {
            free(in->topics[t]);
            continue;
        }
        in->topics[kept] = in->topics[t];
        for (size_t k = 0; k < rows; k++)
            in->values[k * T + kept] = in->values[k * T + t];
        kept++;
    }
    for (size_t k = 0; k < rows && kept < T; k++)
        memmove(in->values + k * kept, in->values + k * T, kept * sizeof *in->values);
    in->topic_count = kept;
}

int compare_sampled_read(compare_input *in, cmd_context *c, const compare_source *source,
                         iv_judgments *j, iv_err *err)
{
    compare_sampled *s = calloc(1, sizeof *s);

    if (s == NULL) {
        iv_judgments_free(j);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    s->judgments = j;
    in->sampled = s; /* freed with the input, whatever happens */
    const int rc = estimate(s, c, source, err);
    if (rc != IV_OK)
        return rc;
    const size_t M = iv_sampled_measures_count(s->measures), T = iv_judgments_topics(j);
    in->runs = calloc(s->count + 1, sizeof *in->runs);
    in->topics = calloc(T + 1, sizeof *in->topics);
    in->measures = calloc(M + 1, sizeof *in->measures);
    in->digits = calloc(M + 1, sizeof *in->digits);
    in->values = malloc((M * s->count * T + 1) * sizeof *in->values);
    if (in->runs == NULL || in->topics == NULL || in->measures == NULL || in->digits == NULL
        || in->values == NULL || !name_all(in, s, c->operands + 1))
        return iv_fail(err, IV_ENOMEM, "out of memory");
    fill_values(in, s);
    drop_empty_topics(in);
    iv_result_input(c->result, c->operands[0], iv_judgments_bytes(j));
    for (size_t r = 0; r < s->count; r++)
        iv_result_input(c->result, c->operands[r + 1], iv_sampled_bytes(s->runs[r]));
    eval_tell_files(c->result, c->operands + 1, s->runs, eval_odd_sampled, s->count);
    iv_result_note(c->result, "the judgments are a sample: scores are estimates, and their "
                   "differences hold the sampling's noise besides the topics'; table "
                   "'sampling' has the two apart");
    sampled_tell_irregular(c->result, s->sampling, source->unjudged,
                           source->estimator < 0 ? IV_ESTIMATOR_CORRECTED
                           : (iv_estimator)source->estimator);
    return IV_OK;
}

/* ------------------------------------------------------------------ table -- */

typedef struct pair_error {
    double mean, se, judgments, topics;
    size_t count;
} pair_error;

static int pair_errors(pair_error *out, const compare_sampled *s, size_t a, size_t b,
                       size_t measure, double *room, size_t *topics, iv_err *err)
{
    double *d = room, *v = room + iv_judgments_topics(s->judgments);
    double sum = 0.0, squares = 0.0, noise = 0.0;
    size_t count = 0;
    const int rc = iv_sampled_difference(d, v, topics, &count, s->runs[a], s->runs[b], measure,
                                         err);

    if (rc != IV_OK)
        return rc;
    for (size_t t = 0; t < count; t++) {
        sum += d[t];
        noise += v[t];
    }
    const double n = (double)count, mean = sum / n;
    for (size_t t = 0; t < count; t++)
        squares += (d[t] - mean) * (d[t] - mean);
    *out = (pair_error){ mean, (double)NAN, sqrt(noise) / n, (double)NAN, count };
    if (count > 1) {
        out->se = sqrt(squares / (n - 1.0) / n);
        out->topics = sqrt(fmax(0.0, out->se * out->se - noise / (n * n)));
    }
    if (isnan(noise))
        out->judgments = out->topics = (double)NAN;
    return IV_OK;
}

int compare_sampled_table(cmd_context *c, const compare_input *in, size_t baseline,
                          iv_err *err)
{
    static const iv_column columns[] = {
        { "measure", IV_TEXT, 0 }, { "a", IV_TEXT, 0 },         { "b", IV_TEXT, 0 },
        { "topics", IV_INTEGER, 0 }, { "difference", IV_REAL, 4 }, { "se", IV_REAL, 4 },
        { "se_judgments", IV_REAL, 4 }, { "se_topics", IV_REAL, 4 } };
    const compare_sampled *s = in->sampled;
    const size_t T = iv_judgments_topics(s->judgments);
    double *room = malloc((2 * T + 1) * sizeof *room);
    size_t *topics = malloc((T + 1) * sizeof *topics);
    iv_table *t = iv_result_table(c->result, "sampling", columns, 8);
    size_t excess = 0;
    int rc = room == NULL || topics == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t m = 0; m < in->measure_count; m++)
        for (size_t a = 0; a < s->count; a++)
            for (size_t b = 0; b < s->count && rc == IV_OK; b++) {
                pair_error e;
                if (baseline == IV_NO_BASELINE ? b <= a : b + 1 != baseline || a == b)
                    continue;
                rc = pair_errors(&e, s, a, b, m, room, topics, err);
                if (rc != IV_OK)
                    break;
                iv_put_text(t, iv_str_of(in->measures[m]));
                iv_put_text(t, iv_str_of(in->runs[a]));
                iv_put_text(t, iv_str_of(in->runs[b]));
                iv_put_int(t, (int64_t)e.count);
                iv_put_real(t, e.mean);
                iv_put_real(t, e.se);
                iv_put_real(t, e.judgments);
                iv_put_real(t, e.topics);
                excess += e.judgments > e.se && e.topics == 0.0;
            }
    sampled_tell_excess(c->result, excess, "difference");
    free(room);
    free(topics);
    return rc;
}
