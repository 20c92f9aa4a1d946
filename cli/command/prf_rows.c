/* SPDX-License-Identifier: Apache-2.0 */
#include "command/prf_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory");
}

/* The work of making rows. */
typedef struct maker {
    prf_rows *rows;
    prf_input *in;
    const prf_wish *wish;
    const iv_prf_counts *earlier; /* a system each, or NULL; tp < 0: none */
    iv_err *err;
} maker;

double *prf_rows_block(prf_rows *rows, size_t count, size_t draws)
{
    double **grown = realloc(rows->blocks, (rows->block_count + 1) * sizeof *grown);

    if (grown == NULL)
        return NULL;
    rows->blocks = grown;
    double *block = calloc(count * draws, sizeof *block);
    if (block != NULL)
        rows->blocks[rows->block_count++] = block;
    return block;
}

void prf_rows_free(prf_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        iv_posterior_free(rows->at[i].posterior);
    for (size_t i = 0; i < rows->block_count; i++)
        free(rows->blocks[i]);
    free(rows->at);
    free(rows->blocks);
    *rows = (prf_rows){ 0 };
}

const prf_row *prf_rows_find(const prf_rows *rows, size_t system, const char *name)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->at[i].system == system && strcmp(rows->at[i].name, name) == 0)
            return &rows->at[i];
    }
    return NULL;
}

double prf_row_mean(const prf_row *row)
{
    return row->posterior != NULL ? iv_posterior_mean(row->posterior) : row->mean;
}

int prf_row_interval(iv_credible *out, const prf_row *row, const prf_wish *wish, iv_err *err)
{
    const size_t n = wish->draws;
    iv_drawn_summary s;

    if (row->posterior != NULL)
        return iv_posterior_interval(out, row->posterior, wish->confidence, wish->interval, err);
    double *sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL)
        return no_memory(err);
    memcpy(sorted, row->draws, n * sizeof *sorted);
    const int rc = iv_summarise_draws(&s, sorted, n, wish->confidence, wish->interval, err);
    free(sorted);
    if (rc == IV_OK)
        *out = (iv_credible){ .lower = s.lower, .upper = s.upper, .kind = wish->interval };
    return rc;
}

/* "f1" or "f1[what]", kept with the input. */
static const char *row_name(prf_input *in, iv_prf_metric m, const char *what)
{
    char name[IV_PRF_NAME_SIZE];

    (void)iv_prf_name(name, m);
    if (what == NULL)
        return prf_keep(in, iv_str_of(name));
    const size_t size = strlen(name) + strlen(what) + 3;
    char *text = malloc(size);
    if (text == NULL)
        return NULL;
    (void)snprintf(text, size, "%s[%s]", name, what);
    const char *kept = prf_keep(in, iv_str_of(text));
    free(text);
    return kept;
}

static int add_row(maker *k, const prf_row *row, const char *what)
{
    prf_rows *rows = k->rows;

    if (rows->count == rows->capacity) {
        const size_t capacity = 2 * rows->capacity + 64;
        prf_row *grown = realloc(rows->at, capacity * sizeof *grown);
        if (grown == NULL)
            return no_memory(k->err);
        rows->at = grown;
        rows->capacity = capacity;
    }
    rows->at[rows->count] = *row;
    rows->at[rows->count].name = row_name(k->in, row->metric, what);
    if (rows->at[rows->count].name == NULL)
        return no_memory(k->err);
    rows->count++;
    return IV_OK;
}

/* The posterior's cells of one category. */
static int update(iv_prf_cells *out, const maker *k, size_t system,
                  const iv_prf_counts *counts)
{
    const iv_prf_counts *earlier = k->earlier;

    if (earlier != NULL)
        earlier = earlier[system].tp >= 0 ? &earlier[system] : NULL;
    return iv_prf_update(out, k->wish->prior, counts, earlier, k->err);
}

static bool applies(iv_prf_metric m, const iv_prf_counts *c)
{
    return m.kind < IV_PRF_SPECIFICITY || c->tn >= 0;
}

/* Draws of MCC, the one metric of a single category without a closed form. */
static int draw_mcc(prf_row *row, maker *k, const iv_prf_cells *cells, uint32_t stream)
{
    const prf_wish *w = k->wish;
    const iv_draw_plan plan = { w->draws, w->seed, stream, w->threads };
    double *block = prf_rows_block(k->rows, 1, w->draws);

    if (block == NULL)
        return no_memory(k->err);
    row->draws = block;
    return iv_prf_draw(block, cells, 1, &row->metric, 1, &plan, k->err);
}

