/* SPDX-License-Identifier: Apache-2.0 */
/* What prf and roc have to say beside their answers: all words in one table. */
#include "classify/classify_messages.h"

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
    { "prf.rare-class", IV_WARNING, NULL,
      "With fewer than 10 items of a class, the coverage of 95 % intervals of averages over "
      "classes was 85 % to 92 % in simulations. Label more items of rare classes." },
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
      "The interval of AUC depends on few wrongly ranked items (effective number {s}): coverage "
      "of 95 % intervals was 70 % to 98 % in simulations. Label more items." },
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
    { "prf.gate-error", IV_WARNING, NULL,
      "With fewer than 10 items of a class, up to {a%} of gates on macro averages passed falsely "
      "in simulations. Label more items of rare classes." },
    { "roc.gate-error", IV_WARNING, NULL,
      "If a few positive items fell to the end of the ranking, up to {a%} of such gates passed "
      "falsely in simulations. 200 positive items are enough." },
    { "roc.threshold", IV_WARNING, "threshold",
      "The thresholds in table 'threshold' were chosen on these items: in simulations, 95 % "
      "intervals of measures at such thresholds had a coverage of only 87 % to 95 %. Test the "
      "thresholds on other items (intervale prf --threshold)." },
    { "roc.certain", IV_NOTE, "calibration",
      "{n} probabilit[y|ies] of 0 or 1 [is|are] excluded from the calibration slope and "
      "intercept." },
    { "roc.no-slope", IV_NOTE, "calibration",
      "{n} system[ has|s have] no calibration slope and intercept: the labels are separated by "
      "the probabilities, or these are all equal." },
    { "roc.clipped", IV_NOTE, NULL,
      "{n} [probability|predicted probabilities] of the true class [is|are] 0; the log loss uses "
      "1e-15 instead." },
    { NULL } };
