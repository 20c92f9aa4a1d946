/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The door of the room: judgments of any kind, runs, measures in; an evaluation
 * out.  Runs are scored in parallel, many of them one a thread, few of them topic
 * by topic; what comes out does not depend on it.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "estimate/machine_source.h"
#include "estimate/evaluation_parts.h"
#include "estimate/range_parts.h"
#include "estimate/rectified.h"
#include "estimate/source_parts.h"
#include "measure/measure_parts.h"

/* Precision at the top, over all, with grades, how much is found, and when. */
static const char *const usual[] = { "AP", "nDCG@10", "P@10", "R@1000", "RR" };
static const char *const official[] = { "official" };
/* Of preferences and groups: trec_eval's, and without its counts. */
static const char *const prefs[] = { "prefs" }, *const groups[] = { "qrels_jg" };
static const char *const usual_prefs[] = { "prefs_simp", "prefs_pair", "prefs_avgjg" };
static const char *const usual_nuggets[] = { "NuggetWeighted", "NuggetVital", "NuggetAll",
                                             "NuggetVital(strict=True)" };
static const char *const usual_groups[] = { "map_avgjg", "P_avgjg.10" };
/* RR cannot be estimated; how many are relevant is worth knowing. */
static const char *const usual_sample[] = { "AP", "nDCG@10", "P@10", "Rprec", "R@1000",
                                            "num_rel" };
static const char *const usual_strata[] = { "AP", "infAP", "infNDCG", "nDCG@10", "P@10",
                                            "num_rel" };

#define TEXTS(list) ((iv_texts){ (list), sizeof (list) / sizeof *(list) })

void iv_evaluation_free(iv_evaluation *e)
{
    if (e == NULL)
        return;
    for (size_t r = 0; r < e->view.run_count; r++) {
        if (e->scores != NULL)
            iv_scores_free(e->scores[r]);
        if (e->names != NULL)
            free(e->names[r]);
    }
    iv_arena_free(&e->memory);
    iv_standards_free(e->standards);
    iv_measures_free(e->measures);
    iv_sampled_measures_free(e->estimated);
    iv_rectified_free(e->rectified);
    iv_sampling_free(e->sampling);
    iv_judgments_free(e->judgments);
    free(e);
}

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

static int parse_complete(iv_evaluation *e, const iv_evaluating *o, const iv_work *work,
                          iv_err *err)
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
    if (rc == IV_OK && o->standards != NULL)
        rc = o->bounds || o->ties
            ? iv_fail(err, IV_EARG, "bounds and values over ties are not known for standard "
                      "scores")
            : iv_standards_load(&e->standards, o->standards, work, err);
    e->task.standards = e->standards;
    e->task.measures = e->measures;
    e->task.width = iv_measures_count(e->measures);
    return rc;
}

/* What estimates do not have and complete judgments do is refused. */
static int parse_sampled(iv_evaluation *e, const iv_evaluating *o, iv_err *err)
{
    const bool strata = iv_sampling_source_of(e->sampling) == IV_SAMPLING_STRATA;
    const iv_texts names = o->measures.count > 0 ? o->measures
        : strata ? TEXTS(usual_strata) : TEXTS(usual_sample);

    if (o->bounds || o->ties || o->standards != NULL)
        return iv_fail(err, IV_EARG, "%s are not known for sampled judgments",
                       o->bounds ? "bounds" : o->ties ? "values over ties" : "standard scores");
    if (o->guaranteed)
        return iv_fail(err, IV_EARG, "nothing can be guaranteed of means of estimates from "
                       "sampled judgments");
    if (o->measure.judged_only)
        return iv_fail(err, IV_EARG, "rankings of judged documents only are not known for "
                       "sampled judgments: what was not drawn is not unjudged");
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
    return topics > 0 && iv_sampling_noted(e->sampling)->empty_strata == 0;
}

/* trec_eval's own lines can be had: no measure is one of sample_eval's. */
static bool as_trec_eval(const iv_evaluation *e, const iv_evaluating *o)
{
    bool good = o->measure.as_trec_eval;

    for (size_t i = 0; i < e->estimated->count && good && o->measures.count > 0; i++)
        good = !e->estimated->values[i].inferred;
    return good;
}

