/* SPDX-License-Identifier: Apache-2.0 */
/* judge new -- make a session to judge in. */
#include "command/judge_session.h"
#include "store/builder.h"
#include "store/session_export.h"

static const opt opts[] = {
    OPT_HEADING("What is judged (one of these)"),
    OPT_STR(iv_session_plan, 0, "design", "FILE", design,
            "documents to judge, as 'intervale sample' writes them. Or as 'intervale next' writes "
            "them, or any qrels with grades of -1"),
    OPT_LIST(iv_session_plan, 0, "queue", "FILE", queue,
             "run or references, to be judged in their order. One run: from the top. Two or "
             "more runs: in the order of 'intervale next'; RUN... after SESSION are such runs. "
             "References of a systematic review (.ris, .nbib, .csv, .asreview): duplicates are "
             "removed and listed ('intervale judge duplicates')"),
    OPT_STR(iv_session_plan, 0, "ids", "FILE", ids,
            "list of documents, one per line, perhaps with a family (an e-mail and its "
            "attachments): documents of a family follow each other"),
    OPT_STR(iv_session_plan, 0, "strata", "CSV", strata,
            "strata of a review, as 'intervale recall' reads them. Columns stratum, N "
            "(size), n (number to judge; 0 everywhere means all), r (relevant so far: 0) and "
            "segment"),
    OPT_STR(iv_session_plan, 0, "lists", "DIR", lists,
            "folder with a file for each stratum; one document a line"),
    OPT_STR(iv_session_plan, 0, "judged", "QRELS", judged,
            "existing judgments, with --queue. With --stop qbcb and no --control, they "
            "must be of a random sample"),
    OPT_INT(iv_session_plan, 0, "count", "N", count, 1, 100000000,
            "number of documents to judge, with --queue"),
    OPT_INT(iv_session_plan, 0, "depth", "N", depth, 1, 100000000,
            "use only the top N documents of each topic, with --queue"),
    OPT_HEADING("What people see"),
    OPT_LIST(iv_session_plan, 0, "documents", "FILE", documents,
             "texts of the documents. BEIR's corpus.jsonl, TREC's <DOC> files, lines of id, tab "
             "and text, or a folder of text files; plain, gzip or zstd"),
    OPT_STR(iv_session_plan, 0, "topics", "FILE", topics,
            "texts of the topics. BEIR's queries.jsonl, lines of id, tab and text, or TREC topics"),
    OPT_ENUM(iv_session_plan, 0, "missing-documents", "WHAT", missing, iv_missing, iv_missing_names,
             "what to do with documents without a text: refuse, or show the id"),
    OPT_STR(iv_session_plan, 0, "grades", "G:WORD,...", grades,
            "grades and their names",
            .usual = "0:not relevant,1:relevant"),
    OPT_LEVEL(iv_session_plan, level),
    OPT_STR(iv_session_plan, 0, "guidelines", "FILE", guidelines,
            "text about how to judge, shown beside the documents"),
    OPT_STR(iv_session_plan, 0, "tags", "TAG,...", tags,
            "issue codes or reasons for exclusion, each with a key. With =GRADE behind, the key "
            "also judges: wrong-design=0,privileged"),
    OPT_HEADING("Who judges, and how it ends"),
    OPT_STR(iv_session_plan, 0, "assessors", "NAME,...", assessors,
            "names of the assessors; the first is the owner, who exports",
            .usual = "assessor"),
    OPT_STR(iv_session_plan, 0, "adjudicator", "NAME", adjudicator,
            "who decides disagreements, and judges nothing else. Default: the owner, who may then "
            "decide on labels of her own"),
    OPT_STR(iv_session_plan, 0, "assign", "FILE", assign,
            "who judges which topic: lines of topic and assessors, with commas between. Other "
            "topics are for all"),
    OPT_REAL(iv_session_plan, 0, "overlap", "P", overlap, 0.0, 1.0,
             "proportion of documents that two assessors judge. They are chosen at random",
             .usual = "0"),
    OPT_ENUM(iv_session_plan, 0, "order", "HOW", order, iv_store_order, iv_store_order_names,
             "order of judging: topic by topic, or alternating between topics"),
    OPT_REAL_OPEN(iv_session_plan, 0, "target", "R", target, 0.0, 1.0,
                  "recall to demonstrate, with --stop or --control. 75, 75% and 0.75 are the same",
                  .percent = true),
    OPT_STR(iv_session_plan, 0, "stop", "RULE", stop,
            "stopping rule. With --queue, qbcb: stop when enough documents of --control were "
            "found. With --strata, anytime: when the "
            "guaranteed limit reaches the target; plan:K: at K planned interim analyses",
            .usual = "none"),
    OPT_INT(iv_session_plan, 0, "control", "N", control, 1, 100000000,
            "judge N random documents first, to know when to stop. With --queue; "
            "implies --stop qbcb. A target of 80 % needs 14 relevant ones among them; 400 "
            "documents probably contain 14 if one in 20 is relevant"),
    OPT_FLAG(iv_session_plan, 0, "hide-interval", hide_interval,
             "show estimates only to the owner; they may sway an assessor"),
    OPT_END
};

/* Runs behind SESSION belong to the queue. */
static int join_queue(iv_session_plan *q, iv_arena *own, const cmd_context *c, iv_err *err)
{
    const size_t given = q->queue.count, more = c->operand_count - 1;

    if (more == 0)
        return IV_OK;
    if (given == 0)
        return cmd_usage(err, "expected --queue RUN before further runs");
    const char **all = iv_take(own, given + more, sizeof *all);
    if (all == NULL)
        return iv_no_memory(err);
    memcpy(all, q->queue.at, given * sizeof *all);
    memcpy(all + given, c->operands + 1, more * sizeof *all);
    q->queue = (iv_texts){ all, given + more };
    return IV_OK;
}

