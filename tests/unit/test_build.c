/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about what sessions are made of, and about what they export. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "sampling/sampled_judgments.h"
#include "store/builder.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/queue.h"
#include "store/seal.h"
#include "store/session_export.h"
#include "trec/csv.h"
#include "session_fixture.h"
#include "base/memory.h"

static scratch folder;
static char path[SCRATCH_PATH];
static iv_err err;

static int make_folder(void **state)
{
    (void)state;
    return scratch_make(&folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_remove(folder.path);
    return 0;
}

static iv_store *open_new(iv_session_plan plan)
{
    iv_store *s = NULL;
    char at[SCRATCH_PATH];

    (void)unlink(scratch_at(at, &folder, "s.db"));
    assert_int_equal(make_session(path, &folder, "s.db", plan, &err), IV_OK);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    return s;
}

static void judge(iv_store *s, int number, int64_t item, int64_t assessor, int32_t grade)
{
    iv_store_entry e = entry_of(number, item, assessor, grade);

    assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    assert_int_equal(e.stored, IV_STORED_NEW);
}

/* The text with every " -1 " replaced by these grades, in its order. */
static char *filled(const char *text, const char *grades)
{
    char *out = calloc(1, strlen(text) + 1), *to = out;

    assert_non_null(out);
    for (const char *p = text; *p != '\0';) {
        if (strncmp(p, " -1", 3) == 0) {
            *to++ = ' ';
            *to++ = *grades++;
            p += 3;
        } else {
            *to++ = *p++;
        }
    }
    return out;
}

/* -------------------------------------------------------------- exports -- */

static void a_finished_design_is_the_file_filled_in(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    char *wanted = filled(session_design, "10101"); /* a b c e f */
    iv_exported done;

    judge(s, 1, 1, 1, 0); /* b */
    judge(s, 2, 2, 1, 1); /* c */
    judge(s, 3, 3, 1, 1); /* a */
    judge(s, 4, 4, 1, 1); /* f */
    free(exported(s, (iv_export_options){ 0 }, IV_ENODATA, &done));
    judge(s, 5, 5, 1, 0); /* e */
    char *got = exported(s, (iv_export_options){ 0 }, IV_OK, &done);
    assert_string_equal(got, wanted);
    assert_int_equal(done.written, 5);
    free(got);
    got = exported(s, (iv_export_options){ .form = IV_EXPORT_QRELS }, IV_OK, &done);
    assert_string_equal(got, "1 0 b 0\n1 0 c 1\n1 0 a 1\n2 0 f 1\n2 0 e 0\n");
    free(got);
    free(exported(s, (iv_export_options){ .form = IV_EXPORT_STRATA }, IV_EARG, &done));
    free(wanted);
    iv_store_close(s);
}

/* What eval makes of judgments in memory: the estimated number of relevant documents. */
static double relevant_of(const char *text, size_t topic, iv_unjudged unjudged)
{
    iv_judgments *j = NULL;
    iv_sampling *s = NULL;
    double total = 0.0;

    assert_int_equal(iv_judgments_parse(&j, "x", text, strlen(text), IV_JUDGMENTS_PRELS, NULL,
                                        &err), IV_OK);
    assert_int_equal(iv_sampling_new(&s, j, "x", unjudged, &err), IV_OK);
    const iv_sampling_topic t = iv_sampling_topic_at(s, topic);
    for (size_t i = 0; i < t.count; i++)
        if (t.pi[i] > 0.0)
            total += (t.grade[i] > 0) / t.pi[i];
    iv_sampling_free(s);
    iv_judgments_free(j);
    return total;
}

static void a_partial_export_has_the_design_of_what_is_judged(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    iv_exported done;

    judge(s, 1, 1, 1, 1); /* b of stratum 1, which has a and b */
    free(exported(s, (iv_export_options){ .partial = true }, IV_ENODATA, &done));
    judge(s, 2, 2, 1, 1); /* c: every stratum has one */
    char *got = exported(s, (iv_export_options){ .partial = true }, IV_OK, &done);
    assert_int_equal(done.topics_left_out, 1);
    assert_non_null(strstr(got, "#: open 1 a\n"));
    assert_null(strstr(got, "#: topic 2"));
    assert_null(strstr(got, "2 e"));
    /* b stands for a too: 2 / 1; c for d: 2 / 1. */
    assert_true(fabs(relevant_of(got, 0, IV_UNJUDGED_REFUSE) - 4.0) < 1e-12);
    free(got);
    iv_store_close(s);
}

static void what_is_judged_behind_a_gap_is_not_used(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    iv_store_entry later = entry_of(9, 3, 1, 0);
    iv_exported done;

    judge(s, 1, 4, 1, 1); /* f */
    judge(s, 2, 5, 1, 1); /* e: topic 2 is whole */
    judge(s, 3, 2, 1, 1); /* c, and b before it is open */
    later.reason = IV_REASON_LATER;
    assert_int_equal(iv_store_append(s, &later, 1, &err), IV_OK);
    char *got = exported(s, (iv_export_options){ .partial = true }, IV_OK, &done);
    assert_null(strstr(got, "1 c"));
    assert_non_null(strstr(got, "2 e 1 1 1.0\n"));
    free(got);
    judge(s, 4, 1, 1, 0); /* b: the prefix is b, c */
    got = exported(s, (iv_export_options){ .partial = true }, IV_OK, &done);
    assert_non_null(strstr(got, "1 c 1 1 0.5\n"));
    assert_non_null(strstr(got, "1 a -1 1 1.0\n"));
    free(got);
    iv_store_close(s);
}

static void cannot_judge_is_minus_one_and_refused_by_estimators(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ 0 });
    iv_store_entry x = entry_of(9, 1, 1, 0);
    iv_exported done;
    iv_judgments *j = NULL;
    iv_sampling *p = NULL;

    for (int i = 2; i <= 5; i++)
        judge(s, i, i, 1, 1);
    x.reason = IV_REASON_CANNOT;
    assert_int_equal(iv_store_append(s, &x, 1, &err), IV_OK);
    char *got = exported(s, (iv_export_options){ 0 }, IV_OK, &done);
    assert_int_equal(done.cannot, 1);
    assert_non_null(strstr(got, "1 b -1 1 1.0\n"));
    assert_int_equal(iv_judgments_parse(&j, "x", got, strlen(got), IV_JUDGMENTS_ANY, NULL, &err),
                     IV_OK);
    assert_int_equal(iv_sampling_new(&p, j, "x", IV_UNJUDGED_REFUSE, &err), IV_EPARSE);
    iv_judgments_free(j);
    free(got);
    iv_store_close(s);
}

