/* SPDX-License-Identifier: Apache-2.0 */
/* What compare says beside its answer: warnings, notes, and the methods in use. */
#include "base/listing.h"
#include "measure/measures.h"
#include "num/dist.h"
#include "result/cautions.h"
#include "result/claims.h"
#include "result/message.h"
#include "result/methods.h"
#include "result/result_build.h"
#include "scores/comparing.h"
#include "scores/score_measures.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"
#include "stat/paired/familywise.h"
#include "stat/paired/pair_p.h"

#include <math.h>
#include <string.h>

/*
 * The first two of a board that do not differ significantly: how many topics would find their
 * difference, if it is as it seems, with power 0.8 at the level of the smallest p-value.  {a} is
 * that number, infinite where the variance between repeats alone is too large; {b} the difference.
 */
static iv_found first_two(const iv_comparing *c)
{
    const iv_compared_pair *p = c->found[0]->pairs;
    size_t a = 0, b = IV_NONE;

    if (c->how.baseline_count > 0 || c->how.alternative != IV_TWO_SIDED || c->asked->not_worse)
        return (iv_found){ 0 };
    const iv_compared_run *runs = c->found[0]->runs;
    for (size_t r = 1; r < c->run_count; r++)
        a = runs[r].rank < runs[a].rank ? r : a;
    for (size_t r = 0; r < c->run_count; r++)
        b = r != a && (b == IV_NONE || runs[r].rank < runs[b].rank) ? r : b;
    const size_t i = iv_pair_index(c->run_count, a < b ? a : b, a < b ? b : a);
    const iv_compared_test *t = iv_first_test(c, 0, i);
    p += i;
    const double alpha = (1.0 - c->how.confidence)
        / (iv_familywise(c->how.correction) ? (double)c->pair_count : 1.0);
    const double of_alpha = iv_norm_isf(0.5 * alpha), z = of_alpha + iv_norm_isf(0.2);
    /* se^2 must come down to this; what repeats share does not come down with items. */
    const double most = p->found.mean * p->found.mean / (z * z);
    const double shared = iv_scored_shared(&c->scored, 0, p);
    const double se = p->found.sd / sqrt((double)p->found.n);
    const double need = shared >= most ? INFINITY
        : ceil((double)p->found.n * fmax(0.0, se * se - shared) / (most - shared)
               + 0.5 * of_alpha * of_alpha); /* for t instead of the normal (Guenther 1981) */
    const bool open = !isnan(t->p_adjusted) && p->found.mean != 0.0
        && !iv_significant(t->p_adjusted, 1.0 - c->how.confidence) && need > (double)p->found.n
        && !(shared > 0.0 && isfinite(need)); /* plan topics allows for its few repeats */
    return (iv_found){ open, { need, fabs(p->found.mean) } };
}

