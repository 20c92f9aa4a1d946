/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in words: the answer, and the verdict of a gate. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/order.h"
#include "num/dist.h"
#include "result/claims.h"
#include "result/result_build.h"
#include "retrieval/evaluation.h"
#include "retrieval/run_notes.h"
#include "scores/comparing.h"
#include "stat/paired/pair_p.h"
#include "stat/pair_tests.h"
#include "stat/paired/familywise.h"

#include <math.h>

enum { NAMED = 4 }; /* runs that a sentence names */

static bool significant(const iv_comparing *c, double p)
{
    return iv_significant(p, 1.0 - c->how.confidence);
}

/* ------------------------------------------------- what could reverse it -- */

static size_t top(const iv_comparing *c) { return iv_top_depth(c->v->measures[0].info); }

/* In whole percent, as it is written: 2 of 530 documents decide nothing. */
static double unjudged(const iv_comparing *c, size_t run)
{
    return 0.01 * nearbyint(100.0 * iv_top_unjudged(&c->counted[run]));
}

/*
 * The bound on a difference a - b of what only one run lacks: the proportion of the top documents
 * that are unjudged in a, minus that of b.  Each may be relevant: the mean of the run with more of
 * them may be higher by as much.  0: equal, or not known.  Not exact bounds, which would decide
 * nothing on sparse judgments; measured in doc/checks.md.
 */
static double excess(const iv_comparing *c, size_t m, const iv_compared_pair *p)
{
    const bool known = c->counted != NULL && !c->asked->scoring.measure.judged_only
        && c->digits[m] > 2;

    return known ? unjudged(c, p->a) - unjudged(c, p->b) : 0.0;
}

/* Could unjudged documents carry the difference over the margin of a gate, in either direction? */
static bool reversible(const iv_comparing *c, size_t m, const iv_compared_pair *p)
{
    const double e = excess(c, m, p), above = p->found.mean + iv_comparing_margin(c);

    return above < 0.0 ? e > 0.0 && above + e >= 0.0 : e < 0.0 && above + e < 0.0;
}

/*
 * Does the bound allow another answer: that the run with more unjudged documents is not worse,
 * where it is significantly worse; that it is significantly better, where nothing is found?
 */
static bool undecided(const iv_comparing *c, size_t m, const iv_compared_pair *p)
{
    const iv_compared_test *k = iv_first_test(c, m, (size_t)(p - c->found[m]->pairs));
    const double e = excess(c, m, p), side = e > 0.0 ? 1.0 : -1.0;
    const double lower = e > 0.0 ? p->lower_adjusted : -p->upper_adjusted;
    const int found = significant(c, k->p_adjusted) ? k->direction * (int)side : 0;

    if (e == 0.0 || found > 0)
        return false;
    return found < 0 ? side * p->found.mean + fabs(e) >= 0.0 : lower + fabs(e) > 0.0;
}

bool iv_comparing_undecided(const iv_comparing *c, size_t m, size_t pair)
{
    return undecided(c, m, &c->found[m]->pairs[pair]);
}

/* How run a stands to run b in one measure by the first test: 1 better, -1 worse, 0 not known, or
 * unjudged documents could change it. */
int iv_comparing_found(const iv_comparing *c, size_t m, size_t a, size_t b)
{
    const iv_compared_pair *p = c->found[m]->pairs;
    size_t i = 0;

    if (c->how.baseline_count == 0)
        i = iv_pair_index(c->run_count, a < b ? a : b, a < b ? b : a);
    while (i < c->pair_count && !(p[i].a == a && p[i].b == b) && !(p[i].a == b && p[i].b == a))
        i++;
    if (i == c->pair_count || iv_comparing_undecided(c, m, i))
        return 0;
    const iv_compared_test *k = iv_first_test(c, m, i);
    return !significant(c, k->p_adjusted) ? 0 : p[i].a == a ? k->direction : -k->direction;
}

static size_t count_undecided(const iv_comparing *c, size_t m, size_t *worst)
{
    const iv_compared_pair *p = c->found[m]->pairs;
    size_t count = 0;

    for (size_t i = 0; i < c->pair_count; i++) {
        if (!undecided(c, m, &p[i]))
            continue;
        const size_t more = excess(c, m, &p[i]) > 0.0 ? p[i].a : p[i].b;
        *worst = count++ == 0 || unjudged(c, more) > unjudged(c, *worst) ? more : *worst;
    }
    return count;
}

/* "42 % of the top 10 documents of b are unjudged, and 0 % of those of a", if they differ. */
static void say_unjudged(iv_wording *t, const iv_comparing *c, const iv_compared_pair *p,
                         const char *before, const char *after)
{
    const bool turned = unjudged(c, p->b) > unjudged(c, p->a);
    const size_t more = turned ? p->b : p->a, less = turned ? p->a : p->b;
    const double first = nearbyint(100.0 * unjudged(c, more));
    const double second = nearbyint(100.0 * unjudged(c, less));

    if (first > second)
        iv_say(t, "%s%.0f %% of the top %zu documents of %s are unjudged, and %.0f %% of those of "
               "%s%s", before, first, top(c), c->runs[more], second, c->runs[less], after);
}

