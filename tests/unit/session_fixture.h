/* SPDX-License-Identifier: Apache-2.0 */
/* session_fixture -- a small session to judge in: two topics, a sample of each. */
#ifndef SESSION_FIXTURE_H
#define SESSION_FIXTURE_H

#include <string.h>

#include "intervale.h"
#include "store/builder.h"
#include "store/entries.h"
#include "store/queue.h"
#include "store/session_export.h"
#include "scratch.h"

static const char session_design[] =
    "# a comment that stays\n"
    "#: intervale-sample 1 stratified\n"
    "#: topic 1 4 3\n"
    "#: stratum 1 1 2 2 a b\n"
    "#: stratum 1 2 2 1 c\n"
    "#: rest 1 2 d\n"
    "#: order 1 b c a\n"
    "#: topic 2 2 2\n"
    "#: stratum 2 1 2 2 e f\n"
    "#: order 2 f e\n"
    "1 a -1 1 1.0\n"
    "1 b -1 1 1.0\n"
    "1 c -1 1 0.5\n"
    "2 e -1 1 1.0\n"
    "2 f -1 1 1.0\n";

static const char session_corpus[] =
    "{\"_id\": \"a\", \"title\": \"A\", \"text\": \"first text\"}\n"
    "{\"_id\": \"b\", \"title\": \"B\", \"text\": \"second\"}\n"
    "{\"_id\": \"zz\", \"title\": \"Z\", \"text\": \"nobody wants it\"}\n"
    "{\"_id\": \"c\", \"title\": \"C\", \"text\": \"<script>alert(1)</script>\"}\n"
    "{\"_id\": \"e\", \"title\": \"E\", \"text\": \"fifth\"}\n"
    "{\"_id\": \"f\", \"title\": \"F\", \"text\": \"sixth\"}\n";

static inline const char *put_file(char out[SCRATCH_PATH], const scratch *folder, const char *name,
                                   const char *text)
{
    FILE *f = fopen(scratch_at(out, folder, name), "wb");

    assert_non_null(f);
    assert_true(fwrite(text, 1, strlen(text), f) == strlen(text));
    assert_int_equal(fclose(f), 0);
    return out;
}

/* Makes the session in the folder; plan has what differs. */
static inline int make_session(char path[SCRATCH_PATH], const scratch *folder, const char *name,
                               iv_session_plan plan, iv_err *err)
{
    char design[SCRATCH_PATH], corpus[SCRATCH_PATH];
    const char *documents[] = { put_file(corpus, folder, "corpus.jsonl", session_corpus) };
    iv_session_made made;

    if (plan.design == NULL && plan.queue.count == 0 && plan.strata == NULL)
        plan.design = put_file(design, folder, "sample.prels", session_design);
    if (plan.documents.count == 0)
        plan.documents = (iv_texts){ documents, 1 };
    return iv_session_make(&made, scratch_at(path, folder, name), &plan, NULL, err);
}

/* A judgment with a uuid of its own. */
static inline iv_store_entry entry_of(int number, int64_t item, int64_t assessor, int32_t grade)
{
    iv_store_entry e = { .item = item, .assessor = assessor, .grade = grade };

    (void)snprintf(e.uuid, sizeof e.uuid, "%08x-0000-4000-8000-000000000000", (unsigned)number);
    return e;
}

/* What a session exports; the caller frees it. */
static inline char *exported(iv_store *s, iv_export_options o, int expected, iv_exported *done)
{
    static char *text; /* gcc takes the pointer to a local one for dangling */
    static size_t len;
    FILE *f = open_memstream(&text, &len);
    iv_err err = { 0 };

    assert_non_null(f);
    assert_int_equal(iv_store_export(done, f, s, &o, &err), expected);
    assert_int_equal(fclose(f), 0);
    return text;
}

#endif /* SESSION_FIXTURE_H */
