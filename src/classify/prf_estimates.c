/* SPDX-License-Identifier: Apache-2.0 */
/* Every metric of every system: of its categories, and averaged. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "classify/prf_making.h"
#include "stat/interval_methods.h"
#include "stat/prf/prf_draws.h"
#include "stat/prf/prf_posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds x, unless it is not wanted. */
static int add(iv_prf_making *k, iv_prf_estimate x, const char *what, const iv_prf_exact *exact,
               iv_err *err)
{
    const size_t n = k->out.estimate_count;

    x.system = k->out.systems[x.system_at].name;
    x.metric = iv_prf_keep_name(k, x.kind, what);
    if (x.metric == NULL)
        return iv_no_memory(err);
    if (!iv_prf_wanted(k, x.metric))
        return IV_OK;
    if (!IV_ARENA_ROOM(&k->texts, k->out.estimates, k->estimate_room, n)
        || !IV_ARENA_ROOM(&k->texts, k->exact, k->exact_room, n))
        return iv_no_memory(err);
    k->exact[n] = exact != NULL ? *exact : (iv_prf_exact){ .counts = { -1, 0, 0, 0 } };
    k->out.estimates[k->out.estimate_count++] = x;
    return IV_OK;
}

/* The first so many metrics of a category or class. */
static int add_category(iv_prf_making *k, size_t system, const iv_prf_counts *c, const char *what,
                        size_t metrics, iv_err *err)
{
    iv_prf_exact p = { .counts = *c };

    IV_TRY(iv_prf_update(&p.cells, k->out.prior, c, err));
    for (size_t i = 0; i < metrics; i++) {
        p.metric = k->metrics[i];
        IV_TRY(add(k, (iv_prf_estimate){ .system_at = system, .kind = p.metric,
                                         .value = iv_prf_value(p.metric, c) }, what, &p, err));
    }
    return IV_OK;
}

/* Of binary labels the first class is the rest. */
static iv_prf_counts class_counts(const iv_prf_making *k, size_t system, size_t klass)
{
    const iv_prf_system *s = &k->out.systems[system];
    const iv_prf_counts c = s->categories[s->count > 1 ? klass : 0].counts;

    return s->count == 1 && klass == 0 ? (iv_prf_counts){ c.tn, c.fn, c.fp, c.tp } : c;
}

static size_t class_count(const iv_prf_making *k, size_t system)
{
    return k->out.classes[0] != NULL ? 2 : k->out.systems[system].count;
}

/* ------------------------------------------------------------- averages -- */

/* Classes of one confusion matrix: an error is the FP of one and the FN of another. */
static bool is_one_matrix(const iv_prf_system *s)
{
    uint64_t fp = 0, fn = 0, items = 0; /* sums of counts up to 2^62 are compared, not used */

    for (size_t c = 0; c < s->count; c++) {
        fp += (uint64_t)s->categories[c].counts.fp;
        fn += (uint64_t)s->categories[c].counts.fn;
        items += (uint64_t)s->categories[c].counts.tp + (uint64_t)s->categories[c].counts.fn;
    }
    for (size_t c = 0; c < s->count; c++) {
        const iv_prf_counts *n = &s->categories[c].counts;
        if (n->tn >= 0 && (uint64_t)n->tp + (uint64_t)n->fp + (uint64_t)n->fn + (uint64_t)n->tn
            != items)
            return false;
    }
    const bool mirrored = s->count == 2 && s->categories[0].counts.tn == s->categories[1].counts.tp;
    return (s->count > 2 || mirrored) && fp == fn && fp > 0;
}

/* Right answers of all items, one proportion however many classes there are; of two, each answer
 * has two cells of the prior. */
static iv_prf_exact accuracy_of(const iv_prf_making *k, size_t system)
{
    const double cells = class_count(k, system) == 2 ? 2.0 : 1.0;
    int64_t right = 0, wrong = 0;

    for (size_t c = 0; c < class_count(k, system); c++) {
        right += class_counts(k, system, c).tp;
        wrong += class_counts(k, system, c).fn;
    }
    return (iv_prf_exact){
        { .tp = (double)right + cells * k->out.prior.right,
          .fp = (double)wrong + cells * k->out.prior.wrong, .fn = 1.0, .tn = 1.0 },
        { IV_PRF_PRECISION, 0.0 }, { right, wrong, 0, 0 } };
}

