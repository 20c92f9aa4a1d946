/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "frame/cmd.h"
#include "frame/score_operands.h"

const char *cmd_temporary(void)
{
    const char *folder = getenv("TMPDIR");

    return folder != NULL && folder[0] != '\0' ? folder : NULL;
}

int cmd_take_scores(iv_score_input *in, iv_source *source, const cmd_context *c, iv_err *err)
{
    const char *alone = in->from.columns.count > 0 ? "--columns"
        : in->sets != IV_SETS_FIXED ? "--sets" : in->set_weights.count > 0 ? "--set-weight"
        : in->binary ? "--binary" : in->from.rows != IV_ROWS_AUTO ? "--by" : NULL;

    if (source != NULL)
        source->folder = cmd_temporary();
    if (!in->given)
        return alone == NULL ? IV_OK : cmd_usage(err, "%s is for --scores", alone);
    if (c->operand_count == 0)
        return cmd_usage(err, "--scores: the files of scores are missing");
    const iv_texts files = { (const char *const *)c->operands, c->operand_count };
    if (source == NULL || !iv_is_scores_part(files.at[0])) {
        in->from.files = files;
        return IV_OK;
    }
    if (alone != NULL)
        return cmd_usage(err, "%s is not for files that eval --write-scores wrote", alone);
    source->parts = files;
    in->given = false;
    return IV_OK;
}
