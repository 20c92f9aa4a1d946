/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The door of the room: judgments of any kind, runs, measures in; an evaluation
 * out.  Runs are scored in parallel, many of them one a thread, few of them topic
 * by topic; what comes out does not depend on it.
 */
#include <stdlib.h>

#include "design/sampling_state.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "estimate/evaluation_parts.h"
#include "estimate/range_parts.h"
#include "estimate/part_file.h"
#include "estimate/score_windows.h"
#include "estimate/source_parts.h"
#include "measure/measure_parts.h"
#include "trec/judgments.h"
#include "estimate/estimate_private.h"
#include "measure/measure_private.h"
#include "stat/stat_private.h"
#include "trec/trec_private.h"

/* Precision at the top, over all, with grades, how much is found, and when. */
static const char *const usual[] = { "AP", "nDCG@10", "P@10", "R@1000", "RR" };
static const char *const official[] = { "official" };
/* Of preferences and groups: trec_eval's, and without its counts. */
static const char *const prefs[] = { "prefs" }, *const groups[] = { "qrels_jg" };
static const char *const usual_prefs[] = { "prefs_simp", "prefs_pair", "prefs_avgjg" };
static const char *const usual_nuggets[] = { "NuggetWeighted", "NuggetVital", "NuggetAll",
                                             "NuggetVital(strict=True)" };
static const char *const usual_groups[] = { "map_avgjg", "P_avgjg.10" };
/* RR cannot be estimated. */
static const char *const usual_sample[] = { "AP", "nDCG@10", "P@10", "Rprec" };
static const char *const usual_strata[] = { "AP", "infAP", "infNDCG", "nDCG@10", "P@10",
                                            "num_rel" };

#define TEXTS(list) ((iv_texts){ (list), sizeof (list) / sizeof *(list) })

/* ------------------------------------------------------- what is asked -- */

/* Without zeros that stand for defaults. */
static iv_evaluating resolve(const iv_evaluating *options)
{
    iv_evaluating o = options != NULL ? *options : (iv_evaluating){ 0 };

    o.resampling = iv_resampling_of(&o.resampling);
    return o;
}

static iv_texts usual_for(const iv_evaluation *e, const iv_evaluating *o)
{
    const iv_judgments_format format = iv_judgments_format_of(e->task.judgments);
    const bool trec = o->measure.as_trec_eval;

    if (format == IV_JUDGMENTS_PREFS)
        return trec ? TEXTS(prefs) : TEXTS(usual_prefs);
    if (format == IV_JUDGMENTS_NUGGETS)
        return TEXTS(usual_nuggets);
    if (format == IV_JUDGMENTS_GROUPS)
        return trec ? TEXTS(groups) : TEXTS(usual_groups);
    return trec ? TEXTS(official) : TEXTS(usual);
}

static int parse_complete(iv_evaluation *e, const iv_evaluating *o, iv_err *err)
{
    const iv_texts names = o->measures.count > 0 ? o->measures : usual_for(e, o);
    iv_scorer *trial = NULL;

    if (o->ties && o->measure.judged_only && o->measure.depth != 0)
        return iv_fail(err, IV_EARG, "values over ties are not known for rankings of judged "
                       "documents only that are cut at a depth");
    IV_TRY(iv_measures_parse(&e->measures, names.at, names.count, &o->measure, err));
    IV_TRY(iv_measures_fit(e->measures, iv_judgments_format_of(e->task.judgments), err));
    /* Do the judgments tell what the measures need? */
    int rc = iv_scorer_new(&trial, e->measures, e->task.largest, err);
    iv_scorer_free(trial);
    e->task.measures = e->measures;
    e->task.width = iv_measures_count(e->measures);
    return rc;
}

/* What estimates do not have and complete judgments do is refused. */
static int parse_sampled(iv_evaluation *e, const iv_evaluating *o, iv_err *err)
{
    const bool strata = e->sampling->source == IV_SAMPLING_STRATA;
    const iv_texts names = o->measures.count > 0 ? o->measures
        : strata ? TEXTS(usual_strata) : TEXTS(usual_sample);

    if (o->bounds || o->ties)
        return iv_fail(err, IV_EARG, "%s are not known for sampled judgments",
                       o->bounds ? "bounds" : "values over ties");
    if (o->guaranteed)
        return iv_fail(err, IV_EARG, "nothing can be guaranteed of means of estimates from "
                       "sampled judgments");
    if (o->measure.judged_only)
        return iv_fail(err, IV_EARG, "rankings of judged documents only (-J) cannot be combined "
                       "with sampled judgments: a document that was not sampled is not an "
                       "unjudged one");
    IV_TRY(iv_sampled_measures_parse(&e->estimated, names.at, names.count,
                                     &o->measure, err));
    e->task.estimated = e->estimated;
    e->task.measures = e->estimated->complete;
    e->task.width = e->estimated->count;
    return iv_sampled_check(e->sampling, e->estimated, err);
}