static int add_micro_pooled(iv_prf_making *k, size_t system, iv_err *err)
{
    const iv_prf_system *s = &k->out.systems[system];
    iv_prf_counts sum = { 0, 0, 0, -1 };
    iv_prf_exact p = { .counts = { -1, 0, 0, 0 } }; /* categories have rates of their own */

    for (size_t c = 0; c < s->count; c++) {
        sum.tp += s->categories[c].counts.tp;
        sum.fp += s->categories[c].counts.fp;
        sum.fn += s->categories[c].counts.fn;
    }
    IV_TRY(iv_prf_update(&p.cells, k->out.prior, &sum, err));
    for (size_t i = 0; i < k->averaged; i++) {
        p.metric = k->metrics[i];
        IV_TRY(add(k, (iv_prf_estimate){ .system_at = system, .kind = p.metric,
                                         .average = IV_PRF_MICRO,
                                         .value = iv_prf_value(p.metric, &sum) }, "micro", &p,
                   err));
    }
    return IV_OK;
}

/* Every micro average is accuracy. */
static int add_micro_accuracy(iv_prf_making *k, size_t system, iv_err *err)
{
    const iv_prf_exact p = accuracy_of(k, system);
    iv_prf_estimate x = { .system_at = system, .average = IV_PRF_MICRO,
                          .value = (double)p.counts.tp / (double)(p.counts.tp + p.counts.fp),
                          .kind = { IV_PRF_ACCURACY, 0.0 } };

    if (k->out.multiclass)
        IV_TRY(add(k, x, NULL, &p, err));
    for (size_t i = 0; i < k->averaged; i++) {
        x.kind = k->metrics[i];
        IV_TRY(add(k, x, "micro", &p, err));
    }
    return IV_OK;
}

static int average_one(iv_interval *out, const iv_prf_making *k, size_t system,
                       iv_prf_average average, iv_prf_metric metric, iv_err *err)
{
    const iv_prf_system *s = &k->out.systems[system];

    if (k->items.items > 0)
        return iv_prf_average_labels(out, &k->items, system, average, metric,
                                     k->out.confidence, err);
    const iv_prf_counts **each = calloc(s->count, sizeof *each);
    if (each == NULL)
        return iv_no_memory(err);
    for (size_t c = 0; c < s->count; c++)
        each[c] = &s->categories[c].counts;
    *out = iv_prf_average_categories(each, s->count, metric, k->out.confidence);
    free(each);
    return IV_OK;
}

static int add_average(iv_prf_making *k, size_t system, iv_prf_average average,
                       iv_prf_metric metric, iv_err *err)
{
    iv_interval a;

    IV_TRY(average_one(&a, k, system, average, metric, err));
    return add(k, (iv_prf_estimate){ .system_at = system, .kind = metric, .average = average,
                                     .value = a.value, .se = a.se, .df = a.df, .lower = a.lower,
                                     .upper = a.upper, .jackknifed = true },
               average == IV_PRF_WEIGHTED ? "weighted" : "macro", NULL, err);
}

/* Macro averages of metrics, and of classes weighted ones.  Macro recall of two classes is balanced
 * accuracy, weighted recall accuracy. */
static int add_averages(iv_prf_making *k, size_t system, size_t metrics, bool classes, iv_err *err)
{
    iv_prf_exact known[2] = { { .metric = { IV_PRF_BALANCED_ACCURACY, 0.0 },
                                .counts = k->out.systems[system].categories[0].counts },
                              accuracy_of(k, system) };

    IV_TRY(iv_prf_update(&known[0].cells, k->out.prior, &known[0].counts, err));
    for (size_t i = 0; i < (classes ? 2 : 1) * metrics; i++) {
        const bool weighted = i >= metrics;
        const iv_prf_average average = weighted ? IV_PRF_WEIGHTED : IV_PRF_MACRO;
        const iv_prf_metric metric = k->metrics[i % metrics];
        const double value = iv_prf_value(known[weighted].metric, &known[weighted].counts);
        if (metric.kind == IV_PRF_RECALL && !isnan(value) && (weighted || k->items.classes == 2))
            IV_TRY(add(k, (iv_prf_estimate){ .system_at = system, .kind = metric,
                                             .average = average, .value = value },
                       weighted ? "weighted" : "macro", &known[weighted], err));
        else
            IV_TRY(add_average(k, system, average, metric, err));
    }
    return IV_OK;
}

