/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about files of scores; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "err_text.h"
#include "intervale/answer.h"
#include "near.h"
#include "trec/score_table.h"

static iv_score_table *parsed(const char *name, const char *text, const char *columns)
{
    iv_score_table *t = NULL;
    const iv_texts list = { &columns, columns != NULL };
    iv_err err = { IV_OK, "" };

    if (iv_score_table_parse(&t, name, text, strlen(text), &list, IV_ROWS_AUTO, &err) != IV_OK)
        fail_msg("%s", err.msg);
    return t;
}

/* The score of a system on an item, NaN: none. */
static double score(const iv_score_table *t, const char *system, const char *item,
                    const char *measure)
{
    const iv_score_table *v = t;

    for (size_t i = 0; i < v->count; i++) {
        const iv_one_score *x = &v->scores[i];
        if (strcmp(v->systems[x->system], system) == 0
            && iv_str_cmp(v->items[x->item], iv_str_of(item)) == 0
            && strcmp(v->measures[x->measure], measure) == 0)
            return x->score;
    }
    return (double)NAN;
}

static void refused(const char *text, const char *columns, const char *want)
{
    iv_score_table *t = NULL;
    const iv_texts list = { &columns, columns != NULL };
    iv_err err = { IV_OK, "" };
    char line[IV_ERR_TEXT_SIZE];

    assert_int_not_equal(iv_score_table_parse(&t, "f", text, strlen(text), &list, IV_ROWS_AUTO, &err), IV_OK);
    assert_null(t);
    if (strstr(iv_err_text(line, &err), want) == NULL)
        fail_msg("'%s' lacks '%s'", line, want);
}

static void columns_come_in_any_order_and_by_name(void **state)
{
    iv_score_table *t = parsed("f", "value,topic,run\n0.5,q1,a\n0.25,q2,a\n", NULL);
    const iv_score_table *v = t;

    (void)state;
    assert_near(score(t, "a", "q2", "score"), 0.25, 0.0);
    assert_string_equal(v->columns,
                        "system (column 'run'), item (column 'topic'), score (column 'value')");
    iv_score_table_free(t);
    t = parsed("f", "system,item,score\na,q1,0.5\n", NULL);
    assert_string_equal(t->columns, ""); /* nothing to say */
    iv_score_table_free(t);
    t = parsed("f", "acc\tm\tdoc\n1\tA\tu\n0\tA\tw\n",
               "score=acc,system=m,item=doc");
    assert_near(score(t, "A", "u", "score"), 1.0, 0.0);
    iv_score_table_free(t);
}

static void a_column_named_for_one_role_is_never_taken_for_another(void **state)
{
    const char *json = "{\"system\":\"a\",\"task\":\"t1\",\"score\":1}\n"
        "{\"system\":\"a\",\"task\":\"t2\",\"score\":0}\n";
    iv_score_table *t = parsed("f", "system,task,score\na,t1,1\na,t2,0\n", "item=task");

    (void)state;
    assert_near(score(t, "a", "t1", "score"), 1.0, 0.0);
    assert_int_equal(t->suite_count, 0);
    iv_score_table_free(t);
    t = parsed("f", "system,item,task,dataset,score\na,1,t1,d,1\na,2,t2,d,0\n", "cluster=task");
    assert_int_equal(t->cluster_count, 2);
    assert_string_equal(t->suites[0], "d"); /* the next usual name is still found */
    iv_score_table_free(t);
    t = parsed("f", json, "item=task");
    assert_near(score(t, "a", "t2", "score"), 0.0, 0.0);
    assert_int_equal(t->suite_count, 0);
    iv_score_table_free(t);
    refused("system,item,score\na,1,1\n", "cluster=score", "no column for score");
}

