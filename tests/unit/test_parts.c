/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about parts of an evaluation and about sorting lines; the rest is in cli/scale. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/answer.h"
#include "retrieval/evaluation.h"
#include "trec/sorted_file.h"
#include "scratch.h"

static iv_judgments *judged(const char *text)
{
    iv_judgments *j = NULL;

    assert_int_equal(iv_judgments_parse(&j, "qrels", text, strlen(text), IV_JUDGMENTS_ANY, NULL, NULL),
                     IV_OK);
    return j;
}

static iv_run *ranked(const char *text)
{
    iv_run *r = NULL;

    assert_int_equal(iv_run_parse(&r, "run", text, strlen(text), IV_RUN_ANY, NULL, NULL), IV_OK);
    return r;
}

/* A part of one run on some topics. */
static void write_part(const char *path, const char *qrels, const char *run, uint64_t topics)
{
    static const char *const measures[] = { "AP", "P@2" };
    iv_judgments *j = judged(qrels);
    iv_run *r = ranked(run);
    const iv_source source = { .judged = j, .ranked = (const iv_run *const *)&r, .ranked_count = 1 };
    const iv_evaluating how = { .measures = { measures, 2 } };
    iv_written_scores w;

    assert_int_equal(iv_write_scores(path, &source, &how, &w, NULL, NULL), IV_OK);
    assert_int_equal(w.topics, topics);
    assert_int_equal(w.runs, 1);
    assert_int_equal(w.measures, 2);
    assert_true(iv_is_scores_part(path));
    iv_run_free(r);
    iv_judgments_free(j);
}

static void parts_of_topics_make_up_an_evaluation(void **state)
{
    char one[SCRATCH_PATH], two[SCRATCH_PATH];
    scratch s;
    iv_evaluation *e = NULL;

    (void)state;
    assert_true(scratch_make(&s));
    scratch_at(one, &s, "one.ivs");
    scratch_at(two, &s, "two.ivs");
    write_part(one, "2 0 a 1\n2 0 b 0\n9 0 a 1\n", "2 Q0 b 1 5 t\n2 Q0 a 2 4 t\n", 2);
    write_part(two, "1 0 a 1\n1 0 b 1\n", "1 Q0 a 1 5 t\n8 Q0 a 1 5 t\n", 1);
    const char *const parts[] = { one, two };
    const iv_source source = { .parts = { parts, 2 } };
    assert_int_equal(iv_evaluate(&e, &source, NULL, NULL, NULL), IV_OK);
    const iv_evaluated *v = iv_evaluation_view(e);
    assert_int_equal(v->run_count, 1);
    assert_string_equal(v->runs[0].name, "t");
    assert_int_equal(v->judged_topics, 3);
    assert_int_equal(v->topic_count, 2); /* in the order of bytes, whatever part they are from */
    assert_memory_equal(v->topics[0].ptr, "1", 1);
    assert_int_equal(v->runs[0].missing_count, 1);
    assert_int_equal(v->runs[0].noted.not_judged, 1);
    assert_true(iv_evaluation_value(e, 0, 0, 0).value == 0.5);
    assert_true(iv_evaluation_value(e, 0, 0, 1).value == 0.5);
    assert_true(iv_evaluation_value(e, 0, 1, 0).value == 0.5);
    assert_true(v->means[0].value == 0.5);
    iv_evaluation_free(e);
    assert_false(iv_is_scores_part(s.path));
    assert_false(iv_is_scores_part("no such file"));
    remove(one);
    remove(two);
    rmdir(s.path);
}

static void lines_are_sorted_by_their_first_field_and_stay_as_they_were(void **state)
{
    static const char lines[] = "10 x\n9 second\n# comment\n9 first\n10 a\n\n";
    char path[SCRATCH_PATH], sorted[SCRATCH_PATH], text[256];
    scratch s;
    iv_sorted_lines found;
    iv_result *out = NULL;

    (void)state;
    assert_true(scratch_make(&s));
    FILE *f = fopen(scratch_at(path, &s, "lines"), "wb"), *to = tmpfile();
    assert_true(f != NULL && to != NULL && fputs(lines, f) >= 0 && fclose(f) == 0);
    assert_int_equal(iv_sort_lines(to, path, NULL, &found, NULL, NULL), IV_OK);
    rewind(to);
    text[fread(text, 1, sizeof text - 1, to)] = '\0';
    assert_string_equal(text, "# comment\n\n10 x\n10 a\n9 second\n9 first\n");
    assert_int_equal(found.lines, 6);
    assert_int_equal(found.topics, 2);
    assert_int_equal(found.parts, 1);
    assert_false(found.sorted);
    (void)fclose(to);
    const iv_sort_question q = { .file = path, .sorted = scratch_at(sorted, &s, "sorted") };
    assert_int_equal(iv_result_new(&out, "sort", NULL), IV_OK);
    assert_int_equal(iv_answer_sort(out, &q, NULL, NULL), IV_OK);
    assert_int_equal(scratch_names(&s), 2);
    iv_result_free(out);
    remove(path);
    remove(sorted);
    rmdir(s.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_topics_make_up_an_evaluation),
        cmocka_unit_test(lines_are_sorted_by_their_first_field_and_stay_as_they_were),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
