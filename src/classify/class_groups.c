/* SPDX-License-Identifier: Apache-2.0 */
/* What classifiers are worth in each group of items: labels, and scores. */
#include "base/err.h"
#include "base/hash.h"
#include "classify/class_groups.h"
#include "stat/prf/prf_counts.h"
#include "stat/prf/prf_draws.h"
#include "stat/scored/scored.h"

#include <math.h>
#include <string.h>

/* The items of a group, or (rest) of all others that are in a group. */
static bool is_in(const iv_item_groups *g, size_t item, size_t group, bool rest)
{
    return g->of[item] != UINT32_MAX && (g->of[item] == group) != rest;
}

/* ------------------------------------------------------------------ labels -- */

/* A metric by its name, "f1", "f1[macro]" or "f1[sports]". */
typedef struct label_metric {
    const char *name;
    enum label_kind { ACCURACY, PRECISION, RECALL, SPECIFICITY, F1, SELECTED, KINDS } kind;
    int32_t klass; /* of one class against the rest ... */
    bool averaged; /* ... or of all: macro, or weighted by size */
    iv_prf_average average;
} label_metric;

static const char *const kinds[KINDS + 1] = { "accuracy", "precision", "recall", "specificity",
                                              "f1", "selection_rate", NULL };

static bool find_metric(label_metric *out, const char *name, const iv_labels *l)
{
    const size_t len = strcspn(name, "[");
    const size_t behind = strlen(name) - len;
    const iv_str what = { name + len + 1, behind > 2 ? behind - 2 : 0 };
    size_t kind = 0;

    while (kind < KINDS && !iv_str_eq(iv_str_of(kinds[kind]), (iv_str){ name, len }))
        kind++;
    *out = (label_metric){ .name = name, .kind = (enum label_kind)kind, .klass = 1 };
    if (kind == KINDS || (behind == 0 && !l->binary && kind != ACCURACY))
        return false;
    if (behind == 0)
        return true;
    out->averaged = iv_str_eq(what, iv_str_of("macro")) || iv_str_eq(what, iv_str_of("weighted"));
    out->average = iv_str_eq(what, iv_str_of("macro")) ? IV_PRF_MACRO : IV_PRF_WEIGHTED;
    if (out->averaged)
        return kind == PRECISION || kind == RECALL || kind == F1;
    for (int32_t c = 0; c < l->classes && !l->binary; c++)
        if (iv_str_eq(what, iv_str_of(l->class_names[c]))) {
            out->klass = c;
            return kind != ACCURACY;
        }
    return false;
}

static int list_metrics(label_metric **out, size_t *count, const iv_labels *l,
                        const iv_texts *named, iv_arena *own, iv_err *err)
{
    static const char *const many[] = { "accuracy", "f1[macro]" };
    const char *const *names = named->count > 0 ? named->at : l->binary ? kinds : many;
    const size_t n = named->count > 0 ? named->count : l->binary ? KINDS : 2;

    *count = 0;
    *out = iv_take(own, n, sizeof **out);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < n; i++, ++*count)
        if (!find_metric(&(*out)[i], names[i], l))
            return iv_fail(err, IV_EARG, "groups have no metric '%.60s'; expected %s", names[i],
                           l->binary ? "accuracy, precision, recall, specificity, f1 or "
                           "selection_rate" : "accuracy, or f1[macro], f1[CLASS] and the like");
    return IV_OK;
}

/* The value of a metric in some items. */
static int label_value(iv_group_value *out, const label_metric *m, const iv_labels *l,
                       const iv_prf_items *some, const int64_t *matrix, size_t system,
                       iv_err *err)
{
    static const iv_prf_kind as[] = { IV_PRF_PRECISION, IV_PRF_PRECISION, IV_PRF_RECALL,
                                      IV_PRF_PRECISION, IV_PRF_F };
    const iv_prf_counts c = iv_prf_one_against_rest(matrix, l->classes, m->klass);
    int64_t right = 0;
    iv_interval x;

    if (m->averaged) {
        *out = (iv_group_value){ .value = (double)NAN };
        if (some->items < 2)
            return IV_OK;
        IV_TRY(iv_prf_average_labels(&x, some, system, m->average,
                                     (iv_prf_metric){ as[m->kind], 1.0 }, 0.95, err));
        *out = iv_group_logit(&x, some->items);
        return IV_OK;
    }
    for (int32_t k = 0; k < l->classes; k++)
        right += matrix[(size_t)k * (size_t)l->classes + (size_t)k];
    const int64_t n = (int64_t)some->items;
    *out = m->kind == ACCURACY ? iv_group_proportion(right, n)
        : m->kind == PRECISION ? iv_group_proportion(c.tp, c.tp + c.fp)
        : m->kind == RECALL ? iv_group_proportion(c.tp, c.tp + c.fn)
        : m->kind == SPECIFICITY ? iv_group_proportion(c.tn, c.tn + c.fp)
        : m->kind == F1 ? iv_group_f1(c.tp, c.fp, c.fn) : iv_group_proportion(c.tp + c.fp, n);
    return IV_OK;
}

