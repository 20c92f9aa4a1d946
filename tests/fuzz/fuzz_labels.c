/* SPDX-License-Identifier: Apache-2.0 */
/* Any table of labels, of counts or of assessors is evaluated or refused in one line. */
#include "fuzz_answer.h"
#include "trec/assessments.h"
#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    const iv_work work = { .threads = in.threads };
    char path[FUZZ_PATH];
    const char *paths[] = { path };
    FILE *file;
    iv_err err = { IV_OK, "" };

    if (!fuzz_file(path, &file, in.text, in.len))
        return 0;
    iv_prf_question q = { .how = { .draws = 100 } };
    if (in.choice < 4)
        q.from.labels = path;
    else
        q.from.files = (iv_texts){ paths, 1 };
    q.how.paired = in.choice == 1;
    q.how.compare = in.choice == 5;
    iv_result *r = fuzz_result("prf");
    const int rc = iv_answer_prf(r, &q, &work, &err);
    fuzz_answered(r, rc, &err);
    const iv_assessments *a;
    iv_arena own = { 0 };
    iv_csv *table = NULL;
    if (iv_csv_parse(&table, "table", in.text, in.len, &err) == IV_OK
        && iv_assessments_of(&a, &own, table, &err) == IV_OK) {
        /* Whatever can be read is answered, or refused in one line. */
        iv_result *both = fuzz_result("agree");
        const iv_agree_question asked = { .assessors = path, .scale = (iv_label_scale)(in.choice % 4) };
        fuzz_answered(both, iv_answer_agree(both, &asked, &work, &err), &err);
    }
    iv_arena_free(&own);
    (void)fclose(file);
    return 0;
}