/* Documents that a run returns for a topic, on average. */
static double depth(const iv_comparing *c, size_t run)
{
    const iv_evaluated_run *r = &c->counted[run];

    return r->topics > 0 ? (double)r->noted.retrieved / (double)r->topics : 0.0;
}

/* A run that returns fewer documents than the measure looks at, where another has them. */
static void say_depth(iv_wording *t, const iv_comparing *c, size_t m)
{
    const iv_value_info *v = c->counted == NULL ? NULL : c->v->measures[m].info;
    size_t least = 0, most = 0;

    if (v == NULL)
        return;
    for (size_t r = 1; r < c->run_count; r++) {
        least = depth(c, r) < depth(c, least) ? r : least;
        most = depth(c, r) > depth(c, most) ? r : most;
    }
    const size_t cut = c->asked->scoring.measure.depth;
    double looked = cut > 0 ? fmin((double)cut, depth(c, most)) : depth(c, most);
    looked = v->cutoff > 0 ? fmin((double)v->cutoff, looked) : looked;
    if (depth(c, least) < (v->cutoff > 0 ? 0.9 : 0.5) * looked)
        iv_say(t, "%s returns only %.0f documents per topic, and %s uses %.0f: compare at equal "
                  "depth with -M %.0f. ", c->runs[least], floor(depth(c, least)), c->measures[m],
               looked, fmax(1.0, floor(depth(c, least))));
}

/* A run whose documents have mostly equal scores is ranked by their names. */
static void say_tied(iv_wording *t, const iv_comparing *c)
{
    for (size_t r = 0; c->counted != NULL && r < c->run_count; r++) {
        const iv_run_notes *n = &c->counted[r].noted;
        if (n->retrieved == 0 || 2 * n->ties <= n->retrieved)
            continue;
        iv_say(t, "%.0f %% of the documents of %s have tied scores and are ranked by name. ",
                  100.0 * (double)n->ties / (double)n->retrieved, c->runs[r]);
        return;
    }
}

/* --------------------------------------------------------------- one pair -- */

/* " over 50 topics", " over 248 of 250 topics". */
static void say_topics(iv_wording *t, const iv_comparing *c, const char *over)
{
    const size_t shared = c->found[0]->shared_items;
    size_t all = c->topic_count;

    if (c->v != NULL && !c->sampled && c->v->judged_topics > all)
        all = c->v->judged_topics;
    const iv_compared_pair *p = c->found[0]->pairs;
    iv_say(t, " %s%s", over, IV_COUNT(shared));
    if (all > shared)
        iv_say(t, " of %s", IV_COUNT(all));
    iv_say(t, " %s", iv_comparing_topic(c, all));
    if (c->asked->scores.given && iv_scored_units(&c->scored))
        iv_say(t, " in %s %ss", IV_COUNT(p->found.n), iv_scored_unit(&c->scored));
}

/* "95 % interval 0.01 to 0.03, p = 0.004", as seen from the run that is ahead. */
static void say_numbers(iv_wording *t, const iv_comparing *c, size_t m, const iv_compared_pair *p,
                        const iv_compared_test *k)
{
    const bool turned = p->found.mean < 0.0;
    const int digits = c->digits[m];
    const double level = 100.0 * c->how.confidence;

    if (!isnan(p->lower) && c->how.alternative == IV_TWO_SIDED)
        iv_say(t, "%.10g %% interval %.*f to %.*f, ", level, digits,
               turned ? -p->upper : p->lower, digits, turned ? -p->lower : p->upper);
    else if (!isnan(p->lower))
        iv_say(t, "%s - %s at %s %.*f with %.10g %% confidence, ", c->runs[p->a], c->runs[p->b],
               c->how.alternative == IV_GREATER ? "least" : "most", digits,
               c->how.alternative == IV_GREATER ? p->lower : p->upper, level);
    iv_say_p(t, k->test.p, k->test.why);
}

/* By how much one mean is larger; what rounds to 0 and is not 0 is below the last digit. */
static void say_amount(iv_wording *t, const iv_comparing *c, size_t m, double amount)
{
    const double least = pow(10.0, -(double)c->digits[m]);
    const bool tiny = amount < 0.5 * least;

    iv_say(t, "%s%.*f in %s", tiny ? "less than " : "", c->digits[m], tiny ? least : amount,
           c->measures[m]);
}

