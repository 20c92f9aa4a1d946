/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first layer of help: for each command the options most people need and
 * where to read on; and the words that are no commands but that people look for.
 */
#include "frame/frame.h"

#include <string.h>

static const help_brief commands[] = {
    { "eval", "measure complete level scores ci guaranteed per-topic machine also",
      "doc/measures.md, doc/methods/mean-intervals.md" },
    { "compare", "measure baseline margin gate complete scores test correct groups",
      "doc/howto/paper.md, doc/gate.md, doc/methods/comparing.md" },
    { "incomplete", "baseline depth level",
      "doc/methods/incomplete.md" },
    { "overlap", "persistence top depth",
      "doc/methods/rankings.md" },
    { "agree", "orders reproduced measure level weights scale baseline",
      "doc/methods/rankings.md, doc/methods/machine.md" },
    { "measures", "",
      "doc/measures.md" },
    { "prf", "counts labels gold predictions positive metric compare paired guaranteed",
      "doc/methods/prf.md" },
    { "prefer", "columns judge position", "doc/methods/preferences.md" },
    { "roc", "gold positive system choose bins",
      "doc/methods/scored.md" },
    { "recall", "retrieved unretrieved target guaranteed strata log anytime max-elusion one-sided",
      "doc/howto/certify.md, doc/howto/elusion.md, doc/methods/recall.md" },
    { "sample", "budget total depth design pool-depth judged machine",
      "doc/methods/sampling.md" },
    { "next", "count write until depth",
      "doc/methods/incomplete.md" },
    { "judge new", "design queue documents topics grades assessors target stop control",
      "doc/judging.md" },
    { "judge serve", "port open listen",
      "doc/judging.md" },
    { "plan power", "topics effect difference sd power alpha test",
      "doc/methods/comparing.md" },
    { "plan topics", "measure baseline power alpha scores",
      "doc/methods/comparing.md" },
    { "plan recall", "population retrieved recall precision width total target guaranteed",
      "doc/methods/recall.md" },
    { "plan elusion", "population below accept elusion assurance",
      "doc/howto/elusion.md" },
    { "plan sample", "pilot goal se halfwidth depth topics",
      "doc/methods/sampling.md" },
    { "check", "judgments-format most",
      "doc/formats.md" },
    { "simulate", "topics documents runs grades judged quality similarity",
      "doc/methods/simulation.md" },
    { NULL, NULL, NULL } };

static const struct {
    const char *word, *go, *page; /* word in lower case */
} words[] = {
    { "accuracy", "intervale prf --labels FILE", "doc/methods/prf.md" },
    { "alpha", "intervale agree --scale nominal TABLE", "doc/methods/rankings.md" },
    { "ap", "intervale eval -m AP QRELS RUN", "doc/measures.md" },
    { "asreview", "intervale judge new FILE --queue REFERENCES.ris", "doc/howto/systematic.md" },
    { "auc", "intervale roc FILE", "doc/methods/scored.md" },
    { "benchmark", "intervale compare --scores FILE...", "doc/methods/clusters.md" },
    { "bootstrap", "intervale eval --ci NAME", "doc/methods/mean-intervals.md" },
    { "calibration", "intervale roc FILE --table calibration", "doc/methods/scored.md" },
    { "certify", "intervale recall --target 75% --guaranteed", "doc/howto/certify.md" },
    { "classifier", "intervale prf --labels FILE", "doc/methods/prf.md" },
    { "cluster", "intervale compare --scores FILE --columns cluster=NAME",
      "doc/methods/clusters.md" },
    { "confidence", "option --confidence of commands with intervals",
      "doc/methods/README.md" },
    { "elusion", "intervale recall --unretrieved N,n,r; intervale plan elusion",
      "doc/howto/elusion.md" },
    { "f1", "intervale prf --counts TP,FP,FN", "doc/methods/prf.md" },
    { "gate", "intervale compare --gate --baseline B --margin D", "doc/gate.md" },
    { "interval", "intervale eval --ci NAME", "doc/methods/mean-intervals.md" },
    { "kappa", "intervale agree REFERENCE LABELS", "doc/methods/machine.md" },
    { "latex", "intervale compare --table paper --format latex", "doc/howto/paper.md" },
    { "leaderboard", "intervale compare --scores FILE... --table runs; intervale prefer VOTES",
      "doc/methods/preferences.md" },
    { "llm", "intervale eval --machine LABELS; intervale compare --scores FILE",
      "doc/howto/llm-labels.md" },
    { "map", "intervale eval -m AP QRELS RUN", "doc/measures.md" },
    { "mcnemar", "intervale prf --labels FILE --paired", "doc/methods/prf.md" },
    { "ndcg", "intervale eval -m nDCG@10 QRELS RUN", "doc/measures.md" },
    { "noninferiority", "intervale compare --margin D", "doc/methods/comparing.md" },
    { "pool", "intervale sample --pool-depth N", "doc/methods/sampling.md" },
    { "power", "intervale plan power; intervale plan topics", "doc/methods/comparing.md" },
    { "precision", "intervale prf --counts TP,FP,FN; intervale eval -m P@10",
      "doc/methods/prf.md" },
    { "prevalence", "intervale recall --proportion r,n", "doc/methods/recall.md" },
    { "pvalue", "intervale compare QRELS RUN RUN", "doc/methods/comparing.md" },
    { "qrels", "intervale check FILE", "doc/formats.md" },
    { "rbo", "intervale overlap RUN RUN", "doc/methods/rankings.md" },
    { "review", "intervale recall; intervale judge new", "doc/howto/certify.md" },
    { "score", "intervale eval QRELS RUN; intervale eval --scores FILE", "doc/formats.md" },
    { "scores", "intervale eval --scores FILE; intervale compare --scores FILE", "doc/formats.md" },
    { "screening", "intervale judge new; intervale recall --control", "doc/howto/systematic.md" },
    { "significance", "intervale compare QRELS RUN RUN", "doc/methods/comparing.md" },
    { "stopping", "intervale recall --log FILE --anytime; intervale plan looks",
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
