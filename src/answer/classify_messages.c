/* SPDX-License-Identifier: Apache-2.0 */
/* What prf, roc and agree have to say beside their answers: all words in one table. */
#include "answer/answer_private.h"

const iv_message iv_classify_messages[] = {
    /* prf */
    { "prf.one-matrix", IV_ERROR, NULL,
      "FP and FN have the same sum, as in one confusion matrix. If so, intervals of macro "
      "averages are too narrow (95 % intervals cover 86 %); use --labels.", NULL },
    { "prf.no-average-interval", IV_NOTE, NULL,
      "{n} average has no interval, since no error was seen: see accuracy.",
      "{n} averages have no interval, since no error was seen: see accuracy." },
    { "prf.few", IV_WARNING, NULL,
      "With only {n} items, the coverage of 95 % intervals of averages and of MCC was 88 % to 98 "
      "% in simulations. Label more items.", NULL },
    { "prf.percentages", IV_ERROR, NULL,
      "Scores go up to {a}, but the threshold is at most 1. If scores are percentages, give a "
      "percentage.", NULL },
    { "prf.reversed", IV_ERROR, NULL,
      "{s} is right on {a%} of the items, and on {b%} with its two labels exchanged: are they "
      "reversed?", NULL },
    { "prf.nothing-returned", IV_NOTE, NULL,
      "Precision is 0/0 where nothing was returned ({s}): its interval is the prior's, and "
      "averages count it as 0.", NULL },
    { "prf.nothing-relevant", IV_NOTE, NULL,
      "Recall is 0/0 where no item is relevant ({s}): its interval is the prior's, and averages "
      "count it as 0.", NULL },
    { "prf.least-coverage", IV_WARNING, NULL,
      "The coverage of the {a%} interval of {s} is only {b%} for some true values. With "
      "--guaranteed, it is at least {a%} for every true value.", NULL },
    { "prf.few-discordant", IV_WARNING, NULL,
      "The systems differ on {n} item only: McNemar's p is approximate.",
      "The systems differ on {n} items only: McNemar's p is approximate." },
    { "prf.different-items", IV_NOTE, NULL,
      "The systems are treated as evaluated on different items; for the same items use --paired "
      "with labels.", NULL },
    /* roc */
    { "roc.complements", IV_ERROR, NULL,
      "{s} and {t} add up to 1 on every item, like the two classes of one classifier: comparing "
      "them is meaningless.", NULL },
    { "roc.labels", IV_ERROR, NULL,
      "'{s}' has only two values. They look like predicted labels, and AUC needs scores: use "
      "intervale prf --labels.", NULL },
    { "roc.few", IV_WARNING, NULL,
      "One class has {n} item only: the coverage of 95 % intervals of an AUC was 86 % to 98 % in "
      "simulations. Label more items of that class.",
      "One class has {n} items only: the coverage of 95 % intervals of an AUC was 86 % to 98 % "
      "in simulations. Label more items of that class." },
    { "roc.few-positives", IV_WARNING, NULL,
      "AP rests on {n} positive item: the coverage of such 95 % intervals was 98 % to 100 % in "
      "simulations; they are wider than needed. AUC intervals are closer to 95 %.",
      "AP rests on {n} positive items: the coverage of such 95 % intervals was 98 % to 100 % in "
      "simulations; they are wider than needed. AUC intervals are closer to 95 %." },
    { "roc.selected", IV_NOTE, NULL,
      "The highest of several AUCs tends to be too high, and so does its interval. The "
      "comparisons of pairs are corrected for this.", NULL },
    { "roc.few-losses", IV_WARNING, NULL,
      "With so few items, the coverage of 95 % intervals of Brier score and log loss was 79 % to "
      "94 % in simulations. Coverage is higher with 'eval --scores --ci bootstrap-t' on the loss "
      "of each item.", NULL },
    { "roc.threshold", IV_WARNING, "threshold",
      "The coverage of 95 % intervals at a chosen threshold was 87 % to 95 % in simulations. "
      "Test the threshold on other items (prf --threshold).", NULL },
    { "roc.near-one", IV_WARNING, NULL,
      "Few items are ranked wrongly: the coverage of 95 % intervals of AUC was 96 % to 100 % in "
      "simulations; they are wider than needed. Compare errors at a threshold (prf --threshold "
      "--paired).", NULL },
    { "roc.clipped", IV_NOTE, NULL,
      "{n} probability of the true class is 0; the log loss uses 1e-15 instead.",
      "{n} predicted probabilities of the true class are 0; the log loss uses 1e-15 instead." },
    /* agree */
    { "agree.few-kappa", IV_WARNING, NULL,
      "{n} kappa has fewer than {a} items of some label, or fewer than {b} disagreements: the "
      "coverage of such 95 % intervals was 71 % to 100 % in simulations.",
      "{n} kappas have fewer than {a} items of some label, or fewer than {b} disagreements: the "
      "coverage of such 95 % intervals was 71 % to 100 % in simulations. Label more items." },
    { "agree.few-alpha", IV_WARNING, NULL,
      "Only {n} item has another label than the most common one, with {a} disagreements: the "
      "coverage of alpha's 95 % interval may be below 90 %.",
      "Only {n} items have another label than the most common one, with {a} disagreements: the "
      "coverage of alpha's 95 % interval may be below 90 %." },
    { "agree.codes", IV_ERROR, NULL,
      "The {n} labels are treated as ordered grades; if they are codes of classes use --scale "
      "nominal.", NULL },
    { "agree.reversed", IV_ERROR, NULL,
      "{s} and {t} disagree more than by chance: does one of them use the labels the other way "
      "round?", NULL },
    { "agree.weights", IV_NOTE, NULL,
      "--weights applies to table 'kappas'; what alpha counts is set by --scale ({s}).", NULL },
    { "agree.no-alpha-interval", IV_NOTE, NULL, "Alpha has no interval: {s}.", NULL },
    { "agree.constant", IV_ERROR, NULL,
      "Kappa is undefined for {n} pair: one of the two uses one label only.",
      "Kappa is undefined for {n} pairs: one of the two uses one label only." },
    { "agree.apart", IV_NOTE, NULL, "{n} pair of assessors has no item in common.",
      "{n} pairs of assessors have no item in common." },
    { "agree.excluded", IV_NOTE, NULL,
      "Columns taken as assessors: {s}; excluded, since they share no label with others: {t}.",
      NULL },
    { "agree.columns", IV_NOTE, NULL, "Columns taken as assessors: {s}.", NULL },
    { "agree.folded", IV_NOTE, NULL,
      "{n} label differs from another in case only and counts as the same.",
      "{n} labels differ from others in case only and count as the same." },
    { "agree.few-differ", IV_WARNING, NULL,
      "The rmse of {n} system depends mostly on a few topics: the coverage of such 95 % "
      "intervals was 68 % to 89 % in simulations. Coverage is higher with 'eval --scores --ci "
      "bootstrap-t' on the squared differences.",
      "The rmse of {n} systems depends mostly on a few topics: the coverage of such 95 % "
      "intervals was 68 % to 89 % in simulations. Coverage is higher with 'eval --scores --ci "
      "bootstrap-t' on the squared differences." },
    { "agree.left-systems", IV_NOTE, NULL, "{n} system that only one side has is excluded.",
      "{n} systems that only one side has are excluded." },
    { "agree.left-topics", IV_NOTE, NULL,
      "{n} of {a} topics is excluded: not all systems have both scores there.",
      "{n} of {a} topics are excluded: not all systems have both scores there." },
    { "agree.one-value", IV_NOTE, NULL,
      "There is one value of each system, so no pair of systems can be tested.", NULL },
    { "agree.no-ratio", IV_NOTE, NULL,
      "{n} effect ratio has no interval: the original effect is not significantly different from "
      "0.",
      "{n} effect ratios have no interval: the original effect is not significantly different from "
      "0." },
    { NULL } };