static void say_finding(iv_wording *t, const iv_comparing *c, size_t m, const iv_compared_pair *p,
                        const iv_compared_test *k, bool first)
{
    static const char *const sides[] = { "", "better", "worse" };
    const bool turned = p->found.mean < 0.0, found = significant(c, k->test.p);
    const char *a = c->runs[p->a], *b = c->runs[p->b], *ahead = turned ? b : a;

    if (found && p->found.mean != 0.0 && k->direction == (turned ? -1 : 1)) {
        iv_say(t, "%s beats %s by ", ahead, turned ? a : b);
        say_amount(t, c, m, fabs(p->found.mean));
    } else {
        if (found)
            iv_say(t, "The %s test finds %s better", iv_pair_test_names()[k->kind],
                   k->direction > 0 ? a : b);
        else if (c->how.alternative != IV_TWO_SIDED)
            iv_say(t, "%s is not significantly %s than %s", a, sides[c->how.alternative], b);
        else
            iv_say(t, "%s significant difference between %s and %s", first ? "No" : "no", a, b);
        if (p->found.mean == 0.0) {
            iv_say(t, "%s equal means in %s", found ? ", with" : ":", c->measures[m]);
        } else {
            iv_say(t, "%s %s is ahead by ", found ? ", but" : ":", ahead);
            say_amount(t, c, m, fabs(p->found.mean));
        }
    }
    iv_say(t, " (");
    say_numbers(t, c, m, p, k);
    iv_say(t, ")");
}

static void say_margin(iv_wording *t, const iv_comparing *c, const iv_compared_pair *p)
{
    const double margin = iv_comparing_margin(c);

    if (c->how.margin == 0.0 || c->asked->not_worse)
        return;
    if (isnan(p->p_noninferior)) {
        iv_say(t, " The margin has no p-value, because all differences are equal.");
        return;
    }
    const double level = 1.0 - c->how.confidence;
    const bool near = iv_significant(p->p_equivalent, level);
    const bool fine = iv_significant(p->p_noninferior, level);
    iv_say(t, near ? " %s is equivalent to %s within %.10g ("
           : fine ? " %s is not worse than %s by more than %.10g ("
                  : " Not demonstrated: that %s is not worse than %s by more than %.10g (",
           c->runs[p->a], c->runs[p->b], margin);
    iv_say_p(t, near ? p->p_equivalent : p->p_noninferior, NULL);
    iv_say(t, ").");
}

static void say_pair(iv_wording *t, const iv_comparing *c, size_t m)
{
    const iv_compared_pair *p = c->found[m]->pairs;
    const iv_compared_test *k = iv_first_test(c, m, 0);
    const bool open = undecided(c, m, p);

    if (open)
        say_unjudged(t, c, p, "Cannot be decided: ", ". So far: ");
    if (p->same)
        iv_say(t, "%s and %s have the same %s on each %s compared:", c->runs[p->a], c->runs[p->b],
               c->measures[m], iv_comparing_topic(c, 1));
    else
        say_finding(t, c, m, p, k, !open);
    say_topics(t, c, p->same ? "" : "over ");
    iv_say(t, ".");
    say_margin(t, c, p);
    if (open)
        iv_say(t, " See intervale incomplete.");
    else if (excess(c, m, p) != 0.0)
        say_unjudged(t, c, p, " ", ".");
}

/* ------------------------------------------------------------- many pairs -- */

/* Names the runs that stand so to one of them, in the order of their means. */
static void name_runs(iv_wording *t, const iv_comparing *c, size_t m, size_t to, int how)
{
    const iv_compared_run *runs = c->found[m]->runs;
    size_t count = 0, named = 0;

    for (size_t r = 0; r < c->run_count; r++)
        count += r != to && iv_comparing_found(c, m, to, r) == how;
    for (size_t rank = 1; rank <= c->run_count && named < NAMED; rank++)
        for (size_t r = 0; r < c->run_count && named < NAMED; r++)
            if (r != to && runs[r].rank == rank && iv_comparing_found(c, m, to, r) == how) {
                iv_say(t, "%s%s", named == 0 ? "" : named + 1 == count ? " and " : ", ",
                       c->runs[r]);
                named++;
            }
    if (count > named)
        iv_say(t, " and %zu more", count - named);
}

static size_t count_found(const iv_comparing *c, size_t m)
{
    size_t found = 0;

    for (size_t i = 0; i < c->pair_count; i++)
        found += significant(c, iv_first_test(c, m, i)->p_adjusted)
            && !iv_comparing_undecided(c, m, i);
    return found;
}

/* The best run, those that it is better than, and those that it is not.  open: pairs that are not
 * decided. */
