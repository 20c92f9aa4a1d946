/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cannot be meant is refused by every public function that can fail, with
 * IV_EARG and a message: lists that are NULL or hold NULL, numbers that no enum has,
 * NaN.  A line is a call; each is made in a process of its own, so that one that
 * crashes is named and the others are still made.
 */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "intervale.h"
#include "active/judging.h"
#include "active/pilot.h"
#include "measure/measures.h"
#include "retrieval/run_overlap.h"
#include "retrieval/sample_plan.h"
#include "review/review_cases.h"
#include "sampling/sampled_judgments.h"
#include "sampling/scheme.h"
#include "simulate/simulation.h"
#include "stat/power/power.h"
#include "stat/rank_agreement.h"
#include "stat/recall/recall_limits.h"
#include "trec/inspection.h"
#include "trec/judgments.h"
#include "trec/score_table.h"
#include "trec/strata.h"
#include "base/memory.h"

enum { TOPICS = 4, SYSTEMS = 3 };

static const iv_work one = { .threads = 1 };
static const char *const hole[] = { TESTS_DIR "/data/run", NULL };
static const double scores[] = { 0.1, 0.2, 0.3, 0.4, 0.2, 0.1, 0.5, 0.7, 0.3, 0.3, 0.1, 0.9 };
static const size_t both[] = { 0, 1 };
static iv_run *run;
static const iv_run *runs[2], *one_run[2];
static iv_judgments *judgments;
static iv_pooled *pooled;
static iv_frame *frame;
static iv_sampling *sampling;
static iv_judging_state *judging;
static iv_review *review;
static iv_result *result;
static int wrong;

/* A place for what should not come; as many bytes as any of them needs. */
static union { max_align_t align; char bytes[1 << 16]; } room;
#define OUT ((void *)&room)

/* cmocka would go on with the next test, in the child. */
static void crash_at_once(void)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)signal(signals[i], SIG_DFL);
    (void)alarm(900); /* one that hangs, not one on a busy machine */
}

