/* SPDX-License-Identifier: Apache-2.0 */
/* Counts or labels -> metrics, averages and comparisons. */
#include "estimate/prf_making.h"

#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"

/* ---------------------------------------------------------------- options -- */

/* Precision, recall, F1, F of the betas; then those that need TN. */
static int list_metrics(iv_prf_making *k, const iv_reals *beta, iv_err *err)
{
    size_t n = 3;

    k->metrics = calloc(beta->count + 7, sizeof *k->metrics);
    if (k->metrics == NULL)
        return iv_no_memory(err);
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
    int rc = iv_prf_check_prior(&e->prior, err);
    if (rc == IV_OK)
        rc = iv_check_confidence(&e->confidence, err);
    if (rc == IV_OK)
        rc = iv_prf_check_draws(&e->draws, err);
    return rc == IV_OK ? list_metrics(k, &o->beta, err) : rc;
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
    else if (labels && (counts || (in->labels != NULL && in->labelled != NULL)))
        why = "counts and labels cannot be given together";
    else if (!labels && !counts)
        why = "nothing to evaluate: give counts TP,FP,FN, a file of counts, or labels";
    return why == NULL ? IV_OK : iv_fail(err, IV_EARG, "%s", why);
}

int iv_prf_evaluate(iv_prf_evaluation **out, const iv_prf_input *input,
                    const iv_prf_options *options, const iv_work *work, iv_err *err)
{
    IV_TRY(check_parts(input, options, err));
    static const iv_prf_options usual = { .draws = 0 };
    const iv_prf_options *o = options != NULL ? options : &usual;
    iv_prf_making *k = calloc(1, sizeof *k);
    iv_stage part;
    int rc = k != NULL ? check(input, o, err) : iv_no_memory(err);

    if (rc == IV_OK)
        rc = take_options(k, o, err);
    if (rc == IV_OK)
        rc = iv_prf_read(k, input, o->paired, work, err);
    const bool counts = rc == IV_OK && k->out.alone_count > 0; /* of pairs, and nothing else */
    if (counts)
        rc = iv_prf_make_alone(k, err);
    const bool paired = o->paired
        || (rc == IV_OK && o->pair_two && k->items.items > 0 && k->out.system_count == 2
            && !o->guaranteed);
    const bool compared = o->compare || paired;
    if (rc == IV_OK && compared && !counts && k->out.system_count < 2)
        rc = iv_fail(err, IV_EARG, "a comparison needs two systems; there is one");
    if (rc == IV_OK)
        rc = iv_prf_make_estimates(k, iv_work_part(&part, work, 0.0, compared ? 0.5 : 1.0), err);
    if (rc == IV_OK && o->compare)
        rc = iv_prf_make_different(k, iv_work_part(&part, work, 0.5, 1.0), err);
    if (rc == IV_OK && paired && !counts)
        rc = iv_prf_make_same(k, iv_work_part(&part, work, 0.5, 1.0), err);
    if (rc == IV_OK) {
        k->out.compared = compared;
        *out = &k->out;
    } else
        iv_prf_evaluation_free((iv_prf_evaluation *)k);
    return rc;
}

void iv_prf_evaluation_free(iv_prf_evaluation *e)
{
    iv_prf_making *k = (iv_prf_making *)e;

    if (k == NULL)
        return;
    for (size_t i = 0; i < k->out.system_count; i++)
        free(k->systems[i].categories);
    for (size_t i = 0; i < k->posterior_count; i++)
        iv_posterior_free(k->posteriors[i]);
    free(k->confusion);
    free(k->systems);
    iv_ids_free(&k->names);
    free(k->estimates);
    free(k->pairs);
    free(k->best);
    free(k->alone);
    free(k->inputs);
    free(k->notes);
    free(k->posteriors);
    free(k->exact);
    free(k->metrics);
    iv_labels_free(k->owned);
    iv_arena_free(&k->texts);
    free(k);
}
