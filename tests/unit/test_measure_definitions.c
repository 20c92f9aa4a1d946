/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random topics, against definitions written out in full: every document by
 * itself, counted again from the top, no sums carried along.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "measure_case.h"
#include "measure_tests.h"

/* A topic as the definitions see it. */
typedef struct plain {
    int grade[CASE_MOST]; /* by rank; -1 listed and unjudged, -2 not listed */
    int n;
    int judged[2 * CASE_MOST]; /* grades, highest first */
    int judged_count;
} plain;

static int count(const plain *t, int to, int from_grade, int to_grade)
{
    int c = 0;

    for (int i = 0; i < to && i < t->n; i++)
        c += t->grade[i] >= from_grade && t->grade[i] <= to_grade;
    return c;
}

static int relevant(const plain *t)
{
    int r = 0;

    for (int i = 0; i < t->judged_count; i++)
        r += t->judged[i] >= 1;
    return r;
}

static double per(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

static double ap_at(const plain *t, int k)
{
    double sum = 0.0;

    for (int i = 0; i < t->n && i < k; i++)
        if (t->grade[i] >= 1)
            sum += count(t, i + 1, 1, 99) / (i + 1.0);
    return per(sum, relevant(t));
}

static double ndcg_at(const plain *t, int k)
{
    double dcg = 0.0, ideal = 0.0;

    for (int i = 0; i < k; i++) {
        if (i < t->n && t->grade[i] > 0)
            dcg += t->grade[i] / log2(i + 2.0);
        if (i < t->judged_count && t->judged[i] > 0)
            ideal += t->judged[i] / log2(i + 2.0);
    }
    return per(dcg, ideal);
}

static double bpref(const plain *t)
{
    const int r = relevant(t);
    int n = 0;
    double sum = 0.0;

    for (int i = 0; i < t->judged_count; i++)
        n += t->judged[i] == 0;
    for (int i = 0; i < t->n; i++)
        if (t->grade[i] >= 1) {
            const int above = count(t, i, 0, 0);
            sum += 1.0 - (above > 0 ? fmin(above, r) / fmin(n, r) : 0.0);
        }
    return per(sum, r);
}

static double infap(const plain *t)
{
    double sum = 0.0;

    for (int i = 0; i < t->n; i++)
        if (t->grade[i] >= 1) {
            const double r = count(t, i, 1, 99), n = count(t, i, 0, 0);
            sum += i == 0 ? 1.0
                          : 1.0 / (i + 1)
                    + i / (i + 1.0) * (count(t, i, -1, 99) / (double)i)
                        * (r + 0.00001) / (r + n + 0.00002);
        }
    return per(sum, relevant(t));
}

static double interpolated(const plain *t, double x)
{
    const int need = (int)(x * relevant(t) + 0.9);
    double best = 0.0;

    for (int i = 0; i < t->n; i++)
        if (count(t, i + 1, 1, 99) >= need)
            best = fmax(best, count(t, i + 1, 1, 99) / (i + 1.0));
    return best;
}

static double err_measure(const plain *t, int max)
{
    double sum = 0.0;

    for (int i = 0; i < t->n; i++) {
        double arrives = 1.0;
        for (int j = 0; j < i; j++)
            if (t->grade[j] > 0)
                arrives *= 1.0 - (pow(2, t->grade[j]) - 1.0) / pow(2, max);
        if (t->grade[i] > 0)
            sum += arrives * (pow(2, t->grade[i]) - 1.0) / pow(2, max) / (i + 1);
    }
    return sum;
}

static double rbp(const plain *t, double p, int level)
{
    double sum = 0.0;

    for (int i = 0; i < t->n; i++)
        sum += t->grade[i] >= level ? (1.0 - p) * pow(p, i) : 0.0;
    return sum;
}

static double residual(const plain *t, double p)
{
    double sum = 0.0;

    for (int i = 0; i < t->n; i++)
        sum += t->grade[i] < 0 ? (1.0 - p) * pow(p, i) : 0.0;
    return sum > 0.0 ? sum + pow(p, t->n) : 0.0;
}

static double g_measure(const plain *t)
{
    double sum = 0.0, all = 0.0;

    for (int i = 0; i < t->judged_count; i++)
        all += t->judged[i] > 0 ? t->judged[i] : 0;
    for (int i = 0; i < t->n; i++) {
        double cost = 0.0, got = 0.0;
        for (int j = 0; j <= i; j++) {
            cost += j < t->judged_count && t->judged[j] > 1 ? t->judged[j] : 1;
            got += t->grade[j] > 0 ? t->grade[j] : 0;
        }
        if (t->grade[i] > 0)
            sum += t->grade[i] / log2(2.0 + cost - got);
    }
    return per(sum, all);
}

static double ndcg_rel(const plain *t)
{
    double sum = 0.0;
    int with_gain = 0;

    for (int i = 0; i < t->n; i++)
        if (t->grade[i] > 0) {
            sum += ndcg_at(t, i + 1);
            with_gain++;
        }
    const int all = relevant(t);
    sum += (all - with_gain) * ndcg_at(t, 10 * CASE_MOST);
    return per(sum, all);
}

/* ------------------------------------------------------ random topics -- */

static unsigned next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(*state >> 33);
}

