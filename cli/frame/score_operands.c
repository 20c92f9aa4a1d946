/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/cmd.h"
#include "frame/score_operands.h"

int cmd_take_scores(iv_score_input *in, const cmd_context *c, iv_err *err)
{
    const char *alone = in->from.columns.count > 0 ? "--columns"
        : in->sets != IV_SETS_FIXED ? "--sets" : in->set_weights.count > 0 ? "--set-weight"
        : in->binary ? "--binary" : NULL;

    if (!in->given)
        return alone == NULL ? IV_OK : cmd_usage(err, "%s is for --scores", alone);
    if (c->operand_count == 0)
        return cmd_usage(err, "--scores: the files of scores are missing");
    in->from.files = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return IV_OK;
}
