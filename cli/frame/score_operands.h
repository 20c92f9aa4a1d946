/* SPDX-License-Identifier: Apache-2.0 */
/* Operands that are files of scores: what commands with --scores share. */
#ifndef FRAME_SCORE_OPERANDS_H
#define FRAME_SCORE_OPERANDS_H

#include "frame/cmd.h"

/* Takes the operands if --scores was given; a usage error for none.  Files of eval
 * --write-scores become the parts of the source (NULL: the command has none); scores are not given
 * then. */
IV_MUST_CHECK int cmd_take_scores(iv_score_input *in, iv_source *source, const cmd_context *c,
                                  iv_err *err);

/* Where temporary files go by the environment; NULL: it does not say. */
const char *cmd_temporary(void);

#endif /* FRAME_SCORE_OPERANDS_H */
