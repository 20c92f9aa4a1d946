/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the numbers of a session: they are what recall, eval and agree find. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "live/live.h"
#include "result/result_build.h"
#include "review/review_cases.h"
#include "review/review_log.h"
#include "stat/sequential/interim.h"
#include "stat/sequential/stopping.h"
#include "store/builder.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/lists.h"
#include "store/queue.h"
#include "store/seal.h"
#include "store/session_export.h"
#include "trec/strata.h"
#include "session_fixture.h"
#include "base/hash.h"
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

static const char strata[] = "stratum,segment,N,n,r\nhit,retrieved,200,60,0\n"
                             "miss,unretrieved,2000,120,0\n";

/* A review of 60 of 200 and 120 of 2,000 documents; those of names ending in 3, 5, 7 or 9 are relevant. */
static iv_store *open_review(const char *stop, double target, const char *assessors,
                             double overlap)
{
    char csv[SCRATCH_PATH], lists[SCRATCH_PATH], at[SCRATCH_PATH];
    iv_session_plan plan = { .missing = IV_MISSING_SHOW_ID, .target = target, .stop = stop,
                             .assessors = assessors, .overlap = overlap };
    iv_store *s = NULL;
    char *text = malloc(40000);

    (void)mkdir(scratch_at(lists, &folder, "lists"), 0700);
    for (int k = 0; k < 2; k++) {
        size_t n = 0;
        for (int i = 0; i < (k == 0 ? 200 : 2000); i++)
            n += (size_t)sprintf(text + n, "%c%d\n", k == 0 ? 'h' : 'm', i);
        (void)put_file(at, &folder, k == 0 ? "lists/hit" : "lists/miss", text);
    }
    free(text);
    plan.lists = lists;
    plan.strata = put_file(csv, &folder, "strata.csv", strata);
    (void)unlink(scratch_at(at, &folder, "r.db"));
    assert_int_equal(make_session(path, &folder, "r.db", plan, &err), IV_OK);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    return s;
}

/* Most of those retrieved are relevant, few of the others. */
static int32_t truth(const char *docno)
{
    const int number = atoi(docno + 1);

    return docno[0] == 'h' ? number % 10 != 0 : number % 50 == 7;
}

static void judge_so_many(iv_store *s, int64_t from, int64_t to, int64_t assessor)
{
    for (int64_t i = from; i <= to; i++) {
        iv_arena a = { 0 };
        iv_store_item it = { 0 };
        assert_int_equal(iv_store_item_at(&it, &a, s, i, 1, &err), IV_OK);
        iv_store_entry e = entry_of((int)(i + 1000 * assessor), i, assessor, truth(it.docno));
        e.active_ms = 6000;
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
        assert_int_equal(e.stored, IV_STORED_NEW);
        iv_arena_free(&a);
    }
}

static void a_review_without_looks_strata_or_blocks_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *said;
    } damages[] = {
        { "UPDATE meta SET value = '0' WHERE key = 'stop_number'",
          "the session is damaged: stop_number 0, expected 2 to 100 looks" },
        { "UPDATE meta SET value = '0' WHERE key = 'target'", "the session is damaged: target 0, "
          "expected more than 0, since there is a rule to stop by" },
        { "UPDATE item SET stratum = 3 WHERE id = 7",
          "the database is damaged: an item is of no stratum or of no block" },
        { "UPDATE item SET block = 100000 WHERE id = 7",
          "the database is damaged: an item is of no stratum or of no block" },
        { "UPDATE stratum SET size = -5 WHERE id = 1",
          "the database is damaged: a stratum has no size or no number" } };

    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        iv_store *s = open_review("plan:5", 0.7, NULL, 0.0);
        assert_int_equal(iv_db_exec(s->db, path, damages[i].sql, &err), IV_OK);
        iv_store_close(s);
        assert_int_equal(iv_store_open(&s, path, IV_STORE_READ, &err), IV_EPARSE);
        assert_string_equal(err.msg, damages[i].said);
    }
}

