/* SPDX-License-Identifier: Apache-2.0 */
/* Files sorted by topic, read through a buffer. */
#ifndef IV_TREC_SORTED_FILE_H
#define IV_TREC_SORTED_FILE_H

#include <stdio.h>

#include "base/bytes.h"
#include "trec/topic_order.h"

/* IV_EPARSE at the line of the first NUL byte in the buffer, as the readers tell it. */
IV_MUST_CHECK int iv_sorted_is_text(const iv_reader *f, iv_err *err);

/* A file for reading and writing that is gone when it is closed; NULL: errno. */
FILE *iv_nameless_file(const char *folder);

/* The topic of the first, or the last, line that has one; empty: there is none. */
iv_str iv_first_topic(iv_str lines);
iv_str iv_last_topic(iv_str lines);

/* The end of the lines whose topic comes before this one: lines are whole, and sorted. */
size_t iv_topics_before(iv_str lines, iv_topic_order order, iv_str topic);

#endif /* IV_TREC_SORTED_FILE_H */
