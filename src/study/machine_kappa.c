/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study machine, agreement: does kappa's interval hold?  The reference draws labels; the other
 * copies some of them and draws the rest by itself, by the same shares or by others.
 */
#include <math.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/agreement.h"
#include "study/machine_study.h"
#include "study/study_columns.h"

enum { GRADES = 3, TOPICS = 25, PURPOSE = 0x6d6b };

/* What labels there are, how often, and how often the other draws them. */
static const struct labels {
    const char *name;
    uint32_t count;
    iv_kappa_weights weights;
    double share[GRADES], others[GRADES];
} kinds[] = {
    { "half", 2, IV_KAPPA_PLAIN, { 0.5, 0.5 }, { 0.5, 0.5 } },
    { "0.3", 2, IV_KAPPA_PLAIN, { 0.7, 0.3 }, { 0.7, 0.3 } },
    { "0.15", 2, IV_KAPPA_PLAIN, { 0.85, 0.15 }, { 0.85, 0.15 } },
    { "0.15, the other 0.4", 2, IV_KAPPA_PLAIN, { 0.85, 0.15 }, { 0.6, 0.4 } },
    { "0.05", 2, IV_KAPPA_PLAIN, { 0.95, 0.05 }, { 0.95, 0.05 } },
    { "three grades, linear", 3, IV_KAPPA_LINEAR, { 0.6, 0.25, 0.15 }, { 0.6, 0.25, 0.15 } },
    { "three grades, quadratic", 3, IV_KAPPA_QUADRATIC, { 0.6, 0.25, 0.15 }, { 0.4, 0.3, 0.3 } },
};
static const double copied[] = { 0.0, 0.3, 0.6, 0.8, 0.9, 0.97 };

enum { LABELS = sizeof kinds / sizeof *kinds, COPIES = sizeof copied / sizeof *copied };

typedef struct row {
    const char *labels;
    size_t items, topics, draws;
    double kappa, shown, coverage, se, all, width;
} row;

const iv_field iv_machine_kappa_fields[] = {
    { "labels", IV_AT(row, labels), .about = "share of the rarer one, or grades and weights" },
    { "items", IV_AT(row, items), .about = "that both label" },
    { "topics", IV_AT(row, topics), .about = "they are in; 1: items are left out one by one" },
    { "kappa", IV_AT(row, kappa), .digits = 3, .about = "the true one" },
    { "draws", IV_AT(row, draws), .about = "samples of items" },
    { "shown", IV_AT(row, shown), .digits = 4,
      .about = "share of them that have an interval without a warning" },
    { "coverage", IV_AT(row, coverage), .digits = 4, .about = "share of these that hold" },
    { "se", IV_AT(row, se), .digits = 4, .about = "of that share" },
    { "all", IV_AT(row, all), .digits = 4, .about = "share of all that hold, warned of or not" },
    { "width", IV_AT(row, width), .digits = 4, .about = "mean of upper - lower" },
    { NULL } };

typedef struct experiment {
    iv_integers items;
    size_t draws;
    double confidence;
    uint64_t seed;
    iv_steps steps;
    row *rows;
} experiment;

static uint32_t draw_label(const double *share, uint32_t count, iv_stream *s)
{
    double u = iv_draw_uniform(s);
    uint32_t k = 0;

    while (k + 1 < count && u >= share[k])
        u -= share[k++];
    return k;
}

static double cost(iv_kappa_weights weights, uint32_t a, uint32_t b)
{
    const double d = a > b ? a - b : b - a;

    return weights == IV_KAPPA_PLAIN ? d > 0.0 : weights == IV_KAPPA_LINEAR ? d : d * d;
}

static double true_kappa(const struct labels *l, double copies)
{
    double seen = 0.0, chance = 0.0;

    for (uint32_t a = 0; a < l->count; a++)
        for (uint32_t b = 0; b < l->count; b++) {
            const double of_b = copies * l->share[b] + (1.0 - copies) * l->others[b];
            seen += cost(l->weights, a, b) * l->share[a] * (1.0 - copies) * l->others[b];
            chance += cost(l->weights, a, b) * l->share[a] * of_b;
        }
    return 1.0 - seen / chance;
}

