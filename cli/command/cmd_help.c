/* SPDX-License-Identifier: Apache-2.0 */
/* help -- explain a command, or list them all. */
#include "frame/frame.h"

typedef struct help_args {
    bool tables;
} help_args;

static const opt opts[] = {
    OPT_FLAG(help_args, 0, "tables", tables,
             "tell what each column of the command's tables holds, instead"),
    OPT_END
};

static int explain(const cmd_context *c, const cmd *asked, iv_err *err)
{
    if (!((const help_args *)c->args)->tables)
        help_command(c->out, asked);
    else if (asked->tables == NULL)
        return cmd_usage(err, "'intervale %s' has no tables", asked->name);
    else
        help_tables(c->out, asked);
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    size_t used = 0;
    const cmd *asked = lookup_command(c->commands, c->operands, c->operand_count, &used);

    c->written = true;
    if (((const help_args *)c->args)->tables && (asked == NULL || used < c->operand_count))
        return c->operand_count == 0
            ? cmd_usage(err, "--tables is for a command: intervale help COMMAND --tables")
            : lookup_unknown(c->commands, c->operands, c->operand_count, err);
    if (c->operand_count == 0)
        help_overview(c->out, c->commands, NULL);
    else if (asked != NULL && used == c->operand_count)
        return explain(c, asked, err);
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
        "of one, as its option --help does; with --tables what the columns of its tables hold.",
    .examples = (const cmd_example[]){
        { "intervale help", "Lists all commands." },
        { "intervale help version", "Explains the command version." },
        { "intervale help recall --tables", "Explains every column that recall can write." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(help_args),
    .operand_commands = true,
    .run = run,
};
