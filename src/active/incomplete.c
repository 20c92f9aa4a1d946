/* SPDX-License-Identifier: Apache-2.0 */
/* incomplete -- which run is better, as far as the judgments go? */
#include "active/incomplete.h"
#include "active/judging_input.h"
#include "active/judging_messages.h"
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/methods.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/pair_tests.h"
#include "trec/run_source.h"

#include <math.h>
#include <string.h>

/* A pair as the tables have it. */
typedef struct row {
    const char *a, *b;
    iv_incomplete x;
    double sd, lower, upper, p_better;
    int64_t topics_adjusted; /* rounded up, to keep the power */
} row;

const iv_field iv_incomplete_pair_fields[] = {
    { "a", IV_AT(row, a), .about = "a run" },
    { "b", IV_AT(row, b), .about = "another run" },
    { "topics", IV_AT(row, x.topics), .about = "topics that all runs have" },
    { "expected", IV_AT(row, x.difference.mean), .digits = 4,
      .heading = "expected difference",
      .about = "expected difference in the mean of the measure, a - b" },
    { "sd", IV_AT(row, sd), .digits = 4,
      .about = "standard deviation due to unjudged documents" },
    { "lower", IV_AT(row, lower), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "lower limit of the difference" },
    { "upper", IV_AT(row, upper), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "upper limit of the difference" },
    { "p_less", IV_AT(row, x.p_less), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "P(difference < 0)" },
    { "p_better", IV_AT(row, p_better), .digits = 4, .audience = IV_FOR_PEOPLE,
      .heading = "P(a better)", .about = "probability that a is better than b" },
    { "effect_adjusted", IV_AT(row, x.effect_adjusted), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "effect, reduced because signs are uncertain" },
    { "topics_adjusted", IV_AT(row, topics_adjusted), .audience = IV_IF_VERBOSE,
      .about = "topics needed for the power that certain signs would have" },
    { NULL } };

const iv_field iv_incomplete_sign_fields[] = {
    { "a", IV_AT(row, a), .about = "a run" },
    { "b", IV_AT(row, b), .about = "another run" },
    { "wins", IV_AT(row, x.wins), .about = "topics on which a is expected to be better" },
    { "ties", IV_AT(row, x.ties), .about = "topics without an expected difference" },
    { "losses", IV_AT(row, x.losses), .about = "topics on which b is expected to be better" },
    { "effect", IV_AT(row, x.effect), .digits = 4, .heading = "net wins per topic",
      .about = "proportion of topics won minus proportion lost" },
    { "certainty", IV_AT(row, x.certainty), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "confidence in the sign of the difference" },
    { "p", IV_AT(row, x.p), .digits = 4, .heading = "p (sign test)",
      .about = "p-value of the sign test, if the signs were certain" },
    { NULL } };

static int find_baseline(size_t *out, const iv_judging_input *in, const char *name, iv_err *err)
{
    iv_listing there = { 0 };

    for (size_t r = 0; r < in->runs.count; r++) {
        if (strcmp(in->runs.names[r], name) == 0 || iv_run_input_named(&in->runs, r, name)) {
            *out = r;
            return IV_OK;
        }
        iv_list_quoted(&there, iv_str_of(in->runs.names[r]));
    }
    return iv_fail(err, IV_EARG, "the baseline '%.80s' is not among the runs %s", name,
                   iv_listed(&there));
}

/* NULL: average precision. */
static const char *measure_of(const iv_incomplete_question *q)
{
    return q->measure == NULL || strcmp(q->measure, "AP") == 0 || strcmp(q->measure, "map") == 0
        ? NULL : q->measure;
}

/* One pair in a sentence. */
static void answer_pair(iv_result *out, const row *r, const char *measure)
{
    const bool a_first = !(r->x.difference.mean < 0.0);
    const char *first = a_first ? r->a : r->b, *second = a_first ? r->b : r->a;

    /* Known to be 0, but for rounding: the runs are alike, or all is judged. */
    if (fabs(r->x.difference.mean) < 1e-13 && r->x.difference.variance < 1e-28)
        iv_result_answer(out, "%s and %s do not differ in mean %s, and no missing judgment can "
                         "change that.", first, second, measure);
    else if (r->x.certainty < 0.505)
        iv_result_answer(out, "The judgments do not say which of %s and %s has the higher mean %s.",
                         first, second, measure);
    else
        iv_result_answer(out, "Over the topics given, %s has a higher mean %s than %s with "
                         "probability %s%.3f, given the judgments so far (expected difference "
                         "%.4f).",
                         first, measure, second,
                         r->x.certainty > 0.999 ? "above " : "", fmin(r->x.certainty, 0.999),
                         fabs(r->x.difference.mean));
}

