/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

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

static bool is_by_rank(const char *relevance)
{
    return relevance != NULL && strcmp(relevance, "rank") == 0;
}

static int read_relevance(iv_prior *out, const char *text, iv_err *err)
{
    double value = 0.5;

    if (text != NULL && (!iv_scan_real(&value, iv_str_of(text)) || !(value > 0.0 && value < 1.0)))
        return iv_fail(err, IV_EARG, "relevance '%.80s', expected a probability between 0 and 1 "
                       "(both excluded) or rank", text);
    *out = (iv_prior){ .relevance = value };
    return IV_OK;
}

static void tell_left_out(iv_result *out, size_t count, iv_str first, const char *which)
{
    char id[IV_QUOTE_SIZE];

    if (count > 0)
        iv_result_note(out, "%zu topic%s %s %s left out, such as %s", count,
                       count == 1 ? "" : "s", which, count == 1 ? "is" : "are",
                       iv_quote(id, first));
}

static int pool_runs(iv_inquiry_input *in, iv_result *out, const iv_source *from,
                     const iv_pooled_options *pool, const iv_work *work, iv_err *err)
{
    int rc = iv_pooled_new(&in->pooled, in->runs.runs, in->runs.count, in->judgments, pool,
                           work, err);

    if (rc == IV_EARG)
        rc = IV_ENODATA; /* judgments of a kind that has no use here: the question is sound */
    if (rc != IV_OK)
        return rc;
    const iv_pooled_facts f = iv_pooled_facts_of(in->pooled);
    if (in->prior.by_rank) {
        rc = iv_prior_by_rank(&in->prior, in->pooled, err);
        if (rc == IV_ENODATA)
            (void)iv_fail(err, rc, "%s: no judged document of these runs to estimate relevance "
                          "from; it needs a probability", from->judgments != NULL
                          ? from->judgments : "the judgments");
    }
    tell_left_out(out, f.not_shared, f.not_shared_first, "that not all runs have");
    tell_left_out(out, f.not_judged, f.not_judged_first, "without any judgment");
    return rc;
}

int iv_inquiry_input_read(iv_inquiry_input *in, iv_result *out, const iv_source *from,
                          iv_belief_model model, const char *relevance,
                          const iv_pooled_options *pool, const iv_work *work, iv_err *err)
{
    const size_t count = from->ranked != NULL ? from->ranked_count : from->runs.count;
    iv_stage stage;
    int rc = IV_OK;

    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run%s given, expected at least two", count,
                       count == 1 ? "" : "s");
    in->prior.by_rank = is_by_rank(relevance);
    if (!in->prior.by_rank) /* before files are read */
        rc = read_relevance(&in->prior, relevance, err);
    in->prior.model = relevance != NULL ? IV_MODEL_INDEPENDENT : model;
    if (rc == IV_OK)
        rc = read_judgments(in, out, from, iv_work_part(&stage, work, 0.0, 0.2), err);
    if (rc == IV_OK)
        rc = iv_run_input_read(&in->runs, out, from, iv_work_part(&stage, work, 0.2, 0.7), err);
    if (rc == IV_OK)
        rc = iv_run_input_names(&in->names, &in->runs, err);
    (void)iv_work_part(&stage, work, 0.7, 1.0);
    return rc == IV_OK ? pool_runs(in, out, from, pool, &stage.work, err) : rc;
}

void iv_inquiry_input_free(iv_inquiry_input *in)
{
    iv_pooled_free(in->pooled);
    iv_run_input_free_names(in->names, &in->runs);
    iv_run_input_free(&in->runs);
    iv_judgments_free(in->own);
}

/* The judged documents may contradict what is assumed of the others, if any. */
static void tell_doubt(iv_result *out, const iv_inquiry_input *in, const iv_pooled_facts *f)
{
    const double share = f->judged > 0 ? (double)f->relevant / (double)f->judged : 0.0;

    if (!in->prior.by_rank && f->judged < f->documents && f->judged >= 50
        && fabs(share - in->prior.relevance) > 0.15)
        iv_result_note(out, "of the judged documents a share of %.2g is relevant, not %g: "
                       "the confidence may be far from the truth; a relevance of %.2g, or one "
                       "by rank, fits these judgments better", share, in->prior.relevance,
                       fmin(fmax(share, 0.01), 0.99));
}

const char *iv_inquiry_trials(const iv_inquiry_input *in, double confidence, bool lopsided)
{
    if (!(confidence >= 0.9 && confidence < 1.0))
        return "";
    if (in->prior.model == IV_MODEL_RUNS && lopsided)
        return "; do not trust it: the first documents of one run are judged far more than those of another, "
               "and of so sure statements none to all were right in such trials; judge those of the other, too";
    return in->prior.model == IV_MODEL_RUNS ? "; in trials 88 to 100 % of so sure statements were right"
                                            : "; in trials 72 to 100 % of so sure statements were right";
}

/* A sample answers two questions, and the answers differ. */
static void tell_question(iv_result *out, const iv_inquiry_input *in)
{
    if (in->judgments != NULL && iv_judgments_format_of(in->judgments) == IV_JUDGMENTS_PRELS)
        iv_result_note(out, "the judgments are a sample: a confidence is about these topics, by what "
                       "was judged and a model of the rest, whatever the probabilities of being "
                       "drawn; comparing the runs estimates what judging the whole frame would give, "
                       "for other topics of the kind, and its number is another number");
}

void iv_inquiry_input_tell_prior(iv_result *out, const iv_inquiry_input *in, bool union_only)
{
    const iv_pooled_facts f = iv_pooled_facts_of(in->pooled);

    tell_question(out, in);
    if (in->prior.model == IV_MODEL_RUNS) {
        iv_result_note(out, "Method: 'runs': unjudged documents are likely to be relevant by their "
                       "ranks, the number of runs that return them and these runs' quality, "
                       "on the whole and on the topic, as far as the judgments show it; %zu of "
                       "%zu documents returned are judged, %zu of them relevant%s", f.judged,
                       f.documents, f.relevant, union_only ? "" : "; how many relevant ones no "
                       "run returns is not known, and a confidence allows for it also when all "
                       "that is returned is judged");
        return;
    }
    if (in->prior.by_rank)
        iv_result_note(out, "unjudged documents are relevant with a probability that "
                       "falls with their best rank, from %.3f at 1 to %.3f at 100, estimated "
                       "from %zu judged documents", iv_rank_relevance_at(&in->prior.curve, 1.0),
                       iv_rank_relevance_at(&in->prior.curve, 100.0), in->prior.curve.judged);
    else
        iv_result_note(out, "unjudged documents are relevant with probability %g; "
                       "%zu of %zu documents returned are judged, %zu of them relevant",
                       in->prior.relevance, f.judged, f.documents, f.relevant);
    tell_doubt(out, in, &f);
}