/* All metrics of all systems in one group, or in the rest. */
static int label_values(iv_gap_family *families, const label_metric *metrics, size_t count,
                        const iv_labels *l, size_t group, bool rest, iv_arena *own, iv_err *err)
{
    const size_t wide = l->systems + 1, cells = (size_t)l->classes * (size_t)l->classes;
    const iv_item_groups *g = families->groups;
    int32_t *at = iv_take(own, l->items * wide, sizeof *at);
    int64_t *matrix = iv_take(own, cells, sizeof *matrix);
    iv_prf_items some = { 0, l->systems, l->classes, at };

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < l->items; i++)
        if (is_in(g, i, group, rest))
            memcpy(at + some.items++ * wide, l->at + i * wide, wide * sizeof *at);
    for (size_t s = 0; s < l->systems; s++) {
        iv_prf_confusion(matrix, &some, s);
        for (size_t m = 0; m < count; m++) {
            iv_gap_family *f = &families[s * count + m];
            IV_TRY(label_value(rest ? &f->rest[group] : &f->of[group], &metrics[m], l, &some,
                               matrix, s, err));
        }
    }
    return IV_OK;
}

/* Adds families of each column, system and measure, with room for their values; `first`: where. */
static int add_families(iv_gaps *out, iv_gap_family **first, const iv_item_groups *groups,
                        size_t groupings, size_t systems, size_t measures, iv_arena *own,
                        iv_err *err)
{
    const size_t each = systems * measures;
    iv_gap_family *all = iv_take(own, out->count + groupings * each + 1, sizeof *all);

    IV_TRY(iv_taken(own, err));
    if (out->count > 0)
        memcpy(all, out->families, out->count * sizeof *all);
    out->families = all;
    *first = all + out->count;
    out->count += groupings * each;
    for (size_t i = 0; i < groupings * each; i++) {
        iv_gap_family *f = &(*first)[i];
        f->groups = &groups[i / each];
        f->of = iv_take(own, f->groups->count, sizeof *f->of);
        f->rest = iv_take(own, f->groups->count, sizeof *f->rest);
    }
    return iv_taken(own, err);
}

static int fill_column(iv_gap_family *families, const label_metric *metrics, size_t count,
                       const iv_labels *l, iv_err *err)
{
    int rc = IV_OK;

    for (size_t k = 0; k < 2 * families->groups->count && rc == IV_OK; k++) {
        iv_arena some = { 0 };
        rc = label_values(families, metrics, count, l, k / 2, k % 2 == 1, &some, err);
        iv_arena_free(&some);
    }
    return rc;
}

static int add_labels(iv_gaps *out, const iv_labels *l, const label_metric *list, size_t count,
                      iv_arena *own, iv_err *err)
{
    const size_t each = l->systems * count;
    iv_gap_family *first;

    IV_TRY(add_families(out, &first, l->groups, l->grouping_count, l->systems, count, own, err));
    for (size_t i = 0; i < l->grouping_count * each; i++) {
        const enum label_kind kind = list[i % count].kind;
        first[i].system = l->system_names[i / count % l->systems];
        first[i].measure = list[i % count].name;
        first[i].is_rate = l->binary && (kind == SELECTED || kind == RECALL || kind == SPECIFICITY);
    }
    for (size_t c = 0; c < l->grouping_count; c++)
        IV_TRY(fill_column(first + c * each, list, count, l, err));
    out->items = l->items;
    return IV_OK;
}

