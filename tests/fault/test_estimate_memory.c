/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of scoring, intervals and studies fails, and from it on all. */
#include "fault.h"

#include "intervale/estimate.h"
#include "study/map_study.h"
#include "wrap.h"

typedef int work(iv_err *err);

static void fails_cleanly(work *todo, const char *name)
{
    for (int on = 0; on < 2; on++) {
        bool failed = true;
        for (long k = 1; failed; k++) {
            iv_err err = { IV_OK, "" };
            wrap_fail(k, on);
            const int rc = todo(&err);
            failed = wrap_stop();
            if (rc != IV_OK && !(failed && rc == IV_ENOMEM && err.code == IV_ENOMEM
                                 && strstr(err.msg, "out of memory") != NULL))
                fail_msg("%s, allocation %ld%s: %d %s", name, k, on ? " and on" : "", rc,
                         err.msg);
            assert_true(k < 100000);
        }
    }
}

static const char run_text[] = "1 Q0 a 1 3 t\n1 Q0 b 2 3 t\n1 Q0 q 3 1 t\n2 Q0 c 1 2 t\n"
                               "2 Q0 d 2 1 t\n";
static const char qrels_text[] = "1 0 a 1\n1 0 b 0\n2 0 c 0\n2 0 d 2\n3 0 e 1\n";

static int evaluate(iv_err *err)
{
    static const char *const names[] = { "AP", "nDCG@2", "ERR", "gm_map", "relstring" };
    const iv_scoring how = { .complete = true, .texts = true, .bounds = true, .ties = true,
                             .threads = 1 };
    iv_mean_options o = { .by_measure = true, .resampling = iv_resampling_defaults() };
    iv_judgments *j = NULL;
    iv_run *run = NULL;
    iv_measures *m = NULL;
    iv_scores *s = NULL;
    iv_mean means[5];
    int rc = iv_judgments_parse(&j, "q", qrels_text, strlen(qrels_text), IV_JUDGMENTS_QRELS,
                                NULL, err);

    o.resampling.resamples = 40;
    o.resampling.threads = 2;
    if (rc == IV_OK)
        rc = iv_run_parse(&run, "r", run_text, strlen(run_text), IV_RUN_TREC, NULL, err);
    if (rc == IV_OK)
        rc = iv_measures_parse(&m, names, 5, NULL, err);
    if (rc == IV_OK)
        rc = iv_score_run(&s, run, j, m, &how, err);
    if (rc == IV_OK) {
        const iv_scores *all[] = { s };
        rc = iv_means(means, all, 1, m, &o, err);
    } else {
        assert_null(s);
    }
    if (rc == IV_OK)
        assert_true(means[0].lower > 0.0 && means[0].topics == 3);
    iv_scores_free(s);
    iv_measures_free(m);
    iv_run_free(run);
    iv_judgments_free(j);
    return rc;
}

static int study(iv_err *err)
{
    static const char text[] = "AP,1,2,3,4\nx,.1,.2,.3,.4\ny,.9,.1,.2,.1\n";
    static const iv_interval_method methods[] = { IV_INTERVAL_BCA, IV_INTERVAL_LOGIT };
    static const size_t n[] = { 3 };
    static const double alpha[] = { 0.1 };
    const iv_map_study_options o = { .methods = methods, .method_count = 2, .n = n,
                                     .n_count = 1, .alpha = alpha, .alpha_count = 1,
                                     .samples = 4, .resamples = 19, .seed = 1,
                                     .threads = 1 };
    iv_map_study_cell cells[2];
    iv_matrix *m = NULL;
    int rc = iv_matrix_parse(&m, "m", text, strlen(text), IV_ROWS_SYSTEMS, err);

    if (rc == IV_OK)
        rc = iv_map_study(cells, m, &o, err);
    if (rc == IV_OK)
        assert_int_equal(cells[0].intervals, 8);
    iv_matrix_free(m);
    return rc;
}

static void an_evaluation_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    fails_cleanly(evaluate, "evaluation");
}

static void a_study_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    fails_cleanly(study, "study");
}

int estimate_memory_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_evaluation_without_memory_fails_and_leaks_nothing),
        cmocka_unit_test(a_study_without_memory_fails_and_leaks_nothing),
    };
    return cmocka_run_group_tests_name("estimate memory", tests, NULL, NULL);
}