static void random_letters(char *out, size_t length, unsigned judged,
                           uint64_t *state)
{
    for (size_t i = 0; i < length; i++)
        out[i] = next_random(state) % 100 >= judged
            ? '-'
            : ".0000112"[next_random(state) % 8];
    out[length] = '\0';
}

static int descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

static void to_plain(plain *t, const measure_case *c, const char *letters)
{
    t->n = (int)c->topic.hit_count;
    for (int i = 0; i < t->n; i++)
        t->grade[i] = letters[i] == '-' ? -2 : case_grade(letters[i]);
    t->judged_count = (int)c->topic.judged_count;
    for (int i = 0; i < t->judged_count; i++)
        t->judged[i] = c->judged[i].grade;
    qsort(t->judged, (size_t)t->judged_count, sizeof t->judged[0], descending);
}

static void expect(const measure_case *c, const char *letters, const char *name,
                   double want)
{
    const double got = case_score(c, name, NULL);

    if (fabs(got - want) > 1e-12)
        fail_msg("%s of %s is %.15g, by definition %.15g", name, letters, got,
                 want);
}

static void compare(const measure_case *c, const char *letters)
{
    plain t;

    to_plain(&t, c, letters);
    const int all = 10 * CASE_MOST, r = relevant(&t);
    expect(c, letters, "map", ap_at(&t, all));
    expect(c, letters, "map_cut.7", ap_at(&t, 7));
    expect(c, letters, "P.13", count(&t, 13, 1, 99) / 13.0);
    expect(c, letters, "recall.9", per(count(&t, 9, 1, 99), r));
    expect(c, letters, "Rprec", per(count(&t, r, 1, 99), r));
    expect(c, letters, "ndcg", ndcg_at(&t, all));
    expect(c, letters, "nDCG@6", ndcg_at(&t, 6));
    expect(c, letters, "ndcg_rel", ndcg_rel(&t));
    expect(c, letters, "bpref", bpref(&t));
    expect(c, letters, "infAP", infap(&t));
    expect(c, letters, "IPrec@0.35", interpolated(&t, 0.35));
    expect(c, letters, "G", g_measure(&t));
    expect(c, letters, "ERR(max=3)", err_measure(&t, 3));
    expect(c, letters, "RBP(p=0.7,rel=1)", rbp(&t, 0.7, 1));
    expect(c, letters, "rbp_resid.p=0.7", residual(&t, 0.7));
    expect(c, letters, "unj.11",
           (fmin(11, t.n) - count(&t, 11, 0, 99)) / 11.0);
}

static void prepared_arrays_give_what_the_definitions_say(void **state)
{
    (void)state;
    uint64_t seed = 20260101;

    for (int i = 0; i < 400; i++) {
        static const unsigned shares[] = { 5, 30, 80, 100 };
        char letters[CASE_MOST], others[40];
        measure_case c;
        random_letters(letters, next_random(&seed) % 60, shares[i % 4], &seed);
        random_letters(others, next_random(&seed) % 20, 100, &seed);
        case_set(&c, letters, others);
        compare(&c, letters);
    }
}

/* 0x1p-55: powers too small for the sum are passed over, not forgotten. */
static void a_deep_ranking_loses_nothing(void **state)
{
    (void)state;
    char letters[CASE_MOST];
    measure_case c;
    plain t;

    memset(letters, '-', CASE_MOST - 1);
    letters[CASE_MOST - 1] = '\0';
    letters[200] = '1';
    case_set(&c, letters, "1");
    to_plain(&t, &c, letters);
    expect(&c, letters, "rbp_resid.p=0.5", residual(&t, 0.5));
    expect(&c, letters, "rbp_resid.p=0.99", residual(&t, 0.99));
    expect(&c, letters, "map", 1.0 / 201.0 / 2.0);
}

int measure_definition_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prepared_arrays_give_what_the_definitions_say),
        cmocka_unit_test(a_deep_ranking_loses_nothing),
    };
    return cmocka_run_group_tests_name("definitions", tests, NULL, NULL);
}
