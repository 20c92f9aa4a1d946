/* SPDX-License-Identifier: Apache-2.0 */
/* recall -- how complete was the search, and how sure are we? */
#include <math.h>
#include <stdlib.h>

#include "command/recall_cases.h"

/* The library's names, and all of them; in its order. */
static const char *const methods[] = {
    "auto", "naive", "normal", "normal-uncorrected", "laplace", "agresti-coull", "koopman", "jeffreys",
    "betabin-uniform", "betabin-mcp", "betabin-half", "betabin-shared", "all", NULL
};
static const char *const unsampled_words[] = { "refuse", "skip", "prior", NULL };
static const char *const unjudged_words[] = { "refuse", "nonrelevant", "drop", NULL };
static const char *const formats[] = { "any", "qrels", "prels", "stratified", "beir", NULL };

#define MOST_DOCUMENTS 1099511627776.0 /* IV_STRATUM_MAX */

static const opt opts[] = {
    OPT_HEADING("Two segments"),
    OPT_NUMBERS(recall_args, 0, "retrieved", "N,n,r", retrieved, 3, 3, 0.0, MOST_DOCUMENTS,
                "documents retrieved, how many of them were sampled, and how many of those are "
                "relevant"),
    OPT_NUMBERS(recall_args, 0, "unretrieved", "N,n,r", unretrieved, 3, 3, 0.0, MOST_DOCUMENTS,
                "the same for the documents not retrieved"),
    OPT_HEADING("Strata"),
    OPT_STR(recall_args, 0, "strata", "FILE", strata,
            "a CSV table with the columns stratum,N,n,r and segment (retrieved or unretrieved), "
            "or one column a run with 1 or R where the run retrieved the stratum, 0 or N where "
            "not; in any order, other columns ignored"),
    OPT_STR(recall_args, 0, "runs", "A,B,...", runs,
            "the columns that are runs, unless all that hold only 1 and 0, or R and N"),
    OPT_HEADING("A ranking and a sample"),
    OPT_STR(recall_args, 0, "run", "FILE", run, "the ranking"),
    OPT_STR(recall_args, 0, "sample", "FILE", sample,
            "judgments of a simple random sample of the collection"),
    OPT_STR(recall_args, 0, "collection", "N", collection,
            "documents in the collection; 'run': those the run ranks, topic by topic"),
    OPT_NUMBERS(recall_args, 0, "at", "K,...", at, 1, OPT_NUMBERS_MAX, 1.0, MOST_DOCUMENTS,
                "cut-offs: the first K ranked documents are retrieved; all of them unless given"),
    OPT_INT(recall_args, 0, "drawn-at", "K", drawn_at, 1, IV_STRATUM_MAX,
            "the sample was drawn apart from the first K documents and from the others"),
    OPT_INT(recall_args, 'l', "level", "GRADE", level, 1, IV_GRADE_MAX,
            "least grade that is relevant"),
    OPT_CHOICE(recall_args, 0, "unjudged", "HOW", unjudged, unjudged_words,
               "sampled documents with a grade below 0"),
    OPT_CHOICE(recall_args, 0, "judgments-format", "F", judgments_format, formats,
               "format of the sample"),
    OPT_HEADING("Method"),
    OPT_CHOICE(recall_args, 0, "method", "NAME", method, methods, "how to compute the interval"),
    OPT_NUMBERS(recall_args, 0, "prior", "A,B", prior, 2, 2, 1e-6, 1e6,
                "prior Beta(A, B) instead of Beta(1/2, 1/2): with betabin-shared one a segment, "
                "with betabin-half one a stratum"),
    OPT_FLAG(recall_args, 0, "one-sided", one_sided,
             "each limit holds by itself with the confidence"),
    OPT_REAL_OPEN(recall_args, 0, "target", "X", target, 0.0, 1.0,
                  "also the probability that recall is at least X, given the sample"),
    OPT_REAL_OPEN(recall_args, 0, "beta", "B", beta, 0.0, 1000.0, "also F-beta for this beta"),
    OPT_CHOICE(recall_args, 0, "unsampled", "HOW", unsampled, unsampled_words,
               "strata with n = 0: refuse, leave out (skip), or let the prior speak for them"),
    OPT_INT(recall_args, 0, "draws", "N", draws, IV_RECALL_DRAWS_LEAST, IV_RECALL_DRAWS_MOST,
            "also the interval from N Monte Carlo draws, with its standard error"),
    OPT_FLAG(recall_args, 0, "density", density, "also a sketch of the posterior of recall"),
    OPT_END
};

