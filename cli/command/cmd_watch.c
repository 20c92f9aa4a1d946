/* SPDX-License-Identifier: Apache-2.0 */
/* watch -- has a system that runs every night become worse than a baseline? */
#include "frame/cmd.h"

typedef iv_watch_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "baseline", "NAME", baseline,
            "the baseline: a system or the date of a night"),
    OPT_STR(ask, 0, "system", "NAME", system, "watch only this system"),
    OPT_LIST(ask, 'm', "measure", "NAME", measures,
             "measure to watch. Default: the first of the table"),
    OPT_REAL(ask, 0, "margin", "D", margin, 0.0, 1e300, "a loss up to D raises no alarm",
             .usual = "0"),
    OPT_ENUM(ask, 0, "promise", "P", promise, iv_promise, iv_promise_names,
             "what is promised about false alarms. year: any in --nights nights, with "
             "probability 1 - confidence at most; average: one night in that number"),
    OPT_INT(ask, 0, "nights", "N", nights, 1, 100000, "nights that the promise is about",
            .usual = "365"),
    OPT_STR(ask, 0, "since", "NIGHT", since,
            "exclude nights before NIGHT. For example after a repair"),
    OPT_FLAG(ask, 'c', "complete", complete,
             "count items as 0 that the baseline has and a night lacks"),
    OPT_NUMBERS(ask, 0, "range", "LOW,HIGH", range, 2, 2, -1e300, 1e300,
                "lowest and highest possible score, for differences that are all equal"),
    OPT_HEADING("Tables of scores"),
    OPT_SCORES_OF(ask, scores),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    if (q->baseline == NULL)
        return cmd_usage(err, "--baseline NAME is needed: a system, or the date of a night");
    if (c->shared->gate_on != GATE_ON_INCONCLUSIVE)
        return cmd_usage(err, "--gate-on has no effect: watch fails on an alarm only");
    q->scores.given = true;
    q->scores.from.files = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return iv_answer_watch(c->result, q, &c->work, err);
}

const cmd cmd_watch = {
    .name = "watch",
    .group = "Evaluation",
    .summary = "nightly evaluations against a baseline, with few false alarms in a year",
    .operands = "SCORES...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Tests whether a system that is evaluated every night has become worse than a baseline, "
        "since when and by how much. All nights together keep one promise about false alarms.\n\n"
        "Give a table of scores a night: each is named by its file, or by a column 'system'. Or "
        "give tables with a column 'date' (or night, day, or --columns date=NAME), in which the "
        "systems may differ from date to date. Nights are in the order of dates, else of names, "
        "with numbers in them as numbers. The history is in the files: nothing is stored.\n\n"
        "The baseline may have been evaluated once: its error is part of the limits. If it has "
        "scores on every date, each night is compared with the baseline of that date, so what "
        "both share cancels.\n\n"
        "Each night is tested alone and together with the six nights before, on the items that "
        "the baseline has. With --gate the exit status is 3 if the last night raises an alarm, "
        "and 0 otherwise.",
    .examples = (const cmd_example[]){
        { "intervale watch --baseline main nights/*.csv",
          "A table of scores a night, against that of main.csv." },
        { "intervale watch history.csv --columns system=build,date=date --baseline v1 --gate",
          "One table with builds and dates: exit 3 on an alarm." },
        { NULL, NULL } },
    .often = "baseline margin promise nights since gate columns",
    .pages = "doc/methods/watch.md, doc/gate.md",
    .opts = opts,
    CMD_ASKS(ask, confidence),
    .shared = SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .about = (const char *const[]){ "gate", "exit 3 if the last night raises an alarm, else 0",
                                    NULL },
    .run = run,
};