static void say_best(iv_wording *t, const iv_comparing *c, size_t m, size_t open)
{
    const iv_compared_run *runs = c->found[m]->runs;
    const size_t n = c->run_count;
    const bool all = c->how.baseline_count == 0 && c->how.alternative == IV_TWO_SIDED;
    size_t best = 0, first = 0, tied = 0, worse = 0, better = 0;

    for (size_t r = 1; r < n; r++)
        best = runs[r].rank < runs[best].rank ? r : best;
    for (size_t r = 0; all && r < n; r++) {
        const int how = r == best ? 2 : iv_comparing_found(c, m, best, r);
        tied += how == 0;
        worse += how == 1;
        better += how == -1;
    }
    for (size_t r = 0; r < n; r++)
        first += runs[r].rank == 1;
    if (first == n)
        iv_say(t, "All %zu have the same mean", n);
    else if (first > 1)
        iv_say(t, "%s and %zu other%s %s", c->runs[best], first - 1, iv_plural(first - 1),
               iv_comparing_lower(c, m) ? "are lowest" : "score highest");
    else
        iv_say(t, "%s %s", c->runs[best],
               iv_comparing_lower(c, m) ? "is lowest" : "scores highest");
    iv_say(t, " (%s %.*f", c->measures[m], c->digits[m], runs[best].mean);
    say_topics(t, c, "over ");
    iv_say(t, ")");
    if (first > 1) {
        tied = 0;
    } else if (all && tied + better == 0) {
        iv_say(t, " and is significantly better than all others");
    } else if (all && worse > 0 && worse <= NAMED && tied > 0) {
        iv_say(t, " and is significantly better than ");
        name_runs(t, c, m, best, 1);
        iv_say(t, "; its lead over ");
        name_runs(t, c, m, best, 0);
        iv_say(t, open > 0 ? " is not significant or cannot be decided" : " is not significant");
    } else if (all && tied > 0) {
        iv_say(t, ", but not significantly %s than ",
               iv_comparing_lower(c, m) ? "lower" : "higher");
        name_runs(t, c, m, best, 0);
    }
    if (better > 0) {
        iv_say(t, "; the test finds better: ");
        name_runs(t, c, m, best, -1);
    }
    iv_say(t, ". ");
    if (c->how.baseline_count == 0)
        iv_say(t, "%s of %s pairs differ significantly. ", IV_COUNT(count_found(c, m)),
               IV_COUNT(c->pair_count));
}

/* Each run against the baselines, one after the other. */
static void say_baselines(iv_wording *t, const iv_comparing *c, size_t m)
{
    static const char *const sides[] = { "differ significantly from",
                                         "are significantly better than",
                                         "are significantly worse than" };

    for (size_t k = 0; k < c->how.baseline_count; k++) {
        const size_t base = c->how.baselines[k];
        size_t better = 0, worse = 0;
        for (size_t r = 0; r < c->run_count; r++) {
            const int how = r == base ? 0 : iv_comparing_found(c, m, r, base);
            better += how > 0;
            worse += how < 0;
        }
        iv_say(t, "%zu of %zu %s %s %s in %s", better + worse, c->run_count - 1,
               iv_comparing_run(c, c->run_count - 1), sides[c->how.alternative], c->runs[base],
               c->measures[m]);
        if (better > 0) {
            iv_say(t, "; better: ");
            name_runs(t, c, m, base, -1);
        }
        if (worse > 0) {
            iv_say(t, "; worse: ");
            name_runs(t, c, m, base, 1);
        }
        iv_say(t, ". ");
    }
}

static void say_many(iv_wording *t, const iv_comparing *c, size_t m)
{
    size_t worst = 0;
    const size_t open = count_undecided(c, m, &worst);

    if (open > 0)
        iv_say(t, "%s of %s pairs cannot be decided: too many documents are unjudged (most: %s, "
               "%.0f %% of its top %zu), see intervale incomplete. ", IV_COUNT(open),
               IV_COUNT(c->pair_count), c->runs[worst], 100.0 * unjudged(c, worst), top(c));
    if (c->how.baseline_count > 0)
        say_baselines(t, c, m);
    else
        say_best(t, c, m, open);
}

void iv_comparing_tell_answer(const iv_comparing *c, iv_result *out)
{
    iv_wording t = { .len = 0 };

    if (c->asked->not_worse) {
        iv_comparing_say_gate(&t, c, out);
        iv_result_decision(out, "%s", t.at);
        return;
    }
    if (c->v != NULL && iv_none_relevant(c->v, 0))
        iv_say(&t, "No judgment reaches the grade that counts as relevant. ");
    say_tied(&t, c);
    say_depth(&t, c, 0);
    if (c->pair_count == 1)
        say_pair(&t, c, 0);
    else
        say_many(&t, c, 0);
    while (t.len > 0 && t.at[t.len - 1] == ' ')
        t.at[--t.len] = '\0';
    iv_result_answer(out, "%s", t.at);
}

/* --------------------------------------------------------------- the gate -- */

/* With how many items would pair k, counted over measures, pass with a power of .8 if they go on
 * like this?  Infinite: no number would do; 0: something else is lacking. */
