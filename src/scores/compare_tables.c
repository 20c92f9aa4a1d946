/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of compare: pairs, runs, paper, sampling. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "result/answering.h"
#include "retrieval/evaluation.h"
#include "retrieval/run_notes.h"
#include "scores/comparing.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"
#include "stat/paired/familywise.h"
#include "stat/paired/pair_p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *iv_comparing_mark(double p)
{
    return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
}

/* Digits for people: those of the measure that needs most. */
static int digits_of(const iv_comparing *c)
{
    int digits = 0;

    for (size_t m = 0; m < c->measure_count; m++)
        digits = c->digits[m] > digits ? c->digits[m] : digits;
    return digits;
}

/* The measure as ir_measures calls it, where it is known. */
static const char *canonical_of(const iv_comparing *c, size_t m)
{
    return c->v == NULL || c->v->measures[m].info == NULL ? c->measures[m]
        : c->v->measures[m].info->canonical;
}

#define CANONICAL(row) { "canonical", IV_AT(row, canonical), .audience = IV_FOR_PROGRAMS, \
                         .about = "name of the measure in ir_measures" }

/* ---------------------------------------------------------------- pairs -- */

/* What decides which columns there are, or which of them people see. */
enum { MEASURES = 2, TESTS = 4, MARGIN = 8, TIED = 16, JUDGED = 32 };

typedef struct pair_row {
    const char *a, *b, *measure, *canonical, *marked_at, *open;
    int found;
    iv_compared_pair pair;
    iv_compared_test test;
    char pair_is[256], marked[32]; /* for people: "a - b"; p with a mark */
} pair_row;

const iv_field iv_comparing_pair_fields[] = {
    { "pair", IV_AT(pair_row, pair_is), .audience = IV_FOR_PEOPLE,
      .about = "the two runs or systems, a - b" },
    { "a", IV_AT(pair_row, a), .audience = IV_FOR_PROGRAMS, .about = "a run or system" },
    { "b", IV_AT(pair_row, b), .audience = IV_FOR_PROGRAMS,
      .about = "another run or system, or the baseline" },
    { "measure", IV_AT(pair_row, measure), .shown = MEASURES, .about = "name of the measure" },
    { "topics", IV_AT(pair_row, pair.items), .audience = IV_FOR_PROGRAMS,
      .about = "number of topics or items scored for all runs" },
    { "difference", IV_AT(pair_row, pair.found.mean), .digits = IV_DIGITS,
      .about = "difference of the means, a - b; b - a where lower is better" },
    IV_PAIR_LIMITS(pair_row, pair., pair., IV_DIGITS),
    { "wins", IV_AT(pair_row, pair.found.wins), .audience = IV_FOR_PROGRAMS,
      .about = "topics, items or clusters on which a is better" },
    { "ties", IV_AT(pair_row, pair.found.ties), .audience = IV_FOR_PROGRAMS,
      .about = "topics, items or clusters on which both are equal" },
    { "losses", IV_AT(pair_row, pair.found.losses), .audience = IV_FOR_PROGRAMS,
      .about = "topics, items or clusters on which b is better" },
    { "test", IV_AT(pair_row, test.kind), .names = iv_pair_test_names, .shown = TESTS,
      .about = "test of the difference" },
    { "p", IV_AT(pair_row, test.test.p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "p-value of the test" },
    { "p_adjusted", IV_AT(pair_row, test.p_adjusted), .digits = 4,
      .audience = IV_FOR_PROGRAMS, .about = "p-value, corrected for the number of pairs" },
    { "p_shown", IV_AT(pair_row, marked_at), .audience = IV_FOR_PEOPLE, .heading = "p (adjusted)",
      .about = "p-value of the test, corrected for the number of pairs" },
    IV_ADJUSTED_LIMITS(pair_row, pair., IV_DIGITS),
    { "found", IV_AT(pair_row, found), .audience = IV_FOR_PROGRAMS,
      .about = "1: a is significantly better, -1: b is, 0: no significant difference, or unjudged "
      "documents could change it" },
    { "unjudged", IV_AT(pair_row, open), .audience = IV_IF_ANY,
      .about = "unjudged documents could change whether the runs differ" },
    { "correction", IV_AT(pair_row, test.correction), .names = iv_correction_names,
      .audience = IV_FOR_PROGRAMS, .about = "correction method of p" },
    { "statistic", IV_AT(pair_row, test.test.statistic), .digits = 4,
      .audience = IV_FOR_PROGRAMS, .about = "statistic of the test" },
    { "exact", IV_AT(pair_row, test.test.exact), .audience = IV_FOR_PROGRAMS,
      .about = "1: p is exact; 0: it is an approximation" },
    { "sd", IV_AT(pair_row, pair.found.sd), .digits = IV_DIGITS, .audience = IV_FOR_PROGRAMS,
      .about = "standard deviation of the differences" },
    { "effect", IV_AT(pair_row, pair.found.effect), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "mean difference divided by the standard deviation of the differences" },
    { "superiority", IV_AT(pair_row, pair.superiority), .digits = 3,
      .audience = IV_FOR_PROGRAMS, .about = "proportion of topics, items or clusters that a "
      "wins; a tie counts half" },
    { "only_a", IV_AT(pair_row, pair.only_a), .audience = IV_FOR_PROGRAMS,
      .about = "topics or items that b lacks" },
    { "only_b", IV_AT(pair_row, pair.only_b), .audience = IV_FOR_PROGRAMS,
      .about = "topics or items that a lacks" },
    { "p_above", IV_AT(pair_row, pair.p_above), .digits = 4, .needs = MARGIN,
      .audience = IV_FOR_PROGRAMS, .about = "probability (flat prior) that a is better than b "
                                            "by more than the margin" },
    { "p_noninferior", IV_AT(pair_row, pair.p_noninferior), .digits = 4, .needs = MARGIN,
      .about = "p-value; if small, it demonstrates that a is not worse by more than the margin" },
    { "p_equivalent", IV_AT(pair_row, pair.p_equivalent), .digits = 4, .needs = MARGIN,
      .audience = IV_FOR_PROGRAMS, .about = "p-value of the equivalence test; small: the two "
                                            "differ by less than the margin" },
    { "p_inferior", IV_AT(pair_row, pair.p_inferior), .digits = 4, .needs = MARGIN,
      .about = "p-value; if small, it demonstrates that a is worse by more than the margin" },
    CANONICAL(pair_row),
    { NULL } };

static void fill_pair(pair_row *row, const iv_comparing *c, size_t m, const iv_compared_pair *p,
                      const iv_compared_test *t)
{
    const double x = t->p_adjusted;

    *row = (pair_row){ .a = c->runs[p->a], .b = c->runs[p->b], .measure = c->measures[m],
                       .canonical = canonical_of(c, m), .pair = *p, .test = *t };
    const bool turned = iv_comparing_lower(c, m);
    (void)snprintf(row->pair_is, sizeof row->pair_is, "%.120s - %.120s",
                   turned ? row->b : row->a, turned ? row->a : row->b);
    if (iv_comparing_undecided(c, m, (size_t)(p - c->found[m]->pairs) % c->pair_count))
        row->open = "could change it";
    else if (iv_significant(x, 1.0 - c->how.confidence))
        row->found = t->direction;
    if (!iv_comparing_items(c, m)) { /* its items have no values to count or to divide by */
        iv_differences *is = &row->pair.found;
        is->wins = is->ties = is->losses = SIZE_MAX;
        is->sd = is->effect = row->pair.superiority = (double)NAN;
    }
    (void)snprintf(row->marked, sizeof row->marked,
                   x < IV_P_LEAST ? "< %.0e%s%s" : x < 0.0001 ? "%.1e%s%s" : "%.4f%s%s",
                   fmax(x, IV_P_LEAST), x < 0.05 ? " " : "", iv_comparing_mark(x));
    row->marked_at = isnan(x) ? NULL : row->marked;
}

/* p is adjusted with that of other comparisons: the limits must say the same. */
void iv_comparing_settle(iv_compared_pair *pair, iv_compared_test *test, double p,
                         const iv_comparing *c)
{
    test->p_adjusted = p;
    test->correction = IV_CORRECT_HOLM;
    if (iv_pair_test_of_mean(test->kind))
        pair->limit_adjusted = iv_settle_limits(&pair->lower_adjusted, &pair->upper_adjusted,
                                                iv_significant(p, 1.0 - c->how.confidence),
                                                test->direction);
}

/* Whether an interval holds 0 must be seen: the axis ends there, if all the
 * differences are on one side of it. */
static void end_axis_at_zero(iv_drawn *drawn, const pair_row *rows, size_t count)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        const iv_compared_pair *p = &rows[i].pair;
        low = fmin(low, fmin(p->lower_adjusted, p->found.mean));
        high = fmax(high, fmax(p->upper_adjusted, p->found.mean));
    }
    const double end = low > 0.0 ? high : high < 0.0 ? -low : 0.0;
    if (!(end > 0.0) || !isfinite(end))
        return;
    /* One digit, and by a division below 1: 3 / 10 reads 0.3, 3 * 0.1 does not. */
    const double size = pow(10.0, fabs(floor(log10(end))));
    const double round = end < 1.0 ? ceil(end * size) / size : ceil(end / size) * size;
    drawn->from = low > 0.0 ? 0.0 : -round;
    drawn->to = low > 0.0 ? round : 0.0;
}

