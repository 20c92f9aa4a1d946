/* SPDX-License-Identifier: Apache-2.0 */
/* Automatic labels of all documents, human ones of a sample: read, checked, joined. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "labels/difference_estimator.h"
#include "labels/two_phase.h"
#include "measure/measures.h"
#include "num/dist.h"
#include "result/cautions.h"
#include "retrieval/evaluation.h"
#include "sampling/sampled_judgments.h"
#include "stat/machine/regression_mean.h"
#include "trec/judgments.h"
#include "trec/machine_labels.h"
#include "trec/run.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <stdlib.h>

/*
 * Below some numbers there is no interval (src/result/cautions.c).  Of all measures:
 * relevant, and other, documents with a human label for each variable of the model (Peduzzi et al.
 * 1996, Journal of Clinical Epidemiology 49).  Of measures that are not linear in the labels: human
 * labels of a random sample in all and a topic, of one by topic a topic; of those that see deep
 * ranks, also the proportion of relevant ones.
 */

/* Kinds of estimates from documents: with automatic labels, of human labels alone. */
enum { BOTH, ALONE, KINDS };

IV_ENDS(judge)
IV_ENDS(sampling)

IV_FREES(two_phase, memory)

/* --------------------------------------------------------------- reading -- */

static int read_labels(iv_two_phase *a, const iv_judgments *human, const char *name,
                       const iv_work *work, iv_err *err)
{
    const size_t given = a->how.files.count;
    const iv_judge_options how = { .level = a->o.measure.level, .judge_level = a->how.level,
                                   .confidence = a->confidence,
                                   .by_topic = a->how.design == IV_HUMAN_BY_TOPIC };

    a->judges = iv_take(&a->memory, given, sizeof *a->judges);
    a->bytes = iv_take(&a->memory, given, sizeof *a->bytes);
    IV_TRY(iv_taken(&a->memory, err));
    for (size_t i = 0; i < given; i++) {
        const char *path = a->how.files.at[i];
        iv_judgments *labels = NULL;
        bool scored;
        IV_TRY(iv_machine_labels_load(&labels, &scored, path, (int)a->how.format, work, err));
        IV_TRY(iv_keep(&a->memory, labels, iv_end_judgments, err));
        a->bytes[i] = iv_judgments_bytes(labels);
        if (i == 0) {
            a->labels = labels;
            a->scored = scored;
        }
        IV_TRY(iv_judge_new(&a->judges[i], human, name, labels, scored, path, &how, err));
        IV_TRY(iv_keep(&a->memory, a->judges[i], iv_end_judge, err));
    }
    return IV_OK;
}

/* The same runs by automatic labels; names: of measures. */
static int score_automatic(iv_evaluation **out, iv_two_phase *a, const iv_source *source,
                           iv_texts names, const iv_work *work, iv_err *err)
{
    const iv_judge *judge = a->judges[0];
    iv_source by = *source;
    iv_evaluating how = a->o;
    size_t retrieved = 0, unlabelled = 0;

    by.judged = a->judges[0]->grades;
    by.judgments = NULL;
    by.judgments_format = IV_JUDGMENTS_ANY;
    how.measures = names;
    how.measure.level = judge->judge_level == 0 ? IV_ZERO : judge->judge_level;
    how.interval = IV_INTERVAL_NONE;
    how.guaranteed = how.differences = false;
    how.estimator = IV_ESTIMATOR_AUTO;
    how.unjudged = IV_UNJUDGED_REFUSE;
    IV_TRY(iv_evaluate(out, &by, &how, work, err));
    IV_TRY(iv_keep(&a->memory, *out, iv_end_evaluation, err));
    const iv_evaluated *x = iv_evaluation_view(*out);
    for (size_t r = 0; r < x->run_count; r++) {
        retrieved += x->runs[r].noted.retrieved;
        unlabelled += x->runs[r].noted.unjudged;
    }
    if (retrieved > 0 && retrieved == unlabelled)
        return iv_fail_at(err, IV_ENODATA, a->how.files.at[0], 0, "no label for any document that "
                          "the runs return, expected labels of these documents");
    return IV_OK;
}

