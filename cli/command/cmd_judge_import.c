/* SPDX-License-Identifier: Apache-2.0 */
/* judge import -- judgments made elsewhere, into a session. */
#include "command/judge_session.h"
#include "frame/cmd.h"
#include "store/import.h"

typedef struct question {
    const char *assessor;
} question;

static const opt opts[] = {
    OPT_STR(question, 0, "assessor", "NAME", assessor, "whose judgments they are; the owner's "
            "unless given"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    const question *q = c->args;
    iv_store *s = NULL;
    iv_imported done = { 0 };
    int rc = iv_store_open(&s, c->operands[0], IV_STORE_WRITE, err);

    if (rc == IV_OK)
        rc = iv_store_import(&done, s, c->operands[1], q->assessor, &c->work, err);
    iv_store_close(s);
    if (rc != IV_OK)
        return rc;
    const session_row rows[] = { { "stored", (int64_t)done.stored },
                                 { "stored before", (int64_t)(done.found - done.stored) },
                                 { "of other documents", (int64_t)done.others } };
    iv_result_answer(c->result, "Judgments stored: %zu.", done.stored);
    if (done.others > 0)
        iv_result_note(c->result, "judgments excluded, of documents that the session does not "
                       "have: %zu", done.others);
    judge_tell(c->result, "imported", rows, sizeof rows / sizeof *rows);
    return iv_result_status(c->result, err);
}

const cmd cmd_judge_import = {
    .name = "judge import",
    .group = "Judging",
    .summary = "store judgments that were made elsewhere",
    .operands = "FILE JUDGMENTS",
    .least = 2,
    .most = 2,
    .description =
        "Stores the grades of JUDGMENTS (qrels, prels, BEIR; RIS or CSV with labels) for the "
        "documents of the session, "
        "all in one transaction, as words of an assessor; what was imported before is not stored "
        "again. FILE must not be open in a server.",
    .examples = (const cmd_example[]){
        { "intervale judge import judge.db done.qrels", "Judgments of a spreadsheet, say." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(question),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "imported", NULL },
    .run = run,
};
