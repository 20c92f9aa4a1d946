/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about sessions: who gets what, what is stored once and for good, what is refused. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "session_fixture.h"
#include "store/seal.h"
#include "store/assessors.h"
#include "store/builder.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/lists.h"
#include "store/overview.h"
#include "store/queue.h"
#include "store/session.h"
#include "store/session_export.h"
#include "store/store_open.h"
#include "store/upkeep.h"
#include "base/ids.h"
#include "base/memory.h"

static scratch folder;
static char path[SCRATCH_PATH];
static iv_err err;

static iv_store *open_new(iv_session_plan plan)
{
    iv_store *s = NULL;

    assert_true(scratch_make(&folder));
    assert_int_equal(make_session(path, &folder, "s.db", plan, &err), IV_OK);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    return s;
}

static void done_with(iv_store *s)
{
    iv_store_close(s);
    scratch_remove(folder.path);
}

static const char two[] = "anna,ben";

static int64_t next_item(iv_store *s, iv_store_wish w, iv_store_role *role)
{
    iv_arena a = { 0 };
    iv_store_item it = { 0 };
    const int rc = iv_store_next(&it, &a, s, &w, &err);

    if (role != NULL)
        *role = it.role;
    iv_arena_free(&a);
    return rc == IV_OK ? it.item : 0;
}

static void judge(iv_store *s, int number, int64_t item, int64_t assessor, int32_t grade)
{
    iv_store_entry e = entry_of(number, item, assessor, grade);

    assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    assert_int_equal(e.stored, IV_STORED_NEW);
}

/* ------------------------------------------------------------ the queue -- */

static void a_new_session_says_what_it_is(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .grades = "0:no,1,2:very" });
    const iv_store_about *b = iv_store_about_of(s);
    iv_store_topic t;

    assert_int_equal(b->kind, IV_STORE_SAMPLE);
    assert_int_equal(b->items, 5);
    assert_int_equal(b->topics, 2);
    assert_int_equal(b->documents, 5);
    assert_int_equal(b->grade_count, 3);
    assert_string_equal(b->words[1], "1");
    assert_string_equal(b->words[2], "very");
    assert_int_equal(b->level, 1);
    t = iv_store_topic_at(s, 1);
    assert_string_equal(t.name, "2");
    assert_int_equal(t.items, 2);
    assert_int_equal(iv_ids_find(&s->topic_ids, iv_str_of("2")), 1);
    assert_int_equal(iv_ids_find(&s->topic_ids, iv_str_of("3")), IV_NO_ID);
    done_with(s);
}

static void items_come_in_the_order_of_the_design(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    static const char *const expected[] = { "b", "c", "a", "f", "e" };
    iv_arena a = { 0 };

    for (int i = 0; i < 5; i++) {
        iv_store_item it = { 0 };
        const iv_store_wish w = { .assessor = 1, .now = 10 };
        assert_int_equal(iv_store_next(&it, &a, s, &w, &err), IV_OK);
        assert_string_equal(it.docno, expected[i]);
        assert_int_equal(it.role, IV_ROLE_FIRST);
        judge(s, i, it.item, 1, 0);
    }
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 10 }, NULL), 0);
    assert_string_equal(err.msg, "nothing is left to judge");
    iv_arena_free(&a);
    done_with(s);
}

static void an_item_has_its_text_and_no_tags_are_touched_in_json(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    iv_arena a = { 0 };
    iv_store_item it = { 0 };

    assert_int_equal(iv_store_item_at(&it, &a, s, 2, 1, &err), IV_OK);
    assert_string_equal(it.docno, "c");
    assert_string_equal(it.title, "C");
    assert_string_equal(it.text, "<script>alert(1)</script>");
    assert_int_equal(it.text_bytes, strlen(it.text));
    assert_false(it.missing);
    iv_arena_free(&a);
    done_with(s);
}

static void two_assessors_never_get_the_same_item(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    const int64_t x = next_item(s, (iv_store_wish){ .assessor = 1, .now = 10 }, NULL);
    const int64_t y = next_item(s, (iv_store_wish){ .assessor = 2, .now = 10 }, NULL);

    assert_true(x > 0 && y > 0 && x != y);
    /* Asking again gives the same; the one shown can be left out, for the next to come. */
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 11 }, NULL), x);
    const int64_t z = next_item(s, (iv_store_wish){ .assessor = 1, .now = 11, .not_this = x },
                                NULL);
    assert_true(z > 0 && z != x && z != y);
    done_with(s);
}

static void a_lease_ends(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    const int64_t x = next_item(s, (iv_store_wish){ .assessor = 1, .now = 10 }, NULL);

    assert_true(next_item(s, (iv_store_wish){ .assessor = 2, .now = 10 + IV_HOLD_SECONDS - 1 },
                          NULL) != x);
    iv_store_close(s);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 10 }, NULL), x);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 2, .now = 11 + IV_HOLD_SECONDS },
                               NULL), x);
    done_with(s);
}