static void strata_that_are_not_the_designs_have_no_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *said;
    } damages[] = {
        { "UPDATE stratum SET size = 1000000 WHERE id = 1", "of 1000000, retrieved" },
        { "UPDATE item SET stratum = 3 - stratum WHERE id = 1", "60 to judge, and the session has "
          "'hit' of 200, retrieved, " } };

    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        iv_store *s = open_review("plan:5", 0.7, NULL, 0.0);
        iv_live l;
        judge_so_many(s, 1, 180, 1);
        assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
        assert_int_equal(iv_store_check(s, &err), IV_OK);
        assert_int_equal(iv_db_exec(s->db, path, damages[i].sql, &err), IV_OK);
        assert_int_equal(iv_seal_put(s->db, path, IV_SEAL_ITEMS, &err), IV_OK);
        iv_store_close(s);
        assert_int_equal(iv_store_open(&s, path, IV_STORE_READ, &err), IV_OK);
        assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_EPARSE);
        assert_non_null(strstr(err.msg, damages[i].said));
        assert_int_equal(err.line, 2);
        assert_int_equal(iv_store_check(s, &err), IV_EPARSE);
        assert_non_null(strstr(err.msg, damages[i].said));
        free(exported(s, (iv_export_options){ .form = IV_EXPORT_STRATA }, IV_EPARSE, NULL));
        free(exported(s, (iv_export_options){ .form = IV_EXPORT_LOG }, IV_EPARSE, NULL));
        iv_store_close(s);
    }
}

/* What recall finds in the exported table and log, and how many documents it counts there. */
static size_t ask_recall(double *lower, double *upper, double *guaranteed, double *e, iv_store *s)
{
    char csv[SCRATCH_PATH], log[SCRATCH_PATH];
    iv_exported done;
    char *text = exported(s, (iv_export_options){ .form = IV_EXPORT_STRATA, .partial = true },
                          IV_OK, &done);
    char *rows = exported(s, (iv_export_options){ .form = IV_EXPORT_LOG, .partial = true }, IV_OK,
                          &done);
    const iv_strata_table *t = NULL;
    iv_arena own = { 0 };
    iv_review *r = NULL;
    iv_review_findings *f = NULL;
    iv_review_log *l = NULL;
    iv_limits i;

    (void)put_file(csv, &folder, "out.csv", text);
    (void)put_file(log, &folder, "log.csv", rows);
    assert_int_equal(iv_strata_load(&t, &own, csv, NULL, NULL, &err), IV_OK);
    assert_int_equal(iv_review_strata(&r, t, 0, &err), IV_OK);
    assert_int_equal(iv_review_find(&f, r, NULL, NULL, &err), IV_OK);
    *lower = f->intervals[0].lower;
    *upper = f->intervals[0].upper;
    assert_int_equal(iv_review_log_load(&l, log, t, 1, NULL, &err), IV_OK);
    assert_int_equal(iv_recall_anytime(&i, &l->blocks, 0.95, true, &err),
                     IV_OK);
    *guaranteed = i.lower;
    assert_int_equal(iv_recall_evidence(e, &l->blocks, 0.2, false, &err),
                     IV_OK);
    *e = exp(*e);
    size_t counted = 0;
    for (size_t k = 0; k < l->blocks.count * l->blocks.stratum_count; k++)
        counted += (size_t)l->blocks.drawn[k];
    iv_review_log_free(l);
    iv_review_findings_free(f);
    iv_review_free(r);
    iv_arena_free(&own);
    free(text);
    free(rows);
    return counted;
}

