/* SPDX-License-Identifier: Apache-2.0 */
/* plan power -- topics, effect and power of a test. */
#include "frame/cmd.h"

typedef iv_plan_power_question question;

static const opt opts[] = {
    OPT_LIST(question, 0, "test", "TEST", tests,
             "test to plan (default t); normal is the sign test by the normal approximation",
             .names = iv_planned_test_names, .was = (const char *const[]){ "randomisation", "t",
                                                                           NULL }),
    OPT_INTEGERS(question, 0, "topics", "N,...", topics, 1, 64, 1.0, IV_PLAN_TOPICS_MAX,
                 "numbers of topics"),
    OPT_NUMBERS(question, 0, "effect", "H,...", effect, 1, 64, 0.0, 100.0,
                "effects in sd, or proportion won minus lost (sign). The standard deviation is "
                "that of the differences. For the tests sign and normal: the proportion of topics "
                "won minus the proportion lost, among topics that do not tie"),
    OPT_NUMBERS(question, 0, "difference", "D,...", difference, 1, 64, 0.0, 1e6,
                "mean differences in units of the measure; needs --sd"),
    OPT_REAL(question, 0, "sd", "S", sd, 0.0, 1e6,
             "standard deviation of the differences over topics; with it, effect sizes are also "
             "shown as differences"),
    OPT_NUMBERS(question, 0, "power", "P,...", power, 1, 64, 0.0, 1.0, "power to reach"),
    OPT_REAL_OPEN(question, 0, "alpha", "A", alpha, 0.0, 1.0, "significance level of the test",
                  .usual = "0.05"),
    OPT_INT(question, 0, "runs", "K", runs, 2, 100000,
            "number of runs, of which all pairs are tested. Alpha is divided by the "
            "number of pairs", .usual = "2"),
    OPT_REAL(question, 0, "ties", "T", ties, 0.0, 0.999,
             "proportion of topics that tie (not for wilcoxon)"),
    OPT_NUMBERS(question, 0, "certainty", "L,...", certainty, 1, 64, 0.5, 1.0,
                "probability that a topic's winner is identified; above 0.5",
                .usual = "1"),
    OPT_ENUM(question, 0, "sides", "HOW", sides, iv_sides, iv_sides_names,
             "sides of the test: one or two"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    return iv_answer_plan_power(c->result, c->args, &c->work, err);
}

const cmd cmd_plan_power = {
    .name = "plan power",
    .group = "Planning",
    .summary = "how many topics a test needs, or what it can detect",
    .operands = "",
    .description =
        "Computes the number of topics, the effect or the power of a test from the other two.\n\n"
        "The default is the two-sided t test; the default test of 'intervale compare' needs at "
        "most one topic more. The power of wilcoxon is that of a t test with 3 / pi of the "
        "topics; that of sign is exact. Lists of numbers give all combinations. Column "
        "'critical' is the value from which the test rejects.\n\n"
        "For all pairs of several runs (--runs), alpha is divided by the number of pairs. With "
        "incomplete judgments, the winner of a topic is identified correctly only with a "
        "probability c (--certainty): the mean shrinks by the factor 2c - 1, and about "
        "1 / (2c - 1)^2 times as many topics are needed; more for the t test, as wrong signs add "
        "variance.",
    .examples = (const cmd_example[]){
        { "intervale plan power --difference 0.05 --sd 0.2 --power 0.8",
          "How many topics find a difference of 0.05?" },
        { "intervale plan power --topics 50 --sd 0.2 --power 0.8 --runs 10",
          "The smallest difference that fifty topics find between any two of ten runs." },
        { "intervale plan power --test sign --sides one --topics 25,50,100 --effect 0.25,0.35,0.5",
          "The power of the one-sided sign test." },
        { "intervale plan power --effect 0.4 --power 0.8 --certainty 1,0.8",
          "How many topics, with complete and with incomplete judgments?" },
        { NULL, NULL } },
    .often = "topics effect difference sd power alpha test runs sides",
    .pages = "doc/methods/comparing.md",
    .opts = opts,
    .args_size = sizeof(question),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .run = run,
};