/* Labels of all documents, unless others are asked for or the frame is not known. */
static int prepare_labels(iv_evaluation *e, const char *name, const iv_evaluating *o, iv_err *err)
{
    const bool possible = iv_rectified_possible(e->sampling);
    iv_label_source machine;
    iv_arena own = { 0 };

    e->view.estimator = o->estimator != IV_ESTIMATOR_AUTO ? o->estimator
        : possible ? IV_ESTIMATOR_RECTIFIED : IV_ESTIMATOR_CORRECTED;
    if (e->view.estimator != IV_ESTIMATOR_RECTIFIED)
        return IV_OK;
    if (!possible)
        return iv_fail(err, IV_EARG, "rectified estimates need to know which documents could "
                       "be drawn, and %s does not tell", name);
    int rc = o->machine != NULL ? iv_machine_source(&machine, &own, e->task.judgments, o->machine,
                                                    o->scored, err) : IV_OK;
    if (rc == IV_OK)
        rc = iv_rectified_new(&e->rectified, e->sampling, o->machine != NULL ? &machine : NULL, err);
    iv_arena_free(&own);
    e->task.rectified = e->rectified;
    return rc;
}

/*
 * Where nothing was left to chance the judgments are complete ones, and what cannot
 * be estimated can be computed.
 */
static int prepare_sampled(iv_evaluation *e, const char *name, const iv_evaluating *o,
                           const iv_work *work, iv_err *err)
{
    IV_TRY(iv_sampling_new(&e->sampling, e->task.judgments, name, o->unjudged, err));
    int rc = parse_sampled(e, o, err);
    if ((rc == IV_EARG || (rc == IV_OK && as_trec_eval(e, o))) && all_certain(e)) {
        iv_sampled_measures_free(e->estimated);
        iv_sampling_free(e->sampling);
        e->estimated = NULL;
        e->task.estimated = NULL;
        e->sampling = NULL;
        e->view.certain = true;
        return parse_complete(e, o, work, err);
    }
    e->task.sampling = e->view.sampling = e->sampling;
    return rc == IV_OK ? prepare_labels(e, name, o, err) : rc;
}

/* Documents whose grade is still to be filled in. */
static void count_blank(iv_evaluated *view, const iv_judgments *judgments)
{
    for (size_t t = 0; t < iv_judgments_topics(judgments); t++) {
        const iv_judgment *list;
        const size_t n = iv_judgments_of(&list, judgments, t);
        size_t blank = 0;
        for (size_t i = 0; i < n; i++)
            blank += list[i].grade < 0;
        view->blank += blank;
        view->blank_topics += n > 0 && blank == n;
    }
}

/* Qrels are read by groups where a measure asks for these. */
static iv_judgments_format format_for(const iv_source *source, const iv_evaluating *o)
{
    const iv_judgments_format asked = source->judgments_format;
    iv_measures *m = NULL;

    if ((asked != IV_JUDGMENTS_ANY && asked != IV_JUDGMENTS_QRELS)
        || iv_measures_parse(&m, o->measures.at, o->measures.count, &o->measure, NULL) != IV_OK)
        return asked;
    const unsigned reads = iv_measures_read(m);
    iv_measures_free(m);
    return reads & IV_READS_NUGGETS ? IV_JUDGMENTS_NUGGETS
        : reads & IV_READS_JUDGES ? IV_JUDGMENTS_GROUPS : asked;
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
        rc = iv_judgments_load(&e->judgments, source->judgments, format_for(source, o),
                               iv_work_part(&reads, work, 0.0, 0.0), err);
        e->task.judgments = e->judgments;
    }
    if (rc != IV_OK)
        return rc;
    const iv_judgments_format format = iv_judgments_format_of(e->task.judgments);
    e->view.judged_topics = iv_judgments_topics(e->task.judgments);
    e->view.judgments_bytes = iv_judgments_bytes(e->task.judgments);
    e->task.largest = iv_largest_grade(e->task.judgments);
    e->task.precision = iv_precision_of(o->measure.dialect);
    if (format == IV_JUDGMENTS_PRELS || format == IV_JUDGMENTS_STRATIFIED)
        rc = prepare_sampled(e, name, o, work, err);
    else if (o->estimator != IV_ESTIMATOR_AUTO || o->unjudged != IV_UNJUDGED_REFUSE
             || o->infer != IV_INFER_NEW)
        rc = iv_fail(err, IV_EARG, "an estimator, intervals for these topics alone, and what to "
                     "do with documents of the sample that nobody judged, are for sampled "
                     "judgments, and %s is none", name);
    else
        rc = parse_complete(e, o, work, err);
    if (rc == IV_OK && (format == IV_JUDGMENTS_QRELS || format == IV_JUDGMENTS_BEIR
                        || (format == IV_JUDGMENTS_PRELS && o->unjudged == IV_UNJUDGED_REFUSE)))
        count_blank(&e->view, e->task.judgments);
    e->task.how = *o;
    e->task.how.estimator = e->view.estimator;
    e->view.resampling = o->resampling;
    return rc;
}

