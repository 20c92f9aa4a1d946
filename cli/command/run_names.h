/* SPDX-License-Identifier: Apache-2.0 */
/* What runs are called: by tag, or by file where tags repeat, as in eval. */
#ifndef RUN_NAMES_H
#define RUN_NAMES_H

#include "frame/cmd.h"

/*
 * Gives each of `count` runs a name of its own; names[] starts as NULLs and is
 * the caller's, each to be freed, also on failure.
 */
IV_MUST_CHECK int run_names_give(char **names, const iv_str *tags, char *const *paths,
                                 size_t count, iv_err *err);

#endif /* RUN_NAMES_H */
