/* SPDX-License-Identifier: Apache-2.0 */
/* How far assessors agree on what two have judged, and what that does to the answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "live/live_parts.h"
#include "store/store_parts.h"
#include "stat/agreement_private.h"

/* The labels, and room for the pairs of two assessors. */
typedef struct agreeing {
    iv_store *s;
    iv_arena *a;
    const iv_work *work;
    const iv_store_label *labels;
    size_t count;
    iv_label_pair *pairs;
    size_t *starts;
    double *hits, *all;
} agreeing;

/* The place of a grade among the session's. */
static uint32_t label_of(const iv_store_about *about, int32_t grade)
{
    uint32_t i = 0;

    while (i + 1 < about->grade_count && about->grades[i].grade != grade)
        i++;
    return i;
}

/* The items that both have judged, topic by topic; returns how many topics. */
static size_t collect(size_t *items, agreeing *g, int64_t x, int64_t y)
{
    const iv_store_about *about = iv_store_about_of(g->s);
    size_t n = 0, units = 0, last = SIZE_MAX;

    for (size_t i = 0; i < g->count;) {
        const iv_store_label *a = NULL, *b = NULL;
        const int64_t item = g->labels[i].item;
        for (; i < g->count && g->labels[i].item == item; i++) {
            a = g->labels[i].assessor == x ? &g->labels[i] : a;
            b = g->labels[i].assessor == y ? &g->labels[i] : b;
        }
        if (a == NULL || b == NULL)
            continue;
        const size_t topic = iv_queue_topic_of(g->s, item);
        if (topic != last) {
            g->hits[units] = g->all[units] = 0.0;
            g->starts[units++] = n;
            last = topic;
        }
        g->pairs[n++] = (iv_label_pair){ label_of(about, a->grade), label_of(about, b->grade),
                                         1.0 };
        g->hits[units - 1] += a->grade == b->grade;
        g->all[units - 1] += 1.0;
    }
    g->starts[units] = n;
    *items = n;
    return units;
}

static int compare(iv_live_pair *out, agreeing *g, const iv_assessor *x, const iv_assessor *y,
                   iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(g->s);
    iv_kappa k;

    *out = (iv_live_pair){ .a = x->name, .b = y->name };
    const size_t topics = collect(&out->items, g, x->id, y->id);
    if (out->items == 0)
        return IV_OK;
    const size_t units = iv_agreement_units(g->starts, topics);
    const iv_label_pairs pairs = { g->pairs, g->starts, units, (uint32_t)about->grade_count };
    IV_TRY(iv_kappa_of(&k, NULL, &pairs, IV_KAPPA_PLAIN, IV_LIVE_CONFIDENCE, err));
    double *hits = g->hits, *all = g->all;
    const bool few = units < 2; /* then each item is a unit, as of kappa */
    if (few)
        for (size_t i = 0; i < out->items; i++) {
            hits[i] = g->pairs[i].a == g->pairs[i].b;
            all[i] = 1.0;
        }
    const iv_over_units share = iv_share_over_units(hits, all, few ? out->items : units,
                                                    out->items, IV_LIVE_CONFIDENCE);
    out->agreement = share.value;
    out->agreement_lower = share.lower;
    out->agreement_upper = share.upper;
    out->kappa = k.is.value;
    out->kappa_lower = k.is.lower;
    out->kappa_upper = k.is.upper;
    out->few = k.few;
    return IV_OK;
}

/* ----------------------------------------------------- what it does -- */