static const iv_message rows[] = {
    { "compare.missing", IV_WARNING, NULL,
      "[{s} has|{n} {t}s have] no score for [|some {u}s (most: {s}, ]{a} of {b}[ {u}s. They|). "
      "These {u}s] are excluded for all {t}s. Use -c to count [them|missing {u}s] as 0." },
    { "compare.several-tests", IV_NOTE, NULL,
      "The first sentence is based on the first of the {n} tests, {s}." },
    { "compare.rare-losses", IV_NOTE, NULL,
      "Rare losses of up to {b} could be missing from these {a} {u}s by chance; about {c} {u}s "
      "would exclude them, as --guaranteed requires." },
    { "compare.gate-error", IV_WARNING, NULL,
      "Rare losses of up to {b} could be missing from these {a} {u}s. With such losses, up to {c%} "
      "of gates would pass falsely; --guaranteed excludes them." },
    { "compare.gate-clusters", IV_WARNING, NULL,
      "Rare clusters with losses of up to {b} could be missing from these {a}. With such clusters, "
      "up to {c%} of gates would pass falsely: use more clusters." },
    { "compare.gate-ratio", IV_WARNING, NULL,
      "If a few items cost far more than the others, up to {a%} of gates on ratios of fewer than "
      "200 items passed falsely in simulations. Use more items." },
    { "compare.margin-zero", IV_WARNING, NULL,
      "With a margin of 0, a version that did not change fails by chance: in {a%} of simulated "
      "series of ten nights. Give a margin above 0." },
    { "compare.many-pairs", IV_WARNING, NULL,
      "{a} pairs are many for {b} {u}s: up to 18 % of such comparisons, not {c%}, report some "
      "difference that is not there. --baseline tests fewer pairs." },
    { "compare.few", IV_WARNING, NULL,
      "With only {a} {u}s, the coverage of 95 % intervals of differences was 84 % to 97 % in "
      "simulations. Such intervals are up to 2.6 times as wide as those of --test t." },
    { "compare.very-few", IV_WARNING, NULL,
      "With only {a} {u}s, the coverage of 95 % intervals of differences may be far below 95 %. It "
      "was not measured for fewer than 5." },
    { "compare.few-units", IV_WARNING, NULL,
      "A difference has only {a} effective degrees of freedom: its interval and test are "
      "unreliable." },
    { "compare.sparse", IV_WARNING, "pairs runs paper",
      "{n} pair[ has|s have] the same difference on all but a few {u}s (fewer than {a}): "
      "[its|their] p-value[ is|s are] only approximate." },
    { "compare.constant", IV_NOTE, "pairs",
      "{n} pair[ has|s have] the same difference on all {u}s: [it has|they have] no interval." },
    { "compare.signs", IV_NOTE, "pairs",
      "{n} interval[ disagrees|s disagree] with p about 0: intervals are of the mean difference, "
      "which the tests sign and wilcoxon do not test." },
    { "compare.impossible", IV_WARNING, NULL,
      "{n} estimate[ is not a possible value and has|s are not possible values and have] no "
      "interval. Judge more documents (intervale plan sample)." },
    { "compare.more-topics", IV_NOTE, NULL,
      "About {a} {u}s would be needed to find a difference of {b}{s} (intervale plan "
      "topics{t})." },
    { "compare.more-repeats", IV_NOTE, NULL,
      "Only more repeats would find a difference of {b}: the variance between repeats alone is "
      "too large." },
    { "compare.unjudged", IV_NOTE, NULL,
      "Scores of {s} do not show unjudged documents, which could change the answer. To check "
      "this, compare judgments and runs." },
    { "compare.measures", IV_NOTE, NULL,
      "Table pairs tests each of the {n} measures by itself, without a correction for their "
      "number." },
    { NULL } };

/* {u} is what is counted: a topic or item; where they vary together, a cluster or set. */
static void say(const iv_comparing *c, iv_result *out, const char *id, iv_found found)
{
    const bool units = c->asked->scores.given && iv_scored_units(&c->scored);

    if (found.text[2] == NULL)
        found.text[2] = units ? iv_scored_unit(&c->scored) : iv_comparing_topic(c, 1);
    iv_result_say(out, rows, id, found);
}

/* Runs that lack topics, and the one that lacks most. */
static void say_runs(const iv_comparing *c, iv_result *out)
{
    const bool complete = c->asked->scoring.complete || (c->v != NULL && c->v->complete);
    iv_found missing = { .value = { 0.0, (double)c->topic_count },
                         .text = { NULL, iv_comparing_run(c, 1), iv_comparing_topic(c, 1) } };

    for (size_t r = 0; !complete && r < c->run_count; r++)
        iv_found_add(&missing, (double)iv_comparing_lacks(c, r), c->runs[r]);
    say(c, out, "compare.missing", missing);
}

