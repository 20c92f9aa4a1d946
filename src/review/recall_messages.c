/* SPDX-License-Identifier: Apache-2.0 */
/* What recall and its plans say beside their answers: all words in one table. */
#include "review/recall.h"

const iv_message iv_recall_messages[] = {
    { "recall.none-found", IV_WARNING, NULL,
      "No relevant document was found in the unretrieved sample, so the estimate is 100 %. Rely "
      "on the lower limit." },
    { "recall.few-found", IV_NOTE, NULL,
      "The unretrieved sample has only {n} relevant document[|s], so the estimate of recall "
      "tends to be too high{s}. {t}" },
    { "recall.few-rows", IV_NOTE, NULL,
      "{n} of {a} estimates [tends|tend] to be too high, because the unretrieved sample has few "
      "relevant documents. Rely on the lower limit[|s]." },
    { "recall.prior", IV_NOTE, NULL,
      "The method's prior matters here: {s} of the expected number of relevant documents comes "
      "from it, not from judgments.{do} Judge more documents." },
    { "recall.not-guaranteed", IV_WARNING, NULL,
      "Not guaranteed: with guaranteed limits the answer is inconclusive (lower limit {s})." },
    { "recall.one-sided", IV_NOTE, NULL,
      "The answer is a claim in one direction and rests on the one-sided limit. The two-sided "
      "interval divides the same error between both ends, so each of its ends is farther out." },
    { "recall.certificate", IV_NOTE, NULL,
      "Limits with guaranteed coverage also give the answer {s}.{do} Report those (--guaranteed) "
      "if you need the guarantee." },
    { "recall.more", IV_NOTE, NULL,
      "{do}Judging about {s} more {t} gives a conclusive answer with a chance of 50 % (intervale "
      "plan recall). Testing again lowers the confidence, except with --anytime or "
      "planned interim analyses." },
    { "recall.family-part", IV_NOTE, NULL,
      "{n} document[ of a sampled family is|s of sampled families are] not judged; they are taken "
      "to be like those of their kind that are." },
    { "recall.coverage", IV_NOTE, NULL,
      "The interval's coverage is {s} on average over possible values of true recall, lower "
      "for some.{do} Use --guaranteed for a guarantee." },
    { "recall.interim", IV_NOTE, NULL,
      "At this interim analysis, each limit has a confidence of {s}. This keeps the error over "
      "all analyses at {t}." },
    { "recall.fixed-size", IV_NOTE, NULL,
      "The intervals in table 'measures' are for a sample of fixed size: do not use them to decide "
      "when to stop." },
    { "recall.elusion-more", IV_NOTE, NULL,
      "{do}With {s} more documents, none of them relevant, this test would have demonstrated "
      "that elusion is below {t}. A second test lowers the confidence." },
    { "recall.missed", IV_NOTE, NULL,
      "Relevant documents that were missed: about {s}, at most {t}." },
    { "recall.elusion", IV_NOTE, NULL,
      "Elusion is not recall: if few documents are relevant, elusion and recall can both be "
      "small.{do} For recall, give --retrieved, too, and --target instead of --max-elusion." },
    { "plan.expected-limit", IV_NOTE, NULL,
      "An expected limit is missed about half the time. For a higher chance: --assurance 0.8." },
    { "plan.looks-error", IV_WARNING, NULL,
      "The confidences in the table are exact only for a normally distributed estimate. With the "
      "default intervals of recall, measured error rates were up to 0.064 instead of a planned "
      "0.05.{do} With 'intervale recall --guaranteed', they are at most {s}." },
    { "plan.looks-fixed", IV_NOTE, NULL,
      "This plan is valid only for these analyses at these fractions. For others, use --shape "
      "spend-obrien-fleming or spend-pocock. The fractions must not depend on the judgments." },
    { NULL } };

void iv_recall_say(iv_result *out, const char *id, size_t count, const char *s, const char *t)
{
    iv_result_say(out, iv_recall_messages, id, (iv_found){ count, { 0.0 }, { s, t } });
}
