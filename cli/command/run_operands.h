/* SPDX-License-Identifier: Apache-2.0 */
/* The runs that a command is given as operands. */
#ifndef RUN_OPERANDS_H
#define RUN_OPERANDS_H

#include "frame/cmd.h"
#include "intervale/design/sample.h"

/*
 * Reads all operands and lists them as inputs of the result.  *out is the
 * caller's, also on failure, and goes to run_operands_free().
 */
IV_MUST_CHECK int run_operands_load(iv_run ***out, cmd_context *c, iv_err *err);
void run_operands_free(iv_run **runs, const cmd_context *c);

#endif /* RUN_OPERANDS_H */