static void say_pairs(const iv_comparing *c, iv_result *out)
{
    const double least = iv_caution_at(IV_FEW_DIFFER), few_topics = iv_caution_at(IV_FEW_TOPICS);
    const size_t n = c->pair_count;
    const double N = (double)n, T = (double)c->found[0]->pairs->found.n;
    bool any_hall = false;
    iv_found few = { .value = { INFINITY } };
    size_t sparse = 0, constant = 0, impossible = 0, signs = 0;
    double df = INFINITY;

    for (size_t i = 0; i < c->measure_count * n; i++) {
        const iv_compare_options *how = &c->found[i / n]->options;
        const iv_compared_pair *p = &c->found[i / n]->pairs[i % n];
        const iv_compared_test *test = iv_first_test(c, i / n, i % n);
        const iv_differences *x = &p->found;
        const size_t differ = how->binary ? x->wins + x->losses : p->varied;
        const bool hall = how->tests[0] == IV_TEST_LARGER_P
            || how->tests[0] == IV_TEST_HALL;
        any_hall = any_hall || hall;
        if (hall && !c->scored.structured && x->sd > 0.0 && (double)x->n < few_topics) {
            few.count++;
            few.value[0] = fmin(few.value[0], (double)x->n);
        }
        df = fmin(df, x->sd > 0.0 ? p->df : INFINITY);
        sparse += differ > 0 && (double)differ < least && (double)x->n >= least
            && (test->kind == IV_TEST_T || !test->test.exact); /* t is exact for normal ones only */
        constant += p->gap == IV_GAP_CONSTANT && !p->same;
        for (size_t k = 0; k < how->test_count; k++)
            signs += p[k * n].gap == IV_GAP_NONE && !iv_pair_test_of_mean(test[k].kind)
                && (p[k * n].lower_adjusted > 0.0) - (p[k * n].upper_adjusted < 0.0)
                    != test[k].direction
                        * iv_significant(test[k].p_adjusted, 1.0 - how->confidence);
    }
    for (size_t m = 0; m < c->measure_count; m++) {
        for (size_t i = 0; i < n; i++)
            impossible += c->found[m]->pairs[i].gap == IV_GAP_IMPOSSIBLE;
        for (size_t r = 0; r < c->run_count && c->found[m]->options.bounded; r++)
            impossible += isnan(c->found[m]->runs[r].lower) && c->found[m]->runs[r].mean > 1.0;
    }
    say(c, out, "compare.impossible", (iv_found){ impossible });
    say(c, out, "compare.signs", (iv_found){ signs });
    /*
     * Holm's correction asks for the far tail of each test, where t of a skewed mean is off.
     * Measured on TREC runs with equal means, the familywise error rate is 0.07 or less up to one
     * run for two topics, and up to 0.18 beyond (doc/methods/comparing.md).
     */
    const bool many = any_hall && iv_familywise(c->how.correction)
        && 2.0 * N > pow(iv_caution_at(IV_MANY_RUNS) * T, 2.0); /* N = runs (runs - 1) / 2 */
    say(c, out, "compare.many-pairs", (iv_found){ many, { N, T, 1.0 - c->how.confidence } });
    /* Their skewness is as uncertain as it is decisive. */
    say(c, out, few.value[0] < iv_caution_at(IV_VERY_FEW_TOPICS) ? "compare.very-few"
        : "compare.few", few);
    say(c, out, "compare.few-units",
        (iv_found){ c->scored.structured && iv_few_degrees(df), { df } });
    say(c, out, "compare.sparse", (iv_found){ sparse, { least } });
    say(c, out, "compare.constant", (iv_found){ constant });
}

/* Scores of a measure of ranked documents, without their judgments. */
static iv_found of_documents(const iv_comparing *c)
{
    iv_measures *m = NULL;
    iv_found found = { .text = { c->measures[0] } };

    if (c->v != NULL || iv_measures_parse(&m, c->measures, 1, NULL, NULL) != IV_OK)
        return found;
    /* "recall" and "accuracy" may be anything; "recall_10" is not. */
    found.count = iv_measures_count(m) == 1
        && strcmp(iv_measures_value(m, 0)->measure->name, "Accuracy") != 0;
    iv_measures_free(m);
    return found;
}

