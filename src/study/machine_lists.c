/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study machine, lists with rare positives: items are positive by chance, a system and a machine
 * call them so with a sensitivity and a specificity, people look at a simple random sample.  Do the
 * limits of prevalence, recall, precision and F hold, with strata by the machine and without?
 */
#include <math.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/recall.h"
#include "study/machine_study.h"
#include "study/study_columns.h"
#include "stat/recall/recall_yield.h"

enum { ITEMS = 5000, KINDS = 4, COMBINED = 0, PEOPLE, GUARANTEED, RIVAL, STRATIFIED, METHODS,
       QUALITIES = 4, PURPOSE = 0x6d6c };

static const char *const kinds[KINDS] = { "prevalence", "recall", "precision", "F1" };
static const char *const methods[METHODS] = { "combined", "people", "guaranteed", "rogan-gladen",
                                              "stratified ppi++" };
static const iv_recall_quantity quantity[KINDS] = { IV_RECALL_YIELD, IV_RECALL_RECALL,
                                                    IV_RECALL_PRECISION, IV_RECALL_F };

/* The machine; the system finds seven of ten and calls one of twenty others positive. */
static const struct quality {
    const char *name;
    double sensitivity, specificity;
} machines[QUALITIES] = { { "good", 0.95, 0.99 }, { "fair", 0.80, 0.95 }, { "noise", 0.5, 0.5 },
                          { "inverted", 0.2, 0.05 } };
static const struct quality system_is = { "system", 0.7, 0.95 };

typedef struct row {
    const char *machine, *kind, *method;
    double positives;
    size_t judged, draws;
    double shown, coverage, se, with_refused, width, ratio;
} row;

const iv_field iv_machine_list_fields[] = {
    { "machine", IV_AT(row, machine),
      .about = "sensitivity and specificity: good .95 and .99, fair .8 and .95, noise .5 and .5, "
               "inverted .2 and .05" },
    { "positives", IV_AT(row, positives), .digits = 3, .about = "share of positive items, of 5,000" },
    { "judged", IV_AT(row, judged), .about = "items that people look at" },
    { "of", IV_AT(row, kind), .about = "of the list, or of the system" },
    { "method", IV_AT(row, method),
      .about = "combined: strata by the machine; people: without; guaranteed: limits that hold "
               "whatever the truth, strata by the machine; rogan-gladen, stratified ppi++ (by the "
               "system): other tools'" },
    { "draws", IV_AT(row, draws), .about = "lists and samples" },
    { "shown", IV_AT(row, shown), .digits = 4, .about = "share of them that have an interval" },
    { "coverage", IV_AT(row, coverage), .digits = 4, .about = "share of intervals that hold" },
    { "se", IV_AT(row, se), .digits = 4, .about = "of that share" },
    { "with_refused", IV_AT(row, with_refused), .digits = 4,
      .about = "the share, if a draw without interval is a miss" },
    { "width", IV_AT(row, width), .digits = 4, .about = "mean of upper - lower" },
    { "ratio", IV_AT(row, ratio), .digits = 3, .about = "of the width to people's" },
    { NULL } };

typedef struct experiment {
    const iv_study_machine_question *q;
    iv_integers judged;
    size_t draws;
    double confidence;
    uint64_t seed;
    iv_steps steps;
    row *rows;
} experiment;

typedef struct tally {
    size_t draws, shown, held;
    double width;
} tally;

static void count(tally *t, double lower, double upper, double truth)
{
    t->draws++;
    if (!isfinite(lower) || !isfinite(upper))
        return;
    t->shown++;
    t->held += lower <= truth + 1e-12 && truth <= upper + 1e-12;
    t->width += upper - lower;
}

/* A list: strata by side (1: the system calls it positive) and machine, and the truth. */
typedef struct list {
    iv_stratum at[2][2];
    double positive[2], called_right[2]; /* the last: looked at, the machine right of 0 and of 1 */
} list;

static void draw_list(list *l, double positives, size_t judged, const struct quality *m,
                      iv_stream *s)
{
    size_t left = judged;

    *l = (list){ 0 };
    for (size_t i = 0; i < ITEMS; i++) {
        const bool y = iv_draw_uniform(s) < positives;
        const bool side = iv_draw_uniform(s) < (y ? system_is.sensitivity
                                                  : 1.0 - system_is.specificity);
        const bool called = iv_draw_uniform(s) < (y ? m->sensitivity : 1.0 - m->specificity);
        const bool looked = iv_draw_below(s, ITEMS - i) < left;
        iv_stratum *t = &l->at[side][called];
        left -= looked;
        t->size++;
        t->sampled += looked;
        t->relevant += looked && y;
        l->positive[side] += y;
        l->called_right[y] += looked && y == called;
    }
}

