/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run_operands.h"

#include <stdlib.h>

int run_operands_load(iv_run ***out, cmd_context *c, iv_err *err)
{
    int rc;

    *out = calloc(c->operand_count + 1, sizeof(iv_run *));
    if (*out == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    rc = iv_runs_load(*out, (const char *const *)c->operands, c->operand_count, IV_RUN_ANY,
                      &(iv_work){ .threads = (int)c->shared->threads }, err);
    for (size_t r = 0; r < c->operand_count && rc == IV_OK; r++)
        iv_result_input(c->result, c->operands[r], iv_run_bytes((*out)[r]));
    return rc;
}

void run_operands_free(iv_run **runs, const cmd_context *c)
{
    for (size_t r = 0; runs != NULL && r < c->operand_count; r++)
        iv_run_free(runs[r]);
    free(runs);
}