static void a_hold_lasts_while_its_assessor_is_there(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    iv_store_hold held[IV_ASSESSORS_MOST * IV_LEASES];
    const int64_t x = next_item(s, (iv_store_wish){ .assessor = 1, .now = 10 }, NULL);

    iv_store_seen(s, 1, 100); /* any request */
    assert_true(next_item(s, (iv_store_wish){ .assessor = 2, .now = 100 + IV_HOLD_SECONDS - 1 },
                          NULL) != x);
    assert_int_equal(iv_store_holds(held, s, &(iv_store_wish){ .now = 150 }), 2);
    assert_int_equal(iv_store_holds(held, s, &(iv_store_wish){ .assessor = 2, .now = 150 }), 1);
    assert_int_equal(held[0].assessor, 1);
    assert_int_equal(held[0].item, x);
    assert_int_equal(held[0].idle, 50);
    iv_store_hold_for(s, 5);
    assert_int_equal(iv_store_holds(held, s, &(iv_store_wish){ .assessor = 2, .now = 150 }), 0);
    done_with(s);
}

/* Who comes back holds the document on the screen and the next, not those that others took. */
static void who_comes_back_holds_two(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    iv_store_hold held[IV_ASSESSORS_MOST * IV_LEASES];
    int64_t now = 10, got[3][2];

    for (int turn = 0; turn < 3; turn++, now += IV_HOLD_SECONDS / 2) {
        const int64_t who = turn == 1 ? 2 : 1;
        now += turn == 1 ? IV_HOLD_SECONDS : 0;
        got[turn][0] = next_item(s, (iv_store_wish){ .assessor = who, .now = now }, NULL);
        got[turn][1] = next_item(s, (iv_store_wish){ .assessor = who, .now = now,
                                                     .not_this = got[turn][0] }, NULL);
    }
    assert_true(got[1][0] == got[0][0] && got[1][1] == got[0][1]);
    const size_t count = iv_store_holds(held, s, &(iv_store_wish){
        .now = now - IV_HOLD_SECONDS / 2 });
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(held[i].item, got[held[i].assessor == 1 ? 2 : 1][i % 2]);
    assert_int_equal(iv_store_release(s, 1), 2);
    done_with(s);
}

/* After an undo that document is on the screen, and the one that was there is the next. */
static void what_an_undo_shows_again_is_held(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    iv_store_hold held[IV_ASSESSORS_MOST * IV_LEASES];
    iv_store_wish w = { .assessor = 1, .now = 10 };
    int64_t got[4] = { 0 };

    for (int i = 0; i < 4; i++) {
        if (i > 1)
            judge(s, i, got[i - 2], 1, 1);
        got[i] = next_item(s, w, NULL);
        w.not_this = got[i];
    }
    for (int i = 1; i >= 0; i--) {
        iv_store_entry u = entry_of(10 + i, got[i], 1, 0);
        u.reason = IV_REASON_UNDO;
        assert_int_equal(iv_store_append(s, &u, 1, &err), IV_OK);
        assert_int_equal(iv_store_holds(held, s, &(iv_store_wish){ .now = 10 }), 2);
        assert_int_equal(held[0].item, got[i]);
        assert_int_equal(held[1].item, got[i + 1]);
    }
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 2, .now = 10 }, NULL), got[2]);
    done_with(s);
}

static void releasing_and_revoking_give_items_back(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    const int64_t x = next_item(s, (iv_store_wish){ .assessor = 1, .now = 10 }, NULL);
    const int64_t y = next_item(s, (iv_store_wish){ .assessor = 2, .now = 10 }, NULL);

    assert_int_equal(iv_store_release(s, 1), 1);
    assert_int_equal(iv_store_release(s, 1), 0);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 2, .now = 10, .not_this = y },
                               NULL), x);
    const iv_assessor *all;
    assert_true(iv_store_assessors(&all, s) >= 2);
    assert_int_equal(iv_store_assessor_revoke(s, all[1].name, &err), IV_OK);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 10 }, NULL), x);
    done_with(s);
}

static void put_off_is_counted_alike_for_all_and_for_each(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    iv_store_entry e = { .item = 1, .assessor = 1, .reason = IV_REASON_LATER,
                         .uuid = "00000000-0000-4000-8000-0000000000aa" };
    const iv_assessor_row *rows;
    size_t count;
    iv_store_counts c;
    iv_store_topic t;
    iv_arena a = { 0 };

    for (int64_t later = 1; later >= 0; later--) { /* the other judges it: nothing is put off */
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
        assert_int_equal(iv_store_count(&c, s, &err), IV_OK);
        assert_int_equal(iv_store_assessor_rows(&rows, &count, &a, s, &err), IV_OK);
        t = iv_store_topic_at(s, 0);
        assert_int_equal(c.later, later);
        assert_int_equal(rows[0].later, later);
        assert_int_equal(c.judged, 1 - later);
        assert_int_equal(t.judged, 1 - later);
        e.assessor = 2;
        e.reason = IV_REASON_JUDGED;
        e.uuid[35] = 'b';
    }
    iv_arena_free(&a);
    done_with(s);
}

static void a_topic_can_be_asked_for_and_topics_take_turns(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .order = IV_ORDER_INTERLEAVED });

    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .topic = 2, .now = 1 }, NULL),
                     4);
    judge(s, 1, 4, 1, 0);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 1 }, NULL), 1);
    judge(s, 2, 1, 1, 0);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 1 }, NULL), 2);
    judge(s, 3, 2, 1, 0);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 1 }, NULL), 5);
    done_with(s);
}

