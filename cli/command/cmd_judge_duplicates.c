/* SPDX-License-Identifier: Apache-2.0 */
/* judge duplicates -- which references were removed, why, and which come back. */
#include "command/judge_session.h"
#include "store/builder.h"
#include "store/restore.h"

typedef struct request {
    const char *restore;
} request;

static const opt opts[] = {
    OPT_STR(request, 0, "restore", "RECORD,...", restore,
            "put removed records back into the session; they are judged next"),
    OPT_END
};

static const iv_field fields[] = {
    { "record", IV_AT(iv_store_duplicate, record) },
    { "state", IV_AT(iv_store_duplicate, state), .about = "removed, restored, or kept: the record "
                                                         "only resembles the other" },
    { "reason", IV_AT(iv_store_duplicate, reason) },
    { "stays", IV_AT(iv_store_duplicate, stays), .about = "the record that stays" },
    { "title", IV_AT(iv_store_duplicate, title) },
    { "stays_title", IV_AT(iv_store_duplicate, stays_title), .heading = "title of the other" },
    { NULL } };

static int list(iv_result *out, iv_arena *a, iv_store *s, size_t restored, iv_err *err)
{
    const iv_store_duplicate *rows;
    size_t count = 0, removed = 0, kept = 0;
    char first[64] = "";

    IV_TRY(iv_store_duplicates(&rows, &count, a, s, err));
    for (size_t i = 0; i < count; i++) {
        removed += strcmp(rows[i].state, "removed") == 0;
        kept += strcmp(rows[i].state, "kept") == 0;
    }
    if (restored > 0)
        (void)snprintf(first, sizeof first, "Records restored, to be judged next: %zu. ", restored);
    iv_result_answer(out, "%sDuplicates removed: %zu. Possible duplicates, kept: %zu.", first,
                     removed, kept);
    if (kept > 0)
        iv_result_note(out, "A kept record that is a duplicate: judge it as not relevant, with "
                       "the tag #duplicate in its note.");
    (void)iv_result_rows(out, &(iv_rows){ "duplicates", fields, rows, count, sizeof *rows });
    return iv_result_status(out, err);
}

static int run(cmd_context *c, iv_err *err)
{
    const request *q = c->args;
    size_t restored = 0;
    iv_arena memory = { 0 };
    iv_store *s = NULL;
    int rc = q->restore == NULL ? IV_OK
        : iv_store_restore_records(&restored, c->operands[0], q->restore, err);

    if (rc == IV_OK)
        rc = iv_store_open(&s, c->operands[0], IV_STORE_READ, err);
    if (rc == IV_OK)
        rc = list(c->result, &memory, s, restored, err);
    iv_arena_free(&memory);
    iv_store_close(s);
    return rc;
}

const cmd cmd_judge_duplicates = {
    .name = "judge duplicates",
    .group = "Judging",
    .summary = "list references removed as duplicates, and restore them",
    .operands = "SESSION",
    .least = 1,
    .most = 1,
    .description =
        "Lists the references that 'intervale judge new' removed as duplicates, each with the "
        "reason and the record that stays.\n\n"
        "A record is removed if its title and one more field (DOI, first author, first page, "
        "abstract) agree with those of another record, and no field contradicts. With the same "
        "DOI, another year is no contradiction. Neither a DOI nor a title is enough alone, "
        "unless a record has nothing but a title. Records that only resemble each other are "
        "kept and listed.",
    .examples = (const cmd_example[]){
        { "intervale judge duplicates screening.db", "What was removed, and why." },
        { "intervale judge duplicates screening.db --restore 7-12,31",
          "Two records come back and are judged next." },
        { NULL, NULL } },
    .pages = "doc/howto/systematic.md",
    .opts = opts,
    .args_size = sizeof(request),
    .shared = SHARED_REPORT,
    .tables = (const char *const[]){ "duplicates", NULL },
    .run = run,
};
