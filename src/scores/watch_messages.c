/* SPDX-License-Identifier: Apache-2.0 */
/* What watch says beside its answer. */
#include "scores/watching.h"

const iv_message iv_watch_messages[] = {
    { "watch.lost-items", IV_WARNING, NULL,
      "The last night ({s}) lacks {n} of {a} items of the baseline: a loss on [it|them] is not "
      "seen. Use -c to count [it|them] as 0." },
    { "watch.baseline-changed", IV_WARNING, NULL,
      "The scores of the baseline changed {n} time[|s], first on {s}. Use --since {s} if it was "
      "replaced." },
    { "watch.shift", IV_WARNING, NULL,
      "Whole nights vary together (p = {b}, standard deviation {a}); the limits allow for it. "
      "Running the baseline every night removes what both share." },
    { "watch.equal", IV_WARNING, NULL,
      "All differences of the last night are equal, so there is no test. State the range of "
      "scores by --range LOW,HIGH." },
    { "watch.few-nights", IV_NOTE, NULL,
      "With {n} night[|s], a shift of a whole night looks like a loss. Running the "
      "baseline every night prevents this." },
    { "watch.earlier", IV_NOTE, NULL,
      "{n} earlier night[|s] raised an alarm, the last one {s}. Use --since NIGHT after a "
      "repair." },
    { "watch.new-items", IV_NOTE, NULL,
      "{n} item[ is|s are] not in the baseline and [is|are] not compared." },
    { "watch.missing-nights", IV_NOTE, NULL,
      "{n} date[|s] between {s} and {t} [has|have] no scores." },
    { "watch.equal-nights", IV_NOTE, NULL,
      "{n} night[ has|s have] exactly the scores of the night before: check that [it was|they "
      "were] run again." },
    { NULL } };
