/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first layer of help: for each command one paragraph, the options most people need and
 * where to read on; and the words that are no commands but that people look for.
 */
#include "frame/frame.h"

#include <string.h>

static const help_brief commands[] = {
    { "eval", "Scores of one or more systems, each with its interval, from judgments and runs or "
      "from any table of scores.",
      "measure complete level scores ci guaranteed per-topic machine also",
      "doc/measures.md, doc/methods/mean-intervals.md" },
    { "compare", "Tells which systems differ, by how much, and how sure that is. Two systems "
      "or many; the p-values of many pairs are corrected.",
      "measure baseline margin gate complete scores test correct groups",
      "doc/howto/paper.md, doc/gate.md, doc/methods/comparing.md" },
    { "incomplete", "Tells which of two runs is better, and with which probability, when only "
      "part of their documents are judged.", "baseline model depth level",
      "doc/methods/incomplete.md" },
    { "overlap", "Compares the rankings of runs without judgments: rank-biased overlap and tau_AP.",
      "persistence top depth", "doc/methods/rankings.md" },
    { "agree", "Measures agreement: of judges or automatic labels with a reference, or of two "
      "rankings of systems.", "orders reproduced measure level weights scale baseline",
      "doc/methods/rankings.md, doc/methods/machine.md" },
    { "measures", "Lists all measures, or explains those that are named.", "", "doc/measures.md" },
    { "prf", "Precision, recall, F and accuracy of classifiers from counts or labels, with "
      "intervals, and comparisons of classifiers.",
      "counts labels gold predictions positive metric compare paired guaranteed",
      "doc/methods/prf.md" },
    { "roc", "AUC, calibration and thresholds of classifiers that give scores.",
      "gold positive system choose bins", "doc/methods/scored.md" },
    { "recall", "Estimates recall and elusion of a review from sampled judgments, and tells "
      "whether a target is reached.",
      "retrieved unretrieved target guaranteed strata log anytime max-elusion one-sided",
      "doc/howto/certify.md, doc/howto/elusion.md, doc/methods/recall.md" },
    { "sample", "Chooses the documents to judge, at random with known probabilities, so that eval "
      "and compare can estimate scores from them.",
      "budget total depth design pool-depth judged machine", "doc/methods/sampling.md" },
    { "next", "Lists the documents to judge next so that the better of some runs is known soon.",
      "count write until depth", "doc/methods/incomplete.md" },
    { "judge new", "Makes a session in which people judge documents in a browser.",
      "design queue count depth documents topics grades assessors target", "doc/judging.md" },
    { "judge serve", "Serves a session of judging to browsers.", "port open listen", "doc/judging.md" },
    { "plan power", "Given two of topics, effect and power, tells the third.",
      "topics effect difference sd power alpha test", "doc/methods/comparing.md" },
    { "plan topics", "Tells how many topics a comparison like this needs.",
      "measure baseline power alpha scores", "doc/methods/comparing.md" },
    { "plan recall", "Tells how many documents to judge for a recall interval of given width.",
      "population retrieved recall precision width total target guaranteed",
      "doc/methods/recall.md" },
    { "plan elusion", "Tells how many unretrieved documents to judge to show that little was missed.",
      "population below accept elusion assurance", "doc/howto/elusion.md" },
    { "plan sample", "Tells how many judgments a topic a wanted precision takes.",
      "pilot goal se halfwidth depth topics", "doc/methods/sampling.md" },
    { "check", "Reads files as all commands do and lists what is wrong or unusual in them.",
      "judgments-format most", "doc/formats.md" },
    { "simulate", "Writes a test collection whose true scores are known.",
      "topics documents runs grades judged quality similarity", "doc/methods/simulation.md" },
    { NULL, NULL, NULL, NULL } };

