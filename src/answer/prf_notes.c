/* SPDX-License-Identifier: Apache-2.0 */
/* How the numbers were found, and what is odd about them. */
#include <math.h>

#include "answer/prf_parts.h"
#include "answer/run_notes.h"
#include "base/listing.h"
#include "stat/prf/prf_state.h"

/* "'x' in 'y'", one of those that share something. */
static void gather(iv_listing *l, const char *name, const char *joined, const char *of)
{
    char quoted[2][IV_QUOTE_SIZE];

    (void)iv_quote(quoted[0], iv_str_of(name));
    if (of == NULL)
        iv_list(l, "%s", quoted[0]);
    else
        iv_list(l, "%s %s %s", quoted[0], joined, iv_quote(quoted[1], iv_str_of(of)));
}

enum { FEW = 10 };

/* Items of the class that has fewest, and errors of the system that has. */
static void find_fewest(int64_t *items, int64_t *errors, const iv_prf_evaluation *e)
{
    *items = *errors = INT64_MAX;
    for (size_t s = 0; s < e->system_count; s++) {
        int64_t wrong = 0;
        for (size_t c = 0; c < e->systems[s].count; c++) {
            const iv_prf_counts *n = &e->systems[s].categories[c].counts;
            *items = n->tp + n->fn < *items ? n->tp + n->fn : *items;
            wrong += n->fn;
        }
        *errors = wrong < *errors ? wrong : *errors;
    }
}

/* Where intervals of averages over classes hold less than they say, by simulation. */
static void tell_few(iv_result *out, const iv_prf_evaluation *e)
{
    const size_t categories = e->systems[0].count;
    int64_t items, errors, named = INT64_MAX;

    for (size_t c = 0; c < categories; c++) {
        const iv_prf_counts *n = &e->systems[0].categories[c].counts;
        named = n->tp + n->fp + n->fn < named ? n->tp + n->fp + n->fn : named;
    }
    if (!e->multiclass && categories > 2 && !e->guaranteed && named < 20)
        iv_result_note(out, "the smallest of %zu categories has %lld item%s: intervals of their macro "
                       "averages may hold less often than they say (.90 to .98 of 95 %% ones with "
                       "10 a category)", categories, (long long)named, iv_plural((size_t)named));
    if (!e->multiclass || categories < 3)
        return;
    find_fewest(&items, &errors, e);
    if (items == 0)
        iv_result_note(out, "a class has no items: averages over classes have room for any value of "
                       "classes without one");
    else if (items < FEW)
        iv_result_note(out, "the smallest class has %lld item%s: intervals of averages over classes "
                       "may hold less often than they say (.90 to .97 of 95 %% ones with fewer "
                       "than %d)", (long long)items, iv_plural((size_t)items), (int)FEW);
    if (errors < FEW)
        iv_result_note(out, "%lld item%s wrong: intervals of averages over classes hold more or less "
                       "often than they say, as accuracy's do (.90 to .98 of 95 %% ones with fewer "
                       "than %d)", (long long)errors, errors == 1 ? " is" : "s are", (int)FEW);
}

static void tell(iv_result *out, iv_listing *l, const char *what)
{
    if (l->count > 0)
        iv_result_note(out, "%s: %s", iv_listed(l), what);
}

/* Counts that leave a metric without a value. */
static void tell_degenerate(iv_result *out, const iv_prf_evaluation *e)
{
    iv_listing silent = { .most = 4 }, irrelevant = silent, empty = silent;
    iv_listing no_negatives = silent, no_mcc = silent;

    for (size_t s = 0; s < e->system_count; s++) {
        for (size_t k = 0; k < e->systems[s].count; k++) {
            const iv_prf_counts *c = &e->systems[s].categories[k].counts;
            const char *name = e->systems[s].name, *of = e->systems[s].categories[k].name;
            if (c->tp + c->fp + c->fn == 0)
                gather(&empty, name, "in", of);
            else if (c->tp + c->fp == 0)
                gather(&silent, name, "in", of);
            else if (c->tp + c->fn == 0)
                gather(&irrelevant, name, "in", of);
            if (c->tn == 0 && c->fp == 0)
                gather(&no_negatives, name, "in", of);
            if (c->tn >= 0 && isnan(iv_prf_value((iv_prf_metric){ IV_PRF_MCC, 0.0 }, c)))
                gather(&no_mcc, name, "in", of);
        }
    }
    tell(out, &empty, "nothing returned and nothing relevant (TP = FP = FN = 0): precision, "
         "recall and F are 0/0 and have no value; their posterior is the prior");
    tell(out, &silent, "nothing returned (TP + FP = 0): precision is 0/0 and has no value; "
         "its posterior is the prior");
    tell(out, &irrelevant, "nothing relevant (TP + FN = 0): recall is 0/0 and has no value; "
         "its posterior is the prior");
    tell(out, &no_negatives, "no negatives (TN + FP = 0): specificity is 0/0 and has no "
         "value; its posterior is the prior");
    tell(out, &no_mcc, "MCC is 0/0 and has no value, since a row or a column of the "
         "confusion matrix is empty; it has a posterior");
}

/* The least coverage among what is shown: of which metric, and of whom. */
typedef struct least_held {
    double coverage;
    const iv_prf_estimate *of;
} least_held;

enum { MOST_LOOKED_AT = 40 }; /* some milliseconds each */

