/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence for claims on classifiers: exact where it can be. */
#include "base/err.h"
#include "base/names.h"
#include "classify/prf_claims.h"
#include "classify/prf_making.h"
#include "intervale/result/reading_back.h"
#include "stat/evidence.h"

#include <math.h>
#include <string.h>

/* Precision, recall, specificity, accuracy and F1 of a matrix or a class are binomial: exact
 * evidence.  Averages over classes keep their limits. */
void iv_prf_claim_one(iv_claim *c, const iv_prf_evaluation *e, const iv_prf_estimate *x)
{
    const iv_prf_exact *b = &((const iv_prf_making *)e)->exact[x - e->estimates];
    const iv_prf_counts *n = &b->counts;
    int64_t hits = n->tp, all;
    iv_evidence got;

    if (n->tp < 0 || isnan(x->value))
        return;
    switch (b->metric.kind) {
    case IV_PRF_PRECISION:
        all = n->tp + n->fp;
        break;
    case IV_PRF_RECALL:
        all = n->tp + n->fn;
        break;
    case IV_PRF_SPECIFICITY:
        hits = n->tn;
        all = n->tn + n->fp;
        break;
    case IV_PRF_ACCURACY:
        hits = n->tp + n->tn;
        all = hits + n->fp + n->fn;
        break;
    default:
        if (b->metric.kind != IV_PRF_F || b->metric.beta != 1.0)
            return;
        all = 0;
    }
    got = all > 0 ? iv_proportion_evidence(hits, all, c->bound, c->level)
                  : iv_f1_evidence(n->tp, n->fp, n->fn, c->bound, c->level);
    c->lower = got.lower;
    c->upper = got.upper;
    c->p = got.p_above;
    c->p_contrary = got.p_below;
    c->items = (double)(n->tp + n->fp + n->fn);
    c->method = "clopper-pearson";
    c->strength = e->guaranteed ? IV_STRENGTH_GUARANTEED : IV_STRENGTH_DEFAULT;
}

/* Which of the metrics, and of which class; of all classes accuracy is the proportion of right
 * labels, as recall is where all items are positive.  False: an average. */
static bool pair_metric(iv_paired_metric *metric, int32_t *positive, const iv_claim *c,
                        const iv_labels *l)
{
    static const char *const names[] = { "recall", "specificity", "accuracy", "precision", "f1" };
    const size_t stem = strcspn(c->measure, "["), whole = strlen(c->measure);
    size_t m = 0;

    while (m < 5 && (strlen(names[m]) != stem || strncmp(names[m], c->measure, stem) != 0))
        m++;
    *metric = l->binary || m != IV_PAIRED_ACCURACY ? (iv_paired_metric)m : IV_PAIRED_RECALL;
    *positive = l->binary ? 1 : -1;
    for (int32_t k = 0; !l->binary && stem < whole && k < l->classes; k++)
        if (strlen(l->class_names[k]) == whole - stem - 2
            && strncmp(l->class_names[k], c->measure + stem + 1, whole - stem - 2) == 0)
            *positive = k;
    return m < 5 && (stem == whole || (!l->binary && *positive >= 0));
}

/* Of labels: the evidence on a difference, exact where it can be.  Averages over classes keep their
 * limits. */
void iv_prf_claim_pair(iv_claim *c, const iv_labels *l, size_t system, size_t baseline)
{
    iv_paired_labels joint = { 0 };
    iv_paired_metric m;
    int32_t positive;

    if (l == NULL || !pair_metric(&m, &positive, c, l))
        return;
    for (size_t i = 0; i < l->items; i++) {
        const int32_t *at = l->at + i * (l->systems + 1), one = positive >= 0 ? positive : at[0];
        joint.items[at[0] == one][at[1 + system] == one][at[1 + baseline] == one]++;
    }
    const iv_evidence e = iv_prf_pair_evidence(&joint, m, -c->bound, c->level);
    c->estimate = e.estimate;
    c->lower = e.lower;
    c->upper = e.upper;
    c->p = e.p_above;
    c->p_contrary = e.p_below;
    c->items = (double)l->items;
    c->method = m < IV_PAIRED_PRECISION ? "exact-margin" : "mover";
    if (isnan(e.estimate))
        c->withheld = "it has no value (0/0)";
}

static void show_one(iv_claim c, const iv_prf_evaluation *e)
{
    const double level = c.level;

    for (size_t i = 0; i < e->estimate_count; i++) {
        iv_prf_estimate *x = &e->estimates[i];
        if (strcmp(x->metric, c.measure) != 0 || strcmp(x->system, c.system) != 0)
            continue;
        c.method = NULL;
        c.level = 0.5 * level;
        iv_prf_claim_one(&c, e, x);
        x->lower = c.method != NULL ? c.lower : x->lower;
        x->upper = c.method != NULL ? c.upper : x->upper;
    }
}

static void show_pair(iv_claim c, const iv_prf_evaluation *e, const iv_labels *l)
{
    const double level = c.level;

    for (size_t i = 0; i < e->pair_count; i++) {
        iv_prf_pair *p = &e->pairs[i];
        const bool turned = strcmp(p->a, c.baseline) == 0 && strcmp(p->b, c.system) == 0;
        if (strcmp(p->metric, c.measure) != 0
            || !(turned || (strcmp(p->a, c.system) == 0 && strcmp(p->b, c.baseline) == 0)))
            continue;
        c.method = NULL;
        c.level = 0.5 * level;
        iv_prf_claim_pair(&c, l, turned ? p->b_at : p->a_at, turned ? p->a_at : p->b_at);
        if (c.method == NULL || isnan(c.estimate))
            continue;
        p->difference = turned ? -c.estimate : c.estimate;
        p->lower = turned ? -c.upper : c.lower;
        p->upper = turned ? -c.lower : c.upper;
    }
}

void iv_prf_show_claims(const iv_result *r, const iv_prf_evaluation *e, const iv_labels *l)
{
    const iv_claim *claims;
    size_t count;

    (void)iv_result_has_verdict(&claims, &count, r);
    for (size_t i = 0; i < count; i++)
        if (claims[i].kind == IV_CLAIM_NOT_WORSE)
            show_pair(claims[i], e, l);
        else
            show_one(claims[i], e);
}

int iv_roc_claim(iv_claim *c, iv_interval *shown, double *p, bool turned,
                 const iv_scored_system *systems, size_t count, const bool *positive,
                 size_t items, iv_err *err)
{
    const double *a = NULL, *b = NULL;
    iv_evidence e, zero;

    for (size_t i = 0; i < count; i++) {
        a = strcmp(systems[i].name, c->system) == 0 ? systems[i].scores : a;
        b = strcmp(systems[i].name, c->baseline) == 0 ? systems[i].scores : b;
    }
    IV_TRY(iv_auc_evidence(&e, a, b, positive, items, -c->bound, c->level, err));
    IV_TRY(iv_auc_evidence(&zero, a, b, positive, items, 0.0, 0.5 * c->level, err));
    c->lower = e.lower;
    c->upper = e.upper;
    c->p = e.p_above;
    c->p_contrary = e.p_below;
    c->method = "mover";
    shown->lower = turned ? -zero.upper : zero.lower;
    shown->upper = turned ? -zero.lower : zero.upper;
    *p = fmin(1.0, 2.0 * fmin(zero.p_above, zero.p_below));
    return IV_OK;
}
