/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' printed values beside ours: files, values and verdicts. */
#include "study/study.h"

IV_NAMES(iv_paper_verdict_names, "agrees", "differs", "quick", "other data", "not repeated")

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
    char text[256];
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

/* "0.31", or "620~5" where the rounding is not half a unit of the last digit. */
static void read_printed(iv_paper_value *v)
{
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
static int iv_paper_read(iv_paper_run *p, const char *name, iv_err *err)
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
            .text = iv_paper_field(line, 4), .reason = iv_paper_field(line, 6),
            .computed = NAN, .tolerance = NAN, .verdict = IV_PAPER_NOT_REPEATED };
        read_printed(v);
        (void)iv_scan_real(&v->printed_se, iv_paper_field(line, 5));
        v->item = iv_paper_text(p, "%.*s, %.*s, %.*s", (int)v->table.len, v->table.ptr,
                                (int)v->row.len, v->row.ptr, (int)v->column.len, v->column.ptr);
    }
    return iv_taken(&p->own, err);
}

/* ---------------------------------------------------------------- computed -- */

static bool is(iv_str s, const char *text)
{
    return iv_str_cmp(s, iv_str_of(text)) == 0;
}

static iv_paper_value *find(iv_paper_run *p, const char *table, const char *row, const char *column)
{
    for (size_t i = 0; i < p->values; i++)
        if (is(p->value[i].table, table) && is(p->value[i].row, row)
            && is(p->value[i].column, column))
            return &p->value[i];
    return NULL;
}

static void judge(iv_paper_value *v, bool quick)
{
    const double slack = 1e-9 * fmax(1.0, fabs(v->printed)); /* of decimals in binary */

    v->tolerance = v->rounding + 3.0 * hypot(v->se, v->printed_se);
    v->verdict = v->other_data ? IV_PAPER_OTHER_DATA
        : quick && v->simulated ? IV_PAPER_QUICK
        : fabs(v->computed - v->printed) <= v->tolerance + slack ? IV_PAPER_AGREES
                                                                 : IV_PAPER_DIFFERS;
}

void iv_paper_put(iv_paper_run *p, const char *table, const char *row, const char *column,
                  double computed, double se)
{
    iv_paper_value *v = find(p, table, row, column);
    const iv_papers_question *q = p->q;

    if (v == NULL || isnan(v->printed)) {
        p->unknown++;
        return;
    }
    if (q->seeded_table != NULL && strcmp(q->seeded_table, table) == 0
        && strcmp(q->seeded_row, row) == 0)
        computed *= q->seeded_factor;
    v->computed = computed;
    v->se = se;
    v->simulated = se > 0.0;
    v->other_data = p->other_data;
    judge(v, q->quick);
}

void iv_paper_their_se(iv_paper_run *p, const char *table, const char *row, const char *column,
                       double se)
{
    iv_paper_value *v = find(p, table, row, column);

    if (v == NULL)
        return;
    v->printed_se = se;
    if (isfinite(v->computed))
        judge(v, p->q->quick);
}

/* Half of the range of values that the printed inputs leave possible, part of the tolerance. */
static void iv_paper_range(iv_paper_run *p, const char *row, const char *column, double half)
{
    iv_paper_value *v = find(p, "Table 1", row, column);

    if (v == NULL)
        return;
    v->rounding += half;
    judge(v, p->q->quick);
}

void iv_paper_draw(iv_paper_run *p, const char *figure, const char *panel, const char *curve,
                   double x, double y)
{
    if (!IV_ROOM(p->point, p->capacity, p->points + 1)) {
        p->own.failed = true;
        return;
    }
    p->point[p->points++] = (iv_row){ .text = { figure, panel, curve }, .real = { x, y } };
}

