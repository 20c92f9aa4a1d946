/* SPDX-License-Identifier: Apache-2.0 */
/* sample -- choose the documents to judge, with known probabilities. */
#include "frame/cmd.h"

typedef iv_sample_question question;

static const opt opts[] = {
    OPT_HEADING("Design"),
    OPT_ENUM(question, 0, "design", "D", how.design, iv_design, iv_design_names,
             "design of the sample. stevens: by weight, for AP and other measures. uniform: "
             "all with the same probability, for infAP. stratified: by their best rank, for "
             "xinfAP. pool: no sampling, the pool is judged"),
    OPT_FRAME_DEPTH(question, depth),
    OPT_STR(question, 0, "machine", "LABELS", machine,
            "automatic labels: sample from the documents in LABELS. No runs are needed; "
            "'intervale eval' then corrects the labels by the sample"),
    OPT_ENUM(question, 0, "human-design", "D", human_design, iv_human_design, iv_human_design_names,
             "how to sample from automatic labels. random: from all labelled documents; by-topic: "
             "the same number from each topic; topics: whole topics, as many as --budget says"),
    OPT_STR(question, 0, "ids", "FILE", ids,
            "sample --total documents of this list: one per line, perhaps with a family (an e-mail "
            "and its attachments), which is sampled whole. Or CSV with columns document, family "
            "and segment (retrieved, unretrieved): half of each segment"),
    OPT_STR(question, 0, "weights", "FILE", weights,
            "weight of each document, the score in a file like a run. Default: the prior of "
            "average precision"),
    OPT_INTEGERS(question, 0, "strata", "N,...", how.strata, 1, 64, 1.0, 1e8,
                 "deepest rank of each stratum, for --design stratified. Default: 10, 30, 100 and "
                 "deeper"),
    OPT_NUMBERS(question, 0, "rates", "R,...", how.rates, 1, 64, 0.0, 1.0,
                "proportion to sample of each stratum, for --design stratified. Without it, the "
                "number of documents is divided among strata by weight"),
    OPT_HEADING("Budget"),
    OPT_INT(question, 0, "budget", "N", how.budget, 1, 100000000,
            "number of documents to sample per topic (default: 100)"),
    OPT_INT(question, 0, "total", "N", how.total, 1, 10000000000,
            "number of documents to sample in all topics together"),
    OPT_ENUM(question, 0, "divide", "HOW", how.spread, iv_spread_rule, iv_spread_rule_names,
             "how to divide --total among topics: equally, or by size of frame",
            .names_were = (const char *const[]){ "spread", NULL }),
    OPT_INT(question, 0, "budget-depth", "K", how.budget_depth, 1, 100000000,
            "sample as many documents as a topic's pool of depth K has"),
    OPT_HEADING("Also included, with certainty"),
    OPT_INT(question, 0, "pool-depth", "K", how.pool_depth, 1, 100000000,
            "also judge the top K documents of every run"),
    OPT_STR(question, 0, "judged", "QRELS", from.judgments,
            "existing judgments: copied to the output, not sampled. Their documents have "
            "probability 1"),
    OPT_STR(question, 0, "labels", "QRELS", labels,
            "grades of documents that are known: they fill in the sample, which does not depend on "
            "them"),
    OPT_HEADING("Files"),
    OPT_RUN_FORMAT(question, from.run_format),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    if (c->operand_count == 0 && q->machine == NULL && q->ids == NULL)
        return cmd_usage(err, "too few operands; usage: intervale sample [OPTIONS] RUN...");
    q->from.runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    /* What people read is the file to fill in; who asks for a table gets the design. */
    c->written = strcmp(c->shared->format, "text") == 0 && c->shared->table == NULL;
    q->form = c->written ? c->out : NULL;
    const int rc = iv_answer_sample(c->result, q, &c->work, err);
    if (rc == IV_OK && !c->written)
        iv_result_note(c->result, "This is the design; without --format the file to fill in is "
                       "written.");
    return rc;
}

const cmd cmd_sample = {
    .name = "sample",
    .group = "Judging",
    .summary = "choose which documents to judge, within a budget",
    .operands = "RUN... | --machine LABELS | --ids FILE",
    .least = 0,
    .most = CMD_MANY,
    .description =
        "Samples documents to judge, with known probabilities. 'intervale eval' then estimates "
        "scores from the judged sample.\n\n"
        "It writes a file to fill in: topic, docno, a grade of -1 to replace, method (1 "
        "sampled, 0 certain) and the inclusion probability. Lines at the end that begin with "
        "'#:' hold the design; leave them there. 'intervale eval' on the completed file "
        "estimates what judging the whole frame would give. The frame is the union of the top "
        "documents of every run (--depth). Documents of other runs outside it are not counted, "
        "and eval reports how many.\n\n"
        "By default documents are sampled by Stevens' scheme: sorted by the prior of average "
        "precision (high where many runs rank them high), divided into buckets as large as the "
        "sample, buckets chosen by weight. Documents included with certainty (--pool-depth, "
        "--judged) leave the frame first and have probability 1. Such judgments may also be "
        "added later (eval --also), if their documents were not chosen because of earlier "
        "judgments.\n\n"
        "The same runs, options and seed give the same file. --format or --table show the "
        "design instead of the file.",
    .examples = (const cmd_example[]){
        { "intervale sample --budget 100 -o judge.txt runs/*",
          "A hundred documents of each topic." },
        { "intervale sample --pool-depth 5 --budget 50 -o judge.txt runs/*",
          "The first five of every run with certainty, and fifty more by chance." },
        { "intervale sample --machine llm.qrels --human-design random --total 600 -o human.qrels",
          "Six hundred random documents that an LLM labelled, for people to label." },
        { "intervale sample --ids families.csv --total 400 -o sample.qrels",
          "Whole families with about 400 documents of a list." },
        { "intervale sample --total 5000 --divide frame --judged qrels -o judge.txt runs/*",
          "Five thousand documents beyond those judged, more where runs differ more." },
        { "intervale sample --design stratified --strata 10,50,100 --rates 1,0.3,0.1 "
          "-o judge.txt runs/*", "Three strata, for infAP and infNDCG." },
        { "intervale sample --budget-depth 3 -o judge.txt runs/*",
          "As many as a pool of depth 3 has." },
        { NULL, NULL } },
    .often = "budget total depth design pool-depth judged machine human-design",
    .pages = "doc/methods/sampling.md",
    .opts = opts,
    .args_size = sizeof(question),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .own_text = true,
    .run = run,
};