static void several_grades_are_combined_as_asked(void **state)
{
    static const struct {
        const char *how;
        const char *grades; /* of items 1 to 3; x: the export refuses */
    } expected[] = { { "last", "200" }, { "majority", "100" }, { "median", "100" },
                     { "anna", "100" }, { NULL, "201" }, { "adjudicated", "201" } };
    iv_store *s = open_new((iv_session_plan){ .assessors = "anna,ben,carla",
                                              .grades = "0:no,1:partly,2:yes" });
    iv_exported done;

    (void)state;
    judge(s, 1, 1, 1, 1);
    judge(s, 2, 1, 2, 1);
    judge(s, 3, 1, 3, 2); /* 1 1 2 */
    for (int i = 2; i <= 5; i++)
        judge(s, 10 + i, i, 1, 0);
    judge(s, 20, 3, 2, 0);
    iv_store_entry e = entry_of(30, 3, 1, 1), f = entry_of(31, 1, 1, 2);
    e.reason = f.reason = IV_REASON_ADJUDICATED;
    assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    assert_int_equal(iv_store_append(s, &f, 1, &err), IV_OK);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        char line[32];
        char *got = exported(s, (iv_export_options){ .form = IV_EXPORT_QRELS,
                                                     .combine = expected[k].how }, IV_OK, &done);
        (void)snprintf(line, sizeof line, "1 0 b %c\n1 0 c %c\n", expected[k].grades[0],
                       expected[k].grades[1]);
        assert_non_null(strstr(got, line));
        free(got);
    }
    free(exported(s, (iv_export_options){ .combine = "dora" }, IV_EARG, &done));
    judge(s, 40, 2, 2, 1); /* 0 against 1: no majority */
    free(exported(s, (iv_export_options){ .combine = "majority" }, IV_ENODATA, &done));
    free(exported(s, (iv_export_options){ .combine = "ben" }, IV_ENODATA, &done));
    iv_store_close(s);
}

