/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded output of TREC's sample_eval on strata, and of the Million Query
 * track's statAP script on inclusion probabilities, to the printed digits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "retrieval/evaluation.h"

#define FOLDER TESTS_DIR "/golden/sampled/"

static iv_evaluation *evaluate(const char *judgments, const char *run,
                               const char *const *names, size_t count)
{
    const iv_source source = { .judgments = judgments, .runs = { &run, 1 } };
    const iv_evaluating how = { .measures = { names, count }, .interval = IV_INTERVAL_T,
                                .measure = { .dialect = IV_TREC_EVAL_10 } };
    iv_evaluation *e = NULL;

    assert_int_equal(iv_evaluate(&e, &source, &how, NULL, NULL), IV_OK);
    assert_non_null(iv_evaluation_view(e)->sampling);
    return e;
}

/* The estimate of a measure on a topic, or over all; NaN: there is none. */
static double value_of(const iv_evaluation *e, const char *measure, const char *topic)
{
    const iv_evaluated *v = iv_evaluation_view(e);

    for (size_t i = 0; i < v->measure_count; i++) {
        if (strcmp(v->measures[i].name, measure) != 0)
            continue;
        if (strcmp(topic, "all") == 0)
            return v->means[i].value;
        for (size_t t = 0; t < v->topic_count; t++)
            if (iv_str_cmp(v->topics[t], iv_str_of(topic)) == 0)
                return iv_evaluation_value(e, 0, i, t).value;
    }
    return (double)NAN;
}

/* Equal to the digits that were printed. */
static void assert_printed(double got, const char *printed, const char *what)
{
    const char *point = strchr(printed, '.');
    const double unit = pow(10.0, point == NULL ? 0.0 : -(double)strlen(point + 1));

    if (!(fabs(got - strtod(printed, NULL)) <= 0.5000001 * unit))
        fail_msg("%s is %.9g, recorded %s", what, got, printed);
}

static void strata_agree_with_sample_eval(void **state)
{
    static const char *const names[] = { "infAP", "infNDCG", "iP_10", "iP50", "iP@1000",
                                         "inum_rel_ret", "inum_rel", "num_ret" };
    static const char *const recorded[][2] = {
        { "infAP", "infAP" }, { "infNDCG", "infNDCG" }, { "iP10", "iP_10" },
        { "iP50", "iP_50" }, { "iP1000", "iP_1000" }, { "inum_rel_ret", "inum_rel_ret" },
        { "inum_rel", "inum_rel" }, { "num_ret", "num_ret" } };
    size_t held = 0;

    (void)state;
    for (int r = 0; r < 4; r++) {
        char path[512], line[256], measure[64], topic[64], printed[64];
        (void)snprintf(path, sizeof path, FOLDER "strata/run%d.zst", r);
        iv_evaluation *e = evaluate(FOLDER "strata/qrels.zst", path, names, 8);
        (void)snprintf(path, sizeof path, FOLDER "strata/run%d.sample_eval", r);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file) != NULL) {
            if (sscanf(line, "%63s %63s %63s", measure, topic, printed) != 3)
                continue;
            for (size_t k = 0; k < 8; k++)
                if (strcmp(measure, recorded[k][0]) == 0) {
                    assert_printed(value_of(e, recorded[k][1], topic), printed, line);
                    held++;
                }
        }
        (void)fclose(file);
        iv_evaluation_free(e);
    }
    assert_int_equal(held, 4 * 8 * 13);
}

/* The number behind "name=", or NULL. */
static const char *behind(char *out, size_t size, const char *line, const char *name)
{
    const char *at = strstr(line, name);

    if (at == NULL || at[strlen(name)] != '='
        || sscanf(at + strlen(name) + 1, "%31s", out) != 1 || size < 32)
        return NULL;
    return out;
}

static void probabilities_agree_with_the_statap_script(void **state)
{
    static const char *const names[] = { "map", "num_rel", "P.10,20,50,100" };
    static const char *const recorded[][2] = {
        { "\tAP", "map" }, { "Relevant", "num_rel" }, { "Prec_at_10", "P_10" },
        { "Prec_at_20", "P_20" }, { "Prec_at_50", "P_50" } };
    size_t held = 0;

    (void)state;
    for (int r = 0; r < 4; r++) {
        char path[512], line[256], printed[64], topic[64] = "";
        (void)snprintf(path, sizeof path, FOLDER "prels/run%d.zst", r);
        iv_evaluation *e = evaluate(FOLDER "prels/prels.zst", path, names, 3);
        (void)snprintf(path, sizeof path, FOLDER "prels/run%d.statap", r);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file) != NULL && strstr(line, "stat") == NULL) {
            if (behind(printed, sizeof printed, line, "topic") != NULL)
                (void)snprintf(topic, sizeof topic, "%.30s", printed);
            for (size_t k = 0; k < 5; k++)
                if (behind(printed, sizeof printed, line, recorded[k][0]) != NULL) {
                    assert_printed(value_of(e, recorded[k][1], topic), printed, line);
                    held++;
                }
            /* The script's second "Prec_at_50" is that at 100. */
            char *again = strstr(line, "Prec_at_50");
            if (again != NULL && behind(printed, sizeof printed, again + 1, "Prec_at_50")) {
                assert_printed(value_of(e, "P_100", topic), printed, line);
                held++;
            }
        }
        (void)fclose(file);
        iv_evaluation_free(e);
    }
    assert_int_equal(held, 4 * 6 * 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strata_agree_with_sample_eval),
        cmocka_unit_test(probabilities_agree_with_the_statap_script),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
