/* SPDX-License-Identifier: Apache-2.0 */
/* Strata of a judge's scores, and the answers in them that people should label next. */
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "labels/next_labels.h"
#include "labels/plan_machine.h"
#include "num/draw.h"
#include "result/answering.h"

#include <math.h>
#include <stdlib.h>

/* Strata at most; items of one, labels of one, at least; what a standard deviation of few labels
 * is shrunk by, in labels: our choices. */
enum { STRATA = 5, ITEMS = 10, LABELS = 10, SHRUNK = 10 };

enum { REPEATS = 1, CLUSTERS = 2, SETS = 4, WEIGHTS = 8 };

typedef struct stratum_row {
    size_t stratum, items, labelled;
    double from, to, sum, squares; /* of the judge's scores; of residuals */
    double sd, labels;
    size_t next;
} stratum_row;

const iv_field iv_next_strata_fields[] = {
    { "stratum", IV_AT(stratum_row, stratum), .about = "number of the stratum" },
    { "from", IV_AT(stratum_row, from), .digits = 3,
      .about = "lowest judge's score of its items; of a pair, difference of scores" },
    { "to", IV_AT(stratum_row, to), .digits = 3, .about = "highest" },
    { "items", IV_AT(stratum_row, items), .about = "items of the stratum" },
    { "labelled", IV_AT(stratum_row, labelled), .about = "items with human labels" },
    { "sd", IV_AT(stratum_row, sd), .digits = 3,
      .about = "standard deviation of human labels around the judge's scores" },
    { "labels", IV_AT(stratum_row, labels), .digits = 0, .about = "labels needed in all" },
    { "next", IV_AT(stratum_row, next), .about = "items to label next" },
    { NULL } };

typedef struct next_row {
    const char *system, *repeat, *cluster, *set;
    iv_str item;
    double weight, score, human, next; /* NaN: none */
    size_t stratum;
} next_row;

const iv_field iv_next_labels_fields[] = {
    { "system", IV_AT(next_row, system), .about = "name of the system" },
    { "item", IV_AT(next_row, item), .about = "name of the item" },
    { "repeat", IV_AT(next_row, repeat), .needs = REPEATS, .about = "name of the repeat" },
    { "cluster", IV_AT(next_row, cluster), .needs = CLUSTERS, .about = "cluster of the item" },
    { "set", IV_AT(next_row, set), .needs = SETS, .about = "set of the item" },
    { "weight", IV_AT(next_row, weight), .needs = WEIGHTS, .digits = 4,
      .about = "weight of the item" },
    { "score", IV_AT(next_row, score), .digits = 4, .about = "the judge's score" },
    { "stratum", IV_AT(next_row, stratum), .about = "stratum of the item" },
    { "next", IV_AT(next_row, next), .digits = 0, .about = "place among those to label next" },
    { "human", IV_AT(next_row, human), .digits = 4, .about = "human label, for people to fill in" },
    { NULL } };

typedef struct choice {
    const iv_next_plan *plan;
    size_t items, count;       /* all; strata */
    double *value, *residual;  /* by item: judge's score or difference; NaN: none, no label */
    bool *open;                /* by item: without any label */
    size_t *stratum, *place;   /* by item: from 0, IV_NONE: in none; order of labels, 0: none */
    stratum_row *of;
} choice;

static void find_values(choice *c)
{
    const iv_judged_scores *s = c->plan->s;
    const size_t S = s->scored.v->system_count;
    const iv_judged_system *a = &s->systems[c->plan->system];
    const iv_judged_system *b = c->plan->less != IV_NONE ? &s->systems[c->plan->less] : NULL;
    const double *slope = c->plan->is->both.slope;
    const double at = isnan(slope[0]) ? 0.0 : slope[0], bt = isnan(slope[1]) ? 0.0 : slope[1];

    for (size_t t = 0; t < c->items; t++) {
        c->value[t] = a->judge[t] - (b != NULL ? b->judge[t] : 0.0);
        c->residual[t] = a->human[t] - at * a->beside[t]
            - (b != NULL ? b->human[t] - bt * b->beside[t] : 0.0);
        c->open[t] = true;
        for (size_t r = 0; r < S; r++)
            c->open[t] = c->open[t] && isnan(s->systems[r].human[t]);
    }
}