static int add_category(maker *k, size_t system, size_t category, uint32_t stream)
{
    const prf_category *c = &k->in->systems[system].categories[category];
    iv_prf_cells cells;
    int rc = update(&cells, k, system, &c->counts);

    for (size_t m = 0; m < k->wish->metric_count && rc == IV_OK; m++) {
        prf_row row = { .system = system, .metric = k->wish->metrics[m], .category = category,
                        .cells = cells, .mean = NAN };
        if (!applies(row.metric, &c->counts))
            continue;
        row.value = iv_prf_value(row.metric, &c->counts);
        if (row.metric.kind == IV_PRF_MCC)
            rc = draw_mcc(&row, k, &cells, stream);
        if (rc == IV_OK)
            rc = add_row(k, &row, c->name);
    }
    return rc;
}

/* ------------------------------------------------------------- averages -- */

static int add_micro_pooled(maker *k, size_t system)
{
    const prf_system *s = &k->in->systems[system];
    iv_prf_counts sum = { 0, 0, 0, s->categories[0].counts.tn >= 0 ? 0 : -1 };
    iv_prf_cells cells;

    for (size_t c = 0; c < s->count; c++) {
        const iv_prf_counts *n = &s->categories[c].counts;
        sum.tp += n->tp;
        sum.fp += n->fp;
        sum.fn += n->fn;
        sum.tn += sum.tn >= 0 ? n->tn : 0;
    }
    int rc = update(&cells, k, system, &sum);
    for (size_t m = 0; m < k->wish->metric_count && rc == IV_OK; m++) {
        const prf_row row = { .system = system, .metric = k->wish->metrics[m],
                              .average = IV_PRF_MICRO, .cells = cells, .mean = NAN,
                              .value = iv_prf_value(k->wish->metrics[m], &sum) };
        if (row.metric.kind < IV_PRF_SPECIFICITY)
            rc = add_row(k, &row, "micro");
    }
    return rc;
}

/* Classes that exclude each other: every micro average is accuracy. */
static int add_micro_accuracy(maker *k, size_t system)
{
    const prf_system *s = &k->in->systems[system];
    const double classes = (double)s->count;
    int64_t right = 0;

    for (size_t c = 0; c < s->count; c++)
        right += s->categories[c].counts.tp;
    const double n = (double)k->in->items.items;
    const iv_prf_cells cells = { .tp = (double)right + classes * k->wish->prior.right,
                                 .fp = n - (double)right + classes * k->wish->prior.wrong,
                                 .fn = 1.0, .tn = 1.0 };
    prf_row row = { .system = system, .average = IV_PRF_MICRO, .cells = cells, .mean = NAN,
                    .value = (double)right / n, .metric = { IV_PRF_ACCURACY, 0.0 } };
    int rc = add_row(k, &row, NULL);
    for (size_t m = 0; m < k->wish->metric_count && rc == IV_OK; m++) {
        row.metric = k->wish->metrics[m];
        if (row.metric.kind < IV_PRF_SPECIFICITY)
            rc = add_row(k, &row, "micro");
    }
    return rc;
}

/* The metrics that have a macro average. */
static size_t macro_metrics(iv_prf_metric out[PRF_METRICS_MAX], const prf_wish *w)
{
    size_t n = 0;

    for (size_t m = 0; m < w->metric_count; m++) {
        if (w->metrics[m].kind < IV_PRF_SPECIFICITY)
            out[n++] = w->metrics[m];
    }
    return n;
}

static int draw_macro(double *out, maker *k, size_t system, const iv_prf_metric *metrics,
                      size_t count, uint32_t stream)
{
    const prf_wish *w = k->wish;
    const prf_system *s = &k->in->systems[system];
    const iv_draw_plan plan = { w->draws, w->seed, stream, w->threads };
    iv_prf_target targets[PRF_METRICS_MAX];
    iv_prf_joint *joint = NULL;
    int rc = IV_OK;

    if (k->in->multiclass) {
        for (size_t m = 0; m < count; m++)
            targets[m] = (iv_prf_target){ 0, IV_PRF_MACRO, 0, metrics[m] };
        rc = iv_prf_joint_new(&joint, &k->in->items, &system, 1, w->prior, k->err);
        if (rc == IV_OK)
            rc = iv_prf_joint_draw(out, joint, targets, count, &plan, k->err);
        iv_prf_joint_free(joint);
        return rc;
    }
    iv_prf_cells *cells = calloc(s->count, sizeof *cells);
    if (cells == NULL)
        return no_memory(k->err);
    for (size_t c = 0; c < s->count && rc == IV_OK; c++)
        rc = update(&cells[c], k, system, &s->categories[c].counts);
    if (rc == IV_OK)
        rc = iv_prf_draw(out, cells, s->count, metrics, count, &plan, k->err);
    free(cells);
    return rc;
}