static bool all_certain(const iv_evaluation *e)
{
    const size_t topics = iv_judgments_topics(e->task.judgments);

    for (size_t t = 0; t < topics; t++)
        if (!iv_sampling_topic_at(e->sampling, t).certain)
            return false;
    return topics > 0 && e->sampling->noted.empty_strata == 0;
}

/* trec_eval's own lines can be had: no measure is one of sample_eval's. */
static bool as_trec_eval(const iv_evaluation *e, const iv_evaluating *o)
{
    bool good = o->measure.as_trec_eval;

    for (size_t i = 0; i < e->estimated->count && good && o->measures.count > 0; i++)
        good = !e->estimated->values[i].inferred;
    return good;
}

/*
 * Where nothing was left to chance the judgments are complete ones, and what cannot
 * be estimated can be computed.
 */
static int prepare_sampled(iv_evaluation *e, const char *name, const iv_evaluating *o, iv_err *err)
{
    IV_TRY(iv_sampling_new(&e->sampling, e->task.judgments, name, o->unjudged, err));
    int rc = parse_sampled(e, o, err);
    /* Without a frame a document that is not in the file is an unjudged one. */
    const bool whole = iv_judgments_format_of(e->task.judgments) == IV_JUDGMENTS_PRELS
        && e->sampling->noted.depth == 0;
    const bool plain = rc == IV_OK && (whole || as_trec_eval(e, o));
    if ((rc == IV_EARG || plain) && all_certain(e)) {
        iv_sampled_measures_free(e->estimated);
        iv_sampling_free(e->sampling);
        e->estimated = NULL;
        e->task.estimated = NULL;
        e->sampling = NULL;
        e->view.certain = true;
        return parse_complete(e, o, err);
    }
    e->task.sampling = e->view.sampling = e->sampling;
    e->view.estimator = o->estimator != IV_ESTIMATOR_AUTO ? o->estimator : IV_ESTIMATOR_CORRECTED;
    return rc;
}

/* Qrels are read by groups where a measure asks for these; a measure that nobody knows is
 * told before a file is blamed. */
static int format_for(iv_judgments_format *out, const iv_source *source, const iv_evaluating *o,
                      iv_err *err)
{
    const iv_judgments_format asked = source->judgments_format;
    iv_measures *m = NULL;

    IV_TRY(iv_measures_parse_complete(&m, o->measures.at, o->measures.count, &o->measure, err));
    const unsigned reads = m != NULL ? iv_measures_read(m) : 0;
    iv_measures_free(m);
    *out = asked != IV_JUDGMENTS_ANY && asked != IV_JUDGMENTS_QRELS ? asked
        : reads & IV_READS_NUGGETS ? IV_JUDGMENTS_NUGGETS
        : reads & IV_READS_JUDGES ? IV_JUDGMENTS_GROUPS : asked;
    return IV_OK;
}

/* Of files in windows; all that needs their judgments comes later. */
static int prepare_windows(iv_evaluation *e, iv_windows *w, const iv_source *source,
                           const iv_evaluating *o, const iv_work *work, iv_err *err)
{
    iv_judgments_format format;

    IV_TRY(format_for(&format, source, o, err));
    IV_TRY(iv_windows_prepare(e, w, source, o, format, work, err));
    e->task.precision = iv_precision_of(o->measure.dialect);
    e->task.how = *o;
    e->view.resampling = o->resampling;
    return parse_complete(e, o, err);
}

