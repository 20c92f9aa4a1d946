/* SPDX-License-Identifier: Apache-2.0 */
/* eval and compare with automatic labels: both sources, human labels alone, automatic ones
 * alone. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "labels/agree.h"
#include "labels/two_phase.h"
#include "labels/two_phase_answer.h"
#include "result/answering.h"
#include "result/message.h"
#include "result/methods.h"
#include "retrieval/evaluation.h"
#include "retrieval/run_notes.h"
#include "scores/comparing.h"
#include "stat/interval_methods.h"
#include "stat/machine/regression_mean.h"
#include "stat/pair_tests.h"
#include "stat/paired/familywise.h"
#include "stat/paired/pair_p.h"

#include <math.h>

enum { ONE_RUN = 1, MANY_RUNS = 2, SEVERAL = 4, MANY_PAIRS = 8, TOPICS = 16, ALONE = 32 };

typedef struct row {
    const char *run, *against, *measure;
    iv_two_phase_mean is;
    double p_adjusted, lower_adjusted, upper_adjusted;
} row;

#define THE_OTHERS                                                                               \
    { "human", IV_AT(row, is.human), .digits = 4, .heading = "human only",                        \
      .about = "human labels alone" },                                                            \
    { "human_lower", IV_AT(row, is.human_lower), .digits = 4, .audience = IV_IF_ANY,               \
      .heading = "lower", .shown = ALONE, /* of many pairs not corrected */                       \
      .about = "lower limit of the interval" }, \
    { "human_upper", IV_AT(row, is.human_upper), .digits = 4, .audience = IV_IF_ANY,               \
      .heading = "upper", .shown = ALONE,                                                         \
      .about = "upper limit of the interval" }, \
    { "automatic", IV_AT(row, is.automatic), .digits = 4, .heading = "automatic only",             \
      .about = "automatic labels alone; they have no interval" },                                 \
    { "bias", IV_AT(row, is.bias), .digits = 4, .heading = "bias of automatic",                    \
      .about = "estimated bias of the automatic labels: automatic - value" },                     \
    { "width", IV_AT(row, is.width), .digits = 3, .audience = IV_FOR_PROGRAMS,                     \
      .about = "width of the interval divided by that of human labels alone" }, \
    { "rho", IV_AT(row, is.rho), .digits = 3, .audience = IV_FOR_PROGRAMS, .needs = TOPICS,        \
      .about = "correlation of human and automatic values over topics" },                         \
    { "reason", IV_AT(row, is.reason), .audience = IV_IF_VERBOSE,                     \
      .about = "why there is no interval" },                                                      \
    { "needed", IV_AT(row, is.needed), .digits = 0, .audience = IV_IF_ANY,                         \
      .heading = "total human labels needed for an interval",                                     \
      .about = "human labels needed in all for an interval" }

