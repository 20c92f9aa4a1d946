/* SPDX-License-Identifier: Apache-2.0 */
/* agree, of several assessors: alpha, pairs of them, the majority. */
#include <math.h>
#include <string.h>

#include "answer/assessor_parts.h"
#include "answer/run_notes.h"
#include "base/listing.h"

typedef struct alpha_row {
    iv_alpha is;
    size_t assessors;
} alpha_row;

static const iv_field alpha_fields[] = {
    { "scale", IV_AT(alpha_row, is.scale), .names = iv_label_scale_names,
      .about = "what a disagreement counts: nominal, all alike; ordinal, by the labels between; "
               "interval, by the squared distance" },
    { "alpha", IV_AT(alpha_row, is.is.value), .digits = 3, .about = "Krippendorff's" },
    { "lower", IV_AT(alpha_row, is.is.lower), .digits = 3, .about = "of its interval" },
    { "upper", IV_AT(alpha_row, is.is.upper), .digits = 3, .about = "of its interval" },
    { "se", IV_AT(alpha_row, is.is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    { "agreement", IV_AT(alpha_row, is.agreement), .digits = 3,
      .about = "share of pairs of labels of an item that are the same" },
    { "expected", IV_AT(alpha_row, is.expected), .digits = 3, .about = "the same by chance" },
    { "assessors", IV_AT(alpha_row, assessors), .about = "who gave labels" },
    { "items", IV_AT(alpha_row, is.items), .about = "with two labels or more" },
    { "labels", IV_AT(alpha_row, is.labels), .about = "that these have" },
    { "apart", IV_AT(alpha_row, is.apart), .about = "items on which not all agree" },
    { "rare", IV_AT(alpha_row, is.rare), .audience = IV_FOR_PROGRAMS,
      .about = "items whose label is not the commonest, on average over assessors" },
    { NULL } };

typedef struct assessor_row {
    const char *assessor;
    size_t items, shared;
    double mean, agreement, without;
} assessor_row;

enum { NUMBERS = 1, SEVERAL = 2 };

static const iv_field assessor_fields[] = {
    { "assessor", IV_AT(assessor_row, assessor), .about = "the name" },
    { "items", IV_AT(assessor_row, items), .about = "labelled" },
    { "shared", IV_AT(assessor_row, shared), .about = "of these, labelled by others too" },
    { "mean", IV_AT(assessor_row, mean), .digits = 3, .needs = NUMBERS, .about = "of the labels" },
    { "agreement", IV_AT(assessor_row, agreement), .digits = 3,
      .about = "share of the others' labels of the same items that are the same" },
    { "alpha_without", IV_AT(assessor_row, without), .digits = 3, .needs = SEVERAL,
      .about = "Krippendorff's alpha of the others" },
    { NULL } };

typedef struct kappa_row {
    const char *a, *b;
    iv_kappa is;
} kappa_row;

static const iv_field kappa_fields[] = {
    { "a", IV_AT(kappa_row, a), .about = "an assessor" },
    { "b", IV_AT(kappa_row, b), .about = "another" },
    { "items", IV_AT(kappa_row, is.items), .about = "that both labelled" },
    { "agreement", IV_AT(kappa_row, is.agreement), .digits = 3,
      .about = "share on which they say the same" },
    { "expected", IV_AT(kappa_row, is.expected), .digits = 3, .about = "the same by chance" },
    { "kappa", IV_AT(kappa_row, is.is.value), .digits = 3, .about = "Cohen's" },
    { "lower", IV_AT(kappa_row, is.is.lower), .digits = 3, .about = "of its interval" },
    { "upper", IV_AT(kappa_row, is.is.upper), .digits = 3, .about = "of its interval" },
    { "apart", IV_AT(kappa_row, is.apart), .about = "items on which they disagree" },
    { NULL } };

typedef struct majority_row {
    iv_str topic, item;
    const char *label;
    size_t votes, of;
    bool tie;
} majority_row;

enum { WITH_TOPICS = 1 };

static const iv_field majority_fields[] = {
    { "topic", IV_AT(majority_row, topic), .needs = WITH_TOPICS, .about = "of the item" },
    { "item", IV_AT(majority_row, item), .about = "its name" },
    { "label", IV_AT(majority_row, label),
      .about = "that most gave; of several the lowest (of words the first)" },
    { "votes", IV_AT(majority_row, votes), .about = "assessors who gave it" },
    { "labels", IV_AT(majority_row, of), .about = "assessors who gave one" },
    { "tie", IV_AT(majority_row, tie), .about = "1: another label has as many" },
    { NULL } };

/* --------------------------------------------------------------- together -- */

/* The commonest label of an item. */
static iv_majority vote(const iv_assessments_view *v, size_t item)
{
    iv_majority m = { IV_NO_LABEL, 0, 0, false };

    for (size_t i = v->starts[item]; i < v->starts[item + 1]; i++) {
        size_t votes = 0;
        m.of++;
        for (size_t k = v->starts[item]; k < v->starts[item + 1]; k++)
            votes += v->at[k].label == v->at[i].label;
        if (v->at[i].label == m.label)
            continue;
        if (votes > m.votes || (votes == m.votes && v->at[i].label < m.label)) {
            m.tie = votes == m.votes;
            m.label = v->at[i].label;
            m.votes = votes;
        } else {
            m.tie = m.tie || votes == m.votes;
        }
    }
    return m;
}

uint32_t iv_panel_label(const iv_judge_panel *p, size_t by, size_t item)
{
    for (size_t i = p->v->starts[item]; i < p->v->starts[item + 1]; i++)
        if (p->v->at[i].assessor == by)
            return p->v->at[i].label;
    return p->majority[item].label;
}

const char *iv_panel_name(const iv_judge_panel *p, size_t by)
{
    return by < p->v->assessor_count ? p->v->assessors[by] : "majority";
}

/* The labels of all but one, as alpha takes them. */
static int ratings_of(iv_ratings *r, iv_judge_panel *p, size_t but, iv_err *err)
{
    const iv_assessments_view *v = p->v;
    uint32_t *label = iv_take(&p->memory, v->starts[v->item_count], sizeof *label);
    size_t *starts = iv_take(&p->memory, v->item_count + 1, sizeof *starts), used = 0;

    IV_TRY(iv_taken(&p->memory, err));
    for (size_t item = 0; item < v->item_count; item++) {
        for (size_t i = v->starts[item]; i < v->starts[item + 1]; i++)
            if (v->at[i].assessor != but)
                label[used++] = v->at[i].label;
        starts[item + 1] = used;
    }
    *r = (iv_ratings){ .label = label, .starts = starts, .items = v->item_count,
                       .unit_starts = v->has_topics ? v->topic_starts : NULL,
                       .units = v->topic_count, .labels = v->label_count, .value = v->values };
    return IV_OK;
}

static int find_majority(iv_judge_panel *p, iv_result *out, iv_err *err)
{
    const iv_assessments_view *v = p->v;
    majority_row *rows = iv_take(&p->memory, v->item_count, sizeof *rows);
    size_t ties = 0, single = 0, none = 0;
    iv_listing judges = { .most = 8 };

    p->majority = iv_take(&p->memory, v->item_count, sizeof *p->majority);
    IV_TRY(iv_taken(&p->memory, err));
    for (size_t i = 0; i < v->item_count; i++) {
        const iv_majority m = p->majority[i] = vote(v, i);
        rows[i] = (majority_row){ v->topics[v->topic[i]], v->items[i],
                                  m.of > 0 ? v->labels[m.label] : NULL, m.votes, m.of, m.tie };
        ties += m.tie;
        single += m.of == 1;
        none += m.of == 0;
    }
    (void)iv_result_rows(out, &(iv_rows){ "majority", majority_fields, rows, v->item_count,
                                          sizeof *rows, .with = v->has_topics ? WITH_TOPICS : 0,
                                          .showing = IV_LONG });
    if (ties > 0)
        iv_result_note(out, "on %zu of %zu items no label has a majority of its own: the %s of "
                       "those most often given is taken", ties, v->item_count,
                       v->values != NULL ? "lowest" : "first in the order of bytes");
    if (single > 0)
        iv_result_note(out, "%zu item%s one label only: %s nothing of agreement", single,
                       single == 1 ? " has" : "s have", single == 1 ? "it tells" : "they tell");
    if (none > 0)
        iv_result_note(out, "%zu item%s no label and %s left out", none,
                       none == 1 ? " has" : "s have", none == 1 ? "is" : "are");
    for (size_t k = 0; k < v->assessor_count && v->wide; k++)
        iv_list(&judges, "%s", v->assessors[k]);
    if (v->wide)
        iv_result_note(out, "columns taken for assessors, one each: %s", iv_listed(&judges));
    if (v->cannot > 0)
        iv_result_note(out, "%zu label%s -1, which means that it could not be judged: missing",
                       v->cannot, v->cannot == 1 ? " is" : "s are");
    return IV_OK;
}

/* -------------------------------------------------------------- assessors -- */

static int describe_assessors(iv_judge_panel *p, iv_result *out, iv_err *err)
{
    const iv_assessments_view *v = p->v;
    const size_t n = v->assessor_count;
    assessor_row *rows = iv_take(&p->memory, n, sizeof *rows);

    IV_TRY(iv_taken(&p->memory, err));
    for (uint32_t k = 0; k < n; k++) {
        assessor_row *x = &rows[k];
        *x = (assessor_row){ .assessor = v->assessors[k], .without = (double)NAN };
        for (size_t i = 0; i < v->item_count; i++)
            for (size_t j = v->starts[i]; j < v->starts[i + 1]; j++) {
                if (v->at[j].assessor != k)
                    continue;
                const size_t others = v->starts[i + 1] - v->starts[i] - 1;
                size_t alike = 0;
                for (size_t l = v->starts[i]; l < v->starts[i + 1]; l++)
                    alike += l != j && v->at[l].label == v->at[j].label;
                x->items++;
                x->mean += v->values != NULL ? v->values[v->at[j].label] : 0.0;
                x->shared += others > 0;
                x->agreement += others > 0 ? (double)alike / (double)others : 0.0;
            }
        x->mean = x->items > 0 ? x->mean / (double)x->items : (double)NAN;
        x->agreement = x->shared > 0 ? x->agreement / (double)x->shared : (double)NAN;
        iv_ratings r;
        iv_alpha a;
        iv_err ignored;
        IV_TRY(ratings_of(&r, p, k, err));
        if (n > 2 && iv_alpha_of(&a, &r, p->q->scale, p->confidence, &ignored) == IV_OK)
            x->without = a.is.value;
    }
    (void)iv_result_rows(out, &(iv_rows){ "assessors", assessor_fields, rows, n, sizeof *rows,
                                          .with = (v->values != NULL ? NUMBERS : 0)
                                                | (n > 2 ? SEVERAL : 0) });
    return IV_OK;
}

/* ------------------------------------------------------------------ pairs -- */

/* Items that both labelled, topic by topic. */
static int pairs_of(iv_label_pairs *out, iv_judge_panel *p, uint32_t a, uint32_t b, iv_label_pair *at,
                    size_t *starts)
{
    const iv_assessments_view *v = p->v;
    size_t used = 0, units = 0;

    starts[0] = 0;
    for (size_t t = 0; t < v->topic_count; t++) {
        for (size_t i = v->topic_starts[t]; i < v->topic_starts[t + 1]; i++) {
            uint32_t by_a = IV_NO_LABEL, by_b = IV_NO_LABEL;
            for (size_t k = v->starts[i]; k < v->starts[i + 1]; k++) {
                by_a = v->at[k].assessor == a ? v->at[k].label : by_a;
                by_b = v->at[k].assessor == b ? v->at[k].label : by_b;
            }
            if (by_a != IV_NO_LABEL && by_b != IV_NO_LABEL)
                at[used++] = (iv_label_pair){ by_a, by_b, 1.0 };
        }
        if (used > starts[units])
            starts[++units] = used;
    }
    /* As alpha does: few topics are no sample of any. */
    if (units < IV_ALPHA_UNITS) {
        starts[1] = used;
        units = used > 0;
    }
    *out = (iv_label_pairs){ at, starts, units, v->label_count };
    return used > 0;
}

static int compare_pairs(iv_judge_panel *p, iv_result *out, iv_err *err)
{
    const iv_assessments_view *v = p->v;
    const size_t n = v->assessor_count;
    kappa_row *rows = iv_take(&p->memory, n * n / 2 + 1, sizeof *rows);
    iv_label_pair *at = iv_take(&p->memory, v->item_count, sizeof *at);
    size_t *starts = iv_take(&p->memory, v->topic_count + 2, sizeof *starts), count = 0, few = 0;
    size_t apart = 0;

    IV_TRY(iv_taken(&p->memory, err));
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            iv_label_pairs both;
            if (!pairs_of(&both, p, a, b, at, starts)) {
                apart++;
                continue;
            }
            kappa_row *x = &rows[count++];
            *x = (kappa_row){ .a = v->assessors[a], .b = v->assessors[b] };
            IV_TRY(iv_kappa_of(&x->is, NULL, &both, p->q->weights, p->confidence, err));
            few += x->is.few;
        }
    (void)iv_result_rows(out, &(iv_rows){ "kappas", kappa_fields, rows, count, sizeof *rows,
                                          .drawn = { "kappa", "lower", "upper", 0.0, 0.0 } });
    if (count > 1)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "kappas", .title = "Pairs of assessors",
            .caption = "A point is Cohen's kappa of two assessors, the line its interval.",
            .label = "b", .value = "kappa", .lower = "lower", .upper = "upper" });
    if (few > 0)
        iv_result_note(out, "%zu of %zu kappas are of fewer than %d items, %d in the rarest label, or "
                       "%d disagreements (%d of quadratic weights): their intervals may not hold", few,
                       count, IV_KAPPA_ITEMS, IV_KAPPA_RARE, IV_KAPPA_APART,
                       IV_KAPPA_APART_SQUARED);
    if (apart > 0)
        iv_result_note(out, "%zu pair%s of assessors %s no item in common", apart,
                       iv_plural(apart), apart == 1 ? "has" : "have");
    return IV_OK;
}

