/* SPDX-License-Identifier: Apache-2.0 */
/* Any file of groups, and any matrix of scores, is compared or refused in one line. */
#include "fuzz_answer.h"

static const double values[] = { .1, .5, .3, .9, .2, .4, .6, .2, .5, .5, .1, .3 };
static const char *const systems[] = { "a", "b" };
static const char *const topics[] = { "1", "2", "3", "4", "5", "6" };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    char path[FUZZ_PATH];
    const char *const file_name = path;
    FILE *file;
    iv_err err = { IV_OK, "" };

    if (!fuzz_file(path, &file, in.text, in.len))
        return 0;
    iv_compare_question q = { 0 };
    if (in.choice < 4) {
        q.values = values;
        q.systems = (iv_texts){ systems, 2 };
        q.topics = (iv_texts){ topics, 6 };
        q.groups = path;
    } else {
        q.scores.given = true;
        q.scores.from.files = (iv_texts){ &file_name, 1 };
        q.scores.from.rows = (iv_score_rows)(1 + (in.choice & 1));
        q.scoring.complete = in.choice > 5;
    }
    iv_result *r = fuzz_result("compare");
    const int rc = iv_answer_compare(r, &q, &(iv_work){ .threads = in.threads }, &err);
    fuzz_answered(r, rc, &err);
    (void)fclose(file);
    return 0;
}