static void a_review_has_the_numbers_of_recall(void **state)
{
    static const int64_t stops[] = { 30, 91, 180 };
    iv_store *s = open_review("anytime", 0.2, NULL, 0.0);
    iv_live l;
    int64_t from = 1;

    (void)state;
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_true(isnan(l.now.value));
    assert_true(l.guaranteed == 0.0);
    assert_false(l.may_stop);
    for (size_t k = 0; k < 3; k++) {
        double lower, upper, guaranteed, e;
        judge_so_many(s, from, stops[k], 1);
        from = stops[k] + 1;
        assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
        assert_int_equal(l.whole, ask_recall(&lower, &upper, &guaranteed, &e, s));
        assert_int_equal(l.prefix, stops[k]);
        assert_true(l.now.lower == lower && l.now.upper == upper);
        assert_true(l.guaranteed == guaranteed);
        assert_true(fabs(l.evidence / e - 1.0) < 1e-12);
        assert_true(l.may_stop == (e >= 20.0));
        if (stops[k] < 180) /* 6 seconds a judgment */
            assert_true(fabs(l.minutes_left - (double)(180 - stops[k]) * 0.1) < 1e-9);
    }
    iv_store_close(s);
}

static void a_plan_looks_when_it_said(void **state)
{
    iv_store *s = open_review("plan:3", 0.9, NULL, 0.0);
    iv_live l;

    (void)state;
    judge_so_many(s, 1, 59, 1);
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_int_equal(l.look, 1);
    assert_int_equal(l.look_at, 60);
    assert_true(isnan(l.look_lower));
    judge_so_many(s, 60, 125, 1);
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_int_equal(l.look, 3);
    assert_int_equal(l.judged_at_last, 120);
    const double at_look = l.look_lower;
    judge_so_many(s, 126, 150, 1); /* between looks nothing changes */
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_true(l.look_lower == at_look);
    /* The limit is that of the exact method with the look's error. */
    iv_look looks[3];
    iv_exported done;
    assert_int_equal(iv_looks_of(looks, NULL, 3, IV_LOOKS_OBRIEN_FLEMING, 0.05, &err), IV_OK);
    char *log = exported(s, (iv_export_options){ .form = IV_EXPORT_LOG, .partial = true }, IV_OK,
                         &done);
    iv_stratum cell[2] = { { 200, 0, 0 }, { 2000, 0, 0 } };
    const char *line = strchr(log, '\n') + 1;
    for (int i = 0; i < 120; i++, line = strchr(line, '\n') + 1) {
        iv_stratum *c = &cell[line[0] == 'm'];
        c->sampled++;
        c->relevant += strchr(line, ',')[1] == '1';
    }
    const iv_segments both = { &cell[0], &cell[1], 1, 1 };
    const iv_recall_options o = { .method = IV_RECALL_EXACT, .one_sided = true,
                                  .confidence = 1.0 - looks[1].error };
    iv_limits limits;
    iv_recall_posterior *p = NULL;
    assert_int_equal(iv_recall_posterior_new(&p, &err), IV_OK);
    assert_int_equal(iv_recall_interval_of(&limits, &both, &o, p, &err), IV_OK);
    assert_true(limits.lower == at_look);
    iv_recall_posterior_free(p);
    free(log);
    iv_store_close(s);
    s = open_review("plan:3", 0.2, NULL, 0.0);
    judge_so_many(s, 1, 150, 1);
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_true(l.may_stop);
    assert_string_equal(l.advice, "Yes, certified: recall is at least 20 % (95 % confidence, "
                                  "one-sided lower limit 40 %, rounded outwards; planned interim "
                                  "analyses: 3). The limit is by the first 60 documents (analysis 1 "
                                  "of 3), 67 % by the first 120 (analysis 2 of 3). You may stop.");
    /* The number is that of the analysis which decided, not of the last one, after 120. */
    iv_result *r = NULL;
    assert_int_equal(iv_result_new(&r, "judge status", &err), IV_OK);
    assert_int_equal(iv_live_status(r, s, NULL, &err), IV_OK);
    const iv_str row = iv_table_cell(iv_result_table_at(r, 0), 0, 1).text;
    assert_true(iv_str_eq(row, iv_str_of("recall at the interim analysis that decides")));
    iv_result_free(r);
    iv_store_close(s);
}

