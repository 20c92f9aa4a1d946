/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 32 };

/* Columns of a table under construction. */
typedef struct columns {
    iv_column at[MOST_COLUMNS];
    size_t count;
} columns;

static void add(columns *c, bool wanted, const char *name, iv_kind kind, int digits)
{
    if (wanted)
        c->at[c->count++] = (iv_column){ name, kind, digits };
}

const char *compare_mark(double p)
{
    return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
}

static int digits_of(const compare_input *in, const compared *list, size_t count)
{
    int digits = 0;

    for (size_t i = 0; i < count; i++)
        digits = in->digits[list[i].measure] > digits ? in->digits[list[i].measure] : digits;
    return digits;
}

/* ---------------------------------------------------------------- pairs -- */

static columns pair_columns(const compare_layout *l, bool measures, bool groups, int digits)
{
    const bool all = !l->people;
    columns c = { .count = 0 };

    add(&c, groups, "group", IV_TEXT, 0);
    add(&c, true, "a", IV_TEXT, 0);
    add(&c, all || !l->baseline, "b", IV_TEXT, 0);
    add(&c, all || measures, "measure", IV_TEXT, 0);
    add(&c, all || l->uneven || groups, "topics", IV_INTEGER, 0);
    add(&c, true, all || l->baseline ? "difference" : "a - b", IV_REAL, digits);
    add(&c, true, "lower", IV_REAL, digits);
    add(&c, true, "upper", IV_REAL, digits);
    add(&c, all, "wins", IV_INTEGER, 0);
    add(&c, all, "ties", IV_INTEGER, 0);
    add(&c, all, "losses", IV_INTEGER, 0);
    add(&c, !all, "w/t/l", IV_TEXT, 0);
    add(&c, all || l->tests, "test", IV_TEXT, 0);
    add(&c, all, "p", IV_REAL, 4);
    add(&c, all, "p_adjusted", IV_REAL, 4);
    add(&c, !all, l->adjusted ? "p_adjusted" : "p", IV_TEXT, 0);
    add(&c, all, "correction", IV_TEXT, 0);
    add(&c, all, "statistic", IV_REAL, 4);
    add(&c, all, "exact", IV_INTEGER, 0);
    add(&c, all, "sd", IV_REAL, digits);
    add(&c, all, "effect", IV_REAL, 3);
    add(&c, all, "superiority", IV_REAL, 3);
    add(&c, all, "only_a", IV_INTEGER, 0);
    add(&c, all, "only_b", IV_INTEGER, 0);
    add(&c, l->margin, "p_above", IV_REAL, 4);
    add(&c, l->margin, "p_noninferior", IV_REAL, 4);
    add(&c, l->margin, "p_equivalent", IV_REAL, 4);
    return c;
}

static void put_counts(iv_table *t, const iv_differences *d, bool people)
{
    char text[96];

    if (people) {
        (void)snprintf(text, sizeof text, "%zu/%zu/%zu", d->wins, d->ties, d->losses);
        iv_put_text(t, iv_str_of(text));
        return;
    }
    iv_put_int(t, (int64_t)d->wins);
    iv_put_int(t, (int64_t)d->ties);
    iv_put_int(t, (int64_t)d->losses);
}

/* What programs want to know besides. */
static void put_details(iv_table *t, const iv_compared_pair *p, const iv_compared_test *k)
{
    iv_put_text(t, iv_str_of(iv_correction_names()[k->correction]));
    iv_put_real(t, k->test.statistic);
    iv_put_int(t, k->test.exact);
    iv_put_real(t, p->found.sd);
    iv_put_real(t, p->found.effect);
    iv_put_real(t, p->superiority);
    iv_put_int(t, (int64_t)p->only_a);
    iv_put_int(t, (int64_t)p->only_b);
}

/* For people: the p-value with its mark. */
static void put_marked(iv_table *t, double p)
{
    char text[64];

    if (isnan(p)) {
        iv_put_missing(t);
        return;
    }
    (void)snprintf(text, sizeof text, p < 0.0001 ? "%.1e%s%s" : "%.4f%s%s", p,
                   p < 0.05 ? " " : "", compare_mark(p));
    iv_put_text(t, iv_str_of(text));
}

