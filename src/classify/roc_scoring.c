/* SPDX-License-Identifier: Apache-2.0 */
/* What roc says of two classes and of more: reading, areas and differences in words, the gate. */
#include "base/err.h"
#include "base/names.h"
#include "classify/classify_messages.h"
#include "intervale/classify.h"
#include "classify/prf_claims.h"
#include "classify/roc_scoring.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/claims.h"
#include "result/methods.h"
#include "result/wording.h"
#include "stat/pair_tests.h"
#include "stat/scored/scored.h"
#include "trec/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SYSTEMS = 1000 };

const iv_field iv_roc_measure_fields[] = {
    { "system", IV_AT(iv_roc_value, system), .about = "name of the system" },
    { "measure", IV_AT(iv_roc_value, name), .about = "what is measured" },
    { "value", IV_AT(iv_roc_value, is.value), .digits = 4, .about = "value on these items" },
    { "se", IV_AT(iv_roc_value, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(iv_roc_value, is., 4),
    { NULL } };

const iv_field iv_roc_pair_fields[] = {
    { "a", IV_AT(iv_roc_difference, a), .about = "a system" },
    { "b", IV_AT(iv_roc_difference, b), .about = "another system" },
    { "measure", IV_AT(iv_roc_difference, measure),
      .about = "measure compared; with several classes, AUC is the macro average" },
    { "difference", IV_AT(iv_roc_difference, is.value), .digits = 4, .about = "difference a - b" },
    { "se", IV_AT(iv_roc_difference, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error (for AUC, DeLong's)" },
    IV_LIMITS(iv_roc_difference, is., 4),
    { "p", IV_AT(iv_roc_difference, p), .digits = 4,
      .about = "p-value of no difference: DeLong's test for AUC, paired t test for losses" },
    { "p_holm", IV_AT(iv_roc_difference, p_holm), .digits = 4, .shown = IV_ROC_MANY,
      .about = "p-value, corrected for all pairs (Holm)" },
    { NULL } };

int iv_roc_read_scores(iv_scored_system *systems, const size_t *columns, size_t count,
                       const iv_csv *t, const iv_roc_scoring *s, iv_err *err)
{
    const size_t items = iv_csv_rows(t);
    char quoted[IV_QUOTE_SIZE];

    for (size_t k = 0; k < count; k++) {
        double *scores = iv_take(s->own, items, sizeof *scores);
        systems[k].name = iv_arena_copy(s->own, iv_csv_column(t, columns[k]));
        systems[k].scores = scores;
        IV_TRY(iv_taken(s->own, err));
        for (size_t i = 0; i < items; i++) {
            const iv_str cell = iv_csv_cell(t, i, columns[k]);
            if (iv_csv_is_missing(cell))
                return iv_fail_at(err, IV_EPARSE, s->path, iv_csv_line(t, i), "the score of %s is "
                                  "missing, expected one of each item", systems[k].name);
            if (!iv_scan_real(&scores[i], cell))
                return iv_fail_at(err, IV_EPARSE, s->path, iv_csv_line(t, i), "the score %s of %s, "
                                  "expected a number"
                                  IV_HINT("; --system names systems, --columns group=NAME "
                                          "groups"),
                                  iv_quote(quoted, cell), systems[k].name);
        }
    }
    return IV_OK;
}

/* Each pair of them is compared. */
int iv_roc_check_count(const iv_roc_scoring *s, const iv_csv *t, iv_err *err)
{
    return s->count <= MOST_SYSTEMS ? IV_OK
        : iv_fail_at(err, IV_EPARSE, t != NULL ? s->path : NULL, t != NULL ? 1 : 0, "%zu systems, "
                     "each pair of which is compared, expected %d at most: name those that matter"
                     IV_HINT(" (--system)"), s->count, MOST_SYSTEMS);
}

double iv_roc_percent(const iv_roc_question *q)
{
    return 100.0 * (q->confidence == 0.0 ? 0.95 : q->confidence);
}

/* Holm's correction over the pairs of one measure, which have a p. */
int iv_roc_correct(iv_roc_difference *pairs, size_t count, iv_arena *own, iv_err *err)
{
    double *p = iv_take(own, count + 1, sizeof *p);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < count; i++)
        p[i] = pairs[i].p;
    IV_TRY(iv_adjust(p, p, count, IV_CORRECT_HOLM, err));
    for (size_t i = 0; i < count; i++)
        pairs[i].p_holm = p[i];
    return IV_OK;
}

/* The AUC of a system; of several classes the macro average. */
const iv_roc_value *iv_roc_auc(const iv_roc_scoring *s, size_t k)
{
    return s->said != NULL ? &s->said[k].rows[s->said[k].count]
                           : &s->measures[k * (s->measure_count / s->count)];
}

/* The first of those with the highest AUC, and how many others have it. */
const iv_roc_value *iv_roc_highest(const iv_roc_scoring *s, size_t *others)
{
    const iv_roc_value *best = iv_roc_auc(s, 0);

    *others = 0;
    for (size_t k = 1; k < s->count; k++) {
        const double above = iv_roc_auc(s, k)->is.value - best->is.value;
        *others = above > 1e-12 ? 0 : *others + (above > -1e-12);
        best = above > 1e-12 ? iv_roc_auc(s, k) : best;
    }
    return best;
}

/* Which of the others the best is significantly better than, and by how much. */
static void say_ahead(iv_wording *w, const iv_roc_scoring *s, const char *best)
{
    const size_t others = s->count - 1;
    const char *name[2] = { "", "" }; /* the last that is beside it, and behind it */
    double least = INFINITY, most = 0.0;
    size_t n = 0;

    for (size_t i = 0; i < s->pair_count; i++) {
        const iv_roc_difference *p = &s->pairs[i];
        if (p->a != best && p->b != best)
            continue;
        const bool behind = p->p_holm < 1.0 - iv_roc_percent(s->q) / 100.0;
        name[behind] = p->a == best ? p->b : p->a;
        least = behind ? fmin(least, fabs(p->is.value)) : least;
        most = behind ? fmax(most, fabs(p->is.value)) : most;
        n += behind;
    }
    if (n == 0)
        iv_say(w, " No difference between %s and the others is significant", best);
    else if (n == 1)
        iv_say(w, " %s is significantly better than %s, by %.3f, but not than %s", best, name[1],
               most, others == 2 ? name[0] : "the others");
    else
        iv_say(w, " %s is significantly better than %s%s others, by %.3f to %.3f", best,
               n < others ? IV_COUNT(n) : "", n < others ? " of the" : n == 2 ? "both" : "all",
               least, most);
    iv_say(w, " (Holm's correction for %zu pairs).", s->pair_count);
}

/* The best of several, and how far it is ahead. */
void iv_roc_say_highest(iv_result *out, const iv_roc_scoring *s, const char *what)
{
    size_t others;
    const iv_roc_value *best = iv_roc_highest(s, &others);
    char equals[IV_EQUALS_SIZE], span[IV_SPAN_SIZE];
    iv_wording w = { .len = 0 };

    iv_say(&w, "%s%s %s the highest %s of %zu systems, %.3f%s.", best->system,
           iv_say_equals(equals, others, NULL), others > 0 ? "have" : "has", what, s->count,
           best->is.value, iv_span(span, 0.01 * iv_roc_percent(s->q), best->is.lower,
                                   best->is.upper));
    say_ahead(&w, s, best->system);
    iv_result_answer(out, "%s", w.at);
}

/* That no system is worse than the baseline, or the first, by more than the margin, by one-sided
 * limits of all candidates at once: if this is claimed, it is the answer. */
int iv_roc_gate(iv_result *out, iv_wording *w, const iv_roc_scoring *s, const char *first,
                iv_err *err)
{
    const iv_roc_question *q = s->q;
    const char *baseline = q->baseline != NULL ? q->baseline : first;
    const double margin = q->margin == IV_ZERO ? 0.0 : q->margin, c = iv_roc_percent(q) / 100.0;
    const char *measure = q->measure != NULL ? q->measure : "AUC";
    size_t found = 0, candidates = s->count - 1;

    if (!q->not_worse)
        return IV_OK;
    for (size_t i = 0; i < s->compared * s->pair_count; i++) {
        iv_roc_difference *p = &s->pairs[i];
        const bool turned = strcmp(p->a, baseline) == 0;
        const char *other = turned ? p->b : p->a;
        if (strcmp(p->measure, measure) != 0
            || (!turned && strcmp(p->b, baseline) != 0))
            continue;
        /* The gain over the baseline: of a loss the other way round. */
        const double sign = (turned ? -1.0 : 1.0) * (strcmp(measure, "AUC") != 0 ? -1.0 : 1.0);
        const double gain = sign * p->is.value, half = p->is.se > 0.0
            ? iv_t_isf((1.0 - c) / (double)candidates, p->is.df) * p->is.se : (double)NAN;
        iv_claim k = { .kind = IV_CLAIM_NOT_WORSE, .measure = measure, .system = other,
                       .baseline = baseline, .bound = margin, .estimate = gain, .method = "delong",
                       .lower = gain - half, .upper = gain + half, .p = NAN, .p_contrary = NAN,
                       .level = (1.0 - c) / (double)candidates, .items = (double)s->items };
        if (strcmp(measure, "AUC") == 0 && s->said == NULL)
            IV_TRY(iv_roc_claim(&k, &p->is, &p->p, turned, s->systems, s->count, s->positive,
                                s->items, err));
        iv_claim_gain(out, w, &k, c, candidates);
        found++;
    }
    if (found == 0)
        return iv_fail(err, IV_EARG, "no pair of the baseline '%.80s' by %.40s, expected a system "
                       "and a measure of table 'pairs'", baseline, measure);
    const double rate = iv_gate_error(IV_GATE_CRASHES, (double)s->positives);
    IV_CLASSIFY(out, "roc.gate-error", rate > 0.0 && strcmp(measure, "AUC") == 0
                && iv_result_has_verdict(NULL, NULL, out) == IV_VERDICT_SHOWN, { rate });
    IV_TRY(iv_roc_correct(s->pairs, s->pair_count, s->own, err)); /* AUC's may have changed */
    if (candidates > 1)
        iv_result_used_with(out, "bonferroni", " for %zu candidates", candidates);
    return IV_OK;
}

int iv_roc_add_misranked(iv_roc_scoring *s, const iv_scored_items *items, iv_err *err)
{
    double n;

    IV_TRY(iv_auc_misranked(&n, items, err));
    s->misranked = fmin(s->misranked, n);
    return IV_OK;
}

void iv_roc_warn_misranked(iv_result *out, const iv_roc_scoring *s)
{
    char number[32];

    (void)snprintf(number, sizeof number, "%.1f", s->misranked);
    IV_CLASSIFY(out, "roc.few", s->misranked < iv_caution_at(IV_FEW_MISRANKED), .text = { number });
}

iv_roc_difference iv_roc_pair(const char *a, const char *b, const char *measure,
                              const iv_interval *x)
{
    return (iv_roc_difference){ a, b, measure, *x, .p = iv_scored_p(x), .p_holm = NAN };
}

/* The sentence about one difference. */
void iv_roc_say_difference(iv_result *out, const iv_roc_difference *p, const char *what,
                           double a, double b, double percent)
{
    const iv_interval *x = &p->is;
    const bool clear = x->lower > 0.0 || x->upper < 0.0;
    iv_wording w = { .len = 0 };

    iv_say(&w, "%s: %.4f for %s and %.4f for %s. The difference ", what, a, p->a, b, p->b);
    if (isnan(x->lower)) {
        iv_say(&w, "has no interval.");
    } else {
        iv_say(&w, "of %.4f (%.10g %% interval %.4f to %.4f, ", x->value, percent, x->lower,
               x->upper);
        iv_say_p(&w, p->p, NULL);
        iv_say(&w, ") is %ssignificant.", clear ? "" : "not ");
    }
    iv_result_answer(out, "%s", w.at);
}

/* The methods of the limits of AUC: an area without a variance has Newcombe's. */
void iv_roc_say_areas(iv_result *out, const iv_roc_scoring *s)
{
    const iv_roc_value *rows = s->said != NULL ? s->rows : s->measures;
    const size_t count = s->said != NULL ? s->row_count : s->measure_count;
    size_t with = 0, without = 0;

    for (size_t i = 0; i < count; i++) {
        if (isnan(rows[i].is.lower)
            || (s->said == NULL && strcmp(rows[i].name, "AUC")))
            continue;
        *(rows[i].is.se > 0.0 ? &with : &without) += 1;
    }
    if (with > 0)
        iv_result_used(out, "logit-delong");
    if (without > 0)
        iv_result_used(out, "newcombe");
}
