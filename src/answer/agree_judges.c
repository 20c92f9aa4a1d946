/* SPDX-License-Identifier: Apache-2.0 */
/* agree, of judges: how far does each agree with the reference, and which tells most about it? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/judge_tables.h"
#include "answer/run_notes.h"
#include "base/parallel.h"
#include "base/base_private.h"
#include "estimate/judge_private.h"
#include "trec/machine_private.h"
#include "trec/trec_private.h"

typedef struct judging {
    const iv_agree_question *q;
    iv_arena memory;
    iv_judgments *reference;
    iv_texts files, runs;
    const iv_work *one; /* of one judge */
    iv_judgments **labels;
    iv_judge **judges;
    iv_verdicts *verdicts;
    iv_told_judge *told;
    double confidence;
} judging;

static void end_judgments(void *j) { iv_judgments_free(j); }
static void end_judge(void *j) { iv_judge_free(j); }

/* Runs and labels, told by content. */
static int part_files(judging *g, const iv_work *work, iv_err *err)
{
    const iv_texts all = g->q->beside;
    const char **files = iv_take(&g->memory, all.count, sizeof *files);
    const char **runs = iv_take(&g->memory, all.count, sizeof *runs);

    IV_TRY(iv_taken(&g->memory, err));
    for (size_t i = 0; i < all.count; i++) {
        bool run = false;
        if (strcmp(all.at[i], "-") != 0)
            IV_TRY(iv_file_is_run(&run, all.at[i], work, err));
        if (run)
            runs[g->runs.count++] = all.at[i];
        else
            files[g->files.count++] = all.at[i];
    }
    g->files.at = files;
    g->runs.at = runs;
    if (g->files.count == 0)
        return iv_fail(err, IV_EARG, "no labels of a judge, expected a file beside the runs");
    return IV_OK;
}

static int one_judge(void *user, void *memory, size_t i, iv_err *err)
{
    judging *g = user;
    const iv_agree_question *q = g->q;
    const iv_judge_options how = { .level = q->level, .judge_level = q->judge_level,
                                   .weights = q->weights, .confidence = g->confidence };
    bool scored;

    (void)memory;
    IV_TRY(iv_machine_labels_load(&g->labels[i], &scored, g->files.at[i], IV_JUDGMENTS_ANY,
                                  &(iv_work){ .threads = 1 }, err));
    return iv_judge_new(&g->judges[i], g->reference, q->source.judgments, g->labels[i], scored,
                        g->files.at[i], &how, err);
}

/* The orders of the runs by the reference and by each judge. */
static int order_runs(judging *g, const iv_work *work, iv_err *err)
{
    iv_result *aside = NULL;

    if (g->runs.count == 0)
        return IV_OK;
    g->verdicts = iv_take(&g->memory, g->files.count, sizeof *g->verdicts);
    IV_TRY(iv_taken(&g->memory, err));
    IV_TRY(iv_result_new(&aside, "agree", err));
    int rc = IV_OK;
    for (size_t i = 0; rc == IV_OK && i < g->files.count; i++) {
        iv_agree_question one = *g->q;
        iv_stage stage;
        one.beside = (iv_texts){ NULL, 0 };
        one.source.judged = g->reference;
        one.source.runs = g->runs;
        one.other_judged = iv_judge_labels(g->judges[i]);
        one.judge_level = iv_judge_view(g->judges[i])->judge_level;
        if (one.judge_level == 0)
            one.judge_level = IV_ZERO;
        rc = iv_verdicts_of(&g->verdicts[i], aside, &one,
                            iv_work_part(&stage, work, (double)i / (double)g->files.count,
                                         (double)(i + 1) / (double)g->files.count), err);
    }
    iv_result_free(aside);
    return rc;
}

static int by_worth(const void *va, const void *vb)
{
    const iv_told_judge *a = va, *b = vb;
    const double x = a->is->worth_graded.worth.value, y = b->is->worth_graded.worth.value;

    return x != y ? (x > y ? -1 : 1) : strcmp(a->name, b->name);
}