static double needed(const iv_comparing *c, size_t k)
{
    const iv_compared_pair *p = c->found[k / c->pair_count]->pairs + k % c->pair_count;
    const double margin = iv_comparing_margin(c), above = p->found.mean + margin;
    const double alpha = (1.0 - c->how.confidence) / (double)(c->run_count - 1);
    const double z = iv_norm_isf(alpha) + iv_norm_isf(0.2);
    const double per_unit = (double)p->items / fmax(1.0, p->independent), R = p->range;
    const double unseen = (R - margin) / (R + p->found.mean);

    if (reversible(c, k / c->pair_count, p) || p->gap == IV_GAP_IMPOSSIBLE || p->only_b > 0)
        return 0.0;
    if (!(above > 0.0))
        return INFINITY;
    if (c->how.guaranteed && !(p->shares.items > 0.0))
        return iv_betting_items(p->found.mean, p->found.sd, -R, R, -margin, alpha);
    /* se^2 must come down to this; what repeats share does not come down with items. */
    const double most = pow(above / z, 2.0);
    const double shared = iv_scored_shared(&c->scored, k / c->pair_count, p);
    if (shared >= most)
        return INFINITY;
    const double by_t = (pow(p->found.sd, 2.0) / (double)p->found.n - shared) / (most - shared)
        * (double)p->items;
    /* A quotient of logarithms that is whole but for rounding stays so. */
    const bool equal = p->shares.items > 0.0 || p->found.sd == 0.0;
    const double by_unseen = equal && R > 0.0 && unseen > 0.0 && unseen < 1.0
        ? per_unit * ceil(log(alpha) / log(unseen) - 1e-9) : 0.0;
    return ceil(fmax(by_t, by_unseen));
}

/* Is the run of pair k, counted over measures, significantly worse than the baseline? */
static bool is_loss(const iv_comparing *c, size_t k)
{
    const iv_compared_test *t = iv_first_test(c, k / c->pair_count, k % c->pair_count);

    return t->direction < 0 && significant(c, t->p_adjusted);
}

/* What is in the way of a verdict, whatever p is; NULL: nothing. */
static const char *obstacle(bool *unknown, const iv_comparing *c, size_t m,
                            const iv_compared_pair *p)
{
    *unknown = reversible(c, m, p) || p->gap == IV_GAP_IMPOSSIBLE;
    return reversible(c, m, p) ? "unjudged documents could reverse it"
        : p->gap == IV_GAP_IMPOSSIBLE ? "the estimate is not a possible value"
        : p->only_b > 0 ? "the system lacks items of the baseline"
        : isnan(p->p_noninferior) ? "all differences are equal, and the range of scores is not "
                                    "known" : NULL;
}

/* The claim on pair k, counted over measures, at levels for that pair. */
static iv_claim claim_pair(const iv_comparing *c, size_t k, double level, double contrary)
{
    const size_t m = k / c->pair_count;
    const iv_compared_pair *p = c->found[m]->pairs + k % c->pair_count;
    const bool guaranteed = c->how.guaranteed;
    iv_claim x = { .kind = IV_CLAIM_NOT_WORSE, .measure = c->measures[m], .system = c->runs[p->a],
                   .baseline = c->runs[p->b], .bound = iv_comparing_margin(c),
                   .estimate = p->found.mean, .p = p->p_noninferior, .p_contrary = p->p_inferior,
                   .level = level, .level_contrary = contrary, .items = (double)p->items,
                   .method = iv_margin_method(c, m, k % c->pair_count),
                   .strength = guaranteed ? IV_STRENGTH_GUARANTEED : IV_STRENGTH_DEFAULT };

    x.withheld = obstacle(&x.unknown, c, m, p);
    if (isnan(x.p))
        x.p = x.p_contrary = 1.0; /* nothing is known */
    iv_pair_limits(&x.lower, &x.upper, p, x.bound, level, contrary);
    iv_claim_outlook(&x);
    if (guaranteed && !(p->shares.items > 0.0))
        iv_claim_bet(&x, p->found.sd, -p->range, p->range);
    x.needed = needed(c, k);
    return x;
}

/* A set in which a run is significantly worse than the baseline. */
static bool is_worse(const iv_comparing *c, const iv_set_pair *s)
{
    return s->test.direction < 0 && significant(c, s->test.p_adjusted);
}

static void claim_sets(const iv_comparing *c, iv_result *out)
{
    for (size_t i = 0; i < c->set_count; i++) {
        const iv_set_pair *s = &c->sets[i];
        (void)iv_result_claim(out, &(iv_claim){
            .kind = IV_CLAIM_NOT_WORSE, .measure = s->measure, .system = c->runs[s->is.a],
            .baseline = c->runs[s->is.b], .set = s->set, .estimate = s->is.found.mean,
            .lower = s->is.lower_adjusted, .upper = s->is.upper_adjusted, .p = 1.0,
            .p_contrary = s->test.direction < 0 ? s->test.p_adjusted : 1.0,
            .level = 1.0 - c->how.confidence, .items = (double)s->is.items, .method = "holm",
            .needed = NAN, .detectable = NAN, .open_passes = true });
    }
}