int iv_comparing_pairs(iv_comparing *c, iv_result *out, iv_err *err)
{
    const iv_showing showing = c->pair_count > IV_PAIRS_READ ? IV_LONG : IV_SHOWN;
    const bool counted = iv_result_counts_only(out, showing);
    const size_t all = c->measure_count * c->pair_count * c->how.test_count;
    pair_row *rows = iv_take(c->own, counted ? 1 : all + 1, sizeof *rows);
    iv_rows table = { "pairs", iv_comparing_pair_fields, rows, counted ? all : 0, sizeof *rows,
                      (c->measure_count > 1 ? MEASURES : 0) | (c->how.test_count > 1 ? TESTS : 0)
                          | (c->how.margin != 0.0 ? MARGIN : 0),
                      digits_of(c), showing,
                      { "difference", "lower_shown", "upper_shown", 0.0, 0.0 } };

    IV_TRY(iv_taken(c->own, err));
    for (size_t i = 0; !counted && i < c->measure_count * c->pair_count; i++) {
        const size_t m = i / c->pair_count, p = i % c->pair_count;
        for (size_t j = 0; j < c->how.test_count; j++)
            fill_pair(&rows[table.count++], c, m, &c->found[m]->pairs[j * c->pair_count + p],
                      &iv_first_test(c, m, p)[j]);
    }
    end_axis_at_zero(&table.drawn, rows, counted ? 0 : table.count);
    iv_table *t = iv_result_rows(out, &table);
    char less[48], more[48];
    (void)snprintf(less, sizeof less, "p (loss below %.10g)", iv_comparing_margin(c));
    (void)snprintf(more, sizeof more, "p (loss above %.10g)", iv_comparing_margin(c));
    if (c->how.correction == IV_CORRECT_HOLM || c->how.correction == IV_CORRECT_NONE)
        iv_table_head(t, "p_shown", c->how.correction == IV_CORRECT_HOLM ? "p (Holm)" : "p");
    iv_table_head(t, "p_noninferior", iv_result_keep(out, iv_str_of(less)));
    iv_table_head(t, "p_inferior", iv_result_keep(out, iv_str_of(more)));
    return IV_OK;
}

