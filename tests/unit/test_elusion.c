/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about elusion: its limits, its plans, and the two commands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "near.h"
#include "result/result_build.h"
#include "stat/recall/elusion.h"
#include "run_tool.h"
#include "scratch.h"

static const cmd *const commands[] = { &cmd_recall, &cmd_plan_elusion, NULL };

/* P(X <= r) of n drawn from N with K marked, from products of whole numbers. */
static double below(int64_t N, int64_t n, int64_t r, int64_t K)
{
    double sum = 0.0;

    for (int64_t x = 0; x <= r && x <= K && x <= n; x++) {
        double p = 1.0;
        if (n - x > N - K)
            continue;
        for (int64_t i = 0; i < x; i++)
            p *= (double)(K - i) * (double)(n - i) / ((double)(N - i) * (double)(i + 1));
        for (int64_t i = 0; i < n - x; i++)
            p *= (double)(N - K - i) / (double)(N - x - i);
        sum += p;
    }
    return sum;
}

static void the_products_are_a_distribution(void **state)
{
    (void)state;
    for (int64_t K = 0; K <= 12; K++)
        assert_near(below(12, 5, 5, K), 1.0, 1e-12);
    assert_near(below(10, 3, 0, 4), 6.0 * 5.0 * 4.0 / (10.0 * 9.0 * 8.0), 1e-15);
}

/* Every sample of every truth of small populations, against the definition. */
static void limits_are_what_the_sample_does_not_reject(void **state)
{
    (void)state;
    for (int64_t N = 1; N <= 14; N++)
        for (int64_t n = 0; n <= N; n++)
            for (int64_t r = 0; r <= n; r++) {
                int64_t least, most, low = N + 1, high = -1;
                const iv_stratum s = { N, n, r };
                assert_int_equal(iv_elusion_limits(&least, &most, &s, 0.9, true, NULL), IV_OK);
                for (int64_t K = r; K <= N - (n - r); K++) {
                    const double upper = r == 0 ? 1.0 : 1.0 - below(N, n, r - 1, K);
                    low = upper > 0.1 + 1e-12 && K < low ? K : low;
                    high = below(N, n, r, K) > 0.1 + 1e-12 ? K : high;
                }
                assert_int_equal(least, low);
                assert_int_equal(most, high);
            }
}

static void confidence_is_held_whatever_the_truth(void **state)
{
    (void)state;
    const int64_t N = 60, n = 17;

    for (int64_t K = 0; K <= N; K++) {
        double held = 0.0;
        for (int64_t r = 0; r <= n; r++) {
            int64_t least, most;
            const iv_stratum s = { N, n, r };
            const double p = below(N, n, r, K) - (r > 0 ? below(N, n, r - 1, K) : 0.0);
            if (p < 1e-14)
                continue;
            assert_int_equal(iv_elusion_limits(&least, &most, &s, 0.95, false, NULL), IV_OK);
            held += least <= K && K <= most ? p : 0.0;
        }
        assert_true(held >= 0.95 - 1e-9);
    }
}

/* The samples that textbooks have for large populations, and small ones by search. */
static void a_plan_is_the_least_sample_that_shows_it(void **state)
{
    (void)state;
    static const int64_t known[] = { 299, 473, 628, 773, 913 };
    iv_stratum p;

    for (int64_t c = 0; c < 5; c++) {
        assert_int_equal(iv_elusion_size(&p, 1000000000, c, 0.01, 0.95, NULL), IV_OK);
        assert_int_equal(p.sampled, known[c]);
    }
    for (int64_t N = 5; N <= 40; N += 5)
        for (int64_t c = 0; c < 3; c++) {
            const int64_t K = (int64_t)ceil(0.2 * (double)N - 1e-9);
            int64_t n = 0;
            while (n <= N && below(N, n, c, K) > 0.05 + 1e-12)
                n++;
            const int rc = iv_elusion_size(&p, N, c, 0.2, 0.95, NULL);
            assert_int_equal(rc, n > N || K <= c ? IV_ENODATA : IV_OK);
            if (rc == IV_OK) {
                assert_int_equal(p.sampled, n);
                assert_near(iv_elusion_accepts(&p, K), below(N, n, c, K), 1e-12);
            }
        }
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    int64_t least, most;
    iv_stratum p;

    assert_int_equal(iv_elusion_limits(&least, &most, &(iv_stratum){ 10, 11, 0 }, 0, false, NULL),
                     IV_EARG);
    assert_int_equal(iv_elusion_limits(&least, &most, &(iv_stratum){ 10, 5, 6 }, 0, false, NULL),
                     IV_EARG);
    assert_int_equal(iv_elusion_limits(&least, &most, &(iv_stratum){ 10, 5, 1 }, 2, false, NULL),
                     IV_EARG);
    assert_int_equal(iv_elusion_size(&p, 0, 0, 0.1, 0, NULL), IV_EARG);
    assert_int_equal(iv_elusion_size(&p, 10, -1, 0.1, 0, NULL), IV_EARG);
    assert_int_equal(iv_elusion_size(&p, 10, 0, 1.5, 0, NULL), IV_EARG);
    assert_int_equal(iv_elusion_size(&p, 10, 1, 0.1, 0, NULL), IV_ENODATA);
}