#define REFUSED(...)                                                                   \
    do {                                                                               \
        const pid_t child = fork();                                                    \
        int status = 0;                                                                \
        if (child == 0) {                                                              \
            iv_err err = { 0 };                                                        \
            crash_at_once();                                                           \
            const int rc = (__VA_ARGS__);                                              \
            _exit(rc == IV_EARG && err.code == rc && err.msg[0] != '\0' ? 0 : 100 - rc); \
        }                                                                              \
        assert_true(child > 0 && waitpid(child, &status, 0) == child);                 \
        if (status != 0) {                                                             \
            print_error("line %d, status %d%s: %s\n", __LINE__,                        \
                        WIFSIGNALED(status) ? WTERMSIG(status)                         \
                                            : 100 - WEXITSTATUS(status),               \
                        WIFSIGNALED(status) ? " (signal)" : "", #__VA_ARGS__);         \
            wrong++;                                                                   \
        }                                                                              \
    } while (0)

static void assert_none_wrong(void)
{
    const int count = wrong;

    wrong = 0;
    assert_int_equal(count, 0);
}

static int start(void **state)
{
    (void)state;
    static const iv_stratum in = { 100, 10, 5 }, out = { 900, 30, 2 };
    iv_err err = { 0 };

    assert_int_equal(iv_run_load(&run, TESTS_DIR "/data/run", IV_RUN_ANY, &one, &err), IV_OK);
    runs[0] = runs[1] = one_run[0] = run;
    assert_int_equal(iv_judgments_load(&judgments, TESTS_DIR "/data/qrels", IV_JUDGMENTS_ANY, &one,
                                       &err), IV_OK);
    assert_int_equal(iv_pooled_new(&pooled, runs, 2, judgments, NULL, &one, &err), IV_OK);
    assert_int_equal(iv_frame_new(&frame, runs, 2, 0, &one, &err), IV_OK);
    assert_int_equal(iv_sampling_new(&sampling, judgments, "j", IV_UNJUDGED_REFUSE, &err), IV_OK);
    assert_int_equal(iv_judging_new(&judging, pooled, both, 2, NULL, &one, &err), IV_OK);
    assert_int_equal(iv_review_counts(&review, in, out, IV_UNSAMPLED_REFUSE, &err), IV_OK);
    return iv_result_new(&result, "test", &err);
}

static int end(void **state)
{
    (void)state;
    iv_result_free(result);
    iv_review_free(review);
    iv_judging_free(judging);
    iv_sampling_free(sampling);
    iv_frame_free(frame);
    iv_pooled_free(pooled);
    iv_judgments_free(judgments);
    iv_run_free(run);
    return 0;
}

static void of_files_and_arrays(void **state)
{
    (void)state;
    static const int32_t grades[] = { 1, 1 };
    static const double reals[] = { NAN, 1.0 };
    static const char *const texts[] = { "a", "b" };
    const iv_text_column names = { .texts = texts }, holes = { .texts = hole }, none = { 0 };

    REFUSED(iv_run_load(OUT, NULL, IV_RUN_ANY, &one, &err));
    REFUSED(iv_run_load(OUT, hole[0], (iv_run_format)9, &one, &err));
    REFUSED(iv_run_load(OUT, hole[0], (iv_run_format)-1, &one, &err));
    REFUSED(iv_run_parse(OUT, "r", NULL, 9, IV_RUN_ANY, &one, &err));
    REFUSED(iv_run_parse(OUT, "r", "1 Q0 d 1 2 t\n", 13, (iv_run_format)-1, &one, &err));
    REFUSED(iv_run_build(OUT, "r", NULL, &one, &err));
    REFUSED(iv_run_build(OUT, "r", &(iv_run_columns){ 2, none, names, NULL, NULL }, &one, &err));
    REFUSED(iv_run_build(OUT, "r", &(iv_run_columns){ 2, names, none, NULL, NULL }, &one, &err));
    REFUSED(iv_run_build(OUT, "r", &(iv_run_columns){ 2, names, holes, NULL, NULL }, &one, &err));
    REFUSED(iv_run_build(OUT, "r", &(iv_run_columns){ 2, holes, names, NULL, NULL }, &one, &err));
    REFUSED(iv_run_build(OUT, "r", &(iv_run_columns){ 2, names, names, reals, NULL }, &one, &err));
    REFUSED(iv_judgments_load(OUT, NULL, IV_JUDGMENTS_ANY, &one, &err));
    REFUSED(iv_judgments_load(OUT, TESTS_DIR "/data/qrels", (iv_judgments_format)99, &one, &err));
    REFUSED(iv_judgments_parse(OUT, "j", NULL, 9, IV_JUDGMENTS_ANY, &one, &err));
    REFUSED(iv_judgments_parse(OUT, "j", "1 0 d 1\n", 8, (iv_judgments_format)-1, &one, &err));
    REFUSED(iv_judgments_build(OUT, "j", NULL, &one, &err));
    REFUSED(iv_judgments_build(OUT, "j", &(iv_judgment_columns){ 2, names, names, NULL, NULL },
                               &one, &err));
    REFUSED(iv_judgments_build(OUT, "j", &(iv_judgment_columns){ 2, holes, names, grades, NULL },
                               &one, &err));
    REFUSED(iv_judgments_build(OUT, "j", &(iv_judgment_columns){ 2, names, names, grades, reals },
                               &one, &err));
    REFUSED(iv_csv_load(OUT, NULL, &one, &err));
    REFUSED(iv_csv_parse(OUT, "c", NULL, 9, &err));
    REFUSED(iv_score_table_load(OUT, &(iv_score_source){ .rows = (iv_score_rows)5 }, &one, &err));
    REFUSED(iv_score_table_parse(OUT, "m", NULL, 9, NULL, IV_ROWS_SYSTEMS, &err));
    REFUSED(iv_score_table_parse(OUT, "m", "s,1\na,1\n", 8, NULL, (iv_score_rows)-1, &err));
    REFUSED(iv_inspect(OUT, NULL, IV_JUDGMENTS_ANY, 1, &one, &err));
    REFUSED(iv_inspect(OUT, hole[0], (iv_judgments_format)99, 1, &one, &err));
    REFUSED(iv_labels_load(OUT, NULL, NULL, &one, &err));
    REFUSED(iv_labels_parse(OUT, "l", NULL, 9, NULL, &err));
    REFUSED(iv_strata_load(OUT, &(iv_arena){ 0 }, NULL, NULL, &one, &err));
    REFUSED(iv_runs_load(OUT, NULL, 2, IV_RUN_ANY, &one, &err));
    REFUSED(iv_runs_load(OUT, hole, 2, IV_RUN_ANY, &one, &err));
    REFUSED(iv_runs_load(OUT, hole, 1, (iv_run_format)9, &one, &err));
    REFUSED(iv_outfile_open(OUT, NULL, &err));
    assert_none_wrong();
}

static void of_evaluations(void **state)
{
    (void)state;
    static const char *const measures[] = { "AP", NULL };
    const iv_run *const holes[] = { run, NULL };
    const iv_source files = { .judgments = TESTS_DIR "/data/qrels", .runs = { hole, 1 } };
    const iv_source memory = { .judged = judgments, .ranked = runs, .ranked_count = 1 };
    const iv_prf_entry entry[] = { { "a", NULL, { 3, 1, 2, -1 } } },
                       nameless[] = { { NULL, NULL, { 3, 1, 2, -1 } } };
    const iv_prf_input counts = { .entries = entry, .entry_count = 1 };
    static const double nans[] = { NAN };

#define EVALUATE(source, ...) iv_evaluate(OUT, source, &(iv_evaluating){ __VA_ARGS__ }, &one, &err)
#define SOURCE(...) (&(iv_source){ __VA_ARGS__ })
    REFUSED(iv_evaluate(OUT, NULL, NULL, &one, &err));
    REFUSED(EVALUATE(SOURCE(.judged = judgments, .runs = { NULL, 2 }), 0));
    REFUSED(EVALUATE(SOURCE(.judged = judgments, .runs = { hole, 2 }), 0));
    REFUSED(EVALUATE(SOURCE(.judged = judgments, .ranked = holes, .ranked_count = 2), 0));
    REFUSED(EVALUATE(SOURCE(.judged = judgments), 0));
    REFUSED(EVALUATE(SOURCE(.runs = { hole, 1 }), 0));
    REFUSED(EVALUATE(SOURCE(.judgments = files.judgments, .runs = { hole, 1 },
                            .judgments_format = (iv_judgments_format)50), 0));
    REFUSED(EVALUATE(SOURCE(.judgments = files.judgments, .runs = { hole, 1 },
                            .run_format = (iv_run_format)-1), 0));
    REFUSED(EVALUATE(&memory, .measures = { NULL, 1 }));
    REFUSED(EVALUATE(&memory, .measures = { measures, 2 }));
    REFUSED(EVALUATE(&memory, .measure.dialect = (iv_dialect)7));
    REFUSED(EVALUATE(&memory, .interval = (iv_interval_method)40));
    REFUSED(EVALUATE(&memory, .estimator = (iv_estimator)-1));
    REFUSED(EVALUATE(&memory, .unjudged = (iv_unjudged)9));
    REFUSED(EVALUATE(&memory, .resampling.confidence = NAN));
    REFUSED(iv_measures_parse(OUT, NULL, 1, NULL, &err));
    REFUSED(iv_measures_parse(OUT, measures, 2, NULL, &err));
    REFUSED(iv_measures_parse(OUT, measures, 1, &(iv_measure_options){ .dialect = (iv_dialect)4 },
                              &err));
#define PRF(input, ...) iv_prf_evaluate(OUT, input, &(iv_prf_options){ __VA_ARGS__ }, &one, &err)
    REFUSED(iv_prf_evaluate(OUT, NULL, NULL, &one, &err));
    REFUSED(PRF((&(iv_prf_input){ .entries = NULL, .entry_count = 2 }), 0));
    REFUSED(PRF((&(iv_prf_input){ .entries = nameless, .entry_count = 1 }), 0));
    REFUSED(PRF((&(iv_prf_input){ .counts = { NULL, 1 } }), 0));
    REFUSED(PRF((&(iv_prf_input){ .counts = { hole + 1, 1 } }), 0));
    REFUSED(PRF((&(iv_prf_input){ .files = { hole + 1, 1 } }), 0));
    REFUSED(PRF(&counts, .prior = { NULL, 1 }));
    REFUSED(PRF(&counts, .prior = { nans, 1 }));
    REFUSED(PRF(&counts, .beta = { NULL, 1 }));
    REFUSED(PRF(&counts, .beta = { nans, 1 }));
    REFUSED(PRF(&counts, .confidence = NAN));
    REFUSED(iv_run_overlap(OUT, run, 0, run, 0, &(iv_overlap_options){ .persistence = NAN }, NULL, &err));
    REFUSED(iv_run_overlap(OUT, run, 0, run, 0, &(iv_overlap_options){ .ties = (iv_rbo_ties)3 }, NULL,
                           &err));
    assert_none_wrong();
}

static void of_reviews(void **state)
{
    (void)state;
    const iv_stratum in = { 100, 10, 5 }, out = { 900, 30, 2 };
    const iv_segments sides = { &in, &out, 1, 1 };
    const iv_strata_row rows[] = { { { "a", 1 }, 100, 10, 5, 0 }, { { "b", 1 }, 900, 30, 2, 0 } };
    const iv_str names[] = { { "r", 1 } };
    const bool marks[] = { true, false };

    REFUSED(iv_review_strata(OUT, &(iv_strata_table){ NULL, names, marks, 2, 1, NULL, 0, NULL },
                             IV_UNSAMPLED_REFUSE, &err));
    REFUSED(iv_review_strata(OUT, &(iv_strata_table){ rows, NULL, marks, 2, 1, NULL, 0, NULL },
                             IV_UNSAMPLED_REFUSE, &err));
    REFUSED(iv_review_strata(OUT, &(iv_strata_table){ rows, names, NULL, 2, 1, NULL, 0, NULL },
                             IV_UNSAMPLED_REFUSE, &err));
#define FIND(...) iv_review_find(OUT, review, &(iv_review_options){ __VA_ARGS__ }, &one, &err)
    REFUSED(FIND(.how.method = (iv_recall_method)99));
    REFUSED(FIND(.how.confidence = NAN));
    REFUSED(FIND(.how.a = NAN, .how.b = 1.0));
    REFUSED(FIND(.target = NAN));
    REFUSED(FIND(.beta = NAN));
    REFUSED(iv_segments_check(&(iv_segments){ NULL, &out, 1, 1 }, &err));
    REFUSED(iv_segments_check(NULL, &err));
    REFUSED(iv_recall_interval_of(OUT, &sides, &(iv_recall_options){ .method =
                                  (iv_recall_method)-1 }, NULL, &err));
    REFUSED(iv_recall_interval_of(OUT, &sides, &(iv_recall_options){ .confidence = NAN }, NULL,
                                  &err));
    REFUSED(iv_recall_guaranteed(OUT, &sides, IV_RECALL_RECALL, 1.0, NAN, false, &err));
    assert_none_wrong();
}

static void of_comparisons(void **state)
{
    (void)state;
    static const iv_pair_test tests[] = { (iv_pair_test)9 };
    static const size_t far[] = { 9 };
    const double *const samples[] = { scores, NULL };
    static const iv_interval_method methods[] = { (iv_interval_method)77 };

#define COMPARE(...) iv_compare(OUT, scores, SYSTEMS, TOPICS, &(iv_compare_options){ __VA_ARGS__ }, \
                                &one, &err)
    REFUSED(iv_compare(OUT, NULL, SYSTEMS, TOPICS, NULL, &one, &err));
    REFUSED(COMPARE(.tests = NULL, .test_count = 1));
    REFUSED(COMPARE(.tests = tests, .test_count = 1));
    REFUSED(COMPARE(.ties = (iv_sign_ties)9));
    REFUSED(COMPARE(.zeros = (iv_zeros)9));
    REFUSED(COMPARE(.alternative = (iv_alternative)-1));
    REFUSED(COMPARE(.correction = (iv_correction)99));
    REFUSED(COMPARE(.baselines = NULL, .baseline_count = 1));
    REFUSED(COMPARE(.baselines = far, .baseline_count = 1));
    REFUSED(COMPARE(.interval = (iv_interval_method)99));
    REFUSED(COMPARE(.means = (iv_interval_method)-1));
    REFUSED(COMPARE(.margin = NAN));
    REFUSED(COMPARE(.confidence = NAN));
    REFUSED(iv_mean_intervals(OUT, samples, methods, 1, 4, NULL, &one, &err));
    REFUSED(iv_mean_intervals(OUT, samples, NULL, 1, 4, NULL, &one, &err));
    REFUSED(iv_mean_intervals(OUT, NULL, &(iv_interval_method){ IV_INTERVAL_T }, 1, 4, NULL, &one,
                              &err));
    REFUSED(iv_mean_intervals(OUT, samples + 1, &(iv_interval_method){ IV_INTERVAL_T }, 1, 4, NULL,
                              &one, &err));
    REFUSED(iv_orders_agree(OUT, scores, scores, SYSTEMS, TOPICS, NAN, &err));
    assert_none_wrong();
}