/* ----------------------------------------------------------------- runs -- */

typedef struct run_row {
    const char *run, *measure, *canonical;
    iv_compared_run is;
    double judged;
    char ranks[48], tied[256];
} run_row;

const iv_field iv_comparing_run_fields[] = {
    { "run", IV_AT(run_row, run), .about = "name of the run or system" },
    { "measure", IV_AT(run_row, measure), .shown = MEASURES, .about = "name of the measure" },
    { "mean", IV_AT(run_row, is.mean), .digits = IV_DIGITS, .about = "mean over topics or items" },
    { "lower", IV_AT(run_row, is.lower), .digits = IV_DIGITS,
      .about = "lower limit of the interval" },
    { "upper", IV_AT(run_row, is.upper), .digits = IV_DIGITS,
      .about = "upper limit of the interval" },
    { "rank", IV_AT(run_row, is.rank), .audience = IV_FOR_PROGRAMS, .about = "rank by the mean" },
    { "ranks", IV_AT(run_row, ranks), .audience = IV_FOR_PEOPLE,
      .about = "ranks still possible, given the significant differences" },
    { "rank_lower", IV_AT(run_row, is.rank_lower), .audience = IV_FOR_PROGRAMS,
      .about = "best position still possible" },
    { "rank_upper", IV_AT(run_row, is.rank_upper), .audience = IV_FOR_PROGRAMS,
      .about = "worst position still possible" },
    { "p_best", IV_AT(run_row, is.p_best), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "proportion of bootstrap resamples in which it leads" },
    { "tied", IV_AT(run_row, tied), .needs = TIED, .audience = IV_FOR_PEOPLE,
      .heading = "not separated from",
      .about = "runs without a significant difference from this one" },
    { "group", IV_AT(run_row, is.letters), .audience = IV_FOR_PROGRAMS,
      .about = "runs that share a letter do not differ significantly" },
    { "boot_lower", IV_AT(run_row, is.boot_lower), .audience = IV_FOR_PROGRAMS,
      .about = "lower limit of the rank in resamples" },
    { "boot_upper", IV_AT(run_row, is.boot_upper), .audience = IV_FOR_PROGRAMS,
      .about = "upper limit of the rank in resamples" },
    { "topics", IV_AT(run_row, is.topics), .audience = IV_FOR_PROGRAMS,
      .about = "number of topics or items scored for all runs" },
    { "judged", IV_AT(run_row, judged), .digits = 2, .needs = JUDGED, .audience = IV_IF_VARIES,
      .about = "proportion of the top documents that are judged" },
    CANONICAL(run_row),
    { NULL } };

/* Names up to three runs that do not differ from this one, the best first. */
static void name_tied(run_row *row, const iv_comparing *c, size_t m, size_t run,
                      const size_t *order)
{
    iv_listing tied = { .most = 3 };

    for (size_t k = 0; k < c->run_count; k++)
        if (order[k] != run && iv_comparing_found(c, m, run, order[k]) == 0)
            iv_list(&tied, "%.60s", c->runs[order[k]]);
    (void)snprintf(row->tied, sizeof row->tied, "%.255s", iv_listed(&tied));
}

static void fill_run(run_row *row, const iv_comparing *c, size_t m, size_t run,
                     const size_t *order)
{
    *row = (run_row){ .run = c->runs[run], .measure = c->measures[m],
                      .canonical = canonical_of(c, m), .is = c->found[m]->runs[run] };
    if (c->counted != NULL)
        row->judged = 1.0 - iv_top_unjudged(&c->counted[run]);
    iv_compared_run *is = &row->is;
    is->boot_lower = is->boot_lower > 0 ? is->boot_lower : SIZE_MAX; /* none */
    is->boot_upper = is->boot_upper > 0 ? is->boot_upper : SIZE_MAX;
    if (is->rank_lower == is->rank_upper)
        (void)snprintf(row->ranks, sizeof row->ranks, "%zu", is->rank_lower);
    else
        (void)snprintf(row->ranks, sizeof row->ranks, "%zu-%zu", is->rank_lower, is->rank_upper);
    if (c->how.baseline_count == 0)
        name_tied(row, c, m, run, order);
}

/* The runs by rank in one measure, equal ones as they were given. */
static void order_runs(size_t *order, const iv_comparing *c, size_t measure)
{
    size_t at = 0;

    for (size_t rank = 1; rank <= c->run_count; rank++)
        for (size_t r = 0; r < c->run_count; r++)
            if (c->found[measure]->runs[r].rank == rank)
                order[at++] = r;
}

