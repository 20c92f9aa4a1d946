/* SPDX-License-Identifier: Apache-2.0 */
/* help -- explain a command, or list them all. */
#include "frame/frame.h"

static int run(cmd_context *c, iv_err *err)
{
    size_t used = 0;
    const cmd *asked = lookup_command(c->commands, c->operands, c->operand_count, &used);

    c->written = true;
    if (c->operand_count == 0)
        help_overview(c->out, c->commands, NULL);
    else if (asked != NULL && used == c->operand_count)
        help_command(c->out, asked);
    else if (c->operand_count == 1 && lookup_family(c->commands, c->operands[0]))
        help_overview(c->out, c->commands, c->operands[0]);
    else
        return lookup_unknown(c->commands, c->operands, c->operand_count, err);
    return IV_OK;
}

const cmd cmd_help = {
    .name = "help",
    .group = "About the tool",
    .summary = "explain a command, or list them all",
    .operands = "[COMMAND]",
    .most = 2,
    .description =
        "Lists the commands, or prints the synopsis, description, options and examples "
        "of one, as its option --help does.",
    .examples = (const cmd_example[]){
        { "intervale help", "Lists all commands." },
        { "intervale help version", "Explains the command version." },
        { NULL, NULL } },
    .operand_commands = true,
    .run = run,
};