/* ----------------------------------------------------------- whole topics -- */

/* out[(r x measures + m) x to + t] = the value at the topic that at[t] names. */
static void take_grid(double *out, size_t to, const iv_evaluation *e, const size_t *at)
{
    const iv_evaluated *v = iv_evaluation_view(e);

    for (size_t r = 0; r < v->run_count; r++)
        for (size_t m = 0; m < v->measure_count; m++)
            for (size_t t = 0; t < to; t++)
                *out++ = iv_evaluation_value(e, r, m, at[t]).value;
}

static int join_topics(iv_two_phase *a, iv_err *err)
{
    const iv_evaluated *human = iv_evaluation_view(a->runs);
    const iv_evaluated *by = iv_evaluation_view(a->automatic);
    const size_t cells = a->measures * a->run_count;
    size_t *at = iv_take(&a->memory, by->topic_count + 1, sizeof *at), n = 0;
    size_t *with = iv_take(&a->memory, by->topic_count + 1, sizeof *with);

    IV_TRY(iv_taken(&a->memory, err));
    for (int judged = 1; judged >= 0; judged--) {
        for (size_t t = 0; t < by->topic_count; t++) {
            const iv_str *found = bsearch(&by->topics[t], human->topics, human->topic_count,
                                          sizeof *found, iv_ascending_texts);
            if ((found != NULL) != (judged == 1))
                continue;
            with[n] = found != NULL ? (size_t)(found - human->topics) : IV_NONE;
            at[n++] = t;
        }
        if (judged == 1)
            a->population.judged = n;
    }
    a->population.topic_count = n;
    if (a->population.judged < IV_TWO_PHASE_LEAST)
        return iv_fail(err, IV_ENODATA, "%zu topic%s with human and automatic labels, expected %d "
                       "or more", a->population.judged, a->population.judged == 1 ? "" : "s",
                       IV_TWO_PHASE_LEAST);
    a->by_human = iv_take(&a->memory, cells * a->population.judged + 1, sizeof *a->by_human);
    a->by_machine = iv_take(&a->memory, cells * n + 1, sizeof *a->by_machine);
    IV_TRY(iv_taken(&a->memory, err));
    take_grid(a->by_human, a->population.judged, a->runs, with);
    take_grid(a->by_machine, n, a->automatic, at);
    return IV_OK;
}

static int build_topics(iv_two_phase *a, const iv_source *source, const iv_source *people,
                        const iv_work *work, iv_err *err)
{
    iv_evaluation *human = NULL, *by = NULL;
    iv_stage stage;

    IV_TRY(iv_evaluate(&human, people, &a->o, iv_work_part(&stage, work, 0.0, 0.6), err));
    IV_TRY(iv_keep(&a->memory, human, iv_end_evaluation, err));
    const iv_evaluated *v = iv_evaluation_view(human);
    const char **names = iv_take(&a->memory, v->measure_count + 1, sizeof *names);
    IV_TRY(iv_taken(&a->memory, err));
    for (size_t m = 0; m < v->measure_count; m++)
        names[m] = v->measures[m].name;
    IV_TRY(score_automatic(&by, a, source, (iv_texts){ names, v->measure_count },
                           iv_work_part(&stage, work, 0.6, 1.0), err));
    a->runs = human;
    a->automatic = by;
    a->run_count = v->run_count;
    a->measures = v->measure_count;
    return join_topics(a, err);
}