static void labels_and_the_log_are_tables(void **state)
{
    (void)state;
    iv_store *s = open_new((iv_session_plan){ .assessors = "anna,ben" });
    iv_store_entry e = entry_of(1, 1, 1, 1);
    iv_exported done;
    iv_csv *t = NULL;

    e.note = "said \"so\", twice\nover";
    assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    judge(s, 2, 1, 2, 0);
    char *got = exported(s, (iv_export_options){ .form = IV_EXPORT_LABELS }, IV_OK, &done);
    assert_string_equal(got, "item,assessor,label,topic,docno\n1,anna,1,1,b\n1,ben,0,1,b\n");
    free(got);
    got = exported(s, (iv_export_options){ .form = IV_EXPORT_LOG }, IV_OK, &done);
    assert_int_equal(iv_csv_parse(&t, "x", got, strlen(got), &err), IV_OK);
    assert_int_equal(iv_csv_rows(t), 2);
    const iv_str note = iv_csv_cell(t, 0, iv_csv_find(t, iv_str_of("note")));
    assert_int_equal(note.len, strlen(e.note));
    assert_memory_equal(note.ptr, e.note, note.len);
    iv_csv_free(t);
    free(got);
    iv_store_close(s);
}

/* ---------------------------------------------------------------- queues -- */

static void qrels_with_holes_are_a_queue_in_their_order(void **state)
{
    char at[SCRATCH_PATH];
    static const char text[] = "2 0 f -1\n1 0 zz 1\n1 0 a -1\n2 0 e -1";
    iv_exported done;

    (void)state;
    iv_store *s = open_new((iv_session_plan){ .design = put_file(at, &folder, "q", text) });
    assert_int_equal(iv_store_about_of(s)->kind, IV_STORE_QUEUE);
    for (int i = 1; i <= 3; i++)
        judge(s, i, i, 1, 1);
    char *got = exported(s, (iv_export_options){ 0 }, IV_OK, &done);
    assert_string_equal(got, "2 0 f 1\n1 0 zz 1\n1 0 a 1\n2 0 e 1");
    free(got);
    iv_store_close(s);
}

/* The item that the first assessor gets of a topic; 0: none. */
static int64_t item_of_topic(iv_store *s, size_t topic)
{
    iv_arena a = { 0 };
    iv_store_item it = { 0 };
    const iv_store_wish w = { .assessor = 1, .topic = topic, .now = 1 };
    const int rc = iv_store_next(&it, &a, s, &w, &err);

    iv_arena_free(&a);
    return rc == IV_OK ? it.item : 0;
}

static void a_queue_gives_the_next_of_any_topic(void **state)
{
    char at[SCRATCH_PATH];
    static const char text[] = "2 0 f -1\n1 0 a -1\n2 0 e -1\n1 0 b -1\n";

    (void)state;
    iv_store *s = open_new((iv_session_plan){ .design = put_file(at, &folder, "q", text) });
    const size_t topic_of_1 = item_of_topic(s, 1) == 1 ? 1 : 2, other = 3 - topic_of_1;
    assert_int_equal(item_of_topic(s, topic_of_1), 1);
    assert_int_equal(item_of_topic(s, other), 3);
    judge(s, 1, 1, 1, 1);
    judge(s, 2, 3, 1, 0);
    assert_int_equal(item_of_topic(s, topic_of_1), 2);
    judge(s, 3, 2, 1, 1);
    assert_int_equal(item_of_topic(s, topic_of_1), 0);
    assert_int_equal(item_of_topic(s, 3), 0); /* there are two */
    assert_int_equal(item_of_topic(s, other), 4);
    iv_store_entry undo = entry_of(4, 1, 1, 0);
    undo.reason = IV_REASON_UNDO;
    undo.replaces = 1;
    assert_int_equal(iv_store_append(s, &undo, 1, &err), IV_OK);
    assert_int_equal(item_of_topic(s, topic_of_1), 1);
    iv_store_close(s);
    /* The same after opening again. */
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    assert_int_equal(item_of_topic(s, topic_of_1), 1);
    assert_int_equal(item_of_topic(s, other), 4);
    iv_store_close(s);
}

