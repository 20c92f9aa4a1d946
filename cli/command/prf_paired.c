/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Systems on the same items: exact where only the items that one of two
 * systems got right matter (accuracy, recall, specificity), from the joint
 * posterior where not.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/prf_compare.h"

/* The prior of "only a was right": the paper's 1/2 when right = wrong = 1/2. */
static double alone(iv_prf_prior p)
{
    return 2.0 * p.right * p.wrong / (p.right + p.wrong);
}

static iv_paired_cells all_cells(const iv_paired_counts *n, iv_prf_prior p)
{
    return (iv_paired_cells){ (double)n->a_only + alone(p), (double)n->b_only + alone(p),
                              (double)n->rest + alone(p) };
}

/* Of one row of gold, which has right + wrong of the prior. */
static iv_paired_cells row_cells(const iv_paired_counts *n, iv_prf_prior p)
{
    const double half = 0.5 * alone(p);

    return (iv_paired_cells){ (double)n->a_only + half, (double)n->b_only + half,
                              (double)n->rest + p.right + p.wrong - 2.0 * half };
}

/* One metric that pairs are compared by. */
typedef struct subject {
    const char *name;
    iv_prf_target target; /* system not set */
    bool exact;           /* else by drawing */
    bool ranked;          /* in P(best) */
} subject;

typedef struct subjects {
    subject *at;
    size_t count, capacity;
} subjects;