/* -------------------------------------------------------------- intervals -- */

/* A value of exactly 0 or 1 lies in its interval. */
static void set_limits(iv_prf_estimate *x, double lower, double upper)
{
    const iv_limits c = iv_prf_hold_end((iv_limits){ lower, upper }, x->kind, x->value);

    x->lower = c.lower;
    x->upper = c.upper;
}

static int summarise(iv_prf_estimate *x, const iv_prf_evaluation *e, iv_err *err)
{
    double *copy = malloc(x->drawn * sizeof *copy);

    if (copy == NULL)
        return iv_no_memory(err);
    memcpy(copy, x->draws, x->drawn * sizeof *copy);
    const iv_interval s = iv_summarise_draws(copy, x->drawn, e->confidence);
    free(copy);
    x->mean = s.value;
    set_limits(x, s.lower, s.upper);
    return IV_OK;
}

static void guarantee(iv_prf_estimate *x, const iv_prf_exact *p, double confidence)
{
    iv_limits c = { NAN, NAN };

    /* Macro averages follow, from all categories; of MCC and utility there are none. */
    if (x->kind.kind < IV_PRF_MCC && !x->jackknifed && p->counts.tp >= 0)
        c = iv_prf_guaranteed(&p->counts, p->metric, confidence);
    x->lower = c.lower;
    x->upper = c.upper;
}

/* Balanced accuracy is (1 + R - Q) / 2 of recall R and the false positive rate Q, independent
 * betas: its mean and equal tails are exact. */
static int balance(iv_prf_estimate *x, const iv_prf_cells *c, const iv_prf_evaluation *e,
                   iv_err *err)
{
    iv_posterior r, q;
    iv_interval gap;
    double unused;

    iv_posterior_beta(&r, c->tp, c->fn);
    iv_posterior_beta(&q, c->fp, c->tn);
    IV_TRY(iv_posterior_compare(&unused, &gap, &r, &q, e->confidence, err));
    x->mean = 0.5 * (1.0 + gap.value);
    set_limits(x, 0.5 * (1.0 + gap.lower), 0.5 * (1.0 + gap.upper));
    return IV_OK;
}

static int describe_one(iv_prf_making *k, iv_prf_estimate *x, size_t i, iv_err *err)
{
    x->mode = NAN;
    if (x->jackknifed) {
        x->mean = NAN;
        return IV_OK;
    }
    if (k->exact[i].metric.kind == IV_PRF_BALANCED_ACCURACY)
        return balance(x, &k->exact[i].cells, &k->out, err);
    if (x->draws != NULL)
        return summarise(x, &k->out, err);
    iv_posterior_prf(&k->posteriors[i], &k->exact[i].cells, k->exact[i].metric);
    const iv_limits c = iv_posterior_interval(&k->posteriors[i], k->out.confidence);
    x->posterior = &k->posteriors[i];
    x->mean = x->posterior->mean;
    x->mode = iv_posterior_mode(x->posterior);
    set_limits(x, c.lower, c.upper);
    return IV_OK;
}

static int describe(void *user, void *memory, size_t i, iv_err *err)
{
    iv_prf_making *k = user;

    (void)memory;
    IV_TRY(describe_one(k, &k->out.estimates[i], i, err));
    if (k->out.guaranteed)
        guarantee(&k->out.estimates[i], &k->exact[i], k->out.confidence);
    return IV_OK;
}