static void say_needs(const iv_comparing *c, iv_result *out)
{
    iv_found need = first_two(c);
    char pairs[320] = " with power 0.8", level[48];
    const char *alone = "";

    if (c->pair_count > 1)
        (void)snprintf(pairs, sizeof pairs, ", as between the two highest %s, with power 0.8",
                       iv_comparing_run(c, 2));
    const size_t len = strlen(pairs);
    if (c->pair_count > 1 && iv_familywise(c->how.correction))
        (void)snprintf(pairs + len, sizeof pairs - len, ", corrected for %s pairs",
                       IV_COUNT(c->pair_count));
    else if (c->pair_count > 1)
        alone = " --alone";
    (void)snprintf(level, sizeof level, "%s", alone);
    if (c->how.confidence != 0.95) /* which plan divides by the pairs, too */
        (void)snprintf(level, sizeof level, " --alpha %.3g%s", 1.0 - c->how.confidence, alone);
    need.text[0] = pairs;
    need.text[1] = level;
    if (need.value[0] < 1e9)
        say(c, out, "compare.more-topics", need);
    else if (isinf(need.value[0]) && need.value[1] > 0.0)
        say(c, out, "compare.more-repeats", need);
    say(c, out, "compare.unjudged", of_documents(c));
    say(c, out, "compare.measures", (iv_found){ c->measure_count > 1 ? c->measure_count : 0 });
}

/* ---------------------------------------------------------------- methods -- */

/* The intervals of the means that are shown, each method once. */
static void name_means(const iv_comparing *c, iv_result *out)
{
    const bool shown = !iv_result_wants_one(out)
        ? !c->asked->not_worse || iv_result_wants_charts(out)
        : iv_result_wants_only(out, "runs") || (iv_result_wants_only(out, "paper")
              && c->asked->paper != IV_PAPER_NO_INTERVAL);

    for (size_t m = 0; m < c->measure_count && shown; m++) {
        const iv_compared_run *runs = c->found[m]->runs;
        for (size_t r = 0; r < c->run_count; r++)
            if (isfinite(runs[r].lower) && isfinite(runs[r].upper))
                iv_result_used_with(out, iv_interval_about(runs[r].method)->id,
                                    " for intervals of means");
    }
}

/* Intervals of differences: of answers Tango's, of many pairs Bonferroni's, cut by Holm's p. */
static void name_limits(const iv_comparing *c, iv_result *out)
{
    bool cut = false;

    if (c->how.interval == IV_INTERVAL_NONE)
        return;
    for (size_t m = 0; m < c->measure_count; m++) {
        const iv_compared_pair *p = c->found[m]->pairs;
        if (c->how.interval != IV_INTERVAL_AUTO)
            iv_result_used_with(out, iv_interval_about(c->how.interval)->id,
                                " for intervals of differences");
        for (size_t i = 0; i < c->pair_count * c->how.test_count; i++) {
            const iv_pair_test kind = iv_first_test(c, m, 0)[i / c->pair_count].kind;
            cut = cut || (c->pair_count > 1 && p[i].limit_adjusted == IV_LIMIT_CUT);
            if (c->how.interval == IV_INTERVAL_AUTO && c->found[m]->options.binary
                && kind != IV_TEST_T && kind != IV_TEST_LARGER_P && kind != IV_TEST_HALL) {
                iv_result_used(out, "tango");
                if (!isinf(p[i % c->pair_count].shares.df))
                    iv_result_used(out, "effective-items");
            }
        }
        if (c->pair_count > 1 && iv_familywise(c->how.correction))
            iv_result_used(out, "bonferroni-limits");
    }
    for (size_t i = 0; i < c->set_count; i++)
        cut = cut || c->sets[i].is.limit_adjusted == IV_LIMIT_CUT;
    if (c->set_count > 0 || iv_comparing_groups(c))
        iv_result_used(out, "bonferroni-limits");
    if (cut)
        iv_result_used(out, "holm-limits");
}