int iv_comparing_runs(iv_comparing *c, iv_result *out, iv_err *err)
{
    char head[32];
    const size_t count = c->measure_count * c->run_count;
    run_row *rows = iv_take(c->own, count + 1, sizeof *rows);
    size_t *order = iv_take(c->own, c->run_count, sizeof *order);
    const bool all = c->run_count > 2 && c->how.baseline_count == 0
        && c->how.alternative == IV_TWO_SIDED;
    const iv_rows table = { "runs", iv_comparing_run_fields, rows, count, sizeof *rows,
                            (c->measure_count > 1 ? MEASURES : 0) | (all ? TIED : 0)
                                | (c->counted != NULL ? JUDGED : 0), digits_of(c),
                            c->asked->not_worse ? IV_LONG : IV_SHOWN,
                            { "mean", "lower", "upper", 0.0, 0.0 } };

    IV_TRY(iv_taken(c->own, err));
    for (size_t m = 0; m < c->measure_count; m++) {
        order_runs(order, c, m);
        for (size_t k = 0; k < c->run_count; k++)
            fill_run(&rows[m * c->run_count + k], c, m, order[k], order);
    }
    iv_table *t = iv_result_rows(out, &table);
    iv_table_head(t, "run", iv_comparing_run(c, 1));
    if (c->counted != NULL) {
        (void)snprintf(head, sizeof head, "judged@%zu", iv_top_depth(c->v->measures[0].info));
        iv_table_head(t, "judged", iv_result_keep(out, iv_str_of(head)));
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- paper -- */

IV_NAMES(iv_paper_interval_names, "brackets", "pm", "none")
IV_NAMES(iv_paper_order_names, "given", "best")

/* "a" to "z", then "aa", "ab", ..., as columns of spreadsheets are called. */
typedef struct letters { char text[16]; } letters;

static letters letters_of(size_t k)
{
    letters out = { "" };
    size_t at = sizeof out.text - 1;

    out.text[at] = '\0';
    do
        out.text[--at] = (char)('a' + (char)(k % 26));
    while (k >= 26 && (k = k / 26 - 1, true));
    memmove(out.text, out.text + at, sizeof out.text - at);
    return out;
}

static bool beats(const iv_comparing *c, size_t m, size_t run, size_t other)
{
    return other != run && iv_comparing_found(c, m, run, other) > 0;
}

/* Arrows with baselines: better or worse.  Letters else, of the runs that are beaten. */
static void say_marks(iv_wording *t, const iv_comparing *c, size_t m, size_t run)
{
    const size_t most = c->how.baseline_count > 0 ? 0 : c->run_count;
    const char *comma = c->run_count > 26 ? "," : ""; /* names of two letters */
    bool any = false;

    for (size_t k = 0; k < c->how.baseline_count; k++) {
        const int better = iv_comparing_found(c, m, run, c->how.baselines[k]);
        if (better == 0)
            continue;
        iv_say(t, "%s%s", any ? "" : " ", better > 0 ? "\u25b2" : "\u25bc");
        if (c->how.baseline_count > 1) /* than which? */
            iv_say(t, "%s", letters_of(k).text);
        any = true;
    }
    for (size_t r = 0; r < most; r++) { /* "a-df": a range of three letters or more */
        size_t end = r;
        while (end < most && beats(c, m, run, c->paper_rows[end]))
            end++;
        if (end == r)
            continue;
        iv_say(t, "%s%s", any ? comma : " ", letters_of(r).text);
        if (end > r + 1)
            iv_say(t, "%s%s", end > r + 2 ? "-" : comma, letters_of(end - 1).text);
        any = true;
        r = end;
    }
}

/* The largest mean; the least where lower is better. */
static bool is_largest(const iv_comparing *c, size_t m, size_t run)
{
    const iv_compared_run *runs = c->found[m]->runs;
    const double sign = iv_comparing_lower(c, m) ? -1.0 : 1.0;

    for (size_t r = 0; r < c->run_count; r++)
        if (sign * runs[r].mean > sign * runs[run].mean)
            return false;
    return true;
}

static void say_cell(iv_wording *t, const iv_comparing *c, size_t m, size_t run)
{
    const iv_paper_interval how = c->asked->paper;
    const int digits = c->digits[m], fewer = digits < 3 ? digits : 3; /* so that it fits */

    const iv_compared_run *x = &c->found[m]->runs[run];
    iv_say(t, "%.*f%s", digits, x->mean, is_largest(c, m, run) ? IV_PAPER_MAX : "");
    if (isfinite(x->lower) && isfinite(x->upper)) {
        if (how == IV_PAPER_PM)
            iv_say(t, " \u00b1%.*f", digits, 0.5 * (x->upper - x->lower));
        else if (how != IV_PAPER_NO_INTERVAL)
            iv_say(t, " [%.*f, %.*f]", fewer, x->lower, fewer, x->upper);
    }
    say_marks(t, c, m, run);
}

/* A test of one side finds differences of one sign, of pairs in the order of the runs. */
static const char *side_of(const iv_comparing *c)
{
    return c->how.alternative == IV_TWO_SIDED ? ", two-sided"
        : c->how.baseline_count > 0 ? ", one-sided"
        : c->how.alternative == IV_GREATER
            ? ", one-sided: only whether the run given first is better"
            : ", one-sided: only whether the run given last is better";
}

/* " (Wilson score)", if all means have that. */
static void say_interval(iv_wording *w, const iv_comparing *c)
{
    const iv_interval_method method = c->found[0]->runs->method;
    bool all = true;

    for (size_t m = 0; m < c->measure_count; m++)
        for (size_t r = 0; r < c->run_count; r++)
            all = all && c->found[m]->runs[r].method == method;
    if (all && iv_interval_about(method)->text[0] != '\0')
        iv_say(w, " (%s)", iv_interval_about(method)->text);
}

/* Has a cell a range of letters, such as "a-c"? */
static bool has_range(const iv_comparing *c)
{
    for (size_t i = 0; i < c->measure_count * c->run_count; i++) {
        iv_wording marks = { .len = 0 };
        say_marks(&marks, c, i / c->run_count, i % c->run_count);
        if (strchr(marks.at, '-') != NULL)
            return true;
    }
    return false;
}

static bool ends_sentence(const char *words)
{
    return words[0] == '\0' || strchr(".!?:;", words[strlen(words) - 1]) != NULL;
}

static void say_caption(iv_wording *w, const iv_comparing *c)
{
    static const char *const tests[] = { "the sign test", "Wilcoxon's test", "the paired t test",
                                         "the randomisation test", ("the larger p-value of the "
                                         "paired t test and Hall's t test"), "Hall's t test",
                                         "McNemar's test" };
    static const char *const corrections[] = { NULL, NULL, "Bonferroni-corrected", "Holm-corrected",
                                               "Benjamini-Hochberg-corrected", "Tukey-corrected" };
    const bool arrows = c->how.baseline_count > 0;
    const char *correction = c->pair_count > 1 ? corrections[c->how.correction] : NULL;
    const double percent = 100.0 * c->how.confidence;

    if (c->asked->caption != NULL)
        iv_say(w, "%.400s%s ", c->asked->caption, ends_sentence(c->asked->caption) ? "" : ".");
    iv_say(w, "Means over %zu %s", c->found[0]->shared_items,
           iv_comparing_topic(c, 2));
    if (c->asked->paper == IV_PAPER_PM)
        iv_say(w, " \u00b1 half the width of their %.10g %% intervals", percent);
    else if (c->asked->paper != IV_PAPER_NO_INTERVAL)
        iv_say(w, " with %.10g %% intervals", percent);
    if (c->asked->paper != IV_PAPER_NO_INTERVAL)
        say_interval(w, c);
    iv_say(w, "; the largest of each measure " IV_PAPER_MARKED ".");
    if (arrows) {
        iv_say(w, " \u25b2 significantly better, \u25bc significantly worse than the baseline%s",
               c->how.baseline_count > 1 ? " of that letter," : "");
        for (size_t k = 0; k < c->how.baseline_count; k++) {
            iv_say(w, "%s %.60s", k > 0 ? "," : "", c->runs[c->how.baselines[k]]);
            if (c->how.baseline_count > 1)
                iv_say(w, " (%s)", letters_of(k).text);
        }
    } else {
        iv_say(w, " A letter after a value means: significantly better than the %s of that letter",
               iv_comparing_run(c, 1));
    }
    for (size_t m = 0, said = 0; m < c->measure_count; m++) {
        const size_t kind = (size_t)iv_first_test(c, m, 0)->kind;
        if ((said >> kind & 1) == 0)
            iv_say(w, "%s%s", m == 0 ? " (by " : " or ", tests[kind]);
        said |= (size_t)1 << kind;
    }
    iv_say(w, "%s, p < %g%s%s%s).", side_of(c), 1.0 - c->how.confidence,
           correction != NULL ? ", " : "", correction != NULL ? correction : "",
           c->measure_count > 1 ? ", each measure by itself" : "");
    if (!arrows && has_range(c))
        iv_say(w, " a-c stands for a, b and c.");
    size_t open = 0;
    for (size_t i = 0; i < c->measure_count * c->pair_count; i++)
        open += iv_comparing_undecided(c, i / c->pair_count, i % c->pair_count);
    const size_t all = c->measure_count * c->pair_count;
    if (open > 0 && all == 1)
        iv_say(w, " This comparison cannot be decided, because unjudged documents could change "
               "it.");
    else if (open > 0)
        iv_say(w, " %s of %s comparisons cannot be decided, because unjudged documents could "
               "change them, and are not marked.", IV_COUNT(open), IV_COUNT(all));
}

static void say_baseline(iv_wording *name, const iv_comparing *c, size_t run)
{
    for (size_t k = 0; k < c->how.baseline_count; k++) {
        if (c->how.baselines[k] != run)
            continue;
        iv_say(name, " (baseline");
        if (c->how.baseline_count > 1)
            iv_say(name, " %s", letters_of(k).text);
        iv_say(name, ")");
    }
}

static void put_rows(iv_table *t, const iv_comparing *c)
{
    for (size_t row = 0; row < c->run_count; row++) {
        const size_t r = c->paper_rows[row];
        iv_wording name = { .len = 0 };
        iv_say(&name, "%.200s", c->runs[r]);
        if (c->how.baseline_count == 0)
            iv_say(&name, " (%s)", letters_of(row).text);
        say_baseline(&name, c, r);
        iv_put_text(t, iv_str_of(name.at));
        for (size_t m = 0; m < c->measure_count; m++) {
            iv_wording text = { .len = 0 };
            say_cell(&text, c, m, r);
            iv_put_text(t, iv_str_of(text.at));
        }
    }
}

const iv_field iv_comparing_paper_fields[] = {
    { "run", .about = "name of the run or system" },
    { "MEASURE", .about = "mean, interval and significance marks" },
    { NULL } };

int iv_comparing_paper(iv_comparing *c, iv_result *out, iv_err *err)
{
    iv_column *columns = iv_take(c->own, c->measure_count + 1, sizeof *columns);
    size_t *rows = iv_take(c->own, c->run_count + 1, sizeof *rows);
    iv_wording caption = { .len = 0 };
    const char *label = c->asked->label != NULL ? c->asked->label : "tab:paper";

    if (*label == '\0' || label[strcspn(label, "{}\\%#$&~^ \t\r\n")] != '\0')
        return iv_fail(err, IV_EARG, "the label '%.80s', expected letters, digits and signs such "
                       "as ':' and '-'", label);
    IV_TRY(iv_taken(c->own, err));
    for (size_t r = 0; r < c->run_count; r++)
        rows[r] = r;
    if (c->asked->paper_order == IV_PAPER_BEST)
        order_runs(rows, c, 0);
    c->paper_rows = rows;
    for (size_t m = 0; m <= c->measure_count; m++) {
        const iv_field *f = &iv_comparing_paper_fields[m > 0];
        columns[m] = (iv_column){ .name = m > 0 ? c->measures[m - 1] : f->name, .kind = IV_TEXT,
                                  .about = f->about };
    }
    iv_table *t = iv_result_table(out, "paper", columns, c->measure_count + 1);
    iv_table_showing(t, IV_ASIDE);
    iv_table_head(t, "run", iv_comparing_run(c, 1));
    say_caption(&caption, c);
    iv_table_paper(t, caption.at, label);
    put_rows(t, c);
    return IV_OK;
}

/* ------------------------------------------------- errors from a sample -- */

typedef struct sampling_row {
    const char *measure, *a, *b;
    iv_mean is;
} sampling_row;

const iv_field iv_compare_sampling_fields[] = {
    { "measure", IV_AT(sampling_row, measure), .about = "name of the measure" },
    { "a", IV_AT(sampling_row, a), .about = "a run or system" },
    { "b", IV_AT(sampling_row, b), .about = "another run or system" },
    { "topics", IV_AT(sampling_row, is.topics), .about = "topics that both have" },
    { "difference", IV_AT(sampling_row, is.value), .digits = 4,
      .about = "difference of the means, a - b" },
    { "se", IV_AT(sampling_row, is.se), .digits = 4, .about = "standard error" },
    { "se_judgments", IV_AT(sampling_row, is.se_judgments), .digits = 4,
      .about = "part of se due to sampled judgments" },
    { "se_topics", IV_AT(sampling_row, is.se_topics), .digits = 4,
      .about = "part of se due to the choice of topics" },
    { NULL } };

/* Of each pair the standard error of the difference and its two parts. */
int iv_comparing_sampling(iv_comparing *c, iv_result *out, iv_err *err)
{
    const iv_compared_pair *pairs = c->found[0]->pairs;
    const size_t n = c->pair_count, M = c->measure_count;
    sampling_row *rows = iv_take(c->own, M * n + 1, sizeof *rows);
    size_t excess = 0;

    IV_TRY(iv_taken(c->own, err));
    for (size_t k = 0; k < M * n; k++) {
        const iv_compared_pair *p = &pairs[k % n];
        iv_mean x;
        IV_TRY(iv_evaluation_difference(&x, NULL, NULL, c->evaluation, k / n, p->a, p->b, err));
        rows[k] = (sampling_row){ c->measures[k / n], c->runs[p->a], c->runs[p->b], x };
        excess += x.se_judgments > x.se && x.se_topics == 0.0;
    }
    IV_TABLE(out, "sampling", iv_compare_sampling_fields, rows, M * n);
    if (excess > 0) /* both parts of a variance are estimates, and one may exceed their sum */
        iv_result_note(out, "se_judgments exceeds se for %zu difference%s: both are noisy "
                       "estimates; se_topics, their difference, is set to 0 there.", excess,
                       iv_plural(excess));
    return IV_OK;
}

/* What a page of compare shows beside its tables, and the tables it is drawn from. */

/* ------------------------------------------------------- topic by topic -- */

enum {
    MOST_PAGES = 60,    /* pairs whose topics a reader may leaf through */
    MOST_TOPICS = 5000, /* of each, on a page */
    MOST_CELLS = 60000  /* that a page can carry beside its tables */
};

/* Two runs on one topic. */
typedef struct topic_row {
    const char *pair, *a, *b, *measure;
    iv_str topic;
    double score_a, score_b, difference, without;
    size_t rank;
} topic_row;

const iv_field iv_comparing_topic_fields[] = {
    { "pair", IV_AT(topic_row, pair), .about = "a - b, and the measure if there are several" },
    { "a", IV_AT(topic_row, a), .audience = IV_FOR_PROGRAMS, .about = "a run or system" },
    { "b", IV_AT(topic_row, b), .audience = IV_FOR_PROGRAMS,
      .about = "another run or system" },
    { "measure", IV_AT(topic_row, measure), .audience = IV_FOR_PROGRAMS,
      .about = "name of the measure" },
    { "topic", IV_AT(topic_row, topic), .about = "name of the topic or item" },
    { "score_a", IV_AT(topic_row, score_a), .digits = 4, .heading = "a",
      .about = "score of the first" },
    { "score_b", IV_AT(topic_row, score_b), .digits = 4, .heading = "b",
      .about = "score of the second" },
    { "difference", IV_AT(topic_row, difference), .digits = 4,
      .about = "first minus second; second minus first where lower is better" },
    { "rank", IV_AT(topic_row, rank),
      .about = "rank of the difference; 1 is the largest win of a" },
    { "without", IV_AT(topic_row, without), .digits = 4,
      .about = "mean difference without this topic or item; empty if there are weights or "
               "several data sets" },
    { NULL } };

/* The rows while they are written. */
typedef struct leaves {
    topic_row *rows, **order; /* order: room for those of a page */
    size_t count, pages;
    size_t step;   /* every so many topics of a page are kept */
} leaves;

/* Numbers as numbers, before all else; the rest by their bytes. */
static int topic_order(const iv_str *x, const iv_str *y)
{
    int64_t i, k;
    const bool first = iv_scan_int(&i, *x, INT64_MIN, INT64_MAX);
    const bool second = iv_scan_int(&k, *y, INT64_MIN, INT64_MAX);

    if (first && second && i != k)
        return i < k ? -1 : 1;
    return first != second ? (first ? -1 : 1) : iv_str_cmp(*x, *y);
}

static int by_topic(const void *x, const void *y)
{
    return topic_order(&((const topic_row *)x)->topic, &((const topic_row *)y)->topic);
}

static int by_difference(const void *x, const void *y)
{
    const topic_row *const a = *(const topic_row *const *)x;
    const topic_row *const b = *(const topic_row *const *)y;
    const double d = a->difference, e = b->difference;

    return d != e ? (d < e ? 1 : -1) : (a > b) - (a < b);
}

/* Ranks of the differences, and of equal weights the means without each: the sum is taken in the
 * order of the topics.  order: room for all. */
static void finish_page(topic_row *rows, size_t count, topic_row **order, bool equal)
{
    double sum = 0.0;

    qsort(rows, count, sizeof *rows, by_topic);
    for (size_t i = 0; i < count; i++)
        sum += rows[i].difference;
    for (size_t i = 0; i < count; i++) {
        rows[i].without = count > 1 && equal
            ? (sum - rows[i].difference) / (double)(count - 1) : (double)NAN;
        order[i] = &rows[i];
    }
    qsort(order, count, sizeof *order, by_difference);
    for (size_t i = 0; i < count; i++)
        order[i]->rank = i + 1;
}

/* One page: the difference of two runs on each topic that all have; of very many topics some,
 * evenly, where charts are drawn. */
static int put_page(leaves *l, const iv_comparing *c, size_t m, size_t first, size_t second,
                    bool drawn, iv_err *err)
{
    const double *a = c->found[m]->values + first * c->topic_count;
    const double *b = c->found[m]->values + second * c->topic_count;
    const iv_structure *s = c->scored.structured ? &c->scored.structure[m] : NULL;
    const bool many = c->measure_count > 1, turned = iv_comparing_lower(c, m);
    const double at = turned ? c->turned_at[m] : 0.0, sign = turned ? -1.0 : 1.0;
    topic_row *rows = l->rows + l->count;
    char name[512];
    size_t n = 0;

    (void)snprintf(name, sizeof name, "%.200s - %.200s%s%.60s", c->runs[first], c->runs[second],
                   many ? ", " : "", many ? c->measures[m] : "");
    const char *kept = iv_arena_copy(c->own, iv_str_of(name));
    if (kept == NULL)
        return iv_no_memory(err);
    l->pages++;
    for (size_t t = 0; t < c->topic_count; t++)
        if (!isnan(a[t]) && !isnan(b[t]))
            rows[n++] = (topic_row){
                .pair = kept, .a = c->runs[first], .b = c->runs[second],
                .measure = c->measures[m], .topic = c->topics[t], .score_a = at + sign * a[t],
                .score_b = at + sign * b[t], .difference = a[t] - b[t] };
    finish_page(rows, n, l->order, s == NULL || (s->suite == NULL && s->weight == NULL));
    const size_t step = drawn && n > MOST_TOPICS ? (n + MOST_TOPICS - 1) / MOST_TOPICS : 1;
    for (size_t i = 0; i < n; i += step)
        l->rows[l->count++] = rows[i];
    l->step = step > 1 ? step : l->step;
    return IV_OK;
}

/* The pages of one measure, the pairs of the best runs first, up to `room`. */
static int put_pages(leaves *l, const iv_comparing *c, size_t m, size_t room, bool drawn,
                     iv_err *err)
{
    const iv_compared_pair *pairs = c->found[m]->pairs;
    const iv_compared_run *runs = c->found[m]->runs;
    iv_placed *order = iv_take(c->own, c->pair_count + 1, sizeof *order);

    IV_TRY(iv_taken(c->own, err));
    for (size_t p = 0; p < c->pair_count; p++) {
        const double a = (double)runs[pairs[p].a].rank, b = (double)runs[pairs[p].b].rank;
        order[p] = (iv_placed){ -(fmin(a, b) * 100000.0 + fmax(a, b)), p };
    }
    qsort(order, c->pair_count, sizeof *order, iv_descending_placed);
    for (size_t i = 0; i < c->pair_count && i < room && l->count < MOST_CELLS; i++)
        IV_TRY(put_page(l, c, m, pairs[order[i].at].a, pairs[order[i].at].b, drawn, err));
    return IV_OK;
}

static void draw_topics(const iv_comparing *c, iv_result *out)
{
    char title[60], caption[300], axis[100];

    (void)snprintf(title, sizeof title, "The difference on each %s", iv_comparing_topic(c, 1));
    (void)snprintf(axis, sizeof axis, "difference%s%.60s", c->measure_count > 1 ? "" : " in ",
                   c->measure_count > 1 ? "" : c->measures[0]);
    (void)snprintf(caption, sizeof caption, "Each bar is one %s. It points up where the first %s "
                   "of the pair is better, and down where the second is. A difference of means "
                   "can come from many %s or from a few.", iv_comparing_topic(c, 1),
                   iv_comparing_run(c, 1), iv_comparing_topic(c, 2));
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_BARS, .table = "topics", .title = title, .caption = caption,
        .label = "topic", .page = "pair", .value = "difference", .value_axis = { .title = axis } });
}

