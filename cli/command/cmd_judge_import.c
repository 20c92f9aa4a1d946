/* SPDX-License-Identifier: Apache-2.0 */
/* judge import -- judgments made elsewhere, into a session. */
#include "command/judge_session.h"
#include "store/upkeep.h"

typedef struct question {
    const char *assessor; /* of an import */
    bool random;          /* of a ranking */
} question;

static const opt opts[] = {
    OPT_STR(question, 0, "assessor", "NAME", assessor, "assessor who made the judgments; "
                                                       "default: the owner"),
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
                                 { "already stored", (int64_t)(done.found - done.stored) },
                                 { "not stored (unknown document)", (int64_t)done.others } };
    iv_result_answer(c->result, "Judgments stored: %zu.", done.stored);
    if (done.others > 0)
        iv_result_note(c->result, "Judgments of unknown documents are not stored: %s has no "
                       "document with the same id, DOI or title.", c->operands[0]);
    if (done.changed > 0)
        iv_result_note(c->result, "Judgments that replace a different grade: %zu. The log keeps "
                       "both grades.", done.changed);
    if (done.each)
        iv_result_note(c->result, "Each reviewer of Rayyan (%s) has their own labels. Votes "
                       "'Maybe', stored as 'cannot judge' with the tag maybe: %zu.", done.names,
                       done.maybe);
    else if (done.undecided > 0)
        iv_result_note(c->result, "Records whose reviewers in Rayyan (%s) disagree or decided "
                       "'Maybe' are not stored: %zu. To store the labels of each, add these "
                       "reviewers as assessors and import again.", done.names, done.undecided);
    judge_tell(c->result, "imported", rows, sizeof rows / sizeof *rows);
    return iv_result_status(c->result, err);
}

static const opt rank_opts[] = {
    OPT_FLAG(question, 0, "random", random,
             "use a random order, without a RANKING. What is judged from then on is a random "
             "sample of what was left"),
    OPT_END
};

static void tell_ranked(cmd_context *c, const iv_ranked *done, const char *order, double target)
{
    const session_row rows[] = { { "documents ranked", (int64_t)done->placed } };
    const bool one = done->placed == 1;

    iv_result_answer(c->result, "%zu document%s left to judge now come%s in %s%s.", done->placed,
                     one ? "" : "s", one ? "s" : "", order == NULL ? "random order"
                     : "the order of ", order == NULL ? "" : order);
    judge_tell(c->result, "ranked", rows, 1);
    if (order == NULL) {
        iv_result_note(c->result, "When n of them are judged, r of these relevant: 'intervale "
                       "recall --retrieved %zu,%zu,%zu --unretrieved %zu,n,r --target %.10g%% "
                       "--stop hypergeometric' says whether you may stop.", done->judged,
                       done->judged, done->relevant, done->placed,
                       target > 0.0 ? 100.0 * target : 80.0);
        return;
    }
    if (done->named > done->placed)
        iv_result_note(c->result, "%zu of the %zu documents of the ranking are judged already or "
                       "not in the session.", done->named - done->placed, done->named);
    if (done->control > 0)
        iv_result_note(c->result, "Control documents that the ranking does not name: %zu. They "
                       "count as found only after the documents that it names: the stopping "
                       "rule will need more screening.", done->control);
}

static int run_rank(cmd_context *c, iv_err *err)
{
    const question *q = c->args;
    const char *path = c->operand_count > 1 ? c->operands[1] : NULL;
    iv_store *s = NULL;
    iv_ranked done;
    double target = 0.0;

    if (q->random == (path != NULL))
        return cmd_usage(err, "RANKING or --random, expected one of them");
    int rc = iv_store_open(&s, c->operands[0], IV_STORE_WRITE, err);
    if (rc == IV_OK)
        rc = q->random ? iv_store_rank_random(&done, s, &c->work, err)
            : iv_store_rank_file(&done, s, path, &c->work, err);
    if (rc == IV_OK)
        target = iv_store_about_of(s)->target;
    iv_store_close(s);
    if (rc != IV_OK)
        return rc;
    tell_ranked(c, &done, path, target);
    return iv_result_status(c->result, err);
}

const cmd cmd_judge_rank = {
    .name = "judge rank",
    .group = "Judging",
    .summary = "re-order what is left to judge",
    .operands = "SESSION [RANKING]",
    .least = 1,
    .most = 2,
    .description =
        "Re-orders the documents that are not judged yet. RANKING is a list of documents (one "
        "per line, best first), a run, a file of references in order, or an ASReview project.\n\n"
        "Documents that RANKING does not name follow, in their order. With --stop qbcb, rank the "
        "documents of the control sample as well: they show how far the review has come. Do not "
        "train the ranker on them. While SESSION is served, POST /api/rank does the same.",
    .examples = (const cmd_example[]){
        { "intervale judge rank judge.db ranking.txt", "The order of another ranker." },
        { "intervale judge rank judge.db --random", "A random sample of what is left comes next." },
        { NULL, NULL } },
    .opts = rank_opts,
    .args_size = sizeof(question),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "ranked", NULL },
    .run = run_rank,
};

const cmd cmd_judge_import = {
    .name = "judge import",
    .group = "Judging",
    .summary = "store judgments that were made elsewhere",
    .operands = "SESSION JUDGMENTS",
    .least = 2,
    .most = 2,
    .description =
        "Stores the grades of JUDGMENTS for the documents of a session. The format is detected: "
        "qrels, prels (qrels of a sample), BEIR, RIS, CSV with labels (column 'included', and one "
        "of 'record_id', 'doi' and 'title') or an ASReview project. Of Rayyan's exports, every "
        "reviewer's labels are stored if the session has assessors of these names.\n\n"
        "Everything is stored in one transaction, as judgments of one assessor; a second import "
        "adds nothing. SESSION must not be open in a server.",
    .examples = (const cmd_example[]){
        { "intervale judge import judge.db done.qrels", "Judgments made elsewhere, such as in a "
                                                        "spreadsheet." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(question),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "imported", NULL },
    .run = run,
};
