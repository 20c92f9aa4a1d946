/* SPDX-License-Identifier: Apache-2.0 */
/* study -- experiments on the methods: one question, one table for all of them. */
#include "frame/cmd.h"
#include "study/study.h"

typedef iv_study_question ask;

#define STUDY_SIZE                                                            \
    OPT_INT(ask, 0, "replicates", "N", replicates, 1, 100000000,              \
            "number of simulations of each setting", .usual = "the study's own",         \
            .names_were = (const char *const[]){ "samples", "trials", "realisations", "draws", \
                                                 "reviews", "pairs", NULL }),         \
    OPT_FLAG(ask, 0, "quick", quick, "run only a twentieth of the simulations")
#define STUDY_SETTING                                                         \
    OPT_LIST(ask, 0, "setting", "TEXT", settings, "run only settings whose names begin with TEXT", \
             .names_were = (const char *const[]){ "scenario", NULL })
#define STUDY_METHOD                                                          \
    OPT_LIST(ask, 0, "method", "NAME", methods, "run only the method that the output calls NAME", \
             .names_were = (const char *const[]){ "methods", NULL })
#define STUDY_N(what, default_n)                                              \
    OPT_INTEGERS(ask, 0, "n", "N,...", n, 1, 64, 2.0, 1e6, what, .usual = default_n,  \
                 .names_were = (const char *const[]){ "judgments", "sizes", "at", "null-n", NULL })
#define STUDY_SCORES                                                          \
    OPT_STR(ask, 0, "matrix", "FILE", scores,                                  \
            "table of scores instead of simulated ones; systems x topics"),           \
    OPT_ENUM(ask, 0, "by", "WHAT", by, iv_score_rows, iv_score_rows_names,   \
             "meaning of a row of --matrix: a system or a topic")
#define STUDY_QRELS                                                           \
    OPT_STR(ask, 0, "qrels", "FILE", judgments,                                \
            "complete judgments of the documents of RUN. Used instead of a simulated collection")

static int run_study(cmd_context *c, iv_study_kind study, size_t least_runs, iv_err *err)
{
    ask *q = c->args;

    q->study = study;
    q->runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    if ((q->judgments != NULL) != (c->operand_count > 0))
        return cmd_usage(err, "--qrels FILE and RUN... go together");
    if (q->judgments != NULL && c->operand_count < least_runs)
        return cmd_usage(err, "%zu runs; expected %zu or more", c->operand_count, least_runs);
    return iv_study_answer(c->result, q, &c->work, err);
}

#define STUDY_COMMAND(id, kind, least_runs, ...)                              \
    static int run_##id(cmd_context *c, iv_err *err)                          \
    {                                                                         \
        return run_study(c, kind, least_runs, err);                           \
    }                                                                         \
    const cmd cmd_study_##id = {                                              \
        .name = "study " #id, .group = "Studies", .opts = opts_##id,          \
        CMD_ASKS(ask, confidence), \
        .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT, \
        .numbers_are_data = true, .run = run_##id, __VA_ARGS__ }

#define RATES                                                                 \
    "Table 'rates' has one row for each method and setting: the proportion of intervals that "    \
    "contain the truth (or of tests that reject), its standard error, how often the truth is " \
    "below and above, mean width and bias. Table 'summary' has the least, mean and largest rate "  \
    "of each method on each kind of data."
#define EXAMPLE(line, shows)                                                  \
    .examples = (const cmd_example[]){ { line, shows }, { NULL, NULL } }

static const opt opts_coverage[] = {
    OPT_LIST(ask, 0, "only", "PART", only,
             "run only this part, such as recall, prf or plans. The parts are recall, map, prf, "
             "power, sampling, judging, stopping, machine, plans, and others (AUC, agreement, "
             "rankings and clusters)"),
    STUDY_SETTING, STUDY_SIZE, OPT_END
};
STUDY_COMMAND(coverage, IV_STUDY_COVERAGE, 0,
    .summary = "measure the coverage of the default intervals",
    .operands = "",
    .description = "Measures the coverage of all default intervals on simulated data.\n\n"
        "It runs all studies, and simulations of what no study covers. doc/coverage.tsv contains "
        "the table 'rates' of this command.\n\n" RATES,
    EXAMPLE("intervale study coverage --only others --quick --format tsv",
            "Intervals of AUC, agreement, rankings and clusters, in seconds."));

static const opt opts_recall[] = {
    STUDY_SETTING, STUDY_METHOD, STUDY_SIZE, STUDY_QRELS,
    STUDY_N("numbers of top documents that count as retrieved", "100,500,1000"),
    OPT_LEVEL(ask, level), OPT_END
};
STUDY_COMMAND(recall, IV_STUDY_RECALL, 1,
    .summary = "measure the coverage of recall intervals",
    .operands = "[RUN]", .most = 1,
    .description = "Measures how often the recall intervals of each method contain the true "
                   "recall.\n\n"
                   "The populations are simulated: the neutral, legal and small scenarios of "
                   "Webber (2013), and strata sampled at unequal rates. With --qrels and RUN, each "
                   "ranking of RUN is a population: its top documents (--n) count as retrieved, "
                   "and 500 of all its documents are sampled.\n\n"
                   RATES,
    EXAMPLE("intervale study recall --setting small --quick",
            "The small collections of Webber (2013)."));

