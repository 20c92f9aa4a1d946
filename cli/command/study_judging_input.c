/* SPDX-License-Identifier: Apache-2.0 */
#include "command/study_judging_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/estimate.h"

const char *const inquiry_moments_words[] = { "delta", "plain", "exact", NULL };
const char *const inquiry_judgments_words[] = { "any", "qrels", "prels", "stratified", "beir",
                                                NULL };
const char *const inquiry_run_words[] = { "any", "trec", "msmarco", NULL };
const char *const inquiry_no_answer_words[] = { "refuse", "nonrelevant", "skip", NULL };

/* An empty file is how "nothing is judged yet" looks. */
static bool is_empty_file(const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    const bool empty = f != NULL && getc(f) == EOF && !ferror(f);

    if (f != NULL)
        (void)fclose(f);
    return empty;
}

int inquiry_judgments_read(iv_judgments **out, cmd_context *c, const char *path, int format,
                           iv_err *err)
{
    iv_judgments *j = NULL;
    const int rc = iv_judgments_load(&j, path, (iv_judgments_format)format,
                                     &c->work, err);

    if (rc == IV_OK) {
        iv_result_input(c->result, path, iv_judgments_bytes(j));
        *out = j;
    }
    return rc;
}

static int read_runs(inquiry_input *in, cmd_context *c, const inquiry_source *s, iv_err *err)
{
    iv_str *tags = calloc(s->count + 1, sizeof *tags);
    int rc = IV_OK;

    in->runs = calloc(s->count + 1, sizeof *in->runs);
    in->names = calloc(s->count + 1, sizeof *in->names);
    if (tags == NULL || in->runs == NULL || in->names == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t r = 0; r < s->count && rc == IV_OK; r++) {
        rc = iv_run_load(&in->runs[r], s->runs[r], (iv_run_format)s->run_format,
                         &c->work, err);
        if (rc != IV_OK)
            break;
        in->count++;
        tags[r] = iv_run_tag(in->runs[r]);
        iv_result_input(c->result, s->runs[r], iv_run_bytes(in->runs[r]));
    }
    if (rc == IV_OK)
        rc = iv_name_runs(in->names, tags, (const char *const *)s->runs, in->count, err);
    free(tags);
    return rc;
}

static int read_relevance(iv_prior *out, const inquiry_source *s, const iv_pooled *p,
                          iv_err *err)
{
    double value;

    if (strcmp(s->relevance, "rank") == 0) {
        const int rc = iv_prior_by_rank(out, p, err);
        return rc != IV_ENODATA ? rc
            : iv_fail_at(err, rc, s->judgments, 0, "no judged document of these runs to "
                         "estimate relevance from; give --relevance a probability");
    }
    if (!iv_scan_real(&value, iv_str_of(s->relevance)) || !(value > 0.0 && value < 1.0))
        return cmd_usage(err, "option --relevance: '%.80s', expected a probability between 0 "
                         "and 1 (both excluded) or rank", s->relevance);
    *out = (iv_prior){ .relevance = value };
    return IV_OK;
}

static void tell_left_out(cmd_context *c, const iv_pooled_facts *f)
{
    char id[IV_QUOTE_SIZE];

    if (f->not_shared > 0)
        iv_result_note(c->result, "%zu topic%s that not all runs have %s left out, such as %s",
                       f->not_shared, f->not_shared == 1 ? "" : "s",
                       f->not_shared == 1 ? "is" : "are", iv_quote(id, f->not_shared_first));
    if (f->not_judged > 0)
        iv_result_note(c->result, "%zu topic%s without any judgment %s left out, such as %s",
                       f->not_judged, f->not_judged == 1 ? "" : "s",
                       f->not_judged == 1 ? "is" : "are", iv_quote(id, f->not_judged_first));
}

int inquiry_input_read(inquiry_input *in, cmd_context *c, const inquiry_source *s, iv_err *err)
{
    iv_prior early;
    int rc = IV_OK;

    if (s->count < 2)
        return cmd_usage(err, "%zu run%s given, expected at least two", s->count,
                         s->count == 1 ? "" : "s");
    if (strcmp(s->relevance, "rank") != 0) /* before files are read */
        rc = read_relevance(&early, s, NULL, err);
    if (rc == IV_OK && !is_empty_file(s->judgments))
        rc = inquiry_judgments_read(&in->judgments, c, s->judgments, s->judgments_format, err);
    else if (rc == IV_OK)
        iv_result_note(c->result, "%s is empty: nothing is judged yet", s->judgments);
    if (rc == IV_OK)
        rc = read_runs(in, c, s, err);
    if (rc == IV_OK)
        rc = iv_pooled_new(&in->pooled, (const iv_run *const *)in->runs, in->count,
                           in->judgments, &s->pool, &c->work, err);
    if (rc == IV_OK)
        rc = read_relevance(&in->prior, s, in->pooled, err);
    if (rc == IV_OK) {
        const iv_pooled_facts f = iv_pooled_facts_of(in->pooled);
        tell_left_out(c, &f);
    }
    return rc;
}

void inquiry_input_free(inquiry_input *in)
{
    iv_pooled_free(in->pooled);
    for (size_t r = 0; r < in->count; r++)
        iv_run_free(in->runs[r]);
    for (size_t r = 0; in->names != NULL && r < in->count; r++)
        free(in->names[r]);
    free(in->runs);
    free(in->names);
    iv_judgments_free(in->judgments);
}

/* The judged documents may contradict what is assumed of the others, if any. */
static void tell_doubt(cmd_context *c, const inquiry_input *in, const iv_pooled_facts *f)
{
    const double share = f->judged > 0 ? (double)f->relevant / (double)f->judged : 0.0;

    if (!in->prior.by_rank && f->judged < f->documents && f->judged >= 50
        && fabs(share - in->prior.relevance) > 0.15)
        iv_result_note(c->result, "of the judged documents a share of %.2g is relevant, not %g: "
                       "the confidence may be far from the truth; --relevance %.2g or rank fits "
                       "these judgments better", share, in->prior.relevance,
                       fmin(fmax(share, 0.01), 0.99));
}

void inquiry_input_tell_prior(cmd_context *c, const inquiry_input *in)
{
    const iv_pooled_facts f = iv_pooled_facts_of(in->pooled);

    if (in->prior.by_rank)
        iv_result_note(c->result, "unjudged documents are relevant with a probability that "
                       "falls with their best rank, from %.3f at 1 to %.3f at 100, estimated "
                       "from %zu judged documents", iv_rank_relevance_at(&in->prior.curve, 1.0),
                       iv_rank_relevance_at(&in->prior.curve, 100.0), in->prior.curve.judged);
    else
        iv_result_note(c->result, "unjudged documents are relevant with probability %g; "
                       "%zu of %zu documents returned are judged, %zu of them relevant",
                       in->prior.relevance, f.judged, f.documents, f.relevant);
    tell_doubt(c, in, &f);
}