/* The design in use; a part of the documents without a stated one is refused. */
static int settle_design(iv_two_phase *a, const iv_judgments *human, iv_err *err)
{
    const iv_judgments_format format = iv_judgments_format_of(human);
    const iv_label_population c = iv_label_coverage_of(human, a->labels);
    const bool sampled = format == IV_JUDGMENTS_PRELS || format == IV_JUDGMENTS_STRATIFIED;

    a->population = c;
    if (c.labels == 0)
        return iv_fail(err, IV_ENODATA, "no document has both a human and an automatic label");
    if (sampled && a->how.design != IV_HUMAN_STATED)
        return iv_fail(err, IV_EARG, "the file of human labels says how they were sampled, "
                       "expected no --human-design");
    if (sampled)
        return IV_OK;
    if (a->o.unjudged != IV_UNJUDGED_REFUSE)
        return iv_fail(err, IV_EARG, "--unjudged is for human labels in a file of 'intervale "
                       "sample'");
    if (a->how.design == IV_HUMAN_STATED && c.labels < c.labelled)
        return iv_fail(err, IV_EARG, "people labelled %s of the %s documents with automatic "
                       "labels: expected --human-design random (a sample of these documents), "
                       "by-topic (a sample of each topic's) or topics (whole topics)",
                       IV_COUNT(c.labels), IV_COUNT(c.labelled));
    if (a->how.design == IV_HUMAN_TOPICS && c.below_half > 0)
        return iv_fail(err, IV_ENODATA, "in %zu of %zu topics human labels cover less than half of "
                       "the labelled documents: they were not judged as a whole, expected "
                       "--human-design random or by-topic", c.below_half, c.topic_count);
    if (a->how.design == IV_HUMAN_STATED || c.labels == c.labelled)
        a->how.design = IV_HUMAN_TOPICS;
    return IV_OK;
}

/* --------------------------------------------------- samples of documents -- */

/* The documents of the population in one topic of a run, by rank. */
static int rank_topic(iv_label_ranking *out, iv_arena *own, const iv_two_phase *a, iv_join *join,
                      const iv_run *run, size_t t, iv_err *err)
{
    const iv_population_topic *q = &a->population.topics[t];
    const size_t labelled = a->population.labelled_topic[t];
    const size_t at = iv_run_find_topic(run, iv_judgments_topic(a->labels, labelled));
    iv_joined joined;

    *out = (iv_label_ranking){ 0 };
    if (at == IV_NONE && !a->o.complete)
        return IV_OK;
    iv_named *sorted = iv_take(own, q->count + 1, sizeof *sorted);
    uint32_t *document = iv_take(own, q->count + 1, sizeof *document);
    double *rank = iv_take(own, q->count + 1, sizeof *rank);
    IV_TRY(iv_taken(own, err));
    for (size_t d = 0; d < q->count; d++)
        sorted[d] = (iv_named){ q->docno[d], d };
    qsort(sorted, q->count, sizeof *sorted, iv_ascending_texts);
    *out = (iv_label_ranking){ .document = document, .rank = rank };
    if (at == IV_NONE)
        return IV_OK;
    IV_TRY(iv_join_topic(&joined, join, run, at, a->labels, a->population.labelled_topic[t],
                         iv_precision_of(a->o.measure.dialect), err));
    const size_t seen = joined.hit_count < a->depth ? joined.hit_count : a->depth;
    for (size_t r = 0; r < seen; r++) {
        const iv_named *found = bsearch(&joined.hits[r].docno, sorted, q->count, sizeof *sorted,
                                        iv_ascending_texts);
        if (found == NULL)
            continue;
        document[out->count] = (uint32_t)found->at;
        rank[out->count++] = (double)r + 1.0;
    }
    return IV_OK;
}

