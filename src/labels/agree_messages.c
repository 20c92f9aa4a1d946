/* SPDX-License-Identifier: Apache-2.0 */
/* What agree says beside its answers: all words in one table. */
#include "labels/agree_messages.h"

const iv_message iv_agree_messages[] = {
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