static void a_program_gets_the_plan_of_the_tool(void **state)
{
    (void)state;
    const iv_plan_elusion_question q = { .population = 858000, .below = 0.01 };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "plan elusion", NULL), IV_OK);
    assert_int_equal(iv_answer_plan_elusion(r, &q, NULL, NULL), IV_OK);
    assert_int_equal(iv_table_cell(iv_result_table_at(r, 0), 0, 1).integer, 299);
    iv_result_free(r);
}

static scratch home;

static void assert_says(const char *line, int status, const char *part)
{
    char *out, *err;
    size_t size;

    assert_int_equal(run_tool_in(commands, home.path, line + strlen("intervale ")), status);
    out = scratch_bytes(&home, "out", &size);
    err = scratch_bytes(&home, "err", &size);
    if (strstr(out, part) == NULL && strstr(err, part) == NULL)
        fail_msg("%s says %s%s, not %s", line, out, err, part);
    free(out);
    free(err);
}

static void the_commands_say_it_in_words(void **state)
{
    (void)state;
    assert_true(scratch_make(&home));
    assert_says("intervale recall --unretrieved 858000,1500,9", 0, "Elusion is estimated at 0.60 % "
                "(95 % interval 0.27 % to 1.2 %, rounded outwards).");
    assert_says("intervale recall --unretrieved 858000,1500,9", 0, "Relevant documents that were missed: about "
                "5,148, at most 8,959 (one-sided 95 % limit).");
    assert_says("intervale recall --unretrieved 858000,1500,9 --max-elusion 0.02 --gate", 0,
                "Yes, certified: elusion is below 2 % (95 % confidence, one-sided upper limit 1.1 %, rounded outwards). ");
    assert_says("intervale recall --unretrieved 858000,1500,9 --max-elusion 0.008 --gate", 4,
                "With 459 more documents, none of them relevant, this test would have demonstrated that "
                "elusion is below 0.8 %. A second test lowers the confidence.\n");
    assert_says("intervale recall --unretrieved 858000,1500,9 --max-elusion 0.002 --gate", 3,
                "No: elusion is 0.2 % or more (95 % confidence, one-sided lower limit 0.31 %, rounded outwards). ");
    assert_says("intervale recall --unretrieved 858000,1500,9 --target 0.7", 2, "--max-elusion");
    assert_says("intervale recall --unretrieved 858000,0,0", 1, "nothing was sampled");
    assert_says("intervale recall --retrieved 10,5,1", 2, "for elusion alone, give only --unretrieved");
    assert_says("intervale recall --retrieved 10,5,1 --unretrieved 10,5,1 --max-elusion 0.1", 2,
                "--unretrieved without --retrieved");
    /* 2.5 documents are 3, not 2: of 253 sampled at most 2 of 3 */
    assert_says("intervale plan elusion --population 500 --below 0.02", 0,
                "253     0.00791    0.8712   0.0489");
    assert_says("intervale plan elusion --population 858000 --below 0.01", 0,
                "Judge 299 of the 858,000 unretrieved documents: if none is relevant, elusion is "
                "below 1 % (95 % confidence). Or judge 913 and accept up to 4 relevant ones.\n");
    assert_says("intervale plan elusion --population 858000 --below 0.01", 0,
                "note: If elusion is 0.25 %, the test of 913 documents succeeds with a chance of 92 %, "
                "and the test of 299 with a chance of 47 %.");
    assert_says("intervale plan elusion --population 100 --below 0.05", 0, " Or judge 65 and accept up to 1 relevant one.");
    assert_says("intervale plan elusion --population 858000 --below 0.01 --format tsv --accept 0", 0,
                "\n0\t299\t0\t0.4730");
    /* Of the plans asked for, and no other. */
    assert_says("intervale plan elusion --population 858000 --below 0.01 --accept 0,2", 0,
                "Or judge 628 and accept up to 2 relevant ones.\n\n"
                "accept  documents  proportion  p_accept  p_wrong\n"
                "     0        299     0.00000    0.4730   0.0495\n"
                "     2        628     0.00318    0.7913   0.0497\n\nnote: ");
    assert_says("intervale plan elusion --population 858000 --below 0.01 --accept 0,2 --assurance 0.9", 0,
                "\n     4        913 ");
    assert_says("intervale plan elusion --population 100", 2, "--population and --below");
    assert_says("intervale plan elusion --population 100 --below 0.1 --elusion 0.2", 1,
                "expected below the limit");
    scratch_remove(home.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_products_are_a_distribution),
        cmocka_unit_test(limits_are_what_the_sample_does_not_reject),
        cmocka_unit_test(confidence_is_held_whatever_the_truth),
        cmocka_unit_test(a_plan_is_the_least_sample_that_shows_it),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_program_gets_the_plan_of_the_tool),
        cmocka_unit_test(the_commands_say_it_in_words),
    };

    return cmocka_run_group_tests_name("elusion", tests, NULL, NULL);
}