static int check(const recall_args *a, iv_err *err)
{
    const bool counts = a->retrieved.count > 0 || a->unretrieved.count > 0;
    const bool ranking = a->run != NULL || a->sample != NULL || a->collection != NULL;
    const int ways = counts + (a->strata != NULL) + ranking;

    if (ways != 1)
        return cmd_usage(err, "give one of: --retrieved and --unretrieved; --strata; --run, "
                         "--sample and --collection");
    if (counts && (a->retrieved.count == 0 || a->unretrieved.count == 0))
        return cmd_usage(err, "--retrieved and --unretrieved go together: N,n,r of each");
    if (ranking && (a->run == NULL || a->sample == NULL || a->collection == NULL))
        return cmd_usage(err, "--run, --sample and --collection go together");
    if (!ranking && (a->at.count > 0 || a->drawn_at > 0))
        return cmd_usage(err, "--at and --drawn-at need --run");
    if (a->runs != NULL && a->strata == NULL)
        return cmd_usage(err, "--runs needs --strata");
    if (a->prior.count > 0 && a->method != IV_RECALL_AUTO
        && a->method != IV_RECALL_BETABIN_SHARED
        && a->method != IV_RECALL_BETABIN_HALF && a->method != IV_RECALL_ALL)
        return cmd_usage(err, "--prior goes with betabin-shared or betabin-half, not with %s",
                         methods[a->method]);
    if (a->draws > 0 && !iv_recall_has_posterior((iv_recall_method)a->method))
        return cmd_usage(err, "--draws needs a method with a posterior; %s has none",
                         methods[a->method]);
    if (a->density && !iv_recall_has_posterior((iv_recall_method)a->method))
        return cmd_usage(err, "--density needs a method with a posterior; %s has none",
                         methods[a->method]);
    if (!isnan(a->target) && !iv_recall_has_posterior((iv_recall_method)a->method))
        return cmd_usage(err, "--target needs a method with a posterior; %s has none",
                         methods[a->method]);
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    const recall_args *a = c->args;
    recall_cases cases = { 0 };
    int rc = check(a, err);

    if (rc != IV_OK)
        return rc;
    rc = a->strata != NULL ? recall_from_strata(&cases, c, err)
         : a->run != NULL  ? recall_from_ranking(&cases, c, err)
                           : recall_from_counts(&cases, c, err);
    if (rc == IV_OK)
        rc = recall_tables(&cases, c, err);
    recall_cases_free(&cases);
    return rc;
}

const cmd cmd_recall = {
    .name = "recall",
    .group = "Reviews",
    .summary = "say how complete a search was, with an interval",
    .operands = "",
    .least = 0,
    .most = 0,
    .description =
        "A collection is split into the documents that a search retrieved and those it did not; "
        "a random sample of each was judged. What share of the relevant documents was retrieved, "
        "and how sure is that?\n\n"
        "The default method, betabin-shared, computes the posterior distribution of recall "
        "exactly. Its interval covers as often as it says in simulations of large, small and "
        "legal collections, also when the segments are cut into many strata "
        "(intervale study recall repeats them). The other methods are there to compare with and "
        "to reproduce published figures.\n\n"
        "The column recall is the plain estimate, from N r / n, whatever the method. prior_share "
        "is the share of the posterior yield that the prior brings in; above 0.1 a note warns. "
        "The table measures has precision, F1 and the share relevant among the unretrieved "
        "(elusion), and the table yield the number of relevant documents, from the same "
        "posterior; the table data says what went in.",
    .examples = (const cmd_example[]){
        { "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3",
          "2000 documents retrieved, of 100 sampled 50 relevant; 100000 not retrieved, of 100 "
          "sampled 3 relevant." },
        { "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3 --target 0.75 "
          "--one-sided --density",
          "A lower limit, the probability that recall is at least 0.75, and a sketch." },
        { "intervale recall --strata strata.csv --unsampled skip --method all --format tsv",
          "Every run marked in a table of strata, by every method." },
        { "intervale recall --run run.txt --sample judged.qrels --collection 5000 --at 100,500",
          "Recall at two cut-offs of a ranking, from one judged sample of the collection." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const recall_args){ .drawn_at = -1, .level = 1,
                                      .target = NAN,
                                      .beta = 1.0, .draws = -1 },
    .args_size = sizeof(recall_args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "recall", "chart", "measures", "yield", "data", "draws",
                                    "density", "curves", NULL },
    .run = run,
};