static void what_is_put_off_comes_last(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    iv_store_entry later = entry_of(1, 1, 1, 0);
    iv_store_counts c;

    later.reason = IV_REASON_LATER;
    assert_int_equal(iv_store_append(s, &later, 1, &err), IV_OK);
    for (int i = 2; i <= 5; i++) {
        assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 1 }, NULL), i);
        judge(s, i, i, 1, 0);
    }
    assert_int_equal(iv_store_count(&c, s, &err), IV_OK);
    assert_int_equal(c.later, 1);
    assert_int_equal(c.open, 1);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 1 }, NULL), 1);
    done_with(s);
}

/* --------------------------------------------------------------- words -- */

static void a_judgment_sent_twice_is_stored_once(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    iv_store_entry e[3] = { entry_of(7, 1, 1, 1), entry_of(7, 1, 1, 1), entry_of(7, 1, 1, 0) };

    assert_int_equal(iv_store_append(s, e, 3, &err), IV_OK);
    assert_int_equal(e[0].stored, IV_STORED_NEW);
    assert_int_equal(e[1].stored, IV_STORED_BEFORE);
    assert_int_equal(e[1].seq, e[0].seq);
    assert_int_equal(e[2].stored, IV_STORED_OTHER);
    assert_int_equal(iv_store_seq(s), 1);
    done_with(s);
}

static void what_cannot_be_meant_is_refused_and_the_rest_is_stored(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    iv_store_entry e[] = { entry_of(1, 0, 1, 1), entry_of(2, 6, 1, 1), entry_of(3, 1, 3, 1),
                           entry_of(4, 1, 1, 2), entry_of(5, 1, 1, 1), entry_of(6, 1, 2, 1),
                           entry_of(7, 1, 1, 1), entry_of(8, 2, 1, 1) };
    char long_note[IV_NOTE_BYTES + 2];

    memset(long_note, 'x', sizeof long_note - 1);
    long_note[sizeof long_note - 1] = '\0';
    e[4].uuid[3] = 'X';
    e[5].reason = IV_REASON_ADJUDICATED; /* ben is not the owner */
    e[6].note = long_note;
    assert_int_equal(iv_store_append(s, e, 8, &err), IV_OK);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(e[i].stored, IV_STORED_REFUSED);
        assert_true(e[i].why[0] != '\0');
    }
    assert_int_equal(e[7].stored, IV_STORED_NEW);
    e[0] = entry_of(9, 1, 1, 1);
    e[0].note = "no \xff text";
    assert_int_equal(iv_store_append(s, e, 1, &err), IV_OK);
    assert_int_equal(e[0].stored, IV_STORED_REFUSED);
    done_with(s);
}

static void undo_opens_the_item_again_and_keeps_both_words(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    iv_store_entry u = entry_of(2, 1, 1, 0);
    const iv_store_item *rows;
    size_t count = 0;
    iv_arena a = { 0 };

    judge(s, 1, 1, 1, 1);
    u.reason = IV_REASON_UNDO;
    u.replaces = 5; /* not the last word */
    assert_int_equal(iv_store_append(s, &u, 1, &err), IV_OK);
    assert_int_equal(u.stored, IV_STORED_REFUSED);
    u.replaces = 1;
    assert_int_equal(iv_store_append(s, &u, 1, &err), IV_OK);
    assert_int_equal(u.stored, IV_STORED_NEW);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 1 }, NULL), 1);
    assert_int_equal(iv_store_history(&rows, &count, &a, s, 1, 0, 10, &err), IV_OK);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].mine.reason, IV_REASON_UNDO);
    assert_int_equal(rows[1].mine.grade, 1);
    assert_int_equal(iv_store_check(s, &err), IV_OK);
    assert_int_equal(iv_store_history(&rows, &count, &a, s, 1, rows[0].mine.seq, 10, &err), IV_OK);
    assert_int_equal(count, 1);
    iv_arena_free(&a);
    done_with(s);
}

static void the_log_can_neither_be_changed_nor_cut(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });

    judge(s, 1, 1, 1, 1);
    assert_int_equal(iv_db_exec(s->db, path, "UPDATE judgment SET grade = 0", &err), IV_EIO);
    assert_non_null(strstr(err.msg, "judgments are never changed"));
    assert_int_equal(iv_db_exec(s->db, path, "DELETE FROM judgment", &err), IV_EIO);
    assert_int_equal(iv_store_check(s, &err), IV_OK);
    /* What is derived from it can be damaged, and that is told. */
    assert_int_equal(iv_db_exec(s->db, path, "UPDATE current SET grade = 0", &err), IV_OK);
    assert_int_equal(iv_store_check(s, &err), IV_EPARSE);
    assert_non_null(strstr(err.msg, "differ from the log"));
    free(exported(s, (iv_export_options){ .form = IV_EXPORT_LABELS }, IV_EPARSE, NULL));
    char *log = exported(s, (iv_export_options){ .form = IV_EXPORT_LOG }, IV_OK, NULL);
    assert_non_null(strstr(log, ",1,1,b,judged,"));
    free(log);
    done_with(s);
}

