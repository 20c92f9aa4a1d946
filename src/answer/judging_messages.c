/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_private.h"

const iv_message iv_judging_messages[] = {
    /* sample */
    { "sample.to-judge", IV_NOTE, NULL,
      "{n} documents on {a} topics are to be judged, from the first {b} documents of each run. "
      "Scores will not count relevant documents below rank {b} (--depth)." },
    { "sample.census", IV_NOTE, NULL,
      "{n} topic[ has|s have] a frame smaller than the budget: all of it is to be judged." },
    { "sample.idle", IV_WARNING, NULL,
      "{n} topic[ has|s have] no document to judge." },
    { "sample.foreign", IV_WARNING, NULL,
      "{n} topics of {s} are in no run and are excluded." },
    /* eval of sampled judgments */
    { "sampled.outside", IV_WARNING, NULL,
      "Documents that a measure uses are outside the sampled frame and count as not relevant: "
      "{s}. The values are too low and have no interval. Judge these documents and merge the "
      "judgments (--also)." },
    { "sampled.fixed-ratio", IV_WARNING, NULL,
      "Measures that divide by the number of relevant documents have no interval for a fixed set "
      "of topics: in simulations the coverage of 95 % intervals was 19 % to 95 %. Use --infer "
      "new, or P@k." },
    { "sampled.few-relevant", IV_WARNING, NULL,
      "The sample has fewer than {n} relevant documents per topic: in simulations the coverage "
      "of 95 % intervals of AP was 83 % to 97 %, and the bias of AP was between -21 % and +4 %. "
      "Judge more documents (intervale plan sample)." },
    { "sampled.few-fixed", IV_WARNING, NULL,
      "The sample has fewer than {n} relevant documents per topic: in simulations the coverage "
      "of 95 % intervals of P@k for a fixed set of topics was 88 % to 93 %. Judge more "
      "documents, or use --infer new." },
    { "sampled.added", IV_WARNING, NULL,
      "Measures that divide by the number of relevant documents (AP, R-precision, nDCG) may be "
      "biased: their bias and coverage with added judgments are not known. P@k is not "
      "affected." },
    { "sampled.no-interval", IV_NOTE, NULL,
      "{n} of {a} values of a topic have no interval; column 'reason' says why." },
    /* plan sample */
    { "plan-sample.pilot", IV_WARNING, NULL,
      "The pilot is a sample, so budgets cannot be checked with it. In simulations, such plans "
      "asked for 0.4 to 2.2 times the budget needed." },
    { "plan-sample.unchecked", IV_NOTE, NULL,
      "The budgets are by formula; no sample checked them (--check)." },
    { "plan-sample.factor", IV_NOTE, NULL,
      "With {n} documents per topic, the standard error in simulated samples was {a} times the "
      "predicted one. Table 'curve' has predictions only." },
    { "plan-sample.outside", IV_WARNING, NULL,
      "{n} of the pilot's {s} relevant documents [is|are] not in the top {t} of any run. Neither "
      "the plan nor an estimate from the sample counts [it|them] (--depth)." },
    { "plan-sample.topics", IV_NOTE, NULL,
      "With everything judged, {n} topics leave a standard error of {a}." },
    /* next, incomplete */
    { "judging.sample", IV_WARNING, NULL,
      "The judgments are a sample. The confidence is for this fixed set of topics and ignores "
      "the inclusion probabilities. For a new sample of topics, use 'compare'." },
    { "judging.uneven", IV_WARNING, NULL,
      "Of the first 10 documents {a%} are judged for {s} and {b%} for {t}: such a confidence was "
      "often wrong in trials. Judge more documents of {t}." },
    { "judging.relevance", IV_WARNING, NULL,
      "Of the judged documents, a proportion of {a} is relevant, not {b}: the confidence may be "
      "far off. Use --relevance rank." },
    { "judging.labels", IV_NOTE, NULL,
      "{n} of {s} documents have an automatic label; their relevance is that of judged documents "
      "with the same label." },
    { "judging.unanswered", IV_NOTE, NULL,
      "{n} of the documents judged are not in the oracle and count as not relevant." },
    { "judging.fixed", IV_NOTE, NULL,
      "No further judgment can change the sign of a difference." },
    /* plan pilot, plan cost */
    { "pilot.uncertain", IV_WARNING, NULL,
      "{n} of {s} simulated experiments did not become certain and are excluded." },
    { "pilot.far", IV_WARNING, NULL,
      "{n} topics are far more than the pilot's {s}: no interval is given." },
    { "pilot.lower", IV_NOTE, NULL,
      "Plans with more topics and less certainty, as 'intervale plan cost' makes them, had less "
      "power in trials than promised: 0.34, not 0.585." },
    { NULL } };
