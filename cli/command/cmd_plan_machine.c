/* SPDX-License-Identifier: Apache-2.0 */
/* plan machine -- how much to judge when a machine labels all? */
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef iv_plan_machine_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "pilot", "QRELS", source.judgments, "people's judgments of some topics"),
    OPT_LIST(ask, 0, "machine", "LABELS", machine.files,
             "a machine's labels of the same documents, and perhaps of more topics"),
    OPT_INT(ask, 0, "machine-level", "GRADE", machine.level, 0, IV_GRADE_MAX,
            "the machine's lowest label that counts as relevant", .zero = true,
            .usual = "as --level; 1 for labels 0 and 1"),
    OPT_REAL_OPEN(ask, 0, "width", "W", width, 0.0, 1e6, "the interval shall be so wide"),
    OPT_LIST(ask, 'm', "measure", "NAME", measures, "a measure", .usual = "AP"),
    OPT_LEVEL(ask, level),
    OPT_INT(ask, 0, "topics", "T", topics, 1, 1000000000,
            "topics that the machine will label, as many as LABELS has unless given"),
    OPT_REAL_OPEN(ask, 0, "price", "X", price, 0.0, 1e12, "of a document judged by people"),
    OPT_REAL_OPEN(ask, 0, "machine-price", "X", machine_price, 0.0, 1e12,
                  "of a document labelled by the machine"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    if (q->source.judgments == NULL || q->machine.files.count == 0 || q->width == 0.0)
        return cmd_usage(err, "--pilot QRELS, --machine LABELS and --width W are needed");
    if ((q->price > 0.0) != (q->machine_price > 0.0))
        return cmd_usage(err, "--price and --machine-price go together");
    q->source.runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return iv_answer_plan_machine(c->result, q, &c->work, err);
}

const cmd cmd_plan_machine = {
    .name = "plan machine",
    .group = "Planning",
    .summary = "how many topics people should judge beside a machine's labels",
    .operands = "RUN...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "From a pilot that people judged and a machine labelled: how many topics, and documents, "
        "must people judge for an interval of a given width, with the machine and without it? The "
        "correlation of people's values with the machine's over the pilot's topics decides; its "
        "interval is carried to the number of topics (topics_least, topics_most). A machine "
        "helps where it labels more topics than people would judge alone (topics_alone); least_width "
        "is the width if people judge all that it labels. With prices, also the cheapest "
        "numbers of both.",
    .examples = (const cmd_example[]){
        { "intervale plan machine --pilot pilot.qrels --machine full.qrels --width 0.1 runs/*",
          "How many topics beside a machine's labels?" },
        { "intervale plan machine --pilot pilot.qrels --machine full.qrels --width 0.1 --topics 500 "
          "--price 1 --machine-price 0.01 runs/*",
          "The same with prices, for 500 topics labelled." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, confidence),
    .shared = SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "plan", NULL },
    .run = run,
};
