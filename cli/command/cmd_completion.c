/* SPDX-License-Identifier: Apache-2.0 */
/* completion -- print a script that teaches a shell our command line. */
#include "frame/frame.h"

static int run(cmd_context *c, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], near[OPTION_TEXT_SIZE];
    suggest s = suggest_for(c->operands[0]);

    c->written = true;
    if (strcmp(c->operands[0], "words") == 0) {
        completion_offer(c->out, c->commands, c->operands + 1, c->operand_count - 1);
        return IV_OK;
    }
    if (strcmp(c->operands[0], "json") == 0)
        return cmd_usage(err, "'completion json' is now 'schema'");
    if (c->operand_count > 1)
        return cmd_usage(err, "unexpected operand %s",
                         iv_quote(quoted, iv_str_of(c->operands[1])));
    for (size_t i = 0; completion_shells[i] != NULL; i++) {
        if (strcmp(completion_shells[i], c->operands[0]) == 0) {
            (void)fputs(completion_scripts[i], c->out);
            return IV_OK;
        }
        suggest_offer(&s, completion_shells[i]);
    }
    (void)suggest_text(near, &s, "");
    return cmd_usage(err, "unknown shell %s%s", iv_quote(quoted, iv_str_of(c->operands[0])),
                     near[0] != '\0' ? near : "; expected bash, zsh or fish");
}

const cmd cmd_completion = {
    .name = "completion",
    .group = "About the tool",
    .summary = "print a completion script for bash, zsh or fish",
    .operands = "bash|zsh|fish|words [-- WORD...]",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Prints a completion script for bash, zsh or fish. Load it from the shell's start-up file. "
        "With 'words', prints the completions of the last WORD, one per line, each with its "
        "meaning after a tab.\n\n"
        "  bash   source <(intervale completion bash)\n"
        "  zsh    intervale completion zsh > a file _intervale in a folder of $fpath\n"
        "  fish   intervale completion fish | source",
    .examples = (const cmd_example[]){
        { "intervale completion bash", "Prints the script for bash." },
        { "intervale completion words -- eval --format j",
          "Prints the formats of eval that begin with j." },
        { NULL, NULL } },
    .shared = SHARED_OUTPUT,
    .operand_words = completion_shells,
    .run = run,
};