static void of_designs_and_plans(void **state)
{
    (void)state;
    static const double nans[] = { NAN, 1.0 };
    const iv_recall_guess guess[] = { { NAN, 0.5 } }, fair[] = { { 0.8, 0.5 } };
    const iv_recall_plan wanting = { 1000, 100, { 0 }, guess, 1, 0.0 };
    const iv_recall_plan plan = { 1000, 100, { 0 }, fair, 1, 0.0 };
    const iv_recall_plan empty = { 1000, 100, { 0 }, NULL, 1, 0.0 };
    const iv_cost_model sound = { .g = { 1.0, 2.0, 0.5 } };

    REFUSED(iv_frame_new(OUT, NULL, 1, 0, &one, &err));
    REFUSED(iv_frame_new(OUT, one_run, 2, 0, &one, &err));
#define DRAW(...) iv_sample_draw(OUT, frame, &(iv_sample_options){ __VA_ARGS__ }, &one, &err)
    REFUSED(DRAW(.design = (iv_design)9));
    REFUSED(DRAW(.total = 100, .spread = (iv_spread_rule)9));
    REFUSED(DRAW(.design = IV_DESIGN_STRATIFIED, .strata = { NULL, 1 }));
    REFUSED(DRAW(.design = IV_DESIGN_STRATIFIED, .rates = { NULL, 1 }));
    REFUSED(DRAW(.design = IV_DESIGN_STRATIFIED, .strata = { (int64_t[]){ 10, 20 }, 2 },
                 .rates = { nans, 2 }));
    REFUSED(iv_scheme_stevens_of(OUT, nans, 2, 1, &err));
#define JUDGE(...) iv_judge_until(OUT, judging, judgments, "j", &(iv_judging_plan){ __VA_ARGS__ }, \
                                  &one, &err)
    REFUSED(JUDGE(.until = NAN));