/* ------------------------------------------------------------ the runs -- */

/*
 * Runs side by side: each asks whether to go on, one at a time, and says no more
 * than what is known to be done of all.
 */
typedef struct crowd {
    iv_progress whole;
    double done;
} crowd;

static int ask_crowd(crowd *c, double done)
{
    int stop;

    #pragma omp critical(iv_evaluate)
    {
        c->done = done > c->done ? done : c->done;
        stop = c->whole.report(c->whole.user, c->done);
    }
    return stop;
}

static int tell_all(void *user, double done)
{
    return ask_crowd(user, done);
}

static int tell_one(void *user, double done)
{
    (void)done;
    return ask_crowd(user, 0.0);
}

typedef struct reading {
    iv_evaluation *e;
    const iv_source *source;
    const iv_work *work; /* of one run */
} reading;

static int do_run(void *user, void *memory, size_t r, iv_err *err)
{
    const reading *x = user;
    iv_evaluation *e = x->e;
    iv_run *run = NULL;
    char quoted[IV_QUOTE_SIZE];
    iv_stage loading, scoring;

    (void)memory;
    if (x->source->ranked != NULL)
        return iv_score_run(&e->scores[r], iv_quote(quoted, iv_run_tag(x->source->ranked[r])),
                            x->source->ranked[r], &e->task, x->work, err);
    int rc = iv_run_load(&run, x->source->runs.at[r], x->source->run_format,
                         iv_work_part(&loading, x->work, 0.0, 0.6), err);
    if (rc == IV_OK)
        rc = iv_score_run(&e->scores[r], x->source->runs.at[r], run, &e->task,
                          iv_work_part(&scoring, x->work, 0.6, 1.0), err);
    iv_run_free(run);
    return rc;
}

static int score_many(reading *x, const iv_work *work, iv_err *err)
{
    crowd c = { work != NULL ? work->progress : (iv_progress){ NULL, NULL }, 0.0 };
    iv_work all = work != NULL ? *work : (iv_work){ 0 }, one = iv_work_quiet(work);

    one.threads = 1;
    if (c.whole.report != NULL) {
        all.progress = (iv_progress){ tell_all, &c };
        one.progress = (iv_progress){ tell_one, &c };
    }
    x->work = &one;
    return iv_parallel(&(iv_loop){ x->e->view.run_count, do_run, x, NULL }, &all, err);
}

static int score_runs(iv_evaluation *e, const iv_source *source, const iv_work *work,
                      iv_err *err)
{
    const size_t count = e->view.run_count;
    reading x = { e, source, NULL };
    int rc = IV_OK;

    if (count >= 2 * (size_t)iv_work_threads(work))
        return score_many(&x, work, err);
    for (size_t r = 0; r < count && rc == IV_OK; r++) {
        iv_stage stage;
        x.work = iv_work_part(&stage, work, (double)r / (double)count,
                              (double)(r + 1) / (double)count);
        rc = do_run(&x, NULL, r, err);
    }
    return rc;
}

static int name_runs(iv_evaluation *e, const iv_source *source, iv_err *err)
{
    const size_t count = e->view.run_count;
    iv_str *tags = iv_take(&e->memory, count + 1, sizeof *tags);

    for (size_t r = 0; r < count && tags != NULL; r++) {
        tags[r] = iv_str_of(e->scores[r]->tag);
        if (source->ranked == NULL)
            e->paths[r] = iv_arena_copy(&e->memory, iv_str_of(source->runs.at[r]));
    }
    IV_TRY(iv_taken(&e->memory, err));
    return iv_name_runs(e->names, tags, (const char *const *)e->paths, count, err);
}

static int describe_run(iv_evaluation *e, size_t r, iv_err *err)
{
    const iv_scores *s = e->scores[r];
    iv_str *missing = iv_take(&e->memory, s->missing_count + 1, sizeof *missing);

    if (missing == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < s->missing_count; i++)
        missing[i] = iv_judgments_topic(e->task.judgments, s->missing[i]);
    e->runs[r] = (iv_evaluated_run){
        .name = e->names[r], .tag = s->tag, .path = e->paths[r], .bytes = s->bytes,
        .topics = s->topics, .missing = missing, .missing_count = s->missing_count,
        .noted = s->noted };
    return IV_OK;
}

/* Topics that some run has. */
static void list_topics(iv_evaluation *e)
{
    const size_t judged = e->view.judged_topics;

    for (size_t t = 0; t < judged; t++)
        e->judged[t] = IV_NONE;
    for (size_t r = 0; r < e->view.run_count; r++)
        for (size_t t = 0; t < e->scores[r]->topics; t++)
            e->judged[e->scores[r]->topic[t].judged] = 0;
    for (size_t t = 0; t < judged; t++)
        if (e->judged[t] != IV_NONE) {
            e->topics[e->view.topic_count] = iv_judgments_topic(e->task.judgments, t);
            e->judged[e->view.topic_count++] = t;
        }
}