static void a_check_unpacks_texts_and_reads_the_design(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *said;
    } damages[] = {
        { "UPDATE document SET zipped = 1, text = x'28b52ffd00' WHERE docno = 'b'",
          "a packed text (that of document 'b')" },
        { "UPDATE meta SET value = x'28b52ffd' WHERE key = 'form';"
          "UPDATE meta SET value = '1' WHERE key = 'form_zipped'", "a packed text" },
        { "UPDATE meta SET value = replace(value, '#: order 1', '#: bucket one') WHERE key = 'form'",
          "its design:" },
        { "UPDATE meta SET value = replace(value, '#: stratum 1 2', '#: stratum 1 3')"
          " WHERE key = 'form'", "its design:5: " },
        { "UPDATE meta SET value = replace(value, '1 a -1 1 1.0' || x'0a', '') WHERE key = 'form'",
          "its design:4: document 'a' of the sample has no line" },
        { "UPDATE meta SET value = '1 0 a -1' WHERE key = 'form'", "and judgments in the format "
          "qrels, expected prels" },
        { "UPDATE meta SET value = x'28b52ffd' WHERE key = 'form'", "the session is damaged: "
          "form_zipped 0, expected 1, since the form is packed" },
        { "UPDATE meta SET value = '1 a' WHERE key = 'form'", "its design:1: 2 fields" },
        { "DELETE FROM meta WHERE key = 'form'", "no form" } };

    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        iv_store *s = open_new((iv_session_plan){ 0 });
        assert_int_equal(iv_store_check(s, &err), IV_OK);
        assert_int_equal(iv_db_exec(s->db, path, damages[i].sql, &err), IV_OK);
        for (int k = 0; k < IV_SEALS; k++) /* as a program would that wrote it so */
            assert_int_equal(iv_seal_put(s->db, path, (iv_seal)k, &err), IV_OK);
        assert_int_equal(iv_store_check(s, &err), IV_EPARSE);
        assert_string_equal(err.file, path);
        if (strstr(err.msg, damages[i].said) == NULL)
            assert_string_equal(err.msg, damages[i].said);
        done_with(s);
    }
}

static void no_export_is_written_of_what_is_damaged(void **state)
{
    (void)state;
    static const char *const damages[] = {
        "UPDATE meta SET value = x'28b52ffd' WHERE key = 'form'",
        "UPDATE meta SET value = '1 0 a -1' WHERE key = 'form'",
        "PRAGMA foreign_keys = OFF; UPDATE item SET document = 99 WHERE id = 2",
        "UPDATE document SET docno = 'other' WHERE id = 2",
        "UPDATE current SET grade = 1 - grade WHERE item = 3",
        "DELETE FROM current WHERE item = 3" };

    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        iv_store *s = open_new((iv_session_plan){ 0 });
        for (int k = 1; k <= 5; k++)
            judge(s, k, k, 1, 1);
        assert_int_equal(iv_db_exec(s->db, path, damages[i], &err), IV_OK);
        char *text = exported(s, (iv_export_options){ 0 }, IV_EPARSE, NULL);
        assert_string_equal(text, "");
        free(text);
        done_with(s);
    }
}

static void what_a_session_cannot_be_about_is_refused_when_it_is_opened(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *said;
    } damages[] = {
        { "UPDATE meta SET value = '2' WHERE key = 'kind'",
          "kind 2, expected 0 (sample) or 1 (queue), since there are no strata" },
        { "UPDATE meta SET value = '4' WHERE key = 'kind'",
          "kind 4, expected 0 (sample), 1 (queue) or 2 (review)" },
        { "UPDATE meta SET value = 'p' WHERE key = 'kind'",
          "kind 'p', expected 0 (sample), 1 (queue) or 2 (review)" },
        { "DELETE FROM meta WHERE key = 'kind'",
          "no kind, expected 0 (sample), 1 (queue) or 2 (review)" },
        { "INSERT INTO stratum VALUES (1, 'x', 2, 1)",
          "kind 0, expected 2 (review), since there are strata" },
        { "UPDATE meta SET value = '1' WHERE key = 'stop'", "stop 1, expected 0 in a sample" },
        { "UPDATE meta SET value = '4' WHERE key = 'stop'",
          "stop 4, expected 0 (none), 1 (plan), 2 (anytime) or 3 (qbcb)" },
        { "UPDATE meta SET value = '1' WHERE key = 'stop_number'",
          "stop_number 1, expected 0, since no looks are planned" },
        { "DELETE FROM meta WHERE key = 'stop_number'",
          "no stop_number, expected a whole number" },
        { "UPDATE meta SET value = '1' WHERE key = 'target'", "target 1, expected 0 to below 1" },
        { "UPDATE meta SET value = '8' WHERE key = 'overlap'", "overlap 8, expected 0 to 1" },
        { "UPDATE meta SET value = '3' WHERE key = 'level'",
          "level 3, expected at most the highest grade" },
        { "UPDATE meta SET value = '0.5' WHERE key = 'level'", "level 0.5, expected a grade" },
        { "UPDATE meta SET value = '2' WHERE key = 'form_zipped'",
          "form_zipped 2, expected 0 or 1" },
        { "UPDATE meta SET value = '0:no' WHERE key = 'grades'", "1 grades, expected 2 to 10" },
        { "UPDATE meta SET value = '1:no,1:yes' WHERE key = 'grades'",
          "grade '1:yes', expected rising whole numbers with a word each, as in 0:not,1:partly,"
          "2:highly" },
        { "DELETE FROM meta WHERE key = 'grades'", "0 grades, expected 2 to 10" },
        { "UPDATE item SET id = -124 WHERE id = 2", NULL } };

    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char said[200];
        iv_store *s = open_new((iv_session_plan){ 0 });
        assert_int_equal(iv_db_exec(s->db, path, damages[i].sql, &err), IV_OK);
        iv_store_close(s);
        s = NULL;
        assert_int_equal(iv_store_open(&s, path, IV_STORE_READ, &err), IV_EPARSE);
        (void)snprintf(said, sizeof said, "the %s is damaged: %s",
                       damages[i].said == NULL ? "database" : "session", damages[i].said == NULL
                       ? "the items of a topic are not where they were" : damages[i].said);
        assert_string_equal(err.file, path);
        assert_string_equal(err.msg, said);
        done_with(s);
    }
}

