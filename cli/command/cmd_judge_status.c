/* SPDX-License-Identifier: Apache-2.0 */
/* judge status -- how far a session is, and what is known now. */
#include "frame/cmd.h"
#include "live/live.h"
#include "store/session.h"

static int run(cmd_context *c, iv_err *err)
{
    iv_store *s = NULL;
    int rc = iv_store_open(&s, c->operands[0], IV_STORE_READ, err);

    if (rc == IV_OK)
        rc = iv_live_status(c->result, s, &c->work, err);
    iv_store_close(s);
    return rc;
}

static int run_report(cmd_context *c, iv_err *err)
{
    iv_store *s = NULL;
    int rc = iv_store_open(&s, c->operands[0], IV_STORE_READ, err);

    if (rc == IV_OK)
        rc = iv_live_report(c->result, s, &c->work, err);
    iv_store_close(s);
    return rc;
}

const cmd cmd_judge_report = {
    .name = "judge report",
    .group = "Judging",
    .summary = "write a report of a session, to print or hand over",
    .operands = "SESSION",
    .least = 1,
    .most = 1,
    .description =
        "Writes everything that a decision to stop judging rests on, in a form to print or hand "
        "over: the verdict with the one-sided limit behind it, interim analyses with their dates, "
        "the sampling frame, assessors and their agreement, errors, labels and tags, "
        "checksums, guidelines, methods, assumptions and references.\n\n"
        "The verdict is that of 'intervale judge status', in the same words. The last checksum of "
        "the log is of all judgments: keep it where nobody can change it, and a later change of "
        "the session shows ('intervale judge check').",
    .examples = (const cmd_example[]){
        { "intervale judge report judge.db --format html -o report.html",
          "A page to print, with a place to sign." },
        { NULL, NULL } },
    .pages = "doc/judging.md, doc/howto/systematic.md",
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "decision", "numbers", "interim", "quantities",
                                     "frame", "topics", "assessors", "errors", "agreement",
                                     "under", "excluded", "prisma", "duplicates", "session",
                                     "inputs", "guidelines", NULL },
    .run = run_report,
};

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
    .tables = (const char *const[]){ "numbers", "topics", "prisma", "duplicates", "assessors",
                                     "agreement", "under",
                                     NULL },
    .run = run,
};