/* The differences of each topic, one page a pair; of the best runs if many. */
static int add_topics(const iv_comparing *c, iv_result *out, iv_err *err)
{
    const size_t M = c->measure_count, T = c->topic_count, all = c->pair_count * M;
    const size_t most = (all < MOST_PAGES ? all : MOST_PAGES) * T;
    const bool drawn = iv_result_wants_charts(out);
    leaves l = { .rows = iv_take(c->own, most < MOST_CELLS ? most + 1 : MOST_CELLS + T,
                                 sizeof *l.rows),
                 .order = iv_take(c->own, T + 1, sizeof *l.order) };

    IV_TRY(iv_taken(c->own, err));
    for (size_t m = 0; m < M; m++)
        if (iv_comparing_items(c, m))
            IV_TRY(put_pages(&l, c, m, (MOST_PAGES - l.pages) / (M - m), drawn, err));
    if (l.count == 0)
        return IV_OK;
    IV_TABLE(out, "topics", iv_comparing_topic_fields, l.rows, l.count, .showing = IV_FOLDED);
    draw_topics(c, out);
    if (l.step > 1)
        iv_result_note(out, "The page shows one %s of every %zu; other formats have all.",
                       iv_comparing_topic(c, 1), l.step);
    if (l.pages < all && drawn)
        iv_result_note(out, "The page shows the %s of %zu of %zu pairs, those of the best %s.",
                       iv_comparing_topic(c, 2), l.pages, all,
                       iv_comparing_run(c, 2));
    return IV_OK;
}

