/* SPDX-License-Identifier: Apache-2.0 */
/* agree, of several assessors: alpha, pairs of them, and the majority. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "labels/agree.h"
#include "labels/agree_messages.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/methods.h"
#include "result/wording.h"
#include "stat/agreement.h"
#include "trec/assessments.h"

#include <math.h>

#define IV_NO_LABEL UINT32_MAX

typedef struct panel {
    const iv_agree_question *q;
    const iv_assessments *v;
    double confidence;
    iv_arena *own;
    double step; /* by which the grades of two look shifted; 0: they do not */
    size_t with, without, items; /* items that agree with the shift taken off, without; all */
} panel;

typedef struct alpha_row {
    const char *scale;
    iv_interval is;
    double agreement, expected;
    size_t assessors, items, labels, apart, rare;
} alpha_row;

const iv_field iv_agree_alpha_fields[] = {
    { "scale", IV_AT(alpha_row, scale),
      .about = "how disagreements count: all equally (nominal), by how many labels lie between "
               "(ordinal), by squared distance (interval)" },
    { "alpha", IV_AT(alpha_row, is.value), .digits = 3, .about = "Krippendorff's alpha" },
    IV_LIMITS(alpha_row, is., 3),
    { "se", IV_AT(alpha_row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    { "agreement", IV_AT(alpha_row, agreement), .digits = 3,
      .about = "proportion of pairs of labels that agree" },
    { "expected", IV_AT(alpha_row, expected), .digits = 3, .heading = "by chance",
      .about = "agreement expected by chance" },
    { "assessors", IV_AT(alpha_row, assessors), .about = "assessors with labels" },
    { "items", IV_AT(alpha_row, items), .about = "items with two or more labels" },
    { "labels", IV_AT(alpha_row, labels), .about = "labels of these items" },
    { "disagreements", IV_AT(alpha_row, apart), .heading = "items not unanimous",
      .about = "items on which assessors disagree" },
    { "rare", IV_AT(alpha_row, rare), .audience = IV_FOR_PROGRAMS,
      .about = "items with another label than the most frequent one, mean per assessor" },
    { NULL } };

enum { NUMBERS = 1, SEVERAL = 2 };

typedef struct assessor_row {
    const char *assessor;
    size_t items, shared;
    double mean, agreement, alpha_without;
} assessor_row;

const iv_field iv_agree_assessor_fields[] = {
    { "assessor", IV_AT(assessor_row, assessor), .about = "name of the assessor" },
    { "items", IV_AT(assessor_row, items), .about = "items labelled" },
    { "shared", IV_AT(assessor_row, shared), .heading = "items shared",
      .about = "items also labelled by others" },
    { "mean", IV_AT(assessor_row, mean), .digits = 3, .needs = NUMBERS, .heading = "mean label",
      .about = "mean of the labels" },
    { "agreement", IV_AT(assessor_row, agreement), .digits = 3,
      .about = "proportion of agreement with the labels of others" },
    { "alpha_without", IV_AT(assessor_row, alpha_without), .digits = 3, .needs = SEVERAL,
      .heading = "alpha without this one",
      .about = "Krippendorff's alpha without this assessor" },
    { NULL } };

/* Two assessors. */
typedef struct kappa_row {
    const char *a, *b;
    size_t items, apart;
    double agreement, expected;
    iv_interval is;
} kappa_row;

const iv_field iv_agree_kappa_fields[] = {
    { "a", IV_AT(kappa_row, a), .about = "an assessor" },
    { "b", IV_AT(kappa_row, b), .about = "another assessor" },
    { "items", IV_AT(kappa_row, items), .about = "items that both labelled" },
    { "agreement", IV_AT(kappa_row, agreement), .digits = 3,
      .about = "proportion of items on which both agree" },
    { "expected", IV_AT(kappa_row, expected), .digits = 3, .heading = "by chance",
      .about = "agreement expected by chance" },
    { "kappa", IV_AT(kappa_row, is.value), .digits = 3, .about = "Cohen's kappa" },
    IV_LIMITS(kappa_row, is., 3),
    { "disagreements", IV_AT(kappa_row, apart), .about = "items on which the two disagree" },
    { NULL } };

enum { WITH_TOPICS = 1 };

/* The most frequent label of an item. */
typedef struct vote_row {
    iv_str topic, item;
    const char *label;
    size_t votes, labels, tie;
} vote_row;

const iv_field iv_agree_majority_fields[] = {
    { "topic", IV_AT(vote_row, topic), .needs = WITH_TOPICS, .about = "of the item" },
    { "item", IV_AT(vote_row, item), .about = "name of the item" },
    { "label", IV_AT(vote_row, label),
      .about = "most frequent label; if tied, the lowest number or first word" },
    { "votes", IV_AT(vote_row, votes), .about = "assessors who gave this label" },
    { "labels", IV_AT(vote_row, labels), .about = "labels of the item" },
    { "tie", IV_AT(vote_row, tie), .about = "1: another label is as frequent" },
    { NULL } };

/* --------------------------------------------------------------- together -- */

/* The commonest label of an item, of several the lowest. */
static vote_row vote(const iv_assessments *v, size_t item)
{
    size_t most = 0, of = 0;
    uint32_t label = IV_NO_LABEL;
    bool tie = false;

    for (size_t i = v->starts[item]; i < v->starts[item + 1]; i++) {
        size_t votes = 0;
        of++;
        for (size_t k = v->starts[item]; k < v->starts[item + 1]; k++)
            votes += v->label[k] == v->label[i];
        if (v->label[i] == label)
            continue;
        if (votes > most || (votes == most && v->label[i] < label)) {
            tie = votes == most;
            label = v->label[i];
            most = votes;
        } else {
            tie = tie || votes == most;
        }
    }
    return (vote_row){ v->topics[v->topic[item]], v->items[item], of > 0 ? v->labels[label] : NULL,
                       most, of, tie };
}

/* ------------------------------------------------------------- agreement -- */

/* The labels of all but one, as alpha takes them. */
static int ratings_of(iv_ratings *r, panel *p, size_t but, iv_err *err)
{
    const iv_assessments *v = p->v;
    uint32_t *label = iv_take(p->own, v->starts[v->item_count], sizeof *label);
    size_t *starts = iv_take(p->own, v->item_count + 1, sizeof *starts), used = 0;

    IV_TRY(iv_taken(p->own, err));
    for (size_t item = 0; item < v->item_count; item++) {
        for (size_t i = v->starts[item]; i < v->starts[item + 1]; i++)
            if (v->assessor[i] != but)
                label[used++] = v->label[i];
        starts[item + 1] = used;
    }
    *r = (iv_ratings){ .label = label, .starts = starts, .items = v->item_count,
                       .unit_starts = v->has_topics ? v->topic_starts : NULL,
                       .units = v->topic_count, .labels = v->label_count, .value = v->values };
    return IV_OK;
}

static int find_majority(panel *p, iv_result *out, iv_err *err)
{
    const iv_assessments *v = p->v;
    size_t ties = 0, single = 0, none = 0;
    iv_listing judges = { .most = 8 };

    vote_row *rows = iv_take(p->own, v->item_count, sizeof *rows);

    IV_TRY(iv_taken(p->own, err));
    for (size_t i = 0; i < v->item_count; i++) {
        rows[i] = vote(v, i);
        ties += rows[i].tie;
        single += rows[i].labels == 1;
        none += rows[i].labels == 0;
    }
    IV_TABLE(out, "majority", iv_agree_majority_fields, rows, v->item_count,
             .with = v->has_topics ? WITH_TOPICS : 0, .showing = IV_LONG);
    if (ties > 0)
        iv_result_legend(out, "On %zu of %zu items, labels tie for most frequent: table 'majority' "
                         "gives the %s of them.", ties, v->item_count,
                         v->values != NULL ? "lowest" : "first in the order of bytes");
    if (single > 0)
        iv_result_legend(out, "%zu item%s one label only and %s not count.", single,
                         single == 1 ? " has" : "s have", single == 1 ? "does" : "do");
    if (none > 0)
        iv_result_legend(out, "%zu item%s no label and %s excluded.", none,
                         none == 1 ? " has" : "s have", none == 1 ? "is" : "are");
    for (size_t k = 0; k < v->assessor_count && v->wide; k++)
        iv_list(&judges, "%s", v->assessors[k]);
    if (v->wide)
        IV_SAY_AGREE(out, v->excluded != NULL ? "agree.excluded" : "agree.columns", 1,
                    .text = { iv_listed(&judges), v->excluded });
    IV_SAY_AGREE(out, "agree.folded", v->folded);
    if (v->cannot > 0)
        iv_result_legend(out, "%zu label%s -1 (could not be judged) and missing.", v->cannot,
                         v->cannot == 1 ? " is" : "s are");
    return IV_OK;
}

/* -------------------------------------------------------------- assessors -- */

static int describe_assessors(panel *p, iv_result *out, iv_err *err)
{
    const iv_assessments *v = p->v;
    const size_t n = v->assessor_count;
    assessor_row *rows = iv_take(p->own, n, sizeof *rows);

    IV_TRY(iv_taken(p->own, err));
    for (uint32_t k = 0; k < n; k++) {
        double mean = 0.0, agreement = 0.0, without = (double)NAN;
        size_t items = 0, shared = 0;
        for (size_t i = 0; i < v->item_count; i++)
            for (size_t j = v->starts[i]; j < v->starts[i + 1]; j++) {
                if (v->assessor[j] != k)
                    continue;
                const size_t others = v->starts[i + 1] - v->starts[i] - 1;
                size_t alike = 0;
                for (size_t l = v->starts[i]; l < v->starts[i + 1]; l++)
                    alike += l != j && v->label[l] == v->label[j];
                items++;
                mean += v->values != NULL ? v->values[v->label[j]] : 0.0;
                shared += others > 0;
                agreement += others > 0 ? (double)alike / (double)others : 0.0;
            }
        iv_ratings r;
        iv_agreement a;
        iv_err ignored;
        IV_TRY(ratings_of(&r, p, k, err));
        if (n > 2 && iv_alpha_of(&a, &r, p->q->scale, (double)NAN, &ignored) == IV_OK)
            without = a.is.value;
        /* 0 / 0 where there is none */
        rows[k] = (assessor_row){ v->assessors[k], items, shared, mean / (double)items,
                                  agreement / (double)shared, without };
    }
    IV_TABLE(out, "assessors", iv_agree_assessor_fields, rows, n,
             .with = (v->values != NULL ? NUMBERS : 0) | (n > 2 ? SEVERAL : 0));
    return IV_OK;
}

/* ------------------------------------------------------------------ pairs -- */

/* Items that both labelled, topic by topic. */
static int pairs_of(iv_label_pairs *out, panel *p, uint32_t a, uint32_t b, iv_label_pair *at,
                    size_t *starts)
{
    const iv_assessments *v = p->v;
    size_t used = 0, units = 0;

    starts[0] = 0;
    for (size_t t = 0; t < v->topic_count; t++) {
        for (size_t i = v->topic_starts[t]; i < v->topic_starts[t + 1]; i++) {
            uint32_t by_a = IV_NO_LABEL, by_b = IV_NO_LABEL;
            for (size_t k = v->starts[i]; k < v->starts[i + 1]; k++) {
                by_a = v->assessor[k] == a ? v->label[k] : by_a;
                by_b = v->assessor[k] == b ? v->label[k] : by_b;
            }
            if (by_a != IV_NO_LABEL && by_b != IV_NO_LABEL)
                at[used++] = (iv_label_pair){ by_a, by_b, 1.0 };
        }
        if (used > starts[units])
            starts[++units] = used;
    }
    units = iv_agreement_units(starts, units);
    *out = (iv_label_pairs){ at, starts, units, v->label_count };
    return used > 0;
}

static int compare_pairs(panel *p, iv_result *out, iv_err *err)
{
    const iv_assessments *v = p->v;
    const size_t n = v->assessor_count;
    kappa_row *rows = iv_take(p->own, n * n / 2 + 1, sizeof *rows);
    iv_label_pair *at = iv_take(p->own, v->item_count, sizeof *at);
    size_t *starts = iv_take(p->own, v->topic_count + 2, sizeof *starts), count = 0, few = 0;
    size_t apart = 0, constant = 0;

    IV_TRY(iv_taken(p->own, err));
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            iv_label_pairs both;
            if (!pairs_of(&both, p, a, b, at, starts)) {
                apart++;
                continue;
            }
            iv_agreement x;
            IV_TRY(iv_kappa_of(&x, NULL, &both, p->q->weights, p->confidence, err));
            if (p->step != 0.0)
                x.is.lower = x.is.upper = (double)NAN;
            rows[count++] = (kappa_row){ v->assessors[a], v->assessors[b], x.items, x.apart,
                                         x.agreement, x.expected, x.is };
            few += x.few && isfinite(x.is.lower);
            constant += x.constant;
        }
    IV_TABLE(out, "kappas", iv_agree_kappa_fields, rows, count,
             .drawn = { "kappa", "lower", "upper" });
    if (count > 1)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "kappas", .title = "Pairs of assessors",
            .caption = "A point is Cohen's kappa of two assessors. The line is its interval.",
            .label = "a", .against = "b", .value = "kappa", .lower = "lower", .upper = "upper" });
    IV_SAY_AGREE(out, "agree.few-kappa", few,
                 { iv_caution_at(IV_FEW_RARE_LABELS), iv_caution_at(IV_FEW_DISAGREEMENTS) });
    IV_SAY_AGREE(out, constant < count ? "agree.some-constant" : "agree.constant", constant);
    IV_SAY_AGREE(out, "agree.apart", apart);
    return IV_OK;
}