const iv_field iv_eval_two_phase_fields[] = {
    { "run", IV_AT(row, run), .shown = MANY_RUNS, .about = "tag of the run, or its file" },
    { "measure", IV_AT(row, measure), .shown = ONE_RUN, .about = "name of the measure" },
    { "topics", IV_AT(row, is.topics), .audience = IV_FOR_PROGRAMS,
      .about = "topics of the mean" },
    { "value", IV_AT(row, is.value), .digits = 4, .about = "estimates from human and automatic "
                                                           "labels" },
    { "se", IV_AT(row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(row, is., 4),
    THE_OTHERS,
    { NULL } };

const iv_field iv_compare_two_phase_fields[] = {
    { "measure", IV_AT(row, measure), .shown = SEVERAL, .about = "name of the measure" },
    { "a", IV_AT(row, run), .about = "a run" },
    { "b", IV_AT(row, against), .about = "another run, or the baseline" },
    { "topics", IV_AT(row, is.topics), .audience = IV_FOR_PROGRAMS,
      .about = "topics that both have" },
    { "difference", IV_AT(row, is.value), .digits = 4,
      .about = "a - b, estimates from human and automatic labels" },
    { "se", IV_AT(row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_PAIR_LIMITS(row, is., , 4),
    { "p", IV_AT(row, is.p), .digits = 4, .about = "p-value of no difference" },
    { "p_adjusted", IV_AT(row, p_adjusted), .digits = 4, .needs = MANY_PAIRS,
      .about = "p-value, corrected for the number of pairs" },
    IV_ADJUSTED_LIMITS(row, , 4),
    THE_OTHERS,
    { NULL } };

/* A run's place among others: by automatic labels, and as significant differences allow. */
typedef struct rank_row {
    const char *run, *measure;
    double automatic;
    size_t rank, rank_lower, rank_upper;
} rank_row;

const iv_field iv_compare_two_phase_rank_fields[] = {
    { "run", IV_AT(rank_row, run), .about = "tag of the run, or its file" },
    { "measure", IV_AT(rank_row, measure), .shown = SEVERAL, .about = "name of the measure" },
    { "automatic", IV_AT(rank_row, automatic), .digits = 4, .heading = "automatic only",
      .about = "automatic labels alone; their bias is often common to all runs" },
    { "rank", IV_AT(rank_row, rank), .about = "rank by automatic labels alone" },
    { "rank_lower", IV_AT(rank_row, rank_lower), .heading = "best rank",
      .about = "best rank possible, given the significant differences of pairs" },
    { "rank_upper", IV_AT(rank_row, rank_upper), .heading = "worst rank",
      .about = "worst rank possible, given the significant differences of pairs" },
    { NULL } };

typedef struct sheet {
    iv_two_phase *a;
    iv_arena *own;
    const iv_evaluated *v;
    row *rows;       /* by measure */
    size_t count, pairs;
    double confidence;
    iv_correction correction; /* of pairs */
    bool cut;                 /* does it find more than simultaneous limits show? */
} sheet;

/* ------------------------------------------------------------- both answers -- */

IV_ENDS(two_phase)

static int open_sheet(sheet *s, iv_result *out, const iv_source *source,
                      const iv_machines *machines, const iv_evaluating *how, const iv_work *work,
                      iv_err *err)
{
    IV_TRY(iv_two_phase_new(&s->a, source, machines, how, work, err));
    IV_TRY(IV_KEEP(out, two_phase, s->a, err));
    s->v = iv_evaluation_view(s->a->runs);
    return IV_OK;
}

/* Where both come from: "300 human and 10,828 automatic labels". */
static void say_sources(char *out, size_t size, const iv_two_phase *v)
{
    if (v->how.design == IV_HUMAN_TOPICS)
        (void)snprintf(out, size, "%s topics with human labels, %s with automatic ones",
                       IV_COUNT(v->population.judged), IV_COUNT(v->population.topic_count));
    else
        (void)snprintf(out, size, "%s human and %s automatic labels",
                       IV_COUNT(v->population.labels), IV_COUNT(v->population.labelled));
}

static const iv_message messages[] = {
    { "labels.first-order", IV_WARNING, NULL,
      "For AP, recall and R-precision from sampled documents, the coverage of 95 % intervals was "
      "84 % to 97 % in tests. It is 93 % to 96 % for whole topics (--human-design topics)." },
    { "labels.unlabelled", IV_WARNING, NULL,
      "{n} document[|s] ({a%}) in the top 10 of the runs [has|have] no automatic label and "
      "count[s|] as not relevant." },
    { "labels.wide", IV_WARNING, NULL,
      "{n} interval[ covers|s cover] more than half of the possible values, as of {s}: {a} human "
      "labels are too few for [it|them] (intervale plan machine)." },
    { "labels.constant", IV_WARNING, NULL,
      "{s} gives all documents the same label, which carries no information." },
    { "labels.human-only", IV_WARNING, NULL,
      "{n} human label[ is|s are] of [a document|documents] without an automatic label; such "
      "labels {s}." },
    { "labels.no-human", IV_WARNING, NULL,
      "{n} topic[|s] without human labels [is|are] excluded." },
    { "labels.several", IV_NOTE, NULL,
      "The automatic labels are those of {s}, given first. For the others, only agreement is "
      "shown." },
    { "labels.agreement", IV_NOTE, NULL,
      "Agreement of '{s}' with {n} human label[|s]: kappa {a}{t}. --table judges and --table "
      "confusion show more." },
    { NULL } };

static void tell_labels(iv_result *out, const sheet *s, const iv_judge_summary *judges)
{
    const iv_two_phase *v = s->a;
    const iv_evaluated *x = iv_evaluation_view(v->automatic);
    const iv_judge *by = &judges[0].judge;
    const iv_interval *kappa = &by->kappa.is;
    const char *judge = judges[0].name;
    size_t top = 0, none = 0, first_order = 0;
    iv_found wide = { .value = { (double)v->population.labels } };
    char span[IV_SPAN_SIZE];

    for (size_t r = 0; r < x->run_count; r++) {
        top += x->runs[r].noted.top_retrieved;
        none += x->runs[r].noted.top_unjudged;
    }
    /* doc/methods/machine.md: measures that see all relevant documents, to first order. */
    for (size_t i = 0; i < s->count; i++) {
        const row *r = &s->rows[i];
        first_order += r->is.first_order && isfinite(r->is.lower);
        if (r->against == NULL && r->is.lower >= 0.0 && r->is.upper - r->is.lower > 0.5
            && r->is.upper <= 1.0 && wide.count++ == 0)
            wide.text[0] = r->measure;
    }
    iv_result_say(out, messages, "labels.wide", wide);
    IV_TELL(out, messages, "labels.first-order", first_order);
    IV_TELL(out, messages, "labels.unlabelled", none, { (double)none / (double)top });
    IV_TELL(out, messages, "labels.constant", by->constant, .text = { judge });
    IV_TELL(out, messages, "labels.human-only", v->population.outside,
            .text = { v->how.design == IV_HUMAN_TOPICS ? "count in human values only"
                                                   : "are not used" });
    IV_TELL(out, messages, "labels.no-human", v->population.no_human);
    IV_TELL(out, messages, "labels.several", v->how.files.count > 1 ? v->how.files.count : 0,
            .text = { judge });
    IV_TELL(out, messages, "labels.agreement", isfinite(kappa->value) ? by->pairs : 0,
            { kappa->value }, { judge, iv_span(span, s->confidence, kappa->lower,
                                               kappa->upper) });
}

static int tell_sources(iv_result *out, sheet *s, const iv_source *source,
                        const iv_machines *machines, iv_err *err)
{
    const iv_two_phase *v = s->a;
    static const char *const designs[] = {
        [IV_HUMAN_STATED] = "documents sampled as the file says",
        [IV_HUMAN_RANDOM] = "a simple random sample of all labelled documents",
        [IV_HUMAN_BY_TOPIC] = "a simple random sample of each topic's labelled documents",
        [IV_HUMAN_TOPICS] = "whole topics",
    };
    const bool topics = v->how.design == IV_HUMAN_TOPICS;
    iv_judge_summary *summaries = iv_take(s->own, v->how.files.count, sizeof *summaries);
    bool any_interval = false;

    IV_TRY(iv_taken(s->own, err));
    if (topics)
        iv_tell_inputs(out, source, s->v);
    else if (source->judgments != NULL)
        iv_result_input(out, source->judgments, v->human_bytes);
    for (size_t r = 0; r < s->v->run_count && !topics; r++)
        if (s->v->runs[r].path != NULL)
            iv_result_input(out, s->v->runs[r].path, s->v->runs[r].bytes);
    for (size_t i = 0; i < v->how.files.count; i++) {
        summaries[i] = (iv_judge_summary){ iv_judge_name(s->own, machines->files.at[i]),
                                   *v->judges[i], (double)NAN, { { 0 } } };
        iv_result_input(out, machines->files.at[i], v->bytes[i]);
    }
    IV_TRY(iv_taken(s->own, err));
    iv_judge_tables(out, s->own, summaries, v->how.files.count, IV_ASIDE);
    tell_labels(out, s, summaries);
    if (topics)
        iv_tell_unjudged(out, s->v, false, "");
    iv_tell_run_files(out, s->v);
    iv_result_used(out, topics ? "regression-estimator" : "difference-estimator");
    if (!topics)
        iv_result_used(out, "label-model");
    iv_result_used(out, "two-phase");
    for (size_t i = 0; i < s->count; i++)
        any_interval = any_interval || isfinite(s->rows[i].is.lower);
    if (any_interval)
        iv_result_used(out, "t");
    iv_result_assumption(out, "Human labels are of %s. They are correct, and one model with one "
                         "prompt made all automatic labels.", designs[v->how.design]);
    return IV_OK;
}

/* -------------------------------------------------------------------- eval -- */

/* Automatic labels rank: their bias is often common, and the sampling error of corrections not. */
static bool before(const row *a, const row *b)
{
    return isnan(b->is.automatic) ? !isnan(a->is.automatic) : a->is.automatic > b->is.automatic;
}

static int fill_means(sheet *s, iv_err *err)
{
    s->rows = iv_take(s->own, s->v->run_count * s->v->measure_count + 1, sizeof *s->rows);
    IV_TRY(iv_taken(s->own, err));
    for (size_t m = 0; m < s->v->measure_count; m++) {
        row *first = s->rows + s->count;
        for (size_t r = 0; r < s->v->run_count; r++) {
            row x = { .run = s->v->runs[r].name, .measure = s->v->measures[m].name };
            IV_TRY(iv_two_phase_mean_of(&x.is, s->a, m, r, IV_NONE, err));
            if (isnan(x.is.value) && isnan(x.is.automatic))
                continue;
            row *at = s->rows + s->count++;
            for (; at > first && before(&x, at - 1); at--)
                *at = at[-1];
            *at = x;
        }
    }
    return s->count > 0 ? IV_OK : iv_fail(err, IV_EARG,
                                          "no measure has a mean over topics, expected "
                                          "one that has");
}

static void say_mean(iv_result *out, const sheet *s)
{
    const row *best = &s->rows[0];
    const iv_two_phase_mean *m = &best->is;
    char from[96];
    iv_wording w = { .len = 0 };

    say_sources(from, sizeof from, s->a);
    if (!isfinite(m->value) && !isfinite(m->lower))
        iv_say(&w, "%s has no estimate from human and automatic labels: %s.", best->measure,
               m->reason);
    else if (s->v->run_count > 1)
        iv_say(&w, "Highest %.60s of %zu runs by automatic labels: %.200s. With human labels it is "
               "%.3f", best->measure, s->v->run_count, best->run, m->value);
    else
        iv_say(&w, "%.200s: %.60s %.3f", best->run, best->measure, m->value);
    if (isfinite(m->lower))
        iv_say(&w, " (%.10g %% interval %.3f to %.3f) from %s. Automatic labels alone: %.3f.",
               100.0 * s->confidence, m->lower, m->upper, from, m->automatic);
    else if (isfinite(m->value))
        iv_say(&w, ". No interval of %s: %s.", best->measure, m->reason);
    if (!isfinite(m->lower) && m->needed > 0)
        iv_say(&w, " About %s human labels are needed; %s were given.", IV_COUNT(m->needed),
               IV_COUNT(s->a->population.labels));
    else if (!isfinite(m->lower) && s->count > 1 && s->rows[1].is.needed > 0)
        iv_result_note(out, "Other measures need more labels: see the last column.");
    if (s->v->run_count > 1 && isfinite(m->value))
        iv_say(&w, " intervale compare ranks runs.");
    iv_result_answer(out, "%s", w.at);
}

int iv_eval_two_phase(iv_result *out, const iv_eval_question *q, const iv_work *work, iv_err *err)
{
    sheet s = { .own = iv_result_own(out),
                .confidence = iv_resampling_of(&q->how.resampling).confidence };

    IV_TRY(open_sheet(&s, out, &q->source, &q->machine, &q->how, work, err));
    IV_TRY(fill_means(&s, err));
    say_mean(out, &s);
    const bool many = s.v->run_count > 1;
    IV_TABLE(out, "measures", iv_eval_two_phase_fields, s.rows, s.count,
             .with = ALONE | (many ? MANY_RUNS : ONE_RUN)
                 | (s.a->how.design == IV_HUMAN_TOPICS ? TOPICS : 0),
             .drawn = { "value", "lower", "upper" }, .split = many ? "measure" : NULL);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures",
        .title = "Human and automatic labels together",
        .caption = "A point is the mean over topics. The line is its interval.",
        .label = many ? "run" : "measure", .page = many ? "measure" : NULL, .value = "value",
        .lower = "lower", .upper = "upper", .value_axis = { .title = "mean over topics" } });
    return tell_sources(out, &s, &q->source, &q->machine, err);
}

/* ----------------------------------------------------------------- compare -- */

static int put_pair(sheet *s, size_t measure, size_t a, size_t b, iv_err *err)
{
    row *x = &s->rows[s->count++];

    *x = (row){ .run = s->v->runs[a].name, .against = s->v->runs[b].name,
                .measure = s->v->measures[measure].name, .p_adjusted = (double)NAN };
    return iv_two_phase_mean_of(&x->is, s->a, measure, a, b, err);
}

/* p and limits of the last pairs, together: as those of scores. */
static int correct_pairs(sheet *s, iv_correction correction, iv_err *err)
{
    const double alpha = 1.0 - s->confidence;
    row *rows = s->rows + s->count - s->pairs;
    double *p = iv_take(s->own, s->pairs + 1, sizeof *p), found = 0.0, error = alpha;

    IV_TRY(iv_taken(s->own, err));
    s->correction = s->pairs == 1 ? IV_CORRECT_NONE
        : correction == IV_CORRECT_AUTO ? IV_CORRECT_HOLM : correction;
    for (size_t k = 0; k < s->pairs; k++)
        p[k] = rows[k].is.p;
    IV_TRY(iv_adjust(p, p, s->pairs, s->correction, err));
    for (size_t k = 0; k < s->pairs; k++)
        found += iv_significant(p[k], alpha);
    if (s->correction != IV_CORRECT_NONE)
        error *= (s->correction == IV_CORRECT_BH ? fmax(1.0, found) : 1.0) / (double)s->pairs;
    for (size_t k = 0; k < s->pairs; k++) {
        row *x = &rows[k];
        x->p_adjusted = p[k];
        iv_student_limits(&x->lower_adjusted, &x->upper_adjusted, x->is.value, x->is.se, x->is.df,
                          false, 1.0 - error);
        s->cut = iv_settle_limits(&x->lower_adjusted, &x->upper_adjusted,
                                  iv_significant(p[k], alpha), x->is.value > 0.0 ? 1 : -1)
            == IV_LIMIT_CUT || s->cut;
    }
    return IV_OK;
}

/* The pairs of one measure: all, or each run with the baselines; and their p together. */
static int fill_measure(sheet *s, const iv_compare_question *q, size_t measure, iv_err *err)
{
    const size_t runs = s->v->run_count, base = q->baselines.count, from = s->count;

    for (size_t k = 0; k < base; k++) {
        const size_t b = iv_evaluation_find(s->a->runs, q->baselines.at[k]);
        if (b == IV_NONE)
            return iv_fail(err, IV_EARG, "the baseline '%.80s' is not among the runs",
                           q->baselines.at[k]);
        for (size_t r = 0; r < runs; r++)
            if (r != b)
                IV_TRY(put_pair(s, measure, r, b, err));
    }
    for (size_t a = 0; base == 0 && a < runs; a++)
        for (size_t b = a + 1; b < runs; b++)
            IV_TRY(put_pair(s, measure, a, b, err));
    s->pairs = s->count - from;
    return correct_pairs(s, q->how.correction, err);
}

static void say_pairs(iv_result *out, const sheet *s)
{
    const row *r = &s->rows[0];
    const double alpha = 1.0 - s->confidence;
    const bool higher = r->is.value > 0.0;
    char from[96];
    size_t found = 0, tested = 0;

    say_sources(from, sizeof from, s->a);
    for (size_t k = 0; k < s->pairs; k++) {
        found += iv_significant(s->rows[k].p_adjusted, alpha);
        tested += isfinite(s->rows[k].is.p) ? 1 : 0;
    }
    if (tested == 0)
        iv_result_answer(out, "%s was not tested with %s: %s%s.", r->measure, from,
                         r->is.reason, r->is.needed > 0 ? "; see column 'needed'" : "");
    else if (s->pairs > 1)
        iv_result_answer(out, "%zu of %zu pairs differ significantly in %s, from %s.", found,
                         s->pairs, r->measure, from);
    else if (iv_significant(r->is.p, alpha))
        iv_result_answer(out, "%s is significantly better than %s by %.3f %s (%.10g %% interval "
                         "%.3f to %.3f, p = %.2g), from %s.", higher ? r->run : r->against,
                         higher ? r->against : r->run, fabs(r->is.value), r->measure,
                         100.0 * s->confidence, higher ? r->is.lower : -r->is.upper,
                         higher ? r->is.upper : -r->is.lower, r->is.p, from);
    else
        iv_result_answer(out, "No significant difference in %s between %s and %s was found: %.3f "
                         "(%.10g %% interval %.3f to %.3f), from %s.", r->measure, r->run,
                         r->against, r->is.value, 100.0 * s->confidence, r->is.lower, r->is.upper,
                         from);
}

/* Runs by automatic labels, with the ranks that significant differences leave. */
static int put_ranks(iv_result *out, const sheet *s, iv_err *err)
{
    const size_t runs = s->v->run_count, measures = s->v->measure_count;
    const double alpha = 1.0 - s->confidence;
    const iv_evaluated *v = iv_evaluation_view(s->a->automatic);
    rank_row *rows = iv_take(s->own, runs * measures + 1, sizeof *rows);
    size_t count = 0;

    IV_TRY(iv_taken(s->own, err));
    for (size_t m = 0; m < measures; m++) {
        const row *pairs = s->rows + m * s->pairs;
        rank_row *first = rows + count;
        for (size_t r = 0; r < runs; r++) {
            const double mean = v->means[r * v->measure_count + m].value;
            rank_row x = { s->v->runs[r].name, s->v->measures[m].name, mean, 1, 1, runs };
            for (size_t k = 0; k < s->pairs; k++) {
                const bool a = pairs[k].run == x.run, b = pairs[k].against == x.run;
                if (!(a || b) || !iv_significant(pairs[k].p_adjusted, alpha))
                    continue;
                const bool better = (pairs[k].is.value > 0.0) == a;
                x.rank_lower += !better;
                x.rank_upper -= better;
            }
            for (size_t other = 0; other < runs; other++)
                x.rank += v->means[other * v->measure_count + m].value > mean;
            rank_row *at = rows + count++;
            for (; at > first && x.rank < at[-1].rank; at--)
                *at = at[-1];
            *at = x;
        }
    }
    IV_TABLE(out, "ranks", iv_compare_two_phase_rank_fields, rows, count,
             .with = measures > 1 ? SEVERAL : 0);
    return IV_OK;
}

int iv_compare_two_phase(iv_result *out, const iv_compare_question *q, const iv_work *work,
                         iv_err *err)
{
    static const char *const usual[] = { "AP" };
    sheet s = { .own = iv_result_own(out),
                .confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence };
    iv_evaluating how = q->scoring;

    how.interval = IV_INTERVAL_NONE;
    how.resampling.confidence = s.confidence;
    if (how.measures.count == 0)
        how.measures = (iv_texts){ usual, 1 };
    IV_TRY(iv_compared_measures(&how.measures, s.own, &how.measure, out, err));
    IV_TRY(open_sheet(&s, out, &q->source, &q->machine, &how, work, err));
    const size_t runs = s.v->run_count, measures = s.v->measure_count;
    if (runs < 2)
        return iv_fail(err, IV_EARG, "%zu run, expected two or more", runs);
    s.rows = iv_take(s.own, measures * runs * (runs + q->baselines.count) + 1, sizeof *s.rows);
    IV_TRY(iv_taken(s.own, err));
    for (size_t m = 0; m < measures; m++)
        IV_TRY(fill_measure(&s, q, m, err));
    say_pairs(out, &s);
    IV_TABLE(out, "pairs", iv_compare_two_phase_fields, s.rows, s.count,
             .with = (measures > 1 ? SEVERAL : 0) | (s.pairs > 1 ? MANY_PAIRS : ALONE)
                 | (s.a->how.design == IV_HUMAN_TOPICS ? TOPICS : 0),
             .showing = s.pairs > IV_PAIRS_READ ? IV_LONG : IV_SHOWN,
             .drawn = { "difference", "lower_shown", "upper_shown" });
    if (runs > 2 && q->baselines.count == 0)
        IV_TRY(put_ranks(out, &s, err));
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "Differences",
        .caption = "A point is the difference of two runs by estimates from human and automatic "
                   "labels. The line is its interval.",
        .label = "a", .against = "b", .page = "measure", .value = "difference",
        .lower = "lower_adjusted", .upper = "upper_adjusted",
        .lines = { { "no difference", 0.0, true } } });
    IV_TRY(tell_sources(out, &s, &q->source, &q->machine, err));
    if (s.correction != IV_CORRECT_NONE)
        iv_result_used_with(out, iv_correction_names()[s.correction], " for %zu pairs", s.pairs);
    if (iv_familywise(s.correction))
        iv_result_used(out, "bonferroni-limits");
    if (s.cut)
        iv_result_used(out, "holm-limits");
    return IV_OK;
}