enum {
    MOST_LINES = 60,    /* pairs that can be read one below another */
    FEW_PAIRS = 6       /* pairs that need no matrix to be seen at once */
};

/* All pairs at once: of more than can be read one by one. */
static void draw_matrix(const iv_comparing *c, iv_result *out)
{
    iv_chart chart = {
        .kind = IV_CHART_MATRIX, .table = "pairs", .title = "All pairs: the difference",
        .caption = "A cell is a pair: the mean of its row (a) minus the mean of its column (b).",
        .label = "a", .against = "b", .page = "measure", .value = "difference",
        .where = c->how.test_count > 1 ? "test" : NULL,
        .is = iv_pair_test_names()[iv_first_test(c, 0, 0)->kind] };

    iv_result_chart(out, &chart);
    chart.title = "All pairs: p";
    chart.caption = "Darker cells have smaller p-values; the lightest show no significant "
                    "difference. p is corrected for the number of pairs.";
    chart.value = "p_adjusted";
    memcpy(chart.levels, (const double[]){ 0.001, 0.01, 0.05 }, 3 * sizeof *chart.levels);
    iv_result_chart(out, &chart);
}

/* ----------------------------------------------------------- pairs, runs -- */

static void draw_pairs(const iv_comparing *c, iv_result *out)
{
    char caption[400];

    (void)snprintf(caption, sizeof caption,
        "A point is the mean difference of a pair, first %s minus second. The line is its %g %% "
        "interval%s.%s", iv_comparing_run(c, 1), 100.0 * c->how.confidence,
        iv_familywise(iv_first_test(c, 0, 0)->correction) ? ", simultaneous for all pairs" : "",
        !iv_pair_test_of_mean(iv_first_test(c, 0, 0)->kind) ? ""
        : " If the line extends to both sides of 0, the difference is not significant.");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "The differences",
        .caption = caption, .label = "a", .against = "b", .page = "measure",
        .value = "difference", .lower = "lower_adjusted", .upper = "upper_adjusted",
        .where = c->how.test_count > 1 ? "test" : NULL,
        .is = iv_pair_test_names()[iv_first_test(c, 0, 0)->kind],
        .lines = { { "no difference", 0.0, true } } });
}