/* ----------------------------------------------------------------- sentence -- */

/* Two assessors with whole-number grades whose ranges differ by the same step at both ends, and who
 * agree far more once that is taken off: the step, b less a; 0: none. */
static double shift_of(panel *p)
{
    const iv_assessments *v = p->v;
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };

    if (v->assessor_count != 2 || !v->whole)
        return 0.0;
    for (size_t k = 0; k < v->starts[v->item_count]; k++) {
        const double x = v->values[v->label[k]];
        low[v->assessor[k]] = fmin(low[v->assessor[k]], x);
        high[v->assessor[k]] = fmax(high[v->assessor[k]], x);
    }
    const double step = low[1] - low[0];
    for (size_t i = 0; i < v->item_count; i++) {
        if (v->starts[i + 1] - v->starts[i] != 2)
            continue;
        const size_t x = v->starts[i];
        const double d = (v->values[v->label[x + 1]] - v->values[v->label[x]])
            * (v->assessor[x] == 0 ? 1.0 : -1.0);
        p->with += d == step;
        p->without += d == 0.0;
        p->items++;
    }
    return step == high[1] - high[0] && high[0] > low[0] && p->items >= 5
            && 2 * p->with > p->items && p->with > 2 * p->without ? step : 0.0;
}

static void say_answer(panel *p, iv_result *out, const iv_agreement *a)
{
    char span[IV_SPAN_SIZE];

    (void)iv_span(span, p->confidence, a->is.lower, a->is.upper);
    if (p->step != 0.0)
        iv_result_answer(out, "The grades of %s look shifted by %g against %s: they agree on %zu "
                         "of %zu items, and on %zu if the shift is removed. Recode the grades "
                         "first.",
                         p->v->assessors[1], p->step, p->v->assessors[0], p->without,
                         p->items, p->with);
    else if (isfinite(a->is.value))
        iv_result_answer(out, "Krippendorff's alpha (%s) of %zu assessors is %.3f%s on %s "
                         "item%s.", iv_label_scale_names()[a->scale], p->v->assessor_count,
                         a->is.value, span, IV_COUNT(a->items), iv_plural(a->items));
    else
        iv_result_answer(out, "Alpha is undefined: all %zu labels of %zu item%s are the same.",
                         a->labels, a->items, iv_plural(a->items));
}