/* A macro average lies between the means of limits that hold all together. */
static void guarantee_macro(iv_prf_making *k)
{
    for (size_t i = 0; i < k->out.estimate_count; i++) {
        iv_prf_estimate *x = &k->out.estimates[i];
        const size_t count = class_count(k, x->system_at);
        if (x->average != IV_PRF_MACRO || !x->jackknifed)
            continue;
        x->lower = x->upper = 0.0;
        for (size_t c = 0; c < count; c++) {
            const iv_prf_counts one = class_counts(k, x->system_at, c);
            const iv_limits l = iv_prf_guaranteed(&one, x->kind, 1.0 - (1.0 - k->out.confidence)
                                                                       / (double)count);
            x->lower += l.lower / (double)count;
            x->upper += l.upper / (double)count;
        }
    }
}

static int add_system(iv_prf_making *k, size_t system, iv_err *err)
{
    const size_t categories = k->out.systems[system].count;
    const bool matrix = !k->out.multiclass && is_one_matrix(&k->out.systems[system]);
    const bool utility = k->metrics[k->metric_count - 1].kind == IV_PRF_UTILITY;

    k->out.one_matrix = k->out.one_matrix || matrix;
    for (size_t c = 0; c < categories; c++) { /* of several, those that have averages */
        const iv_prf_entry *x = &k->out.systems[system].categories[c];
        const bool brief = x->counts.tn < 0
            || (categories > 1 && k->wanted.count == 0 && !utility);
        if (utility && x->counts.tn < 0)
            return iv_fail(err, IV_EARG, "a utility needs TN, which %s does not have",
                           k->out.systems[system].name);
        IV_TRY(add_category(k, system, &x->counts, x->category,
                            brief ? k->averaged : k->metric_count, err));
    }
    if (k->out.classes[0] != NULL) {
        for (size_t c = 0; c < 2; c++) {
            const iv_prf_counts of = class_counts(k, system, c);
            IV_TRY(add_category(k, system, &of, k->out.classes[c], 3, err));
        }
        return add_averages(k, system, 3, true, err);
    }
    if (categories < 2)
        return IV_OK;
    IV_TRY(k->out.multiclass || matrix ? add_micro_accuracy(k, system, err)
                                       : add_micro_pooled(k, system, err));
    return add_averages(k, system, k->averaged, k->out.multiclass, err);
}

/* Draws of what has no closed form: balanced accuracy, MCC and utility.  Systems on the same items
 * have the same stream: equal ones are drawn alike. */
static int draw_estimates(iv_prf_making *k, const iv_work *work, iv_err *err)
{
    for (size_t i = 0; i < k->out.estimate_count; i++) {
        iv_prf_estimate *x = &k->out.estimates[i];
        iv_stage stage;
        if (x->kind.kind < IV_PRF_BALANCED_ACCURACY || x->jackknifed)
            continue;
        double *draws = iv_take(&k->texts, k->out.draws, sizeof *draws);
        IV_TRY(iv_taken(&k->texts, err));
        IV_TRY(iv_prf_draw(draws, &k->exact[i].cells, &x->kind, 1, k->out.draws,
                           (uint32_t)(k->items.items > 0 ? 0 : x->system_at),
                           iv_work_nth(&stage, work, i, k->out.estimate_count), err));
        x->draws = draws;
        x->drawn = k->out.draws;
    }
    return IV_OK;
}

/* Every metric of every system. */
static int prf_make_estimates(iv_prf_making *k, const iv_work *work, iv_err *err)
{
    iv_stage stage;

    for (size_t s = 0; s < k->out.system_count; s++)
        IV_TRY(add_system(k, s, err));
    IV_TRY(draw_estimates(k, iv_work_part(&stage, work, 0.0, 0.5), err));
    k->posteriors = iv_take(&k->texts, k->out.estimate_count + 1, sizeof *k->posteriors);
    IV_TRY(iv_taken(&k->texts, err));
    IV_TRY(iv_parallel(&(iv_loop){ k->out.estimate_count, describe, k, NULL },
                       iv_work_part(&stage, work, 0.5, 1.0), err));
    if (k->out.guaranteed)
        guarantee_macro(k);
    return IV_OK;
}

/* Counts or labels -> metrics, averages and comparisons. */

/* ---------------------------------------------------------------- options -- */

