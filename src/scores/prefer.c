/* SPDX-License-Identifier: Apache-2.0 */
/* prefer -- strengths of systems from pairwise preferences. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/claims.h"
#include "result/message.h"
#include "result/methods.h"
#include "scores/voting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_READ = 10 }; /* more are only named in text output */

/* --------------------------------------------------------------- the tables -- */

typedef struct system_row {
    iv_str system;
    iv_interval strength;
    double elo;
    const char *ranks;
    size_t rank_lower, rank_upper, wins, losses, ties;
    double plain, people, people_lower, people_upper; /* IV_MISSING: there are none */
} system_row;

typedef struct pair_row {
    iv_str a, b;
    size_t votes;
    iv_preference_pair is;
} pair_row;

const iv_field iv_prefer_pair_fields[] = {
    { "a", IV_AT(pair_row, a), .about = "the stronger system" },
    { "b", IV_AT(pair_row, b), .about = "the other system" },
    { "votes", IV_AT(pair_row, votes), .about = "between the two" },
    { "wins", IV_AT(pair_row, is.wins), .about = "votes for a" },
    { "losses", IV_AT(pair_row, is.losses), .about = "votes for b" },
    { "ties", IV_AT(pair_row, is.ties), .about = "votes for neither" },
    { "difference", IV_AT(pair_row, is.difference), .digits = 3,
      .about = "strength of a less that of b, from the votes on all pairs" },
    { "se", IV_AT(pair_row, is.se), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(pair_row, is., 3),
    { "p", IV_AT(pair_row, is.p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "p-value of equal strengths" },
    { "p_holm", IV_AT(pair_row, is.p_holm), .digits = 4, .heading = "p (Holm)",
      .about = "p-value, corrected for all pairs (Holm)" },
    { NULL } };

const iv_field iv_prefer_system_fields[] = {
    { "system", IV_AT(system_row, system), .about = "name of the system" },
    { "strength", IV_AT(system_row, strength.value), .digits = 3,
      .about = "log scale with mean 0: if two strengths differ by 1, the odds of winning "
               "are 2.7 to 1" },
    { "se", IV_AT(system_row, strength.se), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(system_row, strength., 3),
    { "plain", IV_AT(system_row, plain), .digits = 3, .audience = IV_IF_ANY,
      .about = "strength without covariates, or by the votes of judges alone" },
    { "human", IV_AT(system_row, people), .digits = 3, .audience = IV_IF_ANY,
      .heading = "human only", .about = "strength by the votes of people alone" },
    { "human_lower", IV_AT(system_row, people_lower), .digits = 3, .audience = IV_IF_ANY,
      .heading = "lower", .about = "lower limit of its interval" },
    { "human_upper", IV_AT(system_row, people_upper), .digits = 3, .audience = IV_IF_ANY,
      .heading = "upper", .about = "upper limit of its interval" },
    { "elo", IV_AT(system_row, elo), .digits = 0, .audience = IV_IF_VERBOSE,
      .about = "strength on the Elo scale with mean 1,000: 400 points are odds of 10 to 1" },
    { "ranks", IV_AT(system_row, ranks), .audience = IV_FOR_PEOPLE,
      .about = "ranks still possible, for all systems at once, with the stated confidence" },
    { "rank_lower", IV_AT(system_row, rank_lower), .audience = IV_FOR_PROGRAMS,
      .about = "best possible rank (simultaneous)" },
    { "rank_upper", IV_AT(system_row, rank_upper), .audience = IV_FOR_PROGRAMS,
      .about = "worst possible rank (simultaneous)" },
    { "wins", IV_AT(system_row, wins), .about = "votes for the system" },
    { "losses", IV_AT(system_row, losses), .about = "votes for its opponents" },
    { "ties", IV_AT(system_row, ties), .about = "votes for neither" },
    { NULL } };

typedef struct covariate_row {
    iv_str covariate;
    double scale, value, se, lower, upper, p;
} covariate_row;

const iv_field iv_prefer_covariate_fields[] = {
    { "covariate", IV_AT(covariate_row, covariate), .about = "name of the covariate" },
    { "effect", IV_AT(covariate_row, value), .digits = 3,
      .about = "log odds of winning added by a difference of the size in the next column" },
    { "size", IV_AT(covariate_row, scale), .digits = 4,
      .about = "root mean square of the differences between the two systems of a vote" },
    { "se", IV_AT(covariate_row, se), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(covariate_row, , 3),
    { "p", IV_AT(covariate_row, p), .digits = 4, .about = "p-value of no effect" },
    { NULL } };

/* What being shown first does. */
typedef struct position_row {
    size_t first, second, ties;
    iv_interval effect;
    double p;
} position_row;

const iv_field iv_prefer_position_fields[] = {
    { "first", IV_AT(position_row, first), .about = "votes for the system shown first" },
    { "second", IV_AT(position_row, second), .about = "votes for the system shown second" },
    { "ties", IV_AT(position_row, ties), .about = "votes for neither" },
    { "effect", IV_AT(position_row, effect.value), .digits = 3,
      .about = "log odds of winning added by being shown first" },
    { "se", IV_AT(position_row, effect.se), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(position_row, effect., 3),
    { "p", IV_AT(position_row, p), .digits = 4, .about = "p-value of no effect of the position" },
    { NULL } };

static const iv_message messages[] = {
    { "prefer.position", IV_WARNING, NULL,
      "The position matters: the system shown first gets {a} log odds more (p = {b}). Show pairs "
      "in both orders, or use --position." },
    { "prefer.few", IV_WARNING, NULL,
      "{n} system[ has|s have] fewer than {a} votes: [its|their] interval[|s] may be too "
      "narrow." },
    { "prefer.constant", IV_WARNING, NULL,
      "No interval for {n} system[|s]: all [its|their] votes are as the model predicts, so the "
      "variance cannot be estimated." },
    { "prefer.few-items", IV_WARNING, NULL,
      "The votes are on {n} items only: intervals may be too narrow." },
    { "prefer.these-judges", IV_NOTE, NULL,
      "The intervals are about [this judge|these {n} judges]: fewer than {a} say too little about "
      "the preferences of others." },
    { "prefer.no-item", IV_NOTE, NULL,
      "There is no column 'item', so votes count as independent. If several votes are on one "
      "prompt, name the column of prompts with --columns item=NAME." },
    { "prefer.unmatched", IV_NOTE, NULL,
      "{n} vote[|s] of people [is|are] excluded: no judge voted on [that comparison|those "
      "comparisons]." },
    { "prefer.skipped", IV_NOTE, NULL,
      "{n} vote[|s] without a winner [is|are] excluded." },
    { NULL } };

/* --------------------------------------------------------------- the answer -- */

static int by_strength(const void *a, const void *b)
{
    const system_row *x = a, *y = b;

    if (x->strength.value != y->strength.value && !isnan(x->strength.value))
        return x->strength.value > y->strength.value ? -1 : 1;
    return iv_str_cmp(x->system, y->system);
}

static void answer_none(iv_result *out, const iv_voting *v)
{
    static const char *const why[] = {
        [IV_PREFERENCE_APART] = "the comparisons do not connect all systems, so some cannot be "
                                "compared",
        [IV_PREFERENCE_ENDS] = "some systems never lost to the others, so there is no finite "
                               "estimate. Collect more votes between them",
        [IV_PREFERENCE_TIES] = "ties and wins do not overlap, so there is no finite estimate. "
                               "Collect more votes",
        [IV_PREFERENCE_POSITION] = "with the effect of the position, there is no finite estimate. "
                                   "Collect more votes, or leave out --position",
        [IV_PREFERENCE_ENDLESS] = "with covariates, or corrected by the votes of people, there is "
                                  "no finite estimate. Collect more votes",
        [IV_PREFERENCE_ONE_ITEM] = "all votes are on one item, so nothing is known about others" };
    const size_t i = v->fit.example;

    if (v->fit.gap == IV_PREFERENCE_ENDS && i < v->systems.count)
        iv_result_answer(out, "No strengths: %.*s %s, so its strength has no finite estimate. "
                         "Collect more votes, or exclude it.", (int)v->systems.names[i].len,
                         v->systems.names[i].ptr,
                         v->fit.systems[i].wins == 0 ? "never won" : "never lost");
    else
        iv_result_answer(out, "No strengths: %s.", why[v->fit.gap]);
}

static void answer_best(iv_result *out, const iv_voting *v, const system_row *rows,
                        double confidence)
{
    const size_t K = v->systems.count, tied = rows[0].rank_upper - 1;
    size_t alike = 1;
    iv_wording w = { .len = 0 };

    while (alike < K && rows[alike].strength.value == rows[0].strength.value)
        alike++;
    if (alike == K) {
        iv_result_answer(out, "No system is preferred most: all %zu strengths are equal.", K);
        return;
    }
    iv_say(&w, "%.*s", (int)rows[0].system.len, rows[0].system.ptr);
    if (alike > 1)
        iv_say(&w, ", as strong as %zu other%s,", alike - 1, alike > 2 ? "s" : "");
    iv_say(&w, " is preferred most");
    if (v->people != NULL)
        iv_say(&w, " by people");
    else if (v->has_judge && v->judges.count == 1)
        iv_say(&w, " by this judge");
    else if (v->has_judge && v->judges.count < IV_MANY_JUDGES)
        iv_say(&w, " by these %zu judges", v->judges.count);
    iv_say(&w, " (Bradley-Terry strength %.2f", rows[0].strength.value);
    if (!isnan(rows[0].strength.lower))
        iv_say(&w, ", %g %% interval %.2f to %.2f", 100.0 * confidence, rows[0].strength.lower,
               rows[0].strength.upper);
    iv_say(&w, "), ");
    if (tied == 0)
        iv_say(&w, "significantly more than %s.", K == 2 ? "the other" : "all others");
    else if (tied == K - 1)
        iv_say(&w, "but not significantly more than any other system.");
    else
        iv_say(&w, "significantly more than %zu of %zu others.", K - 1 - tied, K - 1);
    if (v->people != NULL)
        iv_say(&w, " Corrected by people's votes on %zu of the judges' %zu comparisons.",
               v->corrected.labelled, v->corrected.comparisons);
    iv_result_answer(out, "%s", w.at);
}

static const char *model_of(const iv_voting *v)
{
    return isnan(v->fit.tie) ? "bradley-terry" : "davidson";
}

static void put_systems(iv_result *out, iv_voting *v, system_row *rows, double confidence)
{
    const size_t K = v->systems.count;
    size_t few = 0, constant = 0;

    for (size_t i = 0; i < K; i++) {
        const iv_strength *s = &v->fit.systems[i];
        char ranks[48];
        (void)snprintf(ranks, sizeof ranks, s->rank_lower == s->rank_upper ? "%zu" : "%zu-%zu",
                       s->rank_lower, s->rank_upper);
        rows[i] = (system_row){ .system = v->systems.names[i],
                                .strength = { s->value, s->se, s->lower, s->upper },
                                .elo = 1000.0 + 400.0 / log(10.0) * s->value,
                                .ranks = iv_arena_copy(v->own, iv_str_of(ranks)),
                                .rank_lower = s->rank_lower, .rank_upper = s->rank_upper,
                                .wins = s->wins, .losses = s->losses, .ties = s->ties };
        const iv_strength *own = v->people != NULL ? &v->people->systems[i] : s;
        rows[i].plain = v->plain != NULL ? v->plain->systems[i].value : (double)NAN;
        rows[i].people = v->people != NULL ? own->value : (double)NAN;
        rows[i].people_lower = v->people != NULL ? own->lower : (double)NAN;
        rows[i].people_upper = v->people != NULL ? own->upper : (double)NAN;
        few += (double)(own->wins + own->losses + own->ties) < iv_caution_at(IV_FEW_VOTES);
        constant += isnan(s->se) ? 1U : 0U;
    }
    qsort(rows, K, sizeof *rows, by_strength);
    iv_table_head(IV_TABLE(out, "systems", iv_prefer_system_fields, rows, K,
                           .drawn = { "strength", "lower", "upper" }),
                  "plain", v->people != NULL ? "judges only" : "without covariates");
    if (v->fit.gap != IV_PREFERENCE_EXISTS) {
        answer_none(out, v);
        iv_result_used(out, "preference-exists");
        return;
    }
    answer_best(out, v, rows, confidence);
    iv_result_used(out, model_of(v));
    if (v->people != NULL)
        iv_result_used(out, "corrected-votes");
    const bool judges = v->has_judge && v->judges.count >= IV_MANY_JUDGES && v->people == NULL;
    if (judges && v->has_item)
        iv_result_used(out, "two-way-sandwich");
    else
        iv_result_used_with(out, "preference-sandwich", judges ? " over judges" : v->has_item
                            ? " over items" : " over votes");
    iv_result_used(out, "rank-intervals");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "systems", .title = "Leaderboard",
        .caption = "A point is a system's strength. The line is its interval. If two strengths "
                   "differ by 1, the odds of winning are 2.7 to 1.",
        .label = "system", .value = "strength", .lower = "lower",
        .upper = "upper", .sorted = true });
    iv_result_say(out, messages, "prefer.constant", (iv_found){ constant, { 0 } });
    iv_result_say(out, messages, "prefer.few", (iv_found){ few, { iv_caution_at(IV_FEW_VOTES) } });
    iv_result_say(out, messages, "prefer.these-judges",
                  (iv_found){ v->has_judge && !judges && v->people == NULL ? v->judges.count : 0,
                              { IV_MANY_JUDGES } });
    iv_result_say(out, messages, "prefer.unmatched", (iv_found){ v->corrected.unmatched, { 0 } });
    if (v->has_item && (double)v->fit.clusters < iv_caution_at(IV_FEW_VOTES))
        iv_result_say(out, messages, "prefer.few-items", (iv_found){ v->fit.clusters, { 0 } });
}

static int by_difference(const void *a, const void *b)
{
    const iv_preference_pair *x = a, *y = b;

    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* All pairs, the stronger system first; in the order of the systems. */
static int put_pairs(iv_result *out, iv_voting *v, const system_row *systems, iv_err *err)
{
    const size_t K = v->systems.count, n = v->fit.pair_count;
    pair_row *rows = iv_take(v->own, n + 1, sizeof *rows);
    size_t *place = iv_take(v->own, K + 1, sizeof *place);

    IV_TRY(iv_taken(v->own, err));
    for (size_t i = 0; i < K; i++)
        place[iv_ids_find(&v->systems, systems[i].system)] = i;
    for (size_t i = 0; i < n; i++) {
        v->fit.pairs[i].a = place[v->fit.pairs[i].a];
        v->fit.pairs[i].b = place[v->fit.pairs[i].b];
    }
    qsort(v->fit.pairs, n, sizeof *v->fit.pairs, by_difference);
    for (size_t i = 0; i < n; i++) {
        const iv_preference_pair *x = &v->fit.pairs[i];
        rows[i] = (pair_row){ .a = systems[x->a].system, .b = systems[x->b].system, .is = *x,
                              .votes = x->wins + x->losses + x->ties };
    }
    if (n > 0)
        IV_TABLE(out, "pairs", iv_prefer_pair_fields, rows, n,
                 .showing = n <= PAIRS_READ ? IV_SHOWN : IV_LONG,
                 .drawn = { "difference", "lower", "upper" });
    else if (K > IV_PREFERENCE_PAIRED)
        iv_result_legend(out, "There is no table of pairs for more than %d systems.",
                         IV_PREFERENCE_PAIRED);
    return IV_OK;
}

static void put_position(iv_result *out, const iv_voting *v, double confidence)
{
    const iv_preferences *f = &v->fit;
    position_row r = {
        .effect = { f->position, f->position_se, f->position_lower, f->position_upper },
        .p = f->position_p };

    for (size_t i = 0; i < v->count; i++) {
        r.first += v->votes[i].winner == IV_PREFERS_A;
        r.second += v->votes[i].winner == IV_PREFERS_B;
        r.ties += v->votes[i].winner == IV_PREFERS_NONE;
    }
    IV_TABLE(out, "position", iv_prefer_position_fields, &r, 1,
             .showing = v->q->position ? IV_SHOWN : IV_ASIDE);
    if (v->q->position)
        iv_result_used(out, "position-effect");
    iv_result_say(out, messages, "prefer.position",
                  (iv_found){ !v->q->position && f->position_p < 1.0 - confidence ? 1U : 0U,
                              { f->position, f->position_p } });
}

static void put_covariates(iv_result *out, const iv_voting *v)
{
    covariate_row rows[IV_PREFERENCE_COVARIATES];

    for (size_t k = 0; k < v->covariate_count; k++)
        rows[k] = (covariate_row){ v->covariates[k], v->scale[k], v->fit.covariates[k].value,
                                   v->fit.covariates[k].se, v->fit.covariates[k].lower,
                                   v->fit.covariates[k].upper, v->fit.covariates[k].p };
    if (v->covariate_count > 0 && v->fit.gap == IV_PREFERENCE_EXISTS)
        IV_TABLE(out, "covariates", iv_prefer_covariate_fields, rows, v->covariate_count);
}

/* -------------------------------------------------------------------- fits -- */

/* Differences of a covariate are divided by their root mean square. */
static int scale_covariates(iv_voting *v, iv_err *err)
{
    const size_t C = v->covariate_count;

    for (size_t k = 0; k < C; k++) {
        double squares = 0.0;
        for (size_t i = 0; i < v->count; i++)
            squares += v->x[i * C + k] * v->x[i * C + k];
        v->scale[k] = sqrt(squares / (double)v->count);
        if (!(v->scale[k] > 0.0))
            return iv_fail_at(err, IV_ENODATA, v->path, 0, "the two systems of every vote have "
                              "the same '%.*s'", (int)v->covariates[k].len, v->covariates[k].ptr);
        for (size_t i = 0; i < v->count; i++)
            v->x[i * C + k] /= v->scale[k];
    }
    return IV_OK;
}

/* The votes of people, or those of the others, alone. */
static int fit_some(iv_preferences **out, iv_voting *v, bool people, iv_preference_model of,
                    iv_err *err)
{
    iv_vote *votes = iv_take(v->own, v->count + 1, sizeof *votes);
    size_t count = 0;

    *out = iv_take(v->own, 1, sizeof **out);
    IV_TRY(iv_taken(v->own, err));
    for (size_t i = 0; i < v->count; i++)
        if ((v->votes[i].judge == v->human) == people)
            votes[count++] = v->votes[i];
    of.judges = 0;
    return iv_preference_fit(*out, votes, count, &of, v->own, err);
}

/* People voted on a random sample of the comparisons that judges voted on. */
static int fit_corrected(iv_voting *v, iv_preference_model of, iv_err *err)
{
    if (v->q->human_design != IV_HUMAN_RANDOM)
        return iv_fail(err, IV_EARG, "--human-design: expected random, a random sample of the "
                       "judges' comparisons");
    if (v->human == IV_NO_ID || v->judges.count < 2 || !v->has_item || v->covariate_count > 0)
        return iv_fail(err, IV_EARG, "--human-design needs votes of people and of another judge, "
                       "and a column of items; without covariates" IV_HINT("; --human NAME says "
                       "who people are"));
    IV_TRY(fit_some(&v->plain, v, false, of, err));
    v->fit = *v->plain;
    if (v->plain->gap != IV_PREFERENCE_EXISTS)
        return IV_OK;
    IV_TRY(fit_some(&v->people, v, true, of, err));
    IV_TRY(iv_preference_correct(&v->corrected, v->votes, v->count, v->human, v->plain, v->own,
                                 err));
    of.judges = 0;
    of.weight = v->corrected.weight;
    of.unit = v->corrected.unit;
    return iv_preference_fit(&v->fit, v->corrected.votes, v->corrected.count, &of, v->own, err);
}

static int fit_votes(iv_voting *v, double confidence, iv_err *err)
{
    iv_preference_model of = {
        .systems = v->systems.count, .items = v->has_item ? v->items.count : 0,
        .judges = v->has_judge && v->judges.count >= IV_MANY_JUDGES ? v->judges.count : 0,
        .positioned = v->q->position, .confidence = confidence };

    if (v->q->human_design != IV_HUMAN_STATED)
        return fit_corrected(v, of, err);
    IV_TRY(scale_covariates(v, err));
    if (v->covariate_count > 0) {
        v->plain = iv_take(v->own, 1, sizeof *v->plain);
        IV_TRY(iv_taken(v->own, err));
        IV_TRY(iv_preference_fit(v->plain, v->votes, v->count, &of, v->own, err));
    }
    of.covariate_count = v->covariate_count;
    of.covariates = v->x;
    return iv_preference_fit(&v->fit, v->votes, v->count, &of, v->own, err);
}

/* -------------------------------------------------------------------- gate -- */

/* A system against the baseline. */
typedef struct rival {
    const iv_preferences *fit;
    size_t system, baseline;
} rival;

static int rate_evidence(iv_evidence *out, const void *of, double bound, double level, iv_err *err)
{
    const rival *r = of;

    (void)err;
    *out = iv_preference_evidence(r->fit, r->system, r->baseline, bound, level);
    return IV_OK;
}

/* Every other system wins against the baseline at a rate of 1/2 less the margin, or more. */
static int put_gate(iv_result *out, iv_voting *v, double confidence, iv_err *err)
{
    const iv_prefer_question *q = v->q;
    const size_t K = v->systems.count;
    const uint32_t base = q->baseline == NULL ? IV_NO_ID
        : iv_ids_find(&v->systems, iv_str_of(q->baseline));
    const double margin = q->margin == IV_ZERO ? 0.0 : q->margin;
    iv_claimed_mean *means = iv_take(v->own, K, sizeof *means);
    rival *rivals = iv_take(v->own, K, sizeof *rivals);
    char measure[120], text[160];
    size_t count = 0;

    IV_TRY(iv_taken(v->own, err));
    if (base == IV_NO_ID || q->margin == 0.0 || K > IV_PREFERENCE_PAIRED)
        return iv_fail(err, IV_EARG, "a gate needs a baseline, a margin, and at most %d systems: "
                       "--baseline and --margin", IV_PREFERENCE_PAIRED);
    (void)snprintf(measure, sizeof measure, "win rate against %.80s", q->baseline);
    (void)snprintf(text, sizeof text, "%s=%.10g", measure, 0.5 - margin);
    for (uint32_t i = 0; i < K; i++) {
        if (i == base)
            continue;
        rivals[count] = (rival){ &v->fit, i, base };
        means[count] = (iv_claimed_mean){
            .system = iv_arena_copy(v->own, v->systems.names[i]), .measure = measure,
            .is = { .mean = NAN, .sd = NAN, .n = (double)v->fit.clusters },
            .evidence = rate_evidence, .of = &rivals[count], .method = model_of(v) };
        count++;
    }
    IV_TRY(iv_taken(v->own, err));
    const char *least = text;
    if (v->fit.gap == IV_PREFERENCE_EXISTS)
        return iv_claim_bounds(out, means, count, &(iv_texts){ &least, 1 },
                               &(iv_texts){ NULL, 0 }, confidence, false, err);
    for (size_t i = 0; i < count; i++)
        (void)iv_result_claim(out, &(iv_claim){
            .measure = measure, .system = means[i].system, .bound = 0.5 - margin, .estimate = NAN,
            .lower = NAN, .upper = NAN, .p = NAN, .p_contrary = NAN, .level = 1.0 - confidence,
            .withheld = "the strengths have no finite estimate", .needed = NAN,
            .detectable = NAN });
    iv_result_decision(out, ": %s", iv_result_answer_text(out));
    return IV_OK;
}

static int find_people(iv_voting *v, iv_err *err)
{
    const char *name = v->q->human != NULL ? v->q->human : "human";

    v->human = iv_ids_find(&v->judges, iv_str_of(name));
    return v->q->human == NULL || v->human != IV_NO_ID || v->judges.count < 2 ? IV_OK
        : iv_fail(err, IV_EARG, "no judge '%.80s'", name);
}

static int answer_votes(iv_result *out, iv_voting *v, const iv_work *work, iv_err *err)
{
    typedef iv_prefer_question T;
    const double confidence = v->q->confidence > 0.0 ? v->q->confidence : 0.95;

    IV_TRY(iv_voting_read(v, out, work, err));
    if (v->count == 0 || v->systems.count < 2)
        return iv_fail_at(err, IV_ENODATA, v->path, 0, v->others > 0
                          ? "no vote of the judges that were named" : "there is no vote");
    IV_TRY(find_people(v, err));
    IV_TRY(fit_votes(v, confidence, err));
    system_row *rows = iv_take(v->own, v->systems.count, sizeof *rows);
    IV_TRY(iv_taken(v->own, err));
    put_systems(out, v, rows, confidence);
    if (v->q->not_worse)
        IV_TRY(put_gate(out, v, confidence, err));
    put_covariates(out, v);
    IV_TRY(put_pairs(out, v, rows, err));
    put_position(out, v, confidence);
    iv_result_say(out, messages, "prefer.no-item", (iv_found){ v->has_item ? 0U : 1U, { 0 } });
    iv_result_say(out, messages, "prefer.skipped", (iv_found){ v->skipped, { 0 } });
    iv_result_assumption(out, "The %s are a random sample of those of interest, and one strength "
                         "per system explains all its comparisons.", !v->has_item ? "votes"
                         : v->has_judge && v->judges.count >= IV_MANY_JUDGES ? "items and judges"
                         : "items");
    return v->judges.count > 1 ? iv_voting_judges(out, v, confidence, err)
        : IV_REFUSE(v->q, "without votes of several judges", err, IV_IDLE(human, "human"));
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    iv_voting v = { .q = asked, .own = iv_result_own(out) };

    v.path = v.q->file != NULL ? v.q->file : "table";
    const int rc = answer_votes(out, &v, work, err);
    iv_ids_free(&v.systems);
    iv_ids_free(&v.items);
    iv_ids_free(&v.judges);
    return rc;
}

int iv_answer_prefer(iv_result *out, const iv_prefer_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_prefer_question, file, PATH, "the votes"),
        IV_PART_OF(iv_prefer_question, columns, TEXTS, "name of a column"),
        IV_PART_OF(iv_prefer_question, judges, TEXTS, "name of a judge"),
        IV_PART_OF(iv_prefer_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