static void later_and_cannot_judge_end_the_prefix(void **state)
{
    iv_store *s = open_review("anytime", 0.2, NULL, 0.0);
    iv_store_entry x = entry_of(5000, 40, 1, 0);
    iv_live l;

    (void)state;
    judge_so_many(s, 1, 39, 1);
    x.reason = IV_REASON_CANNOT;
    assert_int_equal(iv_store_append(s, &x, 1, &err), IV_OK);
    judge_so_many(s, 41, 60, 1);
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_int_equal(l.judged, 60);
    assert_int_equal(l.prefix, 39);
    iv_store_close(s);
}

static void agreement_is_that_of_the_table(void **state)
{
    iv_store *s = open_review("anytime", 0.2, "anna,ben", 1.0);
    iv_arena a = { 0 };
    iv_live_agreement g;

    (void)state;
    judge_so_many(s, 1, 120, 1); /* the last twenty alone */
    for (int64_t i = 1; i <= 100; i++) { /* ben: relevant are the first thirty */
        iv_store_entry e = entry_of((int)(5000 + i), i, 2, i <= 30);
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    }
    assert_int_equal(iv_live_agree(&g, &a, s, NULL, &err), IV_OK);
    assert_int_equal(g.pair_count, 1);
    assert_int_equal(g.items, 100);
    assert_int_equal(g.pairs[0].items, 100);
    /* By hand: the four cells. */
    const iv_store_item *rows;
    size_t count = 0;
    double cell[2][2] = { { 0 } };
    assert_int_equal(iv_store_items(&rows, &count, &a, s, &(iv_store_filter){ 1, IV_ITEM_DONE }, 1000, &err), IV_OK);
    for (size_t i = 0; i < count; i++)
        if (rows[i].item <= 100)
            cell[rows[i].mine.grade][rows[i].item <= 30]++;
    const double po = (cell[0][0] + cell[1][1]) / 100.0;
    const double x = (cell[1][0] + cell[1][1]) / 100.0, y = 0.3;
    const double pe = x * y + (1.0 - x) * (1.0 - y);
    assert_true(fabs(g.prevalence - (x + y) / 2.0) < 1e-12); /* of the hundred */
    assert_true(fabs(g.pairs[0].agreement - po) < 1e-12);
    assert_true(fabs(g.pairs[0].kappa - (po - pe) / (1.0 - pe)) < 1e-12);
    assert_true(g.pairs[0].kappa_lower < g.pairs[0].kappa
                && g.pairs[0].kappa < g.pairs[0].kappa_upper);
    assert_int_equal(g.under_count, 3); /* exported, anna, ben; no majority of two */
    assert_false(g.under[1].value == g.under[2].value);
    iv_arena_free(&a);
    iv_store_close(s);
}

static void the_status_is_a_result_for_every_format(void **state)
{
    iv_store *s = open_review("plan:3", 0.9, "anna,ben", 0.5);
    iv_result *r = NULL;

    (void)state;
    judge_so_many(s, 1, 80, 1);
    judge_so_many(s, 1, 20, 2);
    assert_int_equal(iv_result_new(&r, "judge status", &err), IV_OK);
    assert_int_equal(iv_live_status(r, s, NULL, &err), IV_OK);
    assert_int_equal(iv_result_tables(r), 5);
    assert_int_equal(iv_table_rows(iv_result_table_at(r, 0)), 3); /* no e-value: the plan decides */
    assert_non_null(strstr(iv_result_answer_text(r), "80 of 180 documents are judged"));
    iv_result_free(r);
    assert_int_equal(iv_db_exec(s->db, path, "UPDATE current SET grade = 1 - grade WHERE item = 5",
                                &err), IV_OK);
    assert_int_equal(iv_result_new(&r, "judge status", &err), IV_OK);
    assert_int_equal(iv_live_status(r, s, NULL, &err), IV_EPARSE);
    assert_non_null(strstr(err.msg, "differ from the log"));
    iv_result_free(r);
    iv_store_close(s);
}

