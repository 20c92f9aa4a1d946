/* SPDX-License-Identifier: Apache-2.0 */
#include "intervale/base.h"
/* A program of someone else's that judges: the second library, by pkg-config intervale-judge.
 * usage: judging FILE: says of what kind the session is, or why it cannot be opened. */
#include <live/live.h>
#include <serve/serve.h>
#include <stdio.h>
#include <store/store.h>

int main(int argc, char **argv)
{
    iv_store *session = NULL;
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];

    if (argc != 2 || iv_store_open(&session, argv[1], IV_STORE_READ, &err) != IV_OK) {
        (void)printf("%s\n", argc == 2 ? iv_err_text(text, &err) : "expected a file");
        return 1;
    }
    (void)printf("%s\n", iv_store_kind_names()[iv_store_about_of(session)->kind]);
    iv_store_close(session);
    return 0;
}
