/* SPDX-License-Identifier: Apache-2.0 */
/* manual -- print a manual page, or write all of them to a folder. */
#include <unistd.h>

#include "frame/frame.h"

typedef struct args {
    const char *directory;
} args;

static const opt opts[] = {
    OPT_STR(args, 0, "directory", "DIR", directory,
            "write all pages to files in DIR, which must exist"),
    OPT_END
};

/* Writes the page of c, or the overview for NULL, to a file in the folder. */
static int write_page(const char *folder, const cmd *const *commands, const cmd *c,
                      iv_err *err)
{
    char name[MANUAL_NAME_SIZE], path[4096];
    iv_outfile *file = NULL;

    if ((size_t)snprintf(path, sizeof path, "%s/%s.1", folder, manual_name(name, c))
        >= sizeof path)
        return iv_fail(err, IV_EARG, "the name of the folder is too long");
    const int rc = iv_outfile_open(&file, path, err);
    if (rc < 0)
        return rc;
    if (c != NULL)
        manual_command(iv_outfile_stream(file), c);
    else
        manual_overview(iv_outfile_stream(file), commands);
    return iv_outfile_commit(file, err);
}

static int write_all(const char *folder, const cmd *const *commands, iv_err *err)
{
    int rc = write_page(folder, commands, NULL, err);

    for (const cmd *const *c = commands; rc == IV_OK && *c != NULL; c++)
        rc = write_page(folder, commands, *c, err);
    return rc;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    size_t used = 0;
    const cmd *asked = lookup_command(c->commands, c->operands, c->operand_count, &used);

    c->written = true;
    if (a->directory != NULL && c->operand_count > 0)
        return cmd_usage(err, "--directory writes all pages; name no command");
    if (a->directory != NULL)
        return write_all(a->directory, c->commands, err);
    if (c->operand_count > 0 && (asked == NULL || used != c->operand_count))
        return lookup_unknown(c->commands, c->operands, c->operand_count, err);
    if (c->operand_count == 0)
        manual_overview(c->out, c->commands);
    else
        manual_command(c->out, asked);
    if (isatty(fileno(c->out)))
        iv_result_note(c->result, "This is the source of the page; 'intervale manual%s%s | man "
                       "-l -' shows the page, and 'intervale help%s%s' the same in brief.",
                       asked != NULL ? " " : "", asked != NULL ? asked->name : "",
                       asked != NULL ? " " : "", asked != NULL ? asked->name : "");
    return IV_OK;
}

const cmd cmd_manual = {
    .name = "manual",
    .group = "About the tool",
    .summary = "print a manual page",
    .operands = "[COMMAND]",
    .most = 2,
    .description =
        "Prints the manual page of the tool or of one command, as troff. 'intervale manual "
        "eval | man -l -' shows it.",
    .examples = (const cmd_example[]){
        { "intervale manual help", "Prints the source of the page of the command help." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(args),
    .operand_commands = true,
    .numbers_are_data = true,
    .run = run,
};
