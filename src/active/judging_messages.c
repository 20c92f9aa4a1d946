/* SPDX-License-Identifier: Apache-2.0 */
/* What next, incomplete, plan pilot and plan cost say beside their answers. */
#include "active/judging_messages.h"

const iv_message iv_judging_messages[] = {
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
    { "judging.measured", IV_NOTE, NULL,
      "In trials with complete judgments, a stated probability of 0.95 was right for 85 % to 98 % "
      "of the pairs of a collection." },
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