static int rank_judges(judging *g, iv_err *err)
{
    const size_t count = g->files.count;
    size_t best = 0;

    g->told = iv_take(&g->memory, count, sizeof *g->told);
    IV_TRY(iv_taken(&g->memory, err));
    for (size_t i = 0; i < count; i++) {
        g->told[i] = (iv_told_judge){ iv_judge_name(&g->memory, g->files.at[i]),
                                      iv_judge_view(g->judges[i]), (double)NAN,
                                      g->verdicts != NULL ? &g->verdicts[i] : NULL };
        if (g->told[i].name == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        if (by_worth(&g->told[i], &g->told[best]) < 0)
            best = i;
    }
    for (size_t i = 0; i < count; i++)
        if (i != best)
            g->told[i].p_best = iv_judge_worse(g->judges[best], g->judges[i]);
    qsort(g->told, count, sizeof *g->told, by_worth);
    return IV_OK;
}

static void tell(const judging *g, iv_result *out)
{
    const iv_told_judge *best = &g->told[0];
    const iv_judged_by *x = best->is;
    const iv_over_units *k = &x->kappa.is, *w = &x->worth_graded.worth;
    char which[160] = "", span[96] = "", worth[80] = "", kappa[48] = "no kappa (all labels are "
                                                                     "the same)";
    size_t alike = 0;

    for (size_t i = 1; i < g->files.count; i++)
        alike += !(g->told[i].p_best <= 1.0 - g->confidence); /* without p, too */
    if (g->files.count > 1)
        (void)snprintf(which, sizeof which, "Of %zu judges %.60s is the most informative (%zu "
                       "not significantly less): ", g->files.count, best->name, alike);
    if (isfinite(k->lower))
        (void)snprintf(span, sizeof span, " (%.10g %% interval %.3f to %.3f)", 100.0 * g->confidence,
                       k->lower, k->upper);
    if (!isfinite(w->value))
        (void)snprintf(worth, sizeof worth, "all of the reference's are");
    else if (isfinite(w->lower) && isfinite(w->upper))
        (void)snprintf(worth, sizeof worth, "one of the reference's is worth %.2f (%.2f to %.2f)",
                       w->value, w->lower, w->upper);
    else
        (void)snprintf(worth, sizeof worth, "one of the reference's is worth %.2f", w->value);
    if (isfinite(k->value))
        (void)snprintf(kappa, sizeof kappa, "kappa %.3f", k->value);
    iv_result_answer(out, "%s%s%s on %zu pairs of %zu topic%s; where %s labels are known "
                     "for all documents, %s.", which, kappa, span, x->pairs, x->topics,
                     iv_plural(x->topics), g->files.count > 1 ? "its" : "the judge's", worth);
    if (g->files.count > 1)
        iv_result_note(out, "the most informative judge was chosen on these labels: its "
                       "worth is somewhat overstated, and so is what a correction by the same "
                       "labels gains");
    iv_result_legend(out, "relevant is grade %d and more of the reference, %d and more of the "
                     "first judge; worth is 1 / (1 - the proportion of the variance of the "
                     "reference's grades that the labels explain)", (int)x->level,
                     (int)x->judge_level);
    if (x->topics == 1)
        iv_result_note(out, "one topic: intervals are over documents, and speak of this topic "
                            "only");
}

static int judge_all(judging *g, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_source *source = &g->q->source;
    iv_stage stage;

    if (source->judgments == NULL)
        return iv_fail(err, IV_EARG, "no judgments were given");
    IV_TRY(part_files(g, work, err));
    IV_TRY(iv_judgments_load(&g->reference, source->judgments, source->judgments_format, work,
                             err));
    if (iv_own(&g->memory, g->reference, end_judgments) == NULL)
        return iv_taken(&g->memory, err);
    iv_result_input(out, source->judgments, iv_judgments_bytes(g->reference));
    const size_t count = g->files.count;
    g->labels = iv_take(&g->memory, count, sizeof *g->labels);
    g->judges = iv_take(&g->memory, count, sizeof *g->judges);
    IV_TRY(iv_taken(&g->memory, err));
    int rc = iv_parallel(&(iv_loop){ count, one_judge, g, NULL },
                         iv_work_part(&stage, work, 0.0, 0.3), err);
    for (size_t i = 0; i < count; i++) {
        const bool kept = (g->labels[i] == NULL
                           || iv_own(&g->memory, g->labels[i], end_judgments) != NULL);
        if (g->judges[i] != NULL && iv_own(&g->memory, g->judges[i], end_judge) == NULL)
            rc = iv_taken(&g->memory, err);
        if (!kept)
            rc = iv_taken(&g->memory, err);
        if (rc == IV_OK)
            iv_result_input(out, g->files.at[i], iv_judgments_bytes(g->labels[i]));
    }
    IV_TRY(rc);
    IV_TRY(order_runs(g, iv_work_part(&stage, work, 0.3, 1.0), err));
    return rank_judges(g, err);
}

int iv_agree_judges(iv_result *out, const iv_agree_question *q, const iv_work *work, iv_err *err)
{
    judging g = { .q = q, .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    const int rc = judge_all(&g, out, work, err);

    if (rc == IV_OK) {
        tell(&g, out);
        iv_judge_tables(out, &g.memory, g.told, g.files.count, IV_SHOWN);
        iv_judge_notes(out, g.told, g.files.count);
        iv_result_used(out, "kappa");
        iv_result_used_with(out, "jackknife", " with Student's t");
        iv_result_used(out, "korn-graubard");
        iv_result_used(out, "worth");
        if (g.verdicts != NULL)
            iv_result_used_with(out, "paired-t", " for pairs of runs");
        iv_result_assumption(out, "Topics are a random sample of those that matter, and the "
                             "judged documents one of theirs, with the probabilities the file "
                             "has.");
    }
    iv_arena_free(&g.memory);
    return rc;
}
