/* SPDX-License-Identifier: Apache-2.0 */
/* help -- explain a command, or list them all. */
#include "frame/frame.h"

typedef struct help_args {
    bool tables, all;
} help_args;

static const opt opts[] = {
    OPT_FLAG(help_args, 0, "tables", tables,
             "explain the columns of the command's tables"),
    OPT_FLAG(help_args, 0, "all", all, "explain everything about the command"),
    OPT_END
};

static int explain(const cmd_context *c, const cmd *asked, iv_err *err)
{
    const help_args *a = c->args;
    session_table shared;

    session_options(&shared, asked);
    if (a->all)
        help_whole(c->out, asked);
    else if (!a->tables)
        help_command(c->out, asked);
    else if (shared.tables[0] == NULL)
        return cmd_usage(err, "'intervale %s' has no tables", asked->name);
    else
        help_tables(c->out, asked);
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    const char *go, *page;
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
    else if (topics_word(&go, &page, c->operands[0]))
        (void)fprintf(c->out, "%s: %s\nMore: %s\n", c->operands[0], go, page);
    else
        return lookup_unknown(c->commands, c->operands, c->operand_count, err);
    return IV_OK;
}

const cmd cmd_help = {
    .name = "help",
    .group = "About the tool",
    .summary = "explain a command, or list all commands",
    .operands = "[COMMAND | WORD]",
    .most = 2,
    .description =
        "Lists the commands, or explains one. For another word, such as kappa or leaderboard, it "
        "names the command to run and the page to read.",
    .examples = (const cmd_example[]){
        { "intervale help", "Lists all commands." },
        { "intervale help version", "Explains the command version." },
        { "intervale help leaderboard", "What to run, and which page to read." },
        { "intervale help recall --tables", "Explains every column that recall can write." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(help_args),
    .operand_commands = true,
    .run = run,
};
