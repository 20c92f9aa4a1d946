/* SPDX-License-Identifier: Apache-2.0 */
/* eval and compare of a judge's scores: the judge alone, people alone, and corrected. */
#include "base/err.h"
#include "base/listing.h"
#include "base/names.h"
#include "labels/judged_answer.h"
#include "labels/judged_scores.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/claims.h"
#include "result/message.h"
#include "result/methods.h"
#include "scores/comparing.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"
#include "stat/paired/familywise.h"
#include "stat/paired/pair_p.h"

#include <math.h>
#include <string.h>

enum { MANY = 1, MANY_PAIRS = 2, ALONE = 4 };

typedef struct judged_row {
    const char *run, *against;
    iv_judged_estimate is;
    size_t system, less;
    double value, lower, upper, human, human_lower, human_upper;
    double bias, width, saved; /* judge - value; over that of people alone; labels saved */
    double p, p_adjusted, lower_adjusted, upper_adjusted;
} judged_row;

#define THE_OTHERS                                                                               \
    { "human", IV_AT(judged_row, human), .digits = 4, .heading = "human only",                    \
      .about = "human labels alone" },                                                            \
    { "human_lower", IV_AT(judged_row, human_lower), .digits = 4, .heading = "lower",              \
      .audience = IV_IF_ANY, .shown = ALONE, .about = "lower limit of the interval" },            \
    { "human_upper", IV_AT(judged_row, human_upper), .digits = 4, .heading = "upper",              \
      .audience = IV_IF_ANY, .shown = ALONE, .about = "upper limit of the interval" },            \
    { "judge", IV_AT(judged_row, is.judge), .digits = 4, .heading = "judge only",                  \
      .about = "the judge's scores alone, of several their mean; they have no interval" },         \
    { "bias", IV_AT(judged_row, bias), .digits = 4, .heading = "bias of judge",                    \
      .about = "estimated bias of the judge: judge - value" },                                    \
    { "labels", IV_AT(judged_row, is.both.labelled), .audience = IV_FOR_PROGRAMS,                  \
      .about = "items with a human label" },                                                      \
    { "saved", IV_AT(judged_row, saved), .digits = 0, .audience = IV_IF_ANY,                       \
      .heading = "labels saved",                                                                  \
      .about = "how many more labels human labels alone would need for this interval" },          \
    { "width", IV_AT(judged_row, width), .digits = 3, .audience = IV_FOR_PROGRAMS,                 \
      .about = "width of the interval divided by that of human labels alone" },                   \
    { "slope", IV_AT(judged_row, is.both.slope[0]), .digits = 3, .audience = IV_FOR_PROGRAMS,      \
      .about = "slope of human labels on the judge's scores" },                                   \
    { "reason", IV_AT(judged_row, is.reason), .audience = IV_IF_VERBOSE,                           \
      .about = "why there is no interval" },                                                      \
    { "needed", IV_AT(judged_row, is.needed), .digits = 0, .audience = IV_IF_ANY,                  \
      .heading = "labels needed to use the judge",                                                \
      .about = "human labels with which enough would differ from the judge's scores" }

