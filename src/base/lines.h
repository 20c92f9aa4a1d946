/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a text. */
#ifndef IV_BASE_LINES_H
#define IV_BASE_LINES_H

#include "intervale/base.h"

/* How many lines end in a text. */
uint64_t iv_lines_in(iv_str text);

/* The next line of a text, without its end, behind which the text begins then; false: there is
 * none. */
bool iv_next_line(iv_str *line, iv_str *text);

#endif