/* ---------------------------------------------------------------- telling -- */

static void tell(iv_judge_panel *p, iv_result *out, const iv_alpha *a)
{
    char span[96] = "", changed[120] = "", by[300] = "";

    if (isfinite(a->is.lower))
        (void)snprintf(span, sizeof span, ", %.10g %% interval %.3f to %.3f", 100.0 * p->confidence,
                       a->is.lower, a->is.upper);
    if (p->run != NULL)
        (void)snprintf(by, sizeof by, "; %.40s of %.80s is %.4f by the majority, %.4f to %.4f by "
                       "single assessors", p->measure, p->run, p->by_majority, p->least, p->most);
    if (p->verdicts > 0)
        (void)snprintf(changed, sizeof changed, "; %zu of %zu verdicts of single assessors on "
                       "pairs of runs are not the majority's", p->changed, p->verdicts);
    if (isfinite(a->is.value))
        iv_result_answer(out, "Krippendorff's alpha of %zu assessors is %.3f (%s%s) on %zu item%s; "
                         "on %zu they disagree%s%s.", p->v->assessor_count, a->is.value,
                         iv_label_scale_names()[a->scale], span, a->items, iv_plural(a->items), a->apart, by,
                         changed);
    else
        iv_result_answer(out, "There is no alpha: all %zu labels of %zu item%s are the same.",
                         a->labels, a->items, iv_plural(a->items));
    if (a->few && isfinite(a->is.lower))
        iv_result_note(out, "%zu items with two labels or more, %zu of them not in the commonest "
                       "label: with fewer than %d, or %d, the interval may not hold", a->items,
                       a->rare, IV_KAPPA_ITEMS, IV_KAPPA_RARE);
    if (p->v->has_topics && p->v->topic_count > 1 && a->units == a->items)
        iv_result_note(out, "fewer than %d topics: intervals are over items, and speak of these "
                       "topics only", IV_ALPHA_UNITS);
    if (a->expected > 0.8 && isfinite(a->is.value))
        iv_result_note(out, "chance alone agrees on %.0f %% of items, since one label is common: "
                       "alpha and kappa are low then though assessors say the same on %.0f %%",
                       100.0 * a->expected, 100.0 * a->agreement);
    iv_result_legend(out, "alpha is 1 - disagreement seen / disagreement by chance, over items "
                     "that have two labels or more");
}

