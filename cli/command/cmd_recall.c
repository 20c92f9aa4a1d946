/* SPDX-License-Identifier: Apache-2.0 */
/* recall -- how complete was the search, and how sure are we? */
#include <string.h>

#include "frame/cmd.h"
#include "intervale/answer.h"

#define Q iv_recall_question
#define MOST_DOCUMENTS 1099511627776.0 /* IV_STRATUM_MAX */

static const opt opts[] = {
    OPT_HEADING("Two segments"),
    OPT_INTEGERS(Q, 0, "retrieved", "N,n,r", retrieved, 1, 3, 0.0, MOST_DOCUMENTS,
                "documents retrieved, how many of them were sampled, and how many of those are "
                "relevant"),
    OPT_INTEGERS(Q, 0, "unretrieved", "N,n,r", unretrieved, 1, 3, 0.0, MOST_DOCUMENTS,
                "the same for the documents not retrieved; alone: how much was missed (elusion)"),
    OPT_INTEGERS(Q, 0, "control", "FOUND,ALL", control, 2, 2, 0.0, MOST_DOCUMENTS,
                "relevant control documents, sampled at random before the review: how many of them "
                "it found, and how many there are; with --target: may it stop?"),
    OPT_INTEGERS(Q, 0, "proportion", "r,n", proportion, 2, 2, 0.0, MOST_DOCUMENTS,
                "intervals of one proportion, r of n: Wald, Wilson, Agresti-Coull, Jeffreys, "
                "exact"),
    OPT_HEADING("Strata"),
    OPT_STR(Q, 0, "strata", "FILE", strata,
            "a CSV table with the columns stratum,N,n,r and segment (retrieved or unretrieved), "
            "or one column a run with 1 or R where the run retrieved the stratum, 0 or N where "
            "not; in any order, other columns ignored"),
    OPT_STR(Q, 0, "runs", "A,B,...", runs,
            "the columns that are runs, unless all that hold only 1 and 0, or R and N"),
    OPT_HEADING("A ranking and a sample"),
    OPT_STR(Q, 0, "run", "FILE", run, "the ranking"),
    OPT_STR(Q, 0, "sample", "FILE", sample,
            "judgments of a simple random sample of the collection"),
    OPT_STR(Q, 0, "collection", "N", collection,
            "documents in the collection; 'run': those the run ranks, topic by topic"),
    OPT_INTEGERS(Q, 0, "at", "K,...", at, 1, 64, 1.0, MOST_DOCUMENTS,
                "cut-offs: the first K ranked documents are retrieved; all of them unless given"),
    OPT_INT(Q, 0, "drawn-at", "K", drawn_at, 1, IV_STRATUM_MAX,
            "the first K documents and the others were sampled separately"),
    OPT_STR(Q, 0, "machine", "LABELS", machine,
            "automatic labels of the documents: each segment is stratified by them, which narrows "
            "the "
            "interval as far as they tell"),
    OPT_INT(Q, 0, "machine-level", "GRADE", machine_level, 1, IV_GRADE_MAX,
            "the machine's lowest label that counts as relevant", .usual = "as --level"),
    OPT_INT(Q, 'l', "level", "GRADE", level, 1, IV_GRADE_MAX,
            "least grade that is relevant", .usual = "1"),
    OPT_ENUM(Q, 0, "unjudged", "HOW", unjudged, iv_unjudged, iv_unjudged_names,
             "sampled documents with a grade below 0", .usual = "refuse"),
    OPT_HEADING("Method"),
    OPT_ENUM(Q, 0, "method", "NAME", method, iv_recall_method, iv_recall_method_names,
             "how to compute the interval; auto is betabin-half, with strata betabin-weighted; "
             "exact is "
             "--guaranteed", .usual = "auto",
             .was = (const char *const[]){ "betabin-shared", "betabin-weighted", NULL }),
    OPT_NUMBERS(Q, 0, "prior", "A,B", prior, 2, 2, 1e-6, 1e6,
                "prior Beta(A, B) instead of Beta(1/2, 1/2): of a segment, or with betabin-half of "
                "each stratum"),
    OPT_FLAG(Q, 0, "guaranteed", guaranteed,
             "limits whose confidence is guaranteed for every possible truth"),
    OPT_FLAG(Q, 0, "one-sided", one_sided,
             "one-sided limits, each with the confidence"),
    OPT_REAL_OPEN(Q, 0, "target", "X", target, 0.0, 1.0,
                  "is recall at least X? 75, 75% and 0.75 are the same", .percent = true),
    OPT_REAL_OPEN(Q, 0, "max-elusion", "X", max_elusion, 0.0, 1.0,
                  "with --unretrieved alone: is the proportion of relevant documents among them "
                  "below X?"),
    OPT_ENUM(Q, 0, "unsampled", "HOW", unsampled, iv_unsampled, iv_unsampled_names,
             "strata with n = 0: refuse, leave out (skip), or let the prior speak for them",
             .usual = "refuse"),
    OPT_HEADING("While it is being judged"),
    OPT_STR(Q, 0, "log", "FILE", log,
            "the judgments in their order, a table with the columns stratum, relevant and, if "
            "planned, block; segments are called retrieved and unretrieved and may be given as N "
            "alone"),
    OPT_FLAG(Q, 0, "anytime", anytime,
             "limits that are valid whenever the review is stopped; needs --log unless only one "
             "stratum is left to sample"),
    OPT_INT(Q, 0, "looks", "K", looks, 1, IV_LOOKS_MOST, "planned interim analyses"),
    OPT_INT(Q, 0, "look", "k", look, 1, IV_LOOKS_MOST, "which of them this one is"),
    OPT_ENUM(Q, 0, "shape", "NAME", shape, iv_look_shape, iv_look_shape_names,
             "how the error is shared between interim analyses, as in plan looks", .with = "looks"),
    OPT_ENUM(Q, 0, "stop", "RULE", stop, iv_review_stop, iv_review_stop_names,
             "qbcb: where the review of --run may stop with --target, by the relevant control "
             "documents of --sample, sampled at random before it; hypergeometric: may a review "
             "stop "
             "that read all of --retrieved N,N,r and then sampled --unretrieved at random?",
             .usual = "none"),
    OPT_STR(Q, 0, "found", "FILE", found,
            "with --stop qbcb: the review's judgments so far; checks that the control documents "
            "are "
            "a random part of the relevant ones"),
    OPT_END
};

