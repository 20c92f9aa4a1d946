/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about limits and rules that hold while one looks; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "num/dist.h"
#include "stat/sequential/anytime.h"
#include "stat/sequential/interim.h"
#include "stat/sequential/stopping.h"

enum { MOST = 256 };

/* ------------------------------------------------------ reference values -- */

static size_t numbers(double *out, const char *text)
{
    size_t n = 0;

    for (char *end; n < MOST && *text != '\0'; text = *end == ',' ? end + 1 : end) {
        out[n++] = strtod(text, &end);
        assert_true(end > text);
    }
    return n;
}

static void looks_equal(const char *shape, const char *level, const char *tau, const char *z)
{
    double t[MOST], want[MOST];
    iv_look got[MOST];
    const size_t n = numbers(t, tau);
    size_t s = 0;

    assert_int_equal(numbers(want, z), n);
    while (strcmp(iv_look_shape_names()[s], shape) != 0)
        s++;
    assert_int_equal(iv_looks_of(got, t, n, (iv_look_shape)s, strtod(level, NULL), NULL), IV_OK);
    for (size_t k = 0; k < n; k++) {
        assert_near(got[k].z, want[k], 3e-6);
        assert_near(got[k].error, iv_norm_sf(got[k].z), 0.0);
    }
    if (t[n - 1] == 1.0)
        assert_near(got[n - 1].spent, strtod(level, NULL), 1e-7);
}

/* "500r,9500u" and "1/1,10/0;1/0,10/0". */
static void evidence_equals(const char *design, const char *text, double t, bool upper,
                            double want)
{
    int64_t size[8];
    bool retrieved[8];
    int64_t drawn[1024], found[1024];
    size_t count = 0, n = 0;
    char *end;
    double got = -1.0;

    for (const char *at = design; *at != '\0'; at = end + 1 + (end[1] == ',')) {
        size[count] = strtol(at, &end, 10);
        retrieved[count++] = *end == 'r';
    }
    for (const char *at = text; *at != '\0'; n++) {
        drawn[n] = strtol(at, &end, 10);
        found[n] = strtol(end + 1, &end, 10);
        at = *end != '\0' ? end + 1 : end;
    }
    const iv_review_blocks b = { size, retrieved, drawn, found, count, n / count };
    assert_int_equal(iv_recall_evidence(&got, &b, t, upper, NULL), IV_OK);
    if (isinf(want))
        assert_true(isinf(got));
    else
        assert_near(got, want, 1e-6);
}

static void row_holds(char *f[10])
{
    if (strcmp(f[0], "looks") == 0) {
        looks_equal(f[1], f[2], f[3], f[4]);
    } else if (strcmp(f[0], "evidence") == 0) {
        evidence_equals(f[1], f[2], strtod(f[3], NULL), f[4][0] == '1', strtod(f[5], NULL));
    } else if (strcmp(f[0], "count") == 0) {
        int64_t least, most;
        const iv_stratum s = { strtol(f[1], NULL, 10), strtol(f[2], NULL, 10),
                               strtol(f[3], NULL, 10) };
        assert_int_equal(iv_anytime_count(&least, &most, s, strtod(f[4], NULL),
                                          strtod(f[5], NULL), 1.0 - strtod(f[6], NULL), NULL),
                         IV_OK);
        assert_int_equal(least, strtol(f[7], NULL, 10));
        assert_int_equal(most, strtol(f[8], NULL, 10));
    } else if (strcmp(f[0], "qbcb") == 0) {
        assert_int_equal(iv_qbcb_needed(strtol(f[2], NULL, 10), strtod(f[1], NULL), 0.95),
                         strtol(f[3], NULL, 10));
    } else {
        assert_string_equal(f[0], "stop");
        const iv_stratum left = { strtol(f[2], NULL, 10), strtol(f[3], NULL, 10),
                                  strtol(f[4], NULL, 10) };
        assert_near(iv_stop_p(strtol(f[1], NULL, 10), left, strtod(f[5], NULL)),
                    strtod(f[6], NULL), 1e-11);
    }
}

