/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of scores, whose checksums are made right so that what is behind them is looked at: one
 * line why not, or an answer, alone and together with itself.
 */
#include "fuzz_answer.h"
#include "retrieval/score_parts.h"


enum { MAGIC = 12, HEAD = 20 };

/* Every block has its checksum, and none is longer than the file. */
static void mend(char *file, size_t size)
{
    for (size_t at = MAGIC; size >= HEAD && at <= size - HEAD;) {
        iv_part_block b = { 0, file + at + 4, file + size, false };
        const size_t rest = size - at - HEAD;
        const uint64_t said = iv_part_u64(&b);
        const size_t len = said < rest ? (size_t)said : rest;
        const uint64_t sum = iv_part_checksum(file + at + HEAD, len);
        for (size_t i = 0; i < 8; i++) {
            file[at + 4 + i] = (char)((uint64_t)len >> 8 * i);
            file[at + 12 + i] = (char)(sum >> 8 * i);
        }
        at += HEAD + len;
    }
}

static void ask(const char *const *parts, size_t count)
{
    static const iv_work one = { .threads = 1 };
    iv_err err = { IV_OK, "" };
    iv_result *r = fuzz_result("eval");
    const iv_eval_question q = {
        .source = { .parts = { parts, count } },
        .how = { .resampling = { .resamples = 20 } },
        .topics = true };

    fuzz_answered(r, iv_answer_eval(r, &q, &one, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH], *file = malloc(size + 1);
    FILE *f = NULL;

    PROMISE(file != NULL);
    if (size > 0)
        memcpy(file, data, size);
    mend(file, size);
    if (fuzz_file(path, &f, file, size)) {
        ask((const char *const[]){ path }, 1);
        ask((const char *const[]){ path, path }, 2);
        (void)fclose(f);
    }
    free(file);
    return 0;
}