/* The strata of a side: by the machine unless nobody looked into one, or one. */
static size_t strata_of(iv_stratum *out, const iv_stratum from[2], bool by_machine)
{
    if (by_machine && from[0].size > 0 && from[1].size > 0 && from[0].sampled > 0
        && from[1].sampled > 0) {
        out[0] = from[0];
        out[1] = from[1];
        return 2;
    }
    out[0] = (iv_stratum){ from[0].size + from[1].size, from[0].sampled + from[1].sampled,
                           from[0].relevant + from[1].relevant };
    return 1;
}

/* Items of each side of the system, those looked at first; room for two numbers an item. */
static iv_rival by_sides(const list *l, double *room, double confidence)
{
    const double *human[2], *machine[2], nan = (double)NAN;
    size_t judged[2], size[2];

    for (int side = 0; side < 2; side++) {
        const iv_stratum *at = l->at[side];
        size_t n = 0;
        judged[side] = (size_t)(at[0].sampled + at[1].sampled);
        size[side] = (size_t)(at[0].size + at[1].size);
        if (judged[side] < 2 || size[side] < judged[side] + 2)
            return (iv_rival){ nan, nan, nan, nan };
        double *y = room, *f = room + judged[side];
        human[side] = y;
        machine[side] = f;
        room += judged[side] + size[side];
        for (int c = 0; c < 2; c++)
            for (int64_t i = 0; i < at[c].sampled; i++, n++) {
                y[n] = i < at[c].relevant ? 1.0 : 0.0;
                f[n] = c;
            }
        for (int c = 0; c < 2; c++)
            for (int64_t i = at[c].sampled; i < at[c].size; i++)
                f[n++] = c;
    }
    return iv_rival_stratified(human, machine, judged, size, 2, confidence);
}

/* All methods on one list. */
static int look(tally t[KINDS][METHODS], const list *l, const experiment *x,
                iv_recall_posterior *posterior, double *room, iv_err *err)
{
    const double all = l->positive[0] + l->positive[1];
    const double said = (double)(l->at[1][0].size + l->at[1][1].size);
    const double truth[KINDS] = { all, l->positive[1] / all, l->positive[1] / said,
                                  2.0 * l->positive[1] / (all + said) };
    const double nan = (double)NAN;

    for (size_t how = COMBINED; how <= GUARANTEED; how++) {
        iv_stratum in[2], out[2];
        const iv_segments s = { in, out, strata_of(in, l->at[1], how != PEOPLE),
                                strata_of(out, l->at[0], how != PEOPLE) };
        if (how != GUARANTEED)
            IV_TRY(iv_recall_posterior_set(posterior, &s, NULL, err));
        for (size_t k = 0; k < KINDS; k++) {
            iv_recall_interval i = { nan, nan };
            if (how == GUARANTEED)
                IV_TRY(iv_recall_guaranteed(&i, &s, quantity[k], 0.0, x->confidence, false, err));
            else
                i = iv_recall_limits(posterior, quantity[k], 0.0, x->confidence, false);
            const double unit = k == 0 ? ITEMS : 1.0;
            if (isfinite(truth[k]))
                count(&t[k][how], i.lower / unit, i.upper / unit, truth[k] / unit);
        }
    }
    double judged = 0.0, positive = 0.0;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < 2; c++) {
            judged += (double)l->at[side][c].sampled;
            positive += (double)l->at[side][c].relevant;
        }
    const double share = (double)(l->at[0][1].size + l->at[1][1].size) / ITEMS;
    const iv_rival r = positive > 0.0 && judged > positive
        ? iv_rival_rogan_gladen(share, ITEMS, l->called_right[0] / (judged - positive),
                                judged - positive, l->called_right[1] / positive, positive,
                                x->confidence) : (iv_rival){ nan, nan, nan, nan };
    const iv_rival s = by_sides(l, room, x->confidence);
    count(&t[0][RIVAL], r.lower, r.upper, all / ITEMS);
    count(&t[0][STRATIFIED], s.lower, s.upper, all / ITEMS);
    return IV_OK;
}

