/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about evaluations: values, means, what is missing; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "err_text.h"
#include "measure/measures.h"
#include "retrieval/evaluation.h"
#include "estimate_tests.h"
#include "near.h"

static const char qrels[] =
    "1 0 a 1\n1 0 b 0\n1 0 c 2\n"
    "2 0 a 0\n2 0 b 1\n"
    "3 0 x 1\n3 0 y -1\n"
    "4 0 z 1\n";

static const char run_text[] =
    "1 Q0 a 1 9 tag\n1 Q0 b 2 8 tag\n1 Q0 c 3 7 tag\n1 Q0 q 4 7 tag\n"
    "2 Q0 a 1 9 tag\n2 Q0 b 2 8 tag\n"
    "3 Q0 y 1 9.0000000001 tag\n3 Q0 x 2 9 tag\n"
    "7 Q0 x 1 9 tag\n";

typedef struct setting {
    iv_judgments *judgments;
    iv_run *run;
    iv_source source;
} setting;

static void open_setting(setting *s, const char *judgments)
{
    iv_err err = { IV_OK, "" };

    if (iv_judgments_parse(&s->judgments, "q", judgments, strlen(judgments),
                           judgments == qrels ? IV_JUDGMENTS_QRELS : IV_JUDGMENTS_PRELS, NULL,
                           &err) != IV_OK
        || iv_run_parse(&s->run, "r", run_text, strlen(run_text), IV_RUN_ANY, NULL, &err)
            != IV_OK)
        fail_msg("%s", err_text(&err));
    s->source = (iv_source){ .judged = s->judgments,
                             .ranked = (const iv_run *const *)&s->run, .ranked_count = 1 };
}

static void close_setting(setting *s)
{
    iv_run_free(s->run);
    iv_judgments_free(s->judgments);
}

