/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table that a paper prints: a row a run, a column a measure, each cell the mean, its
 * interval, and marks of what it was found to beat.  Cells are plain text,
 *
 *     0.3969 (max) [0.3219, 0.4759] bc      the largest of its column
 *
 * which the latex format sets in bold and superscripts.  A star would be read as a p.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/answer_columns.h"
#include "answer/contest.h"
#include "base/result.h"

const char *const *iv_paper_interval_names(void)
{
    static const char *const names[] = { "brackets", "pm", "below", "none", NULL };

    return names;
}

const char *const *iv_paper_marks_names(void)
{
    static const char *const names[] = { "auto", "arrows", "letters", "none", NULL };

    return names;
}

const char *const *iv_paper_order_names(void)
{
    static const char *const names[] = { "given", "score", NULL };

    return names;
}

static iv_paper_marks marks_of(const iv_contest *c)
{
    const iv_paper_marks asked = c->asked->paper.marks;

    return asked != IV_PAPER_MARKS_AUTO ? asked
         : c->how.baseline_count > 0    ? IV_PAPER_ARROWS
                                        : IV_PAPER_LETTERS;
}

/* 1: the first was found to be better; -1: the second; 0: neither. */
static int found_better(const iv_contest *c, size_t m, size_t run, size_t other)
{
    const iv_compared_pair *pairs;
    const iv_compared_test *tests;
    const iv_compared_run *runs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[m]);

    (void)iv_comparison_runs(&runs, c->found[m]);
    for (size_t p = 0; p < n; p++) {
        if (!(pairs[p].a == run && pairs[p].b == other)
            && !(pairs[p].b == run && pairs[p].a == other))
            continue;
        (void)iv_comparison_tests(&tests, c->found[m], p);
        const double difference = (pairs[p].a == run ? 1.0 : -1.0) * pairs[p].found.mean;
        return !(tests[0].p_adjusted < 1.0 - c->how.confidence + 1e-12) ? 0
             : difference > 0.0 ? 1 : -1;
    }
    return 0;
}

static char baseline_letter(size_t k) { return (char)('a' + (char)(k % 26)); }

static void say_marks(iv_wording *t, const iv_contest *c, size_t m, size_t run,
                      const size_t *order)
{
    const iv_paper_marks marks = marks_of(c);
    bool any = false;

    if (marks == IV_PAPER_ARROWS) {
        for (size_t k = 0; k < c->how.baseline_count; k++) {
            const int better = found_better(c, m, run, c->how.baselines[k]);
            if (better == 0)
                continue;
            iv_say(t, "%s%s", any ? "" : " ", better > 0 ? "\u25b2" : "\u25bc");
            if (c->how.baseline_count > 1) /* than which? */
                iv_say(t, "%c", baseline_letter(k));
            any = true;
        }
    }
    for (size_t r = 0; marks == IV_PAPER_LETTERS && r < c->run_count && r < 26; r++) {
        if (order[r] == run || found_better(c, m, run, order[r]) <= 0)
            continue;
        iv_say(t, "%s%c", any ? "" : " ", (char)('a' + (char)r));
        any = true;
    }
}

static bool is_largest(const iv_contest *c, size_t m, size_t run)
{
    const iv_compared_run *runs;
    const size_t n = iv_comparison_runs(&runs, c->found[m]);

    for (size_t r = 0; r < n; r++)
        if (runs[r].mean > runs[run].mean)
            return false;
    return true;
}

static void say_cell(iv_wording *t, const iv_contest *c, size_t m, size_t run,
                     const size_t *order)
{
    const iv_compared_run *runs;
    const iv_paper_interval how = c->asked->paper.interval;
    const int digits = c->digits[m], fewer = digits < 3 ? digits : 3; /* so that it fits */

    (void)iv_comparison_runs(&runs, c->found[m]);
    const iv_compared_run *x = &runs[run];
    iv_say(t, "%.*f%s", digits, x->mean, is_largest(c, m, run) ? IV_PAPER_MAX : "");
    if (isfinite(x->lower) && isfinite(x->upper)) {
        if (how == IV_PAPER_PM)
            iv_say(t, " \u00b1%.*f", digits, 0.5 * (x->upper - x->lower));
        else if (how != IV_PAPER_NO_INTERVAL)
            iv_say(t, " [%.*f, %.*f]", fewer, x->lower, fewer, x->upper);
    }
    say_marks(t, c, m, run, order);
}

/* A test of one side finds differences of one sign, of pairs in the order of the runs. */
static const char *side_of(const iv_contest *c, bool letters)
{
    return c->how.alternative == IV_TWO_SIDED ? ", two-sided"
        : !letters || c->how.baseline_count > 0 ? ", one-sided"
        : c->how.alternative == IV_GREATER
            ? ", one-sided: of two runs only whether the one given first is better"
            : ", one-sided: of two runs only whether the one given last is better";
}