#define BUDGET(...) iv_sample_plan_make(OUT, runs, 1, sampling, &(iv_sample_plan_options){ \
                                        __VA_ARGS__ }, &one, &err)
    REFUSED(BUDGET(.se = NAN));
    REFUSED(BUDGET(.halfwidth = 0.1, .confidence = NAN));
    REFUSED(iv_cost_least(OUT, &sound, NAN, NULL, 0.6, &err));
    REFUSED(iv_cost_least(OUT, &sound, 25.0, &(iv_prices){ NAN, 1.0, 0.0 }, 0.6, &err));
#define PILOT(...) iv_pilot_study(OUT, pooled, 0, 1, &(iv_pilot_options){ __VA_ARGS__ }, "j", &one, \
                                  &err)
    REFUSED(PILOT(.topics = NAN));
    REFUSED(PILOT(.prices.topic = NAN));
    REFUSED(PILOT(.confidence = NAN));
    REFUSED(iv_recall_expect(OUT, NULL, 10, 10, &one, &err));
    REFUSED(iv_recall_expect(OUT, &empty, 10, 10, &one, &err));
    REFUSED(iv_recall_expect(OUT, &wanting, 10, 10, &one, &err));
    REFUSED(iv_recall_least_size(OUT, &plan, (iv_recall_goal)-1, 0.2, &one, &err));
    REFUSED(iv_recall_least_size(OUT, &plan, IV_GOAL_WIDTH, NAN, &one, &err));