/* What goes with a review that is being judged. */
static int check_watched(const Q *q, iv_err *err)
{
    if ((q->looks > 0) != (q->look > 0))
        return cmd_usage(err, "--looks and --look go together: how many interim analyses, and "
                              "which");
    if (q->look > q->looks)
        return cmd_usage(err, "--look %zu is more than --looks %zu", q->look, q->looks);
    if (q->looks > 0 && q->anytime)
        return cmd_usage(err, "--anytime needs no --looks: give one of the two");
    if (q->log == NULL && (q->retrieved.count % 3 > 0 || q->unretrieved.count % 3 > 0))
        return cmd_usage(err, "--retrieved and --unretrieved have three numbers, N,n,r; N alone "
                         "goes with --log");
    if (q->stop == IV_REVIEW_STOP_HYPERGEOMETRIC) {
        if (q->retrieved.count != 3 || q->unretrieved.count != 3 || q->target == 0.0)
            return cmd_usage(err, "--stop hypergeometric needs --retrieved N,N,r, --unretrieved "
                                  "N,n,r "
                             "and --target");
        if (q->guaranteed || q->method == IV_RECALL_EXACT || q->anytime || q->looks > 0)
            return cmd_usage(err, "--stop hypergeometric is approximate: no --guaranteed, --method "
                             "exact, --anytime or --looks");
        return IV_OK;
    }
    if (q->stop != IV_REVIEW_STOP_NONE
        && (q->run == NULL || q->sample == NULL || q->target == 0.0))
        return cmd_usage(err, "--stop qbcb needs --run, --sample and --target");
    if (q->stop != IV_REVIEW_STOP_NONE && (q->collection != NULL || q->at.count > 0
                                           || q->drawn_at > 0))
        return cmd_usage(err, "--stop qbcb follows the whole of --run: no --collection, --at or "
                         "--drawn-at");
    if (q->found != NULL && q->stop != IV_REVIEW_STOP_QBCB)
        return cmd_usage(err, "--found goes with --stop qbcb");
    return IV_OK;
}

