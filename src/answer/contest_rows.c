/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/contest.h"
#include "base/result.h"
#include "stat/paired/significant.h"

const char *iv_contest_mark(double p)
{
    return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
}

/* Digits for people: those of the measure that needs most. */
static int digits_of(const iv_contest *c)
{
    int digits = 0;

    for (size_t m = 0; m < c->measure_count; m++)
        digits = c->digits[m] > digits ? c->digits[m] : digits;
    return digits;
}

/* ---------------------------------------------------------------- pairs -- */

/* What decides which columns there are, or which of them people see. */
enum { GROUPS = 1, PAIRS = 2, BASELINE = 4, MEASURES = 8, UNEVEN = 16, TESTS = 32,
       ADJUSTED = 64, SINGLE = 128, MARGIN = 256,
       LETTERS = 512 };

typedef struct pair_row {
    const char *group, *a, *b, *measure;
    int found;
    iv_compared_pair pair;
    iv_compared_test test;
    char counts[64], marked[32]; /* for people: wins, ties and losses; p with a mark */
    const char *counts_at, *marked_at;
} pair_row;

const iv_field iv_contest_pair_fields[] = {
    { "group", IV_AT(pair_row, group), .needs = GROUPS, .about = "of topics" },
    { "a", IV_AT(pair_row, a), .about = "a run" },
    { "b", IV_AT(pair_row, b), .shown = PAIRS, .about = "another run; the baseline" },
    { "measure", IV_AT(pair_row, measure), .shown = MEASURES, .about = "as it was asked for" },
    { "topics", IV_AT(pair_row, pair.items), .shown = UNEVEN | GROUPS,
      .about = "that both have" },
    { "difference", IV_AT(pair_row, pair.found.mean), .digits = IV_DIGITS, .shown = BASELINE,
      .about = "of the means, a - b" },
    { "a - b", IV_AT(pair_row, pair.found.mean), .digits = IV_DIGITS, .needs = PAIRS,
      .audience = IV_FOR_PEOPLE, .about = "difference of the means" },
    { "lower", IV_AT(pair_row, pair.lower), .digits = IV_DIGITS, .shown = SINGLE,
      .about = "end of the difference's interval, of this pair by itself" },
    { "upper", IV_AT(pair_row, pair.upper), .digits = IV_DIGITS, .shown = SINGLE,
      .about = "the other end of it" },
    { "lower_adjusted_shown", IV_AT(pair_row, pair.lower_adjusted), .digits = IV_DIGITS,
      .needs = ADJUSTED, .audience = IV_FOR_PEOPLE, .heading = "lower_adjusted",
      .about = "end of its interval for all pairs at once" },
    { "upper_adjusted_shown", IV_AT(pair_row, pair.upper_adjusted), .digits = IV_DIGITS,
      .needs = ADJUSTED, .audience = IV_FOR_PEOPLE, .heading = "upper_adjusted", .about = "the other end of it" },
    { "wins", IV_AT(pair_row, pair.found.wins), .audience = IV_FOR_PROGRAMS,
      .about = "topics on which a is better" },
    { "ties", IV_AT(pair_row, pair.found.ties), .audience = IV_FOR_PROGRAMS,
      .about = "topics on which both are equal" },
    { "losses", IV_AT(pair_row, pair.found.losses), .audience = IV_FOR_PROGRAMS,
      .about = "topics on which b is better" },
    { "w/t/l", IV_AT(pair_row, counts_at), .audience = IV_FOR_PEOPLE,
      .about = "topics that a wins, ties and loses" },
    { "test", IV_AT(pair_row, test.kind), .names = iv_pair_test_names, .shown = TESTS,
      .about = "of the difference" },
    { "p", IV_AT(pair_row, test.test.p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "of that test" },
    { "p_adjusted", IV_AT(pair_row, test.p_adjusted), .digits = 4,
      .audience = IV_FOR_PROGRAMS, .about = "for the number of pairs" },
    { "lower_adjusted", IV_AT(pair_row, pair.lower_adjusted), .digits = IV_DIGITS,
      .audience = IV_FOR_PROGRAMS, .about = "end of its interval for all pairs at once" },
    { "upper_adjusted", IV_AT(pair_row, pair.upper_adjusted), .digits = IV_DIGITS,
      .audience = IV_FOR_PROGRAMS, .about = "the other end of it" },
    { "found", IV_AT(pair_row, found), .audience = IV_FOR_PROGRAMS,
      .about = "1: the test finds a better, -1: b, 0: it finds no difference" },
    { "p_adjusted_shown", IV_AT(pair_row, marked_at), .needs = ADJUSTED, .audience = IV_FOR_PEOPLE, .heading = "p_adjusted",
      .about = "for the number of pairs" },
    { "p_shown", IV_AT(pair_row, marked_at), .needs = SINGLE, .audience = IV_FOR_PEOPLE, .heading = "p",
      .about = "of the test" },
    { "correction", IV_AT(pair_row, test.correction), .names = iv_correction_names,
      .audience = IV_FOR_PROGRAMS, .about = "by which p was adjusted" },
    { "statistic", IV_AT(pair_row, test.test.statistic), .digits = 4,
      .audience = IV_FOR_PROGRAMS, .about = "of the test" },
    { "exact", IV_AT(pair_row, test.test.exact), .audience = IV_FOR_PROGRAMS,
      .about = "1: p was computed, not approximated" },
    { "sd", IV_AT(pair_row, pair.found.sd), .digits = IV_DIGITS, .audience = IV_FOR_PROGRAMS,
      .about = "standard deviation of the differences over topics" },
    { "effect", IV_AT(pair_row, pair.found.effect), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "mean difference over its standard deviation" },
    { "superiority", IV_AT(pair_row, pair.superiority), .digits = 3,
      .audience = IV_FOR_PROGRAMS, .about = "share of topics that a wins, ties half" },
    { "only_a", IV_AT(pair_row, pair.only_a), .audience = IV_FOR_PROGRAMS,
      .about = "topics that b lacks" },
    { "only_b", IV_AT(pair_row, pair.only_b), .audience = IV_FOR_PROGRAMS,
      .about = "topics that a lacks" },
    { "p_above", IV_AT(pair_row, pair.p_above), .digits = 4, .needs = MARGIN,
      .about = "probability of a difference above the margin" },
    { "p_noninferior", IV_AT(pair_row, pair.p_noninferior), .digits = 4, .needs = MARGIN,
      .about = "test that a is not worse by the margin" },
    { "p_equivalent", IV_AT(pair_row, pair.p_equivalent), .digits = 4, .needs = MARGIN,
      .about = "test that they differ by less than the margin" },
    { NULL } };

static void fill_pair(pair_row *row, const iv_contest *c, const iv_contest_part *part,
                      const iv_compared_pair *p, const iv_compared_test *t)
{
    *row = (pair_row){ .group = part->group, .a = c->runs[p->a], .b = c->runs[p->b],
                       .measure = c->measures[part->measure], .pair = *p, .test = *t };
    (void)snprintf(row->counts, sizeof row->counts, "%zu/%zu/%zu", p->found.wins, p->found.ties,
                   p->found.losses);
    row->counts_at = row->counts;
    if (iv_significant(t->p_adjusted, 1.0 - c->how.confidence))
        row->found = t->direction;
    if (isnan(t->p_adjusted))
        return;
    (void)snprintf(row->marked, sizeof row->marked,
                   t->p_adjusted < 0.0001 ? "%.1e%s%s" : "%.4f%s%s", t->p_adjusted,
                   t->p_adjusted < 0.05 ? " " : "", iv_contest_mark(t->p_adjusted));
    row->marked_at = row->marked;
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

static unsigned flags_of(const iv_contest *c, bool groups)
{
    const iv_compared_pair *p;
    const size_t pairs = iv_comparison_pairs(&p, c->found[0]);
    unsigned with = (groups ? GROUPS : 0) | (c->measure_count > 1 ? MEASURES : 0)
        | (c->how.baseline_count == 1 ? BASELINE : PAIRS)
        | (c->how.test_count > 1 ? TESTS : 0) | (pairs > 1 ? ADJUSTED : SINGLE)
        | (c->how.margin != 0.0 ? MARGIN : 0);

    for (size_t i = 0; i < pairs; i++)
        with |= p[i].only_a + p[i].only_b > 0 ? UNEVEN : 0;
    return with;
}

int iv_contest_pairs(const iv_contest *c, iv_result *out, const char *name,
                     const iv_contest_part *parts, size_t count, iv_showing showing,
                     iv_err *err)
{
    const size_t each = iv_comparison_pairs(&(const iv_compared_pair *){ NULL }, c->found[0]);
    pair_row *rows = malloc((count * each * c->how.test_count + 1) * sizeof *rows);
    const bool all = c->how.baseline_count != 1;
    iv_rows table = { name, iv_contest_pair_fields, rows, 0, sizeof *rows,
                      flags_of(c, count > 0 && parts[0].group != NULL), digits_of(c), showing,
                      { all ? "a - b" : "difference", each > 1 ? "lower_adjusted_shown" : "lower",
                        each > 1 ? "upper_adjusted_shown" : "upper", 0.0, 0.0 } };

    if (rows == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const iv_compared_pair *pairs;
        const size_t n = iv_comparison_pairs(&pairs, parts[i].found);
        for (size_t p = 0; p < n; p++) {
            const iv_compared_test *tests;
            const size_t k = iv_comparison_tests(&tests, parts[i].found, p);
            for (size_t j = 0; j < k; j++)
                fill_pair(&rows[table.count++], c, &parts[i], &pairs[p], &tests[j]);
        }
    }
    end_axis_at_zero(&table.drawn, rows, table.count);
    iv_table *t = iv_result_rows(out, &table);
    if (all && each > 1 && showing == IV_SHOWN && strcmp(name, "pairs") == 0)
        iv_table_named(t); /* the runs and their letters are the answer */
    free(rows);
    return IV_OK;
}

/* ----------------------------------------------------------------- runs -- */

typedef struct run_row {
    const char *run, *measure, *ranks_at, *groups_at;
    iv_compared_run is;
    double p_best; /* for people, who want no more than three digits */
    char ranks[48], groups[1024];
} run_row;

const iv_field iv_contest_run_fields[] = {
    { "run", IV_AT(run_row, run), .about = "its tag, or its file" },
    { "measure", IV_AT(run_row, measure), .shown = MEASURES, .about = "as it was asked for" },
    { "mean", IV_AT(run_row, is.mean), .digits = IV_DIGITS, .about = "over topics" },
    { "lower", IV_AT(run_row, is.lower), .digits = IV_DIGITS,
      .about = "end of the mean's interval" },
    { "upper", IV_AT(run_row, is.upper), .digits = IV_DIGITS, .about = "the other end of it" },
    { "rank", IV_AT(run_row, is.rank), .audience = IV_FOR_PROGRAMS, .about = "by the mean" },
    { "ranks", IV_AT(run_row, ranks_at), .audience = IV_FOR_PEOPLE,
      .about = "those that the differences found leave the run" },
    { "rank_lower", IV_AT(run_row, is.rank_lower), .audience = IV_FOR_PROGRAMS,
      .about = "best rank that the differences found leave the run" },
    { "rank_upper", IV_AT(run_row, is.rank_upper), .audience = IV_FOR_PROGRAMS,
      .about = "worst rank that they leave it" },
    { "p_best", IV_AT(run_row, is.p_best), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "share of bootstrap resamples of topics in which it leads" },
    { "group", IV_AT(run_row, is.letters), .audience = IV_FOR_PROGRAMS,
      .about = "runs that share a letter cannot be told apart" },
    { "p_best_shown", IV_AT(run_row, p_best), .digits = 3, .audience = IV_FOR_PEOPLE, .heading = "p_best",
      .about = "share of bootstrap resamples of topics in which it leads" },
    { "group_shown", IV_AT(run_row, groups_at), .needs = LETTERS, .audience = IV_FOR_PEOPLE, .heading = "group",
      .about = "runs that share a letter cannot be told apart" },
    { "boot_lower", IV_AT(run_row, is.boot_lower), .audience = IV_FOR_PROGRAMS,
      .about = "best rank in resamples" },
    { "boot_upper", IV_AT(run_row, is.boot_upper), .audience = IV_FOR_PROGRAMS,
      .about = "worst rank in resamples" },
    { "topics", IV_AT(run_row, is.topics), .audience = IV_FOR_PROGRAMS,
      .about = "that all runs have" },
    { NULL } };

const char *iv_next_letter(size_t *number, size_t *len, const char *at, bool two)
{
    *len = two ? strcspn(at, ",") : 1;
    *number = *len == 1 ? (size_t)(at[0] - 'a')
        : (size_t)(26 * (at[0] - 'a' + 1) + at[1] - 'a');
    return at + *len + (at[*len] == ',');
}

/* The letters, three or more in a row as a range: b-f. */
static void shorten_letters(char *out, size_t size, const char *letters, bool two)
{
    size_t used = 0;

    for (const char *at = letters; *at != '\0' && used + 16 < size;) {
        size_t first, next, row = 1, len, last_len;
        const char *behind = iv_next_letter(&first, &len, at, two), *last = at, *end = behind;
        last_len = len;
        while (*end != '\0') {
            size_t other;
            const char *after = iv_next_letter(&next, &other, end, two);
            if (next != first + row)
                break;
            row++;
            last = end;
            last_len = other;
            end = after;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%.*s%s%.*s",
                                 used > 0 && (two || row > 2) ? "," : "", (int)len, at,
                                 row > 2 ? "-" : "", row > 2 ? (int)last_len : 0, last);
        at = row > 2 ? end : behind;
    }
}

static void fill_run(run_row *row, const iv_contest *c, size_t m, size_t run)
{
    const iv_compared_run *runs;

    (void)iv_comparison_runs(&runs, c->found[m]);
    *row = (run_row){ .run = c->runs[run], .measure = c->measures[m], .is = runs[run] };
    iv_compared_run *is = &row->is;
    row->p_best = is->p_best < 0.0005 ? 0.0 : is->p_best;
    is->boot_lower = is->boot_lower > 0 ? is->boot_lower : SIZE_MAX; /* none */
    is->boot_upper = is->boot_upper > 0 ? is->boot_upper : SIZE_MAX;
    if (is->rank_lower == is->rank_upper)
        (void)snprintf(row->ranks, sizeof row->ranks, "%zu", is->rank_lower);
    else
        (void)snprintf(row->ranks, sizeof row->ranks, "%zu-%zu", is->rank_lower, is->rank_upper);
    row->ranks_at = row->ranks;
    if (is->letters != NULL) {
        shorten_letters(row->groups, sizeof row->groups, is->letters,
                        iv_comparison_groups(c->found[m]) > 26);
        row->groups_at = row->groups;
    }
}

void iv_contest_order(size_t *order, const iv_contest *c, size_t measure)
{
    const iv_compared_run *runs;
    const size_t n = iv_comparison_runs(&runs, c->found[measure]);
    size_t at = 0;

    for (size_t rank = 1; rank <= n; rank++)
        for (size_t r = 0; r < n; r++)
            if (runs[r].rank == rank)
                order[at++] = r;
}

int iv_contest_runs(const iv_contest *c, iv_result *out, iv_err *err)
{
    const size_t count = c->measure_count * c->run_count;
    run_row *rows = malloc((count + 1) * sizeof *rows);
    size_t *order = malloc(c->run_count * sizeof *order);
    const iv_rows table = { "runs", iv_contest_run_fields, rows, count, sizeof *rows,
                            (c->measure_count > 1 ? MEASURES : 0)
                            | (iv_comparison_groups(c->found[0]) > 0 ? LETTERS : 0),
                            digits_of(c), IV_SHOWN,
                            { "mean", "lower", "upper", 0.0, 0.0 } };
    const bool ok = rows != NULL && order != NULL;

    for (size_t m = 0; ok && m < c->measure_count; m++) {
        iv_contest_order(order, c, m);
        for (size_t k = 0; k < c->run_count; k++)
            fill_run(&rows[m * c->run_count + k], c, m, order[k]);
    }
    iv_table *t = ok ? iv_result_rows(out, &table) : NULL;
    if (ok && (c->run_count == 2 || c->how.baseline_count > 0))
        iv_table_named(t); /* the pairs are the answer */
    free(rows);
    free(order);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}
