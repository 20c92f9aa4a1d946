/* SPDX-License-Identifier: Apache-2.0 */
/* Options of eval and compare that have no effect without runs, automatic labels or measures. */
#ifndef IV_ANSWER_REFUSED_H
#define IV_ANSWER_REFUSED_H

#include "base/arguments.h"

/* Options of eval and compare: of judgments and runs, of automatic labels, and of measures (files
 * of eval --write-scores check them). */
#define IV_OF_RUNS(how)                                                                        \
    IV_IDLE(machine.files.count, "machine"), IV_IDLE(machine.infer, "infer"),                  \
    IV_IDLE(how estimator, "estimator"), IV_IDLE(how also, "also"),                            \
    IV_IDLE(how unjudged, "unjudged"), IV_IDLE(source.run_format, "run-format"),               \
    IV_IDLE(source.judgments_format, "judgments-format")
#define IV_OF_MACHINE                                                                          \
    IV_IDLE(machine.design, "human-design"), IV_IDLE(machine.level, "machine-level"),          \
    IV_IDLE(machine.format, "machine-format")
#define IV_OF_MEASURES(how)                                                                    \
    IV_IDLE(how measure.level, "level"), IV_IDLE(how measure.depth, "depth"),                  \
    IV_IDLE(how measure.judged_only, "judged-only"), IV_IDLE(how measure.dialect, "compat"),   \
    IV_IDLE(how measure.collection, "collection")

#endif