void iv_paper_figure(iv_paper_run *p, iv_chart_kind kind, const char *figure, const char *caption,
                     const char *x, const char *y)
{
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
        if (strcmp(p->point[i].text[0], c->title) == 0) {
            from = fmin(from, fmin(p->point[i].real[0], p->point[i].real[1]));
            to = fmax(to, fmax(p->point[i].real[0], p->point[i].real[1]));
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

int iv_paper_robust(iv_score_grid *out, iv_paper_run *p, iv_err *err)
{
    if (p->q->robust2004 == NULL) {
        p->other_data = true;
        iv_result_note(p->out, "The scores of TREC 2004 Robust cannot be shipped. Values that need "
                       "them are computed from simulated runs; give --robust2004 ap.csv (project "
                       "NewBestSub, file ap.csv) for verdicts.");
        return iv_study_simulate(out, &p->own, SYSTEMS, TOPICS, p->work, err);
    }
    IV_TRY(iv_study_grid(out, &p->own, p->out, p->q->robust2004, p->q->by, p->work, err));
    p->other_data = !is_robust(out);
    if (p->other_data)
        iv_result_note(p->out, "%s has %zu systems and %zu topics but is not the matrix of TREC "
                       "2004 Robust (110 x 249, by its checksum): its values have the verdict "
                       "other data.",
                       p->q->robust2004, out->systems, out->topics);
    return IV_OK;
}

/* What intervale papers shows: the list, verdicts, tables in the paper's layout, figures. */

typedef struct paper {
    const char *name, *what, *key;
    int (*make)(iv_paper_run *p, iv_err *err);
    const char *used[3]; /* methods, by their ids */
} paper;

static const paper papers[IV_PAPERS] = {
    { "webber", "Webber 2013: intervals on recall", "webber2013recall", iv_paper_webber,
      { "betabin", "koopman", "wilson" } },
    { "aslam", "Aslam & Pavlu 2008: sampled judgments", "aslam2008practical", iv_paper_aslam,
      { "stevens", "aslam-pavlu" } },
    { "carterette", "Carterette & Smucker 2007: tests with incomplete judgments",
      "carterette2007hypothesis", iv_paper_carterette, { "incomplete" } },
    { "park", "Park 2011: bootstrap intervals on MAP", "park2011bootstrap", iv_paper_park,
      { "logit-bootstrap", "bootstrap", "bca" } },
    { "goutte", "Goutte & Gaussier 2005: posteriors of precision, recall and F",
      "goutte2005probabilistic", iv_paper_goutte, { "goutte" } },
};

const iv_field iv_paper_list_fields[] = {
    { "paper", IV_AT(paper, name), .about = "intervale papers NAME repeats it" },
    { "what", IV_AT(paper, what), .about = "authors, year and subject" },
    { "key", IV_AT(paper, key), .about = "of the reference" },
    { NULL } };

const iv_field iv_paper_value_fields[] = {
    { "item", IV_AT(iv_paper_value, item), .about = "table, row and column of the paper" },
    { "section", IV_AT(iv_paper_value, section), .about = "of the paper" },
    { "printed", IV_AT(iv_paper_value, text), .about = "value as printed" },
    { "computed", IV_AT(iv_paper_value, computed), .digits = 4, .about = "by this program" },
    { "tolerance", IV_AT(iv_paper_value, tolerance), .digits = 4,
      .about = "rounding and three standard errors of both simulations" },
    { "verdict", IV_AT(iv_paper_value, verdict), .names = iv_paper_verdict_names,
      .about = "agrees, differs, quick (simulated with few replicates), other data, not repeated" },
    { "reason", IV_AT(iv_paper_value, reason), .about = "why it differs or is not repeated" },
    { NULL } };

/* Verdicts of one table, or of all for an empty name. */
typedef struct verdicts {
    iv_str table;
    size_t values, count[5];
} verdicts;

const iv_field iv_paper_verdict_fields[] = {
    { "table", IV_AT(verdicts, table), .about = "of the paper" },
    { "values", IV_AT(verdicts, values), .about = "printed" },
    { "agree", IV_AT(verdicts, count[0]), .about = "within the tolerance" },
    { "differ", IV_AT(verdicts, count[1]), .about = "outside the tolerance" },
    { "quick", IV_AT(verdicts, count[2]), .about = "simulated with few replicates: no verdict" },
    { "other_data", IV_AT(verdicts, count[3]), .about = "computed on other data: no verdict" },
    { "not_repeated", IV_AT(verdicts, count[4]), .about = "see the reason" },
    { NULL } };

static verdicts count_verdicts(const iv_paper_run *p, iv_str table)
{
    verdicts v = { .table = table };

    for (size_t i = 0; i < p->values; i++) {
        if (table.len > 0 && iv_str_cmp(p->value[i].table, table) != 0)
            continue;
        v.values++;
        v.count[p->value[i].verdict]++;
    }
    return v;
}

/* The tables of the paper, in its order. */
static size_t list_tables(iv_str *out, const iv_paper_run *p)
{
    size_t count = 0;

    for (size_t i = 0; i < p->values; i++) {
        size_t k = 0;
        while (k < count && iv_str_cmp(out[k], p->value[i].table) != 0)
            k++;
        if (k == count)
            out[count++] = p->value[i].table;
    }
    return count;
}

enum { COLUMNS = 12, CELL = 48 };

/* A row of a table in the paper's layout. */
typedef struct layout_row {
    iv_str row;
    char cell[COLUMNS][CELL];
} layout_row;

static void write_cell(char *out, const iv_paper_value *v)
{
    static const char *const marks[] = { "", " differs", " (quick)", " (other data)", "" };

    if (v->verdict == IV_PAPER_NOT_REPEATED)
        (void)snprintf(out, CELL, "%.*s (not repeated)", (int)v->text.len, v->text.ptr);
    else
        (void)snprintf(out, CELL, "%.4g | %.*s%s", v->computed, (int)v->text.len, v->text.ptr,
                       marks[v->verdict]);
}

/* Rows and columns as they first come; more columns than fit are left to table values. */
static int put_layout(iv_paper_run *p, iv_str table, iv_err *err)
{
    layout_row *rows = iv_take(&p->own, p->values, sizeof *rows);
    iv_field *fields = iv_take(&p->own, COLUMNS + 2, sizeof *fields);
    char *name = iv_arena_copy(&p->own, table);
    iv_str columns[COLUMNS];
    size_t count = 0, width = 0;

    IV_TRY(iv_taken(&p->own, err));
    fields[0] = (iv_field){ "row", IV_AT(layout_row, row), .about = "computed | printed" };
    for (size_t i = 0; i < p->values; i++) {
        const iv_paper_value *v = &p->value[i];
        size_t r = 0, c = 0;
        if (iv_str_cmp(v->table, table) != 0)
            continue;
        while (r < count && iv_str_cmp(rows[r].row, v->row) != 0)
            r++;
        while (c < width && iv_str_cmp(columns[c], v->column) != 0)
            c++;
        if (c == COLUMNS)
            continue;
        if (r == count)
            rows[count++].row = v->row;
        if (c == width) {
            columns[width++] = v->column;
            fields[width] = (iv_field){ iv_arena_copy(&p->own, v->column), IV_AS_TEXT, CELL,
                                        offsetof(layout_row, cell) + c * CELL };
        }
        write_cell(rows[r].cell[c], v);
    }
    fields[width + 1] = (iv_field){ NULL };
    IV_TRY(iv_taken(&p->own, err));
    IV_TABLE(p->out, name, fields, rows, count, .showing = IV_ASIDE);
    return IV_OK;
}

const iv_field iv_paper_point_fields[] = {
    { "figure", IV_AT(iv_row, text[0]), .about = "of the paper" },
    { "panel", IV_AT(iv_row, text[1]), .about = "of the figure" },
    { "curve", IV_AT(iv_row, text[2]), .about = "of the panel" },
    { "x", IV_AT(iv_row, real[0]), .digits = 4, .about = "horizontal" },
    { "y", IV_AT(iv_row, real[1]), .digits = 4, .about = "vertical" },
    { NULL } };

/* Figures before pictures of tables, each in the order of their first number. */
static int by_number(const void *a, const void *b)
{
    const char *x = ((const iv_chart *)a)->title, *y = ((const iv_chart *)b)->title;
    const int m = atoi(x + strcspn(x, "0123456789")), n = atoi(y + strcspn(y, "0123456789"));

    return x[0] != y[0] ? x[0] - y[0] : (m > n) - (m < n);
}

static int put_tables(iv_paper_run *p, iv_err *err)
{
    iv_str *tables = iv_take(&p->own, p->values, sizeof *tables);
    verdicts *counts = iv_take(&p->own, p->values, sizeof *counts);
    iv_paper_value *differ = iv_take(&p->own, p->values, sizeof *differ);
    size_t differing = 0;

    IV_TRY(iv_taken(&p->own, err));
    const size_t count = list_tables(tables, p);
    for (size_t i = 0; i < p->values; i++)
        if (p->value[i].verdict == IV_PAPER_DIFFERS || p->value[i].verdict == IV_PAPER_NOT_REPEATED)
            differ[differing++] = p->value[i];
    for (size_t i = 0; i < count; i++)
        counts[i] = count_verdicts(p, tables[i]);
    IV_TABLE(p->out, "values", iv_paper_value_fields, p->value, p->values, .showing = IV_FOLDED);
    IV_TABLE(p->out, "verdicts", iv_paper_verdict_fields, counts, count);
    IV_TABLE(p->out, "differs", iv_paper_value_fields, differ, differing);
    for (size_t i = 0; i < count; i++)
        IV_TRY(put_layout(p, tables[i], err));
    IV_TABLE(p->out, "figures", iv_paper_point_fields, p->point, p->points, .showing = IV_FOLDED);
    qsort(p->figure, p->figures, sizeof *p->figure, by_number);
    for (size_t i = 0; i < p->figures; i++)
        iv_result_chart(p->out, &p->figure[i]);
    return iv_result_status(p->out, err);
}

static int answer_paper(iv_result *out, const iv_papers_question *q, const paper *which,
                        const iv_work *work, iv_err *err)
{
    iv_paper_run p = { .q = q, .out = out, .work = work };
    int rc = iv_paper_read(&p, which->name, err);

    if (rc == IV_OK)
        rc = which->make(&p, err);
    /* Reasons are for what differs or is not repeated. */
    for (size_t i = 0; i < p.values; i++) {
        iv_paper_value *v = &p.value[i];
        if (v->verdict != IV_PAPER_DIFFERS && v->verdict != IV_PAPER_NOT_REPEATED)
            v->reason = (iv_str){ "", 0 };
        else if (v->reason.len == 0)
            v->reason = iv_str_of(v->verdict == IV_PAPER_DIFFERS ? "not explained"
                                                                 : "not computed");
    }
    if (rc == IV_OK && p.unknown > 0)
        rc = iv_fail(err, IV_EARG, "%zu computed values of %s have no printed one", p.unknown,
                     which->name);
    if (rc == IV_OK) {
        const verdicts all = count_verdicts(&p, (iv_str){ "", 0 });
        iv_result_answer(out, "%s. Printed values: %zu; agreeing: %zu; differing: %zu; without a "
                         "verdict: %zu.", which->what, all.values, all.count[0],
                         all.count[1], all.values - all.count[0] - all.count[1]);
        rc = put_tables(&p, err);
        iv_result_legend(out, "A value agrees when it is within half a unit of its last printed "
                         "digit and three standard errors of both simulations.");
        for (size_t i = 0; i < 3 && which->used[i] != NULL; i++)
            iv_result_used(out, which->used[i]);
    }
    free(p.point);
    iv_arena_free(&p.own);
    return rc;
}

int iv_papers_answer(iv_result *out, const iv_papers_question *q, const iv_work *work, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    for (int k = 0; k < IV_PAPERS && q->paper != NULL; k++)
        if (strcmp(q->paper, papers[k].name) == 0)
            return answer_paper(out, q, &papers[k], work, err);
    if (q->paper != NULL)
        return iv_fail(err, IV_EARG, "unknown paper %s; expected webber, aslam, carterette, park "
                       "or goutte", iv_quote(quoted, iv_str_of(q->paper)));
    iv_result_answer(out, "The methods come from five papers; 'intervale papers webber' computes "
                     "what Webber printed.");
    IV_TABLE(out, "papers", iv_paper_list_fields, papers, IV_PAPERS);
    return iv_result_status(out, err);
}

/*
 * Park (2011): how often intervals on mean average precision miss the mean of the 249 topics
 * of TREC 2004 Robust, over 110 systems and 1,000 samples of each.  The paper prints no
 * standard errors; theirs is that of 110,000 independent samples, the least it can be.
 */

enum { TABLES = 3, SIZES = 3, LEVELS = 10, BINS = 20 };

static const int64_t sizes[SIZES] = { 5, 10, 20 };
static const double levels[LEVELS] = { .05, .10, .15, .20, .25, .30, .35, .40, .45, .50 };

static int errors(iv_paper_run *p, const iv_score_grid *x, iv_err *err)
{
    static const iv_interval_method methods[TABLES] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA,
                                                        IV_INTERVAL_LOGIT };
    static const char *const tables[TABLES] = { "Table 1", "Table 2", "Table 3" };
    static const char *const columns[SIZES] = { "n = 5", "n = 10", "n = 20" };
    const iv_map_options o = { methods, TABLES, { sizes, SIZES }, { levels, LEVELS },
                               p->q->quick ? 20 : 1000, p->q->quick ? 200 : 1000 };
    iv_map_cell *cells = NULL;

    IV_TRY(iv_map_cells(&cells, &p->own, x, &o, p->work, err));
    for (size_t i = 0; i < TABLES * SIZES * LEVELS; i++) {
        const size_t t = i / (SIZES * LEVELS), n = i / LEVELS % SIZES, a = i % LEVELS;
        iv_paper_put(p, tables[t], iv_paper_text(p, "alpha %.2f", levels[a]), columns[n],
                     cells[i].error, cells[i].error_se);
        iv_paper_draw(p, "Tables 1 to 3", columns[n], iv_interval_names()[methods[t]], levels[a],
                      cells[i].error);
    }
    iv_paper_put(p, "Figure 1", "bias of 110 systems", "mean, n = 5", cells[0].bias,
                 fmax(cells[0].error_se, 1e-9));
    iv_paper_figure(p, IV_CHART_CURVES, "Tables 1 to 3", "How often an interval misses the mean, "
                    "over alpha. On the diagonal the error is as promised.", "alpha", "error");
    iv_paper_diagonal(p);
    return IV_OK;
}

/*
 * The paper prints simulated values only.  Its formulas are checked on five values whose 3,125
 * resamples are all listed, against values computed by another program.
 */
static int formulas(iv_paper_run *p, iv_err *err)
{
    enum { N = 5, ALL = 3125 };
    static const double x[N] = { 0.02, 0.11, 0.23, 0.41, 0.74 };
    static const iv_interval_method methods[] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA,
                                                  IV_INTERVAL_LOGIT };
    double *means = iv_take(&p->own, ALL, sizeof *means);
    iv_mean_interval found;

    IV_TRY(iv_taken(&p->own, err));
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const char *name = iv_interval_names()[methods[m]];
        for (size_t b = 0; b < ALL; b++) {
            means[b] = 0.0;
            for (size_t k = 0, rest = b; k < N; k++, rest /= N)
                means[b] += x[rest % N] / N;
        }
        IV_TRY(iv_interval_from_means(&found, methods[m], means, ALL, x, N, 0.95, err));
        iv_paper_put(p, "Formulas", name, "lower", found.lower, 0.0);
        iv_paper_put(p, "Formulas", name, "upper", found.upper, 0.0);
    }
    iv_paper_put(p, "Formulas", "skewness", "value", found.skewness, 0.0);
    return IV_OK;
}