static int add_macro(maker *k, size_t system, uint32_t stream)
{
    const prf_system *s = &k->in->systems[system];
    iv_prf_metric metrics[PRF_METRICS_MAX];
    const size_t count = macro_metrics(metrics, k->wish), n = k->wish->draws;
    double *block = prf_rows_block(k->rows, count, n);

    if (block == NULL)
        return no_memory(k->err);
    int rc = draw_macro(block, k, system, metrics, count, stream);
    for (size_t m = 0; m < count && rc == IV_OK; m++) {
        prf_row row = { .system = system, .metric = metrics[m], .average = IV_PRF_MACRO,
                        .draws = block + m * n, .mean = NAN };
        for (size_t c = 0; c < s->count; c++)
            row.value += iv_prf_value(metrics[m], &s->categories[c].counts) / (double)s->count;
        rc = add_row(k, &row, "macro");
    }
    return rc;
}

/* ------------------------------------------------------------ posteriors -- */

/* What has a closed form gets its posterior, all of them at once. */
static int add_posteriors(maker *k)
{
    prf_rows *rows = k->rows;
    iv_posterior **made = calloc(rows->count, sizeof(iv_posterior *));
    iv_prf_cells *cells = calloc(rows->count, sizeof *cells);
    iv_prf_metric *metrics = calloc(rows->count, sizeof *metrics);
    size_t n = 0;
    int rc = IV_ENOMEM;

    if (made == NULL || cells == NULL || metrics == NULL) {
        (void)no_memory(k->err);
        goto done;
    }
    for (size_t i = 0; i < rows->count; i++) {
        const prf_row *r = &rows->at[i];
        if (r->draws != NULL)
            continue;
        cells[n] = r->cells;
        metrics[n++] = k->in->multiclass && r->average == IV_PRF_MICRO
                           ? (iv_prf_metric){ IV_PRF_PRECISION, 0.0 } : r->metric;
    }
    rc = iv_posterior_prf_all(made, cells, metrics, n, k->wish->threads, k->err);
    for (size_t i = 0, at = 0; i < rows->count && rc == IV_OK; i++) {
        if (rows->at[i].draws == NULL)
            rows->at[i].posterior = made[at++];
    }
done:
    free(made);
    free(cells);
    free(metrics);
    return rc;
}

/* The mean of an average is the average of the means, drawn or not. */
static void macro_means(prf_rows *rows, const prf_input *in)
{
    for (size_t i = 0; i < rows->count; i++) {
        prf_row *r = &rows->at[i];
        if (r->average != IV_PRF_MACRO)
            continue;
        double sum = 0.0;
        for (size_t j = 0; j < rows->count; j++) {
            const prf_row *one = &rows->at[j];
            if (one->system == r->system && one->average == IV_PRF_ONE
                && one->metric.kind == r->metric.kind && one->metric.beta == r->metric.beta)
                sum += iv_posterior_mean(one->posterior);
        }
        r->mean = sum / (double)in->systems[r->system].count;
    }
}

int prf_rows_make(prf_rows *rows, prf_input *in, const prf_wish *wish,
                  const iv_prf_counts *earlier, iv_err *err)
{
    maker k = { rows, in, wish, earlier, err };
    uint32_t stream = 0;
    int rc = IV_OK;

    for (size_t s = 0; s < in->count && rc == IV_OK; s++) {
        const size_t categories = in->systems[s].count;
        for (size_t c = 0; c < categories && rc == IV_OK; c++)
            rc = add_category(&k, s, c, stream++);
        if (categories > 1 && rc == IV_OK)
            rc = in->multiclass ? add_micro_accuracy(&k, s) : add_micro_pooled(&k, s);
        if (categories > 1 && rc == IV_OK)
            rc = add_macro(&k, s, stream++);
        if (wish->progress.report != NULL)
            wish->progress.report(wish->progress.user,
                                  0.4 * (double)(s + 1) / (double)in->count);
    }
    if (rc == IV_OK)
        rc = add_posteriors(&k);
    if (rc == IV_OK)
        macro_means(rows, in);
    return rc;
}
