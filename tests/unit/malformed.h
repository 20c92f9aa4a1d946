/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that a reader must refuse with one line, and which line that is. */
#ifndef MALFORMED_H
#define MALFORMED_H

#include <stddef.h>

/* Who reads it; judgments in a format that is told or asked for. */
typedef enum malformed_reader {
    READ_RUN, READ_JUDGMENTS, READ_QRELS, READ_PRELS, READ_STRATIFIED, READ_BEIR,
    READ_CSV, READ_MATRIX
} malformed_reader;

/* Does the inspection take it for the same kind of file, or for another? */
typedef enum malformed_sight { SEEN, OTHER } malformed_sight;

typedef struct malformed {
    const char *name;
    malformed_reader reader;
    malformed_sight sight;
    const char *bytes;
    size_t len;
    unsigned line;
    const char *part; /* of the message */
} malformed;

extern const malformed malformed_inputs[];
extern const size_t malformed_count;

#endif /* MALFORMED_H */