static int estimate_run(const iv_two_phase *a, iv_arena *own, const iv_run *run, size_t r,
                        iv_err *err)
{
    const size_t T = a->population.topic_count, n = a->population.starts[T], M = a->measures;
    iv_label_ranking *rankings = iv_take(own, T + 1, sizeof *rankings);
    iv_join *join = NULL;

    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_join_new(&join, err));
    int rc = IV_OK;
    for (size_t t = 0; t < T && rc == IV_OK; t++)
        rc = rank_topic(&rankings[t], own, a, join, run, t, err);
    iv_join_free(join);
    for (int k = BOTH; k < KINDS && rc == IV_OK; k++)
        rc = iv_difference_estimate(a->value[k] + r * M * T, a->influence[k] + r * M * T,
                                    a->document[k] + r * M * n,
                                    &(iv_difference_task){ &a->population, rankings, a->kinds, M,
                                                           a->discounts, k == BOTH }, err);
    return rc;
}

static int one_run(void *user, void *memory, size_t r, iv_err *err)
{
    const iv_two_phase *a = user;
    const iv_work one = { .threads = 1 };
    iv_arena own = { 0 };
    iv_run *read = NULL;
    const iv_run *run = a->source->ranked_count > 0 ? a->source->ranked[r] : NULL;
    int rc = IV_OK;

    (void)memory;
    if (run == NULL) {
        rc = iv_run_load(&read, a->source->runs.at[r], a->source->run_format, &one, err);
        run = read;
    }
    if (rc == IV_OK)
        rc = estimate_run(a, &own, run, r, err);
    iv_arena_free(&own);
    iv_run_free(read);
    return rc;
}

static int make_room(iv_two_phase *a, iv_err *err)
{
    const size_t T = a->population.topic_count, rows = a->run_count * a->measures;
    const size_t n = a->population.starts[T];

    for (int k = BOTH; k < KINDS; k++) {
        a->value[k] = iv_take(&a->memory, rows * T + 1, sizeof(double));
        a->influence[k] = iv_take(&a->memory, rows * T + 1, sizeof(double));
        a->document[k] = iv_take(&a->memory, rows * n + 1, sizeof(double));
    }
    return iv_taken(&a->memory, err);
}

/* What the measures are as functions of labels, at the human labels' level. */
static int list_kinds(iv_two_phase *a, const iv_texts *names, iv_err *err)
{
    const iv_label_population *d = &a->population;
    iv_label_measure *kinds = iv_take(&a->memory, a->measures + 1, sizeof *kinds);
    iv_measures *m = NULL;

    IV_TRY(iv_taken(&a->memory, err));
    IV_TRY(iv_measures_parse(&m, names->at, names->count, &a->o.measure, err));
    if (iv_measures_count(m) != a->measures) {
        iv_measures_free(m);
        return iv_fail(err, IV_EARG, "measures of groups or texts are not known beside automatic "
                       "labels");
    }
    for (size_t i = 0; i < a->measures; i++)
        kinds[i] = iv_label_measure_of(m, i, d->level, d->levels, d->largest);
    a->kinds = kinds;
    iv_measures_free(m);
    return IV_OK;
}

static int build_documents(iv_two_phase *a, const iv_source *source, const iv_judgments *human,
                           const char *name, const iv_work *work, iv_err *err)
{
    static const char *const usual[] = { "AP", "nDCG@10", "P@10" };
    const iv_texts names = a->o.measures.count > 0 ? a->o.measures : (iv_texts){ usual, 3 };
    iv_sampling *s = NULL;
    iv_evaluation *by = NULL;
    iv_stage stage;

    if (a->how.design == IV_HUMAN_STATED) {
        IV_TRY(iv_sampling_new(&s, human, name, a->o.unjudged, err));
        IV_TRY(iv_keep(&a->memory, s, iv_end_sampling, err));
    }
    a->population = (iv_label_population){ .outside = a->population.outside };
    IV_TRY(iv_label_population_list(&a->population, &a->memory, human, a->labels, a->scored,
                                    a->how.design, s, err));
    IV_TRY(score_automatic(&by, a, source, names, iv_work_part(&stage, work, 0.0, 0.3), err));
    const iv_evaluated *v = iv_evaluation_view(by);
    a->runs = a->automatic = by;
    a->run_count = v->run_count;
    a->measures = v->measure_count;
    IV_TRY(list_kinds(a, &names, err));
    IV_TRY(make_room(a, err));
    const size_t depth = iv_measure_options_of(&a->o.measure).depth;
    const size_t deepest = a->population.most > 100000 ? a->population.most : 100000;
    a->discounts = iv_label_discounts(&a->memory, deepest + 2);
    IV_TRY(iv_taken(&a->memory, err));
    a->depth = depth == 0 || depth > deepest ? deepest : depth;
    a->source = source;
    return iv_parallel(&(iv_loop){ a->run_count, one_run, a, NULL },
                       iv_work_part(&stage, work, 0.3, 1.0), err);
}

