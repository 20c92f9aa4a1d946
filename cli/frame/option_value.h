/* SPDX-License-Identifier: Apache-2.0 */
/* One option's value: from its text, and back to text for the help. */
#ifndef OPTION_VALUE_H
#define OPTION_VALUE_H

#include "frame/cmd.h"

enum { OPTION_TEXT_SIZE = 320, OPTION_HELP_SIZE = 1024 };

/*
 * Reads text as the value of an option of any kind but flag and list into the
 * option's field of args.  A field that points at numbers points into *block, which
 * is the caller's to free; NULL for other kinds.  IV_OK, IV_ENOMEM, or CMD_USAGE
 * with what was expected.
 */
IV_MUST_CHECK int option_value_read(void **block, const opt *o, void *args,
                                    const char *text, iv_err *err);

/* The words that may be given, which end with NULL; NULL: any text. */
const char *const *option_value_words(const opt *o);

/* Which of the option's words text is; CMD_USAGE lists them. */
IV_MUST_CHECK int option_value_choice(int *out, const opt *o, const char *text,
                                      iv_err *err);

/* "--name", or "-x" for an option without a long form. */
const char *option_value_name(char out[OPTION_TEXT_SIZE], const opt *o);

/* The default as it would be typed, args being the defaults; "" when there is none
 * to show. */
const char *option_value_show(char out[OPTION_TEXT_SIZE], const opt *o, const void *args);

/* "-o, --output FILE": all its spellings and what follows, for the help. */
const char *option_value_label(char out[OPTION_TEXT_SIZE], const opt *o);

/* Its help, the words it takes and its default, as a phrase. */
const char *option_value_explain(char out[OPTION_HELP_SIZE], const opt *o,
                                 const void *defaults);

#endif /* OPTION_VALUE_H */
