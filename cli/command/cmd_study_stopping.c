/* SPDX-License-Identifier: Apache-2.0 */
/* study stopping -- how often are reviews ended wrongly? */
#include "frame/cmd.h"
#include "study/study.h"

typedef iv_study_stopping_question ask;

static const opt opts[] = {
    OPT_INT(ask, 0, "reviews", "N", reviews, 10, 10000000, "simulated reviews of each setting; for power 2,000 at most",
            .usual = "1000"),
    OPT_STR(ask, 0, "setting", "NAME", setting, "this setting only, by its name in the table"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    return iv_study_answer_stopping(c->result, c->args, &c->work, err);
}

const cmd cmd_study_stopping = {
    .name = "study stopping",
    .group = "Studies",
    .summary = "measure how often rules end a review wrongly, and what they cost",
    .operands = "",
    .description =
        "Judges simulated reviews of fifteen settings in random order and ends each where a "
        "rule says that the target of recall is reached. With a truth just below the target "
        "every end is an error (table errors); with truths a tenth and 0.15 above it the share "
        "of ends is power, and documents is the price (table power). watched looks at the "
        "posterior's one-sided limit sixty times; the other rules are those of plan looks and "
        "recall --anytime, QBCB and the hypergeometric rule. Small populations are judged to "
        "their end.",
    .examples = (const cmd_example[]){
        { "intervale study stopping --setting precise --reviews 20", "A quick look at one of them." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "errors", "power", NULL },
    .numbers_are_data = true,
    .run = run,
};