static const struct {
    const char *word, *go, *page; /* word in lower case */
} words[] = {
    { "accuracy", "intervale prf --labels FILE", "doc/methods/prf.md" },
    { "alpha", "intervale agree --scale nominal TABLE", "doc/methods/rankings.md" },
    { "ap", "intervale eval -m AP QRELS RUN", "doc/measures.md" },
    { "asreview", "intervale recall --log FILE", "doc/methods/stopping.md" },
    { "auc", "intervale roc FILE", "doc/methods/scored.md" },
    { "benchmark", "intervale compare --scores FILE...", "doc/methods/clusters.md" },
    { "bootstrap", "intervale eval --ci NAME", "doc/methods/mean-intervals.md" },
    { "calibration", "intervale roc FILE --table calibration", "doc/methods/scored.md" },
    { "certify", "intervale recall --target 75% --guaranteed", "doc/howto/certify.md" },
    { "classifier", "intervale prf --labels FILE", "doc/methods/prf.md" },
    { "cluster", "intervale compare --scores FILE --columns cluster=NAME", "doc/methods/clusters.md" },
    { "confidence", "option --confidence of every command with intervals",
      "doc/methods/README.md" },
    { "elusion", "intervale recall --unretrieved N,n,r; intervale plan elusion",
      "doc/howto/elusion.md" },
    { "f1", "intervale prf --counts TP,FP,FN", "doc/methods/prf.md" },
    { "gate", "intervale compare --gate --baseline B --margin D", "doc/gate.md" },
    { "interval", "intervale eval --ci NAME", "doc/methods/mean-intervals.md" },
    { "kappa", "intervale agree REFERENCE LABELS", "doc/methods/machine.md" },
    { "latex", "intervale compare --table paper --format latex", "doc/howto/paper.md" },
    { "leaderboard", "intervale compare --scores FILE... --table runs", "doc/methods/clusters.md" },
    { "llm", "intervale eval --machine LABELS; intervale compare --scores FILE", "doc/methods/machine.md" },
    { "map", "intervale eval -m AP QRELS RUN", "doc/measures.md" },
    { "mcnemar", "intervale prf --labels FILE --paired", "doc/methods/prf.md" },
    { "ndcg", "intervale eval -m nDCG@10 QRELS RUN", "doc/measures.md" },
    { "noninferiority", "intervale compare --margin D", "doc/methods/comparing.md" },
    { "pool", "intervale sample --pool-depth N", "doc/methods/sampling.md" },
    { "power", "intervale plan power; intervale plan topics", "doc/methods/comparing.md" },
    { "precision", "intervale prf --counts TP,FP,FN; intervale eval -m P@10", "doc/methods/prf.md" },
    { "prevalence", "intervale recall --proportion N,n,r", "doc/methods/recall.md" },
    { "pvalue", "intervale compare QRELS RUN RUN", "doc/methods/comparing.md" },
    { "qrels", "intervale check FILE", "doc/formats.md" },
    { "rbo", "intervale overlap RUN RUN", "doc/methods/rankings.md" },
    { "review", "intervale recall; intervale judge new", "doc/howto/certify.md" },
    { "score", "intervale eval QRELS RUN; intervale eval --scores FILE", "doc/formats.md" },
    { "scores", "intervale eval --scores FILE; intervale compare --scores FILE", "doc/formats.md" },
    { "screening", "intervale recall --log FILE; intervale judge new", "doc/methods/stopping.md" },
    { "significance", "intervale compare QRELS RUN RUN", "doc/methods/comparing.md" },
    { "stopping", "intervale recall --log FILE --stop; intervale plan looks",
      "doc/methods/stopping.md" },
    { "tau", "intervale agree --orders A.csv B.csv; intervale overlap", "doc/methods/rankings.md" },
    { "threshold", "intervale roc FILE --choose GOAL", "doc/methods/scored.md" },
    { "trec_eval", "intervale eval -m official QRELS RUN --format trec", "doc/measures.md" },
    { "ttest", "intervale compare --test t QRELS RUN RUN", "doc/methods/comparing.md" },
};

const help_brief *topics_command(const char *name)
{
    for (const help_brief *b = commands; b->name != NULL; b++)
        if (strcmp(b->name, name) == 0)
            return b;
    return NULL;
}

/* The same but for case, "-" and "_". */
static bool same(const char *word, const char *given)
{
    for (; *given != '\0'; given++) {
        const char c = *given >= 'A' && *given <= 'Z' ? (char)(*given + 32) : *given;
        if (c == '-' || (c == '_' && *word != '_'))
            continue;
        if (*word++ != c)
            return false;
    }
    return *word == '\0';
}

bool topics_word(const char **go, const char **page, const char *given)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (same(words[i].word, given)) {
            *go = words[i].go;
            *page = words[i].page;
            return true;
        }
    return false;
}