static int panel_answer(iv_judge_panel *p, iv_result *out, const iv_work *work, iv_err *err)
{
    iv_ratings r;
    alpha_row row = { .assessors = p->v->assessor_count };

    if (p->v->assessor_count < 2)
        return iv_fail_at(err, IV_EARG, p->q->assessors, 0, "one assessor, '%.80s', expected two "
                          "or more", p->v->assessors[0]);
    IV_TRY(ratings_of(&r, p, SIZE_MAX, err));
    IV_TRY(iv_alpha_of(&row.is, &r, p->q->scale, p->confidence, err));
    (void)iv_result_rows(out, &(iv_rows){ "alpha", alpha_fields, &row, 1, sizeof row,
                                          .drawn = { "alpha", "lower", "upper", 0.0, 0.0 } });
    IV_TRY(describe_assessors(p, out, err));
    if (p->v->label_count <= 1000)
        IV_TRY(compare_pairs(p, out, err));
    IV_TRY(find_majority(p, out, err));
    IV_TRY(iv_panel_runs(p, out, work, err));
    IV_TRY(iv_panel_recall(p, out, work, err));
    tell(p, out, &row.is);
    iv_result_method(out, "Intervals are from leaving out one topic after another, or one item "
                     "where topics are few: Jeffreys' limits of as many independent items as would "
                     "vary as much.");
    iv_result_assumption(out, "Items, and topics, with several labels are a random sample of those "
                         "that matter.");
    return IV_OK;
}

int iv_agree_assessors(iv_result *out, const iv_agree_question *q, const iv_work *work,
                       iv_err *err)
{
    iv_assessments *a = NULL;
    iv_judge_panel p = { .q = q, .confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence };

    IV_TRY(iv_assessments_load(&a, q->assessors, work, err));
    p.v = iv_assessments_of(a);
    iv_result_input(out, q->assessors, p.v->bytes);
    const int rc = panel_answer(&p, out, work, err);
    iv_arena_free(&p.memory);
    iv_assessments_free(a);
    return rc;
}
