/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_parts.h"
#include "answer/judging_messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/base_private.h"
#include "estimate/estimate_private.h"
#include "trec/trec_private.h"

/* --------------------------------------------------------------- files -- */

int iv_run_input_read(iv_run_input *in, iv_result *out, const iv_source *from,
                      const iv_work *work, iv_err *err)
{
    if (from->ranked != NULL) {
        *in = (iv_run_input){ from->ranked, NULL, from->ranked_count, NULL };
        return IV_OK;
    }
    in->own = calloc(from->runs.count + 1, sizeof(iv_run *));
    if (in->own == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const int rc = iv_runs_load(in->own, from->runs.at, from->runs.count, from->run_format, work,
                                err);
    if (rc != IV_OK)
        return rc;
    in->runs = (const iv_run *const *)in->own;
    in->paths = from->runs.at;
    in->count = from->runs.count;
    for (size_t r = 0; r < in->count; r++)
        iv_result_input(out, in->paths[r], iv_run_bytes(in->runs[r]));
    return IV_OK;
}

void iv_run_input_free(iv_run_input *in)
{
    for (size_t r = 0; in->own != NULL && r < in->count; r++)
        iv_run_free(in->own[r]);
    free(in->own);
}

bool iv_run_input_is(const iv_run_input *in, size_t run, const char *name)
{
    const iv_str tag = iv_run_tag(in->runs[run]);
    const char *path = in->paths != NULL ? in->paths[run] : "";
    const char *slash = strrchr(path, '/');

    return strcmp(path, name) == 0 || (slash != NULL && strcmp(slash + 1, name) == 0)
        || (tag.len > 0 && iv_str_cmp(tag, iv_str_of(name)) == 0);
}

int iv_judgments_input(iv_judgments **own, iv_result *out, const char *path,
                       iv_judgments_format format, const iv_work *work, iv_err *err)
{
    int rc = format < IV_JUDGMENTS_GROUPS ? IV_OK
        : iv_fail_at(err, IV_EARG, path, 0, "judgments by groups, expected one of each document");

    if (rc == IV_OK)
        rc = iv_judgments_load(own, path, format, work, err);
    if (rc == IV_OK)
        iv_result_input(out, path, iv_judgments_bytes(*own));
    return rc;
}

/* An empty file is how "nothing is judged yet" looks. */
static bool is_empty_file(const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    const bool empty = f != NULL && getc(f) == EOF && !ferror(f);

    if (f != NULL)
        (void)fclose(f);
    return empty;
}

static int read_judgments(iv_inquiry_input *in, iv_result *out, const iv_source *from,
                          const iv_work *work, iv_err *err)
{
    int rc = IV_OK;

    in->judgments = from->judged;
    if (from->judged != NULL || from->judgments == NULL)
        return IV_OK;
    if (is_empty_file(from->judgments))
        iv_result_note(out, "%s is empty: nothing is judged yet", from->judgments);
    else
        rc = iv_judgments_input(&in->own, out, from->judgments, from->judgments_format, work,
                                err);
    in->judgments = in->own;
    return rc;
}

int iv_run_input_names(char ***names, const iv_run_input *in, iv_err *err)
{
    const size_t count = in->count;
    iv_str *tags = calloc(count + 1, sizeof *tags);
    const char **paths = calloc(count + 1, sizeof *paths);
    int rc = IV_OK;

    *names = calloc(count + 1, sizeof **names);
    if (tags == NULL || paths == NULL || *names == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t r = 0; r < count && rc == IV_OK; r++) {
        tags[r] = iv_run_tag(in->runs[r]);
        paths[r] = in->paths != NULL ? in->paths[r] : NULL;
    }
    if (rc == IV_OK)
        rc = iv_name_runs(*names, tags, paths, count, err);
    free(tags);
    free(paths);
    return rc;
}

void iv_run_input_free_names(char **names, const iv_run_input *in)
{
    for (size_t r = 0; names != NULL && r < in->count; r++)
        free(names[r]);
    free(names);
}

/* ------------------------------------------------------ what is assumed -- */

static int read_relevance(iv_prior *out, const char *text, iv_err *err)
{
    double value = 0.0; /* learnt, by rank */

    if (text != NULL && strcmp(text, "rank") != 0
        && (!iv_scan_real(&value, iv_str_of(text)) || !(value > 0.0 && value < 1.0)))
        return iv_fail(err, IV_EARG, "relevance '%.80s', expected a probability between 0 and 1 "
                       "(both excluded) or rank", text);
    *out = (iv_prior){ .relevance = value };
    return IV_OK;
}

static void tell_left_out(iv_result *out, size_t count, iv_str first, const char *which)
{
    char id[IV_QUOTE_SIZE];

    if (count > 0)
        iv_result_note(out, "%zu topic%s %s %s excluded, such as %s", count,
                       count == 1 ? "" : "s", which, count == 1 ? "is" : "are",
                       iv_quote(id, first));
}

static int pool_runs(iv_inquiry_input *in, iv_result *out, const iv_pooled_options *pool,
                     const iv_work *work, iv_err *err)
{
    int rc = iv_pooled_new(&in->pooled, in->runs.runs, in->runs.count, in->judgments, pool,
                           work, err);

    if (rc == IV_EARG)
        rc = IV_ENODATA; /* judgments of a kind that has no use here: the question is sound */
    if (rc != IV_OK)
        return rc;
    const iv_pooled_facts f = in->pooled->facts;
    tell_left_out(out, f.not_shared, f.not_shared_first, "that not all runs have");
    tell_left_out(out, f.not_judged, f.not_judged_first, "without any judgment");
    return rc;
}

int iv_inquiry_input_read(iv_inquiry_input *in, iv_result *out, const iv_source *from,
                          const char *relevance, const iv_pooled_options *pool,
                          const iv_work *work, iv_err *err)
{
    const size_t count = from->ranked != NULL ? from->ranked_count : from->runs.count;
    iv_stage stage;
    int rc = IV_OK;

    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run%s given, expected at least two", count,
                       count == 1 ? "" : "s");
    rc = read_relevance(&in->prior, relevance, err); /* before files are read */
    if (rc == IV_OK)
        rc = read_judgments(in, out, from, iv_work_part(&stage, work, 0.0, 0.2), err);
    if (rc == IV_OK)
        rc = iv_run_input_read(&in->runs, out, from, iv_work_part(&stage, work, 0.2, 0.7), err);
    if (rc == IV_OK)
        rc = iv_run_input_names(&in->names, &in->runs, err);
    (void)iv_work_part(&stage, work, 0.7, 1.0);
    return rc == IV_OK ? pool_runs(in, out, pool, &stage.work, err) : rc;
}

