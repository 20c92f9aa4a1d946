/* SPDX-License-Identifier: Apache-2.0 */
/* A session with changed bytes is refused, or everything that can be asked of it is answered. */
#include "fuzz_answer.h"
#include "live/live.h"
#include "store/builder.h"
#include "store/store.h"

static char *whole; /* the session as it was made */
static size_t whole_len;

static void write_text(const char *path, const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");

    PROMISE(file != NULL && fwrite(bytes, 1, len, file) == len && fclose(file) == 0);
}

static void judge_some(iv_store *s)
{
    iv_err err;

    for (int i = 1; i <= 6; i++) {
        iv_store_entry e = { .item = 1 + i % 4, .assessor = 1 + i % 2, .grade = i % 2,
                             .reason = i == 5 ? IV_REASON_UNDO : IV_REASON_JUDGED, .note = "n" };
        (void)snprintf(e.uuid, sizeof e.uuid, "00000000-0000-4000-8000-%012d", i);
        PROMISE(iv_store_append(s, &e, 1, &err) == IV_OK);
    }
}

/* A session of four documents and two assessors, in memory. */
static void make_once(const char *path)
{
    char run[FUZZ_PATH + 8];
    static const char text[] = "1 Q0 a 1 4 r\n1 Q0 b 2 3 r\n1 Q0 c 3 2 r\n1 Q0 d 4 1 r\n";
    const char *runs[] = { run };
    iv_session_made made;
    iv_store *s = NULL;
    iv_err err;

    if (whole != NULL)
        return;
    (void)snprintf(run, sizeof run, "%s.run", path);
    write_text(run, text, sizeof text - 1);
    const iv_session_plan plan = { .queue = { runs, 1 }, .missing = IV_MISSING_SHOW_ID,
                                   .assessors = "anna,ben", .overlap = 1.0 };
    PROMISE(iv_session_make(&made, path, &plan, NULL, &err) == IV_OK);
    PROMISE(iv_store_open(&s, path, IV_STORE_WRITE, &err) == IV_OK);
    judge_some(s);
    iv_store_close(s);
    FILE *file = fopen(path, "rb");
    PROMISE(file != NULL && fseek(file, 0, SEEK_END) == 0 && (whole_len = (size_t)ftell(file)) > 0);
    rewind(file);
    whole = malloc(whole_len);
    PROMISE(whole != NULL && fread(whole, 1, whole_len, file) == whole_len);
    (void)fclose(file);
    (void)unlink(run);
}

static void ask_all(iv_store *s)
{
    iv_arena a = { 0 };
    const iv_store_item *items;
    const iv_assessor_row *rows;
    iv_store_item item;
    iv_store_counts counts;
    iv_exported done;
    iv_live live;
    size_t count;
    iv_err err;

    (void)!iv_store_check(s, &err);
    for (int state = IV_ITEM_ANY; state <= IV_ITEM_NOTED; state++)
        (void)!iv_store_items(&items, &count, &a, s, &(iv_store_filter){ .state = (iv_store_state)state },
                              50, &err);
    (void)!iv_store_items(&items, &count, &a, s, &(iv_store_filter){ 2, IV_ITEM_ANY, "a", "b", 1 }, 50,
                          &err);
    (void)!iv_store_history(&items, &count, &a, s, 0, 0, 50, &err);
    (void)!iv_store_assessor_rows(&rows, &count, &a, s, &err);
    (void)!iv_store_count(&counts, s, &err);
    for (int64_t i = 0; i < 6; i++)
        (void)!iv_store_item_at(&item, &a, s, i, 1, &err);
    (void)!iv_store_next(&item, &a, s, &(iv_store_wish){ .assessor = 1 }, &err);
    (void)!iv_live_of(&live, s, NULL, &err);
    for (int form = IV_EXPORT_USUAL; form <= IV_EXPORT_CSV; form++) {
        FILE *out = tmpfile();
        if (out != NULL) {
            const iv_export_options how = { .form = (iv_store_form)form, .partial = true };
            (void)!iv_store_export(&done, out, s, &how, &err);
            (void)fclose(out);
        }
    }
    iv_arena_free(&a);
}

/* Four bytes of the input change one of the session: where, and to what. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH], log[FUZZ_PATH + 8];
    iv_store *s = NULL;
    iv_err err = { IV_OK, "" };

    (void)snprintf(path, sizeof path, "/tmp/iv-fuzz-%ld.db", (long)getpid());
    make_once(path);
    char *changed = malloc(whole_len);
    PROMISE(changed != NULL);
    memcpy(changed, whole, whole_len);
    for (size_t i = 0; i + 4 <= size; i += 4)
        changed[((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) % whole_len]
            = (char)data[i + 3];
    write_text(path, changed, whole_len);
    free(changed);
    const int rc = iv_store_open(&s, path, IV_STORE_READ, &err);
    PROMISE(rc == IV_OK || rc == IV_EPARSE || rc == IV_EIO);
    PROMISE(rc == IV_OK || err.msg[0] != '\0');
    if (rc == IV_OK)
        ask_all(s);
    iv_store_close(s);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(log, sizeof log, "%s%s", path, i == 0 ? "" : i == 1 ? "-wal" : "-shm");
        (void)unlink(log);
    }
    return 0;
}