static void a_sample_has_the_relevant_documents_it_stands_for(void **state)
{
    iv_store *s = NULL;
    iv_live l;

    (void)state;
    assert_int_equal(make_session(path, &folder, "s.db", (iv_session_plan){ 0 }, &err), IV_OK);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_true(isnan(l.now.value));
    for (int i = 1; i <= 5; i++) { /* b c a f e; c stands for two */
        iv_store_entry e = entry_of(i, i, 1, i <= 3);
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    }
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_int_equal(l.relevant, 3);
    assert_true(fabs(l.now.value - 4.0) < 1e-12);
    assert_true(isnan(l.now.lower)); /* as eval: too little was drawn for an interval */
    iv_store_close(s);
}

static void a_ranked_review_stops_when_enough_known_ones_are_met(void **state)
{
    char run[SCRATCH_PATH], qrels[SCRATCH_PATH];
    char *text = malloc(20000);
    size_t n = 0;
    const char *runs[] = { run };
    iv_session_plan plan = { .queue = { runs, 1 }, .judged = qrels, .stop = "qbcb",
                             .target = 0.7, .missing = IV_MISSING_SHOW_ID };
    iv_store *s = NULL;
    iv_live l;

    (void)state;
    for (int i = 0; i < 200; i++)
        n += (size_t)sprintf(text + n, "1 Q0 d%d %d %d r\n", i, i + 1, 1000 - i);
    (void)put_file(run, &folder, "run", text);
    n = 0;
    for (int i = 0; i < 20; i++) /* known relevant: d0, d10, ... d190 */
        n += (size_t)sprintf(text + n, "1 0 d%d 1\n", 10 * i);
    (void)put_file(qrels, &folder, "control", text);
    free(text);
    assert_int_equal(make_session(path, &folder, "k.db", plan, &err), IV_OK);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    assert_int_equal(iv_store_about_of(s)->items, 180);
    const int64_t needed = iv_qbcb_needed(20, 0.7, 0.95); /* 18 of 20 */
    assert_int_equal(needed, 18);
    /* d170 is the 18th; 17 x 9 documents of the queue stand before it. */
    for (int64_t i = 1; i <= 153; i++) {
        assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
        assert_false(l.may_stop);
        iv_store_entry e = entry_of((int)i, i, 1, 0);
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    }
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_true(l.may_stop);
    assert_int_equal(l.control, 20); /* counted beside what the review found */
    assert_non_null(strstr(l.advice, "Yes, certified: recall is at least 70 % (95 % confidence): 18 of "
                                     "the 20 relevant control documents are ranked above the first "
                                     "unjudged document. You may stop."));
    iv_store_close(s);
}

/* The first of the ranking as control: all are found at once, whatever the recall is. */
static void a_control_sample_that_is_not_random_stops_nothing(void **state)
{
    char run[SCRATCH_PATH], qrels[SCRATCH_PATH], *text = malloc(20000);
    const char *runs[] = { run };
    iv_session_plan plan = { .queue = { runs, 1 }, .judged = qrels, .stop = "qbcb",
                             .target = 0.7, .missing = IV_MISSING_SHOW_ID };
    iv_store *s = NULL;
    iv_live l;
    size_t n = 0;

    (void)state;
    for (int i = 0; i < 200; i++)
        n += (size_t)sprintf(text + n, "1 Q0 d%d %d %d r\n", i, i + 1, 1000 - i);
    (void)put_file(run, &folder, "run", text);
    n = 0;
    for (int i = 0; i < 20; i++)
        n += (size_t)sprintf(text + n, "1 0 d%d 1\n", i);
    (void)put_file(qrels, &folder, "control", text);
    free(text);
    assert_int_equal(make_session(path, &folder, "f.db", plan, &err), IV_OK);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    for (int64_t i = 1; i <= 100; i++) {
        iv_store_entry e = entry_of((int)i, i, 1, i % 2 == 0);
        assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    }
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_false(l.may_stop);
    assert_non_null(strstr(l.advice, "not a random sample"));
    iv_store_close(s);
}