static void a_flipped_bit_of_a_packed_text_is_noticed(void **state)
{
    (void)state;
    char text[8000];
    iv_arena a = { 0 };
    iv_str packed, back;
    bool zipped = false;

    for (size_t i = 0; i < sizeof text; i++) /* all but words: most bytes are kept as they are */
        text[i] = (char)('a' + (i * i / 7 + i / 3) % 23);
    assert_int_equal(iv_store_pack(&packed, &zipped, &a, (iv_str){ text, sizeof text }, &err),
                     IV_OK);
    for (size_t bit = 64; zipped && bit < 8 * packed.len; bit += 5) { /* behind the sizes */
        char *flipped = iv_arena_copy(&a, packed);
        assert_non_null(flipped);
        flipped[bit / 8] = (char)(flipped[bit / 8] ^ (1 << bit % 8));
        if (iv_store_unpack(&back, &a, (iv_str){ flipped, packed.len }, true, &err) == IV_OK) {
            assert_int_equal(back.len, sizeof text); /* a bit that means nothing */
            assert_memory_equal(back.ptr, text, sizeof text);
        }
    }
    iv_arena_free(&a);
}

static void everything_is_there_after_opening_again(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    iv_store_counts before, after;

    judge(s, 1, 1, 1, 1);
    judge(s, 2, 2, 2, 0);
    iv_store_entry x = entry_of(3, 3, 1, 0);
    x.reason = IV_REASON_CANNOT;
    x.note = "a photograph";
    assert_int_equal(iv_store_append(s, &x, 1, &err), IV_OK);
    assert_int_equal(iv_store_count(&before, s, &err), IV_OK);
    iv_store_close(s);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    assert_int_equal(iv_store_count(&after, s, &err), IV_OK);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(after.judged, 3);
    assert_int_equal(after.cannot, 1);
    assert_int_equal(after.judgments, 3);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 1, .now = 1 }, NULL), 4);
    done_with(s);
}

/* ------------------------------------------------------- two on an item -- */

static void overlap_is_judged_by_two_and_conflicts_go_to_the_owner(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = "anna,ben,carla", .overlap = 1.0 });
    iv_store_role role;
    iv_store_counts c;
    iv_arena a = { 0 };
    iv_store_item it = { 0 };

    judge(s, 1, 1, 1, 1);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 2, .now = 1 }, &role), 1);
    assert_int_equal(role, IV_ROLE_OVERLAP);
    judge(s, 2, 1, 2, 0);
    assert_true(next_item(s, (iv_store_wish){ .assessor = 3, .now = 1 }, &role) != 1);
    assert_int_equal(iv_store_count(&c, s, &err), IV_OK);
    assert_int_equal(c.conflicts, 1);
    assert_int_equal(c.twice, 1);
    assert_int_equal(next_item(s, (iv_store_wish){ .assessor = 2, .adjudicate = true, .now = 1 },
                               &role), 0);
    const iv_store_wish owner = { .assessor = 1, .adjudicate = true, .now = 1 };
    assert_int_equal(iv_store_next(&it, &a, s, &owner, &err), IV_OK);
    assert_int_equal(it.role, IV_ROLE_ADJUDICATION);
    assert_int_equal(it.other_count, 2);
    assert_int_equal(it.others[1].grade, 0);
    iv_store_entry e = entry_of(3, 1, 1, 0);
    e.reason = IV_REASON_ADJUDICATED;
    assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    assert_int_equal(iv_store_count(&c, s, &err), IV_OK);
    assert_int_equal(c.conflicts, 0);
    assert_int_equal(iv_store_check(s, &err), IV_OK);
    iv_arena_free(&a);
    done_with(s);
}

/* All ask before any judges, as people do who work at the same time. */
static void a_document_for_two_goes_to_two_of_four_who_work_in_step(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = "anna,ben,carla,dan", .overlap = 1.0 });
    size_t judged[6] = { 0 };
    int number = 1;

    for (int round = 0; round < 10; round++) {
        int64_t item[5] = { 0 };
        for (int64_t who = 1; who <= 4; who++)
            item[who] = next_item(s, (iv_store_wish){ .assessor = who, .now = 1 }, NULL);
        for (int64_t who = 1; who <= 4; who++) {
            judged[item[who]]++;
            if (item[who] > 0)
                judge(s, number++, item[who], who, 1);
        }
    }
    assert_int_equal(number, 1 + 5 * 2);
    for (int i = 1; i <= 5; i++)
        assert_int_equal(judged[i], 2);
    done_with(s);
}