static void tasks_without_items_are_the_items(void **state)
{
    const char *json = "{\"model\":\"a\",\"task\":\"t1\",\"attempt\":1,\"resolved\":true}\n"
        "{\"model\":\"a\",\"task\":\"t1\",\"attempt\":2,\"resolved\":false}\n";
    iv_score_table *t = parsed("f", "task,attempt,resolved\nt1,1,1\nt1,2,0\nt2,1,1\n", NULL);

    (void)state;
    assert_int_equal(t->item_count, 2);
    assert_int_equal(t->repeat_count, 2);
    assert_int_equal(t->suite_count, 0);
    assert_string_equal(t->columns, "item (column 'task'), score (column 'resolved'), "
                                    "repeat (column 'attempt')");
    iv_score_table_free(t);
    t = parsed("f", json, NULL);
    assert_int_equal(t->item_count, 1);
    assert_int_equal(t->suite_count, 0);
    iv_score_table_free(t);
    t = parsed("f", "task,score\nt1,1\nt2,0\n", NULL);
    assert_int_equal(t->suite_count, 0);
    assert_near(score(t, "f", "t2", "score"), 0.0, 0.0);
    iv_score_table_free(t);
    t = parsed("f", "task,score\nt1,1\nt1,0\nt2,1\n", NULL); /* rows are items of two sets */
    assert_int_equal(t->suite_count, 2);
    iv_score_table_free(t);
    t = parsed("f", "id,task,score\n1,t1,1\n2,t1,0\n", NULL); /* there are items: a set */
    assert_string_equal(t->suites[0], "t1");
    iv_score_table_free(t);
}

static void a_file_without_systems_is_one_by_its_name(void **state)
{
    iv_score_table *t = parsed("dir/bm25.csv", "item,score\nq1,0.5\n", NULL);

    (void)state;
    assert_near(score(t, "bm25", "q1", "score"), 0.5, 0.0);
    iv_score_table_free(t);
}

static void json_lines_and_arrays_are_records_and_dots_go_into_objects(void **state)
{
    const char *lines = "{\"system\":\"a\",\"item\":1,\"score\":true,\"doc\":{\"id\":\"d1\"}}\n\n"
        "{\"system\":\"a\",\"item\":2,\"score\":\"0.5\",\"doc\":{\"id\":\"d1\"}}\n";
    const char *array = "[\n {\"system\": \"a\", \"item\": \"1\", \"score\": 1.0},\n"
        " {\"system\": \"b\", \"item\": \"1\", \"score\": 0}\n]\n";
    iv_score_table *t = parsed("f", lines, "cluster=doc.id");
    const iv_score_table *v = t;

    (void)state;
    assert_near(score(t, "a", "1", "score"), 1.0, 0.0);
    assert_near(score(t, "a", "2", "score"), 0.5, 0.0);
    assert_int_equal(v->cluster_count, 1);
    assert_string_equal(v->clusters[v->cluster[1]], "d1");
    iv_score_table_free(t);
    t = parsed("f", array, NULL);
    assert_int_equal(t->system_count, 2);
    iv_score_table_free(t);
}

static void a_human_label_stands_beside_its_score_and_is_empty_where_nobody_looked(void **state)
{
    iv_score_table *t = parsed("f", "system,item,score,people,kind\na,1,0.5,1,x\na,2,0.25,,y\n"
                               "a,3,,1,x\n", "human=people,stratum=kind");

    (void)state;
    assert_near(t->scores[0].human, 1.0, 0.0);
    assert_true(isnan(t->scores[1].human));
    assert_int_equal(t->human_count, 1);
    assert_int_equal(t->human_alone, 1);
    assert_string_equal(t->strata[t->scores[1].stratum], "y");
    iv_score_table_free(t);
    t = parsed("f", "{\"system\":\"a\",\"item\":1,\"score\":1,\"people\":false}\n"
               "{\"system\":\"a\",\"item\":2,\"score\":1}\n"
               "{\"system\":\"a\",\"item\":3,\"score\":1,\"people\":null}\n", "human=people");
    assert_near(t->scores[0].human, 0.0, 0.0);
    assert_true(isnan(t->scores[1].human) && isnan(t->scores[2].human));
    iv_score_table_free(t);
    refused("system,item,score,people\na,1,1,maybe\n", "human=people", "human label 'maybe'");
}

