/* SPDX-License-Identifier: Apache-2.0 */
/* Words that are no commands but that people look for. */
#include "frame/frame.h"

/* A word in lower case, what to run, where to read. */
static const char *const words[][3] = {
    { "accuracy", "intervale prf --labels FILE", "doc/methods/prf.md" },
    { "alpha", "intervale agree --scale nominal TABLE", "doc/methods/rankings.md" },
    { "ap", "intervale eval -m AP QRELS RUN", "doc/measures.md" },
    { "asreview", "intervale judge new SESSION --queue REFERENCES.ris", "doc/howto/systematic.md" },
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
    { "noninferiority", "intervale compare --margin D; intervale plan gate",
      "doc/methods/comparing.md" },
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
        if (same(words[i][0], given)) {
            *go = words[i][1];
            *page = words[i][2];
            return true;
        }
    return false;
}