/* Judges an item of a session of a control sample as its truth is. */
static void judge_truly(iv_store *s, iv_store_reason reason, int64_t item, int number)
{
    iv_arena a = { 0 };
    iv_store_item it;

    assert_int_equal(iv_store_item_at(&it, &a, s, item, 1, &err), IV_OK);
    iv_store_entry e = entry_of(number, item, 1, atoi(it.docno + 1) % 3 == 0);
    e.reason = reason;
    assert_int_equal(iv_store_append(s, &e, 1, &err), IV_OK);
    assert_int_equal(e.stored, IV_STORED_NEW);
    iv_arena_free(&a);
}

static iv_store *open_control(size_t control, double target)
{
    char run[SCRATCH_PATH], *text = malloc(20000);
    const char *runs[] = { run };
    const iv_session_plan plan = { .queue = { runs, 1 }, .control = control, .target = target,
                                   .missing = IV_MISSING_SHOW_ID };
    iv_store *s = NULL;
    size_t n = 0;

    for (int i = 0; i < 200; i++)
        n += (size_t)sprintf(text + n, "1 Q0 d%03d %d %d r\n", i, i + 1, 1000 - i);
    (void)put_file(run, &folder, "run", text);
    free(text);
    (void)unlink(scratch_at(path, &folder, "control.db"));
    assert_int_equal(make_session(path, &folder, "control.db", plan, &err), IV_OK);
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    return s;
}

/* Of the relevant ones of the first `control` items, how many stand before the open document that
 * comes first when documents are judged from the last name to the first. */
static size_t met_before(iv_store *s, int64_t control, const char *frontier, size_t *all)
{
    size_t met = 0;

    *all = 0;
    for (int64_t i = 1; i <= control; i++) {
        iv_arena a = { 0 };
        iv_store_item it;
        assert_int_equal(iv_store_item_at(&it, &a, s, i, 1, &err), IV_OK);
        const bool relevant = atoi(it.docno + 1) % 3 == 0;
        *all += relevant;
        met += relevant && strcmp(it.docno, frontier) > 0;
        iv_arena_free(&a);
    }
    return met;
}

static void a_control_sample_is_judged_first_and_met_in_the_ranking(void **state)
{
    iv_store *s = open_control(60, 0.8);
    iv_str names[200];
    char text[200][5], said[100], front[8] = "";
    iv_ranked ranked;
    iv_live l;
    int number = 0;

    (void)state;
    assert_int_equal(iv_store_about_of(s)->items, 200);
    for (int i = 0; i < 200; i++) {
        (void)snprintf(text[i], sizeof text[i], "d%03d", 199 - i);
        names[i] = iv_str_of(text[i]);
    }
    assert_int_equal(iv_store_rank(&ranked, s, names, 200, NULL, &err), IV_OK);
    assert_int_equal(ranked.placed, 140);
    assert_int_equal(ranked.control, 0);
    for (int64_t i = 1; i <= 60; i++) { /* one is put off, and judged when others are */
        judge_truly(s, i == 7 ? IV_REASON_LATER : IV_REASON_JUDGED, i, ++number);
        assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
        (void)snprintf(said, sizeof said, "%d of the 60 control documents (a random sample, "
                       "judged first) are judged.", (int)i - (i >= 7));
        assert_non_null(strstr(l.advice, said));
    }
    for (int k = 0; k < 140; k++) {
        iv_store_item it;
        iv_arena a = { 0 };
        size_t all = 0;
        assert_int_equal(iv_store_next(&it, &a, s, &(iv_store_wish){ .assessor = 1 }, &err),
                         IV_OK);
        assert_true(it.item > 60 && (k == 0 || strcmp(it.docno, front) < 0)); /* as ranked */
        (void)snprintf(front, sizeof front, "%s", it.docno);
        assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
        if (k == 20)
            judge_truly(s, IV_REASON_JUDGED, 7, ++number);
        if (k > 20) {
            const size_t met = met_before(s, 60, front, &all);
            (void)snprintf(said, sizeof said, " %zu of the %zu relevant control", met, all);
            assert_non_null(strstr(l.advice, said));
            assert_int_equal(l.may_stop, (int64_t)met >= iv_qbcb_needed((int64_t)all, 0.8, 0.95));
            assert_int_equal(l.control, 0); /* they are among the items */
        } else {
            assert_false(l.may_stop);
        }
        judge_truly(s, IV_REASON_JUDGED, it.item, ++number);
        iv_arena_free(&a);
    }
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_true(l.may_stop && l.judged == 200 && l.relevant == 67);
    iv_store_close(s);
}

