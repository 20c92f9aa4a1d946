/* SPDX-License-Identifier: Apache-2.0 */
/* judge check, backup, restore, assessor -- what the owner of a session does besides. */
#include <sys/stat.h>

#include "command/judge_session.h"
#include "store/entries.h"
#include "store/upkeep.h"

/* --------------------------------------------------------------- check -- */

static int run_check(cmd_context *c, iv_err *err)
{
    iv_store *s = NULL;
    char sum[IV_CHECKSUM_SIZE] = "";
    int rc = iv_store_open(&s, c->operands[0], IV_STORE_READ, err);

    if (rc == IV_OK)
        rc = iv_store_check(s, err);
    if (rc == IV_OK) {
        const iv_store_about *a = iv_store_about_of(s);
        const session_row rows[] = { { "documents to judge", (int64_t)a->items },
                                     { "topics", (int64_t)a->topics },
                                     { "judgments in the log", iv_store_seq(s) } };
        rc = iv_store_checksum(sum, s, err);
        iv_result_answer(c->result, "%s is undamaged, and its labels agree with its log.%s%s%s",
                         c->operands[0], sum[0] == '\0' ? " It has no checksums yet"
                         : " The last checksum of the log is ", sum, ".");
        judge_tell(c->result, "session", rows, sizeof rows / sizeof *rows);
        if (rc == IV_OK)
            rc = iv_result_status(c->result, err);
    }
    iv_store_close(s);
    return rc;
}

const cmd cmd_judge_check = {
    .name = "judge check",
    .group = "Judging",
    .summary = "check that a session is undamaged",
    .operands = "SESSION",
    .least = 1,
    .most = 1,
    .description =
        "Checks that a session is undamaged.\n\n"
        "It checks every page of the database, references between rows, that the latest label of "
        "each assessor is the one in the log, that texts can be unpacked, and that the sample or "
        "the strata can be read. Checksums show whether a judgment, a document or a setting was "
        "changed or removed; sessions of 0.2 and 0.3 have them after they are first written. The "
        "last checksum identifies the log: keep it elsewhere to show later that nothing was "
        "changed.",
    .examples = (const cmd_example[]){
        { "intervale judge check judge.db", "Is it whole?" }, { NULL, NULL } },
    .shared = SHARED_REPORT,
    .tables = (const char *const[]){ "session", NULL },
    .run = run_check,
};

/* -------------------------------------------------------------- backup -- */

/* A file that is no session is not replaced unasked. */
static int refuse_foreign(const cmd_context *c, iv_err *err)
{
    const char *copy = c->operands[1];
    iv_store *s = NULL;
    struct stat st;

    if (c->shared->force || stat(copy, &st) != 0 || st.st_size == 0
        || iv_store_open(&s, copy, IV_STORE_READ, err) == IV_OK) {
        iv_store_close(s);
        return IV_OK;
    }
    return iv_fail_at(err, IV_EIO, copy, 0, "exists, but is not a session that can be read; "
                      "--force replaces it");
}

static int run_backup(cmd_context *c, iv_err *err)
{
    iv_store *s = NULL;
    int rc = iv_store_open(&s, c->operands[0], IV_STORE_READ, err);

    if (rc == IV_OK)
        rc = refuse_foreign(c, err);
    if (rc == IV_OK)
        rc = iv_store_check(s, err); /* a copy of what is damaged must not replace a good one */
    if (rc == IV_OK)
        rc = iv_store_backup(s, c->operands[1], err);
    if (rc == IV_OK) {
        const session_row rows[] = { { "judgments in the log", iv_store_seq(s) } };
        iv_result_answer(c->result, "%s is a complete copy.", c->operands[1]);
        judge_tell(c->result, "copy", rows, 1);
        rc = iv_result_status(c->result, err);
    }
    iv_store_close(s);
    return rc;
}

const cmd cmd_judge_backup = {
    .name = "judge backup",
    .group = "Judging",
    .summary = "copy a session, even while it is in use",
    .operands = "SESSION COPY",
    .least = 2,
    .most = 2,
    .description =
        "Checks SESSION and copies it to COPY, even while a server has SESSION open.\n\n"
        "COPY appears only when it is complete, and replaces an older copy. A file that is not a "
        "session is replaced only with --force, and a session that is in use is never replaced. "
        "Copying SESSION by other means while a server has it open may lose what is in "
        "SESSION-wal.",
    .examples = (const cmd_example[]){
        { "intervale judge backup judge.db copy.db", "A copy." }, { NULL, NULL } },
    .shared = SHARED_REPORT,
    .tables = (const char *const[]){ "copy", NULL },
    .run = run_backup,
};

/* ------------------------------------------------------------- restore -- */

