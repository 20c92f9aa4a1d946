/* SPDX-License-Identifier: Apache-2.0 */
/* Any file of strata gives a recall or one line. */
#include "fuzz_answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    char path[FUZZ_PATH];
    FILE *file;
    iv_err err = { IV_OK, "" };

    if (!fuzz_file(path, &file, in.text, in.len))
        return 0;
    const iv_recall_question q = { .strata = path, .unsampled = (iv_unsampled)(in.choice % 3) };
    iv_result *r = fuzz_result("recall");
    const int rc = iv_answer_recall(r, &q, &(iv_work){ .threads = in.threads }, &err);
    fuzz_answered(r, rc, &err);
    (void)fclose(file);
    return 0;
}