static void samples_of_lm_eval_are_told_by_content(void **state)
{
    const char *text =
        "{\"doc_id\": 0, \"doc\": {\"q\": \"?\"}, \"target\": \"4\", \"resps\": [[\"4\"]], "
        "\"filtered_resps\": [\"4\"], \"filter\": \"strict-match\", \"metrics\": [\"exact_match\"], "
        "\"exact_match\": 1.0}\n"
        "{\"doc_id\": 1, \"doc\": {\"q\": \"?\"}, \"target\": \"5\", \"resps\": [[\"6\"]], "
        "\"filtered_resps\": [\"6\"], \"filter\": \"strict-match\", \"metrics\": [\"exact_match\"], "
        "\"exact_match\": 0.0}\n";
    iv_score_table *t = parsed("out/org__model/samples_gsm8k_2025-01-02T03-04-05.678.jsonl", text,
                               NULL);
    const iv_score_table *v = t;

    (void)state;
    assert_string_equal(v->systems[0], "org__model");
    assert_string_equal(v->suites[0], "gsm8k");
    assert_near(score(t, "org__model", "gsm8k/0", "exact_match,strict-match"), 1.0, 0.0);
    iv_score_table_free(t);
}

static void logs_of_inspect_are_told_by_content_with_epochs_as_repeats(void **state)
{
    const char *text =
        "{\"version\": 2, \"status\": \"success\", \"eval\": {\"task\": \"arc\", \"model\": "
        "\"openai/x\"},\n \"samples\": [\n"
        "  {\"id\": 1, \"epoch\": 1, \"scores\": {\"match\": {\"value\": \"C\"}}},\n"
        "  {\"id\": 1, \"epoch\": 2, \"scores\": {\"match\": {\"value\": \"I\"}}},\n"
        "  {\"id\": 2, \"epoch\": 1, \"scores\": {\"match\": {\"value\": 0.5}}},\n"
        "  {\"id\": 2, \"epoch\": 2, \"scores\": null, \"error\": {\"message\": \"x\"}}\n ]}\n";
    iv_score_table *t = parsed("f.json", text, NULL);
    const iv_score_table *v = t;

    (void)state;
    assert_string_equal(v->systems[0], "openai/x");
    assert_int_equal(v->count, 3);
    assert_int_equal(v->repeat_count, 2);
    assert_int_equal(v->empty, 1);
    assert_non_null(strstr(v->first_empty, "f.json:6: 'openai/x' on item '2'"));
    assert_near(score(t, "openai/x", "arc/2", "match"), 0.5, 0.0);
    iv_score_table_free(t);
}

static void dictionaries_are_told_by_which_level_has_measures(void **state)
{
    iv_score_table *t = parsed("d/bm25.json", "{\"q1\": {\"map\": 0.5, \"ndcg_cut_10\": 0.6},\n"
                               "\"q2\": {\"map\": 0.25, \"ndcg_cut_10\": 0.3}}", NULL);

    (void)state;
    assert_near(score(t, "bm25", "q2", "map"), 0.25, 0.0);
    iv_score_table_free(t);
    t = parsed("d/bm25.json", "{\"map@100\": {\"q1\": 0.5, \"q2\": 0.25}, \"mrr\": {\"q1\": 1, "
               "\"q2\": 0.5}}", NULL);
    assert_near(score(t, "bm25", "q2", "map@100"), 0.25, 0.0);
    iv_score_table_free(t);
    t = parsed("results/e5/scifact.json", "{\"ndcg\": {\"NDCG@1\": 0.5, \"NDCG@10\": 0.6}, "
               "\"map\": {\"MAP@1\": 0.4}}", NULL);
    assert_near(score(t, "e5", "scifact", "NDCG@10"), 0.6, 0.0);
    iv_score_table_free(t);
}