/* Is p of a margin summed over all outcomes of 0/1 scores? */
static bool is_exact(const iv_comparing *c, size_t m, size_t pair)
{
    const iv_share_counts *s = &c->found[m]->pairs[pair].shares;

    return s->items > 0.0 && s->items <= IV_SHARES_EXACT && isinf(s->df);
}

const char *iv_margin_method(const iv_comparing *c, size_t m, size_t pair)
{
    return is_exact(c, m, pair) ? "exact-margin"
        : c->found[m]->pairs[pair].shares.items > 0.0 ? "score-margin"
        : c->how.guaranteed ? "betting" : "margin";
}

/* Is p of a margin that of losses that no item shows? */
static bool unseen_decides(const iv_comparing *c)
{
    for (size_t m = 0; m < c->measure_count; m++) {
        const iv_compared_pair *p = c->found[m]->pairs;
        for (size_t i = 0; i < c->pair_count && !is_exact(c, m, i); i++)
            if (p[i].found.sd == 0.0 && p[i].range > 0.0 && !c->how.guaranteed)
                return true;
    }
    return false;
}

/* The tests of a measure, and those against a margin. */
static void name_tests(const iv_comparing *c, size_t m, iv_result *out)
{
    static const char *const tests[] = { "sign", "wilcoxon", "paired-t", "randomisation",
                                         "larger-p", "hall", "mcnemar", "betting" };
    const iv_compare_options *how = &c->found[m]->options;
    const iv_compared_pair *p = c->found[m]->pairs;
    bool known = false, varied = false; /* equal differences have a p if the range is known */

    for (size_t i = 0; i < c->pair_count; i++) {
        known = known || (!(p[i].found.sd > 0.0) && p[i].range > 0.0);
        varied = varied || p[i].found.sd > 0.0;
    }
    for (size_t k = 0; k < how->test_count; k++) {
        const bool larger = how->tests[k] == IV_TEST_LARGER_P;
        if (!larger || varied)
            iv_result_used(out, tests[iv_first_test(c, m, 0)[k].kind]);
        if (larger && known)
            iv_result_used(out, "unseen");
    }
}