/* ------------------------------------------------------------------- means -- */

static iv_two_phase_mean nothing(const char *reason)
{
    const double nan = (double)NAN;

    return (iv_two_phase_mean){ .value = nan, .se = nan, .df = nan, .lower = nan, .upper = nan,
        .p = nan, .human = nan, .human_se = nan, .human_lower = nan, .human_upper = nan,
        .automatic = nan, .bias = nan, .width = nan, .rho = nan, .needed = nan, .reason = reason };
}

/* Both estimates with their errors become limits and p. */
static void finish(iv_two_phase_mean *m, const iv_two_phase *a, double df, double human_df,
                   bool bounded, bool difference)
{
    m->df = df;
    iv_student_limits(&m->lower, &m->upper, m->value, m->se, df, bounded, a->confidence);
    iv_student_limits(&m->human_lower, &m->human_upper, m->human, m->human_se, human_df, bounded,
                      a->confidence);
    if (difference)
        m->p = m->se > 0.0 ? 2.0 * iv_t_sf(fabs(m->value) / m->se, df)
            : m->value == 0.0 ? 1.0 : 0.0;
    m->bias = m->automatic - m->value;
    m->width = (m->upper - m->lower) / (m->human_upper - m->human_lower);
}

static double at_or_less(const double *x, size_t row, size_t less, size_t n, size_t t)
{
    return x[row * n + t] - (less != IV_NONE ? x[less * n + t] : 0.0);
}

static int mean_of_topics(iv_two_phase_mean *out, const iv_two_phase *a, size_t row, size_t less,
                          bool bounded, iv_err *err)
{
    const size_t n = a->population.judged, T = a->population.topic_count;
    double *room = malloc((n + T + 1) * sizeof *room);
    size_t judged = 0, units = 0;
    iv_regression_mean m;
    double sum = 0.0;

    if (room == NULL)
        return iv_no_memory(err);
    double *x = room, *z = room + n;
    for (size_t t = 0; t < T; t++) {
        const bool seen = t < n;
        const double by = at_or_less(a->by_machine, row, less, T, t);
        const double human = seen ? at_or_less(a->by_human, row, less, n, t) : 0.0;
        if (isnan(by) || isnan(human))
            continue;
        if (seen)
            x[judged++] = human;
        z[units++] = by;
        sum += by;
    }
    *out = nothing("fewer than four topics have human and automatic values");
    if (iv_regression_mean_of(&m, x, judged, z, units, a->how.infer == IV_INFER_THESE, NULL)
        == IV_OK) {
        *out = nothing(NULL);
        out->topics = units;
        out->value = m.value;
        out->se = m.se;
        out->human = m.human;
        out->human_se = m.human_se;
        out->rho = m.rho;
        out->automatic = sum / (double)units;
        finish(out, a, m.df, m.human_df, bounded, less != IV_NONE);
    }
    free(room);
    return IV_OK;
}

