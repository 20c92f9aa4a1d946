/* SPDX-License-Identifier: Apache-2.0 */
/* The library says what is wrong, and knows no options; the tool adds what to do. */
#ifndef HINTS_H
#define HINTS_H

#include "frame/cmd.h"

/* Appends the hint that command c has for this error, if any. */
void hints_add(iv_err *err, const cmd *c);

#endif /* HINTS_H */