int iv_label_gaps(iv_gaps *out, const iv_labels *l, const iv_texts *metrics, iv_arena *own,
                  iv_err *err)
{
    label_metric *list;
    bool *positive = iv_take(own, l->items, sizeof *positive);
    size_t count;

    IV_TRY(list_metrics(&list, &count, l, metrics, own, err));
    for (size_t i = 0; i < l->items; i++)
        positive[i] = l->at[i * (l->systems + 1)] == 1;
    out->positive = l->binary ? positive : NULL;
    return add_labels(out, l, list, count, own, err);
}

int iv_rate_gaps(iv_gaps *out, const iv_scored_system *systems, size_t count, double threshold,
                 const iv_item_groups *groups, size_t groupings, iv_arena *own, iv_err *err)
{
    static const enum label_kind rates[] = { SELECTED, RECALL, SPECIFICITY };
    enum { RATES = sizeof rates / sizeof *rates };
    label_metric list[RATES];
    int32_t *at = iv_take(own, out->items * (count + 1), sizeof *at);
    const char **names = iv_take(own, count, sizeof *names);
    char text[64];

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < out->items; i++)
        for (size_t s = 0; s <= count; s++)
            at[i * (count + 1) + s] = s == 0 ? out->positive[i]
                : systems[s - 1].scores[i] >= threshold;
    for (size_t s = 0; s < count; s++)
        names[s] = systems[s].name;
    for (size_t m = 0; m < RATES; m++) {
        (void)snprintf(text, sizeof text, "%s at %.4g", kinds[rates[m]], threshold);
        list[m] = (label_metric){ .name = iv_arena_copy(own, iv_str_of(text)), .kind = rates[m],
                                  .klass = 1 };
    }
    IV_TRY(iv_taken(own, err));
    return add_labels(out, &(iv_labels){ .items = out->items, .systems = count, .classes = 2,
                                         .binary = true, .at = at, .system_names = names,
                                         .groups = groups, .grouping_count = groupings },
                      list, RATES, own, err);
}

/* ------------------------------------------------------------------ scores -- */

enum { AUC, BRIER, LOG_LOSS, MEASURES };

typedef struct scored_part {
    double *scores, *loss[2];
    bool *positive;
} scored_part;

static int score_values(iv_gap_family *f, size_t measures, const scored_part *room,
                        const double *scores, const bool *positive, size_t items, size_t group,
                        bool rest, iv_err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < items; i++) {
        if (!is_in(f->groups, i, group, rest))
            continue;
        const double miss = scores[i] - (positive[i] ? 1.0 : 0.0);
        room->scores[n] = scores[i];
        room->positive[n] = positive[i];
        room->loss[0][n] = miss * miss;
        room->loss[1][n++] = -log(fmax(1e-15, 1.0 - fabs(miss)));
    }
    for (size_t m = 0; m < measures; m++) {
        iv_group_value *v = rest ? &f[m].rest[group] : &f[m].of[group];
        if (m == AUC)
            IV_TRY(iv_auc_of_group(v, &(iv_scored_items){ room->scores, room->positive, n }, err));
        else
            *v = iv_group_mean(room->loss[m - BRIER], n);
    }
    return IV_OK;
}

int iv_score_gaps(iv_gaps *out, const iv_scored_system *systems, size_t count,
                  const bool *positive, size_t items, bool probabilities,
                  const iv_item_groups *groups, size_t groupings, iv_arena *own, iv_err *err)
{
    static const char *const names[] = { "AUC", "Brier", "log_loss" };
    const size_t measures = probabilities ? MEASURES : 1;
    const scored_part room = { iv_take(own, items, sizeof(double)),
                               { iv_take(own, items, sizeof(double)),
                                 iv_take(own, items, sizeof(double)) },
                               iv_take(own, items, sizeof(bool)) };
    iv_gap_family *first;

    IV_TRY(add_families(out, &first, groups, groupings, count, measures, own, err));
    for (size_t i = 0; i < groupings * count * measures; i++) {
        first[i].system = systems[i / measures % count].name;
        first[i].measure = names[i % measures];
    }
    for (size_t i = 0; i < groupings * count * measures; i += measures)
        for (size_t k = 0; k < 2 * first[i].groups->count; k++)
            IV_TRY(score_values(&first[i], measures, &room,
                                systems[i / measures % count].scores, positive, items, k / 2,
                                k % 2 == 1, err));
    out->items = items;
    out->positive = positive;
    return IV_OK;
}
