/* SPDX-License-Identifier: Apache-2.0 */
/* What a paper printed and what was computed: its files, its values, its figures. */
#include "base/err.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/names.h"
#include "study/study.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

IV_NAMES(iv_paper_kind_names, "printed value", "identity", "input", "claim", "no numbers")

static bool is(iv_str s, const char *text)
{
    return iv_str_cmp(s, iv_str_of(text)) == 0;
}

/* ------------------------------------------------------------------- files -- */

iv_str iv_paper_file(const char *name)
{
    for (size_t i = 0; i < iv_papers_file_count; i++)
        if (iv_str_cmp(iv_papers_files[i][0], iv_str_of(name)) == 0)
            return iv_papers_files[i][1];
    return (iv_str){ "", 0 };
}

const char *iv_paper_text(iv_paper_run *p, const char *format, ...)
{
    char text[640];
    va_list words;

    va_start(words, format);
    (void)vsnprintf(text, sizeof text, format, words);
    va_end(words);
    const char *copy = iv_arena_copy(&p->own, iv_str_of(text));
    p->own.failed = p->own.failed || copy == NULL;
    return copy != NULL ? copy : "";
}

/* The next line that is no comment. */
static bool next_line(iv_str *line, iv_str *rest)
{
    while (iv_next_line(line, rest))
        if (line->len > 0 && line->ptr[0] != '#')
            return true;
    return false;
}

bool iv_paper_line(iv_str *line, iv_str *rest)
{
    const bool first = rest->len > 0 && rest->ptr[0] == '#'; /* and the header is skipped */

    return next_line(line, rest) && (!first || next_line(line, rest));
}

iv_str iv_paper_field(iv_str line, size_t field)
{
    const char *at = line.ptr, *end = line.ptr + line.len;

    for (; field > 0 && at != NULL; field--) {
        at = memchr(at, '\t', (size_t)(end - at));
        at = at != NULL ? at + 1 : NULL;
    }
    if (at == NULL)
        return (iv_str){ "", 0 };
    const char *stop = memchr(at, '\t', (size_t)(end - at));
    return (iv_str){ at, (size_t)((stop != NULL ? stop : end) - at) };
}

double iv_paper_number(iv_str line, size_t field)
{
    double x = NAN;

    (void)iv_scan_real(&x, iv_paper_field(line, field));
    return x;
}

/* "0.31"; "620~5" where the rounding is not half a unit of the last digit; ">=0" of a claim. */
static void read_printed(iv_paper_value *v)
{
    if (v->text.len > 2 && (v->text.ptr[0] == '>' || v->text.ptr[0] == '<')) {
        iv_paper_value bare = { .text = { v->text.ptr + 2, v->text.len - 2 } };
        read_printed(&bare);
        v->printed = bare.printed;
        v->bound = v->text.ptr[0];
        return;
    }
    const char *mark = memchr(v->text.ptr, '~', v->text.len);
    const char *point = memchr(v->text.ptr, '.', v->text.len);

    v->printed = NAN;
    if (mark != NULL) {
        const size_t at = (size_t)(mark - v->text.ptr);
        (void)iv_scan_real(&v->rounding, (iv_str){ mark + 1, v->text.len - at - 1 });
        v->text.len = at;
    } else if (point != NULL) {
        v->rounding = 0.5 * pow(10.0, -(double)(v->text.len - (size_t)(point - v->text.ptr) - 1));
    } else {
        v->rounding = 0.5;
    }
    (void)iv_scan_real(&v->printed, v->text);
}

/* Reads the printed values of a paper. */
int iv_paper_read(iv_paper_run *p, const char *name, iv_err *err)
{
    iv_str rest = iv_paper_file(name), line, count = rest;
    size_t lines = 0;

    while (iv_paper_line(&line, &count))
        lines++;
    p->value = iv_take(&p->own, lines, sizeof *p->value);
    IV_TRY(iv_taken(&p->own, err));
    while (iv_paper_line(&line, &rest)) {
        iv_paper_value *v = &p->value[p->values++];
        *v = (iv_paper_value){
            .table = iv_paper_field(line, 0), .row = iv_paper_field(line, 1),
            .column = iv_paper_field(line, 2), .section = iv_paper_field(line, 3),
            .text = iv_paper_field(line, 4), .reason = iv_paper_field(line, 7),
            .computed = NAN, .tolerance = NAN, .verdict = IV_PAPER_UNCHECKED };
        while (v->kind < IV_PAPER_KINDS - 1 && iv_paper_field(line, 6).len > 0
               && !is(iv_paper_field(line, 6), iv_paper_kind_names()[v->kind]))
            v->kind++;
        if (v->kind == IV_PAPER_INPUT)
            v->verdict = IV_PAPER_USED;
        read_printed(v);
        (void)iv_scan_real(&v->printed_se, iv_paper_field(line, 5));
        v->item = iv_paper_text(p, "%.*s, %.*s, %.*s", (int)v->table.len, v->table.ptr,
                                (int)v->row.len, v->row.ptr, (int)v->column.len, v->column.ptr);
    }
    return iv_taken(&p->own, err);
}