/* What a ranking does not name stands behind, in its order: also of the control. */
static void a_control_sample_that_is_not_ranked_comes_last(void **state)
{
    iv_store *s = open_control(60, 0.8);
    iv_str names[10];
    iv_arena a = { 0 };
    iv_ranked ranked;
    iv_live l;

    (void)state;
    for (int64_t i = 1; i <= 60; i++)
        judge_truly(s, IV_REASON_JUDGED, i, (int)i);
    for (int64_t i = 0; i < 10; i++) { /* the last of the queue */
        iv_store_item it;
        assert_int_equal(iv_store_item_at(&it, &a, s, 200 - i, 1, &err), IV_OK);
        names[i] = iv_str_of(it.docno);
    }
    assert_int_equal(iv_store_rank(&ranked, s, names, 10, NULL, &err), IV_OK);
    assert_int_equal(ranked.placed, 10);
    assert_int_equal(ranked.control, 60);
    for (int64_t i = 0; i < 10; i++) {
        judge_truly(s, IV_REASON_JUDGED, 200 - i, 100 + (int)i);
        assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
        assert_non_null(strstr(l.advice, i < 9 ? "review: 0 of the " : "review: "));
    }
    for (int64_t i = 61; i <= 190; i++) {
        judge_truly(s, IV_REASON_JUDGED, i, 300 + (int)i);
        assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
        assert_true(l.may_stop == (strstr(l.advice, "You may stop") != NULL));
        assert_true(i > 100 || !l.may_stop);
    }
    assert_true(l.may_stop);
    iv_arena_free(&a);
    iv_store_close(s);
}

/* A ranker that has learnt by the control's labels finds them first, whatever the recall is. */
static void a_ranker_that_knows_the_control_sample_stops_nothing(void **state)
{
    iv_store *s = open_control(60, 0.8);
    iv_str names[200];
    iv_arena a = { 0 };
    iv_ranked ranked;
    iv_live l;
    size_t n = 0;

    (void)state;
    for (int64_t i = 1; i <= 200; i++) {
        iv_store_item it;
        assert_int_equal(iv_store_item_at(&it, &a, s, i, 1, &err), IV_OK);
        if (i <= 60)
            judge_truly(s, IV_REASON_JUDGED, i, (int)i);
        if (i > 60 || atoi(it.docno + 1) % 3 == 0)
            names[n++] = iv_str_of(it.docno);
    }
    assert_int_equal(iv_store_rank(&ranked, s, names, n, NULL, &err), IV_OK);
    for (int64_t i = 61; i <= 160; i++)
        judge_truly(s, IV_REASON_JUDGED, i, (int)i);
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_false(l.may_stop);
    assert_non_null(strstr(l.advice, "do not train the ranker"));
    iv_arena_free(&a);
    iv_store_close(s);
}

