/* SPDX-License-Identifier: Apache-2.0 */
/* study machine -- do intervals from people and a machine hold? */
#include "frame/cmd.h"
#include "study/study.h"

typedef iv_study_machine_question ask;

static const opt opts[] = {
    OPT_LIST(ask, 0, "machine", "LABELS", machine.files,
             "a machine's labels of all judged documents; several may be given"),
    OPT_INT(ask, 0, "machine-level", "GRADE", machine.level, 0, IV_GRADE_MAX,
            "the machine's lowest label that counts as relevant", .zero = true,
            .usual = "as --level; 1 for labels 0 and 1"),
    OPT_LIST(ask, 'm', "measure", "NAME", measures, "a measure", .usual = "P@10, nDCG@10, AP, R@100"),
    OPT_LEVEL(ask, measure.level),
    OPT_INTEGERS(ask, 0, "n", "N,...", judged, 1, 16, 4.0, 1e6, "topics that people judge; with --positives items",
                 .usual = "8,15,25,50; 200,300 items"),
    OPT_INTEGERS(ask, 0, "topics", "T,...", topics, 1, 4, 4.0, 1e6,
                 "topics that the machine labels", .usual = "50,200; with --documents as many as were judged"),
    OPT_INTEGERS(ask, 0, "documents", "M,...", documents, 1, 8, 2.0, 1e6,
                 "people judge so many documents of every topic, drawn uniformly and with sample's "
                 "weights, instead of whole topics"),
    OPT_NUMBERS(ask, 0, "positives", "P,...", positives, 1, 8, 0.0001, 0.9999,
                "a list of items with this share of positive ones, of which people look at a random "
                "sample (--n), instead of topics; no files"),
    OPT_INTEGERS(ask, 0, "kappa", "N,...", kappa, 1, 8, 2.0, 1e6,
                 "so many items labelled by two, and the interval of their kappa; no files"),
    OPT_INT(ask, 0, "draws", "N", draws, 1, 100000000, "draws of topics for each cell",
            .usual = "2000"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    if (q->positives.count > 0 || q->kappa.count > 0) {
        if (c->operand_count > 0 || q->machine.files.count > 0 || q->documents.count > 0
            || (q->positives.count > 0 && q->kappa.count > 0))
            return cmd_usage(err, "--positives and --kappa make their own lists, each by itself: no "
                             "files and no --documents");
        return iv_study_answer_machine(c->result, q, &c->work, err);
    }
    if (q->machine.files.count == 0)
        return cmd_usage(err, "--machine LABELS is needed");
    if (c->operand_count < 2)
        return cmd_usage(err, "JUDGMENTS and a RUN are needed");
    q->source.judgments = c->operands[0];
    q->source.runs = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
    return iv_study_answer_machine(c->result, q, &c->work, err);
}

const cmd cmd_study_machine = {
    .name = "study machine",
    .group = "Studies",
    .summary = "how often intervals from people and a machine hold",
    .operands = "[JUDGMENTS RUN...]",
    .least = 0,
    .most = CMD_MANY,
    .description =
        "Takes the judged topics for the population. T topics are drawn with replacement, of which "
        "people judge the first n and the machine labels all; a run, or two for a difference, are "
        "drawn by lot. How often does the interval hold the mean over all topics, and how wide is "
        "it? Beside eval's own: people alone, the machine alone, and what other tools do (ppi, "
        "ppi++). Judges are the machines given, the first one's labels shuffled over all documents "
        "(noise), and inverted.\n\n"
        "--documents: people judge documents of every topic, drawn uniformly and with the weights of "
        "sample --machine; the frame is what runs return and people judged, and all of it is the "
        "truth. --positives: lists with rare positives, as prf --machine-column and recall --machine "
        "have them. --kappa: agree's kappa, with two labels and with three grades.\n\n"
        "Simulated collections: 'simulate --judge' writes labels of a machine.",
    .examples = (const cmd_example[]){
        { "intervale study machine --machine full.qrels --draws 20 -m AP qrels runs/*",
          "Coverage and width with 8 to 50 judged topics." },
        { "intervale study machine --machine full.qrels --documents 20 --draws 4 qrels runs/*",
          "The same with 20 judged documents a topic." },
        { "intervale study machine --positives 0.05 --n 100 --draws 20",
          "Prevalence, recall, precision and F of a list with a positive item in twenty." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "coverage", "documents", "lists", "kappa", NULL },
    .run = run,
};
