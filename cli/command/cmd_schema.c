/* SPDX-License-Identifier: Apache-2.0 */
/* schema -- all commands, their options, and the shape of their answers, for programs. */
#include "frame/frame.h"

static int run(cmd_context *c, iv_err *err)
{
    (void)err;
    c->written = true;
    described_commands(c->out, c->commands);
    return IV_OK;
}

const cmd cmd_schema = {
    .name = "schema",
    .group = "About the tool",
    .summary = "all commands and options, and the shape of answers, as JSON",
    .operands = "",
    .description =
        "Prints one JSON object for programs: 'commands' has every command with its options, "
        "'answer' is the JSON Schema of what commands write with --format json.",
    .examples = (const cmd_example[]){
        { "intervale schema", "Prints the object." },
        { NULL, NULL } },
    .shared = SHARED_OUTPUT,
    .run = run,
};
