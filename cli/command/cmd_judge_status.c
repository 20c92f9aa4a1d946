/* SPDX-License-Identifier: Apache-2.0 */
/* judge status -- how far a session is, and what is known now. */
#include "frame/cmd.h"
#include "live/live.h"

static int run(cmd_context *c, iv_err *err)
{
    iv_store *s = NULL;
    int rc = iv_store_open(&s, c->operands[0], IV_STORE_READ, err);

    if (rc == IV_OK)
        rc = iv_live_status(c->result, s, &c->work, err);
    iv_store_close(s);
    return rc;
}

const cmd cmd_judge_status = {
    .name = "judge status",
    .group = "Judging",
    .summary = "show progress and current estimates, such as recall",
    .operands = "SESSION",
    .least = 1,
    .most = 1,
    .description =
        "Shows how many documents are judged, by whom, and current estimates, such as recall.\n\n"
        "For a review: recall now, limits that stay valid whenever judging stops, and the plan. "
        "For a sample: the estimated number of relevant documents. For documents that two "
        "assessors judged: their agreement, and the answer under each. SESSION may be open in a "
        "server.\n\n"
        "Row 'now' is an estimate so far: do not use it to decide when to stop. Row 'guaranteed' "
        "is valid whenever you stop judging, and row 'plan' at the planned interim analyses.",
    .examples = (const cmd_example[]){
        { "intervale judge status judge.db", "How the session stands." },
        { "intervale judge status judge.db --format json", "The same, for a program." },
        { NULL, NULL } },
    .shared = SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "numbers", "topics", "prisma", "assessors", "agreement",
                                     "under",
                                     NULL },
    .run = run,
};