/* Strata end between different values, where enough items are on both sides. */
static void cut_strata(choice *c, double *sorted)
{
    size_t n = 0, distinct = 0, from = 0;

    for (size_t t = 0; t < c->items; t++)
        if (!isnan(c->value[t]))
            sorted[n++] = c->value[t];
    qsort(sorted, n, sizeof *sorted, iv_ascending);
    for (size_t i = 0; i < n; i++)
        distinct += i == 0 || sorted[i] != sorted[i - 1];
    const size_t least = distinct <= STRATA || n < ITEMS * STRATA ? ITEMS : n / STRATA;
    for (size_t i = 0; i < n; i++) {
        const bool last = i + 1 == n, full = i + 1 - from >= least && n - i - 1 >= ITEMS;
        if (!last && (!full || sorted[i] == sorted[i + 1] || c->count + 1 == STRATA))
            continue;
        c->of[c->count] = (stratum_row){ .stratum = c->count + 1, .from = sorted[from],
                                         .to = sorted[i], .items = i + 1 - from };
        c->count++;
        from = i + 1;
    }
    for (size_t t = 0; t < c->items; t++) {
        c->stratum[t] = isnan(c->value[t]) ? IV_NONE : 0;
        while (c->stratum[t] != IV_NONE && c->value[t] > c->of[c->stratum[t]].to)
            c->stratum[t]++;
    }
}

/* Standard deviations within strata; returns the variance of all residuals. */
static double measure_strata(choice *c)
{
    double sum = 0.0, squares = 0.0, n = 0.0, within = 0.0;

    for (size_t t = 0; t < c->items; t++) {
        if (c->stratum[t] == IV_NONE || isnan(c->residual[t]))
            continue;
        stratum_row *of = &c->of[c->stratum[t]];
        of->labelled++;
        of->sum += c->residual[t];
        sum += c->residual[t];
        n += 1.0;
    }
    for (size_t t = 0; t < c->items; t++) {
        if (c->stratum[t] == IV_NONE || isnan(c->residual[t]))
            continue;
        stratum_row *of = &c->of[c->stratum[t]];
        const double own = c->residual[t] - of->sum / (double)of->labelled;
        const double all = c->residual[t] - sum / n;
        of->squares += own * own;
        squares += all * all;
        within += own * own;
    }
    within /= fmax(1.0, n - (double)c->count);
    for (size_t h = 0; h < c->count; h++) {
        stratum_row *of = &c->of[h];
        const double df = of->labelled > 0 ? (double)of->labelled - 1.0 : 0.0;
        of->sd = sqrt((of->squares + SHRUNK * within) / (df + SHRUNK));
    }
    return squares / fmax(1.0, n - 1.0);
}

/* Labels of a stratum if they are `scale` times its weight and standard deviation. */
static double labels_at(const stratum_row *of, double scale)
{
    const double low = fmax((double)of->labelled, fmin(LABELS, (double)of->items));

    return fmin((double)of->items, fmax(low, scale * (double)of->items * of->sd));
}

/* Variance that labels bring to the mean, in squares of items. */
static double variance_at(const choice *c, double scale)
{
    double sum = 0.0;

    for (size_t h = 0; h < c->count; h++) {
        const double each = (double)c->of[h].items * c->of[h].sd;
        sum += each * each / labels_at(&c->of[h], scale);
    }
    return sum;
}

/* Neyman's allocation of as few labels as have this variance, in squares of items, beside those
 * that are there; returns how many in all. */
static double allocate(choice *c, double variance)
{
    double low = 0.0, high = 1.0, sum = 0.0;

    for (int i = 0; i < 100 && variance_at(c, high) > variance; i++)
        high *= 2.0;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        *(variance_at(c, middle) > variance ? &low : &high) = middle;
    }
    for (size_t h = 0; h < c->count; h++) {
        stratum_row *of = &c->of[h];
        of->labels = fmin((double)of->items, ceil(labels_at(of, high) - 1e-6));
        of->next = (size_t)(of->labels - (double)of->labelled);
        sum += of->labels;
    }
    return sum;
}

