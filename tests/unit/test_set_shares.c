/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the mean over fixed sets of shares of right answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "intervale/num.h"
#include "intervale/stat.h"
#include "near.h"
#include "stat/interval/units.h"

/* Right answers, items and weights of up to three sets, and tests/oracle/set_shares.py's limits. */
typedef struct suite_case {
    size_t right[3], items[3];
    double weight[3], lower, upper;
} suite_case;

static iv_mean_interval shares_of(const suite_case *of, bool wrong)
{
    double x[320];
    uint32_t set[320];
    const iv_structure s = { .suite = set, .suites = 3, .suite_weight = of->weight };
    iv_structured m;
    iv_mean_interval i;
    size_t n = 0;

    for (uint32_t h = 0; h < 3; h++)
        for (size_t t = 0; t < of->items[h]; t++, n++) {
            set[n] = h;
            x[n] = (t < of->right[h]) != wrong;
        }
    assert_int_equal(iv_structured_mean(&m, x, n, &s, 0, NULL), IV_OK);
    assert_int_equal(iv_structured_interval(&i, &m, true, IV_INTERVAL_AUTO, 0.95, NULL), IV_OK);
    assert_int_equal(iv_set_shares(&i, x, n, &s, wrong ? 0.95 : 0.0, NULL), IV_OK);
    assert_int_equal(i.method, IV_INTERVAL_BINOMIAL);
    return i;
}

static void shares_of_fixed_sets_have_the_limits_of_a_score_test(void **state)
{
    static const suite_case cases[] = {
        { { 3, 299, 0 }, { 3, 300, 0 }, { 1.0, 1.0, 1.0 }, 0.669496256748, 0.999916632924 },
        { { 3, 300, 0 }, { 3, 300, 0 }, { 1.0, 1.0, 1.0 }, 0.671190113753, 1.0 },
        { { 3, 4, 9 }, { 5, 4, 10 }, { 1.0, 1.0, 1.0 }, 0.579629107209, 0.958744212856 },
        { { 3, 4, 9 }, { 5, 4, 10 }, { 1.0, 2.0, 5.0 }, 0.654875354039, 0.975663055261 },
        { { 10, 0, 0 }, { 10, 20, 0 }, { 1.0, 1.0, 1.0 }, 0.350427475790, 0.584089612026 },
        { { 40, 90, 77 }, { 50, 100, 80 }, { 1.0, 1.0, 1.0 }, 0.836348891046, 0.924722895586 } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const iv_mean_interval i = shares_of(&cases[k], false), turned = shares_of(&cases[k], true);
        assert_near(i.lower, cases[k].lower, 1e-9);
        assert_near(i.upper, cases[k].upper, 1e-9);
        assert_near(turned.lower, 1.0 - cases[k].upper, 1e-9);
        assert_near(turned.upper, 1.0 - cases[k].lower, 1e-9);
    }
}

static void items_of_clusters_and_scores_between_0_and_1_keep_the_interval_of_logits(void **state)
{
    double x[] = { 1.0, 1.0, 0.0, 1.0, 0.0, 1.0 };
    const uint32_t set[] = { 0, 0, 0, 1, 1, 1 }, unit[] = { 0, 1, 2, 3, 4, 5 };
    iv_structure s = { .suite = set, .suites = 2, .cluster = unit, .clusters = 6 };
    iv_mean_interval i, was;

    (void)state;
    for (int k = 0; k < 2; k++) {
        iv_structured m;
        assert_int_equal(iv_structured_mean(&m, x, 6, &s, 0, NULL), IV_OK);
        assert_int_equal(iv_structured_interval(&i, &m, true, IV_INTERVAL_AUTO, 0.95, NULL), IV_OK);
        was = i;
        assert_int_equal(iv_set_shares(&i, x, 6, &s, 0.95, NULL), IV_OK);
        assert_int_equal(i.method, IV_INTERVAL_LOGIT_T);
        assert_near(i.lower, was.lower, 0.0);
        s.cluster = NULL;
        x[2] = 0.5;
    }
}