/* Precision, recall, F1, F of the betas; then those that need TN. */
static int list_metrics(iv_prf_making *k, const iv_reals *beta, const iv_reals *utility,
                        iv_err *err)
{
    size_t n = 3;

    if (utility->count != 0 && utility->count != 4)
        return iv_fail(err, IV_EARG, "%zu values of a utility, expected those of a TP, FP, FN and "
                       "TN", utility->count);
    k->metrics = iv_take(&k->texts, beta->count + 8, sizeof *k->metrics);
    IV_TRY(iv_taken(&k->texts, err));
    k->metrics[0].kind = IV_PRF_PRECISION;
    k->metrics[1].kind = IV_PRF_RECALL;
    k->metrics[2] = (iv_prf_metric){ IV_PRF_F, 1.0 };
    for (size_t i = 0; i < beta->count; i++) {
        bool there = false;
        if (!(beta->at[i] >= 0.01 && beta->at[i] <= 100.0))
            return iv_fail(err, IV_EARG, "beta %g, expected 0.01 to 100", beta->at[i]);
        for (size_t m = 2; m < n; m++)
            there = there || k->metrics[m].beta == beta->at[i];
        if (!there)
            k->metrics[n++] = (iv_prf_metric){ IV_PRF_F, beta->at[i] };
    }
    k->averaged = n;
    for (int more = IV_PRF_SPECIFICITY; more <= IV_PRF_MCC; more++)
        k->metrics[n++].kind = (iv_prf_kind)more;
    if (utility->count == 4) {
        k->metrics[n].kind = IV_PRF_UTILITY;
        memcpy(k->metrics[n++].worth, utility->at, 4 * sizeof *utility->at);
    }
    k->metric_count = n;
    return IV_OK;
}

static int take_options(iv_prf_making *k, const iv_prf_options *o, iv_err *err)
{
    iv_prf_evaluation *e = &k->out;

    if (o->prior.count > 2 || o->draws < 0)
        return iv_fail(err, IV_EARG, "%zu numbers of a prior and %lld draws, expected 2 at most "
                       "and not below 0", o->prior.count, (long long)o->draws);
    if (o->prior.count > 0)
        e->prior = (iv_prf_prior){ o->prior.at[0], o->prior.at[o->prior.count - 1] };
    e->guaranteed = o->guaranteed;
    e->confidence = o->confidence;
    e->draws = (size_t)o->draws;
    k->wanted = o->metrics;
    IV_TRY(iv_prf_check_prior(&e->prior, err));
    IV_TRY(iv_check_confidence(&e->confidence, err));
    IV_TRY(iv_prf_check_draws(&e->draws, err));
    return list_metrics(k, &o->beta, &o->utility, err);
}

/* What no list, choice or number can be. */
static int check_parts(const iv_prf_input *in, const iv_prf_options *o, iv_err *err)
{
    IV_TRY(iv_check_given(in, "what to evaluate", err));
    IV_TRY(IV_CHECK(in, err, IV_LIST_OF(iv_prf_input, entries, entry_count, LIST, "system"),
                    IV_PART_OF(iv_prf_input, counts, TEXTS, "text of counts"),
                    IV_PART_OF(iv_prf_input, files, PATHS, "file of counts")));
    for (size_t i = 0; i < in->entry_count; i++)
        IV_TRY(iv_check_given(in->entries[i].system, "the name of a system", err));
    return IV_CHECK(o, err, IV_PART_OF(iv_prf_options, prior, REALS, "number of the prior"),
                    IV_PART_OF(iv_prf_options, beta, REALS, "beta"),
                    IV_PART_OF(iv_prf_options, utility, REALS, "value of the utility"),
                    IV_PART_OF(iv_prf_options, metrics, TEXTS, "metric"));
}

