/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of samples, their plans and estimates from them: all words in one table. */
#include "sampling/sampling_messages.h"

const iv_message iv_sampling_messages[] = {
    /* sample */
    { "sample.to-judge", IV_NOTE, NULL,
      "{n} document[|s] on {a} topics [is|are] to be judged, from the first {b} documents of each "
      "run. Scores will not count relevant documents below rank {b} (--depth)." },
    { "sample.census", IV_NOTE, NULL,
      "{n} topic[ has|s have] a frame smaller than the budget: all of it is to be judged." },
    { "sample.foreign", IV_WARNING, NULL,
      "{n} topic[|s] of {s} [is|are] in no run and [is|are] excluded." },
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
      "{n} of {a} sampled topics [has|have] fewer than {b} relevant documents in the sample: in "
      "simulations AP was then biased by -21 % to +4 %, nDCG by +4 % to +11 %, and 95 % intervals "
      "of AP covered 83 % to 97 %." },
    { "sampled.unseen", IV_WARNING, NULL,
      "{n} of {a} topics [has|have] no relevant document in the sample and count[s|] as 0. {s} "
      "{t}. Use P@k, or judge more documents (intervale plan sample)." },
    { "sampled.few-fixed", IV_WARNING, NULL,
      "{n} of {a} sampled topics [has|have] fewer than {b} relevant documents in the sample: in "
      "simulations the coverage of 95 % intervals of P@k for a fixed set of topics was 88 % to "
      "93 %. Judge more documents, or use --infer new." },
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
    { NULL } };