static void put_pair(iv_table *t, const compare_input *in, const compared *x,
                     const iv_compared_pair *p, const iv_compared_test *k,
                     const compare_layout *l, bool measures)
{
    const bool all = !l->people;

    if (x->group != NULL)
        iv_put_text(t, iv_str_of(x->group));
    iv_put_text(t, iv_str_of(in->runs[p->a]));
    if (all || !l->baseline)
        iv_put_text(t, iv_str_of(in->runs[p->b]));
    if (all || measures)
        iv_put_text(t, iv_str_of(in->measures[x->measure]));
    if (all || l->uneven || x->group != NULL)
        iv_put_int(t, (int64_t)p->found.n);
    iv_put_real(t, p->found.mean);
    iv_put_real(t, p->lower);
    iv_put_real(t, p->upper);
    put_counts(t, &p->found, l->people);
    if (all || l->tests)
        iv_put_text(t, iv_str_of(iv_pair_test_names()[k->kind]));
    if (all) {
        iv_put_real(t, k->test.p);
        iv_put_real(t, k->p_adjusted);
        put_details(t, p, k);
    } else {
        put_marked(t, k->p_adjusted);
    }
    if (l->margin) {
        iv_put_real(t, p->p_above);
        iv_put_real(t, p->p_noninferior);
        iv_put_real(t, p->p_equivalent);
    }
}

typedef struct axis {
    double from, to; /* equal: as the data have it */
} axis;

/* Whether an interval holds 0 must be seen: an axis that ends there, if all the
 * differences are on one side of it. */
static axis axis_with_zero(const compared *list, size_t count)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        const iv_compared_pair *p;
        const size_t n = iv_comparison_pairs(&p, list[i].found);
        for (size_t k = 0; k < n; k++) {
            low = fmin(low, fmin(p[k].lower, p[k].found.mean));
            high = fmax(high, fmax(p[k].upper, p[k].found.mean));
        }
    }
    const double end = low > 0.0 ? high : high < 0.0 ? -low : 0.0;
    if (!(end > 0.0) || !isfinite(end))
        return (axis){ 0.0, 0.0 };
    /* One digit, and by a division below 1: 3 / 10 reads 0.3, 3 * 0.1 does not. */
    const double size = pow(10.0, fabs(floor(log10(end))));
    const double round = end < 1.0 ? ceil(end * size) / size : ceil(end / size) * size;
    return low > 0.0 ? (axis){ 0.0, round } : (axis){ -round, 0.0 };
}

void compare_table_pairs(iv_result *out, const char *name, const compare_input *in,
                         const compared *list, size_t count, const compare_layout *layout)
{
    const bool groups = count > 0 && list[0].group != NULL, measures = in->measure_count > 1;
    const columns c = pair_columns(layout, measures, groups, digits_of(in, list, count));
    iv_table *t = iv_result_table(out, name, c.at, c.count);

    const axis ends = axis_with_zero(list, count);

    iv_table_draw(t, (iv_drawn){ layout->people && !layout->baseline ? "a - b" : "difference",
                                  "lower", "upper", ends.from, ends.to });
    for (size_t i = 0; i < count; i++) {
        const iv_compared_pair *pairs;
        const size_t n = iv_comparison_pairs(&pairs, list[i].found);
        for (size_t p = 0; p < n; p++) {
            const iv_compared_test *tests;
            const size_t k = iv_comparison_tests(&tests, list[i].found, p);
            for (size_t j = 0; j < k; j++)
                put_pair(t, in, &list[i], &pairs[p], &tests[j], layout, measures);
        }
    }
}

/* ----------------------------------------------------------------- runs -- */

static void put_range(iv_table *t, size_t lower, size_t upper)
{
    char text[64];

    if (lower == upper)
        (void)snprintf(text, sizeof text, "%zu", lower);
    else
        (void)snprintf(text, sizeof text, "%zu-%zu", lower, upper);
    iv_put_text(t, iv_str_of(text));
}