static void lists_are_by_state(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two, .overlap = 1.0 });
    static const size_t expected[] = { 5, 5, 3, 1, 1, 2, 1 }; /* as the states' names */
    iv_store_entry e[2] = { entry_of(4, 2, 1, 0), entry_of(5, 3, 1, 0) };

    judge(s, 1, 1, 1, 1);
    judge(s, 2, 1, 2, 0);
    e[0].reason = IV_REASON_CANNOT;
    e[0].note = "why";
    e[1].reason = IV_REASON_LATER;
    assert_int_equal(iv_store_append(s, e, 2, &err), IV_OK);
    for (int k = IV_ITEM_ANY; k <= IV_ITEM_NOTED; k++) {
        const iv_store_item *rows;
        size_t count = 0;
        iv_arena a = { 0 };
        assert_int_equal(iv_store_items(&rows, &count, &a, s, &(iv_store_filter){ .state = (iv_store_state)k }, 100, &err),
                         IV_OK);
        /* Open: all but item 1 need one more or two. */
        assert_int_equal(count, k == IV_ITEM_OPEN ? 4 : expected[k]);
        iv_arena_free(&a);
    }
    const iv_assessor_row *people;
    size_t count = 0;
    iv_arena a = { 0 };
    assert_int_equal(iv_store_assessor_rows(&people, &count, &a, s, &err), IV_OK);
    assert_int_equal(count, 2);
    assert_int_equal(people[0].judged, 2); /* with the one that cannot be judged */
    assert_int_equal(iv_store_judged_by(s, 1), 2);
    assert_int_equal(iv_store_judged_by(s, 2), 1);
    assert_int_equal(people[0].relevant, 1);
    assert_int_equal(people[0].cannot, 1);
    assert_int_equal(people[0].later, 1);
    assert_true(isnan(people[0].median_ms));
    iv_arena_free(&a);
    done_with(s);
}

static void the_median_of_times_is_of_the_middle(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    static const int64_t ms[] = { 1000, 9000, 3000, 4000 };
    const iv_assessor_row *people;
    size_t count = 0;
    iv_arena a = { 0 };

    for (int i = 0; i < 4; i++) {
        iv_store_entry e = entry_of(i, i + 1, 1, 0);
        e.active_ms = ms[i];
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
        assert_int_equal(iv_store_assessor_rows(&people, &count, &a, s, &err), IV_OK);
        static const double expected[] = { 1000, 5000, 3000, 3500 };
        assert_true(people[0].median_ms == expected[i]);
    }
    iv_arena_free(&a);
    done_with(s);
}

/* ------------------------------------------------------------ assessors -- */

static void tokens_are_known_by_their_digest_only(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    char token[IV_TOKEN_SIZE], other[IV_TOKEN_SIZE];
    size_t len = 0;

    assert_int_equal(iv_store_token_new(token, s, 2, &err), IV_OK);
    assert_int_equal(iv_store_token_owner(s, iv_str_of(token)), 2);
    assert_int_equal(iv_store_token_owner(s, iv_str_of("")), 0);
    token[5] = (char)(token[5] == 'a' ? 'b' : 'a');
    assert_int_equal(iv_store_token_owner(s, iv_str_of(token)), 0);
    assert_int_equal(iv_store_token_new(other, s, 2, &err), IV_OK);
    iv_store_close(s);
    char *bytes = scratch_bytes(&folder, "s.db", &len);
    for (size_t i = 0; i + 32 <= len; i++)
        assert_false(memcmp(bytes + i, other, 32) == 0);
    free(bytes);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    assert_int_equal(iv_store_token_owner(s, iv_str_of(other)), 2);
    assert_int_equal(iv_store_assessor_revoke(s, "ben", &err), IV_OK);
    assert_int_equal(iv_store_token_owner(s, iv_str_of(other)), 0);
    iv_store_entry e = entry_of(1, 1, 2, 0);
    assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    assert_int_equal(e.stored, IV_STORED_REFUSED);
    done_with(s);
}

static void assessors_can_be_added_and_names_are_checked(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    const iv_assessor *all;
    int64_t id = 0;

    assert_int_equal(iv_store_assessor_add(&id, s, "ben", &err), IV_OK);
    assert_int_equal(id, 2);
    assert_int_equal(iv_store_assessor_add(&id, s, "ben", &err), IV_EARG);
    assert_int_equal(iv_store_assessor_add(&id, s, "a,b", &err), IV_EARG);
    assert_int_equal(iv_store_assessor_add(&id, s, "majority", &err), IV_EARG);
    assert_int_equal(iv_store_assessor_add(&id, s, "", &err), IV_EARG);
    assert_int_equal(iv_store_assessor_revoke(s, "nobody", &err), IV_ENODATA);
    assert_int_equal(iv_store_assessor_revoke(s, "assessor", &err), IV_EARG); /* the owner */
    assert_int_equal(iv_store_assessors(&all, s), 2);
    assert_true(all[0].owner && !all[1].owner);
    done_with(s);
}

/* ------------------------------------------------------------- opening -- */

static int refused(const char *name, iv_store_mode mode, const char *why)
{
    char at[SCRATCH_PATH];
    iv_store *s = NULL;
    const int rc = iv_store_open(&s, scratch_at(at, &folder, name), mode, &err);

    assert_null(s);
    assert_non_null(strstr(err.msg, why));
    return rc;
}