/* Of the unretrieved alone all is exact, and nothing is known of recall. */
static int check_elusion(const Q *q, iv_err *err)
{
    if (q->target != 0.0)
        return cmd_usage(err, "--target is a limit of recall, which needs --retrieved, too; "
                         "--max-elusion is one of elusion");
    if (q->prior.count > 0
        || (q->method != IV_RECALL_AUTO && q->method != IV_RECALL_EXACT))
        return cmd_usage(err, "--unretrieved alone is answered by exact limits: no --method or "
                         "--prior");
    if (q->one_sided)
        return cmd_usage(err, "--unretrieved alone is answered by limits of one side and of two: "
                              "no "
                         "--one-sided");
    if (q->log != NULL || q->anytime || q->looks > 0)
        return cmd_usage(err, "--log, --anytime and --looks need --retrieved, too");
    return IV_OK;
}

static int check(const Q *q, iv_err *err)
{
    const bool counts = q->retrieved.count > 0 || q->unretrieved.count > 0;
    const bool ranking = q->run != NULL || q->sample != NULL || q->collection != NULL;
    const char *method = iv_recall_method_names()[q->method];
    const bool exact = q->guaranteed || q->method == IV_RECALL_EXACT;
    const bool posterior = !exact && iv_recall_has_posterior(q->method);
    char quoted[IV_QUOTE_SIZE];
    int64_t documents;

    if (counts + (q->strata != NULL) + ranking != 1)
        return cmd_usage(err, "give one of: --retrieved and --unretrieved; --strata; --run, "
                         "--sample and --collection");
    if (counts && q->unretrieved.count == 0)
        return cmd_usage(err, "--retrieved needs --unretrieved, N,n,r of the other side; that "
                         "side alone tells of elusion");
    if (counts && q->retrieved.count == 0)
        return check_elusion(q, err);
    if (q->max_elusion != 0.0)
        return cmd_usage(err, "--max-elusion goes with --unretrieved alone; --target is the limit "
                         "of recall");
    if (ranking && (q->run == NULL || q->sample == NULL || q->collection == NULL))
        return cmd_usage(err, "--run, --sample and --collection go together");
    if (ranking && strcmp(q->collection, "run") != 0
        && !iv_scan_int(&documents, iv_str_of(q->collection), 1, IV_STRATUM_MAX))
        return cmd_usage(err, "--collection: %s is no number of documents; expected a whole "
                         "number, or run", iv_quote(quoted, iv_str_of(q->collection)));
    if (!ranking && (q->at.count > 0 || q->drawn_at > 0))
        return cmd_usage(err, "--at and --drawn-at need --run");
    if (!ranking && (q->machine != NULL || q->machine_level > 0))
        return cmd_usage(err, "--machine needs --run and --sample; strata by its label are a "
                              "table for "
                         "--strata");
    if (q->runs != NULL && q->strata == NULL)
        return cmd_usage(err, "--runs needs --strata");
    if (q->guaranteed && q->method != IV_RECALL_AUTO && q->method != IV_RECALL_EXACT)
        return cmd_usage(err, "--guaranteed has a method of its own: no --method %s", method);
    if (q->prior.count > 0 && (exact || (q->method != IV_RECALL_ALL
                                         && !iv_recall_has_prior(q->method))))
        return cmd_usage(err, "--prior goes with betabin-half or betabin-weighted, not "
                         "with %s", exact ? "exact" : method);
    if (q->target != 0.0 && !exact && !posterior)
        return cmd_usage(err, "--target needs a method with a posterior, or --guaranteed; %s has "
                         "none", method);
    if (exact && q->unsampled == IV_UNSAMPLED_SKIP)
        return cmd_usage(err, "--guaranteed covers all documents: no --unsampled skip; prior lets "
                         "strata without a sample be anything");
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    const Q *q = c->args;

    if (q->control.count + q->proportion.count > 0) {
        if (q->retrieved.count + q->unretrieved.count > 0 || q->strata != NULL || q->run != NULL
            || q->sample != NULL || q->stop != IV_REVIEW_STOP_NONE
            || (q->control.count > 0 && q->proportion.count > 0))
            return cmd_usage(err, "--control and --proportion stand alone");
        if (q->control.count > 0 && q->control.at[0] > q->control.at[1])
            return cmd_usage(err, "--control: %lld found of %lld", (long long)q->control.at[0],
                             (long long)q->control.at[1]);
        if (q->proportion.count > 0 && q->proportion.at[0] > q->proportion.at[1])
            return cmd_usage(err, "--proportion: %lld of %lld", (long long)q->proportion.at[0],
                             (long long)q->proportion.at[1]);
        return iv_answer_recall(c->result, q, &c->work, err);
    }
    int rc = check_watched(q, err);

    if (rc == IV_OK && q->stop == IV_REVIEW_STOP_NONE)
        rc = check(q, err);
    return rc != IV_OK ? rc : iv_answer_recall(c->result, c->args, &c->work, err);
}