/* The next group of the letters, which may have two characters each. */
static const char *next_group(size_t *number, const char *at, bool two)
{
    const size_t len = two ? strcspn(at, ",") : 1;

    *number = len == 1 ? (size_t)(at[0] - 'a')
        : (size_t)(26 * (at[0] - 'a' + 1) + at[1] - 'a');
    return at + len + (at[len] == ',');
}

/* Letters; for people, three or more in a row as a range: b-f. */
static void put_letters(iv_table *t, const char *letters, size_t groups, bool people)
{
    const bool two = groups > 26;
    char text[1024];
    size_t used = 0;

    if (letters == NULL) {
        iv_put_missing(t);
        return;
    }
    for (const char *at = letters; people && *at != '\0' && used + 16 < sizeof text;) {
        size_t first, next, row = 1;
        const char *behind = next_group(&first, at, two), *last = at, *end = behind;
        while (*end != '\0') {
            const char *after = next_group(&next, end, two);
            if (next != first + row)
                break;
            row++;
            last = end;
            end = after;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s%s%.*s",
                                 used > 0 && (two || row > 2) ? "," : "",
                                 two ? (int)strcspn(at, ",") : 1, at, row > 2 ? "-" : "",
                                 row > 2 ? (two ? (int)strcspn(last, ",") : 1) : 0, last);
        at = row > 2 ? end : behind;
    }
    iv_put_text(t, iv_str_of(people ? text : letters));
}

static void put_run(iv_table *t, const compare_input *in, const compared *x,
                    const iv_compared_run *r, size_t run, bool people, bool measures)
{
    iv_put_text(t, iv_str_of(in->runs[run]));
    if (!people || measures)
        iv_put_text(t, iv_str_of(in->measures[x->measure]));
    iv_put_real(t, r->mean);
    iv_put_real(t, r->lower);
    iv_put_real(t, r->upper);
    /* People see the order of the rows, and want no more than three digits. */
    if (people) {
        put_range(t, r->rank_lower, r->rank_upper);
    } else {
        iv_put_int(t, (int64_t)r->rank);
        iv_put_int(t, (int64_t)r->rank_lower);
        iv_put_int(t, (int64_t)r->rank_upper);
    }
    iv_put_real(t, people && r->p_best < 0.0005 ? 0.0 : r->p_best);
    put_letters(t, r->letters, iv_comparison_groups(x->found), people);
    if (people)
        return;
    for (size_t k = 0; k < 2; k++) {
        const size_t rank = k == 0 ? r->boot_lower : r->boot_upper;
        if (rank > 0)
            iv_put_int(t, (int64_t)rank);
        else
            iv_put_missing(t);
    }
    iv_put_int(t, (int64_t)r->topics);
}

/* The runs of a comparison, the best first; equal ones as they were given. */
static void put_runs(iv_table *t, const compare_input *in, const compared *x, bool people,
                     bool measures)
{
    const iv_compared_run *runs;
    const size_t n = iv_comparison_runs(&runs, x->found);

    for (size_t rank = 1; rank <= n; rank++) {
        for (size_t r = 0; r < n; r++) {
            if (runs[r].rank == rank)
                put_run(t, in, x, &runs[r], r, people, measures);
        }
    }
}

void compare_table_runs(iv_result *out, const compare_input *in, const compared *list,
                        size_t count, const compare_layout *layout)
{
    const bool all = !layout->people, measures = in->measure_count > 1;
    const int digits = digits_of(in, list, count);
    columns c = { .count = 0 };

    add(&c, true, "run", IV_TEXT, 0);
    add(&c, all || measures, "measure", IV_TEXT, 0);
    add(&c, true, "mean", IV_REAL, digits);
    add(&c, true, "lower", IV_REAL, digits);
    add(&c, true, "upper", IV_REAL, digits);
    add(&c, all, "rank", IV_INTEGER, 0);
    add(&c, !all, "ranks", IV_TEXT, 0);
    add(&c, all, "rank_lower", IV_INTEGER, 0);
    add(&c, all, "rank_upper", IV_INTEGER, 0);
    add(&c, true, "p_best", IV_REAL, 3);
    add(&c, true, "group", IV_TEXT, 0);
    add(&c, all, "boot_lower", IV_INTEGER, 0);
    add(&c, all, "boot_upper", IV_INTEGER, 0);
    add(&c, all, "topics", IV_INTEGER, 0);
    iv_table *t = iv_result_table(out, "runs", c.at, c.count);
    iv_table_draw(t, (iv_drawn){ "mean", "lower", "upper", 0.0, 0.0 });
    for (size_t i = 0; i < count; i++)
        put_runs(t, in, &list[i], layout->people, measures);
}