static void note_alpha(panel *p, iv_result *out, const iv_agreement *a)
{
    enum { GRADES = 5 };
    iv_listing words = { .most = 5 };
    double number;

    if (p->q->scale == IV_SCALE_BY_LABELS && a->scale == IV_SCALE_ORDINAL
        && p->v->label_count > GRADES)
        IV_SAY_AGREE(out, "agree.codes", p->v->label_count);
    for (uint32_t k = 0; k < p->v->label_count; k++)
        if (!iv_scan_real(&number, iv_str_of(p->v->labels[k])))
            iv_list_quoted(&words, iv_str_of(p->v->labels[k]));
    if (p->q->scale == IV_SCALE_BY_LABELS && words.count < p->v->label_count)
        IV_SAY_AGREE(out, "agree.words", words.count, { p->v->label_count },
                    .text = { iv_listed(&words) });
    IV_SAY_AGREE(out, "agree.reversed", p->v->assessor_count == 2 && a->is.value < -0.2
                && a->is.upper < 0.0, .text = { p->v->assessors[0], p->v->assessors[1] });
    IV_SAY_AGREE(out, "agree.weights", p->q->weights != IV_KAPPA_PLAIN,
                .text = { iv_label_scale_names()[a->scale] });
    if (isfinite(a->is.value) && !(a->is.se > 0.0))
        IV_SAY_AGREE(out, "agree.no-alpha-interval", 1,
                    .text = { a->apart == 0    ? "no disagreement was seen"
                              : a->is.se == 0.0 ? "it is the same without any one item"
                                                : "it is undefined without some item" });
    if (a->few && isfinite(a->is.lower))
        IV_SAY_AGREE(out, "agree.few-alpha", a->rare + 1, { (double)a->apart });
    if (p->v->has_topics && p->v->topic_count > 1 && a->units == a->items)
        iv_result_legend(out, "Fewer than %d topics: intervals are for this fixed set of topics.",
                         IV_ALPHA_UNITS);
}