static int answer_under(iv_live_value *out, agreeing *g, const char *combine, const char *words,
                        iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(g->s);
    const iv_export_options how = { .combine = combine, .or_others = true };
    size_t from = 0;

    if (about->kind == IV_STORE_SAMPLE) {
        IV_TRY(iv_live_of_sample(out, &from, g->s, combine, g->work, err));
    } else {
        iv_combined c;
        iv_live_review r;
        IV_TRY(iv_store_combine(&c, g->a, g->s, &how, false, err));
        *out = (iv_live_value){ "", 0.0, NAN, NAN };
        for (size_t i = 0; i < c.count; i++) {
            out->value += c.grade[i] >= about->level;
            from += c.grade[i] >= 0;
        }
        if (about->kind == IV_STORE_REVIEW) { /* without a majority the order ends */
            from = iv_combined_prefix(&c, 0, c.count, false);
            IV_TRY(iv_live_review_read(&r, g->a, g->s, err));
            iv_live_review_count(&r, &c, from, about->level);
            IV_TRY(iv_live_recall(out, &r, err));
        }
    }
    out->documents = from;
    (void)snprintf(out->of, sizeof out->of, "%s %.40s", about->kind == IV_STORE_REVIEW
                   ? "recall" : "relevant", words);
    return IV_OK;
}

static int all_answers(iv_live_agreement *out, agreeing *g, const iv_assessor *who, size_t people,
                       iv_err *err)
{
    iv_live_value *rows = iv_take(g->a, people + 2, sizeof *rows);
    size_t n = 0;

    if (rows == NULL)
        return iv_no_memory(err);
    IV_TRY(answer_under(&rows[n++], g, NULL, "as exported", err));
    IV_TRY(answer_under(&rows[n++], g, "majority", "by majority", err));
    for (size_t i = 0; i < people; i++) {
        char words[64];
        bool any = false;
        for (size_t k = 0; k < g->count && !any; k++)
            any = g->labels[k].assessor == who[i].id;
        if (!any)
            continue;
        (void)snprintf(words, sizeof words, "by %.50s", who[i].name);
        IV_TRY(answer_under(&rows[n++], g, who[i].name, words, err));
    }
    out->under = rows;
    out->under_count = n;
    return IV_OK;
}

static void count_items(iv_live_agreement *out, const agreeing *g)
{
    const iv_store_about *about = iv_store_about_of(g->s);
    size_t relevant = 0;

    for (size_t i = 0; i < g->count; i++) {
        relevant += g->labels[i].grade >= about->level;
        out->items += i > 0 && g->labels[i].item == g->labels[i - 1].item
            && (i == 1 || g->labels[i].item != g->labels[i - 2].item);
    }
    out->prevalence = g->count > 0 ? (double)relevant / (double)g->count : NAN;
}

int iv_live_agree(iv_live_agreement *out, iv_arena *a, iv_store *s, const iv_work *work,
                  iv_err *err)
{
    agreeing g = { .s = s, .a = a, .work = work };
    iv_live_agreement all = { .prevalence = NAN };
    const iv_assessor *listed;
    const size_t people = iv_store_assessors(&listed, s);
    iv_assessor *who = iv_take(a, people + 1, sizeof *who);
    iv_live_pair *pairs = iv_take(a, people * people + 1, sizeof *pairs);

    IV_TRY(iv_store_labels(&g.labels, &g.count, a, s, err));
    g.pairs = iv_take(a, g.count + 1, sizeof *g.pairs);
    g.starts = iv_take(a, g.count + 2, sizeof *g.starts);
    g.hits = iv_take(a, g.count + 1, sizeof *g.hits);
    g.all = iv_take(a, g.count + 1, sizeof *g.all);
    IV_TRY(iv_taken(a, err));
    for (size_t i = 0; i < people; i++)
        who[i] = listed[i];
    count_items(&all, &g);
    for (size_t i = 0; i < people; i++)
        for (size_t k = i + 1; k < people; k++) {
            IV_TRY(compare(&pairs[all.pair_count], &g, &who[i], &who[k], err));
            all.pair_count += pairs[all.pair_count].items > 0;
        }
    all.pairs = pairs;
    if (all.items > 0)
        IV_TRY(all_answers(&all, &g, who, people, err));
    *out = all;
    return IV_OK;
}