/* With the measures named. */
static iv_evaluation *evaluate(const setting *s, const char *const *names, size_t count,
                               iv_evaluating how, int threads)
{
    iv_evaluation *e = NULL;
    iv_err err = { IV_OK, "" };

    how.measures = (iv_texts){ names, count };
    if (iv_evaluate(&e, &s->source, &how, &(iv_work){ .threads = threads }, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    return e;
}

static void missing_topics_are_named_and_left_out_or_counted(void **state)
{
    static const char *const names[] = { "map", "num_q" };
    setting s = { 0 };

    (void)state;
    open_setting(&s, qrels);
    for (int complete = 0; complete < 2; complete++) {
        iv_evaluation *e = evaluate(&s, names, 2, (iv_evaluating){ .complete = complete == 1 },
                                    1);
        const iv_evaluated *v = iv_evaluation_view(e);
        assert_int_equal(v->topic_count, complete ? 4 : 3);
        assert_int_equal(v->judged_topics, 4);
        assert_int_equal(v->runs[0].topics, complete ? 4 : 3);
        assert_int_equal(v->runs[0].missing_count, 1);
        assert_int_equal(iv_str_cmp(v->runs[0].missing[0], iv_str_of("4")), 0);
        assert_int_equal(v->runs[0].noted.not_judged, 1);
        assert_false(iv_evaluation_value(e, 0, 0, 0).empty);
        /* (1 + 2/4) / 2: q ties with c and sorts last; 1/2 and 1/2 */
        assert_near(v->means[0].value, (0.75 + 0.5 + 0.5) / (complete ? 4.0 : 3.0), 1e-15);
        if (complete) {
            assert_true(iv_evaluation_value(e, 0, 0, 3).empty);
            assert_true(iv_evaluation_value(e, 0, 0, 3).value == 0.0);
        }
        iv_evaluation_free(e);
    }
    close_setting(&s);
}

static void what_a_reader_must_know_is_counted(void **state)
{
    static const char *const names[] = { "map" };
    setting s = { 0 };

    (void)state;
    open_setting(&s, qrels);
    iv_evaluation *e = evaluate(&s, names, 1, (iv_evaluating){ 0 }, 1);
    const iv_run_notes n = iv_evaluation_view(e)->runs[0].noted;
    assert_int_equal(n.retrieved, 8);
    assert_int_equal(n.unjudged, 2); /* q, and y whose grade is below 0 */
    assert_int_equal(n.top_retrieved, 8);
    assert_int_equal(n.top_unjudged, 2);
    assert_int_equal(n.float_ties, 1);
    assert_int_equal(n.ties, 4); /* c and q; y and x as float */
    /* As float the tie puts y first: it sorts last. */
    assert_near(iv_evaluation_value(e, 0, 0, 2).value, 0.5, 0.0);
    iv_evaluation_free(e);
    close_setting(&s);
}

static void complete_judgments_have_variance_0(void **state)
{
    static const char *const names[] = { "map" };
    setting s = { 0 };
    iv_mean d;

    (void)state;
    open_setting(&s, qrels);
    iv_evaluation *e = evaluate(&s, names, 1, (iv_evaluating){ 0 }, 1);
    const iv_estimate x = iv_evaluation_value(e, 0, 0, 0);
    const iv_mean *m = iv_evaluation_view(e)->means;
    assert_true(x.exact && x.variance == 0.0 && x.lower == 0.75 && x.upper == 0.75);
    assert_null(iv_evaluation_view(e)->sampling);
    assert_true(m->se_judgments == 0.0 && m->se_topics == m->se);
    assert_int_equal(iv_evaluation_difference(&d, NULL, NULL, e, 0, 0, 0, NULL), IV_OK);
    assert_true(d.topics == 3 && d.value == 0.0 && d.se == 0.0 && d.se_judgments == 0.0);
    assert_int_equal(iv_evaluation_difference(&d, NULL, NULL, e, 0, 0, 1, NULL), IV_EARG);
    iv_evaluation_free(e);
    close_setting(&s);
}

/* Topics 1 to 3 have AP 3/4, 1/2, 1/2. */
/* By their definitions: what the values happen to be decides nothing. */
static void the_interval_is_that_of_the_measure(void **state)
{
    static const struct {
        const char *name;
        iv_interval_method usual, guaranteed;
    } known[] = {
        { "AP", IV_INTERVAL_AUTO, IV_INTERVAL_BOUNDED },
        { "RR", IV_INTERVAL_AUTO, IV_INTERVAL_BOUNDED },
        { "RR@1", IV_INTERVAL_WILSON, IV_INTERVAL_EXACT },
        { "P@1", IV_INTERVAL_WILSON, IV_INTERVAL_EXACT },
        { "P@2", IV_INTERVAL_AUTO, IV_INTERVAL_BOUNDED },
        { "nDCG@1", IV_INTERVAL_AUTO, IV_INTERVAL_BOUNDED },
        { "Success@10", IV_INTERVAL_WILSON, IV_INTERVAL_EXACT },
        { "relative_P_1", IV_INTERVAL_WILSON, IV_INTERVAL_EXACT },
        { "Judged@1", IV_INTERVAL_WILSON, IV_INTERVAL_EXACT },
        { "Judged", IV_INTERVAL_AUTO, IV_INTERVAL_BOUNDED },
        { "unj_1", IV_INTERVAL_WILSON, IV_INTERVAL_EXACT },
        { "gm_map", IV_INTERVAL_T, IV_INTERVAL_BOUNDED },
        { "dcg", IV_INTERVAL_BOOTSTRAP_T, IV_INTERVAL_NONE },
        { "yaap", IV_INTERVAL_BOOTSTRAP_T, IV_INTERVAL_NONE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        iv_measures *m = NULL;
        assert_int_equal(iv_measures_parse(&m, &known[i].name, 1, NULL, NULL), IV_OK);
        const iv_value_info *v = iv_measures_value(m, 0);
        assert_int_equal(iv_usual_interval(v, false), known[i].usual);
        assert_int_equal(iv_usual_interval(v, true), known[i].guaranteed);
        assert_int_equal(v->binary, known[i].usual == IV_INTERVAL_WILSON);
        iv_measures_free(m);
    }
}

static void a_mean_has_the_standard_error_and_interval_of_its_topics(void **state)
{
    static const char *const names[] = { "map", "gm_map", "num_ret", "relstring" };
    const double ap[] = { 0.75, 0.5, 0.5 };
    const double *sample = ap;
    const iv_interval_method logit = IV_INTERVAL_LOGIT;
    setting s = { 0 };
    iv_mean_interval want;

    (void)state;
    open_setting(&s, qrels);
    iv_evaluation *e = evaluate(&s, names, 4, (iv_evaluating){ 0 }, 1);
    const iv_mean *got = iv_evaluation_view(e)->means;
    assert_int_equal(iv_mean_intervals(&want, &sample, &logit, 1, 3, NULL, NULL, NULL), IV_OK);
    assert_near(got[0].value, 7.0 / 12.0, 1e-15);
    assert_near(got[0].se, 1.0 / 12.0, 1e-15);
    assert_near(got[0].lower, want.lower, 1e-15);
    assert_near(got[0].upper, want.upper, 1e-15);
    assert_int_equal(got[0].method, IV_INTERVAL_LOGIT);
    /* The logarithms have mean (log(3/4) + 2 log(1/2)) / 3, se log(3/2)/3. */
    const double mean = (log(0.75) + 2.0 * log(0.5)) / 3.0, se = log(1.5) / 3.0;
    assert_int_equal(got[1].method, IV_INTERVAL_T);
    assert_near(got[1].value, exp(mean), 1e-14);
    assert_near(got[1].se, exp(mean) * se, 1e-14);
    /* Student with 2 degrees of freedom has a closed form. */
    const double t = sqrt(2.0 / (0.05 * 1.95) - 2.0);
    assert_near(got[1].upper, fmin(1.0, exp(mean + t * se)), 1e-12);
    assert_near(got[1].lower, exp(mean - t * se), 1e-12);
    assert_near(got[2].value, 8.0, 0.0);
    assert_true(isnan(got[2].lower) && isnan(got[2].se));
    assert_true(isnan(got[3].value) && isnan(got[3].lower));
    assert_null(iv_evaluation_text(e, 0, 3, 0));
    iv_evaluation_free(e);
    e = evaluate(&s, names, 4, (iv_evaluating){ .texts = true, .interval = IV_INTERVAL_LOGIT },
                 1);
    got = iv_evaluation_view(e)->means;
    assert_string_equal(iv_evaluation_text(e, 0, 3, 0), "10-2");
    assert_null(iv_evaluation_text(e, 0, 0, 0));
    assert_false(got[0].replaced || got[1].replaced);
    assert_int_equal(got[1].method, IV_INTERVAL_LOGIT);
    iv_evaluation_free(e);
    close_setting(&s);
}

static void values_do_not_depend_on_threads(void **state)
{
    static const char *const names[] = { "all_trec", "ERR", "RBP" };
    const iv_evaluating how = { .bounds = true, .ties = true, .interval = IV_INTERVAL_NONE };
    setting s = { 0 };

    (void)state;
    open_setting(&s, qrels);
    iv_evaluation *one = evaluate(&s, names, 3, how, 1), *many = evaluate(&s, names, 3, how, 4);
    const iv_evaluated *v = iv_evaluation_view(one);
    for (size_t i = 0; i < v->measure_count; i++) {
        double x[3], y[3];
        iv_evaluation_grid(x, one, i);
        iv_evaluation_grid(y, many, i);
        assert_memory_equal(x, y, sizeof x);
        for (size_t t = 0; t < 3; t++) {
            const iv_limits a = iv_evaluation_bounds(one, 0, i, t);
            const iv_limits b = iv_evaluation_bounds(many, 0, i, t);
            const iv_interval c = iv_evaluation_ties(one, 0, i, t);
            const iv_interval d = iv_evaluation_ties(many, 0, i, t);
            assert_memory_equal(&a, &b, sizeof a);
            assert_memory_equal(&c, &d, sizeof c);
        }
    }
    iv_evaluation_free(one);
    iv_evaluation_free(many);
    close_setting(&s);
}

/* Nothing was left to chance in these prels: they are complete judgments. */
static void a_sample_of_everything_gives_what_complete_judgments_give(void **state)
{
    static const char *const names[] = { "map", "RR" }; /* RR cannot be estimated */
    static const char prels[] = "1 a 1 0 1\n1 b 0 0 1\n1 c 2 0 1\n2 a 0 0 1\n2 b 1 0 1\n";
    setting s = { 0 };

    (void)state;
    open_setting(&s, prels);
    iv_evaluation *one = evaluate(&s, names, 1, (iv_evaluating){ 0 }, 1);
    iv_evaluation *both = evaluate(&s, names, 2, (iv_evaluating){ 0 }, 1);
    assert_null(iv_evaluation_view(one)->sampling);
    assert_true(iv_evaluation_view(one)->certain && iv_evaluation_view(both)->certain);
    for (size_t t = 0; t < 2; t++) {
        const iv_estimate x = iv_evaluation_value(one, 0, 0, t);
        assert_true(x.value == iv_evaluation_value(both, 0, 0, t).value);
        assert_true(x.exact && x.variance == 0.0);
    }
    iv_evaluation_free(one);
    iv_evaluation_free(both);
    close_setting(&s);
}

static void what_cannot_be_had_is_refused(void **state)
{
    static const char *const map[] = { "map" }, *const rr[] = { "RR" };
    static const char prels[] = "1 a 1 0 0.5\n1 b 0 0 1\n";
    static const char stranger[] = "9 Q0 a 1 9 tag\n";
    setting s = { 0 }, p = { 0 };
    iv_run *run = NULL;
    iv_evaluation *out = NULL;
    iv_err err = { IV_OK, "" };

    (void)state;
    open_setting(&s, qrels);
    open_setting(&p, prels);
    iv_evaluating how = { .measures = { rr, 1 } };
    assert_int_equal(iv_evaluate(&out, &p.source, &how, NULL, &err), IV_EARG);
    assert_non_null(strstr(err_text(&err), "cannot be estimated"));
    how = (iv_evaluating){ .measures = { map, 1 }, .bounds = true };
    assert_int_equal(iv_evaluate(&out, &p.source, &how, NULL, &err), IV_EARG);
    how = (iv_evaluating){ .measures = { map, 1 }, .estimator = IV_ESTIMATOR_CORRECTED };
    assert_int_equal(iv_evaluate(&out, &s.source, &how, NULL, &err), IV_EARG);
    assert_int_equal(iv_run_parse(&run, "r", stranger, strlen(stranger), IV_RUN_ANY, NULL,
                                  NULL), IV_OK);
    iv_source alien = s.source;
    alien.ranked = (const iv_run *const *)&run;
    assert_int_equal(iv_evaluate(&out, &alien, NULL, NULL, &err), IV_ENODATA);
    assert_non_null(strstr(err_text(&err), "shares no topic"));
    assert_int_equal(iv_evaluate(&out, &(iv_source){ 0 }, NULL, NULL, &err), IV_EARG);
    assert_null(out);
    iv_run_free(run);
    close_setting(&s);
    close_setting(&p);
}

static void the_first_bad_file_is_told(void **state)
{
    static const char *const paths[] = { "no-such-file-1", "no-such-file-2", "no-such-3",
                                         "no-such-4", "no-such-5" };
    setting s = { 0 };
    iv_evaluation *out = NULL;
    iv_err err = { IV_OK, "" };

    (void)state;
    open_setting(&s, qrels);
    const iv_source source = { .judged = s.judgments, .runs = { paths, 5 } };
    for (int threads = 1; threads < 9; threads++) {
        assert_int_equal(iv_evaluate(&out, &source, NULL, &(iv_work){ .threads = threads },
                                     &err), IV_EIO);
        assert_non_null(strstr(err_text(&err), "no-such-file-1"));
        assert_null(out);
    }
    close_setting(&s);
}

static int say_stop(void *user, double done)
{
    (void)done;
    ++*(size_t *)user;
    return 1;
}

static void an_evaluation_can_be_stopped(void **state)
{
    setting s = { 0 };
    iv_evaluation *out = NULL;
    iv_err err = { IV_OK, "" };

    (void)state;
    open_setting(&s, qrels);
    for (int threads = 1; threads < 3; threads++) {
        const iv_run *const many[] = { s.run, s.run, s.run, s.run };
        const iv_source source = { .judged = s.judgments, .ranked = many, .ranked_count = 4 };
        size_t asked = 0;
        const iv_work work = { .threads = threads, .progress = { say_stop, &asked } };
        assert_int_equal(iv_evaluate(&out, &source, NULL, &work, &err), IV_ECANCELLED);
        assert_int_equal(iv_evaluate(&out, &s.source, NULL, &work, &err), IV_ECANCELLED);
        assert_true(asked > 0);
        assert_null(out);
    }
    close_setting(&s);
}

static void runs_of_one_tag_get_names_of_their_own(void **state)
{
    setting s = { 0 };
    iv_evaluation *e = NULL;

    (void)state;
    open_setting(&s, qrels);
    const iv_run *const twice[] = { s.run, s.run };
    const iv_source source = { .judged = s.judgments, .ranked = twice, .ranked_count = 2 };
    assert_int_equal(iv_evaluate(&e, &source, NULL, NULL, NULL), IV_OK);
    const iv_evaluated *v = iv_evaluation_view(e);
    assert_int_equal(v->measure_count, 5); /* the usual ones */
    assert_string_equal(v->runs[0].tag, "tag");
    assert_null(v->runs[0].path);
    assert_true(strcmp(v->runs[0].name, v->runs[1].name) != 0);
    assert_int_equal(iv_evaluation_find(e, v->runs[1].name), 1);
    assert_true(iv_evaluation_find(e, "nobody") == IV_NONE);
    iv_evaluation_free(e);
    close_setting(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_topics_are_named_and_left_out_or_counted),
        cmocka_unit_test(what_a_reader_must_know_is_counted),
        cmocka_unit_test(complete_judgments_have_variance_0),
        cmocka_unit_test(the_interval_is_that_of_the_measure),
        cmocka_unit_test(a_mean_has_the_standard_error_and_interval_of_its_topics),
        cmocka_unit_test(values_do_not_depend_on_threads),
        cmocka_unit_test(a_sample_of_everything_gives_what_complete_judgments_give),
        cmocka_unit_test(what_cannot_be_had_is_refused),
        cmocka_unit_test(the_first_bad_file_is_told),
        cmocka_unit_test(an_evaluation_can_be_stopped),
        cmocka_unit_test(runs_of_one_tag_get_names_of_their_own),
    };
    const int failed = cmocka_run_group_tests_name("estimate", tests, NULL, NULL);

    return failed + ranges_tests();
}