static void describe_measures(iv_evaluation *e)
{
    const iv_task *x = &e->task;

    for (size_t i = 0; i < x->width; i++) {
        const iv_sampled_value *s = x->sampling != NULL ? &x->estimated->values[i] : NULL;
        const size_t at = s != NULL ? s->asked : i;
        const iv_value_info *v = at != IV_NONE ? iv_measures_value(x->measures, at) : NULL;
        e->values[i] = (iv_evaluated_measure){
            .name = s != NULL ? s->name : v->name, .info = v, .per_topic = true,
            .overall = true, .count = s != NULL ? s->count : v->measure->kind == IV_INTEGER,
            .inferred = s != NULL && s->inferred };
        if (s != NULL)
            continue;
        e->values[i].text = v->measure->kind == IV_TEXT;
        e->values[i].per_topic = v->measure->per_topic;
        e->values[i].overall = v->measure->overall;
        e->values[i].has_bounds = iv_has_bounds(x->measures, i, x->largest);
        e->values[i].why_no_bounds = iv_why_no_bounds(x->measures, i, x->largest);
        e->values[i].has_ties = iv_has_ties(x->measures, i, x->largest);
    }
}

/* ------------------------------------------------------------- the door -- */

static int make_room(iv_evaluation *e, iv_err *err)
{
    const size_t runs = e->view.run_count, judged = e->view.judged_topics;

    e->scores = iv_take(&e->memory, runs + 1, sizeof(iv_scores *));
    e->runs = iv_take(&e->memory, runs + 1, sizeof *e->runs);
    e->names = iv_take(&e->memory, runs + 1, sizeof(char *));
    e->paths = iv_take(&e->memory, runs + 1, sizeof(char *));
    e->values = iv_take(&e->memory, e->task.width + 1, sizeof *e->values);
    e->means = iv_take(&e->memory, runs * e->task.width + 1, sizeof *e->means);
    e->topics = iv_take(&e->memory, judged + 1, sizeof *e->topics);
    e->judged = iv_take(&e->memory, judged + 1, sizeof *e->judged);
    return iv_taken(&e->memory, err);
}

static int evaluate(iv_evaluation *e, const iv_source *source, const iv_work *work,
                    iv_err *err)
{
    iv_stage scoring, averaging;
    int rc = make_room(e, err);

    if (rc == IV_OK)
        rc = score_runs(e, source, iv_work_part(&scoring, work, 0.0, 0.8), err);
    if (rc == IV_OK)
        rc = name_runs(e, source, err);
    for (size_t r = 0; r < e->view.run_count && rc == IV_OK; r++)
        rc = describe_run(e, r, err);
    if (rc == IV_OK)
        rc = iv_means(e->means, (const iv_scores *const *)e->scores, e->view.run_count,
                      &e->task, iv_work_part(&averaging, work, 0.8, 1.0), err);
    if (rc != IV_OK)
        return rc;
    list_topics(e);
    describe_measures(e);
    e->view.runs = e->runs;
    e->view.measures = e->values;
    e->view.measure_count = e->task.width;
    e->view.means = e->means;
    e->view.topics = e->topics;
    return IV_OK;
}

int iv_evaluate(iv_evaluation **out, const iv_source *source, const iv_evaluating *options,
                const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(source, "a source of runs and judgments", err));
    IV_TRY(IV_CHECK(source, err, IV_SOURCE_PARTS(iv_source,)));
    IV_TRY(IV_CHECK(options, err, IV_EVALUATING_PARTS(iv_evaluating,)));
    const size_t runs = source->ranked != NULL ? source->ranked_count : source->runs.count;
    const iv_evaluating o = resolve(options);

    if (runs == 0)
        return iv_fail(err, IV_EARG, "there are no runs to evaluate");
    if (o.guaranteed && o.interval != IV_INTERVAL_AUTO)
        return iv_fail(err, IV_EARG, "either a guaranteed interval or the method '%s'",
                       iv_interval_names()[o.interval]);
    iv_evaluation *e = calloc(1, sizeof *e);
    int rc = e == NULL ? iv_no_memory(err) : prepare(e, source, &o, work, err);
    if (rc == IV_OK) {
        e->view.run_count = runs;
        rc = evaluate(e, source, work, err);
    }
    if (rc == IV_OK)
        *out = e;
    else
        iv_evaluation_free(e);
    return rc;
}