static int add_subject(subjects *all, prf_input *in, iv_prf_metric m, iv_prf_average average,
                       int32_t klass, const char *what, iv_err *err)
{
    char name[IV_PRF_NAME_SIZE], full[IV_PRF_NAME_SIZE + IV_QUOTE_SIZE];

    if (all->count == all->capacity) {
        const size_t capacity = 2 * all->capacity + 32;
        subject *grown = realloc(all->at, capacity * sizeof *grown);
        if (grown == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        all->at = grown;
        all->capacity = capacity;
    }
    (void)snprintf(full, sizeof full, what != NULL ? "%s[%s]" : "%s", iv_prf_name(name, m),
                   what);
    subject s = { prf_keep(in, iv_str_of(full)), { 0, average, klass, m }, false, false };
    if (s.name == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const bool rate = m.kind == IV_PRF_RECALL
                      || (m.kind == IV_PRF_SPECIFICITY && !in->multiclass);
    s.exact = m.kind == IV_PRF_ACCURACY || (rate && average == IV_PRF_ONE);
    s.ranked = !in->multiclass || average != IV_PRF_ONE;
    all->at[all->count++] = s;
    return IV_OK;
}

static int list_subjects(subjects *all, prf_input *in, const prf_wish *w, iv_err *err)
{
    const iv_prf_metric accuracy = { IV_PRF_ACCURACY, 0.0 };
    int rc = IV_OK;

    if (in->multiclass)
        rc = add_subject(all, in, accuracy, IV_PRF_MICRO, 0, NULL, err);
    for (size_t m = 0; m < w->metric_count && !in->multiclass && rc == IV_OK; m++)
        rc = add_subject(all, in, w->metrics[m],
                         w->metrics[m].kind == IV_PRF_ACCURACY ? IV_PRF_MICRO : IV_PRF_ONE, 1,
                         NULL, err);
    for (int32_t k = 0; k < in->items.classes && in->multiclass && rc == IV_OK; k++) {
        for (size_t m = 0; m < w->metric_count && rc == IV_OK; m++) {
            if (w->metrics[m].kind < IV_PRF_SPECIFICITY)
                rc = add_subject(all, in, w->metrics[m], IV_PRF_ONE, k,
                                 in->systems[0].categories[k].name, err);
        }
    }
    for (size_t m = 0; m < w->metric_count && in->multiclass && rc == IV_OK; m++) {
        if (w->metrics[m].kind < IV_PRF_SPECIFICITY)
            rc = add_subject(all, in, w->metrics[m], IV_PRF_MACRO, 0, "macro", err);
    }
    return rc;
}

static int exact_pair(prf_pair *out, const prf_input *in, const prf_wish *w,
                      const subject *s, iv_err *err)
{
    const iv_prf_items *items = &in->items;
    iv_paired_counts n;
    iv_paired_cells cells;
    iv_posterior_gap gap;

    if (s->target.metric.kind == IV_PRF_ACCURACY) {
        n = iv_prf_paired_right(items, out->a, out->b);
        cells = all_cells(&n, w->prior);
    } else {
        n = s->target.metric.kind == IV_PRF_RECALL
                ? iv_prf_paired_recall(items, out->a, out->b, s->target.klass)
                : iv_prf_paired_specificity(items, out->a, out->b, s->target.klass);
        cells = row_cells(&n, w->prior);
    }
    const int rc = iv_paired_compare(&gap, cells, w->confidence, err);
    if (rc < 0)
        return rc;
    out->probability = gap.greater;
    out->difference = gap.mean;
    out->lower = gap.lower;
    out->upper = gap.upper;
    return IV_OK;
}

enum { GROUP = 64 };

/* How many subjects are drawn at a time: some 256 MB of draws. */
static size_t at_a_time(size_t draws, size_t systems)
{
    const size_t most = ((size_t)32 << 20) / draws / systems;

    return most < 1 ? 1 : most > GROUP ? GROUP : most;
}

/* Draws for systems x (some subjects), system after system of each subject. */
static int draw_subjects(double *out, const iv_prf_joint *joint, const subject *const *s,
                         size_t count, size_t systems, const iv_draw_plan *plan, iv_err *err)
{
    iv_prf_target *targets = calloc(count * systems, sizeof *targets);

    if (targets == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < count * systems; i++) {
        targets[i] = s[i / systems]->target;
        targets[i].system = i % systems;
    }
    const int rc = iv_prf_joint_draw(out, joint, targets, count * systems, plan, err);
    free(targets);
    return rc;
}

/* Subjects that want drawing, from *next on, at most `most` of them. */
static size_t choose(const subject *chosen[GROUP], size_t at[GROUP], const subjects *all,
                     size_t *next, size_t most, bool ranked)
{
    size_t n = 0;

    for (; *next < all->count && n < most; (*next)++) {
        const subject *s = &all->at[*next];
        if (ranked ? !s->ranked : s->exact)
            continue;
        at[n] = *next;
        chosen[n++] = s;
    }
    return n;
}

/* The subjects of a pair that need draws, some at a time. */
static int drawn_pairs(prf_pair *pairs, const prf_input *in, const prf_wish *w,
                       const subjects *all, uint32_t stream, iv_err *err)
{
    const size_t systems[2] = { pairs->a, pairs->b }, group = at_a_time(w->draws, 2);
    const iv_draw_plan plan = { w->draws, w->seed, stream, w->threads };
    double *draws = malloc(group * 2 * w->draws * sizeof *draws);
    iv_prf_joint *joint = NULL;
    int rc = draws != NULL ? iv_prf_joint_new(&joint, &in->items, systems, 2, w->prior, err)
                           : iv_fail(err, IV_ENOMEM, "out of memory");

    for (size_t next = 0; next < all->count && rc == IV_OK;) {
        const subject *chosen[GROUP];
        size_t at[GROUP];
        const size_t n = choose(chosen, at, all, &next, group, false);
        if (n > 0)
            rc = draw_subjects(draws, joint, chosen, n, 2, &plan, err);
        for (size_t k = 0; k < n && rc == IV_OK; k++)
            rc = prf_pair_from_draws(&pairs[at[k]], draws + 2 * k * w->draws,
                                     draws + (2 * k + 1) * w->draws, w, err);
    }
    iv_prf_joint_free(joint);
    free(draws);
    return rc;
}

static int add_pair(prf_comparison *out, const prf_input *in, const prf_wish *w,
                    const subjects *all, size_t a, size_t b, uint32_t stream, iv_err *err)
{
    const size_t first = out->pairs.count;
    int rc = IV_OK;

    for (size_t i = 0; i < all->count && rc == IV_OK; i++) {
        prf_pair pair = { .a = a, .b = b, .metric = all->at[i].name };
        if (all->at[i].exact)
            rc = exact_pair(&pair, in, w, &all->at[i], err);
        if (rc == IV_OK)
            rc = prf_add_pair(out, &pair, err);
    }
    return rc == IV_OK ? drawn_pairs(out->pairs.at + first, in, w, all, stream, err) : rc;
}

/* P(best) from draws of every system, for some subjects. */
static int rank(prf_comparison *out, const double *draws, const subject *const *chosen,
                size_t count, size_t systems, const prf_wish *w, iv_err *err)
{
    const double **each = calloc(systems, sizeof(double *));
    int rc = each != NULL ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        double *to = prf_add_best(out, chosen[i]->name, systems, true);
        if (to == NULL) {
            rc = iv_fail(err, IV_ENOMEM, "out of memory");
            break;
        }
        for (size_t s = 0; s < systems; s++)
            each[s] = draws + (i * systems + s) * w->draws;
        prf_best_from_draws(to, each, systems, w->draws);
    }
    free(each);
    return rc;
}

/* P(best) of all systems from the joint posterior of all. */
static int add_best(prf_comparison *out, const prf_input *in, const prf_wish *w,
                    const subjects *all, uint32_t stream, iv_err *err)
{
    const size_t n = in->count, group = at_a_time(w->draws, n);
    const iv_draw_plan plan = { w->draws, w->seed, stream, w->threads };
    double *draws = malloc(group * n * w->draws * sizeof *draws);
    iv_prf_joint *joint = NULL;
    int rc = draws != NULL ? iv_prf_joint_new(&joint, &in->items, NULL, 0, w->prior, err)
                           : iv_fail(err, IV_ENOMEM, "out of memory");

    for (size_t next = 0; next < all->count && rc == IV_OK;) {
        const subject *chosen[GROUP];
        size_t at[GROUP];
        const size_t count = choose(chosen, at, all, &next, group, true);
        if (count > 0)
            rc = draw_subjects(draws, joint, chosen, count, n, &plan, err);
        if (rc == IV_OK)
            rc = rank(out, draws, chosen, count, n, w, err);
    }
    iv_prf_joint_free(joint);
    free(draws);
    return rc;
}

/* Where both means are known, so is that of the difference, without draws. */
static void know_means(prf_comparison *out, const prf_rows *rows)
{
    for (size_t i = 0; i < out->pairs.count; i++) {
        prf_pair *p = &out->pairs.at[i];
        const prf_row *a = prf_rows_find(rows, p->a, p->metric);
        const prf_row *b = prf_rows_find(rows, p->b, p->metric);
        if (!p->drawn || a == NULL || b == NULL)
            continue;
        const double mean = prf_row_mean(a) - prf_row_mean(b);
        if (isnan(mean))
            continue;
        p->difference = mean;
        p->difference_error = 0.0;
    }
}

int prf_paired(prf_comparison *out, const prf_rows *rows, prf_input *in,
               const prf_wish *wish, iv_err *err)
{
    subjects all = { 0 };
    const uint32_t first = UINT32_C(0x80000000); /* apart from those of single rows */
    const double pairs = 0.5 * (double)in->count * (double)(in->count - 1);
    uint32_t stream = first;
    int rc = list_subjects(&all, in, wish, err);

    for (size_t a = 0; a < in->count && rc == IV_OK; a++) {
        for (size_t b = a + 1; b < in->count && rc == IV_OK; b++) {
            rc = add_pair(out, in, wish, &all, a, b, stream++, err);
            if (wish->progress.report != NULL)
                wish->progress.report(wish->progress.user,
                                      0.5 + 0.4 * (double)(stream - first) / pairs);
        }
    }
    if (in->count > 2 && rc == IV_OK)
        rc = add_best(out, in, wish, &all, stream, err);
    if (rc == IV_OK)
        know_means(out, rows);
    free(all.at);
    return rc;
}

void prf_paired_tell(const prf_input *in, const prf_wish *wish, iv_result *result)
{
    static const iv_column columns[] = {
        { "a", IV_TEXT, 0 },           { "b", IV_TEXT, 0 },
        { "a_only", IV_INTEGER, 0 },   { "b_only", IV_INTEGER, 0 },
        { "agree", IV_INTEGER, 0 },    { "probability", IV_REAL, 4 },
        { "difference", IV_REAL, 4 },  { "log_odds", IV_REAL, 4 },
        { "mcnemar_p", IV_REAL, 4 } };
    iv_table *t = iv_result_table(result, "paired", columns, 9);

    for (size_t a = 0; a < in->count; a++) {
        for (size_t b = a + 1; b < in->count; b++) {
            const iv_paired_counts n = iv_prf_paired_right(&in->items, a, b);
            const iv_paired_cells c = all_cells(&n, wish->prior);
            iv_put_text(t, iv_str_of(in->systems[a].name));
            iv_put_text(t, iv_str_of(in->systems[b].name));
            iv_put_int(t, n.a_only);
            iv_put_int(t, n.b_only);
            iv_put_int(t, n.rest);
            iv_put_real(t, iv_paired_greater(c));
            iv_put_real(t, iv_paired_difference(c));
            iv_put_real(t, iv_paired_log_odds(c));
            iv_put_real(t, iv_mcnemar(n.a_only, n.b_only));
        }
    }
}
