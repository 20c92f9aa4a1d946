/* SPDX-License-Identifier: Apache-2.0 */
/* prf -- precision, recall and F as distributions, and P(A beats B). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "command/prf_charts.h"
#include "command/prf_compare.h"

typedef struct args {
    opt_list counts, prior_counts;
    const char *labels, *positive, *classes;
    opt_numbers prior, beta;
    int interval;
    bool compare, paired;
    int64_t draws;
} args;

static const char *const intervals[] = { "equal", "hdi", NULL };

static const opt opts[] = {
    OPT_HEADING("Input"),
    OPT_LIST(args, 0, "counts", "[NAME=]TP,FP,FN[,TN]", counts,
             "counts of a system, or the name of a CSV file of them"),
    OPT_STR(args, 0, "labels", "FILE", labels,
            "labels of items: columns id, gold, and one a system; 0 and 1, or classes"),
    OPT_STR(args, 0, "positive", "LABEL", positive,
            "the label that is positive; all others are negative"),
    OPT_STR(args, 0, "classes", "A,B,...", classes,
            "the classes there are, also those gold never gives"),
    OPT_HEADING("Posterior"),
    OPT_NUMBERS(args, 0, "prior", "L or A,B", prior, 1, 2, 1e-6, 1e6,
                "added to the counts: L to all; or A to TP and TN, B to FP and FN"),
    OPT_LIST(args, 0, "prior-counts", "[NAME=]TP,FP,FN[,TN]", prior_counts,
             "counts of an earlier collection, whose posterior is the prior"),
    OPT_NUMBERS(args, 0, "beta", "B,...", beta, 1, 8, 0.01, 100.0,
                "F-beta for these beta, beside F1"),
    OPT_CHOICE(args, 0, "interval", "KIND", interval, intervals,
               "equal tails or highest density"),
    OPT_INT(args, 0, "draws", "N", draws, IV_PRF_DRAWS_MIN, IV_PRF_DRAWS_MAX,
            "draws for what has no closed form"),
    OPT_HEADING("Comparison"),
    OPT_FLAG(args, 0, "compare", compare,
             "compare systems evaluated on different items, from counts"),
    OPT_FLAG(args, 0, "paired", paired,
             "compare systems evaluated on the same items, from labels"),
    OPT_END
};

static void wish_for(prf_wish *w, const args *a, const cmd_context *c)
{
    static const iv_prf_kind more[] = { IV_PRF_SPECIFICITY, IV_PRF_ACCURACY,
                                        IV_PRF_BALANCED_ACCURACY, IV_PRF_MCC };

    *w = (prf_wish){ .interval = (iv_interval_kind)a->interval,
                     .confidence = c->shared->confidence, .draws = (size_t)a->draws,
                     .seed = c->shared->seed, .threads = (int)c->shared->threads,
                     .progress = c->progress };
    w->prior.right = a->prior.at[0];
    w->prior.wrong = a->prior.at[a->prior.count - 1];
    w->metrics[w->metric_count++] = (iv_prf_metric){ IV_PRF_PRECISION, 0.0 };
    w->metrics[w->metric_count++] = (iv_prf_metric){ IV_PRF_RECALL, 0.0 };
    w->metrics[w->metric_count++] = (iv_prf_metric){ IV_PRF_F, 1.0 };
    for (size_t i = 0; i < a->beta.count; i++) {
        bool there = false;
        for (size_t m = 2; m < w->metric_count; m++)
            there = there || w->metrics[m].beta == a->beta.at[i];
        if (!there)
            w->metrics[w->metric_count++] = (iv_prf_metric){ IV_PRF_F, a->beta.at[i] };
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        w->metrics[w->metric_count++] = (iv_prf_metric){ more[i], 0.0 };
}

static int check_options(const args *a, iv_err *err)
{
    if (a->compare && a->paired)
        return cmd_usage(err, "--compare is for different items, --paired for the same: "
                         "give one of them");
    if (a->compare && a->labels != NULL)
        return cmd_usage(err, "--compare takes systems for independent, but those of --labels "
                         "answered the same items: use --paired");
    if (a->paired && a->labels == NULL)
        return cmd_usage(err, "--paired needs to know who was right on which item: give "
                         "--labels, not counts");
    if (a->labels == NULL && (a->positive != NULL || a->classes != NULL))
        return cmd_usage(err, "--positive and --classes need --labels");
    if (a->paired && a->prior_counts.count > 0)
        return cmd_usage(err, "--prior-counts does not say how systems were right together, "
                         "which --paired needs: use --prior");
    return IV_OK;
}

/* One --prior-counts, for the system it names or for all. */
static int read_earlier(iv_prf_counts *earlier, const char *text, const prf_input *in,
                        iv_err *err)
{
    const char *equals = strchr(text, '=');
    char quoted[IV_QUOTE_SIZE];
    iv_prf_counts counts;
    bool used = false;
    const int rc = prf_counts_scan(&counts, iv_str_of(equals != NULL ? equals + 1 : text),
                                   "--prior-counts", err);

    if (rc != IV_OK)
        return rc;
    for (size_t s = 0; s < in->count; s++) {
        const prf_system *system = &in->systems[s];
        const size_t len = equals != NULL ? (size_t)(equals - text) : 0;
        if (equals != NULL
            && (strlen(system->name) != len || memcmp(system->name, text, len) != 0))
            continue;
        if (system->count > 1)
            return cmd_usage(err, "--prior-counts is for systems without categories");
        if (system->categories[0].counts.tn >= 0 && counts.tn < 0)
            return cmd_usage(err, "option '--prior-counts': no TN, which the counts have");
        if (earlier[s].tp >= 0)
            return cmd_usage(err, "option '--prior-counts': %s has it twice",
                             iv_quote(quoted, iv_str_of(system->name)));
        earlier[s] = counts;
        used = true;
    }
    if (!used)
        return cmd_usage(err, "option '--prior-counts': there is no system %s",
                         iv_quote(quoted, (iv_str){ text, (size_t)(equals - text) }));
    return IV_OK;
}