#define POWER(...) iv_power_at(OUT, 20, 0.4, &(iv_power_options){ __VA_ARGS__ }, &one, &err)
    REFUSED(POWER(.test = (iv_planned_test)9));
    REFUSED(POWER(.sides = (iv_sides)9));
    REFUSED(POWER(.alpha = NAN));
    REFUSED(POWER(.certainty = NAN));
    REFUSED(POWER(.test = IV_PLAN_SIGN, .ties = NAN));
    REFUSED(iv_power_at(OUT, 20, NAN, NULL, &one, &err));
    REFUSED(iv_power_topics(OUT, OUT, NAN, 0.4, NULL, &one, &err));
    REFUSED(iv_power_effect(OUT, NAN, 20, NULL, &one, &err));
    REFUSED(iv_topics_from_pilot(OUT, &(iv_differences){ .n = 4, .mean = 0.1, .sd = 0.2 }, 0.0, 3.0,
                                 0.8, NAN, NULL, &one, &err));
    assert_none_wrong();
}

/* Texts of questions, wherever they lie. */
static void of_texts_in_questions(void **state)
{
    (void)state;
    static const char *const none[] = { NULL }, *const labels[] = { "a", "b", "a", "b" };
    const iv_str nothing = { NULL, 3 };

#define ASKED(answer, T, ...) iv_answer_##answer(result, &(iv_##T##_question){ __VA_ARGS__ }, &one, &err)
    REFUSED(ASKED(plan_pilot, plan_pilot, .how.form = (iv_moments_form)9));
    REFUSED(ASKED(plan_pilot, plan_pilot, .how.no_answer = (iv_no_answer)9));
    REFUSED(ASKED(plan_pilot, plan_pilot, .how.order = (iv_judging_order)9));
    REFUSED(ASKED(plan_sample, plan_sample, .how.goal = (iv_sample_goal)9));
    REFUSED(ASKED(plan_sample, plan_sample, .unjudged = (iv_unjudged)9));
    REFUSED(ASKED(next, next, .no_answer = (iv_no_answer)-1));
    REFUSED(ASKED(compare, compare, .values = scores, .systems = { labels, 2 }, .topics = { labels + 2, 2 },
                  .baselines = { none, 1 }));
    REFUSED(ASKED(compare, compare, .scores.set_weights = { none, 1 }));
    REFUSED(ASKED(eval, eval, .scores.from.columns = { none, 1 }));
    REFUSED(ASKED(prf, prf, .from.counts = { (const char *[]){ "8,2,4" }, 1 }, .targets = { none, 1 }));
    REFUSED(iv_score_table_load(OUT, &(iv_score_source){ .score = { scores, 1 }, .system = { none, 1 },
                                .item = { labels, 1 } }, &one, &err));
    REFUSED(iv_labels_parse(OUT, "t", "gold,a\nx,y\n", 11, &(iv_labels_options){ .systems = { none, 1 } }, &err));
    REFUSED(iv_run_build(OUT, "r", &(iv_run_columns){ 1, { .strs = &nothing }, { .texts = labels }, scores, NULL },
                         &one, &err));
    assert_null(iv_measure_find(NULL));
    assert_none_wrong();
}