static void one_process_writes_and_others_read(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 }), *r = NULL;

    assert_int_equal(refused("s.db", IV_STORE_WRITE, "another process"), IV_EIO);
    assert_int_equal(iv_store_open(&r, path, IV_STORE_READ, &err), IV_OK);
    judge(s, 1, 1, 1, 1);
    iv_store_close(r);
    assert_int_equal(iv_store_open(&r, path, IV_STORE_READ, &err), IV_OK);
    assert_int_equal(iv_store_seq(r), 1);
    iv_store_entry e = entry_of(2, 2, 1, 0);
    assert_int_equal(iv_store_append(r, &e, 1, &err), IV_EIO);
    iv_store_close(r);
    judge(s, 2, 2, 1, 0);
    iv_store_close(s);
    assert_int_equal(scratch_names(&folder), 3); /* no lock and no log stay behind */
    scratch_remove(folder.path);
}

/* Does another process get the file for writing by that name?  0: no, with that reason. */
static int other_process(const char *name, const char *why)
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        char at[SCRATCH_PATH];
        iv_store *s = NULL;
        const int rc = iv_store_open(&s, scratch_at(at, &folder, name), IV_STORE_WRITE, &err);
        _exit(rc == IV_EIO && strstr(err.msg, why) != NULL ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void a_session_has_one_writer_by_whatever_name(void **state)
{
    iv_store *s = open_new((iv_session_plan){ 0 });
    char at[SCRATCH_PATH];

    (void)state;
    assert_int_equal(other_process("s.db", "another process"), 0);
    assert_int_equal(symlink(path, scratch_at(at, &folder, "symbolic.db")), 0);
    assert_int_equal(other_process("symbolic.db", "another process"), 0);
    (void)unlink(scratch_at(at, &folder, "s.db-lock")); /* the lock of version 0.2 */
    assert_int_equal(other_process("s.db", "another process"), 0);
    assert_int_equal(link(path, scratch_at(at, &folder, "hard.db")), 0);
    assert_int_equal(other_process("hard.db", "hard links"), 0);
    assert_int_equal(unlink(at), 0);
    judge(s, 1, 1, 1, 1); /* and goes on */
    done_with(s);
}

static void a_session_that_is_taken_away_acknowledges_nothing(void **state)
{
    static const char *const taken[] = { "s.db", "s.db-wal" };
    char from[SCRATCH_PATH], to[SCRATCH_PATH];

    (void)state;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        iv_store *s = open_new((iv_session_plan){ 0 });
        judge(s, 1, 1, 1, 1);
        assert_int_equal(rename(scratch_at(from, &folder, taken[i]), scratch_at(to, &folder, "away")), 0);
        iv_store_entry e = entry_of(2, 2, 1, 0);
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_EIO);
        assert_non_null(strstr(err.msg, "removed or replaced"));
        assert_non_null(strstr(err.msg, "may not be stored")); /* it is, if the file comes back */
        assert_int_equal(rename(to, from), 0);
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_EIO); /* until a restart */
        done_with(s);
    }
}