static int one_cell(void *user, void *memory, size_t i, iv_err *err)
{
    experiment *x = user;
    const struct labels *l = &kinds[i % LABELS];
    const double copies = copied[i / LABELS % COPIES], truth = true_kappa(l, copies);
    const size_t topics = i / LABELS / COPIES % 2 == 0 ? 1 : TOPICS;
    const size_t n = (size_t)x->items.at[i / LABELS / COPIES / 2];
    iv_arena own = { 0 };
    iv_label_pair *at = iv_take(&own, n, sizeof *at);
    size_t starts[TOPICS + 1], shown = 0, held = 0, all = 0;
    double width = 0.0;
    int rc = iv_taken(&own, err);

    (void)memory;
    for (size_t t = 0; t <= topics; t++)
        starts[t] = t * n / topics;
    for (size_t d = 0; d < x->draws && rc == IV_OK; d++) {
        iv_stream s = iv_stream_start(x->seed, PURPOSE, (uint64_t)i << 32 | d);
        iv_kappa k;
        for (size_t j = 0; j < n; j++) {
            const uint32_t a = draw_label(l->share, l->count, &s);
            at[j] = (iv_label_pair){ a, iv_draw_uniform(&s) < copies
                                     ? a : draw_label(l->others, l->count, &s), 1.0 };
        }
        rc = iv_kappa_of(&k, NULL, &(iv_label_pairs){ at, starts, topics, l->count }, l->weights,
                         x->confidence, err);
        rc = rc == IV_OK ? iv_step(&x->steps, err) : rc;
        const bool holds = rc == IV_OK && k.is.lower <= truth && truth <= k.is.upper;
        all += holds;
        if (rc != IV_OK || k.few || !isfinite(k.is.lower))
            continue;
        shown++;
        held += holds;
        width += k.is.upper - k.is.lower;
    }
    const double share = (double)held / (double)shown, draws = (double)x->draws;
    x->rows[i] = (row){ l->name, n, topics, x->draws, truth, (double)shown / draws, share,
                        sqrt(share * (1.0 - share) / (double)shown), (double)all / draws,
                        width / (double)shown };
    iv_arena_free(&own);
    return rc;
}

int iv_study_machine_kappa(iv_result *out, const iv_study_machine_question *q, const iv_work *work,
                           iv_err *err)
{
    experiment x = { .items = q->kappa, .draws = q->draws > 0 ? q->draws : 2000,
                     .confidence = q->confidence == 0.0 ? 0.95 : q->confidence,
                     .seed = iv_work_seed(work) };
    const size_t cells = LABELS * COPIES * 2 * x.items.count;
    iv_arena own = { 0 };
    double least = 1.0, most = 0.0;

    x.rows = iv_take(&own, cells, sizeof *x.rows);
    x.steps = (iv_steps){ .work = work, .total = (double)(cells * x.draws) };
    int rc = iv_taken(&own, err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ cells, one_cell, &x, NULL },
                         &(iv_work){ .threads = iv_work_threads(work) }, err);
    for (size_t i = 0; i < cells && rc == IV_OK; i++)
        if (x.rows[i].shown > 0.5) { /* rare ones are chosen by what they show */
            least = fmin(least, x.rows[i].coverage);
            most = fmax(most, x.rows[i].coverage);
        }
    if (rc == IV_OK) {
        iv_result_answer(out, "Where most draws have no warning, kappa's interval holds in %.3f to %.3f "
                         "of them.", least, most);
        (void)iv_result_rows(out, &(iv_rows){ "kappa", iv_machine_kappa_fields, x.rows, cells,
                                              sizeof *x.rows });
        rc = iv_result_status(out, err);
    }
    iv_arena_free(&own);
    return rc;
}