static int prepare(iv_evaluation *e, const iv_source *source, const iv_evaluating *o,
                   const iv_work *work, iv_err *err)
{
    const char *name = source->judgments != NULL ? source->judgments : "the judgments";
    iv_stage reads;
    int rc = IV_OK;

    e->task.judgments = source->judged;
    if (source->judged == NULL && source->judgments == NULL)
        return iv_fail(err, IV_EARG, "no judgments were given");
    if (source->judged == NULL) {
        iv_judgments_format asked;
        IV_TRY(format_for(&asked, source, o, err));
        rc = iv_judgments_load(&e->judgments, source->judgments, asked,
                               iv_work_part(&reads, work, 0.0, 0.0), err);
        if (rc == IV_OK && o->also != NULL)
            rc = iv_judgments_also(&e->judgments, name, o->also,
                                   iv_work_part(&reads, work, 0.0, 0.0), err);
        e->task.judgments = e->judgments;
    } else if (o->also != NULL) {
        rc = iv_fail(err, IV_EARG, "additional judgments are merged with a file of judgments; in "
                     "memory give such a document probability 1");
    }
    if (rc != IV_OK)
        return rc;
    const iv_judgments_format format = iv_judgments_format_of(e->task.judgments);
    e->view.judged_topics = iv_judgments_topics(e->task.judgments);
    e->view.judgments_bytes = iv_judgments_bytes(e->task.judgments);
    iv_count_judgments(e, e->task.judgments, iv_blanks_count(format)
                       || (format == IV_JUDGMENTS_PRELS && o->unjudged == IV_UNJUDGED_REFUSE));
    e->task.precision = iv_precision_of(o->measure.dialect);
    if (format == IV_JUDGMENTS_PRELS || format == IV_JUDGMENTS_STRATIFIED)
        rc = prepare_sampled(e, name, o, err);
    else if (o->estimator != IV_ESTIMATOR_AUTO || o->unjudged != IV_UNJUDGED_REFUSE
             || o->infer != IV_INFER_NEW)
        rc = iv_fail(err, IV_EARG, "an estimator, intervals for a fixed set of topics, and what to "
                     "do with documents of the sample that nobody judged, are for sampled "
                     "judgments, and %s is none", name);
    else
        rc = parse_complete(e, o, err);
    e->task.how = *o;
    e->task.how.estimator = e->view.estimator;
    e->view.resampling = o->resampling;
    return rc;
}

/* ------------------------------------------------------------ the runs -- */

static int do_run(void *user, void *memory, size_t r, iv_err *err)
{
    iv_evaluation *e = user;
    const iv_source *from = e->source;
    iv_run *run = NULL;
    char quoted[IV_QUOTE_SIZE];
    iv_stage loading, scoring;

    (void)memory;
    if (from->ranked != NULL)
        return iv_score_run(&e->scores[r], iv_quote(quoted, iv_run_tag(from->ranked[r])),
                            from->ranked[r], &e->task, e->work, err);
    int rc = iv_run_load(&run, from->runs.at[r], from->run_format,
                         iv_work_part(&loading, e->work, 0.0, 0.6), err);
    if (rc == IV_OK)
        rc = iv_score_run(&e->scores[r], from->runs.at[r], run, &e->task,
                          iv_work_part(&scoring, e->work, 0.6, 1.0), err);
    iv_run_free(run);
    return rc;
}

static int score_many(iv_evaluation *e, const iv_work *work, iv_err *err)
{
    iv_asking asking; /* each run asks whether to go on */

    iv_asking_start(&asking, work);
    asking.outer.threads = (int)iv_runs_abreast(e->view.run_count, work);
    e->work = &asking.inner;
    return iv_parallel(&(iv_loop){ e->view.run_count, do_run, e, NULL }, &asking.outer, err);
}

static int score_runs(iv_evaluation *e, const iv_source *source, const iv_work *work,
                      iv_err *err)
{
    const size_t count = e->view.run_count;
    int rc = IV_OK;

    e->source = source;
    if (iv_runs_abreast(count, work) > 1)
        return score_many(e, work, err);
    for (size_t r = 0; r < count && rc == IV_OK; r++) {
        iv_stage stage;
        e->work = iv_work_part(&stage, work, (double)r / (double)count,
                               (double)(r + 1) / (double)count);
        rc = do_run(e, NULL, r, err);
    }
    return rc;
}

/* Of files in windows all but the end was written on the way. */
static int write_scores(iv_evaluation *e, const iv_source *source, const iv_windows *w, iv_err *err)
{
    const size_t runs = e->view.run_count;

    if (w != NULL)
        return iv_part_end(e->writer, e, err);
    const char **tags = iv_take(&e->memory, runs + 1, sizeof *tags);
    const char **paths = iv_take(&e->memory, runs + 1, sizeof *paths);
    IV_TRY(iv_taken(&e->memory, err));
    for (size_t r = 0; r < runs; r++) {
        tags[r] = e->scores[r]->tag;
        paths[r] = source->ranked == NULL ? source->runs.at[r] : NULL;
    }
    IV_TRY(iv_part_head(e->writer, e, tags, paths, err));
    IV_TRY(iv_part_rows(e->writer, e->task.judgments, e->scores, runs, e->task.width, err));
    return iv_part_end(e->writer, e, err);
}

/* ------------------------------------------------------------- the door -- */