static void tell(cmd_context *c, const iv_session_made *m, const iv_session_plan *p)
{
    const session_row rows[] = { { "documents to judge", (int64_t)m->items },
                                 { "topics", (int64_t)m->topics, m->references },
                                 { "distinct documents", (int64_t)m->documents },
                                 { "to be judged by two assessors", (int64_t)m->twice,
                                   m->twice == 0 },
                                 { "already judged", (int64_t)m->judged_before,
                                   m->judged_before == 0 },
                                 { "duplicates removed", (int64_t)m->duplicates, !m->references },
                                 { "possible duplicates, kept", (int64_t)m->alike, m->alike == 0 },
                                 { "records skipped", (int64_t)m->skipped, !m->references },
                                 { "without a text", (int64_t)m->missing, m->missing == 0 } };

    const char *path = c->operands[0];
    iv_result_answer(c->result, "%s is ready: 'intervale judge serve %s --open' opens it in the "
                     "browser.", path, path);
    if (m->references && p->grades == NULL)
        iv_result_note(c->result, "To judge in a spreadsheet: 'intervale judge export %s --as csv "
                       "-o labels.csv', fill in column 'included' (1 or 0), 'intervale judge "
                       "import %s labels.csv'.", path, path);
    if (p->control > 0)
        iv_result_note(c->result, "The first %zu documents are the control sample, in random "
                       "order. At least %zu of them must be relevant, or the stopping rule cannot "
                       "apply. No ranker may be trained on their labels.", p->control,
                       iv_store_control_least(p->target));
    if (m->duplicates + m->alike > 0)
        iv_result_note(c->result, "'intervale judge duplicates %s' lists the duplicates with the "
                       "reason and the record that stays, and restores records.", path);
    if (m->skipped > 0)
        iv_result_note(c->result, "Records with neither title nor abstract were skipped: %zu "
                       "(%s%s).", m->skipped, m->skipped_at, m->skipped > 5 ? ", ..." : "");
    if (m->labelled > 0)
        iv_result_note(c->result, "Labels in the files are not stored: %zu. 'intervale judge "
                       "import %s FILE' stores them.", m->labelled, path);
    if (m->renamed > 0)
        iv_result_note(c->result, "Records with the id of another record: %zu. In the session, "
                       "their place is added to their id ('7-12').", m->renamed);
    if (m->missing > 0)
        iv_result_note(c->result, "For a document without a text, assessors see only its id.");
    judge_tell(c->result, "session", rows, sizeof rows / sizeof *rows);
}

static int run(cmd_context *c, iv_err *err)
{
    iv_session_plan *q = c->args;
    iv_session_made made;
    iv_arena own = { 0 };
    int rc = join_queue(q, &own, c, err);

    if (rc == IV_OK)
        rc = iv_session_make(&made, c->operands[0], q, &c->work, err);
    if (rc == IV_ENODATA && q->documents.count == 0)
        cmd_hint(err, "; --documents names files of texts, --missing-documents show-id shows "
                 "ids instead");
    else if (rc == IV_ENODATA && strstr(err->msg, "has no text") != NULL)
        cmd_hint(err, "; --missing-documents show-id shows ids instead");
    if (rc == IV_OK)
        tell(c, &made, q);
    iv_arena_free(&own);
    return rc == IV_OK ? iv_result_status(c->result, err) : rc;
}

const cmd cmd_judge_new = {
    .name = "judge new",
    .group = "Judging",
    .summary = "create a session to judge in the browser",
    .operands = "SESSION [RUN...]",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Creates a session in which people judge documents in a browser.\n\n"
        "SESSION is a database with everything that judging needs: the documents of a sample, a "
        "queue or a review with their texts, their order, and the assessors. 'intervale judge "
        "serve SESSION --open' opens it in the browser. Documents are shown as plain text.\n\n"
        "A sample is judged in the order of its file, which is random within buckets. What is "
        "judged at any time is therefore a sample, too ('judge export --partial'). The strata of "
        "a review are judged in random blocks, each with documents of every stratum.",
    .examples = (const cmd_example[]){
        { "intervale judge new session.db --design sample.prels --documents corpus.jsonl --topics "
          "queries.jsonl", "The sample of 'intervale sample', with BEIR's texts." },
        { "intervale judge new team.db --queue runA --documents corpus.jsonl --assessors "
          "ann,bob,carl --overlap 1", "The documents of a run. Two of the three judge each; ann, "
          "the owner, sees who holds what." },
        { "intervale judge new screening.db --queue refs.ris --control 400 --target 80%",
          "A systematic review. 400 random records come first, and tell when to stop." },
        { "intervale judge new review.db --strata review.csv --lists lists --documents "
          "corpus.jsonl --target 0.75 --stop anytime --assessors anna,ben --overlap 0.1",
          "A review that may stop when a recall of 0.75 is demonstrated. Two assessors both "
          "judge a random tenth." },
        { NULL, NULL } },
    .often = "design queue documents topics grades assessors overlap target stop control",
    .pages = "doc/judging.md, doc/howto/systematic.md",
    .opts = opts,
    .args_size = sizeof(iv_session_plan),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "session", NULL },
    .run = run,
};