static void runs_are_a_queue_and_what_is_judged_stays(void **state)
{
    char x[SCRATCH_PATH], y[SCRATCH_PATH], q[SCRATCH_PATH];
    const char *runs[] = { put_file(x, &folder, "x", "1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n1 Q0 c 3 7 x\n"),
                           put_file(y, &folder, "y", "1 Q0 c 1 9 y\n1 Q0 b 2 8 y\n1 Q0 a 3 7 y\n") };
    iv_exported done;

    (void)state;
    (void)put_file(q, &folder, "qrels", "1 0 b 1\n");
    iv_store *s = open_new((iv_session_plan){ .queue = { runs, 2 }, .judged = q });
    assert_int_equal(iv_store_about_of(s)->items, 2);
    judge(s, 1, 1, 1, 1);
    char *got = exported(s, (iv_export_options){ .partial = true }, IV_OK, &done);
    assert_true(strcmp(got, "1 0 b 1\n1 0 a 1\n1 0 c -1\n") == 0
                || strcmp(got, "1 0 b 1\n1 0 c 1\n1 0 a -1\n") == 0);
    free(got);
    iv_store_close(s);
    /* One run: from its top. */
    s = open_new((iv_session_plan){ .queue = { runs, 1 }, .count = 2 });
    got = exported(s, (iv_export_options){ .partial = true }, IV_OK, &done);
    assert_string_equal(got, "1 0 a -1\n1 0 b -1\n");
    free(got);
    iv_store_close(s);
}

/* --------------------------------------------------------------- reviews -- */

static void put_lists(void)
{
    char at[SCRATCH_PATH];
    char text[1000];

    (void)mkdir(scratch_at(at, &folder, "lists"), 0700);
    for (int k = 0; k < 2; k++) {
        size_t n = 0;
        for (int i = 0; i < (k == 0 ? 6 : 12); i++)
            n += (size_t)sprintf(text + n, "%s%d\n", k == 0 ? "r" : "u", i);
        (void)put_file(at, &folder, k == 0 ? "lists/hit" : "lists/miss.txt", text);
    }
}