static const opt opts_map[] = {
    STUDY_SCORES, STUDY_N("number of topics in each sample", "5,10,20,50"), STUDY_METHOD,
    STUDY_SIZE, OPT_END
};
STUDY_COMMAND(map, IV_STUDY_MAP, 0,
    .summary = "measure the coverage of intervals on a mean over topics",
    .operands = "",
    .description = "Measures how often the interval from a sample of topics contains the mean of "
                   "all topics.\n\n"
                   "Each system's scores on all topics are a population, from which topics "
                   "(--n) are sampled without replacement (Park 2011). Without --matrix, scores "
                   "are simulated from six distributions: like AP, 0/1, like reciprocal ranks, "
                   "mostly zeros, lognormal, and exponential.\n\n"
                   RATES,
    EXAMPLE("intervale study map --matrix ap.csv --n 50 --method logit --method t",
            "Two methods for 50 topics."));

static const opt opts_prf[] = {
    STUDY_N("number of items", "10,20,50,100,200"), STUDY_METHOD, STUDY_SIZE, OPT_END
};
STUDY_COMMAND(prf, IV_STUDY_PRF, 0,
    .summary = "measure the coverage of intervals on precision and F",
    .operands = "",
    .description = "Measures how often intervals of precision, recall, F1, F2, MCC and balanced "
                   "accuracy contain the truth.\n\n"
                   "True rates are from 0.05 to 0.99. Coverage of precision, recall and F1 is "
                   "computed exactly, by a sum over all outcomes; the others are simulated.\n\n"
                   RATES,
    EXAMPLE("intervale study prf --n 20 --quick", "Samples of 20 items."));

static const opt opts_power[] = {
    STUDY_SCORES, STUDY_N("number of topics in each sample", "10,25,50"), STUDY_METHOD,
    STUDY_SIZE, OPT_END
};
STUDY_COMMAND(power, IV_STUDY_POWER, 0,
    .summary = "measure how often tests reject, rightly and wrongly",
    .operands = "",
    .description = "Measures how often tests reject when two systems are equally good, and when "
                   "they differ by a known effect.\n\n"
                   "The scores of many systems on many topics are a population, from which topics "
                   "are sampled. Sets of ten runs give the familywise error rate, and how often "
                   "rank intervals contain the true rank. The power of the one-sided sign test "
                   "is calculated, not simulated.\n\n" RATES,
    .about = (const char *const[]){ "confidence", "confidence of the tests: their level is 1 - P; "
                                    "95 and 95% mean 0.95", NULL },
    EXAMPLE("intervale study power --n 25 --replicates 20", "A first look at 25 topics."));

static const opt opts_sampling[] = {
    STUDY_QRELS, STUDY_SIZE,
    STUDY_N("numbers of judgments per topic to try", "20,60,100"), OPT_END
};
STUDY_COMMAND(sampling, IV_STUDY_SAMPLING, 2,
    .summary = "measure how well scores are estimated from sampled judgments",
    .operands = "[RUN RUN...]", .most = CMD_MANY,
    .description = "Measures how well mean scores from sampled judgments estimate those from "
        "complete judgments.\n\n"
        "From the top 100 documents of all runs, as many are sampled as pools of depth 1 to 10 "
        "contain (Aslam and Pavlu 2008). Table 'errors' has root mean square error, correlation "
        "and Kendall's tau of the estimates and, for comparison, of depth pools, infAP and "
        "bpref.\n\n" RATES,
    EXAMPLE("intervale study sampling --quick --qrels qrels runs/*", "On a collection of yours."));

static const opt opts_judging[] = { STUDY_QRELS, STUDY_SIZE, OPT_END };
STUDY_COMMAND(judging, IV_STUDY_JUDGING, 2,
    .summary = "measure how often a few judgments identify the better run",
    .operands = "[RUN RUN...]", .most = CMD_MANY,
    .description = "Measures how often a few judgments identify the better of two runs, how many "
        "judgments are needed, and the power of the sign test.\n\n"
        "The experiments are those of Carterette and Smucker (2007). Each replicate is another "
        "pair of runs. Table 'judgments' has the numbers of judgments.\n\n" RATES,
    EXAMPLE("intervale study judging --qrels qrels runs/*", "On a collection of yours."));