/* What the intervals of two sets of ten items hold if shares are p and q: of all 121 outcomes. */
static double held(iv_mean_interval (*all)[11], const double *weight, double p, double q)
{
    const double truth = (weight[0] * p + weight[1] * q) / (weight[0] + weight[1]);
    double sum = 0.0;

    for (int64_t i = 0; i <= 10; i++)
        for (int64_t j = 0; j <= 10; j++)
            if (all[i][j].lower <= truth && truth <= all[i][j].upper)
                sum += (iv_binom_sf(i - 1, 10, p) - iv_binom_sf(i, 10, p))
                    * (iv_binom_sf(j - 1, 10, q) - iv_binom_sf(j, 10, q));
    return sum;
}

static void two_sets_of_ten_hold_by_enumeration_whatever_their_shares_and_weights(void **state)
{
    static const double weights[][3] = { { 1.0, 1.0, 1.0 }, { 1.0, 3.0, 1.0 }, { 1.0, 9.0, 1.0 } };
    /* The last hangs on ten items, of which the answer warns. */
    static const double at_least[] = { 0.93, 0.92, 0.88 };
    static const double share[] = { 0.02, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995 };

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        iv_mean_interval all[11][11];
        double least = 1.0, sum = 0.0;
        for (size_t i = 0; i <= 10; i++)
            for (size_t j = 0; j <= 10; j++) {
                suite_case one = { { i, j, 0 }, { 10, 10, 0 }, { 0.0 }, 0.0, 0.0 };
                for (size_t h = 0; h < 3; h++)
                    one.weight[h] = weights[k][h];
                all[i][j] = shares_of(&one, false);
            }
        for (size_t i = 0; i < 121; i++) {
            const double c = held(all, weights[k], share[i / 11], share[i % 11]);
            least = fmin(least, c);
            sum += c / 121.0;
        }
        assert_true(least > at_least[k]);
        assert_true(sum > 0.94 && sum < 0.99);
    }
}

/* Items of their own clusters, or with weights, of which few are wrong. */
static void few_wrong_answers_of_clusters_hold_by_enumeration(void **state)
{
    static const double share[] = { 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 0.997, 0.998, 0.999 };
    iv_mean_interval all[51];
    uint32_t unit[50];
    double x[50];

    (void)state;
    for (size_t wrong = 0; wrong <= 50; wrong++) {
        iv_structured m;
        for (uint32_t t = 0; t < 50; t++) {
            unit[t] = t;
            x[t] = t >= wrong;
        }
        const iv_structure s = { .cluster = unit, .clusters = 50 };
        assert_int_equal(iv_structured_mean(&m, x, 50, &s, 0, NULL), IV_OK);
        assert_int_equal(iv_structured_interval(&all[wrong], &m, true, IV_INTERVAL_AUTO, 0.95, NULL),
                         IV_OK);
        assert_int_equal(iv_set_shares(&all[wrong], x, 50, &s, 0.95, NULL), IV_OK);
    }
    for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
        double sum = 0.0;
        for (int64_t i = 0; i <= 50; i++)
            if (all[i].lower <= share[k] && share[k] <= all[i].upper)
                sum += iv_binom_sf(i - 1, 50, 1.0 - share[k]) - iv_binom_sf(i, 50, 1.0 - share[k]);
        assert_true(sum > 0.92);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_fixed_sets_have_the_limits_of_a_score_test),
        cmocka_unit_test(items_of_clusters_and_scores_between_0_and_1_keep_the_interval_of_logits),
        cmocka_unit_test(few_wrong_answers_of_clusters_hold_by_enumeration),
        cmocka_unit_test(two_sets_of_ten_hold_by_enumeration_whatever_their_shares_and_weights),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