static int all_earlier(iv_prf_counts **out, const args *a, const prf_input *in, iv_err *err)
{
    int rc = IV_OK;

    if (a->prior_counts.count == 0)
        return IV_OK;
    *out = calloc(in->count, sizeof **out);
    if (*out == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t s = 0; s < in->count; s++)
        (*out)[s].tp = -1;
    for (size_t i = 0; i < a->prior_counts.count && rc == IV_OK; i++)
        rc = read_earlier(*out, a->prior_counts.at[i], in, err);
    return rc;
}

static int evaluate(cmd_context *c, prf_input *in, const prf_wish *w,
                    const iv_prf_counts *earlier, iv_err *err)
{
    const args *a = c->args;
    prf_rows rows = { 0 };
    prf_comparison k = { { 0 }, NULL, 0 };
    int rc = IV_OK;

    if ((a->compare || a->paired) && in->count < 2)
        return cmd_usage(err, "a comparison needs two systems; there is one");
    rc = prf_rows_make(&rows, in, w, earlier, err);
    if (rc == IV_OK && a->compare)
        rc = prf_compare(&k, &rows, in, w, err);
    if (rc == IV_OK && a->paired)
        rc = prf_paired(&k, &rows, in, w, err);
    /* A program that reads a table need not hear each time how it was made. */
    if (rc == IV_OK && strcmp(c->shared->format, "tsv") != 0
        && strcmp(c->shared->format, "csv") != 0)
        prf_method_note(&rows, w, earlier != NULL, a->compare || a->paired, c->result);
    if (rc == IV_OK && (a->compare || a->paired))
        prf_comparison_tell(&k, in, w, c->result);
    if (rc == IV_OK && a->paired)
        prf_paired_tell(in, w, c->result);
    if (rc == IV_OK) {
        prf_degenerate_notes(in, c->result);
        rc = prf_rows_tell(&rows, in, w, c->result, err);
    }
    if (rc == IV_OK) {
        prf_comparison_errors(&k, in, w, c->result);
        prf_answer(&rows, in, &k, w, c->result);
    }
    if (rc == IV_OK && session_draws(c->shared))
        prf_charts(&rows, in, w, a->compare || a->paired, c->result);
    if (rc == IV_OK && a->compare)
        iv_result_note(c->result, "the systems are taken for evaluated on different items of "
                       "the same kind; if the items were the same, --labels with --paired is "
                       "sharper");
    prf_comparison_free(&k);
    prf_rows_free(&rows);
    return rc;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    const prf_source from = { a->counts, a->labels, a->positive, a->classes };
    prf_input in = { 0 };
    prf_wish w;
    iv_prf_counts *earlier = NULL;
    int rc = check_options(a, err);

    if (rc != IV_OK)
        return rc;
    wish_for(&w, a, c);
    rc = prf_input_read(&in, c, &from, err);
    if (rc == IV_OK)
        rc = all_earlier(&earlier, a, &in, err);
    if (rc == IV_OK)
        rc = evaluate(c, &in, &w, earlier, err);
    free(earlier);
    prf_input_free(&in);
    return rc;
}