static int check(const iv_prf_input *in, const iv_prf_options *o, iv_err *err)
{
    const bool labels = in->labels != NULL || in->labelled != NULL;
    const bool counts = in->counts.count + in->files.count + in->entry_count > 0;
    const char *why = NULL;

    if (o->compare && o->paired)
        why = "compare is for different items, paired for the same: give one of them";
    else if (o->compare && labels)
        why = "compare treats systems as independent, but systems in a file of labels have the "
              "same items: use paired";
    else if (o->paired && !labels && in->counts.count == 0)
        why = "paired needs to know who was right on which item: give labels, or counts of items "
              "that only one of two got right, N1:N2:N";
    else if (in->labels == NULL && (in->labels_as.positive != NULL || in->labels_as.classes != NULL
                                    || in->labels_as.systems.count > 0))
        why = "positive, classes and columns of systems need a file of labels";
    else if (o->guaranteed && (o->compare || o->paired))
        why = "guaranteed limits are those of one system's metrics: a comparison has none";
    else if (labels && counts)
        why = "counts and labels cannot be given together";
    else if (!labels && !counts)
        why = "nothing to evaluate: give counts TP,FP,FN, a file of counts, or labels";
    return why == NULL ? IV_OK : iv_fail(err, IV_EARG, "%s", why);
}

static int make(iv_prf_making *k, const iv_prf_input *input, const iv_prf_options *o,
                const iv_work *work, iv_err *err)
{
    iv_stage part;

    k->one = (iv_work){ .threads = 1, .seed = iv_work_seed(work) };
    IV_TRY(check(input, o, err));
    IV_TRY(take_options(k, o, err));
    IV_TRY(iv_prf_read(k, input, o->paired, work, err));
    const bool counts = k->out.alone_count > 0; /* of pairs, and nothing else */
    const bool paired = o->paired || (o->pair_two && k->items.items > 0
                                      && k->out.system_count == 2 && !o->guaranteed);
    k->out.compared = o->compare || paired;
    if (counts)
        IV_TRY(iv_prf_make_alone(k, err));
    else if (k->out.compared && k->out.system_count < 2)
        return iv_fail(err, IV_EARG, "a comparison needs two systems; there is one");
    IV_TRY(prf_make_estimates(k, iv_work_part(&part, work, 0.0, k->out.compared ? 0.5 : 1.0),
                              err));
    (void)iv_work_part(&part, work, 0.5, 1.0);
    return o->compare ? iv_prf_make_different(k, &part.work, err)
        : paired && !counts ? iv_prf_make_same(k, &part.work, err) : IV_OK;
}

int iv_prf_evaluate(iv_prf_evaluation **out, const iv_prf_input *input,
                    const iv_prf_options *options, const iv_work *work, iv_err *err)
{
    IV_TRY(check_parts(input, options, err));
    static const iv_prf_options usual = { .draws = 0 };
    iv_prf_making *k = calloc(1, sizeof *k);
    const int rc = k == NULL ? iv_no_memory(err)
        : make(k, input, options != NULL ? options : &usual, work, err);

    if (rc == IV_OK)
        *out = &k->out;
    else
        iv_prf_evaluation_free((iv_prf_evaluation *)k);
    return rc;
}

double iv_prf_least(const iv_prf_evaluation *e)
{
    enum { MOST = 40 }; /* some milliseconds each */
    const iv_prf_making *k = (const iv_prf_making *)e;
    double least = 1.0;
    size_t looked = 0;

    for (size_t i = 0; i < e->estimate_count && looked < MOST && !e->guaranteed; i++) {
        const iv_prf_estimate *x = &e->estimates[i];
        if (x->posterior == NULL || x->average != IV_PRF_ONE)
            continue;
        least = fmin(least, iv_prf_least_coverage(&k->exact[i].counts, x->kind, e->prior,
                                                  e->confidence, x->lower, x->upper));
        looked++;
    }
    return least;
}

void iv_prf_evaluation_free(iv_prf_evaluation *e)
{
    iv_prf_making *k = (iv_prf_making *)e;

    if (k == NULL)
        return;
    for (size_t i = 0; i < k->out.system_count; i++)
        free(k->out.systems[i].categories);
    free(k->out.systems);
    iv_ids_free(&k->names);
    free(k->out.pairs);
    free(k->out.best);
    free(k->out.alone);
    iv_labels_free(k->owned);
    iv_arena_free(&k->texts);
    free(k);
}