static int run_restore(cmd_context *c, iv_err *err)
{
    iv_restored done;
    int rc = iv_store_restore(&done, c->operands[0], c->operands[1], c->shared->force, err);

    if (rc == IV_EARG)
        cmd_hint(err, "; --force replaces it");
    if (rc == IV_OK) {
        const session_row rows[] = { { "judgments in the log", done.judgments } };
        iv_result_answer(c->result, "%s is now what %s was copied from.%s%s%s", c->operands[1],
                         c->operands[0], done.kept[0] == '\0' ? "" : " The session before is kept "
                         "as ", done.kept, done.kept[0] == '\0' ? "" : ".");
        judge_tell(c->result, "copy", rows, 1);
        rc = iv_result_status(c->result, err);
    }
    return rc;
}

const cmd cmd_judge_restore = {
    .name = "judge restore",
    .group = "Judging",
    .summary = "put a copy in the place of a session",
    .operands = "COPY SESSION",
    .least = 2,
    .most = 2,
    .description =
        "Checks COPY, a file of 'judge backup', and puts it in the place of SESSION.\n\n"
        "SESSION stays under another name, SESSION.replaced, together with its log. Do not copy "
        "a file over SESSION by other means: SQLite would add what SESSION-wal contains to it. A "
        "session that is in use is not replaced, and one that COPY is no copy of only with "
        "--force. Judgments made after the copy are in SESSION.replaced.",
    .examples = (const cmd_example[]){
        { "intervale judge restore copy.db judge.db", "Go back to a copy." }, { NULL, NULL } },
    .shared = SHARED_REPORT,
    .tables = (const char *const[]){ "copy", NULL },
    .run = run_restore,
};

/* ------------------------------------------------------------ assessor -- */

typedef struct people {
    const char *add, *revoke, *script;
} people;

static const opt assessor_opts[] = {
    OPT_STR(people, 0, "add", "NAME", add, "add assessor NAME"),
    OPT_STR(people, 0, "revoke", "NAME", revoke,
            "revoke the access of assessor NAME; the judgments stay"),
    OPT_STR(people, 0, "script", "NAME", script,
            "make an access token for the program NAME; it is shown once"),
    OPT_END
};

typedef struct person {
    const char *name, *role;
} person;

static int run_assessor(cmd_context *c, iv_err *err)
{
    static const iv_field fields[] = {
        { "assessor", IV_AT(person, name) }, { "may", IV_AT(person, role) }, { NULL } };
    const people *q = c->args;
    const iv_assessor *all;
    person rows[IV_ASSESSORS_MOST];
    const bool change = q->add != NULL || q->revoke != NULL || q->script != NULL;
    char token[IV_TOKEN_SIZE] = "";
    iv_store *s = NULL;
    int64_t id = 0;
    int rc = iv_store_open(&s, c->operands[0], change ? IV_STORE_WRITE : IV_STORE_READ, err);

    if (rc == IV_OK && q->add != NULL)
        rc = iv_store_assessor_add(&id, s, q->add, err);
    if (rc == IV_OK && q->script != NULL)
        rc = iv_store_script_token(token, s, q->script, err);
    if (rc == IV_OK && q->revoke != NULL)
        rc = iv_store_assessor_revoke(s, q->revoke, err);
    if (rc == IV_OK) {
        const size_t count = iv_store_assessors(&all, s);
        for (size_t i = 0; i < count; i++)
            rows[i] = (person){ all[i].name, all[i].revoked ? "nothing" : all[i].owner
                                ? all[i].adjudicates ? "judge, adjudicate, export"
                                : "judge, export" : !all[i].judges ? "adjudicate" : all[i].script
                                ? "judge, rank, export" : "judge" };
        if (q->script != NULL)
            iv_result_answer(c->result, "The token of %s, shown once: %s", q->script, token);
        else
            iv_result_answer(c->result, "%zu assessor%s.", count, count == 1 ? "" : "s");
        (void)iv_result_rows(c->result, &(iv_rows){ "assessors", fields, rows, count,
                                                    sizeof *rows });
        rc = iv_result_status(c->result, err);
    }
    iv_store_close(s);
    return rc;
}

const cmd cmd_judge_assessor = {
    .name = "judge assessor",
    .group = "Judging",
    .summary = "list, add and revoke assessors",
    .operands = "SESSION",
    .least = 1,
    .most = 1,
    .description =
        "Lists the assessors of a session. --add and --revoke change who may judge; 'intervale "
        "judge serve' prints the links of the assessors. --script makes an access token, with "
        "which a program can judge, rank and export (doc/judging-api.md).",
    .examples = (const cmd_example[]){
        { "intervale judge assessor judge.db --add carla", "One more." }, { NULL, NULL } },
    .opts = assessor_opts,
    .args_size = sizeof(people),
    .shared = SHARED_REPORT,
    .tables = (const char *const[]){ "assessors", NULL },
    .run = run_assessor,
};