const iv_field iv_eval_judged_fields[] = {
    { "run", IV_AT(judged_row, run), .heading = "system", .about = "name of the system" },
    { "items", IV_AT(judged_row, is.both.items), .audience = IV_FOR_PROGRAMS,
      .about = "items with a judge's score" },
    { "value", IV_AT(judged_row, value), .digits = 4,
      .about = "mean of the judge's scores, corrected by human labels" },
    { "se", IV_AT(judged_row, is.both.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(judged_row, , 4),
    THE_OTHERS,
    { NULL } };

const iv_field iv_compare_judged_fields[] = {
    { "a", IV_AT(judged_row, run), .about = "a system" },
    { "b", IV_AT(judged_row, against), .about = "another system, or the baseline" },
    { "items", IV_AT(judged_row, is.both.items), .audience = IV_FOR_PROGRAMS,
      .about = "items that the judge scored for both" },
    { "difference", IV_AT(judged_row, value), .digits = 4,
      .about = "a - b, corrected by human labels" },
    { "se", IV_AT(judged_row, is.both.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_PAIR_LIMITS(judged_row, , , 4),
    { "p", IV_AT(judged_row, p), .digits = 4, .about = "p-value of no difference" },
    { "p_adjusted", IV_AT(judged_row, p_adjusted), .digits = 4, .needs = MANY_PAIRS,
      .about = "p-value, corrected for the number of pairs" },
    IV_ADJUSTED_LIMITS(judged_row, , 4),
    THE_OTHERS,
    { NULL } };

typedef struct sheet {
    iv_judged_scores s;
    iv_arena *own;
    judged_row *rows;
    size_t count;
    double confidence;
    iv_correction correction;
    bool lower; /* is better */
} sheet;

/* ------------------------------------------------------------- both answers -- */

static int fill_row(judged_row *r, const sheet *h, size_t system, size_t less, iv_err *err)
{
    const char *const *names = h->s.scored.v->systems;
    const double tail = 0.5 * (1.0 - h->confidence), nan = (double)NAN;

    *r = (judged_row){ .run = names[system], .against = less != IV_NONE ? names[less] : NULL,
                       .system = system, .less = less, .lower = nan, .upper = nan,
                       .human_lower = nan, .human_upper = nan, .p = nan, .p_adjusted = nan,
                       .lower_adjusted = nan, .upper_adjusted = nan };
    IV_TRY(iv_judged_estimate_of(&r->is, &h->s, system, less, err));
    r->value = r->is.both.value;
    r->human = r->is.human.value;
    r->bias = r->is.judge - r->value;
    if (r->is.human.se > 0.0 || r->is.human.by_cells)
        iv_judged_limits(&r->human_lower, &r->human_upper, &r->is.human, tail);
    if (r->is.reason == NULL)
        iv_judged_limits(&r->lower, &r->upper, &r->is.both, tail);
    r->width = (r->upper - r->lower) / (r->human_upper - r->human_lower);
    const double more = (double)r->is.both.labelled * (1.0 / (r->width * r->width) - 1.0);
    r->saved = more >= 1.0 ? floor(more) : more < 1.0 ? 0.0 : nan;
    return IV_OK;
}

static int open_sheet(sheet *h, iv_result *out, const iv_score_input *asked,
                      const iv_machines *how, const iv_texts *measures, const iv_work *work,
                      iv_err *err)
{
    h->own = iv_result_own(out);
    h->s.confidence = h->confidence;
    IV_TRY(iv_judged_scores_read(&h->s, asked, how, measures, out, work, err));
    iv_scored_tell(&h->s.scored, false, out);
    IV_TRY(iv_judged_lower(&h->lower, &h->s, err));
    for (size_t r = 0; r < h->s.scored.v->system_count; r++)
        if (h->s.labels[r] < IV_JUDGED_LEAST)
            return iv_fail(err, IV_ENODATA, "people labelled %zu items of '%.80s', expected %d or "
                           "more", h->s.labels[r], h->s.scored.v->systems[r], IV_JUDGED_LEAST);
    return IV_OK;
}

/* "60 human labels and 360 scores of the judge" */
static void say_sources(char *out, size_t size, const iv_judged_mean *m)
{
    (void)snprintf(out, size, "%s item%s with human labels and %s that the judge scored",
                   IV_COUNT(m->labelled), iv_plural(m->labelled), IV_COUNT(m->items));
}

static const iv_message messages[] = {
    { "judged.few", IV_WARNING, "measures pairs",
      "The judge is not used for {s}: it differs from people in too few labels to see by how much. "
      "About {a} labels are needed; {b} were given." },
    { "judged.never", IV_WARNING, "measures pairs",
      "The judge is not used for {s}: it never differs from people in {n} label[|s], so its errors "
      "elsewhere are unknown." },
    { "judged.gate-error", IV_WARNING, "pairs",
      "With {n} items labelled 0 or 1 and several repeats, {a%} of gates passed falsely in "
      "simulations. Label 60 or more." },
    { "judged.worse", IV_NOTE, "measures pairs",
      "The judge adds nothing here: the interval is as wide as that of human labels alone." },
    { "judged.saves", IV_NOTE, "measures pairs",
      "The judge saves about {n} human label[|s]: so many more would be needed without it." },
    { NULL } };

static void tell_labels(iv_result *out, const sheet *h)
{
    const judged_row *r = &h->rows[0];
    const iv_judged_mean *m = &r->is.both;
    const judged_row *few = NULL;
    static const char *const designs[] = {
        [IV_HUMAN_STATED] = "of all answers", [IV_HUMAN_RANDOM] = "of a simple random sample",
        [IV_HUMAN_STRATA] = "of a simple random sample of each stratum",
        [IV_HUMAN_CLUSTERS] = "of a random sample of whole clusters" };
    static const char *const used[] = { "judge-regression", "judge-ppi", "judge-difference",
                                        "judge-human" };

    for (size_t k = h->count; k-- > 0;)
        few = isnan(h->rows[k].is.few) ? few : &h->rows[k];
    if (few != NULL) {
        char *what = iv_take(h->own, 300, 1);
        if (what != NULL)
            (void)snprintf(what, 300, few->against != NULL ? "%.100s - %.100s" : "%.100s",
                           few->run, few->against);
        IV_TELL(out, messages, "judged.few", few->is.needed > 0.0,
                { few->is.needed, (double)few->is.both.labelled }, { what });
        IV_TELL(out, messages, "judged.never", isnan(few->is.needed) ? few->is.both.labelled : 0,
                .text = { what });
    }
    IV_TELL(out, messages, "judged.saves", r->saved >= 1.0 ? (size_t)r->saved : 0);
    IV_TELL(out, messages, "judged.worse", r->saved < 1.0 && few == NULL
            && h->s.labelled < h->s.items);
    if (h->s.judges > 1 && h->s.how.estimator == IV_JUDGE_REGRESSION)
        iv_result_used_with(out, used[h->s.how.estimator], ", of %zu judges", h->s.judges);
    else
        iv_result_used(out, used[h->s.how.estimator]);
    if (h->s.how.design == IV_HUMAN_STRATA)
        iv_result_used(out, "judge-strata");
    iv_result_used(out, m->by_cells ? "judge-wilson" : "t");
    if (!m->by_cells && iv_scored_units(&h->s.scored))
        iv_scored_used(&h->s.scored, out);
    iv_result_assumption(out, "Human labels are correct, and are %s, chosen without regard to the "
                         "judge's scores. %s judge with one prompt made all scores%s.",
                         designs[h->s.how.design], h->s.judges > 1 ? "Each" : "One",
                         h->s.judges > 1 ? " of its column" : "");
}

/* -------------------------------------------------------------------- eval -- */

static int claim_means(const sheet *h, const iv_eval_question *q, iv_result *out, iv_err *err)
{
    iv_claimed_mean *means = iv_take(h->own, h->count + 1, sizeof *means);

    if (q->at_least.count + q->at_most.count == 0)
        return IV_OK;
    IV_TRY(iv_taken(h->own, err));
    for (size_t i = 0; i < h->count; i++) {
        const judged_row *r = &h->rows[i];
        means[i] = (iv_claimed_mean){ .system = r->run, .measure = h->s.scored.names[0],
            .n = r->is.both.items, .lower = r->lower, .upper = r->upper, .why = r->is.reason,
            .is = { r->value, (double)NAN, (double)r->is.both.labelled, (double)NAN,
                    (double)NAN } };
    }
    return iv_claim_bounds(out, means, h->count, &q->at_least, &q->at_most, h->confidence, false,
                           err);
}

int iv_eval_judged(iv_result *out, const iv_eval_question *q, const iv_work *work, iv_err *err)
{
    sheet h = { .confidence = iv_resampling_of(&q->how.resampling).confidence };
    char span[IV_SPAN_SIZE] = "", from[120];

    IV_TRY(open_sheet(&h, out, &q->scores, &q->machine, &q->how.measures, work, err));
    const size_t systems = h.s.scored.v->system_count;
    h.rows = iv_take(h.own, systems + 1, sizeof *h.rows);
    IV_TRY(iv_taken(h.own, err));
    for (size_t r = 0; r < systems; r++) {
        judged_row x, *at = h.rows + h.count++;
        IV_TRY(fill_row(&x, &h, r, IV_NONE, err));
        const double sign = h.lower ? -1.0 : 1.0;
        for (; at > h.rows && sign * x.value > sign * at[-1].value; at--)
            *at = at[-1];
        *at = x;
    }
    const judged_row *best = &h.rows[0];
    say_sources(from, sizeof from, &best->is.both);
    if (best->is.reason == NULL)
        (void)iv_span(span, h.confidence, best->lower, best->upper);
    iv_result_answer(out, "%s%.100s: %.60s %.3f%s from %s. People alone: %.3f; the judge alone: "
                     "%.3f.", systems == 1 ? "" : h.lower ? "Lowest is " : "Highest is ", best->run,
                     h.s.scored.names[0], best->value, span, from, best->human, best->is.judge);
    IV_TABLE(out, "measures", iv_eval_judged_fields, h.rows, h.count, .with = ALONE,
             .drawn = { "value", "lower", "upper" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures", .title = "The judge's scores, corrected",
        .caption = "A point is a mean corrected by human labels. The line is its interval.",
        .label = "run", .value = "value", .lower = "lower", .upper = "upper" });
    tell_labels(out, &h);
    return claim_means(&h, q, out, err);
}

/* ----------------------------------------------------------------- compare -- */

static int baseline_of(size_t *out, const sheet *h, const char *name, iv_err *err)
{
    const iv_score_table *v = h->s.scored.v;
    iv_listing list = { .most = 5 };

    for (*out = 0; *out < v->system_count; ++*out) {
        if (strcmp(v->systems[*out], name) == 0)
            return IV_OK;
        iv_list(&list, "%.40s", v->systems[*out]);
    }
    return iv_fail(err, IV_EARG, "no system '%.80s' for the baseline; the systems are %s", name,
                   iv_listed(&list));
}

/* All pairs, or each system with the baselines. */
static int fill_pairs(sheet *h, const iv_compare_question *q, iv_err *err)
{
    const size_t n = h->s.scored.v->system_count, base = q->baselines.count;

    h->rows = iv_take(h->own, n * (n + base) + 1, sizeof *h->rows);
    IV_TRY(iv_taken(h->own, err));
    for (size_t k = 0; k < base; k++) {
        size_t b;
        IV_TRY(baseline_of(&b, h, q->baselines.at[k], err));
        for (size_t a = 0; a < n; a++)
            if (a != b)
                IV_TRY(fill_row(&h->rows[h->count++], h, a, b, err));
    }
    for (size_t a = 0; base == 0 && a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            IV_TRY(fill_row(&h->rows[h->count++], h, a, b, err));
    return IV_OK;
}

/* p and limits of all pairs together. */
static int correct_pairs(sheet *h, iv_correction correction, bool *cut, iv_err *err)
{
    const double alpha = 1.0 - h->confidence;
    double *p = iv_take(h->own, h->count + 1, sizeof *p), found = 0.0, error = alpha;

    IV_TRY(iv_taken(h->own, err));
    h->correction = h->count == 1 ? IV_CORRECT_NONE
        : correction == IV_CORRECT_AUTO ? IV_CORRECT_HOLM : correction;
    for (size_t k = 0; k < h->count; k++) {
        judged_row *r = &h->rows[k];
        if (r->is.reason == NULL)
            r->p = fmin(1.0, 2.0 * fmin(iv_judged_p(&r->is.both, 0.0, true),
                                        iv_judged_p(&r->is.both, 0.0, false)));
        p[k] = r->p;
    }
    IV_TRY(iv_adjust(p, p, h->count, h->correction, err));
    for (size_t k = 0; k < h->count; k++)
        found += iv_significant(p[k], alpha);
    if (h->correction != IV_CORRECT_NONE)
        error *= (h->correction == IV_CORRECT_BH ? fmax(1.0, found) : 1.0) / (double)h->count;
    for (size_t k = 0; k < h->count; k++) {
        judged_row *r = &h->rows[k];
        r->p_adjusted = p[k];
        if (r->is.reason != NULL)
            continue;
        iv_judged_limits(&r->lower_adjusted, &r->upper_adjusted, &r->is.both, 0.5 * error);
        *cut = iv_settle_limits(&r->lower_adjusted, &r->upper_adjusted,
                                iv_significant(p[k], alpha), r->value > 0.0 ? 1 : -1)
            == IV_LIMIT_CUT || *cut;
    }
    return IV_OK;
}

static void say_pairs(iv_result *out, const sheet *h)
{
    const judged_row *r = &h->rows[0];
    const double alpha = 1.0 - h->confidence;
    const bool higher = r->value > 0.0;
    char span[IV_SPAN_SIZE] = "", from[120];
    size_t found = 0;

    say_sources(from, sizeof from, &r->is.both);
    for (size_t k = 0; k < h->count; k++)
        found += iv_significant(h->rows[k].p_adjusted, alpha);
    if (r->is.reason == NULL)
        (void)iv_span(span, h->confidence, higher ? r->lower : -r->upper,
                      higher ? r->upper : -r->lower);
    if (h->count > 1)
        iv_result_answer(out, "%zu of %zu pairs differ significantly in %s, from %s.", found,
                         h->count, h->s.scored.names[0], from);
    else if (found > 0)
        iv_result_answer(out, "%s is significantly better than %s by %.3f %s%s, from %s. People "
                         "alone: %+.3f; the judge alone: %+.3f.", higher ? r->run : r->against,
                         higher ? r->against : r->run, fabs(r->value), h->s.scored.names[0], span,
                         from, higher ? r->human : -r->human,
                         higher ? r->is.judge : -r->is.judge);
    else
        iv_result_answer(out, "No significant difference in %s between %s and %s was found: %+.3f"
                         "%s, from %s. People alone: %+.3f; the judge alone: %+.3f.",
                         h->s.scored.names[0], higher ? r->run : r->against,
                         higher ? r->against : r->run, fabs(r->value), span, from,
                         higher ? r->human : -r->human, higher ? r->is.judge : -r->is.judge);
}

/* ---------------------------------------------------------------- the gate -- */

/* Labels with which the claim passes with probability 0.8, if the estimate stays: what the judge's
 * scores leave uncertain does not fall with labels. */
static double labels_to_pass(const judged_row *r, const iv_claim *c)
{
    const iv_judged_mean *m = &r->is.both;
    const double above = r->value + c->bound, z = iv_norm_isf(c->level) + iv_norm_isf(0.2);
    const double goal = above / z * (above / z) - (m->se * m->se - m->of_labels);

    if (r->is.reason != NULL)
        return (double)NAN;
    return !(above > 0.0) || !(goal > 0.0) ? INFINITY
        : ceil((double)m->labelled * m->of_labels / goal);
}

static void claim_pair(const sheet *h, const judged_row *r, double margin, bool open_passes,
                       iv_wording *w, iv_result *out)
{
    const double level = (1.0 - h->confidence) / (double)h->count;
    const iv_judged_mean *m = &r->is.both;
    iv_claim c = { .kind = IV_CLAIM_NOT_WORSE, .measure = h->s.scored.names[0], .system = r->run,
                   .baseline = r->against, .bound = margin, .estimate = r->value,
                   .lower = (double)NAN, .upper = (double)NAN, .p = 1.0, .p_contrary = 1.0,
                   .level = level, .items = (double)m->labelled, .withheld = r->is.reason,
                   .unknown = r->is.reason != NULL, .open_passes = open_passes,
                   .method = m->by_cells ? "judge-wilson" : "t" };
    const double gain = r->value;

    if (r->is.reason == NULL) {
        iv_judged_limits(&c.lower, &c.upper, m, level);
        c.p = iv_judged_p(m, -margin, true);
        c.p_contrary = iv_judged_p(m, -margin, false);
    }
    iv_claim_outlook(&c);
    c.needed = labels_to_pass(r, &c);
    const iv_verdict v = iv_result_claim(out, &c)->verdict;
    iv_say(w, "%s: %s of %s is %.4f %s than that of %s", iv_verdict_name(v), c.measure, c.system,
           fabs(gain), gain < 0.0 ? "worse" : "better", c.baseline);
    if (r->is.reason != NULL)
        iv_say(w, ", without limits: %s", r->is.reason);
    else {
        iv_say(w, " (");
        iv_say_one_sided(w, h->confidence, h->count, gain < 0.0 ? -c.upper : c.lower,
                         gain < 0.0 ? -c.lower : c.upper, gain < 0.0 ? margin : -margin);
        iv_say(w, ")");
    }
    iv_say(w, "; the allowed loss is %.10g. People alone: %+.4f; the judge alone: %+.4f. ", margin,
           r->human, r->is.judge);
    if (v == IV_VERDICT_OPEN && isfinite(c.needed) && c.needed > (double)m->labelled)
        iv_result_note(out, "If the difference of '%s' stays as it is, about %s human labels are "
                       "needed to pass at this margin; %s were given.", r->run,
                       IV_COUNT(c.needed), IV_COUNT(m->labelled));
    else if (v == IV_VERDICT_OPEN && r->is.reason == NULL && isinf(c.needed))
        iv_result_note(out, "More human labels alone do not let '%s' pass: %s.", r->run,
                       r->value + margin > 0.0 ? "it takes more items that the judge scores"
                                               : "its loss is as large as the margin");
}

static int decide(const sheet *h, const iv_compare_question *q, iv_result *out, iv_err *err)
{
    iv_wording w = { .len = 0 };

    if (!q->not_worse)
        return IV_OK;
    if (q->baselines.count != 1 || q->how.margin == 0.0)
        return iv_fail(err, IV_EARG, "a gate needs one baseline and a margin: --baseline and "
                       "--margin");
    for (size_t k = 0; k < h->count; k++)
        claim_pair(h, &h->rows[k], fmax(0.0, q->how.margin), q->gate_on_worse, &w, out);
    iv_answer_claims(out, &w);
    const iv_judged_mean *m = &h->rows[0].is.both;
    const double rate = iv_gate_error(IV_GATE_JUDGED, (double)m->labelled);
    IV_TELL(out, messages, "judged.gate-error", m->by_cells && h->s.scored.most_repeats > 1
            && rate > 0.0 ? m->labelled : 0, { rate });
    return IV_OK;
}

int iv_compare_judged(iv_result *out, const iv_compare_question *q, const iv_work *work,
                      iv_err *err)
{
    sheet h = { .confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence };
    bool cut = false;

    IV_TRY(open_sheet(&h, out, &q->scores, &q->machine, &q->scoring.measures, work, err));
    if (h.s.scored.v->system_count < 2)
        return iv_fail(err, IV_ENODATA, "the scores are of one system only, '%.80s': there is "
                       "nothing to compare it with", h.s.scored.v->systems[0]);
    if (h.lower) {
        const bool plain = strcmp(h.s.scored.names[0], "score") == 0;
        IV_TRY(iv_judged_turn(&h.s, err));
        iv_lower_note(out, plain && *h.s.scored.v->score_column != '\0' ? h.s.scored.v->score_column
                      : h.s.scored.names[0], q->scores.lower.count > 0);
    }
    IV_TRY(fill_pairs(&h, q, err));
    IV_TRY(correct_pairs(&h, q->how.correction, &cut, err));
    say_pairs(out, &h);
    IV_TRY(decide(&h, q, out, err));
    IV_TABLE(out, "pairs", iv_compare_judged_fields, h.rows, h.count,
             .with = h.count > 1 ? MANY_PAIRS : ALONE,
             .showing = h.count > IV_PAIRS_READ ? IV_LONG : IV_SHOWN,
             .drawn = { "difference", "lower_shown", "upper_shown" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "Differences",
        .caption = "A point is the difference of two systems, corrected by human labels. The line "
                   "is its interval.",
        .label = "a", .against = "b", .value = "difference", .lower = "lower_adjusted",
        .upper = "upper_adjusted", .lines = { { "no difference", 0.0, true } } });
    tell_labels(out, &h);
    if (h.correction != IV_CORRECT_NONE)
        iv_result_used_with(out, iv_correction_names()[h.correction], " for %zu pairs", h.count);
    if (iv_familywise(h.correction))
        iv_result_used(out, "bonferroni-limits");
    if (cut)
        iv_result_used(out, "holm-limits");
    return IV_OK;
}
