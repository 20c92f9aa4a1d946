/* SPDX-License-Identifier: Apache-2.0 */
/* Any file of references gives records with an id each, or one line. */
#include "fuzz_answer.h"
#include "store/bibliography.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    char path[FUZZ_PATH];
    const char *files[] = { path };
    FILE *file;
    iv_arena a = { 0 };
    iv_bibliography b = { .labels = in.choice % 2 == 1 };
    iv_err err = { IV_OK, "" };

    if (!fuzz_file(path, &file, in.text, in.len))
        return 0;
    const int rc = iv_bibliography_load(&b, &a, &(iv_texts){ files, 1 }, NULL, &err);
    PROMISE(rc == IV_OK || rc == IV_EPARSE || rc == IV_EIO);
    PROMISE(rc == IV_OK || (err.msg[0] != '\0' && strchr(err.msg, '\n') == NULL));
    for (size_t i = 0; rc == IV_OK && i < b.count; i++) {
        PROMISE(b.at[i].id.len > 0 && b.at[i].label >= -2 && b.at[i].label <= 1);
        PROMISE(memchr(b.at[i].id.ptr, ' ', b.at[i].id.len) == NULL);
    }
    iv_arena_free(&a);
    (void)fclose(file);
    return 0;
}
