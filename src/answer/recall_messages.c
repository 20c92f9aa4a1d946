/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands about recall say beside their answers. */
#include "answer/recall_parts.h"

const iv_message iv_recall_messages[] = {
    { "recall.none-found", IV_WARNING, NULL,
      "No relevant document was found in the unretrieved sample, so the estimate is 100 %. Rely "
      "on the lower limit.", NULL },
    { "recall.few-found", IV_NOTE, NULL,
      "The unretrieved sample has only 1 relevant document, so the estimate of recall tends to "
      "be too high{s}. {t}",
      "The unretrieved sample has only {n} relevant documents, so the estimate of recall tends "
      "to be too high{s}. {t}" },
    { "recall.few-rows", IV_NOTE, NULL,
      "1 of {a} rows has fewer than 10 relevant documents in the unretrieved sample: its "
      "estimate tends to be too high. Rely on the lower limit.",
      "{n} of {a} rows have fewer than 10 relevant documents in the unretrieved sample: their "
      "estimates tend to be too high. Rely on the lower limits." },
    { "recall.prior", IV_NOTE, NULL,
      "The method's prior assumption contributes {s} of the estimated number of relevant "
      "documents, so the interval depends on it.{do} Judge more documents where few were sampled.",
      NULL },
    { "recall.not-guaranteed", IV_WARNING, NULL,
      "Not guaranteed: with guaranteed limits the answer is inconclusive (lower limit {s}).",
      NULL },
    { "recall.one-sided", IV_NOTE, NULL,
      "The answer is a claim in one direction and rests on the one-sided limit. The two-sided "
      "interval divides the same error between both ends, so each of its ends is farther out.",
      NULL },
    { "recall.certificate", IV_NOTE, NULL,
      "With guaranteed limits the answer is also {s}.{do} If you need a guarantee, report that "
      "answer (--guaranteed).",
      NULL },
    { "recall.more", IV_NOTE, NULL,
      "{do}Judging about {s} more {t} gives a conclusive answer with a chance of 50 % (intervale "
      "plan recall). Testing again then lowers the confidence, except with --anytime or planned "
      "interim analyses.", NULL },
    { "recall.coverage", IV_NOTE, NULL,
      "Coverage is {s} on average over true values of recall, not for each of them.{do} Use "
      "--guaranteed for a guarantee.",
      NULL },
    { "recall.interim", IV_NOTE, NULL,
      "At this interim analysis, each limit has a confidence of {s}. This keeps the error over "
      "all analyses at {t}.", NULL },
    { "recall.fixed-size", IV_NOTE, NULL,
      "The intervals in table 'measures' are for a sample of fixed size: do not use them to decide "
      "when to stop.", NULL },
    { "recall.elusion-more", IV_NOTE, NULL,
      "{do}With {s} more documents, none of them relevant, this test would have demonstrated "
      "that elusion is below {t}. Testing again then lowers the confidence, except with "
      "--anytime or planned interim analyses.", NULL },
    { "recall.missed", IV_NOTE, NULL,
      "Relevant documents that were missed: about {s}, at most {t}.", NULL },
    { "recall.elusion", IV_NOTE, NULL,
      "Elusion is not recall: if few documents are relevant, elusion and recall can both be "
      "small.{do} For recall, give --retrieved, too, and --target instead of --max-elusion.",
      NULL },
    { "plan.expected-limit", IV_NOTE, NULL,
      "An expected limit is missed about half the time. For a higher chance: --assurance 0.8.",
      NULL },
    { "plan.looks-error", IV_WARNING, NULL,
      "The confidences in the table are exact only for a normal statistic. With the default "
      "intervals of recall, measured error rates were up to 0.064 instead of the planned 0.05. "
      "With recall --guaranteed they are at most 0.05.", NULL },
    { "plan.looks-fixed", IV_NOTE, NULL,
      "This plan is valid only for these analyses at these fractions. For others, use --shape "
      "spend-obrien-fleming or spend-pocock. The fractions must not depend on the judgments.",
      NULL },
    { NULL } };