static void a_review_comes_in_blocks_of_every_stratum(void **state)
{
    char csv[SCRATCH_PATH], lists[SCRATCH_PATH];
    static const char strata[] = "stratum,segment,N,n,r\nhit,retrieved,6,3,0\n"
                                 "miss,unretrieved,12,6,0\n";
    iv_exported done;
    iv_session_plan plan = { .missing = IV_MISSING_SHOW_ID };

    (void)state;
    put_lists();
    plan.strata = put_file(csv, &folder, "strata.csv", strata);
    plan.lists = scratch_at(lists, &folder, "lists");
    iv_store *s = open_new(plan);
    assert_int_equal(iv_store_about_of(s)->items, 9);
    for (int i = 1; i <= 7; i++)
        judge(s, i, i, 1, i == 1);
    char *got = exported(s, (iv_export_options){ .form = IV_EXPORT_LOG, .partial = true }, IV_OK,
                         &done);
    assert_int_equal(done.written, 7);
    int hits[4] = { 0 }, all[4] = { 0 };
    for (char *line = strchr(got, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *block = strchr(strchr(line, ',') + 1, ',') + 1;
        all[*block - '0']++;
        hits[*block - '0'] += strncmp(line, "hit,", 4) == 0;
    }
    for (int b = 1; b <= 2; b++) { /* a third of each stratum */
        assert_int_equal(all[b], 3);
        assert_int_equal(hits[b], 1);
    }
    free(got);
    judge(s, 8, 8, 1, 0);
    judge(s, 9, 9, 1, 0);
    got = exported(s, (iv_export_options){ 0 }, IV_OK, &done);
    assert_true(strcmp(got, "stratum,segment,N,n,r\nhit,retrieved,6,3,1\n"
                       "miss,unretrieved,12,6,0\n") == 0
                || strcmp(got, "stratum,segment,N,n,r\nhit,retrieved,6,3,0\n"
                          "miss,unretrieved,12,6,1\n") == 0);
    free(got);
    /* The strata it holds and the table it was made from are the same, or that is told. */
    static const char *const damages[][2] = {
        { "UPDATE stratum SET size = 13 WHERE name = 'miss'",
          ":3: stratum 'miss' of 12 documents, unretrieved, 6 to judge, and the session has "
          "'miss' of 13" },
        { "UPDATE stratum SET size = 12 WHERE name = 'miss'; UPDATE stratum SET retrieved = 0",
          ":2: stratum 'hit' of 6 documents, retrieved, 3 to judge, and the session has 'hit' "
          "of 6, unretrieved" },
        { "UPDATE stratum SET retrieved = 2 - id; UPDATE meta SET value = replace(value, 'hit', 'hut')"
          " WHERE key = 'form'", ":2: stratum 'hut'" } };
    assert_int_equal(iv_store_check(s, &err), IV_OK);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        assert_int_equal(iv_db_exec(s->db, "s", damages[i][0], &err), IV_OK);
        for (int k = 0; k < IV_SEALS; k++)
            assert_int_equal(iv_seal_put(s->db, "s", (iv_seal)k, &err), IV_OK);
        assert_int_equal(iv_store_check(s, &err), IV_EPARSE);
        if (strstr(err.msg, damages[i][1]) == NULL)
            assert_string_equal(err.msg, damages[i][1]);
        free(exported(s, (iv_export_options){ 0 }, IV_EPARSE, &done));
    }
    iv_store_close(s);
}

/* -------------------------------------------------------------- refusals -- */

static void refused(iv_session_plan plan, int code, const char *why)
{
    char at[SCRATCH_PATH];
    const int names = scratch_names(&folder);
    struct stat st;
    iv_err *const said = &err;

    (void)unlink(scratch_at(at, &folder, "never.db"));
    assert_int_equal(make_session(at, &folder, "never.db", plan, said), code);
    assert_non_null(strstr(said->msg, why));
    assert_int_not_equal(stat(at, &st), 0);
    assert_true(scratch_names(&folder) <= names + 2); /* the fixture's own files */
}

