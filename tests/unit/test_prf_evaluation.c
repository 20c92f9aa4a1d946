/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about labels, the evaluation of counts and labels, and its answer; the
 * name of a test is the claim.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err_text.h"
#include "intervale/answer.h"
#include "intervale/result.h"
#include "scratch.h"

static scratch home;

static int make_home(void **state)
{
    (void)state;
    return !scratch_make(&home);
}

static int remove_home(void **state)
{
    (void)state;
    scratch_remove(home.path);
    return 0;
}

/* The path of a file in the test's folder that holds the text. */
static const char *file_of(const char *name, const char *text)
{
    static char path[2][SCRATCH_PATH + 32];
    static size_t turn;
    char *to = path[turn++ % 2];

    (void)snprintf(to, sizeof path[0], "%s/%s", home.path, name);
    FILE *f = fopen(to, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    return to;
}

/* ---------------------------------------------------------------- labels -- */

static const char labels_text[] = "id,gold,A,B\n1,x,x,y\n2,y,y,y\n3,z,x,z\n4,x,x,x\n";

/* Labels of a text, which are sound. */
static iv_labels *labels_of(const char *text)
{
    iv_labels *l = NULL;

    assert_int_equal(iv_labels_parse(&l, "l", text, strlen(text), NULL, NULL), IV_OK);
    return l;
}

static void assert_same_labels(const iv_labels *a, const iv_labels *b)
{
    assert_int_equal(a->items, b->items);
    assert_int_equal(a->systems, b->systems);
    assert_int_equal(a->classes, b->classes);
    assert_int_equal(a->binary, b->binary);
    assert_memory_equal(a->at, b->at, a->items * (a->systems + 1) * sizeof *a->at);
    for (size_t s = 0; s < a->systems; s++)
        assert_string_equal(a->system_names[s], b->system_names[s]);
    for (int32_t c = 0; c < a->classes && !a->binary; c++)
        assert_string_equal(a->class_names[c], b->class_names[c]);
}

static void labels_of_a_file_and_a_text_are_the_same(void **state)
{
    static const iv_labels_options ways[] = { { NULL, NULL }, { "x", NULL }, { NULL, "z,y,x,w" } };
    static const int32_t classes[] = { 3, 2, 4 };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        iv_labels *file = NULL, *text = NULL;
        assert_int_equal(iv_labels_load(&file, file_of("l.csv", labels_text), &ways[i], NULL, NULL),
                         IV_OK);
        assert_int_equal(iv_labels_parse(&text, "l", labels_text, strlen(labels_text), &ways[i],
                                         NULL), IV_OK);
        assert_same_labels(file, text);
        assert_int_equal(file->classes, classes[i]);
        assert_int_equal(file->bytes, strlen(labels_text));
        iv_labels_free(file);
        iv_labels_free(text);
    }
    iv_labels_free(NULL);
}

static void a_bad_label_is_named_with_its_place(void **state)
{
    iv_labels *l = NULL;
    iv_err err = { .code = IV_OK };

    (void)state;
    const char *text = "id gold S\n1 a d\n2 b c\n";
    assert_int_equal(iv_labels_parse(&l, "t", text, strlen(text), NULL, &err), IV_EPARSE);
    assert_string_equal(err_text(&err), "t:2: unknown label 'd' of 'S': it is neither a gold label "
                        "nor a listed class");
    assert_int_equal(iv_labels_parse(&l, "t", text, strlen(text),
                                     &(iv_labels_options){ NULL, "x,,y" }, &err), IV_EARG);
    assert_null(l);
}

/* ------------------------------------------------------------ evaluation -- */

