/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fuzz target is one file that defines LLVMFuzzerTestOneInput(), for libFuzzer
 * or for replay.c.  It aborts where a promise of the library is broken.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trec/inspection.h"
#include "base/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the library; says which one was broken, and stops. */
#define PROMISE(condition) \
    ((condition) ? (void)0 : broken(#condition, __FILE__, __LINE__))

static inline void broken(const char *condition, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: broken: %s\n", file, line, condition);
    abort();
}

/* The first byte says how to cut and read what follows. */
typedef struct fuzz_input {
    size_t chunk_bytes; /* 1 to 16 */
    int threads;        /* 1 or 2 */
    unsigned choice;    /* 0 to 7 */
    const char *text;
    size_t len;
} fuzz_input;

static inline fuzz_input fuzz_split(const uint8_t *data, size_t size)
{
    const unsigned head = size > 0 ? data[0] : 0;

    return (fuzz_input){ 1 + (head & 15), 1 + (int)(head >> 4 & 1), head >> 5,
                         size > 0 ? (const char *)data + 1 : "", size > 0 ? size - 1 : 0 };
}

/* Bytes with nothing behind them, unpacked if they are packed; false: damaged. */
static inline bool fuzz_bytes(iv_bytes *out, const fuzz_input *in)
{
    iv_bytes b;

    if (iv_bytes_copy(&b, "f", in->text, in->len, NULL, NULL) != IV_OK)
        return false;
    char *exact = malloc(b.len > 0 ? b.len : 1);
    PROMISE(exact != NULL);
    if (b.len > 0)
        memcpy(exact, b.ptr, b.len);
    *out = (iv_bytes){ exact, b.len, b.stored, b.packing };
    iv_bytes_free(&b);
    return true;
}

static inline bool fuzz_same(iv_str a, iv_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* An error of a reader: one line of text about a line of file f, unless it is damaged as a whole. */
static inline void fuzz_message(const iv_err *err)
{
    const bool whole = strstr(err->msg, "packed") != NULL || strstr(err->msg, "compressed") != NULL
                       || strstr(err->msg, "zip archive") != NULL;

    PROMISE(err->code == IV_EPARSE && err->msg[0] != '\0');
    PROMISE(strcmp(err->file, "f") == 0 && (whole || err->line >= 1));
    for (const char *p = err->msg; *p != '\0'; p++)
        PROMISE((unsigned char)*p >= ' ' && *p != 0x7f);
}

/* The inspection and a reader of the same kind must say the same. */
static inline void fuzz_agree(const iv_inspector *v, int rc, const iv_err *err)
{
    PROMISE((rc == IV_OK) == (v->problems.errors == 0));
    if (rc == IV_OK)
        return;
    fuzz_message(err);
    for (size_t i = 0; i < v->problems.count; i++) {
        if (!v->problems.items[i].error)
            continue;
        if (strcmp(v->problems.items[i].message, err->msg) != 0) /* the first one is the reader's */
            (void)fprintf(stderr, "%s\n%s\n", v->problems.items[i].message, err->msg);
        PROMISE(strcmp(v->problems.items[i].message, err->msg) == 0);
        PROMISE(v->problems.items[i].line == err->line);
        return;
    }
    PROMISE(false);
}

#endif /* FUZZ_H */