const cmd cmd_prf = {
    .name = "prf",
    .group = "Evaluation",
    .summary = "precision, recall and F with intervals; P(A beats B)",
    .operands = "[FILE...]",
    .least = 0,
    .most = CMD_MANY,
    .description =
        "How sure is a precision, recall or F measured on labelled items? Each is a "
        "distribution, not a number: counts are multinomial, their probabilities have a "
        "Dirichlet posterior, and precision, recall, F1, F-beta, specificity, accuracy and "
        "balanced accuracy follow from it exactly. Drawn are only Matthews' correlation (MCC), "
        "macro averages and, with --paired, differences in precision, F and balanced "
        "accuracy; their Monte Carlo errors are in tables of their own.\n\n"
        "FILE is a CSV or TSV of counts with a header: tp, fp, fn, perhaps tn, and a column "
        "'system' or 'category' or both. Rows of one system that differ in category are "
        "averaged: micro (counts pooled) and macro (mean of categories).\n\n"
        "--labels reads items with columns id, gold and one a system. Labels 0 and 1 are "
        "binary, and so is --positive LABEL against the rest; others are classes, and each "
        "class and the averages are shown, the latter from the posterior of the whole "
        "confusion matrix.\n\n"
        "--compare gives P(a > b) and the interval of the difference for systems evaluated on "
        "different items; --paired for systems evaluated on the same items, with the counts of "
        "disagreements and McNemar's exact test. The column difference is the posterior mean of "
        "a - b, which the prior moves a little from the difference of the values, and its "
        "interval has equal tails. The table of comparisons then comes first; "
        "with more than two systems, matrix (P(row > column)) and best (P(best)) follow.\n\n"
        "The sentence at the top is about F1; of categories or classes, about their macro "
        "average.\n\n"
        "A metric that is 0/0 has no value, but it has a posterior: the prior.",
    .examples = (const cmd_example[]){
        { "intervale prf --counts 10,10,5", "Three counts: precision, recall and F1." },
        { "intervale prf --compare --counts A=80,20,30 --counts B=70,15,40 --beta 2",
          "How probable is it that A beats B, also in F2?" },
        { "intervale prf --counts 50,5,0,200 --interval hdi --format tsv",
          "Highest density intervals, for a program to read." },
        { "intervale prf --paired --labels labels.tsv",
          "Systems on the same items: who was right where the other was wrong?" },
        { "intervale prf --counts 12,3,4 --prior-counts 120,40,35",
          "The posterior of an earlier collection is the prior." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .prior = { .count = 1, .at = { 0.5 } }, .draws = 100000 },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "metrics", "comparison", "matrix", "best", "paired",
                                     "monte_carlo", "comparison_monte_carlo", "curves", NULL },
    .run = run,
};