static iv_prf_evaluation *evaluated(const iv_prf_input *in, const iv_prf_options *o,
                                    const iv_work *work)
{
    iv_prf_evaluation *e = NULL;
    iv_err err = { .code = IV_OK };

    if (iv_prf_evaluate(&e, in, o, work, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    return e;
}

static void assert_same_estimates(const iv_prf_evaluation *a, const iv_prf_evaluation *b)
{
    assert_int_equal(a->estimate_count, b->estimate_count);
    for (size_t i = 0; i < a->estimate_count; i++) {
        const iv_prf_estimate *x = &a->estimates[i], *y = &b->estimates[i];
        assert_string_equal(x->system, y->system);
        assert_string_equal(x->metric, y->metric);
        assert_true((x->mean == y->mean || (isnan(x->mean) && isnan(y->mean)))
                    && (x->lower == y->lower || isnan(y->lower))
                    && (x->upper == y->upper || isnan(y->upper)));
    }
    assert_int_equal(a->pair_count, b->pair_count);
    for (size_t i = 0; i < a->pair_count; i++)
        assert_true(a->pairs[i].probability == b->pairs[i].probability);
}

static void counts_in_memory_in_words_and_in_a_file_are_the_same(void **state)
{
    static const iv_prf_entry entries[] = { { "A", NULL, { 8, 2, 4, 20 } },
                                            { "B", NULL, { 7, 1, 5, 21 } } };
    static const char *const words[] = { "A=8,2,4,20", "B=7,1,5,21" };
    const char *path = file_of("c.csv", "system,tp,fp,fn,tn\nA,8,2,4,20\nB,7,1,5,21\n");
    const iv_prf_options o = { .compare = true, .draws = 1000 };
    iv_prf_evaluation *memory = evaluated(&(iv_prf_input){ .entries = entries, .entry_count = 2 },
                                          &o, NULL);
    iv_prf_evaluation *word = evaluated(&(iv_prf_input){ .counts = { words, 2 } }, &o, NULL);
    iv_prf_evaluation *file = evaluated(&(iv_prf_input){ .files = { &path, 1 } }, &o, NULL);

    (void)state;
    assert_same_estimates(memory, word);
    assert_same_estimates(memory, file);
    assert_int_equal(memory->estimate_count, 14);
    assert_int_equal(file->input_count, 1);
    assert_non_null(iv_prf_find(word, 1, "mcc"));
    assert_null(iv_prf_find(word, 1, "f2"));
    assert_null(iv_prf_find(word, 2, "f1"));
    iv_prf_evaluation_free(memory);
    iv_prf_evaluation_free(word);
    iv_prf_evaluation_free(file);
    iv_prf_evaluation_free(NULL);
}

static void options_of_zeros_are_the_usual_ones(void **state)
{
    static const char *const words[] = { "8,2,4,20" };
    const iv_prf_input in = { .counts = { words, 1 } };
    const double half[2] = { 0.5, 0.5 };
    iv_prf_evaluation *none = evaluated(&in, NULL, NULL);
    iv_prf_evaluation *zeros = evaluated(&in, &(iv_prf_options){ .draws = 0 }, NULL);
    iv_prf_evaluation *told = evaluated(
        &in, &(iv_prf_options){ .prior = { half, 2 }, .confidence = 0.95, .draws = 10000 },
        &(iv_work){ .threads = 1, .seed = 1 });

    (void)state;
    assert_same_estimates(none, zeros);
    assert_same_estimates(none, told);
    iv_prf_evaluation_free(none);
    iv_prf_evaluation_free(zeros);
    iv_prf_evaluation_free(told);
}

/* The same labels as 0 and 1 and as words: one accuracy and one macro average, guaranteed or not. */
static void two_classes_have_the_same_limits_however_they_are_spelled(void **state)
{
    static const char *const alike[][3] = {
        { "accuracy", "accuracy", "recall[weighted]" }, { "balanced_accuracy", "recall[macro]",
        "recall[macro]" }, { "f1[macro]", "f1[macro]", "f1[macro]" } };
    const char *bits = file_of("bits.csv", "id,gold,A\n1,1,1\n2,1,0\n3,0,0\n4,0,0\n5,0,1\n");
    const char *words = file_of("words.csv", "id,gold,A\n1,y,y\n2,y,n\n3,n,n\n4,n,n\n5,n,y\n");

    (void)state;
    for (int guaranteed = 0; guaranteed < 2; guaranteed++) {
        const iv_prf_options o = { .guaranteed = guaranteed };
        iv_prf_evaluation *a = evaluated(&(iv_prf_input){ .labels = bits }, &o, NULL);
        iv_prf_evaluation *b = evaluated(&(iv_prf_input){ .labels = words }, &o, NULL);
        for (size_t i = 0; i < 3; i++) {
            const iv_prf_estimate *x = iv_prf_find(a, 0, alike[i][0]);
            for (size_t k = 1; k < 3; k++) {
                const iv_prf_estimate *y = iv_prf_find(b, 0, alike[i][k]);
                assert_true(x->lower > 0.0 && fabs(x->lower - y->lower) < 1e-9
                            && fabs(x->upper - y->upper) < 1e-9);
            }
        }
        iv_prf_evaluation_free(a);
        iv_prf_evaluation_free(b);
    }
}

static void names_of_any_length_are_kept_whole(void **state)
{
    char name[601], want[640], text[4000];

    (void)state;
    memset(name, 'n', 600);
    name[600] = '\0';
    (void)snprintf(want, sizeof want, "precision[%s]", name);
    (void)snprintf(text, sizeof text, "gold,A,B\n%s,%s,%s\nb,b,b\n%s,%s,%s\nb,b,b\n", name, name,
                   name, name, name, name);
    iv_labels *l = labels_of(text);
    iv_prf_evaluation *e = evaluated(&(iv_prf_input){ .labelled = l },
                                     &(iv_prf_options){ .paired = true, .draws = 1000 }, NULL);
    assert_non_null(iv_prf_find(e, 1, want));
    iv_prf_evaluation_free(e);
    const char *const named[] = { want }; /* single classes are compared where they are named */
    e = evaluated(&(iv_prf_input){ .labelled = l },
                  &(iv_prf_options){ .paired = true, .draws = 1000, .metrics = { named, 1 } }, NULL);
    assert_int_equal(e->pair_count, 1);
    assert_string_equal(e->pairs[0].metric, want);
    iv_prf_evaluation_free(e);
    iv_labels_free(l);
}

/* Stops at its n-th question. */
static int stop_at(void *user, double fraction)
{
    int *left = user;

    assert_true(fraction >= 0.0 && fraction <= 1.0);
    return --*left <= 0;
}

/* The fraction never falls. */
static int rising(void *user, double fraction)
{
    double *last = user;

    assert_true(fraction >= *last);
    *last = fraction;
    return 0;
}

static void work_can_be_stopped_and_says_how_far_it_is(void **state)
{
    iv_labels *l = labels_of(labels_text);
    iv_prf_evaluation *e = NULL;
    double last = 0.0;

    (void)state;
    const iv_prf_input in = { .labelled = l };
    const iv_prf_options o = { .paired = true, .draws = 5000 };
    for (int n = 1; n < 4; n += 2) {
        int left = n;
        const iv_work work = { .threads = 2, .progress = { stop_at, &left } };
        assert_int_equal(iv_prf_evaluate(&e, &in, &o, &work, NULL), IV_ECANCELLED);
        assert_null(e);
    }
    e = evaluated(&in, &o, &(iv_work){ .progress = { rising, &last } });
    assert_true(last > 0.9);
    iv_prf_evaluation_free(e);
    iv_labels_free(l);
}

static void refuses(const iv_prf_input *in, const iv_prf_options *o, const char *why)
{
    iv_prf_evaluation *e = NULL;
    iv_err err = { .code = IV_OK };

    assert_int_equal(iv_prf_evaluate(&e, in, o, NULL, &err), IV_EARG);
    if (strstr(err_text(&err), why) == NULL)
        fail_msg("'%s' is not in: %s", why, err_text(&err));
    assert_null(e);
}

static void what_does_not_fit_is_refused(void **state)
{
    static const char *const words[] = { "A=8,2,4" };
    const iv_prf_input one = { .counts = { words, 1 } };
    const double beta = 1000.0;

    (void)state;
    refuses(&(iv_prf_input){ .labels = NULL }, NULL, "nothing to evaluate");
    refuses(&one, &(iv_prf_options){ .compare = true }, "two systems");
    refuses(&one, &(iv_prf_options){ .compare = true, .paired = true }, "one of them");
    refuses(&one, &(iv_prf_options){ .paired = true }, "labels");
    refuses(&one, &(iv_prf_options){ .confidence = 1.0 }, "confidence");
    refuses(&one, &(iv_prf_options){ .draws = 10 }, "draws");
    refuses(&one, &(iv_prf_options){ .beta = { &beta, 1 } }, "beta");
    refuses(&(iv_prf_input){ .counts = one.counts, .labels = "l" }, NULL, "together");
}

/* ---------------------------------------------------------------- answer -- */

static void an_answer_has_its_sentence_tables_and_notes(void **state)
{
    static const char *const words[] = { "A=80,20,40", "B=75,10,45" };
    const iv_prf_question q = { .from.counts = { words, 2 }, .how.compare = true };
    iv_result *r = NULL;
    const iv_note *notes;
    const iv_citation *cited;

    (void)state;
    assert_int_equal(iv_result_new(&r, "prf", NULL), IV_OK);
    assert_int_equal(iv_answer_prf(r, &q, NULL, NULL), IV_OK);
    assert_string_equal(iv_result_answer_text(r), "No clear difference in F1: A minus B is -0.004 (95 % interval "
                        "-0.099 to 0.091); A is better with probability 0.465.");
    assert_int_equal(iv_result_tables(r), 3);
    assert_string_equal(iv_table_name(iv_result_table_at(r, 0)), "comparison");
    assert_string_equal(iv_table_name(iv_result_table_at(r, 1)), "metrics");
    assert_string_equal(iv_table_name(iv_result_table_at(r, 2)), "curves");
    assert_int_equal(iv_result_notes(&notes, r), 1);
    assert_true(iv_result_citations(&cited, r) > 0);
    iv_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_a_file_and_a_text_are_the_same),
        cmocka_unit_test(a_bad_label_is_named_with_its_place),
        cmocka_unit_test(counts_in_memory_in_words_and_in_a_file_are_the_same),
        cmocka_unit_test(options_of_zeros_are_the_usual_ones),
        cmocka_unit_test(two_classes_have_the_same_limits_however_they_are_spelled),
        cmocka_unit_test(names_of_any_length_are_kept_whole),
        cmocka_unit_test(work_can_be_stopped_and_says_how_far_it_is),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(an_answer_has_its_sentence_tables_and_notes),
    };

    return cmocka_run_group_tests_name("prf_evaluation", tests, make_home, remove_home);
}
