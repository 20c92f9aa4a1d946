/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the trec room share: results as text, packed bytes. */
#ifndef TREC_FIXTURE_H
#define TREC_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/trec.h"
#include "trec/problems.h"
#include "base/bytes.h"

/* Each runs its group and returns the number of failures. */
int storage_tests(void);
int runs_tests(void);
int judgments_tests(void);
int join_tests(void);
int chunk_tests(void);
int table_tests(void);
int inspect_tests(void);
int malformed_tests(void);
int build_tests(void);
int pass_tests(void);

/*
 * A run written out, to be freed: the tag, then "topic: docno=score ..." a
 * line, all in the order the room gives them.
 */
char *run_text(const iv_run *run);

/* Judgments likewise: "topic: docno=grade", with "/pi" and "#stratum" if any. */
char *judgments_text(const iv_judgments *j);

/* Errors of a finished list, "line: message" each. */
char *problems_text(const iv_problems *list);

/* A copy with nothing behind its last byte, so that a read beyond is seen. */
iv_bytes exact_bytes(const char *text, size_t len);

/* Packed copies, to be freed; *len becomes the packed length. */
char *gzipped(const char *text, size_t *len);
char *zstandard(const char *text, size_t *len);

/* A file of the test's own, gone when the test program ends well. */
const char *temporary(const char *name, const char *bytes, size_t len);
void remove_temporaries(void);

/* Fails unless the reader gives this text, and frees what it gave. */
#define assert_reads(got, expected)            \
    do {                                       \
        char *text_ = (got);                   \
        assert_string_equal(text_, expected);  \
        free(text_);                           \
    } while (0)

/* The run or judgments in a text, which must be sound. */
iv_run *run_of(const char *text);
iv_judgments *judgments_of(const char *text, iv_judgments_format format);

/* The run in a text, written out. */
char *run_read(const char *text);
char *judgments_read(const char *text, iv_judgments_format format);

/* A small generator: tests must give the same cases everywhere. */
static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % n;
}

#endif /* TREC_FIXTURE_H */