/* The variance of the sum of the documents' influences, by the design. */
static double design_variance(const iv_two_phase *a, int kind, size_t row, size_t less)
{
    const size_t T = a->population.topic_count, n = a->population.starts[T];
    double variance = 0.0;

    for (size_t t = 0, end; t < T; t = end) {
        end = a->how.design == IV_HUMAN_RANDOM ? T : t + 1;
        const double k = (double)(a->population.starts[end] - a->population.starts[t]);
        double sum = 0.0, squares = 0.0, own = 0.0, pi = 1.0;
        for (size_t s = t; s < end; s++)
            for (size_t i = a->population.starts[s]; i < a->population.starts[s + 1]; i++) {
                const iv_population_topic *q = &a->population.topics[s];
                const double x = at_or_less(a->document[kind], row, less, n, i);
                pi = q->pi[q->sample[i - a->population.starts[s]]];
                sum += x;
                squares += x * x;
                own += (1.0 - pi) * x * x;
            }
        if (a->how.design == IV_HUMAN_STATED)
            variance += own;
        else if (k > 1.0)
            variance += (1.0 - pi) * k / (k - 1.0) * fmax(0.0, squares - sum * sum / k);
    }
    return variance;
}

/* A mean over the topics of both rows.  Its variance is that of the document design and, for new
 * topics, what the jackknife over topics finds beyond it, which is not below 0. */
static iv_interval mean_of_grid(size_t *topics, double *documents, double *beyond,
                                const iv_two_phase *a, int kind, size_t row, size_t less)
{
    double sum = 0.0, squares = 0.0;
    size_t n = 0;

    for (size_t t = 0; t < a->population.topic_count; t++) {
        const double x = at_or_less(a->value[kind], row, less, a->population.topic_count, t);
        const double by = at_or_less(a->influence[kind], row, less, a->population.topic_count, t);
        if (isnan(x))
            continue;
        sum += x;
        squares += by * by;
        n++;
    }
    const double T = (double)n;
    iv_interval m = { .value = n > 0 ? sum / T : (double)NAN, .df = T - 1.0 };
    *topics = n;
    *documents = design_variance(a, kind, row, less);
    *beyond = n > 1 ? fmax(0.0, squares / (T * (T - 1.0)) - *documents) : (double)NAN;
    if (a->how.infer == IV_INFER_THESE) {
        *beyond = 0.0;
        m.df = fmax(1.0, (double)a->population.labels
                    - (a->how.design == IV_HUMAN_RANDOM ? 1.0 : (double)a->population.topic_count));
    }
    m.se = sqrt(*documents + *beyond);
    return m;
}

static double automatic_mean(const iv_two_phase *a, size_t run, size_t measure)
{
    const iv_evaluated *v = iv_evaluation_view(a->automatic);

    return v->means[run * v->measure_count + measure].value;
}

/* Human labels that are relevant to the measure. */
static double relevant_labels(const iv_two_phase *a, const iv_label_measure *kind)
{
    const iv_label_population *p = &a->population;
    double events = 0.0;

    for (size_t t = 0; t < p->topic_count && kind->levels > 0; t++)
        for (size_t i = 0; i < p->topics[t].sampled; i++)
            events += p->topics[t].grade[p->topics[t].sample[i]] >= p->level[kind->level];
    return events;
}

/* Human labels at which the rarer of relevant and other documents would be frequent enough to fit
 * the model: rank, not retrieved, and the automatic labels but one are its variables. */
static double labels_for_model(const iv_two_phase *a, const iv_label_measure *kind)
{
    const double n = (double)a->population.labels, events = relevant_labels(a, kind);
    const double least = iv_caution_at(IV_FEW_LABELS_A_VARIABLE)
        * (2.0 + fmax(0.0, (double)a->population.groups - 2.0));

    return ceil(n * least / fmax(1.0, fmin(events, n - events)));
}

/* Human labels that the measure needs for an interval. */
static double labels_needed(const iv_two_phase *a, const iv_label_measure *kind)
{
    const double T = (double)a->population.topic_count;
    double needed = labels_for_model(a, kind);

    if (!iv_label_measure_linear(kind))
        needed = fmax(needed, a->how.design == IV_HUMAN_RANDOM
                      ? fmax(iv_caution_at(IV_FEW_RANDOM_A_TOPIC) * T,
                             iv_caution_at(IV_FEW_RANDOM_LABELS))
                      : iv_caution_at(IV_FEW_LABELS_A_TOPIC) * T);
    return fmin(needed, (double)a->population.labelled);
}

