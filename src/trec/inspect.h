/* SPDX-License-Identifier: Apache-2.0 */
/* Inside an inspection: one file for each kind of file fills its part. */
#ifndef IV_TREC_INSPECT_H
#define IV_TREC_INSPECT_H

#include "base/bytes.h"
#include "base/ids.h"
#include "trec/chunks.h"
#include "trec/problems.h"

struct iv_inspector {
    iv_bytes bytes; /* topics point into them */
    iv_inspection view;
    iv_problems problems;
    iv_arena text;
    iv_str *topics;
    const char *columns_of; /* what a table may be by the names of its columns; NULL: nothing */
    iv_judgments_format judgments; /* what they were read as; any: no judgments, or none told */
};

/* Adds a problem to those of a finished inspection, in the place of its line; false: out of
 * memory. */
IV_MUST_CHECK bool iv_inspector_add(iv_inspector *i, uint64_t line, iv_severity severity,
                                    const char *message);

/* Inspects bytes, which it takes over; chunk and thread rules as elsewhere. */
IV_MUST_CHECK int iv_inspect_bytes(iv_inspector **out, iv_bytes *bytes,
                                   iv_judgments_format format, size_t most,
                                   const iv_work *work, const char *name, iv_err *err);

#endif /* IV_TREC_INSPECT_H */