static void files_of_others_are_refused_in_one_line(void **state)
{
    char at[SCRATCH_PATH];
    iv_store *s = open_new((iv_session_plan){ 0 });

    (void)state;
    iv_store_close(s);
    assert_int_equal(refused("nowhere.db", IV_STORE_WRITE, "No such file"), IV_EIO);
    (void)put_file(at, &folder, "text.db", "this is a text of more than a few bytes, and no database"
                   " at all: its header is not one of SQLite, whatever its length may be .......");
    assert_int_equal(refused("text.db", IV_STORE_READ, "is no database"), IV_EPARSE);
    (void)put_file(at, &folder, "empty.db", "");
    assert_int_equal(refused("empty.db", IV_STORE_READ, "is empty"), IV_EPARSE);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(scratch_at(at, &folder, "other.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    assert_int_equal(refused("other.db", IV_STORE_READ, "another program's"), IV_EPARSE);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    assert_int_equal(refused("s.db", IV_STORE_WRITE, "newer version"), IV_EPARSE);
    scratch_remove(folder.path);
}

static void network_file_systems_are_known_by_their_number(void **state)
{
    (void)state;
    assert_string_equal(iv_network_file_system(0x6969), "NFS");
    assert_string_equal(iv_network_file_system((long)0xff534d42), "CIFS");
    assert_string_equal(iv_network_file_system((long)(int)0xff534d42), "CIFS");
    assert_string_equal(iv_network_file_system(0x65735546), "FUSE");
    assert_null(iv_network_file_system(0xef53));     /* ext4 */
    assert_null(iv_network_file_system(0x01021994)); /* tmpfs */
    assert_null(iv_network_file_system((long)0x9123683e)); /* btrfs */
}

static void a_copy_is_whole_while_it_is_judged(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 }), *copy = NULL;
    char at[SCRATCH_PATH];
    struct stat st;

    judge(s, 1, 1, 1, 1);
    assert_int_equal(iv_store_backup(s, scratch_at(at, &folder, "copy.db"), &err), IV_OK);
    judge(s, 2, 2, 1, 1);
    assert_int_equal(stat(at, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(iv_store_open(&copy, at, IV_STORE_WRITE, &err), IV_OK);
    assert_int_equal(iv_store_seq(copy), 1);
    assert_int_equal(iv_store_check(copy, &err), IV_OK);
    iv_store_close(copy);
    assert_int_equal(iv_store_backup(s, "/nowhere/at/all", &err), IV_EIO);
    assert_string_equal(err.file, "/nowhere/at/all");
    assert_string_equal(err.msg, "cannot write: No such file or directory");
    static const char *const own[] = { "s.db", "s.db-wal", "s.db-shm" };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_int_equal(iv_store_backup(s, scratch_at(at, &folder, own[i]), &err), IV_EIO);
    assert_int_equal(iv_store_check(s, &err), IV_OK);
    /* Nor another session that is open. */
    (void)put_file(at, &folder, "other.db-wal", "x");
    assert_int_equal(iv_store_backup(s, scratch_at(at, &folder, "other.db"), &err), IV_EIO);
    assert_int_equal(mkfifo(scratch_at(at, &folder, "pipe"), 0600), 0);
    assert_int_equal(iv_store_backup(s, at, &err), IV_EIO);
    assert_true(stat(at, &st) == 0 && S_ISFIFO(st.st_mode));
    assert_int_equal(iv_store_checkpoint(s, &err), IV_OK);
    done_with(s);
}

static void imported_judgments_are_stored_once(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = two });
    iv_imported done;
    char at[SCRATCH_PATH];

    (void)put_file(at, &folder, "q", "1 0 a 1\n1 0 b 0\n1 0 nowhere 1\n2 0 e -1\n");
    assert_int_equal(iv_store_import(&done, s, at, "ben", NULL, &err), IV_OK);
    assert_int_equal(done.found, 2);
    assert_int_equal(done.stored, 2);
    assert_int_equal(done.others, 1);
    assert_int_equal(iv_store_import(&done, s, at, "ben", NULL, &err), IV_OK);
    assert_int_equal(done.stored, 0);
    assert_int_equal(iv_store_import(&done, s, at, "nobody", NULL, &err), IV_EARG);
    (void)put_file(at, &folder, "q", "1 0 a 7\n");
    assert_int_equal(iv_store_import(&done, s, at, NULL, NULL, &err), IV_EPARSE);
    (void)put_file(at, &folder, "q", "9 0 a 1\n");
    assert_int_equal(iv_store_import(&done, s, at, NULL, NULL, &err), IV_ENODATA);
    assert_int_equal(iv_store_seq(s), 2);
    (void)put_file(at, &folder, "q", "1 0 a 0\n1 0 b 0\n"); /* another mind about a */
    assert_int_equal(iv_store_import(&done, s, at, "ben", NULL, &err), IV_OK);
    assert_int_equal(done.changed, 1);
    assert_int_equal(done.stored, 1);
    (void)put_file(at, &folder, "q", "1 0 a 1\n1 0 b 0\n"); /* and back again */
    assert_int_equal(iv_store_import(&done, s, at, "ben", NULL, &err), IV_OK);
    assert_int_equal(done.stored, 1);
    assert_int_equal(iv_store_import(&done, s, at, "ben", NULL, &err), IV_OK);
    assert_true(done.found == 2 && done.stored == 0 && done.changed == 0);
    assert_int_equal(iv_store_check(s, &err), IV_OK);
    done_with(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_session_says_what_it_is),
        cmocka_unit_test(items_come_in_the_order_of_the_design),
        cmocka_unit_test(an_item_has_its_text_and_no_tags_are_touched_in_json),
        cmocka_unit_test(two_assessors_never_get_the_same_item),
        cmocka_unit_test(a_lease_ends),
        cmocka_unit_test(a_hold_lasts_while_its_assessor_is_there),
        cmocka_unit_test(who_comes_back_holds_two),
        cmocka_unit_test(what_an_undo_shows_again_is_held),
        cmocka_unit_test(releasing_and_revoking_give_items_back),
        cmocka_unit_test(put_off_is_counted_alike_for_all_and_for_each),
        cmocka_unit_test(a_topic_can_be_asked_for_and_topics_take_turns),
        cmocka_unit_test(what_is_put_off_comes_last),
        cmocka_unit_test(a_judgment_sent_twice_is_stored_once),
        cmocka_unit_test(what_cannot_be_meant_is_refused_and_the_rest_is_stored),
        cmocka_unit_test(undo_opens_the_item_again_and_keeps_both_words),
        cmocka_unit_test(the_log_can_neither_be_changed_nor_cut),
        cmocka_unit_test(a_check_unpacks_texts_and_reads_the_design),
        cmocka_unit_test(no_export_is_written_of_what_is_damaged),
        cmocka_unit_test(what_a_session_cannot_be_about_is_refused_when_it_is_opened),
        cmocka_unit_test(a_flipped_bit_of_a_packed_text_is_noticed),
        cmocka_unit_test(everything_is_there_after_opening_again),
        cmocka_unit_test(overlap_is_judged_by_two_and_conflicts_go_to_the_owner),
        cmocka_unit_test(a_document_for_two_goes_to_two_of_four_who_work_in_step),
        cmocka_unit_test(lists_are_by_state),
        cmocka_unit_test(the_median_of_times_is_of_the_middle),
        cmocka_unit_test(tokens_are_known_by_their_digest_only),
        cmocka_unit_test(assessors_can_be_added_and_names_are_checked),
        cmocka_unit_test(one_process_writes_and_others_read),
        cmocka_unit_test(a_session_has_one_writer_by_whatever_name),
        cmocka_unit_test(a_session_that_is_taken_away_acknowledges_nothing),
        cmocka_unit_test(files_of_others_are_refused_in_one_line),
        cmocka_unit_test(network_file_systems_are_known_by_their_number),
        cmocka_unit_test(a_copy_is_whole_while_it_is_judged),
        cmocka_unit_test(imported_judgments_are_stored_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
