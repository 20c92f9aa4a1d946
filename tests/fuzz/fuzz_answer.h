/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the targets share that ask whole questions: a file made of the input, and what
 * must hold of an answer, whatever was in the file.
 */
#ifndef FUZZ_ANSWER_H
#define FUZZ_ANSWER_H

#include <unistd.h>

#include "fuzz.h"
#include "intervale/answer.h"
#include "intervale/report.h"

enum { FUZZ_PATH = 64 };

/* A file with those bytes and no name but this one; false: there can be none. */
static inline bool fuzz_file(char path[FUZZ_PATH], FILE **file, const void *bytes, size_t size)
{
    FILE *f = tmpfile();

    if (f == NULL || (size > 0 && fwrite(bytes, 1, size, f) != size) || fflush(f) != 0) {
        if (f != NULL)
            (void)fclose(f);
        return false;
    }
    (void)snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", fileno(f));
    *file = f;
    return true;
}

/* Ends a question: refused in one line, or answered in every format of text. */
static inline void fuzz_answered(iv_result *r, int rc, const iv_err *err)
{
    static const iv_format formats[] = { IV_FORMAT_TEXT, IV_FORMAT_JSON, IV_FORMAT_LATEX };

    PROMISE(rc == IV_OK || rc == IV_EPARSE || rc == IV_EARG || rc == IV_ENODATA || rc == IV_EIO);
    if (rc != IV_OK) {
        PROMISE(err->msg[0] != '\0' && strchr(err->msg, '\n') == NULL);
        iv_result_free(r);
        return;
    }
    PROMISE(iv_result_status(r, NULL) == IV_OK);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        PROMISE(out != NULL);
        PROMISE(iv_report_write(out, r, &(iv_report_options){ .format = formats[i] }, NULL)
                == IV_OK);
        PROMISE(fclose(out) == 0 && size > 0 && strlen(text) == size);
        free(text);
    }
    iv_result_free(r);
}

static inline iv_result *fuzz_result(const char *command)
{
    iv_result *r = NULL;

    PROMISE(iv_result_new(&r, command, NULL) == IV_OK);
    return r;
}

#endif /* FUZZ_ANSWER_H */
