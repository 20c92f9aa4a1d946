/* SPDX-License-Identifier: Apache-2.0 */
/* What prf, roc and agree have to say beside their answers: all words in one table. */
#include "answer/answer_private.h"

const iv_message iv_classify_messages[] = {
    /* prf */
    { "prf.one-matrix", IV_ERROR, NULL,
      "FP and FN have the same sum, as in one confusion matrix. If so, intervals of macro "
      "averages are too narrow (95 % intervals cover 86 %); use --labels." },
    { "prf.no-average-interval", IV_NOTE, NULL,
      "{n} average[ has|s have] no interval, as [its|their] variance cannot be estimated: see "
      "accuracy." },
    { "prf.few", IV_WARNING, NULL,
      "With only {n} items, the coverage of 95 % intervals of averages and of MCC was 88 % to 98 "
      "% in simulations. Label more items." },
    { "prf.linearised", IV_WARNING, NULL,
      "Items with the same automatic label were chosen with different probabilities. If few of an "
      "automatic label's human labels are positive, intervals are too narrow: coverage of 95 % "
      "intervals was 56 % to 92 % in simulations." },
    { "prf.percentages", IV_ERROR, NULL,
      "Scores go up to {a}, but the threshold is at most 1. If scores are percentages, give a "
      "percentage." },
    { "prf.reversed", IV_ERROR, NULL,
      "{s} is right on {a%} of the items, and on {b%} with its two labels exchanged: are they "
      "reversed?" },
    { "prf.nothing-returned", IV_NOTE, NULL,
      "Precision is 0/0 for {s}, because nothing is labelled positive. Its interval is {t}; "
      "averages count it as 0, or omit it if no gold label is positive either." },
    { "prf.nothing-relevant", IV_NOTE, NULL,
      "Recall is 0/0 for {s}, because no gold label is positive. Its interval is {t}; "
      "averages count it as 0, or omit it if nothing is labelled positive either." },
    { "prf.least-coverage", IV_WARNING, NULL,
      "For some true values, coverage of these {a%} intervals can be as low as {b%}. With "
      "--guaranteed, coverage is at least {a%} for every true value." },
    { "prf.few-discordant", IV_WARNING, NULL,
      "The systems differ on {n} item[|s] only: McNemar's p is approximate." },
    { "prf.different-items", IV_NOTE, NULL,
      "The systems are treated as evaluated on different items; for the same items, give --labels "
      "and --paired." },
    /* roc */
    { "roc.complements", IV_ERROR, NULL,
      "{s} and {t} add up to 1 on every item, like the two classes of one classifier: comparing "
      "them is meaningless." },
    { "roc.labels", IV_ERROR, NULL,
      "'{s}' has only two values. They look like predicted labels, and AUC needs scores: use "
      "intervale prf --labels." },
    { "roc.few", IV_WARNING, NULL,
      "One class has {n} item[|s] only: the coverage of 95 % intervals of an AUC was 86 % to 98 "
      "% in simulations. Label more items of that class." },
    { "roc.few-positives", IV_WARNING, NULL,
      "AP rests on {n} positive item[|s]: the coverage of such 95 % intervals was 98 % to 100 % "
      "in simulations; they are wider than needed. AUC intervals are closer to 95 %." },
    { "roc.selected", IV_NOTE, NULL,
      "The highest of several AUCs tends to be too high, and so does its interval. The "
      "comparisons of pairs are corrected for this." },
    { "roc.few-losses", IV_WARNING, NULL,
      "With so few items, the coverage of 95 % intervals of Brier score and log loss was 79 % to "
      "94 % in simulations. Coverage is higher with 'eval --scores --ci bootstrap-t' on the loss "
      "of each item." },
    { "roc.threshold", IV_WARNING, "threshold",
      "The thresholds in table 'threshold' were chosen on these items: in simulations, 95 % "
      "intervals of measures at such thresholds had a coverage of only 87 % to 95 %. Test the "
      "thresholds on other items (intervale prf --threshold)." },
    { "roc.near-one", IV_WARNING, NULL,
      "Few items are ranked wrongly: the coverage of 95 % intervals of AUC was 96 % to 100 % in "
      "simulations; they are wider than needed. Compare errors at a threshold (intervale prf "
      "--threshold --paired)." },
    { "roc.clipped", IV_NOTE, NULL,
      "{n} [probability|predicted probabilities] of the true class [is|are] 0; the log loss uses "
      "1e-15 instead." },
    /* agree */
    { "agree.few-kappa", IV_WARNING, NULL,
      "{n} kappa[ has|s have] fewer than {a} items of some label, or fewer than {b} "
      "disagreements: the coverage of such 95 % intervals was 71 % to 100 % in simulations.[| "
      "Label more items.]" },
    { "agree.few-alpha", IV_WARNING, NULL,
      "Few items have a rare label (fewer than {n} per assessor), and {a} have disagreements: the "
      "coverage of alpha's 95 % interval may be below 90 %." },
    { "agree.codes", IV_ERROR, NULL,
      "The {n} labels are treated as ordered grades; if they are codes of classes use --scale "
      "nominal." },
    { "agree.words", IV_ERROR, NULL,
      "{n} of {a} labels used [is|are] not [a number|numbers] ({s}), so all count as words; if "
      "[it is a slip|they are slips], correct [it|them]." },
    { "agree.reversed", IV_ERROR, NULL,
      "{s} and {t} disagree more than by chance: does one of them use the labels the other way "
      "round?" },
    { "agree.weights", IV_NOTE, NULL,
      "--weights applies to table 'kappas'; what alpha counts is set by --scale ({s})." },
    { "agree.no-alpha-interval", IV_NOTE, NULL, "Alpha has no interval: {s}." },
    { "agree.constant", IV_ERROR, NULL,
      "Kappa is undefined: one of the two assessors uses one label only." },
    { "agree.some-constant", IV_WARNING, NULL,
      "Kappa is undefined for {n} pair[|s]: one of the two uses one label only." },
    { "agree.apart", IV_NOTE, NULL,
      "{n} pair[|s] of assessors [has|have] no item in common." },
    { "agree.excluded", IV_NOTE, NULL,
      "Columns taken as assessors: {s}; excluded, since they share no label with others: {t}." },
    { "agree.columns", IV_NOTE, NULL, "Columns taken as assessors: {s}." },
    { "agree.folded", IV_NOTE, NULL,
      "{n} label[|s] differ[s|] from [another|others] in case only and count[s|] as the same." },
    { "agree.few-differ", IV_WARNING, NULL,
      "The rmse of {n} system[|s] depends mostly on a few topics: the coverage of such 95 % "
      "intervals was 68 % to 89 % in simulations. Coverage is higher with 'eval --scores --ci "
      "bootstrap-t' on the squared differences." },
    { "agree.left-systems", IV_NOTE, NULL,
      "{n} system[|s] [is|are] excluded, because only one of two sets of scores has [it|them]." },
    { "agree.left-topics", IV_NOTE, NULL,
      "{n} of {a} topics [is|are] excluded: not all systems have both scores there." },
    { "agree.one-value", IV_NOTE, NULL,
      "There is one value of each system, so no pair of systems can be tested." },
    { "agree.no-ratio", IV_NOTE, NULL,
      "{n} effect ratio[ has|s have] no interval: the original effect is not significantly "
      "different from 0." },
    { NULL } };