/* The ranks, and what they promise. */
static void draw_ranks(const iv_comparing *c, iv_result *out)
{
    char caption[400];

    (void)snprintf(caption, sizeof caption, "A point is the rank of a %s by its mean. The line "
                   "shows the ranks that are still possible, given the significant differences.%s",
                   iv_comparing_run(c, 1),
                   iv_familywise(iv_first_test(c, 0, 0)->correction) ? ""
                   : " p is not corrected, so the lines are not simultaneous.");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs", .title = "The ranks", .caption = caption,
        .label = "run", .page = "measure", .value = "rank", .lower = "rank_lower",
        .upper = "rank_upper",
        .value_axis = { .from = 0.5, .to = (double)c->run_count + 0.5 } });
}

static void draw_runs(const iv_comparing *c, iv_result *out)
{
    char caption[400];

    (void)snprintf(caption, sizeof caption,
        "A point is the mean of a %s. The line is its %.10g %% interval.",
        iv_comparing_run(c, 1), 100.0 * c->how.confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs",
        .title = c->named ? "The systems" : "The runs", .caption = caption,
        .label = "run", .page = "measure",
        .value = "mean", .lower = "lower", .upper = "upper" });
    draw_ranks(c, out);
}

int iv_comparing_charts(const iv_comparing *c, iv_result *out, iv_err *err)
{
    const bool drawn = iv_result_wants_charts(out);

    iv_result_assumption(out, "The %s are a random sample of those of interest, and both %s of a "
                         "pair were scored on the same %s.", iv_comparing_topic(c, 2),
                         iv_comparing_run(c, 2), iv_comparing_topic(c, 2));
    if (!c->named)
        iv_result_assumption(out, "The judgments are complete enough for both runs of a pair: a "
                             "run with more unjudged documents looks worse than it is.");
    if (drawn && c->pair_count <= MOST_LINES)
        draw_pairs(c, out);
    if (drawn && c->run_count > 2)
        draw_runs(c, out);
    if (drawn && c->pair_count > FEW_PAIRS && c->how.baseline_count == 0)
        draw_matrix(c, out);
    return iv_result_wants(out, "topics", IV_FOLDED) ? add_topics(c, out, err) : IV_OK;
}
