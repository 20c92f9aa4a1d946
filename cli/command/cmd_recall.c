/* SPDX-License-Identifier: Apache-2.0 */
/* recall -- how complete was the search, and how sure are we? */
#include "frame/cmd.h"

#define Q iv_recall_question
#define MOST_DOCUMENTS 1099511627776.0 /* IV_STRATUM_MAX */

static const opt opts[] = {
    OPT_HEADING("Counts"),
    OPT_INTEGERS(Q, 0, "retrieved", "N,n,r", retrieved, 1, 3, 0.0, MOST_DOCUMENTS,
                "retrieved documents: N, with n judged, r relevant"),
    OPT_INTEGERS(Q, 0, "unretrieved", "N,n,r", unretrieved, 1, 3, 0.0, MOST_DOCUMENTS,
                "unretrieved documents: N, with n judged, r relevant"),
    OPT_INTEGERS(Q, 0, "rechecked", "k,c,m,d,k,c,m,d", rechecked, 8, 8, 0.0, MOST_DOCUMENTS,
                "documents rechecked by a second assessor. Corrects recall for errors of the first "
                "assessor. Of those judged relevant, k were rechecked and c are relevant; of the "
                "others, m were rechecked and d are relevant. First for the retrieved sample, "
                "then for the unretrieved one"),
    OPT_INTEGERS(Q, 0, "control", "FOUND,ALL", stopping.control, 2, 2, 0.0, MOST_DOCUMENTS,
                "relevant control documents: those that the review found, then all of them "
                "(15,16: found 15 of 16). They were sampled at random before the review. With "
                "--target, the answer says whether the review may stop"),
    OPT_INTEGERS(Q, 0, "proportion", "r,n", proportion, 2, 2, 0.0, MOST_DOCUMENTS,
                "show intervals of one proportion, r of n. Wald, Wilson, Agresti-Coull, Jeffreys, "
                "exact"),
    OPT_HEADING("Strata"),
    OPT_STR(Q, 0, "strata", "FILE", strata,
            "table of strata. Columns: stratum, N, n, r and segment (retrieved or unretrieved). "
            "Instead of segment, one column for each run: 1 or R (retrieved), 0 or N (not "
            "retrieved). Other columns are ignored"),
    OPT_STR(Q, 0, "runs", "A,B,...", runs,
            "names of the columns that are runs. Default: those with only 1 and 0, or R and N"),
    OPT_HEADING("A ranking and a sample"),
    OPT_STR(Q, 0, "run", "FILE", ranked.run, "ranking of the documents"),
    OPT_STR(Q, 0, "sample", "FILE", ranked.sample,
            "judgments of a simple random sample of the collection"),
    OPT_STR(Q, 0, "families", "FILE", families,
            "all documents with their families (an e-mail and its attachments), as sampled by "
            "'intervale sample --ids': columns document, family and segment (retrieved, "
            "unretrieved). --sample has the judgments"),
    OPT_STR(Q, 0, "collection", "N", ranked.collection,
            "number of documents in the collection, or 'run'. With 'run', the collection of a "
            "topic is what --run lists for it"),
    OPT_INTEGERS(Q, 0, "at", "K,...", ranked.at, 1, 64, 1.0, MOST_DOCUMENTS,
                "cut-offs: the top K documents count as retrieved. Default: all"),
    OPT_INT(Q, 0, "sampled-at", "K", ranked.drawn_at, 1, IV_STRATUM_MAX,
            "rank at which the sample was split: the top K and the rest were sampled separately",
            .names_were = (const char *const[]){ "drawn-at", NULL }),
    OPT_STR(Q, 0, "machine", "LABELS", ranked.machine,
            "automatic labels of the documents. Each segment is stratified by them, which "
            "narrows the interval if they are good"),
    OPT_INT(Q, 0, "machine-level", "GRADE", ranked.machine_level, 1, IV_GRADE_MAX,
            "lowest automatic label that counts as relevant", .usual = "as --level"),
    OPT_INT(Q, 'l', "level", "GRADE", level, 1, IV_GRADE_MAX,
            "lowest grade that counts as relevant", .usual = "1"),
    OPT_ENUM(Q, 0, "unjudged", "HOW", ranked.unjudged, iv_unjudged, iv_unjudged_names,
             "what to do with sampled documents with a grade below 0", .usual = "refuse"),
    OPT_HEADING("Method"),
    OPT_ENUM(Q, 0, "method", "NAME", method, iv_recall_method, iv_recall_method_names,
             "method of the interval. auto is betabin-half, with strata betabin-weighted; exact "
             "is --guaranteed", .usual = "auto",
             .was = (const char *const[]){ "betabin-shared", "betabin-weighted", NULL }),
    OPT_NUMBERS(Q, 0, "prior", "A,B", prior, 2, 2, 1e-6, 1e6,
                "prior of each segment, Beta(A, B) instead of Beta(1/2, 1/2). With strata "
                "and --method betabin-half, it is the prior of each stratum"),
    OPT_FLAG(Q, 0, "guaranteed", guaranteed,
             "limits with guaranteed coverage, as a court may want"),
    OPT_FLAG(Q, 0, "one-sided", one_sided,
             "use one-sided limits, each with the full confidence"),
    OPT_REAL_OPEN(Q, 0, "target", "X", target, 0.0, 1.0,
                  "test if recall is at least X; 75, 75% and 0.75 are the same", .percent = true),
    OPT_REAL_OPEN(Q, 0, "max-elusion", "X", max_elusion, 0.0, 1.0,
                  "test if elusion is below X. Needs only --unretrieved"),
    OPT_ENUM(Q, 0, "unsampled", "HOW", unsampled, iv_unsampled, iv_unsampled_names,
             "what to do with strata with n = 0. Refuse, exclude (skip), or use the prior",
             .usual = "refuse"),
    OPT_HEADING("While judging"),
    OPT_STR(Q, 0, "log", "FILE", stopping.log,
            "judgments in the order in which they were made. A table with the columns stratum, "
            "relevant and, if judging was planned in blocks, block. Without --strata, stratum is "
            "retrieved or unretrieved, and --retrieved and --unretrieved need only their first "
            "number"),
    OPT_FLAG(Q, 0, "anytime", stopping.anytime,
             "use limits that are valid whenever you stop judging; needs --log unless all "
             "strata but one are judged completely"),
    OPT_INT(Q, 0, "looks", "K", stopping.looks, 1, IV_LOOKS_MOST,
            "number of planned interim analyses"),
    OPT_INT(Q, 0, "look", "k", stopping.look, 1, IV_LOOKS_MOST,
            "which of the planned analyses this is; 1 is the first"),
    OPT_ENUM(Q, 0, "shape", "NAME", stopping.shape, iv_look_shape, iv_look_shape_names,
             "division of the error rate among analyses, as in 'intervale plan looks'"),
    OPT_ENUM(Q, 0, "stop", "RULE", stopping.rule, iv_review_stop, iv_review_stop_names,
             "stopping rule to apply. qbcb: the rank at which a review may stop, from its "
             "ranking (--run), its control documents (--sample) and --target. hypergeometric: "
             "whether a review may stop, if all its retrieved documents were read and the others "
             "sampled at random",
             .usual = "none"),
    OPT_STR(Q, 0, "found", "FILE", stopping.found,
            "judgments of the review so far, for --stop qbcb. Checks that the control documents "
            "are a random part of the relevant ones"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    Q asked = *(const Q *)c->args, *q = &asked;
    const bool counts = q->retrieved.count > 0 || q->unretrieved.count > 0;
    const bool ranking = q->ranked.run != NULL || q->ranked.sample != NULL;

    if (counts + (q->strata != NULL) + ranking != 1
        && q->stopping.control.count + q->proportion.count == 0
        && q->stopping.rule == IV_REVIEW_STOP_NONE)
        return cmd_usage(err, "give either --unretrieved (for recall also --retrieved), or "
                         "--strata, or --run with --sample and --collection");
    if (q->retrieved.count > 0 && q->unretrieved.count == 0)
        return cmd_usage(err, "--retrieved needs --unretrieved N,n,r; for elusion alone, give "
                              "only --unretrieved");
    /* Nobody looks at a gate: it decides by limits that hold for every true recall. */
    q->guaranteed = q->guaranteed
        || (c->shared->gate && q->target > 0.0 && q->method == IV_RECALL_AUTO
            && !q->stopping.anytime && (counts || q->strata != NULL)
            && q->rechecked.count == 0 && q->stopping.looks == 0
            && q->stopping.rule == IV_REVIEW_STOP_NONE && q->unsampled == 0);
    return iv_answer_recall(c->result, q, &c->work, err);
}

const cmd cmd_recall = {
    .name = "recall",
    .group = "Reviews",
    .summary = "how complete was a search or review?",
    .operands = "",
    .description =
        "Estimates recall and elusion of a review, and says if a target is reached.\n\n"
        "A search, a classifier or a review splits a collection into retrieved and other "
        "documents; a random sample of each was judged. Recall is the proportion of the relevant "
        "documents that were retrieved. Elusion is the proportion of relevant documents among "
        "the unretrieved; it needs only --unretrieved.\n\n"
        "For recall, the default is the beta-binomial posterior of Webber (2013). Its intervals "
        "cover 95 % on average over values of true recall, not for each value; its verdicts are "
        "'probably yes', 'probably no' or 'inconclusive'. With --guaranteed, they cover 95 % for "
        "each value, and verdicts can be 'yes, certified' and 'no'. Elusion from --unretrieved "
        "alone has guaranteed limits. Other methods reproduce published figures.\n\n"
        "Table 'recall' has the interval; table 'measures' has precision, F1, elusion and the "
        "number of relevant documents; table 'data' has the input.",
    .examples = (const cmd_example[]){
        { "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3",
          "2,000 documents were retrieved: of 100 sampled, 50 are relevant. 100,000 were not: of "
          "100 sampled, 3 are relevant." },
        { "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3 --target 75%",
          "Is recall at least 75 %?" },
        { "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3 --guaranteed "
          "--format html -o recall.html", "A report for a court, with guaranteed limits." },
        { "intervale recall --unretrieved 858000,1500,9 --max-elusion 0.02",
          "An elusion test: 1,500 of 858,000 unretrieved documents were sampled, and 9 are "
          "relevant. Is elusion below 2 %?" },
        { "intervale recall --control 16,16 --target 80%",
          "The review found all 16 relevant control documents: may it stop?" },
        { "intervale recall --strata strata.csv --unsampled skip --method all --format tsv",
          "Every run marked in a table of strata, by every method." },
        { "intervale recall --run run.txt --sample judged.qrels --collection 5000 --at 100,500",
          "Recall at two cut-offs of a ranking, from one judged sample of the collection." },
        { "intervale recall --retrieved 5000 --unretrieved 95000 --log judged.csv --anytime "
          "--target 0.75",
          "Is the target reached? You may ask after any judgment." },
        { "intervale recall --retrieved 5000,500,260 --unretrieved 95000,1084,4 --looks 5 "
          "--look 2 --target 0.75",
          "The second of five planned interim analyses." },
        { "intervale recall --retrieved 2000,2000,180 --unretrieved 8000,600,2 --target 0.8 "
          "--stop hypergeometric",
          "All retrieved documents were read, and the others are sampled at random: may the "
          "review stop?" },
        { "intervale recall --retrieved 5000,300,180 --unretrieved 50000,600,30 --rechecked "
          "60,48,60,6,30,15,200,3",
          "Of the 180 judged relevant, 60 were rechecked and 48 are relevant. Of the other 120, "
          "60 were rechecked and 6 are relevant. The last four numbers are for the unretrieved "
          "sample." },
        { NULL, NULL } },
    .often = "retrieved unretrieved target guaranteed strata max-elusion title matter "
              "author date",
    .pages = "doc/howto/certify.md, doc/howto/elusion.md, doc/methods/recall.md",
    .opts = opts,
    CMD_ASKS(Q, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .about = (const char *const[]){
        "gate", "exit 0 if --target is met, 3 if not, 4 if unclear; "
        "with --max-elusion, 0 if elusion is below it", NULL },
    .numbers_are_data = true,
    .run = run,
};
