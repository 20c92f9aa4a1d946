/* SPDX-License-Identifier: Apache-2.0 */
/* eval, where the judgments are a sample. */
#include "command/eval_sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* RR cannot be estimated; how many are relevant is worth knowing. */
static const char *const usual[] = { "AP", "nDCG@10", "P@10", "Rprec", "R@1000", "num_rel" };
static const char *const usual_strata[] = { "AP", "infAP", "infNDCG", "nDCG@10", "P@10",
                                            "num_rel" };

/* What estimates do not have and complete judgments do. */
static int check_usage(const eval *e, iv_err *err)
{
    const eval_args *a = e->args;

    if (a->bounds || a->ties)
        return cmd_usage(err, "%s is not known for sampled judgments",
                         a->bounds ? "--bounds" : "--ties");
    if (a->judged_only)
        return cmd_usage(err, "-J is not known for sampled judgments: what was not drawn is "
                         "not unjudged");
    if (a->matrix != NULL)
        return cmd_usage(err, "--write-matrix would lose what sampling adds to the errors; "
                         "'intervale compare' reads sampled judgments");
    return IV_OK;
}

static int parse_measures(sampled *s, iv_err *err)
{
    const eval_args *a = s->e->args;
    const bool strata = iv_sampling_source_of(s->sampling) == IV_SAMPLING_STRATA;
    const char *const *names = a->measures.at;
    size_t count = a->measures.count;
    iv_measure_options o = iv_measure_defaults();

    if (count == 0) {
        names = strata ? usual_strata : usual;
        count = 6;
    }
    o.dialect = (iv_dialect)a->compat;
    o.level = (int32_t)a->level;
    if (a->depth > 0)
        o.depth = (size_t)a->depth;
    const int rc = iv_sampled_measures_parse(&s->measures, names, count, &o, err);
    if (rc == IV_OK)
        s->width = iv_sampled_measures_count(s->measures);
    return rc == IV_EARG ? CMD_USAGE : rc;
}

/* Names the runs as eval does, from their tags. */
static int name_runs(sampled *s, eval *e, iv_err *err)
{
    iv_str *tags = malloc((e->count + 1) * sizeof *tags);

    if (tags == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t r = 0; r < e->count; r++)
        tags[r] = iv_sampled_tag(s->runs[r]);
    e->tags = tags;
    const int rc = eval_name_runs(e, err);
    e->tags = NULL;
    free(tags);
    return rc;
}

static int estimate(sampled *s, eval *e, const cmd_context *c, iv_err *err)
{
    const eval_args *a = e->args;
    const iv_sampled_options o = {
        .estimator = s->estimator,
        .precision = a->compat == IV_TREC_EVAL_9 ? IV_SCORES_FLOAT : IV_SCORES_DOUBLE,
        .complete = a->complete, .confidence = e->shared->confidence,
        .threads = (int)e->shared->threads, .progress = c->progress };
    const iv_resampling resampling = {
        .resamples = (size_t)a->resamples, .confidence = e->shared->confidence,
        .seed = e->shared->seed, .threads = (int)e->shared->threads };
    int rc = iv_sampled_files(s->runs, (const char *const *)e->paths, e->count,
                              (iv_run_format)a->run_format, s->sampling, s->measures, &o,
                              err);

    if (rc == IV_EARG && err->code == IV_EARG)
        return CMD_USAGE;
    if (rc != IV_OK)
        return rc;
    iv_result_input(e->result, c->operands[0], iv_judgments_bytes(e->judgments));
    for (size_t r = 0; r < e->count; r++)
        iv_result_input(e->result, e->paths[r], iv_sampled_bytes(s->runs[r]));
    s->means = malloc((e->count * s->width + 1) * sizeof *s->means);
    if (s->means == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    rc = name_runs(s, e, err);
    if (rc == IV_OK)
        rc = iv_sampled_means(s->means, (const iv_sampled *const *)s->runs, e->count,
                              s->measures, a->ci < 0 ? IV_INTERVAL_LOGIT
                              : (iv_interval_method)a->ci, &resampling, err);
    return rc;
}

/* By the first measure, highest first; equal runs as they were given. */
static void order_runs(sampled *s)
{
    for (size_t r = 0; r < s->e->count; r++) {
        size_t at = r;
        while (at > 0 && s->means[s->order[at - 1] * s->width].value
                   < s->means[r * s->width].value) {
            s->order[at] = s->order[at - 1];
            at--;
        }
        s->order[at] = r;
    }
}

static bool all_certain(const sampled *s)
{
    const size_t topics = iv_judgments_topics(s->e->judgments);

    for (size_t t = 0; t < topics; t++)
        if (!iv_sampling_topic_at(s->sampling, t).certain)
            return false;
    return topics > 0 && iv_sampling_noted(s->sampling)->empty_strata == 0;
}

/* trec_eval's own lines can be had: no measure is one of sample_eval's. */
static bool as_trec_eval(const sampled *s)
{
    bool good = strcmp(s->e->shared->format, "trec") == 0;

    for (size_t i = 0; i < s->width && good && s->e->args->measures.count > 0; i++)
        good = !iv_sampled_measures_value(s->measures, i)->inferred;
    return good;
}

/*
 * Reads what is asked for.  Where nothing was left to chance the judgments are
 * complete ones, and what cannot be estimated can be computed: *complete.
 */
static int prepare(bool *complete, sampled *s, eval *e, cmd_context *c, iv_err *err)
{
    const eval_args *a = e->args;
    int rc = iv_sampling_new(&s->sampling, e->judgments, c->operands[0],
                             a->unjudged < 0 ? IV_UNJUDGED_REFUSE : (iv_unjudged)a->unjudged,
                             err);

    if (rc != IV_OK)
        return rc;
    rc = check_usage(e, err);
    if (rc == IV_OK)
        rc = parse_measures(s, err);
    *complete = (rc == CMD_USAGE || (rc == IV_OK && as_trec_eval(s))) && all_certain(s);
    if (*complete)
        iv_result_note(e->result, "every document was judged for certain: scored as complete "
                       "judgments");
    return *complete ? IV_OK : rc;
}

static int evaluate(sampled *s, eval *e, cmd_context *c, iv_err *err)
{
    const int rc = estimate(s, e, c, err);

    if (rc != IV_OK)
        return rc;
    order_runs(s);
    if (strcmp(e->shared->format, "trec") == 0) {
        c->written = true;
        sampled_print_trec(s, c->out);
    } else {
        sampled_tables(s);
    }
    sampled_notes(s);
    return IV_OK;
}

int eval_sampled(bool *complete, eval *e, cmd_context *c, iv_err *err)
{
    sampled s = { .e = e, .estimator = e->args->estimator < 0 ? IV_ESTIMATOR_CORRECTED
                                                             : (iv_estimator)e->args->estimator };

    s.runs = calloc(e->count + 1, sizeof(iv_sampled *));
    s.order = calloc(e->count + 1, sizeof *s.order);
    int rc = s.runs == NULL || s.order == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                                               : prepare(complete, &s, e, c, err);
    if (rc == IV_OK && !*complete)
        rc = evaluate(&s, e, c, err);
    for (size_t r = 0; s.runs != NULL && r < e->count; r++)
        iv_sampled_free(s.runs[r]);
    free(s.runs);
    free(s.order);
    free(s.means);
    iv_sampled_measures_free(s.measures);
    iv_sampling_free(s.sampling);
    return rc;
}