static void drop_interval(iv_two_phase_mean *m, const char *reason)
{
    m->lower = m->upper = m->se = m->p = m->width = (double)NAN;
    m->human_lower = m->human_upper = m->human_se = (double)NAN;
    m->reason = reason;
}

static void mean_of_documents(iv_two_phase_mean *out, const iv_two_phase *a, size_t measure,
                              size_t row, size_t less, bool bounded)
{
    const iv_label_measure *kind = &a->kinds[measure];
    const bool all = a->population.labels == a->population.labelled;

    *out = nothing(NULL);
    out->automatic = automatic_mean(a, row / a->measures, measure)
        - (less != IV_NONE ? automatic_mean(a, less / a->measures, measure) : 0.0);
    if (kind->kind == IV_LABEL_OTHER) {
        out->reason = "known for P, AP, recall, Rprec, nDCG, DCG and RBP only";
        return;
    }
    double documents, beyond;
    const iv_interval human = mean_of_grid(&out->topics, &documents, &beyond, a, ALONE, row, less);
    const iv_interval both = mean_of_grid(&out->topics, &documents, &beyond, a, BOTH, row, less);
    out->value = both.value;
    out->se = both.se;
    out->human = human.value;
    out->human_se = human.se;
    finish(out, a, both.df, human.df, bounded, less != IV_NONE);
    if (bounded && !(out->human >= 0.0 && out->human <= 1.0)) /* an inverse probability's */
        out->human = out->human_se = out->human_lower = out->human_upper = out->width = (double)NAN;
    const double needed = labels_needed(a, kind);
    const bool few = (double)a->population.labels < needed;
    out->first_order = !all && !iv_label_measure_linear(kind) && kind->kind != IV_LABEL_NDCG;
    out->needed = few ? needed : (double)NAN;
    if (kind->levels == 0) {
        drop_interval(out, "no sampled document is relevant");
    } else if (out->first_order
               && relevant_labels(a, kind) < iv_caution_at(IV_FEW_RELEVANT_LABELS)
                   * (double)a->population.labels) {
        drop_interval(out, "less than a tenth of the human labels are relevant. For this "
                      "measure, people must then label whole topics (--human-design topics)");
        out->needed = (double)NAN; /* more labels of single documents do not help */
    } else if (few) {
        drop_interval(out, needed > labels_for_model(a, kind)
                      ? "too few human labels for this measure"
                      : "too few relevant documents among the human labels");
    } else if (a->how.infer == IV_INFER_THESE && !all && !iv_label_measure_linear(kind)) {
        drop_interval(out, "for a fixed set of topics, only P, DCG and RBP have an interval");
    }
}

int iv_two_phase_mean_of(iv_two_phase_mean *out, const iv_two_phase *a, size_t measure, size_t run,
                         size_t less, iv_err *err)
{
    const iv_evaluated_measure *is = &iv_evaluation_view(a->runs)->measures[measure];
    const iv_summary summary = is->info != NULL ? is->info->measure->summary : IV_SUMMARY_MEAN;
    const size_t row = run * a->measures + measure;
    const size_t minus = less == IV_NONE ? IV_NONE : less * a->measures + measure;
    const bool bounded = less == IV_NONE && is->info != NULL && is->info->lowest == 0.0
        && is->info->highest == 1.0;

    *out = nothing("no mean of the topics' values");
    if (is->text || !is->per_topic || !is->overall || summary != IV_SUMMARY_MEAN)
        return IV_OK;
    if (a->how.design == IV_HUMAN_TOPICS)
        return mean_of_topics(out, a, row, minus, bounded, err);
    mean_of_documents(out, a, measure, row, minus, bounded);
    return IV_OK;
}