/* The level that each p-value must be below by Holm's method. */
static int holm_levels(double *levels, const double *p, size_t n, double alpha, iv_arena *own,
                       iv_err *err)
{
    iv_placed *order = iv_take(own, n + 1, sizeof *order);
    size_t rejected = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < n; i++)
        order[i] = (iv_placed){ isnan(p[i]) ? -1.0 : -p[i], i };
    qsort(order, n, sizeof *order, iv_descending_placed);
    while (rejected < n && iv_significant(-order[rejected].value, alpha / (double)(n - rejected)))
        rejected++;
    for (size_t i = 0; i < n; i++) {
        const size_t before = i < rejected ? i : rejected;
        levels[order[i].at] = alpha / (double)(n - (before < n ? before : n - 1));
    }
    return IV_OK;
}

/* The levels of all pairs, counted over measures.  That all pass needs no correction over
 * measures, that one fails does.  A guarantee is Bonferroni's: its limits are known before p. */
static int find_levels(double **pass, double **fail, const iv_comparing *c, iv_err *err)
{
    const size_t n = c->pair_count, all = c->measure_count * n;
    const double alpha = 1.0 - c->how.confidence;
    double *p = iv_take(c->own, 4 * all + 1, sizeof *p), *inferior = p + all;

    IV_TRY(iv_taken(c->own, err));
    *pass = p + 2 * all;
    *fail = p + 3 * all;
    for (size_t k = 0; k < all; k++) {
        p[k] = c->found[k / n]->pairs[k % n].p_noninferior;
        inferior[k] = c->found[k / n]->pairs[k % n].p_inferior;
        (*pass)[k] = (*fail)[k] = alpha / (double)n;
    }
    if (c->how.guaranteed)
        return IV_OK;
    for (size_t m = 0; m < c->measure_count; m++)
        IV_TRY(holm_levels(*pass + m * n, p + m * n, n, alpha, c->own, err));
    return holm_levels(*fail, inferior, all, alpha, c->own, err);
}

/* Of two pairs with one verdict: does a say more of a loss than b? */
static bool loses_more(const iv_comparing *c, size_t a, size_t b)
{
    const size_t n = c->pair_count;
    const bool loss = is_loss(c, a);

    return loss != is_loss(c, b) ? loss
        : c->found[a / n]->pairs[a % n].p_inferior < c->found[b / n]->pairs[b % n].p_inferior;
}

int iv_comparing_gate(iv_comparing *c, iv_result *out, iv_err *err)
{
    const size_t n = c->pair_count, M = c->measure_count;
    double *pass, *fail;

    if (!c->asked->not_worse)
        return IV_OK;
    IV_TRY(find_levels(&pass, &fail, c, err));
    c->hardest = IV_NONE;
    for (size_t k = 0; k < M * n; k++) {
        iv_claim claim = claim_pair(c, k, pass[k], fail[k]);
        const iv_verdict v = iv_claim_decide(&claim), former = c->gate;
        claim.open_passes = c->asked->gate_on_worse;
        (void)iv_result_claim(out, &claim);
        if (v == IV_VERDICT_OPEN
            && (c->hardest == IV_NONE || needed(c, k) > needed(c, c->hardest)))
            c->hardest = k;
        /* The first line names the pair that decides; of equals the clearest loss. */
        if (c->gate == IV_VERDICT_NONE || (v == IV_VERDICT_OTHERWISE && c->gate != v)
            || (v == IV_VERDICT_OPEN && c->gate == IV_VERDICT_SHOWN)
            || (v == c->gate && loses_more(c, k, c->deciding))) {
            c->gate = v;
            c->deciding = k;
            c->decision = claim;
            c->alike = v == former ? c->alike : 0;
        }
        c->alike += v == c->gate;
    }
    if (c->asked->gate_sets)
        claim_sets(c, out);
    return IV_OK;
}

/* "gsm8k (-0.228, 95 % interval -0.301 to -0.155)": of pair k, counted over measures, the sets in
 * which it is worse, the worst first, as they are sorted.  Their number, and that of its sets. */
static size_t list_losses(iv_wording *t, size_t *sets, const iv_comparing *c, size_t k)
{
    enum { SETS = 3 };
    const size_t m = k / c->pair_count, run = c->found[m]->pairs[k % c->pair_count].a;
    size_t worse = 0;

    *sets = 0;
    for (size_t i = 0; i < c->set_count; i++) {
        const iv_set_pair *s = &c->sets[i];
        if (s->measure != c->measures[m] || s->is.a != run)
            continue;
        ++*sets;
        if (!is_worse(c, s) || worse++ >= SETS)
            continue;
        iv_say(t, "%s%s (%.3f, %.10g %% interval %.3f to %.3f)", worse == 1 ? "" : ", ", s->set,
               s->is.found.mean, 100.0 * c->how.confidence, s->is.lower_adjusted,
               s->is.upper_adjusted);
    }
    if (worse > SETS)
        iv_say(t, " and %zu more", worse - SETS);
    return worse;
}