static void say_caption(iv_wording *w, const iv_contest *c)
{
    static const char *const corrections[] = { NULL, NULL, "Bonferroni's correction",
                                               "Holm's correction",
                                               "Benjamini and Hochberg's correction",
                                               "Tukey's randomised correction" };
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    const iv_paper_marks marks = marks_of(c);
    const char *correction = n > 1 ? corrections[c->how.correction] : NULL;
    const double percent = 100.0 * c->how.confidence;

    iv_say(w, "Means over %zu %s", iv_comparison_shared(c->found[0]),
           iv_contest_topic(c, 2));
    if (c->asked->paper.interval == IV_PAPER_PM)
        iv_say(w, " \u00b1 half the width of their %.10g %% intervals", percent);
    else if (c->asked->paper.interval != IV_PAPER_NO_INTERVAL)
        iv_say(w, " with %.10g %% intervals", percent);
    iv_say(w, "; the largest of each measure " IV_PAPER_MARKED ".");
    if (marks == IV_PAPER_ARROWS) {
        iv_say(w, " \u25b2 better, \u25bc worse than the baseline%s",
               c->how.baseline_count > 1 ? " of that letter," : "");
        for (size_t k = 0; k < c->how.baseline_count; k++) {
            iv_say(w, "%s %.60s", k > 0 ? "," : "", c->runs[c->how.baselines[k]]);
            if (c->how.baseline_count > 1)
                iv_say(w, " (%c)", baseline_letter(k));
        }
    } else if (marks == IV_PAPER_LETTERS) {
        iv_say(w, " Letters are no groups: behind a mean they name the runs that were found worse");
    } else {
        return;
    }
    iv_say(w, " (%s test%s%s%s, p < %g%s).", iv_pair_test_names()[c->how.tests[0]],
           side_of(c, marks == IV_PAPER_LETTERS),
           correction != NULL ? ", " : "", correction != NULL ? correction : "",
           1.0 - c->how.confidence,
           c->measure_count > 1 ? ", each measure by itself" : "");
}

static void say_baseline(iv_wording *name, const iv_contest *c, size_t run)
{
    for (size_t k = 0; k < c->how.baseline_count; k++) {
        if (c->how.baselines[k] != run)
            continue;
        iv_say(name, " (baseline");
        if (c->how.baseline_count > 1 && marks_of(c) == IV_PAPER_ARROWS)
            iv_say(name, " %c", baseline_letter(k));
        iv_say(name, ")");
    }
}

static void put_rows(iv_table *t, const iv_contest *c, const size_t *order)
{
    const bool letters = marks_of(c) == IV_PAPER_LETTERS;

    for (size_t k = 0; k < c->run_count; k++) {
        const size_t r = order[k];
        iv_wording name = { .len = 0 };
        iv_say(&name, "%.200s", c->runs[r]);
        if (letters && k < 26)
            iv_say(&name, " (%c)", (char)('a' + (char)k));
        say_baseline(&name, c, r);
        iv_put_text(t, iv_str_of(name.at));
        for (size_t m = 0; m < c->measure_count; m++) {
            iv_wording text = { .len = 0 };
            say_cell(&text, c, m, r, order);
            iv_put_text(t, iv_str_of(text.at));
        }
    }
}

const iv_field iv_contest_paper_fields[] = {
    { "run", .about = "the run" },
    { "MEASURE", .about = "its mean, interval and marks" },
    { NULL } };

int iv_contest_paper(const iv_contest *c, iv_result *out, iv_err *err)
{
    iv_column *columns = calloc(c->measure_count + 1, sizeof *columns);
    size_t *order = malloc((c->run_count + 1) * sizeof *order);
    iv_wording caption = { .len = 0 };

    if (columns == NULL || order == NULL) {
        free(columns);
        free(order);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    for (size_t m = 0; m <= c->measure_count; m++) {
        const iv_field *f = &iv_contest_paper_fields[m > 0];
        columns[m] = (iv_column){ .name = m > 0 ? c->measures[m - 1] : f->name, .kind = IV_TEXT,
                                  .about = f->about };
    }
    for (size_t r = 0; r < c->run_count; r++)
        order[r] = r;
    if (c->asked->paper.order == IV_PAPER_BY_SCORE)
        iv_contest_order(order, c, 0);
    iv_table *t = iv_result_table(out, "paper", columns, c->measure_count + 1);
    iv_table_show(t, IV_ASIDE);
    say_caption(&caption, c);
    iv_table_paper(t, caption.at, c->asked->paper.interval == IV_PAPER_BELOW,
                   c->asked->paper.two_columns);
    put_rows(t, c, order);
    free(columns);
    free(order);
    return IV_OK;
}
