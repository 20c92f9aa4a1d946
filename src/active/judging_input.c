/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what requests about active judging name, and says what is assumed of unjudged documents. */
#include "active/judging_input.h"
#include "active/judging_messages.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/methods.h"
#include "trec/judgments.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------------- files -- */

/* An empty file is how "nothing is judged yet" looks. */
static bool is_empty_file(const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    const bool empty = f != NULL && getc(f) == EOF && !ferror(f);

    if (f != NULL)
        (void)fclose(f);
    return empty;
}

static int read_judgments(iv_judging_input *in, iv_result *out, const iv_source *from,
                          const iv_work *work, iv_err *err)
{
    iv_judgments *read = NULL;

    in->judgments = from->judged;
    if (from->judged != NULL || from->judgments == NULL)
        return IV_OK;
    if (is_empty_file(from->judgments))
        iv_result_note(out, "%s is empty: nothing is judged yet.", from->judgments);
    else
        IV_TRY(iv_judgments_input(&read, out, from->judgments, from->judgments_format, work, err));
    in->judgments = read;
    return IV_OK;
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
        iv_result_note(out, "%zu topic%s %s %s excluded, such as %s.", count,
                       count == 1 ? "" : "s", which, count == 1 ? "is" : "are",
                       iv_quote(id, first));
}

IV_ENDS(pooled)

static int pool_runs(iv_judging_input *in, iv_result *out, const iv_pooled_options *pool,
                     const iv_work *work, iv_err *err)
{
    int rc = iv_pooled_new(&in->pooled, in->runs.runs, in->runs.count, in->judgments, pool,
                           work, err);

    if (rc == IV_EARG)
        rc = IV_ENODATA; /* judgments of a kind that has no use here: the question is sound */
    IV_TRY(rc);
    IV_TRY(IV_KEEP(out, pooled, in->pooled, err));
    const iv_pooled *f = in->pooled;
    tell_left_out(out, f->not_shared, f->not_shared_first, "that not all runs have");
    tell_left_out(out, f->not_judged, f->not_judged_first, "without any judgment");
    return IV_OK;
}

int iv_judging_input_read(iv_judging_input *in, iv_result *out, const iv_source *from,
                          const char *relevance, const iv_pooled_options *pool,
                          const iv_work *work, iv_err *err)
{
    const size_t count = from->ranked != NULL ? from->ranked_count : from->runs.count;
    iv_stage stage;

    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run%s given, expected at least two", count,
                       count == 1 ? "" : "s");
    IV_TRY(read_relevance(&in->prior, relevance, err)); /* before files are read */
    IV_TRY(read_judgments(in, out, from, iv_work_part(&stage, work, 0.0, 0.2), err));
    IV_TRY(iv_run_input_read(&in->runs, out, from, iv_work_part(&stage, work, 0.2, 0.7), err));
    return pool_runs(in, out, pool, iv_work_part(&stage, work, 0.7, 1.0), err);
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

/* Warns where the first ten documents of one of two runs are judged far less than those of
 * the other, as by a pool that one of them is not in: a confidence is not to be trusted then. */
void iv_judging_input_tell_uneven(iv_result *out, const iv_judging_input *in)
{
    size_t least = 0, most = 0;

    for (size_t r = 1; r < in->runs.count; r++) {
        least = judged_first(in->pooled, r) < judged_first(in->pooled, least) ? r : least;
        most = judged_first(in->pooled, r) > judged_first(in->pooled, most) ? r : most;
    }
    const double x = judged_first(in->pooled, most), y = judged_first(in->pooled, least);
    IV_SAY(out, "judging.uneven", y < iv_caution_at(IV_UNEVENLY_JUDGED) * x ? 1 : 0,
           .value = { x, y },
           .text = { in->runs.names[most], in->runs.names[least] });
}

/* Does a run return more documents of a topic than another? */
static bool depths_differ(const iv_judging_input *in)
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

void iv_judging_input_tell_prior(iv_result *out, const iv_judging_input *in, bool paper)
{
    const iv_pooled *f = in->pooled;
    const double share = f->judged > 0 ? (double)f->relevant / (double)f->judged : 0.0;
    const bool sample = in->judgments != NULL
        && iv_judgments_format_of(in->judgments) == IV_JUDGMENTS_PRELS;
    const bool off = in->prior.relevance > 0.0 && f->judged < f->documents && f->judged >= 50
        && fabs(share - in->prior.relevance) > 0.15;

    IV_SAY(out, "judging.sample", sample ? 1 : 0);
    IV_SAY(out, "judging.relevance", off ? 1 : 0, .value = { share, in->prior.relevance });
    iv_result_used_with(out, "incomplete", "%s", paper ? ", as printed" : "");
    if (in->prior.relevance == 0.0)
        iv_result_used_with(out, "rank-relevance", ", from %s judged documents of %s",
                            IV_COUNT(f->judged), IV_COUNT(f->documents));
    if (!paper && depths_differ(in))
        iv_result_used(out, "equal-depth");
}