/* w: of files that are read in windows; else NULL. */
static int evaluate(iv_evaluation *e, const iv_source *source, iv_windows *w,
                    const iv_work *work, iv_err *err)
{
    iv_stage scoring, rest;

    IV_TRY(iv_evaluation_room(e, err));
    (void)iv_work_part(&scoring, work, 0.0, 0.8);
    IV_TRY(w != NULL ? iv_score_windows(e, w, &scoring.work, err)
                     : score_runs(e, source, &scoring.work, err));
    return e->writer != NULL ? write_scores(e, source, w, err)
        : iv_evaluation_finish(e, source->ranked == NULL ? source->runs.at : NULL,
                               iv_work_part(&rest, work, 0.8, 1.0), err);
}

static size_t runs_of(const iv_source *source)
{
    return source->ranked != NULL ? source->ranked_count : source->runs.count;
}

/* One evaluation, of files in windows or of wholes.  write: scores go there, and nothing is kept;
 * NULL: they are. */
static int make_one(iv_evaluation **out, const iv_source *source, const iv_evaluating *o,
                    const char *write, iv_written_scores *found, bool windows,
                    const iv_work *work, iv_err *err)
{
    iv_windows w = { 0 };
    iv_part_writer writer = { 0 };
    iv_evaluation *e = calloc(1, sizeof *e);
    int rc = e == NULL ? iv_no_memory(err)
        : windows ? prepare_windows(e, &w, source, o, work, err)
                  : prepare(e, source, o, work, err);

    if (rc == IV_OK && write != NULL) {
        e->writer = &writer;
        e->task.counts = true;
        rc = e->sampling != NULL ? iv_fail(err, IV_EARG,
                                           "scores of sampled judgments are estimates: "
                                           "in a file they would lose their errors")
                                 : iv_part_begin(&writer, write, err);
    }
    if (rc == IV_OK) {
        e->view.run_count = runs_of(source);
        rc = evaluate(e, source, windows ? &w : NULL, work, err);
    }
    iv_windows_close(&w);
    iv_part_abandon(&writer); /* unless it is there */
    if (rc == IV_OK && found != NULL)
        *found = writer.found;
    if (rc == IV_OK)
        *out = e;
    else
        iv_evaluation_free(e);
    return rc;
}

static int ask_for(iv_evaluation **out, const iv_source *source, const iv_evaluating *options,
                   const char *write, iv_written_scores *found, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(source, "a source of runs and judgments", err));
    IV_TRY(IV_CHECK(source, err, IV_SOURCE_PARTS(iv_source,)));
    IV_TRY(IV_CHECK(options, err, IV_EVALUATING_PARTS(iv_evaluating,)));
    const iv_evaluating o = resolve(options);

    if (source->parts.count > 0)
        return write != NULL ? iv_fail(err, IV_EARG, "scores of parts are not written again")
                             : iv_evaluate_parts(out, &source->parts, &o, work, err);
    if (runs_of(source) == 0 && write == NULL)
        return iv_fail(err, IV_EARG, "there are no runs to evaluate");
    if (o.guaranteed && o.interval != IV_INTERVAL_AUTO)
        return iv_fail(err, IV_EARG, "either a guaranteed interval or the method '%s'",
                       iv_interval_names()[o.interval]);
    const bool windows = iv_windows_fit(source, &o, work);
    if (!windows && (source->memory > 0 || source->sort))
        return iv_fail(err, IV_EARG, "memory can be bounded only for files of runs and complete "
                       "judgments: no sample, no automatic labels, no limit of input size");
    int rc = make_one(out, source, &o, write, found, windows, work, err);
    /* What windows cannot do is told as it always was, unless memory is bounded. */
    if (windows && source->memory == 0 && !source->sort && rc != IV_OK && rc != IV_ECANCELLED
        && rc != IV_ENOMEM)
        rc = make_one(out, source, &o, write, found, false, work, err);
    return rc == IV_NOT_TAKEN ? IV_EPARSE : rc;
}

int iv_evaluate(iv_evaluation **out, const iv_source *source, const iv_evaluating *options,
                const iv_work *work, iv_err *err)
{
    return iv_blame_judgments(ask_for(out, source, options, NULL, NULL, work, err), source, err);
}

int iv_write_scores(const char *path, const iv_source *source, const iv_evaluating *options,
                    iv_written_scores *found, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(path, "the file of scores to write", err));
    iv_evaluating o = options != NULL ? *options : (iv_evaluating){ 0 };
    iv_evaluation *e = NULL;

    if (o.bounds || o.ties || o.texts || o.measure.as_trec_eval)
        return iv_fail(err, IV_EARG, "a file of scores has no place for bounds, values over ties "
                       "and texts");
    o.interval = IV_INTERVAL_NONE; /* nobody sees one */
    o.guaranteed = false;
    const int rc = iv_blame_judgments(ask_for(&e, source, &o, path, found, work, err), source, err);
    iv_evaluation_free(e);
    return rc;
}