static void values_equal_the_references(void **state)
{
    FILE *file = fopen(TESTS_DIR "/oracle/sequential.tsv", "r");
    static char line[8192];
    size_t rows = 0;

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *f[10] = { NULL }, *rest = line;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        for (size_t i = 0; i < 10 && rest != NULL; i++) {
            f[i] = rest;
            rest = strchr(rest, '\t');
            if (rest != NULL)
                *rest++ = '\0';
        }
        row_holds(f);
        rows++;
    }
    (void)fclose(file);
    assert_int_equal(rows, 43);
}

/* -------------------------------------------------------- error, exactly -- */

/* P(the truth is ever excluded), summed over the ways n draws can go. */
static void a_count_is_ever_excluded_with_at_most_its_level(void **state)
{
    enum { N = 12 };

    (void)state;
    for (int64_t K = 0; K <= N; K++) {
        double mass[N + 1] = { 1.0 }, out = 0.0; /* by relevant ones, of those not excluded */
        for (int64_t n = 0; n < N; n++) {
            double next[N + 1] = { 0.0 };
            for (int64_t r = 0; r <= n; r++) {
                const double p = (double)(K - r) / (double)(N - n);
                if (mass[r] > 0.0 && p > 0.0)
                    next[r + 1] += mass[r] * p;
                if (mass[r] > 0.0 && p < 1.0)
                    next[r] += mass[r] * (1.0 - p);
            }
            for (int64_t r = 0; r <= n + 1; r++) {
                int64_t least, most;
                if (next[r] == 0.0)
                    continue;
                assert_int_equal(iv_anytime_count(&least, &most, (iv_stratum){ N, n + 1, r }, 0.0,
                                                  0.0, 0.8, NULL), IV_OK);
                if (K < least || K > most) {
                    out += next[r];
                    next[r] = 0.0;
                }
            }
            memcpy(mass, next, sizeof mass);
        }
        assert_true(out <= 0.2 + 1e-12);
    }
}

typedef struct paths_walk {
    bool retrieved[2];
    int64_t drawn[16], found[16], size[2], marked[2], n[2], r[2];
    double target, needed;
    bool upper;
} paths_walk;

/* P(evidence of `needed` is ever had), over everything blocks of one document each can bring. */
static double ever(paths_walk *w, size_t k)
{
    const iv_review_blocks b = { w->size, w->retrieved, w->drawn, w->found, 2, k };
    double e, sum = 0.0;

    assert_int_equal(iv_recall_evidence(&e, &b, w->target, w->upper, NULL), IV_OK);
    if (e >= w->needed)
        return 1.0;
    if (w->n[0] == w->size[0] && w->n[1] == w->size[1])
        return 0.0;
    for (int x = 0; x < 4; x++) {
        double p = 1.0;
        for (int s = 0; s < 2; s++) {
            const int64_t hit = (x >> s) & 1, left = w->size[s] - w->n[s];
            const double share = left > 0 ? (double)(w->marked[s] - w->r[s]) / (double)left : 0.0;
            p *= hit ? share : 1.0 - share;
            w->drawn[2 * k + (size_t)s] = left > 0;
            w->found[2 * k + (size_t)s] = left > 0 ? hit : 0;
        }
        if (p <= 0.0)
            continue;
        for (int s = 0; s < 2; s++) {
            w->n[s] += w->drawn[2 * k + (size_t)s];
            w->r[s] += w->found[2 * k + (size_t)s];
        }
        const int64_t d[2] = { w->drawn[2 * k], w->drawn[2 * k + 1] };
        const int64_t f[2] = { w->found[2 * k], w->found[2 * k + 1] };
        sum += p * ever(w, k + 1);
        for (int s = 0; s < 2; s++) {
            w->n[s] -= d[s];
            w->r[s] -= f[s];
            w->drawn[2 * k + (size_t)s] = d[s];
            w->found[2 * k + (size_t)s] = f[s];
        }
    }
    return sum;
}

static void evidence_against_a_true_statement_is_rare_however_one_stops(void **state)
{
    double worst = 0.0;

    (void)state;
    for (int64_t k1 = 0; k1 <= 5; k1++) {
        for (int64_t k0 = 0; k0 <= 4; k0++) {
            if (k1 + k0 == 0)
                continue;
            const double recall = (double)k1 / (double)(k1 + k0);
            for (int upper = 0; upper < 2; upper++) {
                paths_walk w = { .retrieved = { true, false },
                                 .size = { 5, 4 }, .marked = { k1, k0 }, .target = recall,
                                 .needed = log(4.0), .upper = upper };
                worst = fmax(worst, ever(&w, 0));
            }
        }
    }
    assert_true(worst <= 0.25 + 1e-12);
    assert_true(worst > 0.02); /* it does tell something */
}