const cmd cmd_recall = {
    .name = "recall",
    .group = "Reviews",
    .summary = "say how complete a search was, with an interval",
    .operands = "",
    .description =
        "A search, a classifier or a review splits a collection into retrieved and other "
        "documents; "
        "a random sample of each was judged. What proportion of the relevant documents was "
        "retrieved, and how sure is that? With --target: is it enough?\n\n"
        "The default is the beta-binomial posterior of Webber (2013): its intervals cover 95 % on "
        "average, not for every truth, so its verdicts are 'probably yes', 'probably no' or "
        "'inconclusive'. --guaranteed holds for every truth and may say 'yes, certified'. Other "
        "methods are there to reproduce published figures.\n\n"
        "The table recall has the interval, measures precision, F1, elusion (proportion relevant "
        "of "
        "the unretrieved) and the number of relevant documents, data what went in.",
    .examples = (const cmd_example[]){
        { "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3",
          "2000 documents retrieved, of 100 sampled 50 relevant; 100000 not retrieved, of 100 "
          "sampled 3 relevant." },
        { "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3 --target 75%",
          "Is recall at least 75 %?" },
        { "intervale recall --retrieved 1000,1000,500 --unretrieved 1000000,2000,0 --one-sided "
          "--guaranteed",
          "A lower limit with a guaranteed confidence of 95 %." },
        { "intervale recall --unretrieved 858000,1500,9 --max-elusion 0.02",
          "An elusion test: of 858000 documents left behind 1500 were sampled, 9 of them "
          "relevant. How much was missed, and is it below 2 %?" },
        { "intervale recall --control 16,16 --target 80%",
          "The review found all 16 relevant control documents: may it stop?" },
        { "intervale recall --strata strata.csv --unsampled skip --method all --format tsv",
          "Every run marked in a table of strata, by every method." },
        { "intervale recall --run run.txt --sample judged.qrels --collection 5000 --at 100,500",
          "Recall at two cut-offs of a ranking, from one judged sample of the collection." },
        { "intervale recall --retrieved 5000 --unretrieved 95000 --log judged.csv --anytime "
          "--target 0.75",
          "Is the target reached, at whatever moment one asks?" },
        { "intervale recall --retrieved 5000,500,260 --unretrieved 95000,1084,4 --looks 5 "
          "--look 2 --target 0.75",
          "The second of five planned interim analyses." },
        { "intervale recall --retrieved 2000,2000,180 --unretrieved 8000,600,2 --target 0.8 "
          "--stop hypergeometric",
          "Everything retrieved was read, and the rest is sampled at random: enough?" },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(Q),
    .confidence = CMD_CONFIDENCE(Q, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .tables = (const char *const[]){ "recall", "measures", "yield", "data", "curves",
                                    "elusion", "missed", "anytime", "stop", "control",
                                    "proportion", NULL },
    .numbers_are_data = true,
    .run = run,
};
