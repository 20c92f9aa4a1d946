/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of scoring, intervals and studies fails, and from it on all. */
#include "fault.h"
#include "retrieval/evaluation.h"

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
static const char prels_text[] = "1 a 1 0 0.5\n1 b 0 0 1\n2 c 0 0 0.5\n2 d 2 0 0.25\n"
                                 "3 e 1 0 1\n";
static const char qrels_text[] = "1 0 a 1\n1 0 b 0\n2 0 c 0\n2 0 d 2\n3 0 e 1\n";

static int evaluate_text(iv_err *err, const char *judged, const char *const *names,
                         size_t count, iv_evaluating how)
{
    iv_judgments *j = NULL;
    iv_run *run = NULL;
    iv_evaluation *e = NULL;
    iv_mean d;
    int rc = iv_judgments_parse(&j, "q", judged, strlen(judged), IV_JUDGMENTS_ANY, NULL, err);

    if (rc == IV_OK)
        rc = iv_run_parse(&run, "r", run_text, strlen(run_text), IV_RUN_TREC, NULL, err);
    how.measures = (iv_texts){ names, count };
    how.complete = true;
    how.resampling.resamples = 40;
    const iv_run *const runs[] = { run, run };
    const iv_source source = { .judged = j, .ranked = runs, .ranked_count = 2 };
    if (rc == IV_OK)
        rc = iv_evaluate(&e, &source, &how, NULL, err);
    else
        assert_null(e);
    if (rc == IV_OK) {
        assert_int_equal(iv_evaluation_view(e)->means[0].topics, 3);
        rc = iv_evaluation_difference(&d, NULL, NULL, e, 0, 0, 1, err);
    }
    iv_evaluation_free(e);
    iv_run_free(run);
    iv_judgments_free(j);
    return rc;
}

static int evaluate(iv_err *err)
{
    static const char *const names[] = { "AP", "nDCG@2", "ERR", "gm_map", "relstring" };

    return evaluate_text(err, qrels_text, names, 5,
                         (iv_evaluating){ .texts = true, .bounds = true, .ties = true });
}

static int evaluate_sample(iv_err *err)
{
    static const char *const names[] = { "AP", "nDCG@2", "P@2", "num_rel" };

    return evaluate_text(err, prels_text, names, 4, (iv_evaluating){ .differences = true });
}

static void an_evaluation_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    fails_cleanly(evaluate, "evaluation");
    fails_cleanly(evaluate_sample, "evaluation of a sample");
}

int estimate_memory_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_evaluation_without_memory_fails_and_leaks_nothing),
    };
    return cmocka_run_group_tests_name("estimate memory", tests, NULL, NULL);
}
