/* SPDX-License-Identifier: Apache-2.0 */
/* A completed sample file, however edited, is scored or refused in one line. */
#include "fuzz_answer.h"

static const char run_text[] =
    "1 Q0 a 1 9 r\n1 Q0 b 2 8 r\n1 Q0 c 3 7 r\n1 Q0 d 4 6 r\n"
    "2 Q0 a 1 9 r\n2 Q0 e 2 8 r\n2 Q0 f 3 7 r\n3 Q0 g 1 9 r\n3 Q0 a 2 8 r\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    const iv_work work = { .threads = in.threads };
    iv_judgments *j = NULL;
    iv_run *run = NULL;
    iv_err err = { IV_OK, "" };

    if (iv_judgments_parse(&j, "f", in.text, in.len, IV_JUDGMENTS_ANY, &work, &err) != IV_OK)
        return 0;
    PROMISE(iv_run_parse(&run, "run", run_text, sizeof run_text - 1, IV_RUN_ANY, NULL, NULL)
            == IV_OK);
    const iv_run *const runs[] = { run };
    const iv_eval_question q = {
        .source = { .judged = j, .judgments = "f", .ranked = runs, .ranked_count = 1 },
        .how = { .unjudged = (iv_unjudged)(in.choice % 3) } };
    iv_result *r = fuzz_result("eval");
    const int rc = iv_answer_eval(r, &q, &work, &err);
    fuzz_answered(r, rc, &err);
    iv_run_free(run);
    iv_judgments_free(j);
    return 0;
}