static void tell(iv_result *out, const iv_judging_input *in, const row *rows, size_t count,
                 double confidence, const iv_incomplete_question *q)
{
    const bool paper = q->paper;
    size_t sure = 0, stated = 0;

    for (size_t k = 0; k < count; k++) {
        sure += rows[k].x.certainty >= confidence;
        stated += rows[k].x.certainty >= 0.9 && rows[k].x.certainty < IV_CERTAIN;
    }
    if (count == 1)
        answer_pair(out, rows, measure_of(q) == NULL ? "AP" : q->measure);
    else
        iv_result_answer(out, "For %zu of %zu pairs the better run is known with probability "
                         "%.10g or more, given the judgments so far.", sure, count, confidence);
    if (sure > 0)
        iv_judging_input_tell_uneven(out, in);
    IV_SAY(out, "judging.measured", stated); /* doc/methods/incomplete.md */
    iv_judging_input_tell_prior(out, in, paper);
    if (measure_of(q) != NULL)
        iv_result_used(out, "simulated-judgments");
}

static void put_tables(iv_result *out, const row *rows, size_t count, double confidence,
                       const char *measure)
{
    char caption[400];

    IV_TABLE(out, "pairs", iv_incomplete_pair_fields, rows, count);
    IV_TABLE(out, "signs", iv_incomplete_sign_fields, rows, count);
    (void)snprintf(caption, sizeof caption,
        "A point is the expected difference in mean %.40s, first run minus second. The line is "
        "its %g %% interval over the missing judgments, for this set of topics. If "
        "the line crosses 0, the missing judgments could favour either run.", measure,
        100.0 * confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "The differences",
        .caption = caption, .label = "a", .against = "b", .value = "expected",
        .lower = "lower", .upper = "upper", .lines = { { "no difference", 0.0, true } } });
}

/* The pairs to look at. */
static size_t list_pairs(iv_incomplete *x, size_t runs, size_t baseline)
{
    size_t k = 0;

    for (size_t a = 0; a < runs; a++) {
        if (baseline != IV_NONE && a != baseline)
            x[k++] = (iv_incomplete){ .a = a, .b = baseline };
        for (size_t b = a + 1; baseline == IV_NONE && b < runs; b++)
            x[k++] = (iv_incomplete){ .a = a, .b = b };
    }
    return k;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_incomplete_question *q = asked;
    const iv_pooled_options pool = { .depth = q->depth, .level = q->level,
                                     .judged_topics = true };
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const double z = iv_norm_isf(0.5 * (1.0 - confidence));
    iv_judging_input in = { 0 };
    size_t baseline = IV_NONE;
    iv_stage stage;

    if (q->paper && measure_of(q) != NULL)
        return iv_fail(err, IV_EARG, "the printed moments are of AP only, not of %.80s",
                       q->measure);
    IV_TRY(iv_judging_input_read(&in, out, &q->from,
                                 q->relevance == NULL && q->paper ? "0.5" : q->relevance, &pool,
                                 iv_work_part(&stage, work, 0.0, 0.3), err));
    const iv_judging_options how = {
        .prior = in.prior, .form = q->paper ? IV_MOMENTS_PLAIN : IV_MOMENTS_DELTA,
        .union_only = q->paper };
    const size_t most = iv_pair_count(in.runs.count);
    iv_incomplete *x = iv_take(iv_result_own(out), most, sizeof *x);
    row *rows = iv_take(iv_result_own(out), most, sizeof *rows);
    IV_TRY(iv_taken(iv_result_own(out), err));
    if (q->baseline != NULL)
        IV_TRY(find_baseline(&baseline, &in, q->baseline, err));
    const size_t count = list_pairs(x, in.runs.count, baseline);
    IV_TRY(iv_incomplete_pairs(x, count, in.pooled, &how,
                               &(iv_incomplete_how){ q->alternative, measure_of(q), in.judgments },
                               iv_work_part(&stage, work, 0.3, 1.0), err));
    for (size_t k = 0; k < count; k++) {
        const double sd = sqrt(x[k].difference.variance), mean = x[k].difference.mean;
        rows[k] = (row){ in.runs.names[x[k].a], in.runs.names[x[k].b], x[k], sd, mean - z * sd,
                         mean + z * sd, 1.0 - x[k].p_less,
                         x[k].topics_adjusted < 9e15
                             ? (int64_t)ceil(x[k].topics_adjusted - 1e-9) : INT64_MIN };
    }
    iv_result_used(out, "sign");
    tell(out, &in, rows, count, confidence, q);
    put_tables(out, rows, count, confidence, q->measure == NULL ? "AP" : q->measure);
    return IV_OK;
}

int iv_answer_incomplete(iv_result *out, const iv_incomplete_question *q, const iv_work *work,
                         iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_incomplete_question, from.),
        IV_CHOICE_OF(iv_incomplete_question, alternative, iv_alternative_names,
                     "the alternative"),
        IV_PART_OF(iv_incomplete_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "incomplete unjudged"), work,
                          err);
}
