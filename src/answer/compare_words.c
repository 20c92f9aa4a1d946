/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in words: the answer, and the verdict of a gate. */
#include "answer/answer_private.h"

enum { NAMED = 4 }; /* runs that a sentence names */

static bool significant(const iv_comparing *c, double p)
{
    return iv_significant(p, 1.0 - c->how.confidence);
}

/* How run a stands to run b in one measure by the first test: 1 better, -1 worse, 0 not known. */
int iv_comparing_found(const iv_comparing *c, size_t m, size_t a, size_t b)
{
    const iv_compared_pair *p = c->found[m]->pairs;
    size_t i = 0;

    if (c->how.baseline_count == 0)
        i = iv_pair_index(c->run_count, a < b ? a : b, a < b ? b : a);
    while (i < c->pair_count && !(p[i].a == a && p[i].b == b) && !(p[i].a == b && p[i].b == a))
        i++;
    if (i == c->pair_count)
        return 0;
    const iv_compared_test *k = iv_first_test(c, m, i);
    return !significant(c, k->p_adjusted) ? 0 : p[i].a == a ? k->direction : -k->direction;
}

/* ------------------------------------------------- what could reverse it -- */

static size_t top(const iv_comparing *c) { return iv_top_depth(c->v->measures[0].info); }

static double unjudged(const iv_comparing *c, size_t run)
{
    return iv_top_unjudged(&c->v->runs[run]);
}

/*
 * Could unjudged documents reverse a difference that was found?  Each may be relevant: the mean
 * of the loser, if it has more of them where the measure looks, may be higher by as much as that.
 * Not exact bounds, which would decide nothing on sparse judgments; measured in doc/checks.md.
 */
static bool reversible(const iv_comparing *c, size_t m, const iv_compared_pair *p)
{
    const bool known = c->judged != NULL && !c->asked->scoring.measure.judged_only
        && c->asked->source.parts.count == 0 && c->digits[m] > 2;
    const size_t winner = p->found.mean > 0.0 ? p->a : p->b, loser = p->a + p->b - winner;

    return known && p->found.mean != 0.0
        && unjudged(c, loser) - unjudged(c, winner) >= fabs(p->found.mean);
}

static size_t count_reversible(const iv_comparing *c, size_t m, size_t *worst)
{
    const iv_compared_pair *p = c->found[m]->pairs;
    size_t count = 0;

    for (size_t i = 0; i < c->pair_count; i++) {
        const iv_compared_test *k = iv_first_test(c, m, i);
        if (!significant(c, k->p_adjusted) || !reversible(c, m, &p[i]))
            continue;
        const size_t loser = p[i].found.mean > 0.0 ? p[i].b : p[i].a;
        *worst = count++ == 0 || unjudged(c, loser) > unjudged(c, *worst) ? loser : *worst;
    }
    return count;
}

/* Documents that a run returns for a topic, on average. */
static double depth(const iv_comparing *c, size_t run)
{
    const iv_evaluated_run *r = &c->v->runs[run];

    return r->topics > 0 ? (double)r->noted.retrieved / (double)r->topics : 0.0;
}