void iv_inquiry_input_free(iv_inquiry_input *in)
{
    iv_pooled_free(in->pooled);
    iv_run_input_free_names(in->names, &in->runs);
    iv_run_input_free(&in->runs);
    iv_judgments_free(in->own);
}

/* The proportion of a run's first ten documents that is judged. */
static double judged_first(const iv_pooled *p, size_t run)
{
    size_t all = 0, judged = 0;

    for (size_t t = 0; t < p->topics; t++) {
        const uint32_t *rank = iv_pooled_ranks(p, t, run);
        for (size_t i = 0; i < p->topic[t].documents; i++) {
            const bool first = rank[i] != 0 && rank[i] <= 10;
            all += first;
            judged += first && p->topic[t].judged[i] >= 0;
        }
    }
    return all > 0 ? (double)judged / (double)all : 0.0;
}

/* Warns where the first ten documents of one of two runs are judged far less (3 : 4) than those of
 * the other, as by a pool that one of them is not in: a confidence is not to be trusted then. */
static bool iv_inquiry_input_uneven(const iv_inquiry_input *in, size_t a, size_t b)
{
    const double x = judged_first(in->pooled, a), y = judged_first(in->pooled, b);

    return fmin(x, y) < 0.75 * fmax(x, y);
}

void iv_inquiry_input_tell_uneven(iv_result *out, const iv_inquiry_input *in)
{
    size_t least = 0, most = 0;

    for (size_t r = 1; r < in->runs.count; r++) {
        least = judged_first(in->pooled, r) < judged_first(in->pooled, least) ? r : least;
        most = judged_first(in->pooled, r) > judged_first(in->pooled, most) ? r : most;
    }
    IV_SAY(out, "judging.uneven", iv_inquiry_input_uneven(in, least, most) ? 1 : 0,
           .value = { judged_first(in->pooled, most), judged_first(in->pooled, least) },
           .text = { in->names[most], in->names[least] });
}

/* Does a run return more documents of a topic than another? */
static bool depths_differ(const iv_inquiry_input *in)
{
    for (size_t t = 0; t < in->pooled->topics; t++) {
        uint32_t first = 0;
        for (size_t r = 0; r < in->runs.count; r++) {
            const uint32_t *rank = iv_pooled_ranks(in->pooled, t, r);
            uint32_t deepest = 0;
            for (size_t i = 0; i < in->pooled->topic[t].documents; i++)
                deepest = rank[i] > deepest ? rank[i] : deepest;
            if (r > 0 && deepest != first)
                return true;
            first = deepest;
        }
    }
    return false;
}

void iv_inquiry_input_tell_prior(iv_result *out, const iv_inquiry_input *in, bool paper)
{
    const iv_pooled_facts f = in->pooled->facts;
    const double share = f.judged > 0 ? (double)f.relevant / (double)f.judged : 0.0;
    const bool sample = in->judgments != NULL
        && iv_judgments_format_of(in->judgments) == IV_JUDGMENTS_PRELS;
    const bool off = in->prior.relevance > 0.0 && f.judged < f.documents && f.judged >= 50
        && fabs(share - in->prior.relevance) > 0.15;

    IV_SAY(out, "judging.sample", sample ? 1 : 0, .text = { NULL });
    IV_SAY(out, "judging.relevance", off ? 1 : 0, .value = { share, in->prior.relevance });
    iv_result_used_with(out, "incomplete", "%s", paper ? ", as printed" : "");
    if (in->prior.relevance == 0.0)
        iv_result_used_with(out, "rank-relevance", ", from %zu of %zu documents judged", f.judged,
                            f.documents);
    if (!paper && depths_differ(in))
        iv_result_used(out, "equal-depth");
}