/* Counts of values in equal steps from the first to the last limit. */
static void histogram(iv_paper_run *p, const char *figure, const char *panel, const double *x,
                      size_t n, double from, double to)
{
    const double step = (to - from) / BINS;
    double bin[BINS] = { 0.0 };

    for (size_t i = 0; i < n; i++)
        bin[(size_t)fmin(fmax((x[i] - from) / step, 0.0), BINS - 1.0)] += 1.0;
    for (int b = 0; b < BINS; b++)
        iv_paper_draw(p, figure, panel, "number", from + (b + 0.5) * step, bin[b]);
}

/* Figures 1 to 3: bias of samples of five, and skewness. */
static int distributions(iv_paper_run *p, const iv_score_grid *x, iv_err *err)
{
    const size_t S = x->systems, T = x->topics, samples = p->q->quick ? 50 : 1000;
    double *skew = iv_take(&p->own, S, sizeof *skew), *bias = iv_take(&p->own, S, sizeof *bias);
    double positive = 0.0;
    size_t least = 0, most = 0, middle = 0;
    iv_mean_interval all;

    IV_TRY(iv_taken(&p->own, err));
    for (size_t s = 0; s < S; s++) {
        const double *row = x->values + s * T;
        iv_stream stream = iv_stream_start(iv_work_seed(p->work), IV_FOR_STUDY,
                                           UINT64_C(7) << 50 | s);
        size_t topics[5];
        iv_interval_begin(&all, IV_INTERVAL_T, row, T);
        for (size_t i = 0; i < samples; i++) {
            (void)iv_draw_subset(&stream, topics, 5, T);
            for (size_t k = 0; k < 5; k++)
                bias[s] += (row[topics[k]] - all.mean) / (5.0 * (double)samples);
        }
        skew[s] = all.skewness;
        positive += skew[s] > 0.0;
        least = skew[s] < skew[least] ? s : least;
        most = skew[s] > skew[most] ? s : most;
    }
    for (size_t s = 0; s < S; s++) {
        size_t below = 0;
        for (size_t k = 0; k < S; k++)
            below += skew[k] < skew[s];
        middle = below == S / 2 ? s : middle;
    }
    iv_paper_put(p, "Figure 2", "110 systems", "with positive skewness", positive, 0.0);
    iv_paper_put(p, "Figure 3", "least skewed system", "skewness above 0", skew[least] > 0.0, 0.0);
    const double far = p->q->quick ? 0.05 : 0.01;
    histogram(p, "Figure 1", "systems", bias, S, -far, far);
    histogram(p, "Figure 2", "systems", skew, S, 0.0, 5.0);
    histogram(p, "Figure 3", "least skewed", x->values + least * T, T, 0.0, 1.0);
    histogram(p, "Figure 3", "median skewness", x->values + middle * T, T, 0.0, 1.0);
    histogram(p, "Figure 3", "most skewed", x->values + most * T, T, 0.0, 1.0);
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 1", "Bias of the mean of five topics: number of "
                    "systems.", "bias", "systems");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 2", "Skewness of the scores: number of systems in "
                    "steps of 0.25.", "skewness", "systems");
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 3", "Scores of the systems with the least, median "
                    "and largest skewness: number of topics in steps of 0.05.",
                    "average precision", "topics");
    return IV_OK;
}