/* One pair that is worse in sets, *pair: that which decides if it is so; others are counted. */
static void say_sets(iv_wording *t, size_t *pair, const iv_comparing *c)
{
    const size_t n = c->pair_count, all = c->measure_count * n;
    size_t losing = 0, sets;

    for (size_t i = 0; i < all; i++) {
        const size_t k = (c->deciding + i) % all;
        const iv_compared_pair *p = &c->found[k / n]->pairs[k % n];
        iv_wording list = { .len = 0 };
        const size_t worse = list_losses(&list, &sets, c, k);
        if (worse == 0 || losing++ > 0)
            continue;
        *pair = k;
        iv_say(t, "%s is significantly worse than %s in %s%s%zu of %zu sets: %s", c->runs[p->a],
               c->runs[p->b], all > n ? c->measures[k / n] : "", all > n ? " in " : "", worse,
               sets, list.at);
    }
    if (losing > 1)
        iv_say(t, "; %zu other comparison%s such a set, too", losing - 1,
               losing == 2 ? " has" : "s have");
}

/* The pair that decides, with its numbers. */
static void say_overall(iv_wording *t, const iv_comparing *c, const iv_compared_pair *p, size_t m,
                        const char *start)
{
    const bool turned = iv_comparing_lower(c, m);

    iv_say(t, "%s difference in %s (%s minus %s) is %.*f", start, c->measures[m],
           c->runs[turned ? p->b : p->a], c->runs[turned ? p->a : p->b], c->digits[m],
           p->found.mean);
    if (!isnan(c->decision.lower)) {
        iv_say(t, " (");
        iv_say_one_sided(t, c->how.confidence, c->pair_count, c->decision.lower,
                         c->decision.upper, -iv_comparing_margin(c));
        iv_say(t, ")");
    }
    say_topics(t, c, "over ");
    if (p->same)
        iv_say(t, ", with the same difference on every %s", iv_comparing_topic(c, 1));
}

/* What to do about a gate that is inconclusive; of one that passes then, what is to be known. */
static void say_todo(iv_wording *t, const iv_comparing *c, const iv_compared_pair *p, size_t m)
{
    const double items = needed(c, c->hardest);
    const size_t of = c->hardest / c->pair_count;
    const iv_compared_pair *most = c->found[of]->pairs + c->hardest % c->pair_count;
    const bool many = c->measure_count > 1;

    if (reversible(c, m, p))
        iv_say(t, "Judge more documents: intervale incomplete shows what they could change.");
    else if (p->gap == IV_GAP_IMPOSSIBLE)
        return; /* compare.impossible says it */
    else if (c->asked->gate_on_worse && p->only_b > 0)
        iv_say(t, "%s lacks %s of the baseline's %s; -c counts them as 0.", c->runs[p->a],
               IV_COUNT(p->only_b), iv_comparing_topic(c, 2));
    else if (c->asked->gate_on_worse || p->only_b > 0)
        return;
    else if (isnan(p->p_noninferior))
        iv_say(t, "All differences are equal: state the range of the scores (--range LOW,HIGH) to "
               "decide how many items are enough.");
    else if (items > (double)most->items && items < 1e9)
        iv_say(t, "If the difference of '%s'%s%s stays as it is, about %s %s are needed to pass at "
                  "this margin.", c->runs[most->a], many ? " in " : "",
               many ? c->measures[of] : "", IV_COUNT(items), iv_comparing_topic(c, 2));
    else if (isinf(items) && most->found.mean + iv_comparing_margin(c) > 0.0)
        iv_say(t, "The variance between repeats alone is too large: only more repeats would let "
                  "'%s' pass.", c->runs[most->a]);
    else if (isinf(items))
        iv_say(t, "If the loss%s%s stays this large, no number of %s lets '%s' pass.",
               many ? " in " : "", many ? c->measures[of] : "", iv_comparing_topic(c, 2),
               c->runs[most->a]);
}

/* " (p = 0.0200, level 0.0250)": of the column of the table that decides. */
static void say_margin_p(iv_wording *t, const iv_comparing *c, const iv_compared_pair *p)
{
    const bool inferior = c->gate == IV_VERDICT_OTHERWISE || c->gate == IV_VERDICT_OPEN;
    const double of_pair = inferior ? p->p_inferior : p->p_noninferior;
    const double level = inferior ? c->decision.level_contrary : c->decision.level;

    /* Of several that all pass none decides; of what is open yet significant p does not decide. */
    if (isnan(of_pair) || (c->gate == IV_VERDICT_SHOWN && c->pair_count > 1)
        || (c->gate == IV_VERDICT_OPEN
            && (!c->asked->gate_on_worse || iv_significant(of_pair, level))))
        return;
    iv_say(t, " (");
    iv_say_p(t, of_pair, NULL);
    if (level < 1.0 - c->how.confidence - 1e-9)
        iv_say(t, ", by %s correction to be below %.3g",
               c->how.guaranteed ? "Bonferroni's" : "Holm's", level);
    iv_say(t, ")");
}