static int panel_answer(panel *p, iv_result *out, iv_err *err)
{
    iv_ratings r;
    iv_agreement a;

    if (p->v->assessor_count < 2)
        return iv_fail_at(err, IV_EARG, p->q->assessors, 0, "one assessor, '%.80s', expected two "
                          "or more", p->v->assessors[0]);
    IV_TRY(ratings_of(&r, p, SIZE_MAX, err));
    IV_TRY(iv_alpha_of(&a, &r, p->q->scale, p->confidence, err));
    p->step = shift_of(p);
    if (p->step != 0.0) /* no interval of what is not meant */
        a.is.lower = a.is.upper = (double)NAN;
    const alpha_row row = { iv_label_scale_names()[a.scale], a.is, a.agreement, a.expected,
                            p->v->assessor_count, a.items, a.labels, a.apart, a.rare };
    IV_TABLE(out, "alpha", iv_agree_alpha_fields, &row, 1, .drawn = { "alpha", "lower", "upper" });
    IV_TRY(describe_assessors(p, out, err));
    if (p->v->label_count <= 1000)
        IV_TRY(compare_pairs(p, out, err));
    IV_TRY(find_majority(p, out, err));
    say_answer(p, out, &a);
    note_alpha(p, out, &a);
    iv_result_used(out, "alpha");
    iv_result_used(out, p->q->weights != IV_KAPPA_PLAIN ? "weighted-kappa" : "kappa");
    iv_result_used_with(out, "jackknife", " with Student's t");
    iv_result_assumption(out, "The items labelled by two or more assessors are a random "
                         "sample of those of interest.");
    return IV_OK;
}

int iv_agree_assessors(iv_result *out, const iv_agree_question *q, const iv_work *work,
                       iv_err *err)
{
    iv_csv *table = NULL;
    panel p = { .q = q, .own = iv_result_own(out),
                .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };

    if (q->source.runs.count + q->source.ranked_count > 0)
        return iv_fail(err, IV_EARG, "a table of assessors scores no runs; give the labels of "
                       "each as a file beside a reference: REFERENCE LABELS... RUN...");
    IV_TRY(iv_csv_load(&table, q->assessors, work, err));
    IV_TRY(iv_assessments_of(&p.v, iv_result_own(out), table, err));
    iv_result_input(out, q->assessors, p.v->bytes);
    return panel_answer(&p, out, err);
}