int iv_paper_park(iv_paper_run *p, iv_err *err)
{
    iv_score_grid x;

    IV_TRY(formulas(p, err));
    if (p->q->exact)
        return IV_OK;
    IV_TRY(iv_paper_robust(&x, p, err));
    IV_TRY(distributions(p, &x, err));
    return errors(p, &x, err);
}

/*
 * Goutte and Gaussier (2005).  Probabilities are in per cent and come from 10,000 draws in the
 * paper, with the standard errors that the tables print; ours are exact.  Table 1 prints
 * F-scores, not counts: with table 2 they leave one solution for 33 of 39 cells.
 */

/* Precision of 10 of 20 beside 3 of 5, Jeffreys' prior. */
static void example(iv_paper_run *p)
{
    iv_posterior one, two, none;

    iv_posterior_beta(&one, 10.5, 10.5);
    iv_posterior_beta(&two, 3.5, 2.5);
    iv_posterior_beta(&none, 0.5, 0.5);
    const double greater = iv_posterior_greater(&two, &one);
    iv_paper_put(p, "Section 2.2", "system 1", "mean", one.mean, 0.0);
    iv_paper_put(p, "Section 2.2", "system 1", "mode", iv_posterior_mode(&one), 0.0);
    iv_paper_put(p, "Section 2.2", "system 2", "mean", two.mean, 0.0);
    iv_paper_put(p, "Section 2.2", "system 2", "mode", iv_posterior_mode(&two), 0.0);
    iv_paper_put(p, "Section 2.2", "system 2 better", "probability", greater, 0.0);
    iv_paper_put(p, "Section 2.2", "system 1 better", "probability", 1.0 - greater, 0.0);
    iv_paper_put(p, "Section 2.1", "nothing returned", "mean of precision", none.mean, 0.0);
    for (int i = 1; i < 100; i++) {
        iv_paper_draw(p, "Figure 1", "precision", "system 1: 10 of 20", 0.01 * i,
                      exp(iv_posterior_log_density(&one, 0.01 * i)));
        iv_paper_draw(p, "Figure 1", "precision", "system 2: 3 of 5", 0.01 * i,
                      exp(iv_posterior_log_density(&two, 0.01 * i)));
    }
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 1", "Posterior density of the precision of two "
                    "systems. System 1 is better with probability 35 %.", "precision",
                    "density");
}