/* A run that returns fewer documents than the measure looks at, where another has them. */
static void say_depth(iv_wording *t, const iv_comparing *c, size_t m)
{
    const iv_value_info *v = c->judged == NULL || c->asked->source.parts.count > 0 ? NULL
        : c->judged->measures[m].info;
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
    for (size_t r = 0; c->judged != NULL && r < c->run_count; r++) {
        const iv_run_notes *n = &c->judged->runs[r].noted;
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

    if (c->judged != NULL && c->judged->judged_topics > all)
        all = c->judged->judged_topics;
    const iv_compared_pair *p = c->found[0]->pairs;
    iv_say(t, " %s%s", over, IV_COUNT(shared));
    if (all > shared)
        iv_say(t, " of %s", IV_COUNT(all));
    iv_say(t, " %s", iv_comparing_topic(c, all));
    if (c->asked->scores.given && iv_scored_units(&c->card))
        iv_say(t, " in %s %ss", IV_COUNT(p->found.n), iv_scored_unit(&c->card));
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
                        const iv_compared_test *k)
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
            iv_say(t, "No significant difference between %s and %s", a, b);
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
    if (significant(c, k->test.p) && reversible(c, m, p)) {
        const size_t loser = p->found.mean > 0.0 ? p->b : p->a;
        iv_say(t, "The better run is not known: unjudged documents could reverse the result. "
               "%.0f %% of the top %zu documents of %s are unjudged, and %.0f %% of those of %s: "
               "see intervale incomplete.", 100.0 * unjudged(c, loser),
               top(c), c->runs[loser], 100.0 * unjudged(c, p->a + p->b - loser),
               c->runs[p->a + p->b - loser]);
        return;
    }
    if (p->same)
        iv_say(t, "%s and %s have the same %s on each %s compared:", c->runs[p->a], c->runs[p->b],
               c->measures[m], iv_comparing_topic(c, 1));
    else
        say_finding(t, c, m, p, k);
    say_topics(t, c, p->same ? "" : "over ");
    iv_say(t, ".");
    say_margin(t, c, p);
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
        found += significant(c, iv_first_test(c, m, i)->p_adjusted);
    return found;
}

/* The best run, those that it is better than, and those that it is not. */
static void say_best(iv_wording *t, const iv_comparing *c, size_t m)
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
        iv_say(t, "%s and %zu other%s score highest", c->runs[best], first - 1,
               iv_plural(first - 1));
    else
        iv_say(t, "%s scores highest", c->runs[best]);
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
        iv_say(t, " is not significant");
    } else if (all && tied > 0) {
        iv_say(t, ", but not significantly higher than ");
        name_runs(t, c, m, best, 0);
    }
    if (better > 0) {
        iv_say(t, "; the test finds better: ");
        name_runs(t, c, m, best, -1);
    }
    iv_say(t, ". ");
    if (c->how.baseline_count == 0)
        iv_say(t, "%zu of %zu pairs differ significantly. ", count_found(c, m),
               c->pair_count);
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
    const size_t turned = count_reversible(c, m, &worst);

    if (turned > 0)
        iv_say(t, "Unjudged documents could reverse %zu difference%s (%.0f %% of the top %zu of %s "
               "are unjudged): see intervale incomplete. ", turned, iv_plural(turned),
               100.0 * unjudged(c, worst), top(c), c->runs[worst]);
    if (c->how.baseline_count > 0)
        say_baselines(t, c, m);
    else
        say_best(t, c, m);
}

