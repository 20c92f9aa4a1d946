/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/stat.h"
#include "intervale/trec.h"
#include "command/compare_scored.h"
#include "frame/suggest.h"

static char *copy(iv_str s)
{
    char *out = malloc(s.len + 1);

    if (out != NULL) {
        memcpy(out, s.ptr, s.len);
        out[s.len] = '\0';
    }
    return out;
}

/* ------------------------------------------------------------- matrices -- */

static int fill_from_matrix(compare_input *in, const iv_matrix *m, const char *label,
                            bool complete, iv_err *err)
{
    const size_t S = iv_matrix_systems(m), T = iv_matrix_topics(m);

    in->runs = calloc(S + 1, sizeof *in->runs);
    in->topics = calloc(T + 1, sizeof *in->topics);
    in->measures = calloc(1, sizeof *in->measures);
    in->digits = calloc(1, sizeof *in->digits);
    in->values = malloc((S * T + 1) * sizeof *in->values);
    if (in->runs == NULL || in->topics == NULL || in->measures == NULL
        || in->digits == NULL || in->values == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    in->measures[in->measure_count++] = copy(iv_str_of(label));
    in->digits[0] = 4;
    bool ok = in->measures[0] != NULL;
    for (size_t s = 0; ok && s < S; s++)
        ok = (in->runs[in->run_count++] = copy(iv_matrix_system(m, s))) != NULL;
    for (size_t t = 0; ok && t < T; t++)
        ok = (in->topics[in->topic_count++] = copy(iv_matrix_topic(m, t))) != NULL;
    for (size_t s = 0; ok && s < S; s++) {
        for (size_t t = 0; t < T; t++) {
            const double x = iv_matrix_score(m, s, t);
            in->values[s * T + t] = isnan(x) && complete ? 0.0 : x;
        }
    }
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

static int read_matrix(compare_input *in, cmd_context *c, const compare_source *source,
                       iv_err *err)
{
    const char *label = source->measures.count > 0 ? source->measures.at[0] : "score";
    iv_matrix *m = NULL;
    int rc;

    if (c->operand_count > 0)
        return cmd_usage(err, "--matrix takes no operands, but there is '%.80s'",
                         c->operands[0]);
    if (source->measures.count > 1)
        return cmd_usage(err, "a matrix holds one measure: give -m once, to name it");
    if (source->estimator >= 0 || source->unjudged >= 0)
        return cmd_usage(err, "--estimator and --unjudged are for sampled judgments, not for "
                         "--matrix");
    rc = iv_matrix_load(&m, source->matrix, (iv_matrix_rows)source->by, err);
    if (rc < 0)
        return rc;
    iv_result_input(c->result, source->matrix, iv_matrix_bytes(m));
    rc = fill_from_matrix(in, m, label, source->complete, err);
    if (rc == IV_OK && in->run_count < 2)
        rc = iv_fail(err, IV_ENODATA, "%s has scores of one run only: there is nothing to "
                     "compare it with%s", source->matrix,
                     source->by == IV_ROWS_SYSTEMS ? " (if its rows are topics, say --by topics)"
                     : "");
    iv_matrix_free(m);
    return rc;
}

/* ---------------------------------------------------------------- either -- */

int compare_input_read(compare_input *in, cmd_context *c, const compare_source *source,
                       iv_err *err)
{
    return source->matrix != NULL ? read_matrix(in, c, source, err)
        : compare_runs_read(in, c, source, err);
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; names != NULL && i < count; i++)
        free(names[i]);
    free(names);
}

void compare_input_free(compare_input *in)
{
    free_names(in->runs, in->run_count);
    free_names(in->topics, in->topic_count);
    free_names(in->measures, in->measure_count);
    free(in->values);
    free(in->digits);
    iv_evaluation_free(in->evaluation);
}

const double *compare_input_values(const compare_input *in, size_t measure)
{
    return in->values + measure * in->run_count * in->topic_count;
}

/* "a, b, c and 4 more": what the runs are called. */
static const char *list_runs(char *out, size_t size, const compare_input *in)
{
    enum { SHOWN = 5 };
    size_t used = 0;

    for (size_t i = 0; i < in->run_count && i < SHOWN; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%.40s", i > 0 ? ", " : "",
                                 in->runs[i]);
    if (in->run_count > SHOWN)
        (void)snprintf(out + used, size - used, " and %zu more", in->run_count - SHOWN);
    return out;
}

int compare_input_find(size_t *index, const compare_input *in, const char *name, iv_err *err)
{
    char hint[SUGGEST_SIZE], list[320];
    suggest s = suggest_for(name);

    for (size_t i = 0; i < in->run_count; i++) {
        if (strcmp(in->runs[i], name) == 0) {
            *index = i;
            return IV_OK;
        }
        suggest_offer(&s, in->runs[i]);
    }
    for (size_t i = 0; in->files != NULL && i < in->run_count; i++) {
        const char *slash = strrchr(in->files[i], '/');
        if (strcmp(in->files[i], name) == 0 || (slash != NULL && strcmp(slash + 1, name) == 0)) {
            *index = i;
            return IV_OK;
        }
    }
    return cmd_usage(err, "the baseline '%.80s' is neither tag nor file of a run; there is "
                     "%s%s", name, list_runs(list, sizeof list, in), suggest_text(hint, &s, ""));
}

/* --------------------------------------------------------- missing topics -- */

/* Topics that both have, of the first measure: a run has all or none of them. */
static size_t count_common(const compare_input *in, size_t a, size_t b)
{
    const double *x = in->values + a * in->topic_count, *y = in->values + b * in->topic_count;
    size_t n = 0;

    for (size_t t = 0; t < in->topic_count; t++)
        n += !isnan(x[t]) && !isnan(y[t]);
    return n;
}

int compare_input_check(const compare_input *in, size_t baseline, iv_err *err)
{
    if (in->topic_count == 1)
        return iv_fail(err, IV_ENODATA, "there is only one topic, %s: a difference on one topic "
                       "tells nothing of others", in->topics[0]);
    for (size_t a = 0; a < in->run_count; a++) {
        const size_t from = baseline == IV_NO_BASELINE ? a + 1 : baseline;
        const size_t to = baseline == IV_NO_BASELINE ? in->run_count : baseline + 1;
        for (size_t b = from; b < to; b++) {
            const size_t n = a == b ? 2 : count_common(in, a, b);
            if (n < 2)
                return iv_fail(err, IV_ENODATA, "'%.80s' and '%.80s' share %s", in->runs[a],
                               in->runs[b], n == 0 ? "no topic"
                               : "only one topic, which tells nothing of others");
        }
    }
    return IV_OK;
}

/* Names up to five of the topics that run r lacks; returns how many it does. */
static size_t name_missing(char *out, size_t size, const compare_input *in, size_t r)
{
    size_t count = 0, used = 0;

    out[0] = '\0';
    for (size_t t = 0; t < in->topic_count; t++) {
        if (!isnan(in->values[r * in->topic_count + t]))
            continue;
        if (count++ < 5 && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%.40s", count > 1 ? ", " : "",
                                     in->topics[t]);
    }
    if (count > 5 && used < size)
        (void)snprintf(out + used, size - used, " and %zu more", count - 5);
    return count;
}

void compare_input_tell_missing(cmd_context *c, const compare_input *in, bool complete)
{
    enum { TOLD = 10 };
    size_t lacking = 0;

    for (size_t r = 0; r < in->run_count && !complete; r++) {
        char names[320];
        const size_t missing = name_missing(names, sizeof names, in, r);
        if (missing > 0 && lacking++ < TOLD)
            iv_result_note(c->result, "%s lacks %zu topic%s: %s", in->runs[r], missing,
                           missing == 1 ? "" : "s", names);
    }
    if (lacking > TOLD)
        iv_result_note(c->result, "%zu more runs lack topics", lacking - TOLD);
    if (lacking > 0)
        iv_result_note(c->result, "a pair is compared on the topics that both have; -c counts "
                       "the missing ones as 0");
}