/* ---------------------------------------------------------------- computed -- */

static iv_paper_value *find(const iv_paper_run *p, const char *table, const char *row,
                            const char *column)
{
    for (size_t i = 0; i < p->values; i++)
        if (is(p->value[i].table, table) && is(p->value[i].row, row)
            && is(p->value[i].column, column))
            return &p->value[i];
    return NULL;
}

/* Of a value on other data, how far from the printed one it may be; of a tolerance, from where it
 * is weak. */
#define TENTH 0.1

void iv_paper_judge(iv_paper_value *v, bool quick)
{
    const double slack = 1e-9 * fmax(1.0, fabs(v->printed)); /* of decimals in binary */
    const bool in_kind = v->data != NULL && v->kind != IV_PAPER_CLAIM;
    const double part = TENTH * fabs(v->printed);
    const double exact = v->rounding + 3.0 * hypot(v->se, v->printed_se);
    const double above = v->computed - v->printed;

    v->tolerance = in_kind ? fmax(part, v->rounding) : exact;
    v->weak = !in_kind && v->kind != IV_PAPER_CLAIM && exact > part + slack;
    const double off = v->bound == '>' ? -above : v->bound == '<' ? above : fabs(above);
    const bool near = off <= v->tolerance + slack;
    v->verdict = v->kind == IV_PAPER_INPUT ? IV_PAPER_USED
        : quick && v->simulated ? IV_PAPER_QUICK
        : in_kind || v->kind == IV_PAPER_CLAIM ? (near ? IV_PAPER_HOLDS : IV_PAPER_FAILS)
                                               : near ? IV_PAPER_AGREES : IV_PAPER_DIFFERS;
}

void iv_paper_put(iv_paper_run *p, const char *table, const char *row, const char *column,
                  double computed, double se)
{
    iv_paper_value *v = find(p, table, row, column);
    const iv_papers_question *q = p->q;

    if (v == NULL || isnan(v->printed) || v->kind == IV_PAPER_INPUT) {
        p->unknown++;
        return;
    }
    if (q->seeded_table != NULL && strcmp(q->seeded_table, table) == 0
        && strcmp(q->seeded_row, row) == 0)
        computed = q->seeded_factor != 0.0 ? q->seeded_factor * computed
            : iv_paper_input(p, table, row, column);
    v->computed = computed;
    v->se = se;
    v->simulated = se > 0.0;
    v->data = p->data;
    if (isfinite(computed))
        iv_paper_judge(v, q->quick);
}

void iv_paper_their_se(iv_paper_run *p, const char *table, const char *row, const char *column,
                       double se)
{
    iv_paper_value *v = find(p, table, row, column);

    if (v == NULL)
        return;
    v->printed_se = se;
    if (isfinite(v->computed))
        iv_paper_judge(v, p->q->quick);
}

void iv_paper_put_range(iv_paper_run *p, const char *table, const char *row, const char *column,
                        double from, double to)
{
    iv_paper_value *v = find(p, table, row, column);

    if (v != NULL)
        v->rounding += 0.5 * (to - from);
    iv_paper_put(p, table, row, column, 0.5 * (from + to), 0.0);
}

void iv_paper_cannot(iv_paper_run *p, const char *table, const char *row, const char *column,
                     const char *reason)
{
    iv_paper_value *v = find(p, table, row, column);

    if (v == NULL)
        p->unknown++;
    else
        v->reason = iv_str_of(reason);
}

double iv_paper_input(const iv_paper_run *p, const char *table, const char *row,
                      const char *column)
{
    const iv_paper_value *v = find(p, table, row, column);
    const char *without = p->q->without;

    return v == NULL || (without != NULL && (without[0] == '*' || strcmp(without, v->item) == 0))
        ? NAN : v->printed;
}

const char *iv_paper_collection(iv_paper_run *p, const iv_collection *c)
{
    return p->q->judgments == NULL ? iv_paper_text(p, "%zu simulated runs", c->count)
        : iv_paper_text(p, "%s, %zu runs", p->q->judgments, c->count);
}

void iv_paper_draw(iv_paper_run *p, const char *figure, const char *panel, const char *curve,
                   double x, double y)
{
    if (!IV_ROOM(p->point, p->capacity, p->points + 1)) {
        p->own.failed = true;
        return;
    }
    p->point[p->points++] = (iv_paper_point){ figure, panel, curve, x, y };
}