static void a_control_sample_with_too_few_relevant_ones_says_how_many_more(void **state)
{
    iv_store *s = open_control(21, 0.8);
    iv_live l;
    char said[100];

    (void)state;
    for (int64_t i = 1; i <= 21; i++)
        judge_truly(s, IV_REASON_JUDGED, i, (int)i);
    assert_int_equal(iv_live_of(&l, s, NULL, &err), IV_OK);
    assert_false(l.may_stop);
    assert_true(l.relevant > 0 && l.relevant < 14);
    (void)snprintf(said, sizeof said, "it needs 14 (about %.0f more control documents",
                   ceil((14.0 / (double)l.relevant - 1.0) * 21.0));
    assert_non_null(strstr(l.advice, said));
    iv_store_close(s);
}

/* Of one seed, a larger control begins with a smaller one; all are drawn from the queue. */
static void a_larger_control_sample_has_a_smaller_one_in_it(void **state)
{
    char first[40][8];

    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        iv_store *s = open_control(turn == 0 ? 40 : 90, 0.8);
        for (int64_t i = 0; i < 40; i++) {
            iv_arena a = { 0 };
            iv_store_item it;
            assert_int_equal(iv_store_item_at(&it, &a, s, i + 1, 1, &err), IV_OK);
            if (turn == 0)
                (void)snprintf(first[i], sizeof first[i], "%s", it.docno);
            else
                assert_string_equal(first[i], it.docno);
            iv_arena_free(&a);
        }
        iv_store_close(s);
    }
}

static void the_rule_of_control_documents_needs_one_control_sample(void **state)
{
    char run[SCRATCH_PATH];
    const char *runs[] = { put_file(run, &folder, "run", "1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n") };
    iv_session_plan plan = { .queue = { runs, 1 }, .stop = "qbcb", .target = 0.8 };

    (void)state;
    assert_int_equal(make_session(path, &folder, "no.db", plan, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "expected --control N"));
    plan.control = 1;
    plan.judged = run;
    assert_int_equal(make_session(path, &folder, "no.db", plan, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "needs at least 14 relevant control documents"));
    plan.judged = NULL;
    plan.control = 13;
    plan.stop = NULL; /* what a target of a queue means */
    assert_int_equal(make_session(path, &folder, "no.db", plan, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "about 400 if one in 20 is relevant"));
    plan.control = 2;
    plan.target = 0.05;
    assert_int_equal(make_session(path, &folder, "no.db", plan, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "a control sample of 2 needs more than 2 documents, and there are 2"));
    plan.stop = "none";
    plan.target = 0.0;
    assert_int_equal(make_session(path, &folder, "no.db", plan, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "needs the rule qbcb"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_review_without_looks_strata_or_blocks_is_refused),
        cmocka_unit_test(strata_that_are_not_the_designs_have_no_numbers),
        cmocka_unit_test(a_review_has_the_numbers_of_recall),
        cmocka_unit_test(a_plan_looks_when_it_said),
        cmocka_unit_test(later_and_cannot_judge_end_the_prefix),
        cmocka_unit_test(agreement_is_that_of_the_table),
        cmocka_unit_test(the_status_is_a_result_for_every_format),
        cmocka_unit_test(a_sample_has_the_relevant_documents_it_stands_for),
        cmocka_unit_test(a_ranked_review_stops_when_enough_known_ones_are_met),
        cmocka_unit_test(a_control_sample_that_is_not_random_stops_nothing),
        cmocka_unit_test(a_control_sample_is_judged_first_and_met_in_the_ranking),
        cmocka_unit_test(a_control_sample_that_is_not_ranked_comes_last),
        cmocka_unit_test(a_ranker_that_knows_the_control_sample_stops_nothing),
        cmocka_unit_test(a_control_sample_with_too_few_relevant_ones_says_how_many_more),
        cmocka_unit_test(a_larger_control_sample_has_a_smaller_one_in_it),
        cmocka_unit_test(the_rule_of_control_documents_needs_one_control_sample),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