/* "new is significantly worse than main, but not by more than 0.03 (p = 0.01). " */
static void say_small_loss(iv_wording *t, const iv_comparing *c, const iv_compared_pair *p)
{
    const double margin = iv_comparing_margin(c);
    const size_t n = c->pair_count;
    const bool all = c->gate == IV_VERDICT_SHOWN && n > 1;

    if (all)
        iv_say(t, "none of %zu %s is worse than %s by more than %.10g, but %s is significantly "
               "worse", n, iv_comparing_run(c, n), c->runs[p->b], margin, c->runs[p->a]);
    else
        iv_say(t, "%s is significantly worse than %s, but ", c->runs[p->a], c->runs[p->b]);
    if (c->gate == IV_VERDICT_SHOWN && !all)
        iv_say(t, "not by more than %.10g", margin);
    else if (!all)
        iv_say(t, "a loss of more than %.10g is %s", margin,
               c->asked->gate_on_worse ? "not demonstrated" : "neither demonstrated nor excluded");
    if (c->gate == IV_VERDICT_SHOWN || c->asked->gate_on_worse)
        say_margin_p(t, c, p);
    iv_say(t, ". ");
}

/* "new is not worse than main by more than 0.03 (p = 0.01). " */
static void say_verdict(iv_wording *t, const iv_comparing *c, const iv_compared_pair *p, size_t m)
{
    static const char *const words[] = { "worse", "not worse", "significantly worse", "worse" };
    const size_t n = c->pair_count;
    const bool open = c->gate == IV_VERDICT_OPEN, passes = open && c->asked->gate_on_worse;
    const bool lacks = open && !passes && p->only_b > 0 && !reversible(c, m, p);

    if (open && !passes && reversible(c, m, p)) {
        iv_say(t, "unjudged documents could change whether %s is worse than %s by more than "
               "%.10g. ", c->runs[p->a], c->runs[p->b], iv_comparing_margin(c));
        return;
    }
    if (c->gate != IV_VERDICT_OTHERWISE && !lacks && !reversible(c, m, p)
        && is_loss(c, c->deciding)) {
        say_small_loss(t, c, p);
        return;
    }
    if (lacks)
        iv_say(t, "%s lacks %s of the baseline's %s (-c counts them as 0); ", c->runs[p->a],
               IV_COUNT(p->only_b), iv_comparing_topic(c, 2));
    if (passes)
        iv_say(t, "%s was not demonstrated to be", c->runs[p->a]);
    else if (c->gate == IV_VERDICT_SHOWN && n > 1)
        iv_say(t, "none of %zu %s is", n, iv_comparing_run(c, n));
    else
        iv_say(t, "%s %s", lacks ? "it" : c->runs[p->a], open ? "may be" : "is");
    iv_say(t, " %s than %s by more than %.10g",
           c->gate == IV_VERDICT_SHOWN && n > 1 ? "worse" : words[c->gate], c->runs[p->b],
           iv_comparing_margin(c));
    say_margin_p(t, c, p);
    iv_say(t, ". ");
}

void iv_comparing_say_gate(iv_wording *t, const iv_comparing *c, iv_result *out)
{
    const iv_verdict v = iv_result_has_verdict(NULL, NULL, out);
    iv_wording sets = { .len = 0 }, todo = { .len = 0 };
    size_t losing = c->deciding;
    say_sets(&sets, &losing, c);
    const bool by_sets = v == IV_VERDICT_OTHERWISE && c->gate != v;
    const size_t told = by_sets ? losing : c->deciding, m = told / c->pair_count;
    const iv_compared_pair *p = c->found[m]->pairs + told % c->pair_count;

    iv_say(t, ": ");
    if (by_sets) {
        iv_say(t, "%s. ", sets.at);
        say_overall(t, c, p, m, "The overall");
        iv_say(t, ". Without --gate-sets, the verdict would be %s. Sets are tested without the "
                  "margin of %.10g.",
               c->gate == IV_VERDICT_SHOWN || c->asked->gate_on_worse ? "PASS" : "INCONCLUSIVE",
               iv_comparing_margin(c));
        return;
    }
    say_verdict(t, c, p, m);
    say_overall(t, c, p, m, "The");
    iv_say(t, ".");
    if (c->alike > 1 && v == IV_VERDICT_OTHERWISE)
        iv_say(t, " %zu other comparison%s fail%s as well.", c->alike - 1,
               iv_plural(c->alike - 1), c->alike == 2 ? "s" : "");
    else if (c->alike > 1 && v == IV_VERDICT_OPEN)
        iv_say(t, " %zu other comparison%s inconclusive, too.", c->alike - 1,
               c->alike == 2 ? " is" : "s are");
    if (sets.len > 0)
        iv_say(t, " %s%s.", v == IV_VERDICT_OTHERWISE ? "" : "But ", sets.at);
    iv_say_detectable(t, &c->decision);
    if (c->gate == IV_VERDICT_OPEN)
        say_todo(&todo, c, p, m);
    if (todo.len > 0)
        iv_result_note(out, "%s", todo.at);
}