static void rows_of_one_system_need_no_names(void **state)
{
    iv_score_table *t = parsed("f", "score\n0.5\n0.25\n", NULL);

    (void)state;
    assert_near(score(t, "f", "2", "score"), 0.25, 0.0);
    iv_score_table_free(t);
    t = parsed("f", ",score\n7,0.5\n8,0.25\n", NULL); /* the index of a data frame */
    assert_near(score(t, "f", "8", "score"), 0.25, 0.0);
    iv_score_table_free(t);
    refused("system,score\na,1\n", NULL, "f:1: no column for item, which says what scores of several");
    refused("score,repeat\n1,1\n", NULL, "f:1: no column for item");
}

static void lines_of_trec_eval_are_told_by_content_without_their_means(void **state)
{
    iv_score_table *t = parsed("f", "runid                 \tall\tSTANDARD\n"
                               "map                   \t301\t0.5000\n"
                               "map                   \tall\t0.5000\n", NULL);
    const iv_score_table *v = t;

    (void)state;
    assert_int_equal(v->count, 1);
    assert_near(score(t, "STANDARD", "301", "map"), 0.5, 0.0);
    iv_score_table_free(t);
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
    (void)state;
    refused("system,item,score\na,1,0.5\na,2,x\n", NULL, "f:3: score 'x', expected");
    refused("system,item,score\na,1,0.5\nb,1,0.5\na,1,0.7\n", NULL,
            "f:4: second score of system 'a' for item '1', the first is at f:2; expected one score per system and item, or a column");
    refused("system,item,score,cluster\na,1,0.5,x\nb,1,0.5,y\n", NULL, "f:3: item '1' is in another");
    refused("system,item,score,weight\na,1,0.5,2\nb,1,0.5,0\n", NULL, "f:3: the weight 0");
    refused("system,item,score,suite\na,1,0.5,x\nb,1,0.5,\n", NULL, "f:3: no set");
    refused("{\"item\":1,\"score\":37.5,\"correct\":1}\n{\"item\":2,\"correct\":0}\n", NULL,
            "f:2: 'correct' is the score, and before 'score' was");
    refused("{\"id\":1,\"score\":1}\n{\"question\":\"q\",\"score\":0}\n", NULL,
            "f:2: 'question' is the item, and before 'id' was");
    refused("{\"doc_id\":0,\"resps\":[],\"doc_hash\":\"a\",\"acc\":1}\n"
            "{\"doc_id\":0,\"resps\":[],\"doc_hash\":\"b\",\"acc\":1}\n", NULL,
            "f:2: item '0' is another document than before (doc_hash)");
    refused("system,item,score\na,1,1\n", "item=item,score=item",
            "f:1: one column for item and for score");
    refused("system,item\na,1\n", NULL, "f:1: no column for score; the columns are 'system', 'item'");
    refused("system,item,score\na,1,1\n", "item=nr", "f:1: no column 'nr' for item");
    refused("system,item,score\na,1,1\n", "thing=nr", "expected ROLE=NAME");
    refused("{\"system\":\"a\",\"item\":1,\"score\":1}\n{\"system\":\"a\",\"item\":2}\n", NULL,
            "f:2: a record without a score");
    refused("[{\"system\":\"a\",\"item\":1,\"score\":1},\n{\"system\":\"a\",\"item\":2,\n"
            "\"score\":oops}]", NULL, "f:3: no JSON");
    refused("[{\"item\":1,\"score\":1}\n", NULL, "f:2: no JSON: the file ends");
    refused("[{\"item\":1,\"score\":[1]}]\n", NULL, "f:1: score is a list or an object");
    refused("map 301 0.5\nmap 302 0.5 1\n", NULL, "f:2: 4 fields, expected measure, topic");
    refused("{\"metrics\": [\"map\"], \"model_names\": [\"a\"], \"a\": {}}", NULL, "a report of ranx");
    refused("{\"q1\":{\"map\":1},\"q1\":{\"map\":2}}", NULL, "duplicate");
}