static int one_cell(void *user, void *memory, size_t i, iv_err *err)
{
    experiment *x = user;
    const struct quality *m = &machines[i % QUALITIES];
    const size_t judged = (size_t)x->judged.at[i / QUALITIES % x->judged.count];
    const double positives = x->q->positives.at[i / QUALITIES / x->judged.count];
    tally t[KINDS][METHODS] = { { { 0 } } };
    iv_recall_posterior *posterior = NULL;
    iv_arena own = { 0 };
    double *room = iv_take(&own, 2 * ITEMS, sizeof *room);
    int rc = iv_taken(&own, err);

    (void)memory;
    rc = rc == IV_OK ? iv_recall_posterior_new(&posterior, err) : rc;
    for (size_t d = 0; d < x->draws && rc == IV_OK; d++) {
        iv_stream s = iv_stream_start(x->seed, PURPOSE, (uint64_t)i << 32 | d);
        list l;
        draw_list(&l, positives, judged, m, &s);
        rc = look(t, &l, x, posterior, room, err);
        rc = rc == IV_OK ? iv_step(&x->steps, err) : rc;
    }
    iv_recall_posterior_free(posterior);
    iv_arena_free(&own);
    for (size_t k = 0; k < KINDS; k++)
        for (size_t how = 0; how < METHODS; how++) {
            const tally *c = &t[k][how];
            const double shown = (double)c->shown, share = (double)c->held / shown;
            x->rows[(i * KINDS + k) * METHODS + how] = (row){
                .machine = m->name, .kind = kinds[k], .method = methods[how],
                .positives = positives, .judged = judged, .draws = c->draws,
                .shown = shown / (double)c->draws, .coverage = share,
                .se = sqrt(share * (1.0 - share) / shown),
                .with_refused = (double)c->held / (double)c->draws, .width = c->width / shown,
                .ratio = c->width / shown / (t[k][PEOPLE].width / (double)t[k][PEOPLE].shown) };
        }
    return rc;
}

static int answer(experiment *x, iv_result *out, iv_arena *own, const iv_work *work, iv_err *err)
{
    const size_t cells = QUALITIES * x->judged.count * x->q->positives.count;
    const row *worst = NULL;
    size_t kept = 0;

    x->rows = iv_take(own, cells * KINDS * METHODS, sizeof *x->rows);
    IV_TRY(iv_taken(own, err));
    x->steps = (iv_steps){ .work = work, .total = (double)(cells * x->draws) };
    IV_TRY(iv_parallel(&(iv_loop){ cells, one_cell, x, NULL },
                       &(iv_work){ .threads = iv_work_threads(work) }, err));
    for (size_t i = 0; i < cells * KINDS * METHODS; i++) {
        if (x->rows[i].draws == 0)
            continue; /* rivals have one quantity only */
        x->rows[kept] = x->rows[i];
        const row *r = &x->rows[kept++];
        if (r->method == methods[COMBINED] && (worst == NULL || r->coverage < worst->coverage))
            worst = r;
    }
    iv_result_answer(out, "Limits by strata of the machine hold in %.3f of draws or more (%s, %s, %g "
                     "positive, %zu looked at).", worst->coverage, worst->kind, worst->machine,
                     worst->positives, worst->judged);
    (void)iv_result_rows(out, &(iv_rows){ "lists", iv_machine_list_fields, x->rows, kept,
                                          sizeof *x->rows });
    return iv_result_status(out, err);
}

int iv_study_machine_lists(iv_result *out, const iv_study_machine_question *q, const iv_work *work,
                           iv_err *err)
{
    static const int64_t usual[] = { 200, 300 };
    experiment x = { .q = q, .judged = q->judged.count > 0 ? q->judged : (iv_integers){ usual, 2 },
                     .draws = q->draws > 0 ? q->draws : 2000,
                     .confidence = q->confidence == 0.0 ? 0.95 : q->confidence,
                     .seed = iv_work_seed(work) };
    iv_arena own = { 0 };
    int rc = IV_OK;

    for (size_t i = 0; i < x.judged.count && rc == IV_OK; i++)
        if (x.judged.at[i] > ITEMS)
            rc = iv_fail(err, IV_EARG, "%lld items to look at, expected at most %d",
                         (long long)x.judged.at[i], ITEMS);
    if (rc == IV_OK)
        rc = answer(&x, out, &own, work, err);
    iv_arena_free(&own);
    return rc;
}