static void what_cannot_be_made_is_refused_and_nothing_is_left(void **state)
{
    char at[SCRATCH_PATH], corpus[SCRATCH_PATH];
    const char *documents[] = { corpus };
    iv_session_plan plan = { .documents = { documents, 1 } };

    (void)state;
    (void)put_file(corpus, &folder, "c.jsonl", "{\"_id\": \"a\", \"text\": \"x\"}\n");
    refused(plan, IV_ENODATA, "4 documents without a text, such as 'b'");
    (void)put_file(corpus, &folder, "c.jsonl", "{\"_id\": \"a\", \"text\": \"x\"}\n"
                   "{\"_id\": \"a\", \"text\": \"y\"}\n");
    refused(plan, IV_EPARSE, "document 'a' occurs twice");
    (void)put_file(corpus, &folder, "c.jsonl", "{\"_id\": \"a\", \"text\": \"x\"}\nnot json\n");
    refused(plan, IV_EPARSE, "'not json' is not a JSON object");
    refused((iv_session_plan){ .grades = "1:a,0:b" }, IV_EARG, "rising");
    refused((iv_session_plan){ .grades = "0:a" }, IV_EARG, "2 to 10");
    refused((iv_session_plan){ .level = 5 }, IV_EARG, "highest grade");
    refused((iv_session_plan){ .overlap = 0.5 }, IV_EARG, "two or more");
    refused((iv_session_plan){ .stop = "anytime", .target = 0.5 }, IV_EARG, "strata of a review");
    refused((iv_session_plan){ .stop = "soon", .target = 0.5 }, IV_EARG, "rule 'soon'");
    refused((iv_session_plan){ .stop = "anytime" }, IV_EARG, "a stopping rule needs a target");
    refused((iv_session_plan){ .target = 0.5 }, IV_EARG, "a target needs a stopping rule");
    refused((iv_session_plan){ .judged = "q" }, IV_EARG, "with a queue");
    refused((iv_session_plan){ .strata = "s" }, IV_EARG, "expected both");
    refused((iv_session_plan){ .design = put_file(at, &folder, "done", "1 0 a 1\n") }, IV_ENODATA,
            "every document is judged");
    refused((iv_session_plan){ .design = put_file(at, &folder, "tropic", "#: intervale-sample 1 "
            "stratified\n#: tropic 1 2 1\n1 a -1 1 1.0\n") }, IV_EPARSE, "'tropic'");
    assert_int_equal(err.line, 2);
    refused((iv_session_plan){ .design = put_file(at, &folder, "bucket", "#: intervale-sample 1 "
            "stratified\n#: topic 1 2 1\n#: stratum 1 2 2 1 a\n1 a -1 1 0.5\n") }, IV_EPARSE,
            "expected");
    assert_int_equal(err.line, 3);
    refused((iv_session_plan){ .design = put_file(at, &folder, "lacks", "#: intervale-sample 1 "
            "stratified\n#: topic 1 2 1\n1 a -1 1 0.5\n") }, IV_EPARSE,
            "was not sampled by the design");
    assert_int_equal(err.line, 3);
    assert_int_equal(make_session(path, &folder, "once.db", (iv_session_plan){ 0 }, &err), IV_OK);
    assert_int_equal(make_session(path, &folder, "once.db", (iv_session_plan){ 0 }, &err),
                     IV_EIO);
    assert_non_null(strstr(err.msg, "exists already"));
    (void)put_file(at, &folder, "gone.db-wal", "what a session that was deleted left");
    assert_int_equal(make_session(path, &folder, "gone.db", (iv_session_plan){ 0 }, &err), IV_EIO);
    assert_non_null(strstr(err.msg, "exists, with judgments"));
}

static void lists_must_be_the_strata(void **state)
{
    char csv[SCRATCH_PATH], lists[SCRATCH_PATH];
    iv_session_plan plan = { .missing = IV_MISSING_SHOW_ID };

    (void)state;
    put_lists();
    plan.lists = scratch_at(lists, &folder, "lists");
    plan.strata = put_file(csv, &folder, "t.csv", "stratum,segment,N,n,r\nhit,retrieved,7,3,0\n"
                           "miss,unretrieved,12,6,0\n");
    refused(plan, IV_EPARSE, "has 6 documents, expected the 7 of stratum 'hit'");
    plan.strata = put_file(csv, &folder, "t.csv", "stratum,segment,N,n,r\nhit,retrieved,6,3,0\n"
                           "gone,unretrieved,12,6,0\n");
    refused(plan, IV_EIO, "");
    plan.strata = put_file(csv, &folder, "t.csv", "stratum,segment,N,n,r\nhit,retrieved,6,3,1\n"
                           "miss,unretrieved,12,6,0\n");
    refused(plan, IV_EPARSE, "nothing is judged yet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finished_design_is_the_file_filled_in),
        cmocka_unit_test(a_partial_export_has_the_design_of_what_is_judged),
        cmocka_unit_test(what_is_judged_behind_a_gap_is_not_used),
        cmocka_unit_test(cannot_judge_is_minus_one_and_refused_by_estimators),
        cmocka_unit_test(several_grades_are_combined_as_asked),
        cmocka_unit_test(labels_and_the_log_are_tables),
        cmocka_unit_test(qrels_with_holes_are_a_queue_in_their_order),
        cmocka_unit_test(a_queue_gives_the_next_of_any_topic),
        cmocka_unit_test(runs_are_a_queue_and_what_is_judged_stays),
        cmocka_unit_test(a_review_comes_in_blocks_of_every_stratum),
        cmocka_unit_test(what_cannot_be_made_is_refused_and_nothing_is_left),
        cmocka_unit_test(lists_must_be_the_strata),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
