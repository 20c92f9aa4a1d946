/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do two runs differ in average precision?
 *
 *     cc compare_runs.c -o compare_runs -lintervale && ./compare_runs QRELS RUN_A RUN_B
 */
#include <intervale/retrieval.h>
#include <intervale/stat.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *const name = "AP";
    const iv_source files = { .judgments = argv[1],
                              .runs = { (const char *const *)argv + 2, 2 } };
    const iv_evaluating how = { .measures = { &name, 1 } };
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    iv_evaluation *scores = NULL;
    iv_comparison *found = NULL;
    double *values = NULL;
    int status = EXIT_FAILURE;

    if (argc != 4) {
        fprintf(stderr, "usage: compare_runs QRELS RUN_A RUN_B\n");
        return EXIT_FAILURE;
    }
    if (iv_evaluate(&scores, &files, &how, NULL, &err) != IV_OK)
        goto done;
    const size_t topics = iv_evaluation_view(scores)->topic_count;
    values = malloc(2 * topics * sizeof *values);
    if (values == NULL)
        goto done;
    iv_evaluation_grid(values, scores, 0);
    if (iv_compare(&found, values, 2, topics, NULL, NULL, &err) != IV_OK)
        goto done;

    const iv_compared_pair *pair;
    const iv_compared_test *test;
    iv_comparison_pairs(&pair, found);
    iv_comparison_tests(&test, found, 0);
    printf("a - b %.4f, 95 %% interval %.4f to %.4f, p %.4f, %zu topics\n",
           pair->found.mean, pair->lower, pair->upper, test->test.p, pair->found.n);
    status = EXIT_SUCCESS;
done:
    if (status != EXIT_SUCCESS)
        fprintf(stderr, "compare_runs: %s\n", iv_err_text(text, &err));
    iv_comparison_free(found);
    free(values);
    iv_evaluation_free(scores);
    return status;
}