/* No options are the default, and what cannot be written is told. */
static void a_report_is_written_or_it_is_told(void **state)
{
    (void)state;
    iv_result *r = NULL;
    iv_err err = { 0 };
    FILE *full = fopen("/dev/full", "w");

    assert_int_equal(iv_result_new(&r, "measures", &err), IV_OK);
    iv_report_wish(r, NULL);
    assert_int_equal(iv_answer_measures(r, &(iv_measures_question){ .names = { (const char *[]){ "AP" }, 1 } }, &one,
                                        &err), IV_OK);
    if (full != NULL) { /* systems without it */
        assert_int_equal(iv_report_write(full, r, NULL, &err), IV_EIO);
        (void)fclose(full);
    }
    iv_result_free(r);
}

static void of_simulations_and_reports(void **state)
{
    (void)state;
    static const double nans[] = { NAN };

#define SIMULATE(...) iv_simulation_new(OUT, &(iv_simulation_options){ __VA_ARGS__ }, &err)
    REFUSED(SIMULATE(.quality = { NULL, 2 }));
    REFUSED(SIMULATE(.quality = { nans, 1 }));
    REFUSED(SIMULATE(.prevalence = NAN));
    REFUSED(SIMULATE(.similarity = NAN));
    REFUSED(SIMULATE(.ties = NAN));
    REFUSED(iv_report_write(stdout, result, &(iv_report_options){ .format = (iv_format)99 }, &err));
    REFUSED(iv_report_write(stdout, result, &(iv_report_options){ .format = (iv_format)-1 }, &err));
    assert_none_wrong();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_files_and_arrays),
        cmocka_unit_test(of_evaluations),
        cmocka_unit_test(of_reviews),
        cmocka_unit_test(of_comparisons),
        cmocka_unit_test(of_designs_and_plans),
        cmocka_unit_test(of_simulations_and_reports),
        cmocka_unit_test(of_texts_in_questions),
        cmocka_unit_test(a_report_is_written_or_it_is_told),
    };
    return cmocka_run_group_tests(tests, start, end);
}