/* Items of each stratum at random, then all of them in a random order. */
static void choose(choice *c, size_t *list, uint64_t seed)
{
    for (size_t h = 0; h <= c->count; h++) { /* the last time: all that were chosen */
        iv_stream stream = iv_stream_start(seed, IV_FOR_SAMPLING, h);
        size_t n = 0;
        for (size_t t = 0; t < c->items; t++)
            if (h < c->count ? c->stratum[t] == h && c->open[t] : c->place[t] > 0)
                list[n++] = t;
        const size_t take = h == c->count ? n : n < c->of[h].next ? n : c->of[h].next;
        for (size_t i = 0; i < take; i++) {
            const size_t j = i + (size_t)iv_draw_below(&stream, n - i), t = list[j];
            list[j] = list[i];
            list[i] = t;
            c->place[t] = h == c->count ? i + 1 : 1;
        }
        if (h < c->count)
            c->of[h].next = take;
    }
}

/* The table of scores with strata, and labels to fill in: compare reads it. */
static int put_next(iv_result *out, const choice *c, iv_err *err)
{
    const iv_judged_scores *s = c->plan->s;
    const iv_score_table *v = s->scored.v;
    next_row *rows = iv_take(iv_result_own(out), v->count + 1, sizeof *rows);
    size_t n = 0;

    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t i = 0; i < v->count; i++) {
        const iv_one_score *x = &v->scores[i];
        const bool first = n == 0 || i == 0 || v->scores[i - 1].system != x->system
            || v->scores[i - 1].item != x->item || v->scores[i - 1].measure != x->measure;
        if (x->measure != s->scored.measures[0] || c->stratum[x->item] == IV_NONE)
            continue;
        const size_t place = first ? c->place[x->item] : 0;
        rows[n++] = (next_row){ .system = v->systems[x->system], .item = v->items[x->item],
            .repeat = v->repeat_count > 0 ? v->repeats[x->repeat] : NULL,
            .cluster = v->cluster != NULL ? v->clusters[v->cluster[x->item]] : NULL,
            .set = v->suite != NULL ? v->suites[v->suite[x->item]] : NULL,
            .weight = v->weight != NULL ? v->weight[x->item] : (double)NAN, .score = x->score,
            .human = s->how.human_labels == NULL ? x->human
                : s->systems[x->system].human[x->item],
            .next = place > 0 ? (double)place : (double)NAN,
            .stratum = c->stratum[x->item] + 1 };
    }
    IV_TABLE(out, "next", iv_next_labels_fields, rows, n,
             .with = (v->repeat_count > 0 ? REPEATS : 0) | (v->cluster != NULL ? CLUSTERS : 0)
                 | (v->suite != NULL ? SETS : 0) | (v->weight != NULL ? WEIGHTS : 0),
             .showing = IV_LONG);
    return IV_OK;
}

int iv_next_labels(double *labels, iv_result *out, const iv_next_plan *plan, const iv_work *work,
                   iv_err *err)
{
    const iv_judged_scores *s = plan->s;
    iv_arena *own = iv_result_own(out);
    const size_t T = s->design.items;
    choice c = { .plan = plan, .items = T, .value = iv_take(own, 3 * T + 1, sizeof *c.value),
                 .open = iv_take(own, T + 1, sizeof *c.open),
                 .stratum = iv_take(own, 3 * T + 1, sizeof *c.stratum),
                 .of = iv_take(own, STRATA, sizeof *c.of) };

    *labels = 0.0;
    IV_TRY(iv_taken(own, err));
    if (s->how.design != IV_HUMAN_RANDOM || s->judges > 1
        || (s->how.human_labels != NULL && s->scored.most_repeats > 1))
        return IV_OK;
    c.residual = c.value + T;
    c.place = c.stratum + T;
    find_values(&c);
    cut_strata(&c, c.value + 2 * T);
    const double all = measure_strata(&c);
    double items = 0.0;
    for (size_t h = 0; h < c.count; h++)
        items += (double)c.of[h].items;
    const double asked = fmax(plan->labels, (double)plan->is->both.labelled);
    *labels = allocate(&c, items * items * all / asked);
    choose(&c, c.stratum + 2 * T, iv_work_seed(work));
    IV_TABLE(out, "strata", iv_next_strata_fields, c.of, c.count);
    return put_next(out, &c, err);
}