/* P(F of the first system is greater) from the counts that begin with a field; F1 depends on
 * FP + FN alone. */
static double f_greater(iv_str line, size_t field)
{
    iv_posterior of[2];

    for (size_t k = 0; k < 2; k++) {
        const iv_prf_cells cells = { .tp = iv_paper_number(line, field + 2 * k) + 0.5,
                                     .fp = iv_paper_number(line, field + 2 * k + 1) + 0.5,
                                     .fn = 0.5 };
        iv_posterior_prf(&of[k], &cells, (iv_prf_metric){ IV_PRF_F, 1.0 });
    }
    return iv_posterior_greater(&of[0], &of[1]);
}

enum { COUNTS = 4, OTHER_COUNTS = 9 };

/* Of earn and acq the middle of the range that the printed F-scores leave. */
static void f_scores(iv_paper_run *p, iv_str line, const char *category, const char *comparison)
{
    const bool range = iv_paper_field(line, OTHER_COUNTS).len > 0;
    const size_t name = strcspn(comparison, ":");
    const double greater = f_greater(line, COUNTS);
    const double other = range ? f_greater(line, OTHER_COUNTS) : greater;
    const char *probability = iv_paper_text(p, "%s, %%", comparison);
    iv_paper_put(p, "Table 1", category, probability, 50.0 * (greater + other), 0.0);
    iv_paper_range(p, category, probability, 50.0 * fabs(greater - other));
    for (size_t k = 0; k < 2 && !range; k++) {
        const double tp = iv_paper_number(line, COUNTS + 2 * k);
        const double errors = iv_paper_number(line, COUNTS + 2 * k + 1);
        const char *column = iv_paper_text(p, "%.*s: F1 %s", (int)name, comparison,
                                           k == 0 ? "first" : "second");
        iv_paper_put(p, "Table 1", category, column, 200.0 * tp / (2.0 * tp + errors), 0.0);
    }
}

int iv_paper_goutte(iv_paper_run *p, iv_err *err)
{
    iv_str rest = iv_paper_file("goutte_counts"), line;

    example(p);
    while (iv_paper_line(&line, &rest)) {
        const char *category = iv_arena_copy(&p->own, iv_paper_field(line, 0));
        const char *comparison = iv_arena_copy(&p->own, iv_paper_field(line, 1));
        const iv_paired_cells cells = { iv_paper_number(line, 2) + 0.5,
                                        iv_paper_number(line, 3) + 0.5, 1.0 };
        const char *row = iv_arena_copy(&p->own, iv_paper_field(line, 8));
        if (category == NULL || comparison == NULL || row == NULL)
            return iv_no_memory(err);
        iv_paper_put(p, "Table 2", row, iv_paper_text(p, "%s, %%", comparison),
                     100.0 * iv_paired_greater(cells), 0.0);
        f_scores(p, line, category, comparison);
    }
    iv_paper_put(p, "Section 5", "8 to 3", "probability, %",
                 100.0 * iv_paired_greater((iv_paired_cells){ 8.5, 3.5, 1.0 }), 0.0);
    return IV_OK;
}
