/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of runs against judgments, as input of a comparison. */
#ifndef COMPARE_RUNS_H
#define COMPARE_RUNS_H

#include "command/compare_input.h"

/* As compare_input_read(), from the operands JUDGMENTS RUN RUN... */
IV_MUST_CHECK int compare_runs_read(compare_input *in, cmd_context *c,
                                    const compare_source *source, iv_err *err);

#endif /* COMPARE_RUNS_H */
