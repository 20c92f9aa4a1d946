/* SPDX-License-Identifier: Apache-2.0 */
/* study judging -- does judging little work? */
#include "frame/cmd.h"
#include "study/study.h"

typedef iv_study_judging_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "qrels", "FILE", from.judgments, "the judgments, taken for the truth"),
    OPT_ENUM(ask, 0, "model", "M", model, iv_belief_model, iv_belief_model_names,
             "what unjudged documents have to do with each other: those of a run share its "
             "quality, learnt from what is judged; independent: nothing, as in the paper"),
    OPT_STR(ask, 0, "relevance", "P", relevance,
            "independent documents: probability that one is relevant, or rank: a curve fitted to all "
            "of the judgments", .usual = "0.5"),
    OPT_ENUM(ask, 0, "moments", "FORM", how.form, iv_moments_form, iv_moments_form_names,
             "how mean and variance of a difference are found; exact counts as delta"),
    OPT_ENUM(ask, 0, "judge", "HOW", how.order, iv_judging_order, iv_judging_order_names,
             "in the order of intervale next, or by pools of growing depth, as the paper"),
    OPT_INT(ask, 0, "pool-depth", "N", how.start, 1, 100000,
            "table calibration: judge a pool of this depth before anything is looked at"),
    OPT_DEPTH(ask, depth),
    OPT_LEVEL(ask, level),
    OPT_INT(ask, 0, "pairs", "N", how.pairs, 1, 100000000, "so many pairs by lot, not all"),
    OPT_INT(ask, 0, "topics", "N", how.topics, 2, 100000, "topics to be judged to certainty",
            .usual = "25"),
    OPT_INT(ask, 0, "pilot", "N", how.pilot, 2, 100000, "topics of a pilot", .usual = "10"),
    OPT_INT(ask, 0, "trials", "N", how.trials, 1, 1000, "samples of topics for each pair",
            .usual = "4"),
    OPT_INT(ask, 0, "forecasts", "N", how.forecasts, 10, 10000,
            "simulated experiments for the interval of each pilot", .usual = "200"),
    OPT_REAL_OPEN(ask, 0, "alpha", "A", how.alpha, 0.0, 1.0, "level of the one-sided sign test",
                  .usual = "0.05"),
    OPT_PRICES(ask, how.prices, "topics that cost nothing"),
    OPT_INT(ask, 0, "rankings", "N", rankings, 1, 100000,
            "random rankings for each row of table moments", .usual = "10"),
    OPT_FORMATS(ask, from, "the judgments"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    if (q->from.judgments == NULL)
        return cmd_usage(err, "--qrels FILE is missing: the judgments");
    if (q->how.prices.judgment == IV_ZERO && !(q->how.prices.topic > 0.0))
        return cmd_usage(err, "a topic or a judgment must cost something");
    q->from.runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return iv_study_answer_judging(c->result, q, &c->work, err);
}

const cmd cmd_study_judging = {
    .name = "study judging",
    .group = "Studies",
    .summary = "try judging little on a judged collection",
    .operands = "RUN RUN...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Repeats the experiments of Carterette and Smucker (2007) on any collection, with its "
        "judgments as the truth. Judging starts from nothing.\n\n"
        "Tables: certainty, by confidence of the sign of a difference in mean average "
        "precision, how often the sign is right, and how often the signs of topics are (their "
        "figure 4); judgments, how many a confidence takes by number of topics, with the "
        "fitted model (figure 5), and model and fit, the model itself; costs, pilots' "
        "predictions beside what judging took, means over pairs (within: share of pairs that "
        "took no more than predicted; covered: share whose judgments were in the interval that "
        "plan pilot would give; certain: --topics topics to certainty), and trials, one "
        "row a pair (section 5.2); power, by true effect size, what the uncertainty should "
        "leave of it, what was observed, how often the sign test rejected, and the exact power "
        "of --topics certain topics (figures 7 and 8), for topics judged as the model of all "
        "pairs says (model), as each pilot says (pilot) and to certainty (certain); moments, "
        "plain and delta moments beside exact ones: error of the mean in standard deviations, "
        "and ratio of standard deviations.",
    .examples = (const cmd_example[]){
        { "intervale study judging --qrels qrels runs/*", "All pairs of runs." },
        { "intervale study judging --judge pool --relevance 0.5 --format tsv --table certainty "
          "--qrels qrels runs/*", "Their figure 4." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "calibration", "certainty", "judgments", "model", "fit", "costs",
                                     "trials", "power", "moments", NULL },
    .run = run,
};