/* The variance of a mean over topics by automatic labels alone. */
static double automatic_variance(const iv_two_phase *a, size_t run, size_t measure)
{
    const iv_evaluated *v = iv_evaluation_view(a->automatic);
    double n = 0.0, sum = 0.0, squares = 0.0;

    for (size_t t = 0; t < v->topic_count; t++) {
        const double x = iv_evaluation_value(a->automatic, run, measure, t).value;
        if (isnan(x))
            continue;
        sum += x;
        squares += x * x;
        n += 1.0;
    }
    return n > 1.0 ? fmax(0.0, squares - sum * sum / n) / (n * (n - 1.0)) : 0.0;
}

int iv_two_phase_parts_of(double parts[3], double *least, double *least_each,
                          const iv_two_phase *s, size_t run, size_t measure, iv_err *err)
{
    const size_t row = run * s->measures + measure;

    if (s->how.design == IV_HUMAN_TOPICS || s->kinds[measure].kind == IV_LABEL_OTHER)
        return iv_fail(err, IV_EARG, "the variance has parts of topics and documents for the human "
                       "designs random and by-topic, and for P, AP, recall, Rprec, nDCG, DCG and "
                       "RBP");
    double documents, beyond;
    size_t n;
    (void)mean_of_grid(&n, &documents, &beyond, s, BOTH, row, IV_NONE);
    parts[0] = fmax(beyond, automatic_variance(s, run, measure));
    parts[1] = documents;
    parts[2] = design_variance(s, ALONE, row, IV_NONE);
    *least = labels_needed(s, &s->kinds[measure]);
    *least_each = iv_label_measure_linear(&s->kinds[measure]) ? 1.0
        : iv_caution_at(IV_FEW_LABELS_A_TOPIC);
    return IV_OK;
}

/* --------------------------------------------------------------------- all -- */

static int build(iv_two_phase *a, const iv_source *source, const iv_work *work, iv_err *err)
{
    const char *name = source->judgments != NULL ? source->judgments : "the judgments";
    iv_source people = *source;
    iv_judgments *read = NULL;

    if (people.judged == NULL) {
        if (people.judgments == NULL)
            return iv_fail(err, IV_EARG, "no judgments were given");
        IV_TRY(iv_judgments_load(&read, people.judgments, people.judgments_format, work, err));
        IV_TRY(iv_keep(&a->memory, read, iv_end_judgments, err));
        people.judged = read;
    }
    a->human_bytes = iv_judgments_bytes(people.judged);
    IV_TRY(read_labels(a, people.judged, name, work, err));
    IV_TRY(settle_design(a, people.judged, err));
    if (a->how.design == IV_HUMAN_TOPICS)
        return build_topics(a, source, &people, work, err);
    return build_documents(a, source, people.judged, name, work, err);
}

int iv_two_phase_new(iv_two_phase **out, const iv_source *source, const iv_machines *machines,
                     const iv_evaluating *options, const iv_work *work, iv_err *err)
{
    iv_two_phase *a = calloc(1, sizeof *a);

    if (a == NULL)
        return iv_no_memory(err);
    a->how = *machines;
    a->o = options != NULL ? *options : (iv_evaluating){ 0 };
    a->o.infer = IV_INFER_NEW;
    a->confidence = a->o.resampling.confidence == 0.0 ? 0.95 : a->o.resampling.confidence;
    int rc = machines->files.count == 0 ? iv_fail(err, IV_EARG, "no automatic labels were given")
        : a->o.bounds || a->o.ties || a->o.standards != NULL
        ? iv_fail(err, IV_EARG, "%s are not known beside automatic labels",
                  a->o.bounds ? "bounds" : a->o.ties ? "values over ties" : "standard scores")
        : build(a, source, work, err);
    if (rc == IV_OK)
        *out = a;
    else
        iv_two_phase_free(a);
    return rc;
}