void iv_paper_figure(iv_paper_run *p, iv_chart_kind kind, const char *figure, const char *caption,
                     const char *x, const char *y)
{
    if (p->data != NULL)
        caption = iv_paper_text(p, "%s Here: %s.", caption, p->data);
    if (p->figures < IV_PAPER_FIGURES)
        p->figure[p->figures++] = (iv_chart){
            .kind = kind, .table = "figures", .title = figure, .caption = caption, .x = "x",
            .value = "y", .group = "curve", .page = "panel", .where = "figure", .is = figure,
            .x_axis = { .title = x }, .value_axis = { .title = y } };
    if (kind == IV_CHART_BARS) {
        p->figure[p->figures - 1].label = "curve";
        p->figure[p->figures - 1].x = p->figure[p->figures - 1].group = NULL;
    }
}

void iv_paper_diagonal(iv_paper_run *p)
{
    iv_chart *c = &p->figure[p->figures - 1];
    double from = INFINITY, to = -INFINITY;

    for (size_t i = 0; i < p->points; i++)
        if (strcmp(p->point[i].figure, c->title) == 0) {
            from = fmin(from, fmin(p->point[i].x, p->point[i].y));
            to = fmax(to, fmax(p->point[i].x, p->point[i].y));
        }
    c->diagonal = true;
    c->x_axis.from = c->value_axis.from = floor(10.0 * from) / 10.0;
    c->x_axis.to = c->value_axis.to = ceil(10.0 * to) / 10.0;
}

/* ------------------------------------------------------------------ Robust -- */

enum { SYSTEMS = 110, TOPICS = 249 };

/* Sums over all scores, in units of 0.0001, of the matrix in the project NewBestSub. */
static const int64_t robust_sum = 71174517, robust_squares = 318081909963;

static bool is_robust(const iv_score_grid *x)
{
    int64_t sum = 0, squares = 0;

    if (x->systems != SYSTEMS || x->topics != TOPICS)
        return false;
    for (size_t i = 0; i < x->systems * x->topics; i++) {
        const int64_t unit = (int64_t)llround(1e4 * x->values[i]);
        sum += unit;
        squares += unit * unit;
    }
    return sum == robust_sum && squares == robust_squares;
}

/* Average precision of the runs that are given; 0 where a run lacks a judged topic. */
static int score_runs(iv_score_grid *out, iv_paper_run *p, iv_err *err)
{
    static const char *const ap[] = { "AP" };
    const iv_source source = { .judgments = p->q->judgments, .runs = p->q->runs };
    const iv_evaluating how = { .measures = { ap, 1 }, .complete = true,
                                .interval = IV_INTERVAL_NONE };
    const iv_work quiet = iv_work_quiet(p->work);
    iv_evaluation *e = NULL;

    IV_TRY(iv_evaluate(&e, &source, &how, &quiet, err));
    const iv_evaluated *x = iv_evaluation_view(e);
    double *values = iv_take(&p->own, x->run_count * x->topic_count, sizeof *values);
    if (values != NULL) {
        iv_evaluation_grid(values, e, 0);
        for (size_t i = 0; i < x->run_count * x->topic_count; i++)
            values[i] = isnan(values[i]) ? 0.0 : values[i];
    }
    *out = (iv_score_grid){ values, x->run_count, x->topic_count };
    p->data = iv_paper_text(p, "%s, %zu runs", p->q->judgments, x->run_count);
    for (size_t r = 0; r < x->run_count && strcmp(p->name, "park") == 0; r++)
        iv_result_input(p->out, x->runs[r].path, x->runs[r].bytes);
    if (strcmp(p->name, "park") == 0)
        iv_result_input(p->out, p->q->judgments, x->judgments_bytes);
    iv_evaluation_free(e);
    return iv_taken(&p->own, err);
}

int iv_paper_robust(iv_score_grid *out, iv_paper_run *p, iv_err *err)
{
    if (p->q->robust2004 == NULL && p->q->judgments != NULL)
        return score_runs(out, p, err);
    if (p->q->robust2004 == NULL) {
        p->data = "simulated scores";
        iv_result_note(p->out, "The scores of TREC 2004 Robust cannot be shipped: values that need "
                       "them are of simulated scores. Give --robust2004 ap.csv (file ap.csv of the "
                       "project NewBestSub).");
        return iv_study_simulate(out, &p->own, SYSTEMS, TOPICS, p->work, err);
    }
    IV_TRY(iv_study_grid(out, &p->own, p->out, p->q->robust2004, p->q->by, p->work, err));
    p->data = is_robust(out) ? NULL : p->q->robust2004;
    if (p->data == NULL)
        iv_result_note(p->out, "%s is the matrix of TREC 2004 Robust, by its checksum.",
                       p->q->robust2004);
    else
        iv_result_note(p->out, "%s has %zu systems and %zu topics but is not the matrix of TREC "
                       "2004 Robust (110 x 249, by its checksum): it is other data.",
                       p->q->robust2004, out->systems, out->topics);
    return IV_OK;
}
