/* SPDX-License-Identifier: Apache-2.0 */
/* completion -- print a script that teaches a shell our command line. */
#include <string.h>

#include "frame/cmd.h"
#include "frame/completion.h"
#include "frame/suggest.h"

static const char *const shells[] = { "bash", "zsh", "fish", NULL };

static int run(cmd_context *c, iv_err *err)
{
    static void (*const scripts[])(FILE *, const cmd *const *) = {
        completion_bash, completion_zsh, completion_fish
    };
    char quoted[IV_QUOTE_SIZE], near[SUGGEST_SIZE];
    suggest s = suggest_for(c->operands[0]);

    c->written = true;
    for (size_t i = 0; shells[i] != NULL; i++) {
        if (strcmp(shells[i], c->operands[0]) == 0) {
            scripts[i](c->out, c->commands);
            return IV_OK;
        }
        suggest_offer(&s, shells[i]);
    }
    (void)suggest_text(near, &s, "");
    return cmd_usage(err, "unknown shell %s%s", iv_quote(quoted, iv_str_of(c->operands[0])),
                     near[0] != '\0' ? near : "; expected bash, zsh or fish");
}

const cmd cmd_completion = {
    .name = "completion",
    .group = "About the tool",
    .summary = "print a completion script for bash, zsh or fish",
    .operands = "bash|zsh|fish",
    .least = 1,
    .most = 1,
    .description =
        "Prints a script that teaches the shell to complete commands, options and the "
        "words options take. Load it from the shell's start-up file:\n\n"
        "  bash   source <(intervale completion bash)\n"
        "  zsh    intervale completion zsh > a file _intervale in a folder of $fpath\n"
        "  fish   intervale completion fish | source",
    .examples = (const cmd_example[]){
        { "intervale completion bash", "Prints the script for bash." },
        { NULL, NULL } },
    .shared = SHARED_OUTPUT,
    .operand_words = shells,
    .run = run,
};
