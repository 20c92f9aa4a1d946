/* SPDX-License-Identifier: Apache-2.0 */
/* version -- which intervale is this? */
#include "frame/cmd.h"

static int run(cmd_context *c, iv_err *err)
{
    c->written = true;
    (void)err;
    (void)fprintf(c->out, "intervale %s\n", iv_version()); /* the frame tells if it fails */
    return IV_OK;
}

const cmd cmd_version = {
    .name = "version",
    .group = "About the tool",
    .summary = "print the version",
    .operands = "",
    .description =
        "Prints the version of the tool and the library.",
    .examples = (const cmd_example[]){
        { "intervale version", "Prints one line, such as \"intervale 0.4.0\"." },
        { NULL, NULL } },
    .run = run,
};