static void arrays_in_memory_are_the_same_as_files(void **state)
{
    const double values[] = { 0.5, 0.25, 1.0 };
    const char *const systems[] = { "a", "a", "b" }, *const items[] = { "1", "2", "1" };
    const iv_score_source s = { .score = { values, 3 }, .system = { systems, 3 },
                                .item = { items, 3 } };
    iv_score_source bad = s;
    iv_score_table *t = NULL;
    iv_err err;

    (void)state;
    assert_int_equal(iv_score_table_load(&t, &s, NULL, &err), IV_OK);
    assert_near(score(t, "a", "2", "score"), 0.25, 0.0);
    iv_score_table_free(t);
    bad.item.count = 2;
    assert_int_equal(iv_score_table_load(&t, &bad, NULL, &err), IV_EARG);
    assert_string_equal(iv_score_role_names()[IV_ROLE_SUITE], "set");
    assert_int_equal(iv_score_role_named(iv_str_of("set")), IV_ROLE_SUITE);
    assert_int_equal(iv_score_role_named(iv_str_of("suite")), IV_ROLE_SUITE);
    assert_int_equal(iv_score_role_named(iv_str_of("sets")), IV_SCORE_ROLES);
    assert_string_equal(iv_sets_names()[IV_SETS_SAMPLED], "sampled");
}

static int stop_at(void *user, double fraction)
{
    int *left = user;

    (void)fraction;
    return --*left <= 0;
}

/* How often a file asks whether to go on: tables twice, row by row and record by record. */
static void reading_a_long_file_can_be_stopped(void **state)
{
    enum { ROWS = 20000 };
    char path[] = "/tmp/intervale-scores-XXXXXX";
    const int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    for (int kind = 0; kind < 2; kind++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        (void)fputs(kind == 0 ? "system,item,score\n" : "", f);
        for (int i = 0; i < ROWS; i++)
            (void)fprintf(f, kind == 0 ? "a,i%d,1\n"
                          : "{\"system\": \"a\", \"item\": %d, \"score\": 1}\n", i);
        assert_int_equal(fclose(f), 0);
        int asked = 1000000;
        const char *const files[] = { path };
        const iv_score_source source = { .files = { files, 1 } };
        const iv_work work = { .threads = 1, .progress = { stop_at, &asked } };
        iv_score_table *t = NULL;
        iv_err err = { IV_OK, "" };
        assert_int_equal(iv_score_table_load(&t, &source, &work, &err), IV_OK);
        iv_score_table_free(t);
        const int times = 1000000 - asked;
        assert_in_range(times, kind == 0 ? 8 : 4, 1000);
        for (int stop = 1; stop <= times; stop++) {
            int left = stop;
            const iv_work stopped = { .threads = 1, .progress = { stop_at, &left } };
            t = NULL;
            assert_int_equal(iv_score_table_load(&t, &source, &stopped, &err), IV_ECANCELLED);
            assert_null(t);
        }
    }
    (void)close(fd);
    (void)remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_come_in_any_order_and_by_name),
        cmocka_unit_test(a_column_named_for_one_role_is_never_taken_for_another),
        cmocka_unit_test(tasks_without_items_are_the_items),
        cmocka_unit_test(a_file_without_systems_is_one_by_its_name),
        cmocka_unit_test(json_lines_and_arrays_are_records_and_dots_go_into_objects),
        cmocka_unit_test(
            a_human_label_stands_beside_its_score_and_is_empty_where_nobody_looked),
        cmocka_unit_test(samples_of_lm_eval_are_told_by_content),
        cmocka_unit_test(logs_of_inspect_are_told_by_content_with_epochs_as_repeats),
        cmocka_unit_test(dictionaries_are_told_by_which_level_has_measures),
        cmocka_unit_test(rows_of_one_system_need_no_names),
        cmocka_unit_test(lines_of_trec_eval_are_told_by_content_without_their_means),
        cmocka_unit_test(what_is_wrong_is_told_with_its_line),
        cmocka_unit_test(arrays_in_memory_are_the_same_as_files),
        cmocka_unit_test(reading_a_long_file_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