/* --------------------------------------------------------------- papers -- */

/* What to say of a run beside its mean. */
static const char *sign_of(const compared *x, size_t run, size_t baseline)
{
    const iv_compared_run *runs;
    const iv_compared_pair *pairs;
    const iv_compared_test *tests;
    const size_t n = iv_comparison_pairs(&pairs, x->found);

    (void)iv_comparison_runs(&runs, x->found);
    if (baseline == IV_NO_BASELINE)
        return runs[run].letters != NULL ? runs[run].letters : "";
    for (size_t p = 0; p < n; p++) {
        if (pairs[p].a != run)
            continue;
        (void)iv_comparison_tests(&tests, x->found, p);
        return compare_mark(tests[0].p_adjusted);
    }
    return "";
}

void compare_table_paper(iv_result *out, const compare_input *in, const compared *list,
                         size_t count, size_t baseline)
{
    iv_column *c = malloc((count + 1) * sizeof *c);
    const size_t fit = c != NULL ? count : 0;
    iv_column only = { "run", IV_TEXT, 0 };

    if (c == NULL)
        c = &only;
    c[0] = only;
    for (size_t i = 0; i < fit; i++)
        c[i + 1] = (iv_column){ in->measures[list[i].measure], IV_TEXT, 0 };
    iv_table *t = iv_result_table(out, "paper", c, fit + 1);
    for (size_t r = 0; r < in->run_count; r++) {
        iv_put_text(t, iv_str_of(in->runs[r]));
        for (size_t i = 0; i < fit; i++) {
            const iv_compared_run *runs;
            char text[128];
            (void)iv_comparison_runs(&runs, list[i].found);
            const char *sign = sign_of(&list[i], r, baseline);
            (void)snprintf(text, sizeof text, "%.*f%s%.80s", in->digits[list[i].measure],
                           runs[r].mean, baseline == IV_NO_BASELINE ? " " : "", sign);
            iv_put_text(t, iv_str_of(text));
        }
    }
    if (c != &only)
        free(c);
}

/* ---------------------------------------------------------- interaction -- */

void compare_table_interaction(iv_result *out, const compare_input *in,
                               const compare_interaction *list, size_t count,
                               const compare_layout *layout)
{
    const bool measures = !layout->people || in->measure_count > 1;
    columns c = { .count = 0 };

    add(&c, true, "a", IV_TEXT, 0);
    add(&c, true, "b", IV_TEXT, 0);
    add(&c, measures, "measure", IV_TEXT, 0);
    add(&c, true, "groups", IV_INTEGER, 0);
    add(&c, true, "statistic", IV_REAL, 3);
    add(&c, true, "p", IV_REAL, 4);
    add(&c, true, "p_adjusted", IV_REAL, 4);
    add(&c, true, "mark", IV_TEXT, 0);
    iv_table *t = iv_result_table(out, "interaction", c.at, c.count);
    for (size_t i = 0; i < count; i++) {
        const iv_compared_pair *pairs;
        const size_t n = iv_comparison_pairs(&pairs, list[i].found);
        for (size_t p = 0; p < n; p++) {
            iv_put_text(t, iv_str_of(in->runs[pairs[p].a]));
            iv_put_text(t, iv_str_of(in->runs[pairs[p].b]));
            if (measures)
                iv_put_text(t, iv_str_of(in->measures[list[i].measure]));
            iv_put_int(t, (int64_t)list[i].tests[p].used);
            iv_put_real(t, list[i].tests[p].statistic);
            iv_put_real(t, list[i].tests[p].p);
            iv_put_real(t, list[i].p_adjusted[p]);
            iv_put_text(t, iv_str_of(compare_mark(list[i].p_adjusted[p])));
        }
    }
}