/* The range of scores, or the usual one that holds them: for a sentence, not for a decision. */
static double usual_range(const iv_comparing *c, const iv_compared_pair *p, size_t m)
{
    const double *x = iv_comparing_values(c, m);
    double low = INFINITY, high = -INFINITY;

    if (p->range > 0.0)
        return p->range;
    for (size_t i = 0; i < c->run_count * c->topic_count; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    iv_usual_range(&low, &high);
    return high - low;
}

/* A gate that passes, by a test that is not exact, with too few items (or clusters, which may lose
 * together) to exclude rare large losses. */
static void say_rare(const iv_comparing *c, iv_result *out)
{
    const size_t m = c->deciding / c->pair_count, pair = c->deciding % c->pair_count;
    const iv_compared_pair *p = c->gate == IV_VERDICT_SHOWN ? &c->found[m]->pairs[pair] : NULL;

    const bool clusters = c->scored.v != NULL && c->scored.v->cluster != NULL;
    if (p != NULL && c->scored.definitions != NULL
        && c->scored.definitions[m].form == IV_FORM_RATIO) {
        const double ratio = iv_gate_error(IV_GATE_RATIO_PAIR, (double)p->items);
        say(c, out, "compare.gate-ratio", (iv_found){ ratio > 0.0, { ratio } });
        return;
    }
    if (p == NULL || c->how.guaranteed
        || (p->shares.items > 0.0 && (!clusters || isinf(p->shares.df))))
        return;
    const double R = usual_range(c, p, m), margin = iv_comparing_margin(c);
    const double seen = clusters ? fmin(p->independent, p->df + 1.0) : p->independent;
    const double missing = (R - margin) / (R + p->found.mean);
    const double items = missing > 0.0 && missing < 1.0 ? ceil(log(c->decision.level)
                                                              / log(missing)) : 0.0;
    const double rate = missing > 0.0 && missing < 1.0 ? pow(missing, seen) : 0.0;
    if (rate > iv_caution_at(IV_GATE_RARE_LOSSES) && clusters)
        say(c, out, "compare.gate-clusters", (iv_found){ 1, { round(seen), R, rate } });
    else if (rate > iv_caution_at(IV_GATE_RARE_LOSSES))
        say(c, out, "compare.gate-error", (iv_found){ 1, { (double)p->items, R, rate } });
    else if (seen < items && !clusters)
        say(c, out, "compare.rare-losses", (iv_found){ 1, { (double)p->items, R, items } });
}

static void name_methods(const iv_comparing *c, iv_result *out)
{
    const size_t n = c->pair_count;

    for (size_t m = 0; m < c->measure_count; m++)
        name_tests(c, m, out);
    if (c->asked->scores.given)
        iv_scored_used(&c->scored, out);
    for (size_t m = 0; c->scored.definitions != NULL && m < c->measure_count; m++)
        iv_measure_used(&c->scored, m, false, out);
    if (c->how.correction != IV_CORRECT_NONE)
        iv_result_used_with(out, iv_correction_names()[c->how.correction], " for %s pairs",
                            IV_COUNT(n));
    if ((c->set_count > 0 && n * c->measure_count > 1) || iv_comparing_groups(c))
        iv_result_used(out, "holm");
    else if (c->set_count > 0)
        iv_result_used_with(out, "holm", " for %zu sets", c->set_count);
    name_limits(c, out);
    for (size_t m = 0; c->how.margin != 0.0 && m < c->measure_count; m++)
        for (size_t i = 0; i < n; i++)
            if (strcmp(iv_margin_method(c, m, i), "betting") == 0)
                iv_result_used(out, "betting");
            else
                iv_result_used_with(out, iv_margin_method(c, m, i), " of %.10g",
                                    iv_comparing_margin(c));
    if (c->how.margin != 0.0 && unseen_decides(c))
        iv_result_used(out, "unseen");
    say_rare(c, out);
    say(c, out, "compare.margin-zero", (iv_found){ c->asked->not_worse
        && iv_comparing_margin(c) == 0.0, { iv_gate_error(IV_GATE_NIGHTS, 0.0) } });
    if (c->sampled)
        iv_result_used(out, "aslam-pavlu");
    name_means(c, out);
}

static void explain(const iv_comparing *c, iv_result *out)
{
    if (iv_result_wants_only(out, "paper")) /* whose caption says it */
        return;
    if (c->run_count > 2) {
        iv_result_legend(out, "Column 'ranks' gives the ranks still possible for a %s, given all "
                              "significant differences%s.", iv_comparing_run(c, 1),
                         c->how.baseline_count > 0 ? " from the baseline" : "");
        iv_result_about(out, "runs");
    }
    iv_result_key(out, "* p < 0.05, ** p < 0.01, *** p < 0.001");
    iv_result_about(out, c->how.baseline_count > 0 ? IV_COMPARING_PAIRS " paper"
                                                   : IV_COMPARING_PAIRS);
}

void iv_comparing_tell_method(const iv_comparing *c, iv_result *out)
{
    const iv_texts *tests = &c->asked->tests;

    say_runs(c, out);
    if (tests->count > 1)
        say(c, out, "compare.several-tests", (iv_found){ tests->count, .text = { tests->at[0] } });
    say_pairs(c, out);
    say_needs(c, out);
    explain(c, out);
    name_methods(c, out);
}