void iv_comparing_tell_answer(const iv_comparing *c, iv_result *out)
{
    iv_wording t = { .len = 0 };

    if (c->asked->not_worse) {
        iv_comparing_say_gate(&t, c, out);
        iv_result_answer(out, "%s", t.at);
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

/*
 * Each run that is compared with the baseline passes if p_noninferior, adjusted by Holm's method
 * for the number of runs, is below 1 - confidence; it fails if p_inferior is, adjusted for runs and
 * measures: that all pass needs no correction over measures, that one fails does.
 */
static iv_verdict decide(const iv_comparing *c, size_t m, const iv_compared_pair *p,
                         double noninferior, double inferior)
{
    if (reversible(c, m, p) || p->gap == IV_GAP_IMPOSSIBLE)
        return IV_VERDICT_OPEN;
    if (significant(c, inferior))
        return IV_VERDICT_OTHERWISE;
    return significant(c, noninferior) && p->only_b == 0 ? IV_VERDICT_SHOWN : IV_VERDICT_OPEN;
}

/* With how many items would pair k, counted over measures, pass with a power of .8 if they go on
 * like this?  Infinite: no number would do; 0: something else is lacking. */
static double needed(const iv_comparing *c, size_t k)
{
    const iv_compared_pair *p = c->found[k / c->pair_count]->pairs + k % c->pair_count;
    const double margin = iv_comparing_margin(c), above = p->found.mean + margin;
    const double alpha = (1.0 - c->how.confidence) / (double)(c->run_count - 1);
    const double z = iv_norm_isf(alpha) + iv_norm_isf(0.2);
    const double per_unit = (double)p->items / fmax(1.0, p->independent);
    const double unseen = (1.0 - margin) / (1.0 + p->found.mean);

    if (reversible(c, k / c->pair_count, p) || p->gap == IV_GAP_IMPOSSIBLE || p->only_b > 0)
        return 0.0;
    if (!(above > 0.0))
        return INFINITY;
    /* se^2 must come down to this; what repeats share does not come down with items. */
    const double most = pow(above / z, 2.0);
    const double shared = iv_scored_shared(&c->card, k / c->pair_count, p);
    if (shared >= most)
        return INFINITY;
    const double by_t = (pow(p->found.sd, 2.0) / (double)p->found.n - shared) / (most - shared)
        * (double)p->items;
    /* A quotient of logarithms that is whole but for rounding stays so. */
    const double by_unseen = c->unit && unseen > 0.0 && unseen < 1.0
        ? per_unit * ceil(log(alpha) / log(unseen) - 1e-9) : 0.0;
    return ceil(fmax(by_t, by_unseen));
}

/* Is the run of pair k, counted over measures, significantly worse than the baseline? */
static bool is_loss(const iv_comparing *c, size_t k)
{
    const iv_compared_test *t = iv_first_test(c, k / c->pair_count, k % c->pair_count);

    return t->direction < 0 && significant(c, t->p_adjusted);
}

static void say_claim(const iv_comparing *c, size_t m, const iv_compared_pair *p, iv_verdict v,
                      double decides, iv_result *out)
{
    const double margin = iv_comparing_margin(c);
    iv_wording by = { .len = 0 };

    if (reversible(c, m, p))
        iv_say(&by, "unjudged documents could reverse it");
    else if (p->gap == IV_GAP_IMPOSSIBLE)
        iv_say(&by, "the estimate is not a possible value");
    else if (isnan(decides))
        iv_say(&by, "all differences are equal, and scores have no bounds");
    else
        iv_say_p(&by, decides, NULL);
    if (p->only_b > 0)
        iv_say(&by, "; it lacks %zu of the baseline's %s", p->only_b, iv_comparing_topic(c, 2));
    iv_result_verdict(out, v == IV_VERDICT_OPEN && c->asked->gate_on_worse ? IV_VERDICT_SHOWN : v,
                      "%s%s %sworse than %s in %s by more than %.10g (%s)",
                      v == IV_VERDICT_OPEN && !c->asked->gate_on_worse ? "Inconclusive whether "
                      : "",
                      c->runs[p->a], v == IV_VERDICT_SHOWN ? "is not "
                      : v == IV_VERDICT_OPEN && c->asked->gate_on_worse
                      ? "was not demonstrated to be "
                      : "is ", c->runs[p->b], c->measures[m], margin, by.at);
}

/* A set in which a run is significantly worse than the baseline. */
static bool is_worse(const iv_comparing *c, const iv_set_pair *s)
{
    return s->test.direction < 0 && significant(c, s->test.p_adjusted);
}

static void claim_sets(const iv_comparing *c, iv_result *out)
{
    size_t worse = 0;

    for (size_t i = 0; i < c->set_count; i++) {
        const iv_set_pair *s = &c->sets[i];
        if (!is_worse(c, s))
            continue;
        worse++;
        iv_wording by = { .len = 0 };
        iv_say_p(&by, s->test.p_adjusted, NULL);
        iv_result_verdict(out, IV_VERDICT_OTHERWISE, "%s is significantly worse than %s in %s "
                          "in set %s (%s, Holm)", c->runs[s->is.a], c->runs[s->is.b], s->measure,
                          s->set, by.at);
    }
    if (worse == 0)
        iv_result_verdict(out, IV_VERDICT_SHOWN, "No set is significantly worse");
}

int iv_comparing_gate(iv_comparing *c, iv_result *out, iv_err *err)
{
    const size_t n = c->pair_count, M = c->measure_count;

    if (!c->asked->not_worse)
        return IV_OK;
    double *inferior = iv_take(c->own, 2 * M * n + 1, sizeof *inferior);
    IV_TRY(iv_taken(c->own, err));
    double *noninferior = inferior + M * n;
    for (size_t m = 0; m < M; m++) {
        const iv_compared_pair *pairs = c->found[m]->pairs;
        for (size_t i = 0; i < n; i++) {
            noninferior[m * n + i] = pairs[i].p_noninferior;
            inferior[m * n + i] = pairs[i].p_inferior;
        }
        IV_TRY(iv_adjust(noninferior + m * n, noninferior + m * n, n, IV_CORRECT_HOLM, err));
    }
    IV_TRY(iv_adjust(inferior, inferior, M * n, IV_CORRECT_HOLM, err));
    c->hardest = IV_NONE;
    for (size_t k = 0; k < M * n; k++) {
        const iv_compared_pair *p = c->found[k / n]->pairs + k % n;
        const iv_verdict v = decide(c, k / n, p, noninferior[k], inferior[k]);
        const bool passes = v == IV_VERDICT_OPEN && c->asked->gate_on_worse;
        const double decides = v == IV_VERDICT_OTHERWISE || passes ? inferior[k] : noninferior[k];
        const iv_verdict former = c->gate;
        say_claim(c, k / n, p, v, decides, out);
        if (v == IV_VERDICT_OPEN
            && (c->hardest == IV_NONE || needed(c, k) > needed(c, c->hardest)))
            c->hardest = k;
        /* The first that decides is what the first line names; of equals the first loss. */
        if (c->gate == IV_VERDICT_NONE || (v == IV_VERDICT_OTHERWISE && c->gate != v)
            || (v == IV_VERDICT_OPEN && c->gate == IV_VERDICT_SHOWN)
            || (v == c->gate && is_loss(c, k) && !is_loss(c, c->deciding))) {
            c->gate = v;
            c->deciding = k;
            c->deciding_p = decides;
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
    iv_say(t, "%s difference in %s (%s minus %s) is %.*f", start, c->measures[m], c->runs[p->a],
           c->runs[p->b], c->digits[m], p->found.mean);
    if (!isnan(p->lower_adjusted))
        iv_say(t, " (%s%.10g %% interval %.*f to %.*f)",
               c->pair_count > 1 && iv_familywise(c->how.correction) ? "simultaneous " : "",
               100.0 * c->how.confidence, c->digits[m], p->lower_adjusted, c->digits[m],
               p->upper_adjusted);
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
        iv_say(t, "Unjudged documents could reverse the result: judge more.");
    else if (p->gap == IV_GAP_IMPOSSIBLE)
        return; /* compare.impossible says it */
    else if (c->asked->gate_on_worse && p->only_b > 0)
        iv_say(t, "%s lacks %s of the baseline's %s; -c counts them as 0.", c->runs[p->a],
               IV_COUNT(p->only_b), iv_comparing_topic(c, 2));
    else if (c->asked->gate_on_worse || p->only_b > 0)
        return;
    else if (isnan(c->deciding_p))
        iv_say(t, "All differences are equal and the scores have no bounds, so there is no "
               "p-value. With --gate-on worse, this passes.");
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

/* " (p = 0.0200, after Holm's correction p = 0.0400)": of the column of the table that decides. */
static void say_margin_p(iv_wording *t, const iv_comparing *c, const iv_compared_pair *p)
{
    const bool inferior = c->gate == IV_VERDICT_OTHERWISE || c->gate == IV_VERDICT_OPEN;
    const double of_pair = inferior ? p->p_inferior : p->p_noninferior;

    /* Of several that all pass none decides; of what is open yet significant p does not decide. */
    if (isnan(c->deciding_p) || (c->gate == IV_VERDICT_SHOWN && c->pair_count > 1)
        || (c->gate == IV_VERDICT_OPEN
            && (!c->asked->gate_on_worse || significant(c, c->deciding_p))))
        return;
    iv_say(t, " (");
    iv_say_p(t, of_pair, NULL);
    if (c->deciding_p > of_pair) {
        iv_say(t, ", after Holm's correction ");
        iv_say_p(t, c->deciding_p, NULL);
    }
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

    iv_say(t, "%s: ", iv_verdict_name(v));
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
    if (c->gate == IV_VERDICT_OPEN)
        say_todo(&todo, c, p, m);
    if (todo.len > 0)
        iv_result_note(out, "%s", todo.at);
}