/* Of estimates of one category; of averages nobody knows. */
static least_held find_least(const iv_prf_evaluation *e, const iv_texts *metrics)
{
    least_held least = { 1.0, NULL };
    size_t looked = 0;

    for (size_t i = 0; i < e->estimate_count && looked <= MOST_LOOKED_AT; i++) {
        const iv_prf_estimate *x = &e->estimates[i];
        const iv_prf_system *s = &e->systems[x->system_at];
        if (x->drawn > 0 || s->count != 1 || !iv_prf_named(metrics, x->metric))
            continue;
        const double held = iv_prf_least_coverage(&s->categories[0].counts, x->kind, e->prior,
                                                  e->confidence);
        looked += isnan(held) ? 0 : 1;
        if (held < least.coverage)
            least = (least_held){ held, x };
    }
    return looked > MOST_LOOKED_AT ? (least_held){ 1.0, NULL } : least;
}

static void tell_average(iv_result *out, const iv_prf_evaluation *e, const iv_texts *metrics)
{
    const bool known = e->interval == IV_INTERVAL_EQUAL && !e->earlier;
    const least_held least = known ? find_least(e, metrics) : (least_held){ 1.0, NULL };

    if (least.of != NULL)
        iv_result_legend(out, "the probability of an interval is on average over truths; with these "
                         "numbers of items it is at least %.3f, whatever the truth (%s of %s); "
                         "guaranteed limits hold it whatever the truth", least.coverage,
                         least.of->metric, least.of->system);
    else
        iv_result_legend(out, "the probability of an interval is on average over truths: for some "
                         "it holds less often (0.79 at the least for F1 of 20 items at 0.95); "
                         "guaranteed limits hold it whatever the truth");
}

/* A program that reads a table need not hear each time how it was made. */
static void tell_method(iv_result *out, const iv_prf_evaluation *e, const iv_texts *metrics,
                        bool drawn)
{
    const double right = e->prior.right, wrong = e->prior.wrong;
    char prior[120];

    if (right != wrong)
        (void)snprintf(prior, sizeof prior, "prior %g added to TP and TN, %g to FP and FN",
                       right, wrong);
    else if (right == 0.5)
        (void)snprintf(prior, sizeof prior, "prior 1/2 added to each (Jeffreys)");
    else
        (void)snprintf(prior, sizeof prior, "prior %g added to each%s", right,
                       right == 1.0 ? " (uniform)" : "");
    if (e->guaranteed)
        iv_result_legend(out, "limits: Clopper and Pearson's, which hold their confidence whatever the "
                         "truth; a macro average's hold for all categories together; of MCC and "
                         "of micro averages over categories there are none");
    iv_result_legend(out, "method: Dirichlet posterior of the counts, %s%s, %s; exact%s%s%s", prior,
                     e->earlier ? " and earlier counts" : "",
                     e->guaranteed ? "for mean and mode alone"
                     : e->interval == IV_INTERVAL_EQUAL ? "equal tails" : "highest density",
                     drawn ? " but for what is drawn" : "",
                     e->compared ? "; difference is the posterior mean of a - b" : "",
                     e->compared && e->interval != IV_INTERVAL_EQUAL
                         ? ", and its interval has equal tails" : "");
    if (e->systems[0].count > 2 && !e->guaranteed && !e->earlier)
        iv_result_legend(out, "%s are no such posterior: each is a share with a beta distribution, of as "
                         "many items as its %s error speaks of%s",
                         e->multiclass ? "averages over classes" : "macro averages",
                         e->multiclass ? "jackknifed" : "linearised",
                         e->multiclass ? "; weighted recall and micro averages are accuracy, one share"
                                       : "");
    if (!e->guaranteed && !e->compared)
        tell_average(out, e, metrics);
}

void iv_prf_notes(iv_result *out, const iv_prf_evaluation *e, const iv_prf_question *q)
{
    iv_listing no_hump = { .most = 4 };
    double ends = -1.0, probability = -1.0; /* the largest errors; below 0: none is drawn */

    for (size_t i = 0; i < e->estimate_count; i++) {
        const iv_prf_estimate *x = &e->estimates[i];
        if (!iv_prf_named(&q->metrics, x->metric))
            continue;
        if (x->drawn > 0)
            ends = fmax(ends, fmax(x->lower_error, x->upper_error));
        if (x->no_hump)
            gather(&no_hump, x->metric, "of", x->system);
    }
    for (size_t i = 0; i < e->pair_count; i++)
        if (e->pairs[i].drawn > 0 && iv_prf_named(&q->metrics, e->pairs[i].metric))
            probability = fmax(probability, e->pairs[i].probability_error);
    for (size_t i = 0; i < e->notes.count; i++)
        iv_result_note(out, "%s", e->notes.at[i]);
    tell_method(out, e, &q->metrics, ends >= 0.0 || probability >= 0.0);
    tell_degenerate(out, e);
    tell(out, &no_hump, "the region of highest density is not one interval, so equal tails are "
         "given");
    if (ends >= 0.0)
        iv_result_note(out, "what has no closed form comes from %zu draws; the Monte Carlo "
                       "standard error of an interval's end is at most %.1g (table "
                       "monte_carlo)", e->draws, ends);
    if (e->multiclass)
        iv_result_note(out, "an item has one class: micro precision, recall and F are "
                       "accuracy, and macro recall is balanced accuracy");
    tell_few(out, e);
    if (probability >= 0.0)
        iv_result_note(out, "comparisons listed in table comparison_monte_carlo come from "
                       "%zu draws; the Monte Carlo standard error of a probability is at most "
                       "%.1g", e->draws, probability);
    if (q->how.compare)
        iv_result_note(out, "the systems are taken for evaluated on different items of the same "
                       "kind; if the items were the same, a paired comparison of their labels "
                       "is sharper");
}