static const opt opts_stopping[] = {
    STUDY_SETTING, STUDY_SIZE,
    OPT_LIST(ask, 0, "ranking", "FILE", rankings,
             "replay published rules on this ranking. A CSV with a column "
             "'included' (1 or 0), the best document first, and perhaps 'review'. 'simulated': "
             "24 simulated reviews"),
    OPT_REAL_OPEN(ask, 0, "target", "R", target, 0.0, 1.0,
                  "with --ranking: recall to reach; 75, 75% and 0.75 are the same",
                  .usual = "0.8", .percent = true),
    OPT_END
};
STUDY_COMMAND(stopping, IV_STUDY_STOPPING, 0,
    .summary = "measure how often stopping rules end a review too early",
    .operands = "",
    .description = "Simulates reviews of known recall, and counts how often each stopping rule "
                   "says, rightly or wrongly, that recall is at least the target.\n\n"
                   "Documents are judged in random order. If the true recall is just below the "
                   "target, every stop is an error; if it is above, the proportion of stops is "
                   "the power, and column 'documents' is the cost.\n\n"
                   "With --ranking, published rules are replayed: where each would have stopped, "
                   "the recall, and how often its promise was kept (tables 'rules', 'reviews'). "
                   "A control document counts as found when the ranking reaches it.\n\n"
                   RATES,
    .about = (const char *const[]){ "confidence", "confidence of the rules: their error rate is "
                                    "1 - P; 95 and 95% mean 0.95", NULL },
    EXAMPLE("intervale study stopping --setting precise --replicates 20", "One setting."));

static const opt opts_machine[] = {
    STUDY_QRELS,
    OPT_LIST(ask, 0, "machine", "LABELS", machine.files,
             "automatic labels, in the format of qrels"),
    OPT_LIST(ask, 'm', "measure", "NAME", measures, "measure to estimate", .usual = "AP"),
    STUDY_N("number of topics with human judgments", "8,15,25,50"), STUDY_SIZE, OPT_END
};
STUDY_COMMAND(machine, IV_STUDY_MACHINE, 1,
    .summary = "measure the coverage of intervals with automatic labels",
    .operands = "[RUN...]", .most = CMD_MANY,
    .description = "Measures how often intervals from human and automatic labels contain the "
                   "true mean.\n\n"
                   "All topics are the population; samples of 50 or of 200 topics are taken from "
                   "it with replacement. Automatic labels are used for all sampled topics, human "
                   "judgments only for some of them (--n). Without files the labels are simulated; "
                   "their correlation with human judgments is 0.3, 0.6 or 0.9.\n\n"
                   RATES,
    EXAMPLE("intervale study machine --quick --machine full.qrels --qrels qrels runs/*",
            "Labels and judgments of yours."));

static const opt opts_plans[] = {
    STUDY_SCORES, STUDY_QRELS, STUDY_SETTING, STUDY_METHOD, STUDY_SIZE, OPT_END
};
STUDY_COMMAND(plans, IV_STUDY_PLANS, 2,
    .summary = "measure how often planned experiments succeed",
    .operands = "[RUN RUN...]", .most = CMD_MANY,
    .description = "Plans experiments with every 'plan' command, simulates each many times with a "
        "known truth, and counts how often it succeeds.\n\n"
        "Column 'nominal' is the promised probability of success. 'plan topics' and 'plan power' "
        "can use your scores (--matrix); 'plan sample', 'plan cost' and 'plan pilot' can use your "
        "judgments and runs (--qrels, RUN).\n\n"
        RATES,
    EXAMPLE("intervale study plans --matrix ap.csv --method \"plan topics\"",
            "Plans for the scores of a collection of yours."));

static const opt opts_judged[] = { STUDY_SETTING, STUDY_METHOD, STUDY_SIZE, OPT_END };
STUDY_COMMAND(judged, IV_STUDY_JUDGED, 0,
    .summary = "measure intervals from a judge's scores and human labels",
    .operands = "", .most = 0,
    .description = "Simulates two systems whose answers a judge scores, useless to perfect, and "
        "people label in part. Counts how often intervals contain the true mean and difference. "
        "The new system is worse by the margin, 0.05: every PASS is an error.\n\n" RATES,
    EXAMPLE("intervale study judged --quick --setting \"60 labels of 360\"",
            "Sixty labels, with few replicates."));

static const opt opts_gates[] = { STUDY_SETTING, STUDY_METHOD, STUDY_SIZE, OPT_END };
STUDY_COMMAND(gates, IV_STUDY_GATES, 0,
    .summary = "measure how often gates err",
    .operands = "", .most = 0,
    .description = "Simulates gates whose true value is exactly at the bound: every PASS or FAIL "
        "is then an error. Beside each, it measures how often a gate passes if nothing changed. "
        "The margin is 0.05.\n\n" RATES,
    EXAMPLE("intervale study gates --quick --table rates", "All gates, with few replicates."));

static const opt opts_watch[] = { STUDY_SETTING, STUDY_METHOD, STUDY_SIZE, OPT_END };
STUDY_COMMAND(watch, IV_STUDY_WATCH, 0,
    .summary = "measure false alarms and delays of 'watch'",
    .operands = "", .most = 0,
    .description = "Simulates series of nights without a change, where every alarm is false, and "
        "with a loss from night 31 on. Column 'documents' then has the mean number of nights until "
        "it is noticed (100 if it is not).\n\n" RATES,
    EXAMPLE("intervale study watch --quick --table rates", "All series, with few replicates."));
