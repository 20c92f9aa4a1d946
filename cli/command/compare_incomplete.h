/* SPDX-License-Identifier: Apache-2.0 */
/* compare --incomplete: differences while not all documents are judged. */
#ifndef COMPARE_INCOMPLETE_H
#define COMPARE_INCOMPLETE_H

#include "command/inquiry_input.h"
#include "intervale/stat.h"

typedef struct incomplete_source {
    inquiry_source input;
    const char *baseline;       /* NULL: all pairs */
    iv_moments_form form;
    bool union_only;
    iv_alternative alternative; /* of the sign test */
} incomplete_source;

/* The whole command, from files to tables. */
IV_MUST_CHECK int compare_incomplete(cmd_context *c, const incomplete_source *source,
                                     iv_err *err);

#endif /* COMPARE_INCOMPLETE_H */
