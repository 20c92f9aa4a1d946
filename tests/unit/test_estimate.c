/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about scores of runs and their means; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "err_text.h"
#include "estimate_tests.h"
#include "intervale/estimate.h"
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
    iv_measures *measures;
    iv_run *run;
} setting;

static void open_setting(setting *s, const char *const *names, size_t count)
{
    iv_err err = { IV_OK, "" };

    if (iv_judgments_parse(&s->judgments, "q", qrels, strlen(qrels), IV_JUDGMENTS_ANY, 1,
                           &err) != IV_OK
        || iv_measures_parse(&s->measures, names, count, NULL, &err) != IV_OK
        || iv_run_parse(&s->run, "r", run_text, strlen(run_text), IV_RUN_ANY, 1, &err)
            != IV_OK)
        fail_msg("%s", err_text(&err));
}

static void close_setting(setting *s)
{
    iv_run_free(s->run);
    iv_measures_free(s->measures);
    iv_judgments_free(s->judgments);
}

static iv_scores *score(const setting *s, iv_scoring how)
{
    iv_scores *scores = NULL;
    iv_err err = { IV_OK, "" };

    if (iv_score_run(&scores, s->run, s->judgments, s->measures, &how, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    return scores;
}

static void missing_topics_are_named_and_left_out_or_counted(void **state)
{
    static const char *const names[] = { "map", "num_q" };
    setting s = { 0 };

    (void)state;
    open_setting(&s, names, 2);
    for (int complete = 0; complete < 2; complete++) {
        iv_scores *x = score(&s, (iv_scoring){ .complete = complete == 1 });
        assert_int_equal(iv_scores_topics(x), complete ? 4 : 3);
        assert_int_equal(iv_scores_missing(x), 1);
        assert_int_equal(iv_str_cmp(iv_scores_missing_topic(x, 0), iv_str_of("4")), 0);
        assert_int_equal(iv_scores_noted(x).not_judged, 1);
        assert_false(iv_scores_was_missing(x, 0));
        double sums[2];
        iv_scores_summary(sums, x);
        /* (1 + 2/4) / 2: q ties with c and sorts last; 1/2 and 1/2 */
        assert_near(sums[0], (0.75 + 0.5 + 0.5) / (complete ? 4.0 : 3.0), 1e-15);
        if (complete) {
            assert_true(iv_scores_was_missing(x, 3));
            assert_true(iv_scores_row(x, 3)[0] == 0.0);
        }
        iv_scores_free(x);
    }
    close_setting(&s);
}

static void what_a_reader_must_know_is_counted(void **state)
{
    static const char *const names[] = { "map" };
    setting s = { 0 };

    (void)state;
    open_setting(&s, names, 1);
    iv_scores *x = score(&s, (iv_scoring){ .precision = IV_SCORES_FLOAT });
    const iv_run_notes n = iv_scores_noted(x);
    assert_int_equal(n.retrieved, 8);
    assert_int_equal(n.unjudged, 2); /* q, and y whose grade is below 0 */
    assert_int_equal(n.top_retrieved, 8);
    assert_int_equal(n.top_unjudged, 2);
    assert_int_equal(n.float_ties, 1);
    assert_int_equal(n.ties, 4); /* c and q; y and x as float */
    /* As float the tie puts y first: it sorts last. */
    assert_near(iv_scores_row(x, 2)[0], 0.5, 0.0);
    iv_scores_free(x);
    close_setting(&s);
}

/* Topics 1 to 3 have AP 3/4, 1/2, 1/2. */
static void a_mean_has_the_standard_error_and_interval_of_its_topics(void **state)
{
    static const char *const names[] = { "map", "gm_map", "num_ret", "relstring" };
    const double ap[] = { 0.75, 0.5, 0.5 };
    const double *sample = ap;
    const iv_interval_method logit = IV_INTERVAL_LOGIT;
    iv_mean_options o = { .by_measure = true, .resampling = iv_resampling_defaults() };
    setting s = { 0 };
    iv_mean got[4];
    iv_mean_interval want;

    (void)state;
    open_setting(&s, names, 4);
    iv_scores *scored = score(&s, (iv_scoring){ 0 });
    const iv_scores *x = scored;
    assert_int_equal(iv_means(got, &x, 1, s.measures, &o, NULL), IV_OK);
    assert_int_equal(iv_mean_intervals(&want, &sample, &logit, 1, 3, &o.resampling, NULL),
                     IV_OK);
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
    assert_near(got[1].upper, exp(mean + t * se), 1e-12);
    assert_near(got[2].value, 8.0, 0.0);
    assert_true(isnan(got[2].lower) && isnan(got[2].se));
    assert_true(isnan(got[3].value) && isnan(got[3].lower));
    iv_scores *own = score(&s, (iv_scoring){ .texts = true });
    assert_string_equal(iv_scores_text(own, 0, 3), "10-2");
    assert_null(iv_scores_text(own, 0, 0));
    assert_null(iv_scores_text(x, 0, 3));
    iv_scores_free(own);
    o.by_measure = false;
    o.method = IV_INTERVAL_LOGIT;
    assert_int_equal(iv_means(got, &x, 1, s.measures, &o, NULL), IV_OK);
    assert_false(got[0].replaced);
    assert_true(got[1].replaced);
    iv_scores_free(scored);
    close_setting(&s);
}

static void values_do_not_depend_on_threads(void **state)
{
    static const char *const names[] = { "all_trec", "ERR", "RBP" };
    setting s = { 0 };

    (void)state;
    open_setting(&s, names, 3);
    iv_scores *one = score(&s, (iv_scoring){ .threads = 1, .bounds = true, .ties = true });
    iv_scores *many = score(&s, (iv_scoring){ .threads = 4, .bounds = true, .ties = true });
    const size_t width = iv_measures_count(s.measures);
    assert_memory_equal(iv_scores_rows(one), iv_scores_rows(many),
                        3 * width * sizeof(double));
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < width; i++) {
            const iv_bounds a = iv_scores_bounds(one, t, i), b = iv_scores_bounds(many, t, i);
            assert_memory_equal(&a, &b, sizeof a);
        }
    iv_scores_free(one);
    iv_scores_free(many);
    close_setting(&s);
}

static void samples_and_strangers_are_refused(void **state)
{
    static const char *const names[] = { "map" };
    static const char prels[] = "1 a 1 0 0.5\n1 b 0 0 1\n";
    static const char stranger[] = "9 Q0 a 1 9 tag\n";
    const iv_scoring how = { 0 };
    setting s = { 0 };
    iv_judgments *sampled = NULL;
    iv_run *run = NULL;
    iv_scores *out = NULL;
    iv_err err = { IV_OK, "" };

    (void)state;
    open_setting(&s, names, 1);
    assert_int_equal(iv_judgments_parse(&sampled, "p", prels, strlen(prels),
                                        IV_JUDGMENTS_PRELS, 1, NULL), IV_OK);
    assert_int_equal(iv_score_run(&out, s.run, sampled, s.measures, &how, &err), IV_EARG);
    assert_non_null(strstr(err_text(&err), "inclusion probabilities"));
    assert_int_equal(iv_run_parse(&run, "r", stranger, strlen(stranger), IV_RUN_ANY, 1,
                                  NULL), IV_OK);
    assert_int_equal(iv_score_run(&out, run, s.judgments, s.measures, &how, &err),
                     IV_ENODATA);
    assert_non_null(strstr(err_text(&err), "shares no topic"));
    assert_null(out);
    iv_run_free(run);
    iv_judgments_free(sampled);
    close_setting(&s);
}

static void the_first_bad_file_is_told(void **state)
{
    static const char *const names[] = { "map" };
    static const char *const paths[] = { "no-such-file-1", "no-such-file-2", "no-such-3",
                                         "no-such-4", "no-such-5" };
    const iv_scoring how = { .threads = 2 };
    setting s = { 0 };
    iv_scores *out[5] = { NULL };
    iv_err err = { IV_OK, "" };

    (void)state;
    open_setting(&s, names, 1);
    assert_int_equal(iv_score_files(out, paths, 5, IV_RUN_ANY, s.judgments, s.measures, &how,
                                    &err), IV_EIO);
    assert_non_null(strstr(err_text(&err), "no-such-file-1"));
    assert_null(out[0]);
    close_setting(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_topics_are_named_and_left_out_or_counted),
        cmocka_unit_test(what_a_reader_must_know_is_counted),
        cmocka_unit_test(a_mean_has_the_standard_error_and_interval_of_its_topics),
        cmocka_unit_test(values_do_not_depend_on_threads),
        cmocka_unit_test(samples_and_strangers_are_refused),
        cmocka_unit_test(the_first_bad_file_is_told),
    };
    const int failed = cmocka_run_group_tests_name("estimate", tests, NULL, NULL);

    return failed + ranges_tests();
}