/* ----------------------------------------------------------------- limits -- */

static void limits_are_what_the_evidence_leaves(void **state)
{
    static const int64_t size[] = { 40, 60 };
    static const bool retrieved[] = { true, false };
    int64_t drawn[40], found[40];
    iv_limits one, two;
    double e;

    (void)state;
    for (size_t k = 0; k < 20; k++) { /* to exhaustion: 16 of 40, 2 of 60: recall 8 / 9 */
        drawn[2 * k] = 2;
        drawn[2 * k + 1] = 3;
        found[2 * k] = k < 16;
        found[2 * k + 1] = k == 3 || k == 11;
    }
    iv_review_blocks b = { size, retrieved, drawn, found, 2, 12 };
    assert_int_equal(iv_recall_anytime(&one, &b, 0.9, true, NULL), IV_OK);
    assert_int_equal(iv_recall_anytime(&two, &b, 0.8, false, NULL), IV_OK);
    assert_true(one.lower == two.lower && one.upper == two.upper);
    assert_int_equal(iv_recall_evidence(&e, &b, one.lower, false, NULL), IV_OK);
    assert_true(e >= log(10.0));
    assert_int_equal(iv_recall_evidence(&e, &b, one.lower + 0.001, false, NULL), IV_OK);
    assert_true(e < log(10.0));
    b.count = 20;
    assert_int_equal(iv_recall_anytime(&one, &b, 0.0, false, NULL), IV_OK);
    assert_near(one.lower, 0.888, 1e-12);
    assert_near(one.upper, 0.889, 1e-12);
    b.count = 0;
    assert_int_equal(iv_recall_anytime(&one, &b, 0.0, false, NULL), IV_OK);
    assert_true(one.lower == 0.0 && one.upper == 1.0);
}

static void bad_numbers_are_refused_with_the_reason(void **state)
{
    static const int64_t size[] = { 4, 6 };
    static const bool retrieved[] = { true, false };
    const int64_t drawn[] = { 1, 0 }, found[] = { 1, 0 };
    const iv_review_blocks b = { size, retrieved, drawn, found, 2, 1 };
    const double falling[] = { 0.5, 0.4, 1.0 }, short_plan[] = { 0.5, 0.9 };
    iv_limits i;
    iv_look looks[3];
    int64_t least, most;
    double lower;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_recall_anytime(&i, &b, 0.0, false, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "no document of stratum 2"));
    assert_int_equal(iv_recall_evidence(&lower, &b, 1.5, false, &err), IV_EARG);
    assert_int_equal(iv_review_blocks_check(&b, &err), IV_EARG);
    assert_int_equal(iv_looks_of(looks, falling, 3, IV_LOOKS_POCOCK, 0.05, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "analysis 2"));
    assert_int_equal(iv_looks_of(looks, short_plan, 2, IV_LOOKS_POCOCK, 0.05, &err), IV_EARG);
    assert_int_equal(iv_looks_of(looks, NULL, 0, IV_LOOKS_POCOCK, 0.05, &err), IV_EARG);
    assert_int_equal(iv_looks_of(looks, NULL, 3, (iv_look_shape)9, 0.05, &err), IV_EARG);
    assert_int_equal(iv_looks_of(looks, NULL, 1, IV_LOOKS_POCOCK, 0.05, &err), IV_OK);
    assert_near(looks[0].z, 1.6448536269514722, 1e-12);
    assert_int_equal(iv_anytime_count(&least, &most, (iv_stratum){ 5, 6, 0 }, 0.0, 0.0, 0.0,
                                      &err), IV_EARG);
    assert_int_equal(iv_qbcb_needed(0, 0.8, 0.95), 0);
    assert_true(isnan(iv_stop_p(1, (iv_stratum){ 5, 6, 0 }, 0.8)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_equal_the_references),
        cmocka_unit_test(a_count_is_ever_excluded_with_at_most_its_level),
        cmocka_unit_test(evidence_against_a_true_statement_is_rare_however_one_stops),
        cmocka_unit_test(limits_are_what_the_evidence_leaves),
        cmocka_unit_test(bad_numbers_are_refused_with_the_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
